/* pump.c - what sets batches going: sources are read, put in order, joined, previewed.

   One idea: not calling a source is all the back-pressure there is. Of several, the one that holds up the others is
   read next, so what has to be kept is what lies between their watermarks.

   A source that has nothing at present is waited for, but not for ever: it may be live, and so may the others. */
#include <stdlib.h>
#include <string.h>

#include "instance.h"

enum {
    IDLE = 10000000, /* ns to sleep when no source has anything */
    AHEAD = 1 << 16  /* events that may be held while others are waited for */
};

/* ---- One source ---- */

void bus_make_sorters(bus *b)
{
    for (uint32_t k = 0; k < b->nfeeds; k++) {
        feed *f = b->feed[k];
        sorter_free(f->sorter);
        f->sorter = f->source->stage->flags & TW_UNORDERED ? sorter_new(b->pool) : NULL;
        f->last = f->upto = INT64_MIN;
        f->quiet = 0;
        f->ended = 0;
    }
    sorter_free(b->joined);
    b->joined = b->nfeeds && b->feed[0]->chain->joins ? sorter_new(b->pool) : NULL;
    b->joined_last = INT64_MIN;
}

/* A source that promised time order and steps back is put right as the sorter does it: late events get the time of
   the last one before them, and are counted. */
static void mend_order(feed *f, tw_batch *batch)
{
    instance *source = f->source;
    int64_t last = f->last;
    uint64_t late = 0;

    for (uint32_t k = 0; k < batch->n; k++) {
        tw_event *e = &batch->event[k];
        if (e->time < last) {
            e->time = last;
            late++;
        }
        last = e->time;
        e->source = f->index;
    }
    f->last = last;
    if (batch->upto < last) batch->upto = last;
    source->count[source->ncounters + COUNT_OUT_OF_ORDER] += late;
}

/* In-order events of a source, into its chain. */
static int send_on(feed *f, tw_batch *batch)
{
    if (!f->has_first && batch->n) {
        f->first = batch->event[0].time;
        f->has_first = 1;
    }
    return bus_send(f->chain, 1, batch);
}

static int send_sorted(feed *f, int64_t upto)
{
    instance *source = f->source;
    bus *b = source->bus;
    tw_batch *out;
    int rc = TW_OK;

    while (rc == TW_OK && !b->enough && !f->enough && !bus_stop_asked(b) && (out = sorter_next(f->sorter, upto))) {
        rc = send_on(f, out);
        batch_let_go(out);
    }
    source->count[source->ncounters + COUNT_OUT_OF_ORDER] = sorter_late(f->sorter);
    return rc;
}

/* Passes on what was read, and takes over the batch. */
static int send_read(feed *f, tw_batch *batch)
{
    int64_t upto = batch->upto;
    int rc;

    if (f->sorter) {
        for (uint32_t k = 0; k < batch->n; k++) batch->event[k].source = f->index;
        sorter_add(f->sorter, batch, 0);
        rc = send_sorted(f, f->ended ? INT64_MAX : upto);
    } else {
        mend_order(f, batch);
        upto = batch->upto;
        rc = send_on(f, batch);
        batch_let_go(batch);
    }
    if (upto > f->upto) f->upto = upto;
    return rc;
}

int bus_pull(feed *f)
{
    instance *source = f->source;
    bus *b = source->bus;
    tw_batch *batch = batch_take(b->pool);
    instance *before = instance_enter(source);
    tw_batch *given = source->rules ? rules_lend(source->rules, batch) : batch;
    int rc = source->stage->read(source->state, given);

    if (source->rules) rules_take_back(source->rules, given, batch);
    instance_leave(before);
    if (rc != TW_OK && rc != TW_END && rc != TW_AGAIN) instance_failed(source, rc);
    int good = !b->status && (rc == TW_OK || rc == TW_END || rc == TW_AGAIN);
    if (!good || !instance_kept_room(source, batch->n, batch->cap, "events") || !bus_types_fit(source, batch)) {
        batch_let_go(batch);
        return TW_ERROR;
    }
    source->sum.batches++;
    source->sum.events_out += batch->n;
    f->ended = rc == TW_END;
    return send_read(f, batch) == TW_OK ? rc : TW_ERROR;
}

/* ---- Several sources ---- */

void bus_join(feed *f, tw_batch *batch)
{
    instance *source = f->source;
    bus *b = source->bus;
    uint32_t late = 0;

    while (late < batch->n && batch->event[late].time < b->joined_last) late++;
    source->count[source->ncounters + COUNT_OUT_OF_ORDER] += late;
    batch_hold(batch);
    sorter_add(b->joined, batch, f->index);
}

static int is_over(const feed *f)
{
    return f->ended || f->enough;
}

/* The time before which nothing more comes, as far as sources are waited for. */
static int64_t watermark(const bus *b, int64_t now)
{
    int64_t least = INT64_MAX;

    for (uint32_t k = 0; k < b->nfeeds; k++) {
        const feed *f = b->feed[k];
        int waited_for = !is_over(f) && (!f->quiet || now - f->quiet < b->patience);
        if (waited_for && f->upto < least) least = f->upto;
    }
    return least;
}

static int all_over(const bus *b)
{
    for (uint32_t k = 0; k < b->nfeeds; k++)
        if (!is_over(b->feed[k])) return 0;
    return 1;
}

/* Sends what is joined on, as far as the sources have come. */
static int send_joined(bus *b)
{
    int64_t upto = watermark(b, os_monotonic());
    tw_batch *out;
    int rc = TW_OK;

    while (rc == TW_OK && !b->enough && !bus_stop_asked(b) && (out = sorter_next(b->joined, upto))) {
        b->joined_last = out->event[out->n - 1].time;
        if (out->upto == INT64_MAX && !all_over(b))
            out->upto = b->joined_last; /* those not waited for may come back */
        rc = bus_send(&b->main, 1, out);
        batch_let_go(out);
    }
    return rc;
}

