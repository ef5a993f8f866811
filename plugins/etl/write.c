/* write.c - etl.write: the events that pass by as an .etl file.

   One idea: what comes unchanged from a trace is written as it was, byte by byte and buffer by buffer; what a stage changed,
   made or left out is written as the event says. The file's clock is the source's, so that ticks inside of payloads stay
   right. */
#include "clock.h"
#include "format.h"
#include "headers.h"
#include "put.h"
#include "write_buffer.h"
#include "write_head.h"
#include "write_record.h"
#include "write_source.h"

#include <stdlib.h>
#include <time.h>

extern const tw_stage etl_write_stage;

#define NS INT64_C(1000000000)

enum {
    LEAST_SIZE = 4 << 10,        /* of a buffer; the header event has to fit into one */
    USUAL_SIZE = 64 << 10,       /* where nobody says more */
    LARGE_SIZE = 1 << 20,        /* more than this only if the buffers of all processors stay below */
    MEMORY_OF_LARGE = 256 << 20, /* this many bytes */
    MOST_EVENT = 0xFFFF          /* bytes: the size of an event is a u16 */
};

_Static_assert(ETW_BUFFER_HEADER + HEAD_MAX <= LEAST_SIZE, "the header event fits into the smallest buffer");

typedef struct writer {
    tw_self tw;
    tw_output *to;
    int64_t buffer_size; /* 0: as it fits */
    const char *logger;
    write_buffers buffers;
    write_sources sources;
    trace_clock clock; /* as readers of the file will see it */
    int has_clock, started, said_clocks;
    int has_end, open_end; /* open_end: a session of the source was not closed */
    int64_t end, last;     /* of the sources; of the last event; ns since 1970 */
    head head;
} writer;

enum { COUNT_LONG, COUNT_CPU, COUNT_LATE, COUNT_UNTIMED, COUNT_INEXACT, COUNT_DISORDER };

// clang-format off
static const tw_option options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, NULL, "the file; one that ends in .zst is compressed"),
    TW_OPTION(writer, buffer_size, TW_OPT_INT, "0",
              "bytes of a buffer: 4k to 16M, a multiple of 1k; 0: those of the source, else 64k"),
    TW_OPTION(writer, logger, TW_OPT_TEXT, "", "name of the session; without it that of the source, else traceweir"),
    { 0 }
};

static const tw_counter counters[] = {
    [COUNT_LONG] = { "too_long", "events that are longer than a buffer or 65535 bytes", TW_SKIPPED },
    [COUNT_CPU] = { "cpu", "events of processors beyond 2047", TW_SKIPPED },
    [COUNT_LATE] = { "late", "events that were earlier than one already in their buffer, and got its time", TW_WARNING },
    [COUNT_UNTIMED] = { "untimed", "events whose header has no room for a time, and that got that of another event in "
                        "their buffer", TW_WARNING },
    [COUNT_INEXACT] = { "inexact", "events whose time no tick of the file's clock tells; they have the next one, less than "
                        "a tick away", TW_WARNING },
    [COUNT_DISORDER] = { "disorder", "events of equal time on different processors that a reader of the file may give in "
                         "another order", TW_INFO },
    { 0 }
};
// clang-format on

/* ---- Sizes ---- */

/* Before anything stands in them, buffers become as large as the source's. */
static int use_size(writer *w, uint64_t size)
{
    uint64_t processors = w->head.processors ? w->head.processors : 1;

    if (w->buffer_size || w->buffers.written || w->buffers.nopen) return TW_OK;
    if (size > LARGE_SIZE && size * processors > MEMORY_OF_LARGE) size = LARGE_SIZE;
    if (size > ETW_BUFFER_MAX) size = ETW_BUFFER_MAX;
    size = (size + 1023) & ~(uint64_t)1023;
    if (size < LEAST_SIZE) size = LEAST_SIZE;
    w->buffers.size = LEAST_SIZE; /* nothing is open, so they may become smaller as well */
    return write_buffers_grow(&w->buffers, (uint32_t)size);
}

/* Compressed buffers are as long as they are full, so a size that a session asked for costs nothing there; here it
   would. */
static uint64_t size_of_source(const write_source *s, const log_header *log)
{
    uint64_t size = USUAL_SIZE;

    if (!(log->mode & ETW_MODE_COMPRESSED) || log->buffer_size <= LARGE_SIZE) return log->buffer_size;
    while (size < s->most_filled) size *= 2;
    return size < log->buffer_size ? size : log->buffer_size;
}

