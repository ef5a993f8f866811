/* expr_type.c - from a tree and a type of event to a program.

   One idea: programs are made from their end. Each condition is told where to go on for yes and for no, both made
   before it; so a condition that the type decides is nothing but one of the two, and `and`, `or` and `not` cost no step. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "expr_tree.h"
#include "layout.h"
#include "unit.h"

enum { SAME_NAMED = 64 /* values of one name that are looked for */ };

/* ---- Kinds: what fits what ---- */

typedef struct folding {
    expr *x;
    const tw_type *type;
    int strict; /* no type yet, only the names of the header are known; what does not fit is an error */
    int failed;
    text *why;
} folding;

static const char *const class_names[] = {
    "anything", "absent", "true or false", "a number", "text", "a moment", "a span of time", "a GUID", "an address", "a structure",
};

static int class_of_kind(int kind)
{
    switch (kind) {
    case 0: return CLASS_ABSENT;
    case TW_BOOL: case TW_BOOL32: return CLASS_BOOL;
    case TW_TIME: case TW_TICKS: case TW_FILETIME: case TW_SYSTEMTIME: return CLASS_TIME;
    case TW_SPAN: case TW_TICK_SPAN: return CLASS_SPAN;
    case TW_GUID: return CLASS_GUID;
    case TW_IP4: case TW_IP6: return CLASS_IP;
    case TW_TEXT: case TW_TEXT8: case TW_TEXT16: case TW_SID: case TW_TOKENSID: case TW_SOCKADDR: case TW_BYTES:
        return CLASS_TEXT;
    case TW_STRUCT: return CLASS_OTHER;
    default: return CLASS_NUMBER;
    }
}

/* How a side of a comparison is called in a sentence: as it was written. */
typedef struct slice {
    const char *at;
    int n;
} slice;

static slice written(const node *n)
{
    slice s = { n->at, (int)(n->end - n->at) };
    if (s.n <= 40) return s;
    for (s.n = 40; (s.at[s.n] & 0xC0) == 0x80;) s.n--;
    return s;
}

/* 0, after the reason was kept: for good where it is an error, with the node where it may be right for other types. */
static int misfit(folding *f, node *n, const node *place, const char *format, ...) PRINTF_LIKE(4, 5);
static int misfit(folding *f, node *n, const node *place, const char *format, ...)
{
    char sentence[512];
    va_list args;

    if (f->strict ? f->failed : n->misfit != NULL) return 0;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (f->strict) {
        f->failed = 1;
        text_format(f->why, "column %u: %s", (unsigned)expr_column(f->x, place->at), sentence);
    } else {
        n->misfit = arena_text(&f->x->memory, sentence, strlen(sentence));
    }
    return 0;
}

static int differ(folding *f, const node *left, node *right)
{
    slice l = written(left), r = right->at ? written(right) : (slice){ "", 0 };
    const char *hint = "";

    if (!right->at)
        return misfit(f, right, left, "%.*s is %s and no condition; compare it with something", l.n, l.at,
                      class_names[left->class]);
    if (right->class == CLASS_NUMBER && left->class == CLASS_TIME)
        hint = "; write a span from the start of the trace, as 10s, or a moment, as '2026-11-30T08:15'";
    if (right->class == CLASS_NUMBER && left->class == CLASS_SPAN) hint = "; write it with a unit, as 5ms";
    return misfit(f, right, right, "%.*s is %s; %.*s is %s%s", l.n, l.at, class_names[left->class], r.n, r.at,
                  class_names[right->class], hint);
}

static int is_null(const node *n)
{
    return n->op == NODE_LITERAL && n->given.form == FORM_ABSENT;
}

/* What the values of a number are called, where a text beside it is to be read as such a name. */
static const tw_names *names_for(const node *left, const node *right)
{
    if (left->op != NODE_NAME || left->class != CLASS_NUMBER || !left->name.column) return NULL;
    if (right->op != NODE_LITERAL || right->given.form != FORM_TEXT) return NULL;
    return left->name.column->names;
}

