/* packed.c - the bytes in a zstd or gzip stream.

   Both decoders are driven alike: fed from one buffer, frame after frame. zstd is fed in the portions that it asks
   for, since it would not give what comes before a fault in what it was fed. */
#include "packed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "tw_plugin.h"

enum {
    FRAME_START = 5,    /* bytes zstd wants of a new frame */
    BLOCK_HEADER = 3,   /* bytes that precede each of its blocks */
    GZIP_MAGIC = 2,     /* bytes; the third is the method, and there is only one */
    BUFFER = 128 << 10, /* bytes read at once */
};

static const char zstd_kind[] = "zstd", gzip_kind[] = "gzip";

struct packed {
    const char *kind;
    packed_source from;
    ZSTD_DCtx *zstd;
    z_stream gzip;
    uint8_t *bytes;
    size_t at, n;   /* of them: used, there */
    uint64_t raw;   /* offset of the next byte that is read */
    uint64_t frame; /* offset of the frame it is in */
    int inside;     /* a frame has begun and not ended */
    size_t hint;    /* zstd: how many bytes it wants next */
    int holds_back; /* it may have bytes that did not fit into what was asked for */
    int ended;
};

/* ---- Telling ---- */

/* 1 where the bytes, as far as they go, begin a zstd frame or a skippable one, which some packers put first. */
static int begins_zstd(const uint8_t *at, size_t n)
{
    static const uint8_t magic[PACKED_HEAD] = { 0x28, 0xB5, 0x2F, 0xFD },
                         skippable[PACKED_HEAD] = { 0x50, 0x2A, 0x4D, 0x18 };

    if (n > PACKED_HEAD) n = PACKED_HEAD;
    if (!n) return 0;
    return !memcmp(at, magic, n) || ((at[0] & 0xF0) == skippable[0] && !memcmp(at + 1, skippable + 1, n - 1));
}

static int begins_gzip(const uint8_t *at, size_t n)
{
    static const uint8_t magic[GZIP_MAGIC] = { 0x1F, 0x8B };

    return n && !memcmp(at, magic, n < GZIP_MAGIC ? n : GZIP_MAGIC);
}

const char *packed_kind(const uint8_t *head, size_t n)
{
    if (begins_zstd(head, n) && (n >= PACKED_HEAD || (n > 1 && head[1] >= 0x80))) return zstd_kind;
    if (begins_gzip(head, n) && n >= GZIP_MAGIC && (n == GZIP_MAGIC || head[GZIP_MAGIC] == Z_DEFLATED))
        return gzip_kind;
    return NULL;
}

static int begins_frame(const packed *p)
{
    const uint8_t *at = p->bytes + p->at;
    return p->kind == zstd_kind ? begins_zstd(at, p->n - p->at) : begins_gzip(at, p->n - p->at);
}

/* Where the next byte for the decoder stands. */
static uint64_t place(const packed *p)
{
    return p->raw - (p->n - p->at);
}

/* What follows the last frame is none; the frames before are good. */
static void ignore_rest(packed *p, text *why)
{
    uint64_t n = p->from.size == UINT64_MAX ? 0 : p->from.size - p->frame;
    text rest = { 0 };

    if (n)
        text_format(&rest, "%" PRIu64 " byte%s", n, n > 1 ? "s" : "");
    else
        text_put(&rest, "all bytes");
    text_format(why, "%s goes on behind its last %s frame with what is none; ignored: %s from offset %" PRIu64 " on",
                p->from.name, p->kind, text_of(&rest), p->frame);
    text_free(&rest);
    p->ended = 1;
}

static void fail(packed *p, const char *fact, text *why)
{
    text_format(why, "%s is damaged: %s finds at offset %" PRIu64 ": %s", p->from.name, p->kind, place(p), fact);
    p->ended = 1;
}

/* ---- One step ---- */

/* What a step made of n bytes that it was given and of room for some. */
typedef struct step {
    size_t used, made;
    int end; /* of the frame */
} step;

static int step_zstd(packed *p, size_t n, void *to, size_t room, step *s, text *why)
{
    ZSTD_inBuffer in = { p->bytes + p->at, n, 0 };
    ZSTD_outBuffer out = { to, room, 0 };
    size_t hint = ZSTD_decompressStream(p->zstd, &out, &in);

    *s = (step){ in.pos, out.pos, hint == 0 };
    if (!ZSTD_isError(hint)) {
        p->hint = hint;
        return TW_OK;
    }
    if (p->frame && ZSTD_getErrorCode(hint) == ZSTD_error_prefix_unknown)
        ignore_rest(p, why);
    else
        fail(p, ZSTD_getErrorName(hint), why);
    return TW_ERROR;
}

