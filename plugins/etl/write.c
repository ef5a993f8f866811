/* write.c - etl.write: the events that pass by as an .etl file.

   One idea: an event that came with its record keeps the record's header, with time, process and thread as the event
   has them now, and takes its payload from the event; one without gets a header by its type. So what a stage changed
   is what is written. The file's clock is the source's, so that ticks inside of payloads stay right. */
#include "clock.h"
#include "format.h"
#include "header.h"
#include "put.h"
#include "record.h"
#include "write_buffer.h"

#include <stdlib.h>

extern const tw_stage etl_write_stage;

enum {
    LEAST_SIZE = 4 << 10, /* of a buffer; the header event has to fit into one */
    MOST_EVENT = 0xFFFF,  /* bytes: the size of an event is a u16 */
    ZONE_BYTES = 172,
    NAME_BYTES = 2 * 400, /* of either name in the header, without terminator */
    HEAD_MAX = ETW_SYSTEM_HEADER + ETW_LOG_STRINGS + 2 * (NAME_BYTES + 2)
};

_Static_assert(ETW_BUFFER_HEADER + HEAD_MAX <= LEAST_SIZE, "the header event fits into the smallest buffer");

typedef struct name16 { /* UTF-16LE */
    uint8_t at[NAME_BYTES];
    uint32_t bytes;
} name16;

typedef struct head { /* what the log-file header will say */
    log_header from;  /* of the source's own header; zeros where it had none */
    uint8_t zone[ZONE_BYTES];
    name16 logger, file;
    uint32_t pid, tid, processors;
    uint64_t events_lost, buffers_lost; /* of all headers of the source */
    int64_t end;                        /* of the source or of its last event, ns since 1970 */
    int known;                          /* the source had a header */
} head;

typedef struct writer {
    tw_self tw;
    tw_output *to;
    int64_t buffer_size;
    const char *logger;
    write_buffers buffers;
    trace_clock clock; /* as readers of the file will see it */
    int has_clock, started;
    uint32_t pointer; /* of the log-file header; 0: not decided */
    head head;
} writer;

enum { COUNT_LONG, COUNT_CPU, COUNT_LATE };

// clang-format off
static const tw_option options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, NULL, "the file; one that ends in .zst is compressed"),
    TW_OPTION(writer, buffer_size, TW_OPT_INT, "64k", "bytes of a buffer: 4k to 16M, a multiple of 1k"),
    TW_OPTION(writer, logger, TW_OPT_TEXT, "", "name of the session; without it that of the source, else traceweir"),
    { 0 }
};

static const tw_counter counters[] = {
    { "too_long", "events that are longer than a buffer or 65535 bytes", TW_SKIPPED },
    { "cpu", "events of processors beyond 2047", TW_SKIPPED },
    { "late", "events that were earlier than one already in their buffer, and got its time", TW_WARNING },
    { 0 }
};
// clang-format on

/* ---- The log-file header ---- */

/* UTF-8 as UTF-16LE, cut at a character where there is no more room; what is no UTF-8 becomes U+FFFD. */
static void name_from_text(name16 *out, const char *text)
{
    const uint8_t *at = (const uint8_t *)text;

    out->bytes = 0;
    while (*at && out->bytes + 4 <= NAME_BYTES) {
        uint32_t more = *at < 0xC0 ? 0 : *at < 0xE0 ? 1 : *at < 0xF0 ? 2 : *at < 0xF8 ? 3 : 0;
        uint32_t c = *at < 0x80 ? *at : more ? *at & (0x3F >> more) : 0xFFFD;

        for (at++; more; more--, at++) {
            if ((*at & 0xC0) != 0x80) {
                c = 0xFFFD;
                break;
            }
            c = c << 6 | (*at & 0x3F);
        }
        if (c > 0x10FFFF) c = 0xFFFD;
        if (c > 0xFFFF) {
            put16(out->at + out->bytes, 0xD7C0 + (c >> 10));
            put16(out->at + out->bytes + 2, 0xDC00 + (c & 0x3FF));
            out->bytes += 4;
        } else {
            put16(out->at + out->bytes, c);
            out->bytes += 2;
        }
    }
}

static void name_from_header(name16 *out, const uint8_t *at, uint32_t bytes)
{
    out->bytes = bytes < NAME_BYTES ? bytes : NAME_BYTES;
    memcpy(out->at, at, out->bytes);
}

