/* tables.c - what the headers said and what could not be read, as rows.

   One idea: a row is written left to right, each cell by its C type, in the order of the column lists below. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../common/text/utf8.h"
#include "line.h"

// clang-format off
static const tw_field header_columns[] = {
    { .name = "file", .kind = TW_TEXT, .help = "the input" },
    { .name = "session", .kind = TW_U32, .help = "number of the header among all; events of the trace refer to it" },
    { .name = "version", .kind = TW_TEXT, .help = "of the format and the system" },
    { .name = "build", .kind = TW_U32, .help = "of Windows" },
    { .name = "pointer_size", .kind = TW_U8, .help = "of the program that controlled the session, in bytes" },
    { .name = "processors", .kind = TW_U32 },
    { .name = "buffer_size", .kind = TW_U32, .help = "bytes" },
    { .name = "mode", .kind = TW_U32, .show = TW_SHOW_HEX, .help = "LogFileMode" },
    { .name = "mode_names", .kind = TW_TEXT, .help = "its bits" },
    { .name = "buffers_written", .kind = TW_U32, .help = "may be more than are in the file: a circular file overwrites" },
    { .name = "events_lost", .kind = TW_U32, .help = "by the recording" },
    { .name = "buffers_lost", .kind = TW_U32, .help = "by the recording" },
    { .name = "clock", .kind = TW_TEXT, .help = "QPC, system time or CPU cycles" },
    { .name = "hz", .kind = TW_I64, .help = "ticks a second" },
    { .name = "cpu_mhz", .kind = TW_U32 },
    { .name = "timer_resolution", .kind = TW_SPAN, .help = "time between two clock interrupts" },
    { .name = "boot", .kind = TW_TIME, .flags = TW_NULLABLE, .help = "when the machine was started" },
    { .name = "start", .kind = TW_TIME, .help = "of the session" },
    { .name = "end", .kind = TW_TIME, .flags = TW_NULLABLE, .help = "of the session; none: it was not closed" },
    { .name = "time_zone_bias", .kind = TW_I32, .help = "minutes; UTC = local time + bias" },
    { .name = "logger", .kind = TW_TEXT, .help = "name of the session" },
    { .name = "log_file", .kind = TW_TEXT, .help = "as the session named it" },
};

static const tw_field total_columns[] = {
    { .name = "events", .kind = TW_U64 },
    { .name = "buffers", .kind = TW_U64 },
    { .name = "compressed_buffers", .kind = TW_U64 },
    { .name = "bytes", .kind = TW_U64, .help = "of all files" },
    { .name = "first", .kind = TW_TIME, .flags = TW_NULLABLE, .help = "time of the first event" },
    { .name = "last", .kind = TW_TIME, .flags = TW_NULLABLE, .help = "time of the last event" },
    { .name = "duration", .kind = TW_SPAN, .flags = TW_NULLABLE, .help = "from the first event to the last" },
    { .name = "rate", .kind = TW_F64, .flags = TW_NULLABLE, .help = "events a second" },
};

static const tw_field lost_columns[] = {
    { .name = "events", .kind = TW_U64, .help = "sum over the headers" },
    { .name = "buffers", .kind = TW_U64, .help = "sum over the headers" },
    { .name = "places", .kind = TW_U64, .help = "buffers that say that something was lost before them" },
};

static const tw_field skipped_columns[] = {
    { .name = "file", .kind = TW_TEXT },
    { .name = "cause", .kind = TW_TEXT },
    { .name = "count", .kind = TW_U64, .help = "places" },
    { .name = "bytes", .kind = TW_U64, .help = "not read; of compressed buffers, after unpacking" },
    { .name = "events", .kind = TW_U64, .help = "not read, as far as they can be counted" },
    { .name = "first_offset", .kind = TW_U64, .show = TW_SHOW_HEX, .help = "in the file, of the first place" },
};

#define TABLE(name, columns, help) \
    { sizeof(tw_table), sizeof columns / sizeof *columns, name, help, columns }

static const tw_table
    header_table = TABLE("trace_header", header_columns, "the log-file headers of a trace"),
    total_table = TABLE("trace_total", total_columns, "what is in a trace"),
    lost_table = TABLE("trace_lost", lost_columns, "what the recording of a trace lost"),
    skipped_table = TABLE("trace_skipped", skipped_columns, "what of a trace could not be read, by cause");

const tw_table *const read_tables[] = { &read_summary_table, &header_table,     &total_table,
                                        &lost_table,         &skipped_table,    &read_schema_table,
                                        &read_loss_table,    &read_clock_table, NULL };

static const struct mode { uint32_t bit; const char *name; } modes[] = {
    { 0x1, "SEQUENTIAL" }, { 0x2, "CIRCULAR" }, { 0x4, "APPEND" }, { 0x8, "NEWFILE" }, { 0x10, "MS_FLUSH_TIMER" },
    { 0x20, "PREALLOCATE" }, { 0x40, "NONSTOPPABLE" }, { 0x80, "SECURE" }, { 0x100, "REAL_TIME" },
    { 0x200, "DELAY_OPEN" }, { 0x400, "BUFFERING" }, { 0x800, "PRIVATE_LOGGER" }, { 0x1000, "ADD_HEADER" },
    { 0x2000, "USE_KBYTES_FOR_SIZE" }, { 0x4000, "USE_GLOBAL_SEQUENCE" }, { 0x8000, "USE_LOCAL_SEQUENCE" },
    { 0x10000, "RELOG" }, { 0x20000, "PRIVATE_IN_PROC" }, { 0x400000, "STOP_ON_HYBRID_SHUTDOWN" },
    { 0x800000, "PERSIST_ON_HYBRID_SHUTDOWN" }, { 0x1000000, "USE_PAGED_MEMORY" }, { 0x2000000, "SYSTEM_LOGGER" },
    { 0x4000000, "COMPRESSED" }, { 0x8000000, "INDEPENDENT_SESSION" },
    { 0x10000000, "NO_PER_PROCESSOR_BUFFERING" }, { 0x20000000, "BLOCKING" }, { 0x80000000, "ADDTO_TRIAGE_DUMP" },
};
// clang-format on

/* ---- Cells ---- */

