/* bench_walk.c - how fast a trace is walked: buffers, headers, time order, no payload looked at.

   One idea: the same file is first only read, block by block as a source reads it, then walked by etl.read into a stage
   that swallows everything; both from the page cache, so the ratio says what the walk itself costs.
   usage: bench_walk TRACE.etl */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"
#include "input.h"
#include "os.h"

enum { RUNS = 5, BLOCK = 64 << 10 };

/* ns to read the whole file by blocks; its size. */
static int64_t read_only(const char *path, uint64_t *bytes)
{
    text why = { 0 };
    tw_input *in;
    void *window;
    uint64_t sum = 0;
    int64_t start = os_monotonic();

    if (input_open(path, &in, &why) != TW_OK) {
        fprintf(stderr, "%s\n", text_of(&why));
        exit(1);
    }
    input_name(in, bytes);
    for (uint64_t at = 0; at + BLOCK <= *bytes; at += BLOCK) {
        const uint8_t *p = input_at(in, at, BLOCK, &window);
        if (!p) break;
        for (size_t i = 0; i < BLOCK; i += 64) sum += p[i]; /* touch each cache line */
        input_unmap(window);
    }
    input_close(in);
    if (sum == 1) puts("");
    return os_monotonic() - start;
}

static int64_t walk(plugins *p, const char *path, uint64_t *events)
{
    const setting file = { "file", &path, 1, 0 };
    const spec chain[] = { { .stage = "etl.read", .place = "", .set = &file, .n = 1 },
                           { .stage = "null", .place = "" } };
    const plan plan = { "bench", chain, 2 };
    const bus_options options = { .plugins = p, .progress = 0, .quiet = 1 };
    report r;

    bus_run(&plan, &options, &r);
    if (r.status == 1 || r.status == 2) {
        report_print(&r, 0);
        exit(1);
    }
    int64_t ns = r.ns;
    *events = r.stage[0].events_out;
    report_free(&r);
    return ns;
}

int main(int argc, char **argv)
{
    int64_t reading = INT64_MAX, walking = INT64_MAX;
    uint64_t bytes = 0, events = 0;
    char *folder;

    os_start(&argc, &argv);
    if (argc < 2) {
        fprintf(stderr, "usage: bench_walk TRACE.etl\n");
        return 2;
    }
    folder = os_program(); /* BUILD/tests/bench/bench_walk; the plugins are in BUILD/plugins */
    for (int up = 0; up < 3; up++)
        for (size_t i = strlen(folder); i-- > 0;)
            if (folder[i] == '/' || folder[i] == '\\') {
                folder[i] = 0;
                break;
            }
    text plugin_folder = { 0 };
    text_format(&plugin_folder, "%s/plugins", folder);
    const char *const folders[] = { plugin_folder.at };
    plugins *p = plugins_new(folders, 1);
    for (int i = 0; i < RUNS; i++) {
        int64_t ns = read_only(argv[1], &bytes);
        if (ns < reading) reading = ns;
        ns = walk(p, argv[1], &events);
        if (ns < walking) walking = ns;
    }
    printf("reading alone: %6.2f GB/s\n", (double)bytes / (double)reading);
    printf("walking:       %6.2f GB/s, %.1f M events/s, %.1f ns/event, %.2f times reading\n",
           (double)bytes / (double)walking, (double)events * 1e3 / (double)walking, (double)walking / (double)events,
           (double)walking / (double)reading);
    plugins_free(p);
    text_free(&plugin_folder);
    free(folder);
    return 0;
}
