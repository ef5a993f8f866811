/* grid.c - text.grid: tables for people, in aligned columns.

   One idea: the first rows of a table are kept until they tell how wide its columns are; then they are written, and all
   later rows at once, in the same widths. A cell that is wider pushes the rest of its line to the right: nothing is cut
   unless `width` says so. */
#include "../common/text/cell.h"
#include "../common/text/page.h"
#include "../common/text/pick.h"
#include "screen.h"

extern const tw_stage text_grid;

enum {
    KEPT_ROWS = 500,      /* that decide about widths */
    KEPT_BYTES = 4 << 20, /* of them; a table of long cells is begun earlier */
    WIDEST = 72,          /* columns are padded to at most this */
    STANDING_COLUMNS = 7, /* from here on a table of one row is shown a line a column, */
    STANDING_ROWS = 3,    /* and one of so few rows if these would be */
    STANDING_WIDTH = 160, /* wider than that */
    FOLDED = 24           /* the least room for text that goes on below */
};

typedef struct cut { /* one cell in a sheet's text */
    size_t at;
    uint32_t bytes, width;
    uint32_t tail; /* of width: from a fraction's point on */
} cut;

typedef struct sheet { /* one table */
    struct sheet *next;
    const tw_table *table;
    uint32_t ncols, *from; /* columns that are shown, and which of the table's they are */
    tw_text *head;         /* what stands above them: their names, or words of the options */
    page text;             /* of the cells that are kept; later of one row */
    cut *cell;             /* row by row */
    size_t ncells, cap;
    uint32_t *width, *tail; /* a column */
    uint8_t *kind;          /* enum cell, one a column */
    uint64_t shown, left;   /* rows, by `rows` */
    int begun;
} sheet;

typedef struct grid {
    tw_self tw;
    tw_output *to;
    const char *const *of, *const *columns;
    int64_t rows, width, fold;
    int title, empty;
    page page;
    page scratch; /* one cell, before it is made fit to be shown */
    page_moment moment;
    pick pick;
    sheet *first;
    const sheet *last; /* whose heading stands above the line that comes next */
    uint32_t ntables;
} grid;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(grid, to, TW_OPT_OUTPUT, "-", "where the tables go"),
    TW_OPTION(grid, of, TW_OPT_LIST, "", "tables to show; all if none is named"),
    TW_OPTION(grid, columns, TW_OPT_LIST, "", "columns of a table to show, and what to call them: \"reads=time who=pid bytes\"; all where none are named"),
    TW_OPTION(grid, rows, TW_OPT_INT, "0", "rows to show of each table; 0: all"),
    TW_OPTION(grid, width, TW_OPT_INT, "0", "columns of the screen, where lines are cut; 0: not at all"),
    TW_OPTION(grid, fold, TW_OPT_INT, "0", "columns of the screen, where text of the last column, or of a table of one row, goes on below; 0: not at all"),
    TW_OPTION(grid, title, TW_OPT_BOOL, "true", "name the tables, where there are several"),
    TW_OPTION(grid, empty, TW_OPT_BOOL, "true", "show tables without rows, too"),
    { 0 }
};
// clang-format on

static int open_grid(void *self)
{
    const grid *g = self;
    for (const char *const *c = g->columns; *c; c++) {
        const char *equals = strchr(*c, '=');
        if (!equals || equals == *c || !equals[1])
            return TW_HOST(self)->misuse(
                self, "columns: \"%s\" names no table and its columns, like \"reads=time pid\"", *c);
    }
    if (g->fold < 0) return TW_HOST(self)->misuse(self, "fold counts columns of the screen, like fold = 120");
    if (g->rows < 0) return TW_HOST(self)->misuse(self, "rows counts rows, like rows = 20; 0 shows all");
    if (g->width < 0) return TW_HOST(self)->misuse(self, "width counts columns of the screen, like width = 120");
    return TW_OK;
}

/* ---- Cells ---- */