/* TW_OK where the buffers can hold an event of `bytes` bytes, TW_END where they cannot. Buffers that nobody set a size
   for grow, as long as none was written. */
static int make_room(writer *w, uint64_t bytes)
{
    uint32_t size = w->buffers.size;

    if (bytes > MOST_EVENT) return TW_END;
    while (size - ETW_BUFFER_HEADER < bytes) size *= 2;
    if (size == w->buffers.size) return TW_OK;
    return w->buffer_size || w->buffers.written ? TW_END : write_buffers_grow(&w->buffers, size);
}

/* A buffer of this one is in the file. */
static void note_processor(writer *w, uint32_t cpu)
{
    if (cpu >= w->head.processors) w->head.processors = cpu + 1;
}

/* ---- Clocks ---- */

/* Whether this clock's times are the other's, tick by tick. */
static int is_same_clock(const trace_clock *a, const trace_clock *b)
{
    if (a->hz != b->hz) return 0;
    return a->ns_per_tick ? clock_ns(a, b->ticks) == b->time : a->ticks == b->ticks && a->time == b->time;
}

/* Whether each time of the clock b has a tick of a. */
static int tells_all_times(const trace_clock *a, const trace_clock *b)
{
    if (is_same_clock(a, b)) return 1;
    return a->hz == b->hz && a->ns_per_tick && clock_ns(a, clock_ticks(a, b->time)) == b->time;
}

/* A clock of nanoseconds, which has a tick for every time, from the start of c on. */
static void make_fine(trace_clock *c)
{
    int64_t seconds = c->ticks > 0 ? c->ticks / c->hz : 0;

    clock_set(c, seconds < INT32_MAX ? seconds * NS : 0, c->time, NS);
}

/* The source's clock, told as a reader will see it: a header can tell the start to 100 ns. */
static int use_clock(writer *w, const tw_event *e)
{
    tw_clock c;

    if (w->tw.host->clock(w, e, &c) != TW_OK || c.hz <= 0) return 0;
    clock_set(&w->clock, c.ticks, filetime_ns(ns_filetime(c.time)), c.hz);
    return 1;
}

/* An event's own ticks are not those of the file. Once, where that is so since they come from another clock. */
static void say_clocks(writer *w, const tw_event *e)
{
    trace_clock other;
    tw_clock c;

    if (w->said_clocks || w->tw.host->clock(w, e, &c) != TW_OK || c.hz <= 0) return;
    clock_set(&other, c.ticks, filetime_ns(ns_filetime(c.time)), c.hz);
    if (other.hz == w->clock.hz && clock_ns(&other, w->clock.ticks) == w->clock.time) return;
    w->said_clocks = 1;
    tw_log(w, TW_WARNING,
           "these events come from several clocks, but a file has one: times stay as they are, ticks are now those "
           "of the "
           "file's clock, but for ticks inside of payloads, which stay as they are");
}

/* The ticks of an event: the record's own, if a reader will see the event's time in them. */
static int64_t ticks_of(writer *w, const tw_event *e, const record *r)
{
    int64_t ticks;

    if (r && r->timed) {
        if (clock_ns(&w->clock, r->ticks) == e->time) return r->ticks;
        say_clocks(w, e);
    }
    ticks = clock_ticks(&w->clock, e->time);
    if (clock_ns(&w->clock, ticks) != e->time) tw_count(w, COUNT_INEXACT, 1);
    return ticks;
}

/* ---- The header ---- */

/* To the second; what C has for less is not everywhere. */
static int64_t time_now(void)
{
    return (int64_t)time(NULL) * NS;
}

/* When the file ends: with the sessions that it is from, which no event of theirs makes longer; nobody knows where one of
   them was not closed. Without any, with its last event. */
static int64_t end_of_file(const writer *w)
{
    int64_t end = w->has_end ? w->end : w->last;

    if (w->open_end) return 0;
    if (end < w->clock.time) end = w->clock.time;
    return ns_filetime(end) + (end % 100 > 0);
}

static uint32_t put_head(writer *w, uint64_t written, int64_t end, uint8_t *at)
{
    if (!w->head.pointer) w->head.pointer = 8;
    w->head.settled = 1;
    return head_put(&w->head, &(head_now){ &w->clock, w->buffers.size, written, end }, at);
}

