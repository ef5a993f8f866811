/* tracelogging.c - events that describe themselves; see tracelogging.h.

   The description is a run of fields in payload order, and a struct says how many of the next ones are its own. So one
   pass builds the table, with a count of what is still to come for each struct that is open. */
#include "tracelogging.h"

#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "tdh.h"

enum { CHAIN = 0x80, SHAPE = 0x60, SCALAR = 0x00, CONSTANT = 0x20, VARIABLE = 0x40, CUSTOM = 0x60, TYPE = 0x1F };
enum { IN_BINARY = 14, IN_STRUCT = 24, IN_COUNTED_BINARY = 25 };

/* ---- Reading ------------------------------------------------------------ */

typedef struct reader {
    const uint8_t *at, *end;
    int broken; /* it ended before something did: what was read is 0 */
} reader;

static uint8_t read_byte(reader *r)
{
    if (r->at == r->end) {
        r->broken = 1;
        return 0;
    }
    return *r->at++;
}

static uint16_t read_u16(reader *r)
{
    uint16_t low = read_byte(r);
    return (uint16_t)(low | read_byte(r) << 8);
}

/* Text up to its NUL. */
static tw_text read_name(reader *r)
{
    const uint8_t *end = r->at < r->end ? memchr(r->at, 0, (size_t)(r->end - r->at)) : NULL;
    tw_text name = { .at = (const char *)r->at };

    if (!end) {
        r->broken = 1;
        return name;
    }
    name.bytes = (uint32_t)(end - r->at);
    r->at = end + 1;
    return name;
}

/* Up to 28 bits, seven a byte, the highest first; bits that are not there are 0. */
static uint32_t read_tag(reader *r)
{
    uint32_t tag = 0;
    uint8_t byte;
    int shift = 21;

    do {
        byte = read_byte(r);
        if (shift >= 0) tag |= (byte & 0x7Fu) << shift;
        shift -= 7;
    } while (byte & CHAIN);
    return tag;
}

/* ---- Fields ------------------------------------------------------------- */

typedef struct entry { /* one field as it is described */
    tw_text name;
    uint8_t in, out;
    uint32_t tag;
    uint16_t count;
} entry;

static void read_entry(reader *r, entry *e)
{
    memset(e, 0, sizeof *e);
    e->name = read_name(r);
    e->in = read_byte(r);
    if (e->in & CHAIN) {
        e->out = read_byte(r);
        if (e->out & CHAIN) e->tag = read_tag(r);
    }
    if ((e->in & SHAPE) == CONSTANT) e->count = read_u16(r);
    if ((e->in & SHAPE) == CUSTOM) { /* what describes it is passed over */
        uint16_t n = read_u16(r);
        if (n > r->end - r->at)
            r->broken = 1;
        else
            r->at += n;
    }
    e->out &= (uint8_t)~CHAIN;
}

/* The numbers of out-types here, as those that manifests use. */
static unsigned manifest_out_type(uint8_t out)
{
    static const uint16_t of[] = {
        [0x01] = 301, [0x02] = 1,  [0x03] = 13, [0x04] = 18, [0x05] = 20, [0x06] = 21, [0x07] = 22, [0x08] = 23,
        [0x09] = 24,  [0x0A] = 25, [0x0B] = 28, [0x0C] = 34, [0x0D] = 30, [0x0E] = 31, [0x0F] = 32, [0x10] = 2,
        [0x11] = 7,   [0x12] = 8,  [0x21] = 33, [0x23] = 35, [0x24] = 36, [0x25] = 37, [0x26] = 38,
    };
    return out < sizeof of / sizeof *of ? of[out] : 0;
}

