/* message.c - what an event says; see message.h.

   One idea: the message is cut into pieces twice, first to learn which fields it asks for, then to write it. */
#include "message.h"

#include <stdio.h>
#include <stdlib.h>

#include "encoding.h"
#include "layout.h"

enum { FIELDS = 99, WIDEST = 999, DIGITS = 64, FLOAT_ROOM = 512, PRINTED = 256, MOST_FRACTION = 100 };

/* ---- The message as pieces ---- */

typedef struct spec {
    char letter; /* 0: none was given */
    uint8_t left, plus, blank, zero, sharp, commas, half;
    int width, precision; /* precision -1: none */
} spec;

typedef struct piece { /* plain bytes, or a field by its number and, for where there is none, how that was written */
    const char *at;
    size_t n;
    unsigned field;
    spec spec;
} piece;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int take_number(const char **at)
{
    int n = 0;

    for (; is_digit(**at); ++*at)
        if (n <= WIDEST) n = n * 10 + (**at - '0');
    return n <= WIDEST ? n : WIDEST;
}

static void take_flags(const char **at, spec *s)
{
    for (;; ++*at) {
        switch (**at) {
        case '-': s->left = 1; break;
        case '+': s->plus = 1; break;
        case ' ': s->blank = 1; break;
        case '0': s->zero = 1; break;
        case '#': s->sharp = 1; break;
        case ',': s->commas = 1; break;
        default: return;
        }
    }
}

static void take_size(const char **at, spec *s)
{
    if (**at == 'I') {
        ++*at;
        if (!strncmp(*at, "64", 2) || !strncmp(*at, "32", 2)) *at += 2;
        return;
    }
    for (; **at && strchr("hlwLjqtz", **at); ++*at) s->half |= **at == 'h';
}

/* What stands between the two exclamation marks, of which the first was passed. 0: it is no such thing, so the mark is
   one of the sentence's own. */
static int take_spec(const char **at, spec *out)
{
    const char *p = *at;
    spec s = { .precision = -1 };

    take_flags(&p, &s);
    s.width = take_number(&p);
    if (*p == '.') {
        p++;
        s.precision = take_number(&p);
    }
    take_size(&p, &s);
    if (!*p || !strchr("diuoxXcpeEfgGaAsSZ", *p) || p[1] != '!') return 0;
    s.letter = *p;
    *out = s;
    *at = p + 2;
    return 1;
}

static void take_field(const char **at, piece *p)
{
    p->at = *at - 1;
    p->field = (unsigned)(**at - '0');
    ++*at;
    if (is_digit(**at)) p->field = p->field * 10 + (unsigned)(*(*at)++ - '0');
    if (**at == '!') {
        const char *behind = *at + 1;
        if (take_spec(&behind, &p->spec)) *at = behind;
    }
    p->n = (size_t)(*at - p->at);
}

static void take_escape(const char **at, piece *p)
{
    static const char from[] = "nrtb", to[] = "\n\r\t ";
    const char *found = strchr(from, **at);

    p->at = found ? to + (found - from) : *at;
    p->n = 1;
    ++*at;
}

/* The next piece; 0 at the end. */
static int next_piece(const char **at, piece *p)
{
    const char *start = *at;

    *p = (piece){ .spec = { .precision = -1 } };
    if (!*start || (start[0] == '%' && (start[1] == '0' || !start[1]))) return 0;
    if (*start != '%') {
        *at += strcspn(start, "%");
        p->at = start;
        p->n = (size_t)(*at - start);
        return 1;
    }
    ++*at;
    if (is_digit(**at))
        take_field(at, p);
    else
        take_escape(at, p);
    return 1;
}

/* ---- Values, until they are asked for ---- */

typedef struct slot {
    const tw_field *field; /* NULL: the type has none of that number */
    tw_value value;        /* kind 0: the event has none */
    text list;             /* of an array or a struct: all that is in it */
    uint32_t open;         /* structs in `list` that are not closed */
    uint8_t asked, listed;
    uint8_t opened; /* `list` ends with the beginning of a struct */
} slot;

