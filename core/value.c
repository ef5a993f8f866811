/* value.c - a value as every sink writes it.

   One idea: everything is put into a buffer that counts on when it is full, so that a caller learns the length, as
   with snprintf, and nothing here allocates. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"
#include "encoding.h"
#include "type.h"
#include "unit.h"

typedef struct line {
    char *out;
    size_t cap, n;
} line;

static void put(line *l, const char *bytes, size_t n)
{
    if (n && l->n < l->cap) memcpy(l->out + l->n, bytes, n < l->cap - l->n ? n : l->cap - l->n);
    l->n += n;
}

static void put_string(line *l, const char *s)
{
    put(l, s, strlen(s));
}

static void put_unsigned(line *l, uint64_t u)
{
    char digits[20], *at = digits + sizeof digits;
    do *--at = (char)('0' + u % 10);
    while (u /= 10);
    put(l, at, (size_t)(digits + sizeof digits - at));
}

static void put_signed(line *l, int64_t i)
{
    if (i < 0) put(l, "-", 1);
    put_unsigned(l, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
}

static const char hex_digits[] = "0123456789abcdef";

/* At least `least` digits, no prefix. */
static void put_hex(line *l, uint64_t u, int least)
{
    char digits[16], *at = digits + sizeof digits;
    do {
        *--at = hex_digits[u & 15];
        least--;
    } while ((u >>= 4) || least > 0);
    put(l, at, (size_t)(digits + sizeof digits - at));
}

static void put_bytes(line *l, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char two[2] = { hex_digits[p[i] >> 4], hex_digits[p[i] & 15] };
        put(l, two, 2);
    }
}

/* ---- GUIDs -------------------------------------------------------------- */

/* Where each of the 16 bytes stands in the text: the first three groups are little-endian numbers. */
static const uint8_t guid_place[16] = { 6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34 };

int guid_print(const uint8_t guid[16], char *out)
{
    memset(out, '-', 36);
    for (int i = 0; i < 16; i++) {
        out[guid_place[i]] = hex_digits[guid[i] >> 4];
        out[guid_place[i] + 1] = hex_digits[guid[i] & 15];
    }
    out[36] = 0;
    return 36;
}

int guid_parse(const char *s, uint8_t guid[16])
{
    uint8_t parsed[16];
    size_t n = strlen(s);

    if (n == 38 && s[0] == '{' && s[37] == '}')
        s++;
    else if (n != 36)
        return 0;
    if (s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-') return 0;
    for (int i = 0; i < 16; i++) {
        unsigned high = text_hex_digit(s[guid_place[i]]), low = text_hex_digit(s[guid_place[i] + 1]);
        if (high > 15 || low > 15) return 0;
        parsed[i] = (uint8_t)(high << 4 | low);
    }
    memcpy(guid, parsed, sizeof parsed);
    return 1;
}

/* ---- Addresses and SIDs ------------------------------------------------- */

static void put_ip4(line *l, const uint8_t *p)
{
    for (int i = 0; i < 4; i++) {
        if (i) put(l, ".", 1);
        put_unsigned(l, p[i]);
    }
}

/* As RFC 5952 says: lower case, no leading zeros, the longest run of two and more zero groups, the first of equals,
   as `::`; an IPv4 address that is mapped into IPv6 in its own form. */
static void put_ip6(line *l, const uint8_t *p)
{
    static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF };
    int run = -1, longest = 1;

    if (!memcmp(p, mapped, sizeof mapped)) {
        put_string(l, "::ffff:");
        put_ip4(l, p + 12);
        return;
    }
    for (int i = 0, n; i < 8; i += n + 1) {
        for (n = 0; i + n < 8 && !p[(i + n) * 2] && !p[(i + n) * 2 + 1]; n++) {}
        if (n > longest) {
            longest = n;
            run = i;
        }
    }
    for (int i = 0; i < 8; i++) {
        if (i == run) {
            put_string(l, "::");
            i += longest - 1;
            continue;
        }
        if (i && i != run + longest) put(l, ":", 1);
        put_hex(l, (uint64_t)p[i * 2] << 8 | p[i * 2 + 1], 1);
    }
}

/* Family (little-endian), port (big-endian), then 2: IPv4; 23: flow information, IPv6, scope. Others as bytes. */
static void put_sockaddr(line *l, const uint8_t *p, size_t n)
{
    uint16_t family = n >= 4 ? tw_u16(p) : 0;

    if (family == 2 && n >= 8) {
        put_ip4(l, p + 4);
    } else if (family == 23 && n >= 24) {
        put(l, "[", 1);
        put_ip6(l, p + 8);
        put(l, "]", 1);
    } else {
        put_bytes(l, p, n);
        return;
    }
    put(l, ":", 1);
    put_unsigned(l, (uint64_t)p[2] << 8 | p[3]);
}

