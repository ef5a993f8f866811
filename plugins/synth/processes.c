/* processes.c - processes, threads and images that come and go; see computer.h.

   The start and the end of a process take several events, between which others may stand. Numbers of processes and
   threads come from one set and are used again, the longest unused first. */
#include "computer.h"

#include <string.h>

/* ---- Numbers ---- */

static uint32_t new_id(model *m)
{
    uint32_t id;

    if (m->nfreed < LEAST_FREED || one_in(m, 4)) {
        m->next_id += 4;
        return m->next_id;
    }
    id = m->freed[m->first_freed];
    m->first_freed = (m->first_freed + 1) % m->most_freed;
    m->nfreed--;
    return id;
}

void id_let_go(model *m, uint32_t id)
{
    if (m->nfreed == m->most_freed) return; /* more than ever live at once: this one is not used again */
    m->freed[(m->first_freed + m->nfreed++) % m->most_freed] = id;
}

/* ---- Making them ---- */

static uint32_t slot_of(const model *m, const process *p)
{
    return (uint32_t)(p - m->process);
}

/* The number of a new thread in the whole computer, NO_THREAD: there is no place. */
static uint32_t add_thread(model *m, process *p)
{
    const catalog_space *s = m->space;
    uint32_t place = 0, tid, urgency, function;
    uint64_t near;

    while (place < THREADS && (p->thread[place].facts.tid || p->thread[place].due)) place++;
    if (place == THREADS) return NO_THREAD;
    tid = new_id(m);
    near = (tid / 4) % 4096; /* addresses are used again, long after */
    urgency = below(m, 4);
    function = below(m, 1024);
    memset(&p->thread[place], 0, sizeof p->thread[place]);
    p->thread[place].facts = (thread_facts){
        .pid = p->facts.pid,
        .tid = tid,
        .priority = (uint8_t)(8 + urgency),
        .name = (uint8_t)(tid / 4 % CATALOG_THREAD_NAMES),
        .stack = s->stack + near * 0x8000 + 0x6000,
        .user_stack = p->own.base ? s->user_stack + near % 512 * 0x20000 + 0x20000 : 0,
        .teb = p->own.base ? s->teb + near % 512 * 0x2000 : 0,
        .start = (p->own.base ? p->own.base : m->module[MODULE_KERNEL].base) + CATALOG_CODE + 16 * function,
    };
    p->thread[place].cpu = (uint16_t)any_cpu(m);
    p->thread[place].next = NO_THREAD;
    p->thread[place].since = p->thread[place].sum.begin = m->now;
    p->thread[place].really = TRUTH_WAITING;
    p->nthreads++;
    p->sum.threads++;
    m->threads++;
    return slot_of(m, p) * THREADS + place;
}

static uint32_t any_thread(const process *p) /* its place; there is one */
{
    uint32_t place = 0;

    while (!p->thread[place].facts.tid) place++;
    return place;
}

static void make_process(model *m, uint32_t slot, uint32_t parent)
{
    const catalog_space *s = m->space;
    process *p = &m->process[slot];
    uint32_t program = below(m, CATALOG_PROGRAMS);
    const catalog_image *c = &catalog_images[CATALOG_FIRST_PROGRAM + program];

    if (p->defunct) id_let_go(m, p->facts.pid);
    p->defunct = 0;
    p->nthreads = p->held = p->libraries = 0;
    p->has_program = 0;
    memset(&p->sum, 0, sizeof p->sum);
    p->life = STARTS;
    p->program = program;
    p->own =
        (image){ c->folder, c->name, s->program + s->program_step * below(m, 64), c->bytes, 0x62000000 + program };
    p->facts = (process_facts){
        .pid = new_id(m),
        .parent = parent,
        .session = (uint32_t)c->user,
        .exit_status = 259, /* as long as it runs */
        .user = c->user,
        .key = s->object + slot * 0x800ull + 0x80,
        .name = c->name,
        .arguments = c->arguments,
        .folder = c->folder,
    };
    p->facts.directory = s->directory + p->facts.pid % 0x10000 * 0x1000ull;
    p->sum.begin = m->now;
    m->alive++;
}