/* Where the source told its header, that begins the file's first buffer, with the other events that were in it. */
static int begin_with_header(writer *w, const write_source *s, uint16_t number, uint32_t session)
{
    size_t i = write_source_header_buffer(s, session);
    const entry *b = i < s->n ? &s->buffer[i] : NULL;
    placing p = { .key = WRITE_KEY(number, session, i), .begins = 1 };
    open_buffer *header;
    uint8_t made[HEAD_MAX], *at;
    uint32_t bytes;
    int status;

    if (b && b->cpu < WRITE_CPUS) p.cpu = b->cpu;
    if (b) p.expect = b->filled;
    note_processor(w, p.cpu);
    bytes = put_head(w, 1, 0, made);
    p.bytes = bytes;
    p.ticks = (int64_t)tw_u64(made + ETW_HOOK_TIME);
    w->buffers.sequence = 0;
    header = write_buffers_open(&w->buffers, &p, &status);
    if (!header) return status;
    header->type = ETW_BUFFER_IS_HEADER;
    header->flags = ETW_FLAG_FLUSH_MARKER;
    w->buffers.header = header;
    at = write_buffers_place(header, bytes, 1, &p.ticks);
    memcpy(at, made, bytes);
    return TW_OK;
}

/* Where it did not, the header has a buffer for itself, once another one is written. */
static int start_file(writer *w)
{
    uint8_t *bytes;
    uint32_t end;
    int status;

    w->started = 1;
    if (w->head.settled) return TW_OK;
    bytes = malloc(w->buffers.size);
    if (!bytes) return tw_fail(w, "no memory for a buffer of %u bytes", w->buffers.size);
    end = ETW_BUFFER_HEADER + put_head(w, 1, 0, bytes + ETW_BUFFER_HEADER);
    while (end % ETW_PAD) bytes[end++] = 0;
    write_buffer_seal(bytes, &(buffer_seal){ .size = w->buffers.size,
                                             .filled = end,
                                             .flags = ETW_FLAG_FLUSH_MARKER | ETW_FLAG_PROC_INDEX,
                                             .type = ETW_BUFFER_IS_HEADER });
    status = w->tw.host->write(w->to, bytes, w->buffers.size);
    w->buffers.written++;
    free(bytes);
    return status;
}

static int put_bytes(void *self, const uint8_t *bytes, uint32_t n)
{
    writer *w = self;
    int status = w->started ? TW_OK : start_file(w);

    return status == TW_OK ? w->tw.host->write(w->to, bytes, n) : status;
}

/* What was not known when the header was written. */
static int finish_head(writer *w)
{
    uint8_t bytes[HEAD_MAX];
    uint32_t n = put_head(w, w->buffers.written, end_of_file(w), bytes);
    int status = w->tw.host->rewrite(w->to, ETW_BUFFER_HEADER, bytes, n);

    if (status != TW_END) return status;
    tw_log(w, TW_INFO, "the header of this output cannot be completed: readers see a session that was not closed");
    return TW_OK;
}

/* ---- The sources ---- */

static void use_end(writer *w, const tw_event *e)
{
    tw_clock c;

    if (w->tw.host->clock(w, e, &c) != TW_OK) return;
    if (!c.end && write_source_of(&w->sources, w, e->source)->told) w->open_end = 1;
    if (!c.end) return;
    if (!w->has_end || c.end > w->end) w->end = c.end;
    w->has_end = 1;
}

typedef struct chosen { /* of a source's sessions the one that began first */
    uint32_t session;
    head_event head;
    trace_clock clock;
} chosen;

/* 0: the source tells none. `*exact`: the chosen one's clock has a tick for all times of the others. */
static int choose_session(writer *w, const tw_event *e, chosen *best, int *exact)
{
    head_event head;
    trace_clock clock;
    int any = 0;

    for (uint32_t n = 0; write_source_header(w, e, &n, &head, &clock);)
        if (!any++ || clock.time < best->clock.time) *best = (chosen){ n - 1, head, clock };
    *exact = 1;
    for (uint32_t n = 0; any && write_source_header(w, e, &n, &head, &clock);)
        *exact = *exact && tells_all_times(&best->clock, &clock);
    return any;
}

