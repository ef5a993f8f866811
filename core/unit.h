/* unit.h - numbers as people write them: 64k, 5ms, 2026-11-30T08:15:00Z.

   One idea: every number that enters as text comes in here, so options, arguments and
   expressions mean the same by the same words. */
#ifndef UNIT_H
#define UNIT_H

#include "text.h"
#include <stdint.h>

/* Each returns TW_OK or TW_ERROR with a sentence in `why`. Surrounding blanks are no error. */
/* -5 0x1f 64k 2M 64KiB 1GB; k M G are 1024-based, kB MB GB 1000-based. Hexadecimal may use all 64 bits, as addresses
   and masks do: 0xffffffffffffffff is -1. */
int unit_int(const char *s, int64_t *out, text *why);
int unit_float(const char *s, double *out, text *why);
int unit_bool(const char *s, int *out, text *why);    /* true false yes no on off 1 0 */
int unit_span(const char *s, int64_t *ns, text *why); /* 5ms 1.5s 10us 100ns 2min 1h 3d; a bare 0 */
/* Either a moment in UTC (2026-11-30, 2026-11-30T08:15[:00[.123]][Z], "2026-11-30 08:15:00") as ns since 1970, or a
   span: then *relative is 1 and *ns counts from the start of the trace; "end" gives INT64_MAX, absolute. */
int unit_time(const char *s, int64_t *ns, int *relative, text *why);

/* 1 where such a sentence says that the text is nothing of that sort, 0 where it is but cannot be taken: too large, too
   fine, without its unit. */
int unit_is_other(const char *why);

/* ns since 1970 as 2026-11-30T08:15:00.123456789Z into out (31 bytes at least); its length. Any int64 is good. */
int unit_print_time(int64_t ns, char *out);

#endif
