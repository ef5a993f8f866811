/* test_xpress.c - plain LZ77 XPRESS: the examples of its description, all forms of a length, and broken streams.

   Blocks are allocated to the byte, so that under AddressSanitizer one byte too far is a failure. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "xpress.h"

/* Decodes from and to memory of exactly these sizes; the result must be checked by the caller. */
static size_t decode(const uint8_t *in, size_t n, uint8_t *out, size_t want)
{
    uint8_t *from = malloc(n ? n : 1), *to = malloc(want ? want : 1);
    size_t got;

    memcpy(from, in, n);
    memset(to, 0xEE, want);
    got = xpress_decode(n ? from : from + 1, n, to, want);
    ck_assert_uint_le(got, want);
    memcpy(out, to, want);
    free(from);
    free(to);
    return got;
}

START_TEST(only_literals)
{
    const uint8_t in[] = "\x3f\x00\x00\x00"
                         "abcdefghijklmnopqrstuvwxyz";
    uint8_t out[26];

    ck_assert_uint_eq(decode(in, 30, out, 26), 26);
    ck_assert_mem_eq(out, "abcdefghijklmnopqrstuvwxyz", 26);
    ck_assert_uint_eq(decode(in, 30, out, 10), 10);
    ck_assert_mem_eq(out, "abcdefghij", 10);
    ck_assert_uint_eq(decode(in, 20, out, 26), 16); /* cut */
    ck_assert_uint_eq(decode(in, 3, out, 26), 0);
    ck_assert_uint_eq(decode(in, 0, out, 26), 0);
    ck_assert_uint_eq(decode(in, 30, out, 0), 0);
}
END_TEST

START_TEST(long_match)
{
    const uint8_t in[] = { 0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01 };
    uint8_t out[300];

    ck_assert_uint_eq(decode(in, sizeof in, out, 300), 300);
    for (int i = 0; i < 300; i++) ck_assert_uint_eq(out[i], "abc"[i % 3]);
    ck_assert_uint_eq(decode(in, sizeof in, out, 150), 150);
    for (size_t n = 7; n < sizeof in; n++) ck_assert_uint_eq(decode(in, n, out, 300), 3);
}
END_TEST

/* One literal `x`, then matches with offset 1; gives how many bytes came out. */
static size_t run_of_x(const uint8_t *matches, size_t n, size_t want)
{
    uint8_t in[64] = { 0xff, 0xff, 0xff, 0x7f, 'x' }, *out = malloc(want);
    size_t got;

    memcpy(in + 5, matches, n);
    got = decode(in, 5 + n, out, want);
    for (size_t i = 0; i < got; i++) ck_assert_uint_eq(out[i], 'x');
    free(out);
    return got;
}

START_TEST(lengths)
{
    /* In the u16: 3 + 6. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 6, 0 }, 2, 100000), 1 + 9);
    /* In the nibble: 3 + 7 + 0 and, the high half for the second match, 3 + 7 + 14. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0xe0, 7, 0 }, 5, 100000), 1 + 10 + 24);
    /* A third one takes a new byte. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0xe0, 7, 0, 7, 0, 0x02 }, 8, 100000), 1 + 10 + 24 + 12);
    /* In the byte: 3 + 7 + 15 + 254. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0x0f, 254 }, 4, 100000), 1 + 279);
    /* In the u16 behind: the whole of it but 3. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0x0f, 255, 0x16, 0 }, 6, 100000), 1 + 25);
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0x0f, 255, 0xff, 0xff }, 6, 100000), 1 + 65538);
    /* In the u32 behind a u16 of 0. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0x0f, 255, 0, 0, 0x00, 0x00, 0x01, 0x00 }, 10, 100000),
                      1 + 65539);
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0x0f, 255, 0, 0, 0xff, 0xff, 0xff, 0xff }, 10, 9000), 9000);
    /* Less than what brought us there: no such stream. */
    ck_assert_uint_eq(run_of_x((const uint8_t[]){ 7, 0, 0x0f, 255, 0x15, 0 }, 6, 100000), 1);
}
END_TEST

START_TEST(far_offsets)
{
    const uint8_t before_the_start[] = { 0xff, 0xff, 0xff, 0x7f, 'x', 8, 0 };
    const uint8_t first_of_all[] = { 0xff, 0xff, 0xff, 0xff, 0, 0 };
    uint8_t out[100];

    ck_assert_uint_eq(decode(before_the_start, sizeof before_the_start, out, 100), 1);
    ck_assert_uint_eq(decode(first_of_all, sizeof first_of_all, out, 100), 0);
}
END_TEST

/* ---- An encoder of ten minutes: greedy, one candidate a position ---- */

typedef struct encoder {
    uint8_t *out;
    size_t n, flags_at, half_at;
    uint32_t flags, used;
} encoder;

