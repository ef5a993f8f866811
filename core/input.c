/* input.c - what a source reads: a file, standard input, or a .zst of either.

   Three layers: raw bytes as the file has them; the bytes in it (unpacked, where it is zstd); and a store that can be
   read anywhere, which is the file itself or a scratch file. Windows into the store are blocks. */
#include "input.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "guard.h"
#include "os.h"

/* ---- Blocks ----------------------------------------------------------------------------------------

   Only the input's own stage takes blocks, but any thread gives them back: onto the `returned` stack, which the taker
   empties as a whole, so that no element is ever popped while others push. The pool itself lives as long as its input
   or any block in use. */

enum { SMALLEST_SHIFT = 8, CLASSES = 64 - SMALLEST_SHIFT }; /* blocks of 256 bytes, 512, 1024 … */

typedef struct pool pool;

typedef struct block {
    pool *home;
    struct block *next; /* in a list of the pool */
    atomic_uint users;
    unsigned class;
    uint64_t offset; /* what it shows: n bytes of the store from there on */
    size_t n;
    _Alignas(16) uint8_t bytes[];
} block;

struct pool {
    atomic_uint users; /* blocks in use, and the input */
    _Atomic(block *) returned;
    block *idle[CLASSES];
};

static void free_blocks(block *b)
{
    while (b) {
        block *next = b->next;
        UNGUARD(b->bytes, (size_t)1 << (b->class + SMALLEST_SHIFT));
        free(b);
        b = next;
    }
}

static void pool_leave(pool *p)
{
    if (atomic_fetch_sub_explicit(&p->users, 1, memory_order_acq_rel) != 1) return;
    free_blocks(atomic_load(&p->returned));
    for (int i = 0; i < CLASSES; i++) free_blocks(p->idle[i]);
    free(p);
}

static unsigned class_of(size_t n)
{
    unsigned class = 0;
    while ((size_t)1 << (class + SMALLEST_SHIFT) < n) class ++;
    return class;
}

static block *block_take(pool *p, uint64_t offset, size_t n)
{
    unsigned class = class_of(n);

    if (!p->idle[class]) {
        block *next;
        for (block *b = atomic_exchange_explicit(&p->returned, NULL, memory_order_acquire); b; b = next) {
            next = b->next;
            b->next = p->idle[b->class];
            p->idle[b->class] = b;
        }
    }
    block *b = p->idle[class];
    if (b) {
        p->idle[class] = b->next;
    } else {
        b = mem_grow(NULL, sizeof *b + ((size_t)1 << (class + SMALLEST_SHIFT)));
        b->home = p;
        b->class = class;
        GUARD(b->bytes, (size_t)1 << (class + SMALLEST_SHIFT));
    }
    UNGUARD(b->bytes, n);
    atomic_init(&b->users, 1);
    b->offset = offset;
    b->n = n;
    atomic_fetch_add_explicit(&p->users, 1, memory_order_relaxed);
    return b;
}

static block *block_share(block *b)
{
    atomic_fetch_add_explicit(&b->users, 1, memory_order_relaxed);
    return b;
}

void input_unmap(void *window)
{
    block *b = window;

    if (!b || atomic_fetch_sub_explicit(&b->users, 1, memory_order_acq_rel) != 1) return;
    pool *p = b->home;
    GUARD(b->bytes, b->n);
    b->next = atomic_load_explicit(&p->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&p->returned, &b->next, b, memory_order_release,
                                                  memory_order_relaxed)) {}
    pool_leave(p);
}

int input_shows(const void *window, const void *at, size_t n)
{
    const block *b = window;
    uintptr_t begin = (uintptr_t)b->bytes, from = (uintptr_t)at;

    return from >= begin && from - begin <= b->n && n <= b->n - (from - begin);
}

/* ---- The input ---- */

