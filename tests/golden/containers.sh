# Archives and folders where a trace is wanted.
say() { "$@"; echo "-> $?"; }
plain() { sed 's|^.*/pipelines/||; s/^skipped  */skipped /; s/ bytes: .*/ bytes: …/'; }
zip() { luajit "$golden/zip.lua" "$@"; }
files() { say $tw info "$@" --json >out.txt 2>err.txt; grep -o '"file": "[^"]*"' out.txt; tail -n 1 out.txt; plain <err.txt; }
$tw sample --out a.etl --length 10ms --rate 500
$tw sample --out b.etl --length 10ms --rate 500 --seed 2

echo "== an archive: what fits is read as one trace"
echo "two traces" >readme.txt
zip inner.zip run/late.etl=b.etl
zip logs.zip run/B.ETL=b.etl readme.txt=readme.txt boot.etl=a.etl more.zip=inner.zip
files logs.zip
$tw events a.etl b.etl b.etl --fields time,pid,name --out files.csv
$tw events logs.zip --fields time,pid,name --out members.csv
cmp files.csv members.csv && echo same
files - <logs.zip
cat logs.zip | files -

echo "== one of its members"
files 'logs.zip!boot.etl'
files 'logs.zip!more.zip!RUN/late.etl'
$tw events 'logs.zip!boot.etl' --fields time,pid,name --out members.csv
$tw events a.etl --fields time,pid,name --out files.csv
cmp files.csv members.csv && echo same
files 'logs.zip!boot.elt'
files 'logs.zip!readme.txt'

echo "== gzip"
gzip -c a.etl >a.etl.gz
files a.etl.gz
$tw events a.etl.gz --fields time,pid,name --out members.csv
cmp files.csv members.csv && echo same
gzip -c a.etl | files -

echo "== a folder"
mkdir traces empty
cp a.etl traces/2.etl
cp logs.zip traces/1.etl.zip
cp readme.txt traces
gzip -c a.etl >traces/2.etl.gz # what is in it lies beside it
files traces
files empty
rm traces/*etl*
files traces

echo "== what is hostile or not whole costs no other"
zip odd.zip ../../up.etl=a.etl boot.etl=a.etl aux.etl=a.etl
files odd.zip
head -c 400000 logs.zip >cut.zip
files cut.zip
zip none.zip readme.txt=readme.txt
files none.zip

echo "== what is no trace costs no other"
mkdir some nothing
cp a.etl some
: >some/empty.etl
cp readme.txt some/text.etl
cp some/empty.etl some/text.etl nothing
files some
zip some.zip a.etl=a.etl empty.etl=some/empty.etl text.etl=readme.txt
files some.zip
$tw dump some --fields name --format csv --quiet 2>/dev/null | tail -n +2 >some.csv
$tw dump a.etl --fields name --format csv | tail -n +2 | cmp - some.csv && echo same
files nothing
files some/text.etl

echo "== names cannot turn the line in which they are told"
zip turned.zip "$(printf 'a\342\200\256b\342\201\246c')=readme.txt"
files turned.zip
