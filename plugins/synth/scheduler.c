/* scheduler.c - what runs where, and why not; see computer.h.

   A thread runs for a slice, then waits, or is pushed away and stays ready. What waits wakes after a while, which is
   told as ReadyThread by the processor where the reason for it came up, and runs as soon as a processor is free. Truth
   follows what an analysis can know: nothing of a thread before the first event that tells its state. */
#include "computer.h"

enum {
    QUANTUM = 200000, /* 20 ms: the longest slice */
    DISPATCH = 40,    /* from ready to running on a processor that idles, about */
    STATE_READY = 1,
    STATE_TERMINATED = 4,
    STATE_WAITING = 5,
    REASON_TERMINATED = 22,
    REASON_QUANTUM_END = 30,
    REASON_PREEMPTED = 32,
    TICKS_PER_TIMER = 156250, /* the unit of a thread's waiting time in events */
    FLAG_DPC = 1,
    FLAG_ISR = 2,
    FLAG_READIED_BY_DPC = 1
};

/* ---- What analyses can know ---- */

static void know(model *m, thread *t, enum truth_state state)
{
    if (!is_told(m, CONTEXT_SWITCH)) return; /* nothing is known of any */
    t->sum.spent[t->state] += m->now - t->since;
    t->state = state;
    t->since = m->now;
}

void thread_close(model *m, thread *t, uint64_t end)
{
    t->sum.spent[t->state] += end - t->since;
    truth_of_thread(&m->truth, &t->facts, &t->sum, end);
}

/* ---- The queue of those that are ready ---- */

static void queue_put(model *m, uint32_t thread)
{
    thread_of(m, thread)->next = NO_THREAD;
    if (m->last_ready == NO_THREAD)
        m->first_ready = thread;
    else
        thread_of(m, m->last_ready)->next = thread;
    m->last_ready = thread;
}

static uint32_t queue_take(model *m)
{
    uint32_t thread = m->first_ready;

    if (thread == NO_THREAD) return NO_THREAD;
    m->first_ready = thread_of(m, thread)->next;
    if (m->first_ready == NO_THREAD) m->last_ready = NO_THREAD;
    return thread;
}

static void queue_remove(model *m, uint32_t thread)
{
    uint32_t before = NO_THREAD;

    for (uint32_t at = m->first_ready; at != NO_THREAD; before = at, at = thread_of(m, at)->next) {
        if (at != thread) continue;
        if (before == NO_THREAD)
            m->first_ready = thread_of(m, at)->next;
        else
            thread_of(m, before)->next = thread_of(m, at)->next;
        if (m->last_ready == thread) m->last_ready = before;
        return;
    }
}

/* ---- Switches ---- */

static void plan_slice(model *m, uint32_t number, uint64_t due)
{
    cpu *c = &m->cpu[number];

    c->until = due;
    if (c->due) return; /* what is on the agenda comes earlier, and is put down again then */
    c->due = 1;
    agenda_put(&m->agenda, due, DUE_SLICE, number);
}

static uint64_t wait_of(model *m)
{
    uint64_t cycle = m->wakes * m->threads;

    return chance_about(&m->chance, cycle > m->slice + m->slice / 4 ? cycle - m->slice : m->slice / 4 + 1);
}

static void plan_wake(model *m, uint32_t thread)
{
    if (thread_of(m, thread)->due) return; /* it was made to run before it woke up; that wake holds */
    thread_of(m, thread)->due = 1;
    agenda_put(&m->agenda, m->now + wait_of(m), DUE_WAKE, thread);
}

/* What ran leaves: it waits, is ready again, or is gone. Fills in its part of the event. */
static void leave(model *m, cpu *c, int pushed, switch_facts *facts)
{
    thread *t = c->thread == NO_THREAD ? NULL : thread_of(m, c->thread);

    facts->old_tid = c->tid;
    facts->old_priority = c->priority;
    facts->state = 2; /* the idle thread always runs */
    if (c->dead) {
        facts->state = STATE_TERMINATED;
        facts->reason = REASON_TERMINATED;
        id_let_go(m, c->tid);
    }
    if (!t) return;
    if (!c->known && is_told(m, CONTEXT_SWITCH)) t->state = TRUTH_RUNNING; /* since the start, as is told only now */
    if (pushed) {
        facts->state = STATE_READY;
        facts->reason = (uint8_t)(pushed == 1 ? REASON_QUANTUM_END : REASON_PREEMPTED);
        know(m, t, TRUTH_READY);
        t->really = TRUTH_READY;
        t->readied = 0;
        queue_put(m, c->thread);
    } else {
        static const uint8_t reasons[] = { 0, 4, 6, 7, 13, 15, 15, 16, 17, 37 };

        facts->state = STATE_WAITING;
        facts->reason = reasons[below(m, sizeof reasons)];
        facts->mode = facts->reason > 5;
        know(m, t, TRUTH_WAITING);
        t->really = TRUTH_WAITING;
        t->readied = 0;
        plan_wake(m, c->thread);
    }
}

