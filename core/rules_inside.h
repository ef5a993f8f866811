/* rules_inside.h - what the files of the checker share: rules.c is about calls and batches, rules_rows.c about rows.

   One idea: all that is known of a stage lies in one struct of its instance, so the checker needs no lock. */
#ifndef RULES_INSIDE_H
#define RULES_INSIDE_H

#include <stdatomic.h>

#include "instance.h"

enum { RULES_ASIDE = 8 /* spoilt copies that are looked at again and again before they are freed */ };

typedef struct aside {
    void *at;
    size_t bytes;
} aside;

typedef struct own_rows { /* a block that the stage makes, as it was when it got it */
    const tw_rows *rows;
    void **col;
    uint8_t **null;
} own_rows;

struct rules {
    instance *of;
    atomic_int inside;
    int starts_again, closes;
    int64_t last, promised; /* of the events it let go: the latest, and up to when no more come */
    uint64_t *count;        /* its counters when it was entered; the host's, too */
    tw_event *before;       /* the events it was lent */
    uint64_t *sum;          /* of their payloads */
    uint32_t nbefore, room;
    uint32_t kept;           /* what the batch kept already */
    uint8_t looks[TW_TYPES]; /* by type: 0 not known, 1 it looks at it, 2 it does not */
    aside aside[RULES_ASIDE];
    uint32_t next; /* place of the oldest */
    own_rows *own;
    uint32_t nown;
};

/* Fails the run: "rule 2: " and the sentence. */
void rules_broken(const rules *r, int rule, const char *format, ...) PRINTF_LIKE(3, 4);
/* Takes over a copy whose call is over: it is filled with the pattern, and looked at for a while. */
void rules_spoil(rules *r, void *at, size_t bytes);

#endif
