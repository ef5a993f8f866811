/* script_state.h - what the two files of script.h share; nobody else includes it. */
#ifndef SCRIPT_STATE_H
#define SCRIPT_STATE_H

#include <lua.h>

#include "os.h"
#include "script.h"
#include "watch.h"

struct script {
    plugins *plugins;
    lua_State *L;
    script_options options;
    os_mutex *mutex;   /* one thread at a time is in the state */
    watch *watch;      /* NULL: trusted */
    size_t held;       /* bytes of the Lua state, where they are counted */
    int refused;       /* memory was, in this call */
    const char *stack; /* where the C stack was when Lua was called */
    arena memory;
    text scratch, path, content; /* on their way into Lua; here, so that an error leaks nothing */
    text what, late;             /* what is being called, and what is said of it when it takes too long */
    pipeline pipeline;
};

/* Pushes a table of what the prelude may ask for. */
void script_push_host(lua_State *L, script *s);
/* The whole file into out. TW_ERROR: `path: fact`. */
int script_read_file(const char *path, text *out, text *why);

#endif
