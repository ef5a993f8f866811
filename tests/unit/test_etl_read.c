/* test_etl_read.c - etl.read on sound files made by hand: all header types, clocks, sessions, order, passes. */
#include "etl_read_kit.h"

static void expect_type(size_t i, const char *provider, const char *name, const char *key, unsigned number,
                        unsigned version, unsigned pointer)
{
    const tw_type *t = event[i].type;

    ck_assert_str_eq(t->provider, provider);
    if (name) ck_assert_str_eq(t->name, name);
    ck_assert_pstr_eq(t->key, key);
    ck_assert_uint_eq(t->number, number);
    ck_assert_uint_eq(t->version, version);
    ck_assert_uint_eq(t->pointer, pointer);
    ck_assert_int_eq(t->origin == NULL, t->why != NULL && *t->why);
}

START_TEST(every_header)
{
    const uint8_t schema[] = { 5, 0, 0, 'T', 0 };

    usual(SIZE);
    kit_buffer(&k, 0, 0x20, 2);
    kit_system(&k, 2, 4, 0x03, 1, 11, 12, 1100);
    kit_bytes(&k, NULL, 4);
    kit_end_at(&k, 4);
    kit_system(&k, 1, 2, 0x0B, 23, 11, 12, 1101);
    kit_end_at(&k, 4);
    kit_system(&k, 3, 1, 0x40, 9, 11, 12, 1102); /* a group that nobody knows */
    kit_end_at(&k, 4);
    kit_perfinfo(&k, 0x10, 2, 0x0F, 46, 1103);
    kit_end_at(&k, 4);
    kit_perfinfo(&k, 0x11, 0x0302, 0x0F, 46, 1104);
    kit_bytes(&k, NULL, 24);
    kit_number(&k, 0x44, 1);
    kit_end_at(&k, 4);
    kit_full(&k, 0x0A, guid, 2, 21, 22, 1105);
    kit_end_at(&k, 0);
    kit_full(&k, 0x15, guid, 2, 21, 22, 1106);
    kit_end_at(&k, 0);
    kit_event(&k, 0x12, 0, guid, 300, 1, 31, 32, 1107);
    kit_end_at(&k, 0);
    kit_event(&k, 0x13, 4, guid, 0, 0, 31, 32, 1108);
    kit_text16(&k, "hello");
    kit_end_at(&k, 0);
    kit_event(&k, 0x13, 1, guid, 0, 0, 31, 32, 1109);
    kit_item(&k, 0x0B, 0, schema, sizeof schema);
    kit_end_at(&k, 0);
    kit_message(&k, 10, 0xAA, guid, 41, 42, 1110);
    kit_end_at(&k, 0);
    kit_message(&k, 11, 0x04, guid, 0, 0, 0); /* neither time nor process */
    kit_end_at(&k, 0);
    kit_begin(&k);
    kit_number(&k, 0xC00D0000, 4); /* ERROR */
    kit_bytes(&k, NULL, 0x4C);
    kit_end_at(&k, 0);
    kit_begin(&k);
    kit_number(&k, 24, 4); /* WNODE */
    kit_bytes(&k, NULL, 20);
    kit_full(&k, 0x14, (const uint8_t *)"\xd3\xa8\x6f\x3d\x05\xfe\xd0\x11\x9d\xda\x00\xc0\x4f\xd7\xba\x7c", 1, 1, 1,
             1111);
    kit_end_at(&k, 0);
    kit_buffer_end(&k, SIZE);
    read_kit();

    ck_assert_uint_eq(n, 16);
    ck_assert_uint_eq(skipped(), 0);
    expect_type(0, "EventTrace", NULL, "kernel:00", 0, 2, 8);
    expect_type(1, "Process", NULL, "kernel:03", 1, 4, 8);
    expect_type(2, "SystemConfig", NULL, "kernel:0b", 23, 2, 4);
    expect_type(3, "kernel:40", "9", "kernel:40", 9, 1, 4);
    expect_type(4, "PerfInfo", NULL, "kernel:0f", 46, 2, 4);
    expect_type(5, "PerfInfo", NULL, "kernel:0f", 46, 2, 8);
    expect_type(6, GUID_TEXT, "7", NULL, 7, 2, 4);
    expect_type(7, GUID_TEXT, "7", NULL, 7, 2, 8);
    expect_type(8, GUID_TEXT, "300", NULL, 300, 1, 4);
    expect_type(9, GUID_TEXT, "0", NULL, 0, 0, 8);
    expect_type(10, GUID_TEXT, "T", NULL, 0, 0, 8);
    expect_type(11, GUID_TEXT, "10", "wpp:" GUID_TEXT, 10, 0, 8);
    expect_type(12, "component 77", "11", "wpp:component 77", 11, 0, 8);
    expect_type(13, "Opaque", "13", "opaque:0d", 13, 0, 8);
    expect_type(14, "Opaque", "0", "opaque:00", 0, 0, 8);
    expect_type(15, "PageFault", NULL, NULL, 7, 1, 8);

    for (size_t i = 1; i < 12; i++) ck_assert_int_eq(event[i].time, AFTER((100 + i - 1) * 100));
    for (size_t i = 12; i < 15; i++) ck_assert_int_eq(event[i].time, event[11].time); /* that of the one before */
    for (size_t i = 1; i < 16; i++) ck_assert_uint_eq(event[i].cpu, 2);
    ck_assert_uint_eq(event[1].tid, 11);
    ck_assert_uint_eq(event[1].pid, 12);
    ck_assert_uint_eq(event[1].bytes, 4);
    ck_assert_uint_eq(event[4].pid, 0xFFFFFFFF);
    ck_assert_uint_eq(event[4].tid, 0xFFFFFFFF);
    ck_assert_uint_eq(event[5].bytes, 1);
    ck_assert_uint_eq(event[5].data[0], 0x44);
    ck_assert_uint_eq(event[12].pid, 0xFFFFFFFF);
    ck_assert_uint_eq(event[11].pid, 42);

    /* What the header of the first one of its kind says stands in the type. */
    const tw_type *t = event[8].type;
    ck_assert_uint_eq(t->opcode, 9);
    ck_assert_uint_eq(t->level, 4);
    ck_assert_uint_eq(t->task, 77);
    ck_assert_uint_eq(t->channel, 16);
    ck_assert_uint_eq(t->keyword, UINT64_C(0x8000000000000012));
    ck_assert_mem_eq(t->guid, guid, 16);
    ck_assert_str_eq(t->why, "no schema for provider " GUID_TEXT);
    t = event[9].type; /* STRING_ONLY */
    ck_assert_uint_eq(t->nfields, 1);
    ck_assert_str_eq(t->field[0].name, "String");
    ck_assert_ptr_ne(event[9].type, event[10].type);
    ck_assert_str_eq(event[10].type->origin, "in the event");
    ck_assert_str_eq(event[11].type->why, "needs the TMF file " GUID_TEXT ".tmf");
}
END_TEST

