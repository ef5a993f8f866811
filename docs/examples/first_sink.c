/* first_sink.c - first_sink.tally: how many bytes of payload pass by, as a counter that the host shows. */
#include "tw_plugin.h"

static const tw_counter counters[] = { { "bytes", "of payload that passed", TW_INFO }, { 0 } };

static int events(void *self, tw_batch *b)
{
    for (uint32_t i = 0; i < b->n; i++) tw_count(self, 0, b->event[i].bytes);
    return TW_OK;
}

static const tw_stage tally = { .size = sizeof(tw_stage),
                                .name = "tally",
                                .help = "Count bytes of payload.",
                                .state = sizeof(tw_self),
                                .counters = counters,
                                .events = events };
TW_PLUGIN(first_sink, "1.0", "MIT", &tally);
