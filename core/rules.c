/* rules.c - the checker of the rules that tw_plugin.h sets for stages; see rules.h. */
#include "rules.h"

#include <inttypes.h>
#include <stdlib.h>

#include "batch.h"
#include "guard.h"
#include "input.h"
#include "rules_inside.h"

enum { BEHIND = 4 * sizeof(tw_event) /* bytes behind the room of a copy, which nobody may write */ };

void rules_broken(const rules *r, int rule, const char *format, ...)
{
    text fact = { 0 };
    va_list args;

    text_format(&fact, "rule %d: ", rule);
    va_start(args, format);
    text_format_list(&fact, format, args);
    va_end(args);
    bus_fail(r->of->bus, 1, r->of, text_of(&fact));
    text_free(&fact);
}

rules *rules_new(instance *i)
{
    rules *r = mem_new(sizeof *r);

    guard_fills = 1;
    r->of = i;
    atomic_init(&r->inside, 0);
    r->last = r->promised = INT64_MIN;
    r->count = mem_new((i->ncounters + HOST_COUNTERS) * sizeof *r->count);
    return r;
}

/* ---- Spoilt copies ---- */

static void look_at_aside(const rules *r, const aside *a)
{
    UNGUARD(a->at, a->bytes);
    if (a->at && !guard_is_filled(a->at, a->bytes))
        rules_broken(r, 2, "wrote into what it was given when the call was over");
}

void rules_spoil(rules *r, void *at, size_t bytes)
{
    aside *oldest = &r->aside[r->next++ % RULES_ASIDE];

    look_at_aside(r, oldest);
    free(oldest->at);
    *oldest = (aside){ at, bytes };
    GUARD(at, bytes);
}

/* Where the address sanitizer watches, it has stopped whoever wrote there. */
static void look_at_all_aside(const rules *r)
{
#ifndef GUARD_ACTIVE
    for (uint32_t k = 0; k < RULES_ASIDE; k++) look_at_aside(r, &r->aside[k]);
#else
    (void)r;
#endif
}

void rules_free(rules *r)
{
    if (!r) return;
    for (uint32_t k = 0; k < RULES_ASIDE; k++) {
        UNGUARD(r->aside[k].at, r->aside[k].bytes);
        free(r->aside[k].at);
    }
    for (uint32_t k = 0; k < r->nown; k++) {
        free(r->own[k].col);
        free(r->own[k].null);
    }
    free(r->own);
    free(r->count);
    free(r->before);
    free(r->sum);
    free(r);
}

/* ---- Calls ---- */

void rules_enter(rules *r)
{
    const instance *i = r->of;

    if (atomic_fetch_add(&r->inside, 1)) rules_broken(r, 1, "entered a second time while a call is going on");
    memcpy(r->count, i->count, (i->ncounters + HOST_COUNTERS) * sizeof *r->count);
}

static void check_counters(const rules *r)
{
    const instance *i = r->of;

    for (uint32_t k = 0; k < i->ncounters; k++) {
        if (i->count[k] >= r->count[k]) continue;
        rules_broken(r, 4, "its counter '%s' went down from %" PRIu64 " to %" PRIu64, i->stage->counters[k].name,
                     r->count[k], i->count[k]);
    }
    if (i->count[i->ncounters + COUNT_OUT_OF_ORDER] != r->count[i->ncounters + COUNT_OUT_OF_ORDER])
        rules_broken(r, 4, "counts with a number behind those of its %" PRIu32 " counters", i->ncounters);
}

void rules_leave(rules *r)
{
    if (!r->starts_again) check_counters(r);
    r->starts_again = 0;
    look_at_all_aside(r);
    atomic_fetch_sub(&r->inside, 1);
}

void rules_calls(rules *r, const char *function)
{
    if (bus_inside() != r->of) rules_broken(r, 1, "'%s' was called for it from a thread that is not in it", function);
}

void rules_starts_again(rules *r)
{
    r->starts_again = 1;
    r->last = r->promised = INT64_MIN;
}

