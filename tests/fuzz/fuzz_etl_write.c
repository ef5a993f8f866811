/* fuzz_etl_write.c - any events through etl.write: what it makes of them is a well-formed file, and etl.read reads it whole.

   The input says which events come, with which records, clock, headers and buffers of their source; all of it may lie, as
   long as a record is one that a reader would have given. */
#include "../unit/etl_checker.h"
#include "../unit/source_host.h"
#include "headers.h"
#include "index.h"
#include "record.h"
#include "tw_test.h"

extern const tw_stage etl_write_stage, etl_read_stage;

enum { EVENTS = 400, ENTRIES = 64, HEADERS = 3 };
static const int64_t second = INT64_C(1000000000);

static struct {
    uint8_t *at;
    size_t n;
} out;

static int catch_write(tw_output *o, const void *bytes, size_t n)
{
    (void)o;
    out.at = realloc(out.at, out.n + n);
    if (!out.at) abort();
    memcpy(out.at + out.n, bytes, n);
    out.n += n;
    return TW_OK;
}

static int catch_rewrite(tw_output *o, uint64_t offset, const void *bytes, size_t n)
{
    (void)o;
    if (offset > out.n || n > out.n - offset) abort();
    memcpy(out.at + offset, bytes, n);
    return TW_OK;
}

static void say_nothing(void *self, int severity, const char *format, ...)
{
    (void)self, (void)severity, (void)format;
}

typedef struct food {
    const uint8_t *at;
    size_t n;
} food;

static uint64_t take(food *f, size_t bytes)
{
    uint64_t v = 0;

    for (size_t i = 0; i < bytes && f->n; i++, f->at++, f->n--) v |= (uint64_t)*f->at << (8 * i);
    return v;
}

static const uint8_t *take_bytes(food *f, size_t *n)
{
    const uint8_t *at = f->at;

    if (*n > f->n) *n = f->n;
    f->at += *n;
    f->n -= *n;
    return at;
}

/* The type as etl.read would publish it. */
static uint32_t type_of(rig *r, const record *of)
{
    char key[64] = "";
    tw_type t = { .size = sizeof t, .provider = "P", .name = "E", .number = of->id, .version = (uint8_t)of->version };

    if (of->kind == RECORD_KERNEL) snprintf(key, sizeof key, "kernel:%02x", of->group);
    if (of->kind == RECORD_MESSAGE) snprintf(key, sizeof key, "wpp:%02x", of->id);
    if (*key) t.key = key;
    if (of->guid) memcpy(t.guid, of->guid, 16);
    t.opcode = (uint8_t)of->id;
    t.pointer = of->pointer;
    t.flags = of->kind == RECORD_CLASSIC ? TW_CLASSIC : 0;
    return rig_publish(r, &t);
}

static entry entries[ENTRIES];
static uint8_t *bytes_of_headers[HEADERS];

/* What the source tells of itself. */
static void feed_source(rig *r, food *f)
{
    uint32_t n = (uint32_t)take(f, 1) % (ENTRIES + 1);
    const int64_t begin = second + (int64_t)take(f, 4);
    tw_clock clock = { .ticks = (int64_t)take(f, 5), .time = begin, .hz = 1 + (int64_t)take(f, 4), .begin = begin };

    if (take(f, 1) & 1) clock.end = begin + 1000 * second;
    rig_set_clock(r, &clock);
    for (uint32_t i = 0; i < HEADERS; i++) {
        size_t bytes = take(f, 1) & 1 ? 0x20 + 0x118 + take(f, 1) : 0;
        const uint8_t *at = take_bytes(f, &bytes);
        tw_value v = { .kind = TW_BYTES };

        free(bytes_of_headers[i]);
        bytes_of_headers[i] = NULL;
        if (bytes) {
            bytes_of_headers[i] = malloc(bytes);
            memcpy(bytes_of_headers[i], at, bytes);
            if (bytes > 6) { /* else none is ever believed */
                memcpy(bytes_of_headers[i], "\x02\x00\x02\xC0", 4);
                bytes_of_headers[i][4] = (uint8_t)bytes;
                bytes_of_headers[i][5] = (uint8_t)(bytes >> 8);
            }
        }
        v.t.at = (const char *)bytes_of_headers[i];
        v.t.bytes = (uint32_t)bytes;
        if (bytes || take(f, 1) & 1) rig_set_extra(r, EXTRA_LOG_HEADER, i, &v);
    }
    for (uint32_t i = 0; i < n; i++)
        entries[i] = (entry){ .at = take(f, 2),
                              .first = begin + (int64_t)take(f, 2),
                              .filled = (uint32_t)take(f, 2),
                              .session = (uint16_t)take(f, 1) % 4,
                              .cpu = (uint16_t)take(f, 1) % 8,
                              .flags = (uint16_t)take(f, 1) };
    tw_value v = { .kind = TW_BYTES, .t = { (const char *)entries, n * (uint32_t)sizeof *entries, 0 } };
    if (n) rig_set_extra(r, EXTRA_BUFFERS, 0, &v);
}