enum {
    MAGIC = 4,           /* bytes that tell what a file is */
    FRAME_START = 5,     /* bytes the decoder wants of a new frame */
    BLOCK_HEADER = 3,    /* bytes that precede each of its blocks */
    PACKED = 128 << 10,  /* bytes read at once of what is compressed */
    SPOOLED = 256 << 10, /* bytes written at once to a scratch file */
    LOOK = 16 << 20      /* bytes of it after which the room on its disk is looked at */
};
static const uint64_t UNKNOWN = ~(uint64_t)0;

struct tw_input {
    char *name;
    text error; /* the first failure, a sentence */
    pool *pool;
    block *last; /* the window given last: asking again for a part of it reads nothing */

    os_file *file;     /* as opened; NULL: all bytes are in `last` */
    int standard;      /* it is standard input */
    os_file *store;    /* the bytes in any order: `file`, a scratch file, or NULL until that is wanted */
    uint64_t size;     /* of the bytes; UNKNOWN until their end was seen */
    uint64_t received; /* how far the stream has come */
    int ended;         /* the next layer gives no more: the end, or a failure */

    uint64_t raw; /* offset of the next raw byte */
    uint8_t head[MAGIC];
    size_t nhead; /* bytes of `head` that a pipe has already given */

    ZSTD_DCtx *unpacker; /* NULL where the bytes are what they are */
    uint8_t *packed;
    size_t packed_at, packed_n; /* of `packed`: used, there */
    size_t hint;                /* how many bytes the decoder wants next; 0: between two frames */
    uint64_t frame;             /* offset of the frame it is in */
    int holds_back;             /* it may have bytes that did not fit into what was asked for */
};

static void input_fail(tw_input *i, const char *format, ...) PRINTF_LIKE(2, 3);

static void input_fail(tw_input *i, const char *format, ...)
{
    va_list args;

    i->ended = 1;
    if (i->error.n) return;
    va_start(args, format);
    text_format_list(&i->error, format, args);
    va_end(args);
}

/* Raw bytes, in order: how many, 0 at the end, -1. */
static ptrdiff_t raw_read(tw_input *i, void *to, size_t n)
{
    text why = { 0 };
    ptrdiff_t got;

    if (i->nhead) {
        got = (ptrdiff_t)(n < i->nhead ? n : i->nhead);
        memcpy(to, i->head, (size_t)got);
        i->nhead -= (size_t)got;
        memmove(i->head, i->head + got, i->nhead);
    } else if (os_is_regular(i->file)) {
        got = os_read_at(i->file, i->raw, to, n, &why);
    } else {
        got = os_read(i->file, to, n, &why);
    }
    if (got < 0) input_fail(i, "%s cannot be read at offset %" PRIu64 ": %s", i->name, i->raw, text_of(&why));
    if (got > 0) i->raw += (uint64_t)got;
    text_free(&why);
    return got;
}

/* More packed bytes: 0 where there are none. */
static int unpack_more(tw_input *i)
{
    ptrdiff_t got = raw_read(i, i->packed, PACKED);

    i->packed_at = 0;
    i->packed_n = got > 0 ? (size_t)got : 0;
    if (got == 0) {
        i->ended = 1;
        if (i->hint) input_fail(i, "%s is cut off: the zstd frame ends early, at offset %" PRIu64, i->name, i->raw);
    }
    return got > 0;
}

/* How many bytes to feed the decoder: what it asks for, which is a block at a time, but without the header of the
   next block, and nothing while it holds bytes back that there was no room for. So a fault that it meets never costs
   the bytes before. */
static size_t portion(const tw_input *i)
{
    size_t left = i->packed_n - i->packed_at, n = i->hint ? i->hint : FRAME_START;

    if (i->holds_back) return 0;
    if (n > BLOCK_HEADER) n -= BLOCK_HEADER;
    return n < left ? n : left;
}

