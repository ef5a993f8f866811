#!/bin/sh
# Makes the packages of this version in build/packages: what a user of Linux or Windows unpacks or installs.
#   traceweir_VERSION_amd64.deb  traceweir-VERSION-linux-x64.tar.gz  traceweir-VERSION-windows-x64.zip
# usage: package.sh [linux|windows]     one of the two systems only
set -eu
cd "$(dirname "$0")/../.."
only=${1:-}
version=$(sed -n 's/^project(traceweir VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
deps=${TRACEWEIR_WINDOWS_DEPS:-build/windows-deps}
out=$PWD/build/packages
work=$PWD/build/packages/work
rm -rf "$work"
mkdir -p "$work"

# build FOLDER OPTIONS: as it is installed, below $work
build() {
    folder=$1
    shift
    cmake -S . -B "build/$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTRACEWEIR_TESTS=OFF -DTRACEWEIR_BENCH=OFF "$@" >/dev/null
    cmake --build "build/$folder" >/dev/null
}
papers() { # what is read, into a folder
    mkdir -p "$1"
    cp README.md CHANGELOG.md LICENSE "$1"
    cp -r docs "$1/docs"
}

if [ "$only" != windows ]; then
    sh scripts/dev/packages.sh build
    build package-linux -DCMAKE_INSTALL_PREFIX=/usr
    DESTDIR="$work/deb" cmake --install build/package-linux --strip >/dev/null
    papers "$work/deb/usr/share/doc/traceweir"
    mv "$work/deb/usr/share/doc/traceweir/LICENSE" "$work/deb/usr/share/doc/traceweir/copyright"

    # The packages whose libraries the program and its plugins ask for.
    libraries=$(find "$work/deb/usr/bin" "$work/deb/usr/lib/traceweir" -type f -exec objdump -p {} + | sed -n 's/^ *NEEDED *//p' | sort -u)
    for library in $libraries; do
        path=$(ldconfig -p | sed -n "s|^[[:space:]]*$library (libc6,x86-64.*=> ||p" | head -n 1)
        # Debian knows some files by their place before /lib became a link.
        package=$(dpkg-query -S "$path" "/usr$path" "$(realpath "$path")" 2>/dev/null | head -n 1 | cut -d : -f 1)
        [ -n "$package" ] || { echo "package.sh: no package has $library" >&2; exit 1; }
        # Its symbols may be newer with each version, so that version of upstream is the least.
        dpkg-query -W -f '${Package} (>= ${source:Upstream-Version})\n' "$package"
    done | sort -u >"$work/depends"
    mkdir -p "$work/deb/DEBIAN"
    cat >"$work/deb/DEBIAN/control" <<TXT
Package: traceweir
Version: $version
Architecture: amd64
Maintainer: The traceweir authors <traceweir@localhost>
Installed-Size: $(du -sk "$work/deb/usr" | cut -f 1)
Depends: $(paste -s -d , "$work/depends" | sed 's/,/, /g')
Section: utils
Priority: optional
Description: plugin-based pipeline for event traces of Windows
 Opens .etl files, damaged ones too, and turns their events into tables, as
 told by a few lines of Lua. With the header that plugins are built with.
TXT
    dpkg-deb --root-owner-group --build "$work/deb" "$out/traceweir_${version}_amd64.deb" >/dev/null

    name=traceweir-$version-linux-x64
    cmake --install build/package-linux --strip --prefix "$work/$name" >/dev/null
    papers "$work/$name/share/doc/traceweir"
    # Where it will lie nobody knows, so this file finds the rest from its own place.
    find "$work/$name" -name traceweir.pc -exec sed -i 's|^prefix=.*|prefix=${pcfiledir}/../../..|' {} +
    tar -C "$work" --owner=0 --group=0 --sort=name -czf "$out/$name.tar.gz" "$name"
fi

if [ "$only" != linux ]; then
    sh scripts/dev/windows-deps.sh
    build package-windows -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cmake/mingw.cmake" -DMINGW_PREFIX="$(cd "$deps" && pwd)"
    name=traceweir-$version-windows-x64
    cmake --install build/package-windows --strip --prefix "$work/$name" >/dev/null
    papers "$work/$name"
    mkdir "$work/$name/licenses"
    # Of what is linked with the program; the tests' library is not.
    for library in "$deps"/licenses/*.txt; do
        [ "$(basename "$library")" = check.txt ] || cp "$library" "$work/$name/licenses"
    done
    (cd "$work" && rm -f "$out/$name.zip" && zip -q -r -X "$out/$name.zip" "$name")
fi
rm -rf "$work"
ls -l "$out" | awk 'NR > 1 { print $5, $9 }'
