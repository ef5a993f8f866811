/* output.c - what a sink writes: whole or marked.

   Bytes are gathered in a buffer; a full one goes to the file, through zstd where the name ends in .zst. The first
   failure is kept: from then on nothing is written, and finish marks the output as partial. */
#include "output.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "os.h"

enum {
    BUFFER = 128 << 10, /* bytes */
    LEVEL = 3,          /* zstd's own default */
    PORTION = 2 << 20   /* bytes that its thread compresses at a time; it holds a few of them */
};

struct tw_output {
    char *path;      /* as people know it */
    char *temporary; /* where the bytes go until they are whole; NULL: they go to their place at once */
    char *place;     /* with a temporary file: where the whole one will be, which is not `path` if that is a link, */
    char *partial;   /* and where one that is not whole is kept */
    os_file *file;
    text error;     /* the first failure, a sentence */
    int status;     /* TW_OK, TW_END: the reader is gone, TW_ERROR: see `error` */
    int screen;     /* it is a terminal */
    int live;       /* somebody reads along, at a terminal or behind a pipe: nothing waits in the buffer */
    uint64_t taken; /* bytes given to us, all of them */
    size_t n;       /* of them still in `buffer` */
    uint8_t *buffer;
    ZSTD_CCtx *packer; /* NULL: not compressed */
    uint8_t *packed;   /* BUFFER bytes of room */
    atomic_int begun;  /* something is in the file */
    tw_output *next;   /* of those with a temporary file */
};

static void (*before_screen)(void *context);
static void *before_context;

/* All outputs with a temporary file, for outputs_give_up. */
static tw_output *unfinished;

static os_mutex *list_lock(void)
{
    static _Atomic(os_mutex *) lock;
    os_mutex *none = NULL, *made;

    if (!atomic_load(&lock) && !atomic_compare_exchange_strong(&lock, &none, made = os_mutex_new()))
        os_mutex_free(made);
    return atomic_load(&lock);
}

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

/* A path beside `place`, its name put between two texts. A name that would get longer than `most` bytes is cut, at the
   beginning of a character. */
static char *beside(const char *place, const char *before, const char *after, size_t most)
{
    const char *name = os_path_name(place);
    size_t n = strlen(name), around = strlen(before) + strlen(after);
    text path = { 0 };

    if (n + around > most)
        for (n = most - around; n && (name[n] & 0xC0) == 0x80;) n--;
    text_add(&path, place, (size_t)(name - place));
    text_put(&path, before);
    text_add(&path, name, n);
    text_put(&path, after);
    return path.at;
}

/* Makes the temporary file. The process' number would not do for its name: in a container every run may have the same,
   and who was killed leaves his file behind. It is no longer than the name itself if that is long, so it is legal, too. */
static int create_temporary(tw_output *o, text *fact)
{
    enum { TRIES = 100, SHORT = 64 };
    size_t n = strlen(os_path_name(o->place));

    for (int k = 0; k < TRIES; k++) {
        uint64_t number = ((uint64_t)os_monotonic() ^ (uint64_t)os_process_id() << 40) * UINT64_C(0x9E3779B97F4A7C15);
        text end = { 0 };
        text_format(&end, ".%08" PRIx32 ".tmp", (uint32_t)(number >> 32));
        o->temporary = beside(o->place, ".", text_of(&end), n > SHORT ? n : SHORT);
        text_free(&end);
        text_clear(fact);
        if (os_create_new(o->temporary, &o->file, fact) == TW_OK) return TW_OK;
        int taken = os_exists(o->temporary);
        free(o->temporary);
        o->temporary = NULL;
        if (!taken) break;
    }
    return TW_ERROR;
}

/* Makes the temporary file, unless another output of this process will be at that place; and lists this one. */
static int claim_place(tw_output *o, text *fact)
{
    const tw_output *other;
    int status = TW_ERROR;

    os_lock(list_lock());
    for (other = unfinished; other && !os_same_place(other->place, o->place);) other = other->next;
    if (other)
        text_put(fact, "this run writes a file of that name already");
    else
        status = create_temporary(o, fact);
    if (status == TW_OK) {
        o->next = unfinished;
        unfinished = o;
    }
    os_unlock(list_lock());
    return status;
}

/* Opens a new file beside the one that will be replaced. */
static int open_temporary(tw_output *o, text *fact)
{
    enum { LONGEST = 255 }; /* bytes that the name of a file may have nearly everywhere */

    if (!*os_path_name(o->path) || os_is_folder(o->path))
        return text_put(fact, *o->path ? "it is a folder" : "it names no file"), TW_ERROR;
    if (os_follow(o->path, &o->place, fact) != TW_OK) return TW_ERROR;
    o->partial = beside(o->place, "", ".partial", LONGEST);
    char *folder = folder_of(o->place);
    int there = os_is_folder(folder);
    if (!there) text_format(fact, "there is no folder %s", folder);
    free(folder);
    if (!there || os_may_replace(o->place, fact) != TW_OK || claim_place(o, fact) != TW_OK) return TW_ERROR;
    os_be_like(o->file, o->place);
    return TW_OK;
}

