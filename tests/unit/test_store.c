/* test_store.c - memory that is given back all at once. */
#include "store.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static store s;

static void open_store(void)
{
    memset(&s, 0, sizeof s);
}

static void close_store(void)
{
    store_free(&s);
}

START_TEST(pieces_are_zeroed_aligned_and_apart)
{
    uint8_t *piece[200];

    for (size_t i = 0; i < 200; i++) {
        size_t n = i * 7 % 300 + 1;
        piece[i] = store_new(&s, n);
        ck_assert_ptr_nonnull(piece[i]);
        ck_assert_uint_eq((uintptr_t)piece[i] % 16, 0);
        for (size_t k = 0; k < n; k++) ck_assert_uint_eq(piece[i][k], 0);
        memset(piece[i], (int)i, n);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < i * 7 % 300 + 1; k++) ck_assert_uint_eq(piece[i][k], i);
    store_free(&s);
    ck_assert_uint_eq(s.used, 0);
    ck_assert_ptr_nonnull(store_new(&s, 1)); /* and it can be used again */
}
END_TEST

START_TEST(large_pieces)
{
    uint8_t *small = store_new(&s, 8), *large = store_new(&s, 1 << 20), *after = store_new(&s, 8);

    ck_assert(small && large && after);
    memset(large, 1, 1 << 20);
    ck_assert_uint_eq(*small, 0);
    ck_assert_uint_eq(*after, 0);
}
END_TEST

START_TEST(the_limit)
{
    s.limit = 1000;
    ck_assert_ptr_nonnull(store_new(&s, 960));
    ck_assert_ptr_nonnull(store_new(&s, 32));
    ck_assert_ptr_null(store_new(&s, 9));
    ck_assert_ptr_null(store_new(&s, SIZE_MAX));
    ck_assert_ptr_null(store_text(&s, "0123456789", 10));
    ck_assert_ptr_null(store_text16(&s, (const uint8_t *)"0\0001\0002\0003\0", 4));
    store_free(&s);
    ck_assert_ptr_nonnull(store_new(&s, 960));
    s.limit = 0;
    ck_assert_ptr_null(store_new(&s, SIZE_MAX));
    ck_assert_ptr_null(store_new(&s, SIZE_MAX - 8));
}
END_TEST

#define ck_text(bytes, expected) ck_assert_str_eq(store_text(&s, bytes, sizeof(bytes) - 1), expected)
#define ck_text16(bytes, expected)                                                                                   \
    ck_assert_str_eq(store_text16(&s, (const uint8_t *)(bytes), sizeof(bytes) / 2), expected)

START_TEST(texts_of_utf8)
{
    ck_text("", "");
    ck_text("abc", "abc");
    ck_text("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "é€😀");
    ck_text("a\xFF"
            "b",
            "a\xEF\xBF\xBD"
            "b");
    ck_text("\xC3", "\xEF\xBF\xBD");                                                 /* cut off */
    ck_text("\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD");                                 /* a NUL in two bytes */
    ck_text("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");                 /* a surrogate */
    ck_text("\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* beyond U+10FFFF */
    ck_assert_str_eq(store_text(&s, "abcdef", 3), "abc");
}
END_TEST

START_TEST(texts_of_utf16)
{
    ck_text16("", "");
    ck_text16("a\0b\0\0", "ab"); /* the string's own NUL makes the terminator whole */
    ck_text16("a\0\0\0b\0", "a");
    ck_text16("\xE9\x00\xAC\x20\x3D\xD8\x00\xDE", "é€😀");
    ck_text16("\x3D\xD8", "\xEF\xBF\xBD");
    ck_text16("\x00\xDE\x3D\xD8", "\xEF\xBF\xBD\xEF\xBF\xBD"); /* the wrong way round */
    ck_text16("\x3D\xD8z\0", "\xEF\xBF\xBDz");
    uint8_t odd[] = { 9, 'x', 0, 'y', 0 };
    ck_assert_str_eq(store_text16(&s, odd + 1, 2), "xy"); /* at an odd address */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *c = tcase_create("store");

    tcase_add_checked_fixture(c, open_store, close_store);
    tcase_add_test(c, pieces_are_zeroed_aligned_and_apart);
    tcase_add_test(c, large_pieces);
    tcase_add_test(c, the_limit);
    tcase_add_test(c, texts_of_utf8);
    tcase_add_test(c, texts_of_utf16);
    suite_add_tcase(suite, c);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed;
}
