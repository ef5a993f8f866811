/* name.h - what a name means on an event: pid, provider, TransferSize.

   `where`, `filter`, `fields` and `count` all speak of events by the same names. One idea: a name is resolved once for
   each type of event, to the cheapest way of getting it. */
#ifndef NAME_H
#define NAME_H

#include "type.h"

enum name_from {
    NAME_NONE,  /* this type has nothing of that name */
    NAME_EVENT, /* a member of tw_event, at `offset`, of kind `kind` */
    NAME_TYPE,  /* the same for all events of the type: `value` */
    NAME_FIXED, /* payload, fixed `offset`: kind is a plain number's */
    NAME_FIELD, /* payload, by type_get */
    NAME_EXTRA, /* host->extra: level keyword opcode task channel ticks offset activity related */
    NAME_CALLED, /* the name of such a number: task_name opcode_name level_name channel_name; digits where it has none */
    NAME_KEYWORDS, /* `keywords`: the names of its bits */
    NAME_LEFT,     /* `left`: bytes of the payload that no field takes */
    NAME_CUT,      /* `cut`: 1 where a field is cut short or not what its kind says */
    NAME_PAYLOAD,  /* `payload`: all fields as text */
    NAME_MESSAGE,  /* `message`: what the event says; none where its type has no message */
    NAME_RAW       /* `raw`: the payload's bytes in hex */
};

typedef struct name {
    uint8_t from, kind, show, nullable;
    uint32_t offset;        /* NAME_EVENT, NAME_FIXED */
    int32_t field;          /* NAME_FIELD, NAME_FIXED: index in the type */
    uint32_t extra;         /* NAME_EXTRA: enum tw_extra */
    tw_value value;         /* NAME_TYPE */
    const tw_field *column; /* names and help of the field, or NULL */
} name;

/* Header names: time provider event (the event's name) name ("Provider/Event") id (tw_type.number) version opcode level
   keyword task channel opcode_name level_name task_name channel_name keywords (by name, digits where nameless) pid tid cpu
   bytes origin (which schema) why (no field is known) left cut key (provider as in counts) guid source type payload message
   raw ticks offset activity related.
   A payload field of the same name as one of these is reached as `payload.NAME`. */
void name_resolve(const tw_type *t, const char *word, name *out);
int name_get(void *self, tw_batch *b, const tw_event *e, const name *n, tw_value *v); /* TW_OK, TW_END: no value */
int name_is_header(const char *word);
/* The nearest name to `word` among header names and all published types' fields; or NULL. */
const char *name_nearest(const types *r, const char *word);

#endif
