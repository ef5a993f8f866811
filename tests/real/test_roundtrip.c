/* test_roundtrip.c - every real trace read, written, and read again: the same events.

   Compared are, event by event and in order, time, processor, process, thread and the record, byte for byte: header,
   extended items and payload; the log-file header byte for byte; and how the events lie in buffers. What cannot be kept
   stands in the table below with its reason; a difference that does not, and a row that nothing needs, fail the test. What
   was written is also judged by the rules of the format, without a reader. A part of each trace, written with the records
   that describe others, has to be decoded as the whole is. */
#include <inttypes.h>

#include "../unit/etl_checker.h"
#include "bus.h"
#include "corpus.h"

extern const tw_stage etl_read_stage, etl_write_stage;

/* ---- What cannot be kept ---- */

enum { MODE_CIRCULAR = 2, MODE_COMPRESSED = 0x4000000 };
enum which { ANY, COMPRESSED, CIRCULAR };

static struct {
    const char *what;
    enum which of;
    const char *reason;
    int used;
} kept_not[] = {
    { "LogFileMode", COMPRESSED, "buffers are written as they are, so the bit 4000000 goes", 0 },
    { "BufferSize", COMPRESSED, "the size that the session asked for, 16 MB, costs nothing in a compressed file only",
      0 },
    { "BuffersWritten", CIRCULAR, "the session's buffers that were overwritten are in no file", 0 },
};

enum how { EXACT, TIMES, WORDS };

static int failures;
static size_t events;

static void complain(const char *path, const char *what, uint64_t expected, uint64_t got)
{
    printf("%s: %s: expected 0x%" PRIx64 ", got 0x%" PRIx64 "\n", path, what, expected, got);
    failures++;
}

static void differs(const char *path, const char *what, uint32_t mode, uint64_t expected, uint64_t got)
{
    for (size_t i = 0; i < sizeof kept_not / sizeof *kept_not; i++) {
        uint32_t bit = kept_not[i].of == COMPRESSED ? MODE_COMPRESSED : MODE_CIRCULAR;

        if (strcmp(kept_not[i].what, what) != 0 || (kept_not[i].of != ANY && !(mode & bit))) continue;
        kept_not[i].used++;
        return;
    }
    complain(path, what, expected, got);
}

/* ---- A trace as it is read ---- */

typedef struct seen { /* one event */
    uint64_t hash;
    int64_t time;
    uint32_t pid, tid, bytes, type;
    uint16_t cpu, buffer;
} seen;

typedef struct trace {
    seen *event;
    size_t n, room;
    uint8_t header[65536];
    uint32_t header_bytes, headers; /* of the first one; how many sessions */
    uint64_t header_events;
} trace;

typedef struct looker {
    tw_self tw;
} looker;

static trace *into;
static int by_words; /* of events what they say is kept, not their bytes */

static uint64_t hash_of(const uint8_t *at, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < n; i++) h = (h ^ at[i]) * UINT64_C(0x100000001b3);
    return h;
}

static void take_headers(looker *l, const tw_event *e)
{
    tw_value v;

    for (; l->tw.host->extra(l, e, 0x11000, into->headers, &v) == TW_OK; into->headers++) {
        if (into->headers || v.t.bytes > sizeof into->header) continue;
        into->header_bytes = v.t.bytes;
        if (v.t.bytes) memcpy(into->header, v.t.at, v.t.bytes);
    }
}

/* Names, fields and values as people read them. */
static uint64_t hash_of_words(looker *l, tw_batch *b, const tw_event *e)
{
    const tw_type *t = l->tw.type[e->type];
    uint64_t h = hash_of((const uint8_t *)t->provider, strlen(t->provider)) * 3 +
                 hash_of((const uint8_t *)t->name, strlen(t->name)) * 5;
    tw_text words;

    for (int what = TW_WORDS_FIELDS; what <= TW_WORDS_MESSAGE; what++)
        if (l->tw.host->words(l, b, e, what, &words) == TW_OK)
            h = h * 7 + hash_of((const uint8_t *)words.at, words.bytes);
    return h;
}

