/* fuzz_etl_read.c - any bytes as an .etl file, read to the end by everything that looks at its events.

   Two passes over the same input, with a rewind between; of every event all fields and all extras are taken. */
#include "../unit/source_host.h"

extern const tw_stage etl_read_stage;

static volatile uint64_t sum; /* so that every byte given is really read */

static void look_at(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) sum += ((const uint8_t *)bytes)[i];
}

static void look_at_value(const tw_value *v)
{
    switch (v->kind) {
    case TW_GUID:
    case TW_IP4:
    case TW_IP6:
    case TW_SOCKADDR:
    case TW_SID:
    case TW_TEXT:
    case TW_BYTES: look_at(v->t.at, v->t.bytes); break;
    default:
        if (v->count) look_at(v->t.at, v->t.bytes);
    }
}

static void take_extras(source *s, const tw_event *e)
{
    tw_value v;

    for (uint32_t what = TW_X_TICKS; what <= TW_X_OFFSET; what++)
        for (uint32_t item = 0; item < 2; item++)
            if (s->stage->extra(s->state, e, what, item, &v) == TW_OK) look_at_value(&v);
    for (uint32_t type = 0; type < 40; type++)
        if (s->stage->extra(s->state, e, TW_X_ITEM + type, 0, &v) == TW_OK) look_at_value(&v);
}

static void take_fields(source *s, tw_batch *b, const tw_event *e)
{
    const tw_type *t = types_table(s->types)[e->type];
    decode d = { batch_memory(b), source_clock, s };
    tw_walk w;
    tw_value v;

    look_at(e->data, e->bytes);
    for (uint32_t i = 0; i < t->nfields && i < 8; i++)
        if (type_get(t, e, (int)i, &d, &v) == TW_OK) look_at_value(&v);
    type_walk(t, e, &d, &w);
    while (type_next(&w, &v) == TW_OK) look_at_value(&v);
}

static void pass(source *s)
{
    int status;

    do {
        tw_batch *b = source_read(s, &status);
        for (uint32_t i = 0; i < b->n; i++) {
            take_extras(s, &b->event[i]);
            take_fields(s, b, &b->event[i]);
        }
        batch_let_go(b);
    } while (status == TW_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    source *s = source_of_bytes(&etl_read_stage, bytes, n, 16);

    *(int *)source_option(s, "tables") = 1;
    if (source_open(s) == TW_OK) {
        pass(s);
        if (s->stage->rewind(s->state) == TW_OK) pass(s);
        s->stage->end(s->state);
    }
    source_close(s);
    return 0;
}
