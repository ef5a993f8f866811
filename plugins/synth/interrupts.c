/* interrupts.c - interrupts and what is put off until after them; see computer.h.

   An interrupt takes a processor for the time of its service routine (ISR) and then of its deferred routine (DPC); each
   is told when it ends, with the time when it began. They never overlap on one processor, nor does a switch. */
#include "computer.h"

// clang-format off
static const struct { enum catalog_module module; uint32_t function; happening_kind isr, dpc; } routines[INTERRUPT_ROUTINES] = {
    { MODULE_NVME,     3, ISR_MSI, DPC },       { MODULE_NVME,      7, ISR_MSI, DPC },
    { MODULE_STORPORT, 2, ISR,     DPC },       { MODULE_TCPIP,     5, ISR,     DPC },
    { MODULE_TCPIP,    9, ISR_MSI, DPC },       { MODULE_TCPIP,    11, ISR_MSI, DPC },
    { MODULE_KERNEL,   1, ISR,     TIMER_DPC }, { MODULE_KERNEL,    4, ISR,     TIMER_DPC },
    { MODULE_HAL,      2, ISR,     DPC },       { MODULE_FLTMGR,    6, ISR,     THREADED_DPC },
    { MODULE_NTFS,     8, ISR,     DPC },       { MODULE_HAL,       5, ISR,     DPC },
};
// clang-format on

static uint64_t address_of(const model *m, uint32_t routine, int deferred)
{
    return m->module[routines[routine].module].base + CATALOG_CODE +
           (routines[routine].function + 16 * (uint32_t)deferred) * CATALOG_FUNCTION_BYTES;
}

void interrupts_begin(model *m)
{
    if (is_told(m, DPC)) agenda_put(&m->agenda, m->now + chance_about(&m->chance, m->strike), DUE_STRIKE, 0);
}

/* The first processors get more of them. A timer's routine needs no interrupt of its own. */
void interrupts_strike(model *m)
{
    uint32_t number = one_in(m, 2) ? any_cpu(m) : below(m, m->options.cpus / 8 + 1);
    cpu *c = &m->cpu[number];

    agenda_put(&m->agenda, m->now + chance_about(&m->chance, m->strike), DUE_STRIKE, 0);
    if (c->phase) return;
    c->routine = (uint8_t)below(m, INTERRUPT_ROUTINES);
    c->phase = routines[c->routine].dpc == TIMER_DPC ? 2 : 1;
    c->begun = m->now;
    agenda_put(&m->agenda, m->now + chance_about(&m->chance, c->phase == 1 ? 25 : 60), DUE_INTERRUPT, number);
}

void interrupts_end(model *m, uint32_t number)
{
    cpu *c = &m->cpu[number];
    int deferred = c->phase == 2;
    happening_kind kind = deferred ? routines[c->routine].dpc : routines[c->routine].isr;
    uint64_t spent;
    happening *h;

    if (!is_told(m, kind)) kind = deferred ? DPC : ISR;
    spent = m->now - c->begun;
    h = tell(m, kind, number);
    h->interrupt =
        (interrupt_facts){ c->begun, address_of(m, c->routine, deferred), 0x50u + c->routine * 0x11u, c->routine };
    *(deferred ? &c->sum.dpcs : &c->sum.isrs) += 1;
    *(deferred ? &c->sum.dpc_ticks : &c->sum.isr_ticks) += spent;
    m->routine[c->routine].times[deferred]++;
    m->routine[c->routine].spent[deferred] += spent;
    if (spent > m->routine[c->routine].most[deferred]) m->routine[c->routine].most[deferred] = spent;
    c->phase = (uint8_t)(deferred ? 0 : 2);
    if (deferred) return;
    c->begun = m->now + 1 + below(m, 4);
    agenda_put(&m->agenda, c->begun + chance_about(&m->chance, one_in(m, 50) ? 5000 : 100), DUE_INTERRUPT, number);
}

void interrupts_close(model *m)
{
    for (uint32_t i = 0; i < INTERRUPT_ROUTINES; i++) {
        for (int deferred = 0; deferred < 2; deferred++) {
            const image *module = &m->module[routines[i].module];

            if (!m->routine[i].times[deferred]) continue;
            truth_line(
                &m->truth, "routine",
                "\"kind\":\"%s\",\"image\":\"%s\",\"rva\":\"0x%llx\",\"count\":%llu,\"ticks\":%llu,\"longest\":%llu",
                deferred ? "DPC" : "ISR", module->name,
                (unsigned long long)(address_of(m, i, deferred) - module->base),
                (unsigned long long)m->routine[i].times[deferred], (unsigned long long)m->routine[i].spent[deferred],
                (unsigned long long)m->routine[i].most[deferred]);
        }
    }
}
