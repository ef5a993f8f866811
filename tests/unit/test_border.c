/* test_border.c - a pipeline on several threads: what comes over a border, in which order, and how all stop. */
#include "graph_kit.h"
#include "os.h"

static const spec border = { .stage = "thread", .place = "" };

enum { MANY = 300, EACH = 4 };

/* Many readings of four events each; the last one with the end. */
static const reading *many_readings(void)
{
    static reading list[MANY];

    for (int i = 0; i < MANY; i++) {
        list[i] = (reading){ .n = EACH, .status = i + 1 < MANY ? TW_OK : TW_END };
        for (int k = 0; k < EACH; k++) {
            list[i].time[k] = i * EACH + k;
            list[i].type[k] = (uint32_t)k;
        }
    }
    return list;
}

static void expect_many(text *expected)
{
    text_clear(expected);
    for (int i = 0; i < MANY * EACH; i++) text_format(expected, "%d@0 ", i);
    text_put(expected, ".");
}

static int is_slow(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    os_sleep(100000);
    return TW_OK;
}

static const tw_stage slow = {
    .size = sizeof(tw_stage), .name = "slow", .state = sizeof(tw_self), .events = is_slow
};

/* The same is heard behind a border as before it, whoever is the slower one. */
START_TEST(all_comes_over_in_order)
{
    static const char *const one = "1", *const two = "2";
    const setting size_one = { NULL, &one, 1, 0 }, size_two = { "size", &two, 1, 0 };
    const spec narrow = { .stage = "thread", .place = "", .set = &size_one, .n = 1 };
    const spec second = { .stage = "thread", .place = "", .set = &size_two, .n = 1 };
    text expected = { 0 };
    readings_of[0] = many_readings();
    expect_many(&expected);

    RUN(source_of(&file_source, 0), listens(0), border, listens(1));
    check_done();
    check_heard(0, text_of(&expected));
    check_heard(1, text_of(&expected));
    RUN(source_of(&file_source, 0), plain(&slow), border, listens(1));
    check_heard(1, text_of(&expected));
    RUN(source_of(&file_source, 0), narrow, plain(&slow), second, listens(1), border, listens(2));
    check_done();
    check_heard(1, text_of(&expected));
    check_heard(2, text_of(&expected));
    RUN(source_of(&unordered_source, 0), TEE(BRANCH(border, plain(&slow), listens(1)), BRANCH(second, listens(2))),
        listens(3));
    check_done();
    for (int k = 1; k <= 3; k++) check_heard(k, text_of(&expected));
    ck_assert_uint_eq(r.stage[1].events_in, MANY * EACH);
    RUN(MERGE(BRANCH(source_of(&file_source, 0), TEE(BRANCH(border, listens(1))))), border, listens(2));
    check_done();
    check_heard(1, text_of(&expected));
    check_heard(2, text_of(&expected));
    text_free(&expected);
}
END_TEST

/* ---- Rows ---- */

static const tw_field columns[] = {
    { .name = "n", .kind = TW_I64 },
    { .name = "word", .kind = TW_TEXT, .flags = TW_NULLABLE },
    { .name = "numbers", .kind = TW_U32, .flags = TW_LIST },
    { .name = "words", .kind = TW_TEXT, .flags = TW_LIST },
};
static const tw_table things = { sizeof things, 4, "things", NULL, columns };
static const tw_table *const makes[] = { &things, NULL };

