/* xpress.c - unpacking plain LZ77 XPRESS; see xpress.h.

   The stream: 32 flag bits, used from the highest down, then what they announce. Bit 0: one literal byte. Bit 1: a match,
   u16 with the offset - 1 in 13 bits and the length - 3 in 3; a length of 7 there goes on in a nibble (two matches
   share a byte for it), then in a byte, then in a u16, then in a u32.

   One idea: where both ranges have room for the largest step, copies are made in whole words that may write more
   than was asked for, since what follows is written anyway; near the ends every byte is counted. */
#include "xpress.h"

#include <string.h>

enum {
    LITERALS = 32,                 /* the most that one flag word announces in a row */
    IN_MARGIN = 4 + LITERALS + 10, /* flags, literals and one match with all extensions */
    OUT_MARGIN = LITERALS + 32     /* literals, and a short match in whole words */
};

typedef struct stream {
    const uint8_t *in, *in_end;
    uint8_t *out, *out_begin, *out_end;
    const uint8_t *half;  /* the byte whose high nibble the next long match uses; NULL: none */
    uint32_t flags, left; /* flag bits not used yet, at the top; how many */
} stream;

static uint32_t u16_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32_at(const uint8_t *p)
{
    return u16_at(p) | u16_at(p + 2) << 16;
}

/* The parts of a match length beyond 3 + 7. 0: the input ends, or the number contradicts its own form. */
static int longer(stream *s, size_t *length)
{
    uint32_t more;

    if (s->half) {
        more = *s->half >> 4;
        s->half = NULL;
    } else {
        if (s->in == s->in_end) return 0;
        s->half = s->in;
        more = *s->in++ & 15;
    }
    *length = 3 + 7 + more;
    if (more < 15) return 1;

    if (s->in == s->in_end) return 0;
    more = *s->in++;
    *length += more;
    if (more < 255) return 1;

    if (s->in_end - s->in < 2) return 0;
    more = u16_at(s->in);
    s->in += 2;
    if (more == 0) {
        if (s->in_end - s->in < 4) return 0;
        more = u32_at(s->in);
        s->in += 4;
    }
    *length = (size_t)more + 3;
    return more >= 7 + 15;
}

static void copy8(uint8_t *to, const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, 8);
    memcpy(to, &word, 8);
}

/* length bytes from `offset` bytes back, overlapping: what has just been written is read again. With `room` behind the
   end, up to 15 bytes more are overwritten. */
static void copy_match(uint8_t *to, size_t offset, size_t length, int room)
{
    const uint8_t *from = to - offset;
    uint8_t *end = to + length;

    if (!room) {
        if (offset >= length)
            memcpy(to, from, length);
        else
            while (to < end) *to++ = *from++;
        return;
    }
    if (offset < 8) { /* write the pattern until it is a word away: then it is as good as an offset that large */
        size_t distance = offset;
        while (distance < 8) distance += offset;
        for (int i = 0; i < 8; i++) to[i] = from[i];
        to += 8;
        from = to - distance;
    }
    for (; to < end; to += 16, from += 16) {
        copy8(to, from);
        copy8(to + 8, from + 8);
    }
}

/* One match. 0: the stream is broken or at its end. */
static int match(stream *s, int roomy)
{
    size_t offset, length, room;
    uint32_t m;

    if (!roomy && s->in_end - s->in < 2) return 0;
    m = u16_at(s->in);
    s->in += 2;
    offset = (m >> 3) + 1;
    length = (m & 7) + 3;
    if (length == 3 + 7 && !longer(s, &length)) return 0;
    if (offset > (size_t)(s->out - s->out_begin)) return 0;

    room = (size_t)(s->out_end - s->out);
    if (length > room) length = room;
    copy_match(s->out, offset, length, room - length >= 32);
    s->out += length;
    return 1;
}

static unsigned leading_zeros(uint32_t n)
{
    return n ? (unsigned)__builtin_clz(n) : 32;
}

/* Goes on while nothing can reach an end of either range. 0: broken. */
static int decode_roomy(stream *s)
{
    while (s->in_end - s->in >= IN_MARGIN && s->out_end - s->out >= OUT_MARGIN) {
        unsigned literals;

        if (s->left == 0) {
            s->flags = u32_at(s->in);
            s->in += 4;
            s->left = 32;
        }
        literals = leading_zeros(s->flags);
        if (literals > s->left) literals = s->left;
        for (unsigned i = 0; i < literals; i += 8) copy8(s->out + i, s->in + i);
        s->in += literals;
        s->out += literals;
        s->left -= literals;
        if (s->left == 0) continue;
        s->flags <<= literals;
        s->flags <<= 1;
        s->left--;
        if (!match(s, 1)) return 0;
    }
    return 1;
}

size_t xpress_decode(const uint8_t *in, size_t n, uint8_t *out, size_t want)
{
    stream s = { in, in + n, out, out, out + want, NULL, 0, 0 };

    if (!decode_roomy(&s)) return (size_t)(s.out - out);
    while (s.out < s.out_end) {
        if (s.left == 0) {
            if (s.in_end - s.in < 4) break;
            s.flags = u32_at(s.in);
            s.in += 4;
            s.left = 32;
        }
        s.left--;
        if (s.flags >> 31) {
            s.flags <<= 1;
            if (!match(&s, 0)) break;
        } else {
            s.flags <<= 1;
            if (s.in == s.in_end) break;
            *s.out++ = *s.in++;
        }
    }
    return (size_t)(s.out - out);
}
