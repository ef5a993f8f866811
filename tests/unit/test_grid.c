/* test_grid.c - text.grid: alignment, widths of text on a screen, blocks, and what may not reach a terminal. */
#include "fake_host.h"

extern const tw_stage text_grid;

static const tw_field pair_columns[] = { { .name = "pid", .kind = TW_U32 },
                                         { .name = "name", .kind = TW_TEXT, .flags = TW_NULLABLE },
                                         { .name = "took", .kind = TW_SPAN } };
static const tw_table pairs = { .size = sizeof(tw_table), .ncols = 3, .name = "pairs", .col = pair_columns };
static const tw_table names = { .size = sizeof(tw_table), .ncols = 1, .name = "names", .col = pair_columns + 1 };

static fake *begun(fake *f)
{
    ck_assert_int_eq(fake_begin(f), TW_OK);
    return f;
}

static void give_pair(fake *f, uint32_t pid, const char *name, int64_t took)
{
    tw_text text = fake_text(name ? name : "");
    uint8_t null = !name;
    ck_assert_int_eq(
        fake_rows_null(f, &pairs, 1, (void *[]){ &pid, &text, &took }, (uint8_t *[]){ NULL, &null, NULL }), TW_OK);
}

static void give_name(fake *f, const tw_table *t, const char *name)
{
    tw_text text = fake_text(name);
    ck_assert_int_eq(FAKE_ROWS(f, t, 1, &text), TW_OK);
}

START_TEST(aligned)
{
    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_pair(f, 4, "System", 0);
    give_pair(f, 12345, "a", 0);
    give_pair(f, 8, NULL, 0);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "  pid  name    took\n"
                                           "    4  System    0s\n"
                                           "12345  a         0s\n"
                                           "    8  -         0s\n");
    fake_free(f);
}
END_TEST

START_TEST(no_blanks_at_line_ends)
{
    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_name(f, &names, "longer than that");
    give_name(f, &names, "b");
    give_name(f, &names, "");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\nlonger than that\nb\n\n");
    fake_free(f);
}
END_TEST

/* Columns by what a terminal uses: one for an umlaut, two for CJK and emoji, none for a combining mark. */
START_TEST(width_of_text)
{
    static const tw_field columns[] = { { .name = "n", .kind = TW_TEXT }, { .name = "x", .kind = TW_U8 } };
    static const tw_table texts = { .size = sizeof(tw_table), .ncols = 2, .name = "texts", .col = columns };
    tw_text text[] = { fake_text("1234"), fake_text("\xC3\xA4\xC3\xB6"), fake_text("\xE6\xBC\xA2\xE5\xAD\x97"),
                       fake_text("\xF0\x9F\x98\x80"), fake_text("e\xCC\x81") };
    uint8_t one[] = { 1, 1, 1, 1, 1 };

    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &texts), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &texts, 5, text, one), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "n     x\n"
                                           "1234  1\n"
                                           "\xC3\xA4\xC3\xB6    1\n"
                                           "\xE6\xBC\xA2\xE5\xAD\x97  1\n"
                                           "\xF0\x9F\x98\x80    1\n"
                                           "e\xCC\x81     1\n");
    fake_free(f);
}
END_TEST

START_TEST(terminal_is_not_obeyed)
{
    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_name(f, &names, "\x1b[2J\a");
    give_name(f, &names, "a\r\n\tb");
    give_name(f, &names,
              "\xC2\x9B"
              "31m"); /* C1 control: CSI in one character */
    give_name(f, &names,
              "x\xE2\x80\xAE"
              "fdp");                  /* turns the direction of writing */
    give_name(f, &names, "\xFF\xC3("); /* no UTF-8 */
    give_name(f, &names, "C:\\new\\table");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\n"
                                           "\\x1b[2J\\x07\n"
                                           "a\\r\\n\\tb\n"
                                           "\\u009b31m\n"
                                           "x\\u202efdp\n"
                                           "\\xff\\xc3(\n"
                                           "C:\\new\\table\n");
    fake_free(f);
}
END_TEST

START_TEST(several_tables)
{
    static const tw_table none = { .size = sizeof(tw_table), .ncols = 1, .name = "none", .col = pair_columns };
    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &none), TW_OK);
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_name(f, &names, "first");
    give_pair(f, 4, "System", 0);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pairs\n"
                                           "  pid  name    took\n"
                                           "    4  System    0s\n"
                                           "\n"
                                           "none\n"
                                           "  no rows\n"
                                           "\n"
                                           "names\n"
                                           "  name\n"
                                           "  first\n");
    fake_free(f);
}
END_TEST

