/* test_bus.c - whole pipelines: who is given what, in which order, until when. */
#include "bus_kit.h"

/* ---- Stages that send on ---- */

static const tw_field number[] = { { .name = "n", .kind = TW_I64 } };
static const tw_table one = { sizeof one, 1, "one", NULL, number };
static const tw_table two = { sizeof two, 1, "two", NULL, number };
static const tw_table three = { sizeof three, 1, "three", NULL, number };
static const tw_table *const makes[] = { &one, &two, &three, NULL };

/* A row of `one` an event; pushes after the second. */
static int rows_of(void *self, tw_batch *b)
{
    const tw_host *host = TW_HOST(self);

    for (uint32_t i = 0; i < b->n; i++) {
        tw_rows *r = host->table(self, &one);
        ((int64_t *)r->col[0])[r->n++] = b->event[i].time;
        if (r->n < 2) continue;
        int rc = host->push(self, r);
        NOTE("pushed:%d ", rc);
        if (rc != TW_OK) return rc;
    }
    return TW_OK;
}

/* Asking for a block says that the table exists; `three` may be made, but is not. */
static int ask_for_two(void *self)
{
    ck_assert_uint_eq(TW_HOST(self)->table(self, &two)->n, 0);
    return TW_OK;
}

static const tw_stage makes_rows = {
    .size = sizeof(tw_stage),
    .name = "maker",
    .state = sizeof(tw_self),
    .makes = makes,
    .open = ask_for_two,
    .events = rows_of,
};

/* Sends a batch with one event, 1 ns earlier, ahead of each batch. */
static int emit_before(void *self, tw_batch *b)
{
    tw_batch *extra = TW_HOST(self)->batch(self);

    TW_HOST(self)->batch(self); /* never emitted: the host takes it back */
    extra->event[extra->n] = b->event[0];
    extra->event[extra->n++].time -= 1;
    int rc = TW_HOST(self)->emit(self, extra);
    NOTE("emitted:%d ", rc);
    return rc;
}

static const tw_stage emits = {
    .size = sizeof(tw_stage),
    .name = "emitter",
    .state = sizeof(tw_self),
    .events = emit_before,
};

START_TEST(a_run_from_open_to_close)
{
    static const reading readings[] = { { 2, { 1, 2 }, { 0, 1 }, TW_OK, 0 }, { 1, { 3 }, { 0 }, TW_END, 0 } };
    const spec chain[] = { plain(&source_stage), probe_spec(&sees_all, 0), probe_spec(&sees_reads, 1) };

    run(readings, chain, 3);
    check_journal("a.open b.open "
                  "a.type(Disk/Read) a.type(Disk/Write) a.events(1 2) b.type(Disk/Read) b.events(1 2) "
                  "a.events(3) b.events(3) "
                  "source.end a.end b.end b.close a.close source.close ");
    ck_assert_int_eq(r.status, 0);
    ck_assert_str_eq(text_of(&r.error), "");
    ck_assert_uint_eq(r.nstages, 3);
    ck_assert_str_eq(r.stage[0].name, "source");
    ck_assert_uint_eq(r.stage[0].events_out, 3);
    ck_assert_uint_eq(r.stage[0].batches, 2);
    ck_assert_uint_eq(r.stage[1].events_in, 3);
    ck_assert_uint_eq(r.stage[1].events_out, 3);
    ck_assert_uint_eq(r.stage[1].batches, 2);
    ck_assert_int_gt(r.ns, 0);
    ck_assert_int_ge(r.ns, r.stage[0].ns + r.stage[1].ns + r.stage[2].ns);
}
END_TEST

START_TEST(what_nobody_wants_is_not_given)
{
    static const reading readings[] = {
        { 1, { 1 }, { 1 }, TW_OK, 0 }, /* no read of a disk in it */
        { 2, { 2, 3 }, { 2, 0 }, TW_OK, 0 },
        { 0, { 0 }, { 0 }, TW_OK, 0 },
        { 1, { 4 }, { 3 }, TW_END, 0 },
    };
    const spec chain[] = { plain(&unordered_stage), probe_spec(&sees_reads, 0) };

    run(readings, chain, 2);
    /* unordered without a mark: all is held to the end, then comes in one batch */
    check_journal("a.open a.type(Disk/Read) a.events(1 2 3 4) a.end a.close ");
    const spec ordered[] = { plain(&source_stage), probe_spec(&sees_reads, 0) };
    run(readings, ordered, 2);
    check_journal("a.open a.type(Disk/Read) a.events(2 3) source.end a.end a.close source.close ");
    ck_assert_uint_eq(r.stage[1].events_in, 2);
}
END_TEST

