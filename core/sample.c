/* sample.c - the stage `sample`: some of the events, evenly or by what they belong to.

   One idea: chance is a hash. Whether an event goes on depends on the one value that is asked about, so all events of a
   process stay together, and the same trace gives the same events on every machine. */
#include <inttypes.h>

#include "column.h"
#include "key.h"
#include "stock.h"
#include "unit.h"

typedef struct sample {
    tw_self tw;
    int64_t every; /* options */
    const char *part;
    const char *by;
    uint64_t passed; /* events so far */
    double share;    /* of all hashes; 2^64: all */
    column column;
    const name *name[TW_TYPES]; /* what `by` is of a type; NULL: not asked yet */
    arena memory;
} sample;

static int read_part(sample *s)
{
    size_t n = strlen(s->part);
    char *number = arena_text(&s->memory, s->part, n);
    text why = { 0 };
    double percent = -1;

    if (n && number[n - 1] == '%') {
        number[n - 1] = 0;
        if (unit_float(number, &percent, &why) != TW_OK) percent = -1;
        text_free(&why);
    }
    if (!(percent >= 0 && percent <= 100))
        return TW_HOST(s)->misuse(s, "part is written in percent, as in part = \"1%%\", not \"%s\"", s->part);
    s->share = percent / 100 * 18446744073709551616.0;
    return TW_OK;
}

static int sample_open(void *self)
{
    sample *s = self;

    if (!*s->part) {
        if (*s->by)
            return TW_HOST(self)->misuse(self, "by needs a part, as in sample { part = \"1%%\", by = \"%s\" }",
                                         s->by);
        if (s->every > 0) return TW_OK;
        return TW_HOST(self)->misuse(self, "how many? write sample { every = 100 } or sample { part = \"1%%\" }");
    }
    if (s->every)
        return TW_HOST(self)->misuse(self, "either every n-th event or a part of them; leave every or part away");
    if (read_part(s) != TW_OK) return TW_ERROR;
    return *s->by ? column_read(self, s->by, &s->column) : TW_OK;
}

static const name *name_for(sample *s, uint32_t type)
{
    name *n = arena_alloc(&s->memory, sizeof *n);

    name_resolve(s->tw.type[type], s->column.word, n);
    column_learn(&s->column, n);
    return s->name[type] = n;
}

/* What decides on an event: its value, or where there is no `by`, its place among all. */
static int is_chosen(sample *s, tw_batch *b, const tw_event *e)
{
    tw_value v = { .kind = TW_U64, .u = s->passed };

    if (*s->by) {
        const name *n = s->name[e->type] ? s->name[e->type] : name_for(s, e->type);
        if (name_get(s, b, e, n, &v) != TW_OK) v.kind = 0;
        key_normal(&v);
    }
    return (double)key_hash(&v, 1, 0) < s->share;
}

static int sample_events(void *self, tw_batch *b)
{
    sample *s = self;
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++, s->passed++) {
        const tw_event *e = &b->event[i];
        if (s->every ? s->passed % (uint64_t)s->every != 0 : !is_chosen(s, b, e)) continue;
        if (n != i) b->event[n] = *e;
        n++;
    }
    b->n = n;
    return TW_OK;
}

static int sample_end(void *self)
{
    sample *s = self;
    if (*s->by) column_remark(self, &s->column, 1);
    return TW_OK;
}

static void sample_close(void *self)
{
    arena_free(&((sample *)self)->memory);
}

static const tw_option options[] = {
    { "every", "0", "every n-th event, the first one too: every = 100", TW_OPT_INT, offsetof(sample, every) },
    { "part", "", "a part of the events, the same ones in every run: part = \"1%\"", TW_OPT_TEXT,
      offsetof(sample, part) },
    { "by", "", "what stays together: by = \"pid\" takes that part of the processes, with all of their events",
      TW_OPT_TEXT, offsetof(sample, by) },
    { 0 },
};

const tw_stage sample_stage = {
    .size = sizeof(tw_stage),
    .name = "sample",
    .help = "Let some of the events through: sample { every = 100 }, sample { part = \"1%\", by = \"pid\" }",
    .state = sizeof(sample),
    .options = options,
    .open = sample_open,
    .events = sample_events,
    .end = sample_end,
    .close = sample_close,
};
