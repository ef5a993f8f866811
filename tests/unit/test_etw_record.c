/* test_etw_record.c - every kind of event header, made by hand, and what lies outside the payload. */
#include <check.h>
#include <stdlib.h>

#include "etl_kit.h"
#include "record.h"

static const uint8_t guid[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static kit k;
static record r;

static void set_up(void)
{
    memset(&k, 0, sizeof k);
    memset(&r, 0, sizeof r);
}

static void tear_down(void)
{
    kit_free(&k);
}

/* The event in k, in memory of its own size. */
static enum record_status read_event(void)
{
    k.at = realloc(k.at, k.n);
    k.room = k.n;
    return record_read(k.at, k.n, &r);
}

static void expect(enum record_kind kind, uint32_t size, uint32_t payload, uint8_t pointer, int64_t ticks)
{
    int64_t alone = 0;

    ck_assert_int_eq(read_event(), RECORD_GOOD);
    ck_assert_ptr_eq(r.at, k.at);
    ck_assert_uint_eq(r.kind, kind);
    ck_assert_uint_eq(r.size, size);
    ck_assert_uint_eq(r.payload, payload);
    ck_assert_uint_eq(r.pointer, pointer);
    ck_assert_int_eq(r.timed, 1);
    ck_assert_int_eq(r.ticks, ticks);
    ck_assert_int_eq(record_ticks(k.at, 0x28, &alone), 1);
    ck_assert_int_eq(alone, ticks);
}

static tw_value give(uint32_t what, uint32_t item)
{
    tw_value v;
    ck_assert_int_eq(record_extra(k.at, what, item, &v), TW_OK);
    return v;
}

static void none(uint32_t what, uint32_t item)
{
    tw_value v;
    ck_assert_int_eq(record_extra(k.at, what, item, &v), TW_END);
}

START_TEST(system_header)
{
    for (unsigned type = 1; type <= 2; type++) {
        k.n = 0;
        kit_system(&k, type, 0x0003, 0x05, 36, 12, 34, -99);
        kit_number(&k, 0x11223344, 4);
        kit_end_at(&k, 4);
        expect(RECORD_KERNEL, 0x24, 0x20, type == 1 ? 4 : 8, -99);
        ck_assert_uint_eq(r.group, 5);
        ck_assert_uint_eq(r.id, 36);
        ck_assert_uint_eq(r.version, 3);
        ck_assert_uint_eq(r.tid, 12);
        ck_assert_uint_eq(r.pid, 34);
        ck_assert_ptr_null(r.guid);
        ck_assert_int_eq(give(TW_X_TICKS, 0).i, -99);
        ck_assert_uint_eq(give(TW_X_KERNEL_TIME, 0).u, 111);
        ck_assert_uint_eq(give(TW_X_USER_TIME, 0).u, 222);
        ck_assert_uint_eq(give(TW_X_OPCODE, 0).u, 36);
        ck_assert_uint_eq(give(TW_X_LEVEL, 0).u, 0);
        none(TW_X_ACTIVITY, 0);
        none(TW_X_COUNTERS, 0);
        none(TW_X_OFFSET, 0);
    }
}
END_TEST

START_TEST(compact_header)
{
    for (unsigned type = 3; type <= 4; type++) {
        k.n = 0;
        kit_system(&k, type, 0x0001, 0x12, 50, 1, 2, 3);
        kit_end_at(&k, 4);
        expect(RECORD_KERNEL, 0x18, 0x18, type == 3 ? 4 : 8, 3);
        ck_assert_uint_eq(r.tid, 1);
        ck_assert_uint_eq(r.pid, 2);
        none(TW_X_KERNEL_TIME, 0);
        none(TW_X_USER_TIME, 0);
    }
}
END_TEST

START_TEST(perfinfo_header)
{
    for (unsigned type = 0x10; type <= 0x11; type++) {
        k.n = 0;
        kit_perfinfo(&k, type, 0x0002, 0x0F, 46, 77);
        kit_number(&k, 5, 8);
        kit_end_at(&k, 4);
        expect(RECORD_KERNEL, 0x18, 0x10, type == 0x10 ? 4 : 8, 77);
        ck_assert_uint_eq(r.pid, 0xFFFFFFFF);
        ck_assert_uint_eq(r.tid, 0xFFFFFFFF);
        ck_assert_uint_eq(r.group, 0x0F);
        none(TW_X_KERNEL_TIME, 0);
    }
}
END_TEST

/* Bit 15: a PEBS index; bits 8-10: how many counters; both before the payload. */
START_TEST(counters)
{
    tw_value v;

    kit_perfinfo(&k, 0x11, 0x8305, 0x0F, 46, 77);
    kit_number(&k, 1000, 8);
    for (int i = 1; i <= 3; i++) kit_number(&k, (unsigned)i, 8);
    kit_number(&k, 0xAABB, 2);
    kit_end_at(&k, 4);
    expect(RECORD_KERNEL, 0x10 + 32 + 2, 0x10 + 32, 8, 77);
    ck_assert_uint_eq(r.version, 5);
    ck_assert_uint_eq(r.words, 4);
    v = give(TW_X_COUNTERS, 0);
    ck_assert_uint_eq(v.kind, TW_U64);
    ck_assert_uint_eq(v.count, 3);
    ck_assert_uint_eq(tw_u64(v.t.at), 1);
    ck_assert_uint_eq(tw_u64(v.t.at + 16), 3);
    none(TW_X_COUNTERS, 1);
    ck_assert_uint_eq(tw_u64(give(TW_X_ITEM + 7, 0).t.at), 1000);
    ck_assert_uint_eq(give(TW_X_ITEM + 8, 0).t.bytes, 24);

    /* Counters alone; then less room than they need. */
    k.n = 0;
    kit_system(&k, 2, 0x0105, 0x05, 36, 1, 2, 3);
    kit_number(&k, 9, 8);
    kit_end_at(&k, 4);
    expect(RECORD_KERNEL, 0x28, 0x28, 8, 3);
    ck_assert_uint_eq(tw_u64(give(TW_X_COUNTERS, 0).t.at), 9);
    none(TW_X_ITEM + 7, 0);
    kit_set(&k, 0, 0x0205, 2);
    ck_assert_int_eq(read_event(), RECORD_CORRUPT);
}
END_TEST

START_TEST(full_header)
{
    for (unsigned type = 0x0A; type <= 0x14; type += 0x0A) {
        k.n = 0;
        kit_full(&k, type, guid, 0x0102, 5, 6, 7);
        kit_number(&k, 1, 1);
        kit_end_at(&k, 0);
        expect(RECORD_CLASSIC, 0x31, 0x30, type == 0x0A ? 4 : 8, 7);
        ck_assert_mem_eq(r.guid, guid, 16);
        ck_assert_uint_eq(r.id, 7);
        ck_assert_uint_eq(r.version, 0x0102);
        ck_assert_uint_eq(r.tid, 5);
        ck_assert_uint_eq(r.pid, 6);
        ck_assert_uint_eq(give(TW_X_LEVEL, 0).u, 3);
        ck_assert_uint_eq(give(TW_X_KERNEL_TIME, 0).u, 333);
        ck_assert_uint_eq(give(TW_X_USER_TIME, 0).u, 444);
        none(TW_X_ITEM + 4, 0);
    }
}
END_TEST

START_TEST(instance_header)
{
    for (unsigned type = 0x0B; type <= 0x15; type += 0x0A) {
        tw_value v;
        k.n = 0;
        kit_full(&k, type, guid, 1, 5, 6, 7);
        kit_end_at(&k, 0);
        expect(RECORD_CLASSIC, 0x48, 0x48, type == 0x0B ? 4 : 8, 7);
        v = give(TW_X_ITEM + 4, 0);
        ck_assert_uint_eq(v.t.bytes, 24);
        ck_assert_uint_eq(tw_u32(v.t.at), 5555);
        ck_assert_uint_eq(tw_u32(v.t.at + 4), 6666);
        ck_assert_mem_eq(v.t.at + 8, guid, 16);
        kit_set(&k, 0, 0x40, 2);
        ck_assert_int_eq(read_event(), RECORD_CORRUPT);
    }
}
END_TEST

START_TEST(event_header)
{
    for (unsigned type = 0x12; type <= 0x13; type++) {
        tw_value v;
        k.n = 0;
        kit_event(&k, type, 0, guid, 1234, 2, 5, 6, 7);
        kit_number(&k, 0xABCDEF, 3);
        kit_end_at(&k, 0);
        expect(RECORD_EVENT, 0x53, 0x50, type == 0x12 ? 4 : 8, 7);
        ck_assert_mem_eq(r.guid, guid, 16);
        ck_assert_uint_eq(r.id, 1234);
        ck_assert_uint_eq(r.version, 2);
        ck_assert_uint_eq(r.items, 0);
        ck_assert_uint_eq(give(TW_X_KEYWORD, 0).u, UINT64_C(0x8000000000000012));
        ck_assert_uint_eq(give(TW_X_LEVEL, 0).u, 4);
        ck_assert_uint_eq(give(TW_X_OPCODE, 0).u, 9);
        ck_assert_uint_eq(give(TW_X_TASK, 0).u, 77);
        ck_assert_uint_eq(give(TW_X_CHANNEL, 0).u, 16);
        ck_assert_uint_eq(give(TW_X_KERNEL_TIME, 0).u, 555);
        ck_assert_uint_eq(give(TW_X_USER_TIME, 0).u, 666);
        v = give(TW_X_ACTIVITY, 0);
        ck_assert_uint_eq(v.kind, TW_GUID);
        ck_assert_uint_eq((uint8_t)v.t.at[15], 0xAF);
        none(TW_X_RELATED, 0);
        none(TW_X_STACK, 0);
        kit_set(&k, 0x40, 0, 8);
        kit_set(&k, 0x48, 0, 8);
        none(TW_X_ACTIVITY, 0);
        kit_set(&k, 4, 0x10, 2); /* one u64 of cycles there, no times */
        none(TW_X_KERNEL_TIME, 0);
        none(TW_X_USER_TIME, 0);
    }
}
END_TEST

START_TEST(extended_items)
{
    uint8_t related[16], sid[12] = { 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0 }, stack[8 + 3 * 8], small[8 + 4 * 4],
                         key[16];
    tw_value v;

    memset(related, 0x77, sizeof related);
    for (size_t i = 0; i < sizeof stack; i++) stack[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof small; i++) small[i] = (uint8_t)(0x80 + i);
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)(0xC0 + i);
    kit_event(&k, 0x13, 1, guid, 1, 0, 5, 6, 7);
    kit_item(&k, 1, 1, related, 16);
    kit_item(&k, 2, 1, sid, 12);
    kit_item(&k, 6, 1, stack, sizeof stack);
    kit_item(&k, 5, 1, small, sizeof small);
    kit_item(&k, 8, 1, key, 16);
    kit_item(&k, 0x11, 1, key, 16);
    kit_item(&k, 0x12, 1, key, 16);
    kit_item(&k, 40, 1, key, 1);
    kit_item(&k, 0x10, 0, "12345678-1234-1234-1234-1234567890ab", 36);
    size_t payload = k.n;
    kit_number(&k, 0x5A, 1);
    kit_end_at(&k, 0);
    expect(RECORD_EVENT, (uint32_t)payload + 1, (uint32_t)payload, 8, 7);
    ck_assert_uint_eq(r.broken, 0);
    ck_assert_uint_eq(r.items, 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 8 | 1u << 16 | 1u << 17 | 1u << 18);

    ck_assert_mem_eq(give(TW_X_RELATED, 0).t.at, related, 16);
    none(TW_X_RELATED, 1);
    v = give(TW_X_SID, 0);
    ck_assert_uint_eq(v.kind, TW_SID);
    ck_assert_uint_eq(v.t.bytes, 12);
    v = give(TW_X_STACK, 0);
    ck_assert_uint_eq(v.kind, TW_U64);
    ck_assert_uint_eq(v.count, 3);
    ck_assert_uint_eq(tw_u64(v.t.at), UINT64_C(0x0F0E0D0C0B0A0908));
    v = give(TW_X_STACK, 1);
    ck_assert_uint_eq(v.kind, TW_U32);
    ck_assert_uint_eq(v.count, 4);
    ck_assert_uint_eq(tw_u32(v.t.at + 12), 0x97969594);
    none(TW_X_STACK, 2);
    ck_assert_uint_eq(give(TW_X_STACK_MATCH, 0).u, UINT64_C(0x0706050403020100));
    ck_assert_uint_eq(give(TW_X_STACK_MATCH, 1).u, UINT64_C(0x8786858483828180));
    ck_assert_uint_eq(give(TW_X_STACK_MATCH, 3).u, UINT64_C(0xC7C6C5C4C3C2C1C0));
    none(TW_X_STACK_MATCH, 4);
    ck_assert_uint_eq(give(TW_X_STACK_KEY, 0).u, 0xCBCAC9C8);
    ck_assert_uint_eq(give(TW_X_STACK_KEY, 1).u, UINT64_C(0xCFCECDCCCBCAC9C8));
    ck_assert_uint_eq(give(TW_X_COUNTERS, 0).count, 2);
    v = give(TW_X_ITEM + 0x10, 0);
    ck_assert_uint_eq(v.t.bytes, 36);
    ck_assert_mem_eq(v.t.at, "12345678-", 9);
    none(TW_X_ITEM + 3, 0);
    none(TW_X_ITEM + 40, 0);
    none(TW_X_ITEM, 0);
}
END_TEST

