/* stock.c - the stages that are part of the host: their list, and those of a few lines.

   One idea: a stage that only lets through or holds back needs no file of its own. */
#include "stock.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bus.h"
#include "unit.h"

// clang-format off
const tw_stage *const stock_stages[] = {
    &where_stage, &filter_stage, &transform_stage, &between_stage, &limit_stage, &sample_stage, &drop_stage,
    &fields_stage, &count_stage, &types_stage, &group_stage, &top_stage, &null_stage, NULL,
};
// clang-format on

int stock_fits(const tw_type *t, const char *const *patterns)
{
    text name = { 0 };
    int fits = 0;

    text_format(&name, "%s/%s", t->provider, t->name);
    for (; *patterns && !fits; patterns++)
        fits = text_fits(*patterns, strchr(*patterns, '/') ? text_of(&name) : t->provider);
    text_free(&name);
    return fits;
}

/* What a pattern may mean: an event of the provider it names, else a provider; NULL: nothing, or it has a star there. */
static const char *nearest(const types *all, const char *pattern)
{
    size_t n = strcspn(pattern, "/"), count = 0;
    char *provider = mem_text(pattern, n);
    const char *event = pattern[n] ? pattern + n + 1 : "", *near = NULL;
    const char **names = mem_new((types_count(all) + 1) * sizeof *names);

    for (uint32_t id = 1; id <= types_count(all); id++) {
        const tw_type *t = types_table(all)[id];
        if (!strcmp(t->provider, provider)) names[count++] = t->name;
    }
    if (count) {
        if (!strchr(event, '*')) near = text_nearest(event, names, count);
    } else if (!strchr(provider, '*')) {
        for (uint32_t id = 1; id <= types_count(all); id++) names[count++] = types_table(all)[id]->provider;
        near = text_nearest(provider, names, count);
    }
    free((void *)names);
    free(provider);
    return near;
}

void stock_miss(void *self, const char *const *patterns)
{
    const types *all = bus_types(self);

    for (; *patterns; patterns++) {
        const char *const one[] = { *patterns, NULL };
        uint32_t id = types_count(all);
        while (id && !stock_fits(types_table(all)[id], one)) id--;
        const char *near = id ? NULL : nearest(all, *patterns);
        if (near) tw_log(self, TW_WARNING, "no event is called '%s'; did you mean '%s'?", *patterns, near);
    }
}

/* ---- null ---- */

static int null_events(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static int null_rows(void *self, tw_rows *r)
{
    (void)self;
    r->n = 0;
    return TW_OK;
}

const tw_stage null_stage = {
    .size = sizeof(tw_stage),
    .name = "null",
    .help = "Swallow every event and row; to see what a run costs without its output: ... | null",
    .state = sizeof(tw_self),
    .events = null_events,
    .rows = null_rows,
};

/* ---- drop ---- */

typedef struct drop {
    tw_self tw;
    const char *const *events; /* options */
    const char *const *tables;
    uint8_t known[TW_TYPES]; /* of a type: 0 not asked yet, 1 goes on, 2 is dropped */
} drop;

static int drop_open(void *self)
{
    drop *s = self;

    if (*s->events || *s->tables) return TW_OK;
    return TW_HOST(self)->misuse(self,
                                 "drop what? write drop { \"PerfInfo/*\" } or drop { tables = { \"counts\" } }");
}

static int drop_events(void *self, tw_batch *b)
{
    drop *s = self;
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        if (!s->known[e->type]) s->known[e->type] = (uint8_t)(1 + stock_fits(s->tw.type[e->type], s->events));
        if (s->known[e->type] == 2) continue;
        if (n != i) b->event[n] = *e;
        n++;
    }
    b->n = n;
    return TW_OK;
}

static int drop_end(void *self)
{
    stock_miss(self, ((drop *)self)->events);
    return TW_OK;
}

static int drop_rows(void *self, tw_rows *r)
{
    for (const char *const *t = ((drop *)self)->tables; *t; t++)
        if (text_fits(*t, r->table->name)) r->n = 0;
    return TW_OK;
}

static const tw_option drop_options[] = {
    { "events", "", "events to leave out: { \"PerfInfo/*\", \"Thread/CSwitch\" }; a provider alone means all of it",
      TW_OPT_LIST, offsetof(drop, events) },
    { "tables", "", "tables to leave out: tables = { \"trace_*\" }", TW_OPT_LIST, offsetof(drop, tables) },
    { 0 },
};

const tw_stage drop_stage = {
    .size = sizeof(tw_stage),
    .name = "drop",
    .help = "Leave out events and tables by name: drop { \"PerfInfo/*\", tables = { \"trace_skipped\" } }",
    .state = sizeof(drop),
    .options = drop_options,
    .open = drop_open,
    .events = drop_events,
    .rows = drop_rows,
    .end = drop_end,
};

