# Wrong use: each answer names the place and the next step, and the exit status is 2.
say() { "$@"; echo "-> $?"; }
say $tw inof x.etl 2>&1
say $tw info 2>&1
say $tw info x.etl --jsn 2>&1
$tw sample --out s.etl --length 100ms
say $tw events s.etl --where "pid = 4" 2>&1 | sed 's|^.*/pipelines/||'
say $tw events s.etl --where "TransferSiz > 4" --limit 1 2>&1 | tail -n 2 | sed 's|^.*/pipelines/||'
say $tw events s.etl --where "pid == 'x'" 2>&1 | sed 's|^.*/pipelines/||'
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
say $tw events nothing.etl 2>&1 | sed 's|^.*/pipelines/||'
printf 'just text, no trace\n' > text.etl
say $tw events text.etl 2>&1 | tail -n 2
