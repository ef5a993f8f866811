/* other_name.c - refused: it says its name is another than the file has. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage stage = { .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .events = drop };
TW_PLUGIN(another, "1.0", "MIT", &stage);