static void put_sid(line *l, const uint8_t *p, size_t n)
{
    uint64_t authority = 0;

    if (n < 8 || n < 8 + 4u * p[1]) {
        put_bytes(l, p, n);
        return;
    }
    for (int i = 2; i < 8; i++) authority = authority << 8 | p[i];
    put_string(l, "S-");
    put_unsigned(l, p[0]);
    put(l, "-", 1);
    if (authority > UINT32_MAX) {
        put_string(l, "0x");
        put_hex(l, authority, 12);
    } else {
        put_unsigned(l, authority);
    }
    for (int i = 0; i < p[1]; i++) {
        put(l, "-", 1);
        put_unsigned(l, tw_u32(p + 8 + i * 4));
    }
}

/* ---- Numbers ------------------------------------------------------------ */

/* Bits that a kind has; names and hex of negative numbers are of these. */
static uint64_t own_bits(uint8_t kind, uint64_t u)
{
    switch (kind) {
    case TW_BOOL:
    case TW_U8:
    case TW_I8: return (uint8_t)u;
    case TW_U16:
    case TW_I16: return (uint16_t)u;
    case TW_BOOL32:
    case TW_U32:
    case TW_I32: return (uint32_t)u;
    default: return u;
    }
}

static const tw_name *name_of(const tw_names *names, uint64_t value)
{
    uint32_t low = 0, high = names->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names->name[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->n && names->name[low].value == value ? &names->name[low] : NULL;
}

/* The names of the bits that are set, and as a number those that have none. */
static void put_bits(line *l, const tw_names *names, uint64_t value)
{
    uint64_t rest = value;
    const char *between = "";

    for (uint32_t i = 0; i < names->n && rest; i++) {
        uint64_t bits = names->name[i].value;
        if (!bits || (rest & bits) != bits) continue;
        put_string(l, between);
        put_string(l, names->name[i].name);
        between = "|";
        rest &= ~bits;
    }
    if (rest) {
        put_string(l, between);
        put_string(l, "0x");
        put_hex(l, rest, 1);
    } else if (!value) {
        put(l, "0", 1);
    }
}

/* 1 where there is a name, or names of bits. */
static int put_name(line *l, const tw_names *names, const tw_value *v)
{
    uint64_t value = own_bits(v->kind, v->u);
    const tw_name *found = name_of(names, value);

    if (!found && v->i < 0) found = name_of(names, v->u);
    if (found)
        put_string(l, found->name);
    else if (names->flags & TW_BITS)
        put_bits(l, names, value);
    else
        return 0;
    return 1;
}

/* Behind an error code, as the vendor's own tools write it: 0xc0000022(STATUS_ACCESS_DENIED). */
static void put_code_name(line *l, uint8_t show, uint64_t code)
{
    const char *name = code <= UINT32_MAX ? code_name(show, (uint32_t)code) : NULL;

    if (!name) return;
    put(l, "(", 1);
    put_string(l, name);
    put(l, ")", 1);
}

static void put_integer(line *l, const tw_value *v, uint8_t show)
{
    uint64_t bits = own_bits(v->kind, v->u);
    char c[4];

    switch (show) {
    case TW_SHOW_HEX:
    case TW_SHOW_ADDRESS:
    case TW_SHOW_CODE:
        put_string(l, "0x");
        put_hex(l, bits, 1);
        break;
    case TW_SHOW_NTSTATUS:
    case TW_SHOW_HRESULT:
        put_string(l, "0x");
        put_hex(l, bits, 8);
        put_code_name(l, show, bits);
        break;
    case TW_SHOW_IP4: { /* the address' bytes in the order in which they lie */
        uint8_t p[4] = { (uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24) };
        put_ip4(l, p);
        break;
    }
    case TW_SHOW_CHAR:
        if (v->kind == TW_U8 || v->kind == TW_I8) bits = encoding_of_1252((uint8_t)bits);
        if (bits) put(l, c, encoding_put(bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits, c));
        break;
    case TW_SHOW_WIN32:
        put_unsigned(l, bits);
        put_code_name(l, show, bits);
        break;
    default:
        if (v->kind >= TW_I8 && v->kind <= TW_I64)
            put_signed(l, v->i);
        else
            put_unsigned(l, v->u);
        break;
    }
}

/* The fewest digits that read back as the same number. */
static void put_float(line *l, double f, int single)
{
    char digits[40];

    if (isnan(f)) {
        put_string(l, "nan");
        return;
    }
    if (isinf(f)) {
        put_string(l, f < 0 ? "-inf" : "inf");
        return;
    }
    for (int n = single ? 6 : 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, f);
        if (single ? strtof(digits, NULL) == (float)f : strtod(digits, NULL) == f) break;
    }
    put_string(l, digits);
}

