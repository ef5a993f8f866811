/* test_plugin.c - plugins are found, checked, and refused with the right sentence.

   Files in the folder TW_TEST_REFUSE are built from tests/refuse; without that variable the tests that need them are
   skipped. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus.h"
#include "os.h"
#include "plugin.h"

static text why;

static void teardown(void)
{
    text_free(&why);
}

static int drop(void *self, tw_batch *b)
{
    (void)self;
    b->n = 0;
    return TW_OK;
}

static int nothing(void *self)
{
    (void)self;
    return TW_OK;
}

/* ---- In memory ---- */

static tw_stage stage;
static tw_plugin plugin;
static const tw_stage *stages[] = { &stage, NULL };

static void make_good(void)
{
    stage = (tw_stage){ .size = sizeof stage, .name = "drop", .state = sizeof(tw_self), .events = drop };
    plugin = (tw_plugin){ sizeof plugin, TW_ABI_MINOR, 0, "good", "1.0", "MIT", stages };
    text_clear(&why);
}

static void check_refused(const char *sentence)
{
    text_clear(&why);
    ck_assert_int_eq(plugin_check(&plugin, "good", &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), sentence);
    make_good();
}

START_TEST(checks_in_memory)
{
    static const tw_stage *const no_stages[] = { NULL };

    make_good();
    ck_assert_int_eq(plugin_check(&plugin, "good", &why), TW_OK);
    ck_assert_str_eq(text_of(&why), "");
    plugin.size = UINT32_MAX; /* a lie: nothing behind the struct may be looked at */
    check_refused("it says it has 4294967295 bytes, which cannot be; version 1 has 40");
    plugin.size = 0;
    check_refused("it says it has 0 bytes, which cannot be; version 1 has 40");
    plugin.needs = TW_ABI_MINOR + 1;
    check_refused("it needs interface 1.2; this host has 1.1, so a newer host is needed");
    plugin.name = NULL;
    check_refused("it says its name is '', but it was found as 'good'");
    plugin.stages = NULL;
    check_refused("it has no stages");
    plugin.stages = no_stages;
    check_refused("it has no stages");
    stage.size = 8;
    check_refused("one of its stages says it has 8 bytes, which cannot be; version 1 has 192");
    stage.name = "a.b";
    check_refused("it has a stage named 'a.b'; names are a letter, then letters, digits, _ or -");
    stage.name = NULL;
    check_refused("it has a stage named ''; names are a letter, then letters, digits, _ or -");
    stage.state = 0;
    check_refused("its stage 'drop' has a state of 0 bytes, less than the 40 of tw_self it begins with");
}
END_TEST

START_TEST(checks_of_callbacks)
{
    static const char *const all[] = { "*", NULL };

    make_good();
    stage.events = NULL;
    stage.run = nothing;
    ck_assert_int_eq(plugin_check(&plugin, "good", &why), TW_OK);
    stage.read = drop;
    check_refused("its stage 'drop' has read together with events, rows, preview or run; a source only reads");
    stage.run = nothing;
    check_refused("its stage 'drop' has run together with events, rows or preview; who stands alone gets none");
    stage.flags = TW_UNORDERED;
    check_refused("its stage 'drop' says it is unordered, which only a source can be");
    stage.flags = TW_REWIND;
    check_refused("its stage 'drop' says it can rewind, but has no read and rewind");
    stage.preview = drop;
    check_refused("its stage 'drop' has preview, but does not say which events it wants there");
    stage.preview = drop;
    stage.preview_wants = all;
    ck_assert_int_eq(plugin_check(&plugin, "good", &why), TW_OK);
}
END_TEST

START_TEST(checks_of_tables)
{
    static const tw_field nameless[] = { { .name = "n", .kind = TW_U32 }, { .kind = TW_U32 } };
    tw_table table = { sizeof table, 2, "t", NULL, nameless };
    const tw_table *const makes[] = { &table, NULL };

    make_good();
    stage.makes = makes;
    check_refused("its stage 'drop': column 2 of its table 't' has no name, or a kind that only payloads have");
    table.ncols = 1;
    stage.makes = makes;
    ck_assert_int_eq(plugin_check(&plugin, "good", &why), TW_OK);
    table.ncols = 0;
    check_refused("its stage 'drop': its table 't' has no columns");
    table.name = "../t";
    stage.makes = makes;
    check_refused(
        "its stage 'drop': it makes a table named '../t'; names are a letter, then letters, digits, _ or -");
    table.size = 8;
    stage.makes = makes;
    check_refused("its stage 'drop': one of its tables says it has 8 bytes, which cannot be; version 1 has 32");
}
END_TEST

