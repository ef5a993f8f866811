/* test_etw_clock.c - ticks to nanoseconds and back, exact; the log-file header in both pointer sizes. */
#include <check.h>
#include <stdlib.h>

#include "clock.h"
#include "etl_kit.h"

#define START INT64_C(1471476622037926600) /* FILETIME 131159502220379266 */

static int64_t from_start(int64_t hz, int64_t passed)
{
    trace_clock c;

    clock_set(&c, 5000, START, hz);
    return clock_ns(&c, 5000 + passed) - START;
}

/* Expected values by arbitrary-precision arithmetic, the difference rounded towards zero. */
START_TEST(to_nanoseconds)
{
    ck_assert_int_eq(from_start(10000000, 1), 100);
    ck_assert_int_eq(from_start(10000000, -7), -700);
    ck_assert_int_eq(from_start(3117777, 1), 320);
    ck_assert_int_eq(from_start(3117777, -1), -320);
    ck_assert_int_eq(from_start(3117777, 964540), 309367860);
    ck_assert_int_eq(from_start(3117777, 123456789012345), 39597697016927445);
    ck_assert_int_eq(from_start(3117777, -987654321), -316781578990);
    ck_assert_int_eq(from_start(2338346, 123456789012345), 52796630187467979);
    ck_assert_int_eq(from_start(14318180, -987654321), -68979040702);
    ck_assert_int_eq(from_start(24000000, 964540), 40189166);
    ck_assert_int_eq(from_start(1000000000, 123456789012345), 123456789012345);
    ck_assert_int_eq(from_start(3192624000, 1), 0);
    ck_assert_int_eq(from_start(3192624000, 123456789012345), 38669379486073);
    ck_assert_int_eq(from_start(3192624000, -987654321), -309355038);
    ck_assert_int_eq(from_start(3192624000, INT64_C(1) << 62), 1444481410409552739);
    ck_assert_int_eq(from_start(1, -2), -2000000000);
}
END_TEST

START_TEST(saturates)
{
    trace_clock c;

    clock_set(&c, 0, START, 1);
    ck_assert_int_eq(clock_ns(&c, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(clock_ns(&c, INT64_MIN), INT64_MIN);
    ck_assert_int_eq(clock_ns(&c, INT64_MAX / 1000000000), INT64_MAX); /* the sum, not the product */
    clock_set(&c, 0, 0, 3);
    ck_assert_int_eq(clock_ns(&c, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(clock_ns(&c, INT64_MIN), INT64_MIN);
    clock_set(&c, INT64_MIN, 0, 10000000);
    ck_assert_int_eq(clock_ns(&c, INT64_MAX), INT64_MAX);
    clock_set(&c, INT64_MAX, 0, INT64_MAX);
    ck_assert_int_eq(clock_ns(&c, 0), -1000000000);
    ck_assert_int_eq(clock_ns(&c, INT64_MIN), -1000000000); /* the difference saturates */
    ck_assert_int_eq(clock_ticks(&c, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(clock_ticks(&c, INT64_MIN), INT64_MIN);
    ck_assert_int_eq(filetime_ns(INT64_MAX), INT64_MAX);
    ck_assert_int_eq(filetime_ns(INT64_MIN), INT64_MIN);
}
END_TEST

START_TEST(and_back)
{
    const int64_t hz[] = {
        1, 3, 32768, 2338346, 3117777, 3579545, 10000000, 14318180, 24000000, 999999999, 1000000000
    };
    const int64_t passed[] = { 0, 1, 2, 3, 7, 100, 12345, 999999, 1000000, 1000001, 987654321 };
    trace_clock c;

    for (size_t i = 0; i < sizeof hz / sizeof *hz; i++)
        for (size_t j = 0; j < sizeof passed / sizeof *passed; j++) {
            clock_set(&c, -5, START, hz[i]);
            ck_assert_int_eq(clock_ticks(&c, clock_ns(&c, passed[j] - 5)), passed[j] - 5);
            ck_assert_int_eq(clock_ticks(&c, clock_ns(&c, -passed[j] - 5)), -passed[j] - 5);
        }
    /* Between two ticks: the one further from the start. */
    clock_set(&c, 0, 0, 10000000);
    ck_assert_int_eq(clock_ticks(&c, 101), 2);
    ck_assert_int_eq(clock_ticks(&c, -101), -2);
    /* A clock finer than nanoseconds gives every nanosecond again. */
    clock_set(&c, 17, START, 3192624000);
    for (int64_t t = -50; t <= 50; t++) ck_assert_int_eq(clock_ns(&c, clock_ticks(&c, START + t)), START + t);
}
END_TEST

START_TEST(filetimes)
{
    ck_assert_int_eq(filetime_ns(INT64_C(116444736000000000)), 0);
    ck_assert_int_eq(filetime_ns(INT64_C(131159502220379266)), START);
    ck_assert_int_eq(ns_filetime(START), INT64_C(131159502220379266));
    ck_assert_int_eq(ns_filetime(START + 99), INT64_C(131159502220379266));
    ck_assert_int_eq(ns_filetime(-1), INT64_C(116444735999999999));
    ck_assert_int_eq(ns_filetime(-100), INT64_C(116444735999999999));
    ck_assert_int_eq(ns_filetime(-101), INT64_C(116444735999999998));
}
END_TEST

static void check_log(uint32_t pointer)
{
    kit k = { 0 };
    kit_log l = kit_usual(65536);
    log_header h;
    size_t n;

    l.pointer = pointer;
    l.events_lost = 7;
    l.buffers_lost = 8;
    kit_log_header(&k, &l);
    kit_set(&k, k.written, 3, 4);
    n = k.n - 0x20;
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, 8, &h), 1);
    ck_assert_uint_eq(h.buffer_size, 65536);
    ck_assert_mem_eq(h.version, "\x0a\x00\x01\x05", 4);
    ck_assert_uint_eq(h.build, 19041);
    ck_assert_uint_eq(h.processors, 4);
    ck_assert_int_eq(h.start, KIT_START);
    ck_assert_int_eq(h.end, KIT_START + 100000000);
    ck_assert_int_eq(h.boot, KIT_START - 36000000000);
    ck_assert_uint_eq(h.resolution, 156250);
    ck_assert_uint_eq(h.mode, 1);
    ck_assert_uint_eq(h.written, 3);
    ck_assert_uint_eq(h.pointer, pointer);
    ck_assert_uint_eq(h.events_lost, 7);
    ck_assert_uint_eq(h.buffers_lost, 8);
    ck_assert_uint_eq(h.cpu_mhz, 3000);
    ck_assert_int_eq(h.zone_bias, -60);
    ck_assert_int_eq(h.hz, 10000000);
    ck_assert_uint_eq(h.clock, 1);
    ck_assert_uint_eq(h.logger_bytes, 12);
    ck_assert_mem_eq(h.logger, "L\0o\0g\0g\0e\0r\0", 12);
    ck_assert_uint_eq(h.file_bytes, 20);
    ck_assert_mem_eq(h.file, "C\0:\0\\\0", 6);

    /* Strings without terminator, or none at all; then a payload too short for its fixed part. */
    size_t fixed = pointer == 4 ? 0x110 : 0x118;
    ck_assert_int_eq(log_header_read(k.at + 0x20, fixed + 14 + 5, 8, &h), 1);
    ck_assert_uint_eq(h.file_bytes, 4);
    ck_assert_int_eq(log_header_read(k.at + 0x20, fixed + 4, 8, &h), 1);
    ck_assert_uint_eq(h.logger_bytes, 4);
    ck_assert_uint_eq(h.file_bytes, 0);
    ck_assert_int_eq(log_header_read(k.at + 0x20, fixed, 8, &h), 1);
    ck_assert_uint_eq(h.logger_bytes, 0);
    ck_assert_int_eq(log_header_read(k.at + 0x20, fixed - 1, 8, &h), 0);

    /* A pointer size that cannot be: the event's header decides. */
    kit_set(&k, 0x20 + 0x2C, 99, 4);
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 1);
    ck_assert_uint_eq(h.pointer, pointer);
    ck_assert_int_eq(h.hz, 10000000);
    kit_set(&k, 0x20, 0x47, 4);
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 0);
    kit_set(&k, 0x20, 0x1000001, 4);
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 0);

    /* No processors: only where nothing else is odd. */
    kit_set(&k, 0x20, 65536, 4);
    kit_set(&k, 0x20 + 0x0C, 0, 4);
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 0);
    kit_set(&k, 0x20 + 0x2C, pointer, 4);
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 1);
    ck_assert_uint_eq(h.processors, 0);
    kit_set(&k, 0x20 + fixed - 8, 4, 4); /* no such clock */
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 0);
    kit_set(&k, 0x20 + fixed - 8, 1, 4);
    kit_set(&k, 0x20 + fixed - 0x18, 0, 8); /* no frequency */
    ck_assert_int_eq(log_header_read(k.at + 0x20, n, pointer, &h), 0);
    kit_free(&k);
}

