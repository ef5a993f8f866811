/* write_buffer.c - choosing buffers, filling them and handing them on; see write_buffer.h. */
#include "write_buffer.h"

#include "put.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MEMORY = 256 << 20, /* bytes that open buffers may take */
    LEAST_OPEN = 16,
    MOST_OF_CPU = 8,     /* open ones of a processor: a merged trace has about one for each file it was made of */
    WASTE_FREE = 1 << 20 /* bytes that order may cost in any file; beyond that an eighth of the file */
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
    w->newest = w->tie = INT64_MIN;
    w->hand_on = hand_on;
    w->self = self;
}

static int resize(write_buffers *w, open_buffer *b, uint32_t size)
{
    uint8_t *bytes = realloc(b->bytes, size);

    if (!bytes) return tw_fail(w->self, "no memory for a buffer of %u bytes", size);
    b->bytes = bytes;
    return TW_OK;
}

int write_buffers_grow(write_buffers *w, uint32_t size)
{
    assert(w->written == 0 && !w->free && !w->last);
    for (open_buffer *b = w->oldest; b; b = b->newer)
        if (resize(w, b, size) != TW_OK) return TW_ERROR;
    set_size(w, size);
    return TW_OK;
}

static void free_one(open_buffer *b)
{
    free(b->bytes);
    free(b);
}