typedef struct writer {
    const tw_type *type;
    text *out;
    size_t most; /* of out->n */
    unsigned n;  /* slots that are set up: those up to the highest number in the message */
    slot slot[FIELDS + 1];
} writer;

/* The bytes of a character that would be cut in two are left out. */
static size_t whole(const char *bytes, size_t n)
{
    size_t i = n;

    while (i && ((uint8_t)bytes[i - 1] & 0xC0) == 0x80) i--;
    if (!i || (uint8_t)bytes[i - 1] < 0xC0) return n;
    uint8_t first = (uint8_t)bytes[i - 1];
    size_t want = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    return n - (i - 1) < want ? i - 1 : n;
}

static void put(writer *w, const char *bytes, size_t n)
{
    static const char more[] = "…";

    if (w->out->n >= w->most) return;
    if (n <= w->most - w->out->n) {
        text_add(w->out, bytes, n);
        return;
    }
    text_add(w->out, bytes, whole(bytes, w->most - w->out->n));
    text_put(w->out, more);
    w->most = w->out->n;
}

/* A value as every sink writes it: in `room`, in itself or in *more, which the caller frees. */
static const char *printed(const tw_field *f, const tw_value *v, char room[PRINTED], char **more, size_t *n)
{
    *more = NULL;
    if (v->kind == TW_TEXT) {
        *n = v->t.bytes;
        return v->t.at;
    }
    *n = (size_t)value_print(f, v, room, PRINTED);
    if (*n < PRINTED) return room;
    *more = mem_grow(NULL, *n + 1);
    value_print(f, v, *more, *n + 1);
    return *more;
}

static void list_value(slot *s, const tw_walk *w, const tw_field *f, const tw_value *v)
{
    s->listed = 1;
    if (s->list.n > MESSAGE_MAX || f->show == TW_SHOW_HIDE) return;
    for (; s->open > w->depth; s->open--) {
        text_put(&s->list, "}");
        s->opened = 0;
    }
    if (s->list.n && !s->opened) text_put(&s->list, ", ");
    s->opened = v->kind == TW_STRUCT;
    if (s->opened) {
        text_put(&s->list, "{");
        s->open++;
    } else {
        char room[PRINTED], *more;
        size_t n;
        const char *at = printed(f, v, room, &more, &n);
        text_add(&s->list, at, n);
        free(more);
    }
}

/* One walk, as far as the last field that is asked for. */
static void gather(writer *w, const tw_event *e, const decode *d, unsigned last)
{
    const tw_type *t = w->type;
    uint32_t from = 0, behind = 0; /* the fields of the present number: itself and its members */
    unsigned number = 0;
    tw_walk walk;
    tw_value v;

    type_walk(t, e, d, &walk);
    while (type_next(&walk, &v) == TW_OK) {
        while ((uint32_t)walk.field >= behind) {
            from = behind;
            behind = from + 1 + t->field[from].members;
            number++;
        }
        if (number > last) break;
        slot *s = &w->slot[number];
        if (!s->asked) continue;
        if (s->field->kind == TW_STRUCT || layout_is_array(s->field))
            list_value(s, &walk, &t->field[walk.field], &v);
        else
            s->value = v;
    }
    for (number = 1; number <= last; number++)
        for (slot *s = &w->slot[number]; s->open; s->open--) text_put(&s->list, "}");
}

/* What the message asks for; the last of them. */
static unsigned mark(writer *w, const char *message)
{
    const tw_type *t = w->type;
    unsigned last = 0, number = 0;
    piece p;

    while (next_piece(&message, &p)) {
        while (w->n <= p.field) w->slot[w->n++] = (slot){ 0 };
        w->slot[p.field].asked = 1;
    }
    for (uint32_t i = 0; i < t->nfields && number + 1 < w->n; i += 1 + t->field[i].members) {
        slot *s = &w->slot[++number];
        if (s->asked) last = number;
        s->field = &t->field[i];
    }
    return last;
}

