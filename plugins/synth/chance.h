/* chance.h - random numbers that are the same on every machine.

   The splitmix64 generator: integers only, every seed is good. One call in an expression, since C leaves open in which
   order two of them, or two arguments, are worked out. */
#ifndef SYNTH_CHANCE_H
#define SYNTH_CHANCE_H

#include <stdint.h>

typedef struct chance {
    uint64_t state;
} chance;

static inline uint64_t chance_bits(chance *c)
{
    uint64_t z = c->state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t chance_below(chance *c, uint32_t n) /* 0 … n - 1; n > 0 */
{
    return (uint32_t)(((chance_bits(c) >> 32) * n) >> 32);
}

static inline int chance_one_in(chance *c, uint32_t n)
{
    return chance_below(c, n) == 0;
}

/* 1 at least, `mean` on average, mostly less and now and then up to eight times that: what waits and latencies look
   like. */
static inline uint64_t chance_about(chance *c, uint64_t mean)
{
    uint64_t bits = chance_bits(c), most = mean + mean / 4;
    uint64_t n = most ? (bits >> 8) % (most + 1) : 0;

    if ((bits & 15) == 0) n += mean * ((bits >> 4 & 15) % 8); /* one of sixteen is 3.5 means longer: + 7/32 */
    return n + n / 4 + 1;
}

#endif
