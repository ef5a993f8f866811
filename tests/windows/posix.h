/* posix.h - the few POSIX functions that the tests use and Windows names otherwise. */
#ifndef POSIX_H
#define POSIX_H

#include <stdlib.h>

_CRTIMP int __cdecl _dup2(int from, int to); /* its header has names that tests use for their own */

static inline int posix_dup2(int from, int to)
{
    return _dup2(from, to) == 0 ? to : -1;
}
#define dup2 posix_dup2

static inline int setenv(const char *name, const char *value, int replace)
{
    (void)replace;
    return _putenv_s(name, value);
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

#endif
