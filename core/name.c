/* name.c - what a name means on an event: pid, provider, TransferSize.

   One idea: header names are a table, each with the place its value comes from; all other names are fields. */
#include "name.h"

#include <stdlib.h>

#include "batch.h"
#include "bus.h"
#include "layout.h"
#include "message.h"

typedef struct header {
    const char *word;
    uint8_t from, kind, show;
    uint32_t at;      /* NAME_EVENT: offset in tw_event; NAME_TYPE: in layout; NAME_EXTRA: enum tw_extra */
    uint32_t in_type; /* NAME_EXTRA: 1 + the offset in layout of what holds where no record says it; 0: nothing.
                         NAME_CALLED: the offset of the number's name */
} header;

// clang-format off
#define IN_EVENT(word, kind, show, member)    { word, NAME_EVENT, kind, show, offsetof(tw_event, member), 0 }
#define IN_TYPE(word, kind, show, member)     { word, NAME_TYPE, kind, show, offsetof(layout, member), 0 }
#define BOTH(word, kind, show, extra, member) { word, NAME_EXTRA, kind, show, extra, 1 + offsetof(layout, member) }
#define AROUND(word, kind, show, extra)       { word, NAME_EXTRA, kind, show, extra, 0 }
#define CALLED(word, extra, member)           { word, NAME_CALLED, TW_TEXT, TW_SHOW_PLAIN, extra, offsetof(layout, member) }

static const header headers[] = {
    IN_EVENT("time",     TW_TIME, TW_SHOW_PLAIN, time),
    IN_TYPE ("provider", TW_TEXT, TW_SHOW_PLAIN, type.provider),
    IN_TYPE ("event",    TW_TEXT, TW_SHOW_PLAIN, type.name),
    IN_TYPE ("name",     TW_TEXT, TW_SHOW_PLAIN, full_name),
    IN_TYPE ("id",       TW_U32,  TW_SHOW_PLAIN, type.number),
    IN_TYPE ("version",  TW_U8,   TW_SHOW_PLAIN, type.version),
    BOTH    ("opcode",   TW_U8,   TW_SHOW_PLAIN, TW_X_OPCODE, type.opcode),
    BOTH    ("level",    TW_U8,   TW_SHOW_PLAIN, TW_X_LEVEL, type.level),
    BOTH    ("keyword",  TW_U64,  TW_SHOW_HEX,   TW_X_KEYWORD, type.keyword),
    BOTH    ("task",     TW_U16,  TW_SHOW_PLAIN, TW_X_TASK, type.task),
    BOTH    ("channel",  TW_U16,  TW_SHOW_PLAIN, TW_X_CHANNEL, type.channel),
    IN_EVENT("pid",      TW_U32,  TW_SHOW_PID,   pid),
    IN_EVENT("tid",      TW_U32,  TW_SHOW_TID,   tid),
    IN_EVENT("cpu",      TW_U16,  TW_SHOW_PLAIN, cpu),
    IN_EVENT("bytes",    TW_U32,  TW_SHOW_PLAIN, bytes),
    CALLED  ("opcode_name",  TW_X_OPCODE,  type.opcode_name),
    CALLED  ("level_name",   TW_X_LEVEL,   type.level_name),
    CALLED  ("task_name",    TW_X_TASK,    type.task_name),
    CALLED  ("channel_name", TW_X_CHANNEL, type.channel_name),
    { "keywords", NAME_KEYWORDS, TW_TEXT, TW_SHOW_PLAIN, 0, 0 },
    IN_TYPE ("origin",   TW_TEXT, TW_SHOW_PLAIN, type.origin),
    IN_TYPE ("why",      TW_TEXT, TW_SHOW_PLAIN, type.why),
    { "left",    NAME_LEFT,    TW_U32,  TW_SHOW_PLAIN, 0, 0 },
    { "cut",     NAME_CUT,     TW_U8,   TW_SHOW_PLAIN, 0, 0 },
    IN_TYPE ("key",      TW_TEXT, TW_SHOW_PLAIN, key),
    IN_TYPE ("guid",     TW_GUID, TW_SHOW_PLAIN, type.guid),
    IN_EVENT("source",   TW_U16,  TW_SHOW_PLAIN, source),
    IN_EVENT("type",     TW_U32,  TW_SHOW_PLAIN, type),
    { "payload", NAME_PAYLOAD, TW_TEXT, TW_SHOW_PLAIN, 0, 0 },
    { "message", NAME_MESSAGE, TW_TEXT, TW_SHOW_PLAIN, 0, 0 },
    { "raw",     NAME_RAW,     TW_TEXT, TW_SHOW_PLAIN, 0, 0 },
    AROUND  ("ticks",    TW_U64,  TW_SHOW_PLAIN, TW_X_TICKS),
    AROUND  ("offset",   TW_U64,  TW_SHOW_PLAIN, TW_X_OFFSET),
    AROUND  ("activity", TW_GUID, TW_SHOW_PLAIN, TW_X_ACTIVITY),
    AROUND  ("related",  TW_GUID, TW_SHOW_PLAIN, TW_X_RELATED),
};
// clang-format on
enum { HEADERS = sizeof headers / sizeof *headers };

