/* test_lua_json.c - JSON values and Lua values, both ways. */
#include <check.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "lua_json.h"
#include "text.h"

static lua_State *L;
static text out;

static void setup(void)
{
    L = luaL_newstate();
    luaL_openlibs(L);
    lua_json_open(L);
    lua_setglobal(L, "json");
}

static void teardown(void)
{
    lua_close(L);
    text_free(&out);
}

typedef struct job {
    const char *code;
    const json_t *in;
    json_t *out;
} job;

/* out = (function(v) CODE end)(in) */
static int turn(lua_State *state)
{
    job *j = lua_touserdata(state, 1);

    if (luaL_loadstring(state, j->code)) return lua_error(state);
    lua_json_push(state, j->in);
    lua_call(state, 1, 1);
    lua_json_take(state, lua_gettop(state), &j->out);
    return 0;
}

/* What the code makes of the value, as JSON with sorted keys; or the error. */
static const char *through(const char *code, const char *json)
{
    job j = { code, json_loads(json, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL), NULL };

    ck_assert_ptr_nonnull(j.in);
    text_clear(&out);
    if (lua_cpcall(L, turn, &j) == 0) {
        char *words = json_dumps(j.out, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
        text_put(&out, words);
        free(words);
    } else {
        text_put(&out, lua_tostring(L, -1));
    }
    lua_settop(L, 0);
    json_decref(j.out);
    json_decref((json_t *)j.in);
    return text_of(&out);
}

static const char *same(const char *json)
{
    return through("return ...", json);
}

START_TEST(values_come_back)
{
    static const char *const values[] = {
        "null",
        "true",
        "false",
        "0",
        "-1",
        "9007199254740992",
        "1.5",
        "\"\"",
        "\"a\\u0000b\"",
        "\"\xC3\xA4\"",
        "[]",
        "{}",
        "[[],{}]",
        "[null,1,null]",
        "{\"a\":[1,2,{\"b\":null}],\"c\":\"d\"}",
        "{\"1\":2}",
    };

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) ck_assert_str_eq(same(values[i]), values[i]);
}
END_TEST

START_TEST(what_lua_sees)
{
    ck_assert_str_eq(through("local v = ... return v.a == json.null and v.b == nil and v.c[2] == 5 and #v.c == 2",
                             "{\"a\":null,\"c\":[4,5]}"),
                     "true");
    ck_assert_str_eq(through("local v = ... table.insert(v, 3) return v", "[1,2]"), "[1,2,3]");
    ck_assert_str_eq(through("local v = ... v[1] = nil return v", "[1]"), "[]");
    ck_assert_str_eq(through("return nil", "1"), "null");
    ck_assert_str_eq(through("return {}", "1"), "{}");
    ck_assert_str_eq(through("return json.array {}", "1"), "[]");
    ck_assert_str_eq(through("return { 1, { x = 2 } }", "1"), "[1,{\"x\":2}]");
    ck_assert_str_eq(through("return 2^53", "1"), "9007199254740992");
    ck_assert_str_eq(through("return 0.5", "1"), "0.5");
}
END_TEST

START_TEST(nothing_is_changed_silently)
{
    ck_assert_ptr_nonnull(strstr(same("9007199254740993"), "the number 9007199254740993 is too large"));
    ck_assert_ptr_nonnull(strstr(same("-9007199254740993"), "too large to be exact"));
    ck_assert_ptr_nonnull(strstr(through("return 0/0", "1"), "nan has no form"));
    ck_assert_ptr_nonnull(strstr(through("return -1/0", "1"), "infinite has no form"));
    ck_assert_ptr_nonnull(strstr(through("return print", "1"), "a function has no form"));
    ck_assert_ptr_nonnull(strstr(through("return '\\255'", "1"), "no UTF-8"));
    ck_assert_ptr_nonnull(strstr(through("return { ['\\255'] = 1 }", "1"), "a key that is no UTF-8"));
    ck_assert_ptr_nonnull(strstr(through("return { 1, x = 2 }", "1"), "a list only in part"));
    ck_assert_ptr_nonnull(strstr(through("return { [1] = 1, [3] = 2 }", "1"), "has no form"));
    ck_assert_ptr_nonnull(strstr(through("return { [0.5] = 1 }", "1"), "has no form"));
    ck_assert_ptr_nonnull(strstr(through("return { [true] = 1 }", "1"), "has no form"));
    ck_assert_ptr_nonnull(strstr(through("local t = {} t.t = t return t", "1"), "or in itself"));
}
END_TEST

START_TEST(depth_is_bounded)
{
    text deep = { 0 };

    for (int i = 0; i < 1000; i++) text_put(&deep, "[");
    for (int i = 0; i < 1000; i++) text_put(&deep, "]");
    ck_assert_ptr_nonnull(strstr(same(text_of(&deep)), "nested deeper than 128"));
    text_free(&deep);
    for (int i = 0; i < 120; i++) text_put(&deep, "[");
    for (int i = 0; i < 120; i++) text_put(&deep, "]");
    ck_assert_str_eq(same(text_of(&deep)), text_of(&deep));
    text_free(&deep);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lua_json");
    TCase *tests = tcase_create("lua_json");
    SRunner *runner = srunner_create(suite);

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, values_come_back);
    tcase_add_test(tests, what_lua_sees);
    tcase_add_test(tests, nothing_is_changed_silently);
    tcase_add_test(tests, depth_is_bounded);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