/* A chain that leaves its event: what is sound is kept, the rest counts as payload. */
START_TEST(broken_items)
{
    uint8_t related[16] = { 9 };
    size_t second;

    kit_event(&k, 0x13, 1, guid, 1, 0, 5, 6, 7);
    kit_item(&k, 1, 1, related, 16);
    second = k.n;
    kit_item(&k, 1, 0, related, 16);
    kit_end_at(&k, 0);
    ck_assert_int_eq(read_event(), RECORD_GOOD);
    ck_assert_uint_eq(r.payload, r.size);
    ck_assert_uint_eq(r.broken, 0);

    const struct {
        size_t at;
        unsigned value;
    } faults[] = { { 0, 7 }, { 0, 0 }, { 0, 32 }, { 0, 0xFFFF }, { 6, 17 } };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        uint64_t before = tw_u16(k.at + second + faults[i].at);
        kit_set(&k, second + faults[i].at, faults[i].value, 2);
        ck_assert_int_eq(read_event(), RECORD_GOOD);
        ck_assert_uint_eq(r.broken, 1);
        ck_assert_uint_eq(r.payload, second);
        none(TW_X_RELATED, 1);
        kit_set(&k, second + faults[i].at, before, 2);
    }
    kit_set(&k, second + 4, 1, 2); /* one more is promised, but the event ends */
    ck_assert_int_eq(read_event(), RECORD_GOOD);
    ck_assert_uint_eq(r.broken, 1);
    ck_assert_uint_eq(r.payload, r.size);
}
END_TEST

