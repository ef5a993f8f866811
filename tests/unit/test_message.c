/* test_message.c - messages with the values of an event in them, by hand-made payloads. */
#include "message.h"
#include "payload_kit.h"

static const tw_name flag_list[] = { { 1, "Read" }, { 2, "Write" }, { 8, "Share" } };
static const tw_names flag_names = { .size = sizeof flag_names, .n = 3, .flags = TW_BITS, .name = flag_list };
static const tw_name mode_list[] = { { 0, "Off" }, { 1, "On" } };
static const tw_names mode_names = { .size = sizeof mode_names, .n = 2, .name = mode_list };

static void publish(kit *k, const char *message, const tw_field *field, uint32_t n, uint8_t pointer)
{
    tw_type t = { .size = sizeof t,
                  .provider = "Test",
                  .name = "Event",
                  .origin = "test",
                  .pointer = pointer,
                  .nfields = n,
                  .field = field,
                  .message = message };
    uint32_t id = types_publish(k->types, &t, &k->why);
    ck_assert_msg(id, "refused: %s", text_of(&k->why));
    k->type = types_table(k->types)[id];
}

static void ck_said(const char *message, const tw_field *field, uint32_t n, uint8_t pointer, const char *hex,
                    const char *expected)
{
    uint8_t bytes[1024];
    text said = { 0 };
    kit k;

    kit_open(&k);
    publish(&k, message, field, n, pointer);
    kit_bytes(&k, bytes, kit_parse(hex, bytes));
    text_put(&said, ">");
    message_text(k.type, &k.event, &k.how, &said);
    ck_assert_str_eq(said.at + 1, expected);
    text_free(&said);
    kit_close(&k);
}

/* One field of that kind. */
#define ck_one(message, hex, expected, ...)                                                                          \
    do {                                                                                                             \
        const tw_field one[] = { FIELD("Value", __VA_ARGS__) };                                                      \
        ck_said(message, one, 1, 8, hex, expected);                                                                  \
    } while (0)

START_TEST(values_stand_where_their_numbers_are)
{
    const tw_field f[] = { FIELD("Name", TW_TEXT16), FIELD("Size", TW_U32),
                           FIELD("Status", TW_U32, .show = TW_SHOW_NTSTATUS) };
    const char *hex = "6100 e400 0000  10000000  220000c0";

    ck_said("%1 has %2 bytes", f, 3, 8, hex, "a\xC3\xA4 has 16 bytes");
    ck_said("%2,%1,%2", f, 3, 8, hex, "16,a\xC3\xA4,16");
    ck_said("%3", f, 3, 8, hex, "0xc0000022(STATUS_ACCESS_DENIED)");
    ck_said("%1!s! %2!u!", f, 3, 8, hex, "a\xC3\xA4 16");
    ck_said("nothing", f, 3, 8, hex, "nothing");
    ck_said("", f, 3, 8, hex, "");
}
END_TEST

START_TEST(escapes_are_those_of_message_tables)
{
    const tw_field f[] = { FIELD("A", TW_U8) };

    ck_said("100%% of %1%!", f, 1, 8, "07", "100% of 7!");
    ck_said("a%nb%rc%td%be%.f", f, 1, 8, "07", "a\nb\rc\td e.f");
    ck_said("until here%0 and no further", f, 1, 8, "07", "until here");
    ck_said("at the end %", f, 1, 8, "07", "at the end ");
    ck_said("Hello %1!", f, 1, 8, "07", "Hello 7!");
    ck_said("Hello %1! How are you!", f, 1, 8, "07", "Hello 7! How are you!");
    ck_said("%1!y!", f, 1, 8, "07", "7!y!");
    ck_said("%1!!", f, 1, 8, "07", "7!!");
}
END_TEST

START_TEST(what_the_event_or_the_type_does_not_have)
{
    const tw_field f[] = { FIELD("A", TW_U16), FIELD("When", TW_FILETIME), FIELD("C", TW_U32) };

    ck_said("%1 %2 %3", f, 3, 8, "0700 0000000000000000 01000000", "7 ? 1"); /* no such time */
    ck_said("%1 %2 %3", f, 3, 8, "0700 0000", "7 ? ?");
    ck_said("%3!5u!|", f, 3, 8, "", "    ?|");
    ck_said("%4 %12!x!. %99", f, 3, 8, "0700", "%4 %12!x!. %99");
    ck_said("%1 %2", NULL, 0, 8, "0700", "%1 %2");
}
END_TEST

