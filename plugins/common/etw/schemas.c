/* schemas.c - asking everyone who may know an event; see schemas.h. */
#include "schemas.h"

#include <inttypes.h>
#include <stdio.h>

#include "guid.h"
#include "kernel.h"
#include "tracelogging.h"

int schemas_new(schemas *s)
{
    memset(s, 0, sizeof *s);
    s->in_trace = metadata_new();
    s->of_sources = manifests_new();
    s->pieces = eventsources_new();
    s->of_user = manifests_new();
    s->messages = tmfs_new();
    return s->in_trace && s->of_sources && s->pieces && s->of_user && s->messages;
}

void schemas_free(schemas *s)
{
    metadata_free(s->in_trace);
    manifests_free(s->of_sources);
    eventsources_free(s->pieces);
    manifests_free(s->of_user);
    tmfs_free(s->messages);
    store_free(&s->memory);
    memset(s, 0, sizeof *s);
}

int schemas_learn(schemas *s, const record *r, int *broken)
{
    if (metadata_is(r))
        *broken = !metadata_add(s->in_trace, r);
    else if (eventsources_is(r))
        *broken = !eventsources_add(s->pieces, r, s->of_sources);
    else
        return 0;
    return 1;
}

const char *schema_hint(enum schema_need need)
{
    switch (need) {
    case NEED_MANIFEST:
        return "give the provider's manifest with --manifest, or merge the trace on the machine that recorded it, "
               "which adds what that machine knows of its events";
    case NEED_EVENTSOURCE:
        return "the provider is a .NET EventSource, which sends its manifest when a session enables it and when the "
               "session ends: record longer, or give its manifest with --manifest";
    case NEED_TMF: return "give the folder of the program's .tmf files with --tmf; they are made from its .pdb";
    case NEED_LAYOUT: return "its layout is not public";
    case NEED_NOTHING: break;
    }
    return "";
}

/* ---- What the record itself says ---- */

static void begin(const record *r, schema_words *w, tw_type *t)
{
    memset(w, 0, sizeof *w);
    *t = (tw_type){ .size = sizeof *t,
                    .provider = w->provider,
                    .name = w->name,
                    .number = r->id,
                    .version = (uint8_t)r->version,
                    .pointer = r->pointer };
    snprintf(w->name, sizeof w->name, "%u", r->id);
    if (!r->guid) return;
    memcpy(t->guid, r->guid, 16);
    guid_write(r->guid, w->provider);
}

static void read_event_header(const record *r, tw_type *t)
{
    t->keyword = tw_u64(r->at + ETW_EVENT_KEYWORD);
    t->opcode = r->at[ETW_EVENT_OPCODE];
    t->level = r->at[ETW_EVENT_LEVEL];
    t->task = tw_u16(r->at + ETW_EVENT_TASK);
    t->channel = r->at[ETW_EVENT_CHANNEL];
}

/* ---- Asking ---- */

/* The sources in the order in which they are believed. */
enum source { IN_TRACE, OF_SOURCES, OF_USER, MESSAGES, BUILT_IN, SOURCES };

static int ask_one(schemas *s, enum source which, const record *r, tw_type *t, unsigned *version)
{
    switch (which) {
    case IN_TRACE: return metadata_find(s->in_trace, r, t, version);
    case OF_SOURCES: return manifests_find(s->of_sources, r, t, version);
    case OF_USER: return manifests_find(s->of_user, r, t, version);
    case MESSAGES: return tmfs_find(s->messages, r, t, version);
    default: return builtin_find(r, &s->memory, t, version);
    }
}

/* What a trace says of its events has no symbols, so one that our tables know is called as they call it: the same in
   every trace. */
static void name_as_built_in(schemas *s, const record *r, const tw_type *nobody, tw_type *t)
{
    tw_type ours = *nobody;
    unsigned version = r->version;

    if (builtin_find(r, &s->memory, &ours, &version) != SCHEMA_NONE && ours.name != nobody->name) t->name = ours.name;
}

