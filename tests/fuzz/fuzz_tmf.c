/* fuzz_tmf.c - a hostile TMF file or message, then a hostile payload.

   The input's first byte tells how many of its last bytes are the payload, the second's lowest bit the pointer size, its
   second bit that the rest is a message instead of a file. What a file gives must be a sound type; what a message says
   must be UTF-8 and have an end. */
#include <stdlib.h>

#include "encoding.h"
#include "message.h"
#include "tmf.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { MOST_TYPES = 64 };

typedef struct trial {
    types *types;
    arena memory;
    tw_event event;
    uint8_t pointer;
    int n;
} trial;

static void check(int good)
{
    if (!good) abort();
}

static int say(void *context, const tw_type *given)
{
    trial *x = context;
    decode how = { .memory = &x->memory };
    text why = { 0 }, said = { 0 };
    tw_type t = *given;

    t.pointer = x->pointer;
    uint32_t id = types_publish(x->types, &t, &why);
    check(id != 0);
    x->event.type = id;
    message_text(types_table(x->types)[id], &x->event, &how, &said);
    check(said.n < MESSAGE_MAX + 8 && encoding_is_utf8(text_of(&said), said.n));
    text_clear(&said);
    type_text(types_table(x->types)[id], &x->event, &how, &said);
    check(encoding_is_utf8(text_of(&said), said.n));
    text_free(&said);
    text_free(&why);
    return ++x->n == MOST_TYPES ? TW_END : TW_OK;
}

static void read_file(trial *x, const uint8_t *at, size_t n)
{
    tmfs *m = tmfs_new();
    char why[128];
    uint64_t faults = 0;

    int rc = tmfs_read(m, at, n, "x.tmf", why, sizeof why, &faults);
    check((rc == TW_OK && !faults) || why[0]);
    tmfs_each(m, say, x);
    check(rc == TW_OK || !x->n);
    tmfs_free(m);
}

static void read_message(trial *x, const uint8_t *at, size_t n)
{
    static const tw_name list[] = { { 1, "One" }, { 2, "Two" }, { 4, "Four" } };
    static const tw_names names = { .size = sizeof names, .n = 3, .flags = TW_BITS, .name = list };
    static const tw_field field[] = {
        { .name = "a", .kind = TW_U8 },
        { .name = "b", .kind = TW_I32, .names = &names },
        { .name = "c", .kind = TW_TEXT16 },
        { .name = "d", .kind = TW_POINTER },
        { .name = "e", .kind = TW_STRUCT, .count_by = TW_FIELD, .count = 0, .members = 3 },
        { .name = "f", .kind = TW_TEXT8, .depth = 1, .parent = 5 },
        { .name = "g", .kind = TW_STRUCT, .depth = 1, .parent = 5, .members = 1 },
        { .name = "h", .kind = TW_U16, .depth = 2, .parent = 7, .count_by = TW_FIXED, .count = 2 },
        { .name = "i", .kind = TW_F64 },
        { .name = "j", .kind = TW_U32, .show = TW_SHOW_HRESULT },
        { .name = "k", .kind = TW_BYTES, .bytes_by = TW_REST },
    };
    tw_text message = encoding_utf8(&x->memory, at, n);
    char *copy = arena_text(&x->memory, message.at, message.bytes);
    const tw_type t = { .size = sizeof t,
                        .provider = "P",
                        .name = "N",
                        .origin = "o",
                        .field = field,
                        .nfields = sizeof field / sizeof *field,
                        .message = copy };
    say(x, &t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n < 2 || bytes[0] > n - 2) return 0;
    trial x = { .types = types_new(), .pointer = bytes[1] & 1 ? 4 : 8 };
    uint8_t *payload = malloc(bytes[0] ? bytes[0] : 1u); /* of its own size, so that a byte read beyond it is found */

    x.event.bytes = bytes[0];
    x.event.data = payload;
    memcpy(payload, bytes + n - bytes[0], bytes[0]);
    (bytes[1] & 2 ? read_message : read_file)(&x, bytes + 2, n - 2 - bytes[0]);
    free(payload);
    arena_free(&x.memory);
    types_free(x.types);
    return 0;
}
