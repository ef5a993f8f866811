/* ledger.c - what a trace's events were decoded by, where something was lost, and what is odd about its clocks.

   One idea: reading keeps a few numbers for each type, buffer and session as it goes; what they mean is said at the end,
   as rows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/etw/guid.h"
#include "line.h"

// clang-format off
static const tw_field schema_columns[] = {
    { .name = "provider", .kind = TW_TEXT },
    { .name = "key", .kind = TW_TEXT, .help = "of the provider: its GUID, or kernel:03 and the like" },
    { .name = "decoded_by", .kind = TW_TEXT, .flags = TW_NULLABLE, .help = "which schema; none: no field is known" },
    { .name = "why", .kind = TW_TEXT, .flags = TW_NULLABLE, .help = "why no field is known, of the first type that is counted here" },
    { .name = "types", .kind = TW_U32, .help = "of events" },
    { .name = "events", .kind = TW_U64 },
    { .name = "bytes", .kind = TW_U64, .help = "in the file, with their headers; of compressed buffers, after unpacking" },
    { .name = "hint", .kind = TW_TEXT, .flags = TW_NULLABLE, .help = "what would help" },
};

static const tw_field loss_columns[] = {
    { .name = "file", .kind = TW_TEXT },
    { .name = "session", .kind = TW_U32 },
    { .name = "cpu", .kind = TW_U16 },
    { .name = "what", .kind = TW_TEXT },
    { .name = "after", .kind = TW_TIME, .flags = TW_NULLABLE, .help = "begin of this processor's buffer before the loss" },
    { .name = "before", .kind = TW_TIME, .help = "begin of its buffer after the loss" },
    { .name = "offset", .kind = TW_U64, .show = TW_SHOW_HEX, .help = "in the file, of the buffer after the loss" },
};

static const tw_field clock_columns[] = {
    { .name = "file", .kind = TW_TEXT },
    { .name = "session", .kind = TW_U32 },
    { .name = "fact", .kind = TW_TEXT },
    { .name = "at", .kind = TW_TIME, .flags = TW_NULLABLE },
    { .name = "by", .kind = TW_SPAN, .flags = TW_NULLABLE },
};
// clang-format on

#define TABLE(name, columns, help)                                                                                   \
    {                                                                                                                \
        sizeof(tw_table), sizeof columns / sizeof *columns, name, help, columns                                      \
    }

const tw_table read_schema_table = TABLE("trace_schemas", schema_columns, "what events were decoded by"),
               read_loss_table = TABLE("trace_losses", loss_columns, "places where the recording lost something"),
               read_clock_table = TABLE("trace_clocks", clock_columns, "what is odd about a session's clock");

/* Rows that a hostile file could make without end. */
enum { MOST_LOSSES = 10000, CPUS = ETW_CPU_INDEX + 1 };

/* ---- Schemas ---- */

typedef struct decoded { /* all types of a provider that were decoded alike */
    const tw_type *type; /* one of them */
    uint32_t types, need;
    uint64_t events, bytes;
} decoded;

