/* types.c - the stage `types`: which types of events there are, and what they are made of.

   One idea: a type says everything about itself, so two tables tell all: a row a type, and a row a field. They are made
   at the end, when all types are known, and know nothing of where a type came from. */
#include <inttypes.h>
#include <stdlib.h>

#include "batch.h"
#include "bus.h"
#include "column.h"
#include "layout.h"
#include "stock.h"

typedef struct tally { /* of one type */
    uint64_t events, bytes;
} tally;

typedef struct listing {
    tw_self tw;
    const char *const *of; /* options */
    const char *const *columns;
    const char *as, *fields;
    int all;
    const tw_table *table; /* of types */
    uint8_t *at;           /* which of all columns its columns are */
    arena memory;
    tally tally[TW_TYPES];
} listing;

/* ---- Columns ---- */

#define TEXT(called, says)                                                                                           \
    {                                                                                                                \
        .name = called, .kind = TW_TEXT, .flags = TW_NULLABLE, .help = says                                          \
    }
#define NUMBER(called, says)                                                                                         \
    {                                                                                                                \
        .name = called, .kind = TW_U64, .help = says                                                                 \
    }

// clang-format off
enum {
    TYPE, PROVIDER, EVENT, ID, VERSION, TASK, TASK_NAME, OPCODE, OPCODE_NAME, LEVEL, LEVEL_NAME, CHANNEL, CHANNEL_NAME,
    KEYWORD, KEYWORDS, GUID, KEY, POINTER, ORIGIN, WHY, MESSAGE, FIELDS, EVENTS, BYTES, TYPE_COLUMNS
};
static const tw_field type_columns[TYPE_COLUMNS] = {
    [TYPE] = NUMBER("type", "its number in this run, as in the table of fields"),
    [PROVIDER] = TEXT("provider", "name of the provider, or its GUID"),
    [EVENT] = TEXT("event", "name of the event, or its number"),
    [ID] = NUMBER("id", "event id, opcode of a classic event, or message number"),
    [VERSION] = NUMBER("version", NULL),
    [TASK] = NUMBER("task", NULL),
    [TASK_NAME] = TEXT("task_name", NULL),
    [OPCODE] = NUMBER("opcode", NULL),
    [OPCODE_NAME] = TEXT("opcode_name", NULL),
    [LEVEL] = NUMBER("level", NULL),
    [LEVEL_NAME] = TEXT("level_name", NULL),
    [CHANNEL] = NUMBER("channel", NULL),
    [CHANNEL_NAME] = TEXT("channel_name", NULL),
    [KEYWORD] = { .name = "keyword", .kind = TW_U64, .show = TW_SHOW_HEX },
    [KEYWORDS] = TEXT("keywords", "names of its bits"),
    [GUID] = { .name = "guid", .kind = TW_GUID, .help = "of the provider" },
    [KEY] = TEXT("key", "of the provider, as in counts"),
    [POINTER] = NUMBER("pointer", "bytes of a pointer in the payload"),
    [ORIGIN] = TEXT("origin", "which schema the fields are from"),
    [WHY] = TEXT("why", "why no field is known"),
    [MESSAGE] = TEXT("message", "what it says; %1 is the first field"),
    [FIELDS] = NUMBER("fields", "how many are known"),
    [EVENTS] = NUMBER("events", "of this type that came by"),
    [BYTES] = NUMBER("bytes", "of their payloads"),
};

enum { F_TYPE, F_PROVIDER, F_EVENT, F_ID, F_VERSION, F_FIELD, F_DEPTH, F_NAME, F_PATH, F_DECLARED, F_KIND, F_SHOW, F_LENGTH,
       F_COUNT, F_NAMES, F_HELP, FIELD_COLUMNS };
