/* expr_type.c - what a type of event makes of an expression.

   One idea: folding goes from the leaves up. Each node learns its kind and, where the type alone decides it, its
   value; a comparison learns whether it has sense, and its literal is read as what stands beside it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"
#include "expr_tree.h"
#include "layout.h"
#include "unit.h"

/* ---- Kinds: what fits what ---- */

typedef struct folding {
    expr *x;
    const tw_type *type;
    int strict; /* no type yet, only the names of the header are known; what does not fit is an error */
    int failed;
    text *why;
} folding;

static const char *const class_names[] = {
    "anything", "absent",         "true or false", "a number",   "text",
    "a moment", "a span of time", "a GUID",        "an address", "a structure",
};

static int class_of_kind(int kind)
{
    switch (kind) {
    case 0: return CLASS_ABSENT;
    case TW_BOOL:
    case TW_BOOL32: return CLASS_BOOL;
    case TW_TIME:
    case TW_TICKS:
    case TW_FILETIME:
    case TW_SYSTEMTIME: return CLASS_TIME;
    case TW_SPAN:
    case TW_TICK_SPAN: return CLASS_SPAN;
    case TW_GUID: return CLASS_GUID;
    case TW_IP4:
    case TW_IP6: return CLASS_IP;
    case TW_TEXT:
    case TW_TEXT8:
    case TW_TEXT16:
    case TW_SID:
    case TW_TOKENSID:
    case TW_SOCKADDR:
    case TW_BYTES: return CLASS_TEXT;
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
    slice s = { n->at ? n->at : "", n->at ? (int)(n->end - n->at) : 0 };
    if (s.n <= 40) return s;
    for (s.n = 40; s.n > 36 && (s.at[s.n] & 0xC0) == 0x80;) s.n--; /* to where a character begins */
    return s;
}

/* 0, after the reason was kept: for good where it is an error, with the node where other types may have it right. */
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

static int no_such_name(folding *f, const node *left, node *right, const char *near)
{
    slice l = written(left), r = written(right);

    if (near)
        return misfit(f, right, right, "%.*s has no value called %.*s; did you mean '%s'?", l.n, l.at, r.n, r.at,
                      near);
    return misfit(f, right, right, "%.*s has no value called %.*s", l.n, l.at, r.n, r.at);
}

static int differ(folding *f, const node *left, node *right)
{
    slice l = written(left), r = written(right);
    const char *hint = "";

    if (!right->at)
        return misfit(f, right, left, "%.*s is %s and no condition; compare it with something", l.n, l.at,
                      class_names[left->class]);
    if (right->class == CLASS_NUMBER && left->class == CLASS_TIME)
        hint = "; write a span from the start of the trace, as 10s, or a moment, as '2026-11-30T08:15'";
    if (right->class == CLASS_NUMBER && left->class == CLASS_SPAN) hint = "; write it with a unit, as 5ms";
    if (left->class == CLASS_NUMBER && left->op == NODE_NAME && right->op == NODE_LITERAL &&
        right->given.form == FORM_TEXT && code_has_names(left->name.show))
        return no_such_name(f, left, right, code_nearest(left->name.show, right->given.t.at));
    return misfit(f, right, right, "%.*s is %s; %.*s is %s%s", l.n, l.at, class_names[left->class], r.n, r.at,
                  class_names[right->class], hint);
}

const tw_names *node_names(const node *left, const node *right)
{
    if (left->op != NODE_NAME || left->class != CLASS_NUMBER || !left->name.column) return NULL;
    if (right->op != NODE_LITERAL || right->given.form != FORM_TEXT) return NULL;
    return left->name.column->names;
}

int node_is_named(const tw_name *name, const node *literal)
{
    const tw_text *t = &literal->given.t;
    return name->name && strlen(name->name) == t->bytes && memcmp(name->name, t->at, t->bytes) == 0;
}

/* Can a text stand for a value of that number? */
static int meet_name(folding *f, const tw_names *names, int compare, const node *left, node *right)
{
    slice l = written(left);
    const char *list[256];
    uint32_t n = 0;

    if (compare != SAME && compare != DIFFERENT && !(compare == HAS && (names->flags & TW_BITS)))
        return misfit(f, right, right, "%.*s is a number; its named values can be compared by == and ~= only", l.n,
                      l.at);
    for (uint32_t i = 0; i < names->n; i++) {
        if (node_is_named(&names->name[i], right)) return 1;
        if (n < 256) list[n++] = names->name[i].name;
    }
    return no_such_name(f, left, right, text_nearest(right->given.t.at, list, n));
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
    uint32_t code;
    text why = { 0 };
    const char *s = right->given.t.at;
    int relative = 0, fine = 1;
    slice r = written(right);

    if (right->given.form != FORM_TEXT) { /* 0 needs no unit */
        if (right->given.form == FORM_INT && right->given.i == 0 &&
            (left->class == CLASS_TIME || left->class == CLASS_SPAN))
            right->v.form = FORM_SPAN;
    } else if (left->class == CLASS_TIME) {
        fine = unit_time(s, &right->v.i, &relative, &why) == TW_OK;
        right->v.form = relative ? FORM_SPAN : FORM_TIME;
    } else if (left->class == CLASS_SPAN) {
        fine = unit_span(s, &right->v.i, &why) == TW_OK;
        right->v.form = FORM_SPAN;
    } else if (left->class == CLASS_GUID) {
        if (!guid_parse(s, bytes))
            return misfit(f, right, right, "%.*s is no GUID; write it like '3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c'",
                          r.n, r.at);
        right->v = bytes_value(f, FORM_GUID, bytes, 16);
    } else if (left->class == CLASS_IP) {
        int four = ip4_of(s, bytes);
        if (!four && !ip6_of(s, bytes))
            return misfit(f, right, right, "%.*s is no address; write it like '10.0.0.1' or 'fe80::1'", r.n, r.at);
        right->v = bytes_value(f, FORM_IP, bytes, four ? 4 : 16);
    } else if (left->class == CLASS_NUMBER && left->op == NODE_NAME && left->name.show == TW_SHOW_IP4 &&
               ip4_of(s, bytes)) {
        value_of_u64(tw_u32(bytes), &right->v);
    } else if (left->class == CLASS_NUMBER && left->op == NODE_NAME && left->name.show == TW_SHOW_CHAR && s[0] &&
               !s[1]) {
        value_of_u64((unsigned char)s[0], &right->v);
    } else if (left->class == CLASS_NUMBER && left->op == NODE_NAME && code_value(left->name.show, s, &code)) {
        if (left->name.kind == TW_I32)
            right->v = (value){ .form = FORM_INT, .i = (int32_t)code };
        else
            value_of_u64(code, &right->v);
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
    const tw_names *names = node_names(left, right);

    if (node_is_null(right)) {
        if (compare == SAME || compare == DIFFERENT) return 1;
        return misfit(f, right, right, "null is neither more nor less; only == and ~= can ask for it");
    }
    if (names) return meet_name(f, names, compare, left, right);
    if (compare >= STARTS) {
        int text_like = left->class == CLASS_TEXT || left->class == CLASS_GUID || left->class == CLASS_IP;
        if (left->class > CLASS_ABSENT && !text_like)
            return misfit(f, right, left, "%.*s is %s; starts, ends, has and matches ask about text%s", l.n, l.at,
                          class_names[left->class], left->class == CLASS_NUMBER ? "; use ==, <, > or in" : "");
        if (right->class > CLASS_ABSENT && right->class != CLASS_TEXT)
            return misfit(f, right, right, "starts, ends and has are followed by text, as in %.*s has 'abc'", l.n,
                          l.at);
        return 1;
    }
    if (right->op == NODE_LITERAL && !convert(f, left, right)) return 0;
    if (left->class <= CLASS_ABSENT || right->class <= CLASS_ABSENT) return 1;
    if (left->class == CLASS_TIME && right->class == CLASS_SPAN) return 1;
    if (left->class == CLASS_SPAN && right->class == CLASS_TIME) return 1;
    if (left->class != right->class || left->class == CLASS_OTHER) return differ(f, left, right);
    if (compare > DIFFERENT && (left->class == CLASS_BOOL || left->class == CLASS_GUID || left->class == CLASS_IP))
        return misfit(f, right, left, "%.*s is %s; it can be compared by == and ~= only", l.n, l.at,
                      class_names[left->class]);
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
            misfit(f, n, left, "%.*s is %s, %.*s is %s; there is no %.*s %c %.*s", l.n, l.at,
                   class_names[left->class], r.n, r.at, class_names[right->class], l.n, l.at, n->sign, r.n, r.at);
        else
            misfit(f, n, left, "%.*s is %s; only numbers and spans of time can be negative", l.n, l.at,
                   class_names[left->class]);
        return;
    }
    n->class = (uint8_t) class;
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
    if (n->op > NODE_NAME) { /* all others have a child */
        node *child = n->first;
        do fold(f, child);
        while ((child = child->next));
    }
    switch ((enum node_op)n->op) {
    case NODE_LITERAL:
        n->v = n->given;
        n->known = 1;
        n->class = (uint8_t)value_class(&n->v);
        break;
    case NODE_NAME: fold_name(f, n); break;
    case NODE_NEGATE:
    case NODE_ARITHMETIC: fold_arithmetic(f, n); break;
    case NODE_COMPARE:
    case NODE_IN:
        for (node *right = n->first->next; right; right = right->next) {
            right->fits = (uint8_t)meet(f, n->op == NODE_IN ? SAME : n->compare, n->first, right);
            right->fitted |= !f->strict && right->fits && n->first->class != CLASS_ABSENT;
        }
        break;
    case NODE_AND:
    case NODE_OR:
    case NODE_NOT:
    case NODE_EXISTS: break;
    }
}

int expr_check(expr *x, text *why)
{
    static const layout blank = { .type = { .size = sizeof(tw_type), .provider = "", .name = "" }, .full_name = "" };
    folding f = { .x = x, .type = &blank.type, .strict = 1, .why = why };
    fold(&f, x->root);
    return f.failed ? TW_ERROR : TW_OK;
}

/* ---- Types ---- */

static const program all = { NULL, PASS }, none = { NULL, FAIL };

int expr_type(expr *x, const tw_type *t, text *why)
{
    folding f = { .x = x, .type = t, .why = why };

    if (x->by_type[t->id]) return TW_OK;
    x->types++;
    x->nscratch = 0;
    fold(&f, x->root);
    uint32_t entry = expr_make(x, x->root, PASS, FAIL);
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

void expr_let_pass(expr *x, uint32_t type)
{
    x->by_type[type] = &all;
}

int expr_known(const expr *x, uint32_t type)
{
    const program *p = x->by_type[type];
    return !p || p->entry >= FIRST_STEP ? -1 : p->entry == PASS;
}

/* ---- Remarks ---- */

uint64_t expr_given_up(const expr *x)
{
    uint64_t n = 0;
    for (const node *p = x->last_pattern; p; p = p->before) n += pattern_given_up(p->given.pattern);
    return n;
}

enum { MOST_REMARKS = 8 /* of either sort; whoever wrote worse will run again */ };

static void remark_misfits(const node *n, uint32_t *told, void (*each)(void *, const char *), void *context)
{
    if (n->misfit && !n->fitted && (*told)++ < MOST_REMARKS) each(context, n->misfit);
    for (const node *child = n->first; child; child = child->next) remark_misfits(child, told, each, context);
}

void expr_remarks(const expr *x, const types *r, void (*each)(void *context, const char *sentence), void *context)
{
    const char *told[MOST_REMARKS];
    uint32_t ntold = 0, nmisfits = 0;
    text sentence = { 0 };

    if (!x->types) return;
    for (const node *n = x->last_name; n && ntold < MOST_REMARKS; n = n->before) {
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
    remark_misfits(x->root, &nmisfits, each, context);
}
