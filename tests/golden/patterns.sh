# Regular expressions, and samples of events.
$tw sample --out s.etl --seed 7 --length 1s --rate 4000
$tw events s.etl --where "ImageFileName matches '(?i)^.{6}ER[.]EXE$'" --fields ImageFileName | tail -n +2 | sort -u
echo "-- every event that another way finds"
$tw events s.etl --where "name matches 'Thread/(C|D)'" --fields name | tail -n +2 | sort | uniq -c | sed 's/^ *//'
$tw events s.etl --where "name starts 'Thread/C' or name starts 'Thread/D'" --fields name | tail -n +2 | sort | uniq -c | sed 's/^ *//'
for mistake in "event matches '(Read'" "event matches 'it''s [x'" "pid matches '4'" "event matches 4" "event =~ 'R'"; do
    $tw events s.etl --where "$mistake" 2>&1
done
echo "-- a pattern that takes too long"
$tw events s.etl --where "provider == 'Process' and payload matches '^(.|..)+[#~]'" --fields name --limit 1 2>&1
echo "-> $?"
echo "-- sample"
cat > share.lua <<'LUA'
return pipeline "share" { args = { {"part", string "0%"}, {"every", number(0)} }, etl.read { file = "s.etl" },
  sample { part = args.part, every = args.every }, count { by = { "provider" } }, csv.write {} }
LUA
all=$($tw events s.etl --fields name | tail -n +2 | wc -l)
tenth=$($tw run share.lua part= every=10 | awk -F, 'NR > 1 { n += $2 } END { print n }')
[ "$tenth" = $(((all + 9) / 10)) ] && echo "every tenth: as many as there should be"
cat > threads.lua <<'LUA'
return pipeline "threads" { etl.read { file = "s.etl" }, fields { "all=tid", as = "all" }, sample { part = "30%", by = "tid" },
  fields { "tid", as = "some" }, csv.write { folder = "out" } }
LUA
$tw run threads.lua
sort -u out/some.csv | grep -v tid | while read -r tid; do grep -cx "$tid" out/all.csv; done >n1.txt
sort -u out/some.csv | grep -v tid | while read -r tid; do grep -cx "$tid" out/some.csv; done >n2.txt
cmp n1.txt n2.txt && [ -s n1.txt ] && echo "a thread that is chosen has all its events"
$tw help sample | grep '(stage)' # it is a command, too
