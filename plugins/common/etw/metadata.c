/* metadata.c - schemas that a merged trace holds; see metadata.h.

   Everything kept is in one hash table: events by provider and id, and by class and opcode, since manifests may say that
   an event is also written in the classic way; maps by provider and name; and the providers. */
#include "metadata.h"

#include <stdlib.h>
#include <string.h>

#include "event_info.h"
#include "event_name.h"
#include "fields.h"
#include "guid.h"

enum { LIMIT = 64 << 20, FIRST_ROOM = 256, EVENT_INFO = 32, EVENT_MAP = 33, GUID_BYTES = 16 };

enum sort { BY_ID, BY_OPCODE, MAP, PROVIDER };

typedef struct kept {
    struct kept *next; /* of the same hash */
    uint64_t hash;
    uint8_t guid[GUID_BYTES]; /* of provider or class */
    uint8_t sort;             /* enum sort */
    uint8_t version;
    uint16_t number;       /* id or opcode */
    blob bytes;            /* as in the record; of a provider one of its events */
    text16 name;           /* of a map */
    const tw_names *names; /* of a map, once somebody asked */
    int asked;
    const tw_type *type;     /* of an event: what was read of it when there were */
    uint32_t maps;           /* so many maps */
    struct provider *detail; /* of a provider */
} kept;

typedef struct provider {
    const char *name;               /* NULL: it has none */
    const char *bit[INFO_KEYWORDS]; /* names of its keywords; NULL: not known */
    uint32_t nbits;                 /* that are known */
    const tw_names *keywords;       /* of as many as there were when somebody asked */
    uint32_t of_bits;
} provider;

struct metadata {
    store memory;
    kept **slot;
    uint32_t n, room; /* room: a power of two, more than n */
    uint32_t events, maps, conflicts;
};

/* ---- The table ---------------------------------------------------------- */

/* Mixed with an address, which nobody who writes a trace can foresee, so that no trace makes all of them equal. */
static uint64_t hash_of(const metadata *m, enum sort sort, const uint8_t guid[GUID_BYTES], uint16_t number,
                        text16 name)
{
    uint64_t h = guid_hash(guid, (uint64_t)(uintptr_t)m ^ ((uint64_t)sort << 16 | number));

    for (size_t i = 0; i < name.units; i++) h = (h ^ h >> 29 ^ tw_u16(name.at + 2 * i)) * UINT64_C(0x100000001B3);
    return h ^ h >> 32;
}

static kept *first_of(const metadata *m, enum sort sort, const uint8_t guid[GUID_BYTES], uint16_t number, text16 name,
                      kept *after)
{
    uint64_t hash = hash_of(m, sort, guid, number, name);
    kept *k = after ? after->next : m->room ? m->slot[hash & (m->room - 1)] : NULL;

    for (; k; k = k->next) {
        if (k->hash != hash || k->sort != sort || k->number != number || memcmp(k->guid, guid, GUID_BYTES) != 0)
            continue;
        if (k->name.units == name.units && (!name.units || !memcmp(k->name.at, name.at, 2 * name.units))) break;
    }
    return k;
}

static const text16 no_name;

static int make_room(metadata *m)
{
    uint32_t room = m->room ? m->room * 2 : FIRST_ROOM;
    kept **slot;

    if (m->n < m->room) return 1;
    slot = calloc(room, sizeof(kept *));
    if (!slot) return 0;
    for (uint32_t i = 0; i < m->room; i++) {
        while (m->slot[i]) {
            kept *k = m->slot[i];
            m->slot[i] = k->next;
            k->next = slot[k->hash & (room - 1)];
            slot[k->hash & (room - 1)] = k;
        }
    }
    free(m->slot);
    m->slot = slot;
    m->room = room;
    return 1;
}

static kept *keep(metadata *m, enum sort sort, const uint8_t guid[GUID_BYTES], uint16_t number, text16 name)
{
    kept *k = make_room(m) ? store_new(&m->memory, sizeof *k) : NULL;

    if (!k) return NULL;
    k->hash = hash_of(m, sort, guid, number, name);
    k->sort = (uint8_t)sort;
    k->number = number;
    k->name = name;
    memcpy(k->guid, guid, GUID_BYTES);
    kept **at = &m->slot[k->hash & (m->room - 1)];
    k->next = *at;
    *at = k;
    m->n++;
    return k;
}

metadata *metadata_new(void)
{
    metadata *m = calloc(1, sizeof *m);

    if (m) m->memory.limit = LIMIT;
    return m;
}

void metadata_free(metadata *m)
{
    if (!m) return;
    store_free(&m->memory);
    free(m->slot);
    free(m);
}

uint32_t metadata_conflicts(const metadata *m)
{
    return m->conflicts;
}

uint32_t metadata_count(const metadata *m)
{
    return m->events;
}

/* ---- Keeping ------------------------------------------------------------ */

int metadata_is(const record *r)
{
    static const uint8_t class_guid[GUID_BYTES] = { 0xC1, 0xF6, 0xCC, 0xBB, 0xD1, 0x6C, 0xC4, 0x48,
                                                    0x80, 0xFF, 0x83, 0x94, 0x82, 0xE3, 0x76, 0x71 };
    return r->kind == RECORD_CLASSIC && !memcmp(r->guid, class_guid, GUID_BYTES);
}

