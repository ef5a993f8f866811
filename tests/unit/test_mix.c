/* test_mix.c - that no change of what is mixed can be chosen so that it comes out the same. */
#include "mix.h"

#include <check.h>

enum { SEEDS = 1000 };

static uint64_t of_two(uint64_t seed, uint64_t a, uint64_t b)
{
    return mix(mix(seed, a), b);
}

/* A plain product keeps the highest bit: it changes in the result exactly when it changes in the factor, and what is made
   of it by shifts and exclusive ors is known as well. Such a change could be taken back by the next number. */
START_TEST(high_bits_are_not_taken_back)
{
    const uint64_t top = UINT64_C(1) << 63, a = UINT64_C(0x0123456789ABCDEF), b = UINT64_C(0xFEDCBA9876543210);
    uint32_t equal = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t plain = of_two(seed * 4096, a, b);
        for (int shift = 1; shift < 64; shift++) {
            equal += of_two(seed * 4096, a ^ top, b ^ top ^ top >> shift) == plain;
            equal += of_two(seed * 4096, a ^ top >> 1, b ^ top >> 1 ^ top >> 1 >> shift) == plain;
        }
        equal += of_two(seed * 4096, a ^ top, b ^ top) == plain;
    }
    ck_assert_uint_eq(equal, 0);
}
END_TEST

/* Of numbers one after the other the lowest bits, which choose a place, are spread. */
START_TEST(low_bits_are_spread)
{
    uint32_t taken[256] = { 0 }, most = 0;

    for (uint64_t i = 0; i < 65536; i++) {
        uint32_t *n = &taken[mix(4096, i << 16) & 255];
        if (++*n > most) most = *n;
    }
    ck_assert_uint_lt(most, 2 * 65536 / 256);
}
END_TEST

/* Another seed, another order. */
START_TEST(seeds_differ)
{
    uint32_t equal = 0;

    for (uint64_t i = 0; i < 1000; i++) equal += (mix(4096, i) & 255) == (mix(8192, i) & 255);
    ck_assert_uint_lt(equal, 50); /* 4 are to be expected */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mix");
    TCase *t = tcase_create("mix");

    tcase_add_test(t, high_bits_are_not_taken_back);
    tcase_add_test(t, low_bits_are_spread);
    tcase_add_test(t, seeds_differ);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
