/* argument.h - the arguments of a command, and the words that give them values.

   One idea: a word means the same however it is written: `boot.etl`, `trace=boot.etl`, `--trace boot.etl` and
   `--trace=boot.etl` all give `trace` its value. */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include <stdint.h>

#include "arena.h"
#include "text.h"

enum argument_kind {
    ARG_FILE,
    ARG_FOLDER,
    ARG_NUMBER,
    ARG_STRING,
    ARG_FLAG,
    ARG_SPAN,
    ARG_TIME,
    ARG_CHOICE,
    ARG_REST /* open words, kept as "key=value" */
};

typedef struct argument { /* one of a pipeline's `args`, in order */
    const char *name, *help;
    int kind;           /* enum argument_kind */
    int required, many; /* many: a list; it takes all positional words that are left */
    const char *value;  /* default as text, or NULL */
    const char *const *choice;
    uint32_t nchoices;
    double least, most; /* of numbers; infinite where not bounded */
} argument;

typedef struct argument_value { /* n 0: no value */
    const char **text;
    uint32_t n;
    int given; /* by a word, not by its default */
} argument_value;

const char *argument_kind_name(int kind); /* "file" */
int argument_kind_of(const char *name);   /* or -1 */

/* TW_OK where `word` can be a value of the kind; then *canonical (if not NULL) is how it is passed on: numbers and
   flags in one spelling. Else TW_ERROR and a sentence. Bounds and choices are not looked at. */
int argument_fits(int kind, const char *word, arena *memory, const char **canonical, text *why);

/* Values for all n arguments, from words and defaults, into out[n]. TW_ERROR with a sentence where the words are
   wrong; required ones that are missing are looked for last. */
int arguments_read(const argument *args, uint32_t n, const char *const *words, uint32_t nwords, arena *memory,
                   argument_value *out, text *why);

/* Values that stand in for what only a user can give, to look at a pipeline without running it. */
void arguments_stand_in(const argument *args, uint32_t n, arena *memory, argument_value *out);

/* "TRACE [--n 20] [--json]": how the arguments are written. */
void arguments_usage(const argument *args, uint32_t n, text *out);

#endif
