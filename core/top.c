/* top.c - the stage `top`: the rows of a table with the greatest values in a column.

   One idea: twice as many rows as are wanted are kept; when the room is full, the better half moves to a fresh block.
   So a row costs one comparison as a rule, and memory is what the wanted rows need, however many come. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "batch.h"
#include "column.h"
#include "key.h"
#include "stock.h"

enum { MOST_ROWS = 1 << 20, LEAST_ROOM = 256 };

typedef struct top {
    tw_self tw;
    const char *by; /* options */
    int64_t n;
    const char *of;
    int ascending;
    const char *as;
    table_choice table;
    uint32_t at;    /* of the column */
    tw_rows *kept;  /* in the order in which they came */
    int is_bounded; /* n rows were kept once, none worse than `worst` */
    tw_value worst; /* in `kept` */
    uint64_t came;  /* rows of the table */
} top;

enum { LEFT_OUT };

static int top_open(void *self)
{
    top *s = self;

    s->table.of = s->of;
    if (s->n < 1 || s->n > MOST_ROWS)
        return TW_HOST(self)->misuse(self, "n is how many rows are wanted, from 1 to %d, not %" PRId64, MOST_ROWS,
                                     s->n);
    return TW_OK;
}

static int top_table(void *self, const tw_table *t)
{
    top *s = self;
    int first = !s->table.table, rc = column_choose(s, &s->table, t);

    if (rc == TW_OK && first) rc = column_find(s, t, s->by, &s->at);
    return rc == TW_ERROR ? rc : TW_OK;
}

/* ---- The order ---- */

/* What is absent, and what is not a number, has kind 0. */
static void read_value(const top *s, const tw_rows *r, uint32_t row, tw_value *v)
{
    if (!tw_cell(r, s->at, row, v)) v->kind = 0;
    key_normal(v);
    if (v->kind == TW_F64 && isnan(v->f)) v->kind = 0;
}

typedef struct place {
    tw_value value;
    uint32_t row;
    int ascending;
} place;

/* < 0: the first is wanted more. What is absent is wanted least, whatever the order. */
static int order_of(const tw_value *a, const tw_value *b, int ascending)
{
    int order = key_order(a, b);
    return !a->kind || !b->kind || ascending ? order : -order;
}

static int by_value(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = order_of(&a->value, &b->value, a->ascending);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int by_row(const void *left, const void *right)
{
    const place *a = left, *b = right;
    return (a->row > b->row) - (a->row < b->row);
}

/* The rows kept, the most wanted first; of equal ones the one that came first. */
static place *places(const top *s)
{
    place *list = mem_new((s->kept->n + 1) * sizeof *list);

    for (uint32_t i = 0; i < s->kept->n; i++) {
        read_value(s, s->kept, i, &list[i].value);
        list[i].row = i;
        list[i].ascending = s->ascending;
    }
    qsort(list, s->kept->n, sizeof *list, by_value);
    return list;
}

/* ---- Rows ---- */

/* The block is full: those that are wanted move to one with room for as many again. */
static void make_room(top *s)
{
    place *list = places(s);
    uint32_t n = s->kept->n < s->n ? s->kept->n : (uint32_t)s->n;
    tw_rows *fresh = rows_new(s->kept->table, 2 * n < LEAST_ROOM ? LEAST_ROOM : 2 * n);
    uint32_t worst = list[n - 1].row, at = 0;

    qsort(list, n, sizeof *list, by_row);
    for (uint32_t i = 0; i < n; i++) {
        if (list[i].row == worst) at = i;
        rows_add(fresh, s->kept, list[i].row);
    }
    free(list);
    rows_free(s->kept);
    s->kept = fresh;
    s->is_bounded = n == s->n;
    if (s->is_bounded) read_value(s, fresh, at, &s->worst);
}

static int top_rows(void *self, tw_rows *r)
{
    top *s = self;
    tw_value v;

    if (column_choose(s, &s->table, r->table) != TW_OK) return TW_OK;
    if (!s->kept) s->kept = rows_new(s->table.table, LEAST_ROOM);
    for (uint32_t row = 0; row < r->n; row++) {
        read_value(s, r, row, &v);
        if (s->is_bounded && order_of(&v, &s->worst, s->ascending) >= 0) continue;
        rows_add(s->kept, r, row);
        if (s->kept->n == s->kept->cap) make_room(s);
    }
    s->came += r->n;
    r->n = 0;
    return TW_OK;
}

/* The table itself, or one like it by another name. */
static const tw_table *table_to_make(top *s)
{
    tw_table t = *s->table.table;

    if (!*s->as || strcmp(s->as, t.name) == 0) return s->table.table;
    t.size = sizeof t;
    t.name = s->as;
    const void *interned = TW_HOST(s)->intern(s, (const void *)&t, sizeof t);
    return interned;
}

static int top_end(void *self)
{
    top *s = self;
    int rc = TW_OK;

    column_miss(s, &s->table);
    if (!s->table.table) return TW_OK;
    tw_rows *r = TW_HOST(s)->table(s, table_to_make(s));
    if (!s->kept) return TW_OK;
    place *list = places(s);
    uint32_t n = s->kept->n < s->n ? s->kept->n : (uint32_t)s->n;
    for (uint32_t i = 0; i < n && rc == TW_OK; i++) {
        rows_add(r, s->kept, list[i].row);
        if (r->n == r->cap) rc = TW_HOST(s)->push(s, r);
    }
    free(list);
    tw_count(s, LEFT_OUT, s->came - n);
    return rc;
}

static void top_close(void *self)
{
    rows_free(((top *)self)->kept);
}

static const tw_option options[] = {
    { "by", NULL, "the column whose values decide: \"latency\"", TW_OPT_TEXT, offsetof(top, by) },
    { "n", "20", "how many rows: n = 100", TW_OPT_INT, offsetof(top, n) },
    { "of", "", "the table: of = \"reads\"; without it the only one that comes", TW_OPT_TEXT, offsetof(top, of) },
    { "ascending", "false", "the least values instead: ascending = true", TW_OPT_BOOL, offsetof(top, ascending) },
    { "as", "", "another name for the table: as = \"slowest\"", TW_OPT_TEXT, offsetof(top, as) },
    { 0 },
};

static const tw_counter counters[] = {
    { "left out", "rows of the table that are not among the top ones", TW_INFO },
    { 0 },
};

const tw_stage top_stage = {
    .size = sizeof(tw_stage),
    .name = "top",
    .help = "Of a table, let only the rows with the greatest values go on, in order: top { \"latency\", n = 20 }",
    .state = sizeof(top),
    .options = options,
    .counters = counters,
    .open = top_open,
    .table = top_table,
    .rows = top_rows,
    .end = top_end,
    .close = top_close,
};