/* The manifests that EventSources send know no arrays and no names of values; the .NET runtime sends one, too, whose
   events our tables know better. */
static int is_better_built_in(schemas *s, const record *r, const tw_type *nobody)
{
    tw_type ours = *nobody;
    unsigned version = r->version;

    return builtin_find(r, &s->memory, &ours, &version) == SCHEMA_EXACT;
}

static enum schema_match ask(schemas *s, const record *r, schema_words *w, tw_type *t)
{
    const tw_type nobody = *t;
    enum schema_match best = SCHEMA_NONE;
    unsigned best_version = 0;
    int best_source = SOURCES;

    for (int which = 0; which < SOURCES && best != SCHEMA_EXACT; which++) {
        tw_type answer = nobody;
        unsigned version = r->version;
        enum schema_match match = (enum schema_match)ask_one(s, (enum source)which, r, &answer, &version);
        int first_to_name_it = match == SCHEMA_NONE && t->provider == w->provider;

        if (match <= best && !(best == SCHEMA_NONE && first_to_name_it)) continue;
        if (which == OF_SOURCES && match != SCHEMA_NONE && is_better_built_in(s, r, &nobody)) continue;
        *t = answer;
        best = match;
        best_version = version;
        best_source = which;
        w->of_user = which == OF_USER;
    }
    if (best != SCHEMA_NONE && best_source == IN_TRACE) name_as_built_in(s, r, &nobody, t);
    if (best == SCHEMA_NEAR) {
        snprintf(w->origin, sizeof w->origin, "%s (version %u)", t->origin, best_version);
        t->origin = w->origin;
    }
    return best;
}

static enum schema_match unknown(schema_words *w, tw_type *t, enum schema_need need)
{
    w->need = need;
    t->why = w->why;
    return SCHEMA_NONE;
}

/* ---- By the kind of record ---- */

static enum schema_match describe_kernel(schemas *s, const record *r, schema_words *w, tw_type *t)
{
    snprintf(w->key, sizeof w->key, "kernel:%02x", r->group);
    t->key = w->key;
    t->provider = kernel_group_name(r->group) ? kernel_group_name(r->group) : w->key;
    t->opcode = (uint8_t)r->id;
    memcpy(t->guid, kernel_group_guid(r->group), 16);
    enum schema_match match = ask(s, r, w, t);
    if (match != SCHEMA_NONE) return match;
    snprintf(w->why, sizeof w->why, "no layout for opcode %u of %s", r->id, t->provider);
    return unknown(w, t, NEED_LAYOUT);
}

static enum schema_match describe_classic(schemas *s, const record *r, schema_words *w, tw_type *t)
{
    t->opcode = (uint8_t)r->id;
    t->level = r->at[ETW_FULL_LEVEL];
    enum schema_match match = ask(s, r, w, t);
    if (match != SCHEMA_NONE) return match;
    snprintf(w->why, sizeof w->why, "no layout for opcode %u of class %s", r->id, w->provider);
    return unknown(w, t, NEED_LAYOUT);
}

/* The event carries its own description. */
static enum schema_match describe_itself(schemas *s, const record *r, schema_words *w, tw_type *t)
{
    const char *why = NULL;

    if (tracelogging_read(r->schema, r->schema_bytes, &s->memory, t, &why)) return SCHEMA_EXACT;
    snprintf(w->why, sizeof w->why, "what it says of its fields is broken: %s", why ? why : "no name");
    t->field = NULL;
    t->nfields = 0;
    t->origin = NULL;
    if (!t->name || !*t->name) t->name = w->name;
    return unknown(w, t, NEED_NOTHING);
}

static const char *name_of_provider(schemas *s, const record *r)
{
    uint8_t group[16];
    const char *name = r->traits ? traits_provider(r->traits, r->traits_bytes, &s->memory, group) : NULL;

    return name && *name ? name : builtin_provider(r->guid);
}

