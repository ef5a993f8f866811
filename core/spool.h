/* spool.h - scratch files: bytes of a stream, kept so that they can be read anywhere.

   One idea: a few bytes can unpack to any number, so a scratch file stops before its disk is full; others need it,
   too. */
#ifndef SPOOL_H
#define SPOOL_H

#include "os.h"

enum { SPOOL_PIECE = 256 << 10 /* bytes that are well written at once */ };

typedef struct spool { /* zeroed: there is none */
    os_file *file;
    char *folder;
    uint64_t size, looked; /* bytes in it; how many there were when the disk's room was last looked at */
} spool;

/* `name` is whose bytes they are, for the sentence in why. TW_OK, TW_ERROR. */
int spool_open(spool *s, const char *name, text *why);
int spool_write(spool *s, const char *name, const void *bytes, size_t n, text *why); /* also where interrupted */
void spool_close(spool *s);
/* Whom to tell how many bytes of which input this thread has spooled so far; often, so it has to be cheap. NULL:
   nobody. */
void spool_tell(void (*tell)(void *context, const char *name, uint64_t bytes), void *context);

#endif
