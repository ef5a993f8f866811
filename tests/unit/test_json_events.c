/* test_json_events.c - json.events: nesting, looks, what is not decoded, and what lies around a payload. */
#include "events_kit.h"

#include <jansson.h>

extern const tw_stage json_events;

#define HEAD(event, bytes)                                                                                           \
    "{\"time\":\"1970-01-01T00:00:00.000001000Z\",\"provider\":\"Test\",\"event\":\"" event                          \
    "\",\"id\":7,\"version\":1,\"pid\":4,\"tid\":88,\"cpu\":2,\"bytes\":" bytes ","

/* Half a pair of UTF-16 is U+FFFD; 64-bit numbers have all their digits. */
START_TEST(nesting)
{
    rig *r = sink_on_rig(&json_events, "");
    uint32_t type = make_type(r, "Nested", nested, COUNT_OF(nested));

    add_event(r, type, nested_bytes);
    add_event(r, type, "0000 00 0100000000000000 0200000000000000");
    ck_assert_str_eq(
        sink_says(r),
        HEAD("Nested", "35") "\"fields\":{\"Count\":2,\"Items\":[{\"Id\":1,\"Tags\":[\"0xaa\",\"0xbb\"],\"Name\":"
                             "\"A\"},{\"Id\":2,\"Tags\":[],\"Name\":\"B\xEF\xBF\xBD\"}],\"None\":[],"
                             "\"Big\":18446744073709551615,\"Big#2\":-2}}\n" HEAD(
                                 "Nested",
                                 "19") "\"fields\":{\"Count\":0,\"Items\":[],\"None\":[],\"Big\":1,\"Big#2\":2}}\n");
    rig_free(r);
}
END_TEST

START_TEST(all_looks)
{
    rig *r = sink_on_rig(&json_events, "");

    add_event(r, make_type(r, "Looks", looks, COUNT_OF(looks)), looks_bytes);
    ck_assert_str_eq(
        sink_says(r),
        HEAD("Looks", "47") "\"fields\":{\"Colour\":\"Red\",\"Other\":\"9\",\"Rights\":\"READ|WRITE|0x4\",\"Status\":"
                            "\"0x1f\",\"Object\":\"0xffffff8012345678\",\"On\":true,\"Ratio\":null,\"Address\":"
                            "\"10.0.0.1\",\"Raw\":\"c0ffee\",\"Text\":\"\\u001b[31m\\\"\\t>\"}}\n");
    rig_free(r);
}
END_TEST

START_TEST(numbers)
{
    rig *r = sink_on_rig(&json_events, "numbers=true");

    add_event(r, make_type(r, "Looks", looks, COUNT_OF(looks)), looks_bytes);
    ck_assert_str_eq(sink_says(r),
                     HEAD("Looks", "47") "\"fields\":{\"Colour\":1,\"Other\":9,\"Rights\":7,\"Status\":31,"
                                         "\"Object\":18446743524259157624,\"On\":true,\"Ratio\":null,\"Address\":"
                                         "\"10.0.0.1\",\"Raw\":\"c0ffee\",\"Text\":\"\\u001b[31m\\\"\\t>\"}}\n");
    rig_free(r);
}
END_TEST

/* What was cut off is not called empty; the part of a text that is there is given. */
START_TEST(cut_short)
{
    rig *r = sink_on_rig(&json_events, "");
    uint32_t type = make_type(r, "Nested", nested, COUNT_OF(nested));

    add_event(r, type, "0200 01 02 aabb 41000000 02");
    add_event(r, type, "0100 05 00 4100 42");
    add_event(r, type, "01");
    add_event(r, type, "");
    ck_assert_str_eq(
        sink_says(r),
        HEAD("Nested",
             "11") "\"fields\":{\"Count\":2,\"Items\":[{\"Id\":1,\"Tags\":[\"0xaa\",\"0xbb\"],\"Name\":\"A\"},"
                   "{\"Id\":2}]},\"cut\":true}\n" HEAD(
                       "Nested", "7") "\"fields\":{\"Count\":1,\"Items\":[{\"Id\":5,\"Tags\":[],\"Name\":\"A\"}]},"
                                      "\"cut\":true}\n" HEAD(
                                          "Nested", "1") "\"fields\":{},\"undecoded\":\"01\",\"why\":"
                                                         "\"more bytes than its fields take\","
                                                         "\"cut\":true}\n" HEAD("Nested",
                                                                                "0") "\"fields\":{},\"cut\":true}\n");
    rig_free(r);
}
END_TEST

