/* test_oneline.c - a pipeline in one line: which plan it is, and at which column it is wrong. */
#include <check.h>
#include <stdlib.h>

#include "oneline.h"

typedef struct state {
    tw_self tw;
    const char *text;
    const char *const *list;
    int64_t number;
    int flag;
} state;

static int none(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static int no_rows(void *self, tw_rows *r)
{
    (void)self;
    (void)r;
    return TW_OK;
}

static const tw_option read_options[] = {
    { "file", NULL, "traces", TW_OPT_INPUTS, offsetof(state, list) },
    { "tables", "no", "make them", TW_OPT_BOOL, offsetof(state, flag) },
    { 0 },
};
static const tw_option write_options[] = { { "to", "-", "where", TW_OPT_OUTPUT, offsetof(state, text) }, { 0 } };
static const tw_field column = { .name = "n", .kind = TW_U32 };
static const tw_table table = { .size = sizeof table, .name = "made", .ncols = 1, .col = &column };
static const tw_table *const tables[] = { &table, NULL };
static const tw_stage read_stage = {
    .size = sizeof(tw_stage),
    .name = "read",
    .state = sizeof(state),
    .options = read_options,
    .read = none,
    .makes = tables,
};
static const tw_stage write_stage = {
    .size = sizeof(tw_stage), .name = "write", .state = sizeof(state), .options = write_options, .rows = no_rows
};
static const tw_stage both_stage = { .size = sizeof(tw_stage),
                                     .name = "both",
                                     .state = sizeof(state),
                                     .options = write_options,
                                     .rows = no_rows,
                                     .events = none };
static const tw_stage maker_stage = {
    .size = sizeof(tw_stage), .name = "maker", .state = sizeof(state), .events = none, .makes = tables
};
static const tw_stage *const etl_stages[] = { &read_stage, &write_stage, &both_stage, &maker_stage, NULL };
static const tw_plugin etl = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "etl", "1.0", "MIT", etl_stages };
const tw_plugin *const builtin_plugins[] = { &etl, NULL };

static plugins *all;
static arena memory;
static text why, out;

static void setup(void)
{
    all = plugins_new(NULL, 0);
}

static void teardown(void)
{
    plugins_free(all);
    arena_free(&memory);
    text_free(&why);
    text_free(&out);
}

/* The plan as text, `stage@column name=value`, or the sentence. */
static const char *read(const char *line)
{
    plan made;

    text_clear(&why);
    text_clear(&out);
    if (oneline_read(all, line, &memory, &made, &why) != TW_OK) return text_of(&why);
    for (uint32_t i = 0; i < made.n; i++) {
        const spec *s = &made.stage[i];
        const char *column = strrchr(s->place, ' ');
        text_format(&out, "%s%s@%s", i ? "; " : "", s->stage, column + 1);
        for (uint32_t k = 0; k < s->n; k++) {
            text_format(&out, " %s=", s->set[k].name ? s->set[k].name : "");
            for (uint32_t j = 0; j < s->set[k].n; j++) text_format(&out, "%s%s", j ? "," : "", s->set[k].value[j]);
        }
    }
    return text_of(&out);
}

#define COLUMNS "time,provider,event,id,version,level,pid,tid,cpu,bytes,payload as=events"

static const struct {
    const char *line, *plan;
} right[] = {
    { "etl.read a.etl | null", "etl.read@1 =a.etl; null@18" },
    { "etl.read a.etl b.etl tables=no|null", "etl.read@1 =a.etl,b.etl tables=no; null@32" },
    { " etl.read\t'a b.etl'  |\n null ", "etl.read@2 =a b.etl; null@25" },
    { "etl.read C:\\a\\b.etl|null", "etl.read@1 =C:\\a\\b.etl; null@21" },
    { "etl.read \"it's\" 'a|b' c'd 'e\"f\"|null", "etl.read@1 =it's,a|b,cd ef; null@33" },
    { "etl.read '' | null", "etl.read@1 =; null@15" },
    { "etl.read ä.etl | null", "etl.read@1 =ä.etl; null@18" },
    { "etl.read x | between 5s to=10s | null", "etl.read@1 =x; between@14 =5s to=10s; null@34" },
    { "etl.read x | between 5s 10s | null", "etl.read@1 =x; between@14 =5s,10s; null@31" },
    { "etl.read x | fields a b=c on=D/* on=E 'as=d' | null",
      "etl.read@1 =x; fields@14 =a,b=c,as=d on=D/*,E; null@48" },
    { "etl.read x | thread size=4 shed=a shed=b | null", "etl.read@1 =x; thread@14 size=4 shed=a,b; null@44" },
    { "etl.read x | where pid == 4 and event == 'a|b'  | null",
      "etl.read@1 =x; where@14 =pid == 4 and event == 'a|b'; null@51" },
    { "etl.read x | where 'pid == 4' | null", "etl.read@1 =x; where@14 =pid == 4; null@33" },
    { "etl.read x | where 'a' == event | null", "etl.read@1 =x; where@14 ='a' == event; null@35" },
    { "etl.read x | where \"event == 'a|b'\" | null", "etl.read@1 =x; where@14 =event == 'a|b'; null@39" },
    /* what is put in */
    { "etl.read x", "etl.read@1 =x; fields@pipeline =" COLUMNS "; csv.write@pipeline" },
    { "etl.read x | limit 3 | etl.write", "etl.read@1 =x; limit@14 =3; fields@pipeline =" COLUMNS "; etl.write@24" },
    { "etl.read x | etl.both o", "etl.read@1 =x; etl.both@14 =o" },
    { "etl.read x | etl.maker", "etl.read@1 =x; etl.maker@14; csv.write@pipeline" },
    { "etl.read x | count a | etl.write", "etl.read@1 =x; count@14 =a; etl.write@24" },
    { "etl.read x tables=yes | etl.write", "etl.read@1 =x tables=yes; etl.write@25" },
    { "etl.read x | count a", "etl.read@1 =x; count@14 =a; csv.write@pipeline" },
};

