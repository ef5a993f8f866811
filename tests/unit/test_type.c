/* test_type.c - publishing types: what is worked out, what is copied, what is refused. */
#include <inttypes.h>
#include <stdio.h>

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

static uint32_t publish(const tw_field *field, uint32_t n)
{
    tw_type t = { .size = sizeof t, .provider = "P", .name = "E", .nfields = n, .field = field };
    text_clear(&k.why);
    return types_publish(k.types, &t, &k.why);
}

static void refused(const tw_field *field, uint32_t n, const char *sentence)
{
    ck_assert_uint_eq(publish(field, n), 0);
    ck_assert_str_eq(text_of(&k.why), sentence);
    ck_assert_uint_eq(types_count(k.types), 0);
}

START_TEST(the_unknown_type)
{
    const tw_type *t = types_table(k.types)[0];
    ck_assert_uint_eq(types_count(k.types), 0);
    ck_assert_str_eq(t->provider, "");
    ck_assert_str_eq(t->name, "unknown");
    ck_assert_uint_eq(t->nfields, 0);
    ck_assert_ptr_eq(t->origin, NULL);
    ck_assert_ptr_ne(t->why, NULL);
}
END_TEST

START_TEST(copies_are_deep)
{
    char provider[] = "DiskIo", event[] = "Read", name[] = "Size", help[] = "how much", one[] = "One",
         key[] = "kernel:01";
    tw_name list[] = { { 1, one } };
    tw_names names = { .size = sizeof names, .n = 1, .flags = TW_BITS, .name = list };
    tw_field field[] = { FIELD(name, TW_U32, .help = help, .names = &names) };
    tw_type t = { .size = sizeof t,
                  .provider = provider,
                  .name = event,
                  .key = key,
                  .keyword = 7,
                  .number = 10,
                  .nfields = 1,
                  .field = field,
                  .id = 99 };
    uint32_t id = types_publish(k.types, &t, &k.why);
    const tw_type *copy = types_table(k.types)[1];

    memset(provider, 'x', sizeof provider - 1);
    memset(event, 'x', sizeof event - 1);
    memset(name, 'x', sizeof name - 1);
    memset(help, 'x', sizeof help - 1);
    memset(one, 'x', sizeof one - 1);
    memset(key, 'x', sizeof key - 1);
    memset(list, 0, sizeof list);
    memset(&names, 0, sizeof names);
    memset(field, 0, sizeof field);

    ck_assert_uint_eq(id, 1);
    ck_assert_uint_eq(copy->id, 1);
    ck_assert_str_eq(copy->provider, "DiskIo");
    ck_assert_str_eq(copy->name, "Read");
    ck_assert_str_eq(copy->key, "kernel:01");
    ck_assert_uint_eq(copy->keyword, 7);
    ck_assert_uint_eq(copy->number, 10);
    ck_assert_str_eq(copy->field[0].name, "Size");
    ck_assert_str_eq(copy->field[0].help, "how much");
    ck_assert_uint_eq(copy->field[0].names->n, 1);
    ck_assert_uint_eq(copy->field[0].names->flags, TW_BITS);
    ck_assert_uint_eq(copy->field[0].names->name[0].value, 1);
    ck_assert_str_eq(copy->field[0].names->name[0].name, "One");
}
END_TEST

START_TEST(equal_text_is_one_text)
{
    char a[] = "same", b[] = "same";
    ck_assert_ptr_eq(types_intern(k.types, a, 4), types_intern(k.types, b, 4));
    ck_assert_ptr_ne(types_intern(k.types, a, 3), types_intern(k.types, a, 4));
    ck_assert_str_eq(types_intern(k.types, a, 3), "sam");
    ck_assert_ptr_eq(types_intern(k.types, "", 0), types_intern(k.types, a, 0));

    const char *first[5000];
    char word[32];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 5000; i++) {
            int n = snprintf(word, sizeof word, "word %d", i);
            const char *at = types_intern(k.types, word, (size_t)n);
            if (pass) ck_assert_ptr_eq(at, first[i]);
            first[i] = at;
        }
    }
}
END_TEST

START_TEST(a_map_of_values_is_shared)
{
    const tw_name list[] = { { 1, "One" }, { 2, "Two" } };
    const tw_names a = { .size = sizeof a, .n = 2, .name = list }, b = a;
    const tw_field f[] = { FIELD("A", TW_U8, .names = &a) }, g[] = { FIELD("B", TW_U8, .names = &b) };
    publish(f, 1);
    publish(g, 1);
    ck_assert_ptr_eq(types_table(k.types)[1]->field[0].names, types_table(k.types)[2]->field[0].names);
}
END_TEST

