/* test_text.c - growing strings, the nearest word, patterns, and arenas. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "text.h"

START_TEST(a_new_text_is_empty)
{
    text t = { 0 };
    ck_assert_str_eq(text_of(&t), "");
    text_put(&t, "");
    ck_assert_str_eq(text_of(&t), "");
    ck_assert_uint_eq(t.n, 0);
    text_free(&t);
}
END_TEST

START_TEST(what_is_added_follows_what_was_there)
{
    text t = { 0 };
    text_put(&t, "ab");
    text_add(&t, "c\0d", 3);
    ck_assert_uint_eq(t.n, 5);
    ck_assert_mem_eq(t.at, "abc\0d", 6);
    text_clear(&t);
    ck_assert_str_eq(text_of(&t), "");
    text_format(&t, "%s=%d", "x", -7);
    text_format(&t, ";%04x", 0xbee);
    ck_assert_str_eq(text_of(&t), "x=-7;0bee");
    text_free(&t);
    ck_assert_str_eq(text_of(&t), "");
    ck_assert_ptr_null(t.at);
}
END_TEST

/* Around every size that the memory behind it may have, one byte a time and in one format. */
START_TEST(growth_loses_no_byte)
{
    text one = { 0 }, other = { 0 };
    char wanted[300];
    for (int n = 0; n < 300; n++) {
        wanted[n] = (char)('a' + n % 26);
        text_add(&one, &wanted[n], 1);
        ck_assert_uint_eq(one.n, (size_t)n + 1);
        ck_assert_mem_eq(one.at, wanted, (size_t)n + 1);
        ck_assert_int_eq(one.at[n + 1], 0);
        text_free(&other);
        text_put(&other, "<");
        text_format(&other, "%.*s>", n + 1, wanted);
        ck_assert_uint_eq(other.n, (size_t)n + 3);
        ck_assert_int_eq(other.at[n + 2], '>');
        ck_assert_int_eq(other.at[n + 3], 0);
    }
    text_free(&one);
    text_free(&other);
}
END_TEST

START_TEST(copies_are_ended)
{
    char *copy = mem_text("abcdef", 3);
    ck_assert_str_eq(copy, "abc");
    free(copy);
    copy = mem_text(NULL, 0);
    ck_assert_str_eq(copy, "");
    free(copy);
}
END_TEST

static const char *const names[] = { "file", NULL, "tables", "time", "limit", "Provider", "id", "profile" };
static const char *nearest(const char *word)
{
    return text_nearest(word, names, sizeof names / sizeof *names);
}

START_TEST(the_nearest_name_is_found)
{
    ck_assert_str_eq(nearest("fil"), "file");      /* one dropped */
    ck_assert_str_eq(nearest("fiile"), "file");    /* one added */
    ck_assert_str_eq(nearest("filw"), "file");     /* one replaced */
    ck_assert_str_eq(nearest("flie"), "file");     /* two swapped count as one */
    ck_assert_str_eq(nearest("TABLES"), "tables"); /* case is no edit */
    ck_assert_str_eq(nearest("provdier"), "Provider");
    ck_assert_str_eq(nearest("tabel"), "tables"); /* two edits in six letters */
    ck_assert_str_eq(nearest("tme"), "time");
    ck_assert_str_eq(nearest("Id"), "id");
}
END_TEST

