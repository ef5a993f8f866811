/* guard.h - memory that lies in a pool may not be touched.

   One idea: where the address sanitizer watches, what a pool holds is forbidden until it is handed out, so a stale
   pointer into an arena or a window is found and not read as somebody else's bytes. Elsewhere this is nothing. */
#ifndef GUARD_H
#define GUARD_H

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
#define GUARD(at, bytes)   ASAN_POISON_MEMORY_REGION(at, bytes)
#define UNGUARD(at, bytes) ASAN_UNPOISON_MEMORY_REGION(at, bytes)
#else
#define GUARD(at, bytes)   ((void)(at), (void)(bytes))
#define UNGUARD(at, bytes) ((void)(at), (void)(bytes))
#endif

#endif
