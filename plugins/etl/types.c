/* types.c - publishing what a record is an instance of; see types.h. */
#include "types.h"

#include <stdlib.h>

#include "../common/etw/guid.h"
#include "../common/etw/mix.h"

enum {
    FIRST_ROOM = 1024,
    MOST_DESCRIBED = TW_TYPES / 4 * 3, /* of types that describe themselves, so that others are left ids */
    MOST_KEPT = 2 * TW_TYPES,          /* of types; as many as the host takes, and of those it refuses */
    DESCRIPTOR = 16 /* bytes of an EVENT_HEADER from its id to its keyword: they are the type's as well */
};

static uint64_t mix_bytes(uint64_t h, const uint8_t *at, size_t n)
{
    for (; n >= 8; n -= 8, at += 8) h = mix(h, tw_u64(at));
    for (; n; n--, at++) h = mix(h, *at);
    return h;
}

static uint64_t key_of(const known_types *t, const record *r)
{
    int string = r->kind == RECORD_EVENT && tw_u16(r->at + ETW_EVENT_FLAGS) & ETW_EVENT_STRING_ONLY;
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)string << 48 | (uint64_t)r->kind << 44 | (uint64_t)r->pointer << 40;

    if (!r->schema) return key | (uint64_t)r->group << 32 | (uint64_t)r->version << 16 | r->id;
    key = mix_bytes(mix((uintptr_t)t, key), r->at + ETW_EVENT_ID, DESCRIPTOR);
    return mix_bytes(key, r->schema, r->schema_bytes) | 1;
}

/* Mixed with an address, which nobody who writes a trace can foresee. */
static uint32_t slot_of(const known_types *t, const uint8_t guid[16], uint64_t key, uint32_t room)
{
    return (uint32_t)guid_hash(guid, key ^ (uint64_t)(uintptr_t)t) & (room - 1);
}

static int same_description(const known_type *k, const record *r)
{
    if (!r->schema) return !k->description;
    return k->description && k->described == DESCRIPTOR + r->schema_bytes &&
           !memcmp(k->description, r->at + ETW_EVENT_ID, DESCRIPTOR) &&
           !memcmp(k->description + DESCRIPTOR, r->schema, r->schema_bytes);
}

/* Where this one is, or the free slot where it would be. */
static known_type *probe(const known_types *t, const record *r, const uint8_t guid[16], uint64_t key)
{
    uint32_t i = slot_of(t, guid, key, t->room);

    while (t->slot[i].key &&
           (t->slot[i].key != key || memcmp(t->slot[i].guid, guid, 16) != 0 || !same_description(&t->slot[i], r)))
        i = (i + 1) & (t->room - 1);
    return &t->slot[i];
}

static int make_room(known_types *t)
{
    uint32_t room = t->room ? t->room * 2 : FIRST_ROOM;
    known_type *slot = calloc(room, sizeof *slot);

    if (!slot) return 0;
    for (uint32_t i = 0; i < t->room; i++) {
        if (!t->slot[i].key) continue;
        uint32_t k = slot_of(t, t->slot[i].guid, t->slot[i].key, room);
        while (slot[k].key) k = (k + 1) & (room - 1);
        slot[k] = t->slot[i];
    }
    free(t->slot);
    t->slot = slot;
    t->room = room;
    return 1;
}

/* What the events of all refused types count as. */
static known_type *refuse(known_types *t, void *self)
{
    t->none.wanted = (uint32_t)TW_HOST(self)->wanted(self, 0);
    return &t->none;
}

/* What stays true of an event when its record is gone. A log-file header tells of the whole trace. */
static uint32_t flags_of(const record *r)
{
    int describes = metadata_is(r) || eventsources_is(r) || (r->kind == RECORD_KERNEL && r->group == 0 && r->id == 0);

    return (describes ? TW_DESCRIBES : 0) | (r->kind == RECORD_CLASSIC ? TW_CLASSIC : 0);
}

/* One that the host refuses is kept as well, so that it is described and refused once and not for each event; but not one
   that describes itself, which takes no more time than its bytes do, and would take their memory. */
static known_type *add(known_types *t, void *self, const record *r, const uint8_t guid[16], uint64_t key,
                       types_describe *describe)
{
    schema_words words;
    tw_type described;
    uint8_t *description = NULL;

    if (r->schema && t->described == MOST_DESCRIBED) {
        t->beyond++;
        return refuse(t, self);
    }
    describe(self, r, &words, &described);
    described.flags |= flags_of(r);
    uint32_t type = TW_HOST(self)->publish(self, &described);
    int keep = type || (!r->schema && t->n < MOST_KEPT);
    if (!keep || (2 * (t->n + 1) > t->room && !make_room(t))) return refuse(t, self);
    if (r->schema) {
        description = malloc(DESCRIPTOR + r->schema_bytes);
        if (!description) return refuse(t, self);
        memcpy(description, r->at + ETW_EVENT_ID, DESCRIPTOR);
        memcpy(description + DESCRIPTOR, r->schema, r->schema_bytes);
    }
    known_type *k = probe(t, r, guid, key);
    *k = (known_type){ .key = key,
                       .description = description,
                       .described = description ? DESCRIPTOR + r->schema_bytes : 0,
                       .type = type,
                       .wanted = (uint32_t)TW_HOST(self)->wanted(self, type),
                       .need = words.need };
    memcpy(k->guid, guid, 16);
    t->n++;
    t->described += description != NULL;
    return type ? k : refuse(t, self);
}

known_type *types_find(known_types *t, void *self, const record *r, types_describe *describe)
{
    uint8_t component[16] = { 0 };
    const uint8_t *guid = component;
    uint64_t key = key_of(t, r);

    if (r->guid)
        guid = r->guid;
    else
        memcpy(component, &r->component, sizeof r->component);
    if (t->room) {
        known_type *k = probe(t, r, guid, key);
        if (k->key) return k->type ? k : refuse(t, self);
    }
    return add(t, self, r, guid, key, describe);
}

void types_ask_again(known_types *t, void *self)
{
    t->none.events = t->none.bytes = 0;
    t->beyond = 0;
    for (uint32_t i = 0; i < t->room; i++) {
        known_type *k = &t->slot[i];
        if (!k->key) continue;
        k->wanted = (uint32_t)TW_HOST(self)->wanted(self, k->type);
        k->events = k->bytes = 0;
    }
}

void types_forget(known_types *t)
{
    for (uint32_t i = 0; i < t->room; i++) free(t->slot[i].description);
    free(t->slot);
    memset(t, 0, sizeof *t);
}
