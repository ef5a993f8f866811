/* packed.h - the bytes in a zstd or gzip stream.

   One idea: all that a stream holds is given before a fault in it is told; and all of its frames are read, as both
   formats allow several behind each other. */
#ifndef PACKED_H
#define PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"

typedef struct packed packed;
typedef struct packed_source {
    ptrdiff_t (*read)(void *context, void *to, size_t n); /* next bytes; 0 at the end; -1, and the reader knows why */
    void (*restart)(void *context);                       /* the next read begins with the first byte again */
    void *context;
    const char *name; /* for sentences */
    uint64_t size;    /* of it all; ~0: not known */
} packed_source;

enum { PACKED_HEAD = 4 /* bytes that tell */ };

/* What the first bytes of a file begin: a part of a magic number will do, if it is no text. NULL: it is not packed.
   */
const char *packed_kind(const uint8_t *head, size_t n);
packed *packed_new(const char *kind, const packed_source *from); /* kind: what packed_kind said; NULL: no memory */
/* Up to n bytes: how many, 0 at the end or behind a failure. A failure's sentence is added to why once, with the last
   bytes before it or with none. */
size_t packed_next(packed *p, void *to, size_t n, text *why);
int packed_ended(const packed *p);
void packed_restart(packed *p); /* from the first byte again */
void packed_free(packed *p);

#endif
