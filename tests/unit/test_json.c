/* test_json.c - json.write: cells, strings of any bytes, lines, and the shapes of a document. */
#include "fake_host.h"

#include <math.h>

extern const tw_stage json_write;

static const tw_field pair_columns[] = { { .name = "pid", .kind = TW_U32 },
                                         { .name = "name", .kind = TW_TEXT, .flags = TW_NULLABLE } };
static const tw_table pairs = { .size = sizeof(tw_table), .ncols = 2, .name = "pairs", .col = pair_columns };
static const tw_field total_columns[] = { { .name = "events", .kind = TW_U64 }, { .name = "bytes", .kind = TW_U64 } };
static const tw_table totals = { .size = sizeof(tw_table), .ncols = 2, .name = "totals", .col = total_columns };

static fake *begun(fake *f)
{
    ck_assert_int_eq(fake_begin(f), TW_OK);
    return f;
}

static int give_pair(fake *f, uint32_t pid, const char *name)
{
    tw_text text = fake_text(name ? name : "");
    uint8_t null = !name;
    return fake_rows_null(f, &pairs, 1, (void *[]){ &pid, &text }, (uint8_t *[]){ NULL, &null });
}

static void give_total(fake *f, uint64_t events, uint64_t bytes)
{
    ck_assert_int_eq(FAKE_ROWS(f, &totals, 1, &events, &bytes), TW_OK);
}

START_TEST(kinds)
{
    static const tw_name name[] = { { 1, "one \"1\"" } };
    static const tw_names names = { .size = sizeof(tw_names), .n = 1, .name = name };
    // clang-format off
    static const tw_field columns[] = {
        { .name = "bool", .kind = TW_BOOL }, { .name = "u64", .kind = TW_U64 }, { .name = "i64", .kind = TW_I64 },
        { .name = "f64", .kind = TW_F64 }, { .name = "span", .kind = TW_SPAN }, { .name = "time", .kind = TW_TIME },
        { .name = "guid", .kind = TW_GUID }, { .name = "address", .kind = TW_U64, .show = TW_SHOW_ADDRESS },
        { .name = "hex", .kind = TW_U32, .show = TW_SHOW_HEX }, { .name = "named", .kind = TW_U8, .names = &names },
        { .name = "text", .kind = TW_TEXT }, { .name = "tid", .kind = TW_U32, .show = TW_SHOW_TID },
    };
    // clang-format on
    static const tw_table all = { .size = sizeof(tw_table), .ncols = 12, .name = "all", .col = columns };
    uint8_t boolean[] = { 1, 0 }, named[] = { 1, 1 }, guid[32] = { 1, 0, 0, 0 };
    uint64_t u64[] = { UINT64_MAX, 9007199254740993u }, address[] = { 0xfffff80312345678u, 0 };
    int64_t i64[] = { INT64_MIN, -1 }, span[] = { 1500000, -1 }, time[] = { 1796026500123456789, 0 };
    double f64[] = { 0.1, -1e300 };
    uint32_t hex[] = { 0x1f, 0 }, tid[] = { 8, 12 };
    tw_text text[] = { fake_text("plain"), fake_text("") };

    fake *f = begun(FAKE(&json_write, ));
    ck_assert_int_eq(fake_table(f, &all), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &all, 2, boolean, u64, i64, f64, span, time, guid, address, hex, named, text, tid),
                     TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(
        fake_written(f, "-"),
        "{\"bool\":true,\"u64\":18446744073709551615,\"i64\":-9223372036854775808,\"f64\":0.1,\"span\":1500000,"
        "\"time\":\"2026-11-30T08:15:00.123456789Z\",\"guid\":\"00000001-0000-0000-0000-000000000000\","
        "\"address\":\"0xfffff80312345678\",\"hex\":\"0x1f\",\"named\":\"one "
        "\\\"1\\\"\",\"text\":\"plain\",\"tid\":8}\n"
        "{\"bool\":false,\"u64\":9007199254740993,\"i64\":-1,\"f64\":-1e+300,\"span\":-1,"
        "\"time\":\"1970-01-01T00:00:00.000000000Z\",\"guid\":\"00000000-0000-0000-0000-000000000000\","
        "\"address\":\"0x0\",\"hex\":\"0x0\",\"named\":\"one \\\"1\\\"\",\"text\":\"\",\"tid\":12}\n");
    fake_free(f);
}
END_TEST

