/* tw/script.h - what the host offers a server: Lua within limits, with JSON in and out.

       const tw_scripts *host = TW_HOST(self)->extension(self, TW_SCRIPT);

   A script is Lua text that returns a table of functions. It runs with the words of a pipeline file that is not trusted,
   so it reaches no file and no other process, and its Lua holds at most 256 MiB. One idea: each script has a process of its own that stays warm between
   calls, so whatever it does, an end can be put to it. Where one was put, the call fails with a sentence, and the next
   call begins anew with the script's text. */
#ifndef TW_SCRIPT_H
#define TW_SCRIPT_H

#include "tw/pipelines.h" /* tw_limits */

#ifdef __cplusplus
extern "C" {
#endif

#define TW_SCRIPT "tw.script/1"

typedef struct tw_scripts {
    uint32_t size, unused;

    /* `name` is for messages. limits: wall time and output of each call (the text's own run among the first), memory at
       any time; NULL: none. TW_ERROR where the text is no script, with its line. */
    int (*open)(void *self, const char *source, const char *name, const tw_limits *limits, uint32_t *script);

    /* Calls a function of the table with one value, JSON, and gives what it returns as JSON, good until the next call.

       JSON arrays and objects are Lua tables; a table is an array where it has the items 1 to n and no others, an empty
       one is an object. The script is loaded with one value that helps: `local json = ...`; json.null is JSON's null, and
       json.array(t) makes t an array though it is empty. Whole numbers are exact up to 2^53; others are refused.
       TW_END: the server is to stop. TW_ERROR: it failed, or was stopped. */
    int (*call)(void *self, uint32_t script, const char *function, const char *json, const char **result);

    void (*close)(void *self, uint32_t script);

    const char *(*why)(void *self); /* of the last TW_ERROR, a sentence; "" before */
} tw_scripts;

#ifdef __cplusplus
}
#endif
#endif
