/* etl_kit.h - .etl files made by hand, byte by byte.

   For tests of what reads them; it uses no code nor constant of the project, so that a wrong offset there is found here.
   One idea: bytes are appended in the order of the file, sizes are patched in when a thing is closed. */
#ifndef ETL_KIT_H
#define ETL_KIT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct kit {
    uint8_t *at;
    size_t n, room;
    size_t buffer, event; /* where the open ones begin */
    size_t written;       /* where the last log-file header says how many buffers there are; 0: there is none */
} kit;

static inline void kit_bytes(kit *k, const void *bytes, size_t n)
{
    if (k->n + n > k->room) {
        k->room = 2 * (k->n + n);
        k->at = realloc(k->at, k->room);
        if (!k->at) abort();
    }
    if (bytes)
        memcpy(k->at + k->n, bytes, n);
    else
        memset(k->at + k->n, 0, n);
    k->n += n;
}

static inline void kit_number(kit *k, uint64_t v, size_t bytes)
{
    uint8_t le[8];
    for (int i = 0; i < 8; i++) le[i] = (uint8_t)(v >> (8 * i));
    kit_bytes(k, le, bytes);
}

static inline void kit_set(kit *k, size_t at, uint64_t v, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) k->at[at + i] = (uint8_t)(v >> (8 * i));
}

static inline void kit_free(kit *k)
{
    free(k->at);
    memset(k, 0, sizeof *k);
}

/* ---- Buffers ---- */

/* type: 4 header, 0 generic; flags: 0x20 new CPU number, 0x40 compressed. The header before it counts it. */
static inline void kit_buffer(kit *k, unsigned type, unsigned flags, unsigned cpu)
{
    if (k->n == 0) k->written = 0;
    if (k->written && type != 4) k->at[k->written]++;
    k->buffer = k->n;
    kit_bytes(k, NULL, 0x48);
    kit_set(k, k->buffer + 0x28, cpu, 2);
    kit_set(k, k->buffer + 0x2C, 3, 4);
    kit_set(k, k->buffer + 0x34, flags, 2);
    kit_set(k, k->buffer + 0x36, type, 2);
}

/* Fills the open buffer with FF up to `size`. */
static inline void kit_buffer_end(kit *k, uint32_t size)
{
    kit_set(k, k->buffer, size, 4);
    kit_set(k, k->buffer + 0x30, k->n - k->buffer, 4);
    while (k->n < k->buffer + size) kit_number(k, 0xFF, 1);
}

/* ---- Events: header, then payload by kit_number, then kit_end ---- */

static inline void kit_begin(kit *k)
{
    k->event = k->n;
}

/* The size goes to `at` in the header; what pads is not zero. */
static inline void kit_end_at(kit *k, size_t at)
{
    kit_set(k, k->event + at, k->n - k->event, 2);
    while ((k->n - k->buffer) % 8) kit_number(k, 0xCD, 1);
}

/* SYSTEM 1, 2; COMPACT 3, 4. */
static inline void kit_system(kit *k, unsigned type, unsigned version, unsigned group, unsigned opcode, uint32_t tid,
                              uint32_t pid, int64_t ticks)
{
    kit_begin(k);
    kit_number(k, version | (uint32_t)type << 16 | 0xC0000000u, 4);
    kit_number(k, 0, 2);
    kit_number(k, opcode, 1);
    kit_number(k, group, 1);
    kit_number(k, tid, 4);
    kit_number(k, pid, 4);
    kit_number(k, (uint64_t)ticks, 8);
    if (type <= 2) {
        kit_number(k, 111, 4); /* kernel, user time */
        kit_number(k, 222, 4);
    }
}

static inline void kit_perfinfo(kit *k, unsigned type, unsigned version, unsigned group, unsigned opcode,
                                int64_t ticks)
{
    kit_begin(k);
    kit_number(k, version | (uint32_t)type << 16 | 0xC0000000u, 4);
    kit_number(k, 0, 2);
    kit_number(k, opcode, 1);
    kit_number(k, group, 1);
    kit_number(k, (uint64_t)ticks, 8);
}

/* FULL_HEADER 0A, 14; INSTANCE 0B, 15. Opcode 7, level 3. */
static inline void kit_full(kit *k, unsigned type, const uint8_t guid[16], unsigned version, uint32_t tid,
                            uint32_t pid, int64_t ticks)
{
    kit_begin(k);
    kit_number(k, (uint32_t)type << 16 | 0xC0000000u, 4);
    kit_number(k, 7 | 3 << 8 | version << 16, 4);
    kit_number(k, tid, 4);
    kit_number(k, pid, 4);
    kit_number(k, (uint64_t)ticks, 8);
    kit_bytes(k, guid, 16);
    kit_number(k, 333, 4);
    kit_number(k, 444, 4);
    if (type == 0x0B || type == 0x15) {
        kit_number(k, 5555, 4); /* instance, parent, parent's GUID */
        kit_number(k, 6666, 4);
        kit_bytes(k, guid, 16);
    }
}