START_TEST(no_numbers_become_null)
{
    static const tw_field columns[] = { { .name = "f32", .kind = TW_F32 }, { .name = "f64", .kind = TW_F64 } };
    static const tw_table floats = { .size = sizeof(tw_table), .ncols = 2, .name = "floats", .col = columns };
    float f32[] = { (float)NAN, INFINITY };
    double f64[] = { -INFINITY, 1 };

    fake *f = begun(FAKE(&json_write, ));
    ck_assert_int_eq(fake_table(f, &floats), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &floats, 2, f32, f64), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\"f32\":null,\"f64\":null}\n{\"f32\":null,\"f64\":1}\n");
    fake_free(f);
}
END_TEST

/* What RFC 8259 demands and RFC 3629 forbids. Each case's bytes, and the JSON string they become. */
START_TEST(strings)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *json;
    } cases[] = {
        { "a\"b\\c/d", 7, "a\\\"b\\\\c/d" },
        { "\b\f\n\r\t", 5, "\\b\\f\\n\\r\\t" },
        { "\0\x01\x1f\x7f", 4, "\\u0000\\u0001\\u001f\x7f" },
        { "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 9, "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80" },
        { "\xF4\x8F\xBF\xBF\xEF\xBF\xBF", 7, "\xF4\x8F\xBF\xBF\xEF\xBF\xBF" },         /* U+10FFFF, U+FFFF */
        { "a\x80z", 3, "a\xEF\xBF\xBDz" },                                             /* bare continuation */
        { "\xC0\xAF", 2, "\xEF\xBF\xBD\xEF\xBF\xBD" },                                 /* overlong / */
        { "\xE0\x80\xAF", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },                 /* overlong / */
        { "\xED\xA0\x80", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },                 /* surrogate */
        { "\xF4\x90\x80\x80", 4, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" }, /* beyond U+10FFFF */
        { "\xFF\xFE", 2, "\xEF\xBF\xBD\xEF\xBF\xBD" },
        { "\xE2\x82", 2, "\xEF\xBF\xBD\xEF\xBF\xBD" },       /* cut off */
        { "\xE2\x82\xAC", 2, "\xEF\xBF\xBD\xEF\xBF\xBD" },   /* cut off by the end */
        { "\xE2\x82\"", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\\\"" }, /* cut off by a quote */
    };
    static const tw_field columns[] = { { .name = "a\"\n", .kind = TW_TEXT } };
    static const tw_table texts = { .size = sizeof(tw_table), .ncols = 1, .name = "texts", .col = columns };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tw_text cell = { .at = cases[i].bytes, .bytes = (uint32_t)cases[i].n };
        text expected = { 0 };
        fake *f = begun(FAKE(&json_write, ));
        ck_assert_int_eq(fake_table(f, &texts), TW_OK);
        ck_assert_int_eq(FAKE_ROWS(f, &texts, 1, &cell), TW_OK);
        ck_assert_int_eq(fake_end(f), TW_OK);
        text_format(&expected, "{\"a\\\"\\n\":\"%s\"}\n", cases[i].json);
        ck_assert_str_eq(fake_written(f, "-"), text_of(&expected));
        text_free(&expected);
        fake_free(f);
    }
}
END_TEST

START_TEST(lists_and_nulls)
{
    static const tw_field columns[] = { { .name = "ports", .kind = TW_U16, .flags = TW_LIST | TW_NULLABLE },
                                        { .name = "names", .kind = TW_TEXT, .flags = TW_LIST } };
    static const tw_table lists = { .size = sizeof(tw_table), .ncols = 2, .name = "lists", .col = columns };
    uint16_t port[] = { 80, 443 };
    tw_text name[] = { fake_text("a"), fake_text("\"") };
    tw_list ports[] = { { .at = port, .n = 2 }, { .n = 0 }, { .n = 0 } };
    tw_list names[] = { { .at = name, .n = 2 }, { .n = 0 }, { .at = name, .n = 1 } };
    uint8_t null[] = { 0, 1, 0 };

    fake *f = begun(FAKE(&json_write, ));
    ck_assert_int_eq(fake_table(f, &lists), TW_OK);
    ck_assert_int_eq(fake_rows_null(f, &lists, 3, (void *[]){ ports, names }, (uint8_t *[]){ null, NULL }), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\"ports\":[80,443],\"names\":[\"a\",\"\\\"\"]}\n"
                                           "{\"ports\":null,\"names\":[]}\n"
                                           "{\"ports\":[],\"names\":[\"a\"]}\n");
    fake_free(f);
}
END_TEST