static int is_named(const tw_name *name, const node *literal)
{
    const tw_text *t = &literal->given.t;
    return name->name && strlen(name->name) == t->bytes && memcmp(name->name, t->at, t->bytes) == 0;
}

/* Can a text stand for a value of that number? */
static int meet_name(folding *f, const tw_names *names, int compare, const node *left, node *right)
{
    slice l = written(left), r = written(right);
    const char *list[256], *near;
    uint32_t n = 0;

    if (compare != SAME && compare != DIFFERENT && !(compare == HAS && (names->flags & TW_BITS)))
        return misfit(f, right, right, "%.*s is a number; its named values can be compared by == and ~= only", l.n, l.at);
    for (uint32_t i = 0; i < names->n; i++) {
        if (is_named(&names->name[i], right)) return 1;
        if (n < 256) list[n++] = names->name[i].name;
    }
    near = text_nearest(right->given.t.at, list, n);
    if (near) return misfit(f, right, right, "%.*s has no value called %.*s; did you mean '%s'?", l.n, l.at, r.n, r.at, near);
    return misfit(f, right, right, "%.*s has no value called %.*s", l.n, l.at, r.n, r.at);
}

/* Four numbers with points between them: 1 and four bytes. */
static int ip4_of(const char *s, uint8_t out[4])
{
    for (int i = 0; i < 4; i++) {
        unsigned n = 0, digits = 0;
        while (*s >= '0' && *s <= '9' && digits < 3) n = n * 10 + (unsigned)(*s++ - '0'), digits++;
        if (!digits || n > 255 || *s++ != (i < 3 ? '.' : 0)) return 0;
        out[i] = (uint8_t)n;
    }
    return 1;
}

static int hex_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Eight groups of hex digits, one run of zero groups written as `::`, the last two perhaps as an IPv4 address. */
static int ip6_of(const char *s, uint8_t out[16])
{
    uint8_t bytes[16];
    int n = 0, gap = -1;

    memset(out, 0, 16);
    if (s[0] == ':' && s[1] == ':') {
        gap = 0;
        s += 2;
    }
    while (*s && n <= 14) {
        unsigned group = 0;
        int digits = 0;
        if (n <= 12 && ip4_of(s, bytes + n)) {
            n += 4;
            s += strlen(s);
            break;
        }
        for (; digits < 4 && hex_of(*s) >= 0; s++, digits++) group = group << 4 | (unsigned)hex_of(*s);
        if (!digits) return 0;
        bytes[n++] = (uint8_t)(group >> 8);
        bytes[n++] = (uint8_t)group;
        if (!*s) break;
        if (*s++ != ':' || (!*s)) return 0;
        if (*s == ':') {
            if (gap >= 0) return 0;
            gap = n;
            s++;
        }
    }
    if (*s || (gap < 0 ? n != 16 : n > 14)) return 0;
    int before = gap < 0 ? n : gap;
    memcpy(out, bytes, (size_t)before);
    memcpy(out + 16 - (n - before), bytes + before, (size_t)(n - before));
    return 1;
}

static value bytes_value(folding *f, int form, const uint8_t *bytes, uint32_t n)
{
    return (value){ .form = (uint8_t)form, .t = { arena_text(&f->x->memory, (const char *)bytes, n), n, 0 } };
}

