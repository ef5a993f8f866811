/* test_expr.c - expressions, driven by expr.test.

   A case is three lines: an expression; an event; what comes of it. The event is written as

       Provider/Event pid=4 time=5ms Name:text16=abc Size:u32=64 Flags:u32{Nocache=1,Paging=2}=1 short=3

   Members of the header are `word=value`: time (a span from the start of the trace), pid tid cpu level version id
   opcode keyword pointer guid key origin; `short` cuts the payload to that many bytes. Fields are
   `name:kind=value`; a kind may be followed by . and a way to show it (port ip4 char ntstatus win32 hresult), and by names of values,
   which are of bits where they begin with &. `struct=n` makes the next n fields its members; text16! has no
   terminator; text and bytes take 'a value' in quotes.

   The result is true or false, with remarks of the end behind a semicolon each, or `error: sentence`. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "expr.h"
#include "pattern.h"
#include "text.h"
#include "tw_test.h"
#include "unit.h"

static const int64_t BEGIN = INT64_C(1796025600000000000); /* 2026-11-30T08:00:00Z, by another program */

/* ---- A stage that runs one expression ---- */

static struct {
    expr *x;
    text why, remarks;
    types *types;
} now;

typedef struct probe {
    tw_self tw;
} probe;

static int probe_events(void *self, tw_batch *b)
{
    return expr_keep(now.x, self, b, &now.why);
}

static void add_remark(void *context, const char *sentence)
{
    (void)context;
    text_format(&now.remarks, "; %s", sentence);
}

types *bus_types(void *self);

static int probe_end(void *self)
{
    expr_remarks(now.x, bus_types(self), add_remark, NULL);
    return TW_OK;
}

static const tw_stage probe_stage = {
    .size = sizeof(tw_stage),
    .name = "probe",
    .state = sizeof(probe),
    .events = probe_events,
    .end = probe_end,
};

/* ---- The notation ---- */

enum { MOST_FIELDS = 32, MOST_NAMES = 80 };

typedef struct described {
    tw_type type;
    tw_field field[MOST_FIELDS];
    tw_names names[MOST_FIELDS];
    tw_name name[MOST_NAMES];
    uint32_t nnames;
    uint8_t payload[4096];
    uint32_t bytes;
    tw_event event; /* pid, tid, cpu, time */
    uint32_t members[4], depth;
    uint16_t parent[4];
    char room[8192]; /* copies of words */
    size_t used;
} described;

static const struct {
    const char *name;
    uint8_t kind, bytes;
} kinds[] = {
    { "bool", TW_BOOL, 1 },     { "u8", TW_U8, 1 },         { "u16", TW_U16, 2 },        { "u32", TW_U32, 4 },
    { "u64", TW_U64, 8 },       { "i8", TW_I8, 1 },         { "i16", TW_I16, 2 },        { "i32", TW_I32, 4 },
    { "i64", TW_I64, 8 },       { "f32", TW_F32, 4 },       { "f64", TW_F64, 8 },        { "ptr", TW_POINTER, 8 },
    { "bool32", TW_BOOL32, 4 }, { "time", TW_TIME, 8 },     { "span", TW_SPAN, 8 },      { "guid", TW_GUID, 16 },
    { "ip4", TW_IP4, 4 },       { "ip6", TW_IP6, 16 },      { "sid", TW_SID, 0 },        { "text", TW_TEXT, 0 },
    { "text8", TW_TEXT8, 0 },   { "text16", TW_TEXT16, 0 }, { "text16!", TW_TEXT16, 0 }, { "struct", TW_STRUCT, 0 },
    { "array", TW_U32, 4 },
};

static char *keep(described *d, const char *at, size_t n)
{
    char *copy = d->room + d->used;
    ck_assert_uint_lt(d->used + n + 1, sizeof d->room);
    memcpy(copy, at, n);
    copy[n] = 0;
    d->used += n + 1;
    return copy;
}

