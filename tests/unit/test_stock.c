/* test_stock.c - the stages that are part of the host, each on a rig. */
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stock.h"
#include "text.h"
#include "tw_test.h"

/* ---- Helpers ---- */

static text logged;

static void keep_log(void *self, int severity, const char *format, ...)
{
    char line[512];
    va_list args;

    (void)self;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_format(&logged, "%d %s\n", severity, line);
}

static rig *opened(const tw_stage *stage, const char *options)
{
    rig *r = rig_new(stage, options);

    text_clear(&logged);
    rig_host(r)->log = keep_log;
    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    return r;
}

static void check_misuse(const tw_stage *stage, const char *options, const char *sentence)
{
    rig *r = rig_new(stage, options);
    ck_assert_int_eq(rig_open(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 2);
    ck_assert_str_eq(rig_error(r), sentence);
    rig_free(r);
}

static uint32_t publish(rig *r, const char *provider, const char *name, const tw_field *field, uint32_t n)
{
    return rig_publish(r, &(tw_type){ .size = sizeof(tw_type),
                                      .provider = provider,
                                      .name = name,
                                      .pointer = 8,
                                      .field = field,
                                      .nfields = n });
}

static uint32_t empty_type(rig *r, const char *provider, const char *name)
{
    return publish(r, provider, name, NULL, 0);
}

/* Events of one type, a ns apart, the first at `time`. */
static void make_events(rig *r, uint32_t type, int64_t time, int n)
{
    for (int i = 0; i < n; i++) rig_event(r, type, time + i, NULL, 0);
}

/* What came through, as times with blanks between. */
static const char *times_left(rig *r)
{
    static char out[512];
    const tw_event *left;
    uint32_t n = rig_left(r, &left);
    size_t at = 0;

    out[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s%lld", i ? " " : "", (long long)left[i].time);
    return out;
}

/* Rows of a table as sinks print them: cells of the named columns with | between, a line each. */
static const char *rows_text(rig *r, const char *table, const char *columns)
{
    static text out;

    text_clear(&out);
    for (uint32_t row = 0; row < rig_row_count(r, table); row++) {
        for (const char *at = columns; *at;) {
            size_t n = strcspn(at, " ");
            char name[64] = { 0 };
            memcpy(name, at, n);
            text_put(&out, rig_cell(r, table, row, name) ? rig_text(r, table, row, name) : "-");
            at += n + (at[n] == ' ');
            text_put(&out, *at ? "|" : "\n");
        }
    }
    return text_of(&out);
}

static const tw_field row_column[] = { { .name = "n", .kind = TW_U32 } };
static const tw_table first_table = { .size = sizeof(tw_table), .ncols = 1, .name = "first", .col = row_column };
static const tw_table second_table = { .size = sizeof(tw_table), .ncols = 1, .name = "second", .col = row_column };

static void make_rows(rig *r, const tw_table *t, uint32_t n)
{
    tw_rows *rows = rig_rows(r, t);
    for (uint32_t i = 0; i < n; i++) ((uint32_t *)rows->col[0])[rows->n++] = i;
}

/* ---- where ---- */

START_TEST(where_keeps_what_fits)
{
    static const tw_field size[] = { { .name = "TransferSize", .kind = TW_U32 } };
    rig *r = opened(&where_stage, "'expr=pid == 4 and TransferSize > 64*KiB'");
    uint32_t read = publish(r, "DiskIo", "Read", size, 1), other = empty_type(r, "Net", "Send");
    const uint32_t small = 65536, large = 65537;

    rig_event(r, read, 1, &large, 4)->pid = 4;
    rig_event(r, read, 2, &small, 4)->pid = 4;
    rig_event(r, other, 3, NULL, 0)->pid = 4;
    rig_event(r, read, 4, &large, 4)->pid = 5;
    rig_event(r, read, 5, &large, 4)->pid = 4;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "1 5");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged), "");
    rig_free(r);
}
END_TEST

