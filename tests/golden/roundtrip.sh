# What etl.write wrote, etl.read gives back: the same rows from the trace, from its copy, from a compressed copy and through a pipe.
cat > copy.lua <<'LUA'
return pipeline "copy" { args = { {"trace", file ""}, {"to", string "-"} }, etl.read { file = args.trace }, etl.write { to = args.to } }
LUA
$tw sample --out s.etl --seed 3 --length 1s --rate 5000
$tw run copy.lua s.etl to=copy.etl
$tw run copy.lua s.etl to=copy.etl.zst
$tw run copy.lua s.etl | cat > piped.etl
columns=time,ticks,name,version,pid,tid,cpu,raw
$tw events s.etl --where "provider != 'EventTrace'" --fields $columns > s.csv
wc -l < s.csv | tr -d ' '
for copy in copy.etl copy.etl.zst piped.etl; do
    $tw events $copy --where "provider != 'EventTrace'" --fields $columns | cmp - s.csv && echo "$copy: equal"
done
cat s.etl | $tw events - --where "provider != 'EventTrace'" --fields $columns | cmp - s.csv && echo "standard input: equal"

# A filter drops the header event, yet the new header says what the source's did. A file with no event is a trace, too: it says what
# its source did where the filter lets those events through that describe others, the header event among them.
cat > part.lua <<'LUA'
return pipeline "part" { args = { {"trace", file ""}, {"to", string ""}, {"provider", string ""}, {"logger", string ""} },
  etl.read { file = args.trace }, where "provider == args.provider", etl.write { to = args.to, logger = args.logger } }
LUA
sed 's/where "provider == args.provider"/where { "provider == args.provider", describe = true }/' part.lua > described.lua
$tw run part.lua s.etl to=named.etl provider=DiskIo logger=Mine
$tw run part.lua named.etl to=part.etl provider=DiskIo
$tw run described.lua named.etl to=none.etl provider=Nobody
for trace in s.etl named.etl part.etl none.etl; do
    $tw info $trace --full | grep -E '^  (file|processors|buffers_written|hz|start|logger|events) .*[^s]$'
done
