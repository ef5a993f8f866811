/* test_input.c - files, pipes and zstd, in order and anywhere; whole, cut off and damaged. */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

#include "input.h"
#include "os.h"

enum { SAMPLE = 700001 }; /* bytes: more than zstd's blocks and than what is spooled at once, and odd */

static uint8_t sample[SAMPLE];
static char folder[256], path[300];

/* Bytes that compress, but not to nothing: a counter, with noise between. */
static void set_up(void)
{
    uint32_t noise = 12345;
    for (size_t i = 0; i < SAMPLE; i++) {
        noise = noise * 1664525 + 1013904223;
        sample[i] = (uint8_t)(i % 4 == 3 ? noise >> 24 : i / 1000);
    }
    snprintf(folder, sizeof folder, "%s/traceweir-test-input-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             os_process_id());
    snprintf(path, sizeof path, "%s/trace", folder);
    text why = { 0 };
    ck_assert_int_eq(os_make_folder(folder, &why), TW_OK);
}

static void tear_down(void)
{
    os_remove(path);
    rmdir(folder);
}

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static tw_input *opened(const char *name)
{
    tw_input *i = NULL;
    text why = { 0 };
    ck_assert_msg(input_open(name, &i, &why) == TW_OK, "%s", text_of(&why));
    return i;
}

/* One zstd frame with its checksum; returns how long it is. */
static size_t pack(const uint8_t *bytes, size_t n, uint8_t *to, size_t cap)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t packed = ZSTD_compress2(c, to, cap, bytes, n);
    ZSTD_freeCCtx(c);
    ck_assert(!ZSTD_isError(packed));
    return packed;
}

static void check_at(tw_input *i, uint64_t offset, size_t n)
{
    void *window = NULL;
    const uint8_t *at = input_at(i, offset, n, &window);
    ck_assert_msg(at != NULL, "%s", input_error(i));
    ck_assert_ptr_nonnull(window);
    ck_assert_mem_eq(at, sample + offset, n);
    input_unmap(window);
}

static void check_no_at(tw_input *i, uint64_t offset, size_t n)
{
    void *window = &window;
    ck_assert_ptr_null(input_at(i, offset, n, &window));
    ck_assert_ptr_null(window);
}

/* Receives all there is, in parts of odd sizes: how many bytes, and what the last call gave. */
static size_t receive_all(tw_input *i, uint8_t *to, size_t cap, ptrdiff_t *last)
{
    size_t n = 0, part = 1;
    while ((*last = input_receive(i, to + n, part < cap - n ? part : cap - n)) > 0) {
        n += (size_t)*last;
        part = part * 3 % 100003 + 1;
    }
    return n;
}

static void check_stream(tw_input *i)
{
    static uint8_t got[SAMPLE + 10];
    ptrdiff_t last;
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), SAMPLE);
    ck_assert_int_eq(last, 0);
    ck_assert_mem_eq(got, sample, SAMPLE);
    ck_assert_int_eq(input_receive(i, got, 1), 0);
    ck_assert_str_eq(input_error(i), "");
}

static void check_places(tw_input *i)
{
    uint64_t size = 0;
    check_at(i, 0, 1);
    check_at(i, 0, SAMPLE);
    check_at(i, 1000, 100); /* a part of the window before */
    check_at(i, SAMPLE - 1, 1);
    check_at(i, 65536, 65536);
    check_at(i, 65535, 65537); /* one more than the window before */
    check_at(i, 131071, 2);
    check_at(i, SAMPLE, 0);
    check_no_at(i, SAMPLE, 1);
    check_no_at(i, SAMPLE + 1, 0);
    check_no_at(i, SAMPLE - 1, 2);
    check_no_at(i, 0, SAMPLE + 1);
    check_no_at(i, 0, SIZE_MAX);
    check_no_at(i, UINT64_MAX, 1);
    check_no_at(i, UINT64_MAX - 1, SIZE_MAX);
    check_at(i, 7, 4096); /* a refusal spoils nothing */
    input_name(i, &size);
    ck_assert_uint_eq(size, SAMPLE);
    ck_assert_str_eq(input_error(i), "");
}

