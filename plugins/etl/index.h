/* index.h - where the buffers of all inputs are, and when each begins.

   A first pass reads a few hundred bytes of every buffer: its header and its first event's time. One idea: after it,
   nothing of a file's shape is in doubt, and buffers can be opened in order of time whatever their order in the file;
   what the pass cannot make sense of is counted by cause and place. */
#ifndef ETL_INDEX_H
#define ETL_INDEX_H

#include "../common/etw/buffer.h"
#include "../common/etw/clock.h"
#include "tw_plugin.h"

enum cause { /* why bytes of an input were not read; the stage has a counter for each, in this order */
             CAUSE_EVENT,
             CAUSE_HEADER_TYPE,
             CAUSE_TRUNCATED,
             CAUSE_BUFFER,
             CAUSE_STREAM,
             CAUSE_METHOD,
             CAUSE_UNREADABLE,
             CAUSE_LOST_HEADER,
             CAUSE_CLOCK,
             CAUSE_SESSIONS,
             CAUSE_MISSING,
             CAUSE_NO_TRACE,
             CAUSES
};

extern const char *const cause_text[CAUSES];

typedef struct skip {
    uint64_t count, bytes, events, first;
} skip; /* first: offset of the first one in the file */

enum { SESSIONS_MAX = 65536 }; /* an event tells its session in 16 bits */

typedef struct session { /* what follows one log-file header, up to the next */
    trace_clock clock;
    log_header log; /* strings in `event`; without a header all is zero, but for a guess at the clock */
    uint8_t *event; /* the header event itself */
    uint32_t event_bytes;
    int64_t begin, end, latest; /* ns since 1970; end 0: not known; no event should be after `latest` */
    uint32_t file;
    uint32_t stride;        /* the size of all its buffers; 0: they differ */
    uint32_t unpacked;      /* the largest that a compressed buffer may become */
    uint32_t method;        /* enum etw_compression of compressed buffers */
    uint64_t buffers;       /* that stand in the file, destroyed ones too */
    uint64_t after;         /* where the last of them ends */
    int has_header, unsure; /* unsure: how many buffers stand in the file is not known */
} session;

typedef struct entry { /* one buffer with events in it; 40 bytes, for there may be millions */
    uint64_t at;       /* offset in its file */
    int64_t first;     /* time of its first event, ns since 1970 */
    uint32_t size;     /* bytes of it that are in the file */
    uint32_t filled;   /* end of its events, when unpacked */
    uint32_t file;
    uint16_t session, cpu, flags;
    uint16_t cut; /* 1: the file ends inside its data */
} entry;

_Static_assert(sizeof(entry) <= 40, "an index of a large trace stays small");

typedef struct etl_index {
    const tw_host *host;
    void *self;
    tw_input *const *file;
    uint32_t nfiles, nsessions, room_sessions;
    session *session;
    entry *entry; /* by time, once built */
    size_t n, room;
    skip (*skip)[CAUSES];     /* one row a file */
    uint64_t skipped[CAUSES]; /* sums of their counts */
    uint64_t bytes;           /* of all files */
    uint64_t buffers, compressed, markers,
        losses;                         /* markers: without events by their type; losses: buffers that follow one */
    uint64_t events_lost, buffers_lost; /* sums over the headers */
} etl_index;

/* Of several inputs those that are no traces are said and counted. TW_ERROR where no input is one, or memory ran out; the
   host has been told why. index_free in either case. */
int index_build(etl_index *x, void *self, tw_input *const *files); /* ends with NULL */
void index_free(etl_index *x);
void index_skip(etl_index *x, uint32_t file, enum cause why, uint64_t offset, uint64_t bytes, uint64_t events);

#endif
