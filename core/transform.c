/* transform.c - the stage `transform`: a Lua function of named values makes rows of a table that the file declares.

   One idea: `emit` is written for the table's columns, so that compiled code checks each value and puts it where it
   belongs. Rows gather in arrays of our own and are sent on when the loop has come back, so that nothing downstream is
   ever called from inside Lua. */
#include <inttypes.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "lua_loop.h"
#include "stock.h"
#include "unit.h"

enum {
    FULL = 1024,     /* rows after which the loop comes back */
    ROOM = 2 * FULL, /* at first */
    MOST = 1 << 20   /* rows that a batch may make before it comes back: one event that makes more is a mistake */
};

// clang-format off
const loop_kind loop_kinds[] = {
    { "u32", TW_U32, 0 }, { "u64", TW_U64, 0 }, { "i64", TW_I64, 0 }, { "f64", TW_F64, 0 }, { "text", TW_TEXT, 0 },
    { "bool", TW_BOOL, 0 }, { "time", TW_TIME, 0 }, { "span", TW_SPAN, 0 }, { "hex", TW_U64, TW_SHOW_HEX },
    { "address", TW_U64, TW_SHOW_ADDRESS }, { "pid", TW_U32, TW_SHOW_PID }, { "tid", TW_U32, TW_SHOW_TID },
    { "u8", TW_U8, 0 }, { "u16", TW_U16, 0 }, { "i32", TW_I32, 0 }, { NULL, 0, 0 }
};
// clang-format on

typedef struct transform {
    tw_self tw;
    const char *key; /* option */
    loop loop;
    tw_table table;
    tw_field column[LOOP_MOST_VALUES];
    size_t bytes[LOOP_MOST_VALUES]; /* of a cell */
    tw_rows *rows;                  /* the host's block */
    int running;                    /* the loop is; only then rows can be made */
    arena texts;                    /* of the rows in our arrays */
} transform;

/* ---- Room ---- */

static void make_room(transform *t, int32_t room)
{
    loop_view *v = &t->loop.view;

    for (uint32_t c = 0; c < t->table.ncols; c++) {
        v->col[c] = mem_grow(v->col[c], (size_t)room * t->bytes[c]);
        v->null[c] = mem_grow(v->null[c], (size_t)room);
        memset(v->null[c] + v->rows, 0, (size_t)(room - v->rows));
    }
    v->room = room;
}

/* Rows of an event that failed half way are not sent. */
static void forget_rows(void *self)
{
    transform *t = self;
    loop_view *v = &t->loop.view;

    v->rows = v->mark;
    for (uint32_t c = 0; c < t->table.ncols; c++) memset(v->null[c] + v->rows, 0, (size_t)(v->room - v->rows));
}

/* view.more: 0 there is room again, 1 it is not the time for rows, 2 too many. */
static int more(void *owner)
{
    transform *t = ((loop *)owner)->self;
    loop_view *v = &t->loop.view;

    if (!t->running) return 1;
    if (v->rows >= MOST) return 2;
    make_room(t, v->room * 2);
    return 0;
}

/* view.put: a text into a cell; 0 where the column holds none. Columns of 64 bits take what ":hex" gives. */
static int put(void *owner, uint32_t column, int32_t row, const char *at, uint32_t bytes)
{
    transform *t = ((loop *)owner)->self;
    const tw_field *f = &t->column[column];
    tw_text cell = { at, bytes, 0 };
    int64_t number;

    if (f->kind == TW_TEXT) {
        cell.at = arena_text(&t->texts, at, bytes);
        memcpy((tw_text *)t->loop.view.col[column] + row, &cell, sizeof cell);
        return 1;
    }
    if (f->kind != TW_U64 || bytes < 3 || at[0] != '0' || at[1] != 'x' ||
        strspn(at, "0123456789abcdefABCDEFx") != bytes)
        return 0;
    text unused = { 0 };
    int rc = unit_int(at, &number, &unused);
    text_free(&unused);
    if (rc == TW_OK) memcpy((int64_t *)t->loop.view.col[column] + row, &number, sizeof number);
    return rc == TW_OK;
}

/* ---- The chunk ---- */

/* How a cell of a kind is written, and for which values that is all. Numbers of 64 bits are whole up to 2^53, so that
   a signed conversion, which compiled code has an instruction for, will do. */