START_TEST(checks_of_options)
{
    typedef struct state {
        tw_self tw;
        int64_t limit;
    } state;
    static const tw_option twice[] = { TW_OPTION(state, limit, TW_OPT_INT, "1", ""),
                                       TW_OPTION(state, limit, TW_OPT_SPAN, "1s", ""),
                                       { 0 } };

    make_good();
    stage.options = twice;
    stage.state = sizeof(state);
    check_refused("its stage 'drop': option 'limit' is declared twice");
}
END_TEST

/* ---- Files ---- */

static const char *folder(void)
{
    const char *at = getenv("TW_TEST_REFUSE");
    if (!at || !*at) printf("skipped: TW_TEST_REFUSE does not name the folder of plugins to refuse\n");
    return at && *at ? at : NULL;
}

START_TEST(refused_files)
{
    // clang-format off
    static const struct { const char *name, *sentence; } files[] = {
        { "no_symbol", "it exports no tw_plugin_v1, so it is no plugin, or one made for another version" },
        { "size_small", "it says it has 16 bytes, which cannot be; version 1 has 40" },
        { "tail_used", "it uses something newer than this host (interface 1.1)" },
        { "stage_tail_used", "one of its stages uses something newer than this host (interface 1.1)" },
        { "newer_host", "it needs interface 1.9; this host has 1.1, so a newer host is needed" },
        { "other_name", "it says its name is 'another', but it was found as 'other_name'" },
        { "state_small", "its stage 'drop' has a state of 39 bytes, less than the 40 of tw_self it begins with" },
        { "option_outside", "its stage 'drop': option 'limit' lies outside the stage's state" },
        { "default_wrong",
          "its stage 'drop': a default is not right: option 'over' needs a span like 10ms, not 'ten'" },
        { "no_callback", "its stage 'drop' has no callback that would do anything: read, events, rows or run" },
        { "read_and_events",
          "its stage 'drop' has read together with events, rows, preview or run; a source only reads" },
        { "stage_twice", "it has two stages named 'drop'" },
        { "column_kind",
          "its stage 'drop': column 1 of its table 'paths' has no name, or a kind that only payloads have" },
    };
    // clang-format on
    const char *in = folder();
    if (!in) return;
    plugins *all = plugins_new(&in, 1);

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const tw_plugin *p = &plugin;
        text path = { 0 }, stage_name = { 0 }, expected = { 0 };
        text_format(&path, "%s/%s%s", in, files[i].name, os_library_suffix);
        text_clear(&why);
        ck_assert_int_eq(plugin_check_file(text_of(&path), &p, &why), TW_ERROR);
        ck_assert_str_eq(text_of(&why), files[i].sentence);
        ck_assert_ptr_null(p);

        text_format(&stage_name, "%s.drop", files[i].name);
        text_format(&expected, "plugin '%s' is refused: %s: %s", files[i].name, text_of(&path), files[i].sentence);
        text_clear(&why);
        ck_assert_int_eq(plugins_has(all, files[i].name), 1);
        ck_assert_ptr_null(plugins_stage(all, text_of(&stage_name), &why));
        ck_assert_str_eq(text_of(&why), text_of(&expected));
        text_free(&path);
        text_free(&stage_name);
        text_free(&expected);
    }
    plugins_free(all);
}
END_TEST

START_TEST(good_files)
{
    const char *in = folder();
    if (!in) return;
    const char *const folders[] = { "/nowhere at all", in };
    plugins *all = plugins_new(folders, 2);

    const tw_stage *s = plugins_stage(all, "tail_zero.drop", &why);
    ck_assert_ptr_nonnull(s);
    ck_assert_str_eq(s->name, "drop");
    ck_assert_ptr_eq(plugins_stage(all, "tail_zero.drop", &why), s);
    ck_assert_str_eq(text_of(&why), "");
    plugins_free(all);
}
END_TEST

