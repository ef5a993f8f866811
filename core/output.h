/* output.h - what a sink writes: whole or marked.

   One idea: bytes go to a temporary file beside the wanted one; finish(keep) syncs and renames it, so a reader sees
   the whole file or none. An output that is given up keeps what it has as NAME.partial. `-` is standard output. A name
   that ends in .zst is compressed (zstd, level 3, on a thread of its own where there is more than one core). */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "text.h"
#include "tw_plugin.h"

int output_open(const char *path, tw_output **out,
                text *why); /* folders above must exist; why: a sentence with the path */
/* TW_OK, or TW_ERROR: the first failure is kept and said by finish again. TW_END once the reader of a pipe is gone. */
int output_write(tw_output *o, const void *bytes, size_t n);
int output_pass_on(tw_output *o); /* to a stream that others read: all that was written so far */
/* Bytes written before, overwritten in the file. TW_END where that cannot be: a stream, a device, compressed. */
int output_rewrite(tw_output *o, uint64_t offset, const void *bytes, size_t n);
/* As write, and frees o. With keep 0, or after a failure, what was written is NAME.partial; nothing leaves nothing. */
int output_finish(tw_output *o, int keep, text *why);
const char *output_partial(const tw_output *o); /* where it is kept if it is not whole; "": of a stream nothing is */
uint64_t output_bytes(const tw_output *o);      /* taken so far, before compression */
const char *output_error(const tw_output *o);   /* "" or the first failure, a sentence with the path */
/* `before` is called before something is written to a terminal, which may show something else; NULL: nobody is. */
void output_tell(void (*before)(void *context), void *context);
/* For a process that ends here and now, whoever is writing: files that are not whole become NAME.partial, without what
   still waits in a buffer. No output can be opened or finished any more. */
void outputs_give_up(void);

#endif
