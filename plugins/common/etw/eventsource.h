/* eventsource.h - manifests that .NET's EventSources send in pieces.

   One idea: pieces are collected by provider, process and thread in the order of their numbers; a set that starts again
   before it was complete is dropped, and the first complete one of a provider is read. */
#ifndef ETW_EVENTSOURCE_H
#define ETW_EVENTSOURCE_H

#include "manifest.h"

typedef struct eventsources eventsources;

eventsources *eventsources_new(void);
void eventsources_free(eventsources *e);
int eventsources_is(const record *r); /* 1: a piece of a manifest */
/* Takes a piece; when it completes the first manifest of its provider, reads it into `m` as "in the trace". 1; 0 where
   the piece, or the manifest, is broken. */
int eventsources_add(eventsources *e, const record *r, manifests *m);
uint32_t eventsources_unfinished(const eventsources *e); /* providers of which pieces, but no whole manifest came */

#endif
