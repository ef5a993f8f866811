/* extended.h - the chain of items between an EVENT_HEADER and its payload.

   One idea: an item's stride is its Size field and the chain ends by its link bit, not by a count; a walk that meets an
   item which leaves the event stops there and says so. */
#ifndef ETW_EXTENDED_H
#define ETW_EXTENDED_H

#include "format.h"
#include "tw_plugin.h"

typedef struct items { /* a walk; zeroed is an empty one */
    const uint8_t *at; /* the next item, or where the payload begins */
    size_t left;       /* bytes from `at` to the end of the event */
    int more;          /* there is a next one */
    int broken;        /* it does not fit into the event */
} items;

typedef struct item {
    const uint8_t *data;
    uint16_t type; /* enum etw_item_type */
    uint16_t bytes;
} item;

/* Begins at the first item of an EVENT_HEADER event of `size` >= 50h bytes. */
items items_of(const uint8_t *event, size_t size);
/* 1, or 0 at the end: then `at` is where the payload begins. */
int items_next(items *walk, item *out);

#endif
