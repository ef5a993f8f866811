/* test_output.c - outputs are whole or marked; the target is not touched before. */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "os.h"
#include "output.h"

enum { SAMPLE = 1000003, READ_CAP = SAMPLE + 100 };

static uint8_t sample[SAMPLE], seen[READ_CAP];
static char folder[256], path[300], partial[320];

static void set_up(void)
{
    text why = { 0 };
    uint32_t noise = 99;
    for (size_t i = 0; i < SAMPLE; i++) {
        noise = noise * 1664525 + 1013904223;
        sample[i] = (uint8_t)(i % 3 ? i / 777 : noise >> 24);
    }
    snprintf(folder, sizeof folder, "%s/traceweir-test-output-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             os_process_id());
    snprintf(path, sizeof path, "%s/table.csv", folder);
    snprintf(partial, sizeof partial, "%s/table.csv.partial", folder);
    ck_assert_int_eq(os_make_folder(folder, &why), TW_OK);
}

static int entries;

static void remove_entry(void *context, const char *name)
{
    text full = { 0 };
    (void)context;
    text_format(&full, "%s/%s", folder, name);
    if (os_is_folder(full.at)) {
        rmdir(full.at);
    } else {
        os_remove(full.at);
    }
    text_free(&full);
}

static void count_entry(void *context, const char *name)
{
    (void)context;
    (void)name;
    entries++;
}

static int entries_in_folder(void)
{
    text why = { 0 };
    entries = 0;
    ck_assert_int_eq(os_list(folder, count_entry, NULL, &why), TW_OK);
    return entries;
}

static char temporary[400];

static void take_temporary(void *context, const char *name)
{
    size_t n = strlen(name);
    (void)context;
    if (name[0] == '.' && n > 4 && strcmp(name + n - 4, ".tmp") == 0)
        snprintf(temporary, sizeof temporary, "%s/%s", folder, name);
}

/* Path of the temporary file in the folder, "" where there is none. */
static const char *temporary_there(void)
{
    text why = { 0 };
    temporary[0] = 0;
    ck_assert_int_eq(os_list(folder, take_temporary, NULL, &why), TW_OK);
    return temporary;
}

static void tear_down(void)
{
    text why = { 0 };
    os_list(folder, remove_entry, NULL, &why);
    rmdir(folder);
}

static tw_output *opened(const char *name)
{
    tw_output *o = NULL;
    text why = { 0 };
    ck_assert_msg(output_open(name, &o, &why) == TW_OK, "%s", text_of(&why));
    return o;
}

static void finish(tw_output *o, int keep)
{
    text why = { 0 };
    ck_assert_msg(output_finish(o, keep, &why) == TW_OK, "%s", text_of(&why));
    ck_assert_str_eq(text_of(&why), "");
}

static size_t read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    ck_assert_msg(f != NULL, "no file %s", name);
    size_t n = fread(seen, 1, sizeof seen, f);
    fclose(f);
    return n;
}

static void write_text(const char *name, const char *words)
{
    FILE *f = fopen(name, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(words, f);
    fclose(f);
}

static void check_file(const char *name, const void *bytes, size_t n)
{
    ck_assert_uint_eq(read_file(name), n);
    ck_assert_mem_eq(seen, bytes, n);
}

/* Writes the sample in parts of ever other sizes, from none to some that are larger than any buffer. */
static void write_sample(tw_output *o)
{
    size_t n = 0, part = 0;
    while (n < SAMPLE) {
        if (part > SAMPLE - n) part = SAMPLE - n;
        ck_assert_int_eq(output_write(o, sample + n, part), TW_OK);
        n += part;
        ck_assert_uint_eq(output_bytes(o), n);
        part = part * 7 % 400009 + 1;
    }
}

START_TEST(the_target_changes_at_the_finish_only)
{
    write_text(path, "what was there");
    tw_output *o = opened(path);
    write_sample(o);
    check_file(path, "what was there", 14);
    ck_assert_str_ne(temporary_there(), "");
    ck_assert_int_eq(entries_in_folder(), 2);
    finish(o, 1);
    check_file(path, sample, SAMPLE);
    ck_assert_int_eq(entries_in_folder(), 1);
}
END_TEST

START_TEST(nothing_written_is_an_empty_file)
{
    finish(opened(path), 1);
    check_file(path, "", 0);
    ck_assert_int_eq(entries_in_folder(), 1);
}
END_TEST

START_TEST(what_is_given_up_is_marked)
{
    write_text(path, "what was there");
    write_text(partial, "an older part");
    tw_output *o = opened(path);
    write_sample(o);
    finish(o, 0);
    check_file(path, "what was there", 14);
    check_file(partial, sample, SAMPLE);
    ck_assert_int_eq(entries_in_folder(), 2);
}
END_TEST

START_TEST(what_is_given_up_empty_leaves_nothing)
{
    finish(opened(path), 0);
    ck_assert_int_eq(entries_in_folder(), 0);
}
END_TEST

START_TEST(a_name_without_folder_works)
{
    char before[4096];
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(folder), 0);
    tw_output *o = opened("table.csv");
    ck_assert_int_eq(output_write(o, "x", 1), TW_OK);
    ck_assert_str_ne(temporary_there(), "");
    finish(o, 1);
    ck_assert_int_eq(chdir(before), 0);
    check_file(path, "x", 1);
}
END_TEST