static int step_gzip(packed *p, size_t n, void *to, size_t room, step *s, text *why)
{
    z_stream *z = &p->gzip;

    z->next_in = p->bytes + p->at;
    z->avail_in = (uInt)n;
    z->next_out = to;
    z->avail_out = (uInt)room;
    int rc = inflate(z, Z_NO_FLUSH);
    *s = (step){ n - z->avail_in, room - z->avail_out, rc == Z_STREAM_END };
    if (s->end) inflateReset(z);
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) return TW_OK;
    p->at += s->used;
    if (p->frame && z->total_in <= GZIP_MAGIC)
        ignore_rest(p, why);
    else
        fail(p, z->msg ? z->msg : rc == Z_NEED_DICT ? "a dictionary is wanted" : "no memory", why);
    return TW_ERROR;
}

/* How many bytes to feed the decoder. zstd gets what it asks for, which is a block at a time, but without the header
   of the next block, and nothing while it holds bytes back that there was no room for. So a fault that it meets never
   costs the bytes before. */
static size_t portion(const packed *p)
{
    size_t left = p->n - p->at, n = p->inside ? p->hint : FRAME_START;

    if (p->kind == gzip_kind) return left;
    if (p->holds_back) return 0;
    if (n > BLOCK_HEADER) n -= BLOCK_HEADER;
    return n < left ? n : left;
}

/* ---- The stream ---- */

/* More packed bytes: 0 where there are none. */
static int read_more(packed *p, text *why)
{
    ptrdiff_t got = p->from.read(p->from.context, p->bytes, BUFFER);

    p->at = 0;
    p->n = got > 0 ? (size_t)got : 0;
    p->raw += p->n;
    if (got > 0) return 1;
    p->ended = 1;
    if (got == 0 && p->inside)
        text_format(why, "%s is cut off: the %s frame ends early, at offset %" PRIu64, p->from.name, p->kind, p->raw);
    return 0;
}

/* Between two frames: 0 where what comes next is none. */
static int next_frame(packed *p, text *why)
{
    p->frame = place(p);
    if (!p->frame || begins_frame(p)) return 1;
    ignore_rest(p, why);
    return 0;
}

size_t packed_next(packed *p, void *to, size_t n, text *why)
{
    enum { AT_ONCE = 1 << 30 }; /* bytes; zlib counts in 32 bits */
    size_t made = 0;
    step s;

    if (n > AT_ONCE) n = AT_ONCE;
    while (made < n && !p->ended) {
        size_t feed = portion(p);
        if (!feed && !p->holds_back) {
            if (made || !read_more(p, why)) break;
            continue;
        }
        if (!p->inside && !next_frame(p, why)) break;
        int rc = p->kind == zstd_kind ? step_zstd(p, feed, (uint8_t *)to + made, n - made, &s, why)
                                      : step_gzip(p, feed, (uint8_t *)to + made, n - made, &s, why);
        made += s.made;
        if (rc != TW_OK) break;
        p->at += s.used;
        p->inside = !s.end;
        p->holds_back = p->inside && made == n;
    }
    return made;
}

int packed_ended(const packed *p)
{
    return p->ended;
}

packed *packed_new(const char *kind, const packed_source *from)
{
    enum { GZIP_ONLY = 15 + 16 }; /* the largest window; 16 tells zlib that a gzip header comes */
    packed *p = mem_new(sizeof *p);
    int made;

    p->kind = kind;
    p->from = *from;
    p->bytes = mem_grow(NULL, BUFFER);
    if (kind == zstd_kind)
        made = (p->zstd = ZSTD_createDCtx()) != NULL;
    else
        made = inflateInit2(&p->gzip, GZIP_ONLY) == Z_OK;
    if (made) return p;
    packed_free(p);
    return NULL;
}

void packed_restart(packed *p)
{
    p->at = p->n = p->hint = 0;
    p->raw = p->frame = 0;
    p->inside = p->holds_back = p->ended = 0;
    if (p->zstd)
        ZSTD_DCtx_reset(p->zstd, ZSTD_reset_session_only);
    else
        inflateReset(&p->gzip);
    p->from.restart(p->from.context);
}

void packed_free(packed *p)
{
    if (!p) return;
    ZSTD_freeDCtx(p->zstd);
    if (p->kind == gzip_kind) inflateEnd(&p->gzip);
    free(p->bytes);
    free(p);
}
