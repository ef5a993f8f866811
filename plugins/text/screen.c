/* screen.c - text as a terminal shows it. The ranges follow Unicode 15: East Asian Width W and F, and the common
   combining marks; rarer ones cost a column and nothing else. */
#include "screen.h"

#include "../common/text/utf8.h"

#include <stdio.h>

typedef struct range {
    uint32_t first, last;
} range;

// clang-format off
static const range wide[] = {
    { 0x1100, 0x115F }, { 0x231A, 0x231B }, { 0x2329, 0x232A }, { 0x23E9, 0x23EC }, { 0x23F0, 0x23F0 },
    { 0x23F3, 0x23F3 }, { 0x25FD, 0x25FE }, { 0x2614, 0x2615 }, { 0x2648, 0x2653 }, { 0x267F, 0x267F },
    { 0x2693, 0x2693 }, { 0x26A1, 0x26A1 }, { 0x26AA, 0x26AB }, { 0x26BD, 0x26BE }, { 0x26C4, 0x26C5 },
    { 0x26CE, 0x26CE }, { 0x26D4, 0x26D4 }, { 0x26EA, 0x26EA }, { 0x26F2, 0x26F3 }, { 0x26F5, 0x26F5 },
    { 0x26FA, 0x26FA }, { 0x26FD, 0x26FD }, { 0x2705, 0x2705 }, { 0x270A, 0x270B }, { 0x2728, 0x2728 },
    { 0x274C, 0x274C }, { 0x274E, 0x274E }, { 0x2753, 0x2755 }, { 0x2757, 0x2757 }, { 0x2795, 0x2797 },
    { 0x27B0, 0x27B0 }, { 0x27BF, 0x27BF }, { 0x2B1B, 0x2B1C }, { 0x2B50, 0x2B50 }, { 0x2B55, 0x2B55 },
    { 0x2E80, 0x303E }, { 0x3041, 0x4DBF }, { 0x4E00, 0xA4C6 }, { 0xA960, 0xA97C }, { 0xAC00, 0xD7A3 },
    { 0xF900, 0xFAFF }, { 0xFE10, 0xFE19 }, { 0xFE30, 0xFE6B }, { 0xFF01, 0xFF60 }, { 0xFFE0, 0xFFE6 },
    { 0x16FE0, 0x18CFF }, { 0x1AFF0, 0x1B2FB }, { 0x1F004, 0x1F004 }, { 0x1F0CF, 0x1F0CF }, { 0x1F18E, 0x1F18E },
    { 0x1F191, 0x1F19A }, { 0x1F200, 0x1F320 }, { 0x1F32D, 0x1F335 }, { 0x1F337, 0x1F37C }, { 0x1F37E, 0x1F393 },
    { 0x1F3A0, 0x1F3CA }, { 0x1F3CF, 0x1F3D3 }, { 0x1F3E0, 0x1F3F0 }, { 0x1F3F4, 0x1F3F4 }, { 0x1F3F8, 0x1F43E },
    { 0x1F440, 0x1F440 }, { 0x1F442, 0x1F4FC }, { 0x1F4FF, 0x1F53D }, { 0x1F54B, 0x1F567 }, { 0x1F57A, 0x1F57A },
    { 0x1F595, 0x1F596 }, { 0x1F5A4, 0x1F5A4 }, { 0x1F5FB, 0x1F64F }, { 0x1F680, 0x1F6C5 }, { 0x1F6CC, 0x1F6CC },
    { 0x1F6D0, 0x1F6D7 }, { 0x1F6DC, 0x1F6DF }, { 0x1F6EB, 0x1F6EC }, { 0x1F6F4, 0x1F6FC }, { 0x1F7E0, 0x1F7F0 },
    { 0x1F90C, 0x1F93A }, { 0x1F93C, 0x1F945 }, { 0x1F947, 0x1F9FF }, { 0x1FA70, 0x1FAFF }, { 0x20000, 0x3FFFD },
};
static const range combining[] = {
    { 0x0300, 0x036F }, { 0x0483, 0x0489 }, { 0x0591, 0x05BD }, { 0x05BF, 0x05BF }, { 0x05C1, 0x05C2 },
    { 0x0610, 0x061A }, { 0x064B, 0x065F }, { 0x0670, 0x0670 }, { 0x06D6, 0x06DC }, { 0x0900, 0x0902 },
    { 0x093C, 0x093C }, { 0x0941, 0x0948 }, { 0x094D, 0x094D }, { 0x0E31, 0x0E31 }, { 0x0E34, 0x0E3A },
    { 0x0E47, 0x0E4E }, { 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF }, { 0x200D, 0x200D }, { 0x20D0, 0x20FF },
    { 0x3099, 0x309A }, { 0xFE00, 0xFE0F }, { 0xFE20, 0xFE2F }, { 0xE0100, 0xE01EF },
};
static const range escaped[] = { /* C0, DEL and C1 controls; marks of direction, line ends, invisible and tag characters */
    { 0x0000, 0x001F }, { 0x007F, 0x009F }, { 0x061C, 0x061C }, { 0x200B, 0x200C }, { 0x200E, 0x200F },
    { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE007F },
};
// clang-format on

