/* filter.c - the stage `filter`: a Lua function of named values decides which events stay.

   The user's function never sees a pointer, yet costs little more than a C condition. One idea: for each filter one
   Lua chunk is written that loops over the batch, reads exactly the values the function named at the places where the
   type has them, and calls the function, so that LuaJIT compiles loop, reading and function into one.

   A recipe is the text that reads the values for one type. Types whose text is the same share it; the chunk has one
   branch for each recipe and is written anew when a recipe appears. */
#include <inttypes.h>
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "name.h"
#include "script.h"
#include "stock.h"

enum {
    MOST_NEEDS = 32,  /* the prelude's bound, too */
    MOST_RECIPES = 24 /* types beyond that share one more, which asks for each value by a call */
};

enum form { FORM_ABSENT, FORM_NUMBER, FORM_TEXT, FORM_FLAG, FORM_TOO_LARGE }; /* what `get` gives */

/* What the chunk sees of a filter. The same words declare it to C and to LuaJIT. */
#define VIEW_MEMBERS                                                                                                 \
    void *owner;                                                                                                     \
    int (*get)(void *owner, const tw_event *e, uint32_t need);                                                       \
    tw_batch *batch;                                                                                                 \
    int64_t begin;                                                                                                   \
    tw_value value;                                                                                                  \
    uint8_t recipe[TW_TYPES]; /* by tw_event.type: 1 + its place in filter.recipe; 0: the function is not asked */
#define WORDS(...)      #__VA_ARGS__
#define WORDS_OF(macro) WORDS(macro)

typedef struct view {
    VIEW_MEMBERS
} view;

typedef struct need {
    const char *name; /* without ":hex" */
    int hex;
    int known; /* some type that fits has it */
} need;

typedef struct filter {
    tw_self tw;
    const char *key; /* option */
    lua_State *L;
    arena memory;
    const char **on; /* ends with NULL */
    need need[MOST_NEEDS];
    uint32_t nneeds;
    int drop; /* what `on` does not name */
    const char *place;
    int keep, loop, explain; /* references into the registry */
    text recipe[MOST_RECIPES + 1];
    uint32_t nrecipes;
    int stale;      /* a recipe came after the loop was made */
    text complaint; /* a value's, where the chunk raised an error for it */
    view view;
    const name *names[TW_TYPES]; /* of the needs, for types that fit */
} filter;

/* ---- Values that the chunk does not read itself ---- */

static int too_large(filter *f, const tw_event *e, const need *n, uint64_t u, int negative)
{
    const tw_type *t = f->tw.type[e->type];

    text_format(&f->complaint, "%s: '%s' of %s/%s is ", f->place, n->name, t->provider, t->name);
    if (negative)
        text_format(&f->complaint, "%" PRId64, (int64_t)u);
    else
        text_format(&f->complaint, "0x%" PRIx64, u);
    text_format(&f->complaint, ", too large for an exact number; need it as \"%s:hex\", a text", n->name);
    return FORM_TOO_LARGE;
}

static int give_number(filter *f, double number)
{
    f->view.value.f = number;
    return FORM_NUMBER;
}

static int give_text(filter *f, const char *at, uint32_t n)
{
    f->view.value.t.at = at;
    f->view.value.t.bytes = n;
    return FORM_TEXT;
}

static int give_unsigned(filter *f, const tw_event *e, const need *n, uint64_t u)
{
    char digits[24];

    if (!n->hex) return u <= (uint64_t)1 << 53 ? give_number(f, (double)u) : too_large(f, e, n, u, 0);
    int length = snprintf(digits, sizeof digits, "0x%" PRIx64, u);
    return give_text(f, arena_text(batch_memory(f->view.batch), digits, (size_t)length), (uint32_t)length);
}

static int give_signed(filter *f, const tw_event *e, const need *n, int64_t i)
{
    const int64_t exact = (int64_t)1 << 53;

    if (n->hex) return give_unsigned(f, e, n, (uint64_t)i);
    return i >= -exact && i <= exact ? give_number(f, (double)i) : too_large(f, e, n, (uint64_t)i, 1);
}