/* Appends the cell's text as it may be shown; its width. */
static size_t put_cell(grid *g, page *p, const tw_field *column, enum cell kind, const tw_value *v)
{
    size_t before = p->n;

    g->scratch.n = 0;
    switch (kind) {
    case CELL_UNSIGNED: page_unsigned(p, v->u); return p->n - before;
    case CELL_SIGNED: page_signed(p, v->i); return p->n - before;
    case CELL_TIME: page_time(p, TW_HOST(g), &g->moment, v->i); return p->n - before;
    case CELL_TEXT: return screen_put(p, v->t.at, v->t.bytes);
    default: page_value(&g->scratch, TW_HOST(g), column, v); break;
    }
    if (g->scratch.failed) p->failed = 1;
    return screen_put(p, g->scratch.at, g->scratch.n);
}

static int stands_right(enum cell kind)
{
    return kind == CELL_UNSIGNED || kind == CELL_SIGNED || kind == CELL_SPAN || kind == CELL_FLOAT;
}

/* Fractions stand below each other by their points. */
static uint32_t tail_of(const char *number, size_t n)
{
    const char *point = n ? memchr(number, '.', n) : NULL;
    return point && !memchr(number, 'e', n) ? (uint32_t)(number + n - point) : 0;
}

static const tw_field *column_of(const sheet *s, uint32_t c)
{
    return &s->table->col[s->from[c]];
}

static size_t head_width(const sheet *s, uint32_t c)
{
    return screen_width(s->head[c].at, s->head[c].bytes);
}

static int keep_row(grid *g, sheet *s, const tw_rows *r, uint32_t row)
{
    uint32_t n = s->ncols;
    tw_value v;

    if (s->cap - s->ncells < n) {
        size_t cap = s->cap * 2 + n;
        cut *cell = realloc(s->cell, cap * sizeof *cell);
        if (!cell) return tw_fail(g, "out of memory for the first rows of \"%s\"", s->table->name);
        s->cell = cell;
        s->cap = cap;
    }
    for (uint32_t c = 0; c < n; c++) {
        cut *cell = &s->cell[s->ncells++];
        cell->at = s->text.n;
        if (tw_cell(r, s->from[c], row, &v)) {
            cell->width = (uint32_t)put_cell(g, &s->text, column_of(s, c), s->kind[c], &v);
        } else {
            page_byte(&s->text, '-');
            cell->width = 1;
        }
        cell->bytes = (uint32_t)(s->text.n - cell->at);
        cell->tail = s->kind[c] == CELL_FLOAT && !s->text.failed ? tail_of(s->text.at + cell->at, cell->bytes) : 0;
    }
    return s->text.failed ? tw_fail(g, "out of memory for the first rows of \"%s\"", s->table->name) : TW_OK;
}

/* ---- Lines ---- */

static int is_titled(const grid *g)
{
    return g->title && g->ntables > 1;
}

static void begin_line(grid *g)
{
    if (is_titled(g)) page_string(&g->page, "  ");
}

/* Ends the line that began at `start`: no blanks at its end, and no more than `width` columns. */
static void end_line(grid *g, size_t start)
{
    static const char cut_off[] = "\xE2\x80\xA6"; /* … */
    page *p = &g->page;
    size_t width = (size_t)g->width;

    if (p->failed) return;
    while (p->n > start && p->at[p->n - 1] == ' ') p->n--;
    if (width && screen_width(p->at + start, p->n - start) > width) {
        p->n = start + screen_fit(p->at + start, p->n - start, width - 1);
        page_string(p, cut_off);
    }
    page_byte(p, '\n');
}

static void put_padded(grid *g, const char *text, size_t bytes, size_t width, size_t column, int right)
{
    size_t blanks = column > width ? column - width : 0;
    if (right) page_blanks(&g->page, blanks);
    page_put(&g->page, text, bytes);
    if (!right) page_blanks(&g->page, blanks);
}

