/* builtin.h - the tables that come with the program.

   The files in events/ are compiled into tables when the project is built: the kernel's classic events (asked through
   kernel.h) and those of the providers that many traces hold. One idea: both answer like any other source of schemas. */
#ifndef ETW_BUILTIN_H
#define ETW_BUILTIN_H

#include "schema.h"
#include "store.h"

/* See schema.h; the fields of a provider's event are made in `memory`, all else lives as long as the program. */
int builtin_find(const record *r, store *memory, tw_type *t, unsigned *version);
/* See schema.h; classic events as beside 8-byte pointers. The fields given last until `give` returns. */
int builtin_each(schema_give *give, void *context);
const char *builtin_provider(const uint8_t guid[16]); /* its name, also of many without a table; NULL */

#endif