START_TEST(versions)
{
    const tw_type *t;

    usual(SIZE);
    kit_buffer(&k, 0, 0x20, 0);
    kit_system(&k, 2, 250, 0x05, 1, 1, 1, 1100); /* Thread/Start of a version to come */
    kit_end_at(&k, 4);
    kit_system(&k, 2, 3, 0x03, 10, 1, 1, 1101); /* Image/Load in the group of Process */
    kit_end_at(&k, 4);
    kit_buffer_end(&k, SIZE);
    read_kit();
    t = event[1].type;
    ck_assert_str_eq(t->provider, "Thread");
    ck_assert_uint_eq(t->version, 250);
    ck_assert_str_eq(t->origin, "built in (version 4)"); /* the newest that there is */
    ck_assert_uint_gt(t->nfields, 0);
    t = event[2].type;
    ck_assert_str_eq(t->provider, "Image");
    ck_assert_str_eq(t->key, "kernel:03");
    ck_assert_str_eq(t->origin, "built in");
    ck_assert_uint_eq(t->guid[0], 0x1d); /* 2cb15d1d-… */
    ck_assert_uint_eq(t->guid[1], 0x5d);
}
END_TEST

static void read_clock(uint32_t type, int64_t hz, int64_t ticks)
{
    kit_log l = kit_usual(SIZE);

    k.n = 0;
    l.clock = type;
    l.hz = hz;
    kit_begin_file(&k, &l);
    plain_buffer(ticks, "a", 0, SIZE);
    read_kit();
    ck_assert_uint_eq(n, 2);
}

