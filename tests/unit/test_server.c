/* test_server.c - servers: the program runs the echo server, and this test is its client.

   One idea: what the test uses to talk to the server is what the server uses to talk to its children. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "os.h"

static const int64_t second = 1000000000;

static children *all;
static uint32_t server; /* its number among `all` */
static text folder, line, why;
static char *program, *plugin_folder;
static tw_notice end; /* TW_EXITED of the server */

/* ---- The server and its pipelines ---- */

static void write_file(const char *name, const char *content)
{
    text path = { 0 };
    os_file *f = NULL;

    text_format(&path, "%s/%s", text_of(&folder), name);
    ck_assert_int_eq(os_create(text_of(&path), &f, &why), TW_OK);
    ck_assert_int_eq(os_write(f, content, strlen(content), &why), TW_OK);
    os_close(f);
    text_free(&path);
}

static const struct {
    const char *name, *content;
} pipelines[] = {
    { "server.lua",
      "return pipeline 'server' { args = { {'wall', span {'0s'}}, {'memory', number(0)}, {'output', number(0)} },\n"
      "  echo_server.run { wall = args.wall, memory = args.memory, output = args.output } }\n" },
    { "mis.lua", "return pipeline 'mis' { help = 'Misbehave', args = { {'how', string {}} },\n"
                 "  misbehave.source { how = args.how }, null {} }\n" },
    { "endless.lua", "return pipeline 'endless' { synth.kernel { length = '1s' },\n"
                     "  filter { keep = function() while true do end end }, null {} }\n" },
    { "hoard.lua", "local held = {}\n"
                   "return pipeline 'hoard' { synth.kernel { length = '1s' },\n"
                   "  filter { keep = function() for i = 1, 1e9 do held[i] = { i, i } end end }, null {} }\n" },
    { "broken.lua", "return pipeline 'broken' { nothing.here {} }\n" },
};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines };

static void begin(const char *argument)
{
    const char *words[] = { program,          "--plugins", plugin_folder, "--pipelines",
                            text_of(&folder), "server",    argument,      NULL };

    ck_assert_int_eq(children_start(all, words, NULL, CHILD_OF_HOST, &server, &why), TW_OK);
}

static void setup(void)
{
    const char *build = getenv("TW_TEST_BUILD"), *path = getenv("TW_TEST_PROGRAM");

    ck_assert_msg(build && path, "TW_TEST_BUILD or TW_TEST_PROGRAM is not set");
    program = mem_text(path, strlen(path));
    text_format(&line, "%s/tests/plugins", build);
    plugin_folder = mem_text(text_of(&line), line.n);
    text_format(&folder, "%s/tests/server", build);
    ck_assert_int_eq(os_make_folder(text_of(&folder), &why), TW_OK);
    for (int i = 0; i < PIPELINES; i++) write_file(pipelines[i].name, pipelines[i].content);
    all = children_new();
    server = 0;
}

static void teardown(void)
{
    children_free(all);
    free(program);
    free(plugin_folder);
    text_free(&folder);
    text_free(&line);
    text_free(&why);
}

static void give(const char *words)
{
    ck_assert_int_eq(children_send(all, server, words, strlen(words)), TW_OK);
}

/* The next whole line of the server's answer. */
static const char *next_line(void)
{
    tw_notice n;
    int rc;

    text_clear(&line);
    while ((rc = children_wait(all, server, 20 * second, &n)) == TW_OK) {
        ck_assert_msg(n.kind != TW_EXITED, "the server ended: status %d signal %d", (int)n.status, (int)n.signal);
        if (n.kind == TW_ERRORS) fprintf(stderr, "server: %.*s\n", (int)n.text.bytes, n.text.at);
        if (n.kind != TW_OUTPUT) continue;
        text_add(&line, n.text.at, n.text.bytes);
        if (!n.more) return text_of(&line);
    }
    ck_abort_msg("the server says nothing: %d", rc);
    return NULL;
}

