#!/bin/sh
# Builds the examples of the guide outside the tree with nothing but the public header, drops them into a folder, and uses
# them: what the guide says must work as it stands.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=${TW_TEST_SOURCE:-$here/../..}
build=${TW_TEST_BUILD:-$source/build}
tw=$build/traceweir
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "examples: $1" >&2; exit 1; }

mkdir "$work/include" "$work/plugins"
cp "$source/core/include/tw_plugin.h" "$work/include/"
cp "$source"/docs/examples/*.c "$source"/docs/examples/*.lua "$work/"
cd "$work"
for example in *.c; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -shared -fPIC -fvisibility=hidden -Iinclude \
        -o "plugins/${example%.c}${TW_LIBRARY_SUFFIX:-.so}" "$example" || fail "$example does not build"
done

"$tw" sample --out sample.etl --length 3s --rate 5000 2>/dev/null || fail "no sample trace"
"$tw" --plugins "$work/plugins" plugins >list.txt || fail "the plugins are not listed"
for example in *.c; do
    grep -q "${example%.c}" list.txt || fail "${example%.c} is not in the list of plugins"
done
for pipeline in *.lua; do
    "$tw" --plugins "$work/plugins" run "$pipeline" sample.etl >"${pipeline%.lua}.out" 2>"${pipeline%.lua}.err" \
        || { cat "${pipeline%.lua}.err" >&2; fail "$pipeline failed"; }
    [ -s "${pipeline%.lua}.out" ] || fail "$pipeline printed nothing"
done

# The slow-disk filter against the same question asked in another way.
slow=$("$tw" --plugins "$work/plugins" run slow_disk.lua sample.etl over=2ms 2>/dev/null | tail -n +2 | wc -l)
want=$("$tw" events sample.etl --where "name == 'DiskIo/Read' and HighResResponseTime > 2ms" --fields time 2>/dev/null | tail -n +2 | wc -l)
[ "$slow" -eq "$want" ] && [ "$slow" -gt 0 ] || fail "slow_disk kept $slow reads, where keeps $want"
# The table of by_cpu against `count`.
"$tw" --plugins "$work/plugins" run by_cpu.lua sample.etl | cut -d , -f 1,2 >cpus.csv
"$tw" run "etl.read sample.etl | count cpu sort=key | csv.write" | cut -d , -f 1,2 | sed 's/,count$/,events/' >want.csv
cmp cpus.csv want.csv || fail "by_cpu and count do not agree"
echo "examples: $(ls ./*.c | wc -l) plugins built with the header alone and used"
