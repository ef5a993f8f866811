/* script_prelude.c - what the prelude asks of the host.

   One idea: each is a question about names and texts that the host can answer better than Lua: what stages and options
   there are, whether a text can be a value, which name was meant. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "lua_loop.h"
#include "os.h"
#include "script_state.h"
#include "unit.h"

extern const char arguments_lua[], sandbox_lua[], tw_cdef[];
extern const unsigned arguments_lua_bytes, sandbox_lua_bytes, tw_cdef_bytes;

enum {
    MOST_NAMES = 4096,  /* that are looked through for the nearest */
    DEEPEST = 256 << 10 /* bytes of C stack; some threads have no more than a megabyte, and a gsub takes eight KiB */
};

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

/* The file NAME.lua in that folder, if there is one; a path without a folder is of the working folder. */
static int find_used(const char *folder_path, size_t n, const char *name, text *path)
{
    text_clear(path);
    text_add(path, folder_path, n);
    text_format(path, "%s%s.lua", n && !strchr("/\\", folder_path[n - 1]) ? "/" : "", name);
    return os_exists(text_of(path));
}

/* used(name): the text of the file that `use` names, and its path; or nil and why not. */
static int host_used(lua_State *L)
{
    script *s = script_of(L);
    const char *name = luaL_checkstring(L, 1), *own = s->pipeline.path;
    int trusted = s->options.trusted, found = find_used(own, (size_t)(os_path_name(own) - own), name, &s->path);

    for (uint32_t i = 0; i < s->options.nfolders && !found; i++) {
        const folder *f = &s->options.folders[i];
        found = find_used(f->path, strlen(f->path), name, &s->path);
        trusted = f->trusted || s->options.trust;
    }
    text_clear(&s->scratch);
    text_clear(&s->content);
    if (!found) {
        text_format(&s->scratch, "there is no %s.lua beside this file or in the folders of pipelines", name);
    } else if (s->options.trusted && !trusted) {
        text_format(&s->scratch, "%s is not trusted, but the file that uses it is; --trust allows it",
                    text_of(&s->path));
    } else if (script_read_file(text_of(&s->path), &s->content, &s->scratch) == TW_OK) {
        lua_pushlstring(L, text_of(&s->content), s->content.n);
        lua_pushlstring(L, text_of(&s->path), s->path.n);
        return 2;
    }
    return push_why(L, s);
}

/* deep(): is so much of the C stack in use that nothing more should be called? LuaJIT bounds its own stack only, but functions
   such as string.gsub call back on this one. */
static int host_deep(lua_State *L)
{
    const char *here = __builtin_frame_address(0), *base = script_of(L)->stack;
    lua_pushboolean(L, (here < base ? base - here : here - base) > DEEPEST);
    return 1;
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

/* option(stage, name): true where a plain number means nanoseconds, false where not, and its name; nil and why where there
   is no such option. name nil: the stage's first. */
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
        while (strcmp(o->name, name) != 0) o++;
    } else if (!o || !o->name) {
        text_put(&s->scratch, "this stage has no options, so nothing can be given to it");
        return push_why(L, s);
    }
    lua_pushboolean(L, o->kind == TW_OPT_SPAN);
    lua_pushstring(L, o->name);
    return 2;
}

/* writes(stage, name, i): the name of the option if it is one that writes files, else nil. name nil: the option that the
   i-th value without a name is for. */
static int host_writes(lua_State *L)
{
    script *s = script_of(L);
    const char *name = lua_tostring(L, 2);
    int i = (int)luaL_checkinteger(L, 3);

    text_clear(&s->scratch);
    const tw_stage *stage = plugins_stage(s->plugins, luaL_checkstring(L, 1), &s->scratch);
    const tw_option *o = stage ? stage->options : NULL;
    if (name)
        while (o && o->name && strcmp(o->name, name) != 0) o++;
    else if (o && o->name && o->kind != TW_OPT_LIST)
        while (--i > 0 && o->name) o++;
    int writes = o && o->name && (o->kind == TW_OPT_OUTPUT || o->kind == TW_OPT_FOLDER);
    lua_pushstring(L, writes ? o->name : NULL);
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
    { "deep", host_deep }, { "writes", host_writes },
    { "has", host_has }, { "stage", host_stage }, { "option", host_option }, { "nearest", host_nearest },
    { "nearest_plugin", host_nearest_plugin }, { "number", host_number }, { "span", host_span },
    { "relative", host_relative }, { "unfit", host_unfit }, { "no_expression", host_no_expression },
    { "used", host_used }, { NULL, NULL }
};

#define SIZE(type) { #type, sizeof(type) }
static const struct { const char *name; size_t bytes; } shared_sizes[] = {
    SIZE(tw_text), SIZE(tw_list), SIZE(tw_name), SIZE(tw_names), SIZE(tw_field), SIZE(tw_type), SIZE(tw_table),
    SIZE(tw_event), SIZE(tw_batch), SIZE(tw_rows), SIZE(tw_value), SIZE(tw_clock), SIZE(tw_walk)
};
// clang-format on

void script_push_host(lua_State *L, script *s)
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
    lua_pushlstring(L, arguments_lua, arguments_lua_bytes);
    lua_setfield(L, -2, "arguments");
    lua_pushlstring(L, sandbox_lua, sandbox_lua_bytes);
    lua_setfield(L, -2, "sandbox");
    lua_setfield(L, -2, "parts");
    lua_newtable(L);
    for (int i = 0; loop_kinds[i].name; i++) {
        lua_pushstring(L, loop_kinds[i].name);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "column_kinds");
    lua_newtable(L);
    for (size_t i = 0; i < sizeof shared_sizes / sizeof *shared_sizes; i++) {
        lua_pushnumber(L, (lua_Number)shared_sizes[i].bytes);
        lua_setfield(L, -2, shared_sizes[i].name);
    }
    lua_setfield(L, -2, "sizes");
}
