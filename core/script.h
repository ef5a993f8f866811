/* script.h - Lua: pipeline files as values, and the state that filters run in.

   Evaluating a pipeline file builds a description and reads nothing. One idea: what Lua says becomes plain C data
   (`plan`, `setting`) before anything runs, so the rest of the host never sees Lua. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "argument.h"
#include "bus.h"

typedef struct script script;

typedef struct pipeline { /* what a file describes */
    const char *name, *help, *path;
    const argument *args;
    uint32_t nargs;
} pipeline;

/* A Lua state with the vocabulary, for one file. trusted: the whole of Lua; else the allow-list and a bound on
   memory. NULL with a sentence where this LuaJIT cannot serve. p must outlive it. */
script *script_new(plugins *p, int trusted, text *why);
void script_free(script *s);
void *script_state(script *s); /* lua_State * for bus_options.script */

/* Evaluates the file at `path` (or, where source is not NULL, that text, named `path` in messages), once for each
   script. TW_ERROR with `file:line: fact`. The result lives in s. */
int script_load(script *s, const char *path, const char *source, const pipeline **out, text *why);

/* Gives arguments their values from words as on the command line and makes the plan, which lives in s. TW_ERROR:
   wrong use, with a sentence. */
int script_plan(script *s, const pipeline *p, const char *const *words, uint32_t n, const plan **out, text *why);
/* The plan with stand-ins for arguments that have no default: to be looked at, not to be run. */
int script_example(script *s, const pipeline *p, const plan **out, text *why);

/* Names in the registry of the Lua state, for the stage `filter`: the table of filters by key, and the function that
   gives an error the line of the user's file (a message handler of lua_pcall). */
#define SCRIPT_FILTERS "traceweir.filters"
#define SCRIPT_EXPLAIN "traceweir.explain"

#endif
