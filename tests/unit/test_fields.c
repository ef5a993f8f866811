/* test_fields.c - building field tables. */
#include "fields.h"

#include "payload_kit.h"

static kit k;
static store s;
static fields f;

static void open_all(void)
{
    kit_open(&k);
    memset(&s, 0, sizeof s);
    f = (fields){ .from = &s };
}

static void close_all(void)
{
    store_free(&s);
    kit_close(&k);
}

static void add_kind(const char *name, uint8_t kind)
{
    fields_add(&f, name)->kind = kind;
}

START_TEST(structs_around_their_members)
{
    static const struct {
        const char *name;
        uint16_t parent, members;
        uint8_t depth;
    } expected[] = { { "a", 0, 0, 0 }, { "S", 0, 4, 0 }, { "b", 2, 0, 1 }, { "T", 2, 1, 1 },
                     { "c", 4, 0, 2 }, { "d", 2, 0, 1 }, { "E", 0, 0, 0 }, { "g", 0, 0, 0 } };

    add_kind("a", TW_U8);
    fields_open(&f, "S");
    add_kind("b", TW_U8);
    fields_open(&f, "T");
    add_kind("c", TW_U8);
    fields_close(&f);
    add_kind("d", TW_U8);
    fields_close(&f);
    fields_open(&f, "E");
    fields_close(&f);
    add_kind("g", TW_U8);
    ck_assert_int_eq(f.failed, 0);
    ck_assert_uint_eq(f.n, 8);
    for (uint32_t i = 0; i < f.n; i++) {
        ck_assert_str_eq(f.at[i].name, expected[i].name);
        ck_assert_uint_eq(f.at[i].parent, expected[i].parent);
        ck_assert_uint_eq(f.at[i].members, expected[i].members);
        ck_assert_uint_eq(f.at[i].depth, expected[i].depth);
    }
    kit_type(&k, f.at, f.n, 8); /* what is built so is accepted */
    kit_hex(&k, "0102030405");
    ck_kit_walks(&k, "a[0]@0=1 S[0]@0= b[0]@1=2 T[0]@1= c[0]@2=3 d[0]@1=4 E[0]@0= g[0]@0=5", 0, 0);
}
END_TEST

START_TEST(fields_without_a_name)
{
    add_kind("a", TW_U8);
    add_kind(NULL, TW_U8);
    add_kind("", TW_U8);
    ck_assert_str_eq(f.at[1].name, "field 2");
    ck_assert_str_eq(f.at[2].name, "field 3");
}
END_TEST

START_TEST(too_many_too_deep_or_no_memory)
{
    for (int i = 0; i < 4096; i++) add_kind("x", TW_U8);
    ck_assert_int_eq(f.failed, 0);
    ck_assert_uint_eq(f.n, 4096);
    ck_assert_str_eq(f.at[4095].name, "x");
    add_kind("x", TW_U8);
    ck_assert_int_eq(f.failed, 1);
    ck_assert_uint_eq(f.n, 4096);

    f = (fields){ .from = &s };
    for (int i = 0; i < 8; i++) fields_open(&f, "S");
    ck_assert_int_eq(f.failed, 0);
    add_kind("inside", TW_U8);
    ck_assert_int_eq(f.failed, 0);
    ck_assert_uint_eq(f.at[8].depth, 8);
    fields_open(&f, "S");
    ck_assert_int_eq(f.failed, 1);

    store little = { .limit = 100 };
    f = (fields){ .from = &little };
    add_kind("x", TW_U8);
    ck_assert_int_eq(f.failed, 1);
    ck_assert_uint_eq(f.n, 0);
    fields_open(&f, "S");
    fields_close(&f);
    fields_close(&f);
    store_free(&little);
}
END_TEST

START_TEST(the_end_of_a_table)
{
    add_kind("a", TW_U8);
    add_kind("unknown", TW_U8);
    fields_end(&f);
    ck_assert_uint_eq(f.n, 1);

    f = (fields){ .from = &s }; /* in a plain struct what stands before stays */
    fields_open(&f, "S");
    add_kind("a", TW_U8);
    add_kind("unknown", TW_U8);
    fields_end(&f);
    ck_assert_uint_eq(f.n, 2);
    ck_assert_uint_eq(f.at[0].members, 1);
    kit_type(&k, f.at, f.n, 8);

    f = (fields){ .from = &s }; /* of an array nothing does, since nobody knows where its second element begins */
    add_kind("n", TW_U8);
    fields_open(&f, "P");
    fields_open(&f, "A");
    f.at[2].count_by = TW_PREFIX2;
    add_kind("a", TW_U8);
    fields_open(&f, "B");
    f.at[4].count_by = TW_FIXED;
    add_kind("unknown", TW_U8);
    fields_end(&f);
    ck_assert_uint_eq(f.n, 2);
    ck_assert_uint_eq(f.at[1].members, 0);
    kit_type(&k, f.at, f.n, 8);

    f = (fields){ .from = &s }; /* also of one that is closed already */
    fields_open(&f, "A");
    f.at[0].count_by = TW_PREFIX2;
    add_kind("rest", TW_BYTES);
    fields_close(&f);
    fields_end(&f);
    ck_assert_uint_eq(f.n, 0);
}
END_TEST

