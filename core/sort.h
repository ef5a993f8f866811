/* sort.h - time order out of a source that steps back, or out of several sources.

   Batches go in; each is one or more runs that are in order. A run that begins where a chain of runs has ended is hung
   on to it, so there are about as many chains as the recording had CPUs. Events come out merged by time up to the
   watermark, headers copied, payload shared: the output batch holds the batches it took from. Of equal times the
   lower source is first, then what came in first. An event earlier than what already went out gets the time of the last
   one out, and is counted. */
#ifndef SORT_H
#define SORT_H

#include "batch.h"

typedef struct sorter sorter;

sorter *sorter_new(batch_pool *out);
void sorter_free(sorter *s);
void sorter_add(sorter *s, tw_batch *b, uint32_t source); /* takes over one reader of b; source < 65536 */
/* A batch of events with time < upto (all, if upto is INT64_MAX), at most the pool's cap; NULL if there is none. */
tw_batch *sorter_next(sorter *s, int64_t upto);
uint64_t sorter_late(const sorter *s); /* events whose time was moved */
uint64_t sorter_held(const sorter *s);

#endif
