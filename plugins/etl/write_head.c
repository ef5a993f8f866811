/* write_head.c - taking over the source's log-file header and writing the new one; see write_head.h. */
#include "write_head.h"

#include "header.h"
#include "put.h"

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

void head_add(head *h, const tw_event *e, const log_header *from, int keep_logger)
{
    h->events_lost += from->events_lost;
    h->buffers_lost += from->buffers_lost;
    if (from->processors > h->processors) h->processors = from->processors;
    if (h->known || h->settled) return;
    h->known = 1;
    h->from = *from;
    h->from.logger = h->from.file = NULL; /* they are the event's */
    h->pid = e->pid;
    h->tid = e->tid;
    h->pointer = from->pointer;
    memcpy(h->zone, e->data + ETW_LOG_ZONE - (from->pointer == 4 ? ETW_LOG_LESS32 : 0), HEAD_ZONE);
    if (!keep_logger) copy_name(&h->logger, from->logger, from->logger_bytes);
    copy_name(&h->file, from->file, from->file_bytes);
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

uint32_t head_put(const head *h, const head_now *now, uint8_t *at)
{
    const tw_type type = { .version = 2, .pointer = (uint8_t)h->pointer }; /* opcode 0 of group 0 */
    uint32_t less = h->pointer == 4 ? ETW_LOG_LESS32 : 0, bytes = ETW_LOG_STRINGS - less;
    uint8_t *log = at + ETW_SYSTEM_HEADER, *late = log - less; /* `late`: for what stands behind the two pointers */

    memset(log, 0, bytes);
    put32(log + ETW_LOG_BUFFER_SIZE, now->buffer_size);
    memcpy(log + ETW_LOG_VERSION, h->known ? h->from.version : (const uint8_t[]){ 10, 0, 1, 5 }, 4);
    put32(log + ETW_LOG_BUILD, h->from.build);
    put32(log + ETW_LOG_PROCESSORS, h->processors ? h->processors : 1); /* without one it is no header for readers */
    put64(log + ETW_LOG_END, (uint64_t)now->end);
    put32(log + ETW_LOG_RESOLUTION, h->known ? h->from.resolution : 156250);
    put32(log + ETW_LOG_MODE, ETW_MODE_SEQUENTIAL);
    put32(log + ETW_LOG_WRITTEN, capped(now->written));
    put32(log + ETW_LOG_START_BUFFERS, 1);
    put32(log + ETW_LOG_POINTER, h->pointer);
    put32(log + ETW_LOG_EVENTS_LOST, capped(h->events_lost));
    put32(log + ETW_LOG_CPU_MHZ, h->from.cpu_mhz);
    memcpy(late + ETW_LOG_ZONE, h->zone, HEAD_ZONE);
    put64(late + ETW_LOG_BOOT, (uint64_t)h->from.boot);
    put64(late + ETW_LOG_HZ, (uint64_t)now->clock->hz);
    put64(late + ETW_LOG_START, (uint64_t)ns_filetime(now->clock->time));
    put32(late + ETW_LOG_CLOCK, ETW_CLOCK_QPC);
    put32(late + ETW_LOG_BUFFERS_LOST, capped(h->buffers_lost));
    bytes += put_name(log + bytes, &h->logger);
    bytes += put_name(log + bytes, &h->file);
    return bytes + header_kernel(at, &(header){ now->clock->ticks, h->pid, h->tid, bytes, &type }, 0);
}
