/* test_code.c - error codes and their names, against the vendor's public lists. */
#include <check.h>

#include "code.h"
#include "tw_plugin.h"

static void ck_called(uint8_t show, uint32_t code, const char *name)
{
    const char *found = code_name(show, code);
    ck_assert_msg(found && !strcmp(found, name), "0x%08x is %s, not %s", (unsigned)code, found ? found : "nameless",
                  name);
}

START_TEST(codes_have_names)
{
    ck_called(TW_SHOW_NTSTATUS, 0, "STATUS_SUCCESS"); /* not STATUS_WAIT_0 */
    ck_called(TW_SHOW_NTSTATUS, 0x103, "STATUS_PENDING");
    ck_called(TW_SHOW_NTSTATUS, 0x80000005, "STATUS_BUFFER_OVERFLOW");
    ck_called(TW_SHOW_NTSTATUS, 0xC0000005, "STATUS_ACCESS_VIOLATION");
    ck_called(TW_SHOW_NTSTATUS, 0xC0000022, "STATUS_ACCESS_DENIED");
    ck_called(TW_SHOW_NTSTATUS, 0xC0000034, "STATUS_OBJECT_NAME_NOT_FOUND");
    ck_called(TW_SHOW_WIN32, 0, "ERROR_SUCCESS");
    ck_called(TW_SHOW_WIN32, 2, "ERROR_FILE_NOT_FOUND");
    ck_called(TW_SHOW_WIN32, 1168, "ERROR_NOT_FOUND");
    ck_called(TW_SHOW_WIN32, 1722, "RPC_S_SERVER_UNAVAILABLE");
    ck_called(TW_SHOW_WIN32, 10054, "WSAECONNRESET");
    ck_called(TW_SHOW_HRESULT, 0, "S_OK");
    ck_called(TW_SHOW_HRESULT, 1, "S_FALSE");
    ck_called(TW_SHOW_HRESULT, 0x80004005, "E_FAIL");
    ck_called(TW_SHOW_HRESULT, 0x80040154, "REGDB_E_CLASSNOTREG");
}
END_TEST

START_TEST(wrapped_codes_have_the_name_of_what_they_wrap)
{
    ck_called(TW_SHOW_HRESULT, 0x80070002, "ERROR_FILE_NOT_FOUND");
    ck_called(TW_SHOW_HRESULT, 0x80070005, "ERROR_ACCESS_DENIED");
    ck_called(TW_SHOW_HRESULT, 0xD0000022, "STATUS_ACCESS_DENIED");
    ck_called(TW_SHOW_NTSTATUS, 0xC0070002, "ERROR_FILE_NOT_FOUND");
}
END_TEST

START_TEST(unknown_codes_and_other_numbers_have_none)
{
    ck_assert_ptr_null(code_name(TW_SHOW_NTSTATUS, 0xC0FFEE00));
    ck_assert_ptr_null(code_name(TW_SHOW_NTSTATUS, UINT32_MAX));
    ck_assert_ptr_null(code_name(TW_SHOW_WIN32, 0xC0000022));
    ck_assert_ptr_null(code_name(TW_SHOW_HRESULT, 0x8007FFFE));
    ck_assert_ptr_null(code_name(TW_SHOW_HEX, 0xC0000022));
    ck_assert_ptr_null(code_name(TW_SHOW_PLAIN, 0));
    ck_assert_int_eq(code_has_names(TW_SHOW_PID), 0);
}
END_TEST

static void ck_value(uint8_t show, const char *name, uint32_t code)
{
    uint32_t found = 0xAAAAAAAA;
    ck_assert_msg(code_value(show, name, &found), "%s is not known", name);
    ck_assert_uint_eq(found, code);
}

START_TEST(names_have_codes)
{
    uint32_t code;

    ck_value(TW_SHOW_NTSTATUS, "STATUS_WAIT_0", 0);
    ck_value(TW_SHOW_NTSTATUS, "STATUS_ACCESS_DENIED", 0xC0000022);
    ck_value(TW_SHOW_NTSTATUS, "ERROR_ACCESS_DENIED", 0xC0070005);
    ck_value(TW_SHOW_WIN32, "ERROR_ACCESS_DENIED", 5);
    ck_value(TW_SHOW_HRESULT, "E_ACCESSDENIED", 0x80070005);
    ck_value(TW_SHOW_HRESULT, "ERROR_ACCESS_DENIED", 0x80070005);
    ck_value(TW_SHOW_HRESULT, "STATUS_ACCESS_DENIED", 0xD0000022);
    ck_assert_int_eq(code_value(TW_SHOW_WIN32, "STATUS_ACCESS_DENIED", &code), 0);
    ck_assert_int_eq(code_value(TW_SHOW_NTSTATUS, "status_access_denied", &code), 0);
    ck_assert_int_eq(code_value(TW_SHOW_HEX, "STATUS_ACCESS_DENIED", &code), 0);
}
END_TEST

START_TEST(the_name_that_was_meant)
{
    ck_assert_str_eq(code_nearest(TW_SHOW_NTSTATUS, "STATUS_ACESS_DENIED"), "STATUS_ACCESS_DENIED");
    ck_assert_str_eq(code_nearest(TW_SHOW_WIN32, "error_file_not_found"), "ERROR_FILE_NOT_FOUND");
    ck_assert_ptr_null(code_nearest(TW_SHOW_WIN32, "x"));
    ck_assert_ptr_null(code_nearest(TW_SHOW_PLAIN, "STATUS_ACESS_DENIED"));
}
END_TEST

START_TEST(the_lists_are_sorted_and_each_name_of_a_list_is_there_once)
{
    for (int list = 0; list < CODE_LISTS; list++) {
        ck_assert_uint_gt(code_lists[list].n, 1000);
        for (uint32_t i = 1; i < code_lists[list].n; i++)
            ck_assert_uint_ge(code_lists[list].at[i].code, code_lists[list].at[i - 1].code);
        for (uint32_t i = 0; i < code_lists[list].n; i++)
            for (uint32_t k = 0; k < i; k++)
                if (code_lists[list].at[i].name == code_lists[list].at[k].name)
                    ck_abort_msg("%s is there twice", code_names + code_lists[list].at[i].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code");
    TCase *all = tcase_create("all");
    SRunner *runner = srunner_create(suite);

    suite_add_tcase(suite, all);
    tcase_add_test(all, codes_have_names);
    tcase_add_test(all, wrapped_codes_have_the_name_of_what_they_wrap);
    tcase_add_test(all, unknown_codes_and_other_numbers_have_none);
    tcase_add_test(all, names_have_codes);
    tcase_add_test(all, the_name_that_was_meant);
    tcase_add_test(all, the_lists_are_sorted_and_each_name_of_a_list_is_there_once);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures != 0;
}
