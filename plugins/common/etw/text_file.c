/* text_file.c - a text file of Windows as UTF-8; see text_file.h. */
#include "text_file.h"

#include <stdlib.h>
#include <string.h>

#include "../text/utf8.h"

/* What code page 1252 has at 80h … 9Fh; 0: nothing. */
static const uint16_t of_1252[32] = { 0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178 };

static int is_utf8(const uint8_t *at, size_t n)
{
    const uint8_t *end = at + n;
    uint32_t code;

    for (size_t length; at < end; at += length)
        if (!(length = utf8_read(at, end, &code))) return 0;
    return 1;
}

/* Three bytes at most each. */
static int from_1252(text_file *t, const uint8_t *at, size_t n)
{
    t->copy = malloc(n * 3);
    if (!t->copy) return 0;
    t->at = t->copy;
    t->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t code = at[i];
        if (code >= 0x80 && code < 0xA0 && of_1252[code - 0x80]) code = of_1252[code - 0x80];
        t->n += utf8_write(t->copy + t->n, code);
    }
    return 1;
}

static int from_utf16(text_file *t, const uint8_t *at, size_t units, int swap)
{
    uint8_t *little = malloc(5 * units + 1); /* the result's room, and behind it the text in our order */

    if (!little) return 0;
    t->copy = (char *)little;
    t->at = t->copy;
    little += 3 * units;
    for (size_t i = 0; i < 2 * units; i++) little[i] = at[swap ? i ^ 1 : i];
    t->n = utf8_from_utf16(t->copy, little, units);
    return 1;
}

int text_file_open(text_file *t, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;

    if (n >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3)) at += 3, n -= 3;
    *t = (text_file){ .at = (const char *)at, .n = n };
    if (n >= 2 && ((at[0] == 0xFF && at[1] == 0xFE) || (at[0] == 0xFE && at[1] == 0xFF)))
        return from_utf16(t, at + 2, n / 2 - 1, at[0] == 0xFE);
    return is_utf8(at, n) || from_1252(t, at, n);
}

void text_file_close(text_file *t)
{
    free(t->copy);
    *t = (text_file){ 0 };
}
