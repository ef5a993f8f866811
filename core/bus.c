/* bus.c - running a pipeline: the loop that everything else serves.

   One idea: run to completion. A batch is read, passed down the chain in place, and used again; what a stage sends
   besides runs down the rest of the chain before the call that sent it returns. So stages are entered in the order of
   the chain only, an instance never twice at once, and nothing waits in a queue.

   Every entry into a stage goes through instance_enter and instance_leave, which also measure the time spent in it. */
#include "bus.h"

#include <inttypes.h>
#include <string.h>

#include "input.h"
#include "instance.h"
#include "os.h"
#include "output.h"

enum { IDLE = 10000000 /* ns to sleep when a live source has nothing */ };

/* What this thread is doing: the instance it is in, and since when that time is on its account. */
static _Thread_local struct {
    instance *inside;
    int64_t since;
} thread;

instance *bus_inside(void)
{
    return thread.inside;
}

static void bill(void)
{
    int64_t now = os_monotonic();

    if (thread.inside) thread.inside->sum.ns += now - thread.since;
    thread.since = now;
}

instance *instance_enter(instance *i)
{
    instance *before = thread.inside;

    bill();
    thread.inside = i;
    return before;
}

void instance_leave(instance *before)
{
    bill();
    thread.inside = before;
}

/* ---- Failing ---- */

int bus_stop_asked(const bus *b)
{
    return os_interrupted() || (b->options->stop && b->options->stop(b->options->context));
}

void bus_fail(bus *b, int status, const instance *i, const char *sentence)
{
    const char *where = i && i->place && *i->place && !i->opened ? i->place : b->name;

    if (b->status) return;
    if (bus_stop_asked(b)) { /* whoever was stopped in the middle of something says so, and that is no fault */
        b->interrupted = 1;
        return;
    }
    b->status = status;
    if (where && *where) text_format(&b->error, "%s: ", where);
    if (i) text_format(&b->error, "%s: ", i->name);
    text_put(&b->error, sentence);
}

/* A stage returned `rc`, which is none of the good ones. If it said nothing, its files may know. */
int instance_failed(instance *i, int rc)
{
    const char *why = text_of(&i->why);

    if (rc != TW_ERROR) {
        text odd = { 0 };
        text_format(&odd, "returned %d, which means nothing there", rc);
        bus_fail(i->bus, 1, i, text_of(&odd));
        text_free(&odd);
        return TW_ERROR;
    }
    for (uint32_t k = 0; k < i->noutputs && !*why; k++) why = output_error(i->output[k]);
    for (uint32_t k = 0; k < i->ninputs && !*why; k++) why = input_error(i->input[k]);
    bus_fail(i->bus, 1, i, *why ? why : "failed without a word");
    return TW_ERROR;
}

int instance_kept_room(instance *i, uint32_t n, uint32_t cap, const char *what)
{
    text odd = { 0 };

    if (n <= cap) return 1;
    text_format(&odd, "put %" PRIu32 " %s where %" PRIu32 " have room", n, what, cap);
    bus_fail(i->bus, 1, i, text_of(&odd));
    text_free(&odd);
    return 0;
}

/* What a call into a stage comes to: an END is noted, an error completed; also one that happened further down. */
static int outcome(instance *i, int rc)
{
    if (i->bus->status) return TW_ERROR;
    if (rc == TW_END) i->bus->enough = 1;
    return rc == TW_OK || rc == TW_END ? TW_OK : instance_failed(i, rc);
}

int instance_call(instance *i, int (*callback)(void *))
{
    instance *before = instance_enter(i);
    int rc = callback(i->state);

    instance_leave(before);
    return rc;
}

/* ---- Who looks at what ---- */

static int listed(const char *const *patterns, const char *name)
{
    if (!patterns) return 1;
    for (; *patterns; patterns++)
        if (text_fits(*patterns, name)) return 1;
    return 0;
}

/* Works out the bits of types that were published since. */
static void learn_types(bus *b)
{
    uint32_t count = types_count(b->types);
    text name = { 0 };

    for (; b->typed <= count; b->typed++) {
        const tw_type *t = types_table(b->types)[b->typed];
        text_clear(&name);
        text_format(&name, "%s/%s", t->provider, t->name);
        for (uint32_t k = 0; k < b->n; k++) {
            const tw_stage *s = b->chain[k]->stage;
            uint64_t bit = 1ull << k;
            if (s->events && listed(s->wants, text_of(&name))) b->wants[b->typed] |= bit;
            if (s->preview && listed(s->preview_wants, text_of(&name))) b->previews[b->typed] |= bit;
        }
    }
    text_free(&name);
}