START_TEST(a_file_is_read_anywhere_and_in_order)
{
    write_file(sample, SAMPLE);
    tw_input *i = opened(path);
    uint64_t size = 0;
    ck_assert_str_eq(input_name(i, &size), path);
    ck_assert_uint_eq(size, SAMPLE);
    check_places(i);
    check_stream(i);
    check_places(i);
    input_close(i);
}
END_TEST

START_TEST(bytes_are_an_input)
{
    uint8_t *copy = malloc(SAMPLE);
    memcpy(copy, sample, SAMPLE);
    tw_input *i = input_of_bytes(copy, SAMPLE, "some bytes");
    memset(copy, 0, SAMPLE);
    free(copy);
    ck_assert_str_eq(input_name(i, NULL), "some bytes");
    check_places(i);
    check_stream(i);
    input_close(i);
    i = input_of_bytes(NULL, 0, "nothing");
    check_no_at(i, 0, 1);
    uint8_t byte;
    ck_assert_int_eq(input_receive(i, &byte, 1), 0);
    input_close(i);
}
END_TEST

START_TEST(an_empty_file_has_no_bytes)
{
    uint64_t size = 7;
    uint8_t byte;
    write_file("", 0);
    tw_input *i = opened(path);
    input_name(i, &size);
    ck_assert_uint_eq(size, 0);
    check_no_at(i, 0, 1);
    ck_assert_int_eq(input_receive(i, &byte, 1), 0);
    ck_assert_str_eq(input_error(i), "");
    input_close(i);
}
END_TEST

START_TEST(what_cannot_be_opened_is_said)
{
    tw_input *i = (tw_input *)&i;
    text why = { 0 }, wanted = { 0 };
    ck_assert_int_eq(input_open(path, &i, &why), TW_ERROR);
    ck_assert_ptr_null(i);
    text_format(&wanted, "%s cannot be opened: no such file or folder", path);
    ck_assert_str_eq(text_of(&why), text_of(&wanted));
    text_clear(&why);
    text_clear(&wanted);
    ck_assert_int_eq(input_open(folder, &i, &why), TW_ERROR);
    text_format(&wanted, "%s cannot be opened: it is a folder", folder);
    ck_assert_str_eq(text_of(&why), text_of(&wanted));
    text_free(&why);
    text_free(&wanted);
}
END_TEST

START_TEST(windows_outlive_their_input)
{
    void *window[3];
    write_file(sample, SAMPLE);
    tw_input *i = opened(path);
    const uint8_t *whole = input_at(i, 0, SAMPLE, &window[0]);
    const uint8_t *part = input_at(i, 500, 1000, &window[1]); /* shares the bytes of the first */
    const uint8_t *other = input_at(i, SAMPLE - 10, 10, &window[2]);
    ck_assert_ptr_eq(part, whole + 500);
    input_unmap(window[0]);
    input_close(i);
    ck_assert_mem_eq(part, sample + 500, 1000);
    ck_assert_mem_eq(other, sample + SAMPLE - 10, 10);
    input_unmap(window[1]);
    input_unmap(window[2]);
    input_unmap(NULL);
}
END_TEST

enum { HANDED = 64, ROUNDS = 20000 };
static _Atomic(void *) handed[HANDED];
static atomic_int handing;

static void *unmap_what_is_handed(void *unused)
{
    while (handing) {
        for (int k = 0; k < HANDED; k++) input_unmap(atomic_exchange(&handed[k], NULL));
    }
    return unused;
}

/* Windows of many sizes are given back by two other threads, while more are taken. */
START_TEST(any_thread_gives_windows_back)
{
    pthread_t thread[2];
    uint32_t noise = 1;
    write_file(sample, SAMPLE);
    tw_input *i = opened(path);
    handing = 1;
    for (int k = 0; k < 2; k++) ck_assert_int_eq(pthread_create(&thread[k], NULL, unmap_what_is_handed, NULL), 0);
    for (int k = 0; k < ROUNDS; k++) {
        noise = noise * 1664525 + 1013904223;
        uint64_t offset = (noise >> 8) % (SAMPLE - 5000);
        size_t n = 1 + (noise >> 20) % 4999;
        void *window;
        const uint8_t *at = input_at(i, offset, n, &window);
        ck_assert_ptr_nonnull(at);
        ck_assert_mem_eq(at, sample + offset, n);
        input_unmap(atomic_exchange(&handed[k % HANDED], window));
    }
    input_close(i);
    handing = 0;
    for (int k = 0; k < 2; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < HANDED; k++) input_unmap(atomic_exchange(&handed[k], NULL));
}
END_TEST

