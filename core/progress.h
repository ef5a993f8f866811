/* progress.h - one line on a terminal that says how far a run is.

   One idea: the line is only ever rewritten in place and is gone when anything else is to be printed, so neither a log
   nor a result has it inside. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

typedef struct progress {
    int on;
    int64_t begin, next; /* ns, monotonic: of the run; when the line may change again */
    int width;           /* of what stands there now */
} progress;

void progress_start(progress *p, int mode, int64_t now); /* mode: as in bus_options.progress */
/* done of total bytes, total 0: not known, then the events count. Cheap: prints ten times a second at most. */
void progress_step(progress *p, int64_t now, uint64_t done, uint64_t total, uint64_t events);
void progress_unpack(progress *p, int64_t now, const char *name,
                     uint64_t bytes); /* instead: what is unpacked first */
void progress_clear(progress *p);
/* The line's text, which step prints; bytes are cut to cap. Returned: its length. */
int progress_line(int64_t spent, uint64_t done, uint64_t total, uint64_t events, char *out, int cap);

#endif
