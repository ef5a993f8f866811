/* types.h - from a record to its published type.

   Types are published when they are first met. One idea: what identifies a type fits into a GUID and one number, so
   that finding it costs an event one probe; an event that describes itself is identified by its description's bytes. */
#ifndef ETL_TYPES_H
#define ETL_TYPES_H

#include "../common/etw/schemas.h"
#include "tw_plugin.h"

typedef struct known_type {
    uint8_t guid[16];
    uint64_t key;         /* 0: a free slot */
    uint8_t *description; /* of events that describe themselves: descriptor and schema item; else NULL */
    uint32_t described;   /* bytes of it */
    uint32_t type;        /* the host's id; 0: refused */
    uint32_t wanted;      /* by anyone downstream, in this pass */
    uint32_t need;        /* enum schema_need */
    uint64_t events;      /* in this pass */
    uint64_t bytes;       /* in the file, of these */
} known_type;

typedef struct known_types { /* zeroed: empty */
    known_type *slot;        /* open addressing */
    uint32_t n, room;        /* room: a power of two, never more than half full */
    uint32_t described;      /* of them, that describe themselves */
    uint64_t beyond;         /* events in this pass that do, of types that are too many */
    known_type none;         /* for what no longer fits */
} known_types;

/* Who describes a record for the first time: schemas_describe, and what has to be read before it. */
typedef enum schema_match types_describe(void *self, const record *r, schema_words *words, tw_type *t);

/* Never NULL, valid until the next call. */
known_type *types_find(known_types *t, void *self, const record *r, types_describe *describe);
void types_ask_again(known_types *t, void *self); /* a new pass begins: others may be wanted, counts begin at 0 */
void types_forget(known_types *t);

#endif
