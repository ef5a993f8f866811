/* kernel.c - synth.kernel: the make-believe computer of model.h as events of the Windows kernel.

   One idea: an event is laid out as the kernel would have written it, header and all, so every later stage meets what it
   would meet in a trace file: the record, its ticks, the payload, and the header of the log file. */
#include "kernel.h"
#include "../etl/headers.h"
#include "clock.h"
#include "encode.h"
#include "model.h"
#include "record.h"
#include "tracelogging.h"

#include <stdio.h>
#include <stdlib.h>

extern const tw_stage synth_kernel;

enum {
    TICK_NS = 1000000000 / MODEL_TICKS_HZ,
    BOOT_TICKS = 36000, /* the clock at the start, in units of 2^20 ticks: the computer runs for about an hour */
    BLOCK = 128 << 10,  /* bytes taken from a batch at once */
    BURST = 50          /* events that are lost together, and as many that are kept between */
};

typedef struct source {
    tw_self tw;
    int64_t seed, length, cpus, processes, rate, start, lose;
    int profile, build, pointer, stacks; /* places in their choices; then pointer is 8 or 4 */
    tw_output *truth;                    /* NULL: nobody asks */
    model *model;
    encoder encoder;
    uint32_t type[HAPPENING_KINDS];
    store store;   /* fields of events that describe themselves */
    uint8_t *free; /* of the block in use */
    uint32_t left;
    uint64_t events, lost; /* of this pass */
} source;

enum { PROFILE_SMALL, PROFILE_SERVER80 };

// clang-format off
static const tw_option options[] = {
    TW_OPTION(source, seed, TW_OPT_INT, "1", "equal numbers make equal traces"),
    TW_OPTION(source, profile, TW_OPT_CHOICE, "small",
              "small|server80: what length, rate, cpus and processes are where they are 0: 10s, 10000, 4 and 20; or, "
              "a busy server with long stacks, 11.7s, 245000, 80 and 140"),
    TW_OPTION(source, length, TW_OPT_SPAN, "0s", "time from the first event to the last; 0: the profile's"),
    TW_OPTION(source, rate, TW_OPT_INT, "0", "events in a second, about; 0: the profile's"),
    TW_OPTION(source, cpus, TW_OPT_INT, "0", "processors, 1 to 1024; 0: the profile's"),
    TW_OPTION(source, processes, TW_OPT_INT, "0",
              "that run at a time, about, beside the system's own; 1 to 4096; 0: the profile's"),
    TW_OPTION(source, start, TW_OPT_TIME, "2026-01-01T00:00:00Z", "of the trace"),
    TW_OPTION(source, build, TW_OPT_CHOICE, "win10",
              BUILD_CHOICE ": the Windows whose events and versions of events they are"),
    TW_OPTION(source, pointer, TW_OPT_CHOICE, "8", "8|4: bytes of a pointer"),
    TW_OPTION(source, stacks, TW_OPT_CHOICE, "auto",
              "auto|keys|plain|none: how call stacks are told: by keys of a cache (win8 and later), as they are, or not; "
              "auto: keys, of profile server80 plain"),
    TW_OPTION(source, lose, TW_OPT_INT, "0", "events that the recording loses, in bursts; a quarter of all at most"),
    TW_OPTION(source, truth, TW_OPT_OUTPUT, "", "a file for what an analysis must find: JSON, an object a line"),
    { 0 }
};

static const struct { int64_t length, rate, cpus, processes; } profiles[] = {
    [PROFILE_SMALL]    = { INT64_C(10000000000), 10000, 4, 20 },
    [PROFILE_SERVER80] = { INT64_C(11700000000), 245000, 80, 140 },
};
// clang-format on

static int64_t boot_ticks(void)
{
    return (int64_t)BOOT_TICKS << 20;
}

/* ---- Options ---- */

static int check_range(source *s, const char *name, int64_t *value, int64_t otherwise, int64_t most)
{
    if (*value == 0) *value = otherwise;
    if (*value >= 1 && *value <= most) return TW_OK;
    return s->tw.host->misuse(s, "%s = %lld: it must be from 1 to %lld", name, (long long)*value, (long long)most);
}