static int make_rows(void *self, tw_batch *b)
{
    const tw_host *host = TW_HOST(self);
    tw_rows *rows = host->table(self, &things);

    for (uint32_t i = 0; i < b->n; i++) {
        char *word = host->cell(rows, 8);
        uint32_t *numbers = host->cell(rows, 2 * sizeof *numbers), row = rows->n++;
        tw_text *words = host->cell(rows, sizeof *words);
        int n = snprintf(word, 8, "%d", (int)b->event[i].time);
        numbers[0] = numbers[1] = (uint32_t)b->event[i].time;
        *words = (tw_text){ word, (uint32_t)n, 0 };
        ((int64_t *)rows->col[0])[row] = b->event[i].time;
        rows->null[1][row] = i % 2 == 1;
        ((tw_text *)rows->col[1])[row] = i % 2 ? (tw_text){ (const char *)1, 1, 0 } : *words;
        ((tw_list *)rows->col[2])[row] = (tw_list){ numbers, 2, 0 };
        ((tw_list *)rows->col[3])[row] = (tw_list){ words, 1, 0 };
    }
    return host->push(self, rows);
}

static const tw_stage makes_things = {
    .size = sizeof(tw_stage), .name = "maker", .state = sizeof(tw_self), .makes = makes, .events = make_rows
};

static text rows_seen;

static int read_rows(void *self, tw_rows *rows)
{
    (void)self;
    for (uint32_t i = 0; i < rows->n; i++) {
        const tw_text *word = &((tw_text *)rows->col[1])[i];
        const tw_list *numbers = &((tw_list *)rows->col[2])[i], *words = &((tw_list *)rows->col[3])[i];
        const tw_text *first = words->at;
        text_format(&rows_seen, "%d:%.*s:%u,%u:%.*s ", (int)((int64_t *)rows->col[0])[i],
                    rows->null[1][i] ? 0 : (int)word->bytes, rows->null[1][i] ? "" : word->at,
                    ((const uint32_t *)numbers->at)[0], ((const uint32_t *)numbers->at)[1], (int)first->bytes,
                    first->at);
    }
    rows->n = 0;
    return TW_OK;
}

static int read_table(void *self, const tw_table *t)
{
    (void)self;
    text_format(&rows_seen, "%s ", t->name);
    return TW_OK;
}

static int read_end(void *self)
{
    (void)self;
    text_put(&rows_seen, ".");
    return TW_OK;
}

static const tw_stage reads_things = { .size = sizeof(tw_stage),
                                       .name = "reader",
                                       .state = sizeof(tw_self),
                                       .table = read_table,
                                       .rows = read_rows,
                                       .end = read_end };

START_TEST(rows_come_over_with_all_they_point_to)
{
    text expected = { 0 };
    readings_of[0] = many_readings();
    text_put(&expected, "things ");
    for (int i = 0; i < MANY * EACH; i++) {
        if (i % 2)
            text_format(&expected, "%d::%d,%d:%d ", i, i, i, i);
        else
            text_format(&expected, "%d:%d:%d,%d:%d ", i, i, i, i, i);
    }
    text_put(&expected, ".");

    text_clear(&rows_seen);
    RUN(source_of(&file_source, 0), plain(&makes_things), border, plain(&reads_things));
    check_done();
    ck_assert_str_eq(text_of(&rows_seen), text_of(&expected));
    text_clear(&rows_seen);
    RUN(source_of(&file_source, 0), plain(&makes_things), TEE(BRANCH(border, plain(&slow), plain(&reads_things))),
        listens(0));
    check_done();
    ck_assert_str_eq(text_of(&rows_seen), text_of(&expected));
    text_free(&expected);
    text_free(&rows_seen);
}
END_TEST

/* ---- Stopping ---- */

START_TEST(enough_behind_a_border)
{
    setting stop[2], other[2], main_stop[2];
    readings_of[0] = many_readings();

    RUN(source_of(&file_source, 0), border, plain(&slow), listens_but(1, "end_after", 2, stop), listens(2));
    check_done();
    check_heard(1, "0@0 1@0 2@0 3@0 4@0 5@0 6@0 7@0 .");
    check_heard(2, "0@0 1@0 2@0 3@0 4@0 5@0 6@0 7@0 .");
    ck_assert_uint_lt(r.stage[0].events_out, 100);
    RUN(source_of(&file_source, 0),
        TEE(BRANCH(border, listens_but(1, "end_after", 1, stop)), BRANCH(listens_but(2, "end_after", 5, other))),
        listens_but(3, "end_after", 1, main_stop));
    check_done();
    check_heard(1, "0@0 1@0 2@0 3@0 .");
    check_heard(3, "0@0 1@0 2@0 3@0 .");
    ck_assert_uint_eq(r.stage[2].events_in, 20);
}
END_TEST

