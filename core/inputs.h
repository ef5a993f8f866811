/* inputs.h - the inputs that a path stands for: a file, the files of a folder, the members of an archive.

   One idea: who reads says by patterns which of many files it can read; who runs it names a folder or an archive and
   need not know what is inside. */
#ifndef INPUTS_H
#define INPUTS_H

#include "input.h"

enum { INPUTS_MOST_MEMBERS = 1024 /* of one archive, with archives in it, that become inputs */ };

typedef struct inputs {
    tw_input **all; /* all that were opened, to be closed: archives too */
    tw_input **chosen;
    uint32_t n, nchosen;
} inputs;

/* Opens what `path` stands for and adds it to the list, mem_ memory. Patterns, "*.man|*.xml", say which files of a
   folder or archive fit, whatever the case of their letters; a name may end in .gz or .zst beyond that. NULL: none
   does, so a path is a file. `many` 0: exactly one is wanted. In the order of their names. TW_ERROR with a sentence;
   what was opened before stays in the list. */
int inputs_add(inputs *list, const char *path, const char *patterns, int many, text *why);
void inputs_close(inputs *list); /* the inputs too */
void inputs_free(inputs *list);  /* the list only */

#endif