/* As every sink writes it. */
static int give_printed(filter *f, const tw_value *v, const tw_field *column)
{
    int n = value_print(column, v, NULL, 0);
    char *out = arena_alloc(batch_memory(f->view.batch), (size_t)n + 1);

    value_print(column, v, out, (size_t)n + 1);
    return give_text(f, out, (uint32_t)n);
}

/* view.get: a value into view.value, in one of three forms. */
static int get(void *owner, const tw_event *e, uint32_t at)
{
    filter *f = owner;
    const need *n = &f->need[at];
    const name *from = &f->names[e->type][at];
    tw_value v;

    memset(&v, 0, sizeof v);
    if (name_get(f, f->view.batch, e, from, &v) != TW_OK) return FORM_ABSENT;
    switch (v.kind) {
    case TW_BOOL:
    case TW_BOOL32: f->view.value.f = v.u != 0; return FORM_FLAG;
    case TW_U8:
    case TW_U16:
    case TW_U32:
    case TW_U64:
    case TW_POINTER: return give_unsigned(f, e, n, v.u);
    case TW_I8:
    case TW_I16:
    case TW_I32:
    case TW_I64:
    case TW_SPAN:
    case TW_TICKS:
    case TW_TICK_SPAN: return give_signed(f, e, n, v.i);
    case TW_TIME: return give_number(f, (double)(int64_t)((uint64_t)v.i - (uint64_t)bus_begin(f, e)));
    case TW_F32:
    case TW_F64: return give_number(f, v.f);
    case TW_TEXT: return give_text(f, v.t.at, v.t.bytes);
    default: return give_printed(f, &v, from->column);
    }
}

/* ---- Recipes: the text that reads the values of one type ---- */

/* Members of tw_event that are plain numbers. */
static const struct {
    uint32_t offset;
    const char *name;
} members[] = {
    { offsetof(tw_event, pid), "pid" },       { offsetof(tw_event, tid), "tid" },
    { offsetof(tw_event, cpu), "cpu" },       { offsetof(tw_event, bytes), "bytes" },
    { offsetof(tw_event, source), "source" }, { offsetof(tw_event, type), "type" },
};

static const char *member_at(uint32_t offset)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (members[i].offset == offset) return members[i].name;
    return NULL;
}

/* The function of the chunk that reads a number at a fixed place; NULL where `field` must. */
static const char *reader_of(uint32_t kind, uint32_t *bytes)
{
    // clang-format off
    static const struct { uint8_t kind, bytes; const char *name; } readers[] = {
        { TW_U8, 1, "u8" }, { TW_I8, 1, "i8" }, { TW_U16, 2, "u16" }, { TW_I16, 2, "i16" }, { TW_U32, 4, "u32" },
        { TW_I32, 4, "i32" }, { TW_U64, 8, "u64" }, { TW_I64, 8, "i64" }, { TW_F32, 4, "f32" }, { TW_F64, 8, "f64" },
    };
    // clang-format on
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (readers[i].kind != kind) continue;
        *bytes = readers[i].bytes;
        return readers[i].name;
    }
    return NULL;
}

static void put_quoted(text *out, const char *at, uint32_t n)
{
    text_put(out, "\"");
    for (uint32_t i = 0; i < n; i++) text_format(out, "\\%03u", (unsigned)(uint8_t)at[i]);
    text_put(out, "\"");
}

/* `local aN = …` for one value of one type. A place that every event of the type shares is read in line, a value that
   the type decides is written down, and for the rest `field` calls get. */
static void put_read(const need *n, const name *from, uint32_t at, text *out)
{
    const tw_value *known = from->from == NAME_TYPE ? &from->value : NULL;
    uint32_t bytes = 0;
    const char *reader = NULL, *member = NULL;

    if (!n->hex && from->from == NAME_FIXED) reader = reader_of(from->kind, &bytes);
    if (!n->hex && from->from == NAME_EVENT && !from->nullable) member = member_at(from->offset);
    if (from->from == NAME_NONE || (known && !known->kind)) {
        text_format(out, "local a%u\n", at);
    } else if (known && known->kind == TW_TEXT) {
        text_format(out, "local a%u = ", at);
        put_quoted(out, known->t.at, known->t.bytes);
        text_put(out, "\n");
    } else if (known && !n->hex && known->kind >= TW_U8 && known->kind <= TW_U32) {
        text_format(out, "local a%u = %" PRIu64 "\n", at, known->u);
    } else if (reader) {
        text_format(out, "local a%u\nif e.bytes >= %" PRIu64 " then ", at, (uint64_t)from->offset + bytes);
        text_format(out, "a%u = %s(e.data + %" PRIu32 ", e, %u) end\n", at, reader, from->offset, at);
    } else if (member) {
        text_format(out, "local a%u = e.%s\n", at, member);
    } else if (!n->hex && from->from == NAME_EVENT && from->offset == offsetof(tw_event, time)) {
        text_format(out, "local a%u = tonumber(e.time - view.begin)\n", at);
    } else {
        text_format(out, "local a%u = field(e, %u)\n", at, at);
    }
}

