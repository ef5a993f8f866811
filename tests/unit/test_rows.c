/* test_rows.c - the stages over rows, `group` and `top`, and `sample`; random tables against a naive reckoning. */
#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "stock.h"
#include "text.h"
#include "tw_test.h"

__extension__ typedef __int128 wide;

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

/* Rows of a table as sinks print them: cells of the named columns with | between, a line each; - for null. */
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

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % n;
}

/* ---- The table of most tests ---- */

enum { WHO, WHAT, BYTES, DELTA, SPEED, TOOK, WHEN, ADDRESS, PARTS, COLUMNS };

static const tw_name operations[] = { { 1, "Open" }, { 2, "Close" } };
static const tw_names operation_names = { .size = sizeof operation_names, .n = 2, .name = operations };
static const tw_field columns[COLUMNS] = {
    { .name = "who", .kind = TW_TEXT, .flags = TW_NULLABLE },
    { .name = "what", .kind = TW_U8, .names = &operation_names },
    { .name = "bytes", .kind = TW_U32, .show = TW_SHOW_HEX, .help = "how many" },
    { .name = "delta", .kind = TW_I64, .flags = TW_NULLABLE },
    { .name = "speed", .kind = TW_F64, .flags = TW_NULLABLE },
    { .name = "took", .kind = TW_SPAN, .flags = TW_NULLABLE },
    { .name = "when", .kind = TW_TIME },
    { .name = "address", .kind = TW_POINTER },
    { .name = "parts", .kind = TW_TEXT, .flags = TW_LIST },
};
static const tw_table reads_table = { .size = sizeof(tw_table), .ncols = COLUMNS, .name = "reads", .col = columns };
static const tw_table again_table = { .size = sizeof(tw_table), .ncols = COLUMNS, .name = "reads", .col = columns };
static const tw_table short_table = { .size = sizeof(tw_table), .ncols = 2, .name = "reads", .col = columns };
static const tw_table other_table = { .size = sizeof(tw_table), .ncols = 2, .name = "writes", .col = columns };

typedef struct row {
    const char *who; /* NULL: null; of the others, INT64_MIN or NAN */
    uint8_t what;
    uint32_t bytes;
    int64_t delta;
    double speed;
    int64_t took, when;
    uint64_t address;
} row;

static void put_row(rig *r, const tw_table *t, const row *from)
{
    tw_rows *rows = rig_rows(r, t);
    uint32_t at = rows->n++;
    tw_text *parts = rig_host(r)->cell(rows, sizeof *parts);

    if (from->who)
        ((tw_text *)rows->col[WHO])[at] = (tw_text){ from->who, (uint32_t)strlen(from->who), 0 };
    else
        rows->null[WHO][at] = 1;
    ((uint8_t *)rows->col[WHAT])[at] = from->what;
    if (t->ncols == 2) return;
    ((uint32_t *)rows->col[BYTES])[at] = from->bytes;
    ((int64_t *)rows->col[DELTA])[at] = from->delta;
    rows->null[DELTA][at] = from->delta == INT64_MIN;
    ((double *)rows->col[SPEED])[at] = from->speed;
    ((int64_t *)rows->col[TOOK])[at] = from->took;
    rows->null[TOOK][at] = from->took == INT64_MIN;
    ((int64_t *)rows->col[WHEN])[at] = from->when;
    ((uint64_t *)rows->col[ADDRESS])[at] = from->address;
    *parts = (tw_text){ from->who, from->who ? (uint32_t)strlen(from->who) : 0, 0 };
    ((tw_list *)rows->col[PARTS])[at] = (tw_list){ parts, from->who != NULL, 0 };
}

static void push_rows(rig *r, const row *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        put_row(r, &reads_table, &from[i]);
        if (i % 100 == 99) ck_assert_int_eq(rig_push(r), TW_OK);
    }
    ck_assert_int_eq(rig_push(r), TW_OK);
}

static void make_random_rows(row *out, uint32_t n)
{
    static const char *const who[] = { NULL, "", "a", "svchost.exe", "System", "lsass.exe" };

    for (uint32_t i = 0; i < n; i++)
        out[i] = (row){ .who = who[random_below(6)],
                        .what = (uint8_t)(1 + random_below(3)),
                        .bytes = random_below(10) ? random_below(1000) : UINT32_MAX,
                        .delta = random_below(5) ? (int64_t)random_below(100) - 50 : INT64_MIN,
                        .speed = random_below(9) ? random_below(64) * 0.25 - 8 : NAN,
                        .took = random_below(4) ? (int64_t)random_below(2000000) : INT64_MIN,
                        .when = (int64_t)i * 1000,
                        .address = UINT64_C(0xFFFF800000000000) + random_below(4096) };
}

