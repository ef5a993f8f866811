/* test_value.c - values, GUIDs and payloads as text. */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "payload_kit.h"

static const char *printed(const tw_field *f, tw_value v)
{
    static char out[512];
    int n = value_print(f, &v, out, sizeof out);
    ck_assert_int_eq(n, (int)strlen(out));
    return out;
}

#define NUMBER(sort, number)       ((tw_value){ .kind = sort, .u = (uint64_t)(number) })
#define SHOWN(sort, number, how)   ((tw_value){ .kind = sort, .show = how, .u = (uint64_t)(number) })
#define LIES(sort, text)           ((tw_value){ .kind = sort, .t = { .at = text, .bytes = sizeof(text) - 1 } })
#define ck_prints(value, expected) ck_assert_str_eq(printed(NULL, value), expected)

START_TEST(integers)
{
    ck_prints(NUMBER(TW_U8, 255), "255");
    ck_prints(NUMBER(TW_I8, -128), "-128");
    ck_prints(NUMBER(TW_U64, UINT64_MAX), "18446744073709551615");
    ck_prints(NUMBER(TW_I64, INT64_MIN), "-9223372036854775808");
    ck_prints(NUMBER(TW_U32, 0), "0");
    ck_prints(SHOWN(TW_U32, 0, TW_SHOW_HEX), "0x0");
    ck_prints(SHOWN(TW_I32, -1, TW_SHOW_HEX), "0xffffffff");
    ck_prints(SHOWN(TW_I8, -1, TW_SHOW_CODE), "0xff");
    ck_prints(SHOWN(TW_U64, 0xABCDEF, TW_SHOW_ADDRESS), "0xabcdef");
    ck_prints(NUMBER(TW_POINTER, 0x10), "0x10");
    ck_prints(SHOWN(TW_U16, 443, TW_SHOW_PORT), "443");
    ck_prints(SHOWN(TW_U32, 0x0100007F, TW_SHOW_IP4), "127.0.0.1");
    ck_prints(SHOWN(TW_U32, 5, TW_SHOW_NTSTATUS), "0x00000005");
    ck_prints(SHOWN(TW_I32, (int32_t)0xC0000022, TW_SHOW_NTSTATUS), "0xc0000022(STATUS_ACCESS_DENIED)");
    ck_prints(SHOWN(TW_U64, INT64_MIN + 0x102, TW_SHOW_NTSTATUS), "0x8000000000000102");
    ck_prints(SHOWN(TW_U32, 0x80070005, TW_SHOW_HRESULT), "0x80070005(ERROR_ACCESS_DENIED)");
    ck_prints(SHOWN(TW_U32, 5, TW_SHOW_WIN32), "5(ERROR_ACCESS_DENIED)");
    ck_prints(SHOWN(TW_I32, -1, TW_SHOW_WIN32), "4294967295");
    ck_prints(SHOWN(TW_U32, 4294967295, TW_SHOW_PID), "4294967295");
    ck_prints(SHOWN(TW_U8, 'a', TW_SHOW_CHAR), "a");
    ck_prints(SHOWN(TW_U8, 0x80, TW_SHOW_CHAR), "€");
    ck_prints(SHOWN(TW_U16, 0x20AC, TW_SHOW_CHAR), "€");
    ck_prints(SHOWN(TW_U16, 0xD800, TW_SHOW_CHAR), "\xEF\xBF\xBD");
    ck_prints(SHOWN(TW_U16, 0, TW_SHOW_CHAR), "");
    ck_prints(NUMBER(TW_BOOL, 1), "true");
    ck_prints(NUMBER(TW_BOOL, 0), "false");
    ck_prints(NUMBER(TW_TICKS, -5), "-5");
    ck_prints(NUMBER(0, 7), "");
}
END_TEST

