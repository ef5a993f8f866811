/* test_tmf.c - TMF files written by hand, and payloads of the messages in them. */
#include "message.h"
#include "payload_kit.h"
#include "tmf.h"

static const uint8_t guid[16] = { 0x32, 0xA3, 0x93, 0x9B, 0x52, 0xC4, 0x71, 0x3E,
                                  0x64, 0xF7, 0x55, 0x13, 0x0C, 0x7D, 0xE2, 0xE4 };
#define GUID_LINE "9b93a332-c452-3e71-64f7-55130c7de2e4 gadget // SRC=driver.c MJ=Big MN=Small\n"

typedef struct fixture {
    kit kit;
    tmfs *tmfs;
    char why[256];
    uint64_t faults;
    tw_type type;
    unsigned version;
} fixture;

static void fixture_open(fixture *x)
{
    memset(x, 0, sizeof *x);
    kit_open(&x->kit);
    x->tmfs = tmfs_new();
}

static void fixture_close(fixture *x)
{
    tmfs_free(x->tmfs);
    kit_close(&x->kit);
}

static int read_text(fixture *x, const char *text, size_t n)
{
    return tmfs_read(x->tmfs, text, n, "gadget.tmf", x->why, sizeof x->why, &x->faults);
}

static int find(fixture *x, const uint8_t *of, unsigned number, uint8_t pointer)
{
    record r = { .kind = RECORD_MESSAGE, .guid = of, .id = (uint16_t)number, .pointer = pointer };

    x->type =
        (tw_type){ .size = sizeof x->type, .provider = "guid", .name = "10", .number = number, .pointer = pointer };
    return tmfs_find(x->tmfs, &r, &x->type, &x->version);
}

/* Reads a file with this one message, whose arguments stand one behind the other, and publishes its type. */
static void one_message(fixture *x, const char *format, const char *arguments, uint8_t pointer)
{
    text file = { 0 };

    text_format(&file,
                "%s#typev driver_c77 10 \"%s\" //   LEVEL=TRACE_LEVEL_ERROR FLAGS=Io FUNC=DriverEntry\n{\n%s\n}\n",
                GUID_LINE, format, arguments);
    ck_assert_int_eq(read_text(x, file.at, file.n), TW_OK);
    text_free(&file);
    ck_assert_int_eq(find(x, guid, 10, pointer), SCHEMA_EXACT);
    uint32_t id = types_publish(x->kit.types, &x->type, &x->kit.why);
    ck_assert_msg(id, "refused: %s", text_of(&x->kit.why));
    x->kit.type = types_table(x->kit.types)[id];
}

static void ck_message(const char *format, const char *arguments, uint8_t pointer, const char *hex, const char *said,
                       const char *fields)
{
    uint8_t bytes[1024];
    text words = { 0 };
    fixture x;

    fixture_open(&x);
    one_message(&x, format, arguments, pointer);
    kit_bytes(&x.kit, bytes, kit_parse(hex, bytes));
    message_text(x.kit.type, &x.kit.event, &x.kit.how, &words);
    ck_assert_str_eq(text_of(&words), said);
    text_clear(&words);
    type_text(x.kit.type, &x.kit.event, &x.kit.how, &words);
    ck_assert_str_eq(text_of(&words), fields);
    ck_assert_uint_eq(x.faults, 0);
    text_free(&words);
    fixture_close(&x);
}

START_TEST(a_message_is_a_type)
{
    fixture x;

    fixture_open(&x);
    one_message(&x, "%0started", "", 8);
    ck_assert_str_eq(x.type.provider, "gadget");
    ck_assert_str_eq(x.type.name, "driver.c:77");
    ck_assert_str_eq(x.type.origin, "gadget.tmf");
    ck_assert_str_eq(x.type.message, "started");
    ck_assert_str_eq(x.type.task_name, "DriverEntry");
    ck_assert_str_eq(x.type.level_name, "TRACE_LEVEL_ERROR");
    ck_assert_uint_eq(x.type.level, 2);
    ck_assert_uint_eq(x.type.nfields, 0);
    fixture_close(&x);
}
END_TEST