START_TEST(messages)
{
    int64_t ticks;

    kit_message(&k, 10, 0xAA, guid, 5, 6, 7); /* GUID, time, system info, 64-bit */
    kit_number(&k, 1, 4);
    kit_end_at(&k, 0);
    expect(RECORD_MESSAGE, 0x2C, 0x28, 8, 7);
    ck_assert_uint_eq(r.id, 10);
    ck_assert_uint_eq(r.version, 0);
    ck_assert_mem_eq(r.guid, guid, 16);
    ck_assert_uint_eq(r.tid, 5);
    ck_assert_uint_eq(r.pid, 6);
    none(TW_X_LEVEL, 0);

    k.n = 0;
    kit_message(&k, 11, 0x71, guid, 5, 6, 7); /* sequence, performance time, system info, 32-bit */
    kit_end_at(&k, 0);
    expect(RECORD_MESSAGE, 0x1C, 0x1C, 4, 7);
    ck_assert_ptr_null(r.guid);
    ck_assert_uint_eq(r.component, 0);

    k.n = 0;
    kit_message(&k, 12, 0x04, guid, 0, 0, 0); /* component alone */
    kit_number(&k, 1, 1);
    kit_end_at(&k, 0);
    ck_assert_int_eq(read_event(), RECORD_GOOD);
    ck_assert_uint_eq(r.component, 77);
    ck_assert_uint_eq(r.payload, 12);
    ck_assert_int_eq(r.timed, 0);
    ck_assert_uint_eq(r.tid, 0xFFFFFFFF);
    ck_assert_int_eq(record_ticks(k.at, k.n, &ticks), 0);
    none(TW_X_TICKS, 0);

    k.n = 0;
    kit_message(&k, 13, 0x06, guid, 0, 0, 0); /* GUID wins over component */
    kit_end_at(&k, 0);
    ck_assert_int_eq(read_event(), RECORD_GOOD);
    ck_assert_uint_eq(r.payload, 24);
    kit_set(&k, 0, 23, 2);
    ck_assert_int_eq(read_event(), RECORD_CORRUPT);
}
END_TEST