START_TEST(earlier_bytes_are_rewritten)
{
    static const size_t buffer = 128 << 10;
    const struct {
        size_t offset, n;
    } places[] = { { 0, 4 },        { 1000, 70000 },   { buffer - 2, 4 }, { buffer * 2 - 1, 1 }, { buffer * 2, 1 },
                   { 299000, 900 }, { 262143, 30000 }, { 299996, 4 },     { 299999, 1 },         { 5, 0 } };
    static uint8_t wanted[300000];
    memcpy(wanted, sample, sizeof wanted);
    tw_output *o = opened(path);
    for (size_t n = 0; n < sizeof wanted; n += 1000) ck_assert_int_eq(output_write(o, sample + n, 1000), TW_OK);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const uint8_t *bytes = sample + 500000 + k * 1111;
        ck_assert_int_eq(output_rewrite(o, places[k].offset, bytes, places[k].n), TW_OK);
        memcpy(wanted + places[k].offset, bytes, places[k].n);
    }
    ck_assert_uint_eq(output_bytes(o), sizeof wanted);
    ck_assert_int_eq(output_write(o, "end", 3), TW_OK); /* goes behind the rest, not behind what was rewritten */
    finish(o, 1);
    ck_assert_uint_eq(read_file(path), sizeof wanted + 3);
    ck_assert_mem_eq(seen, wanted, sizeof wanted);
    ck_assert_mem_eq(seen + sizeof wanted, "end", 3);
}
END_TEST

START_TEST(bytes_that_are_not_there_are_not_rewritten)
{
    text why = { 0 };
    tw_output *o = opened(path);
    ck_assert_int_eq(output_write(o, "abcd", 4), TW_OK);
    ck_assert_int_eq(output_rewrite(o, 3, "xy", 2), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(output_error(o), path));
    ck_assert_int_eq(output_write(o, "e", 1), TW_ERROR);
    ck_assert_int_eq(output_finish(o, 1, &why), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(text_of(&why), "table.csv.partial"));
    ck_assert_int_eq(os_exists(path), 0);
    text_free(&why);
}
END_TEST

/* Unpacks a file that must be one zstd frame with a checksum. */
static void check_zstd(const char *name, const uint8_t *bytes, size_t n)
{
    static uint8_t unpacked[READ_CAP];
    size_t size = read_file(name);
    ck_assert_uint_eq(ZSTD_findFrameCompressedSize(seen, size), size);
    ck_assert_int_eq(seen[4] & 4, 4); /* the frame header's checksum flag */
    ck_assert_uint_eq(ZSTD_decompress(unpacked, sizeof unpacked, seen, size), n);
    ck_assert_mem_eq(unpacked, bytes, n);
}

START_TEST(a_name_in_zst_is_compressed)
{
    char packed[330];
    snprintf(packed, sizeof packed, "%s.zst", path);
    tw_output *o = opened(packed);
    write_sample(o);
    ck_assert_int_eq(output_rewrite(o, 0, "x", 1), TW_END);
    ck_assert_int_eq(output_write(o, "more", 0), TW_OK);
    finish(o, 1);
    check_zstd(packed, sample, SAMPLE);
    finish(opened(packed), 1);
    check_zstd(packed, sample, 0);
    o = opened(packed); /* given up: what there is can still be unpacked */
    write_sample(o);
    finish(o, 0);
    strcat(packed, ".partial");
    check_zstd(packed, sample, SAMPLE);
}
END_TEST

