/* test_types.c - the stage `types`, which lists types and their fields, and text.types, which shows them. */
#include "stock.h"

#include "events_kit.h"

extern const tw_stage text_types;

static rig *opened(const char *options)
{
    rig *r = rig_new(&types_stage, options);
    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    return r;
}

static const char *cells(rig *r, const char *table, uint32_t row, const char *columns)
{
    static text out;

    text_clear(&out);
    for (const char *at = columns; *at;) {
        size_t n = strcspn(at, " ");
        char name[64] = { 0 };
        memcpy(name, at, n);
        text_put(&out, rig_cell(r, table, row, name) ? rig_text(r, table, row, name) : "-");
        at += n + (at[n] == ' ');
        if (*at) text_put(&out, "|");
    }
    return text_of(&out);
}

static const tw_field ways[] = {
    FIELD("Length", TW_U16, .show = TW_SHOW_PID),
    FIELD("Fixed", TW_TEXT16, .bytes_by = TW_FIXED, .bytes = 8),
    FIELD("ByField", TW_TEXT8, .bytes_by = TW_FIELD, .bytes = 0, .help = "what it is"),
    FIELD("Counted", TW_BYTES, .bytes_by = TW_PREFIX2BE),
    FIELD("Many", TW_U32, .show = TW_SHOW_HEX, .count_by = TW_FIXED, .count = 3),
    FIELD("Group", TW_STRUCT, .count_by = TW_PREFIX1, .members = 2),
    FIELD("Inner", TW_STRUCT, .parent = 6, .depth = 1, .members = 1),
    FIELD("Deep", TW_POINTER, .parent = 7, .depth = 2),
    FIELD("Right", TW_U8, .names = &right),
    FIELD("Colour", TW_U8, .names = &colour, .count_by = TW_IF_LEFT),
    FIELD("Rest", TW_BYTES, .bytes_by = TW_REST),
};

static const tw_type told = { .size = sizeof(tw_type),
                              .provider = "Test",
                              .name = "Told",
                              .key = "kernel:03",
                              .origin = "by hand",
                              .guid = { 1, 2, 3, 4 },
                              .keyword = 3,
                              .number = 7,
                              .version = 2,
                              .opcode = 1,
                              .level = 4,
                              .pointer = 4,
                              .task = 9,
                              .channel = 16,
                              .nfields = COUNT_OF(ways),
                              .field = ways,
                              .message = "%1 is\nso",
                              .task_name = "Tell",
                              .level_name = "Information",
                              .keywords = &right };

START_TEST(rows_of_types)
{
    rig *r = opened("");
    tw_type unknown = { .size = sizeof unknown, .provider = "Alpha", .name = "5", .number = 5, .why = "no schema" };
    uint32_t silent = rig_publish(r, &(tw_type){ .size = sizeof unknown, .provider = "Test", .name = "Silent" });

    ck_assert_uint_ne(silent, 0);
    add_event(r, rig_publish(r, &told), "0102");
    add_event(r, rig_publish(r, &unknown), "010203");
    add_event(r, rig_publish(r, &unknown), "04");
    ck_assert_int_eq(rig_feed(r), TW_OK);
    const tw_event *left;
    ck_assert_uint_eq(rig_left(r, &left), 3);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "types"), 3); /* each is a type by itself, and the silent one is not there */
    ck_assert_str_eq(cells(r, "types", 0, "provider event id version origin why fields events bytes keywords"),
                     "Alpha|5|5|0|-|no schema|0|1|3|-");
    ck_assert_str_eq(cells(r, "types", 1, "provider event bytes"), "Alpha|5|1");
    ck_assert_str_eq(
        cells(r, "types", 2, "provider event id version task task_name opcode opcode_name level level_name"),
        "Test|Told|7|2|9|Tell|1|-|4|Information");
    ck_assert_str_eq(
        cells(r, "types", 2, "channel channel_name keyword keywords guid key pointer origin why message"),
        "16|-|0x3|READ|WRITE|04030201-0000-0000-0000-000000000000|kernel:03|4|by hand|-|%1 is\nso");
    ck_assert_str_eq(cells(r, "types", 2, "fields events bytes"), "11|1|2");
    rig_free(r);
}
END_TEST

