/* test_metadata.c - schemas that a merged trace holds, made byte by byte. */
#include "metadata.h"

#include "payload_kit.h"

static kit k;
static metadata *m;
static tw_type type;
static unsigned version;

static void open_all(void)
{
    kit_open(&k);
    m = metadata_new();
}

static void close_all(void)
{
    metadata_free(m);
    kit_close(&k);
}

/* ---- Blobs ---- */

enum { NOWHERE = 65000 }; /* an offset for what nobody looks for by an offset */

static uint8_t info[65536];
static size_t n;

static void set(size_t at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) info[at + i] = (uint8_t)(value >> 8 * i);
}

/* Appends ASCII as UTF-16 with a NUL; its offset goes to `at`. */
static void put_text(size_t at, const char *ascii)
{
    set(at, n, 4);
    do {
        set(n, (uint8_t)*ascii, 2);
        n += 2;
    } while (*ascii++);
}

/* A provider is known by the first byte of its GUID. */
static void begin(uint8_t provider, unsigned id, unsigned of_version, uint32_t source, uint32_t properties)
{
    memset(info, 0, sizeof info);
    n = 0x70 + 24 * properties;
    info[0] = provider;
    set(0x20, id, 2);
    set(0x22, of_version, 1);
    set(0x30, source, 4);
    set(0x64, properties, 4);
    set(0x68, properties, 4);
}

static void property(uint32_t i, uint32_t flags, const char *name, unsigned in, unsigned out, unsigned count,
                     unsigned length)
{
    size_t at = 0x70 + 24 * i;

    set(at, flags, 4);
    put_text(at + 4, name);
    set(at + 8, in, 2);
    set(at + 10, out, 2);
    set(at + 16, count, 2);
    set(at + 18, length, 2);
}

static int add_record(unsigned opcode)
{
    static const uint8_t class_guid[16] = { 0xC1, 0xF6, 0xCC, 0xBB, 0xD1, 0x6C, 0xC4, 0x48,
                                            0x80, 0xFF, 0x83, 0x94, 0x82, 0xE3, 0x76, 0x71 };
    uint8_t *exact = mem_new(n ? n : 1);
    memcpy(exact, info, n);
    record r = {
        .at = exact, .size = (uint32_t)n, .guid = class_guid, .kind = RECORD_CLASSIC, .id = (uint16_t)opcode
    };

    ck_assert(metadata_is(&r));
    int good = metadata_add(m, &r);
    free(exact);
    return good;
}

#define ck_added()   ck_assert(add_record(32))
#define ck_refused() ck_assert(!add_record(32))

static int find(unsigned kind, uint8_t guid_byte, unsigned id, unsigned of_version)
{
    uint8_t guid[16] = { guid_byte };
    record r = { .guid = guid, .kind = (uint8_t)kind, .id = (uint16_t)id, .version = (uint16_t)of_version };

    type = (tw_type){ .size = sizeof type, .provider = "nobody", .name = "0", .pointer = 8 };
    version = 99;
    return metadata_find(m, &r, &type, &version);
}

/* Finds event 1 of provider 1, version 0, and publishes it. */
static void publish(void)
{
    ck_assert_int_eq(find(RECORD_EVENT, 1, 1, 0), SCHEMA_EXACT);
    uint32_t id = types_publish(k.types, &type, &k.why);
    ck_assert_msg(id, "refused: %s", text_of(&k.why));
    k.type = types_table(k.types)[id];
}

#define ck_decodes(hex, expected, faults, left)                                                                      \
    do {                                                                                                             \
        kit_hex(&k, hex);                                                                                            \
        ck_kit_walks(&k, expected, faults, left);                                                                    \
    } while (0)

/* ---- Finding ---- */

