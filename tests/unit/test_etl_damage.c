/* test_etl_damage.c - etl.read on odd and damaged files made by hand: tails, gaps, cuts, compression, lost headers. */
#include "etl_read_kit.h"

#include "../../plugins/etl/block.h"

START_TEST(zero_tail)
{
    usual(SIZE);
    plain_buffer(1001, "ab", 0, SIZE);
    kit_bytes(&k, NULL, 5 * SIZE + 100);
    read_kit();
    expect_marks("ab");
    ck_assert_uint_eq(skipped(), 0);

    kit_set(&k, k.n - 1, 1, 1); /* something stands at the end: then what is between was lost */
    read_kit();
    expect_marks("ab");
    expect_skip(0, "implausible buffer header", "20580", "0", "0x2000");
}
END_TEST

START_TEST(gap)
{
    size_t gap;

    usual(SIZE);
    plain_buffer(1001, "ab", 0, SIZE);
    gap = k.n;
    plain_buffer(1101, "cd", 0, SIZE);
    plain_buffer(1201, "ef", 0, SIZE);
    plain_buffer(1301, "gh", 0, SIZE);
    memset(k.at + gap, 0, SIZE); /* zero, but not at the end */
    memset(k.at + gap + SIZE, 0x5A, 0x48);
    read_kit();
    expect_marks("abgh");
    ck_assert_uint_eq(count("implausible_buffers"), 1);
    ck_assert_uint_eq(skipped(), 1);
    expect_skip(0, "implausible buffer header", "8192", "0", "0x2000");

    /* A size that is not this file's, though it would lead to a buffer. */
    kit_set(&k, gap, 2 * SIZE, 4);
    kit_set(&k, gap + 0x30, 0x48, 4);
    read_kit();
    expect_marks("abgh");

    /* Up to the end of the file. */
    memset(k.at + gap, 0x5A, k.n - gap);
    read_kit();
    expect_marks("ab");
    expect_skip(0, "implausible buffer header", "12288", "0", "0x2000");
}
END_TEST

START_TEST(truncated)
{
    size_t last, two;

    usual(SIZE);
    plain_buffer(1001, "ab", 0, SIZE);
    last = k.n;
    kit_buffer(&k, 0, 0x20, 0);
    plain(1101, 'c');
    two = k.n;
    plain(1102, 'd');
    kit_buffer_end(&k, SIZE);
    for (size_t cut = last + 0x48; cut < two - 8; cut += 8) {
        k.n = cut;
        read_kit();
        expect_marks("ab");
        ck_assert_uint_eq(count("truncated_buffers"), 1);
        ck_assert_uint_eq(skipped(), 1);
    }
    k.n = two + 20;
    read_kit();
    expect_marks("abc");
    expect_skip(0, "truncated buffer", "68", "0", "0x2000"); /* to the end of the data, 58h bytes from `two` on */
    k.n = last + 10;                                         /* within the buffer's header */
    read_kit();
    expect_marks("ab");
    expect_skip(0, "truncated buffer", "10", "0", "0x2000");
    k.n = two + 0x58 + 3; /* only what was not used is missing */
    read_kit();
    expect_marks("abcd");
    ck_assert_uint_eq(skipped(), 0);
    kit_set(&k, two, 1, 2); /* and a fault in it is still one */
    read_kit();
    expect_marks("abc");
    ck_assert_uint_eq(count("corrupt_events"), 1);
}
END_TEST

