/* ring.c - a bounded queue between two threads.

   One idea: a batch is hundreds of events, so a lock for each is cheap; what costs is waking. So who waits is woken when
   the ring is half full, or half empty, and not for each item; what comes singly is found when the wait is over. */
#include "ring.h"

#include <assert.h>
#include <stdlib.h>

#include "os.h"

struct ring {
    os_mutex *lock;
    os_condition *moved;
    uint32_t size, first, n; /* n items from `first` on, around the end */
    uint32_t waiting;
    ring_item item[];
};

ring *ring_new(uint32_t size)
{
    assert(size > 0);
    ring *r = mem_new(sizeof *r + size * sizeof *r->item);
    r->lock = os_mutex_new();
    r->moved = os_condition_new();
    r->size = size;
    return r;
}

void ring_free(ring *r)
{
    if (!r) return;
    assert(r->n == 0);
    os_condition_free(r->moved);
    os_mutex_free(r->lock);
    free(r);
}

/* Waits, lock held, until the number of items is another one than `n`, or the time is over. */
static void wait_while(ring *r, uint32_t n, int64_t ns)
{
    int64_t until = os_monotonic() + ns;

    r->waiting++;
    while (r->n == n && ns > 0) {
        os_wait(r->moved, r->lock, ns);
        ns = until - os_monotonic();
    }
    r->waiting--;
}

int ring_put(ring *r, ring_item item, int hurry, int64_t ns)
{
    os_lock(r->lock);
    if (r->n == r->size) wait_while(r, r->size, ns);
    int room = r->n < r->size;
    if (room) r->item[(r->first + r->n++) % r->size] = item;
    if (room && r->waiting && (hurry || r->n >= r->size - r->n)) os_wake(r->moved);
    os_unlock(r->lock);
    return room;
}

int ring_take(ring *r, ring_item *item, int64_t ns)
{
    os_lock(r->lock);
    if (!r->n) wait_while(r, 0, ns);
    int there = r->n > 0;
    if (there) {
        *item = r->item[r->first];
        r->first = (r->first + 1) % r->size;
        r->n--;
    }
    if (there && r->waiting && r->n <= r->size - r->n) os_wake(r->moved);
    os_unlock(r->lock);
    return there;
}

uint32_t ring_count(ring *r)
{
    os_lock(r->lock);
    uint32_t n = r->n;
    os_unlock(r->lock);
    return n;
}