START_TEST(an_event_and_all_that_is_said_of_it)
{
    begin(1, 1, 0, 0, 2);
    set(0x28, UINT64_C(0x8000000000000012), 8);
    put_text(0x34, "Some-Provider ");
    put_text(0x38, "win:Informational ");
    put_text(0x3C, "Some-Provider/Analytic");
    put_text(0x44, "Open ");
    put_text(0x48, "win:Start");
    put_text(0x4C, "%1 opened %2.\r\n ");
    set(0x25, 1, 1);
    property(0, 0, "Count ", 8, 8, 1, 4);
    property(1, 0, "Name", 1, 1, 1, 0);
    ck_added();
    publish();
    ck_assert_str_eq(k.type->provider, "Some-Provider");
    ck_assert_str_eq(k.type->name, "OpenStart");
    ck_assert_str_eq(k.type->origin, "in the trace");
    ck_assert_str_eq(k.type->task_name, "Open");
    ck_assert_str_eq(k.type->opcode_name, "Start");
    ck_assert_str_eq(k.type->level_name, "Information");
    ck_assert_str_eq(k.type->channel_name, "Some-Provider/Analytic");
    ck_assert_str_eq(k.type->message, "%1 opened %2.");
    ck_assert_uint_eq(version, 0);
    ck_assert_uint_eq(metadata_count(m), 1);
    ck_decodes("07000000 61000000", "Count[0]@0=7 Name[0]@0=a", 0, 0);
}
END_TEST

START_TEST(names_of_keywords)
{
    begin(1, 1, 0, 0, 0);
    set(0x28, UINT64_C(0x8000000000000012), 8); /* bits 1, 4, and a channel's */
    set(0x40, n, 4);
    size_t at = n;
    put_text(NOWHERE, "Second ");
    put_text(NOWHERE, "Fifth");
    put_text(NOWHERE, "");
    ck_assert_uint_eq(info[at], 'S');
    ck_added();
    begin(1, 2, 0, 0, 0); /* two bits and one name: nobody knows which it is */
    set(0x28, 0x0C, 8);
    set(0x40, n, 4);
    put_text(NOWHERE, "Third");
    put_text(NOWHERE, "");
    ck_added();
    begin(1, 3, 0, 0, 0); /* the first name of a bit stays */
    set(0x28, 0x03, 8);
    set(0x40, n, 4);
    put_text(NOWHERE, "First");
    put_text(NOWHERE, "Other");
    ck_added(); /* the list ends with the blob */
    ck_assert_int_eq(find(RECORD_EVENT, 1, 2, 0), SCHEMA_EXACT);
    ck_assert_uint_eq(type.keywords->n, 3);
    ck_assert_uint_eq(type.keywords->flags, TW_BITS);
    ck_assert_uint_eq(type.keywords->name[0].value, 1);
    ck_assert_str_eq(type.keywords->name[0].name, "First");
    ck_assert_uint_eq(type.keywords->name[1].value, 2);
    ck_assert_str_eq(type.keywords->name[1].name, "Second");
    ck_assert_uint_eq(type.keywords->name[2].value, 16);
    ck_assert_str_eq(type.keywords->name[2].name, "Fifth");
}
END_TEST

START_TEST(versions)
{
    static const unsigned known[] = { 5, 2, 7 };

    for (size_t i = 0; i < 3; i++) {
        begin(1, 1, known[i], 0, 1);
        put_text(0x34, "P");
        property(0, 0, known[i] == 2 ? "two" : known[i] == 5 ? "five" : "seven", 8, 0, 1, 4);
        ck_added();
    }
    ck_assert_int_eq(find(RECORD_EVENT, 1, 1, 5), SCHEMA_EXACT);
    ck_assert_str_eq(type.field[0].name, "five");
    ck_assert_int_eq(find(RECORD_EVENT, 1, 1, 6), SCHEMA_NEAR); /* the nearest older one */
    ck_assert_str_eq(type.field[0].name, "five");
    ck_assert_uint_eq(version, 5);
    ck_assert_int_eq(find(RECORD_EVENT, 1, 1, 200), SCHEMA_NEAR);
    ck_assert_uint_eq(version, 7);
    ck_assert_int_eq(find(RECORD_EVENT, 1, 1, 3), SCHEMA_NEAR);
    ck_assert_uint_eq(version, 2);
    ck_assert_int_eq(find(RECORD_EVENT, 1, 1, 1), SCHEMA_NEAR); /* none: the nearest newer one */
    ck_assert_str_eq(type.field[0].name, "two");
    ck_assert_int_eq(find(RECORD_EVENT, 1, 2, 5), SCHEMA_NONE);
    ck_assert_str_eq(type.provider, "P"); /* which is known all the same */
    ck_assert_ptr_null(type.origin);
    ck_assert_ptr_null(type.field);
    ck_assert_int_eq(find(RECORD_EVENT, 2, 1, 5), SCHEMA_NONE);
    ck_assert_str_eq(type.provider, "nobody");
    ck_assert_int_eq(find(RECORD_CLASSIC, 1, 1, 5), SCHEMA_NONE);
    ck_assert_int_eq(find(RECORD_KERNEL, 1, 1, 5), SCHEMA_NONE);
    ck_assert_int_eq(find(RECORD_MESSAGE, 1, 1, 5), SCHEMA_NONE);
}
END_TEST

