/* write_buffer.h - the buffers of an .etl file that is being written.

   One idea: a reader takes buffers in the order of their first events, of equal ones in the order of the file, and gives
   events of equal times in that order. So a buffer is chosen for an event by what comes back, and one that has got all
   of its events is finished, handed on and not looked at again. */
#ifndef WRITE_BUFFER_H
#define WRITE_BUFFER_H

#include "format.h"
#include "tw_plugin.h"

enum { WRITE_CPUS = ETW_CPU_INDEX + 1 };

typedef struct open_buffer {   /* what each event needs comes first */
    struct open_buffer *other; /* next one of this processor, or of the free ones */
    uint64_t key;              /* whose events it takes; WRITE_ANY: any of its processor */
    uint64_t sequence;
    int64_t first, last; /* ticks of its events; last: of those that tell them, INT64_MIN if there is none */
    uint8_t *bytes;
    uint32_t filled, expect; /* expect: fill level at which all of its events are there; 0: not known */
    uint16_t cpu, flags, type;
    uint16_t closed; /* it is full, and waits for an older one with the same first time */
    struct open_buffer *older,
        *newer; /* of all that are not written, in the order in which they were taken into use */
} open_buffer;

typedef struct write_buffers {
    uint32_t size;  /* bytes of each */
    uint32_t limit; /* of buffers open at once */
    uint32_t nopen, nclosed;
    uint64_t sequence; /* of the next one taken into use; the header's is 0 */
    uint64_t written;  /* finished */
    int64_t newest;    /* ticks of the newest event */
    int64_t tie, tie_first;
    uint64_t tie_sequence; /* of the last buffer, in a reader's order, that has an event of the time `tie` */
    uint64_t used, wasted; /* bytes: of events, and what buffers lack that were closed early for the order's sake */
    open_buffer *by_cpu[WRITE_CPUS];
    open_buffer *oldest, *newest_one, *free;
    open_buffer *last;   /* that was finished, but not handed on */
    open_buffer *header; /* that has to be the first in the file; NULL: written, or made by somebody else */
    int (*hand_on)(void *self, const uint8_t *bytes, uint32_t n); /* TW_OK, TW_END, TW_ERROR */
    void *self;                                                   /* the stage */
} write_buffers;

/* `size`: a multiple of 8. Memory is bounded: before there are too many, the oldest is handed on. */
void write_buffers_init(write_buffers *w, uint32_t size, int (*hand_on)(void *, const uint8_t *, uint32_t),
                        void *self);
void write_buffers_free(write_buffers *w);

/* Larger buffers; only as long as none was finished. TW_OK, or TW_ERROR: no memory, and the host has been told. */
int write_buffers_grow(write_buffers *w, uint32_t size);

#define WRITE_ANY 0 /* a key: whatever buffer of this processor */

typedef struct placing { /* where an event should go */
    uint64_t key;
    int64_t ticks;   /* its time */
    uint32_t bytes;  /* at most; they fit into an empty buffer */
    uint32_t expect; /* of a new buffer: fill level at which all of its events are there; 0: not known */
    uint16_t cpu;    /* < WRITE_CPUS */
    uint16_t flags;  /* of ETW_BUFFER_FLAGS: it has to begin a buffer with these */
    int begins;      /* it has to begin a buffer */
    int disorder;    /* out: of events of its time one comes back behind it that was before it */
} placing;

/* The buffer for an event. NULL: *status is what handing on gave, or TW_ERROR for want of memory, told to the host. */
open_buffer *write_buffers_open(write_buffers *w, placing *p, int *status);

/* The place of the event in that buffer: `bytes` are not more than was said. Where it is `timed`, told in the event,
   *ticks is moved up to that of the last one in its buffer if it is earlier: inside of a buffer times never decrease. */
uint8_t *write_buffers_place(open_buffer *b, uint32_t bytes, int timed, int64_t *ticks);

/* To be called when the event's bytes are there: hands the buffer on if it was the last one for it. */
int write_buffers_done(write_buffers *w, open_buffer *b);

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
