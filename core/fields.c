/* fields.c - the stage `fields`: events become rows of one table.

   One idea: what a column means is worked out once for each type of event: copy these bytes, write this constant,
   or ask. The kinds of the columns are settled when the first row is made, since a table cannot change. */
#include "batch.h"
#include "bus.h"
#include "column.h"
#include "stock.h"

enum way { NULL_CELL, COPY, CONSTANT, ASK };

typedef struct cell {           /* how one column is filled for events of one type */
    uint8_t way, bytes, agrees; /* agrees: numbers are called as the column calls them */
    name name;
} cell;

typedef struct fields {
    tw_self tw;
    const char *const *columns; /* options */
    const char *const *on;
    const char *as;
    column *column;
    uint32_t n;
    const tw_table *table; /* once a first event has come */
    tw_rows *rows;
    arena memory;
    const cell *cells[TW_TYPES]; /* n for each type; NULL: not asked yet */
} fields;

enum { OF_ANOTHER_KIND };

static const cell no_row[1]; /* of types that make none */

static int fields_open(void *self)
{
    fields *s = self;

    for (const char *const *c = s->columns; *c; c++) s->n++;
    if (!s->n)
        return TW_HOST(self)->misuse(self,
                                     "no column is named; write fields { \"time\", \"provider\", \"TransferSize\" }");
    if (!*s->as) return TW_HOST(self)->misuse(self, "the table needs a name, as in as = \"reads\"");
    s->column = arena_alloc(&s->memory, s->n * sizeof *s->column);
    for (uint32_t i = 0; i < s->n; i++)
        if (column_read(self, s->columns[i], &s->column[i]) != TW_OK) return TW_ERROR;
    return TW_OK;
}

static int is_on(const fields *s, const tw_type *t)
{
    return !*s->on || stock_fits(t, s->on);
}

static void learn(fields *s, const tw_type *t)
{
    name n;

    for (uint32_t c = 0; c < s->n; c++) {
        name_resolve(t, s->column[c].word, &n);
        column_learn(&s->column[c], &n);
    }
}

/* The kinds are those of the first type that has the name: of those whose events come first, else of all that are known
   by now. A filter before may keep away the events of a type that calls something else so. */
static int make_table(fields *s, const tw_batch *b)
{
    const types *all = bus_types(s);

    for (uint32_t i = 0; b && i < b->n; i++)
        if (is_on(s, s->tw.type[b->event[i].type])) learn(s, s->tw.type[b->event[i].type]);
    for (uint32_t id = 1; id <= types_count(all); id++)
        if (is_on(s, s->tw.type[id])) learn(s, s->tw.type[id]);
    learn(s, s->tw.type[0]); /* names of the header */
    if (column_table(s, s->as, "Events as rows", s->column, s->n, NULL, 0, &s->table) != TW_OK) return TW_ERROR;
    s->rows = TW_HOST(s)->table(s, s->table);
    return TW_OK;
}

static void plan_cell(const fields *s, uint32_t c, const tw_type *t, cell *out)
{
    const tw_field *col = &s->table->col[c];

    name_resolve(t, s->column[c].word, &out->name);
    out->bytes = (uint8_t)kind_bytes(col);
    out->agrees = (uint8_t)(!col->names || column_agrees(&s->column[c], &out->name));
    switch (out->name.from) {
    case NAME_NONE: out->way = NULL_CELL; break;
    case NAME_EVENT: out->way = out->name.kind == col->kind ? COPY : ASK; break;
    case NAME_TYPE: /* texts of a type live as long as any row */
        out->way = out->name.value.kind == col->kind && col->kind == TW_TEXT ? CONSTANT
                   : out->name.value.kind                                    ? ASK
                                                                             : NULL_CELL;
        break;
    default: out->way = ASK; break;
    }
    if (out->name.from != NAME_NONE) s->column[c].seen = 1;
}

static const cell *cells_for(fields *s, uint32_t type)
{
    const tw_type *t = s->tw.type[type];
    cell *cells;

    if (!is_on(s, t)) return s->cells[type] = no_row;
    cells = arena_alloc(&s->memory, s->n * sizeof *cells);
    for (uint32_t c = 0; c < s->n; c++) plan_cell(s, c, t, &cells[c]);
    return s->cells[type] = cells;
}

static void fill(fields *s, tw_batch *b, const tw_event *e, const cell *cells)
{
    tw_rows *r = s->rows;
    uint32_t row = r->n;
    tw_value v;

    for (uint32_t c = 0; c < s->n; c++) {
        const cell *how = &cells[c];
        uint8_t *at = (uint8_t *)r->col[c] + (size_t)row * how->bytes;
        switch (how->way) {
        case COPY: memcpy(at, (const uint8_t *)e + how->name.offset, how->bytes); break;
        case CONSTANT: memcpy(at, &how->name.value.t, sizeof(tw_text)); break;
        case ASK:
            if (name_get(s, b, e, &how->name, &v) != TW_OK) {
                r->null[c][row] = 1;
            } else if (!column_put(r, c, row, how->agrees ? &v : NULL, how->name.column) || !how->agrees) {
                tw_count(s, OF_ANOTHER_KIND, 1);
            }
            break;
        default: r->null[c][row] = 1; break;
        }
    }
    r->n++;
}

static int fields_events(void *self, tw_batch *b)
{
    fields *s = self;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const cell *cells = s->cells[e->type];
        if (!cells && !s->table && is_on(s, s->tw.type[e->type]) && make_table(s, b) != TW_OK) return TW_ERROR;
        if (!cells) cells = cells_for(s, e->type);
        if (cells == no_row) continue;
        fill(s, b, e, cells);
        if (s->rows->n < s->rows->cap) continue;
        int rc = TW_HOST(s)->push(s, s->rows);
        if (rc != TW_OK) return rc;
    }
    return TW_OK;
}

static int fields_tick(void *self)
{
    fields *s = self;
    return s->rows && s->rows->n ? TW_HOST(s)->push(s, s->rows) : TW_OK;
}

/* The rows that are left are the host's to send. */
static int fields_end(void *self)
{
    fields *s = self;

    if (!s->table && make_table(s, NULL) != TW_OK) return TW_ERROR;
    column_remark(s, s->column, s->n);
    stock_miss(s, s->on);
    return TW_OK;
}

static void fields_close(void *self)
{
    arena_free(&((fields *)self)->memory);
}

static const tw_option options[] = {
    { "columns", NULL, "names of values, in order: { \"time\", \"pid\", \"size=TransferSize\" }; new=old renames",
      TW_OPT_LIST, offsetof(fields, columns) },
    { "on", "", "events that become rows: on = { \"DiskIo/*\" }; without it, all", TW_OPT_LIST,
      offsetof(fields, on) },
    { "as", "fields", "name of the table: as = \"reads\"", TW_OPT_TEXT, offsetof(fields, as) },
    { 0 },
};

static const tw_counter counters[] = {
    { "of another kind", "values left out because their column holds another kind, or calls them otherwise",
      TW_WARNING },
    { 0 },
};

const tw_stage fields_stage = {
    .size = sizeof(tw_stage),
    .name = "fields",
    .help = "Make events rows of a table: fields { \"time\", \"pid\", \"TransferSize\", on = { \"DiskIo/*\" }, as = "
            "\"reads\" }",
    .state = sizeof(fields),
    .options = options,
    .counters = counters,
    .open = fields_open,
    .events = fields_events,
    .tick = fields_tick,
    .end = fields_end,
    .close = fields_close,
};
