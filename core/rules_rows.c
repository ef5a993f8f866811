/* rules_rows.c - the checker of rules, for rows: the blocks a stage makes and those it is lent; see rules.h.

   One idea: a block is judged whole whenever it leaves a stage, each cell by what its column says. */
#include <inttypes.h>
#include <stdlib.h>

#include "batch.h"
#include "encoding.h"
#include "guard.h"
#include "rules_inside.h"

/* ---- Cells ---- */

static size_t cell_bytes(const tw_field *column)
{
    tw_field element = *column;

    element.flags &= (uint8_t)~TW_LIST;
    return kind_bytes(&element);
}

typedef struct cell {
    const rules *rules;
    const tw_rows *in;
    uint32_t col, row;
} cell;

static void bad_cell(const cell *c, int rule, const char *what)
{
    const tw_table *t = c->in->table;
    rules_broken(c->rules, rule, "row %" PRIu32 " of table '%s', column '%s': %s", c->row, t->name,
                 t->col[c->col].name, what);
}

static int bytes_fit(const cell *c, const void *at, size_t n)
{
    if (!n || rows_hold(c->in, at, n)) return 1;
    if (at && !guard_is_gone(at, n)) return 1;
    bad_cell(c, 2, at ? "it lies in memory that was given back" : "it has a length, but no address");
    return 0;
}

static int text_fits_cell(const cell *c, const tw_text *t)
{
    if (!bytes_fit(c, t->at, t->bytes)) return 0;
    if (c->in->table->col[c->col].kind != TW_TEXT || encoding_is_utf8(t->at, t->bytes)) return 1;
    bad_cell(c, 6, "its text is no UTF-8");
    return 0;
}

static int cell_fits(const cell *c)
{
    const tw_field *f = &c->in->table->col[c->col];
    size_t one = cell_bytes(f);
    int of_texts = f->kind == TW_TEXT || f->kind == TW_BYTES || f->kind == TW_SID || f->kind == TW_SOCKADDR;

    if (!(f->flags & TW_LIST)) return !of_texts || text_fits_cell(c, (const tw_text *)c->in->col[c->col] + c->row);
    const tw_list *l = (const tw_list *)c->in->col[c->col] + c->row;
    if (!bytes_fit(c, l->at, l->n * one)) return 0;
    for (uint32_t k = 0; k < l->n && of_texts; k++) {
        tw_text t;
        memcpy(&t, (const uint8_t *)l->at + k * one, sizeof t);
        if (!text_fits_cell(c, &t)) return 0;
    }
    return 1;
}

/* The block itself, and all its cells. `col` and `null` are what the host gave. */
static void check_rows(const rules *r, const tw_rows *rows, void *const *col, uint8_t *const *null)
{
    const tw_table *t = rows->table;

    if (rows->n > rows->cap) {
        rules_broken(r, 2, "left %" PRIu32 " rows of table '%s' where %" PRIu32 " have room", rows->n, t->name,
                     rows->cap);
        return;
    }
    for (uint32_t c = 0; c < t->ncols; c++) {
        if (rows->null[c] && !null[c]) {
            rules_broken(r, 5, "gave column '%s' of table '%s' nulls, which it did not declare", t->col[c].name,
                         t->name);
            return;
        }
        if (rows->col[c] != col[c] || rows->null[c] != null[c]) {
            rules_broken(r, 2, "moved column '%s' of table '%s', which is the host's", t->col[c].name, t->name);
            return;
        }
        for (uint32_t row = 0; row < rows->n; row++) {
            if (null[c] && null[c][row]) continue;
            if (!cell_fits(&(cell){ r, rows, c, row })) return;
        }
    }
}

void rules_has_rows(rules *r, const tw_rows *own)
{
    size_t n = own->table->ncols;

    for (uint32_t k = 0; k < r->nown; k++)
        if (r->own[k].rows == own) return;
    r->own = mem_grow(r->own, (r->nown + 1) * sizeof *r->own);
    own_rows *o = &r->own[r->nown++];
    *o = (own_rows){ own, mem_new(n * sizeof *o->col), mem_new(n * sizeof *o->null) };
    memcpy(o->col, own->col, n * sizeof *o->col);
    memcpy(o->null, own->null, n * sizeof *o->null);
}

/* What was moved is put back, so that the host frees what it made. */
void rules_pushes(rules *r, const tw_rows *own)
{
    for (uint32_t k = 0; k < r->nown; k++) {
        const own_rows *o = &r->own[k];
        if (o->rows != own) continue;
        check_rows(r, own, o->col, o->null);
        memcpy(own->col, o->col, own->table->ncols * sizeof *o->col);
        memcpy(own->null, o->null, own->table->ncols * sizeof *o->null);
    }
}

/* A copy of a block: this, then lists of its columns and nulls for the stage, the same lists for us, the columns. */
typedef struct lent_rows {
    tw_rows rows;
    void **col; /* as they were lent */
    uint8_t **null;
    size_t bytes;
} lent_rows;

static size_t aligned(size_t n)
{
    return (n + 15) & ~(size_t)15;
}

static size_t lent_rows_bytes(const tw_rows *given)
{
    const tw_table *t = given->table;
    size_t bytes = aligned(sizeof(lent_rows)) + aligned(4 * t->ncols * sizeof(void *));

    for (uint32_t c = 0; c < t->ncols; c++)
        bytes += aligned(given->cap * kind_bytes(&t->col[c])) + (given->null[c] ? aligned(given->cap) : 0);
    return bytes;
}

tw_rows *rules_lend_rows(const tw_rows *given)
{
    const tw_table *t = given->table;
    size_t bytes = lent_rows_bytes(given);
    lent_rows *l = mem_new(bytes);
    void **list = (void **)(void *)((uint8_t *)l + aligned(sizeof *l));
    uint8_t *at = (uint8_t *)list + aligned(4 * t->ncols * sizeof *list);

    *l = (lent_rows){ *given, list + 2 * t->ncols, (uint8_t **)(list + 3 * t->ncols), bytes };
    l->rows.col = list;
    l->rows.null = (uint8_t **)(list + t->ncols);
    for (uint32_t c = 0; c < t->ncols; c++) {
        size_t n = given->cap * kind_bytes(&t->col[c]);
        l->rows.col[c] = l->col[c] = memcpy(at, given->col[c], n);
        at += aligned(n);
        if (!given->null[c]) continue;
        l->rows.null[c] = l->null[c] = memcpy(at, given->null[c], given->cap);
        at += aligned(given->cap);
    }
    return &l->rows;
}

void rules_take_back_rows(rules *r, tw_rows *lent, tw_rows *given)
{
    const tw_table *t = given->table;
    lent_rows *l = (lent_rows *)lent;

    if (lent->table != t || lent->cap != given->cap || lent->host != given->host ||
        (void *)lent->null != lent->col + t->ncols)
        rules_broken(r, 2, "changed the members of a block of table '%s', which are the host's", t->name);
    else if (!r->of->bus->status)
        check_rows(r, lent, l->col, l->null);
    given->n = lent->n < given->cap ? lent->n : given->cap;
    for (uint32_t c = 0; c < t->ncols; c++) {
        memcpy(given->col[c], l->col[c], given->cap * kind_bytes(&t->col[c]));
        if (l->null[c]) memcpy(given->null[c], l->null[c], given->cap);
    }
    rules_spoil(r, l, l->bytes);
}
