/* tmf_item.c - the arguments of a WPP message; see tmf_item.h. */
#include "tmf_item.h"

#include <stdio.h>
#include <string.h>

#include "../text/ascii.h"

enum { LONGEST_NAME = 64, MOST_NAMES = 256 };

/* ---- Item types ---- */

typedef struct item {
    const char *name;
    uint8_t kind, show;
    uint8_t number; /* a plain number: the format's letter tells whether it is signed, hexadecimal or a character */
    uint8_t writes;
    uint8_t bytes_by, bytes;
} item;

// clang-format off
static const item items[] = {
    { "ItemChar",        TW_I8,       TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemUChar",       TW_U8,       TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemShort",       TW_I16,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemUShort",      TW_U16,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemWChar",       TW_U16,      TW_SHOW_CHAR,     0, TMF_AS_GIVEN, 0, 0 },
    { "ItemLong",        TW_I32,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemULong",       TW_U32,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemLongLong",    TW_I64,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemULongLong",   TW_U64,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemLongLongO",   TW_U64,      TW_SHOW_PLAIN,    1, TMF_AS_GIVEN, 0, 0 },
    { "ItemLongLongX",   TW_U64,      TW_SHOW_HEX,      1, TMF_AS_GIVEN, 0, 0 },
    { "ItemLongLongXX",  TW_U64,      TW_SHOW_HEX,      1, TMF_AS_GIVEN, 0, 0 },
    { "ItemPtr",         TW_POINTER,  TW_SHOW_ADDRESS,  0, TMF_AS_GIVEN, 0, 0 },
    { "ItemFloat",       TW_F32,      TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemDouble",      TW_F64,      TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemString",      TW_TEXT8,    TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_ONE, 0 },
    { "ItemRString",     TW_TEXT8,    TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_ONE, 0 },
    { "ItemWString",     TW_TEXT16,   TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_ONE, 0 },
    { "ItemRWString",    TW_TEXT16,   TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_ONE, 0 },
    { "ItemPString",     TW_TEXT8,    TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_PREFIX2, 0 },
    { "ItemPWString",    TW_TEXT16,   TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_PREFIX2, 0 },
    { "ItemChar4",       TW_TEXT8,    TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_FIXED, 4 },
    { "ItemHexDump",     TW_BYTES,    TW_SHOW_PLAIN,    0, TMF_DUMP, TW_PREFIX2, 0 },
    { "ItemMACAddr",     TW_BYTES,    TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, TW_FIXED, 6 },
    { "ItemSid",         TW_SID,      TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemGuid",        TW_GUID,     TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemIID",         TW_GUID,     TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemCLSID",       TW_GUID,     TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemLIBID",       TW_GUID,     TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemIPAddr",      TW_IP4,      TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemIPV6Addr",    TW_IP6,      TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemPort",        TW_U16,      TW_SHOW_PORT,     0, TMF_AS_GIVEN, 0, 0 },
    { "ItemNTSTATUS",    TW_U32,      TW_SHOW_NTSTATUS, 0, TMF_AS_GIVEN, 0, 0 },
    { "ItemNTerror",     TW_U32,      TW_SHOW_NTSTATUS, 0, TMF_AS_GIVEN, 0, 0 },
    { "ItemNDIS_STATUS", TW_U32,      TW_SHOW_NTSTATUS, 0, TMF_AS_GIVEN, 0, 0 },
    { "ItemNDIS_OID",    TW_U32,      TW_SHOW_HEX,      0, TMF_AS_GIVEN, 0, 0 },
    { "ItemHRESULT",     TW_U32,      TW_SHOW_HRESULT,  0, TMF_AS_GIVEN, 0, 0 },
    { "ItemWINERROR",    TW_U32,      TW_SHOW_WIN32,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemTimestamp",   TW_FILETIME, TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemWaitTime",    TW_FILETIME, TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 },
    { "ItemTimeDelta",   TW_I64,      TW_SHOW_PLAIN,    0, TMF_MS, 0, 0 },
    { "ItemEnum",        TW_U32,      TW_SHOW_PLAIN,    0, TMF_AS_GIVEN, 0, 0 }, /* its names are in the .pdb only */
    { "ItemFlagsEnum",   TW_U32,      TW_SHOW_HEX,      0, TMF_AS_GIVEN, 0, 0 },
    { "ItemListByte",    TW_U8,       TW_SHOW_PLAIN,    0, TMF_LIST, 0, 0 },
    { "ItemListShort",   TW_U16,      TW_SHOW_PLAIN,    0, TMF_LIST, 0, 0 },
    { "ItemListLong",    TW_U32,      TW_SHOW_PLAIN,    0, TMF_LIST, 0, 0 },
    { "ItemSetByte",     TW_U8,       TW_SHOW_PLAIN,    0, TMF_SET, 0, 0 },
    { "ItemSetShort",    TW_U16,      TW_SHOW_PLAIN,    0, TMF_SET, 0, 0 },
    { "ItemSetLong",     TW_U32,      TW_SHOW_PLAIN,    0, TMF_SET, 0, 0 },
};
// clang-format on

span span_trim(span s)
{
    while (s.n && (uint8_t)s.at[0] <= ' ') s.at++, s.n--;
    while (s.n && (uint8_t)s.at[s.n - 1] <= ' ') s.n--;
    return s;
}

int span_is(span s, const char *word)
{
    if (s.n != strlen(word)) return 0;
    for (size_t i = 0; i < s.n; i++)
        if (ascii_lower(s.at[i]) != ascii_lower(word[i])) return 0;
    return 1;
}

static const item *item_of(span name)
{
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (span_is(name, items[i].name)) return &items[i];
    return NULL;
}

/* ---- What an argument is called ---- */

static int is_letter(char c)
{
    return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || c == '_' || c == '$';
}

static int is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

/* How many bytes a bracket and what it encloses take; 0: it is not closed. */
static size_t bracket(span s)
{
    size_t depth = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.at[i] == '(' || s.at[i] == '[') depth++;
        if ((s.at[i] == ')' || s.at[i] == ']') && !--depth) return i + 1;
    }
    return 0;
}