/* 1 where the bytes, as far as they go, begin a zstd frame or a skippable one, which some packers put first. */
static int begins_frame(const uint8_t *at, size_t n)
{
    static const uint8_t magic[MAGIC] = { 0x28, 0xB5, 0x2F, 0xFD }, skippable[MAGIC] = { 0x50, 0x2A, 0x4D, 0x18 };

    if (n > MAGIC) n = MAGIC;
    if (!n) return 0;
    return !memcmp(at, magic, n) || ((at[0] & 0xF0) == skippable[0] && !memcmp(at + 1, skippable + 1, n - 1));
}

/* What follows the last frame is none; the frames before are good. */
static void ignore_rest(tw_input *i)
{
    uint64_t n = os_is_regular(i->file) ? os_size(i->file) - i->frame : 0;
    text rest = { 0 };

    if (n)
        text_format(&rest, "%" PRIu64 " byte%s", n, n > 1 ? "s" : "");
    else
        text_put(&rest, "all bytes");
    input_fail(i, "%s goes on behind its last zstd frame with what is none; ignored: %s from offset %" PRIu64 " on",
               i->name, text_of(&rest), i->frame);
    text_free(&rest);
}

static void unpack_failed(tw_input *i, size_t code)
{
    if (i->frame && ZSTD_getErrorCode(code) == ZSTD_error_prefix_unknown)
        ignore_rest(i);
    else
        input_fail(i, "%s is damaged: zstd finds at offset %" PRIu64 ": %s", i->name,
                   i->raw - (i->packed_n - i->packed_at), ZSTD_getErrorName(code));
}

/* Between two frames: 0 where what comes next is none. */
static int next_frame(tw_input *i)
{
    i->frame = i->raw - (i->packed_n - i->packed_at);
    if (!i->frame || begins_frame(i->packed + i->packed_at, i->packed_n - i->packed_at)) return 1;
    ignore_rest(i);
    return 0;
}

/* Unpacked bytes, in order, of all frames there are. */
static ptrdiff_t unpack(tw_input *i, void *to, size_t n)
{
    ZSTD_outBuffer out = { to, n, 0 };

    while (out.pos < n && !i->ended) {
        size_t feed = portion(i);
        if (!feed && !i->holds_back) {
            if (out.pos || !unpack_more(i)) break;
            continue;
        }
        if (!i->hint && !next_frame(i)) break;
        ZSTD_inBuffer in = { i->packed + i->packed_at, feed, 0 };
        size_t hint = ZSTD_decompressStream(i->unpacker, &out, &in);
        if (ZSTD_isError(hint)) {
            unpack_failed(i, hint);
            break;
        }
        i->packed_at += in.pos;
        i->hint = hint;
        i->holds_back = hint && out.pos == n;
    }
    return out.pos || !i->error.n ? (ptrdiff_t)out.pos : -1;
}

static ptrdiff_t next_bytes(tw_input *i, void *to, size_t n)
{
    if (i->ended) return i->error.n ? -1 : 0;
    return i->unpacker ? unpack(i, to, n) : raw_read(i, to, n);
}

/* Back to the first raw byte; a pipe is still there. */
static void restart(tw_input *i)
{
    i->ended = 0;
    i->raw = 0;
    i->packed_at = i->packed_n = i->hint = 0;
    i->holds_back = 0;
    if (i->unpacker) ZSTD_DCtx_reset(i->unpacker, ZSTD_reset_session_only);
}

/* A few bytes of zstd can become any number, so a scratch file stops before its disk is full: others need it, too. */
static int leaves_room(const char *folder, text *why)
{
    uint64_t left, all, keep = 1 << 30;

    if (!os_room(folder, &left, &all)) return 1;
    if (all / 20 < keep) keep = all / 20;
    if (left >= keep) return 1;
    text_put(why, "the disk is nearly full");
    return 0;
}

