#!/bin/sh
# Runs the benchmarks and prints their numbers; docs/performance.md holds a copy with the machine.
# usage: bench.sh [TRACE.etl]      without a trace a large one is made
set -eu
cd "$(dirname "$0")/../.."
sh scripts/dev/packages.sh build
cmake -S . -B build -G Ninja -DTRACEWEIR_BENCH=ON >/dev/null
cmake --build build >/dev/null

trace=${1:-build/bench.etl}
if [ ! -f "$trace" ]; then
    echo "making $trace"
    build/traceweir sample --out "$trace" --length 100s --rate 100000 --cpus 8
fi
sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
for bench in build/tests/bench/bench_*; do
    [ -x "$bench" ] && [ -f "$bench" ] || continue
    echo "-- $(basename "$bench")"
    "$bench" "$trace"
done
