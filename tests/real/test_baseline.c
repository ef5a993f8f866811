/* test_baseline.c - fields of events against what another decoder, on Windows, said of the same traces.

   X.baseline.txt has the first five events of each name with their fields. One idea: an event is found again by its time
   and processor, and each of its fields whose name both sides have must have the same value; the few that differ for a
   reason are listed with it, and whatever else differs is a failure. */
#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>

#include "corpus.h"

enum { CUT = 20 /* characters of a value that a baseline shows, then `...` */ };

typedef struct expected { /* one line */
    int64_t microseconds; /* from the start of the session */
    long cpu;
    char *name, *line; /* fields: `name=value; ` */
    json_t *best;      /* the event of ours that agrees most */
    int agreed, differed, lines;
} expected;

typedef struct baseline {
    expected *event;
    size_t n;
} baseline;

static int failures, compared, found, missing;
static int show_all;

/* ---- What differs for a reason ---- */

static const struct exception {
    const char *event, *field; /* NULL: all */
    const char *reason;
} exceptions[] = {
    { NULL, NULL, NULL },
};

static const char *reason_for(const char *event, const char *field)
{
    for (const struct exception *x = exceptions; x->reason; x++)
        if ((!x->event || strstr(event, x->event)) && (!x->field || !strcmp(field, x->field))) return x->reason;
    return NULL;
}

/* Fields that the other decoder calls otherwise. */
static const struct alias {
    const char *theirs, *ours;
} aliases[] = {
    { "ProcessID", "ProcessId" },
    { NULL, NULL },
};

/* ---- Baselines ---- */

static int64_t microseconds_of(const char *text) /* "2,942.306" ms */
{
    int64_t v = 0;

    for (; *text && *text != ':' && *text != ' '; text++)
        if (isdigit((unsigned char)*text)) v = v * 10 + (*text - '0');
    return v;
}

static char *value_of(const char *line, const char *name, char *out, size_t cap)
{
    const char *at = strstr(line, name);

    out[0] = 0;
    if (at) snprintf(out, cap, "%.*s", (int)strcspn(at + strlen(name), ";"), at + strlen(name));
    return out;
}

static int compare_expected(const void *a, const void *b)
{
    const expected *left = a, *right = b;

    if (left->microseconds != right->microseconds) return left->microseconds < right->microseconds ? -1 : 1;
    return left->cpu < right->cpu ? -1 : left->cpu > right->cpu;
}

static baseline read_baseline(const char *path)
{
    static char line[1 << 16];
    baseline b = { 0 };
    FILE *f = fopen(path, "rb");

    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "EVENT ", 6) != 0) continue;
        const char *name = strstr(line, ": "), *fields = name ? strstr(name, " PID=") : NULL;
        char cpu[16];
        if (!fields) continue;
        b.event = mem_grow(b.event, (b.n + 1) * sizeof *b.event);
        expected *e = &b.event[b.n++];
        *e = (expected){ .microseconds = microseconds_of(line + 6),
                         .cpu = strtol(value_of(fields, "ProceNum=", cpu, sizeof cpu), NULL, 10),
                         .name = mem_text(name + 2, (size_t)(fields - name - 2)),
                         .line = mem_text(fields + 1, strlen(fields + 1)) };
    }
    if (f) fclose(f);
    qsort(b.event, b.n, sizeof *b.event, compare_expected);
    return b;
}

static void free_baseline(baseline *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->event[i].name);
        free(b->event[i].line);
        json_decref(b->event[i].best);
    }
    free(b->event);
}

/* ---- Values ---- */

/* A number with or without commas, or in hex, perhaps with an error code's name in brackets behind it; 0 where it is none. */
static int number_of(const char *text, uint64_t *out)
{
    char plain[64];
    size_t n = 0;
    char *end;

    for (; *text && *text != '(' && n + 1 < sizeof plain; text++)
        if (*text != ',') plain[n++] = *text;
    plain[n] = 0;
    if (!n || (*text && *text != '(')) return 0;
    *out = plain[0] == '-' ? (uint64_t)strtoll(plain, &end, 10) : strtoull(plain, &end, 0);
    if (!strncmp(plain, "0", 1) && n > 1 && plain[1] != 'x') *out = strtoull(plain, &end, 10);
    return *end == 0 && (isdigit((unsigned char)plain[0]) || plain[0] == '-');
}

