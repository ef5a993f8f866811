/* fuzz_manifest.c - a hostile manifest, then a hostile payload.

   The input's first byte tells how many of its last bytes are the payload, the second's lowest bit the pointer size;
   what lies between is the text. Every type that a text gives must be sound or refused with a sentence, nothing of a refused
   text may be kept, and what a type makes of the payload must be UTF-8. Then the same text comes in pieces, as an
   EventSource sends it, and must give as many types. */
#include <stdlib.h>

#include "encoding.h"
#include "eventsource.h"
#include "manifest.h"
#include "type.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { MOST_TYPES = 64, HEADER = 0x50, HEAD = 8, PIECES = 3 };

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
    const char *texts[] = { t.provider, t.name, t.message, t.task_name, t.opcode_name, t.level_name, t.channel_name };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(!texts[i] || encoding_is_utf8(texts[i], strlen(texts[i])));
    check(*t.provider && *t.name);
    t.pointer = x->pointer;
    uint32_t id = types_publish(x->types, &t, &why);
    check(id || why.n);
    if (id) {
        x->event.type = id;
        type_text(types_table(x->types)[id], &x->event, &how, &said);
        check(encoding_is_utf8(text_of(&said), said.n));
    }
    text_free(&said);
    text_free(&why);
    return ++x->n == MOST_TYPES ? TW_END : TW_OK;
}

static int count(void *context, const tw_type *t)
{
    (void)t;
    return ++*(int *)context == MOST_TYPES ? TW_END : TW_OK;
}

/* A record of the event that carries a piece, in memory of its own size. */
static int give_piece(eventsources *e, manifests *m, int number, const uint8_t *at, size_t n)
{
    size_t size = HEADER + HEAD + n;
    uint8_t *raw = calloc(1, size);
    const uint8_t head[HEAD] = { 1, 1, 0, 0x5B, PIECES, 0, (uint8_t)number, 0 };
    record r;

    raw[0] = (uint8_t)size;
    raw[1] = (uint8_t)(size >> 8);
    raw[2] = 0x13;
    raw[3] = 0xC0;
    raw[0x28] = 0xFE;
    raw[0x29] = 0xFF;
    raw[0x2D] = 0xFE;
    raw[0x2E] = 0xFE;
    raw[0x2F] = 0xFF;
    memcpy(raw + HEADER, head, HEAD);
    memcpy(raw + HEADER + HEAD, at, n);
    check(record_read(raw, size, &r) == RECORD_GOOD && eventsources_is(&r));
    int good = eventsources_add(e, &r, m);
    free(raw);
    return good;
}

static void read_pieces(const uint8_t *at, size_t n, int whole, int types)
{
    eventsources *e = eventsources_new();
    manifests *m = manifests_new();
    int got = 0;

    check(give_piece(e, m, 0, at, n / 3));
    check(give_piece(e, m, 1, at + n / 3, n / 3));
    int good = give_piece(e, m, 2, at + n / 3 * 2, n - n / 3 * 2);
    manifests_each(m, count, &got);
    check(eventsources_unfinished(e) == !good);
    /* A text in UTF-16 is read from a file only. */
    if (whole && encoding_is_utf8((const char *)at, n) && !memchr(at, 0, n)) check(good && got == types);
    manifests_free(m);
    eventsources_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char why[128];
    uint64_t faults = 0;

    if (n < 2 || bytes[0] > n - 2 || n > 60000) return 0;
    trial x = { .types = types_new(), .pointer = bytes[1] & 1 ? 4 : 8 };
    uint8_t *payload = malloc(bytes[0] ? bytes[0] : 1u); /* of its own size, so that a byte read beyond it is found */
    manifests *m = manifests_new();
    size_t length = n - 2 - bytes[0];

    x.event.bytes = bytes[0];
    x.event.data = payload;
    memcpy(payload, bytes + n - bytes[0], bytes[0]);
    int rc = manifests_read(m, bytes + 2, length, "x.man", why, sizeof why, &faults);
    check((rc == TW_OK && !faults) || why[0]);
    manifests_each(m, say, &x);
    check(rc == TW_OK || !manifests_providers(m));
    read_pieces(bytes + 2, length, rc == TW_OK, x.n);
    manifests_free(m);
    free(payload);
    arena_free(&x.memory);
    types_free(x.types);
    return 0;
}
