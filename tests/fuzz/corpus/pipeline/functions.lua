local limit_ = 4
return pipeline "f" { etl.read { file = "x", over = 5 * ms },
  filter { on = { "A/*", "B" }, need = { "pid", "Irp:hex" }, others = "drop", errors = "count",
           keep = function(pid, irp) return pid == limit_ and irp:find("^0x") end },
  transform { on = "A/B", need = { "pid" }, makes = table "t" { {"pid", "pid"}, {"x", "f64", "help"} },
              each = function(emit, pid) emit(pid, pid / 2) end },
  use "nothing" }