static int retype(void *self, tw_batch *b)
{
    b->event[0].type = id_of(self, 0);
    return TW_OK;
}

START_TEST(a_type_made_on_the_way)
{
    static const tw_stage retypes = {
        .size = sizeof(tw_stage), .name = "retypes", .state = sizeof(tw_self), .events = retype
    };
    static const reading readings[] = { { 1, { 1 }, { 2 }, TW_END, 0 } };

    run(readings, (const spec[]){ plain(&source_stage), plain(&retypes), probe_spec(&sees_reads, 0) }, 3);
    check_journal("a.open a.type(Disk/Read) a.events(1) source.end a.end a.close source.close ");
}
END_TEST

START_TEST(types_are_told_before_the_end)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 1 }, TW_END, 0 } };
    const spec chain[] = { plain(&source_stage), probe_spec(&sees_reads, 0), probe_spec(&sees_all, 1) };
    static const reading none[] = { { 0, { 0 }, { 0 }, TW_END, 0 } };

    run(readings, chain, 3);
    check_journal("a.open b.open a.type(Disk/Read) a.events(1) b.type(Disk/Read) b.events(1) "
                  "b.type(Disk/Write) b.events(2) source.end a.end b.end b.close a.close source.close ");
    run(none, chain, 3);
    check_journal("a.open b.open source.end a.end b.end b.close a.close source.close ");
}
END_TEST

START_TEST(enough)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 0 }, TW_OK, 0 } };
    static const char *const what = "events:end";
    setting set[2];
    const spec chain[] = { plain(&source_stage), returning(&sees_reads, set, 0, &what), probe_spec(&sees_reads, 1) };

    run(readings, chain, 3);
    check_journal("a.open b.open a.type(Disk/Read) a.events(1) b.type(Disk/Read) b.events(1) " /* goes on first */
                  "source.end a.end b.end b.close a.close source.close ");
    ck_assert_int_eq(r.status, 0);
}
END_TEST

START_TEST(failures)
{
    // clang-format off
    static const struct { const char *what, *error, *journal; int status; } cases[] = {
        { "open:fail", "test: probe: no more open", "a.open b.open b.close a.close source.close ", 1 },
        { "open:misuse", "test: probe: not so", "a.open b.open b.close a.close source.close ", 2 },
        { "open:end", "test: probe: returned 1, which means nothing there",
          "a.open b.open b.close a.close source.close ", 1 },
        { "type:fail", "test: probe: no more type",
          "a.open b.open a.events(1) b.type(Disk/Read) b.close a.close source.close ", 1 },
        { "events:fail", "test: probe: no more events",
          "a.open b.open a.events(1) b.type(Disk/Read) b.events(1) b.close a.close source.close ", 1 },
        { "events:quiet", "test: probe: failed without a word",
          "a.open b.open a.events(1) b.type(Disk/Read) b.events(1) b.close a.close source.close ", 1 },
        { "events:odd", "test: probe: returned 7, which means nothing there",
          "a.open b.open a.events(1) b.type(Disk/Read) b.events(1) b.close a.close source.close ", 1 },
        { "events:unheeded", "test: probe: unheeded",
          "a.open b.open a.events(1) b.type(Disk/Read) b.events(1) b.close a.close source.close ", 1 },
        { "end:fail", "test: probe: no more end",
          "a.open b.open a.events(1) b.type(Disk/Read) b.events(1) a.events(2) b.events(2) source.end a.end b.end "
          "b.close a.close source.close ", 1 },
    };
    // clang-format on
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 0 }, TW_END, 0 } };
    static const tw_stage untold = PROBE(.events = probe_events);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting set[2];
        const spec chain[] = { plain(&source_stage), probe_spec(&untold, 0),
                               returning(&sees_reads, set, 1, &cases[i].what) };
        run(readings, chain, 3);
        ck_assert_str_eq(text_of(&r.error), cases[i].error);
        ck_assert_int_eq(r.status, cases[i].status);
        check_journal(cases[i].journal);
    }
    static const reading bad[] = { { 1, { 1 }, { 0 }, 9, 0 } };
    run(bad, (const spec[]){ plain(&source_stage), probe_spec(&sees_all, 0) }, 2);
    ck_assert_str_eq(text_of(&r.error), "test: source: returned 9, which means nothing there");
}
END_TEST

