/* model.h - a make-believe computer at work.

   It is asked for one happening after the other, in order of time; everything follows from the options. */
#ifndef SYNTH_MODEL_H
#define SYNTH_MODEL_H

#include "happening.h"

enum { MODEL_TICKS_HZ = 10000000 }; /* of the clock; a tick is 100 ns */

enum model_stacks { MODEL_STACKS_KEYS, MODEL_STACKS_PLAIN, MODEL_STACKS_NONE };

typedef struct model_options {
    uint64_t seed, ticks; /* ticks: how long the trace is */
    uint64_t lose;        /* events that the recording loses */
    uint32_t cpus, processes, rate, pointer;
    uint32_t build;    /* of builds.h */
    uint32_t interval; /* of samples on one processor, ticks; 0: by the rate */
    int server;        /* a large one: long stacks, many files, most threads in a pool */
    enum model_stacks stacks;
    int (*write)(void *to, const char *line, size_t n); /* of truth; NULL: nobody asks. TW_OK or not */
    void *to;
} model_options;

typedef struct model model;

model *model_new(const model_options *o); /* NULL: no memory */
void model_restart(model *m);             /* the same again from the start, but nobody is told the truth again */
void model_free(model *m);
/* The next happening, good until the next call; or NULL after the last. */
const happening *model_next(model *m);
uint32_t model_interval(const model *m); /* of samples on one processor, ticks */
/* `bytes` of payload were told of it. Truth counts events. */
void model_told(model *m, const happening *h, uint32_t bytes);
/* Writes the rest of the truth, after the last happening. TW_OK or what `write` gave. */
int model_truth(model *m);

#endif