/* ---- limit ---- */

typedef struct limit {
    tw_self tw;
    int64_t n; /* options */
    const char *of;
    uint64_t left;
} limit;

static int limit_open(void *self)
{
    limit *s = self;

    if (s->n < 0)
        return TW_HOST(self)->misuse(self, "n is how many go on, so it cannot be %" PRId64 "; write limit { 20 }",
                                     s->n);
    s->left = (uint64_t)s->n;
    return TW_OK;
}

static uint32_t limit_take(limit *s, uint32_t n)
{
    if (n > s->left) n = (uint32_t)s->left;
    s->left -= n;
    return n;
}

static int limit_events(void *self, tw_batch *b)
{
    limit *s = self;

    if (*s->of) return TW_OK;
    b->n = limit_take(s, b->n);
    return s->left ? TW_OK : TW_END;
}

static int limit_rows(void *self, tw_rows *r)
{
    limit *s = self;

    if (*s->of ? strcmp(s->of, r->table->name) != 0 : bus_passed(self) != 0) return TW_OK;
    r->n = limit_take(s, r->n);
    return s->left ? TW_OK : TW_END;
}

static const tw_option limit_options[] = {
    { "n", NULL, "how many go on: 20", TW_OPT_INT, offsetof(limit, n) },
    { "of", "",
      "count the rows of this table: \"counts\"; without it events are counted, or rows where no event comes",
      TW_OPT_TEXT, offsetof(limit, of) },
    { 0 },
};

const tw_stage limit_stage = {
    .size = sizeof(tw_stage),
    .name = "limit",
    .help = "Let the first n events or rows through, then stop reading: limit { 20 }, limit { 10, of = \"counts\" }",
    .state = sizeof(limit),
    .options = limit_options,
    .open = limit_open,
    .events = limit_events,
    .rows = limit_rows,
};

/* ---- between ---- */

typedef struct between {
    tw_self tw;
    const char *from, *to; /* options */
    int64_t first, behind; /* ns: since 1970, or of the trace where relative */
    int first_relative, behind_relative;
} between;

static int between_open(void *self)
{
    between *s = self;
    text why = { 0 };
    int rc = unit_time(s->from, &s->first, &s->first_relative, &why);

    if (rc == TW_OK) rc = unit_time(s->to, &s->behind, &s->behind_relative, &why);
    if (rc != TW_OK) TW_HOST(self)->misuse(self, "%s", text_of(&why));
    text_free(&why);
    if (rc == TW_OK && s->first_relative == s->behind_relative && s->behind < s->first)
        return TW_HOST(self)->misuse(self, "nothing lies between %s and %s; the earlier one comes first", s->from,
                                     s->to);
    return rc;
}

/* A span becomes the moment it stands for, once a first event tells where the trace begins. */
static void settle(int64_t begin, int64_t *at, int *relative)
{
    if (*relative && __builtin_add_overflow(begin, *at, at)) *at = *at < 0 ? INT64_MIN : INT64_MAX;
    *relative = 0;
}

static int between_events(void *self, tw_batch *b)
{
    between *s = self;
    uint32_t first = 0, behind;

    if (!b->n) return TW_OK;
    if (s->first_relative) settle(bus_begin(self, &b->event[0]), &s->first, &s->first_relative);
    if (s->behind_relative) settle(bus_begin(self, &b->event[0]), &s->behind, &s->behind_relative);
    while (first < b->n && b->event[first].time < s->first) first++;
    for (behind = first; behind < b->n && b->event[behind].time < s->behind;) behind++;
    int over = behind < b->n; /* events are in order: all others are later, too */
    b->n = behind - first;
    if (first) memmove(b->event, b->event + first, b->n * sizeof *b->event);
    return over ? TW_END : TW_OK;
}

static const tw_option between_options[] = {
    { "from", "0s", "where it begins: 1.5s from the start of the trace, or a moment in UTC: 2026-11-30T08:15",
      TW_OPT_TEXT, offsetof(between, from) },
    { "to", "end", "where it ends, itself not included: 10s, 2026-11-30T08:16, or end", TW_OPT_TEXT,
      offsetof(between, to) },
    { 0 },
};

const tw_stage between_stage = {
    .size = sizeof(tw_stage),
    .name = "between",
    .help =
        "Let the events of a stretch of time through, then stop reading: between { from = \"1.5s\", to = \"10s\" }",
    .state = sizeof(between),
    .options = between_options,
    .open = between_open,
    .events = between_events,
};