static int same_number(uint64_t a, uint64_t b)
{
    return a == b || (uint32_t)a == b || a == (uint32_t)b || (uint16_t)a == b || a == (uint16_t)b || (uint8_t)a == b;
}

static int same_text(const char *theirs, const char *ours)
{
    size_t n = strlen(theirs);

    if (n == CUT + 3 && !strcmp(theirs + CUT, "...")) return !strncmp(theirs, ours, CUT);
    return !strcmp(theirs, ours);
}

/* "VirtualAlloc, Reserve" and "VirtualAlloc|Reserve", whatever the case. */
static int same_words(const char *a, const char *b)
{
    for (;;) {
        while (*a && !isalnum((unsigned char)*a)) a++;
        while (*b && !isalnum((unsigned char)*b)) b++;
        if (!*a || !*b) return *a == *b;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++)) return 0;
    }
}

static int same_value(const char *theirs, const json_t *ours)
{
    char text[64];
    uint64_t a, b;

    switch (json_typeof(ours)) {
    case JSON_TRUE: return !strcmp(theirs, "True") || !strcmp(theirs, "1");
    case JSON_FALSE: return !strcmp(theirs, "False") || !strcmp(theirs, "0");
    case JSON_INTEGER:
        if (number_of(theirs, &a)) return same_number(a, (uint64_t)json_integer_value(ours));
        return 0;
    case JSON_REAL: snprintf(text, sizeof text, "%.3f", json_real_value(ours)); return same_text(theirs, text);
    case JSON_STRING:
        if (same_text(theirs, json_string_value(ours))) return 1;
        if (number_of(theirs, &a) && number_of(json_string_value(ours), &b)) return same_number(a, b);
        return same_words(theirs, json_string_value(ours));
    default: return 0;
    }
}

static const json_t *field_of(const json_t *fields, const char *name)
{
    const char *key;
    json_t *value;

    for (const struct alias *a = aliases; a->theirs; a++)
        if (!strcmp(a->theirs, name) && json_object_get(fields, a->ours)) return json_object_get(fields, a->ours);
    json_object_foreach((json_t *)fields, key, value)
    {
        const char *x = key, *y = name;
        while (*x && tolower((unsigned char)*x) == tolower((unsigned char)*y)) x++, y++;
        if (!*x && !*y) return value;
    }
    return NULL;
}

/* Compares the fields of a line; says what differs if `say`. */
static void compare(const expected *e, const json_t *event, int say, int *agreed, int *differed)
{
    const json_t *fields = json_object_get(event, "fields");
    const char *at = strstr(e->line, "DataLen=");

    *agreed = *differed = 0;
    at = at ? strstr(at, "; ") : NULL;
    for (at = at ? at + 2 : ""; *at && *at != '\n';) {
        size_t name_length = strcspn(at, "=");
        const char *end = strstr(at, "; ");
        char name[64], value[256];

        if (!end || !at[name_length]) break;
        snprintf(name, sizeof name, "%.*s", (int)name_length, at);
        snprintf(value, sizeof value, "%.*s", (int)(end - at - (ptrdiff_t)name_length - 1), at + name_length + 1);
        at = end + 2;
        const json_t *ours = field_of(fields, name);
        if (!ours || json_is_object(ours) || json_is_array(ours)) continue;
        if (same_value(value, ours)) {
            ++*agreed;
        } else if (!reason_for(e->name, name)) {
            ++*differed;
            if (!say) continue;
            char *text = json_dumps(ours, JSON_ENCODE_ANY);
            printf("%s at %" PRId64 " us: %s: expected %s, got %s\n", e->name, e->microseconds, name, value, text);
            free(text);
        }
    }
}

/* ---- Ours ---- */

