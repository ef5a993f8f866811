/* write_head.c - taking over the source's log-file header and writing the new one; see write_head.h. */
#include "write_head.h"

#include "header.h"
#include "put.h"
#include "record.h"

/* The character at `at`, U+FFFD where that is no UTF-8; gives where the next one begins. */
static const uint8_t *next_character(const uint8_t *at, uint32_t *c)
{
    uint32_t more = *at < 0xC0 ? 0 : *at < 0xE0 ? 1 : *at < 0xF0 ? 2 : *at < 0xF8 ? 3 : 0;

    *c = *at < 0x80 ? *at : more ? *at & (0x3F >> more) : 0xFFFD;
    for (at++; more; more--, at++) {
        if ((*at & 0xC0) != 0x80) {
            *c = 0xFFFD;
            break;
        }
        *c = *c << 6 | (*at & 0x3F);
    }
    if (*c > 0x10FFFF) *c = 0xFFFD;
    return at;
}

/* UTF-8 as UTF-16LE, cut at a character where there is no more room; what is no UTF-8 becomes U+FFFD. */
void head_name(name16 *out, const char *text)
{
    const uint8_t *at = (const uint8_t *)text;
    uint32_t c;

    out->bytes = 0;
    while (*at && out->bytes + 4 <= HEAD_NAME) {
        at = next_character(at, &c);
        if (c > 0xFFFF) {
            put16(out->at + out->bytes, 0xD7C0 + (c >> 10));
            out->bytes += 2;
            c = 0xDC00 + (c & 0x3FF);
        }
        put16(out->at + out->bytes, c);
        out->bytes += 2;
    }
}

static void copy_name(name16 *out, const uint8_t *at, uint32_t bytes)
{
    out->bytes = bytes < HEAD_NAME ? bytes : HEAD_NAME;
    memcpy(out->at, at, out->bytes);
}

static uint32_t fixed_bytes(uint32_t pointer)
{
    return ETW_LOG_STRINGS - (pointer == 4 ? ETW_LOG_LESS32 : 0);
}

void head_add(head *h, const head_event *from, int keep_logger)
{
    const log_header *log = &from->log;

    h->events_lost += log->events_lost;
    h->buffers_lost += log->buffers_lost;
    if (log->processors > h->processors) h->processors = log->processors;
    if (h->known || h->settled) return;
    h->known = 1;
    h->has_system = from->record != NULL;
    if (from->record) memcpy(h->system, from->record, ETW_SYSTEM_HEADER);
    h->pointer = log->pointer;
    memcpy(h->log, from->payload, fixed_bytes(log->pointer));
    h->pid = from->pid;
    h->tid = from->tid;
    if (!keep_logger) copy_name(&h->logger, log->logger, log->logger_bytes);
    copy_name(&h->file, log->file, log->file_bytes);
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

/* Without a header of the source: of the usual version, and in UTC. */
static void put_defaults(uint8_t *log, uint32_t pointer)
{
    memset(log, 0, fixed_bytes(pointer));
    memcpy(log + ETW_LOG_VERSION, (const uint8_t[]){ 10, 0, 1, 5 }, 4);
    put32(log + ETW_LOG_RESOLUTION, 156250);
    put32(log + ETW_LOG_MODE, ETW_MODE_SEQUENTIAL);
    put32(log + ETW_LOG_START_BUFFERS, 1);
    put32(log + ETW_LOG_POINTER, pointer);
}

static void put_clock(uint8_t *late, const trace_clock *clock)
{
    put64(late + ETW_LOG_HZ, (uint64_t)clock->hz);
    put64(late + ETW_LOG_START, (uint64_t)ns_filetime(clock->time));
    put32(late + ETW_LOG_CLOCK, ETW_CLOCK_QPC);
}

/* What stands before the payload of `bytes` bytes. The source's own time is its clock's, which need not be the time of its
   own start. */
static uint32_t put_system(const head *h, const trace_clock *clock, uint32_t bytes, uint8_t *at)
{
    const tw_type type = { .version = 2, .pointer = (uint8_t)h->pointer }; /* opcode 0 of group 0 */

    uint32_t nobody = h->pid == RECORD_NOBODY && h->tid == RECORD_NOBODY; /* that would make a PERFINFO header */

    if (!h->has_system)
        return header_kernel(at, &(header){ clock->ticks, nobody ? 0 : h->pid, h->tid, bytes, &type }, 0);
    memcpy(at, h->system, ETW_SYSTEM_HEADER);
    put16(at + ETW_HOOK_VERSION, type.version); /* and no words before the payload */
    put16(at + ETW_HOOK_OPCODE, 0);
    put16(at + ETW_HOOK_SIZE, ETW_SYSTEM_HEADER + bytes);
    put32(at + ETW_HOOK_THREAD, h->tid);
    put32(at + ETW_HOOK_PROCESS, h->pid);
    if (!h->own_clock) put64(at + ETW_HOOK_TIME, (uint64_t)clock->ticks);
    return ETW_SYSTEM_HEADER;
}

uint32_t head_put(const head *h, const head_now *now, uint8_t *at)
{
    uint32_t bytes = fixed_bytes(h->pointer), mode;
    uint8_t *log = at + ETW_SYSTEM_HEADER;
    uint8_t *late = log - (h->pointer == 4 ? ETW_LOG_LESS32 : 0); /* for what stands behind the two pointers */

    if (h->known)
        memcpy(log, h->log, bytes);
    else
        put_defaults(log, h->pointer);
    mode = tw_u32(log + ETW_LOG_MODE) & ~(uint32_t)ETW_MODE_COMPRESSED;
    put32(log + ETW_LOG_BUFFER_SIZE, now->buffer_size);
    put32(log + ETW_LOG_PROCESSORS, h->processors ? h->processors : 1); /* without one it is no header for readers */
    put64(log + ETW_LOG_END, (uint64_t)now->end);
    put32(log + ETW_LOG_MODE, mode);
    put32(log + ETW_LOG_WRITTEN, capped(now->written));
    put32(log + ETW_LOG_POINTER, h->pointer); /* where it was neither 4 nor 8 the event's header decided */
    put32(log + ETW_LOG_EVENTS_LOST, capped(h->events_lost));
    put32(late + ETW_LOG_BUFFERS_LOST, capped(h->buffers_lost));
    if (!h->own_clock) put_clock(late, now->clock);
    bytes += put_name(log + bytes, &h->logger);
    bytes += put_name(log + bytes, &h->file);
    return bytes + put_system(h, now->clock, bytes, at);
}
