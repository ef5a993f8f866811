/* model.c - the course of a trace: what there is, what happens, what is left, and what the machine is.

   In the body the agenda says what is due next; each item lets something happen and puts itself down again. What is
   told waits in a short queue, since a step may tell several happenings at one moment. How much is drawn by lot follows
   how much was told, so the rate is kept whatever the rest does. */
#include "computer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum part {
    PART_SESSION,
    PART_RUNDOWN,
    PART_NAMES,
    PART_BODY,
    PART_LAST_RUNDOWN,
    PART_LAST_NAMES,
    PART_KEYS,
    PART_MACHINE,
    PART_LAST,
    PART_OVER
};

// clang-format off
/* What the machine is made of, told at the end. `number`: how many; 0: one a processor. */
static const struct { happening_kind kind; uint32_t number; } machine[] = {
    { COLLECTION_END, 1 }, { SYSTEM_CPU, 1 }, { SYSTEM_DISK, 2 }, { SYSTEM_PARTITION, 2 }, { SYSTEM_NIC, 2 },
    { SYSTEM_VIDEO, 1 }, { SYSTEM_SERVICE, CATALOG_SERVICES }, { SYSTEM_POWER, 1 }, { SYSTEM_NETWORK, 1 },
    { SYSTEM_IRQ, 3 }, { SYSTEM_PNP, CATALOG_DEVICES }, { SYSTEM_IDE, 1 }, { SYSTEM_NUMA, 1 }, { SYSTEM_PLATFORM, 1 },
    { SYSTEM_GROUPS, 1 }, { SYSTEM_NUMBERS, 1 }, { SYSTEM_PROCESSOR, 0 }, { SESSION_BUILD, 1 }, { MERGED_BUILD, 1 },
    { MERGED_PATHS, 1 }, { MERGED_VOLUME, 4 }, { SESSION_PARTITION, 1 }, { KERNEL_BASE, 1 }, { SESSION_RUNDOWN_DONE, 1 },
};
// clang-format on
enum {
    MACHINE = sizeof machine / sizeof *machine,
    MACHINE_EVENTS = 64,
    LEAST_INTERVAL = 1221,     /* ticks between two samples: the shortest one of Windows */
    MOST_INTERVAL = 100000000, /* 10 s */
    SLACK = 4096 /* ticks: what is under way when the body ends takes some more; a shorter trace has rundowns only */
};

/* ---- Telling ---- */

int is_told(const model *m, happening_kind kind)
{
    return build_version(m->build, kind) != NO_EVENT;
}

int is_body(const model *m)
{
    return m->part == PART_BODY;
}

happening *tell_by(model *m, happening_kind kind, uint32_t cpu, uint32_t pid, uint32_t tid)
{
    happening *h;

    assert(m->nqueue < QUEUE);
    h = is_told(m, kind) ? &m->queue[m->nqueue++] : &m->nowhere;
    h->kind = kind;
    h->cpu = (uint16_t)cpu;
    h->pid = pid;
    h->tid = tid;
    h->ticks = m->now;
    return h;
}

happening *tell(model *m, happening_kind kind, uint32_t cpu)
{
    return tell_by(m, kind, cpu, NOBODY, NOBODY);
}

void begin_stacked(model *m)
{
    if (m->now <= m->last_stack) m->now = m->last_stack + 1;
    m->last_stack = m->now;
}

/* ---- The body ---- */

/* A moment of which `rate` in a second are expected: how many were, by now. */
static uint64_t expected(const model *m)
{
    uint64_t passed = m->now - m->body, rate = m->options.rate;

    return passed / MODEL_TICKS_HZ * rate + passed % MODEL_TICKS_HZ * rate / MODEL_TICKS_HZ;
}

/* Of `share` per mille of the events the mean gap in ticks, where one draw tells about `each` tenths of an event. */
static uint64_t gap_of(const model *m, uint64_t share, uint64_t each)
{
    uint64_t gap = (uint64_t)MODEL_TICKS_HZ * each * 100 / (share * m->options.rate);

    return gap ? gap : 1;
}

