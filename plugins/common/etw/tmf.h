/* tmf.h - what WPP trace messages say: .tmf files.

   A WPP message carries a GUID, a number and bare arguments; its text and their types are in a TMF file that came with
   the program. One idea: a message of a TMF file becomes an ordinary type, its arguments fields, its format string the
   type's message. */
#ifndef ETW_TMF_H
#define ETW_TMF_H

#include "schema.h"

typedef struct tmfs tmfs;

tmfs *tmfs_new(void);
void tmfs_free(tmfs *m);
/* Reads one file's text; as manifests_read. */
int tmfs_read(tmfs *m, const void *text, size_t bytes, const char *origin, char *why, size_t cap, uint64_t *faults);
int tmfs_find(const tmfs *m, const record *r, tw_type *t, unsigned *version); /* see schema.h */
int tmfs_each(const tmfs *m, schema_give *give, void *context);               /* see schema.h */

#endif