static void put(described *d, const void *bytes, size_t n)
{
    ck_assert_uint_le(d->bytes + n, sizeof d->payload);
    memcpy(d->payload + d->bytes, bytes, n);
    d->bytes += (uint32_t)n;
}

static void put_hex(described *d, const char *s)
{
    for (; s[0] && s[1]; s += 2) {
        const char two[3] = { s[0], s[1], 0 };
        uint8_t byte = (uint8_t)strtoul(two, NULL, 16);
        put(d, &byte, 1);
    }
}

/* Characters of the Basic Multilingual Plane only. */
static void put_text16(described *d, const char *s, int terminated)
{
    for (const uint8_t *p = (const uint8_t *)s; *p;) {
        uint32_t c = *p++;
        if (c >= 0xE0) {
            c = (c & 15) << 12 | (p[0] & 63u) << 6 | (p[1] & 63u);
            p += 2;
        } else if (c >= 0xC0) {
            c = (c & 31) << 6 | (*p++ & 63u);
        }
        put(d, (uint8_t[]){ (uint8_t)c, (uint8_t)(c >> 8) }, 2);
    }
    if (terminated) put(d, "\0", 2);
}

static int64_t span_of(const char *s)
{
    int64_t ns = 0;
    text why = { 0 };
    ck_assert_msg(unit_span(s, &ns, &why) == TW_OK, "%s", text_of(&why));
    return ns;
}

static void put_value(described *d, size_t k, const char *s)
{
    uint64_t u = s[0] == '-' ? (uint64_t)strtoll(s, NULL, 0) : strtoull(s, NULL, 0);
    double f = strtod(s, NULL);
    float single = (float)f;
    int64_t ns;
    uint8_t guid[16];

    switch (kinds[k].kind) {
    case TW_F32: put(d, &single, 4); break;
    case TW_F64: put(d, &f, 8); break;
    case TW_TIME:
    case TW_SPAN:
        ns = span_of(s) + (kinds[k].kind == TW_TIME ? BEGIN : 0);
        put(d, &ns, 8);
        break;
    case TW_GUID:
        ck_assert(guid_parse(s, guid));
        put(d, guid, 16);
        break;
    case TW_IP4:
    case TW_IP6:
    case TW_SID: put_hex(d, s); break;
    case TW_TEXT:
    case TW_TEXT8: put(d, s, strlen(s) + 1); break;
    case TW_TEXT16: put_text16(d, s, strcmp(kinds[k].name, "text16") == 0); break;
    case TW_STRUCT: break;
    case TW_POINTER: put(d, &u, d->type.pointer == 4 ? 4 : 8); break;
    default: put(d, &u, kinds[k].bytes); break;
    }
}

static uint8_t show_of(const char *s)
{
    if (strncmp(s, "port", 4) == 0) return TW_SHOW_PORT;
    if (strncmp(s, "ip4", 3) == 0) return TW_SHOW_IP4;
    if (strncmp(s, "char", 4) == 0) return TW_SHOW_CHAR;
    if (strncmp(s, "ntstatus", 8) == 0) return TW_SHOW_NTSTATUS;
    if (strncmp(s, "win32", 5) == 0) return TW_SHOW_WIN32;
    if (strncmp(s, "hresult", 7) == 0) return TW_SHOW_HRESULT;
    ck_abort_msg("no way to show called %s", s);
    return 0;
}

/* {Nocache=1,Paging=2}, ascending. */
static void read_names(described *d, tw_field *f, const char *s)
{
    tw_names *names = &d->names[f - d->field];
    *names = (tw_names){ .size = sizeof *names, .flags = *s == '&' ? TW_BITS : 0, .name = &d->name[d->nnames] };
    if (*s == '&') s++;
    while (*s && *s != '}') {
        size_t n = strcspn(s, "=");
        char *end;
        d->name[d->nnames].name = keep(d, s, n);
        d->name[d->nnames++].value = strtoull(s + n + 1, &end, 0);
        names->n++;
        s = end + (*end == ',');
    }
    f->names = names;
}

