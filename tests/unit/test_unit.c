/* test_unit.c - numbers as people write them. Moments are checked against well-known Unix times. */
#include <check.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tw_plugin.h"
#include "unit.h"

static text why;

#define SECONDS(n) ((int64_t)(n)*1000000000)

typedef struct number {
    const char *s;
    int64_t value;
} number;

typedef struct refusal {
    const char *s, *says; /* a part of the sentence */
} refusal;

typedef int unit_of(const char *s, int64_t *out, text *sentence);

static int time_of(const char *s, int64_t *ns, text *sentence)
{
    int relative = 7, status = unit_time(s, ns, &relative, sentence);
    if (status == TW_OK) ck_assert_int_eq(relative, 0);
    return status;
}

static int offset_of(const char *s, int64_t *ns, text *sentence)
{
    int relative = 7, status = unit_time(s, ns, &relative, sentence);
    if (status == TW_OK) ck_assert_int_eq(relative, 1);
    return status;
}

static void check_numbers(unit_of *unit, const number *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t value = -77;
        text_clear(&why);
        ck_assert_msg(unit(cases[i].s, &value, &why) == TW_OK, "%s: %s", cases[i].s, text_of(&why));
        ck_assert_msg(value == cases[i].value, "%s: %" PRId64, cases[i].s, value);
        ck_assert_str_eq(text_of(&why), "");
    }
}

/* A refusal leaves the result alone and names what was given. */
static void check_refusals(unit_of *unit, const refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t value = -77;
        text given = { 0 };
        text_format(&given, "\"%s\" ", cases[i].s);
        text_clear(&why);
        ck_assert_msg(unit(cases[i].s, &value, &why) == TW_ERROR, "%s: %" PRId64, cases[i].s, value);
        ck_assert_msg(value == -77, "%s: %" PRId64, cases[i].s, value);
        ck_assert_msg(strncmp(text_of(&why), given.at, given.n) == 0, "%s: %s", cases[i].s, text_of(&why));
        ck_assert_msg(strstr(text_of(&why), cases[i].says) != NULL, "%s: %s", cases[i].s, text_of(&why));
        text_free(&given);
    }
}

#define CHECK_NUMBERS(unit, cases)  check_numbers(unit, cases, sizeof cases / sizeof *cases)
#define CHECK_REFUSALS(unit, cases) check_refusals(unit, cases, sizeof cases / sizeof *cases)

START_TEST(integers)
{
    static const number right[] = {
        { "0", 0 },
        { "-0", 0 },
        { "-5", -5 },
        { "+5", 5 },
        { " 42\t", 42 },
        { "007", 7 },
        { "0x1f", 31 },
        { "0X1F", 31 },
        { "-0x10", -16 },
        { "0", 0 },
        { "64k", 65536 },
        { "64K", 65536 },
        { "64KiB", 65536 },
        { "64kB", 64000 },
        { "2M", 2097152 },
        { "2MiB", 2097152 },
        { "2MB", 2000000 },
        { "1GB", 1000000000 },
        { "1G", 1073741824 },
        { "3T", 3298534883328 },
        { "512B", 512 },
        { "-1k", -1024 },
        { "9007199254740993", 9007199254740993 }, /* no double has this value */
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775808", INT64_MIN },
        { "-8388608T", INT64_MIN },
        { "0x7fffffffffffffff", INT64_MAX },
        { "-0x8000000000000000", INT64_MIN },
        { "0xfffff80012345678", -8795787602312 }, /* an address: the same 64 bits */
        { "0xffffffffffffffff", -1 },
        { "0x00000000000000001", 1 },
    };
    static const refusal wrong[] = {
        { "", "64k" },
        { " ", "64k" },
        { "-", "-5" },
        { "abc", "is no integer" },
        { "0x", "is no integer" },
        { "0xg", "is no integer" },
        { "0x1k", "is no integer" },
        { "1.5", "is no integer" },
        { "1 2", "is no integer" },
        { "--1", "is no integer" },
        { "1kk", "is no integer" },
        { "5ms", "is no integer" },
        { "k", "is no integer" },
        { "9223372036854775808", "out of range" },
        { "-9223372036854775809", "out of range" },
        { "18446744073709551616", "out of range" },
        { "99999999999999999999999999999999k", "out of range" },
        { "8388608T", "out of range" },
        { "18014398509481984k", "out of range" }, /* 2^64 */
        { "0x10000000000000000", "out of range" },
        { "-0x8000000000000001", "out of range" },
    };
    CHECK_NUMBERS(unit_int, right);
    CHECK_REFUSALS(unit_int, wrong);
}
END_TEST

