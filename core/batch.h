/* batch.h - batches of events and blocks of rows: made, filled, kept, used again.

   One idea: whoever is last lets go. A batch counts its readers; at zero its arena is reset, the buffers it keeps are
   released, and it goes back to the free list of its pool. Any thread may take from a pool and let go; what is in a
   batch belongs to one at a time. */
#ifndef BATCH_H
#define BATCH_H

#include "arena.h"
#include "tw_plugin.h"

typedef struct batch_pool batch_pool;

batch_pool *batch_pool_new(uint32_t cap);
void batch_pool_free(batch_pool *p); /* all batches must be back */
tw_batch *batch_take(batch_pool *p); /* empty, one reader, upto INT64_MIN */
void batch_hold(tw_batch *b);        /* one more reader */
void batch_let_go(tw_batch *b);
arena *batch_memory(tw_batch *b);
void *batch_alloc(tw_batch *b, size_t bytes);                     /* tw_host.alloc */
void batch_keep(tw_batch *b, void (*release)(void *), void *arg); /* tw_host.keep */
/* Calls `each` with all it keeps, until that returns 1; what it returned last. */
int batch_kept(const tw_batch *b, int (*each)(void *context, void (*release)(void *), void *arg), void *context);

tw_rows *rows_new(const tw_table *t, uint32_t cap); /* arrays of each column's C type; null arrays where nullable */
void rows_empty(tw_rows *r);                        /* n = 0, arena reset, nulls cleared */
void rows_free(tw_rows *r);
/* Into an empty block of the same table. whole: with what its cells point to; else that has to outlive the copy. */
void rows_copy(tw_rows *to, const tw_rows *from, int whole);
/* One row of a table with the same columns behind those of `to`, with what its cells point to. */
void rows_add(tw_rows *to, const tw_rows *from, uint32_t row);
void *rows_cell(tw_rows *r, size_t bytes);                 /* tw_host.cell */
int rows_hold(const tw_rows *r, const void *at, size_t n); /* 1 where the bytes lie in its arena */
size_t kind_bytes(const tw_field *column);                 /* of one cell */

#endif
