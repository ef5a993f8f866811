/* fields.h - building the field table of a type.

   One idea: fields are added in payload order and structs are opened and closed around their members, so that parent,
   depth and members are right by construction. */
#ifndef ETW_FIELDS_H
#define ETW_FIELDS_H

#include "store.h"
#include "tw_plugin.h"

enum { FIELDS_DEPTH = 8 };

typedef struct fields { /* zeroed but for `from`: empty */
    store *from;        /* where the table and its texts lie */
    tw_field *at;
    uint32_t n, room;
    uint32_t open[FIELDS_DEPTH], depth;
    tw_field scratch;
    int failed; /* out of memory, too many or too deep: whoever built it asks once, at the end */
} fields;

/* A new field, zeroed but for its name (which must live as long as the store), parent and depth: a scalar of natural
   size. Without a name (NULL or "") it is called by its place, "field 3". Valid until the next is added. Never NULL:
   after a failure it is a scratch field. */
tw_field *fields_add(fields *f, const char *name);
tw_field *fields_open(fields *f, const char *name); /* a struct: what is added until its close belongs to it */
void fields_close(fields *f);
/* The type or length of the field added last is not known, so nobody can tell where the next one begins: takes it back,
   with the outermost array of structs that it is in, if any, since that goes on behind it. No more may be added then. */
void fields_end(fields *f);
/* 1 for an integer of which there is one, if any: what a length or count can be taken from. */
int fields_is_number(const tw_field *f);
/* 1 where the field added last may take its length or count from field `index`: an earlier plain integer that has one
   value there, not in an array that ended before. */
int fields_may_refer(const fields *f, uint32_t index);

/* Mends what descriptions are known to get wrong: .NET's stacks are said to have two frames, and have as many as the
   FrameCount before them says. */
void fields_mend(fields *f);

/* A list of names for values from pairs in any order, sorted; of equal values the first counts. NULL: no memory. */
const tw_names *fields_names(store *s, const tw_name *pairs, uint32_t n, int bits);

#endif
