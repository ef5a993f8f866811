/* lua_json.c - JSON values and Lua values, both ways.

   Lua has one kind of table where JSON has two, so tables made from arrays are remembered. One idea: nothing is changed
   silently. A number that is not exact, a text that is no UTF-8, a table that is half a list are errors. */
#include "lua_json.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <math.h>

enum { DEEPEST = 128 };
static const char arrays[] = "traceweir.arrays"; /* in the registry: tables that are arrays, as weak keys */
static const double exact = 9007199254740992.0;  /* 2^53: up to here a Lua number is the same integer */

/* ---- Words for scripts ---- */

static void mark_array(lua_State *L, int at)
{
    lua_getfield(L, LUA_REGISTRYINDEX, arrays);
    lua_pushvalue(L, at);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

static int is_marked(lua_State *L, int at)
{
    lua_getfield(L, LUA_REGISTRYINDEX, arrays);
    lua_pushvalue(L, at);
    lua_rawget(L, -2);
    int marked = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return marked;
}

static int json_array_word(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    mark_array(L, 1);
    return 1;
}

void lua_json_open(lua_State *L)
{
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, arrays);

    lua_createtable(L, 0, 2);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null");
    lua_pushcfunction(L, json_array_word);
    lua_setfield(L, -2, "array");
}

/* ---- JSON to Lua ---- */

static void push_integer(lua_State *L, json_int_t i)
{
    if (i > (json_int_t)exact || i < -(json_int_t)exact) {
        char digits[32];
        snprintf(digits, sizeof digits, "%" PRId64, (int64_t)i); /* which Lua's own format does not know */
        luaL_error(L, "the number %s is too large to be exact in Lua; give it as a text", digits);
    }
    lua_pushnumber(L, (lua_Number)i);
}

static void push_value(lua_State *L, const json_t *v, int depth)
{
    const char *key;
    json_t *item, *object = (json_t *)v; /* jansson walks objects through a pointer that is not const */
    size_t i;

    if (depth > DEEPEST) luaL_error(L, "the JSON is nested deeper than %d levels", DEEPEST);
    luaL_checkstack(L, 4, "the JSON is nested too deep");
    switch (json_typeof(v)) {
    case JSON_NULL: lua_pushlightuserdata(L, NULL); break;
    case JSON_TRUE: lua_pushboolean(L, 1); break;
    case JSON_FALSE: lua_pushboolean(L, 0); break;
    case JSON_INTEGER: push_integer(L, json_integer_value(v)); break;
    case JSON_REAL: lua_pushnumber(L, json_real_value(v)); break;
    case JSON_STRING: lua_pushlstring(L, json_string_value(v), json_string_length(v)); break;
    case JSON_ARRAY:
        lua_createtable(L, (int)json_array_size(v), 0);
        mark_array(L, lua_gettop(L));
        json_array_foreach(v, i, item)
        {
            push_value(L, item, depth + 1);
            lua_rawseti(L, -2, (int)i + 1);
        }
        break;
    case JSON_OBJECT:
        lua_createtable(L, 0, (int)json_object_size(v));
        json_object_foreach(object, key, item)
        {
            lua_pushstring(L, key);
            push_value(L, item, depth + 1);
            lua_rawset(L, -3);
        }
        break;
    }
}

void lua_json_push(lua_State *L, const json_t *value)
{
    push_value(L, value, 0);
}

/* ---- Lua to JSON ---- */

typedef struct place { /* where a value that was made belongs */
    json_t **root;     /* not NULL: it is the whole */
    json_t *parent;    /* else an array, or an object and the key in it */
    const char *key;
    size_t key_bytes;
} place;

/* The new value is its place's from here on. */
static json_t *hang(lua_State *L, const place *to, json_t *v)
{
    int failed = !v;

    if (to->root)
        *to->root = v;
    else if (!failed && to->key)
        failed = json_object_setn_new_nocheck(to->parent, to->key, to->key_bytes, v) != 0;
    else if (!failed)
        failed = json_array_append_new(to->parent, v) != 0;
    if (failed) luaL_error(L, "no memory for JSON");
    return v;
}

static json_t *text_json(lua_State *L, int at)
{
    size_t n;
    const char *bytes = lua_tolstring(L, at, &n);
    json_t *v = json_stringn(bytes, n);

    if (!v) luaL_error(L, "a text that is no UTF-8 has no form in JSON");
    return v;
}

static json_t *number_json(lua_State *L, double f)
{
    if (isnan(f) || isinf(f)) luaL_error(L, "a number that is %s has no form in JSON", isnan(f) ? "nan" : "infinite");
    return floor(f) == f && fabs(f) <= exact ? json_integer((json_int_t)f) : json_real(f);
}

/* Is the table an array, an object? An error where it is neither. */
static int is_array(lua_State *L, int at)
{
    size_t n = lua_objlen(L, at), items = 0, names = 0;

    lua_pushnil(L);
    while (lua_next(L, at)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) {
            names++;
        } else {
            double i = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
            if (!(i >= 1 && i <= (double)n && floor(i) == i))
                luaL_error(L, "a table whose keys are neither texts nor 1 to n has no form in JSON");
            items++;
        }
    }
    if (items && (names || items != n)) luaL_error(L, "a table that is a list only in part has no form in JSON");
    return items > 0 || (!names && is_marked(L, at));
}

static void take_value(lua_State *L, int at, const place *to, int depth);

static void take_table(lua_State *L, int at, const place *to, int depth)
{
    if (is_array(L, at)) {
        json_t *array = hang(L, to, json_array());
        size_t n = lua_objlen(L, at);
        for (size_t i = 1; i <= n; i++) {
            lua_rawgeti(L, at, (int)i);
            take_value(L, lua_gettop(L), &(place){ NULL, array, NULL, 0 }, depth + 1);
            lua_pop(L, 1);
        }
        return;
    }
    json_t *object = hang(L, to, json_object());
    lua_pushnil(L);
    while (lua_next(L, at)) {
        place in = { NULL, object, NULL, 0 };
        in.key = lua_tolstring(L, -2, &in.key_bytes); /* it is a text, so nothing is converted under lua_next */
        json_t *readable = json_stringn(in.key, in.key_bytes);
        json_decref(readable);
        if (!readable) luaL_error(L, "a key that is no UTF-8 has no form in JSON");
        take_value(L, lua_gettop(L), &in, depth + 1);
        lua_pop(L, 1);
    }
}

static void take_value(lua_State *L, int at, const place *to, int depth)
{
    if (depth > DEEPEST)
        luaL_error(L, "a table nested deeper than %d levels, or in itself, has no form in JSON", DEEPEST);
    luaL_checkstack(L, 6, "a table is nested too deep");
    switch (lua_type(L, at)) {
    case LUA_TNIL: hang(L, to, json_null()); break;
    case LUA_TBOOLEAN: hang(L, to, json_boolean(lua_toboolean(L, at))); break;
    case LUA_TNUMBER: hang(L, to, number_json(L, lua_tonumber(L, at))); break;
    case LUA_TSTRING: hang(L, to, text_json(L, at)); break;
    case LUA_TTABLE: take_table(L, at, to, depth); break;
    case LUA_TLIGHTUSERDATA:
        if (!lua_touserdata(L, at)) {
            hang(L, to, json_null());
            break;
        } /* fall through */
    default: luaL_error(L, "a %s has no form in JSON", luaL_typename(L, at));
    }
}

void lua_json_take(lua_State *L, int at, json_t **out)
{
    take_value(L, at, &(place){ out, NULL, NULL, 0 }, 0);
}
