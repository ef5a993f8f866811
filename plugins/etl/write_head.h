/* write_head.h - the log-file header of a file that is being written.

   One idea: it is the source's own, byte by byte, but for what is no longer so: sizes, counts, the end, and the clock where
   the file has another one. Its length does not change once it was written, so that what is known only at the end can be
   put over it. */
#ifndef WRITE_HEAD_H
#define WRITE_HEAD_H

#include "clock.h"
#include "format.h"
#include "tw_plugin.h"

enum {
    HEAD_NAME = 2 * 900, /* bytes of either name, without terminator */
    HEAD_MAX = ETW_SYSTEM_HEADER + ETW_LOG_STRINGS + 2 * (HEAD_NAME + 2)
};

typedef struct name16 { /* UTF-16LE */
    uint8_t at[HEAD_NAME];
    uint32_t bytes;
} name16;

typedef struct head {
    uint8_t system[ETW_SYSTEM_HEADER]; /* what stands before the payload, */
    int has_system;                    /* if that is known */
    uint8_t log[ETW_LOG_STRINGS];      /* the payload up to its strings, by `pointer` */
    name16 logger, file;
    uint32_t pid, tid, processors;
    uint32_t pointer;                   /* 4 or 8; 0: not decided */
    uint64_t events_lost, buffers_lost; /* of all headers of the source */
    int known;                          /* the source had a header */
    int own_clock;                      /* which tells of the file's clock */
    int settled;                        /* it was written once: its length must stay */
} head;

/* A header event of the source. */
typedef struct head_event {
    const uint8_t *record; /* NULL: not known */
    const uint8_t *payload;
    log_header log; /* the payload, read */
    uint32_t pid, tid;
    int says_clock; /* its clock is the one it tells of, not a guess */
} head_event;

/* What one says goes into the new one: of the first all, of the others the losses and the most processors. */
void head_add(head *h, const head_event *from, int keep_logger);
void head_name(name16 *out, const char *text);

/* The header event into `at`, HEAD_MAX bytes at most; gives its length. `end`: a FILETIME, 0 as long as the file is
   being written, and where no end is known. */
typedef struct head_now {
    const trace_clock *clock;
    uint32_t buffer_size;
    uint64_t written; /* buffers */
    int64_t end;
} head_now;

uint32_t head_put(const head *h, const head_now *now, uint8_t *at);

#endif