START_TEST(fractions)
{
    double value = 7;
    text_clear(&why);
    ck_assert_int_eq(unit_float("0.5", &value, &why), TW_OK);
    ck_assert(value == 0.5);
    ck_assert_int_eq(unit_float(" -1e3 ", &value, &why), TW_OK);
    ck_assert(value == -1000.0);
    ck_assert_int_eq(unit_float("1.7976931348623157e308", &value, &why), TW_OK);
    ck_assert(value == 1.7976931348623157e308);
    ck_assert_int_eq(unit_float(".25", &value, &why), TW_OK);
    ck_assert(value == 0.25);
    static const char *const wrong[] = {
        "", " ", "nan", "inf", "0x10", "1,5", "1e", "1 2", "1.2.3", "e", "-", "1e999"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text_clear(&why);
        ck_assert_msg(unit_float(wrong[i], &value, &why) == TW_ERROR, "%s", wrong[i]);
        ck_assert_msg(why.n > 0 && value == 0.25, "%s", wrong[i]);
    }
}
END_TEST

START_TEST(switches)
{
    static const char *const yes[] = { "true", "yes", "on", "1", "True", " ON " };
    static const char *const no[] = { "false", "no", "off", "0", "NO" };
    static const char *const wrong[] = { "", "2", "tru", "y", "truer", "-1" };
    int value = 7;
    text_clear(&why);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        value = 7;
        ck_assert_int_eq(unit_bool(yes[i], &value, &why), TW_OK);
        ck_assert_int_eq(value, 1);
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        value = 7;
        ck_assert_int_eq(unit_bool(no[i], &value, &why), TW_OK);
        ck_assert_int_eq(value, 0);
    }
    value = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text_clear(&why);
        ck_assert_int_eq(unit_bool(wrong[i], &value, &why), TW_ERROR);
        ck_assert_int_eq(value, 7);
        ck_assert_ptr_nonnull(strstr(text_of(&why), "true or false"));
    }
}
END_TEST

START_TEST(other_sorts)
{
    static const char *const other[] = { "ten", "5ms", "", "1.5" }, *const same[] = { "9999999999G",
                                                                                      "0x1ffffffffffffffff" };
    int64_t n;

    for (int k = 0; k < 4; k++) {
        text why = { 0 };
        ck_assert_int_eq(unit_int(other[k], &n, &why), TW_ERROR);
        ck_assert_msg(unit_is_other(text_of(&why)), "%s", text_of(&why));
        text_free(&why);
    }
    for (int k = 0; k < 2; k++) {
        text why = { 0 };
        ck_assert_int_eq(unit_int(same[k], &n, &why), TW_ERROR);
        ck_assert_msg(!unit_is_other(text_of(&why)), "%s", text_of(&why));
        text_free(&why);
    }
}
END_TEST

START_TEST(spans)
{
    static const number right[] = {
        { "0", 0 },
        { "100ns", 100 },
        { "10us", 10000 },
        { "10\xC2\xB5s", 10000 },
        { "10\xCE\xBCs", 10000 },
        { "5ms", 5000000 },
        { " 5ms ", 5000000 },
        { "1.5s", SECONDS(1) + 500000000 },
        { "-1.5s", -SECONDS(1) - 500000000 },
        { "0.000000001s", 1 },
        { "0.0000000010000s", 1 },
        { "1.000000001s", SECONDS(1) + 1 },
        { "2min", SECONDS(120) },
        { "0.5min", SECONDS(30) },
        { "0.05min", SECONDS(3) },
        { "1h", SECONDS(3600) },
        { "3d", SECONDS(259200) },
        { "0.00001d", 864000000 },
        { "9223372036.854775807s", INT64_MAX },
        { "-9223372036.854775808s", INT64_MIN },
        { "9223372036854775807ns", INT64_MAX },
        { "106751d", SECONDS(9223286400) },
    };
    static const refusal wrong[] = {
        { "", "like 5ms" },
        { "5", "lacks a unit" },
        { "1.5", "lacks a unit" },
        { "ms", "is no span" },
        { ".5s", "is no span" },
        { "1.s", "is no span" },
        { "1..5s", "is no span" },
        { "5 ms", "is no span" },
        { "5msx", "is no span" },
        { "5m", "min for minutes" },
        { "1e3s", "is no span" },
        { "1.5ns", "finer than a nanosecond" },
        { "0.0000000001s", "finer than a nanosecond" },
        { "0.33333333333333333333333333333333333333333d", "finer than a nanosecond" },
        { "9223372036.854775808s", "too long" },
        { "-9223372036.854775809s", "too long" },
        { "106752d", "too long" },
        { "18446744073709551616ns", "too long" },
        { "99999999999999999999999999999999d", "too long" },
        { "18446744073.709551616s", "too long" },
    };
    CHECK_NUMBERS(unit_span, right);
    CHECK_REFUSALS(unit_span, wrong);
}
END_TEST

