/* events_kit.h - a sink of events on a rig: what it writes is caught, and the types and payloads are made by hand. */
#ifndef EVENTS_KIT_H
#define EVENTS_KIT_H

#include "fake_host.h"
#include "payload_kit.h"
#include "tw_test.h"

static text written;
static uint32_t writes;

static inline int catch_bytes(tw_output *to, const void *bytes, size_t n)
{
    (void)to;
    text_add(&written, bytes, n);
    writes++;
    return TW_OK;
}

/* An opened sink. */
static inline rig *sink_on_rig(const tw_stage *stage, const char *options)
{
    rig *r = rig_new(stage, options);

    text_clear(&written);
    writes = 0;
    rig_host(r)->write = catch_bytes;
    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    return r;
}

static inline void add_event(rig *r, uint32_t type, const char *hex)
{
    uint8_t bytes[1024];
    uint32_t n = kit_parse(hex, bytes);
    tw_event *e = rig_event(r, type, 1000, bytes, n);

    e->pid = 4;
    e->tid = 88;
    e->cpu = 2;
}

/* What was written since the sink was opened, once the events made are fed to it. */
static inline const char *sink_says(rig *r)
{
    ck_assert_msg(rig_feed(r) == TW_OK, "%s", rig_error(r));
    return text_of(&written);
}

/* ---- Types ---- */

static const tw_name colours[] = { { 1, "Red" }, { 2, "Blue" } };
static const tw_names colour = { .size = sizeof colour, .n = 2, .name = colours };
static const tw_name rights[] = { { 1, "READ" }, { 2, "WRITE" } };
static const tw_names right = { .size = sizeof right, .n = 2, .flags = TW_BITS, .name = rights };

/* An array of structs with an array in each, an empty array, and two fields of one name. */
static const tw_field nested[] = {
    FIELD("Count", TW_U16),
    FIELD("Items", TW_STRUCT, .members = 3, .count_by = TW_FIELD, .count = 0),
    FIELD("Id", TW_U8, .parent = 2, .depth = 1),
    FIELD("Tags", TW_U8, .show = TW_SHOW_HEX, .parent = 2, .depth = 1, .count_by = TW_PREFIX1),
    FIELD("Name", TW_TEXT16, .parent = 2, .depth = 1),
    FIELD("None", TW_U32, .count_by = TW_PREFIX1),
    FIELD("Big", TW_U64),
    FIELD("Big", TW_I64),
};
static const char nested_bytes[] = "0200 01 02 aabb 41000000 02 00 420000d80000 00 ffffffffffffffff feffffffffffffff";

/* One field of each look. */
static const tw_field looks[] = {
    FIELD("Colour", TW_U8, .names = &colour),
    FIELD("Other", TW_U8, .names = &colour),
    FIELD("Rights", TW_U32, .names = &right),
    FIELD("Status", TW_U32, .show = TW_SHOW_HEX),
    FIELD("Object", TW_POINTER),
    FIELD("On", TW_BOOL32),
    FIELD("Ratio", TW_F64),
    FIELD("Address", TW_IP4),
    FIELD("Secret", TW_U8, .show = TW_SHOW_HIDE),
    FIELD("Raw", TW_BYTES, .bytes_by = TW_FIXED, .bytes = 3),
    FIELD("Text", TW_TEXT8),
};
static const char looks_bytes[] =
    "01 09 07000000 1f000000 7856341280ffffff 01000000 000000000000f87f 0a000001 ff c0ffee"
    "1b5b33316d22093e00"; /* ESC [ 3 1 m " tab > */

static inline uint32_t make_type(rig *r, const char *name, const tw_field *field, uint32_t n)
{
    return rig_publish(r, &(tw_type){ .size = sizeof(tw_type),
                                      .provider = "Test",
                                      .name = name,
                                      .origin = "test",
                                      .number = 7,
                                      .version = 1,
                                      .pointer = 8,
                                      .field = field,
                                      .nfields = n });
}

#endif
