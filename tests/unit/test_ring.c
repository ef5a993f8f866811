/* test_ring.c - a bounded queue between two threads. */
#include <check.h>
#include <stdlib.h>

#include "os.h"
#include "ring.h"
#include "tw_plugin.h"

enum { NOW = 0, LONG = 10000000 /* ns */, ITEMS = 20000 };

static void *number(size_t n)
{
    return (void *)n;
}

START_TEST(order_and_bounds)
{
    ring *r = ring_new(3);
    ring_item item;

    ck_assert_int_eq(ring_take(r, &item, NOW), 0);
    for (size_t round = 0; round < 5; round++) { /* around the end of the array */
        ck_assert_int_eq(ring_put(r, (ring_item){ 1, number(round) }, 0, NOW), 1);
        ck_assert_int_eq(ring_put(r, (ring_item){ 2, number(round + 10) }, 0, NOW), 1);
        ck_assert_uint_eq(ring_count(r), 2);
        for (int kind = 1; kind <= 2; kind++) {
            ck_assert_int_eq(ring_take(r, &item, NOW), 1);
            ck_assert_int_eq(item.kind, kind);
            ck_assert_ptr_eq(item.what, number(kind == 1 ? round : round + 10));
        }
    }
    for (int k = 0; k < 3; k++) ck_assert_int_eq(ring_put(r, (ring_item){ k, NULL }, 0, NOW), 1);
    ck_assert_int_eq(ring_put(r, (ring_item){ 3, NULL }, 0, NOW), 0);
    int64_t begin = os_monotonic();
    ck_assert_int_eq(ring_put(r, (ring_item){ 3, NULL }, 0, LONG), 0); /* it waited for room */
    ck_assert_int_ge(os_monotonic() - begin, LONG);
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(ring_take(r, &item, LONG), 1);
        ck_assert_int_eq(item.kind, k);
    }
    ring_free(r);
}
END_TEST

static void put_all(void *context)
{
    for (size_t n = 1; n <= ITEMS;) n += (size_t)ring_put(context, (ring_item){ 0, number(n) }, 0, LONG);
}

static void check_between_threads(uint32_t size)
{
    ring *r = ring_new(size);
    text why = { 0 };
    os_thread *t;
    ring_item item;

    ck_assert_int_eq(os_thread_start(put_all, r, &t, &why), TW_OK);
    for (size_t n = 1; n <= ITEMS;) {
        if (!ring_take(r, &item, LONG)) continue;
        ck_assert_ptr_eq(item.what, number(n));
        n++;
    }
    os_thread_join(t);
    ck_assert_uint_eq(ring_count(r), 0);
    ring_free(r);
}

static void put_one(void *context)
{
    os_sleep(5 * LONG);
    ring_put(context, (ring_item){ 0, NULL }, 1, NOW);
}

/* Who waits is woken at once only for what is in a hurry. */
START_TEST(in_a_hurry)
{
    ring *r = ring_new(8);
    text why = { 0 };
    os_thread *t;
    ring_item item;
    int64_t begin = os_monotonic();

    ck_assert_int_eq(os_thread_start(put_one, r, &t, &why), TW_OK);
    ck_assert_int_eq(ring_take(r, &item, 1000 * (int64_t)LONG), 1);
    ck_assert_int_lt(os_monotonic() - begin, 500 * (int64_t)LONG);
    os_thread_join(t);
    ring_free(r);
}
END_TEST

START_TEST(between_threads)
{
    check_between_threads(1);
    check_between_threads(8);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ring");
    TCase *t = tcase_create("ring");

    tcase_add_test(t, order_and_bounds);
    tcase_add_test(t, between_threads);
    tcase_add_test(t, in_a_hurry);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
