# A made trace and what is true of it, by its maker; the same sums by other means.
$tw sample --out s.etl --seed 7 --length 1s --rate 4000 --truth t.ndjson
head -n 1 t.ndjson
sed 's/{"what":"\([a-z_]*\)".*/\1/' t.ndjson | sort | uniq -c | sed 's/^ *//'
grep '"what":"cpu"' t.ndjson
grep '"what":"thread"' t.ndjson | head -n 2
grep '"what":"file"' t.ndjson | head -n 1
sum() { grep "\"what\":\"$1\"" t.ndjson | sed "s/.*\"$2\":\([0-9]*\).*/\1/" | awk '{ n += $1 } END { print n }'; }
rows() { $tw events s.etl --where "$1" --fields "$2" | tail -n +2; }
echo "-- samples: truth by processor, by thread and idle; the trace"
echo "$(sum cpu samples) $(sum thread samples) $(rows "name == 'PerfInfo/SampleProf'" cpu | wc -l) $(rows "name == 'PerfInfo/SampleProf' and ThreadId == 0" cpu | wc -l)"
echo "-- bytes read from disks"
echo "$(sum file disk_read_bytes) $(rows "name == 'DiskIo/Read'" TransferSize | awk '{ n += $1 } END { print n }')"
echo "-- bytes sent and received over connections"
echo "$(sum connection sent) $(rows "event in ('SendIPV4', 'SendIPV6') and provider == 'TcpIp'" size | awk '{ n += $1 } END { print n }')"
echo "$(sum connection received) $(rows "event in ('RecvIPV4', 'RecvIPV6') and provider == 'TcpIp'" size | awk '{ n += $1 } END { print n }')"
echo "-- events"
echo "$(sum end events) $(rows "event != 'Header'" cpu | wc -l)"
echo "-- other Windows, other pointers: the same computer"
for build in 2000 xp vista win7 win8 win10 win11; do
    $tw sample --out b.etl --seed 7 --length 1s --rate 4000 --build $build --pointer 4
    $tw events b.etl --where "event == 'DCStart' and provider == 'Process'" --fields version,ImageFileName,bytes --limit 3 | tail -n 1
done
$tw sample --out b.etl --build win9 || echo "$?"
