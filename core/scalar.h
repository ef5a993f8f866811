/* scalar.h - the bytes of one element of a field as a value.

   One idea: where an element lies and what its bytes mean are two questions; payload.c answers the first, this file
   the second. */
#ifndef SCALAR_H
#define SCALAR_H

#include "layout.h"

/* n bytes at `at`, inside e's payload. TW_OK; TW_END: they say that there is no value (no SID, a time that is none);
   TW_ERROR: they are too few, or no such thing. */
int scalar_value(const tw_type *t, const tw_field *f, const uint8_t *at, uint32_t n, const tw_event *e,
                 const decode *d, tw_value *v);

/* An integer of that kind, sign-extended: lengths and counts. `bytes` are its natural ones. */
uint64_t scalar_integer(uint8_t kind, const uint8_t *at, uint32_t bytes);

/* Bytes of a SID at `at`, or 0 where n bytes hold none: revision 1, up to 15 sub-authorities, 8 + 4 for each. */
uint32_t scalar_sid(const uint8_t *at, uint32_t n);

#endif