static enum schema_match describe_event(schemas *s, const record *r, schema_words *w, tw_type *t)
{
    static const tw_field string[] = { { .name = "String", .kind = TW_TEXT16 } };
    static const tw_field piece[] = {
        { .name = "Format", .kind = TW_U8 },
        { .name = "MajorVersion", .kind = TW_U8 },
        { .name = "MinorVersion", .kind = TW_U8 },
        { .name = "Magic", .kind = TW_U8, .show = TW_SHOW_HEX },
        { .name = "TotalChunks", .kind = TW_U16 },
        { .name = "ChunkNumber", .kind = TW_U16 },
        { .name = "Manifest", .kind = TW_TEXT, .show = TW_SHOW_XML, .bytes_by = TW_REST },
    };
    enum schema_match match = SCHEMA_EXACT;

    read_event_header(r, t);
    if (r->schema) {
        match = describe_itself(s, r, w, t);
    } else if (tw_u16(r->at + ETW_EVENT_FLAGS) & ETW_EVENT_STRING_ONLY) {
        t->field = string;
        t->nfields = 1;
        t->origin = "in the event";
    } else if (eventsources_is(r)) {
        unsigned version = 0;
        manifests_find(s->of_sources, r, t, &version); /* the provider's name */
        t->name = "ManifestData";
        t->field = piece;
        t->nfields = sizeof piece / sizeof *piece;
        t->origin = "built in";
    } else {
        match = ask(s, r, w, t);
    }
    int named = t->provider != w->provider;
    const char *name = named ? NULL : name_of_provider(s, r);
    if (name) t->provider = name;
    if (match != SCHEMA_NONE || r->schema) return match;
    if (named)
        snprintf(w->why, sizeof w->why, "no schema for event %u of %s", r->id, t->provider);
    else
        snprintf(w->why, sizeof w->why, "no schema for provider %s", t->provider);
    return unknown(w, t, r->traits ? NEED_EVENTSOURCE : NEED_MANIFEST);
}

static enum schema_match describe_message(schemas *s, const record *r, schema_words *w, tw_type *t)
{
    char guid[GUID_TEXT];

    memcpy(guid, w->provider, sizeof guid);
    if (!r->guid) snprintf(w->provider, sizeof w->provider, "component %" PRIu32, r->component);
    snprintf(w->key, sizeof w->key, "wpp:%s", w->provider);
    t->key = w->key;
    enum schema_match match = ask(s, r, w, t);
    if (match != SCHEMA_NONE) return match;
    if (!r->guid)
        snprintf(w->why, sizeof w->why, "a message of a component without GUID: no TMF file can be named");
    else if (t->provider != w->provider)
        snprintf(w->why, sizeof w->why, "the TMF file of %s has no message %u", t->provider, r->id);
    else
        snprintf(w->why, sizeof w->why, "needs the TMF file %s.tmf", guid);
    return unknown(w, t, r->guid ? NEED_TMF : NEED_NOTHING);
}

static enum schema_match describe_opaque(const record *r, schema_words *w, tw_type *t)
{
    snprintf(w->provider, sizeof w->provider, "Opaque");
    snprintf(w->key, sizeof w->key, "opaque:%02x", r->type);
    snprintf(w->why, sizeof w->why, "events with a header of type %02X are not described anywhere", r->type);
    t->key = w->key;
    return unknown(w, t, NEED_LAYOUT);
}

enum schema_match schemas_describe(schemas *s, const record *r, schema_words *words, tw_type *t)
{
    store_free(&s->memory);
    begin(r, words, t);
    switch (r->kind) {
    case RECORD_KERNEL: return describe_kernel(s, r, words, t);
    case RECORD_CLASSIC: return describe_classic(s, r, words, t);
    case RECORD_EVENT: return describe_event(s, r, words, t);
    case RECORD_MESSAGE: return describe_message(s, r, words, t);
    default: return describe_opaque(r, words, t);
    }
}