/* ---- group ---- */

START_TEST(group_adds_up)
{
    static const row rows[] = {
        { "a", 1, 16, -5, 0.5, 1000, 7, 1 },
        { "b", 2, 32, 5, 1, 500, 8, 2 },
        { "a", 3, 1, INT64_MIN, 2, INT64_MIN, 9, 3 },
        { NULL, 1, 0, INT64_MIN, NAN, INT64_MIN, 10, 4 },
    };
    rig *r = opened(&group_stage, "by=process=who sum=bytes,delta,speed,took max=bytes,what,when,address "
                                  "min=delta,first=when,speed mean=bytes,took,each=delta as=by_process of=reads");
    push_rows(r, rows, 4);
    ck_assert_uint_eq(rig_row_count(r, "reads"), 4); /* they go on */
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "by_process", "process count sum_bytes sum_delta sum_speed sum_took"),
                     "a|2|17|-5|2.5|1us\n"
                     "b|1|32|5|1|500ns\n"
                     "-|1|0|-|nan|-\n");
    ck_assert_str_eq(rows_text(r, "by_process", "max_bytes max_what max_when max_address"),
                     "0x10|3|1970-01-01T00:00:00.000000009Z|0x3\n"
                     "0x20|Close|1970-01-01T00:00:00.000000008Z|0x2\n"
                     "0x0|Open|1970-01-01T00:00:00.000000010Z|0x4\n");
    ck_assert_str_eq(rows_text(r, "by_process", "min_delta first min_speed mean_bytes mean_took each"),
                     "-5|1970-01-01T00:00:00.000000007Z|0.5|8.5|1us|-5\n"
                     "5|1970-01-01T00:00:00.000000008Z|1|32|500ns|5\n"
                     "-|1970-01-01T00:00:00.000000010Z|-|0|-|-\n");
    static const struct {
        const char *column;
        int kind;
    } kinds[] = { { "process", TW_TEXT },        { "count", TW_U64 },     { "sum_bytes", TW_U64 },
                  { "sum_delta", TW_I64 },       { "sum_speed", TW_F64 }, { "sum_took", TW_SPAN },
                  { "max_bytes", TW_U32 },       { "max_what", TW_U8 },   { "max_when", TW_TIME },
                  { "max_address", TW_POINTER }, { "first", TW_TIME },    { "mean_bytes", TW_F64 },
                  { "mean_took", TW_SPAN } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        ck_assert_msg(rig_cell(r, "by_process", 0, kinds[i].column)->kind == kinds[i].kind, "%s", kinds[i].column);
    ck_assert_uint_eq(rig_count(r, "sums too large"), 0);
    ck_assert_str_eq(text_of(&logged), "");
    rig_free(r);
}
END_TEST

START_TEST(group_of_all)
{
    static const row rows[] = { { "a", 1, 16, 0, 0, 0, 0, 0 }, { "b", 2, 32, 0, 0, 0, 0, 0 } };
    rig *r = opened(&group_stage, "sum=total=bytes"); /* of the only table that comes, by nothing */
    push_rows(r, rows, 2);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "groups", "count total"), "2|48\n");
    rig_free(r);

    r = opened(&group_stage, "who,address,what"); /* nothing to add up */
    push_rows(r, rows, 2);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "groups", "who address what count"), "a|0x0|Open|1\nb|0x0|Close|1\n");
    rig_free(r);
}
END_TEST

