# What differs in the tests where they are for Windows: they run by Wine, the scripts start the program by a script of its
# name, and tests of POSIX's own things are left out. test_os.c holds the borders of the two systems against each other.

# What these do has no counterpart: descriptors put in place of standard streams, limits of file sizes, named pipes, modes.
# Their subjects are covered by test_os.c and by the golden pairs `files` and `containers`, which run on both.
foreach(name container input inputs output)
  message(STATUS "Not on Windows: test_${name} (uses POSIX: pipes and limits of the process itself)")
  list(REMOVE_ITEM UNIT_TESTS ${CMAKE_CURRENT_SOURCE_DIR}/unit/test_${name}.c)
endforeach()
add_compile_options("SHELL:-include ${CMAKE_CURRENT_SOURCE_DIR}/windows/posix.h")

if(NOT WINE)
  message(FATAL_ERROR "Tests of Windows need Wine: sh scripts/dev/packages.sh windows; or -DTRACEWEIR_TESTS=OFF")
endif()
configure_file(windows/traceweir.sh.in ${CMAKE_BINARY_DIR}/traceweir @ONLY)
file(CHMOD ${CMAKE_BINARY_DIR}/traceweir PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE)

# A Windows of the build's own, without desktop and downloads.
list(APPEND TEST_ENVIRONMENT "TW_GOLDEN_SKIP=posix"
  "WINEPREFIX=${CMAKE_BINARY_DIR}/wine" "WINEDEBUG=-all" "WINEDLLOVERRIDES=mscoree,mshtml,winedbg.exe=")

# Called when all tests are known.
function(tests_by_wine)
  # The first start makes that Windows; the server stays until it had nothing to do for a minute.
  find_program(WINESERVER NAMES wineserver64 wineserver PATHS /usr/lib/wine REQUIRED)
  add_test(NAME wine COMMAND sh -c "{ '${WINESERVER}' -p60; '${WINE}' wineboot -i; } </dev/null >/dev/null 2>&1")
  set_tests_properties(wine PROPERTIES FIXTURES_SETUP wine ENVIRONMENT "${TEST_ENVIRONMENT}")
  get_property(all DIRECTORY PROPERTY TESTS)
  list(REMOVE_ITEM all wine)
  set_tests_properties(${all} PROPERTIES FIXTURES_REQUIRED wine)
  set_tests_properties(golden golden_checked examples PROPERTIES TIMEOUT 900) # each of their many runs is a start of Wine
  set_tests_properties(real_evtx PROPERTIES DISABLED TRUE) # compares with a program for Linux
endfunction()
cmake_language(DEFER CALL tests_by_wine)
