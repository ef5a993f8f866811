/* put.h - little-endian numbers into bytes of any alignment; the opposite of tw_u16 and its kin. */
#ifndef ETW_PUT_H
#define ETW_PUT_H

#include <stdint.h>

static inline void put16(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
}

static inline void put32(uint8_t *at, uint32_t v)
{
    put16(at, v);
    put16(at + 2, v >> 16);
}

static inline void put64(uint8_t *at, uint64_t v)
{
    put32(at, (uint32_t)v);
    put32(at + 4, (uint32_t)(v >> 32));
}

#endif
