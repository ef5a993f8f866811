/* manifest.c - all manifests that were read, and asking them; see manifest.h. */
#include "manifest.h"

#include <stdio.h>
#include <stdlib.h>

#include "manifest_provider.h"

/* Of all texts, and of what one text may take while it is read: more than any folder of manifests needs. */
static const size_t most_bytes = (size_t)512 << 20, most_scratch = (size_t)512 << 20;
enum { MOST_PROVIDERS = 1 << 13 }; /* each is looked at for each type of event; Windows has some 1200 */

typedef struct source { /* what came of one text */
    struct source *next;
    store memory;
} source;

struct manifests {
    source *sources;
    size_t used;
    uint32_t n; /* providers */
    manifest_provider *first, *last;
};

manifests *manifests_new(void)
{
    return calloc(1, sizeof(manifests));
}

void manifests_free(manifests *m)
{
    if (!m) return;
    while (m->sources) {
        source *next = m->sources->next;
        store_free(&m->sources->memory);
        free(m->sources);
        m->sources = next;
    }
    free(m);
}

/* ---- Reading ---- */

typedef struct chain {
    uint32_t n;
    manifest_provider *first, *last;
} chain;

static void append(chain *c, manifest_provider *p)
{
    if (c->last)
        c->last->next = p;
    else
        c->first = p;
    c->last = p;
    c->n++;
}

static int read_providers(draft *d, const char *origin, chain *c)
{
    int any = 0;

    origin = draft_keep(d, origin);
    draft_sort_strings(d);
    for (node *n = d->tree.root.first; n; n = n->next) {
        if (n->kind != NODE_PROVIDER) continue;
        any = 1;
        manifest_provider *p = provider_read(d, n);
        if (!p) continue;
        p->origin = origin;
        append(c, p);
    }
    if (d->full) {
        snprintf(d->why, d->cap, "what the text describes needs more memory than manifests get");
        return TW_ERROR;
    }
    if (c->first) return TW_OK;
    if (!any) snprintf(d->why, d->cap, "there is no <provider> in it, so it is no instrumentation manifest");
    return TW_ERROR; /* else a fault says why its providers are left out */
}

int manifests_read(manifests *m, const void *xml, size_t bytes, const char *origin, char *why, size_t cap,
                   uint64_t *faults)
{
    source *s = calloc(1, sizeof *s);
    draft d = { .memory = s ? &s->memory : NULL, .scratch = { .limit = most_scratch }, .why = why, .cap = cap };
    chain c = { 0 };
    int got = TW_ERROR;

    if (cap) *why = 0;
    if (!s || m->used >= most_bytes) {
        snprintf(why, cap, "there is no memory left for manifests");
        goto out;
    }
    s->memory.limit = most_bytes - m->used;
    d.tree.memory = &d.scratch;
    got = tree_read(&d.tree, xml, bytes, why, cap);
    if (got == TW_OK) got = read_providers(&d, origin, &c);
    if (got == TW_OK && c.n > MOST_PROVIDERS - m->n) {
        snprintf(why, cap, "with it there would be more than %d providers", (int)MOST_PROVIDERS);
        got = TW_ERROR;
    }
    if (got != TW_OK) goto out;
    if (m->last)
        m->last->next = c.first;
    else
        m->first = c.first;
    m->last = c.last;
    m->n += c.n;
    m->used += s->memory.used;
    s->next = m->sources;
    m->sources = s;
    s = NULL;
    *faults += d.faults;
out:
    if (s) store_free(&s->memory);
    free(s);
    store_free(&d.scratch);
    return got;
}

/* ---- Asking ---- */

typedef struct answer {
    const manifest_provider *provider;
    const manifest_event *event; /* NULL: none of that id */
} answer;

/* Is version `a` nearer to `wanted` than b? The newest that is not newer goes first, then the oldest. */
static int is_nearer(unsigned wanted, unsigned a, unsigned b)
{
    if (a <= wanted) return b > wanted || a > b;
    return b > wanted && a < b;
}

static void consider(answer *best, const manifest_provider *p, const manifest_event *e, unsigned version)
{
    if (best->event && !is_nearer(version, e->version, best->event->version)) return;
    best->provider = p;
    best->event = e;
}

