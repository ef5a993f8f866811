/* kernel_tables.h - the shape of the tables that event_tables.lua makes from the files in events/.

   Only kernel.c and its test look at them. Rows are sorted by class, opcode and first version, and the version
   ranges of one (class, opcode) do not overlap. */
#ifndef ETW_KERNEL_TABLES_H
#define ETW_KERNEL_TABLES_H

#include "tw_plugin.h"

enum { KERNEL_NO_GROUP = 0xFFFF };

typedef struct kernel_class {
    const char *name;
    uint8_t guid[16]; /* in the order of a record's bytes */
    uint16_t group;   /* KERNEL_NO_GROUP: known by its GUID alone */
} kernel_class;

typedef struct kernel_row { /* one event in one range of versions */
    uint8_t class, opcode;
    uint8_t first, last; /* versions */
    uint8_t known;       /* 0: only the name is */
    uint8_t nfields[2];  /* beside pointers of 8, of 4 bytes */
    uint16_t fixed[2];   /* bytes before the first field that varies, as the data file states it */
    const char *name;
    const tw_field *field[2];
} kernel_row;

extern const kernel_class kernel_classes[];
extern const unsigned kernel_class_count;
extern const kernel_row kernel_rows[];
extern const unsigned kernel_row_count;

#endif
