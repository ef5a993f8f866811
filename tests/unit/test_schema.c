/* test_schema.c - the arguments of a pipeline as JSON Schema, and JSON as its words. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "schema.h"

static const char *const formats[] = { "csv", "text" };
static const argument args[] = {
    { "trace", "an .etl file", ARG_FILE, 1, 1, NULL, NULL, 0, -INFINITY, INFINITY },
    { "n", "how many", ARG_NUMBER, 0, 0, "20", NULL, 0, 1, 200 },
    { "ratio", NULL, ARG_NUMBER, 0, 0, NULL, NULL, 0, -INFINITY, INFINITY },
    { "json", NULL, ARG_FLAG, 0, 0, NULL, NULL, 0, -INFINITY, INFINITY },
    { "over", "how slow", ARG_SPAN, 0, 0, "5ms", NULL, 0, -INFINITY, INFINITY },
    { "format", NULL, ARG_CHOICE, 0, 0, "csv", formats, 2, -INFINITY, INFINITY },
};
static const argument with_rest[] = {
    { "name", NULL, ARG_STRING, 1, 0, NULL, NULL, 0, -INFINITY, INFINITY },
    { "others", NULL, ARG_REST, 0, 0, NULL, NULL, 0, -INFINITY, INFINITY },
};
static const pipeline sample = { "top", "The top", "top.lua", NULL, args, 6 };
static const pipeline open_ended = { "tool", NULL, "tool.lua", NULL, with_rest, 2 };

static text out;

static void teardown(void)
{
    text_free(&out);
}

static const char *schema_text(const pipeline *p)
{
    json_t *o = schema_pipeline(p->name, p, 1);
    char *words = json_dumps(o, JSON_COMPACT);

    text_clear(&out);
    text_put(&out, words);
    free(words);
    json_decref(o);
    return text_of(&out);
}

START_TEST(a_schema)
{
    ck_assert_str_eq(
        schema_text(&sample),
        "{\"name\":\"top\",\"help\":\"The top\",\"trusted\":true,\"arguments\":{\"$schema\":"
        "\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"properties\":{"
        "\"trace\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,\"description\":\"an .etl "
        "file\","
        "\"x-kind\":\"file\"},"
        "\"n\":{\"type\":\"number\",\"minimum\":1,\"maximum\":200,\"description\":\"how many\",\"default\":20,"
        "\"x-kind\":\"number\"},"
        "\"ratio\":{\"type\":\"number\",\"x-kind\":\"number\"},"
        "\"json\":{\"type\":\"boolean\",\"default\":false,\"x-kind\":\"flag\"},"
        "\"over\":{\"type\":\"string\",\"description\":\"how slow; a span of time, such as 10ms or 2s\",\"default\":"
        "\"5ms\",\"x-kind\":\"span\"},"
        "\"format\":{\"type\":\"string\",\"enum\":[\"csv\",\"text\"],\"default\":\"csv\",\"x-kind\":\"choice\"}},"
        "\"required\":[\"trace\"],\"additionalProperties\":false}}");
    ck_assert_str_eq(schema_text(&open_ended),
                     "{\"name\":\"tool\",\"help\":\"\",\"trusted\":true,\"arguments\":{\"$schema\":"
                     "\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"properties\":{\"name\":{"
                     "\"type\":\"string\",\"x-kind\":\"string\"}},\"required\":[\"name\"],\"additionalProperties\":{"
                     "\"type\":[\"string\",\"number\",\"boolean\"]}}}");
}
END_TEST

/* The words with blanks between, or the sentence. */
static const char *words_of(const pipeline *p, const char *json)
{
    arena memory = { 0 };
    const char **words;
    uint32_t n;
    text why = { 0 };
    int rc = schema_words(p, json, &memory, &words, &n, &why);

    text_clear(&out);
    for (uint32_t i = 0; rc == TW_OK && i < n; i++) text_format(&out, "%s%s", i ? " " : "", words[i]);
    if (rc != TW_OK) text_put(&out, text_of(&why));
    text_free(&why);
    arena_free(&memory);
    return text_of(&out);
}

START_TEST(words)
{
    ck_assert_str_eq(words_of(&sample, "{\"trace\":[\"a.etl\",\"--b\"],\"n\":5,\"ratio\":0.25,\"json\":true,"
                                       "\"over\":\"2s\",\"format\":\"text\"}"),
                     "trace=a.etl trace=--b n=5 ratio=0.25 json=true over=2s format=text");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":\"a=b c\",\"json\":false,\"n\":null}"), "trace=a=b c json=false");
    ck_assert_str_eq(words_of(&open_ended, "{\"name\":\"x\",\"a\":1,\"b-c\":\"y\",\"d\":true}"),
                     "name=x a=1 b-c=y d=true");
}
END_TEST

START_TEST(wrong_use)
{
    ck_assert_str_eq(words_of(&sample, NULL), "argument 'trace' is missing (an .etl file)");
    ck_assert_str_eq(words_of(&sample, "{\"trase\":\"x\"}"), "no argument 'trase'; did you mean 'trace'?");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":5}"), "argument 'trace' is a string, not a number");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":[[\"x\"]]}"), "argument 'trace' is a string, not a list");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":\"x\",\"n\":\"5\"}"), "argument 'n' is a number, not a string");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":\"x\",\"n\":0}"), "argument 'n' must be from 1 to 200, not 0");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":\"x\",\"json\":1}"), "argument 'json' is a boolean, not a number");
    ck_assert_str_eq(words_of(&sample, "{\"trace\":\"a\\u0000b\"}"), "argument 'trace' holds a zero byte");
    ck_assert_str_eq(words_of(&sample, "[1]"),
                     "the arguments are a list, but an object is needed, such as {\"trace\": \"boot.etl\"}");
    ck_assert_str_eq(words_of(&open_ended, "{\"name\":\"x\",\"--trust\":\"y\"}"),
                     "'--trust' is no name for an argument");
    ck_assert_str_eq(words_of(&open_ended, "{\"name\":\"x\",\"a b\":\"y\"}"), "'a b' is no name for an argument");
    ck_assert_str_eq(words_of(&open_ended, "{\"name\":\"x\",\"\":\"y\"}"), "'' is no name for an argument");
    ck_assert_ptr_nonnull(strstr(words_of(&sample, "{\"n\":1,\"n\":2}"), "the arguments are no JSON: duplicate"));
    ck_assert_ptr_nonnull(strstr(words_of(&sample, "{"), "the arguments are no JSON"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("schema");
    TCase *tests = tcase_create("schema");
    SRunner *runner = srunner_create(suite);

    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, a_schema);
    tcase_add_test(tests, words);
    tcase_add_test(tests, wrong_use);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
