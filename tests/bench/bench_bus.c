/* bench_bus.c - what the bus costs: a source in memory, a filter, a sum; and the sorter by itself.

   One idea: the stages do as little as a real one can, so what is measured is the way between them: `bus` is what is left
   when the time inside the stages is taken off. Once the trace lies in a cache, once it is larger than any and its bytes
   have to be fetched as those of a real one are; `touch` is what fetching alone takes. Prints ns/event, the best of several
   runs, so short that on a busy machine one of them is left alone. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"
#include "os.h"
#include "sort.h"

enum { EVENTS = 1 << 20, LARGE = 1 << 20, SMALL = 1 << 14, TYPES = 64, HEADER = 24, MOST = HEADER + 112, RUNS = 40 };

static struct {
    uint8_t *at;
    size_t bytes;
    uint32_t records;
} recording;

static uint32_t random_number(void)
{
    static uint64_t state = 88172645463325252ull;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/* Records of 24 bytes of header (size, type, pid, tid, time) and 64 to 112 of payload. */
static void make_recording(uint32_t records)
{
    uint8_t *to = recording.at = mem_new((size_t)records * MOST);

    recording.records = records;
    for (uint32_t i = 0; i < records; i++) {
        uint32_t payload = 64 + random_number() % 7 * 8;
        uint32_t words[4] = { HEADER + payload, random_number() % TYPES, random_number() % 16, random_number() % 64 };
        uint64_t time = i;
        memcpy(to, words, sizeof words);
        memcpy(to + 16, &time, sizeof time);
        for (uint32_t k = 0; k < payload; k += 4) {
            uint32_t word = random_number();
            memcpy(to + HEADER + k, &word, sizeof word);
        }
        to += HEADER + payload;
    }
    recording.bytes = (size_t)(to - recording.at);
}

/* ---- Three stages ---- */

static uint32_t events_a_source = EVENTS;

typedef struct source {
    tw_self tw;
    size_t at;
    int64_t passes;
    uint32_t type[TYPES];
} source;

static int source_open(void *self)
{
    static const tw_field field = { .name = "Size", .kind = TW_U32 };
    source *s = self;
    char name[8];

    for (uint32_t i = 0; i < TYPES; i++) {
        snprintf(name, sizeof name, "%" PRIu32, i);
        tw_type t = {
            .size = sizeof t, .provider = "Bench", .name = name, .number = i, .nfields = 1, .field = &field
        };
        s->type[i] = s->tw.host->publish(self, &t);
    }
    return TW_OK;
}

static int source_read(void *self, tw_batch *b)
{
    source *s = self;
    const uint8_t *p = recording.at + s->at, *end = recording.at + recording.bytes;
    tw_event *e = b->event, *full = e + b->cap;
    int64_t begin = s->passes * recording.records;

    for (; e < full && p < end; e++) {
        uint32_t bytes = tw_u32(p);
        *e = (tw_event){
            .time = begin + (int64_t)tw_u64(p + 16),
            .data = p + HEADER,
            .record = p,
            .bytes = bytes - HEADER,
            .type = s->type[tw_u32(p + 4)],
            .pid = tw_u32(p + 8),
            .tid = tw_u32(p + 12),
        };
        p += bytes;
    }
    b->n = (uint32_t)(e - b->event);
    s->at = p < end ? (size_t)(p - recording.at) : 0;
    if (p < end) return TW_OK;
    return ++s->passes * recording.records < events_a_source ? TW_OK : TW_END;
}

typedef struct filter {
    tw_self tw;
    uint8_t keep[TW_TYPES];
} filter;

static int filter_type(void *self, const tw_type *t)
{
    ((filter *)self)->keep[t->id] = t->number % 4 != 0;
    return TW_OK;
}