/* Reads a literal as what the other side is. 0: it cannot be read so, and that was said. */
static int convert(folding *f, const node *left, node *right)
{
    uint8_t bytes[16];
    text why = { 0 };
    const char *s = right->given.t.at;
    int relative = 0, fine = 1;
    slice r = written(right);

    if (right->given.form != FORM_TEXT) { /* 0 needs no unit */
        if (right->given.form == FORM_INT && right->given.i == 0 && (left->class == CLASS_TIME || left->class == CLASS_SPAN))
            right->v.form = FORM_SPAN;
    } else if (left->class == CLASS_TIME) {
        fine = unit_time(s, &right->v.i, &relative, &why) == TW_OK;
        right->v.form = relative ? FORM_SPAN : FORM_TIME;
    } else if (left->class == CLASS_SPAN) {
        fine = unit_span(s, &right->v.i, &why) == TW_OK;
        right->v.form = FORM_SPAN;
    } else if (left->class == CLASS_GUID) {
        if (!guid_parse(s, bytes))
            return misfit(f, right, right, "%.*s is no GUID; write it like '3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c'", r.n, r.at);
        right->v = bytes_value(f, FORM_GUID, bytes, 16);
    } else if (left->class == CLASS_IP) {
        int four = ip4_of(s, bytes);
        if (!four && !ip6_of(s, bytes))
            return misfit(f, right, right, "%.*s is no address; write it like '10.0.0.1' or 'fe80::1'", r.n, r.at);
        right->v = bytes_value(f, FORM_IP, bytes, four ? 4 : 16);
    } else if (left->class == CLASS_NUMBER && left->op == NODE_NAME && left->name.show == TW_SHOW_IP4 && ip4_of(s, bytes)) {
        value_of_u64(tw_u32(bytes), &right->v);
    } else if (left->class == CLASS_NUMBER && left->op == NODE_NAME && left->name.show == TW_SHOW_CHAR && s[0] && !s[1]) {
        value_of_u64((unsigned char)s[0], &right->v);
    }
    if (!fine) misfit(f, right, right, "%s", text_of(&why));
    text_free(&why);
    right->class = (uint8_t)value_class(&right->v);
    return fine;
}

/* 1 where two values can be compared so. */
static int meet(folding *f, int compare, node *left, node *right)
{
    slice l = written(left);
    const tw_names *names = names_for(left, right);

    if (is_null(right)) {
        if (compare == SAME || compare == DIFFERENT) return 1;
        return misfit(f, right, right, "null is neither more nor less; only == and ~= can ask for it");
    }
    if (names) return meet_name(f, names, compare, left, right);
    if (compare >= STARTS) {
        int text_like = left->class == CLASS_TEXT || left->class == CLASS_GUID || left->class == CLASS_IP;
        if (left->class > CLASS_ABSENT && !text_like)
            return misfit(f, right, left, "%.*s is %s; starts, ends and has ask about text", l.n, l.at, class_names[left->class]);
        if (right->class > CLASS_ABSENT && right->class != CLASS_TEXT)
            return misfit(f, right, right, "starts, ends and has are followed by text, as in %.*s has 'abc'", l.n, l.at);
        return 1;
    }
    if (right->op == NODE_LITERAL && !convert(f, left, right)) return 0;
    if (left->class <= CLASS_ABSENT || right->class <= CLASS_ABSENT) return 1;
    if (left->class == CLASS_TIME && right->class == CLASS_SPAN) return 1;
    if (left->class == CLASS_SPAN && right->class == CLASS_TIME) return 1;
    if (left->class != right->class || left->class == CLASS_OTHER) return differ(f, left, right);
    if (compare > DIFFERENT && (left->class == CLASS_BOOL || left->class == CLASS_GUID || left->class == CLASS_IP))
        return misfit(f, right, left, "%.*s is %s; it can be compared by == and ~= only", l.n, l.at, class_names[left->class]);
    return 1;
}

/* The class of a result, or -1 where there is none. */
static int class_of_result(char sign, int a, int b)
{
    static const struct {
        char sign;
        uint8_t a, b, result;
    } rules[] = {
        { '+', CLASS_TIME, CLASS_SPAN, CLASS_TIME },   { '+', CLASS_SPAN, CLASS_TIME, CLASS_TIME },
        { '+', CLASS_SPAN, CLASS_SPAN, CLASS_SPAN },   { '-', CLASS_TIME, CLASS_TIME, CLASS_SPAN },
        { '-', CLASS_TIME, CLASS_SPAN, CLASS_TIME },   { '-', CLASS_SPAN, CLASS_SPAN, CLASS_SPAN },
        { '*', CLASS_SPAN, CLASS_NUMBER, CLASS_SPAN }, { '*', CLASS_NUMBER, CLASS_SPAN, CLASS_SPAN },
        { '/', CLASS_SPAN, CLASS_NUMBER, CLASS_SPAN }, { '/', CLASS_SPAN, CLASS_SPAN, CLASS_NUMBER },
        { '%', CLASS_SPAN, CLASS_SPAN, CLASS_SPAN },
    };
    if (a == CLASS_NUMBER && b == CLASS_NUMBER) return CLASS_NUMBER;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].sign == sign && rules[i].a == a && rules[i].b == b) return rules[i].result;
    }
    if (a > CLASS_ABSENT && a != CLASS_NUMBER && a != CLASS_TIME && a != CLASS_SPAN) return -1;
    if (b > CLASS_ABSENT && b != CLASS_NUMBER && b != CLASS_TIME && b != CLASS_SPAN) return -1;
    if (a == CLASS_ABSENT || b == CLASS_ABSENT) return CLASS_ABSENT;
    return a == CLASS_ANY || b == CLASS_ANY ? CLASS_ANY : -1;
}

