/* script.c - the border between Lua and the host.

   The language itself is prelude.lua. Here is what it needs of the host, and the way back: tables become plain data. One
   idea: whatever may raise a Lua error runs inside one protected call, so no error passes through other C code. */
#include "script.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "os.h"
#include "unit.h"

extern const char prelude_lua[], tw_cdef[];
extern const unsigned prelude_lua_bytes, tw_cdef_bytes;

enum {
    LARGEST_FILE = 4 << 20,    /* a pipeline file is written by hand */
    LARGEST_STATE = 256 << 20, /* bytes that a file which is not trusted may hold */
    MOST_NAMES = 4096          /* that are looked through for the nearest */
};

struct script {
    plugins *plugins;
    lua_State *L;
    int trusted;
    size_t held; /* bytes of the Lua state, where they are counted */
    arena memory;
    text scratch; /* sentences on their way into Lua; here, so that an error leaks nothing */
    pipeline pipeline;
};

/* ---- What the prelude calls ---- */

static script *script_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* nil and the sentence in scratch. */
static int push_why(lua_State *L, script *s)
{
    lua_pushnil(L);
    lua_pushlstring(L, text_of(&s->scratch), s->scratch.n);
    return 2;
}

/* has(name): is it a plugin or a stock stage? */
static int host_has(lua_State *L)
{
    lua_pushboolean(L, plugins_has(script_of(L)->plugins, luaL_checkstring(L, 1)));
    return 1;
}

/* stage(name): true and "source", "server" or "stage"; or nil and why not. */
static int host_stage(lua_State *L)
{
    script *s = script_of(L);

    text_clear(&s->scratch);
    const tw_stage *stage = plugins_stage(s->plugins, luaL_checkstring(L, 1), &s->scratch);
    if (!stage) return push_why(L, s);
    lua_pushboolean(L, 1);
    lua_pushstring(L, stage->read ? "source" : stage->run ? "server" : "stage");
    return 2;
}

/* option(stage, name): true where a plain number means nanoseconds, false where not; nil and why where there is no
   such option. name nil: the stage's first. */
static int host_option(lua_State *L)
{
    script *s = script_of(L);
    const char *name = lua_tostring(L, 2);

    text_clear(&s->scratch);
    const tw_stage *stage = plugins_stage(s->plugins, luaL_checkstring(L, 1), &s->scratch);
    if (!stage) return push_why(L, s);
    const tw_option *o = stage->options;
    if (name) {
        if (!option_known(stage, name, &s->scratch)) return push_why(L, s);
        while (strcmp(o->name, name)) o++;
    } else if (!o || !o->name) {
        text_put(&s->scratch, "this stage has no options, so nothing can be given to it");
        return push_why(L, s);
    }
    lua_pushboolean(L, o->kind == TW_OPT_SPAN);
    return 1;
}

/* nearest(word, list of texts) */
static int host_nearest(lua_State *L)
{
    const char *word = luaL_checkstring(L, 1);
    size_t n = lua_objlen(L, 2);

    luaL_checktype(L, 2, LUA_TTABLE);
    if (n > MOST_NAMES) n = MOST_NAMES;
    const char **names = lua_newuserdata(L, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 2, (int)i + 1);
        names[i] = lua_tostring(L, -1); /* the table keeps it */
        lua_pop(L, 1);
    }
    lua_pushstring(L, text_nearest(word, names, n));
    return 1;
}

static int host_nearest_plugin(lua_State *L)
{
    lua_pushstring(L, plugins_nearest(script_of(L)->plugins, luaL_checkstring(L, 1)));
    return 1;
}

/* number(text): of a text that is known to be one. */
static int host_number(lua_State *L)
{
    script *s = script_of(L);
    double f = 0;

    text_clear(&s->scratch);
    if (unit_float(luaL_checkstring(L, 1), &f, &s->scratch) != TW_OK) return push_why(L, s);
    lua_pushnumber(L, f);
    return 1;
}

