/* encode.h - a happening as the event that the kernel would have written, header and payload.

   The layouts are written down here from the public descriptions of the events, in code of their own: nothing here asks
   the tables that the reader decodes with, so one can be checked against the other. */
#ifndef SYNTH_ENCODE_H
#define SYNTH_ENCODE_H

#include "pen.h"

enum { ENCODE_MOST = 8192 }; /* bytes of an event, at most */

typedef struct encoder {
    pen pen;
    self_schema schema[HAPPENING_KINDS - REQUEST_START], traits;
    uint8_t log_header[1024]; /* the record of the log-file header */
} encoder;

typedef struct encode_options {
    uint32_t pointer, build, cpus, interval;
    uint64_t boot;  /* ticks of the clock at the start */
    int64_t start;  /* FILETIME */
    uint64_t ticks; /* length of the trace */
    uint64_t lost;  /* events */
} encode_options;

void encode_init(encoder *e, const encode_options *o);
/* The event of a happening at `at`, which has ENCODE_MOST bytes; *payload: where its payload begins. Gives its bytes. */
uint32_t encode(encoder *e, const happening *h, uint8_t *at, uint32_t *payload);

#endif
