/* etl_write_kit.h - etl.write on a rig: what its tests share.

   What the stage writes is caught instead of going to a file. One idea: offsets and numbers in these tests are written
   out from the format's description, not taken from the code's own header, so that a wrong one there is found. */
#ifndef ETL_WRITE_KIT_H
#define ETL_WRITE_KIT_H

#include "bus.h"
#include "tw_test.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

extern const tw_stage etl_write_stage, etl_read_stage;

/* Before the kit a test defines KIT_OUTPUT: the file that it opens and, but for whole runs, leaves empty. */

static const int64_t second = INT64_C(1000000000); /* T: one second after 1970 began, FILETIME 0x019DB1DED5D71680 */

// ---- Catching what is written -------------------------------------------------------------------------------------

static struct {
    uint8_t *at;
    size_t n;
    int status, closed;
} out;

static inline int catch_write(tw_output *o, const void *bytes, size_t n)
{
    (void)o;
    if (out.status != TW_OK) return out.status;
    out.at = realloc(out.at, out.n + n);
    memcpy(out.at + out.n, bytes, n);
    out.n += n;
    return TW_OK;
}

static inline int catch_rewrite(tw_output *o, uint64_t offset, const void *bytes, size_t n)
{
    (void)o;
    if (out.closed) return TW_END;
    ck_assert_uint_le(offset + n, out.n);
    memcpy(out.at + offset, bytes, n);
    return TW_OK;
}

static inline rig *writer(const char *options)
{
    char all[256];
    rig *r;

    free(out.at);
    memset(&out, 0, sizeof out);
    snprintf(all, sizeof all, "to=" KIT_OUTPUT " %s", options);
    r = rig_new(&etl_write_stage, all);
    rig_host(r)->write = catch_write;
    rig_host(r)->rewrite = catch_rewrite;
    return r;
}

static inline rig *open_writer(const char *options)
{
    rig *r = writer(options);

    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    return r;
}

static inline void done(rig *r)
{
    rig_free(r);
    remove(KIT_OUTPUT);
    remove(KIT_OUTPUT ".partial");
}

static inline uint64_t at(size_t offset, int bytes)
{
    uint64_t v = 0;

    ck_assert_uint_le(offset + (size_t)bytes, out.n);
    for (int i = bytes; i--;) v = v << 8 | out.at[offset + (size_t)i];
    return v;
}

static inline int bytes_are(size_t offset, const char *hex)
{
    unsigned byte;

    for (; *hex; hex += 2, offset++) {
        while (*hex == ' ') hex++;
        sscanf(hex, "%2x", &byte);
        if (offset >= out.n || out.at[offset] != byte) return 0;
    }
    return 1;
}

static inline int all_are(size_t from, size_t to, uint8_t byte)
{
    while (from < to && out.at[from] == byte) from++;
    return from == to;
}

static inline uint32_t publish(rig *r, const char *key, uint32_t number, uint8_t version, uint8_t pointer)
{
    tw_type t = { .size = sizeof t, .provider = "P", .name = "E", .key = key, .number = number, .version = version };

    t.opcode = (uint8_t)number;
    t.pointer = pointer;
    return rig_publish(r, &t);
}

static const uint8_t guid[16] = { 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7,
                                  0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF };

// ---- Events that came with a record ----

static uint8_t records[2048];
static size_t nrecords;

static inline const uint8_t *record_of(const char *hex)
{
    const uint8_t *start = records + nrecords;
    unsigned byte;

    for (; *hex; hex += 2) {
        while (*hex == ' ') hex++;
        ck_assert_int_eq(sscanf(hex, "%2x", &byte), 1);
        records[nrecords++] = (uint8_t)byte;
    }
    return start;
}

/* 5000 ticks of 100 ns are T. */
static inline void set_clock(rig *r)
{
    rig_set_clock(r,
                  &(tw_clock){ .ticks = 5000, .time = second, .hz = 10000000, .begin = second, .end = 6 * second });
    nrecords = 0;
}

static inline tw_event *event_of(rig *r, const uint8_t *record, int64_t time, const char *payload)
{
    tw_event *e = rig_event(r, publish(r, NULL, 1, 1, 8), time, payload, (uint32_t)strlen(payload));

    e->record = record;
    e->pid = 0x77;
    e->tid = 0x88;
    return e;
}

// ---- Whole runs ----

/* Gives how many events the first stage made. */
static inline uint64_t run(const tw_stage *first, const setting *set, uint32_t n, const tw_stage *second_stage,
                           const setting *to)
{
    plugins *none = plugins_new(NULL, 0);
    spec chain[2] = { { .stage = "first", .place = "", .set = set, .n = n, .builtin = first },
                      { .stage = "second", .place = "", .set = to, .n = to != NULL, .builtin = second_stage } };
    plan p = { .name = "test", .stage = chain, .n = 2 };
    bus_options o = { .plugins = none };
    report r = { 0 };
    uint64_t events;

    bus_run(&p, &o, &r);
    ck_assert_msg(r.status == 0, "%s", text_of(&r.error));
    events = r.stage[0].events_out;
    report_free(&r);
    plugins_free(none);
    return events;
}

#endif