static const header *header_of(const char *word)
{
    for (int i = 0; i < HEADERS; i++) {
        if (!strcmp(headers[i].word, word)) return &headers[i];
    }
    return NULL;
}

int name_is_header(const char *word)
{
    return header_of(word) != NULL;
}

/* ---- Resolving ---------------------------------------------------------- */

static uint64_t number_at(uint8_t kind, const void *at)
{
    const uint8_t *p = at;
    switch (kind) {
    case TW_U8: return p[0];
    case TW_U16: return tw_u16(p);
    case TW_U32: return tw_u32(p);
    default: return tw_u64(p);
    }
}

static tw_text text_of_string(const char *s)
{
    return (tw_text){ .at = s, .bytes = (uint32_t)strlen(s) };
}

/* What lies at that offset of the layout of t; kind 0 where it is not there. */
static tw_value of_type(const tw_type *t, uint8_t kind, uint8_t show, size_t offset)
{
    tw_value v = { .kind = kind, .show = show };
    const uint8_t *at = (const uint8_t *)layout_of(t) + offset;
    const char *s;

    if (kind == TW_TEXT) {
        memcpy(&s, at, sizeof s);
        if (s)
            v.t = text_of_string(s);
        else
            v.kind = 0;
    } else if (kind == TW_GUID) {
        v.t = (tw_text){ .at = (const char *)at, .bytes = 16 };
    } else {
        v.u = number_at(kind, at);
    }
    return v;
}

static void resolve_header(const tw_type *t, const header *h, name *out)
{
    out->from = h->from;
    out->kind = h->kind;
    out->show = h->show;
    switch (h->from) {
    case NAME_EVENT: out->offset = h->at; break;
    case NAME_TYPE:
        out->value = of_type(t, h->kind, h->show, h->at);
        out->nullable = !out->value.kind;
        break;
    case NAME_EXTRA:
        out->extra = h->at;
        out->nullable = !h->in_type;
        if (h->in_type) out->value = of_type(t, h->kind, h->show, h->in_type - 1);
        break;
    case NAME_CALLED:
        out->extra = h->at;
        out->value = of_type(t, TW_TEXT, h->show, h->in_type);
        break;
    case NAME_MESSAGE: out->nullable = !t->message; break;
    default: break;
    }
}

/* The kind a value of that field has, as type_get gives it. */
static uint8_t kind_given(const tw_field *f)
{
    switch (f->kind) {
    case TW_POINTER: return TW_U64;
    case TW_BOOL32: return TW_BOOL;
    case TW_TICKS:
    case TW_FILETIME:
    case TW_SYSTEMTIME: return TW_TIME;
    case TW_TICK_SPAN: return TW_SPAN;
    case TW_TOKENSID: return TW_SID;
    case TW_TEXT8:
    case TW_TEXT16: return TW_TEXT;
    default: return f->kind;
    }
}

/* A number that lies at a fixed place just as it is. Ports are swapped when they are read, so they are none. */
static int is_plain(const tw_type *t, const tw_field *f, int field)
{
    if (layout_of(t)->of[field].way != LAYOUT_AT || f->bytes_by != TW_ONE) return 0;
    if (f->kind == TW_POINTER) return 1;
    return f->kind >= TW_U8 && f->kind <= TW_F64 && !(f->kind == TW_U16 && f->show == TW_SHOW_PORT);
}

