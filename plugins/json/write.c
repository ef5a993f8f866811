/* write.c - json.write: the rows of tables as JSON, an object a row, or all of them as one document.

   One idea: a row becomes the inside of an object once, `"pid": 4,~"name": "System"`, with a break mark where a line may
   end. Lines of NDJSON are that with braces around; a document keeps rows in this form and decides at its end whether
   they stand in a list, as an object, or among its own members. No JSON text holds the mark: it is a control character. */
#include "../common/text/json.h"
#include "../common/text/pick.h"

#include <stdio.h>

extern const tw_stage json_write;

enum { BREAK = 1, ROW_END = 2 };       /* marks in kept rows */
enum { DOCUMENT_LARGEST = 256 << 20 }; /* bytes of kept rows */

enum shape {
    SHAPE_LIST,   /* "member": [ row, … ] */
    SHAPE_AUTO,   /* "member": row, where there is one; else as a list */
    SHAPE_SPREAD, /* the one row's columns are members of the document */
};

typedef struct member { /* one table, and where its rows go */
    struct member *next;
    const tw_table *table; /* NULL: not announced (yet) */
    char *table_name, *name;
    enum shape shape;
    uint64_t nrows;
    page rows;     /* a document's, each ended by ROW_END */
    page labels;   /* `"column": ` of each column, */
    size_t *label; /* column c's is label[c] … label[c + 1] of these */
    uint8_t *cell; /* enum cell, one a column */
} member;

typedef struct writer {
    tw_self tw;
    tw_output *to;
    const char *const *of, *const *put;
    int document, table;
    int64_t indent;
    page page;
    json json;
    pick pick;
    member *first;
    size_t kept; /* bytes of all kept rows */
} writer;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, "-", "the file; one that ends in .zst is compressed"),
    TW_OPTION(writer, of, TW_OPT_LIST, "", "tables to write; all if none is named"),
    TW_OPTION(writer, document, TW_OPT_BOOL, "false", "one object of all tables instead of one object a row and line"),
    TW_OPTION(writer, put, TW_OPT_LIST, "",
              "places in the document: TABLE=member (an object where it is one row), TABLE=member[] (always a list), "
              "TABLE=. (the one row's columns)"),
    TW_OPTION(writer, indent, TW_OPT_INT, "2", "blanks a level in a document; 0: all on one line"),
    TW_OPTION(writer, table, TW_OPT_BOOL, "false", "begin the objects of lines with \"table\": the table's name"),
    { 0 }
};
// clang-format on

/* ---- Members ---- */

