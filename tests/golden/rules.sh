# The checker of rules: a stage that lets events step back in time is caught, where somebody watches.
plugins=$(dirname "$tw")/tests/refuse
$tw sample --out s.etl --seed 7 --length 100ms
cat > back.lua <<'LUA'
return pipeline "back" { etl.read { file = "s.etl" }, step_back.swap {}, null {} }
LUA
say() { echo "-> $*"; }
TRACEWEIR_CHECK= $tw --plugins "$plugins" run back.lua; say "$? unchecked"
TRACEWEIR_CHECK= $tw --plugins "$plugins" --check-rules run back.lua 2>&1; say "$? with the option"
TRACEWEIR_CHECK=1 $tw --plugins "$plugins" run back.lua 2>&1; say "$? with the variable"
$tw --check-rules events s.etl --fields time,name --limit 2; say "$? good stages"
