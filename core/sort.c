/* sort.c - time order out of a source that steps back, or out of several sources.

   One idea: what a recording gives is nearly sorted, as many long runs side by side. Runs that follow one another in
   time form a chain; a heap holds the chains by their first event, and events leave in stretches: from the earliest
   chain as far as the next chain's first event.

   Every run has a number, of its source first and then in order of arrival, and (time, number) decides; so equal times
   keep the order in which they came. Inside a chain both only grow, which makes the merge a stable sort. */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

enum {
    RUNS_A_BATCH = 8,     /* a batch with more runs is sorted by itself first */
    CHAINS_SEARCHED = 256 /* when a place for a run is sought; more chains than this are disorder, not CPUs */
};

typedef struct run {
    struct run *next; /* in its chain, or in the free list */
    tw_batch *batch;  /* held */
    const tw_event *at, *end;
    uint64_t number;
    uint64_t kept_by; /* number of the output batch that last held `batch` for this run */
} run;

typedef struct chain {
    struct chain *next; /* in the free list */
    run *first, *last;
    int64_t tail; /* time of the last event */
} chain;

typedef struct head {
    int64_t time;
    uint64_t number;
    chain *chain;
} head;

struct sorter {
    batch_pool *pool;
    head *heap;
    uint32_t n, room;
    run *free_runs;
    chain *free_chains;
    tw_event *scratch; /* pool's cap events, once a batch had to be sorted */
    uint32_t scratch_room;
    uint64_t runs, batches; /* numbers given so far */
    uint64_t held, late;
    int64_t last; /* time of the last event that went out */
};

sorter *sorter_new(batch_pool *out)
{
    sorter *s = mem_new(sizeof *s);
    s->pool = out;
    s->last = INT64_MIN;
    return s;
}