static int look(void *self, tw_batch *b)
{
    looker *l = self;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const tw_type *t = l->tw.type[e->type];

        if (!into->headers) take_headers(l, e);
        if (t->number == 0 && t->key && !strcmp(t->key, "kernel:00")) { /* compared by itself */
            into->header_events++;
            continue;
        }
        if (into->n == into->room) {
            into->room = into->room ? 2 * into->room : 4096;
            into->event = mem_grow(into->event, into->room * sizeof *into->event);
        }
        into->event[into->n++] =
            (seen){ .hash = by_words ? hash_of_words(l, b, e)
                                     : hash_of(e->record, (size_t)(e->data - e->record) + e->bytes),
                    .time = e->time,
                    .pid = e->pid,
                    .tid = e->tid,
                    .bytes = e->bytes,
                    .type = t->number,
                    .cpu = e->cpu,
                    .buffer = (uint16_t)e->flags };
    }
    return TW_OK;
}

static const tw_stage look_stage = {
    .size = sizeof(tw_stage), .name = "look", .help = "Write down.", .state = sizeof(looker), .events = look
};

typedef struct source { /* of a run */
    const char *const *file;
    uint32_t n;
    const char *where; /* NULL: all events */
} source;

/* 1 where the run was good. */
static int run(const source *from, const tw_stage *to, const setting *set)
{
    const char *yes = "true";
    const setting files = { .name = "file", .value = from->file, .n = from->n };
    const setting part[] = { { .name = "expr", .value = &from->where, .n = 1 },
                             { .name = "describe", .value = &yes, .n = 1 } };
    const spec chain[] = { { .stage = "first", .place = "", .set = &files, .n = 1, .builtin = &etl_read_stage },
                           { .stage = "where", .place = "", .set = part, .n = 2 },
                           { .stage = "last", .place = "", .set = set, .n = set != NULL, .builtin = to } };
    const spec all[] = { chain[0], chain[2] };
    plugins *none = plugins_new(NULL, 0);
    plan p = { .name = "test", .stage = from->where ? chain : all, .n = from->where ? 3 : 2 };
    bus_options o = { .plugins = none, .quiet = 1 };
    report r = { 0 };
    int good;

    bus_run(&p, &o, &r);
    good = r.status == 0;
    if (!good) printf("%s: %s\n", from->file[0], text_of(&r.error));
    report_free(&r);
    plugins_free(none);
    return good;
}

static int read_trace(const source *from, trace *out)
{
    memset(out, 0, sizeof *out);
    into = out;
    return run(from, &look_stage, NULL);
}

/* ---- Comparing ---- */

static uint32_t number(const uint8_t *at, size_t offset)
{
    return (uint32_t)at[offset] | (uint32_t)at[offset + 1] << 8 | (uint32_t)at[offset + 2] << 16 |
           (uint32_t)at[offset + 3] << 24;
}

/* Word by word; where it differs, by the name of the word. */
static void compare_headers(const char *path, const trace *want, const trace *got)
{
    static const struct {
        uint32_t at;
        const char *name;
    } words[] = { { 0x20, "BufferSize" }, { 0x40, "LogFileMode" }, { 0x44, "BuffersWritten" } };
    uint32_t mode = number(want->header, 0x40);

    if (want->header_bytes != got->header_bytes)
        complain(path, "bytes of the log-file header", want->header_bytes, got->header_bytes);
    for (uint32_t i = 0; i + 4 <= want->header_bytes && i + 4 <= got->header_bytes; i += 4) {
        char name[32];

        if (number(want->header, i) == number(got->header, i)) continue;
        snprintf(name, sizeof name, "header word %x", i);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (words[k].at == i) snprintf(name, sizeof name, "%s", words[k].name);
        differs(path, name, mode, number(want->header, i), number(got->header, i));
    }
}

/* EXACT: records byte for byte, and buffers; TIMES: ticks may be those of another clock; WORDS: what is read of them. */
static void compare_events(const char *path, const trace *want, const trace *got, enum how how)
{
    int told = 0;
    uint32_t mode = number(want->header, 0x40);

    if (want->n != got->n) complain(path, "events", want->n, got->n);
    for (size_t i = 0; i < want->n && i < got->n && told < 5; i++) {
        const seen *a = &want->event[i], *b = &got->event[i];

        if (a->time == b->time && a->cpu == b->cpu && a->pid == b->pid && a->tid == b->tid && a->bytes == b->bytes &&
            a->type == b->type && (how == TIMES || a->hash == b->hash))
            continue;
        printf("%s: event %zu: number %u of %u bytes at %" PRId64 " on processor %u, then %u of %u bytes at %" PRId64
               " on %u%s\n",
               path, i, a->type, a->bytes, a->time, a->cpu, b->type, b->bytes, b->time, b->cpu,
               a->hash == b->hash ? "" : "; other bytes");
        failures++;
        told++;
    }
    for (size_t i = 0; how == EXACT && i < want->n && i < got->n;
         i++) { /* which buffer of all, by their first events */
        if (want->event[i].buffer == got->event[i].buffer) continue;
        differs(path, "buffers", mode, want->event[i].buffer, got->event[i].buffer);
        break;
    }
}

