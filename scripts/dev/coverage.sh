#!/bin/sh
# Writes docs/coverage.md from the real traces; needs their folder, beside the project or in TW_SHARED_ETL.
# usage: coverage.sh [BUILD]      the folder of the built program; default build
set -eu
cd "$(dirname "$0")/../.."
traces=${TW_SHARED_ETL:-../shared/etl}
if [ ! -d "$traces" ]; then
    echo "coverage.sh: no real traces at $traces; docs/coverage.md stays as it is"
    exit 0
fi
luajit scripts/dev/coverage.lua "${1:-build}/traceweir" "$traces" >docs/coverage.md.new
mv docs/coverage.md.new docs/coverage.md
