/* event_name.c - what an event of a manifest is called; see event_name.h. */
#include "event_name.h"

#include <stdio.h>
#include <string.h>

static int given(const char *text)
{
    return text && *text;
}

/* Appends text as a part of a name. */
static char *put(char *to, const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text > ' ') *to++ = *text == '/' ? '_' : *text;
    return to;
}

/* Where `text` ends with `end`: its length without it; else its whole length. */
static size_t without(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && !strcmp(text + n - m, end) ? n - m : n;
}

const char *event_name(store *s, const char *symbol, unsigned version, const char *task, unsigned opcode,
                       const char *opcode_name)
{
    char suffix[16];
    size_t room = 1 + (given(symbol) ? strlen(symbol) : 0) + (given(task) ? strlen(task) : 0) +
                  (given(opcode_name) ? strlen(opcode_name) : 0);
    char *name = store_new(s, room), *end = name;

    if (!name) return NULL;
    if (given(symbol)) {
        put(end, symbol);
        snprintf(suffix, sizeof suffix, "_V%u", version);
        name[without(name, suffix)] = 0;
        return *name ? name : NULL;
    }
    if (given(task)) end = put(end, task);
    if (opcode && given(opcode_name)) {
        put(end, opcode_name);
        size_t parts = (size_t)(end - name);
        if (parts) {
            size_t n = strlen(end);
            if (parts >= n && !memcmp(end - n, end, n)) *end = 0;
        }
    }
    return *name ? name : NULL;
}
