/* test_host.c - what stages ask of the host, and what is left of a run: files, counters, the exit status. */
#include "bus_kit.h"
#include "os.h"
#include "progress.h"

static int64_t stop_after; /* calls of `stop` that still say no */

static int stop(void *context)
{
    (void)context;
    return stop_after-- == 0;
}

static int stay_stopped(void *context)
{
    (void)context;
    if (stop_after > 0) stop_after--;
    return stop_after == 0;
}

/* ---- What ends a run early, and files ---- */

typedef struct writer {
    tw_self tw;
    tw_output *to, *made;
    const char *also;
} writer;

static const tw_option writer_options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, "", "where to"),
    TW_OPTION(writer, also, TW_OPT_TEXT, "", "a file that the stage creates"),
    { 0 },
};

static int writer_events(void *self, tw_batch *b)
{
    writer *w = self;

    (void)b;
    if (*w->also && !w->made && !(w->made = w->tw.host->create(self, w->also))) return TW_ERROR;
    if (w->made && w->tw.host->write(w->made, "made\n", 5) != TW_OK) return TW_ERROR;
    return w->to ? w->tw.host->write(w->to, "line\n", 5) : TW_OK;
}

static int writer_end(void *self)
{
    writer *w = self;
    return w->made ? w->tw.host->finish(w->made, 1) : TW_OK;
}

static const tw_stage writes = {
    .size = sizeof(tw_stage),
    .name = "writer",
    .state = sizeof(writer),
    .options = writer_options,
    .events = writer_events,
    .end = writer_end,
};

static const char *const out = "test_host.out.tmp", *const also = "test_host.also.tmp";
static const setting both_files[] = { { "to", &out, 1, 0 }, { "also", &also, 1, 0 } };

static void check_file(const char *path, const char *content)
{
    char bytes[64] = { 0 };
    FILE *f = fopen(path, "rb");

    if (!content) {
        ck_assert_ptr_null(f);
        return;
    }
    ck_assert_ptr_nonnull(f);
    bytes[fread(bytes, 1, sizeof bytes - 1, f)] = 0;
    fclose(f);
    ck_assert_str_eq(bytes, content);
    remove(path);
}

START_TEST(files_after_success)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 0 }, TW_END, 0 } };
    const spec chain[] = { plain(&source_stage), with(&writes, both_files, 2) };

    run(readings, chain, 2);
    ck_assert_str_eq(text_of(&r.error), "");
    check_file(out, "line\nline\n");
    check_file(also, "made\nmade\n");
    check_file("test_host.out.tmp.partial", NULL);
}
END_TEST

#if !defined(_WIN32)
static int asks_for_no_columns(void *self, tw_batch *b)
{
    static const tw_table empty = { sizeof empty, 0, "empty", "", NULL };

    (void)b;
    return TW_HOST(self)->table(self, &empty) ? TW_OK : TW_ERROR;
}

/* There is no block for such a table, and a stage always gets one. */
START_TEST(a_table_without_columns_ends_the_program)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 } };
    static const tw_stage maker = {
        .size = sizeof(tw_stage), .name = "maker", .state = sizeof(tw_self), .events = asks_for_no_columns
    };
    const spec chain[] = { plain(&source_stage), { .stage = "maker", .place = "", .builtin = &maker } };

    run(readings, chain, 2);
}
END_TEST
#endif

START_TEST(files_after_failure)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 0 }, TW_ERROR, 0 } };
    static const char *const nowhere = "test_host.no/such";
    const setting bad_file[] = { { "also", &nowhere, 1, 0 } };
    const spec chain[] = { plain(&source_stage), with(&writes, both_files, 2) };
    const spec bad[] = { plain(&source_stage), with(&writes, bad_file, 1) };

    run(readings, chain, 2);
    ck_assert_str_eq(text_of(&r.error), "test: source: failed without a word");
    check_file(out, NULL);
    check_file(also, NULL);
    check_file("test_host.out.tmp.partial", "line\n");
    check_file("test_host.also.tmp.partial", "made\n");
    run(readings, bad, 2); /* the stage said nothing, its file did */
    ck_assert_int_eq(strncmp(text_of(&r.error), "test: writer: ", 14), 0);
    ck_assert_ptr_nonnull(strstr(text_of(&r.error), nowhere));
}
END_TEST

