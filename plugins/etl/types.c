/* types.c - publishing what a record is an instance of; see types.h. */
#include "types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/etw/kernel.h"

enum { FIRST_ROOM = 1024, GUID_TEXT = 37 };

/* ---- What a type is called and made of ---- */

typedef struct names { /* room for what a tw_type points to; the host copies it */
    char provider[48], name[16], key[64], origin[32], why[128];
} names;

static void guid_text(void *self, const uint8_t guid[16], char out[GUID_TEXT])
{
    tw_value v = { .kind = TW_GUID, .t = { (const char *)guid, 16, 0 } };
    TW_HOST(self)->print(NULL, &v, out, GUID_TEXT);
}

/* The version that a layout is of which was given for another one: the nearest below, else above, that is exact. */
static unsigned layout_version(const record *r, unsigned asked)
{
    kernel_layout l;

    for (unsigned i = 1; i <= 512; i++) {
        unsigned version = i <= asked ? asked - i : i;
        if (r->kind == RECORD_KERNEL)
            kernel_by_group(r->group, r->id, version, r->pointer, &l);
        else
            kernel_by_guid(r->guid, r->id, version, r->pointer, &l);
        if (l.exact) return version;
    }
    return asked;
}

/* Gives the type the fields of a kernel layout, if there is one. */
static void use_layout(const record *r, const kernel_layout *l, names *n, tw_type *t)
{
    if (l->provider) t->provider = l->provider;
    if (l->name) t->name = l->name;
    if (l->guid) memcpy(t->guid, l->guid, 16);
    if (!l->known) return;
    t->field = l->field;
    t->nfields = l->nfields;
    t->origin = "built in";
    t->why = NULL;
    if (l->exact) return;
    snprintf(n->origin, sizeof n->origin, "built in (version %u)", layout_version(r, r->version));
    t->origin = n->origin;
}

static void describe_kernel(const record *r, names *n, tw_type *t)
{
    const char *group = kernel_group_name(r->group);
    kernel_layout l;

    snprintf(n->key, sizeof n->key, "kernel:%02x", r->group);
    snprintf(n->why, sizeof n->why, "no layout for opcode %u of %s", r->id, group ? group : n->key);
    t->key = n->key;
    t->provider = group ? group : n->key;
    t->opcode = (uint8_t)r->id;
    memcpy(t->guid, kernel_group_guid(r->group), 16);
    kernel_by_group(r->group, r->id, r->version, r->pointer, &l);
    use_layout(r, &l, n, t);
}

static void describe_classic(const record *r, names *n, tw_type *t)
{
    kernel_layout l;

    snprintf(n->why, sizeof n->why, "no layout for opcode %u of class %s", r->id, n->provider);
    t->opcode = (uint8_t)r->id;
    t->level = r->at[ETW_FULL_LEVEL];
    kernel_by_guid(r->guid, r->id, r->version, r->pointer, &l);
    use_layout(r, &l, n, t);
}

static int is_self_describing(const record *r)
{
    return r->kind == RECORD_EVENT && r->items >> ETW_ITEM_SCHEMA & 1;
}

static int is_string(const record *r)
{
    return r->kind == RECORD_EVENT && tw_u16(r->at + ETW_EVENT_FLAGS) & ETW_EVENT_STRING_ONLY;
}

static void describe_event(const record *r, names *n, tw_type *t)
{
    static const tw_field string = { .name = "String", .kind = TW_TEXT16, .bytes_by = TW_ONE, .count_by = TW_ONE };

    t->keyword = tw_u64(r->at + ETW_EVENT_KEYWORD);
    t->opcode = r->at[ETW_EVENT_OPCODE];
    t->level = r->at[ETW_EVENT_LEVEL];
    t->task = tw_u16(r->at + ETW_EVENT_TASK);
    t->channel = r->at[ETW_EVENT_CHANNEL];
    if (is_self_describing(r)) {
        t->why = "self-describing fields are not decoded";
    } else if (is_string(r)) {
        t->field = &string;
        t->nfields = 1;
        t->origin = "in the event";
        t->why = NULL;
    } else {
        snprintf(n->why, sizeof n->why, "no schema for provider %s", n->provider);
    }
}

static void describe_message(const record *r, names *n, tw_type *t)
{
    if (r->guid) {
        snprintf(n->why, sizeof n->why, "needs the TMF file %s.tmf", n->provider);
    } else {
        snprintf(n->provider, sizeof n->provider, "component %" PRIu32, r->component);
        snprintf(n->why, sizeof n->why, "a message of a component without GUID: no TMF file can be named");
    }
    snprintf(n->key, sizeof n->key, "wpp:%s", n->provider);
    t->key = n->key;
}

