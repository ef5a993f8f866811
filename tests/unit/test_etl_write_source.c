/* test_etl_write_source.c - what etl.write takes over from the source: headers, clock, size of buffers; and what it does
   without one. */
#define KIT_OUTPUT "test_etl_write_source.tmp"
#include "etl_write_kit.h"

// ---- Its headers -------------------------------------------------------------------------------------

/* A log-file header's payload for 8-byte pointers, with a byte pattern where the writer should take it over. */
static uint32_t header_payload(uint8_t *p)
{
    static const uint8_t names[] = "l\0o\0g\0\0\0C\0:\0x\0\0"; /* one more 0 comes of itself */

    memset(p, 0, 0x118);
    p[0x02] = 1; /* buffers of 64 KiB */
    memcpy(p + 0x04, "\x06\x01\x02\x05", 4);
    memcpy(p + 0x08, "\xB1\x1D\0\0", 4); /* build 7601 */
    p[0x0C] = 12;                        /* processors */
    memcpy(p + 0x18, "\x10\x27\0\0", 4); /* 1 ms */
    p[0x20] = 2;                         /* circular */
    p[0x24] = 99;
    p[0x2C] = 8;
    p[0x30] = 7;                         /* events lost */
    memcpy(p + 0x34, "\xB8\x0B\0\0", 4); /* 3000 MHz */
    memset(p + 0x48, 0x5A, 172);         /* time zone */
    memcpy(p + 0xF8, "\1\2\3\4\5\6\7\0", 8);
    memcpy(p + 0x100, "\x80\x96\x98", 3);                     /* 10 MHz */
    memcpy(p + 0x108, "\x80\x16\xD7\xD5\xDE\xB1\x9D\x01", 8); /* T */
    p[0x110] = 1;
    p[0x114] = 5; /* buffers lost */
    memcpy(p + 0x118, names, sizeof names);
    return 0x118 + sizeof names;
}

START_TEST(header_of_the_source)
{
    rig *r = open_writer("buffer_size=4k");
    uint8_t payload[512];
    uint32_t n = header_payload(payload), type = publish(r, "kernel:00", 0, 2, 8);
    tw_event *e;

    set_clock(r);
    e = rig_event(r, type, second, payload, n);
    e->pid = 0x77;
    e->tid = 0x88;
    e->record = record_of("0200 02C0 2000 0000 00000000 00000000 8813000000000000 0000000000000000");
    rig_event(r, type, second, payload, n);    /* a second session: its losses count */
    rig_event(r, type, second, payload, 0x20); /* no header that one could read: an event like others */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 2 * 4096);
    ck_assert(bytes_are(0x48, "0200 02C0 4801 0000 88000000 77000000 8813000000000000"));
    ck_assert(bytes_are(0x68, "00100000 06010205 B11D0000 0C000000 0007d2d8deb19d01 10270000 00000000 02000000"
                              "02000000 00000000 08000000 0E000000 B80B0000"));
    ck_assert(all_are(0x68 + 0x48, 0x68 + 0x48 + 172, 0x5A));
    ck_assert(bytes_are(0x68 + 0xF8, "0102030405060700 8096980000000000 8016d7d5deb19d01 01000000 0A000000"
                                     "6C006F0067000000 43003A0078000000"));
    ck_assert_uint_eq(at(4096 + 0x4C, 2), 0x40);
    done(r);
}
END_TEST

/* The whole event, as a source tells it for any other one. */
static tw_value header_event(uint8_t *e, int64_t ticks, uint32_t events_lost, uint32_t processors)
{
    uint32_t n = 0x20 + header_payload(e + 0x20);

    memcpy(e, "\x02\x00\x02\xC0", 4);
    e[4] = (uint8_t)n;
    e[5] = (uint8_t)(n >> 8);
    memset(e + 6, 0, 0x1A);
    e[0x08] = 0x99; /* thread */
    e[0x0C] = 0x88;
    memcpy(e + 0x10, &ticks, 8);
    e[0x20 + 0x30] = (uint8_t)events_lost;
    e[0x20 + 0x0C] = (uint8_t)processors;
    return (tw_value){ .kind = TW_BYTES, .t = { (const char *)e, n, 0 } };
}

