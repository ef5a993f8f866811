/* test_script.c - pipeline files: what they mean, what is said of what is wrong, and what they may not do. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

#include "script_kit.h"

/* ---- What files mean ---- */

static const char whole[] =
    "return pipeline 'disk' {\n"
    "  help = 'Slowest reads',\n"
    "  args = { {'trace', file 'an .etl file'}, {'n', number(20, 1, 200), 'how many'}, {'json', flag 'one "
    "document'},\n"
    "           {'since', time '0s'}, {'form', choice { 'csv', 'json', default = 'csv' }}, {'out', string {optional "
    "= true}} },\n"
    "  toy.read { file = args.trace, size = 64 * KiB, over = 5 * ms },\n"
    "  where    \"pid ~= 4 and time >= args.since and x == 'args.n' and n < args.n and y == args.form\",\n"
    "  limit    { n = args.n },\n"
    "  toy.grid { 'a', args.form, to = args.out },\n"
    "}\n";

START_TEST(test_describes)
{
    ck_assert_int_eq(load(whole, 0), TW_OK);
    ck_assert_str_eq(p->name, "disk");
    ck_assert_str_eq(p->help, "Slowest reads");
    ck_assert_str_eq(p->path, "d.lua");
    ck_assert_uint_eq(p->nargs, 6);
    ck_assert_str_eq(p->args[0].name, "trace");
    ck_assert_str_eq(p->args[0].help, "an .etl file");
    ck_assert_int_eq(p->args[0].kind, ARG_FILE);
    ck_assert_int_eq(p->args[0].required, 1);
    ck_assert_str_eq(p->args[1].value, "20");
    ck_assert_str_eq(p->args[1].help, "how many");
    ck_assert(p->args[1].least == 1 && p->args[1].most == 200);
    ck_assert_int_eq(p->args[2].kind, ARG_FLAG);
    ck_assert_int_eq(p->args[2].required, 0);
    ck_assert_str_eq(p->args[3].value, "0s");
    ck_assert_uint_eq(p->args[4].nchoices, 2);
    ck_assert_str_eq(p->args[4].choice[1], "json");
    ck_assert_int_eq(p->args[5].required, 0);
    ck_assert_ptr_null(p->args[5].value);
    text_clear(&out);
    arguments_usage(p->args, p->nargs, &out);
    ck_assert_str_eq(text_of(&out), "TRACE [--n 20] [--json] [--since 0s] [--form csv|json] [--out string]");
}
END_TEST

START_TEST(test_plans)
{
    ck_assert_int_eq(load(whole, 0), TW_OK);
    /* Settings come in the order of their names; an argument without a value leaves its setting out. */
    ck_assert_str_eq(plan_of("b.etl"),
                     "toy.read@d.lua:5 file=b.etl over=5000000ns size=65536; "
                     "where@d.lua:6 =pid ~= 4 and time >= 0s and x == 'args.n' and n < 20 and y == \"csv\"; "
                     "limit@d.lua:7 n=20; toy.grid@d.lua:8 =[a,csv]");
    ck_assert_str_eq(
        plan_of("b.etl n=0x10 --since 2026-11-30 --form=json out=x.csv"),
        "toy.read@d.lua:5 file=b.etl over=5000000ns size=65536; "
        "where@d.lua:6 =pid ~= 4 and time >= \"2026-11-30\" and x == 'args.n' and n < 16 and y == \"json\"; "
        "limit@d.lua:7 n=16; toy.grid@d.lua:8 =[a,json] to=x.csv");
}
END_TEST

/* An argument in the text of a condition can only be a value there: quotes in it are doubled. */
START_TEST(test_quotes_in_conditions)
{
    ck_assert_int_eq(
        load("return pipeline 'd' { args = { {'a', string ''}, {'many', string { many = true, optional = true }} },\n"
             "toy.read { file = 'f' }, where 'x == args.a or y in (args.many)' }",
             0),
        TW_OK);
    ck_assert_str_eq(plan_of("a=\"or\" many=b many=c"),
                     "toy.read@d.lua:2 file=f; where@d.lua:2 =x == \"\"\"or\"\"\" or y in (\"b\", \"c\")");
    ck_assert_str_eq(plan_of("a=x"), "toy.read@d.lua:2 file=f; where@d.lua:2 =x == \"x\" or y in ()");
}
END_TEST

