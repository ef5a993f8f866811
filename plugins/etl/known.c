/* known.c - etl.schemas: every type of event that is known without a trace.

   One idea: a source without events, whose types are the built-in ones and those of the user's files; who shows types
   shows these. */
#include "learn.h"

extern const tw_stage etl_schemas_stage;

typedef struct known {
    tw_self tw;
    tw_input *const *manifest, *const *tmf; /* options */
    learn learn;
} known;

static int publish(void *context, const tw_type *t)
{
    return TW_HOST(context)->publish(context, t) ? TW_OK : TW_END;
}

static int open_known(void *self)
{
    known *s = self;
    return learn_open(&s->learn, self, s->manifest, s->tmf);
}

static int read_known(void *self, tw_batch *b)
{
    known *s = self;
    int status;

    learn_manifests(&s->learn, self);
    learn_tmfs(&s->learn, self);
    status = manifests_each(s->learn.known.of_user, publish, self);
    if (status == TW_OK) status = tmfs_each(s->learn.known.messages, publish, self);
    if (status == TW_OK) builtin_each(publish, self);
    b->upto = INT64_MAX;
    return TW_END;
}

static void close_known(void *self)
{
    known *s = self;
    learn_close(&s->learn);
}

// clang-format off
static const tw_option options[] = {
    TW_OPTION(known, manifest, TW_OPT_INPUTS, "$TRACEWEIR_MANIFESTS", "*.man|*.xml: manifests of providers"),
    TW_OPTION(known, tmf, TW_OPT_INPUTS, "$TRACEWEIR_TMF", "*.tmf: what WPP messages say"),
    { 0 }
};
// clang-format on

const tw_stage etl_schemas_stage = {
    .size = sizeof(tw_stage),
    .name = "schemas",
    .help = "no events, but every type of event that is built in or described by the given files",
    .state = sizeof(known),
    .options = options,
    .open = open_known,
    .read = read_known,
    .close = close_known,
};