/* A filter has dropped the header events; any event of the source tells what they said. */
START_TEST(headers_that_did_not_pass)
{
    rig *r = open_writer("buffer_size=4k");
    uint8_t one[512], two[512], payload[512];
    tw_value first = header_event(one, 5000, 7, 12), second_one = header_event(two, 6000, 30, 16);
    const tw_value lost = { .kind = TW_BYTES }; /* a session without header */
    uint32_t n = header_payload(payload);

    set_clock(r);
    rig_set_extra(r, 0x11000, 0, &first);
    rig_set_extra(r, 0x11000, 1, &lost);
    rig_set_extra(r, 0x11000, 2, &second_one);
    event_of(r, record_of("0200 11C0 1000 2E0F 9213000000000000"), second + 1000, "");
    ck_assert_int_eq(rig_feed(r), TW_OK);
    /* One that passes after all is known already. */
    rig_event(r, publish(r, "kernel:00", 0, 2, 8), second + 2000, payload, n)->record =
        record_of("0200 02C0 2000 0000 00000000 00000000 8813000000000000 0000000000000000");
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 4096);
    ck_assert_uint_eq(at(0x30, 4), 0x48 + 0x148 + 0x20); /* one event, behind the header */
    ck_assert(bytes_are(0x48, "0200 02C0 4801 0000 99000000 88000000 8813000000000000"));
    ck_assert(bytes_are(0x68, "00100000 06010205 B11D0000 10000000 0007d2d8deb19d01 10270000 00000000 02000000"
                              "01000000 00000000 08000000 25000000 B80B0000"));
    ck_assert(all_are(0x68 + 0x48, 0x68 + 0x48 + 172, 0x5A));
    ck_assert(bytes_are(0x68 + 0xF8, "0102030405060700 8096980000000000 8016d7d5deb19d01 01000000 0A000000"
                                     "6C006F0067000000 43003A0078000000"));
    done(r);
}
END_TEST

START_TEST(logger_wins)
{
    rig *r = open_writer("buffer_size=4k logger=mine");
    uint8_t payload[512];
    uint32_t n = header_payload(payload);

    rig_event(r, publish(r, "kernel:00", 0, 2, 8), second, payload, n);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 4096); /* no event: the header alone */
    ck_assert(bytes_are(0x180, "6D0069006E0065000000 43003A0078000000"));
    ck_assert_uint_eq(at(0x8C, 4), 1);
    done(r);
}
END_TEST

// ---- Its buffers ----

/* Where nobody sets a size, buffers are as large as the source's, unless all together would be too large; and as what
   comes needs it, as long as none was written. */
