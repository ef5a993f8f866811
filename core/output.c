/* output.c - what a sink writes: whole or marked.

   Bytes are gathered in a buffer; a full one goes to the file, through zstd where the name ends in .zst. The first
   failure is kept: from then on nothing is written, and finish marks the output as partial. */
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "os.h"

enum { BUFFER = 128 << 10, LEVEL = 3 }; /* bytes; zstd's own default */

struct tw_output {
    char *path;      /* as people know it */
    char *temporary; /* where the bytes go until they are whole; NULL: they go to their place at once */
    os_file *file;
    text error;     /* the first failure, a sentence */
    int status;     /* TW_OK, TW_END: the reader is gone, TW_ERROR: see `error` */
    int live;       /* a person watches: nothing waits in the buffer */
    uint64_t taken; /* bytes given to us, all of them */
    size_t n;       /* of them still in `buffer` */
    uint8_t *buffer;
    ZSTD_CCtx *packer; /* NULL: not compressed */
    uint8_t *packed;   /* BUFFER bytes of room */
};

static int output_fail(tw_output *o, const char *fact)
{
    o->status = TW_ERROR;
    text_format(&o->error, "%s cannot be written: %s", o->path, fact);
    return TW_ERROR;
}

/* ---- Opening ---- */

static int ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);
    return n > k && strcmp(name + n - k, suffix) == 0;
}

/* The folder a path lies in, "." where it names none; mem_ memory. */
static char *folder_of(const char *path)
{
    size_t n = (size_t)(os_path_name(path) - path);
    return n ? mem_text(path, n) : mem_text(".", 1);
}

/* Opens a new file beside the wanted one, of a name that no other run uses. */
static int open_temporary(tw_output *o, text *fact)
{
    const char *name = os_path_name(o->path);
    text path = { 0 };

    if (!*name || os_is_folder(o->path))
        return text_put(fact, *o->path ? "it is a folder" : "it names no file"), TW_ERROR;
    char *folder = folder_of(o->path);
    int status = TW_ERROR;
    text_add(&path, o->path, (size_t)(name - o->path));
    text_format(&path, ".%s.%d.tmp", name, os_process_id());
    if (!os_is_folder(folder)) {
        text_format(fact, "there is no folder %s", folder);
    } else if (os_exists(path.at)) {
        text_format(fact,
                    "%s is in the way: either this run already writes a file of that name, or one that was "
                    "killed left it behind and it can be removed",
                    path.at);
    } else {
        status = os_create_new(path.at, &o->file, fact);
    }
    if (status == TW_OK) {
        o->temporary = path.at;
    } else {
        text_free(&path);
    }
    free(folder);
    return status;
}

