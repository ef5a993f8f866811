/* fuzz_expr.c - any text as an expression, over events of a few types, whole and cut short.

   What must hold besides: `not (E)` keeps exactly the events that E drops, and what is known of a type without
   looking at an event is true of all of them. */
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"
#include "expr.h"
#include "tw_test.h"

static const tw_name values[] = {
    { 0, "None" }, { 1, "Nocache" }, { 2, "Paging" }, { 2, "Again" }, { 0xFF, "Minus" }
};
static const tw_names named = { .size = sizeof named, .n = 5, .name = values };
static const tw_names bits = { .size = sizeof bits, .n = 5, .flags = TW_BITS, .name = values };

static const tw_field numbers[] = {
    { .name = "A", .kind = TW_U8, .names = &named },
    { .name = "B", .kind = TW_I8, .names = &named },
    { .name = "C", .kind = TW_U16, .show = TW_SHOW_PORT },
    { .name = "D", .kind = TW_I16 },
    { .name = "E", .kind = TW_U32, .names = &bits },
    { .name = "F", .kind = TW_I32 },
    { .name = "G", .kind = TW_U64 },
    { .name = "H", .kind = TW_I64 },
    { .name = "I", .kind = TW_F32 },
    { .name = "J", .kind = TW_F64 },
    { .name = "K", .kind = TW_POINTER },
    { .name = "L", .kind = TW_BOOL },
    { .name = "M", .kind = TW_TIME },
    { .name = "N", .kind = TW_SPAN },
    { .name = "O", .kind = TW_U32, .show = TW_SHOW_IP4 },
    { .name = "P", .kind = TW_U8, .show = TW_SHOW_CHAR },
};
static const tw_field texts[] = {
    { .name = "A", .kind = TW_TEXT16 },
    { .name = "B", .kind = TW_TEXT16 },
    { .name = "C", .kind = TW_TEXT8 },
    { .name = "D", .kind = TW_TEXT },
    { .name = "E", .kind = TW_BYTES, .bytes_by = TW_PREFIX1 },
    { .name = "F", .kind = TW_SID },
};
static const tw_field others[] = {
    { .name = "A", .kind = TW_GUID },
    { .name = "B", .kind = TW_IP4 },
    { .name = "C", .kind = TW_IP6 },
    { .name = "D", .kind = TW_FILETIME },
    { .name = "E", .kind = TW_STRUCT, .members = 1 },
    { .name = "F", .kind = TW_BOOL32, .parent = 5, .depth = 1 },
    { .name = "G", .kind = TW_SOCKADDR, .bytes_by = TW_REST },
};
static const tw_type types_[] = {
    { .size = sizeof(tw_type),
      .provider = "DiskIo",
      .name = "Read",
      .pointer = 8,
      .number = 10,
      .level = 4,
      .field = numbers,
      .nfields = 16 },
    { .size = sizeof(tw_type),
      .provider = "DiskIo",
      .name = "Write",
      .pointer = 4,
      .key = "kernel:03",
      .field = texts,
      .nfields = 6 },
    { .size = sizeof(tw_type),
      .provider = "Net",
      .name = "Send",
      .pointer = 8,
      .origin = "built in",
      .field = others,
      .nfields = 7 },
    { .size = sizeof(tw_type), .provider = "Net", .name = "Receive", .keyword = UINT64_MAX },
};

enum { EVENTS = 24 };

static expr *now; /* what the stage runs */

static void count_sentence(void *context, const char *sentence)
{
    *(size_t *)context += strlen(sentence);
}

static int probe_events(void *self, tw_batch *b)
{
    text why = { 0 };
    uint32_t types_before[EVENTS], kept[EVENTS] = { 0 };

    for (uint32_t i = 0; i < b->n; i++) {
        types_before[i] = b->event[i].type;
        b->event[i].flags = i;
    }
    uint32_t n = b->n;
    if (expr_keep(now, self, b, &why) != TW_OK) abort();
    for (uint32_t i = 0; i < b->n; i++) kept[b->event[i].flags] = 1;
    for (uint32_t i = 0; i < n; i++) {
        int known = expr_known(now, types_before[i]);
        if (known >= 0 && kept[i] != (uint32_t)known) abort();
    }
    text_free(&why);
    size_t said = 0;
    expr_remarks(now, bus_types(self), count_sentence, &said);
    return TW_OK;
}

static const tw_stage probe_stage = {
    .size = sizeof(tw_stage),
    .name = "probe",
    .state = sizeof(tw_self),
    .events = probe_events,
};

static rig *make_rig(uint32_t ids[5])
{
    rig *r = rig_new(&probe_stage, "");

    rig_unwatch(r); /* each feed begins at the same time again */
    if (rig_open(r) != TW_OK) abort();
    rig_set_clock(r, &(tw_clock){ .hz = 1000, .begin = 1000000 });
    for (int i = 0; i < 4; i++)
        if (!(ids[i] = rig_publish(r, &types_[i]))) abort();
    ids[4] = 0;
    return r;
}

/* A bit for each event that the expression keeps. */
static uint32_t run(rig *r, const uint32_t ids[5], expr *x)
{
    static const uint8_t cuts[] = { 0, 1, 7, 96, 31 };
    uint8_t payload[96];
    const tw_event *left;
    uint32_t mask = 0;

    for (uint32_t i = 0; i < EVENTS; i++) {
        for (uint32_t k = 0; k < sizeof payload; k++)
            payload[k] = (uint8_t)((i * 7 + k * k * 31) % (i % 3 ? 251 : 3));
        if (i == 5) memset(payload, 0xFF, sizeof payload);
        tw_event *e = rig_event(r, ids[i % 5], 1000000 + 1000 * (int64_t)i, payload, cuts[i / 5]);
        e->pid = i;
        e->record = payload; /* only whether there is one counts */
    }
    now = x;
    if (rig_feed(r) != TW_OK) abort();
    uint32_t n = rig_left(r, &left);
    for (uint32_t i = 0; i < n; i++) mask |= 1u << left[i].flags;
    return mask;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rig *r;
    static uint32_t ids[5];
    text source = { 0 }, opposite = { 0 }, why = { 0 };

    if (!r) r = make_rig(ids);
    text_add(&source, (const char *)data, size);
    expr *x = expr_new(text_of(&source), &why);
    if (!x && !why.n) abort(); /* a refusal has a reason */
    text_format(&opposite, "not (%s)", text_of(&source));
    expr *y = x ? expr_new(text_of(&opposite), &why) : NULL; /* NULL: too deep or too long by that */
    if (y && run(r, ids, x) != (~run(r, ids, y) & ((1u << EVENTS) - 1))) abort();
    expr_free(x);
    expr_free(y);
    text_free(&source);
    text_free(&opposite);
    text_free(&why);
    return 0;
}