START_TEST(the_first_one_stays)
{
    begin(1, 1, 0, 0, 1);
    property(0, 0, "first", 8, 0, 1, 4);
    ck_added();
    begin(1, 1, 0, 0, 1);
    property(0, 0, "second", 8, 0, 1, 4);
    ck_added();
    ck_assert_uint_eq(metadata_count(m), 1);
    publish();
    ck_assert_str_eq(k.type->field[0].name, "first");
}
END_TEST

/* Two traces read as one may come from machines whose providers differ, though their versions do not. */
START_TEST(descriptions_that_differ)
{
    begin(1, 1, 0, 0, 2);
    property(0, 0, "A", 8, 0, 1, 4);
    property(1, 0, "B", 8, 0, 1, 4);
    ck_added();
    ck_added();
    begin(1, 1, 0, 0, 2);
    put_text(0x4C, "Says something.");
    property(0, 0, "Another name", 8, 0, 1, 4);
    property(1, 0, "B", 8, 0, 1, 4);
    ck_added();
    ck_assert_uint_eq(metadata_conflicts(m), 0);
    begin(1, 1, 1, 0, 1);
    property(0, 0, "Of another version", 8, 0, 1, 4);
    ck_added();
    ck_assert_uint_eq(metadata_conflicts(m), 0);
    begin(1, 1, 0, 0, 2);
    property(0, 0, "A", 6, 0, 1, 2);
    property(1, 0, "B", 8, 0, 1, 4);
    ck_added();
    ck_assert_uint_eq(metadata_conflicts(m), 1);
    begin(1, 1, 0, 0, 3);
    property(0, 0, "A", 8, 0, 1, 4);
    property(1, 0, "B", 8, 0, 1, 4);
    property(2, 0, "C", 8, 0, 1, 4);
    ck_added();
    ck_assert_uint_eq(metadata_conflicts(m), 2);
    ck_assert_uint_eq(metadata_count(m), 2);
}
END_TEST

START_TEST(classes_of_mof)
{
    begin(1, 0, 2, 1, 1);
    info[0x10] = 9; /* the class */
    set(0x25, 32, 1);
    put_text(0x34, "MSNT_SystemTrace");
    put_text(0x44, "DiskIo");
    put_text(0x48, "Flush");
    property(0, 0, "F", 308, 0, 1, 0);
    ck_added();
    ck_assert_int_eq(find(RECORD_EVENT, 1, 0, 2), SCHEMA_NONE);
    ck_assert_int_eq(find(RECORD_CLASSIC, 9, 32, 2), SCHEMA_EXACT);
    ck_assert_str_eq(type.provider, "DiskIo");
    ck_assert_str_eq(type.name, "Flush");
    ck_assert_uint_eq(type.field[0].kind, TW_POINTER);
    ck_assert_int_eq(find(RECORD_CLASSIC, 9, 32, 3), SCHEMA_NEAR);
    ck_assert_int_eq(find(RECORD_CLASSIC, 9, 33, 2), SCHEMA_NONE);
}
END_TEST

START_TEST(manifest_events_that_are_written_in_the_classic_way)
{
    begin(1, 143, 1, 0, 1);
    info[0x10] = 9;
    set(0x25, 37, 1);
    set(0x28, 0x30, 8);
    put_text(0x34, "P");
    property(0, 0, "F", 8, 0, 1, 4);
    ck_added();
    ck_assert_uint_eq(metadata_count(m), 1);
    ck_assert_int_eq(find(RECORD_EVENT, 1, 143, 1), SCHEMA_EXACT);
    ck_assert_uint_eq(type.keyword, 0); /* the record says it */
    ck_assert_int_eq(find(RECORD_CLASSIC, 9, 37, 1), SCHEMA_EXACT);
    ck_assert_uint_eq(type.keyword, 0x30);
    ck_assert_str_eq(type.provider, "P");
    ck_assert_str_eq(type.field[0].name, "F");
}
END_TEST