START_TEST(group_is_never_wrong_silently)
{
    static const tw_field wide_columns[] = { { .name = "u", .kind = TW_U64 },
                                             { .name = "i", .kind = TW_I64 },
                                             { .name = "s", .kind = TW_SPAN } };
    static const tw_table wide_table = { .size = sizeof wide_table, .ncols = 3, .name = "wide", .col = wide_columns };
    static const uint64_t u[] = { UINT64_MAX, 0, 1 };
    static const int64_t i[] = { INT64_MAX, INT64_MAX, INT64_MIN }, s[] = { INT64_MIN, -1, 0 };
    rig *r = opened(&group_stage, "sum=u,i,s mean=u,i,s");

    for (int k = 0; k < 3; k++) {
        tw_rows *rows = rig_rows(r, &wide_table);
        ((uint64_t *)rows->col[0])[rows->n] = u[k];
        ((int64_t *)rows->col[1])[rows->n] = i[k];
        ((int64_t *)rows->col[2])[rows->n++] = s[k];
    }
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    /* 2^64 fits no u64; 2^63 - 1 + 2^63 - 1 - 2^63 does; -2^63 - 1 does not. Means: 2^64 / 3, (2^63 - 2) / 3. */
    ck_assert_str_eq(rows_text(r, "groups", "sum_u sum_i sum_s mean_u mean_i mean_s"),
                     "-|9223372036854775806|-|6.148914691236517e+18|3.0744573456182584e+18|-3074457345.618258603s\n");
    ck_assert_uint_eq(rig_count(r, "sums too large"), 2);
    rig_free(r);

    r = opened(&group_stage, "sum=i");
    for (int k = 0; k < 2; k++) {
        tw_rows *rows = rig_rows(r, &wide_table);
        ((int64_t *)rows->col[1])[rows->n++] = INT64_MAX;
    }
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "groups", "count sum_i"), "2|-\n");
    rig_free(r);
}
END_TEST

/* By `who` and `what`, as one would on paper. */
START_TEST(group_agrees_with_naive)
{
    enum { N = 3000 };
    static row rows[N];
    static int done[N];
    rig *r = opened(&group_stage, "by=what,who sum=bytes,delta max=speed,took min=bytes,speed,when mean=took,bytes");

    make_random_rows(rows, N);
    memset(done, 0, sizeof done);
    push_rows(r, rows, N);
    ck_assert_int_eq(rig_end(r), TW_OK);
    uint32_t groups = rig_row_count(r, "groups"), found = 0;
    uint64_t last = UINT64_MAX;
    for (uint32_t g = 0; g < groups; g++) {
        const tw_value *who = rig_cell(r, "groups", g, "who");
        uint64_t what = rig_cell(r, "groups", g, "what")->u, count = 0;
        wide bytes = 0, delta = 0, took = 0;
        uint64_t deltas = 0, tooks = 0, least = UINT64_MAX;
        int64_t longest = INT64_MIN, first = INT64_MAX;
        double fastest = -INFINITY, slowest = INFINITY;
        for (uint32_t i = 0; i < N; i++) {
            const row *x = &rows[i];
            int same =
                who ? x->who && strlen(x->who) == who->t.bytes && !memcmp(x->who, who->t.at, who->t.bytes) : !x->who;
            if (!same || x->what != what) continue;
            ck_assert_int_eq(done[i]++, 0);
            count++;
            bytes += x->bytes;
            if (x->bytes < least) least = x->bytes;
            if (x->when < first) first = x->when;
            if (x->delta != INT64_MIN) delta += x->delta, deltas++;
            if (x->took != INT64_MIN) took += x->took, tooks++;
            if (x->took > longest) longest = x->took;
            if (x->speed > fastest) fastest = x->speed;
            if (x->speed < slowest) slowest = x->speed;
        }
        found += (uint32_t)count;
        ck_assert_uint_le(count, last);
        last = count;
        ck_assert_uint_eq(rig_cell(r, "groups", g, "count")->u, count);
        ck_assert_uint_eq(rig_cell(r, "groups", g, "sum_bytes")->u, (uint64_t)bytes);
        ck_assert_int_eq(rig_cell(r, "groups", g, "sum_delta")->i, (int64_t)delta);
        ck_assert_uint_eq(rig_cell(r, "groups", g, "min_bytes")->u, least);
        ck_assert_int_eq(rig_cell(r, "groups", g, "min_when")->i, first);
        ck_assert_int_eq(rig_cell(r, "groups", g, "max_took")->i, longest);
        ck_assert_double_eq(rig_cell(r, "groups", g, "max_speed")->f, fastest);
        ck_assert_double_eq(rig_cell(r, "groups", g, "min_speed")->f, slowest);
        ck_assert_double_eq(rig_cell(r, "groups", g, "mean_bytes")->f, (double)bytes / (double)count);
        ck_assert_int_eq(rig_cell(r, "groups", g, "mean_took")->i, (int64_t)((2 * took + tooks) / (2 * (wide)tooks)));
        ck_assert_uint_gt(deltas, 0);
    }
    ck_assert_uint_eq(found, N);
    ck_assert_uint_eq(groups, 18);
    rig_free(r);
}
END_TEST

