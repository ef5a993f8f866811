/* guid.c - GUIDs as text; see guid.h. */
#include "guid.h"

#include "../text/ascii.h"

enum { WRITTEN = GUID_TEXT - 1 };

/* Where the two digits of each byte stand in the text. */
static const uint8_t place[16] = { 6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34 };
static const uint8_t dash[] = { 8, 13, 18, 23 };

size_t guid_read(const char *text, size_t n, uint8_t guid[16])
{
    size_t brace = n && *text == '{', all = WRITTEN + 2 * brace;

    if (n < all || (brace && text[all - 1] != '}')) return 0;
    text += brace;
    for (size_t i = 0; i < sizeof dash; i++)
        if (text[dash[i]] != '-') return 0;
    for (int i = 0; i < 16; i++) {
        unsigned high = ascii_hex(text[place[i]]), low = ascii_hex(text[place[i] + 1]);
        if (high > 15 || low > 15) return 0;
        guid[i] = (uint8_t)(high << 4 | low);
    }
    return all;
}

void guid_write(const uint8_t guid[16], char out[GUID_TEXT])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < sizeof dash; i++) out[dash[i]] = '-';
    for (int i = 0; i < 16; i++) {
        out[place[i]] = digits[guid[i] >> 4];
        out[place[i] + 1] = digits[guid[i] & 15];
    }
    out[WRITTEN] = 0;
}
