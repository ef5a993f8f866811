/* arena.c - memory that goes all at once.

   One idea: blocks double in size, so the newest is about as large as all before it together; that one is kept
   at a reset, and an arena used alike again and again soon allocates nothing. */
#include "arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "text.h"

enum {
    ALIGN = 16,
    SMALLEST = 4 << 10, /* a block's room */
    LARGEST = 1 << 20   /* what needs more than a quarter of it gets a block of its own that is never kept */
};

struct arena_block {
    arena_block *next;
    size_t room, used; /* of the bytes behind this header */
};

enum { HEADER = (sizeof(arena_block) + ALIGN - 1) / ALIGN * ALIGN };
_Static_assert(_Alignof(max_align_t) >= ALIGN, "malloc aligns as the arena promises");

static uint8_t *bytes_of(arena_block *b)
{
    return (uint8_t *)b + HEADER;
}

static arena_block *add_block(arena *a, size_t room)
{
    arena_block *b = mem_grow(NULL, HEADER + room);
    b->next = a->first;
    b->room = room;
    b->used = 0;
    a->first = b;
    GUARD(bytes_of(b), room);
    return b;
}

static void *take(arena_block *b, size_t bytes, size_t rounded)
{
    uint8_t *at = bytes_of(b) + b->used;
    b->used += rounded;
    UNGUARD(at, bytes);
    return at;
}

/* A block for `rounded` bytes that the present one has no room for. */
static arena_block *next_block(arena *a, size_t rounded)
{
    if (rounded > LARGEST / 4) return add_block(a, rounded);
    size_t room = a->now ? a->now->room * 2 : SMALLEST;
    while (room < rounded) room *= 2;
    if (room > LARGEST) room = LARGEST;
    return a->now = add_block(a, room);
}

void *arena_alloc(arena *a, size_t bytes)
{
    assert(bytes < SIZE_MAX / 2);
    size_t rounded = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    a->used += bytes;
    arena_block *b = a->now;
    if (!b || rounded > b->room - b->used) b = next_block(a, rounded);
    return take(b, bytes, rounded);
}

char *arena_text(arena *a, const char *bytes, size_t n)
{
    char *copy = arena_alloc(a, n + 1);
    if (n) memcpy(copy, bytes, n);
    copy[n] = 0;
    return copy;
}

static void free_but(arena *a, arena_block *kept)
{
    arena_block *next;
    for (arena_block *b = a->first; b; b = next) {
        next = b->next;
        if (b != kept) {
            UNGUARD(bytes_of(b), b->room);
            free(b);
        }
    }
    a->first = a->now = kept;
    a->used = 0;
}

void arena_reset(arena *a)
{
    arena_block *kept = a->now;
    free_but(a, kept);
    if (kept) {
        kept->next = NULL;
        kept->used = 0;
        GUARD(bytes_of(kept), kept->room);
    }
}

int arena_holds(const arena *a, const void *at, size_t n)
{
    uintptr_t from = (uintptr_t)at;

    for (arena_block *b = a->first; b; b = b->next) {
        uintptr_t begin = (uintptr_t)bytes_of(b);
        if (from >= begin && from - begin <= b->used && n <= b->used - (from - begin)) return 1;
    }
    return 0;
}

void arena_free(arena *a)
{
    free_but(a, NULL);
}
