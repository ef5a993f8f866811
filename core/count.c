/* count.c - the stage `count`: how many events there are of each sort.

   One idea: memory grows with the groups, never with the events. What names of the type alone decide is looked up
   once for each type, so counting by provider or event is one addition an event. */
#include <math.h>
#include <stdlib.h>

#include "batch.h"
#include "bus.h"
#include "column.h"
#include "key.h"
#include "stock.h"

enum { SORT_COUNT = 0 };

typedef struct group {
    key key;
    uint64_t count;
    int64_t first, last; /* where count is not 0 */
} group;

typedef struct grouping { /* of events of one type */
    group *group;         /* where the type decides it */
    const name *name;     /* else: nby */
} grouping;

typedef struct count {
    tw_self tw;
    const char *const *by; /* options */
    const char *as;
    int sort;
    int64_t n;
    int times, share;
    column *column;
    uint32_t nby;
    tw_value *key; /* of the event at hand */
    keys groups;
    uint64_t events; /* in all groups */
    const grouping *by_type[TW_TYPES];
    arena memory;
} count;

static int count_open(void *self)
{
    count *s = self;

    for (const char *const *b = s->by; *b; b++) s->nby++;
    if (!s->nby)
        return TW_HOST(self)->misuse(self, "count by what? write count { by = { \"provider\", \"event\" } }");
    if (!*s->as) return TW_HOST(self)->misuse(self, "the table needs a name, as in as = \"counts\"");
    if (s->n < 0)
        return TW_HOST(self)->misuse(self, "n is how many groups are shown, 0 for all; it cannot be negative");
    s->column = arena_alloc(&s->memory, s->nby * sizeof *s->column);
    s->key = arena_alloc(&s->memory, s->nby * sizeof *s->key);
    for (uint32_t i = 0; i < s->nby; i++)
        if (column_read(self, s->by[i], &s->column[i]) != TW_OK) return TW_ERROR;
    keys_make(&s->groups, &s->memory, s->nby, sizeof(group));
    return TW_OK;
}

/* ---- Groups ---- */

/* What the names give for this event; e may be NULL where the type decides all. */
static void read_key(count *s, tw_batch *b, const tw_event *e, const name *names)
{
    for (uint32_t i = 0; i < s->nby; i++) {
        tw_value *v = &s->key[i];
        column *c = &s->column[i];
        if (!e)
            *v = names[i].value; /* kind 0 for a name the type lacks */
        else if (name_get(s, b, e, &names[i], v) != TW_OK)
            v->kind = 0;
        if (v->kind && v->kind != c->kind) c->kind = column_kind_of_both(c->kind, v->kind);
        key_normal(v);
    }
}

static const grouping *make_grouping(count *s, uint32_t type)
{
    grouping *p = arena_alloc(&s->memory, sizeof *p);
    name *names = arena_alloc(&s->memory, s->nby * sizeof *names);
    int decided = 1;

    for (uint32_t i = 0; i < s->nby; i++) {
        name *n = &names[i];
        column *c = &s->column[i];
        name_resolve(s->tw.type[type], c->word, n);
        decided &= n->from == NAME_TYPE || n->from == NAME_NONE;
        if (n->from == NAME_NONE) continue;
        if (!c->seen) {
            c->seen = 1;
            c->show = n->show;
            c->field = n->column;
        } else if (!column_agrees(c, n)) {
            c->field = NULL;
        }
    }
    *p = (grouping){ .name = names };
    if (decided) {
        read_key(s, NULL, NULL, names);
        p->group = keys_find(&s->groups, s->key);
    }
    return s->by_type[type] = p;
}

static void add(group *g, uint64_t n, int64_t first, int64_t last)
{
    if (!g->count || first < g->first) g->first = first;
    if (!g->count || last > g->last) g->last = last;
    g->count += n;
}

static int count_events(void *self, tw_batch *b)
{
    count *s = self;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const grouping *p = s->by_type[e->type];
        if (!p) p = make_grouping(s, e->type);
        group *g = p->group;
        if (!g) {
            read_key(s, b, e, p->name);
            g = keys_find(&s->groups, s->key);
        }
        if (!g) return tw_fail(self, "more than %d groups; count by something that differs less", KEYS_MOST);
        add(g, 1, e->time, e->time);
        s->events++;
    }
    return TW_OK;
}

/* ---- The table ---- */

static int by_key(const void *left, const void *right)
{
    return keys_order(&(*(group *const *)left)->key, &(*(group *const *)right)->key);
}

