/* where.c - the stage `where`: events that fit an expression go on.

   One idea: all the work is the expression's; types that it can decide cost one look at a table an event. */
#include "bus.h"
#include "expr.h"

typedef struct where {
    tw_self tw;
    const char *expr; /* options */
    int describe;
    expr *x;
    text why;
} where;

enum { PATTERN_LIMITS };

static int open_expression(void *self)
{
    where *s = self;
    s->x = expr_new(s->expr, &s->why);
    return s->x ? TW_OK : TW_HOST(self)->misuse(self, "%s", text_of(&s->why));
}

static int prepare(void *self, const tw_type *t)
{
    where *s = self;

    if (expr_type(s->x, t, &s->why) != TW_OK) return tw_fail(self, "%s", text_of(&s->why));
    if (s->describe && t->flags & TW_DESCRIBES) expr_let_pass(s->x, t->id);
    return TW_OK;
}

static int keep(void *self, tw_batch *b)
{
    where *s = self;
    int rc = expr_keep(s->x, self, b, &s->why);

    s->tw.count[PATTERN_LIMITS] = expr_given_up(s->x);
    return rc == TW_OK ? TW_OK : tw_fail(self, "%s", text_of(&s->why));
}

static void remark(void *self, const char *sentence)
{
    tw_log(self, TW_WARNING, "%s", sentence);
}

static int end(void *self)
{
    expr_remarks(((where *)self)->x, bus_types(self), remark, self);
    return TW_OK;
}

static void let_go(void *self)
{
    where *s = self;
    expr_free(s->x);
    text_free(&s->why);
}

static const tw_option options[] = {
    { "expr", NULL, "which events go on: \"pid == 4 and TransferSize > 64*KiB\"", TW_OPT_TEXT,
      offsetof(where, expr) },
    { "describe", "false",
      "let those through as well that describe others, so that a trace of what is left can be read", TW_OPT_BOOL,
      offsetof(where, describe) },
    { 0 },
};

static const tw_counter counters[] = {
    { "pattern limits", "texts that a pattern took too long on, or longer than 64 KiB; they count as not matching",
      TW_WARNING },
    { 0 },
};

const tw_stage where_stage = {
    .size = sizeof(tw_stage),
    .name = "where",
    .help = "Let the events through that fit a condition: where \"provider == 'DiskIo' and time < 10s\"",
    .state = sizeof(where),
    .options = options,
    .counters = counters,
    .open = open_expression,
    .type = prepare,
    .events = keep,
    .end = end,
    .close = let_go,
};
