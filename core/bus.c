/* bus.c - the way of a batch down a chain.

   One idea: run to completion. A batch is passed down the chain in place, and used again; what a stage sends besides runs
   down the rest of the chain before the call that sent it returns. So stages are entered in the order of the chain only,
   an instance never twice at once, and nothing waits in a queue but at the border to another thread.

   Every entry into a stage goes through instance_enter and instance_leave, which also measure the time spent in it. */
#include "bus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "instance.h"
#include "layout.h"
#include "os.h"
#include "output.h"

/* What this thread is doing: the instance it is in, and since when that time is on its account. */
static _Thread_local struct {
    instance *inside;
    int64_t since;
    int helps; /* it is not the one that runs the bus */
} thread;

void bus_helps(void)
{
    thread.helps = 1;
}

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
    if (i->rules) rules_enter(i->rules);
    return before;
}

void instance_leave(instance *before)
{
    bill();
    if (thread.inside->rules) rules_leave(thread.inside->rules);
    thread.inside = before;
}

/* ---- Failing ---- */

/* Only who runs the bus asks its caller. */
int bus_stop_asked(const bus *b)
{
    return os_interrupted() || b->interrupted ||
           (!thread.helps && b->options->stop && b->options->stop(b->options->context));
}

void bus_fail(bus *b, int status, const instance *i, const char *sentence)
{
    const char *where = i && i->place && *i->place && (!i->opened || status == 2) ? i->place : b->name;
    int stopped = bus_stop_asked(b);

    os_lock(b->lock);
    if (b->status) {
        /* the first one counts */
    } else if (stopped) { /* whoever was stopped in the middle of something says so, and that is no fault */
        b->interrupted = 1;
    } else {
        if (where && *where) text_format(&b->error, "%s: ", where);
        if (i) text_format(&b->error, "%s: ", i->name);
        text_put(&b->error, sentence);
        for (uint32_t k = 0; i && k < i->ninputs; k++) { /* a stage is not told why an input cannot be read */
            const char *why = input_error(i->input[k]);
            if (*why && !strstr(sentence, why)) text_format(&b->error, "; %s", why);
        }
        b->status = status;
    }
    os_unlock(b->lock);
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

/* ---- Enough ---- */

static int wants_more(const chain *c)
{
    return !c->over || c->live;
}

/* Works out how far events still go in a chain with a stage that has had enough at the place before `over`, and what
   that means for the chain it is a branch of. */
static void settle(chain *c, uint32_t over)
{
    uint32_t live = 0;

    for (uint32_t k = 0; k < over; k++)
        for (uint32_t m = 0; m < c->step[k].nbranches && !c->step[k].merges; m++)
            if (wants_more(c->step[k].branch[m])) live = k + 1;
    c->live = live; /* before `over`, which others may be looking at */
    c->over = over;
    if (live) return;
    if (c->joins)
        c->joins->enough = 1;
    else if (!c->parent)
        c->bus->enough = 1;
    else if (c->parent->over)
        settle(c->parent, c->parent->over);
}

static void had_enough(instance *i)
{
    chain *c = i->chain;

    os_lock(i->bus->lock);
    settle(c, i->at + 1 > c->over ? i->at + 1 : c->over);
    os_unlock(i->bus->lock);
}

int bus_has_enough(const instance *i)
{
    const chain *c = i->chain;
    uint32_t from = i->at + 1;

    if (from < c->over && c->live <= from) return 1;
    return c->joins && i->bus->enough;
}

/* What a call into a stage comes to: an END is noted, an error completed; also one that happened further down. */
static int outcome(instance *i, int rc)
{
    if (i->bus->status) return TW_ERROR;
    if (rc == TW_END) had_enough(i);
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

static int is_given(const instance *i, int preview)
{
    return preview ? i->stage->preview != NULL : i->stage->events != NULL;
}

static const char *const *patterns(const instance *i, int preview)
{
    return preview ? i->stage->preview_wants : i->stage->wants;
}

int instance_looks_at(const instance *i, int preview, const char *type)
{
    return is_given(i, preview) && listed(patterns(i, preview), type);
}

/* Works out the bits of types that were published since. */
static void learn_types(instance *i)
{
    uint32_t count = types_count(i->bus->types);

    for (; i->typed <= count; i->typed++) {
        const char *name = layout_of(types_table(i->bus->types)[i->typed])->full_name;
        for (int preview = 0; preview < 2; preview++) {
            if (!is_given(i, preview) || !patterns(i, preview)) continue;
            if (!i->looks[preview]) i->looks[preview] = mem_new(TW_TYPES / 8);
            if (listed(patterns(i, preview), name)) i->looks[preview][i->typed / 64] |= 1ull << i->typed % 64;
        }
    }
}

static int looks_at(const instance *i, int preview, uint32_t type)
{
    if (!is_given(i, preview)) return 0;
    return !patterns(i, preview) || (i->looks[preview][type / 64] >> type % 64 & 1);
}

/* Is there an event in the batch that the stage looks at? */
static int has_wanted(const instance *i, int preview, const tw_batch *batch)
{
    const uint64_t *bits = i->looks[preview];

    if (!patterns(i, preview)) return 1;
    for (uint32_t k = 0; k < batch->n; k++) {
        uint32_t type = batch->event[k].type;
        if (type < TW_TYPES && bits[type / 64] >> type % 64 & 1) return 1;
    }
    return 0;
}

/* Who asks is told the same again, so the answers are kept: two bits a type for each of the passes. */
int bus_wanted(instance *i, uint32_t type)
{
    enum { KNOWN = 1, YES = 2 };
    bus *b = i->bus;
    int shift = b->previewing ? 2 : 0;

    if (type > types_count(b->types)) return 0;
    if (!i->wanted) i->wanted = mem_new(TW_TYPES);
    if (!(i->wanted[type] >> shift & KNOWN)) {
        int yes = graph_wanted(i, b->previewing, types_table(b->types)[type]);
        i->wanted[type] |= (uint8_t)((KNOWN | (yes ? YES : 0)) << shift);
    }
    return (i->wanted[type] >> shift & YES) != 0;
}

/* Tells a stage of the types it looks at and has not seen. */
static int tell_types(instance *i)
{
    types *all = i->bus->types;

    while (i->told < types_count(all)) {
        uint32_t id = ++i->told;
        if (id >= i->typed) learn_types(i);
        if (!i->stage->type || !(looks_at(i, 0, id) || looks_at(i, 1, id))) continue;
        instance *before = instance_enter(i);
        int rc = i->stage->type(i->state, types_table(all)[id]);
        instance_leave(before);
        if (outcome(i, rc) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

int instance_reads(const instance *i, const tw_table *t)
{
    return (i->stage->rows || i->stage->table) && listed(i->stage->reads, t->name);
}

static int tell_table(instance *i, const tw_table *t)
{
    for (uint32_t k = 0; k < i->nseen; k++)
        if (i->seen[k] == t) return TW_OK;
    i->seen = list_room(i->seen, i->nseen, sizeof(const tw_table *));
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
    uint32_t n;
    const instance **before = graph_before(i, &n);
    int rc = TW_OK;

    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t m = 0; m < before[k]->nblocks && rc == TW_OK; m++) {
            const block *made = &before[k]->block[m];
            if (instance_reads(i, made->table) && !made->used) rc = tell_table(i, made->table);
        }
    }
    free(before);
    return rc;
}

/* ---- Down the chain ---- */

static int give_events(instance *i, tw_batch *batch)
{
    if (tell_types(i) != TW_OK) return TW_ERROR;
    i->sum.events_in += batch->n;
    i->sum.batches++;

    instance *before = instance_enter(i);
    tw_batch *given = i->rules ? rules_lend(i->rules, batch) : batch;
    int rc = i->stage->events(i->state, given);
    if (i->rules) rules_take_back(i->rules, given, batch);
    instance_leave(before);
    if (!instance_kept_room(i, batch->n, batch->cap, "events")) return TW_ERROR;
    i->sum.events_out += batch->n;
    return outcome(i, rc);
}

static int give_preview(instance *i, tw_batch *batch)
{
    if (tell_types(i) != TW_OK) return TW_ERROR;

    instance *before = instance_enter(i);
    tw_batch *given = i->rules ? rules_lend(i->rules, batch) : batch;
    int rc = i->stage->preview(i->state, given);
    if (i->rules) rules_take_back(i->rules, given, batch);
    instance_leave(before);
    return outcome(i, rc == TW_END ? TW_OK : rc); /* it saw enough; others may have not */
}

static int give(instance *i, tw_batch *batch)
{
    int preview = i->bus->previewing;

    if (!is_given(i, preview)) return TW_OK;
    if (i->typed <= types_count(i->bus->types)) learn_types(i); /* the stage before may have published some */
    if (!has_wanted(i, preview, batch)) return TW_OK;
    return preview ? give_preview(i, batch) : give_events(i, batch);
}

static void let_go(void *batch)
{
    batch_let_go(batch);
}

/* Each branch gets headers of its own; what they point to stays the batch's, which the copy holds. */
static int fork_events(const step *s, tw_batch *batch)
{
    int rc = TW_OK;

    for (uint32_t m = 0; m < s->nbranches && rc == TW_OK; m++) {
        chain *c = s->branch[m];
        if (c->bus->previewing) { /* nobody changes anything */
            rc = bus_send(c, 0, batch);
            continue;
        }
        if (!wants_more(c)) continue;
        tw_batch *copy = batch_take(c->bus->pool);
        memcpy(copy->event, batch->event, batch->n * sizeof *copy->event);
        copy->n = batch->n;
        copy->upto = batch->upto;
        batch_hold(batch);
        batch_keep(copy, let_go, batch);
        rc = bus_send(c, 0, copy);
        batch_let_go(copy);
    }
    return rc;
}

int bus_send(chain *c, uint32_t from, tw_batch *batch)
{
    uint32_t end = from < c->over ? c->live : c->n;
    int rc = TW_OK;

    for (uint32_t k = from; k < end && batch->n; k++) {
        const step *s = &c->step[k];
        if (s->border && !c->bus->previewing) return border_put(s->border, batch);
        if (s->stage) rc = give(s->stage, batch);
        if (s->nbranches) rc = fork_events(s, batch);
        if (rc != TW_OK) return TW_ERROR;
    }
    if (c->joins && end == c->n && batch->n) bus_join(c->joins, batch);
    return TW_OK;
}

static int give_rows(instance *i, tw_rows *r)
{
    if (!instance_reads(i, r->table)) return TW_OK;
    if (tell_table(i, r->table) != TW_OK) return TW_ERROR;
    if (!i->stage->rows) return TW_OK;
    i->sum.rows_in += r->n;
    instance *before = instance_enter(i);
    tw_rows *given = i->rules ? rules_lend_rows(r) : r;
    int rc = i->stage->rows(i->state, given);
    if (i->rules) rules_take_back_rows(i->rules, given, r);
    instance_leave(before);
    if (!instance_kept_room(i, r->n, r->cap, "rows")) return TW_ERROR;
    i->sum.rows_out += r->n;
    return outcome(i, rc);
}

/* The branch's own block for copies of rows like r. */
static tw_rows *block_of(chain *c, const tw_rows *r)
{
    for (uint32_t k = 0; k < c->ncopies; k++)
        if (c->copy[k].table == r->table && c->copy[k].rows->cap >= r->n) return c->copy[k].rows;
    c->copy = list_room(c->copy, c->ncopies, sizeof *c->copy);
    c->copy[c->ncopies] = (block){ .table = r->table, .rows = rows_new(r->table, r->cap) };
    return c->copy[c->ncopies++].rows;
}

static int fork_rows(const step *s, const tw_rows *r)
{
    int rc = TW_OK;

    for (uint32_t m = 0; m < s->nbranches && rc == TW_OK; m++) {
        tw_rows *copy = block_of(s->branch[m], r);
        rows_copy(copy, r, 0);
        rc = bus_send_rows(s->branch[m], 0, copy);
        rows_empty(copy);
    }
    return rc;
}

/* Rows go to all stages, also to those that want no more events: most are made of events that came in time. */
int bus_send_rows(chain *c, uint32_t from, tw_rows *r)
{
    int rc = TW_OK;

    for (uint32_t k = from; k < c->n && r->n; k++) {
        const step *s = &c->step[k];
        if (s->border) return border_put_rows(s->border, r);
        if (s->stage) rc = give_rows(s->stage, r);
        if (s->nbranches) rc = fork_rows(s, r);
        if (rc != TW_OK) return TW_ERROR;
    }
    return c->joins && r->n ? bus_send_rows(&c->bus->main, 1, r) : TW_OK;
}

int bus_push(instance *i, block *k)
{
    bus *b = i->bus;
    tw_rows *r = k->rows; /* the list of blocks may move meanwhile, the rows stay */
    int rc = TW_OK;

    if (i->rules) rules_pushes(i->rules, r);
    if (b->status || !instance_kept_room(i, r->n, r->cap, "rows")) return TW_ERROR;
    if (r->n && !b->previewing) { /* what a source finds in a preview it finds again */
        k->used = 1;
        i->sum.rows_out += r->n;
        rc = bus_send_rows(i->chain, i->at + 1, r);
    }
    rows_empty(r);
    return rc;
}

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

/* ---- When nothing moves, and at the end ---- */

int bus_tick(chain *c, uint32_t from)
{
    for (uint32_t k = from; k < c->n && !c->step[k].border; k++) {
        instance *i = c->step[k].stage;
        if (i && i->stage->tick && outcome(i, instance_call(i, i->stage->tick)) != TW_OK) return TW_ERROR;
        for (uint32_t m = 0; m < c->step[k].nbranches; m++)
            if (bus_tick(c->step[k].branch[m], 0) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

static int end_one(instance *i)
{
    int rc = TW_OK;

    if (tell_types(i) != TW_OK || tell_empty_tables(i) != TW_OK) return TW_ERROR;
    if (i->stage->end) rc = outcome(i, instance_call(i, i->stage->end));
    for (uint32_t k = 0; k < i->nblocks && rc == TW_OK; k++) rc = bus_push(i, &i->block[k]);
    return rc;
}

int bus_end_from(chain *c, uint32_t from)
{
    for (uint32_t k = from; k < c->n; k++) {
        const step *s = &c->step[k];
        int rc = TW_OK;
        if (s->border) return border_put_end(s->border);
        if (s->stage) rc = end_one(s->stage);
        for (uint32_t m = 0; m < s->nbranches && rc == TW_OK; m++) rc = bus_end_from(s->branch[m], 0);
        if (rc != TW_OK && !c->bus->interrupted) return TW_ERROR;
    }
    return TW_OK;
}
