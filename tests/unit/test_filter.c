/* test_filter.c - the stage `filter`: which events a Lua function keeps, and which values it is given. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "instance.h"
#include "script.h"
#include "stock.h"
#include "tw_test.h"

/* A source for the pipeline files; the rig has its own. */
typedef struct nothing {
    tw_self tw;
} nothing;

static int none(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static const tw_stage none_stage = {
    .size = sizeof(tw_stage), .name = "none", .state = sizeof(nothing), .read = none
};
static const tw_stage *const stages[] = { &none_stage, NULL };
static const tw_plugin toy = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "toy", "1.0", "MIT", stages };
const tw_plugin *const builtin_plugins[] = { &toy, NULL };

static plugins *all;
static script *s;
static rig *r;
static text why;
static char said[512]; /* the last log line */

static void hear(void *self, int severity, const char *format, ...)
{
    va_list args;

    (void)self;
    int n = snprintf(said, sizeof said, "%d ", severity);
    va_start(args, format);
    vsnprintf(said + n, sizeof said - (size_t)n, format, args);
    va_end(args);
}

/* Opens the first filter of a pipeline whose settings are `settings`, with words for args.n. */
static void open_filter(const char *settings, const char *word, int trusted)
{
    char source[2048];
    const pipeline *p;
    const plan *made;

    snprintf(source, sizeof source,
             "return pipeline 'd' { args = { {'n', number(5)} }, toy.none {},\nfilter { %s } }", settings);
    s = script_new(all, &(script_options){ .trusted = trusted }, &why);
    ck_assert_msg(s && script_load(s, "d.lua", source, &p, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_msg(script_plan(s, p, &word, word ? 1 : 0, &made, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_str_eq(made->stage[1].stage, "filter");
    ck_assert_str_eq(made->stage[1].set[0].name, "key");
    ck_assert_str_eq(made->stage[1].set[0].value[0], "1");
    r = rig_new(&filter_stage, "key=1");
    instance *i = ((tw_self *)rig_state(r))->instance;
    ((bus_options *)i->bus->options)->script = s; /* the rig's own, so not really constant */
    rig_host(r)->log = hear;
    ck_assert_int_eq(rig_open(r), TW_OK);
}

static void setup(void)
{
    all = plugins_new(NULL, 0);
    said[0] = 0;
}

static void teardown(void)
{
    if (r) rig_free(r);
    script_free(s);
    plugins_free(all);
    r = NULL;
    s = NULL;
    text_free(&why);
}

/* The times of what is left, as text: "10 30". */
static const char *left(void)
{
    static char out[512];
    const tw_event *e;
    uint32_t n = rig_left(r, &e);
    int at = 0;

    out[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        at += snprintf(out + at, sizeof out - (size_t)at, "%s%d", i ? " " : "", (int)e[i].time);
    return out;
}

static uint32_t publish(const char *provider, const char *name, const tw_field *field, uint32_t n)
{
    tw_type t = { .size = sizeof t,
                  .provider = provider,
                  .name = name,
                  .field = field,
                  .nfields = n,
                  .origin = "test",
                  .pointer = 8 };
    uint32_t id = rig_publish(r, &t);

    ck_assert_uint_ne(id, 0);
    return id;
}

// clang-format off
static const tw_field read_fields[] = {  /* offsets 0 4 12 16 */
    { .name = "Size", .kind = TW_U32 }, { .name = "Irp", .kind = TW_POINTER }, { .name = "Disk", .kind = TW_I32 },
    { .name = "File", .kind = TW_TEXT16 }, { .name = "Tail", .kind = TW_U16 },
};
// clang-format on

/* Size 0x01020304, Irp 0x100000001, Disk -2, File "ab", Tail 0x0807 */
static const uint8_t payload[] = { 4,    3,    2,    1,    1,    0, 0,   0, 1, 0, 0, 0,
                                   0xFE, 0xFF, 0xFF, 0xFF, 0x61, 0, 'b', 0, 0, 0, 7, 8 };

START_TEST(test_header)
{
    open_filter("on = 'P/*', need = { 'pid', 'cpu', 'tid' }, keep = function(pid, cpu, tid)\n"
                "return pid ~= 4 and cpu < 2 and tid > 10 end",
                NULL, 0);
    uint32_t yes = publish("P", "A", NULL, 0), no = publish("Q", "A", NULL, 0);
    static const struct {
        uint32_t pid, tid;
        uint16_t cpu;
    } headers[] = { { 3, 11, 1 }, { 4, 11, 1 }, { 3, 10, 1 }, { 3, 11, 2 }, { 0xFFFFFFFF, 0xFFFFFFFF, 0 } };
    for (int i = 0; i < 5; i++) {
        tw_event *e = rig_event(r, yes, i, "x", 1);
        e->pid = headers[i].pid;
        e->tid = headers[i].tid;
        e->cpu = headers[i].cpu;
        if (i == 1) rig_event(r, no, 1, "yz", 2)->pid = 4;
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "0 1 4");
    const tw_event *e;
    rig_left(r, &e);
    ck_assert_uint_eq(e[1].bytes, 2); /* events are moved whole */
    ck_assert_int_eq(memcmp(e[1].data, "yz", 2), 0);
    ck_assert_uint_eq(e[1].pid, 4);
    ck_assert_uint_eq(e[2].pid, 0xFFFFFFFF);
}
END_TEST

START_TEST(test_others_drop)
{
    open_filter("on = { 'P/B', 'Q' }, others = 'drop', keep = function(...) return select('#', ...) == 0 end", NULL,
                0);
    uint32_t a = publish("P", "A", NULL, 0), b = publish("P", "B", NULL, 0), q = publish("Q", "Z", NULL, 0);
    rig_event(r, a, 1, "", 0);
    rig_event(r, b, 2, "", 0);
    rig_event(r, q, 3, "", 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "2 3");
}
END_TEST

START_TEST(test_nothing_fits)
{
    open_filter("on = 'P/B', others = 'drop', keep = function() return true end", NULL, 0);
    rig_event(r, publish("P", "A", NULL, 0), 1, "", 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(said, "1 d.lua:2: no event fits 'P/B'");
}
END_TEST

/* What keep is given, said by an error. */
static const char *values_of(const char *needs, uint32_t bytes)
{
    static char settings[1024], out[1024];
    snprintf(settings, sizeof settings,
             "on = 'P/A', need = { %s }, keep = function(...)\n"
             "  local out = {} for i = 1, select('#', ...) do out[i] = tostring((select(i, ...))) end\n"
             "  error(table.concat(out, ' ')) end",
             needs);
    open_filter(settings, NULL, 0);
    uint32_t id = publish("P", "A", read_fields, 5);
    tw_event *e = rig_event(r, id, 1000, payload, bytes);
    e->pid = 7;
    e->tid = 0xFFFFFFFF;
    e->cpu = 3;
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 1);
    snprintf(out, sizeof out, "%s", rig_error(r));
    teardown();
    setup();
    return out;
}

START_TEST(test_values)
{
    ck_assert_str_eq(values_of("'Size', 'Irp', 'Disk', 'File', 'Tail'", sizeof payload),
                     "filter: d.lua:4: 16909060 4294967297 -2 ab 2055");
    ck_assert_str_eq(values_of("'pid', 'tid', 'cpu', 'bytes', 'time', 'type', 'source'", sizeof payload),
                     "filter: d.lua:4: 7 4294967295 3 24 0 1 0");
    ck_assert_str_eq(values_of("'provider', 'event', 'name', 'id', 'version', 'origin', 'nonsense'", sizeof payload),
                     "filter: d.lua:4: P A P/A 0 0 test nil");
    ck_assert_str_eq(values_of("'Size:hex', 'Irp:hex', 'Disk:hex', 'pid:hex', 'Tail:hex'", sizeof payload),
                     "filter: d.lua:4: 0x1020304 0x100000001 0xfffffffffffffffe 0x7 0x807");
    ck_assert_str_eq(values_of("'payload.Size', 'guid'", sizeof payload),
                     "filter: d.lua:4: 16909060 00000000-0000-0000-0000-000000000000");
}
END_TEST

/* A payload that ends early: what is not whole is nil. */
START_TEST(test_cut_short)
{
    ck_assert_str_eq(values_of("'Size', 'Irp', 'Disk', 'Tail'", 16), "filter: d.lua:4: 16909060 4294967297 -2 nil");
    ck_assert_str_eq(values_of("'Size', 'Irp', 'Disk', 'Tail'", 15), "filter: d.lua:4: 16909060 4294967297 nil nil");
    ck_assert_str_eq(values_of("'Size', 'Irp', 'Disk', 'Tail'", 11), "filter: d.lua:4: 16909060 nil nil nil");
    ck_assert_str_eq(values_of("'Size', 'Irp', 'Disk', 'Tail'", 3), "filter: d.lua:4: nil nil nil nil");
    ck_assert_str_eq(values_of("'Size:hex', 'Irp:hex'", 11), "filter: d.lua:4: 0x1020304 nil");
}
END_TEST

// clang-format off
static const tw_field kinds[] = { /* each at 8 times its place */
    { .name = "u8", .kind = TW_U8 }, { .name = "p1", .kind = TW_BYTES, .bytes_by = TW_FIXED, .bytes = 7 },
    { .name = "i8", .kind = TW_I8 }, { .name = "p2", .kind = TW_BYTES, .bytes_by = TW_FIXED, .bytes = 7 },
    { .name = "u16", .kind = TW_U16 }, { .name = "p3", .kind = TW_BYTES, .bytes_by = TW_FIXED, .bytes = 6 },
    { .name = "i16", .kind = TW_I16 }, { .name = "p4", .kind = TW_BYTES, .bytes_by = TW_FIXED, .bytes = 6 },
    { .name = "u64", .kind = TW_U64 }, { .name = "i64", .kind = TW_I64 },
    { .name = "f32", .kind = TW_F32 }, { .name = "p5", .kind = TW_BYTES, .bytes_by = TW_FIXED, .bytes = 4 },
    { .name = "f64", .kind = TW_F64 }, { .name = "bool", .kind = TW_BOOL32 },
    { .name = "span", .kind = TW_SPAN }, { .name = "when", .kind = TW_TIME },
    { .name = "port", .kind = TW_U16, .show = TW_SHOW_PORT },
};
// clang-format on

static uint8_t wide[8 * 11 + 6];

static void put64(size_t at, uint64_t v)
{
    for (int i = 0; i < 8; i++) wide[at + (size_t)i] = (uint8_t)(v >> (8 * i));
}

static void fill_wide(uint64_t u64, uint64_t i64)
{
    put64(0, 0xFF);
    put64(8, 0x80);
    put64(16, 0xFFFF);
    put64(24, 0x8000);
    put64(32, u64);
    put64(40, i64);
    put64(48, 0x3FC00000);         /* 1.5f */
    put64(56, 0xBFD0000000000000); /* -0.25 */
    put64(64, 1);                  /* bool: 4 bytes */
    put64(68, (uint64_t)-5);       /* span */
    put64(76, 1500);               /* when */
    wide[84] = 0x1F;               /* port 8080, big-endian */
    wide[85] = 0x90;
}

/* Gives each kind to a function that keeps the event where all are as they should be. */
START_TEST(test_kinds)
{
    open_filter("on = 'P/*', need = { 'u8', 'i8', 'u16', 'i16', 'f32', 'f64', 'bool', 'span', 'when', 'port' },\n"
                "keep = function(u8, i8, u16, i16, f32, f64, bool, span, when, port)\n"
                "return u8 == 255 and i8 == -128 and u16 == 65535 and i16 == -32768 and f32 == 1.5 and f64 == -0.25\n"
                "and bool == true and span == -5 and when == 500 and port == 8080 end",
                NULL, 0);
    uint32_t id = publish("P", "K", kinds, sizeof kinds / sizeof *kinds);
    fill_wide(0, 0);
    rig_event(r, id, 1000, wide, sizeof wide);
    for (int i = 0; i < 10; i++) {
        static const uint8_t place[] = { 0, 8, 16, 24, 51, 63, 64, 68, 76, 84 };
        fill_wide(0, 0);
        wide[place[i]] ^= 1;
        rig_event(r, id, 2000 + i, wide, sizeof wide);
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "1000");
}
END_TEST

/* 64-bit integers are given where a number holds them exactly; else the run ends and says what to ask for. */
START_TEST(test_wide_numbers)
{
    static const struct {
        uint64_t u64, i64;
        const char *sentence;
    } cases[] = {
        { (1ull << 53) - 1, (uint64_t)-1, "filter: d.lua:3: 9007199254740991 -1" },
        { 1ull << 53, (uint64_t) - (1ll << 53), "filter: d.lua:3: 9007199254740992 -9007199254740992" },
        { 1ull << 32, 1ull << 53, "filter: d.lua:3: 4294967296 9007199254740992" },
        { (1ull << 53) + 1, 0,
          "filter: d.lua:2: 'u64' of P/K is 0x20000000000001, too large for an exact number; need it as \"u64:hex\", "
          "a text" },
        { 0xFFFF800000000000, 0,
          "filter: d.lua:2: 'u64' of P/K is 0xffff800000000000, too large for an exact number; need it as "
          "\"u64:hex\", a text" },
        { 0, (uint64_t) - (1ll << 53) - 1,
          "filter: d.lua:2: 'i64' of P/K is -9007199254740993, too large for an exact number; need it as "
          "\"i64:hex\", a text" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_filter("on = 'P/K', need = { 'u64', 'i64' }, keep = function(u64, i64)\n"
                    "error(('%.0f %.0f'):format(u64, i64)) end",
                    NULL, 0);
        uint32_t id = publish("P", "K", kinds, sizeof kinds / sizeof *kinds);
        fill_wide(cases[i].u64, cases[i].i64);
        rig_event(r, id, 1000, wide, sizeof wide);
        ck_assert_int_eq(rig_feed(r), TW_ERROR);
        ck_assert_str_eq(rig_error(r), cases[i].sentence);
        teardown();
        setup();
    }
}
END_TEST

START_TEST(test_time_counts_from_the_start)
{
    const tw_clock clock = { .ticks = 0, .time = 0, .hz = 10000000, .begin = 1000000000000000000, .end = 0 };

    open_filter("on = '*', need = { 'time' }, keep = function(time) return time >= 5 * ms and time < 1 * h end", NULL,
                0);
    rig_set_clock(r, &clock);
    uint32_t id = publish("P", "A", NULL, 0);
    for (int i = 0; i < 4; i++)
        rig_event(r, id, clock.begin + i * 2499999 + (i == 3 ? 3600000000000 : 0), "", 0)->record = payload;
    rig_event(r, id, clock.begin + 5000000, "", 0)->record = payload;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    const tw_event *e;
    ck_assert_uint_eq(rig_left(r, &e), 1);
    ck_assert_int_eq(e[0].time, clock.begin + 5000000);
}
END_TEST

/* Many batches, so that the loop is compiled; types that appear on the way; more layouts than are written out. */
START_TEST(test_many_types)
{
    enum { TYPES = 40, BATCHES = 60, EACH = 50 };
    uint32_t id[TYPES], expected = 0, kept = 0;
    tw_field field[TYPES + 1];
    char names[TYPES + 1][8];

    open_filter("on = { 'P/*' }, need = { 'X', 'pid' }, keep = function(x, pid) return x == pid end", NULL, 0);
    for (int i = 0; i <= TYPES; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        field[i] = (tw_field){ .name = names[i], .kind = TW_U8 };
    }
    uint8_t bytes[TYPES + 1];
    for (uint32_t i = 0; i <= TYPES; i++) bytes[i] = (uint8_t)i;
    for (uint32_t b = 0; b < BATCHES; b++) {
        if (b < TYPES) { /* type b has X at offset b, where the payload has b */
            field[b].name = "X";
            id[b] = publish(b % 2 ? "P" : "Q", names[b], field, TYPES + 1);
            field[b].name = names[b];
        }
        uint32_t n = b < TYPES ? b + 1 : TYPES;
        for (uint32_t i = 0; i < EACH; i++) {
            uint32_t which = (b * 7 + i) % n, pid = i % 3 ? which : which + 1;
            rig_event(r, id[which], b * 1000 + i, bytes, sizeof bytes)->pid = pid;
            expected += which % 2 == 0 || pid == which;
        }
        ck_assert_int_eq(rig_feed(r), TW_OK);
        const tw_event *e;
        uint32_t m = rig_left(r, &e);
        kept += m;
        for (uint32_t i = 0; i < m; i++) {
            uint32_t which = 0;
            while (id[which] != e[i].type) which++;
            ck_assert(which % 2 == 0 || e[i].pid == which);
            ck_assert(i == 0 || e[i].time > e[i - 1].time);
        }
    }
    ck_assert_uint_eq(kept, expected);
}
END_TEST

START_TEST(test_arguments_in_keep)
{
    open_filter("on = '*', need = { 'pid' }, keep = function(pid) return pid > args.n end", "7", 0);
    uint32_t id = publish("P", "A", NULL, 0);
    for (uint32_t i = 5; i < 10; i++) rig_event(r, id, (int64_t)i, "", 0)->pid = i;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "8 9");
}
END_TEST

START_TEST(test_errors)
{
    static const struct {
        const char *keep, *sentence;
    } cases[] = {
        { "return pid < nil", "filter: d.lua:3: attempt to compare number with nil" },
        { "error('my words')", "filter: d.lua:3: my words" },
        { "error({})", "filter: d.lua:3: an error was raised with a table" },
        { "x = pid", "filter: d.lua:3: global 'x' cannot be assigned after the file was read; make it local" },
        { "return io",
          "filter: d.lua:3: 'io' is blocked in a file that is not trusted: files are read and written by stages" },
        { "return args.m", "filter: d.lua:3: no argument 'm'; there are n" },
    };
    char settings[512];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(settings, sizeof settings, "on = '*', need = { 'pid' }, keep = function(pid)\n%s end",
                 cases[i].keep);
        open_filter(settings, NULL, 0);
        rig_event(r, publish("P", "A", NULL, 0), 1, "", 0);
        ck_assert_int_eq(rig_feed(r), TW_ERROR);
        ck_assert_int_eq(rig_status(r), 1);
        ck_assert_str_eq(rig_error(r), cases[i].sentence);
        teardown();
        setup();
    }
}
END_TEST

/* Events whose function failed are left out; the events around them are as they should be. */
START_TEST(test_errors_are_counted)
{
    open_filter("on = 'P/*', need = { 'Size' }, errors = 'count', keep = function(size)\n"
                "if size % 3 == 1 then error('no ' .. size) end return size ~= 6 end",
                NULL, 0);
    uint32_t id = publish("P", "A", read_fields, 1), other = publish("Q", "A", NULL, 0);
    for (uint32_t i = 0; i < 12; i++) {
        uint8_t size[4] = { (uint8_t)i };
        rig_event(r, i == 9 ? other : id, (int64_t)i, size, 4);
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "0 2 3 5 8 9 11");
    ck_assert_uint_eq(rig_count(r, "script_errors"), 4); /* 1 4 7 10 */
    ck_assert_str_eq(said, "2 d.lua:3: no 1; more errors are only counted");
    said[0] = 0;
    uint8_t one[4] = { 1 };
    rig_event(r, id, 20, one, 4);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "");
    ck_assert_uint_eq(rig_count(r, "script_errors"), 5);
    ck_assert_str_eq(said, "");
}
END_TEST

/* A limit is no error to be counted. */
START_TEST(test_limits_are_not_counted)
{
    open_filter("errors = 'count', keep = function() local t = {} for i = 1, 1e9 do t[i] = { i } end end", NULL, 0);
    rig_event(r, publish("P", "A", NULL, 0), 1, "", 0);
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r),
                     "filter: d.lua:2: holds more than 256 MiB: stopped (--script-memory sets the limit)");
    ck_assert_uint_eq(rig_count(r, "script_errors"), 0);
}
END_TEST

/* Which line Lua names where its stack is full is its own affair. */
START_TEST(test_full_stack)
{
    open_filter("on = '*', keep = function() local function f() return 1 + f() end return f() end", NULL, 0);
    rig_event(r, publish("P", "A", NULL, 0), 1, "", 0);
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert(strncmp(rig_error(r), "filter: d.lua:2: ", 17) == 0 && strstr(rig_error(r), "stack overflow"));
}
END_TEST

START_TEST(test_misspelt_names)
{
    open_filter("on = 'P/A', need = { 'pid', 'Sixe' }, keep = function(pid, size) return size == nil end", NULL, 0);
    rig_event(r, publish("P", "A", read_fields, 5), 1, payload, sizeof payload);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(left(), "1");
    ck_assert_str_eq(said, "");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(said, "2 d.lua:2: no event that fits has a 'Sixe'; did you mean 'Size'?");
}
END_TEST

START_TEST(test_only_from_files)
{
    r = rig_new(&filter_stage, "key=1");
    ck_assert_int_eq(rig_open(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "filter: there is no Lua here, and a filter is a Lua function");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("filter");
    TCase *tests = tcase_create("filter");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, test_header);
    tcase_add_test(tests, test_others_drop);
    tcase_add_test(tests, test_nothing_fits);
    tcase_add_test(tests, test_values);
    tcase_add_test(tests, test_cut_short);
    tcase_add_test(tests, test_kinds);
    tcase_add_test(tests, test_wide_numbers);
    tcase_add_test(tests, test_time_counts_from_the_start);
    tcase_add_test(tests, test_many_types);
    tcase_add_test(tests, test_arguments_in_keep);
    tcase_add_test(tests, test_errors);
    tcase_add_test(tests, test_errors_are_counted);
    tcase_add_test(tests, test_limits_are_not_counted);
    tcase_add_test(tests, test_full_stack);
    tcase_add_test(tests, test_misspelt_names);
    tcase_add_test(tests, test_only_from_files);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
