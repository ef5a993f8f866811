/* input.h - what a source reads: a file, standard input, a member of an archive, or a .zst or .gz of these.

   One idea: every input can be read at any offset. A plain file is read in place by blocks; what is packed or piped
   is first unpacked into a scratch file. Blocks are counted, pooled and copied from the file (not mapped), so a file
   that shrinks or a network share that fails is an error and no crash, and memory is what is being looked at. */
#ifndef INPUT_H
#define INPUT_H

#include "text.h"
#include "tw_plugin.h"

struct container;

int input_open(const char *path, tw_input **out, text *why); /* "-": standard input; why: a sentence with the path */
tw_input *input_of_bytes(const void *bytes, size_t n,
                         const char *name); /* a copy of memory as an input: tests, fuzzing */
int input_is_taken(const char *path);       /* standard input, and open already: it is read once only */
/* A member of an archive, unpacked when it is first looked into; the archive's own input is closed by whoever opened
   it. */
tw_input *input_of_member(struct container *within, uint32_t member, const char *name);
int input_is_archive(tw_input *i);                  /* by its first bytes: one that container.h can open */
void input_note(tw_input *i, const char *sentence); /* a failure that others found, where it has none yet */
void input_close(tw_input *i);                      /* blocks still in use stay valid until unmapped */

/* As in tw_host. `at` gives n bytes from offset on, or NULL where the input ends before or fails (input_error tells).
   How many bytes there are is ~0 for what is compressed or piped, until `at` was called or the stream has ended. */
const char *input_name(tw_input *i, uint64_t *bytes);
const uint8_t *input_at(tw_input *i, uint64_t offset, size_t n, void **window);
void input_unmap(void *window);                                /* from any thread */
int input_shows(const void *window, const void *at, size_t n); /* 1 where the bytes lie in that window */
/* A stream over the unpacked bytes, whatever `at` was asked: how many, 0 at the end, -1 (input_error) after the last
   byte that could be had. A pipe that was received from first can no longer be read by `at`. */
ptrdiff_t input_receive(tw_input *i, void *bytes, size_t n);
/* For what reads files in files: as far as there are bytes, -1 (input_error). size: of it all, as known now. */
ptrdiff_t input_read_at(tw_input *i, uint64_t offset, void *bytes, size_t n, uint64_t *size);
const char *input_error(tw_input *i); /* "" or the first failure, a sentence */

#endif
