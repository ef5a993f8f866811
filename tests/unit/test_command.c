/* test_command.c - the command line: which words are the host's, which pipeline is meant, how it all ends. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#undef fail /* of Check: a function of the host has this name */
#include "command.h"
#include "os.h"

/* A source that makes nothing, or fails, so that pipelines can run. */
typedef struct state {
    tw_self tw;
    int fail;
} state;

static int read_nothing(void *self, tw_batch *b)
{
    (void)b;
    return ((state *)self)->fail ? tw_fail(self, "as asked") : TW_END;
}

static const tw_option options[] = { TW_OPTION(state, fail, TW_OPT_BOOL, "no", "fail"), { 0 } };
static const tw_stage none_stage = {
    .size = sizeof(tw_stage), .name = "none", .state = sizeof(state), .options = options, .read = read_nothing
};
static const tw_stage *const stages[] = { &none_stage, NULL };
static const tw_plugin toy = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "toy", "1.0", "MIT", stages };
const tw_plugin *const builtin_plugins[] = { &toy, NULL };

static const char folder_a[] = "test_command_a", folder_b[] = "test_command_b", errors[] = "test_command.err";

static command_line c;
static text why, heard;

static void write_file(const char *folder_name, const char *name, const char *content)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder_name, name);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(content, f);
    fclose(f);
}

static void setup(void)
{
    ck_assert_int_eq(os_make_folder(folder_a, &why), TW_OK);
    ck_assert_int_eq(os_make_folder(folder_b, &why), TW_OK);
    write_file(folder_a, "cache.lua", "return pipeline 'cache' { args = { {'what', string ''} }, toy.none {} }");
    write_file(folder_a, "cache-ls.lua", "return pipeline 'cache-ls' { toy.none {} }");
    write_file(folder_b, "cache.lua", "error 'hidden by the other'");
    write_file(folder_b, "probe.lua",
               "return pipeline 'probe' { args = { {'n', number(1)}, {'fail', flag 'or not'} },\n"
               "toy.none { fail = args.fail } }");
    write_file(folder_b, "opens.lua", "local x = io return pipeline 'opens' { toy.none {} }");
    write_file(folder_b, "broken.lua", "return pipeline 'broken' { toy.nnoe {} }");
    ck_assert_ptr_nonnull(freopen(errors, "wb", stderr));
}

static void teardown(void)
{
    static const char *const files[] = { "test_command_a/cache.lua", "test_command_a/cache-ls.lua",
                                         "test_command_b/cache.lua", "test_command_b/probe.lua",
                                         "test_command_b/opens.lua", "test_command_b/broken.lua" };
    command_line_free(&c);
    text_free(&why);
    text_free(&heard);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(files[i]);
    remove(folder_a);
    remove(folder_b);
}

enum { MOST_WORDS = 16 };

/* Reads a command line whose words are parted by blanks. */
static int read_line(const char *line)
{
    static char copy[512];
    const char *argv[MOST_WORDS] = { "traceweir" };
    int argc = 1;

    command_line_free(&c);
    text_clear(&why);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) argv[argc++] = at;
    return command_line_read(&c, argc, argv, &why);
}

/* What was said on stderr since the last time. */
static const char *said(void)
{
    char block[512];
    size_t n;

    fflush(stderr);
    FILE *f = fopen(errors, "rb");
    text_clear(&heard);
    while (f && (n = fread(block, 1, sizeof block, f)) > 0) text_add(&heard, block, n);
    if (f) fclose(f);
    ck_assert_ptr_nonnull(freopen(errors, "wb", stderr));
    return text_of(&heard);
}

#define FOLDERS "--pipelines test_command_a --pipelines=test_command_b "

static int run_line(const char *line)
{
    char full[512];
    snprintf(full, sizeof full, FOLDERS "%s", line);
    ck_assert_msg(read_line(full) == TW_OK, "%s", text_of(&why));
    said();
    return command_run(&c);
}

START_TEST(test_host_options)
{
    ck_assert_int_eq(read_line("a -q x=1 --verbose --trust b --strict --progress no -- --quiet -h"), TW_OK);
    ck_assert(c.quiet && c.verbose && c.trust && c.strict && !c.help);
    ck_assert_int_eq(c.progress, 0);
    ck_assert_uint_eq(c.nwords, 6);
    ck_assert_str_eq(c.word[0], "a");
    ck_assert_str_eq(c.word[1], "x=1");
    ck_assert_str_eq(c.word[2], "b");
    ck_assert_str_eq(c.word[3], "--");
    ck_assert_str_eq(c.word[4], "--quiet");
    ck_assert_str_eq(c.word[5], "-h");
    ck_assert_int_eq(read_line("--helpful --progress=yes"), TW_OK);
    ck_assert(!c.help);
    ck_assert_int_eq(c.progress, 1);
    ck_assert_str_eq(c.word[0], "--helpful");
    ck_assert_int_eq(read_line(""), TW_OK);
    ck_assert_int_eq(c.progress, -1);
}
END_TEST

