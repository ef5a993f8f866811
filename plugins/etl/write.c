/* write.c - etl.write: the events that pass by as an .etl file.

   One idea: an event that came with its record keeps the record's header, with time, process and thread as the event
   has them now, and takes its payload from the event; one without gets a header by its type. So what a stage changed
   is what is written. The file's clock is the source's, so that ticks inside of payloads stay right. */
#include "clock.h"
#include "format.h"
#include "header.h"
#include "headers.h"
#include "put.h"
#include "record.h"
#include "write_buffer.h"
#include "write_head.h"

#include <stdlib.h>

extern const tw_stage etl_write_stage;

enum {
    LEAST_SIZE = 4 << 10,  /* of a buffer; the header event has to fit into one */
    USUAL_SIZE = 64 << 10, /* where nobody says more */
    LARGE_SIZE = 1 << 20,  /* what is taken over from the source at most: some say 16M and fill 80k of them */
    MOST_EVENT = 0xFFFF,   /* bytes: the size of an event is a u16 */
    TIME_BYTES = 8,
    SOURCES = 65536, /* of a pipeline at most */
    SESSIONS = 65536 /* of a source at most */
};

_Static_assert(ETW_BUFFER_HEADER + HEAD_MAX <= LEAST_SIZE, "the header event fits into the smallest buffer");

typedef struct writer {
    tw_self tw;
    tw_output *to;
    int64_t buffer_size; /* 0: as it fits */
    const char *logger;
    write_buffers buffers;
    trace_clock clock; /* as readers of the file will see it */
    int has_clock, started, said_clocks;
    int64_t end; /* of the source or of its last event, ns since 1970 */
    head head;
    uint8_t asked[SOURCES / 8], told[SOURCES / 8]; /* a bit a source: it was asked for its headers; it told them */
} writer;

enum { COUNT_LONG, COUNT_CPU, COUNT_LATE, COUNT_UNTIMED };

// clang-format off
static const tw_option options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, NULL, "the file; one that ends in .zst is compressed"),
    TW_OPTION(writer, buffer_size, TW_OPT_INT, "0",
              "bytes of a buffer: 4k to 16M, a multiple of 1k; 0: those of the source, from 64k to 1M"),
    TW_OPTION(writer, logger, TW_OPT_TEXT, "", "name of the session; without it that of the source, else traceweir"),
    { 0 }
};

static const tw_counter counters[] = {
    { "too_long", "events that are longer than a buffer or 65535 bytes", TW_SKIPPED },
    { "cpu", "events of processors beyond 2047", TW_SKIPPED },
    { "late", "events that were earlier than one already in their buffer, and got its time", TW_WARNING },
    { "untimed", "events whose header has no room for a time, and that got that of another event in their buffer",
      TW_WARNING },
    { 0 }
};
// clang-format on

/* ---- The source's headers and clock ---- */

/* Before anything stands in them, buffers may become as large as the source's. */
static int use_size(writer *w, uint32_t size)
{
    if (w->buffer_size || w->started || w->buffers.nopen) return TW_OK;
    size = size < LARGE_SIZE ? (size + 1023) & ~1023u : LARGE_SIZE;
    return size > w->buffers.size ? write_buffers_grow(&w->buffers, size) : TW_OK;
}

static int add_head(writer *w, const tw_event *e, uint32_t pointer)
{
    log_header from;

    if (!log_header_read(e->data, e->bytes, pointer, &from)) return TW_END;
    head_add(&w->head, e, &from, *w->logger != 0);
    return use_size(w, from.buffer_size);
}

/* The headers of the source that an event comes from. Some tell them by any of their events, so that it does not matter
   whether a filter let the header events pass. */
static int ask_source(writer *w, const tw_event *e)
{
    uint8_t bit = (uint8_t)(1u << e->source % 8);
    tw_value v;
    record r;

    w->asked[e->source / 8] |= bit;
    for (uint32_t n = 0; n < SESSIONS && w->tw.host->extra(w, e, EXTRA_LOG_HEADER, n, &v) == TW_OK; n++) {
        if (v.kind != TW_BYTES || record_read((const uint8_t *)v.t.at, v.t.bytes, &r) != RECORD_GOOD) continue;
        const tw_event head = { .data = r.at + r.payload, .bytes = r.size - r.payload, .pid = r.pid, .tid = r.tid };
        int status = add_head(w, &head, r.pointer);
        if (status == TW_ERROR) return TW_ERROR;
        if (status == TW_OK) w->told[e->source / 8] |= bit;
    }
    return TW_OK;
}

