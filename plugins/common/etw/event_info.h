/* event_info.h - TRACE_EVENT_INFO and EVENT_MAP_INFO: how Windows' own decoder describes events.

   Both are one piece of memory with offsets into itself. One idea: an offset or count that leads outside is the same as
   one that is absent, so that a description is used as far as it holds. */
#ifndef ETW_EVENT_INFO_H
#define ETW_EVENT_INFO_H

#include <stddef.h>
#include <stdint.h>

#include "store.h"
#include "tw_plugin.h"

typedef struct blob {
    const uint8_t *at;
    size_t bytes;
} blob;

enum { /* offsets in TRACE_EVENT_INFO; texts are given as u32 offsets of UTF-16LE with a NUL, 0: none */
       INFO_PROVIDER = 0x00,
       INFO_CLASS = 0x10, /* zeros: none */
       INFO_ID = 0x20,
       INFO_VERSION = 0x22, /* u8 */
       INFO_OPCODE = 0x25,  /* u8 */
       INFO_KEYWORD = 0x28,
       INFO_SOURCE = 0x30, /* u32: enum info_source */
       INFO_PROVIDER_NAME = 0x34,
       INFO_LEVEL_NAME = 0x38,
       INFO_CHANNEL_NAME = 0x3C,
       INFO_KEYWORD_NAMES = 0x40, /* one text behind the other, an empty one ends them */
       INFO_TASK_NAME = 0x44,
       INFO_OPCODE_NAME = 0x48,
       INFO_MESSAGE = 0x4C,
       INFO_EVENT_NAME = 0x5C,
       INFO_PROPERTIES = 0x64, /* u32: how many */
       INFO_TOP_LEVEL = 0x68,  /* u32: so many of them are no struct's members */
       INFO_HEAD = 0x70
};

enum info_source { INFO_OF_MANIFEST, INFO_OF_MOF, INFO_OF_WPP, INFO_OF_TRACELOGGING, INFO_SOURCES };

typedef struct text16 { /* UTF-16LE, any alignment, not ended */
    const uint8_t *at;
    size_t units;
} text16;

int event_info_sound(blob info); /* 1: long enough for its head and its properties */
/* 1: two sound ones lay out their events alike, whatever they call them. */
int event_info_alike(blob a, blob b);
/* The text whose offset stands at `member`, without blanks at its end. Of names with a leading "win:", which are the same
   for all providers, as they are called here. NULL: none, or no memory. */
const char *event_info_text(blob info, unsigned member, store *s);
/* The names of its keywords, in the order of their bits. How many there are; more than INFO_KEYWORDS: not all fitted. */
enum { INFO_KEYWORDS = 48 }; /* the bits above are channels */
uint32_t event_info_keywords(blob info, text16 name[INFO_KEYWORDS]);

/* The names of a map; NULL: not known. */
typedef const tw_names *event_info_map(void *context, text16 name);
/* The field table, in s. 1; 0: the properties contradict each other, or memory ran out. A property that nobody knows to
   read ends the table. `map` may be NULL. */
int event_info_fields(blob info, store *s, event_info_map *map, void *context, const tw_field **field, uint32_t *n);

text16 event_map_name(blob map); /* without blanks at its end; {NULL, 0}: it is no EVENT_MAP_INFO */
/* Its names, in s. NULL: a map of patterns, or no memory. */
const tw_names *event_map_names(blob map, store *s);

#endif
