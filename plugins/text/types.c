/* types.c - text.types: types of events as people write a struct.

   One idea: the stage `types` says all there is to say, in two tables; this only puts the rows of both in a form that is
   read from top to bottom. Rows of fields come behind those of types, so these are kept until the end. */
#include "../common/text/page.h"
#include "screen.h"

extern const tw_stage text_types;

enum { NAMES_SHOWN = 400 /* bytes; all names of values are in the table */, DECLARED = 16 };

typedef struct entry { /* one type */
    uint64_t number;
    page head, fields;
    uint64_t depth; /* structs that are open */
} entry;

typedef struct view {
    tw_self tw;
    tw_output *to;
    const char *of, *fields;
    page page;
    page scratch; /* what the host printed, before it is made fit to be shown */
    entry *entry;
    uint32_t n, cap;
} view;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(view, to, TW_OPT_OUTPUT, "-", "where the types go"),
    TW_OPTION(view, of, TW_OPT_TEXT, "types", "the table of types"),
    TW_OPTION(view, fields, TW_OPT_TEXT, "type_fields", "the table of their fields"),
    { 0 }
};
// clang-format on

/* ---- Cells ---- */

/* The column of that name, or -1. */
static int column_of(const tw_rows *r, const char *name)
{
    for (uint32_t c = 0; c < r->table->ncols; c++) {
        if (!strcmp(r->table->col[c].name, name)) return (int)c;
    }
    return -1;
}

/* 1 where the cell has a value. */
static int cell(const tw_rows *r, uint32_t row, const char *name, tw_value *v)
{
    int c = column_of(r, name);
    return c >= 0 && tw_cell(r, (uint32_t)c, row, v);
}

static uint64_t number(const tw_rows *r, uint32_t row, const char *name)
{
    tw_value v;
    return cell(r, row, name, &v) ? v.u : 0;
}

/* A cell as it may be shown, at most `most` bytes of it (0: all); its width. */
static size_t put_cell(view *w, page *p, const tw_rows *r, uint32_t row, const char *name, size_t most)
{
    tw_value v;
    int c = column_of(r, name);

    if (c < 0 || !tw_cell(r, (uint32_t)c, row, &v)) return 0;
    w->scratch.n = 0;
    page_value(&w->scratch, TW_HOST(w), &r->table->col[c], &v);
    if (w->scratch.failed) {
        p->failed = 1;
        return 0;
    }
    size_t all = w->scratch.n, n = most && all > most ? most : all;
    while (n < all && n && ((uint8_t)w->scratch.at[n] & 0xC0) == 0x80) n--;
    size_t width = screen_put(p, w->scratch.at, n);
    if (n == all) return width;
    page_string(p, "\xE2\x80\xA6 ("); /* … */
    page_unsigned(p, all);
    page_string(p, " bytes)");
    return width;
}

/* "task Start (1)", or "task 1"; nothing where it is 0 and has no name. */
static void put_named(view *w, page *p, const tw_rows *r, uint32_t row, const char *what, const char *name_column)
{
    tw_value v;
    uint64_t n = number(r, row, what);
    int has_name = cell(r, row, name_column, &v);

    if (!n && !has_name) return;
    page_string(p, ", ");
    page_string(p, what);
    page_byte(p, ' ');
    if (!has_name) {
        page_unsigned(p, n);
        return;
    }
    put_cell(w, p, r, row, name_column, 0);
    page_string(p, " (");
    page_unsigned(p, n);
    page_byte(p, ')');
}

/* ---- Types ---- */

static void put_counted(page *p, const tw_rows *r, uint32_t row)
{
    uint64_t events = number(r, row, "events");

    if (!events) return;
    page_string(p, ", ");
    page_unsigned(p, events);
    page_string(p, events == 1 ? " event of " : " events of ");
    page_unsigned(p, number(r, row, "bytes"));
    page_string(p, " bytes");
}

static void put_head(view *w, page *p, const tw_rows *r, uint32_t row)
{
    tw_value v;

    put_cell(w, p, r, row, "provider", 0);
    page_byte(p, '/');
    put_cell(w, p, r, row, "event", 0);
    page_string(p, "  id ");
    page_unsigned(p, number(r, row, "id"));
    page_string(p, ", version ");
    page_unsigned(p, number(r, row, "version"));
    put_counted(p, r, row);
    page_string(p, "\n  ");
    if (cell(r, row, "origin", &v)) {
        page_string(p, "fields: ");
        put_cell(w, p, r, row, "origin", 0);
    } else {
        page_string(p, "no fields: ");
        if (!put_cell(w, p, r, row, "why", 0)) page_string(p, "nobody says why");
    }
    put_named(w, p, r, row, "task", "task_name");
    put_named(w, p, r, row, "opcode", "opcode_name");
    put_named(w, p, r, row, "level", "level_name");
    put_named(w, p, r, row, "channel", "channel_name");
    if (cell(r, row, "keywords", &v)) {
        page_string(p, ", keywords ");
        put_cell(w, p, r, row, "keywords", 0);
    } else if (number(r, row, "keyword")) {
        page_string(p, ", keyword ");
        put_cell(w, p, r, row, "keyword", 0);
    }
    if (cell(r, row, "guid", &v)) {
        page_string(p, ", guid ");
        put_cell(w, p, r, row, "guid", 0);
    }
    if (number(r, row, "pointer") == 4) page_string(p, ", 4-byte pointers");
    page_byte(p, '\n');
    if (!cell(r, row, "message", &v)) return;
    page_string(p, "  message: ");
    put_cell(w, p, r, row, "message", 0);
    page_byte(p, '\n');
}

