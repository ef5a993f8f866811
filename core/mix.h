/* mix.h - hash values that whoever writes a trace cannot foresee.

   One idea: the product of two 64-bit numbers has 128 bits, and its halves are folded together. A chain of these begins
   with an address, which differs from run to run; who does not know it cannot tell how a change of what goes in changes
   what comes out, and so cannot make a million names or keys that all have the same hash. */
#ifndef MIX_H
#define MIX_H

#include <stdint.h>

__extension__ typedef unsigned __int128 mix_product;

static inline uint64_t mix(uint64_t h, uint64_t v)
{
    mix_product p = (mix_product)(h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

#endif
