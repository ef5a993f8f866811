/* os_win_thread.c - threads, where the operating system is Windows.

   One idea: a slim lock and its condition variable are all that is needed; neither holds anything of the system. */
#include "os_win.h"

#include <process.h>
#include <stdlib.h>

#include "tw_plugin.h"

struct os_thread {
    HANDLE handle;
    void (*run)(void *context);
    void *context;
};

struct os_mutex {
    SRWLOCK lock;
};

struct os_condition {
    CONDITION_VARIABLE condition;
};

static unsigned __stdcall begin(void *arg)
{
    os_thread *t = arg;
    t->run(t->context);
    return 0;
}

int os_thread_start(void (*run)(void *context), void *context, os_thread **out, text *why)
{
    os_thread *t = mem_new(sizeof *t);

    t->run = run;
    t->context = context;
    t->handle = (HANDLE)_beginthreadex(NULL, 0, begin, t, 0, NULL);
    *out = t->handle ? t : NULL;
    if (t->handle) return TW_OK;
    free(t);
    text_put(why, "the system has no room for another thread");
    return TW_ERROR;
}

void os_thread_join(os_thread *t)
{
    if (!t) return;
    WaitForSingleObject(t->handle, INFINITE);
    CloseHandle(t->handle);
    free(t);
}

os_mutex *os_mutex_new(void)
{
    os_mutex *m = mem_new(sizeof *m);
    InitializeSRWLock(&m->lock);
    return m;
}

void os_mutex_free(os_mutex *m)
{
    free(m);
}

void os_lock(os_mutex *m)
{
    AcquireSRWLockExclusive(&m->lock);
}

void os_unlock(os_mutex *m)
{
    ReleaseSRWLockExclusive(&m->lock);
}

os_condition *os_condition_new(void)
{
    os_condition *c = mem_new(sizeof *c);
    InitializeConditionVariable(&c->condition);
    return c;
}

void os_condition_free(os_condition *c)
{
    free(c);
}

void os_wait(os_condition *c, os_mutex *m, int64_t ns)
{
    enum { MILLISECOND = 1000000, LONGEST = 1 << 30 }; /* ns; ms */
    int64_t ms = ns / MILLISECOND + (ns % MILLISECOND > 0);
    SleepConditionVariableSRW(&c->condition, &m->lock, ms > LONGEST ? LONGEST : (DWORD)ms, 0);
}

void os_wake(os_condition *c)
{
    WakeAllConditionVariable(&c->condition);
}

int os_cores(void)
{
    DWORD_PTR mine = 0, all = 0;
    int n = 0;

    if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all))
        for (; mine; mine &= mine - 1) n++;
    return n > 0 ? n : 1;
}
