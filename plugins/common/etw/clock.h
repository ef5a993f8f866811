/* clock.h - the clock of a trace, and the log-file header that tells about it.

   Ticks become nanoseconds since 1970 and back by integers alone. One idea: time = start + (ticks - ticks at the start)
   scaled, the difference rounded towards zero; the range of int64_t is never left, it saturates. */
#ifndef ETW_CLOCK_H
#define ETW_CLOCK_H

#include <stddef.h>
#include <stdint.h>

typedef struct trace_clock {
    int64_t ticks, time; /* the same moment in both; time in ns since 1970 */
    int64_t hz;          /* ticks a second, > 0 */
    int64_t ns_per_tick; /* where that is a whole number, else 0 */
} trace_clock;

void clock_set(trace_clock *c, int64_t ticks, int64_t time, int64_t hz); /* hz > 0 */
int64_t clock_ns(const trace_clock *c, int64_t ticks);
/* The ticks that clock_ns turns into `time` again; where none do (hz < 10^9), the next ones away from the start.
   Ticks come back unchanged from clock_ns and this one where hz <= 10^9. */
int64_t clock_ticks(const trace_clock *c, int64_t time);

int64_t filetime_ns(int64_t filetime); /* 100 ns since 1601 to ns since 1970 */
int64_t ns_filetime(int64_t time);     /* rounded down */

/* The payload of a log-file header event. Times are FILETIMEs, 0: not known. Strings are UTF-16LE in the payload,
   without terminator. */
typedef struct log_header {
    uint32_t buffer_size, build, processors, resolution, mode, written, pointer;
    uint32_t events_lost, buffers_lost, cpu_mhz, clock; /* clock: enum etw_clock_kind, as written */
    int32_t zone_bias;                                  /* minutes; UTC = local + bias */
    uint8_t version[4];
    int64_t hz, start, end, boot;
    const uint8_t *logger, *file;
    uint32_t logger_bytes, file_bytes;
} log_header;

/* 1 if the `n` bytes are a log-file header; `pointer`: by the event's header, used where the payload does not say. */
int log_header_read(const uint8_t *payload, size_t n, unsigned pointer, log_header *out);
/* The clock that it tells of; `ticks`: of the header event itself. 0: it names no frequency, so 10 MHz are assumed. */
int log_header_clock(const log_header *h, int64_t ticks, trace_clock *out);

#endif
