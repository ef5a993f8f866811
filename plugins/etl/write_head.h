/* write_head.h - the log-file header of a file that is being written.

   One idea: it is the source's own as far as there was one, with the file's own clock, end and sizes; its length does
   not change once it was written, so that what is known only at the end can be put over it. */
#ifndef WRITE_HEAD_H
#define WRITE_HEAD_H

#include "clock.h"
#include "format.h"
#include "tw_plugin.h"

enum {
    HEAD_ZONE = 172,
    HEAD_NAME = 2 * 400, /* bytes of either name, without terminator */
    HEAD_MAX = ETW_SYSTEM_HEADER + ETW_LOG_STRINGS + 2 * (HEAD_NAME + 2)
};

typedef struct name16 { /* UTF-16LE */
    uint8_t at[HEAD_NAME];
    uint32_t bytes;
} name16;

typedef struct head {
    log_header from; /* the source's first one; zeros where it had none */
    uint8_t zone[HEAD_ZONE];
    name16 logger, file;
    uint32_t pid, tid, processors;
    uint32_t pointer;                   /* 4 or 8; 0: not decided */
    uint64_t events_lost, buffers_lost; /* of all headers of the source */
    int known;                          /* the source had a header */
    int settled;                        /* it was written once: its length must stay */
} head;

/* What a header event of the source says goes into the new one: of the first all, of the others the losses and the most
   processors. `from` is its payload, read. */
void head_add(head *h, const tw_event *e, const log_header *from, int keep_logger);
void head_name(name16 *out, const char *text);

/* The header event into `at`, HEAD_MAX bytes at most; gives its length. `end`: a FILETIME, 0 as long as the file is
   being written. */
typedef struct head_now {
    const trace_clock *clock;
    uint32_t buffer_size;
    uint64_t written; /* buffers */
    int64_t end;
} head_now;

uint32_t head_put(const head *h, const head_now *now, uint8_t *at);

#endif