START_TEST(group_wrong_ways)
{
    static const struct {
        const char *options, *sentence;
    } wrong[] = {
        { "by=wo", "group: table 'reads' has no column 'wo'; did you mean 'who'?" },
        { "sum=byts", "group: table 'reads' has no column 'byts'; did you mean 'bytes'?" },
        { "sum=zzzzzzzz", "group: table 'reads' has no column 'zzzzzzzz'; its first is 'who'" },
        { "by=parts", "group: the cells of 'parts' are lists; only single values can be compared and added up" },
        { "max=who", "group: 'who' is no number and no time; put it into by = { … }, or leave it out" },
        { "sum=when", "group: 'when' is a moment, which cannot be added up; ask for max and min" },
        { "mean=when", "group: 'when' is a moment, which cannot be added up; ask for max and min" },
    };
    static const row one = { .who = "a" };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig *r = opened(&group_stage, wrong[i].options);
        put_row(r, &reads_table, &one);
        ck_assert_int_eq(rig_push(r), TW_ERROR);
        ck_assert_int_eq(rig_status(r), 2);
        ck_assert_str_eq(rig_error(r), wrong[i].sentence);
        rig_free(r);
    }
    rig *r = opened(&group_stage, "sum=bytes,bytes");
    put_row(r, &reads_table, &one);
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "group: two columns are called 'sum_bytes'; rename one, as in 'other=sum_bytes'");
    rig_free(r);
    check_misuse(&group_stage, "as=", "group: the table needs a name, as in as = \"by_process\"");
    check_misuse(&group_stage, "sum==x",
                 "group: '=x' names no column; write 'TransferSize', or 'size=TransferSize' to rename it");
}
END_TEST

/* Which table is meant is the same question for all stages over rows. */
START_TEST(tables_are_chosen)
{
    static const row one = { .who = "a" };
    rig *r = opened(&group_stage, "by=who");
    put_row(r, &reads_table, &one);
    put_row(r, &other_table, &one);
    ck_assert_int_eq(rig_push(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 2);
    ck_assert_str_eq(rig_error(r),
                     "group: more than one table comes: 'reads' and 'writes'; say which, as in of = \"reads\"");
    rig_free(r);

    r = opened(&group_stage, "by=who of=reads");
    put_row(r, &other_table, &one);
    put_row(r, &reads_table, &one);
    put_row(r, &again_table, &one); /* another maker of the same table */
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "groups", "who count"), "a|2\n");
    rig_free(r);

    r = opened(&top_stage, "what of=reads");
    put_row(r, &reads_table, &one);
    put_row(r, &short_table, &one);
    ck_assert_int_eq(rig_push(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "top: two tables with other columns are called 'reads'; give one another name");
    rig_free(r);

    static const tw_field other_kind[] = { { .name = "who", .kind = TW_TEXT, .flags = TW_NULLABLE },
                                           { .name = "what", .kind = TW_U16 } };
    static const tw_table wider = { .size = sizeof wider, .ncols = 2, .name = "reads", .col = other_kind };
    r = opened(&top_stage, "what");
    put_row(r, &short_table, &one);
    rig_rows(r, &wider)->n = 1;
    ck_assert_int_eq(rig_push(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "top: two tables with other columns are called 'reads'; give one another name");
    rig_free(r);

    r = opened(&top_stage, "who of=write");
    put_row(r, &reads_table, &one);
    put_row(r, &other_table, &one);
    ck_assert_int_eq(rig_push(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged), "2 no table 'write' came; did you mean 'writes'?\n");
    ck_assert_uint_eq(rig_row_count(r, "reads") + rig_row_count(r, "writes"), 2);
    rig_free(r);

    r = opened(&group_stage, "who");
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged),
                     "2 no table came; a stage that makes rows stands before this one, such as fields\n");
    rig_free(r);
}
END_TEST

/* ---- top ---- */

static double speed_or_none(const row *x)
{
    return isnan(x->speed) ? -1e9 : x->speed;
}

