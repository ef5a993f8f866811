/* rules.h - the checker of the rules that tw_plugin.h sets for stages.

   On by bus_options.rules (TRACEWEIR_CHECK=1, --check-rules); off it costs a branch a call. One idea: a stage is never
   given the batch itself but a copy that is judged and spoilt when the call is over, so what it did in the call is
   exactly what differs, and what it keeps beyond the call points at nothing good. A broken rule fails the run with a
   sentence that names stage, rule and place.

   What is checked, by the rule's number:
   1. One thread at a time; the host's functions are called from the thread that is in the stage.
   2. Events in order of time, none before what was promised; the batch's own members left alone; room; payloads not
      written to and there as long as their batch; changed ones in its arena; rows and what their cells point at;
      nothing written to a batch when the call is over; nothing changed in a preview.
   3. Events that a stage does not look at (`wants`) go on as they are.
   4. Counters only go up, and are those that were declared.
   5. Types are published; no null where a column cannot have one.
   6. Text of rows is UTF-8.

   What cannot be: that a stage reads from a batch when the call is over (it finds the pattern of guard.h there; the
   address sanitizer stops it), how large memory is that a source keeps itself (only that a payload in it stays as it
   was; records not even that, for nobody but the source knows where one ends), and whether a pointer leads to memory at
   all where no address sanitizer watches. */
#ifndef RULES_H
#define RULES_H

#include "tw_plugin.h"

typedef struct rules rules; /* of one instance */
struct instance;

rules *rules_new(struct instance *i);
void rules_free(rules *r);

/* Around every call into the stage. */
void rules_enter(rules *r);
void rules_leave(rules *r);

/* A copy for read, events or preview; and what was left in it back into b. */
tw_batch *rules_lend(rules *r, const tw_batch *b);
void rules_take_back(rules *r, tw_batch *lent, tw_batch *b);
tw_rows *rules_lend_rows(const tw_rows *given);
void rules_take_back_rows(rules *r, tw_rows *lent, tw_rows *given);

void rules_calls(rules *r, const char *function);  /* a function of the host, on its instance */
void rules_emits(rules *r, const tw_batch *b);     /* a batch of its own, before it is sent */
void rules_has_rows(rules *r, const tw_rows *own); /* a block was made for it */
void rules_pushes(rules *r, const tw_rows *own);   /* before it is sent */
void rules_starts_again(rules *r);                 /* before `rewind` */
void rules_closes(rules *r);                       /* before `close`: what its batches point at may go now */

#endif
