/* test_sandbox.c - what a pipeline file that is not trusted may not do, and what is left to it. */
#include <stdlib.h>
#include <string.h>

#include "script_kit.h"

/* ---- What a file that is not trusted may not do ---- */

START_TEST(test_limits)
{
    static const struct {
        const char *source, *sentence;
        script_options options;
    } cases[] = {
        { "\nlocal function f() pcall(f) f() end f()",
          ": has not come back for 100 ms: stopped (--script-time sets the limit)",
          { .time = 100000000 } },
        { "return pipeline 'd' { chain = function()\nlocal function f() pcall(f) f() end f()\nend }",
          ": has not come back for 100 ms: stopped (--script-time sets the limit)",
          { .time = 100000000 } },
        { "local t = {} for i = 1, 1e9 do t[i] = i .. 'x' end",
          "d.lua: holds more than 8 MiB: stopped (--script-memory sets the limit)",
          { .memory = 8 << 20 } },
        { "local t = {} for i = 1, 1e9 do t[i] = function() return t end end",
          "d.lua: holds more than 8388609 bytes: stopped (--script-memory sets the limit)",
          { .memory = (8 << 20) + 1 } },
    };
    const plan *made;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_clear(&why);
        s = script_new(all, &cases[i].options, &why);
        ck_assert_ptr_nonnull(s);
        if (script_load(s, "d.lua", cases[i].source, &p, &why) == TW_OK)
            ck_assert_int_eq(script_plan(s, p, NULL, 0, &made, &why), TW_ERROR);
        /* Which line it is stopped at is its own affair, and a stack that is full has none to name. */
        ck_assert_int_eq(strncmp(text_of(&why), "d.lua:", 6), 0);
        ck_assert_msg(strstr(text_of(&why), cases[i].sentence) != NULL, "%s", text_of(&why));
        script_free(s);
        s = NULL;
    }
}
END_TEST

#define BLOCKED(name)              "d.lua:1: '" name "' is blocked in a file that is not trusted; --trust allows it"
#define BLOCKED_FOR(name, instead) "d.lua:1: '" name "' is blocked in a file that is not trusted: " instead