static uint8_t byte_at(uint64_t at)
{
    return (uint8_t)(at * at >> 9 ^ at);
}

/* More than zstd's own thread takes at a time, in pieces that fit nothing. */
START_TEST(much_is_compressed_in_order)
{
    enum { PIECE = 100003, MUCH = 50 * PIECE, OUT = 1 << 16 };
    static uint8_t piece[PIECE], out[OUT];
    char packed[330];
    snprintf(packed, sizeof packed, "%s.zst", path);
    tw_output *o = opened(packed);

    for (uint64_t at = 0; at < MUCH; at += PIECE) {
        for (uint64_t k = 0; k < PIECE; k++) piece[k] = byte_at(at + k);
        ck_assert_int_eq(output_write(o, piece, PIECE), TW_OK);
    }
    ck_assert_uint_eq(output_bytes(o), MUCH);
    finish(o, 1);

    FILE *f = fopen(packed, "rb");
    ZSTD_DCtx *z = ZSTD_createDCtx();
    uint64_t at = 0;
    size_t left = 1;
    for (size_t n; (n = fread(piece, 1, PIECE, f)) > 0;) {
        for (ZSTD_inBuffer in = { piece, n, 0 }; in.pos < in.size;) {
            ZSTD_outBuffer to = { out, OUT, 0 };
            left = ZSTD_decompressStream(z, &to, &in);
            ck_assert(!ZSTD_isError(left));
            size_t same = 0; /* an assertion for each byte would take a minute */
            while (same < to.pos && out[same] == byte_at(at + same)) same++;
            ck_assert_uint_eq(same, to.pos);
            at += same;
        }
    }
    ck_assert_uint_eq(at, MUCH);
    ck_assert_uint_eq(left, 0); /* one frame, whole */
    ZSTD_freeDCtx(z);
    fclose(f);
}
END_TEST

static void check_refused(const char *name, const char *sentence)
{
    tw_output *o = (tw_output *)&o;
    text why = { 0 };
    ck_assert_int_eq(output_open(name, &o, &why), TW_ERROR);
    ck_assert_ptr_null(o);
    ck_assert_str_eq(text_of(&why), sentence);
    text_free(&why);
}

/* As if an earlier run of the same number had been killed. */
START_TEST(what_a_killed_run_left_is_not_in_the_way)
{
    text left = { 0 };
    text_format(&left, "%s/.table.csv.%d.tmp", folder, os_process_id());
    write_text(left.at, "left behind");
    tw_output *first = opened(path);
    ck_assert_int_eq(output_write(first, "1", 1), TW_OK);
    check_file(left.at, "left behind", 11);
    finish(first, 1);
    check_file(path, "1", 1);
    text_free(&left);
}
END_TEST

START_TEST(any_legal_name_works)
{
    char name[256], full[600];
    for (size_t n = 200; n <= 255; n += n < 230 ? 6 : 1) {
        for (size_t i = 0; i < n; i++) name[i] = "\xE2\x82\xAC"[i % 3]; /* the euro sign: never cut in the middle */
        memset(name, 'x', n % 3);
        for (size_t i = n % 3; i < n; i++) name[i] = "\xE2\x82\xAC"[(i - n % 3) % 3];
        name[n] = 0;
        snprintf(full, sizeof full, "%s/%s", folder, name);
        tw_output *o = opened(full);
        ck_assert_int_eq(output_write(o, "long", 4), TW_OK);
        const char *part = os_path_name(temporary_there());
        ck_assert_uint_le(strlen(part), n);
        const char *end = strrchr(part, '\xAC');
        ck_assert(end && end[1] == '.' && strlen(end) == 14); /* ".12345678.tmp" behind a whole character */
        finish(o, 1);
        check_file(full, "long", 4);
        o = opened(full);
        ck_assert_int_eq(output_write(o, "part", 4), TW_OK);
        snprintf(full, sizeof full, "%s", output_partial(o));
        finish(o, 0);
        ck_assert_uint_le(strlen(os_path_name(full)), 255);
        ck_assert_str_eq(full + strlen(full) - 8, ".partial");
        check_file(full, "part", 4);
        os_remove(full);
    }
}
END_TEST

