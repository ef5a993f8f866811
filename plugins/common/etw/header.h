/* header.h - headers of events that are made, not read.

   The opposite of record.h. One idea: a header is put in front of a payload that is already sized, so no event
   ever needs a second look at its beginning. */
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
uint32_t header_message(uint8_t *at, const header *h); /* WPP */

#endif
