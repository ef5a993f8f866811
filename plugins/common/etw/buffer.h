/* buffer.h - the 48h bytes in front of a buffer, and its bytes as events.

   One idea: nothing in a file says "here is a buffer"; a header is believed when all of its numbers fit together and,
   in a file of equal buffers, its size is the file's. */
#ifndef ETW_BUFFER_H
#define ETW_BUFFER_H

#include "clock.h"
#include "format.h"
#include "tw_plugin.h"

typedef struct buffer_header {
    uint32_t size;   /* bytes in the file, header included: the way to the next one */
    uint32_t filled; /* end of the events from the buffer's start, as it is when unpacked */
    uint32_t state;
    uint16_t cpu; /* of all events in it */
    uint16_t logger, flags, type;
} buffer_header;

void buffer_header_read(const uint8_t at[ETW_BUFFER_HEADER], buffer_header *out);

/* 1 where the numbers fit together. `stride`: the size of every buffer of this file; 0: sizes differ. */
int buffer_plausible(const buffer_header *h, uint32_t stride);

/* 1 where all bytes are what stands behind a buffer's events: FF, in header buffers 0 too. */
int is_padding(const uint8_t *at, size_t n);

/* 1 where the `n` bytes from a buffer's start on begin with a log-file header event, which is then read. `*ticks`: its
   own time. Strings point into `at`. */
int buffer_log_header(const uint8_t *at, size_t n, log_header *out, int64_t *ticks);
/* How many bytes from a buffer's start on buffer_log_header wants; 0: it is no log-file header event. `n` >= 50h. */
size_t buffer_log_header_bytes(const uint8_t *at, size_t n);

/* Unpacks the events of a compressed buffer, of which `have` bytes are there, to `out`: those from 48h up to `end`,
   counted as in `filled`. Gives the end of what came out; below `end` the stream was broken or cut short. */
uint32_t buffer_unpack(const uint8_t *at, uint32_t have, uint8_t *out, uint32_t end);

#endif