START_TEST(test_sandbox)
{
    static const wrong_file cases[] = {
        { "io.open('/etc/passwd')", BLOCKED_FOR("io", "files are read and written by stages") },
        { "os.execute('x')", BLOCKED("os.execute") },
        { "os.getenv('HOME')", BLOCKED("os.getenv") },
        { "os.exit()", BLOCKED("os.exit") },
        { "os.remove('x')", BLOCKED("os.remove") },
        { "local f = ffi", BLOCKED("ffi") },
        { "require 'ffi'", BLOCKED_FOR("require", "write the code in the file itself") },
        { "package.loaded.ffi.C.abort()", BLOCKED("package") },
        { "debug.getregistry()", BLOCKED("debug") },
        { "jit.off()", BLOCKED("jit") },
        { "load('\\27LJ')", BLOCKED_FOR("load", "write the code in the file itself") },
        { "loadstring('x')", BLOCKED("loadstring") },
        { "loadfile('x')", BLOCKED("loadfile") },
        { "dofile('x')", BLOCKED("dofile") },
        { "string.dump(tostring)", BLOCKED("string.dump") },
        { "local f = (''):dump()", BLOCKED("string.dump") },
        { "getmetatable('').__index = nil", BLOCKED("getmetatable") },
        { "setmetatable(math, {})", BLOCKED("setmetatable") },
        { "getfenv(0)", BLOCKED("getfenv") },
        { "setfenv(1, {})", BLOCKED("setfenv") },
        { "newproxy(true)", BLOCKED("newproxy") },
        { "collectgarbage('stop')", BLOCKED("collectgarbage") },
        { "rawset(math, 'sin', 1)", BLOCKED("rawset") },
        { "rawget(math, 'sin')", BLOCKED("rawget") },
        { "_G.x = 1", BLOCKED("_G") },
        { "coroutine.create(tostring)", BLOCKED("coroutine") },
        { "xpcall(error, error)", BLOCKED("xpcall") },
        { "print('x')", BLOCKED_FOR("print", "results go through stages, as in text.grid {}") },
        { "math.sin = 1", "d.lua:1: 'math' cannot be changed, here by 'sin'" },
        { "string.format = 1", "d.lua:1: 'string' cannot be changed, here by 'format'" },
        { "table.insert(math, 1)", "d.lua:1: table.insert cannot change a table" },
        { "table.remove(string)", "d.lua:1: table.remove cannot change a table" },
        { "table.sort(bit)", "d.lua:1: table.sort cannot change a table" },
        { "math.sni(1)", "d.lua:1: no function 'math.sni'; did you mean 'sin'?" },
        { "local x = 1ULL",
          "d.lua: the literal 1ULL is blocked in a file that is not trusted; numbers are exact up to 2^53" },
        { "local function f() return function() return 5LL end end",
          "d.lua: the literal 5LL is blocked in a file that is not trusted; numbers are exact up to 2^53" },
        { "local x = 2i",
          "d.lua: the literal 0+2i is blocked in a file that is not trusted; numbers are exact up to 2^53" },
        { "local x = ('x'):rep(1048577)", "d.lua:1: string.rep makes texts of at most 1048576 bytes here" },
        { "local x = ('x'):rep('1e9')", "d.lua:1: string.rep makes texts of at most 1048576 bytes here" },
        { "local x = string.rep('', 1e9, ',')", "d.lua:1: string.rep makes texts of at most 1048576 bytes here" },
        { "local x = ('x'):rep(65537):find('y')",
          "d.lua:1: string.find takes texts of at most 65536 bytes here, not 65537" },
        { "local x = ('x'):rep(65537):gsub('x', 'y')",
          "d.lua:1: string.gsub takes texts of at most 65536 bytes here, not 65537" },
        { "local x = ('x'):match(('.-'):rep(129))",
          "d.lua:1: string.match takes patterns of at most 256 bytes here, not 258" },
        { "local x = ('x'):find({})", "d.lua:1: bad argument #1 to 'find' (string expected, got table)" },
        { "os.date('%Q')", "d.lua:1: os.date takes the conversions of standard C only, not '%Q'" },
        { "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end",
          "d.lua: holds more than 256 MiB: stopped (--script-memory sets the limit)" },
        { "local s = 'x' while true do s = s .. s end",
          "d.lua: holds more than 256 MiB: stopped (--script-memory sets the limit)" },
    };
    REFUSE(cases, 0);
}
END_TEST

START_TEST(test_full_stack)
{
    ck_assert_int_eq(load("local function f() return 1 + f() end f()", 0), TW_ERROR);
    ck_assert(strncmp(text_of(&why), "d.lua:", 6) == 0 && strstr(text_of(&why), "stack overflow"));
}
END_TEST

