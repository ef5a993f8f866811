/* newer_host.c - refused: it cannot do with less than interface 1.9. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage stage = { .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .events = drop };
static const tw_stage *const stages[] = { &stage, NULL };

TW_EXTERN TW_EXPORT const tw_plugin TW_SYMBOL(newer_host);
const tw_plugin TW_SYMBOL(newer_host) = { sizeof(tw_plugin), 9, 9, "newer_host", "1.0", "MIT", stages };