START_TEST(others_that_describe_nothing_here)
{
    begin(1, 1, 0, 2, 0); /* WPP */
    ck_added();
    begin(1, 1, 0, 3, 0); /* TraceLogging */
    ck_added();
    begin(1, 1, 0, 4, 0); /* unknown */
    ck_refused();
    ck_assert_uint_eq(metadata_count(m), 0);
    begin(1, 1, 0, 0, 0);
    ck_assert(!add_record(31));
    ck_assert(!add_record(34));
    record r = { .kind = RECORD_EVENT, .guid = info };
    ck_assert(!metadata_is(&r));
    r.kind = RECORD_CLASSIC;
    ck_assert(!metadata_is(&r));
}
END_TEST

/* ---- Fields ---- */

START_TEST(lengths_and_counts)
{
    begin(1, 1, 0, 0, 9);
    property(0, 0, "N", 4, 0, 1, 1);
    property(1, 2, "Text", 1, 0, 1, 0);
    property(2, 4, "List", 6, 22, 0, 2);
    property(3, 0x10, "Fixed", 14, 15, 1, 2);
    property(4, 0, "Also", 2, 0, 0, 3); /* a length without its flag is one */
    property(5, 0, "Four", 4, 0, 4, 1);
    property(6, 0x20, "One", 4, 0, 1, 1);
    property(7, 0x20, "None", 8, 0, 0, 4);
    property(8, 0x10, "Empty", 2, 0, 1, 0); /* no byte, not even a NUL */
    ck_added();
    publish();
    ck_decodes(
        "02 6100 6200 01bb 0050 abcd 616200 01020304 05",
        "N[0]@0=2 Text[0]@0=ab List[0]@0=443 List[1]@0=80 Fixed[0]@0=abcd Also[0]@0=ab Four[0]@0=1 Four[1]@0=2 "
        "Four[2]@0=3 Four[3]@0=4 One[0]@0=5 Empty[0]@0=",
        0, 0);
    ck_decodes("00 abcd 616200 01020304 05",
               "N[0]@0=0 Text[0]@0= Fixed[0]@0=abcd Also[0]@0=ab Four[0]@0=1 Four[1]@0=2 Four[2]@0=3 Four[3]@0=4 "
               "One[0]@0=5 Empty[0]@0=",
               0, 0);
}
END_TEST

START_TEST(structs_in_any_order)
{
    /* N; S[N] { a; T { c }; b }; last: members stand behind the top level, the inner ones first */
    begin(1, 1, 0, 0, 7);
    set(0x68, 3, 4);
    property(0, 0, "N", 8, 0, 1, 4);
    property(1, 1 | 4, "S", 4, 3, 0, 0);
    property(2, 0, "last", 4, 0, 1, 1);
    property(3, 0, "c", 4, 0, 1, 1);
    property(4, 0, "a", 4, 0, 1, 1);
    property(5, 1, "T", 3, 1, 1, 0);
    property(6, 2, "b", 14, 0, 1, 4); /* of as many bytes as `a` of the same element says */
    ck_added();
    publish();
    ck_decodes("02000000 02 03 aabb 00 04 05",
               "N[0]@0=2 S[0]@0= a[0]@1=2 T[0]@1= c[0]@2=3 b[0]@1=aabb S[1]@0= a[0]@1=0 T[0]@1= c[0]@2=4 b[0]@1= "
               "last[0]@0=5",
               0, 0);
    ck_decodes("00000000 05", "N[0]@0=0 last[0]@0=5", 0, 0);
}
END_TEST

START_TEST(structs_that_contradict_themselves)
{
    static const struct {
        unsigned first, n;
    } bad[] = { { 0, 1 }, { 1, 1 }, { 2, 2 }, { 3, 1 }, { 65535, 65535 }, { 0, 3 } };

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        begin(1, 1, 0, 0, 3);
        set(0x68, 2, 4);
        property(0, 0, "a", 4, 0, 1, 1);
        property(1, 1, "S", bad[i].first, bad[i].n, 1, 0);
        property(2, 0, "b", 4, 0, 1, 1);
        ck_refused();
    }
    begin(1, 1, 0, 0, 3); /* one in the other in the first */
    set(0x68, 1, 4);
    property(0, 1, "S", 1, 1, 1, 0);
    property(1, 1, "T", 2, 1, 1, 0);
    property(2, 1, "U", 1, 1, 1, 0);
    ck_refused();
    begin(1, 1, 0, 0, 3); /* members of two structs */
    set(0x68, 2, 4);
    property(0, 1, "S", 2, 1, 1, 0);
    property(1, 1, "T", 2, 1, 1, 0);
    property(2, 0, "a", 4, 0, 1, 1);
    ck_refused();
    begin(1, 1, 0, 0, 10); /* nine levels */
    set(0x68, 1, 4);
    for (uint32_t i = 0; i < 9; i++) property(i, 1, "S", i + 1, 1, 1, 0);
    property(9, 0, "a", 4, 0, 1, 1);
    ck_refused();
    begin(1, 1, 0, 0, 9); /* eight are good */
    set(0x68, 1, 4);
    for (uint32_t i = 0; i < 8; i++) property(i, 1, "S", i + 1, 1, 1, 0);
    property(8, 0, "a", 4, 0, 1, 1);
    ck_added();
    publish();
    ck_shows(&k, "S.S.S.S.S.S.S.S.a", "(none)");
}
END_TEST

