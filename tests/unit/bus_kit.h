/* bus_kit.h - pipelines of small stages for tests of the bus: a source that gives what a script says, and probes that
   write what they are given into one journal. */
#ifndef BUS_KIT_H
#define BUS_KIT_H

#include <check.h>
#undef fail /* an old name for ck_abort_msg, and a member of tw_host */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"

static text journal;

#define NOTE(...) text_format(&journal, __VA_ARGS__)

/* ---- A source that gives what the test says ---- */

typedef struct reading { /* one read: events n of these times and types, then this status */
    uint32_t n;
    int64_t time[4];
    uint32_t type[4]; /* index in `kinds`; what is first seen is published first */
    int status;
    int64_t upto;
} reading;

enum { KINDS = 4 };
static const char *const kinds[KINDS] = { "Disk/Read", "Disk/Write", "File/Read", "Odd/One" };

static const reading *script;
static uint32_t places[KINDS]; /* published ids */

typedef struct source {
    tw_self tw;
    uint32_t at;
} source;

static inline uint32_t id_of(void *self, uint32_t kind)
{
    char provider[16];
    const char *slash = strchr(kinds[kind], '/');

    if (places[kind]) return places[kind];
    snprintf(provider, sizeof provider, "%.*s", (int)(slash - kinds[kind]), kinds[kind]);
    tw_type t = { .size = sizeof t, .provider = provider, .name = slash + 1, .number = kind };
    return places[kind] = TW_HOST(self)->publish(self, &t);
}

static inline int source_read(void *self, tw_batch *b)
{
    source *s = self;
    const reading *r = &script[s->at++];

    for (uint32_t i = 0; i < r->n; i++) {
        tw_event e = {
            .time = r->time[i], .type = id_of(self, r->type[i]), .pid = s->at, .record = (const uint8_t *)r
        };
        b->event[b->n++] = e;
    }
    if (r->upto) b->upto = r->upto;
    return r->status;
}

static inline int source_rewind(void *self)
{
    NOTE("rewind ");
    ((source *)self)->at = 0;
    return TW_OK;
}

static inline int source_end(void *self)
{
    (void)self;
    NOTE("source.end ");
    return TW_OK;
}

static inline void source_close(void *self)
{
    (void)self;
    NOTE("source.close ");
}

static const tw_stage source_stage = {
    .size = sizeof(tw_stage),
    .name = "source",
    .state = sizeof(source),
    .read = source_read,
    .end = source_end,
    .close = source_close,
};
static const tw_stage unordered_stage = {
    .size = sizeof(tw_stage),
    .name = "unordered",
    .flags = TW_UNORDERED,
    .state = sizeof(source),
    .read = source_read,
};
static const tw_stage rewinding_stage = {
    .size = sizeof(tw_stage),
    .name = "rewinding",
    .flags = TW_REWIND,
    .state = sizeof(source),
    .read = source_read,
    .rewind = source_rewind,
};

/* ---- A stage that writes down what it is given ---- */

typedef struct probe {
    tw_self tw;
    const char *tag;
    const char *returns; /* "events:end", "end:fail": what a callback returns */
} probe;

static const tw_option probe_options[] = {
    TW_OPTION(probe, tag, TW_OPT_TEXT, NULL, "its name in the journal"),
    TW_OPTION(probe, returns, TW_OPT_TEXT, "", "callback:status"),
    { 0 },
};

static inline int answer(void *self, const char *callback)
{
    const probe *p = self;
    size_t n = strlen(callback);

    if (strncmp(p->returns, callback, n) || p->returns[n] != ':') return TW_OK;
    const char *what = p->returns + n + 1;
    if (!strcmp(what, "end")) return TW_END;
    if (!strcmp(what, "fail")) return tw_fail(self, "no more %s", callback);
    if (!strcmp(what, "misuse")) return TW_HOST(self)->misuse(self, "not so");
    if (!strcmp(what, "quiet")) return TW_ERROR;
    if (!strcmp(what, "unheeded")) tw_fail(self, "unheeded");
    return !strcmp(what, "odd") ? 7 : TW_OK;
}

static inline int probe_open(void *self)
{
    NOTE("%s.open ", ((probe *)self)->tag);
    return answer(self, "open");
}

static inline int probe_type(void *self, const tw_type *t)
{
    NOTE("%s.type(%s/%s) ", ((probe *)self)->tag, t->provider, t->name);
    return answer(self, "type");
}