START_TEST(interrupted)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 },
                                        { 1, { 2 }, { 0 }, TW_OK, 0 },
                                        { 1, { 3 }, { 0 }, TW_END, 0 } };
    const bus_options o = { .stop = stop };
    const spec chain[] = { plain(&source_stage), with(&writes, both_files, 2), probe_spec(&sees_reads, 0) };

    stop_after = 2; /* asked before each read */
    run_with(&o, readings, chain, 3);
    ck_assert_int_eq(r.status, 1);
    ck_assert_int_eq(r.interrupted, 1);
    ck_assert_str_eq(text_of(&r.error), "test: interrupted; partial results kept as test_host.also.tmp.partial, "
                                        "test_host.out.tmp.partial");
    check_journal("a.open a.type(Disk/Read) a.events(1) a.events(2) source.end a.end a.close source.close ");
    check_file("test_host.out.tmp.partial", "line\nline\n");
    check_file("test_host.also.tmp.partial", "made\nmade\n");
    check_file(out, NULL);
    check_file(also, NULL);
}
END_TEST

/* A stage that fails because it was stopped has not failed. */
START_TEST(interrupted_inside_a_stage)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 0 }, TW_END, 0 } };
    static const char *const what = "events:fail";
    setting set[2];
    const bus_options o = { .stop = stay_stopped };
    const spec chain[] = { plain(&source_stage), returning(&sees_reads, set, 0, &what) };

    stop_after = 2;
    run_with(&o, readings, chain, 2);
    ck_assert_str_eq(text_of(&r.error), "test: interrupted");
    ck_assert_int_eq(r.status, 1);
    check_journal("a.open a.type(Disk/Read) a.events(1) source.end a.end a.close source.close ");
}
END_TEST

/* ---- Counters and the exit status ---- */

typedef struct counting {
    tw_self tw;
    int64_t which;
} counting;

static const tw_option counting_options[] = { TW_OPTION(counting, which, TW_OPT_INT, "0", "which"), { 0 } };
static const tw_counter counters[] = {
    { "seen", "events", TW_INFO },  { "strange", "", TW_WARNING }, { "gone", "", TW_LOST },
    { "left out", "", TW_SKIPPED }, { "broken", NULL, TW_FAULT },  { 0 },
};

static int count_events(void *self, tw_batch *b)
{
    tw_count(self, ((counting *)self)->which, b->n);
    return TW_OK;
}

static const tw_stage counts = {
    .size = sizeof(tw_stage),
    .name = "counts",
    .state = sizeof(counting),
    .options = counting_options,
    .counters = counters,
    .events = count_events,
};

START_TEST(exit_status)
{
    static const reading readings[] = { { 2, { 1, 2 }, { 0, 0 }, TW_END, 0 } };
    static const char *const which[] = { "0", "1", "2", "3", "4" };
    static const int lax[] = { 0, 0, 0, 3, 3 }, strict[] = { 0, 0, 3, 3, 3 };

    for (int i = 0; i < 5; i++) {
        const setting set = { NULL, &which[i], 1, 0 };
        const spec chain[] = { plain(&source_stage), with(&counts, &set, 1) };
        const bus_options o = { .strict = 1 };
        run(readings, chain, 2);
        ck_assert_int_eq(r.status, lax[i]);
        ck_assert_uint_eq(r.ncounters, 5);
        for (uint32_t k = 0; k < 5; k++) ck_assert_uint_eq(r.counter[k].count, k == (uint32_t)i ? 2 : 0);
        ck_assert_str_eq(r.counter[2].name, "gone");
        ck_assert_int_eq(r.counter[2].severity, TW_LOST);
        run_with(&o, readings, chain, 2);
        ck_assert_int_eq(r.status, strict[i]);
    }
}
END_TEST

/* ---- What stages ask of the host ---- */

static int refused_type(void *self)
{
    tw_type t = { .size = sizeof t }; /* no names */

    ck_assert_uint_eq(TW_HOST(self)->publish(self, &t), 0);
    ck_assert_uint_eq(TW_HOST(self)->publish(self, &t), 0);
    return TW_OK;
}

static int pass(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_OK;
}

static int unpublished(void *self, tw_batch *b)
{
    (void)self;
    b->event[b->n++] = (tw_event){ .type = 70000 };
    return TW_END;
}

START_TEST(types_that_are_none)
{
    static const tw_stage refuses = { .size = sizeof(tw_stage),
                                      .name = "refuses",
                                      .state = sizeof(source),
                                      .open = refused_type,
                                      .read = source_read };
    static const tw_stage gives = {
        .size = sizeof(tw_stage), .name = "gives", .state = sizeof(tw_self), .read = unpublished
    };
    static const reading none[] = { { 0, { 0 }, { 0 }, TW_END, 0 } };
    static const bus_options silent = { .quiet = 1 };

    fflush(stderr);
    run_with(&silent, none, (const spec[]){ plain(&refuses) }, 1);
    ck_assert_int_eq(r.status, 3);
    ck_assert_uint_eq(counted("refuses", "types refused"), 2);
    run(none, (const spec[]){ plain(&gives), probe_spec(&sees_all, 0) }, 2);
    ck_assert_str_eq(text_of(&r.error), "test: gives: gave an event of type 70000, but only 0 types are published");
}
END_TEST

