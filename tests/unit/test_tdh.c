/* test_tdh.c - every in-type and out-type, from bytes to what people read. */
#include "tdh.h"

#include "payload_kit.h"

static kit k;

static void open_kit(void)
{
    kit_open(&k);
}

static void close_kit(void)
{
    kit_close(&k);
}

typedef struct vector {
    unsigned in, out;
    const char *hex, *shown; /* the payload; the value, "(none)" where there is none */
    uint32_t left;           /* bytes behind the field */
} vector;

/* One field of that type, and a byte behind it where the table says that one is left. */
static void check_all(const vector *v, uint32_t n, uint8_t pointer)
{
    for (uint32_t i = 0; i < n; i++, v++) {
        tw_field f = { .name = "F" };
        tw_walk w;
        tw_value value;
        ck_assert_msg(tdh_field(v->in, v->out, &f), "in-type %u is not known", v->in);
        kit_type(&k, &f, 1, pointer);
        kit_hex(&k, v->hex);
        ck_assert_msg(!strcmp(kit_show(&k, "F"), v->shown), "%u/%u of %s: %s, not %s", v->in, v->out, v->hex,
                      kit_show(&k, "F"), v->shown);
        type_walk(k.type, &k.event, &k.how, &w);
        while (type_next(&w, &value) == TW_OK) {}
        ck_assert_msg(w.left == v->left && !w.faults, "%u/%u of %s: %u left, %u faults", v->in, v->out, v->hex,
                      w.left, w.faults);
    }
}

#define ck_vectors(table, pointer) check_all(table, COUNT_OF(table), pointer)

// clang-format off
START_TEST(integers)
{
    static const vector plain[] = {
        { 3,  0, "80 ff",               "-128", 1 },
        { 4,  0, "80 ff",               "128", 1 },
        { 5,  0, "0080 ff",             "-32768", 1 },
        { 6,  0, "0080 ff",             "32768", 1 },
        { 7,  0, "ffffffff ff",         "-1", 1 },
        { 8,  0, "ffffffff ff",         "4294967295", 1 },
        { 9,  0, "0000000000000080 ff", "-9223372036854775808", 1 },
        { 10, 0, "ffffffffffffffff ff", "18446744073709551615", 1 },
        { 20, 0, "efbeadde",            "0xdeadbeef", 0 },
        { 21, 0, "efbeadde01000000",    "0x1deadbeef", 0 },
        { 11, 0, "0000c03f",            "1.5", 0 },
        { 12, 0, "182d4454fb210940",    "3.141592653589793", 0 },
        { 13, 0, "00000000",            "false", 0 },
        { 13, 0, "00010000",            "true", 0 },
        { 13, 13, "01000000",           "true", 0 },
    };
    static const vector hexadecimal[] = {
        { 4,  16, "0a",               "0xa", 0 },
        { 3,  16, "ff",               "0xff", 0 },
        { 6,  17, "cdab",             "0xabcd", 0 },
        { 8,  18, "01000080",         "0x80000001", 0 },
        { 7,  18, "01000080",         "0x80000001", 0 },
        { 10, 19, "1032547698badcfe", "0xfedcba9876543210", 0 },
        { 8,  19, "01000000",         "0x1", 0 }, /* of another width: the payload's counts */
        { 8,  29, "05000000",         "0x5", 0 },
        { 20, 18, "ff000000",         "0xff", 0 },
        { 21, 19, "ff00000000000000", "0xff", 0 },
    };
    static const vector meanings[] = {
        { 3,  3,  "ff",               "-1", 0 },
        { 4,  4,  "ff",               "255", 0 },
        { 5,  5,  "ffff",             "-1", 0 },
        { 6,  6,  "ffff",             "65535", 0 },
        { 7,  7,  "ffffffff",         "-1", 0 },
        { 7,  9,  "ffffffff",         "-1", 0 },
        { 8,  8,  "ffffffff",         "4294967295", 0 },
        { 8,  10, "ffffffff",         "4294967295", 0 },
        { 9,  9,  "ffffffffffffffff", "-1", 0 },
        { 10, 10, "ffffffffffffffff", "18446744073709551615", 0 },
        { 20, 8,  "10000000",         "16", 0 },
        { 4,  13, "02",               "true", 0 },
        { 4,  13, "00",               "false", 0 },
        { 8,  13, "00000001",         "true", 0 },
        { 6,  13, "0200",             "2", 0 }, /* of a width that no boolean has */
        { 4,  1,  "41",               "A", 0 },
        { 4,  1,  "80",               "€", 0 },
        { 3,  1,  "e9",               "é", 0 },
        { 6,  1,  "ac20",             "€", 0 },
        { 6,  1,  "00d8",             "\xEF\xBF\xBD", 0 },
        { 6,  22, "01bb",             "443", 0 },
        { 5,  22, "c001",             "49153", 0 },
        { 8,  22, "01bb0000",         "47873", 0 }, /* a port has two bytes */
        { 8,  20, "d2040000",         "1234", 0 },
        { 8,  21, "ffffffff",         "4294967295", 0 },
        { 20, 20, "10000000",         "16", 0 },
        { 8,  23, "7f000001",         "127.0.0.1", 0 },
        { 7,  23, "c0a80001",         "192.168.0.1", 0 },
        { 8,  38, "01000000",         "1", 0 }, /* no time has four bytes */
        { 8,  27, "01000000",         "1", 0 },
        { 8,  25, "01000000",         "1", 0 },
        { 8,  999, "01000000",        "1", 0 },
        { 8,  37, "00100080",         "0x80001000", 0 },
        { 10, 37, "0010008001f8ffff", "0xfffff80180001000", 0 },
    };
    ck_vectors(plain, 8);
    ck_vectors(hexadecimal, 8);
    ck_vectors(meanings, 8);
}
END_TEST

