/* write_buffer.c - filling buffers and handing them on; see write_buffer.h. */
#include "write_buffer.h"

#include "put.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MEMORY = 256 << 20, /* bytes that open buffers may take */
    LEAST_OPEN = 16
};

struct open_buffer {
    open_buffer *next; /* of the free ones */
    uint32_t filled;
    uint64_t sequence;
    int64_t first, last; /* ticks of its events; last: of those that tell them, INT64_MIN if there is none */
    uint8_t bytes[];
};

static void set_size(write_buffers *w, uint32_t size)
{
    w->size = size;
    w->limit = MEMORY / size > LEAST_OPEN ? MEMORY / size : LEAST_OPEN;
}

void write_buffers_init(write_buffers *w, uint32_t size, int (*hand_on)(void *, const uint8_t *, uint32_t),
                        void *self)
{
    memset(w, 0, sizeof *w);
    set_size(w, size);
    w->sequence = 1;
    w->newest = INT64_MIN;
    w->hand_on = hand_on;
    w->self = self;
}

static open_buffer *resize(write_buffers *w, open_buffer *b, uint32_t size)
{
    open_buffer *resized = realloc(b, sizeof *b + size);

    if (!resized) (void)tw_fail(w->self, "no memory for a buffer of %u bytes", size);
    return resized;
}

int write_buffers_grow(write_buffers *w, uint32_t size)
{
    assert(w->written == 0 && !w->free);
    for (uint32_t cpu = 0; cpu < WRITE_CPUS; cpu++) {
        open_buffer *b = w->by_cpu[cpu];

        if (b && !(b = resize(w, b, size))) return TW_ERROR;
        w->by_cpu[cpu] = b;
    }
    set_size(w, size);
    return TW_OK;
}

void write_buffers_free(write_buffers *w)
{
    for (uint32_t cpu = 0; cpu < WRITE_CPUS; cpu++) free(w->by_cpu[cpu]);
    for (open_buffer *b = w->free, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    memset(w, 0, sizeof *w);
}

void write_buffer_seal(uint8_t *at, const buffer_seal *seal)
{
    memset(at, 0, ETW_BUFFER_HEADER);
    put32(at + ETW_BUFFER_SIZE, seal->size);
    put32(at + ETW_BUFFER_SAVED, seal->filled);
    put32(at + ETW_BUFFER_CURRENT, seal->filled);
    put64(at + ETW_BUFFER_TIME, (uint64_t)seal->time);
    put64(at + ETW_BUFFER_SEQUENCE, seal->sequence);
    put16(at + ETW_BUFFER_CPU, seal->cpu);
    put32(at + ETW_BUFFER_STATE, ETW_STATE_FLUSH);
    put32(at + ETW_BUFFER_FILLED, seal->filled);
    put16(at + ETW_BUFFER_FLAGS, seal->flags);
    put16(at + ETW_BUFFER_TYPE, seal->type);
    memset(at + seal->filled, 0xFF, seal->size - seal->filled);
}

static int close_buffer(write_buffers *w, uint32_t cpu, uint16_t flags)
{
    open_buffer *b = w->by_cpu[cpu];

    w->by_cpu[cpu] = NULL;
    w->nopen--;
    b->next = w->free;
    w->free = b;
    write_buffer_seal(b->bytes, &(buffer_seal){ .size = w->size,
                                                .filled = b->filled,
                                                .time = w->newest,
                                                .sequence = b->sequence,
                                                .cpu = (uint16_t)cpu,
                                                .flags = flags | ETW_FLAG_PROC_INDEX,
                                                .type = ETW_BUFFER_GENERIC });
    w->written++;
    return w->hand_on(w->self, b->bytes, w->size);
}

/* The processor whose open buffer has the oldest first event. There is one. */
static uint32_t oldest(const write_buffers *w)
{
    uint32_t best = WRITE_CPUS;

    for (uint32_t cpu = 0; cpu < WRITE_CPUS; cpu++) {
        if (w->by_cpu[cpu] && (best == WRITE_CPUS || w->by_cpu[cpu]->first < w->by_cpu[best]->first)) best = cpu;
    }
    return best;
}

static open_buffer *open_one(write_buffers *w, uint32_t cpu, int64_t ticks, int *status)
{
    open_buffer *b;

    if (w->nopen >= w->limit && (*status = close_buffer(w, oldest(w), 0)) != TW_OK) return NULL;
    b = w->free;
    if (b)
        w->free = b->next;
    else
        b = resize(w, NULL, w->size);
    if (!b) {
        *status = TW_ERROR;
        return NULL;
    }
    b->filled = ETW_BUFFER_HEADER;
    b->sequence = w->sequence++;
    b->first = ticks;
    b->last = INT64_MIN;
    w->by_cpu[cpu] = b;
    w->nopen++;
    return b;
}

static uint32_t padded_size(uint32_t bytes)
{
    return (bytes + ETW_PAD - 1) & ~(ETW_PAD - 1u);
}

int write_buffers_before(const write_buffers *w, uint32_t cpu, uint32_t bytes, int64_t *ticks)
{
    const open_buffer *b = w->by_cpu[cpu];

    if (!b || b->last == INT64_MIN || w->size - b->filled < padded_size(bytes)) return 0;
    *ticks = b->last;
    return 1;
}

uint8_t *write_buffers_place(write_buffers *w, uint32_t cpu, uint32_t bytes, int timed, int64_t *ticks, int *status)
{
    uint32_t padded = padded_size(bytes);
    open_buffer *b = w->by_cpu[cpu];
    uint8_t *place;

    if (*ticks > w->newest) w->newest = *ticks;
    if (b && w->size - b->filled < padded) {
        if ((*status = close_buffer(w, cpu, 0)) != TW_OK) return NULL;
        b = NULL;
    }
    if (!b && !(b = open_one(w, cpu, *ticks, status))) return NULL;
    if (timed) {
        if (*ticks < b->last) *ticks = b->last;
        b->last = *ticks;
    }
    place = b->bytes + b->filled;
    b->filled += padded;
    memset(place + padded - ETW_PAD, 0, ETW_PAD); /* what is not the event's */
    return place;
}

int write_buffers_finish(write_buffers *w)
{
    int status = TW_OK;

    while (w->nopen && status == TW_OK)
        status = close_buffer(w, oldest(w), w->nopen == 1 ? ETW_FLAG_FLUSH_MARKER : 0);
    return status;
}
