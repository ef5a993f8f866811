/* store.h - memory that is given back all at once.

   What is learned about providers lives as long as the one who learned it. One idea: allocation moves a pointer in the
   newest chunk, and there is a limit, since the sizes come from files. */
#ifndef ETW_STORE_H
#define ETW_STORE_H

#include <stddef.h>
#include <stdint.h>

typedef struct store_chunk store_chunk;

typedef struct store { /* zeroed: empty, without a limit */
    store_chunk *newest;
    size_t used, limit; /* bytes; limit 0: none */
} store;

/* Zeroed bytes, aligned to 16; NULL beyond the limit or out of memory. */
void *store_new(store *s, size_t bytes);
/* A copy with a 0 behind. What is no UTF-8 becomes U+FFFD. NULL as above. */
const char *store_text(store *s, const char *utf8, size_t n);
/* UTF-16LE of `n` units up to its first 0, as UTF-8 with a 0 behind; lone surrogates become U+FFFD. NULL as above. */
const char *store_text16(store *s, const uint8_t *at, size_t units);
void store_free(store *s);

#endif