START_TEST(numbers)
{
    ck_message("%0i=%10!d! u=%11!u! x=0x%12!x! q=%13!I64d! X=%14!I64X!",
               "count, ItemLong -- 10\nsize, ItemLong -- 11\nflags, ItemLong -- 12\ntotal, ItemLongLong -- 13\n"
               "mask, ItemLongLongXX -- 14",
               8, "18fcffff 00286bee efcdab00 000efad5feffffff fecaefbeadde0000",
               "i=-1000 u=4000000000 x=0xabcdef q=-5000000000 X=DEADBEEFCAFE",
               "count=-1000 size=4000000000 flags=0xabcdef total=-5000000000 mask=0xdeadbeefcafe");
    ck_message("%10!c! %11!02x! %12!hd! %13!hu! %14!d!",
               "c, ItemChar -- 10\nb, ItemUChar -- 11\ns, ItemShort -- 12\nt, ItemUShort -- 13\nu, ItemULong -- 14",
               8, "41 0a feff feff 07000000", "A 0a -2 65534 7", "c=\"A\" b=0xa s=-2 t=65534 u=7");
    ck_message("%10!s!", "d, ItemDouble -- 10", 8, "000000000000f83f", "1.5", "d=1.5");
}
END_TEST

START_TEST(pointers_by_the_message)
{
    ck_message("%10!p! %11!Id!", "p, ItemPtr -- 10\nn, ItemPtr -- 11", 8, "7856341200f07f00 0d00000000000000",
               "007FF00012345678 13", "p=0x7ff00012345678 n=0xd");
    ck_message("%10!p! %11!Id!", "p, ItemPtr -- 10\nn, ItemPtr -- 11", 4, "0d00adde 0d000000", "DEAD000D 13",
               "p=0xdead000d n=0xd");
}
END_TEST

START_TEST(texts)
{
    ck_message("%10!s!|%11!s!|%12!s!|%13!s!|%14!s!",
               "a, ItemString -- 10\nw, ItemWString -- 11\np, ItemPString -- 12\nq, ItemPWString -- 13\nr, "
               "ItemRString -- 14",
               8, "61e400 6200ac200000 0200 6364 0400 65006600 6700", "a\xC3\xA4|b\xE2\x82\xAC|cd|ef|g",
               "a=\"a\xC3\xA4\" w=\"b\xE2\x82\xAC\" p=\"cd\" q=\"ef\" r=\"g\"");
    ck_message("%10!s!", "cc, ItemChar4 -- 10", 8, "52474241", "RGBA", "cc=\"RGBA\"");
}
END_TEST

START_TEST(codes_guids_addresses_times)
{
    ck_message(
        "hr=%10!s! st=%11!s! we=%12!s!",
        "hr, ItemHRESULT -- 10\nst, ItemNTSTATUS -- 11\nGetLastError(), ItemWINERROR -- 12", 8,
        "05000780 220000c0 05000000",
        "hr=0x80070005(ERROR_ACCESS_DENIED) st=0xc0000022(STATUS_ACCESS_DENIED) we=5(ERROR_ACCESS_DENIED)",
        "hr=0x80070005(ERROR_ACCESS_DENIED) st=0xc0000022(STATUS_ACCESS_DENIED) GetLastError=5(ERROR_ACCESS_DENIED)");
    ck_message("%10!s! %11!s!", "g, ItemGuid -- 10\nc, ItemCLSID -- 11", 8,
               "44332211 66558877 99aabbccddeeff00 44332211 66558877 99aabbccddeeff00",
               "11223344-5566-7788-99aa-bbccddeeff00 11223344-5566-7788-99aa-bbccddeeff00",
               "g=11223344-5566-7788-99aa-bbccddeeff00 c=11223344-5566-7788-99aa-bbccddeeff00");
    ck_message("%10!s!:%11!s! %12!s! %13!s!",
               "ip, ItemIPAddr -- 10\nport, ItemPort -- 11\nsix, ItemIPV6Addr -- 12\nsid, ItemSid -- 13", 8,
               "0a000001 01bb 00000000000000000000000000000001 0101000000000005 12000000",
               "10.0.0.1:443 ::1 S-1-5-18", "ip=10.0.0.1 port=443 six=::1 sid=S-1-5-18");
    ck_message("%10!s! %11!s!", "t, ItemTimeStamp -- 10\nd, ItemTimeDelta -- 11", 8,
               "0000056936c0d501 fa00000000000000", "2020-01-01T00:00:00.000000000Z 250 ms",
               "t=2020-01-01T00:00:00.000000000Z d=250");
}
END_TEST

