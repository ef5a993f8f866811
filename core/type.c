/* type.c - the registry of event types.

   One idea: nothing of a type belongs to its publisher once it is here. Texts and lists are interned, so a map of
   values that a thousand types use is there once, and all copies stay for as long as the registry.

   Any thread may publish, intern and look up: what changes is changed under a lock, and a type is in the table before
   it is counted. */
#include "type.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "encoding.h"
#include "layout.h"
#include "mix.h"
#include "os.h"

typedef struct interned { /* one place of the table; at NULL: free */
    const char *at;
    uint32_t hash, bytes;
} interned;

struct types {
    os_mutex *lock; /* taken to change anything here */
    arena memory;
    size_t bytes; /* of memory that types take */
    atomic_uint count;
    const tw_type **table;
    interned *place; /* nplaces, a power of two, at most half of them taken */
    uint32_t nplaces, ninterned;
    tw_field *field; /* room for one type while it is checked */
    layout_field *of;
};

/* ---- Equal text, equal pointer ------------------------------------------ */

static uint32_t hash_of(const types *r, const char *bytes, size_t n)
{
    uint64_t h = mix((uintptr_t)r, n);
    size_t i = 0;

    for (; n - i >= 8; i += 8) h = mix(h, tw_u64(bytes + i));
    for (; i < n; i++) h = mix(h, (uint8_t)bytes[i]);
    return (uint32_t)h;
}

static void places_grow(types *r)
{
    uint32_t n = r->nplaces ? r->nplaces * 2 : 1024;
    interned *place = mem_new(n * sizeof *place);

    for (uint32_t i = 0; i < r->nplaces; i++) {
        if (!r->place[i].at) continue;
        uint32_t k = r->place[i].hash & (n - 1);
        while (place[k].at) k = (k + 1) & (n - 1);
        place[k] = r->place[i];
    }
    free(r->place);
    r->place = place;
    r->nplaces = n;
}

static const char *intern(types *r, const char *bytes, size_t n)
{
    uint32_t hash = hash_of(r, bytes, n);

    if (r->ninterned >= r->nplaces / 2) places_grow(r);
    uint32_t k = hash & (r->nplaces - 1);
    for (; r->place[k].at; k = (k + 1) & (r->nplaces - 1)) {
        const interned *p = &r->place[k];
        if (p->hash == hash && p->bytes == n && !memcmp(p->at, bytes, n)) return p->at;
    }
    r->place[k] = (interned){ arena_text(&r->memory, bytes, n), hash, (uint32_t)n };
    r->ninterned++;
    return r->place[k].at;
}

const char *types_intern(types *r, const char *bytes, size_t n)
{
    os_lock(r->lock);
    const char *kept = intern(r, bytes, n);
    os_unlock(r->lock);
    return kept;
}

static const char *keep_text(types *r, const char *s)
{
    if (!s) return NULL;
    size_t n = strlen(s);
    if (encoding_is_utf8(s, n)) return intern(r, s, n);
    arena rough = { 0 };
    tw_text t = encoding_utf8(&rough, s, n);
    const char *kept = intern(r, t.at, t.bytes);
    arena_free(&rough);
    return kept;
}

/* A list of names whose texts are interned is itself only bytes, so it is interned too. */
static const tw_names *keep_names(types *r, const tw_names *names)
{
    if (!names) return NULL;
    size_t bytes = names->n * sizeof(tw_name);
    tw_name *list = mem_new(bytes ? bytes : 1);
    tw_names copy = { .size = sizeof copy, .n = names->n, .flags = names->flags };
    for (uint32_t i = 0; i < names->n; i++) {
        list[i].value = names->name[i].value;
        list[i].name = keep_text(r, names->name[i].name);
    }
    copy.name = (const tw_name *)(const void *)intern(r, (const char *)list, bytes);
    free(list);
    return (const tw_names *)(const void *)intern(r, (const char *)&copy, sizeof copy);
}
_Static_assert(sizeof(tw_name) == sizeof(uint64_t) + sizeof(char *), "no padding: tw_name is compared by its bytes");
_Static_assert(sizeof(tw_names) == 4 * sizeof(uint32_t) + sizeof(void *),
               "no padding: tw_names is compared by its bytes");

