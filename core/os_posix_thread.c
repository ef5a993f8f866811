/* os_posix_thread.c - threads, where the operating system is POSIX (Linux).

   One idea: waiting is always for a time, measured by a clock that nobody sets, so no thread hangs for good on one that
   has gone. */
#define _GNU_SOURCE /* sched_getaffinity */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "os.h"
#include "tw_plugin.h"

struct os_thread {
    pthread_t id;
    void (*run)(void *context);
    void *context;
};

struct os_mutex {
    pthread_mutex_t mutex;
};

struct os_condition {
    pthread_cond_t condition;
};

static void *begin(void *arg)
{
    os_thread *t = arg;
    t->run(t->context);
    return NULL;
}

int os_thread_start(void (*run)(void *context), void *context, os_thread **out, text *why)
{
    os_thread *t = mem_new(sizeof *t);

    t->run = run;
    t->context = context;
    int error = pthread_create(&t->id, NULL, begin, t);
    *out = error ? NULL : t;
    if (!error) return TW_OK;
    free(t);
    text_put(why, error == EAGAIN ? "the system has no room for another thread" : strerror(error));
    return TW_ERROR;
}

void os_thread_join(os_thread *t)
{
    if (!t) return;
    pthread_join(t->id, NULL);
    free(t);
}

os_mutex *os_mutex_new(void)
{
    os_mutex *m = mem_new(sizeof *m);
    pthread_mutex_init(&m->mutex, NULL);
    return m;
}

void os_mutex_free(os_mutex *m)
{
    if (!m) return;
    pthread_mutex_destroy(&m->mutex);
    free(m);
}

void os_lock(os_mutex *m)
{
    pthread_mutex_lock(&m->mutex);
}

void os_unlock(os_mutex *m)
{
    pthread_mutex_unlock(&m->mutex);
}

os_condition *os_condition_new(void)
{
    os_condition *c = mem_new(sizeof *c);
    pthread_condattr_t how;

    pthread_condattr_init(&how);
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&c->condition, &how);
    pthread_condattr_destroy(&how);
    return c;
}

void os_condition_free(os_condition *c)
{
    if (!c) return;
    pthread_cond_destroy(&c->condition);
    free(c);
}

void os_wait(os_condition *c, os_mutex *m, int64_t ns)
{
    enum { SECOND = 1000000000 };
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ns / SECOND);
    until.tv_nsec += (long)(ns % SECOND);
    if (until.tv_nsec >= SECOND) {
        until.tv_nsec -= SECOND;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&c->condition, &m->mutex, &until);
}

void os_wake(os_condition *c)
{
    pthread_cond_broadcast(&c->condition);
}

int os_cores(void)
{
    cpu_set_t mine;
    int n = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 0;
    return n > 0 ? n : 1;
}