START_TEST(not_decoded)
{
    static const tw_field one[] = { FIELD("One", TW_U8) };
    rig *r = sink_on_rig(&json_events, "");
    uint32_t unknown = rig_publish(r, &(tw_type){ .size = sizeof(tw_type),
                                                  .provider = "Test",
                                                  .name = "Raw",
                                                  .number = 7,
                                                  .version = 1,
                                                  .why = "no \"schema\"" });

    add_event(r, unknown, "00ff");
    add_event(r, unknown, "");
    add_event(r, make_type(r, "More", one, 1), "010203");
    add_event(r, make_type(r, "Bare", NULL, 0), "");
    ck_assert_str_eq(
        sink_says(r),
        HEAD("Raw", "2") "\"fields\":{},\"undecoded\":\"00ff\",\"why\":\"no \\\"schema\\\"\"}\n" HEAD(
            "Raw", "0") "\"fields\":{},\"why\":\"no \\\"schema\\\"\"}\n" HEAD("More",
                                                                              "3") "\"fields\":{\"One\":1},"
                                                                                   "\"undecoded\":\"0203\",\"why\":"
                                                                                   "\"more bytes than its fields "
                                                                                   "take\"}\n" HEAD("Bare",
                                                                                                    "0") "\"fields\""
                                                                                                         ":{}}\n");
    rig_free(r);
}
END_TEST

/* A FILETIME of 0 is no time: its place in an array stays, alone it is not there. */
START_TEST(values_that_are_none)
{
    static const tw_field times[] = {
        FIELD("When", TW_FILETIME),
        FIELD("Times", TW_FILETIME, .count_by = TW_FIXED, .count = 2),
    };
    rig *r = sink_on_rig(&json_events, "");

    add_event(r, make_type(r, "Times", times, 2), "0000000000000000 0000000000000000 00803ed5deb19d01");
    ck_assert_str_eq(sink_says(r),
                     HEAD("Times", "24") "\"fields\":{\"Times\":[null,\"1970-01-01T00:00:00.000000000Z\"]}}\n");
    rig_free(r);
}
END_TEST

