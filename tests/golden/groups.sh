# Rows of a table gathered, and the top ones of it; both against what other means count.
cat > io.lua <<'LUA'
return pipeline "io" {
  args = { {"trace", file ""} },
  etl.read { file = args.trace },
  where    "name matches '^DiskIo/(Read|Write)$'",
  fields   { "event", "disk=DiskNumber", "bytes=TransferSize", "took=HighResResponseTime", as = "io" },
  csv.write { "io.csv" },
  group    { "event", "disk", of = "io", sum = { "bytes" }, max = { "took" }, min = { "least=bytes" }, mean = { "took" },
             as = "by_disk" },
  group    { of = "io", sum = { "total=bytes" }, as = "all" },
  top      { "bytes", n = 4, of = "io", as = "largest" },
  csv.write { folder = "out" },
}
LUA
$tw sample --out s.etl --seed 7 --length 1s --rate 4000
$tw run io.lua s.etl
for table in by_disk all largest; do echo "-- $table"; cat out/$table.csv; done
ls out
echo "-- by other means"
awk -F, 'NR > 1 { k = $1 "," $2; n[k]++; sum[k] += $3; if ($4 > most[k]) most[k] = $4; if (!(k in least) || $3 < least[k]) least[k] = $3 }
         END { for (k in n) print k "," n[k] "," sum[k] "," most[k] "," least[k] }' io.csv | sort -t, -k3,3nr
tail -n +2 io.csv | sort -s -t, -k3,3nr | head -n 4
for mistake in 'group { "evnt" }' 'group { sum = { "event" } }' 'top { "bytes", n = 0 }' 'top { "byte" }'; do
    printf 'return pipeline "m" { etl.read { file = "s.etl" }, fields { "event", "bytes", as = "io" }, %s, null {} }\n' "$mistake" > m.lua
    $tw run m.lua 2>&1; echo "-> $?"
done
