/* test_etl_write.c - etl.write: bytes against the format, and back again through etl.read. */
#define KIT_OUTPUT "test_etl_write.tmp"
#include "etl_write_kit.h"

extern const tw_stage synth_kernel;

// ---- Events that were made ----------------------------------------------------------------------------------------

static void make_three(rig *r)
{
    static const uint8_t payload[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    tw_type manifest = { .size = sizeof manifest, .provider = "P", .name = "E", .number = 0x1234, .version = 2 };
    tw_event *e;

    e = rig_event(r, publish(r, "kernel:0f", 46, 2, 8), second + 1000, payload, 16);
    e->pid = e->tid = 0xFFFFFFFF;
    e->cpu = 3;
    e = rig_event(r, publish(r, "kernel:03", 1, 4, 8), second + 2000, payload, 5);
    e->pid = 0x55;
    e->tid = 0x66;
    e->cpu = 1;
    memcpy(manifest.guid, guid, 16);
    manifest.channel = 3;
    manifest.level = 4;
    manifest.opcode = 5;
    manifest.task = 0x0607;
    manifest.keyword = 0x8000000000000001;
    manifest.pointer = 4;
    e = rig_event(r, rig_publish(r, &manifest), second + 3001, NULL, 0);
    e->pid = 0x77;
    e->tid = 0x88;
    e->cpu = 1;
}

START_TEST(made_events)
{
    rig *r = open_writer("buffer_size=4k");
    const tw_event *passed;
    size_t event;

    make_three(r);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_left(r, &passed), 3); /* they go on */
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 3 * 4096);

    /* The header buffer. */
    ck_assert_uint_eq(at(0x00, 4), 4096);
    ck_assert_uint_eq(at(0x18, 8), 0); /* sequence */
    ck_assert_uint_eq(at(0x28, 2), 0); /* CPU */
    ck_assert_uint_eq(at(0x2C, 4), 3); /* flushed */
    ck_assert_uint_eq(at(0x34, 2), 0x21);
    ck_assert_uint_eq(at(0x36, 2), 4);
    /* Size of the event: header 20h, fixed part 118h, "traceweir" and "" in UTF-16. */
    ck_assert_uint_eq(at(0x4C, 2), 0x20 + 0x118 + 20 + 2);
    ck_assert_uint_eq(at(0x30, 4), 0x48 + 0x150); /* filled: the next multiple of 8 */
    ck_assert(bytes_are(0x48, "0200 02C0"));      /* version 2, SYSTEM64 */
    ck_assert_uint_eq(at(0x4E, 2), 0);            /* group and opcode */
    ck_assert_uint_eq(at(0x58, 8), 0);            /* its ticks */
    ck_assert_uint_eq(at(0x68, 4), 4096);
    ck_assert(bytes_are(0x6C, "0A000105"));
    ck_assert_uint_eq(at(0x74, 4), 4);               /* processors: 0 to 3 */
    ck_assert(bytes_are(0x78, "9f16d7d5deb19d01"));  /* end: 3.001 us later, rounded up to 100 ns */
    ck_assert_uint_eq(at(0x88, 4), 1);               /* sequential */
    ck_assert_uint_eq(at(0x8C, 4), 3);               /* buffers written */
    ck_assert_uint_eq(at(0x94, 4), 8);               /* pointer size */
    ck_assert_uint_eq(at(0x98, 4), 0);               /* events lost */
    ck_assert_uint_eq(at(0x168, 8), 1000000000);     /* ticks are nanoseconds */
    ck_assert(bytes_are(0x170, "8a16d7d5deb19d01")); /* start: the first event's time */
    ck_assert_uint_eq(at(0x178, 4), 1);              /* QPC */
    ck_assert(bytes_are(0x180, "740072006100630065007700650069007200 0000 0000"));
    ck_assert(all_are(0x48 + 0x150, 4096, 0xFF));

    /* CPU 3 has the older event. */
    ck_assert_uint_eq(at(4096 + 0x00, 4), 4096);
    ck_assert_uint_eq(at(4096 + 0x18, 8), 1);
    ck_assert_uint_eq(at(4096 + 0x28, 2), 3);
    ck_assert_uint_eq(at(4096 + 0x30, 4), 0x48 + 0x20);
    ck_assert_uint_eq(at(4096 + 0x34, 2), 0x20);
    ck_assert_uint_eq(at(4096 + 0x36, 2), 0);
    /* PERFINFO64, version 2, 20h bytes, group F opcode 46, 0 ticks, payload. */
    ck_assert(bytes_are(4096 + 0x48, "0200 11C0 2000 2E0F 0000000000000000 000102030405060708090A0B0C0D0E0F"));
    ck_assert(all_are(4096 + 0x68, 2 * 4096, 0xFF));

    /* CPU 1: a SYSTEM64 event, filled up to a multiple of 8, and an EVENT_HEADER32 event. */
    ck_assert_uint_eq(at(8192 + 0x18, 8), 2);
    ck_assert_uint_eq(at(8192 + 0x28, 2), 1);
    ck_assert_uint_eq(at(8192 + 0x30, 4), 0x48 + 0x28 + 0x50);
    ck_assert_uint_eq(at(8192 + 0x34, 2), 0x21);
    ck_assert_uint_eq(at(8192 + 0x10, 8), 2001); /* flushed when the newest event was 2001 ticks old */
    ck_assert(bytes_are(8192 + 0x48, "0400 02C0 2500 0103 66000000 55000000 E803000000000000 0000000000000000"
                                     "0001020304 000000"));
    event = 8192 + 0x48 + 0x28;
    ck_assert(bytes_are(event, "5000 12C0 0000 0000 88000000 77000000 D107000000000000"
                               "A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 3412 02 03 04 05 0706 0100000000000080"
                               "0000000000000000 00000000000000000000000000000000"));
    ck_assert(all_are(event + 0x50, 3 * 4096, 0xFF));
    done(r);
}
END_TEST

