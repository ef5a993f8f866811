# merge, tee, thread, and a part of a pipeline in a file of its own.
$tw sample --out a.etl --seed 1 --length 500ms --rate 2000
$tw sample --out b.etl --seed 2 --length 500ms --rate 2000
mkdir parts
cat > main.lua <<'LUA'
return pipeline "main" {
  args = { {"least", number(4096), "bytes"} },
  merge { etl.read { file = "a.etl" }, { etl.read { file = "b.etl" }, where "provider == 'DiskIo'" } },
  thread { size = 4 },
  use "large",
  tee { { count { by = { "source" } }, csv.write { to = "by_source.csv" } },
        { use "small_table", csv.write { to = "small.csv" } } },
  null {},
}
LUA
cat > large.lua <<'LUA'
return { where "provider == 'DiskIo' and TransferSize >= args.least", use "reads" }
LUA
cat > parts/reads.lua <<'LUA'
return filter { on = "DiskIo/Read", others = "drop", need = { "TransferSize" },
                keep = function(size) return size % args.least == 0 end }
LUA
cat > small_table.lua <<'LUA'
local columns = { "TransferSize", "event" }
return { fields { columns[1], columns[2] }, limit { 3, of = "fields" } }
LUA
$tw run --pipelines parts main.lua --least 8192; echo "-> $?"
cat by_source.csv
for f in a b; do $tw events $f.etl --where "name == 'DiskIo/Read' and TransferSize % 8192 == 0 and TransferSize > 0" --fields cpu | tail -n +2 | wc -l; done | tr -d ' '
head -n 4 small.csv
say() { $tw run "$@"; echo "-> $?"; }
echo 'return pipeline "x" { etl.read { file = "a.etl" }, use "nothing" }' > x.lua; say x.lua
echo 'return pipeline "x" { etl.read { file = "a.etl" }, use "x1" }' > x.lua
echo 'return { use "x2" }' > x1.lua
printf 'local n = 1\nreturn { limit { 5 }, use "x1" }\n' > x2.lua; say x.lua
printf '\nreturn { limit { m = 5 } }\n' > x2.lua; say x.lua
printf '\nreturn limit { 5 }, nil + 1\n' > x2.lua; say x.lua
printf 'return { limit { 5 }' > x2.lua; say x.lua
printf 'return 5' > x2.lua; say x.lua
printf '\nlocal x = io\n' > x2.lua; say x.lua
printf '\n\nreturn filter { keep = function() return nil + 1 end }' > x2.lua; say x.lua
echo 'return pipeline "x" { merge { 5 }, null {} }' > x.lua; say x.lua
echo 'return pipeline "x" { merge { limit { 5 } }, null {} }' > x.lua; say x.lua
echo 'return pipeline "x" { etl.read { file = "a.etl" }, tee { { etl.read { file = "a.etl" } } }, null {} }' > x.lua; say x.lua
echo 'return pipeline "x" { etl.read { file = "a.etl" }, tee { {} }, null {} }' > x.lua; say x.lua
echo 'return pipeline "x" { etl.read { file = "a.etl" }, thread { sise = 5 }, null {} }' > x.lua; say x.lua
mkdir -p home/traceweir/pipelines
echo 'return pipeline "y" { args = { {"least", number(1)} }, etl.read { file = "a.etl" }, use "reads", null {} }' > home/traceweir/pipelines/y.lua
export XDG_DATA_HOME="$PWD/home"
say y --pipelines parts 2>&1 | sed "s|$PWD/||"
say y --pipelines parts --trust