void rules_closes(rules *r)
{
    r->closes = 1;
}

/* ---- What events point at ---- */

static uint64_t sum_of(const uint8_t *at, uint32_t n)
{
    uint64_t h = n;

    for (uint32_t i = 0; i < n; i++) h = (h ^ at[i]) * UINT64_C(0x100000001B3);
    return h;
}

/* The payload of the k-th event is there at all. */
static int is_there(const rules *r, const tw_event *e, uint32_t k)
{
    if (!e->bytes) return 1;
    if (!e->data) {
        rules_broken(r, 2, "event %" PRIu32 " of its batch has %" PRIu32 " bytes of payload, but no address", k,
                     e->bytes);
    } else if (guard_is_gone(e->data, e->bytes)) {
        rules_broken(r, 2, "the payload of event %" PRIu32 " of its batch lies in memory that was given back", k);
    } else {
        return 1;
    }
    return 0;
}

typedef struct place {
    const void *at;
    size_t n;
    uint32_t looked, first; /* of what the batch keeps, newest first: how many were looked at, are the stage's */
    int found;
} place;

/* What the stage had the batch keep: a window shows what it holds; of anything else only the stage knows the extent. */
static int is_kept(void *context, void (*release)(void *), void *arg)
{
    place *p = context;

    if (p->looked++ == p->first) return 1;
    p->found = release != input_unmap || input_shows(arg, p->at, p->n);
    return p->found;
}

static int count_kept(void *context, void (*release)(void *), void *arg)
{
    (void)release;
    (void)arg;
    ++*(uint32_t *)context;
    return 0;
}

static uint32_t kept_by(const tw_batch *b)
{
    uint32_t n = 0;

    batch_kept(b, count_kept, &n);
    return n;
}

/* In the batch's arena, or in what it keeps since it was lent? */
static int batch_has(const rules *r, const tw_batch *b, const void *at, size_t n)
{
    place p = { .at = at, .n = n, .first = kept_by(b) - r->kept };

    if (arena_holds(batch_memory((tw_batch *)b), at, n)) return 1;
    batch_kept(b, is_kept, &p);
    return p.found;
}

static int lies_in(const void *at, size_t n, const tw_event *e)
{
    uintptr_t from = (uintptr_t)at, begin = (uintptr_t)e->data;
    return from >= begin && from - begin <= e->bytes && n <= e->bytes - (from - begin);
}

/* The events that were lent, searched from the one found last: a stage leaves most of them in their order. */
static int was_there(const rules *r, const tw_event *e, uint32_t *from)
{
    for (uint32_t k = 0; k < r->nbefore; k++) {
        uint32_t at = (*from + k) % r->nbefore;
        const tw_event *old = &r->before[at];
        int data = e->bytes == 0 || lies_in(e->data, e->bytes, old);
        int record = !e->record || e->record == old->record || lies_in(e->record, 1, old);
        if (!data || !record) continue;
        *from = at;
        return 1;
    }
    return 0;
}

/* What a stage points an event at is in the batch's arena, or was pointed at before. */
static int is_its_own(const rules *r, const tw_batch *b, uint32_t k, uint32_t *from)
{
    const tw_event *e = &b->event[k];

    if (was_there(r, e, from)) return 1;
    int data = !e->bytes || batch_has(r, b, e->data, e->bytes);
    int record = !e->record || batch_has(r, b, e->record, 1);
    for (uint32_t n = 0; n < r->nbefore && !(data && record); n++) { /* the one new, the other old */
        data = data || lies_in(e->data, e->bytes, &r->before[n]);
        record = record || e->record == r->before[n].record || lies_in(e->record, 1, &r->before[n]);
    }
    if (data && record) return 1;
    rules_broken(r, 2,
                 "the %s of event %" PRIu32 " of its batch is neither in the batch's arena nor where an event of it "
                 "pointed before",
                 data ? "record" : "payload", k);
    return 0;
}

