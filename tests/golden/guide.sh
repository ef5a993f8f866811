# What docs/pipeline-guide.md shows works as it stands: its first two pipelines, the stages of the table, all expressions.
guide=$golden/../../docs/pipeline-guide.md
$tw sample --out s.etl --seed 7 --length 2s --rate 4000
lua() { awk -v first="-- $1" '/^```/ { on = 0 } on { print } $0 == first { on = 1 }' "$guide" >"$1"; }
lua reads.lua
$tw run reads.lua s.etl least=1MiB | head -n 3
lua busiest.lua
$tw run busiest.lua s.etl | cut -c 1-100
echo "-- stages"
cell() { sed -n "/^## $1/,/^## /s/^| \(.*\) |\$/\1/p" "$guide"; }
cell "Stages of the host" | grep -E '^`(where|between|limit|sample|drop|fields|count|group|top|null)`' >stages.txt
while IFS= read -r line; do
    example=$(printf '%s\n' "$line" | sed 's/.*| `\(.*\)`$/\1/')
    printf 'return pipeline "x" { etl.read { file = "s.etl" }, %s %s, null {} }\n' \
        "$(printf '%s\n' "$example" | grep -qE '^(group|top)' && echo 'fields { "event", "size=TransferSize", as = "rows" },')" "$example" >x.lua
    $tw run x.lua >out.txt 2>&1 && [ ! -s out.txt ] || { echo "$example"; cat out.txt; }
done <stages.txt
wc -l <stages.txt | tr -d ' '
echo "-- the filter"
{ echo 'return pipeline "f" { etl.read { file = "s.etl" }, '
  awk '/^## / { in_section = /^## A filter in Lua/ } /^```/ { on = in_section && !on; next } on { print }' "$guide"
  echo ', fields { "TransferSize", on = "DiskIo/Read" }, csv.write {} }'; } >f.lua
$tw run f.lua | awk 'NR > 1 { n++; if ($1 < 65536) wrong++ } END { print n, wrong + 0 }'
$tw events s.etl --where "name == 'DiskIo/Read' and TransferSize >= 64KiB and ByteOffset % 4096 == 0" --fields cpu | tail -n +2 | wc -l | tr -d ' '
echo "-- expressions, and how many events fit"
cell "Expressions" | sed -n 's/^`\([^`]*\)` | .*/\1/p' >expressions.txt
while IFS= read -r example; do
    $tw events s.etl --where "$example" --fields cpu >out.txt 2>err.txt && [ ! -s err.txt ] || cat err.txt
    echo "$(tail -n +2 out.txt | wc -l | tr -d ' ') $example"
done <expressions.txt
