#!/bin/sh
# Golden pairs: NAME.sh is run, and what it prints (stdout, then stderr after a line "-- stderr", then the exit status) must
# equal NAME.expected. In NAME.sh `$tw` is the program and the working folder is an empty one of its own.
# usage: run.sh [--update] [NAME …]        --update rewrites the expected files: read the diff before you believe it
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${TW_TEST_BUILD:-$here/../../build}
tw=$(cd "$build" && pwd)/traceweir
golden=$here
export tw golden
update=0
[ "${1:-}" = --update ] && { update=1; shift; }
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.sh | grep -v '/run.sh$' | sed 's|^\./||; s|\.sh$||')

passed=0 failed=0
for name in "$@"; do
    case " ${TW_GOLDEN_SKIP:-} " in *" $name "*) echo "golden/$name: skipped on this system"; continue ;; esac
    work=$(mktemp -d)
    (cd "$work" && sh -u "$here/$name.sh" >stdout.txt 2>stderr.txt; echo "-- exit $?" >status.txt)
    { cat "$work/stdout.txt"
      [ -s "$work/stderr.txt" ] && { echo "-- stderr"; cat "$work/stderr.txt"; }
      cat "$work/status.txt"; } >"$work/got.txt"
    if [ $update -eq 1 ]; then
        cp "$work/got.txt" "$here/$name.expected"
    fi
    if diff -u "$here/$name.expected" "$work/got.txt" >"$work/diff.txt" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "golden/$name differs:"
        head -n 60 "$work/diff.txt"
    fi
    rm -rf "$work"
done
echo "golden: $passed passed, $failed failed"
[ $failed -eq 0 ]
