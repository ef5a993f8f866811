/* test_sort.c - the sorter against a naive stable sort of the same events. */
#include <check.h>
#include <stdlib.h>

#include "sort.h"

enum { CAP = 16, MOST = 20000 };

typedef struct feeding { /* what was given, and what a naive sort makes of it */
    batch_pool *pool;
    sorter *sorter;
    tw_event given[MOST], got[MOST];
    uint32_t ngiven, ngot;
    int released;
} feeding;

static feeding f;

static uint32_t random_number(uint32_t below)
{
    static uint64_t state = 0x9E3779B97F4A7C15ull;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

static void setup(void)
{
    memset(&f, 0, sizeof f);
    f.pool = batch_pool_new(CAP);
    f.sorter = sorter_new(f.pool);
}

static void teardown(void)
{
    sorter_free(f.sorter);
    batch_pool_free(f.pool); /* asserts that all batches are back */
}

static void count_release(void *arg)
{
    ++*(int *)arg;
}

/* A batch of events at these times; pid numbers all events in the order they were given. */
static void add_of(uint16_t source, const int64_t *time, uint32_t n)
{
    tw_batch *b = batch_take(f.pool);
    uint32_t *payload = batch_alloc(b, n * sizeof *payload);

    for (uint32_t i = 0; i < n; i++) {
        payload[i] = f.ngiven;
        tw_event e = { .time = time[i], .pid = f.ngiven, .data = (const uint8_t *)&payload[i], .bytes = 4 };
        e.source = source;
        b->event[b->n++] = f.given[f.ngiven++] = e;
    }
    batch_keep(b, count_release, &f.released);
    sorter_add(f.sorter, b, source);
}

static void add(const int64_t *time, uint32_t n)
{
    add_of(0, time, n);
}

static void take(int64_t upto)
{
    for (tw_batch *b; (b = sorter_next(f.sorter, upto)); batch_let_go(b)) {
        ck_assert_uint_gt(b->n, 0);
        ck_assert_uint_le(b->n, b->cap);
        for (uint32_t i = 0; i < b->n; i++) {
            ck_assert_uint_eq(tw_u32(b->event[i].data), b->event[i].pid); /* payload lives */
            f.got[f.ngot++] = b->event[i];
        }
        ck_assert_int_ge(b->upto, b->event[b->n - 1].time);
    }
}

static int is_behind(const tw_event *a, const tw_event *b)
{
    return a->time != b->time ? a->time > b->time : a->source > b->source;
}

/* A stable sort that is obviously right. */
static void insertion_sort(tw_event *e, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        tw_event moved = e[i];
        uint32_t at = i;
        for (; at > 0 && is_behind(&e[at - 1], &moved); at--) e[at] = e[at - 1];
        e[at] = moved;
    }
}

static void check_all_sorted(void)
{
    insertion_sort(f.given, f.ngiven);
    ck_assert_uint_eq(f.ngot, f.ngiven);
    for (uint32_t i = 0; i < f.ngot; i++) {
        ck_assert_int_eq(f.got[i].time, f.given[i].time);
        ck_assert_uint_eq(f.got[i].pid, f.given[i].pid);
    }
    ck_assert_uint_eq(sorter_held(f.sorter), 0);
    ck_assert_uint_eq(sorter_late(f.sorter), 0);
}

START_TEST(merges_by_hand)
{
    add((const int64_t[]){ 1, 4, 9 }, 3);
    add((const int64_t[]){ 2, 4, 4 }, 3);
    add((const int64_t[]){ 9, 10 }, 2); /* follows the first */
    take(INT64_MAX);
    static const uint32_t order[] = { 0, 3, 1, 4, 5, 2, 6, 7 };
    ck_assert_uint_eq(f.ngot, 8);
    for (uint32_t i = 0; i < 8; i++) ck_assert_uint_eq(f.got[i].pid, order[i]);
    ck_assert_int_eq(f.released, 3);
}
END_TEST

START_TEST(holds_what_is_not_before_the_mark)
{
    add((const int64_t[]){ 1, 5, 10 }, 3);
    take(1);
    ck_assert_uint_eq(f.ngot, 0); /* earlier than 1, not up to it */
    take(5);
    ck_assert_uint_eq(f.ngot, 1);
    take(6);
    ck_assert_uint_eq(f.ngot, 2);
    ck_assert_uint_eq(sorter_held(f.sorter), 1);
    ck_assert_int_eq(f.released, 0);
    add((const int64_t[]){ 7, 10, INT64_MAX }, 3);
    take(10);
    ck_assert_uint_eq(f.ngot, 3);
    take(INT64_MAX);
    check_all_sorted();
    ck_assert_int_eq(f.released, 2);
}
END_TEST