/* Reads a source that is due. */
static int read_one(feed *f, int64_t now, int *moved)
{
    uint64_t events = f->source->sum.events_out;
    int64_t upto = f->upto;
    int rc = bus_pull(f);

    if (rc == TW_ERROR) return TW_ERROR;
    int nothing = rc == TW_AGAIN && f->source->sum.events_out == events;
    if (!nothing) *moved = 1;
    if (!nothing)
        f->quiet = 0;
    else if (!f->quiet || f->upto > upto)
        f->quiet = now;
    return TW_OK;
}

/* Reads each source that is due: the one that holds up the others, those that had nothing the last time, and while that
   holds up the others, these too, as long as not too much has to be kept. */
static int read_round(bus *b, int *moved)
{
    int64_t now = b->joined ? os_monotonic() : b->start, least = watermark(b, now);
    int some_quiet = 0, rc = TW_OK;

    for (uint32_t k = 0; k < b->nfeeds; k++) some_quiet |= !is_over(b->feed[k]) && b->feed[k]->quiet;
    int ahead = some_quiet && b->joined && sorter_held(b->joined) < AHEAD;
    for (uint32_t k = 0; k < b->nfeeds && rc == TW_OK && !b->enough; k++) {
        feed *f = b->feed[k];
        if (!is_over(f) && (f->quiet || f->upto <= least || ahead)) rc = read_one(f, now, moved);
    }
    return rc == TW_OK && b->joined ? send_joined(b) : rc;
}

static void show_progress(bus *b)
{
    uint64_t done = 0, total = 0, events = 0;
    int known = 1;

    if (!b->progress.on) return;
    for (uint32_t k = 0; k < b->nfeeds; k++) {
        const instance *source = b->feed[k]->source;
        done += source->done;
        total += source->total;
        events += source->sum.events_out;
        known &= source->total != 0;
    }
    os_lock(b->lock);
    progress_step(&b->progress, os_monotonic(), done, known ? total : 0, events);
    os_unlock(b->lock);
}

/* Reads to the end. */
static int pump(bus *b)
{
    while (!b->enough && !all_over(b)) {
        int moved = 0;
        if (bus_stop_asked(b)) {
            b->interrupted = 1;
            return TW_OK;
        }
        if (read_round(b, &moved) != TW_OK) return TW_ERROR;
        if (!moved) {
            if (bus_tick(&b->main, 0) != TW_OK) return TW_ERROR;
            os_sleep(IDLE);
        }
        show_progress(b);
    }
    return b->status ? TW_ERROR : TW_OK;
}

/* ---- The preview pass ---- */

static int rewind_source(instance *source)
{
    int rc;

    if (source->rules) rules_starts_again(source->rules);
    if ((rc = instance_call(source, source->stage->rewind)) != TW_OK) return instance_failed(source, rc);
    memset(source->count, 0, (source->ncounters + HOST_COUNTERS) * sizeof *source->count);
    source->sum.events_out = source->sum.batches = 0;
    return TW_OK;
}

/* The sources run alone over what the previewing stages ask for, then start again as if nothing had been. That takes
   sources that can all do so: a stage is shown everything or nothing. */
static int preview(bus *b)
{
    int asked = 0, rc;

    for (uint32_t k = 0; k < b->n; k++) asked |= b->all[k]->stage->preview != NULL;
    for (uint32_t k = 0; k < b->nfeeds; k++) asked &= (b->feed[k]->source->stage->flags & TW_REWIND) != 0;
    if (!asked) return TW_OK;

    b->previewing = 1;
    rc = pump(b);
    b->previewing = 0;
    if (rc != TW_OK || b->interrupted) return rc;
    for (uint32_t k = 0; k < b->nfeeds; k++)
        if (rewind_source(b->feed[k]->source) != TW_OK) return TW_ERROR;
    bus_make_sorters(b);
    for (uint32_t k = 0; k < b->n; k++) b->all[k]->state->previewed = 1;
    return TW_OK;
}

/* ---- A whole run ---- */

int bus_end(bus *b)
{
    const step *merge = &b->main.step[0];

    if (!b->joined) return bus_end_from(&b->main, 0);
    for (uint32_t k = 0; k < merge->nbranches; k++)
        if (bus_end_from(merge->branch[k], 0) != TW_OK && !b->interrupted) return TW_ERROR;
    if (send_joined(b) != TW_OK && !b->interrupted) return TW_ERROR; /* what stages of the branches let go of */
    return bus_end_from(&b->main, 1);
}

/* From the first batch to the last; other threads, where there are some, are started and ended here. */
static void run_through(bus *b)
{
    preview(b);
    for (uint32_t k = 0; k < b->nborders && !b->status; k++) border_start(b->border[k]);
    if (!b->status && !b->interrupted) pump(b);
    if (!b->status) bus_end(b);
    for (uint32_t k = 0; k < b->nborders; k++) border_join(b->border[k]);
}

static void run(bus *b, const plan *p)
{
    for (uint32_t k = 0; k < p->n; k++)
        if (bus_add(b, &p->stage[k]) != TW_OK) return;
    if (!graph_fits(b) || bus_open(b) != TW_OK) return;

    instance *first = b->main.step[0].stage;
    if (first && first->stage->run) {
        int rc = instance_call(first, first->stage->run);
        if (rc != TW_OK && rc != TW_END) instance_failed(first, rc);
        return;
    }
    run_through(b);
}

void bus_run(const plan *p, const bus_options *o, report *r)
{
    bus *b = bus_new(p->name, o);

    run(b, p);
    bus_close(b, r);
}
