/* source_host.h - a host of one source, for tests that want its batches as they are.

   No chain and no sorter: what `read` appends is what the test sees. One idea: inputs, batches, types and rows are the
   core's own, so that only the running of the pipeline is left out. */
#ifndef SOURCE_HOST_H
#define SOURCE_HOST_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "batch.h"
#include "input.h"
#include "type.h"

enum { SOURCE_TABLES = 8, SOURCE_COUNTERS = 64 };

typedef struct source {
    const tw_stage *stage;
    tw_self *state;
    types *types;
    batch_pool *pool;
    tw_input **input; /* ends with NULL */
    tw_rows *rows[SOURCE_TABLES];
    uint32_t nrows;
    uint64_t count[SOURCE_COUNTERS];
    uint64_t done, total; /* last progress */
    const char *unwanted; /* types of this provider are wanted by nobody */
    uint32_t asked;       /* how often: whether to stop */
    int stop;             /* the answer */
    char said[1024];      /* by fail and misuse */
    char logged[1024];    /* last */
} source;

static inline source *source_of(void *self)
{
    return ((tw_self *)self)->instance;
}

static inline int source_fail(void *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(source_of(self)->said, sizeof source_of(self)->said, format, arguments);
    va_end(arguments);
    return TW_ERROR;
}

static inline void source_log(void *self, int severity, const char *format, ...)
{
    va_list arguments;
    (void)severity;
    va_start(arguments, format);
    vsnprintf(source_of(self)->logged, sizeof source_of(self)->logged, format, arguments);
    va_end(arguments);
}

static inline int source_stopped(void *self)
{
    source_of(self)->asked++;
    return source_of(self)->stop;
}

static inline void source_progress(void *self, uint64_t done, uint64_t total)
{
    source_of(self)->done = done;
    source_of(self)->total = total;
}

static inline uint32_t source_publish(void *self, const tw_type *t)
{
    text why = { 0 };
    uint32_t id = types_publish(source_of(self)->types, t, &why);
    text_free(&why);
    return id;
}

static inline int source_wanted(void *self, uint32_t type)
{
    const source *s = source_of(self);
    return !s->unwanted || strcmp(types_table(s->types)[type]->provider, s->unwanted);
}

static inline tw_rows *source_table(void *self, const tw_table *t)
{
    source *s = source_of(self);

    for (uint32_t i = 0; i < s->nrows; i++)
        if (s->rows[i]->table == t) return s->rows[i];
    if (s->nrows == SOURCE_TABLES) abort();
    return s->rows[s->nrows++] = rows_new(t, 64);
}

/* The last rows of each table stay, for the test to look at. */
static inline int source_push(void *self, tw_rows *r)
{
    (void)self;
    if (r->n == r->cap) rows_empty(r);
    return TW_OK;
}

static const tw_host source_functions = {
    .size = sizeof(tw_host),
    .fail = source_fail,
    .misuse = source_fail,
    .log = source_log,
    .stopped = source_stopped,
    .progress = source_progress,
    .publish = source_publish,
    .wanted = source_wanted,
    .print = value_print,
    .alloc = batch_alloc,
    .cell = rows_cell,
    .keep = batch_keep,
    .table = source_table,
    .push = source_push,
    .input = input_name,
    .at = input_at,
    .unmap = input_unmap,
    .receive = input_receive,
};

/* A member of the state by the name of its option; NULL: there is none. */
static inline void *source_option(source *s, const char *name)
{
    for (const tw_option *o = s->stage->options; o && o->name; o++)
        if (!strcmp(o->name, name)) return (char *)s->state + o->offset;
    return NULL;
}

/* Not opened yet. Takes over the inputs; cap: events a batch. */
static inline source *source_new(const tw_stage *stage, tw_input *const *input, uint32_t n, uint32_t cap)
{
    source *s = mem_new(sizeof *s);

    s->stage = stage;
    s->types = types_new();
    s->pool = batch_pool_new(cap);
    s->input = mem_new((n + 1) * sizeof *s->input);
    memcpy(s->input, input, n * sizeof *input);
    s->state = mem_new(stage->state);
    s->state->host = &source_functions;
    s->state->instance = s;
    s->state->count = s->count;
    s->state->type = types_table(s->types);
    *(tw_input *const **)source_option(s, "file") = s->input;
    return s;
}

static inline source *source_of_bytes(const tw_stage *stage, const void *bytes, size_t n, uint32_t cap)
{
    tw_input *input = input_of_bytes(bytes, n, "test.etl");
    return source_new(stage, &input, 1, cap);
}

static inline int source_open(source *s)
{
    return s->stage->open(s->state);
}

/* The next batch, to be let go by the caller; *status is what `read` returned. */
static inline tw_batch *source_read(source *s, int *status)
{
    tw_batch *b = batch_take(s->pool);
    *status = s->stage->read(s->state, b);
    return b;
}

static inline int source_clock(void *context, const tw_event *e, tw_clock *c)
{
    source *s = context;
    return e->record ? s->stage->clock(s->state, e, c) : TW_END;
}

static inline void source_close(source *s)
{
    s->stage->close(s->state);
    for (tw_input **i = s->input; *i; i++) input_close(*i);
    for (uint32_t i = 0; i < s->nrows; i++) rows_free(s->rows[i]);
    batch_pool_free(s->pool);
    types_free(s->types);
    free(s->input);
    free(s->state);
    free(s);
}

#endif
