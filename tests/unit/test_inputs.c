/* test_inputs.c - folders as inputs: which files are taken, in which order, and what is said where none is. */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive_kit.h"
#include "inputs.h"
#include "os.h"

static char folder[256];
static inputs list;
static text why;
static int status;

static void set_up(void)
{
    text unused = { 0 };
    snprintf(folder, sizeof folder, "%s/traceweir-test-inputs-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             os_process_id());
    ck_assert_int_eq(os_make_folder(folder, &unused), TW_OK);
}

static const char *path_of(const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_one(void *context, const char *name)
{
    (void)context;
    if (remove(path_of(name))) rmdir(path_of(name));
}

static void tear_down(void)
{
    text unused = { 0 };
    inputs_close(&list);
    text_free(&why);
    os_list(folder, remove_one, NULL, &unused);
    rmdir(folder);
}

static void make(const char *name, const char *content, size_t n)
{
    FILE *f = fopen(path_of(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(content, 1, n, f), n);
    fclose(f);
}

static void add(const char *path, const char *patterns, int many)
{
    text_clear(&why);
    status = inputs_add(&list, path, patterns, many, &why);
}

/* A sentence without the folder's path. */
static void check_sentence(const char *sentence)
{
    text plain = { 0 };
    ck_assert_int_eq(status, TW_ERROR);
    for (const char *at = text_of(&why), *next; *at; at = next) {
        next = strstr(at, folder);
        text_add(&plain, at, next ? (size_t)(next - at) : strlen(at));
        if (next) text_put(&plain, "F");
        next = next ? next + strlen(folder) : at + strlen(at);
    }
    ck_assert_str_eq(text_of(&plain), sentence);
    text_free(&plain);
}

static void check_names(const char *names)
{
    text got = { 0 };
    uint64_t unused;
    ck_assert_msg(status == TW_OK, "%s", text_of(&why));
    for (uint32_t i = 0; i < list.nchosen; i++)
        text_format(&got, "%s%s", i ? " " : "", input_name(list.chosen[i], &unused) + strlen(folder) + 1);
    ck_assert_str_eq(text_of(&got), names);
    text_free(&got);
}

START_TEST(the_files_that_fit_in_order_of_names)
{
    make("b.etl", "b", 1);
    make("A.ETL", "A", 1);
    make("a.txt", "t", 1);
    make("c.man", "m", 1);
    make("c.etl.zst", "z", 1);
    make("b.etl.gz", "twice", 5); /* what is in it lies beside it */
    make("etl", "e", 1);
    ck_assert_int_eq(mkdir(path_of("sub.etl"), 0777), 0);
    ck_assert_int_eq(mkfifo(path_of("pipe.etl"), 0777), 0); /* opening it would wait */
    add(folder, "*.etl", 1);
    check_names("A.ETL b.etl c.etl.zst");
    inputs_close(&list);
    add(path_of(""), "*.man|*.txt", 1); /* ends with a separator */
    check_names("a.txt c.man");
}
END_TEST

START_TEST(archives_in_a_folder)
{
    static const zip_file files[] = { { .name = "x/in.etl", .bytes = "in", .n = 2 } };
    text zip = { 0 };
    put_zip(&zip, files, 1);
    make("boot.etl.zip", zip.at, zip.n);
    make("other.zip", zip.at, zip.n); /* its name does not say what it is */
    make("odd.etl", zip.at, zip.n);   /* nor does it have to */
    make("z.etl", "z", 1);
    add(folder, "*.etl", 1);
    check_names("boot.etl.zip!x/in.etl odd.etl!x/in.etl z.etl");
    text_free(&zip);
}
END_TEST

START_TEST(several_paths_make_one_list)
{
    make("b.etl", "b", 1);
    make("x.man", "x", 1);
    char first[400];
    strcpy(first, path_of("x.man")); /* a file that is named fits */
    add(first, "*.etl", 1);
    add(folder, "*.etl", 1);
    check_names("x.man b.etl");
}
END_TEST

START_TEST(where_none_fits_that_is_said)
{
    add(folder, "*.etl", 1);
    check_sentence("the folder F has no file that fits *.etl; it is empty");
    make("b.txt", "b", 1);
    ck_assert_int_eq(mkdir(path_of("sub.etl"), 0777), 0);
    add(folder, "*.etl|*.man", 1);
    check_sentence("the folder F has no file that fits *.etl or *.man; in it are b.txt, sub.etl/");
    for (char name[] = "c0.txt"; name[1] <= '9'; name[1]++) make(name, "c", 1);
    add(folder, "*.etl", 1);
    check_sentence(
        "the folder F has no file that fits *.etl; in it are b.txt, c0.txt, c1.txt, c2.txt, c3.txt, c4.txt, "
        "c5.txt, c6.txt and 4 more");
}
END_TEST

START_TEST(one_file_is_no_folder)
{
    add(folder, "*.etl", 0);
    check_sentence("F is a folder, and one file is wanted");
    make("z.txt", "z", 1);
    make("b.etl", "b", 1);
    add(folder, "*.etl", 0);
    check_sentence("F is a folder, and one file is wanted, like F/b.etl");
    add(folder, NULL, 1);
    check_sentence("F cannot be opened: it is a folder");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("inputs");
    TCase *c = tcase_create("inputs");

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, the_files_that_fit_in_order_of_names);
    tcase_add_test(c, archives_in_a_folder);
    tcase_add_test(c, several_paths_make_one_list);
    tcase_add_test(c, where_none_fits_that_is_said);
    tcase_add_test(c, one_file_is_no_folder);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
