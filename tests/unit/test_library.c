/* test_library.c - whether files are whole shared libraries: hand-made headers, and the project's own libraries, cut
   short and with bits turned over, as the program itself judges them. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "os.h"
#include "tw_plugin.h"

static text why;

static void teardown(void)
{
    text_free(&why);
}

static void put(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static void check_said(const void *bytes, size_t n, enum library_form form, const char *sentence)
{
    text_clear(&why);
    ck_assert_int_eq(library_check_bytes(bytes, n, form, &why), *sentence ? TW_ERROR : TW_OK);
    ck_assert_str_eq(text_of(&why), sentence);
}

/* ---- ELF ---- */

enum { ELF_BYTES = 0x2200 };
static uint8_t elf[ELF_BYTES];

static uint8_t *segment(int number)
{
    return elf + 64 + 56 * number;
}

static void put_segment(int number, uint32_t type, uint64_t offset, uint64_t address, uint64_t in_file,
                        uint64_t in_memory)
{
    uint8_t *s = segment(number);

    put(s, type, 4);
    put(s + 8, offset, 8);
    put(s + 16, address, 8);
    put(s + 32, in_file, 8);
    put(s + 40, in_memory, 8);
    put(s + 48, 0x1000, 8);
}

/* Two segments that are loaded, with the table for linking in the second; its last 0x100 bytes are none of theirs. */
static void make_elf(void)
{
    memset(elf, 0, sizeof elf);
    memcpy(elf, "\177ELF\2\1\1", 7);
    put(elf + 16, 3, 2);
    put(elf + 18, 62, 2);
    put(elf + 20, 1, 4);
    put(elf + 32, 64, 8);
    put(elf + 52, 64, 2);
    put(elf + 54, 56, 2);
    put(elf + 56, 3, 2);
    put_segment(0, 1, 0, 0, 0x1800, 0x1800);
    put_segment(1, 1, 0x2000, 0x3000, 0x100, 0x900);
    put_segment(2, 2, 0x2010, 0x3010, 0xA0, 0xA0);
}

static void elf_said(const char *sentence)
{
    check_said(elf, sizeof elf, LIBRARY_ELF, sentence);
    make_elf();
}

START_TEST(elf_headers)
{
    make_elf();
    elf_said("");
    elf[4] = 1;
    elf_said("it is for another machine: one with 32 bits, and this is x86-64");
    elf[4] = 1;
    elf[18] = 3;
    elf_said("it is for another machine: x86 with 32 bits, and this is x86-64");
    elf[5] = 2;
    elf_said("it is for another machine: one with the other order of bytes, and this is x86-64");
    elf[18] = 183;
    elf_said("it is for another machine: ARM with 64 bits, and this is x86-64");
    elf[18] = 99;
    elf_said("it is for another machine, number 99, and this is x86-64");
    elf[16] = 2;
    elf_said("it is no shared library but a program");
    elf[16] = 1;
    elf_said("it is no shared library but an object file");
    elf[17] = 0xFE;
    elf_said("it is no shared library but something else of the format ELF");
    elf[54] = 32;
    elf_said("its header is damaged: it is no ELF of version 1");
    elf[56] = 0;
    elf_said("its header is damaged: it has 0 segments");
    elf[57] = 0xFF;
    elf_said("its header is damaged: it has 65283 segments");
    elf[32 + 2] = 1;
    elf_said("it is cut off: its table of segments reaches to byte 65768, the file has 8704");
    put(elf + 32, UINT64_MAX - 3, 8);
    elf_said("it is cut off: its table of segments reaches to byte 18446744073709551615, the file has 8704");
    elf[7] = 'x'; /* the rest of the identification is the system's affair */
    elf_said("");
}
END_TEST

