/* fields.c - building the field table of a type; see fields.h. */
#include "fields.h"

#include <stdio.h>
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

static const char *name_by_place(fields *f)
{
    char words[24];
    int n = snprintf(words, sizeof words, "field %u", (unsigned)f->n + 1);

    return store_text(f->from, words, (size_t)n);
}

tw_field *fields_add(fields *f, const char *name)
{
    tw_field *new;

    if (!name || !*name) name = name_by_place(f);
    if (!name || !make_room(f)) {
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

void fields_end(fields *f)
{
    uint32_t last = f->n - 1, keep = last;

    for (uint32_t p = f->at[last].parent; p; p = f->at[p - 1].parent)
        if (f->at[p - 1].count_by != TW_ONE) keep = p - 1;
    uint32_t gone = f->n - keep;
    for (uint32_t p = f->at[keep].parent; p; p = f->at[p - 1].parent)
        f->at[p - 1].members = (uint16_t)(f->at[p - 1].members - gone);
    f->n = keep;
    f->depth = 0;
}

int fields_is_number(const tw_field *f)
{
    int integer = (f->kind >= TW_BOOL && f->kind <= TW_I64) || f->kind == TW_POINTER || f->kind == TW_BOOL32;

    return integer && f->bytes_by == TW_ONE && (f->count_by == TW_ONE || f->count_by == TW_IF_LEFT);
}

int fields_may_refer(const fields *f, uint32_t index)
{
    if (!f->n || index >= f->n - 1 || !fields_is_number(&f->at[index])) return 0;
    for (uint32_t p = f->at[index].parent; p; p = f->at[p - 1].parent)
        if (f->at[p - 1].count_by != TW_ONE && f->n - 1 > p - 1 + f->at[p - 1].members) return 0;
    return 1;
}

void fields_mend(fields *f)
{
    if (f->n < 2 || f->depth) return;
    tw_field *stack = &f->at[f->n - 1];
    const tw_field *before = stack - 1;

    if (stack->kind != TW_POINTER || stack->count_by != TW_FIXED || stack->count != 2) return;
    if (strcmp(stack->name, "Stack") != 0) return;
    if (before->kind != TW_U32 || before->count_by != TW_ONE || strcmp(before->name, "FrameCount") != 0) return;
    stack->count_by = TW_FIELD;
    stack->count = f->n - 2;
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
