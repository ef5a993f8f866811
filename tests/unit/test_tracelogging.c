/* test_tracelogging.c - events that describe themselves: descriptions made by hand and from real traces. */
#include "tracelogging.h"

#include "payload_kit.h"

static kit k;
static store s;
static uint8_t item[8192];
static size_t n;
static tw_type type;
static const char *why;

static void open_all(void)
{
    kit_open(&k);
    memset(&s, 0, sizeof s);
}

static void close_all(void)
{
    store_free(&s);
    kit_close(&k);
}

/* ---- Descriptions, byte by byte ---- */

static void put(const void *bytes, size_t count)
{
    memcpy(item + n, bytes, count);
    n += count;
}

static void begin(const char *name)
{
    n = 0;
    put("\0\0\0", 3); /* size, to be patched; no tag */
    put(name, strlen(name) + 1);
}

/* A field's name, then its bytes in hex. */
static void field(const char *name, const char *hex)
{
    put(name, strlen(name) + 1);
    n += kit_parse(hex, item + n);
}

static int read_item(void)
{
    uint8_t *exact = mem_new(n); /* so that a byte read beyond it is found */

    memcpy(exact, item, n);
    why = NULL;
    type = (tw_type){ .size = sizeof type, .provider = "Test", .name = "0", .pointer = 8 };
    int good = tracelogging_read(exact, n, &s, &type, &why);
    free(exact);
    return good;
}

static void publish(uint8_t pointer)
{
    type.pointer = pointer;
    uint32_t id = types_publish(k.types, &type, &k.why);
    ck_assert_msg(id, "refused: %s", text_of(&k.why));
    k.type = types_table(k.types)[id];
}

static void end(void)
{
    item[0] = (uint8_t)n;
    item[1] = (uint8_t)(n >> 8);
    ck_assert_msg(read_item(), "%s", why);
    ck_assert_ptr_null(why);
    ck_assert_str_eq(type.origin, "in the event");
    publish(8);
}

static void broken(const char *expected)
{
    ck_assert(!read_item());
    ck_assert_str_eq(why, expected);
    ck_assert_uint_eq(type.nfields, 0);
    ck_assert_ptr_null(type.origin);
}

static const char too_much[] = "it has too many fields, structs too deep in each other, or no memory is left for it";

#define ck_decodes(hex, expected, faults, left)                                                                      \
    do {                                                                                                             \
        kit_hex(&k, hex);                                                                                            \
        ck_kit_walks(&k, expected, faults, left);                                                                    \
    } while (0)

/* ---- From real traces ---- */

static void real(const char *hex)
{
    n = kit_parse(hex, item);
    ck_assert_msg(read_item(), "%s", why);
    publish(8);
}

START_TEST(all_simple_types_of_a_real_event)
{
    real("b600005072696d697469766554797065735465737400737472696e675f747970650002626f6f6c65616e5f747970650084036368"
         "61725f74797065008402696e7431365f747970650005696e7433325f74797065000775696e7431365f74797065000675696e7433"
         "325f747970650008696e7436345f74797065000a75696e7436345f74797065000a677569645f74797065000f66696c655f74696d"
         "655f74797065001173797374656d5f74696d655f747970650012");
    ck_assert_str_eq(k.type->name, "PrimitiveTypesTest");
    kit_hex(&k, "4d65726375727900004dcdff9affffff33006600000034ffffffffffffffcc00000000000000c414d60af40e25428013f44f"
                "37cb03977010fa4d8ba5d701e5070900040009000e003b0023001f03");
    ck_assert_str_eq(kit_text(&k),
                     "string_type=\"Mercury\" boolean_type=false char_type=\"M\" int16_type=-51 int32_type=-102 "
                     "uint16_type=51 uint32_type=102 int64_type=18446744073709551412 uint64_type=204 "
                     "guid_type=0ad614c4-0ef4-4225-8013-f44f37cb0397 "
                     "file_time_type=2021-09-09T14:59:35.799000000Z system_time_type=2021-09-09T14:59:35.799000000Z");
    kit_hex(&k, "56656e7573000156a1ff42ffffff5f00be00000084feffffffffffff7c0100000000000001f84fe0a39e4f49a10e8ef833e9"
                "099ff0333d4e8ba5d701e5070900040009000e003b002400ef00");
    ck_assert_str_eq(kit_text(&k),
                     "string_type=\"Venus\" boolean_type=true char_type=\"V\" int16_type=-95 int32_type=-190 "
                     "uint16_type=95 uint32_type=190 int64_type=18446744073709551236 uint64_type=380 "
                     "guid_type=e04ff801-9ea3-494f-a10e-8ef833e9099f "
                     "file_time_type=2021-09-09T14:59:36.239000000Z system_time_type=2021-09-09T14:59:36.239000000Z");
}
END_TEST