START_TEST(clocks)
{
    tw_event e = { .record = k.at };
    tw_clock c;

    read_clock(1, 3117777, 1000 + 964540);
    ck_assert_int_eq(event[1].time, AFTER(309367860));
    ck_assert_pstr_eq(cell("trace_header", 0, "clock"), "QPC");
    ck_assert_pstr_eq(cell("trace_header", 0, "hz"), "3117777");
    ck_assert_int_eq(s->stage->clock(s->state, &e, &c), TW_OK);
    ck_assert_int_eq(c.ticks, 1000);
    ck_assert_int_eq(c.time, START);
    ck_assert_int_eq(c.hz, 3117777);
    ck_assert_int_eq(c.begin, START);
    ck_assert_int_eq(c.end, AFTER(10000000000));
    e.flags = 1 << 16; /* no such session */
    ck_assert_int_eq(s->stage->clock(s->state, &e, &c), TW_END);

    read_clock(1, 10000000, 1000 - 50); /* before the header's own time */
    ck_assert_int_eq(event[0].time, AFTER(-5000));
    read_clock(2, 10000000, KIT_START + 70);
    ck_assert_int_eq(event[1].time, AFTER(7000));
    ck_assert_pstr_eq(cell("trace_header", 0, "clock"), "system time");
    read_clock(3, 10000000, 1000 + 6000); /* 3000 MHz */
    ck_assert_int_eq(event[1].time, AFTER(2000));
    ck_assert_pstr_eq(cell("trace_header", 0, "clock"), "CPU cycles");
    ck_assert_uint_eq(skipped(), 0);
    read_clock(1, 0, 1010); /* no frequency */
    ck_assert_int_eq(event[1].time, AFTER(1000));
    ck_assert_uint_eq(count("guessed_clocks"), 1);
}
END_TEST

START_TEST(header_table)
{
    kit_log l = kit_usual(SIZE);

    l.mode = 0x10201001;
    l.pointer = 4;
    l.end = 0;
    l.events_lost = 41;
    l.buffers_lost = 2;
    kit_begin_file(&k, &l);
    kit_buffer(&k, 0, 0x22, 0); /* events were lost before this one */
    plain(1001, 'a');
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_pstr_eq(cell("trace_header", 0, "file"), "test.etl");
    ck_assert_pstr_eq(cell("trace_header", 0, "session"), "0");
    ck_assert_pstr_eq(cell("trace_header", 0, "version"), "10.0.1.5");
    ck_assert_pstr_eq(cell("trace_header", 0, "build"), "19041");
    ck_assert_pstr_eq(cell("trace_header", 0, "pointer_size"), "4");
    ck_assert_pstr_eq(cell("trace_header", 0, "mode_names"),
                      "SEQUENTIAL+ADD_HEADER+NO_PER_PROCESSOR_BUFFERING+0x200000");
    ck_assert_pstr_eq(cell("trace_header", 0, "events_lost"), "41");
    ck_assert_pstr_eq(cell("trace_header", 0, "timer_resolution"), "15.625ms");
    ck_assert_pstr_eq(cell("trace_header", 0, "boot"), "2019-12-31T23:00:00.000000000Z");
    ck_assert_pstr_eq(cell("trace_header", 0, "start"), "2020-01-01T00:00:00.000000000Z");
    ck_assert_pstr_eq(cell("trace_header", 0, "end"), "-");
    ck_assert_pstr_eq(cell("trace_header", 0, "time_zone_bias"), "-60");
    ck_assert_pstr_eq(cell("trace_header", 0, "logger"), "Logger");
    ck_assert_pstr_eq(cell("trace_header", 0, "log_file"), "C:\\out.etl");
    ck_assert_ptr_null(cell("trace_header", 1, "file"));
    ck_assert_pstr_eq(cell("trace_lost", 0, "events"), "41");
    ck_assert_pstr_eq(cell("trace_lost", 0, "buffers"), "2");
    ck_assert_pstr_eq(cell("trace_lost", 0, "places"), "1");
    ck_assert_pstr_eq(cell("trace_total", 0, "events"), "2");
    ck_assert_pstr_eq(cell("trace_total", 0, "buffers"), "2");
    ck_assert_pstr_eq(cell("trace_total", 0, "bytes"), "8192");
    ck_assert_pstr_eq(cell("trace_total", 0, "first"), "2020-01-01T00:00:00.000000000Z");
    ck_assert_pstr_eq(cell("trace_total", 0, "last"), "2020-01-01T00:00:00.000000100Z");
    ck_assert_ptr_null(cell("trace_skipped", 0, "file"));
    ck_assert_uint_eq(count("events_lost"), 41);
    ck_assert_uint_eq(s->done, 8192);
    ck_assert_uint_eq(s->total, 8192);
}
END_TEST

