/* batch.c - batches of events and blocks of rows: made, filled, kept, used again.

   One idea: the public struct is the first member of the private one, so what a stage holds and what the host knows
   about it are the same piece of memory, and a pool is nothing but a list of those that nobody reads. */
#include "batch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
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
    uint32_t readers;
} batch;

struct batch_pool {
    uint32_t cap;
    uint32_t out; /* batches that are not in the free list */
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
    batch *b = p->free;
    if (b) {
        p->free = b->next;
        UNGUARD(b->open.event, event_bytes(b));
    } else {
        b = batch_new(p);
    }
    p->out++;
    b->readers = 1;
    b->open.n = 0;
    b->open.upto = INT64_MIN;
    return &b->open;
}

void batch_hold(tw_batch *b)
{
    assert(batch_of(b)->readers > 0);
    batch_of(b)->readers++;
}

void batch_let_go(tw_batch *open)
{
    batch *b = batch_of(open);

    assert(b->readers > 0);
    if (--b->readers) return;
    for (kept *k = b->kept; k; k = k->next) k->release(k->arg);
    b->kept = NULL;
    arena_reset(&b->memory);
    GUARD(b->open.event, event_bytes(b));
    b->next = b->pool->free;
    b->pool->free = b;
    b->pool->out--;
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
