/* pen.h - writing the payload of an event, field by field.

   One idea: each function of encode_*.c is the layout of one event as the public descriptions give it, and reads like
   it: a line a field, in order, packed. `version` and `pointer` decide where layouts differ. */
#ifndef SYNTH_PEN_H
#define SYNTH_PEN_H

#include "builds.h"

#include <string.h>

typedef struct pen {
    uint8_t *at;
    int pointer, version;
    uint64_t boot; /* ticks at the start of the trace */
    uint32_t cpus, interval;
    int64_t start; /* of the trace, a FILETIME */
    const build *build;
} pen;

static inline void put8(pen *p, uint32_t v)
{
    *p->at++ = (uint8_t)v;
}

static inline void put16(pen *p, uint32_t v)
{
    uint16_t narrow = (uint16_t)v;

    memcpy(p->at, &narrow, sizeof narrow);
    p->at += sizeof narrow;
}

static inline void put32(pen *p, uint32_t v)
{
    memcpy(p->at, &v, sizeof v);
    p->at += sizeof v;
}

static inline void put64(pen *p, uint64_t v)
{
    memcpy(p->at, &v, sizeof v);
    p->at += sizeof v;
}

static inline void put_pointer(pen *p, uint64_t v)
{
    memcpy(p->at, &v, (size_t)p->pointer);
    p->at += p->pointer;
}

static inline void put_instant(pen *p, uint64_t ticks) /* since the start of the trace */
{
    put64(p, p->boot + ticks);
}

static inline void put_zeros(pen *p, uint32_t n)
{
    memset(p->at, 0, n);
    p->at += n;
}

static inline void put_bytes(pen *p, const void *bytes, size_t n)
{
    memcpy(p->at, bytes, n);
    p->at += n;
}

static inline void put_port(pen *p, uint32_t port) /* network order */
{
    put8(p, port >> 8);
    put8(p, port);
}

void put_text8(pen *p, const char *text);               /* with its terminator */
void put_units(pen *p, const char *utf8);               /* UTF-16, without one */
void put_text16(pen *p, const char *utf8);              /* with one */
void put_field16(pen *p, const char *utf8, uint32_t n); /* n units, filled up with zeros */

/* ---- encode_process.c ---- */
void lay_process(pen *p, const happening *h);
void lay_terminate(pen *p, const happening *h);
void lay_thread(pen *p, const happening *h);
void lay_thread_name(pen *p, const happening *h);
void lay_image(pen *p, const happening *h);
void lay_merged_image(pen *p, const happening *h);
void lay_merged_pdb(pen *p, const happening *h);

/* ---- encode_processor.c ---- */
void lay_switch(pen *p, const happening *h);
void lay_ready(pen *p, const happening *h);
void lay_sample(pen *p, const happening *h);
void lay_interval(pen *p, const happening *h);
void lay_isr(pen *p, const happening *h);
void lay_dpc(pen *p, const happening *h);
void lay_stack(pen *p, const happening *h);
void lay_key_reference(pen *p, const happening *h);
void lay_key_frames(pen *p, const happening *h);

/* ---- encode_io.c ---- */
void lay_file(pen *p, const happening *h);
void lay_disk_init(pen *p, const happening *h);
void lay_disk(pen *p, const happening *h);
void lay_disk_flush(pen *p, const happening *h);
void lay_fault(pen *p, const happening *h);
void lay_create(pen *p, const happening *h);
void lay_handle(pen *p, const happening *h);
void lay_transfer(pen *p, const happening *h);
void lay_info(pen *p, const happening *h);
void lay_enumeration(pen *p, const happening *h);
void lay_end(pen *p, const happening *h);
void lay_tcp(pen *p, const happening *h);
void lay_udp(pen *p, const happening *h);

/* ---- encode_system.c ---- */
void lay_session(pen *p, const happening *h);
void lay_machine(pen *p, const happening *h);
void lay_merged(pen *p, const happening *h);

/* ---- encode_self.c ---- */
typedef struct self_schema { /* extended items of events that describe themselves */
    uint8_t at[256];
    uint32_t bytes;
} self_schema;
void make_schema(happening_kind kind, self_schema *out);
void make_traits(self_schema *out);
extern const uint8_t self_guid[16]; /* of the provider */
void lay_request(pen *p, const happening *h);

#endif
