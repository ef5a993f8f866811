/* fuzz_payload.c - a hostile field table, then a hostile payload.

   The input's first byte is a number of fields, the second tells pointer size and whether there is a clock; 12 bytes a
   field follow, the rest is the payload. What is published must be decoded without a fault of ours, `get` and `walk` must
   agree, and everything is printed. */
#include <stdlib.h>

#include "type.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { MOST = 48, ENTRY = 12, ENOUGH = 256 };

static void check(int good)
{
    if (!good) abort();
}

/* A clock of the event's own making: the payload's first bytes say what it is. */
static int clock_of(void *context, const tw_event *e, tw_clock *c)
{
    (void)context;
    memset(c, 0, sizeof *c);
    if (e->bytes < 24) return TW_END;
    c->ticks = (int64_t)tw_u64(e->data);
    c->time = (int64_t)tw_u64(e->data + 8);
    c->hz = (int64_t)tw_u64(e->data + 16);
    return TW_OK;
}

/* Mostly sensible, so that tables are not nearly always refused: members and parents are made to nest, references point
   back, unless the entry says not to. */
static void make_field(tw_field *field, uint32_t i, uint32_t n, const uint8_t *at, uint32_t *open, uint32_t *depth)
{
    static const tw_name list[] = { { 0, "Zero" }, { 1, "One" }, { 2, "Two" }, { 0x80, "High" } };
    static const tw_names names[2] = { { .size = sizeof names[0], .n = 4, .name = list },
                                       { .size = sizeof names[0], .n = 4, .flags = TW_BITS, .name = list } };
    tw_field *f = &field[i];
    uint32_t last;

    *f = (tw_field){ .name = "Name",
                     .kind = (uint8_t)(at[0] % (TW_STRUCT + 2)),
                     .show = at[1] % (TW_SHOW_HIDE + 2),
                     .bytes_by = at[2] % (TW_IF_LEFT + 1),
                     .count_by = at[3] % (TW_IF_LEFT + 2) };
    f->bytes = f->bytes_by == TW_FIELD && i && at[6] < 250 ? at[4] % i : tw_u16(at + 4);
    f->count = f->count_by == TW_FIELD && i && at[6] < 250 ? at[7] % i : at[7] * (at[8] == 255 ? 257u : 1u);
    if (at[6] == 255) f->count = UINT32_MAX;
    if (at[9] & 1) f->names = &names[at[9] >> 1 & 1];
    while (*depth && i > open[*depth - 1] + field[open[*depth - 1]].members) --*depth;
    f->depth = (uint8_t)*depth;
    f->parent = (uint16_t)(*depth ? open[*depth - 1] + 1 : 0);
    last = *depth ? open[*depth - 1] + field[open[*depth - 1]].members : n - 1;
    if (f->kind == TW_STRUCT) {
        f->bytes_by = TW_ONE;
        f->members = (uint16_t)(at[10] % (last - i + 1));
        if (f->members && *depth < TYPE_MAX_DEPTH) open[(*depth)++] = i;
    }
    if (at[11] == 255) f->members ^= at[10];
    if (at[11] == 254) f->parent ^= at[10];
    if (at[11] == 253) f->depth ^= at[10];
    if (at[11] == 252) f->bytes = UINT32_MAX;
}

static void print(const tw_field *f, const tw_value *v)
{
    char out[64], *whole;
    int n = value_print(f, v, out, sizeof out);

    check(n >= 0);
    whole = malloc((size_t)n + 1);
    check(value_print(f, v, whole, (size_t)n + 1) == n && !whole[n]);
    check(!memcmp(out, whole, (size_t)n < sizeof out ? (size_t)n + 1 : sizeof out - 1));
    free(whole);
}

/* What a walk gives outside of arrays is what `get` gives. */
static void decode_all(const tw_type *t, const tw_event *e, const decode *d)
{
    uint32_t cells = 0;
    uint8_t seen[MOST] = { 0 };
    tw_walk w;
    tw_value v, same;
    text line = { 0 };

    type_walk(t, e, d, &w);
    check(w.left == e->bytes);
    while (type_next(&w, &v) == TW_OK) {
        const tw_field *f = &t->field[w.field];
        check(++cells <= TYPE_MAX_CELLS);
        check(w.depth == f->depth && w.left <= e->bytes);
        if (cells > ENOUGH) continue; /* the sixty thousandth is like the first */
        print(f, &v);
        if (type_get(t, e, w.field, d, &same) != TW_OK) continue;
        seen[w.field] = 1;
        check(same.kind == v.kind && same.show == v.show);
        if (v.kind == TW_TEXT)
            check(same.t.bytes == v.t.bytes && !memcmp(same.t.at, v.t.at, v.t.bytes));
        else
            check(!memcmp(&same.u, &v.u, sizeof v.u));
    }
    check(type_next(&w, &v) == TW_END);
    for (uint32_t i = 0; i < t->nfields; i++) {
        int got = type_get(t, e, (int)i, d, &v) == TW_OK;
        if (cells <= ENOUGH && !w.faults) check(got == seen[i]);
        if (got) print(&t->field[i], &v);
        check(type_field(t, t->field[i].name) <= (int)i);
    }
    check(type_get(t, e, -1, d, &v) == TW_END && type_get(t, e, (int)t->nfields, d, &v) == TW_END);
    type_text(t, e, d, &line);
    text_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    tw_field field[MOST];
    uint32_t open[TYPE_MAX_DEPTH], depth = 0;

    if (n < 2) return 0;
    uint32_t nfields = bytes[0] % MOST;
    if (n - 2 < nfields * ENTRY) return 0;
    for (uint32_t i = 0; i < nfields; i++) make_field(field, i, nfields, bytes + 2 + i * ENTRY, open, &depth);

    static types *r; /* kept for many inputs: a new one takes longer than all the rest */
    if (r && types_count(r) > 1000) {
        types_free(r);
        r = NULL;
    }
    if (!r) r = types_new();
    uint32_t before = types_count(r);
    arena memory = { 0 };
    text why = { 0 };
    decode d = { .memory = &memory, .clock = bytes[1] & 1 ? clock_of : NULL };
    tw_type t = { .size = sizeof t,
                  .provider = "P",
                  .name = "E",
                  .pointer = bytes[1] & 2 ? 4 : 8,
                  .nfields = nfields,
                  .field = field };
    uint32_t id = types_publish(r, &t, &why);
    check(id ? id == before + 1 && !why.n : why.n > 0 && types_count(r) == before);
    size_t rest = n - 2 - nfields * ENTRY;
    uint8_t *payload = malloc(rest ? rest : 1); /* of exactly its size */
    memcpy(payload, bytes + n - rest, rest);
    tw_event e = { .data = rest ? payload : NULL, .bytes = (uint32_t)rest, .type = id };
    decode_all(types_table(r)[id], &e, &d);
    free(payload);
    text_free(&why);
    arena_free(&memory);
    return 0;
}
