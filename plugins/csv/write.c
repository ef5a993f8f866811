/* write.c - csv.write: the rows of a table as comma-separated text (RFC 4180).

   One idea: how a column is written is decided once, when its table is announced; a row is then one switch a cell, and
   the host is asked only for what is no plain number or text. */
#include "../common/text/cell.h"
#include "../common/text/json.h"
#include "../common/text/page.h"
#include "../common/text/pick.h"

#include <stdio.h>

extern const tw_stage csv_write;

typedef struct sheet { /* one table on its way to one output */
    struct sheet *next;
    const tw_table *table;
    tw_output *to; /* NULL once it is finished */
    page page;
    uint8_t cell[]; /* enum cell, one a column */
} sheet;

typedef struct writer {
    tw_self tw;
    tw_output *to;
    const char *folder, *suffix, *delimiter, *null;
    const char *const *of;
    int header, crlf;
    size_t null_bytes;
    char between;        /* the delimiter as a byte */
    uint8_t quoted[256]; /* 1: a byte that puts its cell into quotes */
    page scratch;        /* one cell, before it is known whether it needs quotes */
    page_moment moment;
    pick pick;
    sheet *first;
} writer;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, "-", "the file; one that ends in .zst is compressed"),
    TW_OPTION(writer, folder, TW_OPT_FOLDER, "", "instead of one file, a folder: one file a table, named as the table"),
    TW_OPTION(writer, suffix, TW_OPT_TEXT, ".csv", "of the files in the folder; .csv.zst compresses them"),
    TW_OPTION(writer, of, TW_OPT_LIST, "", "tables to write; all if none is named"),
    TW_OPTION(writer, header, TW_OPT_BOOL, "true", "begin with the names of the columns"),
    TW_OPTION(writer, delimiter, TW_OPT_TEXT, ",", "between cells: one of , ; | or tab"),
    TW_OPTION(writer, null, TW_OPT_TEXT, "", "what stands for a missing value"),
    TW_OPTION(writer, crlf, TW_OPT_BOOL, "false", "end lines with CR LF, as RFC 4180 has it, instead of LF"),
    { 0 }
};
// clang-format on

static int to_folder(const writer *w)
{
    return w->folder && *w->folder;
}

static int open_writer(void *self)
{
    writer *w = self;
    const char *delimiter = strcmp(w->delimiter, "tab") == 0 ? "\t" : w->delimiter;

    /* None of these occurs in a number or a time, so only text and what the host prints is ever searched for them. */
    if (strlen(delimiter) != 1 || !strchr(",;|\t", *delimiter))
        return TW_HOST(self)->misuse(self, "delimiter = \"%s\" is none of , ; | and tab", w->delimiter);
    w->between = *delimiter;
    w->null_bytes = strlen(w->null);
    w->quoted[(uint8_t)w->between] = w->quoted['"'] = w->quoted['\r'] = w->quoted['\n'] = 1;
    for (const char *at = w->null; *at; at++) {
        if (w->quoted[(uint8_t)*at])
            return TW_HOST(self)->misuse(self, "null = \"%s\" would need quotes itself; try null = \"NULL\"",
                                         w->null);
    }
    return TW_OK;
}

/* ---- Cells ---- */

static void put_quoted(page *p, const char *text, size_t n)
{
    page_byte(p, '"');
    for (const char *quote; n && (quote = memchr(text, '"', n)); text = quote + 1) {
        size_t before = (size_t)(quote - text) + 1;
        page_put(p, text, before);
        page_byte(p, '"');
        n -= before;
    }
    page_put(p, text, n);
    page_byte(p, '"');
}

static void put_text(const writer *w, page *p, const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && !w->quoted[(uint8_t)text[i]]) i++;
    if (i < n) {
        put_quoted(p, text, n);
    } else {
        page_put(p, text, n);
    }
}

/* A text cell that reads like a missing one is told from it by its quotes. */
static int reads_as_null(const writer *w, const tw_field *column, const tw_value *v)
{
    return column->flags & TW_NULLABLE && v->t.bytes == w->null_bytes &&
           (!v->t.bytes || !memcmp(v->t.at, w->null, v->t.bytes));
}

static void put_list(writer *w, page *p, const tw_field *column, const tw_value *v)
{
    page elements = { 0 };
    json j = { .host = TW_HOST(w), .to = &elements, .moment = w->moment };
    json_list(&j, column, v);
    put_text(w, p, elements.at, elements.n);
    if (elements.failed) p->failed = 1;
    page_free(&elements);
    page_free(&j.scratch);
}

static void put_cell(writer *w, page *p, const tw_field *column, enum cell cell, const tw_value *v)
{
    switch (cell) {
    case CELL_UNSIGNED: page_unsigned(p, v->u); break;
    case CELL_SIGNED:
    case CELL_SPAN: page_signed(p, v->i); break;
    case CELL_BOOL: page_string(p, v->u ? "true" : "false"); break;
    case CELL_TIME: page_time(p, TW_HOST(w), &w->moment, v->i); break;
    case CELL_TEXT:
        if (reads_as_null(w, column, v)) {
            put_quoted(p, v->t.at, v->t.bytes);
        } else {
            put_text(w, p, v->t.at, v->t.bytes);
        }
        break;
    case CELL_FLOAT:
    case CELL_PRINT:
        w->scratch.n = 0;
        page_value(&w->scratch, TW_HOST(w), column, v);
        put_text(w, p, w->scratch.at, w->scratch.n);
        if (w->scratch.failed) p->failed = 1;
        break;
    case CELL_LIST: put_list(w, p, column, v); break;
    }
}