START_TEST(nearest_names)
{
    const char *in = folder();
    if (!in) return;
    plugins *all = plugins_new(&in, 1);
    text expected = { 0 };

    ck_assert_ptr_null(plugins_stage(all, "tail_zero.dorp", &why));
    ck_assert_str_eq(text_of(&why),
                     "no stage 'tail_zero.dorp' in plugin 'tail_zero'; did you mean 'tail_zero.drop'?");
    text_clear(&why);
    ck_assert_ptr_null(plugins_stage(all, "tail_zero.completely-different-name", &why));
    ck_assert_str_eq(text_of(&why),
                     "no stage 'tail_zero.completely-different-name' in plugin 'tail_zero'; it has tail_zero.drop");
    text_clear(&why);
    ck_assert_ptr_null(plugins_stage(all, "tial_zero.drop", &why));
    text_format(&expected, "no plugin 'tial_zero' in %s; did you mean 'tail_zero'?", in);
    ck_assert_str_eq(text_of(&why), text_of(&expected));
    text_clear(&why);
    ck_assert_ptr_null(plugins_stage(all, "tail_zero", &why));
    ck_assert_str_eq(text_of(&why), "no stage 'tail_zero'; 'tail_zero' is a plugin, its stages are tail_zero.drop");
    text_clear(&why);
    ck_assert_ptr_null(plugins_stage(all, "whree", &why));
    ck_assert_str_eq(text_of(&why), "no stage 'whree'; did you mean 'where'?");
    text_clear(&why);
    ck_assert_ptr_nonnull(plugins_stage(all, "where", &why));
    ck_assert_int_eq(plugins_has(all, "where"), 1);
    ck_assert_int_eq(plugins_has(all, "tail_zero"), 1);
    ck_assert_int_eq(plugins_has(all, "../refuse/tail_zero"), 0); /* a name is no path */
    ck_assert_ptr_null(plugins_stage(all, "../refuse/tail_zero.drop", &why));
    ck_assert_str_eq(plugins_nearest(all, "no_cllback"), "no_callback");
    ck_assert_ptr_null(plugins_nearest(all, "zzzzzzzzzzzz"));
    text_free(&expected);
    plugins_free(all);
}
END_TEST

static void count_note(void *context, const plugin_note *n)
{
    int *count = context;

    ck_assert_int_eq(n->plugin == NULL, n->why != NULL); /* either it is good or there is a sentence */
    if (!strcmp(n->name, "tail_zero") || !strcmp(n->name, "open_fails") || !strcmp(n->name, "step_back")) {
        ck_assert_ptr_nonnull(n->plugin);
        count[0]++;
    } else if (strcmp(n->path, "built in")) {
        ck_assert_ptr_nonnull(n->why);
        count[1]++;
    }
}

START_TEST(all_are_listed)
{
    const char *in = folder();
    if (!in) return;
    plugins *all = plugins_new(&in, 1);
    int count[2] = { 0 };

    plugins_each(all, count_note, count);
    ck_assert_int_eq(count[0], 3);
    ck_assert_int_eq(count[1], 13);
    plugins_free(all);
}
END_TEST

START_TEST(failing_in_open)
{
    const char *in = folder();
    if (!in) return;
    plugins *all = plugins_new(&in, 1);
    const spec chain[] = { { .stage = "open_fails.read", .place = "p.lua:3" } };
    const plan p = { "try", chain, 1 };
    const bus_options o = { .plugins = all };
    report r;
    text path = { 0 };
    void *library;

    bus_run(&p, &o, &r);
    ck_assert_int_eq(r.status, 1);
    ck_assert_str_eq(text_of(&r.error), "try: open_fails.read: it never opens");
    text_format(&path, "%s/open_fails%s", in, os_library_suffix);
    ck_assert_int_eq(os_library(text_of(&path), &library, &why), TW_OK);
    ck_assert_int_eq(*(const int *)os_symbol(library, "open_fails_closed"), 1);
    text_free(&path);
    report_free(&r);
    plugins_free(all);
}
END_TEST

START_TEST(files_that_are_none)
{
    const tw_plugin *p;
    text path = { 0 };

    ck_assert_int_eq(plugin_check_file("test_plugin.c", &p, &why), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(text_of(&why), "its name does not end in"));
    text_format(&path, "./test_plugin.tmp%s", os_library_suffix);
    FILE *f = fopen(text_of(&path), "wb");
    ck_assert_ptr_nonnull(f);
    fputs("\177ELF, but no library", f);
    fclose(f);
    text_clear(&why);
    ck_assert_int_eq(plugin_check_file(text_of(&path), &p, &why), TW_ERROR);
    ck_assert_uint_gt(why.n, 0);
    remove(text_of(&path));
    text_free(&path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("plugin");
    TCase *t = tcase_create("plugin");

    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, checks_in_memory);
    tcase_add_test(t, checks_of_callbacks);
    tcase_add_test(t, checks_of_tables);
    tcase_add_test(t, checks_of_options);
    tcase_add_test(t, refused_files);
    tcase_add_test(t, good_files);
    tcase_add_test(t, nearest_names);
    tcase_add_test(t, all_are_listed);
    tcase_add_test(t, failing_in_open);
    tcase_add_test(t, files_that_are_none);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
