/* test_etl_learn.c - etl.read: whom it believes about an event, and what it says at the end of decoding, losses, clocks. */
#include "etl_read_kit.h"

static const uint8_t metadata_class[16] = { 0xC1, 0xF6, 0xCC, 0xBB, 0xD1, 0x6C, 0xC4, 0x48,
                                            0x80, 0xFF, 0x83, 0x94, 0x82, 0xE3, 0x76, 0x71 };

/* A record that describes event 5 version 1 of `guid`: provider Made, task Thing, one UINT8 called Mark. */
static void description(int64_t ticks)
{
    size_t blob;

    kit_full(&k, 0x14, metadata_class, 0, 1, 1, ticks);
    kit_set(&k, k.event + 4, 32, 1); /* opcode EventInfo */
    blob = k.n;
    kit_bytes(&k, guid, 16);
    kit_bytes(&k, NULL, 16);
    kit_number(&k, 5, 2);
    kit_number(&k, 1, 1);
    kit_bytes(&k, NULL, 13);
    kit_number(&k, 0, 4);
    kit_bytes(&k, NULL, 0x64 - 0x34);
    kit_number(&k, 1, 4);
    kit_number(&k, 1, 4);
    kit_number(&k, 0, 4);
    kit_number(&k, 0, 4); /* the property: flags, name, types, map, count, length, reserved */
    kit_number(&k, 0, 4);
    kit_number(&k, 4, 2);
    kit_number(&k, 0, 2);
    kit_number(&k, 0, 4);
    kit_number(&k, 1, 2);
    kit_number(&k, 1, 2);
    kit_number(&k, 0, 4);
    kit_set(&k, blob + 0x34, k.n - blob, 4);
    kit_text16(&k, "Made ");
    kit_set(&k, blob + 0x44, k.n - blob, 4);
    kit_text16(&k, "Thing");
    kit_set(&k, blob + 0x70 + 4, k.n - blob, 4);
    kit_text16(&k, "Mark");
    kit_end_at(&k, 0);
}

static void read_with(const char *option, const char *text)
{
    static tw_input *list[2];

    close_source();
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    *(int *)source_option(s, "tables") = 1;
    list[0] = input_of_bytes(text, strlen(text), "folder/mine.man");
    *(tw_input *const **)source_option(s, option) = list;
    ck_assert_msg(source_open(s) == TW_OK, "%s", s->said);
    read_all(0);
    input_close(list[0]);
}

static const char manifest[] =
    "<m><provider name=\"Mine\" guid=\"{" GUID_TEXT "}\">"
    "<events><event value=\"5\" version=\"1\" symbol=\"Five\" template=\"t\"/></events>"
    "<templates><template tid=\"t\"><data name=\"Byte\" inType=\"win:UInt8\"/></template></templates></provider></m>";

START_TEST(nobody_knows)
{
    usual(SIZE);
    plain_buffer(1100, "a", 0, SIZE);
    read_kit();
    ck_assert_str_eq(event[1].type->provider, GUID_TEXT);
    ck_assert_str_eq(event[1].type->name, "5");
    ck_assert_ptr_null(event[1].type->origin);
    ck_assert_str_eq(event[1].type->why, "no schema for provider " GUID_TEXT);
    ck_assert_pstr_eq(cell("trace_schemas", 1, "key"), GUID_TEXT);
    ck_assert_pstr_eq(cell("trace_schemas", 1, "decoded_by"), "-");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "why"), "no schema for provider " GUID_TEXT);
    ck_assert_pstr_eq(cell("trace_schemas", 1, "events"), "1");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "bytes"), "88"); /* 50h of header, one byte, padding */
    ck_assert_ptr_nonnull(strstr(cell("trace_schemas", 1, "hint"), "--manifest"));
}
END_TEST