/* n bytes of text, in lines of at most `room` columns; all but the first begin behind `indent`. */
static void put_folded(grid *g, const char *text, size_t n, size_t indent, size_t room)
{
    while (n) {
        size_t fit = screen_fit(text, n, room), take = fit;
        if (fit < n) {
            while (take && text[take] != ' ') take--;
            if (!take) take = fit;
        }
        page_put(&g->page, text, take);
        for (text += take, n -= take; n && *text == ' '; n--) text++;
        if (!n) return;
        page_byte(&g->page, '\n');
        page_blanks(&g->page, indent);
    }
}

/* The text of column c, the last of its line, goes on below where it would reach too far; 1: done. */
static int fold_cell(grid *g, const sheet *s, uint32_t c, const cut *cell, size_t start)
{
    size_t fold = (size_t)g->fold;

    if (!fold || g->page.failed || stands_right(s->kind[c])) return 0;
    size_t indent = screen_width(g->page.at + start, g->page.n - start);
    if (indent + cell->width <= fold || indent + FOLDED > fold) return 0;
    put_folded(g, s->text.at + cell->at, cell->bytes, indent, fold - indent);
    return 1;
}

static void put_row(grid *g, const sheet *s, const cut *cell)
{
    size_t start = g->page.n;

    begin_line(g);
    for (uint32_t c = 0; c < s->ncols; c++) {
        if (c) page_string(&g->page, "  ");
        if (c + 1 == s->ncols && fold_cell(g, s, c, &cell[c], start)) break;
        size_t behind = s->tail[c] > cell[c].tail ? s->tail[c] - cell[c].tail : 0;
        put_padded(g, s->text.at + cell[c].at, cell[c].bytes, cell[c].width + behind, s->width[c],
                   stands_right(s->kind[c]));
        page_blanks(&g->page, behind);
    }
    end_line(g, start);
}

static void put_title(grid *g, const sheet *s)
{
    if (g->last) page_byte(&g->page, '\n');
    if (is_titled(g)) {
        size_t start = g->page.n;
        page_string(&g->page, s->table->name);
        end_line(g, start);
    }
    g->last = s;
}

static void put_heading(grid *g, const sheet *s)
{
    put_title(g, s);
    size_t start = g->page.n;
    begin_line(g);
    for (uint32_t c = 0; c < s->ncols; c++) {
        if (c) page_string(&g->page, "  ");
        put_padded(g, s->head[c].at, s->head[c].bytes, head_width(s, c), s->width[c], stands_right(s->kind[c]));
    }
    end_line(g, start);
}

/* ---- Tables ---- */

static void find_widths(sheet *s)
{
    for (uint32_t c = 0; c < s->ncols; c++) {
        uint32_t head = 0, width = (uint32_t)head_width(s, c);
        for (size_t i = c; i < s->ncells; i += s->ncols) {
            const cut *cell = &s->cell[i];
            if (head < cell->width - cell->tail) head = cell->width - cell->tail;
            if (s->tail[c] < cell->tail) s->tail[c] = cell->tail;
        }
        if (head + s->tail[c] > width) width = head + s->tail[c];
        s->width[c] = width < WIDEST ? width : WIDEST;
    }
}

/* A wide table of few rows: a line a column. */
static int is_standing(sheet *s)
{
    size_t width = 0;

    if (s->left || s->shown > STANDING_ROWS || s->ncols < STANDING_COLUMNS) return 0;
    find_widths(s);
    for (uint32_t c = 0; c < s->ncols; c++) width += s->width[c] + 2;
    return s->shown == 1 || width > STANDING_WIDTH;
}

static void put_standing(grid *g, const sheet *s)
{
    size_t widest = 0, row_width[STANDING_ROWS] = { 0 };

    put_title(g, s);
    for (uint32_t c = 0; c < s->ncols; c++) {
        size_t width = head_width(s, c);
        if (widest < width) widest = width;
        for (uint32_t row = 0; row < s->shown; row++) {
            width = s->cell[row * s->ncols + c].width;
            if (row_width[row] < width) row_width[row] = width < WIDEST ? width : WIDEST;
        }
    }
    for (uint32_t c = 0; c < s->ncols; c++) {
        size_t start = g->page.n;
        begin_line(g);
        put_padded(g, s->head[c].at, s->head[c].bytes, head_width(s, c), widest, 0);
        for (uint32_t row = 0; row < s->shown; row++) {
            const cut *cell = &s->cell[row * s->ncols + c];
            page_string(&g->page, "  ");
            if (s->shown == 1 && fold_cell(g, s, c, cell, start)) break;
            put_padded(g, s->text.at + cell->at, cell->bytes, cell->width, row_width[row], 0);
        }
        end_line(g, start);
    }
}

