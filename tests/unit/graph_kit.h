/* graph_kit.h - pipelines that fork and join, for tests of the bus: sources by number, and probes that write down what they
   are given each into a list of its own, so that they may run on several threads. */
#ifndef GRAPH_KIT_H
#define GRAPH_KIT_H

#include <stdatomic.h>

#include "bus_kit.h"

enum { LISTS = 8 };

/* ---- Sources by number ---- */

static const reading *readings_of[4];

typedef struct numbered {
    tw_self tw;
    int64_t number;
    uint32_t at;
    uint32_t polled; /* reads that had nothing */
} numbered;

/* Set by a test's probe: until then a source that has to wait says TW_AGAIN. */
static atomic_int may_go;
enum { UNTIL_MAY_GO = 99 }; /* a status in a script */

static inline int numbered_read(void *self, tw_batch *b)
{
    numbered *s = self;
    const reading *r = &readings_of[s->number][s->at];

    if (r->status == UNTIL_MAY_GO && !may_go) {
        s->polled++;
        return TW_AGAIN;
    }
    s->at++;
    for (uint32_t i = 0; i < r->n; i++) {
        uint8_t *data = TW_HOST(self)->alloc(b, 8);
        memcpy(data, &r->time[i], 8);
        tw_event e = { .time = r->time[i], .type = id_of(self, r->type[i]), .data = data, .bytes = 8, .source = 77 };
        e.record = (const uint8_t *)r;
        b->event[b->n++] = e;
    }
    if (r->upto) b->upto = r->upto;
    return r->status == UNTIL_MAY_GO ? TW_OK : r->status;
}

static inline int numbered_rewind(void *self)
{
    numbered *s = self;

    NOTE("rewind%d ", (int)s->number);
    s->at = 0;
    return TW_OK;
}

static inline int numbered_extra(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    (void)e;
    (void)item;
    v->kind = TW_U64;
    v->u = what * 10 + (uint64_t)((numbered *)self)->number;
    return TW_OK;
}

static inline int numbered_clock(void *self, const tw_event *e, tw_clock *c)
{
    (void)e;
    *c = (tw_clock){ .hz = 1, .begin = 1000 + ((numbered *)self)->number };
    return TW_OK;
}

static const tw_option numbered_options[] = {
    TW_OPTION(numbered, number, TW_OPT_INT, NULL, "which script"),
    { 0 },
};

#define NUMBERED(text, bits)                                                                                         \
    {                                                                                                                \
        .size = sizeof(tw_stage), .flags = (bits), .name = text, .state = sizeof(numbered),                          \
        .options = numbered_options, .read = numbered_read, .rewind = numbered_rewind, .extra = numbered_extra,      \
        .clock = numbered_clock                                                                                      \
    }

static const tw_stage file_source = NUMBERED("file", TW_REWIND);
static const tw_stage unordered_source = NUMBERED("unordered", TW_REWIND | TW_UNORDERED);
static const tw_stage live_source = NUMBERED("live", TW_LIVE);

static const char *const digits[] = { "0", "1", "2", "3", "4", "5", "6", "7" };
static const setting number_settings[] = {
    { "number", &digits[0], 1, 0 }, { "number", &digits[1], 1, 0 }, { "number", &digits[2], 1, 0 },
    { "number", &digits[3], 1, 0 }, { "number", &digits[4], 1, 0 }, { "number", &digits[5], 1, 0 },
    { "number", &digits[6], 1, 0 }, { "number", &digits[7], 1, 0 },
};

static inline spec source_of(const tw_stage *stage, int number)
{
    return with(stage, &number_settings[number], 1);
}

/* ---- Listeners ---- */

static text
    heard[LISTS]; /* "time@source " of each event a listener was given, "name(rows) " of rows, "." at its end */
static atomic_int ticks[LISTS];

typedef struct listener {
    tw_self tw;
    int64_t number;
    int64_t end_after;  /* says TW_END when it was called so often; 0: never */
    int64_t keep_below; /* drops events that are not earlier; 0: keeps all */
    uint32_t calls;
} listener;