static int class_of_negative(int class)
{
    return class <= CLASS_ABSENT || class == CLASS_NUMBER || class == CLASS_SPAN ? class : -1;
}

/* ---- Folding: what the type makes of each node ---- */

static void absent(node *n)
{
    n->class = CLASS_ABSENT;
    n->known = 1;
    n->v.form = FORM_ABSENT;
}

static void fold_name(folding *f, node *n)
{
    name_resolve(f->type, n->word, &n->name);
    if (f->strict) {
        n->class = n->name.from == NAME_NONE ? CLASS_ANY : (uint8_t)class_of_kind(n->name.kind);
        return;
    }
    if (n->name.from == NAME_NONE) {
        absent(n);
        return;
    }
    n->seen = 1;
    n->class = (uint8_t)class_of_kind(n->name.kind);
    if (n->name.from == NAME_TYPE) {
        value_of(&n->name.value, &n->name, &f->x->memory, &n->v);
        n->class = (uint8_t)value_class(&n->v);
        n->known = 1;
    }
}

static void fold_arithmetic(folding *f, node *n)
{
    node *left = n->first, *right = left->next;
    int class = right ? class_of_result(n->sign, left->class, right->class) : class_of_negative(left->class);

    if (class < 0) {
        slice l = written(left), r = right ? written(right) : l;
        absent(n);
        if (right)
            misfit(f, n, left, "%.*s is %s, %.*s is %s; there is no %.*s %c %.*s", l.n, l.at, class_names[left->class], r.n,
                   r.at, class_names[right->class], l.n, l.at, n->sign, r.n, r.at);
        else
            misfit(f, n, left, "%.*s is %s; only numbers and spans of time can be negative", l.n, l.at,
                   class_names[left->class]);
        return;
    }
    n->class = (uint8_t)class;
    n->fitted |= !f->strict && class != CLASS_ABSENT;
    n->known = left->known && (!right || right->known);
    if (!n->known) return;
    n->v = left->v;
    if (right)
        value_compute(n->sign, &left->v, &right->v, &n->v);
    else
        value_negate(&n->v);
}

static void fold(folding *f, node *n)
{
    n->known = 0;
    n->fits = 1;
    n->v.form = FORM_ABSENT;
    for (node *child = n->first; child; child = child->next) fold(f, child);

    switch ((enum node_op)n->op) {
    case NODE_LITERAL:
        n->v = n->given;
        n->known = 1;
        n->class = (uint8_t)value_class(&n->v);
        break;
    case NODE_NAME: fold_name(f, n); break;
    case NODE_NEGATE: case NODE_ARITHMETIC: fold_arithmetic(f, n); break;
    case NODE_COMPARE: case NODE_IN:
        for (node *right = n->first->next; right; right = right->next) {
            right->fits = (uint8_t)meet(f, n->op == NODE_IN ? SAME : n->compare, n->first, right);
            right->fitted |= !f->strict && right->fits && n->first->class != CLASS_ABSENT;
        }
        break;
    case NODE_AND: case NODE_OR: case NODE_NOT: case NODE_EXISTS: break;
    }
}