START_TEST(names_of_values)
{
    const tw_name list[] = { { 0, "None" }, { 1, "Read" }, { 2, "Write" }, { 3, "Both" }, { 0xFFFFFFFF, "All" } };
    const tw_names single = { .size = sizeof single, .n = 5, .name = list };
    const tw_name bit[] = { { 1, "A" }, { 2, "B" }, { 0x10, "C" }, { 0x30, "D" } };
    const tw_names bits = { .size = sizeof bits, .n = 4, .flags = TW_BITS, .name = bit };
    const tw_field one = { .names = &single }, many = { .names = &bits };

    ck_assert_str_eq(printed(&one, NUMBER(TW_U32, 0)), "None");
    ck_assert_str_eq(printed(&one, NUMBER(TW_U8, 2)), "Write");
    ck_assert_str_eq(printed(&one, NUMBER(TW_I32, -1)), "All");
    ck_assert_str_eq(printed(&one, NUMBER(TW_U32, 4)), "4");
    ck_assert_str_eq(printed(&one, SHOWN(TW_U32, 4, TW_SHOW_HEX)), "0x4");
    ck_assert_str_eq(printed(&one, NUMBER(TW_BOOL, 1)), "Read");
    ck_assert_str_eq(printed(&many, NUMBER(TW_U32, 3)), "A|B");
    ck_assert_str_eq(printed(&many, NUMBER(TW_U32, 0x43)), "A|B|0x40");
    ck_assert_str_eq(printed(&many, NUMBER(TW_U32, 0x30)), "D");
    ck_assert_str_eq(printed(&many, NUMBER(TW_U32, 0x40)), "0x40");
    ck_assert_str_eq(printed(&many, NUMBER(TW_U32, 0)), "0");
    ck_assert_str_eq(printed(&many, NUMBER(TW_I8, -128)), "0x80");
}
END_TEST

START_TEST(floats)
{
    ck_prints(((tw_value){ .kind = TW_F64, .f = 0.1 }), "0.1");
    ck_prints(((tw_value){ .kind = TW_F64, .f = 1.0 / 3 }), "0.3333333333333333");
    ck_prints(((tw_value){ .kind = TW_F64, .f = 0.1 + 0.2 }), "0.30000000000000004");
    ck_prints(((tw_value){ .kind = TW_F64, .f = 100 }), "100");
    ck_prints(((tw_value){ .kind = TW_F64, .f = -0.0 }), "-0");
    ck_prints(((tw_value){ .kind = TW_F64, .f = DBL_MAX }), "1.7976931348623157e+308");
    ck_prints(((tw_value){ .kind = TW_F64, .f = NAN }), "nan");
    ck_prints(((tw_value){ .kind = TW_F64, .f = -NAN }), "nan");
    ck_prints(((tw_value){ .kind = TW_F64, .f = -INFINITY }), "-inf");
    ck_prints(((tw_value){ .kind = TW_F32, .f = 0.1f }), "0.1");
    ck_prints(((tw_value){ .kind = TW_F32, .f = 16777217.f }), "16777216");
    ck_prints(((tw_value){ .kind = TW_F32, .f = FLT_MAX }), "3.4028235e+38");
}
END_TEST

START_TEST(spans_and_times)
{
    ck_prints(NUMBER(TW_SPAN, 0), "0s");
    ck_prints(NUMBER(TW_SPAN, 1), "1ns");
    ck_prints(NUMBER(TW_SPAN, 999), "999ns");
    ck_prints(NUMBER(TW_SPAN, 1500), "1.5us");
    ck_prints(NUMBER(TW_SPAN, 1234567), "1.234567ms");
    ck_prints(NUMBER(TW_SPAN, 1000000), "1ms");
    ck_prints(NUMBER(TW_SPAN, INT64_C(15000000000)), "15s");
    ck_prints(NUMBER(TW_SPAN, INT64_C(90061000000001)), "90061.000000001s");
    ck_prints(NUMBER(TW_SPAN, -1500), "-1.5us");
    ck_prints(NUMBER(TW_SPAN, INT64_MIN), "-9223372036.854775808s");
    ck_prints(NUMBER(TW_TIME, 0), "1970-01-01T00:00:00.000000000Z");
    ck_prints(NUMBER(TW_TIME, INT64_C(1700000000123456789)), "2023-11-14T22:13:20.123456789Z");
}
END_TEST