static void put_keep(uint32_t nneeds, text *out)
{
    text_put(out, "stay = keep(");
    for (uint32_t i = 0; i < nneeds; i++) text_format(out, "%sa%u", i ? ", " : "", i);
    text_put(out, ")\n");
}

/* 1 + the place of a recipe; 0 where there is none like it. */
static uint8_t find_recipe(const filter *f, const text *wanted)
{
    for (uint32_t i = 0; i < f->nrecipes; i++)
        if (!strcmp(text_of(&f->recipe[i]), text_of(wanted))) return (uint8_t)(i + 1);
    return 0;
}

/* 1 + the place of the recipe for a type whose values come from `names`. */
static uint8_t recipe_for(filter *f, const name *names)
{
    text wanted = { 0 };
    uint8_t found;

    for (uint32_t i = 0; i < f->nneeds; i++) put_read(&f->need[i], &names[i], i, &wanted);
    put_keep(f->nneeds, &wanted);
    found = find_recipe(f, &wanted);
    if (!found && f->nrecipes >= MOST_RECIPES) {
        text_clear(&wanted);
        for (uint32_t i = 0; i < f->nneeds; i++) text_format(&wanted, "local a%u = field(e, %u)\n", i, i);
        put_keep(f->nneeds, &wanted);
        found = find_recipe(f, &wanted);
    }
    if (found) {
        text_free(&wanted);
        return found;
    }
    f->recipe[f->nrecipes++] = wanted;
    f->stale = 1;
    return (uint8_t)f->nrecipes;
}

static int filter_type(void *self, const tw_type *t)
{
    filter *f = self;

    if (!stock_fits(t, f->on)) return TW_OK;
    name *names = arena_alloc(&f->memory, (f->nneeds + 1) * sizeof *names);
    for (uint32_t i = 0; i < f->nneeds; i++) {
        name_resolve(t, f->need[i].name, &names[i]);
        f->need[i].known |= names[i].from != NAME_NONE;
    }
    f->names[t->id] = names;
    f->view.recipe[t->id] = recipe_for(f, names);
    return TW_OK;
}

/* ---- The chunk ---- */

/* One function for each kind: what they share would be looked up in the loop. */
#define READER(name, type)                                                                                           \
    "local p_" name " = ffi.typeof 'const " type " *'\n"                                                             \
    "local function " name "(p) return cast(p_" name ", p)[0] end\n"

static const char chunk_begin[] =
    "local ffi, keep, address = ...\n"
    "local cast, copy, text_of, tonumber = ffi.cast, ffi.copy, ffi.string, tonumber\n"
    "local view = cast('struct { " WORDS_OF(VIEW_MEMBERS) " } *', address)\n" READER("u8", "uint8_t")
        READER("u16", "uint16_t") READER("u32", "uint32_t") READER("i8", "int8_t") READER("i16", "int16_t")
            READER("i32", "int32_t") READER("f32", "float") READER(
                "f64", "double") "local function field(e, need)\n"
                                 "  local form = view.get(view.owner, e, need)\n"
                                 "  if form == 1 then return view.value.f end\n"
                                 "  if form == 2 then return text_of(view.value.t.at, view.value.t.bytes) end\n"
                                 "  if form == 3 then return view.value.f ~= 0 end\n"
                                 "  if form == 4 then error('', 0) end\n"
                                 "end\n"
                                 /* Up to 2^53 the upper half is below 2^21; beyond that `field` complains. */
                                 "local function u64(p, e, need)\n"
                                 "  local high = u32(p + 4)\n"
                                 "  if high >= 0x200000 then return field(e, need) end\n"
                                 "  return high * 4294967296 + u32(p)\n"
                                 "end\n"
                                 "local function i64(p, e, need)\n"
                                 "  local high = i32(p + 4)\n"
                                 "  if high >= 0x200000 or high < -0x200000 then return field(e, need) end\n"
                                 "  return high * 4294967296 + u32(p)\n"
                                 "end\n"
                                 "return function()\n"
                                 "  local batch = view.batch\n"
                                 "  local event, recipe, to = batch.event, view.recipe, 0\n"
                                 "  for i = 0, batch.n - 1 do\n"
                                 "    local e, stay = event + i\n"
                                 "    local which = recipe[e.type]\n";

