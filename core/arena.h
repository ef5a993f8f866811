/* arena.h - memory that goes all at once.

   One idea: allocation is a pointer that moves; freeing is one reset. Batches, blocks of rows and
   whole runs each own one. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;
typedef struct arena {
    arena_block *first, *now;
    size_t used; /* bytes handed out since the reset */
} arena;

void *arena_alloc(arena *a, size_t bytes);               /* 16-aligned, not zeroed, never NULL */
char *arena_text(arena *a, const char *bytes, size_t n); /* a copy, ended by 0 */
void arena_reset(arena *a); /* all that was handed out is gone; the largest block is kept */
void arena_free(arena *a);
int arena_holds(const arena *a, const void *at, size_t n); /* 1 where all n bytes lie in what was handed out */

#endif
