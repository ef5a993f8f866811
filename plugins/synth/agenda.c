/* agenda.c - the heap of what is due; see agenda.h. */
#include "agenda.h"

#include <assert.h>
#include <stdlib.h>

int agenda_init(agenda *a, uint32_t cap)
{
    *a = (agenda){ .item = calloc(cap, sizeof(agenda_item)), .cap = cap };
    return a->item != NULL;
}

void agenda_free(agenda *a)
{
    free(a->item);
    a->item = NULL;
}

static int earlier(const agenda_item *a, const agenda_item *b)
{
    return a->due < b->due || (a->due == b->due && a->order < b->order);
}

void agenda_put(agenda *a, uint64_t due, uint32_t what, uint32_t who)
{
    agenda_item item = { due, a->order++, what, who };
    uint32_t at = a->n++;

    assert(a->n <= a->cap);
    while (at && earlier(&item, &a->item[(at - 1) / 2])) {
        a->item[at] = a->item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    a->item[at] = item;
}

agenda_item agenda_take(agenda *a)
{
    agenda_item first = a->item[0], last = a->item[--a->n];
    uint32_t at = 0;

    for (uint32_t child; (child = 2 * at + 1) < a->n; at = child) {
        if (child + 1 < a->n && earlier(&a->item[child + 1], &a->item[child])) child++;
        if (!earlier(&a->item[child], &last)) break;
        a->item[at] = a->item[child];
    }
    a->item[at] = last;
    return first;
}