/* Records that describe others go on, if one asks for it; whatever the condition says of them. */
START_TEST(where_lets_descriptions_through)
{
    static const struct {
        const char *options, *left;
    } runs[] = { { "'expr=pid == 4'", "2" }, { "'expr=pid == 4' describe=true", "1 2 4" } };
    tw_type t = { .size = sizeof t, .provider = "Schemas", .name = "Of", .flags = TW_DESCRIBES };

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        rig *r = opened(&where_stage, runs[i].options);
        uint32_t schema = rig_publish(r, &t), other = empty_type(r, "Net", "Send");

        rig_event(r, schema, 1, NULL, 0)->pid = 5;
        rig_event(r, other, 2, NULL, 0)->pid = 4;
        rig_event(r, other, 3, NULL, 0)->pid = 5;
        rig_event(r, schema, 4, NULL, 0)->pid = 6;
        ck_assert_int_eq(rig_feed(r), TW_OK);
        ck_assert_str_eq(times_left(r), runs[i].left);
        rig_free(r);
    }
}
END_TEST

START_TEST(where_says_what_is_wrong)
{
    check_misuse(&where_stage, "'expr=pid == 4 = 5'", "where: column 10: no operator '='; did you mean '=='?");
    check_misuse(&where_stage, "", "where: option 'expr' is missing; it needs a text");

    static const tw_field size[] = { { .name = "TransferSize", .kind = TW_U32 } };
    rig *r = opened(&where_stage, "'TransferSiz > 4'");
    rig_event(r, publish(r, "DiskIo", "Read", size, 1), 1, "abcd", 4);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged), "2 no event had a field 'TransferSiz'; did you mean 'TransferSize'?\n");
    rig_free(r);
}
END_TEST

/* A pattern that cannot decide: the event is dropped and counted. */
START_TEST(where_counts_patterns_that_give_up)
{
    static const tw_field name[] = { { .name = "Name", .kind = TW_TEXT, .bytes_by = TW_REST } };
    static char a[40];
    rig *r = opened(&where_stage, "'expr=Name matches \"^(a|aa)+[bc]\"'");
    uint32_t type = publish(r, "A", "A", name, 1);

    memset(a, 'a', sizeof a);
    for (int64_t i = 0; i < 5; i++) {
        rig_event(r, type, 2 * i, a, sizeof a);
        rig_event(r, type, 2 * i + 1, "aab", 3);
        ck_assert_int_eq(rig_feed(r), TW_OK);
        ck_assert_uint_eq(rig_count(r, "pattern limits"), (uint64_t)i + 1);
    }
    ck_assert_str_eq(times_left(r), "9");
    ck_assert_int_eq(rig_end(r), TW_OK);
    rig_free(r);
}
END_TEST

/* ---- null, drop ---- */

START_TEST(null_swallows_all)
{
    rig *r = opened(&null_stage, "");
    make_events(r, empty_type(r, "A", "A"), 1, 3);
    make_rows(r, &first_table, 2);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "");
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "first"), 0);
    rig_free(r);
}
END_TEST

START_TEST(drop_by_name)
{
    rig *r = opened(&drop_stage, "events=DiskIo/R*,Net tables=sec*");
    uint32_t read = empty_type(r, "DiskIo", "Read"), write = empty_type(r, "DiskIo", "Write");
    uint32_t send = empty_type(r, "Net", "Send"), near = empty_type(r, "Network", "Send");
    const uint32_t types[] = { read, write, send, near, 0, write };

    for (int i = 0; i < 6; i++) rig_event(r, types[i], i, NULL, 0);
    make_rows(r, &first_table, 2);
    make_rows(r, &second_table, 3);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "1 3 4 5");
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "first"), 2);
    ck_assert_uint_eq(rig_row_count(r, "second"), 0);
    rig_free(r);
}
END_TEST

/* A name with a slip drops nothing, and that is said. */
START_TEST(drop_finds_slips)
{
    rig *r = opened(&drop_stage, "events=DiskOi/*,DiskIo/Raed,DiskIo/R*,Net,*o/Raed,Other/Read");
    uint32_t read = empty_type(r, "DiskIo", "Read"), send = empty_type(r, "Net", "Send");

    make_events(r, read, 0, 1);
    make_events(r, send, 1, 1);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged), "2 no event is called 'DiskOi/*'; did you mean 'DiskIo'?\n"
                                       "2 no event is called 'DiskIo/Raed'; did you mean 'Read'?\n");
    rig_free(r);
    check_misuse(&drop_stage, "",
                 "drop: drop what? write drop { \"PerfInfo/*\" } or drop { tables = { \"counts\" } }");
}
END_TEST