static int add_types(view *w, const tw_rows *r)
{
    for (uint32_t row = 0; row < r->n; row++) {
        if (w->n == w->cap) {
            uint32_t cap = w->cap ? w->cap * 2 : 64;
            entry *more = realloc(w->entry, cap * sizeof *more);
            if (!more) return tw_fail(w, "out of memory for types");
            w->entry = more;
            w->cap = cap;
        }
        entry *e = &w->entry[w->n++];
        memset(e, 0, sizeof *e);
        e->number = number(r, row, "type");
        put_head(w, &e->head, r, row);
    }
    return TW_OK;
}

/* ---- Fields ---- */

static void indent(page *p, uint64_t depth)
{
    page_blanks(p, 4 + 4 * (size_t)depth);
}

static void close_structs(entry *e, uint64_t depth)
{
    while (e->depth > depth) {
        e->depth--;
        indent(&e->fields, e->depth);
        page_string(&e->fields, "}\n");
    }
}

static int is_struct(const tw_rows *r, uint32_t row)
{
    tw_value v;
    return cell(r, row, "kind", &v) && v.t.bytes == 6 && !memcmp(v.t.at, "struct", 6);
}

static void put_field(view *w, entry *e, const tw_rows *r, uint32_t row)
{
    page *p = &e->fields;
    tw_value v;
    uint64_t depth = number(r, row, "depth");

    close_structs(e, depth);
    indent(p, depth);
    size_t width = put_cell(w, p, r, row, "declared", 0);
    page_blanks(p, width < DECLARED ? DECLARED + 2 - width : 2);
    put_cell(w, p, r, row, "name", 0);
    if (is_struct(r, row)) {
        page_string(p, " {");
        e->depth = depth + 1;
    }
    if (cell(r, row, "names", &v)) {
        page_string(p, "  (");
        put_cell(w, p, r, row, "names", NAMES_SHOWN);
        page_byte(p, ')');
    }
    if (cell(r, row, "help", &v)) {
        page_string(p, "  - ");
        put_cell(w, p, r, row, "help", 0);
    }
    page_byte(p, '\n');
}

/* Rows of fields come in the order of types, so the entry is the one at hand or one of the next. */
static void add_fields(view *w, const tw_rows *r)
{
    uint32_t at = 0;

    for (uint32_t row = 0; row < r->n; row++) {
        uint64_t type = number(r, row, "type");
        uint32_t tried = 0;
        while (tried < w->n && w->entry[at].number != type) {
            at = (at + 1) % w->n;
            tried++;
        }
        if (tried < w->n) put_field(w, &w->entry[at], r, row);
    }
}

/* ---- The sink ---- */

static int keep_rows(void *self, tw_rows *r)
{
    view *w = self;

    if (!strcmp(r->table->name, w->of)) return add_types(w, r);
    if (w->n && !strcmp(r->table->name, w->fields)) add_fields(w, r);
    return TW_OK;
}

static int show_types(void *self)
{
    view *w = self;
    int status = TW_OK;

    for (uint32_t i = 0; i < w->n && status == TW_OK; i++) {
        entry *e = &w->entry[i];
        close_structs(e, 0);
        if (i) page_byte(&w->page, '\n');
        page_put(&w->page, e->head.at, e->head.n);
        page_put(&w->page, e->fields.at, e->fields.n);
        if (e->head.failed || e->fields.failed) w->page.failed = 1;
        status = page_write(&w->page, self, w->to);
    }
    return status;
}

static void close_view(void *self)
{
    view *w = self;

    for (uint32_t i = 0; i < w->n; i++) {
        page_free(&w->entry[i].head);
        page_free(&w->entry[i].fields);
    }
    free(w->entry);
    w->entry = NULL;
    w->n = 0;
    page_free(&w->page);
    page_free(&w->scratch);
}

const tw_stage text_types = {
    .size = sizeof(tw_stage),
    .name = "types",
    .help = "Show what the stage `types` lists as people write structs.",
    .state = sizeof(view),
    .options = options,
    .rows = keep_rows,
    .end = show_types,
    .close = close_view,
};