START_TEST(counted_and_ended_strings_of_a_real_event)
{
    real("64008000427265616b506f696e74004572726f724c6576656c0004696e7374616e63654964000f4c7850696400074c785469640007"
         "4c784e73000745786563757461626c6550617468001746756e6374696f6e00024c696e6500084d6573736167650002");
    ck_assert_str_eq(k.type->name, "BreakPoint"); /* behind a tag of two bytes */
    kit_hex(&k, "0200000000000000000000000000000000ffffffffffffffff0000000000004c7870496e7374616e63655374617274"
                "00630a00005b307863303030303033345d204c7870496e7374616e6365496e697469616c697a650a00");
    ck_assert_str_eq(kit_text(&k),
                     "ErrorLevel=2 instanceId=00000000-0000-0000-0000-000000000000 LxPid=-1 LxTid=-1 LxNs=0 "
                     "ExecutablePath=\"\" Function=\"LxpInstanceStart\" Line=2659 "
                     "Message=\"[0xc0000034] LxpInstanceInitialize\\n\"");
}
END_TEST

/* ---- In-types and out-types ---- */

// clang-format off
static const struct {
    const char *description; /* in-byte and what follows it */
    const char *payload, *shown;
} types_by_number[] = {
    { "01", "61006200 0000", "ab" },
    { "02", "61e900", "aé" },
    { "03", "ff", "-1" },
    { "04", "ff", "255" },
    { "05", "ffff", "-1" },
    { "06", "ffff", "65535" },
    { "07", "ffffffff", "-1" },
    { "08", "ffffffff", "4294967295" },
    { "09", "ffffffffffffffff", "-1" },
    { "0a", "ffffffffffffffff", "18446744073709551615" },
    { "0b", "0000c03f", "1.5" },
    { "0c", "000000000000f83f", "1.5" },
    { "0d", "01000000", "true" },
    { "0e", "0200 abcd", "abcd" },
    { "0f", "d1a86f3d05fed0119dda00c04fd7ba7c", "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c" },
    { "10", "8877665544332211", "0x1122334455667788" },
    { "11", "00803ed5deb19d01", "1970-01-01T00:00:00.000000000Z" },
    { "12", "e807 0200 0400 1d00 1700 3b00 3b00 e703", "2024-02-29T23:59:59.999000000Z" },
    { "13", "0101000000000005 12000000", "S-1-5-18" },
    { "14", "efbeadde", "0xdeadbeef" },
    { "15", "efbeadde01000000", "0x1deadbeef" },
    { "16", "0400 61006200", "ab" },
    { "17", "0200 61e9", "aé" },
    { "19", "0200 abcd", "abcd" },
    { "84 02", "4d", "M" },
    { "83 02", "4d", "M" },
    { "86 02", "ac20", "€" },
    { "84 03", "02", "true" },
    { "88 03", "00000000", "false" },
    { "84 04", "ab", "0xab" },
    { "86 04", "cdab", "0xabcd" },
    { "87 04", "ffffffff", "0xffffffff" },
    { "8a 04", "0100000000000000", "0x1" },
    { "88 05", "d2040000", "1234" },
    { "88 06", "d2040000", "1234" },
    { "86 07", "01bb", "443" },
    { "88 08", "7f000001", "127.0.0.1" },
    { "8e 09", "1000 20010db8000000000000000000000001", "2001:db8::1" },
    { "99 09", "1000 20010db8000000000000000000000001", "2001:db8::1" },
    { "8e 0a", "1000 020001bb0a0000010000000000000000", "10.0.0.1:443" },
    { "8e 0a", "1c00 17001f9000000000 00000000000000000000000000000001 00000000", "[::1]:8080" },
    { "8e 0a", "0000", "(none)" },
    { "82 0b", "c3a900", "é" },
    { "81 0b", "e9000000", "é" },
    { "97 0c", "0200 c3a9", "é" },
    { "82 23", "c3a900", "é" },
    { "97 23", "0200 c3a9", "é" },
    { "8a 10", "00803ed5deb19d01", "1970-01-01T00:00:00.000000000Z" },
    { "91 21", "00803ed5deb19d01", "1970-01-01T00:00:00.000000000Z" },
    { "91 26", "00803ed5deb19d01", "1970-01-01T00:00:00.000000000Z" },
    { "94 11", "ffffffff", "-1" },
    { "88 11", "ffffffff", "-1" },
    { "94 12", "ffffffff", "4294967295" },
    { "87 12", "ffffffff", "4294967295" },
    { "8e 24", "0100 30", "30" },
    { "90 25", "00100080f8ffffff", "0xfffffff880001000" },
    { "88 7f", "07000000", "7" },  /* out-types that are not known */
    { "88 22", "07000000", "7" },
    { "8f 07", "d1a86f3d05fed0119dda00c04fd7ba7c", "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c" }, /* that do not fit */
};
// clang-format on

