/* schema.h - what is known of one type of event, whoever knows it.

   Many know events: the event itself, records in the trace, a user's manifest, our tables. One idea: all of them answer
   the same question, "what is this record?", by filling in the parts of a tw_type that they know; so choosing between
   them is a loop over answers, and whoever publishes the type need not know where it came from. */
#ifndef ETW_SCHEMA_H
#define ETW_SCHEMA_H

#include "record.h"
#include "tw_plugin.h"

/* How well an answer fits. */
enum schema_match {
    SCHEMA_NONE, /* the event is not known; provider, keywords … are filled in as far as the provider is */
    SCHEMA_NEAR, /* the layout of another version: the nearest older one, else the nearest newer one */
    SCHEMA_EXACT
};

/* What every source of schemas offers, as NAME_find(source, r, t, &version):
   Fills in of `t` what it knows of the record's type and leaves the rest as it is. Members it may set: provider, name,
   guid (classic events), keyword, level, opcode, task, channel where the record does not say them itself, field and
   nfields, message, task_name, opcode_name, level_name, channel_name, keywords, and with SCHEMA_EXACT or SCHEMA_NEAR
   `origin` ("in the trace", a file's base name, "built in"). *version: which version the layout is of. What it points
   to lives as long as the source. Never sets `why`: the one who asks all of them does. */

/* What identifies a type among those a source lists; for `NAME_each`, which calls `give` with a full tw_type for each
   type that the source knows, in a fixed order, until `give` returns other than TW_OK, and returns what it returned. */
typedef int schema_give(void *context, const tw_type *t);

#endif
