/* container.h - archives: what is in a .zip, .7z or .cab, and where its bytes lie when it is unpacked.

   One idea: what an archive says is only believed as far as its bytes go. Its members are listed first; those that
   are chosen are then unpacked in one pass into one scratch file, when the first of them is looked into. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include "os.h"
#include "tw_plugin.h"

typedef struct container container;

enum {
    CONTAINER_HEAD = 8,          /* bytes that tell */
    CONTAINER_ENTRIES = 1 << 20, /* that are looked at */
    CONTAINER_NAME = 1024        /* bytes of a name; a longer one is cut */
};

enum container_oddity {
    MEMBER_GOOD,
    MEMBER_LOCKED,    /* encrypted */
    MEMBER_LEADS_AWAY /* its name is a path out of the archive or that of a device; or it is a link */
};

int container_is(const uint8_t *head, size_t n); /* 1 where a file's first bytes are those of an archive */
/* The archive in `outer`, which stays its opener's and must be there while members are read. One user. */
container *container_new(tw_input *outer);
container *container_share(container *c); /* one user more; by the thread that reads its members */
void container_leave(container *c);       /* c may be NULL */

/* Calls `each` with every file in it: its name in UTF-8, with / between folders and without control characters. What
   `each` returns 1 for is a member to be unpacked; its number counts from 0. TW_ERROR with a sentence where the
   archive cannot be followed to its end; what came before counts. */
int container_list(container *c, int (*each)(void *context, const char *name, enum container_oddity odd),
                   void *context, text *why);
/* The file that has the member's bytes, *from and how many; it is the container's. NULL where there is none. why: a
   sentence, if not all of them could be had. */
os_file *container_member(container *c, uint32_t member, uint64_t *from, uint64_t *bytes, text *why);

#endif
