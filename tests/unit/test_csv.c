/* test_csv.c - csv.write: what each kind of cell becomes, quoting, one table a file, and what it refuses. */
#include "fake_host.h"

extern const tw_stage csv_write;

static const tw_field pair_columns[] = { { .name = "pid", .kind = TW_U32 },
                                         { .name = "name", .kind = TW_TEXT, .flags = TW_NULLABLE } };
static const tw_table pairs = { .size = sizeof(tw_table), .ncols = 2, .name = "pairs", .col = pair_columns };

static fake *begun(fake *f)
{
    ck_assert_int_eq(fake_begin(f), TW_OK);
    return f;
}

/* Rows of `pairs` with pids 1, 2, … and these names; NULL is a null. */
static void give_names(fake *f, uint32_t n, const char *const *names)
{
    uint32_t pid[16];
    tw_text name[16];
    uint8_t null[16];

    ck_assert_uint_le(n, 16);
    for (uint32_t i = 0; i < n; i++) {
        pid[i] = i + 1;
        null[i] = !names[i];
        name[i] = fake_text(names[i] ? names[i] : "");
    }
    ck_assert_int_eq(fake_rows_null(f, &pairs, n, (void *[]){ pid, name }, (uint8_t *[]){ NULL, null }), TW_OK);
}

START_TEST(kinds)
{
    // clang-format off
    static const tw_field columns[] = {
        { .name = "bool", .kind = TW_BOOL }, { .name = "u8", .kind = TW_U8 }, { .name = "i8", .kind = TW_I8 },
        { .name = "u16", .kind = TW_U16 }, { .name = "i16", .kind = TW_I16 }, { .name = "u32", .kind = TW_U32 },
        { .name = "i32", .kind = TW_I32 }, { .name = "u64", .kind = TW_U64 }, { .name = "i64", .kind = TW_I64 },
        { .name = "f32", .kind = TW_F32 }, { .name = "f64", .kind = TW_F64 }, { .name = "span", .kind = TW_SPAN },
        { .name = "time", .kind = TW_TIME }, { .name = "guid", .kind = TW_GUID }, { .name = "ip", .kind = TW_IP4 },
        { .name = "hex", .kind = TW_U32, .show = TW_SHOW_HEX }, { .name = "text", .kind = TW_TEXT },
        { .name = "pid", .kind = TW_U32, .show = TW_SHOW_PID },
    };
    // clang-format on
    static const tw_table all = { .size = sizeof(tw_table), .ncols = 18, .name = "all", .col = columns };
    uint8_t boolean[] = { 1, 0 }, u8[] = { 255, 0 };
    int8_t i8[] = { -128, 127 };
    uint16_t u16[] = { 65535, 0 };
    int16_t i16[] = { -32768, 1 };
    uint32_t u32[] = { 4294967295u, 0 }, hex[] = { 0x1f, 0 }, pid[] = { 4, 10 };
    int32_t i32[] = { INT32_MIN, -1 };
    uint64_t u64[] = { UINT64_MAX, 0 };
    int64_t i64[] = { INT64_MIN, INT64_MAX }, span[] = { 1500000, -1 };
    int64_t time[] = { 1796026500123456789, -1 }; /* 2026-11-30T08:15:00.123456789Z; the last ns of 1969 */
    float f32[] = { 0.5f, -2.0f };
    double f64[] = { 0.1, 1e300 };
    uint8_t guid[] = { 0x9e, 0x81, 0x4a, 0xad, 0x04, 0x32, 0xb2, 0x11, 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39,
                       0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0 };
    uint8_t ip[] = { 192, 168, 0, 1, 0, 0, 0, 0 };
    tw_text text[] = { fake_text("plain"), fake_text("") };

    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &all), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &all, 2, boolean, u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, span, time, guid,
                               ip, hex, text, pid),
                     TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(
        fake_written(f, "-"),
        "bool,u8,i8,u16,i16,u32,i32,u64,i64,f32,f64,span,time,guid,ip,hex,text,pid\n"
        "true,255,-128,65535,-32768,4294967295,-2147483648,18446744073709551615,-9223372036854775808,0.5,0.1,"
        "1500000,2026-11-30T08:15:00.123456789Z,ad4a819e-3204-11b2-9a82-006008a86939,192.168.0.1,0x1f,plain,4\n"
        "false,0,127,0,1,0,-1,0,9223372036854775807,-2,1e+300,"
        "-1,1969-12-31T23:59:59.999999999Z,00000000-0000-0000-0000-000000000000,0.0.0.0,0x0,,10\n");
    fake_free(f);
}
END_TEST

