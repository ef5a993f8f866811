/* no_callback.c - refused: its stage can do nothing. */
#include "tw_plugin.h"

static const tw_stage stage = { .size = sizeof stage, .name = "drop", .state = sizeof(tw_self) };
TW_PLUGIN(no_callback, "1.0", "MIT", &stage);