/* Writes the rows that were kept. */
static void begin_sheet(grid *g, sheet *s)
{
    s->begun = 1;
    find_widths(s);
    put_heading(g, s);
    for (size_t i = 0; i < s->ncells; i += s->ncols) put_row(g, s, s->cell + i);
    s->ncells = s->text.n = 0;
}

static void put_empty(grid *g, const sheet *s)
{
    put_title(g, s);
    begin_line(g);
    page_string(&g->page, "no rows\n");
}

static void finish_sheet(grid *g, sheet *s)
{
    if (s->begun) {
        if (s->left && g->last != s) put_title(g, s);
    } else if (!s->shown) {
        if (g->empty) put_empty(g, s);
    } else if (is_standing(s)) {
        put_standing(g, s);
    } else {
        begin_sheet(g, s);
    }
    if (!s->left) return;
    begin_line(g);
    page_string(&g->page, "\xE2\x80\xA6 "); /* … */
    page_unsigned(&g->page, s->left);
    page_string(&g->page, s->left == 1 ? " more row\n" : " more rows\n");
}

static sheet *sheet_of(const grid *g, const tw_table *t)
{
    for (sheet *s = g->first; s; s = s->next) {
        if (s->table == t || (!strcmp(s->table->name, t->name) && same_columns(s->table, t))) return s;
    }
    return NULL;
}

/* The columns that the option names for this table, or NULL. */
static const char *columns_for(const grid *g, const char *table)
{
    size_t n = strlen(table);

    for (const char *const *c = g->columns; *c; c++) {
        if (!strncmp(*c, table, n) && (*c)[n] == '=') return *c + n + 1;
    }
    return NULL;
}

/* The column that n bytes of `word` name, and what to call it, become the next that is shown. */
static int choose_column(grid *g, sheet *s, const char *word, size_t n)
{
    const tw_table *t = s->table;
    const char *equals = memchr(word, '=', n), *name = equals ? equals + 1 : word;
    size_t length = n - (size_t)(name - word);
    uint32_t c = 0;

    while (c < t->ncols && (strncmp(t->col[c].name, name, length) != 0 || t->col[c].name[length])) c++;
    if (c == t->ncols)
        return TW_HOST(g)->misuse(g, "columns: the table \"%s\" has no column \"%.*s\"; its first is \"%s\"", t->name,
                                  (int)length, name, t->ncols ? t->col[0].name : "");
    s->head[s->ncols] = (tw_text){ word, (uint32_t)(equals ? (size_t)(equals - word) : n), 0 };
    s->from[s->ncols++] = c;
    return TW_OK;
}

static int choose_columns(grid *g, sheet *s)
{
    const tw_table *t = s->table;
    const char *names = columns_for(g, t->name);
    size_t most = names ? strlen(names) : t->ncols;

    s->from = calloc(most + 1, sizeof *s->from);
    s->head = calloc(most + 1, sizeof *s->head);
    if (!s->from || !s->head) return tw_fail(g, "out of memory for the table \"%s\"", t->name);
    for (; !names && s->ncols < t->ncols; s->ncols++) {
        s->from[s->ncols] = s->ncols;
        s->head[s->ncols] = (tw_text){ t->col[s->ncols].name, (uint32_t)strlen(t->col[s->ncols].name), 0 };
    }
    while (names && *(names += strspn(names, " "))) {
        size_t n = strcspn(names, " ");
        if (choose_column(g, s, names, n) != TW_OK) return TW_ERROR;
        names += n;
    }
    return s->ncols ? TW_OK : TW_HOST(g)->misuse(g, "the table \"%s\" has no columns to show", t->name);
}

