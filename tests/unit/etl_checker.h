/* etl_checker.h - whether bytes are a well-formed .etl file, by the rules of the format's public descriptions.

   For tests of what writes such files. It uses no code nor constant of the project, and it is strict: what a reader would
   forgive, a writer must not do. One idea: it goes through the bytes once, and the first thing that is not as it should be
   ends it with a sentence. */
#ifndef ETL_CHECKER_H
#define ETL_CHECKER_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECK_SYSTEM,
    CHECK_COMPACT,
    CHECK_PERFINFO,
    CHECK_FULL,
    CHECK_INSTANCE,
    CHECK_EVENT,
    CHECK_MESSAGE,
    CHECK_OPAQUE,
    CHECK_KINDS
};

typedef struct etl_check {
    const uint8_t *at;
    size_t n, place; /* place: what is being looked at */
    uint32_t stride, pointer;
    uint64_t buffers, events, written, lost_places, of[CHECK_KINDS], items, broken_items;
    uint32_t processors, most_cpu;
    int64_t flushed, hz;
    uint64_t *sequence; /* of each buffer */
    int64_t *first;     /* ticks of its first event; INT64_MIN: it tells none */
    char why[256];
} etl_check;

static inline uint64_t check_number(const etl_check *c, size_t at, int bytes)
{
    uint64_t v = 0;

    for (int i = bytes; i--;) v = v << 8 | c->at[at + (size_t)i];
    return v;
}

static inline int check_fails(etl_check *c, const char *format, ...)
{
    va_list arguments;
    int n = snprintf(c->why, sizeof c->why, "at 0x%zx: ", c->place);

    va_start(arguments, format);
    vsnprintf(c->why + n, sizeof c->why - (size_t)n, format, arguments);
    va_end(arguments);
    return 0;
}

#define CHECK_THAT(condition, ...)                                                                                   \
    do {                                                                                                             \
        if (!(condition)) return check_fails(c, __VA_ARGS__);                                                        \
    } while (0)

// ---- Events -------------------------------------------------------------------------------------------------------

typedef struct check_event {
    int kind, timed;
    uint32_t size;
    int64_t ticks;
} check_event;

/* Header size by byte 2 of the marker; the size's own place. */
static inline int check_typed(etl_check *c, size_t left, check_event *e)
{
    static const struct {
        uint8_t type, header, size_at, time_at, kind;
    } known[] = {
        { 0x01, 0x20, 4, 0x10, CHECK_SYSTEM },   { 0x02, 0x20, 4, 0x10, CHECK_SYSTEM },
        { 0x03, 0x18, 4, 0x10, CHECK_COMPACT },  { 0x04, 0x18, 4, 0x10, CHECK_COMPACT },
        { 0x10, 0x10, 4, 0x08, CHECK_PERFINFO }, { 0x11, 0x10, 4, 0x08, CHECK_PERFINFO },
        { 0x0A, 0x30, 0, 0x10, CHECK_FULL },     { 0x14, 0x30, 0, 0x10, CHECK_FULL },
        { 0x0B, 0x48, 0, 0x10, CHECK_INSTANCE }, { 0x15, 0x48, 0, 0x10, CHECK_INSTANCE },
        { 0x12, 0x50, 0, 0x10, CHECK_EVENT },    { 0x13, 0x50, 0, 0x10, CHECK_EVENT },
        { 0x0D, 0x50, 0, 0, CHECK_OPAQUE },
    };
    uint8_t type = c->at[c->place + 2];
    uint32_t header = 8;

    e->kind = CHECK_OPAQUE;
    e->size = (uint32_t)check_number(c, c->place, 2);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].type != type) continue;
        e->kind = known[i].kind;
        header = known[i].header;
        e->size = (uint32_t)check_number(c, c->place + known[i].size_at, 2);
        if (known[i].size_at == 4) {
            uint64_t version = check_number(c, c->place, 2);
            header += 8 * (uint32_t)((version >> 8 & 7) + (version >> 15));
        }
        CHECK_THAT(e->size >= header && e->size <= left, "an event of type %02X has %u bytes; %zu are left", type,
                   e->size, left);
        if (known[i].time_at) e->ticks = (int64_t)check_number(c, c->place + known[i].time_at, 8);
        e->timed = known[i].time_at != 0;
    }
    CHECK_THAT(e->size >= header && e->size <= left, "an event of type %02X has %u bytes; %zu are left", type,
               e->size, left);
    return 1;
}