/* span(text): nanoseconds, or nil and why. */
static int host_span(lua_State *L)
{
    script *s = script_of(L);
    int64_t ns;

    text_clear(&s->scratch);
    if (unit_span(luaL_checkstring(L, 1), &ns, &s->scratch) != TW_OK) return push_why(L, s);
    lua_pushnumber(L, (lua_Number)ns);
    return 1;
}

/* relative(text): does a moment count from the start of the trace? */
static int host_relative(lua_State *L)
{
    script *s = script_of(L);
    int64_t ns;
    int relative = 0;

    text_clear(&s->scratch);
    lua_pushboolean(L, unit_time(luaL_checkstring(L, 1), &ns, &relative, &s->scratch) == TW_OK && relative);
    return 1;
}

/* no_expression(text): nil where the text is a condition, else why not. */
static int host_no_expression(lua_State *L)
{
    script *s = script_of(L);

    text_clear(&s->scratch);
    expr *x = expr_new(luaL_checkstring(L, 1), &s->scratch);
    expr_free(x);
    if (x) return 0;
    lua_pushlstring(L, text_of(&s->scratch), s->scratch.n);
    return 1;
}

/* unfit(kind, text): nil where the text can be a value of that kind of argument, else why not. */
static int host_unfit(lua_State *L)
{
    script *s = script_of(L);
    int kind = argument_kind_of(luaL_checkstring(L, 1));

    text_clear(&s->scratch);
    if (argument_fits(kind, luaL_checkstring(L, 2), &s->memory, NULL, &s->scratch) == TW_OK) return 0;
    lua_pushlstring(L, text_of(&s->scratch), s->scratch.n);
    return 1;
}

// clang-format off
static const luaL_Reg prelude_functions[] = {
    { "has", host_has }, { "stage", host_stage }, { "option", host_option }, { "nearest", host_nearest },
    { "nearest_plugin", host_nearest_plugin }, { "number", host_number }, { "span", host_span },
    { "relative", host_relative }, { "unfit", host_unfit }, { "no_expression", host_no_expression }, { NULL, NULL }
};

#define SIZE(type) { #type, sizeof(type) }
static const struct { const char *name; size_t bytes; } shared_sizes[] = {
    SIZE(tw_text), SIZE(tw_list), SIZE(tw_name), SIZE(tw_names), SIZE(tw_field), SIZE(tw_type), SIZE(tw_table),
    SIZE(tw_event), SIZE(tw_batch), SIZE(tw_rows), SIZE(tw_value), SIZE(tw_clock), SIZE(tw_walk)
};
// clang-format on

/* ---- The state ---- */

/* Memory of a file that is not trusted: counted, and refused when there is too much of it. */
static void *bounded_memory(void *context, void *at, size_t before, size_t after)
{
    script *s = context;

    if (!at) before = 0;
    if (!after) {
        free(at);
        s->held -= before;
        return NULL;
    }
    if (after > before && after - before > LARGEST_STATE - s->held) return NULL;
    void *moved = realloc(at, after);
    if (moved) s->held += after - before;
    return moved;
}

static void push_host(lua_State *L, script *s)
{
    lua_newtable(L);
    for (const luaL_Reg *f = prelude_functions; f->name; f++) {
        lua_pushlightuserdata(L, s);
        lua_pushcclosure(L, f->func, 1);
        lua_setfield(L, -2, f->name);
    }
    lua_pushlstring(L, tw_cdef, tw_cdef_bytes);
    lua_setfield(L, -2, "cdef");
    lua_newtable(L);
    for (size_t i = 0; i < sizeof shared_sizes / sizeof *shared_sizes; i++) {
        lua_pushnumber(L, (lua_Number)shared_sizes[i].bytes);
        lua_setfield(L, -2, shared_sizes[i].name);
    }
    lua_setfield(L, -2, "sizes");
}