static uint32_t capped(uint64_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static uint32_t put_name(uint8_t *at, const name16 *name)
{
    memcpy(at, name->at, name->bytes);
    put16(at + name->bytes, 0);
    return name->bytes + 2;
}

/* The log-file header event into `at`, HEAD_MAX bytes at most; its size does not change once it was written. `end` is
   a FILETIME, 0 as long as the session is open. */
static uint32_t put_head(const writer *w, uint8_t *at, uint64_t written, int64_t end)
{
    const head *h = &w->head;
    const tw_type type = { .version = 2, .pointer = (uint8_t)w->pointer }; /* opcode 0 of group 0 */
    uint32_t less = w->pointer == 4 ? ETW_LOG_LESS32 : 0, bytes = ETW_LOG_STRINGS - less;
    uint8_t *log = at + ETW_SYSTEM_HEADER, *late = log - less; /* `late`: for what stands behind the two pointers */

    memset(log, 0, bytes);
    put32(log + ETW_LOG_BUFFER_SIZE, w->buffers.size);
    memcpy(log + ETW_LOG_VERSION, h->known ? h->from.version : (const uint8_t[]){ 10, 0, 1, 5 }, 4);
    put32(log + ETW_LOG_BUILD, h->from.build);
    put32(log + ETW_LOG_PROCESSORS, h->processors);
    put64(log + ETW_LOG_END, (uint64_t)end);
    put32(log + ETW_LOG_RESOLUTION, h->known ? h->from.resolution : 156250);
    put32(log + ETW_LOG_MODE, ETW_MODE_SEQUENTIAL);
    put32(log + ETW_LOG_WRITTEN, capped(written));
    put32(log + ETW_LOG_START_BUFFERS, 1);
    put32(log + ETW_LOG_POINTER, w->pointer);
    put32(log + ETW_LOG_EVENTS_LOST, capped(h->events_lost));
    put32(log + ETW_LOG_CPU_MHZ, h->from.cpu_mhz);
    memcpy(late + ETW_LOG_ZONE, h->zone, ZONE_BYTES);
    put64(late + ETW_LOG_BOOT, (uint64_t)h->from.boot);
    put64(late + ETW_LOG_HZ, (uint64_t)w->clock.hz);
    put64(late + ETW_LOG_START, (uint64_t)ns_filetime(w->clock.time));
    put32(late + ETW_LOG_CLOCK, ETW_CLOCK_QPC);
    put32(late + ETW_LOG_BUFFERS_LOST, capped(h->buffers_lost));
    bytes += put_name(log + bytes, &h->logger);
    bytes += put_name(log + bytes, &h->file);
    return bytes + header_kernel(at, &(header){ w->clock.ticks, h->pid, h->tid, bytes, &type }, 0);
}

static int is_head(const tw_type *t)
{
    return t->number == 0 && t->key && !strcmp(t->key, "kernel:00");
}

/* 1 where the event is a log-file header: what it says goes into the new one, of the first all, of the others the
   losses. */
static int take_head(writer *w, const tw_event *e)
{
    head *h = &w->head;
    log_header from;

    if (!is_head(w->tw.type[e->type])) return 0;
    if (!log_header_read(e->data, e->bytes, w->tw.type[e->type]->pointer, &from)) return 0;
    h->events_lost += from.events_lost;
    h->buffers_lost += from.buffers_lost;
    if (h->known || w->started) return 1;
    h->known = 1;
    h->from = from;
    h->pid = e->pid;
    h->tid = e->tid;
    h->processors = from.processors;
    w->pointer = from.pointer;
    memcpy(h->zone, e->data + ETW_LOG_ZONE - (from.pointer == 4 ? ETW_LOG_LESS32 : 0), ZONE_BYTES);
    if (!*w->logger && from.logger_bytes) name_from_header(&h->logger, from.logger, from.logger_bytes);
    name_from_header(&h->file, from.file, from.file_bytes);
    return 1;
}

/* ---- The clock ---- */

/* The source's clock, told as a reader will see it: a header can tell the start to 100 ns. Where there is no clock,
   ticks are nanoseconds. */
static void set_clock(writer *w, const tw_batch *b)
{
    tw_clock c;

    w->has_clock = 1;
    for (uint32_t i = 0; i < b->n; i++) {
        if (w->tw.host->clock(w, &b->event[i], &c) != TW_OK || c.hz <= 0) continue;
        clock_set(&w->clock, c.ticks, filetime_ns(ns_filetime(c.time)), c.hz);
        w->head.end = c.end;
        return;
    }
    clock_set(&w->clock, 0, b->n ? filetime_ns(ns_filetime(b->event[0].time)) : 0, 1000000000);
}

/* The ticks of an event: the record's own, if a reader will see the event's time in them. */
static int64_t ticks_of(const writer *w, const tw_event *e, const record *r)
{
    if (r && r->timed && clock_ns(&w->clock, r->ticks) == e->time) return r->ticks;
    return clock_ticks(&w->clock, e->time);
}

/* ---- The file ---- */

static int put_bytes(void *context, const uint8_t *bytes, uint32_t n);

/* The header buffer, once it is known what the header says and before any other. */
static int start_file(writer *w)
{
    uint8_t *bytes = malloc(w->buffers.size);
    uint32_t end;
    int status;

    if (!w->pointer) w->pointer = 8;
    if (!bytes) return tw_fail(w, "no memory for a buffer of %u bytes", w->buffers.size);
    w->started = 1;
    end = ETW_BUFFER_HEADER + put_head(w, bytes + ETW_BUFFER_HEADER, 1, 0);
    while (end % ETW_PAD) bytes[end++] = 0;
    write_buffer_seal(bytes, &(buffer_seal){ .size = w->buffers.size,
                                             .filled = end,
                                             .flags = ETW_FLAG_FLUSH_MARKER | ETW_FLAG_PROC_INDEX,
                                             .type = ETW_BUFFER_IS_HEADER });
    status = w->tw.host->write(w->to, bytes, w->buffers.size);
    free(bytes);
    return status;
}

static int put_bytes(void *context, const uint8_t *bytes, uint32_t n)
{
    writer *w = context;
    int status = w->started ? TW_OK : start_file(w);

    return status == TW_OK ? w->tw.host->write(w->to, bytes, n) : status;
}

/* What was not known when the header was written. */
static int finish_head(writer *w)
{
    uint8_t bytes[HEAD_MAX];
    uint32_t n = put_head(w, bytes, w->buffers.written + 1, ns_filetime(w->head.end) + (w->head.end % 100 > 0));
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

static void put_header(uint8_t *at, subject *s, int64_t ticks)
{
    if (!s->has_record)
        make_header(at, s, ticks);
    else if (s->names_somebody)
        widen_header(at, s, ticks);
    else
        copy_header(at, s, ticks);
}

static void look_at(subject *s, const writer *w, const tw_event *e)
{
    s->event = e;
    s->type = w->tw.type[e->type];
    s->has_record = e->record && record_read(e->record, SIZE_MAX, &s->record) == RECORD_GOOD;
    s->names_somebody =
        s->has_record && is_perfinfo(&s->record) && (e->pid != RECORD_NOBODY || e->tid != RECORD_NOBODY);
    if (!s->has_record)
        s->header = make_header(s->made, s, 0);
    else
        s->header = s->record.payload + (s->names_somebody ? ETW_SYSTEM_HEADER - ETW_PERFINFO_HEADER : 0);
}

static int put_event(writer *w, const tw_event *e)
{
    subject s;
    uint32_t room = w->buffers.size - ETW_BUFFER_HEADER;
    int64_t ticks, wanted;
    uint8_t *at;
    int status = TW_OK;

    look_at(&s, w, e);
    if (room > MOST_EVENT) room = MOST_EVENT;
    if (s.header > room || e->bytes > room - s.header) {
        tw_count(w, COUNT_LONG, 1);
        return TW_OK;
    }
    if (e->cpu >= WRITE_CPUS) {
        tw_count(w, COUNT_CPU, 1);
        return TW_OK;
    }
    ticks = wanted = ticks_of(w, e, s.has_record ? &s.record : NULL);
    at = write_buffers_place(&w->buffers, e->cpu, s.header + e->bytes, &ticks, &status);
    if (!at) return status;
    if (ticks != wanted) tw_count(w, COUNT_LATE, 1);
    put_header(at, &s, ticks);
    if (e->bytes) memcpy(at + s.header, e->data, e->bytes);
    if (e->cpu >= w->head.processors) w->head.processors = e->cpu + 1u;
    if (e->time > w->head.end) w->head.end = e->time;
    if (!w->pointer && s.type->key && !strncmp(s.type->key, "kernel:", 7)) w->pointer = s.type->pointer;
    return TW_OK;
}

/* ---- The stage ---- */

static int open_writer(void *self)
{
    writer *w = self;
    int64_t size = w->buffer_size;

    if (size < LEAST_SIZE || size > ETW_BUFFER_MAX || size % 1024)
        return w->tw.host->misuse(
            w, "buffer_size = %lld: it must be from 4k to 16M and a multiple of 1k, such as 64k", (long long)size);
    name_from_text(&w->head.logger, *w->logger ? w->logger : "traceweir");
    write_buffers_init(&w->buffers, (uint32_t)size, put_bytes, w);
    return TW_OK;
}

static int write_events(void *self, tw_batch *b)
{
    writer *w = self;

    if (!w->has_clock && b->n) set_clock(w, b);
    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        int status = take_head(w, e) ? TW_OK : put_event(w, e);

        if (status != TW_OK) return status;
    }
    return TW_OK;
}

static int end_writer(void *self)
{
    writer *w = self;
    int status = write_buffers_finish(&w->buffers);

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