/* ---- What a source's payload comes to until its batch is done with ---- */

typedef struct witness {
    const rules *rules;
    uint32_t n;
    tw_event *event; /* as they left the source */
    uint64_t *sum;
} witness;

/* The batch is let go: last of all, so what it keeps is still there. */
static void hear(void *context)
{
    witness *w = context;

    for (uint32_t k = 0; k < w->n && !w->rules->closes; k++) {
        const tw_event *e = &w->event[k];
        if (guard_is_gone(e->data, e->bytes) || sum_of(e->data, e->bytes) != w->sum[k]) {
            rules_broken(w->rules, 2,
                         "the payload of event %" PRIu32 " of its batch changed or went before the batch was "
                         "done with",
                         k);
            break;
        }
    }
    free(w->event);
    free(w->sum);
    free(w);
}

static void call_witness(const rules *r, tw_batch *b)
{
    witness *w = mem_new(sizeof *w);

    *w = (witness){ r, b->n, mem_new(b->n * sizeof *w->event + 1), mem_new(b->n * sizeof *w->sum + 1) };
    memcpy(w->event, b->event, b->n * sizeof *w->event);
    for (uint32_t k = 0; k < b->n; k++) w->sum[k] = sum_of(b->event[k].data, b->event[k].bytes);
    batch_keep(b, hear, w);
}

/* ---- Order, types and payloads of what goes on ---- */

/* An unordered source may step back in its batch; the host sorts. */
static int is_in_order(rules *r, const tw_batch *b)
{
    int unordered = r->of->stage->flags & TW_UNORDERED;

    for (uint32_t k = 0; k < b->n; k++) {
        int64_t time = b->event[k].time;
        if (time < r->last && !unordered) {
            rules_broken(r, 2, "event %" PRIu32 " of its batch lies %" PRIu64 " ns before the one before it", k,
                         (uint64_t)r->last - (uint64_t)time);
            return 0;
        }
        if (time < r->promised) {
            rules_broken(r, 2, "event %" PRIu32 " of its batch lies %" PRIu64 " ns before what it promised as `upto`",
                         k, (uint64_t)r->promised - (uint64_t)time);
            return 0;
        }
        r->last = time;
    }
    if (b->upto > r->promised) r->promised = b->upto;
    return 1;
}

static int has_types(const rules *r, const tw_batch *b)
{
    uint32_t count = types_count(r->of->bus->types);

    for (uint32_t k = 0; k < b->n; k++) {
        if (b->event[k].type <= count) continue;
        rules_broken(
            r, 5, "event %" PRIu32 " of its batch is of type %" PRIu32 ", but only %" PRIu32 " types are published",
            k, b->event[k].type, count);
        return 0;
    }
    return 1;
}

static void check_sent(rules *r, const tw_batch *b, int from_source)
{
    uint32_t from = 0;

    if (!has_types(r, b) || !is_in_order(r, b)) return;
    for (uint32_t k = 0; k < b->n; k++)
        if (!is_there(r, &b->event[k], k) || (!from_source && !is_its_own(r, b, k, &from))) return;
}

/* ---- What a stage did to a batch ---- */

static int looks_at(rules *r, uint32_t type)
{
    const char *const *wants = r->of->stage->wants;
    text name = { 0 };

    if (!wants) return 1;
    if (!r->looks[type]) {
        const tw_type *t = types_table(r->of->bus->types)[type];
        text_format(&name, "%s/%s", t->provider, t->name);
        r->looks[type] = 2;
        for (; *wants; wants++)
            if (text_fits(*wants, text_of(&name))) r->looks[type] = 1;
        text_free(&name);
    }
    return r->looks[type] == 1;
}

/* The next event from there on that the stage does not look at; or n. */
static uint32_t next_unseen(rules *r, const tw_event *e, uint32_t from, uint32_t n)
{
    while (from < n && looks_at(r, e[from].type)) from++;
    return from;
}