/* Three of four types, and two of three processes: about a half. */
static int filter_events(void *self, tw_batch *b)
{
    filter *f = self;
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        if (f->keep[b->event[i].type] && b->event[i].pid >= 5) b->event[n++] = b->event[i];
    }
    b->n = n;
    return TW_OK;
}

typedef struct total {
    tw_self tw;
    uint64_t sum[TW_TYPES];
} total;

static uint64_t checksum;

static int total_events(void *self, tw_batch *b)
{
    total *t = self;

    for (uint32_t i = 0; i < b->n; i++)
        if (tw_has(&b->event[i], 0, 4)) t->sum[b->event[i].type] += tw_u32(b->event[i].data);
    return TW_OK;
}

static int total_end(void *self)
{
    total *t = self;

    checksum = 0;
    for (uint32_t i = 0; i < TW_TYPES; i++) checksum += t->sum[i];
    return TW_OK;
}

static const tw_stage source_stage = {
    .size = sizeof(tw_stage),
    .name = "source",
    .state = sizeof(source),
    .open = source_open,
    .read = source_read,
};
static const tw_stage filter_stage = {
    .size = sizeof(tw_stage),
    .name = "filter",
    .state = sizeof(filter),
    .type = filter_type,
    .events = filter_events,
};
static const tw_stage total_stage = {
    .size = sizeof(tw_stage),
    .name = "total",
    .state = sizeof(total),
    .events = total_events,
    .end = total_end,
};

/* The best of several runs; *r is of that one. */
static int64_t run_plan(const spec *chain, uint32_t n, uint32_t batch, report *r)
{
    const plan p = { "bench", chain, n };
    const bus_options o = { .batch = batch };

    memset(r, 0, sizeof *r);
    for (int i = 0; i < RUNS; i++) {
        report now;
        bus_run(&p, &o, &now);
        if (now.status) {
            report_print(&now, 0);
            exit(1);
        }
        if (r->ns && r->ns <= now.ns) {
            report_free(&now);
        } else {
            report_free(r);
            *r = now;
        }
    }
    return r->ns;
}

static const spec a_source = { .stage = "source", .builtin = &source_stage };
static const spec a_filter = { .stage = "filter", .builtin = &filter_stage };
static const spec a_total = { .stage = "total", .builtin = &total_stage };

static int64_t run_bus(uint32_t batch, report *r)
{
    return run_plan((const spec[]){ a_source, a_filter, a_total }, 3, batch, r);
}

/* ---- Beyond a line ---- */

static void print_shape(const char *what, const spec *chain, uint32_t n)
{
    report r;
    int64_t ns = run_plan(chain, n, 512, &r);

    printf("  %-38s %5.1f ns/event\n", what, (double)ns / EVENTS);
    report_free(&r);
}

static void bench_shapes(void)
{
    enum { MOST_SOURCES = 8 };
    const plan alone = { "", &a_source, 1 }, way = { "", (const spec[]){ a_filter, a_total }, 2 };
    plan sources[MOST_SOURCES];
    const plan ways[] = { way, way };
    const spec border = { .stage = "thread" };
    const spec merges = { .stage = "merge", .branch = sources, .nbranches = 1 };
    spec two = merges, eight = merges;
    const spec tee = { .stage = "tee", .branch = ways, .nbranches = 2 };

    for (int k = 0; k < MOST_SOURCES; k++) sources[k] = alone;
    two.nbranches = 2;
    eight.nbranches = 8;
    make_recording(SMALL);
    puts("the shapes, on a trace of 2 MB, batches of 512; sources alternate event by event:");
    print_shape("a line", (const spec[]){ a_source, a_filter, a_total }, 3);
    print_shape("a merge of 1", (const spec[]){ merges, a_filter, a_total }, 3);
    events_a_source = EVENTS / 2;
    print_shape("a merge of 2", (const spec[]){ two, a_filter, a_total }, 3);
    events_a_source = EVENTS / 8;
    print_shape("a merge of 8", (const spec[]){ eight, a_filter, a_total }, 3);
    events_a_source = EVENTS;
    print_shape("two more branches by tee", (const spec[]){ a_source, tee, a_filter, a_total }, 4);
    print_shape("a thread border behind the source", (const spec[]){ a_source, border, a_filter, a_total }, 4);
    print_shape("a thread border behind the filter", (const spec[]){ a_source, a_filter, border, a_total }, 4);
    free(recording.at);
}

