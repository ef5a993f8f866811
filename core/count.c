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

enum { SORT_COUNT, SORT_KEY, SORT_SUM };
enum { TOO_LARGE }; /* counter */

__extension__ typedef __int128 wide;

typedef struct total { /* of one name's values */
    wide integer;      /* numbers and spans; 2^64 of the largest still fit */
    double real;
} total;

typedef struct group {
    key key;
    uint64_t count;
    int64_t first, last; /* where count is not 0 */
    total *sum;          /* nsums, likewise */
} group;

typedef struct grouping { /* of events of one type */
    group *group;         /* where the type decides it */
    const name *name;     /* nby, then nsums */
} grouping;

typedef struct count {
    tw_self tw;
    const char *const *by; /* options */
    const char *const *sum;
    const char *as;
    int sort;
    int64_t n;
    int times, share;
    column *column; /* nby, then nsums */
    uint32_t nby, nsums;
    tw_value *key; /* of the event at hand */
    keys groups;
    uint64_t events; /* in all groups */
    total *all;      /* nsums, likewise */
    const grouping *by_type[TW_TYPES];
    arena memory;
} count;

static total *new_totals(count *s)
{
    total *sum = arena_alloc(&s->memory, (s->nsums + 1) * sizeof *sum);

    memset(sum, 0, s->nsums * sizeof *sum);
    return sum;
}

/* "bytes" makes the column sum_bytes; "total=bytes" names it. */
static int read_sum(count *s, const char *given, column *out)
{
    text title = { 0 };

    if (column_read(s, given, out) != TW_OK) return TW_ERROR;
    if (strchr(given, '=')) return TW_OK;
    text_format(&title, "sum_%s", given);
    out->title = TW_HOST(s)->intern(s, text_of(&title), title.n);
    text_free(&title);
    return TW_OK;
}

