/* script.h - Lua: pipeline files as values, and the state that filters and transforms run in.

   Evaluating a pipeline file builds a description and reads nothing. One idea: what Lua says becomes plain C data
   (`plan`, `setting`) before anything runs, so the rest of the host never sees Lua. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "argument.h"
#include "bus.h"

typedef struct script script;

typedef struct folder {
    char *path;
    int trusted; /* its pipeline files may use all of Lua */
} folder;

typedef struct script_options { /* zeroed: a file that is not trusted, within the usual limits */
    int trusted;                /* the whole of Lua, without limits; else the allow-list and the limits below */
    uint64_t memory;            /* bytes that the Lua state may hold; 0: 256 MiB */
    int64_t time;               /* ns that a call into it may take; 0: 10 s */
    const folder *folders;      /* where `use` looks, behind the folder of the file itself */
    uint32_t nfolders;
    const char *name; /* what messages call a file that was found by this name; NULL: its path, with lines */
    int trust; /* all that `use` finds; else what a trusted file uses must be of a trusted folder, or its own */
} script_options;

typedef struct pipeline { /* what a file describes */
    const char *name, *help, *path;
    const char *example; /* the words of a call, or NULL */
    const argument *args;
    uint32_t nargs;
} pipeline;

/* A Lua state with the vocabulary, for one file. NULL with a sentence where this LuaJIT cannot serve. p and the folders
   must outlive it; o may be NULL: zeroed. */
script *script_new(plugins *p, const script_options *o, text *why);
void script_free(script *s);

/* Evaluates the file at `path` (or, where source is not NULL, that text, named `path` in messages), once for each
   script. TW_ERROR with `file:line: fact`. The result lives in s. */
int script_load(script *s, const char *path, const char *source, const pipeline **out, text *why);

/* Gives arguments their values from words as on the command line and makes the plan, which lives in s. TW_ERROR:
   wrong use, with a sentence. */
int script_plan(script *s, const pipeline *p, const char *const *words, uint32_t n, const plan **out, text *why);
/* The plan with stand-ins for arguments that have no default: to be looked at, not to be run. */
int script_example(script *s, const pipeline *p, const plan **out, text *why);

/* ---- For the stages that run Lua: lua_loop.c ---- */

struct lua_State;
typedef int (*script_step)(struct lua_State *L); /* its argument 1: the job, as light userdata */

/* Runs a step inside a protected call, with the state locked and, where the file is not trusted, watched. `place` is the
   stage's, as in "top.lua:12", `stage` its name. TW_ERROR with a sentence that begins with a place; *fatal (may be NULL):
   it is of a limit, so going on is of no use. */
int script_run(script *s, script_step step, void *job, const char *stage, const char *place, text *why, int *fatal);
void script_lock(script *s); /* for what cannot fail: references */
void script_unlock(script *s);
struct lua_State *script_state(script *s);

/* Names in the registry of the Lua state: the table of functions of filters and transforms by key, the function that
   gives an error the line of the user's file (a message handler of lua_pcall), and all that the prelude gives. */
#define SCRIPT_LOOPS   "traceweir.loops"
#define SCRIPT_EXPLAIN "traceweir.explain"
#define SCRIPT_PRELUDE "traceweir.prelude" /* the functions that the prelude gave */

#endif