static const tw_field field_columns[FIELD_COLUMNS] = {
    [F_TYPE] = NUMBER("type", "number of its type in this run"),
    [F_PROVIDER] = TEXT("provider", NULL),
    [F_EVENT] = TEXT("event", NULL),
    [F_ID] = NUMBER("id", NULL),
    [F_VERSION] = NUMBER("version", NULL),
    [F_FIELD] = NUMBER("field", "its place in the payload, from 0"),
    [F_DEPTH] = NUMBER("depth", "structs around it"),
    [F_NAME] = TEXT("name", NULL),
    [F_PATH] = TEXT("path", "with the names of the structs around it"),
    [F_DECLARED] = TEXT("declared", "kind, length and count, as people write them"),
    [F_KIND] = TEXT("kind", NULL),
    [F_SHOW] = TEXT("show", "how its values are written, where the kind does not tell"),
    [F_LENGTH] = TEXT("length", "what tells its bytes or characters, where the kind does not"),
    [F_COUNT] = TEXT("count", "what tells how many elements it has, of an array"),
    [F_NAMES] = TEXT("names", "what its values, or its bits, are called"),
    [F_HELP] = TEXT("help", NULL),
};
// clang-format on

static const tw_table field_table = { sizeof(tw_table), FIELD_COLUMNS, "type_fields", "The fields of types of events",
                                      field_columns };

/* ---- A field as people write it ---- */

static const char *const kinds[] = {
    [TW_BOOL] = "bool",
    [TW_U8] = "u8",
    [TW_U16] = "u16",
    [TW_U32] = "u32",
    [TW_U64] = "u64",
    [TW_I8] = "i8",
    [TW_I16] = "i16",
    [TW_I32] = "i32",
    [TW_I64] = "i64",
    [TW_F32] = "f32",
    [TW_F64] = "f64",
    [TW_POINTER] = "pointer",
    [TW_BOOL32] = "bool32",
    [TW_TIME] = "time",
    [TW_SPAN] = "span",
    [TW_TICKS] = "ticks",
    [TW_TICK_SPAN] = "span in ticks",
    [TW_FILETIME] = "filetime",
    [TW_SYSTEMTIME] = "systemtime",
    [TW_GUID] = "guid",
    [TW_IP4] = "ip4",
    [TW_IP6] = "ip6",
    [TW_SOCKADDR] = "sockaddr",
    [TW_SID] = "sid",
    [TW_TOKENSID] = "token and sid",
    [TW_TEXT] = "utf8",
    [TW_TEXT8] = "ansi",
    [TW_TEXT16] = "utf16",
    [TW_BYTES] = "bytes",
    [TW_STRUCT] = "struct",
};

static const char *const shows[] = {
    [TW_SHOW_PLAIN] = NULL,          [TW_SHOW_HEX] = "hex",     [TW_SHOW_ADDRESS] = "address",
    [TW_SHOW_CODE] = "code address", [TW_SHOW_PORT] = "port",   [TW_SHOW_IP4] = "ip4",
    [TW_SHOW_NTSTATUS] = "ntstatus", [TW_SHOW_WIN32] = "win32", [TW_SHOW_HRESULT] = "hresult",
    [TW_SHOW_PID] = "pid",           [TW_SHOW_TID] = "tid",     [TW_SHOW_CHAR] = "char",
    [TW_SHOW_XML] = "xml",           [TW_SHOW_JSON] = "json",   [TW_SHOW_HIDE] = "hidden",
};

static const char *show_of(const tw_field *f)
{
    return f->show < sizeof shows / sizeof *shows ? shows[f->show] : NULL;
}

/* What says a length or a count; "" where the kind does, or there is no count. */
static void put_extent(text *out, const tw_type *t, uint8_t by, uint32_t number)
{
    switch (by) {
    case TW_FIXED: text_format(out, "%" PRIu32, number); break;
    case TW_FIELD: text_put(out, t->field[number].name); break;
    case TW_PREFIX1: text_put(out, "u8 before it"); break;
    case TW_PREFIX2: text_put(out, "u16 before it"); break;
    case TW_PREFIX4: text_put(out, "u32 before it"); break;
    case TW_PREFIX2BE: text_put(out, "big-endian u16 before it"); break;
    case TW_REST: text_put(out, "rest"); break;
    case TW_IF_LEFT: text_put(out, "if left"); break;
    default: break;
    }
}

