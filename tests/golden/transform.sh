# A table made in Lua, errors that are counted, and an emit that was kept for later.
$tw sample --out sample.etl --seed 7 --length 1s --rate 4000
cat > reads.lua <<'LUA'
return pipeline "reads" {
  args = { {"trace", file "an .etl file"} },
  etl.read  { file = args.trace },
  transform {
    on = "DiskIo/Read", need = { "time", "IssuingThreadId", "TransferSize", "Irp:hex" },
    makes = table "reads" { {"at", "time"}, {"tid", "tid"}, {"kib", "f64", "KiB read"}, {"irp", "address"}, {"large", "bool"} },
    each = function(emit, time, tid, size, irp)
      if size >= 64 * KiB then emit(time, tid, size / KiB, irp, size > 128 * KiB) end
    end,
  },
  csv.write {},
}
LUA
$tw run reads.lua sample.etl | head -n 4
$tw run reads.lua sample.etl | tail -n +2 | wc -l | tr -d ' '
$tw events sample.etl --where "name == 'DiskIo/Read' and TransferSize >= 64KiB" --fields cpu | tail -n +2 | wc -l | tr -d ' '
cat > counted.lua <<'LUA'
return pipeline "counted" {
  etl.read { file = "sample.etl" },
  filter   { on = "DiskIo/*", others = "drop", errors = "count", need = { "event", "TransferSize" },
             keep = function(event, size)
               return event == "Read" and size % 4096 == 0 or size.x
             end },
  count    { by = { "event" } },
  csv.write {},
}
LUA
$tw run counted.lua; echo "-> $?"
cat > kept.lua <<'LUA'
local kept
return pipeline "kept" {
  etl.read  { file = "sample.etl" },
  transform { on = "DiskIo/Read", makes = table "one" { {"n", "u32"} }, each = function(emit) kept = emit; emit(1) end },
  filter    { keep = function() if kept then
                kept(2) end end },
  null      {},
}
LUA
$tw run kept.lua; echo "-> $?"
cat > wrong.lua <<'LUA'
return pipeline "wrong" { etl.read { file = "sample.etl" },
  transform { makes = table "t" { {"n", "u23"} }, each = function(emit) end }, null {} }
LUA
$tw run wrong.lua; echo "-> $?"