START_TEST(what_nobody_can_read_ends_the_table)
{
    begin(1, 1, 0, 0, 3); /* an unknown type */
    property(0, 0, "a", 4, 0, 1, 1);
    property(1, 0, "U", 24, 0, 1, 0);
    property(2, 0, "b", 4, 0, 1, 1);
    ck_added();
    publish();
    ck_decodes("01 0203", "a[0]@0=1", 0, 2);
    ck_assert_uint_eq(k.type->nfields, 1);

    static const unsigned to[] = {
        1, 2, 3, 4, 5, 6, 65535
    }; /* text, itself, a later one, a struct, its array's, … */
    for (size_t i = 0; i < COUNT_OF(to); i++) {
        close_all();
        open_all();
        begin(1, 1, 0, 0, 6);
        set(0x68, 4, 4);
        property(0, 1, "S", 5, 1, 2, 0);
        property(1, 0, "T", 1, 0, 1, 0);
        property(2, 2, "X", 14, 0, 1, to[i]);
        property(3, 0, "b", 4, 0, 1, 1);
        property(5, 0, "m", 4, 0, 1, 1);
        ck_added();
        publish();
        ck_decodes("0102 6100 0000 0304", "S[0]@0= m[0]@1=1 S[1]@0= m[0]@1=2 T[0]@0=a", 0, 2);
    }
    close_all();
    open_all();
    begin(1, 1, 0, 0, 2); /* bytes without a length that are not the last */
    property(0, 0, "X", 14, 0, 1, 0);
    property(1, 0, "b", 4, 0, 1, 1);
    ck_added();
    publish();
    ck_assert_uint_eq(k.type->nfields, 0);
    close_all();
    open_all();
    begin(1, 1, 0, 0, 2); /* that are */
    property(0, 0, "b", 4, 0, 1, 1);
    property(1, 0, "X", 14, 0, 1, 0);
    ck_added();
    publish();
    ck_decodes("01 020304", "b[0]@0=1 X[0]@0=020304", 0, 0);
    close_all();
    open_all();
    begin(1, 1, 0, 0, 3); /* an address has its own */
    property(0, 0, "X", 14, 24, 1, 0);
    property(1, 0, "b", 4, 0, 1, 1);
    property(2, 0, "chars", 307, 0, 2, 0);
    ck_added();
    publish();
    ck_decodes("20010db8000000000000000000000001 02 6162", "X[0]@0=2001:db8::1 b[0]@0=2 chars[0]@0=ab", 0, 0);
}
END_TEST

START_TEST(names_that_are_missing)
{
    begin(1, 1, 0, 0, 2);
    property(0, 0, "", 4, 0, 1, 1);
    property(1, 0x40, "b", 4, 0, 1, 1);
    set(0x70 + 24 + 4, 70000, 4); /* outside */
    set(0x70 + 24 + 20, 0x1234, 4);
    ck_added();
    publish();
    ck_assert_str_eq(k.type->provider, "nobody");
    ck_assert_str_eq(k.type->name, "0");
    ck_assert_str_eq(k.type->field[0].name, "field 1");
    ck_assert_str_eq(k.type->field[1].name, "field 2");
    ck_assert_str_eq(k.type->field[1].help, "tag 0x1234");
}
END_TEST

