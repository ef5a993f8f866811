/* lua_loop.c - a Lua function that is called with named values of events: what `filter` and `transform` share.

   One idea: a recipe is the text that reads the values for one type of event. Types whose text is the same share it; the
   chunk has one branch for each recipe and is written anew when a recipe appears. */
#include "lua_loop.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "stock.h"

enum form { FORM_ABSENT, FORM_NUMBER, FORM_TEXT, FORM_FLAG, FORM_TOO_LARGE }; /* what `get` gives */

/* ---- Values that the chunk does not read itself ---- */

static int too_large(loop *l, const tw_event *e, const loop_need *n, uint64_t u, int negative)
{
    const tw_type *t = ((tw_self *)l->self)->type[e->type];

    text_clear(&l->complaint);
    text_format(&l->complaint, "%s: '%s' of %s/%s is ", l->place, n->name, t->provider, t->name);
    if (negative)
        text_format(&l->complaint, "%" PRId64, (int64_t)u);
    else
        text_format(&l->complaint, "0x%" PRIx64, u);
    text_format(&l->complaint, ", too large for an exact number; need it as \"%s:hex\", a text", n->name);
    return FORM_TOO_LARGE;
}

static int give_number(loop *l, double number)
{
    l->view.value.f = number;
    return FORM_NUMBER;
}

static int give_text(loop *l, const char *at, uint32_t n)
{
    l->view.value.t.at = at;
    l->view.value.t.bytes = n;
    return FORM_TEXT;
}

static int give_unsigned(loop *l, const tw_event *e, const loop_need *n, uint64_t u)
{
    char digits[24];

    if (!n->hex) return u <= (uint64_t)1 << 53 ? give_number(l, (double)u) : too_large(l, e, n, u, 0);
    int length = snprintf(digits, sizeof digits, "0x%" PRIx64, u);
    return give_text(l, arena_text(batch_memory(l->view.batch), digits, (size_t)length), (uint32_t)length);
}

static int give_signed(loop *l, const tw_event *e, const loop_need *n, int64_t i)
{
    const int64_t exact = (int64_t)1 << 53;

    if (n->hex) return give_unsigned(l, e, n, (uint64_t)i);
    return i >= -exact && i <= exact ? give_number(l, (double)i) : too_large(l, e, n, (uint64_t)i, 1);
}

/* As every sink writes it. */
static int give_printed(loop *l, const tw_value *v, const tw_field *column)
{
    int n = value_print(column, v, NULL, 0);
    char *out = arena_alloc(batch_memory(l->view.batch), (size_t)n + 1);

    value_print(column, v, out, (size_t)n + 1);
    return give_text(l, out, (uint32_t)n);
}

/* view.get: a value into view.value, in one of three forms. */
static int get(void *owner, const tw_event *e, uint32_t at)
{
    loop *l = owner;
    const loop_need *n = &l->need[at];
    const name *from = &l->names[e->type][at];
    tw_value v;

    memset(&v, 0, sizeof v);
    if (name_get(l->self, l->view.batch, e, from, &v) != TW_OK) return FORM_ABSENT;
    switch (v.kind) {
    case TW_BOOL:
    case TW_BOOL32: l->view.value.f = v.u != 0; return FORM_FLAG;
    case TW_U8:
    case TW_U16:
    case TW_U32:
    case TW_U64:
    case TW_POINTER: return give_unsigned(l, e, n, v.u);
    case TW_I8:
    case TW_I16:
    case TW_I32:
    case TW_I64:
    case TW_SPAN:
    case TW_TICKS:
    case TW_TICK_SPAN: return give_signed(l, e, n, v.i);
    case TW_TIME: return give_number(l, (double)(int64_t)((uint64_t)v.i - (uint64_t)bus_begin(l->self, e)));
    case TW_F32:
    case TW_F64: return give_number(l, v.f);
    case TW_TEXT: return give_text(l, v.t.at, v.t.bytes);
    default: return give_printed(l, &v, from->column);
    }
}

/* view.move: to another source, whose trace has begun at another time. */
static void move(void *owner, const tw_event *e)
{
    loop *l = owner;

    l->view.source = e->source;
    l->view.begin = bus_begin(l->self, e);
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
static void put_read(const loop_need *n, const name *from, uint32_t at, text *out)
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
        text_format(out, LOOP_MOVE "local a%u = tonumber(e.time - view.begin)\n", at);
    } else {
        text_format(out, "local a%u = field(e, %u)\n", at, at);
    }
}

static void put_call(const loop *l, text *out)
{
    if (l->count) text_put(out, l->mark_text);
    text_put(out, l->call_text);
    for (uint32_t i = 0; i < l->nneeds; i++)
        text_format(out, "%sa%u", i || l->call_text[strlen(l->call_text) - 1] != '(' ? ", " : "", i);
    text_put(out, ")\n");
}