START_TEST(sizes_that_fit)
{
    static const uint32_t source[] = { 4096, 0x20000, 16 << 20, 5000, 16 << 20 };
    static const uint32_t file[] = { 4096, 0x20000, 16 << 20, 5120, 1 << 20 };
    static uint8_t payload[70000];
    uint8_t header[512];
    uint32_t type;
    rig *r;

    for (size_t i = 0; i < 5; i++) {
        uint32_t n = header_payload(header);

        memcpy(header, &source[i], 4);
        if (i == 4) header[0x0C] = 17; /* processors: with 16M each, more than should be open */
        r = open_writer("");
        rig_event(r, publish(r, "kernel:00", 0, 2, 8), second, header, n);
        rig_event(r, publish(r, "kernel:0f", 46, 2, 8), second, NULL, 0);
        ck_assert_int_eq(rig_feed(r), TW_OK);
        ck_assert_int_eq(rig_end(r), TW_OK);
        ck_assert_uint_eq(out.n, 2 * file[i]);
        ck_assert_uint_eq(at(0, 4), file[i]);
        ck_assert_uint_eq(at(0x68, 4), file[i]);
        ck_assert_uint_eq(at(file[i], 4), file[i]);
        done(r);
    }

    r = open_writer("");
    type = publish(r, "kernel:0f", 46, 2, 8);
    rig_event(r, type, second, "abcd", 4)->cpu = 1;
    rig_event(r, type, second, payload, 65536 - 0x48 - 0x20 - 7)->cpu = 0; /* fits, padding and all */
    rig_event(r, type, second, payload, 65535 - 0x20)->cpu = 2;            /* does not: 128k */
    rig_event(r, type, second, payload, 65535 - 0x20 + 1);                 /* never does */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "too_long"), 1);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 4 * 0x20000);
    ck_assert_uint_eq(at(0x68, 4), 0x20000);
    ck_assert_uint_eq(at(0x20000 + 0x28, 2), 1);
    ck_assert(bytes_are(0x20000 + 0x68, "61626364"));
    ck_assert_uint_eq(at(3 * 0x20000 + 0x4C, 2), 65535);
    done(r);

    r = open_writer("");
    type = publish(r, "kernel:0f", 46, 2, 8);
    rig_event(r, type, second, payload, 60000);
    rig_event(r, type, second, payload, 60000); /* the first buffer is written */
    rig_event(r, type, second, payload, 65535 - 0x20);
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(rig_count(r, "too_long"), 1);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 3 * 0x10000);
    done(r);
}
END_TEST

// ---- Its clocks ----

static unsigned warnings;

static void count_warnings(void *self, int severity, const char *format, ...)
{
    (void)self;
    if (severity == TW_WARNING && strstr(format, "several clocks")) warnings++;
}

START_TEST(several_clocks)
{
    rig *r = writer("buffer_size=4k");
    const uint8_t *record;

    warnings = 0;
    rig_host(r)->log = count_warnings;
    ck_assert_int_eq(rig_open(r), TW_OK);
    set_clock(r);
    record = record_of("0200 11C0 1000 2E0F 8813000000000000"); /* tick 5000 */
    event_of(r, record, second, "")->pid = 0xFFFFFFFF;
    event_of(r, record, second + 700, "")->pid = 0xFFFFFFFF; /* changed by a stage, not by another clock */
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_uint_eq(warnings, 0);
    rig_set_clock(r, &(tw_clock){ .ticks = 5000, .time = second + 1000, .hz = 1000000 }); /* of the next events */
    for (int i = 0; i < 3; i++) event_of(r, record, second + 1000, "")->tid = 0xFFFFFFFF;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(warnings, 1);
    ck_assert_uint_eq(at(4096 + 0x48 + 2 * 0x20 + 0x10, 8), 5010); /* the time is right */
    done(r);
}
END_TEST

// ---- No event ----

static int ignore(void *self, tw_batch *b)
{
    (void)self, (void)b;
    return TW_OK;
}

static const tw_stage ignore_stage = {
    .size = sizeof(tw_stage), .name = "ignore", .help = "Do nothing.", .state = sizeof(tw_self), .events = ignore
};

/* A file without any event is one, too. */
START_TEST(no_event)
{
    static const char *file = "test_etl_write_source.etl";
    const setting from = { .name = "file", .value = &file, .n = 1 };
    rig *r = open_writer("buffer_size=4k");
    FILE *f;

    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(out.n, 4096);
    ck_assert_uint_eq(at(0x74, 4), 1); /* processors */
    ck_assert_uint_eq(at(0x168, 8), 1000000000);
    f = fopen(file, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(out.at, 1, out.n, f), out.n);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_uint_eq(run(&etl_read_stage, &from, 1, &ignore_stage, NULL), 1); /* the header */
    remove(file);
    done(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("etl_write_source");
    TCase *c = tcase_create("stage");
    SRunner *r;
    int failed;

    tcase_set_timeout(c, 60);
    tcase_add_test(c, header_of_the_source);
    tcase_add_test(c, headers_that_did_not_pass);
    tcase_add_test(c, logger_wins);
    tcase_add_test(c, sizes_that_fit);
    tcase_add_test(c, several_clocks);
    tcase_add_test(c, no_event);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    free(out.at);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