START_TEST(a_file_may_grow)
{
    write_file(sample, 1000);
    tw_input *i = opened(path);
    check_at(i, 0, 1000);
    check_no_at(i, 1000, 1);
    write_file(sample, 5000);
    check_at(i, 1000, 4000);
    input_close(i);
}
END_TEST

START_TEST(a_file_that_shrinks_is_an_error)
{
    text wanted = { 0 };
    write_file(sample, 100000);
    tw_input *i = opened(path);
    check_at(i, 0, 1000);
    write_file(sample, 50000);
    check_no_at(i, 40000, 20000);
    text_format(&wanted, "%s shrank while it was read: it ends before offset 60000", path);
    ck_assert_str_eq(input_error(i), text_of(&wanted));
    check_at(i, 40000, 10000);
    input_close(i);
    text_free(&wanted);
}
END_TEST

static uint8_t packed[SAMPLE * 2];

/* The sample in three frames, a skippable one before and one between; the name tells nothing of it. */
static size_t pack_frames(void)
{
    static const uint8_t skippable[] = { 0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c' };
    size_t n = 0, cap = sizeof packed;
    memcpy(packed, skippable, sizeof skippable);
    n += sizeof skippable;
    n += pack(sample, 300000, packed + n, cap - n);
    memcpy(packed + n, skippable, sizeof skippable);
    n += sizeof skippable;
    n += pack(sample + 300000, 1, packed + n, cap - n);
    n += pack(sample + 300001, 0, packed + n, cap - n);
    n += pack(sample + 300001, SAMPLE - 300001, packed + n, cap - n);
    return n;
}

START_TEST(zstd_is_read_anywhere)
{
    uint64_t size = 7;
    write_file(packed, pack(sample, SAMPLE, packed, sizeof packed));
    tw_input *i = opened(path);
    input_name(i, &size);
    ck_assert_uint_eq(size, UINT64_MAX);
    check_places(i);
    check_stream(i);
    input_close(i);
}
END_TEST

START_TEST(zstd_is_read_in_order)
{
    uint64_t size = 7;
    write_file(packed, pack(sample, SAMPLE, packed, sizeof packed));
    tw_input *i = opened(path);
    check_stream(i);
    input_name(i, &size);
    ck_assert_uint_eq(size, SAMPLE);
    check_places(i); /* it can be read again from the start */
    input_close(i);
}
END_TEST

START_TEST(all_frames_are_read)
{
    write_file(packed, pack_frames());
    tw_input *i = opened(path);
    check_stream(i);
    input_close(i);
    i = opened(path);
    check_places(i);
    input_close(i);
}
END_TEST

/* The last byte that is asked for may be the last there is; without a checksum the frame then ends at once. */
START_TEST(a_stream_of_just_the_right_size)
{
    static uint8_t got[SAMPLE];
    for (int k = 0; k < 3; k++) {
        write_file(packed, k == 0   ? pack(sample, SAMPLE, packed, sizeof packed)
                           : k == 1 ? pack_frames()
                                    : ZSTD_compress(packed, sizeof packed, sample, SAMPLE, 3));
        tw_input *i = opened(path);
        size_t n = 0;
        while (n < SAMPLE) {
            ptrdiff_t part = input_receive(i, got + n, SAMPLE - n);
            ck_assert_int_gt(part, 0);
            n += (size_t)part;
        }
        ck_assert_mem_eq(got, sample, SAMPLE);
        ck_assert_int_eq(input_receive(i, got, 1), 0);
        ck_assert_str_eq(input_error(i), "");
        input_close(i);
    }
}
END_TEST

START_TEST(the_order_of_both_does_not_matter)
{
    uint8_t got[1000];
    write_file(packed, pack_frames());
    tw_input *i = opened(path);
    ck_assert_int_eq(input_receive(i, got, 500), 500);
    ck_assert_mem_eq(got, sample, 500);
    check_at(i, SAMPLE - 100, 100);
    ck_assert_int_eq(input_receive(i, got, 1000), 1000);
    ck_assert_mem_eq(got, sample + 500, 1000);
    input_close(i);
}
END_TEST

/* How many of the sample's bytes the decoder gives for the first n bytes of `packed`: the measure for what we keep. */
static size_t unpacked_of(size_t n, uint8_t *to, size_t cap)
{
    ZSTD_DCtx *d = ZSTD_createDCtx();
    ZSTD_outBuffer out = { to, cap, 0 };
    ZSTD_inBuffer in = { packed, n, 0 };
    while (in.pos < in.size) ck_assert(!ZSTD_isError(ZSTD_decompressStream(d, &out, &in)));
    ZSTD_freeDCtx(d);
    return out.pos;
}

static void check_cut_off(size_t n, int cut)
{
    static uint8_t got[SAMPLE + 10], wanted[SAMPLE + 10];
    size_t kept = unpacked_of(n, wanted, sizeof wanted);
    ptrdiff_t last;
    text sentence = { 0 };

    if (cut) text_format(&sentence, "%s is cut off: the zstd frame ends early, at offset %d", path, (int)n);
    write_file(packed, n);
    tw_input *i = opened(path);
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), kept);
    ck_assert_int_eq(last, cut ? -1 : 0);
    ck_assert_mem_eq(got, sample, kept);
    ck_assert_str_eq(input_error(i), text_of(&sentence));
    input_close(i);

    i = opened(path);
    check_no_at(i, kept, 1);
    ck_assert_str_eq(input_error(i), text_of(&sentence));
    check_at(i, 0, kept);
    uint64_t size;
    input_name(i, &size);
    ck_assert_uint_eq(size, kept ? kept : UINT64_MAX); /* what fails at once is not empty */
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), kept);
    ck_assert_int_eq(last, cut ? -1 : 0);
    input_close(i);
    text_free(&sentence);
}

