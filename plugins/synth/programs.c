/* programs.c - a program that tells of itself: requests of a web server as TraceLogging events; see computer.h.

   Each request is told when it begins and when it is answered; what it took is told in the answer. */
#include "computer.h"

void programs_lot(model *m)
{
    uint32_t thread = running_thread(m), lot = below(m, 10);
    const thread_facts *by;
    truth_process *sum;
    request_facts facts = { 0 };
    happening *h;

    if (thread == NO_THREAD || !is_told(m, REQUEST_START)) return;
    by = &thread_of(m, thread)->facts;
    sum = &process_of(m, thread)->sum;
    facts.number = ++m->requests;
    facts.items = below(m, 5);
    facts.status = (uint16_t)(one_in(m, 12) ? 500 : 200);
    facts.activity = chance_bits(&m->chance);
    facts.ticks = chance_about(&m->chance, 40000);
    facts.path = catalog_paths[below(m, CATALOG_PATHS)];
    h = tell_by(m,
                lot < 4   ? REQUEST_START
                : lot < 8 ? REQUEST_STOP
                          : REQUEST_CACHE,
                thread_of(m, thread)->cpu, by->pid, by->tid);
    h->request = facts;
    if (h->kind != REQUEST_STOP) return;
    sum->requests++;
    sum->request_ticks += facts.ticks;
    sum->failed_requests += facts.status == 500;
}