/* The next line that begins so; others are passed over. */
static const char *line_with(const char *beginning)
{
    const char *s = next_line();
    while (strncmp(s, beginning, strlen(beginning)) != 0) s = next_line();
    return s;
}

static void ends_well(void)
{
    while (children_wait(all, server, 20 * second, &end) == TW_OK)
        if (end.kind == TW_EXITED) break;
    ck_assert_uint_eq(end.kind, TW_EXITED);
    ck_assert_int_eq(end.status, 0);
    ck_assert_int_eq(end.signal, 0);
}

static void finish(void)
{
    children_send(all, server, NULL, 0);
    ends_well();
}

/* ---- What /proc knows ---- */

typedef struct family {
    int parent, n, id[256];
} family;

static int parent_of(const char *id, char *state)
{
    char content[512] = "", *at;
    os_file *f = NULL;
    text unused = { 0 }, path = { 0 };
    int parent = 0;

    text_format(&path, "/proc/%s/stat", id);
    if (os_open(text_of(&path), &f, &unused) == TW_OK) {
        os_read(f, content, sizeof content - 1, &unused);
        os_close(f);
        if ((at = strrchr(content, ')'))) sscanf(at + 1, " %c %d", state, &parent);
    }
    text_free(&path);
    text_free(&unused);
    return parent;
}

static void add_member(void *context, const char *name)
{
    family *of = context;
    char state;

    if (name[strspn(name, "0123456789")] || parent_of(name, &state) != of->parent || of->n == 256) return;
    of->id[of->n++] = atoi(name);
}

/* The processes that a process started, zombies too. */
static family children_of(int parent)
{
    family f = { .parent = parent };
    os_list("/proc", add_member, &f, &why);
    return f;
}

#if !defined(_WIN32)
static void count_name(void *context, const char *name)
{
    (void)name;
    ++*(int *)context;
}

static int descriptors_of(int process)
{
    text path = { 0 };
    int n = 0;

    text_format(&path, "/proc/%d/fd", process);
    os_list(text_of(&path), count_name, &n, &why);
    text_free(&path);
    return n;
}

static int server_process(void)
{
    family mine = children_of(os_process_id());
    ck_assert_int_eq(mine.n, 1);
    return mine.id[0];
}
#endif

/* ---- Lines of standard input ---- */

START_TEST(lines_are_told)
{
    begin(NULL);
    give("\xEF\xBB\xBFhello");
    ck_assert_str_eq(next_line(), "echo 5 hello");
    give("");
    ck_assert_str_eq(next_line(), "echo 0 ");
    give("with an end\r");
    ck_assert_str_eq(next_line(), "echo 11 with an end");
    children_send(all, server, "a\0b\xFF", 4);
    next_line();
    ck_assert_uint_eq(line.n, strlen("echo 4 ") + 4);
    ck_assert_int_eq(memcmp(line.at, "echo 4 a\0b\xFF", line.n), 0);
    finish();
}
END_TEST

START_TEST(huge_lines_are_refused)
{
    size_t n = TW_LONGEST_INPUT;
    char *huge = mem_new(n + 2);

    begin(NULL);
    memset(huge, 'x', n + 1);
    children_send(all, server, huge, n + 1);
    ck_assert_str_eq(next_line(), "too-long 4194304 ");
    children_send(all, server, huge, n);
    ck_assert_uint_eq(strlen(next_line()), n + strlen("echo 4194304 "));
    give("after");
    ck_assert_str_eq(next_line(), "echo 5 after");
    finish();
    free(huge);
}
END_TEST

START_TEST(the_end_of_input_ends_it)
{
    begin(NULL);
    finish();
    begin(NULL); /* and with children that go on */
    give("start mis {\"how\":\"work\"}");
    ck_assert_str_eq(next_line(), "started 1 ok");
    finish();
    ck_assert_int_eq(children_of(os_process_id()).n, 0);
}
END_TEST

