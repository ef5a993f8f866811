/* test_etl_write_whole.c - traces made by hand, read and written: what comes back, and where it stands in the file.

   The source is made by etl_kit.h, what was written is judged by etl_checker.h; neither knows the project's code. */
#define KIT_OUTPUT "test_etl_write_whole.tmp"
#include "etl_write_kit.h"

#include "etl_checker.h"
#include "etl_kit.h"

#include <time.h>

enum { SIZE = 4096 };
static const char *source = "test_etl_write_whole.source.etl", *target = "test_etl_write_whole.target.etl";

// ---- A trace as it is read ----------------------------------------------------------------------------------------

typedef struct seen {
    int64_t time;
    uint32_t cpu, bytes, tag; /* tag: the payload's first byte */
    uint8_t record[2 * SIZE];
} seen;

typedef struct trace {
    seen event[64];
    uint32_t n;
} trace;

static trace *into;

typedef struct looker {
    tw_self tw;
} looker;

static int look(void *self, tw_batch *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const tw_type *t = ((looker *)self)->tw.type[e->type];
        seen *s = &into->event[into->n];

        if (t->number == 0 && t->key && !strcmp(t->key, "kernel:00")) continue;
        ck_assert_uint_lt(into->n, 64);
        *s = (seen){ .time = e->time, .cpu = e->cpu, .tag = e->bytes ? e->data[0] : 0 };
        s->bytes = (uint32_t)(e->data - e->record) + e->bytes;
        ck_assert_uint_le(s->bytes, sizeof s->record);
        memcpy(s->record, e->record, s->bytes);
        into->n++;
    }
    return TW_OK;
}

static const tw_stage look_stage = {
    .size = sizeof(tw_stage), .name = "look", .help = "Write down.", .state = sizeof(looker), .events = look
};

/* Which events the filter drops: by the first byte of their payload; and whether it drops headers. */
static const char *dropped;
static int drops_headers;

static int drop(void *self, tw_batch *b)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const tw_type *t = ((looker *)self)->tw.type[e->type];
        int header = t->number == 0 && t->key && !strcmp(t->key, "kernel:00");

        if (header ? drops_headers : e->bytes && e->data[0] && strchr(dropped, e->data[0])) continue;
        b->event[n++] = *e;
    }
    b->n = n;
    return TW_OK;
}

static const tw_stage drop_stage = {
    .size = sizeof(tw_stage), .name = "drop", .help = "Drop some.", .state = sizeof(looker), .events = drop
};

// ---- There and back -----------------------------------------------------------------------------------------------

static report last;
static const char *size_option; /* of etl.write; NULL: not set */

/* In the last run. */
static uint64_t counted(const char *name)
{
    for (uint32_t i = 0; i < last.ncounters; i++)
        if (!strcmp(last.counter[i].name, name)) return last.counter[i].count;
    ck_abort_msg("no counter %s", name);
    return 0;
}

static void chain(const char *file, const tw_stage *middle, const tw_stage *to, const char *out_file)
{
    const setting from = { .name = "file", .value = &file, .n = 1 };
    const setting set[] = { { .name = "to", .value = &out_file, .n = 1 },
                            { .name = "buffer_size", .value = &size_option, .n = 1 } };
    spec stages[3] = {
        { .stage = "first", .place = "", .set = &from, .n = 1, .builtin = &etl_read_stage },
        { .stage = "middle", .place = "", .builtin = middle },
        { .stage = "last", .place = "", .set = set, .n = out_file ? 1 + (size_option != NULL) : 0, .builtin = to }
    };
    plugins *none = plugins_new(NULL, 0);
    plan p = { .name = "test", .stage = stages, .n = 3 };
    bus_options o = { .plugins = none, .quiet = 1 };

    report_free(&last);
    memset(&last, 0, sizeof last);
    bus_run(&p, &o, &last);
    ck_assert_msg(last.status == 0 || last.status == 3, "%s", text_of(&last.error));
    plugins_free(none);
}

static const trace *read_again(const char *file)
{
    static trace traces[2];
    static int which;

    into = &traces[which ^= 1];
    into->n = 0;
    dropped = "";
    drops_headers = 0;
    chain(file, &drop_stage, &look_stage, NULL);
    return into;
}