static int wanted_read(void *self, tw_batch *b)
{
    const tw_host *host = TW_HOST(self);

    (void)b;
    for (uint32_t k = 0; k < KINDS; k++) NOTE("%d", host->wanted(self, id_of(self, k)));
    NOTE("%d ", host->wanted(self, 60000));
    return TW_END;
}

START_TEST(wanted)
{
    static const tw_stage asks = {
        .size = sizeof(tw_stage), .name = "asks", .state = sizeof(source), .read = wanted_read
    };
    static const reading none[] = { { 0, { 0 }, { 0 }, TW_END, 0 } };
    static const tw_stage silent_disk = {
        .size = sizeof(tw_stage), .name = "s", .state = sizeof(tw_self), .wants = disk, .events = pass
    };

    run(none, (const spec[]){ plain(&asks), plain(&silent_disk) }, 2);
    check_journal("11000 ");
    run(none, (const spec[]){ plain(&asks), plain(&silent_disk), probe_spec(&sees_all, 0) }, 3);
    check_journal(
        "a.open 11110 a.type(Disk/Read) a.type(Disk/Write) a.type(File/Read) a.type(Odd/One) a.end a.close ");
    run(none, (const spec[]){ plain(&asks), probe_spec(&sees_rows, 0) }, 2);
    check_journal("a.open 00000 a.end a.close ");
}
END_TEST

static int offer_one(void *self)
{
    static const int first = 1;
    return TW_HOST(self)->offer(self, "tw.number/1", &first);
}

static int offer_two(void *self)
{
    static const int second = 2;
    const int *before = TW_HOST(self)->extension(self, "tw.number/1");

    NOTE("before:%d ", *before);
    return TW_HOST(self)->offer(self, "tw.number/1", &second);
}

static int ask(void *self)
{
    const int *nearest = TW_HOST(self)->extension(self, "tw.number/1");

    ck_assert_ptr_null(TW_HOST(self)->extension(self, "tw.number/2"));
    NOTE("nearest:%d ", nearest ? *nearest : 0);
    return TW_OK;
}

START_TEST(services)
{
    static const tw_stage offers_one = {
        .size = sizeof(tw_stage), .name = "one", .state = sizeof(source), .open = offer_one, .read = source_read
    };
    static const tw_stage offers_two = {
        .size = sizeof(tw_stage), .name = "two", .state = sizeof(tw_self), .open = offer_two, .events = pass
    };
    static const tw_stage asks = {
        .size = sizeof(tw_stage), .name = "asks", .state = sizeof(tw_self), .open = ask, .events = pass
    };
    static const reading none[] = { { 0, { 0 }, { 0 }, TW_END, 0 } };

    run(none, (const spec[]){ plain(&offers_one), plain(&asks), plain(&offers_two), plain(&asks) }, 4);
    check_journal("nearest:1 before:1 nearest:2 ");
    run(none, (const spec[]){ plain(&source_stage), plain(&asks), plain(&offers_one) }, 3);
    ck_assert_int_eq(r.status, 2); /* a source in the middle */
}
END_TEST

static int clock_of(void *self, const tw_event *e, tw_clock *c)
{
    (void)self;
    *c = (tw_clock){ .ticks = e->time, .time = e->time, .hz = 10000000, .begin = 1000, .end = 9000 };
    return TW_OK;
}

static int extra_of(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    (void)self;
    if (what != TW_X_KEYWORD || item) return TW_END;
    *v = (tw_value){ .kind = TW_U64, .u = (uint64_t)e->time + 1 };
    return TW_OK;
}

static int look_around(void *self, tw_batch *b)
{
    const tw_host *host = TW_HOST(self);
    tw_event made = b->event[0];
    tw_clock c;
    tw_value v;

    made.record = NULL;
    NOTE("begin:%" PRId64 " passed:%" PRIu64 " ", bus_begin(self, &b->event[0]), bus_passed(self));
    NOTE("keyword:%d", host->extra(self, &b->event[0], TW_X_KEYWORD, 0, &v));
    NOTE(":%" PRIu64 " ", v.u);
    NOTE("level:%d ", host->extra(self, &b->event[0], TW_X_LEVEL, 0, &v));
    NOTE("made:%d:%d ", host->extra(self, &made, TW_X_KEYWORD, 0, &v), host->clock(self, &made, &c));
    NOTE("clock:%d ", host->clock(self, &b->event[0], &c));
    ck_assert_ptr_eq(host->intern(self, "abc", 3), host->intern(self, "abcd", 3));
    ck_assert_int_eq(host->get(self, b, &b->event[0], -1, &v), TW_END);
    ck_assert_int_eq(host->get(self, b, &b->event[0], 0, &v), TW_END); /* no fields */
    return TW_OK;
}

