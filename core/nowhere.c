/* nowhere.c - what a pipeline made that nobody took: most likely its sink was forgotten.

   One idea: rows that no stage behind their maker reads, and events behind which no stage does anything, are told of once
   a run. Stages that only let through or hold back make nothing of what they are given; any other may. */
#include <stdlib.h>

#include "instance.h"
#include "stock.h"

static int only_passes(const instance *i)
{
    static const tw_stage *const filters[] = { &where_stage, &filter_stage, &between_stage,
                                               &limit_stage, &sample_stage, &drop_stage,
                                               NULL };
    const tw_stage *const *f = filters;

    while (*f && *f != i->stage) f++;
    return *f != NULL;
}

/* The first table of which i made rows, where no row that it made was read by anybody; else NULL. */
static const tw_table *unread_table(const instance *i)
{
    const tw_table *first = NULL;

    for (uint32_t k = 0; k < i->nblocks; k++) {
        const block *made = &i->block[k];
        if (!made->used) continue;
        if (graph_reads(i, made->table, only_passes)) return NULL;
        if (!first) first = made->table;
    }
    return first;
}

/* Were there events, and only filters behind the sources? */
static int events_unused(const bus *b)
{
    uint64_t events = 0;

    for (uint32_t k = 0; k < b->nfeeds; k++) events += b->feed[k]->source->sum.events_out;
    for (uint32_t k = 0; k < b->n; k++) {
        const instance *i = b->all[k];
        if (!i->stage->read && !only_passes(i)) return 0;
        if (unread_table(i)) return 0; /* which is told already */
    }
    return events && b->n;
}

void bus_warn_of_nowhere(bus *b)
{
    for (uint32_t k = 0; k < b->n; k++) {
        const tw_table *t = unread_table(b->all[k]);
        if (t)
            tw_log(b->all[k]->state, TW_WARNING,
                   "the rows of '%s' went nowhere: end the pipeline with a sink, such as text.grid {}", t->name);
    }
    if (events_unused(b))
        tw_log(b->feed[0]->source->state, TW_WARNING,
               "its events went nowhere: put a stage behind it that makes something of them, such as "
               "count { \"name\" }, text.grid {}; or null {} to say that this is meant");
}
