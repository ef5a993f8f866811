/* block.h - the memory of one buffer, as long as anyone looks into it.

   One idea: the reader and every batch that points into a buffer hold it; the last one to let go, on whatever thread,
   frees it. So only the buffer being walked and those that batches still need are in memory. */
#ifndef ETL_BLOCK_H
#define ETL_BLOCK_H

#include "index.h"

typedef struct block {
    const uint8_t *at; /* the buffer from its header on; of an unpacked one only what follows the header is there */
    uint32_t end;      /* of the valid events, from `at` */
    enum cause why;    /* where it ends before it should: CAUSE_STREAM, CAUSE_METHOD, CAUSE_UNREADABLE; else CAUSES */
} block;

/* The buffer that the entry tells of, held once. NULL: no memory. */
block *block_open(const tw_host *host, tw_input *file, const session *s, const entry *e);
void block_hold(block *b);
void block_let_go(void *b);

/* Bytes that all blocks of this process take together; beyond BLOCK_PLENTY nobody should hold one longer than needed. */
size_t block_memory(void);
enum { BLOCK_PLENTY = 512 << 20 };

#endif
