/* tmf_words.h - the format string of a WPP message as a type's message.

   Both languages are nearly one. One idea: what only the TMF file knows is put in as text, so that what is left asks
   for nothing but the fields of the payload. */
#ifndef ETW_TMF_WORDS_H
#define ETW_TMF_WORDS_H

#include "../text/page.h"
#include "tmf_item.h"

typedef struct tmf_context { /* what the file says around a format string */
    span module;             /* behind the GUID: what the messages are gathered under */
    span module_notes;       /* SRC=driver.c MJ= MN= */
    span name, notes;        /* of the message: driver_c77; LEVEL=TRACE_LEVEL_ERROR FUNC=DriverEntry */
    span source, line;       /* driver.c, 77; without bytes where the name is not made of them */
} tmf_context;

span tmf_note(span notes, const char *key); /* what stands behind KEY=, without bytes where nothing does */

/* Appends to `out`, ended by 0. */
void tmf_words(const char *format, const tmf_context *c, const tmf_argument *argument, uint32_t n, page *out);

#endif