static void draw(model *m)
{
    uint32_t lot = below(m, 4096);

    if (m->burst && lot % 2 && processes_go_on(m)) return;
    if (lot < 2300)
        files_lot(m);
    else if (lot < 3500)
        network_lot(m);
    else if (lot < 3950)
        programs_lot(m);
    else if (lot < 4010)
        processes_change(m);
    else
        processes_live(m);
}

static void draw_lot(model *m)
{
    uint64_t slack = m->options.rate / 50 + 50, told = m->told + slack, due = expected(m) + slack, gap = m->lot;

    draw(m);
    if (told > 4 * due) told = 4 * due;
    if (due > 4 * told) due = 4 * told;
    gap = gap * told / due * told / due;
    agenda_put(&m->agenda, m->now + chance_about(&m->chance, gap), DUE_LOT, 0);
}

static void do_item(model *m, const agenda_item *item)
{
    switch ((enum agenda_what)item->what) {
    case DUE_SLICE: scheduler_slice(m, item->who); break;
    case DUE_WAKE: scheduler_wake(m, item->who); break;
    case DUE_SAMPLE: scheduler_sample(m); break;
    case DUE_STRIKE: interrupts_strike(m); break;
    case DUE_INTERRUPT: interrupts_end(m, item->who); break;
    case DUE_LOT: draw_lot(m); break;
    case DUE_OPERATION: files_due(m, item->who); break;
    }
}

/* One more item, or 0 when all that belongs to the body is done: requests come to their end, everything else stops. */
static int body(model *m)
{
    uint64_t next = m->agenda.n ? m->agenda.item[0].due : m->body_end;
    agenda_item item;

    if (next > m->body_end) next = m->body_end;
    if (stacks_straggle(m, next)) return 1;
    if (!m->agenda.n || m->agenda.item[0].due > m->body_end) return 0;
    item = agenda_take(&m->agenda);
    if (item.due >= m->body_end && item.what != DUE_OPERATION) return 1;
    if (item.due > m->now) m->now = item.due;
    do_item(m, &item);
    return 1;
}

static void begin_body(model *m)
{
    m->body = m->now;
    m->told = 0;
    scheduler_begin(m);
    interrupts_begin(m);
    agenda_put(&m->agenda, m->now + chance_about(&m->chance, m->lot), DUE_LOT, 0);
}

/* ---- Before and behind ---- */

static void begin_session(model *m)
{
    tell_by(m, SESSION_MASKS, 0, 4, 0)->index = 0;
    tell_by(m, COLLECTION_START, 0, 4, 0)->index = 0;
}

static int tell_machine(model *m)
{
    uint32_t part = m->rundown.part, number;

    if (part == MACHINE) return 0;
    number = machine[part].number ? machine[part].number : m->options.cpus;
    if (m->rundown.index == number) {
        m->rundown.part++;
        m->rundown.index = 0;
        return 1;
    }
    if (machine[part].kind == KERNEL_BASE || machine[part].kind == SESSION_BUILD ||
        machine[part].kind == SYSTEM_NUMA || machine[part].kind == SYSTEM_GROUPS ||
        machine[part].kind == SYSTEM_NUMBERS || machine[part].kind == SESSION_RUNDOWN_DONE)
        tell(m, machine[part].kind, 0)->index = m->rundown.index++;
    else if (build_events[machine[part].kind].form == FORM_MERGED)
        tell_by(m, machine[part].kind, 0, 0, 0)->index = m->rundown.index++;
    else
        tell_by(m, machine[part].kind, 0, 4, 0)->index = m->rundown.index++;
    return 1;
}

/* Lets one part go on; 0: it is over. */
static int go_on(model *m)
{
    switch ((enum part)m->part) {
    case PART_SESSION: begin_session(m); return 0;
    case PART_RUNDOWN: return processes_rundown(m, 0);
    case PART_NAMES: return files_rundown(m, FILE_NAME);
    case PART_BODY: return body(m);
    case PART_LAST_RUNDOWN: return processes_rundown(m, 1);
    case PART_LAST_NAMES: return files_rundown(m, FILE_RUNDOWN);
    case PART_KEYS: return stacks_rundown(m);
    case PART_MACHINE: return tell_machine(m);
    case PART_LAST:
        m->now = m->options.ticks;
        tell_by(m, is_told(m, SESSION_END_MASKS) ? SESSION_END_MASKS : SESSION_RUNDOWN_DONE, 0, 4, 0)->index = 0;
        return 0;
    case PART_OVER: break;
    }
    return 0;
}