static void put_store(const tw_field *f, uint32_t c, text *out)
{
    static const struct {
        uint8_t kind;
        const char *type, *low, *high;
    } whole[] = {
        { TW_U8, "uint8_t", "0", "255" },
        { TW_U16, "uint16_t", "0", "65535" },
        { TW_U32, "uint32_t", "0", "4294967295" },
        { TW_I32, "int32_t", "-2147483648", "2147483647" },
        { TW_U64, "int64_t", "0", "9007199254740992" },
        { TW_I64, "int64_t", "-9007199254740992", "9007199254740992" },
        { TW_SPAN, "int64_t", "-9007199254740992", "9007199254740992" },
        { TW_TIME, "int64_t", "-9007199254740992", "9007199254740992" },
    };

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (whole[i].kind != f->kind) continue;
        text_format(out, "  if type(v%u) == 'number' and v%u >= %s and v%u <= %s and floor(v%u) == v%u then ", c, c,
                    whole[i].low, c, whole[i].high, c, c);
        text_format(out, "p%u[row] = %sv%u", c, f->kind == TW_TIME ? "view.begin + " : "", c);
    }
    if (f->kind == TW_F64) text_format(out, "  if type(v%u) == 'number' then p%u[row] = v%u", c, c, c);
    if (f->kind == TW_BOOL) text_format(out, "  if type(v%u) == 'boolean' then p%u[row] = v%u and 1 or 0", c, c, c);
    if (f->kind == TW_TEXT)
        text_format(out, "  if type(v%u) == 'string' then view.put(view.owner, %u, row, v%u, #v%u)", c, c, c, c);
    text_format(out, " else other(%u, row, v%u) end\n", c, c);
}

static const char *pointer_of(const tw_field *f)
{
    switch (f->kind) {
    case TW_BOOL:
    case TW_U8: return "uint8_t *";
    case TW_U16: return "uint16_t *";
    case TW_U32: return "uint32_t *";
    case TW_I32: return "int32_t *";
    case TW_F64: return "double *";
    default: return "int64_t *";
    }
}

static void put_list(text *out, const char *letter, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++) text_format(out, "%s%s%" PRIu32, c ? ", " : "", letter, c);
}

// clang-format off
static const char emit_begin[] =
    /* What is no plain value of the column: null, a text in its own place, or a mistake. */
    "local function other(c, row, v)\n"
    "  if v == nil then view.null[c][row] = 1 return end\n"
    "  if type(v) == 'string' and view.put(view.owner, c, row, v, #v) ~= 0 then return end\n"
    "  local shown = type(v) == 'number' and ('%.17g'):format(v) or type(v) == 'string' and\n"
    "    \"'\" .. v:sub(1, 40) .. \"'\" or type(v) == 'boolean' and tostring(v) or 'a ' .. type(v)\n"
    "  error((\": column '%s' is of the kind %s, which %s is not\"):format(names[c + 1], kinds[c + 1], shown), 0)\n"
    "end\n"
    "local function grow()\n"
    "  local why = view.more(view.owner)\n"
    "  if why == 1 then error(': emit can only be called by the function that was given it, while that runs', 0) end\n"
    "  if why == 2 then error(': one event gives more than 1048576 rows', 0) end\n"
    "  load()\n"
    "end\n"
    "local function emit(...)\n"
    "  if select('#', ...) ~= columns then\n"
    "    error((': emit takes %d value%s (%s), not %d'):format(columns, columns == 1 and '' or 's',\n"
    "      table.concat(names, ', '), select('#', ...)), 0)\n"
    "  end\n"
    "  local row = view.rows\n"
    "  if row >= view.room then grow() end\n";

static const char loop_begin[] =
    "  view.rows = row + 1\n"
    "end\n"
    "return function()\n"
    "  local event, recipe = view.batch.event, view.recipe\n"
    "  load()\n"
    "  for i = view.at, view.n - 1 do\n"
    "    if view.rows >= view.full then view.at = i return end\n"
    "    local e = event + i\n"
    "    local which = recipe[e.type]\n";

static const char loop_end_text[] =
    "    end\n"
    "  end\n"
    "  view.at = view.n\n"
    "end\n";