static inline int check_message(etl_check *c, size_t left, check_event *e)
{
    uint64_t flags = check_number(c, c->place + 6, 2);
    uint32_t header = 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 16 : flags & 4 ? 4 : 0);

    e->kind = CHECK_MESSAGE;
    e->size = (uint32_t)check_number(c, c->place, 2);
    e->timed = (flags & 0x18) != 0;
    if (e->timed && header + 8 <= left) e->ticks = (int64_t)check_number(c, c->place + header, 8);
    header += (e->timed ? 8 : 0) + (flags & 0x20 ? 8 : 0);
    CHECK_THAT(e->size >= header && e->size <= left, "a message has %u bytes; %zu are left", e->size, left);
    return 1;
}

/* The chain of an event's extended items; one that leaves the event is counted: a source may have had it so. */
static inline void check_items(etl_check *c, uint32_t size)
{
    size_t at = c->place + 0x50, end = c->place + size;
    int more = (int)check_number(c, c->place + 4, 2) & 1;

    while (more) {
        size_t stride = end - at < 8 ? 0 : (size_t)check_number(c, at, 2);
        if (stride < 8 || stride > end - at || check_number(c, at + 6, 2) > stride - 8) {
            c->broken_items++;
            return;
        }
        c->items++;
        more = (int)check_number(c, at + 4, 2) & 1;
        at += stride;
    }
}

/* The event at c->place, of at most `left` bytes. */
static inline int check_one(etl_check *c, size_t left, check_event *e)
{
    uint32_t marker;
    uint8_t family;

    memset(e, 0, sizeof *e);
    CHECK_THAT(left >= 8, "%zu bytes are no event", left);
    marker = (uint32_t)check_number(c, c->place, 4);
    family = (uint8_t)(marker >> 24);
    CHECK_THAT(marker != 0 && marker != 0xFFFFFFFF, "padding where an event should be");
    if ((family & 0xC0) == 0xC0) {
        CHECK_THAT(family == 0xC0, "family %02X", family);
        if (!check_typed(c, left, e)) return 0;
    } else if ((family & 0x90) == 0x90 && family == 0x90 && !(marker >> 16 & 0xFF)) {
        if (!check_message(c, left, e)) return 0;
    } else {
        CHECK_THAT((family & 0x90) == 0x90 || !(family & 0x80), "family %02X", family);
        e->kind = CHECK_OPAQUE;
        e->size = family & 0x80 ? marker & 0xFFFF : marker;
        CHECK_THAT(e->size >= 8 && e->size <= left, "an opaque event has %u bytes; %zu are left", e->size, left);
    }
    if (e->kind == CHECK_EVENT) check_items(c, e->size);
    c->of[e->kind]++;
    c->events++;
    return 1;
}

// ---- The log-file header ------------------------------------------------------------------------------------------

static inline size_t check_text16(const etl_check *c, size_t at, size_t end)
{
    while (end - at >= 2 && check_number(c, at, 2)) at += 2;
    return end - at >= 2 ? at + 2 : 0;
}

