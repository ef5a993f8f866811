/* summary.c - a trace in a few sentences: what it is, what was lost, what is not decoded and how to get it.

   One idea: a row for people, made of the numbers that the other tables hold; who computes takes those. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "line.h"

// clang-format off
static const tw_field summary_columns[] = {
    { .name = "trace", .kind = TW_TEXT, .help = "its file, or how many there are" },
    { .name = "recorded", .kind = TW_TEXT, .help = "when, and how long" },
    { .name = "session", .kind = TW_TEXT, .help = "what recorded it" },
    { .name = "machine", .kind = TW_TEXT, .help = "on which it was recorded" },
    { .name = "holds", .kind = TW_TEXT, .help = "how much" },
    { .name = "lost", .kind = TW_TEXT, .help = "by the recording" },
    { .name = "skipped", .kind = TW_TEXT, .help = "what is in the files but could not be read" },
    { .name = "decoded", .kind = TW_TEXT, .help = "events whose fields are known" },
    { .name = "missing", .kind = TW_TEXT, .help = "what would decode the others" },
};
// clang-format on

const tw_table read_summary_table = { sizeof(tw_table), sizeof summary_columns / sizeof *summary_columns,
                                      "trace_summary", "a trace in a few sentences", summary_columns };

enum { NAMED_PROVIDERS = 4 }; /* of those that are not decoded */
#define SECOND INT64_C(1000000000)

/* ---- Words ---- */

typedef struct sentence {
    char at[4096];
    size_t n;
} sentence;

/* Cuts what does not fit. */
#if defined __MINGW32__
__attribute__((format(gnu_printf, 2, 3)))
#else
__attribute__((format(printf, 2, 3)))
#endif
static void
say(sentence *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsnprintf(s->at + s->n, sizeof s->at - s->n, format, args);
    va_end(args);
    if (n > 0) s->n += (size_t)n < sizeof s->at - s->n ? (size_t)n : sizeof s->at - s->n - 1;
}

/* 1,234,567 events; 1 event */
static void say_count(sentence *s, uint64_t number, const char *of_one, const char *of_many)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, number);

    for (int i = 0; i < n; i++) say(s, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
    say(s, " %s", number == 1 ? of_one : of_many);
}

static void put_sentence(line *l, sentence *s)
{
    put_text(l, s->at, s->n);
    s->n = 0;
}

/* As exact as a person wants it. */
static void say_length(sentence *s, int64_t ns)
{
    int64_t seconds = ns / SECOND;

    if (seconds < 2 * 60)
        say(s, "%.*f s", ns < SECOND ? 3 : 1, (double)ns / (double)SECOND);
    else if (seconds < 2 * 3600)
        say(s, "%" PRId64 " min %" PRId64 " s", seconds / 60, seconds % 60);
    else if (seconds < 2 * 86400)
        say(s, "%" PRId64 " h %" PRId64 " min", seconds / 3600, seconds / 60 % 60);
    else
        say(s, "%.1f days", (double)seconds / 86400);
}

/* 2026-01-01 00:00:00 */
static void say_time(etl_read *s, sentence *to, int64_t ns)
{
    tw_value v = { .kind = TW_TIME, .i = ns };
    char time[64] = "";

    s->tw.host->print(NULL, &v, time, sizeof time);
    time[10] = time[10] == 'T' ? ' ' : time[10];
    say(to, "%.19s", time);
}

/* ---- What it is ---- */

static void put_trace(etl_read *s, line *l)
{
    sentence to = { .n = 0 };

    if (s->index.nfiles == 1)
        say(&to, "%s, ", read_file_name(s, 0));
    else
        say(&to, "%" PRIu32 " files, read as one trace, ", s->index.nfiles);
    say_count(&to, s->index.bytes, "byte", "bytes");
    put_sentence(l, &to);
}

