/* test_evtx.c - fields by a manifest against what Windows itself made of the same events.

   A trace lies beside its manifest and beside the event log that Windows converted it to. One idea: `evtxexport` turns
   the log into XML, and each of its values must be the value that `dump --manifest` gives for the event at the same
   place. Where evtxexport is missing the test says so and is skipped. */
#include <inttypes.h>
#include <jansson.h>

#include "corpus.h"

static int failures;
static uint64_t values, events;

static void complain(const char *what, uint64_t event, const char *expected, const char *got)
{
    if (++failures <= 20)
        printf("event %" PRIu64 ": %s: expected %s, got %s\n", event, what, expected, got ? got : "nothing");
}

/* ---- The event log: lines of evtxexport's XML ---- */

/* What stands between `before` and `after` in the line; NULL: not there. Good until the next call. */
static const char *between(const char *line, const char *before, const char *after)
{
    static char found[4096];
    const char *at = strstr(line, before), *end = at ? strstr(at + strlen(before), after) : NULL;

    if (!end) return NULL;
    at += strlen(before);
    snprintf(found, sizeof found, "%.*s", (int)(end - at), at);
    return found;
}

/* ---- Values in one notation ---- */

/* An address as it lies in a payload, from "1.2.3.4:80" or "[2001:db8::1]:80", in hex. */
static void socket_address(const char *shown, char out[64])
{
    unsigned part[8] = { 0 }, port = 0, ip[4];
    const char *end = strchr(shown, ']');

    *out = 0;
    if (sscanf(shown, "%u.%u.%u.%u:%u", &ip[0], &ip[1], &ip[2], &ip[3], &port) == 5) {
        snprintf(out, 64, "0200%04X%02X%02X%02X%02X0000000000000000", port, ip[0], ip[1], ip[2], ip[3]);
        return;
    }
    if (*shown != '[' || !end || sscanf(end, "]:%u", &port) != 1) return;
    int n = 0, gap = -1;
    for (const char *at = shown + 1; at < end && n < 8;) {
        if (*at == ':') {
            if (at[1] == ':' || at == shown + 1) gap = n;
            at += at[1] == ':' ? 2 : 1;
            if (at >= end) break;
        }
        part[n++] = (unsigned)strtoul(at, NULL, 16);
        at += strcspn(at, ":]");
    }
    if (gap >= 0) {
        int tail = n - gap;
        memmove(part + 8 - tail, part + gap, (size_t)tail * sizeof *part);
        memset(part + gap, 0, (size_t)(8 - n) * sizeof *part);
    }
    int at = snprintf(out, 64, "1700%04X00000000", port);
    for (int i = 0; i < 8; i++) at += snprintf(out + at, 64 - (size_t)at, "%04X", part[i]);
    snprintf(out + at, 64 - (size_t)at, "00000000");
}

/* What the manifest calls these numbers; the log has the numbers. */
static int is_name_of(const char *number, const char *name)
{
    static const char *const names[][2] = { { "0", "ResponseLogging" }, { "0", "Site" }, { "0", "W3C" } };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(number, names[i][0]) && !strcmp(name, names[i][1])) return 1;
    return 0;
}

static int same_value(const char *expected, const json_t *got)
{
    const char *text = json_string_value(got);
    char hex[64];

    if (json_is_integer(got)) return (uint64_t)json_integer_value(got) == strtoull(expected, NULL, 0);
    if (!text) return 0;
    if (!strcmp(expected, text) || is_name_of(expected, text)) return 1;
    if (!strncmp(text, "0x", 2)) return strtoull(text, NULL, 16) == strtoull(expected, NULL, 0);
    socket_address(text, hex);
    return !strcmp(hex, expected);
}

/* Windows refuses a text that the payload's end cuts off, and gives the bytes instead: 8 of a pointer, 4 of a number,
   then the text. */
static int same_bytes(const char *expected, const json_t *fields)
{
    text made = { 0 };
    uint64_t pointer = 0, number = 0;
    const char *name, *url = NULL;
    json_t *v;
    int i = 0;

    json_object_foreach((json_t *)(uintptr_t)fields, name, v)
    {
        if (i == 0 && json_is_string(v)) pointer = strtoull(json_string_value(v), NULL, 16);
        if (i == 1) number = (uint64_t)json_integer_value(v);
        if (i == 2) url = json_string_value(v);
        i++;
    }
    for (int b = 0; b < 8; b++) text_format(&made, "%02X", (unsigned)(pointer >> (8 * b) & 0xFF));
    for (int b = 0; b < 4; b++) text_format(&made, "%02X", (unsigned)(number >> (8 * b) & 0xFF));
    for (; url && *url; url++) text_format(&made, "%02X00", (unsigned)(unsigned char)*url);
    int same = i == 3 && !strcmp(text_of(&made), expected);
    text_free(&made);
    return same;
}

/* ---- One event after the other ---- */

static void compare_number(const json_t *event, const char *name, const char *expected)
{
    char got[32];

    snprintf(got, sizeof got, "%" PRId64, (int64_t)json_integer_value(json_object_get(event, name)));
    if (strcmp(got, expected) != 0) complain(name, events, expected, got);
}

