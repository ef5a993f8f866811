# A field that no event has is no mistake of `group`: the sum has no value, and the name is said.
$tw sample --out s.etl --seed 7 --length 100ms --rate 1000
$tw run "etl.read s.etl | fields event bytes=TransferSiz as=io | group event of=io sum=bytes as=sums | top count n=2 of=sums | csv.write of=sums"
