/* option.h - options: text in a pipeline becomes typed members of a stage's state.

   One idea: a stage declares name, kind, default and offset; nobody parses options by hand. */
#ifndef OPTION_H
#define OPTION_H

#include "arena.h"
#include "text.h"
#include "tw_plugin.h"

typedef struct setting {      /* `name = value` as a pipeline gave it */
    const char *name;         /* NULL: for the first option if that is a list, else for the options in order */
    const char *const *value; /* n texts; numbers and booleans as text too */
    uint32_t n;
    uint32_t list; /* was a list, even if of one */
} setting;

typedef struct option_files { /* what filling opened, for the host to close; arena memory */
    tw_input **input;
    tw_output **output;
    uint32_t ninputs, noutputs;
} option_files;

/* Fills `state` (zeroed, stage->state bytes) from settings and defaults. Text lives in `memory`. Files are opened last,
   so a misspelt option costs nothing. TW_ERROR with a sentence: unknown name (nearest suggested), missing required
   option, value that is not of its kind (with an example that is), file that does not open. On failure files are closed.
   *failed says which of it: 2 wrong use, 1 a file. */
int option_fill(const tw_stage *s, void *state, const setting *set, uint32_t n, arena *memory, option_files *files,
                text *why, int *failed);
int option_known(const tw_stage *s, const char *name, text *why); /* 1, or 0 with a sentence that suggests */
/* 1, or 0 with what is not right: its kind, its place in the state, its default. */
int option_sound(const tw_option *o, size_t state, text *why);
void option_help(const tw_option *o, text *out); /* for people: what help says, and what stands for files */
const char *option_kind_name(uint32_t kind);     /* "size", "span", "file" … for help */

#endif
