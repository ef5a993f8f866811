/* layout.h - what is worked out about a field table once, when its type is published.

   One idea: whether a table can be trusted, where its fields lie and how each is reached depend on the table alone,
   so decoding a payload only looks these up. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "type.h"

enum {
    LAYOUT_SLOTS = 16,   /* lengths and counts that may be waiting to be used at one time */
    LAYOUT_MAX = 1 << 30 /* bytes that fields of fixed size may take; no payload is as large */
};
#define LAYOUT_VARIABLE UINT32_MAX /* a size: only the payload tells */
#define LAYOUT_INSIDE   UINT32_MAX /* an offset: inside an array, only a walk gets there */

/* How type_get reaches a field. */
enum layout_way {
    LAYOUT_NEVER, /* an array, a struct, or inside an array */
    LAYOUT_AT,    /* at a fixed offset, of fixed size */
    LAYOUT_SEEK   /* through the fields before it, or by its length */
};

/* Beside each field. `size` is of one element, without its count. */
typedef struct layout_field {
    uint32_t size; /* or LAYOUT_VARIABLE */
    uint8_t way;   /* enum layout_way */
    uint8_t slot;  /* 1 + where the number is kept for lengths that refer to it; 0: nowhere */
    uint8_t plain; /* one value of fixed size, which nothing refers to: a walk just steps over it */
    uint8_t unused;
} layout_field;

typedef struct layout { /* every published tw_type is the first member of one */
    tw_type type;
    const char *full_name;  /* "Provider/Event" */
    const char *key;        /* tw_type.key, or the GUID as text */
    const layout_field *of; /* by field */
    uint32_t first;         /* the first field whose end only the payload tells; those before lie at fixed offsets */
    uint32_t unused;
} layout;

static inline const layout *layout_of(const tw_type *published)
{
    return (const layout *)published;
}

static inline int layout_is_array(const tw_field *f)
{
    return f->count_by != TW_ONE && f->count_by != TW_IF_LEFT;
}

static inline uint32_t layout_pointer(const tw_type *t)
{
    return t->pointer == 4 ? 4 : 8;
}

static inline int layout_is_text(uint8_t kind)
{
    return kind == TW_TEXT || kind == TW_TEXT8 || kind == TW_TEXT16;
}

/* Bytes a value of that kind has by itself in a payload; 0 where the payload tells. */
static inline uint32_t layout_natural(uint8_t kind, uint32_t pointer)
{
    static const uint8_t bytes[TW_STRUCT + 1] = {
        [TW_BOOL] = 1,  [TW_U8] = 1,   [TW_U16] = 2,   [TW_U32] = 4,       [TW_U64] = 8,      [TW_I8] = 1,
        [TW_I16] = 2,   [TW_I32] = 4,  [TW_I64] = 8,   [TW_F32] = 4,       [TW_F64] = 8,      [TW_BOOL32] = 4,
        [TW_TIME] = 8,  [TW_SPAN] = 8, [TW_TICKS] = 8, [TW_TICK_SPAN] = 8, [TW_FILETIME] = 8, [TW_SYSTEMTIME] = 16,
        [TW_GUID] = 16, [TW_IP4] = 4,  [TW_IP6] = 16,
    };
    return kind == TW_POINTER ? pointer : bytes[kind];
}

/* Checks the table of t and fills `of` (t->nfields entries), *first, and offset and after of `field`, a copy of
   t->field. TW_ERROR with a sentence in why. */
int layout_make(const tw_type *t, tw_field *field, layout_field *of, uint32_t *first, text *why);

int layout_names_sound(const tw_names *names); /* 1 where they can be used; NULL can */

#endif