/* Where there is more than one core, zstd compresses on a thread of its own and takes bytes as long as it has room. A zstd
   that was built without threads refuses, and goes on without. */
static int open_packer(tw_output *o, text *fact)
{
    o->packer = ZSTD_createCCtx();
    o->packed = mem_grow(NULL, BUFFER);
    if (!o->packer || ZSTD_isError(ZSTD_CCtx_setParameter(o->packer, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(o->packer, ZSTD_c_checksumFlag, 1))) {
        text_put(fact, "no memory for zstd");
        return TW_ERROR;
    }
    if (os_cores() > 1 && !ZSTD_isError(ZSTD_CCtx_setParameter(o->packer, ZSTD_c_nbWorkers, 1)))
        ZSTD_CCtx_setParameter(o->packer, ZSTD_c_jobSize, PORTION);
    return TW_OK;
}

/* Gives back all that an output holds; its files stay as they are. */
static void release(tw_output *o)
{
    os_close(o->file);
    ZSTD_freeCCtx(o->packer);
    free(o->packed);
    free(o->buffer);
    free(o->temporary);
    free(o->partial);
    free(o->place);
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
    if (ends_in(path, ".zst")) status = open_packer(o, &fact);
    if (status == TW_OK)
        status = standard || os_is_special(path) ? os_create(path, &o->file, &fact) : open_temporary(o, &fact);
    if (status == TW_OK) {
        o->screen = standard && os_is_terminal(1);
        o->live = standard && !os_is_regular(o->file);
        *out = o;
    } else {
        text_format(why, "%s cannot be written: %s", name, text_of(&fact));
        release(o);
    }
    text_free(&fact);
    return status;
}

/* ---- Writing ---- */

void output_tell(void (*before)(void *context), void *context)
{
    before_screen = before;
    before_context = context;
}

static int write_file(tw_output *o, const void *bytes, size_t n)
{
    text why = { 0 };

    if (n && o->screen && before_screen) before_screen(before_context);
    int status = n ? os_write(o->file, bytes, n, &why) : TW_OK;

    if (status == TW_ERROR) output_fail(o, text_of(&why));
    if (status == TW_END) o->status = TW_END;
    atomic_store_explicit(&o->begun, 1, memory_order_relaxed);
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

int output_pass_on(tw_output *o)
{
    return o->status == TW_OK && !o->temporary && !o->packer ? flush(o, 0) : o->status;
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
    text why = { 0 };

    if (!o->taken) {
        os_remove(o->temporary);
    } else if (os_rename(o->temporary, o->partial, &why) != TW_OK) {
        if (o->status != TW_ERROR) output_fail(o, text_of(&why));
        text_format(&o->error, "; what was written is in %s", o->temporary);
    } else if (o->status == TW_ERROR) {
        text_format(&o->error, "; what was written is in %s", o->partial);
    }
    text_free(&why);
}

/* Gives the temporary file its name, or marks it as partial. */
static void settle(tw_output *o, int keep)
{
    tw_output **at = &unfinished;
    text why = { 0 };

    if (keep && o->status == TW_OK && os_sync(o->file, &why) != TW_OK) output_fail(o, text_of(&why));
    os_lock(list_lock());
    while (*at != o) at = &(*at)->next;
    *at = o->next;
    os_close(o->file); /* not every system renames a file that is open */
    o->file = NULL;
    if (keep && o->status == TW_OK && os_rename(o->temporary, o->place, &why) != TW_OK) output_fail(o, text_of(&why));
    if (!keep || o->status != TW_OK) mark_partial(o);
    os_unlock(list_lock());
    text_free(&why);
}

void outputs_give_up(void)
{
    os_lock(list_lock()); /* and keeps it */
    for (const tw_output *o = unfinished; o; o = o->next) {
        text unused = { 0 };
        if (!atomic_load_explicit(&o->begun, memory_order_relaxed))
            os_remove(o->temporary);
        else
            os_rename(o->temporary, o->partial, &unused);
        text_free(&unused);
    }
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

const char *output_partial(const tw_output *o)
{
    return o->partial ? o->partial : "";
}

uint64_t output_bytes(const tw_output *o)
{
    return o->taken;
}

const char *output_error(const tw_output *o)
{
    return text_of(&o->error);
}