void sorter_free(sorter *s)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->n; i++) {
        for (run *r = s->heap[i].chain->first, *next; r; r = next) {
            next = r->next;
            batch_let_go(r->batch);
            free(r);
        }
        free(s->heap[i].chain);
    }
    for (run *r = s->free_runs, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    for (chain *c = s->free_chains, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(s->heap);
    free(s->scratch);
    free(s);
}

uint64_t sorter_late(const sorter *s)
{
    return s->late;
}

uint64_t sorter_held(const sorter *s)
{
    return s->held;
}

/* ---- The heap ---- */

static int before(const head *a, const head *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void sift_up(sorter *s, uint32_t at, head h)
{
    while (at > 0 && before(&h, &s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = h;
}

static void sift_down(sorter *s, head h)
{
    uint32_t at = 0;

    for (uint32_t child = 1; child < s->n; child = 2 * at + 1) {
        if (child + 1 < s->n && before(&s->heap[child + 1], &s->heap[child])) child++;
        if (!before(&s->heap[child], &h)) break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = h;
}

static void add_chain(sorter *s, chain *c)
{
    if (s->n == s->room) {
        s->room = s->room ? s->room * 2 : 16;
        s->heap = mem_grow(s->heap, s->room * sizeof *s->heap);
    }
    sift_up(s, s->n++, (head){ c->first->at->time, c->first->number, c });
}

/* ---- In ---- */

/* The chain that ends latest, yet not after `time` nor with a later number; or NULL. */
static chain *chain_ending_by(const sorter *s, int64_t time, uint64_t number)
{
    uint32_t n = s->n < CHAINS_SEARCHED ? s->n : CHAINS_SEARCHED;
    chain *best = NULL;

    for (uint32_t i = 0; i < n; i++) {
        chain *c = s->heap[i].chain;
        if (c->tail <= time && c->last->number < number && (!best || c->tail > best->tail)) best = c;
    }
    return best;
}

static void add_run(sorter *s, tw_batch *b, uint32_t source, const tw_event *from, const tw_event *end)
{
    run *r = s->free_runs;
    if (r)
        s->free_runs = r->next;
    else
        r = mem_grow(NULL, sizeof *r);
    batch_hold(b);
    *r = (run){ .batch = b, .at = from, .end = end, .number = (uint64_t)source << 48 | ++s->runs };

    chain *c = chain_ending_by(s, from->time, r->number);
    if (c) {
        c->last->next = r;
        c->last = r;
        c->tail = end[-1].time;
        return;
    }
    c = s->free_chains;
    if (c)
        s->free_chains = c->next;
    else
        c = mem_grow(NULL, sizeof *c);
    *c = (chain){ .first = r, .last = r, .tail = end[-1].time };
    add_chain(s, c);
}

static const tw_event *run_end(const tw_event *from, const tw_event *end)
{
    const tw_event *e = from + 1;
    while (e < end && e->time >= e[-1].time) e++;
    return e;
}

static uint32_t count_runs(const tw_batch *b)
{
    uint32_t runs = 1;
    for (uint32_t i = 1; i < b->n; i++) runs += b->event[i].time < b->event[i - 1].time;
    return runs;
}

/* Merges the runs of `from` two by two into `to`; how many are left. */
static uint32_t merge_pairs(const tw_event *from, tw_event *to, uint32_t n)
{
    const tw_event *end = from + n;
    uint32_t runs = 0;

    while (from < end) {
        const tw_event *a = from, *a_end = run_end(a, end);
        const tw_event *b = a_end, *b_end = b < end ? run_end(b, end) : b;
        while (a < a_end && b < b_end) *to++ = b->time < a->time ? *b++ : *a++;
        while (a < a_end) *to++ = *a++;
        while (b < b_end) *to++ = *b++;
        from = b_end;
        runs++;
    }
    return runs;
}

/* A stable sort of one batch: at most log2(n) passes, each of which halves the number of runs. */
static void sort_batch(sorter *s, tw_batch *b)
{
    if (s->scratch_room < b->n) {
        s->scratch_room = b->cap;
        s->scratch = mem_grow(s->scratch, s->scratch_room * sizeof *s->scratch);
    }
    do memcpy(s->scratch, b->event, b->n * sizeof *b->event);
    while (merge_pairs(s->scratch, b->event, b->n) > 1);
}

void sorter_add(sorter *s, tw_batch *b, uint32_t source)
{
    const tw_event *at = b->event, *end = b->event + b->n;

    if (b->n && count_runs(b) > RUNS_A_BATCH) sort_batch(s, b);
    while (at < end) {
        const tw_event *next = run_end(at, end);
        add_run(s, b, source, at, next);
        at = next;
    }
    s->held += b->n;
    batch_let_go(b); /* from here on its runs hold it */
}

/* ---- Out ---- */

static void let_go(void *b)
{
    batch_let_go(b);
}

/* The last time at which the first chain may still go out: before `upto`, and before the next chain's first event. */
static int64_t bound_of(const sorter *s, int64_t upto)
{
    int64_t bound = upto == INT64_MAX ? upto : upto - 1;
    if (s->n < 2) return bound;
    const head *next = &s->heap[1];
    if (s->n > 2 && before(&s->heap[2], next)) next = &s->heap[2];
    /* No overflow: where the first one's number is greater, its time is smaller. */
    int64_t before_next = s->heap[0].number < next->number ? next->time : next->time - 1;
    return before_next < bound ? before_next : bound;
}

/* Moves late events up to what already went out. */
static void mend(sorter *s, tw_event *e, const tw_event *end)
{
    for (; e < end && e->time < s->last; e++) {
        e->time = s->last;
        s->late++;
    }
}

static void drop_run(sorter *s, chain *c)
{
    run *r = c->first;

    c->first = r->next;
    batch_let_go(r->batch);
    r->next = s->free_runs;
    s->free_runs = r;
}

/* After the first chain gave some of its events: its new place. */
static void settle(sorter *s)
{
    chain *c = s->heap[0].chain;

    if (c->first->at == c->first->end) drop_run(s, c);
    if (c->first) {
        sift_down(s, (head){ c->first->at->time, c->first->number, c });
        return;
    }
    c->next = s->free_chains;
    s->free_chains = c;
    if (--s->n) sift_down(s, s->heap[s->n]);
}

/* One stretch of the first chain's first run into `out`, which has room. */
static void take_stretch(sorter *s, tw_batch *out, int64_t upto)
{
    run *r = s->heap[0].chain->first;
    int64_t bound = bound_of(s, upto);
    uint32_t room = out->cap - out->n;
    const tw_event *end = r->end - r->at > (ptrdiff_t)room ? r->at + room : r->end;
    tw_event *to = &out->event[out->n], *first = to;

    if (end[-1].time <= bound) {
        memcpy(to, r->at, (size_t)(end - r->at) * sizeof *to);
        to += end - r->at;
        r->at = end;
    } else {
        while (r->at->time <= bound) *to++ = *r->at++;
    }
    mend(s, first, to);
    s->last = to[-1].time;
    s->held -= (uint64_t)(to - first);
    out->n += (uint32_t)(to - first);
    if (r->kept_by != s->batches) {
        r->kept_by = s->batches;
        batch_hold(r->batch);
        batch_keep(out, let_go, r->batch);
    }
    settle(s);
}

tw_batch *sorter_next(sorter *s, int64_t upto)
{
    if (!s->n || (s->heap[0].time >= upto && upto != INT64_MAX)) return NULL;

    tw_batch *out = batch_take(s->pool);
    s->batches++;
    while (s->n && out->n < out->cap && (s->heap[0].time < upto || upto == INT64_MAX)) take_stretch(s, out, upto);
    out->upto = s->n && s->heap[0].time < upto ? s->heap[0].time : upto;
    if (out->upto < s->last) out->upto = s->last; /* a late event still held will leave at that time */
    return out;
}
