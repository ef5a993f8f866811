/* bus.h - running a pipeline: the loop that everything else serves.

   The host pulls a batch from a source and passes it down the chain in place; a stage's rows and extra batches run
   down the rest of the chain at once. Chains join (merge), fork (tee) and go on on other threads (thread). One idea: not
   calling a source is all the back-pressure there is. */
#ifndef BUS_H
#define BUS_H

#include "option.h"
#include "plugin.h"
#include "report.h"
#include "type.h"

struct plan;

typedef struct spec {  /* one stage of a pipeline, as written */
    const char *stage; /* "etl.read"; or, of the bus itself, "merge", "tee" or "thread" */
    const char *place; /* "top.lua:12", or "" */
    const setting *set;
    uint32_t n;
    const struct tw_stage *builtin; /* not NULL: this stage, whatever the name (tests, capture) */
    const struct plan *branch;      /* merge: each begins with a source; tee: none does */
    uint32_t nbranches;
} spec;

typedef struct plan { /* a pipeline or a branch of one; a whole one begins with a source or a merge */
    const char *name;
    const spec *stage;
    uint32_t n;
} plan;

typedef struct bus_options {
    plugins *plugins;
    void *script;                       /* script of the pipeline, for stages that run Lua; see script.h */
    const struct command_line *command; /* for servers, which start this program again; NULL: they cannot */
    uint32_t batch;                     /* events a batch; 0: 512 */
    int rules;                          /* check the rules for stages; see rules.h */
    int strict;                         /* losses of the recording give exit status 3 too */
    int progress;                       /* -1: when stderr is a terminal; 0 never; 1 always */
    int quiet;                          /* no log lines below TW_WARNING */
    int (*stop)(void *context);         /* may be NULL: asked at batch borders besides Ctrl-C */
    void *context;
} bus_options;

/* Runs to the end, to TW_END, to Ctrl-C or to the first error; always closes everything. The status is in *r. */
void bus_run(const plan *p, const bus_options *o, report *r);

/* For stages that are part of the core. */
void *bus_script(void *self); /* bus_options.script */
types *bus_types(void *self);
void bus_decode(void *self, tw_batch *b, decode *d); /* what type_get needs, for this batch */
int64_t bus_begin(
    void *self,
    const tw_event *e); /* start of the trace: clock().begin of e's source, cached; else its first event's time */
uint64_t bus_passed(void *self); /* events this instance was given so far */

#endif