static void read_field(described *d, const char *word)
{
    const char *colon = strchr(word, ':'), *brace = strchr(colon, '{');
    const char *equals = brace ? strchr(strchr(brace, '}'), '=') : strchr(colon, '=');
    size_t n = strcspn(colon + 1, ".{="), k = 0;
    uint32_t index = d->type.nfields++;
    tw_field *f = &d->field[index];

    while (strlen(kinds[k].name) != n || memcmp(kinds[k].name, colon + 1, n))
        ck_assert_uint_lt(++k, sizeof kinds / sizeof *kinds);
    f->name = keep(d, word, (size_t)(colon - word));
    f->kind = kinds[k].kind;
    if (colon[1 + n] == '.') f->show = show_of(colon + 2 + n);
    if (brace) read_names(d, f, brace + 1);
    if (strcmp(kinds[k].name, "array") == 0) {
        f->count_by = TW_FIXED;
        f->count = 1;
    }
    if (d->depth) {
        f->parent = d->parent[d->depth];
        f->depth = (uint8_t)d->depth;
        for (uint32_t i = 1; i <= d->depth; i++) d->field[d->parent[i] - 1].members++;
        while (d->depth && --d->members[d->depth] == 0) d->depth--;
    }
    if (f->kind == TW_STRUCT) {
        d->depth++;
        d->parent[d->depth] = (uint16_t)(index + 1);
        d->members[d->depth] = (uint32_t)atoi(equals + 1);
    }
    put_value(d, k, equals + 1);
}

static void read_header(described *d, const char *word)
{
    const char *value = strchr(word, '=') + 1;
    uint64_t u = strtoull(value, NULL, 0);
    size_t n = (size_t)(value - word) - 1;
#define IS(name) (n == strlen(name) && memcmp(word, name, n) == 0)

    if (IS("time"))
        d->event.time = BEGIN + span_of(value);
    else if (IS("pid"))
        d->event.pid = (uint32_t)u;
    else if (IS("tid"))
        d->event.tid = (uint32_t)u;
    else if (IS("cpu"))
        d->event.cpu = (uint16_t)u;
    else if (IS("level"))
        d->type.level = (uint8_t)u;
    else if (IS("version"))
        d->type.version = (uint8_t)u;
    else if (IS("id"))
        d->type.number = (uint32_t)u;
    else if (IS("opcode"))
        d->type.opcode = (uint8_t)u;
    else if (IS("keyword"))
        d->type.keyword = u;
    else if (IS("pointer"))
        d->type.pointer = (uint8_t)u;
    else if (IS("guid"))
        ck_assert(guid_parse(value, d->type.guid));
    else if (IS("key"))
        d->type.key = keep(d, value, strlen(value));
    else if (IS("origin"))
        d->type.origin = keep(d, value, strlen(value));
    else if (IS("short"))
        d->bytes = (uint32_t)u;
    else
        ck_abort_msg("no such word: %s", word);
#undef IS
}

static void read_event(described *d, const char *s)
{
    memset(d, 0, sizeof *d);
    d->type = (tw_type){ .size = sizeof(tw_type), .pointer = 8, .field = d->field };
    d->event.time = BEGIN;
    for (int first = 1; *s; first = 0) {
        text word = { 0 };
        for (int quoted = 0; *s && (quoted || *s != ' '); s++) {
            if (*s == '\'')
                quoted = !quoted;
            else
                text_add(&word, s, 1);
        }
        while (*s == ' ') s++;
        const char *w = text_of(&word), *slash = strchr(w, '/');
        if (first) {
            ck_assert_ptr_nonnull(slash);
            d->type.provider = keep(d, w, (size_t)(slash - w));
            d->type.name = keep(d, slash + 1, strlen(slash + 1));
        } else if (strchr(w, ':') && strchr(w, ':') < strchr(w, '=')) {
            read_field(d, w);
        } else {
            read_header(d, w);
        }
        text_free(&word);
    }
}

/* ---- A case ---- */