/* Functions written in C call back on the C stack, which LuaJIT does not bound. */
START_TEST(test_full_c_stack)
{
    static const struct {
        const char *source;
        int trusted;
    } cases[] = {
        { "local function f(s) return (s:gsub('.', f)) end f('a')", 0 },
        { "local function f(s) return (s:gsub('.', f)) end f('a')", 1 },
        { "local function f(s) local _, w = pcall(string.gsub, s, '.', f) error(w, 0) end f('a')", 0 },
        { "local function f(s) local _, w = pcall(string.gsub, s, '.', f) error(w, 0) end f('a')", 1 },
        { "local function f(s) coroutine.wrap(f)(s) end f('a')", 1 },
        { "local function f(s) local _, w = coroutine.resume(coroutine.create(f), s) error(w, 0) end f('a')", 1 },
        { "local t = setmetatable({}, {}) getmetatable(t).__index = function() local s = ('a'):gsub('.', t) "
          "return s end local x = t.x",
          1 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(load(cases[i].source, cases[i].trusted), TW_ERROR);
        ck_assert_msg(!strncmp(text_of(&why), "d.lua:1: ", 9) && strstr(text_of(&why), "calls itself too often"),
                      "%s", text_of(&why));
    }
    /* Sorting takes little of the C stack, so LuaJIT's own bound may be met first. */
    ck_assert_int_eq(load("local function f(a, b) table.sort({ 1, 2 }, f) return a < b end f(1, 2)", 0), TW_ERROR);
    ck_assert_int_eq(load("local n = 0 local function f(s) n = n + 1 return n < 20 and (s:gsub('.', f)) or s end\n"
                          "assert(f('a') == 'a' and n == 20)\n"
                          "return pipeline 'd' { toy.read { file = 'x' } }",
                          0),
                     TW_OK);
}
END_TEST

/* ---- Outputs that a file names itself ---- */

#define ONLY_BELOW(to)                                                                                               \
    "d.lua:2: toy.write: a file that is not trusted writes only below this folder, not to '" to                      \
    "': take the path from an argument (to = args.out) or use --trust"

START_TEST(test_own_outputs)
{
    static const struct {
        const char *stage, *words, *sentence; /* NULL: allowed */
    } cases[] = {
        { "toy.write { to = 'x.csv' }", "", NULL },
        { "toy.write { to = '-' }", "", NULL },
        { "toy.write { 'out/x.csv' }", "", NULL },
        { "toy.write { to = './a..b/x.csv' }", "", NULL },
        { "toy.write { to = '/tmp/x' }", "", ONLY_BELOW("/tmp/x") },
        { "toy.write { 5, '/tmp/x' }", "", NULL }, /* the second is a number's, whatever it is */
        { "toy.write { '/tmp/x' }", "", ONLY_BELOW("/tmp/x") },
        { "toy.write '/tmp/x'", "", ONLY_BELOW("/tmp/x") },
        { "toy.write { to = '../x' }", "", ONLY_BELOW("../x") },
        { "toy.write { to = 'a/../../x' }", "", ONLY_BELOW("a/../../x") },
        { "toy.write { to = '.bashrc' }", "", ONLY_BELOW(".bashrc") },
        { "toy.write { to = 'a/.ssh/x' }", "", ONLY_BELOW("a/.ssh/x") },
        { "toy.write { to = 'a\\\\..\\\\x' }", "", ONLY_BELOW("a\\..\\x") },
        { "toy.write { to = 'C:x' }", "", ONLY_BELOW("C:x") },
        { "toy.write { folder = '/tmp' }", "",
          "d.lua:2: toy.write: a file that is not trusted writes only below this folder, not to '/tmp': take the "
          "path "
          "from an argument (folder = args.out) or use --trust" },
        { "tee { { toy.write { to = '/tmp/x' } } }", "", ONLY_BELOW("/tmp/x") },
        { "toy.write { to = args.out }", "/tmp/x", NULL },
        { "toy.write { to = args.out .. ':x' }", "C", ONLY_BELOW("C:x") },
        { "toy.write { to = args.out }", "", ONLY_BELOW("/tmp/default") },
        { "toy.write { to = args.out .. '.csv' }", "/tmp/x", NULL },
        { "toy.write { to = args.out .. '/a.csv' }", "..", NULL },
        { "toy.write { to = args.out .. '/.bashrc' }", "/tmp", ONLY_BELOW("/tmp/.bashrc") },
        { "toy.write { to = args.out .. 'bashrc' }", ".", ONLY_BELOW(".bashrc") },
        { "toy.write { to = '/tmp/' .. args.out }", "x", ONLY_BELOW("/tmp/x") },
        { "toy.write { to = 'a/' .. args.out }", "../../x", ONLY_BELOW("a/../../x") },
    };
    char source[512];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int in_function = 0; in_function < 2; in_function++) {
            snprintf(
                source, sizeof source, "return pipeline 'd' { args = { {'out', string '/tmp/default'} }, %s\n%s %s }",
                in_function ? "chain = function(args) return { toy.read { file = 'f' }," : "toy.read { file = 'f' },",
                cases[i].stage, in_function ? "} end" : "");
            ck_assert_int_eq(load(source, 1), TW_OK);
            ck_assert_msg(!strstr(plan_of(cases[i].words), "not trusted"), "%s", source);
            ck_assert_int_eq(load(source, 0), TW_OK);
            const char *got = plan_of(cases[i].words);
            if (cases[i].sentence)
                ck_assert_str_eq(got, cases[i].sentence);
            else
                ck_assert_msg(!strncmp(got, "toy.read@d.lua:", 15), "%s: %s", source, got);
        }
    }
}
END_TEST