/* Times come from the trace: what does not fit is the longest there is. */
static int64_t time_between(int64_t first, int64_t last)
{
    if (last <= first) return 0;
    return first < 0 && last > INT64_MAX + first ? INT64_MAX : last - first;
}

/* Events a second, to a tenth. */
static void put_rate(line *l, uint64_t events, int64_t duration)
{
    double tenths = duration ? (double)events * 1e10 / (double)duration : 0;

    l->r->null[l->col][l->r->n] = !duration;
    ((double *)l->r->col[l->col++])[l->r->n] = floor(tenths + 0.5) / 10;
}

/* UTF-16LE, as UTF-8; half a pair becomes U+FFFD. */
static void put_text16(line *l, const uint8_t *at, uint32_t bytes)
{
    char *out = l->host->cell(l->r, bytes / 2u * 3 + 1);
    size_t n = utf8_from_utf16(out, at, bytes / 2);

    out[n] = 0;
    ((tw_text *)l->r->col[l->col++])[l->r->n] = (tw_text){ out, (uint32_t)n, 0 };
}

/* SEQUENTIAL+RELOG; bits without a name as one number. */
static void put_modes(line *l, uint32_t mode)
{
    char out[1024] = "";
    int n = 0;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!(mode & modes[i].bit)) continue;
        n += snprintf(out + n, sizeof out - (size_t)n, "%s%s", n ? "+" : "", modes[i].name);
        mode &= ~modes[i].bit;
    }
    if (mode) n += snprintf(out + n, sizeof out - (size_t)n, "%s0x%" PRIx32, n ? "+" : "", mode);
    put_text(l, out, (size_t)n);
}

/* ---- Rows ---- */

