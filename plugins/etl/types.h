/* types.h - from a record to its published type.

   Types are published when they are first met. One idea: what identifies a type fits into a GUID and one number, so
   that finding it costs an event one probe. */
#ifndef ETL_TYPES_H
#define ETL_TYPES_H

#include "../common/etw/record.h"
#include "tw_plugin.h"

typedef struct known_type {
    uint8_t guid[16];
    uint64_t key;    /* 0: a free slot */
    uint32_t type;   /* the host's id; 0: refused */
    uint32_t wanted; /* by anyone downstream, in this pass */
} known_type;

typedef struct known_types { /* zeroed: empty */
    known_type *slot;        /* open addressing */
    uint32_t n, room;        /* room: a power of two, never more than half full */
    known_type none;         /* for what no longer fits */
} known_types;

/* Never NULL, valid until the next call. */
const known_type *types_find(known_types *t, void *self, const record *r);
void types_ask_again(known_types *t, void *self); /* a new pass begins: others may be wanted */
void types_forget(known_types *t);

#endif