static const tw_option listener_options[] = {
    TW_OPTION(listener, number, TW_OPT_INT, NULL, "which list"),
    TW_OPTION(listener, end_after, TW_OPT_INT, "0", "says TW_END when it was called so often"),
    TW_OPTION(listener, keep_below, TW_OPT_INT, "0", "drops events that are not earlier"),
    { 0 },
};

static inline int listen_events(void *self, tw_batch *b)
{
    listener *l = self;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        int64_t was;
        memcpy(&was, b->event[i].data, 8); /* the payload is what the source put there */
        ck_assert_int_eq(was, b->event[i].time);
        text_format(&heard[l->number], "%" PRId64 "@%u ", b->event[i].time, (unsigned)b->event[i].source);
        if (!l->keep_below || b->event[i].time < l->keep_below) b->event[kept++] = b->event[i];
    }
    b->n = kept;
    l->calls++;
    return l->end_after && l->calls >= l->end_after ? TW_END : TW_OK;
}

static inline int listen_rows(void *self, tw_rows *rows)
{
    text_format(&heard[((listener *)self)->number], "%s(%u) ", rows->table->name, (unsigned)rows->n);
    return TW_OK;
}

static inline int listen_tick(void *self)
{
    ticks[((listener *)self)->number]++;
    return TW_OK;
}

static inline int listen_end(void *self)
{
    text_put(&heard[((listener *)self)->number], ".");
    return TW_OK;
}

static const tw_stage listener_stage = {
    .size = sizeof(tw_stage),
    .name = "listener",
    .state = sizeof(listener),
    .options = listener_options,
    .events = listen_events,
    .rows = listen_rows,
    .tick = listen_tick,
    .end = listen_end,
};

static inline spec listens(int number)
{
    return with(&listener_stage, &number_settings[number], 1);
}

/* A listener with one option more. */
static inline spec listens_but(int number, const char *option, int value, setting set[2])
{
    set[0] = number_settings[number];
    set[1] = (setting){ option, &digits[value], 1, 0 };
    return with(&listener_stage, set, 2);
}

static inline spec branches(const char *word, const plan *branch, uint32_t n)
{
    return (spec){ .stage = word, .place = "", .branch = branch, .nbranches = n };
}

static inline void forget_all(void)
{
    for (int i = 0; i < LISTS; i++) {
        text_free(&heard[i]);
        ticks[i] = 0;
    }
    may_go = 0;
    teardown();
}

static inline void run_graph(const spec *chain, uint32_t n)
{
    for (int i = 0; i < LISTS; i++) text_clear(&heard[i]);
    run(NULL, chain, n);
}

#define BRANCH(...)                                                                                                  \
    {                                                                                                                \
        .name = "", .stage = (const spec[]){ __VA_ARGS__ },                                                          \
        .n = sizeof((const spec[]){ __VA_ARGS__ }) / sizeof(spec)                                                    \
    }
#define RUN(...) run_graph((const spec[]){ __VA_ARGS__ }, sizeof((const spec[]){ __VA_ARGS__ }) / sizeof(spec))
#define TEE(...) branches("tee", (const plan[]){ __VA_ARGS__ }, sizeof((const plan[]){ __VA_ARGS__ }) / sizeof(plan))
#define MERGE(...)                                                                                                   \
    branches("merge", (const plan[]){ __VA_ARGS__ }, sizeof((const plan[]){ __VA_ARGS__ }) / sizeof(plan))

static inline void check_heard(int list, const char *expected)
{
    ck_assert_str_eq(text_of(&heard[list]), expected);
}

static inline void check_failed(int status, const char *sentence)
{
    ck_assert_str_eq(text_of(&r.error), sentence);
    ck_assert_int_eq(r.status, status);
}

static inline void check_done(void)
{
    check_failed(0, "");
}

#endif
