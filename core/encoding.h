/* encoding.h - the texts of traces as UTF-8.

   One idea: whatever the bytes are, what comes out is valid UTF-8; what stands for no character becomes U+FFFD.
   Text that is right as it lies is not copied. */
#ifndef ENCODING_H
#define ENCODING_H

#include "arena.h"
#include "tw_plugin.h"

enum {
    ENCODING_REPLACEMENT = 0xFFFD,
    ENCODING_MAX = 64 << 20 /* bytes or UTF-16 units taken; what is longer ends here */
};

size_t encoding_put(uint32_t character, char out[4]); /* bytes written; no character: U+FFFD */
uint32_t encoding_of_1252(uint8_t byte);              /* the character; where 1252 has none, U+0080 … U+009F */
int encoding_is_utf8(const void *bytes, size_t n);    /* 1: valid, shortest forms, no surrogates */

/* The result points to `bytes` where nothing had to change, else into `a`. Not ended by 0. */
tw_text encoding_utf8(arena *a, const void *bytes, size_t n);
tw_text encoding_1252(arena *a, const void *bytes, size_t n);
tw_text encoding_utf16(arena *a, const void *bytes, size_t units); /* little-endian, any alignment */

#endif