START_TEST(numbers_as_printf_writes_them)
{
    ck_one("%1!d! %1!i! %1!u! %1!x! %1!X! %1!o!", "f0ffffff", "-16 -16 4294967280 fffffff0 FFFFFFF0 37777777760",
           TW_I32);
    ck_one("%1!d!|%1!u!", "ffffffff", "-1|4294967295", TW_U32);
    ck_one("%1!d!", "ff", "255", TW_U8); /* a narrow one was made wider by the compiler */
    ck_one("%1!d!", "ff", "-1", TW_I8);
    ck_one("%1!05d!|%1!-5d!|%1!5d!|%1!+d!|%1! d!|%1!.4d!", "2a000000", "00042|42   |   42|+42| 42|0042", TW_I32);
    ck_one("%1!05d!", "d6ffffff", "-0042", TW_I32);
    ck_one("%1!08x!|%1!#x!|%1!#X!|%1!#o!", "efbe0000", "0000beef|0xbeef|0XBEEF|0137357", TW_U32);
    ck_one("%1!#x! %1!x! %1!.0d!", "00000000", "0 0 ", TW_U32);
    ck_one("%1!I64d! %1!lld! %1!I64x! %1!llX!", "000efad5feffffff",
           "-5000000000 -5000000000 fffffffed5fa0e00 FFFFFFFED5FA0E00", TW_I64);
    ck_one("%1!lu! %1!ld! %1!hd! %1!hx! %1!Iu!", "ffff0080", "2147549183 -2147418113 -1 ffff 2147549183", TW_U32);
    ck_one("%1!c!%1!c!", "41", "AA", TW_U8);
    ck_one("%1!c!", "80", "\xE2\x82\xAC", TW_U8);
    ck_one("%1!c!", "ac20", "\xE2\x82\xAC", TW_U16);
    ck_one("[%1!c!]", "00", "[]", TW_U8);
    ck_one("%1!u! %1!s!", "01000000", "1 true", TW_BOOL32);
    ck_one("%1!x!", "ffffffffffffffff", "ffffffffffffffff", TW_U64);
}
END_TEST

START_TEST(pointers_have_their_machine_s_width)
{
    const tw_field f[] = { FIELD("P", TW_POINTER) };

    ck_said("%1!p! %1!x! %1", f, 1, 8, "7856341200f07f00", "007FF00012345678 7ff00012345678 0x7ff00012345678");
    ck_said("%1!p! %1!p!", f, 1, 4, "0d00adde", "DEAD000D DEAD000D");
    ck_said("%1!Id!", f, 1, 4, "0d000000", "13");
}
END_TEST

START_TEST(fractions)
{
    const tw_field f[] = { FIELD("D", TW_F64), FIELD("F", TW_F32) };
    const char *hex = "000000000000f8bf 0000003f";

    ck_said("%1!f! %1!.2f! %1!e! %1!g! %1!G!", f, 2, 8, hex, "-1.500000 -1.50 -1.500000e+00 -1.5 -1.5");
    ck_said("%1!8.1f!|%2!-6.2f!|%2!+.1f!", f, 2, 8, hex, "    -1.5|0.50  |+0.5");
    ck_said("%1 %1!s! %1!d! %2", f, 2, 8, hex, "-1.5 -1.5 -1.5 0.5");
    ck_one("%1!g!", "07000000", "7", TW_U32); /* an integer stays one */
}
END_TEST

START_TEST(text_is_padded_and_cut_by_characters)
{
    const tw_field f[] = { FIELD("T", TW_TEXT, .bytes_by = TW_REST) };
    const char *hex = "61c3a4e282ac62"; /* a ae euro b */

    ck_said("%1!6s!|%1!-6s!|%1!.3s!|%1!5.2s!|", f, 1, 8, hex,
            "  a\xC3\xA4\xE2\x82\xAC"
            "b|a\xC3\xA4\xE2\x82\xAC"
            "b  |a\xC3\xA4\xE2\x82\xAC|   a\xC3\xA4|");
    ck_said("%1!hs! %1!S! %1!ws! %1!wZ!", f, 1, 8, "41", "A A A A");
    ck_said("%1!d! %1!x!", f, 1, 8, "41", "A A"); /* no number, whatever was said */
    ck_said("%1!.0s!|", f, 1, 8, hex, "|");
}
END_TEST

START_TEST(names_and_bits)
{
    ck_one("%1 %1!d! %1!s!", "01000000", "On 1 On", TW_U32, .names = &mode_names);
    ck_one("%1 %1!x! [%1!,s!]", "0b000000", "Read|Write|Share b [Read,Write,Share]", TW_U32, .names = &flag_names);
    ck_one("[%1!,s!]", "00000000", "[]", TW_U32, .names = &flag_names);
    ck_one("[%1!,s!]", "11000000", "[Read,0x10]", TW_U32, .names = &flag_names);
}
END_TEST

