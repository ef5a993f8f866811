/* event_info.c - TRACE_EVENT_INFO and EVENT_MAP_INFO; see event_info.h. */
#include "event_info.h"

#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "standard.h"
#include "tdh.h"

enum { /* EVENT_PROPERTY_INFO */
       PROPERTY = 24,
       PROPERTY_FLAGS = 0,
       PROPERTY_NAME = 4,
       PROPERTY_IN_TYPE = 8,   /* u16; of a struct the first member's index */
       PROPERTY_OUT_TYPE = 10, /* u16; of a struct how many members */
       PROPERTY_MAP = 12,
       PROPERTY_COUNT = 16, /* u16: number, or index of the property that says it; likewise */
       PROPERTY_LENGTH = 18,
       PROPERTY_TAG = 20
};

enum {
    IS_STRUCT = 1,
    LENGTH_BY_PROPERTY = 2,
    COUNT_BY_PROPERTY = 4,
    LENGTH_IS_FIXED = 0x10, /* also where it is 0 */
    COUNT_IS_FIXED = 0x20,
    HAS_TAG = 0x40,
    HAS_CUSTOM_SCHEMA = 0x80 /* in the place of the map */
};

enum { /* EVENT_MAP_INFO */
       MAP_NAME = 0,
       MAP_FLAG = 4,
       MAP_ENTRIES = 8,
       MAP_VALUE_TYPE = 12, /* 0: numbers */
       MAP_HEAD = 16,
       MAP_ENTRY = 8 /* u32 offset of the text, u32 value */
};

enum {
    VALUE_MAP = 1,
    BIT_MAP = 2,
    PATTERN_MAP = 4,
    MOF_VALUE_MAP = 8,
    MOF_BIT_MAP = 0x10,
    MOF_FLAG = 0x20,
    MOF_NO_MAP = 0x40
};

/* ---- Texts -------------------------------------------------------------- */

static int is_blank(uint16_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

enum { NAME_MOST = 1024 /* units */ };

/* Up to its NUL, the end or so many units: many names may lie in one place, so that 64 KB could hold 1000 of 20 KB. */
static text16 text_at(blob b, uint32_t offset, size_t most)
{
    text16 t = { NULL, 0 };

    if (!offset || offset >= b.bytes) return t;
    t.at = b.at + offset;
    if (most > (b.bytes - offset) / 2) most = (b.bytes - offset) / 2;
    while (t.units < most && tw_u16(t.at + 2 * t.units)) t.units++;
    return t;
}

static text16 trimmed(text16 t)
{
    while (t.units && is_blank(tw_u16(t.at + 2 * t.units - 2))) t.units--;
    return t;
}

static const char *to_text(text16 t, store *s)
{
    return t.units ? store_text16(s, t.at, t.units) : NULL;
}

int event_info_sound(blob info)
{
    return info.bytes >= INFO_HEAD && tw_u32(info.at + INFO_PROPERTIES) <= (info.bytes - INFO_HEAD) / PROPERTY &&
           tw_u32(info.at + INFO_TOP_LEVEL) <= tw_u32(info.at + INFO_PROPERTIES);
}

int event_info_alike(blob a, blob b)
{
    uint32_t n = tw_u32(a.at + INFO_PROPERTIES);

    if (n != tw_u32(b.at + INFO_PROPERTIES) || tw_u32(a.at + INFO_TOP_LEVEL) != tw_u32(b.at + INFO_TOP_LEVEL))
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *of_a = a.at + INFO_HEAD + (size_t)i * PROPERTY,
                      *of_b = b.at + INFO_HEAD + (size_t)i * PROPERTY;
        if (tw_u32(of_a + PROPERTY_FLAGS) != tw_u32(of_b + PROPERTY_FLAGS) ||
            tw_u32(of_a + PROPERTY_IN_TYPE) != tw_u32(of_b + PROPERTY_IN_TYPE) ||
            tw_u32(of_a + PROPERTY_COUNT) != tw_u32(of_b + PROPERTY_COUNT))
            return 0;
    }
    return 1;
}