/* Copies all bytes to the scratch file, or as many as there are before a failure. */
static void fill_store(tw_input *i, const char *folder)
{
    text why = { 0 };
    uint8_t *bytes = mem_grow(NULL, SPOOLED);
    uint64_t looked = 0;
    ptrdiff_t got;

    i->size = 0;
    while ((got = next_bytes(i, bytes, SPOOLED)) > 0) {
        if (os_interrupted()) {
            input_fail(i, "%s was not read to its end: interrupted", i->name);
            break;
        }
        int room = 1;
        if (i->size - looked >= LOOK) {
            looked = i->size;
            room = leaves_room(folder, &why);
        }
        if (!room || os_write(i->store, bytes, (size_t)got, &why) != TW_OK) {
            input_fail(i,
                       "%s is too large for a scratch file in the folder %s: after %" PRIu64
                       " MiB %s; %s may name a folder "
                       "with more room",
                       i->name, folder, i->size >> 20, text_of(&why), os_scratch_variable);
            break;
        }
        i->size += (uint64_t)got;
    }
    free(bytes);
    text_free(&why);
}

/* Makes the store of an input that is compressed or no file: 0 where there can be none. */
static int make_store(tw_input *i)
{
    text why = { 0 };

    if (i->store) return 1;
    if (i->received && !os_is_regular(i->file)) {
        input_fail(i, "%s was read as a stream already: it cannot be read again from the start", i->name);
        return 0;
    }
    char *folder = os_scratch_folder();
    if (os_scratch(&i->store, &why) == TW_OK) {
        restart(i);
        fill_store(i, folder);
    } else {
        input_fail(i,
                   "%s needs a scratch file, and none can be made in the folder %s: %s; %s names the folder for it",
                   i->name, folder, text_of(&why), os_scratch_variable);
    }
    free(folder);
    text_free(&why);
    return i->store != NULL;
}

/* ---- What others call ---- */

/* 1 where a file is zstd; a part of the magic number will do, if it is no text. */
static int is_zstd(const uint8_t *head, size_t n)
{
    return begins_frame(head, n) && (n == MAGIC || (n > 1 && head[1] >= 0x80));
}

/* What kind of bytes these are: TW_OK, TW_ERROR. */
static int look_at_head(tw_input *i, text *why)
{
    uint8_t head[MAGIC];
    size_t n = 0;
    ptrdiff_t got = 1;

    if (os_is_regular(i->file)) {
        got = os_read_at(i->file, 0, head, MAGIC, why);
        if (got > 0) n = (size_t)got;
    } else {
        while (n < MAGIC && got > 0) {
            got = os_read(i->file, head + n, MAGIC - n, why);
            if (got > 0) n += (size_t)got;
        }
        memcpy(i->head, head, n);
        i->nhead = n;
    }
    if (got < 0) return TW_ERROR;
    if (is_zstd(head, n)) {
        i->unpacker = ZSTD_createDCtx();
        i->packed = mem_grow(NULL, PACKED);
        if (!i->unpacker) return text_put(why, "no memory for zstd"), TW_ERROR;
    } else if (os_is_regular(i->file)) {
        i->store = i->file;
        i->size = os_size(i->file);
    }
    return TW_OK;
}

static tw_input *input_new(const char *name)
{
    tw_input *i = mem_new(sizeof *i);
    i->name = mem_text(name, strlen(name));
    i->size = UNKNOWN;
    i->pool = mem_new(sizeof *i->pool);
    atomic_init(&i->pool->users, 1);
    atomic_init(&i->pool->returned, NULL);
    return i;
}

static atomic_int standard_is_open;

int input_is_taken(const char *path)
{
    return strcmp(path, "-") == 0 && atomic_load(&standard_is_open);
}

