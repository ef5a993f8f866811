/* read.h - the state of etl.read, shared by what reads and what makes its tables. */
#ifndef ETL_READ_H
#define ETL_READ_H

#include "block.h"
#include "index.h"
#include "learn.h"
#include "types.h"

enum {
    COUNT_EVENTS,
    COUNT_BUFFERS,
    COUNT_MARKERS,
    COUNT_EVENTS_LOST,
    COUNT_BUFFERS_LOST,
    COUNT_ITEMS,
    COUNT_DESCRIPTIONS,
    COUNT_CONFLICTS,
    COUNT_MANIFESTS,
    COUNT_BEYOND,
    COUNT_CAUSES
};

typedef struct span { /* of events */
    uint64_t events;
    int64_t first, last; /* time of the earliest and the latest; only if `events` */
} span;

typedef struct etl_read {
    tw_self tw;
    tw_input *const *file; /* options */
    tw_input *const *manifest, *const *tmf;
    int tables;

    etl_index index;
    skip (*skip_at_start)[CAUSES]; /* as the index left them: a second pass counts the rest again */
    uint64_t skipped_at_start[CAUSES];
    int64_t begin, end; /* of all sessions, ns since 1970; end 0: not known of one of them */
    known_types types;
    learn learn;
    int searched; /* the trace itself, for descriptions of events */

    size_t next;        /* buffer of the index to open next */
    uint64_t done;      /* bytes of the buffers opened */
    const entry *entry; /* of the open buffer */
    const session *session;
    block *block; /* NULL: none is open */
    uint32_t at;  /* of its next event */
    int64_t time; /* of its last event that told one; before that, of its first */

    uint64_t broken;
    span all;
    span *seen; /* by session */
} etl_read;

extern const tw_table *const read_tables[];
extern const tw_table read_summary_table, read_schema_table, read_loss_table, read_clock_table;
const char *read_file_name(const etl_read *s, uint32_t file);
int read_push_tables(etl_read *s);
int read_push_summary(etl_read *s);
int read_push_ledger(etl_read *s);
/* Looks through all buffers for what the trace says of its own events. */
void read_search(etl_read *s);

#endif
