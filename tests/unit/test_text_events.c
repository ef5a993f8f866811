/* test_text_events.c - text.events: columns, words, messages, and nothing that a terminal would obey. */
#include "events_kit.h"

extern const tw_stage text_events;

#define WHEN "1970-01-01T00:00:00.000001000Z   2      4     88  "

static rig *bare(const char *options)
{
    char all[256];
    snprintf(all, sizeof all, "heading=false %s", options);
    return sink_on_rig(&text_events, all);
}

START_TEST(columns)
{
    rig *r = sink_on_rig(&text_events, "");
    uint32_t type = make_type(r, "Nested", nested, COUNT_OF(nested));
    uint32_t longer = make_type(r, "AnEventWithANameOfFortyFourCharactersOrMore", NULL, 0);

    rig_event(r, type, -1, "\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 19)->pid = 12345678;
    tw_event *e = rig_event(r, longer, 0, NULL, 0);
    e->pid = e->tid = UINT32_MAX;
    e->cpu = 4095;
    add_event(r, type, "0000 00 0100000000000000 0200000000000000");
    ck_assert_str_eq(
        sink_says(r),
        "time (UTC)                     cpu    pid    tid  event                             message, fields\n"
        "1969-12-31T23:59:59.999999999Z   0 12345678      0  Test/Nested                       Count=0 Big=1 Big=2\n"
        "1970-01-01T00:00:00.000000000Z 4095      -      -  Test/AnEventWithANameOfFortyFourCharactersOrMore\n" WHEN
        "Test/Nested                                       Count=0 Big=1 Big=2\n");
    rig_free(r);
}
END_TEST

START_TEST(words)
{
    static const tw_field one[] = { FIELD("One", TW_U8) };
    rig *r = bare("");
    tw_type unknown = { .size = sizeof unknown, .provider = "Test", .name = "Raw", .why = "no schema" };

    add_event(r, make_type(r, "Nested", nested, COUNT_OF(nested)), nested_bytes);
    add_event(r, make_type(r, "Looks", looks, COUNT_OF(looks)), looks_bytes);
    add_event(r, make_type(r, "One", one, 1), "01 0203");
    add_event(r, make_type(r, "One", one, 1), "");
    add_event(r, rig_publish(r, &unknown), "c0ffee");
    ck_assert_str_eq(sink_says(r), WHEN
                     "Test/Nested                       Count=2 Items=[{Id=1 Tags=[0xaa, 0xbb] Name=\"A\"}, {Id=2 "
                     "Name=\"B\xEF\xBF\xBD\"}] Big=18446744073709551615 Big=-2\n" WHEN
                     "Test/Looks                        Colour=Red Other=9 Rights=READ|WRITE|0x4 Status=0x1f "
                     "Object=0xffffff8012345678 On=true Ratio=nan Address=10.0.0.1 Raw=0xc0ffee "
                     "Text=\"\\u001b[31m\\\"\\t>\"\n" WHEN
                     "Test/One                          One=1 [2 bytes more: 0x0203]\n" WHEN
                     "Test/One                          [cut short]\n" WHEN
                     "Test/Raw                          0xc0ffee [no schema]\n");
    rig_free(r);
}
END_TEST

/* Of what is not decoded, texts are shown that a person would look for: UTF-16 and bytes, of five characters at least. */
START_TEST(texts_in_the_unknown)
{
    rig *r = bare("");
    tw_type unknown = { .size = sizeof unknown, .provider = "Test", .name = "Raw", .why = "no schema" };
    uint32_t type = rig_publish(r, &unknown);

    add_event(r, type, "0107 2000 4800 6500 6c00 6c00 6f00 0000 4669 6c65 2e74 7874 00 4100 4200 4300 ff");
    add_event(r, type, "41424344");                    /* too short */
    add_event(r, type, "4100 4200 4300 4400 4500 46"); /* the last is half of one */
    ck_assert_str_eq(
        sink_says(r),
        WHEN "Test/Raw                          0x0107200048006500"
             "6c006c006f00000046696c652e74787400410042004300ff [no schema]  text: \"Hello\" \"File.txt\"\n" WHEN
             "Test/Raw                          0x41424344 [no schema]\n" WHEN
             "Test/Raw                          0x4100420043004400450046 [no schema]  text: \"ABCDE\"\n");
    rig_free(r);
}
END_TEST

/* A message that says all stands for the fields; else they come, too. Line ends in it are blanks. */
START_TEST(messages)
{
    static const tw_field two[] = { FIELD("User", TW_TEXT8), FIELD("Code", TW_U8) };
    static const tw_field hidden[] = { FIELD("User", TW_TEXT8), FIELD("Pad", TW_U8, .show = TW_SHOW_HIDE) };
    rig *r = bare("");
    tw_type t = { .size = sizeof t,
                  .provider = "Test",
                  .name = "Told",
                  .origin = "test",
                  .message = "%1 came\r\n  with %2.\r\n",
                  .field = two,
                  .nfields = 2 };
    uint32_t all = rig_publish(r, &t);
    t.message = "%1 came at 100%%2";
    uint32_t some = rig_publish(r, &t);
    t.field = hidden;
    uint32_t but_hidden = rig_publish(r, &t);

    add_event(r, all, "41 1b 00 07");
    add_event(r, all, "4100 07 ff");
    add_event(r, some, "4100 07");
    add_event(r, but_hidden, "4100 07");
    ck_assert_str_eq(sink_says(r),
                     WHEN "Test/Told                         A\\x1b came with 7.\n" WHEN
                          "Test/Told                         A came with 7.  User=\"A\" Code=7 [1 bytes "
                          "more: 0xff]\n" WHEN
                          "Test/Told                         A came at 100%2  User=\"A\" Code=7\n" WHEN
                          "Test/Told                         A came at 100%2\n");
    rig_free(r);
}
END_TEST

/* A number for a name is no name: task and opcode stand before it. Names are no more trusted than values. */
START_TEST(titles)
{
    rig *r = bare("");
    tw_type t = {
        .size = sizeof t, .provider = "Te\x1bst", .name = "12", .task_name = "Read", .opcode_name = "Stop"
    };

    add_event(r, rig_publish(r, &t), "");
    t.task_name = NULL;
    add_event(r, rig_publish(r, &t), "");
    t.name = "Named";
    add_event(r, rig_publish(r, &t), "");
    add_event(r, 0, "");
    ck_assert_str_eq(sink_says(r),
                     WHEN "Te\\x1bst/Read/Stop/12\n" WHEN "Te\\x1bst/Stop/12\n" WHEN "Te\\x1bst/Named\n" WHEN
                          "unknown                           [nothing is known about this sort of event]\n");
    rig_free(r);
}
END_TEST

START_TEST(on_request)
{
    static const uint8_t record[1];
    static const char activity[17] = "0123456789abcdef", none[16];
    static const uint32_t frames[] = { 0x80123456, 0x401000 };
    rig *r = bare("keywords=true activity=true stacks=true");
    tw_type t = { .size = sizeof t, .provider = "Test", .name = "Around", .keyword = 2, .keywords = &right };

    rig_set_extra(r, TW_X_ACTIVITY, 0, &(tw_value){ .kind = TW_GUID, .t = { none, 16, 0 } });
    rig_set_extra(r, TW_X_RELATED, 0, &(tw_value){ .kind = TW_GUID, .t = { activity, 16, 0 } });
    rig_set_extra(
        r, TW_X_STACK, 0,
        &(tw_value){ .kind = TW_U32, .show = TW_SHOW_ADDRESS, .count = 2, .t = { (const char *)frames, 8, 0 } });
    uint32_t type = rig_publish(r, &t);
    add_event(r, type, "");
    rig_event(r, type, 1000, NULL, 0)->record = record;
    ck_assert_str_eq(sink_says(r), WHEN
                     "Test/Around                       keywords=WRITE\n"
                     "1970-01-01T00:00:00.000001000Z   0      0      0  Test/Around                       "
                     "keywords=WRITE  related=33323130-3534-3736-3839-616263646566  stack=[0x80123456, 0x401000]\n");
    rig_free(r);
}
END_TEST

START_TEST(nothing_waits)
{
    rig *r = bare("");
    uint32_t type = make_type(r, "One", NULL, 0);

    add_event(r, type, "");
    sink_says(r);
    ck_assert_uint_eq(writes, 1);
    for (int i = 0; i < 100; i++) add_event(r, type, "");
    sink_says(r);
    ck_assert_uint_eq(writes, 2);
    rig_free(r);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("text.events");
    tcase_add_test(tests, columns);
    tcase_add_test(tests, words);
    tcase_add_test(tests, texts_in_the_unknown);
    tcase_add_test(tests, messages);
    tcase_add_test(tests, titles);
    tcase_add_test(tests, on_request);
    tcase_add_test(tests, nothing_waits);
    int status = fake_run_tests(tests, "text.events");
    text_free(&written);
    return status;
}
