/* bench_dump.c - how fast events are written with all of their fields: as lines of text, and as JSON.

   One idea: the same trace is read into a stage that swallows everything, and into each of the sinks, which write
   nowhere; the sinks' own time is the host's account of the time spent in them.
   usage: bench_dump TRACE.etl */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus.h"
#include "os.h"

enum { RUNS = 5 };

static void measure(plugins *p, const char *path, const char *sink)
{
    static const char *const nowhere = "/dev/null";
    const setting file = { "file", &path, 1, 0 }, to = { "to", &nowhere, 1, 0 };
    const spec chain[] = { { .stage = "etl.read", .place = "", .set = &file, .n = 1 },
                           { .stage = sink, .place = "", .set = &to, .n = strcmp(sink, "null") != 0 } };
    const plan plan = { "bench", chain, 2 };
    const bus_options options = { .plugins = p, .progress = 0, .quiet = 1 };
    int64_t all = INT64_MAX, own = INT64_MAX;
    uint64_t events = 0;

    for (int i = 0; i < RUNS; i++) {
        report r;
        bus_run(&plan, &options, &r);
        if (r.status == 1 || r.status == 2) {
            report_print(&r, 0);
            exit(1);
        }
        if (r.ns < all) all = r.ns;
        if (r.stage[1].ns < own) own = r.stage[1].ns;
        events = r.stage[0].events_out;
        report_free(&r);
    }
    if (!events || all <= 0) return;
    printf("%-12s %10" PRIu64 " events, %6.2f M events/s in all, %7.1f ns an event in the sink\n", sink, events,
           (double)events * 1e3 / (double)all, (double)own / (double)events);
}

int main(int argc, char **argv)
{
    static const char *const sinks[] = { "null", "text.events", "json.events" };

    if (argc != 2) {
        fprintf(stderr, "usage: bench_dump TRACE.etl\n");
        return 2;
    }
    os_start(&argc, &argv);
    char *folder = os_program(); /* BUILD/tests/bench/bench_dump; the plugins are in BUILD/plugins */
    for (int up = 0; up < 3; up++) folder[os_path_name(folder) - folder - 1] = 0;
    text plugin_folder = { 0 };
    text_format(&plugin_folder, "%s/plugins", folder);
    const char *const folders[] = { plugin_folder.at };
    plugins *p = plugins_new(folders, 1);
    for (size_t i = 0; i < sizeof sinks / sizeof *sinks; i++) measure(p, argv[1], sinks[i]);
    plugins_free(p);
    text_free(&plugin_folder);
    free(folder);
    return 0;
}