/* Words of an event of a type with two fields and a message. */
static int asks_for_words(void *self, tw_batch *b)
{
    static const tw_field fields[] = { { .name = "Size", .kind = TW_U8 }, { .name = "Kind", .kind = TW_U8 } };
    static const uint8_t payload[] = { 7, 0x1F };
    const tw_host *host = TW_HOST(self);
    tw_type t = { .size = sizeof t, .provider = "P", .name = "N", .nfields = 2, .field = fields };
    tw_event made = { .data = payload, .bytes = sizeof payload };
    tw_text words;

    made.type = host->publish(self, &t);
    ck_assert_int_eq(host->words(self, b, &made, TW_WORDS_FIELDS, &words), TW_OK);
    ck_assert_int_eq(words.bytes, strlen("Size=7 Kind=31"));
    ck_assert_mem_eq(words.at, "Size=7 Kind=31", words.bytes);
    ck_assert_int_eq(host->words(self, b, &made, TW_WORDS_MESSAGE, &words), TW_END);
    t.message = "%2!#x! has %1";
    made.type = host->publish(self, &t);
    ck_assert_int_eq(host->words(self, b, &made, TW_WORDS_MESSAGE, &words), TW_OK);
    ck_assert_int_eq(words.bytes, strlen("0x1f has 7"));
    ck_assert_mem_eq(words.at, "0x1f has 7", words.bytes);
    ck_assert_int_eq(host->words(self, b, &made, TW_WORDS_MESSAGE + 1, &words), TW_END);
    return TW_OK;
}

START_TEST(around_an_event)
{
    static const tw_stage knows = {
        .size = sizeof(tw_stage),
        .name = "knows",
        .state = sizeof(source),
        .read = source_read,
        .clock = clock_of,
        .extra = extra_of,
    };
    static const tw_stage looks = {
        .size = sizeof(tw_stage), .name = "looks", .state = sizeof(tw_self), .events = look_around
    };
    static const reading readings[] = { { 2, { 5, 6 }, { 0, 0 }, TW_OK, 0 }, { 1, { 7 }, { 0 }, TW_END, 0 } };

    run(readings, (const spec[]){ plain(&knows), plain(&looks) }, 2);
    check_journal("begin:1000 passed:2 keyword:0:6 level:1 made:1:1 clock:0 "
                  "begin:1000 passed:3 keyword:0:8 level:1 made:1:1 clock:0 ");
    run(readings, (const spec[]){ plain(&source_stage), plain(&looks) }, 2); /* no clock: the first event's time */
    check_journal("begin:5 passed:2 keyword:1:0 level:1 made:1:1 clock:1 "
                  "begin:5 passed:3 keyword:1:0 level:1 made:1:1 clock:1 source.end source.close ");
}
END_TEST

START_TEST(words_of_an_event)
{
    static const tw_stage asks = {
        .size = sizeof(tw_stage), .name = "asks", .state = sizeof(tw_self), .events = asks_for_words
    };
    static const reading one[] = { { 1, { 5 }, { 0 }, TW_END, 0 } };

    run(one, (const spec[]){ plain(&source_stage), plain(&asks) }, 2);
    ck_assert_int_eq(r.status, 0);
    check_journal("source.end source.close ");
}
END_TEST

static int serve(void *self)
{
    NOTE("served:%d ", TW_HOST(self)->stopped(self));
    return TW_END;
}

START_TEST(standing_alone)
{
    static const tw_stage serves = {
        .size = sizeof(tw_stage), .name = "serves", .state = sizeof(tw_self), .run = serve
    };

    run(NULL, (const spec[]){ plain(&serves) }, 1);
    check_journal("served:0 ");
    ck_assert_int_eq(r.status, 0);
    run(NULL, (const spec[]){ plain(&serves), probe_spec(&sees_all, 0) }, 2);
    ck_assert_str_eq(text_of(&r.error), "test: serves: it stands alone, so no other stage can come after it");
    ck_assert_int_eq(r.status, 2);
}
END_TEST

