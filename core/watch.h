/* watch.h - a time limit for calls into code that is not ours.

   Compiled Lua never looks up from a loop, so somebody else has to. One idea: a thread sleeps beside the call and wakes
   when its time is over; first it asks, and if nothing comes of that it ends the process, with a sentence. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

#include "text.h"

typedef struct watch watch;

/* limit: ns that a call may take. `ask` is called by the watching thread when a call has taken longer, and should make
   the call fail; if it has not come back half a second later, the outputs are marked as partial, the sentence is printed
   and the process ends with status 1. Once the run is interrupted a call may take a second at most. */
watch *watch_new(int64_t limit, void (*ask)(void *context), void *context);
void watch_free(watch *w);

/* Around each call, by one thread at a time. path: the file; what: "filter at line 5" or "", both there until the end. */
void watch_begin(watch *w, const char *path, const char *what);
/* 1 where the call took too long and `ask` was called for it; it is not called any more. */
int watch_end(watch *w);
int watch_insists(const watch *w); /* 1 where the call that runs was asked and half of the time since is over */
void watch_sentence(const watch *w, text *out); /* "has not come back for 10 s: stopped (…)" */

#endif
