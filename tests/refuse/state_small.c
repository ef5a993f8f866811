/* state_small.c - refused: its state has no room for what every state begins with. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage stage = { .size = sizeof stage, .name = "drop", .state = sizeof(tw_self) - 1, .events = drop };
TW_PLUGIN(state_small, "1.0", "MIT", &stage);
