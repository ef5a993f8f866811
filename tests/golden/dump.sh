# Events to read: lines, JSON, a table of some; a stretch of time, a condition; what is wrong with a call.
$tw sample --out sample.etl --seed 7 --length 1s --rate 1000
echo "-- lines"
$tw dump sample.etl --where "provider == 'Process'" --limit 3
$tw dump sample.etl --where "name == 'PerfInfo/SampleProf'" --from 0.5s --to 1s --limit 2
$tw dump sample.etl --from 2s
echo "-- JSON"
$tw dump sample.etl --where "event in ('Read', 'DCStart') and exists(TransferSize)" --limit 2 --format ndjson
$tw dump sample.etl --where "event == 'CollectionStart'" --keywords --activity --stacks --format ndjson
$tw dump sample.etl --where "provider == 'Image'" --limit 1 --format ndjson --fields time,FileName,ImageSize,SignatureLevel
echo "-- tables"
$tw dump sample.etl --limit 2 --where "provider == 'DiskIo'" --format csv
$tw dump sample.etl --limit 2 --where "provider == 'DiskIo'" --fields "event, TransferSize, left, cut, why, level_name, task_name"
$tw dump sample.etl --limit 2 --out few.txt; wc -l <few.txt
echo "-- all of it"
$tw dump sample.etl --format ndjson | wc -l
$tw dump sample.etl --format ndjson | grep -c '"fields":{"InstructionPointer":"0x'
echo "-- mistakes"
$tw dump sample.etl --format xml || echo "$?"
$tw dump sample.etl --where "TransferSiz > 1" --limit 1 || echo "$?"
$tw dump nothing.etl || echo "$?"
$tw dump sample.etl --stacks --format csv || echo "$?"
$tw dump sample.etl --limit 1 --fields 'cpu, `no such`, x=`nor, this`' --format csv
$tw events sample.etl --limit 1 --fields 'cpu,`no such`'
