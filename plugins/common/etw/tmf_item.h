/* tmf_item.h - the arguments of a WPP message.

   An argument is an expression of the program's source, an item type that tells how its value lies in the payload, and
   the number by which the format string means it. One idea: an item type is a row of a table, which says both what
   field it becomes and how its value is written into the sentence. */
#ifndef ETW_TMF_ITEM_H
#define ETW_TMF_ITEM_H

#include "fields.h"

typedef struct span { /* a part of the file's text */
    const char *at;
    size_t n;
} span;

enum { TMF_FIRST_ARGUMENT = 10, TMF_MOST_ARGUMENTS = 90 /* numbers have two digits */ };

typedef struct tmf_argument {
    unsigned number; /* in the format string */
    uint8_t writes;  /* enum tmf_writes */
} tmf_argument;

enum tmf_writes {
    TMF_AS_GIVEN, /* by the format's own specification */
    TMF_LIST,     /* 0x00000002(DPC) */
    TMF_SET,      /* [1,3] */
    TMF_DUMP,     /* DEADBEEF */
    TMF_MS        /* 250 ms */
};

/* Reads a line such as `Irp->IoStatus.Status, ItemNTSTATUS -- 10` and adds its field; whether a number is signed or
   hexadecimal is only in the format. The field's name is the last one in the expression, Status, or arg1. 1; 0 with a
   sentence where the line or its type is not understood: then what follows in the payload cannot be found, and no field
   was added. */
int tmf_argument_read(span line, const char *format, fields *f, tmf_argument *out, char *why, size_t cap);

span span_trim(span s);
int span_is(span s, const char *word); /* any case */

#endif
