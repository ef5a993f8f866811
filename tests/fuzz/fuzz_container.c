/* fuzz_container.c - any bytes as an archive; those that begin like one are listed, and what fits is unpacked.

   Opened twice it is the same twice, read in order and anywhere; no name has in it what a terminal would act on, or a path
   that leads away; and what is not whole has its sentence. The first byte decides what is wanted. The seeds are a .zip
   with members stored and deflated, one in another, with a .gz and with hostile names; a .7z; a .cab; each of a few
   bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "os.h"

enum { MOST = 2048, PIECE = 64 << 10 /* bytes */ };

static void write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f)) abort();
}

/* Bytes that can be received, added up so that order matters. */
static uint64_t receive_all(tw_input *in, uint64_t *n)
{
    static uint8_t piece[PIECE];
    uint64_t sum = 0;
    ptrdiff_t got;

    *n = 0;
    while ((got = input_receive(in, piece, PIECE)) > 0) {
        for (ptrdiff_t i = 0; i < got; i++) sum = sum * 31 + piece[i];
        *n += (uint64_t)got;
    }
    if ((got < 0) != (*input_error(in) != 0)) abort();
    return sum;
}

static void check_text(const char *words)
{
    for (const char *c = words; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F) abort();
}

static void check_name(const char *name, const char *path)
{
    check_text(name);
    if (strncmp(name, path, strlen(path)) != 0) abort();
    name += strlen(path);
    if (*name && *name != '!') abort();
    if (*name && (name[1] == '/' || !strncmp(name, "!../", 4) || strstr(name, "/../") || strpbrk(name, "\\:")))
        abort();
}

static void check_same(tw_input *a, tw_input *b, const char *path)
{
    uint64_t n, same, size;
    void *window;
    const char *name = input_name(a, &size);

    if (strcmp(name, input_name(b, &size)) != 0) abort();
    check_name(name, path);
    uint64_t sum = receive_all(a, &n);
    if (n) { /* the other one is asked for its last byte first */
        const uint8_t *at = input_at(b, n - 1, 1, &window);
        if (!at) abort();
        input_unmap(window);
    }
    if (input_at(b, n, 1, &window)) abort();
    if (receive_all(b, &same) != sum || same != n || strcmp(input_error(a), input_error(b)) != 0) abort();
    check_text(input_error(a));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const patterns[] = { "*", "*.etl|*.man", "*.etl", NULL };
    static text path;
    inputs first = { 0 }, second = { 0 };
    text why = { 0 }, again = { 0 };

    if (n < 1 || n > MOST) return 0;
    if (!path.n) {
        char *folder = os_scratch_folder();
        text_format(&path, "%s/traceweir-fuzz-container-%d.tmp", folder, os_process_id());
        free(folder);
    }
    write_file(text_of(&path), bytes + 1, n - 1);
    int many = (bytes[0] & 4) == 0;
    const char *wanted = patterns[bytes[0] & 3];
    int rc = inputs_add(&first, text_of(&path), wanted, many, &why);
    if (rc != inputs_add(&second, text_of(&path), wanted, many, &again)) abort();
    if ((rc == 0) != (why.n == 0) || strcmp(text_of(&why), text_of(&again)) != 0) abort();
    check_text(text_of(&why));
    if (first.n != second.n || first.nchosen != second.nchosen || first.nchosen > first.n) abort();
    if (rc == 0 && (many ? !first.nchosen : first.nchosen != 1)) abort();
    for (uint32_t i = 0; i < first.nchosen; i++) check_same(first.chosen[i], second.chosen[i], text_of(&path));
    inputs_close(&first);
    inputs_close(&second);
    text_free(&why);
    text_free(&again);
    remove(text_of(&path));
    return 0;
}