static void resolve_field(const tw_type *t, int field, name *out)
{
    const tw_field *f = &t->field[field];

    out->from = NAME_FIELD;
    out->field = field;
    out->column = f;
    out->kind = kind_given(f);
    out->show = f->kind == TW_POINTER && f->show == TW_SHOW_PLAIN ? TW_SHOW_ADDRESS : f->show;
    out->nullable = 1; /* any payload may be cut short */
    if (!is_plain(t, f, field)) return;
    out->from = NAME_FIXED;
    out->offset = f->offset;
    if (f->kind == TW_POINTER && layout_pointer(t) == 4) out->kind = TW_U32;
}

void name_resolve(const tw_type *t, const char *word, name *out)
{
    static const char payload[] = "payload.";
    const header *h = header_of(word);
    int field;

    memset(out, 0, sizeof *out);
    out->field = -1;
    if (h) {
        resolve_header(t, h, out);
        return;
    }
    field = type_field(t, word);
    if (field < 0 && !strncmp(word, payload, sizeof payload - 1)) field = type_field(t, word + sizeof payload - 1);
    if (field >= 0) resolve_field(t, field, out);
}

/* ---- Getting ------------------------------------------------------------ */

static int get_fixed(const tw_event *e, const name *n, tw_value *v)
{
    static const uint8_t bytes[TW_F64 + 1] = { [TW_U8] = 1,  [TW_U16] = 2, [TW_U32] = 4, [TW_U64] = 8, [TW_I8] = 1,
                                               [TW_I16] = 2, [TW_I32] = 4, [TW_I64] = 8, [TW_F32] = 4, [TW_F64] = 8 };
    if (!tw_has(e, n->offset, bytes[n->kind])) return TW_END;
    const uint8_t *at = e->data + n->offset;
    float single;

    *v = (tw_value){ .kind = n->kind, .show = n->show };
    switch (n->kind) {
    case TW_I8: v->i = (int8_t)at[0]; break;
    case TW_I16: v->i = (int16_t)tw_u16(at); break;
    case TW_I32: v->i = (int32_t)tw_u32(at); break;
    case TW_F32:
        memcpy(&single, at, sizeof single);
        v->f = single;
        break;
    case TW_F64: memcpy(&v->f, at, sizeof v->f); break;
    default: v->u = number_at(n->kind, at); break;
    }
    return TW_OK;
}

static int get_extra(void *self, const tw_event *e, const name *n, tw_value *v)
{
    const tw_host *host = TW_HOST(self);

    memset(v, 0, sizeof *v);
    if (host->extra(self, e, n->extra, 0, v) == TW_OK) {
        if (!v->show) v->show = n->show;
        return TW_OK;
    }
    *v = n->value;
    return v->kind ? TW_OK : TW_END;
}

static int give_text(tw_batch *b, const tw_field *f, const tw_value *number, tw_value *v)
{
    char here[64], *at = here;
    size_t n = (size_t)value_print(f, number, here, sizeof here);

    if (n >= sizeof here) {
        at = arena_alloc(batch_memory(b), n + 1);
        value_print(f, number, at, n + 1);
    }
    *v = (tw_value){ .kind = TW_TEXT };
    v->t = (tw_text){ at == here ? arena_text(batch_memory(b), at, n) : at, (uint32_t)n, 0 };
    return TW_OK;
}

/* The number that a record says, else the type's. */
static uint64_t number_of(void *self, const tw_event *e, uint32_t what, uint64_t of_type)
{
    tw_value v;
    return TW_HOST(self)->extra(self, e, what, 0, &v) == TW_OK ? v.u : of_type;
}

/* The type's name is that of its own number; a record may say another one. */
static int get_called(void *self, tw_batch *b, const tw_event *e, const name *n, tw_value *v)
{
    const tw_type *t = ((tw_self *)self)->type[e->type];
    uint64_t of_type = n->extra == TW_X_OPCODE  ? t->opcode
                       : n->extra == TW_X_LEVEL ? t->level
                       : n->extra == TW_X_TASK  ? t->task
                                                : t->channel;
    tw_value number = { .kind = TW_U64, .u = number_of(self, e, n->extra, of_type) };

    if (number.u != of_type || !n->value.kind) return give_text(b, NULL, &number, v);
    *v = n->value;
    return TW_OK;
}

