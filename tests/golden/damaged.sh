# A trace cut in the middle, and one with a buffer header destroyed: what is whole is read, what was skipped is counted, and the
# exit status is 3.
$tw sample --out s.etl --seed 7 --length 2s --rate 8000
head -c 200000 s.etl > cut.etl
$tw events cut.etl --fields name | tail -n +2 | wc -l | tr -d ' '
$tw info cut.etl --json | sed -n '/"skipped"/,/]/p; /"buffers":/p' | tr -d ' '
cp s.etl torn.etl
printf '\377\377\377\377' | dd of=torn.etl bs=1 seek=131072 conv=notrunc 2>dd.txt
$tw events torn.etl --fields name --out torn.csv
echo "-> $?"
$tw info torn.etl | sed -n '/^trace_skipped/,$p'
