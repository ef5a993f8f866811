/* group.c - the stage `group`: the rows of a table gathered by some of its columns, added up over others.

   One idea: memory grows with the groups, never with the rows. Integers are added in 128 bits, so no order of rows and
   no number of them can make a sum wrong; one that its column cannot hold is null and counted. */
#include <math.h>
#include <stdlib.h>

#include "batch.h"
#include "column.h"
#include "key.h"
#include "stock.h"

__extension__ typedef __int128 wide;

enum what { SUM, MAX, MIN, MEAN };

typedef struct measure { /* a column that is added up, or whose ends are sought */
    column column;
    int what;
    uint32_t at; /* in the table */
    int kind;    /* of the table's column */
} measure;

typedef struct total { /* of a measure in a group */
    uint64_t n; /* values so far; absent ones do not count, for MAX and MIN those that are not a number neither */
    union {
        wide integer; /* of all kinds but floats */
        double real;
    };
} total;

typedef struct group {
    key key;
    uint64_t count; /* of rows */
    total *total;
} group;

typedef struct grouping {
    tw_self tw;
    const char *const *by; /* options */
    const char *of;
    const char *const *sum;
    const char *const *max;
    const char *const *min;
    const char *const *mean;
    const char *as;
    table_choice table;
    column *column; /* nby */
    uint32_t *at;   /* of each in the table */
    tw_value *key;  /* of the row at hand */
    uint32_t nby;
    measure *measure;
    uint32_t nmeasures;
    keys groups;
    arena memory;
} grouping;

enum { TOO_LARGE };

static uint32_t length(const char *const *list)
{
    uint32_t n = 0;
    while (list[n]) n++;
    return n;
}

static int read_measures(grouping *s, const char *const *list, int what, const char *word)
{
    for (; *list; list++) {
        measure *m = &s->measure[s->nmeasures++];
        if (column_read(s, *list, &m->column) != TW_OK) return TW_ERROR;
        m->what = what;
        if (m->column.title != m->column.word) continue; /* the user's own */
        text title = { 0 };
        text_format(&title, "%s_%s", word, m->column.word);
        m->column.title = TW_HOST(s)->intern(s, text_of(&title), title.n);
        text_free(&title);
    }
    return TW_OK;
}

static int group_open(void *self)
{
    grouping *s = self;

    s->table.of = s->of;
    if (!*s->as) return TW_HOST(self)->misuse(self, "the table needs a name, as in as = \"by_process\"");
    s->nby = length(s->by);
    s->column = arena_alloc(&s->memory, s->nby * sizeof *s->column);
    s->at = arena_alloc(&s->memory, s->nby * sizeof *s->at);
    s->key = arena_alloc(&s->memory, s->nby * sizeof *s->key);
    for (uint32_t i = 0; i < s->nby; i++)
        if (column_read(self, s->by[i], &s->column[i]) != TW_OK) return TW_ERROR;
    uint32_t n = length(s->sum) + length(s->max) + length(s->min) + length(s->mean);
    s->measure = arena_alloc(&s->memory, n * sizeof *s->measure);
    if (read_measures(s, s->sum, SUM, "sum") != TW_OK || read_measures(s, s->max, MAX, "max") != TW_OK ||
        read_measures(s, s->min, MIN, "min") != TW_OK || read_measures(s, s->mean, MEAN, "mean") != TW_OK)
        return TW_ERROR;
    keys_make(&s->groups, &s->memory, s->nby, sizeof(group));
    return TW_OK;
}

/* ---- The table that comes ---- */

static int is_float(int kind)
{
    return kind == TW_F32 || kind == TW_F64;
}

static int is_signed(int kind)
{
    return kind >= TW_I8 && kind <= TW_I64;
}

/* The kind of what comes of a measure; 0: nothing can. */
static int kind_of_result(int what, int kind)
{
    if (kind == TW_TIME) return what == MAX || what == MIN ? kind : 0;
    if (kind > TW_F64 && kind != TW_POINTER && kind != TW_BOOL32 && kind != TW_SPAN) return 0;
    if (what == MAX || what == MIN || kind == TW_SPAN) return kind;
    if (what == MEAN || is_float(kind)) return TW_F64;
    return is_signed(kind) ? TW_I64 : TW_U64;
}

static int no_number(grouping *s, const measure *m)
{
    return TW_HOST(s)->misuse(s, "'%s' is no number and no time; put it into by = { … }, or leave it out",
                              m->column.word);
}