static int check_options(source *s)
{
    const int64_t longest = INT64_C(1) << 54; /* ns, about 208 days: what the model counts time in has room for it */
    int profile = s->profile;

    if (check_range(s, "cpus", &s->cpus, profiles[profile].cpus, 1024) ||
        check_range(s, "processes", &s->processes, profiles[profile].processes, 4096) ||
        check_range(s, "rate", &s->rate, profiles[profile].rate, 4000000))
        return TW_ERROR;
    if (s->length == 0) s->length = profiles[profile].length;
    if (s->length < TICK_NS || s->length > longest)
        return s->tw.host->misuse(s, "length must be from 100ns to 208d, such as 10s");
    if (s->lose < 0 ||
        s->lose > s->length / 4 / 1000000000 * s->rate + s->length / 4 % 1000000000 * s->rate / 1000000000)
        return s->tw.host->misuse(s, "lose = %lld: it must be from 0 to a quarter of rate times length",
                                  (long long)s->lose);
    if (s->stacks == 1 && s->build < BUILD_8)
        return s->tw.host->misuse(s, "stacks = keys: Windows has them since 8, so build must be win8 or later");
    /* A log-file header tells the start in 100 ns; and the clock at the start is boot_ticks. */
    s->start -= s->start % TICK_NS + (s->start % TICK_NS < 0 ? TICK_NS : 0);
    if (s->start > INT64_MAX - longest) return s->tw.host->misuse(s, "start is too late");
    return TW_OK;
}

/* ---- Types ---- */

static void describe_kernel(const source *s, const build_event *e, unsigned version, char *key, size_t cap,
                            tw_type *t)
{
    kernel_layout l;

    if (e->form == FORM_KERNEL) {
        kernel_by_group(e->group, e->opcode, version, (unsigned)s->pointer, &l);
        snprintf(key, cap, "kernel:%02x", e->group);
        t->key = key;
    } else {
        kernel_by_guid(merged_guids[e->group], e->opcode, version, (unsigned)s->pointer, &l);
    }
    t->provider = l.provider;
    t->name = l.name;
    memcpy(t->guid, l.guid, sizeof t->guid);
    t->field = l.field;
    t->nfields = l.nfields;
    t->number = e->opcode;
    t->origin = "built in";
}

static int describe_self(source *s, happening_kind kind, tw_type *t)
{
    const self_schema *schema = &s->encoder.schema[kind - REQUEST_START], *traits = &s->encoder.traits;
    uint8_t group[16];
    const char *why;

    if (!tracelogging_read(schema->at, schema->bytes, &s->store, t, &why)) return 0;
    t->provider = traits_provider(traits->at, traits->bytes, &s->store, group);
    memcpy(t->guid, self_guid, sizeof t->guid);
    t->channel = 11;
    t->level = 4;
    t->keyword = 1;
    return t->provider != NULL;
}

static int publish(source *s, happening_kind kind)
{
    const build_event *e = &build_events[kind];
    uint8_t version = build_version(&builds[s->build], kind);
    char key[16];
    tw_type t = { .size = sizeof t, .version = version, .opcode = e->opcode, .pointer = (uint8_t)s->pointer };

    if (version == NO_EVENT) return TW_OK;
    if (e->form != FORM_SELF)
        describe_kernel(s, e, version, key, sizeof key, &t);
    else if (!describe_self(s, kind, &t))
        return tw_fail(s, "no memory for the fields of %s", t.name ? t.name : "an event");
    s->type[kind] = s->tw.host->publish(s, &t);
    return s->type[kind] ? TW_OK : tw_fail(s, "the event %s/%s could not be published", t.provider, t.name);
}

/* ---- The stage ---- */

static int write_truth(void *to, const char *line, size_t n)
{
    source *s = to;

    return s->tw.host->write(s->truth, line, n);
}

