/* encode_processor.c - layouts of switches, samples, interrupts and stacks; see pen.h. */
#include "pen.h"

void lay_switch(pen *p, const happening *h)
{
    const switch_facts *f = &h->change;

    put32(p, f->new_tid);
    put32(p, f->old_tid);
    put8(p, f->new_priority);
    put8(p, f->old_priority);
    put8(p, p->version == 1 ? 6 : 0); /* NewThreadQuantum; PreviousCState */
    put8(p, 0);
    put8(p, f->reason);
    put8(p, f->mode);
    put8(p, f->state);
    put8(p, f->ideal);
    if (p->version == 1) return;
    put32(p, f->wait_ticks);
    put32(p, 0);
    if (p->version >= 5) put32(p, 0);
}

void lay_ready(pen *p, const happening *h)
{
    put32(p, h->ready.tid);
    put8(p, h->ready.reason);
    put8(p, h->ready.increment);
    put8(p, h->ready.flag);
    put8(p, 0);
}

void lay_sample(pen *p, const happening *h)
{
    put_pointer(p, h->sample.address);
    put32(p, h->sample.tid);
    put16(p, 1); /* Count */
    put8(p, h->sample.flags);
    put8(p, 0); /* Rank */
}

void lay_interval(pen *p, const happening *h)
{
    (void)h;
    put32(p, 0); /* Source: the timer */
    put32(p, p->interval);
    put32(p, p->interval);
    if (p->version >= 3) put_text16(p, "Timer");
}

void lay_isr(pen *p, const happening *h)
{
    const interrupt_facts *f = &h->interrupt;

    put_instant(p, f->initial);
    put_pointer(p, f->routine);
    if (p->version == 1) {
        put32(p, 1); /* ReturnValue */
        return;
    }
    put8(p, 1);
    put16(p, f->vector);
    put8(p, 0);
    if (h->kind == ISR_MSI) put32(p, f->message);
}

void lay_dpc(pen *p, const happening *h)
{
    put_instant(p, h->interrupt.initial);
    put_pointer(p, h->interrupt.routine);
}

static void put_frames(pen *p, const stack_pattern *s, uint64_t program)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->n; i++) put_pointer(p, s->frame[i].address + (program & s->frame[i].program));
}

void lay_stack(pen *p, const happening *h)
{
    const stack_facts *f = &h->stack;

    put_instant(p, f->of);
    put32(p, f->pid);
    put32(p, f->tid);
    put_frames(p, f->kernel, f->program);
    put_frames(p, f->user, f->program);
}

void lay_key_reference(pen *p, const happening *h)
{
    put_instant(p, h->stack.of);
    put32(p, h->stack.pid);
    put32(p, h->stack.tid);
    put_pointer(p, h->stack.key);
}

void lay_key_frames(pen *p, const happening *h)
{
    put_pointer(p, h->stack.key);
    put_frames(p, h->stack.kernel, h->stack.program);
}
