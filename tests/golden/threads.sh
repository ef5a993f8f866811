# Another thread changes nothing but the time it takes; where it would, the pipeline is refused.
$tw sample --out a.etl --seed 1 --length 500ms --rate 4000
$tw sample --out b.etl --seed 2 --length 500ms --rate 4000
chain() { # the stages, with $1 where a border may be
    cat <<LUA
return pipeline "x" {
  merge { etl.read { file = "a.etl" }, { etl.read { file = "b.etl" }, where "provider == 'DiskIo'" } }, $1
  tee { { $1 fields { "time", "source", "event", "cpu" }, csv.write { to = "all.csv" } },
        { limit { 1000 }, $1 count { by = { "source" } }, csv.write { to = "count.csv.zst" } } },
  where "provider == 'DiskIo'", $1
  count { by = { "event", "source" } },
  csv.write { to = "-" },
}
LUA
}
chain "" > line.lua
chain "thread { size = 2 }," > threads.lua
$tw run line.lua > line.txt; echo "-> $?"
mv all.csv line.csv; mv count.csv.zst line.csv.zst
$tw run --check-rules threads.lua > threads.txt; echo "-> $?"
cat threads.txt
cmp line.txt threads.txt && cmp line.csv all.csv && cmp line.csv.zst count.csv.zst && echo "all alike"
# in the order of time, and of all the first thousand
tail -n +2 all.csv | cut -d , -f 1 | sort -c && echo "in order"
zstd -dc count.csv.zst
# a border sees that all comes to an end
cat > early.lua <<'LUA'
return pipeline "early" { etl.read { file = "a.etl" }, thread {}, limit { 3 }, thread {}, count { by = { "provider" } }, csv.write { to = "-" } }
LUA
$tw run early.lua; echo "-> $?"
say() { $tw run "$@"; echo "-> $?"; }
echo 'return pipeline "x" { etl.read { file = "a.etl" }, thread { shed = { "PerfInfo/*" } }, null {} }' > x.lua; say x.lua
echo 'return pipeline "x" { etl.read { file = "a.etl" }, thread { size = 0 }, null {} }' > x.lua; say x.lua
echo 'return pipeline "x" { etl.read { file = "a.etl" }, null {}, thread {} }' > x.lua; say x.lua
echo 'return pipeline "x" { merge { { etl.read { file = "a.etl" }, thread {}, null {} } }, null {} }' > x.lua; say x.lua
cat > x.lua <<'LUA'
return pipeline "x" { etl.read { file = "a.etl" },
  filter { keep = function() return true end },
  thread {},
  filter { keep = function() return true end },
  null {} }
LUA
say x.lua
cat > x.lua <<'LUA'
return pipeline "x" { etl.read { file = "a.etl" }, tee { { thread {}, count { by = { "provider" } }, csv.write { to = "ok.csv" } } },
  thread {}, filter { keep = function() return nil + 1 end }, null {} }
LUA
say x.lua
[ -e ok.csv ] || echo "no ok.csv"