static void check_top(const row *rows, uint32_t n, uint32_t wanted, int ascending)
{
    char options[64];
    uint32_t *order = mem_new((n + 1) * sizeof *order), shown = n < wanted ? n : wanted;

    snprintf(options, sizeof options, "speed n=%u of=reads%s", wanted, ascending ? " ascending=true" : "");
    rig *r = opened(&top_stage, options);
    push_rows(r, rows, n);
    ck_assert_uint_eq(rig_row_count(r, "reads"), 0);
    ck_assert_int_eq(rig_end(r), TW_OK);
    for (uint32_t i = 0; i < n; i++) { /* a stable sort by insertion; nothing goes last, whatever the order */
        uint32_t k = i;
        double mine = speed_or_none(&rows[i]);
        for (; k; k--) {
            double before = speed_or_none(&rows[order[k - 1]]);
            int better = ascending && mine > -1e9 && before > -1e9 ? mine < before : mine > before;
            if (!better) break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    ck_assert_uint_eq(rig_row_count(r, "reads"), shown);
    for (uint32_t i = 0; i < shown; i++) {
        const row *x = &rows[order[i]];
        ck_assert_int_eq(rig_cell(r, "reads", i, "when")->i, x->when); /* the very row */
        ck_assert_uint_eq(rig_cell(r, "reads", i, "address")->u, x->address);
        ck_assert_int_eq(rig_cell(r, "reads", i, "took") != NULL, x->took != INT64_MIN);
        ck_assert_int_eq(rig_cell(r, "reads", i, "who") != NULL, x->who != NULL);
        ck_assert_str_eq(rig_text(r, "reads", i, "who"), x->who ? x->who : "");
    }
    ck_assert_uint_eq(rig_count(r, "left out"), n - shown);
    rig_free(r);
    free(order);
}

START_TEST(top_agrees_with_naive)
{
    enum { N = 2500 };
    static const uint32_t wanted[] = { 1, 7, 200, 1000, N, 2 * N };
    static row rows[N];

    make_random_rows(rows, N);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (int ascending = 0; ascending < 2; ascending++) check_top(rows, N, wanted[i], ascending);
    for (uint32_t i = 0; i < N; i++) rows[i].speed = i / 3; /* each row better than those before */
    check_top(rows, N, 20, 0);
    check_top(rows, N, 20, 1);
    for (uint32_t i = 0; i < N; i++) rows[i].speed = NAN;
    check_top(rows, N, 20, 0);
    check_top(rows, 3, 20, 0);
}
END_TEST

START_TEST(top_of_other_kinds)
{
    static const row rows[] = { { "b", 1, 5, -1, 0, 5, 1, 1 },
                                { "", 2, 4, 3, 0, 4, 2, 2 },
                                { NULL, 3, 3, 2, 0, 3, 3, 3 },
                                { "bb", 1, 2, -7, 0, INT64_MIN, 4, 4 },
                                { "a", 2, 1, INT64_MIN, 0, 1, 5, UINT64_MAX } };
    static const struct {
        const char *options, *whens;
    } cases[] = { { "who n=4", "4 1 5 2 " },
                  { "who ascending=true", "2 5 1 4 3 " },
                  { "what", "3 2 5 1 4 " },
                  { "delta", "2 3 1 4 5 " },
                  { "delta ascending=yes n=5", "4 1 3 2 5 " },
                  { "took n=2", "1 2 " },
                  { "address n=1", "5 " },
                  { "when n=3", "5 4 3 " } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text whens = { 0 };
        rig *r = opened(&top_stage, cases[i].options);
        push_rows(r, rows, 5);
        ck_assert_int_eq(rig_end(r), TW_OK);
        for (uint32_t k = 0; k < rig_row_count(r, "reads"); k++)
            text_format(&whens, "%d ", (int)rig_cell(r, "reads", k, "when")->i);
        ck_assert_msg(strcmp(text_of(&whens), cases[i].whens) == 0, "%s: %s", cases[i].options, text_of(&whens));
        text_free(&whens);
        rig_free(r);
    }
}
END_TEST

START_TEST(top_by_another_name)
{
    static const row rows[] = { { "a", 1, 5, 0, 0, 0, 0, 0 }, { "b", 2, 4, 0, 0, 0, 0, 0 } };
    rig *r = opened(&top_stage, "bytes n=1 of=reads as=largest");

    put_row(r, &other_table, &rows[0]); /* other tables go on */
    push_rows(r, rows, 2);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(rows_text(r, "largest", "who what bytes parts"), "a|Open|0x5|[a]\n");
    ck_assert_uint_eq(rig_row_count(r, "reads"), 0);
    ck_assert_uint_eq(rig_row_count(r, "writes"), 1);
    rig_free(r);

    check_misuse(&top_stage, "bytes n=0", "top: n is how many rows are wanted, from 1 to 1048576, not 0");
    check_misuse(&top_stage, "bytes n=2M", "top: n is how many rows are wanted, from 1 to 1048576, not 2097152");
    r = opened(&top_stage, "byte");
    put_row(r, &reads_table, &rows[0]);
    ck_assert_int_eq(rig_push(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "top: table 'reads' has no column 'byte'; did you mean 'bytes'?");
    rig_free(r);
}
END_TEST

/* ---- sample ---- */

static uint32_t publish(rig *r, const char *name, const tw_field *field, uint32_t n)
{
    return rig_publish(
        r, &(tw_type){
               .size = sizeof(tw_type), .provider = "A", .name = name, .pointer = 8, .field = field, .nfields = n });
}

START_TEST(sample_every)
{
    const tw_event *left;
    rig *r = opened(&sample_stage, "4");
    uint32_t type = publish(r, "A", NULL, 0), n = 0;

    for (int64_t i = 0; i < 30; i++) { /* across batches */
        rig_event(r, type, i, NULL, 0);
        if (i % 7 != 6 && i != 29) continue;
        ck_assert_int_eq(rig_feed(r), TW_OK);
        uint32_t here = rig_left(r, &left);
        for (uint32_t k = 0; k < here; k++, n++) ck_assert_int_eq(left[k].time, 4 * n);
    }
    ck_assert_uint_eq(n, 8);
    rig_free(r);
}
END_TEST

/* What of `events` events goes on, as a bit for each pid; the events of a pid must stay together. */
static uint32_t sampled(const char *options, uint32_t events, uint8_t chosen[1000])
{
    const tw_event *left;
    rig *r = opened(&sample_stage, options);
    uint32_t type = publish(r, "A", NULL, 0), all = 0, of[1000] = { 0 };

    memset(chosen, 0, 1000);
    for (uint32_t i = 0; i < events; i++) {
        rig_event(r, type, i, NULL, 0)->pid = 4 * (i % 1000);
        if (i % 500 != 499) continue;
        ck_assert_int_eq(rig_feed(r), TW_OK);
        uint32_t n = rig_left(r, &left);
        for (uint32_t k = 0; k < n; k++) of[left[k].pid / 4]++;
        all += n;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        if (strstr(options, "by=")) ck_assert(of[i] == 0 || of[i] == events / 1000);
        chosen[i] = of[i] != 0;
    }
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged), "");
    rig_free(r);
    return all;
}

START_TEST(sample_part)
{
    static uint8_t few[1000], again[1000], more[1000];
    uint32_t n = sampled("part=10% by=pid", 10000, few);

    ck_assert_uint_gt(n, 600); /* 1000 would be the mean; a standard deviation is 95 */
    ck_assert_uint_lt(n, 1400);
    ck_assert_uint_eq(sampled("part=10% by=pid", 10000, again), n);
    ck_assert_int_eq(memcmp(few, again, 1000), 0);
    sampled("part=30% by=pid", 10000, more);
    for (int i = 0; i < 1000; i++) ck_assert_int_le(few[i], more[i]); /* a larger part has all of a smaller one */

    n = sampled("part=2.5%", 40000, few);
    ck_assert_uint_gt(n, 800);
    ck_assert_uint_lt(n, 1200);
    ck_assert_uint_eq(sampled("part=0%", 1000, few), 0);
    ck_assert_uint_eq(sampled("part=100%", 1000, few), 1000);
    ck_assert_uint_eq(sampled("part=100% by=pid", 1000, few), 1000);
}
END_TEST

/* A number is the same number in whatever width; events without it stay together, too. */
START_TEST(sample_by_a_field)
{
    static const tw_field narrow[] = { { .name = "Ident", .kind = TW_U16 } },
                          large[] = { { .name = "Ident", .kind = TW_U64 } };
    const tw_event *left;
    rig *r = opened(&sample_stage, "part=50% by=Ident");
    uint32_t a = publish(r, "A", narrow, 1), b = publish(r, "B", large, 1), c = publish(r, "C", NULL, 0),
             of[101] = { 0 };

    rig_unwatch(r); /* times are marks here and not in order */
    for (uint64_t i = 0; i < 100; i++) {
        rig_event(r, a, (int64_t)i, &i, 2);
        rig_event(r, b, (int64_t)i, &i, 8);
        rig_event(r, c, (int64_t)i, NULL, 0);
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    uint32_t n = rig_left(r, &left);
    for (uint32_t i = 0; i < n; i++) of[left[i].type == c ? 100 : left[i].time]++;
    for (uint32_t i = 0; i < 100; i++) ck_assert(of[i] == 0 || of[i] == 2);
    ck_assert(of[100] == 0 || of[100] == 100);
    rig_free(r);

    r = opened(&sample_stage, "part=50% by=Idemt");
    rig_event(r, publish(r, "A", narrow, 1), 0, "ab", 2);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(text_of(&logged), "2 no event had a field 'Idemt'; did you mean 'Ident'?\n");
    rig_free(r);
}
END_TEST

START_TEST(sample_wrong_ways)
{
    static const char how_many[] = "sample: how many? write sample { every = 100 } or sample { part = \"1%\" }";

    check_misuse(&sample_stage, "", how_many);
    check_misuse(&sample_stage, "-3", how_many);
    check_misuse(&sample_stage, "every=3 part=1%",
                 "sample: either every n-th event or a part of them; leave every or part away");
    check_misuse(&sample_stage, "every=3 by=pid",
                 "sample: by needs a part, as in sample { part = \"1%\", by = \"pid\" }");
    check_misuse(&sample_stage, "part=0.01", "sample: part is written in percent, as in part = \"1%\", not \"0.01\"");
    check_misuse(&sample_stage, "part=101%", "sample: part is written in percent, as in part = \"1%\", not \"101%\"");
    check_misuse(&sample_stage, "part=x%", "sample: part is written in percent, as in part = \"1%\", not \"x%\"");
    check_misuse(&sample_stage, "part=%", "sample: part is written in percent, as in part = \"1%\", not \"%\"");
    check_misuse(&sample_stage, "part=nan%", "sample: part is written in percent, as in part = \"1%\", not \"nan%\"");
    check_misuse(&sample_stage, "part=1% by=a=",
                 "sample: 'a=' names no column; write 'TransferSize', or 'size=TransferSize' to rename it");
}
END_TEST

/* ---- Keys ---- */

START_TEST(keys_have_an_order)
{
    const tw_value none = { 0 }, nan = { .kind = TW_F64, .f = NAN };
    tw_value u8 = { .kind = TW_U8, .u = 7 }, i64 = { .kind = TW_I64, .i = 7 }, minus = { .kind = TW_I8, .i = -1 };
    tw_value f32 = { .kind = TW_F32, .f = -0.0 }, one = { .kind = TW_F64, .f = 1 }, zero = { .kind = TW_F64 };

    key_normal(&u8);
    key_normal(&i64);
    key_normal(&minus);
    key_normal(&f32);
    ck_assert_int_eq(key_order(&u8, &i64), 0);
    ck_assert_uint_eq(key_hash(&u8, 1, 5), key_hash(&i64, 1, 5));
    ck_assert_uint_eq(key_hash(&f32, 1, 5), key_hash(&zero, 1, 5));
    ck_assert_int_lt(key_order(&minus, &u8), 0);
    ck_assert_int_gt(key_order(&u8, &minus), 0);
    ck_assert_int_lt(key_order(&u8, &none), 0);
    ck_assert_int_gt(key_order(&none, &minus), 0);
    ck_assert_int_eq(key_order(&none, &none), 0);
    ck_assert_int_lt(key_order(&one, &nan), 0);
    ck_assert_int_gt(key_order(&nan, &one), 0);
    ck_assert_int_eq(key_order(&nan, &nan), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rows");
    TCase *all = tcase_create("all");

    tcase_add_test(all, group_adds_up);
    tcase_add_test(all, group_of_all);
    tcase_add_test(all, group_is_never_wrong_silently);
    tcase_add_test(all, group_agrees_with_naive);
    tcase_add_test(all, group_wrong_ways);
    tcase_add_test(all, tables_are_chosen);
    tcase_add_test(all, top_agrees_with_naive);
    tcase_add_test(all, top_of_other_kinds);
    tcase_add_test(all, top_by_another_name);
    tcase_add_test(all, sample_every);
    tcase_add_test(all, sample_part);
    tcase_add_test(all, sample_by_a_field);
    tcase_add_test(all, sample_wrong_ways);
    tcase_add_test(all, keys_have_an_order);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