START_TEST(stacks_of_dotnet)
{
    begin(1, 1, 0, 0, 5);
    property(0, 0, "ClrInstanceID", 6, 0, 1, 2);
    property(1, 0, "Reserved1", 4, 0, 1, 1);
    property(2, 0, "Reserved2", 4, 0, 1, 1);
    property(3, 0, "FrameCount", 8, 0, 1, 4);
    property(4, 0, "Stack", 16, 0, 2, 0);
    ck_added();
    publish();
    ck_decodes(
        "0900 00 00 03000000 0100000000000000 0200000000000000 0300000000000000",
        "ClrInstanceID[0]@0=9 Reserved1[0]@0=0 Reserved2[0]@0=0 FrameCount[0]@0=3 Stack[0]@0=0x1 Stack[1]@0=0x2 "
        "Stack[2]@0=0x3",
        0, 0);
}
END_TEST

START_TEST(blobs_that_are_too_short)
{
    begin(1, 1, 0, 0, 2);
    property(0, 0, "a", 4, 0, 1, 1);
    property(1, 0, "b", 4, 0, 1, 1);
    size_t whole = n;
    for (n = 0; n < 0x70 + 48; n++) ck_refused();
    for (; n < whole; n++) { /* a name less is no harm */
        ck_added();
        metadata_free(m);
        m = metadata_new();
    }
    begin(1, 1, 0, 0, 2);
    set(0x64, 0x80000000u, 4);
    ck_refused();
    set(0x64, UINT32_MAX, 4);
    ck_refused();
    set(0x64, 2, 4);
    set(0x68, 3, 4); /* more at the top than there are */
    ck_refused();
}
END_TEST

/* ---- Maps ---- */

typedef struct entry {
    uint32_t value;
    const char *name; /* NULL: its offset leads outside */
} entry;

static int add_map(uint8_t provider, const char *name, uint32_t flag, const entry *list, uint32_t count)
{
    enum { INFO = 16 };

    memset(info, 0, sizeof info);
    info[0] = provider;
    set(INFO + 4, flag, 4);
    set(INFO + 8, count, 4);
    n = INFO + 16 + 8 * count;
    put_text(INFO, name);
    set(INFO, n - 2 * (strlen(name) + 1) - INFO, 4); /* offsets count from behind the GUID */
    for (uint32_t i = 0; i < count; i++) {
        size_t here = n;
        set(INFO + 16 + 8 * i + 4, list[i].value, 4);
        if (list[i].name) put_text(INFO + 16 + 8 * i, list[i].name);
        set(INFO + 16 + 8 * i, list[i].name ? here - INFO : 0x7FFFFFFF, 4);
    }
    return add_record(33);
}

static void use_map(uint8_t provider, const char *name)
{
    begin(provider, 1, 0, 0, 1);
    property(0, 0, "F", 8, 0, 1, 4);
    put_text(0x70 + 12, name);
    ck_added();
}

static const entry states[] = { { 5, "Open " }, { 0, "Closed" }, { 0x80000000u, "Last" }, { 7, NULL } };

START_TEST(maps_before_and_after_the_event)
{
    ck_assert(add_map(1, "States", 1, states, 4));
    use_map(1, "States ");
    publish();
    kit_hex(&k, "05000000");
    ck_shows(&k, "F", "Open");
    kit_hex(&k, "00000080");
    ck_shows(&k, "F", "Last");
    kit_hex(&k, "07000000");
    ck_shows(&k, "F", "7");

    use_map(2, "Later");
    ck_assert_int_eq(find(RECORD_EVENT, 2, 1, 0), SCHEMA_EXACT);
    ck_assert_ptr_null(type.field[0].names);
    ck_assert(add_map(3, "Later", 1, states, 4)); /* of another provider */
    ck_assert_int_eq(find(RECORD_EVENT, 2, 1, 0), SCHEMA_EXACT);
    ck_assert_ptr_null(type.field[0].names);
    ck_assert(add_map(2, "Later", 1, states, 4));
    ck_assert(add_map(2, "Later", 1, states, 1)); /* the first one stays */
    ck_assert_int_eq(find(RECORD_EVENT, 2, 1, 0), SCHEMA_EXACT);
    ck_assert_uint_eq(type.field[0].names->n, 3);
    ck_assert_str_eq(type.field[0].names->name[0].name, "Closed");
}
END_TEST

static const char *shown_by(uint32_t flag, const entry *list, uint32_t count, const char *hex)
{
    metadata_free(m);
    m = metadata_new();
    ck_assert(add_map(1, "M", flag, list, count));
    use_map(1, "M");
    publish();
    kit_hex(&k, hex);
    return kit_show(&k, "F");
}

