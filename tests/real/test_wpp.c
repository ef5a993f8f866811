/* test_wpp.c - messages of real WPP traces against what the vendor's own tool printed.

   Beside some traces lies X.expected.json with sentences that were checked against that tool, and in a folder tmf what
   their programs' TMF files are. One idea: every sentence must be the whole message of some event. Times are the
   exception: the tool prints local ones, so the list has them in UTC, and ours are written as all times are. */
#include <jansson.h>

#include "corpus.h"

static int failures, sentences;
static char scratch_path[512];

/* 2020-01-01 00:00:00.000Z as 2020-01-01T00:00:00.000000000Z. */
static char *in_our_form(const char *sentence)
{
    enum { DATE = 10, WHOLE = 24 };
    text out = { 0 };
    size_t n = strlen(sentence);

    if (n < WHOLE || sentence[n - 1] != 'Z' || sentence[n - WHOLE + DATE] != ' ') {
        text_put(&out, sentence);
        return out.at;
    }
    text_add(&out, sentence, n - 1);
    out.at[n - WHOLE + DATE] = 'T';
    text_put(&out, "000000Z");
    return out.at;
}

static int run_dump(const char *trace, const char *tmf)
{
    text command = { 0 };

    text_format(&command, "dump \"%s\" --tmf \"%s\" --fields id,message --format ndjson --out \"%s\"", trace, tmf,
                scratch_path);
    int status = corpus_run(command.at);
    text_free(&command);
    return status;
}

/* The rows of one run, in an array; NULL: that failed. */
static json_t *messages_of(const char *trace, const char *tmf)
{
    json_t *rows = NULL, *row;
    FILE *f = NULL;

    if (run_dump(trace, tmf) != 0 || !(f = fopen(scratch_path, "rb"))) return NULL;
    rows = json_array();
    while ((row = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) json_array_append_new(rows, row);
    fclose(f);
    return rows;
}

static int is_said(const json_t *rows, const char *sentence)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        const char *message = json_string_value(json_object_get(row, "message"));
        if (message && !strcmp(message, sentence)) return 1;
    }
    return 0;
}

static void check_counts(const char *path, const json_t *rows, const json_t *counts)
{
    for (void *i = json_object_iter((json_t *)counts); i; i = json_object_iter_next((json_t *)counts, i)) {
        int id = atoi(json_object_iter_key(i)), n = 0;
        const json_t *row;
        size_t k;
        json_array_foreach(rows, k, row)
        {
            n += json_integer_value(json_object_get(row, "id")) == id &&
                 json_is_string(json_object_get(row, "message"));
        }
        if (n == json_integer_value(json_object_iter_value(i))) continue;
        printf("%s: message %d came %d times\n", path, id, n);
        failures++;
    }
}

static void check_trace(const char *path)
{
    json_t *want = json_load_file(path, 0, NULL), *rows = NULL;
    const json_t *list = json_object_get(want, "contains"), *sentence;
    text trace = { 0 }, tmf = { 0 };
    const char *name = strrchr(path, '/');
    size_t i;

    text_add(&trace, path, strlen(path) - strlen(".expected.json"));
    text_put(&trace, ".etl");
    text_add(&tmf, path, (size_t)(name - path));
    text_put(&tmf, "/tmf");
    if (!list || !os_is_folder(tmf.at)) goto out; /* about another sort of trace */
    rows = messages_of(trace.at, tmf.at);
    if (!rows) {
        printf("%s: the program failed\n", trace.at);
        failures++;
        goto out;
    }
    json_array_foreach(list, i, sentence)
    {
        char *expected = in_our_form(json_string_value(sentence));
        sentences++;
        if (!is_said(rows, expected)) {
            printf("%s: nobody said: %s\n", trace.at, expected);
            failures++;
        }
        free(expected);
    }
    check_counts(path, rows, json_object_get(want, "counts"));
out:
    json_decref(rows);
    json_decref(want);
    text_free(&trace);
    text_free(&tmf);
}

int main(void)
{
    corpus c = corpus_open();

    snprintf(scratch_path, sizeof scratch_path, "%s/wpp.%d.json", getenv("TW_TEST_BUILD"), os_process_id());
    for (size_t i = 0; i < c.n; i++)
        if (corpus_ends(c.path[i], ".expected.json")) check_trace(c.path[i]);
    os_remove(scratch_path);
    if (!sentences) failures++;
    printf("%d sentences, %d differences\n", sentences, failures);
    corpus_close(&c);
    return failures ? 1 : 0;
}