int expr_check(expr *x, text *why)
{
    static const layout blank = { .type = { .size = sizeof(tw_type), .provider = "", .name = "" }, .full_name = "" };
    folding f = { .x = x, .type = &blank.type, .strict = 1, .why = why };
    fold(&f, x->root);
    return f.failed ? TW_ERROR : TW_OK;
}

/* ---- Steps ---- */

/* Adds a step in front of those there are; returns its index. */
static uint32_t emit(expr *x, step s)
{
    if (x->nscratch == x->cap) {
        x->cap = x->cap ? x->cap * 2 : 64;
        x->scratch = mem_grow(x->scratch, x->cap * sizeof *x->scratch);
    }
    x->scratch[x->nscratch] = s;
    return FIRST_STEP + x->nscratch++;
}

static uint32_t emit_test(expr *x, step s, uint32_t yes, uint32_t no)
{
    if (yes == no) return yes;
    s.yes = yes;
    s.no = no;
    return emit(x, s);
}

/* Steps that bring a value into a slot and go on. */
static uint32_t make_value(expr *x, const node *n, uint8_t slot, uint32_t next)
{
    step s = { .a = slot, .yes = next };

    if (next < FIRST_STEP) return next; /* nobody looks at it */
    if (n->known) {
        s.op = CONSTANT;
        s.k = n->v;
        return emit(x, s);
    }
    if (n->op == NODE_NAME) {
        name *copy = arena_alloc(&x->memory, sizeof *copy);
        *copy = n->name;
        s.op = LOAD;
        s.name = copy;
        return emit(x, s);
    }
    s.op = n->op == NODE_NEGATE ? NEGATE : COMPUTE;
    s.compare = (uint8_t)n->sign;
    next = emit(x, s);
    if (n->op == NODE_ARITHMETIC) next = make_value(x, n->first->next, (uint8_t)(slot + 1), next);
    return make_value(x, n->first, slot, next);
}

/* ---- Numbers at known places: load and compare in one step ---- */

typedef struct place {
    uint8_t op;
    int is_signed;
    uint32_t offset;
    uint64_t mask;
} place;

static int event_place(const name *n, place *out)
{
    switch (n->kind) {
    case TW_U16: out->op = EVENT_16; return 1;
    case TW_U32: out->op = EVENT_32; return 1;
    case TW_TIME: out->is_signed = 1; /* fall through */
    case TW_U64: out->op = EVENT_64; return 1;
    default: return 0;
    }
}

static int data_place(const name *n, place *out)
{
    switch (n->kind) {
    case TW_U8: out->op = DATA_U8; return 1;
    case TW_U16: out->op = DATA_U16; return 1;
    case TW_U32: out->op = DATA_U32; return 1;
    case TW_U64: out->op = DATA_64; return 1;
    default: out->is_signed = 1; break;
    }
    switch (n->kind) {
    case TW_I8: out->op = DATA_I8; return 1;
    case TW_I16: out->op = DATA_I16; return 1;
    case TW_I32: out->op = DATA_I32; return 1;
    case TW_I64: out->op = DATA_64; return 1;
    default: return 0; /* floats */
    }
}

/* 1 where n is a number that lies at a fixed place, perhaps with some of its bits only. */
static int place_of(const node *n, place *out)
{
    *out = (place){ .mask = UINT64_MAX };
    if (n->op == NODE_ARITHMETIC && n->sign == '&') {
        const node *mask = n->first->next;
        if (n->first->op != NODE_NAME || n->class != CLASS_NUMBER || !mask->known) return 0;
        if (!(mask->v.form == FORM_INT && mask->v.i >= 0) && mask->v.form != FORM_BIG) return 0;
        if (!place_of(n->first, out)) return 0;
        out->mask = mask->v.u;
        out->is_signed = 0;
        return 1;
    }
    if (n->op != NODE_NAME || n->known) return 0;
    out->offset = n->name.offset;
    if (n->name.from == NAME_EVENT) return event_place(&n->name, out);
    return n->name.from == NAME_FIXED && data_place(&n->name, out);
}