START_TEST(lists_sets_dumps)
{
    ck_message("b=%10!s! irql=%11!s!",
               "TRUE, ItemListLong(false,true) -- 10\n2 /*DPC*/, ItemListByte(Low,APC, DPC) -- 11", 8, "01000000 02",
               "b=0x00000001(true) irql=0x00000002(DPC)", "TRUE=true arg2=DPC");
    ck_message("set=%10!s! %11!s!", "x, ItemSetLong(1,2,3,4) -- 10\ny, ItemSetByte(a,b) -- 11", 8, "05000000 00",
               "set=[1,3] []", "x=1|3 y=0");
    ck_message("hex=%10!s!", "WppBinary(data. (USHORT)sizeof(data)), ItemHexDump -- 10", 8, "0400 deadbeef",
               "hex=DEADBEEF", "WppBinary=0xdeadbeef");
    ck_message("%10!d! %11!s!", "e, ItemEnum(Colour) -- 10\nf, ItemFlagsEnum(Bits) -- 11", 8, "03000000 10000000",
               "3 0x10", "e=3 f=0x10");
}
END_TEST

START_TEST(what_the_file_knows_is_put_in)
{
    ck_message(
        "%0%!FUNC! %!LEVEL! %!FLAGS! %!FILE!:%!LINE! %!MOD! %!COMPNAME!.%!SUBCOMP!%!SPACE!- 100%% %!none! %!TID!.",
        "", 8, "", "DriverEntry TRACE_LEVEL_ERROR Io driver.c:77 gadget Big.Small - 100% %!none! .", "");
    ck_message("[%1!s! %2!s! %3!x!] %10!d!%11!d!5", "a, ItemLong -- 10\nb, ItemLong -- 11", 8, "01000000 02000000",
               "[gadget driver_c77 ] 125", "a=1 b=2");
    ck_message("second %11!d! first %10!d! again %11!x! none %12!d!.", "a, ItemLong -- 10\nb, ItemLong -- 11", 8,
               "01000000 0f000000", "second 15 first 1 again f none ?.", "a=1 b=15");
}
END_TEST

START_TEST(arguments_are_called_by_their_last_name)
{
    ck_message("",
               "(HRESULT)Irp->Tail.Entry[i + 1].Status, ItemLong -- 10\n"
               "&g, ItemLong -- 11\n"
               "*(int *)p, ItemLong -- 12\n"
               "i % 7919, ItemLong -- 13\n"
               "L'root', ItemLong -- 14\n"
               "(other.Status), ItemLong -- 15\n"
               "a::b::Name(x. y), ItemLong -- 16\n"
               "f(1, 2), ItemLong -- 17\n"
               "name.Status, ItemLong // 18",
               8, "01000000 02000000 03000000 04000000 05000000 06000000 07000000 08000000 09000000", "",
               "Status=1 g=2 p=3 arg4=4 arg5=5 Status_2=6 Name=7 f=8 Status_3=9");
}
END_TEST

START_TEST(a_short_payload_and_a_long_one)
{
    ck_message("%10!d! %11!d!", "a, ItemLong -- 10\nb, ItemLong -- 11", 8, "01000000 02", "1 ?",
               "a=1 [cut short] [1 bytes more: 0x02]");
    ck_message("%10!d!", "a, ItemLong -- 10", 8, "01000000 0203", "1", "a=1 [2 bytes more: 0x0203]");
}
END_TEST

