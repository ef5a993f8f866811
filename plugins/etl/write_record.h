/* write_record.h - an event's header as it goes into the file.

   One idea: an event that came with its record keeps the record's header, extended items and all, with time, process and
   thread as the event has them now, and takes its payload from the event; one without gets a header by its type. */
#ifndef WRITE_RECORD_H
#define WRITE_RECORD_H

#include "header.h"
#include "record.h"
#include "tw_plugin.h"

typedef struct write_record { /* an event on its way into the file */
    const tw_event *event;
    const tw_type *type;
    record record;
    int has_record;
    int names_somebody; /* the event does, but its record is a PERFINFO, which has no room for that */
    int gets_time;      /* its record is a message without one, and it needs one */
    int timed;          /* it has a time of its own in the file */
    uint32_t header;    /* bytes in front of the payload */
} write_record;

enum { RECORD_TIME_BYTES = 8 /* that a header may grow by */ };

void write_record_begin(write_record *r, const tw_event *e, const tw_type *t);
/* A message without a time gets one. Not possible with others that have none: 0. */
int write_record_give_time(write_record *r);
/* The header's `header` bytes; the payload stands, or will stand, behind them. */
void write_record_put(const write_record *r, int64_t ticks, uint8_t *at);

#endif