static void put_recorded(etl_read *s, line *l)
{
    sentence to = { .n = 0 };
    uint32_t open = 0;

    if (s->all.events) {
        say_time(s, &to, s->all.first);
        say(&to, " UTC, ");
        say_length(&to, s->all.last > s->all.first ? (int64_t)((uint64_t)s->all.last - (uint64_t)s->all.first) : 0);
    } else {
        say(&to, "no events");
    }
    for (uint32_t i = 0; i < s->index.nsessions; i++)
        open += s->index.session[i].has_header && !s->index.session[i].end;
    if (open) say(&to, "; %s closed", s->index.nsessions > 1 ? "not all sessions were" : "the session was never");
    put_sentence(l, &to);
}

static void put_session(etl_read *s, line *l)
{
    const session *of = s->index.session;
    sentence to = { .n = 0 };

    if (s->index.nsessions != 1 || !of->has_header) {
        say_count(&to, s->index.nsessions, "session", "sessions");
        put_sentence(l, &to);
        return;
    }
    for (uint32_t i = 0; i + 1 < of->log.logger_bytes && to.n < 64; i += 2) {
        uint16_t unit = tw_u16(of->log.logger + i);
        if (!unit) break;
        say(&to, "%c", unit >= ' ' && unit < 0x7F ? (char)unit : '?');
    }
    if (!to.n) say(&to, "without a name");
    if (of->log.mode & ETW_MODE_RELOG) say(&to, ", merged");
    if (of->log.mode & ETW_MODE_CIRCULAR) say(&to, ", circular");
    if (of->log.mode & ETW_MODE_COMPRESSED) say(&to, ", compressed");
    put_sentence(l, &to);
}

static void put_machine(etl_read *s, line *l)
{
    const log_header *h = &s->index.session->log;
    sentence to = { .n = 0 };

    if (s->index.nsessions != 1 || !s->index.session->has_header) {
        say(&to, "%s",
            s->index.nsessions > 1 ? "a header each, in trace_header (info --full)"
                                   : "not known: no log-file header");
    } else {
        say(&to, "Windows %u.%u build %" PRIu32 ", ", h->version[0], h->version[1], h->build);
        say_count(&to, h->processors, "processor", "processors");
    }
    put_sentence(l, &to);
}

static void put_holds(etl_read *s, line *l)
{
    sentence to = { .n = 0 };
    double seconds = s->all.events ? ((double)s->all.last - (double)s->all.first) / (double)SECOND : 0;

    say_count(&to, s->all.events, "event", "events");
    say(&to, " in ");
    say_count(&to, s->index.buffers, "buffer", "buffers");
    if (s->index.compressed) {
        say(&to, ", ");
        say_count(&to, s->index.compressed, "of them compressed", "of them compressed");
    }
    if (seconds > 0 && (double)s->all.events > seconds && s->index.nsessions == 1) {
        say(&to, ", ");
        say_count(&to, (uint64_t)((double)s->all.events / seconds + 0.5), "event a second", "events a second");
    }
    put_sentence(l, &to);
}

/* ---- What is not there ---- */

static void put_lost(etl_read *s, line *l)
{
    const etl_index *x = &s->index;
    sentence to = { .n = 0 };

    if (!x->events_lost && !x->buffers_lost && !x->losses) {
        say(&to, "nothing");
    } else {
        say_count(&to, x->events_lost, "event", "events");
        say(&to, " and ");
        say_count(&to, x->buffers_lost, "buffer", "buffers");
        say(&to, ", as the header says; ");
        if (x->losses) say_count(&to, x->losses, "place", "places");
        say(&to, x->losses ? ", see trace_losses" : "where is not known");
    }
    put_sentence(l, &to);
}

static void put_skipped(etl_read *s, line *l)
{
    sentence to = { .n = 0 };
    uint64_t bytes = 0, places = 0;

    for (uint32_t i = 0; i < s->index.nfiles; i++) {
        for (int why = 0; why < CAUSES; why++) {
            bytes += s->index.skip[i][why].bytes;
            places += s->index.skip[i][why].count;
        }
    }
    if (places) {
        say_count(&to, bytes, "byte", "bytes");
        say(&to, " in ");
        say_count(&to, places, "place", "places");
        say(&to, ", see trace_skipped");
    } else {
        say(&to, "nothing");
    }
    put_sentence(l, &to);
}

/* ---- What is not decoded ---- */