START_TEST(names_are_made_valid_text)
{
    const tw_field f[] = { FIELD("A\xFF"
                                 "B",
                                 TW_U8) };
    publish(f, 1);
    ck_assert_str_eq(types_table(k.types)[1]->field[0].name, "A\xEF\xBF\xBD"
                                                             "B");
}
END_TEST

START_TEST(offsets)
{
    const tw_field f[] = {
        FIELD("a", TW_U16),
        FIELD("b", TW_POINTER),
        FIELD("fixed", TW_TEXT16, .bytes_by = TW_FIXED, .bytes = 5),
        FIELD("three", TW_U32, .count_by = TW_FIXED, .count = 3),
        FIELD("s", TW_STRUCT, .members = 2),
        FIELD("c", TW_U8, .parent = 5, .depth = 1),
        FIELD("text", TW_TEXT8, .parent = 5, .depth = 1),
        FIELD("d", TW_U8),
        FIELD("left", TW_U32, .count_by = TW_IF_LEFT),
        FIELD("e", TW_GUID),
        FIELD("list", TW_STRUCT, .members = 1, .count_by = TW_PREFIX2),
        FIELD("inside", TW_U32, .parent = 11, .depth = 1),
        FIELD("last", TW_U8),
    };
    static const struct {
        uint32_t offset, after;
    } expected[] = {
        { 0, 0 }, { 2, 0 }, { 6, 0 }, { 16, 0 }, { 28, 0 },          { 28, 0 }, { 29, 0 }, /* text ends somewhere */
        { 0, 7 }, { 1, 7 }, { 5, 7 }, { 21, 7 }, { UINT32_MAX, 11 }, { 0, 11 },
    };
    kit_type(&k, f, COUNT_OF(f), 4);
    for (uint32_t i = 0; i < COUNT_OF(f); i++) {
        ck_assert_msg(k.type->field[i].offset == expected[i].offset && k.type->field[i].after == expected[i].after,
                      "%s: offset %u after %u", f[i].name, k.type->field[i].offset, k.type->field[i].after);
    }
    kit_type(&k, f, COUNT_OF(f), 0); /* pointers of 8 bytes, where nothing is said */
    ck_assert_uint_eq(k.type->field[2].offset, 10);
}
END_TEST

START_TEST(an_array_of_known_size_keeps_offsets)
{
    const tw_field f[] = {
        FIELD("list", TW_STRUCT, .members = 2, .count_by = TW_FIXED, .count = 3),
        FIELD("x", TW_U16, .parent = 1, .depth = 1),
        FIELD("y", TW_U8, .parent = 1, .depth = 1, .count_by = TW_FIXED, .count = 2),
        FIELD("z", TW_U8),
    };
    kit_type(&k, f, COUNT_OF(f), 8);
    ck_assert_uint_eq(k.type->field[3].offset, 12);
    ck_assert_uint_eq(k.type->field[3].after, 0);
    kit_hex(&k, "0100 02 03  0400 05 06  0700 08 09  2a");
    ck_assert_uint_eq(kit_number(&k, "z"), 42);
}
END_TEST

START_TEST(fields_by_name)
{
    const tw_field f[] = {
        FIELD("a", TW_U8),
        FIELD("Outer", TW_STRUCT, .members = 3),
        FIELD("a", TW_U8, .parent = 2, .depth = 1),
        FIELD("Inner", TW_STRUCT, .members = 1, .parent = 2, .depth = 1),
        FIELD("b", TW_U8, .parent = 4, .depth = 2),
        FIELD("c.d", TW_U8),
    };
    kit_type(&k, f, COUNT_OF(f), 8);
    ck_assert_int_eq(type_field(k.type, "a"), 0);
    ck_assert_int_eq(type_field(k.type, "Outer"), 1);
    ck_assert_int_eq(type_field(k.type, "Outer.a"), 2);
    ck_assert_int_eq(type_field(k.type, "Outer.Inner"), 3);
    ck_assert_int_eq(type_field(k.type, "Outer.Inner.b"), 4);
    ck_assert_int_eq(type_field(k.type, "c.d"), 5);
    ck_assert_int_eq(type_field(k.type, "Inner"), -1);
    ck_assert_int_eq(type_field(k.type, "b"), -1);
    ck_assert_int_eq(type_field(k.type, "Outer.b"), -1);
    ck_assert_int_eq(type_field(k.type, "a.a"), -1);
    ck_assert_int_eq(type_field(k.type, "Oute"), -1);
    ck_assert_int_eq(type_field(k.type, "Outer."), -1);
    ck_assert_int_eq(type_field(k.type, ""), -1);
}
END_TEST