START_TEST(described_behind)
{
    usual(SIZE);
    plain_buffer(1100, "ab", 0, SIZE);
    kit_buffer(&k, 0, 0x20, 0);
    description(1200);
    kit_buffer_end(&k, SIZE);
    read_kit();
    expect_marks("ab");
    ck_assert_str_eq(event[1].type->provider, "Made");
    ck_assert_str_eq(event[1].type->origin, "in the trace");
    ck_assert_uint_eq(event[1].type->nfields, 1);
    ck_assert_str_eq(event[1].type->field[0].name, "Mark");
    ck_assert_int_eq(event[1].type->field[0].kind, TW_U8);
    ck_assert_str_eq(event[3].type->name, "EventInfo");
    ck_assert_uint_eq(count("broken_descriptions"), 0);
    read_with("manifest", manifest); /* the trace is believed first */
    ck_assert_str_eq(event[1].type->provider, "Made");
}
END_TEST

START_TEST(the_users_manifest)
{
    usual(SIZE);
    plain_buffer(1100, "ab", 0, SIZE);
    read_with("manifest", manifest);
    ck_assert_str_eq(event[1].type->provider, "Mine");
    ck_assert_str_eq(event[1].type->name, "Five");
    ck_assert_str_eq(event[1].type->origin, "mine.man");
    ck_assert_str_eq(event[1].type->field[0].name, "Byte");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "provider"), "Mine");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "decoded_by"), "mine.man");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "events"), "2");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "hint"), "-");
}
END_TEST

START_TEST(a_broken_manifest)
{
    usual(SIZE);
    plain_buffer(1100, "a", 0, SIZE);
    read_with("manifest", "<m><provider name=\"Mine\"");
    ck_assert_str_eq(event[1].type->why, "no schema for provider " GUID_TEXT);
    ck_assert_uint_eq(count("manifest_faults"), 1);
    ck_assert_ptr_nonnull(strstr(s->logged, "folder/mine.man is not used: "));
}
END_TEST

START_TEST(a_broken_description)
{
    usual(SIZE);
    plain_buffer(1100, "a", 0, SIZE);
    kit_buffer(&k, 0, 0x20, 0);
    kit_full(&k, 0x14, metadata_class, 0, 1, 1, 1200);
    kit_set(&k, k.event + 4, 32, 1);
    kit_bytes(&k, NULL, 0x20); /* shorter than its head */
    kit_end_at(&k, 0);
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_uint_eq(count("broken_descriptions"), 1);
    ck_assert_ptr_null(event[1].type->origin);
}
END_TEST

/* Two that differ in their descriptions alone, the first one twice. */
static uint32_t refusals;

static uint32_t refuse_type(void *self, const tw_type *t)
{
    (void)self;
    (void)t;
    refusals++;
    return 0;
}

/* As where a trace has more types than there are ids: its events go on, and a type is asked for once. */
START_TEST(types_that_the_host_refuses)
{
    usual(SIZE);
    plain_buffer(1100, "abcd", 0, SIZE);
    close_source();
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    tw_host host = *s->state->host;
    host.publish = refuse_type;
    s->state->host = &host;
    refusals = 0;
    ck_assert_msg(source_open(s) == TW_OK, "%s", s->said);
    read_all(0);
    ck_assert_uint_eq(n, 5);
    ck_assert_int_eq(event[4].data[0], 'd');
    ck_assert_str_eq(event[1].type->name, "unknown");
    ck_assert_uint_eq(refusals, 2); /* of the log-file header and of the others */
    close_source();
}
END_TEST