/* ---- limit ---- */

START_TEST(limit_of_events)
{
    rig *r = opened(&limit_stage, "5");
    uint32_t type = empty_type(r, "A", "A");

    make_events(r, type, 0, 3);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "0 1 2");
    make_events(r, type, 3, 3);
    ck_assert_int_eq(rig_feed(r), TW_END);
    ck_assert_str_eq(times_left(r), "3 4");
    make_events(r, type, 6, 3); /* what a stage before it may still let go of */
    rig_feed(r);
    ck_assert_str_eq(times_left(r), "");
    make_rows(r, &first_table, 20); /* rows are not limited where events came */
    rig_push(r);
    ck_assert_uint_eq(rig_row_count(r, "first"), 20);
    rig_free(r);
}
END_TEST

START_TEST(limit_ends_with_the_last_one)
{
    rig *r = opened(&limit_stage, "3");
    make_events(r, empty_type(r, "A", "A"), 0, 3);
    ck_assert_int_eq(rig_feed(r), TW_END);
    ck_assert_str_eq(times_left(r), "0 1 2");
    rig_free(r);
    check_misuse(&limit_stage, "-1", "limit: n is how many go on, so it cannot be -1; write limit { 20 }");
}
END_TEST

START_TEST(limit_of_rows)
{
    rig *r = opened(&limit_stage, "n=5");
    make_rows(r, &first_table, 3);
    make_rows(r, &second_table, 4);
    ck_assert_int_eq(rig_push(r), TW_END);
    ck_assert_uint_eq(rig_row_count(r, "first"), 3);
    ck_assert_uint_eq(rig_row_count(r, "second"), 2);
    rig_free(r);

    r = opened(&limit_stage, "n=2 of=second");
    make_events(r, empty_type(r, "A", "A"), 0, 4);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "0 1 2 3");
    make_rows(r, &first_table, 3);
    make_rows(r, &second_table, 4);
    ck_assert_int_eq(rig_push(r), TW_END);
    ck_assert_uint_eq(rig_row_count(r, "first"), 3);
    ck_assert_uint_eq(rig_row_count(r, "second"), 2);
    rig_free(r);
}
END_TEST

/* ---- between ---- */

static const int64_t BEGIN = INT64_C(1796025600000000000); /* 2026-11-30T08:00:00Z */

START_TEST(between_spans)
{
    static const uint8_t record[1];
    rig *r = opened(&between_stage, "from=10ns to=13ns");
    uint32_t type = empty_type(r, "A", "A");

    rig_set_clock(r, &(tw_clock){ .hz = 1, .begin = 1000 });
    rig_event(r, type, 1009, NULL, 0)->record = record;
    for (int i = 0; i < 2; i++) rig_event(r, type, 1010 + i, NULL, 0)->record = record;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "1010 1011");
    for (int i = 0; i < 3; i++) rig_event(r, type, 1012 + i, NULL, 0)->record = record;
    ck_assert_int_eq(rig_feed(r), TW_END);
    ck_assert_str_eq(times_left(r), "1012");
    rig_free(r);
}
END_TEST

START_TEST(between_moments)
{
    rig *r = opened(&between_stage, "from=2026-11-30T08:00:00 'to=2026-11-30 08:00:01'");
    uint32_t type = empty_type(r, "A", "A");

    make_events(r, type, BEGIN - 2, 3);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "1796025600000000000");
    make_events(r, type, BEGIN + 999999999, 2);
    ck_assert_int_eq(rig_feed(r), TW_END);
    ck_assert_str_eq(times_left(r), "1796025600999999999");
    rig_free(r);

    r = opened(&between_stage, ""); /* all, from the first event where no clock tells */
    make_events(r, empty_type(r, "A", "A"), 7, 2);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "7 8");
    rig_free(r);
}
END_TEST

START_TEST(between_wrong_ways)
{
    check_misuse(&between_stage, "from=5s to=4s",
                 "between: nothing lies between 5s and 4s; the earlier one comes first");
    check_misuse(
        &between_stage, "from=x",
        "between: \"x\" is no time; write it in UTC like 2026-11-30, 2026-11-30T08:15:00.5Z, or as a span from "
        "the start of the trace like 1.5s, or end");
}
END_TEST