static int get_keywords(void *self, tw_batch *b, const tw_event *e, tw_value *v)
{
    const tw_type *t = ((tw_self *)self)->type[e->type];
    const tw_field field = { .names = t->keywords };
    tw_value bits = { .kind = TW_U64, .show = TW_SHOW_HEX, .u = number_of(self, e, TW_X_KEYWORD, t->keyword) };

    return give_text(b, &field, &bits, v);
}

/* What a walk over all fields comes to: the bytes that none of them took, or whether one is cut short. */
static int get_walked(void *self, tw_batch *b, const tw_event *e, int what, tw_value *v)
{
    tw_walk w;
    decode d;

    bus_decode(self, b, &d);
    type_walk(((tw_self *)self)->type[e->type], e, &d, &w);
    while (type_next(&w, v) == TW_OK) {}
    *v = what == NAME_LEFT ? (tw_value){ .kind = TW_U32, .u = w.left }
                           : (tw_value){ .kind = TW_U8, .u = w.faults != 0 };
    return TW_OK;
}

static int get_words(void *self, tw_batch *b, const tw_event *e, int what, tw_value *v)
{
    const tw_type *t = ((tw_self *)self)->type[e->type];
    text line = { 0 };
    decode d;

    bus_decode(self, b, &d);
    if (what == NAME_MESSAGE && !t->message) return TW_END;
    (what == NAME_MESSAGE ? message_text : type_text)(t, e, &d, &line);
    v->kind = TW_TEXT;
    v->t.at = arena_text(batch_memory(b), text_of(&line), line.n);
    v->t.bytes = (uint32_t)line.n;
    text_free(&line);
    return TW_OK;
}

static int get_raw(tw_batch *b, const tw_event *e, tw_value *v)
{
    tw_value bytes = { .kind = TW_BYTES, .t = { .at = (const char *)e->data, .bytes = e->bytes } };
    size_t room = (size_t)e->bytes * 2 + 1;
    char *digits = arena_alloc(batch_memory(b), room);

    v->kind = TW_TEXT;
    v->t = (tw_text){ .at = digits, .bytes = (uint32_t)value_print(NULL, &bytes, digits, room) };
    return TW_OK;
}

int name_get(void *self, tw_batch *b, const tw_event *e, const name *n, tw_value *v)
{
    decode d;

    switch (n->from) {
    case NAME_EVENT:
        *v = (tw_value){ .kind = n->kind, .show = n->show };
        v->u = number_at(n->kind, (const char *)e + n->offset);
        return TW_OK;
    case NAME_TYPE: *v = n->value; return v->kind ? TW_OK : TW_END;
    case NAME_FIXED: return get_fixed(e, n, v);
    case NAME_FIELD: bus_decode(self, b, &d); return type_get(((tw_self *)self)->type[e->type], e, n->field, &d, v);
    case NAME_EXTRA: return get_extra(self, e, n, v);
    case NAME_CALLED: return get_called(self, b, e, n, v);
    case NAME_KEYWORDS: return get_keywords(self, b, e, v);
    case NAME_LEFT:
    case NAME_CUT: return get_walked(self, b, e, n->from, v);
    case NAME_PAYLOAD:
    case NAME_MESSAGE:
    case NAME_RAW:
        memset(v, 0, sizeof *v);
        return n->from == NAME_RAW ? get_raw(b, e, v) : get_words(self, b, e, n->from, v);
    default: return TW_END;
    }
}

/* ---- Suggesting --------------------------------------------------------- */

const char *name_nearest(const types *r, const char *word)
{
    const tw_type *const *type = types_table(r);
    uint32_t count = types_count(r), n = 0;
    const char **best = mem_new((HEADERS + count + 1) * sizeof *best); /* of each type, then of those */
    const char **own = mem_new(TYPE_MAX_FIELDS * sizeof *own);

    for (; n < HEADERS; n++) best[n] = headers[n].word;
    for (uint32_t id = 1; id <= count; id++) {
        for (uint32_t i = 0; i < type[id]->nfields; i++) own[i] = type[id]->field[i].name;
        const char *near = text_nearest(word, own, type[id]->nfields);
        if (near && near != best[n - 1]) best[n++] = near;
    }
    const char *nearest = text_nearest(word, best, n);
    free(own);
    free(best);
    return nearest;
}