/* The kit's file through the filter into `out`, which has to be well-formed. */
static void write_kit(kit *k, const char *drops)
{
    FILE *f = fopen(source, "wb");
    etl_check c;
    long n;

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(k->at, 1, k->n, f), k->n);
    ck_assert_int_eq(fclose(f), 0);
    kit_free(k);
    dropped = drops;
    chain(source, &drop_stage, &etl_write_stage, target);
    f = fopen(target, "rb");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    n = ftell(f);
    rewind(f);
    free(out.at);
    out.at = malloc((size_t)n);
    out.n = (size_t)n;
    ck_assert_uint_eq(fread(out.at, 1, out.n, f), out.n);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_msg(etl_check_file(&c, out.at, out.n), "%s", c.why);
}

static void compare(int exact)
{
    const trace *want = read_again(source), *got = read_again(target);

    ck_assert_uint_eq(want->n, got->n);
    for (uint32_t i = 0; i < want->n; i++) {
        ck_assert_int_eq(want->event[i].time, got->event[i].time);
        ck_assert_uint_eq(want->event[i].cpu, got->event[i].cpu);
        ck_assert_uint_eq(want->event[i].bytes, got->event[i].bytes);
        ck_assert_uint_eq(want->event[i].tag, got->event[i].tag);
        if (exact) ck_assert_mem_eq(want->event[i].record, got->event[i].record, want->event[i].bytes);
    }
}

static void done_with_files(void)
{
    remove(source);
    remove(target);
    report_free(&last);
    memset(&last, 0, sizeof last);
    drops_headers = 0;
}

static void tagged(kit *k, char tag, int64_t ticks)
{
    kit_perfinfo(k, 0x11, 2, 0x0F, 46, ticks);
    kit_number(k, (uint8_t)tag, 1);
    kit_end_at(k, 4);
}

// ---- Every kind of header -----------------------------------------------------------------------------------------

START_TEST(all_headers)
{
    kit k = { 0 };
    kit_log log = kit_usual(SIZE);

    kit_begin_file(&k, &log);
    kit_buffer(&k, 0, 0x20, 5);
    for (unsigned type = 1; type <= 4; type++) { /* SYSTEM, COMPACT */
        kit_system(&k, type, 3, 5, 1, 11, 22, 2000 + type);
        kit_number(&k, 'a' + type, 3);
        kit_end_at(&k, 4);
    }
    kit_perfinfo(&k, 0x10, 0x8203, 0x0F, 46, 2010); /* a PEBS index and two counters */
    kit_bytes(&k, NULL, 24);
    kit_number(&k, 0x1122, 2);
    kit_end_at(&k, 4);
    for (unsigned type = 0x0A; type <= 0x15; type += type == 0x0B ? 9 : 1) { /* FULL, INSTANCE */
        kit_full(&k, type, guid, 2, 33, 44, 2020 + type);
        kit_number(&k, 'f', 5);
        kit_end_at(&k, 0);
    }
    kit_event(&k, 0x12, 1, guid, 7, 1, 55, 66, 2050);
    kit_item(&k, 6, 1, "matchid.stack...", 16);
    kit_item(&k, 0x0E, 0, guid, 16);
    kit_number(&k, 'g', 2);
    kit_end_at(&k, 0);
    kit_event(&k, 0x13, 4, guid, 0, 0, 55, 66, 2060); /* STRING_ONLY */
    kit_text16(&k, "text");
    kit_end_at(&k, 0);
    kit_message(&k, 12, 0xAB, guid, 77, 88, 2070);
    kit_number(&k, 'm', 1);
    kit_end_at(&k, 0);
    kit_message(&k, 13, 0x80, guid, 0, 0, 0); /* without a time */
    kit_number(&k, 'n', 1);
    kit_end_at(&k, 0);
    kit_begin(&k); /* ERROR, of 50h bytes */
    kit_number(&k, 0xC00D0000u, 4);
    kit_bytes(&k, NULL, 0x4C);
    kit_number(&k, 'e', 1);
    kit_end_at(&k, 0);
    kit_begin(&k); /* a message with a 32-bit time, and a type that nobody knows */
    kit_number(&k, 0xB0000000u, 4);
    kit_bytes(&k, "0123456789", 10);
    kit_end_at(&k, 0);
    kit_begin(&k);
    kit_number(&k, 0xC07F0000u, 4);
    kit_bytes(&k, "0123456789", 10);
    kit_end_at(&k, 0);
    kit_begin(&k); /* WNODE */
    kit_number(&k, 0, 4);
    kit_bytes(&k, "abcdefgh", 8);
    kit_end_at(&k, 0);
    kit_buffer_end(&k, SIZE);

    write_kit(&k, "");
    ck_assert_uint_eq(out.n, 2 * SIZE);
    ck_assert_uint_eq(counted("untimed"), 0);
    compare(1);
    ck_assert_uint_eq(into->n, 17);
    done_with_files();
}
END_TEST

// ---- The header ----