/* The range of numbers that compare so with k, as the step wants it; 0 where there is none. */
static int set_range(step *s, int compare, wide k, int is_signed)
{
    wide least = is_signed ? INT64_MIN : 0, most = is_signed ? (wide)INT64_MAX : (wide)UINT64_MAX;
    wide low = compare == ABOVE ? k + 1 : k, high = compare == BELOW ? k - 1 : k;

    if (compare == HAS) {
        s->mask &= (uint64_t)k;
        s->low = (uint64_t)k;
        s->width = 0;
        return 1;
    }
    if (compare == BELOW || compare == AT_MOST) low = least;
    if (compare == ABOVE || compare == AT_LEAST) high = most;
    if (low < least) low = least;
    if (high > most) high = most;
    if (low > high) {
        if (compare != DIFFERENT) return 0;
        low = least; /* differs from all there can be, if it is there */
        high = most;
    } else {
        s->negate = compare == DIFFERENT;
    }
    s->low = (uint64_t)low;
    s->width = (uint64_t)high - (uint64_t)low;
    return 1;
}

static uint32_t make_range(expr *x, place at, int compare, const value *k, uint32_t yes, uint32_t no)
{
    step s = { .op = at.op, .offset = at.offset };
    wide number = value_wide(k);

    s.mask = at.mask;
    if (k->form == FORM_BOOL) { /* whatever is not 0 is true */
        compare = (compare == SAME) == (number != 0) ? DIFFERENT : SAME;
        number = 0;
    }
    if (!set_range(&s, compare, number, at.is_signed)) return no;
    return emit_test(x, s, yes, no);
}

/* 1, and the entry, where the comparison is of a number at a known place with a known number of its class. */
static int direct_number(expr *x, const node *left, int compare, const value *k, uint32_t yes, uint32_t no,
                         uint32_t *entry)
{
    place at;

    if (k->form == FORM_FLOAT || !place_of(left, &at)) return 0;
    if (left->class == CLASS_TIME && k->form == FORM_SPAN) {
        if (at.op != EVENT_64) return 0;
        at.op = EVENT_SINCE;
    } else if (value_class(k) != left->class) {
        return 0;
    }
    *entry = make_range(x, at, compare, k, yes, no);
    return 1;
}

/* ---- Text of the payload that need not be converted ---- */

