/* test_option.c - text becomes typed members, and every mistake gets its sentence. */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "option.h"
#include "os.h"
#include "output.h"

typedef struct state {
    tw_self tw;
    const char *field;
    int64_t count, over, since;
    double share;
    int loud, format;
    const char *const *names;
    tw_input *file;
    tw_input *const *more;
    tw_output *to;
    const char *folder;
} state;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(state, field,  TW_OPT_TEXT,   NULL,   "what to look at"),
    TW_OPTION(state, count,  TW_OPT_INT,    "64k",  "how many"),
    TW_OPTION(state, over,   TW_OPT_SPAN,   "10ms", "how slow"),
    TW_OPTION(state, since,  TW_OPT_TIME,   "1970-01-01", "from when on"),
    TW_OPTION(state, share,  TW_OPT_FLOAT,  "0.5",  "how much"),
    TW_OPTION(state, loud,   TW_OPT_BOOL,   "no",   "say it"),
    TW_OPTION(state, format, TW_OPT_CHOICE, "csv",  "csv|tsv|json: how it is written"),
    TW_OPTION(state, names,  TW_OPT_LIST,   "",     "names"),
    TW_OPTION(state, file,   TW_OPT_INPUT,  "",     "a file"),
    TW_OPTION(state, more,   TW_OPT_INPUTS, "",     "files"),
    TW_OPTION(state, to,     TW_OPT_OUTPUT, "",     "where to"),
    TW_OPTION(state, folder, TW_OPT_FOLDER, "",     "where files go"),
    { 0 },
};
// clang-format on
static const tw_stage stage = { .size = sizeof stage, .name = "s", .state = sizeof(state), .options = options };

static state s;
static arena memory;
static option_files files;
static text why;
static int failed;

static void close_files(void)
{
    text unused = { 0 };
    for (uint32_t i = 0; i < files.ninputs; i++) input_close(files.input[i]);
    for (uint32_t i = 0; i < files.noutputs; i++) output_finish(files.output[i], 0, &unused);
    files.ninputs = files.noutputs = 0;
    text_free(&unused);
}

static void teardown(void)
{
    close_files();
    arena_free(&memory);
    text_free(&why);
}

static int fill(const setting *set, uint32_t n)
{
    close_files();
    memset(&s, 0, sizeof s);
    text_clear(&why);
    failed = 0;
    return option_fill(&stage, &s, set, n, &memory, &files, &why, &failed);
}

/* Fills from field=x and one more setting. */
static int fill_one(const char *name, const char *value)
{
    const char *x = "x";
    const setting set[] = { { "field", &x, 1, 0 }, { name, &value, 1, 0 } };
    return fill(set, 2);
}

static void check_refused(const char *name, const char *value, const char *sentence)
{
    ck_assert_int_eq(fill_one(name, value), TW_ERROR);
    ck_assert_str_eq(text_of(&why), sentence);
    ck_assert_int_eq(failed, 2);
}

START_TEST(defaults)
{
    const char *x = "some 'text'";
    const setting set[] = { { NULL, &x, 1, 0 } }; /* without a name: the first option */

    ck_assert_int_eq(fill(set, 1), TW_OK);
    ck_assert_str_eq(s.field, "some 'text'");
    ck_assert_ptr_ne(s.field, x);
    ck_assert_int_eq(s.count, 65536);
    ck_assert_int_eq(s.over, 10000000);
    ck_assert_int_eq(s.since, 0);
    ck_assert_double_eq(s.share, 0.5);
    ck_assert_int_eq(s.loud, 0);
    ck_assert_int_eq(s.format, 0);
    ck_assert_ptr_nonnull(s.names);
    ck_assert_ptr_null(s.names[0]);
    ck_assert_ptr_null(s.file);
    ck_assert_ptr_nonnull(s.more);
    ck_assert_ptr_null(s.more[0]);
    ck_assert_ptr_null(s.to);
    ck_assert_str_eq(s.folder, "");
    ck_assert_str_eq(text_of(&why), "");
}
END_TEST

