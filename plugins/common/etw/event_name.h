/* event_name.h - what an event of a manifest is called.

   Manifests name events in several ways, and people filter by one word. One idea: the rule is here and nowhere else, so
   that an event is called the same whether a manifest, the trace or a built-in table knows it. */
#ifndef ETW_EVENT_NAME_H
#define ETW_EVENT_NAME_H

#include "store.h"

/* The symbol, without a `_V2` that only repeats the version 2. Without a symbol the task's name, then the opcode's
   unless the opcode is 0 (Info) or the task's name ends with it. Blanks are left out, and `/` becomes `_`, since it
   parts provider and event. Any text may be NULL or empty. In the store; NULL: nothing to call it by, or no memory. */
const char *event_name(store *s, const char *symbol, unsigned version, const char *task, unsigned opcode,
                       const char *opcode_name);

#endif