static int find_columns(grouping *s, const tw_table *t)
{
    for (uint32_t i = 0; i < s->nby; i++) {
        column *c = &s->column[i];
        if (column_find(s, t, c->word, &s->at[i]) != TW_OK) return TW_ERROR;
        c->field = &t->col[s->at[i]];
        c->kind = c->field->kind;
        c->show = c->field->show;
    }
    for (uint32_t i = 0; i < s->nmeasures; i++) {
        measure *m = &s->measure[i];
        if (column_find(s, t, m->column.word, &m->at) != TW_OK) return TW_ERROR;
        m->kind = t->col[m->at].kind;
        m->column.kind = kind_of_result(m->what, m->kind);
        /* A field that no event had is a column of text without a value: nothing to add up, and no mistake. */
        if (m->kind == TW_TEXT) m->column.kind = TW_F64;
        if (m->column.kind) continue;
        if (m->kind == TW_TIME)
            return TW_HOST(s)->misuse(s, "'%s' is a moment, which cannot be added up; ask for max and min",
                                      m->column.word);
        return no_number(s, m);
    }
    return TW_OK;
}

static int group_table(void *self, const tw_table *t)
{
    grouping *s = self;
    int first = !s->table.table, rc = column_choose(s, &s->table, t);

    if (rc == TW_OK && first) rc = find_columns(s, t);
    return rc == TW_ERROR ? rc : TW_OK;
}

/* ---- Rows ---- */

static wide integer_of(const tw_value *v)
{
    return is_signed(v->kind) || v->kind == TW_TIME || v->kind == TW_SPAN ? (wide)v->i : (wide)v->u;
}

static void add_integer(total *t, int what, wide i)
{
    if (!t->n++)
        t->integer = i;
    else if (what == SUM || what == MEAN)
        t->integer += i;
    else if (what == MAX ? i > t->integer : i < t->integer)
        t->integer = i;
}

static void add_real(total *t, int what, double f)
{
    int adds = what == SUM || what == MEAN;

    if (isnan(f) && !adds) return;
    if (!t->n++)
        t->real = f;
    else if (adds)
        t->real += f;
    else if (what == MAX ? f > t->real : f < t->real)
        t->real = f;
}

static int add_row(grouping *s, const tw_rows *r, uint32_t row)
{
    tw_value v;

    for (uint32_t i = 0; i < s->nby; i++) {
        if (!tw_cell(r, s->at[i], row, &s->key[i])) s->key[i].kind = 0;
        key_normal(&s->key[i]);
    }
    group *g = keys_find(&s->groups, s->key);
    if (!g) return tw_fail(s, "more than %d groups; group by something that differs less", KEYS_MOST);
    if (!g->count++) {
        g->total = arena_alloc(&s->memory, s->nmeasures * sizeof *g->total);
        memset(g->total, 0, s->nmeasures * sizeof *g->total);
    }
    for (uint32_t i = 0; i < s->nmeasures; i++) {
        const measure *m = &s->measure[i];
        if (!tw_cell(r, m->at, row, &v)) continue;
        if (m->kind == TW_TEXT) return no_number(s, m);
        if (is_float(m->kind))
            add_real(&g->total[i], m->what, v.f);
        else
            add_integer(&g->total[i], m->what, integer_of(&v));
    }
    return TW_OK;
}

static int group_rows(void *self, tw_rows *r)
{
    grouping *s = self;
    int rc = TW_OK;

    if (column_choose(s, &s->table, r->table) != TW_OK) return TW_OK;
    for (uint32_t row = 0; row < r->n && rc == TW_OK; row++) rc = add_row(s, r, row);
    return rc;
}

/* ---- The table that is made ---- */

static int by_count(const void *left, const void *right)
{
    const group *a = *(group *const *)left, *b = *(group *const *)right;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : keys_order(&a->key, &b->key);
}

/* To the nearest; of two, the one farther from 0. */
static wide mean_of(const total *t)
{
    wide n = (wide)t->n, half = n / 2;
    return (t->integer < 0 ? t->integer - half : t->integer + half) / n;
}

static void put_total(grouping *s, tw_rows *r, uint32_t c, uint32_t row, const measure *m, const total *t)
{
    tw_value v = { .kind = (uint8_t)m->column.kind };
    wide i = m->what == MEAN && m->column.kind == TW_SPAN && t->n ? mean_of(t) : t->integer;

    if (!t->n) {
        column_put(r, c, row, NULL, NULL);
        return;
    }
    if (is_float(m->kind)) {
        v.f = m->what == MEAN ? t->real / (double)t->n : t->real;
    } else if (v.kind == TW_F64) {
        v.f = (double)t->integer / (double)t->n;
    } else if (i < INT64_MIN || i > (v.kind == TW_U64 || v.kind == TW_POINTER ? (wide)UINT64_MAX : (wide)INT64_MAX)) {
        column_put(r, c, row, NULL, NULL);
        tw_count(s, TOO_LARGE, 1);
        return;
    } else {
        v.u = (uint64_t)i;
    }
    column_put(r, c, row, &v, NULL);
}