/* What a child does not read waits for it, up to a bound that no line passes, however the lines before it fill it. */
START_TEST(what_waits_for_a_child_has_a_bound)
{
    const char *words[] = { program, "--plugins", plugin_folder, "--pipelines", text_of(&folder),
                            "run",   "mis",       "work",        NULL };
    enum { MOST = 16 << 20, STEP = 1 << 20 };
    char *bytes = mem_new(MOST);
    size_t sent = 0;
    int rc = TW_OK;

    memset(bytes, 'x', MOST);
    ck_assert_int_eq(children_start(all, words, NULL, CHILD_OF_HOST, &server, &why), TW_OK);
    ck_assert_int_eq(children_send(all, server, bytes, MOST), TW_ERROR);
    for (size_t n = STEP; n; n /= 2) { /* ever shorter lines, until no byte is left */
        while (sent < 2 * MOST && (rc = children_send(all, server, bytes, n - 1)) == TW_OK) sent += n;
        ck_assert_int_eq(rc, TW_AGAIN);
    }
    for (size_t n = STEP; n; n /= 2) ck_assert_int_eq(children_send(all, server, bytes, n - 1), TW_AGAIN);
    ck_assert_uint_lt(sent, MOST);
    ck_assert_int_eq(children_stop(all, server), TW_OK);
    free(bytes);
}
END_TEST

/* ---- Pipelines ---- */

START_TEST(pipelines_are_described)
{
    begin(NULL);
    give("list");
    const char *list = next_line();
    ck_assert_ptr_nonnull(strstr(list, "{\"name\":\"sample\",\"help\":\"Make a sample .etl file"));
    ck_assert_ptr_nonnull(strstr(list, "{\"name\":\"mis\",\"help\":\"Misbehave\",\"trusted\":false,\"arguments\":{"));
    ck_assert_ptr_nonnull(strstr(list, "{\"name\":\"broken\",\"help\":\"\",\"trusted\":false,\"error\":\""));
    give("describe mis");
    ck_assert_str_eq(next_line(),
                     "describe 1 {\"name\":\"mis\",\"help\":\"Misbehave\",\"trusted\":false,\"arguments\":{"
                     "\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
                     "\"properties\":{\"how\":{\"type\":\"string\",\"x-kind\":\"string\"}},\"required\":"
                     "[\"how\"],\"additionalProperties\":false}}");
    give("describe miss");
    ck_assert_str_eq(next_line(), "describe 0 no pipeline 'miss'; did you mean 'mis'?");
    finish();
}
END_TEST

START_TEST(a_normal_run)
{
    text words = { 0 };

    begin(NULL);
    text_format(&words, "start sample {\"out\":\"%s/s.etl\",\"length\":\"200ms\",\"seed\":3}", text_of(&folder));
    give(text_of(&words));
    ck_assert_str_eq(next_line(), "started 1 ok");
    ck_assert_str_eq(line_with("exited"), "exited 1 status=0 signal=0 limit=none memory=known wall=known");
    text_clear(&words);
    text_format(&words, "start info {\"trace\":[\"%s/s.etl\"],\"json\":true}", text_of(&folder));
    give(text_of(&words));
    ck_assert_str_eq(next_line(), "started 2 ok");
    ck_assert_ptr_nonnull(strstr(line_with("output 2"), "{"));
    ck_assert_str_eq(line_with("exited"), "exited 2 status=0 signal=0 limit=none memory=known wall=known");
    finish();
    text_free(&words);
}
END_TEST

START_TEST(wrong_use_starts_nothing)
{
    begin(NULL);
    give("start info {\"trase\":\"x\"}");
    ck_assert_str_eq(next_line(), "started 0 no argument 'trase'; did you mean 'trace'?");
    give("start ../info {}");
    ck_assert_str_eq(next_line(), "started 0 no pipeline '../info'");
    give("start mis.lua {}");
    ck_assert_str_eq(next_line(), "started 0 no pipeline 'mis.lua'");
    give("call 7 {}");
    ck_assert_str_eq(next_line(), "called 7 gone");
    give("stop 7");
    ck_assert_str_eq(next_line(), "stopped 7 gone");
    finish();
}
END_TEST