static int count_open(void *self)
{
    count *s = self;

    for (const char *const *b = s->by; *b; b++) s->nby++;
    for (const char *const *b = s->sum; *b; b++) s->nsums++;
    if (!s->nby)
        return TW_HOST(self)->misuse(self, "count by what? write count { by = { \"provider\", \"event\" } }");
    if (!*s->as) return TW_HOST(self)->misuse(self, "the table needs a name, as in as = \"counts\"");
    if (s->n < 0)
        return TW_HOST(self)->misuse(self, "n is how many groups are shown, 0 for all; it cannot be negative");
    if (s->sort == SORT_SUM && !s->nsums)
        return TW_HOST(self)->misuse(self, "sort by which sum? write sum = { \"bytes\" }, sort = \"sum\"");
    s->column = arena_alloc(&s->memory, (s->nby + s->nsums) * sizeof *s->column);
    s->key = arena_alloc(&s->memory, s->nby * sizeof *s->key);
    s->all = new_totals(s);
    for (uint32_t i = 0; i < s->nby; i++)
        if (column_read(self, s->by[i], &s->column[i]) != TW_OK) return TW_ERROR;
    for (uint32_t i = 0; i < s->nsums; i++)
        if (read_sum(s, s->sum[i], &s->column[s->nby + i]) != TW_OK) return TW_ERROR;
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
    name *names = arena_alloc(&s->memory, (s->nby + s->nsums) * sizeof *names);
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
    for (uint32_t i = s->nby; i < s->nby + s->nsums; i++) {
        name_resolve(s->tw.type[type], s->column[i].word, &names[i]);
        s->column[i].seen |= names[i].from != NAME_NONE;
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

static int is_float(int kind)
{
    return kind == TW_F32 || kind == TW_F64;
}

static int is_signed(int kind)
{
    return (kind >= TW_I8 && kind <= TW_I64) || kind == TW_SPAN;
}

/* Adds the event's values to the sums of its group. */
static int add_values(count *s, tw_batch *b, const tw_event *e, const name *names, total *sum)
{
    for (uint32_t i = 0; i < s->nsums; i++) {
        column *c = &s->column[s->nby + i];
        tw_value v;
        if (name_get(s, b, e, &names[s->nby + i], &v) != TW_OK) continue;
        if (v.kind != c->kind) c->kind = column_kind_of_both(c->kind, v.kind);
        if (is_float(v.kind))
            sum[i].real += v.f;
        else if (is_signed(v.kind))
            sum[i].integer += v.i;
        else if (v.kind <= TW_U64)
            sum[i].integer += (wide)v.u;
        else
            return TW_HOST(s)->misuse(s, "'%s' is no number, so it cannot be added up", c->word);
    }
    return TW_OK;
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
        if (!s->nsums) continue;
        if (!g->sum) g->sum = new_totals(s);
        if (add_values(s, b, e, p->name, g->sum) != TW_OK) return TW_ERROR;
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

static int by_sum(const void *left, const void *right)
{
    const total *a = (*(group *const *)left)->sum, *b = (*(group *const *)right)->sum;
    long double x = (long double)a->integer + a->real, y = (long double)b->integer + b->real;
    return x < y ? 1 : x > y ? -1 : by_count(left, right);
}

static void add_group(const count *s, group *to, const group *from)
{
    add(to, from->count, from->first, from->last);
    for (uint32_t i = 0; i < s->nsums; i++) {
        to->sum[i].integer += from->sum[i].integer;
        to->sum[i].real += from->sum[i].real;
    }
}

/* Groups in their order; all behind the first n are added up in one without keys. Returns how many are left. */
static uint32_t sort_groups(count *s, group **list)
{
    uint32_t n = 0, at = 0;

    for (group *g; (g = keys_next(&s->groups, &at));)
        if (g->count) list[n++] = g; /* types make groups before their events come */
    qsort(list, n, sizeof(group *), s->sort == SORT_SUM ? by_sum : by_count);
    uint32_t shown = s->n && s->n < n ? (uint32_t)s->n : n;
    if (s->sort == SORT_KEY) qsort(list, shown, sizeof(group *), by_key);
    if (shown == n) return n;

    memset(s->key, 0, s->nby * sizeof *s->key);
    group *other = arena_alloc(&s->memory, sizeof *other);
    *other = (group){ .key = { .n = s->nby, .value = s->key }, .sum = new_totals(s) };
    for (uint32_t i = shown; i < n; i++) add_group(s, other, list[i]);
    list[shown] = other;
    return shown + 1;
}

/* Percent, to a tenth. */
static double share_of(double part, double whole)
{
    return whole != 0 ? floor(1000.0 * part / whole + 0.5) / 10 : 0;
}

static double real_of(const total *t)
{
    return (double)t->integer + t->real;
}

/* The kind of a sum's column, once all values are there. */
static uint8_t kind_of_sum(const column *c)
{
    return is_float(c->kind) || c->kind == TW_TEXT ? TW_F64
           : c->kind == TW_SPAN                    ? TW_SPAN
           : is_signed(c->kind)                    ? TW_I64
                                                   : TW_U64;
}

static void put_sum(count *s, tw_rows *r, uint32_t c, uint32_t row, const column *of, const total *t)
{
    uint8_t kind = kind_of_sum(of);
    wide least = kind == TW_U64 ? 0 : INT64_MIN, most = kind == TW_U64 ? (wide)UINT64_MAX : (wide)INT64_MAX;

    if (kind == TW_F64) {
        ((double *)r->col[c])[row] = real_of(t);
    } else if (t->integer >= least && t->integer <= most) {
        ((uint64_t *)r->col[c])[row] = (uint64_t)t->integer;
    } else {
        column_put(r, c, row, NULL, NULL);
        tw_count(s, TOO_LARGE, 1);
    }
}

static void put_group(count *s, tw_rows *r, const group *g)
{
    uint32_t row = r->n++, c = 0;

    for (; c < s->nby; c++) column_put(r, c, row, g->key.value[c].kind ? &g->key.value[c] : NULL, s->column[c].field);
    ((uint64_t *)r->col[c++])[row] = g->count;
    if (s->share) ((double *)r->col[c++])[row] = share_of((double)g->count, (double)s->events);
    for (uint32_t i = 0; i < s->nsums; i++) {
        put_sum(s, r, c++, row, &s->column[s->nby + i], &g->sum[i]);
        if (s->share) ((double *)r->col[c++])[row] = share_of(real_of(&g->sum[i]), real_of(&s->all[i]));
    }
    if (!s->times) return;
    ((int64_t *)r->col[c++])[row] = g->first;
    ((int64_t *)r->col[c++])[row] = g->last;
}

/* The columns behind those that are counted by; how many. */
static uint32_t make_columns(count *s, tw_field *more)
{
    static const tw_field number = { .name = "count", .help = "events", .kind = TW_U64 };
    static const tw_field share = { .name = "share", .help = "of all events, in percent", .kind = TW_F64 };
    static const tw_field first = { .name = "first", .help = "time of the first of them", .kind = TW_TIME };
    static const tw_field last = { .name = "last", .help = "time of the last of them", .kind = TW_TIME };
    uint32_t n = 0;

    more[n++] = number;
    if (s->share) more[n++] = share;
    for (uint32_t i = 0; i < s->nsums; i++) {
        const column *c = &s->column[s->nby + i];
        text title = { 0 };
        more[n++] = (tw_field){ .name = c->title, .kind = kind_of_sum(c), .flags = TW_NULLABLE };
        if (!s->share) continue;
        text_format(&title, "%s_share", c->title);
        more[n] = share;
        more[n].name = TW_HOST(s)->intern(s, text_of(&title), title.n);
        more[n++].help = "of that of all events, in percent";
        text_free(&title);
    }
    if (s->times) {
        more[n++] = first;
        more[n++] = last;
    }
    return n;
}

static int count_end(void *self)
{
    count *s = self;
    const tw_table *t;
    tw_field *more = mem_new((4 + 2 * (size_t)s->nsums) * sizeof *more);
    uint32_t nmore = make_columns(s, more), n = 0;

    column_remark(s, s->column, s->nby + s->nsums);
    int rc = column_table(s, s->as, "How many events there are of each sort", s->column, s->nby, more, nmore, &t);
    free(more);
    if (rc != TW_OK) return TW_ERROR;
    tw_rows *r = TW_HOST(s)->table(s, t);
    group **list = mem_new((s->groups.n + 1) * sizeof(group *));
    n = sort_groups(s, list);
    group all = { .sum = s->all };
    for (uint32_t i = 0; i < n; i++) add_group(s, &all, list[i]);
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
    { "sum", "",
      "names to add up: sum = { \"bytes\" } makes sum_bytes, and with share its part; { \"total=bytes\" } names it",
      TW_OPT_LIST, offsetof(count, sum) },
    { "sort", "count",
      "count|key|sum: most events first, in the order of what is counted by, or by the first sum: sort = \"sum\"",
      TW_OPT_CHOICE, offsetof(count, sort) },
    { "n", "0", "only the n largest, all others in one row without names: n = 20; 0 for all", TW_OPT_INT,
      offsetof(count, n) },
    { "share", "false", "a column for the part of all events, in percent: share = true", TW_OPT_BOOL,
      offsetof(count, share) },
    { "times", "false", "columns for the times of the first and the last event: times = true", TW_OPT_BOOL,
      offsetof(count, times) },
    { 0 },
};

static const tw_counter counters[] = {
    { "sums too large", "sums that no 64 bits hold; their cells are empty", TW_WARNING },
    { 0 },
};

const tw_stage count_stage = {
    .size = sizeof(tw_stage),
    .name = "count",
    .help = "Count events by names; they go on as well: count { by = { \"provider\", \"event\" }, n = 20 }",
    .state = sizeof(count),
    .options = options,
    .counters = counters,
    .events = count_events,
    .open = count_open,
    .end = count_end,
    .close = count_close,
};