/* 0: its type is not known. In-types have the numbers of manifests, but Binary is counted. */
static int set_type(const entry *e, tw_field *f)
{
    unsigned in_type = e->in & TYPE;

    if ((e->in & SHAPE) == CUSTOM) {
        f->kind = TW_BYTES;
        f->bytes_by = TW_PREFIX2;
        return 1;
    }
    if (in_type == IN_STRUCT) return 1;
    return tdh_field(in_type == IN_BINARY ? IN_COUNTED_BINARY : in_type, manifest_out_type(e->out), f);
}

static void set_count(const entry *e, tw_field *f)
{
    if ((e->in & SHAPE) == CONSTANT) {
        f->count_by = TW_FIXED;
        f->count = e->count;
    } else if ((e->in & SHAPE) == VARIABLE) {
        f->count_by = TW_PREFIX2;
    }
}

static const char *tag_text(store *s, uint32_t tag)
{
    char words[32];
    int n = tag ? snprintf(words, sizeof words, "tag 0x%x", (unsigned)tag) : 0;

    return n ? store_text(s, words, (size_t)n) : NULL;
}

/* 0 at the end of the table: all is read, or a type is not known. */
static int add_entry(fields *f, const entry *e, uint8_t *todo)
{
    const char *name = store_text(f->from, e->name.at, e->name.bytes);
    int is_struct = (e->in & TYPE) == IN_STRUCT && (e->in & SHAPE) != CUSTOM;
    tw_field *new;

    if (!name) f->failed = 1;
    if (f->depth) todo[f->depth - 1]--;
    new = is_struct ? fields_open(f, name) : fields_add(f, name);
    if (f->failed) return 0;
    set_count(e, new);
    if (e->tag) new->help = tag_text(f->from, e->tag);
    if (!set_type(e, new)) {
        fields_end(f);
        return 0;
    }
    if (is_struct) todo[f->depth - 1] = e->out;
    while (f->depth && !todo[f->depth - 1]) fields_close(f);
    return 1;
}

int tracelogging_read(const uint8_t *item, size_t bytes, store *s, tw_type *t, const char **why)
{
    reader r = { item, item + bytes, 0 };
    fields f = { .from = s };
    uint8_t todo[FIELDS_DEPTH]; /* members to come, of the structs that are open */
    entry e;
    int more = 1;

    *why = NULL;
    uint16_t size = read_u16(&r);
    if (size < bytes) r.end = size < 2 ? r.at : item + size;
    read_tag(&r);
    tw_text name = read_name(&r);
    if (!r.broken && name.bytes) t->name = store_text(s, name.at, name.bytes);
    while (more && !r.broken && r.at < r.end) {
        read_entry(&r, &e);
        more = !r.broken && add_entry(&f, &e, todo);
    }
    if (size > bytes)
        *why = "it says that it is longer than it is";
    else if (r.broken)
        *why = "it ends inside of a field";
    else if (f.failed || !t->name)
        *why = "it has too many fields, structs too deep in each other, or no memory is left for it";
    else if (more && f.depth)
        *why = "a struct says that it has more members than follow";
    else if (!more && !f.n)
        *why = "its first field is of a type that is not known";
    if (*why) return 0;
    t->field = f.at;
    t->nfields = f.n;
    t->origin = "in the event";
    return 1;
}

/* ---- Traits ------------------------------------------------------------- */

const char *traits_provider(const uint8_t *item, size_t bytes, store *s, uint8_t group[16])
{
    enum { GROUP = 1, HEAD = 3 };
    reader r = { item, item + bytes, 0 };

    memset(group, 0, 16);
    uint16_t size = read_u16(&r);
    if (r.broken || size < HEAD || size > bytes) return NULL;
    r.end = item + size;
    tw_text name = read_name(&r);
    if (r.broken || !name.bytes) return NULL;
    while (r.end - r.at >= HEAD) {
        uint16_t n = tw_u16(r.at);
        if (n < HEAD || n > r.end - r.at) break;
        if (r.at[2] == GROUP && n == HEAD + 16) memcpy(group, r.at + HEAD, 16);
        r.at += n;
    }
    return store_text(s, name.at, name.bytes);
}
