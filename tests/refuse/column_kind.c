/* column_kind.c - refused: no row can hold a cell of its column's kind. */
#include "tw_plugin.h"

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static const tw_field columns[] = { { .name = "path", .kind = TW_TEXT16 } };
static const tw_table table = { sizeof table, 1, "paths", "Paths.", columns };
static const tw_table *const makes[] = { &table, NULL };
static const tw_stage stage = {
    .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .makes = makes, .events = drop
};
TW_PLUGIN(column_kind, "1.0", "MIT", &stage);
