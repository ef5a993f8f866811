/* schemas.h - asking everyone who may know an event.

   One idea: in this order, the first that knows exactly this version wins: the event itself, the trace, the user's
   files, the built-in tables; else the first that knows another version. Whoever is asked gives the same kind of answer,
   and where nobody knows, the answer is the reason and what would help. */
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
    store memory;   /* what an event says of itself, until the next is described */
} schemas;

enum schema_need { /* what would help where no field is known */
                   NEED_NOTHING,
                   NEED_MANIFEST,    /* of its provider */
                   NEED_EVENTSOURCE, /* the manifest that its EventSource would have sent */
                   NEED_TMF,
                   NEED_LAYOUT /* one that is not public */
};

/* What a described type points to, besides what s holds. */
typedef struct schema_words {
    char provider[80], name[16], key[96], origin[160], why[256];
    enum schema_need need;
    int of_user; /* the answer is from the user's files */
} schema_words;

int schemas_new(schemas *s); /* 0: no memory. schemas_free in either case */
void schemas_free(schemas *s);

/* A record of the trace that describes others is kept. 1: it was one; *broken is set where it could not be used. */
int schemas_learn(schemas *s, const record *r, int *broken);

/* All that is known of a record's type, and `why` where no field is. The type points into s and into `words`, until the
   next call. */
enum schema_match schemas_describe(schemas *s, const record *r, schema_words *words, tw_type *t);

/* What to do where something is needed, a sentence; "" where nothing is. */
const char *schema_hint(enum schema_need need);

#endif