/* ---- What is refused ---------------------------------------------------- */

START_TEST(types_without_a_name)
{
    tw_type t = { .size = sizeof t, .provider = "P", .number = 12 };
    ck_assert_uint_eq(types_publish(k.types, &t, &k.why), 0);
    ck_assert_str_eq(text_of(&k.why), "event type 12 has no name; where there is none it is the number as text");
    text_clear(&k.why);
    t.provider = "";
    t.name = "E";
    ck_assert_uint_eq(types_publish(k.types, &t, &k.why), 0);
    ck_assert_str_eq(text_of(&k.why), "event type 12 has no provider; where there is none it is the GUID as text");
    text_clear(&k.why);
    t.size = 8;
    ck_assert_uint_eq(types_publish(k.types, &t, &k.why), 0);
    ck_assert_ptr_ne(strstr(text_of(&k.why), "set `size`"), NULL);
}
END_TEST

/* A plugin made with minor 0 ends its types before the message; what lies behind is not looked at. */
START_TEST(types_of_minor_0)
{
    tw_type t = { .provider = "P", .name = "E", .message = "not there" };

    t.size = offsetof(tw_type, message);
    uint32_t id = types_publish(k.types, &t, &k.why);
    ck_assert_uint_ne(id, 0);
    ck_assert_ptr_null(types_table(k.types)[id]->message);
    ck_assert_uint_eq(types_table(k.types)[id]->size, sizeof t);
    t.size--;
    ck_assert_uint_eq(types_publish(k.types, &t, &k.why), 0);
}
END_TEST

START_TEST(names_around_an_event)
{
    char message[] = "%1 opened", task[] = "Open", bit[] = "File";
    tw_name list[] = { { 16, bit }, { 32, "Disk" } };
    tw_names keywords = { .size = sizeof keywords, .n = 2, .flags = TW_BITS, .name = list };
    tw_type t = { .size = sizeof t,
                  .provider = "P",
                  .name = "E",
                  .message = message,
                  .task_name = task,
                  .opcode_name = "Start",
                  .level_name = "Information",
                  .channel_name = "Debug",
                  .keywords = &keywords };
    uint32_t id = types_publish(k.types, &t, &k.why);

    ck_assert_uint_ne(id, 0);
    memset(message, 'x', sizeof message - 1);
    memset(task, 'x', sizeof task - 1);
    memset(bit, 'x', sizeof bit - 1);
    const tw_type *copy = types_table(k.types)[id];
    ck_assert_str_eq(copy->message, "%1 opened");
    ck_assert_str_eq(copy->task_name, "Open");
    ck_assert_str_eq(copy->opcode_name, "Start");
    ck_assert_str_eq(copy->level_name, "Information");
    ck_assert_str_eq(copy->channel_name, "Debug");
    ck_assert_uint_eq(copy->keywords->n, 2);
    ck_assert_str_eq(copy->keywords->name[0].name, "File");
    list[1].value = 8; /* not ascending */
    ck_assert_uint_eq(types_publish(k.types, &t, &k.why), 0);
    ck_assert_str_eq(text_of(&k.why), "P/E: its keywords are not a list of names in ascending order");
}
END_TEST

START_TEST(bad_fields)
{
    const tw_field nameless[] = { FIELD("a", TW_U8), FIELD("", TW_U8) };
    refused(nameless, 2, "P/E: field 1 (no name) has no name");
    const tw_field kindless[] = { FIELD("a", 0) };
    refused(kindless, 1, "P/E: field 0 (a) is of kind 0, which is none");
    const tw_field strange[] = { FIELD("a", TW_STRUCT + 1) };
    refused(strange, 1, "P/E: field 0 (a) is of kind 31, which is none");
    const tw_field endless[] = { FIELD("a", TW_BYTES) };
    refused(endless, 1, "P/E: field 0 (a) is of bytes, and nothing tells how many: TW_REST means all that are left");
    const tw_field narrow[] = { FIELD("a", TW_U32, .bytes_by = TW_FIXED, .bytes = 2) };
    refused(narrow, 1, "P/E: field 0 (a) has 2 bytes, but its kind takes 4");
    const tw_field extent[] = { FIELD("a", TW_TEXT, .bytes_by = TW_IF_LEFT) };
    refused(extent, 1, "P/E: field 0 (a) has a length of an unknown sort (bytes_by)");
    const tw_field count[] = { FIELD("a", TW_TEXT, .count_by = TW_IF_LEFT + 1) };
    refused(count, 1, "P/E: field 0 (a) has a count of an unknown sort (count_by)");
    const tw_field wide[] = { FIELD("a", TW_U64, .count_by = TW_FIXED, .count = UINT32_MAX), FIELD("b", TW_U8) };
    refused(wide, 2, "P/E: field 0 (a) ends more than 1 GiB behind the start, where no payload reaches");
    const tw_name list[] = { { 2, "Two" }, { 1, "One" } };
    const tw_names names = { .size = sizeof names, .n = 2, .name = list };
    const tw_field disorder[] = { FIELD("a", TW_U8, .names = &names) };
    refused(disorder, 1, "P/E: field 0 (a) has names of values that are not in ascending order");
}
END_TEST

