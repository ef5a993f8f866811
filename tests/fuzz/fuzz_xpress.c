/* fuzz_xpress.c - any bytes as a stream of plain XPRESS. Two bytes in front say how much is wanted.

   Nothing outside of the two ranges is touched; wanting less gives the beginning of the same; and a second time it is
   the same again, whatever lay in the memory before. The seeds are the examples of the format's description and a match
   with all extensions of its length. */
#include <stdlib.h>
#include <string.h>

#include "tw_plugin.h"
#include "xpress.h"

/* Into memory of exactly that size, which held something else before. */
static uint8_t *decode(const uint8_t *in, size_t n, size_t want, int before, size_t *got)
{
    uint8_t *out = malloc(want + 1);

    if (!out) abort();
    memset(out, before, want);
    out = realloc(out, want ? want : 1);
    if (!out) abort();
    *got = xpress_decode(in, n, out, want);
    if (*got > want) abort();
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    size_t whole, again, part;

    if (n < 2) return 0;
    size_t want = tw_u16(bytes);
    uint8_t *in = malloc(n - 2 ? n - 2 : 1);
    if (!in) abort();
    memcpy(in, bytes + 2, n - 2);
    uint8_t *a = decode(in, n - 2, want, 0x55, &whole), *b = decode(in, n - 2, want, 0xAA, &again);
    uint8_t *c = decode(in, n - 2, want / 2, 0x33, &part);
    if (again != whole || memcmp(a, b, whole)) abort();
    if (part != (whole < want / 2 ? whole : want / 2) || memcmp(a, c, part)) abort();
    free(a);
    free(b);
    free(c);
    free(in);
    return 0;
}