static void describe_opaque(const record *r, names *n, tw_type *t)
{
    snprintf(n->provider, sizeof n->provider, "Opaque");
    snprintf(n->key, sizeof n->key, "opaque:%02x", r->type);
    snprintf(n->why, sizeof n->why, "events with a header of type %02X are not described anywhere", r->type);
    t->key = n->key;
}

static uint32_t publish(void *self, const record *r)
{
    names n = { 0 };
    tw_type t = { .size = sizeof t };

    t.provider = n.provider;
    t.name = n.name;
    t.why = n.why;
    t.number = r->id;
    t.version = (uint8_t)r->version;
    t.pointer = r->pointer;
    snprintf(n.name, sizeof n.name, "%u", r->id);
    if (r->guid) {
        memcpy(t.guid, r->guid, 16);
        guid_text(self, r->guid, n.provider);
    }
    switch (r->kind) {
    case RECORD_KERNEL: describe_kernel(r, &n, &t); break;
    case RECORD_CLASSIC: describe_classic(r, &n, &t); break;
    case RECORD_EVENT: describe_event(r, &n, &t); break;
    case RECORD_MESSAGE: describe_message(r, &n, &t); break;
    default: describe_opaque(r, &n, &t); break;
    }
    return TW_HOST(self)->publish(self, &t);
}

/* ---- Finding it again ---- */

static uint64_t key_of(const record *r)
{
    uint64_t sort = (uint64_t)is_self_describing(r) | (uint64_t)is_string(r) << 1;

    return (uint64_t)1 << 63 | sort << 48 | (uint64_t)r->kind << 44 | (uint64_t)r->pointer << 40 |
           (uint64_t)r->group << 32 | (uint64_t)r->version << 16 | r->id;
}

static uint64_t hash_of(const uint8_t guid[16], uint64_t key)
{
    uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15) ^ tw_u64(guid) * UINT64_C(0xC2B2AE3D27D4EB4F) ^
                 tw_u64(guid + 8) * UINT64_C(0x165667B19E3779F9);

    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 32;
}

/* Where this one is, or the free slot where it would be. */
static known_type *probe(known_type *slot, uint32_t room, const uint8_t guid[16], uint64_t key)
{
    uint32_t i = (uint32_t)hash_of(guid, key) & (room - 1);

    while (slot[i].key && (slot[i].key != key || memcmp(slot[i].guid, guid, 16) != 0)) i = (i + 1) & (room - 1);
    return &slot[i];
}

static int make_room(known_types *t)
{
    uint32_t room = t->room ? t->room * 2 : FIRST_ROOM;
    known_type *slot = calloc(room, sizeof *slot);

    if (!slot) return 0;
    for (uint32_t i = 0; i < t->room; i++)
        if (t->slot[i].key) *probe(slot, room, t->slot[i].guid, t->slot[i].key) = t->slot[i];
    free(t->slot);
    t->slot = slot;
    t->room = room;
    return 1;
}

static const known_type *add(known_types *t, void *self, const record *r, const uint8_t guid[16], uint64_t key)
{
    uint32_t type = publish(self, r);
    known_type *k;

    /* What was refused is not kept, so it is refused, and counted by the host, for each event. */
    if (!type || (2 * (t->n + 1) > t->room && !make_room(t))) {
        t->none.wanted = (uint32_t)TW_HOST(self)->wanted(self, 0);
        return &t->none;
    }
    k = probe(t->slot, t->room, guid, key);
    memcpy(k->guid, guid, 16);
    k->key = key;
    k->type = type;
    k->wanted = (uint32_t)TW_HOST(self)->wanted(self, k->type);
    t->n++;
    return k;
}

const known_type *types_find(known_types *t, void *self, const record *r)
{
    uint8_t component[16] = { 0 };
    const uint8_t *guid = component;
    uint64_t key = key_of(r);

    if (r->guid)
        guid = r->guid;
    else
        memcpy(component, &r->component, sizeof r->component);
    if (t->room) {
        const known_type *k = probe(t->slot, t->room, guid, key);
        if (k->key) return k;
    }
    return add(t, self, r, guid, key);
}

void types_ask_again(known_types *t, void *self)
{
    for (uint32_t i = 0; i < t->room; i++)
        if (t->slot[i].key) t->slot[i].wanted = (uint32_t)TW_HOST(self)->wanted(self, t->slot[i].type);
}

void types_forget(known_types *t)
{
    free(t->slot);
    memset(t, 0, sizeof *t);
}