START_TEST(pointers)
{
    static const vector eight[] = {
        { 16,  0,  "8877665544332211 ff", "0x1122334455667788", 1 },
        { 16,  37, "8877665544332211 ff", "0x1122334455667788", 1 },
        { 16,  19, "0000000000000000",    "0x0", 0 },
        { 308, 0,  "0001000000000000 ff", "0x100", 1 },
    };
    static const vector four[] = {
        { 16,  0,  "88776655 ff", "0x55667788", 1 },
        { 308, 0,  "00010000 ff", "0x100", 1 },
    };
    ck_vectors(eight, 8);
    ck_vectors(four, 4);
}
END_TEST

START_TEST(times)
{
    static const vector times[] = {
        { 17, 0,  "0000000000000000 ff", "(none)", 1 },
        { 17, 0,  "00803ed5deb19d01",    "1970-01-01T00:00:00.000000000Z", 0 },
        { 17, 2,  "01803ed5deb19d01",    "1970-01-01T00:00:00.000000100Z", 0 },
        { 17, 33, "00803ed5deb19d01",    "1970-01-01T00:00:00.000000000Z", 0 },
        { 17, 38, "00803ed5deb19d01",    "1970-01-01T00:00:00.000000000Z", 0 },
        { 17, 0,  "ffffffffffffff7f",    "(none)", 0 }, /* in the year 30828 */
        { 17, 0,  "ffffffffffffffff",    "(none)", 0 },
        { 10, 2,  "00803ed5deb19d01",    "1970-01-01T00:00:00.000000000Z", 0 },
        { 9,  38, "00803ed5deb19d01",    "1970-01-01T00:00:00.000000000Z", 0 },
        { 21, 33, "00803ed5deb19d01",    "1970-01-01T00:00:00.000000000Z", 0 },
        { 18, 0,  "e807 0200 0400 1d00 1700 3b00 3b00 e703 ff", "2024-02-29T23:59:59.999000000Z", 1 },
        { 18, 2,  "e707 0100 0000 0100 0000 0000 0000 0000",    "2023-01-01T00:00:00.000000000Z", 0 },
        { 18, 33, "e707 0100 0000 0100 0000 0000 0000 0000",    "2023-01-01T00:00:00.000000000Z", 0 },
        { 18, 0,  "e707 0200 0000 1d00 0000 0000 0000 0000",    "(none)", 0 }, /* the 29th of February 2023 */
        { 18, 0,  "0000 0000 0000 0000 0000 0000 0000 0000",    "(none)", 0 },
        { 18, 0,  "e707 0d00 0000 0100 0000 0000 0000 0000",    "(none)", 0 },
        { 18, 0,  "e707 0100 0000 0100 1800 0000 0000 0000",    "(none)", 0 },
        { 18, 0,  "ffff ffff ffff ffff ffff ffff ffff ffff",    "(none)", 0 },
    };
    ck_vectors(times, 8);
}
END_TEST