/* Those that it does not look at are the same, in the same order. */
static void check_unseen(rules *r, const tw_batch *b)
{
    uint32_t old = 0, now = 0;

    if (!r->of->stage->wants || !has_types(r, b)) return;
    for (;; old++, now++) {
        old = next_unseen(r, r->before, old, r->nbefore);
        now = next_unseen(r, b->event, now, b->n);
        if (old == r->nbefore || now == b->n) break;
        if (memcmp(&r->before[old], &b->event[now], sizeof(tw_event)) != 0) break;
    }
    if (old < r->nbefore || now < b->n)
        rules_broken(r, 3, "changed event %" PRIu32 " of the batch, which by its `wants` it does not look at", old);
}

static void check_payloads(const rules *r)
{
    for (uint32_t k = 0; k < r->nbefore; k++) {
        if (sum_of(r->before[k].data, r->before[k].bytes) == r->sum[k]) continue;
        rules_broken(r, 2, "wrote into the payload of event %" PRIu32 " of the batch, which is read-only", k);
        return;
    }
}

static void check_preview(const rules *r, const tw_batch *b)
{
    if (b->n == r->nbefore && !memcmp(b->event, r->before, b->n * sizeof *b->event)) return;
    rules_broken(r, 2, "changed the batch in a preview, where it may only look");
}

static void remember(rules *r, const tw_batch *b)
{
    if (r->room < b->cap) {
        r->room = b->cap;
        r->before = mem_grow(r->before, r->room * sizeof *r->before);
        r->sum = mem_grow(r->sum, r->room * sizeof *r->sum);
    }
    r->nbefore = b->n;
    r->kept = kept_by(b);
    if (b->n) memcpy(r->before, b->event, b->n * sizeof *b->event);
    for (uint32_t k = 0; k < b->n; k++) r->sum[k] = sum_of(b->event[k].data, b->event[k].bytes);
}

typedef struct lent {
    tw_batch batch;
    tw_event event[];
} lent;

static size_t lent_bytes(uint32_t cap)
{
    return sizeof(lent) + cap * sizeof(tw_event) + BEHIND;
}

tw_batch *rules_lend(rules *r, const tw_batch *b)
{
    lent *l = mem_grow(NULL, lent_bytes(b->cap));

    remember(r, b);
    l->batch = *b;
    l->batch.event = l->event;
    memcpy(l->event, b->event, b->n * sizeof *b->event);
    guard_fill(l->event + b->cap, BEHIND);
    return &l->batch;
}

void rules_take_back(rules *r, tw_batch *given, tw_batch *b)
{
    lent *l = (lent *)given;
    const tw_stage *s = r->of->stage;

    if (given->event != l->event || given->cap != b->cap || given->host != b->host)
        rules_broken(r, 2, "changed the batch's `event`, `cap` or `host`, which are the host's");
    else if (given->n > b->cap)
        rules_broken(r, 2, "left %" PRIu32 " events in a batch with room for %" PRIu32, given->n, b->cap);
    else if (!guard_is_filled(l->event + b->cap, BEHIND))
        rules_broken(r, 2, "wrote events behind the room of its batch, which is for %" PRIu32, b->cap);
    b->n = given->n < b->cap ? given->n : b->cap;
    b->upto = given->upto;
    memcpy(b->event, l->event, b->n * sizeof *b->event);
    rules_spoil(r, l, lent_bytes(b->cap));
    if (r->of->bus->status) return;
    check_payloads(r);
    if (!s->read && r->of->bus->previewing) {
        check_preview(r, b);
        return;
    }
    check_unseen(r, b);
    if (!r->of->bus->status) check_sent(r, b, s->read != NULL);
    if (s->read && !r->of->bus->status) call_witness(r, b);
}

void rules_emits(rules *r, const tw_batch *b)
{
    uint32_t lent = r->nbefore, kept = r->kept;

    r->nbefore = r->kept = 0; /* its payloads are to live as long as this batch, not as the one it is in */
    check_sent(r, b, 0);
    r->nbefore = lent;
    r->kept = kept;
}