static const char chunk_end[] = "    end\n"
                                "    if stay then\n"
                                "      if to ~= i then copy(event + to, e, 48) end\n"
                                "      to = to + 1\n"
                                "    end\n"
                                "  end\n"
                                "  batch.n = to\n"
                                "end\n";

_Static_assert(sizeof(tw_event) == 48, "the chunk copies events by this size");

static void put_chunk(const filter *f, text *out)
{
    text_put(out, chunk_begin);
    for (uint32_t i = 0; i < f->nrecipes; i++)
        text_format(out, "%s which == %u then\n%s", i ? "elseif" : "if", i + 1, text_of(&f->recipe[i]));
    text_format(out, "else\nstay = %s\n", f->drop ? "false" : "true");
    text_put(out, chunk_end);
}

typedef struct build_job {
    filter *f;
    text chunk;
} build_job;

/* In a protected call: compiles the chunk and keeps the loop it returns. */
static int build(lua_State *L)
{
    build_job *job = lua_touserdata(L, 1);
    filter *f = job->f;

    if (luaL_loadbuffer(L, text_of(&job->chunk), job->chunk.n, "=filter")) return lua_error(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, "ffi");
    lua_remove(L, -2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->keep);
    lua_pushlightuserdata(L, &f->view);
    lua_call(L, 3, 1);
    luaL_unref(L, LUA_REGISTRYINDEX, f->loop);
    f->loop = luaL_ref(L, LUA_REGISTRYINDEX);
    f->stale = 0;
    return 0;
}

/* Fails with the message on top of the Lua stack. Those of full memory and a full stack come without a place. */
static int fail_with_message(filter *f)
{
    const char *message = lua_type(f->L, -1) == LUA_TSTRING ? lua_tostring(f->L, -1) : "an error without a message";
    size_t path = f->place ? strcspn(f->place, ":") : 0;
    int rc;

    if (f->complaint.n)
        rc = tw_fail(f, "%s", text_of(&f->complaint));
    else if (f->place && strncmp(message, f->place, path) != 0)
        rc = tw_fail(f, "%s: %s", f->place, message);
    else
        rc = tw_fail(f, "%s", message);
    lua_settop(f->L, 0);
    return rc;
}

static int filter_events(void *self, tw_batch *b)
{
    filter *f = self;

    if (!b->n) return TW_OK;
    if (!f->nrecipes) { /* no type that fits was seen yet */
        if (f->drop) b->n = 0;
        return TW_OK;
    }
    if (f->stale) {
        build_job job = { f, { 0 } };
        put_chunk(f, &job.chunk);
        int rc = lua_cpcall(f->L, build, &job);
        text_free(&job.chunk);
        if (rc) return fail_with_message(f);
    }
    f->view.batch = b;
    f->view.begin = bus_begin(f, &b->event[0]);
    lua_rawgeti(f->L, LUA_REGISTRYINDEX, f->explain);
    lua_rawgeti(f->L, LUA_REGISTRYINDEX, f->loop);
    if (lua_pcall(f->L, 0, 0, 1)) return fail_with_message(f);
    lua_settop(f->L, 0);
    return TW_OK;
}

/* ---- Opening and closing ---- */