/* Word by word the source's, of 4-byte pointers too; a session that was not closed stays one. */
START_TEST(header_as_it_was)
{
    for (uint32_t pointer = 4; pointer <= 8; pointer += 4) {
        kit k = { 0 };
        kit_log log = kit_usual(2 * SIZE);
        uint8_t *before;
        size_t n;

        log.pointer = pointer;
        log.end = 0;
        log.mode = 0x8000009;
        log.clock = 3; /* CPU cycles, at 3 GHz */
        log.events_lost = 41;
        kit_begin_file(&k, &log);
        kit_buffer(&k, 0, 0x20, 3);
        tagged(&k, 'a', 1000 + INT64_C(3000000000));
        kit_buffer_end(&k, 2 * SIZE);
        n = 2 * SIZE;
        before = malloc(n);
        memcpy(before, k.at, n);
        write_kit(&k, "");
        ck_assert_uint_eq(out.n, 2 * n);
        ck_assert_mem_eq(out.at + 0x48, before + 0x48, at(0x4C, 2)); /* behind it leftovers pad */
        free(before);
        compare(1);
        done_with_files();
    }
}
END_TEST

static uint64_t end_of_header(void)
{
    return (0x48 + at(0x4C, 2) + 7) / 8 * 8;
}

/* Events before the session's begin, packed with its processor's others: none is moved. */
START_TEST(before_the_header)
{
    kit k = { 0 };
    kit_log log = kit_usual(SIZE);

    kit_begin_file(&k, &log); /* tick 1000 */
    kit_buffer(&k, 0, 0x20, 0);
    tagged(&k, 'a', 100);
    tagged(&k, 'b', 200);
    tagged(&k, 'c', 2000);
    kit_buffer_end(&k, SIZE);
    drops_headers = 1;
    write_kit(&k, "a");
    ck_assert_uint_eq(counted("late"), 0);
    const trace *t = read_again(target);
    ck_assert_uint_eq(t->n, 2);
    ck_assert_int_eq(t->event[0].tag, 'b');
    ck_assert_int_eq(t->event[0].time, t->event[1].time - 180000);
    done_with_files();
}
END_TEST

// ---- Losses -------------------------------------------------------------------------------------------------------

static void lossy(kit *k)
{
    kit_log log = kit_usual(SIZE);

    memset(k, 0, sizeof *k);
    kit_begin_file(k, &log);
    kit_buffer(k, 0, 0x20, 0);
    tagged(k, 'a', 2000);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x20, 1);
    tagged(k, 'b', 2100);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x22, 1); /* events lost */
    tagged(k, 'c', 3000);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x24, 0); /* a buffer lost */
    tagged(k, 'd', 3100);
    tagged(k, 'd', 3200);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x20, 1);
    tagged(k, 'e', 4000);
    kit_buffer_end(k, SIZE);
}

static void expect_buffer(size_t i, unsigned cpu, unsigned flags, const char *tags)
{
    size_t b = i * SIZE;

    ck_assert_uint_lt(b, out.n);
    ck_assert_uint_eq(at(b + 0x28, 2), cpu);
    ck_assert_uint_eq(at(b + 0x34, 2), flags);
    ck_assert_uint_eq(at(b + 0x30, 4), 0x48 + 0x18 * strlen(tags));
    for (size_t n = 0; tags[n]; n++) ck_assert_uint_eq(at(b + 0x48 + 0x18 * n + 0x10, 1), (uint8_t)tags[n]);
}

START_TEST(losses_at_their_place)
{
    kit k;

    lossy(&k);
    write_kit(&k, "");
    ck_assert_uint_eq(out.n, 6 * SIZE);
    expect_buffer(1, 0, 0x20, "a");
    expect_buffer(2, 1, 0x20, "b");
    expect_buffer(3, 1, 0x22, "c");
    expect_buffer(4, 0, 0x24, "dd");
    expect_buffer(5, 1, 0x21, "e");
    compare(1);
    done_with_files();
}
END_TEST

/* The events behind a loss are dropped: the next buffer of the processor says it, be it empty. */
START_TEST(losses_survive_a_filter)
{
    kit k;

    drops_headers = 1;
    lossy(&k);
    write_kit(&k, "cd");
    ck_assert_uint_eq(out.n, 4 * SIZE);
    ck_assert_uint_eq(at(0x30, 4), end_of_header() + 0x18); /* of processor 0: behind the header */
    expect_buffer(1, 1, 0x20, "b");
    expect_buffer(2, 1, 0x22, "e");
    expect_buffer(3, 0, 0x25, "");
    done_with_files();
}
END_TEST

