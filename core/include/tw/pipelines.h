/* tw/pipelines.h - what the host offers a server: pipelines as child processes within limits, and one wait.

       const tw_pipelines *host = TW_HOST(self)->extension(self, TW_PIPELINES);

   A child is this same program, running one pipeline of the folders it knows. It has pipes for its standard streams, no
   others than the server hold their ends, and it ends with the server, however that ends. One idea: a server is a loop
   around `wait`, which tells one thing at a time and, while it waits, holds the children to their limits. Limits are
   looked at in `wait` (and in calls of tw.script/1) only, so a server that works long asks wait with no time now and
   then. What it wrote to standard output goes out when it waits.

   All functions are for the thread that `run` is on. TW_ERROR has a sentence in `why`; the server goes on. */
#ifndef TW_PIPELINES_H
#define TW_PIPELINES_H

#include "tw_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TW_PIPELINES "tw.pipelines/1"

enum {
    TW_LONGEST_INPUT = 4 << 20, /* bytes of a line of the server's standard input */
    TW_LONGEST_PIECE = 64 << 10 /* bytes of a child's line that come at once */
};

typedef struct tw_limits { /* 0: none. Who reaches one is stopped at once. */
    int64_t  wall;         /* ns from its start */
    uint64_t memory;       /* bytes it has in memory; looked at every 20 ms */
    uint64_t output;       /* bytes it prints, standard error among them */
} tw_limits;

enum tw_limit { TW_LIMIT_NONE, TW_LIMIT_WALL, TW_LIMIT_MEMORY, TW_LIMIT_OUTPUT };

enum tw_notice_kind {
    TW_INPUT = 1,      /* a line of the server's standard input, which may be empty; a last one without its end too */
    TW_INPUT_TOO_LONG, /* the beginning of one that is longer than TW_LONGEST_INPUT; the rest of it is skipped */
    TW_INPUT_END,      /* told once */
    TW_OUTPUT,         /* a line of a child's standard output */
    TW_ERRORS,         /* a line of its standard error */
    TW_EXITED          /* the last that is told of a child; its number is never used again */
};

typedef struct tw_notice {
    uint32_t kind, child; /* child 0: the server itself */
    uint32_t more;        /* 1: a piece of a child's line that goes on in the next; or it was cut off there */
    uint32_t limit;       /* TW_EXITED: enum tw_limit, the one that it reached */
    int32_t  status;      /* TW_EXITED: its exit status, -1 where a signal ended it */
    int32_t  signal;      /* TW_EXITED: that signal, or 0 */
    uint64_t memory;      /* TW_EXITED: the most bytes it had in memory (or the server, when it started it); 0: not known */
    int64_t  wall;        /* TW_EXITED: ns from start to end */
    tw_text  text;        /* the line without its end (LF or CR LF); any bytes; good until the next wait */
} tw_notice;

typedef struct tw_pipelines {
    uint32_t size, unused;

    /* What there is, as JSON: { "name", "help", "trusted", "arguments" }, arguments being the JSON Schema (2020-12) of the
       object that `start` takes; each property says in "x-kind" what it is (file, folder, span …). A pipeline that
       cannot be read has "error", a sentence, in place of the last. `describe` gives one, or NULL. Good until the next
       call of either. */
    const char *(*list)(void *self);
    const char *(*describe)(void *self, const char *name);

    /* arguments: a JSON object, NULL for none. They are checked before anything starts. limits may be NULL. */
    int (*start)(void *self, const char *name, const char *arguments, const tw_limits *limits, uint32_t *child);
    /* Writes a line to its standard input, which is bytes of JSON or other text without line breaks. TW_AGAIN: it has
       not read what it was given before, try later. TW_END: it takes no more. With json NULL its input ends. */
    int (*call)(void *self, uint32_t child, const char *json, size_t bytes);
    /* Asks it to end, as Ctrl-C does, and goes on; stop ends it and all that it started, now. TW_END: it is gone. What
       follows is told by wait. TW_ERROR: it cannot be asked. */
    int (*cancel)(void *self, uint32_t child);
    int (*stop)(void *self, uint32_t child);

    /* timeout: ns; below 0: for ever. TW_OK, TW_AGAIN when it is over, TW_END when the server is to stop. */
    int (*wait)(void *self, int64_t timeout, tw_notice *notice);

    const char *(*why)(void *self); /* of the last TW_ERROR or NULL, a sentence; "" before */
} tw_pipelines;

#ifdef __cplusplus
}
#endif
#endif