/* What a child of the pipeline comes to: its last line. */
static const char *fate_of(const char *start)
{
    give(start);
    ck_assert_str_eq(next_line(), "started 1 ok");
    return line_with("exited");
}

START_TEST(a_failure_has_its_sentence)
{
    begin(NULL);
    give("start info {\"trace\":\"nothing.etl\"}");
    ck_assert_str_eq(next_line(), "started 1 ok");
    ck_assert_ptr_nonnull(strstr(line_with("errors 1"), "nothing.etl"));
    ck_assert_ptr_nonnull(strstr(line_with("exited"), "exited 1 status=1 signal=0 limit=none"));
    finish();
}
END_TEST

START_TEST(an_endless_loop_is_stopped)
{
    int64_t start = os_monotonic();

    begin("wall=700ms");
    ck_assert_str_eq(fate_of("start endless"), "exited 1 status=-1 signal=9 limit=wall memory=known wall=known");
    ck_assert_int_lt(os_monotonic() - start, 5 * second);
    finish();
}
END_TEST

/* Both limits lie above what a program under a sanitizer needs to begin with. */
START_TEST(memory_is_limited)
{
    begin("memory=150000000");
    ck_assert_str_eq(fate_of("start mis {\"how\":\"storm\"}"),
                     "exited 1 status=-1 signal=9 limit=memory memory=known wall=known");
    give("start hoard");
    ck_assert_str_eq(next_line(), "started 2 ok");
    ck_assert_str_eq(line_with("exited"), "exited 2 status=-1 signal=9 limit=memory memory=known wall=known");
    finish();
}
END_TEST

START_TEST(output_is_limited)
{
    size_t n = 0;

    begin("output=100000");
    give("start mis {\"how\":\"flood\"}");
    ck_assert_str_eq(next_line(), "started 1 ok");
    while (!strncmp(next_line(), "output 1 ", 9)) n += line.n - strlen("output 1 ") + 1;
    if (!strncmp(text_of(&line), "output-part 1 ", 14)) n += line.n - strlen("output-part 1 "); /* cut off */
    if (line.at[0] == 'o') next_line();
    ck_assert_str_eq(text_of(&line), "exited 1 status=-1 signal=9 limit=output memory=known wall=known");
    ck_assert_uint_eq(n, 100000);
    finish();
}
END_TEST

START_TEST(a_crash_is_told)
{
    begin(NULL);
    const char *fate = fate_of("start mis {\"how\":\"abort\"}");
#if defined(_WIN32) /* what abort() ends with there */
    ck_assert_str_eq(fate, "exited 1 status=3 signal=0 limit=none memory=known wall=known");
#else
    ck_assert_str_eq(fate, "exited 1 status=-1 signal=6 limit=none memory=known wall=known");
#endif
    finish();
}
END_TEST

START_TEST(cancel_asks_and_stop_ends)
{
    begin(NULL);
    give("start mis {\"how\":\"work\"}");
    ck_assert_str_eq(next_line(), "started 1 ok");
    os_sleep(second / 2); /* it has to hear of interrupts first */
    give("cancel 1");
    ck_assert_str_eq(next_line(), "cancelled 1 ok");
    ck_assert_ptr_nonnull(strstr(line_with("errors 1"), "interrupted"));
    ck_assert_ptr_nonnull(strstr(line_with("exited"), "exited 1 status=1 signal=0 limit=none"));

    give("start mis {\"how\":\"ignore\"}");
    ck_assert_str_eq(next_line(), "started 2 ok");
    ck_assert_str_eq(next_line(), "output 2 ignoring");
    give("cancel 2");
    ck_assert_str_eq(next_line(), "cancelled 2 ok");
    os_sleep(second / 5);
    give("stop 2");
    ck_assert_str_eq(next_line(), "stopped 2 ok");
    ck_assert_str_eq(line_with("exited"), "exited 2 status=-1 signal=9 limit=none memory=known wall=known");
    finish();
}
END_TEST

