/* payload.c - how a payload becomes fields.

   One idea: a cursor steps from element to element in payload order, and `walk` and `get` both are that cursor. It
   allocates nothing, takes each byte at most once, and ends where the payload does not hold what the table says.

   An element is a value, or the start of a struct. Structs need no bookkeeping of their own, since their members lie
   one behind the other; only arrays of structs do: each has a frame that leads back to the first member. */
#include "layout.h"
#include "scalar.h"

/* Lives in tw_walk.host too, so it may alias what that is declared as. */
#if defined(__GNUC__)
#define MAY_ALIAS __attribute__((may_alias))
#else
#define MAY_ALIAS
#endif

typedef struct MAY_ALIAS frame { /* an array of structs that is being passed through */
    uint16_t field;
    uint8_t rest; /* as many elements as are left */
    uint8_t unused;
    uint32_t index, todo; /* the element entered last; those to come */
    uint32_t start;       /* where that element began */
} frame;

typedef struct MAY_ALIAS cursor {
    const layout *of;
    const tw_event *event;
    const uint8_t *data;
    decode how;
    uint32_t at, end;
    uint32_t next;         /* field to begin with when the present one is done */
    uint32_t field, index; /* of the element found last */
    uint32_t todo;         /* elements of `field` to come */
    uint32_t value, bytes; /* where the element found last lies */
    uint32_t cells, faults;
    uint8_t depth; /* frames */
    uint8_t rest;  /* `field` has as many elements as are left */
    uint8_t quick; /* jump over what is of known size */
    uint32_t slot[LAYOUT_SLOTS];
    frame frame[TYPE_MAX_DEPTH]; /* last, because these need not be zeroed */
} cursor;

_Static_assert(sizeof(cursor) <= sizeof(((tw_walk *)0)->host), "the cursor fits where a walk keeps it");
_Static_assert(_Alignof(cursor) <= _Alignof(uint64_t), "and may lie there");

static void cursor_start(cursor *c, const tw_type *t, const tw_event *e, const decode *d)
{
    static const uint8_t nothing[1];

    memset(c, 0, offsetof(cursor, frame));
    c->of = layout_of(t);
    c->event = e;
    c->how = *d;
    c->data = e->bytes ? e->data : nothing;
    c->end = e->bytes;
}

/* No further: what follows cannot be told from what is missing. */
static void stop(cursor *c)
{
    c->faults++;
    c->next = c->of->type.nfields;
    c->depth = 0;
    c->todo = 0;
}

/* ---- Lengths and counts ------------------------------------------------- */