static void run_event(const char *described_as, text *out)
{
    static described d;
    static const uint8_t record[1];
    const tw_event *left;
    rig *r = rig_new(&probe_stage, "");

    read_event(&d, described_as);
    rig_set_clock(r, &(tw_clock){ .hz = 10000000, .begin = BEGIN });
    ck_assert_int_eq(rig_open(r), TW_OK);
    uint32_t type = rig_publish(r, &d.type);
    ck_assert_msg(type != 0, "the type was refused: %s", described_as);
    tw_event *e = rig_event(r, type, d.event.time, d.payload, d.bytes);
    e->pid = d.event.pid;
    e->tid = d.event.tid;
    e->cpu = d.event.cpu;
    e->record = record;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    text_put(out, rig_left(r, &left) ? "true" : "false");
    ck_assert_int_eq(rig_end(r), TW_OK);
    text_put(out, text_of(&now.remarks));
    rig_free(r);
}

static void run_case(int line, const char *source, const char *event, const char *expected)
{
    text out = { 0 };

    text_clear(&now.why);
    text_clear(&now.remarks);
    now.x = expr_new(source, &now.why);
    if (now.x)
        run_event(event, &out);
    else
        text_format(&out, "error: %s", text_of(&now.why));
    ck_assert_msg(strcmp(text_of(&out), expected) == 0, "expr.test:%d: %s\n  is:     %s\n  should: %s", line, source,
                  text_of(&out), expected);
    expr_free(now.x);
    text_free(&out);
}

static FILE *open_cases(void)
{
    const char *root = getenv("TW_TEST_SOURCE");
    text path = { 0 };
    text_format(&path, "%s/tests/unit/expr.test", root ? root : ".");
    FILE *file = fopen(text_of(&path), "r");
    ck_assert_msg(file != NULL, "%s cannot be read; set TW_TEST_SOURCE to the project's folder", text_of(&path));
    text_free(&path);
    return file;
}

START_TEST(cases)
{
    static char lines[3][4096];
    FILE *file = open_cases();
    int line = 0, n = 0, ncases = 0;

    while (fgets(lines[n], sizeof *lines, file)) {
        line++;
        lines[n][strcspn(lines[n], "\n")] = 0;
        if (n == 0 && (!lines[0][0] || lines[0][0] == '#')) continue;
        if (++n < 3) continue;
        run_case(line - 2, lines[0], lines[1], lines[2]);
        ncases++;
        n = 0;
    }
    fclose(file);
    ck_assert_int_eq(n, 0);
    ck_assert_int_gt(ncases, 100);
}
END_TEST

/* ---- What three lines cannot say ---- */

static uint32_t publish(rig *r, const char *provider, const char *name, const tw_field *field, uint32_t n)
{
    return rig_publish(r, &(tw_type){ .size = sizeof(tw_type),
                                      .provider = provider,
                                      .name = name,
                                      .pointer = 8,
                                      .field = field,
                                      .nfields = n });
}

START_TEST(batches_keep_their_order)
{
    static const tw_field size[] = { { .name = "Size", .kind = TW_U32 } };
    static const uint32_t sizes[] = { 5, 70, 6, 80, 90, 7 };
    const tw_event *left;
    rig *r = rig_new(&probe_stage, "");

    now.x = expr_new("Size > 50 or event == 'Empty'", &now.why);
    ck_assert_ptr_nonnull(now.x);
    rig_open(r);
    uint32_t full = publish(r, "A", "Full", size, 1), empty = publish(r, "A", "Empty", NULL, 0);
    for (uint32_t i = 0; i < 6; i++) rig_event(r, full, i, &sizes[i], 4);
    rig_event(r, empty, 6, NULL, 0);
    rig_event(r, full, 7, &sizes[1], 3); /* cut short */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_left(r, &left), 4);
    ck_assert_int_eq(left[0].time, 1);
    ck_assert_int_eq(left[1].time, 3);
    ck_assert_int_eq(left[2].time, 4);
    ck_assert_int_eq(left[3].time, 6);
    rig_free(r);
    expr_free(now.x);
}
END_TEST

