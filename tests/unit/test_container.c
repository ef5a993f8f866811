/* test_container.c - archives as inputs: what is taken of them, in which order; and archives that are hostile,
   damaged or only a part. */
#define _XOPEN_SOURCE 700
#include <archive.h>
#include <archive_entry.h>
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "archive_kit.h"
#include "container.h"
#include "inputs.h"
#include "os.h"

enum { LONG = 300007 /* bytes */ };

static char folder[256], path[300];
static uint8_t noise[LONG];
static text bytes;  /* of the archive */
static inputs list; /* what was opened last */
static text why;
static int status;

static void set_up(void)
{
    uint32_t n = 7;
    for (size_t i = 0; i < LONG; i++) {
        n = n * 1664525 + 1013904223;
        noise[i] = (uint8_t)(i % 3 ? n >> 24 : i / 500);
    }
    snprintf(folder, sizeof folder, "%s/traceweir-test-container-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             os_process_id());
    snprintf(path, sizeof path, "%s/x.zip", folder);
    text unused = { 0 };
    ck_assert_int_eq(os_make_folder(folder, &unused), TW_OK);
}

static void tear_down(void)
{
    inputs_close(&list);
    text_free(&bytes);
    text_free(&why);
    os_remove(path);
    rmdir(folder);
}

static void write_file(const char *to, const void *at, size_t n)
{
    FILE *f = fopen(to, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(at, 1, n, f), n);
    fclose(f);
}

/* Opens what `what` stands for; where there is an archive, its bytes are written first. */
static void open_path(const char *what, const char *patterns, int many)
{
    inputs_close(&list);
    text_clear(&why);
    status = inputs_add(&list, what, patterns, many, &why);
    ck_assert_int_eq(status == TW_OK, why.n == 0);
}

static void open_archive(const char *patterns, int many)
{
    write_file(path, text_of(&bytes), bytes.n);
    open_path(path, patterns, many);
}

static void make_zip(const zip_file *files, uint32_t n)
{
    text_clear(&bytes);
    put_zip(&bytes, files, n);
}

/* The name behind the folder of the test. */
static const char *name_of(tw_input *in)
{
    uint64_t unused;
    const char *name = input_name(in, &unused);
    return strncmp(name, folder, strlen(folder)) ? name : name + strlen(folder) + 1;
}

/* A sentence without the folder of the test. */
static const char *plain(const char *sentence)
{
    static char out[4000];
    char *to = out;
    for (const char *at = sentence; *at && to < out + sizeof out - 1;) {
        if (!strncmp(at, folder, strlen(folder)))
            at += strlen(folder) + 1;
        else
            *to++ = *at++;
    }
    *to = 0;
    return out;
}

static void check_sentence(const char *sentence)
{
    ck_assert_int_eq(status, TW_ERROR);
    ck_assert_str_eq(plain(text_of(&why)), sentence);
}

/* All that is chosen, in order: "name name". */
static void check_names(const char *names)
{
    text got = { 0 };
    ck_assert_msg(status == TW_OK, "%s", text_of(&why));
    for (uint32_t i = 0; i < list.nchosen; i++) text_format(&got, "%s%s", i ? " " : "", name_of(list.chosen[i]));
    ck_assert_str_eq(text_of(&got), names);
    text_free(&got);
}

static size_t receive(tw_input *in, uint8_t *to, size_t cap)
{
    size_t n = 0;
    ptrdiff_t got;
    while (n < cap && (got = input_receive(in, to + n, cap - n)) > 0) n += (size_t)got;
    return n;
}

static void check_bytes(uint32_t k, const void *right, size_t n)
{
    static uint8_t got[LONG + 10];
    tw_input *in = list.chosen[k];
    void *window;
    uint64_t size;

    ck_assert_uint_eq(receive(in, got, sizeof got), n);
    ck_assert_mem_eq(got, right, n);
    ck_assert_str_eq(input_error(in), "");
    const uint8_t *at = input_at(in, n / 2, n - n / 2, &window);
    ck_assert_ptr_nonnull(at);
    ck_assert_mem_eq(at, (const uint8_t *)right + n / 2, n - n / 2);
    input_unmap(window);
    ck_assert_ptr_null(input_at(in, n, 1, &window)); /* the next member's bytes are not its own */
    input_name(in, &size);
    ck_assert_uint_eq(size, n);
}

static const char *first_note(void)
{
    return plain(list.n ? input_error(list.all[0]) : "");
}

/* An archive by libarchive's own writer. */
static void make_archive(int (*format)(struct archive *), const char *const *names, uint32_t n)
{
    static char room[4 * LONG];
    struct archive *a = archive_write_new();
    size_t used = 0;

    ck_assert_int_eq(format(a), ARCHIVE_OK);
    ck_assert_int_eq(archive_write_open_memory(a, room, sizeof room, &used), ARCHIVE_OK);
    for (uint32_t i = 0; i < n; i++) {
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, names[i]);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_size(e, LONG - (la_int64_t)i);
        ck_assert_int_eq(archive_write_header(a, e), ARCHIVE_OK);
        ck_assert_int_eq(archive_write_data(a, noise + i, LONG - i), LONG - (la_ssize_t)i);
        archive_entry_free(e);
    }
    ck_assert_int_eq(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
    text_clear(&bytes);
    text_add(&bytes, room, used);
}

/* ---- What is taken ---- */

static const zip_file some[] = {
    { .name = "logs/b.ETL", .bytes = "bee", .n = 3 },
    { .name = "readme.txt", .bytes = "text", .n = 4 },
    { .name = "a.etl", .bytes = "aye", .n = 3 },
    { .name = "logs/c.man", .bytes = "sea", .n = 3 },
};

START_TEST(members_that_fit_are_inputs_in_order_of_names)
{
    uint64_t size;
    make_zip(some, 4);
    open_archive("*.etl", 1);
    check_names("x.zip!a.etl x.zip!logs/b.ETL");
    input_name(list.chosen[0], &size);
    ck_assert_uint_eq(size, UINT64_MAX); /* not known before it is read */
    check_bytes(1, "bee", 3);
    check_bytes(0, "aye", 3);
    ck_assert_str_eq(first_note(), "");
    open_archive("*.man|*.TXT", 1);
    check_names("x.zip!logs/c.man x.zip!readme.txt");
    check_bytes(0, "sea", 3);
    check_bytes(1, "text", 4);
}
END_TEST

START_TEST(without_patterns_an_archive_is_a_file)
{
    make_zip(some, 4);
    open_archive(NULL, 1);
    check_names("x.zip");
    check_bytes(0, bytes.at, bytes.n);
}
END_TEST

START_TEST(an_archive_is_known_by_its_bytes)
{
    static const char zip[] = "PK\3\4....", cab[] = "MSCF\0\0\0\0", seven[] = "7z\xBC\xAF\x27\x1C..";
    ck_assert_int_eq(container_is((const uint8_t *)zip, 8), 1);
    ck_assert_int_eq(container_is((const uint8_t *)cab, 8), 1);
    ck_assert_int_eq(container_is((const uint8_t *)seven, 8), 1);
    ck_assert_int_eq(container_is((const uint8_t *)zip, 3), 0);
    ck_assert_int_eq(container_is((const uint8_t *)"PK is no archive", 8), 0);
    ck_assert_int_eq(container_is((const uint8_t *)"MSCF....", 8), 0);
    text_put(&bytes, "not an archive");
    open_archive("*.etl", 1);
    check_names("x.zip");
    check_bytes(0, "not an archive", 14);
}
END_TEST

START_TEST(where_one_is_wanted_there_must_be_one)
{
    make_zip(some, 4);
    open_archive("*.man", 0);
    check_names("x.zip!logs/c.man");
    open_archive("*.etl", 0);
    check_sentence("x.zip has 2 files that fit *.etl, and one is wanted; name it behind a !, like x.zip!a.etl: "
                   "a.etl, logs/b.ETL");
}
END_TEST

START_TEST(where_none_fits_the_list_is_said)
{
    make_zip(some, 4);
    open_archive("*.xml|*.tmf", 1);
    check_sentence("x.zip has no file that fits *.xml or *.tmf; in it are logs/b.ETL, readme.txt, a.etl, logs/c.man");
    make_zip(some, 0);
    open_archive("*.etl", 1);
    check_sentence("x.zip has no file that fits *.etl; it is empty");

    zip_file many[12];
    for (int i = 0; i < 12; i++) many[i] = some[1];
    many[11].name = "es\33cape\1";
    many[0].name = "first\33[31m";
    make_zip(many, 12);
    open_archive("*.etl", 1);
    check_sentence("x.zip has no file that fits *.etl; in it are first?[31m, readme.txt, readme.txt, readme.txt, "
                   "readme.txt, readme.txt, readme.txt, readme.txt and 4 more");
}
END_TEST

START_TEST(a_member_can_be_named)
{
    char name[400];
    make_zip(some, 4);
    write_file(path, bytes.at, bytes.n);
    snprintf(name, sizeof name, "%s!LOGS/B.etl", path);
    open_path(name, "*.etl", 0);
    check_names("x.zip!logs/b.ETL");
    check_bytes(0, "bee", 3);
    snprintf(name, sizeof name, "%s!readme.txt", path); /* whatever the patterns */
    open_path(name, "*.etl", 0);
    check_names("x.zip!readme.txt");
    snprintf(name, sizeof name, "%s!logs/*", path);
    open_path(name, "*.etl", 1);
    check_names("x.zip!logs/b.ETL x.zip!logs/c.man");
    snprintf(name, sizeof name, "%s!b.etl", path);
    open_path(name, "*.etl", 0);
    check_sentence("x.zip has no file that fits b.etl; in it are logs/b.ETL, readme.txt, a.etl, logs/c.man");
    write_file(path, "text", 4);
    open_path(name, "*.etl", 0);
    check_sentence("x.zip!b.etl cannot be opened: x.zip is no archive");
    open_path("no.zip!b.etl", "*.etl", 0);
    check_sentence("no.zip!b.etl cannot be opened: no such file or folder");
}
END_TEST

START_TEST(all_formats)
{
    static const char *const names[] = { "z/long.etl", "short.etl", "\xC3\xBC.etl" };
    static const zip_file cab[] = { { .name = "d\\b.etl", .bytes = "bee", .n = 3 },
                                    { .name = "a.etl", .bytes = "aye", .n = 3 } };

    make_archive(archive_write_set_format_7zip, names, 2);
    ck_assert_uint_eq((uint8_t)bytes.at[0], '7');
    open_archive("*.etl", 1);
    check_names("x.zip!short.etl x.zip!z/long.etl");
    check_bytes(0, noise + 1, LONG - 1);
    check_bytes(1, noise, LONG);
    make_archive(archive_write_set_format_zip, names, 3); /* deflated, lengths behind the bytes */
    ck_assert_uint_lt(bytes.n, 3 * LONG);
    open_archive("*.etl", 1);
    ck_assert_uint_eq(list.nchosen, 3);
    check_bytes(0, noise + 1, LONG - 1);
    check_bytes(1, noise, LONG);
    check_bytes(2, noise + 2, LONG - 2);
    text_clear(&bytes);
    put_cab(&bytes, cab, 2, 0);
    open_archive("*.etl", 1);
    check_names("x.zip!a.etl x.zip!d/b.etl");
    check_bytes(0, "aye", 3);
    check_bytes(1, "bee", 3);
    const zip_file large[] = { { .name = "c.etl", .bytes = noise, .n = 20000 }, cab[0] };
    text_clear(&bytes);
    put_cab(&bytes, large, 2, 1);
    ck_assert_uint_lt(bytes.n, 20000);
    open_archive("*.etl", 1);
    check_names("x.zip!c.etl x.zip!d/b.etl");
    check_bytes(0, noise, 20000);
    check_bytes(1, "bee", 3);
}
END_TEST

START_TEST(names_are_utf8)
{
    static const zip_file odd[] = {
        { .name = "\xC3\xBC.etl", .bytes = "1", .n = 1, .flags = 0x800 }, /* says that it is UTF-8 */
        { .name = "\xC3\xA4.etl", .bytes = "2", .n = 1 },
        { .name = "x\x81.etl", .bytes = "3", .n = 1 },
    };
    make_zip(odd, 3);
    open_archive("*.etl", 1);
    check_names("x.zip!x\xEF\xBF\xBD.etl x.zip!\xC3\xA4.etl x.zip!\xC3\xBC.etl");
    check_bytes(0, "3", 1);
    check_bytes(1, "2", 1);
    check_bytes(2, "1", 1);
}
END_TEST

START_TEST(members_may_be_packed_themselves)
{
    static const uint8_t zstd[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0x00, 0x00, 'h', 'e', 'l', 'l', 'o' };
    static const uint8_t gzip[] = { 0x1F, 0x8B, 8,   0,   0,   0,   0,    0,    0,    0xFF, 1, 5, 0, 0xFA,
                                    0xFF, 'h',  'e', 'l', 'l', 'o', 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0 };
    const zip_file files[] = { { .name = "a.etl.zst", .bytes = zstd, .n = sizeof zstd },
                               { .name = "b.ETL.GZ", .bytes = gzip, .n = sizeof gzip },
                               { .name = "c.etl", .bytes = gzip, .n = sizeof gzip },
                               { .name = "d.gz", .bytes = gzip, .n = sizeof gzip } };
    make_zip(files, 4);
    open_archive("*.etl", 1);
    check_names("x.zip!a.etl.zst x.zip!b.ETL.GZ x.zip!c.etl");
    for (uint32_t i = 0; i < 3; i++) check_bytes(i, "hello", 5);
}
END_TEST

START_TEST(archives_in_archives)
{
    text inner = { 0 }, cab = { 0 }, middle = { 0 };
    put_zip(&inner, some, 4);
    put_cab(&cab, some + 2, 1, 0);
    zip_file files[] = { { .name = "sub/in.ZIP", .bytes = inner.at, .n = (uint32_t)inner.n },
                         { .name = "k.cab", .bytes = cab.at, .n = (uint32_t)cab.n },
                         { .name = "l.etl", .bytes = "ell", .n = 3 },
                         { .name = "fake.zip", .bytes = "no", .n = 2 },
                         { .name = "m.etl.zip", .bytes = "em", .n = 2 } };
    make_zip(files, 5);
    open_archive("*.etl", 1);
    check_names("x.zip!k.cab!a.etl x.zip!l.etl x.zip!m.etl.zip x.zip!sub/in.ZIP!a.etl x.zip!sub/in.ZIP!logs/b.ETL");
    check_bytes(0, "aye", 3);
    check_bytes(1, "ell", 3);
    check_bytes(2, "em", 2);
    check_bytes(3, "aye", 3);
    check_bytes(4, "bee", 3);
    char name[400];
    snprintf(name, sizeof name, "%s!sub/in.zip!logs/b.etl", path);
    open_path(name, "*.etl", 0);
    check_names("x.zip!sub/in.ZIP!logs/b.ETL");
    snprintf(name, sizeof name, "%s!sub/in.zip", path); /* an archive in it is its files that fit */
    open_path(name, "*.etl", 1);
    check_names("x.zip!sub/in.ZIP!a.etl x.zip!sub/in.ZIP!logs/b.ETL");
    check_bytes(1, "bee", 3);
    snprintf(name, sizeof name, "%s!fake.zip", path);
    open_path(name, "*.etl", 0);
    check_names("x.zip!fake.zip");

    put_zip(&middle, files, 3); /* one level too many */
    const zip_file outer[] = { { .name = "middle.zip", .bytes = middle.at, .n = (uint32_t)middle.n } };
    make_zip(outer, 1);
    open_archive("*.etl", 1);
    check_names("x.zip!middle.zip!l.etl");
    ck_assert_uint_eq(list.n, 3);
    ck_assert_str_eq(plain(input_error(list.all[1])),
                     "x.zip!middle.zip: sub/in.ZIP and 1 more left out: an archive in an "
                     "archive in an archive");
    text_free(&inner);
    text_free(&cab);
    text_free(&middle);
}
END_TEST

/* ---- Hostile ---- */

START_TEST(names_that_lead_away_are_left_out)
{
    static const char *const names[] = { "../up.etl",          "a/../../up.etl", "/root.etl",     "C:/x.etl",
                                         "\\\\host\\s\\x.etl", "..\\up.etl",     "a.etl:s.etl",   "aux.etl",
                                         "x/COM1.etl",         "nul .x.etl",     "new\nline.etl", "\33[2J.etl",
                                         "LpT9.b.etl",         "a\x7F.etl" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        zip_file files[] = { some[2], some[0], some[0] };
        files[1].name = names[k];
        make_zip(files, 3);
        open_archive("*.etl", 1);
        check_names("x.zip!a.etl x.zip!logs/b.ETL");
        check_bytes(0, "aye", 3);
        check_bytes(1, "bee", 3);
        ck_assert_msg(strstr(first_note(), "left out: a name or link that leads out of an archive, or to a device"),
                      "%s: %s", names[k], first_note());
        for (const char *c = first_note(); *c; c++) ck_assert_msg(*c >= ' ' && *c != 0x7F, "%s", names[k]);
    }
}
END_TEST

START_TEST(names_that_only_look_odd_are_read)
{
    static const zip_file files[] = { { .name = "..a/b...etl", .bytes = "1", .n = 1 },
                                      { .name = "./con1.etl", .bytes = "2", .n = 1 },
                                      { .name = "auxiliary.etl", .bytes = "3", .n = 1 },
                                      { .name = "d\\e.etl", .bytes = "4", .n = 1 },
                                      { .name = "a!b.etl", .bytes = "5", .n = 1 } };
    make_zip(files, 5);
    open_archive("*.etl", 1);
    check_names("x.zip!..a/b...etl x.zip!a!b.etl x.zip!auxiliary.etl x.zip!con1.etl x.zip!d/e.etl");
    check_bytes(4, "4", 1);
    ck_assert_str_eq(first_note(), "");
}
END_TEST

START_TEST(a_long_name_is_left_out)
{
    static char name[CONTAINER_NAME + 10];
    memset(name, 'n', sizeof name - 1);
    memcpy(name, "*.etl", 5);
    zip_file files[] = { some[2], some[0] };
    files[1].name = name;
    make_zip(files, 2);
    open_archive("*", 1);
    check_names("x.zip!a.etl");
    ck_assert_ptr_nonnull(strstr(first_note(), "left out"));
}
END_TEST

START_TEST(links_are_left_out)
{
    zip_file files[] = { some[2], some[0] };
    files[1].attributes = 0xA1FF0000;
    make_zip(files, 2);
    open_archive("*.etl", 1);
    check_names("x.zip!a.etl");
    ck_assert_str_eq(first_note(),
                     "x.zip: logs/b.ETL left out: a name or link that leads out of an archive, or to a device");
}
END_TEST

START_TEST(encrypted_members_are_left_out)
{
    zip_file files[] = { some[2], some[0], some[0] };
    files[1].flags = files[2].flags = 1;
    make_zip(files, 3);
    open_archive("*.etl", 1);
    check_names("x.zip!a.etl");
    check_bytes(0, "aye", 3);
    ck_assert_str_eq(first_note(),
                     "x.zip: logs/b.ETL and 1 more left out: encrypted; unpack with the password first");
    make_zip(files + 1, 1);
    open_archive("*.etl", 1);
    check_sentence(
        "x.zip has no file that fits *.etl; in it are logs/b.ETL; x.zip: logs/b.ETL left out: encrypted; unpack "
        "with the password first");
}
END_TEST

START_TEST(too_many_members)
{
    static zip_file files[INPUTS_MOST_MEMBERS + 3];
    for (int i = 0; i < INPUTS_MOST_MEMBERS + 3; i++) files[i] = some[2];
    make_zip(files, INPUTS_MOST_MEMBERS);
    open_archive("*.etl", 1);
    ck_assert_uint_eq(list.nchosen, INPUTS_MOST_MEMBERS);
    ck_assert_str_eq(first_note(), "");
    make_zip(files, INPUTS_MOST_MEMBERS + 3);
    open_archive("*.etl", 1);
    ck_assert_uint_eq(list.nchosen, INPUTS_MOST_MEMBERS);
    ck_assert_str_eq(first_note(), "x.zip: 3 files left out behind the first 1024");
    check_bytes(1023, "aye", 3);

    text inner = { 0 }; /* nor can they hide in another archive */
    put_zip(&inner, files, 600);
    const zip_file two[] = { { .name = "a.zip", .bytes = inner.at, .n = (uint32_t)inner.n },
                             { .name = "b.zip", .bytes = inner.at, .n = (uint32_t)inner.n } };
    make_zip(two, 2);
    open_archive("*.etl", 1);
    ck_assert_uint_eq(list.nchosen, INPUTS_MOST_MEMBERS - 2);
    text_free(&inner);
}
END_TEST

/* ---- Damage ---- */

START_TEST(a_damaged_member_costs_no_other)
{
    zip_file files[] = { some[2], some[0], some[2] };
    uint8_t got[10];

    files[0].name = "1.etl";
    files[1].name = "2.etl";
    files[2].name = "3.etl";
    files[1].crc_off = 1; /* a wrong checksum is known behind the bytes */
    make_zip(files, 3);
    open_archive("*.etl", 1);
    check_bytes(0, "aye", 3);
    ck_assert_uint_eq(receive(list.chosen[1], got, sizeof got), 3);
    ck_assert_mem_eq(got, "bee", 3);
    ck_assert_int_eq(input_receive(list.chosen[1], got, 1), -1);
    ck_assert_msg(strstr(plain(input_error(list.chosen[1])), "x.zip!2.etl is damaged") != NULL, "%s",
                  input_error(list.chosen[1]));
    check_bytes(2, "aye", 3);

    files[1].crc_off = 0;
    files[1].method = 8; /* a deflated block of the type that there is none of: the library gives up there */
    files[1].bytes = "\xFF\xFF\xFF";
    make_zip(files, 3);
    open_archive("*.etl", 1);
    check_bytes(0, "aye", 3);
    ck_assert_int_eq(input_receive(list.chosen[1], got, 1), -1);
    ck_assert_ptr_nonnull(strstr(input_error(list.chosen[1]), "is damaged"));
    check_bytes(2, "aye", 3);

    files[1].method = 99; /* nobody's */
    make_zip(files, 3);
    open_archive("*.etl", 1);
    check_bytes(0, "aye", 3);
    ck_assert_int_eq(input_receive(list.chosen[1], got, 1), -1);
    ck_assert_ptr_nonnull(strstr(input_error(list.chosen[1]), "x.zip!2.etl cannot be unpacked: "));
    check_bytes(2, "aye", 3);
}
END_TEST

/* Whatever is missing: what is read are the right bytes from the beginning, and where some are missing that is said.
   */
static void check_parts(const char *const *names, const uint8_t *const *right, const size_t *n, uint32_t members)
{
    static uint8_t got[LONG + 10];
    uint32_t whole = 0;
    int said = status != TW_OK;

    for (uint32_t i = 0; i < list.nchosen; i++) {
        const char *name = strchr(name_of(list.chosen[i]), '!') + 1;
        size_t length = receive(list.chosen[i], got, sizeof got);
        uint32_t k = 0;
        while (k < members && strcmp(names[k], name)) k++;
        ck_assert_msg(k < members, "%s", name);
        ck_assert_uint_le(length, n[k]);
        ck_assert_mem_eq(got, right[k], length);
        if (length < n[k]) ck_assert_str_ne(input_error(list.chosen[i]), "");
        whole += length == n[k];
    }
    for (uint32_t i = 0; i < list.n; i++) said |= *input_error(list.all[i]) != 0;
    ck_assert_msg(whole == members || said, "%u of %u, %zu bytes", whole, members, bytes.n);
}

/* Cuts the archive at every place, or every step-th. Returned: how many cuts still had all of the first member. */
static uint32_t cut(const char *const *names, const uint8_t *const *right, const size_t *n, uint32_t members,
                    size_t step)
{
    uint32_t kept = 0;
    size_t all = bytes.n;
    for (bytes.n = 0; bytes.n < all; bytes.n += step) {
        open_archive("*.etl", 1);
        if (bytes.n < CONTAINER_HEAD) continue; /* it is no archive then */
        check_parts(names, right, n, members);
        for (uint32_t i = 0; i < list.nchosen; i++) {
            uint64_t size;
            if (strcmp(strchr(input_name(list.chosen[i], &size), '!') + 1, names[0]) == 0) {
                input_name(list.chosen[i], &size);
                kept += size == n[0];
            }
        }
    }
    bytes.n = all;
    return kept;
}

START_TEST(what_is_cut_off_keeps_its_beginning)
{
    static const char *const names[] = { "a.etl", "logs/b.ETL" }, *const long_names[] = { "a.etl", "b.etl" };
    const uint8_t *right[] = { (const uint8_t *)"aye", (const uint8_t *)"bee" }, *long_right[] = { noise, noise + 1 };
    const size_t n[] = { 3, 3 }, long_n[] = { LONG, LONG - 1 };
    const zip_file files[] = { some[2], some[0] };

    make_zip(files, 2);
    ck_assert_uint_gt(cut(names, right, n, 2, 1),
                      bytes.n / 2); /* a member is whole long before the directory is there */
    text_clear(&bytes);
    put_cab(&bytes, files, 2, 0);
    cut(names, right, n, 2, 1);
    make_archive(archive_write_set_format_zip, long_names, 2);
    ck_assert_uint_gt(cut(long_names, long_right, long_n, 2, 9973), bytes.n / 9973 / 3);
    make_archive(archive_write_set_format_7zip, long_names, 2);
    cut(long_names, long_right, long_n, 2, 29989);
}
END_TEST

START_TEST(every_bit_may_be_wrong)
{
    const zip_file files[] = { some[2], some[0] };
    uint8_t got[100];

    for (int format = 0; format < 3; format++) {
        text_clear(&bytes);
        if (format)
            put_cab(&bytes, files, 2, format == 2);
        else
            put_zip(&bytes, files, 2);
        for (size_t k = 0; k < 8 * bytes.n; k += 3) { /* no more is asked than that it ends */
            bytes.at[k / 8] ^= (char)(1 << k % 8);
            open_archive("*.etl", 1);
            for (uint32_t i = 0; i < list.nchosen; i++) receive(list.chosen[i], got, sizeof got);
            bytes.at[k / 8] ^= (char)(1 << k % 8);
        }
    }
}
END_TEST

/* ---- Where it comes from, where it goes ---- */

typedef struct writer {
    int fd;
} writer;

static void *write_pipe(void *context)
{
    const writer *w = context;
    for (size_t at = 0; at < bytes.n;) {
        ssize_t put = write(w->fd, bytes.at + at, bytes.n - at < 1000 ? bytes.n - at : 1000);
        if (put <= 0) break;
        at += (size_t)put;
    }
    close(w->fd);
    return NULL;
}

START_TEST(an_archive_at_standard_input)
{
    static const char *const names[] = { "a.etl", "b.etl" };
    int ends[2], before = dup(0);
    pthread_t thread;

    make_archive(archive_write_set_format_zip, names, 2);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(dup2(ends[0], 0), 0);
    close(ends[0]);
    writer w = { ends[1] };
    pthread_create(&thread, NULL, write_pipe, &w);
    open_path("-", "*.etl", 1);
    check_names("standard input!a.etl standard input!b.etl");
    check_bytes(1, noise + 1, LONG - 1);
    check_bytes(0, noise, LONG);
    inputs_close(&list);
    pthread_join(thread, NULL);
    dup2(before, 0);
    close(before);
}
END_TEST

START_TEST(an_archive_may_be_open_twice)
{
    inputs other = { 0 };
    make_zip(some, 4);
    open_archive("*.etl", 1);
    ck_assert_int_eq(inputs_add(&other, path, "*.etl", 1, &why), TW_OK);
    check_bytes(0, "aye", 3);
    inputs_close(&list);
    list = other;
    check_bytes(0, "aye", 3);
    check_bytes(1, "bee", 3);
}
END_TEST

START_TEST(members_that_do_not_fit_on_the_disk_are_said)
{
    static const char *const names[] = { "a.etl", "b.etl" };
    struct rlimit before, small;
    uint8_t *got = malloc(LONG);

    make_archive(archive_write_set_format_zip, names, 2);
    open_archive("*.etl", 1);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100000;
    setrlimit(RLIMIT_FSIZE, &small);
    size_t n = receive(list.chosen[0], got, LONG);
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_uint_lt(n, LONG);
    ck_assert_mem_eq(got, noise, n);
    ck_assert_ptr_nonnull(
        strstr(input_error(list.chosen[0]), "!a.etl is too large for a scratch file in the folder"));
    ck_assert_int_eq(input_receive(list.chosen[1], got, 1), -1);
    ck_assert_ptr_nonnull(
        strstr(input_error(list.chosen[1]), "!b.etl cannot be unpacked: there was no room for those"));
    free(got);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("container");
    TCase *c = tcase_create("container");

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, members_that_fit_are_inputs_in_order_of_names);
    tcase_add_test(c, without_patterns_an_archive_is_a_file);
    tcase_add_test(c, an_archive_is_known_by_its_bytes);
    tcase_add_test(c, where_one_is_wanted_there_must_be_one);
    tcase_add_test(c, where_none_fits_the_list_is_said);
    tcase_add_test(c, a_member_can_be_named);
    tcase_add_test(c, all_formats);
    tcase_add_test(c, names_are_utf8);
    tcase_add_test(c, members_may_be_packed_themselves);
    tcase_add_test(c, archives_in_archives);
    tcase_add_test(c, names_that_lead_away_are_left_out);
    tcase_add_test(c, names_that_only_look_odd_are_read);
    tcase_add_test(c, a_long_name_is_left_out);
    tcase_add_test(c, links_are_left_out);
    tcase_add_test(c, encrypted_members_are_left_out);
    tcase_add_test(c, too_many_members);
    tcase_add_test(c, a_damaged_member_costs_no_other);
    tcase_add_test(c, what_is_cut_off_keeps_its_beginning);
    tcase_add_test(c, every_bit_may_be_wrong);
    tcase_add_test(c, an_archive_at_standard_input);
    tcase_add_test(c, an_archive_may_be_open_twice);
    tcase_add_test(c, members_that_do_not_fit_on_the_disk_are_said);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