START_TEST(no_titles)
{
    fake *f = begun(FAKE(&text_grid, "title", "false", ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_name(f, &names, "first");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\nfirst\n\nno rows\n");
    fake_free(f);
}
END_TEST

START_TEST(one_wide_row_stands)
{
    static const tw_field columns[] = { { .name = "a", .kind = TW_U8 },    { .name = "b", .kind = TW_U8 },
                                        { .name = "long", .kind = TW_U8 }, { .name = "d", .kind = TW_U8 },
                                        { .name = "e", .kind = TW_U8 },    { .name = "f", .kind = TW_U8 },
                                        { .name = "g", .kind = TW_TEXT } };
    static const tw_table wide = { .size = sizeof(tw_table), .ncols = 7, .name = "wide", .col = columns };
    static const tw_table six = { .size = sizeof(tw_table), .ncols = 6, .name = "six", .col = columns };
    uint8_t n[] = { 1, 20 };
    tw_text text[] = { fake_text("x"), fake_text("y") };

    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &wide), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &wide, 1, n, n, n, n, n, n, text), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "a     1\nb     1\nlong  1\nd     1\ne     1\nf     1\ng     x\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &wide), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &wide, 2, n, n, n, n, n, n, text), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), " a   b  long   d   e   f  g\n"
                                           " 1   1     1   1   1   1  x\n"
                                           "20  20    20  20  20  20  y\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &six), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &six, 1, n, n, n, n, n, n), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "a  b  long  d  e  f\n1  1     1  1  1  1\n");
    fake_free(f);
}
END_TEST

START_TEST(rows_limit)
{
    fake *f = begun(FAKE(&text_grid, "rows", "2", ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    for (int i = 0; i < 3; i++) give_name(f, &names, "a");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\na\na\n\xE2\x80\xA6 1 more row\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, "rows", "1", ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    for (int i = 0; i < 1500; i++) give_name(f, &names, "a");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\na\n\xE2\x80\xA6 1499 more rows\n");
    fake_free(f);
}
END_TEST

START_TEST(width_cuts_lines)
{
    fake *f = begun(FAKE(&text_grid, "width", "8", ));
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_name(f, &names, "12345678");
    give_name(f, &names, "123456789");
    give_name(f, &names, "123456\xE6\xBC\xA2\xE5\xAD\x97"); /* the wide one does not fit beside the mark */
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\n12345678\n1234567\xE2\x80\xA6\n123456\xE2\x80\xA6\n");
    fake_free(f);
}
END_TEST

/* Widths follow the first 500 rows; later ones are written as they come, a wider cell pushing its line. */
START_TEST(later_rows_come_at_once)
{
    text expected = { 0 };
    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    text_put(&expected, "pid  name   took\n");
    for (int i = 0; i < 499; i++) give_pair(f, 1, "short", 0);
    ck_assert_int_eq(f->stage->tick(f->state), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "");
    give_pair(f, 1, "short", 0);
    for (int i = 0; i < 500; i++) text_put(&expected, "  1  short    0s\n");
    ck_assert_int_eq(f->stage->tick(f->state), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), text_of(&expected));
    give_pair(f, 1, "wider than that", 0);
    give_pair(f, 10000, "short", 0);
    text_put(&expected, "  1  wider than that    0s\n10000  short    0s\n");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), text_of(&expected));
    text_free(&expected);
    fake_free(f);
}
END_TEST

/* A block that is interrupted by another goes on below its heading. */
START_TEST(blocks_that_alternate)
{
    static const tw_table more = { .size = sizeof(tw_table), .ncols = 1, .name = "more", .col = pair_columns + 1 };
    fake *f = begun(FAKE(&text_grid, "rows", "502", ));
    text expected = { 0 };
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    ck_assert_int_eq(fake_table(f, &more), TW_OK);
    text_put(&expected, "names\n  name\n");
    for (int i = 0; i < 500; i++) {
        give_name(f, &names, "a");
        text_put(&expected, "  a\n");
    }
    text_put(&expected, "\nmore\n  name\n");
    for (int i = 0; i < 500; i++) {
        give_name(f, &more, "b");
        text_put(&expected, "  b\n");
    }
    give_name(f, &names, "c");
    give_name(f, &names, "d");
    give_name(f, &names, "e");
    text_put(&expected, "\nnames\n  name\n  c\n  d\n");
    give_name(f, &more, "f");
    text_put(&expected, "\nmore\n  name\n  f\n\nnames\n  \xE2\x80\xA6 1 more row\n");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), text_of(&expected));
    text_free(&expected);
    fake_free(f);
}
END_TEST

/* One endless cell does not push all rows off the screen. */
START_TEST(padding_has_an_end)
{
    char endless[301];
    memset(endless, 'x', 300);
    endless[300] = 0;
    static const tw_field columns[] = { { .name = "n", .kind = TW_TEXT }, { .name = "x", .kind = TW_U8 } };
    static const tw_table texts = { .size = sizeof(tw_table), .ncols = 2, .name = "texts", .col = columns };
    tw_text text[] = { fake_text(endless), fake_text("a") };
    uint8_t one[] = { 1, 1 };
    char expected[1000];

    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &texts), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &texts, 2, text, one), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    snprintf(expected, sizeof expected, "%-72s  x\n%s  1\n%-72s  1\n", "n", endless, "a");
    ck_assert_str_eq(fake_written(f, "-"), expected);
    fake_free(f);
}
END_TEST