START_TEST(elf_segments)
{
    make_elf();
    put(segment(1) + 32, 0x201, 8);
    elf_said("it is cut off: its segments reach to byte 8705, the file has 8704");
    put(segment(0) + 32, UINT64_MAX, 8);
    elf_said("it is cut off: its segments reach to byte 18446744073709551615, the file has 8704");
    put(segment(1) + 40, 0xFF, 8);
    elf_said("its headers are damaged: segment 1 is larger in the file than in memory");
    put(segment(1) + 16, (uint64_t)1 << 47, 8);
    elf_said("its headers are damaged: segment 1 lies where no memory can be");
    put(segment(1) + 16, UINT64_MAX - 0xFFF, 8);
    elf_said("its headers are damaged: segment 1 lies where no memory can be");
    put(segment(1) + 16, 0x3008, 8);
    elf_said("its headers are damaged: segment 1 lies across the pages of memory");
    put(segment(1) + 48, 0x1800, 8);
    elf_said("its headers are damaged: segment 1 lies across the pages of memory");
    put(segment(1) + 48, 0, 8);
    elf_said("its headers are damaged: segment 1 lies across the pages of memory");
    put(segment(1) + 16, 0x1000, 8);
    elf_said("its headers are damaged: segment 1 lies over the one before it");
    put(segment(2), 4, 4);
    elf_said("it is no shared library: it has no table for linking it at run time");
    put(segment(2) + 32, 0xF1, 8);
    elf_said("its headers are damaged: its table for linking lies in no segment that is loaded");
    put(segment(2) + 16, 0x2FFF, 8);
    elf_said("its headers are damaged: its table for linking lies in no segment that is loaded");
    put(segment(2) + 8, 0x2020, 8);
    elf_said("its headers are damaged: its table for linking lies in no segment that is loaded");
    put(segment(0), 0, 4);
    put(segment(1), 0, 4);
    elf_said("its headers are damaged: none of its segments is loaded");
}
END_TEST

START_TEST(elf_cut_off)
{
    char sentence[128];

    make_elf();
    for (unsigned n = 0; n <= ELF_BYTES; n++) {
        if (!n)
            snprintf(sentence, sizeof sentence, "it is empty");
        else if (n < 4)
            snprintf(sentence, sizeof sentence, "it is no shared library");
        else if (n < 64)
            snprintf(sentence, sizeof sentence, "it is cut off: its header reaches to byte 64, the file has %u", n);
        else if (n < 64 + 3 * 56)
            snprintf(sentence, sizeof sentence,
                     "it is cut off: its table of segments reaches to byte 232, the file has %u", n);
        else if (n < 0x2100)
            snprintf(sentence, sizeof sentence, "it is cut off: its segments reach to byte 8448, the file has %u", n);
        else
            *sentence = 0;                  /* what is behind the segments is not loaded */
        uint8_t *exact = malloc(n ? n : 1); /* so that a byte read behind it is noticed */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, elf, n);
        check_said(exact, n, LIBRARY_ELF, sentence);
        free(exact);
    }
}
END_TEST

/* ---- PE ---- */

enum { PE_BYTES = 0x800, PE_AT = 0x80, OPTIONAL = PE_AT + 24, SECTIONS = OPTIONAL + 240 };
static uint8_t pe[PE_BYTES];

static void make_pe(void)
{
    memset(pe, 0, sizeof pe);
    memcpy(pe, "MZ", 2);
    put(pe + 60, PE_AT, 4);
    memcpy(pe + PE_AT, "PE", 2);
    put(pe + PE_AT + 4, 0x8664, 2);
    put(pe + PE_AT + 6, 2, 2);
    put(pe + PE_AT + 20, 240, 2);
    put(pe + PE_AT + 22, 0x2022, 2);
    put(pe + OPTIONAL, 0x20B, 2);
    put(pe + OPTIONAL + 60, 0x400, 4);
    put(pe + SECTIONS + 16, 0x200, 4);
    put(pe + SECTIONS + 20, 0x400, 4);
    put(pe + SECTIONS + 40 + 16, 0x200, 4);
    put(pe + SECTIONS + 40 + 20, 0x600, 4);
}

static void pe_said(const char *sentence)
{
    check_said(pe, sizeof pe, LIBRARY_PE, sentence);
    make_pe();
}

START_TEST(pe_headers)
{
    make_pe();
    pe_said("");
    put(pe + 60, 0x7FFFFFFF, 4);
    pe_said("it is cut off: its header reaches to byte 2147483783, the file has 2048");
    pe[PE_AT] = 'N';
    pe_said("it is no shared library but an old program of DOS or Windows");
    put(pe + PE_AT + 4, 0x14C, 2);
    pe_said("it is for another machine: x86 with 32 bits, and this is x86-64");
    put(pe + PE_AT + 4, 0xAA64, 2);
    pe_said("it is for another machine: ARM with 64 bits, and this is x86-64");
    put(pe + PE_AT + 22, 0x22, 2);
    pe_said("it is no shared library but a program");
    put(pe + PE_AT + 20, 100, 2);
    pe_said("its header is damaged: it is no PE32+");
    put(pe + OPTIONAL, 0x10B, 2);
    pe_said("its header is damaged: it is no PE32+");
    put(pe + PE_AT + 6, 97, 2);
    pe_said("its header is damaged: it has 97 sections");
    put(pe + PE_AT + 20, 0xFFF0, 2);
    pe_said("it is cut off: its table of sections reaches to byte 65752, the file has 2048");
    put(pe + OPTIONAL + 60, 0x801, 4);
    pe_said("it is cut off: its headers reach to byte 2049, the file has 2048");
    put(pe + SECTIONS + 40 + 16, 0x201, 4);
    pe_said("it is cut off: its sections reach to byte 2049, the file has 2048");
    put(pe + SECTIONS + 20, 0xFFFFFFFF, 4);
    pe_said("it is cut off: its sections reach to byte 4294967807, the file has 2048");
    put(pe + SECTIONS + 16, 0, 4); /* one without bytes lies nowhere */
    put(pe + SECTIONS + 20, 0xFFFFFFFF, 4);
    pe_said("");
    check_said(pe, sizeof pe - 1, LIBRARY_PE, "it is cut off: its sections reach to byte 2048, the file has 2047");
    check_said(pe, 60, LIBRARY_PE, "it is cut off: its header reaches to byte 64, the file has 60");
}
END_TEST