START_TEST(bad_references)
{
    const tw_field later[] = { FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 1), FIELD("n", TW_U8) };
    refused(later, 2, "P/E: field 0 (a) takes its length from field 1, which does not come before it");
    const tw_field self[] = { FIELD("a", TW_U8, .count_by = TW_FIELD, .count = 0) };
    refused(self, 1, "P/E: field 0 (a) takes its count from field 0, which does not come before it");
    const tw_field text[] = { FIELD("n", TW_TEXT), FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 0) };
    refused(text, 2, "P/E: field 1 (a) takes its length from field 0, which is no integer");
    const tw_field array[] = { FIELD("n", TW_U8, .count_by = TW_FIXED, .count = 2),
                               FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 0) };
    refused(array, 2, "P/E: field 1 (a) takes its length from field 0, which is no plain number");
    const tw_field other[] = { FIELD("s", TW_STRUCT, .members = 1, .count_by = TW_PREFIX1),
                               FIELD("n", TW_U8, .parent = 1, .depth = 1),
                               FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 1) };
    refused(other, 3, "P/E: field 2 (a) takes its length from field 1, which lies in another array");
}
END_TEST

START_TEST(bad_nesting)
{
    const tw_field many[] = { FIELD("s", TW_STRUCT, .members = 2), FIELD("a", TW_U8, .parent = 1, .depth = 1) };
    refused(many, 2, "P/E: field 0 (s) has more members than there are fields left for it");
    const tw_field orphan[] = { FIELD("s", TW_STRUCT, .members = 1), FIELD("a", TW_U8) };
    refused(orphan, 2,
            "P/E: field 1 (a) says parent 0, depth 0, but by the members counted before it these are 1 and 1");
    const tw_field past[] = { FIELD("s", TW_STRUCT, .members = 1), FIELD("a", TW_U8, .parent = 1, .depth = 1),
                              FIELD("b", TW_U8, .parent = 1, .depth = 1) };
    refused(past, 3,
            "P/E: field 2 (b) says parent 1, depth 1, but by the members counted before it these are 0 and 0");
    const tw_field cross[] = { FIELD("s", TW_STRUCT, .members = 2),
                               FIELD("t", TW_STRUCT, .members = 2, .parent = 1, .depth = 1),
                               FIELD("a", TW_U8, .parent = 2, .depth = 2),
                               FIELD("b", TW_U8, .parent = 2, .depth = 2) };
    refused(cross, 4, "P/E: field 1 (t) has more members than there are fields left for it");
    const tw_field scalar[] = { FIELD("s", TW_U8, .members = 1), FIELD("a", TW_U8, .parent = 1, .depth = 1) };
    refused(scalar, 2, "P/E: field 0 (s) has members, but is no struct");
}
END_TEST

START_TEST(depth_is_limited)
{
    tw_field f[10] = { 0 };
    for (int n = 9; n <= 10; n++) { /* n - 1 structs around one number */
        for (int i = 0; i < n; i++) {
            f[i] = (tw_field)FIELD("s", TW_STRUCT, .depth = (uint8_t)i, .parent = (uint16_t)i,
                                   .members = (uint16_t)(n - 1 - i));
        }
        f[n - 1].kind = TW_U8;
        if (n == 9)
            ck_assert_uint_eq(publish(f, 9), 1);
        else
            ck_assert_uint_eq(publish(f, 10), 0);
    }
    ck_assert_str_eq(text_of(&k.why), "P/E: field 8 (s) is a struct inside 8 others, which is too deep");
    text_clear(&k.why);
    f[8].kind = TW_STRUCT; /* also one without members */
    for (int i = 0; i < 9; i++) f[i].members = (uint16_t)(8 - i);
    ck_assert_uint_eq(publish(f, 9), 0);
    ck_assert_str_eq(text_of(&k.why), "P/E: field 8 (s) is a struct inside 8 others, which is too deep");
}
END_TEST