static void compare_data(const char *line, const json_t *fields, void **place)
{
    char name[128], *value;
    const char *found = between(line, "<Data Name=\"", "\"");

    if (!found) return;
    snprintf(name, sizeof name, "%s", found);
    found = between(line, "\">", "</Data>");
    value = mem_text(found ? found : "", found ? strlen(found) : 0);
    *place = *place ? json_object_iter_next((json_t *)(uintptr_t)fields, *place)
                    : json_object_iter((json_t *)(uintptr_t)fields);
    const char *got = *place ? json_object_iter_key(*place) : NULL;
    if (!got || strcmp(got, name) != 0) {
        complain("name of a field", events, name, got);
    } else if (!same_value(value, json_object_iter_value(*place))) {
        char *shown = json_dumps(json_object_iter_value(*place), JSON_ENCODE_ANY);
        complain(name, events, value, shown);
        free(shown);
    } else {
        values++;
    }
    free(value);
}

/* The log's next event, line by line. 0: there is none. */
static int compare_event(FILE *log, const json_t *event)
{
    static char line[65536];
    const json_t *fields = json_object_get(event, "fields");
    const char *found;
    size_t n = 0;
    void *place = NULL;

    while (fgets(line, sizeof line, log) && !strstr(line, "<EventID>")) {}
    if (feof(log)) return 0;
    events++;
    do {
        if ((found = between(line, "<EventID>", "<"))) compare_number(event, "id", found);
        if ((found = between(line, "<Version>", "<"))) compare_number(event, "version", found);
        if ((found = between(line, "ProcessID=\"", "\""))) compare_number(event, "pid", found);
        if ((found = between(line, "ThreadID=\"", "\""))) compare_number(event, "tid", found);
        if ((found = between(line, "ProcessorID=\"", "\""))) compare_number(event, "cpu", found);
        if ((found = between(line, "SystemTime=\"", "\""))) {
            const char *time = json_string_value(json_object_get(event, "time")); /* the log has units of 100 ns */
            if (!time || strncmp(time, found, 27) != 0) complain("time", events, found, time);
        }
        if ((found = between(line, "<EventPayload>", "<"))) {
            if (!same_bytes(found, fields)) complain("bytes", events, found, "others");
            values += 3;
            n = 3;
        }
        if (strstr(line, "<Data Name=")) {
            compare_data(line, fields, &place);
            n++;
        }
    } while (fgets(line, sizeof line, log) && !strstr(line, "</Event>"));
    if (n != json_object_size(fields)) complain("number of fields", events, "that of the log", "another");
    return 1;
}

static void compare(FILE *log, FILE *dump)
{
    static char line[65536];

    while (fgets(line, sizeof line, dump)) {
        json_error_t error;
        json_t *event = json_loads(line, 0, &error);
        const char *provider = json_string_value(json_object_get(event, "provider"));
        if (!event) complain("JSON", events, "a line of it", error.text);
        /* The log has no record of the trace's own header. */
        if (provider && strcmp(provider, "EventTrace") != 0 && !compare_event(log, event))
            complain("events", events, "one more", NULL);
        json_decref(event);
    }
    if (compare_event(log, NULL)) complain("events", events, "no more", "another one");
}

/* ---- The programs ---- */

static const char *path_of(const corpus *c, const char *end)
{
    for (size_t i = 0; i < c->n; i++)
        if (corpus_ends(c->path[i], end)) return c->path[i];
    return NULL;
}

static int run(const char *command, const char *from, const char *also, const char *to)
{
    text line = { 0 };

    text_format(&line, "%s \"%s\"%s%s%s >\"%s\" 2>\"%s.err\"", command, from, also ? " --manifest \"" : "",
                also ? also : "", also ? "\"" : "", to, to);
    int status = system(line.at);
    text_free(&line);
    return status;
}

static void remove_both(const char *path)
{
    text err = { 0 };

    os_remove(path);
    text_format(&err, "%s.err", path);
    os_remove(err.at);
    text_free(&err);
}

int main(void)
{
    corpus c = corpus_open();
    const char *etl = path_of(&c, "HTTP_Server.etl"), *manifest = path_of(&c, "HTTP_Server.man");
    const char *evtx = path_of(&c, "HTTP_Server.evtx"), *build = getenv("TW_TEST_BUILD");
    text log = { 0 }, dump = { 0 }, command = { 0 };
    FILE *left = NULL, *right = NULL;
    int skipped = 0;

    text_format(&log, "%s/log.%d.xml", build, os_process_id());
    text_format(&dump, "%s/dump.%d.json", build, os_process_id());
    text_format(&command, "\"%s/traceweir\" dump --format ndjson", build);
    if (!etl || !manifest || !evtx) {
        printf("no trace with its manifest and event log\n");
        failures++;
        goto out;
    }
    if (run("evtxexport -f xml", evtx, NULL, log.at) != 0) {
        skipped = !getenv("TRACEWEIR_TEST_REQUIRE_REAL");
        failures += !skipped;
        printf("%s: evtxexport does not run (it is in Debian's libevtx-utils)\n", skipped ? "SKIPPED" : "FAILED");
        goto out;
    }
    if (run(command.at, etl, manifest, dump.at) != 0) {
        printf("dump failed\n");
        failures++;
        goto out;
    }
    left = fopen(log.at, "rb");
    right = fopen(dump.at, "rb");
    if (left && right) compare(left, right);
    if (events < 2000 || values < 8000) failures++;
    printf("%" PRIu64 " events, %" PRIu64 " values equal, %d differences\n", events, values, failures);
out:
    if (left) fclose(left);
    if (right) fclose(right);
    remove_both(log.at);
    remove_both(dump.at);
    text_free(&log);
    text_free(&dump);
    text_free(&command);
    corpus_close(&c);
    return failures ? 1 : skipped ? 77 : 0;
}