static void flag(encoder *e, uint32_t bit)
{
    if (e->used == 32 || e->n == 0) {
        if (e->n) memcpy(e->out + e->flags_at, &e->flags, 4);
        e->flags_at = e->n;
        e->n += 4;
        e->flags = e->used = 0;
    }
    e->flags |= bit << (31 - e->used++);
}

static void put_match(encoder *e, size_t offset, size_t length)
{
    size_t code = length - 3, m = (offset - 1) << 3 | (code < 7 ? code : 7);

    e->out[e->n++] = (uint8_t)m;
    e->out[e->n++] = (uint8_t)(m >> 8);
    if (code < 7) return;
    uint8_t nibble = (uint8_t)(code - 7 < 15 ? code - 7 : 15);
    if (e->half_at) {
        e->out[e->half_at] |= (uint8_t)(nibble << 4);
        e->half_at = 0;
    } else {
        e->half_at = e->n;
        e->out[e->n++] = nibble;
    }
    if (nibble < 15) return;
    if (code - 22 < 255) {
        e->out[e->n++] = (uint8_t)(code - 22);
        return;
    }
    e->out[e->n++] = 255;
    e->out[e->n++] = (uint8_t)code;
    e->out[e->n++] = (uint8_t)(code >> 8);
}

static size_t encode(const uint8_t *in, size_t n, uint8_t *out)
{
    static size_t last[65536];
    encoder e = { .out = out };

    memset(last, 0, sizeof last);
    for (size_t i = 0; i < n;) {
        size_t length = 0, from = 0;
        if (i + 3 <= n) {
            size_t *slot = &last[(in[i] | in[i + 1] << 8) ^ in[i + 2] * 257];
            from = *slot;
            *slot = i + 1;
            if (from && i - (from - 1) <= 8192)
                while (i + length < n && length < 65000 && in[from - 1 + length] == in[i + length]) length++;
        }
        flag(&e, length >= 3);
        if (length >= 3) {
            put_match(&e, i - (from - 1), length);
            i += length;
        } else {
            out[e.n++] = in[i++];
        }
    }
    while (e.used < 32) e.flags |= 1u << (31 - e.used++);
    memcpy(out + e.flags_at, &e.flags, 4);
    return e.n;
}

static uint32_t seed;

static uint32_t noise(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

/* Words from a small dictionary, runs and noise. */
static void make_text(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t kind = noise(20), length = 1 + noise(kind == 0 ? 2000 : 12), word = noise(50);
        for (; length-- && i < n; i++)
            out[i] = (uint8_t)(kind == 0 ? 0 : kind == 1 ? noise(256) : (word * 31 + length * 7) & 0x7F);
    }
}

START_TEST(round_trips)
{
    uint8_t *in = malloc(100000), *packed = malloc(200000), *out = malloc(100000);

    for (uint32_t round = 1; round <= 60; round++) {
        seed = round;
        size_t n = round < 40 ? round * round : 100000 - noise(1000), bytes;
        make_text(in, n);
        bytes = encode(in, n, packed);
        ck_assert_uint_eq(decode(packed, bytes, out, n), n);
        ck_assert_mem_eq(out, in, n);
        for (size_t part = n > 300 ? 300 : n; part; part--) { /* a beginning of it */
            ck_assert_uint_eq(decode(packed, bytes, out, part), part);
            ck_assert_mem_eq(out, in, part);
        }
    }
    free(in);
    free(packed);
    free(out);
}
END_TEST

/* Whatever the stream: no byte outside, and what came out before the broken place is right. */
START_TEST(broken_streams)
{
    uint8_t *in = malloc(3000), *packed = malloc(6000), *out = malloc(3000);

    for (uint32_t round = 1; round <= 300; round++) {
        seed = round;
        make_text(in, 3000);
        size_t bytes = encode(in, 3000, packed), cut = 5 + noise(2000) % (uint32_t)(bytes - 5);
        size_t got = decode(packed, cut, out, 3000);
        ck_assert_uint_lt(got, 3000);
        ck_assert_mem_eq(out, in, got);
        for (int flips = 0; flips < 20; flips++) packed[noise((uint32_t)bytes)] ^= (uint8_t)(1 << noise(8));
        decode(packed, bytes, out, 3000);
        for (size_t i = 0; i < bytes; i++) packed[i] = (uint8_t)noise(256);
        decode(packed, bytes, out, 3000);
    }
    free(in);
    free(packed);
    free(out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("xpress");
    TCase *c = tcase_create("xpress");
    SRunner *r;
    int failed;

    tcase_add_test(c, only_literals);
    tcase_add_test(c, long_match);
    tcase_add_test(c, lengths);
    tcase_add_test(c, far_offsets);
    tcase_add_test(c, round_trips);
    tcase_add_test(c, broken_streams);
    tcase_set_timeout(c, 60);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
