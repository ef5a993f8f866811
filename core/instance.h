/* instance.h - what bus.c, instance.c and host.c know of a running pipeline; nobody else, but the tests of stages.

   One idea: a bus is a chain of instances and the few things they share. What a stage asks of the host is done on its
   instance, and what is to reach later stages is sent down the chain from the place behind it. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "bus.h"
#include "progress.h"
#include "sort.h"

enum { MOST_STAGES = 64, ROWS_A_BLOCK = 256 };

typedef struct bus bus;

typedef struct block { /* the rows of one table that an instance makes */
    const tw_table *table;
    tw_rows *rows;
    int used; /* some were pushed */
} block;

typedef struct service {
    char *id;
    const void *functions;
} service;

enum { COUNT_OUT_OF_ORDER, COUNT_TYPES_REFUSED, HOST_COUNTERS }; /* behind the stage's own */

typedef struct instance {
    bus *bus;
    const tw_stage *stage;
    const char *name, *place; /* the spec's */
    uint32_t at;              /* in the chain */
    uint32_t told;            /* its `type` has seen the types up to this id */
    tw_self *state;
    uint64_t *count;
    uint32_t ncounters; /* of the stage */
    int opened;         /* `open` was called, so `close` will be */
    const tw_table **seen;
    uint32_t nseen; /* its `table` was called with these */
    block *block;
    uint32_t nblocks;
    tw_batch **made;
    uint32_t nmade; /* taken and not yet emitted */
    tw_input **input;
    uint32_t ninputs;
    tw_output **output;
    uint32_t noutputs; /* not yet finished */
    service *offer;
    uint32_t noffers;
    text why; /* the last failure of a file, for a stage that fails without a word */
    report_stage sum;
} instance;

struct bus {
    const bus_options *options;
    const char *name;
    instance *chain[MOST_STAGES];
    uint32_t n;
    types *types;
    batch_pool *pool;
    sorter *sorter;           /* behind a source that is not ordered */
    arena memory;             /* option texts */
    uint64_t wants[TW_TYPES]; /* a bit for each place in the chain: looks at the type */
    uint64_t previews[TW_TYPES];
    uint32_t typed; /* types whose bits are known, id 0 among them */
    int previewing;
    int enough; /* someone returned TW_END */
    int interrupted;
    int status;           /* 1, 2: failed */
    text error, partial;  /* partial: names of files that were given up */
    int64_t last;         /* time of the source's last event, where it is ordered */
    int64_t first, begin; /* of the first event that entered the chain; start of the trace */
    int has_first, has_begin;
    progress progress;
    uint64_t done, total; /* as the source says */
    int64_t start;        /* monotonic */
};

extern const tw_host host_functions;

bus *bus_new(const char *name, const bus_options *o);
int bus_add(bus *b, const spec *s);    /* finds the stage; TW_ERROR: the bus has the error */
int bus_open(bus *b, const spec *set); /* set: of the stages added; options of all stages, then `open` of all */
int bus_pull(bus *b);                  /* one read, sent down; TW_OK TW_END TW_AGAIN TW_ERROR */
int bus_send(bus *b, uint32_t from, tw_batch *batch); /* to the stages from there on */
int bus_send_rows(bus *b, uint32_t from, tw_rows *r);
int bus_push(instance *i, block *k); /* sends a block's rows on and empties it */
int bus_end(bus *b);                 /* `end` of all, and what they let go of */
void bus_close(bus *b, report *r);   /* closes all, finishes files, fills the report and frees b */

void bus_fail(bus *b, int status, const instance *i, const char *sentence); /* i may be NULL; the first one counts */
int bus_stop_asked(const bus *b);
int bus_wanted(bus *b, uint32_t at, uint32_t type);    /* by a stage behind `at` */
int bus_types_fit(instance *i, const tw_batch *batch); /* all its types are published; else the bus has failed */
void bus_make_sorter(bus *b);                          /* a new one, if the source needs one */

/* Calls into a stage. The instance this thread was in before is given back to `leave`. */
instance *instance_enter(instance *i);
void instance_leave(instance *before);
int instance_call(instance *i, int (*callback)(void *)); /* what it returned */
int instance_failed(instance *i, int rc); /* it returned rc, which is no success: the bus has failed; TW_ERROR */
int instance_kept_room(instance *i, uint32_t n, uint32_t cap,
                       const char *what);                  /* n <= cap; else the bus has failed */
instance *bus_inside(void);                                /* the instance this thread is in now; or NULL */
int bus_finish(bus *b, tw_output *o, int keep, text *why); /* output_finish; notes the name of what is only a part */

/* Room for one more in a list of n that grows by doubling; the list's new place. */
static inline void *list_room(void *list, uint32_t n, size_t bytes)
{
    return n & (n - 1) ? list : mem_grow(list, (n ? 2 * (size_t)n : 1) * bytes);
}

#endif
