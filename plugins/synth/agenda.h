/* agenda.h - what is due, and when.

   A heap by due time. One idea: whoever is on it, a processor, a thread, a request, is on it once at most, so its size
   is known from the start; what is due at the same tick comes in the order in which it was put down. */
#ifndef SYNTH_AGENDA_H
#define SYNTH_AGENDA_H

#include <stdint.h>

typedef struct agenda_item {
    uint64_t due;   /* ticks since the start of the trace */
    uint64_t order; /* of putting down */
    uint32_t what, who;
} agenda_item;

typedef struct agenda {
    agenda_item *item;
    uint32_t n, cap;
    uint64_t order;
} agenda;

int agenda_init(agenda *a, uint32_t cap); /* 0: no memory */
void agenda_free(agenda *a);
void agenda_put(agenda *a, uint64_t due, uint32_t what, uint32_t who); /* there is room */
agenda_item agenda_take(agenda *a);                                    /* the first; there is one */

#endif