START_TEST(test_joins_and_lists)
{
    ck_assert_int_eq(
        load("return pipeline 'd' { args = { {'out', folder ''}, {'f', file { many = true, default = '-' }} },\n"
             "toy.read { file = { 'x', args.f }, size = 0.5 },\n"
             "toy.grid { to = args.out .. '/' .. args.out .. 1 .. '.csv' },\n"
             "toy.grid { columns = {} }, toy.grid(true) }",
             0),
        TW_OK);
    ck_assert_str_eq(plan_of("o"), "toy.read@d.lua:2 file=[x,-] size=0.5; toy.grid@d.lua:3 to=o/o1.csv; "
                                   "toy.grid@d.lua:4 columns=[]; toy.grid@d.lua:4 =true");
    ck_assert_str_eq(plan_of("o a b"), "toy.read@d.lua:2 file=[x,a,b] size=0.5; toy.grid@d.lua:3 to=o/o1.csv; "
                                       "toy.grid@d.lua:4 columns=[]; toy.grid@d.lua:4 =true");
}
END_TEST

START_TEST(test_numbers_are_exact)
{
    ck_assert_int_eq(
        load("return pipeline 'd' { toy.read { file = { 1e15, -2^53, 0.1, 1/3, 2^60, 1e300, 3 * GiB } } }", 0),
        TW_OK);
    ck_assert_str_eq(plan_of(""), "toy.read@d.lua:1 file=[1000000000000000,-9007199254740992,0.10000000000000001,"
                                  "0.33333333333333331,1.152921504606847e+18,1.0000000000000001e+300,3221225472]");
}
END_TEST

START_TEST(test_chain_function)
{
    ck_assert_int_eq(load("return pipeline 'd' {\n"
                          "  args = { {'n', number(3)}, {'all', flag ''}, {'t', span '2ms'}, {'m', string "
                          "{many=true, optional=true}},\n"
                          "           {'o', string {optional=true}}, {'more', rest ''} },\n"
                          "  chain = function(args)\n"
                          "    local list = { toy.read { file = 'f', over = args.t, size = args.n * 2 } }\n"
                          "    for _, m in ipairs(args.m) do list[#list + 1] = where('x == ' .. m) end\n"
                          "    list[#list + 1] = not args.all and limit(args.n)\n"
                          "    list[#list + 2] = args.o == nil and toy.grid { columns = args.more, to = args.n }\n"
                          "    return list\n"
                          "  end }",
                          0),
                     TW_OK);
    ck_assert_str_eq(plan_of(""), "toy.read@d.lua:5 file=f over=2ms size=6; limit@d.lua:7 =3; "
                                  "toy.grid@d.lua:8 columns=[] to=3");
    ck_assert_str_eq(plan_of("--m 1 m=2 --all k=v --x-y z --w=1 --last"),
                     "toy.read@d.lua:5 file=f over=2ms size=6; where@d.lua:6 =x == 1; where@d.lua:6 =x == 2; "
                     "toy.grid@d.lua:8 columns=[k=v,x-y=z,w=1,last=true] to=3");
    ck_assert_str_eq(plan_of("n=4 --o x --no-all"), "toy.read@d.lua:5 file=f over=2ms size=8; limit@d.lua:7 =4");
}
END_TEST