static int start(lua_State *L)
{
    script *s = lua_touserdata(L, 1);

    luaL_openlibs(L);
    if (luaL_loadbuffer(L, prelude_lua, prelude_lua_bytes, "=prelude.lua") != 0) return lua_error(L);
    push_host(L, s);
    lua_pushboolean(L, s->trusted);
    lua_call(L, 2, 1);
    lua_getfield(L, -1, "filters");
    lua_setfield(L, LUA_REGISTRYINDEX, SCRIPT_FILTERS);
    lua_getfield(L, -1, "explain");
    lua_setfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    lua_setfield(L, LUA_REGISTRYINDEX, "traceweir.prelude");
    return 0;
}

/* Runs `step` with `job` inside a protected call. */
static int guarded(script *s, lua_CFunction step, void *job, text *why)
{
    if (lua_cpcall(s->L, step, job) == 0) return TW_OK;
    const char *message = lua_type(s->L, -1) == LUA_TSTRING ? lua_tostring(s->L, -1) : "an error without a message";
    text_put(why, message);
    lua_settop(s->L, 0);
    return TW_ERROR;
}

script *script_new(plugins *p, int trusted, text *why)
{
    script *s = mem_new(sizeof *s);

    s->plugins = p;
    s->trusted = trusted;
    s->L = trusted ? luaL_newstate() : lua_newstate(bounded_memory, s);
    if (!s->L) {
        text_put(why, "Lua could not be started");
    } else if (guarded(s, start, s, why) == TW_OK) {
        return s;
    }
    script_free(s);
    return NULL;
}

void script_free(script *s)
{
    if (!s) return;
    if (s->L) lua_close(s->L);
    arena_free(&s->memory);
    text_free(&s->scratch);
    free(s);
}

void *script_state(script *s)
{
    return s->L;
}

/* ---- From tables to plain data. All of it runs inside a protected call. ---- */

static const char *keep_text(script *s, int at)
{
    size_t n;
    const char *bytes = lua_tolstring(s->L, at, &n);
    return bytes ? arena_text(&s->memory, bytes, n) : NULL;
}

static const char *text_field(script *s, int table, const char *key)
{
    lua_getfield(s->L, table, key);
    const char *kept = keep_text(s, -1);
    lua_pop(s->L, 1);
    return kept;
}

static int flag_field(script *s, int table, const char *key)
{
    lua_getfield(s->L, table, key);
    int set = lua_toboolean(s->L, -1);
    lua_pop(s->L, 1);
    return set;
}

static double number_field(script *s, int table, const char *key)
{
    lua_getfield(s->L, table, key);
    double f = lua_tonumber(s->L, -1);
    lua_pop(s->L, 1);
    return f;
}

/* The texts of the table on top of the stack. */
static const char **keep_list(script *s, uint32_t *n)
{
    *n = (uint32_t)lua_objlen(s->L, -1);
    const char **list = arena_alloc(&s->memory, (*n + 1) * sizeof *list);
    for (uint32_t i = 0; i < *n; i++) {
        lua_rawgeti(s->L, -1, (int)i + 1);
        list[i] = keep_text(s, -1);
        lua_pop(s->L, 1);
    }
    return list;
}

/* The argument described by the table on top of the stack. */
static void read_argument(script *s, argument *a)
{
    int t = lua_gettop(s->L);

    memset(a, 0, sizeof *a);
    a->name = text_field(s, t, "name");
    a->help = text_field(s, t, "help");
    a->value = text_field(s, t, "default");
    a->required = flag_field(s, t, "required");
    a->many = flag_field(s, t, "many");
    a->least = number_field(s, t, "least");
    a->most = number_field(s, t, "most");
    lua_getfield(s->L, t, "kind");
    a->kind = argument_kind_of(lua_tostring(s->L, -1));
    lua_getfield(s->L, t, "choices");
    if (lua_istable(s->L, -1)) a->choice = keep_list(s, &a->nchoices);
    lua_settop(s->L, t);
}