START_TEST(what_is_far_is_no_suggestion)
{
    ck_assert_ptr_null(nearest(""));
    ck_assert_ptr_null(nearest("ix"));   /* one edit in two letters */
    ck_assert_ptr_null(nearest("fxyz")); /* three in four */
    ck_assert_ptr_null(nearest("output"));
    ck_assert_ptr_null(text_nearest("file", names, 0));
    char longest[1000];
    memset(longest, 'f', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    ck_assert_ptr_null(nearest(longest));
    const char *const one[] = { longest };
    ck_assert_ptr_null(text_nearest("f", one, 1));
}
END_TEST

START_TEST(the_nearest_wins_then_the_first)
{
    const char *const alike[] = { "starts", "stark", "stars" };
    ck_assert_str_eq(text_nearest("start", alike, 3), "starts");
    ck_assert_str_eq(text_nearest("stars", alike, 3), "stars");
}
END_TEST

START_TEST(patterns_fit)
{
    static const struct {
        const char *pattern, *name;
        int fits;
    } cases[] = {
        { "", "", 1 },
        { "", "a", 0 },
        { "*", "", 1 },
        { "*", "anything/at all", 1 },
        { "DiskIo/Read", "DiskIo/Read", 1 },
        { "DiskIo/Read", "DiskIo/ReadInit", 0 },
        { "DiskIo/Read", "DiskIo/Rea", 0 },
        { "DiskIo/*", "DiskIo/Read", 1 },
        { "DiskIo/*", "DiskIo/", 1 },
        { "DiskIo/*", "DiskI", 0 },
        { "*/Start", "Process/Start", 1 },
        { "*/Start", "Process/Start/Start", 1 },
        { "*/Start", "Process/StartX", 0 },
        { "*a*b*", "xxaxxbxx", 1 },
        { "*a*b*", "xxbxxaxx", 0 },
        { "a**b", "ab", 1 },
        { "*ab", "aab", 1 },
        { "*aab", "aaaab", 1 },
        { "a*", "A", 0 },
        { "a?c", "abc", 0 },
        { "a?c", "a?c", 1 },
        { "*.*", "abc", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(text_fits(cases[i].pattern, cases[i].name) == cases[i].fits, "%s on %s", cases[i].pattern,
                      cases[i].name);
    }
}
END_TEST

/* A pattern of many stars must not take time that grows with a power of their number. */
START_TEST(many_stars_end_soon)
{
    char pattern[201], name[5001];
    for (int i = 0; i < 200; i += 2) memcpy(pattern + i, "*a", 2);
    pattern[200] = 0;
    memset(name, 'a', 5000);
    name[5000] = 0;
    ck_assert_int_eq(text_fits(pattern, name), 1);
    pattern[199] = 'b';
    ck_assert_int_eq(text_fits(pattern, name), 0);
}
END_TEST

START_TEST(arena_memory_is_aligned_and_apart)
{
    arena a = { 0 };
    uint8_t *at[2000];
    size_t sum = 0;
    for (int round = 0; round < 3; round++) {
        sum = 0;
        for (size_t i = 0; i < 2000; i++) {
            size_t n = i * 7 % 129;
            at[i] = arena_alloc(&a, n);
            ck_assert_uint_eq((uintptr_t)at[i] % 16, 0);
            memset(at[i], (int)(i & 0xFF), n);
            sum += n;
        }
        for (size_t i = 0; i < 2000; i++) {
            for (size_t k = 0; k < i * 7 % 129; k++) ck_assert_uint_eq(at[i][k], i & 0xFF);
        }
        ck_assert_uint_eq(a.used, sum);
        arena_reset(&a);
        ck_assert_uint_eq(a.used, 0);
    }
    arena_free(&a);
}
END_TEST

START_TEST(arena_takes_what_is_large)
{
    arena a = { 0 };
    char *small = arena_text(&a, "before", 6);
    uint8_t *large = arena_alloc(&a, 5 << 20);
    char *after = arena_text(&a, "after!", 5);
    memset(large, 0xA5, 5 << 20);
    ck_assert_str_eq(small, "before");
    ck_assert_str_eq(after, "after");
    ck_assert_uint_eq(large[(5 << 20) - 1], 0xA5);
    arena_reset(&a);
    arena_reset(&a);
    ck_assert_str_eq(arena_text(&a, "again", 5), "again");
    arena_free(&a);
    arena_free(&a);
    ck_assert_ptr_null(a.first);
}
END_TEST

/* Used alike again and again, an arena must come to hand out the same memory. */
START_TEST(arena_settles)
{
    arena a = { 0 };
    void *first = NULL;
    for (int round = 0; round < 20; round++) {
        void *start = arena_alloc(&a, 100);
        if (round == 10) first = start;
        if (round > 10) ck_assert_ptr_eq(start, first);
        for (int i = 0; i < 2000; i++) arena_alloc(&a, 100);
        arena_reset(&a);
    }
    arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_new_text_is_empty);
    tcase_add_test(all, what_is_added_follows_what_was_there);
    tcase_add_test(all, growth_loses_no_byte);
    tcase_add_test(all, copies_are_ended);
    tcase_add_test(all, the_nearest_name_is_found);
    tcase_add_test(all, what_is_far_is_no_suggestion);
    tcase_add_test(all, the_nearest_wins_then_the_first);
    tcase_add_test(all, patterns_fit);
    tcase_add_test(all, many_stars_end_soon);
    tcase_add_test(all, arena_memory_is_aligned_and_apart);
    tcase_add_test(all, arena_takes_what_is_large);
    tcase_add_test(all, arena_settles);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
