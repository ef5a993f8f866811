/* stage_tail_used.c - refused: its stage uses a member of tw_stage that this host does not know. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

typedef struct newer { /* what a later minor version may look like */
    tw_stage now;
    int (*added)(void *self);
} newer;

static int added(void *self)
{
    (void)self;
    return TW_OK;
}

static const newer stage = {
    { .size = sizeof(newer), .name = "drop", .state = sizeof(tw_self), .events = drop },
    added,
};
TW_PLUGIN(stage_tail_used, "1.0", "MIT", &stage.now);
