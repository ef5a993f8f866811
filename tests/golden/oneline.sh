# A pipeline as words in quotes, and what is said of wrong ones.
$tw sample --out s.etl --seed 7 --length 1s --rate 4000
run() { $tw run "$@" 2>&1; echo "-> $?"; }
run "etl.read s.etl | where 'pid == 4' | fields time event | limit 2 of=fields | text.grid"
run "etl.read s.etl|where event == 'Read' and TransferSize >= 512KiB|fields size=TransferSize|limit 2 of=fields"
run "etl.read s.etl | count provider event | limit 3 of=counts"
run "etl.read s.etl | where pid == 4 | limit 1 | text.grid" | cut -c 1-100
run "etl.read s.etl | limit 1" | head -n 1
run "etl.read 's.etl' | limit 3 | thread size=4 | null"
run "etl.read s.etl tables=yes | text.grid of=trace_total"
run "etl.raed s.etl"
run "etl.read s.etl | wehre x"
run "etl.read s.etl | where pid = 4"
run "etl.read s.etl | where 'pid == '"
run "etl.read s.etl | limit x=2"
run "etl.read s.etl | limit 2x"
run "etl.read s.etl | limit"
run "etl.read s.etl | | null"
run "etl.read s.etl |"
run "limit 3 | null"
run "etl.read 's.etl | null"
run "etl.read s.etl | filter x"
run "etl.read s.etl | etl.read s.etl"
run "etl.read nothing.etl | null"
run "etl.read s.etl" x
$tw check "etl.read s.etl | limit 2"
