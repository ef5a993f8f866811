# A server answers lines of standard input; scripts run for it, and wrong use of pipelines is said before anything starts.
plugins=$(dirname "$tw")/tests/plugins
cat > server.lua <<'LUA'
return pipeline "server" {
  help = "Say back what comes in",
  args = { { "wall", span { "0s", help = "how long a child may run" } } },
  echo_server.run { wall = args.wall },
}
LUA
printf '%s\n' \
    'hello' \
    'describe server' \
    'describe sevrer' \
    'start sample {"length":"1s"}' \
    'start sample {"out":"x.etl","length":"soon"}' \
    'start sample {"out":"x.etl","lenght":"1s"}' \
    'start sample {"out":"x.etl","seed":"one"}' \
    'start /etc/passwd' \
    'script mean return { mean = function(t) local s = 0; for _, x in ipairs(t) do s = s + x end; return s / #t end }' \
    'script-call 1 mean [1,2,3,4]' \
    'script-call 1 mean {"a":1}' \
    'script-call 1 mena [1]' \
    'script-call 1 mean [9007199254740993]' \
    'script bad return { f = io.open }' \
    'script loop return { f = function() while true do end end }' \
    'script-call 2 f' \
    | $tw --plugins "$plugins" --pipelines . server wall=2s
echo "-> $?"
echo '{"do":"something"}' | $tw script-host
