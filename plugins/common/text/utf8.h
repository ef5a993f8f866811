/* utf8.h - reading UTF-8 that may be broken, and making it.

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

/* Puts a code point below 110000h, 4 bytes at most; how many. */
static inline size_t utf8_write(char *out, uint32_t code)
{
    if (code < 0x80) return out[0] = (char)code, 1;
    if (code < 0x800) return out[0] = (char)(0xC0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 63));
        out[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 63));
    out[2] = (char)(0x80 | (code >> 6 & 63));
    out[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* `units` of UTF-16LE as UTF-8, of which there are at most three bytes a unit; half a pair becomes U+FFFD. How many. */
static inline size_t utf8_from_utf16(char *out, const uint8_t *at, size_t units)
{
    size_t n = 0;

    for (size_t i = 0; i < units; i++) {
        uint32_t code = at[2 * i] | (uint32_t)at[2 * i + 1] << 8;
        if (code >= 0xD800 && code < 0xE000) {
            uint32_t low = code < 0xDC00 && i + 1 < units ? at[2 * i + 2] | (uint32_t)at[2 * i + 3] << 8 : 0;
            int pair = low >= 0xDC00 && low < 0xE000;
            code = pair ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
            i += (size_t)pair;
        }
        n += utf8_write(out + n, code);
    }
    return n;
}

#endif