START_TEST(values)
{
    ck_assert_int_eq(fill_one("count", "2M"), TW_OK);
    ck_assert_int_eq(s.count, 2097152);
    ck_assert_int_eq(fill_one("over", "1.5s"), TW_OK);
    ck_assert_int_eq(s.over, 1500000000);
    ck_assert_int_eq(fill_one("since", "1970-01-02T00:00:01Z"), TW_OK);
    ck_assert_int_eq(s.since, 86401000000000);
    ck_assert_int_eq(fill_one("share", "-2.25"), TW_OK);
    ck_assert_double_eq(s.share, -2.25);
    ck_assert_int_eq(fill_one("loud", "true"), TW_OK);
    ck_assert_int_eq(s.loud, 1);
    ck_assert_int_eq(fill_one("format", "tsv"), TW_OK);
    ck_assert_int_eq(s.format, 1);
    ck_assert_int_eq(fill_one("format", "json"), TW_OK);
    ck_assert_int_eq(s.format, 2);
    ck_assert_int_eq(fill_one("folder", "a b/c"), TW_OK);
    ck_assert_str_eq(s.folder, "a b/c");
}
END_TEST

START_TEST(lists)
{
    const char *const parts[] = { "a,b", "c" };
    const char *x = "x";
    setting set[] = { { "field", &x, 1, 0 }, { "names", parts, 2, 1 } };

    ck_assert_int_eq(fill(set, 2), TW_OK);
    ck_assert_str_eq(s.names[0], "a,b");
    ck_assert_str_eq(s.names[1], "c");
    ck_assert_ptr_null(s.names[2]);
    set[1].n = 1; /* a list of one keeps its comma */
    ck_assert_int_eq(fill(set, 2), TW_OK);
    ck_assert_str_eq(s.names[0], "a,b");
    ck_assert_ptr_null(s.names[1]);
    set[1].list = 0; /* a text is cut */
    ck_assert_int_eq(fill(set, 2), TW_OK);
    ck_assert_str_eq(s.names[0], "a");
    ck_assert_str_eq(s.names[1], "b");
    ck_assert_ptr_null(s.names[2]);
    ck_assert_int_eq(fill_one("names", "a,"), TW_OK);
    ck_assert_str_eq(s.names[0], "a");
    ck_assert_str_eq(s.names[1], "");
    ck_assert_ptr_null(s.names[2]);
    set[1] = (setting){ "names", NULL, 0, 1 };
    ck_assert_int_eq(fill(set, 2), TW_OK);
    ck_assert_ptr_null(s.names[0]);
}
END_TEST

START_TEST(mistakes)
{
    check_refused("fiel", "y", "no option 'fiel'; did you mean 'field'?");
    check_refused(
        "zzzzzzzzz", "y",
        "no option 'zzzzzzzzz'; its options are field, count, over, since, share, loud, format, names, file, "
        "more, to, folder");
    check_refused("count", "ten", "option 'count' needs a whole number like 20 or 64k, not 'ten'");
    check_refused("over", "ten", "option 'over' needs a span like 10ms, not 'ten'");
    check_refused("since", "5s", "option 'since' needs a moment like 2026-11-30T08:15:00Z, not '5s'");
    check_refused("share", "half", "option 'share' needs a number like 0.5, not 'half'");
    check_refused("loud", "perhaps", "option 'loud' needs true or false, not 'perhaps'");
    check_refused("format", "xml", "option 'format' is one of csv, tsv, json; not 'xml'");
    check_refused("format", "", "option 'format' is one of csv, tsv, json; not ''");
    check_refused("format", "how it is written", "option 'format' is one of csv, tsv, json; not 'how it is written'");
    check_refused("over", "200000d",
                  "option 'over': \"200000d\" is too long a span; the longest is 106751d, some 292 years");
    check_refused("over", "5", "option 'over': \"5\" lacks a unit; write it like 5ms or 2min");
    check_refused("count", "9999999999G",
                  "option 'count': \"9999999999G\" is out of range; an integer lies between "
                  "-9223372036854775808 and 9223372036854775807");
    check_refused("field", "y", "option 'field' is given twice");
    check_refused(NULL, "y", "option 'field' is given twice");
    ck_assert_int_eq(fill(NULL, 0), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "option 'field' is missing; it needs a text");
    const char *const two[] = { "a", "b" };
    const setting set[] = { { "field", two, 2, 1 } };
    ck_assert_int_eq(fill(set, 1), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "option 'field' takes one value, not 2");
}
END_TEST