/* ---- Writing ---- */

static size_t characters(const char *at, size_t n)
{
    size_t many = 0;

    for (size_t i = 0; i < n; i++) many += ((uint8_t)at[i] & 0xC0) != 0x80;
    return many;
}

static void put_padded(writer *w, const spec *s, const char *at, size_t n)
{
    static const char blanks[] = "                ";
    size_t have = s->width ? characters(at, n) : 0, pad = (size_t)s->width > have ? (size_t)s->width - have : 0;

    if (s->left) put(w, at, n);
    for (size_t run; pad; pad -= run) {
        run = pad < sizeof blanks - 1 ? pad : sizeof blanks - 1;
        put(w, blanks, run);
    }
    if (!s->left) put(w, at, n);
}

/* Bytes of the first so many characters. */
static size_t cut(const char *at, size_t n, size_t left)
{
    size_t i = 0;

    for (; i < n; i++) {
        if (((uint8_t)at[i] & 0xC0) == 0x80) continue;
        if (!left--) break;
    }
    return i;
}

static void put_digits(writer *w, const spec *s, uint64_t u, unsigned base, const char *sign)
{
    static const char low[] = "0123456789abcdef", high[] = "0123456789ABCDEF";
    const char *digit = s->letter == 'X' || s->letter == 'p' ? high : low;
    char line[WIDEST + DIGITS], *end = line + sizeof line, *at = end;
    size_t least = s->precision >= 0 ? (size_t)s->precision : 1;

    if (s->zero && !s->left && s->precision < 0 && (size_t)s->width > strlen(sign))
        least = (size_t)s->width - strlen(sign);
    for (; u || (size_t)(end - at) < least; u /= base) *--at = digit[u % base];
    for (size_t i = strlen(sign); i-- > 0;) *--at = sign[i];
    put_padded(w, s, at, (size_t)(end - at));
}

static int is_integer(uint8_t kind)
{
    return (kind >= TW_BOOL && kind <= TW_I64) || kind == TW_POINTER || kind == TW_BOOL32;
}

static unsigned bits_of(uint8_t kind, const spec *s)
{
    unsigned bits = 64;

    if (kind == TW_BOOL || kind == TW_U8 || kind == TW_I8) bits = 8;
    if (kind == TW_U16 || kind == TW_I16) bits = 16;
    if (kind == TW_U32 || kind == TW_I32 || kind == TW_BOOL32) bits = 32;
    return s->half && bits > 16 ? 16 : bits;
}

static void put_character(writer *w, const spec *s, uint64_t u, unsigned bits)
{
    char c[4];
    uint32_t code = bits == 8 ? encoding_of_1252((uint8_t)u) : u > UINT32_MAX ? UINT32_MAX : (uint32_t)u;

    put_padded(w, s, c, code ? encoding_put(code, c) : 0);
}

/* A number that is said to be signed is read so in its own width, as a program's printf had it. */
static void put_integer(writer *w, const spec *given, const tw_value *v)
{
    spec s = *given;
    unsigned bits = bits_of(v->kind, &s);
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, u = v->u & mask;
    int narrow_unsigned = v->kind == TW_U8 || v->kind == TW_U16 || v->kind == TW_BOOL;
    int negative = !narrow_unsigned && u >> (bits - 1) & 1;
    const char *plus = s.plus ? "+" : s.blank ? " " : "";

    switch (s.letter) {
    case 'd':
    case 'i': put_digits(w, &s, negative ? (0 - u) & mask : u, 10, negative ? "-" : plus); break;
    case 'o': put_digits(w, &s, u, 8, s.sharp && u ? "0" : ""); break;
    case 'x': put_digits(w, &s, u, 16, s.sharp && u ? "0x" : ""); break;
    case 'X': put_digits(w, &s, u, 16, s.sharp && u ? "0X" : ""); break;
    case 'p':
        s.precision = (int)layout_pointer(w->type) * 2;
        put_digits(w, &s, u, 16, "");
        break;
    case 'c': put_character(w, &s, u, bits); break;
    default: put_digits(w, &s, u, 10, ""); break;
    }
}

