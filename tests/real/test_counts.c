/* test_counts.c - `info --json` against independent counts of every real trace.

   Beside each trace lies X.counts.json, made by another reader: header facts, buffers, and how many events of each
   (provider, id, version) there are. One idea: both sides become the same sorted list of lines, and the lists must be
   equal. The files that are no traces must be refused with a sentence. */
#include <inttypes.h>
#include <jansson.h>

#include "corpus.h"

typedef struct lines {
    char **line;
    size_t n;
} lines;

static int failures;
static char scratch_path[512];

static void add_line(lines *l, const char *provider, json_int_t id, json_int_t version, json_int_t count)
{
    text t = { 0 };

    text_format(&t, "%s %" PRId64 " v%" PRId64 " x%" PRId64, provider, (int64_t)id, (int64_t)version, (int64_t)count);
    l->line = mem_grow(l->line, (l->n + 1) * sizeof *l->line);
    l->line[l->n++] = t.at;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_lines(lines *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->line[i]);
    free(l->line);
}

static void complain(const char *path, const char *what, int64_t expected, int64_t got)
{
    printf("%s: %s: expected %" PRId64 ", got %" PRId64 "\n", path, what, expected, got);
    failures++;
}

static void expect(const char *path, const char *what, const json_t *expected, const json_t *got)
{
    if (!json_is_integer(expected) || !json_is_integer(got) ||
        json_integer_value(expected) != json_integer_value(got))
        complain(path, what, json_integer_value(expected), got ? json_integer_value(got) : -1);
}

/* The program's exit status; what it prints goes to scratch_path, its stderr to scratch_path.err. */
static int run_info(const char *trace)
{
    text command = { 0 };

    text_format(&command, "info \"%s\" --json >\"%s\" 2>\"%s.err\"", trace, scratch_path, scratch_path);
    int status = corpus_run(command.at);
    text_free(&command);
    return status;
}

static int is_same_event(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "provider"), json_object_get(b, "provider")) &&
           json_equal(json_object_get(a, "id"), json_object_get(b, "id")) &&
           json_equal(json_object_get(a, "version"), json_object_get(b, "version"));
}

static void add_row(lines *l, const json_t *row, json_int_t count)
{
    add_line(l, json_string_value(json_object_get(row, "provider")), json_integer_value(json_object_get(row, "id")),
             json_integer_value(json_object_get(row, "version")), count);
}

/* Rows are by name, too, in the order of their keys: events that describe themselves have one id and many names. */
static void add_sums(lines *l, const json_t *rows)
{
    size_t i;
    const json_t *row, *before = NULL;
    json_int_t count = 0;

    json_array_foreach(rows, i, row)
    {
        if (before && !is_same_event(before, row)) {
            add_row(l, before, count);
            count = 0;
        }
        count += json_integer_value(json_object_get(row, "count"));
        before = row;
    }
    if (before) add_row(l, before, count);
}

static void compare_events(const char *path, const json_t *expected, const json_t *got)
{
    lines want = { 0 }, have = { 0 };
    size_t i, j = 0;
    const json_t *row;

    json_array_foreach(expected, i, row)
        add_line(&want, json_string_value(json_array_get(row, 0)), json_integer_value(json_array_get(row, 1)),
                 json_integer_value(json_array_get(row, 2)), json_integer_value(json_array_get(row, 3)));
    add_sums(&have, got);
    qsort(want.line, want.n, sizeof *want.line, compare_lines);
    qsort(have.line, have.n, sizeof *have.line, compare_lines);
    if (want.n == 0) complain(path, "lines in the counts file", 1, 0);
    for (i = 0; i < want.n || j < have.n;) {
        int order = i == want.n ? 1 : j == have.n ? -1 : strcmp(want.line[i], have.line[j]);
        if (order == 0) {
            i++, j++;
            continue;
        }
        printf("%s: %s %s\n", path,
               order < 0 ? "missing:" : "not expected:", order < 0 ? want.line[i++] : have.line[j++]);
        failures++;
    }
    free_lines(&want);
    free_lines(&have);
}

