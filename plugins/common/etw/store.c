/* store.c - memory that is given back all at once; see store.h. */
#include "store.h"

#include <stdlib.h>
#include <string.h>

#include "../text/utf8.h"
#include "tw_plugin.h"

enum { ALIGN = 16, CHUNK = 32 << 10 };

struct store_chunk {
    store_chunk *older;
    size_t used, room;
    _Alignas(ALIGN) uint8_t at[];
};

void *store_new(store *s, size_t bytes)
{
    store_chunk *c = s->newest;

    if (bytes > SIZE_MAX / 2 || (s->limit && (s->used > s->limit || bytes > s->limit - s->used))) return NULL;
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!c || c->room - c->used < bytes) {
        size_t room = bytes > CHUNK ? bytes : CHUNK;
        c = calloc(1, sizeof *c + room);
        if (!c) return NULL;
        c->room = room;
        c->older = s->newest;
        s->newest = c;
    }
    void *at = c->at + c->used;
    c->used += bytes;
    s->used += bytes;
    return at;
}

void store_free(store *s)
{
    while (s->newest) {
        store_chunk *older = s->newest->older;
        free(s->newest);
        s->newest = older;
    }
    s->used = 0;
}

/* ---- Text ---- */

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

const char *store_text(store *s, const char *utf8, size_t n)
{
    const uint8_t *at = (const uint8_t *)utf8, *end = at + n;
    size_t bad = 0;
    uint32_t code;

    for (const uint8_t *i = at; i < end;) {
        size_t length = utf8_read(i, end, &code);
        bad += !length;
        i += length ? length : 1;
    }
    char *text = store_new(s, n + 2 * bad + 1), *to = text;
    if (!text) return NULL;
    while (at < end) {
        size_t length = utf8_read(at, end, &code);
        memcpy(to, length ? (const char *)at : replacement, length ? length : 3);
        to += length ? length : 3;
        at += length ? length : 1;
    }
    return text;
}

const char *store_text16(store *s, const uint8_t *at, size_t units)
{
    size_t n = 0;

    while (n < units && tw_u16(at + 2 * n)) n++;
    char *text = store_new(s, 3 * n + 1);
    if (text) utf8_from_utf16(text, at, n);
    return text;
}