static void read_pipeline(script *s, int t)
{
    pipeline *p = &s->pipeline;

    p->name = text_field(s, t, "name");
    p->help = text_field(s, t, "help");
    lua_getfield(s->L, t, "args");
    p->nargs = (uint32_t)lua_objlen(s->L, -1);
    argument *args = arena_alloc(&s->memory, (p->nargs + 1) * sizeof *args);
    for (uint32_t i = 0; i < p->nargs; i++) {
        lua_rawgeti(s->L, -1, (int)i + 1);
        read_argument(s, &args[i]);
        lua_pop(s->L, 1);
    }
    lua_pop(s->L, 1);
    p->args = args;
}

/* The stage described by the table on top of the stack. */
static void read_stage(script *s, spec *out)
{
    int t = lua_gettop(s->L);

    memset(out, 0, sizeof *out);
    out->stage = text_field(s, t, "stage");
    out->place = text_field(s, t, "place");
    lua_getfield(s->L, t, "settings");
    out->n = (uint32_t)lua_objlen(s->L, -1);
    setting *set = arena_alloc(&s->memory, (out->n + 1) * sizeof *set);
    for (uint32_t i = 0; i < out->n; i++) {
        lua_rawgeti(s->L, t + 1, (int)i + 1);
        memset(&set[i], 0, sizeof set[i]);
        set[i].name = text_field(s, t + 2, "name");
        set[i].list = (uint32_t)flag_field(s, t + 2, "list");
        set[i].value = keep_list(s, &set[i].n);
        lua_pop(s->L, 1);
    }
    out->set = set;
    lua_settop(s->L, t);
}

/* ---- Loading ---- */

typedef struct load_job {
    script *s;
    const char *path, *source;
    size_t bytes;
} load_job;

