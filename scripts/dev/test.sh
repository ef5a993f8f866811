#!/bin/sh
# Builds and runs the tests (the fast lane, a few minutes). Can be run again at any time.
# usage: test.sh [ctest options]      such as: test.sh -R csv --output-on-failure
set -eu
cd "$(dirname "$0")/../.."

echo "== Packages"
sh scripts/dev/packages.sh test
echo "== Build (build/)"
cmake -S . -B build -G Ninja -DTRACEWEIR_TESTS=ON -DTRACEWEIR_BENCH=ON >/dev/null
cmake --build build
echo "== Tests"
[ -d ../shared/etl ] || echo "note: the folder of real traces (../shared/etl) is not there: the tests that need it are skipped"
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
