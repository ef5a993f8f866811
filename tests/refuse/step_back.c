/* step_back.c - not refused: its stage lets events step back in time, which only the checker of rules finds. */
#include "tw_plugin.h"

static int swap(void *self, tw_batch *b)
{
    (void)self;
    if (b->n < 2) return TW_OK;
    tw_event last = b->event[b->n - 1];
    b->event[b->n - 1] = b->event[0];
    b->event[0] = last;
    return TW_OK;
}

static const tw_stage stage = {
    .size = sizeof stage, .name = "swap", .help = "Swap first and last.", .state = sizeof(tw_self), .events = swap
};
TW_PLUGIN(step_back, "1.0", "MIT", &stage);
