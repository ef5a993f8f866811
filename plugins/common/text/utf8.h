/* utf8.h - reading UTF-8 that may be broken.

   Text in a trace is what some program put there. One idea: a code point is read whole and valid, or not at all. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the code point at `at`, and its value; 0 where no valid one begins there (bare continuation, overlong,
   surrogate, beyond U+10FFFF, cut off). */
static inline size_t utf8_read(const uint8_t *at, const uint8_t *end, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = *at < 0x80 ? 1 : *at < 0xC0 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : *at < 0xF8 ? 4 : 0;

    if (!n || (size_t)(end - at) < n) return 0;
    *code = n == 1 ? *at : *at & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (at[i] & 0x3Fu);
    }
    return *code < least[n] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF) ? 0 : n;
}

#endif
