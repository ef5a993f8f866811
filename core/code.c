/* code.c - what error codes are called; see code.h.

   One idea: three sorted lists, and a rule that leads from a wrapping code into the list of what it wraps. */
#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "tw_plugin.h"

#define HIGH_HALF UINT32_C(0xFFFF0000)
enum { NONE = -1 };
static const uint32_t hresult_of_win32 = 0x80070000, hresult_of_ntstatus = 0x10000000, ntstatus_of_win32 = 0xC0070000;

static int list_of(uint8_t show)
{
    switch (show) {
    case TW_SHOW_NTSTATUS: return CODE_NTSTATUS;
    case TW_SHOW_WIN32: return CODE_WIN32;
    case TW_SHOW_HRESULT: return CODE_HRESULT;
    default: return NONE;
    }
}

int code_has_names(uint8_t show)
{
    return list_of(show) != NONE;
}

static const char *name_in(int list, uint32_t code)
{
    const code_list *l = &code_lists[list];
    uint32_t low = 0, high = l->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->at[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->n && l->at[low].code == code ? code_names + l->at[low].name : NULL;
}

const char *code_name(uint8_t show, uint32_t code)
{
    int list = list_of(show);
    const char *name = NULL;

    if (list == NONE) return NULL;
    if ((list == CODE_HRESULT && (code & HIGH_HALF) == hresult_of_win32) ||
        (list == CODE_NTSTATUS && (code & HIGH_HALF) == ntstatus_of_win32))
        name = name_in(CODE_WIN32, code & ~HIGH_HALF);
    else if (list == CODE_HRESULT && code & hresult_of_ntstatus)
        name = name_in(CODE_NTSTATUS, code & ~hresult_of_ntstatus);
    return name ? name : name_in(list, code);
}

static int value_in(int list, const char *name, uint32_t *code)
{
    const code_list *l = &code_lists[list];

    for (uint32_t i = 0; i < l->n; i++) {
        if (strcmp(code_names + l->at[i].name, name) != 0) continue;
        *code = l->at[i].code;
        return 1;
    }
    return 0;
}

int code_value(uint8_t show, const char *name, uint32_t *code)
{
    int list = list_of(show);

    if (list == NONE) return 0;
    if (value_in(list, name, code)) return 1;
    if (list == CODE_WIN32 || !value_in(CODE_WIN32, name, code)) {
        if (list != CODE_HRESULT || !value_in(CODE_NTSTATUS, name, code)) return 0;
        *code |= hresult_of_ntstatus;
        return 1;
    }
    *code |= list == CODE_HRESULT ? hresult_of_win32 : ntstatus_of_win32;
    return 1;
}

const char *code_nearest(uint8_t show, const char *word)
{
    int list = list_of(show);

    if (list == NONE) return NULL;
    const code_list *l = &code_lists[list];
    const char **names = mem_grow(NULL, l->n * sizeof *names);
    for (uint32_t i = 0; i < l->n; i++) names[i] = code_names + l->at[i].name;
    const char *nearest = text_nearest(word, names, l->n);
    free(names);
    return nearest;
}
