/* block.c - reading and unpacking a buffer, and sharing its memory; see block.h. */
#include "block.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct shared {
    block block; /* first, so that a block is a shared */
    atomic_uint holders;
    uint32_t bytes; /* that it keeps from others, here or in the window */
    const tw_host *host;
    void *window; /* of the host, or NULL: the bytes follow */
    _Alignas(16) uint8_t memory[];
} shared;

/* Of all blocks there are: memory is the process's, however many readers share it. */
static atomic_size_t taken;

/* A block of `room` bytes of its own or `bytes` in a window; so far nothing is in it. */
static shared *make(const tw_host *host, uint32_t room, void *window, uint32_t bytes)
{
    shared *s = malloc(sizeof *s + room);

    if (!s) return NULL;
    memset(s, 0, sizeof *s);
    atomic_init(&s->holders, 1);
    s->host = host;
    s->window = window;
    s->bytes = room + bytes;
    s->block.end = ETW_BUFFER_HEADER;
    s->block.why = CAUSES;
    atomic_fetch_add_explicit(&taken, s->bytes, memory_order_relaxed);
    return s;
}

/* Of what is compressed in an unknown or impossible way nothing comes out. */
static block *unpack(const tw_host *host, const session *s, const entry *e, const uint8_t *packed)
{
    int method = s->method == ETW_LZNT1 || s->method == ETW_XPRESS_HUFFMAN;
    uint32_t room = method || e->filled > s->unpacked ? ETW_BUFFER_HEADER : e->filled;
    shared *made = make(host, room, NULL, 0);

    if (!made) return NULL;
    made->block.at = made->memory;
    made->block.end = buffer_unpack(packed, e->size, made->memory + ETW_BUFFER_HEADER, room);
    if (made->block.end < e->filled) made->block.why = method ? CAUSE_METHOD : CAUSE_STREAM;
    return &made->block;
}

block *block_open(const tw_host *host, tw_input *file, const session *s, const entry *e)
{
    void *window = NULL;
    const uint8_t *at = host->at(file, e->at, e->size, &window);
    shared *made;
    block *b;

    if (at && e->flags & ETW_FLAG_COMPRESSED) {
        b = unpack(host, s, e, at);
        host->unmap(window);
        return b;
    }
    made = at ? make(host, 0, window, e->size) : make(host, ETW_BUFFER_HEADER, NULL, 0);
    if (!made) {
        if (at) host->unmap(window);
        return NULL;
    }
    if (!at) {
        made->block.at = made->memory;
        made->block.why = CAUSE_UNREADABLE;
        return &made->block;
    }
    made->block.at = at;
    made->block.end = e->filled < e->size ? e->filled : e->size;
    return &made->block;
}

void block_hold(block *b)
{
    atomic_fetch_add_explicit(&((shared *)b)->holders, 1, memory_order_relaxed);
}

void block_let_go(void *b)
{
    shared *s = b;

    if (!s || atomic_fetch_sub_explicit(&s->holders, 1, memory_order_acq_rel) != 1) return;
    if (s->window) s->host->unmap(s->window);
    atomic_fetch_sub_explicit(&taken, s->bytes, memory_order_relaxed);
    free(s);
}

size_t block_memory(void)
{
    return atomic_load_explicit(&taken, memory_order_relaxed);
}
