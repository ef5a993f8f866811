/* guid.h - GUIDs as text and as keys.

   A record holds a GUID in 16 bytes, of which the first three parts are little-endian numbers. One idea: whoever reads
   or writes the text 3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c need not know that. */
#ifndef ETW_GUID_H
#define ETW_GUID_H

#include "mix.h"
#include "tw_plugin.h"

enum { GUID_TEXT = 37 /* bytes of the text, with a 0 behind */ };

/* Reads the GUID that begins a text of n bytes, in braces or not: the bytes of text it takes; 0: there is none. */
size_t guid_read(const char *text, size_t n, uint8_t guid[16]);
void guid_write(const uint8_t guid[16], char out[GUID_TEXT]); /* lower case, without braces */

/* Mixed with a number that belongs to the key, or with one that who made the GUIDs cannot foresee. */
static inline uint64_t guid_hash(const uint8_t guid[16], uint64_t with)
{
    return mix(mix(with, tw_u64(guid)), tw_u64(guid + 8));
}

#endif