/* What is known of a source, asked by its first event: some tell their headers by any event, so that it does not matter
   whether a filter let the header events pass. */
static int ask_source(writer *w, write_source *s, const tw_event *e)
{
    head_event head;
    trace_clock clock;
    uint64_t size = 0;
    chosen best;
    int exact;

    s->asked = 1;
    write_source_ask_buffers(s, w, e);
    if (choose_session(w, e, &best, &exact)) {
        s->told = 1;
        if (!w->has_clock) {
            w->clock = best.clock;
            w->head.own_clock = exact && !w->head.known && best.head.says_clock;
            if (!exact) make_fine(&w->clock);
            w->has_clock = 1;
        }
        int first = !w->head.known && !w->head.settled;
        head_add(&w->head, &best.head, *w->logger != 0);
        for (uint32_t n = 0; write_source_header(w, e, &n, &head, &clock);) {
            if (n - 1 != best.session) head_add(&w->head, &head, 1);
            if (size_of_source(s, &head.log) > size) size = size_of_source(s, &head.log);
        }
        if (use_size(w, size) != TW_OK) return TW_ERROR;
        if (first && !w->buffers.nopen && begin_with_header(w, s, e->source, best.session) == TW_ERROR)
            return TW_ERROR;
    }
    use_end(w, e);
    return TW_OK;
}

/* The clock is that of the first event that has one. Where there is none, ticks are nanoseconds. */
static int begin_file(writer *w, const tw_batch *b)
{
    for (uint32_t i = 0; i < b->n && !w->has_clock; i++) {
        const tw_event *e = &b->event[i];
        write_source *s = e->record ? write_source_of(&w->sources, w, e->source) : NULL;

        if (e->record && !s) return TW_ERROR;
        if (s && !s->asked && ask_source(w, s, e) != TW_OK) return TW_ERROR;
        if (!w->has_clock) w->has_clock = use_clock(w, e);
    }
    if (w->has_clock) return TW_OK;
    w->has_clock = 1;
    clock_set(&w->clock, 0, filetime_ns(ns_filetime(b->event[0].time)), NS);
    return TW_OK;
}

/* ---- Events ---- */

/* Where in its buffer an event without a time in its header stands decides its time: it has that of the one before.
   Where that is another time than its own or no event is before it, a message gets a time; the few other kinds have no
   room for one. Gives the ticks of the event. */
static int64_t place_in_time(writer *w, write_record *r, const open_buffer *b, int64_t ticks)
{
    if (r->timed) return ticks;
    if (b->last != INT64_MIN && clock_ns(&w->clock, b->last) == r->event->time) return b->last;
    if (!write_record_give_time(r)) tw_count(w, COUNT_UNTIMED, 1);
    return ticks;
}

static int put_event(writer *w, const write_source *s, const tw_event *e, placing *p)
{
    write_record r;
    open_buffer *b;
    int64_t ticks, wanted;
    uint8_t *at;
    int status;

    write_record_begin(&r, e, w->tw.type[e->type]);
    status = make_room(w, (uint64_t)r.header + e->bytes + (r.timed ? 0 : RECORD_TIME_BYTES));
    if (status == TW_END) tw_count(w, COUNT_LONG, 1);
    if (status != TW_OK) return status == TW_END ? TW_OK : status;
    p->ticks = r.timed ? ticks_of(w, e, r.has_record ? &r.record : NULL) : clock_ticks(&w->clock, e->time);
    p->bytes = r.header + e->bytes + (r.timed ? 0 : RECORD_TIME_BYTES);
    p->cpu = e->cpu;
    b = write_buffers_open(&w->buffers, p, &status);
    if (!b) return status;
    ticks = wanted = place_in_time(w, &r, b, p->ticks);
    at = write_buffers_place(b, r.header + e->bytes, r.timed, &ticks);
    if (ticks != wanted) tw_count(w, COUNT_LATE, 1);
    if (p->disorder) tw_count(w, COUNT_DISORDER, 1);
    write_record_put(&r, ticks, at);
    if (e->bytes) memcpy(at + r.header, e->data, e->bytes);
    note_processor(w, e->cpu);
    if (e->time > w->last) w->last = e->time;
    if ((!s || !s->told) && w->has_end && e->time > w->end) w->end = e->time;
    if (!w->head.pointer && r.type->key && !strncmp(r.type->key, "kernel:", 7)) w->head.pointer = r.type->pointer;
    return write_buffers_done(&w->buffers, b);
}