START_TEST(what_is_cut_off_keeps_its_beginning)
{
    size_t n = pack(sample, SAMPLE, packed, sizeof packed);
    ck_assert_uint_gt(n, 150000);
    check_cut_off(n, 0);
    check_cut_off(n - 1, 1); /* all bytes are there, the checksum is not */
    check_cut_off(n - 4, 1);
    check_cut_off(n / 2, 1);
    check_cut_off(100000, 1);
    check_cut_off(2, 1); /* not even the magic number is whole */
    check_cut_off(3, 1);
    check_cut_off(4, 1);
    check_cut_off(5, 1);
    check_cut_off(20, 1);
}
END_TEST

START_TEST(a_cut_between_frames_is_none)
{
    size_t first = pack(sample, 300000, packed, sizeof packed);
    size_t second = pack(sample + 300000, 5000, packed + first, sizeof packed - first);
    check_cut_off(first, 0);
    check_cut_off(first + 1, 1);
    check_cut_off(first + second - 1, 1);
    check_cut_off(first + second, 0);
}
END_TEST

/* Behind a frame there are n bytes that are none. */
static void check_rest(const char *rest, size_t n, const char *number)
{
    static uint8_t got[SAMPLE + 10];
    ptrdiff_t last;
    text wanted = { 0 };
    size_t first = pack(sample, 300000, packed, sizeof packed);

    memcpy(packed + first, rest, n);
    write_file(packed, first + n);
    text_format(&wanted, "%s goes on behind its last zstd frame with what is none; ignored: %s from offset %d on",
                path, number, (int)first);
    tw_input *i = opened(path);
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), 300000);
    ck_assert_int_eq(last, -1);
    ck_assert_mem_eq(got, sample, 300000);
    ck_assert_str_eq(input_error(i), text_of(&wanted));
    input_close(i);
    i = opened(path);
    check_at(i, 299999, 1);
    check_no_at(i, 300000, 1);
    ck_assert_str_eq(input_error(i), text_of(&wanted));
    input_close(i);
    text_free(&wanted);
}

