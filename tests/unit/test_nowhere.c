/* test_nowhere.c - what the host says of its own accord at the end of a run: results that nobody took, and inputs that
   could not be read to their end. */
#define _XOPEN_SOURCE 700
#include "bus_kit.h"

#include <unistd.h>

#include "stock.h"

/* ---- What is written to standard error ---- */

static char said[4096];

static void listen(const bus_options *o, const spec *chain, uint32_t n)
{
    static const reading readings[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 1, { 2 }, { 1 }, TW_END, 0 } };
    FILE *file = tmpfile();
    int before = dup(2);

    ck_assert_ptr_nonnull(file);
    fflush(stderr);
    ck_assert_int_eq(dup2(fileno(file), 2), 2);
    run_with(o, readings, chain, n);
    fflush(stderr);
    dup2(before, 2);
    close(before);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = 0;
    fclose(file);
}

static void check_said(const spec *chain, uint32_t n, const char *expected)
{
    static const bus_options quiet = { .quiet = 1 };

    listen(&quiet, chain, n);
    ck_assert_str_eq(text_of(&r.error), "");
    ck_assert_int_eq(r.status, 0);
    ck_assert_str_eq(said, expected);
}

/* ---- Results ---- */

static const tw_field number[] = { { .name = "n", .kind = TW_U32 } };
static const tw_table one = { sizeof one, 1, "one", NULL, number }, two = { sizeof two, 1, "two", NULL, number };

static int make(void *self, const tw_table *t, uint32_t n)
{
    tw_rows *rows = TW_HOST(self)->table(self, t);
    for (uint32_t i = 0; i < n; i++) ((uint32_t *)rows->col[0])[rows->n++] = i;
    return TW_HOST(self)->push(self, rows) == TW_ERROR ? TW_ERROR : TW_OK;
}

static int both_end(void *self)
{
    return make(self, &one, 2) == TW_OK ? make(self, &two, 1) : TW_ERROR;
}

static int second_end(void *self)
{
    return make(self, &one, 0) == TW_OK ? make(self, &two, 1) : TW_ERROR;
}

static int keep_all(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_OK;
}

static const tw_stage makes_both = {
    .size = sizeof(tw_stage), .name = "both", .state = sizeof(tw_self), .events = keep_all, .end = both_end
};
static const tw_stage makes_second = {
    .size = sizeof(tw_stage), .name = "second", .state = sizeof(tw_self), .events = keep_all, .end = second_end
};
static const tw_stage looks = {
    .size = sizeof(tw_stage), .name = "looks", .state = sizeof(tw_self), .events = keep_all
};

static const char *const ten = "10";
static const setting limited[] = { { "n", &ten, 1, 0 } };

START_TEST(rows_that_nobody_reads)
{
    const spec none[] = { plain(&source_stage), plain(&makes_both) };
    const spec all[] = { plain(&source_stage), plain(&makes_both), probe_spec(&sees_rows, 0) };
    const spec some[] = { plain(&source_stage), plain(&makes_both), probe_spec(&sees_one, 0) };
    const spec other[] = { plain(&source_stage), plain(&makes_second), probe_spec(&sees_one, 0) };
    const spec before[] = { plain(&source_stage), probe_spec(&sees_rows, 0), plain(&makes_both) };
    const spec swallowed[] = { plain(&source_stage), plain(&makes_both), plain(&null_stage) };
    const spec limit[] = { plain(&source_stage), plain(&makes_both), with(&limit_stage, limited, 1) };

    check_said(none, 2, "both: the rows of 'one' went nowhere: end the pipeline with a sink, such as text.grid {}\n");
    check_said(all, 3, "");
    check_said(some, 3, ""); /* who reads one of a stage's tables may leave the others */
    check_said(other, 3,
               "second: the rows of 'two' went nowhere: end the pipeline with a sink, such as text.grid {}\n");
    check_said(before, 3,
               "both: the rows of 'one' went nowhere: end the pipeline with a sink, such as text.grid {}\n");
    check_said(swallowed, 3, "");
    check_said(limit, 3,
               "both: the rows of 'one' went nowhere: end the pipeline with a sink, such as text.grid {}\n");
}
END_TEST

