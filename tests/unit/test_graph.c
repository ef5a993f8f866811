/* test_graph.c - pipelines beyond a line: sources that come together, ways that fork, services and previews on them. */
#include "graph_kit.h"
#include "os.h"

static int pass(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_OK;
}

static const tw_stage passes = {
    .size = sizeof(tw_stage), .name = "passes", .state = sizeof(tw_self), .events = pass
};

/* ---- merge ---- */

START_TEST(merged_by_time_then_by_source)
{
    readings_of[0] = (const reading[]){ { 2, { 1, 4 }, { 0, 0 }, TW_OK, 0 }, { 1, { 7 }, { 1 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 2, { 2, 4 }, { 0, 0 }, TW_OK, 0 }, { 2, { 4, 9 }, { 0, 0 }, TW_END, 0 } };
    readings_of[2] = (const reading[]){ { 0, { 0 }, { 0 }, TW_OK, 0 }, { 1, { 4 }, { 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&file_source, 1)), BRANCH(source_of(&file_source, 0)),
              BRANCH(source_of(&file_source, 2))),
        listens(0));
    check_done();
    check_heard(0, "1@1 2@0 4@0 4@0 4@1 4@2 7@1 9@0 .");
    ck_assert_uint_eq(r.stage[3].events_in, 8);
    ck_assert_uint_eq(counted("file", "out of order"), 0);
}
END_TEST

START_TEST(each_source_is_sorted_by_itself)
{
    readings_of[0] =
        (const reading[]){ { 3, { 3, 1, 2 }, { 0, 0, 0 }, TW_OK, 3 }, { 2, { 6, 4 }, { 0, 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 2, { 2, 5 }, { 0, 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&unordered_source, 0), listens(1)), BRANCH(source_of(&file_source, 1), listens(2))),
        listens(0));
    check_done();
    check_heard(1, "1@0 2@0 3@0 4@0 6@0 .");
    check_heard(2, "2@1 5@1 .");
    check_heard(0, "1@0 2@0 2@1 3@0 4@0 5@1 6@0 .");
}
END_TEST

START_TEST(what_a_branch_drops_and_when_it_ends)
{
    setting keep[2], stop[2];
    readings_of[0] = (const reading[]){ { 2, { 1, 4 }, { 0, 0 }, TW_OK, 0 }, { 1, { 7 }, { 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 1, { 2 }, { 0 }, TW_OK, 0 },
                                        { 1, { 3 }, { 0 }, TW_OK, 0 },
                                        { 1, { 5 }, { 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&file_source, 0), listens_but(1, "keep_below", 4, keep)),
              BRANCH(source_of(&file_source, 1), listens_but(2, "end_after", 2, stop))),
        listens(0));
    check_done();
    check_heard(1, "1@0 4@0 7@0 .");
    check_heard(2, "2@1 3@1 ."); /* its source is read no further, the other one is */
    check_heard(0, "1@0 2@1 3@1 .");
}
END_TEST

static int let_it_go(void *self, tw_batch *b)
{
    (void)self;
    for (uint32_t i = 0; i < b->n; i++) {
        NOTE("%" PRId64 "@%u ", b->event[i].time, (unsigned)b->event[i].source);
        may_go |= b->event[i].time == 20;
    }
    return TW_OK;
}