const char *read_file_name(const etl_read *s, uint32_t file)
{
    uint64_t bytes;
    return s->tw.host->input(s->file[file], &bytes);
}

static int push_header(etl_read *s, uint32_t number)
{
    const session *of = &s->index.session[number];
    const log_header *h = &of->log;
    line l = line_begin(s, &header_table);
    char version[16];

    snprintf(version, sizeof version, "%u.%u.%u.%u", h->version[0], h->version[1], h->version[2], h->version[3]);
    put_string(&l, read_file_name(s, of->file));
    put_u32(&l, number);
    put_string(&l, version);
    put_u32(&l, h->build);
    ((uint8_t *)l.r->col[l.col++])[l.r->n] = (uint8_t)h->pointer;
    put_u32(&l, h->processors);
    put_u32(&l, h->buffer_size);
    put_u32(&l, h->mode);
    put_modes(&l, h->mode);
    put_u32(&l, h->written);
    put_u32(&l, h->events_lost);
    put_u32(&l, h->buffers_lost);
    put_string(&l, h->clock == ETW_CLOCK_SYSTEM ? "system time" : h->clock == ETW_CLOCK_CPU ? "CPU cycles" : "QPC");
    put_i64(&l, of->clock.hz);
    put_u32(&l, h->cpu_mhz);
    put_i64(&l, (int64_t)h->resolution * 100);
    put_time(&l, filetime_ns(h->boot), h->boot != 0);
    put_i64(&l, of->begin);
    put_time(&l, of->end, of->end != 0);
    ((int32_t *)l.r->col[l.col++])[l.r->n] = h->zone_bias;
    put_text16(&l, h->logger, h->logger_bytes);
    put_text16(&l, h->file, h->file_bytes);
    return line_end(s, &l);
}

static int push_total(etl_read *s)
{
    line l = line_begin(s, &total_table);
    int64_t duration = time_between(s->all.first, s->all.last);

    put_u64(&l, s->all.events);
    put_u64(&l, s->index.buffers);
    put_u64(&l, s->index.compressed);
    put_u64(&l, s->index.bytes);
    put_time(&l, s->all.first, s->all.events != 0);
    put_time(&l, s->all.last, s->all.events != 0);
    put_time(&l, duration, s->all.events != 0);
    put_rate(&l, s->all.events, duration);
    return line_end(s, &l);
}

static int push_lost(etl_read *s)
{
    line l = line_begin(s, &lost_table);

    put_u64(&l, s->index.events_lost);
    put_u64(&l, s->index.buffers_lost);
    put_u64(&l, s->index.losses);
    return line_end(s, &l);
}

static int push_skipped(etl_read *s, uint32_t file, enum cause why)
{
    const skip *k = &s->index.skip[file][why];
    line l = line_begin(s, &skipped_table);

    put_string(&l, read_file_name(s, file));
    put_string(&l, cause_text[why]);
    put_u64(&l, k->count);
    put_u64(&l, k->bytes);
    put_u64(&l, k->events);
    put_u64(&l, k->first);
    return line_end(s, &l);
}

int read_push_tables(etl_read *s)
{
    if (read_push_summary(s) != TW_OK) return TW_ERROR;
    for (uint32_t i = 0; i < s->index.nsessions; i++)
        if (s->index.session[i].has_header && push_header(s, i) != TW_OK) return TW_ERROR;
    if (push_rest(s, &header_table) != TW_OK || push_total(s) != TW_OK || push_rest(s, &total_table) != TW_OK ||
        push_lost(s) != TW_OK || push_rest(s, &lost_table) != TW_OK)
        return TW_ERROR;
    for (uint32_t i = 0; i < s->index.nfiles; i++)
        for (int why = 0; why < CAUSES; why++)
            if (s->index.skip[i][why].count && push_skipped(s, i, (enum cause)why) != TW_OK) return TW_ERROR;
    return push_rest(s, &skipped_table) == TW_OK ? read_push_ledger(s) : TW_ERROR;
}