/* ---- count ---- */

static const tw_field size32[] = { { .name = "Size", .kind = TW_U32, .show = TW_SHOW_HEX } };
static const tw_field size64[] = { { .name = "Size", .kind = TW_U64, .show = TW_SHOW_HEX } };
static const tw_field size_text[] = { { .name = "Size", .kind = TW_TEXT } };
static const tw_field size_i8[] = { { .name = "Size", .kind = TW_I8 } };

START_TEST(count_by_type)
{
    rig *r = opened(&count_stage, "by=provider,what=event share=true");
    uint32_t read = empty_type(r, "DiskIo", "Read"), write = empty_type(r, "DiskIo", "Write");
    uint32_t again = empty_type(r, "DiskIo", "Read"), send = empty_type(r, "Net", "Send");

    make_events(r, read, 0, 2);
    make_events(r, send, 2, 3);
    make_events(r, again, 5, 1);
    make_events(r, write, 6, 1);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "0 1 2 3 4 5 6"); /* events go on */
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "provider what count share"), "DiskIo|Read|3|42.9\n"
                                                                          "Net|Send|3|42.9\n"
                                                                          "DiskIo|Write|1|14.3\n");
    ck_assert_int_eq(rig_cell(r, "counts", 0, "count")->kind, TW_U64);
    ck_assert_ptr_null(rig_cell(r, "counts", 0, "first"));
    rig_free(r);
}
END_TEST

START_TEST(count_by_values)
{
    rig *r = opened(&count_stage, "by=event,pid times=true as=mine sort=key");
    uint32_t a = empty_type(r, "A", "A"), b = empty_type(r, "B", "B");
    static const uint32_t pids[] = { 10, 9, 10, 10, 9, 10 };

    for (uint32_t i = 0; i < 6; i++) rig_event(r, i == 4 ? b : a, 1000000000 * (int64_t)i, NULL, 0)->pid = pids[i];
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "mine", "event pid count first last"),
                     "A|9|1|1970-01-01T00:00:01.000000000Z|1970-01-01T00:00:01.000000000Z\n"
                     "A|10|4|1970-01-01T00:00:00.000000000Z|1970-01-01T00:00:05.000000000Z\n"
                     "B|9|1|1970-01-01T00:00:04.000000000Z|1970-01-01T00:00:04.000000000Z\n");
    ck_assert_int_eq(rig_cell(r, "mine", 0, "pid")->kind, TW_U32);
    rig_free(r);
}
END_TEST

START_TEST(count_top)
{
    static const uint32_t pids[] = { 1, 2, 2, 3, 3, 3, 4, 5, 5 };
    rig *r = opened(&count_stage, "by=pid n=2 times=true");
    uint32_t a = empty_type(r, "A", "A");

    for (uint32_t i = 0; i < 9; i++) rig_event(r, a, i, NULL, 0)->pid = pids[i];
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "pid count"), "3|3\n2|2\n-|4\n");
    ck_assert_int_eq(rig_cell(r, "counts", 2, "first")->i, 0);
    ck_assert_int_eq(rig_cell(r, "counts", 2, "last")->i, 8);
    rig_free(r);

    r = opened(&count_stage, "by=pid n=5"); /* as many as there are: no others */
    a = empty_type(r, "A", "A");
    for (uint32_t i = 0; i < 9; i++) rig_event(r, a, i, NULL, 0)->pid = pids[i];
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "pid count"), "3|3\n2|2\n5|2\n1|1\n4|1\n");
    rig_free(r);
}
END_TEST

