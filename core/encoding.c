/* encoding.c - the texts of traces as UTF-8.

   One idea: each encoding is a function that takes the next character from bytes; the rest is the same for all. */
#include "encoding.h"

size_t encoding_put(uint32_t c, char out[4])
{
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = ENCODING_REPLACEMENT;
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Bytes of the well-formed character at p, of n bytes; 0 where there is none. */
static size_t utf8_length(const uint8_t *p, size_t n)
{
    uint8_t low = 0x80, high = 0xBF; /* of the second byte: no long forms, no surrogates, nothing over U+10FFFF */
    size_t need;

    if (p[0] < 0x80) return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4) return 0;
    need = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (need > n) return 0;
    if (p[0] == 0xE0) low = 0xA0;
    if (p[0] == 0xED) high = 0x9F;
    if (p[0] == 0xF0) low = 0x90;
    if (p[0] == 0xF4) high = 0x8F;
    if (p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < need; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
    }
    return need;
}

/* How many bytes from the start are ASCII: nearly always all of them. */
static size_t ascii_length(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (n - i >= 8 && !(tw_u64(p + i) & UINT64_C(0x8080808080808080))) i += 8;
    while (i < n && p[i] < 0x80) i++;
    return i;
}

int encoding_is_utf8(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    for (size_t i = ascii_length(p, n), step; i < n; i += step) {
        step = utf8_length(p + i, n - i);
        if (!step) return 0;
    }
    return 1;
}

static tw_text as_it_is(const void *bytes, size_t n)
{
    return (tw_text){ .at = bytes, .bytes = (uint32_t)n };
}

tw_text encoding_utf8(arena *a, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    if (n > ENCODING_MAX) n = ENCODING_MAX;
    if (encoding_is_utf8(p, n)) return as_it_is(p, n);
    char *out = arena_alloc(a, n * 3), *at = out;
    for (size_t i = 0; i < n;) {
        size_t step = utf8_length(p + i, n - i);
        if (step) {
            memcpy(at, p + i, step);
            at += step;
            i += step;
        } else {
            at += encoding_put(ENCODING_REPLACEMENT, at);
            i++;
        }
    }
    return as_it_is(out, (size_t)(at - out));
}

uint32_t encoding_of_1252(uint8_t byte)
{
    static const uint16_t other[32] = {
        /* 80h to 9Fh, where 1252 is not Latin-1 */
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    };
    return byte >= 0x80 && byte < 0xA0 ? other[byte - 0x80] : byte;
}

tw_text encoding_1252(arena *a, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    if (n > ENCODING_MAX) n = ENCODING_MAX;
    if (ascii_length(p, n) == n) return as_it_is(p, n);
    char *out = arena_alloc(a, n * 3), *at = out;
    for (size_t i = 0; i < n; i++) { at += encoding_put(encoding_of_1252(p[i]), at); }
    return as_it_is(out, (size_t)(at - out));
}

tw_text encoding_utf16(arena *a, const void *bytes, size_t units)
{
    const uint8_t *p = bytes;
    size_t ascii = 0;

    if (units > ENCODING_MAX) units = ENCODING_MAX;
    while (units - ascii >= 4 && !(tw_u64(p + ascii * 2) & UINT64_C(0xFF80FF80FF80FF80))) ascii += 4;
    while (ascii < units && tw_u16(p + ascii * 2) < 0x80) ascii++;
    char *out = arena_alloc(a, ascii + 3 * (units - ascii)), *at = out + ascii;
    for (size_t i = 0; i < ascii; i++) out[i] = (char)p[i * 2];
    for (size_t i = ascii; i < units; i++) {
        uint32_t c = tw_u16(p + i * 2);
        if (c >= 0xD800 && c < 0xDC00 && i + 1 < units) {
            uint32_t second = tw_u16(p + i * 2 + 2);
            if (second >= 0xDC00 && second < 0xE000) {
                c = 0x10000 + ((c - 0xD800) << 10) + (second - 0xDC00);
                i++;
            }
        }
        at += encoding_put(c, at);
    }
    return as_it_is(out, (size_t)(at - out));
}