START_TEST(what_follows_the_frames_is_ignored_and_said)
{
    static char zeros[200000];
    check_rest("ruin, in place of a frame", 25, "25 bytes");
    check_rest("\n", 1, "1 byte");
    check_rest("\x28\xB5\x2F\xFE", 4, "4 bytes"); /* nearly a frame */
    check_rest(zeros, sizeof zeros, "200000 bytes");
}
END_TEST

START_TEST(a_damaged_frame_header_is_said)
{
    static uint8_t got[SAMPLE + 10];
    ptrdiff_t last;
    size_t first = pack(sample, 300000, packed, sizeof packed);
    size_t n = first + pack(sample + 300000, 300000, packed + first, sizeof packed - first);

    packed[first + 4] |= 8; /* a bit of the frame header descriptor that must be zero */
    write_file(packed, n);
    tw_input *i = opened(path);
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), 300000);
    ck_assert_int_eq(last, -1);
    text wanted = { 0 };
    text_format(&wanted, "%s is damaged: zstd finds at offset ", path);
    ck_assert_msg(strncmp(input_error(i), wanted.at, wanted.n) == 0, "%s", input_error(i));
    input_close(i);
    text_free(&wanted);
}
END_TEST

START_TEST(text_in_a_few_bytes_is_no_zstd)
{
    const char *const few[] = { "(", "X", "P*M" }; /* the last is how a skippable frame begins */
    for (int k = 0; k < 3; k++) {
        void *window;
        write_file(few[k], strlen(few[k]));
        tw_input *i = opened(path);
        const uint8_t *at = input_at(i, 0, strlen(few[k]), &window);
        ck_assert_ptr_nonnull(at);
        input_unmap(window);
        ck_assert_str_eq(input_error(i), "");
        input_close(i);
    }
}
END_TEST

/* Where the k-th block of the first frame begins: the frame's header has 5 bytes, then the window's size unless the
   frame is one segment, then the content's; a block has a header of 24 bits: last, type in two bits, size. */
static size_t block_at(int k)
{
    static const size_t content[] = { 0, 2, 4, 8 };
    int segment = packed[4] >> 5 & 1;
    size_t at = 5 + !segment + (packed[4] >> 6 ? content[packed[4] >> 6] : (size_t)segment);
    while (k--) {
        uint32_t header = packed[at] | (uint32_t)packed[at + 1] << 8 | (uint32_t)packed[at + 2] << 16;
        at += 3 + ((header >> 1 & 3) == 1 ? 1 : header >> 3);
    }
    return at;
}

START_TEST(a_damaged_block_costs_none_before_it)
{
    static uint8_t got[SAMPLE + 10], wanted[SAMPLE + 10];
    ptrdiff_t last;
    for (int k = 0; k < 5; k++) {
        size_t n = pack(sample, SAMPLE, packed, sizeof packed), at = block_at(k);
        packed[at] |= 6; /* a type that does not exist */
        size_t kept = unpacked_of(at, wanted, sizeof wanted);
        ck_assert(k ? kept > 0 : kept == 0);
        write_file(packed, n);
        tw_input *i = opened(path);
        ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), kept);
        ck_assert_int_eq(last, -1);
        ck_assert_mem_eq(got, sample, kept);
        ck_assert_ptr_nonnull(strstr(input_error(i), "is damaged"));
        check_no_at(i, kept, 1);
        check_at(i, 0, kept);
        input_close(i);
    }
}
END_TEST

START_TEST(a_wrong_checksum_is_told_after_the_bytes)
{
    static uint8_t got[SAMPLE + 10];
    ptrdiff_t last;
    size_t n = pack(sample, SAMPLE, packed, sizeof packed);
    packed[n - 1] ^= 1;
    write_file(packed, n);
    tw_input *i = opened(path);
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), SAMPLE);
    ck_assert_int_eq(last, -1);
    ck_assert_mem_eq(got, sample, SAMPLE);
    ck_assert_ptr_nonnull(strstr(input_error(i), "checksum"));
    input_close(i);
}
END_TEST

START_TEST(text_named_zst_is_no_zstd)
{
    char *named = strcpy(malloc(sizeof path + 4), path);
    strcat(named, ".zst");
    FILE *f = fopen(named, "wb");
    fputs("plain words", f);
    fclose(f);
    tw_input *i = opened(named);
    void *window;
    const uint8_t *at = input_at(i, 0, 11, &window);
    ck_assert_mem_eq(at, "plain words", 11);
    input_unmap(window);
    input_close(i);
    os_remove(named);
    free(named);
}
END_TEST

