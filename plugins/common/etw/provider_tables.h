/* provider_tables.h - the shape of the tables of providers that event_tables.lua makes from the files in events/.

   Only builtin.c and its test look at them. One idea: thousands of fields are kept as small numbers, without a pointer
   that would have to be set when the plugin is loaded; a tw_field is made of one when a type is asked for. Providers
   are sorted by the bytes of their GUIDs; the rows of one stand together, sorted by id and first version, and the
   version ranges of one id do not overlap. */
#ifndef ETW_PROVIDER_TABLES_H
#define ETW_PROVIDER_TABLES_H

#include "tw_plugin.h"

enum { PROVIDER_NO_LAYOUT = 0xFFFF }; /* as first_field: only the name is known */

typedef struct packed_field { /* see tw_field, whose numbers these are */
    uint16_t name, help;      /* where it begins in provider_field_words; 0: none */
    uint16_t names;           /* index into provider_names; 0: none */
    uint16_t bytes, count;    /* number or field index */
    uint8_t kind, show;
    uint8_t bytes_by, count_by;
    uint8_t parent, members;
} packed_field;

typedef struct provider_row { /* one event in one range of versions */
    uint64_t keyword;
    uint16_t name, opcode_name; /* where it begins in provider_row_words; 0: none, for an opcode a standard one */
    uint16_t first_field;       /* in provider_fields; for both sizes of pointers */
    uint16_t id, task;
    uint16_t nfields;
    uint8_t first, last; /* versions */
    uint8_t opcode, level;
} provider_row;

typedef struct provider_table {
    uint8_t guid[16]; /* in the order of a record's bytes */
    const char *name;
    const tw_names *keywords, *tasks; /* NULL: none */
    uint16_t first_row, nrows;        /* no rows: only its name is known */
} provider_table;

extern const provider_table provider_tables[];
extern const unsigned provider_count;
extern const provider_row provider_rows[];
extern const packed_field provider_fields[];
extern const tw_names *const provider_names[];
extern const char provider_field_words[], provider_row_words[];

#endif
