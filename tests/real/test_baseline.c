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
    long cpu, bytes;
    char *name, *line;      /* fields: `name=value; ` */
    json_t *best, *numbers; /* the event of ours that agrees most, with names of values and without */
    int agreed, differed, lines;
} expected;

typedef struct total { /* of all events of one name */
    char *name;
    json_int_t count;
} total;

typedef struct baseline {
    expected *event;
    total *total;
    size_t n, ntotals;
    json_t *counts; /* ours, by "provider/event" */
} baseline;

static int failures, compared, found, missing, totals;
static int show_all;

/* ---- What differs for a reason ---- */

// clang-format off
static const struct exception {
    const char *event, *field; /* NULL: all */
    const char *reason;
} exceptions[] = {
    { "Image/", "FileName", "they put a drive letter in place of a device, by their own tables of the machine" },
    { "Kernel-File/", "FileName", "as above" },
    { "ImageID", "ProcessID", "they give kernel images to the idle process; the payload says 4" },
    { "DiskIO/", "IrpFlags", "they call 0x2 MountCompletion and drop bits without a name; 0x2 is PAGING_IO" },
    { "Kernel-File/Create", "CreateOptions", "they show the lower 24 bits; the upper ones are the disposition" },
    { "Kernel-File/Create", "ShareAccess", "shown as names there; the manifest in the trace has none" },
    { "PerHeapHistory", "CompactMechanisms", "a word they work out of the highest bit" },
    { "PerHeapHistory", "ExpandMechanisms", "a word of theirs for 0" },
    { "NgenBind", "ReasonCode", "a word of theirs for 0" },
    { "SystemConfig/NIC", "PhysicalAddr", "eight bytes as a number there, as bytes here" },
    { "SystemConfig/Services", "ProcessName", "they put the name of process 0 in place of an empty one" },
    { "SystemConfig/PnP", "PdoName", "they read version 3 at another place; the bytes hold a device's name" },
    { "SystemConfig/IRQ", "IRQNum", "they read version 3 at another place" },
    { "PrimitiveTypesTest", "char_type", "a number there; the event says that it is a character" },
    { "PrimitiveTypesTest", "system_time_type", "they show the month in place of the milliseconds' digits" },
    { NULL, NULL, NULL },
};
// clang-format on

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

    b.counts = json_object();
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strrchr(line, ':');
        if (!strncmp(line, "COUNT ", 6) && colon) {
            b.total = mem_grow(b.total, (b.ntotals + 1) * sizeof *b.total);
            b.total[b.ntotals++] =
                (total){ mem_text(line + 6, (size_t)(colon - line - 6)), strtoll(colon + 1, NULL, 10) };
        }
        if (strncmp(line, "EVENT ", 6) != 0) continue;
        const char *name = strstr(line, ": "), *fields = name ? strstr(name, " PID=") : NULL;
        char number[16];
        if (!fields) continue;
        b.event = mem_grow(b.event, (b.n + 1) * sizeof *b.event);
        expected *e = &b.event[b.n++];
        *e = (expected){ .microseconds = microseconds_of(line + 6),
                         .cpu = strtol(value_of(fields, "ProceNum=", number, sizeof number), NULL, 10),
                         .bytes = strtol(value_of(fields, "DataLen=", number, sizeof number), NULL, 10),
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
        json_decref(b->event[i].numbers);
    }
    for (size_t i = 0; i < b->ntotals; i++) free(b->total[i].name);
    free(b->total);
    free(b->event);
    json_decref(b->counts);
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

/* Bytes of a value before the `...` that says it goes on. */
static size_t shown(const char *theirs)
{
    size_t n = strlen(theirs), characters = 0;

    if (n < CUT + 3 || strcmp(theirs + n - 3, "...") != 0) return n;
    for (size_t i = 0; i < n - 3; i++) characters += ((uint8_t)theirs[i] & 0xC0) != 0x80;
    return characters == CUT ? n - 3 : n;
}

static int same_text(const char *theirs, const char *ours)
{
    size_t n = shown(theirs);

    return theirs[n] ? !strncmp(theirs, ours, n) : !strcmp(theirs, ours);
}

/* "VirtualAlloc, Reserve" and "VirtualAlloc|Reserve", whatever the case, as far as the first is shown. */
static int same_words(const char *theirs, const char *ours)
{
    const char *end = theirs + shown(theirs);
    int cut = *end != 0;

    for (;;) {
        while (theirs < end && !isalnum((unsigned char)*theirs)) theirs++;
        while (*ours && !isalnum((unsigned char)*ours)) ours++;
        if (theirs == end) return cut || !*ours;
        if (tolower((unsigned char)*theirs++) != tolower((unsigned char)*ours++)) return 0;
    }
}