static inline int check_log_header(etl_check *c, uint32_t size)
{
    size_t p = c->place + 0x20, end = c->place + size, at, less;
    uint8_t type = c->at[c->place + 2];
    uint64_t kind;

    CHECK_THAT(type == 1 || type == 2, "the log-file header has type %02X", type);
    CHECK_THAT(check_number(c, c->place, 1) == 2 && check_number(c, c->place + 6, 2) == 0, "no log-file header");
    CHECK_THAT(size >= 0x20 + 0x110 + 4, "a log-file header of %u bytes", size);
    c->pointer = (uint32_t)check_number(c, p + 0x2C, 4);
    CHECK_THAT(c->pointer == 4 || c->pointer == 8, "PointerSize %u", c->pointer);
    less = c->pointer == 4 ? 8 : 0;
    CHECK_THAT(size >= 0x20 + 0x118 - less + 4, "a log-file header of %u bytes", size);
    CHECK_THAT(check_number(c, p, 4) == c->stride, "BufferSize %" PRIu64, check_number(c, p, 4));
    c->processors = (uint32_t)check_number(c, p + 0x0C, 4);
    CHECK_THAT(c->processors > 0, "no processors");
    CHECK_THAT(!(check_number(c, p + 0x20, 4) & 0x4000000), "LogFileMode says compressed");
    c->written = check_number(c, p + 0x24, 4);
    c->hz = (int64_t)check_number(c, p + 0x100 - less, 8);
    CHECK_THAT(c->hz > 0 || check_number(c, p + 0x110 - less, 4) > 1, "PerfFreq is not positive");
    kind = check_number(c, p + 0x110 - less, 4);
    CHECK_THAT(kind <= 3, "clock type %" PRIu64, kind);
    at = check_text16(c, p + 0x118 - less, end);
    CHECK_THAT(at, "LoggerName does not end");
    at = check_text16(c, at, end);
    CHECK_THAT(at == end, "LogFileName does not end where the event does");
    return 1;
}

/* An event that readers would take for another one. */
static inline int check_is_log_header(const etl_check *c, const check_event *e)
{
    uint64_t version = check_number(c, c->place, 2), size, pointer;
    size_t header = 0x20 + 8 * (size_t)((version >> 8 & 7) + (version >> 15)), p = c->place + header;

    if (e->kind != CHECK_SYSTEM || check_number(c, c->place + 6, 2) != 0 || e->size < header + 0x110) return 0;
    pointer = check_number(c, p + 0x2C, 4);
    if (pointer != 4 && pointer != 8) pointer = c->at[c->place + 2] == 1 ? 4 : 8;
    size = check_number(c, p, 4);
    return e->size >= header + (pointer == 4 ? 0x110 : 0x118) && size >= 0x48 && size <= 16 << 20 &&
           check_number(c, p + 0x0C, 4) != 0;
}

// ---- Buffers ------------------------------------------------------------------------------------------------------

static inline int check_buffer_header(etl_check *c, size_t b, uint32_t *filled)
{
    uint32_t flags = (uint32_t)check_number(c, b + 0x34, 2), type = (uint32_t)check_number(c, b + 0x36, 2);
    uint32_t cpu = (uint32_t)check_number(c, b + 0x28, 2);
    int64_t time = (int64_t)check_number(c, b + 0x10, 8);
    int is_first = b == 0, is_last = b + c->stride == c->n;

    c->place = b;
    CHECK_THAT(check_number(c, b, 4) == c->stride, "BufferSize %" PRIu64, check_number(c, b, 4));
    *filled = (uint32_t)check_number(c, b + 0x30, 4);
    CHECK_THAT(*filled >= 0x48 && *filled <= c->stride && *filled % 8 == 0, "Offset %u", *filled);
    CHECK_THAT(check_number(c, b + 0x2C, 4) == 3, "State %" PRIu64, check_number(c, b + 0x2C, 4));
    CHECK_THAT(!(flags & ~0x27u) && flags & 0x20, "BufferFlag %x", flags);
    CHECK_THAT((flags & 1) == (uint32_t)(is_first || is_last), "FLUSH_MARKER in the middle, or not at an end");
    CHECK_THAT(type == (is_first ? 4u : 0u), "BufferType %u", type);
    CHECK_THAT(cpu <= 0x7FF, "ProcessorIndex %u", cpu);
    if (cpu > c->most_cpu) c->most_cpu = cpu;
    c->lost_places += (flags & 6) != 0;
    CHECK_THAT(is_first ? time == 0 : c->buffers == 1 || time >= c->flushed, "TimeStamp goes back");
    c->flushed = time;
    c->sequence[c->buffers] = check_number(c, b + 0x18, 8);
    CHECK_THAT(!is_first || c->sequence[0] == 0, "SequenceNumber of the first buffer");
    return 1;
}