START_TEST(events_that_describe_themselves)
{
    const uint8_t first[] = { 8, 0, 0, 'E', 0, 'f', 0, 4 }, second[] = { 8, 0, 0, 'E', 0, 'g', 0, 3 };
    const uint8_t *item[] = { first, second, first };

    usual(SIZE);
    kit_buffer(&k, 0, 0x20, 0);
    for (int i = 0; i < 3; i++) {
        kit_event(&k, 0x13, 1, guid, 0, 0, 8, 9, 1100 + i);
        kit_item(&k, 0x0B, 0, item[i], 8);
        kit_number(&k, 0xFF, 1);
        kit_end_at(&k, 0);
    }
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_str_eq(event[1].type->name, "E");
    ck_assert_str_eq(event[1].type->origin, "in the event");
    ck_assert_str_eq(event[1].type->field[0].name, "f");
    ck_assert_str_eq(event[2].type->field[0].name, "g");
    ck_assert_ptr_eq(event[3].type, event[1].type);
    ck_assert_pstr_eq(cell("trace_schemas", 1, "types"), "2");
    ck_assert_pstr_eq(cell("trace_schemas", 1, "events"), "3");
}
END_TEST

/* A trace can make up a type for each event. Those of other sorts keep their names. */
START_TEST(more_types_than_there_are_ids)
{
    enum { BIG = 16 << 20, MOST = 49152, MORE = 20000 };

    usual(BIG);
    kit_buffer(&k, 0, 0x20, 0);
    for (uint32_t i = 0; i < MOST + MORE; i++) {
        uint8_t item[] = { 8,
                           0,
                           0,
                           (uint8_t)('a' + i % 26),
                           (uint8_t)('a' + i / 26 % 26),
                           (uint8_t)('a' + i / 676 % 26),
                           (uint8_t)('a' + i / 17576),
                           0 };
        kit_event(&k, 0x13, 1, guid, 0, 0, 8, 9, 1100 + i);
        kit_item(&k, 0x0B, 0, item, 8);
        kit_end_at(&k, 0);
    }
    plain(1100 + MOST + MORE, 'x');
    kit_buffer_end(&k, BIG);
    close_source();
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 8192);
    ck_assert_msg(source_open(s) == TW_OK, "%s", s->said);
    read_all(0);
    ck_assert_uint_eq(n, 1 + MOST + MORE + 1);
    ck_assert_str_eq(event[MOST].type->origin, "in the event");
    ck_assert_str_eq(event[MOST + 1].type->name, "unknown");
    ck_assert_str_eq(event[n - 1].type->provider, GUID_TEXT);
    ck_assert_uint_eq(count("too_many_types"), MORE);
}
END_TEST

/* What a person is told first. */
START_TEST(summary_of_a_whole_trace)
{
    usual(SIZE);
    read_kit();
    ck_assert_pstr_eq(cell("trace_summary", 0, "trace"), "test.etl, 4,096 bytes");
    ck_assert_pstr_eq(cell("trace_summary", 0, "recorded"), "2020-01-01 00:00:00 UTC, 0.000 s");
    ck_assert_pstr_eq(cell("trace_summary", 0, "session"), "Logger");
    ck_assert_pstr_eq(cell("trace_summary", 0, "machine"), "Windows 10.0 build 19041, 4 processors");
    ck_assert_pstr_eq(cell("trace_summary", 0, "holds"), "1 event in 1 buffer");
    ck_assert_pstr_eq(cell("trace_summary", 0, "lost"), "nothing");
    ck_assert_pstr_eq(cell("trace_summary", 0, "skipped"), "nothing");
    ck_assert_pstr_eq(cell("trace_summary", 0, "decoded"), "all events");
    ck_assert_pstr_eq(cell("trace_summary", 0, "missing"), "nothing");
    ck_assert_ptr_null(cell("trace_summary", 1, "trace"));
}
END_TEST