START_TEST(types_decide_what_they_can)
{
    static const struct {
        const char *source;
        int disk, net;
    } known[] = {
        { "provider == 'Disk'", 1, 0 },
        { "provider == 'Disk' and pid == 4", -1, 0 },
        { "provider == 'Disk' or pid == 4", 1, -1 },
        { "not (provider == 'Disk' and Size > 4)", -1, 1 },
        { "Size > 4", -1, 0 },
        { "not (Size > 4)", -1, 1 },
        { "Size < 0", 0, 0 },
        { "exists(Size)", -1, 0 },
        { "provider in ('Net', 'Tcp')", 0, 1 },
        { "event starts 'Re' and pid in ()", 0, 0 },
        { "pid >= 0", -1, -1 },
    };
    static const tw_field size[] = { { .name = "Size", .kind = TW_U32 } };
    text why = { 0 };
    rig *r = rig_new(&probe_stage, "");

    rig_open(r);
    uint32_t disk = publish(r, "Disk", "Read", size, 1), net = publish(r, "Net", "Send", NULL, 0);
    const tw_type *const *types = ((tw_self *)rig_state(r))->type;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        expr *x = expr_new(known[i].source, &why);
        ck_assert_msg(x != NULL, "%s", text_of(&why));
        ck_assert_int_eq(expr_type(x, types[disk], &why), TW_OK);
        ck_assert_int_eq(expr_type(x, types[net], &why), TW_OK);
        ck_assert_msg(expr_known(x, disk) == known[i].disk, "%s: Disk %d", known[i].source, expr_known(x, disk));
        ck_assert_msg(expr_known(x, net) == known[i].net, "%s: Net %d", known[i].source, expr_known(x, net));
        expr_free(x);
    }
    rig_free(r);
}
END_TEST

START_TEST(remarks_are_of_the_whole_trace)
{
    static const tw_field number[] = { { .name = "Size", .kind = TW_U32 } };
    static const tw_field words[] = { { .name = "Size", .kind = TW_TEXT } };
    rig *r = rig_new(&probe_stage, "");

    text_clear(&now.remarks);
    now.x = expr_new("Size > 4 and Size == 'x'", &now.why); /* each has sense for one of the types */
    rig_open(r);
    rig_event(r, publish(r, "A", "A", number, 1), 1, "\0\0\0", 4);
    rig_event(r, publish(r, "B", "B", words, 1), 2, "x", 2);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&now.remarks), "");
    rig_free(r);
    expr_free(now.x);

    r = rig_new(&probe_stage, ""); /* no event at all: nothing to remark */
    now.x = expr_new("NoSuch > 4", &now.why);
    rig_open(r);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&now.remarks), "");
    rig_free(r);
    expr_free(now.x);
}
END_TEST

START_TEST(values_around_an_event)
{
    static const uint8_t record[1];
    const tw_event *left;
    rig *r = rig_new(&probe_stage, "");
    tw_value level = { .kind = TW_U8, .u = 5 };

    now.x = expr_new("level == 5 and opcode == 0", &now.why);
    rig_set_extra(r, TW_X_LEVEL, 0, &level);
    rig_open(r);
    uint32_t type = publish(r, "A", "A", NULL, 0);
    rig_event(r, type, 1, NULL, 0)->record = record;
    rig_event(r, type, 2, NULL, 0);               /* a made event: the type's level, 0 */
    rig_event(r, 0, 3, NULL, 0)->record = record; /* of no known type */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_left(r, &left), 2);
    ck_assert_int_eq(left[0].time, 1);
    ck_assert_int_eq(left[1].time, 3);
    rig_free(r);
    expr_free(now.x);
}
END_TEST