START_TEST(count_kinds)
{
    static const uint64_t sizes[] = { 16, UINT64_C(0x100000000) };
    rig *r = opened(&count_stage, "by=Size sort=key");
    uint32_t narrow = publish(r, "A", "A", size32, 1), large = publish(r, "B", "B", size64, 1);

    rig_event(r, narrow, 0, &sizes[0], 4);
    rig_event(r, large, 1, &sizes[0], 8); /* the same number, so the same group */
    rig_event(r, large, 2, &sizes[1], 8);
    rig_event(r, narrow, 3, &sizes[0], 3); /* cut short: absent */
    rig_event(r, empty_type(r, "C", "C"), 4, NULL, 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "Size count"), "0x10|2\n0x100000000|1\n-|2\n");
    ck_assert_int_eq(rig_cell(r, "counts", 0, "Size")->kind, TW_U64);
    rig_free(r);

    r = opened(&count_stage, "by=Size sort=key"); /* kinds that no number holds: text */
    rig_event(r, publish(r, "A", "A", size_text, 1), 0, "abc", 4);
    rig_event(r, publish(r, "B", "B", size_i8, 1), 1, "\xFF", 1);
    rig_event(r, publish(r, "C", "C", size64, 1), 2, &sizes[0], 8);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "Size count"), "-1|1\n0x10|1\nabc|1\n");
    ck_assert_int_eq(rig_cell(r, "counts", 0, "Size")->kind, TW_TEXT);
    rig_free(r);
}
END_TEST

START_TEST(count_many)
{
    rig *r = opened(&count_stage, "by=tid,pid");
    uint32_t a = empty_type(r, "A", "A");

    for (uint32_t i = 0; i < 3000; i++) {
        tw_event *e = rig_event(r, a, i, NULL, 0);
        e->tid = i % 1000;
        e->pid = 7;
        if (i % 500 == 499) ck_assert_int_eq(rig_feed(r), TW_OK);
    }
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "counts"), 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(rig_cell(r, "counts", i, "tid")->u, i);
        ck_assert_uint_eq(rig_cell(r, "counts", i, "count")->u, 3);
    }
    rig_free(r);
}
END_TEST

START_TEST(count_sums)
{
    static const tw_field small[] = { { .name = "Size", .kind = TW_U32 }, { .name = "Took", .kind = TW_I16 } };
    static const tw_field large[] = { { .name = "Size", .kind = TW_U64 } };
    rig *r = opened(&count_stage, "by=event sum=bytes,n=Size,Took sort=sum share=true");
    uint32_t read = publish(r, "DiskIo", "Read", small, 2), write = publish(r, "DiskIo", "Write", large, 1);
    const uint8_t first[] = { 4, 0, 0, 0, 0xFE, 0xFF }, cut[] = { 5, 0, 0, 0 };
    const uint64_t most = UINT64_MAX;

    rig_event(r, read, 1, first, 6);
    rig_event(r, read, 2, cut, 4);
    rig_event(r, write, 3, &most, 8);
    rig_event(r, empty_type(r, "Net", "Send"), 4, "123456789ab", 11);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "event count share sum_bytes sum_bytes_share n sum_Took"),
                     "Send|1|25|11|37.9|0|0\n"
                     "Read|2|50|10|34.5|9|-2\n"
                     "Write|1|25|8|27.6|18446744073709551615|0\n");
    ck_assert_int_eq(rig_cell(r, "counts", 0, "sum_bytes")->kind, TW_U64);
    ck_assert_int_eq(rig_cell(r, "counts", 0, "sum_Took")->kind, TW_I64);
    ck_assert_uint_eq(rig_count(r, "sums too large"), 0);
    rig_free(r);

    r = opened(&count_stage, "by=event sum=Size n=1"); /* the others are added up; twice the largest is too large */
    write = publish(r, "DiskIo", "Write", large, 1);
    for (int i = 0; i < 3; i++) rig_event(r, empty_type(r, "Net", "Send"), i, NULL, 0);
    for (int i = 0; i < 2; i++) rig_event(r, write, 5, &most, 8);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "event count sum_Size"), "Send|3|0\n-|2|-\n");
    ck_assert_uint_eq(rig_count(r, "sums too large"), 1);
    rig_free(r);
}
END_TEST

