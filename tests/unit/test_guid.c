/* test_guid.c - GUIDs as text and back, and what Windows defines for all providers. */
#include <check.h>
#include <stdlib.h>

#include "../../plugins/common/text/ascii.h"
#include "guid.h"
#include "standard.h"

static const uint8_t disk[16] = { 0xD4, 0xA8, 0x6F, 0x3D, 0x05, 0xFE, 0xD0, 0x11,
                                  0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C };
static const char text[] = "3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c";

static size_t taken(const char *from, uint8_t guid[16])
{
    return guid_read(from, strlen(from), guid);
}

START_TEST(text_and_back)
{
    char out[GUID_TEXT];
    uint8_t guid[16];

    guid_write(disk, out);
    ck_assert_str_eq(out, text);
    ck_assert_uint_eq(taken(text, guid), 36);
    ck_assert_mem_eq(guid, disk, 16);
    ck_assert_uint_eq(taken("{3D6FA8D4-FE05-11D0-9DDA-00C04FD7BA7C} DiskIo", guid), 38);
    ck_assert_mem_eq(guid, disk, 16);
}
END_TEST

START_TEST(what_is_none)
{
    uint8_t guid[16];

    ck_assert_uint_eq(taken("", guid), 0);
    ck_assert_uint_eq(guid_read(text, 35, guid), 0);
    ck_assert_uint_eq(taken("{3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c", guid), 0);
    ck_assert_uint_eq(taken("{3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c)", guid), 0);
    ck_assert_uint_eq(taken("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7g", guid), 0);
    ck_assert_uint_eq(taken("3d6fa8d4+fe05-11d0-9dda-00c04fd7ba7c", guid), 0);
    ck_assert_uint_eq(taken("3d6fa8d4-fe05-11d0-9dda000c04fd7ba7c", guid), 0);
}
END_TEST

START_TEST(as_a_key)
{
    uint8_t other[16];

    memcpy(other, disk, 16);
    other[15] ^= 1;
    ck_assert_uint_ne(guid_hash(disk, 1), guid_hash(disk, 2));
    ck_assert_uint_ne(guid_hash(disk, 1), guid_hash(other, 1));
}
END_TEST

START_TEST(standard_words)
{
    uint64_t value;

    ck_assert_str_eq(standard_name(STANDARD_LEVEL, 4), "Information");
    ck_assert_str_eq(standard_name(STANDARD_OPCODE, 240), "Receive");
    ck_assert_ptr_null(standard_name(STANDARD_OPCODE, 10));
    ck_assert_str_eq(standard_find(STANDARD_OPCODE, "win:dc_START", &value), "DCStart");
    ck_assert_uint_eq(value, 3);
    ck_assert_str_eq(standard_find(STANDARD_KEYWORD, "AuditSuccess", &value), "AuditSuccess");
    ck_assert_uint_eq(value, UINT64_C(0x20000000000000));
    ck_assert_ptr_null(standard_find(STANDARD_LEVEL, "win:Start", &value));
}
END_TEST

START_TEST(ascii_words)
{
    ck_assert(ascii_same("HexInt32", "hEXiNT32"));
    ck_assert(!ascii_same("HexInt32", "HexInt3"));
    ck_assert(!ascii_same("HexInt3", "HexInt32"));
    ck_assert(!ascii_same("@", "`")); /* a bit apart, as A is from a */
    ck_assert_uint_eq(ascii_hex('0'), 0);
    ck_assert_uint_eq(ascii_hex('f'), 15);
    ck_assert_uint_eq(ascii_hex('F'), 15);
    ck_assert_uint_eq(ascii_hex('g'), 16);
    ck_assert_uint_eq(ascii_hex('\x16'), 16);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guid");
    TCase *c = tcase_create("guid");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(c, text_and_back);
    tcase_add_test(c, what_is_none);
    tcase_add_test(c, as_a_key);
    tcase_add_test(c, standard_words);
    tcase_add_test(c, ascii_words);
    suite_add_tcase(suite, c);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