#define IS_IN(code, ranges) is_in((code), (ranges), sizeof(ranges) / sizeof *(ranges))

/* The ranges are sorted: the first that does not end before `code` is the only one that can hold it. */
static int is_in(uint32_t code, const range *ranges, size_t n)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > ranges[middle].last) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && code >= ranges[low].first;
}

static size_t width_of(uint32_t code)
{
    return code < 0x0300 ? 1 : IS_IN(code, combining) ? 0 : IS_IN(code, wide) ? 2 : 1;
}

/* `code` of n bytes, or, where n is 0, a byte that is no UTF-8. */
static size_t put_escape(page *p, uint32_t code, size_t n)
{
    char escape[16];
    int bytes = n && code == '\n'   ? snprintf(escape, sizeof escape, "\\n")
                : n && code == '\r' ? snprintf(escape, sizeof escape, "\\r")
                : n && code == '\t' ? snprintf(escape, sizeof escape, "\\t")
                : n < 2             ? snprintf(escape, sizeof escape, "\\x%02x", (unsigned)code)
                                    : snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
    page_put(p, escape, (size_t)bytes);
    return (size_t)bytes;
}

size_t screen_width(const char *text, size_t n)
{
    const uint8_t *at = (const uint8_t *)text, *end = at + n;
    size_t width = 0;
    uint32_t code;

    while (at < end) {
        size_t bytes = utf8_read(at, end, &code);
        width += bytes ? width_of(code) : 1;
        at += bytes ? bytes : 1;
    }
    return width;
}

size_t screen_put(page *p, const char *text, size_t n)
{
    const uint8_t *at = (const uint8_t *)(n ? text : ""), *run = at, *end = at + n;
    size_t width = 0;
    uint32_t code;

    while (at < end) {
        if (*at >= 0x20 && *at < 0x7F) {
            at++;
            width++;
            continue;
        }
        size_t bytes = utf8_read(at, end, &code);
        if (bytes && !IS_IN(code, escaped)) {
            at += bytes;
            width += width_of(code);
            continue;
        }
        page_put(p, run, (size_t)(at - run));
        width += put_escape(p, bytes ? code : *at, bytes);
        run = at += bytes ? bytes : 1;
    }
    page_put(p, run, (size_t)(at - run));
    return width;
}

size_t screen_fit(const char *text, size_t n, size_t width)
{
    const uint8_t *start = (const uint8_t *)text, *at = start, *end = at + n;
    size_t used = 0;
    uint32_t code;

    while (at < end) {
        size_t bytes = utf8_read(at, end, &code), columns = bytes ? width_of(code) : 1;
        if (used + columns > width) break;
        used += columns;
        at += bytes ? bytes : 1;
    }
    return (size_t)(at - start);
}