/* A number at a known place is compared as a range of bits, any other as a number; both must say the same. */
START_TEST(both_ways_of_comparing_agree)
{
    static const char *const constants[] = { "0",
                                             "1",
                                             "-1",
                                             "127",
                                             "128",
                                             "-128",
                                             "-129",
                                             "255",
                                             "256",
                                             "32767",
                                             "32768",
                                             "65535",
                                             "2147483647",
                                             "2147483648",
                                             "-2147483648",
                                             "4294967295",
                                             "4294967296",
                                             "9223372036854775807",
                                             "9223372036854775808",
                                             "-9223372036854775808",
                                             "18446744073709551615" };
    static const char *const compares[] = { "==", "~=", "<", "<=", ">", ">=" };
    static const uint64_t values[] = { 0,
                                       1,
                                       127,
                                       128,
                                       129,
                                       255,
                                       256,
                                       32767,
                                       32768,
                                       65535,
                                       65536,
                                       INT32_MAX,
                                       UINT64_C(0x80000000),
                                       UINT32_MAX,
                                       INT64_MAX,
                                       UINT64_C(1) << 63,
                                       UINT64_MAX - 1,
                                       UINT64_MAX };
    for (uint8_t kind = TW_U8; kind <= TW_I64; kind++) {
        const tw_field field = { .name = "X", .kind = kind };
        rig *r = rig_new(&probe_stage, "");
        rig_unwatch(r); /* each feed begins at 0 again */
        rig_open(r);
        uint32_t type = publish(r, "A", "A", &field, 1);
        for (size_t c = 0; c < sizeof constants / sizeof *constants * 6; c++) {
            const tw_event *left;
            uint32_t n[2];
            uint64_t kept[2] = { 0 };
            for (int way = 0; way < 2; way++) {
                text source = { 0 };
                text_format(&source, "X%s %s %s", way ? " + 0" : "", compares[c % 6], constants[c / 6]);
                now.x = expr_new(text_of(&source), &now.why);
                for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) rig_event(r, type, i, &values[i], 8);
                ck_assert_int_eq(rig_feed(r), TW_OK);
                n[way] = rig_left(r, &left);
                for (uint32_t i = 0; i < n[way]; i++) kept[way] |= 1ull << left[i].time;
                ck_assert_msg(way == 0 || kept[0] == kept[1], "kind %d, %s", kind, text_of(&source));
                expr_free(now.x);
                text_free(&source);
            }
        }
        rig_free(r);
    }
}
END_TEST

START_TEST(long_words_are_quoted_in_part)
{
    text source = { 0 };

    text_put(
        &source,
        "pid == 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\x9F and more'"); /* 39 bytes, then two of one letter */
    text_clear(&now.why);
    ck_assert_ptr_null(expr_new(text_of(&source), &now.why));
    ck_assert_str_eq(text_of(&now.why), "column 8: pid is a number; 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa is text");

    text_clear(&source);
    text_put(&source, "pid == '");
    for (int i = 0; i < 100; i++) text_put(&source, "\xBF"); /* no characters at all */
    text_put(&source, "'");
    text_clear(&now.why);
    ck_assert_ptr_null(expr_new(text_of(&source), &now.why));
    ck_assert_int_eq(strncmp(text_of(&now.why), "column 8: pid is a number; '\xBF\xBF", 30), 0);
    text_free(&source);
}
END_TEST

START_TEST(sizes_are_bounded)
{
    text source = { 0 };

    text_clear(&now.why);
    for (int i = 0; i < 65; i++) text_put(&source, "(");
    ck_assert_ptr_null(expr_new(text_of(&source), &now.why));
    ck_assert_str_eq(text_of(&now.why), "column 66: more than 64 levels deep; divide it into several stages");

    text_clear(&source);
    text_clear(&now.why);
    text_put(&source, "pid == 1");
    for (int i = 0; i < 64; i++) text_put(&source, "+1");
    ck_assert_ptr_null(expr_new(text_of(&source), &now.why));
    ck_assert_str_eq(text_of(&now.why), "column 8: more than 64 levels deep; divide it into several stages");

    text_clear(&source);
    text_clear(&now.why);
    text_put(&source, "pid == 1");
    while (source.n <= 16384) text_put(&source, " or pid == 1");
    ck_assert_ptr_null(expr_new(text_of(&source), &now.why));
    ck_assert_str_eq(text_of(&now.why), "the expression is longer than 16384 bytes; divide it into several stages");

    source.at[16376] = 0; /* ends with "pid == 1" again */
    text_clear(&now.why);
    expr *x = expr_new(text_of(&source), &now.why);
    ck_assert_msg(x != NULL, "%s", text_of(&now.why));
    expr_free(x);
    text_free(&source);
}
END_TEST