START_TEST(every_type)
{
    for (size_t i = 0; i < COUNT_OF(types_by_number); i++) {
        uint32_t faults, left;
        begin("E");
        field("F", types_by_number[i].description);
        field("Next", "04");
        end();
        char hex[256];
        snprintf(hex, sizeof hex, "%s 2a", types_by_number[i].payload);
        kit_hex(&k, hex);
        ck_assert_msg(!strcmp(kit_show(&k, "F"), types_by_number[i].shown), "%s: %s, not %s",
                      types_by_number[i].description, kit_show(&k, "F"), types_by_number[i].shown);
        ck_shows(&k, "Next", "42");
        kit_walk(&k, &faults, &left);
        ck_assert_msg(!faults && !left, "%s: %u faults, %u left", types_by_number[i].description, faults, left);
    }
}
END_TEST

START_TEST(how_values_are_shown)
{
    static const struct {
        const char *description;
        uint8_t show;
    } shown[] = { { "88 01", TW_SHOW_HIDE },  { "88 05", TW_SHOW_PID },      { "88 06", TW_SHOW_TID },
                  { "86 07", TW_SHOW_PORT },  { "81 0b", TW_SHOW_XML },      { "81 0c", TW_SHOW_JSON },
                  { "88 0d", TW_SHOW_WIN32 }, { "88 0e", TW_SHOW_NTSTATUS }, { "87 0f", TW_SHOW_HRESULT },
                  { "90 25", TW_SHOW_CODE },  { "08", TW_SHOW_PLAIN } };

    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        begin("E");
        field("F", shown[i].description);
        end();
        ck_assert_uint_eq(k.type->field[0].show, shown[i].show);
    }
}
END_TEST

START_TEST(pointers_have_the_size_of_the_event)
{
    begin("E");
    field("P", "10");
    end();
    publish(4);
    ck_decodes("78563412 ff", "P[0]@0=0x12345678", 0, 1);
}
END_TEST

/* ---- Arrays and structs ---- */

START_TEST(constant_arrays)
{
    begin("E");
    field("A", "24 0300");
    field("B", "a6 07 0200"); /* with an out-type before the count */
    field("C", "21 0200");
    field("D", "28 0000");
    field("F", "04");
    end();
    ck_decodes("010203 01bb 0050 61000000 0000 2a",
               "A[0]@0=1 A[1]@0=2 A[2]@0=3 B[0]@0=443 B[1]@0=80 C[0]@0=a C[1]@0= F[0]@0=42", 0, 0);
}
END_TEST

