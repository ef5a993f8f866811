/* batch.c - batches of events and blocks of rows: made, filled, kept, used again.

   One idea: the public struct is the first member of the private one, so what a stage holds and what the host knows
   about it are the same piece of memory, and a pool is nothing but a list of those that nobody reads.

   A batch is written by one thread at a time, and handed on by means that order memory; only its count of readers, and
   the pool's list, are touched by several at once. */
#include "batch.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "os.h"
#include "text.h"

typedef struct kept {
    struct kept *next;
    void (*release)(void *);
    void *arg;
} kept;

typedef struct batch {
    tw_batch open;
    batch_pool *pool;
    struct batch *next; /* in the pool's free list */
    kept *kept;         /* newest first */
    arena memory;
    atomic_uint readers;
} batch;

struct batch_pool {
    uint32_t cap;
    os_mutex *lock; /* of the two below */
    uint32_t out;   /* batches that are not in the free list */
    batch *free;
};

static batch *batch_of(const tw_batch *b)
{
    return b->host;
}

static size_t event_bytes(const batch *b)
{
    return b->open.cap * sizeof(tw_event);
}

batch_pool *batch_pool_new(uint32_t cap)
{
    assert(cap > 0);
    batch_pool *p = mem_new(sizeof *p);
    p->cap = cap;
    p->lock = os_mutex_new();
    return p;
}

void batch_pool_free(batch_pool *p)
{
    if (!p) return;
    assert(p->out == 0);
    for (batch *b = p->free, *next; b; b = next) {
        next = b->next;
        UNGUARD(b->open.event, event_bytes(b));
        arena_free(&b->memory);
        free(b->open.event);
        free(b);
    }
    os_mutex_free(p->lock);
    free(p);
}

static batch *batch_new(batch_pool *p)
{
    batch *b = mem_new(sizeof *b);
    b->pool = p;
    b->open.host = b;
    b->open.cap = p->cap;
    b->open.event = mem_grow(NULL, event_bytes(b));
    return b;
}

tw_batch *batch_take(batch_pool *p)
{
    os_lock(p->lock);
    batch *b = p->free;
    if (b) p->free = b->next;
    p->out++;
    os_unlock(p->lock);
    if (b)
        UNGUARD(b->open.event, event_bytes(b));
    else
        b = batch_new(p);
    atomic_init(&b->readers, 1);
    b->open.n = 0;
    b->open.upto = INT64_MIN;
    return &b->open;
}

void batch_hold(tw_batch *b)
{
    atomic_uint *readers = &batch_of(b)->readers;
    unsigned before = atomic_fetch_add_explicit(readers, 1, memory_order_relaxed);

    assert(before > 0);
    (void)before;
}

void batch_let_go(tw_batch *open)
{
    batch *b = batch_of(open);
    batch_pool *p = b->pool;
    unsigned before = atomic_fetch_sub_explicit(&b->readers, 1, memory_order_acq_rel);

    assert(before > 0);
    if (before > 1) return;
    for (kept *k = b->kept; k; k = k->next) k->release(k->arg);
    b->kept = NULL;
    arena_reset(&b->memory);
    GUARD(b->open.event, event_bytes(b));
    os_lock(p->lock);
    b->next = p->free;
    p->free = b;
    p->out--;
    os_unlock(p->lock);
}

arena *batch_memory(tw_batch *b)
{
    return &batch_of(b)->memory;
}

void *batch_alloc(tw_batch *b, size_t bytes)
{
    return arena_alloc(&batch_of(b)->memory, bytes);
}

void batch_keep(tw_batch *open, void (*release)(void *), void *arg)
{
    batch *b = batch_of(open);
    kept *k = arena_alloc(&b->memory, sizeof *k);

    *k = (kept){ b->kept, release, arg };
    b->kept = k;
}

int batch_kept(const tw_batch *b, int (*each)(void *context, void (*release)(void *), void *arg), void *context)
{
    int found = 0;

    for (const kept *k = batch_of(b)->kept; k && !found; k = k->next) found = each(context, k->release, k->arg);
    return found;
}

/* ---- Rows ---- */

typedef struct rows {
    tw_rows open;
    arena memory;
} rows;

