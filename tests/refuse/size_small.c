/* size_small.c - refused: its tw_plugin is smaller than any that version 1 can have. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_stage stage = { .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .events = drop };
static const tw_stage *const stages[] = { &stage, NULL };

TW_EXTERN TW_EXPORT const tw_plugin TW_SYMBOL(size_small);
const tw_plugin TW_SYMBOL(size_small) = { 16, TW_ABI_MINOR, 0, "size_small", "1.0", "MIT", stages };
