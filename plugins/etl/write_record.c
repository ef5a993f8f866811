/* write_record.c - copying, changing and making headers; see write_record.h. */
#include "write_record.h"

#include "put.h"

#include <stdlib.h>

static int is_perfinfo(const record *r)
{
    return r->kind == RECORD_KERNEL && (r->type == ETW_PERFINFO32 || r->type == ETW_PERFINFO64);
}

/* The header of an event without record, by the source's own key of its provider. */
static uint32_t make_header(uint8_t *at, const write_record *r, int64_t ticks)
{
    const tw_type *t = r->type;
    header h = { ticks, r->event->pid, r->event->tid, r->event->bytes, t };

    if (t->key && !strncmp(t->key, "kernel:", 7))
        return header_kernel(at, &h, (unsigned)strtoul(t->key + 7, NULL, 16));
    if (t->key && !strncmp(t->key, "wpp:", 4)) return header_message(at, &h);
    return t->flags & TW_CLASSIC ? header_classic(at, &h) : header_event(at, &h);
}

/* The record's header with the size, time, process and thread of now. */
static void copy_header(uint8_t *at, const write_record *w, int64_t ticks)
{
    const record *r = &w->record;
    const tw_event *e = w->event;
    uint32_t bytes = w->header + e->bytes, system = ETW_THREAD, time = ETW_TIME;

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
static void widen_header(uint8_t *at, const write_record *w, int64_t ticks)
{
    const record *r = &w->record;

    memset(at, 0, ETW_SYSTEM_HEADER);
    memcpy(at, r->at, ETW_HOOK_THREAD);
    at[ETW_TYPE] = r->type == ETW_PERFINFO32 ? ETW_SYSTEM32 : ETW_SYSTEM64;
    put16(at + ETW_HOOK_SIZE, w->header + w->event->bytes);
    put32(at + ETW_HOOK_THREAD, w->event->tid);
    put32(at + ETW_HOOK_PROCESS, w->event->pid);
    put64(at + ETW_HOOK_TIME, (uint64_t)ticks);
    memcpy(at + ETW_SYSTEM_HEADER, r->at + ETW_PERFINFO_HEADER, r->payload - ETW_PERFINFO_HEADER);
}

/* A message's header with a time, which stands behind all but thread and process. */
static void add_time(uint8_t *at, const write_record *w, int64_t ticks)
{
    uint16_t flags = tw_u16(w->record.at + ETW_MESSAGE_FLAGS);
    uint32_t time = w->record.payload - (flags & ETW_MESSAGE_SYSTEM ? 8 : 0);

    memcpy(at, w->record.at, time);
    put16(at + ETW_SIZE, w->header + w->event->bytes);
    put16(at + ETW_MESSAGE_FLAGS, flags | ETW_MESSAGE_TIME);
    put64(at + time, (uint64_t)ticks);
    if (!(flags & ETW_MESSAGE_SYSTEM)) return;
    put32(at + time + RECORD_TIME_BYTES, w->event->tid);
    put32(at + time + RECORD_TIME_BYTES + 4, w->event->pid);
}

void write_record_begin(write_record *r, const tw_event *e, const tw_type *t)
{
    uint8_t made[HEADER_MAX];

    r->event = e;
    r->type = t;
    r->gets_time = 0;
    r->has_record = e->record && record_read(e->record, SIZE_MAX, &r->record) == RECORD_GOOD;
    r->names_somebody =
        r->has_record && is_perfinfo(&r->record) && (e->pid != RECORD_NOBODY || e->tid != RECORD_NOBODY);
    r->timed = !r->has_record || r->record.timed;
    if (!r->has_record)
        r->header = make_header(made, r, 0);
    else
        r->header = r->record.payload + (r->names_somebody ? ETW_SYSTEM_HEADER - ETW_PERFINFO_HEADER : 0);
}

int write_record_give_time(write_record *r)
{
    if (r->record.kind != RECORD_MESSAGE) return 0;
    r->gets_time = r->timed = 1;
    r->header += RECORD_TIME_BYTES;
    return 1;
}

void write_record_put(const write_record *r, int64_t ticks, uint8_t *at)
{
    if (!r->has_record)
        make_header(at, r, ticks);
    else if (r->names_somebody)
        widen_header(at, r, ticks);
    else if (r->gets_time)
        add_time(at, r, ticks);
    else
        copy_header(at, r, ticks);
}