START_TEST(lists_and_hidden_characters)
{
    static const tw_field columns[] = { { .name = "ports", .kind = TW_U16, .flags = TW_LIST },
                                        { .name = "names", .kind = TW_TEXT, .flags = TW_LIST } };
    static const tw_table lists = { .size = sizeof(tw_table), .ncols = 2, .name = "lists", .col = columns };
    uint16_t port[] = { 80, 443 };
    tw_text name[] = { fake_text("a"), fake_text("\n") };
    tw_list ports = { .at = port, .n = 2 }, texts = { .at = name, .n = 2 };

    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &lists), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &lists, 1, &ports, &texts), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "ports      names\n[80, 443]  [a, \\n]\n");
    fake_free(f);
}
END_TEST

START_TEST(fractions_by_their_points)
{
    static const tw_field columns[] = { { .name = "f", .kind = TW_F64, .flags = TW_NULLABLE },
                                        { .name = "x", .kind = TW_U8 } };
    static const tw_table floats = { .size = sizeof(tw_table), .ncols = 2, .name = "floats", .col = columns };
    double f64[] = { 44.3, 2, 0.25, -1, 0, 1e300 };
    uint8_t one[] = { 1, 1, 1, 1, 1, 1 }, null[] = { 0, 0, 0, 0, 1, 0 };

    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &floats), TW_OK);
    ck_assert_int_eq(fake_rows_null(f, &floats, 5, (void *[]){ f64, one }, (uint8_t *[]){ null, NULL }), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "    f  x\n"
                                           "44.3   1\n"
                                           " 2     1\n"
                                           " 0.25  1\n"
                                           "-1     1\n"
                                           " -     1\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &floats), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &floats, 2, f64 + 4, one), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "     f  x\n     0  1\n1e+300  1\n");
    fake_free(f);
}
END_TEST

/* Two or three rows that no screen is wide enough for stand side by side. */
START_TEST(few_wide_rows_stand)
{
    static const tw_field columns[] = { { .name = "one", .kind = TW_U32 },   { .name = "two", .kind = TW_U32 },
                                        { .name = "three", .kind = TW_U32 }, { .name = "four", .kind = TW_U32 },
                                        { .name = "five", .kind = TW_TEXT }, { .name = "six", .kind = TW_TEXT },
                                        { .name = "seven", .kind = TW_TEXT } };
    static const tw_table wide = { .size = sizeof(tw_table), .ncols = 7, .name = "wide", .col = columns };
    static const char sixty[] = "012345678901234567890123456789012345678901234567890123456789";
    uint32_t a[2] = { 1, 100 }, b[2] = { 2, 2 }, c[2] = { 3, 3 }, d[2] = { 4, 4 };
    tw_text e[2] = { fake_text(sixty), fake_text("y") }, g[2] = { fake_text(sixty), fake_text("z") };
    tw_text h[2] = { fake_text(sixty), fake_text("") };

    fake *f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &wide), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &wide, 2, a, b, c, d, e, g, h), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"),
                     "one    1                                                             100\n"
                     "two    2                                                             2\n"
                     "three  3                                                             3\n"
                     "four   4                                                             4\n"
                     "five   012345678901234567890123456789012345678901234567890123456789  y\n"
                     "six    012345678901234567890123456789012345678901234567890123456789  z\n"
                     "seven  012345678901234567890123456789012345678901234567890123456789\n");
    fake_free(f);
    f = begun(FAKE(&text_grid, "fold", "40", )); /* of one row, text goes on below */
    ck_assert_int_eq(fake_table(f, &wide), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &wide, 1, a, b, c, d, &e[1], g, &h[1]), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "one    1\ntwo    2\nthree  3\nfour   4\nfive   y\n"
                                           "six    012345678901234567890123456789012\n"
                                           "       345678901234567890123456789\nseven\n");
    fake_free(f);
    e[0] = fake_text("x"), g[0] = h[0] = fake_text("w"); /* these fit */
    f = begun(FAKE(&text_grid, ));
    ck_assert_int_eq(fake_table(f, &wide), TW_OK);
    ck_assert_int_eq(FAKE_ROWS(f, &wide, 2, a, b, c, d, e, g, h), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "one  two  three  four  five  six  seven\n"
                                           "  1    2      3     4  x     w    w\n"
                                           "100    2      3     4  y     z\n");
    fake_free(f);
}
END_TEST