START_TEST(rows_behind_forks)
{
    const spec reads[] = { probe_spec(&sees_rows, 0) }, makes[] = { plain(&makes_both) };
    const spec looking[] = { plain(&looks) }, from[] = { plain(&source_stage), plain(&makes_both) };
    const plan there[] = { { "", looking, 1 }, { "", reads, 1 } }, beside[] = { { "", makes, 1 }, { "", reads, 1 } };
    const plan sources[] = { { "", from, 2 } };
    const spec into[] = { plain(&source_stage),
                          plain(&makes_both),
                          { .stage = "tee", .place = "", .branch = there, .nbranches = 2 } };
    const spec across[] = { plain(&source_stage), { .stage = "tee", .place = "", .branch = beside, .nbranches = 2 } };
    const spec joined[] = { { .stage = "merge", .place = "", .branch = sources, .nbranches = 1 },
                            probe_spec(&sees_rows, 0) };

    check_said(into, 3, "");
    check_said(across, 2,
               "both: the rows of 'one' went nowhere: end the pipeline with a sink, such as text.grid {}\n");
    check_said(joined, 2, "");
}
END_TEST

START_TEST(events_that_nobody_looks_at)
{
    static const char sentence[] =
        "source: its events went nowhere: put a stage behind it that makes something of them, such as "
        "count { \"name\" }, text.grid {}; or null {} to say that this is meant\n";
    const spec alone[] = { plain(&source_stage) };
    const spec limit[] = { plain(&source_stage), with(&limit_stage, limited, 1) };
    const spec looked[] = { plain(&source_stage), plain(&looks), with(&limit_stage, limited, 1) };
    const spec swallowed[] = { plain(&source_stage), plain(&null_stage) };

    check_said(alone, 1, sentence);
    check_said(limit, 2, sentence);
    check_said(looked, 3, "");
    check_said(swallowed, 2, "");
}
END_TEST

/* ---- Inputs ---- */

static const char *const path = "test_nowhere.zst.tmp";

typedef struct reader {
    tw_self tw;
    tw_input *in;
    int fails; /* what it says of it: 0 nothing, 1 less than the host knows */
} reader;

static int read_input(void *self, tw_batch *b)
{
    reader *s = self;
    uint8_t bytes[64];
    ptrdiff_t n;

    (void)b;
    while ((n = TW_HOST(self)->receive(s->in, bytes, sizeof bytes)) > 0) {}
    if (n < 0 && s->fails) return tw_fail(self, "there is nothing in it");
    return TW_END;
}

static const tw_option reader_options[] = { TW_OPTION(reader, in, TW_OPT_INPUT, NULL, "file"),
                                            TW_OPTION(reader, fails, TW_OPT_BOOL, "false", "says less"),
                                            { 0 } };
static const tw_stage reads_input = {
    .size = sizeof(tw_stage), .name = "reader", .state = sizeof(reader), .options = reader_options, .read = read_input
};

START_TEST(an_input_that_is_cut_off)
{
    static const char *const yes = "yes";
    static const uint8_t magic[] = { 0x28, 0xB5, 0x2F, 0xFD };
    static const char sentence[] = "test_nowhere.zst.tmp is cut off: the zstd frame ends early, at offset 4";
    static const bus_options quiet = { .quiet = 1 };
    const setting set[] = { { "in", &path, 1, 0 }, { "fails", &yes, 1, 0 } };
    const spec silent[] = { with(&reads_input, set, 1) }, wordy[] = { with(&reads_input, set, 2) };
    text line = { 0 };
    FILE *f = fopen(path, "wb");

    ck_assert_ptr_nonnull(f);
    fwrite(magic, 1, sizeof magic, f);
    fclose(f);

    listen(&quiet, silent, 1);
    ck_assert_int_eq(r.status, 3);
    ck_assert_str_eq(text_of(&r.error), "");
    ck_assert_uint_eq(counted("reader", "unreadable inputs"), 1);
    text_format(&line, "reader: %s\n", sentence);
    ck_assert_str_eq(said, text_of(&line));

    listen(&quiet, wordy, 1);
    ck_assert_int_eq(r.status, 1);
    text_clear(&line);
    text_format(&line, "test: reader: there is nothing in it; %s", sentence);
    ck_assert_str_eq(text_of(&r.error), text_of(&line));
    ck_assert_uint_eq(counted("reader", "unreadable inputs"), 1);
    ck_assert_str_eq(said, ""); /* it is in the error already */
    text_free(&line);
    remove(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nowhere");
    TCase *all = tcase_create("nowhere");
    SRunner *runner = srunner_create(suite);

    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, rows_that_nobody_reads);
    tcase_add_test(all, rows_behind_forks);
    tcase_add_test(all, events_that_nobody_looks_at);
    tcase_add_test(all, an_input_that_is_cut_off);
    suite_add_tcase(suite, all);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
