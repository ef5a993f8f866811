/* kernel.h - what the classic events of the Windows kernel are called and made of.

   The data files in events/ are compiled into tables when the project is built (kernel_tables.c in the build folder);
   this is how the tables are asked. One idea: (group or class GUID, opcode, version, pointer size) names one list of
   fields; a version without a list of its own is answered with the nearest one: the next older, else the oldest. */
#ifndef ETW_KERNEL_H
#define ETW_KERNEL_H

#include "schema.h"

enum { KERNEL_MAX_FIELDS = 256 };

typedef struct kernel_layout {   /* what is known of one event */
    const char *provider, *name; /* "DiskIo", "Read"; provider NULL: group not known; name NULL: opcode not known */
    const uint8_t *guid;         /* of the class, 16 bytes; NULL: not known */
    const tw_field *field;       /* for the pointer size asked for; static memory */
    uint32_t nfields;            /* 0: no table for this event, or it has no payload (then known is 1) */
    unsigned version;            /* which one the layout is of, where known; other than asked for unless exact */
    int exact;                   /* 1: this very version; 0: the nearest one, or nothing */
    int known;                   /* 1: a table was found */
} kernel_layout;

/* A record with a group and opcode (SYSTEM, COMPACT, PERFINFO headers). Image/Load arrives as group 3 opcode 10 and is
   called Image. */
void kernel_by_group(unsigned group, unsigned opcode, unsigned version, unsigned pointer, kernel_layout *out);
/* A record with a class GUID (FULL_HEADER, INSTANCE). */
void kernel_by_guid(const uint8_t guid[16], unsigned opcode, unsigned version, unsigned pointer, kernel_layout *out);
/* All events of the tables, with 8-byte pointers; see schema.h. `version` is the first of those that share a layout,
   `number` the opcode, `key` that of the group in which the event arrives, NULL for a class without one. Where only
   the name is known, origin is NULL and `why` says so. */
int kernel_each(schema_give *give, void *context);
const char *kernel_group_name(unsigned group);    /* NULL from 0x1F on */
const uint8_t *kernel_group_guid(unsigned group); /* zeros from 0x1F on */

#endif