/* The silent source only goes on when events of the other one have come through; that takes a second. */
START_TEST(who_has_nothing_does_not_hold_up_the_others)
{
    static const tw_stage lets_go = {
        .size = sizeof(tw_stage), .name = "lets_go", .state = sizeof(tw_self), .events = let_it_go
    };
    readings_of[0] = (const reading[]){ { 1, { 1 }, { 0 }, TW_OK, 0 },
                                        { 2, { 2, 40 }, { 0, 0 }, UNTIL_MAY_GO, 0 },
                                        { 0, { 0 }, { 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 2, { 10, 20 }, { 0, 0 }, TW_OK, 0 },
                                        { 1, { 30 }, { 0 }, TW_OK, 0 },
                                        { 1, { 50 }, { 0 }, UNTIL_MAY_GO, 0 },
                                        { 0, { 0 }, { 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&live_source, 0)), BRANCH(source_of(&live_source, 1))), plain(&lets_go));
    check_done();
    /* 2 came too late and got the time of the last one: 20, or 30 where the other one was silent for so long too */
    ck_assert_int_eq(strncmp(text_of(&journal), "1@0 10@1 20@1 ", 14), 0);
    ck_assert_str_eq(text_of(&journal) + journal.n - 10, "40@0 50@1 ");
    ck_assert_uint_eq(journal.n, strlen("1@0 10@1 20@1 20@0 30@1 40@0 50@1 "));
    ck_assert_uint_eq(counted("live", "out of order"), 1);
}
END_TEST

/* A source that only pauses is waited for, so nothing of it is late. */
START_TEST(who_pauses_is_waited_for)
{
    readings_of[0] = (const reading[]){ { 0, { 0 }, { 0 }, TW_AGAIN, 0 },
                                        { 0, { 0 }, { 0 }, TW_AGAIN, 0 },
                                        { 1, { 5 }, { 0 }, TW_AGAIN, 0 },
                                        { 0, { 0 }, { 0 }, TW_AGAIN, 0 },
                                        { 1, { 15 }, { 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 1, { 10 }, { 0 }, TW_OK, 0 }, { 1, { 20 }, { 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&live_source, 0)), BRANCH(source_of(&live_source, 1))), listens(0));
    check_done();
    check_heard(0, "5@0 10@1 15@0 20@1 .");
    ck_assert_uint_eq(counted("live", "out of order"), 0);
}
END_TEST

static uint32_t flooded, flooded_meanwhile; /* events given; when the silent source came back */

static int flood(void *self, tw_batch *b)
{
    (void)self;
    for (; b->n < b->cap; b->n++) b->event[b->n] = (tw_event){ .time = ++flooded };
    return flooded < 1000000 ? TW_OK : TW_END;
}

static int be_silent(void *self, tw_batch *b)
{
    static int64_t begin;

    (void)self;
    (void)b;
    if (!begin) begin = os_monotonic();
    if (os_monotonic() - begin < 300000000) return TW_AGAIN;
    flooded_meanwhile = flooded;
    return TW_END;
}

/* While one is waited for, the others are read ahead, but not without end. */
START_TEST(what_is_held_is_bounded)
{
    static const tw_stage floods = {
        .size = sizeof(tw_stage), .name = "floods", .state = sizeof(tw_self), .read = flood
    };
    static const tw_stage silent = {
        .size = sizeof(tw_stage), .name = "silent", .state = sizeof(tw_self), .read = be_silent
    };
    RUN(MERGE(BRANCH(plain(&silent)), BRANCH(plain(&floods))), plain(&passes));
    check_done();
    ck_assert_uint_ge(flooded_meanwhile, 1024);
    ck_assert_uint_le(flooded_meanwhile, 65536 + 512);
    ck_assert_uint_eq(r.stage[2].events_in, flooded);
}
END_TEST

/* ---- What belongs to one source ---- */

static int look_outside(void *self, tw_batch *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        tw_value v;
        tw_clock c;
        ck_assert_int_eq(TW_HOST(self)->extra(self, &b->event[i], 5, 0, &v), TW_OK);
        ck_assert_int_eq(TW_HOST(self)->clock(self, &b->event[i], &c), TW_OK);
        NOTE("%u:%u,%" PRId64 ",%" PRId64 " ", (unsigned)b->event[i].source, (unsigned)v.u, c.begin,
             bus_begin(self, &b->event[i]));
        b->event[i].source = 2; /* there is no such source */
        ck_assert_int_eq(TW_HOST(self)->extra(self, &b->event[i], 5, 0, &v), TW_END);
        ck_assert_int_eq(TW_HOST(self)->clock(self, &b->event[i], &c), TW_END);
        ck_assert_int_eq(bus_begin(self, &b->event[i]), b->event[i].time);
    }
    return TW_OK;
}