/* Members that an event may have; names hold for the type's own numbers only. */
START_TEST(around_it)
{
    static const uint8_t record[1];
    static const char activity[17] = "0123456789abcdef";
    static const uint64_t frames[] = { 0xfffff80312345678, 0x7ff612340000 };
    static const tw_field number[] = { FIELD("Number", TW_U8) };
    tw_type t = { .size = sizeof t,
                  .provider = "Test",
                  .name = "Around",
                  .origin = "test",
                  .number = 7,
                  .version = 1,
                  .level = 4,
                  .level_name = "Information",
                  .task = 3,
                  .opcode = 1,
                  .opcode_name = "Start",
                  .keyword = 2,
                  .keywords = &right,
                  .message = "It is %1!",
                  .field = number,
                  .nfields = 1 };
    rig *r = sink_on_rig(&json_events, "keywords=true activity=true stacks=true");
    uint32_t type = rig_publish(r, &t);

    rig_set_extra(r, TW_X_OPCODE, 0, &(tw_value){ .kind = TW_U8, .u = 2 });
    rig_set_extra(r, TW_X_KEYWORD, 0, &(tw_value){ .kind = TW_U64, .u = 0x8000000000000001 });
    rig_set_extra(r, TW_X_ACTIVITY, 0, &(tw_value){ .kind = TW_GUID, .t = { activity, 16, 0 } });
    rig_set_extra(
        r, TW_X_STACK, 0,
        &(tw_value){ .kind = TW_U64, .show = TW_SHOW_ADDRESS, .count = 2, .t = { (const char *)frames, 16, 0 } });
    add_event(r, type, "05");
    rig_event(r, type, 1000, "\5", 1)->record = record;
    ck_assert_str_eq(sink_says(r),
                     "{\"time\":\"1970-01-01T00:00:00.000001000Z\",\"provider\":\"Test\",\"event\":"
                     "\"Around\",\"id\":7,\"version\":1,"
                     "\"level\":\"Information\",\"task\":3,\"opcode\":\"Start\",\"keywords\":\"WRITE\","
                     "\"pid\":4,\"tid\":88,\"cpu\":2,\"bytes\":1,"
                     "\"message\":\"It is 5!\",\"fields\":{\"Number\":5}}\n"
                     "{\"time\":\"1970-01-01T00:00:00.000001000Z\",\"provider\":\"Test\",\"event\":"
                     "\"Around\",\"id\":7,\"version\":1,"
                     "\"level\":\"Information\",\"task\":3,\"opcode\":2,\"keywords\":\"READ|"
                     "0x8000000000000000\",\"pid\":0,\"tid\":0,"
                     "\"cpu\":0,\"bytes\":1,\"activity\":\"33323130-3534-3736-3839-616263646566\",\"message\":\"It "
                     "is 5!\",\"fields\":{\"Number\":5},"
                     "\"stack\":[\"0xfffff80312345678\",\"0x7ff612340000\"]}\n");
    rig_free(r);
}
END_TEST

/* Whatever a payload holds, each line is an object with no two members of one name. */
START_TEST(any_payload)
{
    rig *r = sink_on_rig(&json_events, "");
    const uint32_t type[] = { make_type(r, "Nested", nested, COUNT_OF(nested)),
                              make_type(r, "Looks", looks, COUNT_OF(looks)), make_type(r, "Bare", NULL, 0) };
    uint64_t random = 1;
    uint8_t bytes[96];
    int lines = 0;

    for (int n = 0; n < 20000; n++) {
        uint32_t length = (uint32_t)(random >> 40) % sizeof bytes;
        for (uint32_t i = 0; i < length; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            bytes[i] = (uint8_t)(random >> 56) & (random >> 50 & 1 ? 0xFF : 0x03);
        }
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        rig_event(r, type[n % 3], n, bytes, length);
        if (n % 100 == 99) sink_says(r);
    }
    for (const char *at = text_of(&written), *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
        json_error_t why;
        json_t *line = json_loadb(at, (size_t)(end - at), JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
        ck_assert_msg(line && json_is_object(json_object_get(line, "fields")), "%s: %.*s", why.text, (int)(end - at),
                      at);
        json_decref(line);
    }
    ck_assert_int_eq(lines, 20000);
    rig_free(r);
}
END_TEST

/* A batch is handed on as it comes, however little it is; a large one in pages. */
START_TEST(nothing_waits)
{
    static const tw_field one[] = { FIELD("One", TW_U8) };
    rig *r = sink_on_rig(&json_events, "");
    uint32_t type = make_type(r, "One", one, 1);

    add_event(r, type, "01");
    sink_says(r);
    ck_assert_uint_eq(writes, 1);
    for (int i = 0; i < 100; i++) add_event(r, type, "01");
    sink_says(r);
    ck_assert_uint_eq(writes, 2);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(writes, 2);
    rig_free(r);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("json.events");
    tcase_add_test(tests, nesting);
    tcase_add_test(tests, all_looks);
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, cut_short);
    tcase_add_test(tests, not_decoded);
    tcase_add_test(tests, values_that_are_none);
    tcase_add_test(tests, around_it);
    tcase_add_test(tests, any_payload);
    tcase_add_test(tests, nothing_waits);
    int status = fake_run_tests(tests, "json.events");
    text_free(&written);
    return status;
}
