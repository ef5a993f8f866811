/* encode_self.c - events that describe themselves: schema, traits and payloads; see pen.h.

   A schema is the name of the event and its fields with their kinds, as the format of TraceLogging has it. */
#include "pen.h"

enum { /* in-types and what may be added to them */
       IN_TEXT8 = 2,
       IN_U16 = 6,
       IN_U32 = 8,
       IN_U64 = 10,
       IN_DOUBLE = 12,
       IN_BOOL = 13,
       IN_GUID = 15,
       IN_COUNTED16 = 22,
       IN_STRUCT = 24,
       IN_ARRAY = 0x40,
       IN_OUT = 0x80,
       OUT_UTF8 = 0x23
};

/* b7a42d21-6f3c-4e0b-9d11-2a5c0f7e1a01 */
const uint8_t self_guid[16] = { 0x21, 0x2D, 0xA4, 0xB7, 0x3C, 0x6F, 0x0B, 0x4E,
                                0x9D, 0x11, 0x2A, 0x5C, 0x0F, 0x7E, 0x1A, 0x01 };

static void put_field(pen *p, const char *name, uint32_t in)
{
    put_text8(p, name);
    put8(p, in);
}

/* The size stands in front and is known behind. */
static void finish(pen *p, self_schema *out)
{
    out->bytes = (uint32_t)(p->at - out->at);
    p->at = out->at;
    put16(p, out->bytes);
}

void make_schema(happening_kind kind, self_schema *out)
{
    pen p = { .at = out->at };

    put16(&p, 0);
    put8(&p, 0); /* no tags */
    put_text8(&p, kind == REQUEST_START ? "RequestStart" : kind == REQUEST_STOP ? "RequestStop" : "CacheLookup");
    if (kind == REQUEST_START) {
        put_field(&p, "RequestId", IN_U32);
        put_field(&p, "Path", IN_TEXT8 | IN_OUT);
        put8(&p, OUT_UTF8);
    } else if (kind == REQUEST_STOP) {
        put_field(&p, "RequestId", IN_U32);
        put_field(&p, "Status", IN_U16);
        put_field(&p, "Duration", IN_U64);
        put_field(&p, "Items", IN_U32 | IN_ARRAY);
        put_field(&p, "Timing", IN_STRUCT | IN_OUT);
        put8(&p, 2); /* members */
        put_field(&p, "Parse", IN_U32);
        put_field(&p, "Work", IN_U32);
    } else {
        put_field(&p, "Key", IN_COUNTED16);
        put_field(&p, "Hit", IN_BOOL);
        put_field(&p, "Ratio", IN_DOUBLE);
        put_field(&p, "Cache", IN_GUID);
    }
    finish(&p, out);
}

void make_traits(self_schema *out)
{
    pen p = { .at = out->at };

    put16(&p, 0);
    put_text8(&p, "Northwind.Web");
    finish(&p, out);
}

void lay_request(pen *p, const happening *h)
{
    const request_facts *f = &h->request;
    double ratio = f->items / 4.0;
    uint8_t *counted;

    if (h->kind == REQUEST_CACHE) {
        counted = p->at;
        put16(p, 0);
        put_units(p, f->path);
        uint32_t bytes = (uint32_t)(p->at - counted - 2);
        memcpy(counted, &(uint16_t){ (uint16_t)bytes }, 2);
        put32(p, f->items > 1);
        put_bytes(p, &ratio, sizeof ratio);
        put_bytes(p, self_guid, 16);
        return;
    }
    put32(p, f->number);
    if (h->kind == REQUEST_START) {
        put_text8(p, f->path);
        return;
    }
    put16(p, f->status);
    put64(p, f->ticks);
    put16(p, f->items);
    for (uint32_t i = 0; i < f->items; i++) put32(p, f->number * 10 + i);
    put32(p, (uint32_t)(f->ticks / 10));
    put32(p, (uint32_t)(f->ticks - f->ticks / 10));
}