static void make_permanent(model *m)
{
    process *idle = &m->process[IDLE], *system = &m->process[SYSTEM];

    idle->life = system->life = RUNS;
    idle->facts = (process_facts){ .name = "Idle",
                                   .arguments = "",
                                   .exit_status = 259,
                                   .key = m->space->module + 0xC000,
                                   .directory = m->space->directory };
    system->facts = (process_facts){ .name = "System",
                                     .arguments = "",
                                     .exit_status = 259,
                                     .pid = 4,
                                     .key = m->space->object + 0x80,
                                     .directory = m->space->directory };
    idle->sum.images = CATALOG_MODULES;
    for (int i = 0; i < 8; i++) (void)add_thread(m, system);
}

void processes_begin(model *m)
{
    m->next_id = 96;
    make_permanent(m);
    for (uint32_t i = 0; i < m->options.processes; i++) {
        process *p = &m->process[FIRST + i];
        uint32_t threads = 1 + below(m, THREADS / 2), bits;

        make_process(m, FIRST + i, m->process[SYSTEM].facts.pid);
        p->life = RUNS;
        p->has_program = 1;
        p->libraries = BASIC_LIBRARIES | (uint32_t)(chance_bits(&m->chance) & 0xFFFF);
        for (bits = p->libraries, p->sum.images = 1; bits; bits &= bits - 1) p->sum.images++;
        while (p->nthreads < threads) (void)add_thread(m, p);
    }
}

/* ---- Telling of them ---- */

/* A thread of a process that runs, or is made to: whoever does something runs. NO_THREAD: none can now. In a rundown it
   is the first one, whatever it does. */
static uint32_t doer_of(model *m, const process *by)
{
    uint32_t first = slot_of(m, by) * THREADS;

    if (!by->nthreads) return NO_THREAD;
    for (uint32_t i = 0; is_body(m) && i < THREADS; i++) {
        if (by->thread[i].facts.tid && by->thread[i].really == TRUTH_RUNNING) return first + i;
    }
    first += any_thread(by);
    return !is_body(m) || scheduler_run(m, first) ? first : NO_THREAD;
}

/* By one of its threads; by nobody known where none can do it now. */
static happening *tell_of(model *m, happening_kind kind, const process *by)
{
    uint32_t doer = doer_of(m, by);

    if (doer == NO_THREAD) return tell_by(m, kind, 0, by->facts.pid, 0);
    return tell_by(m, kind, is_body(m) ? thread_of(m, doer)->cpu : 0, by->facts.pid, thread_of(m, doer)->facts.tid);
}

static void tell_process(model *m, happening_kind kind, const process *by, const process *p)
{
    tell_of(m, kind, by)->process = p->facts;
}

static void tell_load(model *m, happening_kind kind, const process *by, const process *p, const image *what)
{
    happening *h =
        tell_of(m, kind, build_version(m->build, kind) ? by : p); /* version 0 tells it in the header only */

    h->load.image = *what;
    h->load.pid = p->facts.pid;
}

static uint32_t lowest_bit(uint32_t bits)
{
    uint32_t n = 0;

    while (!(bits >> n & 1)) n++;
    return n;
}

/* The index-th of what a process has loaded, or NULL after the last. */
static const image *image_of(const model *m, uint32_t slot, uint32_t index)
{
    const process *p = &m->process[slot];
    uint32_t bits = p->libraries;

    if (slot == IDLE) return index < CATALOG_MODULES ? &m->module[index] : NULL;
    if (p->has_program && index-- == 0) return &p->own;
    for (; bits && index; index--) bits &= bits - 1;
    return bits ? &m->library[lowest_bit(bits)] : NULL;
}

static void rundown_image(model *m, const process *p, const image *what, int last)
{
    happening *h;

    tell_load(m, last ? IMAGE_DC_END : IMAGE_DC_START, &m->process[SYSTEM], p, what);
    if (!last) return;
    for (happening_kind kind = MERGED_IMAGE; kind <= MERGED_PDB; kind++) {
        h = tell_by(m, kind, 0, p->facts.pid, 0);
        h->load.image = *what;
        h->load.pid = p->facts.pid;
    }
}

