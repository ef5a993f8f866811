/* input.c - what a source reads: a file, standard input, a member of an archive, or a .zst or .gz of these.

   Three layers: raw bytes as the file has them; the bytes in it (unpacked, where it is zstd or gzip); and a store
   that can be read anywhere, which is the file itself or a scratch file. Windows into the store are blocks. */
#include "input.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "container.h"
#include "guard.h"
#include "os.h"
#include "packed.h"
#include "spool.h"

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

enum { HEAD = 8 /* bytes that tell what a file is */ };
_Static_assert((int)HEAD >= (int)PACKED_HEAD && (int)HEAD >= (int)CONTAINER_HEAD, "the head is what others look at");
static const uint64_t UNKNOWN = ~(uint64_t)0;

struct tw_input {
    char *name;
    text error; /* the first failure, a sentence */
    pool *pool;
    block *last; /* the window given last: asking again for a part of it reads nothing */

    container *within; /* it is a member of this archive */
    uint32_t member;

    os_file *file; /* NULL for bytes of memory, which are the window for good, and for a member not yet unpacked */
    uint64_t from, upto; /* which bytes of the file are raw ones of this input */
    int owned, standard;
    int is_archive;
    spool copy;        /* what is compressed or piped, once it was wanted anywhere */
    os_file *store;    /* can be read anywhere: `file`, or the copy's; NULL: not yet */
    uint64_t base;     /* where the input begins in it */
    uint64_t size;     /* bytes in the store; UNKNOWN before there is one or the end was received */
    uint64_t received; /* how far the stream has come */
    int ended;         /* the next layer gives no more: the end, or a failure */