START_TEST(test_chain_function_fails)
{
    static const struct {
        const char *body, *sentence;
    } cases[] = {
        { "return 5", "d.lua:1: chain must give a list of stages, not a number" },
        { "return {}", "d.lua:1: the chain has no stages" },
        { "return { toy.read }",
          "d.lua:1: item 1 of the chain is a function, not a stage; it may lack its settings, as in "
          "limit { n = 20 }" },
        { "return { toy.read { fiel = 'x' } }", "d.lua:2: toy.read: no option 'fiel'; did you mean 'file'?" },
        { "return { toy.read { file = args.m } }", "d.lua:2: no argument 'm'; there are n" },
        { "return { toy.read { file = args.n.x } }", "d.lua:2: attempt to index field 'n' (a number value)" },
        { "error('no')", "d.lua:2: no" },
        { "error({})", "d.lua:2: an error was raised with a table" },
        { "x = 1", "d.lua:2: global 'x' cannot be assigned after the file was read; make it local" },
        { "args.n = 5", "d.lua:2: arguments are given on the command line and cannot be changed" },
    };
    char source[512];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(source, sizeof source,
                 "return pipeline 'd' { args = { {'n', number(3)} }, chain = function(args)\n%s\nend }",
                 cases[i].body);
        ck_assert_int_eq(load(source, 0), TW_OK);
        ck_assert_str_eq(plan_of(""), cases[i].sentence);
    }
}
END_TEST

START_TEST(test_example_needs_no_words)
{
    const plan *made;

    ck_assert_int_eq(
        load("return pipeline 'd' { args = { {'f', file ''}, {'n', number { min = 7 }}, {'c', choice {'a', 'b'}},\n"
             "{'t', time {}}, {'o', string { optional = true }} },\n"
             "toy.read { file = { args.f, args.n, args.c, args.t, args.o } } }",
             0),
        TW_OK);
    ck_assert_int_eq(script_example(s, p, &made, &why), TW_OK);
    ck_assert_str_eq(plan_text(made), "toy.read@d.lua:3 file=[f,7,a,1s]");
}
END_TEST

/* ---- Words ---- */