START_TEST(a_stage_without_options)
{
    static const tw_stage bare = { .size = sizeof bare, .name = "bare", .state = sizeof(tw_self) };
    const char *x = "x";
    const setting named[] = { { "a", &x, 1, 0 } }, unnamed[] = { { NULL, &x, 1, 0 } };

    ck_assert_int_eq(option_fill(&bare, &s, NULL, 0, &memory, &files, &why, &failed), TW_OK);
    ck_assert_int_eq(option_fill(&bare, &s, named, 1, &memory, &files, &why, &failed), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "no option 'a'; this stage has no options");
    text_clear(&why);
    ck_assert_int_eq(option_fill(&bare, &s, unnamed, 1, &memory, &files, &why, &failed), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "'x' is too much; this stage has no options");
    text_clear(&why);
    ck_assert_int_eq(option_known(&stage, "over", &why), 1);
    ck_assert_int_eq(option_known(&stage, "ovre", &why), 0);
    ck_assert_str_eq(text_of(&why), "no option 'ovre'; did you mean 'over'?");
}
END_TEST

START_TEST(files_are_opened_last)
{
    static const char *const two[] = { "test_option.a.tmp", "test_option.b,c.tmp" };
    const char *x = "x", *out = "test_option.out.tmp", *bad = "ten", *gone = "test_option.no/such";
    setting set[] = {
        { "field", &x, 1, 0 }, { "file", two, 1, 0 },   { "more", two, 2, 1 },
        { "to", &out, 1, 0 },  { "count", &bad, 1, 0 },
    };

    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(two[i], "wb");
        ck_assert_ptr_nonnull(f);
        fputc('a' + i, f);
        fclose(f);
    }
    ck_assert_int_eq(fill(set, 5), TW_ERROR);
    ck_assert_int_eq(failed, 2);
    ck_assert_uint_eq(files.ninputs + files.noutputs, 0);

    ck_assert_int_eq(fill(set, 4), TW_OK);
    ck_assert_uint_eq(files.ninputs, 3);
    ck_assert_uint_eq(files.noutputs, 1);
    ck_assert_ptr_nonnull(s.file);
    ck_assert_ptr_nonnull(s.to);
    void *window;
    ck_assert_uint_eq(*input_at(s.more[1], 0, 1, &window), 'b');
    input_unmap(window);
    ck_assert_ptr_null(s.more[2]);

    set[3].value = &gone; /* the inputs were open by then and are closed again */
    ck_assert_int_eq(fill(set, 4), TW_ERROR);
    ck_assert_int_eq(failed, 1);
    ck_assert_ptr_nonnull(strstr(text_of(&why), gone));
    ck_assert_uint_eq(files.ninputs + files.noutputs, 0);

    ck_assert_int_eq(fill_one("file", "test_option.missing"), TW_ERROR);
    ck_assert_int_eq(failed, 1);
    ck_assert_ptr_nonnull(strstr(text_of(&why), "test_option.missing"));
    for (int i = 0; i < 2; i++) remove(two[i]);
}
END_TEST

START_TEST(a_required_file_cannot_be_empty)
{
    static const tw_option required[] = { TW_OPTION(state, file, TW_OPT_INPUT, NULL, "a file"), { 0 } };
    static const tw_stage reader = {
        .size = sizeof reader, .name = "r", .state = sizeof(state), .options = required
    };
    const char *empty = "";
    const setting set[] = { { NULL, &empty, 1, 0 } };

    ck_assert_int_eq(option_fill(&reader, &s, set, 1, &memory, &files, &why, &failed), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "option 'file' needs a file's path, or - for standard input, not ''");
}
END_TEST

