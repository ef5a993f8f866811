#!/bin/sh
# Installs what the build and the tests need, from Debian's packages; quiet where all is there already.
# usage: packages.sh build|test|full|windows
set -eu
build="gcc libc6-dev cmake ninja-build pkg-config libzstd-dev zlib1g-dev libarchive-dev libexpat1-dev libpcre2-dev libjansson-dev libluajit-5.1-dev luajit"
test="$build check zstd"
full="$test clang clang-format clang-tidy libclang-rt-14-dev g++ libevtx-utils"
windows="$test gcc-mingw-w64-x86-64-win32 wine64 dpkg-dev make zip unzip"

case "${1:-build}" in
build) wanted=$build ;;
test) wanted=$test ;;
full) wanted=$full ;;
windows) wanted=$windows ;;
*) echo "packages.sh: say build, test, full or windows, not '$1'" >&2; exit 2 ;;
esac

missing=""
for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "These packages are missing:$missing" >&2
        echo "Install them as root (apt-get install$missing), then run this again." >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
log=$(mktemp)
if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "apt-get could not install:$missing (log: $log)" >&2
    exit 1
fi
rm -f "$log"