/* An event of 16 bytes that begins with this marker. */
static enum record_status marked(uint32_t marker)
{
    k.n = 0;
    kit_number(&k, marker, 4);
    kit_bytes(&k, NULL, 12);
    return read_event();
}

START_TEST(opaque_headers)
{
    ck_assert_int_eq(marked(0xC00C0010), RECORD_GOOD); /* TIMED */
    ck_assert_uint_eq(r.kind, RECORD_OPAQUE);
    ck_assert_uint_eq(r.id, 0x0C);
    ck_assert_uint_eq(r.size, 16);
    ck_assert_uint_eq(r.payload, 8);
    ck_assert_int_eq(r.timed, 0);
    ck_assert_int_eq(marked(0xC0770008), RECORD_GOOD); /* unknown, its size plausible */
    ck_assert_uint_eq(r.size, 8);
    ck_assert_int_eq(marked(0xC0770007), RECORD_UNKNOWN);
    ck_assert_int_eq(marked(0xC0770011), RECORD_UNKNOWN);
    ck_assert_int_eq(marked(0xC00D0010), RECORD_CORRUPT); /* ERROR has 50h bytes */
    ck_assert_int_eq(marked(0xB0000010), RECORD_GOOD);    /* a message with a 32-bit time */
    ck_assert_int_eq(r.kind, RECORD_OPAQUE);
    ck_assert_int_eq(marked(0x00000010), RECORD_GOOD); /* WNODE */
    ck_assert_uint_eq(r.size, 16);
    ck_assert_int_eq(marked(0x00000007), RECORD_CORRUPT);
    ck_assert_int_eq(marked(0x7FFFFFFF), RECORD_CORRUPT);
    ck_assert_int_eq(marked(0x80000010), RECORD_UNKNOWN);
    ck_assert_int_eq(marked(0xE0020010), RECORD_UNKNOWN);

    k.n = 0;
    kit_number(&k, 0xC00D0050, 4);
    kit_bytes(&k, NULL, 0x4C);
    ck_assert_int_eq(read_event(), RECORD_GOOD);
    ck_assert_uint_eq(r.payload, 0x50);
}
END_TEST

