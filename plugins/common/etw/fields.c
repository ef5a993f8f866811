/* fields.c - building the field table of a type; see fields.h. */
#include "fields.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16, MOST = 4096 };

static int make_room(fields *f)
{
    uint32_t room = f->room ? f->room * 2 : FIRST_ROOM;
    tw_field *at;

    if (f->n < f->room) return 1;
    if (f->n >= MOST) return 0;
    at = store_new(f->from, room * sizeof *at);
    if (!at) return 0;
    if (f->n) memcpy(at, f->at, f->n * sizeof *at);
    f->at = at;
    f->room = room;
    return 1;
}

tw_field *fields_add(fields *f, const char *name)
{
    tw_field *new;

    if (!make_room(f)) {
        f->failed = 1;
        return &f->scratch;
    }
    for (uint32_t i = 0; i < f->depth; i++) f->at[f->open[i]].members++;
    new = &f->at[f->n++];
    *new = (tw_field){ .name = name, .depth = (uint8_t)f->depth };
    if (f->depth) new->parent = (uint16_t)(f->open[f->depth - 1] + 1);
    return new;
}

tw_field *fields_open(fields *f, const char *name)
{
    tw_field *new = fields_add(f, name);

    new->kind = TW_STRUCT;
    if (f->depth == FIELDS_DEPTH) {
        f->failed = 1;
        return new;
    }
    if (!f->failed) f->open[f->depth++] = f->n - 1;
    return new;
}

void fields_close(fields *f)
{
    if (f->depth) f->depth--;
}

typedef struct ranked {
    tw_name pair;
    uint32_t place;
} ranked;

static int by_value_then_place(const void *a, const void *b)
{
    const ranked *left = a, *right = b;

    if (left->pair.value != right->pair.value) return left->pair.value < right->pair.value ? -1 : 1;
    return left->place < right->place ? -1 : left->place > right->place;
}

const tw_names *fields_names(store *s, const tw_name *pairs, uint32_t n, int bits)
{
    tw_names *names = store_new(s, sizeof *names);
    tw_name *list = store_new(s, (size_t)n * sizeof *list);
    ranked *order = malloc(((size_t)n + 1) * sizeof *order);
    uint32_t kept = 0;

    if (names && list && order) {
        for (uint32_t i = 0; i < n; i++) order[i] = (ranked){ pairs[i], i };
        qsort(order, n, sizeof *order, by_value_then_place);
        for (uint32_t i = 0; i < n; i++)
            if (!kept || list[kept - 1].value != order[i].pair.value) list[kept++] = order[i].pair;
        *names = (tw_names){ .size = sizeof *names, .n = kept, .flags = bits ? TW_BITS : 0, .name = list };
    }
    free(order);
    return list && order ? names : NULL;
}
