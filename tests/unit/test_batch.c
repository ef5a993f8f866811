/* test_batch.c - batches and blocks of rows: who holds them, what they keep, when they are used again. */
#include <check.h>
#include <stdlib.h>

#include "batch.h"

enum { CAP = 8 };

static void count_release(void *arg)
{
    ++*(int *)arg;
}

START_TEST(a_batch_is_empty_and_used_again)
{
    batch_pool *p = batch_pool_new(CAP);
    tw_batch *b = batch_take(p);

    ck_assert_uint_eq(b->n, 0);
    ck_assert_uint_eq(b->cap, CAP);
    ck_assert_int_eq(b->upto, INT64_MIN);
    b->n = 3;
    b->upto = 7;
    batch_let_go(b);
    tw_batch *again = batch_take(p);
    ck_assert_ptr_eq(again, b);
    ck_assert_uint_eq(again->n, 0);
    ck_assert_int_eq(again->upto, INT64_MIN);
    tw_batch *other = batch_take(p);
    ck_assert_ptr_ne(other, again);
    batch_let_go(again);
    batch_let_go(other);
    batch_pool_free(p);
}
END_TEST

START_TEST(the_last_reader_lets_go)
{
    batch_pool *p = batch_pool_new(CAP);
    tw_batch *b = batch_take(p);
    int released = 0;

    batch_keep(b, count_release, &released);
    batch_keep(b, count_release, &released);
    memset(batch_alloc(b, 10000), 1, 10000);
    batch_hold(b);
    batch_let_go(b);
    ck_assert_int_eq(released, 0);
    batch_let_go(b);
    ck_assert_int_eq(released, 2);
    b = batch_take(p);
    batch_let_go(b);
    ck_assert_int_eq(released, 2); /* what was kept is kept once */
    batch_pool_free(p);
}
END_TEST

START_TEST(cells_have_the_size_of_their_kind)
{
    // clang-format off
    static const struct { uint8_t kind; size_t bytes; } cells[] = {
        { TW_BOOL, 1 }, { TW_U8, 1 }, { TW_I8, 1 }, { TW_U16, 2 }, { TW_I16, 2 }, { TW_U32, 4 }, { TW_I32, 4 },
        { TW_F32, 4 }, { TW_U64, 8 }, { TW_I64, 8 }, { TW_F64, 8 }, { TW_POINTER, 8 }, { TW_TIME, 8 }, { TW_SPAN, 8 },
        { TW_IP4, 4 }, { TW_IP6, 16 }, { TW_GUID, 16 }, { TW_TEXT, 16 }, { TW_BYTES, 16 }, { TW_SID, 16 },
        { TW_SOCKADDR, 16 }, { TW_TEXT16, 0 }, { TW_STRUCT, 0 }, { TW_FILETIME, 0 }, { TW_TOKENSID, 0 }, { 0, 0 },
        { 200, 0 },
    };
    // clang-format on
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        tw_field f = { .kind = cells[i].kind };
        ck_assert_uint_eq(kind_bytes(&f), cells[i].bytes);
    }
    tw_field list = { .kind = TW_U8, .flags = TW_LIST };
    ck_assert_uint_eq(kind_bytes(&list), 16);
}
END_TEST

START_TEST(rows_hold_cells_and_nulls)
{
    static const tw_field columns[] = {
        { .name = "n", .kind = TW_U16 },
        { .name = "path", .kind = TW_TEXT, .flags = TW_NULLABLE },
        { .name = "stack", .kind = TW_U64, .flags = TW_LIST },
    };
    static const tw_table table = { sizeof table, 3, "t", NULL, columns };
    tw_rows *r = rows_new(&table, CAP);
    tw_value v;

    ck_assert_ptr_eq(r->table, &table);
    ck_assert_uint_eq(r->cap, CAP);
    ck_assert_ptr_null(r->null[0]);
    ck_assert_ptr_nonnull(r->null[1]);
    for (uint32_t i = 0; i < CAP; i++) {
        char *name = rows_cell(r, 3);
        uint64_t *stack = rows_cell(r, 16);
        memcpy(name, "abc", 3);
        stack[0] = i;
        stack[1] = 1ull << 40;
        ((uint16_t *)r->col[0])[i] = (uint16_t)(i + 65530);
        ((tw_text *)r->col[1])[i] = (tw_text){ name, 3, 0 };
        ((tw_list *)r->col[2])[i] = (tw_list){ stack, 2, 0 };
        r->null[1][i] = i % 2;
        r->n++;
    }
    ck_assert_int_eq(tw_cell(r, 0, 7, &v), 1);
    ck_assert_uint_eq(v.u, (65537 & 0xFFFF));
    ck_assert_int_eq(tw_cell(r, 1, 1, &v), 0);
    ck_assert_int_eq(tw_cell(r, 1, 2, &v), 1);
    ck_assert_uint_eq(v.t.bytes, 3);
    ck_assert_int_eq(memcmp(v.t.at, "abc", 3), 0);
    ck_assert_int_eq(tw_cell(r, 2, 5, &v), 1);
    ck_assert_uint_eq(v.count, 2);
    ck_assert_uint_eq(((const uint64_t *)(const void *)v.t.at)[0], 5);
    rows_empty(r);
    ck_assert_uint_eq(r->n, 0);
    ck_assert_int_eq(r->null[1][1], 0);
    rows_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("batch");
    TCase *t = tcase_create("batch");

    tcase_add_test(t, a_batch_is_empty_and_used_again);
    tcase_add_test(t, the_last_reader_lets_go);
    tcase_add_test(t, cells_have_the_size_of_their_kind);
    tcase_add_test(t, rows_hold_cells_and_nulls);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
