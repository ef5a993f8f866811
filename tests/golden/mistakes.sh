# Wrong use: each answer names the place and the next step, and the exit status is 2.
say() { "$@"; echo "-> $?"; }
say $tw inof x.etl 2>&1
say $tw info 2>&1
say $tw info x.etl --jsn 2>&1
$tw sample --out s.etl --length 100ms
say $tw events s.etl --where "pid = 4" 2>&1
say $tw events s.etl --where "TransferSiz > 4" --limit 1 2>&1 | tail -n 2
say $tw events s.etl --where "pid == 'x'" 2>&1
cat > a.lua <<'LUA'
return pipeline "a" { etl.raed { file = "s.etl" }, null {} }
LUA
say $tw run a.lua 2>&1
cat > b.lua <<'LUA'
return pipeline "b" { etl.read { fiel = "s.etl" }, null {} }
LUA
say $tw run b.lua 2>&1
cat > c.lua <<'LUA'
return pipeline "c" { etl.read { file = io.open("s.etl") }, null {} }
LUA
say $tw run c.lua 2>&1
cat > d.lua <<'LUA'
return pipeline "d" { etl.read { file = "s.etl" },
  filter { need = { "pid" }, keep = function(pid)
    return pid.x
  end }, null {} }
LUA
say $tw run d.lua 2>&1
say $tw help etl.raed 2>&1
say $tw events nothing.etl 2>&1
printf 'just text, no trace\n' > text.etl
say $tw events text.etl 2>&1 | tail -n 2
# A file that is not trusted writes below the working folder only, unless a user's word says where.
echo 'return pipeline "e" { args = { {"out", string "-"} }, etl.read { file = "s.etl" }, count { {"cpu"} }, csv.write {} }' > e.lua
say $tw run e.lua 2>&1
sed 's/{ {"cpu"} }/{ "cpu" }/; s|csv.write {}|csv.write { to = "../e.csv" }|' e.lua > f.lua
say $tw run f.lua 2>&1
sed 's|"../e.csv"|args.out|' f.lua > g.lua
say $tw run g.lua "$PWD/g.csv" 2>&1
ls g.csv