START_TEST(extras_come_from_the_event_s_source)
{
    static const tw_stage looks = {
        .size = sizeof(tw_stage), .name = "looks", .state = sizeof(tw_self), .events = look_outside
    };
    readings_of[0] = (const reading[]){ { 1, { 1 }, { 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 1, { 2 }, { 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&file_source, 0)), BRANCH(source_of(&file_source, 1))), plain(&looks));
    check_done();
    check_journal("0:50,1000,1000 1:51,1001,1001 ");
}
END_TEST

/* ---- tee ---- */

static int spoil(void *self, tw_batch *b)
{
    (void)self;
    for (uint32_t i = 0; i < b->n; i++) b->event[i] = (tw_event){ .time = 9 };
    b->n--;
    return TW_OK;
}

START_TEST(a_branch_has_its_own_headers)
{
    static const tw_stage spoils = {
        .size = sizeof(tw_stage), .name = "spoils", .state = sizeof(tw_self), .events = spoil
    };
    setting keep[2], keep_main[2];
    readings_of[0] = (const reading[]){ { 3, { 1, 2, 3 }, { 0, 0, 0 }, TW_OK, 0 }, { 1, { 4 }, { 0 }, TW_END, 0 } };

    RUN(source_of(&file_source, 0), listens(0),
        TEE(BRANCH(plain(&spoils)), BRANCH(listens_but(1, "keep_below", 2, keep), listens(2)), BRANCH(listens(3))),
        listens_but(4, "keep_below", 3, keep_main), TEE(BRANCH(listens(5))));
    check_done();
    check_heard(0, "1@0 2@0 3@0 4@0 .");
    check_heard(1, "1@0 2@0 3@0 4@0 .");
    check_heard(2, "1@0 .");
    check_heard(3, "1@0 2@0 3@0 4@0 .");
    check_heard(4, "1@0 2@0 3@0 4@0 .");
    check_heard(5, "1@0 2@0 ."); /* what the main chain left */
}
END_TEST

static const reading five[] = { { 1, { 1 }, { 0 }, TW_OK, 0 },
                                { 1, { 2 }, { 0 }, TW_OK, 0 },
                                { 1, { 3 }, { 0 }, TW_OK, 0 },
                                { 1, { 4 }, { 0 }, TW_OK, 0 },
                                { 1, { 5 }, { 0 }, TW_END, 0 } };

START_TEST(enough_of_a_branch)
{
    setting one[2], two[2], three[2], four[2];
    readings_of[0] = five;

    /* Each way ends by itself; the source is read until the last has had enough. */
    RUN(source_of(&file_source, 0), listens(0),
        TEE(BRANCH(listens_but(1, "end_after", 1, one)), BRANCH(listens_but(2, "end_after", 3, two))), listens(3),
        listens_but(4, "end_after", 2, three));
    check_done();
    check_heard(0, "1@0 2@0 3@0 .");
    check_heard(1, "1@0 .");
    check_heard(2, "1@0 2@0 3@0 .");
    check_heard(3, "1@0 2@0 .");
    check_heard(4, "1@0 2@0 .");
    ck_assert_uint_eq(r.stage[0].events_out, 3);

    /* Who has had enough before a tee has had it for all behind. */
    RUN(source_of(&file_source, 0), listens_but(0, "end_after", 2, four),
        TEE(BRANCH(listens(1)), BRANCH(listens(2))));
    check_heard(1, "1@0 2@0 .");
    check_heard(2, "1@0 2@0 .");
    ck_assert_uint_eq(r.stage[0].events_out, 2);

    /* A tee in a branch: it lives as long as the longest of its ways. */
    RUN(source_of(&file_source, 0),
        TEE(BRANCH(TEE(BRANCH(listens_but(1, "end_after", 4, one))), listens_but(2, "end_after", 1, two))),
        listens_but(3, "end_after", 2, three));
    check_heard(1, "1@0 2@0 3@0 4@0 .");
    check_heard(2, "1@0 .");
    check_heard(3, "1@0 2@0 .");
    ck_assert_uint_eq(r.stage[0].events_out, 4);
}
END_TEST