static const number moments[] = {
    { "1970-01-01T00:00:00.000000000Z", 0 },
    { "1970-01-01T00:00:00.000000001Z", 1 },
    { "1969-12-31T23:59:59.999999999Z", -1 },
    { "2001-09-09T01:46:40.000000000Z", SECONDS(1000000000) },
    { "2009-02-13T23:31:30.123456789Z", SECONDS(1234567890) + 123456789 },
    { "2017-07-14T02:40:00.000000000Z", SECONDS(1500000000) },
    { "2038-01-19T03:14:07.000000000Z", SECONDS(2147483647) },
    { "1901-12-13T20:45:52.000000000Z", SECONDS(-2147483648) },
    { "1900-01-01T00:00:00.000000000Z", SECONDS(-2208988800) },
    { "2000-02-29T00:00:00.000000000Z", SECONDS(951782400) },
    { "2024-02-29T00:00:00.000000000Z", SECONDS(1709164800) },
    { "2100-01-01T00:00:00.000000000Z", SECONDS(4102444800) },
    { "2100-03-01T00:00:00.000000000Z", SECONDS(4107542400) },
    { "1677-09-21T00:12:43.145224192Z", INT64_MIN },
    { "2262-04-11T23:47:16.854775807Z", INT64_MAX },
};

START_TEST(moments_read_and_printed)
{
    char out[31];
    CHECK_NUMBERS(time_of, moments);
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        memset(out, '#', sizeof out);
        ck_assert_int_eq(unit_print_time(moments[i].value, out), 30);
        ck_assert_str_eq(out, moments[i].s);
    }
}
END_TEST

START_TEST(moments_in_other_spellings)
{
    static const number right[] = {
        { "2009-02-13", SECONDS(1234483200) },
        { "2009-02-13T23:31", SECONDS(1234567860) },
        { "2009-02-13T23:31Z", SECONDS(1234567860) },
        { "2009-02-13T23:31:30", SECONDS(1234567890) },
        { "2009-02-13t23:31:30z", SECONDS(1234567890) },
        { "2009-02-13 23:31:30", SECONDS(1234567890) },
        { "  2009-02-13 23:31:30.5Z ", SECONDS(1234567890) + 500000000 },
        { "2009-02-13T23:31:30.05", SECONDS(1234567890) + 50000000 },
        { "end", INT64_MAX },
        { " END ", INT64_MAX },
    };
    static const number relative[] = {
        { "0", 0 }, { "1.5s", SECONDS(1) + 500000000 }, { "2min", SECONDS(120) }, { "-5ms", -5000000 }
    };
    CHECK_NUMBERS(time_of, right);
    CHECK_NUMBERS(offset_of, relative);
}
END_TEST

START_TEST(what_is_no_moment)
{
    static const refusal wrong[] = {
        { "", "2026-11-30" },
        { "yesterday", "is no time" },
        { "2026-1-30", "is no time" },
        { "2026-11-30T", "is no time" },
        { "2026-11-30T8:15", "is no time" },
        { "2026-11-30T08:15:00.", "is no time" },
        { "2026-11-30T08:15:00.1234567890", "is no time" },
        { "2026-11-30T08:15:00+01:00", "in UTC" },
        { "2026-11-30Z", "is no time" },
        { "2026-11-30T08:15:00ZZ", "is no time" },
        { "2026-02-29", "no day of the calendar" },
        { "1900-02-29", "no day of the calendar" },
        { "2026-04-31", "no day of the calendar" },
        { "2026-13-01", "no day of the calendar" },
        { "2026-00-01", "no day of the calendar" },
        { "2026-01-00", "no day of the calendar" },
        { "2026-11-30T24:00:00", "no time of day" },
        { "2026-11-30T23:60:00", "no time of day" },
        { "2026-11-30T23:59:60", "no time of day" },
        { "1601-01-01", "out of range" },
        { "0000-01-01", "out of range" },
        { "9999-12-31", "out of range" },
        { "1677-09-21T00:12:43.145224191Z", "out of range" },
        { "2262-04-11T23:47:16.854775808Z", "out of range" },
        { "5", "lacks a unit" },
        { "5m", "min for minutes" },
    };
    CHECK_REFUSALS(time_of, wrong);
}
END_TEST

/* Every day of the whole range, counted by hand: the printed date must be the calendar's next. */
START_TEST(every_day_follows_the_one_before)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int year = 1678, month = 1, day = 1;
    char out[31], wanted[64];
    for (int64_t days = -106650; days < 106650; days++) { /* from 1678-01-01 */
        ck_assert_int_eq(unit_print_time(SECONDS(days * 86400), out), 30);
        snprintf(wanted, sizeof wanted, "%04d-%02d-%02dT00:00:00.000000000Z", year, month, day);
        ck_assert_str_eq(out, wanted);
        int leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        if (++day > lengths[month - 1] + leap) {
            day = 1;
            if (++month > 12) {
                month = 1;
                year++;
            }
        }
    }
    ck_assert_int_eq(year, 2261);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unit");
    TCase *all = tcase_create("all");
    tcase_add_test(all, other_sorts);
    tcase_add_test(all, integers);
    tcase_add_test(all, fractions);
    tcase_add_test(all, switches);
    tcase_add_test(all, spans);
    tcase_add_test(all, moments_read_and_printed);
    tcase_add_test(all, moments_in_other_spellings);
    tcase_add_test(all, what_is_no_moment);
    tcase_add_test(all, every_day_follows_the_one_before);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    text_free(&why);
    return failed != 0;
}
