/* test_packed.c - gzip as an input: in order and anywhere, several streams, cut off, damaged. (zstd: test_input.c.) */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "input.h"
#include "os.h"
#include "packed.h"

enum { SAMPLE = 500009 /* bytes: more than is read or spooled at once */ };

static uint8_t sample[SAMPLE], file[SAMPLE + 1000], got[SAMPLE + 10];
static size_t n; /* bytes of the file */
static char path[300];
static tw_input *in;

static void set_up(void)
{
    uint32_t noise = 99;
    for (size_t i = 0; i < SAMPLE; i++) {
        noise = noise * 1664525 + 1013904223;
        sample[i] = (uint8_t)(i % 4 == 3 ? noise >> 24 : i / 1000);
    }
    snprintf(path, sizeof path, "%s/traceweir-test-packed-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             os_process_id());
    n = 0;
}

static void tear_down(void)
{
    input_close(in);
    in = NULL;
    os_remove(path);
}

/* One gzip stream behind what is in the file. */
static void pack(const uint8_t *from, size_t bytes)
{
    z_stream z = { 0 };
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (uint8_t *)(uintptr_t)from;
    z.avail_in = (uInt)bytes;
    z.next_out = file + n;
    z.avail_out = (uInt)(sizeof file - n);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    n += z.total_out;
    deflateEnd(&z);
}

static void open_file(void)
{
    FILE *f = fopen(path, "wb");
    text why = { 0 };
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(file, 1, n, f), n);
    fclose(f);
    input_close(in);
    ck_assert_msg(input_open(path, &in, &why) == TW_OK, "%s", text_of(&why));
}

/* All that can be received; the last call's status. */
static size_t receive(ptrdiff_t *last)
{
    size_t all = 0, piece = 1;
    while ((*last = input_receive(in, got + all, piece < sizeof got - all ? piece : sizeof got - all)) > 0) {
        all += (size_t)*last;
        piece = piece * 7 % 65537 + 1;
    }
    return all;
}

static void check_whole(size_t bytes)
{
    ptrdiff_t last;
    ck_assert_uint_eq(receive(&last), bytes);
    ck_assert_int_eq(last, 0);
    ck_assert_mem_eq(got, sample, bytes);
    ck_assert_str_eq(input_error(in), "");
}

/* The first `bytes` are right, then it fails with a sentence that ends in `sentence`. */
static void check_part(size_t bytes, const char *sentence)
{
    ptrdiff_t last;
    size_t all = receive(&last);
    ck_assert_uint_eq(all, bytes);
    ck_assert_int_eq(last, -1);
    ck_assert_mem_eq(got, sample, bytes);
    ck_assert_msg(strncmp(input_error(in), path, strlen(path)) == 0, "%s", input_error(in));
    ck_assert_str_eq(input_error(in) + strlen(path), sentence);
}

START_TEST(gzip_is_known_by_its_bytes)
{
    static const uint8_t head[] = { 0x1F, 0x8B, 8, 0 }, other[] = { 0x1F, 0x8B, 7, 0 };
    ck_assert_str_eq(packed_kind(head, 4), "gzip");
    ck_assert_str_eq(packed_kind(head, 2), "gzip");
    ck_assert_ptr_null(packed_kind(head, 1));
    ck_assert_ptr_null(packed_kind(head, 0));
    ck_assert_ptr_null(packed_kind(other, 4));
}
END_TEST

START_TEST(gzip_is_read_in_order_and_anywhere)
{
    void *window;
    uint64_t size;
    pack(sample, SAMPLE);
    open_file();
    input_name(in, &size);
    ck_assert_uint_eq(size, UINT64_MAX);
    check_whole(SAMPLE);
    const uint8_t *at = input_at(in, SAMPLE - 1000, 1000, &window);
    ck_assert_ptr_nonnull(at);
    ck_assert_mem_eq(at, sample + SAMPLE - 1000, 1000);
    input_unmap(window);
    ck_assert_ptr_null(input_at(in, SAMPLE, 1, &window));
    input_name(in, &size);
    ck_assert_uint_eq(size, SAMPLE);
}
END_TEST

START_TEST(all_streams_are_read)
{
    pack(sample, 1000);
    pack(sample + 1000, 0);
    pack(sample + 1000, SAMPLE - 1000);
    open_file();
    check_whole(SAMPLE);
}
END_TEST

START_TEST(what_is_cut_off_keeps_its_beginning)
{
    char sentence[100];
    ptrdiff_t last;
    pack(sample, 700);
    for (size_t all = n, before = 0; n-- > 3;) {
        size_t cut = n;
        open_file();
        size_t bytes = receive(&last);
        ck_assert_int_eq(last, -1);
        ck_assert_mem_eq(got, sample, bytes);
        snprintf(sentence, sizeof sentence, " is cut off: the gzip frame ends early, at offset %u", (unsigned)cut);
        ck_assert_str_eq(input_error(in) + strlen(path), sentence);
        if (cut + 8 >= all) ck_assert_uint_eq(bytes, 700); /* only the trailer is not whole */
        if (before) ck_assert_uint_le(bytes, before);
        before = bytes;
    }
}
END_TEST

START_TEST(a_wrong_checksum_is_told_behind_the_bytes)
{
    char sentence[100];
    pack(sample, 2000);
    file[n - 8] ^= 1;
    open_file();
    snprintf(sentence, sizeof sentence, " is damaged: gzip finds at offset %u: incorrect data check",
             (unsigned)n - 4);
    check_part(2000, sentence);
    file[n - 8] ^= 1;
    file[n - 4] ^= 1;
    open_file();
    snprintf(sentence, sizeof sentence, " is damaged: gzip finds at offset %u: incorrect length check", (unsigned)n);
    check_part(2000, sentence);
}
END_TEST

START_TEST(what_follows_the_streams_is_ignored_and_said)
{
    char sentence[200];
    pack(sample, 2000);
    size_t end = n;
    memcpy(file + n, "more", 4);
    n += 4;
    open_file();
    snprintf(sentence, sizeof sentence,
             " goes on behind its last gzip frame with what is none; ignored: 4 bytes from offset %u on",
             (unsigned)end);
    check_part(2000, sentence);
    file[end] = 0x1F; /* a beginning that is none */
    open_file();
    check_part(2000, sentence);
}
END_TEST

START_TEST(every_bit_may_be_wrong)
{
    ptrdiff_t last;
    unsigned silent = 0;
    pack(sample, 500);
    for (size_t k = 8 * 3; k < 8 * n; k += 3) { /* what the first bytes say decides whether it is gzip */
        file[k / 8] ^= (uint8_t)(1 << k % 8);
        open_file();
        size_t bytes = receive(&last);
        ck_assert_int_eq(last < 0, *input_error(in) != 0);
        if (*input_error(in) == 0) {
            ck_assert_uint_eq(bytes, 500);
            ck_assert_mem_eq(got, sample, 500);
            silent++;
        }
        file[k / 8] ^= (uint8_t)(1 << k % 8);
    }
    ck_assert_uint_le(silent, (8 * 7 + 7) / 3); /* notes in the header, and the bits behind the last block */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("packed");
    TCase *c = tcase_create("packed");

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, gzip_is_known_by_its_bytes);
    tcase_add_test(c, gzip_is_read_in_order_and_anywhere);
    tcase_add_test(c, all_streams_are_read);
    tcase_add_test(c, what_is_cut_off_keeps_its_beginning);
    tcase_add_test(c, a_wrong_checksum_is_told_behind_the_bytes);
    tcase_add_test(c, what_follows_the_streams_is_ignored_and_said);
    tcase_add_test(c, every_bit_may_be_wrong);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