/* ---- Rows ---- */

static const tw_field columns[] = { { .name = "n", .kind = TW_I64 }, { .name = "word", .kind = TW_TEXT } };
static const tw_table made = { sizeof made, 2, "made", NULL, columns };
static const tw_table unmade = { sizeof unmade, 2, "unmade", NULL, columns };
static const tw_table *const makes[] = { &made, &unmade, NULL };

static int make_row(void *self, tw_batch *b)
{
    tw_rows *rows = TW_HOST(self)->table(self, &made);

    TW_HOST(self)->table(self, &unmade);
    for (uint32_t i = 0; i < b->n; i++) {
        char *word = TW_HOST(self)->cell(rows, 4);
        memcpy(word, "word", 4);
        ((int64_t *)rows->col[0])[rows->n] = b->event[i].time;
        ((tw_text *)rows->col[1])[rows->n++] = (tw_text){ word, 4, 0 };
    }
    return TW_HOST(self)->push(self, rows);
}

static const tw_stage makes_rows_here = {
    .size = sizeof(tw_stage),
    .name = "maker",
    .state = sizeof(tw_self),
    .makes = makes,
    .events = make_row,
};

static int use_up(void *self, tw_rows *rows)
{
    (void)self;
    ((int64_t *)rows->col[0])[0] = -1;
    rows->n = 0;
    return TW_OK;
}

static int note_rows(void *self, tw_rows *rows)
{
    (void)self;
    for (uint32_t i = 0; i < rows->n; i++) {
        const tw_text *word = &((tw_text *)rows->col[1])[i];
        NOTE("%" PRId64 "=%.*s ", ((int64_t *)rows->col[0])[i], (int)word->bytes, word->at);
    }
    return TW_OK;
}

static int note_table(void *self, const tw_table *t)
{
    (void)self;
    NOTE("table:%s ", t->name);
    return TW_OK;
}