// clang-format on

static void put_text(text *out, const char *string)
{
    text_put(out, "\"");
    for (const char *at = string; *at; at++) text_format(out, "\\%03u", (unsigned)(uint8_t)*at);
    text_put(out, "\"");
}

static const char *kind_name(const tw_field *f)
{
    const loop_kind *k = loop_kinds;
    while (k->kind != f->kind || k->show != f->show) k++;
    return k->name;
}

static void put_head(transform *t, text *out)
{
    uint32_t n = t->table.ncols;

    text_format(out, "local floor, select, type, columns = math.floor, select, type, %" PRIu32 "\nlocal names = {",
                n);
    for (uint32_t c = 0; c < n; c++) {
        put_text(out, t->column[c].name);
        text_put(out, ", ");
    }
    text_put(out, "}\nlocal kinds = {");
    for (uint32_t c = 0; c < n; c++) text_format(out, "'%s', ", kind_name(&t->column[c]));
    text_put(out, "}\nlocal ");
    put_list(out, "p", n);
    text_put(out, "\nlocal function load()\n");
    for (uint32_t c = 0; c < n; c++)
        text_format(out, "  p%" PRIu32 " = cast('%s', view.col[%" PRIu32 "])\n", c, pointer_of(&t->column[c]), c);
    text_put(out, "end\n");
    text_put(out, emit_begin);
    text_put(out, "  local ");
    put_list(out, "v", n);
    text_put(out, " = ...\n");
    for (uint32_t c = 0; c < n; c++) put_store(&t->column[c], c, out);
    text_put(out, loop_begin);
}

/* ---- Opening ---- */

static const char *field_text(lua_State *L, arena *memory, const char *key)
{
    lua_getfield(L, -1, key);
    size_t n = 0;
    const char *at = lua_tolstring(L, -1, &n), *kept = at ? arena_text(memory, at, n) : NULL;
    lua_pop(L, 1);
    return kept;
}

/* Inside a protected call, with the definition at 2: the table that it makes. */
static void read_table(lua_State *L, void *self)
{
    transform *t = self;
    arena *memory = &t->loop.memory;

    lua_getfield(L, 2, "table");
    t->table = (tw_table){ .size = sizeof(tw_table), .name = field_text(L, memory, "name"), .col = t->column };
    t->table.help = "Rows that a transform makes";
    lua_getfield(L, -1, "columns");
    uint32_t n = (uint32_t)lua_objlen(L, -1);
    if (!t->table.name || !n || n > LOOP_MOST_VALUES) luaL_error(L, "a transform makes a table of some columns");
    for (uint32_t c = 0; c < n; c++) {
        tw_field *f = &t->column[c];
        const loop_kind *k = loop_kinds;
        lua_rawgeti(L, -1, (int)c + 1);
        f->name = field_text(L, memory, "name");
        f->help = field_text(L, memory, "help");
        f->flags = TW_NULLABLE;
        const char *kind = field_text(L, memory, "kind");
        while (k->name && strcmp(k->name, kind) != 0) k++;
        if (!k->name) luaL_error(L, "no kind '%s'", kind);
        f->kind = k->kind;
        f->show = k->show;
        lua_pop(L, 1);
    }
    t->table.ncols = n;
}

static int transform_open(void *self)
{
    transform *t = self;
    loop *l = &t->loop;

    l->call_text = "each(emit";
    l->mark_text = "view.at, view.mark = i, view.rows\n";
    l->undo = forget_rows;
    if (loop_open(l, self, "transform", t->key, read_table) != TW_OK) return TW_ERROR;
    for (uint32_t c = 0; c < t->table.ncols; c++) t->bytes[c] = kind_bytes(&t->column[c]);
    l->view.more = more;
    l->view.put = put;
    l->view.full = FULL;
    text_put(&l->head, "local each = call\n");
    put_head(t, &l->head);
    for (uint32_t c = 0; c < t->table.ncols; c++)
        if (t->column[c].kind == TW_TIME) text_put(&l->head, LOOP_MOVE);
    text_put(&l->tail, loop_end_text);
    t->rows = TW_HOST(self)->table(self, &t->table);
    return loop_type(l, t->tw.type[0]); /* nobody publishes the unknown type */
}

