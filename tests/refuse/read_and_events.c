/* read_and_events.c - refused: its stage is a source and a filter at once. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage stage = {
    .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .read = drop, .events = drop
};
TW_PLUGIN(read_and_events, "1.0", "MIT", &stage);