/* Pushes the handler and then a function of the prelude. */
static void push_prelude(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    lua_getfield(L, LUA_REGISTRYINDEX, "traceweir.prelude");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static int load(lua_State *L)
{
    load_job *job = lua_touserdata(L, 1);
    script *s = job->s;

    lua_settop(L, 0);
    push_prelude(L, "evaluate");
    lua_pushlstring(L, job->source, job->bytes);
    lua_pushstring(L, job->path);
    if (lua_pcall(L, 2, 2, 1) != 0) return lua_error(L);
    read_pipeline(s, 3);
    lua_pushvalue(L, 2);
    lua_setfield(L, LUA_REGISTRYINDEX, "traceweir.pipeline");
    return 0;
}

/* The whole file into out. */
static int read_file(const char *path, text *out, text *why)
{
    os_file *f = NULL;
    text fact = { 0 };
    char block[4096];
    ptrdiff_t n = 0;
    int rc = os_open(path, &f, &fact);

    while (rc == TW_OK && (n = os_read(f, block, sizeof block, &fact)) > 0) {
        text_add(out, block, (size_t)n);
        if (out->n > LARGEST_FILE) {
            text_format(&fact, "it is larger than %d MiB, so it is no pipeline file", LARGEST_FILE >> 20);
            rc = TW_ERROR;
        }
    }
    if (n < 0) rc = TW_ERROR;
    if (rc != TW_OK) text_format(why, "%s: %s", path, text_of(&fact));
    if (f) os_close(f);
    text_free(&fact);
    return rc;
}

/* A message of Lua. Those of full memory and a full stack come without a place. */
static void put_fact(const script *s, const text *fact, text *why)
{
    const char *path = s->pipeline.path;

    if (strncmp(text_of(fact), path, strlen(path)) != 0) text_format(why, "%s: ", path);
    text_put(why, text_of(fact));
}

int script_load(script *s, const char *path, const char *source, const pipeline **out, text *why)
{
    text content = { 0 }, fact = { 0 };
    int rc = TW_ERROR;

    if (source)
        text_put(&content, source);
    else if (read_file(path, &content, why) != TW_OK)
        goto out;
    if (text_of(&content)[0] == LUA_SIGNATURE[0]) {
        text_format(why, "%s: this is compiled Lua; only text is loaded", path);
        goto out;
    }
    load_job job = { s, path, text_of(&content), content.n };
    s->pipeline.path = arena_text(&s->memory, path, strlen(path));
    rc = guarded(s, load, &job, &fact);
    if (rc != TW_OK) put_fact(s, &fact, why);
    *out = rc == TW_OK ? &s->pipeline : NULL;
out:
    text_free(&content);
    text_free(&fact);
    return rc;
}

/* ---- Planning ---- */

typedef struct plan_job {
    script *s;
    const argument_value *value;
    plan *plan;
} plan_job;

/* Pushes a value as Lua functions see it. */
static void push_real(lua_State *L, int kind, const char *value)
{
    if (kind == ARG_NUMBER)
        lua_pushnumber(L, strtod(value, NULL));
    else if (kind == ARG_FLAG)
        lua_pushboolean(L, !strcmp(value, "true"));
    else
        lua_pushstring(L, value);
}

/* Pushes { kind =, text =, value = } of one argument; no text and no value where it has none. */
static void push_argument(lua_State *L, const argument *a, const argument_value *v)
{
    int is_list = a->many || a->kind == ARG_REST;

    lua_createtable(L, 0, 3);
    lua_pushstring(L, argument_kind_name(a->kind));
    lua_setfield(L, -2, "kind");
    if (is_list) {
        lua_createtable(L, (int)v->n, 0);
        lua_createtable(L, (int)v->n, 0);
        for (uint32_t i = 0; i < v->n; i++) {
            lua_pushstring(L, v->text[i]);
            lua_rawseti(L, -3, (int)i + 1);
            push_real(L, a->kind, v->text[i]);
            lua_rawseti(L, -2, (int)i + 1);
        }
    } else if (v->n) {
        lua_pushstring(L, v->text[0]);
        push_real(L, a->kind, v->text[0]);
    } else {
        return;
    }
    lua_setfield(L, -3, "value");
    lua_setfield(L, -2, "text");
}

static int make_plan(lua_State *L)
{
    plan_job *job = lua_touserdata(L, 1);
    script *s = job->s;
    plan *out = job->plan;

    lua_settop(L, 0);
    push_prelude(L, "plan");
    lua_getfield(L, LUA_REGISTRYINDEX, "traceweir.pipeline");
    lua_newtable(L);
    for (uint32_t i = 0; i < s->pipeline.nargs; i++) {
        push_argument(L, &s->pipeline.args[i], &job->value[i]);
        lua_setfield(L, -2, s->pipeline.args[i].name);
    }
    if (lua_pcall(L, 2, 1, 1) != 0) return lua_error(L);
    out->name = s->pipeline.name;
    out->n = (uint32_t)lua_objlen(L, 2);
    spec *stages = arena_alloc(&s->memory, (out->n + 1) * sizeof *stages);
    for (uint32_t i = 0; i < out->n; i++) {
        lua_rawgeti(L, 2, (int)i + 1);
        read_stage(s, &stages[i]);
        lua_pop(L, 1);
    }
    out->stage = stages;
    return 0;
}

static int plan_values(script *s, const argument_value *values, const plan **out, text *why)
{
    plan_job job = { s, values, arena_alloc(&s->memory, sizeof(plan)) };
    text fact = { 0 };
    int rc;

    memset(job.plan, 0, sizeof *job.plan);
    rc = guarded(s, make_plan, &job, &fact);
    if (rc != TW_OK) put_fact(s, &fact, why);
    *out = rc == TW_OK ? job.plan : NULL;
    text_free(&fact);
    return rc;
}

int script_plan(script *s, const pipeline *p, const char *const *words, uint32_t n, const plan **out, text *why)
{
    argument_value *values = arena_alloc(&s->memory, (p->nargs + 1) * sizeof *values);

    if (arguments_read(p->args, p->nargs, words, n, &s->memory, values, why) != TW_OK) return TW_ERROR;
    return plan_values(s, values, out, why);
}

int script_example(script *s, const pipeline *p, const plan **out, text *why)
{
    argument_value *values = arena_alloc(&s->memory, (p->nargs + 1) * sizeof *values);

    arguments_stand_in(p->args, p->nargs, &s->memory, values);
    return plan_values(s, values, out, why);
}