START_TEST(an_unknown_item_ends_what_can_be_found)
{
    static const char file[] =
        GUID_LINE "#typev driver_c1 11 \"%10!d! %11!s! %12!d!\" // \n{\na, ItemLong -- 10\nb, ItemMystery -- 11\n"
                  "c, ItemLong -- 12\n}\n#typev driver_c2 12 \"fine\" // FUNC=f\n{\n}\n";
    fixture x;

    fixture_open(&x);
    ck_assert_int_eq(read_text(&x, file, sizeof file - 1), TW_OK);
    ck_assert_uint_eq(x.faults, 1);
    ck_assert_str_eq(x.why, "line 5: an argument is of the type ItemMystery, which is not known");
    ck_assert_int_eq(find(&x, guid, 11, 8), SCHEMA_EXACT);
    ck_assert_uint_eq(x.type.nfields, 1);
    ck_assert_str_eq(x.type.message, "%1!d! ? ?");
    ck_assert_int_eq(find(&x, guid, 12, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x.type.message, "fine");
    fixture_close(&x);
}
END_TEST

START_TEST(quotes_and_lines_in_a_text)
{
    static const char file[] =
        "// PDB:  x.pdb\r\n\r\n" GUID_LINE "#typev driver_c1 10 \"say \\\"%10!s!\\\" or \"no\"\" // FUNC=operator "
        "new LEVEL=3\r\n{\r\nname, ItemString -- 10\r\n}\r\n"
        "#type driver_c2 11 \"two\r\nlines\r\n\" //\r\n{\r\n}\r\n"
        "#enumv Colour\n{\nred, 1\n}\n"
        "#typev odd_name 12 \"no comment\"\n{\n}\n";
    fixture x;

    fixture_open(&x);
    ck_assert_int_eq(read_text(&x, file, sizeof file - 1), TW_OK);
    ck_assert_msg(x.faults == 0, "%s", x.why);
    ck_assert_int_eq(find(&x, guid, 10, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x.type.message, "say \"%1!s!\" or \"no\"");
    ck_assert_str_eq(x.type.task_name, "operator new");
    ck_assert_str_eq(x.type.level_name, "3");
    ck_assert_int_eq(find(&x, guid, 11, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x.type.message, "two\nlines");
    ck_assert_int_eq(find(&x, guid, 12, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x.type.name, "odd_name");
    fixture_close(&x);
}
END_TEST

static const char two_messages[] =
    GUID_LINE "#typev driver_c7 10 \"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC\" // FUNC=f\n{\n}\n";

static void ck_two(fixture *x)
{
    ck_assert_int_eq(find(x, guid, 10, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x->type.message, "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC");
}

START_TEST(encodings)
{
    static const struct {
        uint16_t wide;
        uint8_t narrow;
    } of[] = { { 0xFC, 0xFC }, { 0xDF, 0xDF }, { 0x20AC, 0x80 } };
    uint8_t little[2 * sizeof two_messages + 2] = { 0xFF, 0xFE }, big[2 * sizeof two_messages + 2] = { 0xFE, 0xFF },
                                             marked[sizeof two_messages + 3] = "\xEF\xBB\xBF",
                                             ansi[sizeof two_messages];
    size_t units = 0, k = 0;
    fixture x;

    for (const char *at = two_messages; *at; at++) {
        uint16_t wide = (uint8_t)*at, narrow = wide;
        if (wide >= 0x80) {
            wide = of[k].wide;
            narrow = of[k].narrow;
            at += wide == 0x20AC ? 2 : 1;
            k++;
        }
        little[2 + 2 * units] = big[3 + 2 * units] = (uint8_t)wide;
        little[3 + 2 * units] = big[2 + 2 * units] = (uint8_t)(wide >> 8);
        ansi[units++] = (uint8_t)narrow;
    }
    memcpy(marked + 3, two_messages, sizeof two_messages);
    const struct {
        const void *at;
        size_t n;
    } files[] = { { little, 2 + 2 * units }, { big, 2 + 2 * units },
                  { big, 3 + 2 * units },    { marked, sizeof two_messages + 2 },
                  { ansi, units },           { two_messages, sizeof two_messages - 1 } };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        fixture_open(&x);
        ck_assert_int_eq(read_text(&x, files[i].at, files[i].n), TW_OK);
        ck_two(&x);
        fixture_close(&x);
    }
}
END_TEST

START_TEST(what_is_no_tmf_file_is_refused)
{
    static const struct {
        const char *text, *why;
    } cases[] = { { "", "no line begins with a GUID, as one does in a TMF file" },
                  { "<?xml version='1.0'?>\n<a/>\n", "no line begins with a GUID, as one does in a TMF file" },
                  { "#typev a_c1 10 \"x\" //\n{\n}\n", "no line begins with a GUID, as one does in a TMF file" },
                  { "\xFF\xFE", "no line begins with a GUID, as one does in a TMF file" } };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture x;
        fixture_open(&x);
        ck_assert_int_eq(read_text(&x, cases[i].text, strlen(cases[i].text)), TW_ERROR);
        ck_assert_str_eq(x.why, cases[i].why);
        ck_assert_int_eq(find(&x, guid, 10, 8), SCHEMA_NONE);
        fixture_close(&x);
    }
}
END_TEST

START_TEST(faults_leave_out_a_message_and_name_its_line)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        { GUID_LINE "rubbish\n", "line 2: neither a GUID nor a message begins here" },
        { GUID_LINE "#typev a_c1 ten \"x\" //\n{\n}\n",
          "line 2: a message is not written as `#typev name number \"text\"`" },
        { GUID_LINE "#typev a_c1 65536 \"x\" //\n{\n}\n",
          "line 2: a message is not written as `#typev name number \"text\"`" },
        { GUID_LINE "#typev a_c1 9 \"x //\n{\n}\n", "line 2: the text of a message has no closing quote" },
        { GUID_LINE "#typev a_c1 9 \"x\" //\n{\na, ItemLong -- 10\n",
          "line 4: the arguments of a message have no end" },
        { GUID_LINE "#typev a_c1 9 \"x\" //\n{\na ItemLong -- 10\n}\n",
          "line 4: an argument is not written as `expression, ItemType -- number`" },
        { GUID_LINE "#typev a_c1 9 \"x\" //\n{\na, ItemLong -- 9\n}\n",
          "line 4: an argument is not written as `expression, ItemType -- number`" },
        { GUID_LINE "#typev a_c1 9 \"x\" //\n{\na, ItemLong)) -- 10\n}\n",
          "line 4: an argument is not written as `expression, ItemType -- number`" },
        { "#typev a_c1 9 \"x\" //\n{\n}\n" GUID_LINE, "line 1: a message stands before the first GUID" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture x;
        fixture_open(&x);
        ck_assert_int_eq(read_text(&x, cases[i].text, strlen(cases[i].text)), TW_OK);
        ck_assert_uint_eq(x.faults, 1);
        ck_assert_str_eq(x.why, cases[i].why);
        fixture_close(&x);
    }
}
END_TEST

START_TEST(only_messages_of_a_known_guid_are_found)
{
    static const uint8_t other[16] = { 1 };
    record event = { .kind = RECORD_EVENT, .guid = guid, .id = 10 };
    fixture x;

    fixture_open(&x);
    ck_assert_int_eq(find(&x, guid, 10, 8), SCHEMA_NONE); /* nothing was read */
    one_message(&x, "x", "", 8);
    ck_assert_int_eq(find(&x, guid, 11, 8), SCHEMA_NONE);
    ck_assert_str_eq(x.type.provider, "gadget");
    ck_assert_ptr_null(x.type.origin);
    ck_assert_int_eq(find(&x, other, 10, 8), SCHEMA_NONE);
    ck_assert_str_eq(x.type.provider, "guid");
    ck_assert_int_eq(find(&x, NULL, 10, 8), SCHEMA_NONE);
    ck_assert_int_eq(tmfs_find(x.tmfs, &event, &x.type, &x.version), SCHEMA_NONE);
    fixture_close(&x);
}
END_TEST

static int count_types(void *context, const tw_type *t)
{
    unsigned *n = context;
    text why = { 0 };
    types *all = types_new();

    ck_assert_str_eq(t->key, "wpp:9b93a332-c452-3e71-64f7-55130c7de2e4");
    ck_assert_mem_eq(t->guid, guid, 16);
    ck_assert_uint_eq(t->number, 10 + *n);
    ck_assert_uint_ne(types_publish(all, t, &why), 0);
    types_free(all);
    text_free(&why);
    return ++*n == 300 ? TW_END : TW_OK;
}

/* More than the table has room for at first; what was read first stays. */
START_TEST(many_messages_are_listed_in_order)
{
    text file = { 0 };
    unsigned n = 0;
    fixture x;

    fixture_open(&x);
    text_put(&file, GUID_LINE);
    for (int i = 10; i < 1010; i++) text_format(&file, "#typev driver_c%d %d \"m%d\" //\n{\n}\n", i, i, i);
    text_put(&file, "#typev driver_c10 10 \"again\" //\n{\n}\n");
    ck_assert_int_eq(read_text(&x, file.at, file.n), TW_OK);
    ck_assert_int_eq(read_text(&x, file.at, file.n), TW_OK);
    ck_assert_int_eq(find(&x, guid, 10, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x.type.message, "m10");
    ck_assert_int_eq(find(&x, guid, 1009, 8), SCHEMA_EXACT);
    ck_assert_str_eq(x.type.message, "m1009");
    ck_assert_int_eq(tmfs_each(x.tmfs, count_types, &n), TW_END);
    ck_assert_uint_eq(n, 300);
    text_free(&file);
    fixture_close(&x);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tmf");
    TCase *all = tcase_create("all");
    SRunner *runner = srunner_create(suite);

    suite_add_tcase(suite, all);
    tcase_add_test(all, a_message_is_a_type);
    tcase_add_test(all, numbers);
    tcase_add_test(all, pointers_by_the_message);
    tcase_add_test(all, texts);
    tcase_add_test(all, codes_guids_addresses_times);
    tcase_add_test(all, lists_sets_dumps);
    tcase_add_test(all, what_the_file_knows_is_put_in);
    tcase_add_test(all, arguments_are_called_by_their_last_name);
    tcase_add_test(all, a_short_payload_and_a_long_one);
    tcase_add_test(all, an_unknown_item_ends_what_can_be_found);
    tcase_add_test(all, quotes_and_lines_in_a_text);
    tcase_add_test(all, encodings);
    tcase_add_test(all, what_is_no_tmf_file_is_refused);
    tcase_add_test(all, faults_leave_out_a_message_and_name_its_line);
    tcase_add_test(all, only_messages_of_a_known_guid_are_found);
    tcase_add_test(all, many_messages_are_listed_in_order);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures != 0;
}