START_TEST(lines_of_several_tables)
{
    fake *f = begun(FAKE(&json_write, "table", "true", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(give_pair(f, 4, "System"), TW_OK);
    give_total(f, 2, 96);
    ck_assert_int_eq(give_pair(f, 5, NULL), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\"table\":\"pairs\",\"pid\":4,\"name\":\"System\"}\n"
                                           "{\"table\":\"totals\",\"events\":2,\"bytes\":96}\n"
                                           "{\"table\":\"pairs\",\"pid\":5,\"name\":null}\n");
    fake_free(f);
}
END_TEST

START_TEST(document)
{
    fake *f = begun(FAKE(&json_write, "document", "true", "put", "headers=header,totals=.,none=none[],no=no", ));
    static const tw_table headers = { .size = sizeof(tw_table), .ncols = 2, .name = "headers", .col = total_columns };
    static const tw_table none = { .size = sizeof(tw_table), .ncols = 2, .name = "none", .col = total_columns };
    static const tw_table no = { .size = sizeof(tw_table), .ncols = 2, .name = "no", .col = total_columns };
    uint64_t value[] = { 1, 2 };

    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(give_pair(f, 4, "System"), TW_OK);
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    give_total(f, 2, 96);
    ck_assert_int_eq(fake_table(f, &headers), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &headers, 1, &value[0], &value[1]), TW_OK);
    ck_assert_int_eq(give_pair(f, 5, NULL), TW_OK);
    ck_assert_int_eq(fake_table(f, &none), TW_OK);
    ck_assert_int_eq(fake_table(f, &no), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\n"
                                           "  \"header\": {\n"
                                           "    \"events\": 1,\n"
                                           "    \"bytes\": 2\n"
                                           "  },\n"
                                           "  \"events\": 2,\n"
                                           "  \"bytes\": 96,\n"
                                           "  \"none\": [],\n"
                                           "  \"no\": {},\n"
                                           "  \"pairs\": [\n"
                                           "    {\"pid\": 4, \"name\": \"System\"},\n"
                                           "    {\"pid\": 5, \"name\": null}\n"
                                           "  ]\n"
                                           "}\n");
    fake_free(f);
}
END_TEST

START_TEST(document_shapes)
{
    /* A list of one stays a list, an object of two becomes one. */
    fake *f = begun(FAKE(&json_write, "document", "true", "indent", "0", "put", "pairs=p,totals=t[]", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(give_pair(f, 4, "a"), TW_OK);
    ck_assert_int_eq(give_pair(f, 5, "b"), TW_OK);
    give_total(f, 1, 2);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(
        fake_written(f, "-"),
        "{\"p\":[{\"pid\":4,\"name\":\"a\"},{\"pid\":5,\"name\":\"b\"}],\"t\":[{\"events\":1,\"bytes\":2}]}\n");
    fake_free(f);

    f = begun(FAKE(&json_write, "document", "true", ));
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{}\n");
    fake_free(f);

    /* The row that should spread never came; a table that was announced but has no rows. */
    f = begun(FAKE(&json_write, "document", "true", "put", "totals=.", ));
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\n  \"pairs\": []\n}\n");
    fake_free(f);
}
END_TEST

START_TEST(marks_in_data_are_escaped)
{
    fake *f = begun(FAKE(&json_write, "document", "true", "indent", "0", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(give_pair(f, 1, "\x01\x02"), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\"pairs\":[{\"pid\":1,\"name\":\"\\u0001\\u0002\"}]}\n");
    fake_free(f);
}
END_TEST

START_TEST(spread_is_for_one_row)
{
    uint64_t two[] = { 1, 2 };
    fake *f = begun(FAKE(&json_write, "document", "true", "put", "totals=.", ));
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &totals, 2, two, two), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    ck_assert_ptr_nonnull(strstr(text_of(&f->said), "\"totals=totals[]\""));
    fake_free(f);
}
END_TEST

START_TEST(places_are_of_tables)
{
    fake *f = begun(FAKE(&json_write, "document", "true", "put", "total=.", ));
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    ck_assert_str_eq(text_of(&f->said), "no table is called \"total\"; there were: totals");
    fake_free(f);
}
END_TEST

/* An object with two members of one name would lose one in most readers. */
START_TEST(members_do_not_clash)
{
    static const tw_table events = { .size = sizeof(tw_table), .ncols = 2, .name = "events", .col = pair_columns };
    static const tw_field twins[] = { { .name = "a", .kind = TW_U32 }, { .name = "a", .kind = TW_U32 } };
    static const tw_table twice = { .size = sizeof(tw_table), .ncols = 2, .name = "twice", .col = twins };
    static const tw_field table_column[] = { { .name = "table", .kind = TW_TEXT } };
    static const tw_table files = { .size = sizeof(tw_table), .ncols = 1, .name = "files", .col = table_column };

    fake *f = begun(FAKE(&json_write, "document", "true", "put", "totals=.", ));
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(fake_table(f, &events), TW_ERROR);
    ck_assert_str_eq(text_of(&f->said),
                     "the document would have two members called \"events\"; place one with put = { "
                     "\"events=other_name\" }");
    fake_free(f);

    f = begun(FAKE(&json_write, "document", "true", "put", "totals=.", ));
    ck_assert_int_eq(fake_table(f, &events), TW_OK);
    ck_assert_int_eq(fake_table(f, &totals), TW_ERROR);
    fake_free(f);

    f = begun(FAKE(&json_write, ));
    ck_assert_int_eq(fake_table(f, &twice), TW_ERROR);
    fake_free(f);

    f = begun(FAKE(&json_write, "table", "true", ));
    ck_assert_int_eq(fake_table(f, &files), TW_ERROR);
    fake_free(f);
}
END_TEST

START_TEST(wrong_options)
{
    static const char *const wrong[][4] = {
        { "document", "true", "put", "x" },       { "document", "true", "put", "=x" },
        { "document", "true", "put", "x=" },      { "document", "true", "put", "a=x,b=x" },
        { "document", "true", "put", "a=x,a=y" }, { "document", "false", "put", "a=x" },
        { "document", "true", "indent", "-1" },   { "document", "true", "table", "true" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fake *f = FAKE(&json_write, wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3], );
        ck_assert_int_eq(fake_begin(f), TW_ERROR);
        ck_assert_int_eq(f->misused, 1);
        fake_free(f);
    }
}
END_TEST

START_TEST(of_picks_tables)
{
    fake *f = begun(FAKE(&json_write, "of", "totals", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(give_pair(f, 1, "a"), TW_OK);
    give_total(f, 1, 2);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\"events\":1,\"bytes\":2}\n");
    ck_assert_str_eq(text_of(&f->logged), "");
    fake_free(f);
}
END_TEST

/* Rows of the same columns from two makers belong together, wherever they stand in the stream. */
START_TEST(same_table_twice)
{
    tw_table twin = totals;
    fake *f = begun(FAKE(&json_write, "document", "true", "indent", "0", ));
    uint64_t value = 3;
    ck_assert_int_eq(fake_table(f, &totals), TW_OK);
    ck_assert_int_eq(fake_table(f, &twin), TW_OK);
    give_total(f, 1, 2);
    ck_assert_int_eq(FAKE_ROWS(f, &twin, 1, &value, &value), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "{\"totals\":[{\"events\":1,\"bytes\":2},{\"events\":3,\"bytes\":3}]}\n");
    fake_free(f);
}
END_TEST

START_TEST(closed_reader)
{
    fake *f = begun(FAKE(&json_write, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(give_pair(f, 1, "a"), TW_OK);
    f->write_status = TW_END;
    ck_assert_int_eq(f->stage->tick(f->state), TW_END);
    fake_free(f);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("json");
    tcase_add_test(t, kinds);
    tcase_add_test(t, no_numbers_become_null);
    tcase_add_test(t, strings);
    tcase_add_test(t, lists_and_nulls);
    tcase_add_test(t, lines_of_several_tables);
    tcase_add_test(t, document);
    tcase_add_test(t, document_shapes);
    tcase_add_test(t, marks_in_data_are_escaped);
    tcase_add_test(t, spread_is_for_one_row);
    tcase_add_test(t, places_are_of_tables);
    tcase_add_test(t, members_do_not_clash);
    tcase_add_test(t, wrong_options);
    tcase_add_test(t, of_picks_tables);
    tcase_add_test(t, same_table_twice);
    tcase_add_test(t, closed_reader);
    return fake_run_tests(t, "json.write");
}