static void enter(model *m, uint32_t number, uint32_t next, switch_facts *facts)
{
    cpu *c = &m->cpu[number];
    thread *t;

    c->thread = next;
    c->dead = 0;
    if (next == NO_THREAD) {
        c->tid = c->pid = c->priority = 0;
        return;
    }
    t = thread_of(m, next);
    facts->new_tid = c->tid = t->facts.tid;
    c->pid = t->facts.pid;
    facts->new_priority = c->priority = t->facts.priority;
    facts->wait_ticks = (uint32_t)((m->now - t->since) / TICKS_PER_TIMER);
    facts->ideal = (uint8_t)t->cpu;
    if (t->readied) {
        uint64_t latency = m->now - (t->readied - 1);

        t->sum.readied++;
        t->sum.latency += latency;
        if (latency > t->sum.longest) t->sum.longest = latency;
        t->readied = 0;
    }
    know(m, t, TRUTH_RUNNING);
    t->really = TRUTH_RUNNING;
    t->cpu = (uint16_t)number;
    t->sum.switches += is_told(m, CONTEXT_SWITCH);
    plan_slice(m, number, m->now + (chance_about(&m->chance, m->slice) - 1) % QUANTUM + 1);
}

/* The time that a processor spent on what it leaves now. */
static void count_cpu(model *m, cpu *c)
{
    if (!is_told(m, CONTEXT_SWITCH)) return;
    *(c->tid ? &c->sum.running : &c->sum.idle) += m->now - c->since;
    c->since = m->now;
    c->sum.switches++;
}

/* pushed: 0: what runs waits from now on, 1: its time is over, 2: something more urgent is there. */
static void switch_to(model *m, uint32_t number, uint32_t next, int pushed)
{
    cpu *c = &m->cpu[number];
    switch_facts facts = { 0 };
    const stack_pattern *user;
    happening *h;

    begin_stacked(m);
    count_cpu(m, c);
    leave(m, c, pushed, &facts);
    enter(m, number, next, &facts);
    c->known = is_told(m, CONTEXT_SWITCH);
    h = tell(m, CONTEXT_SWITCH, number);
    h->change = facts;
    if (next == NO_THREAD) return;
    user = one_in(m, 3) ? NULL : user_pattern(m, process_of(m, next));
    stack_tell(m, CONTEXT_SWITCH, number, c->pid, c->tid, process_of(m, next), kernel_pattern(m), user);
}

void scheduler_slice(model *m, uint32_t number)
{
    cpu *c = &m->cpu[number];

    c->due = 0;
    if (c->until > m->now) { /* it got something else meanwhile */
        plan_slice(m, number, c->until);
        return;
    }
    if (c->phase) { /* not while an interrupt is dealt with */
        plan_slice(m, number, m->now + 20);
        return;
    }
    if (!c->tid) {
        uint32_t next = queue_take(m);

        if (next != NO_THREAD) switch_to(m, number, next, 0);
        return;
    }
    if (c->dead || !one_in(m, 6)) {
        switch_to(m, number, queue_take(m), 0);
    } else if (m->first_ready != NO_THREAD) {
        switch_to(m, number, queue_take(m), 1);
    } else {
        plan_slice(m, number, m->now + chance_about(&m->chance, m->slice)); /* nobody else: it goes on */
    }
}

/* ---- Waking up ---- */

/* Where a thread that has become ready will run: where it ran last, or elsewhere; if all is busy, it may be more urgent
   than what runs at its place. */
static void place(model *m, uint32_t thread)
{
    struct thread *t = thread_of(m, thread);
    uint32_t number = t->cpu;

    queue_put(m, thread);
    for (int tries = 0; tries < 6; tries++, number = any_cpu(m)) {
        cpu *c = &m->cpu[number];

        if (c->tid || c->due) continue;
        plan_slice(m, number, m->now + chance_about(&m->chance, DISPATCH));
        return;
    }
    cpu *c = &m->cpu[t->cpu];
    if (c->tid && !c->dead && !c->phase && t->facts.priority > c->priority) {
        queue_remove(m, thread);
        switch_to(m, t->cpu, thread, 2);
    }
}

static void become_ready(model *m, uint32_t thread)
{
    struct thread *t = thread_of(m, thread);
    uint32_t number = any_cpu(m);
    cpu *c = &m->cpu[number];
    happening *h;

    t->really = TRUTH_READY;
    if (is_told(m, READY_THREAD)) {
        begin_stacked(m);
        h = tell(m, READY_THREAD, number);
        h->ready.tid = t->facts.tid;
        h->ready.reason = 1;
        h->ready.increment = (uint8_t)below(m, 3);
        h->ready.flag = c->tid && c->phase < 2 ? 0 : FLAG_READIED_BY_DPC;
        know(m, t, TRUTH_READY);
        t->readied = m->now + 1;
        if (one_in(m, 2))
            stack_tell(m, READY_THREAD, number, c->pid, c->tid,
                       c->thread == NO_THREAD ? NULL : process_of(m, c->thread), kernel_pattern(m), NULL);
    }
}

void scheduler_add(model *m, uint32_t thread)
{
    become_ready(m, thread);
    place(m, thread);
}