START_TEST(texts)
{
    static const vector ended[] = {
        { 1, 0,  "610062000000 ff",      "ab", 1 },
        { 1, 1,  "0000 ff",              "", 1 },
        { 1, 0,  "61006200",             "ab", 0 }, /* the last one may lack its NUL */
        { 1, 0,  "3dd800de 0000",        "😀", 0 },
        { 1, 0,  "3dd8 6100 0000",       "\xEF\xBF\xBD" "a", 0 },
        { 1, 28, "3c002f003e000000",     "</>", 0 },
        { 1, 34, "7b007d000000",         "{}", 0 },
        { 2, 0,  "6180e900 ff",          "a€é", 1 },
        { 2, 1,  "61",                   "a", 0 },
        { 2, 35, "c3a9e282ac00 ff",      "é€", 1 },
        { 2, 28, "3cc3a93e00",           "<é>", 0 },
        { 2, 34, "22c3a92200",           "\"é\"", 0 },
        { 2, 35, "ff6100",               "\xEF\xBF\xBD" "a", 0 },
    };
    static const vector counted[] = {
        { 22,  0,  "0400 61006200 ff",   "ab", 1 },
        { 22,  0,  "0000 ff",            "", 1 },
        { 22,  28, "0200 6100",          "a", 0 },
        { 23,  0,  "0200 6180 ff",       "a€", 1 },
        { 23,  35, "0200 c3a9 ff",       "é", 1 },
        { 300, 0,  "0400 61006200 ff",   "ab", 1 },
        { 301, 0,  "0200 61e9 ff",       "aé", 1 },
        { 302, 0,  "0004 61006200 ff",   "ab", 1 },
        { 303, 0,  "0002 61e9 ff",       "aé", 1 },
        { 304, 0,  "6100620000000000",   "ab", 0 },
        { 305, 0,  "61620000",           "ab", 0 },
        { 305, 35, "c3a9",               "é", 0 },
        { 306, 0,  "6100 ff",            "a", 1 },
        { 307, 0,  "80 ff",              "€", 1 },
    };
    ck_vectors(ended, 8);
    ck_vectors(counted, 8);
}
END_TEST

START_TEST(bytes_and_addresses)
{
    static const vector vectors[] = {
        { 14,  0,  "00ff10",             "00ff10", 0 },
        { 14,  15, "00ff10",             "00ff10", 0 },
        { 14,  36, "3082",               "3082", 0 },
        { 14,  24, "20010db8000000000000000000000001 ff", "2001:db8::1", 1 },
        { 14,  24, "00000000000000000000ffff0a000001",    "::ffff:10.0.0.1", 0 },
        { 14,  14, "d1a86f3d05fed0119dda00c04fd7ba7c ff", "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", 1 },
        { 14,  25, "0200 01bb 0a000001 0000000000000000 ff", "10.0.0.1:443", 1 },
        { 14,  25, "1700 1f90 00000000 00000000000000000000000000000001 00000000 ff", "[::1]:8080", 1 },
        { 14,  25, "0100 2f 746d70",     "01002f746d70", 0 },
        { 25,  0,  "0300 00ff10 ff",     "00ff10", 1 },
        { 25,  0,  "0000 ff",            "", 1 },
        { 25,  24, "1000 fe800000000000000000000000000001 ff", "fe80::1", 1 },
        { 25,  25, "0800 0200 0050 7f000001 ff", "127.0.0.1:80", 1 },
        { 25,  25, "0000 ff",            "(none)", 1 },
        { 25,  36, "0100 30",            "30", 0 },
        { 309, 0,  "03000000 00ff10 ff", "00ff10", 1 },
        { 15,  0,  "d1a86f3d05fed0119dda00c04fd7ba7c ff", "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", 1 },
        { 15,  14, "00000000000000000000000000000000",    "00000000-0000-0000-0000-000000000000", 0 },
        { 19,  0,  "0101000000000005 12000000 ff",        "S-1-5-18", 1 },
        { 19,  1,  "0105000000000005 15000000 01000000 02000000 03000000 e8030000", "S-1-5-21-1-2-3-1000", 0 },
        { 19,  0,  "0100000000000005 ff",                 "S-1-5", 1 },
        { 310, 0,  "d04bb2bebdf1ffff 0000000000000000 0101000000000005 12000000 ff", "S-1-5-18", 1 },
        { 310, 0,  "00000000 ff",                         "(none)", 1 },
    };
    static const vector four[] = {
        { 310, 0,  "d04bb2be 00000000 0101000000000005 12000000 ff", "S-1-5-18", 1 },
    };
    ck_vectors(vectors, 8);
    ck_vectors(four, 4);
}
END_TEST

