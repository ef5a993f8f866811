/* write_buffer.h - the buffers of an .etl file that is being written.

   Every processor has one that is being filled. One idea: an event is given its place in a buffer, and a buffer that
   cannot hold the next event is finished and handed on; nothing in it is looked at again. */
#ifndef WRITE_BUFFER_H
#define WRITE_BUFFER_H

#include "format.h"
#include "tw_plugin.h"

enum { WRITE_CPUS = ETW_CPU_INDEX + 1 };

typedef struct open_buffer open_buffer;

typedef struct write_buffers {
    uint32_t size;  /* bytes of each */
    uint32_t limit; /* of buffers open at once */
    uint32_t nopen;
    uint64_t sequence; /* of the next one taken into use; the header's is 0 */
    uint64_t written;  /* handed on */
    int64_t newest;    /* ticks of the newest event */
    open_buffer *by_cpu[WRITE_CPUS];
    open_buffer *free;
    int (*hand_on)(void *self, const uint8_t *bytes, uint32_t n); /* TW_OK, TW_END, TW_ERROR */
    void *self;                                                   /* the stage */
} write_buffers;

/* `size`: a multiple of 8. Memory is bounded: before there are too many, the one with the oldest events is handed
   on. */
void write_buffers_init(write_buffers *w, uint32_t size, int (*hand_on)(void *, const uint8_t *, uint32_t),
                        void *self);
void write_buffers_free(write_buffers *w);

/* Larger buffers; only as long as none was handed on. TW_OK, or TW_ERROR: no memory, and the host has been told. */
int write_buffers_grow(write_buffers *w, uint32_t size);

/* 1 where an event of `bytes` bytes on processor `cpu` would stand behind one that tells its time, *ticks. */
int write_buffers_before(const write_buffers *w, uint32_t cpu, uint32_t bytes, int64_t *ticks);

/* The place of an event of `bytes` bytes, which fit into an empty buffer, on processor `cpu` < WRITE_CPUS. NULL:
   *status is what handing on gave, or TW_ERROR for want of memory, told to the host. `*ticks`: the event's time. Where
   it is `timed`, told in the event, it is moved up to that of the last one in its buffer if it is earlier: inside of a
   buffer times never decrease. */
uint8_t *write_buffers_place(write_buffers *w, uint32_t cpu, uint32_t bytes, int timed, int64_t *ticks, int *status);

/* Hands on all that are open, the oldest first; the last one carries the mark of the last. */
int write_buffers_finish(write_buffers *w);

/* Writes a buffer's header, and the mark of unused bytes behind `filled`. */
typedef struct buffer_seal {
    uint32_t size, filled;
    int64_t time; /* ticks */
    uint64_t sequence;
    uint16_t cpu, flags, type;
} buffer_seal;

void write_buffer_seal(uint8_t *at, const buffer_seal *seal);

#endif
