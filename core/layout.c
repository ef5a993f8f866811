/* layout.c - what is worked out about a field table once, when its type is published.

   One idea: each pass over the table relies on what the passes before it have made sure of. */
#include "layout.h"

typedef struct maker {
    const tw_type *type;
    tw_field *field;
    layout_field *of;
    uint32_t n;
    text *why;
} maker;

/* The start of a sentence about a field; the caller adds the fact. */
static int refuse(const maker *m, uint32_t i)
{
    const tw_type *t = m->type;
    const char *name = t->field[i].name;
    text_format(m->why, "%s/%s: field %u (%s) ", t->provider, t->name, (unsigned)i, name && *name ? name : "no name");
    return TW_ERROR;
}

static int refuse_with(const maker *m, uint32_t i, const char *fact)
{
    refuse(m, i);
    text_put(m->why, fact);
    return TW_ERROR;
}

static int check_names(const maker *m, uint32_t i)
{
    const tw_names *names = m->field[i].names;
    if (!names) return TW_OK;
    if (names->size < sizeof *names) return refuse_with(m, i, "has names of values whose `size` is too small");
    if (names->n && !names->name) return refuse_with(m, i, "has names of values, but no list of them");
    for (uint32_t k = 0; k < names->n; k++) {
        if (!names->name[k].name) return refuse_with(m, i, "has a value without a name in its list of names");
        if (k && names->name[k].value < names->name[k - 1].value) {
            return refuse_with(m, i, "has names of values that are not in ascending order");
        }
    }
    return TW_OK;
}

static int check_extent(const maker *m, uint32_t i)
{
    const tw_field *f = &m->field[i];
    uint32_t natural = layout_natural(f->kind, layout_pointer(m->type));
    int ticks = f->kind == TW_TICKS || f->kind == TW_TICK_SPAN;

    if (f->bytes_by > TW_REST) return refuse_with(m, i, "has a length of an unknown sort (bytes_by)");
    if (f->count_by > TW_IF_LEFT) return refuse_with(m, i, "has a count of an unknown sort (count_by)");
    if (f->kind == TW_STRUCT && f->bytes_by != TW_ONE) return refuse_with(m, i, "is a struct with a length");
    if (f->kind == TW_BYTES && f->bytes_by == TW_ONE) {
        return refuse_with(m, i, "is of bytes, and nothing tells how many: TW_REST means all that are left");
    }
    if (f->bytes_by == TW_FIXED && f->bytes < natural && !(ticks && f->bytes == 4)) {
        refuse(m, i);
        text_format(m->why, "has %u bytes, but its kind takes %u", (unsigned)f->bytes, (unsigned)natural);
        return TW_ERROR;
    }
    return TW_OK;
}

static int check_field(const maker *m, uint32_t i)
{
    const tw_field *f = &m->field[i];

    if (!f->name || !*f->name) return refuse_with(m, i, "has no name");
    if (f->kind < TW_BOOL || f->kind > TW_STRUCT) {
        refuse(m, i);
        text_format(m->why, "is of kind %u, which is none", (unsigned)f->kind);
        return TW_ERROR;
    }
    if (f->kind != TW_STRUCT && f->members) return refuse_with(m, i, "has members, but is no struct");
    if (check_extent(m, i)) return TW_ERROR;
    return check_names(m, i);
}

int layout_names_sound(const tw_names *names)
{
    if (!names) return 1;
    if (names->size < sizeof *names || (names->n && !names->name)) return 0;
    for (uint32_t k = 0; k < names->n; k++)
        if (!names->name[k].name || (k && names->name[k].value < names->name[k - 1].value)) return 0;
    return 1;
}

/* After this, `parent`, `depth` and `members` agree. */
static int check_nesting(const maker *m)
{
    uint32_t open[TYPE_MAX_DEPTH]; /* the structs around, outermost first */
    uint32_t depth = 0;

    for (uint32_t i = 0; i < m->n; i++) {
        const tw_field *f = &m->field[i];
        while (depth && i > open[depth - 1] + m->field[open[depth - 1]].members) depth--;
        uint32_t end = depth ? open[depth - 1] + m->field[open[depth - 1]].members : m->n - 1;
        uint32_t parent = depth ? open[depth - 1] + 1 : 0;
        if (f->parent != parent || f->depth != depth) {
            refuse(m, i);
            text_format(m->why, "says parent %u, depth %u, but by the members counted before it these are %u and %u",
                        (unsigned)f->parent, (unsigned)f->depth, (unsigned)parent, (unsigned)depth);
            return TW_ERROR;
        }
        if (f->kind != TW_STRUCT) continue;
        if (f->members > end - i) return refuse_with(m, i, "has more members than there are fields left for it");
        if (depth == TYPE_MAX_DEPTH) { /* an array of them has a frame in a walk even if it has no members */
            refuse(m, i);
            text_format(m->why, "is a struct inside %d others, which is too deep", TYPE_MAX_DEPTH);
            return TW_ERROR;
        }
        if (f->members) open[depth++] = i;
    }
    return TW_OK;
}