static void check_trace(const char *counts_path)
{
    text trace = { 0 };
    json_error_t error;
    json_t *want = json_load_file(counts_path, 0, &error), *got = NULL;
    const json_t *header, *have;
    int status;

    text_add(&trace, counts_path, strlen(counts_path) - strlen(".counts.json"));
    if (!os_exists(trace.at)) text_put(&trace, ".zst");
    if (!want || !os_exists(trace.at)) {
        printf("%s: no trace or no counts\n", counts_path);
        failures++;
        goto out;
    }
    status = run_info(trace.at);
    if (status != 0) complain(trace.at, "exit status", 0, status);
    got = json_load_file(scratch_path, 0, &error);
    if (!got) {
        printf("%s: info --json is no JSON: line %d: %s\n", trace.at, error.line, error.text);
        failures++;
        goto out;
    }
    compare_events(trace.at, json_object_get(want, "by_event"), json_object_get(got, "by_event"));
    expect(trace.at, "events", json_object_get(want, "events"), json_object_get(got, "events"));
    /* In one circular file the other reader counts a buffer behind the file's end, and says so: its list of events is whole. */
    if (json_array_size(json_object_get(want, "errors")) == 0)
        expect(trace.at, "buffers", json_object_get(want, "buffers_walked"), json_object_get(got, "buffers"));
    header = json_object_get(want, "header");
    have = json_object_get(got, "header");
    expect(trace.at, "lost events", json_object_get(header, "EventsLost"),
           json_object_get(json_object_get(got, "lost"), "events"));
    expect(trace.at, "build", json_object_get(header, "ProviderVersion"), json_object_get(have, "build"));
    expect(trace.at, "processors", json_object_get(header, "Processors"), json_object_get(have, "processors"));
    expect(trace.at, "frequency", json_object_get(header, "PerfFreq"), json_object_get(have, "hz"));
    expect(trace.at, "pointer size", json_object_get(header, "PointerSize"), json_object_get(have, "pointer_size"));
    expect(trace.at, "buffer size", json_object_get(header, "BufferSize"), json_object_get(have, "buffer_size"));
    expect(trace.at, "buffers written", json_object_get(header, "BuffersWritten"),
           json_object_get(have, "buffers_written"));
    if (json_array_size(json_object_get(got, "skipped")) != 0)
        complain(trace.at, "kinds of skipped data", 0, (int64_t)json_array_size(json_object_get(got, "skipped")));
out:
    json_decref(want);
    json_decref(got);
    text_free(&trace);
}

/* A file without counts is no trace: refused with status 1 and a sentence that names it. */
static void check_refused(const char *path)
{
    char line[1024] = "";
    text err = { 0 };
    FILE *f;
    int status = run_info(path);

    if (status != 1) complain(path, "exit status of what is no trace", 1, status);
    text_format(&err, "%s.err", scratch_path);
    f = fopen(err.at, "rb");
    if (f) {
        if (!fgets(line, sizeof line, f)) line[0] = 0;
        fclose(f);
    }
    if (!strstr(line, path)) {
        printf("%s: the refusal does not name the file: %s\n", path, line);
        failures++;
    }
    printf("refused: %s", line);
    text_free(&err);
}

int main(void)
{
    corpus c = corpus_open();
    int traces = 0, refused = 0;
    text err = { 0 };

    snprintf(scratch_path, sizeof scratch_path, "%s/info.%d.json", getenv("TW_TEST_BUILD"), os_process_id());
    for (size_t i = 0; i < c.n; i++) {
        const char *path = c.path[i];
        text counts = { 0 };

        text_format(&counts, "%s.counts.json", path);
        if (corpus_ends(path, ".counts.json")) {
            check_trace(path);
            traces++;
        } else if (corpus_ends(path, ".etl") && !os_exists(counts.at)) {
            check_refused(path);
            refused++;
        }
        text_free(&counts);
    }
    os_remove(scratch_path);
    text_format(&err, "%s.err", scratch_path);
    os_remove(err.at);
    text_free(&err);
    if (traces == 0 || refused == 0) failures++;
    printf("%d traces agree with their counts or are named above, %d files refused, %d differences\n", traces,
           refused, failures);
    corpus_close(&c);
    return failures ? 1 : 0;
}
