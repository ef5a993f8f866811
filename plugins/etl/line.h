/* line.h - writing a row of a table, cell by cell.

   One idea: a row is written left to right, each cell by its C type, in the order of the table's columns. */
#ifndef ETL_LINE_H
#define ETL_LINE_H

#include "read.h"

typedef struct line { /* a row being written */
    const tw_host *host;
    tw_rows *r;
    uint32_t col;
} line;

static inline line line_begin(etl_read *s, const tw_table *t)
{
    return (line){ s->tw.host, s->tw.host->table(s, t), 0 };
}

/* TW_OK, or TW_ERROR. That nobody needs more is no failure. */
static inline int line_end(etl_read *s, line *l)
{
    l->r->n++;
    return l->r->n < l->r->cap || s->tw.host->push(s, l->r) != TW_ERROR ? TW_OK : TW_ERROR;
}

static inline int push_rest(etl_read *s, const tw_table *t)
{
    tw_rows *r = s->tw.host->table(s, t);
    return r->n == 0 || s->tw.host->push(s, r) != TW_ERROR ? TW_OK : TW_ERROR;
}

static inline void put_u32(line *l, uint32_t v)
{
    ((uint32_t *)l->r->col[l->col++])[l->r->n] = v;
}

static inline void put_u64(line *l, uint64_t v)
{
    ((uint64_t *)l->r->col[l->col++])[l->r->n] = v;
}

static inline void put_i64(line *l, int64_t v)
{
    ((int64_t *)l->r->col[l->col++])[l->r->n] = v;
}

static inline void put_time(line *l, int64_t ns, int known)
{
    if (l->r->null[l->col]) l->r->null[l->col][l->r->n] = !known;
    put_i64(l, known ? ns : 0);
}

static inline void put_text(line *l, const char *text, size_t n)
{
    char *at = l->host->cell(l->r, n + 1);

    memcpy(at, text, n);
    at[n] = 0;
    ((tw_text *)l->r->col[l->col++])[l->r->n] = (tw_text){ at, (uint32_t)n, 0 };
}

static inline void put_string(line *l, const char *text)
{
    put_text(l, text, strlen(text));
}

#endif