START_TEST(test_wrong_host_options)
{
    static const char *const cases[][2] = {
        { "a --progress", "--progress needs a value" },
        { "a --progress maybe", "--progress is yes or no, not 'maybe'" },
        { "a --trust=yes", "--trust takes no value, so not 'yes'" },
        { "a --plugins /no/such", "--plugins /no/such: no such folder" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(read_line(cases[i][0]), TW_ERROR);
        ck_assert_str_eq(text_of(&why), cases[i][1]);
    }
}
END_TEST

static void check_found(const char *line, const char *path, uint32_t used, int trusted)
{
    found_pipeline f = { 0 };
    char full[512];

    snprintf(full, sizeof full, FOLDERS "%s", line);
    ck_assert_int_eq(read_line(full), TW_OK);
    int found = pipeline_find(&c, c.word, c.nwords, &f);
    ck_assert_int_eq(found, path != NULL);
    if (path) {
        ck_assert_str_eq(text_of(&f.path), path);
        ck_assert_uint_eq(f.used, used);
        ck_assert_int_eq(f.trusted, trusted);
    }
    text_free(&f.name);
    text_free(&f.path);
}

START_TEST(test_finds_pipelines)
{
    check_found("cache ls", "test_command_a/cache-ls.lua", 2, 0);
    check_found("cache x", "test_command_a/cache.lua", 1, 0);
    check_found("cache", "test_command_a/cache.lua", 1, 0);
    check_found("cache-ls", "test_command_a/cache-ls.lua", 1, 0);
    check_found("probe --trust", "test_command_b/probe.lua", 1, 1);
    check_found("./x", "./x", 1, 0);
    check_found("x.lua --trust", "x.lua", 1, 1);
    check_found("nothing", NULL, 0, 0);
    check_found("..", NULL, 0, 0);
}
END_TEST

/* The user's folder and those that came with the program are trusted, what options and variables name is not. */
START_TEST(test_trust)
{
    ck_assert_int_eq(read_line(FOLDERS "x"), TW_OK);
    ck_assert_uint_ge(c.npipelines, 5);
    ck_assert_int_eq(c.pipelines[0].trusted, 0);
    ck_assert_int_eq(c.pipelines[1].trusted, 0);
    for (uint32_t i = c.npipelines - 3; i < c.npipelines; i++) ck_assert_int_eq(c.pipelines[i].trusted, 1);
    ck_assert_int_eq(run_line("opens"), STATUS_WRONG_USE);
    ck_assert_str_eq(said(),
                     "test_command_b/opens.lua:1: 'io' is blocked in a file that is not trusted: files are read and "
                     "written by stages\n");
    ck_assert_int_eq(run_line("opens --trust"), STATUS_DONE);
    ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(test_statuses)
{
    static const struct {
        const char *line;
        int status;
        const char *sentence;
    } cases[] = {
        { "probe -q", 0, "" },
        { "run probe n=5", 0, "" },
        { "run test_command_b/probe.lua", 0, "" },
        { "probe --fail", 1, "probe: toy.none: as asked\n" },
        { "probe n=x", 2,
          "probe: argument 'n': \"x\" is no integer; write it like 250, -5, 0x1f, 64k (1024-based) or 10MB "
          "(1000-based)\n"
          "usage: traceweir probe [--n 1] [--fail]\n" },
        { "run test_command_b/probe.lua --fial", 2,
          "probe: no argument 'fial'; did you mean '--fail'?\n"
          "usage: traceweir run test_command_b/probe.lua [--n 1] [--fail]\n" },
        { "porbe", 2, "no command 'porbe'; did you mean 'probe'?\n" },
        { "hlep", 2, "no command 'hlep'; did you mean 'help'?\n" },
        { "--version", 2, "no command '--version'; did you mean 'version'?\n" },
        { "xyzzy", 2, "no command 'xyzzy'; traceweir help lists them\n" },
        { "run", 2, "run needs the name of a pipeline, or its file: traceweir run disk-latency boot.etl\n" },
        { "run nothing.lua", 2, "nothing.lua: no such file or folder\n" },
        { "broken", 2,
          "test_command_b/broken.lua:1: no stage 'toy.nnoe' in plugin 'toy'; did you mean 'toy.none'?\n" },
        { "check broken", 1,
          "test_command_b/broken.lua:1: no stage 'toy.nnoe' in plugin 'toy'; did you mean 'toy.none'?\n" },
        { "help toy.nnoe", 2, "no stage 'toy.nnoe' in plugin 'toy'; did you mean 'toy.none'?\n" },
        { "help wehre", 2, "no command, stage or plugin 'wehre'; did you mean 'where'?\n" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(run_line(cases[i].line), cases[i].status);
        ck_assert_str_eq(said(), cases[i].sentence);
    }
}
END_TEST

START_TEST(test_usage_goes_to_stderr_when_not_asked_for)
{
    ck_assert_int_eq(run_line(""), STATUS_WRONG_USE);
    const char *overview = said();
    ck_assert_ptr_nonnull(strstr(overview, "\n  probe\n"));
    ck_assert_ptr_nonnull(strstr(overview, "\n  version "));
    ck_assert_ptr_nonnull(strstr(overview, "did you mean 'toy.none'?")); /* what is broken says so */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command");
    TCase *tests = tcase_create("command");

    tcase_add_checked_fixture(tests, setup, teardown);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, test_host_options);
    tcase_add_test(tests, test_wrong_host_options);
    tcase_add_test(tests, test_finds_pipelines);
    tcase_add_test(tests, test_trust);
    tcase_add_test(tests, test_statuses);
    tcase_add_test(tests, test_usage_goes_to_stderr_when_not_asked_for);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove(errors);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