/* ---- Publishing --------------------------------------------------------- */

static size_t text_bytes(const char *s)
{
    return s ? strlen(s) + 1 : 0;
}

static size_t names_bytes(const tw_names *names)
{
    size_t sum = sizeof *names + names->n * sizeof(tw_name);

    for (uint32_t k = 0; k < names->n && sum <= TYPE_MAX_BYTES; k++) sum += text_bytes(names->name[k].name);
    return sum;
}

/* What a copy of t takes if nothing of it is there yet, so near the limit a type may be refused that would just have
   fitted. */
static size_t most_bytes(const tw_type *t)
{
    size_t sum = sizeof(layout) + 37 + t->nfields * (sizeof(tw_field) + sizeof(layout_field));
    const char *const of_type[] = { t->provider,  t->name,        t->provider,   t->name,
                                    t->key,       t->origin,      t->why,        t->message,
                                    t->task_name, t->opcode_name, t->level_name, t->channel_name };

    for (size_t i = 0; i < sizeof of_type / sizeof *of_type; i++) sum += text_bytes(of_type[i]);
    if (t->keywords) sum += names_bytes(t->keywords);
    for (uint32_t i = 0; i < t->nfields && sum <= TYPE_MAX_BYTES; i++) {
        const tw_field *f = &t->field[i];
        sum += text_bytes(f->name) + text_bytes(f->help);
        if (f->names && !(i && f->names == t->field[i - 1].names)) sum += names_bytes(f->names);
    }
    return sum;
}

/* t is good: r->field and r->of hold what was worked out about its fields. */
static uint32_t add(types *r, const tw_type *t, uint32_t first)
{
    size_t before = r->memory.used;
    layout *l = arena_alloc(&r->memory, sizeof *l);
    tw_field *field = arena_alloc(&r->memory, t->nfields * sizeof *field);
    layout_field *of = arena_alloc(&r->memory, t->nfields * sizeof *of);

    *l = (layout){ .type = *t, .of = of, .first = first };
    l->type.size = sizeof l->type;
    l->type.id = r->count;
    l->type.provider = keep_text(r, t->provider);
    l->type.name = keep_text(r, t->name);
    l->type.key = keep_text(r, t->key);
    l->type.origin = keep_text(r, t->origin);
    l->type.why = keep_text(r, t->why);
    l->type.message = keep_text(r, t->message);
    l->type.task_name = keep_text(r, t->task_name);
    l->type.opcode_name = keep_text(r, t->opcode_name);
    l->type.level_name = keep_text(r, t->level_name);
    l->type.channel_name = keep_text(r, t->channel_name);
    l->type.keywords = keep_names(r, t->keywords);
    l->type.field = field;
    for (uint32_t i = 0; i < t->nfields; i++) {
        field[i] = r->field[i];
        field[i].name = keep_text(r, field[i].name);
        field[i].help = keep_text(r, field[i].help);
        field[i].names = keep_names(r, field[i].names);
        of[i] = r->of[i];
    }
    text full = { 0 };
    text_format(&full, "%s/%s", l->type.provider, l->type.name);
    l->full_name = intern(r, full.at, full.n);
    text_free(&full);
    char guid[37];
    guid_print(t->guid, guid);
    l->key = t->key ? l->type.key : keep_text(r, guid);
    r->bytes += r->memory.used - before;
    r->table[r->count] = &l->type;
    return atomic_fetch_add(&r->count, 1);
}

types *types_new(void)
{
    types *r = mem_new(sizeof *r);
    tw_type unknown = { .provider = "", .name = "unknown", .why = "nothing is known about this sort of event" };

    r->lock = os_mutex_new();
    r->table = mem_new(TW_TYPES * sizeof(const tw_type *));
    r->field = mem_new(TYPE_MAX_FIELDS * sizeof *r->field);
    r->of = mem_new(TYPE_MAX_FIELDS * sizeof *r->of);
    add(r, &unknown, 0);
    return r;
}

