/* script.c - the border between Lua and the host.

   The language itself is prelude.lua, and what it asks of the host is script_prelude.c. Here are the state and its limits,
   and the way back: tables become plain data. One idea: whatever may raise a Lua error runs inside one protected call, so
   no error passes through other C code. */
#include <inttypes.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "script_state.h"

extern const char prelude_lua[];
extern const unsigned prelude_lua_bytes;

enum {
    LARGEST_FILE = 4 << 20,    /* a pipeline file is written by hand */
    LARGEST_STATE = 256 << 20, /* bytes; the usual limits of a file that is not trusted */
};
static const int64_t longest_call = 10000000000; /* ns */

/* Names in the registry, besides those of script.h. */
#define PIPELINE "traceweir.pipeline"
#define LATE     "traceweir.late"

/* ---- The state ---- */

/* Memory of a file that is not trusted: counted, and refused when there is too much of it, or too late. */
static void *bounded_memory(void *context, void *at, size_t before, size_t after)
{
    script *s = context;

    if (!at) before = 0;
    if (!after) {
        free(at);
        s->held -= before;
        return NULL;
    }
    if (after > before) {
        if (watch_insists(s->watch)) return NULL; /* ends compiled code that no hook reaches, if it allocates */
        if (s->held > s->options.memory || after - before > s->options.memory - s->held) {
            s->refused = 1;
            return NULL;
        }
    }
    void *moved = realloc(at, after);
    if (moved) s->held += after - before;
    return moved;
}

static const char *message_of(lua_State *L)
{
    return lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
}

/* Stops interpreted code at its next instruction, and again at those after it, should the code catch the error. The
   prelude puts the line in front. */
static void stop_late(lua_State *L, lua_Debug *unused)
{
    (void)unused;
    lua_getfield(L, LUA_REGISTRYINDEX, LATE);
    lua_error(L);
}

/* On the watching thread. Setting a hook is what may be done to a state that runs. */
static void ask_to_stop(void *context)
{
    lua_sethook(((script *)context)->L, stop_late, LUA_MASKCOUNT, 1);
}

/* In a protected call: the names, limits and the prelude. */
static int start(lua_State *L)
{
    script *s = lua_touserdata(L, 1);

    luaL_openlibs(L);
    text_put(&s->late, ": ");
    if (s->watch) watch_sentence(s->watch, &s->late);
    lua_pushlstring(L, text_of(&s->late), s->late.n);
    lua_setfield(L, LUA_REGISTRYINDEX, LATE);
    if (luaL_loadbuffer(L, prelude_lua, prelude_lua_bytes, "=prelude.lua") != 0) return lua_error(L);
    script_push_host(L, s);
    lua_pushboolean(L, s->options.trusted);
    lua_call(L, 2, 1);
    lua_getfield(L, -1, "loops");
    lua_setfield(L, LUA_REGISTRYINDEX, SCRIPT_LOOPS);
    lua_getfield(L, -1, "explain");
    lua_setfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    lua_setfield(L, LUA_REGISTRYINDEX, SCRIPT_PRELUDE);
    return 0;
}

script *script_new(plugins *p, const script_options *o, text *why)
{
    script *s = mem_new(sizeof *s);

    s->plugins = p;
    if (o) s->options = *o;
    if (!s->options.memory) s->options.memory = LARGEST_STATE;
    if (!s->options.time) s->options.time = longest_call;
    s->mutex = os_mutex_new();
    s->stack = __builtin_frame_address(0);
    if (!s->options.trusted) s->watch = watch_new(s->options.time, ask_to_stop, s);
    s->L = s->options.trusted ? luaL_newstate() : lua_newstate(bounded_memory, s);
    if (!s->L) {
        text_put(why, "Lua could not be started");
    } else if (lua_cpcall(s->L, start, s) == 0) {
        return s;
    } else {
        text_put(why, s->refused ? "Lua does not fit into the memory that --script-memory allows" : message_of(s->L));
    }
    script_free(s);
    return NULL;
}

void script_free(script *s)
{
    if (!s) return;
    watch_free(s->watch);
    if (s->L) {
        s->watch = NULL;
        lua_close(s->L);
    }
    os_mutex_free(s->mutex);
    arena_free(&s->memory);
    text_free(&s->scratch);
    text_free(&s->path);
    text_free(&s->content);
    text_free(&s->what);
    text_free(&s->late);
    free(s);
}

/* ---- Calls ---- */

void script_lock(script *s)
{
    os_lock(s->mutex);
}

void script_unlock(script *s)
{
    os_unlock(s->mutex);
}

struct lua_State *script_state(script *s)
{
    return s->L;
}

/* Lua's own messages of full memory and a full stack come without a place. */
static int has_place(const script *s, const char *message)
{
    const char *path = s->pipeline.path, *name = s->options.name;
    return !strncmp(message, path, strlen(path)) || strstr(message, ".lua:") ||
           (name && !strncmp(message, name, strlen(name)));
}

/* What is said of the error whose message is on top of the stack. */
static void put_error(script *s, const char *place, int late, int full, text *why)
{
    const char *message = message_of(s->L);

    if (late && !strstr(message, text_of(&s->late))) {
        text_format(why, "%s%s", place, text_of(&s->late));
    } else if (full) {
        int whole = s->options.memory % (1 << 20) == 0;
        text_format(why, "%s: holds more than %" PRIu64 " %s: stopped (--script-memory sets the limit)", place,
                    whole ? s->options.memory >> 20 : s->options.memory, whole ? "MiB" : "bytes");
    } else {
        if (!has_place(s, message)) text_format(why, "%s: ", place);
        text_put(why, message);
    }
}

