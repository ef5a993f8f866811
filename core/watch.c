/* watch.c - a time limit for calls into code that is not ours.

   One idea: the moment a call began is one number, which the caller sets and takes back, two atomic operations a call.
   Whoever changes it first decides: the watching thread marks it as late, the caller takes it back; so nobody is asked
   to stop who has come back already. */
#include "watch.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "os.h"
#include "output.h"
#include "report.h"

enum {
    MILLISECOND = 1000000,
    GRACE = 500 * MILLISECOND,            /* from asking to ending the process */
    AFTER_INTERRUPT = 1000 * MILLISECOND, /* the limit of a call once the run is interrupted */
    LONGEST_NAP = 200 * MILLISECOND,
    SHORTEST_NAP = 10 * MILLISECOND
};

/* In place of the moment a call began. LATE: being asked, or the end of the process has begun; nobody returns. */
enum { IDLE = 0, LATE = -1, ASKED = -2, INSISTED = -3 };

struct watch {
    int64_t limit;
    void (*ask)(void *context);
    void *context;
    _Atomic int64_t since; /* monotonic ns, or one of the above */
    const char *path, *what;
    os_thread *thread; /* started with the first call */
    os_mutex *mutex;
    os_condition *condition;
    int ending; /* under the mutex */
};

void watch_sentence(const watch *w, text *out)
{
    const int64_t second = 1000 * (int64_t)MILLISECOND;

    if (os_interrupted()) {
        text_put(out, "did not come back when the run was interrupted: stopped");
        return;
    }
    if (w->limit % second == 0)
        text_format(out, "has not come back for %" PRId64 " s", w->limit / second);
    else
        text_format(out, "has not come back for %" PRId64 " ms", w->limit / MILLISECOND);
    text_put(out, ": stopped (--script-time sets the limit)");
}

/* There is nobody left to return to. */
static _Noreturn void end_process(const watch *w)
{
    text sentence = { 0 };

    outputs_give_up();
    text_format(&sentence, "%s: %s%s", w->path, w->what, *w->what ? " " : "");
    watch_sentence(w, &sentence);
    report_plain(&sentence);
    fprintf(stderr, "%s\n", text_of(&sentence));
    fflush(stderr);
    _Exit(1);
}

/* One look at the call that runs; at `late` it was asked to stop, which is what is returned. */
static int64_t look(watch *w, int64_t late)
{
    int64_t now = os_monotonic(), since = atomic_load(&w->since);
    int64_t limit = os_interrupted() && w->limit > AFTER_INTERRUPT ? AFTER_INTERRUPT : w->limit;

    if (since > 0 && now - since > limit && atomic_compare_exchange_strong(&w->since, &since, LATE)) {
        w->ask(w->context);
        atomic_store(&w->since, ASKED);
        return now;
    }
    if (since == ASKED && now - late > GRACE / 2) atomic_compare_exchange_strong(&w->since, &since, INSISTED);
    if (since == INSISTED && now - late > GRACE && atomic_compare_exchange_strong(&w->since, &since, LATE))
        end_process(w);
    return late;
}

static void watch_over(void *context)
{
    watch *w = context;
    int64_t late = 0, nap = w->limit / 4;

    if (nap > LONGEST_NAP) nap = LONGEST_NAP;
    if (nap < SHORTEST_NAP) nap = SHORTEST_NAP;
    os_lock(w->mutex);
    while (!w->ending) {
        os_wait(w->condition, w->mutex, nap);
        late = look(w, late);
    }
    os_unlock(w->mutex);
}

watch *watch_new(int64_t limit, void (*ask)(void *context), void *context)
{
    watch *w = mem_new(sizeof *w);

    w->limit = limit;
    w->ask = ask;
    w->context = context;
    w->mutex = os_mutex_new();
    w->condition = os_condition_new();
    return w;
}

void watch_free(watch *w)
{
    if (!w) return;
    if (w->thread) {
        os_lock(w->mutex);
        w->ending = 1;
        os_wake(w->condition);
        os_unlock(w->mutex);
        os_thread_join(w->thread);
    }
    os_condition_free(w->condition);
    os_mutex_free(w->mutex);
    free(w);
}

void watch_begin(watch *w, const char *path, const char *what)
{
    text unused = { 0 };

    w->path = path;
    w->what = what;
    atomic_store(&w->since, os_monotonic());
    /* Where no thread can be had the call is not watched: a limit that cannot be kept is no reason not to run. */
    if (!w->thread) os_thread_start(watch_over, w, &w->thread, &unused);
    text_free(&unused);
}

int watch_end(watch *w)
{
    int64_t since = atomic_load(&w->since);

    while (since == LATE || !atomic_compare_exchange_strong(&w->since, &since, IDLE)) {
        if (since == LATE) os_sleep(MILLISECOND);
        since = atomic_load(&w->since);
    }
    return since < 0;
}

int watch_insists(const watch *w)
{
    return atomic_load_explicit(&w->since, memory_order_relaxed) == INSISTED;
}
