/* guard.h - memory that lies in a pool may not be touched.

   One idea: where the address sanitizer watches, what a pool holds is forbidden until it is handed out, so a stale
   pointer into an arena or a window is found and not read as somebody else's bytes. Elsewhere this is nothing, unless
   the rules are checked: then what a pool holds is filled with a pattern, by which stale bytes are known. */
#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARD_ACTIVE
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GUARD_ACTIVE
#endif

#ifdef GUARD_ACTIVE
#include <sanitizer/asan_interface.h>
#define FORBID(at, bytes)  ASAN_POISON_MEMORY_REGION(at, bytes)
#define UNGUARD(at, bytes) ASAN_UNPOISON_MEMORY_REGION(at, bytes)
#else
#define FORBID(at, bytes)  ((void)(at), (void)(bytes))
#define UNGUARD(at, bytes) ((void)(at), (void)(bytes))
#endif
#define GUARD(at, bytes) ((void)(guard_fills ? guard_fill(at, bytes) : (void)0), FORBID(at, bytes))

extern int guard_fills; /* set before threads start, by the checker of rules; never taken back */

void guard_fill(void *at, size_t bytes);       /* with the pattern, forbidden or not */
int guard_is_filled(const void *at, size_t n); /* nothing was written there since; the bytes are not forbidden */
int guard_is_gone(const void *at, size_t n);   /* some are forbidden, or they are the pattern: 8 bytes and more */

#endif
