# Header columns of every event, fields where they are known; three formats.
$tw sample --out sample.etl --seed 7 --length 1s --rate 1000
$tw events sample.etl --where "provider == 'Process'" --fields time,name,id,version,pid,tid,cpu,bytes,ProcessId,ParentId,ImageFileName,CommandLine --limit 6
$tw events sample.etl --where "event in ('Read', 'Write') and TransferSize >= 16KiB" --fields name,DiskNumber,TransferSize,ByteOffset,HighResResponseTime --limit 3 --format ndjson
$tw events sample.etl --where "event == 'SampleProf'" --fields cpu,ThreadId,InstructionPointer,payload --limit 3 --format text