/* What an earlier field says, capped to 32 bits. A negative length is a very large one: it does not fit. */
static uint32_t number_of(const cursor *c, uint32_t field)
{
    const tw_field *f = &c->of->type.field[field];
    const layout_field *l = &c->of->of[field];
    uint64_t n;

    if (l->way != LAYOUT_AT) return c->slot[l->slot - 1];
    if (f->offset > c->end || l->size > c->end - f->offset) return 0;
    n = scalar_integer(f->kind, c->data + f->offset, l->size);
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* A length that stands in the payload; c->at moves behind it. 0: the payload ends before. */
static int take_prefix(cursor *c, uint8_t extent, uint32_t *n)
{
    const uint8_t *p = c->data + c->at;
    uint32_t left = c->end - c->at;
    uint32_t bytes = extent == TW_PREFIX1 ? 1 : extent == TW_PREFIX4 ? 4 : 2;

    if (bytes > left) return 0;
    switch (extent) {
    case TW_PREFIX1: *n = p[0]; break;
    case TW_PREFIX2: *n = tw_u16(p); break;
    case TW_PREFIX4: *n = tw_u32(p); break;
    default: *n = (uint32_t)p[0] << 8 | p[1]; break;
    }
    c->at += bytes;
    return 1;
}

/* How many elements field i has here. 0: the payload ends before it tells. */
static int take_count(cursor *c, uint32_t i, uint32_t *n)
{
    const tw_field *f = &c->of->type.field[i];
    uint32_t size = c->of->of[i].size;

    c->rest = 0;
    switch (f->count_by) {
    case TW_ONE: *n = 1; return 1;
    case TW_IF_LEFT: *n = c->at < c->end; return 1;
    case TW_FIXED: *n = f->count; return 1;
    case TW_FIELD: *n = number_of(c, f->count); return 1;
    case TW_REST:
        c->rest = size == LAYOUT_VARIABLE;
        *n = c->rest ? UINT32_MAX : size ? (c->end - c->at) / size : 0;
        return 1;
    default: return take_prefix(c, f->count_by, n);
    }
}

/* ---- Where an element lies ---------------------------------------------- */

enum fit { WHOLE, PART, NOTHING };

static int take_bytes(cursor *c, const tw_field *f, uint64_t want)
{
    uint32_t left = c->end - c->at;
    c->value = c->at;
    if (want <= left) {
        c->bytes = (uint32_t)want;
        c->at += (uint32_t)want;
        return WHOLE;
    }
    if (!left || (f->kind != TW_BYTES && !layout_is_text(f->kind))) return NOTHING;
    c->bytes = left; /* of text and bytes a part is better than nothing */
    c->at = c->end;
    return PART;
}

/* Bytes before the first NUL character, of n. */
static uint32_t text16_length(const uint8_t *p, uint32_t n)
{
    uint32_t i = 0;
    for (; n - i >= 8; i += 8) { /* four characters: has one of them borrowed? */
        uint64_t four = tw_u64(p + i);
        if ((four - UINT64_C(0x0001000100010001)) & ~four & UINT64_C(0x8000800080008000)) break;
    }
    while (n - i >= 2 && tw_u16(p + i)) i += 2;
    return i;
}

/* Up to a NUL; the end of the payload ends text as well. */
static int take_text(cursor *c, const tw_field *f)
{
    const uint8_t *p = c->data + c->at;
    uint32_t left = c->end - c->at;

    if (!left) return NOTHING;
    c->value = c->at;
    if (f->kind == TW_TEXT16) {
        uint32_t n = text16_length(p, left);
        c->bytes = n;
        c->at += left - n >= 2 ? n + 2 : left;
        return left - n == 1 ? PART : WHOLE; /* half a character */
    }
    const uint8_t *end = memchr(p, 0, left);
    c->bytes = end ? (uint32_t)(end - p) : left;
    c->at += end ? c->bytes + 1 : left;
    return WHOLE;
}

/* A SID where there might be something else: with sub-authorities, and of an authority as small as all known ones. */
static uint32_t likely_sid(const uint8_t *p, uint32_t n)
{
    uint32_t sid = scalar_sid(p, n);
    return sid && p[1] && !tw_u32(p + 2) ? sid : 0;
}

/* A SID behind two pointers that say nothing (a TOKEN_USER); where there is none, four zero bytes. Some producers leave
   the two pointers zero, some write the SID alone. */
static int take_token_sid(cursor *c)
{
    const uint8_t *p = c->data + c->at;
    uint32_t left = c->end - c->at, pair = 2 * layout_pointer(&c->of->type), sid = 0;

    if (left < 4) return NOTHING;
    uint32_t first = tw_u32(p);
    c->value = c->at;
    if (left > pair) sid = first ? scalar_sid(p + pair, left - pair) : likely_sid(p + pair, left - pair);
    if (sid)
        c->value += pair;
    else
        sid = likely_sid(p, left);
    if (!sid && first) c->faults++;
    c->bytes = sid;
    c->at = sid ? c->value + sid : c->at + 4;
    return WHOLE;
}

/* A socket address of no stated length has that of its family; of an unknown family, all that is left. */
static int take_address(cursor *c, const tw_field *f)
{
    uint32_t left = c->end - c->at;
    if (left < 2) return NOTHING;
    uint16_t family = tw_u16(c->data + c->at);
    return take_bytes(c, f, family == 2 ? 16 : family == 23 ? 28 : left);
}

static int take_element(cursor *c, uint32_t i)
{
    const tw_field *f = &c->of->type.field[i];
    uint32_t size = c->of->of[i].size, start = c->at, n;

    if (size != LAYOUT_VARIABLE) return take_bytes(c, f, size);
    switch (f->bytes_by) {
    case TW_ONE:
        if (f->kind == TW_TOKENSID) return take_token_sid(c);
        if (f->kind == TW_SOCKADDR) return take_address(c, f);
        if (f->kind == TW_SID) return take_bytes(c, f, c->end - c->at < 8 ? 8 : 8 + 4u * c->data[c->at + 1]);
        return take_text(c, f);
    case TW_FIELD: return take_bytes(c, f, (uint64_t)number_of(c, f->bytes) * (f->kind == TW_TEXT16 ? 2 : 1));
    case TW_REST: return take_bytes(c, f, c->end - c->at);
    default: break;
    }
    if (!take_prefix(c, f->bytes_by, &n)) return NOTHING;
    int fit = take_bytes(c, f, n);
    if (fit == NOTHING) c->at = start;
    return fit;
}

/* ---- From element to element -------------------------------------------- */

/* What later lengths refer to is kept. */
static void remember(cursor *c, uint32_t i)
{
    const layout_field *l = &c->of->of[i];
    uint64_t n;

    if (!l->slot) return;
    n = scalar_integer(c->of->type.field[i].kind, c->data + c->value, l->size);
    c->slot[l->slot - 1] = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static int cells_used_up(cursor *c)
{
    if (c->cells < TYPE_MAX_CELLS) {
        c->cells++;
        return 0;
    }
    stop(c);
    return 1;
}

/* The next element of the present field. 1: found. */
static int next_value(cursor *c)
{
    uint32_t start = c->at;

    if (c->rest && c->at == c->end) {
        c->todo = 0;
        return 0;
    }
    if (cells_used_up(c)) return 0;
    int fit = take_element(c, c->field);
    if (fit == NOTHING) {
        stop(c);
        return 0;
    }
    c->index++;
    c->todo--;
    if (fit == PART)
        stop(c);
    else
        remember(c, c->field);
    if (c->rest && c->at == start) c->todo = 0; /* elements of no bytes would go on for ever */
    return 1;
}

/* The next element of the innermost array of structs, or out of it. 1: entered. */
static int next_struct(cursor *c)
{
    frame *f = &c->frame[c->depth - 1];
    int stuck = f->rest && (c->at == c->end || (f->index != UINT32_MAX && c->at == f->start));

    if (!f->todo || stuck) {
        c->depth--;
        return 0;
    }
    if (cells_used_up(c)) return 0;
    f->todo--;
    f->start = c->at;
    c->next = f->field + 1u;
    c->field = f->field;
    c->index = ++f->index;
    return 1;
}

/* All n elements of a field at once, where their size is known and nobody asks. */
static void jump(cursor *c, uint32_t i, uint32_t n)
{
    uint64_t bytes = (uint64_t)n * c->of->of[i].size;

    if (bytes > c->end - c->at)
        stop(c);
    else
        c->at += (uint32_t)bytes;
}

static int begin_struct(cursor *c, uint32_t i, uint32_t n)
{
    const tw_field *f = &c->of->type.field[i];

    if (!n) {
        c->next = i + 1 + f->members;
        return 0;
    }
    if (!layout_is_array(f)) {
        c->next = i + 1u;
        c->index = 0;
        return !cells_used_up(c);
    }
    c->next = i + 1 + f->members; /* where a frame ends, too */
    if (c->quick && c->of->of[i].size != LAYOUT_VARIABLE) {
        jump(c, i, n);
        return 0;
    }
    c->frame[c->depth++] = (frame){ .field = (uint16_t)i, .rest = c->rest, .index = UINT32_MAX, .todo = n };
    return 0;
}

/* Goes on to the next field. 1: it is a struct, which is an element itself. */
static int begin_field(cursor *c)
{
    uint32_t i = c->next, n;
    const tw_field *f = &c->of->type.field[i];
    const layout_field *l = &c->of->of[i];

    c->field = i;
    c->index = UINT32_MAX;
    if (!take_count(c, i, &n)) {
        stop(c);
        return 0;
    }
    if (f->kind == TW_STRUCT) return begin_struct(c, i, n);
    c->next = i + 1;
    if (!n && l->slot) c->slot[l->slot - 1] = 0;
    if (c->quick && layout_is_array(f) && l->size != LAYOUT_VARIABLE)
        jump(c, i, n);
    else
        c->todo = n;
    return 0;
}

static int at_end_of_frame(const cursor *c)
{
    if (!c->depth) return 0;
    uint32_t array = c->frame[c->depth - 1].field;
    return c->next == array + 1 + c->of->type.field[array].members;
}

/* The next element: TW_OK or TW_END. */
static int step(cursor *c)
{
    for (;;) {
        if (c->todo) {
            if (next_value(c)) return TW_OK;
        } else if (at_end_of_frame(c)) {
            if (next_struct(c)) return TW_OK;
        } else if (c->next >= c->of->type.nfields) {
            return TW_END;
        } else if (begin_field(c)) {
            return TW_OK;
        }
    }
}

/* Most fields are plain: then this is all there is to a step. */
static int step_over_plain(cursor *c)
{
    uint32_t i = c->next;

    if (c->todo || i >= c->of->type.nfields || !c->of->of[i].plain || at_end_of_frame(c)) return 0;
    uint32_t size = c->of->of[i].size;
    if (size > c->end - c->at || c->cells >= TYPE_MAX_CELLS) return 0;
    c->cells++;
    c->field = i;
    c->index = 0;
    c->value = c->at;
    c->bytes = size;
    c->at += size;
    c->next = i + 1;
    return 1;
}

static int value_here(const cursor *c, tw_value *v)
{
    const tw_type *t = &c->of->type;
    return scalar_value(t, &t->field[c->field], c->data + c->value, c->bytes, c->event, &c->how, v);
}

/* ---- What others call --------------------------------------------------- */

/* A field behind others whose ends only the payload tells, or with such an end itself. */
static int seek(const tw_type *t, const tw_event *e, uint32_t field, const decode *d, tw_value *v)
{
    cursor c;
    uint32_t from = t->field[field].after ? layout_of(t)->first : field;

    cursor_start(&c, t, e, d);
    if (t->field[from].offset > c.end) return TW_END;
    c.quick = 1;
    c.next = from;
    c.at = t->field[from].offset;
    while (step(&c) == TW_OK) {
        if (c.field == field) return value_here(&c, v) == TW_OK ? TW_OK : TW_END;
        if (c.field > field) return TW_END;
    }
    return TW_END;
}

int type_get(const tw_type *t, const tw_event *e, int field, const decode *d, tw_value *v)
{
    if (field < 0 || (uint32_t)field >= t->nfields) return TW_END;
    const layout_field *l = &layout_of(t)->of[field];
    const tw_field *f = &t->field[field];

    if (l->way == LAYOUT_NEVER) return TW_END;
    if (l->way == LAYOUT_AT && tw_has(e, f->offset, l->size) && e->bytes) {
        return scalar_value(t, f, e->data + f->offset, l->size, e, d, v) == TW_OK ? TW_OK : TW_END;
    }
    return seek(t, e, (uint32_t)field, d, v);
}

void type_walk(const tw_type *t, const tw_event *e, const decode *d, tw_walk *w)
{
    w->type = t;
    w->event = e;
    w->field = -1;
    w->index = w->depth = w->faults = 0;
    w->left = e->bytes;
    cursor_start((cursor *)w->host, t, e, d);
}

int type_next(tw_walk *w, tw_value *v)
{
    cursor *c = (cursor *)w->host;

    while (step_over_plain(c) || step(c) == TW_OK) {
        const tw_field *f = &w->type->field[c->field];
        w->field = (int32_t)c->field;
        w->index = c->index;
        w->depth = f->depth;
        int got = TW_OK;
        if (f->kind == TW_STRUCT)
            *v = (tw_value){ .kind = TW_STRUCT, .show = f->show };
        else
            got = value_here(c, v);
        if (got == TW_ERROR) c->faults++;
        w->faults = c->faults;
        w->left = c->end - c->at;
        if (got == TW_OK) return TW_OK;
    }
    w->faults = c->faults;
    w->left = c->end - c->at;
    return TW_END;
}
