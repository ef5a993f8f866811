/* manifest_template.c - from <data> and <struct> to fields; see manifest_template.h. */
#include "manifest_template.h"

#include "fields.h"
#include "tdh.h"

enum { MOST_UNITS = 65535 /* of a length or count: an event is no larger */ };

typedef struct maker {
    draft *of;
    fields fields;
    const template_maps *maps;
    uint32_t arrays; /* structs around that have several elements */
    int stopped;     /* what follows cannot be found in a payload */
} maker;

/* After a fault that leaves out a field and all behind it. */
static void stop(maker *m)
{
    fields_add(&m->fields, NULL);
    if (!m->fields.failed) fields_end(&m->fields);
    m->stopped = 1;
}

/* ---- Maps ---- */

/* Without a table of strings a reference at least names what it refers to. */
static const char *entry_name(draft *d, const node *entry)
{
    const char *text = node_get(entry, ATTRIBUTE_MESSAGE), *name = draft_resolve(d, text);
    static const char start[] = "$(string.";

    if (name && *name) return name;
    if (!text) return NULL;
    int refers = !strncmp(text, start, sizeof start - 1);
    if (refers) text += sizeof start - 1;
    return draft_keep_n(d, text, refers ? strcspn(text, ")") : strlen(text));
}

/* A map of bits names bits: where an entry is the sum of others, as `All` of an enumeration, the others are shown. */
static int is_sum(const node *map, uint64_t value)
{
    return map->kind == NODE_BIT_MAP && (value & (value - 1)) != 0;
}

static const tw_names *map_read(draft *d, node *map)
{
    uint32_t n = 0, all = 0;

    if (map->was_made) return map->made;
    map->was_made = 1;
    for (const node *c = map->first; c; c = c->next) all += c->kind == NODE_MAP;
    tw_name *pairs = draft_scratch(d, ((size_t)all + 1) * sizeof *pairs);
    if (!pairs) return NULL;
    for (const node *c = map->first; c; c = c->next) {
        const char *value = node_get(c, ATTRIBUTE_VALUE), *name = entry_name(d, c);
        if (c->kind != NODE_MAP) continue;
        if (!value || !name || !text_number(value, UINT64_MAX, &pairs[n].value)) {
            draft_fault(d, c, "has no message, or a value that is no number");
            continue;
        }
        if (is_sum(map, pairs[n].value)) continue;
        pairs[n++].name = name;
    }
    const tw_names *names = fields_names(d->memory, pairs, n, map->kind == NODE_BIT_MAP);
    if (!names) d->full = 1;
    map->made = names;
    return names;
}

static const tw_names *names_of(const maker *m, const node *n)
{
    const char *name = node_get(n, ATTRIBUTE_MAP);
    node *map;

    if (!name || !*name) return NULL;
    map = directory_find(&m->maps->of_values, name);
    if (!map) map = directory_find(&m->maps->of_bits, name);
    if (map) return map_read(m->of, map);
    draft_fault(m->of, n, "has map \"%.*s\", which the provider does not have", text_clip(name), name);
    return NULL;
}

/* ---- Lengths and counts ---- */

/* The field of that name that was last before this one, in its struct or else in those around it; fields.n: none. */
static uint32_t earlier(const maker *m, const char *name)
{
    const fields *f = &m->fields;

    for (uint32_t depth = f->depth + 1; depth-- > 0;) {
        uint32_t parent = depth ? f->open[depth - 1] + 1 : 0;
        for (uint32_t i = f->n; i-- > 0;)
            if (f->at[i].parent == parent && !strcmp(f->at[i].name, name)) return i;
    }
    return f->n;
}

/* What a `length` or `count` says. 1, and *by is TW_ONE where it says nothing; 0: it cannot be understood. */
static int read_extent(const maker *m, const node *n, enum node_attribute which, uint8_t *by, uint32_t *number)
{
    const char *text = node_get(n, which), *what = which == ATTRIBUTE_LENGTH ? "length" : "count";
    uint64_t v;

    *by = TW_ONE;
    if (!text || !*text) return 1;
    if (text_number(text, MOST_UNITS, &v)) {
        *number = (uint32_t)v;
        if (v > (which == ATTRIBUTE_COUNT)) *by = TW_FIXED; /* one element is no array */
        return 1;
    }
    uint32_t i = earlier(m, text);
    if (i == m->fields.n) {
        draft_fault(m->of, n, "has %s \"%.*s\", which is neither a number below %d nor a field before it", what,
                    text_clip(text), text, MOST_UNITS + 1);
        return 0;
    }
    if (!fields_is_number(&m->fields.at[i])) {
        draft_fault(m->of, n, "has %s \"%.*s\", a field that is no plain number", what, text_clip(text), text);
        return 0;
    }
    *by = TW_FIELD;
    *number = i;
    return 1;
}

