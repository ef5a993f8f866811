# Every line of README.md's recipes can be typed as it stands.
readme=$golden/../../README.md
mkdir manifests symbols
cat >manifests/disk.man <<'MAN'
<m><provider name="Disk-Cache" guid="{11223344-5566-7788-99aa-bbccddeeff00}"><events><event value="7"/></events></provider></m>
MAN
printf '%s\n' '9b93a332-c452-3e71-64f7-55130c7de2e4 gadget' '#typev driver_c91 11 "on"' '{' '}' >symbols/gadget.tmf
$tw sample --out other.etl --length 10ms
luajit "$golden/zip.lua" logs.zip run/boot.etl=other.etl
awk '/^## Recipes/ { in_section = 1 } /^```/ { on = in_section && !on; if (!on) in_section = 0; next } on' "$readme" |
    grep '^traceweir ' >lines.txt
wc -l <lines.txt | tr -d ' '
while IFS= read -r line; do
    eval "\$tw ${line#traceweir }" >out.txt 2>err.txt
    status=$?
    [ $status -eq 0 ] && [ ! -s err.txt ] || { echo "$status $line"; cat err.txt; }
done <lines.txt
ls boot.csv reads.json.zst
echo "-- help expressions: each line is a whole one"
$tw help expressions | sed -n 's/^  \([^ ].*[^ ]\)   *[^ ].*$/\1/p' | sed 's/  .*//' >expressions.txt
wc -l <expressions.txt | tr -d ' '
while IFS= read -r line; do
    $tw events boot.etl --where "$line" --fields cpu >out.txt 2>err.txt || { echo "$? $line"; cat err.txt; }
done <expressions.txt
echo "-- help columns: each is one"
$tw help columns | sed -n 's/^  \([a-z]\)/\1/p' | sed 's/  .*//' | tr ' ' '\n' >columns.txt
wc -l <columns.txt | tr -d ' '
$tw events boot.etl --limit 1 --fields "$(paste -sd, columns.txt)" | head -n 1