/* A process's steps: itself, the places of its threads, its images. */
int processes_rundown(model *m, int last)
{
    const process *by = &m->process[SYSTEM], *p = &m->process[m->rundown.part];
    uint32_t step = m->rundown.index++;
    const image *what;

    if (m->rundown.part == m->slots) return 0;
    if (step == 0 && p->life == GONE && p->defunct && last) tell(m, PROCESS_DEFUNCT, 0)->process = p->facts;
    if (step == 0 && p->life != GONE) {
        tell_process(m, last ? PROCESS_DC_END : PROCESS_DC_START, by, p);
    } else if (p->life != GONE && step <= THREADS) {
        if (p->thread[step - 1].facts.tid)
            tell_of(m, last ? THREAD_DC_END : THREAD_DC_START, by)->thread = p->thread[step - 1].facts;
    } else if (p->life != GONE && (what = image_of(m, m->rundown.part, step - 1 - THREADS))) {
        rundown_image(m, p, what, last);
    } else {
        m->rundown.part++;
        m->rundown.index = 0;
    }
    return 1;
}

/* ---- Threads and images that come and go ---- */

static void start_thread(model *m, process *p)
{
    const process *by = p->nthreads ? p : &m->process[SYSTEM];
    happening *h = tell_of(m, THREAD_START, by);
    uint32_t t = add_thread(m, p); /* there is a place */

    h->thread = thread_of(m, t)->facts;
    m->now++; /* it is there before it is ready */
    if (is_told(m, THREAD_NAME) && h->thread.name == 1) tell(m, THREAD_NAME, h->cpu)->thread = h->thread;
    scheduler_add(m, t);
}

/* 0: it cannot now. It runs when it ends. */
static int end_thread(model *m, process *p, uint32_t place)
{
    thread *t = &p->thread[place];

    if (!scheduler_run(m, slot_of(m, p) * THREADS + place)) return 0;
    tell_by(m, THREAD_END, t->cpu, p->facts.pid, t->facts.tid)->thread = t->facts; /* a thread ends itself */
    scheduler_remove(m, slot_of(m, p) * THREADS + place);
    p->nthreads--;
    m->threads--;
    return 1;
}

static void load_library(model *m, process *p, uint32_t library)
{
    p->libraries |= 1u << library;
    p->sum.images++;
    tell_load(m, IMAGE_LOAD, p, p, &m->library[library]);
}

static void unload_library(model *m, process *p, uint32_t library)
{
    p->libraries &= ~(1u << library);
    tell_load(m, IMAGE_UNLOAD, p, p, &m->library[library]);
}

static int pick_process(model *m, uint32_t *slot) /* one that runs, not one of the system's own */
{
    for (int tries = 0; tries < 8; tries++) {
        *slot = FIRST + below(m, m->slots - FIRST);
        if (m->process[*slot].life == RUNS) return 1;
    }
    return 0;
}

void processes_change(model *m)
{
    uint32_t slot, extra, place;
    process *p;

    if (!pick_process(m, &slot)) return;
    p = &m->process[slot];
    if (one_in(m, 2)) {
        place = below(m, THREADS);
        if (p->nthreads < 3 || (one_in(m, 2) && p->nthreads < THREADS / 2)) {
            for (place = 0; place < THREADS; place++) {
                if (!p->thread[place].facts.tid && !p->thread[place].due) {
                    start_thread(m, p);
                    return;
                }
            }
        } else if (p->thread[place].facts.tid && !p->thread[place].held && p->nthreads > 1) {
            (void)end_thread(m, p, place);
        }
        return;
    }
    extra = p->libraries & ~(uint32_t)BASIC_LIBRARIES;
    if (extra && one_in(m, 2))
        unload_library(m, p, lowest_bit(extra));
    else if (~p->libraries & 0xFFFF)
        load_library(m, p, lowest_bit(~p->libraries & 0xFFFF));
}

