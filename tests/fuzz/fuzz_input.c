/* fuzz_input.c - any bytes as an input, from a file and from memory; where they begin like zstd or gzip they are unpacked.

   What a stream gives and what is read at offsets are the same bytes, whichever way is taken first, in whatever pieces;
   and both say the same about damage. The first byte decides the pieces. The seeds are a few words as zstd packs them: one
   frame, two, one with a checksum, one behind a skippable frame, one cut off, and the words as they are; and as gzip packs
   them: one stream, two, one cut off, one with something behind. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "os.h"

enum { MOST = 1024 /* bytes of input: a few bytes of zstd can stand for many */ };

typedef struct stream {
    uint8_t *at;
    size_t n, room;
    text error;
} stream;

static void receive_all(tw_input *i, size_t piece, stream *out)
{
    ptrdiff_t got;

    do {
        if (out->room - out->n < piece) out->at = mem_grow(out->at, out->room = 2 * out->room + piece);
        got = input_receive(i, out->at + out->n, piece);
        if (got > 0) out->n += (size_t)got;
    } while (got > 0);
    if ((got < 0) != (*input_error(i) != 0)) abort();
    text_put(&out->error, input_error(i));
}

static void check_window(tw_input *i, const stream *s, uint64_t offset, size_t n)
{
    void *window;
    const uint8_t *at = input_at(i, offset, n, &window);

    if ((at != NULL) != (offset <= s->n && n <= s->n - offset)) abort();
    if (!at) return;
    if (n && memcmp(at, s->at + offset, n)) abort();
    if (!input_shows(window, at, n) || input_shows(window, at, s->n + 1)) abort();
    input_unmap(window);
}

static void check_windows(tw_input *i, const stream *s, size_t step)
{
    uint64_t size;

    for (uint64_t offset = 0; offset < s->n; offset += 1 + s->n / 7) check_window(i, s, offset, step);
    check_window(i, s, 0, s->n);
    check_window(i, s, 0, s->n + 1);
    check_window(i, s, s->n, 0);
    check_window(i, s, s->n, 1);
    check_window(i, s, UINT64_MAX, 2);
    input_name(i, &size);
    if (!s->n && s->error.n ? size != UINT64_MAX : size != s->n) abort(); /* what failed at once is not empty */
    if (strcmp(input_error(i), text_of(&s->error))) abort();
}

static void write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f)) abort();
}

static tw_input *open_file(const char *path)
{
    tw_input *i;
    text why = { 0 };

    if (input_open(path, &i, &why) != 0) abort();
    text_free(&why);
    return i;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static text path;
    stream first = { 0 }, second = { 0 }, memory = { 0 };

    if (n < 1 || n > MOST) return 0;
    size_t piece = 1 + (size_t)bytes[0] * bytes[0];
    if (!path.n) {
        char *folder = os_scratch_folder();
        text_format(&path, "%s/traceweir-fuzz-%d.tmp", folder, os_process_id());
        free(folder);
    }
    write_file(text_of(&path), bytes + 1, n - 1);

    tw_input *i = open_file(text_of(&path));
    receive_all(i, piece < 64 ? 64 + piece : piece, &first);
    check_windows(i, &first, piece);
    input_close(i);
    i = open_file(text_of(&path)); /* the other way round */
    check_windows(i, &first, piece);
    receive_all(i, 4096, &second);
    if (second.n != first.n || (first.n && memcmp(first.at, second.at, first.n))) abort();
    input_close(i);
    i = input_of_bytes(bytes + 1, n - 1, text_of(&path));
    receive_all(i, piece, &memory);
    if (memory.n != n - 1 || (n > 1 && memcmp(memory.at, bytes + 1, n - 1))) abort();
    check_windows(i, &memory, piece);
    input_close(i);
    remove(text_of(&path));

    free(first.at);
    free(second.at);
    free(memory.at);
    text_free(&first.error);
    text_free(&second.error);
    text_free(&memory.error);
    return 0;
}