/* What is left is enough to work with. */
START_TEST(test_sandbox_has)
{
    ck_assert_int_eq(
        load("local ok, message = pcall(function() return io end)\n"
             "assert(not ok and message == \"d.lua:1: 'io' is blocked in a file that is not trusted: \"\n"
             "  .. 'files are read and written by stages')\n"
             "assert(('x'):upper() == 'X' and string.format('%d', 5) == '5' and #('ab'):rep(3, ',') == 8)\n"
             "assert(('a,b'):gsub(',', ';') == 'a;b' and ('k=v'):match('(%w)=') == 'k')\n"
             "assert(math.floor(1.5) == 1 and bit.band(6, 3) == 2 and os.time() > 0 and os.date('%Y') > '2000')\n"
             "local t = { 3, 1 } table.sort(t) table.insert(t, 5) assert(table.concat(t, ',') == '1,3,5')\n"
             "own = 1 own = own + 1 assert(own == 2)\n"
             "assert(select('#', unpack({ 1, 2 })) == 2 and tostring(nil) == 'nil' and next({}) == nil)\n"
             "return pipeline 'd' { toy.read { file = 'x' } }",
             0),
        TW_OK);
}
END_TEST

/* Nothing that a file holds shows what is inside it. */
START_TEST(test_handles_are_empty)
{
    ck_assert_int_eq(
        load("local stage, argument = toy.read { file = 'x' }, number(5)\n"
             "assert(next(stage) == nil and next(argument) == nil and next(args) == nil and next(args.x) == nil)\n"
             "table.insert({}, stage)\n"
             "assert(not pcall(table.insert, stage, 1))\n"
             "assert(not pcall(function() args.x = 1 end))\n"
             "return pipeline 'd' { stage }",
             0),
        TW_OK);
    ck_assert_str_eq(plan_of(""), "toy.read@d.lua:1 file=x");
}
END_TEST

START_TEST(test_trusted)
{
    ck_assert_int_eq(load("local ffi = require 'ffi'\n"
                          "assert(ffi.sizeof 'tw_event' == 48 and io.open and getmetatable('').__index == string)\n"
                          "counted = 1ULL\n"
                          "function string.shout(s) return s:upper() end\n"
                          "return pipeline 'd' { args = { {'s', string 'x'} }, chain = function(args)\n"
                          "  later = true\n"
                          "  return { toy.read { file = args.s:shout() } } end }",
                          1),
                     TW_OK);
    ck_assert_str_eq(plan_of(""), "toy.read@d.lua:7 file=X");
    ck_assert_int_eq(load("return nothing", 1), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "d.lua:1: no word, stage or plugin 'nothing'");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sandbox");
    TCase *sandbox = tcase_create("sandbox");

    tcase_add_checked_fixture(sandbox, setup, teardown);
    tcase_set_timeout(sandbox, 60);
    suite_add_tcase(suite, sandbox);
    tcase_add_test(sandbox, test_limits);
    tcase_add_test(sandbox, test_sandbox);
    tcase_add_test(sandbox, test_full_c_stack);
    tcase_add_test(sandbox, test_own_outputs);
    tcase_add_test(sandbox, test_full_stack);
    tcase_add_test(sandbox, test_sandbox_has);
    tcase_add_test(sandbox, test_handles_are_empty);
    tcase_add_test(sandbox, test_trusted);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
