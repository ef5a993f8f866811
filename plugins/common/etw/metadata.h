/* metadata.h - schemas that a merged trace holds: event and map records.

   When a trace is merged, Windows writes what its own decoder knows of each type of event behind the events. One idea:
   records are kept as they are and are read when a type is asked for, since a map may come after the event that uses
   it. */
#ifndef ETW_METADATA_H
#define ETW_METADATA_H

#include "schema.h"

typedef struct metadata metadata;

metadata *metadata_new(void); /* NULL: no memory */
void metadata_free(metadata *m);

int metadata_is(const record *r); /* 1: a record of the class EventMetadata */
/* Keeps one; its bytes are copied. 1, or 0 where it is broken, of an unknown opcode, or beyond the limit. */
int metadata_add(metadata *m, const record *r);
int metadata_find(metadata *m, const record *r, tw_type *t, unsigned *version); /* see schema.h */
/* Records that lay out an event otherwise than an earlier one, which is used: of another trace, mostly. */
uint32_t metadata_conflicts(const metadata *m);
uint32_t metadata_count(const metadata *m); /* types of event it knows */

#endif