/* One event; 0: the input is empty. */
static int feed_event(rig *r, food *f, int64_t *time)
{
    unsigned how = (unsigned)take(f, 1);
    size_t n = (size_t)take(f, how & 1 ? 2 : 1), bytes = how & 2 ? (size_t)take(f, how & 4 ? 2 : 1) : 0;
    const uint8_t *at = take_bytes(f, &n), *payload = how & 2 ? take_bytes(f, &bytes) : NULL;
    static uint8_t filler[70000];
    tw_event *e;
    record of;

    *time += (int64_t)take(f, 1 + (how >> 6));
    if (record_read(at, n, &of) != RECORD_GOOD) {
        static const char *const keys[] = { "kernel:0f", "kernel:00", "wpp:x", NULL };
        tw_type t = {
            .size = sizeof t, .provider = "P", .name = "E", .key = keys[how >> 3 & 3], .flags = how >> 5 & 3
        };

        t.number = (uint32_t)take(f, 1);
        t.pointer = how & 1 ? 4 : 8;
        e = rig_event(r, rig_publish(r, &t), *time, how & 4 ? filler : at, (uint32_t)(how & 4 ? 65000 + n : n));
    } else {
        uint8_t *copy = malloc(of.size);

        memcpy(copy, of.at, of.size);
        if (!payload) {
            payload = of.at + of.payload;
            bytes = of.size - of.payload;
        }
        e = rig_event(r, type_of(r, &of), *time, payload, (uint32_t)bytes);
        e->record = copy; /* freed with all others */
    }
    e->pid = how & 8 ? 0xFFFFFFFF : (uint32_t)take(f, 2);
    e->tid = how & 8 ? 0xFFFFFFFF : (uint32_t)take(f, 2);
    e->cpu = (uint16_t)take(f, 1) % 8;
    if (how == 0xFF) e->cpu = (uint16_t)take(f, 2);
    e->flags = (uint32_t)take(f, 1) % 4 << 16 | (uint32_t)take(f, 1) % ENTRIES;
    return f->n > 0;
}

static void demand(int good, const char *what, const char *why)
{
    if (good) return;
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

static void read_again(uint64_t events)
{
    source *s = source_of_bytes(&etl_read_stage, out.at, out.n, 64);
    const tw_counter *c = etl_read_stage.counters;
    int status = source_open(s) == TW_OK ? TW_OK : TW_ERROR;
    uint64_t n = 0;

    demand(status == TW_OK, "the file is refused", s->said);
    while (status == TW_OK) {
        tw_batch *b = source_read(s, &status);
        n += b->n;
        batch_let_go(b);
    }
    demand(n == events, "events", "not as many as were written");
    for (uint32_t i = 0; c[i].name; i++)
        if (c[i].severity == TW_SKIPPED) demand(s->count[i] == 0, "skipped", c[i].name);
    source_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const options[] = { "to=/dev/null", "to=/dev/null buffer_size=4k",
                                           "to=/dev/null buffer_size=64k logger=x", "to=/dev/null buffer_size=128k" };
    const uint8_t *copies[EVENTS];
    food f = { bytes, n };
    rig *r = rig_new(&etl_write_stage, options[take(&f, 1) % 4]);
    int64_t time = second;
    uint32_t ncopies = 0;
    etl_check c;
    int more = 1;

    out.n = 0;
    rig_host(r)->write = catch_write;
    rig_host(r)->rewrite = catch_rewrite;
    rig_host(r)->log = say_nothing;
    rig_unwatch(r);
    demand(rig_open(r) == TW_OK, "open", rig_error(r));
    feed_source(r, &f);
    for (uint32_t i = 0; i < EVENTS && more; i++) more = feed_event(r, &f, &time);
    demand(rig_feed(r) == TW_OK, "feed", rig_error(r));
    const tw_event *left;
    for (uint32_t i = rig_left(r, &left); i-- > 0;)
        if (left[i].record) copies[ncopies++] = left[i].record;
    demand(rig_end(r) == TW_OK, "end", rig_error(r));
    demand(etl_check_file(&c, out.at, out.n), "not well-formed", c.why);
    read_again(c.events);
    rig_free(r);
    while (ncopies) free((void *)(uintptr_t)copies[--ncopies]);
    return 0;
}
