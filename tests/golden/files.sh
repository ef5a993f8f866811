# Files that are cut off, lead elsewhere, may not be replaced or are named twice; and pipelines whose results go nowhere.
say() { "$@"; echo "-> $?"; }
plain() { sed 's|^.*/pipelines/||; s/offset [0-9]*/offset N/g'; }
names() { $tw events "$1" --fields name --out names.csv 2>names.txt; echo "-> $?"; plain <names.txt; }
$tw sample --out s.etl.zst --length 1s --rate 8000 2>log.txt # that its header stays open
$tw sample --out s.etl --length 1s --rate 8000

echo "== an input that is not whole"
head -c 60000 s.etl.zst >cut.etl.zst
names cut.etl.zst
head -c 3 s.etl.zst >start.etl.zst
names start.etl.zst
{ cat s.etl.zst; printf 'more'; } >more.etl.zst
names more.etl.zst
wc -l <names.csv | tr -d ' '
$tw info - <more.etl.zst 2>&1 >out.txt | plain

echo "== standard input can be read once"
say $tw events - - --fields name <s.etl 2>&1 | plain
cat >twice.lua <<'LUA'
return pipeline "twice" { merge { { etl.read { file = "-" } }, { etl.read { file = "-" } } }, null {} }
LUA
say $tw run twice.lua <s.etl 2>&1

echo "== an output that is there already"
echo stays >kept.csv
chmod 444 kept.csv
say $tw events s.etl --fields name --out kept.csv 2>&1 | plain
cat kept.csv
cat >same.lua <<'LUA'
return pipeline "same" { etl.read { file = "s.etl" }, etl.write { to = "x.etl" }, etl.write { to = "./x.etl" } }
LUA
say $tw run same.lua 2>&1
long=$(printf '%0246d.csv.zst' 0)
say $tw events s.etl --fields name --limit 2 --out "$long"
ls | grep -c "^$long$"

echo "== closed standard streams are nobody's files"
$tw events s.etl --where "pid == 4" --fields name --out open.csv
$tw events s.etl --where "pid == 4" --fields name --out closed.csv <&- >&- 2>&-
cmp open.csv closed.csv && echo same

echo "== numbers out of range"
say $tw events s.etl --limit -1 2>&1 | plain
say $tw events s.etl --where "time > 200000d" 2>&1 | plain
cat >span.lua <<'LUA'
return pipeline "span" { etl.read { file = "s.etl" }, thread { size = "9999999999G" }, null {} }
LUA
say $tw run span.lua 2>&1

echo "== results that go nowhere"
nowhere() { printf 'return pipeline "x" { etl.read { file = "s.etl"%s }, %s }\n' "$2" "$1" >x.lua; say $tw run x.lua 2>&1; }
nowhere 'count { by = { "provider" } }' ''
nowhere 'count { by = { "provider" } }, limit { 3, of = "counts" }' ''
nowhere 'count { by = { "provider" } }, top { "count" }' ''
nowhere 'tee { { count { by = { "provider" } } }, { null {} } }' ''
nowhere 'where "pid == 4", limit { 10 }' ''
nowhere 'null {}' ', tables = true'
nowhere 'etl.write { to = "w.etl" }' ''
nowhere 'where "pid == 4 and pid == 5", count { by = { "provider" } }' ''
nowhere 'tee { { etl.write { to = "w.etl" } }, { count { by = { "provider" } }, csv.write { to = "c.csv" } } }' ''
nowhere 'filter { need = { "pid" }, keep = function(pid) return pid == 4 end }' ''
