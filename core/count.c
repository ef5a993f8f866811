/* count.c - the stage `count`: how many events there are of each sort.

   One idea: memory grows with the groups, never with the events. What names of the type alone decide is looked up
   once for each type, so counting by provider or event is one addition an event. */
#include <math.h>
#include <stdlib.h>

#include "batch.h"
#include "bus.h"
#include "column.h"
#include "stock.h"

enum { MOST_GROUPS = 1 << 24, SORT_COUNT = 0 };

typedef struct group {
    uint64_t count;
    int64_t first, last;
    uint32_t hash, n;
    tw_value key[]; /* n; integers as TW_U64, negative ones as TW_I64 */
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
    group **place; /* nplaces, a power of two, at most half of them taken */
    uint32_t nplaces, ngroups;
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
    s->nplaces = 64;
    s->place = mem_new(s->nplaces * sizeof(group *));
    return TW_OK;
}

/* ---- Keys ---- */

/* Does the value stand in `t`, outside of itself? */
static int is_pointed(const tw_value *v)
{
    switch (v->kind) {
    case TW_GUID:
    case TW_IP4:
    case TW_IP6:
    case TW_SOCKADDR:
    case TW_SID:
    case TW_TEXT:
    case TW_BYTES: return 1;
    default: return 0;
    }
}

/* The same number is the same key, whatever its width. */
static void make_normal(tw_value *v)
{
    if (v->kind >= TW_I8 && v->kind <= TW_I64)
        v->kind = v->i < 0 ? TW_I64 : TW_U64;
    else if (v->kind >= TW_U8 && v->kind <= TW_U64)
        v->kind = TW_U64;
    else if (v->kind == TW_F32)
        v->kind = TW_F64;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

static uint32_t hash_of(const tw_value *key, uint32_t n)
{
    uint64_t h = n;

    for (uint32_t i = 0; i < n; i++) {
        const tw_value *v = &key[i];
        if (!is_pointed(v)) {
            h = mix(h + v->kind, v->kind ? v->u : 0);
            continue;
        }
        h = mix(h + v->kind, v->t.bytes);
        uint32_t at = 0;
        for (; v->t.bytes - at >= 8; at += 8) h = mix(h, tw_u64(v->t.at + at));
        for (; at < v->t.bytes; at++) h = mix(h, (uint8_t)v->t.at[at]);
    }
    return (uint32_t)h;
}

static int is_same(const tw_value *a, const tw_value *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].kind != b[i].kind) return 0;
        if (!a[i].kind) continue;
        if (!is_pointed(&a[i])) {
            if (a[i].u != b[i].u) return 0;
        } else if (a[i].t.bytes != b[i].t.bytes || (a[i].t.bytes && memcmp(a[i].t.at, b[i].t.at, a[i].t.bytes))) {
            return 0;
        }
    }
    return 1;
}

/* ---- Groups ---- */

static void grow(count *s)
{
    uint32_t n = s->nplaces * 2;
    group **place = mem_new(n * sizeof(group *));

    for (uint32_t i = 0; i < s->nplaces; i++) {
        if (!s->place[i]) continue;
        uint32_t k = s->place[i]->hash & (n - 1);
        while (place[k]) k = (k + 1) & (n - 1);
        place[k] = s->place[i];
    }
    free(s->place);
    s->place = place;
    s->nplaces = n;
}

static group *new_group(count *s, uint32_t hash)
{
    group *g = arena_alloc(&s->memory, sizeof *g + s->nby * sizeof *g->key);

    *g = (group){ .first = INT64_MAX, .last = INT64_MIN, .hash = hash, .n = s->nby };
    memcpy(g->key, s->key, s->nby * sizeof *g->key);
    for (uint32_t i = 0; i < s->nby; i++) {
        tw_text *t = &g->key[i].t;
        if (is_pointed(&g->key[i])) t->at = arena_text(&s->memory, t->at, t->bytes);
    }
    s->ngroups++;
    return g;
}

