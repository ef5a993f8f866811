/* open_fails.c - good, but its source fails in open, and it counts how often close is called. */
#include "tw_plugin.h"

TW_EXTERN TW_EXPORT int open_fails_closed;
int open_fails_closed;

static int fail_to_open(void *self)
{
    return tw_fail(self, "it never opens");
}

static int never(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static void count_close(void *self)
{
    (void)self;
    open_fails_closed++;
}

static const tw_stage stage = {
    .size = sizeof stage,
    .name = "read",
    .state = sizeof(tw_self),
    .open = fail_to_open,
    .read = never,
    .close = count_close,
};
TW_PLUGIN(open_fails, "1.0", "MIT", &stage);