/* ---- The sorter ---- */

/* `chains` streams, each in order, whose bursts follow one another in time. */
static int64_t run_sorter(uint32_t chains, uint32_t burst)
{
    enum { CAP = 512, ROUNDS = 256 };
    batch_pool *pool = batch_pool_new(CAP);
    sorter *s = sorter_new(pool);
    int64_t spent = 0, last = INT64_MIN;
    uint64_t events = 0;

    for (int64_t round = 0; round < ROUNDS; round++) {
        tw_batch *in[64];
        for (uint32_t c = 0; c < chains; c++) {
            in[c] = batch_take(pool);
            for (uint32_t i = 0; i < CAP; i++)
                in[c]->event[i] =
                    (tw_event){ .time = round * CAP * chains + (i / burst * chains + c) * burst + i % burst };
            in[c]->n = CAP;
        }
        int64_t begin = os_monotonic();
        for (uint32_t c = 0; c < chains; c++) sorter_add(s, in[c], 0);
        for (tw_batch *out; (out = sorter_next(s, (round + 1) * CAP * chains)); batch_let_go(out)) {
            if (out->event[0].time < last) exit(1);
            last = out->event[out->n - 1].time;
            events += out->n;
        }
        spent += os_monotonic() - begin;
    }
    if (events != (uint64_t)ROUNDS * CAP * chains || sorter_late(s)) exit(1);
    sorter_free(s);
    batch_pool_free(pool);
    return spent * 100 / (int64_t)events;
}

/* Reads one byte of each cache line of the recording. */
static int64_t touch(void)
{
    int64_t begin = os_monotonic();
    uint32_t sum = 0;

    for (uint32_t pass = 0; pass < EVENTS / recording.records; pass++)
        for (size_t at = 0; at < recording.bytes; at += 64) sum += recording.at[at];
    checksum = sum;
    return os_monotonic() - begin;
}

static void bench_bus(uint32_t records, const char *where)
{
    static const uint32_t batches[] = { 64, 512, 4096 };
    report r;

    make_recording(records);
    printf("%s: touch %.1f\n", where, (double)touch() / EVENTS);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        int64_t ns = run_bus(batches[i], &r), inside = 0;
        printf("  three stages, batches of %4" PRIu32 ": %5.1f ns/event:", batches[i], (double)ns / EVENTS);
        for (uint32_t k = 0; k < r.nstages; k++) {
            printf(" %s %.1f", r.stage[k].name, (double)r.stage[k].ns / EVENTS);
            inside += r.stage[k].ns;
        }
        printf(" bus %.1f (%" PRIu64 " kept, sum %" PRIx64 ")\n", (double)(ns - inside) / EVENTS,
               r.stage[1].events_out, checksum);
        report_free(&r);
    }
    free(recording.at);
}

int main(void)
{
    static const uint32_t bursts[] = { 1, 8, 64 };

    bench_bus(SMALL, "a trace of 2 MB");
    bench_bus(LARGE, "a trace of 115 MB");
    bench_shapes();
    for (size_t i = 0; i < sizeof bursts / sizeof *bursts; i++) {
        int64_t best = INT64_MAX;
        for (int k = 0; k < RUNS; k++) {
            int64_t ns = run_sorter(8, bursts[i]);
            if (ns < best) best = ns;
        }
        printf("sorting 8 chains, bursts of %2" PRIu32 ": %5.2f ns/event\n", bursts[i], (double)best / 100);
    }
    return 0;
}