static void begin_part(model *m)
{
    memset(&m->rundown, 0, sizeof m->rundown);
    if (m->part == PART_BODY) begin_body(m);
    if (m->part == PART_LAST_RUNDOWN && m->now < m->body_end) m->now = m->body_end;
}

const happening *model_next(model *m)
{
    while (m->taken == m->nqueue) {
        m->taken = m->nqueue = 0;
        if (m->part == PART_OVER) return NULL;
        if (go_on(m)) {
            if (m->part != PART_BODY && m->nqueue) m->now += m->rundown_step;
            continue;
        }
        m->part++;
        begin_part(m);
    }
    m->told++;
    return &m->queue[m->taken++];
}

void model_told(model *m, const happening *h, uint32_t bytes)
{
    m->truth.of_kind[h->kind]++;
    m->truth.events++;
    m->truth.bytes += bytes;
}

uint32_t model_interval(const model *m)
{
    return m->interval;
}

/* ---- Truth ---- */

static void tell_counts(model *m)
{
    truth *t = &m->truth;

    for (int kind = 0; kind < HAPPENING_KINDS; kind++) {
        const build_event *e = &build_events[kind];
        uint8_t version = build_version(m->build, (happening_kind)kind);

        if (!t->of_kind[kind]) continue;
        if (e->form == FORM_KERNEL)
            truth_line(t, "events", "\"group\":%d,\"opcode\":%d,\"version\":%d,\"count\":%llu", e->group, e->opcode,
                       version, (unsigned long long)t->of_kind[kind]);
        else if (e->form == FORM_MERGED)
            truth_line(t, "events", "\"class\":\"%s\",\"opcode\":%d,\"version\":%d,\"count\":%llu",
                       e->group == CLASS_IMAGE_ID ? "ImageID" : "SystemConfigEx", e->opcode, version,
                       (unsigned long long)t->of_kind[kind]);
        else
            truth_line(t, "events", "\"class\":\"TraceLogging\",\"opcode\":%d,\"version\":%d,\"count\":%llu",
                       e->opcode, version, (unsigned long long)t->of_kind[kind]);
        if (t->stacks_of[kind])
            truth_line(t, "stacks", "\"group\":%d,\"opcode\":%d,\"stacks\":%llu,\"frames\":%llu", e->group, e->opcode,
                       (unsigned long long)t->stacks_of[kind], (unsigned long long)t->frames_of[kind]);
    }
}

int model_truth(model *m)
{
    truth *t = &m->truth;

    if (!t->write) return 0;
    processes_close(m);
    scheduler_close(m);
    interrupts_close(m);
    files_close(m);
    network_close(m);
    stacks_close(m);
    tell_counts(m);
    truth_line(t, "lost", "\"events\":%llu", (unsigned long long)m->options.lose);
    truth_line(t, "end", "\"events\":%llu,\"payload_bytes\":%llu,\"ticks\":%llu", (unsigned long long)t->events,
               (unsigned long long)t->bytes, (unsigned long long)m->options.ticks);
    t->write = NULL;
    return t->status;
}

/* ---- Making and unmaking ---- */

/* Wakes are a twentieth of the events, and with what they bring along a quarter; a processor works half of its time. */
static void set_rates(model *m)
{
    const model_options *o = &m->options;
    uint64_t interval = o->interval ? o->interval : gap_of(m, 140, 10) * o->cpus;

    m->lot = gap_of(m, 340, 25);
    m->strike = gap_of(m, 80, 20);
    m->wakes = gap_of(m, 50, 10);
    m->slice = m->wakes * o->cpus / 2;
    if (m->slice < 20) m->slice = 20;
    m->interval = interval < LEAST_INTERVAL  ? LEAST_INTERVAL
                  : interval > MOST_INTERVAL ? MOST_INTERVAL
                                             : (uint32_t)interval;
}