START_TEST(late_events_move_and_are_counted)
{
    add((const int64_t[]){ 10, 20 }, 2);
    take(INT64_MAX);
    add((const int64_t[]){ 5, 25 }, 2);
    add((const int64_t[]){ 3, 20, 30 }, 3);
    take(INT64_MAX);
    static const int64_t time[] = { 10, 20, 20, 20, 20, 25, 30 };
    static const uint32_t order[] = { 0, 1, 4, 2, 5, 3, 6 };
    ck_assert_uint_eq(f.ngot, 7);
    for (uint32_t i = 0; i < 7; i++) {
        ck_assert_int_eq(f.got[i].time, time[i]);
        ck_assert_uint_eq(f.got[i].pid, order[i]);
    }
    ck_assert_uint_eq(sorter_late(f.sorter), 2);
}
END_TEST

START_TEST(an_empty_batch_and_the_first_times)
{
    add(NULL, 0);
    ck_assert_ptr_null(sorter_next(f.sorter, INT64_MAX));
    ck_assert_int_eq(f.released, 1);
    add((const int64_t[]){ INT64_MIN, INT64_MIN, 0 }, 3);
    add((const int64_t[]){ INT64_MIN }, 1);
    take(INT64_MAX);
    check_all_sorted();
}
END_TEST

START_TEST(freed_with_events_inside)
{
    add((const int64_t[]){ 1, 2, 3 }, 3);
    add((const int64_t[]){ 1, 0, 3 }, 3);
    take(2);
    ck_assert_uint_eq(sorter_held(f.sorter), 3);
    sorter_free(f.sorter);
    ck_assert_int_eq(f.released, 2);
    f.sorter = sorter_new(f.pool);
}
END_TEST

/* Streams in order, one a CPU; batches come from any of them, in bursts. */
START_TEST(random_streams)
{
    static const uint32_t bursts[] = { 1, 3, 8, 64 };
    uint32_t burst = bursts[_i];
    int64_t clock[8] = { 0 };

    while (f.ngiven < 4000) {
        int64_t time[CAP];
        uint32_t cpu = random_number(8), n = 1 + random_number(CAP);
        for (uint32_t i = 0; i < n; i++) {
            if (i % burst == 0) clock[cpu] += random_number(burst * 20);
            time[i] = clock[cpu] += random_number(3); /* zero often: equal times */
        }
        add(time, n);
        int64_t least = clock[0];
        for (uint32_t c = 1; c < 8; c++)
            if (clock[c] < least) least = clock[c];
        if (random_number(4) == 0) take(least);
    }
    take(INT64_MAX);
    check_all_sorted();
}
END_TEST

/* No order at all, few different times: many runs in each batch, each sorted by itself first. */
START_TEST(random_disorder)
{
    while (f.ngiven < 4000) {
        int64_t time[CAP];
        uint32_t n = 1 + random_number(CAP);
        for (uint32_t i = 0; i < n; i++) time[i] = random_number(_i ? 50 : 1000000);
        add(time, n);
    }
    take(INT64_MAX);
    check_all_sorted();
    ck_assert_uint_gt((uint32_t)f.released, 200);
}
END_TEST

/* Ever earlier: every batch is a chain of its own, more of them than are searched. */
START_TEST(descending)
{
    for (int64_t at = 1000; at > 0; at--) add((const int64_t[]){ at * 2, at * 2 + 1 }, 2);
    take(INT64_MAX);
    check_all_sorted();
}
END_TEST

/* A source whose mark lies: times never step back behind the sorter, and every move is counted. */
START_TEST(random_marks)
{
    uint64_t moved = 0;

    for (uint32_t round = 0; round < 300; round++) {
        int64_t time[CAP];
        uint32_t n = 1 + random_number(CAP);
        for (uint32_t i = 0; i < n; i++) time[i] = round * 10 + random_number(100);
        add(time, n);
        take(round * 10 + random_number(120));
    }
    take(INT64_MAX);
    ck_assert_uint_eq(f.ngot, f.ngiven);
    for (uint32_t i = 0; i < f.ngot; i++) {
        if (i) ck_assert_int_ge(f.got[i].time, f.got[i - 1].time);
        int64_t was = f.given[f.got[i].pid].time;
        ck_assert_int_ge(f.got[i].time, was);
        moved += f.got[i].time != was;
    }
    ck_assert_uint_eq(sorter_late(f.sorter), moved);
    ck_assert_uint_gt(moved, 0);
}
END_TEST

/* Of equal times the lower source is first, whoever came first. */
START_TEST(several_sources)
{
    for (uint32_t k = 0; k < 300; k++) {
        int64_t time[7];
        uint32_t n = 1 + random_number(7);
        for (uint32_t i = 0; i < n; i++) time[i] = (int64_t)(k / 10 * 5 + random_number(10));
        add_of((uint16_t)random_number(4), time, n);
    }
    take(INT64_MAX);
    check_all_sorted();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sort");
    TCase *t = tcase_create("sort");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, merges_by_hand);
    tcase_add_test(t, holds_what_is_not_before_the_mark);
    tcase_add_test(t, late_events_move_and_are_counted);
    tcase_add_test(t, an_empty_batch_and_the_first_times);
    tcase_add_test(t, freed_with_events_inside);
    tcase_add_loop_test(t, random_streams, 0, 4);
    tcase_add_loop_test(t, random_disorder, 0, 2);
    tcase_add_test(t, descending);
    tcase_add_test(t, random_marks);
    tcase_add_test(t, several_sources);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