START_TEST(other_files)
{
    static const char script[] = "/* GNU ld script */\nGROUP ( libm.so.6 )\n",
                      windows[] = "MZ is how this text begins";
    static const uint8_t noise[] = { 0x1F, 0x8B, 8, 0, 0, 0, 0, 0 };

    make_elf();
    make_pe();
    check_said(script, sizeof script - 1, LIBRARY_ELF, "it is no shared library but text");
    check_said(script, sizeof script - 1, LIBRARY_PE, "it is no shared library but text");
    check_said(windows, sizeof windows - 1, LIBRARY_PE, "it is no shared library but text");
    check_said(noise, sizeof noise, LIBRARY_ELF, "it is no shared library");
    check_said(pe, sizeof pe, LIBRARY_ELF, "it is for another system: Windows");
    check_said(elf, sizeof elf, LIBRARY_PE, "it is for another system: Linux or one like it");
    text_clear(&why);
    ck_assert_int_eq(library_check("no such file", LIBRARY_ELF, &why), TW_ERROR);
    ck_assert_str_eq(text_of(&why), "no such file or folder");
}
END_TEST

/* ---- The project's own libraries, judged by the program ---- */

enum { TURNED = 15 /* bits that are turned over, one at a time, in each part of a library */ };

typedef struct bytes {
    uint8_t at[4 << 20];
    size_t n;
} bytes;

static bytes whole, broken;
static const char scratch[] = "./broken.tmp";
static char program[4096], folder[4096];

static int read_file(const char *path, bytes *b)
{
    FILE *f = fopen(path, "rb");

    if (!f) return 0;
    b->n = fread(b->at, 1, sizeof b->at, f);
    fclose(f);
    return b->n < sizeof b->at;
}

static void write_file(const char *path, const bytes *b)
{
    FILE *f = fopen(path, "wb");

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(b->at, 1, b->n, f), b->n);
    ck_assert_int_eq(fclose(f), 0);
}

/* The program in a child: its exit status, or 1000 and the signal that ended it. What it said is in why. */
static int run_program(const char *const *words)
{
    os_process *child;
    os_exit exit = { 0, 0, 0 };
    char piece[512];
    ptrdiff_t got;

    text_clear(&why);
    ck_assert_int_eq(os_process_start(words, &child, &why), TW_OK);
    os_wanted wanted = { child, OS_OUTPUT | OS_ERRORS, 0 };
    while (wanted.streams) {
        os_process_wait(&wanted, 1, 0, INT64_C(1000000000));
        for (int stream = OS_OUTPUT; stream <= OS_ERRORS; stream++) {
            if (!(wanted.streams & stream)) continue;
            while ((got = os_process_read(child, stream, piece, sizeof piece)) > 0)
                text_add(&why, piece, (size_t)got);
            if (got == 0) wanted.streams &= ~stream;
        }
    }
    while (!os_process_ended(child, &exit)) os_sleep(100000);
    os_process_free(child);
    return exit.signal ? 1000 + exit.signal : exit.status;
}

static int checked(const char *path)
{
    const char *const words[] = { program, "check", path, NULL };
    return run_program(words);
}

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % n;
}

/* The last byte that one of the segments has in the file. */
static size_t reach(const bytes *b)
{
    size_t last = 0;

    for (unsigned k = 0; k < tw_u16(b->at + 56); k++) {
        const uint8_t *s = b->at + tw_u64(b->at + 32) + 56 * k;
        if (tw_u32(s) == 1 && tw_u64(s + 8) + tw_u64(s + 32) > last) last = tw_u64(s + 8) + tw_u64(s + 32);
    }
    return last;
}

