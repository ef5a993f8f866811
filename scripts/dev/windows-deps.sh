#!/bin/sh
# Builds the libraries that traceweir for Windows is linked with, from Debian's sources, into a folder: by default
# build/windows-deps, else $TRACEWEIR_WINDOWS_DEPS. A folder that this script filled already is left as it is: it is made
# anew when the script changes, or when it was removed (to get the sources' newest security fixes).
#
# All are static, so the program is one file. What is fetched is checked by apt against Debian's signature, with lists and
# a cache of this folder's own: the machine's sources stay as they are.
set -eu
cd "$(dirname "$0")/../.."
prefix=${TRACEWEIR_WINDOWS_DEPS:-build/windows-deps}
key=$(cksum <scripts/dev/windows-deps.sh)
[ "$(cat "$prefix/key" 2>/dev/null)" != "$key" ] || exit 0

sh scripts/dev/packages.sh windows
rm -rf "$prefix"
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/licenses" "$prefix/scratch/lists/partial" "$prefix/scratch/cache"
prefix=$(cd "$prefix" && pwd)
work=$prefix/scratch
toolchain=$PWD/scripts/cmake/mingw.cmake
cross=x86_64-w64-mingw32
cc=$cross-gcc-win32
ar=$cross-gcc-ar-win32
cd "$work"

echo "== Sources"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" >sources.list
set -- -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
apt-get "$@" update >log.txt 2>&1 || { cat log.txt >&2; exit 1; }
apt-get "$@" --only-source --download-only source \
    bzip2 check expat jansson libarchive libzstd luajit pcre2 xz-utils zlib >log.txt 2>&1 || { cat log.txt >&2; exit 1; }
for description in *.dsc; do
    name=${description%%_*}
    # apt has checked the signed sums of these files.
    dpkg-source --no-check -x "$description" "$name" >log.txt 2>&1 || { cat log.txt >&2; exit 1; }
    cp "$name/debian/copyright" "$prefix/licenses/$name.txt"
    sed -n "s/^Version: /$name /p" "$description" | head -n 1 >>"$prefix/versions"
done
cat "$prefix/versions"

# library NAME COMMANDS: builds in the folder NAME; what it said is shown where it fails.
library() {
    echo "== $1"
    library=$1
    shift
    cd "$work/$library"
    for command; do
        command=$(printf %s "$command" | tr '\n' ' ')
        eval "$command" >>"$work/$library.log" 2>&1 || { tail -n 40 "$work/$library.log" >&2; exit 1; }
    done
}
# describe MODULE VERSION CFLAGS LIBS: what pkg-config tells of it
describe() {
    cat >"$prefix/lib/pkgconfig/$1.pc" <<TXT
Name: $1
Description: $1 for Windows
Version: $2
Cflags: -I$prefix/include $3
Libs: -L$prefix/lib $4
TXT
}
cmake_options="-G Ninja -DCMAKE_TOOLCHAIN_FILE=$toolchain -DMINGW_PREFIX=$prefix -DCMAKE_INSTALL_PREFIX=$prefix
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -Wno-dev"
build="cmake --build made"
install="cmake --install made"
compile="$cc -O2 -c"
version() { sed -n "s/^$1 //p" "$prefix/versions" | sed 's/^[0-9]*://; s/[-+~.]dfsg.*//; s/[-+~].*//'; }

library zlib "$compile adler32.c compress.c crc32.c deflate.c inf*.c trees.c uncompr.c zutil.c" "$ar rcs $prefix/lib/libz.a *.o" \
    "cp zlib.h zconf.h $prefix/include"
describe zlib "$(version zlib)" "" -lz
library bzip2 "$compile blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c" \
    "$ar rcs $prefix/lib/libbz2.a *.o" "cp bzlib.h $prefix/include"
library libzstd "make -C lib -j2 libzstd.a CC=$cc AR=$ar OS=Windows_NT UNAME=MINGW64 CPPFLAGS_STATLIB=-DZSTD_MULTITHREAD CFLAGS=-O3" \
    "cp lib/libzstd.a $prefix/lib" "cp lib/zstd.h lib/zdict.h lib/zstd_errors.h $prefix/include"
describe libzstd "$(version libzstd)" "" -lzstd
library xz-utils "cmake -S . -B made $cmake_options" "cmake --build made --target liblzma" "cp made/liblzma.a $prefix/lib" \
    "cp -r src/liblzma/api/lzma src/liblzma/api/lzma.h $prefix/include"
# Members of .zip and .7z are packed by any of these four. Locked ones are told from others without any cryptography.
library libarchive "cmake -S . -B made $cmake_options -DCMAKE_C_FLAGS=-DLZMA_API_STATIC -DENABLE_WERROR=OFF -DENABLE_OPENSSL=OFF
    -DENABLE_CNG=OFF -DENABLE_LIBB2=OFF -DENABLE_LZ4=OFF -DENABLE_LIBXML2=OFF -DENABLE_EXPAT=OFF -DENABLE_PCREPOSIX=OFF -DENABLE_ICONV=OFF
    -DENABLE_TAR=OFF -DENABLE_CPIO=OFF -DENABLE_CAT=OFF -DENABLE_TEST=OFF -DENABLE_XATTR=OFF -DENABLE_ACL=OFF
    -DZLIB_LIBRARY=$prefix/lib/libz.a -DZLIB_INCLUDE_DIR=$prefix/include" \
    "cmake --build made --target archive_static" "cp made/libarchive/libarchive_static.a $prefix/lib/libarchive.a" \
    "cp libarchive/archive.h libarchive/archive_entry.h $prefix/include"
describe libarchive "$(version libarchive)" -DLIBARCHIVE_STATIC "-larchive -llzma -lzstd -lbz2 -lz"
# Debian's fixes reach its autoconf alone, so what that finds out is said here.
library expat "cd expat/lib" "touch expat_config.h" \
    "$compile -I. -DBYTEORDER=1234 -DXML_DTD=1 -DXML_GE=1 -DXML_NS=1 -DXML_CONTEXT_BYTES=1024 -DXML_STATIC xmlparse.c xmlrole.c xmltok.c" \
    "$ar rcs $prefix/lib/libexpat.a *.o" "cp expat.h expat_external.h $prefix/include"
describe expat "$(version expat)" -DXML_STATIC -lexpat
library jansson "cmake -S . -B made $cmake_options -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF" \
    "$build" "$install"
describe jansson "$(version jansson)" "" -ljansson
library pcre2 "cmake -S . -B made $cmake_options -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_SUPPORT_JIT=ON" \
    "$build" "$install"
describe libpcre2-8 "$(version pcre2)" -DPCRE2_STATIC -lpcre2-8
library luajit "make -j2 HOST_CC=gcc CROSS=$cross- CC=gcc-win32 TARGET_SYS=Windows BUILDMODE=static" \
    "cp src/libluajit.a $prefix/lib" "cp src/lua.h src/lauxlib.h src/lualib.h src/luaconf.h src/luajit.h $prefix/include"
describe luajit 2.1.0 "" -lluajit
library check "cmake -S . -B made $cmake_options -DCHECK_ENABLE_TESTS=OFF
    -DENABLE_MEMORY_LEAKING_TESTS=OFF -DCHECK_ENABLE_SUBUNIT=OFF" \
    "$build" "$install" 'cp "$($cc -print-file-name=libwinpthread.a)" "$prefix/lib"'
describe check "$(version check)" "" "-lcheck -lwinpthread -lshlwapi"

cd "$prefix"
rm -rf work bin share lib/cmake lib/*.dll.a lib/pkgconfig/libpcre2-posix.pc
echo "$key" >key