static int is_set(const uint8_t *bits, uint16_t n)
{
    return bits[n / 8] >> n % 8 & 1;
}

/* The source's clock, told as a reader will see it: a header can tell the start to 100 ns. */
static int use_clock(writer *w, const tw_event *e)
{
    tw_clock c;

    if (w->tw.host->clock(w, e, &c) != TW_OK || c.hz <= 0) return 0;
    clock_set(&w->clock, c.ticks, filetime_ns(ns_filetime(c.time)), c.hz);
    w->end = c.end;
    return 1;
}

/* That of the first event that has one. Where there is none, ticks are nanoseconds. */
static void set_clock(writer *w, const tw_batch *b)
{
    w->has_clock = 1;
    for (uint32_t i = 0; i < b->n; i++)
        if (use_clock(w, &b->event[i])) return;
    clock_set(&w->clock, 0, filetime_ns(ns_filetime(b->event[0].time)), 1000000000);
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
           "these events come from several clocks, but a file has one: all times are right, ticks are now those of "
           "the first clock, but for ticks inside of payloads, which stay as they are");
}

/* The ticks of an event: the record's own, if a reader will see the event's time in them. */
static int64_t ticks_of(writer *w, const tw_event *e, const record *r)
{
    if (r && r->timed) {
        if (clock_ns(&w->clock, r->ticks) == e->time) return r->ticks;
        say_clocks(w, e);
    }
    return clock_ticks(&w->clock, e->time);
}

/* ---- The file ---- */

/* The header buffer, once it is known what the header says and before any other. */
static int start_file(writer *w)
{
    uint8_t *bytes = malloc(w->buffers.size);
    uint32_t end;
    int status;

    if (!bytes) return tw_fail(w, "no memory for a buffer of %u bytes", w->buffers.size);
    if (!w->head.pointer) w->head.pointer = 8;
    w->started = w->head.settled = 1;
    end = ETW_BUFFER_HEADER +
          head_put(&w->head, &(head_now){ &w->clock, w->buffers.size, 1, 0 }, bytes + ETW_BUFFER_HEADER);
    while (end % ETW_PAD) bytes[end++] = 0;
    write_buffer_seal(bytes, &(buffer_seal){ .size = w->buffers.size,
                                             .filled = end,
                                             .flags = ETW_FLAG_FLUSH_MARKER | ETW_FLAG_PROC_INDEX,
                                             .type = ETW_BUFFER_IS_HEADER });
    status = w->tw.host->write(w->to, bytes, w->buffers.size);
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
    int64_t end = w->end > w->clock.time ? w->end : w->clock.time;
    head_now now = { &w->clock, w->buffers.size, w->buffers.written + 1, ns_filetime(end) + (end % 100 > 0) };
    uint32_t n = head_put(&w->head, &now, bytes);
    int status = w->tw.host->rewrite(w->to, ETW_BUFFER_HEADER, bytes, n);

    if (status != TW_END) return status;
    tw_log(w, TW_INFO, "the header of this output cannot be completed: readers see a session that was not closed");
    return TW_OK;
}

/* ---- Events ---- */

typedef struct subject { /* an event on its way into the file */
    const tw_event *event;
    const tw_type *type;
    record record;
    int has_record;
    int names_somebody; /* the event does, but its record is a PERFINFO, which has no room for that */
    int gets_time;      /* its record is a message without one, and it needs one */
    int timed;          /* it has a time of its own in the file */
    uint32_t header;    /* bytes in front of the payload */
    uint8_t made[HEADER_MAX];
} subject;

static int is_perfinfo(const record *r)
{
    return r->kind == RECORD_KERNEL && (r->type == ETW_PERFINFO32 || r->type == ETW_PERFINFO64);
}

/* The header of an event without record, by the source's own key of its provider. */
static uint32_t make_header(uint8_t *at, const subject *s, int64_t ticks)
{
    const tw_type *t = s->type;
    header h = { ticks, s->event->pid, s->event->tid, s->event->bytes, t };

    if (t->key && !strncmp(t->key, "kernel:", 7))
        return header_kernel(at, &h, (unsigned)strtoul(t->key + 7, NULL, 16));
    if (t->key && !strncmp(t->key, "wpp:", 4)) return header_message(at, &h);
    return header_event(at, &h);
}