static int transform_type(void *self, const tw_type *type)
{
    return loop_type(&((transform *)self)->loop, type);
}

/* ---- Rows on their way ---- */

/* Rows from `first` on, as many as the host's block has room for; how many. */
static uint32_t move_rows(transform *t, uint32_t first)
{
    const loop_view *v = &t->loop.view;
    tw_rows *r = t->rows;
    uint32_t n = (uint32_t)v->rows - first;

    if (n > r->cap - r->n) n = r->cap - r->n;
    for (uint32_t c = 0; c < t->table.ncols; c++) {
        memcpy((char *)r->col[c] + r->n * t->bytes[c], (char *)v->col[c] + first * t->bytes[c], n * t->bytes[c]);
        memcpy(r->null[c] + r->n, v->null[c] + first, n);
        if (t->column[c].kind != TW_TEXT) continue;
        for (uint32_t i = 0; i < n; i++) {
            tw_text *cell = (tw_text *)r->col[c] + r->n + i;
            if (r->null[c][r->n + i]) continue;
            char *copy = TW_HOST(t)->cell(r, cell->bytes);
            memcpy(copy, cell->at, cell->bytes);
            cell->at = copy;
        }
    }
    r->n += n;
    return n;
}

/* What the loop made, into the host's block, which is sent on whenever it is full. */
static int send_rows(transform *t)
{
    loop_view *v = &t->loop.view;
    int rc = TW_OK;

    for (uint32_t at = 0; at < (uint32_t)v->rows && rc == TW_OK;) {
        at += move_rows(t, at);
        if (t->rows->n == t->rows->cap) rc = TW_HOST(t)->push(t, t->rows);
    }
    for (uint32_t c = 0; c < t->table.ncols; c++) memset(v->null[c], 0, (size_t)v->rows);
    v->rows = 0;
    arena_reset(&t->texts);
    return rc;
}

static int transform_events(void *self, tw_batch *b)
{
    transform *t = self;
    loop_view *v = &t->loop.view;
    int rc = TW_OK;

    if (!b->n || !t->loop.nrecipes) return TW_OK;
    for (v->at = v->rows = 0, v->n = (int32_t)b->n; v->at < v->n && rc == TW_OK;) {
        make_room(t, ROOM);
        t->running = 1;
        rc = loop_run(&t->loop, b);
        t->running = 0;
        if (rc == TW_OK) rc = send_rows(t);
        v->room = 0; /* an emit that somebody kept finds no room, and asks for more in vain */
    }
    return rc;
}

static int transform_tick(void *self)
{
    transform *t = self;
    return t->rows->n ? TW_HOST(t)->push(t, t->rows) : TW_OK;
}

/* The rows that are left are the host's to send. */
static int transform_end(void *self)
{
    loop_end(&((transform *)self)->loop);
    return TW_OK;
}

static void transform_close(void *self)
{
    transform *t = self;

    loop_close(&t->loop);
    for (uint32_t c = 0; c < LOOP_MOST_VALUES; c++) {
        free(t->loop.view.col[c]);
        free(t->loop.view.null[c]);
    }
    arena_free(&t->texts);
}

static const tw_option options[] = { TW_OPTION(transform, key, TW_OPT_TEXT, NULL, NULL), { 0 } };

static const tw_counter counters[] = {
    { "script_errors", "events that gave no rows because the function failed on them", TW_SKIPPED }, { 0 }
};

const tw_stage transform_stage = {
    .size = sizeof(tw_stage),
    .name = "transform",
    .help = "Make rows of a table by a Lua function of named values, as in\n"
            "  transform {\n"
            "    on = \"DiskIo/Read\", need = { \"pid\", \"TransferSize\" },\n"
            "    makes = table \"reads\" { {\"pid\", \"pid\"}, {\"kib\", \"f64\", \"KiB read\"} },\n"
            "    each = function(emit, pid, size) emit(pid, size / KiB) end, -- as often as it likes, or not at all\n"
            "    errors = \"count\",  -- go on after an error; without it the first one ends the run\n"
            "  }",
    .state = sizeof(transform),
    .options = options,
    .counters = counters,
    .open = transform_open,
    .type = transform_type,
    .events = transform_events,
    .tick = transform_tick,
    .end = transform_end,
    .close = transform_close,
};