START_TEST(count_sums_of_fractions)
{
    static const tw_field real[] = { { .name = "Rate", .kind = TW_F64 } };
    static const tw_field whole[] = { { .name = "Rate", .kind = TW_U8 } };
    static const tw_field word[] = { { .name = "Rate", .kind = TW_TEXT8 } };
    rig *r = opened(&count_stage, "by=event sum=Rate");
    uint32_t a = publish(r, "P", "A", real, 1), b = publish(r, "P", "A", whole, 1), c = publish(r, "P", "C", word, 1);
    const double half = 0.5;

    rig_event(r, a, 1, &half, 8);
    rig_event(r, b, 2, "\3", 1);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    rig_event(r, c, 3, "x", 2);
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "count: 'Rate' is no number, so it cannot be added up");
    ck_assert_int_eq(rig_status(r), 2);
    rig_free(r);

    r = opened(&count_stage, "by=event sum=Rate");
    a = publish(r, "P", "A", real, 1), b = publish(r, "P", "A", whole, 1);
    rig_event(r, a, 1, &half, 8);
    rig_event(r, b, 2, "\3", 1);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "counts", "event sum_Rate"), "A|3.5\n");
    rig_free(r);
    check_misuse(&count_stage, "by=pid sort=sum",
                 "count: sort by which sum? write sum = { \"bytes\" }, sort = \"sum\"");
}
END_TEST

START_TEST(count_wrong_ways)
{
    check_misuse(&count_stage, "by=", "count: count by what? write count { by = { \"provider\", \"event\" } }");
    check_misuse(&count_stage, "by==pid",
                 "count: '=pid' names no column; write 'TransferSize', or 'size=TransferSize' to "
                 "rename it");
    rig *r = opened(&count_stage, "by=Siz,count");
    rig_event(r, publish(r, "A", "A", size32, 1), 0, "abcd", 4);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 2);
    ck_assert_str_eq(rig_error(r), "count: two columns are called 'count'; rename one, as in 'other=count'");
    ck_assert_str_eq(text_of(&logged),
                     "2 no event had a field 'Siz'; did you mean 'Size'?\n2 no event had a field 'count'\n");
    rig_free(r);
}
END_TEST

START_TEST(count_of_nothing)
{
    rig *r = opened(&count_stage, "by=pid");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert(rig_announced(r, "counts")); /* an empty table is a table */
    ck_assert_uint_eq(rig_row_count(r, "counts"), 0);
    ck_assert_str_eq(text_of(&logged), "");
    rig_free(r);
}
END_TEST

/* ---- fields ---- */

START_TEST(fields_make_rows)
{
    static const tw_field disk[] = { { .name = "TransferSize", .kind = TW_U32 },
                                     { .name = "FileName", .kind = TW_TEXT16 },
                                     { .name = "Irp", .kind = TW_POINTER } };
    static const uint8_t payload[] = { 0, 16, 0, 0, 'a', 0, 'b', 0, 0, 0, 1, 0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF };
    rig *r = opened(&fields_stage, "columns=time,provider,who=pid,TransferSize,FileName,Irp,cpu,id,guid");
    uint32_t read = publish(r, "DiskIo", "Read", disk, 3), other = empty_type(r, "Net", "Send");

    rig_event(r, other, 1, NULL, 0)->pid = 77;
    rig_event(r, read, 2, payload, sizeof payload)->cpu = 3;
    rig_event(r, read, 3, payload, 6);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_str_eq(times_left(r), "1 2 3"); /* events go on */
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "fields", "time provider who TransferSize FileName Irp cpu id"),
                     "1970-01-01T00:00:00.000000001Z|Net|77|-|-|-|0|0\n"
                     "1970-01-01T00:00:00.000000002Z|DiskIo|0|4096|ab|0xffffff8000000001|3|0\n"
                     "1970-01-01T00:00:00.000000003Z|DiskIo|0|4096|a|-|0|0\n");
    ck_assert_int_eq(rig_cell(r, "fields", 1, "TransferSize")->kind, TW_U32);
    ck_assert_int_eq(rig_cell(r, "fields", 1, "cpu")->kind, TW_U16);
    ck_assert_int_eq(rig_cell(r, "fields", 1, "guid")->kind, TW_GUID);
    ck_assert_uint_eq(rig_count(r, "of another kind"), 0);
    rig_free(r);
}
END_TEST

START_TEST(fields_of_some_events)
{
    rig *r = opened(&fields_stage, "columns=event on=DiskIo as=disk");
    uint32_t read = empty_type(r, "DiskIo", "Read"), send = empty_type(r, "Net", "Send");

    for (int i = 0; i < 2; i++) {
        make_events(r, send, i * 1000, 2);
        make_events(r, read, i * 1000 + 2, 300); /* more than a block of rows */
        ck_assert_int_eq(rig_feed(r), TW_OK);
    }
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "disk"), 600);
    for (uint32_t i = 0; i < 600; i++) ck_assert_str_eq(rig_text(r, "disk", i, "event"), "Read");
    rig_free(r);
}
END_TEST