START_TEST(progress_lines)
{
    char line[80];
    const int64_t second = 1000000000;

    progress_line(2 * second, 500000000, 1000000000, 7, line, sizeof line);
    ck_assert_str_eq(line, " 50%  250 MB/s  0:02 left");
    progress_line(90 * second, 250000000, 1000000000, 7, line, sizeof line);
    ck_assert_str_eq(line, " 25%  3 MB/s  4:30 left");
    progress_line(second, 2000, 1000, 7, line, sizeof line); /* more than all: a source that was wrong */
    ck_assert_str_eq(line, "100%  0 MB/s  0:00 left");
    progress_line(2 * second, 0, 0, 3000000, line, sizeof line);
    ck_assert_str_eq(line, "3.0 M events  1.50 M/s");
    ck_assert_int_eq(progress_line(2 * second, 0, 0, 3000000, line, 5), 4);
    ck_assert_str_eq(line, "3.0 ");
}
END_TEST

START_TEST(plain_text)
{
    text t = { 0 };

    text_put(&t, "a\x1b[31m\r\nb\xc2\x9b\x7f"
                 "31m \xc3\xa9");
    report_plain(&t);
    ck_assert_str_eq(text_of(&t), "a [31m  b   31m \xc3\xa9");
    text_free(&t);
}
END_TEST

/* ---- Stages that break the rules ---- */

static int emit_twice(void *self, tw_batch *b)
{
    tw_batch *extra = TW_HOST(self)->batch(self);

    (void)b;
    TW_HOST(self)->emit(self, extra);
    return TW_HOST(self)->emit(self, extra);
}

static int emit_what_passes(void *self, tw_batch *b)
{
    return TW_HOST(self)->emit(self, b);
}

static int push_what_passes(void *self, tw_rows *rows)
{
    return TW_HOST(self)->push(self, rows);
}

static int fill_too_full(void *self, tw_batch *b)
{
    (void)self;
    b->n = b->cap + 1;
    return TW_OK;
}

static int finish_twice(void *self, tw_batch *b)
{
    tw_output *to = TW_HOST(self)->create(self, out);

    (void)b;
    TW_HOST(self)->finish(to, 0);
    return TW_HOST(self)->finish(to, 0);
}

static int make_row(void *self, tw_batch *b)
{
    static const tw_field number[] = { { .name = "n", .kind = TW_I64 } };
    static const tw_table one = { sizeof one, 1, "one", NULL, number };
    tw_rows *rows = TW_HOST(self)->table(self, &one);

    (void)b;
    rows->n = 1;
    return TW_HOST(self)->push(self, rows);
}

START_TEST(broken_rules)
{
    // clang-format off
    static const struct { int (*events)(void *, tw_batch *); int (*rows)(void *, tw_rows *); const char *error; }
    cases[] = {
        { emit_twice, NULL, "test: breaks: emitted a batch that is not its own, or was emitted before" },
        { emit_what_passes, NULL, "test: breaks: emitted a batch that is not its own, or was emitted before" },
        { NULL, push_what_passes, "test: breaks: pushed rows that are not its own" },
        { fill_too_full, NULL, "test: breaks: put 513 events where 512 have room" },
        { finish_twice, NULL, "test: breaks: finished a file that is not its own, or was finished before" },
    };
    // clang-format on
    static const tw_stage makes_a_row = {
        .size = sizeof(tw_stage), .name = "makes", .state = sizeof(tw_self), .events = make_row
    };
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_END, 0 } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tw_stage breaks = { .size = sizeof(tw_stage),
                            .name = "breaks",
                            .state = sizeof(tw_self),
                            .events = cases[i].events,
                            .rows = cases[i].rows };
        run(readings, (const spec[]){ plain(&source_stage), plain(&makes_a_row), plain(&breaks) }, 3);
        ck_assert_str_eq(text_of(&r.error), cases[i].error);
        ck_assert_int_eq(r.status, 1);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("host");
    TCase *t = tcase_create("host");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, files_after_success);
    tcase_add_test(t, files_after_failure);
    tcase_add_test(t, interrupted);
    tcase_add_test(t, interrupted_inside_a_stage);
    tcase_add_test(t, exit_status);
    tcase_add_test(t, types_that_are_none);
    tcase_add_test(t, wanted);
    tcase_add_test(t, services);
    tcase_add_test(t, around_an_event);
    tcase_add_test(t, words_of_an_event);
    tcase_add_test(t, standing_alone);
#if !defined(_WIN32) /* that needs a process of its own */
    tcase_add_exit_test(t, a_table_without_columns_ends_the_program, 1);
#endif
    tcase_add_test(t, broken_rules);
    tcase_add_test(t, progress_lines);
    tcase_add_test(t, plain_text);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