START_TEST(corrupt_events)
{
    size_t first;

    usual(SIZE);
    first = k.n + 0x48;
    plain_buffer(1001, "abc", 0, SIZE);
    plain_buffer(1101, "de", 0, SIZE);
    kit_set(&k, first + 0x58, 0x4F, 2); /* below its header */
    read_kit();
    expect_marks("ade");
    expect_skip(0, "corrupt event", "176", "1", "0x10a0");
    kit_set(&k, first + 0x58, 0xFFFF, 2); /* beyond the buffer */
    read_kit();
    expect_marks("ade");
    kit_set(&k, first + 0x58 + 2, 0x77, 1); /* of no known type, and too long for a guess */
    read_kit();
    expect_marks("ade");
    expect_skip(0, "unknown event header", "176", "1", "0x10a0");
    kit_set(&k, first, 0x51, 2); /* the first event, though its size is fine for one of no type */
    kit_set(&k, first + 2, 0x77, 1);
    kit_set(&k, first + 0x58, 0x51, 2);
    kit_set(&k, first + 0x58 + 2, 0x13, 1);
    read_kit();
    expect_marks("bcde");
    ck_assert_uint_eq(skipped(), 0);

    /* What looks like padding is none where events follow: the buffer's data end with its last event. */
    kit_set(&k, first + 0x58, 0, 4);
    read_kit();
    expect_marks("de");
    expect_skip(0, "corrupt event", "176", "1", "0x10a0");
    kit_set(&k, first + 0x58, 0xFFFFFFFF, 4);
    read_kit();
    expect_marks("de");
    expect_skip(0, "corrupt event", "176", "1", "0x10a0");
    memset(k.at + first + 0x58, 0, 0x58);
    memset(k.at + first + 0xB0, 0xFF, 0x58); /* nothing but padding: the end */
    read_kit();
    expect_marks("de");
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

START_TEST(fill_levels)
{
    size_t at;

    usual(SIZE);
    at = k.n;
    plain_buffer(1001, "ab", 0, SIZE);
    kit_set(&k, at + 0x30, 100 * SIZE, 4); /* beyond the buffer: what is in it counts */
    read_kit();
    expect_marks("ab");
    kit_set(&k, at + 0x30, 0x48 + 0x58 + 0x51, 4); /* the last event without its padding */
    read_kit();
    expect_marks("ab");
    ck_assert_uint_eq(skipped(), 0);
    kit_set(&k, at + 0x30, 0x48 + 0x58 + 0x50, 4); /* one byte less than the event */
    read_kit();
    expect_marks("a");
    ck_assert_uint_eq(count("corrupt_events"), 1);
    kit_set(&k, at + 0x48 + 2 * 0x58, 0x11223344, 4);
    kit_set(&k, at + 0x30, 0x48 + 2 * 0x58 + 4, 4); /* four bytes more, which are no event */
    read_kit();
    expect_marks("ab");
    ck_assert_uint_eq(count("corrupt_events"), 1);
    kit_set(&k, at + 0x30, 0x47, 4); /* less than the header */
    read_kit();
    expect_marks("");
    expect_skip(0, "implausible buffer header", "4096", "0", "0x1000");
    kit_set(&k, at + 0x30, 0x48, 4); /* none, it says, but there are */
    read_kit();
    expect_marks("");
    expect_skip(0, "implausible buffer header", "4096", "0", "0x1000");
    memset(k.at + at + 0x48, 0, SIZE - 0x48); /* and here there are none */
    read_kit();
    ck_assert_uint_eq(skipped(), 0);
    kit_set(&k, at + 0x36, 6, 2); /* a marker buffer's level says nothing */
    kit_set(&k, at + 0x30, 0, 4);
    read_kit();
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

/* ---- Buffers that are not there ---- */

static void five_buffers(const kit_log *l)
{
    k.n = 0;
    kit_begin_file(&k, l);
    plain_buffer(1001, "a", 0, SIZE);
    plain_buffer(1101, "b", 0, SIZE);
    plain_buffer(1201, "c", 0, SIZE);
    plain_buffer(1301, "d", 0, SIZE);
}

START_TEST(missing_buffers)
{
    const char *cause = "buffers that were written, but are not in the file: it was cut off";
    kit_log l = kit_usual(SIZE);
    static const uint32_t unsure[] = { 2, 4, 0x400 }; /* circular; appended to; kept in memory */

    five_buffers(&l);
    read_kit();
    ck_assert_uint_eq(skipped(), 0);
    k.n = 3 * SIZE; /* cut where a buffer ends */
    read_kit();
    expect_marks("ab");
    ck_assert_uint_eq(count("missing_buffers"), 2);
    ck_assert_uint_eq(skipped(), 2);
    expect_skip(0, cause, "8192", "0", "0x3000");
    ck_assert_pstr_eq(cell("trace_skipped", 0, "count"), "2");
    kit_bytes(&k, NULL, 2 * SIZE); /* or zeroed from there on */
    read_kit();
    expect_skip(0, cause, "8192", "0", "0x3000");
    five_buffers(&l);
    k.n = 3 * SIZE + 0x50; /* cut inside a buffer: that one is truncated, not missing */
    read_kit();
    ck_assert_uint_eq(count("truncated_buffers"), 1);
    ck_assert_uint_eq(count("missing_buffers"), 1);
    k.n = 3 * SIZE + 0x20;
    read_kit();
    ck_assert_uint_eq(count("truncated_buffers"), 1);
    ck_assert_uint_eq(count("missing_buffers"), 1);

    for (size_t i = 0; i < sizeof unsure / sizeof *unsure; i++) {
        l.mode = unsure[i];
        five_buffers(&l);
        k.n = 3 * SIZE;
        read_kit();
        ck_assert_uint_eq(skipped(), 0);
    }
    l.mode = 1;
    l.end = 0; /* not closed: the count is an old one */
    five_buffers(&l);
    k.n = 3 * SIZE;
    read_kit();
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

/* A buffer that cannot be read was counted as such. */
START_TEST(destroyed_is_not_missing)
{
    kit_log l = kit_usual(SIZE);

    five_buffers(&l);
    memset(k.at + 2 * SIZE, 0x5A, SIZE + 0x48);
    read_kit();
    expect_marks("ad");
    ck_assert_uint_eq(count("implausible_buffers"), 1);
    ck_assert_uint_eq(skipped(), 1);
    memset(k.at + 3 * SIZE, 0x5A, 2 * SIZE); /* up to the end */
    read_kit();
    expect_marks("a");
    ck_assert_uint_eq(skipped(), 1);
    k.n -= SIZE / 2; /* of which half a buffer is left */
    read_kit();
    ck_assert_uint_eq(skipped(), 1);
    k.n -= SIZE / 2;
    read_kit();
    ck_assert_uint_eq(count("implausible_buffers"), 1);
    ck_assert_uint_eq(count("missing_buffers"), 1);
    ck_assert_uint_eq(skipped(), 2);
}
END_TEST

START_TEST(missing_in_one_of_two)
{
    kit_log l = kit_usual(SIZE);

    five_buffers(&l);
    k.n = 2 * SIZE;
    usual(2 * SIZE);
    plain_buffer(1401, "e", 0, 2 * SIZE);
    read_kit();
    expect_marks("ae");
    ck_assert_uint_eq(count("missing_buffers"), 3);
    expect_skip(0, "buffers that were written, but are not in the file: it was cut off", "12288", "0", "0x2000");
    ck_assert_ptr_null(cell("trace_skipped", 1, "cause"));
    plain_buffer(1402, "f", 0, 2 * SIZE);
    k.n -= 2 * SIZE; /* and in the other one */
    read_kit();
    ck_assert_uint_eq(count("missing_buffers"), 4);
    ck_assert_pstr_eq(cell("trace_skipped", 0, "first_offset"), "0x2000");
}
END_TEST

START_TEST(broken_items)
{
    usual(SIZE);
    kit_buffer(&k, 0, 0x20, 0);
    kit_event(&k, 0x13, 1, guid, 5, 1, 8, 9, 1001);
    kit_number(&k, 'a', 1);
    kit_end_at(&k, 0);
    plain(1002, 'b');
    kit_buffer_end(&k, SIZE);
    read_kit();
    expect_marks("ab");
    ck_assert_uint_eq(count("broken_items"), 1);
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

/* A second header starts the clock anew for what follows it in the file. */
/* ---- Compression ---- */

/* Compresses the events of the open buffer, by literals alone, and closes it. */
static void pack_buffer(void)
{
    size_t bytes = k.n - k.buffer - 0x48;
    uint8_t *plain_bytes = mem_new(bytes);

    memcpy(plain_bytes, k.at + k.buffer + 0x48, bytes);
    k.n = k.buffer + 0x48;
    for (size_t i = 0; i < bytes; i++) {
        if (i % 32 == 0) kit_number(&k, 0, 4);
        kit_number(&k, plain_bytes[i], 1);
    }
    free(plain_bytes);
    kit_set(&k, k.buffer, k.n - k.buffer, 4);
    kit_set(&k, k.buffer + 0x30, 0x48 + bytes, 4);
}

static void packed_buffer(int64_t ticks, const char *marks)
{
    kit_buffer(&k, 0, 0x60, 1);
    for (; *marks; marks++) plain(ticks++, (uint8_t)*marks);
    pack_buffer();
}

static void packed_file(void)
{
    kit_log l = kit_usual(65536);

    l.mode = 0x04010001;
    kit_buffer(&k, 4, 0x01, 0);
    kit_log_header(&k, &l);
    kit_buffer_end(&k, 0x400);
    packed_buffer(2000, "efg");
    packed_buffer(1500, "abcd");
}

START_TEST(compressed)
{
    packed_file();
    read_kit();
    expect_marks("abcdefg");
    ck_assert_pstr_eq(cell("trace_total", 0, "compressed_buffers"), "2");
    ck_assert_uint_eq(skipped(), 0);
    kit_bytes(&k, NULL, 20000); /* never written */
    read_kit();
    expect_marks("abcdefg");
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

START_TEST(compressed_and_missing)
{
    size_t second;

    packed_file();
    second = k.buffer;
    k.n = second;
    read_kit();
    expect_marks("efg");
    ck_assert_uint_eq(count("missing_buffers"), 1);
    ck_assert_uint_eq(skipped(), 1);
    kit_bytes(&k, NULL, 5000); /* the space it had, never written */
    read_kit();
    ck_assert_uint_eq(count("missing_buffers"), 1);
    ck_assert_uint_eq(skipped(), 1);
    kit_set(&k, second, 0x5A5A5A5A, 4); /* something was: how many buffers it was is not known */
    read_kit();
    ck_assert_uint_eq(count("implausible_buffers"), 1);
    ck_assert_uint_eq(skipped(), 1);
}
END_TEST

/* The stream is gone, though the header tells of events. */
START_TEST(compressed_to_nothing)
{
    packed_file();
    k.n = k.buffer + 0x48;
    kit_set(&k, k.buffer, 0x48, 4);
    read_kit();
    expect_marks("efg");
    expect_skip(0, "bad compression", "352", "0", "0x574");
    ck_assert_uint_eq(skipped(), 1);
}
END_TEST

/* Small buffers that unpack to 16 MiB each and all reach over the same time: a batch that is not let go keeps its events,
   but not all of the buffers. */
START_TEST(bounded_memory)
{
    enum { BUFFERS = 40, LARGE = 16 << 20 };
    static const uint8_t endless[] = { 7, 0, 0x0F, 0xFF, 0, 0 }; /* from the byte before: u32 bytes, less 3 */
    tw_batch *held[BUFFERS];
    kit_log l = kit_usual(LARGE);
    uint32_t batches = 0, marks = 0;
    int status = TW_OK;

    l.mode = 0x04000001;
    kit_buffer(&k, 4, 0x01, 0);
    kit_log_header(&k, &l);
    kit_buffer_end(&k, 0x400);
    for (int i = 0; i < BUFFERS; i++) {
        kit_buffer(&k, 0, 0x60, 0);
        plain(2000 + i, 'a');
        plain(9000 + i, 'b');
        k.at[k.n - 1] = 0;
        pack_buffer(); /* 176 literals, so 16 bits of the last flag word are left */
        kit_set(&k, k.n - 16 - 4, 0x8000, 4);
        kit_bytes(&k, endless, sizeof endless);
        kit_number(&k, LARGE - 0x48 - 176 - 3, 4);
        kit_set(&k, k.buffer, k.n - k.buffer, 4);
        kit_set(&k, k.buffer + 0x30, LARGE, 4);
    }
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 4);
    ck_assert_msg(source_open(s) == TW_OK, "%s", s->said);
    ck_assert_uint_eq(block_memory(), 0);
    while (status == TW_OK) {
        ck_assert_uint_lt(batches, BUFFERS);
        held[batches++] = source_read(s, &status);
        ck_assert_uint_le(block_memory(), BLOCK_PLENTY + LARGE);
    }
    ck_assert_uint_gt(block_memory(), BLOCK_PLENTY - LARGE);
    ck_assert_uint_eq(skipped(), 0);
    for (uint32_t i = 0; i < batches; i++) {
        for (uint32_t e = 0; e < held[i]->n; e++) {
            const tw_event *at = &held[i]->event[e];
            if (at->bytes != 1) continue; /* the header */
            ck_assert_uint_eq(at->data[0], marks % 2 ? 'b' : 'a');
            ck_assert_mem_eq(at->record + 0x18, guid, 16);
            ck_assert_ptr_eq(at->record + 0x50, at->data);
            marks++;
        }
        batch_let_go(held[i]);
    }
    ck_assert_uint_eq(marks, 2 * BUFFERS);
    ck_assert_uint_eq(block_memory(), 0);
}
END_TEST

START_TEST(compressed_and_broken)
{
    size_t at;

    packed_file();
    at = 0x400;
    kit_set(&k, at + 0x48 + 4 + 0x58, 0xFFFFFFFF, 1); /* inside: other bytes, no fault */
    kit_set(&k, at + 0x48 + 2 * 36, 0xFFFFFFFF, 4);   /* matches where literals are, beyond what is there */
    read_kit();
    ck_assert_uint_eq(count("bad_compression"), 1);
    ck_assert_uint_eq(skipped(), 1);
    ck_assert_pstr_eq(cell("trace_skipped", 0, "first_offset"), "0x400");
    expect_marks("abcd");

    k.n = 0;
    packed_file();
    kit_set(&k, at + 0x30, 70000, 4); /* more than a buffer of this session may have */
    read_kit();
    expect_marks("abcd");
    expect_skip(0, "bad compression", "69928", "0", "0x400");

    k.n = 0;
    packed_file();
    kit_set(&k, at, 0, 4); /* no way on: the rest is lost, and said so */
    read_kit();
    expect_marks("");
    ck_assert_uint_eq(count("implausible_buffers"), 1);

    k.n = 0;
    packed_file();
    k.n -= 40; /* cut inside the last one: what is there is given */
    read_kit();
    expect_marks("abcefg");
    expect_skip(0, "truncated buffer", "40", "0", "0x574");
}
END_TEST

START_TEST(compressed_otherwise)
{
    packed_file();
    kit_set(&k, 0x2C, 2, 4);
    read_kit();
    expect_marks("");
    ck_assert_uint_eq(count("other_compression"), 2);
    expect_skip(0, "compression other than XPRESS", "616", "0", "0x400");
    kit_set(&k, 0x2C, 4, 4);
    read_kit();
    ck_assert_uint_eq(count("other_compression"), 2);
}
END_TEST

/* ---- Damaged beginnings, and what is no trace ---- */

START_TEST(header_lost)
{
    usual(SIZE);
    plain_buffer(70000, "b", 0, SIZE);
    plain_buffer(60000, "a", 1, SIZE);
    plain_buffer(80000, "c", 0, SIZE);
    memset(k.at, 0x5A, 0x300);
    read_kit();
    expect_marks("abc");
    ck_assert_int_eq(event[0].time, 0); /* counts from the first event */
    ck_assert_int_eq(event[1].time, 1000000);
    ck_assert_int_eq(event[2].time, 2000000);
    ck_assert_uint_eq(count("lost_headers"), 1);
    expect_skip(0, "implausible buffer header", "4096", "0", "0x0");
    ck_assert_pstr_eq(cell("trace_skipped", 1, "cause"), "log-file header lost: times count from the first event");
    ck_assert_ptr_null(cell("trace_header", 0, "file"));

    /* One sound buffer is no proof. */
    memset(k.at + 2 * SIZE, 0x5A, 2 * SIZE);
    close_source();
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    ck_assert_int_eq(source_open(s), TW_ERROR);
}
END_TEST

/* Only the size in the first buffer's header is wrong: the header event knows it. */
START_TEST(first_size_wrong)
{
    usual(SIZE);
    plain_buffer(1001, "a", 0, SIZE);
    kit_set(&k, 0, 0, 4);
    read_kit();
    expect_marks("a");
    kit_set(&k, 0, 2 * SIZE, 4);
    read_kit();
    expect_marks("a");
    kit_set(&k, 0, SIZE, 4); /* and the other way round */
    kit_set(&k, 0x68, 2 * SIZE, 4);
    read_kit();
    expect_marks("a");
    kit_set(&k, 0x68, SIZE, 4);
    kit_set(&k, 0x34, 0x61, 2); /* compressed, it says, but it is not */
    read_kit();
    expect_marks("a");
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(skipped(), 0);
}
END_TEST

/* Buffers are never smaller than the header event that the first of them holds. */
START_TEST(sizes_too_small)
{
    size_t least = 0x48 + 0x158;

    usual(SIZE);
    kit_set(&k, 0, 0x48, 4);
    kit_set(&k, 0x68, 0x48, 4);
    kit_bytes(&k, NULL, 1 << 20);
    memset(k.at + least, 0x5A, k.n - least);
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    ck_assert_int_eq(source_open(s), TW_OK);
    ck_assert_uint_eq(s->asked, (1 << 20) / least / 1024); /* the steps, by 1024 */
    read_all(0);
    expect_marks("");
    ck_assert_uint_eq(count("implausible_buffers"), 1);
}
END_TEST

/* Who waits for the end of a gap can leave. */
START_TEST(stopped_in_a_gap)
{
    usual(SIZE);
    plain_buffer(1001, "a", 0, SIZE);
    for (int i = 0; i < 3000; i++) kit_bytes(&k, guid, 16), kit_bytes(&k, NULL, SIZE - 16);
    plain_buffer(1101, "b", 0, SIZE);
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    s->stop = 1;
    ck_assert_int_eq(source_open(s), TW_OK);
    ck_assert_uint_eq(s->asked, 1);
    read_all(0);
    expect_marks("a"); /* what the index knows by then */
    ck_assert_uint_eq(skipped(), 0);
    close_source();
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3);
    ck_assert_int_eq(source_open(s), TW_OK);
    ck_assert_uint_eq(s->asked, 2);
    read_all(0);
    expect_marks("ab");
}
END_TEST

static const char *refusal(const void *bytes, size_t size)
{
    close_source();
    s = source_of_bytes(&etl_read_stage, bytes, size, 3);
    ck_assert_int_eq(source_open(s), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(s->said, "test.etl"));
    return s->said;
}

START_TEST(refused)
{
    const uint8_t zero[300] = { 0 };
    uint8_t noise[5000];

    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)(i * i * 7 + 130);
    ck_assert_ptr_nonnull(strstr(refusal("", 0), "empty"));
    ck_assert_ptr_nonnull(strstr(refusal("RlFs\0\0\0\0abcdefgh", 16), "real-time backup"));
    ck_assert_ptr_nonnull(strstr(refusal("PK\3\4abcdefgh", 12), "zip"));
    ck_assert_ptr_nonnull(strstr(refusal("Hello,\nworld", 12), "text: it begins with \"Hello,\""));
    ck_assert_ptr_nonnull(strstr(refusal(zero, sizeof zero), "zero"));
    ck_assert_ptr_nonnull(strstr(refusal(noise, sizeof noise), "82 89 9e"));
    ck_assert_ptr_nonnull(strstr(refusal(noise, 3), "82 89 9e"));
    usual(SIZE);
    ck_assert_ptr_nonnull(strstr(refusal(k.at, 300), "ends inside its first event"));
    for (size_t i = 0; i < 0x1A0; i++) refusal(k.at, i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("etl_damage");
    TCase *c = tcase_create("etl_damage");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, zero_tail);
    tcase_add_test(c, gap);
    tcase_add_test(c, truncated);
    tcase_add_test(c, corrupt_events);
    tcase_add_test(c, fill_levels);
    tcase_add_test(c, missing_buffers);
    tcase_add_test(c, destroyed_is_not_missing);
    tcase_add_test(c, missing_in_one_of_two);
    tcase_add_test(c, broken_items);
    tcase_add_test(c, compressed);
    tcase_add_test(c, compressed_and_missing);
    tcase_add_test(c, compressed_to_nothing);
    tcase_add_test(c, bounded_memory);
    tcase_add_test(c, compressed_and_broken);
    tcase_add_test(c, compressed_otherwise);
    tcase_add_test(c, header_lost);
    tcase_add_test(c, first_size_wrong);
    tcase_add_test(c, sizes_too_small);
    tcase_add_test(c, stopped_in_a_gap);
    tcase_add_test(c, refused);
    suite_add_tcase(suite, c);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