START_TEST(some_columns)
{
    fake *f = begun(FAKE(&text_grid, "columns", "pairs=took pid", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_pair(f, 4, "System", 1000);
    give_name(f, &names, "b");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pairs\n  took  pid\n   1us    4\n\nnames\n  name\n  b\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, "columns", "pairs=long_name=took who=pid", )); /* with other words above them */
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_pair(f, 4, "System", 1000);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "long_name  who\n      1us    4\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, "columns", "pairs=took who=pd", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_ERROR);
    ck_assert_str_eq(text_of(&f->said), "columns: the table \"pairs\" has no column \"pd\"; its first is \"pid\"");
    fake_free(f);
    f = begun(FAKE(&text_grid, "columns", "pairs=took pd", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_ERROR);
    ck_assert_str_eq(text_of(&f->said), "columns: the table \"pairs\" has no column \"pd\"; its first is \"pid\"");
    fake_free(f);
    f = begun(FAKE(&text_grid, "columns", "pairs= ", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_ERROR);
    ck_assert_str_eq(text_of(&f->said), "the table \"pairs\" has no columns to show");
    fake_free(f);
    f = begun(FAKE(&text_grid, "columns", "pair=pid", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_end(f), TW_ERROR);
    ck_assert_str_eq(text_of(&f->said), "no table is called \"pair\"; there were: pairs");
    fake_free(f);
    f = FAKE(&text_grid, "columns", "pid", );
    ck_assert_int_eq(fake_begin(f), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    fake_free(f);
}
END_TEST

/* Folded at blanks where there are some, and between characters where not. */
START_TEST(text_goes_on_below)
{
    fake *f = begun(FAKE(&text_grid, "fold", "34", "columns", "pairs=pid name", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_pair(f, 4, "a short text", 0);
    give_pair(f, 5, "the first part, then the second part,  and a third", 0);
    give_pair(f, 6, "01234567890123456789012345678901234567890", 0);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pid  name\n"
                                           "  4  a short text\n"
                                           "  5  the first part, then the\n"
                                           "     second part,  and a third\n"
                                           "  6  01234567890123456789012345678\n"
                                           "     901234567890\n");
    fake_free(f);
    f = begun(FAKE(&text_grid, "fold", "20", "columns", "pairs=pid name", )); /* too narrow to be of use */
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    give_pair(f, 5, "the first part, then the second part", 0);
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "pid  name\n  5  the first part, then the second part\n");
    fake_free(f);
}
END_TEST

START_TEST(empty_tables_can_be_left_out)
{
    fake *f = begun(FAKE(&text_grid, "empty", "false", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_name(f, &names, "a");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "names\n  name\n  a\n");
    fake_free(f);
}
END_TEST

START_TEST(of_and_misuse)
{
    fake *f = begun(FAKE(&text_grid, "of", "names", ));
    ck_assert_int_eq(fake_table(f, &pairs), TW_OK);
    ck_assert_int_eq(fake_table(f, &names), TW_OK);
    give_pair(f, 1, "a", 0);
    give_name(f, &names, "b");
    ck_assert_int_eq(fake_end(f), TW_OK);
    ck_assert_str_eq(fake_written(f, "-"), "name\nb\n");
    fake_free(f);

    f = begun(FAKE(&text_grid, "of", "nothing", ));
    ck_assert_int_eq(fake_end(f), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    ck_assert_str_eq(text_of(&f->said), "no table is called \"nothing\"; there were: none");
    fake_free(f);

    f = FAKE(&text_grid, "rows", "-1", );
    ck_assert_int_eq(fake_begin(f), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    fake_free(f);
    f = FAKE(&text_grid, "width", "-1", );
    ck_assert_int_eq(fake_begin(f), TW_ERROR);
    ck_assert_int_eq(f->misused, 1);
    fake_free(f);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("grid");
    tcase_add_test(t, aligned);
    tcase_add_test(t, no_blanks_at_line_ends);
    tcase_add_test(t, width_of_text);
    tcase_add_test(t, terminal_is_not_obeyed);
    tcase_add_test(t, several_tables);
    tcase_add_test(t, no_titles);
    tcase_add_test(t, one_wide_row_stands);
    tcase_add_test(t, rows_limit);
    tcase_add_test(t, width_cuts_lines);
    tcase_add_test(t, later_rows_come_at_once);
    tcase_add_test(t, blocks_that_alternate);
    tcase_add_test(t, padding_has_an_end);
    tcase_add_test(t, lists_and_hidden_characters);
    tcase_add_test(t, fractions_by_their_points);
    tcase_add_test(t, few_wide_rows_stand);
    tcase_add_test(t, some_columns);
    tcase_add_test(t, text_goes_on_below);
    tcase_add_test(t, empty_tables_can_be_left_out);
    tcase_add_test(t, of_and_misuse);
    return fake_run_tests(t, "text.grid");
}