START_TEST(summary_of_what_is_missing)
{
    kit_log l = kit_usual(SIZE);

    l.events_lost = 1234;
    l.mode = 0x10002;
    l.end = 0;
    kit_begin_file(&k, &l);
    plain_buffer(1100, "ab", 0, SIZE);
    kit_buffer(&k, 0, 0x22, 0);
    plain(1200, 'c');
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_pstr_eq(cell("trace_summary", 0, "recorded"),
                      "2020-01-01 00:00:00 UTC, 0.000 s; the session was never closed");
    ck_assert_pstr_eq(cell("trace_summary", 0, "session"), "Logger, merged, circular");
    ck_assert_pstr_eq(cell("trace_summary", 0, "lost"),
                      "1,234 events and 0 buffers, as the header says; 1 place, see trace_losses");
    ck_assert_pstr_eq(cell("trace_summary", 0, "decoded"), "1 event of 4 (25.0 %)");
    const char *missing = cell("trace_summary", 0, "missing");
    ck_assert_msg(!strncmp(missing, GUID_TEXT " (3 events): give the provider's manifest with --manifest", 70), "%s",
                  missing);
}
END_TEST

START_TEST(losses)
{
    usual(SIZE);
    plain_buffer(1100, "a", 1, SIZE);
    kit_buffer(&k, 0, 0x24, 1);
    plain(1200, 'b');
    kit_buffer_end(&k, SIZE);
    kit_buffer(&k, 0, 0x22, 3);
    plain(1300, 'c');
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_pstr_eq(cell("trace_losses", 0, "cpu"), "1");
    ck_assert_pstr_eq(cell("trace_losses", 0, "what"), "buffers");
    ck_assert_pstr_eq(cell("trace_losses", 0, "after"), "2020-01-01T00:00:00.000010000Z");
    ck_assert_pstr_eq(cell("trace_losses", 0, "before"), "2020-01-01T00:00:00.000020000Z");
    ck_assert_pstr_eq(cell("trace_losses", 0, "offset"), "0x2000");
    ck_assert_pstr_eq(cell("trace_losses", 1, "cpu"), "3");
    ck_assert_pstr_eq(cell("trace_losses", 1, "what"), "events");
    ck_assert_pstr_eq(cell("trace_losses", 1, "after"), "-");
    ck_assert_ptr_null(cell("trace_losses", 2, "cpu"));
}
END_TEST

START_TEST(clocks_in_order)
{
    usual(SIZE);
    plain_buffer(1100, "a", 0, SIZE);
    read_kit();
    ck_assert_ptr_null(cell("trace_clocks", 0, "fact"));
}
END_TEST

START_TEST(odd_clocks)
{
    kit_log l = kit_usual(SIZE);

    l.clock = 2;
    l.ticks = KIT_START;
    kit_begin_file(&k, &l);
    kit_buffer(&k, 0, 0x20, 0);
    plain(KIT_START + 130000000, 'a'); /* three seconds after the end */
    kit_buffer_end(&k, SIZE);
    read_kit();
    ck_assert_pstr_eq(cell("trace_clocks", 0, "fact"),
                      "times are the system's clock, which stands still between two clock interrupts");
    ck_assert_pstr_eq(cell("trace_clocks", 0, "by"), "15.625ms");
    ck_assert_pstr_eq(cell("trace_clocks", 1, "fact"), "events after the session's end");
    ck_assert_pstr_eq(cell("trace_clocks", 1, "at"), "2020-01-01T00:00:13.000000000Z");
    ck_assert_pstr_eq(cell("trace_clocks", 1, "by"), "3s");
    ck_assert_ptr_null(cell("trace_clocks", 2, "fact"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("etl_learn");
    TCase *t = tcase_create("all");
    SRunner *r;
    int failed;

    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_test(t, nobody_knows);
    tcase_add_test(t, described_behind);
    tcase_add_test(t, the_users_manifest);
    tcase_add_test(t, a_broken_manifest);
    tcase_add_test(t, a_broken_description);
    tcase_add_test(t, types_that_the_host_refuses);
    tcase_add_test(t, events_that_describe_themselves);
    tcase_add_test(t, more_types_than_there_are_ids);
    tcase_add_test(t, summary_of_a_whole_trace);
    tcase_add_test(t, summary_of_what_is_missing);
    tcase_add_test(t, losses);
    tcase_add_test(t, clocks_in_order);
    tcase_add_test(t, odd_clocks);
    suite_add_tcase(suite, t);
    r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed;
}