/* Standard input becomes a pipe with these bytes in it, few enough to need no second thread. */
static void pipe_in(const void *bytes, size_t n)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], bytes, n), (ssize_t)n);
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], 0), 0);
    close(ends[0]);
}

static void file_in(const void *bytes, size_t n, off_t place)
{
    write_file(bytes, n);
    int fd = open(path, O_RDONLY);
    ck_assert_int_eq(dup2(fd, 0), 0);
    close(fd);
    ck_assert_int_eq(lseek(0, place, SEEK_SET), place);
}

START_TEST(a_pipe_is_read_anywhere)
{
    uint64_t size = 0;
    pipe_in(sample, 50000);
    tw_input *i = opened("-");
    ck_assert_str_eq(input_name(i, &size), "standard input");
    ck_assert_uint_eq(size, UINT64_MAX);
    check_at(i, 49000, 1000);
    check_at(i, 0, 50000);
    check_no_at(i, 49000, 1001);
    input_name(i, &size);
    ck_assert_uint_eq(size, 50000);
    ck_assert_str_eq(input_error(i), "");
    input_close(i);
}
END_TEST

START_TEST(a_pipe_is_read_in_order)
{
    uint8_t got[60000];
    ptrdiff_t last;
    pipe_in(sample, 50000);
    tw_input *i = opened("-");
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), 50000);
    ck_assert_int_eq(last, 0);
    ck_assert_mem_eq(got, sample, 50000);
    check_no_at(i, 0, 1); /* its bytes are gone */
    ck_assert_str_eq(input_error(i),
                     "standard input was read as a stream already: it cannot be read again from the start");
    input_close(i);
}
END_TEST

START_TEST(a_pipe_shorter_than_a_magic_number)
{
    for (size_t n = 0; n < 6; n++) {
        uint8_t got[10];
        ptrdiff_t last;
        pipe_in(sample, n);
        tw_input *i = opened("-");
        ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), n);
        ck_assert_int_eq(last, 0);
        ck_assert_mem_eq(got, sample, n);
        input_close(i);
    }
}
END_TEST

START_TEST(zstd_in_a_pipe)
{
    uint8_t got[110000];
    ptrdiff_t last;
    size_t n = pack(sample, 100000, packed, sizeof packed);
    ck_assert_uint_lt(n, 65536);
    pipe_in(packed, n);
    tw_input *i = opened("-");
    check_at(i, 99999, 1);
    check_at(i, 0, 100000);
    input_close(i);
    pipe_in(packed, n - 1);
    i = opened("-");
    ck_assert_uint_eq(receive_all(i, got, sizeof got, &last), 100000);
    ck_assert_int_eq(last, -1);
    ck_assert_mem_eq(got, sample, 100000);
    ck_assert_ptr_nonnull(strstr(input_error(i), "standard input is cut off: the zstd frame ends early"));
    input_close(i);
}
END_TEST

START_TEST(a_file_at_standard_input)
{
    uint64_t size;
    file_in(sample, SAMPLE, 0);
    tw_input *i = opened("-");
    input_name(i, &size);
    ck_assert_uint_eq(size, SAMPLE);
    check_places(i);
    check_stream(i);
    input_close(i);
    file_in(sample, SAMPLE, 100000); /* someone has read the beginning */
    i = opened("-");
    void *window;
    const uint8_t *at = input_at(i, 0, 1000, &window);
    ck_assert_ptr_nonnull(at);
    ck_assert_mem_eq(at, sample + 100000, 1000);
    input_unmap(window);
    input_name(i, &size);
    ck_assert_uint_eq(size, SAMPLE - 100000);
    input_close(i);
}
END_TEST

START_TEST(no_room_for_scratch_is_said)
{
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    write_file(packed, pack(sample, SAMPLE, packed, sizeof packed));
    tw_input *i = opened(path);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    check_no_at(i, 0, 1);
    ck_assert_ptr_nonnull(
        strstr(input_error(i),
               "needs a scratch file, and none can be made in the folder /nowhere/at/all: no such file or folder; "
               "TMPDIR names the folder for it"));
    if (before) {
        setenv("TMPDIR", before, 1);
    } else {
        unsetenv("TMPDIR");
    }
    free(before);
    input_close(i);
}
END_TEST

