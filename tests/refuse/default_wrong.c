/* default_wrong.c - refused: its option has a default that is not of its kind. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

typedef struct state {
    tw_self tw;
    int64_t over;
} state;

static const tw_option options[] = { TW_OPTION(state, over, TW_OPT_SPAN, "ten", "how slow"), { 0 } };
static const tw_stage stage = {
    .size = sizeof stage, .name = "drop", .state = sizeof(state), .options = options, .events = drop
};
TW_PLUGIN(default_wrong, "1.0", "MIT", &stage);