START_TEST(times_share_a_second)
{
    static const tw_field columns[] = { { .name = "time", .kind = TW_TIME } };
    static const tw_table times = { .size = sizeof(tw_table), .ncols = 1, .name = "times", .col = columns };
    int64_t time[] = { 0, 999999999, 1000000000, 5, -1, -1000000000, -1000000001, INT64_MAX, INT64_MIN };

    fake *f = begun(FAKE(&csv_write, "header", "false", ));
    ck_assert_int_eq(fake_table(f, &times), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &times, 9, time), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "1970-01-01T00:00:00.000000000Z\n1970-01-01T00:00:00.999999999Z\n"
                                           "1970-01-01T00:00:01.000000000Z\n1970-01-01T00:00:00.000000005Z\n"
                                           "1969-12-31T23:59:59.999999999Z\n1969-12-31T23:59:59.000000000Z\n"
                                           "1969-12-31T23:59:58.999999999Z\n2262-04-11T23:47:16.854775807Z\n"
                                           "1677-09-21T00:12:43.145224192Z\n");
    fake_free(f);
}
END_TEST

START_TEST(quoting)
{
    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_names(f, 8, (const char *[]){ "a,b", "say \"hi\"", "\"", "two\nlines", "cr\r", " blanks ", "", NULL });
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pid,name\n"
                                           "1,\"a,b\"\n"
                                           "2,\"say \"\"hi\"\"\"\n"
                                           "3,\"\"\"\"\n"
                                           "4,\"two\nlines\"\n"
                                           "5,\"cr\r\"\n"
                                           "6, blanks \n"
                                           "7,\"\"\n" /* empty, told from */
                                           "8,\n");   /* missing */
    fake_free(f);
}
END_TEST

START_TEST(delimiter_null_line_end)
{
    fake *f = begun(FAKE(&csv_write, "delimiter", "tab", "null", "NULL", "crlf", "true", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_names(f, 5, (const char *[]){ "a,b", "a\tb", NULL, "NULL", "" });
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pid\tname\r\n1\ta,b\r\n2\t\"a\tb\"\r\n3\tNULL\r\n4\t\"NULL\"\r\n5\t\r\n");
    fake_free(f);
}
END_TEST

START_TEST(only_cell_of_a_line_is_never_nothing)
{
    static const tw_field columns[] = { { .name = "name", .kind = TW_TEXT } };
    static const tw_table names = { .size = sizeof(tw_table), .ncols = 1, .name = "names", .col = columns };
    tw_text text[] = { fake_text("a"), fake_text("") };

    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &names, 2, text), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\na\n\"\"\n");
    fake_free(f);
}
END_TEST

START_TEST(lists)
{
    static const tw_field columns[] = { { .name = "ports", .kind = TW_U16, .flags = TW_LIST },
                                        { .name = "names", .kind = TW_TEXT, .flags = TW_LIST } };
    static const tw_table lists = { .size = sizeof(tw_table), .ncols = 2, .name = "lists", .col = columns };
    uint16_t port[] = { 80, 443 };
    tw_text name[] = { fake_text("a"), fake_text("b \"c\"") };
    tw_list ports[] = { { .at = port, .n = 2 }, { .n = 0 } };
    tw_list names[] = { { .at = name, .n = 2 }, { .n = 0 } };

    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &lists), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &lists, 2, ports, names), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "ports,names\n"
                                           "\"[80,443]\",\"[\"\"a\"\",\"\"b \\\"\"c\\\"\"\"\"]\"\n"
                                           "[],[]\n");
    fake_free(f);
}
END_TEST

START_TEST(empty_table_has_a_header)
{
    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pid,name\n");
    fake_free(f);
}
END_TEST

static const tw_table others = { .size = sizeof(tw_table), .ncols = 1, .name = "others", .col = pair_columns };

START_TEST(two_tables_need_two_files)
{
    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &others), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    ck_assert_str_eq(text_of(&f->said),
                     "two tables, \"pairs\" and \"others\", cannot share one CSV; name one with of = "
                     "\"pairs\", or give a folder");
    fake_free(f);
}
END_TEST

START_TEST(of_picks_tables)
{
    fake *f = begun(FAKE(&csv_write, "of", "pairs", ));
    uint32_t pid[] = { 7 };
    ck_assert_int_eq(fake_table(f, &others), TW_OK);
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &others, 1, pid), TW_OK);
    give_names(f, 1, (const char *[]){ "a" });
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pid,name\n1,a\n");
    ck_assert_str_eq(text_of(&f->logged), "");
    fake_free(f);

    f = begun(FAKE(&csv_write, "of", "pears", ));
    ck_assert_int_eq(fake_table(f, &others), TW_OK);
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    ck_assert_str_eq(text_of(&f->said), "no table is called \"pears\"; there were: others pairs");
    fake_free(f);
}
END_TEST

START_TEST(same_table_twice)
{
    tw_table twin = pairs, other = others;
    other.name = "pairs";
    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &twin), TW_OK);
    give_names(f, 1, (const char *[]){ "a" });
    ck_assert_int_eq(fake_table(f, &other), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(text_of(&f->said), "two different tables are called \"pairs\""));
    fake_free(f);
}
END_TEST