int script_run(script *s, script_step step, void *job, const char *stage, const char *place, text *why, int *fatal)
{
    const char *line = strrchr(place, ':');
    int late = 0, rc;

    script_lock(s);
    s->refused = 0;
    s->stack = __builtin_frame_address(0);
    text_clear(&s->what);
    if (*stage) text_format(&s->what, "%s%s%s", stage, line ? " at line " : "", line ? line + 1 : "");
    if (s->watch) watch_begin(s->watch, s->pipeline.path, text_of(&s->what));
    rc = lua_cpcall(s->L, step, job);
    if (s->watch && watch_end(s->watch)) {
        lua_sethook(s->L, NULL, 0, 0);
        late = 1;
    }
    int full = rc && s->refused && strstr(message_of(s->L), "not enough memory");
    if (rc) put_error(s, place, late, full, why);
    if (fatal) *fatal = late || full;
    lua_settop(s->L, 0);
    script_unlock(s);
    return rc ? TW_ERROR : TW_OK;
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
    p->example = text_field(s, t, "example");
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

static const spec *read_stages(script *s, uint32_t *n);

/* The branches of a merge or tee: lists of stages, in the list on top of the stack. */
static const plan *read_branches(script *s, uint32_t *n)
{
    *n = (uint32_t)lua_objlen(s->L, -1);
    plan *list = arena_alloc(&s->memory, (*n + 1) * sizeof *list);
    for (uint32_t i = 0; i < *n; i++) {
        lua_rawgeti(s->L, -1, (int)i + 1);
        list[i].name = s->pipeline.name;
        list[i].stage = read_stages(s, &list[i].n);
        lua_pop(s->L, 1);
    }
    return list;
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
    lua_getfield(s->L, t, "branches");
    if (lua_istable(s->L, -1)) out->branch = read_branches(s, &out->nbranches);
    lua_settop(s->L, t);
}

/* The stages of the list on top of the stack. */
static const spec *read_stages(script *s, uint32_t *n)
{
    luaL_checkstack(s->L, 16, "branches within branches");
    *n = (uint32_t)lua_objlen(s->L, -1);
    spec *stages = arena_alloc(&s->memory, (*n + 1) * sizeof *stages);
    for (uint32_t i = 0; i < *n; i++) {
        lua_rawgeti(s->L, -1, (int)i + 1);
        read_stage(s, &stages[i]);
        lua_pop(s->L, 1);
    }
    return stages;
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
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_PRELUDE);
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
    lua_pushstring(L, s->options.name);
    if (lua_pcall(L, 3, 2, 1) != 0) return lua_error(L);
    read_pipeline(s, 3);
    lua_pushvalue(L, 2);
    lua_setfield(L, LUA_REGISTRYINDEX, PIPELINE);
    return 0;
}

int script_read_file(const char *path, text *out, text *why)
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

int script_load(script *s, const char *path, const char *source, const pipeline **out, text *why)
{
    text content = { 0 };
    int rc = TW_ERROR;

    if (source)
        text_put(&content, source);
    else if (script_read_file(path, &content, why) != TW_OK)
        goto out;
    if (text_of(&content)[0] == LUA_SIGNATURE[0]) {
        text_format(why, "%s: this is compiled Lua; only text is loaded", path);
        goto out;
    }
    load_job job = { s, path, text_of(&content), content.n };
    s->pipeline.path = arena_text(&s->memory, path, strlen(path));
    rc = script_run(s, load, &job, "", s->pipeline.path, why, NULL);
    *out = rc == TW_OK ? &s->pipeline : NULL;
out:
    text_free(&content);
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

/* Pushes { kind =, given =, text =, value = } of one argument; no text and no value where it has none. */
static void push_argument(lua_State *L, const argument *a, const argument_value *v)
{
    int is_list = a->many || a->kind == ARG_REST;

    lua_createtable(L, 0, 4);
    lua_pushboolean(L, v->given || !a->value); /* a stand-in is as good as a user's word */
    lua_setfield(L, -2, "given");
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
    lua_getfield(L, LUA_REGISTRYINDEX, PIPELINE);
    lua_newtable(L);
    for (uint32_t i = 0; i < s->pipeline.nargs; i++) {
        push_argument(L, &s->pipeline.args[i], &job->value[i]);
        lua_setfield(L, -2, s->pipeline.args[i].name);
    }
    if (lua_pcall(L, 2, 1, 1) != 0) return lua_error(L);
    out->name = s->pipeline.name;
    lua_settop(L, 2);
    out->stage = read_stages(s, &out->n);
    return 0;
}

static int plan_values(script *s, const argument_value *values, const plan **out, text *why)
{
    plan_job job = { s, values, arena_alloc(&s->memory, sizeof(plan)) };

    memset(job.plan, 0, sizeof *job.plan);
    const char *place = s->options.name ? s->options.name : s->pipeline.path;
    int rc = script_run(s, make_plan, &job, "", place, why, NULL);
    *out = rc == TW_OK ? job.plan : NULL;
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