START_TEST(variable_arrays)
{
    begin("E");
    field("A", "48");
    field("B", "56");
    field("F", "04");
    end();
    ck_decodes("0200 01000000 02000000 0200 0200 6100 0000 2a", "A[0]@0=1 A[1]@0=2 B[0]@0=a B[1]@0= F[0]@0=42", 0, 0);
    ck_decodes("0000 0000 2a", "F[0]@0=42", 0, 0);
    ck_decodes("ffff 01000000", "A[0]@0=1", 1, 0);
}
END_TEST

START_TEST(structs)
{
    begin("E");
    field("S", "98 02");
    field("a", "04");
    field("T", "98 01"); /* counts as one; its own member does not */
    field("b", "04");
    field("c", "04");
    field("None", "18");
    field("Nil", "98 00");
    field("d", "04");
    end();
    ck_decodes("01 02 03 04", "S[0]@0= a[0]@1=1 T[0]@1= b[0]@2=2 c[0]@0=3 None[0]@0= Nil[0]@0= d[0]@0=4", 0, 0);
    ck_shows(&k, "S.T.b", "2");
}
END_TEST

START_TEST(arrays_of_structs)
{
    begin("E");
    field("Constant", "b8 02 0200");
    field("x", "04");
    field("y", "84 04");
    field("Variable", "d8 02");
    field("name", "16");
    field("Inner", "d8 01");
    field("z", "46");
    field("Last", "04");
    end();
    ck_decodes("01 0a 02 0b  0200  0200 6100  0200 0100 0700 0000  0000 0000  2a",
               "Constant[0]@0= x[0]@1=1 y[0]@1=0xa Constant[1]@0= x[0]@1=2 y[0]@1=0xb "
               "Variable[0]@0= name[0]@1=a Inner[0]@1= z[0]@2=7 Inner[1]@1= Variable[1]@0= name[0]@1= Last[0]@0=42",
               0, 0);
    ck_assert_str_eq(kit_text(&k), "Constant=[{x=1 y=0xa}, {x=2 y=0xb}] "
                                   "Variable=[{name=\"a\" Inner=[{z=[7]}, {}]}, {name=\"\"}] Last=42");
    ck_decodes("01 0a 02 0b 0000 2a",
               "Constant[0]@0= x[0]@1=1 y[0]@1=0xa Constant[1]@0= x[0]@1=2 y[0]@1=0xb Last[0]@0=42", 0, 0);
}
END_TEST

START_TEST(custom_serialised_fields)
{
    begin("E");
    field("C", "e4 0b 0300 aabbcc"); /* its own description is passed over */
    field("D", "64 0000");
    field("F", "04");
    end();
    ck_decodes("0200 0102 0000 2a", "C[0]@0=0102 D[0]@0= F[0]@0=42", 0, 0);
}
END_TEST

START_TEST(eight_levels_and_nine)
{
    begin("E");
    for (int i = 0; i < 8; i++) field("S", "d8 01");
    field("x", "04");
    end();
    ck_decodes("0100 0100 0100 0100 0100 0100 0100 0100 2a",
               "S[0]@0= S[0]@1= S[0]@2= S[0]@3= S[0]@4= S[0]@5= S[0]@6= S[0]@7= x[0]@8=42", 0, 0);
    begin("E");
    for (int i = 0; i < 8; i++) field("S", "d8 01");
    field("S", "58"); /* a ninth one, though empty */
    item[0] = (uint8_t)n;
    broken(too_much);
}
END_TEST