static span from(span s, size_t n)
{
    return span_trim((span){ s.at + n, s.n - n });
}

/* Without the casts and operators in front, and the brackets around it. */
static span bare(span s)
{
    s = span_trim(s);
    while (s.n && (*s.at == '(' || *s.at == '&' || *s.at == '*')) {
        size_t n = *s.at == '(' ? bracket(s) : 1;
        if (!n) break;
        span inside = { s.at + 1, n > 1 ? n - 2 : 0 };
        s = n == s.n ? span_trim(inside) : from(s, n);
    }
    return s;
}

/* The last name of a chain such as Irp->Tail.Item[0].Status; without bytes: the expression is something else. */
static span last_name(span s)
{
    span name = { 0 };

    s = bare(s);
    for (;;) {
        size_t n = 0;
        if (!s.n || !is_letter(*s.at)) return (span){ 0 };
        while (n < s.n && is_word(s.at[n])) n++;
        name = (span){ s.at, n };
        s = from(s, n);
        while (s.n && (*s.at == '(' || *s.at == '[') && (n = bracket(s)) > 0) s = from(s, n);
        if (!s.n) return name;
        if (s.n > 2 && (!memcmp(s.at, "->", 2) || !memcmp(s.at, "::", 2)))
            s = from(s, 2);
        else if (*s.at == '.')
            s = from(s, 1);
        else
            return (span){ 0 };
    }
}

static int is_taken(const fields *f, const char *name)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!strcmp(f->at[i].name, name)) return 1;
    return 0;
}

static const char *field_name(const fields *f, span expression)
{
    char name[LONGEST_NAME + 16];
    span last = last_name(expression);

    if (!last.n || last.n > LONGEST_NAME) {
        snprintf(name, sizeof name, "arg%u", (unsigned)f->n + 1);
        return store_text(f->from, name, strlen(name));
    }
    snprintf(name, sizeof name, "%.*s", (int)last.n, last.at);
    for (unsigned k = 2; is_taken(f, name); k++) snprintf(name, sizeof name, "%.*s_%u", (int)last.n, last.at, k);
    return store_text(f->from, name, strlen(name));
}

/* ---- What a line says ---- */

/* The item's words in brackets, from 0 up, or as bits from the lowest. */
static const tw_names *item_names(store *s, span list, int bits)
{
    tw_name pairs[MOST_NAMES];
    uint32_t n = 0;

    while (list.n && n < MOST_NAMES) {
        const char *comma = memchr(list.at, ',', list.n);
        size_t length = comma ? (size_t)(comma - list.at) : list.n;
        span word = span_trim((span){ list.at, length });
        if (!bits || n < 64) {
            pairs[n].value = bits ? UINT64_C(1) << n : n;
            pairs[n].name = store_text(s, word.at, word.n);
            if (!pairs[n].name) return NULL;
        }
        n++;
        length += comma != NULL;
        list = (span){ list.at + length, list.n - length };
    }
    return fields_names(s, pairs, bits && n > 64 ? 64 : n, bits);
}