START_TEST(rows_fork_and_join_too)
{
    static const tw_stage uses_up = {
        .size = sizeof(tw_stage), .name = "uses_up", .state = sizeof(tw_self), .rows = use_up
    };
    static const tw_stage notes = {
        .size = sizeof(tw_stage), .name = "notes", .state = sizeof(tw_self), .rows = note_rows, .table = note_table
    };
    readings_of[0] = (const reading[]){ { 2, { 1, 2 }, { 0, 0 }, TW_OK, 0 }, { 1, { 3 }, { 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 1, { 9 }, { 0 }, TW_END, 0 } };

    RUN(source_of(&file_source, 0), plain(&makes_rows_here),
        TEE(BRANCH(plain(&uses_up), listens(1)), BRANCH(plain(&notes), listens(2))), listens(0));
    check_done();
    check_heard(1, "1@0 2@0 3@0 .");
    check_heard(2, "made(2) 1@0 2@0 made(1) 3@0 .");
    check_heard(0, "made(2) 1@0 2@0 made(1) 3@0 .");
    check_journal("table:made 1=word 2=word 3=word table:unmade ");

    RUN(MERGE(BRANCH(source_of(&file_source, 0), plain(&makes_rows_here), listens(1)),
              BRANCH(source_of(&file_source, 1), listens(2))),
        plain(&notes));
    check_done();
    check_heard(1, "made(2) 1@0 2@0 made(1) 3@0 .");
    check_heard(2, "9@1 .");
    check_journal("table:made 1=word 2=word 3=word table:unmade ");
}
END_TEST

/* ---- Who wants what, and when nothing moves ---- */

static int ask_wanted(void *self, tw_batch *b)
{
    for (uint32_t k = 0; k < KINDS; k++) NOTE("%s:%d ", kinds[k], TW_HOST(self)->wanted(self, id_of(self, k)));
    return numbered_read(self, b);
}

static const char *const writes_only[] = { "Disk/Write", NULL };
static const char *const reads_only[] = { "Disk/Read", NULL };
static const char *const files_only[] = { "File/*", NULL };

#define WANTS(list)                                                                                                  \
    {                                                                                                                \
        .size = sizeof(tw_stage), .name = "picky", .state = sizeof(tw_self), .wants = list, .events = pass           \
    }

START_TEST(wanted_on_any_way)
{
    static const tw_stage asks = { .size = sizeof(tw_stage),
                                   .name = "asks",
                                   .state = sizeof(numbered),
                                   .options = numbered_options,
                                   .read = ask_wanted };
    static const tw_stage reads = WANTS(reads_only), writes = WANTS(writes_only), files = WANTS(files_only);
    readings_of[0] = (const reading[]){ { 0, { 0 }, { 0 }, TW_END, 0 } };

    RUN(source_of(&asks, 0), TEE(BRANCH(plain(&reads)), BRANCH(TEE(BRANCH(plain(&writes))), plain(&reads))));
    check_journal("Disk/Read:1 Disk/Write:1 File/Read:0 Odd/One:0 ");
    RUN(MERGE(BRANCH(source_of(&asks, 0), plain(&reads)), BRANCH(source_of(&file_source, 0), plain(&writes))),
        plain(&files));
    check_journal("Disk/Read:1 Disk/Write:0 File/Read:1 Odd/One:0 "); /* nothing of the other branch */
}
END_TEST

START_TEST(ticks_on_all_ways)
{
    readings_of[0] = (const reading[]){ { 0, { 0 }, { 0 }, TW_AGAIN, 0 }, { 0, { 0 }, { 0 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 0, { 0 }, { 0 }, TW_AGAIN, 0 }, { 0, { 0 }, { 0 }, TW_END, 0 } };

    RUN(MERGE(BRANCH(source_of(&live_source, 0), listens(0)), BRANCH(source_of(&live_source, 1))),
        TEE(BRANCH(listens(1))), listens(2));
    check_done();
    for (int k = 0; k < 3; k++) ck_assert_int_eq(ticks[k], 1);
    readings_of[1] = five; /* the other source moves */
    RUN(MERGE(BRANCH(source_of(&live_source, 0), listens(0)), BRANCH(source_of(&live_source, 1))), listens(2));
    ck_assert_int_eq(ticks[0], 1);
}
END_TEST

/* ---- Services ---- */

typedef struct server {
    tw_self tw;
    int64_t number;
} server;

static const tw_option server_options[] = { TW_OPTION(server, number, TW_OPT_INT, NULL, "what it offers"), { 0 } };

static int offer_number(void *self)
{
    return TW_HOST(self)->offer(self, "tw.number/1", &((server *)self)->number);
}

static int ask_number(void *self)
{
    const int64_t *found = TW_HOST(self)->extension(self, "tw.number/1");

    NOTE("%d ", found ? (int)*found : -1);
    return TW_OK;
}

static const tw_stage offers = { .size = sizeof(tw_stage),
                                 .name = "offers",
                                 .state = sizeof(server),
                                 .options = server_options,
                                 .open = offer_number,
                                 .events = pass };
static const tw_stage asks_number = {
    .size = sizeof(tw_stage), .name = "asks", .state = sizeof(tw_self), .open = ask_number, .events = pass
};
#define OFFERS(n) with(&offers, &number_settings[n], 1)

START_TEST(services_on_the_way)
{
    readings_of[0] = readings_of[1] = (const reading[]){ { 0, { 0 }, { 0 }, TW_END, 0 } };

    /* nearest earlier; offered again; in branches, but not out of them */
    RUN(source_of(&file_source, 0), plain(&asks_number), OFFERS(1), plain(&asks_number),
        TEE(BRANCH(plain(&asks_number), OFFERS(2), plain(&asks_number)), BRANCH(plain(&asks_number))),
        plain(&asks_number), OFFERS(3), plain(&asks_number));
    check_done();
    check_journal("-1 1 1 2 1 1 3 ");
    /* sources' branches: to what is behind the merge, the last one written first, but not to one another */
    RUN(MERGE(BRANCH(source_of(&file_source, 0), OFFERS(4), plain(&asks_number)),
              BRANCH(source_of(&file_source, 1), plain(&asks_number))),
        plain(&asks_number));
    check_journal("4 -1 4 ");
}
END_TEST

/* ---- Preview ---- */

typedef struct foresight {
    tw_self tw;
    int64_t last_rundown; /* what the preview learned, the main pass must know from the beginning */
} foresight;

static int foresee(void *self, tw_batch *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->event[i].type == id_of(self, 1)) ((foresight *)self)->last_rundown = b->event[i].time;
        NOTE("p%" PRId64 "@%u ", b->event[i].time, (unsigned)b->event[i].source);
    }
    return TW_OK;
}