/* In the largest unit up to seconds that leaves something before the point, with all digits that count. */
static void put_span(line *l, int64_t ns)
{
    static const struct {
        uint64_t ns;
        int digits;
        const char *name;
    } unit[] = { { 1000000000, 9, "s" }, { 1000000, 6, "ms" }, { 1000, 3, "us" }, { 1, 0, "ns" } };
    uint64_t u = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    int i = 0;

    if (ns < 0) put(l, "-", 1);
    while (u && u < unit[i].ns) i++;
    put_unsigned(l, u / unit[i].ns);
    char fraction[10];
    uint64_t rest = u % unit[i].ns;
    int n = unit[i].digits;
    for (int k = n; k-- > 0; rest /= 10) fraction[k] = (char)('0' + rest % 10);
    while (n && fraction[n - 1] == '0') n--;
    if (n) put(l, ".", 1);
    put(l, fraction, (size_t)n);
    put_string(l, unit[i].name);
}

/* ---- Values ------------------------------------------------------------- */

static void put_value(line *l, const tw_field *f, const tw_value *v);

/* The elements of a list lie as the cells of a column do. */
static void put_list(line *l, const tw_field *f, const tw_value *v)
{
    tw_field element = { .kind = v->kind, .show = v->show, .names = f ? f->names : NULL };
    tw_table table = { .size = sizeof table, .ncols = 1, .col = &element };
    void *cells;
    uint8_t *null = NULL;
    memcpy(&cells, &v->t.at, sizeof cells); /* tw_rows has no const cells */
    tw_rows rows = { .table = &table, .n = v->count, .col = &cells, .null = &null };

    put(l, "[", 1);
    for (uint32_t i = 0; i < v->count; i++) {
        tw_value one;
        tw_cell(&rows, 0, i, &one);
        if (i) put(l, ", ", 2);
        put_value(l, &element, &one);
    }
    put(l, "]", 1);
}

static void put_value(line *l, const tw_field *f, const tw_value *v)
{
    const uint8_t *bytes = (const uint8_t *)v->t.at;
    uint8_t show = v->show || !f ? v->show : f->show;
    char short_text[40];

    switch (v->kind) {
    case 0:
    case TW_STRUCT: break;
    case TW_BOOL:
    case TW_BOOL32:
        if (!(f && f->names && put_name(l, f->names, v))) put_string(l, v->u ? "true" : "false");
        break;
    case TW_F32: put_float(l, v->f, 1); break;
    case TW_F64: put_float(l, v->f, 0); break;
    case TW_TIME: put(l, short_text, (size_t)unit_print_time(v->i, short_text)); break;
    case TW_SPAN: put_span(l, v->i); break;
    case TW_TICKS:
    case TW_TICK_SPAN: put_signed(l, v->i); break;
    case TW_GUID: put(l, short_text, (size_t)guid_print(bytes, short_text)); break;
    case TW_IP4: put_ip4(l, bytes); break;
    case TW_IP6: put_ip6(l, bytes); break;
    case TW_SOCKADDR: put_sockaddr(l, bytes, v->t.bytes); break;
    case TW_SID: put_sid(l, bytes, v->t.bytes); break;
    case TW_TEXT: put(l, v->t.at, v->t.bytes); break;
    case TW_BYTES: put_bytes(l, bytes, v->t.bytes); break;
    default:
        if (v->kind == TW_POINTER && show == TW_SHOW_PLAIN) show = TW_SHOW_ADDRESS;
        if (!(f && f->names && put_name(l, f->names, v))) put_integer(l, v, show);
        break;
    }
}

int value_print(const tw_field *f, const tw_value *v, char *out, size_t cap)
{
    line l = { out, cap, 0 };

    if (v->count || (f && f->flags & TW_LIST))
        put_list(&l, f, v);
    else
        put_value(&l, f, v);
    if (cap) out[l.n < cap ? l.n : cap - 1] = 0;
    return l.n < INT_MAX ? (int)l.n : INT_MAX;
}
