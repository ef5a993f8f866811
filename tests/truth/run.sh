#!/bin/sh
# What synth.kernel says of its traces, an independent reader must find in them, line by line: for several seeds, all
# builds, both sizes of pointers, all ways of telling stacks, small and large computers.
# usage: run.sh        $TW_TEST_BUILD is the build folder, $LUAJIT the program (luajit)
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${TW_TEST_BUILD:-$here/../../build}
tw=$(cd "$build" && pwd)/traceweir
luajit=${LUAJIT:-luajit}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >made.lua <<'LUA'
return pipeline "made" {
  args = { {"build", string "win10"}, {"pointer", string "8"}, {"seed", number(1)}, {"length", string "1s"}, {"rate", number(8000)},
           {"cpus", number(4)}, {"processes", number(20)}, {"stacks", string "auto"}, {"profile", string "small"} },
  synth.kernel { build = args.build, pointer = args.pointer, seed = args.seed, length = args.length, rate = args.rate,
                 cpus = args.cpus, processes = args.processes, stacks = args.stacks, profile = args.profile, truth = "t.ndjson" },
  etl.write { "t.etl" },
}
LUA
failed=0 passed=0
check() {
    if "$tw" run made.lua "$@" && "$luajit" "$here/reader.lua" t.etl t.ndjson >said.txt 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "truth $*"
        cat said.txt
    fi
}
for windows in 2000 xp vista win7 win8 win10 win11; do
    for pointer in 8 4; do
        for seed in 1 2 3; do check build=$windows pointer=$pointer seed=$seed; done
    done
done
check stacks=plain seed=4
check stacks=plain seed=5 pointer=4 build=win7
check stacks=none seed=6
check length=100ns
check length=10ms rate=100000
check length=20s rate=4000 processes=2 cpus=2 seed=7
check length=2s rate=60000 cpus=64 processes=3 seed=8
check length=2s rate=60000 cpus=1 processes=60 seed=9
check profile=server80 length=200ms rate=200000 cpus=80 processes=140 seed=10
check profile=server80 length=200ms rate=200000 cpus=80 processes=140 seed=11 stacks=keys pointer=4

# The reader must be able to find a fault: a line is missing; some bytes are others.
"$tw" run made.lua seed=12 && sed -i '$d' t.ndjson && "$luajit" "$here/reader.lua" t.etl t.ndjson >said.txt 2>&1 && {
    failed=$((failed + 1))
    echo "the reader did not miss a line"
}
"$tw" run made.lua seed=12 && head -c 64 /dev/zero | dd of=t.etl bs=1 seek=200000 conv=notrunc 2>dd.txt
"$luajit" "$here/reader.lua" t.etl t.ndjson >said.txt 2>&1 && {
    failed=$((failed + 1))
    echo "the reader did not see changed bytes"
}
echo "truth: $passed passed, $failed failed"
[ $failed -eq 0 ]
