/* ring.h - a bounded queue between two threads.

   One idea: it knows nothing of what it carries. Both sides wait for a while and then look around, as whoever waits may
   be waiting for somebody who has stopped. What is put in may be found as late as that, unless there is a hurry. */
#ifndef RING_H
#define RING_H

#include <stdint.h>

typedef struct ring ring;

typedef struct ring_item {
    int kind; /* the user's */
    void *what;
} ring_item;

ring *ring_new(uint32_t size);
void ring_free(ring *r); /* what is still in it is the user's to take out before */
int ring_put(ring *r, ring_item item, int hurry, int64_t ns); /* 1; 0 where it was full all that time */
int ring_take(ring *r, ring_item *item, int64_t ns);          /* 1; 0 where it was empty all that time */
uint32_t ring_count(ring *r);

#endif