START_TEST(types_that_are_not_known_end_the_table)
{
    static const char *const unknown[] = { "00", "1a", "1f", "20 0100", "9b 03" };

    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        begin("E");
        field("A", "04");
        field("U", unknown[i]);
        field("B", "04");
        end();
        ck_assert_uint_eq(k.type->nfields, 1);
        ck_decodes("01 0203", "A[0]@0=1", 0, 2);
    }
    begin("E"); /* first: nothing can be read */
    field("U", "1a");
    field("B", "04");
    item[0] = (uint8_t)n;
    broken("its first field is of a type that is not known");
    begin("E"); /* in a struct */
    field("S", "98 03");
    field("A", "04");
    field("U", "1a");
    field("B", "04");
    end();
    ck_decodes("01 0203", "S[0]@0= A[0]@1=1", 0, 2);
    begin("E"); /* in an array: no element of it can be read */
    field("A", "04");
    field("S", "d8 02");
    field("T", "98 02");
    field("B", "04");
    field("U", "1a");
    field("C", "04");
    end();
    ck_decodes("01 0200 03", "A[0]@0=1", 0, 3);
}
END_TEST

/* ---- Tags and names ---- */

START_TEST(tags)
{
    begin("E");
    field("one", "88 80 01");           /* default out-type, tag of one byte */
    field("four", "88 84 81 82 83 04"); /* hexadecimal, tag of four */
    field("five", "88 80 81 82 83 84 05");
    field("none", "88 80 00");
    field("array", "a4 80 7f 0200");
    end();
    ck_assert_str_eq(k.type->field[0].help, "tag 0x200000");
    ck_assert_str_eq(k.type->field[1].help, "tag 0x208184");
    ck_assert_str_eq(k.type->field[2].help, "tag 0x208184"); /* 28 bits are all that a tag has */
    ck_assert_ptr_null(k.type->field[3].help);
    ck_assert_str_eq(k.type->field[4].help, "tag 0xfe00000");
    ck_decodes("01000000 02000000 03000000 04000000 0506",
               "one[0]@0=1 four[0]@0=0x2 five[0]@0=3 none[0]@0=4 array[0]@0=5 array[1]@0=6", 0, 0);
    n = 0; /* of the event, in three bytes */
    put("\0\0\x81\x82\x03", 5);
    put("Tagged", 7);
    field("F", "04");
    end();
    ck_assert_str_eq(k.type->name, "Tagged");
    ck_shows(&k, "F", "1");
}
END_TEST

START_TEST(names)
{
    begin("");
    end();
    ck_assert_str_eq(k.type->name, "0"); /* stays what it was */
    ck_assert_uint_eq(k.type->nfields, 0);
    begin("\xC3\xA9\xFF");
    field("", "04");
    field("\xFF", "04");
    end();
    ck_assert_str_eq(k.type->name, "é\xEF\xBF\xBD");
    ck_assert_str_eq(k.type->field[0].name, "field 1");
    ck_assert_str_eq(k.type->field[1].name, "\xEF\xBF\xBD");
}
END_TEST

/* ---- Broken ones ---- */

START_TEST(descriptions_that_are_cut_anywhere)
{
    begin("Event");
    field("A", "04");
    field("S", "d8 01");
    field("B", "b4 84 81 05 0200");
    field("C", "64 0200 aabb");
    size_t whole = n;
    uint8_t copy[256];
    memcpy(copy, item, whole);
    for (size_t cut = 0; cut <= whole; cut++) {
        memcpy(item, copy, whole);
        n = cut;
        item[0] = (uint8_t)cut;
        int good = read_item();
        int at_field_ends = cut == 9 || cut == 12 || cut == whole || cut == whole - 7;
        ck_assert_msg(good == at_field_ends, "cut at %u", (unsigned)cut);
        ck_assert(good || *why);
        if (cut >= 9) ck_assert_str_eq(type.name, "Event");
    }
}
END_TEST