START_TEST(folder)
{
    uint32_t pid[] = { 7 };
    fake *f = begun(FAKE(&csv_write, "folder", "out/x", "suffix", ".csv.zst", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &others), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &others, 1, pid), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "out/x/pairs.csv.zst"), "pid,name\n");
    ck_assert_str_eq(fake_written(f, "out/x/others.csv.zst"), "pid\n7\n");
    ck_assert_str_eq(fake_written(f, "-"), "");
    ck_assert_int_eq(fake_state(f, "out/x/pairs.csv.zst"), FAKE_KEPT);
    ck_assert_int_eq(fake_state(f, "out/x/others.csv.zst"), FAKE_KEPT);
    fake_free(f);
}
END_TEST

START_TEST(folder_given_up)
{
    fake *f = begun(FAKE(&csv_write, "folder", "out", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    f->stage->close(f->state);
    ck_assert_int_eq(fake_state(f, "out/pairs.csv"), FAKE_DROPPED);
    fake_free(f);
}
END_TEST

START_TEST(folder_is_not_left)
{
    static const char *const names[] = { "../etc", "a/b", "a\\b", "c:x", ".hidden", "" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tw_table t = pairs;
        t.name = names[i];
        fake *f = begun(FAKE(&csv_write, "folder", "out", ));
        ck_assert_int_eq(fake_table(f, &t), TW_ERROR);
        ck_assert_int_eq(f->misused, 1);
        ck_assert_uint_eq(f->nfiles, 1); /* `to` alone */
        fake_free(f);
    }
}
END_TEST

START_TEST(wrong_options)
{
    static const char *const wrong[][2] = { { "delimiter", "" },   { "delimiter", ",," },   { "delimiter", "a" },
                                            { "delimiter", "\"" }, { "delimiter", "." },    { "null", "a,b" },
                                            { "null", "\"" },      { "null", "two\nlines" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fake *f = FAKE(&csv_write, wrong[i][0], wrong[i][1], );
        ck_assert_int_eq(fake_begin(f), TW_ERROR);
        ck_assert_int_eq(f->misused, 1);
        ck_assert_ptr_nonnull(strstr(text_of(&f->said), wrong[i][0]));
        fake_free(f);
    }
}
END_TEST

/* More than a page, with a cell that is larger than one. */
START_TEST(large)
{
    enum { LONG = 300000, ROWS = 5000 };
    text expected = { 0 };
    char *long_text = mem_new(LONG + 1);
    uint32_t pid = 1;
    tw_text name = { .at = long_text, .bytes = LONG };

    memset(long_text, 'x', LONG);
    fake *f = begun(FAKE(&csv_write, "header", "false", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &pairs, 1, &pid, &name), TW_OK);
    text_format(&expected, "1,%s\n", long_text);
    for (pid = 2; pid < ROWS; pid++) {
        name = fake_text("System Idle Process");
        ck_assert_int_eq(FAKE_ROWS(f, &pairs, 1, &pid, &name), TW_OK);
        text_format(&expected, "%u,System Idle Process\n", (unsigned)pid);
    }
    ck_assert_uint_gt(f->file[0].bytes.n, LONG); /* handed on before the end */
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_uint_eq(f->file[0].bytes.n, expected.n);
    ck_assert_str_eq(fake_written(f, "-"), text_of(&expected));
    text_free(&expected);
    free(long_text);
    fake_free(f);
}
END_TEST

START_TEST(closed_reader)
{
    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    f->write_status = TW_END;
    ck_assert_int_eq(f->stage->tick(f->state), TW_END);
    f->write_status = TW_ERROR;
    give_names(f, 1, (const char *[]){ "a" });
    ck_assert_int_eq(fake_end(f), TW_ERROR);
    fake_free(f);
}
END_TEST

START_TEST(no_table_at_all)
{
    fake *f = begun(FAKE(&csv_write, ));
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_ptr_nonnull(strstr(text_of(&f->logged), "no table came by"));
    fake_free(f);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("csv");
    tcase_add_test(t, kinds);
    tcase_add_test(t, times_share_a_second);
    tcase_add_test(t, quoting);
    tcase_add_test(t, delimiter_null_line_end);
    tcase_add_test(t, only_cell_of_a_line_is_never_nothing);
    tcase_add_test(t, lists);
    tcase_add_test(t, empty_table_has_a_header);
    tcase_add_test(t, two_tables_need_two_files);
    tcase_add_test(t, of_picks_tables);
    tcase_add_test(t, same_table_twice);
    tcase_add_test(t, folder);
    tcase_add_test(t, folder_given_up);
    tcase_add_test(t, folder_is_not_left);
    tcase_add_test(t, wrong_options);
    tcase_add_test(t, large);
    tcase_add_test(t, closed_reader);
    tcase_add_test(t, no_table_at_all);
    return fake_run_tests(t, "csv.write");
}