void write_buffers_free(write_buffers *w)
{
    for (open_buffer *b = w->oldest, *next; b; b = next) {
        next = b->newer;
        free_one(b);
    }
    for (open_buffer *b = w->free, *next; b; b = next) {
        next = b->other;
        free_one(b);
    }
    if (w->last) free_one(w->last);
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

/* ---- Handing on ---- */

static void unlink_from_all(write_buffers *w, open_buffer *b)
{
    *(b->older ? &b->older->newer : &w->oldest) = b->newer;
    *(b->newer ? &b->newer->older : &w->newest_one) = b->older;
    w->nopen--;
}

static void unlink_from_cpu(write_buffers *w, open_buffer *b)
{
    open_buffer **at = &w->by_cpu[b->cpu];

    while (*at != b) at = &(*at)->other;
    *at = b->other;
}

static int hand_on_last(write_buffers *w)
{
    open_buffer *b = w->last;

    if (!b) return TW_OK;
    w->last = NULL;
    b->other = w->free;
    w->free = b;
    return w->hand_on(w->self, b->bytes, w->size);
}

/* It was unlinked from its processor's. The last one carries a mark, so each waits for the next. */
static int write_one(write_buffers *w, open_buffer *b)
{
    int status = hand_on_last(w);

    write_buffer_seal(b->bytes, &(buffer_seal){ .size = w->size,
                                                .filled = b->filled,
                                                .time = b->type == ETW_BUFFER_IS_HEADER ? 0 : w->newest,
                                                .sequence = b->sequence,
                                                .cpu = b->cpu,
                                                .flags = b->flags | ETW_FLAG_PROC_INDEX,
                                                .type = b->type });
    unlink_from_all(w, b);
    w->last = b;
    w->written++;
    w->used += b->filled;
    return status;
}

/* Of two with the same first time a reader takes that first which stands first in the file. Older ones have not begun
   later. */
static int is_blocked(const open_buffer *b)
{
    for (const open_buffer *o = b->older; o && o->first >= b->first; o = o->older)
        if (o->first == b->first) return 1;
    return 0;
}

static int write_closed(write_buffers *w)
{
    for (open_buffer *b = w->oldest, *next; b && w->nclosed; b = next) {
        int status;

        next = b->newer;
        if (!b->closed || is_blocked(b)) continue;
        w->nclosed--;
        status = write_one(w, b);
        if (status != TW_OK) return status;
    }
    return TW_OK;
}

static int write_header(write_buffers *w)
{
    open_buffer *header = w->header;

    w->header = NULL;
    unlink_from_cpu(w, header);
    return write_one(w, header);
}

static int close_buffer(write_buffers *w, open_buffer *b)
{
    int status = w->header ? write_header(w) : TW_OK;

    if (status != TW_OK || b->type == ETW_BUFFER_IS_HEADER) return status; /* it was the header */
    unlink_from_cpu(w, b);
    b->closed = 1;
    w->nclosed++;
    return write_closed(w);
}

int write_buffers_finish(write_buffers *w)
{
    int status = TW_OK;

    while (w->nopen && status == TW_OK) {
        open_buffer *b = w->oldest;

        if (b == w->header) w->header = NULL;
        if (!b->closed) unlink_from_cpu(w, b);
        status = write_one(w, b);
    }
    if (status != TW_OK || !w->last) return status;
    w->last->bytes[ETW_BUFFER_FLAGS] |= ETW_FLAG_FLUSH_MARKER;
    return hand_on_last(w);
}

/* ---- Choosing and filling ---- */

static uint32_t padded_size(uint32_t bytes)
{
    return (bytes + ETW_PAD - 1) & ~(ETW_PAD - 1u);
}

static open_buffer *make_one(write_buffers *w)
{
    open_buffer *b = w->free;

    if (b) {
        w->free = b->other;
        return b;
    }
    b = calloc(1, sizeof *b);
    if (b && resize(w, b, w->size) == TW_OK) return b;
    if (!b) (void)tw_fail(w->self, "no memory for a buffer");
    free(b);
    return NULL;
}

static uint32_t count_of_cpu(const write_buffers *w, uint16_t cpu, open_buffer **last)
{
    uint32_t n = 0;

    for (*last = NULL; (*last ? (*last)->other : w->by_cpu[cpu]) != NULL; n++)
        *last = *last ? (*last)->other : w->by_cpu[cpu];
    return n;
}

static open_buffer *open_one(write_buffers *w, const placing *p, int *status)
{
    open_buffer *b, *last;
    uint8_t *bytes;

    *status = TW_OK;
    if (count_of_cpu(w, p->cpu, &last) >= MOST_OF_CPU) *status = close_buffer(w, last);
    if (*status == TW_OK && w->nopen >= w->limit) *status = close_buffer(w, w->oldest);
    if (*status != TW_OK) return NULL;
    b = make_one(w);
    if (!b) {
        *status = TW_ERROR;
        return NULL;
    }
    bytes = b->bytes;
    *b = (open_buffer){ .key = p->key,
                        .sequence = w->sequence++,
                        .first = p->ticks,
                        .last = INT64_MIN,
                        .filled = ETW_BUFFER_HEADER,
                        .expect = p->expect,
                        .cpu = p->cpu,
                        .flags = p->flags,
                        .type = ETW_BUFFER_GENERIC,
                        .older = w->newest_one,
                        .other = w->by_cpu[p->cpu],
                        .bytes = bytes };
    w->by_cpu[p->cpu] = b;
    *(w->newest_one ? &w->newest_one->newer : &w->oldest) = b;
    w->newest_one = b;
    w->nopen++;
    return b;
}

/* 1 where an event of the time `tie` has gone to a buffer that comes behind b. */
static int is_before_tie(const write_buffers *w, const open_buffer *b, int64_t ticks)
{
    if (ticks != w->tie) return 0;
    return b->first != w->tie_first ? b->first < w->tie_first : b->sequence < w->tie_sequence;
}

static void note_tie(write_buffers *w, const open_buffer *b, int64_t ticks)
{
    if (is_before_tie(w, b, ticks)) return;
    w->tie = ticks;
    w->tie_first = b->first;
    w->tie_sequence = b->sequence;
}

open_buffer *write_buffers_open(write_buffers *w, placing *p, int *status)
{
    open_buffer *b = w->by_cpu[p->cpu];
    int full, early, before;

    *status = TW_OK;
    p->disorder = 0;
    if (p->ticks > w->newest) w->newest = p->ticks;
    while (b && p->key != WRITE_ANY && b->key != p->key) b = b->other;
    if (b) {
        full = w->size - b->filled < padded_size(p->bytes);
        early = is_before_tie(w, b, p->ticks);
        before = b == w->header &&
                 p->ticks < b->last; /* the session began: an event may be, a buffer has to be in order */
        if (early && !full && w->wasted + (w->size - b->filled) > WASTE_FREE + w->used / 8) {
            p->disorder = 1;
            early = 0;
        }
        if (early && !full) w->wasted += w->size - b->filled;
        if (full || early || before || p->flags || p->begins) {
            if ((*status = close_buffer(w, b)) != TW_OK) return NULL;
            b = NULL;
        }
    }
    if (!b && !(b = open_one(w, p, status))) return NULL;
    note_tie(w, b, p->ticks);
    return b;
}

uint8_t *write_buffers_place(open_buffer *b, uint32_t bytes, int timed, int64_t *ticks)
{
    uint32_t padded = padded_size(bytes);
    uint8_t *place = b->bytes + b->filled;

    if (timed) {
        if (*ticks < b->last) *ticks = b->last;
        b->last = *ticks;
    }
    b->filled += padded;
    memset(place + padded - ETW_PAD, 0, ETW_PAD); /* what is not the event's */
    return place;
}

int write_buffers_done(write_buffers *w, open_buffer *b)
{
    return b->expect && b->filled >= b->expect ? close_buffer(w, b) : TW_OK;
}