static int by_count(const void *left, const void *right)
{
    const group *a = *(group *const *)left, *b = *(group *const *)right;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : by_key(left, right);
}

/* Groups in their order; all behind the first n are added up in one without keys. Returns how many are left. */
static uint32_t sort_groups(count *s, group **list)
{
    uint32_t n = 0, at = 0;

    for (group *g; (g = keys_next(&s->groups, &at));)
        if (g->count) list[n++] = g; /* types make groups before their events come */
    qsort(list, n, sizeof(group *), by_count);
    uint32_t shown = s->n && s->n < n ? (uint32_t)s->n : n;
    if (s->sort != SORT_COUNT) qsort(list, shown, sizeof(group *), by_key);
    if (shown == n) return n;

    memset(s->key, 0, s->nby * sizeof *s->key);
    group *other = arena_alloc(&s->memory, sizeof *other);
    *other = (group){ .key = { .n = s->nby, .value = s->key } };
    for (uint32_t i = shown; i < n; i++) add(other, list[i]->count, list[i]->first, list[i]->last);
    list[shown] = other;
    return shown + 1;
}

/* Percent, to a tenth. */
static double share_of(const count *s, const group *g)
{
    return floor(1000.0 * (double)g->count / (double)s->events + 0.5) / 10;
}

static void put_group(count *s, tw_rows *r, const group *g)
{
    uint32_t row = r->n++, c = 0;

    for (; c < s->nby; c++) column_put(r, c, row, g->key.value[c].kind ? &g->key.value[c] : NULL, s->column[c].field);
    ((uint64_t *)r->col[c++])[row] = g->count;
    if (s->share) ((double *)r->col[c++])[row] = share_of(s, g);
    if (!s->times) return;
    ((int64_t *)r->col[c++])[row] = g->first;
    ((int64_t *)r->col[c++])[row] = g->last;
}

static int count_end(void *self)
{
    static const tw_field number = { .name = "count", .help = "events", .kind = TW_U64 };
    static const tw_field share = { .name = "share", .help = "of all events, in percent", .kind = TW_F64 };
    static const tw_field first = { .name = "first", .help = "time of the first of them", .kind = TW_TIME };
    static const tw_field last = { .name = "last", .help = "time of the last of them", .kind = TW_TIME };
    tw_field more[4] = { number };
    uint32_t nmore = 1;
    count *s = self;
    const tw_table *t;
    int rc = TW_OK;

    if (s->share) more[nmore++] = share;
    if (s->times) {
        more[nmore++] = first;
        more[nmore++] = last;
    }
    column_remark(s, s->column, s->nby);
    if (column_table(s, s->as, "How many events there are of each sort", s->column, s->nby, more, nmore, &t) != TW_OK)
        return TW_ERROR;
    tw_rows *r = TW_HOST(s)->table(s, t);
    group **list = mem_new((s->groups.n + 1) * sizeof(group *));
    uint32_t n = sort_groups(s, list);
    for (uint32_t i = 0; i < n && rc == TW_OK; i++) {
        put_group(s, r, list[i]);
        if (r->n == r->cap) rc = TW_HOST(s)->push(s, r);
    }
    free(list);
    return rc;
}

static void count_close(void *self)
{
    count *s = self;
    keys_free(&s->groups);
    arena_free(&s->memory);
}

static const tw_option options[] = {
    { "by", NULL, "names to count by: { \"provider\", \"event\" }, { \"process=pid\" }; new=old renames", TW_OPT_LIST,
      offsetof(count, by) },
    { "as", "counts", "name of the table: as = \"by_process\"", TW_OPT_TEXT, offsetof(count, as) },
    { "sort", "count", "count|key: largest first, or in the order of what is counted by: sort = \"key\"",
      TW_OPT_CHOICE, offsetof(count, sort) },
    { "n", "0", "only the n largest, all others in one row without names: n = 20; 0 for all", TW_OPT_INT,
      offsetof(count, n) },
    { "share", "false", "a column for the part of all events, in percent: share = true", TW_OPT_BOOL,
      offsetof(count, share) },
    { "times", "false", "columns for the times of the first and the last event: times = true", TW_OPT_BOOL,
      offsetof(count, times) },
    { 0 },
};

const tw_stage count_stage = {
    .size = sizeof(tw_stage),
    .name = "count",
    .help = "Count events by names; they go on as well: count { by = { \"provider\", \"event\" }, n = 20 }",
    .state = sizeof(count),
    .options = options,
    .events = count_events,
    .open = count_open,
    .end = count_end,
    .close = count_close,
};