static int announce_table(void *self, const tw_table *t)
{
    grid *g = self;
    sheet **end = &g->first;

    if (!pick_table(&g->pick, g->of, t) || sheet_of(g, t)) return TW_OK;
    sheet *s = calloc(1, sizeof *s);
    if (!s) return tw_fail(self, "out of memory for the table \"%s\"", t->name);
    while (*end) end = &(*end)->next;
    *end = s;
    g->ntables++;
    s->table = t;
    if (choose_columns(g, s) != TW_OK) return TW_ERROR;
    s->width = calloc(s->ncols + (size_t)1, sizeof *s->width);
    s->tail = calloc(s->ncols + (size_t)1, sizeof *s->tail);
    s->kind = calloc(s->ncols + (size_t)1, 1);
    if (!s->width || !s->tail || !s->kind) return tw_fail(self, "out of memory for the table \"%s\"", t->name);
    for (uint32_t c = 0; c < s->ncols; c++) s->kind[c] = (uint8_t)cell_of(column_of(s, c));
    return TW_OK;
}

static int show_row(grid *g, sheet *s, const tw_rows *r, uint32_t row)
{
    if (g->rows && s->shown == (uint64_t)g->rows) {
        s->left++;
        return TW_OK;
    }
    s->shown++;
    if (keep_row(g, s, r, row) != TW_OK) return TW_ERROR;
    if (!s->begun) {
        if (s->ncells / s->ncols >= KEPT_ROWS || s->text.n >= KEPT_BYTES) begin_sheet(g, s);
    } else {
        if (g->last != s) put_heading(g, s);
        put_row(g, s, s->cell);
        s->ncells = s->text.n = 0;
    }
    return g->page.n < PAGE_FULL && !g->page.failed ? TW_OK : page_write(&g->page, g, g->to);
}

static int show_rows(void *self, tw_rows *r)
{
    grid *g = self;
    sheet *s = sheet_of(g, r->table);
    int status = TW_OK;

    for (uint32_t row = 0; s && row < r->n && status == TW_OK; row++) status = show_row(g, s, r, row);
    return status;
}

static int hand_on(void *self)
{
    grid *g = self;
    return page_write(&g->page, self, g->to);
}

/* All have been announced: one whose columns are named and that is not among them is misspelt. */
static int check_table(grid *g, const char *columns)
{
    char table[128];
    size_t n = (size_t)(strchr(columns, '=') - columns);

    if (n >= sizeof table) n = sizeof table - 1;
    memcpy(table, columns, n);
    table[n] = 0;
    return pick_saw(&g->pick, table) ? TW_OK : pick_refuse(&g->pick, g, table);
}

static int end_grid(void *self)
{
    grid *g = self;
    int status = pick_check(&g->pick, self, g->of);

    for (const char *const *c = g->columns; *c && status == TW_OK; c++) status = check_table(g, *c);

    for (sheet *s = g->first; s && status == TW_OK; s = s->next) {
        finish_sheet(g, s);
        status = hand_on(self);
    }
    return status;
}

static void close_grid(void *self)
{
    grid *g = self;
    for (sheet *s = g->first, *next; s; s = next) {
        next = s->next;
        page_free(&s->text);
        free(s->from);
        free(s->head);
        free(s->cell);
        free(s->width);
        free(s->tail);
        free(s->kind);
        free(s);
    }
    g->first = NULL;
    page_free(&g->page);
    page_free(&g->scratch);
    pick_free(&g->pick);
}

const tw_stage text_grid = {
    .size = sizeof(tw_stage),
    .name = "grid",
    .help = "Show tables in aligned columns.",
    .state = sizeof(grid),
    .options = options,
    .open = open_grid,
    .table = announce_table,
    .rows = show_rows,
    .tick = hand_on,
    .end = end_grid,
    .close = close_grid,
};