/* Whether the codes have names is another matter. */
START_TEST(error_codes)
{
    static const struct { unsigned in, out; uint8_t show; } codes[] = {
        { 8, 30, TW_SHOW_WIN32 }, { 20, 30, TW_SHOW_WIN32 }, { 7, 30, TW_SHOW_WIN32 },
        { 8, 31, TW_SHOW_NTSTATUS }, { 20, 31, TW_SHOW_NTSTATUS },
        { 7, 32, TW_SHOW_HRESULT }, { 8, 32, TW_SHOW_HRESULT },
        { 8, 301, TW_SHOW_HIDE }, { 1, 301, TW_SHOW_HIDE }, { 1, 28, TW_SHOW_XML }, { 22, 34, TW_SHOW_JSON },
        { 16, 37, TW_SHOW_CODE }, { 8, 20, TW_SHOW_PID }, { 8, 21, TW_SHOW_TID }, { 6, 22, TW_SHOW_PORT },
    };
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        tw_field f = { .name = "F" };
        ck_assert(tdh_field(codes[i].in, codes[i].out, &f));
        ck_assert_uint_eq(f.show, codes[i].show);
    }
}
END_TEST
// clang-format on

START_TEST(types_that_are_none)
{
    static const unsigned none[] = { 0, 24, 26, 299, 311, 65535, UINT32_MAX };
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        tw_field f = { .name = "F" };
        ck_assert_msg(!tdh_field(none[i], 0, &f), "%u", none[i]);
    }
}
END_TEST

/* SIDs, texts and addresses that lie about their size. */
START_TEST(what_is_cut_short)
{
    static const struct {
        unsigned in, out;
        const char *hex;
        uint32_t faults, left;
    } cut[] = {
        { 8, 0, "010000", 1, 3 },
        { 15, 0, "0102030405060708090a0b0c0d0e0f", 1, 15 },
        { 18, 0, "e707010000000100000000000000", 1, 14 },
        { 19, 0, "01ff000000000005 12000000", 1, 12 }, /* 255 sub-authorities */
        { 19, 0, "0102000000000005 12000000", 1, 12 }, /* one less than it says */
        { 19, 0, "0201000000000005 12000000", 1, 0 },  /* of a revision that does not exist */
        { 19, 0, "01010000000000", 1, 7 },
        { 22, 0, "05", 1, 1 },
        { 25, 24, "0300 010203", 1, 0 },   /* no address has three bytes */
        { 309, 0, "ffffffff 0102", 1, 0 }, /* what is there is given */
        { 14, 24, "20010db8", 1, 4 },
        { 14, 25, "02", 1, 1 },
        { 17, 0, "00803ed5deb19d", 1, 7 },
    };
    for (size_t i = 0; i < COUNT_OF(cut); i++) {
        tw_field f = { .name = "F" };
        tw_walk w;
        tw_value v;
        ck_assert(tdh_field(cut[i].in, cut[i].out, &f));
        kit_type(&k, &f, 1, 8);
        kit_hex(&k, cut[i].hex);
        type_walk(k.type, &k.event, &k.how, &w);
        while (type_next(&w, &v) == TW_OK) {}
        ck_assert_msg(w.faults == cut[i].faults && w.left == cut[i].left, "%u/%u of %s: %u faults, %u left",
                      cut[i].in, cut[i].out, cut[i].hex, w.faults, w.left);
    }
}
END_TEST

/* ---- Lengths ------------------------------------------------------------ */

static void with_length(unsigned in, unsigned out, uint32_t length, const char *hex)
{
    tw_field f[2] = { { .name = "F" }, { .name = "Next", .kind = TW_U8 } };

    ck_assert(tdh_field(in, out, &f[0]));
    tdh_length_fixed(in, length, &f[0]);
    kit_type(&k, f, 2, 8);
    kit_hex(&k, hex);
}

static void with_length_of_a_field(unsigned in, unsigned out, const char *hex)
{
    tw_field f[3] = { { .name = "N", .kind = TW_U16 }, { .name = "F" }, { .name = "Next", .kind = TW_U8 } };

    ck_assert(tdh_field(in, out, &f[1]));
    tdh_length_field(in, 0, &f[1]);
    kit_type(&k, f, 3, 8);
    kit_hex(&k, hex);
}

