/* by_cpu.c - by_cpu.total: events and bytes of payload by processor, as a table.

   Events come in, rows go out: totals are kept while events pass, and sent at the end. Any sink can take them. */
#include "tw_plugin.h"

enum { CPUS = 65536 }; /* tw_event.cpu has 16 bits */

typedef struct total {
    tw_self tw;
    uint64_t events[CPUS], bytes[CPUS];
} total;

static const tw_field columns[] = {
    { .name = "cpu", .help = "processor", .kind = TW_U16 },
    { .name = "events", .kind = TW_U64 },
    { .name = "bytes", .help = "of payload", .kind = TW_U64 },
};
static const tw_table by_cpu = { sizeof by_cpu, 3, "by_cpu", "events and payload by processor", columns };
static const tw_table *const makes[] = { &by_cpu, NULL };

static int events(void *self, tw_batch *b)
{
    total *t = self;
    for (uint32_t i = 0; i < b->n; i++) {
        t->events[b->event[i].cpu]++;
        t->bytes[b->event[i].cpu] += b->event[i].bytes;
    }
    return TW_OK; /* the batch is as it was: all events go on */
}

static int end(void *self)
{
    total *t = self;
    tw_rows *r = TW_HOST(self)->table(self, &by_cpu);

    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        if (!t->events[cpu]) continue;
        ((uint16_t *)r->col[0])[r->n] = (uint16_t)cpu;
        ((uint64_t *)r->col[1])[r->n] = t->events[cpu];
        ((uint64_t *)r->col[2])[r->n] = t->bytes[cpu];
        if (++r->n == r->cap && TW_HOST(self)->push(self, r) == TW_ERROR) return TW_ERROR;
    }
    return TW_OK; /* the rows that are left go on by themselves */
}

static const tw_stage total_stage = {
    .size = sizeof(tw_stage),
    .name = "total",
    .help = "Count events and bytes of payload by processor.",
    .state = sizeof(total),
    .makes = makes,
    .events = events,
    .end = end,
};

TW_PLUGIN(by_cpu, "1.0", "MIT", &total_stage);