/* The letter by which the format writes argument `number`. */
static char letter_of(const char *format, unsigned number)
{
    char mark[8];

    snprintf(mark, sizeof mark, "%%%u!", number);
    const char *at = strstr(format, mark);
    if (!at) return 0;
    at += strlen(mark);
    const char *end = strchr(at, '!');
    return end && end > at ? end[-1] : 0;
}

/* Programs hand over bare bits; how they are meant is in the format. */
static void read_number(tw_field *f, char letter)
{
    uint8_t to_unsigned = (uint8_t)(f->kind >= TW_I8 && f->kind <= TW_I64 ? f->kind - TW_I8 + TW_U8 : f->kind);

    switch (letter) {
    case 'x':
    case 'X':
        f->kind = to_unsigned;
        f->show = TW_SHOW_HEX;
        break;
    case 'u':
    case 'o': f->kind = to_unsigned; break;
    case 'c':
        f->kind = to_unsigned;
        f->show = TW_SHOW_CHAR;
        break;
    default: break;
    }
}

/* Splits off what follows the last mark of the two that can stand before a number. */
static int take_number(span *line, unsigned *number)
{
    for (size_t i = line->n; i-- > 1;) {
        if ((line->at[i] != '-' && line->at[i] != '/') || line->at[i - 1] != line->at[i]) continue;
        span digits = span_trim((span){ line->at + i + 1, line->n - i - 1 });
        if (!digits.n || digits.n > 2) return 0;
        *number = 0;
        for (size_t k = 0; k < digits.n; k++) {
            if (digits.at[k] < '0' || digits.at[k] > '9') return 0;
            *number = *number * 10 + (unsigned)(digits.at[k] - '0');
        }
        *line = span_trim((span){ line->at, i - 1 });
        return *number >= TMF_FIRST_ARGUMENT;
    }
    return 0;
}

/* `expression, ItemName(list)`: from the end, since an expression may hold anything. */
static int split(span line, span *expression, span *name, span *list)
{
    size_t end = line.n, depth = 0, i = line.n;

    *list = (span){ 0 };
    if (end && line.at[end - 1] == ')') {
        while (i-- > 0) {
            depth += line.at[i] == ')';
            if (line.at[i] == '(' && !--depth) break;
        }
        if (depth) return 0;
        *list = (span){ line.at + i + 1, end - i - 2 };
        end = i;
    }
    i = end;
    while (i && is_word(line.at[i - 1])) i--;
    *name = (span){ line.at + i, end - i };
    span before = span_trim((span){ line.at, i });
    if (!before.n || before.at[before.n - 1] != ',') return 0;
    *expression = span_trim((span){ before.at, before.n - 1 });
    return name->n > 0;
}

int tmf_argument_read(span line, const char *format, fields *f, tmf_argument *out, char *why, size_t cap)
{
    span expression, name, list;

    if (!take_number(&line, &out->number) || !split(line, &expression, &name, &list)) {
        snprintf(why, cap, "an argument is not written as `expression, ItemType -- number`");
        return 0;
    }
    const item *it = item_of(name);
    if (!it) {
        snprintf(why, cap, "an argument is of the type %.*s, which is not known", name.n < 40 ? (int)name.n : 40,
                 name.at);
        return 0;
    }
    if (f->n >= TMF_MOST_ARGUMENTS) {
        snprintf(why, cap, "a message has more than %d arguments", TMF_MOST_ARGUMENTS);
        return 0;
    }
    tw_field *field = fields_add(f, field_name(f, expression));
    field->kind = it->kind;
    field->show = it->show;
    field->bytes_by = it->bytes_by;
    field->bytes = it->bytes;
    if (!span_is(expression, field->name)) field->help = store_text(f->from, expression.at, expression.n);
    if (it->number) read_number(field, letter_of(format, out->number));
    if (it->writes == TMF_LIST || it->writes == TMF_SET)
        field->names = item_names(f->from, list, it->writes == TMF_SET);
    out->writes = it->writes;
    return 1;
}