void scheduler_wake(model *m, uint32_t thread)
{
    struct thread *t = thread_of(m, thread);

    t->due = 0;
    if (t->facts.tid && t->really == TRUTH_WAITING) scheduler_add(m, thread);
}

int scheduler_run(model *m, uint32_t thread)
{
    struct thread *t = thread_of(m, thread);
    uint32_t number = t->cpu;
    int tries = 0;

    if (t->really == TRUTH_RUNNING) return 1;
    while (tries < 8 && (m->cpu[number].phase || m->cpu[number].dead)) {
        number = any_cpu(m);
        tries++;
    }
    if (tries == 8) return 0;
    if (t->really == TRUTH_READY)
        queue_remove(m, thread);
    else
        become_ready(m, thread);
    switch_to(m, number, thread, 2);
    return 1;
}

void scheduler_remove(model *m, uint32_t thread)
{
    struct thread *t = thread_of(m, thread);
    cpu *c = &m->cpu[t->cpu];
    int runs = t->really == TRUTH_RUNNING && c->thread == thread;
    uint32_t tid;

    if (t->really == TRUTH_READY) queue_remove(m, thread);
    thread_close(m, t, m->now);
    tid = t->facts.tid;
    t->facts.tid = 0;
    t->really = TRUTH_UNKNOWN;
    if (runs) {
        c->thread = NO_THREAD;
        c->dead = 1;
        c->until = m->now;
        if (!c->phase)
            switch_to(m, t->cpu, queue_take(m), 0);
        else
            plan_slice(m, t->cpu, m->now + 10); /* when the interrupt has been dealt with */
    } else {
        id_let_go(m, tid);
    }
}

/* ---- Samples ---- */

uint32_t running_thread(model *m)
{
    for (int tries = 0; tries < 6; tries++) {
        uint32_t t = m->cpu[any_cpu(m)].thread;

        if (t != NO_THREAD && t / THREADS >= FIRST && process_of(m, t)->life == RUNS) return t;
    }
    return NO_THREAD;
}

static int in_interrupt(const model *m, const cpu *c)
{
    if (!c->phase || m->now < c->begun) return 0;
    return c->phase == 1 ? FLAG_ISR : FLAG_DPC;
}

static void take_sample(model *m, uint32_t number)
{
    cpu *c = &m->cpu[number];
    process *p = c->thread == NO_THREAD ? NULL : process_of(m, c->thread);
    const stack_pattern *user = p ? user_pattern(m, p) : NULL;
    const stack_pattern *kernel = NULL, *top = user;
    happening *h;

    if (!user || one_in(m, 2)) top = kernel = kernel_pattern(m);
    begin_stacked(m);
    h = tell(m, SAMPLE, number);
    h->sample.address = top->frame->address + (p ? p->own.base & top->frame->program : 0);
    h->sample.tid = c->tid;
    h->sample.flags = (uint8_t)(c->priority << 3 | in_interrupt(m, c));
    c->sum.samples++;
    if (c->tid) c->sum.busy_samples++;
    if (p) {
        thread_of(m, c->thread)->sum.samples++;
        p->sum.samples++;
    }
    stack_tell(m, SAMPLE, number, c->pid, c->tid, p, kernel, user);
}

void scheduler_sample(model *m)
{
    uint64_t begun = m->now;

    if (!m->cpu[m->turn].dead) take_sample(m, m->turn);
    m->turn = (m->turn + 1) % m->options.cpus;
    agenda_put(&m->agenda, begun + (m->interval + m->turn) / m->options.cpus, DUE_SAMPLE, 0);
}

/* ---- Beginning and end ---- */

/* A third of the processors run something at the start, which nobody is told before they leave it. */
void scheduler_begin(model *m)
{
    uint32_t thread = 0;

    for (; thread < m->slots * THREADS; thread++) {
        struct thread *t = thread_of(m, thread);
        uint32_t number = thread / 2 % (3 * m->options.cpus);

        if (!t->facts.tid) continue;
        if (number < m->options.cpus && m->cpu[number].thread == NO_THREAD && thread / THREADS >= FIRST) {
            cpu *c = &m->cpu[number];

            c->thread = thread;
            c->tid = t->facts.tid;
            c->pid = t->facts.pid;
            c->priority = t->facts.priority;
            t->cpu = (uint16_t)number;
            t->really = TRUTH_RUNNING;
            plan_slice(m, number, m->now + chance_about(&m->chance, m->slice));
        } else {
            plan_wake(m, thread);
        }
    }
    if (is_told(m, SAMPLE)) agenda_put(&m->agenda, m->now + m->interval / m->options.cpus, DUE_SAMPLE, 0);
}

void scheduler_close(model *m)
{
    for (uint32_t number = 0; number < m->options.cpus; number++) {
        cpu *c = &m->cpu[number];

        if (c->known)
            *(c->tid ? &c->sum.running : &c->sum.idle) += m->options.ticks - c->since;
        else
            c->sum.unknown = m->options.ticks;
        truth_of_cpu(&m->truth, number, &c->sum);
    }
}
