# What help says of the pipelines that ship can be typed as it stands.
$tw sample boot.etl --length 200ms
example() { $tw help "$1" | sed -n '/^example/{n;s/^ *traceweir//p;}'; }
for name in coverage dump events info sample schema summary; do
    example $name
    eval "$tw $(example $name | sed 's/length 60s/length 200ms/')" >out.txt 2>err.txt
    echo "-> $? $([ -s err.txt ] && cat err.txt)"
done
cat > own.lua <<'LUA'
return pipeline "own" {
  help = "One that has no example of its own",
  args = { {"trace", file "an .etl file"}, {"out", string { optional = true }}, {"to", string { "-", help = "where to" }} },
  etl.read { file = args.trace }, count { "event" }, csv.write { to = args.to },
}
LUA
$tw help ./own.lua
$tw help filter | grep -c key || true
