/* option_outside.c - refused: filling its option would write behind its state. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

typedef struct state {
    tw_self tw;
    int64_t limit;
} state;

static const tw_option options[] = { TW_OPTION(state, limit, TW_OPT_INT, "1", "how many"), { 0 } };
static const tw_stage stage = {
    .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .options = options, .events = drop
};
TW_PLUGIN(option_outside, "1.0", "MIT", &stage);
