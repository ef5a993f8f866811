/* expr_make.c - from a folded tree to a program.

   One idea: programs are made from their end. Each condition is told where to go on for yes and for no, both made
   before it; so a condition that the type decides is nothing but one of the two, and `and`, `or` and `not` cost no
   step. */
#include <stdlib.h>

#include "expr_tree.h"

enum { SAME_NAMED = 64 /* values of one name that are looked for */ };

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

static int direct_text(expr *x, const node *left, int compare, const value *k, uint32_t yes, uint32_t no,
                       uint32_t *entry)
{
    const tw_field *c = left->op == NODE_NAME && left->name.from == NAME_FIELD ? left->name.column : NULL;
    step s = { .op = DATA_TEXT16, .compare = (uint8_t)compare };

    if (k->form != FORM_TEXT || !k->t.bytes || (compare > DIFFERENT && compare != STARTS)) return 0;
    if (!c || c->kind != TW_TEXT16 || c->bytes_by != TW_ONE || c->count_by != TW_ONE || c->after || c->parent)
        return 0;
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
static uint32_t make_against(expr *x, const node *left, int compare, const value *k, int loaded, uint32_t yes,
                             uint32_t no)
{
    uint32_t entry;

    if (!loaded &&
        (direct_number(x, left, compare, k, yes, no, &entry) || direct_text(x, left, compare, k, yes, no, &entry)))
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
static uint32_t make_named(expr *x, const node *left, const node *right, int compare, int loaded, uint32_t yes,
                           uint32_t no)
{
    const tw_names *names = left->name.column->names;
    uint32_t entry = compare == DIFFERENT ? yes : no, found = 0;
    value k;

    for (uint32_t i = 0; i < names->n && found < SAME_NAMED; i++) {
        if (!node_is_named(&names->name[i], right)) continue;
        found++;
        named_value(left->name.kind, names->name[i].value, &k);
        entry = compare == DIFFERENT ? make_against(x, left, compare, &k, loaded, entry, no)
                                     : make_against(x, left, compare, &k, loaded, yes, entry);
    }
    return entry;
}

/* One comparison. loaded: the left side is in slot 0 already. */
static uint32_t make_comparison(expr *x, const node *left, const node *right, int compare, int loaded, uint32_t yes,
                                uint32_t no)
{
    if (node_is_null(right)) return compare == SAME ? make_present(x, left, no, yes) : make_present(x, left, yes, no);
    if (!right->fits || left->class == CLASS_ABSENT || right->class == CLASS_ABSENT) return no;
    if (node_names(left, right)) return make_named(x, left, right, compare, loaded, yes, no);
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

/* The children in turn, the last one made first. */
static uint32_t make_joined(expr *x, const node *child, int all, uint32_t yes, uint32_t no)
{
    uint32_t entry = all ? yes : no, n = 0;
    const node **list;

    for (const node *c = child; c; c = c->next) n++;
    list = mem_new(n * sizeof(const node *));
    for (n = 0; child; child = child->next) list[n++] = child;
    while (n--) entry = all ? expr_make(x, list[n], entry, no) : expr_make(x, list[n], yes, entry);
    free(list);
    return entry;
}

uint32_t expr_make(expr *x, const node *n, uint32_t yes, uint32_t no)
{
    if (yes == no) return yes;
    switch ((enum node_op)n->op) {
    case NODE_AND: return make_joined(x, n->first, 1, yes, no);
    case NODE_OR: return make_joined(x, n->first, 0, yes, no);
    case NODE_NOT: return expr_make(x, n->first, no, yes);
    case NODE_EXISTS: return make_present(x, n->first, yes, no);
    case NODE_IN: return make_in(x, n, yes, no);
    default: return make_comparison(x, n->first, n->first->next, n->compare, 0, yes, no);
    }
}