START_TEST(made_message)
{
    rig *r = open_writer("buffer_size=4k");
    tw_type t = { .size = sizeof t, .provider = "P", .name = "E", .number = 12, .pointer = 4 };
    tw_event *e;

    t.key = "wpp:a3a2a1a0-a5a4-a7a6-a8a9-aaabacadaeaf";
    memcpy(t.guid, guid, 16);
    e = rig_event(r, rig_publish(r, &t), second, "xyz", 3);
    e->pid = 0x77;
    e->tid = 0x88;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert(bytes_are(4096 + 0x48, "2B00 00 90 0C00 6A00 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 0000000000000000"
                                     "88000000 77000000 78797A 0000000000"));
    done(r);
}
END_TEST

START_TEST(pointers_of_4_bytes)
{
    rig *r = open_writer("buffer_size=4k logger='\xC3\xA4 \xF0\x9F\x98\x80'");
    tw_event *e = rig_event(r, publish(r, "kernel:0f", 46, 2, 4), second, "abcd", 4);

    e->pid = e->tid = 0xFFFFFFFF;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert(bytes_are(0x48, "0200 01C0"));
    ck_assert_uint_eq(at(0x94, 4), 4);
    ck_assert_uint_eq(at(0x160, 8), 1000000000);
    ck_assert_uint_eq(at(0x170, 4), 1);
    ck_assert(bytes_are(0x178, "E400 2000 3DD8 00DE 0000 0000")); /* the name: U+E4, blank, U+1F600 */
    ck_assert_uint_eq(at(0x4C, 2), 0x20 + 0x110 + 10 + 2);
    ck_assert(bytes_are(4096 + 0x48, "0200 10C0 1400 2E0F 0000000000000000 61626364 00000000"));
    done(r);
}
END_TEST

// ---- Events that came with a record -------------------------------------------------------------------------------