START_TEST(test_words)
{
    static const struct {
        const char *words, *result;
    } cases[] = {
        { "", "argument 'trace' is missing (an .etl file)" },
        { "a.etl b",
          "argument 'n': \"b\" is no integer; write it like 250, -5, 0x1f, 64k (1024-based) or 10MB (1000-based)" },
        { "a.etl 5 on", "argument 'form' cannot be 'on'; it is one of csv, json" },
        { "a.etl 5 csv x", "'x' is one word too many" },
        { "a.etl n=0", "argument 'n' must be from 1 to 200, not 0" },
        { "a.etl n=201", "argument 'n' must be from 1 to 200, not 201" },
        { "a.etl n=1 --n 2", "argument 'n' is given twice: '1' and '2'" },
        { "a.etl form=jsno", "argument 'form' cannot be 'jsno'; did you mean 'json'? It is one of csv, json" },
        { "tarce=x", "no argument 'tarce'; did you mean 'trace'?" },
        { "--tarce x", "no argument 'tarce'; did you mean '--trace'?" },
        { "a.etl --what", "no argument 'what'; there are trace, n, json, form" },
        { "a.etl --n", "'--n' needs a value: --n=…" },
        { "a.etl --n --json", "'--n' needs a value: --n=…" },
        { "a.etl -x", "no option '-x'; options of one letter are the host's: -h -q -v" },
        { "a.etl --json=maybe", "argument 'json': \"maybe\" is neither yes nor no; write true or false" },
        { "trace=", "argument 'trace': '' is no path of a file" },
        { "-", "toy.read@d.lua:2 file=[-,20,false,csv]" },
        { "a.etl --json 5", "toy.read@d.lua:2 file=[a.etl,5,true,csv]" },
        { "--json a.etl json",
          "argument 'n': \"json\" is no integer; write it like 250, -5, 0x1f, 64k (1024-based) or 10MB "
          "(1000-based)" },
        { "n=5 a.etl json", "toy.read@d.lua:2 file=[a.etl,5,false,json]" },
        { "a.etl json=yes", "toy.read@d.lua:2 file=[a.etl,20,true,csv]" },
        { "--no-json a.etl", "toy.read@d.lua:2 file=[a.etl,20,false,csv]" },
        { "-- n=5", "toy.read@d.lua:2 file=[n=5,20,false,csv]" },
        { "-- --json", "toy.read@d.lua:2 file=[--json,20,false,csv]" },
        { "./n=5", "toy.read@d.lua:2 file=[./n=5,20,false,csv]" },
    };

    ck_assert_int_eq(load("return pipeline 'd' { args = { {'trace', file 'an .etl file'}, {'n', number(20, 1, 200)}, "
                          "{'json', flag ''},\n"
                          "{'form', choice { 'csv', 'json', default = 'csv' }} }, toy.read { file = { args.trace, "
                          "args.n, args.json, args.form } } }",
                          0),
                     TW_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(plan_of(cases[i].words), cases[i].result);
}
END_TEST

START_TEST(test_dashes_and_large_numbers)
{
    ck_assert_int_eq(
        load("return pipeline 'd' { args = { {'max_rows', number {}} }, toy.read { file = args.max_rows } }", 0),
        TW_OK);
    ck_assert_str_eq(plan_of("--max-rows 9007199254740992"), "toy.read@d.lua:1 file=9007199254740992");
    ck_assert_str_eq(plan_of("-5"), "toy.read@d.lua:1 file=-5");
    ck_assert_str_eq(plan_of("1.5"), "toy.read@d.lua:1 file=1.5");
    ck_assert_str_eq(plan_of("9007199254740993"),
                     "argument 'max_rows': '9007199254740993' is too large for an exact number; 2^53 is the most");
}
END_TEST

/* ---- What is wrong with a file ---- */

START_TEST(test_wrong_stages)
{
    static const wrong_file cases[] = {
        { "toy.raed {}", "d.lua:1: no stage 'toy.raed' in plugin 'toy'; did you mean 'toy.read'?" },
        { "\n\n tyo.read {}", "d.lua:3: no word, stage or plugin 'tyo'; did you mean 'toy'?" },
        { "return piepline 'x' {}", "d.lua:1: no word, stage or plugin 'piepline'; did you mean 'pipeline'?" },
        { "return wehre ''", "d.lua:1: no word, stage or plugin 'wehre'; did you mean 'where'?" },
        { "toy {}", "d.lua:1: 'toy' is a plugin; name one of its stages, as in toy.NAME {}" },
        { "toy.read = 5", "d.lua:1: the stages of 'toy' cannot be changed" },
        { FILE_OF("\ntoy.read { fiel = 'x' }"), "d.lua:2: toy.read: no option 'fiel'; did you mean 'file'?" },
        { FILE_OF("toy.read { file = toy.grid {} }"),
          "d.lua:1: 'file' of 'toy.read' cannot be the stage 'toy.grid'" },
        { FILE_OF("toy.read { file = { {} } }"), "d.lua:1: 'file' of 'toy.read' cannot be a table" },
        { FILE_OF("toy.read { { 'x' } }"),
          "d.lua:1: a setting of 'toy.read' cannot be a table; write toy.read { \"x\" }, or toy.read { file = { "
          "\"x\" } }" },
        { FILE_OF("toy.read { file = tostring(args.n) }"),
          "d.lua:1: the value of an argument is not known while the file is read; "
          "use chain = function(args) return { … } end" },
        { FILE_OF("example = 5, toy.read {}"),
          "d.lua:1: the example of a pipeline is the text of its arguments, as in example = \"boot.etl --top 5\", "
          "not a number" },
        { FILE_OF("toy.read { print }"),
          "d.lua:1: 'print' is blocked in a file that is not trusted: results go through "
          "stages, as in text.grid {}" },
        { FILE_OF("toy.read { file = tostring }"), "d.lua:1: 'file' of 'toy.read' cannot be a function" },
        { FILE_OF("toy.read { file = { [1e9] = 1 } }"),
          "d.lua:1: a list has at most 65536 items, not one at 1000000000" },
        { "local t = {} t[1/0] = 1 return pipeline 'd' { args = t, toy.read {} }",
          "d.lua:1: a list has at most 65536 items, not one at inf" },
        { FILE_OF("toy.read { file = { x = 1 } }"), "d.lua:1: 'file' of 'toy.read' is a list; it has no 'x'" },
        { FILE_OF("toy.read { file = 0/0 }"), "d.lua:1: nan is not a number that can be written down" },
        { FILE_OF("toy.read { file = 'a\\0b' }"), "d.lua:1: a text here may not hold a zero byte" },
        { FILE_OF("toy.read {}, toy.bare 'x'"),
          "d.lua:1: toy.bare: this stage has no options, so nothing can be given to it" },
        { FILE_OF("toy.read {}, toy.bare()"), "d.lua:1: 'toy.bare' wants its settings: toy.bare {}" },
        { FILE_OF("toy.read {}, where('a', {})"), "d.lua:1: 'where' takes one table, or one text or number" },
        { FILE_OF("toy.read {}, limit"), "d.lua:1: item 2 of the chain is a function, not a stage; it may lack its "
                                         "settings, as in limit { n = 20 }" },
        { FILE_OF("toy.read {}, 'x'"), "d.lua:1: item 2 of the chain is a string, not a stage" },
        { FILE_OF("where 'x'"),
          "d.lua:1: the chain begins with 'where', which is no source; begin with one, as in etl.read { "
          "file = … }" },
        { FILE_OF("toy.read {},\ntoy.read {}"), "d.lua:2: 'toy.read' is a source and must come first" },
        { FILE_OF(""), "d.lua:1: the chain has no stages" },
        { FILE_OF("toy.read {}, chain = tostring"),
          "d.lua:1: a pipeline has either stages or a chain function, not both" },
        { FILE_OF("chain = {}"),
          "d.lua:1: chain is a function, not a table: chain = function(args) return { … } end" },
        { FILE_OF("hlep = 'x', toy.read {}"), "d.lua:1: a pipeline has no 'hlep'; did you mean 'help'?" },
        { FILE_OF("help = 5, toy.read {}"), "d.lua:1: the help of a pipeline is a text, not a number" },
        { "return pipeline 'a b' {}",
          "d.lua:1: a pipeline has a name of letters, digits, - and _: pipeline \"disk-latency\" { … }" },
        { "return 5", "d.lua: gives a number, not a pipeline; end it with return pipeline \"NAME\" { … }" },
        { "", "d.lua: gives nothing, not a pipeline; end it with return pipeline \"NAME\" { … }" },
        { "return pipeline 'x' {", "d.lua:1: unexpected symbol near '<eof>'" },
        { "\x1bLJ", "d.lua: this is compiled Lua; only text is loaded" },
        { "\nerror('own words')", "d.lua:2: own words" },
        { "pipeline = 5", "d.lua:1: 'pipeline' is a word of pipeline files and cannot be assigned" },
    };
    REFUSE(cases, 0);
}
END_TEST

START_TEST(test_wrong_arguments)
{
    static const wrong_file cases[] = {
        { FILE_OF("args = { {'trace', file ''} },\ntoy.read { file = args.trcae }"),
          "d.lua:2: no argument 'trcae'; did you mean 'trace'?" },
        { FILE_OF("args = { {'trace', file ''} },\ntoy.read { file = args.nothing }"),
          "d.lua:2: no argument 'nothing'; there are trace" },
        { FILE_OF("args = { {'num', number(1)} }, toy.read {},\nwhere 'a == args.nmu'"),
          "d.lua:2: no argument 'nmu'; did you mean 'num'?" },
        { FILE_OF("toy.read { file = args.x }"), "d.lua:1: no argument 'x'" },
        { FILE_OF("toy.read { file = args.n + 1 }"),
          "d.lua:1: the value of an argument is not known while the file is read; "
          "use chain = function(args) return { … } end" },
        { FILE_OF("toy.read { file = args.n .. {} }"), "d.lua:1: an argument cannot be joined with a table" },
        { ARGS_OF("n = number(1)"), "d.lua:1: args is a list, so that its order is known: args = { {\"n\", …} }" },
        { ARGS_OF("'n'"), "d.lua:1: argument 1 is not of the form {\"name\", type}" },
        { ARGS_OF("{'n'}"), "d.lua:1: argument 'n' has no type, as in {\"n\", file \"an .etl file\"}" },
        { ARGS_OF("{'n', number}"), "d.lua:1: argument 'n' has no type, as in {\"n\", file \"an .etl file\"}" },
        { ARGS_OF("{'a b', number(1)}"), "d.lua:1: 'a b' is no name for an argument: letters, digits and _ only" },
        { ARGS_OF("{'help', flag ''}"), "d.lua:1: 'help' is the host's own option; give the argument another name" },
        { ARGS_OF("{'a', flag ''}, {'a', flag ''}"), "d.lua:1: argument 'a' is there twice" },
        { ARGS_OF("{'r', rest ''}, {'a', flag ''}"), "d.lua:1: argument 'a' comes after 'r', which takes the rest" },
        { ARGS_OF("{'n', number(0, 1, 5)}"), "d.lua:1: the default 0 is not from 1 to 5" },
        { ARGS_OF("{'n', number { default = 'x' }}"), "d.lua:1: the default of a number: \"x\" is no integer; write "
                                                      "it like 250, -5, 0x1f, 64k (1024-based) or 10MB "
                                                      "(1000-based)" },
        { ARGS_OF("{'n', number { mni = 1 }}"), "d.lua:1: a number has no 'mni'; did you mean 'min'?" },
        { ARGS_OF("{'n', number { min = 'x' }}"), "d.lua:1: 'min' is a number, not a string" },
        { ARGS_OF("{'n', file { many = 1 }}"), "d.lua:1: 'many' is a boolean, not a number" },
        { ARGS_OF("{'n', file { 'a', 'b' }}"), "d.lua:1: a file takes one value without a name" },
        { ARGS_OF("{'c', choice {}}"), "d.lua:1: a choice needs its words, as in choice { \"csv\", \"json\" }" },
        { ARGS_OF("{'c', choice { 'csv', default = 'cvs' }}"),
          "d.lua:1: the default 'cvs' is not one of the choices; did you mean 'csv'?" },
        { ARGS_OF("{'c', flag { default = 'x' }}"), "d.lua:1: the default of a flag cannot be a string" },
    };
    REFUSE(cases, 0);
}
END_TEST

START_TEST(test_wrong_filters)
{
    static const wrong_file cases[] = {
        { FILE_OF("toy.read {}, filter 'x'"),
          "d.lua:1: 'filter' takes a table: filter { on = \"DiskIo/Read\", need = { "
          "\"pid\" }, keep = function(pid) … end }" },
        { FILE_OF("toy.read {}, filter {}"),
          "d.lua:1: 'filter' needs keep, a function of the values in need that gives true for events to keep" },
        { FILE_OF("toy.read {}, filter { on = {}, keep = tostring }"),
          "d.lua:1: 'filter' needs at least one pattern in on, as in on = \"DiskIo/Read\"" },
        { FILE_OF("toy.read {}, filter { on = 'x' }"),
          "d.lua:1: 'filter' needs keep, a function of the values in need that gives true for events to keep" },
        { FILE_OF("toy.read {}, filter { on = 5, keep = tostring }"),
          "d.lua:1: 'on' of 'filter' is a text or a list of them, not a number" },
        { FILE_OF("toy.read {}, filter { on = 'x', kepe = tostring }"),
          "d.lua:1: 'filter' has no 'kepe'; did you mean 'keep'?" },
        { FILE_OF("toy.read {}, filter { on = 'x', keep = tostring, others = 'keep' }"),
          "d.lua:1: 'others' of 'filter' is \"pass\" or \"drop\", not 'keep'" },
        { "local t = {} for i = 1, 33 do t[i] = 'x' end return pipeline 'd' { toy.read {}, filter { on = 'x', need = "
          "t, keep = tostring } }",
          "d.lua:1: 'filter' needs 33 values; 32 is the most" },
    };
    REFUSE(cases, 0);
}
END_TEST

#define MAKES "makes = table 't' { {'n', 'u32'} }"

START_TEST(test_wrong_transforms)
{
    static const wrong_file cases[] = {
        { FILE_OF("toy.read {}, transform { each = tostring }"),
          "d.lua:1: 'transform' needs makes, the table its rows are of: makes = table \"reads\" { {\"pid\", "
          "\"u32\"}, "
          "{\"size\", \"u64\", \"bytes read\"} }" },
        { FILE_OF("toy.read {}, transform { " MAKES " }"),
          "d.lua:1: 'transform' needs each, a function of emit and the values in need: each = function(emit, pid) "
          "emit(pid) end" },
        { FILE_OF("toy.read {}, transform { " MAKES ", each = tostring, keep = 5 }"),
          "d.lua:1: 'transform' has no 'keep'" },
        { FILE_OF("toy.read {}, transform { " MAKES ", each = tostring, errors = 'all' }"),
          "d.lua:1: 'errors' of 'transform' is \"stop\" or \"count\", not 'all'" },
        { "table 'a b' {}",
          "d.lua:1: a table has a name of letters, digits, - and _, as in table \"reads\" { {\"pid\", "
          "\"u32\"}, {\"size\", \"u64\", \"bytes read\"} }" },
        { "table 't' { pid = 'u32' }", "d.lua:1: 'table' has no 'pid'" },
        { "table 't' {}",
          "d.lua:1: table \"t\" needs columns, as in table \"reads\" { {\"pid\", \"u32\"}, {\"size\", "
          "\"u64\", \"bytes read\"} }" },
        { "table 't' { {'a', 'u32'}, {'a', 'u8'} }", "d.lua:1: table \"t\" has two columns 'a'" },
        { "table 't' { {'a', 'adress'} }",
          "d.lua:1: column 'a' of table \"t\": no kind 'adress'; did you mean 'address'?" },
        { "table 't' { {'a', 'u32', 5} }", "d.lua:1: the help of column 'a' is a text, not a number" },
        { "table 't' { 'a' }",
          "d.lua:1: column 1 of table \"t\" is not of the form {\"name\", \"kind\"}, as in table "
          "\"reads\" { {\"pid\", \"u32\"}, {\"size\", \"u64\", \"bytes read\"} }" },
    };
    REFUSE(cases, 0);
}
END_TEST

/* The stages of a branch are a plan like any other. */
START_TEST(test_branches)
{
    const char *const words[] = { "b.etl" };
    const plan *made;

    ck_assert_int_eq(load("return pipeline 'd' { args = { {'f', file ''} },\n"
                          "merge { toy.read { file = 'a' }, { toy.read { file = args.f }, where 'pid == 4' } },\n"
                          "thread { size = 4, shed = { 'A/*', 'B' } }, tee { { limit { 5 } }, { toy.grid {} } },\n"
                          "toy.grid { to = 'x' } }",
                          0),
                     TW_OK);
    ck_assert_int_eq(script_plan(s, p, words, 1, &made, &why), TW_OK);
    ck_assert_str_eq(plan_text(made),
                     "merge@d.lua:2; thread@d.lua:3 shed=[A/*,B] size=4; tee@d.lua:3; toy.grid@d.lua:4 to=x");
    ck_assert_uint_eq(made->stage[0].nbranches, 2);
    ck_assert_str_eq(plan_text(&made->stage[0].branch[0]), "toy.read@d.lua:2 file=a");
    ck_assert_str_eq(plan_text(&made->stage[0].branch[1]), "toy.read@d.lua:2 file=b.etl; where@d.lua:2 =pid == 4");
    ck_assert_uint_eq(made->stage[1].nbranches, 0);
    ck_assert_uint_eq(made->stage[2].nbranches, 2);
    ck_assert_str_eq(plan_text(&made->stage[2].branch[0]), "limit@d.lua:3 =[5]");
}
END_TEST

START_TEST(test_files)
{
    text unused = { 0 };
    const char path[] = "test_script_file.lua";
    FILE *f = fopen(path, "wb");

    ck_assert_ptr_nonnull(f);
    fputs("\xEF\xBB\xBFreturn pipeline 'x' {\n toy.read { file = 'a' } }", f);
    fclose(f);
    s = script_new(all, NULL, &why);
    ck_assert_int_eq(script_load(s, path, NULL, &p, &why), TW_OK);
    ck_assert_str_eq(plan_of(""), "toy.read@test_script_file.lua:2 file=a");
    remove(path);
    script_free(s);
    s = script_new(all, NULL, &why);
    ck_assert_int_eq(script_load(s, path, NULL, &p, &unused), TW_ERROR);
    ck_assert_str_eq(text_of(&unused), "test_script_file.lua: no such file or folder");
    text_free(&unused);
}
END_TEST

/* Lua shortens long names of files in its own messages; the host does not. */
START_TEST(test_long_paths)
{
    char path[160], expected[256];

    memset(path, 'p', sizeof path);
    strcpy(path + sizeof path - 5, ".lua");
    s = script_new(all, NULL, &why);
    ck_assert_int_eq(script_load(s, path, "\nlocal x = nil + 1", &p, &why), TW_ERROR);
    snprintf(expected, sizeof expected, "%s:2: attempt to perform arithmetic on a nil value", path);
    ck_assert_str_eq(text_of(&why), expected);
}
END_TEST

/* A pipeline that was found by its name is called by it; its own lines are of no use to who calls it. */
START_TEST(test_called_by_name)
{
    s = script_new(all, &(script_options){ .name = "disk" }, &why);
    ck_assert_int_eq(
        script_load(s, "/far/disk.lua",
                    "return pipeline 'disk' { args = { {'w', string ''} }, chain = function(args) return {\n"
                    "toy.read { file = 'f' }, where(args.w), args.w == 'x' and limit(nil) } end }",
                    &p, &why),
        TW_OK);
    ck_assert_str_eq(plan_of("pid"),
                     "disk: where: column 1: pid is a number and no condition; compare it with something");
    ck_assert_str_eq(plan_of("w=cpu==1"), "toy.read@disk file=f; where@disk =cpu==1");
    ck_assert_str_eq(plan_of("x"), "disk: 'limit' wants its settings: limit {}");
    script_free(s);
    text_clear(&why);
    s = script_new(all, &(script_options){ .name = "disk" }, &why); /* whoever writes it needs them */
    ck_assert_int_eq(script_load(s, "/far/disk.lua", "\nreturn toy.raed {}", &p, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "/far/disk.lua:2: no stage 'toy.raed' in plugin 'toy'; did you mean 'toy.read'?");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("script");
    TCase *meaning = tcase_create("meaning"), *words = tcase_create("words");
    TCase *wrong = tcase_create("wrong");
    TCase *const cases[] = { meaning, words, wrong };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tcase_add_checked_fixture(cases[i], setup, teardown);
        tcase_set_timeout(cases[i], 60);
        suite_add_tcase(suite, cases[i]);
    }
    tcase_add_test(meaning, test_describes);
    tcase_add_test(meaning, test_plans);
    tcase_add_test(meaning, test_quotes_in_conditions);
    tcase_add_test(meaning, test_joins_and_lists);
    tcase_add_test(meaning, test_numbers_are_exact);
    tcase_add_test(meaning, test_chain_function);
    tcase_add_test(meaning, test_chain_function_fails);
    tcase_add_test(meaning, test_example_needs_no_words);
    tcase_add_test(meaning, test_files);
    tcase_add_test(meaning, test_long_paths);
    tcase_add_test(meaning, test_branches);
    tcase_add_test(words, test_words);
    tcase_add_test(words, test_dashes_and_large_numbers);
    tcase_add_test(wrong, test_wrong_stages);
    tcase_add_test(wrong, test_wrong_arguments);
    tcase_add_test(wrong, test_wrong_filters);
    tcase_add_test(wrong, test_wrong_transforms);
    tcase_add_test(meaning, test_called_by_name);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