int input_open(const char *path, tw_input **out, text *why)
{
    int standard = strcmp(path, "-") == 0;
    tw_input *i = input_new(standard ? "standard input" : path);
    text fact = { 0 };

    i->standard = standard && !atomic_exchange(&standard_is_open, 1);
    if (standard && !i->standard) text_put(&fact, "it is named twice, and can be read once only");
    if (!fact.n && os_open(path, &i->file, &fact) == TW_OK && look_at_head(i, &fact) == TW_OK) {
        *out = i;
    } else {
        text_format(why, "%s cannot be opened: %s", i->name, text_of(&fact));
        input_close(i);
        *out = NULL;
    }
    text_free(&fact);
    return *out ? TW_OK : TW_ERROR;
}

tw_input *input_of_bytes(const void *bytes, size_t n, const char *name)
{
    tw_input *i = input_new(name);
    i->last = block_take(i->pool, 0, n);
    if (n) memcpy(i->last->bytes, bytes, n);
    i->size = n;
    return i;
}

void input_close(tw_input *i)
{
    if (!i) return;
    input_unmap(i->last);
    pool_leave(i->pool);
    if (i->store != i->file) os_close(i->store);
    os_close(i->file);
    if (i->standard) atomic_store(&standard_is_open, 0);
    ZSTD_freeDCtx(i->unpacker);
    free(i->packed);
    free(i->name);
    text_free(&i->error);
    free(i);
}

const char *input_name(tw_input *i, uint64_t *bytes)
{
    if (bytes) *bytes = !i->size && i->error.n ? UNKNOWN : i->size; /* what failed at once is not empty */
    return i->name;
}

const char *input_error(tw_input *i)
{
    return text_of(&i->error);
}

static int is_within(uint64_t offset, size_t n, uint64_t from, uint64_t size)
{
    return offset >= from && offset - from <= size && n <= size - (offset - from);
}

/* Reads a window into `last`. */
static int read_window(tw_input *i, uint64_t offset, size_t n)
{
    text why = { 0 };

    if (!is_within(offset, n, 0, i->size)) {
        if (!i->store || i->store != i->file) return 0;
        i->size = os_size(i->file); /* a file may grow while it is read */
        if (!is_within(offset, n, 0, i->size)) return 0;
    }
    input_unmap(i->last);
    i->last = block_take(i->pool, offset, n);
    ptrdiff_t got = os_read_at(i->store, offset, i->last->bytes, n, &why);
    if (got < 0) {
        input_fail(i, "%s cannot be read at offset %" PRIu64 ": %s", i->name, offset, text_of(&why));
    } else if ((size_t)got < n) {
        input_fail(i, "%s shrank while it was read: it ends before offset %" PRIu64, i->name, offset + n);
    }
    text_free(&why);
    if (got >= 0 && (size_t)got == n) return 1;
    input_unmap(i->last);
    i->last = NULL;
    return 0;
}

const uint8_t *input_at(tw_input *i, uint64_t offset, size_t n, void **window)
{
    *window = NULL;
    if (i->file && !make_store(i)) return NULL;
    if (!i->last || !is_within(offset, n, i->last->offset, i->last->n)) {
        if (!read_window(i, offset, n)) return NULL;
    }
    *window = block_share(i->last);
    return i->last->bytes + (offset - i->last->offset);
}

ptrdiff_t input_receive(tw_input *i, void *bytes, size_t n)
{
    text why = { 0 };
    ptrdiff_t got;

    if (!i->file) {
        uint64_t left = i->size - i->received;
        got = (ptrdiff_t)(n < left ? n : left);
        memcpy(bytes, i->last->bytes + i->received, (size_t)got);
    } else if (i->store) {
        got = os_read_at(i->store, i->received, bytes, n, &why);
        if (got < 0)
            input_fail(i, "%s cannot be read at offset %" PRIu64 ": %s", i->name, i->received, text_of(&why));
        if (got == 0 && n && i->error.n) got = -1;
    } else {
        got = next_bytes(i, bytes, n);
        if (got == 0 && n) i->size = i->received;
    }
    if (got > 0) i->received += (uint64_t)got;
    text_free(&why);
    return got;
}
