/* key.h - values as keys: made alike, hashed, compared, and found again.

   `count` and `group` gather by keys, `top` puts rows in their order, `sample` draws by them. One idea: the same number
   is the same key whatever its width, so a value is made normal before anything else. A value of kind 0 is the one that
   is absent; it is a key like any other, and comes last. */
#ifndef KEY_H
#define KEY_H

#include "arena.h"
#include "tw_plugin.h"

enum { KEYS_MOST = 1 << 24 };

/* Integers become TW_U64, negative ones TW_I64, floats TW_F64. What follows takes normal values only. */
void key_normal(tw_value *v);
uint64_t key_hash(const tw_value *v, uint32_t n, uint64_t seed); /* the same everywhere and always */
int key_order(const tw_value *a, const tw_value *b);             /* < 0: a comes first; 0: the same */

/* Keys of n values, each with what its owner keeps of it: a struct that begins with a key. */
typedef struct key {
    uint32_t hash, n;
    tw_value *value;
} key;

typedef struct keys {
    arena *memory;    /* of keys and of the texts in them */
    uint32_t nvalues; /* of each key */
    uint32_t n;       /* keys so far */
    size_t bytes;     /* of the owner's struct */
    uint64_t seed;    /* so that nobody can make up a trace whose keys all collide */
    key **place;      /* nplaces, a power of two, at most half of them taken */
    uint32_t nplaces;
} keys;

void keys_make(keys *k, arena *memory, uint32_t nvalues, size_t bytes);
void keys_free(keys *k);                      /* a zeroed one is good, too */
void *keys_find(keys *k, const tw_value *v);  /* new ones are zeroed behind the key; NULL: there are KEYS_MOST */
void *keys_next(const keys *k, uint32_t *at); /* all of them in no order, beginning with *at = 0; then NULL */
int keys_order(const key *a, const key *b);

#endif
