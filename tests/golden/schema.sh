# What events are made of: an overview, one type as a struct, all of a provider, JSON; how well they are decoded.
$tw sample --out sample.etl --seed 7 --length 1s --rate 1000
$tw schema sample.etl
echo "-- one"
$tw schema sample.etl DiskIo/Read
echo "-- one provider"
$tw schema sample.etl DiskIo
echo "-- some, as JSON"
$tw schema sample.etl 'DiskIo/*Init' --json
echo "-- as people call them"
for name in readinit /ReadInit Diskio/12 3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c; do $tw schema sample.etl $name | head -n 2; done
echo "-- mistakes"
$tw schema sample.etl DiskIo/Raed; echo "$?"
$tw schema || echo "$?"
$tw schema DiskIo/Read || echo "$?"
$tw schema other.etl DiskIo/Read || echo "$?"
echo "-- known without a trace"
$tw schema --known DiskIo/ReadInit | grep -c ' Irp '
$tw schema --known Nobody/Nothing
echo "-- coverage"
$tw coverage sample.etl
$tw coverage sample.etl --format ndjson | head -n 1