static void put_line_end(const writer *w, page *p)
{
    if (w->crlf) page_byte(p, '\r');
    page_byte(p, '\n');
}

static void put_row(writer *w, sheet *s, const tw_rows *r, uint32_t row)
{
    page *p = &s->page;
    size_t start = p->n;
    tw_value v;

    for (uint32_t c = 0; c < r->table->ncols; c++) {
        if (c) page_byte(p, w->between);
        if (tw_cell(r, c, row, &v)) {
            put_cell(w, p, &r->table->col[c], s->cell[c], &v);
        } else {
            page_put(p, w->null, w->null_bytes);
        }
    }
    if (p->n == start)
        page_string(p, "\"\""); /* readers skip empty lines: the only cell of this one is not to be lost */
    put_line_end(w, p);
}

/* ---- Tables ---- */

static sheet *sheet_of(const writer *w, const tw_table *t)
{
    for (sheet *s = w->first; s; s = s->next) {
        if (s->table == t || !strcmp(s->table->name, t->name)) return s;
    }
    return NULL;
}

static tw_output *output_for(writer *w, const tw_table *t)
{
    char path[4096];

    if (!to_folder(w)) return w->to;
    if (!*t->name || *t->name == '.' || strpbrk(t->name, "/\\:*?\"<>|")) {
        TW_HOST(w)->misuse(w, "the table \"%s\" cannot be a file's name; give it another one where it is made",
                           t->name);
        return NULL;
    }
    int n = snprintf(path, sizeof path, "%s/%s%s", w->folder, t->name, w->suffix);
    if (n < 0 || (size_t)n >= sizeof path) {
        TW_HOST(w)->misuse(w, "folder: the path of \"%s\" would be longer than 4095 bytes", t->name);
        return NULL;
    }
    return TW_HOST(w)->create(w, path);
}

/* A table of a name that was seen before may join it, with the same columns; one file holds one table. */
static int check_room(writer *w, const tw_table *t, const sheet *before)
{
    if (before && same_columns(before->table, t)) return TW_OK;
    if (before)
        return TW_HOST(w)->misuse(w, "two different tables are called \"%s\"; give one another name where it is made",
                                  t->name);
    if (to_folder(w) || !w->first) return TW_OK;
    return TW_HOST(w)->misuse(
        w,
        "two tables, \"%s\" and \"%s\", cannot share one CSV; name one with of = \"%s\", or give "
        "a folder",
        w->first->table->name, t->name, w->first->table->name);
}

static int announce_table(void *self, const tw_table *t)
{
    writer *w = self;
    sheet *before = sheet_of(w, t), **end = &w->first;

    if (!pick_table(&w->pick, w->of, t)) return TW_OK;
    if (check_room(w, t, before) != TW_OK) return TW_ERROR;
    if (before) return TW_OK;

    sheet *s = calloc(1, sizeof *s + t->ncols);
    if (!s) return tw_fail(self, "out of memory for the table \"%s\"", t->name);
    s->table = t;
    while (*end) end = &(*end)->next;
    *end = s;
    if (!(s->to = output_for(w, t))) return TW_ERROR;
    for (uint32_t c = 0; c < t->ncols; c++) {
        s->cell[c] = (uint8_t)cell_of(&t->col[c]);
        if (!w->header) continue;
        if (c) page_byte(&s->page, w->between);
        put_text(w, &s->page, t->col[c].name, strlen(t->col[c].name));
    }
    if (w->header) put_line_end(w, &s->page);
    return TW_OK;
}

static int write_rows(void *self, tw_rows *r)
{
    writer *w = self;
    sheet *s = sheet_of(w, r->table);

    if (!s) return TW_OK;
    for (uint32_t row = 0; row < r->n; row++) {
        put_row(w, s, r, row);
        if (s->page.n < PAGE_FULL && !s->page.failed) continue;
        int status = page_write(&s->page, self, s->to);
        if (status != TW_OK) return status;
    }
    return TW_OK;
}

static int hand_on(void *self)
{
    writer *w = self;
    for (sheet *s = w->first; s; s = s->next) {
        int status = page_write(&s->page, self, s->to);
        if (status != TW_OK) return status;
    }
    return TW_OK;
}

static int end_writer(void *self)
{
    writer *w = self;
    int status = hand_on(self);

    if (status != TW_OK || (status = pick_check(&w->pick, self, w->of)) != TW_OK) return status;
    for (sheet *s = w->first; s && to_folder(w); s = s->next) {
        tw_output *to = s->to;
        s->to = NULL;
        if (TW_HOST(self)->finish(to, 1) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

static void close_writer(void *self)
{
    writer *w = self;
    for (sheet *s = w->first, *next; s; s = next) {
        next = s->next;
        if (to_folder(w) && s->to) TW_HOST(self)->finish(s->to, 0);
        page_free(&s->page);
        free(s);
    }
    w->first = NULL;
    page_free(&w->scratch);
    pick_free(&w->pick);
}

const tw_stage csv_write = {
    .size = sizeof(tw_stage),
    .name = "write",
    .help = "Write tables as comma-separated text.",
    .state = sizeof(writer),
    .options = options,
    .open = open_writer,
    .table = announce_table,
    .rows = write_rows,
    .tick = hand_on,
    .end = end_writer,
    .close = close_writer,
};