static int open_source(void *self)
{
    source *s = self;
    model_options o;

    if (check_options(s) != TW_OK) return TW_ERROR;
    s->pointer = s->pointer == 0 ? 8 : 4;
    o = (model_options){
        .seed = (uint64_t)s->seed,
        .ticks = (uint64_t)(s->length / TICK_NS),
        .lose = (uint64_t)s->lose,
        .cpus = (uint32_t)s->cpus,
        .processes = (uint32_t)s->processes,
        .rate = (uint32_t)s->rate,
        .pointer = (uint32_t)s->pointer,
        .build = (uint32_t)s->build,
        .interval = s->profile == PROFILE_SERVER80 ? 10000 : 0, /* 1 ms */
        .server = s->profile == PROFILE_SERVER80,
        .stacks = s->stacks == 3                                     ? MODEL_STACKS_NONE
                  : s->stacks == 2 || (s->stacks == 0 && s->profile) ? MODEL_STACKS_PLAIN
                                                                     : MODEL_STACKS_KEYS,
        .write = s->truth ? write_truth : NULL,
        .to = s,
    };
    s->model = model_new(&o);
    if (!s->model) return tw_fail(s, "no memory for %lld processes", (long long)s->processes);
    encode_init(&s->encoder, &(encode_options){
                                 .pointer = o.pointer,
                                 .build = o.build,
                                 .cpus = o.cpus,
                                 .interval = model_interval(s->model),
                                 .boot = (uint64_t)boot_ticks(),
                                 .start = ns_filetime(s->start),
                                 .ticks = o.ticks,
                                 .lost = o.lose,
                             });
    for (int kind = 0; kind < HAPPENING_KINDS; kind++) {
        if (publish(s, (happening_kind)kind) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

/* The recording loses every second burst from the first thousand events on, until it has lost as many as were asked for. */
static int is_lost(source *s)
{
    uint64_t n = s->events++;

    if (s->lost == (uint64_t)s->lose || n < 1000 || n / BURST % 2) return 0;
    s->lost++;
    return 1;
}

/* The record stands in the batch's memory: header, then payload; the next begins at a multiple of 8, as in a file. */
static void put_event(source *s, tw_batch *b, const happening *h)
{
    uint32_t header, bytes;
    tw_event *e;

    if (s->left < ENCODE_MOST) {
        s->free = s->tw.host->alloc(b, BLOCK);
        s->left = BLOCK;
    }
    bytes = encode(&s->encoder, h, s->free, &header);
    e = &b->event[b->n++];
    *e = (tw_event){
        .time = s->start + (int64_t)h->ticks * TICK_NS,
        .record = s->free,
        .data = s->free + header,
        .bytes = bytes - header,
        .type = s->type[h->kind],
        .pid = h->pid,
        .tid = h->tid,
        .cpu = h->cpu,
    };
    model_told(s->model, h, e->bytes);
    bytes = (bytes + ETW_PAD - 1) & ~(ETW_PAD - 1u);
    s->free += bytes;
    s->left -= bytes;
    b->upto = e->time;
}

static int read_source(void *self, tw_batch *b)
{
    source *s = self;

    s->left = 0; /* the block was the last batch's */
    while (b->n < b->cap) {
        const happening *h = model_next(s->model);

        if (!h) {
            if (model_truth(s->model) != TW_OK) return TW_ERROR;
            return TW_END;
        }
        if (!is_lost(s)) put_event(s, b, h);
    }
    return TW_OK;
}

static int rewind_source(void *self)
{
    source *s = self;

    model_restart(s->model);
    s->events = s->lost = 0;
    return TW_OK;
}

static int extra(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    const source *s = self;
    record r;

    if (!e->record) return TW_END;
    if (what < EXTRA_LOG_HEADER) return record_extra(e->record, what, item, v);
    if (what > EXTRA_LOG_HEADER || item > 0 ||
        record_read(s->encoder.log_header, sizeof s->encoder.log_header, &r) != RECORD_GOOD)
        return TW_END;
    *v = (tw_value){ .kind = TW_BYTES, .t = { (const char *)r.at, r.size, 0 } };
    return TW_OK;
}

static int clock_of(void *self, const tw_event *e, tw_clock *c)
{
    const source *s = self;

    (void)e; /* one clock for all */
    *c = (tw_clock){
        .ticks = boot_ticks(),
        .time = s->start,
        .hz = MODEL_TICKS_HZ,
        .begin = s->start,
        .end = s->start + s->length,
    };
    return TW_OK;
}

static void close_source(void *self)
{
    source *s = self;

    model_free(s->model);
    store_free(&s->store);
}

const tw_stage synth_kernel = {
    .size = sizeof(tw_stage),
    .flags = TW_REWIND,
    .name = "kernel",
    .help = "Make up the events of a computer at work, all that its kernel records, and the truth about them.",
    .state = sizeof(source),
    .options = options,
    .open = open_source,
    .read = read_source,
    .rewind = rewind_source,
    .extra = extra,
    .clock = clock_of,
    .close = close_source,
};