/* "2020-07-29T00:07:00.628312300Z": ns since the day began; a trace is not that long. */
static int64_t moment_of(const char *time)
{
    int hours, minutes;
    char seconds[16];
    int64_t ns = 0;

    if (sscanf(time, "%*d-%*d-%*dT%d:%d:%15[0-9.]", &hours, &minutes, seconds) != 3) return -1;
    for (const char *c = seconds; *c; c++)
        if (*c != '.') ns = ns * 10 + (*c - '0');
    return ns + (hours * INT64_C(60) + minutes) * INT64_C(60000000000);
}

static void offer(baseline *b, json_t *event, int64_t start)
{
    int64_t us = moment_of(json_string_value(json_object_get(event, "time"))) - start;
    long cpu = (long)json_integer_value(json_object_get(event, "cpu"));

    if (us < -INT64_C(43200000000000)) us += INT64_C(86400000000000);
    us = (us + 500) / 1000;
    for (size_t i = 0; i < b->n; i++) {
        expected *e = &b->event[i];
        int agreed, differed;

        if (e->microseconds > us + 1) break;
        if (e->microseconds < us - 1 || e->cpu != cpu) continue;
        compare(e, event, 0, &agreed, &differed);
        if (e->best && agreed - differed <= e->agreed - e->differed) continue;
        json_decref(e->best);
        e->best = json_incref(event);
        e->agreed = agreed;
        e->differed = differed;
    }
}

static void read_ours(const char *trace, baseline *b)
{
    static char line[4 << 20];
    text command = { 0 }, path = { 0 };
    int64_t start = -1;

    text_format(&path, "%s/baseline.%d.json", getenv("TW_TEST_BUILD"), os_process_id());
    text_format(&command, "\"%s/traceweir\" dump --format ndjson --out \"%s\" \"%s\"", getenv("TW_TEST_BUILD"),
                path.at, trace);
    int status = system(command.at);
    FILE *f = status == 0 ? fopen(path.at, "rb") : NULL;
    while (f && fgets(line, sizeof line, f)) {
        json_t *event = json_loads(line, 0, NULL);
        if (!event) {
            printf("%s: a line is no JSON: %.200s\n", trace, line);
            failures++;
            continue;
        }
        if (start < 0) start = moment_of(json_string_value(json_object_get(event, "time")));
        offer(b, event, start);
        json_decref(event);
    }
    if (f) {
        fclose(f);
    } else {
        printf("%s: dump failed: %d\n", trace, status);
        failures++;
    }
    os_remove(path.at);
    text_free(&command);
    text_free(&path);
}

static void check(const char *baseline_path)
{
    text trace = { 0 };
    baseline b = read_baseline(baseline_path);

    text_add(&trace, baseline_path, strlen(baseline_path) - strlen(".baseline.txt"));
    text_put(&trace, ".etl");
    if (!os_exists(trace.at)) text_put(&trace, ".zst");
    read_ours(trace.at, &b);
    for (size_t i = 0; i < b.n; i++) {
        expected *e = &b.event[i];
        int agreed, differed;

        if (!e->best) {
            printf("%s: no event at %" PRId64 " us on CPU %ld: %s\n", trace.at, e->microseconds, e->cpu, e->name);
            missing++;
            continue;
        }
        compare(e, e->best, 1, &agreed, &differed);
        found++;
        compared += agreed + differed;
        failures += differed;
        if (show_all && !agreed)
            printf("nothing compared: %s: %s against %s/%s\n", trace.at, e->name,
                   json_string_value(json_object_get(e->best, "provider")),
                   json_string_value(json_object_get(e->best, "event")));
    }
    free_baseline(&b);
    text_free(&trace);
}

int main(int argc, char **argv)
{
    corpus c = corpus_open();
    int baselines = 0;

    (void)argv;
    show_all = argc > 1;
    for (size_t i = 0; i < c.n; i++) {
        if (!corpus_ends(c.path[i], ".baseline.txt")) continue;
        check(c.path[i]);
        baselines++;
    }
    corpus_close(&c);
    printf("%d baselines: %d events found, %d not; %d values compared, %d differ\n", baselines, found, missing,
           compared, failures);
    return baselines == 0 || failures || missing;
}