/* The group of s->key. NULL: there would be too many. */
static group *find_group(count *s)
{
    uint32_t hash = hash_of(s->key, s->nby);

    if (s->ngroups >= s->nplaces / 2) grow(s);
    uint32_t k = hash & (s->nplaces - 1);
    for (; s->place[k]; k = (k + 1) & (s->nplaces - 1)) {
        group *g = s->place[k];
        if (g->hash == hash && is_same(g->key, s->key, s->nby)) return g;
    }
    if (s->ngroups == MOST_GROUPS) return NULL;
    return s->place[k] = new_group(s, hash);
}

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
        make_normal(v);
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
        if (n->from != NAME_NONE && !c->seen) {
            c->seen = 1;
            c->show = n->show;
            c->field = n->column;
        }
    }
    *p = (grouping){ .name = names };
    if (decided) {
        read_key(s, NULL, NULL, names);
        p->group = find_group(s);
    }
    return s->by_type[type] = p;
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
            g = find_group(s);
        }
        if (!g) return tw_fail(self, "more than %d groups; count by something that differs less", MOST_GROUPS);
        g->count++;
        s->events++;
        if (e->time < g->first) g->first = e->time;
        if (e->time > g->last) g->last = e->time;
    }
    return TW_OK;
}

/* ---- The table ---- */

static int order_of(const tw_value *a, const tw_value *b)
{
    if (a->kind != b->kind) { /* what is absent comes last; negative numbers come before others */
        if (!a->kind || !b->kind) return a->kind ? -1 : 1;
        if (a->kind == TW_I64 && b->kind == TW_U64) return -1;
        if (a->kind == TW_U64 && b->kind == TW_I64) return 1;
        return a->kind < b->kind ? -1 : 1;
    }
    if (!a->kind) return 0;
    if (is_pointed(a)) {
        uint32_t n = a->t.bytes < b->t.bytes ? a->t.bytes : b->t.bytes;
        int order = n ? memcmp(a->t.at, b->t.at, n) : 0;
        return order ? order : (a->t.bytes > b->t.bytes) - (a->t.bytes < b->t.bytes);
    }
    switch (a->kind) {
    case TW_F64: return (a->f > b->f) - (a->f < b->f);
    case TW_I64:
    case TW_TIME:
    case TW_SPAN: return (a->i > b->i) - (a->i < b->i);
    default: return (a->u > b->u) - (a->u < b->u);
    }
}

static int by_key(const void *left, const void *right)
{
    const group *a = *(group *const *)left, *b = *(group *const *)right;
    int order = 0;

    for (uint32_t i = 0; i < a->n && !order; i++) order = order_of(&a->key[i], &b->key[i]);
    return order;
}

static int by_count(const void *left, const void *right)
{
    const group *a = *(group *const *)left, *b = *(group *const *)right;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : by_key(left, right);
}

/* Groups in their order; all behind the first n are added up in one without keys. Returns how many are left. */
static uint32_t sort_groups(count *s, group **list)
{
    uint32_t n = 0;
    group *other;

    for (uint32_t i = 0; i < s->nplaces; i++)
        if (s->place[i] && s->place[i]->count) list[n++] = s->place[i];
    qsort(list, n, sizeof *list, by_count);
    uint32_t shown = s->n && s->n < n ? (uint32_t)s->n : n;
    if (s->sort != SORT_COUNT) qsort(list, shown, sizeof *list, by_key);
    if (shown == n) return n;

    memset(s->key, 0, s->nby * sizeof *s->key);
    other = new_group(s, 0);
    for (uint32_t i = shown; i < n; i++) {
        other->count += list[i]->count;
        if (list[i]->first < other->first) other->first = list[i]->first;
        if (list[i]->last > other->last) other->last = list[i]->last;
    }
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

    for (; c < s->nby; c++) column_put(r, c, row, g->key[c].kind ? &g->key[c] : NULL, s->column[c].field);
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
    group **list = mem_new((s->ngroups + 1) * sizeof *list);
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
    free(s->place);
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