const char *event_info_text(blob info, unsigned member, store *s)
{
    static const char prefix[] = "win:";
    const char *text = to_text(trimmed(text_at(info, tw_u32(info.at + member), info.bytes)), s);
    uint64_t unused;

    if (!text || strncmp(text, prefix, sizeof prefix - 1) != 0) return text;
    text += sizeof prefix - 1;
    const char *known = standard_find(member == INFO_LEVEL_NAME ? STANDARD_LEVEL : STANDARD_OPCODE, text, &unused);
    return known ? known : text;
}

uint32_t event_info_keywords(blob info, text16 name[INFO_KEYWORDS])
{
    text16 t = text_at(info, tw_u32(info.at + INFO_KEYWORD_NAMES), info.bytes);
    uint32_t n = 0;

    for (; t.units && n <= INFO_KEYWORDS; n++) {
        if (n < INFO_KEYWORDS) name[n] = trimmed(t);
        t = text_at(info, (uint32_t)((size_t)(t.at - info.at) + 2 * t.units + 2), info.bytes);
    }
    return n;
}

/* ---- Properties --------------------------------------------------------- */

enum { PROPERTIES_MOST = 4096 };

typedef struct builder {
    blob info;
    uint32_t n;
    fields f;
    event_info_map *map;
    void *context;
    int broken, ended;
    uint16_t place[PROPERTIES_MOST]; /* 1 + the field that a property became; 0: none yet */
} builder;

static void end_table(builder *b)
{
    fields_end(&b->f);
    b->ended = 1;
}

static void add_property(builder *b, uint32_t i);

/* The field that a length or count is taken from; -1: none that can say one here. */
static int64_t number_field(const builder *b, uint32_t property)
{
    if (property >= b->n || !b->place[property]) return -1;
    return fields_may_refer(&b->f, b->place[property] - 1u) ? b->place[property] - 1 : -1;
}

/* Which counts are arrays: a stored 0 or 1 means a scalar, unless the flags say otherwise. 0: nobody knows. */
static int set_count(const builder *b, const uint8_t *p, tw_field *f)
{
    uint32_t flags = tw_u32(p + PROPERTY_FLAGS);
    uint16_t count = tw_u16(p + PROPERTY_COUNT);

    if (flags & COUNT_BY_PROPERTY) {
        int64_t field = number_field(b, count);
        if (field < 0) return 0;
        f->count_by = TW_FIELD;
        f->count = (uint32_t)field;
    } else if (count > 1 || flags & COUNT_IS_FIXED) {
        f->count_by = TW_FIXED;
        f->count = count;
    }
    return 1;
}

/* 0: nobody knows. */
static int set_length(const builder *b, const uint8_t *p, tw_field *f)
{
    uint32_t flags = tw_u32(p + PROPERTY_FLAGS);
    uint16_t in_type = tw_u16(p + PROPERTY_IN_TYPE), length = tw_u16(p + PROPERTY_LENGTH);

    if (flags & LENGTH_BY_PROPERTY) {
        int64_t field = number_field(b, length);
        tdh_length_field(in_type, (uint32_t)field, f);
        return field >= 0 || f->bytes_by != TW_FIELD;
    }
    if (length || flags & LENGTH_IS_FIXED) tdh_length_fixed(in_type, length, f);
    return 1;
}

static void set_tag(builder *b, const uint8_t *p, tw_field *f)
{
    char words[32];

    if (!(tw_u32(p + PROPERTY_FLAGS) & HAS_TAG) || !tw_u32(p + PROPERTY_TAG)) return;
    int n = snprintf(words, sizeof words, "tag 0x%x", (unsigned)tw_u32(p + PROPERTY_TAG));
    f->help = store_text(b->f.from, words, (size_t)n);
}

static void add_struct(builder *b, const uint8_t *p, const char *name)
{
    uint32_t first = tw_u16(p + PROPERTY_IN_TYPE), n = tw_u16(p + PROPERTY_OUT_TYPE);
    tw_field *f = fields_open(&b->f, name);

    if (b->f.failed) return;
    set_tag(b, p, f);
    if (first > b->n || n > b->n - first)
        b->broken = 1;
    else if (!set_count(b, p, f))
        end_table(b);
    for (uint32_t i = 0; i < n && !b->ended && !b->broken && !b->f.failed; i++) add_property(b, first + i);
    if (!b->ended) fields_close(&b->f);
}