void types_free(types *r)
{
    if (!r) return;
    arena_free(&r->memory);
    free(r->table);
    free(r->place);
    free(r->field);
    free(r->of);
    os_mutex_free(r->lock);
    free(r);
}

uint32_t types_count(const types *r)
{
    return atomic_load_explicit(&r->count, memory_order_acquire) - 1;
}

const tw_type *const *types_table(const types *r)
{
    return r->table;
}

static uint32_t publish(types *r, const tw_type *given, text *why)
{
    tw_type t = { 0 };
    const size_t least = offsetof(tw_type, message); /* as it was in minor 0 */
    uint32_t first;

    if (given->size < least) {
        text_format(why, "an event type says it has %u bytes, but the smallest has %u: set `size`",
                    (unsigned)given->size, (unsigned)least);
        return 0;
    }
    memcpy(&t, given, given->size < sizeof t ? given->size : sizeof t);
    if (!t.provider || !*t.provider || !t.name || !*t.name) {
        text_format(why, "event type %u has no %s; where there is none it is the %s", (unsigned)t.number,
                    t.provider && *t.provider ? "name" : "provider",
                    t.provider && *t.provider ? "number as text" : "GUID as text");
        return 0;
    }
    if (r->count == TW_TYPES) {
        text_format(why, "%s/%s: there are %d event types already, and no more ids", t.provider, t.name,
                    TW_TYPES - 1);
        return 0;
    }
    if (t.nfields && !t.field) {
        text_format(why, "%s/%s: %u fields are said to be there, but no table of them", t.provider, t.name,
                    (unsigned)t.nfields);
        return 0;
    }
    if (t.pointer != 0 && t.pointer != 4 && t.pointer != 8) {
        text_format(why, "%s/%s: pointers of %u bytes; they are of 4 or 8", t.provider, t.name, (unsigned)t.pointer);
        return 0;
    }
    if (!layout_names_sound(t.keywords)) {
        text_format(why, "%s/%s: its keywords are not a list of names in ascending order", t.provider, t.name);
        return 0;
    }
    if (t.nfields <= TYPE_MAX_FIELDS && t.nfields) memcpy(r->field, t.field, t.nfields * sizeof *t.field);
    if (layout_make(&t, r->field, r->of, &first, why)) return 0;
    if (most_bytes(&t) + r->bytes > TYPE_MAX_BYTES) {
        text_format(why, "%s/%s: with this one, event types would take more than %d MiB", t.provider, t.name,
                    TYPE_MAX_BYTES >> 20);
        return 0;
    }
    return add(r, &t, first);
}

uint32_t types_publish(types *r, const tw_type *given, text *why)
{
    os_lock(r->lock);
    uint32_t id = publish(r, given, why);
    os_unlock(r->lock);
    return id;
}

/* ---- Looking up --------------------------------------------------------- */

/* The field called `name` (n bytes) among those that belong to `parent`, or -1. */
static int find(const tw_type *t, uint16_t parent, const char *name, size_t n)
{
    uint32_t begin = parent, end = parent ? parent + t->field[parent - 1].members : t->nfields;
    for (uint32_t i = begin; i < end; i += 1 + t->field[i].members) {
        if (!strncmp(t->field[i].name, name, n) && !t->field[i].name[n]) return (int)i;
    }
    return -1;
}

int type_field(const tw_type *t, const char *name)
{
    uint16_t parent = 0;
    int i = find(t, 0, name, strlen(name)); /* a name may have a point in it */

    for (const char *point = strchr(name, '.'); i < 0 && point; point = strchr(name, '.')) {
        int outer = find(t, parent, name, (size_t)(point - name));
        if (outer < 0) return -1;
        parent = (uint16_t)(outer + 1);
        name = point + 1;
        i = find(t, parent, name, strlen(name));
    }
    return i;
}
