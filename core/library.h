/* library.h - whether a file is a whole shared library of this sort of machine.

   The system's loader maps a library before it looks at all of it, so one that is cut off ends the program instead of
   being refused. One idea: what the loader believes of the headers is checked first, as data, whatever system this is. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "text.h"

enum library_form { LIBRARY_ELF, LIBRARY_PE }; /* ".so" of Linux, ".dll" of Windows */

/* TW_OK; or TW_ERROR with a sentence about "it" in why: "it is cut off: its segments reach to byte 9000, the file has
   512". For x86-64. What it says of code, of symbols and of relocations is not looked at. */
int library_check(const char *path, enum library_form form, text *why);
int library_check_bytes(const void *bytes, size_t n, enum library_form form, text *why);

#endif