static void put_group(grouping *s, tw_rows *r, const group *g)
{
    uint32_t row = r->n++, c = 0;

    for (; c < s->nby; c++) column_put(r, c, row, g->key.value[c].kind ? &g->key.value[c] : NULL, s->column[c].field);
    ((uint64_t *)r->col[c++])[row] = g->count;
    for (uint32_t i = 0; i < s->nmeasures; i++) put_total(s, r, c + i, row, &s->measure[i], &g->total[i]);
}

static int make_table(grouping *s, const tw_table **out)
{
    static const tw_field count = { .name = "count", .help = "rows", .kind = TW_U64 };
    tw_field *more = mem_new((1 + s->nmeasures) * sizeof *more);

    more[0] = count;
    for (uint32_t i = 0; i < s->nmeasures; i++) {
        const measure *m = &s->measure[i];
        const tw_field *from = &s->table.table->col[m->at];
        int same = m->what == MAX || m->what == MIN;
        more[1 + i] = (tw_field){ .name = m->column.title,
                                  .help = from->help,
                                  .names = same ? from->names : NULL,
                                  .kind = (uint8_t)m->column.kind,
                                  .show = same ? from->show : TW_SHOW_PLAIN,
                                  .flags = TW_NULLABLE };
    }
    int rc = column_table(s, s->as, "Rows gathered by columns", s->column, s->nby, more, 1 + s->nmeasures, out);
    free(more);
    return rc;
}

static int group_end(void *self)
{
    grouping *s = self;
    const tw_table *t;
    uint32_t n = 0, at = 0;
    int rc = TW_OK;

    column_miss(s, &s->table);
    if (!s->table.table) return TW_OK;
    if (make_table(s, &t) != TW_OK) return TW_ERROR;
    tw_rows *r = TW_HOST(s)->table(s, t);
    group **list = mem_new((s->groups.n + 1) * sizeof(group *));
    while ((list[n] = keys_next(&s->groups, &at))) n++;
    qsort(list, n, sizeof(group *), by_count);
    for (uint32_t i = 0; i < n && rc == TW_OK; i++) {
        put_group(s, r, list[i]);
        if (r->n == r->cap) rc = TW_HOST(s)->push(s, r);
    }
    free(list);
    return rc;
}

static void group_close(void *self)
{
    grouping *s = self;
    keys_free(&s->groups);
    arena_free(&s->memory);
}

static const tw_option options[] = {
    { "by", "",
      "columns whose values make a group: { \"process\", \"file=FileName\" }; new=old renames; none: all rows",
      TW_OPT_LIST, offsetof(grouping, by) },
    { "of", "", "the table: of = \"reads\"; without it the only one that comes", TW_OPT_TEXT,
      offsetof(grouping, of) },
    { "sum", "", "columns to add up: sum = { \"bytes\" } makes sum_bytes; { \"total=bytes\" } names it", TW_OPT_LIST,
      offsetof(grouping, sum) },
    { "max", "", "columns of which the greatest value is wanted: max = { \"bytes\" }", TW_OPT_LIST,
      offsetof(grouping, max) },
    { "min", "", "columns of which the least value is wanted: min = { \"time\" }", TW_OPT_LIST,
      offsetof(grouping, min) },
    { "mean", "", "columns of which the mean is wanted: mean = { \"latency\" }", TW_OPT_LIST,
      offsetof(grouping, mean) },
    { "as", "groups", "name of the table that is made: as = \"by_process\"", TW_OPT_TEXT, offsetof(grouping, as) },
    { 0 },
};

static const tw_counter counters[] = {
    { "sums too large", "sums that no 64 bits hold; their cells are empty", TW_WARNING },
    { 0 },
};

const tw_stage group_stage = {
    .size = sizeof(tw_stage),
    .name = "group",
    .help = "Gather rows of a table, which go on as well: group { \"process\", of = \"reads\", sum = { \"bytes\" } }",
    .state = sizeof(grouping),
    .options = options,
    .counters = counters,
    .open = group_open,
    .table = group_table,
    .rows = group_rows,
    .end = group_end,
    .close = group_close,
};
