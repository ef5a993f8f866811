# What Wine shows no program for Windows: links, a folder for scratch files that is not there, names with a bar.
say() { "$@"; echo "-> $?"; }
$tw sample --out s.etl --length 100ms
# The file that a link leads to is replaced, with its permissions; the link stays.
echo old >target.csv
chmod 640 target.csv
ln -s target.csv link.csv
say $tw events s.etl --fields name --limit 2 --out link.csv
ls -l target.csv | cut -c 1-10
ls -l link.csv | cut -c 1
cat target.csv

$tw sample --out s.etl.zst --length 1s --rate 8000 2>log.txt
TMPDIR=none $tw events s.etl.zst --fields name --out names.csv 2>&1 | sed 's|^.*/pipelines/||'

cp s.etl 'a|b.lua'
$tw run 'a|b.lua' 2>&1 | cut -c 1-40