static int open_packer(tw_output *o, text *fact)
{
    o->packer = ZSTD_createCCtx();
    o->packed = mem_grow(NULL, BUFFER);
    if (o->packer && !ZSTD_isError(ZSTD_CCtx_setParameter(o->packer, ZSTD_c_compressionLevel, LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(o->packer, ZSTD_c_checksumFlag, 1)))
        return TW_OK;
    text_put(fact, "no memory for zstd");
    return TW_ERROR;
}

/* Gives back all that an output holds; its files stay as they are. */
static void release(tw_output *o)
{
    os_close(o->file);
    ZSTD_freeCCtx(o->packer);
    free(o->packed);
    free(o->buffer);
    free(o->temporary);
    free(o->path);
    text_free(&o->error);
    free(o);
}

int output_open(const char *path, tw_output **out, text *why)
{
    tw_output *o = mem_new(sizeof *o);
    int standard = strcmp(path, "-") == 0, status = TW_OK;
    const char *name = standard ? "standard output" : path;
    text fact = { 0 };

    *out = NULL;
    o->path = mem_text(name, strlen(name));
    o->buffer = mem_grow(NULL, BUFFER);
    o->live = standard && os_is_terminal(1);
    if (ends_in(path, ".zst")) status = open_packer(o, &fact);
    if (status == TW_OK)
        status = standard || os_is_special(path) ? os_create(path, &o->file, &fact) : open_temporary(o, &fact);
    if (status == TW_OK) {
        *out = o;
    } else {
        text_format(why, "%s cannot be written: %s", name, text_of(&fact));
        release(o);
    }
    text_free(&fact);
    return status;
}

/* ---- Writing ---- */

static int write_file(tw_output *o, const void *bytes, size_t n)
{
    text why = { 0 };
    int status = n ? os_write(o->file, bytes, n, &why) : TW_OK;

    if (status == TW_ERROR) output_fail(o, text_of(&why));
    if (status == TW_END) o->status = TW_END;
    text_free(&why);
    return status;
}

/* Passes bytes on to the file; the last of them end the zstd frame. */
static int pass_on(tw_output *o, const void *bytes, size_t n, int last)
{
    ZSTD_inBuffer in = { bytes, n, 0 };
    size_t left;

    if (!o->packer) return write_file(o, bytes, n);
    do {
        ZSTD_outBuffer out = { o->packed, BUFFER, 0 };
        left = ZSTD_compressStream2(o->packer, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return output_fail(o, ZSTD_getErrorName(left));
        if (write_file(o, o->packed, out.pos) != TW_OK) return o->status;
    } while (last ? left > 0 : in.pos < in.size);
    return TW_OK;
}

static int flush(tw_output *o, int last)
{
    size_t n = o->n;
    o->n = 0;
    return n || last ? pass_on(o, o->buffer, n, last) : TW_OK;
}

int output_write(tw_output *o, const void *bytes, size_t n)
{
    if (o->status != TW_OK || !n) return o->status;
    if (n > BUFFER - o->n && flush(o, 0) != TW_OK) return o->status;
    o->taken += n;
    if (n >= BUFFER) return pass_on(o, bytes, n, 0);
    memcpy(o->buffer + o->n, bytes, n);
    o->n += n;
    return o->live ? flush(o, 0) : TW_OK;
}

int output_rewrite(tw_output *o, uint64_t offset, const void *bytes, size_t n)
{
    uint64_t sent = o->taken - o->n; /* what lies before is in the file, the rest in the buffer */
    const uint8_t *at = bytes;
    text why = { 0 };

    if (o->packer || !o->temporary) return TW_END;
    if (o->status != TW_OK || !n) return o->status;
    if (offset > o->taken || n > o->taken - offset) return output_fail(o, "bytes were to be changed that it has not");
    if (offset < sent) {
        size_t part = n < sent - offset ? n : (size_t)(sent - offset);
        if (os_write_at(o->file, offset, at, part, &why) != TW_OK) output_fail(o, text_of(&why));
        text_free(&why);
        if (o->status != TW_OK) return o->status;
        at += part;
        offset += part;
        n -= part;
    }
    if (n) memcpy(o->buffer + (offset - sent), at, n);
    return TW_OK;
}

/* ---- Finishing ---- */

/* Keeps what there is of an output that is not whole, under a name that says so. */
static void mark_partial(tw_output *o)
{
    text partial = { 0 }, why = { 0 };

    text_format(&partial, "%s.partial", o->path);
    if (!o->taken) {
        os_remove(o->temporary);
    } else if (os_rename(o->temporary, partial.at, &why) != TW_OK) {
        if (o->status != TW_ERROR) output_fail(o, text_of(&why));
        text_format(&o->error, "; what was written is in %s", o->temporary);
    } else if (o->status == TW_ERROR) {
        text_format(&o->error, "; what was written is in %s", partial.at);
    }
    text_free(&partial);
    text_free(&why);
}

/* Gives the temporary file its name, or marks it as partial. */
static void settle(tw_output *o, int keep)
{
    text why = { 0 };

    if (keep && o->status == TW_OK && os_sync(o->file, &why) != TW_OK) output_fail(o, text_of(&why));
    os_close(o->file); /* not every system renames a file that is open */
    o->file = NULL;
    if (keep && o->status == TW_OK && os_rename(o->temporary, o->path, &why) != TW_OK) output_fail(o, text_of(&why));
    if (!keep || o->status != TW_OK) mark_partial(o);
    text_free(&why);
}

int output_finish(tw_output *o, int keep, text *why)
{
    if (o->status == TW_OK) flush(o, 1);
    if (o->temporary) settle(o, keep);
    int status = o->status;
    if (status == TW_ERROR) text_put(why, text_of(&o->error));
    release(o);
    return status;
}

const char *output_path(const tw_output *o)
{
    return o->path;
}

uint64_t output_bytes(const tw_output *o)
{
    return o->taken;
}

const char *output_error(const tw_output *o)
{
    return text_of(&o->error);
}
