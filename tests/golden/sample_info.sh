# The main job: a sample trace is made, and info says what it holds.
$tw sample --out sample.etl --seed 7 --length 2s --rate 2000
$tw info sample.etl --top 0
$tw info sample.etl --full --top 1 | sed -n '/^trace_header/,/^providers/p'
$tw info sample.etl --json