/* The record's header with the size, time, process and thread of now. */
static void copy_header(uint8_t *at, const subject *s, int64_t ticks)
{
    const record *r = &s->record;
    const tw_event *e = s->event;
    uint32_t bytes = s->header + e->bytes, system = ETW_THREAD, time = ETW_TIME;

    memcpy(at, r->at, r->payload);
    if (r->kind == RECORD_KERNEL)
        put16(at + ETW_HOOK_SIZE, bytes);
    else if (at[ETW_FAMILY] & ETW_TRACE_BIT)
        put16(at + ETW_SIZE, bytes);
    else
        put32(at, bytes);
    if (r->kind == RECORD_OPAQUE) return;
    if (r->kind == RECORD_MESSAGE) { /* both stand right before the payload, where they are */
        uint16_t flags = tw_u16(at + ETW_MESSAGE_FLAGS);

        system = flags & ETW_MESSAGE_SYSTEM ? r->payload - 8 : 0;
        time = flags & ETW_MESSAGE_TIMES ? r->payload - (system ? 16 : 8) : 0;
    } else if (is_perfinfo(r)) {
        system = 0;
        time = ETW_PERFINFO_TIME;
    }
    if (system) {
        put32(at + system, e->tid);
        put32(at + system + 4, e->pid);
    }
    if (time) put64(at + time, (uint64_t)ticks);
}

/* A PERFINFO header as a SYSTEM one: the words behind it, which its version tells of, move along. */
static void widen_header(uint8_t *at, const subject *s, int64_t ticks)
{
    const record *r = &s->record;

    memset(at, 0, ETW_SYSTEM_HEADER);
    memcpy(at, r->at, ETW_HOOK_THREAD);
    at[ETW_TYPE] = r->type == ETW_PERFINFO32 ? ETW_SYSTEM32 : ETW_SYSTEM64;
    put16(at + ETW_HOOK_SIZE, s->header + s->event->bytes);
    put32(at + ETW_HOOK_THREAD, s->event->tid);
    put32(at + ETW_HOOK_PROCESS, s->event->pid);
    put64(at + ETW_HOOK_TIME, (uint64_t)ticks);
    memcpy(at + ETW_SYSTEM_HEADER, r->at + ETW_PERFINFO_HEADER, r->payload - ETW_PERFINFO_HEADER);
}

/* A message's header with a time, which stands behind all but thread and process. */
static void add_time(uint8_t *at, const subject *s, int64_t ticks)
{
    uint16_t flags = tw_u16(s->record.at + ETW_MESSAGE_FLAGS);
    uint32_t time = s->record.payload - (flags & ETW_MESSAGE_SYSTEM ? 8 : 0);

    memcpy(at, s->record.at, time);
    put16(at + ETW_SIZE, s->header + s->event->bytes);
    put16(at + ETW_MESSAGE_FLAGS, flags | ETW_MESSAGE_TIME);
    put64(at + time, (uint64_t)ticks);
    if (!(flags & ETW_MESSAGE_SYSTEM)) return;
    put32(at + time + TIME_BYTES, s->event->tid);
    put32(at + time + TIME_BYTES + 4, s->event->pid);
}

static void put_header(uint8_t *at, const subject *s, int64_t ticks)
{
    if (!s->has_record)
        make_header(at, s, ticks);
    else if (s->names_somebody)
        widen_header(at, s, ticks);
    else if (s->gets_time)
        add_time(at, s, ticks);
    else
        copy_header(at, s, ticks);
}

static void look_at(subject *s, const writer *w, const tw_event *e)
{
    s->event = e;
    s->gets_time = 0;
    s->type = w->tw.type[e->type];
    s->has_record = e->record && record_read(e->record, SIZE_MAX, &s->record) == RECORD_GOOD;
    s->names_somebody =
        s->has_record && is_perfinfo(&s->record) && (e->pid != RECORD_NOBODY || e->tid != RECORD_NOBODY);
    if (!s->has_record)
        s->header = make_header(s->made, s, 0);
    else
        s->header = s->record.payload + (s->names_somebody ? ETW_SYSTEM_HEADER - ETW_PERFINFO_HEADER : 0);
}

