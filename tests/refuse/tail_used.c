/* tail_used.c - refused: it uses a member of tw_plugin that this host does not know. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage stage = { .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .events = drop };
static const tw_stage *const stages[] = { &stage, NULL };

typedef struct newer { /* what a later minor version may look like */
    tw_plugin now;
    const char *added;
} newer;

TW_EXTERN TW_EXPORT const newer TW_SYMBOL(tail_used);
const newer TW_SYMBOL(tail_used) = { { sizeof(newer), TW_ABI_MINOR + 1, 0, "tail_used", "1.0", "MIT", stages },
                                     "new" };