size_t kind_bytes(const tw_field *column)
{
    if (column->flags & TW_LIST) return sizeof(tw_list);
    switch (column->kind) {
    case TW_BOOL:
    case TW_U8:
    case TW_I8: return 1;
    case TW_U16:
    case TW_I16: return 2;
    case TW_U32:
    case TW_I32:
    case TW_F32:
    case TW_BOOL32:
    case TW_IP4: return 4;
    case TW_U64:
    case TW_I64:
    case TW_F64:
    case TW_POINTER:
    case TW_TIME:
    case TW_SPAN: return 8;
    case TW_GUID:
    case TW_IP6: return 16;
    case TW_TEXT:
    case TW_BYTES:
    case TW_SID:
    case TW_SOCKADDR: return sizeof(tw_text);
    default: return 0; /* a kind of payloads only */
    }
}

tw_rows *rows_new(const tw_table *t, uint32_t cap)
{
    rows *r = mem_new(sizeof *r);

    r->open.table = t;
    r->open.cap = cap;
    r->open.host = r;
    r->open.col = mem_new(t->ncols * sizeof *r->open.col);
    r->open.null = mem_new(t->ncols * sizeof *r->open.null);
    for (uint32_t c = 0; c < t->ncols; c++) {
        r->open.col[c] = mem_new(cap * kind_bytes(&t->col[c]));
        if (t->col[c].flags & TW_NULLABLE) r->open.null[c] = mem_new(cap);
    }
    return &r->open;
}

void rows_empty(tw_rows *r)
{
    for (uint32_t c = 0; c < r->table->ncols; c++)
        if (r->null[c]) memset(r->null[c], 0, r->cap);
    r->n = 0;
    arena_reset(&((rows *)r->host)->memory);
}

void rows_free(tw_rows *r)
{
    if (!r) return;
    for (uint32_t c = 0; c < r->table->ncols; c++) {
        free(r->col[c]);
        free(r->null[c]);
    }
    free(r->col);
    free(r->null);
    arena_free(&((rows *)r->host)->memory);
    free(r->host);
}

void *rows_cell(tw_rows *r, size_t bytes)
{
    return arena_alloc(&((rows *)r->host)->memory, bytes);
}

/* What a cell of variable length points to, copied into the block's own memory. */
static void own_bytes(tw_rows *r, uint8_t kind, void *cells, uint32_t n)
{
    tw_text *t = cells;

    if (kind != TW_TEXT && kind != TW_BYTES && kind != TW_SID && kind != TW_SOCKADDR) return;
    for (uint32_t i = 0; i < n; i++) t[i].at = arena_text(&((rows *)r->host)->memory, t[i].at, t[i].bytes);
}

static void own_list(tw_rows *r, const tw_field *column, tw_list *l)
{
    tw_field element = *column;

    element.flags = 0;
    size_t bytes = l->n * kind_bytes(&element);
    void *copy = rows_cell(r, bytes);
    if (bytes) memcpy(copy, l->at, bytes);
    own_bytes(r, column->kind, copy, l->n);
    l->at = copy;
}

static void own_cell(tw_rows *r, uint32_t c, uint32_t row)
{
    const tw_field *column = &r->table->col[c];
    void *cell = (uint8_t *)r->col[c] + row * kind_bytes(column);

    if (r->null[c] && r->null[c][row]) return; /* whatever stands there */
    if (column->flags & TW_LIST)
        own_list(r, column, cell);
    else
        own_bytes(r, column->kind, cell, 1);
}

void rows_copy(tw_rows *to, const tw_rows *from, int whole)
{
    assert(to->table == from->table && to->n == 0 && from->n <= to->cap);
    to->n = from->n;
    for (uint32_t c = 0; c < from->table->ncols; c++) {
        if (from->n) memcpy(to->col[c], from->col[c], from->n * kind_bytes(&from->table->col[c]));
        if (from->null[c]) memcpy(to->null[c], from->null[c], from->n);
        for (uint32_t row = 0; whole && row < from->n; row++) own_cell(to, c, row);
    }
}

void rows_add(tw_rows *to, const tw_rows *from, uint32_t row)
{
    assert(to->n < to->cap && to->table->ncols == from->table->ncols);
    for (uint32_t c = 0; c < from->table->ncols; c++) {
        size_t bytes = kind_bytes(&from->table->col[c]);
        memcpy((uint8_t *)to->col[c] + to->n * bytes, (const uint8_t *)from->col[c] + row * bytes, bytes);
        if (from->null[c]) to->null[c][to->n] = from->null[c][row];
        own_cell(to, c, to->n);
    }
    to->n++;
}

int rows_hold(const tw_rows *r, const void *at, size_t n)
{
    return arena_holds(&((const rows *)r->host)->memory, at, n);
}
