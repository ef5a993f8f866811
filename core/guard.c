/* guard.c - the pattern of memory that lies in a pool.

   One idea: the pattern depends on the address alone, so any part of it is known by itself. As a pointer it leads
   nowhere, as a type it is none, as a time it is far away. */
#include "guard.h"

#include <stdint.h>

int guard_fills;

static const uint8_t pattern[8] = { 0x6B, 0x8D, 0xF3, 0xE1, 0xB7, 0xA3, 0xC5, 0xD9 };

static uint8_t pattern_at(const uint8_t *at)
{
    return pattern[(uintptr_t)at % sizeof pattern];
}

void guard_fill(void *at, size_t bytes)
{
    uint8_t *to = at;

    UNGUARD(at, bytes);
    for (size_t i = 0; i < bytes; i++) to[i] = pattern_at(to + i);
}

int guard_is_filled(const void *at, size_t n)
{
    const uint8_t *from = at;

    for (size_t i = 0; i < n; i++)
        if (from[i] != pattern_at(from + i)) return 0;
    return 1;
}

/* What is shorter than the pattern may equal a part of it by chance. */
int guard_is_gone(const void *at, size_t n)
{
#ifdef GUARD_ACTIVE
    if (__asan_region_is_poisoned((void *)(uintptr_t)at, n)) return 1;
#endif
    return n >= sizeof pattern && guard_is_filled(at, n);
}
