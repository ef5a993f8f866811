/* buffer.c - reading and doubting a buffer's header; see buffer.h. */
#include "buffer.h"

#include "record.h"
#include "xpress.h"

void buffer_header_read(const uint8_t at[ETW_BUFFER_HEADER], buffer_header *out)
{
    out->size = tw_u32(at + ETW_BUFFER_SIZE);
    out->filled = tw_u32(at + ETW_BUFFER_FILLED);
    out->state = tw_u32(at + ETW_BUFFER_STATE);
    out->cpu = tw_u16(at + ETW_BUFFER_CPU);
    out->logger = tw_u16(at + ETW_BUFFER_LOGGER);
    out->flags = tw_u16(at + ETW_BUFFER_FLAGS);
    out->type = tw_u16(at + ETW_BUFFER_TYPE);
    /* Before the flag came, the high byte was an alignment. */
    out->cpu &= out->flags & ETW_FLAG_PROC_INDEX ? ETW_CPU_INDEX : 0xFF;
}

int buffer_plausible(const buffer_header *h, uint32_t stride)
{
    int packed = h->flags & ETW_FLAG_COMPRESSED;

    if (h->size < ETW_BUFFER_HEADER || h->size > ETW_BUFFER_MAX || h->type >= ETW_BUFFER_TYPES) return 0;
    return stride == 0 || h->size == stride || packed;
}

int is_padding(const uint8_t *at, size_t n)
{
    size_t i = 0;

    while (n - i >= 8 && (tw_u64(at + i) == 0 || tw_u64(at + i) == UINT64_MAX)) i += 8;
    while (i < n && (at[i] == 0 || at[i] == 0xFF)) i++;
    return i == n;
}

size_t buffer_log_header_bytes(const uint8_t *at, size_t n)
{
    const uint8_t *event = at + ETW_BUFFER_HEADER;
    size_t size;

    if (n < ETW_BUFFER_HEADER + ETW_PAD || event[ETW_FAMILY] != ETW_TYPED || tw_u16(event + ETW_HOOK_OPCODE) != 0)
        return 0;
    if (event[ETW_TYPE] != ETW_SYSTEM32 && event[ETW_TYPE] != ETW_SYSTEM64) return 0;
    size = tw_u16(event + ETW_HOOK_SIZE);
    return size >= ETW_SYSTEM_HEADER + ETW_LOG_STRINGS - ETW_LOG_LESS32 ? ETW_BUFFER_HEADER + size : 0;
}

int buffer_log_header(const uint8_t *at, size_t n, log_header *out, int64_t *ticks)
{
    record r;
    size_t bytes = buffer_log_header_bytes(at, n);

    if (bytes == 0 || bytes > n) return 0;
    if (record_read(at + ETW_BUFFER_HEADER, bytes - ETW_BUFFER_HEADER, &r) != RECORD_GOOD) return 0;
    *ticks = r.ticks;
    return log_header_read(r.at + r.payload, r.size - r.payload, r.pointer, out);
}

uint32_t buffer_unpack(const uint8_t *at, uint32_t have, uint8_t *out, uint32_t end)
{
    if (have < ETW_BUFFER_HEADER || end < ETW_BUFFER_HEADER) return ETW_BUFFER_HEADER;
    return ETW_BUFFER_HEADER +
           (uint32_t)xpress_decode(at + ETW_BUFFER_HEADER, have - ETW_BUFFER_HEADER, out, end - ETW_BUFFER_HEADER);
}