static int use_foresight(void *self, tw_batch *b)
{
    foresight *f = self;

    for (uint32_t i = 0; i < b->n; i++)
        NOTE("%u:%" PRId64 "<%" PRId64 " ", (unsigned)f->tw.previewed, b->event[i].time, f->last_rundown);
    return TW_OK;
}

static const tw_stage foresees = {
    .size = sizeof(tw_stage),
    .name = "foresees",
    .state = sizeof(foresight),
    .preview_wants = writes_only,
    .preview = foresee,
    .events = use_foresight,
};

START_TEST(a_preview_of_several_sources)
{
    setting keep[2];
    readings_of[0] = (const reading[]){ { 2, { 1, 4 }, { 0, 1 }, TW_END, 0 } };
    readings_of[1] = (const reading[]){ { 2, { 2, 3 }, { 1, 0 }, TW_OK, 0 }, { 1, { 8 }, { 1 }, TW_END, 0 } };

    /* before any filter, and in time order: the rundown at the very end is known at the first event */
    RUN(MERGE(BRANCH(source_of(&file_source, 0)), BRANCH(source_of(&file_source, 1))),
        listens_but(0, "keep_below", 4, keep), plain(&foresees));
    check_done();
    ck_assert_ptr_nonnull(strstr(text_of(&journal), "p8@1 rewind0 rewind1 1:1<8 1:2<8 1:3<8 "));
    ck_assert_int_eq(strncmp(text_of(&journal), "p1@0 p2@1 p3@1 p4@0 p8@1 ", 25), 0);
    check_heard(0, "1@0 2@1 3@1 4@0 8@1 ."); /* once */
    ck_assert_uint_eq(r.stage[0].events_out, 2);

    /* a live source cannot be read twice, so nobody is shown anything */
    RUN(MERGE(BRANCH(source_of(&file_source, 0)), BRANCH(source_of(&live_source, 1))), plain(&foresees));
    check_done();
    check_journal("0:1<0 0:2<0 0:3<0 0:4<0 0:8<0 ");

    /* in branches of both kinds; of a merge, a branch sees its own source only */
    RUN(MERGE(BRANCH(source_of(&file_source, 0), plain(&foresees)), BRANCH(source_of(&file_source, 1))),
        TEE(BRANCH(plain(&foresees))));
    check_done();
    ck_assert_int_eq(strncmp(text_of(&journal), "p1@0 p4@0 p1@0 p2@1 p3@1 p4@0 p8@1 rewind0 rewind1 ", 49), 0);
}
END_TEST

/* ---- Shapes ---- */