static int is_header(const tw_event *e, const tw_type *t)
{
    if (t->number != 0 || !t->key || strcmp(t->key, "kernel:00") != 0) return 0;
    return !e->record || e->record[ETW_TYPE] == ETW_SYSTEM32 || e->record[ETW_TYPE] == ETW_SYSTEM64;
}

/* A header that gets here is not written: the file has one. If its source does not tell its headers, it is what is known
   of them. TW_END: it is none, at least for readers. */
static int take_header(writer *w, const write_source *s, const tw_event *e, const tw_type *t)
{
    head_event head = { .record = e->record, .payload = e->data, .pid = e->pid, .tid = e->tid };

    if (!log_header_read(e->data, e->bytes, t->pointer, &head.log)) return TW_END;
    if (s && s->told) return TW_OK;
    head_add(&w->head, &head, *w->logger != 0);
    return use_size(w, head.log.buffer_size);
}

static int take_event(writer *w, const tw_event *e)
{
    write_source *s = e->record ? write_source_of(&w->sources, w, e->source) : NULL;
    const tw_type *t = w->tw.type[e->type];
    placing p = { 0 };
    int status;

    if (e->record && !s) return TW_ERROR;
    if (s && !s->asked && ask_source(w, s, e) != TW_OK) return TW_ERROR;
    if (e->cpu >= WRITE_CPUS) {
        tw_count(w, COUNT_CPU, 1);
        return TW_OK;
    }
    if (s && s->buffer) write_source_place(&w->sources, s, e, &p);
    status = is_header(e, t) ? take_header(w, s, e, t) : TW_END;
    return status == TW_END ? put_event(w, s, e, &p) : status;
}

/* ---- The stage ---- */

static int open_writer(void *self)
{
    writer *w = self;
    int64_t size = w->buffer_size;

    if (size != 0 && (size < LEAST_SIZE || size > ETW_BUFFER_MAX || size % 1024))
        return w->tw.host->misuse(
            w, "buffer_size = %lld: it must be from 4k to 16M and a multiple of 1k, such as 64k", (long long)size);
    head_name(&w->head.logger, *w->logger ? w->logger : "traceweir");
    write_buffers_init(&w->buffers, size ? (uint32_t)size : USUAL_SIZE, put_bytes, w);
    w->last = INT64_MIN;
    return TW_OK;
}

static int write_events(void *self, tw_batch *b)
{
    writer *w = self;

    if (!w->has_clock && b->n && begin_file(w, b) != TW_OK) return TW_ERROR;
    for (uint32_t i = 0; i < b->n; i++) {
        int status = take_event(w, &b->event[i]);

        if (status != TW_OK) return status;
    }
    return TW_OK;
}

/* Losses behind which no event of their processor came: a buffer without events says so. */
static int put_losses(writer *w)
{
    int status = TW_OK;

    for (uint32_t cpu = 0; cpu < WRITE_CPUS && w->sources.nlost && status == TW_OK; cpu++) {
        placing p = { .ticks = w->buffers.newest, .cpu = (uint16_t)cpu, .begins = 1, .flags = w->sources.lost[cpu] };

        if (!p.flags) continue;
        w->sources.nlost--;
        note_processor(w, cpu);
        (void)write_buffers_open(&w->buffers, &p, &status);
    }
    return status;
}

static int end_writer(void *self)
{
    writer *w = self;
    int status = put_losses(w);

    if (status == TW_OK) status = write_buffers_finish(&w->buffers);
    if (!w->has_clock)
        clock_set(&w->clock, 0, time_now(), NS); /* no event came, and nothing is known: it is from now */
    if (status == TW_OK && !w->started) status = start_file(w);
    if (status == TW_OK) status = finish_head(w);
    return status == TW_END ? TW_OK : status;
}

static void close_writer(void *self)
{
    writer *w = self;

    write_buffers_free(&w->buffers);
    write_sources_free(&w->sources);
}

const tw_stage etl_write_stage = {
    .size = sizeof(tw_stage),
    .name = "write",
    .help = "Write the events that pass by into an .etl file.",
    .state = sizeof(writer),
    .options = options,
    .counters = counters,
    .open = open_writer,
    .events = write_events,
    .end = end_writer,
    .close = close_writer,
};