START_TEST(processors)
{
    usual(SIZE);
    plain_buffer(1001, "a", 0x8000 | 1300, SIZE); /* the index has 11 bits */
    kit_buffer(&k, 0, 0, 0x0803);                 /* Windows 7: a byte, and an alignment */
    plain(1002, 'b');
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_uint_eq(event[1].cpu, 1300);
    ck_assert_uint_eq(event[2].cpu, 3);
}
END_TEST

/* Buffers lie as they were written; a wrapped file begins with its newest part. */
START_TEST(order)
{
    usual(SIZE);
    plain_buffer(3000, "ghi", 0, SIZE);
    plain_buffer(1500, "bdef", 1, SIZE);
    plain_buffer(1200, "aaa", 0, SIZE);
    plain_buffer(1501, "c", 2, SIZE);
    read_kit();
    expect_marks("aaabdefcghi"); /* by buffers; the host does the rest */
    ck_assert_uint_eq(count("buffers"), 5);
}
END_TEST

START_TEST(empty_and_other_buffers)
{
    usual(SIZE);
    kit_buffer(&k, 0, 0x20, 0);
    kit_buffer_end(&k, SIZE);
    kit_buffer(&k, 6, 0x20, 0);
    plain(1001, 'x');
    kit_buffer_end(&k, SIZE);
    kit_buffer(&k, 7, 0x20, 0);
    plain(1001, 'x');
    kit_buffer_end(&k, SIZE);
    for (unsigned type = 1; type <= 5; type++) {
        if (type == 4) continue;
        kit_buffer(&k, type, 0x20, 0);
        plain(1001 + type, (uint8_t)('a' + type));
        kit_buffer_end(&k, SIZE);
    }
    read_kit();
    expect_marks("bcdf");
    ck_assert_uint_eq(count("marker_buffers"), 2);
    ck_assert_uint_eq(count("buffers"), 8);
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

START_TEST(appended)
{
    kit_log second = kit_usual(SIZE);
    tw_event e = { .record = (const uint8_t *)"", .flags = 1 << 16 };
    tw_value v = { 0 };
    tw_clock c;

    usual(SIZE);
    plain_buffer(5000, "cd", 0, SIZE);
    second.start = KIT_START + 2000; /* 200 microseconds later, its ticks from 100 on */
    second.ticks = 100;
    second.hz = 1000000;
    second.end = 0;
    kit_begin_file(&k, &second);
    plain_buffer(150, "b", 0, SIZE);
    plain_buffer(100 + 400, "e", 0, SIZE);
    read_kit();
    ck_assert_uint_eq(n, 6); /* both headers are events */
    expect_marks("bcde");
    ck_assert_int_eq(event[1].time, AFTER(200000));
    ck_assert_int_eq(event[2].time, AFTER(250000));
    ck_assert_int_eq(event[3].time, AFTER(400000));
    ck_assert_int_eq(event[5].time, AFTER(600000));
    ck_assert_uint_eq(event[3].flags >> 16, 0);
    ck_assert_uint_eq(event[5].flags >> 16, 1);
    ck_assert_int_eq(s->stage->clock(s->state, &e, &c), TW_OK);
    ck_assert_int_eq(c.hz, 1000000);
    ck_assert_int_eq(c.time, AFTER(200000));
    ck_assert_int_eq(c.begin, START); /* of all sessions */
    ck_assert_int_eq(c.end, 0);       /* not known of one of them */
    ck_assert_pstr_eq(cell("trace_header", 1, "session"), "1");

    /* Any event tells the header events of all sessions, by a number behind those of extended items. */
    ck_assert_int_eq(s->stage->extra(s->state, &e, 0x11000, 1, &v), TW_OK);
    ck_assert_int_eq(v.kind, TW_BYTES);
    ck_assert_uint_eq(v.t.bytes, 0x20 + 0x118 + 14 + 22);
    ck_assert_mem_eq(v.t.at, k.at + 2 * SIZE + 0x48, v.t.bytes);
    ck_assert_int_eq(s->stage->extra(s->state, &e, 0x11000, 2, &v), TW_END);
}
END_TEST

/* Files put together have the same shape, but their own buffer sizes. */
START_TEST(concatenated)
{
    usual(SIZE);
    plain_buffer(1100, "a", 0, SIZE);
    usual(2 * SIZE);
    plain_buffer(1200, "b", 0, 2 * SIZE);
    plain_buffer(1300, "c", 0, 2 * SIZE);
    usual(SIZE);
    plain_buffer(1400, "d", 0, SIZE);
    read_kit();
    expect_marks("abcd");
    ck_assert_uint_eq(skipped(), 0);
    ck_assert_uint_eq(count("buffers"), 7);
}
END_TEST

START_TEST(several_files)
{
    kit first;
    tw_input *input[2];

    usual(SIZE);
    plain_buffer(1100, "ace", 0, SIZE);
    plain_buffer(1300, "g", 0, SIZE);
    first = k;
    memset(&k, 0, sizeof k);
    usual(2 * SIZE);
    plain_buffer(1200, "bdf", 0, 2 * SIZE);
    input[0] = input_of_bytes(first.at, first.n, "one.etl");
    input[1] = input_of_bytes(k.at, k.n, "two.etl");
    kit_free(&first);
    s = source_new(&etl_read_stage, input, 2, 64);
    *(int *)source_option(s, "tables") = 1;
    ck_assert_int_eq(source_open(s), TW_OK);
    read_all(0);
    expect_marks("acebdfg");
    ck_assert_uint_eq(s->total, 7 * SIZE);
    ck_assert_pstr_eq(cell("trace_header", 1, "file"), "two.etl");
}
END_TEST

/* ---- Passes ---- */

START_TEST(again)
{
    usual(SIZE);
    plain_buffer(1001, "abc", 0, SIZE);
    plain_buffer(1101, "de", 0, SIZE);
    kit_set(&k, SIZE + 0x48 + 0x58, 1, 2);
    read_kit();
    expect_marks("ade");
    ck_assert_int_eq(s->stage->rewind(s->state), TW_OK);
    memset(s->count, 0, sizeof s->count);
    read_all(0);
    expect_marks("ade");
    ck_assert_uint_eq(n, 4);
    ck_assert_uint_eq(count("events"), 4);
    ck_assert_uint_eq(count("corrupt_events"), 1);
    ck_assert_uint_eq(types_count(s->types), 2);
}
END_TEST

/* What nobody wants is counted, but not given; asked again in the next pass. */
START_TEST(unwanted)
{
    usual(SIZE);
    plain_buffer(1001, "abc", 0, SIZE);
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    s->unwanted = GUID_TEXT;
    ck_assert_int_eq(source_open(s), TW_OK);
    read_all(0);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(count("events"), 4);
    s->unwanted = "EventTrace";
    ck_assert_int_eq(s->stage->rewind(s->state), TW_OK);
    read_all(0);
    expect_marks("abc");
    ck_assert_uint_eq(n, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("etl_read");
    TCase *c = tcase_create("etl_read");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, every_header);
    tcase_add_test(c, versions);
    tcase_add_test(c, clocks);
    tcase_add_test(c, header_table);
    tcase_add_test(c, processors);
    tcase_add_test(c, order);
    tcase_add_test(c, empty_and_other_buffers);
    tcase_add_test(c, appended);
    tcase_add_test(c, concatenated);
    tcase_add_test(c, several_files);
    tcase_add_test(c, again);
    tcase_add_test(c, unwanted);
    suite_add_tcase(suite, c);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