START_TEST(records_are_kept)
{
    rig *r = open_writer("buffer_size=4k");
    const uint8_t *system, *counters, *item, *message, *bare, *full;

    set_clock(r);
    /* SYSTEM64 with CPU times; its ticks 5010. */
    system = record_of("0300 02C0 2400 0105 01000000 02000000 9213000000000000 0A000000 0B000000 74657374");
    /* PERFINFO64 with a PEBS index and one counter. */
    counters = record_of("0281 11C0 2400 2E0F 9313000000000000 1111111111111111 2222222222222222 74657374");
    /* EVENT_HEADER64 with a related activity. */
    item = record_of("6C00 13C0 0100 0000 01000000 02000000 9413000000000000"
                     "A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 3412 02 03 04 05 0706 0100000000000080"
                     "0C0000000D000000 B0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF"
                     "1800 0100 0000 1000 C0C1C2C3C4C5C6C7C8C9CACBCCCDCECF 74657374");
    /* Messages: with sequence, GUID, time and system; and with nothing. */
    message =
        record_of("3000 0090 0C00 AB00 01000000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 9513000000000000 01000000 02000000"
                  "74657374");
    bare = record_of("0C00 0090 0C00 8000 74657374");
    /* FULL_HEADER64. */
    full = record_of("3400 14C0 20 04 0200 01000000 02000000 9713000000000000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF"
                     "0C000000 0D000000 74657374");
    event_of(r, system, second + 1000, "test");
    event_of(r, counters, second + 1100, "test")->pid = 0xFFFFFFFF;
    event_of(r, item, second + 1200, "longer");
    event_of(r, message, second + 1300, "test");
    event_of(r, bare, second + 1300, "");
    event_of(r, full, second + 1500, "test");
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "late"), 0);

    ck_assert_uint_eq(at(0x58, 8), 5000); /* the header: the source's clock */
    ck_assert_uint_eq(at(0x168, 8), 10000000);
    ck_assert(bytes_are(0x170, "8016d7d5deb19d01"));
    ck_assert(bytes_are(0x78, "0007d2d8deb19d01")); /* the end is the source's */

    ck_assert(bytes_are(4096 + 0x48,
                        "0300 02C0 2400 0105 88000000 77000000 9213000000000000 0A000000 0B000000 74657374 00000000"
                        /* The thread is known, so it is a SYSTEM event now. */
                        "0281 02C0 3400 2E0F 88000000 FFFFFFFF 9313000000000000 0000000000000000"
                        "1111111111111111 2222222222222222 74657374 00000000"
                        "6E00 13C0 0100 0000 88000000 77000000 9413000000000000"
                        "A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 3412 02 03 04 05 0706 0100000000000080"
                        "0C0000000D000000 B0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF"
                        "1800 0100 0000 1000 C0C1C2C3C4C5C6C7C8C9CACBCCCDCECF 6C6F6E676572 0000"
                        "3000 0090 0C00 AB00 01000000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 9513000000000000"
                        "88000000 77000000 74657374"
                        "0800 0090 0C00 8000"
                        "3400 14C0 20 04 0200 88000000 77000000 9713000000000000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF"
                        "0C000000 0D000000 74657374 00000000"));
    done(r);
}
END_TEST

START_TEST(times_that_changed)
{
    static const int64_t change[] = { -300, 0, 200, 201 /* no tick tells it: the next one */, 100 /* too late */ };
    static const uint64_t ticks[] = { 4997, 5000, 5002, 5003, 5003 };
    rig *r = open_writer("buffer_size=4k");
    const uint8_t *record;

    rig_unwatch(r);
    set_clock(r);
    record = record_of("0200 11C0 1000 2E0F 8813000000000000"); /* 5000 ticks: T */
    for (int i = 0; i < 5; i++) {
        tw_event *e = event_of(r, record, second + change[i], "");

        e->pid = e->tid = 0xFFFFFFFF;
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    for (size_t i = 0; i < 5; i++) ck_assert_uint_eq(at(4096 + 0x48 + 16 * i + 8, 8), ticks[i]);
    ck_assert_uint_eq(rig_count(r, "late"), 1);
    ck_assert_uint_eq(rig_count(r, "inexact"), 1);
    done(r);
}
END_TEST

/* A reader gives an event without a time that of the one before in its buffer. Where that would be wrong a message gets
   one; 5000 ticks are T, 10 ticks a microsecond. */
START_TEST(events_without_time)
{
    rig *r = open_writer("buffer_size=4k");
    const uint8_t *timed, *bare, *known, *wnode;

    rig_unwatch(r);
    set_clock(r);
    timed = record_of("0200 11C0 1000 2E0F 9213000000000000"); /* tick 5010 */
    bare = record_of("0A00 0090 0C00 8000 7879");
    known = record_of("2400 0090 0D00 A300 01000000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 01000000 02000000");
    wnode = record_of("10000000 00000000 1111111111111111");
    event_of(r, bare, second, "xy"); /* first in its buffer */
    event_of(r, bare, second, "z");  /* behind one of its time */
    event_of(r, timed, second + 1000, "")->pid = 0xFFFFFFFF;
    event_of(r, bare, second + 1000, "");
    event_of(r, known, second + 1100, ""); /* behind one of another time */
    event_of(r, wnode, second + 1100, "");
    event_of(r, wnode, second + 1200, "");   /* no room for another time */
    event_of(r, bare, second + 1200, "");    /* which a reader does not learn from it */
    event_of(r, wnode, second, "")->cpu = 1; /* first in its buffer */
    event_of(r, bare, second, "")->cpu = 1;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "late"), 0);
    ck_assert_uint_eq(rig_count(r, "untimed"), 2);
    ck_assert(bytes_are(4096 + 0x48, "1200 0090 0C00 8800 8813000000000000 7879 000000000000"
                                     "0900 0090 0C00 8000 7A 00000000000000"
                                     "0200 02C0 2000 2E0F 88000000 FFFFFFFF 9213000000000000 0000000000000000"
                                     "0800 0090 0C00 8000"
                                     "2C00 0090 0D00 AB00 01000000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 9313000000000000"
                                     "88000000 77000000 00000000"
                                     "08000000 00000000"
                                     "08000000 00000000"
                                     "1000 0090 0C00 8800 9413000000000000"));
    ck_assert(bytes_are(8192 + 0x48, "08000000 00000000 1000 0090 0C00 8800 8813000000000000"));
    done(r);
}
END_TEST

