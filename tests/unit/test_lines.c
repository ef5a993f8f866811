/* test_lines.c - a stream of bytes becomes lines. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "text.h"

static lines l;
static text got;

static void setup(void)
{
    memset(&l, 0, sizeof l);
    l.most = 8;
}

static void teardown(void)
{
    lines_free(&l);
    text_free(&got);
}

/* Takes what there is: `whole|` and `part~`; ends in `.` where nothing more is known. */
static void take(void)
{
    const char *line;
    size_t n;
    int what;

    while ((what = lines_next(&l, &line, &n)) != LINES_NONE) {
        text_add(&got, line, n);
        text_put(&got, what == LINES_WHOLE ? "|" : what == LINES_PART ? "~" : ".");
    }
}

/* Gives the bytes in pieces of `piece` bytes and takes lines in between; the stream ends then. */
static const char *lines_of(const char *bytes, size_t n, size_t piece)
{
    text_clear(&got);
    while (n) {
        size_t room;
        char *to = lines_room(&l, &room);
        ck_assert_uint_gt(room, 0);
        if (room > piece) room = piece;
        if (room > n) room = n;
        memcpy(to, bytes, room);
        lines_add(&l, room);
        bytes += room;
        n -= room;
        take();
    }
    l.ended = 1;
    take();
    return text_of(&got);
}

static const char *lines_of_text(const char *s, size_t piece)
{
    size_t most = l.most;
    int pieces = l.pieces;

    lines_free(&l);
    l.most = most;
    l.pieces = pieces;
    return lines_of(s, strlen(s), piece);
}

START_TEST(ends_of_lines)
{
    for (size_t piece = 1; piece < 20; piece++) {
        ck_assert_str_eq(lines_of_text("a\nbc\r\n\n\r\nlast", piece), "a|bc|||last.");
        ck_assert_str_eq(lines_of_text("a\rb\n", piece), "a\rb|");
        ck_assert_str_eq(lines_of_text("a\r\r\n", piece), "a\r|");
        ck_assert_str_eq(lines_of_text("only\r", piece), "only\r.");
        ck_assert_str_eq(lines_of_text("", piece), "");
        ck_assert_str_eq(lines_of_text("\n", piece), "|");
    }
}
END_TEST

START_TEST(a_mark_at_the_beginning)
{
    for (size_t piece = 1; piece < 6; piece++) {
        ck_assert_str_eq(lines_of_text("\xEF\xBB\xBF{}\n\xEF\xBB\xBFx\n", piece), "{}|\xEF\xBB\xBFx|");
        ck_assert_str_eq(lines_of_text("\xEF\xBBz\n", piece), "\xEF\xBBz|");
        ck_assert_str_eq(lines_of_text("\xEF\xBB", piece), "\xEF\xBB.");
        ck_assert_str_eq(lines_of_text("\xEF\xBB\xBF", piece), "");
    }
}
END_TEST

START_TEST(long_lines_are_skipped)
{
    for (size_t piece = 1; piece < 40; piece++) {
        ck_assert_str_eq(lines_of_text("12345678\n12345678\r\nx\n", piece), "12345678|12345678|x|");
        ck_assert_str_eq(lines_of_text("123456789\nx\n", piece), "12345678~x|");
        ck_assert_str_eq(lines_of_text("123456789012345678901234567890\nx\n", piece), "12345678~x|");
        ck_assert_str_eq(lines_of_text("x\n12345678901234", piece), "x|12345678~");
    }
}
END_TEST

START_TEST(long_lines_in_pieces)
{
    l.pieces = 1;
    for (size_t piece = 1; piece < 40; piece++) {
        ck_assert_str_eq(lines_of_text("12345678\r\nx\n", piece), "12345678|x|");
        ck_assert_str_eq(lines_of_text("123456789\nx\n", piece), "12345678~9|x|");
        ck_assert_str_eq(lines_of_text("12345678901234567890\r\nx", piece), "12345678~90123456~7890|x.");
    }
}
END_TEST

START_TEST(any_bytes)
{
    static const char bytes[] = "a\0b\n\xFF\xFE\n";
    static const char want[] = "a\0b|\xFF\xFE|";

    lines_of(bytes, sizeof bytes - 1, 3);
    ck_assert_uint_eq(got.n, sizeof want - 1);
    ck_assert_int_eq(memcmp(got.at, want, got.n), 0);
}
END_TEST

START_TEST(memory_is_bounded)
{
    size_t room, total = 0;

    l.most = 100000;
    for (;;) {
        char *to = lines_room(&l, &room);
        if (!room) break;
        memset(to, 'x', room);
        lines_add(&l, room);
        total += room;
    }
    ck_assert_uint_eq(total, 100002); /* one that just fits, with CR LF */
    take();
    ck_assert_uint_eq(got.n, 100001);
    ck_assert_int_eq(got.at[100000], '~');
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lines");
    TCase *tests = tcase_create("lines");
    SRunner *runner = srunner_create(suite);

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, ends_of_lines);
    tcase_add_test(tests, a_mark_at_the_beginning);
    tcase_add_test(tests, long_lines_are_skipped);
    tcase_add_test(tests, long_lines_in_pieces);
    tcase_add_test(tests, any_bytes);
    tcase_add_test(tests, memory_is_bounded);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
