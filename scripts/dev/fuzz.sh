#!/bin/sh
# Runs every fuzz target of a build folder for some seconds each, side by side on all cores.
# usage: fuzz.sh BUILD SECONDS [TARGET]
set -eu
build=$1 seconds=$2 only=${3:-}
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {
    name=$1
    seeds="$source/tests/fuzz/corpus/${name#fuzz_}"
    mkdir -p "$work/$name"
    [ -d "$seeds" ] || seeds=""
    if "$build/tests/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
            -artifact_prefix="$work/$name-" "$work/$name" $seeds >"$work/$name.log" 2>&1; then
        printf '%s: %s inputs, no fault\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")"
    else
        tail -n 40 "$work/$name.log"
        for input in "$work/$name"-*; do [ -f "$input" ] && echo "the input, in base64:" && base64 "$input"; done
        echo "$name: FAULT"
        return 1
    fi
}

failed=0
set --
for target in "$source"/tests/fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    [ -z "$only" ] || [ "$only" = "$name" ] || continue
    set -- "$@" "$name"
done
while [ $# -gt 0 ]; do
    first=$1 second=${2:-}
    shift; [ $# -eq 0 ] || shift
    run "$first" & one=$!
    two=""
    [ -z "$second" ] || { run "$second" & two=$!; }
    wait "$one" || failed=1
    [ -z "$two" ] || wait "$two" || failed=1
done
exit $failed
