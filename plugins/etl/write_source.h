/* write_source.h - what etl.write knows of where its events come from.

   One idea: a source that tells its headers and buffers is asked once, by its first event; from then on each event is
   compared with the buffers as they were. As long as every buffer comes with its first event and none is missing, the
   events are all there and are written into buffers like those; after that they are only packed. */
#ifndef WRITE_SOURCE_H
#define WRITE_SOURCE_H

#include "index.h"
#include "write_buffer.h"
#include "write_head.h"

typedef struct write_source {
    int asked, told;
    int whole;            /* so far no buffer, and no first event of one, is missing */
    const entry *buffer;  /* of the source, by time; NULL: not told */
    size_t n, next;       /* next: which no event has come from yet */
    uint32_t most_filled; /* bytes: of any of them */
} write_source;

typedef struct write_sources {
    write_source *of; /* by number of the source */
    uint32_t n;
    uint16_t lost[WRITE_CPUS]; /* loss flags of buffers that did not come, for the next one of their processor */
    uint32_t nlost;            /* processors with such */
} write_sources;

void write_sources_free(write_sources *s);
write_source *write_source_add(write_sources *s, void *self, uint16_t number);

/* NULL: no memory, and the host has been told. Valid until the next call. */
static inline write_source *write_source_of(write_sources *s, void *self, uint16_t number)
{
    return number < s->n ? &s->of[number] : write_source_add(s, self, number);
}

/* The sessions' headers that a source tells, one by one: 1, or 0 behind the last one. Those that are lost or broken are
   left out. `*n`: begin with 0. */
int write_source_header(void *self, const tw_event *e, uint32_t *n, head_event *out, trace_clock *clock);

/* The source's buffers: kept in s, if it tells them. */
void write_source_ask_buffers(write_source *s, void *self, const tw_event *e);
/* The number of the buffer that begins with the header of this session; s->n: none does. */
size_t write_source_header_buffer(const write_source *s, uint32_t session);

#define WRITE_KEY(source, session, buffer)                                                                           \
    ((uint64_t)1 << 63 | (uint64_t)(source) << 32 | (uint32_t)(session) << 16 | (uint16_t)(buffer))

/* Where an event of this source should go: sets key, expect, flags and begins. */
void write_source_place(write_sources *all, write_source *s, const tw_event *e, placing *p);

#endif