/* The list of texts in field `key` of the table at 2, ended by NULL. */
static uint32_t read_list(filter *f, const char *key, const char ***out)
{
    lua_getfield(f->L, 2, key);
    uint32_t n = (uint32_t)lua_objlen(f->L, -1);
    const char **list = arena_alloc(&f->memory, (n + 1) * sizeof *list);
    for (uint32_t i = 0; i < n; i++) {
        size_t bytes;
        lua_rawgeti(f->L, -1, (int)i + 1);
        const char *at = luaL_checklstring(f->L, -1, &bytes);
        list[i] = arena_text(&f->memory, at, bytes);
        lua_pop(f->L, 1);
    }
    lua_pop(f->L, 1);
    list[n] = NULL;
    *out = list;
    return n;
}

/* In a protected call: what the pipeline file said about this filter. */
static int read_definition(lua_State *L)
{
    filter *f = lua_touserdata(L, 1);
    const char **needs;

    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_FILTERS);
    lua_rawgeti(L, 1, atoi(f->key));
    if (!lua_istable(L, 2))
        return luaL_error(L, "there is no filter '%s'; filters are written in pipeline files", f->key);
    read_list(f, "on", &f->on);
    f->nneeds = read_list(f, "need", &needs);
    if (f->nneeds > MOST_NEEDS) return luaL_error(L, "a filter needs more than %d values", MOST_NEEDS);
    for (uint32_t i = 0; i < f->nneeds; i++) {
        size_t n = strlen(needs[i]);
        f->need[i].hex = n > 4 && !strcmp(needs[i] + n - 4, ":hex");
        f->need[i].name = arena_text(&f->memory, needs[i], f->need[i].hex ? n - 4 : n);
    }
    lua_getfield(L, 2, "place");
    f->place = arena_text(&f->memory, luaL_checkstring(L, -1), lua_objlen(L, -1));
    lua_getfield(L, 2, "drop");
    f->drop = lua_toboolean(L, -1);
    lua_getfield(L, 2, "keep");
    f->keep = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    f->explain = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static int filter_open(void *self)
{
    filter *f = self;

    f->keep = f->loop = f->explain = LUA_NOREF;
    f->L = bus_script(self);
    if (!f->L) return tw_fail(self, "there is no Lua here, and a filter is a Lua function");
    f->view.owner = f;
    f->view.get = get;
    if (lua_cpcall(f->L, read_definition, f)) return fail_with_message(f);
    return filter_type(self, f->tw.type[0]); /* nobody publishes the unknown type */
}

/* A name that no event had is most likely misspelt. */
static int filter_end(void *self)
{
    filter *f = self;

    if (!f->nrecipes) {
        tw_log(self, TW_INFO, "%s: no event fits '%s'%s", f->place, f->on[0], f->on[1] ? " or what follows it" : "");
        return TW_OK;
    }
    for (uint32_t i = 0; i < f->nneeds; i++) {
        if (f->need[i].known) continue;
        const char *near = name_nearest(bus_types(self), f->need[i].name);
        tw_log(self, TW_WARNING, "%s: no event that fits has a '%s'%s%s%s", f->place, f->need[i].name,
               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return TW_OK;
}

static void filter_close(void *self)
{
    filter *f = self;

    if (f->L) {
        luaL_unref(f->L, LUA_REGISTRYINDEX, f->keep);
        luaL_unref(f->L, LUA_REGISTRYINDEX, f->loop);
        luaL_unref(f->L, LUA_REGISTRYINDEX, f->explain);
    }
    for (uint32_t i = 0; i < f->nrecipes; i++) text_free(&f->recipe[i]);
    text_free(&f->complaint);
    arena_free(&f->memory);
}

static const tw_option filter_options[] = {
    TW_OPTION(filter, key, TW_OPT_TEXT, NULL, "which of the pipeline file's filters; the file sets it"), { 0 }
};

const tw_stage filter_stage = {
    .size = sizeof(tw_stage),
    .name = "filter",
    .help =
        "Keep the events for which a Lua function of named values gives true, as in\n"
        "  filter {\n"
        "    on = \"DiskIo/Read\",                    -- or a list; other events pass, or not: others = \"drop\"\n"
        "    need = { \"pid\", \"TransferSize\" },      -- what keep is given; \"Irp:hex\" as text\n"
        "    keep = function(pid, size) return pid ~= 4 and size > 64 * KiB end,\n"
        "  }",
    .state = sizeof(filter),
    .options = filter_options,
    .open = filter_open,
    .type = filter_type,
    .events = filter_events,
    .end = filter_end,
    .close = filter_close,
};
