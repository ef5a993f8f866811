/* code.h - what error codes are called: 0xc0000022 is STATUS_ACCESS_DENIED.

   One idea: a code and its name are the same thing said twice, so whatever prints the number prints the name behind it,
   and whatever compares the number takes the name as well. */
#ifndef CODE_H
#define CODE_H

#include <stdint.h>

/* `show` says what sort of code it is: TW_SHOW_NTSTATUS, TW_SHOW_WIN32 or TW_SHOW_HRESULT; all others have no names.
   Codes that wrap one of another sort have its name: an HRESULT 8007xxxx is a Win32 error, as are the NTSTATUS
   C007xxxx, and an HRESULT with bit 28 is an NTSTATUS. */
int code_has_names(uint8_t show);
const char *code_name(uint8_t show, uint32_t code);             /* NULL: none is known */
int code_value(uint8_t show, const char *name, uint32_t *code); /* 1, or 0 where no code is called so */
const char *code_nearest(uint8_t show, const char *word);       /* the name that may have been meant, or NULL */

/* Made from code_names.txt: codes ascend, `name` is where it begins in code_names. */
typedef struct code_entry {
    uint32_t code, name;
} code_entry;
typedef struct code_list {
    const code_entry *at;
    uint32_t n;
} code_list;
enum { CODE_NTSTATUS, CODE_WIN32, CODE_HRESULT, CODE_LISTS };
extern const code_list code_lists[CODE_LISTS];
extern const char code_names[];

#endif
