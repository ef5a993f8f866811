/* bench_decode.c - what it costs to decode every field of every event.

   Three files are made: kernel events of eight layouts, TraceLogging events, manifest events. Each is read into a stage
   that swallows events, then into one that walks all fields and puts every value into a column of its own, and then is
   written as NDJSON. One idea: all runs read the same file, so the difference is decoding.
   usage: bench_decode [ANYTHING] (writes into the folder of the program) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"
#include "os.h"

#include "../unit/etl_kit.h"

enum { RUNS = 5, EVENTS = 2000000, BUFFER = 1 << 16, MOST_COLUMNS = 64 };

/* ---- The files ---- */

static const uint8_t tcpip[16] = { 0xee, 0xe2, 0x07, 0x2f, 0xdb, 0x15, 0xf1, 0x40,
                                   0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a };
static const uint8_t other[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

static void numbers(kit *k, unsigned n, size_t bytes)
{
    for (unsigned i = 0; i < n; i++) kit_number(k, 1000 * i + 7, bytes);
}

/* DiskIo/Read, Thread/CSwitch, PerfInfo/SampleProf, FileIo/Create, FileIo/Read, PageFault/HardFault, Process/Start and
   TcpIp/SendIPV4 by turns. */
static void kernel_event(kit *k, unsigned i, int64_t ticks)
{
    switch (i % 8) {
    case 0:
        kit_system(k, 2, 3, 0x01, 10, 8, 4, ticks);
        numbers(k, 13, 4);
        break;
    case 1:
    case 2:
        kit_system(k, 2, 4, 0x05, 36, 8, 4, ticks);
        numbers(k, 6, 4);
        break;
    case 3:
        kit_perfinfo(k, 0x11, 2, 0x0F, 46, ticks);
        numbers(k, 4, 4);
        break;
    case 4:
        kit_system(k, 2, 3, 0x04, 64, 8, 4, ticks);
        numbers(k, 8, 4);
        kit_text16(k, "\\Device\\HarddiskVolume3\\Windows\\System32\\kernel32.dll");
        break;
    case 5:
        kit_system(k, 2, 3, 0x04, 67, 8, 4, ticks);
        numbers(k, 11, 4);
        break;
    case 6:
        kit_system(k, 2, 2, 0x02, 32, 8, 4, ticks);
        numbers(k, 10, 4);
        break;
    default: kit_system(k, 2, 2, 0x06, 10, 8, 4, ticks); numbers(k, 11, 4);
    }
    kit_end_at(k, 4);
}

/* A name in UTF-16, four numbers, a GUID, an array of three. */
static void self_describing_event(kit *k, unsigned i, int64_t ticks)
{
    static const uint8_t item[] =
        "\x37\0\0Request\0Path\0\1Status\0\x08Size\0\x0aStart\0\x11Kind\0\x04Id\0\x0fParts\0\x48";

    kit_event(k, 0x13, 1, other, 0, 0, 8, 4, ticks);
    kit_item(k, 0x0B, 0, item, 55);
    kit_text16(k, "/index/with/a/path");
    numbers(k, 1, 4);
    numbers(k, 2, 8);
    kit_number(k, i & 3, 1);
    kit_bytes(k, other, 16);
    kit_number(k, 3, 2);
    numbers(k, 3, 4);
    kit_end_at(k, 0);
}

/* Microsoft-Windows-TCPIP 1033: two addresses behind their lengths, four numbers. */
static void manifest_event(kit *k, unsigned i, int64_t ticks)
{
    static const uint8_t address[16] = { 2, 0, 1, 0xBB, 10, 0, 0, 1 };

    kit_event(k, 0x13, 0, tcpip, 1033, 0, 8, 4, ticks);
    kit_number(k, 16, 4);
    kit_bytes(k, address, 16);
    kit_number(k, 16, 4);
    kit_bytes(k, address, 16);
    kit_number(k, 0, 4);
    kit_number(k, i, 4);
    kit_number(k, 1, 4);
    kit_number(k, UINT64_C(0xFFFF800012345678), 8);
    kit_end_at(k, 0);
}

typedef void make_event(kit *k, unsigned i, int64_t ticks);

static void make_file(const char *path, make_event *make)
{
    FILE *f = fopen(path, "wb");
    kit k = { 0 };
    kit_log l = kit_usual(BUFFER);
    unsigned i = 0;

    if (!f) {
        perror(path);
        exit(1);
    }
    l.mode = 2; /* circular: how many buffers were written is then not compared */
    kit_begin_file(&k, &l);
    while (i < EVENTS) {
        fwrite(k.at, 1, k.n, f);
        k.n = 0;
        k.written = 0;
        kit_buffer(&k, 0, 0x20, i / 997 % 8);
        for (; i < EVENTS && k.n + 512 < BUFFER; i++) make(&k, i, 1000 + 10 * (int64_t)i);
        kit_buffer_end(&k, BUFFER);
    }
    fwrite(k.at, 1, k.n, f);
    if (fclose(f)) perror(path);
    kit_free(&k);
}

/* ---- The stage ---- */

typedef union cell {
    uint64_t number;
    tw_text text;
} cell;

typedef struct decoder {
    tw_self tw;
    cell *column[MOST_COLUMNS]; /* a batch's worth of each */
    uint64_t values;
} decoder;

enum { ROWS = 4096 };

static int decoder_open(void *self)
{
    decoder *d = self;
    for (int i = 0; i < MOST_COLUMNS; i++) d->column[i] = calloc(ROWS, sizeof(cell));
    return TW_OK;
}

static int decoder_events(void *self, tw_batch *b)
{
    decoder *d = self;
    const tw_host *host = d->tw.host;
    tw_value v;
    tw_walk w;

    for (uint32_t i = 0; i < b->n; i++) {
        host->walk(self, b, &b->event[i], &w);
        while (host->next(&w, &v) == TW_OK) {
            cell *to = &d->column[w.field % MOST_COLUMNS][i % ROWS];
            if (v.kind == TW_TEXT || v.kind == TW_BYTES || v.kind == TW_GUID || v.kind == TW_SOCKADDR)
                to->text = v.t;
            else
                to->number = v.u;
            d->values++;
        }
    }
    b->n = 0;
    return TW_OK;
}

static uint64_t values;

static void decoder_close(void *self)
{
    decoder *d = self;
    values = d->values;
    for (int i = 0; i < MOST_COLUMNS; i++) free(d->column[i]);
}

static const tw_stage decoder_stage = { .size = sizeof(tw_stage),
                                        .name = "decode",
                                        .state = sizeof(decoder),
                                        .open = decoder_open,
                                        .events = decoder_events,
                                        .close = decoder_close };

/* ---- Running ---- */

static double run(plugins *p, const char *path, const spec *last)
{
    const setting file = { "file", &path, 1, 0 };
    const spec chain[] = { { .stage = "etl.read", .place = "", .set = &file, .n = 1 }, *last };
    const plan plan = { "bench", chain, 2 };
    const bus_options options = { .plugins = p, .quiet = 1 };
    double best = 1e99;

    for (int i = 0; i < RUNS; i++) {
        report r;
        bus_run(&plan, &options, &r);
        if (r.status == 1 || r.status == 2) {
            report_print(&r, 0);
            exit(1);
        }
        double each = (double)r.ns / (double)r.stage[0].events_out;
        if (each < best) best = each;
        report_free(&r);
    }
    return best;
}

static void measure(plugins *p, const char *what, const char *path, make_event *make)
{
#if defined(_WIN32)
    const char *nowhere = "NUL";
#else
    const char *nowhere = "/dev/null";
#endif
    const setting to = { "to", &nowhere, 1, 0 };
    const spec swallow = { .stage = "null", .place = "" },
               decode = { .stage = "bench.decode", .place = "", .builtin = &decoder_stage };
    const spec json = { .stage = "json.events", .place = "", .set = &to, .n = 1 };

    make_file(path, make);
    double read = run(p, path, &swallow), all = run(p, path, &decode), text = run(p, path, &json);
    printf("%-14s read %5.1f ns; all fields into columns %6.1f ns, %4.1f M events/s, %.1f values an event; "
           "NDJSON %6.1f ns, %4.2f M events/s\n",
           what, read, all, 1e3 / all, (double)values / EVENTS, text, 1e3 / text);
    remove(path);
}

int main(int argc, char **argv)
{
    os_start(&argc, &argv);
    text folder = { 0 }, path = { 0 };
    char *program = os_program(), *slash = strrchr(program, '/');

    if (slash) *slash = 0;
    text_format(&folder, "%s/../../plugins", program);
    text_format(&path, "%s/bench_decode.etl", program);
    const char *const folders[] = { text_of(&folder) };
    plugins *p = plugins_new(folders, 1);
    measure(p, "kernel", text_of(&path), kernel_event);
    measure(p, "TraceLogging", text_of(&path), self_describing_event);
    measure(p, "manifest", text_of(&path), manifest_event);
    plugins_free(p);
    text_free(&folder);
    text_free(&path);
    free(program);
    return 0;
}
