/* bench_rows.c - what a pattern costs an event, and what `group` and `top` cost a row.

   One idea: a source makes events or rows out of nothing, so all the time of the stage behind it is its own. Prints
   ns/event and ns/row of that stage, the best of several runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"
#include "stock.h"

enum { EVENTS = 1 << 21, ROWS = 1 << 21, NAMES = 64, NAME_BYTES = 80, RUNS = 5 };

/* ---- A source of events with a name in UTF-16 ---- */

static uint8_t names[NAMES][NAME_BYTES];

/* "\Device\HarddiskVolume3\svc07.exe" and the like; every eighth begins the file's name with svc. */
static void make_names(void)
{
    char text[NAME_BYTES / 2];

    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(text, sizeof text, "\\Device\\HarddiskVolume3\\%s%02" PRIu32 ".exe", i % 8 ? "app" : "svc", i);
        for (uint32_t k = 0; k < sizeof text; k++) names[i][2 * k] = (uint8_t)text[k];
    }
}

typedef struct source {
    tw_self tw;
    uint32_t made, type[2];
} source;

static int events_open(void *self)
{
    static const tw_field field = { .name = "FileName", .kind = TW_TEXT16 };
    static const char *const name[] = { "Load", "Unload" };
    source *s = self;

    for (int i = 0; i < 2; i++) {
        tw_type t = { .size = sizeof t, .provider = "Image", .name = name[i], .nfields = 1, .field = &field };
        s->type[i] = s->tw.host->publish(self, &t);
    }
    return TW_OK;
}

static int events_read(void *self, tw_batch *b)
{
    source *s = self;

    for (; b->n < b->cap && s->made < EVENTS; s->made++)
        b->event[b->n++] = (tw_event){
            .time = s->made, .data = names[s->made % NAMES], .bytes = NAME_BYTES, .type = s->type[s->made % 2]
        };
    return s->made < EVENTS ? TW_OK : TW_END;
}

static const tw_stage events_stage = {
    .size = sizeof(tw_stage),
    .name = "events",
    .state = sizeof(source),
    .open = events_open,
    .read = events_read,
};

/* ---- A source of rows ---- */

static const tw_field columns[] = { { .name = "process", .kind = TW_TEXT },
                                    { .name = "file", .kind = TW_U32 },
                                    { .name = "bytes", .kind = TW_U32 },
                                    { .name = "took", .kind = TW_SPAN } };
static const tw_table table = { .size = sizeof table, .ncols = 4, .name = "reads", .col = columns };

static int rows_read(void *self, tw_batch *b)
{
    static const char *const process[] = { "svchost.exe", "System", "explorer.exe", "worker.exe" };
    source *s = self;
    tw_rows *r = TW_HOST(self)->table(self, &table);

    (void)b;
    for (; r->n < r->cap && s->made < ROWS; s->made++) {
        uint32_t random = (uint32_t)((s->made * UINT64_C(0x9E3779B97F4A7C15)) >> 32), row = r->n++;
        const char *name = process[random % 4];
        ((tw_text *)r->col[0])[row] = (tw_text){ name, (uint32_t)strlen(name), 0 };
        ((uint32_t *)r->col[1])[row] = random % 10000;
        ((uint32_t *)r->col[2])[row] = random % 65536;
        ((int64_t *)r->col[3])[row] = random;
    }
    int rc = TW_HOST(self)->push(self, r);
    return rc != TW_OK ? rc : s->made < ROWS ? TW_OK : TW_END;
}

static const tw_stage rows_stage = {
    .size = sizeof(tw_stage),
    .name = "rows",
    .state = sizeof(source),
    .read = rows_read,
};

/* ---- Measuring ---- */

static void measure(const char *what, const tw_stage *from, const tw_stage *stage, const setting *set, uint32_t n)
{
    const spec chain[] = { { .stage = from->name, .place = "", .builtin = from },
                           { .stage = stage->name, .place = "", .set = set, .n = n, .builtin = stage },
                           { .stage = "null", .place = "", .builtin = &null_stage } };
    const plan p = { "bench", chain, 3 };
    int64_t best = INT64_MAX;
    uint64_t out = 0;

    for (int i = 0; i < RUNS; i++) {
        report r = { 0 };
        bus_run(&p, &(bus_options){ .quiet = 1 }, &r);
        if (r.status) {
            fprintf(stderr, "%s\n", text_of(&r.error));
            exit(1);
        }
        if (r.stage[1].ns < best) best = r.stage[1].ns;
        out = r.stage[1].events_out + r.stage[1].rows_out;
        report_free(&r);
    }
    printf("%-58s %7.1f ns (%" PRIu64 " out)\n", what, (double)best / (from == &rows_stage ? ROWS : EVENTS), out);
}

static void measure_where(const char *expression)
{
    const setting set = { "expr", &expression, 1, 0 };
    measure(expression, &events_stage, &where_stage, &set, 1);
}

int main(void)
{
    static const char *const by_process[] = { "process" }, *const by_file[] = { "process", "file" };
    static const char *const bytes[] = { "bytes" }, *const took[] = { "took" }, *const twenty[] = { "20" };
    static const char *const many[] = { "100000" };
    const setting few[] = { { "by", by_process, 1, 1 }, { "sum", bytes, 1, 1 }, { "max", took, 1, 1 } };
    const setting lots[] = { { "by", by_file, 2, 1 }, { "sum", bytes, 1, 1 }, { "max", took, 1, 1 } };
    const setting top[] = { { "by", took, 1, 0 }, { "n", twenty, 1, 0 } };
    const setting large[] = { { "by", took, 1, 0 }, { "n", many, 1, 0 } };

    make_names();
    measure_where("event matches '^Un'");
    measure_where("FileName matches '^svc'");
    measure_where("FileName matches 'svc[0-9]+[.]exe$'");
    measure_where("FileName matches '(?i)SVC.*EXE$'");
    measure_where("FileName has 'svc'");
    measure("group by a text of 4, one sum, one max", &rows_stage, &group_stage, few, 3);
    measure("group by two columns, 40000 groups", &rows_stage, &group_stage, lots, 3);
    measure("top 20", &rows_stage, &top_stage, top, 2);
    measure("top 100000", &rows_stage, &top_stage, large, 2);
    return 0;
}