START_TEST(test_right)
{
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) ck_assert_str_eq(read(right[i].line), right[i].plan);
}
END_TEST

static const struct {
    const char *line, *sentence;
} wrong[] = {
    { "", "column 1: a stage is missing here" },
    { "etl.read a || null", "column 13: a stage is missing here" },
    { "etl.read a | ", "column 14: a stage is missing here" },
    { "etl.raed a", "column 1: no stage 'etl.raed' in plugin 'etl'; did you mean 'etl.read'?" },
    { "etl.read ü | lmiit 5", "column 14: no stage 'lmiit'; did you mean 'limit'?" },
    { "null", "column 1: the pipeline begins with 'null', which is no source; begin with one, as in etl.read a.etl" },
    { "etl.read a | etl.read b", "column 14: 'etl.read' is a source and must come first" },
    { "etl.read a | limit m=5", "column 20: limit: no option 'm'; its options are n, of" },
    { "etl.read a fiel=b", "column 12: etl.read: no option 'fiel'; did you mean 'file'?" },
    { "etl.read 'a | null", "column 10: this quote is not closed" },
    { "etl.read a | where event == 'x | null", "column 29: this quote is not closed" },
    { "etl.read a | where ä == 'ö' and pid = 4", "column 37: no operator '='; did you mean '=='?" },
    { "etl.read a | where 'pid = 4' | null", "column 25: no operator '='; did you mean '=='?" },
    { "etl.read a | filter x", "column 14: 'filter' needs a pipeline file; see docs/pipeline-guide.md" },
    { "merge a | null", "column 1: 'merge' needs a pipeline file; see docs/pipeline-guide.md" },
};

START_TEST(test_wrong)
{
    text expected = { 0 };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text_clear(&expected);
        text_format(&expected, "in the pipeline: %s", wrong[i].sentence);
        ck_assert_str_eq(read(wrong[i].line), text_of(&expected));
    }
    text_free(&expected);
}
END_TEST

START_TEST(test_too_much)
{
    text line = { 0 };

    text_put(&line, "etl.read a");
    for (int i = 0; i < 63; i++) text_put(&line, "|null");
    ck_assert_str_ne(read(text_of(&line)), text_of(&why));
    text_put(&line, "|null");
    ck_assert_str_eq(read(text_of(&line)), "in the pipeline: column 327: a pipeline has at most 64 stages");
    text_clear(&line);
    text_put(&line, "etl.read");
    for (int i = 0; i < 257; i++) text_put(&line, " a");
    ck_assert_str_eq(read(text_of(&line)), "in the pipeline: column 522: a stage takes at most 256 words");
    text_free(&line);
}
END_TEST

START_TEST(test_is)
{
    static const struct {
        const char *word;
        int is;
    } cases[] = {
        { "a | b", 1 },      { "etl.read", 1 },  { "etl.read a.etl", 1 }, { "etl.raed a.etl", 1 },
        { "etl.raed", 0 },   { "info", 0 },      { "top.lua", 0 },        { "a.lua b", 0 },
        { "./etl.read", 0 }, { "etl/x.y z", 0 }, { "limit 3", 0 },        { "", 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(oneline_is(all, cases[i].word) == cases[i].is, "'%s'", cases[i].word);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("oneline");
    TCase *tests = tcase_create("oneline");

    tcase_add_checked_fixture(tests, setup, teardown);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, test_right);
    tcase_add_test(tests, test_wrong);
    tcase_add_test(tests, test_too_much);
    tcase_add_test(tests, test_is);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