/* UTF-8 as UTF-16LE; 0 where it has no exact counterpart: then converted text has to be compared. */
static uint32_t utf16_of(const tw_text *t, uint8_t *out)
{
    const uint8_t *s = (const uint8_t *)t->at, *end = s + t->bytes;
    uint32_t n = 0;

    while (s < end) {
        int more = *s < 0x80 ? 0 : (*s & 0xE0) == 0xC0 ? 1 : (*s & 0xF0) == 0xE0 ? 2 : (*s & 0xF8) == 0xF0 ? 3 : -1;
        if (more < 0 || more >= end - s) return 0;
        uint32_t c = more ? *s & (0x3Fu >> more) : *s;
        for (int i = 1; i <= more; i++) {
            if ((s[i] & 0xC0) != 0x80) return 0;
            c = c << 6 | (s[i] & 0x3F);
        }
        s += more + 1;
        if (!c || c == 0xFFFD || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
        uint32_t units = c < 0x10000 ? c : (0xD7C0 + (c >> 10)) | (0xDC00 + (c & 0x3FF)) << 16;
        for (int i = 0; i < (c < 0x10000 ? 2 : 4); i++) out[n++] = (uint8_t)(units >> 8 * i);
    }
    return n;
}

static int direct_text(expr *x, const node *left, int compare, const value *k, uint32_t yes, uint32_t no, uint32_t *entry)
{
    const tw_field *c = left->op == NODE_NAME && left->name.from == NAME_FIELD ? left->name.column : NULL;
    step s = { .op = DATA_TEXT16, .compare = (uint8_t)compare };

    if (k->form != FORM_TEXT || !k->t.bytes || (compare > DIFFERENT && compare != STARTS)) return 0;
    if (!c || c->kind != TW_TEXT16 || c->bytes_by != TW_ONE || c->count_by != TW_ONE || c->after || c->parent) return 0;
    uint8_t *units = arena_alloc(&x->memory, (size_t)k->t.bytes * 2);
    s.bytes = utf16_of(&k->t, units);
    s.units = units;
    s.offset = c->offset;
    if (!s.bytes) return 0;
    *entry = emit_test(x, s, yes, no);
    return 1;
}

/* ---- Conditions ---- */

static uint32_t make_present(expr *x, const node *n, uint32_t yes, uint32_t no)
{
    if (n->known) return n->v.form != FORM_ABSENT ? yes : no;
    if (n->op == NODE_NAME && n->name.from == NAME_EVENT) return yes;
    return make_value(x, n, 0, emit_test(x, (step){ .op = TEST_PRESENT }, yes, no));
}

/* Where it goes on if slot 0 compares so with k, or the number that lies at its place. */
static uint32_t make_against(expr *x, const node *left, int compare, const value *k, int loaded,
                             uint32_t yes, uint32_t no)
{
    uint32_t entry;

    if (!loaded && (direct_number(x, left, compare, k, yes, no, &entry) ||
                    direct_text(x, left, compare, k, yes, no, &entry)))
        return entry;
    step s = { .op = TEST_CONSTANT, .compare = (uint8_t)compare };
    s.k = *k;
    entry = emit_test(x, s, yes, no);
    return loaded ? entry : make_value(x, left, 0, entry);
}

/* A named value as the number that has this kind: names of negative ones are written as the kind's own bits. */
static void named_value(int kind, uint64_t u, value *out)
{
    switch (kind) {
    case TW_I8: *out = (value){ .form = FORM_INT, .i = (int8_t)u }; break;
    case TW_I16: *out = (value){ .form = FORM_INT, .i = (int16_t)u }; break;
    case TW_I32: *out = (value){ .form = FORM_INT, .i = (int32_t)u }; break;
    case TW_I64: *out = (value){ .form = FORM_INT, .i = (int64_t)u }; break;
    default: value_of_u64(u, out); break;
    }
}

/* A number against what its value is called: several values may have that name. */
static uint32_t make_named(expr *x, const node *left, const node *right, int compare, int loaded,
                           uint32_t yes, uint32_t no)
{
    const tw_names *names = left->name.column->names;
    uint32_t entry = compare == DIFFERENT ? yes : no, found = 0;
    value k;

    for (uint32_t i = 0; i < names->n && found < SAME_NAMED; i++) {
        if (!is_named(&names->name[i], right)) continue;
        found++;
        named_value(left->name.kind, names->name[i].value, &k);
        entry = compare == DIFFERENT ? make_against(x, left, compare, &k, loaded, entry, no)
                                     : make_against(x, left, compare, &k, loaded, yes, entry);
    }
    return entry;
}

/* One comparison. loaded: the left side is in slot 0 already. */
static uint32_t make_comparison(expr *x, const node *left, const node *right, int compare, int loaded,
                                uint32_t yes, uint32_t no)
{
    if (is_null(right)) return compare == SAME ? make_present(x, left, no, yes) : make_present(x, left, yes, no);
    if (!right->fits || left->class == CLASS_ABSENT || right->class == CLASS_ABSENT) return no;
    if (names_for(left, right)) return make_named(x, left, right, compare, loaded, yes, no);
    if (left->known && right->known && left->class == right->class)
        return value_compare(compare, &left->v, &right->v) ? yes : no;
    if (right->known) return make_against(x, left, compare, &right->v, loaded, yes, no);
    uint32_t entry = emit_test(x, (step){ .op = TEST_SLOTS, .compare = (uint8_t)compare }, yes, no);
    entry = make_value(x, right, 1, entry);
    return loaded ? entry : make_value(x, left, 0, entry);
}

static uint32_t make_in(expr *x, const node *n, uint32_t yes, uint32_t no)
{
    const node *left = n->first;
    place at;
    int loaded = !left->known && !place_of(left, &at), any = 0;
    uint32_t entry = n->compare == SAME ? no : yes;

    for (const node *right = left->next; right; right = right->next) {
        if (!right->fits) continue; /* what cannot be compared differs from all */
        any = 1;
        entry = n->compare == SAME ? make_comparison(x, left, right, SAME, loaded, yes, entry)
                                   : make_comparison(x, left, right, DIFFERENT, loaded, entry, no);
    }
    if (!any && n->compare == DIFFERENT) return make_present(x, left, yes, no);
    return loaded ? make_value(x, left, 0, entry) : entry;
}

static uint32_t make(expr *x, const node *n, uint32_t yes, uint32_t no);

/* The children in turn, the last one made first. */
static uint32_t make_joined(expr *x, const node *child, int all, uint32_t yes, uint32_t no)
{
    uint32_t entry = all ? yes : no, n = 0;
    const node **list;

    for (const node *c = child; c; c = c->next) n++;
    list = mem_new(n * sizeof *list);
    for (n = 0; child; child = child->next) list[n++] = child;
    while (n--) entry = all ? make(x, list[n], entry, no) : make(x, list[n], yes, entry);
    free(list);
    return entry;
}

static uint32_t make(expr *x, const node *n, uint32_t yes, uint32_t no)
{
    if (yes == no) return yes;
    switch ((enum node_op)n->op) {
    case NODE_AND: return make_joined(x, n->first, 1, yes, no);
    case NODE_OR: return make_joined(x, n->first, 0, yes, no);
    case NODE_NOT: return make(x, n->first, no, yes);
    case NODE_EXISTS: return make_present(x, n->first, yes, no);
    case NODE_IN: return make_in(x, n, yes, no);
    default: return make_comparison(x, n->first, n->first->next, n->compare, 0, yes, no);
    }
}

/* ---- Types ---- */

int expr_type(expr *x, const tw_type *t, text *why)
{
    static const program all = { NULL, PASS }, none = { NULL, FAIL };
    folding f = { .x = x, .type = t, .why = why };

    if (x->by_type[t->id]) return TW_OK;
    x->types++;
    x->nscratch = 0;
    fold(&f, x->root);
    uint32_t entry = make(x, x->root, PASS, FAIL);
    if (entry < FIRST_STEP) {
        x->by_type[t->id] = entry == PASS ? &all : &none;
        return TW_OK;
    }
    size_t bytes = x->nscratch * sizeof *x->scratch;
    if (x->memory.used > EXPR_MAX_MEMORY || bytes > EXPR_MAX_MEMORY) {
        text_format(why, "the expression is too long for a trace of so many types of event (more than 256 MiB)");
        return TW_ERROR;
    }
    program *p = arena_alloc(&x->memory, sizeof *p);
    p->step = memcpy(arena_alloc(&x->memory, bytes), x->scratch, bytes);
    p->entry = entry;
    x->by_type[t->id] = p;
    return TW_OK;
}

int expr_known(const expr *x, uint32_t type)
{
    const program *p = x->by_type[type];
    return !p || p->entry >= FIRST_STEP ? -1 : p->entry == PASS;
}

/* ---- Remarks ---- */

static void remark_misfits(const node *n, void (*each)(void *, const char *), void *context)
{
    if (n->misfit && !n->fitted) each(context, n->misfit);
    for (const node *child = n->first; child; child = child->next) remark_misfits(child, each, context);
}

void expr_remarks(const expr *x, const types *r, void (*each)(void *context, const char *sentence), void *context)
{
    const char *told[8];
    uint32_t ntold = 0;
    text sentence = { 0 };

    if (!x->types) return;
    for (const node *n = x->last_name; n && ntold < 8; n = n->name_before) {
        int seen = n->seen || name_is_header(n->word);
        for (uint32_t i = 0; i < ntold; i++) seen |= strcmp(told[i], n->word) == 0;
        if (seen) continue;
        told[ntold++] = n->word;
        const char *near = name_nearest(r, n->word);
        text_clear(&sentence);
        text_format(&sentence, "no event had a field '%s'", n->word);
        if (near) text_format(&sentence, "; did you mean '%s'?", near);
        each(context, text_of(&sentence));
    }
    text_free(&sentence);
    remark_misfits(x->root, each, context);
}
