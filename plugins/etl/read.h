/* read.h - the state of etl.read, shared by what reads and what makes its tables. */
#ifndef ETL_READ_H
#define ETL_READ_H

#include "block.h"
#include "index.h"
#include "types.h"

enum { COUNT_EVENTS, COUNT_BUFFERS, COUNT_MARKERS, COUNT_EVENTS_LOST, COUNT_BUFFERS_LOST, COUNT_ITEMS, COUNT_CAUSES };

typedef struct etl_read {
    tw_self tw;
    tw_input *const *file;
    int tables;

    etl_index index;
    skip (*skip_at_start)[CAUSES]; /* as the index left them: a second pass counts the rest again */
    uint64_t skipped_at_start[CAUSES];
    int64_t begin, end; /* of all sessions, ns since 1970; end 0: not known of one of them */
    known_types types;

    size_t next;        /* buffer of the index to open next */
    uint64_t done;      /* bytes of the buffers opened */
    const entry *entry; /* of the open buffer */
    const session *session;
    block *block; /* NULL: none is open */
    uint32_t at;  /* of its next event */
    int64_t time; /* of its last event that told one; before that, of its first */

    uint64_t events, broken;
    int64_t first, last; /* time of the earliest and the latest event; only if `events` */
} etl_read;

extern const tw_table *const read_tables[];
int read_push_tables(etl_read *s);

#endif
