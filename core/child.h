/* child.h - the children of a server: their lines, their limits, and one wait over all of them and standard input.

   One idea: `children_wait` is the only place where time passes. While it waits it moves bytes, collects who has ended
   and stops who has reached a limit, for all children, whichever of them it was asked about. */
#ifndef CHILD_H
#define CHILD_H

#include "text.h"
#include "tw/pipelines.h"

typedef struct children children;

enum { CHILD_OF_SERVER, CHILD_OF_HOST }; /* whose: the host's own are waited for one by one */

children *children_new(void);
void children_free(children *c); /* ends all of them; leaves nothing behind */

/* words: the program's path first, ends with NULL. limits may be NULL. */
int children_start(children *c, const char *const *words, const tw_limits *limits, int whose, uint32_t *id,
                   text *why);
/* One line; without the bytes, the end of its input. TW_AGAIN: too much waits to be read by it. TW_END: it takes no more.
   TW_ERROR: the line is too long for any child. */
int children_send(children *c, uint32_t id, const void *line, size_t n);
int children_interrupt(children *c, uint32_t id, text *why); /* TW_END: it is gone */
int children_stop(children *c, uint32_t id);
/* The child's time and output count from now on, or, with limits NULL, are not limited until told again. */
void children_renew(children *c, uint32_t id, const tw_limits *limits);
void children_forget(children *c, uint32_t id); /* ends it, and nothing more is told of it */

/* The next that there is to tell: of the child `only`, or with 0 of standard input and the children of the server, by
   turns. timeout in ns, below 0 for ever. TW_OK, TW_AGAIN, TW_END: the program is to stop. */
int children_wait(children *c, uint32_t only, int64_t timeout, tw_notice *out);

#endif
