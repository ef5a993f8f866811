/* instance.c - the life of a pipeline: its stages are made, filled with their options, opened, closed, reported on.

   One idea: closing undoes whatever had been done when things went wrong, so there is one way out, taken after success
   and failure alike. Files are decided on last, when it is known whether the run was good. */
#include "instance.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "os.h"
#include "output.h"
#include "server.h"
#include "spool.h"

enum {
    EVENTS_A_BATCH = 512, /* 24 KiB of headers: with their payload they still fit a core's own cache */
    PATIENCE = 1000000000 /* ns that sources wait for one that has nothing */
};

/* Before anything is read an archive or a packed file may have to be unpacked. */
static void show_unpacking(void *context, const char *name, uint64_t bytes)
{
    bus *b = context;
    text plain = { 0 };

    if (!b->progress.on) return;
    text_put(&plain, os_path_name(name));
    report_plain(&plain);
    os_lock(b->lock);
    progress_unpack(&b->progress, os_monotonic(), text_of(&plain), bytes);
    os_unlock(b->lock);
    text_free(&plain);
}

/* The line that says how far the run is makes room for what is written. */
static void make_room(void *context)
{
    bus *b = context;

    if (!b->progress.on) return;
    os_lock(b->lock);
    progress_clear(&b->progress);
    os_unlock(b->lock);
}

bus *bus_new(const char *name, const bus_options *o)
{
    bus *b = mem_new(sizeof *b);

    b->options = o;
    b->name = name;
    b->main.bus = b;
    b->patience = PATIENCE;
    b->lock = os_mutex_new();
    b->types = types_new();
    b->pool = batch_pool_new(o->batch ? o->batch : EVENTS_A_BATCH);
    b->start = os_monotonic();
    progress_start(&b->progress, o->progress, b->start);
    spool_tell(show_unpacking, b);
    output_tell(make_room, b);
    return b;
}

int bus_add(bus *b, const spec *s)
{
    return chain_add(&b->main, s);
}

instance *instance_new(chain *c, const spec *s)
{
    bus *b = c->bus;
    instance *i = mem_new(sizeof *i);
    text why = { 0 };

    i->bus = b;
    i->spec = s;
    i->chain = c;
    i->at = c->n - 1;
    i->side = c->side;
    i->name = s->stage;
    i->place = s->place;
    b->all = list_room(b->all, b->n, sizeof(instance *));
    b->all[b->n++] = i;
    i->stage = s->builtin ? s->builtin : plugins_stage(b->options->plugins, s->stage, &why);
    if (!i->stage) {
        const char *where = s->place && *s->place ? s->place : b->name;
        if (!b->status && where && *where) text_format(&b->error, "%s: ", where);
        if (!b->status) text_put(&b->error, text_of(&why)); /* the sentence names the stage */
        b->status = 2;
        text_free(&why);
        return NULL;
    }
    for (const tw_counter *k = i->stage->counters; k && k->name; k++) i->ncounters++;
    i->count = mem_new((i->ncounters + HOST_COUNTERS) * sizeof *i->count);
    if (b->options->rules) i->rules = rules_new(i);
    i->state = mem_new(i->stage->state);
    i->state->host = &host_functions;
    i->state->instance = i;
    i->state->count = i->count;
    i->state->type = types_table(b->types);
    return i;
}

static int fill(instance *i)
{
    bus *b = i->bus;
    option_files files = { 0 };
    text why = { 0 };
    int failed;
    int rc = option_fill(i->stage, i->state, i->spec->set, i->spec->n, &b->memory, &files, &why, &failed);

    if (rc != TW_OK) bus_fail(b, failed, i, text_of(&why));
    for (uint32_t k = 0; k < files.ninputs; k++) {
        i->input = list_room(i->input, i->ninputs, sizeof(tw_input *));
        i->input[i->ninputs++] = files.input[k];
    }
    for (uint32_t k = 0; k < files.noutputs; k++) {
        i->output = list_room(i->output, i->noutputs, sizeof(tw_output *));
        i->output[i->noutputs++] = files.output[k];
    }
    text_free(&why);
    return rc;
}

int bus_open(bus *b)
{
    for (uint32_t k = 0; k < b->n; k++)
        if (fill(b->all[k]) != TW_OK) return TW_ERROR;
    bus_make_sorters(b);
    for (uint32_t k = 0; k < b->n; k++) {
        instance *i = b->all[k];
        i->opened = 1;
        if (!i->stage->open) continue;
        int rc = instance_call(i, i->stage->open);
        if (b->status || rc != TW_OK) return b->status ? TW_ERROR : instance_failed(i, rc);
    }
    return TW_OK;
}

int bus_finish(bus *b, tw_output *o, int keep, text *why)
{
    text partial = { 0 };

    if (!keep && output_bytes(o)) text_put(&partial, output_partial(o));
    int rc = output_finish(o, keep, why);
    os_lock(b->lock);
    if (partial.n && os_exists(text_of(&partial))) /* streams leave nothing behind */
        text_format(&b->partial, "%s%s", b->partial.n ? ", " : "", text_of(&partial));
    os_unlock(b->lock);
    text_free(&partial);
    return rc;
}

static void finish_files(bus *b)
{
    for (uint32_t k = 0; k < b->n; k++) {
        instance *i = b->all[k];
        for (uint32_t m = 0; m < i->noutputs; m++) {
            int keep = !b->status && !b->interrupted;
            text why = { 0 };
            if (bus_finish(b, i->output[m], keep, &why) == TW_ERROR && keep) bus_fail(b, 1, i, text_of(&why));
            text_free(&why);
        }
        i->noutputs = 0;
    }
}