// ---- Buffers ------------------------------------------------------------------------------------------------------

START_TEST(buffers_fill)
{
    rig *r = open_writer("buffer_size=4k");
    uint32_t type = publish(r, "kernel:0f", 46, 2, 8);
    uint8_t payload[1001] = { 0 };

    /* 1017 bytes take 1024; three of them fit behind the header of a buffer of 4096. */
    for (int i = 0; i < 10; i++) {
        tw_event *e = rig_event(r, type, second + 100 * i, payload, sizeof payload);

        e->pid = e->tid = 0xFFFFFFFF;
        e->cpu = i == 5 ? 2047 : 0;
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 5 * 4096);
    for (size_t b = 1; b < 5; b++) {
        /* Three full ones of CPU 0; that of CPU 2047 is older than the last of them. */
        ck_assert_uint_eq(at(4096 * b + 0x28, 2), b == 3 ? 2047 : 0);
        ck_assert_uint_eq(at(4096 * b + 0x18, 8), b);
        ck_assert_uint_eq(at(4096 * b + 0x30, 4), 0x48 + 1024 * (b == 3 ? 1 : 3));
        ck_assert_uint_eq(at(4096 * b + 0x34, 2), b == 4 ? 0x21 : 0x20);
    }
    ck_assert(all_are(4096 + 0x48 + 3072, 2 * 4096, 0xFF));
    ck_assert_uint_eq(at(0x74, 4), 2048);
    ck_assert_uint_eq(at(0x8C, 4), 5);
    done(r);
}
END_TEST

START_TEST(too_long)
{
    rig *r = open_writer("buffer_size=4k");
    uint32_t type = publish(r, "kernel:0f", 46, 2, 8);
    static uint8_t payload[70000];

    rig_event(r, type, second, payload, 4096 - 0x48 - 0x20)->cpu = 1; /* fits exactly */
    rig_event(r, type, second, payload, 4096 - 0x48 - 0x20 + 1);
    rig_event(r, type, second, payload, 70000);
    rig_event(r, type, second, payload, 0)->cpu = 2048;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "too_long"), 2);
    ck_assert_uint_eq(rig_count(r, "cpu"), 1);
    ck_assert_uint_eq(out.n, 2 * 4096);
    ck_assert_uint_eq(at(4096 + 0x30, 4), 4096);
    done(r);

    r = open_writer("buffer_size=128k");
    type = publish(r, "kernel:0f", 46, 2, 8);
    rig_event(r, type, second, payload, 65535 - 0x20);
    rig_event(r, type, second, payload, 65535 - 0x20 + 1);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "too_long"), 1);
    ck_assert_uint_eq(at(0x20000 + 0x4C, 2), 65535);
    done(r);
}
END_TEST

static size_t counted;

static int count_write(tw_output *o, const void *bytes, size_t n)
{
    (void)o;
    (void)bytes;
    counted += n;
    return TW_OK;
}

/* Many processors with large buffers: the oldest is handed on before memory runs out. */
START_TEST(bounded_memory)
{
    rig *r = writer("buffer_size=16M");
    uint32_t type;

    counted = 0;
    rig_host(r)->write = count_write;
    ck_assert_int_eq(rig_open(r), TW_OK);
    type = publish(r, "kernel:0f", 46, 2, 8);
    for (int i = 0; i < 18; i++) rig_event(r, type, second + i, NULL, 0)->cpu = (uint16_t)i;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(counted, 2 * (size_t)(16 << 20)); /* the header's and one of 18; another one is finished */
    out.closed = 1;
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(counted, 19 * (size_t)(16 << 20));
    done(r);
}
END_TEST

// ---- Outputs that end, and that cannot go back --------------------------------------------------------------------