static void set_places(model *m)
{
    uint64_t at = m->space->module;

    for (uint32_t i = 0; i < CATALOG_MODULES; i++) {
        const catalog_image *c = &catalog_images[i];

        m->module[i] = (image){ c->folder, c->name, at, c->bytes, 0x60000000 + i };
        at += c->bytes + 0x10000 * (uint64_t)(1 + below(m, 16));
        at &= ~UINT64_C(0xFFF);
    }
    at = m->space->library;
    for (uint32_t i = 0; i < CATALOG_LIBRARIES; i++) {
        const catalog_image *c = &catalog_images[CATALOG_FIRST_LIBRARY + i];

        at -= (c->bytes + 0xFFFFu) & ~0xFFFFu;
        at -= 0x10000 * (uint64_t)below(m, 16);
        m->library[i] = (image){ c->folder, c->name, at, c->bytes, 0x61000000 + i };
    }
}

void model_restart(model *m)
{
    const model kept = *m;
    uint64_t most = (uint64_t)m->slots * (3 + THREADS + 3 * (CATALOG_LIBRARIES + 1)) + m->nfiles + STACK_KEYS +
                    m->options.cpus + MACHINE_EVENTS;

    memset(m, 0, sizeof *m);
    m->options = kept.options;
    m->build = kept.build;
    m->space = kept.space;
    m->slots = kept.slots;
    m->nfiles = kept.nfiles;
    m->agenda = kept.agenda;
    m->agenda.n = 0;
    m->agenda.order = 0;
    m->process = kept.process;
    m->cpu = kept.cpu;
    m->file = kept.file;
    m->freed = kept.freed;
    m->most_freed = kept.most_freed;
    m->frames = kept.frames;
    m->functions = kept.functions;
    memset(m->process, 0, m->slots * sizeof *m->process);
    memset(m->cpu, 0, m->options.cpus * sizeof *m->cpu);
    for (uint32_t i = 0; i < m->options.cpus; i++) m->cpu[i].thread = NO_THREAD;
    memset(m->file, 0, m->nfiles * sizeof *m->file);
    m->chance.state = m->options.seed;
    m->truth.write = kept.part == PART_SESSION ? m->options.write : NULL; /* once */
    m->truth.to = m->options.to;
    set_rates(m);
    set_places(m);
    stacks_begin(m);
    files_begin(m);
    processes_begin(m);
    m->rundown_step = most + SLACK <= m->options.ticks / 4;
    m->body_end = m->options.ticks >= 4 * SLACK ? m->options.ticks - SLACK - (m->rundown_step ? most : 0) : 0;
    m->first_ready = m->last_ready = NO_THREAD;
}

model *model_new(const model_options *o)
{
    model *m = calloc(1, sizeof *m);
    uint32_t threads;

    if (!m) return NULL;
    m->options = *o;
    m->build = &builds[o->build];
    m->space = catalog_space_of(o->pointer);
    m->slots = FIRST + o->processes + o->processes / 4 + 1;
    m->nfiles = o->server ? 2048 : 192;
    threads = m->slots * THREADS;
    m->most_freed = threads + m->slots + 1;
    m->process = calloc(m->slots, sizeof *m->process);
    m->cpu = calloc(o->cpus, sizeof *m->cpu);
    m->file = calloc(m->nfiles, sizeof *m->file);
    m->freed = calloc(m->most_freed, sizeof *m->freed);
    m->frames = calloc(PATTERNS * STACK_DEPTH, sizeof *m->frames);
    m->functions = calloc(PATTERNS * STACK_DEPTH, sizeof *m->functions);
    if (!m->process || !m->cpu || !m->file || !m->freed || !m->frames || !m->functions ||
        !agenda_init(&m->agenda, threads + 2 * o->cpus + OPERATIONS + 8)) {
        model_free(m);
        return NULL;
    }
    model_restart(m);
    truth_line(
        &m->truth, "trace",
        "\"build\":\"%s\",\"pointer\":%u,\"cpus\":%u,\"seed\":%llu,\"hz\":%d,\"interval\":%u,\"ready_events\":%s",
        m->build->name, o->pointer, o->cpus, (unsigned long long)o->seed, MODEL_TICKS_HZ, m->interval,
        is_told(m, READY_THREAD) ? "true" : "false");
    return m;
}

void model_free(model *m)
{
    if (!m) return;
    agenda_free(&m->agenda);
    free(m->process);
    free(m->cpu);
    free(m->file);
    free(m->freed);
    free(m->frames);
    free(m->functions);
    free(m);
}