/* ---- The start and the end of a process ---- */

static void begin_start(model *m)
{
    uint32_t slot = FIRST, parent = SYSTEM;

    while (m->process[slot].life != GONE) slot++; /* there is one: see processes_live */
    pick_process(m, &parent);
    if (m->process[parent].life != RUNS) parent = SYSTEM;
    make_process(m, slot, m->process[parent].facts.pid);
    m->burst = slot;
    m->step = 0;
    tell_process(m, PROCESS_START, &m->process[parent], &m->process[slot]);
    m->process[slot].sum.begin = m->now;
}

static int places_left(const process *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < THREADS; i++) n += !p->thread[i].facts.tid && !p->thread[i].due;
    return n > 1;
}

static int go_on_starting(model *m, process *p)
{
    uint32_t missing = BASIC_LIBRARIES & ~p->libraries;

    if (m->step == 0 && !places_left(p)) return 0; /* threads of the one before are still on the agenda */
    if (m->step++ == 0) {
        start_thread(m, p);
    } else if (!p->has_program) {
        p->has_program = 1;
        p->sum.images++;
        tell_load(m, IMAGE_LOAD, p, p, &p->own);
    } else if (missing) {
        load_library(m, p, lowest_bit(missing));
    } else if (places_left(p)) {
        p->life = RUNS;
        m->burst = 0;
        start_thread(m, p);
    }
    return 1;
}

static void end_process(model *m, process *p)
{
    p->facts.exit_status = one_in(m, 20) ? 1 : 0;
    tell_of(m, PROCESS_TERMINATE, &m->process[SYSTEM])->process = p->facts;
    tell_process(m, PROCESS_END, &m->process[SYSTEM], p);
    truth_of_process(&m->truth, &p->facts, &p->sum, m->now, build_version(m->build, PROCESS_END) > 0);
    p->life = GONE;
    p->defunct = one_in(m, 8);
    if (!p->defunct) id_let_go(m, p->facts.pid);
    m->alive--;
    m->burst = 0;
}

/* Its threads end, whatever they were about to do. */
static int go_on_ending(model *m, process *p)
{
    if (p->held) return 0; /* it begins no more requests, so they come to an end */
    if (files_process_ends(m, m->burst) || network_process_ends(m, m->burst)) return 1;
    if (p->nthreads > 1) {
        uint32_t first = any_thread(p), place = THREADS - 1;

        while (!p->thread[place].facts.tid) place--;
        return place != first && end_thread(m, p, place);
    } else if (p->libraries) {
        unload_library(m, p, lowest_bit(p->libraries));
    } else if (p->has_program) {
        p->has_program = 0;
        tell_load(m, IMAGE_UNLOAD, p, p, &p->own);
    } else if (p->nthreads) {
        return end_thread(m, p, any_thread(p));
    } else {
        end_process(m, p);
    }
    return 1;
}

int processes_go_on(model *m)
{
    process *p = &m->process[m->burst];

    return p->life == STARTS ? go_on_starting(m, p) : go_on_ending(m, p);
}

/* A process starts or ends, so that their number stays near the one asked for. */
void processes_live(model *m)
{
    uint32_t slot, most = m->slots - FIRST;

    if (m->burst) return;
    if (m->alive < most && (one_in(m, 2) || m->alive * 4 <= m->options.processes * 3)) {
        begin_start(m);
        return;
    }
    if (m->alive < 2 || !pick_process(m, &slot)) return;
    m->process[slot].life = ENDS;
    m->burst = slot;
    (void)processes_go_on(m);
}

void processes_close(model *m)
{
    for (uint32_t slot = 0; slot < m->slots; slot++) {
        process *p = &m->process[slot];

        if (p->life == GONE) continue;
        for (uint32_t i = 0; i < THREADS; i++) {
            if (p->thread[i].facts.tid) thread_close(m, &p->thread[i], m->options.ticks);
        }
        truth_of_process(&m->truth, &p->facts, &p->sum, m->options.ticks, 0);
    }
}
