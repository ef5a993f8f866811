# A pipeline of one's own: arguments, where, filter with a Lua function, fields, count, between.
cat > reads.lua <<'LUA'
return pipeline "reads" {
  help = "Large disk reads",
  args = { {"trace", file "an .etl file"}, {"least", number(4096), "bytes"} },
  etl.read { file = args.trace },
  between  { "100ms", "900ms" },
  where    "name == 'DiskIo/Read' and TransferSize >= args.least",
  filter   { on = "DiskIo/Read", need = { "ByteOffset", "TransferSize", "Irp:hex" },
             keep = function(offset, size, irp) return offset % 4096 == 0 and size % 4096 == 0 and irp:sub(1, 6) == "0xffff" end },
  fields   { "TransferSize", "tid=IssuingThreadId", as = "reads" },
  count    { by = { "event", "version" }, as = "totals" },
  csv.write { folder = "out" },
}
LUA
$tw sample --out sample.etl --seed 7 --length 1s --rate 4000
$tw run reads.lua sample.etl --least 64KiB
head -n 4 out/reads.csv
cat out/totals.csv
$tw events sample.etl --where "name == 'DiskIo/Read' and TransferSize >= 64KiB and time >= 100ms and time < 900ms" --fields cpu | tail -n +2 | wc -l | tr -d ' '
$tw help ./reads.lua 2>&1 | sed "s|$PWD|.|"
