/* record.c - from an event's marker to one struct; see record.h. */
#include "record.h"

#include "extended.h"

/* Header bytes and pointer size by the marker's byte 2; 0: a type whose layout is not known. */
static const struct shape {
    uint8_t header, pointer, kind;
} shapes[] = {
    [ETW_SYSTEM32] = { ETW_SYSTEM_HEADER, 4, RECORD_KERNEL },
    [ETW_SYSTEM64] = { ETW_SYSTEM_HEADER, 8, RECORD_KERNEL },
    [ETW_COMPACT32] = { ETW_COMPACT_HEADER, 4, RECORD_KERNEL },
    [ETW_COMPACT64] = { ETW_COMPACT_HEADER, 8, RECORD_KERNEL },
    [ETW_PERFINFO32] = { ETW_PERFINFO_HEADER, 4, RECORD_KERNEL },
    [ETW_PERFINFO64] = { ETW_PERFINFO_HEADER, 8, RECORD_KERNEL },
    [ETW_FULL32] = { ETW_FULL_HEADER, 4, RECORD_CLASSIC },
    [ETW_FULL64] = { ETW_FULL_HEADER, 8, RECORD_CLASSIC },
    [ETW_INSTANCE32] = { ETW_INSTANCE_HEADER, 4, RECORD_CLASSIC },
    [ETW_INSTANCE64] = { ETW_INSTANCE_HEADER, 8, RECORD_CLASSIC },
    [ETW_EVENT32] = { ETW_EVENT_HEADER, 4, RECORD_EVENT },
    [ETW_EVENT64] = { ETW_EVENT_HEADER, 8, RECORD_EVENT },
    [ETW_ERROR] = { ETW_ERROR_HEADER, 8, RECORD_OPAQUE },
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The part of a record that all headers have; `payload` is right unless more stands before it. */
static void begin(record *r, const uint8_t *at, enum record_kind kind, uint32_t size, uint32_t header)
{
    memset(r, 0, sizeof *r);
    r->at = at;
    r->size = size;
    r->payload = header;
    r->kind = (uint8_t)kind;
    r->type = at[ETW_TYPE];
    r->pointer = 8;
    r->pid = r->tid = RECORD_NOBODY;
}

static enum record_status opaque(const uint8_t *at, size_t left, uint32_t size, uint32_t header, record *r)
{
    if (size < header || size > left) return RECORD_CORRUPT;
    begin(r, at, RECORD_OPAQUE, size, header);
    r->id = r->type;
    return RECORD_GOOD;
}

static enum record_status kernel(const uint8_t *at, size_t left, const struct shape *shape, record *r)
{
    uint16_t version = tw_u16(at + ETW_HOOK_VERSION);
    uint32_t size = tw_u16(at + ETW_HOOK_SIZE);
    uint32_t words = (version >> ETW_VERSION_COUNTERS & 7) + !!(version & ETW_VERSION_PEBS);
    uint32_t header = shape->header + 8 * words;

    if (size < header || size > left) return RECORD_CORRUPT;
    begin(r, at, RECORD_KERNEL, size, header);
    r->pointer = shape->pointer;
    r->version = version & ETW_VERSION_MASK;
    r->words = (uint8_t)words;
    r->id = at[ETW_HOOK_OPCODE];
    r->group = at[ETW_HOOK_GROUP];
    r->timed = 1;
    if (shape->header == ETW_PERFINFO_HEADER) {
        r->ticks = (int64_t)tw_u64(at + ETW_PERFINFO_TIME);
    } else {
        r->tid = tw_u32(at + ETW_HOOK_THREAD);
        r->pid = tw_u32(at + ETW_HOOK_PROCESS);
        r->ticks = (int64_t)tw_u64(at + ETW_HOOK_TIME);
    }
    return RECORD_GOOD;
}

static void find_payload(record *r)
{
    items walk = items_of(r->at, r->size);
    item one;

    while (items_next(&walk, &one)) {
        if (one.type >= 32) continue;
        r->items |= 1u << one.type;
        if (one.type == ETW_ITEM_SCHEMA && !r->schema) {
            r->schema = one.data;
            r->schema_bytes = one.bytes;
        } else if (one.type == ETW_ITEM_TRAITS && !r->traits) {
            r->traits = one.data;
            r->traits_bytes = one.bytes;
        }
    }
    r->payload = (uint32_t)(walk.at - r->at);
    r->broken = (uint8_t)walk.broken;
}

static enum record_status typed(const uint8_t *at, size_t left, record *r)
{
    const struct shape *shape = &shapes[at[ETW_TYPE] < SHAPES ? at[ETW_TYPE] : 0];
    uint32_t size = tw_u16(at + ETW_SIZE);

    if (shape->kind == RECORD_KERNEL && shape->header) return kernel(at, left, shape, r);
    if (!shape->header && (size < ETW_PAD || size > left)) return RECORD_UNKNOWN;
    if (!shape->header) return opaque(at, left, size, ETW_MESSAGE_HEADER, r);
    if (shape->kind == RECORD_OPAQUE) return opaque(at, left, size, shape->header, r);

    if (size < shape->header || size > left) return RECORD_CORRUPT;
    begin(r, at, shape->kind, size, shape->header);
    r->pointer = shape->pointer;
    r->tid = tw_u32(at + ETW_THREAD);
    r->pid = tw_u32(at + ETW_PROCESS);
    r->ticks = (int64_t)tw_u64(at + ETW_TIME);
    r->timed = 1;
    r->guid = at + ETW_GUID;
    if (shape->kind == RECORD_CLASSIC) {
        r->id = at[ETW_FULL_OPCODE];
        r->version = tw_u16(at + ETW_FULL_VERSION);
    } else {
        r->id = tw_u16(at + ETW_EVENT_ID);
        r->version = at[ETW_EVENT_VERSION];
        if (tw_u16(at + ETW_EVENT_FLAGS) & ETW_EVENT_EXTENDED) find_payload(r);
    }
    return RECORD_GOOD;
}

/* Where the fields of a message stand, by its flags; 0: it has no such field. */
typedef struct message {
    uint32_t guid, component, time, system, payload;
} message;

static message message_shape(uint16_t flags)
{
    message m = { 0, 0, 0, 0, ETW_MESSAGE_HEADER };

    if (flags & ETW_MESSAGE_SEQUENCE) m.payload += 4;
    if (flags & ETW_MESSAGE_GUID) {
        m.guid = m.payload;
        m.payload += 16;
    } else if (flags & ETW_MESSAGE_COMPONENT) {
        m.component = m.payload;
        m.payload += 4;
    }
    if (flags & ETW_MESSAGE_TIMES) {
        m.time = m.payload;
        m.payload += 8;
    }
    if (flags & ETW_MESSAGE_SYSTEM) {
        m.system = m.payload;
        m.payload += 8;
    }
    return m;
}

static enum record_status wpp(const uint8_t *at, size_t left, record *r)
{
    uint16_t flags = tw_u16(at + ETW_MESSAGE_FLAGS);
    uint32_t size = tw_u16(at + ETW_SIZE);
    message m = message_shape(flags);

    if (size < m.payload || size > left) return RECORD_CORRUPT;
    begin(r, at, RECORD_MESSAGE, size, m.payload);
    r->id = tw_u16(at + ETW_MESSAGE_NUMBER);
    if (flags & ETW_MESSAGE_POINTER32 && !(flags & ETW_MESSAGE_POINTER64)) r->pointer = 4;
    if (m.guid) r->guid = at + m.guid;
    if (m.component) r->component = tw_u32(at + m.component);
    if (m.time) {
        r->ticks = (int64_t)tw_u64(at + m.time);
        r->timed = 1;
    }
    if (m.system) {
        r->tid = tw_u32(at + m.system);
        r->pid = tw_u32(at + m.system + 4);
    }
    return RECORD_GOOD;
}

enum record_status record_read(const uint8_t *at, size_t left, record *out)
{
    uint32_t marker;

    if (left < ETW_PAD) return RECORD_PADDING;
    marker = tw_u32(at);
    if (at[ETW_FAMILY] == ETW_TYPED) return typed(at, left, out);
    if (marker == 0 || marker == 0xFFFFFFFFu) return RECORD_PADDING;
    if (at[ETW_FAMILY] == ETW_MESSAGE_BITS && at[ETW_TYPE] == 0) return wpp(at, left, out);
    if ((at[ETW_FAMILY] & ETW_TYPED) == ETW_TYPED) return RECORD_UNKNOWN;
    if ((at[ETW_FAMILY] & ETW_MESSAGE_BITS) == ETW_MESSAGE_BITS)
        return opaque(at, left, tw_u16(at + ETW_SIZE), ETW_MESSAGE_HEADER, out);
    if (at[ETW_FAMILY] & ETW_TRACE_BIT) return RECORD_UNKNOWN;
    return opaque(at, left, marker, ETW_PAD, out); /* a WNODE: the marker is the size */
}

int record_ticks(const uint8_t *at, size_t have, int64_t *ticks)
{
    uint32_t place = 0;

    if (have < ETW_PAD) return 0;
    if (at[ETW_FAMILY] == ETW_TYPED && at[ETW_TYPE] < SHAPES) {
        const struct shape *shape = &shapes[at[ETW_TYPE]];

        if (shape->header && shape->kind != RECORD_OPAQUE)
            place = shape->header == ETW_PERFINFO_HEADER ? ETW_PERFINFO_TIME : ETW_TIME;
    } else if (at[ETW_FAMILY] == ETW_MESSAGE_BITS && at[ETW_TYPE] == 0) {
        place = message_shape(tw_u16(at + ETW_MESSAGE_FLAGS)).time;
    }
    if (place == 0 || have < place + 8) return 0;
    *ticks = (int64_t)tw_u64(at + place);
    return 1;
}

/* ---- What lies outside the payload ---- */

static int give_number(tw_value *v, uint8_t kind, uint8_t show, uint64_t number)
{
    v->kind = kind;
    v->show = show;
    v->u = number;
    return TW_OK;
}

static int give_bytes(tw_value *v, uint8_t kind, const uint8_t *at, uint32_t bytes)
{
    v->kind = kind;
    v->t.at = (const char *)at;
    v->t.bytes = bytes;
    return TW_OK;
}

static int give_array(tw_value *v, uint8_t show, const uint8_t *at, uint32_t bytes, uint32_t width)
{
    give_bytes(v, width == 4 ? TW_U32 : TW_U64, at, bytes - bytes % width);
    v->show = show;
    v->count = bytes / width;
    return v->count ? TW_OK : TW_END;
}

static int give_guid(tw_value *v, const uint8_t *at)
{
    static const uint8_t none[16];

    return memcmp(at, none, 16) ? give_bytes(v, TW_GUID, at, 16) : TW_END;
}

/* The n-th item whose type is in `types`, a set of bits, with at least `least` bytes of data. */
static int find_item(const record *r, uint32_t types, uint32_t n, uint32_t least, item *out)
{
    items walk = items_of(r->at, r->size);

    while (items_next(&walk, out))
        if (out->type < 32 && types >> out->type & 1 && out->bytes >= least && n-- == 0) return 1;
    return 0;
}

#define ITEM(type) (1u << (type))

static int extra_from_items(const record *r, uint32_t what, uint32_t n, tw_value *v)
{
    const uint32_t stacks = ITEM(ETW_ITEM_STACK32) | ITEM(ETW_ITEM_STACK64);
    const uint32_t keys = ITEM(ETW_ITEM_STACK_KEY32) | ITEM(ETW_ITEM_STACK_KEY64);
    item i;

    switch (what) {
    case TW_X_RELATED:
        return find_item(r, ITEM(ETW_ITEM_RELATED_ACTIVITY), n, 16, &i) ? give_guid(v, i.data) : TW_END;
    case TW_X_SID:
        if (!find_item(r, ITEM(ETW_ITEM_SID), n, 8, &i) || i.bytes < 8 + 4 * i.data[1]) return TW_END;
        return give_bytes(v, TW_SID, i.data, 8u + 4u * i.data[1]);
    case TW_X_STACK:
        if (!find_item(r, stacks, n, 8, &i)) return TW_END;
        return give_array(v, TW_SHOW_ADDRESS, i.data + 8, i.bytes - 8u, i.type == ETW_ITEM_STACK32 ? 4 : 8);
    case TW_X_STACK_MATCH:
        return find_item(r, stacks | keys, n, 8, &i) ? give_number(v, TW_U64, TW_SHOW_HEX, tw_u64(i.data)) : TW_END;
    case TW_X_STACK_KEY:
        if (!find_item(r, keys, n, 16, &i)) return TW_END;
        return give_number(v, TW_U64, TW_SHOW_HEX,
                           i.type == ETW_ITEM_STACK_KEY32 ? tw_u32(i.data + 8) : tw_u64(i.data + 8));
    case TW_X_COUNTERS:
        return find_item(r, ITEM(ETW_ITEM_COUNTERS), n, 8, &i) ? give_array(v, TW_SHOW_PLAIN, i.data, i.bytes, 8)
                                                               : TW_END;
    default:
        what -= TW_X_ITEM;
        return what < 32 && find_item(r, ITEM(what), n, 0, &i) ? give_bytes(v, TW_BYTES, i.data, i.bytes) : TW_END;
    }
}

static int extra_of_event(const record *r, uint32_t what, uint32_t n, tw_value *v)
{
    int times = !(tw_u16(r->at + ETW_EVENT_FLAGS) & ETW_EVENT_NO_CPUTIME);

    switch (what) {
    case TW_X_KEYWORD: return give_number(v, TW_U64, TW_SHOW_HEX, tw_u64(r->at + ETW_EVENT_KEYWORD));
    case TW_X_LEVEL: return give_number(v, TW_U8, TW_SHOW_PLAIN, r->at[ETW_EVENT_LEVEL]);
    case TW_X_OPCODE: return give_number(v, TW_U8, TW_SHOW_PLAIN, r->at[ETW_EVENT_OPCODE]);
    case TW_X_TASK: return give_number(v, TW_U16, TW_SHOW_PLAIN, tw_u16(r->at + ETW_EVENT_TASK));
    case TW_X_CHANNEL: return give_number(v, TW_U8, TW_SHOW_PLAIN, r->at[ETW_EVENT_CHANNEL]);
    case TW_X_KERNEL_TIME:
        return times ? give_number(v, TW_U32, TW_SHOW_PLAIN, tw_u32(r->at + ETW_EVENT_KERNEL_TIME)) : TW_END;
    case TW_X_USER_TIME:
        return times ? give_number(v, TW_U32, TW_SHOW_PLAIN, tw_u32(r->at + ETW_EVENT_KERNEL_TIME + 4)) : TW_END;
    case TW_X_ACTIVITY: return give_guid(v, r->at + ETW_EVENT_ACTIVITY);
    default: return r->items ? extra_from_items(r, what, n, v) : TW_END;
    }
}

static int extra_of_classic(const record *r, uint32_t what, uint32_t n, tw_value *v)
{
    int instance = r->type == ETW_INSTANCE32 || r->type == ETW_INSTANCE64;

    switch (what) {
    case TW_X_KEYWORD: return give_number(v, TW_U64, TW_SHOW_HEX, 0);
    case TW_X_LEVEL: return give_number(v, TW_U8, TW_SHOW_PLAIN, r->at[ETW_FULL_LEVEL]);
    case TW_X_OPCODE: return give_number(v, TW_U8, TW_SHOW_PLAIN, r->id);
    case TW_X_TASK: return give_number(v, TW_U16, TW_SHOW_PLAIN, 0);
    case TW_X_CHANNEL: return give_number(v, TW_U8, TW_SHOW_PLAIN, 0);
    case TW_X_KERNEL_TIME: return give_number(v, TW_U32, TW_SHOW_PLAIN, tw_u32(r->at + ETW_FULL_KERNEL_TIME));
    case TW_X_USER_TIME: return give_number(v, TW_U32, TW_SHOW_PLAIN, tw_u32(r->at + ETW_FULL_KERNEL_TIME + 4));
    case TW_X_ITEM + ETW_ITEM_INSTANCE: /* the header's bytes are laid out as that item's */
        return instance && n == 0 ? give_bytes(v, TW_BYTES, r->at + ETW_INSTANCE_ID, 24) : TW_END;
    default: return TW_END;
    }
}

static int extra_of_kernel(const record *r, uint32_t what, uint32_t n, tw_value *v)
{
    int system = r->type == ETW_SYSTEM32 || r->type == ETW_SYSTEM64;
    uint32_t pebs = tw_u16(r->at + ETW_HOOK_VERSION) & ETW_VERSION_PEBS ? 8 : 0;
    const uint8_t *words = r->at + r->payload - 8u * r->words;
    uint32_t counters = 8u * r->words - pebs;

    switch (what) {
    case TW_X_KEYWORD: return give_number(v, TW_U64, TW_SHOW_HEX, 0);
    case TW_X_LEVEL: return give_number(v, TW_U8, TW_SHOW_PLAIN, 0);
    case TW_X_OPCODE: return give_number(v, TW_U8, TW_SHOW_PLAIN, r->id);
    case TW_X_TASK: return give_number(v, TW_U16, TW_SHOW_PLAIN, 0);
    case TW_X_CHANNEL: return give_number(v, TW_U8, TW_SHOW_PLAIN, 0);
    case TW_X_KERNEL_TIME:
        return system ? give_number(v, TW_U32, TW_SHOW_PLAIN, tw_u32(r->at + ETW_HOOK_KERNEL_TIME)) : TW_END;
    case TW_X_USER_TIME:
        return system ? give_number(v, TW_U32, TW_SHOW_PLAIN, tw_u32(r->at + ETW_HOOK_KERNEL_TIME + 4)) : TW_END;
    case TW_X_COUNTERS: return n == 0 ? give_array(v, TW_SHOW_PLAIN, words + pebs, counters, 8) : TW_END;
    case TW_X_ITEM + ETW_ITEM_PEBS: return n == 0 && pebs ? give_bytes(v, TW_BYTES, words, 8) : TW_END;
    case TW_X_ITEM + ETW_ITEM_COUNTERS:
        return n == 0 && counters ? give_bytes(v, TW_BYTES, words + pebs, counters) : TW_END;
    default: return TW_END;
    }
}

int record_extra(const uint8_t *at, uint32_t what, uint32_t n, tw_value *v)
{
    record r;

    memset(v, 0, sizeof *v);
    if (record_read(at, SIZE_MAX, &r) != RECORD_GOOD) return TW_END;
    if (what == TW_X_TICKS) return r.timed ? give_number(v, TW_I64, TW_SHOW_PLAIN, (uint64_t)r.ticks) : TW_END;
    switch (r.kind) {
    case RECORD_EVENT: return extra_of_event(&r, what, n, v);
    case RECORD_CLASSIC: return extra_of_classic(&r, what, n, v);
    case RECORD_KERNEL: return extra_of_kernel(&r, what, n, v);
    default: return TW_END;
    }
}
