/* clock.c - ticks to nanoseconds, and the log-file header; see clock.h. */
#include "clock.h"

#include <string.h>

#include "format.h"
#include "tw_plugin.h"

#define NS         INT64_C(1000000000)
#define EPOCH      INT64_C(116444736000000000) /* 1970 as a FILETIME */
#define GUESSED_HZ INT64_C(10000000)           /* of QPC on all systems since Windows 10 */

static int64_t saturated(int negative)
{
    return negative ? INT64_MIN : INT64_MAX;
}

/* A difference that was too large stays so. */
static int64_t add(int64_t a, int64_t b)
{
    int64_t sum;
    if (b == INT64_MIN || b == INT64_MAX) return b;
    return __builtin_add_overflow(a, b, &sum) ? saturated(b < 0) : sum;
}

static int64_t subtract(int64_t a, int64_t b)
{
    int64_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? saturated(a < b) : difference;
}

/* n * up / down for up, down > 0: towards zero, or (away) to the next whole number away from it. */
static int64_t scale(int64_t n, int64_t up, int64_t down, int away)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    uint64_t rest, part, whole;

    rest = size % (uint64_t)down;
    whole = size / (uint64_t)down;
    if (up <= NS && down <= INT64_MAX / NS) {
        part = rest * (uint64_t)up;
        rest = part % (uint64_t)down;
        part /= (uint64_t)down;
    } else {
        wide product = (wide)rest * (uint64_t)up;
        rest = product % (uint64_t)down != 0;
        part = (uint64_t)(product / (uint64_t)down);
    }
    if (away && rest) part++;
    if (__builtin_mul_overflow(whole, (uint64_t)up, &whole) || __builtin_add_overflow(whole, part, &whole) ||
        whole > INT64_MAX)
        return saturated(n < 0);
    return n < 0 ? -(int64_t)whole : (int64_t)whole;
}

void clock_set(trace_clock *c, int64_t ticks, int64_t time, int64_t hz)
{
    c->ticks = ticks;
    c->time = time;
    c->hz = hz;
    c->ns_per_tick = NS % hz ? 0 : NS / hz;
}

int64_t clock_ns(const trace_clock *c, int64_t ticks)
{
    int64_t passed = subtract(ticks, c->ticks), ns;

    if (c->ns_per_tick == 0)
        ns = scale(passed, NS, c->hz, 0);
    else if (__builtin_mul_overflow(passed, c->ns_per_tick, &ns))
        ns = saturated(passed < 0);
    return add(c->time, ns);
}

int64_t clock_ticks(const trace_clock *c, int64_t time)
{
    return add(c->ticks, scale(subtract(time, c->time), c->hz, NS, 1));
}

int64_t filetime_ns(int64_t filetime)
{
    int64_t since = subtract(filetime, EPOCH), ns;
    return __builtin_mul_overflow(since, 100, &ns) ? saturated(since < 0) : ns;
}

int64_t ns_filetime(int64_t time)
{
    return time / 100 - (time % 100 < 0) + EPOCH;
}

/* ---- The log-file header ---- */

static uint32_t text16_bytes(const uint8_t *at, size_t n)
{
    size_t i = 0;
    while (i + 2 <= n && tw_u16(at + i)) i += 2;
    return (uint32_t)i;
}

static void read_strings(const uint8_t *at, size_t n, log_header *h)
{
    size_t skip;

    h->logger = at;
    h->logger_bytes = text16_bytes(at, n);
    skip = h->logger_bytes + 2u < n ? h->logger_bytes + 2u : n;
    h->file = at + skip;
    h->file_bytes = text16_bytes(at + skip, n - skip);
}

/* Nothing in the payload says that it is a log-file header: some of its numbers have to be possible. That there are no
   processors is odd, but no reason to doubt one in which all else fits. */
static int is_believable(const log_header *h, int says_pointer)
{
    if (h->buffer_size < ETW_BUFFER_HEADER || h->buffer_size > ETW_BUFFER_MAX) return 0;
    return h->processors != 0 || (says_pointer && h->hz > 0 && h->start > 0 && h->clock <= ETW_CLOCK_CPU);
}

int log_header_read(const uint8_t *payload, size_t n, unsigned pointer, log_header *h)
{
    const uint8_t *zone; /* from here on all stands `less` bytes earlier with 4-byte pointers */
    size_t less = 0;
    int says_pointer;

    if (n < ETW_LOG_STRINGS - ETW_LOG_LESS32) return 0;
    memset(h, 0, sizeof *h);
    h->pointer = tw_u32(payload + ETW_LOG_POINTER);
    says_pointer = h->pointer == 4 || h->pointer == 8;
    if (!says_pointer) h->pointer = pointer;
    if (h->pointer == 4) less = ETW_LOG_LESS32;
    if (n < ETW_LOG_STRINGS - less) return 0;
    zone = payload + ETW_LOG_ZONE - less;

    h->buffer_size = tw_u32(payload + ETW_LOG_BUFFER_SIZE);
    memcpy(h->version, payload + ETW_LOG_VERSION, sizeof h->version);
    h->build = tw_u32(payload + ETW_LOG_BUILD);
    h->processors = tw_u32(payload + ETW_LOG_PROCESSORS);
    h->end = (int64_t)tw_u64(payload + ETW_LOG_END);
    h->resolution = tw_u32(payload + ETW_LOG_RESOLUTION);
    h->mode = tw_u32(payload + ETW_LOG_MODE);
    h->written = tw_u32(payload + ETW_LOG_WRITTEN);
    h->events_lost = tw_u32(payload + ETW_LOG_EVENTS_LOST);
    h->cpu_mhz = tw_u32(payload + ETW_LOG_CPU_MHZ);
    h->zone_bias = (int32_t)tw_u32(zone);
    h->boot = (int64_t)tw_u64(zone + (ETW_LOG_BOOT - ETW_LOG_ZONE));
    h->hz = (int64_t)tw_u64(zone + (ETW_LOG_HZ - ETW_LOG_ZONE));
    h->start = (int64_t)tw_u64(zone + (ETW_LOG_START - ETW_LOG_ZONE));
    h->clock = tw_u32(zone + (ETW_LOG_CLOCK - ETW_LOG_ZONE));
    h->buffers_lost = tw_u32(zone + (ETW_LOG_BUFFERS_LOST - ETW_LOG_ZONE));
    read_strings(payload + ETW_LOG_STRINGS - less, n - (ETW_LOG_STRINGS - less), h);
    return is_believable(h, says_pointer);
}

int log_header_clock(const log_header *h, int64_t ticks, trace_clock *out)
{
    int64_t start = filetime_ns(h->start), hz = h->hz;

    if (h->clock == ETW_CLOCK_SYSTEM) {
        clock_set(out, h->start, start, 10000000);
        return 1;
    }
    if (h->clock == ETW_CLOCK_CPU) hz = (int64_t)h->cpu_mhz * 1000000;
    clock_set(out, ticks, start, hz > 0 ? hz : GUESSED_HZ);
    return hz > 0;
}