static int copy(metadata *m, blob b, blob *out)
{
    uint8_t *at = store_new(&m->memory, b.bytes);

    if (!at) return 0;
    memcpy(at, b.at, b.bytes);
    *out = (blob){ at, b.bytes };
    return 1;
}

/* An event says its keywords as a mask and as names, in the order of the bits: where both are as many, the names of
   these bits are known. */
static void learn_keywords(metadata *m, provider *p, blob info)
{
    text16 name[INFO_KEYWORDS];
    uint64_t mask = tw_u64(info.at + INFO_KEYWORD) & ((UINT64_C(1) << INFO_KEYWORDS) - 1);
    uint32_t n = event_info_keywords(info, name), bits = 0, next = 0;

    for (uint64_t rest = mask; rest; rest &= rest - 1) bits++;
    if (!n || n != bits) return;
    for (int i = 0; i < INFO_KEYWORDS; i++) {
        if (!(mask >> i & 1)) continue;
        text16 t = name[next++];
        if (p->bit[i]) continue;
        p->bit[i] = t.units ? store_text16(&m->memory, t.at, t.units) : NULL;
        p->nbits += p->bit[i] != NULL;
    }
}

static void learn_provider(metadata *m, blob info)
{
    const uint8_t *guid = info.at + INFO_PROVIDER;
    kept *k = first_of(m, PROVIDER, guid, 0, no_name, NULL);

    if (!k) {
        provider *p = store_new(&m->memory, sizeof *p);
        k = p ? keep(m, PROVIDER, guid, 0, no_name) : NULL;
        if (!k) return;
        k->detail = p;
    }
    if (!k->detail->name) k->detail->name = event_info_text(info, INFO_PROVIDER_NAME, &m->memory);
    learn_keywords(m, k->detail, info);
}

static kept *of_version(const metadata *m, enum sort sort, const uint8_t *guid, uint16_t number, unsigned version)
{
    kept *k = NULL;

    while ((k = first_of(m, sort, guid, number, no_name, k)) && k->version != version) {}
    return k;
}

/* What is there already stays. */
static int keep_event(metadata *m, enum sort sort, const uint8_t *guid, uint16_t number, blob info)
{
    kept *k;

    if (of_version(m, sort, guid, number, info.at[INFO_VERSION])) return 1;
    k = keep(m, sort, guid, number, no_name);
    if (!k) return 0;
    k->version = info.at[INFO_VERSION];
    k->bytes = info;
    return 1;
}

static int is_readable(blob info)
{
    store scratch = { .limit = LIMIT };
    const tw_field *field;
    uint32_t n;
    int good = event_info_sound(info) && event_info_fields(info, &scratch, NULL, NULL, &field, &n);

    store_free(&scratch);
    return good;
}

static int add_event(metadata *m, blob given)
{
    static const uint8_t none[GUID_BYTES];
    blob info;

    if (!is_readable(given)) return 0;
    uint32_t source = tw_u32(given.at + INFO_SOURCE);
    if (source >= INFO_SOURCES) return 0;
    if (source != INFO_OF_MANIFEST && source != INFO_OF_MOF)
        return 1; /* those others describe themselves, or nothing */
    uint16_t id = tw_u16(given.at + INFO_ID), opcode = given.at[INFO_OPCODE];
    const uint8_t *provider = given.at + INFO_PROVIDER, *class_guid = given.at + INFO_CLASS;
    int by_id = source == INFO_OF_MANIFEST, by_opcode = memcmp(class_guid, none, GUID_BYTES) != 0;
    const kept *of_id = by_id ? of_version(m, BY_ID, provider, id, given.at[INFO_VERSION]) : NULL;
    const kept *of_opcode = by_opcode ? of_version(m, BY_OPCODE, class_guid, opcode, given.at[INFO_VERSION]) : NULL;
    if ((of_id && !event_info_alike(of_id->bytes, given)) ||
        (of_opcode && !event_info_alike(of_opcode->bytes, given)))
        m->conflicts++;
    if ((of_id || !by_id) && (of_opcode || !by_opcode)) return 1;
    if (!copy(m, given, &info)) return 0;
    learn_provider(m, info);
    if (by_id && !keep_event(m, BY_ID, provider, id, info)) return 0;
    if (by_opcode && !keep_event(m, BY_OPCODE, class_guid, opcode, info)) return 0;
    m->events++;
    return 1;
}

static int add_map(metadata *m, blob given)
{
    blob bytes;

    if (given.bytes < GUID_BYTES) return 0;
    blob map = { given.at + GUID_BYTES, given.bytes - GUID_BYTES };
    text16 name = event_map_name(map);
    if (!name.units) return 0;
    if (first_of(m, MAP, given.at, 0, name, NULL)) return 1;
    if (!copy(m, given, &bytes)) return 0;
    map = (blob){ bytes.at + GUID_BYTES, bytes.bytes - GUID_BYTES };
    kept *k = keep(m, MAP, bytes.at, 0, event_map_name(map));
    if (!k) return 0;
    k->bytes = map;
    m->maps++;
    return 1;
}