static char *copy_text(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

/* 1 where the document has a member of that name already. */
static int is_taken(const writer *w, const char *name)
{
    for (const member *m = w->first; m; m = m->next) {
        if (m->shape != SHAPE_SPREAD) {
            if (!strcmp(m->name, name)) return 1;
            continue;
        }
        for (uint32_t c = 0; m->table && c < m->table->ncols; c++) {
            if (!strcmp(m->table->col[c].name, name)) return 1;
        }
    }
    return 0;
}

static int refuse_taken(writer *w, const char *name, const char *table)
{
    return TW_HOST(w)->misuse(
        w, "the document would have two members called \"%s\"; place one with put = { \"%s=other_name\" }", name,
        table);
}

static member *member_of(const writer *w, const char *table)
{
    for (member *m = w->first; m; m = m->next) {
        if (!strcmp(m->table_name, table)) return m;
    }
    return NULL;
}

/* NULL: said why. */
static member *add_member(writer *w, const char *table, size_t table_bytes, const char *name, size_t name_bytes,
                          enum shape shape)
{
    member *m = calloc(1, sizeof *m), **end = &w->first;

    if (!m || !(m->table_name = copy_text(table, table_bytes)) || !(m->name = copy_text(name, name_bytes))) {
        if (m) free(m->table_name);
        free(m);
        tw_fail(w, "out of memory for a member of the document");
        return NULL;
    }
    m->shape = shape;
    while (*end) end = &(*end)->next;
    *end = m;
    return m;
}

/* "trace_header=header", "trace_skipped=skipped[]", "trace_total=." */
static int place(writer *w, const char *put)
{
    const char *equals = strchr(put, '=');
    if (!equals || equals == put || !equals[1])
        return TW_HOST(w)->misuse(
            w, "put: \"%s\" places nothing; write it like \"disk_io=reads[]\" or \"trace_total=.\"", put);

    size_t table_bytes = (size_t)(equals - put), name_bytes = strlen(equals + 1);
    const char *name = equals + 1;
    enum shape shape = !strcmp(name, ".") ? SHAPE_SPREAD : SHAPE_AUTO;
    if (name_bytes > 2 && !strcmp(name + name_bytes - 2, "[]")) {
        shape = SHAPE_LIST;
        name_bytes -= 2;
    }
    for (const member *m = w->first; m; m = m->next) {
        if (strlen(m->table_name) == table_bytes && !memcmp(m->table_name, put, table_bytes))
            return TW_HOST(w)->misuse(w, "put: the table \"%s\" is placed twice", m->table_name);
        if (shape != SHAPE_SPREAD && m->shape != SHAPE_SPREAD && strlen(m->name) == name_bytes &&
            !memcmp(m->name, name, name_bytes))
            return refuse_taken(w, m->name, m->table_name);
    }
    return add_member(w, put, table_bytes, name, name_bytes, shape) ? TW_OK : TW_ERROR;
}

static int open_writer(void *self)
{
    writer *w = self;

    if (w->indent < 0 || w->indent > 16)
        return TW_HOST(self)->misuse(self, "indent lies between 0 and 16 blanks, like indent = 2");
    if (*w->put && !w->document)
        return TW_HOST(self)->misuse(self, "put places tables in a document; add document = true");
    if (w->table && w->document)
        return TW_HOST(self)->misuse(self,
                                     "table = true is for lines; in a document a table has a member of its own");
    w->json = (json){ .host = TW_HOST(self), .to = &w->page };
    for (const char *const *put = w->put; *put; put++) {
        if (place(w, *put) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

/* ---- Tables ---- */

static int check_columns(writer *w, const member *m, const tw_table *t)
{
    for (uint32_t c = 0; c < t->ncols; c++) {
        const char *name = t->col[c].name;
        if (w->table && !strcmp(name, "table"))
            return TW_HOST(w)->misuse(w, "\"%s\" has a column \"table\" itself; leave out table = true", t->name);
        if (m->shape == SHAPE_SPREAD && is_taken(w, name)) return refuse_taken(w, name, t->name);
        for (uint32_t before = 0; before < c; before++) {
            if (!strcmp(t->col[before].name, name))
                return TW_HOST(w)->misuse(w, "\"%s\" has two columns called \"%s\", which one object cannot hold",
                                          t->name, name);
        }
    }
    return TW_OK;
}

static int label_columns(writer *w, member *m, const tw_table *t)
{
    m->label = calloc(t->ncols + (size_t)1, sizeof *m->label);
    m->cell = calloc(t->ncols + (size_t)1, 1);
    if (!m->label || !m->cell) return tw_fail(w, "out of memory for the table \"%s\"", t->name);
    for (uint32_t c = 0; c < t->ncols; c++) {
        m->cell[c] = (uint8_t)cell_of(&t->col[c]);
        json_string(&m->labels, t->col[c].name, strlen(t->col[c].name));
        page_byte(&m->labels, ':');
        if (w->document && w->indent) page_byte(&m->labels, ' ');
        m->label[c + 1] = m->labels.n;
    }
    return m->labels.failed ? tw_fail(w, "out of memory for the table \"%s\"", t->name) : TW_OK;
}

static int announce_table(void *self, const tw_table *t)
{
    writer *w = self;
    member *m = member_of(w, t->name);

    if (!pick_table(&w->pick, w->of, t)) return TW_OK;
    if (m && m->table) {
        if (same_columns(m->table, t)) return TW_OK;
        return TW_HOST(self)->misuse(
            self, "two different tables are called \"%s\"; give one another name where it is made", t->name);
    }
    if (!m) {
        size_t n = strlen(t->name);
        if (w->document && is_taken(w, t->name)) return refuse_taken(w, t->name, t->name);
        if (!(m = add_member(w, t->name, n, t->name, n, SHAPE_LIST))) return TW_ERROR;
    }
    if (check_columns(w, m, t) != TW_OK || label_columns(w, m, t) != TW_OK) return TW_ERROR;
    m->table = t;
    return TW_OK;
}

/* ---- Rows ---- */

/* Column after column, without the braces. */
static void put_columns(writer *w, page *p, const member *m, const tw_rows *r, uint32_t row)
{
    tw_value v;

    w->json.to = p;
    for (uint32_t c = 0; c < r->table->ncols; c++) {
        if (c) page_byte(p, ',');
        if (c && w->document) page_byte(p, BREAK);
        page_put(p, m->labels.at + m->label[c], m->label[c + 1] - m->label[c]);
        if (tw_cell(r, c, row, &v)) {
            json_value(&w->json, &r->table->col[c], m->cell[c], &v);
        } else {
            page_string(p, "null");
        }
    }
}

static void put_line(writer *w, const member *m, const tw_rows *r, uint32_t row)
{
    page *p = &w->page;

    page_byte(p, '{');
    if (w->table) {
        page_string(p, "\"table\":");
        json_string(p, m->table->name, strlen(m->table->name));
        if (r->table->ncols) page_byte(p, ',');
    }
    put_columns(w, p, m, r, row);
    page_string(p, "}\n");
}

static int keep_row(writer *w, member *m, const tw_rows *r, uint32_t row)
{
    size_t before = m->rows.n;

    if (m->shape == SHAPE_SPREAD && m->nrows)
        return TW_HOST(w)->misuse(w, "put: \"%s=.\" is for a table of one row, but it has more; write \"%s=%s[]\"",
                                  m->table_name, m->table_name, m->table_name);
    m->nrows++;
    put_columns(w, &m->rows, m, r, row);
    page_byte(&m->rows, ROW_END);
    if (m->rows.failed) return tw_fail(w, "out of memory for the rows of \"%s\"", m->table_name);
    w->kept += m->rows.n - before;
    if (w->kept > DOCUMENT_LARGEST)
        return tw_fail(w,
                       "the document passed %d MiB, which are kept in memory; write rows as they come with "
                       "document = false",
                       DOCUMENT_LARGEST >> 20);
    return TW_OK;
}

static int write_rows(void *self, tw_rows *r)
{
    writer *w = self;
    member *m = member_of(w, r->table->name);

    if (!m || !m->table) return TW_OK;
    for (uint32_t row = 0; row < r->n; row++) {
        int status = TW_OK;
        if (w->document) {
            status = keep_row(w, m, r, row);
        } else {
            put_line(w, m, r, row);
            if (w->page.n >= PAGE_FULL || w->page.failed) status = page_write(&w->page, self, w->to);
        }
        if (status != TW_OK) return status;
    }
    return TW_OK;
}

static int hand_on(void *self)
{
    writer *w = self;
    return page_write(&w->page, self, w->to);
}

/* ---- The document ---- */

static void put_break(writer *w, size_t level)
{
    if (!w->indent) return;
    page_byte(&w->page, '\n');
    page_blanks(&w->page, level * (size_t)w->indent);
}

/* One kept row up to its end, broken into lines at `level`, or on one line where that is 0. Gives the byte after it. */
static const char *put_kept(writer *w, const char *at, size_t level)
{
    for (const char *run = at;; at++) {
        if (*at != BREAK && *at != ROW_END) continue;
        page_put(&w->page, run, (size_t)(at - run));
        run = at + 1;
        if (*at == ROW_END) return run;
        if (level) {
            put_break(w, level);
        } else if (w->indent) {
            page_byte(&w->page, ' ');
        }
    }
}

static void put_object(writer *w, const member *m)
{
    page_byte(&w->page, '{');
    if (m->nrows && m->table->ncols) {
        put_break(w, 2);
        put_kept(w, m->rows.at, 2);
        put_break(w, 1);
    }
    page_byte(&w->page, '}');
}

static int put_rows(writer *w, const member *m)
{
    const char *at = m->rows.at;

    page_byte(&w->page, '[');
    for (uint64_t row = 0; row < m->nrows; row++) {
        if (row) page_byte(&w->page, ',');
        put_break(w, 2);
        page_byte(&w->page, '{');
        at = put_kept(w, at, 0);
        page_byte(&w->page, '}');
        int status = w->page.n < PAGE_FULL ? TW_OK : page_write(&w->page, w, w->to);
        if (status != TW_OK) return status;
    }
    if (m->nrows) put_break(w, 1);
    page_byte(&w->page, ']');
    return TW_OK;
}

static int put_member(writer *w, const member *m)
{
    if (m->shape == SHAPE_SPREAD) {
        put_kept(w, m->rows.at, 1);
        return TW_OK;
    }
    json_string(&w->page, m->name, strlen(m->name));
    page_string(&w->page, w->indent ? ": " : ":");
    if (m->shape == SHAPE_LIST || m->nrows > 1) return put_rows(w, m);
    put_object(w, m);
    return TW_OK;
}

static int put_document(writer *w)
{
    int some = 0;

    page_byte(&w->page, '{');
    for (const member *m = w->first; m; m = m->next) {
        if (m->shape == SHAPE_SPREAD && !(m->nrows && m->table->ncols)) continue;
        if (some) page_byte(&w->page, ',');
        put_break(w, 1);
        int status = put_member(w, m);
        if (status != TW_OK) return status;
        some = 1;
    }
    if (some) put_break(w, 0);
    page_string(&w->page, "}\n");
    return TW_OK;
}

/* All tables have been announced: one that `put` places and that is not among them is misspelt. */
static int check_places(writer *w)
{
    int status = pick_check(&w->pick, w, w->of);

    for (const member *m = w->first; m && status == TW_OK; m = m->next) {
        if (!m->table) status = pick_refuse(&w->pick, w, m->table_name);
    }
    return status;
}

static int end_writer(void *self)
{
    writer *w = self;
    int status = check_places(w);

    if (status == TW_OK && w->document) status = put_document(w);
    return status == TW_OK ? hand_on(self) : status;
}

static void close_writer(void *self)
{
    writer *w = self;
    for (member *m = w->first, *next; m; m = next) {
        next = m->next;
        page_free(&m->rows);
        page_free(&m->labels);
        free(m->table_name);
        free(m->name);
        free(m->label);
        free(m->cell);
        free(m);
    }
    w->first = NULL;
    page_free(&w->page);
    page_free(&w->json.scratch);
    pick_free(&w->pick);
}

const tw_stage json_write = {
    .size = sizeof(tw_stage),
    .name = "write",
    .help = "Write tables as JSON: an object a row and line, or one document.",
    .state = sizeof(writer),
    .options = options,
    .open = open_writer,
    .table = announce_table,
    .rows = write_rows,
    .tick = hand_on,
    .end = end_writer,
    .close = close_writer,
};