START_TEST(soundness)
{
    tw_option o = TW_OPTION(state, over, TW_OPT_SPAN, "10ms", "");

    for (const tw_option *all = options; all->name; all++)
        ck_assert_int_eq(option_sound(all, sizeof(state), &why), 1);
    ck_assert_int_eq(option_sound(&o, o.offset + sizeof(int64_t), &why), 1);
    ck_assert_int_eq(option_sound(&o, o.offset + sizeof(int64_t) - 1, &why), 0);
    ck_assert_str_eq(text_of(&why), "option 'over' lies outside the stage's state");
    o.offset = sizeof(tw_self) - 1; /* over the host's part */
    ck_assert_int_eq(option_sound(&o, sizeof(state), &why), 0);
    o.offset = UINT32_MAX;
    ck_assert_int_eq(option_sound(&o, sizeof(state), &why), 0);
    o = (tw_option)TW_OPTION(state, over, TW_OPT_SPAN, "ten", "");
    text_clear(&why);
    ck_assert_int_eq(option_sound(&o, sizeof(state), &why), 0);
    ck_assert_str_eq(text_of(&why), "a default is not right: option 'over' needs a span like 10ms, not 'ten'");
    o.kind = 0;
    ck_assert_int_eq(option_sound(&o, sizeof(state), &why), 0);
    o.kind = TW_OPT_FOLDER + 1;
    ck_assert_int_eq(option_sound(&o, sizeof(state), &why), 0);
    ck_assert_str_eq(option_kind_name(o.kind), "?");
    ck_assert_str_eq(option_kind_name(TW_OPT_INT), "size");
}
END_TEST

/* ---- Defaults from the environment ---- */

// clang-format off
static const tw_option of_variables[] = {
    TW_OPTION(state, field,  TW_OPT_TEXT,   "$TRACEWEIR_TEST_TEXT",  "a text"),
    TW_OPTION(state, names,  TW_OPT_LIST,   "$TRACEWEIR_TEST_LIST",  "a list"),
    TW_OPTION(state, file,   TW_OPT_INPUT,  "$TRACEWEIR_TEST_FILE",  "a file"),
    TW_OPTION(state, more,   TW_OPT_INPUTS, "$TRACEWEIR_TEST_FILES", "*.tmp: files"),
    TW_OPTION(state, folder, TW_OPT_FOLDER, "$TRACEWEIR_TEST_FOLDER", "a folder"),
    { 0 },
};
// clang-format on
static const tw_stage listening = {
    .size = sizeof listening, .name = "v", .state = sizeof(state), .options = of_variables
};

static void set_variable(const char *name, const char *value)
{
    text full = { 0 };
    text_format(&full, "TRACEWEIR_TEST_%s", name);
    ck_assert_int_eq(value ? setenv(text_of(&full), value, 1) : unsetenv(text_of(&full)), 0);
    text_free(&full);
}

static int fill_listening(const setting *set, uint32_t n)
{
    close_files();
    memset(&s, 0, sizeof s);
    text_clear(&why);
    return option_fill(&listening, &s, set, n, &memory, &files, &why, &failed);
}

static void check_none(void)
{
    ck_assert_int_eq(fill_listening(NULL, 0), TW_OK);
    ck_assert_str_eq(s.field, "");
    ck_assert_ptr_null(s.names[0]);
    ck_assert_ptr_null(s.file);
    ck_assert_ptr_null(s.more[0]);
    ck_assert_str_eq(s.folder, "");
    ck_assert_uint_eq(files.ninputs, 0);
}

/* A list as this system writes it, given with colons. */
static const char *listed(const char *with_colons)
{
    static char list[80];
    size_t n = strlen(with_colons);

    for (size_t i = 0; i <= n; i++) list[i] = with_colons[i] == ':' ? os_path_separator : with_colons[i];
    return list;
}

static void set_all(const char *value)
{
    static const char *const names[] = { "TEXT", "LIST", "FILE", "FILES", "FOLDER" };
    for (int i = 0; i < 5; i++) set_variable(names[i], value);
}