static int encloses(const maker *m, uint32_t outer, uint32_t i)
{
    return i > outer && i <= outer + m->field[outer].members;
}

/* A length or count may be said by an earlier number that has exactly one value where it is needed. */
static int check_reference(const maker *m, uint32_t i, uint32_t to, const char *what)
{
    const char *fact = NULL;

    if (to >= i) {
        fact = "which does not come before it";
    } else {
        const tw_field *r = &m->field[to];
        int number = (r->kind >= TW_BOOL && r->kind <= TW_I64) || r->kind == TW_POINTER || r->kind == TW_BOOL32;
        if (!number)
            fact = "which is no integer";
        else if (layout_is_array(r) || r->bytes_by != TW_ONE)
            fact = "which is no plain number";
        for (uint32_t p = r->parent; p && !fact; p = m->field[p - 1].parent) {
            if (layout_is_array(&m->field[p - 1]) && !encloses(m, p - 1, i)) fact = "which lies in another array";
        }
    }
    if (!fact) return TW_OK;
    refuse(m, i);
    text_format(m->why, "takes its %s from field %u, %s", what, (unsigned)to, fact);
    return TW_ERROR;
}

static int check_references(const maker *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const tw_field *f = &m->field[i];
        if (f->bytes_by == TW_FIELD && check_reference(m, i, f->bytes, "length")) return TW_ERROR;
        if (f->count_by == TW_FIELD && check_reference(m, i, f->count, "count")) return TW_ERROR;
    }
    return TW_OK;
}

static uint64_t product(uint64_t a, uint64_t b) /* of sizes; capped just over the limit */
{
    return a && b > LAYOUT_MAX / a ? LAYOUT_MAX + UINT64_C(1) : a * b;
}

static uint32_t own_size(const maker *m, uint32_t i)
{
    const tw_field *f = &m->field[i];
    uint32_t natural = layout_natural(f->kind, layout_pointer(m->type));

    if (f->bytes_by == TW_FIXED) {
        uint64_t size = product(f->bytes, f->kind == TW_TEXT16 ? 2 : 1);
        return size > LAYOUT_MAX ? LAYOUT_MAX + 1u : (uint32_t)size;
    }
    return f->bytes_by == TW_ONE && natural ? natural : LAYOUT_VARIABLE;
}

/* Bytes of all elements, or LAYOUT_VARIABLE. */
static uint64_t whole_size(const maker *m, uint32_t i)
{
    const tw_field *f = &m->field[i];
    uint32_t size = m->of[i].size;

    if (size == LAYOUT_VARIABLE) return LAYOUT_VARIABLE;
    if (f->count_by == TW_FIXED) return product(size, f->count);
    return layout_is_array(f) ? LAYOUT_VARIABLE : size;
}

/* What may be missing at the payload's end makes an element's size vary, though no offset depends on it: where it is
   missing nothing follows. */
static uint32_t struct_size(const maker *m, uint32_t i)
{
    uint64_t sum = 0;
    uint32_t end = i + m->field[i].members;

    for (uint32_t k = i + 1; k <= end; k += 1 + m->field[k].members) {
        uint64_t whole = whole_size(m, k);
        if (whole == LAYOUT_VARIABLE || m->field[k].count_by == TW_IF_LEFT) return LAYOUT_VARIABLE;
        sum += whole;
    }
    return sum > LAYOUT_MAX ? LAYOUT_MAX + 1u : (uint32_t)sum;
}

static void make_sizes(const maker *m)
{
    for (uint32_t i = m->n; i-- > 0;) {
        m->of[i].size = m->field[i].kind == TW_STRUCT ? struct_size(m, i) : own_size(m, i);
    }
}

/* Members of an array have no place of their own. */
static uint32_t hide_members(const maker *m, uint32_t array)
{
    uint32_t end = array + m->field[array].members;
    for (uint32_t k = array + 1; k <= end; k++) {
        m->field[k].offset = LAYOUT_INSIDE;
        m->field[k].after = (uint16_t)(array + 1);
        m->of[k].way = LAYOUT_NEVER;
    }
    return end;
}