static unsigned mode_of(const char *name)
{
    struct stat status;
    ck_assert_int_eq(stat(name, &status), 0);
    return status.st_mode & 07777;
}

START_TEST(permissions_stay)
{
    mode_t before = umask(022);
    tw_output *o = opened(path);
    finish(o, 1);
    ck_assert_uint_eq(mode_of(path), 0644); /* a new file: as the umask wants it */
    const unsigned modes[] = { 0600, 0666, 0640, 0755 };
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(chmod(path, modes[k]), 0);
        o = opened(path);
        ck_assert_int_eq(output_write(o, "x", 1), TW_OK);
        ck_assert_uint_eq(mode_of(temporary_there()), modes[k]); /* nobody else reads what is not whole either */
        finish(o, 1);
        ck_assert_uint_eq(mode_of(path), modes[k]);
    }
    umask(before);
}
END_TEST

START_TEST(a_read_only_file_is_refused)
{
    text wanted = { 0 };
    write_text(path, "stays");
    ck_assert_int_eq(chmod(path, 0444), 0); /* for root, too */
    text_format(&wanted, "%s cannot be written: it is read-only", path);
    check_refused(path, wanted.at);
    check_file(path, "stays", 5);
    ck_assert_int_eq(entries_in_folder(), 1);
    text_free(&wanted);
}
END_TEST

