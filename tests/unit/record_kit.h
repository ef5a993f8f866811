/* record_kit.h - single records made by hand, for tests of what describes events.

   It uses no constant of the project; a record lies in memory of exactly its size. */
#ifndef RECORD_KIT_H
#define RECORD_KIT_H

#include <stdlib.h>
#include <string.h>

#include "record.h"

typedef struct made_record {
    uint8_t *at;
    size_t n;
} made_record;

static inline void record_number(made_record *m, size_t at, uint64_t v, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) m->at[at + i] = (uint8_t)(v >> (8 * i));
}

static inline void record_room(made_record *m, size_t n)
{
    free(m->at);
    m->at = calloc(1, n);
    m->n = n;
    if (!m->at) abort();
}

static inline void record_free(made_record *m)
{
    free(m->at);
    memset(m, 0, sizeof *m);
}

/* EVENT_HEADER of a 64-bit system: id, version, level 4, opcode, task; process 100, thread 200. */
static inline record record_event(made_record *m, const uint8_t guid[16], unsigned id, unsigned version,
                                  const void *payload, size_t bytes)
{
    record r;

    record_room(m, 0x50 + bytes);
    record_number(m, 0, m->n, 2);
    record_number(m, 2, 0xC013, 2);
    record_number(m, 8, 200, 4);
    record_number(m, 12, 100, 4);
    memcpy(m->at + 0x18, guid, 16);
    record_number(m, 0x28, id, 2);
    record_number(m, 0x2A, version, 1);
    record_number(m, 0x2C, 4, 1);
    if (bytes) memcpy(m->at + 0x50, payload, bytes);
    if (record_read(m->at, m->n, &r) != RECORD_GOOD) abort();
    return r;
}

/* FULL_HEADER of a 64-bit system: class, opcode, version, level 5. */
static inline record record_classic(made_record *m, const uint8_t guid[16], unsigned opcode, unsigned version,
                                    const void *payload, size_t bytes)
{
    record r;

    record_room(m, 0x30 + bytes);
    record_number(m, 0, m->n, 2);
    record_number(m, 2, 0xC014, 2);
    record_number(m, 4, opcode, 1);
    record_number(m, 5, 5, 1);
    record_number(m, 6, version, 2);
    memcpy(m->at + 0x18, guid, 16);
    if (bytes) memcpy(m->at + 0x30, payload, bytes);
    if (record_read(m->at, m->n, &r) != RECORD_GOOD) abort();
    return r;
}

#endif