START_TEST(bytes_addresses_and_the_like)
{
    ck_one("%1 %1!X! %1!x! %1!s!", "deadbeef", "deadbeef DEADBEEF deadbeef deadbeef", TW_BYTES, .bytes_by = TW_REST);
    ck_one("%1!s!:%1!d!", "0a000001", "10.0.0.1:10.0.0.1", TW_IP4);
    ck_one("%1!d!", "01bb", "443", TW_U16, .show = TW_SHOW_PORT);
    ck_one("%1", "44332211 6655 8877 99aabbccddeeff00", "11223344-5566-7788-99aa-bbccddeeff00", TW_GUID);
    ck_one("%1!d!", "05000000", "5", TW_U32, .show = TW_SHOW_WIN32);
    ck_one("%1!s!", "05000000", "5(ERROR_ACCESS_DENIED)", TW_U32, .show = TW_SHOW_WIN32);
}
END_TEST

START_TEST(arrays_and_structs_stand_as_a_whole)
{
    const tw_field f[] = {
        FIELD("N", TW_U8),
        FIELD("List", TW_U16, .count_by = TW_FIELD, .count = 0),
        FIELD("Pair", TW_STRUCT, .count_by = TW_FIXED, .count = 2, .members = 2),
        FIELD("A", TW_U8, .depth = 1, .parent = 3),
        FIELD("B", TW_TEXT8, .depth = 1, .parent = 3),
        FIELD("Last", TW_U8),
    };

    ck_said("%1: %2; %3; %4", f, 6, 8, "02 0100 0200  05 6100 06 6200  09", "2: 1, 2; {5, a}, {6, b}; 9");
    ck_said("%2|%4", f, 6, 8, "00  05 6100 06 6200  09", "|9");
    ck_said("%4 %3", f, 6, 8, "00  05 6100 06", "? {5, a}, {6}");
    ck_said("%3", f, 6, 8, "00  05 7b00 06 7d00", "{5, {}, {6, }}"); /* texts with braces */
}
END_TEST

START_TEST(no_message_is_no_text)
{
    kit k;
    text said = { 0 };

    kit_open(&k);
    publish(&k, NULL, NULL, 0, 8);
    message_text(k.type, &k.event, &k.how, &said);
    ck_assert_uint_eq(said.n, 0);
    kit_close(&k);
}
END_TEST

/* The message asks a hundred thousand times for a text of some thousand characters of two bytes. */
START_TEST(a_message_has_an_end)
{
    enum { BYTES = 4000, TIMES = 100000 };
    const tw_field f[] = { FIELD("T", TW_TEXT8, .bytes_by = TW_REST) };
    static char message[2 * TIMES + 2];
    uint8_t bytes[BYTES];
    text said = { 0 };
    kit k;

    message[0] = '.';
    for (int i = 0; i < TIMES; i++) memcpy(message + 1 + 2 * i, "%1", 2);
    memset(bytes, 0xE4, sizeof bytes);
    kit_open(&k);
    publish(&k, message, f, 1, 8);
    kit_bytes(&k, bytes, sizeof bytes);
    message_text(k.type, &k.event, &k.how, &said);
    ck_assert_uint_eq(said.n, MESSAGE_MAX - 1 + strlen("…"));
    ck_assert_str_eq(said.at + said.n - 5, "\xC3\xA4…");
    text_free(&said);
    kit_close(&k);
}
END_TEST

START_TEST(widths_have_a_limit)
{
    text said = { 0 };
    kit k;
    const tw_field f[] = { FIELD("A", TW_U8), FIELD("F", TW_F64) };
    uint8_t bytes[9] = { 7 };

    bytes[8] = 0x7F; /* and a very large number */
    bytes[7] = 0xE0;
    kit_open(&k);
    publish(&k, "%1!99999999999d!|%1!.99999d!|%2!.99999f!|%1!0999d!", f, 2, 8);
    kit_bytes(&k, bytes, sizeof bytes);
    message_text(k.type, &k.event, &k.how, &said);
    ck_assert_uint_eq(strcspn(said.at, "|"), 999);
    ck_assert_uint_eq(strcspn(said.at + 1000, "|"), 999);
    ck_assert_uint_lt(said.n, 3600);
    ck_assert_int_eq(said.at[said.n - 1], '7');
    text_free(&said);
    kit_close(&k);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("message");
    TCase *all = tcase_create("all");
    SRunner *runner = srunner_create(suite);

    suite_add_tcase(suite, all);
    tcase_add_test(all, values_stand_where_their_numbers_are);
    tcase_add_test(all, escapes_are_those_of_message_tables);
    tcase_add_test(all, what_the_event_or_the_type_does_not_have);
    tcase_add_test(all, numbers_as_printf_writes_them);
    tcase_add_test(all, pointers_have_their_machine_s_width);
    tcase_add_test(all, fractions);
    tcase_add_test(all, text_is_padded_and_cut_by_characters);
    tcase_add_test(all, names_and_bits);
    tcase_add_test(all, bytes_addresses_and_the_like);
    tcase_add_test(all, arrays_and_structs_stand_as_a_whole);
    tcase_add_test(all, no_message_is_no_text);
    tcase_add_test(all, a_message_has_an_end);
    tcase_add_test(all, widths_have_a_limit);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures != 0;
}