/* The scratch file may not grow as far as wanted: what fits can be read. */
START_TEST(a_scratch_file_that_does_not_fit_is_said)
{
    struct rlimit before, limit;
    write_file(packed, pack(sample, SAMPLE, packed, sizeof packed));
    tw_input *i = opened(path);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 300000;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    check_no_at(i, 300000, 1);
    setrlimit(RLIMIT_FSIZE, &before);
    char *scratch = os_scratch_folder();
    text wanted = { 0 };
    text_format(&wanted,
                "%s is too large for a scratch file in the folder %s: after 0 MiB the file would become too large; "
                "TMPDIR may name "
                "a folder with more room",
                path, scratch);
    ck_assert_str_eq(input_error(i), text_of(&wanted));
    check_at(i, 0, 100000);
    input_close(i);
    text_free(&wanted);
    free(scratch);
}
END_TEST

START_TEST(a_disk_has_room)
{
    uint64_t left = 0, all = 0;
    ck_assert_int_eq(os_room(folder, &left, &all), 1);
    ck_assert_uint_gt(all, 1 << 20);
    ck_assert_uint_le(left, all);
    ck_assert_int_eq(os_room("/nowhere/at/all", &left, &all), 0);
}
END_TEST

START_TEST(standard_input_is_read_once)
{
    text why = { 0 };
    tw_input *other = NULL;
    file_in(sample, SAMPLE, 0);
    ck_assert_int_eq(input_is_taken("-"), 0);
    tw_input *i = opened("-");
    ck_assert_int_eq(input_is_taken("-"), 1);
    ck_assert_int_eq(input_is_taken(path), 0);
    ck_assert_int_eq(input_open("-", &other, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "standard input cannot be opened: it is named twice, and can be read once only");
    ck_assert_int_eq(input_is_taken("-"), 1); /* the one that failed gave nothing back */
    check_at(i, 0, 1000);
    input_close(i);
    ck_assert_int_eq(input_is_taken("-"), 0);
    text_free(&why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("input");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, a_file_is_read_anywhere_and_in_order);
    tcase_add_test(all, bytes_are_an_input);
    tcase_add_test(all, an_empty_file_has_no_bytes);
    tcase_add_test(all, what_cannot_be_opened_is_said);
    tcase_add_test(all, windows_outlive_their_input);
    tcase_add_test(all, any_thread_gives_windows_back);
    tcase_add_test(all, a_file_may_grow);
    tcase_add_test(all, a_file_that_shrinks_is_an_error);
    tcase_add_test(all, zstd_is_read_anywhere);
    tcase_add_test(all, zstd_is_read_in_order);
    tcase_add_test(all, all_frames_are_read);
    tcase_add_test(all, a_stream_of_just_the_right_size);
    tcase_add_test(all, the_order_of_both_does_not_matter);
    tcase_add_test(all, what_is_cut_off_keeps_its_beginning);
    tcase_add_test(all, a_cut_between_frames_is_none);
    tcase_add_test(all, what_follows_the_frames_is_ignored_and_said);
    tcase_add_test(all, a_damaged_frame_header_is_said);
    tcase_add_test(all, text_in_a_few_bytes_is_no_zstd);
    tcase_add_test(all, a_damaged_block_costs_none_before_it);
    tcase_add_test(all, a_wrong_checksum_is_told_after_the_bytes);
    tcase_add_test(all, text_named_zst_is_no_zstd);
    tcase_add_test(all, a_pipe_is_read_anywhere);
    tcase_add_test(all, a_pipe_is_read_in_order);
    tcase_add_test(all, a_pipe_shorter_than_a_magic_number);
    tcase_add_test(all, zstd_in_a_pipe);
    tcase_add_test(all, a_file_at_standard_input);
    tcase_add_test(all, no_room_for_scratch_is_said);
    tcase_add_test(all, a_scratch_file_that_does_not_fit_is_said);
    tcase_add_test(all, a_disk_has_room);
    tcase_add_test(all, standard_input_is_read_once);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
