/* eventsource.h - manifests that .NET's EventSources send in pieces.

   One idea: pieces are collected by provider, process and thread, in any order, since a thread's events lie in the
   buffers of several processors; a set to which another text comes before it was complete is dropped. Every process
   sends its own, so most are copies, but processes with another build of the provider know other events: each different
   text is read, and of events that several know the first counts. */
#ifndef ETW_EVENTSOURCE_H
#define ETW_EVENTSOURCE_H

#include "manifest.h"

typedef struct eventsources eventsources;

eventsources *eventsources_new(void);
void eventsources_free(eventsources *e);
int eventsources_is(const record *r); /* 1: a piece of a manifest */
/* Takes a piece; when it completes a manifest that no other one equals, reads it into `m` as "in the trace". 1; 0 where
   the piece, or the manifest, is broken or cannot be kept. */
int eventsources_add(eventsources *e, const record *r, manifests *m);
uint32_t eventsources_unfinished(const eventsources *e); /* providers of which pieces, but no whole manifest came */

#endif