static int make_offsets(const maker *m, uint32_t *first)
{
    uint64_t at = 0; /* from the end of field after - 1, or from the start */
    uint16_t after = 0;

    *first = m->n;
    for (uint32_t i = 0; i < m->n; i++) {
        tw_field *f = &m->field[i];
        uint64_t whole = whole_size(m, i);
        uint32_t own = i;
        f->offset = (uint32_t)at;
        f->after = after;
        if (layout_is_array(f) || f->kind == TW_STRUCT)
            m->of[i].way = LAYOUT_NEVER;
        else
            m->of[i].way = after || whole == LAYOUT_VARIABLE ? LAYOUT_SEEK : LAYOUT_AT;
        if (layout_is_array(f))
            i = hide_members(m, i);
        else if (f->kind == TW_STRUCT)
            continue; /* its members lie here one by one */
        if (whole == LAYOUT_VARIABLE) {
            if (!after) *first = own;
            after = (uint16_t)(own + 1);
            at = 0;
            continue;
        }
        at += whole;
        if (at > LAYOUT_MAX)
            return refuse_with(m, own, "ends more than 1 GiB behind the start, where no payload reaches");
    }
    return TW_OK;
}

/* Up to which field the number `to` is needed, if field i takes a length from it: all elements of an array around i
   that is not around `to` need the same number. */
static uint32_t needed_until(const maker *m, uint32_t i, uint32_t to)
{
    uint32_t until = i;
    for (uint32_t p = m->field[i].parent; p; p = m->field[p - 1].parent) {
        if (layout_is_array(&m->field[p - 1]) && !encloses(m, p - 1, to)) until = p - 1 + m->field[p - 1].members;
    }
    return until;
}

/* Numbers at fixed offsets are read again when needed; all others are kept in a slot until their last use. */
static int make_slots(const maker *m)
{
    uint16_t until[TYPE_MAX_FIELDS] = { 0 }; /* the last field that needs this one's number */
    uint32_t busy[LAYOUT_SLOTS] = { 0 };

    for (uint32_t i = 0; i < m->n; i++) {
        const tw_field *f = &m->field[i];
        uint32_t to[2] = { f->bytes_by == TW_FIELD ? f->bytes : UINT32_MAX,
                           f->count_by == TW_FIELD ? f->count : UINT32_MAX };
        for (int k = 0; k < 2; k++) {
            if (to[k] == UINT32_MAX || m->of[to[k]].way == LAYOUT_AT) continue;
            uint32_t end = needed_until(m, i, to[k]);
            if (until[to[k]] < end) until[to[k]] = (uint16_t)end;
        }
    }
    for (uint32_t i = 0; i < m->n; i++) {
        if (!until[i]) continue;
        uint32_t k = 0;
        while (k < LAYOUT_SLOTS && busy[k] > i) k++;
        if (k == LAYOUT_SLOTS) {
            refuse(m, i);
            text_format(m->why, "is the %dth length or count to be kept at once, which is too many",
                        LAYOUT_SLOTS + 1);
            return TW_ERROR;
        }
        busy[k] = until[i];
        m->of[i].slot = (uint8_t)(k + 1);
    }
    return TW_OK;
}

int layout_make(const tw_type *t, tw_field *field, layout_field *of, uint32_t *first, text *why)
{
    maker m = { t, field, of, t->nfields, why };
    static const char *const limit = "%s/%s: %u fields, but a type may have %d";

    if (m.n > TYPE_MAX_FIELDS) {
        text_format(why, limit, t->provider, t->name, (unsigned)m.n, TYPE_MAX_FIELDS);
        return TW_ERROR;
    }
    *first = m.n;
    if (!m.n) return TW_OK;
    memset(of, 0, m.n * sizeof *of);
    for (uint32_t i = 0; i < m.n; i++) {
        if (check_field(&m, i)) return TW_ERROR;
    }
    if (check_nesting(&m) || check_references(&m)) return TW_ERROR;
    make_sizes(&m);
    if (make_offsets(&m, first)) return TW_ERROR;
    if (make_slots(&m) != TW_OK) return TW_ERROR;
    for (uint32_t i = 0; i < m.n; i++) {
        layout_field *l = &m.of[i];
        l->plain =
            m.field[i].kind != TW_STRUCT && m.field[i].count_by == TW_ONE && l->size != LAYOUT_VARIABLE && !l->slot;
    }
    return TW_OK;
}
