/* slow_disk.c - slow_disk.keep: of all disk requests, only those that took longer than a limit.

   A filter with an option, a counter and a field of the payload. Which field that is depends on the type of event, so it
   is looked up once for each type; the host decodes it, ticks of the trace's clock included. */
#include "tw_plugin.h"

typedef struct keeper {
    tw_self tw;               /* first, always */
    int64_t over;             /* option, ns */
    uint16_t field[TW_TYPES]; /* by type: 1 + the index of its duration; 0: no disk request */
} keeper;

enum { WITHOUT_DURATION };

static const tw_option options[] = { TW_OPTION(keeper, over, TW_OPT_SPAN, "10ms", "how slow is slow"), { 0 } };
static const tw_counter counters[] = {
    { "without duration", "disk requests that do not tell how long they took", TW_SKIPPED }, { 0 }
};
static const char *const wants[] = { "DiskIo/Read", "DiskIo/Write", NULL };

static int type(void *self, const tw_type *t)
{
    keeper *k = self;
    int field = TW_HOST(self)->field(t, "HighResResponseTime");
    if (field >= 0) k->field[t->id] = (uint16_t)(field + 1);
    return TW_OK;
}

static int is_fast(keeper *k, tw_batch *b, const tw_event *e)
{
    tw_value took;
    if (TW_HOST(k)->get(k, b, e, k->field[e->type] - 1, &took) != TW_OK) {
        tw_count(k, WITHOUT_DURATION, 1); /* cut short: counted and dropped, no reason to stop */
        return 1;
    }
    return took.i <= k->over;
}

static int events(void *self, tw_batch *b)
{
    keeper *k = self;
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        if (k->field[e->type] && is_fast(k, b, e)) continue; /* all other events stay in, in their place */
        b->event[n++] = *e;
    }
    b->n = n;
    return TW_OK;
}

static const tw_stage keep = {
    .size = sizeof(tw_stage),
    .name = "keep",
    .help = "Drop disk requests that were fast.",
    .state = sizeof(keeper),
    .options = options,
    .counters = counters,
    .wants = wants,
    .type = type,
    .events = events,
};

TW_PLUGIN(slow_disk, "1.0", "MIT", &keep);