START_TEST(not_closed)
{
    rig *r = open_writer("buffer_size=4k");

    out.closed = 1;
    make_three(r);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 3 * 4096);
    ck_assert_uint_eq(at(0x78, 8), 0); /* no end: readers know such sessions */
    ck_assert_uint_eq(at(0x74, 4), 4);
    done(r);
}
END_TEST

START_TEST(nobody_reads_on)
{
    rig *r = open_writer("buffer_size=4k");
    uint32_t type = publish(r, "kernel:0f", 46, 2, 8);
    uint8_t payload[3000] = { 0 };

    out.status = TW_END;
    for (int i = 0; i < 3; i++) rig_event(r, type, second, payload, sizeof payload);
    ck_assert_int_eq(rig_feed(r), TW_END);
    done(r);
}
END_TEST

START_TEST(refused)
{
    static const char *const wrong[] = { "buffer_size=1k", "buffer_size=17M", "buffer_size=5000" };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig *r = writer(wrong[i]);

        ck_assert_int_eq(rig_open(r), TW_ERROR);
        ck_assert_int_eq(rig_status(r), 2);
        ck_assert_ptr_nonnull(strstr(rig_error(r), "buffer_size"));
        done(r);
    }
}
END_TEST

// ---- There and back -----------------------------------------------------------------------------------------------

static struct {
    uint64_t events, sum;
} seen; /* the sum does not depend on the order */

typedef struct looker {
    tw_self tw;
} looker;

static int look(void *self, tw_batch *b)
{
    const uint64_t prime = 0x100000001b3u;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const tw_type *t = ((looker *)self)->tw.type[e->type];
        const uint64_t number[] = { (uint64_t)e->time, e->pid, e->tid, e->cpu, t->number, t->version, t->pointer };
        uint64_t h = 0xcbf29ce484222325u;

        if (!strcmp(t->provider, "EventTrace")) continue;
        for (size_t k = 0; k < sizeof number / sizeof *number; k++) h = (h ^ number[k]) * prime;
        for (const char *c = t->provider; *c; c++) h = (h ^ (uint8_t)*c) * prime;
        for (const char *c = t->name; *c; c++) h = (h ^ (uint8_t)*c) * prime;
        for (uint32_t k = 0; k < e->bytes; k++) h = (h ^ e->data[k]) * prime;
        seen.sum += h;
        seen.events++;
    }
    return TW_OK;
}

static const tw_stage look_stage = {
    .size = sizeof(tw_stage), .name = "look", .help = "Add up.", .state = sizeof(looker), .events = look
};

static void there_and_back(const setting *options, uint32_t n)
{
    static const char *file = "test_etl_write.etl";
    const setting to = { .name = "to", .value = &file, .n = 1 }, from = { .name = "file", .value = &file, .n = 1 };
    uint64_t events, sum;

    memset(&seen, 0, sizeof seen);
    run(&synth_kernel, options, n, &look_stage, NULL);
    events = seen.events;
    sum = seen.sum;
    ck_assert_uint_gt(events, 1000);
    run(&synth_kernel, options, n, &etl_write_stage, &to);
    memset(&seen, 0, sizeof seen);
    run(&etl_read_stage, &from, 1, &look_stage, NULL);
    ck_assert_uint_eq(seen.events, events);
    ck_assert_uint_eq(seen.sum, sum);
    remove(file);
}

START_TEST(round_trip)
{
    static const char *seed = "3", *length = "1s", *rate = "50000", *four = "4", *cpus = "17";
    const setting set[] = { { .name = "seed", .value = &seed, .n = 1 },
                            { .name = "length", .value = &length, .n = 1 },
                            { .name = "rate", .value = &rate, .n = 1 },
                            { .name = "cpus", .value = &cpus, .n = 1 },
                            { .name = "pointer", .value = &four, .n = 1 } };

    there_and_back(set, 4);
    there_and_back(set, 5);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("etl_write");
    TCase *c = tcase_create("stage");
    SRunner *r;
    int failed;

    tcase_set_timeout(c, 60);
    tcase_add_test(c, made_events);
    tcase_add_test(c, made_message);
    tcase_add_test(c, pointers_of_4_bytes);
    tcase_add_test(c, records_are_kept);
    tcase_add_test(c, times_that_changed);
    tcase_add_test(c, events_without_time);
    tcase_add_test(c, buffers_fill);
    tcase_add_test(c, too_long);
    tcase_add_test(c, bounded_memory);
    tcase_add_test(c, not_closed);
    tcase_add_test(c, nobody_reads_on);
    tcase_add_test(c, refused);
    tcase_add_test(c, round_trip);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    free(out.at);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
