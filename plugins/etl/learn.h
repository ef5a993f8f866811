/* learn.h - what etl.read learns about events from elsewhere than the event.

   The user's manifests and TMF files, and records of the trace that describe others, which may stand behind the events
   that they describe. One idea: each is read when the first event asks for it, so that a trace which needs none of it
   begins at once. */
#ifndef ETL_LEARN_H
#define ETL_LEARN_H

#include "../common/etw/schemas.h"
#include "tw_plugin.h"

typedef struct learn {
    tw_input *const *manifest, *const *tmf; /* end with NULL; NULL: none */
    schemas known;
    int has_manifests, has_tmfs;
    uint64_t faults;  /* places in the user's files that could not be used */
    uint64_t refused; /* whole files */
} learn;

/* The lists must live as long. TW_OK, or TW_ERROR: no memory. */
int learn_open(learn *l, void *self, tw_input *const *manifest, tw_input *const *tmf);
void learn_close(learn *l);
/* Reads the user's files, once. What is wrong with one is logged and counted; the others are read. */
void learn_manifests(learn *l, void *self);
void learn_tmfs(learn *l, void *self);

#endif
