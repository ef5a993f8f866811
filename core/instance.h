/* instance.h - what the files of the bus know of a running pipeline; nobody else, but the tests of stages.

   One idea: a pipeline is a tree of chains. A chain is a straight row of steps: stages, and the few places where the way
   forks (tee), comes together (merge) or goes on on another thread (border). What is to reach later stages is sent down
   a chain from a place on; the steps do the rest.

   instance.c is the life of a pipeline, graph.c its shape, bus.c the way of a batch down a chain, pump.c what sets
   batches going, border.c the other threads, host.c what stages ask for. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include <stdatomic.h>

#include "bus.h"
#include "os.h"
#include "progress.h"
#include "rules.h"
#include "sort.h"

enum { MOST_STAGES = 1024, ROWS_A_BLOCK = 256 };

typedef struct bus bus;
typedef struct chain chain;
typedef struct border border;

typedef struct block { /* the rows of one table that an instance makes, or that go into a branch */
    const tw_table *table;
    tw_rows *rows;
    int used; /* some were pushed */
} block;

typedef struct service {
    char *id;
    const void *functions;
} service;

enum { COUNT_OUT_OF_ORDER, COUNT_TYPES_REFUSED, COUNT_UNREADABLE, HOST_COUNTERS }; /* behind the stage's own */

typedef struct instance {
    bus *bus;
    const tw_stage *stage;
    const spec *spec;
    const char *name, *place; /* the spec's */
    chain *chain;
    uint32_t at;        /* its place there */
    uint32_t side;      /* which thread enters it: 0 the one that runs the bus, else the border's of that number */
    uint32_t told;      /* its `type` has seen the types up to this id */
    uint32_t typed;     /* below this id it is known which types it looks at, id 0 among them: */
    uint64_t *looks[2]; /* a bit a type, for `events` and `preview`; NULL where it has no patterns */
    uint8_t *wanted;    /* by type, what it was told when it asked; see bus_wanted */
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
    text why;              /* the last failure of a file, for a stage that fails without a word */
    uint64_t done, total;  /* a source: as it says */
    struct server *server; /* NULL: it asked for none of the host's extensions for servers */
    report_stage sum;
    rules *rules; /* NULL: they are not checked */
} instance;

typedef struct step { /* one place of a chain: a stage, a border, or branches */
    const spec *spec;
    instance *stage;
    border *border;
    chain **branch;
    uint32_t nbranches;
    int merges; /* the branches come before, and each has a source; else they are a tee's */
} step;

typedef struct feed { /* a source, and what has to be known to read it */
    instance *source;
    chain *chain; /* it is the first there */
    uint16_t index;
    uint16_t ended;
    atomic_int enough;    /* nobody in its branch wants more */
    sorter *sorter;       /* behind a source that is not ordered */
    int64_t last;         /* time of its last event, where it is ordered */
    int64_t upto;         /* nothing earlier comes from it */
    int64_t quiet;        /* when it began to have nothing, monotonic; 0: it has */
    int64_t first, begin; /* time of its first event; start of its trace */
    atomic_int has_first, has_begin;
} feed;

struct chain {
    bus *bus;
    chain *parent;  /* whose step this is a branch of; NULL: the main one */
    uint32_t place; /* of that step */
    uint32_t side;  /* which thread enters what is added now */
    int in_merge;
    feed *joins; /* in a merge: its source; what comes out at the end is joined with the others */
    step *step;
    uint32_t n;
    /* A stage that says TW_END has had enough for all behind it. Events from before the place `over` (0: nobody said so)
       go only as far as the place `live`, which is behind the last tee on the way with a branch that wants more. */
    atomic_uint over, live;
    block *copy; /* of a tee: rows on the way into this branch, a table each */
    uint32_t ncopies;
};