static void put_length(text *out, const tw_type *t, const tw_field *f)
{
    if (layout_is_text(f->kind) && f->bytes_by == TW_ONE)
        text_put(out, "to its 0");
    else
        put_extent(out, t, f->bytes_by, f->bytes);
}

/* "utf16[NameLength]", "u32 hex × 4", "struct × Count", "optional u8" */
static void put_declared(text *out, const tw_type *t, const tw_field *f)
{
    if (f->count_by == TW_IF_LEFT) text_put(out, "optional ");
    text_put(out, kinds[f->kind]);
    if (f->bytes_by != TW_ONE) {
        text_put(out, "[");
        put_extent(out, t, f->bytes_by, f->bytes);
        text_put(out, "]");
    }
    if (show_of(f) && !(f->kind == TW_POINTER && f->show == TW_SHOW_ADDRESS)) text_format(out, " %s", show_of(f));
    if (!layout_is_array(f)) return;
    text_put(out, " \xC3\x97 ");
    put_extent(out, t, f->count_by, f->count);
}

/* "1=Read, 2=Write"; bits in hex */
static void put_names(text *out, const tw_names *names)
{
    for (uint32_t i = 0; names && i < names->n; i++) {
        if (i) text_put(out, ", ");
        text_format(out, names->flags & TW_BITS ? "0x%" PRIx64 "=%s" : "%" PRIu64 "=%s", names->name[i].value,
                    names->name[i].name);
    }
}

static void put_path(text *out, const tw_type *t, uint32_t i)
{
    if (t->field[i].parent) {
        put_path(out, t, t->field[i].parent - 1u); /* no deeper than TYPE_MAX_DEPTH */
        text_put(out, ".");
    }
    text_put(out, t->field[i].name);
}

/* ---- Rows ---- */

static void put_text(tw_rows *r, uint32_t c, const char *s)
{
    tw_value v = { .kind = TW_TEXT, .t = { .at = s, .bytes = s ? (uint32_t)strlen(s) : 0 } };
    column_put(r, c, r->n, s ? &v : NULL, NULL);
}

static void put_number(tw_rows *r, uint32_t c, uint64_t number)
{
    ((uint64_t *)r->col[c])[r->n] = number;
}

/* An empty text is no value. */
static void put_made(tw_rows *r, uint32_t c, text *made)
{
    put_text(r, c, made->n ? text_of(made) : NULL);
    text_clear(made);
}

static void put_field(tw_rows *r, const tw_type *t, uint32_t i, text *made)
{
    const tw_field *f = &t->field[i];

    put_number(r, F_TYPE, t->id);
    put_text(r, F_PROVIDER, t->provider);
    put_text(r, F_EVENT, t->name);
    put_number(r, F_ID, t->number);
    put_number(r, F_VERSION, t->version);
    put_number(r, F_FIELD, i);
    put_number(r, F_DEPTH, f->depth);
    put_text(r, F_NAME, f->name);
    put_path(made, t, i);
    put_made(r, F_PATH, made);
    put_declared(made, t, f);
    put_made(r, F_DECLARED, made);
    put_text(r, F_KIND, kinds[f->kind]);
    put_text(r, F_SHOW, show_of(f));
    put_length(made, t, f);
    put_made(r, F_LENGTH, made);
    put_extent(made, t, f->count_by, f->count);
    put_made(r, F_COUNT, made);
    put_names(made, f->names);
    put_made(r, F_NAMES, made);
    put_text(r, F_HELP, f->help);
}

static void put_keywords(tw_rows *r, uint32_t c, const tw_type *t)
{
    const tw_field field = { .names = t->keywords };
    const tw_value bits = { .kind = TW_U64, .show = TW_SHOW_HEX, .u = t->keyword };
    tw_value v = bits;

    column_put(r, c, r->n, t->keywords && t->keyword ? &v : NULL, &field);
}

