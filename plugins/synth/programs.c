/* programs.c - a program that tells of itself: requests of a web server as TraceLogging events; see computer.h.

   Each request is told when it begins and when it is answered; what it took is told in the answer. */
#include "computer.h"

void programs_lot(model *m)
{
    uint32_t thread = running_thread(m), lot = below(m, 10);
    const thread_facts *by;
    truth_process *sum;
    request_facts facts;
    happening *h;

    if (thread == NO_THREAD || !is_told(m, REQUEST_START)) return;
    by = &thread_of(m, thread)->facts;
    sum = &process_of(m, thread)->sum;
    facts = (request_facts){
        .number = ++m->requests,
        .items = below(m, 5),
        .status = (uint16_t)(one_in(m, 12) ? 500 : 200),
        .activity = chance_bits(&m->chance),
        .ticks = chance_about(&m->chance, 40000),
        .path = catalog_paths[below(m, CATALOG_PATHS)],
    };
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