START_TEST(shapes)
{
    static const char *const nothing = "x";
    static const setting surplus = { "colour", &nothing, 1, 0 };
    const spec not_a_source[] = { probe_spec(&sees_all, 0) };
    const spec two_sources[] = { plain(&source_stage), plain(&source_stage) };
    const spec untagged[] = { plain(&source_stage), plain(&sees_all) };
    const spec coloured[] = {
        { .stage = "source", .place = "top.lua:12", .set = &surplus, .n = 1, .builtin = &source_stage }
    };
    static const reading none[] = { { 0, { 0 }, { 0 }, TW_END, 0 } };

    run(none, NULL, 0);
    ck_assert_str_eq(text_of(&r.error), "test: it has no stages");
    ck_assert_int_eq(r.status, 2);
    run(none, not_a_source, 1);
    ck_assert_str_eq(
        text_of(&r.error),
        "test: probe: it is no source, but comes first; a pipeline begins with a source, such as etl.read");
    ck_assert_int_eq(r.status, 2);
    run(none, two_sources, 2);
    ck_assert_str_eq(text_of(&r.error), "test: source: it is a source, so it can only come first");
    run(none, untagged, 2);
    ck_assert_str_eq(text_of(&r.error), "test: probe: option 'tag' is missing; it needs a text");
    ck_assert_int_eq(r.status, 2);
    check_journal(""); /* nothing was opened, so nothing is closed */
    run(none, coloured, 1);
    ck_assert_str_eq(text_of(&r.error), "top.lua:12: source: no option 'colour'; this stage has no options");

    spec *many = mem_new(1025 * sizeof *many);
    for (int i = 0; i < 1025; i++) many[i] = i ? probe_spec(&sees_all, 0) : plain(&source_stage);
    run(none, many, 1025);
    ck_assert_str_eq(text_of(&r.error), "test: a pipeline has at most 1024 stages");
    run(none, many, 1024);
    ck_assert_int_eq(r.status, 0);

    free(many);

    plugins *p = plugins_new(NULL, 0);
    const bus_options o = { .plugins = p };
    const spec unknown[] = { { .stage = "etl.raed", .place = "top.lua:3" } };
    run_with(&o, none, unknown, 1);
    ck_assert_str_eq(text_of(&r.error), "top.lua:3: no plugin 'etl'");
    ck_assert_int_eq(r.status, 2);
    plugins_free(p);
}
END_TEST

START_TEST(rows_run_down_the_chain)
{
    static const reading readings[] = { { 3, { 1, 2, 3 }, { 0, 0, 0 }, TW_END, 0 } };
    const spec chain[] = { plain(&source_stage), plain(&makes_rows), probe_spec(&sees_rows, 0),
                           probe_spec(&sees_one, 1) };

    run(readings, chain, 4);
    check_journal("a.open b.open a.table(one) a.rows(one 2) b.table(one) b.rows(one 2) pushed:0 "
                  "source.end a.rows(one 1) b.rows(one 1) "                  /* what was left */
                  "a.table(two) a.end b.end b.close a.close source.close "); /* `two` stayed empty */
    ck_assert_uint_eq(r.stage[1].rows_out, 3);
    ck_assert_uint_eq(r.stage[2].rows_in, 3);
    ck_assert_uint_eq(r.stage[3].rows_out, 3);

    static const char *const what = "rows:end", *const fails = "rows:fail";
    setting set[2];
    const spec ending[] = { plain(&source_stage), plain(&makes_rows), returning(&sees_one, set, 0, &what) };
    run(readings, ending, 3);
    check_journal("a.open a.table(one) a.rows(one 2) pushed:1 source.end a.end a.close source.close ");
    ck_assert_int_eq(r.status, 0);
    const spec failing[] = { plain(&source_stage), plain(&makes_rows), returning(&sees_one, set, 0, &fails) };
    run(readings, failing, 3);
    check_journal("a.open a.table(one) a.rows(one 2) pushed:-1 a.close source.close ");
    ck_assert_str_eq(text_of(&r.error), "test: probe: no more rows");
}
END_TEST

