/* fuzz_schema.c - hostile descriptions of events, then hostile payloads of them.

   The input's first byte says what follows: a TraceLogging description and a payload, a provider's traits, or records of
   a merged trace and a payload. What is described must be accepted when it is published, and be decoded without a fault
   of ours. */
#include <stdlib.h>

#include "metadata.h"
#include "tracelogging.h"
#include "type.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { HEAD = 2, ENOUGH = 512, RECORDS = 16 };

static void check(int good)
{
    if (!good) abort();
}

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* The next piece, copied so that a byte read beyond it is found: as many bytes as two say, at most what is left. */
static uint8_t *take(input *in, size_t *n)
{
    size_t said = in->left >= 2 ? tw_u16(in->at) : 0, head = in->left >= 2 ? 2 : in->left;

    in->at += head;
    in->left -= head;
    *n = said < in->left ? said : in->left;
    uint8_t *piece = malloc(*n + 1);
    check(piece != NULL);
    memcpy(piece, in->at, *n);
    in->at += *n;
    in->left -= *n;
    return piece;
}

static types *registry(void)
{
    static types *r; /* kept for many inputs: a new one takes longer than all the rest */

    if (r && types_count(r) > 1000) {
        types_free(r);
        r = NULL;
    }
    if (!r) r = types_new();
    return r;
}

/* Too many lengths to be kept at once is all that may be wrong with a table. */
static uint32_t publish(types *r, const tw_type *t)
{
    text why = { 0 };
    uint32_t id = types_publish(r, t, &why);

    check(id || strstr(text_of(&why), "which is too many") || strstr(text_of(&why), "where no payload reaches"));
    text_free(&why);
    return id;
}

static void decode_all(const tw_type *t, const uint8_t *payload, size_t n)
{
    tw_event e = { .data = n ? payload : NULL, .bytes = (uint32_t)n, .type = t->id };
    arena memory = { 0 };
    decode d = { .memory = &memory };
    text line = { 0 };
    uint32_t cells = 0;
    tw_walk w;
    tw_value v;
    char out[64];

    type_walk(t, &e, &d, &w);
    while (type_next(&w, &v) == TW_OK && ++cells < ENOUGH) value_print(&t->field[w.field], &v, out, sizeof out);
    for (uint32_t i = 0; i < t->nfields && i < ENOUGH; i++) type_get(t, &e, (int)i, &d, &v);
    if (cells < ENOUGH) type_text(t, &e, &d, &line);
    text_free(&line);
    arena_free(&memory);
}

static void describe_itself(input in, uint8_t pointer)
{
    store s = { 0 };
    tw_type t = { .size = sizeof t, .provider = "P", .name = "E", .pointer = pointer };
    const char *why = NULL;
    size_t n;
    uint8_t *item = take(&in, &n);
    int good = tracelogging_read(item, n, &s, &t, &why);

    free(item);
    check(good ? !why : why && !t.field);
    if (good) {
        types *r = registry();
        uint32_t id = publish(r, &t);
        uint8_t *payload = malloc(in.left + 1);
        check(payload != NULL);
        memcpy(payload, in.at, in.left);
        if (id) decode_all(types_table(r)[id], payload, in.left);
        free(payload);
    }
    store_free(&s);
}

static void provider(input in)
{
    store s = { 0 };
    uint8_t group[16];
    size_t n;
    uint8_t *item = take(&in, &n);
    const char *name = traits_provider(item, n, &s, group);

    free(item);
    check(!name || *name);
    store_free(&s);
}

/* Asks for the event that a record described, also for other versions and in the classic way. */
static void ask(metadata *m, const uint8_t *info, uint8_t pointer, const uint8_t *payload, size_t n)
{
    static const uint8_t kinds[] = { RECORD_EVENT, RECORD_CLASSIC };
    types *r = registry();

    for (size_t i = 0; i < sizeof kinds; i++) {
        for (unsigned version = 0; version < 3; version++) {
            int classic = kinds[i] == RECORD_CLASSIC;
            tw_type t = { .size = sizeof t, .provider = "P", .name = "E", .pointer = pointer };
            record asked = { .kind = kinds[i],
                             .guid = info + (classic ? 16 : 0),
                             .id = classic ? info[0x25] : tw_u16(info + 0x20),
                             .version = (uint16_t)(info[0x22] + version) };
            unsigned found;
            int match = metadata_find(m, &asked, &t, &found);
            check(match != SCHEMA_EXACT || found == asked.version);
            check(match != SCHEMA_NEAR || found != asked.version);
            uint32_t id = match == SCHEMA_NONE ? 0 : publish(r, &t);
            if (id) decode_all(types_table(r)[id], payload, n);
        }
    }
}

static void merged(input in, uint8_t pointer)
{
    metadata *m = metadata_new();
    uint8_t *kept[RECORDS];
    uint32_t nkept = 0;

    check(m != NULL);
    for (int i = 0; i < RECORDS && in.left > 3; i++) {
        uint16_t opcode = *in.at == 'm' ? 33 : *in.at == 'e' ? 32 : *in.at;
        size_t n;
        if (!*in.at) break;
        in.at++;
        in.left--;
        uint8_t *piece = take(&in, &n);
        record r = { .at = piece, .size = (uint32_t)n, .kind = RECORD_CLASSIC, .id = opcode };
        int good = metadata_add(m, &r);
        if (good && opcode == 32)
            kept[nkept++] = piece;
        else
            free(piece);
    }
    uint8_t *payload = malloc(in.left + 1);
    check(payload != NULL);
    memcpy(payload, in.at, in.left);
    for (uint32_t i = 0; i < nkept; i++) {
        ask(m, kept[i], pointer, payload, in.left);
        free(kept[i]);
    }
    free(payload);
    metadata_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n < HEAD) return 0;
    input in = { bytes + HEAD, n - HEAD };
    uint8_t pointer = bytes[1] & 1 ? 4 : 8;

    switch (bytes[0]) {
    case 'd': describe_itself(in, pointer); break;
    case 't': provider(in); break;
    case 'm': merged(in, pointer); break;
    default: break;
    }
    return 0;
}
