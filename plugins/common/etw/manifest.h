/* manifest.h - providers that a manifest describes.

   Instrumentation manifests are XML: files of the user, or the text that .NET's EventSources send as events. One idea:
   a manifest is read into lists of templates, tasks, opcodes, levels, keywords, maps, strings and events by name, and
   the names are resolved when the text has ended, since it may use them before it defines them. */
#ifndef ETW_MANIFEST_H
#define ETW_MANIFEST_H

#include "schema.h"

typedef struct manifests manifests; /* any number of providers; what was read first wins */

manifests *manifests_new(void);
void manifests_free(manifests *m);

/* Reads one text. `origin` is what types of it will say. TW_OK, or TW_ERROR with a sentence in `why` (place and fact,
   without the file's name); then nothing of it is kept. Faults inside of an event leave out that event or field and are
   counted in *faults, with the first one's sentence in `why`. Entities beyond XML's own five and document types are
   refused. */
int manifests_read(manifests *m, const void *xml, size_t bytes, const char *origin, char *why, size_t cap,
                   uint64_t *faults);
int manifests_find(const manifests *m, const record *r, tw_type *t, unsigned *version); /* see schema.h */
int manifests_each(const manifests *m, schema_give *give, void *context);               /* see schema.h */
uint32_t manifests_providers(const manifests *m);

#endif
