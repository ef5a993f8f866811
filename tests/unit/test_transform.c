/* test_transform.c - the stage `transform`: which rows a Lua function makes of events, and what it may not give. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "instance.h"
#include "script.h"
#include "stock.h"
#include "tw_test.h"

static int none(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static const tw_stage none_stage = {
    .size = sizeof(tw_stage), .name = "none", .state = sizeof(tw_self), .read = none
};
static const tw_stage *const stages[] = { &none_stage, NULL };
static const tw_plugin toy = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "toy", "1.0", "MIT", stages };
const tw_plugin *const builtin_plugins[] = { &toy, NULL };

static plugins *all;
static script *s;
static rig *r;
static text why, said;

static void hear(void *self, int severity, const char *format, ...)
{
    va_list args;

    (void)self;
    text_format(&said, "[%d ", severity);
    va_start(args, format);
    text_format_list(&said, format, args);
    va_end(args);
    text_put(&said, "]");
}

/* A file whose second line begins the settings of a transform; `before` stands on its first line. */
static void open_transform(const char *before, const char *settings, uint64_t memory)
{
    const script_options o = { .memory = memory };
    text source = { 0 };
    const pipeline *p;
    const plan *made;

    text_format(&source, "%s return pipeline 'd' { toy.none {},\ntransform { %s } }", before, settings);
    s = script_new(all, &o, &why);
    ck_assert_msg(s && script_load(s, "d.lua", text_of(&source), &p, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_msg(script_plan(s, p, NULL, 0, &made, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_str_eq(made->stage[1].stage, "transform");
    r = rig_new(&transform_stage, "key=1");
    instance *i = ((tw_self *)rig_state(r))->instance;
    ((bus_options *)i->bus->options)->script = s; /* the rig's own, so not really constant */
    rig_host(r)->log = hear;
    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    text_free(&source);
}

static void setup(void)
{
    all = plugins_new(NULL, 0);
}

static void teardown(void)
{
    if (r) rig_free(r);
    script_free(s);
    plugins_free(all);
    r = NULL;
    s = NULL;
    text_free(&why);
    text_free(&said);
}

static const tw_field fields[] = { { .name = "Size", .kind = TW_U32 }, { .name = "Irp", .kind = TW_POINTER } };

static uint32_t publish(const char *name)
{
    tw_type t = {
        .size = sizeof t, .provider = "P", .name = name, .field = fields, .nfields = 2, .origin = "test", .pointer = 8
    };
    return rig_publish(r, &t);
}

static tw_event *add(uint32_t type, int64_t time, uint32_t size, uint64_t irp)
{
    uint8_t payload[12];

    memcpy(payload, &size, 4);
    memcpy(payload + 4, &irp, 8);
    tw_event *e = rig_event(r, type, time, payload, sizeof payload);
    e->pid = size & 0xFF;
    return e;
}

static uint64_t number(uint32_t row, const char *column)
{
    const tw_value *v = rig_cell(r, "t", row, column);
    ck_assert_ptr_nonnull(v);
    return v->u;
}

START_TEST(test_numbers)
{
    open_transform("",
                   "on = 'P/A', need = { 'pid', 'Size' }, makes = table 't' { {'pid', 'u32'}, {'size', 'u64'}, "
                   "{'less', 'i64'} },\n"
                   "each = function(emit, pid, size) if size ~= 7 then emit(pid, size * 4294967296, -size) end end",
                   0);
    uint32_t a = publish("A"), b = publish("B");
    add(a, 1, 0xFF, 0);
    add(a, 2, 7, 0);
    add(b, 3, 8, 0);
    add(a, 4, 0x200000, 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    const tw_event *left;
    ck_assert_uint_eq(rig_left(r, &left), 4); /* events pass on */
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "t"), 2);
    ck_assert_uint_eq(number(0, "pid"), 0xFF);
    ck_assert_uint_eq(number(0, "size"), 0xFF00000000);
    ck_assert_int_eq((int64_t)number(0, "less"), -0xFF);
    ck_assert_uint_eq(number(1, "size"), 0x20000000000000); /* 2^53 */
    ck_assert_int_eq((int64_t)number(1, "less"), -0x200000);
}
END_TEST

/* Each kind: the extremes it takes, null, and how it is printed. */
START_TEST(test_kinds)
{
    open_transform(
        "",
        "need = { 'Irp:hex', 'time' }, makes = table 't' { {'a', 'u8'}, {'b', 'u16'}, {'c', 'i32'}, {'d', 'f64'},\n"
        "{'e', 'text'}, {'f', 'bool'}, {'g', 'time'}, {'h', 'span'}, {'i', 'hex'}, {'j', 'address'}, {'k', 'pid'} "
        "},\n"
        "each = function(emit, irp, time)\n"
        "emit(255, 65535, -2147483648, 0.25, 'a\\0ü', true, time + 5, -1500, irp, irp, 4294967295)\n"
        "emit(nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil)\n"
        "emit(0, 0, 2147483647, 1/0, '', false, time, 0, 5, '0x0', 4) end",
        0);
    add(publish("A"), 1000, 1, 0xFFFFF80211223344)->pid = 4;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "t"), 3);
    static const struct {
        const char *column, *first, *third;
    } cells[] = {
        { "a", "255", "0" },
        { "b", "65535", "0" },
        { "c", "-2147483648", "2147483647" },
        { "d", "0.25", "inf" },
        { "f", "true", "false" },
        { "g", "1970-01-01T00:00:00.000001005Z", "1970-01-01T00:00:00.000001000Z" },
        { "i", "0xfffff80211223344", "0x5" },
        { "j", "0xfffff80211223344", "0x0" },
        { "k", "4294967295", "4" },
        { "e", NULL, "" },
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (cells[i].first) ck_assert_str_eq(rig_text(r, "t", 0, cells[i].column), cells[i].first);
        ck_assert_ptr_null(rig_cell(r, "t", 1, cells[i].column));
        ck_assert_str_eq(rig_text(r, "t", 2, cells[i].column), cells[i].third);
    }
    const tw_value *e = rig_cell(r, "t", 0, "e");
    ck_assert_uint_eq(e->t.bytes, 4);
    ck_assert_mem_eq(e->t.at, "a\0\xC3\xBC", 4);
    ck_assert_int_eq((int64_t)number(0, "h"), -1500);
}
END_TEST

START_TEST(test_wrong_values)
{
    static const struct {
        const char *kind, *value, *sentence;
    } cases[] = {
        { "u32", "-1", "column 'x' is of the kind u32, which -1 is not" },
        { "u32", "4294967296", "column 'x' is of the kind u32, which 4294967296 is not" },
        { "u32", "1.5", "column 'x' is of the kind u32, which 1.5 is not" },
        { "u32", "0/0", "column 'x' is of the kind u32, which nan is not" },
        { "u32", "'5'", "column 'x' is of the kind u32, which '5' is not" },
        { "u32", "true", "column 'x' is of the kind u32, which true is not" },
        { "u32", "{}", "column 'x' is of the kind u32, which a table is not" },
        { "u8", "256", "column 'x' is of the kind u8, which 256 is not" },
        { "i32", "2147483648", "column 'x' is of the kind i32, which 2147483648 is not" },
        { "u64", "2^53 + 2", "column 'x' is of the kind u64, which 9007199254740994 is not" },
        { "u64", "'0x1g'", "column 'x' is of the kind u64, which '0x1g' is not" },
        { "u64", "'0x11111111111111111'", "column 'x' is of the kind u64, which '0x11111111111111111' is not" },
        { "i64", "'0x1'", "column 'x' is of the kind i64, which '0x1' is not" },
        { "f64", "'1'", "column 'x' is of the kind f64, which '1' is not" },
        { "text", "5", "column 'x' is of the kind text, which 5 is not" },
        { "bool", "0", "column 'x' is of the kind bool, which 0 is not" },
        { "pid", "-4", "column 'x' is of the kind pid, which -4 is not" },
        { "u32", "1, 2", "emit takes 1 value (x), not 2" },
        { "u32", "", "emit takes 1 value (x), not 0" },
    };
    char settings[256], sentence[256];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(settings, sizeof settings, "makes = table 't' { {'x', '%s'} }, each = function(emit)\nemit(%s)\nend",
                 cases[i].kind, cases[i].value);
        open_transform("", settings, 0);
        add(publish("A"), 1, 1, 0);
        ck_assert_int_eq(rig_feed(r), TW_ERROR);
        snprintf(sentence, sizeof sentence, "transform: d.lua:3: %s", cases[i].sentence);
        ck_assert_str_eq(rig_error(r), sentence);
        teardown();
        setup();
    }
}
END_TEST

