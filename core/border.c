/* border.c - a place where a chain goes on on another thread.

   One idea: what comes to it is handed over whole through a bounded ring and in order, the end too, so the thread behind
   it does just what the one before would have done. Who comes to a full ring waits: that is how the back-pressure of
   the bus gets across. Only `shed` makes an exception, where it would be the recording that waits.

   Batches go over as they are. Rows are copied with all they point to, as the one who made them uses his block again. */
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "ring.h"
#include "stock.h"

enum { EVENTS, ROWS, END }; /* what is in the ring */

enum {
    WAIT = 10000000, /* ns until a waiting side looks around */
    MOST_WAITING = 65536,
    MOST_CLASSES = 250
};

typedef struct words { /* options, as for a stage */
    tw_self tw;
    int64_t size;
    const char *const *shed;
} words;

struct border {
    bus *bus;
    chain *chain;
    uint32_t at; /* its place there */
    ring *ring;
    uint32_t size;
    os_thread *thread;
    os_mutex *lock;
    tw_rows **idle; /* blocks that were read and can be used again */
    uint32_t nidle;

    const char *const *shed; /* patterns of classes, the first to go first */
    uint32_t nclasses;
    uint32_t dropping; /* so many of the classes are dropped at present */
    uint64_t *dropped; /* events, by class */
    uint8_t *class;    /* by type: 1 + the first class it is in; 0: none */
    uint32_t classed;  /* types below this id have theirs */
};

/* ---- Made and gone ---- */

static const tw_option options[] = {
    { "size", "8", "how many batches may wait between the two threads: 1 to 65536", TW_OPT_INT,
      offsetof(words, size) },
    { "shed", "", "events that may be dropped behind a live source when the ring is full, the first ones first",
      TW_OPT_LIST, offsetof(words, shed) },
    { 0 },
};

static const tw_stage word = {
    .size = sizeof(tw_stage), .name = "thread", .state = sizeof(words), .options = options
};

/* Reads the options; *why says what is wrong. */
static int read_words(bus *b, const spec *s, words *w, text *why)
{
    option_files none = { 0 };
    int failed;

    if (option_fill(&word, w, s->set, s->n, &b->memory, &none, why, &failed) != TW_OK) return TW_ERROR;
    uint32_t n = 0;
    while (w->shed && w->shed[n]) n++;
    if (w->size < 1 || w->size > MOST_WAITING)
        text_format(why, "size is how many batches may wait, 1 to %d, not %lld", MOST_WAITING, (long long)w->size);
    else if (n > MOST_CLASSES)
        text_format(why, "shed has %u patterns; %d are possible", (unsigned)n, MOST_CLASSES);
    return why->n ? TW_ERROR : TW_OK;
}

border *border_new(chain *c, const spec *s)
{
    bus *b = c->bus;
    words w = { 0 };
    text why = { 0 };

    if (read_words(b, s, &w, &why) != TW_OK) {
        const instance at = { .bus = b, .name = s->stage, .place = s->place };
        bus_fail(b, 2, &at, text_of(&why));
        text_free(&why);
        return NULL;
    }
    border *d = mem_new(sizeof *d);
    d->bus = b;
    d->chain = c;
    d->at = c->n - 1;
    d->size = (uint32_t)w.size;
    d->ring = ring_new(d->size);
    d->lock = os_mutex_new();
    d->shed = w.shed;
    while (w.shed && w.shed[d->nclasses]) d->nclasses++;
    if (d->nclasses) {
        d->dropped = mem_new(d->nclasses * sizeof *d->dropped);
        d->class = mem_new(TW_TYPES);
    }
    return d;
}

static void forget(ring_item item)
{
    if (item.kind == EVENTS) batch_let_go(item.what);
    if (item.kind == ROWS) rows_free(item.what);
}

void border_free(border *d)
{
    ring_item item;

    while (ring_take(d->ring, &item, 0)) forget(item);
    ring_free(d->ring);
    for (uint32_t k = 0; k < d->nidle; k++) rows_free(d->idle[k]);
    free(d->idle);
    os_mutex_free(d->lock);
    free(d->dropped);
    free(d->class);
    free(d);
}

int border_sheds(const border *d)
{
    return d->nclasses > 0;
}

/* ---- Before the border ---- */

/* Waits for room, for as long as the run goes on; who is behind comes to each item in time, also after Ctrl-C. */
static int hand_over(border *d, int kind, void *what)
{
    const ring_item item = { kind, what };

    while (!d->bus->status)
        if (ring_put(d->ring, item, kind == END, WAIT)) return TW_OK;
    forget(item);
    return TW_ERROR;
}