// ---- Order --------------------------------------------------------------------------------------------------------

/* A reader gives events of equal times in the order of their buffers. */
static void ties(kit *k)
{
    kit_log log = kit_usual(SIZE);

    memset(k, 0, sizeof *k);
    kit_begin_file(k, &log);
    kit_buffer(k, 0, 0x20, 1);
    tagged(k, 'a', 2000);
    tagged(k, 'b', 3000);
    tagged(k, 'c', 5000);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x20, 0);
    tagged(k, 'd', 2000);
    tagged(k, 'e', 3000);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x20, 1);
    tagged(k, 'f', 6000);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x20, 0);
    tagged(k, 'g', 6000);
    tagged(k, 'h', 7000);
    kit_buffer_end(k, SIZE);
    kit_buffer(k, 0, 0x20, 1);
    tagged(k, 'i', 7000);
    kit_buffer_end(k, SIZE);
}

static void expect_order(const char *tags)
{
    const trace *t = read_again(target);

    ck_assert_uint_eq(t->n, strlen(tags));
    for (uint32_t i = 0; i < t->n; i++) ck_assert_int_eq(t->event[i].tag, tags[i]);
}

START_TEST(equal_times)
{
    kit k;

    ties(&k);
    write_kit(&k, "");
    ck_assert_uint_eq(out.n, 6 * SIZE);
    expect_order("adbecfghi");
    compare(1);
    done_with_files();
}
END_TEST

/* Packed into as few buffers as order allows: i stands behind h of the same time, but its processor's buffer began earlier,
   so it begins another one. */
START_TEST(equal_times_packed)
{
    kit k;

    drops_headers = 1;
    ties(&k);
    write_kit(&k, "a");
    ck_assert_uint_eq(counted("disorder"), 0);
    expect_order("dbecfghi");
    done_with_files();
}
END_TEST

/* A clock that stands still: order is kept as long as it costs no more than 1 MB, then what is not kept is counted. */
START_TEST(order_has_a_price)
{
    rig *r = open_writer("buffer_size=64k");
    uint32_t type = publish(r, "kernel:0f", 46, 2, 8);
    etl_check c;

    for (int i = 0; i < 100; i++) {
        tw_event *e = rig_event(r, type, second, "abcd", 4);

        e->cpu = (uint16_t)(i % 2);
        e->pid = e->tid = 0xFFFFFFFF;
    }
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_msg(etl_check_file(&c, out.at, out.n), "%s", c.why);
    ck_assert_uint_eq(c.events, 101);
    /* 16 of nearly empty 64k are 1 MB: with the header's and the last two, 19. Of the 82 events behind those every other one
       comes to the buffer that a reader takes first. */
    ck_assert_uint_eq(c.buffers, 19);
    ck_assert_uint_eq(rig_count(r, "disorder"), 41);
    for (size_t b = 1; b < 17; b++) ck_assert_uint_eq(at(b * 0x10000 + 0x28, 2), (b - 1) % 2);
    done(r);
}
END_TEST

/* Buffers smaller than those of the source. */
START_TEST(smaller_buffers)
{
    kit k = { 0 };
    kit_log log = kit_usual(8 * SIZE);

    kit_begin_file(&k, &log);
    for (unsigned b = 0; b < 3; b++) {
        kit_buffer(&k, 0, 0x20, b % 2);
        for (int i = 0; i < 16; i++) {
            kit_perfinfo(&k, 0x11, 2, 0x0F, 46, 2000 + 100 * (int64_t)b + i);
            kit_number(&k, 'a' + b, 1);
            kit_bytes(&k, NULL, 200);
            kit_end_at(&k, 4);
        }
        kit_buffer_end(&k, 8 * SIZE);
    }
    size_option = "4k";
    write_kit(&k, "");
    size_option = NULL;
    ck_assert_uint_eq(at(0, 4), SIZE);
    compare(1);
    ck_assert_uint_eq(into->n, 48);
    done_with_files();
}
END_TEST

// ---- Several sessions ---------------------------------------------------------------------------------------------

