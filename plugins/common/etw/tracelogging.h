/* tracelogging.h - events that describe themselves.

   A TraceLogging event carries its name and fields in an extended item and its provider's name in another. One idea:
   the description is read once into an ordinary field table; who holds the bytes it was made from can tell by them
   alone whether the next event is of the same type. */
#ifndef ETW_TRACELOGGING_H
#define ETW_TRACELOGGING_H

#include "store.h"
#include "tw_plugin.h"

/* Name and fields from the bytes of the schema item; `origin` is "in the event". 1, or 0 where the description is
   broken: then `name` is set as far as it can be read, and *why is a sentence. A field whose type is unknown ends the
   table: what follows is left over. */
int tracelogging_read(const uint8_t *item, size_t bytes, store *s, tw_type *t, const char **why);

/* The provider's name from the bytes of the traits item, in the store; NULL: none, or broken. `group`: 16 bytes of the
   group's GUID, or zeros. */
const char *traits_provider(const uint8_t *item, size_t bytes, store *s, uint8_t group[16]);

#endif