static void classify(border *d)
{
    types *all = d->bus->types;

    for (uint32_t count = types_count(all); d->classed <= count; d->classed++) {
        for (uint32_t k = d->nclasses; k-- > 0;) {
            const char *const one[] = { d->shed[k], NULL };
            if (stock_fits(types_table(all)[d->classed], one)) d->class[d->classed] = (uint8_t)(k + 1);
        }
    }
}

/* One class more is dropped whenever the ring is found to be more than three quarters full; all are let through again
   when it is less than one quarter full. */
static void drop_classes(border *d, tw_batch *batch)
{
    uint32_t waiting = ring_count(d->ring), kept = 0;

    if (waiting * 4ull < d->size) d->dropping = 0;
    if (waiting * 4ull > d->size * 3ull && d->dropping < d->nclasses) d->dropping++;
    if (!d->dropping) return;
    classify(d);
    for (uint32_t k = 0; k < batch->n; k++) {
        uint32_t type = batch->event[k].type;
        uint32_t class = type < d->classed ? d->class[type] : 0;
        if (class && class <= d->dropping)
            d->dropped[class - 1]++;
        else
            batch->event[kept++] = batch->event[k];
    }
    batch->n = kept;
}

int border_put(border *d, tw_batch *batch)
{
    if (d->nclasses) drop_classes(d, batch);
    if (!batch->n) return TW_OK;
    batch_hold(batch);
    return hand_over(d, EVENTS, batch);
}

/* An empty block like r. */
static tw_rows *take_block(border *d, const tw_rows *r)
{
    tw_rows *found = NULL;

    os_lock(d->lock);
    for (uint32_t k = 0; k < d->nidle && !found; k++) {
        if (d->idle[k]->table != r->table || d->idle[k]->cap < r->n) continue;
        found = d->idle[k];
        d->idle[k] = d->idle[--d->nidle];
    }
    os_unlock(d->lock);
    return found ? found : rows_new(r->table, r->cap);
}

int border_put_rows(border *d, const tw_rows *r)
{
    tw_rows *copy = take_block(d, r);

    rows_copy(copy, r, 1);
    return hand_over(d, ROWS, copy);
}

int border_put_end(border *d)
{
    return hand_over(d, END, NULL);
}

/* ---- Behind the border ---- */

static void give_back(border *d, tw_rows *r)
{
    rows_empty(r);
    os_lock(d->lock);
    d->idle = list_room(d->idle, d->nidle, sizeof(tw_rows *));
    d->idle[d->nidle++] = r;
    os_unlock(d->lock);
}

static void pass_on(border *d, ring_item item)
{
    if (item.kind == EVENTS) {
        if (!d->bus->interrupted) bus_send(d->chain, d->at + 1, item.what); /* else only what is done is finished */
        batch_let_go(item.what);
    } else {
        bus_send_rows(d->chain, d->at + 1, item.what);
        give_back(d, item.what);
    }
}

static void work(void *context)
{
    border *d = context;
    ring_item item;

    bus_helps();
    while (!d->bus->status) {
        if (!ring_take(d->ring, &item, WAIT)) {
            bus_tick(d->chain, d->at + 1);
        } else if (item.kind == END) {
            bus_end_from(d->chain, d->at + 1);
            return;
        } else {
            pass_on(d, item);
        }
    }
}

int border_start(border *d)
{
    text why = { 0 };

    if (os_thread_start(work, d, &d->thread, &why) == TW_OK) return TW_OK;
    text fact = { 0 };
    text_format(&fact, "a thread cannot be started: %s", text_of(&why));
    bus_fail(d->bus, 1, NULL, text_of(&fact));
    text_free(&fact);
    text_free(&why);
    return TW_ERROR;
}

void border_join(border *d)
{
    os_thread_join(d->thread);
    d->thread = NULL;
}

/* ---- Afterwards ---- */

void border_report(const border *d, report *r)
{
    for (uint32_t k = 0; k < d->nclasses; k++) {
        report_counter c = { .stage = "thread", .severity = TW_WARNING, .count = d->dropped[k] };
        text name = { 0 };
        text_format(&name, "shed %s", d->shed[k]);
        c.name = report_keep(r, &name);
        c.help = "events dropped as what follows was too slow";
        r->counter = mem_grow(r->counter, (r->ncounters + 1) * sizeof *r->counter);
        r->counter[r->ncounters++] = c;
    }
}
