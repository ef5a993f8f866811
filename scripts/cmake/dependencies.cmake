# Libraries, found by pkg-config: those of this machine, or for Windows those in MINGW_PREFIX (see mingw.cmake).
# Everything else in the build speaks of dep::NAME only.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(traceweir_dependency name module)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET GLOBAL ${module})
  add_library(dep::${name} ALIAS PkgConfig::${name})
endfunction()

traceweir_dependency(archive libarchive)
traceweir_dependency(expat expat)
traceweir_dependency(jansson jansson)
traceweir_dependency(zstd libzstd)
traceweir_dependency(zlib zlib)
traceweir_dependency(pcre2 libpcre2-8)
traceweir_dependency(luajit luajit)

# The generators are Lua scripts: one interpreter, at build time as at run time.
find_program(LUAJIT luajit REQUIRED)