START_TEST(shapes)
{
    static const char *const no_source =
        "it is no source, but comes first; a pipeline begins with a source, such as etl.read";
    static const char *const nothing = "x";
    static const setting surplus[] = { { "colour", &nothing, 1, 0 } };
    const spec source = source_of(&file_source, 0), ear = listens(0);
    const spec coloured = { .stage = "thread", .place = "x.lua:3", .set = surplus, .n = 1 };
    const spec border = { .stage = "thread", .place = "" };
    readings_of[0] = (const reading[]){ { 0, { 0 }, { 0 }, TW_END, 0 } };
    text expected = { 0 };

    RUN(TEE(BRANCH(ear)));
    text_format(&expected, "test: tee: %s", no_source);
    check_failed(2, text_of(&expected));
    text_clear(&expected);
    RUN(border, ear);
    text_format(&expected, "test: thread: %s", no_source);
    check_failed(2, text_of(&expected));
    text_free(&expected);
    RUN(source, branches("tee", NULL, 0));
    check_failed(2,
                 "test: tee: it has no branches; write tee { { csv.write \"a.csv\" }, { json.write \"a.json\" } }");
    RUN(branches("merge", NULL, 0));
    check_failed(2, "test: merge: it has no branches; write merge { etl.read \"a.etl\", etl.read \"b.etl\" }");
    RUN(source, TEE(BRANCH(ear), { .name = "" }));
    check_failed(2, "test: tee: one of its branches has no stages");
    RUN(source, TEE(BRANCH(ear, source)));
    check_failed(2, "test: file: it is a source, so it can only come first");
    RUN(source, TEE(BRANCH(source)));
    check_failed(2, "test: file: it is a source, so it can only come first");
    RUN(MERGE(BRANCH(ear)));
    check_failed(2,
                 "test: listener: it is no source, but comes first in a branch of merge; each of them begins with a "
                 "source, such as etl.read");
    RUN(MERGE(BRANCH(MERGE(BRANCH(source)))));
    check_failed(2, "test: merge: it is no source, but comes first in a branch of merge; each of them begins with a "
                    "source, such as etl.read");
    RUN(source, MERGE(BRANCH(source)));
    check_failed(2, "test: merge: it brings sources together, so it can only come first");
    RUN(MERGE(BRANCH(source, border, ear)), ear);
    check_failed(2, "test: thread: it cannot stand in a branch of merge; put it behind the merge");
    RUN(source, border);
    check_failed(2, "test: thread: nothing comes behind it, so there is nothing to do on another thread");
    RUN(source, coloured, ear);
    check_failed(2, "x.lua:3: thread: no option 'colour'; its options are size, shed");
    check_heard(0, "");
}
END_TEST

START_TEST(failures_in_branches)
{
    static const char *const fails = "events:fail";
    setting set[2];
    readings_of[0] = readings_of[1] = five;

    RUN(source_of(&file_source, 0), TEE(BRANCH(listens(1)), BRANCH(returning(&sees_all, set, 0, &fails))),
        listens(2));
    check_failed(1, "test: probe: no more events");
    check_heard(1, "1@0 ");
    check_heard(2, "");
    RUN(MERGE(BRANCH(source_of(&file_source, 0), returning(&sees_all, set, 0, &fails)),
              BRANCH(source_of(&file_source, 1))),
        listens(2));
    check_failed(1, "test: probe: no more events");
    check_heard(2, "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("graph");
    TCase *t = tcase_create("graph");

    tcase_add_checked_fixture(t, setup, forget_all);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, merged_by_time_then_by_source);
    tcase_add_test(t, each_source_is_sorted_by_itself);
    tcase_add_test(t, what_a_branch_drops_and_when_it_ends);
    tcase_add_test(t, who_has_nothing_does_not_hold_up_the_others);
    tcase_add_test(t, who_pauses_is_waited_for);
    tcase_add_test(t, what_is_held_is_bounded);
    tcase_add_test(t, extras_come_from_the_event_s_source);
    tcase_add_test(t, a_branch_has_its_own_headers);
    tcase_add_test(t, enough_of_a_branch);
    tcase_add_test(t, rows_fork_and_join_too);
    tcase_add_test(t, wanted_on_any_way);
    tcase_add_test(t, ticks_on_all_ways);
    tcase_add_test(t, services_on_the_way);
    tcase_add_test(t, a_preview_of_several_sources);
    tcase_add_test(t, shapes);
    tcase_add_test(t, failures_in_branches);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