START_TEST(descriptions_that_lie)
{
    begin("Event");
    field("A", "04");
    item[0] = (uint8_t)(n + 1);
    broken("it says that it is longer than it is");
    ck_assert_str_eq(type.name, "Event");
    item[0] = (uint8_t)(n - 1); /* shorter: what lies behind is not looked at */
    broken("it ends inside of a field");
    item[0] = 0;
    broken("it ends inside of a field");
    begin("Event");
    field("S", "98 02");
    field("a", "04");
    item[0] = (uint8_t)n;
    broken("a struct says that it has more members than follow");
    begin("Event");
    field("C", "64 ffff aabb");
    item[0] = (uint8_t)n;
    broken("it ends inside of a field");
    n = 0;
    broken("it ends inside of a field");
    begin("Event");
    field("A", "04");
    item[0] = (uint8_t)n;
    s.limit = s.used;
    broken(too_much);
}
END_TEST

/* ---- Traits ---- */

static const char *provider(const char *hex, uint8_t group[16])
{
    uint8_t bytes[256], *exact;
    size_t count = kit_parse(hex, bytes);

    exact = mem_new(count + 1);
    memcpy(exact, bytes, count);
    exact[count] = 'x'; /* the name ends by its NUL, not by luck */
    const char *name = traits_provider(exact, count, &s, group);
    free(exact);
    return name;
}

START_TEST(providers)
{
    static const uint8_t none[16] = { 0 };
    const uint8_t of_windows[16] = { 0x1A, 0x73, 0x50, 0x4F, 0xCF, 0x89, 0x82, 0x47,
                                     0xB3, 0xE0, 0xDC, 0xE8, 0xC9, 0x04, 0x76, 0xBA };
    uint8_t group[16];

    ck_assert_str_eq(provider("0f00736f6c61725f73797374656d00", group), "solar_system");
    ck_assert_mem_eq(group, none, 16);
    ck_assert_str_eq(provider("38004d6963726f736f66742e57696e646f77732e53756273797374656d2e4c78436f72650013"
                              "00011a73504fcf898247b3e0dce8c90476ba",
                              group),
                     "Microsoft.Windows.Subsystem.LxCore");
    ck_assert_mem_eq(group, of_windows, 16);
    /* an unknown trait before the group, and one behind it that is cut */
    ck_assert_str_eq(provider("1f00 6100 0400 07ff 1300 011a73504fcf898247b3e0dce8c90476ba ff00 01 00", group), "a");
    ck_assert_mem_eq(group, of_windows, 16);
    /* of its size, but another one */
    ck_assert_str_eq(provider("1700 6100 1300 021a73504fcf898247b3e0dce8c90476ba", group), "a");
    ck_assert_mem_eq(group, none, 16);
    ck_assert_str_eq(provider("0800 6100 0000 0102", group), "a"); /* a trait of no size */
    ck_assert_mem_eq(group, none, 16);
    ck_assert_str_eq(provider("0400 6100", group), "a");
    ck_assert_ptr_null(provider("", group));
    ck_assert_ptr_null(provider("04", group));
    ck_assert_ptr_null(provider("0300 00", group));   /* no name */
    ck_assert_ptr_null(provider("0400 6162", group)); /* that does not end */
    ck_assert_ptr_null(provider("0500 6100", group)); /* longer than it is */
    ck_assert_ptr_null(provider("0200 6100", group));
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, all_simple_types_of_a_real_event);
    tcase_add_test(c, counted_and_ended_strings_of_a_real_event);
    tcase_add_test(c, every_type);
    tcase_add_test(c, how_values_are_shown);
    tcase_add_test(c, pointers_have_the_size_of_the_event);
    tcase_add_test(c, constant_arrays);
    tcase_add_test(c, variable_arrays);
    tcase_add_test(c, structs);
    tcase_add_test(c, arrays_of_structs);
    tcase_add_test(c, custom_serialised_fields);
    tcase_add_test(c, eight_levels_and_nine);
    tcase_add_test(c, types_that_are_not_known_end_the_table);
    tcase_add_test(c, tags);
    tcase_add_test(c, names);
    tcase_add_test(c, descriptions_that_are_cut_anywhere);
    tcase_add_test(c, descriptions_that_lie);
    tcase_add_test(c, providers);
}

int main(void)
{
    return kit_run("tracelogging", add, open_all, close_all);
}