/* 1 + the place of a recipe; 0 where there is none like it. */
static uint8_t find_recipe(const loop *l, const text *wanted)
{
    for (uint32_t i = 0; i < l->nrecipes; i++)
        if (!strcmp(text_of(&l->recipe[i]), text_of(wanted))) return (uint8_t)(i + 1);
    return 0;
}

/* 1 + the place of the recipe for a type whose values come from `names`. */
static uint8_t recipe_for(loop *l, const name *names)
{
    text wanted = { 0 };
    uint8_t found;

    for (uint32_t i = 0; i < l->nneeds; i++) put_read(&l->need[i], &names[i], i, &wanted);
    put_call(l, &wanted);
    found = find_recipe(l, &wanted);
    if (!found && l->nrecipes >= LOOP_MOST_RECIPES) {
        text_clear(&wanted);
        for (uint32_t i = 0; i < l->nneeds; i++) text_format(&wanted, "local a%u = field(e, %u)\n", i, i);
        put_call(l, &wanted);
        found = find_recipe(l, &wanted);
    }
    if (found) {
        text_free(&wanted);
        return found;
    }
    l->recipe[l->nrecipes++] = wanted;
    l->stale = 1;
    return (uint8_t)l->nrecipes;
}

int loop_type(loop *l, const tw_type *t)
{
    if (!stock_fits(t, l->on)) return TW_OK;
    name *names = arena_alloc(&l->memory, (l->nneeds + 1) * sizeof *names);
    for (uint32_t i = 0; i < l->nneeds; i++) {
        name_resolve(t, l->need[i].name, &names[i]);
        l->need[i].known |= names[i].from != NAME_NONE;
    }
    l->names[t->id] = names;
    l->view.recipe[t->id] = recipe_for(l, names);
    return TW_OK;
}

/* ---- The chunk ---- */

/* One function for each kind: what they share would be looked up in the loop. */
#define READER(name, type)                                                                                           \
    "local p_" name " = ffi.typeof 'const " type " *'\n"                                                             \
    "local function " name "(p) return cast(p_" name ", p)[0] end\n"

// clang-format off
static const char chunk_begin[] =
    "local ffi, call, address = ...\n"
    "local cast, copy, text_of, tonumber = ffi.cast, ffi.copy, ffi.string, tonumber\n"
    "local view = cast('struct { " LOOP_WORDS_OF(LOOP_VIEW_MEMBERS) " } *', address)\n"
    READER("u8", "uint8_t") READER("u16", "uint16_t") READER("u32", "uint32_t")
    READER("i8", "int8_t") READER("i16", "int16_t") READER("i32", "int32_t")
    READER("f32", "float") READER("f64", "double")
    "local function field(e, need)\n"
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
    "end\n";
// clang-format on

static void put_chunk(const loop *l, text *out)
{
    text_put(out, chunk_begin);
    text_put(out, text_of(&l->head));
    for (uint32_t i = 0; i < l->nrecipes; i++)
        text_format(out, "%s which == %u then\n%s", i ? "elseif" : "if", i + 1, text_of(&l->recipe[i]));
    text_put(out, text_of(&l->tail));
}

/* Compiles the chunk and keeps the loop it returns. */
static void build(lua_State *L, loop *l)
{
    text_clear(&l->chunk);
    put_chunk(l, &l->chunk);
    if (luaL_loadbuffer(L, text_of(&l->chunk), l->chunk.n, "=loop")) lua_error(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, "ffi");
    lua_remove(L, -2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, l->call);
    lua_pushlightuserdata(L, &l->view);
    lua_call(L, 3, 1);
    luaL_unref(L, LUA_REGISTRYINDEX, l->made);
    l->made = LUA_NOREF;
    l->made = luaL_ref(L, LUA_REGISTRYINDEX);
    l->stale = 0;
}

/* In a protected call: one run of the loop. */
static int step(lua_State *L)
{
    loop *l = lua_touserdata(L, 1);

    lua_settop(L, 0);
    if (l->stale) build(L, l);
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    lua_rawgeti(L, LUA_REGISTRYINDEX, l->made);
    if (lua_pcall(L, 0, 0, 1)) return lua_error(L);
    return 0;
}

/* The function failed on the event view.at: counted, and said once. */
static void count_error(loop *l, const char *why)
{
    tw_count(l->self, 0, 1);
    if (!l->said) tw_log(l->self, TW_WARNING, "%s; more errors are only counted", why);
    l->said = 1;
}

