/* script_host.c - the hidden command `script-host`: the process that a server's script runs in.

   It reads a line, does it, writes a line. One idea: it trusts nothing to itself. Time, memory and output are limited by
   who started it, by ending it; here is only the sandbox of pipeline files that are not trusted. */
#include <jansson.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "lua_json.h"
#include "os.h"
#include "server.h"

enum { LONGEST_REQUEST = 16 << 20, MOST_NAMES = 4096 };
static const char functions[] = "traceweir.functions"; /* in the registry: what the script returned */

typedef struct job { /* one line */
    const json_t *request;
    json_t *result;
} job;

static const char *member(const json_t *request, const char *key)
{
    return json_string_value(json_object_get(request, key));
}

/* Pushes the name nearest to `word` among the keys of the table at that place, or nil. */
static void push_nearest(lua_State *L, int table, const char *word)
{
    const char **names = lua_newuserdata(L, MOST_NAMES * sizeof *names);
    size_t n = 0;

    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING && n < MOST_NAMES) names[n++] = lua_tostring(L, -1);
    }
    lua_pushstring(L, text_nearest(word, names, n));
}

/* { name, source }: runs the text and keeps its functions. */
static int load(lua_State *L)
{
    const job *j = lua_touserdata(L, 1);

    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_PRELUDE);
    lua_getfield(L, 2, "words");
    lua_json_open(L);
    lua_setfield(L, 3, "json");
    lua_getfield(L, 2, "run_file");
    lua_pushstring(L, member(j->request, "source"));
    lua_pushstring(L, member(j->request, "name"));
    if (lua_pcall(L, 2, 1, 1) != 0) return lua_error(L);
    if (!lua_istable(L, -1))
        return luaL_error(L, "%s: a script returns a table of functions, not a %s", member(j->request, "name"),
                          luaL_typename(L, -1));
    lua_setfield(L, LUA_REGISTRYINDEX, functions);
    return 0;
}

/* { function, argument } */
static int call(lua_State *L)
{
    job *j = lua_touserdata(L, 1);
    const char *name = member(j->request, "function");

    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_EXPLAIN);
    lua_getfield(L, LUA_REGISTRYINDEX, functions);
    lua_pushstring(L, name);
    lua_rawget(L, 2);
    if (!lua_isfunction(L, -1)) {
        push_nearest(L, 2, name);
        if (lua_isnil(L, -1)) return luaL_error(L, "the script has no function '%s'", name);
        return luaL_error(L, "the script has no function '%s'; did you mean '%s'?", name, lua_tostring(L, -1));
    }
    lua_json_push(L, json_object_get(j->request, "argument"));
    if (lua_pcall(L, 1, 1, 1) != 0) return lua_error(L);
    lua_json_take(L, lua_gettop(L), &j->result);
    return 0;
}

/* The answer of one line: + and JSON, or - and a sentence. */
static void answer(lua_State *L, const json_t *request)
{
    job j = { request, NULL };
    text line = { 0 };
    int is_load = member(request, "source") != NULL;

    if (lua_cpcall(L, is_load ? load : call, &j) == 0) {
        char *json = json_dumps(is_load ? json_true() : j.result, JSON_COMPACT | JSON_ENCODE_ANY);
        text_format(&line, "+%s", json);
        free(json);
    } else {
        const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
        text_format(&line, "-%s", message);
        report_plain(&line); /* one line */
    }
    lua_settop(L, 0);
    json_decref(j.result);
    fwrite(text_of(&line), 1, line.n, stdout);
    fputc('\n', stdout);
    fflush(stdout);
    text_free(&line);
}

static int serve(lua_State *L)
{
    lines in = { .most = LONGEST_REQUEST };
    os_file *input = NULL;
    text why = { 0 };
    const char *line;
    size_t n;
    int status = STATUS_DONE;

    if (os_open("-", &input, &why) != TW_OK) in.ended = 1;
    for (;;) {
        int what = lines_next(&in, &line, &n);
        if (what == LINES_NONE && in.ended) break;
        if (what == LINES_NONE) {
            char *to = lines_room(&in, &n);
            ptrdiff_t got = os_read(input, to, n, &why);
            if (got > 0) lines_add(&in, (size_t)got);
            if (got <= 0) in.ended = 1;
            continue;
        }
        json_t *request = json_loadb(line, n, JSON_ALLOW_NUL, NULL);
        int known = member(request, "source") ? member(request, "name") != NULL
                                              : member(request, "function") && json_object_get(request, "argument");
        if (known) answer(L, request);
        json_decref(request);
        if (known) continue;
        fprintf(stderr, "script-host is how the host runs a server's scripts; it is no command for people\n");
        status = STATUS_WRONG_USE;
        break;
    }
    if (input) os_close(input);
    lines_free(&in);
    text_free(&why);
    return status;
}

int script_host_run(void)
{
    plugins *none = plugins_new(NULL, 0);
    text why = { 0 };
    script *s = script_new(none, NULL, &why);
    int status = STATUS_FAILED;

    if (s)
        status = serve(script_state(s));
    else
        command_say(text_of(&why));
    script_free(s);
    plugins_free(none);
    text_free(&why);
    return status;
}