START_TEST(a_variable_is_a_default)
{
    static const char *const made[] = { "test_option.v1.tmp", "test_option.v2.tmp" };
    const char *given = "said";
    const setting set[] = { { "field", &given, 1, 0 }, { "more", NULL, 0, 1 } };
    uint64_t unused;

    set_all(NULL);
    check_none();
    set_all("");
    check_none();
    for (int i = 0; i < 2; i++) fclose(fopen(made[i], "wb"));
    set_variable("TEXT", "$HOME, as it is");
    set_variable("LIST", listed("a,b::c d:"));
    set_variable("FILE", made[1]);
    set_variable("FILES", listed("test_option.v2.tmp:test_option.v1.tmp"));
    set_variable("FOLDER", "x:y");
    ck_assert_int_eq(fill_listening(NULL, 0), TW_OK);
    ck_assert_str_eq(s.field, "$HOME, as it is");
    ck_assert_str_eq(s.names[0], "a,b");
    ck_assert_str_eq(s.names[1], "c d");
    ck_assert_ptr_null(s.names[2]);
    ck_assert_str_eq(input_name(s.file, &unused), made[1]);
    ck_assert_str_eq(input_name(s.more[0], &unused), made[1]);
    ck_assert_str_eq(input_name(s.more[1], &unused), made[0]);
    ck_assert_ptr_null(s.more[2]);
    ck_assert_str_eq(s.folder, "x:y");

    ck_assert_int_eq(fill_listening(set, 2), TW_OK); /* what is given counts, also none */
    ck_assert_str_eq(s.field, "said");
    ck_assert_ptr_null(s.more[0]);

    set_variable("FILES", listed("test_option.v1.tmp:gone.tmp"));
    ck_assert_int_eq(fill_listening(NULL, 0), TW_ERROR);
    ck_assert_str_eq(text_of(&why),
                     "gone.tmp cannot be opened: no such file or folder; the variable TRACEWEIR_TEST_FILES names it");
    ck_assert_int_eq(failed, 1);
    set_all(NULL);
    for (int i = 0; i < 2; i++) remove(made[i]);
}
END_TEST

static void check_sound(uint32_t kind, const char *value, const char *help, int sound)
{
    const tw_option o = { "x", value, help, kind, sizeof(tw_self) };
    text_clear(&why);
    ck_assert_msg(option_sound(&o, sizeof(state), &why) == sound, "%s, %s: %s", value ? value : "", help,
                  text_of(&why));
    ck_assert_int_eq(why.n == 0, sound);
}

START_TEST(only_our_own_variables)
{
    for (const tw_option *o = of_variables; o->name; o++) ck_assert_int_eq(option_sound(o, sizeof(state), &why), 1);
    check_sound(TW_OPT_TEXT, "$TRACEWEIR_X2_Y", "", 1);
    check_sound(TW_OPT_OUTPUT, "$TRACEWEIR_X", "", 1);
    check_sound(TW_OPT_TEXT, "$HOME", "", 0);
    check_sound(TW_OPT_TEXT, "$", "", 0);
    check_sound(TW_OPT_TEXT, "$TRACEWEIR_", "", 0);
    check_sound(TW_OPT_INPUTS, "$TRACEWEIR_x", "", 0);
    check_sound(TW_OPT_INPUTS, "$TRACEWEIR_X/etc", "", 0);
    check_sound(TW_OPT_INT, "$TRACEWEIR_X", "", 0);
    check_sound(TW_OPT_CHOICE, "$TRACEWEIR_X", "a|b: which", 0);
    check_sound(TW_OPT_BOOL, "$TRACEWEIR_X", "", 0);
    ck_assert_str_eq(text_of(&why), "option 'x' cannot have the default '$TRACEWEIR_X'; a variable is named like "
                                    "$TRACEWEIR_NAME, for texts, lists and files");
}
END_TEST

/* ---- Patterns ---- */

