/* stage_twice.c - refused: two of its stages have the same name. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage one = { .size = sizeof one, .name = "drop", .state = sizeof(tw_self), .events = drop };
static const tw_stage two = { .size = sizeof two, .name = "drop", .state = sizeof(tw_self), .events = drop };
TW_PLUGIN(stage_twice, "1.0", "MIT", &one, &two);