int metadata_add(metadata *m, const record *r)
{
    blob payload = { r->at + r->payload, r->size - r->payload };

    switch (r->id) {
    case EVENT_INFO: return add_event(m, payload);
    case EVENT_MAP: return add_map(m, payload);
    default: return 0;
    }
}

/* ---- Finding ------------------------------------------------------------ */

typedef struct question {
    metadata *m;
    const uint8_t *provider;
} question;

static const tw_names *map_called(void *context, text16 name)
{
    question *q = context;
    kept *k = name.units ? first_of(q->m, MAP, q->provider, 0, name, NULL) : NULL;

    if (!k) return NULL;
    if (!k->asked) k->names = event_map_names(k->bytes, &q->m->memory);
    k->asked = 1;
    return k->names;
}

static const tw_names *keywords_of(metadata *m, provider *p)
{
    tw_name pair[INFO_KEYWORDS];
    uint32_t n = 0;

    if (p->of_bits == p->nbits) return p->keywords;
    for (int i = 0; i < INFO_KEYWORDS; i++)
        if (p->bit[i]) pair[n++] = (tw_name){ UINT64_C(1) << i, p->bit[i] };
    p->keywords = fields_names(&m->memory, pair, n, 1);
    p->of_bits = p->nbits;
    return p->keywords;
}

/* The classes of MOF are called like those of the kernel: class, then opcode. */
static void read_names(metadata *m, blob info, tw_type *t)
{
    store *s = &m->memory;
    unsigned opcode = info.at[INFO_OPCODE];

    t->task_name = event_info_text(info, INFO_TASK_NAME, s);
    t->opcode_name = event_info_text(info, INFO_OPCODE_NAME, s);
    t->level_name = event_info_text(info, INFO_LEVEL_NAME, s);
    t->channel_name = event_info_text(info, INFO_CHANNEL_NAME, s);
    t->message = event_info_text(info, INFO_MESSAGE, s);
    t->provider = event_info_text(info, INFO_PROVIDER_NAME, s);
    if (tw_u32(info.at + INFO_SOURCE) == INFO_OF_MOF) {
        if (t->task_name) t->provider = t->task_name;
        t->name = t->opcode_name;
    } else {
        t->name = event_name(s, event_info_text(info, INFO_EVENT_NAME, s), info.at[INFO_VERSION], t->task_name,
                             opcode, t->opcode_name);
    }
}

/* All that is read of an event, once for as many maps as there are. NULL: no memory. */
static const tw_type *read_event(metadata *m, kept *k)
{
    question q = { m, k->bytes.at + INFO_PROVIDER };
    tw_type *t;

    if (k->type && k->maps == m->maps) return k->type;
    t = store_new(&m->memory, sizeof *t);
    if (!t || !event_info_fields(k->bytes, &m->memory, map_called, &q, &t->field, &t->nfields)) return NULL;
    read_names(m, k->bytes, t);
    t->keyword = tw_u64(k->bytes.at + INFO_KEYWORD);
    k->type = t;
    k->maps = m->maps;
    return t;
}

/* Of the asked version, else the nearest older one, else the nearest newer one. */
static kept *nearest(const metadata *m, enum sort sort, const uint8_t *guid, uint16_t number, unsigned version)
{
    kept *best = NULL, *k = NULL;

    while ((k = first_of(m, sort, guid, number, no_name, k))) {
        int older = k->version <= version, best_older = best && best->version <= version;
        if (!best || (older && (!best_older || k->version > best->version)) ||
            (!older && !best_older && k->version < best->version))
            best = k;
    }
    return best;
}

static void use_provider(metadata *m, const uint8_t *guid, tw_type *t)
{
    kept *k = first_of(m, PROVIDER, guid, 0, no_name, NULL);

    if (!k) return;
    if (k->detail->name) t->provider = k->detail->name;
    if (k->detail->nbits) t->keywords = keywords_of(m, k->detail);
}

int metadata_find(metadata *m, const record *r, tw_type *t, unsigned *version)
{
    if (r->kind != RECORD_EVENT && r->kind != RECORD_CLASSIC) return SCHEMA_NONE;
    enum sort sort = r->kind == RECORD_EVENT ? BY_ID : BY_OPCODE;
    kept *k = nearest(m, sort, r->guid, r->id, r->version);
    const tw_type *known = k ? read_event(m, k) : NULL;

    use_provider(m, known ? k->bytes.at + INFO_PROVIDER : r->guid, t);
    if (!known) return SCHEMA_NONE;
    if (known->provider) t->provider = known->provider;
    if (known->name) t->name = known->name;
    if (sort == BY_OPCODE) t->keyword = known->keyword;
    t->field = known->field;
    t->nfields = known->nfields;
    t->message = known->message;
    t->task_name = known->task_name;
    t->opcode_name = known->opcode_name;
    t->level_name = known->level_name;
    t->channel_name = known->channel_name;
    t->origin = "in the trace";
    *version = k->version;
    return k->version == r->version ? SCHEMA_EXACT : SCHEMA_NEAR;
}