START_TEST(rows_of_fields)
{
    static const char *const expected[] = {
        "0|0|Length|Length|u16 pid|u16|pid|-|-|-|-",
        "1|0|Fixed|Fixed|utf16[8]|utf16|-|8|-|-|-",
        "2|0|ByField|ByField|ansi[Length]|ansi|-|Length|-|-|what it is",
        "3|0|Counted|Counted|bytes[big-endian u16 before it]|bytes|-|big-endian u16 before it|-|-|-",
        "4|0|Many|Many|u32 hex \xC3\x97 3|u32|hex|-|3|-|-",
        "5|0|Group|Group|struct \xC3\x97 u8 before it|struct|-|-|u8 before it|-|-",
        "6|1|Inner|Group.Inner|struct|struct|-|-|-|-|-",
        "7|2|Deep|Group.Inner.Deep|pointer|pointer|-|-|-|-|-",
        "8|0|Right|Right|u8|u8|-|-|-|0x1=READ, 0x2=WRITE|-",
        "9|0|Colour|Colour|optional u8|u8|-|-|if left|1=Red, 2=Blue|-",
        "10|0|Rest|Rest|bytes[rest]|bytes|-|rest|-|-|-",
    };
    rig *r = opened("of=Test/* all=true fields=parts");
    uint32_t type = rig_publish(r, &told);
    rig_publish(
        r, &(tw_type){ .size = sizeof(tw_type), .provider = "Other", .name = "One", .nfields = 1, .field = ways });
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_uint_eq(rig_row_count(r, "types"), 1);
    ck_assert_uint_eq(rig_cell(r, "types", 0, "events")->u, 0);
    ck_assert_uint_eq(rig_row_count(r, "parts"), COUNT_OF(ways));
    for (uint32_t i = 0; i < COUNT_OF(ways); i++) {
        ck_assert_uint_eq(rig_cell(r, "parts", i, "type")->u, type);
        ck_assert_str_eq(cells(r, "parts", i, "provider event id version"), "Test|Told|7|2");
        ck_assert_str_eq(cells(r, "parts", i, "field depth name path declared kind show length count names help"),
                         expected[i]);
    }
    rig_free(r);
}
END_TEST