START_TEST(a_link_stays_and_its_file_is_replaced)
{
    char target[400], link_path[400], second[400], is_link[10];
    text wanted = { 0 };
    snprintf(target, sizeof target, "%s/target.csv", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    ck_assert_int_eq(symlink("target.csv", link_path), 0); /* counts from the link's folder */
    ck_assert_int_eq(symlink(link_path, second), 0);
    for (int k = 0; k < 2; k++) { /* first it points to nothing */
        tw_output *o = opened(k ? second : link_path);
        ck_assert_int_eq(output_write(o, "whole", 5), TW_OK);
        finish(o, 1);
        check_file(target, "whole", 5);
        ck_assert_int_gt(readlink(link_path, is_link, sizeof is_link), 0);
        ck_assert_int_gt(readlink(second, is_link, sizeof is_link), 0);
        ck_assert_int_eq(entries_in_folder(), 3);
        os_remove(target);
    }
    tw_output *o = opened(link_path);
    ck_assert_int_eq(output_write(o, "part", 4), TW_OK);
    finish(o, 0);
    text_format(&wanted, "%s.partial", target);
    check_file(wanted.at, "part", 4);
    os_remove(link_path);
    ck_assert_int_eq(symlink("second", link_path), 0); /* a ring */
    text_clear(&wanted);
    text_format(&wanted, "%s cannot be written: its links lead nowhere", second);
    check_refused(second, wanted.at);
    text_free(&wanted);
}
END_TEST

START_TEST(what_cannot_be_written_is_said)
{
    text name = { 0 }, wanted = { 0 };
    text_format(&name, "%s/none/table.csv", folder);
    text_format(&wanted, "%s cannot be written: there is no folder %s/none/", name.at, folder);
    check_refused(name.at, wanted.at);
    text_clear(&wanted);
    text_format(&wanted, "%s cannot be written: it is a folder", folder);
    check_refused(folder, wanted.at);
    text_clear(&name);
    text_clear(&wanted);
    text_format(&name, "%s/", folder);
    text_format(&wanted, "%s/ cannot be written: it is a folder", folder);
    check_refused(name.at, wanted.at);
    check_refused("", " cannot be written: it names no file");
    ck_assert_int_eq(entries_in_folder(), 0);
    text_free(&name);
    text_free(&wanted);
}
END_TEST

START_TEST(one_name_is_written_once_at_a_time)
{
    text why = { 0 };
    tw_output *other = NULL, *o = opened(path);
    ck_assert_int_eq(output_open(path, &other, &why), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(text_of(&why), "cannot be written: this run writes a file of that name already"));
    text_clear(&why);
    char way_round[400]; /* the same place */
    snprintf(way_round, sizeof way_round, "%s/../%s/./table.csv", folder, os_path_name(folder));
    ck_assert_int_eq(output_open(way_round, &other, &why), TW_ERROR);
    ck_assert_ptr_nonnull(strstr(text_of(&why), "this run writes a file of that name already"));
    ck_assert_int_eq(output_write(o, "whole", 5), TW_OK);
    finish(o, 1);
    check_file(path, "whole", 5);
    finish(opened(path), 1);
    text_free(&why);
}
END_TEST

START_TEST(a_full_disk_is_said_and_said_again)
{
    text why = { 0 };
    tw_output *o = opened("/dev/full");
    int status = TW_OK;
    for (int i = 0; i < 300 && status == TW_OK; i++) status = output_write(o, sample, 1000);
    ck_assert_int_eq(status, TW_ERROR);
    ck_assert_str_eq(output_error(o), "/dev/full cannot be written: the disk is full");
    ck_assert_int_eq(output_write(o, sample, 1), TW_ERROR);
    ck_assert_int_eq(output_finish(o, 1, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "/dev/full cannot be written: the disk is full");
    text_clear(&why);
    o = opened("/dev/full"); /* a failure that only finish meets */
    ck_assert_int_eq(output_write(o, sample, 1000), TW_OK);
    ck_assert_int_eq(output_finish(o, 1, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "/dev/full cannot be written: the disk is full");
    text_free(&why);
}
END_TEST

/* A file that may not grow as far as wanted: what fits is kept, and the target is as it was. */
START_TEST(a_failure_keeps_what_was_written)
{
    struct rlimit before, limit;
    text why = { 0 }, wanted = { 0 };
    int status = TW_OK;

    write_text(path, "what was there");
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 300000;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    tw_output *o = opened(path);
    for (int i = 0; i < 500 && status == TW_OK; i++) status = output_write(o, sample + i * 1000, 1000);
    int finished = output_finish(o, 1, &why);
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_int_eq(status, TW_ERROR);
    ck_assert_int_eq(finished, TW_ERROR);
    text_format(&wanted, "%s cannot be written: the file would become too large; what was written is in %s", path,
                partial);
    ck_assert_str_eq(text_of(&why), text_of(&wanted));
    check_file(path, "what was there", 14);
    check_file(partial, sample, 300000);
    ck_assert_int_eq(entries_in_folder(), 2);
    text_free(&why);
    text_free(&wanted);
}
END_TEST

START_TEST(devices_are_written_to_directly)
{
    tw_output *o = opened("/dev/null");
    write_sample(o);
    ck_assert_int_eq(output_rewrite(o, 0, "x", 1), TW_END);
    finish(o, 1);
    ck_assert_int_eq(os_is_special("/dev/null"), 1);
    finish(opened("/dev/null"), 0);
    ck_assert_int_eq(os_is_special("/dev/null"), 1);
}
END_TEST

START_TEST(a_named_pipe_is_written_to_directly)
{
    char got[10];
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    tw_output *o = opened(path);
    ck_assert_int_eq(output_write(o, "hello", 5), TW_OK);
    finish(o, 1);
    ck_assert_int_eq(read(reader, got, sizeof got), 5);
    ck_assert_mem_eq(got, "hello", 5);
    close(reader);
    ck_assert_int_eq(entries_in_folder(), 1);
}
END_TEST

/* Standard output becomes `fd`; returns what it was. */
static int replace_stdout(int fd)
{
    fflush(stdout);
    int before = dup(1);
    ck_assert_int_eq(dup2(fd, 1), 1);
    close(fd);
    return before;
}

static void restore_stdout(int before)
{
    dup2(before, 1);
    close(before);
}

START_TEST(standard_output_is_written_to_directly)
{
    const char *const names[] = { "-", "/dev/stdout" };
    for (int k = 0; k < 2; k++) {
        int before = replace_stdout(open(path, O_RDWR | O_CREAT | O_TRUNC, 0600));
        text why = { 0 };
        tw_output *o = NULL;
        int status = write(1, "before ", 7) == 7 ? output_open(names[k], &o, &why) : TW_ERROR;
        if (status == TW_OK) status = output_write(o, "hello", 5);
        int rewritten = o ? output_rewrite(o, 0, "x", 1) : TW_OK;
        if (status == TW_OK) status = output_finish(o, 1, &why);
        if (status == TW_OK && write(1, " after", 6) != 6) status = TW_ERROR; /* it is still open */
        restore_stdout(before);
        ck_assert_msg(status == TW_OK, "%s", text_of(&why));
        ck_assert_int_eq(rewritten, TW_END);
        check_file(path, "before hello after", 18);
        ck_assert_int_eq(entries_in_folder(), 1);
    }
}
END_TEST

START_TEST(a_reader_that_is_gone_ends_the_output)
{
    int ends[2], count = 0;
    char *arguments[] = { "traceweir", NULL }, **argv = arguments;
    int argc = 1;
    text why = { 0 };

    os_start(&argc, &argv); /* broken pipes are no signals from here on */
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    int before = replace_stdout(ends[1]);
    tw_output *o = NULL;
    int status = output_open("-", &o, &why);
    while (status == TW_OK && count++ < 300) status = output_write(o, sample, 1000);
    int again = o ? output_write(o, sample, 1) : TW_OK, finished = o ? output_finish(o, 1, &why) : TW_OK;
    restore_stdout(before);
    ck_assert_int_eq(status, TW_END);
    ck_assert_int_eq(again, TW_END);
    ck_assert_int_eq(finished, TW_END);
    ck_assert_str_eq(text_of(&why), "");
}
END_TEST

START_TEST(paths_have_names)
{
    ck_assert_str_eq(os_path_name("a/b/c.csv"), "c.csv");
    ck_assert_str_eq(os_path_name("c.csv"), "c.csv");
    ck_assert_str_eq(os_path_name("a/"), "");
    ck_assert_str_eq(os_path_name(""), "");
}
END_TEST

START_TEST(folders_are_made_with_those_above)
{
    text why = { 0 }, deep = { 0 };
    text_format(&deep, "%s/x//y/", folder);
    ck_assert_int_eq(os_make_folder(deep.at, &why), TW_OK);
    ck_assert_int_eq(os_is_folder(deep.at), 1);
    ck_assert_int_eq(os_make_folder(deep.at, &why), TW_OK);
    ck_assert_str_eq(text_of(&why), "");
    rmdir(deep.at);
    write_text(path, "a file");
    text_clear(&deep);
    text_format(&deep, "%s/z", path);
    ck_assert_int_eq(os_make_folder(deep.at, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "a part of the path is no folder");
    text_clear(&why);
    ck_assert_int_eq(os_make_folder("", &why), TW_ERROR);
    text_free(&deep);
    text_free(&why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, the_target_changes_at_the_finish_only);
    tcase_add_test(all, nothing_written_is_an_empty_file);
    tcase_add_test(all, what_is_given_up_is_marked);
    tcase_add_test(all, what_is_given_up_empty_leaves_nothing);
    tcase_add_test(all, a_name_without_folder_works);
    tcase_add_test(all, earlier_bytes_are_rewritten);
    tcase_add_test(all, bytes_that_are_not_there_are_not_rewritten);
    tcase_add_test(all, a_name_in_zst_is_compressed);
    tcase_add_test(all, much_is_compressed_in_order);
    tcase_add_test(all, what_cannot_be_written_is_said);
    tcase_add_test(all, one_name_is_written_once_at_a_time);
    tcase_add_test(all, what_a_killed_run_left_is_not_in_the_way);
    tcase_add_test(all, any_legal_name_works);
    tcase_add_test(all, permissions_stay);
    tcase_add_test(all, a_read_only_file_is_refused);
    tcase_add_test(all, a_link_stays_and_its_file_is_replaced);
    tcase_add_test(all, a_full_disk_is_said_and_said_again);
    tcase_add_test(all, a_failure_keeps_what_was_written);
    tcase_add_test(all, devices_are_written_to_directly);
    tcase_add_test(all, a_named_pipe_is_written_to_directly);
    tcase_add_test(all, standard_output_is_written_to_directly);
    tcase_add_test(all, a_reader_that_is_gone_ends_the_output);
    tcase_add_test(all, paths_have_names);
    tcase_add_test(all, folders_are_made_with_those_above);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