/* ---- Fields ---- */

static const char *name_of(const maker *m, const node *n)
{
    const char *name = node_get(n, ATTRIBUTE_NAME);

    return name ? draft_keep(m->of, name) : NULL;
}

static int read_in_type(const maker *m, const node *n)
{
    const char *text = node_get(n, ATTRIBUTE_IN_TYPE);
    int type = text ? tdh_in_type(text) : -1;

    if (!text)
        draft_fault(m->of, n, "has no inType");
    else if (type < 0)
        draft_fault(m->of, n, "has inType \"%.*s\", which is none", text_clip(text), text);
    return type;
}

static int read_out_type(const maker *m, const node *n)
{
    const char *text = node_get(n, ATTRIBUTE_OUT_TYPE);
    int type = text && *text ? tdh_out_type(text) : 0;

    if (type >= 0) return type;
    draft_fault(m->of, n, "has outType \"%.*s\", which is none", text_clip(text), text);
    return 0;
}

/* 1, or 0 where neither this field nor what follows can be found in a payload. */
static int read_data(maker *m, const node *n, int last)
{
    int type = read_in_type(m, n);
    tw_field made = { 0 };
    uint8_t length_by;

    if (type < 0 || !tdh_field((unsigned)type, (unsigned)read_out_type(m, n), &made)) return 0;
    if (!read_extent(m, n, ATTRIBUTE_LENGTH, &length_by, &made.bytes)) return 0;
    if (!read_extent(m, n, ATTRIBUTE_COUNT, &made.count_by, &made.count)) return 0;
    if (length_by == TW_FIXED) tdh_length_fixed((unsigned)type, made.bytes, &made);
    if (length_by == TW_FIELD) tdh_length_field((unsigned)type, made.bytes, &made);
    if (made.bytes_by == TW_REST && (!last || made.count_by != TW_ONE)) {
        draft_fault(m->of, n, "has bytes or text without a length, so what follows it cannot be found");
        return 0;
    }
    tw_field *f = fields_add(&m->fields, name_of(m, n));
    f->kind = made.kind;
    f->show = made.show;
    f->bytes_by = made.bytes_by;
    f->bytes = made.bytes;
    f->count_by = made.count_by;
    f->count = made.count;
    f->names = names_of(m, n);
    return 1;
}

static void read_members(maker *m, const node *parent, int last);

static int read_struct(maker *m, const node *n, int last)
{
    tw_field made = { 0 };

    if (m->fields.depth == FIELDS_DEPTH) {
        draft_fault(m->of, n, "lies deeper than %d structs in each other", FIELDS_DEPTH);
        return 0;
    }
    if (!read_extent(m, n, ATTRIBUTE_COUNT, &made.count_by, &made.count)) return 0;
    uint32_t array = made.count_by != TW_ONE;
    tw_field *f = fields_open(&m->fields, name_of(m, n));
    f->count_by = made.count_by;
    f->count = made.count;
    m->arrays += array;
    read_members(m, n, last && !array);
    m->arrays -= array;
    fields_close(&m->fields);
    return 1;
}

/* `last`: behind the parent comes no other field. */
static void read_members(maker *m, const node *parent, int last)
{
    for (const node *c = parent->first; c && !m->stopped && !m->fields.failed; c = c->next) {
        int good = c->kind == NODE_DATA     ? read_data(m, c, last && !c->next)
                   : c->kind == NODE_STRUCT ? read_struct(m, c, last && !c->next)
                                            : 1;
        if (!good) stop(m);
    }
}

const template_fields *template_read(draft *d, node *of, const template_maps *maps)
{
    maker m = { .of = d, .fields = { .from = d->memory }, .maps = maps };
    template_fields *made;

    if (of->was_made) return of->made;
    of->was_made = 1;
    made = draft_new(d, sizeof *made);
    if (!made) return NULL;
    read_members(&m, of, 1);
    if (m.fields.failed) {
        draft_fault(d, of, "has more fields than a type of event may have");
        m.fields.n = 0;
    }
    fields_mend(&m.fields);
    made->n = m.fields.n;
    made->field = m.fields.at;
    of->made = made;
    return made;
}