struct bus {
    const bus_options *options;
    const char *name;
    chain main;
    instance **all; /* in the order in which they are written */
    uint32_t n;
    uint32_t nsteps; /* and forks and borders */
    feed **feed;     /* by tw_event.source */
    uint32_t nfeeds;
    border **border;
    uint32_t nborders;
    sorter *joined;      /* behind the sources of a merge */
    int64_t joined_last; /* time of the last event out of it */
    int64_t patience;    /* ns: how long the others wait for a source that has nothing */
    types *types;
    batch_pool *pool;
    arena memory;      /* option texts */
    os_mutex *lock;    /* of what follows, and of the order in which chains are found to be over */
    atomic_int status; /* 1, 2: failed */
    atomic_int enough; /* nobody wants more events */
    atomic_int interrupted;
    text error, partial; /* partial: names of files that were given up */
    progress progress;
    const instance *lua; /* the first that runs Lua */
    int previewing;      /* only before other threads start */
    int64_t start;       /* monotonic */
};

extern const tw_host host_functions;

/* instance.c */
bus *bus_new(const char *name, const bus_options *o);
int bus_add(bus *b, const spec *s);              /* to the main chain; TW_ERROR: the bus has the error */
int bus_open(bus *b);                            /* options of all stages, then `open` of all */
void bus_close(bus *b, report *r);               /* closes all, finishes files, fills the report and frees b */
instance *instance_new(chain *c, const spec *s); /* NULL: there is no such stage, the bus has failed */

/* graph.c */
int chain_add(chain *c, const spec *s); /* with its branches */
void chain_free(chain *c);              /* what it is made of, not the stages */
int graph_fits(bus *b);                 /* a source at each beginning, and so on; else the bus has failed */
/* The stages before i on its way, as written: n of them, in mem_ memory. A tee's branches are on nobody's way but their
   own; a merge's are all before what comes behind it. */
const instance **graph_before(const instance *i, uint32_t *n);
int graph_wanted(const instance *i, int preview, const tw_type *t); /* by a stage behind i on any way */
/* 1 where a stage behind i on any way reads the table; those that `apart` is 1 of do not count. */
int graph_reads(const instance *i, const tw_table *t, int (*apart)(const instance *));

/* nowhere.c */
void bus_warn_of_nowhere(bus *b); /* after a run that went well */

/* bus.c: down a chain, from a place on */
int bus_send(chain *c, uint32_t from, tw_batch *batch); /* behind a border the batch may be somebody else's already */
int bus_send_rows(chain *c, uint32_t from, tw_rows *r);
int bus_push(instance *i, block *k);       /* sends a block's rows on and empties it */
int bus_tick(chain *c, uint32_t from);     /* as far as the next border */
int bus_end_from(chain *c, uint32_t from); /* `end` of all, and what they let go of */
int bus_has_enough(const instance *i);     /* nobody behind i wants more events */

void bus_fail(bus *b, int status, const instance *i, const char *sentence); /* i may be NULL; the first one counts */
int bus_stop_asked(const bus *b);
void bus_helps(void);                       /* this thread is not the one that runs the bus */
int bus_wanted(instance *i, uint32_t type); /* by a stage behind i */
int instance_looks_at(const instance *i, int preview, const char *type); /* at types of that name */
int instance_reads(const instance *i, const tw_table *t);
int bus_types_fit(instance *i, const tw_batch *batch); /* all its types are published; else the bus has failed */

/* pump.c */
void bus_make_sorters(bus *b);           /* new ones, and all sources are at their start */
int bus_pull(feed *f);                   /* one read, sent down; TW_OK TW_END TW_AGAIN TW_ERROR */
int bus_end(bus *b);                     /* all of the pipeline, up to the first borders */
void bus_join(feed *f, tw_batch *batch); /* came out of the source's branch of a merge */

/* border.c: what stands behind one is entered by its thread */
border *border_new(chain *c, const spec *s); /* c's last step; NULL: the options are wrong, the bus has failed */
void border_free(border *d);
int border_sheds(const border *d);
int border_start(border *d);
int border_put(border *d, tw_batch *batch); /* waits where there is no room */
int border_put_rows(border *d, const tw_rows *r);
int border_put_end(border *d); /* nothing comes after it */
void border_join(border *d);   /* until its thread has ended */
void border_report(const border *d, report *r);

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