static size_t count(const char *in, const char *what)
{
    size_t n = 0;

    for (const char *at = in; (at = strstr(at, what)); at++) n++;
    return n;
}

/* A whole one is refused only for its name here; one that was cut off is refused before the system sees it. */
static void cut_at_50_places(const char *name)
{
    const char *const words[] = { program, "plugins", "--plugins", scratch, NULL };
    char path[512];
    size_t cut = 0;

    for (int k = 0; k < 50; k++) {
        size_t n = k < 40 ? whole.n * (unsigned)k / 40 : reach(&whole) - 5 + (unsigned)k - 40;
        memcpy(broken.at, whole.at, n);
        broken.n = n;
        cut += n >= 64 && n < reach(&whole);
        snprintf(path, sizeof path, "%s/at%d%s", scratch, k, os_library_suffix);
        write_file(path, &broken);
        if (k < 39 || k > 46) continue;
        int status = checked(path); /* a child for each of these, which lie around the end of the segments */
        ck_assert_msg(status == 1 &&
                          strstr(text_of(&why), n < reach(&whole) ? ": it is cut off: " : "it says its name is"),
                      "%s cut to %lu bytes: %d: %s", name, (unsigned long)n, status, text_of(&why));
    }
    ck_assert_int_eq(run_program(words), 0);
    ck_assert_msg(count(text_of(&why), "refused: it is cut off: ") == cut, "%s", text_of(&why));
    ck_assert_msg(count(text_of(&why), "refused: it says its name is ") == 49 - cut, "%s", text_of(&why));
    ck_assert_uint_eq(count(text_of(&why), "refused: it is empty"), 1);
    for (int k = 0; k < 50; k++) {
        snprintf(path, sizeof path, "%s/at%d%s", scratch, k, os_library_suffix);
        remove(path);
    }
}

/* Bits turned over in a part of the file; how many of `times` ended the child. */
static int turn_bits(const char *path, size_t from, size_t n, int times)
{
    int ended = 0;

    for (int k = 0; k < times; k++) {
        broken = whole;
        broken.at[from + random_below((uint32_t)n)] ^= (uint8_t)(1u << random_below(8));
        write_file(path, &broken);
        int status = checked(path);
        ended += status != 0 && status != 1;
        if (status == 1) ck_assert_uint_gt(why.n, 0);
    }
    return ended;
}

static int find_program(void)
{
    const char *build = getenv("TW_TEST_BUILD");

    if (!build || strcmp(os_library_suffix, ".so")) {
        printf("skipped: TW_TEST_BUILD does not name the folder of a build for ELF\n");
        return 0;
    }
    snprintf(program, sizeof program, "%s/traceweir", build);
    snprintf(folder, sizeof folder, "%s/plugins", build);
    return os_is_folder(folder); /* all plugins may be built in */
}

static void break_one(void *context, const char *name)
{
    int *ended = context;
    char path[8192], copy[256];

    if (!strstr(name, os_library_suffix)) return;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(copy, sizeof copy, "%s/%s", scratch, name);
    if (!read_file(path, &whole)) return;
    ck_assert_uint_gt(reach(&whole), 0x1000);
    write_file(copy, &whole);
    ck_assert_int_eq(checked(copy), 0);
    ended[0] += turn_bits(copy, 0, 64, TURNED);
    ended[1] += turn_bits(copy, 64, 56 * (size_t)tw_u16(whole.at + 56), TURNED);
    ended[2]++;
    remove(copy);
    cut_at_50_places(name);
}

START_TEST(own_libraries_broken)
{
    int ended[3] = { 0 };

    if (!find_program()) return;
    random_state = 20261130;
    ck_assert_int_eq(os_make_folder(scratch, &why), TW_OK);
    os_list(folder, break_one, ended, &why);
    ck_assert_int_gt(ended[2], 0);
    ck_assert_int_eq(ended[0], 0);
    printf(
        "%d libraries, %d times each with a bit turned over in the table of segments: %d times the system's loader "
        "ended the program\n",
        ended[2], TURNED, ended[1]);
    os_remove(scratch);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("library");
    TCase *c = tcase_create("library");

    tcase_add_checked_fixture(c, NULL, teardown);
    tcase_set_timeout(c, 60); /* some hundred children */
    tcase_add_test(c, elf_headers);
    tcase_add_test(c, elf_segments);
    tcase_add_test(c, elf_cut_off);
    tcase_add_test(c, pe_headers);
    tcase_add_test(c, other_files);
    tcase_add_test(c, own_libraries_broken);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
