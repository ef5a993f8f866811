# Builds for Windows x86-64 on Linux: -DCMAKE_TOOLCHAIN_FILE=scripts/cmake/mingw.cmake -DMINGW_PREFIX=build/windows-deps
# (made by scripts/dev/windows-deps.sh). Tests run by Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-win32) # threads of the system: no library of them beside the program
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_AR x86_64-w64-mingw32-gcc-ar-win32)
set(CMAKE_RANLIB x86_64-w64-mingw32-gcc-ranlib-win32)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static-libgcc)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -static-libgcc)

# Where a test of the toolchain configures a project of its own, it gets the same folder.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MINGW_PREFIX)
get_filename_component(MINGW_PREFIX "${MINGW_PREFIX}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
set(CMAKE_FIND_ROOT_PATH "${MINGW_PREFIX}" /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${MINGW_PREFIX}/lib/pkgconfig") # and no library of this machine

find_program(WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${WINE}")
endif()