static void put_column(listing *s, tw_rows *r, uint32_t c, const tw_type *t)
{
    switch (s->at[c]) {
    case TYPE: put_number(r, c, t->id); break;
    case PROVIDER: put_text(r, c, t->provider); break;
    case EVENT: put_text(r, c, t->name); break;
    case ID: put_number(r, c, t->number); break;
    case VERSION: put_number(r, c, t->version); break;
    case TASK: put_number(r, c, t->task); break;
    case TASK_NAME: put_text(r, c, t->task_name); break;
    case OPCODE: put_number(r, c, t->opcode); break;
    case OPCODE_NAME: put_text(r, c, t->opcode_name); break;
    case LEVEL: put_number(r, c, t->level); break;
    case LEVEL_NAME: put_text(r, c, t->level_name); break;
    case CHANNEL: put_number(r, c, t->channel); break;
    case CHANNEL_NAME: put_text(r, c, t->channel_name); break;
    case KEYWORD: put_number(r, c, t->keyword); break;
    case KEYWORDS: put_keywords(r, c, t); break;
    case GUID: memcpy((uint8_t *)r->col[c] + 16 * (size_t)r->n, t->guid, 16); break;
    case KEY: put_text(r, c, layout_of(t)->key); break;
    case POINTER: put_number(r, c, layout_pointer(t)); break;
    case ORIGIN: put_text(r, c, t->origin); break;
    case WHY: put_text(r, c, t->why); break;
    case MESSAGE: put_text(r, c, t->message); break;
    case FIELDS: put_number(r, c, t->nfields); break;
    case EVENTS: put_number(r, c, s->tally[t->id].events); break;
    default: put_number(r, c, s->tally[t->id].bytes); break;
    }
}

/* ---- The stage ---- */

static int add_column(listing *s, const char *name, tw_field *out, uint32_t at)
{
    const char *names[TYPE_COLUMNS];

    for (uint32_t i = 0; i < TYPE_COLUMNS; i++) {
        names[i] = type_columns[i].name;
        if (strcmp(names[i], name) != 0) continue;
        s->at[at] = (uint8_t)i;
        *out = type_columns[i];
        return TW_OK;
    }
    const char *near = text_nearest(name, names, TYPE_COLUMNS);
    return near ? TW_HOST(s)->misuse(s, "types have no column '%s'; did you mean '%s'?", name, near)
                : TW_HOST(s)->misuse(s,
                                     "types have no column '%s'; there are provider, event, id and more: traceweir "
                                     "help types",
                                     name);
}

static int types_open(void *self)
{
    listing *s = self;
    tw_table t = { .size = sizeof t, .name = s->as, .help = "Types of events" };
    tw_field col[4 * TYPE_COLUMNS];

    if (!*s->as) return TW_HOST(self)->misuse(self, "the table needs a name, as in as = \"types\"");
    while (s->columns[t.ncols]) t.ncols++;
    if (t.ncols > sizeof col / sizeof *col) return TW_HOST(self)->misuse(self, "more columns than types have");
    s->at = arena_alloc(&s->memory, TYPE_COLUMNS + t.ncols);
    for (uint32_t i = 0; i < t.ncols; i++)
        if (add_column(s, s->columns[i], &col[i], i) != TW_OK) return TW_ERROR;
    for (; !*s->columns && t.ncols < TYPE_COLUMNS; t.ncols++) {
        s->at[t.ncols] = (uint8_t)t.ncols;
        col[t.ncols] = type_columns[t.ncols];
    }
    t.col = (const void *)TW_HOST(self)->intern(self, (const void *)col, t.ncols * sizeof *col);
    s->table = (const void *)TW_HOST(self)->intern(self, (const void *)&t, sizeof t);
    return TW_OK;
}

static int types_events(void *self, tw_batch *b)
{
    listing *s = self;

    for (uint32_t i = 0; i < b->n; i++) {
        s->tally[b->event[i].type].events++;
        s->tally[b->event[i].type].bytes += b->event[i].bytes;
    }
    return TW_OK;
}

