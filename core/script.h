/* script.h - Lua: pipeline files as values, and the state that filters run in.

   Evaluating a pipeline file builds a description and reads nothing. One idea: what Lua says becomes plain C data
   (`plan`, `setting`) before anything runs, so the rest of the host never sees Lua. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "bus.h"

typedef struct script script;

enum argument_kind { ARG_FILE, ARG_FOLDER, ARG_NUMBER, ARG_STRING, ARG_FLAG, ARG_SPAN, ARG_TIME, ARG_CHOICE, ARG_REST };
typedef struct argument {       /* one of a pipeline's `args`, in order */
    const char *name, *help;
    int kind;
    int required, many;         /* many: the last positional ones are a list */
    const char *value;          /* default as text, or NULL */
    const char *const *choice; uint32_t nchoices;
    double least, most; int bounded;
} argument;

typedef struct pipeline {       /* what a file describes */
    const char *name, *help, *path;
    const argument *args; uint32_t nargs;
} pipeline;

/* A Lua state with the vocabulary. trusted: the whole of Lua; else the allow-list. */
script *script_new(plugins *p, int trusted);
void    script_free(script *s);
void   *script_state(script *s);                                 /* lua_State * for bus_options.script */
/* Evaluates a file (or, where source is not NULL, that text, named `path` in messages). TW_ERROR with `file:line: fact`. The result lives in s. */
int     script_load(script *s, const char *path, const char *source, const pipeline **out, text *why);
/* Gives arguments their values (words as on the command line: positional, name=value, --name value, --name=value) and makes
   the plan. TW_ERROR: wrong use, with a sentence. */
int     script_plan(script *s, const pipeline *p, const char *const *words, uint32_t n, const plan **out, text *why);

#endif
