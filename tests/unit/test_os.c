/* test_os.c - the border to the operating system, the same on each: files, names, and child processes.

   This program is its own child: with a word as its first argument it does what the word says. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"
#include "tw_plugin.h"

#if defined(_WIN32)
#include <windows.h>
#endif

static const int64_t second = 1000000000;
static const char odd_name[] = "tr\xC3\xA4"
                               "ce \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9D\x84\x9E.etl"; /* two, three and four bytes */

static text why;
static char *self, *folder;

static char *below(const char *above, const char *name)
{
    text path = { 0 };

    text_format(&path, "%s/%s", above, name);
    return path.at;
}

static void setup(void)
{
    char *scratch = os_scratch_folder();
    text name = { 0 };

    text_format(&name, "test_os.%d", os_process_id());
    folder = below(scratch, text_of(&name));
    ck_assert_msg(os_make_folder(folder, &why) == TW_OK, "%s: %s", folder, text_of(&why));
    text_free(&name);
    free(scratch);
}

static void remove_entry(void *context, const char *name)
{
    char *path = below(context, name);

    os_remove(path);
    free(path);
}

static void teardown(void)
{
    os_list(folder, remove_entry, folder, &why); /* folders stay: the system's own cleaning has them */
    free(folder);
    text_free(&why);
}

static void put(const char *path, const char *content)
{
    os_file *f = NULL;

    ck_assert_msg(os_create(path, &f, &why) == TW_OK, "%s: %s", path, text_of(&why));
    ck_assert_int_eq(os_write(f, content, strlen(content), &why), TW_OK);
    os_close(f);
}

static const char *content_of(const char *path)
{
    static char bytes[64];
    os_file *f = NULL;

    ck_assert_msg(os_open(path, &f, &why) == TW_OK, "%s: %s", path, text_of(&why));
    ptrdiff_t n = os_read_at(f, 0, bytes, sizeof bytes - 1, &why);
    ck_assert_int_ge(n, 0);
    bytes[n] = 0;
    os_close(f);
    return bytes;
}

static void keep_name(void *context, const char *name)
{
    text *names = context;

    text_format(names, "%s|", name);
}

/* ---- Files ---- */

START_TEST(names_are_utf8)
{
    char *path = below(folder, odd_name);
    text names = { 0 };

    put(path, "x");
    ck_assert(os_exists(path));
    ck_assert(!os_is_folder(path) && !os_is_special(path));
    ck_assert_int_eq(os_list(folder, keep_name, &names, &why), TW_OK);
    text_put(&names, "end");
    ck_assert_int_eq(strncmp(text_of(&names), odd_name, sizeof odd_name - 1), 0);
    ck_assert_str_eq(text_of(&names) + sizeof odd_name - 1, "|end");
    ck_assert_str_eq(os_path_name(path), odd_name);
    os_remove(path);
    ck_assert(!os_exists(path));
    text_free(&names);
    free(path);
}
END_TEST

START_TEST(lines_and_bytes_stay_as_they_are)
{
    char *path = below(folder, "bytes");

    put(path, "a\nb\r\n\x1A"
              "c");
    ck_assert_str_eq(content_of(path), "a\nb\r\n\x1A"
                                       "c");
    free(path);
}
END_TEST