int loop_run(loop *l, tw_batch *b)
{
    text why = { 0 };
    int rc = TW_OK, failed;

    l->view.batch = b;
    l->view.n = (int32_t)b->n;
    move(l, &b->event[0]);
    do {
        int fatal = 0;
        text_clear(&why);
        text_clear(&l->complaint);
        failed = script_run(l->script, step, l, l->word, l->place, &why, &fatal) != TW_OK;
        if (!failed) break;
        const char *said = l->complaint.n && !fatal ? text_of(&l->complaint) : text_of(&why);
        if (fatal || !l->count) {
            rc = tw_fail(l->self, "%s", said);
            break;
        }
        count_error(l, said);
        if (l->undo) l->undo(l->self);
        l->view.at++;
    } while (l->view.at < l->view.n);
    text_free(&why);
    return rc;
}

/* ---- Opening and closing ---- */

/* The list of texts in field `key` of the table at 2, ended by NULL. */
static uint32_t read_list(lua_State *L, loop *l, const char *key, const char ***out)
{
    lua_getfield(L, 2, key);
    uint32_t n = (uint32_t)lua_objlen(L, -1);
    const char **list = arena_alloc(&l->memory, (n + 1) * sizeof *list);
    for (uint32_t i = 0; i < n; i++) {
        size_t bytes;
        lua_rawgeti(L, -1, (int)i + 1);
        const char *at = luaL_checklstring(L, -1, &bytes);
        list[i] = arena_text(&l->memory, at, bytes);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    list[n] = NULL;
    *out = list;
    return n;
}

typedef struct open_job {
    loop *l;
    const char *key;
    void (*more)(lua_State *L, void *self);
} open_job;

/* In a protected call: what the pipeline file said about this stage. */
static int read_definition(lua_State *L)
{
    open_job *job = lua_touserdata(L, 1);
    loop *l = job->l;
    const char **needs;

    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_LOOPS);
    lua_rawgeti(L, 1, atoi(job->key));
    if (!lua_istable(L, 2))
        return luaL_error(L, "there is no %s '%s'; they are written in pipeline files", l->word, job->key);
    lua_getfield(L, 2, "place");
    l->place = arena_text(&l->memory, luaL_checkstring(L, -1), lua_objlen(L, -1));
    read_list(L, l, "on", &l->on);
    l->nneeds = read_list(L, l, "need", &needs);
    if (l->nneeds > LOOP_MOST_VALUES)
        return luaL_error(L, "a %s needs more than %d values", l->word, LOOP_MOST_VALUES);
    for (uint32_t i = 0; needs[i]; i++) {
        size_t n = strlen(needs[i]);
        l->need[i].hex = n > 4 && !strcmp(needs[i] + n - 4, ":hex");
        l->need[i].name = arena_text(&l->memory, needs[i], l->need[i].hex ? n - 4 : n);
    }
    lua_getfield(L, 2, "drop");
    l->drop = lua_toboolean(L, -1);
    lua_getfield(L, 2, "count");
    l->count = lua_toboolean(L, -1);
    lua_getfield(L, 2, "call");
    l->call = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, 2);
    if (job->more) job->more(L, l->self);
    return 0;
}

int loop_open(loop *l, void *self, const char *word, const char *key, void (*more)(lua_State *L, void *self))
{
    open_job job = { l, key, more };
    text why = { 0 };

    l->self = self;
    l->word = word;
    l->call = l->made = LUA_NOREF;
    l->script = bus_script(self);
    l->place = "";
    l->view.owner = l;
    l->view.get = get;
    l->view.move = move;
    if (!l->script) return tw_fail(self, "there is no Lua here, and a %s is a Lua function", word);
    int rc = script_run(l->script, read_definition, &job, word, "", &why, NULL);
    if (rc != TW_OK) tw_fail(self, "%s", text_of(&why));
    text_free(&why);
    return rc;
}

void loop_end(loop *l)
{
    if (!l->nrecipes) {
        tw_log(l->self, TW_INFO, "%s: no event fits '%s'%s", l->place, l->on[0],
               l->on[1] ? " or what follows it" : "");
        return;
    }
    for (uint32_t i = 0; i < l->nneeds; i++) {
        if (l->need[i].known) continue;
        const char *near = name_nearest(bus_types(l->self), l->need[i].name);
        tw_log(l->self, TW_WARNING, "%s: no event that fits has a '%s'%s%s%s", l->place, l->need[i].name,
               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
}

void loop_close(loop *l)
{
    if (l->script) {
        script_lock(l->script);
        luaL_unref(script_state(l->script), LUA_REGISTRYINDEX, l->call);
        luaL_unref(script_state(l->script), LUA_REGISTRYINDEX, l->made);
        script_unlock(l->script);
    }
    for (uint32_t i = 0; i < l->nrecipes; i++) text_free(&l->recipe[i]);
    text_free(&l->head);
    text_free(&l->tail);
    text_free(&l->chunk);
    text_free(&l->complaint);
    arena_free(&l->memory);
}