START_TEST(failures_stop_both_sides)
{
    static const char *const cases[] = { "events:fail", "end:fail", "events:misuse", "tick:fail" };
    readings_of[0] = many_readings();
    readings_of[1] = (const reading[]){ { 0, { 0 }, { 0 }, UNTIL_MAY_GO, 0 } }; /* for ever */

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting set[2];
        int number = strcmp(cases[i], "tick:fail") == 0;
        RUN(source_of(&live_source, number), border, returning(&sees_all, set, 0, &cases[i]), listens(2));
        check_failed(i == 2 ? 2 : 1, i == 0   ? "test: probe: no more events"
                                     : i == 1 ? "test: probe: no more end"
                                     : i == 2 ? "test: probe: not so"
                                              : "test: probe: no more tick");
        RUN(source_of(&file_source, 0), TEE(BRANCH(border, listens(1)), BRANCH(border, plain(&slow), listens(3))),
            returning(&sees_all, set, 0, &cases[i]));
        if (number) continue; /* the file has always something */
        ck_assert_int_ne(r.status, 0);
    }
}
END_TEST

static atomic_int asked;

static int stop_soon(void *context)
{
    (void)context;
    return ++asked > 20;
}

START_TEST(interrupted_on_all_threads)
{
    const bus_options o = { .quiet = 1, .stop = stop_soon };
    const spec chain[] = { source_of(&file_source, 0), border, plain(&slow), listens(1) };
    readings_of[0] = many_readings();

    asked = 0;
    run_with(&o, NULL, chain, 4);
    check_failed(1, "test: interrupted");
    ck_assert_int_eq(r.interrupted, 1);
    ck_assert_uint_lt(r.stage[0].events_out, 100);
    ck_assert_ptr_nonnull(strchr(text_of(&heard[1]), '.')); /* it was ended in good order */
}
END_TEST

START_TEST(ticks_behind_a_border)
{
    static const reading waits[] = {
        { 0, { 0 }, { 0 }, TW_AGAIN, 0 }, { 0, { 0 }, { 0 }, TW_AGAIN, 0 }, { 0, { 0 }, { 0 }, TW_AGAIN, 0 },
        { 0, { 0 }, { 0 }, TW_AGAIN, 0 }, { 0, { 0 }, { 0 }, TW_AGAIN, 0 }, { 0, { 0 }, { 0 }, TW_END, 0 },
    };
    readings_of[0] = waits;

    RUN(source_of(&live_source, 0), listens(0), border, TEE(BRANCH(listens(1))), listens(2));
    check_done();
    ck_assert_int_eq(ticks[0], 5);
    ck_assert_int_gt(ticks[1], 0);
    ck_assert_int_eq(ticks[1], ticks[2]);
}
END_TEST

/* ---- What belongs to one thread ---- */

static int offer_it(void *self)
{
    static const int it = 1;
    return TW_HOST(self)->offer(self, "tw.it/1", &it);
}

static int ask_for_it(void *self)
{
    NOTE("%d ", TW_HOST(self)->extension(self, "tw.it/1") != NULL);
    return TW_OK;
}

static int pass(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_OK;
}

static const tw_stage offers = {
    .size = sizeof(tw_stage), .name = "world", .state = sizeof(tw_self), .open = offer_it, .events = pass
};
static const tw_stage asks = {
    .size = sizeof(tw_stage), .name = "asker", .state = sizeof(tw_self), .open = ask_for_it, .events = pass
};