START_TEST(fields_are_limited)
{
    tw_field *f = mem_new((TYPE_MAX_FIELDS + 1) * sizeof *f);
    for (int i = 0; i <= TYPE_MAX_FIELDS; i++) f[i] = (tw_field)FIELD("a", TW_TEXT8);
    refused(f, TYPE_MAX_FIELDS + 1, "P/E: 4097 fields, but a type may have 4096");
    ck_assert_uint_eq(publish(f, TYPE_MAX_FIELDS), 1);
    ck_assert_uint_eq(types_table(k.types)[1]->field[TYPE_MAX_FIELDS - 1].after, TYPE_MAX_FIELDS - 1);
    free(f);
}
END_TEST

/* n numbers behind a text, then as many bytes fields that need them, so all wait at once. */
static uint32_t publish_waiting(uint32_t n)
{
    tw_field f[64] = { FIELD("t", TW_TEXT) };
    for (uint32_t i = 1; i <= n; i++) {
        f[i] = (tw_field)FIELD("n", TW_U8);
        f[n + i] = (tw_field)FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = i);
    }
    return publish(f, 2 * n + 1);
}

START_TEST(waiting_lengths_are_limited)
{
    ck_assert_uint_eq(publish_waiting(16), 1);
    ck_assert_uint_eq(publish_waiting(17), 0);
    ck_assert_str_eq(text_of(&k.why),
                     "P/E: field 17 (n) is the 17th length or count to be kept at once, which is too many");
    tw_field f[101] = { FIELD("t", TW_TEXT) }; /* one after the other any number will do */
    for (uint32_t i = 1; i < 100; i += 2) {
        f[i] = (tw_field)FIELD("n", TW_U8);
        f[i + 1] = (tw_field)FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = i);
    }
    ck_assert_uint_eq(publish(f, 101), 2);
}
END_TEST

START_TEST(bytes_are_limited)
{
    char *name = mem_new(1 << 20);
    memset(name, 'n', (1 << 20) - 1);
    uint32_t id = 1;
    for (int i = 0; i < 300 && id; i++) {
        const tw_field f[] = { FIELD(name, TW_U8) };
        snprintf(name, 16, "%d", i);
        name[strlen(name)] = 'n';
        text_clear(&k.why);
        id = publish(f, 1);
    }
    free(name);
    ck_assert_uint_eq(id, 0);
    ck_assert_str_eq(text_of(&k.why), "P/E: with this one, event types would take more than 256 MiB");
    ck_assert_uint_eq(types_count(k.types), 255);
}
END_TEST

START_TEST(ids_run_out)
{
    const tw_type *const *table = types_table(k.types);
    for (uint32_t i = 1; i < TW_TYPES; i++) {
        if (publish(NULL, 0) != i) ck_abort_msg("type %u was refused", i);
    }
    ck_assert_uint_eq(publish(NULL, 0), 0);
    ck_assert_str_eq(text_of(&k.why), "P/E: there are 65535 event types already, and no more ids");
    ck_assert_ptr_eq(types_table(k.types), table);
    ck_assert_uint_eq(table[TW_TYPES - 1]->id, TW_TYPES - 1);
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, the_unknown_type);
    tcase_add_test(c, copies_are_deep);
    tcase_add_test(c, equal_text_is_one_text);
    tcase_add_test(c, a_map_of_values_is_shared);
    tcase_add_test(c, names_are_made_valid_text);
    tcase_add_test(c, offsets);
    tcase_add_test(c, an_array_of_known_size_keeps_offsets);
    tcase_add_test(c, fields_by_name);
    tcase_add_test(c, types_without_a_name);
    tcase_add_test(c, types_of_minor_0);
    tcase_add_test(c, names_around_an_event);
    tcase_add_test(c, bad_fields);
    tcase_add_test(c, bad_references);
    tcase_add_test(c, bad_nesting);
    tcase_add_test(c, depth_is_limited);
    tcase_add_test(c, fields_are_limited);
    tcase_add_test(c, waiting_lengths_are_limited);
    tcase_add_test(c, bytes_are_limited);
    tcase_add_test(c, ids_run_out);
}

int main(void)
{
    return kit_run("type", add, open_kit, close_kit);
}
