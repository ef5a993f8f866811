/* xpress.h - plain LZ77 XPRESS, the compression of .etl buffers.

   One idea: whatever the input is, nothing outside of the two given ranges is touched, and how much came out is said. */
#ifndef ETW_XPRESS_H
#define ETW_XPRESS_H

#include <stddef.h>
#include <stdint.h>

/* Unpacks until `want` bytes are there; gives how many are: less where the stream ends early or is no such stream. Input
   left over is no error. A `want` below the stream's whole output gives that much of its beginning. */
size_t xpress_decode(const uint8_t *in, size_t n, uint8_t *out, size_t want);

#endif