static void put_float(writer *w, const spec *s, double f)
{
    char line[FLOAT_ROOM];
    const char format[] = { '%', s->plus ? '+' : s->blank ? ' ' : '-', s->sharp ? '#' : '-', '.', '*', s->letter, 0 };
    int precision = s->precision < MOST_FRACTION ? s->precision : MOST_FRACTION;
    int n = snprintf(line, sizeof line, format, precision, f);

    put_padded(w, s, line, n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void put_hex(writer *w, const spec *s, const tw_value *v)
{
    static const char low[] = "0123456789abcdef", high[] = "0123456789ABCDEF";
    const char *digit = s->letter == 'X' ? high : low;

    for (uint32_t i = 0; i < v->t.bytes && w->out->n < w->most; i++) {
        uint8_t byte = (uint8_t)v->t.at[i];
        char two[2] = { digit[byte >> 4], digit[byte & 15] };
        put(w, two, 2);
    }
}

static void put_bits(writer *w, const tw_names *names, uint64_t value)
{
    const char *between = "";
    char rest[24];

    for (uint32_t i = 0; i < names->n && value; i++) {
        uint64_t bits = names->name[i].value;
        if (!bits || (value & bits) != bits) continue;
        put(w, between, strlen(between));
        put(w, names->name[i].name, strlen(names->name[i].name));
        between = ",";
        value &= ~bits;
    }
    if (!value) return;
    int n = snprintf(rest, sizeof rest, "%s0x%llx", between, (unsigned long long)value);
    put(w, rest, (size_t)n);
}

static void put_value(writer *w, const tw_field *f, const spec *s, const tw_value *v)
{
    int words = !s->letter || s->letter == 's' || s->letter == 'S' || s->letter == 'Z';
    int real = v->kind == TW_F32 || v->kind == TW_F64;

    if (words && s->commas && f->names && f->names->flags & TW_BITS && is_integer(v->kind)) {
        put_bits(w, f->names, v->u);
    } else if (!words && is_integer(v->kind) && !strchr("eEfgGaA", s->letter)) {
        put_integer(w, s, v);
    } else if (real && strchr("eEfgGaA", s->letter) && s->letter) {
        put_float(w, s, v->f);
    } else if (v->kind == TW_BYTES && (s->letter == 'x' || s->letter == 'X')) {
        put_hex(w, s, v);
    } else {
        char room[PRINTED], *more;
        size_t n;
        const char *at = printed(f, v, room, &more, &n);
        put_padded(w, s, at, words && s->precision >= 0 ? cut(at, n, (size_t)s->precision) : n);
        free(more);
    }
}

static void put_piece(writer *w, const piece *p)
{
    const slot *s = &w->slot[p->field];

    if (!p->field || !s->field)
        put(w, p->at, p->n);
    else if (s->listed)
        put_padded(w, &p->spec, text_of(&s->list), s->list.n);
    else if (s->value.kind)
        put_value(w, s->field, &p->spec, &s->value);
    else if (!layout_is_array(s->field)) /* an array may be empty */
        put_padded(w, &p->spec, "?", 1);
}

void message_text(const tw_type *t, const tw_event *e, const decode *d, text *out)
{
    const char *message = t->message;
    writer w;
    piece p;

    if (!message) return;
    w.type = t;
    w.out = out;
    w.most = out->n + MESSAGE_MAX;
    w.n = 0;
    unsigned last = mark(&w, message);
    if (last) gather(&w, e, d, last);
    while (out->n < w.most && next_piece(&message, &p)) put_piece(&w, &p);
    for (unsigned i = 1; i <= last; i++) text_free(&w.slot[i].list);
}