START_TEST(children_are_called)
{
    begin(NULL);
    give("start mis {\"how\":\"say\"}");
    ck_assert_str_eq(next_line(), "started 1 ok");
    give("call 1 {\"a\":[1,2]}");
    ck_assert_str_eq(next_line(), "called 1 ok");
    ck_assert_str_eq(next_line(), "output 1 {\"a\":[1,2]}");
    give("close 1");
    ck_assert_str_eq(next_line(), "closed 1 ok");
    ck_assert_ptr_nonnull(strstr(line_with("exited"), "exited 1 status=0"));
    finish();
}
END_TEST

/* ---- Nothing is left behind ---- */

#if !defined(_WIN32)
START_TEST(fifty_children_leave_nothing)
{
    begin(NULL);
    give("hello");
    next_line();
    int process = server_process(), before = descriptors_of(process);
    for (int i = 0; i < 50; i++) give("start mis {\"how\":\"work\"}");
    for (int i = 0; i < 50; i++) line_with("started");
    ck_assert_int_eq(children_of(process).n, 50);
    ck_assert_int_ge(descriptors_of(process), before + 150);
    family f = children_of(process);
    os_sleep(second); /* until they have opened what they open */
    for (int i = 0; i < f.n; i++) ck_assert_int_le(descriptors_of(f.id[i]), 6); /* none of its siblings' pipes */
    for (int i = 1; i <= 50; i++) {
        text words = { 0 };
        text_format(&words, "stop %d", i);
        give(text_of(&words));
        text_free(&words);
    }
    for (int i = 0; i < 50; i++) ck_assert_ptr_nonnull(strstr(line_with("exited"), "signal=9 limit=none"));
    ck_assert_int_eq(children_of(process).n, 0);
    ck_assert_int_eq(descriptors_of(process), before);
    finish();
}
END_TEST

START_TEST(nothing_outlives_the_server)
{
    begin(NULL);
    give("start mis {\"how\":\"ignore\"}");
    line_with("output 1 ignoring");
    give("start mis {\"how\":\"work\"}");
    line_with("started");
    give("script t return { f = function() end }");
    line_with("script");
    family f = children_of(server_process());
    ck_assert_int_eq(f.n, 3);
    children_stop(all, server); /* its group, which they are not of */
    os_sleep(second);
    for (int i = 0; i < f.n; i++) {
        text path = { 0 };
        char state = 'Z';
        text_format(&path, "%d", f.id[i]);
        parent_of(text_of(&path), &state); /* whoever adopts them collects them when it likes */
        ck_assert_int_eq(state, 'Z');
        text_free(&path);
    }
}
END_TEST
#endif

/* ---- Scripts ---- */

START_TEST(scripts_are_called)
{
    begin(NULL);
    give("script t local n = 0; return { twice = function(x) return 2 * x end, same = function(x) return x end, "
         "count = function() n = n + 1 return n end, fail = function(x) return x.y.z end }");
    ck_assert_str_eq(next_line(), "script 1 ok");
    give("script-call 1 twice 21");
    ck_assert_str_eq(next_line(), "result 1 42");
    give("script-call 1 same {\"a\":[null,{\"b\":[]}]}");
    ck_assert_str_eq(next_line(), "result 1 {\"a\":[null,{\"b\":[]}]}");
    give("script-call 1 same");
    ck_assert_str_eq(next_line(), "result 1 null");
    give("script-call 1 count");
    ck_assert_str_eq(next_line(), "result 1 1");
    give("script-call 1 count"); /* it stays warm */
    ck_assert_str_eq(next_line(), "result 1 2");
    give("script-call 1 fail {}");
    ck_assert_str_eq(next_line(), "failed 1 t:1: attempt to index field 'y' (a nil value)");
    give("script-call 1 twise 1");
    ck_assert_str_eq(next_line(), "failed 1 t: the script has no function 'twise'; did you mean 'twice'?");
    give("script-call 1 same [1");
    ck_assert_ptr_nonnull(strstr(next_line(), "failed 1 t: what 'same' is called with is no JSON"));
    give("script-close 1");
    give("script-call 1 same");
    ck_assert_str_eq(next_line(), "failed 1 there is no script 1");
    finish();
}
END_TEST