static int compare_text(const char *a, const char *b)
{
    return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* Whatever the key: the loader's events have two. */
static int compare_decoders(const decoded *a, const decoded *b)
{
    const tw_type *left = a->type, *right = b->type;
    int order = compare_text(left->provider, right->provider);

    if (!order) order = memcmp(left->guid, right->guid, 16);
    if (!order) order = compare_text(left->origin, right->origin);
    return order ? order : (a->need > b->need) - (a->need < b->need);
}

static int by_decoder(const void *a, const void *b)
{
    const tw_type *left = ((const decoded *)a)->type, *right = ((const decoded *)b)->type;
    int order = compare_decoders(a, b);

    if (!order) order = compare_text(right->key, left->key);
    return order ? order : (left->number > right->number) - (left->number < right->number);
}

static int by_bytes(const void *a, const void *b)
{
    const decoded *left = a, *right = b;

    if (left->bytes != right->bytes) return left->bytes > right->bytes ? -1 : 1;
    return by_decoder(a, b);
}

static void put_maybe(line *l, const char *text)
{
    l->r->null[l->col][l->r->n] = !text || !*text;
    put_string(l, text ? text : "");
}

static int push_decoded(etl_read *s, const decoded *d)
{
    line l = line_begin(s, &read_schema_table);
    char key[GUID_TEXT];

    guid_write(d->type->guid, key);
    put_string(&l, d->type->provider);
    put_string(&l, d->type->key ? d->type->key : key);
    put_maybe(&l, d->type->origin);
    put_maybe(&l, d->type->origin ? NULL : d->type->why);
    put_u32(&l, d->types);
    put_u64(&l, d->events);
    put_u64(&l, d->bytes);
    put_maybe(&l, schema_hint((enum schema_need)d->need));
    return line_end(s, &l);
}

static int push_schemas(etl_read *s)
{
    const known_types *t = &s->types;
    decoded *all = malloc((t->n + 1) * sizeof *all);
    uint32_t n = 0, kept = 0;
    int status = TW_OK;

    if (!all) return tw_fail(s, "no memory for the table of %" PRIu32 " types of events", t->n);
    for (uint32_t i = 0; i < t->room; i++) {
        const known_type *k = &t->slot[i];
        if (!k->key || !k->events) continue;
        all[n++] = (decoded){
            .type = s->tw.type[k->type], .types = 1, .need = k->need, .events = k->events, .bytes = k->bytes
        };
    }
    qsort(all, n, sizeof *all, by_decoder);
    for (uint32_t i = 0; i < n; i++) {
        if (kept && !compare_decoders(&all[kept - 1], &all[i])) {
            all[kept - 1].types++;
            all[kept - 1].events += all[i].events;
            all[kept - 1].bytes += all[i].bytes;
        } else {
            all[kept++] = all[i];
        }
    }
    qsort(all, kept, sizeof *all, by_bytes);
    for (uint32_t i = 0; i < kept && status == TW_OK; i++) status = push_decoded(s, &all[i]);
    free(all);
    return status == TW_OK ? push_rest(s, &read_schema_table) : status;
}

/* ---- Losses ---- */

static int push_loss(etl_read *s, const entry *e, const entry *before)
{
    line l = line_begin(s, &read_loss_table);

    put_string(&l, read_file_name(s, e->file));
    put_u32(&l, e->session);
    ((uint16_t *)l.r->col[l.col++])[l.r->n] = e->cpu;
    put_string(&l, e->flags & ETW_FLAG_BUFFER_LOST ? "buffers" : "events");
    put_time(&l, before ? before->first : 0, before != NULL);
    put_time(&l, e->first, 1);
    put_u64(&l, e->at);
    return line_end(s, &l);
}

static int push_losses(etl_read *s)
{
    const entry **last = calloc(CPUS, sizeof(entry *)); /* of each processor, so far */
    int status = TW_OK;

    if (!last) return tw_fail(s, "no memory for the table of losses");
    for (size_t i = 0, n = 0; i < s->index.n && n < MOST_LOSSES && status == TW_OK; i++) {
        const entry *e = &s->index.entry[i], **before = &last[e->cpu & ETW_CPU_INDEX];
        if (e->flags & (ETW_FLAG_EVENTS_LOST | ETW_FLAG_BUFFER_LOST)) {
            status = push_loss(s, e, *before && (*before)->session == e->session ? *before : NULL);
            n++;
        }
        *before = e;
    }
    free(last);
    return status == TW_OK ? push_rest(s, &read_loss_table) : status;
}

/* ---- Clocks ---- */

typedef struct facts { /* about one session's clock */
    uint32_t n;
    struct {
        const char *what;
        int64_t at, by; /* 0: not said */
    } fact[8];
    char frequency[64];
} facts;

static void add(facts *f, const char *what, int64_t at, int64_t by)
{
    f->fact[f->n].what = what;
    f->fact[f->n].at = at;
    f->fact[f->n++].by = by;
}

static int64_t minus(int64_t a, int64_t b)
{
    if (b < 0 && a > INT64_MAX + b) return INT64_MAX;
    return b > 0 && a < INT64_MIN + b ? INT64_MIN : a - b;
}

static void find_facts(const session *of, const span *seen, facts *f)
{
    const int64_t second = INT64_C(1000000000), year_1990 = INT64_C(631152000) * second;
    const int64_t least_hz = 1000, most_hz = INT64_C(10000000000);

    if (!of->has_header) {
        add(f, "no log-file header: times count from the first event, in 1970", 0, 0);
        return;
    }
    if (of->log.clock == ETW_CLOCK_CPU) add(f, "times are CPU cycles: they need not agree between processors", 0, 0);
    if (of->log.clock == ETW_CLOCK_SYSTEM)
        add(f, "times are the system's clock, which stands still between two clock interrupts", 0,
            (int64_t)of->log.resolution * 100);
    if (of->clock.hz < least_hz || of->clock.hz > most_hz) {
        snprintf(f->frequency, sizeof f->frequency, "a frequency of %" PRId64 " Hz", of->clock.hz);
        add(f, f->frequency, 0, 0);
    }
    if (of->begin < year_1990) add(f, "a session that began before 1990", of->begin, 0);
    if (of->end && of->end < of->begin)
        add(f, "a session that ended before it began", of->end, minus(of->begin, of->end));
    if (!seen->events) return;
    if (minus(of->begin, seen->first) > second)
        add(f, "events before the session's begin", seen->first, minus(of->begin, seen->first));
    /* Who merges a trace adds descriptions to it, which are written when the session is long over. */
    if (!(of->log.mode & ETW_MODE_RELOG) && of->end > of->begin && minus(seen->last, of->end) > second)
        add(f, "events after the session's end", seen->last, minus(seen->last, of->end));
}

static int push_clocks(etl_read *s, uint32_t number)
{
    facts f = { 0 };

    find_facts(&s->index.session[number], &s->seen[number], &f);
    for (uint32_t i = 0; i < f.n; i++) {
        line l = line_begin(s, &read_clock_table);
        put_string(&l, read_file_name(s, s->index.session[number].file));
        put_u32(&l, number);
        put_string(&l, f.fact[i].what);
        put_time(&l, f.fact[i].at, f.fact[i].at != 0);
        put_time(&l, f.fact[i].by, f.fact[i].by != 0); /* a span's cell is like a time's */
        if (line_end(s, &l) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

int read_push_ledger(etl_read *s)
{
    if (push_schemas(s) != TW_OK || push_losses(s) != TW_OK) return TW_ERROR;
    for (uint32_t i = 0; i < s->index.nsessions; i++)
        if (push_clocks(s, i) != TW_OK) return TW_ERROR;
    return push_rest(s, &read_clock_table);
}
