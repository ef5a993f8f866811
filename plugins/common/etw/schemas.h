/* schemas.h - asking everyone who may know an event.

   One idea: in this order, the first that knows exactly this version wins: the event itself, the trace, the user's
   files, the built-in tables; else the first that knows another version. Every answer is counted, so that a trace can
   say what its events were decoded by. */
#ifndef ETW_SCHEMAS_H
#define ETW_SCHEMAS_H

#include "builtin.h"
#include "eventsource.h"
#include "manifest.h"
#include "metadata.h"
#include "store.h"
#include "tmf.h"

typedef struct schemas {
    metadata *in_trace;
    manifests *of_sources; /* what EventSources said of themselves in the trace */
    eventsources *pieces;
    manifests *of_user;
    tmfs *messages; /* of the user */
    store memory;   /* of what events say of themselves */
} schemas;

int schemas_new(schemas *s); /* 0: no memory */
void schemas_free(schemas *s);
/* A record of the trace that describes others: kept. 1: it was one; *broken is set where it could not be used. */
int schemas_learn(schemas *s, const record *r, int *broken);
/* Fills in a zeroed type: all that is known of the record's, and `why` where no field is. `t` points into s and into
   `words`. What a payload of a provider needs to be decoded stands in `why` as a sentence. */
typedef struct schema_words {
    char provider[80], name[16], key[64], origin[160], why[256];
} schema_words;
enum schema_match schemas_describe(schemas *s, void *self, const record *r, schema_words *words, tw_type *t);

#endif
