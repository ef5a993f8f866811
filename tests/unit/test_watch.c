/* test_watch.c - the time limit of calls: who is asked, and who is not any more. Ending the process is golden/limits. */
#include <check.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "os.h"
#include "watch.h"

enum { MILLISECOND = 1000000 };

static atomic_int asked;

static void ask(void *context)
{
    (void)context;
    atomic_fetch_add(&asked, 1);
}

static void setup(void)
{
    atomic_store(&asked, 0);
}

START_TEST(test_in_time)
{
    watch *w = watch_new(10000 * (int64_t)MILLISECOND, ask, NULL);

    for (int i = 0; i < 1000; i++) {
        watch_begin(w, "a.lua", "");
        ck_assert_int_eq(watch_end(w), 0);
    }
    watch_free(w);
    ck_assert_int_eq(atomic_load(&asked), 0);
}
END_TEST

START_TEST(test_late)
{
    watch *w = watch_new(20 * MILLISECOND, ask, NULL);

    for (int i = 1; i <= 2; i++) { /* the second call has its own time */
        int64_t begin = os_monotonic();
        watch_begin(w, "a.lua", "filter at line 1");
        while (atomic_load(&asked) < i) os_sleep(MILLISECOND);
        int64_t ns = os_monotonic() - begin;
        ck_assert_int_ge(ns, 20 * MILLISECOND);
        ck_assert_int_eq(watch_end(w), 1);
        ck_assert_int_eq(watch_insists(w), 0);
    }
    watch_begin(w, "a.lua", "");
    ck_assert_int_eq(watch_end(w), 0);
    watch_free(w);
    ck_assert_int_eq(atomic_load(&asked), 2);
}
END_TEST

/* Between asking and ending there is a while in which memory is refused. */
START_TEST(test_insists)
{
    watch *w = watch_new(10 * MILLISECOND, ask, NULL);
    int64_t begin = os_monotonic();

    watch_begin(w, "a.lua", "");
    while (!watch_insists(w)) os_sleep(MILLISECOND);
    ck_assert_int_ge(os_monotonic() - begin, 260 * MILLISECOND);
    ck_assert_int_eq(watch_end(w), 1);
    ck_assert_int_eq(atomic_load(&asked), 1);
    watch_free(w);
}
END_TEST

/* Calls that end at the very moment they are late: each is asked and says so, or neither. */
START_TEST(test_at_the_limit)
{
    watch *w = watch_new(12 * MILLISECOND, ask, NULL);
    int late = 0;

    for (int i = 0; i < 60; i++) {
        watch_begin(w, "a.lua", "");
        os_sleep(11 * MILLISECOND + i * (int64_t)50000);
        late += watch_end(w);
        ck_assert_int_eq(atomic_load(&asked), late);
    }
    watch_free(w);
}
END_TEST

START_TEST(test_sentences)
{
    static const struct {
        int64_t ns;
        const char *sentence;
    } cases[] = {
        { 10000 * (int64_t)MILLISECOND, "has not come back for 10 s: stopped (--script-time sets the limit)" },
        { 300 * MILLISECOND, "has not come back for 300 ms: stopped (--script-time sets the limit)" },
        { 1500 * (int64_t)MILLISECOND, "has not come back for 1500 ms: stopped (--script-time sets the limit)" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        watch *w = watch_new(cases[i].ns, ask, NULL);
        text said = { 0 };
        watch_sentence(w, &said);
        ck_assert_str_eq(text_of(&said), cases[i].sentence);
        text_free(&said);
        watch_free(w);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("watch");
    TCase *tests = tcase_create("watch");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, test_in_time);
    tcase_add_test(tests, test_late);
    tcase_add_test(tests, test_insists);
    tcase_add_test(tests, test_at_the_limit);
    tcase_add_test(tests, test_sentences);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