START_TEST(services_stay_on_one_thread)
{
    readings_of[0] = (const reading[]){ { 0, { 0 }, { 0 }, TW_END, 0 } };

    RUN(source_of(&file_source, 0), border, plain(&offers), plain(&asks), TEE(BRANCH(plain(&asks))));
    check_done();
    check_journal("1 1 ");
    RUN(source_of(&file_source, 0), plain(&offers), border, plain(&offers), plain(&asks)); /* the nearest is near */
    check_done();
    RUN(source_of(&file_source, 0), TEE(BRANCH(border, plain(&offers))), plain(&asks)); /* not on its way */
    check_done();
    check_journal("0 ");
    RUN(source_of(&file_source, 0), plain(&offers), TEE(BRANCH(border, plain(&asks))));
    check_failed(
        2, "test: asker: it uses what world offers as 'tw.it/1', but stands behind a `thread`; a service is used "
           "on one thread only, so put `thread` before world or behind asker");
}
END_TEST

static int runs_lua(void *self)
{
    ck_assert_ptr_null(bus_script(self));
    return TW_OK;
}

START_TEST(lua_stays_on_one_thread)
{
    static const tw_stage lua = {
        .size = sizeof(tw_stage), .name = "lua", .state = sizeof(tw_self), .open = runs_lua, .events = pass
    };
    readings_of[0] = (const reading[]){ { 0, { 0 }, { 0 }, TW_END, 0 } };

    RUN(source_of(&file_source, 0), border, plain(&lua), plain(&lua));
    check_done();
    RUN(source_of(&file_source, 0), plain(&lua), border, plain(&lua));
    check_failed(2, "test: lua: it runs Lua, as lua does on the other side of a `thread`; a pipeline runs Lua on one "
                    "thread only, so put both on the same side");
}
END_TEST

/* ---- shed ---- */

static atomic_int held_up, there; /* the stage behind the border waits until the first is 0; it has begun to */

static int waits_there(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    there = 1;
    while (held_up) os_sleep(100000);
    return TW_OK;
}

/* Goes on to the second reading when the first is over there; lets the other thread go on before the last but one. */
static int read_and_release(void *self, tw_batch *b)
{
    uint32_t at = ((numbered *)self)->at;

    while (at == 1 && !there) os_sleep(100000);
    if (at == 14) {
        held_up = 0;
        os_sleep(200000000); /* it catches up */
    }
    return numbered_read(self, b);
}

START_TEST(shed_in_the_order_of_the_list)
{
    static const tw_stage waits = {
        .size = sizeof(tw_stage), .name = "waits", .state = sizeof(tw_self), .events = waits_there
    };
    static const tw_stage live = { .size = sizeof(tw_stage),
                                   .flags = TW_LIVE,
                                   .name = "live",
                                   .state = sizeof(numbered),
                                   .options = numbered_options,
                                   .read = read_and_release };
    static const char *const classes[] = { "Disk/Write", "File" };
    const setting set[] = { { "shed", classes, 2, 1 } }; /* size: 8 */
    const spec sheds = { .stage = "thread", .place = "", .set = set, .n = 1 };
    static reading list[16];
    text expected = { 0 };

    for (int i = 0; i < 16; i++)
        list[i] =
            (reading){ .n = 4, .time = { i, i, i, i }, .type = { 0, 1, 2, 3 }, .status = i < 15 ? TW_OK : TW_END };
    /* While the ring is full only what may be dropped comes, so nobody waits. */
    for (int i = 9; i < 14; i++) list[i] = (reading){ .n = 2, .time = { i, i }, .type = { 1, 2 }, .status = TW_OK };
    readings_of[0] = list;

    /* The first batch is taken out and waited with; 1 to 7 come into the ring, which is more than three quarters full
       then. So 8 loses the first class, the writes, and 9 and on both; 14 finds it empty again. */
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 4; k++)
            if (i < 8 || i > 13 || (i == 8 && k != 1)) text_format(&expected, "%d@0 ", i);
    text_put(&expected, ".");
    held_up = 1;
    there = 0;
    RUN(source_of(&live, 0), sheds, plain(&waits), listens(1));
    check_done();
    check_heard(1, text_of(&expected));
    ck_assert_uint_eq(counted("thread", "shed Disk/Write"), 6);
    ck_assert_uint_eq(counted("thread", "shed File"), 5);
    ck_assert_uint_eq(r.stage[1].events_in, 43);
    text_free(&expected);
    ck_assert_int_eq(r.status, 0); /* it was asked for */
}
END_TEST