START_TEST(lengths_of_a_number)
{
    with_length(1, 0, 3, "610062000000 07"); /* characters; the NUL ends it, but not what it takes */
    ck_kit_walks(&k, "F[0]@0=ab Next[0]@0=7", 0, 0);
    with_length(1, 0, 2, "61006200 07");
    ck_kit_walks(&k, "F[0]@0=ab Next[0]@0=7", 0, 0);
    with_length(2, 0, 4, "61e90062 07"); /* bytes */
    ck_kit_walks(&k, "F[0]@0=aé Next[0]@0=7", 0, 0);
    with_length(2, 35, 2, "c3a9 07");
    ck_kit_walks(&k, "F[0]@0=é Next[0]@0=7", 0, 0);
    with_length(14, 0, 3, "010203 07");
    ck_kit_walks(&k, "F[0]@0=010203 Next[0]@0=7", 0, 0);
    with_length(14, 0, 0, "07");
    ck_kit_walks(&k, "F[0]@0= Next[0]@0=7", 0, 0);
    with_length(14, 24, 16, "20010db8000000000000000000000001 07");
    ck_kit_walks(&k, "F[0]@0=2001:db8::1 Next[0]@0=7", 0, 0);
    with_length(14, 24, 4, "0a000001 07"); /* too short for an address: bytes */
    ck_kit_walks(&k, "F[0]@0=0a000001 Next[0]@0=7", 0, 0);
    with_length(14, 24, 15, "20010db80000000000000000000000 07");
    ck_kit_walks(&k, "F[0]@0=20010db80000000000000000000000 Next[0]@0=7", 0, 0);
    with_length(14, 14, 16, "d1a86f3d05fed0119dda00c04fd7ba7c 07");
    ck_kit_walks(&k, "F[0]@0=3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c Next[0]@0=7", 0, 0);
    with_length(14, 25, 28, "020001bb0a000001 0000000000000000 000000000000000000000000 07");
    ck_kit_walks(&k, "F[0]@0=10.0.0.1:443 Next[0]@0=7", 0, 0);
    with_length(304, 0, 1, "6100 07");
    ck_kit_walks(&k, "F[0]@0=a Next[0]@0=7", 0, 0);
    with_length(8, 0, 2, "01000000 07"); /* what has a size by itself keeps it */
    ck_kit_walks(&k, "F[0]@0=1 Next[0]@0=7", 0, 0);
    with_length(22, 0, 9, "0200 6100 07");
    ck_kit_walks(&k, "F[0]@0=a Next[0]@0=7", 0, 0);
}
END_TEST

START_TEST(lengths_of_an_earlier_field)
{
    with_length_of_a_field(1, 0, "0200 61006200 07");
    ck_kit_walks(&k, "N[0]@0=2 F[0]@0=ab Next[0]@0=7", 0, 0);
    with_length_of_a_field(2, 0, "0200 6180 07");
    ck_kit_walks(&k, "N[0]@0=2 F[0]@0=a€ Next[0]@0=7", 0, 0);
    with_length_of_a_field(14, 15, "0000 07");
    ck_kit_walks(&k, "N[0]@0=0 F[0]@0= Next[0]@0=7", 0, 0);
    with_length_of_a_field(14, 25, "1000 020001bb0a0000010000000000000000 07");
    ck_kit_walks(&k, "N[0]@0=16 F[0]@0=10.0.0.1:443 Next[0]@0=7", 0, 0);
    with_length_of_a_field(14, 25, "0000 07"); /* no address, and no fault */
    ck_kit_walks(&k, "N[0]@0=0 Next[0]@0=7", 0, 0);
    with_length_of_a_field(14, 24, "1000 20010db8000000000000000000000001 07");
    ck_kit_walks(&k, "N[0]@0=16 F[0]@0=2001:db8::1 Next[0]@0=7", 0, 0);
    with_length_of_a_field(14, 24, "0000 07");
    ck_kit_walks(&k, "N[0]@0=0 Next[0]@0=7", 0, 0);
    with_length_of_a_field(14, 24, "0200 0102 07"); /* no address: a fault, and the next one is found */
    ck_kit_walks(&k, "N[0]@0=2 Next[0]@0=7", 1, 0);
    with_length_of_a_field(14, 0, "ffff 0102"); /* what is there is given */
    ck_kit_walks(&k, "N[0]@0=65535 F[0]@0=0102", 1, 0);
}
END_TEST