START_TEST(patterns_stand_before_the_help)
{
    check_sound(TW_OPT_INPUTS, NULL, "*.etl: traces", 1);
    check_sound(TW_OPT_INPUT, NULL, "*.man|*.xml: manifests: theirs", 1);
    check_sound(TW_OPT_INPUTS, NULL, "traces, *.etl: all", 1);
    check_sound(TW_OPT_TEXT, NULL, "* is all", 1);
    check_sound(TW_OPT_INPUTS, NULL, "*.etl", 0);
    check_sound(TW_OPT_INPUTS, NULL, "*.etl:traces", 0);
    check_sound(TW_OPT_INPUTS, NULL, "*.etl, *.man: traces", 0);
    check_sound(TW_OPT_INPUTS, NULL, "*.etl|: traces", 0);
    check_sound(TW_OPT_INPUTS, NULL, "*.etl||*.man: traces", 0);
    ck_assert_str_eq(text_of(&why),
                     "option 'x' has a help that begins with *, but not like '*.man|*.xml: what it is'");

    text help = { 0 };
    tw_option o = TW_OPTION(state, more, TW_OPT_INPUTS, NULL, "*.man|*.xml: manifests");
    option_help(&o, &help);
    ck_assert_str_eq(text_of(&help), "manifests; a folder or an archive stands for the *.man and *.xml in it");
    text_clear(&help);
    o.kind = TW_OPT_INPUT;
    option_help(&o, &help);
    ck_assert_str_eq(text_of(&help), "manifests; an archive stands for the *.man and *.xml in it");
    text_clear(&help);
    o.help = "just help";
    option_help(&o, &help);
    ck_assert_str_eq(text_of(&help), "just help");
    text_free(&help);
}
END_TEST

START_TEST(all_that_was_opened_is_closed)
{
    /* A .zip of two empty stored files, a.tmp and b.txt: local headers, directory, end. */
    static const unsigned char zip[] = {
        'P',  'K',  3,   4,   20,  0,   0,    0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0, 0, 0,
        0,    0,    0,   0,   5,   0,   0,    0,    'a', '.', 't', 'm', 'p', 'P', 'K', 3,   4,   20,  0,   0, 0, 0,
        0,    0,    0,   0,   0,   0,   0,    0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   5,   0,   0, 0, 'b',
        '.',  't',  'x', 't', 'P', 'K', 1,    2,    20,  3,   20,  0,   0,   0,   0,   0,   0,   0,   0,   0, 0, 0,
        0,    0,    0,   0,   0,   0,   0,    0,    0,   0,   5,   0,   0,   0,   0,   0,   0,   0,   0,   0, 0, 0,
        0xA4, 0x81, 0,   0,   0,   0,   'a',  '.',  't', 'm', 'p', 'P', 'K', 1,   2,   20,  3,   20,  0,   0, 0, 0,
        0,    0,    0,   0,   0,   0,   0,    0,    0,   0,   0,   0,   0,   0,   0,   0,   5,   0,   0,   0, 0, 0,
        0,    0,    0,   0,   0,   0,   0xA4, 0x81, 35,  0,   0,   0,   'b', '.', 't', 'x', 't', 'P', 'K', 5, 6, 0,
        0,    0,    0,   2,   0,   2,   0,    102,  0,   0,   0,   70,  0,   0,   0,   0,   0,
    };
    const char *path = "test_option.zip.tmp";
    const setting set[] = { { "more", &path, 1, 0 } };
    uint64_t unused;
    FILE *f = fopen(path, "wb");

    fwrite(zip, 1, sizeof zip, f);
    fclose(f);
    ck_assert_msg(fill_listening(set, 1) == TW_OK, "%s", text_of(&why));
    ck_assert_uint_eq(files.ninputs, 2); /* the archive, and what was chosen of it */
    ck_assert_str_eq(input_name(s.more[0], &unused), "test_option.zip.tmp!a.tmp");
    ck_assert_ptr_null(s.more[1]);
    remove(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("option");
    TCase *t = tcase_create("option");

    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, defaults);
    tcase_add_test(t, values);
    tcase_add_test(t, lists);
    tcase_add_test(t, mistakes);
    tcase_add_test(t, a_stage_without_options);
    tcase_add_test(t, files_are_opened_last);
    tcase_add_test(t, a_required_file_cannot_be_empty);
    tcase_add_test(t, soundness);
    tcase_add_test(t, a_variable_is_a_default);
    tcase_add_test(t, only_our_own_variables);
    tcase_add_test(t, patterns_stand_before_the_help);
    tcase_add_test(t, all_that_was_opened_is_closed);
    suite_add_tcase(suite, t);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int bad = srunner_ntests_failed(r);
    srunner_free(r);
    return bad != 0;
}