/* "23/03/14 00:46:50.70..." and "2023-03-14T00:46:50.701061000Z". */
static int same_time(const char *theirs, const char *ours)
{
    static const char shape[] = "dd/dd/dd dd:dd:dd.dd";
    size_t i = 0;

    for (; shape[i]; i++)
        if (shape[i] == 'd' ? !isdigit((unsigned char)theirs[i]) : theirs[i] != shape[i]) return 0;
    if (strlen(ours) < 2 + i) return 0;
    for (i = 0; shape[i]; i++)
        if (shape[i] == 'd' && theirs[i] != ours[2 + i]) return 0;
    return 1;
}

static int same_value(const char *theirs, const json_t *ours)
{
    uint64_t a, b;

    if (!ours) return 0;
    int is_number = number_of(theirs, &a);
    switch (json_typeof(ours)) {
    case JSON_TRUE: return !strcmp(theirs, "True") || !strcmp(theirs, "1");
    case JSON_FALSE: return !strcmp(theirs, "False") || !strcmp(theirs, "0");
    case JSON_INTEGER:
        if (!strcmp(theirs, "None")) return json_integer_value(ours) == 0; /* of flags */
        return is_number && same_number(a, (uint64_t)json_integer_value(ours));
    case JSON_REAL: /* of a line with integers beyond 2^63; all others are far below 2^53 */
        return is_number && (json_real_value(ours) == (double)a || json_real_value(ours) == (double)(int64_t)a);
    case JSON_STRING:
        if (same_text(theirs, json_string_value(ours)) || same_time(theirs, json_string_value(ours))) return 1;
        if (!strcmp(theirs, "None") && !strcmp(json_string_value(ours), "0")) return 1; /* of flags */
        if (is_number && number_of(json_string_value(ours), &b)) return same_number(a, b);
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
static void compare(const expected *e, const json_t *event, const json_t *as_numbers, int say, int *agreed,
                    int *differed)
{
    const json_t *fields = json_object_get(event, "fields"), *numbers = json_object_get(as_numbers, "fields");
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
        if (same_value(value, ours) || same_value(value, field_of(numbers, name))) {
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

static int ends_in(const char *text, const char *end)
{
    return text && strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

/* "DotNETRuntime/GC/MarkHandles" is more like GCMarkHandles than like GCMarkCards, and a stop more like an end. */
static int likeness(const char *theirs, const json_t *event)
{
    const char *provider = json_string_value(json_object_get(event, "provider"));
    const char *ours = json_string_value(json_object_get(event, "event")), *last = strrchr(theirs, '/');
    int same_provider = provider && !strncmp(theirs, provider, strlen(provider)) && theirs[strlen(provider)] == '/';

    return same_provider + 2 * (ends_in(ours, last ? last + 1 : theirs) ||
                                (ends_in(theirs, "Stop") && ends_in(ours, "End")) ||
                                (ends_in(theirs, "Start") && ends_in(ours, "Begin")));
}

static void offer(baseline *b, json_t *event, json_t *numbers, int64_t start)
{
    int64_t us = moment_of(json_string_value(json_object_get(event, "time"))) - start;
    long cpu = (long)json_number_value(json_object_get(event, "cpu"));
    long bytes = (long)json_number_value(json_object_get(event, "bytes"));

    if (us < -INT64_C(43200000000000)) us += INT64_C(86400000000000);
    us = (us + 500) / 1000;
    for (size_t i = 0; i < b->n; i++) {
        expected *e = &b->event[i];
        int agreed, differed;

        if (e->microseconds > us + 1) break;
        if (e->microseconds < us - 1 || e->cpu != cpu || e->bytes != bytes) continue;
        compare(e, event, numbers, 0, &agreed, &differed);
        agreed += likeness(e->name, event);
        if (e->best && agreed - differed <= e->agreed - e->differed) continue;
        json_decref(e->best);
        json_decref(e->numbers);
        e->best = json_incref(event);
        e->numbers = json_incref(numbers);
        e->agreed = agreed;
        e->differed = differed;
    }
}

/* ---- Totals ---- */

/* Where theirs are fewer for a reason. */
static const struct dropped {
    const char *name;
    const char *reason;
} dropped[] = {
    { "PerfInfo/Sample", "nearly all samples of the idle thread are dropped there" },
    { "Method/LoadVerbose", "methods that were loaded before the process was known are folded away there" },
    { NULL, NULL },
};

static const char *name_of(const json_t *event, text *out)
{
    text_clear(out);
    text_format(out, "%s/%s", json_string_value(json_object_get(event, "provider")),
                json_string_value(json_object_get(event, "event")));
    return text_of(out);
}

static void count_ours(baseline *b, const json_t *event)
{
    text name = { 0 };
    const char *key = name_of(event, &name);

    json_object_set_new(b->counts, key, json_integer(json_integer_value(json_object_get(b->counts, key)) + 1));
    text_free(&name);
}

/* How many events we have of the names that those called `theirs` have here. */
static json_int_t ours_of(const baseline *b, const char *theirs, text *names)
{
    json_t *seen = json_object();
    text name = { 0 };
    json_int_t sum = 0;

    text_clear(names);
    for (size_t i = 0; i < b->n; i++) {
        if (strcmp(b->event[i].name, theirs) != 0 || !b->event[i].best) continue;
        const char *key = name_of(b->event[i].best, &name);
        if (json_object_get(seen, key)) continue;
        json_object_set_new(seen, key, json_true());
        sum += json_integer_value(json_object_get(b->counts, key));
        text_format(names, " %s", key);
    }
    json_decref(seen);
    text_free(&name);
    return sum;
}

static void compare_totals(const char *trace, const baseline *b)
{
    text names = { 0 };

    for (size_t i = 0; i < b->ntotals; i++) {
        const total *t = &b->total[i];
        json_int_t ours = ours_of(b, t->name, &names);
        const char *reason = NULL;

        for (const struct dropped *d = dropped; d->name; d++)
            if (strstr(t->name, d->name)) reason = d->reason;
        if (ours == t->count) {
            totals++;
        } else if (!reason) {
            printf("%s: %s: expected %" PRId64 " events, got %" PRId64 " of%s\n", trace, t->name, (int64_t)t->count,
                   (int64_t)ours, text_of(&names));
            failures++;
        }
    }
    text_free(&names);
}

/* The whole dump of a trace, to be read and removed. */
static FILE *dump(const char *trace, const char *options, const char *path)
{
    text command = { 0 };

    text_format(&command, "dump --format ndjson %s --out \"%s\" \"%s\"", options, path, trace);
    int status = corpus_run(command.at);
    FILE *f = status == 0 ? fopen(path, "rb") : NULL;
    if (!f) {
        printf("%s: dump failed: %d\n", trace, status);
        failures++;
    }
    text_free(&command);
    return f;
}

/* jansson's integers end at 2^63: a line with larger ones is read with all its numbers as doubles. */
static json_t *next_line(FILE *f)
{
    static char line[4 << 20];

    if (!fgets(line, sizeof line, f)) return NULL;
    json_t *event = json_loads(line, 0, NULL);
    if (!event) event = json_loads(line, JSON_DECODE_INT_AS_REAL, NULL);
    if (!event) {
        printf("a line is no JSON: %.200s\n", line);
        failures++;
        event = json_object();
    }
    return event;
}

static void read_ours(const char *trace, baseline *b)
{
    text path[2] = { { 0 } };
    FILE *f[2];
    json_t *event, *numbers;
    int64_t start = -1;

    for (int i = 0; i < 2; i++) {
        text_format(&path[i], "%s/baseline.%d.%d.json", getenv("TW_TEST_BUILD"), os_process_id(), i);
        f[i] = dump(trace, i ? "--numbers" : "", path[i].at);
    }
    while (f[0] && f[1] && (event = next_line(f[0])) != NULL) {
        numbers = next_line(f[1]);
        const char *time = json_string_value(json_object_get(event, "time"));
        if (time && start < 0) start = moment_of(time);
        if (time) offer(b, event, numbers, start);
        count_ours(b, event);
        json_decref(event);
        json_decref(numbers);
    }
    for (int i = 0; i < 2; i++) {
        if (f[i]) fclose(f[i]);
        os_remove(path[i].at);
        text_free(&path[i]);
    }
}

static void check(const char *baseline_path)
{
    text trace = { 0 };
    baseline b = read_baseline(baseline_path);

    text_add(&trace, baseline_path, strlen(baseline_path) - strlen(".baseline.txt"));
    text_put(&trace, ".etl");
    if (!os_exists(trace.at)) text_put(&trace, ".zst");
    read_ours(trace.at, &b);
    compare_totals(trace.at, &b);
    for (size_t i = 0; i < b.n; i++) {
        expected *e = &b.event[i];
        int agreed, differed;

        if (!e->best) {
            printf("%s: no event at %" PRId64 " us on CPU %ld: %s\n", trace.at, e->microseconds, e->cpu, e->name);
            missing++;
            continue;
        }
        compare(e, e->best, e->numbers, 1, &agreed, &differed);
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