static int swallow(void *self, tw_rows *rows)
{
    (void)self;
    NOTE("swallowed ");
    rows->n = 0;
    return TW_OK;
}

/* Who comes after a stage that leaves no rows hears nothing of the table: it is not empty, it was used up. */
START_TEST(rows_that_were_used_up)
{
    static const tw_stage swallows = {
        .size = sizeof(tw_stage), .name = "swallows", .state = sizeof(tw_self), .rows = swallow
    };
    static const reading readings[] = { { 2, { 1, 2 }, { 0, 0 }, TW_END, 0 } };

    run(readings,
        (const spec[]){ plain(&source_stage), plain(&makes_rows), plain(&swallows), probe_spec(&sees_one, 0) }, 4);
    check_journal("a.open swallowed pushed:0 source.end a.end a.close source.close ");
}
END_TEST

START_TEST(emitted_batches_run_down_the_chain)
{
    static const reading readings[] = { { 2, { 5, 6 }, { 0, 0 }, TW_END, 0 } };
    static const char *const what = "events:end";
    setting set[2];
    const spec chain[] = { plain(&source_stage), plain(&emits), probe_spec(&sees_reads, 0) };
    const spec ending[] = { plain(&source_stage), plain(&emits), returning(&sees_reads, set, 0, &what) };

    run(readings, chain, 3);
    check_journal(
        "a.open a.type(Disk/Read) a.events(4) emitted:0 a.events(5 6) source.end a.end a.close source.close ");
    ck_assert_uint_eq(r.stage[1].events_out, 3);
    run(readings, ending, 3);
    check_journal(
        "a.open a.type(Disk/Read) a.events(4) emitted:1 a.events(5 6) source.end a.end a.close source.close ");
}
END_TEST

START_TEST(order)
{
    static const reading readings[] = {
        { 3, { 5, 7, 6 }, { 0, 0, 0 }, TW_OK, 0 },
        { 2, { 4, 9 }, { 0, 0 }, TW_END, 0 },
    };
    static const reading marked[] = {
        { 3, { 5, 7, 6 }, { 0, 0, 0 }, TW_OK, 6 },
        { 2, { 4, 9 }, { 0, 0 }, TW_END, 0 },
    };
    static const tw_stage untold = PROBE(.events = probe_events);

    run(readings, (const spec[]){ plain(&source_stage), probe_spec(&untold, 0) }, 2);
    check_journal("a.open a.events(5 7 7) a.events(7 9) source.end a.end a.close source.close ");
    ck_assert_uint_eq(counted("source", "out of order"), 2);
    ck_assert_int_eq(r.status, 0); /* a warning */
    run(readings, (const spec[]){ plain(&unordered_stage), probe_spec(&untold, 0) }, 2);
    check_journal("a.open a.events(4 5 6 7 9) a.end a.close ");
    ck_assert_uint_eq(counted("unordered", "out of order"), 0);
    run(marked, (const spec[]){ plain(&unordered_stage), probe_spec(&untold, 0) }, 2);
    check_journal("a.open a.events(5) a.events(5 6 7 9) a.end a.close ");
    ck_assert_uint_eq(counted("unordered", "out of order"), 1);
}
END_TEST

START_TEST(nothing_now)
{
    static const reading readings[] = {
        { 0, { 0 }, { 0 }, TW_AGAIN, 0 },
        { 1, { 1 }, { 0 }, TW_AGAIN, 0 }, /* something moves: no tick */
        { 0, { 0 }, { 0 }, TW_END, 0 },
    };
    const spec chain[] = { plain(&source_stage), probe_spec(&sees_all, 0) };

    run(readings, chain, 2);
    check_journal("a.open a.tick a.type(Disk/Read) a.events(1) source.end a.end a.close source.close ");
    static const char *const what = "tick:fail";
    setting set[2];
    run(readings, (const spec[]){ plain(&source_stage), returning(&sees_all, set, 0, &what) }, 2);
    ck_assert_str_eq(text_of(&r.error), "test: probe: no more tick");
}
END_TEST