START_TEST(ends_and_sizes)
{
    ck_assert_int_eq(marked(0), RECORD_PADDING);
    ck_assert_int_eq(marked(0xFFFFFFFF), RECORD_PADDING);
    k.n = 0;
    kit_number(&k, 0xC0130050, 4);
    ck_assert_int_eq(read_event(), RECORD_PADDING); /* less than any event */

    k.n = 0;
    kit_event(&k, 0x13, 0, guid, 1, 0, 5, 6, 7);
    kit_end_at(&k, 0);
    ck_assert_int_eq(read_event(), RECORD_GOOD); /* no payload is fine */
    ck_assert_uint_eq(r.payload, r.size);
    kit_set(&k, 0, 0, 2);
    ck_assert_int_eq(read_event(), RECORD_CORRUPT);
    kit_set(&k, 0, 0x4F, 2);
    ck_assert_int_eq(read_event(), RECORD_CORRUPT);
    kit_set(&k, 0, 0x51, 2);
    ck_assert_int_eq(read_event(), RECORD_CORRUPT);
}
END_TEST

/* Every header type with every length of memory: under AddressSanitizer, a byte too far ends the test. */
START_TEST(no_byte_too_far)
{
    for (unsigned family = 0; family < 2; family++)
        for (unsigned type = 0; type < 0x20; type++)
            for (size_t n = 1; n < 0x60; n++) {
                uint8_t *at = malloc(n);
                int64_t ticks;
                memset(at, 1, n);
                if (n > 3) {
                    at[2] = (uint8_t)(family ? 0 : type);
                    at[3] = family ? 0x90 : 0xC0;
                }
                for (unsigned size = 0; size <= n; size += 3) {
                    if (n > 5) at[0] = at[4] = (uint8_t)size, at[1] = at[5] = 0;
                    if (family && n > 7) at[6] = (uint8_t)type, at[7] = (uint8_t)(type << 3);
                    if (record_read(at, n, &r) == RECORD_GOOD) {
                        ck_assert_uint_le(r.size, n);
                        ck_assert_uint_le(r.payload, r.size);
                    }
                    record_ticks(at, n, &ticks);
                }
                free(at);
            }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("etw_record");
    TCase *c = tcase_create("etw_record");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, system_header);
    tcase_add_test(c, compact_header);
    tcase_add_test(c, perfinfo_header);
    tcase_add_test(c, counters);
    tcase_add_test(c, full_header);
    tcase_add_test(c, instance_header);
    tcase_add_test(c, event_header);
    tcase_add_test(c, extended_items);
    tcase_add_test(c, broken_items);
    tcase_add_test(c, messages);
    tcase_add_test(c, opaque_headers);
    tcase_add_test(c, ends_and_sizes);
    tcase_add_test(c, no_byte_too_far);
    suite_add_tcase(s, c);
    runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