/* EVENT_HEADER 12, 13. Channel 16, level 4, opcode 9, task 77, keyword 8000000000000012. */
static inline void kit_event(kit *k, unsigned type, unsigned flags, const uint8_t guid[16], unsigned id,
                             unsigned version, uint32_t tid, uint32_t pid, int64_t ticks)
{
    kit_begin(k);
    kit_number(k, (uint32_t)type << 16 | 0xC0000000u, 4);
    kit_number(k, flags, 4);
    kit_number(k, tid, 4);
    kit_number(k, pid, 4);
    kit_number(k, (uint64_t)ticks, 8);
    kit_bytes(k, guid, 16);
    kit_number(k, id, 2);
    kit_number(k, version, 1);
    kit_number(k, 16, 1);
    kit_number(k, 4, 1);
    kit_number(k, 9, 1);
    kit_number(k, 77, 2);
    kit_number(k, UINT64_C(0x8000000000000012), 8);
    kit_number(k, 555, 4);
    kit_number(k, 666, 4);
    for (int i = 0; i < 16; i++) kit_number(k, 0xA0 + (unsigned)i, 1); /* activity */
}

static inline void kit_item(kit *k, unsigned type, int more, const void *data, size_t n)
{
    size_t stride = (8 + n + 7) & ~(size_t)7;

    kit_number(k, stride, 2);
    kit_number(k, type, 2);
    kit_number(k, more != 0, 2);
    kit_number(k, n, 2);
    kit_bytes(k, data, n);
    for (size_t i = 8 + n; i < stride; i++) kit_number(k, 0xEE, 1);
}

/* Only what the flags tell is appended, in the order of the flags. */
static inline void kit_message(kit *k, unsigned number, unsigned flags, const uint8_t guid[16], uint32_t tid,
                               uint32_t pid, int64_t ticks)
{
    kit_begin(k);
    kit_number(k, 0x90000000u, 4);
    kit_number(k, number, 2);
    kit_number(k, flags, 2);
    if (flags & 1) kit_number(k, 4711, 4);
    if (flags & 2)
        kit_bytes(k, guid, 16);
    else if (flags & 4)
        kit_number(k, 77, 4);
    if (flags & 0x18) kit_number(k, (uint64_t)ticks, 8);
    if (flags & 0x20) {
        kit_number(k, tid, 4);
        kit_number(k, pid, 4);
    }
}

/* ---- The log-file header event ---- */

typedef struct kit_log {
    uint32_t buffer_size, mode, clock, pointer;
    int64_t ticks, hz, start, end; /* start and end: FILETIMEs */
    uint32_t events_lost, buffers_lost, mhz;
} kit_log;

/* QPC at 10 MHz from tick 1000 on, started 2020-01-01T00:00:00Z and ended ten seconds later. */
#define KIT_START INT64_C(132223104000000000)
static inline kit_log kit_usual(uint32_t buffer_size)
{
    return (kit_log){ buffer_size, 1, 1, 8, 1000, 10000000, KIT_START, KIT_START + 100000000, 0, 0, 3000 };
}

static inline void kit_text16(kit *k, const char *text)
{
    do kit_number(k, (uint8_t)*text, 2);
    while (*text++);
}

static inline void kit_log_header(kit *k, const kit_log *l)
{
    kit_system(k, l->pointer == 4 ? 1 : 2, 2, 0, 0, 40, 4, l->ticks);
    kit_number(k, l->buffer_size, 4);
    kit_bytes(k, "\x0a\x00\x01\x05", 4);
    kit_number(k, 19041, 4);
    kit_number(k, 4, 4);
    kit_number(k, (uint64_t)l->end, 8);
    kit_number(k, 156250, 4);
    kit_number(k, 64, 4);
    kit_number(k, l->mode, 4);
    k->written = k->n;
    kit_number(k, 1, 4); /* buffers written: this one */
    kit_number(k, 1, 4);
    kit_number(k, l->pointer, 4);
    kit_number(k, l->events_lost, 4);
    kit_number(k, l->mhz, 4);
    kit_number(k, 5, l->pointer);
    kit_number(k, 6, l->pointer);
    kit_number(k, (uint32_t)-60, 4); /* bias */
    kit_bytes(k, NULL, 168);
    kit_bytes(k, NULL, 4);
    kit_number(k, (uint64_t)(l->start - 36000000000), 8); /* booted an hour before */
    kit_number(k, (uint64_t)l->hz, 8);
    kit_number(k, (uint64_t)l->start, 8);
    kit_number(k, l->clock, 4);
    kit_number(k, l->buffers_lost, 4);
    kit_text16(k, "Logger");
    kit_text16(k, "C:\\out.etl");
    kit_end_at(k, 4);
}

/* A header buffer with nothing but the log-file header in it. */
static inline void kit_begin_file(kit *k, const kit_log *l)
{
    kit_buffer(k, 4, 0x21, 0);
    kit_log_header(k, l);
    kit_buffer_end(k, l->buffer_size);
}

#endif