START_TEST(previewing)
{
    static const reading readings[] = { { 2, { 1, 2 }, { 1, 2 }, TW_OK, 0 },
                                        { 1, { 3 }, { 2 }, TW_OK, 0 },
                                        { 1, { 4 }, { 0 }, TW_END, 0 } };
    const spec chain[] = { plain(&rewinding_stage), probe_spec(&previews, 0) };

    run(readings, chain, 2);
    check_journal(
        "a.open a.type(Disk/Write) a.preview(2) a.type(Disk/Read) a.preview(1) rewind a.events(4) a.end a.close ");
    ck_assert_uint_eq(r.stage[0].events_out, 4);
    run(readings, (const spec[]){ plain(&source_stage), probe_spec(&previews, 0) }, 2); /* it cannot rewind */
    check_journal("a.open a.type(Disk/Write) a.type(Disk/Read) a.events(4) source.end a.end a.close source.close ");
    run(readings, (const spec[]){ plain(&rewinding_stage), probe_spec(&sees_reads, 0) }, 2); /* nobody asks */
    check_journal("a.open a.type(Disk/Read) a.events(4) a.end a.close ");
}
END_TEST

/* A source that counts, makes rows, and says what it is for. */
static int busy_read(void *self, tw_batch *b)
{
    tw_rows *rows = TW_HOST(self)->table(self, &one);

    rows->n = 1;
    tw_count(self, 0, 1);
    TW_HOST(self)->push(self, rows);
    return source_read(self, b);
}

static int say_previewed(void *self, tw_batch *b)
{
    (void)b;
    NOTE("previewed:%d ", (int)((tw_self *)self)->previewed);
    return TW_OK;
}

START_TEST(a_preview_leaves_no_trace)
{
    static const tw_counter reads[] = { { "reads", "", TW_SKIPPED }, { 0 } };
    static const tw_stage busy = {
        .size = sizeof(tw_stage),
        .name = "busy",
        .flags = TW_REWIND,
        .state = sizeof(source),
        .counters = reads,
        .read = busy_read,
        .rewind = source_rewind,
    };
    static const tw_stage asks = {
        .size = sizeof(tw_stage),
        .name = "asks",
        .state = sizeof(tw_self),
        .preview_wants = disk,
        .preview = say_previewed,
        .events = say_previewed,
    };
    static const reading readings[] = { { 2, { 5, 4 }, { 0, 0 }, TW_OK, 0 }, { 1, { 9 }, { 0 }, TW_END, 0 } };
    const spec chain[] = { plain(&busy), plain(&asks), probe_spec(&sees_one, 0) };

    run(readings, chain, 3);
    check_journal("a.open previewed:0 previewed:0 rewind "
                  "a.table(one) a.rows(one 1) previewed:1 a.rows(one 1) previewed:1 a.end a.close ");
    ck_assert_uint_eq(counted("busy", "reads"), 2);
    ck_assert_uint_eq(counted("busy", "out of order"), 1);
    ck_assert_uint_eq(r.stage[0].rows_out, 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bus");
    TCase *t = tcase_create("bus");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_run_from_open_to_close);
    tcase_add_test(t, what_nobody_wants_is_not_given);
    tcase_add_test(t, a_type_made_on_the_way);
    tcase_add_test(t, types_are_told_before_the_end);
    tcase_add_test(t, enough);
    tcase_add_test(t, failures);
    tcase_add_test(t, shapes);
    tcase_add_test(t, rows_run_down_the_chain);
    tcase_add_test(t, rows_that_were_used_up);
    tcase_add_test(t, emitted_batches_run_down_the_chain);
    tcase_add_test(t, order);
    tcase_add_test(t, nothing_now);
    tcase_add_test(t, previewing);
    tcase_add_test(t, a_preview_leaves_no_trace);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