/* What a pattern gives up on does not match, is counted, and cannot hold up the rest. */
START_TEST(patterns_are_bounded)
{
    static const tw_field field[] = { { .name = "X", .kind = TW_TEXT, .bytes_by = TW_REST } };
    enum { MOST = 64 << 10 };
    static char a[MOST + 1];
    rig *r = rig_new(&probe_stage, "");
    const tw_event *left;

    memset(a, 'a', sizeof a);
    rig_open(r);
    uint32_t type = publish(r, "A", "A", field, 1);

    now.x = expr_new("X matches '^(a|aa)+[bc]'", &now.why); /* twice as long for each letter more */
    rig_event(r, type, 1, a, 26);                           /* some 300000 ways, each a step */
    rig_event(r, type, 2, "aaab", 4);
    rig_event(r, type, 3, a, 16); /* some 2000 */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_left(r, &left), 1);
    ck_assert_int_eq(left[0].time, 2);
    ck_assert_uint_eq(expr_given_up(now.x), 1);
    expr_free(now.x);

    now.x = expr_new("not (X matches '^a')", &now.why);
    rig_event(r, type, 4, a, MOST);
    rig_event(r, type, 5, a, MOST + 1); /* not looked into */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_left(r, &left), 1);
    ck_assert_int_eq(left[0].time, 5);
    ck_assert_uint_eq(expr_given_up(now.x), 1);
    expr_free(now.x);
    rig_free(r);
}
END_TEST

/* Whatever the bytes are; by what the program was built with and by what interprets where that is not allowed. */
START_TEST(patterns_take_any_bytes)
{
    static const struct {
        const char *pattern, *bytes;
        uint32_t n;
        int matches;
    } cases[] = {
        { "^a.c$",
          "a\xC3\xA9"
          "c",
          4, 1 },
        { "^a.c$",
          "a\xC3\xC3"
          "c",
          4, 0 },
        { "c$",
          "\xFF\xFE\xED\xA0\x80"
          "c",
          6, 1 },
        { "^$", NULL, 0, 1 },
        { "a.b", "a\0b", 3, 1 },
        { "\\xFF", "\xFF", 1, 0 },
    };
    text why = { 0 };
    size_t at;

    for (int interpreted = 0; interpreted < 2; interpreted++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            text source = { 0 };
            text_put(&source, interpreted ? "(*NO_JIT)" : "");
            text_put(&source, cases[i].pattern);
            pattern *p = pattern_new(text_of(&source), source.n, &at, &why);
            const tw_text t = { cases[i].bytes, cases[i].n, 0 };
            ck_assert_msg((p && pattern_match(p, &t)) == cases[i].matches, "%s", text_of(&source));
            pattern_free(p);
            text_free(&source);
        }
    }
    text_free(&why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr");
    TCase *all = tcase_create("all");

    tcase_add_test(all, cases);
    tcase_add_test(all, batches_keep_their_order);
    tcase_add_test(all, types_decide_what_they_can);
    tcase_add_test(all, remarks_are_of_the_whole_trace);
    tcase_add_test(all, values_around_an_event);
    tcase_add_test(all, both_ways_of_comparing_agree);
    tcase_add_test(all, long_words_are_quoted_in_part);
    tcase_add_test(all, sizes_are_bounded);
    tcase_add_test(all, patterns_are_bounded);
    tcase_add_test(all, patterns_take_any_bytes);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