START_TEST(sorts_of_maps)
{
    static const entry bits[] = { { 1, "Read" }, { 2, "Write" }, { 4, "Run" } };
    static const entry bare[] = { { 77, "Zero" }, { 77, "One" }, { 77, "Two" } };

    ck_assert_str_eq(shown_by(1, bits, 3, "03000000"), "3");
    ck_assert_str_eq(shown_by(2, bits, 3, "03000000"), "Read|Write");
    ck_assert_str_eq(shown_by(2, bits, 3, "0c000000"), "Run|0x8");
    ck_assert_str_eq(shown_by(4, bits, 3, "01000000"), "1");     /* patterns */
    ck_assert_str_eq(shown_by(8, bits, 3, "02000000"), "Write"); /* MOF: ValueMap */
    ck_assert_str_eq(shown_by(8 | 0x20, bits, 3, "06000000"), "Write|Run");
    ck_assert_str_eq(shown_by(0x10, bits, 3, "06000000"), "Write|Run");
    ck_assert_str_eq(shown_by(8 | 0x40, bare, 3, "02000000"), "Two");
    ck_assert_str_eq(shown_by(0x10 | 0x40, bare, 3, "05000000"), "Zero|Two");
}
END_TEST

START_TEST(maps_that_are_broken)
{
    static const entry one[] = { { 1, "One" } };

    ck_assert(add_map(1, "M", 1, one, 1));
    size_t whole = n;
    for (n = 0; n < 16 + 16 + 8; n++) ck_assert(!add_record(33));
    n = whole;
    set(16 + 8, 0x20000000, 4); /* entries */
    ck_assert(!add_record(33));
    set(16 + 8, 1, 4);
    set(16, 0, 4); /* no name */
    ck_assert(!add_record(33));
    set(16, (uint32_t)whole, 4);
    ck_assert(!add_record(33));
}
END_TEST

START_TEST(memory_is_bounded)
{
    uint32_t kept = 0;

    for (unsigned i = 0; i < 65536 && kept == metadata_count(m); i++) {
        begin((uint8_t)(i >> 8), i & 0xFF, 0, 0, 1);
        property(0, 0, "a", 4, 0, 1, 1);
        n = 60000;
        kept += (uint32_t)add_record(32);
    }
    ck_assert_uint_gt(kept, 1000);
    ck_assert_uint_lt(kept, 1200); /* 64 MiB of 60000 bytes each */
    ck_assert_int_eq(find(RECORD_EVENT, 0, 1, 0), SCHEMA_EXACT);
}
END_TEST

/* 50 KB that say 500 names of 20000 characters: 10 MB. */
START_TEST(names_that_lie_in_one_place)
{
    static char endless[20001];

    memset(endless, 'x', sizeof endless - 1);
    begin(1, 1, 0, 0, 500);
    property(0, 0, endless, 4, 0, 1, 1);
    for (uint32_t i = 1; i < 500; i++) { memcpy(info + 0x70 + 24 * i, info + 0x70, 24); }
    ck_added();
    publish();
    ck_assert_uint_eq(k.type->nfields, 500);
    ck_assert_uint_eq(strlen(k.type->field[0].name), 1024);
    ck_assert_uint_eq(strlen(k.type->field[499].name), 1024);
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, an_event_and_all_that_is_said_of_it);
    tcase_add_test(c, names_of_keywords);
    tcase_add_test(c, versions);
    tcase_add_test(c, the_first_one_stays);
    tcase_add_test(c, descriptions_that_differ);
    tcase_add_test(c, classes_of_mof);
    tcase_add_test(c, manifest_events_that_are_written_in_the_classic_way);
    tcase_add_test(c, others_that_describe_nothing_here);
    tcase_add_test(c, lengths_and_counts);
    tcase_add_test(c, structs_in_any_order);
    tcase_add_test(c, structs_that_contradict_themselves);
    tcase_add_test(c, what_nobody_can_read_ends_the_table);
    tcase_add_test(c, names_that_are_missing);
    tcase_add_test(c, stacks_of_dotnet);
    tcase_add_test(c, blobs_that_are_too_short);
    tcase_add_test(c, maps_before_and_after_the_event);
    tcase_add_test(c, sorts_of_maps);
    tcase_add_test(c, maps_that_are_broken);
    tcase_add_test(c, memory_is_bounded);
    tcase_add_test(c, names_that_lie_in_one_place);
}

int main(void)
{
    return kit_run("metadata", add, open_all, close_all);
}
