/* header.h - headers of events that are made, not read.

   The opposite of record.h. One idea: a header is put in front of a payload that is already sized, so no event
   ever needs a second look at its beginning.

   How a made event carries its header: e->record points to it, extended items included, e->data to the payload, which may
   stand right behind or elsewhere. Whoever writes the event copies the bytes before the payload, sets size, time, process
   and thread from the event, and takes the payload from e->data; so what the header says of these need not be right, but
   its size must be that of header and payload at least. An event without a record gets one of these headers by its type:
   `key` kernel:GG makes a kernel header, wpp:GUID a message, tw_type.flags TW_CLASSIC a FULL_HEADER, all else an
   EVENT_HEADER. */
#ifndef ETW_HEADER_H
#define ETW_HEADER_H

#include "format.h"
#include "tw_plugin.h"

enum { HEADER_MAX = ETW_EVENT_HEADER }; /* of those made here, in bytes */

typedef struct header { /* what a header says, whatever its kind */
    int64_t ticks;
    uint32_t pid, tid;
    uint32_t payload; /* bytes that follow; with the header 65535 at most */
    const tw_type *type;
} header;

/* Each writes HEADER_MAX bytes at most to `at` and returns how many. Of the type they take pointer size, version,
   opcode and what else their kind has room for. */
/* PERFINFO where nobody is named, else SYSTEM. */
uint32_t header_kernel(uint8_t *at, const header *h, unsigned group);
uint32_t header_event(uint8_t *at, const header *h);
uint32_t header_classic(uint8_t *at, const header *h); /* FULL_HEADER */
uint32_t header_message(uint8_t *at, const header *h); /* WPP */

#endif