START_TEST(log_headers)
{
    check_log(8);
    check_log(4);
}
END_TEST

START_TEST(clocks)
{
    log_header h = { .clock = 1, .hz = 3117777, .start = KIT_START, .cpu_mhz = 2500 };
    const int64_t start = INT64_C(1577836800000000000);
    trace_clock c;

    ck_assert_int_eq(log_header_clock(&h, 1000, &c), 1);
    ck_assert_int_eq(clock_ns(&c, 1001), start + 320);
    h.clock = 0; /* unknown: as 1 */
    ck_assert_int_eq(log_header_clock(&h, 1000, &c), 1);
    ck_assert_int_eq(clock_ns(&c, 1001), start + 320);
    h.clock = 2; /* FILETIMEs, whatever the header event's own time */
    ck_assert_int_eq(log_header_clock(&h, 1000, &c), 1);
    ck_assert_int_eq(clock_ns(&c, KIT_START + 3), start + 300);
    h.clock = 3;
    ck_assert_int_eq(log_header_clock(&h, 1000, &c), 1);
    ck_assert_int_eq(clock_ns(&c, 3500), start + 1000);
    h.cpu_mhz = 0; /* no frequency: 10 MHz, and said */
    ck_assert_int_eq(log_header_clock(&h, 1000, &c), 0);
    ck_assert_int_eq(clock_ns(&c, 1001), start + 100);
    h.clock = 1;
    h.hz = -4;
    ck_assert_int_eq(log_header_clock(&h, 1000, &c), 0);
    ck_assert_int_eq(clock_ns(&c, 1001), start + 100);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("etw_clock");
    TCase *c = tcase_create("etw_clock");
    SRunner *r;
    int failed;

    tcase_add_test(c, to_nanoseconds);
    tcase_add_test(c, saturates);
    tcase_add_test(c, and_back);
    tcase_add_test(c, filetimes);
    tcase_add_test(c, log_headers);
    tcase_add_test(c, clocks);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
