/* report.h - what a run did: counters, losses, time a stage, the exit status.

   One idea: every stage's counters have a severity, and the severities decide what a person is told and how the
   program ends; no stage prints. */
#ifndef REPORT_H
#define REPORT_H

#include "text.h"
#include "tw_plugin.h"
#include <stdint.h>

typedef struct report_counter {
    const char *stage, *name, *help;
    int severity;
    uint64_t count;
} report_counter;
typedef struct report_stage { /* one a stage instance, in chain order */
    const char *name;
    uint64_t events_in, events_out, rows_in, rows_out, batches;
    int64_t ns; /* spent inside it */
} report_stage;

typedef struct report {
    int status; /* exit status: 0 done, 1 failed, 2 wrong use, 3 done but something was skipped */
    int interrupted;
    text error; /* the sentence, where status is 1 or 2: `pipeline: stage: subject: fact` */
    report_stage *stage;
    uint32_t nstages;
    report_counter *counter;
    uint32_t ncounters; /* all declared, zeros too */
    int64_t ns;         /* the run's wall time */
    char **kept;
    uint32_t nkept; /* texts that belong to the report */
} report;

/* 1 where a counter above zero means that something of the input is not in the result: exit status 3. */
int report_is_incomplete(const report_counter *c, int strict);
/* Control characters and marks that turn the direction of writing, which text from a trace may have, become blanks: nothing
   printed may steer a terminal. */
void report_plain(text *t);
const char *report_keep(report *r, text *t); /* takes over its memory; the text has something in it */
void report_free(report *r);
/* To stderr, for a person: error, warnings and losses that are not zero, one line each; `verbose`: all counters and times. */
void report_print(const report *r, int verbose);

#endif