START_TEST(where_a_number_may_be_taken_from)
{
    add_kind("n", TW_U8);                /* 0 */
    ck_assert(!fields_may_refer(&f, 0)); /* itself */
    ck_assert(!fields_may_refer(&f, 1));
    add_kind("pointer", TW_POINTER); /* 1 */
    ck_assert(fields_may_refer(&f, 0));
    add_kind("text", TW_TEXT); /* 2 */
    add_kind("list", TW_U8);   /* 3 */
    f.at[3].count_by = TW_FIXED;
    f.at[3].count = 2;
    add_kind("float", TW_F32); /* 4 */
    fields_open(&f, "A");      /* 5 */
    f.at[5].count_by = TW_PREFIX2;
    ck_assert(fields_may_refer(&f, 0)); /* the count of a struct */
    add_kind("m", TW_U8);               /* 6 */
    ck_assert(fields_may_refer(&f, 0) && fields_may_refer(&f, 1));
    ck_assert(!fields_may_refer(&f, 2) && !fields_may_refer(&f, 3) && !fields_may_refer(&f, 4));
    ck_assert(!fields_may_refer(&f, 5) && !fields_may_refer(&f, 6));
    add_kind("of m", TW_BYTES); /* 7 */
    ck_assert(fields_may_refer(&f, 6));
    fields_close(&f);
    add_kind("after", TW_BYTES);         /* 8 */
    ck_assert(!fields_may_refer(&f, 6)); /* which of the elements would it be? */
    fields_open(&f, "S");
    add_kind("o", TW_I32); /* 10 */
    fields_close(&f);
    add_kind("last", TW_BYTES);
    ck_assert(fields_may_refer(&f, 10)); /* one struct, one number */
}
END_TEST

START_TEST(names_of_values_in_order)
{
    const tw_name pairs[] = { { 7, "seven" }, { 1, "one" }, { 7, "again" }, { UINT64_MAX, "most" }, { 0, "zero" } };
    const tw_names *names = fields_names(&s, pairs, 5, 1);

    ck_assert_uint_eq(names->size, sizeof *names);
    ck_assert_uint_eq(names->flags, TW_BITS);
    ck_assert_uint_eq(names->n, 4);
    ck_assert_str_eq(names->name[0].name, "zero");
    ck_assert_str_eq(names->name[1].name, "one");
    ck_assert_str_eq(names->name[2].name, "seven");
    ck_assert_uint_eq(names->name[3].value, UINT64_MAX);
    ck_assert_uint_eq(fields_names(&s, NULL, 0, 0)->n, 0);
    store little = { .limit = 64 };
    ck_assert_ptr_null(fields_names(&little, pairs, 5, 0));
    store_free(&little);
}
END_TEST

START_TEST(stacks_of_dotnet)
{
    add_kind("FrameCount", TW_U32);
    add_kind("Stack", TW_POINTER);
    f.at[1].count_by = TW_FIXED;
    f.at[1].count = 2;
    fields_mend(&f);
    kit_type(&k, f.at, f.n, 4);
    kit_hex(&k, "03000000 01000000 02000000 03000000");
    ck_kit_walks(&k, "FrameCount[0]@0=3 Stack[0]@0=0x1 Stack[1]@0=0x2 Stack[2]@0=0x3", 0, 0);
    f.at[1].name = "Frames"; /* others are left alone */
    f.at[1].count_by = TW_FIXED;
    f.at[1].count = 2;
    fields_mend(&f);
    ck_assert_uint_eq(f.at[1].count_by, TW_FIXED);
    f = (fields){ .from = &s };
    fields_mend(&f);
    ck_assert_uint_eq(f.n, 0);
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, structs_around_their_members);
    tcase_add_test(c, fields_without_a_name);
    tcase_add_test(c, too_many_too_deep_or_no_memory);
    tcase_add_test(c, the_end_of_a_table);
    tcase_add_test(c, where_a_number_may_be_taken_from);
    tcase_add_test(c, names_of_values_in_order);
    tcase_add_test(c, stacks_of_dotnet);
}

int main(void)
{
    return kit_run("fields", add, open_all, close_all);
}