/* Where in its buffer an event without a time in its header stands decides its time: it has that of the one before.
   Where that is another time than its own or no event is before it, a message gets a time; the few other kinds have no
   room for one. Gives the ticks of the event. */
static int64_t place_in_time(writer *w, subject *s)
{
    const tw_event *e = s->event;
    int64_t before;

    s->timed = !s->has_record || s->record.timed;
    if (s->timed) return ticks_of(w, e, s->has_record ? &s->record : NULL);
    if (write_buffers_before(&w->buffers, e->cpu, s->header + e->bytes, &before) &&
        clock_ns(&w->clock, before) == e->time)
        return before;
    if (s->record.kind == RECORD_MESSAGE) {
        s->gets_time = s->timed = 1;
        s->header += TIME_BYTES;
    } else {
        tw_count(w, COUNT_UNTIMED, 1);
    }
    return clock_ticks(&w->clock, e->time);
}

/* TW_OK where the buffers can hold an event of `bytes` bytes, TW_END where they cannot. Buffers that nobody set a size
   for grow, as long as none was written. */
static int make_room(writer *w, uint64_t bytes)
{
    uint32_t size = w->buffers.size;

    if (bytes > MOST_EVENT) return TW_END;
    while (size - ETW_BUFFER_HEADER < bytes) size *= 2;
    if (size == w->buffers.size) return TW_OK;
    return w->buffer_size || w->started ? TW_END : write_buffers_grow(&w->buffers, size);
}

static int put_event(writer *w, const tw_event *e)
{
    subject s;
    int64_t ticks, wanted;
    uint8_t *at;
    int status;

    if (e->cpu >= WRITE_CPUS) {
        tw_count(w, COUNT_CPU, 1);
        return TW_OK;
    }
    look_at(&s, w, e);
    status = make_room(w, (uint64_t)s.header + e->bytes + (s.has_record && !s.record.timed ? TIME_BYTES : 0));
    if (status == TW_END) tw_count(w, COUNT_LONG, 1);
    if (status != TW_OK) return status == TW_END ? TW_OK : status;
    ticks = wanted = place_in_time(w, &s);
    at = write_buffers_place(&w->buffers, e->cpu, s.header + e->bytes, s.timed, &ticks, &status);
    if (!at) return status;
    if (ticks != wanted) tw_count(w, COUNT_LATE, 1);
    put_header(at, &s, ticks);
    if (e->bytes) memcpy(at + s.header, e->data, e->bytes);
    if (e->cpu >= w->head.processors) w->head.processors = e->cpu + 1u;
    if (e->time > w->end) w->end = e->time;
    if (!w->head.pointer && s.type->key && !strncmp(s.type->key, "kernel:", 7)) w->head.pointer = s.type->pointer;
    return TW_OK;
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
    return TW_OK;
}

/* A header that gets here is not written: the file has one. If its source does not tell its headers, it is what is known
   of them. */
static int take_event(writer *w, const tw_event *e)
{
    const tw_type *t = w->tw.type[e->type];
    int status;

    if (e->record && !is_set(w->asked, e->source) && ask_source(w, e) != TW_OK) return TW_ERROR;
    if (t->number != 0 || !t->key || strcmp(t->key, "kernel:00") != 0) return put_event(w, e);
    if (e->record && is_set(w->told, e->source)) return TW_OK;
    status = add_head(w, e, t->pointer);
    return status == TW_END ? put_event(w, e) : status;
}

static int write_events(void *self, tw_batch *b)
{
    writer *w = self;

    if (!w->has_clock && b->n) set_clock(w, b);
    for (uint32_t i = 0; i < b->n; i++) {
        int status = take_event(w, &b->event[i]);

        if (status != TW_OK) return status;
    }
    return TW_OK;
}

static int end_writer(void *self)
{
    writer *w = self;
    int status = write_buffers_finish(&w->buffers);

    if (!w->has_clock) clock_set(&w->clock, 0, 0, 1000000000); /* no event came: of 1970 */
    if (status == TW_OK && !w->started) status = start_file(w);
    if (status == TW_OK) status = finish_head(w);
    return status == TW_END ? TW_OK : status;
}

static void close_writer(void *self)
{
    writer *w = self;

    write_buffers_free(&w->buffers);
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