static const uint64_t *bits(const bus *b)
{
    return b->previewing ? b->previews : b->wants;
}

int bus_wanted(bus *b, uint32_t at, uint32_t type)
{
    if (b->typed <= types_count(b->types)) learn_types(b);
    return type < b->typed && (bits(b)[type] & (~0ull << at << 1)) != 0;
}

/* Is there an event in the batch that the stage at that place looks at? */
static int has_wanted(const bus *b, uint32_t at, const tw_batch *batch)
{
    const uint64_t *of = bits(b);

    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->event[i].type < b->typed && of[batch->event[i].type] >> at & 1) return 1;
    return 0;
}

/* Tells a stage of the types it looks at and has not seen. */
static int tell_types(instance *i)
{
    bus *b = i->bus;

    if (i->told == types_count(b->types)) return TW_OK;
    if (b->typed <= types_count(b->types)) learn_types(b);
    while (i->told < types_count(b->types)) {
        uint32_t id = ++i->told;
        if (id >= b->typed) learn_types(b);
        if (!i->stage->type || !((b->wants[id] | b->previews[id]) >> i->at & 1)) continue;
        instance *before = instance_enter(i);
        int rc = i->stage->type(i->state, types_table(b->types)[id]);
        instance_leave(before);
        if (outcome(i, rc) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

static int reads_table(const instance *i, const tw_table *t)
{
    return (i->stage->rows || i->stage->table) && listed(i->stage->reads, t->name);
}

static int tell_table(instance *i, const tw_table *t)
{
    for (uint32_t k = 0; k < i->nseen; k++)
        if (i->seen[k] == t) return TW_OK;
    i->seen = list_room(i->seen, i->nseen, sizeof *i->seen);
    i->seen[i->nseen++] = t;
    if (!i->stage->table) return TW_OK;
    instance *before = instance_enter(i);
    int rc = i->stage->table(i->state, t);
    instance_leave(before);
    return outcome(i, rc);
}

/* Tells a stage, before its end, of the tables without rows. They exist where a stage before it asked for a block, as
   whoever makes a table by an option does only then; `makes` alone says what a stage may make. */
static int tell_empty_tables(instance *i)
{
    for (uint32_t k = 0; k < i->at; k++) {
        const instance *maker = i->bus->chain[k];
        for (uint32_t m = 0; m < maker->nblocks; m++) {
            const block *made = &maker->block[m];
            if (reads_table(i, made->table) && !made->used && tell_table(i, made->table) != TW_OK) return TW_ERROR;
        }
    }
    return TW_OK;
}

/* ---- Down the chain ---- */

static int give_events(instance *i, tw_batch *batch)
{
    if (tell_types(i) != TW_OK) return TW_ERROR;
    i->sum.events_in += batch->n;
    i->sum.batches++;

    instance *before = instance_enter(i);
    int rc = i->stage->events(i->state, batch);
    instance_leave(before);
    if (!instance_kept_room(i, batch->n, batch->cap, "events")) return TW_ERROR;
    i->sum.events_out += batch->n;
    return outcome(i, rc);
}

static int give_preview(instance *i, tw_batch *batch)
{
    if (tell_types(i) != TW_OK) return TW_ERROR;

    instance *before = instance_enter(i);
    int rc = i->stage->preview(i->state, batch);
    instance_leave(before);
    return outcome(i, rc == TW_END ? TW_OK : rc); /* it saw enough; others may have not */
}

int bus_send(bus *b, uint32_t from, tw_batch *batch)
{
    for (uint32_t k = from; k < b->n && batch->n; k++) {
        instance *i = b->chain[k];
        const tw_stage *s = i->stage;
        if (b->typed <= types_count(b->types)) learn_types(b); /* the stage before may have published some */
        int all = b->previewing ? 0 : !s->wants;
        if (!(b->previewing ? s->preview : s->events) || !(all || has_wanted(b, k, batch))) continue;
        if ((b->previewing ? give_preview(i, batch) : give_events(i, batch)) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

int bus_send_rows(bus *b, uint32_t from, tw_rows *r)
{
    for (uint32_t k = from; k < b->n && r->n; k++) {
        instance *i = b->chain[k];
        if (!reads_table(i, r->table)) continue;
        if (tell_table(i, r->table) != TW_OK) return TW_ERROR;
        if (!i->stage->rows) continue;
        i->sum.rows_in += r->n;
        instance *before = instance_enter(i);
        int rc = i->stage->rows(i->state, r);
        instance_leave(before);
        if (!instance_kept_room(i, r->n, r->cap, "rows")) return TW_ERROR;
        i->sum.rows_out += r->n;
        if (outcome(i, rc) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

int bus_push(instance *i, block *k)
{
    bus *b = i->bus;
    tw_rows *r = k->rows; /* the list of blocks may move meanwhile, the rows stay */
    int rc = TW_OK;

    if (!instance_kept_room(i, r->n, r->cap, "rows")) return TW_ERROR;
    if (r->n && !b->previewing) { /* what a source finds in a preview it finds again */
        k->used = 1;
        i->sum.rows_out += r->n;
        rc = bus_send_rows(b, i->at + 1, r);
    }
    rows_empty(r);
    return rc;
}

/* ---- The source ---- */

int bus_types_fit(instance *i, const tw_batch *batch)
{
    uint32_t count = types_count(i->bus->types), top = 0;
    text odd = { 0 };

    for (uint32_t k = 0; k < batch->n; k++)
        if (batch->event[k].type > top) top = batch->event[k].type;
    if (top <= count) return 1;
    text_format(&odd, "gave an event of type %" PRIu32 ", but only %" PRIu32 " types are published", top, count);
    bus_fail(i->bus, 1, i, text_of(&odd));
    text_free(&odd);
    return 0;
}

/* A source that promised time order and steps back is put right as the sorter does it: late events get the time of
   the last one before them, and are counted. */
static void mend_order(instance *source, tw_batch *batch)
{
    int64_t last = source->bus->last;
    uint64_t late = 0;

    for (uint32_t k = 0; k < batch->n; k++) {
        tw_event *e = &batch->event[k];
        if (e->time < last) {
            e->time = last;
            late++;
        }
        last = e->time;
    }
    source->bus->last = last;
    if (batch->upto < last) batch->upto = last;
    source->count[source->ncounters + COUNT_OUT_OF_ORDER] += late;
}

/* In-order events of the source, into the chain. */
static int send_on(bus *b, tw_batch *batch)
{
    if (!b->has_first && batch->n) {
        b->first = batch->event[0].time;
        b->has_first = 1;
    }
    return bus_send(b, 1, batch);
}

static int send_sorted(bus *b, int64_t upto)
{
    instance *source = b->chain[0];
    tw_batch *out;
    int rc = TW_OK;

    while (rc == TW_OK && !b->enough && !bus_stop_asked(b) && (out = sorter_next(b->sorter, upto))) {
        rc = send_on(b, out);
        batch_let_go(out);
    }
    source->count[source->ncounters + COUNT_OUT_OF_ORDER] = sorter_late(b->sorter);
    return rc;
}

int bus_pull(bus *b)
{
    instance *source = b->chain[0];
    tw_batch *batch = batch_take(b->pool);
    instance *before = instance_enter(source);
    int rc = source->stage->read(source->state, batch), sent = TW_OK;

    instance_leave(before);
    if (rc != TW_OK && rc != TW_END && rc != TW_AGAIN) instance_failed(source, rc);
    int good = !b->status && (rc == TW_OK || rc == TW_END || rc == TW_AGAIN);
    if (!good || !instance_kept_room(source, batch->n, batch->cap, "events") || !bus_types_fit(source, batch)) {
        batch_let_go(batch);
        return TW_ERROR;
    }
    source->sum.batches++;
    source->sum.events_out += batch->n;
    if (b->sorter) {
        int64_t upto = batch->upto;
        sorter_add(b->sorter, batch);
        sent = send_sorted(b, rc == TW_END ? INT64_MAX : upto);
    } else {
        mend_order(source, batch);
        sent = send_on(b, batch);
        batch_let_go(batch);
    }
    return sent == TW_OK ? rc : sent;
}

/* Nothing moves at present. */
static int idle(bus *b)
{
    for (uint32_t k = 0; k < b->n; k++) {
        instance *i = b->chain[k];
        if (i->stage->tick && outcome(i, instance_call(i, i->stage->tick)) != TW_OK) return TW_ERROR;
    }
    os_sleep(IDLE);
    return TW_OK;
}

/* Reads to the end. */
static int pump(bus *b)
{
    int rc = TW_OK;

    while (rc != TW_END && !b->enough) {
        uint64_t events = b->chain[0]->sum.events_out;
        if (bus_stop_asked(b)) {
            b->interrupted = 1;
            return TW_OK;
        }
        rc = bus_pull(b);
        if (rc == TW_AGAIN && b->chain[0]->sum.events_out == events) rc = idle(b);
        if (rc == TW_ERROR) return TW_ERROR;
        progress_step(&b->progress, thread.since, b->done, b->total, b->chain[0]->sum.events_out);
    }
    return TW_OK;
}

/* ---- The preview pass ---- */

void bus_make_sorter(bus *b)
{
    sorter_free(b->sorter);
    b->sorter = b->chain[0]->stage->flags & TW_UNORDERED ? sorter_new(b->pool) : NULL;
    b->last = INT64_MIN;
}

/* The source runs alone over what the previewing stages ask for, then starts again as if nothing had been. */
static int preview(bus *b)
{
    instance *source = b->chain[0];
    int asked = 0;

    for (uint32_t k = 1; k < b->n; k++) asked |= b->chain[k]->stage->preview != NULL;
    if (!asked || !(source->stage->flags & TW_REWIND)) return TW_OK;

    b->previewing = 1;
    int rc = pump(b);
    b->previewing = 0;
    if (rc != TW_OK || b->interrupted) return rc;
    if ((rc = instance_call(source, source->stage->rewind)) != TW_OK) return instance_failed(source, rc);
    bus_make_sorter(b);
    memset(source->count, 0, (source->ncounters + HOST_COUNTERS) * sizeof *source->count);
    source->sum.events_out = source->sum.batches = 0;
    for (uint32_t k = 0; k < b->n; k++) b->chain[k]->state->previewed = 1;
    return TW_OK;
}

/* ---- A whole run ---- */

static int end_one(instance *i)
{
    int rc = TW_OK;

    if (tell_types(i) != TW_OK || tell_empty_tables(i) != TW_OK) return TW_ERROR;
    if (i->stage->end) rc = outcome(i, instance_call(i, i->stage->end));
    for (uint32_t k = 0; k < i->nblocks && rc == TW_OK; k++) rc = bus_push(i, &i->block[k]);
    return rc;
}

int bus_end(bus *b)
{
    for (uint32_t k = 0; k < b->n; k++)
        if (end_one(b->chain[k]) != TW_OK && !b->interrupted) return TW_ERROR;
    return TW_OK;
}

/* Does the chain begin with its one source, or is it one stage that stands alone? */
static int shape_fits(bus *b)
{
    const instance *first = b->n ? b->chain[0] : NULL;

    if (!first) {
        bus_fail(b, 2, NULL, "it has no stages");
        return 0;
    }
    if (!first->stage->read && !first->stage->run) {
        bus_fail(b, 2, first, "it is no source, but comes first; a pipeline begins with a source, such as etl.read");
        return 0;
    }
    if (first->stage->run && b->n > 1) {
        bus_fail(b, 2, first, "it stands alone, so no other stage can come after it");
        return 0;
    }
    for (uint32_t k = 1; k < b->n; k++) {
        const instance *i = b->chain[k];
        if (!i->stage->read && !i->stage->run) continue;
        bus_fail(b, 2, i,
                 i->stage->read ? "it is a source, so it can only come first"
                                : "it stands alone, so it can only be the only stage");
        return 0;
    }
    return 1;
}

static void run(bus *b, const plan *p)
{
    for (uint32_t k = 0; k < p->n; k++)
        if (bus_add(b, &p->stage[k]) != TW_OK) return;
    if (!shape_fits(b) || bus_open(b, p->stage) != TW_OK) return;

    instance *first = b->chain[0];
    if (first->stage->run) {
        outcome(first, instance_call(first, first->stage->run));
        return;
    }
    if (preview(b) != TW_OK && !b->interrupted) return;
    if (!b->interrupted && pump(b) != TW_OK && !b->interrupted) return;
    bus_end(b);
}

void bus_run(const plan *p, const bus_options *o, report *r)
{
    bus *b = bus_new(p->name, o);

    run(b, p);
    bus_close(b, r);
}