START_TEST(fields_kinds)
{
    static const uint64_t sizes[] = { 7, UINT64_C(0x100000000) };
    rig *r = opened(&fields_stage, "Size");
    uint32_t narrow = publish(r, "A", "A", size32, 1), large = publish(r, "B", "B", size64, 1);
    uint32_t words = publish(r, "C", "C", size_text, 1), negative = publish(r, "D", "D", size_i8, 1);

    rig_event(r, narrow, 0, &sizes[0], 4); /* decides: u32 */
    rig_event(r, large, 1, &sizes[0], 8);  /* fits */
    rig_event(r, large, 2, &sizes[1], 8);  /* does not */
    rig_event(r, words, 3, "7", 2);
    rig_event(r, negative, 4, "\x7F", 1);
    rig_event(r, negative, 5, "\xFF", 1);
    rig_event(r, negative, 6, NULL, 0);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "fields", "Size"), "0x7\n0x7\n-\n-\n0x7f\n-\n-\n");
    ck_assert_int_eq(rig_cell(r, "fields", 0, "Size")->kind, TW_U32);
    ck_assert_uint_eq(rig_count(r, "of another kind"), 3);
    rig_free(r);

    r = opened(&fields_stage, "Size"); /* a type whose events are kept away decides nothing */
    publish(r, "E", "E", size_i8, 1);
    rig_event(r, publish(r, "B", "B", size64, 1), 0, &sizes[1], 8);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "fields", "Size"), "0x100000000\n");
    ck_assert_uint_eq(rig_count(r, "of another kind"), 0);
    rig_free(r);

    r = opened(&fields_stage, "Size"); /* text takes all */
    rig_event(r, publish(r, "C", "C", size_text, 1), 0, "abc", 4);
    rig_event(r, publish(r, "A", "A", size32, 1), 1, &sizes[0], 4);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "fields", "Size"), "abc\n0x7\n");
    ck_assert_uint_eq(rig_count(r, "of another kind"), 0);
    rig_free(r);
}
END_TEST