/* By provider, number, version, and in the order in which they were published. */
static int by_name(const void *left, const void *right)
{
    const tw_type *a = *(const tw_type *const *)left, *b = *(const tw_type *const *)right;
    int order = strcmp(a->provider, b->provider);

    if (!order) order = (a->number > b->number) - (a->number < b->number);
    if (!order) order = (a->version > b->version) - (a->version < b->version);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* Types to list; how many. */
static uint32_t choose(listing *s, const tw_type **list)
{
    uint32_t count = types_count(bus_types(s)), n = 0;

    for (uint32_t id = s->tally[0].events ? 0 : 1; id <= count; id++) {
        const tw_type *t = s->tw.type[id];
        if ((s->all || s->tally[id].events) && (!*s->of || type_meant(t, s->of))) list[n++] = t;
    }
    qsort((void *)list, n, sizeof(const tw_type *), by_name);
    return n;
}

static int list_type(listing *s, tw_rows *r, const tw_type *t)
{
    for (uint32_t c = 0; c < s->table->ncols; c++) put_column(s, r, c, t);
    r->n++;
    return r->n < r->cap ? TW_OK : TW_HOST(s)->push(s, r);
}

static int list_fields(listing *s, tw_rows *r, const tw_type *t, text *made)
{
    int rc = TW_OK;

    for (uint32_t i = 0; i < t->nfields && rc == TW_OK; i++) {
        put_field(r, t, i, made);
        r->n++;
        if (r->n == r->cap) rc = TW_HOST(s)->push(s, r);
    }
    return rc;
}

static const tw_table *table_of_fields(listing *s)
{
    tw_table t = field_table;

    t.name = s->fields;
    return (const void *)TW_HOST(s)->intern(s, (const void *)&t, sizeof t);
}

static int types_end(void *self)
{
    listing *s = self;
    const tw_type **list = mem_new(((size_t)types_count(bus_types(s)) + 1) * sizeof(const tw_type *));
    uint32_t n = choose(s, list);
    text made = { 0 };
    int rc = TW_OK;
    tw_rows *r = TW_HOST(s)->table(s, s->table);

    for (uint32_t i = 0; i < n && rc == TW_OK; i++) rc = list_type(s, r, list[i]);
    if (rc == TW_OK && r->n) rc = TW_HOST(s)->push(s, r); /* before their fields */
    if (*s->fields) {
        r = TW_HOST(s)->table(s, table_of_fields(s));
        for (uint32_t i = 0; i < n && rc == TW_OK; i++) rc = list_fields(s, r, list[i], &made);
    }
    free((void *)list);
    text_free(&made);
    type_meant_none(s, s->of);
    return rc;
}

static void types_close(void *self)
{
    arena_free(&((listing *)self)->memory);
}

static const tw_option options[] = {
    { "of", "", "types to list, as people call them: { \"DiskIo/*\", \"CSwitch\", \"PktMon\" }; without it, all",
      TW_OPT_LIST, offsetof(listing, of) },
    { "all", "false", "types of which no event came, too: all = true", TW_OPT_BOOL, offsetof(listing, all) },
    { "columns", "",
      "columns of the table of types: columns = { \"provider\", \"event\", \"origin\" }; without it, all",
      TW_OPT_LIST, offsetof(listing, columns) },
    { "as", "types", "name of the table of types: as = \"known\"", TW_OPT_TEXT, offsetof(listing, as) },
    { "fields", "type_fields", "name of the table of their fields: fields = \"\" for none", TW_OPT_TEXT,
      offsetof(listing, fields) },
    { 0 },
};

const tw_stage types_stage = {
    .size = sizeof(tw_stage),
    .name = "types",
    .help = "List types of events and their fields, at the end: types { \"DiskIo/*\", all = true }",
    .state = sizeof(listing),
    .options = options,
    .open = types_open,
    .events = types_events,
    .end = types_end,
    .close = types_close,
};