static inline int check_buffer(etl_check *c, size_t b)
{
    uint32_t filled = 0, o = 0x48;
    int64_t last = INT64_MIN;

    if (!check_buffer_header(c, b, &filled)) return 0;
    c->first[c->buffers] = INT64_MIN;
    while (o < filled) {
        check_event e;

        c->place = b + o;
        if (!check_one(c, filled - o, &e)) return 0;
        if (b == 0 && o == 0x48) {
            if (!check_log_header(c, e.size)) return 0;
        } else {
            CHECK_THAT(!check_is_log_header(c, &e), "a second log-file header");
        }
        CHECK_THAT(!e.timed || e.ticks >= last, "time goes back from %" PRId64 " to %" PRId64, last, e.ticks);
        if (e.timed) last = e.ticks;
        if (e.timed && o == 0x48) c->first[c->buffers] = e.ticks;
        o += (e.size + 7) & ~7u;
    }
    CHECK_THAT(o == filled, "the last event ends behind Offset");
    c->place = b + filled;
    if (filled < c->stride)
        CHECK_THAT(c->at[b + filled] == 0xFF &&
                       !memcmp(c->at + b + filled, c->at + b + filled + 1, c->stride - filled - 1),
                   "the unused tail is not FF");
    c->buffers++;
    return 1;
}

/* SequenceNumber tells the order in which buffers were taken into use: each once, none missing, and those taken later
   begin later (by more than a nanosecond, which is all that a time in nanoseconds tells). */
static inline int check_sequence(etl_check *c)
{
    size_t *by = calloc(c->buffers, sizeof *by);
    int64_t before = INT64_MIN;
    int good = 1;

    if (!by) abort();
    c->place = 0;
    for (size_t i = 0; i < c->buffers && good; i++) {
        if (c->sequence[i] >= c->buffers || by[c->sequence[i]])
            good = check_fails(c, "SequenceNumber %" PRIu64 " is missing or there twice", c->sequence[i]);
        else
            by[c->sequence[i]] = i + 1;
    }
    for (size_t i = 1; i < c->buffers && good && c->hz <= 1000000000;
         i++) { /* the header's own time is the clock's start */
        int64_t first = c->first[by[i] - 1];

        if (first == INT64_MIN) continue;
        if (first < before) good = check_fails(c, "buffer %zu was taken into use before an earlier one", i);
        before = first;
    }
    free(by);
    return good;
}

/* 1: well-formed; else c->why says what is not. */
static inline int etl_check_file(etl_check *c, const uint8_t *bytes, size_t n)
{
    int good = 1;

    memset(c, 0, sizeof *c);
    c->at = bytes;
    c->n = n;
    CHECK_THAT(n >= 4096, "%zu bytes are no file", n);
    c->stride = (uint32_t)check_number(c, 0, 4);
    CHECK_THAT(c->stride >= 4096 && c->stride <= 16 << 20 && c->stride % 1024 == 0, "BufferSize %u", c->stride);
    CHECK_THAT(n % c->stride == 0, "%zu bytes are not whole buffers of %u", n, c->stride);
    c->sequence = calloc(n / c->stride, sizeof *c->sequence);
    c->first = calloc(n / c->stride, sizeof *c->first);
    if (!c->sequence || !c->first) abort();
    for (size_t b = 0; b < n && good; b += c->stride) good = check_buffer(c, b);
    good = good && check_sequence(c);
    if (good && c->written != c->buffers)
        good = check_fails(c, "BuffersWritten %" PRIu64 " of %" PRIu64, c->written, c->buffers);
    if (good && c->most_cpu >= c->processors)
        good = check_fails(c, "events of processor %u of %u", c->most_cpu, c->processors);
    free(c->sequence);
    free(c->first);
    return good;
}

#undef CHECK_THAT
#endif