static void check_file(const char *path, const char *written, uint64_t events)
{
    FILE *f = fopen(written, "rb");
    etl_check c;
    uint8_t *bytes;
    long n;

    if (!f || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) != 0) {
        complain(path, "what was written cannot be read", 0, 0);
        if (f) fclose(f);
        return;
    }
    bytes = mem_new((size_t)n + 1);
    if (fread(bytes, 1, (size_t)n, f) != (size_t)n) complain(path, "bytes read", (uint64_t)n, 0);
    fclose(f);
    if (!etl_check_file(&c, bytes, (size_t)n)) {
        printf("%s: the written file is not well-formed %s\n", path, c.why);
        failures++;
    } else if (c.events != events + 1) {
        complain(path, "events in the file's buffers", events + 1, c.events);
    }
    free(bytes);
}

static char scratch_path[512];

static void check_trace(const source *from, enum how how)
{
    static trace want, got;
    const char *to = scratch_path, *path = from->file[0];
    const setting set = { .name = "to", .value = &to, .n = 1 };
    const source written = { &to, 1, NULL };

    by_words = how == WORDS;
    if (!read_trace(from, &want) || !run(from, &etl_write_stage, &set) || !read_trace(&written, &got)) {
        failures++;
        return;
    }
    if (how == EXACT) compare_headers(path, &want, &got);
    if (how == EXACT && want.header_events != got.header_events)
        complain(path, "log-file header events", want.header_events, got.header_events);
    compare_events(path, &want, &got, how);
    check_file(path, scratch_path, want.n);
    if (how == EXACT) events += want.n;
    free(want.event);
    free(got.event);
}

/* Files of one machine, and of two, whose clocks differ, as one trace: there is one clock in the end, and every time is
   what it was. */
static void check_several(const corpus *c)
{
    static const char *const sets[][2] = { { "diaghub.kernel.1.etl", "diaghub.user_paged.1.etl" },
                                           { "KernelNetwork.etl", "powershell.etl" } };

    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const char *file[2] = { NULL, NULL };

        for (size_t k = 0; k < c->n; k++)
            for (int m = 0; m < 2; m++)
                if (corpus_ends(c->path[k], sets[i][m])) file[m] = c->path[k];
        if (!file[0] || !file[1]) {
            printf("%s and %s are not there\n", sets[i][0], sets[i][1]);
            failures++;
            continue;
        }
        check_trace(&(source){ file, 2, NULL }, TIMES);
    }
}

int main(void)
{
    corpus c = corpus_open();
    size_t traces = 0, rows = sizeof kept_not / sizeof *kept_not;

    snprintf(scratch_path, sizeof scratch_path, "%s/roundtrip.%d.etl", getenv("TW_TEST_BUILD"), os_process_id());
    for (size_t i = 0; i < c.n; i++) {
        text counts = { 0 };
        const char *path = c.path[i];
        size_t n = strlen(path) - (corpus_ends(path, ".etl.zst") ? strlen(".zst") : 0);

        if (!corpus_ends(path, ".etl") && !corpus_ends(path, ".etl.zst")) continue;
        text_format(&counts, "%.*s.counts.json", (int)n, path);
        if (os_exists(counts.at)) {
            check_trace(&(source){ &path, 1, NULL }, EXACT);
            check_trace(&(source){ &path, 1, "pid % 8 == 0" }, WORDS);
            traces++;
        }
        text_free(&counts);
    }
    check_several(&c);
    os_remove(scratch_path);
    for (size_t i = 0; i < rows; i++) {
        printf("not kept: %s, in %d traces: %s\n", kept_not[i].what, kept_not[i].used, kept_not[i].reason);
        if (!kept_not[i].used) failures++;
    }
    if (!traces || !events) failures++;
    printf("%zu traces with %zu events read, written and read again, %d differences\n", traces, events, failures);
    corpus_close(&c);
    return failures ? 1 : 0;
}
