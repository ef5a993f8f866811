/* standard.h - what Windows defines for all providers: the levels, opcodes and the like that manifests call win:Start.

   One idea: a number, its name and what people see of it stand in one table, so a level is called the same whoever
   describes the event. */
#ifndef ETW_STANDARD_H
#define ETW_STANDARD_H

#include <stdint.h>

enum standard { STANDARD_LEVEL, STANDARD_OPCODE, STANDARD_CHANNEL, STANDARD_TASK, STANDARD_KEYWORD };

const char *standard_name(enum standard what, uint64_t value); /* what people see; NULL: Windows defines no such */
/* The same of a name as manifests write it, in any case, with or without `win:`, and its number. NULL likewise. */
const char *standard_find(enum standard what, const char *name, uint64_t *value);

#endif