/* 2 is called Wait by one type and Run by the other: a column must not call it by the wrong one. */
START_TEST(names_of_values_are_not_mixed)
{
    static const tw_name wait[] = { { 1, "Idle" }, { 2, "Wait" } }, run[] = { { 2, "Run" } };
    static const tw_name more[] = { { 0, "None" }, { 1, "Idle" }, { 2, "Wait" }, { 9, "Dead" } };
    static const tw_names waits = { .size = sizeof waits, .n = 2, .name = wait };
    static const tw_names runs = { .size = sizeof runs, .n = 1, .name = run };
    static const tw_names knows_more = { .size = sizeof knows_more, .n = 4, .name = more };
    static const tw_field fields[][1] = { { { .name = "State", .kind = TW_U8, .names = &waits } },
                                          { { .name = "State", .kind = TW_U16, .names = &runs } },
                                          { { .name = "State", .kind = TW_U8, .names = &knows_more } },
                                          { { .name = "State", .kind = TW_U8 } } };
    static const struct {
        const tw_stage *stage;
        const char *options, *table;
        int types; /* a bit each */
        int late;  /* the second type is published after the table is made */
        const char *cells;
    } cases[] = {
        { &fields_stage, "State", "fields", 3, 0, "2\n2\n" },
        { &fields_stage, "State", "fields", 3, 1, "Wait\n-\n" },
        { &fields_stage, "State", "fields", 5, 0, "Wait\nWait\n" },
        { &fields_stage, "State", "fields", 5, 1, "Wait\nWait\n" },
        { &fields_stage, "State", "fields", 9, 0, "2\n2\n" },
        { &fields_stage, "State", "fields", 9, 1, "Wait\n-\n" },
        { &count_stage, "State", "counts", 3, 0, "2\n" },
        { &count_stage, "State", "counts", 5, 1, "Wait\n" },
        { &count_stage, "State", "counts", 9, 1, "2\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const names[] = { "A", "B", "C", "D" };
        rig *r = opened(cases[i].stage, cases[i].options);
        uint32_t type[4] = { 0 };
        for (int k = 0; k < 4 && !cases[i].late; k++)
            if (cases[i].types >> k & 1) type[k] = publish(r, names[k], "A", fields[k], 1);
        for (int k = 0; k < 4; k++) {
            if (!(cases[i].types >> k & 1)) continue;
            if (!type[k]) type[k] = publish(r, names[k], "A", fields[k], 1);
            rig_event(r, type[k], k, "\2", 2);
            ck_assert_int_eq(rig_feed(r), TW_OK);
        }
        ck_assert_int_eq(rig_end(r), TW_OK);
        ck_assert_msg(strcmp(rows_text(r, cases[i].table, "State"), cases[i].cells) == 0, "%d: %s", (int)i,
                      rows_text(r, cases[i].table, "State"));
        if (cases[i].stage == &fields_stage)
            ck_assert_uint_eq(rig_count(r, "of another kind"), strchr(cases[i].cells, '-') != NULL);
        rig_free(r);
    }
}
END_TEST

START_TEST(fields_wrong_ways)
{
    check_misuse(&fields_stage,
                 "columns=", "fields: no column is named; write fields { \"time\", \"provider\", \"TransferSize\" }");
    check_misuse(&fields_stage, "", "fields: option 'columns' is missing; it needs a list of texts");

    rig *r = opened(&fields_stage, "pid,pid");
    make_events(r, empty_type(r, "A", "A"), 0, 1);
    ck_assert_int_eq(rig_feed(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 2);
    ck_assert_str_eq(rig_error(r), "fields: two columns are called 'pid'; rename one, as in 'other=pid'");
    rig_free(r);

    r = opened(&fields_stage, "Siz,pid");
    rig_event(r, publish(r, "A", "A", size32, 1), 0, "abcd", 4);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "fields", "Siz pid"), "-|0\n");
    ck_assert_str_eq(text_of(&logged), "2 no event had a field 'Siz'; did you mean 'Size'?\n");
    rig_free(r);

    r = opened(&fields_stage, "time,Size"); /* no event: the table is there and empty */
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert(rig_announced(r, "fields"));
    ck_assert_uint_eq(rig_row_count(r, "fields"), 0);
    ck_assert_str_eq(text_of(&logged), "");
    rig_free(r);
}
END_TEST

START_TEST(fields_tick_sends_what_there_is)
{
    rig *r = opened(&fields_stage, "time");
    ck_assert_int_eq(rig_tick(r), TW_OK);
    make_events(r, empty_type(r, "A", "A"), 0, 2);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "fields"), 0);
    ck_assert_int_eq(rig_tick(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "fields"), 2);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "fields"), 2);
    rig_free(r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stock");
    TCase *all = tcase_create("all");

    tcase_add_test(all, where_keeps_what_fits);
    tcase_add_test(all, where_lets_descriptions_through);
    tcase_add_test(all, where_says_what_is_wrong);
    tcase_add_test(all, where_counts_patterns_that_give_up);
    tcase_add_test(all, null_swallows_all);
    tcase_add_test(all, drop_by_name);
    tcase_add_test(all, drop_finds_slips);
    tcase_add_test(all, limit_of_events);
    tcase_add_test(all, limit_ends_with_the_last_one);
    tcase_add_test(all, limit_of_rows);
    tcase_add_test(all, between_spans);
    tcase_add_test(all, between_moments);
    tcase_add_test(all, between_wrong_ways);
    tcase_add_test(all, count_by_type);
    tcase_add_test(all, count_by_values);
    tcase_add_test(all, count_top);
    tcase_add_test(all, count_kinds);
    tcase_add_test(all, count_many);
    tcase_add_test(all, count_sums);
    tcase_add_test(all, count_sums_of_fractions);
    tcase_add_test(all, count_wrong_ways);
    tcase_add_test(all, count_of_nothing);
    tcase_add_test(all, fields_make_rows);
    tcase_add_test(all, fields_of_some_events);
    tcase_add_test(all, fields_kinds);
    tcase_add_test(all, names_of_values_are_not_mixed);
    tcase_add_test(all, fields_wrong_ways);
    tcase_add_test(all, fields_tick_sends_what_there_is);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