START_TEST(scripts_are_confined)
{
    begin(NULL);
    give("script t return { f = function() return io.open('/etc/passwd') end }");
    next_line();
    give("script-call 1 f");
    ck_assert_ptr_nonnull(strstr(next_line(), "failed 1 t:1: 'io' is blocked"));
    give("script u return 5");
    ck_assert_str_eq(next_line(), "script 0 u: a script returns a table of functions, not a number");
    give("script v return {");
    ck_assert_ptr_nonnull(strstr(next_line(), "script 0 v:1:"));
    finish();
}
END_TEST

START_TEST(scripts_are_limited)
{
    int64_t start = os_monotonic();

    begin("wall=700ms");
    give("script t return { id = function(x) return x end, loop = function() while true do end end,"
         " say = function(n) local t = {} for i = 1, n do t[i] = 'xxxxxxxxxx' end return t end }");
    ck_assert_str_eq(next_line(), "script 1 ok");
    give("script-call 1 loop");
    ck_assert_str_eq(next_line(), "failed 1 t: 'loop' took longer than 0.7 s and was stopped");
    give("script-call 1 id 7"); /* begins anew */
    ck_assert_str_eq(next_line(), "result 1 7");
    ck_assert_int_lt(os_monotonic() - start, 10 * second);
    finish();

    begin("memory=150000000");
    give("script t return { storm = function() local t = {} for i = 1, 1e9 do t[i] = { i, i } end end }");
    ck_assert_str_eq(next_line(), "script 1 ok");
    give("script-call 1 storm");
    ck_assert_ptr_nonnull(strstr(next_line(), "MiB of memory and was stopped"));
    finish();

    begin("output=10000");
    give("script t return { say = function(n) local t = {} for i = 1, n do t[i] = 'xxxxxxxxxx' end return t end }");
    ck_assert_str_eq(next_line(), "script 1 ok");
    for (int i = 0; i < 5; i++) { /* each call for itself */
        give("script-call 1 say 500");
        ck_assert_ptr_nonnull(strstr(next_line(), "result 1 [\"xxxxxxxxxx\",\"x"));
    }
    give("script-call 1 say 5000");
    ck_assert_str_eq(next_line(), "failed 1 t: 'say' gave more than 9.76562 KiB and was stopped");
    finish();
}
END_TEST

int main(int argc, char **argv)
{
    os_start(&argc, &argv); /* a server that ended is a failed write, no signal */
    Suite *suite = suite_create("server");
    TCase *tests = tcase_create("server");
    SRunner *runner = srunner_create(suite);

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, lines_are_told);
    tcase_add_test(tests, huge_lines_are_refused);
    tcase_add_test(tests, the_end_of_input_ends_it);
    tcase_add_test(tests, what_waits_for_a_child_has_a_bound);
    tcase_add_test(tests, pipelines_are_described);
    tcase_add_test(tests, a_normal_run);
    tcase_add_test(tests, wrong_use_starts_nothing);
    tcase_add_test(tests, a_failure_has_its_sentence);
    tcase_add_test(tests, an_endless_loop_is_stopped);
    tcase_add_test(tests, memory_is_limited);
    tcase_add_test(tests, output_is_limited);
    tcase_add_test(tests, a_crash_is_told);
    tcase_add_test(tests, cancel_asks_and_stop_ends);
    tcase_add_test(tests, children_are_called);
#if !defined(_WIN32) /* there is no /proc to look into */
    tcase_add_test(tests, fifty_children_leave_nothing);
    tcase_add_test(tests, nothing_outlives_the_server);
#endif
    tcase_add_test(tests, scripts_are_called);
    tcase_add_test(tests, scripts_are_confined);
    tcase_add_test(tests, scripts_are_limited);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