START_TEST(shed_behind_live_sources_only)
{
    static const char *const classes[] = { "Disk/*" }, *const none = "0";
    const setting set[] = { { "shed", classes, 1, 1 } }, empty[] = { { NULL, &none, 1, 0 } };
    const spec sheds = { .stage = "thread", .place = "x.lua:4", .set = set, .n = 1 };
    const spec without_room = { .stage = "thread", .place = "x.lua:5", .set = empty, .n = 1 };
    static const char *const sentence =
        "x.lua:4: thread: 'shed' drops events where waiting would lose them anyway, which is so behind live sources "
        "only; without it nothing is dropped";
    readings_of[0] = readings_of[1] = (const reading[]){ { 0, { 0 }, { 0 }, TW_END, 0 } };

    RUN(source_of(&file_source, 0), sheds, listens(1));
    check_failed(2, sentence);
    RUN(MERGE(BRANCH(source_of(&live_source, 0)), BRANCH(source_of(&file_source, 1))), sheds, listens(1));
    check_failed(2, sentence);
    RUN(source_of(&live_source, 0), sheds, listens(1));
    check_done();
    RUN(source_of(&live_source, 0), without_room, listens(1));
    check_failed(2, "x.lua:5: thread: size is how many batches may wait, 1 to 65536, not 0");
}
END_TEST

/* ---- Types and texts, made on both sides at once ---- */

static int publish_some(void *self, tw_batch *b)
{
    static atomic_int number;
    char name[16];

    snprintf(name, sizeof name, "made%d", number++);
    tw_type t = { .size = sizeof t, .provider = "Made", .name = name };
    uint32_t id = TW_HOST(self)->publish(self, &t);
    ck_assert_uint_gt(id, 0);
    ck_assert_str_eq(((tw_self *)self)->type[id]->name, name);
    ck_assert_ptr_eq(TW_HOST(self)->intern(self, name, strlen(name)), ((tw_self *)self)->type[id]->name);
    b->event[0].type = id;
    return TW_OK;
}

START_TEST(types_from_several_threads)
{
    static const tw_stage publishes = {
        .size = sizeof(tw_stage), .name = "publishes", .state = sizeof(tw_self), .events = publish_some
    };
    static const char *const made[] = { "Made/*", NULL };
    static const tw_stage sees_made = {
        .size = sizeof(tw_stage), .name = "sees", .state = sizeof(tw_self), .wants = made, .events = pass
    };
    readings_of[0] = many_readings();

    RUN(source_of(&file_source, 0), TEE(BRANCH(border, plain(&publishes), plain(&sees_made))), plain(&publishes),
        plain(&sees_made), border, plain(&publishes), plain(&sees_made));
    check_done();
    for (uint32_t k = 2; k <= 6; k += 2) ck_assert_uint_eq(r.stage[k].batches, MANY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("border");
    TCase *t = tcase_create("border");

    tcase_add_checked_fixture(t, setup, forget_all);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, all_comes_over_in_order);
    tcase_add_test(t, rows_come_over_with_all_they_point_to);
    tcase_add_test(t, enough_behind_a_border);
    tcase_add_test(t, failures_stop_both_sides);
    tcase_add_test(t, interrupted_on_all_threads);
    tcase_add_test(t, ticks_behind_a_border);
    tcase_add_test(t, services_stay_on_one_thread);
    tcase_add_test(t, lua_stays_on_one_thread);
    tcase_add_test(t, shed_in_the_order_of_the_list);
    tcase_add_test(t, shed_behind_live_sources_only);
    tcase_add_test(t, types_from_several_threads);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
