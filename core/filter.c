/* filter.c - the stage `filter`: a Lua function of named values decides which events stay.

   One idea: the loop around the function (lua_loop.c) moves what stays to the front of the batch, in Lua, since leaving
   compiled code for each event would cost more than the function. */
#include "lua_loop.h"
#include "stock.h"

typedef struct filter {
    tw_self tw;
    const char *key; /* option */
    loop loop;
} filter;

static const char head[] = "local keep = call\n"
                           "return function()\n"
                           "  local batch = view.batch\n"
                           "  local event, recipe, to = batch.event, view.recipe, view.to\n"
                           "  for i = view.at, view.n - 1 do\n"
                           "    local e, stay = event + i\n"
                           "    local which = recipe[e.type]\n";

static const char tail[] = "    end\n"
                           "    if stay then\n"
                           "      if to ~= i then copy(event + to, e, 48) end\n"
                           "      to = to + 1\n"
                           "    end\n"
                           "  end\n"
                           "  view.at, view.to = view.n, to\n"
                           "end\n";

_Static_assert(sizeof(tw_event) == 48, "the chunk copies events by this size");

static int filter_open(void *self)
{
    filter *f = self;

    f->loop.call_text = "stay = keep(";
    f->loop.mark_text = "view.at, view.to = i, to\n";
    if (loop_open(&f->loop, self, "filter", f->key, NULL) != TW_OK) return TW_ERROR;
    text_put(&f->loop.head, head);
    text_format(&f->loop.tail, "else\nstay = %s\n%s", f->loop.drop ? "false" : "true", tail);
    return loop_type(&f->loop, f->tw.type[0]); /* nobody publishes the unknown type */
}

static int filter_type(void *self, const tw_type *t)
{
    return loop_type(&((filter *)self)->loop, t);
}

static int filter_events(void *self, tw_batch *b)
{
    filter *f = self;

    if (!b->n) return TW_OK;
    if (!f->loop.nrecipes) { /* no type that fits was seen yet */
        if (f->loop.drop) b->n = 0;
        return TW_OK;
    }
    f->loop.view.at = f->loop.view.to = 0;
    if (loop_run(&f->loop, b) != TW_OK) return TW_ERROR;
    b->n = (uint32_t)f->loop.view.to;
    return TW_OK;
}

static int filter_end(void *self)
{
    loop_end(&((filter *)self)->loop);
    return TW_OK;
}

static void filter_close(void *self)
{
    loop_close(&((filter *)self)->loop);
}

static const tw_option options[] = { TW_OPTION(filter, key, TW_OPT_TEXT, NULL, NULL), { 0 } };

static const tw_counter counters[] = {
    { "script_errors", "events left out because the function failed on them", TW_SKIPPED }, { 0 }
};

const tw_stage filter_stage = {
    .size = sizeof(tw_stage),
    .name = "filter",
    .help =
        "Keep the events for which a Lua function of named values gives true, as in\n"
        "  filter {\n"
        "    on = \"DiskIo/Read\",                    -- or a list; other events pass, or not: others = \"drop\"\n"
        "    need = { \"pid\", \"TransferSize\" },      -- what keep is given; \"Irp:hex\" as text\n"
        "    keep = function(pid, size) return pid ~= 4 and size > 64 * KiB end,\n"
        "    errors = \"count\",                      -- go on after an error; without it the first one ends the "
        "run\n"
        "  }",
    .state = sizeof(filter),
    .options = options,
    .counters = counters,
    .open = filter_open,
    .type = filter_type,
    .events = filter_events,
    .end = filter_end,
    .close = filter_close,
};