START_TEST(some_columns)
{
    rig *r = opened("columns=event,origin all=true fields=");
    rig_publish(r, &told);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_str_eq(cells(r, "types", 0, "event origin id"), "Told|by hand|-");
    ck_assert(!rig_announced(r, "type_fields"));
    rig_free(r);

    r = rig_new(&types_stage, "columns=evnt");
    ck_assert_int_eq(rig_open(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 2);
    ck_assert_str_eq(rig_error(r), "types: types have no column 'evnt'; did you mean 'event'?");
    rig_free(r);
    r = rig_new(&types_stage, "as=");
    ck_assert_int_eq(rig_open(r), TW_ERROR);
    ck_assert_str_eq(rig_error(r), "types: the table needs a name, as in as = \"types\"");
    rig_free(r);
}
END_TEST

static uint32_t fitting(const char *word)
{
    text options = { 0 };
    text_format(&options, "all=true of=%s", word);
    rig *r = opened(text_of(&options));
    rig_publish(r, &told);
    rig_publish(r, &(tw_type){ .size = sizeof(tw_type),
                               .provider = "Big-Company-Net.Work",
                               .name = "Packet",
                               .number = 160,
                               .guid = { 0xAB } });
    ck_assert_int_eq(rig_end(r), TW_OK);
    uint32_t n = rig_row_count(r, "types");
    rig_free(r);
    text_free(&options);
    return n;
}

/* By any name that people have for it. */
START_TEST(words_of_people)
{
    static const char *const one[] = { "Test",        "told",      "/Told",
                                       "Test/7",      "test/told", "Kernel:03",
                                       "Work/PACKET", "Net.Work",  "company-net.*/160",
                                       "Packet",      "*/Packet",  "000000ab-0000-0000-0000-000000000000" };
    static const char *const none[] = { "Tes", "Big", "Company", "7", "Test/Packet", "Net/Told", "/16" };

    for (size_t i = 0; i < COUNT_OF(one); i++) ck_assert_msg(fitting(one[i]) == 1, "%s", one[i]);
    for (size_t i = 0; i < COUNT_OF(none); i++) ck_assert_msg(fitting(none[i]) == 0, "%s", none[i]);
    ck_assert_uint_eq(fitting("*"), 2);
}
END_TEST

/* ---- text.types ---- */

/* What one stage made goes to the sink as it came. */
static void hand_on(rig *from, rig *to, const tw_table *t, const char *table)
{
    tw_rows *rows = rig_rows(to, t);

    for (uint32_t row = 0; row < rig_row_count(from, table); row++, rows->n++)
        for (uint32_t c = 0; c < t->ncols; c++) {
            const tw_value *v = rig_cell(from, table, row, t->col[c].name);
            if (rows->null[c]) rows->null[c][row] = !v;
            if (v && t->col[c].kind == TW_TEXT)
                ((tw_text *)rows->col[c])[row] = v->t;
            else if (v)
                ((uint64_t *)rows->col[c])[row] = v->u;
        }
}

#define WORD(called)                                                                                                 \
    {                                                                                                                \
        .name = called, .kind = TW_TEXT, .flags = TW_NULLABLE                                                        \
    }
#define NUMBER(called)                                                                                               \
    {                                                                                                                \
        .name = called, .kind = TW_U64                                                                               \
    }

START_TEST(as_structs)
{
    // clang-format off
    static const tw_field type_columns[] = {
        NUMBER("type"), WORD("provider"), WORD("event"), NUMBER("id"), NUMBER("version"), NUMBER("task"), WORD("task_name"),
        NUMBER("opcode"), NUMBER("level"), WORD("level_name"), NUMBER("channel"), WORD("keywords"), NUMBER("pointer"),
        WORD("origin"), WORD("why"), WORD("message"), NUMBER("events"), NUMBER("bytes"),
    };
    static const tw_field field_columns[] = {
        NUMBER("type"), NUMBER("depth"), WORD("name"), WORD("declared"), WORD("kind"), WORD("names"), WORD("help"),
    };
    // clang-format on
    static const tw_table types = { sizeof types, COUNT_OF(type_columns), "types", "", type_columns };
    static const tw_table fields = { sizeof fields, COUNT_OF(field_columns), "type_fields", "", field_columns };
    rig *r = opened(""), *sink = sink_on_rig(&text_types, "");
    tw_type unknown = {
        .size = sizeof unknown, .provider = "Al\x1bpha", .name = "5", .number = 5, .why = "no schema"
    };

    add_event(r, rig_publish(r, &told), "0102");
    add_event(r, rig_publish(r, &unknown), "");
    add_event(r, rig_publish(r, &unknown), "");
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    hand_on(r, sink, &types, "types");
    ck_assert_int_eq(rig_push(sink), TW_OK);
    hand_on(r, sink, &fields, "type_fields");
    ck_assert_int_eq(rig_push(sink), TW_OK);
    ck_assert_int_eq(rig_end(sink), TW_OK);
    ck_assert_str_eq(
        text_of(&written),
        "Al\\x1bpha/5  id 5, version 0, 1 event of 0 bytes\n"
        "  no fields: no schema\n\n"
        "Al\\x1bpha/5  id 5, version 0, 1 event of 0 bytes\n"
        "  no fields: no schema\n\n"
        "Test/Told  id 7, version 2, 1 event of 2 bytes\n"
        "  fields: by hand, task Tell (9), opcode 1, level Information (4), channel 16, keywords READ|WRITE, "
        "4-byte pointers\n"
        "  message: %1 is\\nso\n"
        "    u16 pid           Length\n"
        "    utf16[8]          Fixed\n"
        "    ansi[Length]      ByField  - what it is\n"
        "    bytes[big-endian u16 before it]  Counted\n"
        "    u32 hex \xC3\x97 3       Many\n"
        "    struct \xC3\x97 u8 before it  Group {\n"
        "        struct            Inner {\n"
        "            pointer           Deep\n"
        "        }\n"
        "    }\n"
        "    u8                Right  (0x1=READ, 0x2=WRITE)\n"
        "    optional u8       Colour  (1=Red, 2=Blue)\n"
        "    bytes[rest]       Rest\n");
    rig_free(r);
    rig_free(sink);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("types");
    tcase_add_test(tests, rows_of_types);
    tcase_add_test(tests, rows_of_fields);
    tcase_add_test(tests, some_columns);
    tcase_add_test(tests, words_of_people);
    tcase_add_test(tests, as_structs);
    int status = fake_run_tests(tests, "types");
    text_free(&written);
    return status;
}
