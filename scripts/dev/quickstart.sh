#!/bin/sh
# From a fresh Debian to a running pipeline: installs what is missing, builds, makes a sample trace and looks into it.
# Can be run again at any time.
set -eu
cd "$(dirname "$0")/../.."

step() { printf '\n== %s\n' "$1"; }

step "Packages"
sh scripts/dev/packages.sh build
echo "all there"

step "Build (build/traceweir, build/plugins/)"
cmake -S . -B build -G Ninja -DTRACEWEIR_TESTS=OFF -DTRACEWEIR_BENCH=OFF >build.log 2>&1 || { cat build.log >&2; exit 1; }
cmake --build build >>build.log 2>&1 || { tail -n 40 build.log >&2; exit 1; }
mv build.log build/build.log
tw=build/traceweir
$tw version

out=build/quickstart
mkdir -p $out
step "A sample trace: synth.kernel writes $out/sample.etl"
$tw sample --out $out/sample.etl --length 10s
ls -lh $out/sample.etl | awk '{ print $9 ": " $5 }'

step "traceweir info $out/sample.etl --top 5"
$tw info $out/sample.etl --top 5

step "traceweir summary $out/sample.etl"
$tw summary $out/sample.etl

columns=time,name,IssuingThreadId,TransferSize,HighResResponseTime
step "traceweir events $out/sample.etl --where \"event == 'Read' and HighResResponseTime > 10ms\" --fields $columns --limit 5 --format text"
$tw events $out/sample.etl --where "event == 'Read' and HighResResponseTime > 10ms" --fields $columns --limit 5 --format text

step "Every event as a compressed table: $out/events.csv.zst"
$tw events $out/sample.etl --out $out/events.csv.zst
ls -lh $out/events.csv.zst | awk '{ print $9 ": " $5 }'

cat <<TXT

== Done. What to try next
  $tw info YOUR.etl                 what a trace holds, and what was lost
  $tw info YOUR.etl --json          the same for a program
  $tw dump YOUR.etl --limit 20      events to read, with all their fields
  $tw events YOUR.etl --out a.csv   every event as a row, payload decoded where it is known
  $tw                               all commands
  ./scripts/dev/test.sh                         the tests
  docs/pipeline-guide.md                        your own pipeline or filter, in Lua
  docs/plugin-guide.md                          your own plugin, in ten lines of C
TXT
