/* bench_filter.c - what a condition costs an event: as an expression, and as a function in Lua.

   One idea: all five look at the same random events, whose answers no branch predictor can guess, and the time is the
   stage's own, as the report has it. Prints ns/event, the best of several runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "os.h"
#include "script.h"

enum { EVENTS = 1 << 22, KEPT = 1 << 16, RUNS = 5 };

typedef struct record { /* header and payload of one event */
    uint32_t pid, tid;
    uint16_t cpu;
    uint8_t payload[16]; /* Size u32, Offset u64, Flags u32 */
} record;

static record records[KEPT];

static uint32_t random_number(void)
{
    static uint64_t state = 88172645463325252ull;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static void make_records(void)
{
    for (uint32_t i = 0; i < KEPT; i++) {
        uint64_t offset = (uint64_t)random_number() * 512;
        uint32_t size = random_number() % 131072, flags = random_number();
        records[i] =
            (record){ .pid = random_number() % 16 * 4, .tid = random_number() % 1024, .cpu = random_number() % 16 };
        memcpy(records[i].payload, &size, 4);
        memcpy(records[i].payload + 4, &offset, 8);
        memcpy(records[i].payload + 12, &flags, 4);
    }
}

typedef struct source {
    tw_self tw;
    uint32_t type;
    int64_t given;
} source;

static int source_open(void *self)
{
    static const tw_field fields[] = { { .name = "Size", .kind = TW_U32 },
                                       { .name = "Offset", .kind = TW_U64 },
                                       { .name = "Flags", .kind = TW_U32 } };
    tw_type t = {
        .size = sizeof t, .provider = "Bench", .name = "Read", .nfields = 3, .field = fields, .pointer = 8
    };

    ((source *)self)->type = TW_HOST(self)->publish(self, &t);
    return TW_OK;
}

static int source_read(void *self, tw_batch *b)
{
    source *s = self;

    for (uint32_t i = 0; i < b->cap; i++) {
        const record *r = &records[s->given % KEPT];
        b->event[i] = (tw_event){
            .time = s->given++,
            .data = r->payload,
            .bytes = sizeof r->payload,
            .type = s->type,
            .pid = r->pid,
            .tid = r->tid,
            .cpu = r->cpu,
        };
    }
    b->n = b->cap;
    return s->given < EVENTS ? TW_OK : TW_END;
}

static const tw_stage source_stage = {
    .size = sizeof(tw_stage), .name = "source", .state = sizeof(source), .open = source_open, .read = source_read
};
static const tw_stage *const stages[] = { &source_stage, NULL };
static const tw_plugin bench = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "bench", "1.0", "MIT", stages };
const tw_plugin *const builtin_plugins[] = { &bench, NULL };

static void fail(const text *why)
{
    fprintf(stderr, "%s\n", text_of(why));
    exit(1);
}

/* ns in the stage behind the source, and how many events or rows it let go on. */
static int64_t run(const char *stage, uint64_t *out)
{
    plugins *all = plugins_new(NULL, 0);
    text source = { 0 }, why = { 0 };
    script *s = script_new(all, NULL, &why);
    const pipeline *p;
    const plan *made;
    report r;

    text_format(&source, "return pipeline 'bench' { bench.source {}, %s, null {} }", stage);
    if (!s || script_load(s, "bench.lua", text_of(&source), &p, &why) != TW_OK ||
        script_plan(s, p, NULL, 0, &made, &why) != TW_OK)
        fail(&why);
    bus_run(made, &(bus_options){ .plugins = all, .script = s, .quiet = 1 }, &r);
    if (r.status) fail(&r.error);
    int64_t ns = r.stage[1].ns;
    *out = r.stage[1].rows_out ? r.stage[1].rows_out : r.stage[1].events_out;
    report_free(&r);
    script_free(s);
    plugins_free(all);
    text_free(&source);
    return ns;
}

int main(void)
{
    static const struct {
        const char *name, *stage;
    } cases[] = {
        { "where, header", "where 'pid != 4 and cpu < 8 and tid > 100'" },
        { "where, payload", "where 'Size >= 65536 and Flags != 0'" },
        { "filter, three of the header", "filter { need = { 'pid', 'cpu', 'tid' }, keep = function(pid, cpu, tid)\n"
                                         "return pid ~= 4 and cpu < 8 and tid > 100 end }" },
        { "filter, three of the payload",
          "filter { need = { 'Size', 'Offset', 'Flags' }, keep = function(size, offset, flags)\n"
          "return size >= 65536 and offset % 4096 == 0 and flags ~= 0 end }" },
        { "transform, three columns",
          "transform { need = { 'pid', 'Size', 'Offset' },\n"
          "makes = table 'reads' { {'pid', 'u32'}, {'size', 'u64'}, {'offset', 'u64'} },\n"
          "each = function(emit, pid, size, offset) emit(pid, size, offset) end }" },
    };

    make_records();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t best = INT64_MAX;
        uint64_t out = 0;
        for (int k = 0; k < RUNS; k++) {
            int64_t ns = run(cases[i].stage, &out);
            if (ns < best) best = ns;
        }
        printf("%-28s %6.1f ns/event  (%" PRIu64 " of %d go on)\n", cases[i].name, (double)best / EVENTS, out,
               EVENTS);
    }
    return 0;
}