/* Stages see only that an input ends; why is for the host to say. Being interrupted is no fault of an input. */
static void tell_unreadable(const bus *b)
{
    if (b->interrupted) return;
    for (uint32_t k = 0; k < b->n; k++) {
        const instance *i = b->all[k];
        for (uint32_t m = 0; m < i->ninputs; m++) {
            const char *why = input_error(i->input[m]);
            if (!*why) continue;
            i->count[i->ncounters + COUNT_UNREADABLE]++;
            if (!strstr(text_of(&b->error), why)) tw_log(i->state, TW_SKIPPED, "%s", why);
        }
    }
}

static void say_interrupted(bus *b)
{
    b->status = 1;
    if (b->name && *b->name) text_format(&b->error, "%s: ", b->name);
    text_put(&b->error, "interrupted");
    if (b->partial.n) text_format(&b->error, "; partial results kept as %s", text_of(&b->partial));
}

static void free_instance(instance *i)
{
    for (uint32_t k = 0; k < i->noffers; k++) free(i->offer[k].id);
    for (uint32_t k = 0; k < i->ninputs; k++) input_close(i->input[k]);
    free(i->offer);
    free(i->input);
    free(i->output);
    free(i->made);
    free(i->block);
    free(i->seen);
    free(i->state);
    free(i->count);
    free(i->looks[0]);
    free(i->looks[1]);
    free(i->wanted);
    text_free(&i->why);
    server_free(i->server);
    rules_free(i->rules);
    free(i);
}

/* ---- What is left to tell ---- */

static void gather_counters(const instance *i, const char *name, report *r)
{
    static const tw_counter host[HOST_COUNTERS] = {
        [COUNT_OUT_OF_ORDER] = { "out of order", "events that came too late and got a later time", TW_WARNING },
        [COUNT_TYPES_REFUSED] = { "types refused",
                                  "times that a type of events was refused; they have no fields then", TW_SKIPPED },
        [COUNT_UNREADABLE] = { "unreadable inputs", "inputs that could not be read to their end", TW_SKIPPED },
    };

    r->counter = mem_grow(r->counter, (r->ncounters + i->ncounters + HOST_COUNTERS) * sizeof *r->counter);
    for (uint32_t k = 0; k < i->ncounters + HOST_COUNTERS; k++) {
        const tw_counter *c = k < i->ncounters ? &i->stage->counters[k] : &host[k - i->ncounters];
        if (k >= i->ncounters && !i->count[k]) continue; /* few stages can ever have the host's */
        r->counter[r->ncounters++] = (report_counter){ name, c->name, c->help, c->severity, i->count[k] };
    }
}

static void gather(const bus *b, report *r)
{
    memset(r, 0, sizeof *r);
    r->ns = os_monotonic() - b->start;
    r->interrupted = b->interrupted;
    r->status = b->status;
    text_put(&r->error, text_of(&b->error));
    r->stage = mem_new(b->n * sizeof *r->stage);
    for (uint32_t k = 0; k < b->n; k++) {
        const instance *i = b->all[k];
        if (!i->state) continue; /* the stage that was not found */
        report_stage *s = &r->stage[r->nstages++];
        *s = i->sum;
        s->name = mem_text(i->name, strlen(i->name)); /* the plan may be gone when the report is read */
        gather_counters(i, s->name, r);
    }
    for (uint32_t k = 0; k < b->nborders; k++) border_report(b->border[k], r);
    for (uint32_t k = 0; k < r->ncounters; k++)
        if (!r->status && r->counter[k].count && report_is_incomplete(&r->counter[k], b->options->strict))
            r->status = 3;
}

void bus_close(bus *b, report *r)
{
    spool_tell(NULL, NULL);
    for (uint32_t k = b->n; k-- > 0;) {
        instance *i = b->all[k];
        if (!i->opened || !i->stage->close) continue;
        if (i->rules) rules_closes(i->rules);
        instance *before = instance_enter(i);
        i->stage->close(i->state);
        instance_leave(before);
    }
    finish_files(b);
    if (b->interrupted && !b->status) say_interrupted(b);
    tell_unreadable(b);
    if (!b->status) bus_warn_of_nowhere(b);
    progress_clear(&b->progress);
    output_tell(NULL, NULL);
    gather(b, r);

    for (uint32_t k = 0; k < b->nborders; k++) border_free(b->border[k]);
    for (uint32_t k = 0; k < b->nfeeds; k++) sorter_free(b->feed[k]->sorter);
    sorter_free(b->joined);
    for (uint32_t k = 0; k < b->n; k++) {
        instance *i = b->all[k];
        for (uint32_t m = 0; m < i->nmade; m++) batch_let_go(i->made[m]);
        for (uint32_t m = 0; m < i->nblocks; m++) rows_free(i->block[m].rows);
    }
    batch_pool_free(b->pool); /* before the inputs: batches may hold their windows */
    for (uint32_t k = 0; k < b->n; k++) free_instance(b->all[k]);
    for (uint32_t k = 0; k < b->nfeeds; k++) free(b->feed[k]);
    chain_free(&b->main);
    free(b->all);
    free(b->feed);
    free(b->border);
    types_free(b->types);
    arena_free(&b->memory);
    os_mutex_free(b->lock);
    text_free(&b->error);
    text_free(&b->partial);
    free(b);
}