    uint64_t raw; /* offset of the next raw byte */
    uint8_t head[HEAD];
    size_t nhead;   /* bytes of `head` that a pipe has already given */
    packed *packed; /* NULL where the bytes are what they are */
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

static int is_regular(const tw_input *i)
{
    return i->within || os_is_regular(i->file);
}

/* Raw bytes, in order: how many, 0 at the end, -1. */
static ptrdiff_t raw_read(void *context, void *to, size_t n)
{
    tw_input *i = context;
    text why = { 0 };
    ptrdiff_t got;

    if (n > i->upto - i->raw) n = (size_t)(i->upto - i->raw);
    if (i->nhead) {
        got = (ptrdiff_t)(n < i->nhead ? n : i->nhead);
        memcpy(to, i->head, (size_t)got);
        i->nhead -= (size_t)got;
        memmove(i->head, i->head + got, i->nhead);
    } else if (is_regular(i)) {
        got = os_read_at(i->file, i->from + i->raw, to, n, &why);
    } else {
        got = os_read(i->file, to, n, &why);
    }
    if (got < 0) input_fail(i, "%s cannot be read at offset %" PRIu64 ": %s", i->name, i->raw, text_of(&why));
    if (got > 0) i->raw += (uint64_t)got;
    text_free(&why);
    return got;
}

/* Back to the first raw byte; a pipe is still there. */
static void raw_restart(void *context)
{
    tw_input *i = context;
    i->ended = 0;
    i->raw = 0;
}

static ptrdiff_t unpack(tw_input *i, void *to, size_t n)
{
    text why = { 0 };
    size_t got = packed_next(i->packed, to, n, &why);

    if (why.n) input_fail(i, "%s", text_of(&why));
    if (packed_ended(i->packed)) i->ended = 1;
    text_free(&why);
    return got || !i->error.n ? (ptrdiff_t)got : -1;
}

static ptrdiff_t next_bytes(tw_input *i, void *to, size_t n)
{
    if (i->ended) return i->error.n ? -1 : 0;
    return i->packed ? unpack(i, to, n) : raw_read(i, to, n);
}

/* Copies all bytes to the scratch file, or as many as there are before a failure. */
static void fill_copy(tw_input *i)
{
    text why = { 0 };
    uint8_t *bytes = mem_grow(NULL, SPOOL_PIECE);
    ptrdiff_t got;

    while ((got = next_bytes(i, bytes, SPOOL_PIECE)) > 0) {
        if (spool_write(&i->copy, i->name, bytes, (size_t)got, &why) == TW_OK) continue;
        input_fail(i, "%s", text_of(&why));
        break;
    }
    i->size = i->copy.size;
    free(bytes);
    text_free(&why);
}

static int look_at_head(tw_input *i, text *why);

/* A member's bytes are part of what its archive was unpacked to; what went wrong there is known from then on. */
static int make_file(tw_input *i)
{
    text why = { 0 };

    if (i->file || !i->within) return i->file != NULL;
    os_file *file = container_member(i->within, i->member, &i->from, &i->upto, &why);
    if (why.n && !i->error.n) text_put(&i->error, text_of(&why));
    text_clear(&why);
    i->file = file;
    if (file && look_at_head(i, &why) != TW_OK) input_fail(i, "%s cannot be read: %s", i->name, text_of(&why));
    text_free(&why);
    return i->file != NULL;
}

/* Makes the store of an input that is compressed or no file: 0 where there can be none. */
static int make_store(tw_input *i)
{
    text why = { 0 };

    if (i->store) return 1;
    if (!make_file(i)) return 0;
    if (i->store) return 1;
    if (i->received && !is_regular(i)) {
        input_fail(i, "%s was read as a stream already: it cannot be read again from the start", i->name);
        return 0;
    }
    if (spool_open(&i->copy, i->name, &why) == TW_OK) {
        if (i->packed)
            packed_restart(i->packed);
        else
            raw_restart(i);
        i->store = i->copy.file;
        fill_copy(i);
    } else {
        input_fail(i, "%s", text_of(&why));
    }
    text_free(&why);
    return i->store != NULL;
}

/* ---- What others call ---- */

/* What kind of bytes these are: TW_OK, TW_ERROR. */
static int look_at_head(tw_input *i, text *why)
{
    uint8_t head[HEAD];
    size_t n = 0;
    ptrdiff_t got = 1;

    if (is_regular(i)) {
        size_t most = i->upto < HEAD ? (size_t)i->upto : HEAD;
        got = os_read_at(i->file, i->from, head, most, why);
        if (got > 0) n = (size_t)got;
    } else {
        while (n < HEAD && got > 0) {
            got = os_read(i->file, head + n, HEAD - n, why);
            if (got > 0) n += (size_t)got;
        }
        memcpy(i->head, head, n);
        i->nhead = n;
    }
    if (got < 0) return TW_ERROR;
    const char *kind = packed_kind(head, n);
    i->is_archive = container_is(head, n);
    if (kind) {
        uint64_t all = i->within ? i->upto : is_regular(i) ? os_size(i->file) : UNKNOWN;
        packed_source from = { raw_read, raw_restart, i, i->name, all };
        i->packed = packed_new(kind, &from);
        if (!i->packed) return text_format(why, "no memory for %s", kind), TW_ERROR;
    } else if (is_regular(i)) {
        i->store = i->file;
        i->base = i->from;
        i->size = i->within ? i->upto : os_size(i->file);
    }
    return TW_OK;
}

static tw_input *input_new(const char *name)
{
    tw_input *i = mem_new(sizeof *i);
    i->name = mem_text(name, strlen(name));
    i->size = i->upto = UNKNOWN;
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

    i->owned = 1;
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

tw_input *input_of_member(container *within, uint32_t member, const char *name)
{
    tw_input *i = input_new(name);
    i->within = container_share(within);
    i->member = member;
    return i;
}

int input_is_archive(tw_input *i)
{
    make_file(i);
    return i->is_archive;
}

void input_note(tw_input *i, const char *sentence)
{
    if (!i->error.n) text_put(&i->error, sentence);
}

void input_close(tw_input *i)
{
    if (!i) return;
    input_unmap(i->last);
    pool_leave(i->pool);
    spool_close(&i->copy);
    if (i->owned) os_close(i->file);
    container_leave(i->within);
    if (i->standard) atomic_store(&standard_is_open, 0);
    packed_free(i->packed);
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
        if (!i->owned || i->store != i->file) return 0;
        i->size = os_size(i->file); /* a file may grow while it is read */
        if (!is_within(offset, n, 0, i->size)) return 0;
    }
    input_unmap(i->last);
    i->last = block_take(i->pool, offset, n);
    ptrdiff_t got = os_read_at(i->store, i->base + offset, i->last->bytes, n, &why);
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
    if ((i->file || i->within) && !make_store(i)) return NULL;
    if (!i->last || !is_within(offset, n, i->last->offset, i->last->n)) {
        if (!read_window(i, offset, n)) return NULL;
    }
    *window = block_share(i->last);
    return i->last->bytes + (offset - i->last->offset);
}

/* Bytes of the store from an offset on: how many, 0 at the end, -1. */
static ptrdiff_t read_store(tw_input *i, uint64_t offset, void *bytes, size_t n)
{
    text why = { 0 };

    if (!i->owned || i->store != i->file) { /* a file of its own may grow */
        uint64_t left = offset < i->size ? i->size - offset : 0;
        if (n > left) n = (size_t)left;
    }
    ptrdiff_t got = n ? os_read_at(i->store, i->base + offset, bytes, n, &why) : 0;
    if (got < 0) input_fail(i, "%s cannot be read at offset %" PRIu64 ": %s", i->name, offset, text_of(&why));
    text_free(&why);
    return got;
}

ptrdiff_t input_read_at(tw_input *i, uint64_t offset, void *bytes, size_t n, uint64_t *size)
{
    if (!make_store(i)) return -1;
    *size = i->size;
    return read_store(i, offset, bytes, n);
}

ptrdiff_t input_receive(tw_input *i, void *bytes, size_t n)
{
    ptrdiff_t got;

    if (!i->file && !i->within) {
        uint64_t left = i->size - i->received;
        got = (ptrdiff_t)(n < left ? n : left);
        memcpy(bytes, i->last->bytes + i->received, (size_t)got);
    } else if (!make_file(i)) {
        return -1;
    } else if (i->store) {
        got = read_store(i, i->received, bytes, n);
        if (got == 0 && n && i->error.n) got = -1;
    } else {
        got = next_bytes(i, bytes, n);
        if (got == 0 && n) i->size = i->received;
    }
    if (got > 0) i->received += (uint64_t)got;
    return got;
}