static void add_scalar(builder *b, const uint8_t *p, const char *name)
{
    uint32_t flags = tw_u32(p + PROPERTY_FLAGS), map = tw_u32(p + PROPERTY_MAP);
    tw_field *f = fields_add(&b->f, name);

    if (b->f.failed) return;
    int known = tdh_field(tw_u16(p + PROPERTY_IN_TYPE), tw_u16(p + PROPERTY_OUT_TYPE), f);
    if (!known || !set_length(b, p, f) || !set_count(b, p, f)) {
        end_table(b);
        return;
    }
    tdh_array(tw_u16(p + PROPERTY_IN_TYPE), f);
    set_tag(b, p, f);
    if (map && b->map && !(flags & HAS_CUSTOM_SCHEMA))
        f->names = b->map(b->context, trimmed(text_at(b->info, map, NAME_MOST)));
}

/* A property that is reached twice would be read twice, or for ever. What takes the rest of the payload has nothing
   behind it: then its length is what is not known. */
static void add_property(builder *b, uint32_t i)
{
    const uint8_t *p = b->info.at + INFO_HEAD + (size_t)i * PROPERTY;

    if (b->place[i]) {
        b->broken = 1;
        return;
    }
    if (b->f.n && b->f.at[b->f.n - 1].bytes_by == TW_REST) {
        end_table(b);
        return;
    }
    const char *name = to_text(trimmed(text_at(b->info, tw_u32(p + PROPERTY_NAME), NAME_MOST)), b->f.from);
    b->place[i] = (uint16_t)(b->f.n + 1);
    if (tw_u32(p + PROPERTY_FLAGS) & IS_STRUCT)
        add_struct(b, p, name);
    else
        add_scalar(b, p, name);
}

int event_info_fields(blob info, store *s, event_info_map *map, void *context, const tw_field **field, uint32_t *n)
{
    builder b = { .info = info, .n = tw_u32(info.at + INFO_PROPERTIES), .f.from = s, .map = map, .context = context };
    uint32_t top = tw_u32(info.at + INFO_TOP_LEVEL);

    if (b.n > PROPERTIES_MOST) return 0;
    for (uint32_t i = 0; i < top && !b.ended && !b.broken && !b.f.failed; i++) add_property(&b, i);
    fields_mend(&b.f);
    *field = b.f.at;
    *n = b.f.n;
    return !b.broken && !b.f.failed;
}

/* ---- Maps --------------------------------------------------------------- */

text16 event_map_name(blob map)
{
    text16 none = { NULL, 0 };

    if (map.bytes < MAP_HEAD || tw_u32(map.at + MAP_ENTRIES) > (map.bytes - MAP_HEAD) / MAP_ENTRY) return none;
    text16 name = trimmed(text_at(map, tw_u32(map.at + MAP_NAME), NAME_MOST));
    return name.units ? name : none;
}

/* A MOF class may list its names without values: then they are those of 0, 1, 2 … */
static uint64_t value_of(uint32_t flags, int bits, uint32_t i, uint32_t written)
{
    if (!(flags & MOF_NO_MAP)) return written;
    if (!bits) return i;
    return i < 32 ? UINT64_C(1) << i : 0;
}

const tw_names *event_map_names(blob map, store *s)
{
    uint32_t flags = tw_u32(map.at + MAP_FLAG), n = tw_u32(map.at + MAP_ENTRIES), kept = 0;
    int bits = flags & (BIT_MAP | MOF_BIT_MAP) || (flags & MOF_VALUE_MAP && flags & MOF_FLAG);
    const tw_names *names = NULL;

    if (flags & PATTERN_MAP || tw_u32(map.at + MAP_VALUE_TYPE)) return NULL;
    tw_name *pair = malloc(((size_t)n + 1) * sizeof *pair);
    if (!pair) return NULL;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *p = map.at + MAP_HEAD + (size_t)i * MAP_ENTRY;
        const char *name = to_text(trimmed(text_at(map, tw_u32(p), NAME_MOST)), s);
        uint64_t value = value_of(flags, bits, i, tw_u32(p + 4));
        if (name && (value || !bits || !(flags & MOF_NO_MAP))) pair[kept++] = (tw_name){ value, name };
    }
    if (kept) names = fields_names(s, pair, kept, bits);
    free(pair);
    return names;
}
