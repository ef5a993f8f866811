/* manifest_provider.h - what a manifest says of one provider.

   One idea: all names are resolved when it is made, so that looking up an event is a search in one sorted list. */
#ifndef ETW_MANIFEST_PROVIDER_H
#define ETW_MANIFEST_PROVIDER_H

#include "manifest_template.h"

typedef struct named { /* what a number is called */
    uint64_t value;
    const char *name;
} named;

typedef struct named_list { /* ascending; of equal values the first in the text comes first */
    const named *at;
    uint32_t n;
} named_list;

typedef struct manifest_event {
    uint16_t id, task;
    uint8_t version, opcode, level, channel;
    uint64_t keyword;
    const char *name, *message;                                      /* NULL: none */
    const char *task_name, *opcode_name, *level_name, *channel_name; /* NULL: the text names none */
    const template_fields *fields;                                   /* NULL: it has no template */
    const uint8_t *class_guid;                                       /* that its task has in classic events; NULL */
} manifest_event;

typedef struct manifest_provider {
    struct manifest_provider *next; /* in the order of reading */
    uint8_t guid[16];
    const char *name, *origin;                   /* never NULL */
    const tw_names *keywords;                    /* NULL: none */
    named_list tasks, opcodes, levels, channels; /* opcodes of the provider, not of a task */
    manifest_event *event;                       /* by id, then version, each once */
    uint32_t nevents, nclassic;                  /* of these, how many have a class_guid */
} manifest_provider;

/* Makes it of a <provider>. NULL: no memory, or a fault that leaves it out. */
manifest_provider *provider_read(draft *d, node *of);

/* What the provider, or else Windows itself, calls a number; `what` is ATTRIBUTE_TASK, _OPCODE, _LEVEL or _CHANNEL.
   NULL: nothing. */
const char *provider_name_of(const manifest_provider *p, enum node_attribute what, uint64_t value);

#endif
