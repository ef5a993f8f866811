/* lua_loop.h - a Lua function that is called with named values of events: what `filter` and `transform` share.

   The user's function never sees a pointer, yet costs little more than a C condition. One idea: for each stage one Lua
   chunk is written that loops over the batch, reads exactly the values the function named at the places where the type
   has them, and calls the function, so that LuaJIT compiles loop, reading and function into one. */
#ifndef LUA_LOOP_H
#define LUA_LOOP_H

#include <lua.h>

#include "name.h"
#include "script.h"

enum {
    LOOP_MOST_VALUES = 32, /* needs, and columns; the prelude's bound, too */
    LOOP_MOST_RECIPES = 24 /* types beyond that share one more, which asks for each value by a call */
};

/* What the chunk sees. The same words declare it to C and to LuaJIT; the numbers are signed, which is what loops in Lua
   are fast with. */
#define LOOP_VIEW_MEMBERS                                                                                            \
    void *owner;                                                                                                     \
    int (*get)(void *owner, const tw_event *e, uint32_t need);                                                       \
    int (*put)(void *owner, uint32_t column, int32_t row, const char *at, uint32_t bytes);                           \
    void (*move)(void *owner, const tw_event *e);                                                                    \
    int (*more)(void *owner);                                                                                        \
    tw_batch *batch;                                                                                                 \
    int64_t begin; /* of the trace of this source */                                                                 \
    int32_t source;                                                                                                  \
    tw_value value;                                                                                                  \
    int32_t at, n, to;              /* filter: the event, how many there are, how many stayed */                     \
    int32_t rows, room, full, mark; /* transform: rows made, room for rows, when to go back; rows at the event */    \
    void *col[32];                                                                                                   \
    uint8_t *null[32];                                                                                               \
    uint8_t recipe[TW_TYPES]; /* by tw_event.type: 1 + its place in loop.recipe; 0: the function is not asked */
#define LOOP_WORDS(...)      #__VA_ARGS__
#define LOOP_WORDS_OF(macro) LOOP_WORDS(macro)

typedef struct loop_view {
    LOOP_VIEW_MEMBERS
} loop_view;

typedef struct loop_need {
    const char *name; /* without ":hex" */
    int hex;
    int known; /* some type that fits has it */
} loop_need;

typedef struct loop {         /* zeroed at first */
    void *self;               /* the stage; its counter 0 is of errors */
    const char *word;         /* "filter" */
    const char *call_text;    /* of the chunk: what comes before the values in the call */
    const char *mark_text;    /* likewise: what has to be kept of the event should the call fail */
    void (*undo)(void *self); /* what a call did that failed and was counted; may be NULL */
    script *script;
    arena memory;
    const char **on; /* ends with NULL */
    loop_need need[LOOP_MOST_VALUES];
    uint32_t nneeds;
    int drop;  /* filter: what `on` does not name */
    int count; /* errors are counted, and the event with one is left out */
    int said;  /* the first of these */
    const char *place;
    int call, made;  /* references into the registry: the function, the loop around it */
    text head, tail; /* of the chunk: before and behind the branches of the recipes; the stage's own */
    text chunk;
    text recipe[LOOP_MOST_RECIPES + 1];
    uint32_t nrecipes;
    int stale;      /* a recipe came after the loop was made */
    text complaint; /* a value's, where the chunk raised an error for it */
    loop_view view;
    const name *names[TW_TYPES]; /* of the needs, for types that fit */
} loop;

/* To be put before code that uses view.begin. */
#define LOOP_MOVE "if e.source ~= view.source then view.move(view.owner, e) end\n"

typedef struct loop_kind { /* of a column of a transform's table, as pipeline files call it */
    const char *name;
    uint8_t kind, show;
} loop_kind;

extern const loop_kind loop_kinds[]; /* ends with a zeroed one; transform.c */

/* In what follows TW_ERROR means that the stage has failed. */

/* Reads the definition that the pipeline file left under `key`; then `more` (may be NULL), inside the same protected call
   and with the definition at index 2 of the stack, what only the one stage has. */
int loop_open(loop *l, void *self, const char *word, const char *key, void (*more)(lua_State *L, void *self));
int loop_type(loop *l, const tw_type *t);
/* From the event view.at on: TW_OK where the chunk came back, because it is through or because it is full. */
int loop_run(loop *l, tw_batch *b);
void loop_end(loop *l); /* warns of names that no event had */
void loop_close(loop *l);

#endif