static inline int probe_events(void *self, tw_batch *b)
{
    NOTE("%s.events(", ((probe *)self)->tag);
    for (uint32_t i = 0; i < b->n; i++) NOTE("%s%" PRId64, i ? " " : "", b->event[i].time);
    NOTE(") ");
    return answer(self, "events");
}

static inline int probe_preview(void *self, tw_batch *b)
{
    NOTE("%s.preview(%" PRIu32 ") ", ((probe *)self)->tag, b->n);
    return answer(self, "preview");
}

static inline int probe_table(void *self, const tw_table *t)
{
    NOTE("%s.table(%s) ", ((probe *)self)->tag, t->name);
    return answer(self, "table");
}

static inline int probe_rows(void *self, tw_rows *r)
{
    NOTE("%s.rows(%s %" PRIu32 ") ", ((probe *)self)->tag, r->table->name, r->n);
    return answer(self, "rows");
}

static inline int probe_tick(void *self)
{
    NOTE("%s.tick ", ((probe *)self)->tag);
    return answer(self, "tick");
}

static inline int probe_end(void *self)
{
    NOTE("%s.end ", ((probe *)self)->tag);
    return answer(self, "end");
}

static inline void probe_close(void *self)
{
    NOTE("%s.close ", ((probe *)self)->tag);
}

#define PROBE(...)                                                                                                   \
    {                                                                                                                \
        .size = sizeof(tw_stage), .name = "probe", .state = sizeof(probe), .options = probe_options,                 \
        .open = probe_open, .close = probe_close, .end = probe_end, __VA_ARGS__                                      \
    }

static const char *const disk_reads[] = { "Disk/Read", NULL };
static const char *const disk[] = { "Disk/*", NULL };
static const char *const two_tables[] = { "one", NULL };
static const tw_stage sees_all = PROBE(.type = probe_type, .events = probe_events, .tick = probe_tick);
static const tw_stage sees_reads = PROBE(.wants = disk_reads, .type = probe_type, .events = probe_events);
static const tw_stage sees_rows = PROBE(.table = probe_table, .rows = probe_rows);
static const tw_stage sees_one = PROBE(.reads = two_tables, .table = probe_table, .rows = probe_rows);
static const tw_stage previews = PROBE(.wants = disk_reads, .events = probe_events, .type = probe_type,
                                       .preview_wants = disk, .preview = probe_preview);

/* ---- Runs ---- */

static report r;
static inline void setup(void)
{
    text_clear(&journal);
    memset(places, 0, sizeof places);
    memset(&r, 0, sizeof r);
}

static inline void teardown(void)
{
    report_free(&r);
    text_free(&journal);
}

static const char *const tags[] = { "a", "b", "c" };
static const setting tag_settings[] = { { NULL, &tags[0], 1, 0 },
                                        { NULL, &tags[1], 1, 0 },
                                        { NULL, &tags[2], 1, 0 } };

/* A probe's spec, and one whose callback returns something. */
static inline spec probe_spec(const tw_stage *stage, int tag)
{
    return (spec){ .stage = "probe", .place = "", .set = &tag_settings[tag], .n = 1, .builtin = stage };
}

static inline spec returning(const tw_stage *stage, setting set[2], int tag, const char *const *what)
{
    set[0] = tag_settings[tag];
    set[1] = (setting){ "returns", what, 1, 0 };
    return (spec){ .stage = "probe", .place = "", .set = set, .n = 2, .builtin = stage };
}

static inline spec plain(const tw_stage *stage)
{
    return (spec){ .stage = stage->name, .place = "", .builtin = stage };
}

static inline spec with(const tw_stage *stage, const setting *set, uint32_t n)
{
    return (spec){ .stage = stage->name, .place = "", .set = set, .n = n, .builtin = stage };
}

static inline void run_with(const bus_options *o, const reading *readings, const spec *chain, uint32_t n)
{
    const plan p = { "test", chain, n };

    script = readings;
    report_free(&r);
    text_clear(&journal);
    memset(places, 0, sizeof places);
    bus_run(&p, o, &r);
}

static inline void run(const reading *readings, const spec *chain, uint32_t n)
{
    static const bus_options o = { .quiet = 1 };
    run_with(&o, readings, chain, n);
}

static inline void check_journal(const char *expected)
{
    ck_assert_str_eq(text_of(&journal), expected);
}

static inline uint64_t counted(const char *stage, const char *name)
{
    for (uint32_t i = 0; i < r.ncounters; i++)
        if (!strcmp(r.counter[i].stage, stage) && !strcmp(r.counter[i].name, name)) return r.counter[i].count;
    return 0;
}

#endif