/* Two files in one, as an appended or a concatenated one is. */
static void two_sessions(kit *k, int64_t second_ticks, int64_t second_hz, int64_t second_start)
{
    kit_log log = kit_usual(SIZE);

    memset(k, 0, sizeof *k);
    kit_begin_file(k, &log);
    kit_buffer(k, 0, 0x20, 2);
    for (int i = 1; i < 8; i++) tagged(k, (char)('a' + i), 1000 + 333 * i);
    kit_buffer_end(k, SIZE);
    log.buffer_size = 2 * SIZE; /* with an event that fits into this one only */
    log.ticks = second_ticks;
    log.hz = second_hz;
    log.start = second_start;
    log.events_lost = 3;
    kit_begin_file(k, &log);
    kit_buffer(k, 0, 0x20, 2);
    for (int i = 1; i < 8; i++) tagged(k, (char)('A' + i), second_ticks + 333 * i);
    kit_perfinfo(k, 0x11, 2, 0x0F, 46, second_ticks + 5000);
    kit_bytes(k, NULL, SIZE);
    kit_end_at(k, 4);
    kit_buffer_end(k, 2 * SIZE);
}

START_TEST(one_clock_for_two)
{
    static const struct {
        int64_t ticks, hz, start, written_hz;
    } second_one[] = {
        { 50, 10000000, KIT_START + 12345, 10000000 }, /* after a boot: the first clock tells all its times */
        { 1000 + 12345, 10000000, KIT_START + 12345, 10000000 }, /* the same clock */
        { 50, 2435000, KIT_START + 12345, 1000000000 },          /* times between the ticks of the first */
        { 50, 10000000, KIT_START - 7, 10000000 },               /* the second one is the older one */
    };

    for (size_t i = 0; i < sizeof second_one / sizeof *second_one; i++) {
        kit k;

        two_sessions(&k, second_one[i].ticks, second_one[i].hz, second_one[i].start);
        write_kit(&k, "");
        ck_assert_int_eq((int64_t)at(0x168, 8), second_one[i].written_hz);
        ck_assert_uint_eq(at(0x98, 4), 3); /* events lost, of both */
        ck_assert_uint_eq(counted("inexact"), 0);
        compare(i == 1);
        ck_assert_uint_eq(into->n, 15);
        done_with_files();
    }
}
END_TEST

// ---- What no source tells -----------------------------------------------------------------------------------------

/* A file without any event and without a source that says more is from now. */
START_TEST(from_now)
{
    const int64_t epoch = INT64_C(116444736000000000), before = epoch + (int64_t)time(NULL) * 10000000;
    rig *r = open_writer("buffer_size=4k");
    etl_check c;
    int64_t start, end;

    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert_msg(etl_check_file(&c, out.at, out.n), "%s", c.why);
    start = (int64_t)at(0x170, 8);
    end = (int64_t)at(0x78, 8);
    ck_assert_int_ge(start, before);
    ck_assert_int_le(start, before + 600000000);
    ck_assert_int_ge(end, start);
    done(r);
}
END_TEST

/* Filtered, with nothing left, but the header event, which tells of the whole trace. */
START_TEST(header_alone)
{
    kit k;

    lossy(&k);
    write_kit(&k, "abcde");
    ck_assert_uint_eq(at(0x170, 8), KIT_START);
    ck_assert_uint_eq(at(0x30, 4), end_of_header());
    done_with_files();
}
END_TEST

/* A class's event without its record. */
START_TEST(made_classic)
{
    rig *r = open_writer("buffer_size=4k");
    tw_type t = {
        .size = sizeof t, .provider = "P", .name = "E", .number = 9, .opcode = 9, .level = 3, .version = 2
    };
    tw_event *e;

    memcpy(t.guid, guid, 16);
    t.pointer = 4;
    t.flags = TW_CLASSIC;
    e = rig_event(r, rig_publish(r, &t), second, "xyz", 3);
    e->pid = 0x77;
    e->tid = 0x88;
    ck_assert_int_eq(rig_feed(r), TW_OK);
    ck_assert_int_eq(rig_end(r), TW_OK);
    ck_assert(bytes_are(4096 + 0x48, "3300 0AC0 09 03 0200 88000000 77000000 0000000000000000"
                                     "A0A1A2A3A4A5A6A7A8A9AAABACADAEAF 0000000000000000 78797A 0000000000"));
    done(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("etl_write_whole");
    TCase *c = tcase_create("stage");
    SRunner *r;
    int failed;

    tcase_set_timeout(c, 60);
    tcase_add_test(c, all_headers);
    tcase_add_test(c, header_as_it_was);
    tcase_add_test(c, before_the_header);
    tcase_add_test(c, losses_at_their_place);
    tcase_add_test(c, losses_survive_a_filter);
    tcase_add_test(c, equal_times);
    tcase_add_test(c, equal_times_packed);
    tcase_add_test(c, order_has_a_price);
    tcase_add_test(c, smaller_buffers);
    tcase_add_test(c, one_clock_for_two);
    tcase_add_test(c, from_now);
    tcase_add_test(c, header_alone);
    tcase_add_test(c, made_classic);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    free(out.at);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