/* The first event that is not before this id. */
static uint32_t first_of(const manifest_provider *p, unsigned id)
{
    uint32_t low = 0, high = p->nevents;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->event[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* p is of the record's provider. */
static void look_for_id(const manifest_provider *p, const record *r, answer *best)
{
    for (uint32_t i = first_of(p, r->id); i < p->nevents && p->event[i].id == r->id; i++)
        consider(best, p, &p->event[i], r->version);
}

/* Before there were providers of manifests an event was its task's GUID and its opcode; some are still sent so. */
static void look_for_class(const manifest_provider *p, const record *r, answer *best)
{
    for (uint32_t i = 0; p->nclassic && i < p->nevents; i++) {
        const manifest_event *e = &p->event[i];
        if (!e->class_guid || memcmp(e->class_guid, r->guid, 16) != 0) continue;
        if (!best->provider) best->provider = p;
        if (e->opcode == r->id) consider(best, p, e, r->version);
    }
}

static void describe_event(const manifest_event *e, tw_type *t)
{
    if (e->name) t->name = e->name;
    if (e->message) t->message = e->message;
    if (e->task_name) t->task_name = e->task_name;
    if (e->opcode_name) t->opcode_name = e->opcode_name;
    if (e->level_name) t->level_name = e->level_name;
    if (e->channel_name) t->channel_name = e->channel_name;
}

static void describe_fields(const manifest_provider *p, const manifest_event *e, tw_type *t)
{
    t->origin = p->origin;
    t->field = e->fields ? e->fields->field : NULL;
    t->nfields = e->fields ? e->fields->n : 0;
}

/* What the provider calls the numbers in `t`. */
static void describe_numbers(const manifest_provider *p, tw_type *t)
{
    t->task_name = provider_name_of(p, ATTRIBUTE_TASK, t->task);
    t->opcode_name = provider_name_of(p, ATTRIBUTE_OPCODE, t->opcode);
    t->level_name = provider_name_of(p, ATTRIBUTE_LEVEL, t->level);
    t->channel_name = provider_name_of(p, ATTRIBUTE_CHANNEL, t->channel);
}

static void describe_record(const manifest_provider *p, const record *r, tw_type *t)
{
    tw_type said = { .opcode = (uint8_t)r->id, .level = r->at[ETW_FULL_LEVEL] };

    if (r->kind == RECORD_EVENT) {
        said.task = tw_u16(r->at + ETW_EVENT_TASK);
        said.opcode = r->at[ETW_EVENT_OPCODE];
        said.level = r->at[ETW_EVENT_LEVEL];
        said.channel = r->at[ETW_EVENT_CHANNEL];
    }
    describe_numbers(p, &said);
    t->task_name = said.task_name;
    t->opcode_name = said.opcode_name;
    t->level_name = said.level_name;
    t->channel_name = said.channel_name;
    t->provider = p->name;
    t->keywords = p->keywords;
}

int manifests_find(const manifests *m, const record *r, tw_type *t, unsigned *version)
{
    answer best = { 0 };

    if (!r->guid || (r->kind != RECORD_EVENT && r->kind != RECORD_CLASSIC)) return SCHEMA_NONE;
    for (const manifest_provider *p = m->first; p; p = p->next) {
        if (r->kind == RECORD_CLASSIC) {
            look_for_class(p, r, &best);
        } else if (memcmp(p->guid, r->guid, 16) == 0) {
            if (!best.provider) best.provider = p;
            if (!r->schema) look_for_id(p, r, &best);
        }
    }
    if (!best.provider) return SCHEMA_NONE;
    describe_record(best.provider, r, t);
    if (!best.event) return SCHEMA_NONE;
    describe_event(best.event, t);
    if (r->kind == RECORD_CLASSIC) {
        t->keyword = best.event->keyword;
        t->task = best.event->task;
        t->channel = best.event->channel;
    }
    /* Lists of events without their templates exist: of a payload that is there they say nothing. */
    int described = best.event->fields && best.event->fields->n;
    if (!described && r->size > r->payload) return SCHEMA_NONE;
    describe_fields(best.provider, best.event, t);
    *version = best.event->version;
    return *version == r->version ? SCHEMA_EXACT : SCHEMA_NEAR;
}

/* ---- All of them ---- */

/* Did an earlier text say the same of it? */
static int is_known_before(const manifests *m, const manifest_provider *end, const manifest_event *e)
{
    for (const manifest_provider *p = m->first; p != end; p = p->next) {
        if (memcmp(p->guid, end->guid, 16) != 0) continue;
        for (uint32_t i = first_of(p, e->id); i < p->nevents && p->event[i].id == e->id; i++)
            if (p->event[i].version == e->version) return 1;
    }
    return 0;
}

int manifests_each(const manifests *m, schema_give *give, void *context)
{
    for (const manifest_provider *p = m->first; p; p = p->next) {
        for (uint32_t i = 0; i < p->nevents; i++) {
            const manifest_event *e = &p->event[i];
            char number[16];
            tw_type t = { .size = sizeof t,
                          .provider = p->name,
                          .name = number,
                          .number = e->id,
                          .version = e->version,
                          .opcode = e->opcode,
                          .level = e->level,
                          .task = e->task,
                          .channel = e->channel,
                          .keyword = e->keyword,
                          .keywords = p->keywords,
                          .pointer = 8 };
            if (is_known_before(m, p, e)) continue;
            memcpy(t.guid, p->guid, 16);
            snprintf(number, sizeof number, "%u", e->id);
            describe_numbers(p, &t);
            describe_event(e, &t);
            describe_fields(p, e, &t);
            int got = give(context, &t);
            if (got != TW_OK) return got;
        }
    }
    return TW_OK;
}

uint32_t manifests_providers(const manifests *m)
{
    uint32_t n = 0;

    for (const manifest_provider *p = m->first; p; p = p->next) {
        int before = 0;
        for (const manifest_provider *q = m->first; q != p && !before; q = q->next)
            before = memcmp(p->guid, q->guid, 16) == 0;
        n += !before;
    }
    return n;
}