/* Half a row of a failed event is not there, nor a null that it left; the others are. */
START_TEST(test_errors_are_counted)
{
    open_transform("",
                   "need = { 'Size' }, makes = table 't' { {'a', 'u32'}, {'b', 'u32'} }, errors = 'count',\n"
                   "each = function(emit, size)\n"
                   "if size % 3 == 1 then emit(nil, nil) emit(size) end\n"
                   "emit(size, size)\nend",
                   0);
    uint32_t a = publish("A");
    for (uint32_t i = 0; i < 10; i++) add(a, i, i, 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    const tw_event *left;
    ck_assert_uint_eq(rig_left(r, &left), 10);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "script_errors"), 3); /* 1 4 7 */
    ck_assert_uint_eq(rig_row_count(r, "t"), 7);
    static const uint32_t sizes[] = { 0, 2, 3, 5, 6, 8, 9 };
    for (uint32_t i = 0; i < 7; i++) {
        ck_assert_uint_eq(number(i, "a"), sizes[i]);
        ck_assert_uint_eq(number(i, "b"), sizes[i]);
    }
    ck_assert_str_eq(text_of(&said), "[2 d.lua:4: emit takes 2 values (a, b), not 1; more errors are only counted]");
}
END_TEST

/* More rows than there is room for at first, of one event and of many. */
START_TEST(test_many_rows)
{
    open_transform("",
                   "need = { 'Size' }, makes = table 't' { {'n', 'u32'}, {'w', 'text'} },\n"
                   "each = function(emit, size) for i = 1, size do emit(i, i % 2 == 0 and 'w' .. i or nil) end end",
                   0);
    uint32_t a = publish("A"), want = 0;
    static const uint32_t sizes[] = { 1000, 1024, 5000, 1, 0, 2048 };
    for (int k = 0; k < 6; k++) add(a, k, sizes[k], 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    for (int k = 0; k < 6; k++) {
        for (uint32_t i = 1; i <= sizes[k]; i++, want++) {
            char word[16];
            snprintf(word, sizeof word, "w%" PRIu32, i);
            if (i % 2) word[0] = 0;
            ck_assert_uint_eq(number(want, "n"), i);
            ck_assert_str_eq(rig_text(r, "t", want, "w"), word);
            ck_assert_int_eq(rig_cell(r, "t", want, "w") == NULL, i % 2);
        }
    }
    ck_assert_uint_eq(rig_row_count(r, "t"), want);
}
END_TEST

START_TEST(test_too_many_rows)
{
    open_transform("", "makes = table 't' { {'n', 'u8'} }, each = function(emit)\nfor i = 1, 1e9 do emit(1) end\nend",
                   0);
    add(publish("A"), 1, 1, 0);
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "transform: d.lua:3: one event gives more than 1048576 rows");
}
END_TEST

START_TEST(test_full_memory)
{
    open_transform("",
                   "makes = table 't' { {'n', 'u8'} }, each = function(emit)\n"
                   "local t = {} for i = 1, 1e9 do t[i] = { i } end end",
                   16 << 20);
    add(publish("A"), 1, 1, 0);
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r),
                     "transform: d.lua:2: holds more than 16 MiB: stopped (--script-memory sets the limit)");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transform");
    TCase *tests = tcase_create("transform");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, test_numbers);
    tcase_add_test(tests, test_kinds);
    tcase_add_test(tests, test_wrong_values);
    tcase_add_test(tests, test_errors_are_counted);
    tcase_add_test(tests, test_many_rows);
    tcase_add_test(tests, test_too_many_rows);
    tcase_add_test(tests, test_full_memory);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
