/* lua_json.h - JSON values and Lua values, both ways.

   All of it raises Lua errors, so it runs inside a protected call; what it makes for C hangs together from the first
   piece on, so that an error loses nothing. */
#ifndef LUA_JSON_H
#define LUA_JSON_H

#include <jansson.h>
#include <lua.h>

/* Pushes the table that scripts know as `json`: json.null, json.array. Once for each state, before the others. */
void lua_json_open(lua_State *L);
void lua_json_push(lua_State *L, const json_t *value);
/* The value at that place of the stack into *out, which is NULL before and the caller's afterwards, error or not. */
void lua_json_take(lua_State *L, int at, json_t **out);

#endif