typedef struct unknown { /* of one provider, all that one thing would decode */
    const char *provider;
    enum schema_need need;
    uint64_t events;
} unknown;

static int by_provider(const void *a, const void *b)
{
    const unknown *left = a, *right = b;

    return left->need != right->need ? (left->need < right->need ? -1 : 1) : strcmp(left->provider, right->provider);
}

static int by_events(const void *a, const void *b)
{
    const unknown *left = a, *right = b;

    if (left->need != right->need) return left->need < right->need ? -1 : 1;
    if (left->events != right->events) return left->events > right->events ? -1 : 1;
    return strcmp(left->provider, right->provider);
}

/* Gathers what is not decoded, by need and events; *events is their sum. */
static uint32_t find_unknown(const etl_read *s, unknown *all, uint64_t *events)
{
    const known_types *t = &s->types;
    uint32_t n = 0, kept = 0;

    *events = t->none.events;
    for (uint32_t i = 0; i < t->room; i++) {
        const known_type *k = &t->slot[i];
        if (!k->key || !k->events || s->tw.type[k->type]->origin) continue;
        all[n++] = (unknown){ s->tw.type[k->type]->provider, (enum schema_need)k->need, k->events };
        *events += k->events;
    }
    if (!n) return 0;
    qsort(all, n, sizeof *all, by_provider);
    for (uint32_t i = 1; i < n; i++) {
        if (by_provider(&all[kept], &all[i]) != 0)
            all[++kept] = all[i];
        else
            all[kept].events += all[i].events;
    }
    qsort(all, kept + 1, sizeof *all, by_events);
    return kept + 1;
}

static void put_decoded(etl_read *s, line *l, uint64_t unknown_events)
{
    sentence to = { .n = 0 };
    uint64_t events = s->all.events, known = events > unknown_events ? events - unknown_events : 0;

    if (known == events) {
        say(&to, events ? "all events" : "no events");
    } else { /* cut, not rounded: 100 % is all */
        uint64_t tenths = (uint64_t)((double)known * 1000 / (double)events);
        say_count(&to, known, "event", "events");
        say(&to, " of ");
        say_count(&to, events, "", "");
        say(&to, "(%" PRIu64 ".%" PRIu64 " %%)", tenths / 10, tenths % 10);
    }
    put_sentence(l, &to);
}

/* "NAME (5 events), NAME (3 events) and 2 more: what would help" for each need. */
static void put_missing(line *l, const unknown *all, uint32_t n)
{
    sentence to = { .n = 0 };

    for (uint32_t i = 0, next; i < n; i = next) {
        for (next = i; next < n && all[next].need == all[i].need;) next++;
        if (i) say(&to, "; ");
        for (uint32_t k = i; k < next && k < i + NAMED_PROVIDERS; k++) {
            say(&to, "%s%.80s (", k == i ? "" : ", ", all[k].provider);
            say_count(&to, all[k].events, "event", "events");
            say(&to, ")");
        }
        if (next - i > NAMED_PROVIDERS) {
            say(&to, " and ");
            say_count(&to, next - i - NAMED_PROVIDERS, "more", "more");
        }
        const char *hint = schema_hint(all[i].need);
        say(&to, ": %s", *hint ? hint : "nothing is known of them; traceweir coverage says why");
    }
    if (!n) say(&to, "nothing");
    put_sentence(l, &to);
}

int read_push_summary(etl_read *s)
{
    unknown *all = malloc((s->types.n + (size_t)1) * sizeof *all);
    uint64_t events;

    if (!all) return tw_fail(s, "no memory for what is not decoded of %" PRIu32 " types of events", s->types.n);
    uint32_t n = find_unknown(s, all, &events);
    line l = line_begin(s, &read_summary_table);
    put_trace(s, &l);
    put_recorded(s, &l);
    put_session(s, &l);
    put_machine(s, &l);
    put_holds(s, &l);
    put_lost(s, &l);
    put_skipped(s, &l);
    put_decoded(s, &l, events);
    put_missing(&l, all, n);
    free(all);
    return line_end(s, &l) == TW_OK ? push_rest(s, &read_summary_table) : TW_ERROR;
}