START_TEST(characters_in_a_row_are_text)
{
    tw_field f[2] = { { .name = "F", .count_by = TW_FIXED, .count = 4 }, { .name = "Next", .kind = TW_U8 } };

    ck_assert(tdh_field(306, 0, &f[0]));
    tdh_array(306, &f[0]);
    kit_type(&k, f, 2, 8);
    kit_hex(&k, "6100 6200 0000 6300 07");
    ck_kit_walks(&k, "F[0]@0=ab Next[0]@0=7", 0, 0);
    f[0] = (tw_field){ .name = "F", .count_by = TW_FIXED, .count = 3 };
    ck_assert(tdh_field(307, 0, &f[0]));
    tdh_array(307, &f[0]);
    kit_type(&k, f, 2, 8);
    kit_hex(&k, "6180e9 07");
    ck_kit_walks(&k, "F[0]@0=a€é Next[0]@0=7", 0, 0);
    f[0] = (tw_field){ .name = "F", .count_by = TW_FIXED, .count = 3 };
    ck_assert(tdh_field(4, 0, &f[0])); /* bytes are not */
    tdh_array(4, &f[0]);
    kit_type(&k, f, 2, 8);
    kit_hex(&k, "010203 07");
    ck_kit_walks(&k, "F[0]@0=1 F[1]@0=2 F[2]@0=3 Next[0]@0=7", 0, 0);
}
END_TEST

/* ---- Names -------------------------------------------------------------- */

START_TEST(names_of_types)
{
    static const struct {
        const char *name;
        int number;
    } in[] = { { "win:UnicodeString", 1 },
               { "win:ansistring", 2 },
               { "Int8", 3 },
               { "win:UInt64", 10 },
               { "win:Double", 12 },
               { "win:Boolean", 13 },
               { "WIN:BINARY", 14 },
               { "win:GUID", 15 },
               { "win:Pointer", 16 },
               { "win:FILETIME", 17 },
               { "win:SYSTEMTIME", 18 },
               { "win:SID", 19 },
               { "win:HexInt32", 20 },
               { "win:HexInt64", 21 },
               { "win:CountedUnicodeString", 22 },
               { "win:CountedAnsiString", 23 },
               { "win:CountedBinary", 25 },
               { "trace:ReversedCountedString", 302 },
               { "trace:UnicodeChar", 306 },
               { "trace:SizeT", 308 },
               { "trace:WBEMSid", 310 },
               { "win:UnicodeStrin", -1 },
               { "win:UnicodeStrings", -1 },
               { "", -1 },
               { "win:", -1 } },
      out[] = { { "xs:string", 1 },
                { "xs:dateTime", 2 },
                { "XS:UNSIGNEDINT", 8 },
                { "xs:GUID", 14 },
                { "xs:hexBinary", 15 },
                { "win:HexInt8", 16 },
                { "win:HexInt64", 19 },
                { "win:PID", 20 },
                { "Port", 22 },
                { "win:IPv6", 24 },
                { "win:SocketAddress", 25 },
                { "win:ETWTIME", 27 },
                { "win:Win32Error", 30 },
                { "win:NTSTATUS", 31 },
                { "win:HResult", 32 },
                { "win:DateTimeCultureInsensitive", 33 },
                { "win:Json", 34 },
                { "win:Utf8", 35 },
                { "win:CodePointer", 37 },
                { "win:DateTimeUtc", 38 },
                { "win:NoPrint", 301 },
                { "xs:", -1 },
                { "xs:strin", -1 } };
    for (size_t i = 0; i < COUNT_OF(in); i++)
        ck_assert_msg(tdh_in_type(in[i].name) == in[i].number, "%s: %d", in[i].name, tdh_in_type(in[i].name));
    for (size_t i = 0; i < COUNT_OF(out); i++)
        ck_assert_msg(tdh_out_type(out[i].name) == out[i].number, "%s: %d", out[i].name, tdh_out_type(out[i].name));
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, integers);
    tcase_add_test(c, pointers);
    tcase_add_test(c, times);
    tcase_add_test(c, texts);
    tcase_add_test(c, bytes_and_addresses);
    tcase_add_test(c, error_codes);
    tcase_add_test(c, types_that_are_none);
    tcase_add_test(c, what_is_cut_short);
    tcase_add_test(c, lengths_of_a_number);
    tcase_add_test(c, lengths_of_an_earlier_field);
    tcase_add_test(c, characters_in_a_row_are_text);
    tcase_add_test(c, names_of_types);
}

int main(void)
{
    return kit_run("tdh", add, open_kit, close_kit);
}