START_TEST(a_rename_replaces)
{
    char *from = below(folder, "from"), *to = below(folder, "to");

    put(from, "new");
    put(to, "old and longer");
    ck_assert_msg(os_rename(from, to, &why) == TW_OK, "%s", text_of(&why));
    ck_assert(!os_exists(from));
    ck_assert_str_eq(content_of(to), "new");
    ck_assert_int_eq(os_rename(from, to, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "no such file or folder");
    free(from);
    free(to);
}
END_TEST

START_TEST(what_exists_is_not_made_anew)
{
    char *path = below(folder, "there");
    os_file *f = NULL;

    put(path, "old");
    ck_assert_int_eq(os_create_new(path, &f, &why), TW_ERROR);
    ck_assert_str_eq(content_of(path), "old");
    free(path);
}
END_TEST

START_TEST(places_beyond_32_bits)
{
    const uint64_t beyond = ((uint64_t)1 << 32) + 5;
    char *path = below(folder, "far"), bytes[8];
    os_file *f = NULL;

    ck_assert_int_eq(os_create(path, &f, &why), TW_OK);
    ck_assert_int_eq(os_write(f, "begin", 5, &why), TW_OK);
    ck_assert_int_eq(os_write_at(f, beyond, "far", 3, &why), TW_OK);
    ck_assert_int_eq(os_write(f, "!", 1, &why), TW_OK); /* goes on where os_write was */
    os_close(f);
    ck_assert_int_eq(os_open(path, &f, &why), TW_OK);
    ck_assert(os_is_regular(f));
    ck_assert_uint_eq(os_size(f), beyond + 3);
    ck_assert_int_eq(os_read_at(f, beyond, bytes, 8, &why), 3);
    ck_assert_int_eq(memcmp(bytes, "far", 3), 0);
    ck_assert_int_eq(os_read_at(f, 5, bytes, 2, &why), 2);
    ck_assert_int_eq(memcmp(bytes, "!", 2), 0);
    ck_assert_int_eq(os_read_at(f, beyond + 3, bytes, 8, &why), 0);
    os_close(f);
    os_remove(path);
    free(path);
}
END_TEST

/* Windows has an old limit of 260 characters a path. */
START_TEST(long_paths)
{
    enum { PARTS = 7 };
    static const char part[] = "a part of a path that has sixty characters, and is not alone";
    char *path = mem_text(folder, strlen(folder)), *made[PARTS];

    for (int i = 0; i < PARTS; i++) {
        made[i] = path;
        path = below(path, part);
    }
    ck_assert_uint_gt(strlen(path), 400);
    ck_assert_msg(os_make_folder(path, &why) == TW_OK, "%s", text_of(&why));
    ck_assert(os_is_folder(path));
    char *from = below(path, "from"), *to = below(path, "to");
    text names = { 0 };
    put(from, "deep");
    ck_assert_msg(os_rename(from, to, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_str_eq(content_of(to), "deep");
    ck_assert_msg(os_list(path, keep_name, &names, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_str_eq(text_of(&names), "to|");
    os_remove(to);
    text_free(&names);
    free(from);
    free(to);
    free(path);
    for (int i = 0; i < PARTS; i++) free(made[i]);
}
END_TEST

START_TEST(one_place_by_two_ways)
{
    char *a = below(folder, "one"), *b = below(folder, "./one"), *c = below(folder, "two");

    put(a, "x");
    ck_assert(os_same_place(a, b));
    ck_assert(!os_same_place(a, c));
#if defined(_WIN32)
    char *d = below(folder, ".\\ONE");
    ck_assert(os_same_place(a, d));
    ck_assert_str_eq(os_path_name(d), "ONE");
    free(d);
#endif
    free(a);
    free(b);
    free(c);
}
END_TEST

START_TEST(scratch_files_hold_what_they_are_given)
{
    os_file *f = NULL;
    char bytes[8];

    ck_assert_msg(os_scratch(&f, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_int_eq(os_write(f, "scratch", 7, &why), TW_OK);
    ck_assert_int_eq(os_read_at(f, 0, bytes, 8, &why), 7);
    ck_assert_int_eq(memcmp(bytes, "scratch", 7), 0);
    os_close(f);
}
END_TEST

START_TEST(facts_in_words)
{
    char *missing = below(folder, "missing"), *text_file = below(folder, "text");
    os_file *f = NULL;
    void *library = NULL;

    ck_assert_int_eq(os_open(missing, &f, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "no such file or folder");
    text_clear(&why);
    ck_assert_int_eq(os_create(folder, &f, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "it is a folder");
    text_clear(&why);
    put(text_file, "no library");
    ck_assert_int_eq(os_library(text_file, &library, &why), TW_ERROR);
    ck_assert_uint_gt(why.n, 0);
    text_clear(&why);
    ck_assert_int_eq(os_library(missing, &library, &why), TW_ERROR);
    ck_assert_uint_gt(why.n, 0);
    free(missing);
    free(text_file);
}
END_TEST

#if defined(_WIN32)
START_TEST(files_in_use)
{
    char *path = below(folder, "used"), *from = below(folder, "from");
    os_file *f = NULL;

    put(path, "old");
    put(from, "new");
    HANDLE used = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL); /* shared with nobody */
    ck_assert(used != INVALID_HANDLE_VALUE);
    ck_assert_int_eq(os_open(path, &f, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "another program is using it");
    ck_assert_int_eq(os_rename(from, path, &why), TW_ERROR);
    CloseHandle(used);
    ck_assert_str_eq(content_of(path), "old");
    ck_assert_int_eq(os_rename(from, path, &why), TW_OK);
    free(path);
    free(from);
}
END_TEST

START_TEST(devices_are_no_files)
{
    ck_assert(os_is_special("NUL") && os_is_special("nul") && os_is_special("\\\\.\\pipe\\x"));
    ck_assert(!os_is_special("null") && !os_is_special("C:\\NULL.etl"));
}
END_TEST
#endif

/* ---- Child processes ---- */

/* What a child prints until its end. */
static os_exit run(const char *const *words, text *output, const char *until)
{
    os_process *p = NULL;
    os_exit end = { 0 };
    int told = 0;

    ck_assert_msg(os_process_start(words, &p, &why) == TW_OK, "%s", text_of(&why));
    for (int64_t begin = os_monotonic(); os_monotonic() - begin < 60 * second;) {
        os_wanted wanted = { p, OS_OUTPUT | OS_ERRORS, 0 };
        char bytes[256];
        ptrdiff_t n;
        while ((n = os_process_read(p, OS_OUTPUT, bytes, sizeof bytes)) > 0) text_add(output, bytes, (size_t)n);
        if (n == 0 && os_process_ended(p, &end)) break;
        if (until && !told && strstr(text_of(output), until)) {
            told = 1;
            if (os_process_interrupt(p) != TW_OK) os_process_kill(p);
        }
        os_process_wait(&wanted, 1, 0, second / 50);
    }
    os_process_free(p);
    return end;
}

START_TEST(words_arrive_as_they_are)
{
    const char *words[] = { self,        "say", "a b", "",       "\"",     "\\",     "a\\\\\"b", "back\\slash\\",
                            "c:\\x y\\", "*",   "'",   "%PATH%", odd_name, "^&|<>!", NULL };
    text output = { 0 }, wanted = { 0 };

    for (int i = 2; words[i]; i++) text_format(&wanted, "%s\n", words[i]);
    text_put(&wanted, "line\n"); /* not \r\n */
    os_exit end = run(words, &output, NULL);
    ck_assert_str_eq(text_of(&output), text_of(&wanted));
    ck_assert_int_eq(end.status, 5);
    ck_assert_int_eq(end.signal, 0);
    text_free(&output);
    text_free(&wanted);
}
END_TEST

START_TEST(an_interrupt_is_heard)
{
    const char *words[] = { self, "wait", NULL };
    text output = { 0 };

    os_exit end = run(words, &output, "ready");
    if (end.signal == 0) {
        ck_assert_str_eq(text_of(&output), "ready\ninterrupted\n");
        ck_assert_int_eq(end.status, 7);
    } else {
        printf("note: a child cannot be interrupted here, so it was ended\n");
        ck_assert_int_eq(end.signal, 9);
    }
    text_free(&output);
}
END_TEST

static int say(char **words)
{
    os_file *out = NULL;

    if (os_create("-", &out, &why) != TW_OK) return 1;
    for (int i = 2; words[i]; i++)
        if (os_write(out, words[i], strlen(words[i]), &why) != TW_OK || os_write(out, "\n", 1, &why) != TW_OK)
            return 1;
    os_close(out);
    printf("line\n");
    return 5;
}

static int wait_for_interrupt(void)
{
    os_catch_interrupt();
    printf("ready\n");
    fflush(stdout);
    for (int i = 0; i < 600 && !os_interrupted(); i++) os_sleep(second / 10);
    printf(os_interrupted() ? "interrupted\n" : "nothing came\n");
    return 7;
}

int main(int argc, char **argv)
{
    os_start(&argc, &argv);
    if (argc > 1) return strcmp(argv[1], "say") == 0 ? say(argv) : wait_for_interrupt();
    self = os_program();

    Suite *s = suite_create("os");
    TCase *t = tcase_create("files");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, names_are_utf8);
    tcase_add_test(t, lines_and_bytes_stay_as_they_are);
    tcase_add_test(t, a_rename_replaces);
    tcase_add_test(t, what_exists_is_not_made_anew);
    tcase_add_test(t, places_beyond_32_bits);
    tcase_add_test(t, long_paths);
    tcase_add_test(t, one_place_by_two_ways);
    tcase_add_test(t, scratch_files_hold_what_they_are_given);
    tcase_add_test(t, facts_in_words);
#if defined(_WIN32)
    tcase_add_test(t, files_in_use);
    tcase_add_test(t, devices_are_no_files);
#endif
    suite_add_tcase(s, t);
    t = tcase_create("processes");
    tcase_add_test(t, words_arrive_as_they_are);
    tcase_add_test(t, an_interrupt_is_heard);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(self);
    return failed != 0;
}
