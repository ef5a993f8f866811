#!/bin/sh
# Unpacks what package.sh made, each into a fresh folder, and uses it: a summary, a table, a filter in Lua, and a plugin that
# was built from the unpacked header alone and dropped in. All of them, on both systems, must say the same, byte for byte.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
packages=$PWD/build/packages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TRACEWEIR_PLUGINS TRACEWEIR_PIPELINES
export XDG_DATA_HOME="$work/nowhere" WINEPREFIX="${WINEPREFIX:-$PWD/build/packages-wine}" WINEDEBUG=-all \
    WINEDLLOVERRIDES=mscoree,mshtml,winedbg.exe=

fail() { echo "test_packages: $1" >&2; exit 1; }

cat >"$work/reads.lua" <<'LUA'
return pipeline "reads" { args = { {"trace", file "an .etl file"} }, etl.read { file = args.trace },
  filter { on = "DiskIo/Read", others = "drop", need = { "TransferSize" }, keep = function(size) return size >= 16384 end },
  fields { "time", "tid=IssuingThreadId", "TransferSize" }, csv.write {} }
LUA

# use NAME PLUGINS SUFFIX COMPILER INCLUDE PROGRAM…: leaves what was said in $work/NAME
use() {
    name=$1 plugins=$2 suffix=$3 compiler=$4 include=$5
    shift 5
    mkdir -p "$work/$name"
    cd "$work/$name"
    $compiler -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -shared -fPIC -fvisibility=hidden -I"$include" \
        -o "$plugins/first_sink$suffix" "$source/docs/examples/first_sink.c" || fail "$name: the plugin does not build"
    cp "$work/reads.lua" .
    {
        "$@" version
        "$@" sample --out "spur ä.etl" --length 2s --seed 7
        "$@" info "spur ä.etl"
        "$@" info "spur ä.etl" --json
        "$@" events "spur ä.etl" --limit 2000
        "$@" events "spur ä.etl" --format ndjson --where "event == 'Read'"
        "$@" dump "spur ä.etl" --limit 500
        "$@" run reads.lua "spur ä.etl"
        "$@" events "spur ä.etl" --out table.csv.zst
        "$@" run "etl.read 'spur ä.etl' | first_sink.tally | count name | csv.write"
        "$@" run "etl.read 'spur ä.etl' | first_sink.tally | null" --verbose 2>&1 | grep -o 'first_sink.*bytes.*' | tr -s ' '
    } >said.txt 2>errors.txt || { tail -n 5 said.txt errors.txt >&2; fail "$name failed"; }
    [ ! -s errors.txt ] || { cat errors.txt >&2; fail "$name complains"; }
    cd "$source"
    echo "$name: $(wc -l <"$work/$name/said.txt") lines, $(wc -c <"$work/$name/said.txt") bytes"
}

mkdir "$work/unpacked" "$work/system"
for file in "$packages"/*.tar.gz; do tar -C "$work/unpacked" -xf "$file"; done
tar=$(echo "$work"/unpacked/traceweir-*-linux-x64)
use tarball "$tar/lib/traceweir/plugins" .so cc "$tar/include" "$tar/bin/traceweir"

dpkg-deb -x "$packages"/*.deb "$work/system"
usr=$work/system/usr
# What pkg-config says is where the program looks.
pc=$(find "$usr" -name traceweir.pc)
[ "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --variable=plugindir traceweir)" = /usr/lib/traceweir/plugins ] || fail "traceweir.pc has another folder"
use deb "$usr/lib/traceweir/plugins" .so cc "$usr/include" "$usr/bin/traceweir"

for file in "$packages"/*.zip; do (cd "$work/unpacked" && unzip -q "$file"); done
zip=$(echo "$work"/unpacked/traceweir-*-windows-x64)
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
"$wine" wineboot -i >/dev/null 2>&1
use zip "$zip/plugins" .dll x86_64-w64-mingw32-gcc-win32 "$zip/include" "$wine" "$zip/traceweir.exe"

for other in deb zip; do
    for file in said.txt "spur ä.etl" table.csv.zst; do
        cmp "$work/tarball/$file" "$work/$other/$file" || fail "$other differs from tarball in $file"
    done
done
echo "packages: all three say the same"