START_TEST(addresses)
{
    static const struct {
        const char *hex, *text;
    } ip6[] = {
        { "00000000000000000000000000000000", "::" },
        { "00000000000000000000000000000001", "::1" },
        { "20010db8000000000000000000000001", "2001:db8::1" },
        { "20010db8000000010001000100010001", "2001:db8:0:1:1:1:1:1" }, /* one group of zeros stays */
        { "20010000000000010000000000000001", "2001:0:0:1::1" },        /* the longest run */
        { "20010db8000000000001000000000001", "2001:db8::1:0:0:1" },    /* the first of two as long */
        { "fe800000000000000000000000000000", "fe80::" },
        { "00010002000300040005000600070008", "1:2:3:4:5:6:7:8" },
        { "00000002000300040005000600070000", "0:2:3:4:5:6:7:0" },
        { "00000000000000000000ffffc0000280", "::ffff:192.0.2.128" },
        { "0000000000000000000000000a000001", "::a00:1" },
        { "ffffffffffffffffffffffffffffffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
    };
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof ip6 / sizeof *ip6; i++) {
        tw_value v = { .kind = TW_IP6, .t = { .at = (const char *)bytes, .bytes = kit_parse(ip6[i].hex, bytes) } };
        ck_prints(v, ip6[i].text);
    }
    ck_prints(LIES(TW_IP4, "\x0A\x00\xFF\x01"), "10.0.255.1");
    ck_prints(LIES(TW_SOCKADDR, "\x02\x00\x01\xBB\x01\x02\x03\x04"), "1.2.3.4:443");
    ck_prints(LIES(TW_SOCKADDR, "\x17\x00\x1F\x90\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"), "[::1]:8080");
    ck_prints(LIES(TW_SOCKADDR, "\x17\x00\x1F\x90\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
              "17001f9000000000000000000000000000000000000000");
    ck_prints(LIES(TW_SOCKADDR, "\x01\x00\x2F"), "01002f");
    ck_prints(LIES(TW_SOCKADDR, ""), "");
}
END_TEST

START_TEST(sids_and_bytes)
{
    ck_prints(LIES(TW_SID, "\x01\x01\0\0\0\0\0\x05\x12\0\0\0"), "S-1-5-18");
    ck_prints(LIES(TW_SID, "\x01\x00\0\0\0\0\0\x05"), "S-1-5");
    ck_prints(LIES(TW_SID, "\x01\x01\x01\x02\x03\x04\x05\x06\xFF\xFF\xFF\xFF"), "S-1-0x010203040506-4294967295");
    ck_prints(LIES(TW_SID, "\x01\x02\0\0\0\0\0\x05\x12\0\0\0"),
              "010200000000000512000000"); /* says more than is there */
    ck_prints(LIES(TW_BYTES, "\x00\xAB\x7f"), "00ab7f");
    ck_prints(LIES(TW_BYTES, ""), "");
    ck_prints(LIES(TW_TEXT, "a\tb\n\"c\""), "a\tb\n\"c\"");
}
END_TEST

START_TEST(lists)
{
    static const uint16_t numbers[] = { 1, 500, 65535 };
    static const tw_text texts[] = { { .at = "a", .bytes = 1 }, { .at = "bc", .bytes = 2 } };
    const tw_field column = { .kind = TW_U16, .flags = TW_LIST };
    ck_prints(((tw_value){ .kind = TW_U16, .count = 3, .t.at = (const char *)numbers }), "[1, 500, 65535]");
    ck_prints(((tw_value){ .kind = TW_TEXT, .count = 2, .t.at = (const char *)texts }), "[a, bc]");
    ck_assert_str_eq(printed(&column, (tw_value){ .kind = TW_U16 }), "[]");
}
END_TEST

START_TEST(a_buffer_that_is_too_small)
{
    tw_value v = { .kind = TW_U32, .u = 123456 };
    char out[8] = "xxxxxxx";
    ck_assert_int_eq(value_print(NULL, &v, NULL, 0), 6);
    ck_assert_int_eq(value_print(NULL, &v, out, 4), 6);
    ck_assert_str_eq(out, "123");
    ck_assert_int_eq(out[4], 'x');
    ck_assert_int_eq(value_print(NULL, &v, out, 1), 6);
    ck_assert_str_eq(out, "");
    ck_assert_int_eq(value_print(NULL, &v, out, 6), 6);
    ck_assert_str_eq(out, "12345");
    ck_assert_int_eq(value_print(NULL, &v, out, 7), 6);
    ck_assert_str_eq(out, "123456");
}
END_TEST

START_TEST(guids)
{
    uint8_t guid[16] = { 0 };
    const uint8_t system[16] = { 0xD1, 0xA8, 0x6F, 0x3D, 0x05, 0xFE, 0xD0, 0x11,
                                 0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C };
    char out[37];
    ck_assert_int_eq(guid_print(system, out), 36);
    ck_assert_str_eq(out, "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
    ck_assert_int_eq(guid_parse("3D6FA8D1-FE05-11d0-9DDA-00C04FD7BA7C", guid), 1);
    ck_assert_mem_eq(guid, system, 16);
    memset(guid, 0, 16);
    ck_assert_int_eq(guid_parse("{3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c}", guid), 1);
    ck_assert_mem_eq(guid, system, 16);
    static const char *const bad[] = {
        "",
        "{",
        "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7",
        "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c0",
        "{3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c",
        "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c}",
        "(3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c)",
        "3d6fa8d1 fe05-11d0-9dda-00c04fd7ba7c",
        "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7g",
        "3d6fa8d1fe05-11d0--9dda-00c04fd7ba7c",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(!guid_parse(bad[i], guid), "%s", bad[i]);
    ck_assert_mem_eq(guid, system, 16);
}
END_TEST

/* ---- Payloads as text --------------------------------------------------- */

static kit k;

static void open_kit(void)
{
    kit_open(&k);
}

static void close_kit(void)
{
    kit_close(&k);
}

START_TEST(text_is_quoted)
{
    const tw_field f[] = { FIELD("a", TW_TEXT), FIELD("c", TW_U8, .show = TW_SHOW_CHAR),
                           FIELD("hidden", TW_U8, .show = TW_SHOW_HIDE), FIELD("b", TW_BYTES, .bytes_by = TW_REST) };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "61225c0a0d09011b7fc2 9bc3a9 00 0a 07 0102"); /* C2 9B: the terminal's own escape in one character */
    ck_assert_str_eq(kit_text(&k), "a=\"a\\\"\\\\\\n\\r\\t\\u0001\\u001b\\u007f\\u009bé\" c=\"\\n\" b=0x0102");
}
END_TEST

START_TEST(long_bytes_are_shortened)
{
    const tw_field f[] = { FIELD("b", TW_BYTES, .bytes_by = TW_REST) };
    char expected[600] = "b=0x";
    uint8_t bytes[300];
    memset(bytes, 0xAB, sizeof bytes);
    for (int i = 0; i < 256; i++) strcat(expected, "ab");
    kit_type(&k, f, 1, 8);
    kit_bytes(&k, bytes, 256);
    ck_assert_str_eq(kit_text(&k), expected);
    strcat(expected, "… (300 bytes)");
    kit_bytes(&k, bytes, 300);
    ck_assert_str_eq(kit_text(&k), expected);
}
END_TEST

START_TEST(long_values_are_whole)
{
    const tw_name list[] = {
        { 1, "a name that is longer than what is there on the stack for a value: 0123456789 0123456789 "
             "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
             "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 the end" }
    };
    const tw_names names = { .size = sizeof names, .n = 1, .name = list };
    const tw_field f[] = { FIELD("b", TW_U8, .names = &names) };
    kit_type(&k, f, 1, 8);
    kit_hex(&k, "01");
    ck_assert_uint_gt(strlen(list[0].name), 256);
    ck_assert_str_eq(kit_text(&k) + 2, list[0].name);
}
END_TEST

START_TEST(where_no_field_is_known)
{
    k.type = types_table(k.types)[0];
    kit_hex(&k, "00ff10");
    ck_assert_str_eq(kit_text(&k), "0x00ff10 [nothing is known about this sort of event]");
    kit_hex(&k, "");
    ck_assert_str_eq(kit_text(&k), "[nothing is known about this sort of event]");
    kit_type(&k, NULL, 0, 8); /* known, and has no payload */
    ck_assert_str_eq(kit_text(&k), "");
    kit_hex(&k, "00ff10");
    ck_assert_str_eq(kit_text(&k), "0x00ff10");
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, integers);
    tcase_add_test(c, names_of_values);
    tcase_add_test(c, floats);
    tcase_add_test(c, spans_and_times);
    tcase_add_test(c, addresses);
    tcase_add_test(c, sids_and_bytes);
    tcase_add_test(c, lists);
    tcase_add_test(c, a_buffer_that_is_too_small);
    tcase_add_test(c, guids);
    tcase_add_test(c, text_is_quoted);
    tcase_add_test(c, long_bytes_are_shortened);
    tcase_add_test(c, long_values_are_whole);
    tcase_add_test(c, where_no_field_is_known);
}

int main(void)
{
    return kit_run("value", add, open_kit, close_kit);
}
