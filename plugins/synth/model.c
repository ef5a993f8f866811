/* model.c - the make-believe computer at work.

   Between the start and the end of sampling a trace has three parts: a rundown of what is there, the body, and a
   rundown of what is left. In the body a random gap leads to the next moment; what happens then is drawn by lot,
   but a transfer that is done before that moment comes first. The start and the end of a process take several
   events, between which others may stand. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum {
    IDLE = 0, /* processes that are always there; the images of IDLE are the kernel's modules */
    SYSTEM = 1,
    FIRST = 2,
    PROGRAMS = 12,
    BASIC_LIBRARIES = 0x1F /* every process has these loaded from its start to its end */
};

enum part { PART_SAMPLING, PART_RUNDOWN, PART_BODY, PART_LAST_RUNDOWN, PART_LAST_SAMPLING, PART_OVER };

typedef struct place {
    uint32_t process, step;
} place; /* where a rundown is */

typedef struct cpu {
    uint32_t process, thread, tid;
} cpu; /* what it runs */

struct model {
    model_options options;
    uint64_t random;
    uint64_t gap;          /* mean, in 1/65536 of a tick */
    uint64_t now;          /* in 1/65536 of a tick */
    uint64_t body_end;     /* ticks */
    uint32_t rundown_step; /* ticks between two events of a rundown */
    enum part part;
    place rundown;
    uint32_t slots, alive, next_id, starts;
    uint32_t burst, step; /* the process that starts or ends (0: none), and how far it is */
    uint32_t turn;        /* CPU that is sampled next */
    uint32_t ntransfers;
    model_image module[MODEL_MODULES], library[MODEL_LIBRARIES];
    model_transfer transfer[MODEL_TRANSFERS]; /* by number */
    uint16_t order[MODEL_TRANSFERS]; /* heap of the numbers under way by due time; behind them the free ones */
    cpu *cpu;
    model_process *process;
};

// clang-format off
static const struct { const char *name, *folder, *arguments; uint32_t bytes; int user; } programs[PROGRAMS] = {
    { "worker.exe",   MODEL_DISK "\\Program Files\\Contoso\\Grid",        " --queue default",      0x00084000, 1 },
    { "indexer.exe",  MODEL_DISK "\\Program Files\\Contoso\\Search",      " --scan D:\\Data",      0x00152000, 0 },
    { "renderer.exe", MODEL_DISK "\\Program Files\\Fabrikam\\Studio",     " --tile 12,7",          0x00610000, 1 },
    { "compiler.exe", MODEL_DISK "\\Tools\\bin",                          " -c main.c",            0x002C8000, 1 },
    { "linker.exe",   MODEL_DISK "\\Tools\\bin",                          " @objects.rsp",         0x0019A000, 1 },
    { "dbserver.exe", MODEL_DISK "\\Program Files\\Northwind\\Database",  " --port 5433",          0x00940000, 0 },
    { "webfront.exe", MODEL_DISK "\\Program Files\\Northwind\\Web",       " --sites sites.conf",   0x0031E000, 0 },
    { "mailer.exe",   MODEL_DISK "\\Program Files\\Northwind\\Mail",      "",                      0x000F2000, 1 },
    { "backup.exe",   MODEL_DISK "\\Program Files\\Fabrikam\\Vault",      " --incremental",        0x000B8000, 0 },
    { "player.exe",   MODEL_DISK "\\Program Files\\Fabrikam\\Studio",     " \"a b.mp4\"",          0x00274000, 1 },
    { "terminal.exe", MODEL_DISK "\\Program Files\\Contoso\\Shell",       "",                      0x0005C000, 1 },
    { "updater.exe",  MODEL_DISK "\\Program Files\\Contoso\\Update",      " /background",          0x00046000, 0 },
};
static const struct { const char *name; uint32_t bytes; } libraries[MODEL_LIBRARIES] = {
    { "ntdll.dll", 0x1F8000 },             { "kernel32.dll", 0x0C2000 },
    { "kernelbase.dll", 0x2F6000 },        { "ucrtbase.dll", 0x111000 },
    { "rpcrt4.dll", 0x124000 },            { "user32.dll", 0x1AC000 },
    { "gdi32.dll", 0x02B000 },             { "ws2_32.dll", 0x071000 },
    { "crypt32.dll", 0x166000 },           { "advapi32.dll", 0x0B1000 },
    { "ole32.dll", 0x12A000 },             { "shlwapi.dll", 0x05E000 },
    { "contoso.net.dll", 0x0D8000 },       { "fabrikam.codec.dll", 0x348000 },
    { "northwind.sql.dll", 0x206000 },     { "zip.dll", 0x01A000 },
};
static const struct { const char *name, *folder; uint32_t bytes; } modules[MODEL_MODULES] = {
    { "ntoskrnl.exe",  "\\SystemRoot\\system32",             0x1046000 },
    { "hal.dll",       "\\SystemRoot\\system32",             0x006000 },
    { "ntfs.sys",      "\\SystemRoot\\System32\\drivers",    0x2DE000 },
    { "fltmgr.sys",    "\\SystemRoot\\System32\\drivers",    0x07E000 },
    { "storport.sys",  "\\SystemRoot\\System32\\drivers",    0x0B8000 },
    { "stornvme.sys",  "\\SystemRoot\\System32\\drivers",    0x03C000 },
    { "tcpip.sys",     "\\SystemRoot\\System32\\drivers",    0x2EB000 },
    { "contosofw.sys", "\\SystemRoot\\System32\\drivers",    0x022000 },
};
/* Where things lie, for pointers of 8 and of 4 bytes. */
typedef struct space {
    uint64_t module, library, program, program_step, stack, user_stack, teb, object, irp, file, directory;
} space;
static const space spaces[2] = {
    { 0xFFFFF80210000000, 0x7FFB40000000, 0x7FF600000000, 0x1000000, 0xFFFF8A0100000000, 0x2000000000, 0x3000000000,
      0xFFFFC10800000000, 0xFFFFC10A00000000, 0xFFFFC10C00000000, 0x100000000 },
    { 0x81800000, 0x77F00000, 0x00400000, 0x10000, 0x8A000000, 0x02000000, 0x7F000000,
      0x85000000, 0x86000000, 0x87000000, 0x01000000 },
};
// clang-format on

/* ---- Chance ---- */

/* The splitmix64 generator: every seed is good, and equal seeds give equal traces on every machine. */
static uint64_t random_bits(model *m)
{
    uint64_t z = m->random += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint32_t below(model *m, uint32_t n) /* 0 … n - 1 */
{
    return (uint32_t)(((random_bits(m) >> 32) * n) >> 32);
}

static int one_in(model *m, uint32_t n)
{
    return below(m, n) == 0;
}

static const space *space_of(const model *m)
{
    return &spaces[m->options.pointer == 4];
}

static uint64_t now(const model *m)
{
    return m->now >> 16;
}

/* ---- What there is ---- */

static void place_images(model *m)
{
    uint64_t at = space_of(m)->module;

    for (uint32_t i = 0; i < MODEL_MODULES; i++) {
        m->module[i] = (model_image){ modules[i].folder, modules[i].name, at, modules[i].bytes, 0x60000000 + i };
        at += modules[i].bytes + 0x10000 * (uint64_t)(1 + below(m, 16));
    }
    at = space_of(m)->library;
    for (uint32_t i = 0; i < MODEL_LIBRARIES; i++) {
        at -= (libraries[i].bytes + 0xFFFFu) & ~0xFFFFu;
        at -= 0x10000 * (uint64_t)below(m, 16);
        m->library[i] = (model_image){ MODEL_DISK "\\Windows\\System32", libraries[i].name, at, libraries[i].bytes,
                                       0x61000000 + i };
    }
}

static uint32_t new_id(model *m) /* processes and threads share their numbers */
{
    m->next_id += 4;
    return m->next_id;
}

static model_thread *add_thread(model *m, model_process *p)
{
    const space *s = space_of(m);
    model_thread *t = &p->thread[p->nthreads++];
    uint32_t tid = new_id(m);
    uint64_t near = (tid / 4) % 4096; /* addresses are used again, long after */

    *t = (model_thread){
        .tid = tid,
        .priority = (uint8_t)(8 + below(m, 4)),
        .stack = s->stack + near * 0x8000 + 0x6000,
        .user_stack = p->program.base ? s->user_stack + near % 512 * 0x20000 + 0x20000 : 0,
        .teb = p->program.base ? s->teb + near % 512 * 0x2000 : 0,
        .start = (p->program.base ? p->program.base : m->module[0].base) + 0x1000 + 16 * below(m, 4096),
    };
    return t;
}

static void make_process(model *m, uint32_t slot, uint32_t parent)
{
    const space *s = space_of(m);
    model_process *p = &m->process[slot];
    uint32_t program = below(m, PROGRAMS);

    memset(p, 0, sizeof *p);
    p->life = MODEL_STARTS;
    p->pid = new_id(m);
    p->parent = parent;
    p->number = ++m->starts;
    p->user = programs[program].user;
    p->session = (uint32_t)p->user;
    p->exit_status = 259; /* as long as it runs */
    p->key = s->object + slot * 0x800ull + 0x80;
    p->directory = s->directory + p->pid % 0x10000 * 0x1000ull;
    p->name = programs[program].name;
    p->arguments = programs[program].arguments;
    p->program =
        (model_image){ programs[program].folder, programs[program].name, s->program + s->program_step * below(m, 64),
                       programs[program].bytes, 0x62000000 + program };
    m->alive++;
}

static void make_permanent(model *m)
{
    model_process *idle = &m->process[IDLE], *system = &m->process[SYSTEM];

    idle->life = system->life = MODEL_RUNS;
    idle->name = "Idle";
    system->name = "System";
    idle->arguments = system->arguments = "";
    idle->exit_status = system->exit_status = 259;
    idle->key = space_of(m)->module + 0xC000;
    idle->directory = system->directory = space_of(m)->directory;
    system->key = space_of(m)->object + 0x80;
    system->pid = 4;
    for (int i = 0; i < 8; i++) add_thread(m, system);
}

static int pick_process(model *m, uint32_t *slot) /* one that runs, not one of the system's own */
{
    for (int tries = 0; tries < 8; tries++) {
        *slot = FIRST + below(m, m->slots - FIRST);
        if (m->process[*slot].life == MODEL_RUNS) return 1;
    }
    return 0;
}

/* ---- Happenings ---- */

static void tell(model *m, model_happening *h, model_kind kind, const model_process *by, const model_process *about)
{
    h->kind = kind;
    h->ticks = now(m);
    h->cpu = (uint16_t)below(m, m->options.cpus);
    h->pid = by->pid;
    h->tid = by->nthreads ? by->thread[0].tid : 0;
    h->process = about;
}

static int tell_thread(model *m, model_happening *h, model_kind kind, const model_process *by, const model_process *p,
                       uint32_t thread)
{
    tell(m, h, kind, by, p);
    h->thread = p->thread[thread];
    return 1;
}

static int tell_image(model *m, model_happening *h, model_kind kind, const model_process *by, const model_process *p,
                      const model_image *image)
{
    tell(m, h, kind, by, p);
    h->image = *image;
    return 1;
}

static uint32_t lowest_bit(uint32_t bits)
{
    uint32_t n = 0;

    while (!(bits >> n & 1)) n++;
    return n;
}

/* The image-th of what a process has loaded, or NULL after the last. */
static const model_image *image_of(const model *m, uint32_t slot, uint32_t image)
{
    const model_process *p = &m->process[slot];
    uint32_t bits = p->libraries;

    if (slot == IDLE) return image < MODEL_MODULES ? &m->module[image] : NULL;
    if (p->has_program && image-- == 0) return &p->program;
    for (; bits && image; image--) bits &= bits - 1;
    return bits ? &m->library[lowest_bit(bits)] : NULL;
}

/* One event of a rundown; 0 when all is told. A process's step: itself, its threads, its images. */
static int run_down(model *m, model_happening *h, int last)
{
    const model_process *by = &m->process[SYSTEM];

    for (; m->rundown.process < m->slots; m->rundown.process++, m->rundown.step = 0) {
        const model_process *p = &m->process[m->rundown.process];
        uint32_t step = m->rundown.step++;
        const model_image *image;

        if (p->life == MODEL_GONE) continue;
        m->now += (uint64_t)m->rundown_step << 16;
        if (step == 0) {
            tell(m, h, last ? PROCESS_DC_END : PROCESS_DC_START, by, p);
            return 1;
        }
        if (step - 1 < p->nthreads) return tell_thread(m, h, last ? THREAD_DC_END : THREAD_DC_START, by, p, step - 1);
        image = image_of(m, m->rundown.process, step - 1 - p->nthreads);
        if (image) return tell_image(m, h, last ? IMAGE_DC_END : IMAGE_DC_START, by, p, image);
        m->now -= (uint64_t)m->rundown_step << 16;
    }
    return 0;
}

static int start_thread(model *m, model_happening *h, model_process *p)
{
    const model_process *by = p->nthreads ? p : &m->process[SYSTEM];

    add_thread(m, p);
    return tell_thread(m, h, THREAD_START, by, p, p->nthreads - 1);
}

static int end_thread(model *m, model_happening *h, model_process *p, uint32_t thread)
{
    tell_thread(m, h, THREAD_END, p, p, thread);
    h->tid = h->thread.tid; /* a thread ends itself */
    p->thread[thread] = p->thread[--p->nthreads];
    return 1;
}

static int load_library(model *m, model_happening *h, model_process *p, uint32_t library)
{
    p->libraries |= 1u << library;
    return tell_image(m, h, IMAGE_LOAD, p, p, &m->library[library]);
}

static int unload_library(model *m, model_happening *h, model_process *p, uint32_t library)
{
    p->libraries &= ~(1u << library);
    return tell_image(m, h, IMAGE_UNLOAD, p, p, &m->library[library]);
}

/* ---- The start and the end of a process ---- */

static int begin_start(model *m, model_happening *h)
{
    uint32_t slot = FIRST, parent = SYSTEM;

    while (m->process[slot].life != MODEL_GONE) slot++; /* there is one: see wants_start */
    pick_process(m, &parent);
    if (m->process[parent].life != MODEL_RUNS) parent = SYSTEM;
    make_process(m, slot, m->process[parent].pid);
    m->burst = slot;
    m->step = 0;
    tell(m, h, PROCESS_START, &m->process[parent], &m->process[slot]);
    return 1;
}

static int go_on_starting(model *m, model_happening *h, model_process *p)
{
    uint32_t missing = BASIC_LIBRARIES & ~p->libraries;

    if (m->step++ == 0) return start_thread(m, h, p);
    if (!p->has_program) {
        p->has_program = 1;
        return tell_image(m, h, IMAGE_LOAD, p, p, &p->program);
    }
    if (missing) return load_library(m, h, p, lowest_bit(missing));
    p->life = MODEL_RUNS;
    m->burst = 0;
    return start_thread(m, h, p);
}

static int go_on_ending(model *m, model_happening *h, model_process *p)
{
    if (p->transfers) return 0; /* it begins no more, so they come to an end */
    if (p->nthreads > 1) return end_thread(m, h, p, p->nthreads - 1);
    if (p->libraries) return unload_library(m, h, p, lowest_bit(p->libraries));
    if (p->has_program) {
        p->has_program = 0;
        return tell_image(m, h, IMAGE_UNLOAD, p, p, &p->program);
    }
    if (p->nthreads) return end_thread(m, h, p, 0);
    tell(m, h, PROCESS_END, &m->process[SYSTEM], p);
    p->exit_status = one_in(m, 20) ? 1 : 0;
    p->life = MODEL_GONE;
    m->alive--;
    m->burst = 0;
    return 1;
}

static int go_on(model *m, model_happening *h)
{
    model_process *p = &m->process[m->burst];

    return p->life == MODEL_STARTS ? go_on_starting(m, h, p) : go_on_ending(m, h, p);
}

/* A process starts or ends, so that their number stays near the one asked for. */
static int begin_life_or_death(model *m, model_happening *h)
{
    uint32_t slot, most = m->slots - FIRST;

    if (m->alive < most && (one_in(m, 2) || m->alive * 4 <= m->options.processes * 3)) return begin_start(m, h);
    if (m->alive < 2 || !pick_process(m, &slot)) return 0;
    m->process[slot].life = MODEL_ENDS;
    m->burst = slot;
    return go_on(m, h);
}

/* A thread or a library comes or goes. */
static int change_process(model *m, model_happening *h)
{
    uint32_t slot, library;
    model_process *p;

    if (!pick_process(m, &slot)) return 0;
    p = &m->process[slot];
    if (one_in(m, 2)) {
        uint32_t thread = p->nthreads - 1;

        if (p->nthreads < MODEL_THREADS / 2 || (p->nthreads < MODEL_THREADS && one_in(m, 2)))
            return start_thread(m, h, p);
        if (p->thread[thread].transfers) return 0;
        return end_thread(m, h, p, thread);
    }
    library = below(m, MODEL_LIBRARIES);
    if (BASIC_LIBRARIES >> library & 1) return 0;
    return p->libraries >> library & 1 ? unload_library(m, h, p, library) : load_library(m, h, p, library);
}

/* ---- Processors ---- */

static void reschedule(model *m, cpu *c)
{
    const model_process *p;

    if (one_in(m, 16) || !pick_process(m, &c->process)) c->process = SYSTEM;
    p = &m->process[c->process];
    c->thread = below(m, p->nthreads);
    c->tid = p->thread[c->thread].tid;
}

/* The thread that a processor runs: the one of before, most of the time, if it is still there. */
static const model_thread *running(model *m, cpu *c)
{
    const model_process *p = &m->process[c->process];

    if (c->thread >= p->nthreads || p->thread[c->thread].tid != c->tid || one_in(m, 8)) {
        reschedule(m, c);
        p = &m->process[c->process];
    }
    return &p->thread[c->thread];
}

static int take_sample(model *m, model_happening *h)
{
    uint32_t number = m->turn;
    cpu *c = &m->cpu[number];
    const model_thread *t = running(m, c);
    const model_process *p = &m->process[c->process];
    uint64_t bits = random_bits(m);
    const model_image *image = NULL;
    uint32_t spread;

    m->turn = number + 1 == m->options.cpus ? 0 : number + 1;
    if (bits % 4) image = bits & 8 ? image_of(m, c->process, 0) : image_of(m, c->process, (uint32_t)(bits >> 8) % 8);
    if (!image && c->process != SYSTEM) image = image_of(m, c->process, 0);
    if (!image || bits % 4 == 0) image = &m->module[(bits >> 12) % MODEL_MODULES];
    /* Half of the samples fall on a few spots of an image, as they do where programs loop. */
    spread = image->bytes - 0x1000;
    h->address = image->base + 0x1000 +
                 (bits & 16 ? (uint32_t)(bits >> 32) % spread
                            : (uint32_t)(bits >> 32) % 13 * (spread / 13) + (bits >> 20) % 16 * 4);
    h->kind = SAMPLE;
    h->ticks = now(m);
    h->cpu = (uint16_t)number;
    h->pid = h->tid = 0xFFFFFFFF;
    h->process = p;
    h->thread = *t;
    return 1;
}

/* ---- Disks ---- */

static int sooner(const model *m, uint16_t a, uint16_t b)
{
    return m->transfer[a].due < m->transfer[b].due;
}

static void swap(uint16_t *a, uint16_t *b)
{
    uint16_t c = *a;

    *a = *b;
    *b = c;
}

static void heap_add(model *m)
{
    for (uint32_t at = m->ntransfers++; at && sooner(m, m->order[at], m->order[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&m->order[at], &m->order[(at - 1) / 2]);
}

static void heap_take(model *m) /* the first; its number becomes free */
{
    uint32_t at = 0, child;

    swap(&m->order[0], &m->order[--m->ntransfers]);
    while ((child = 2 * at + 1) < m->ntransfers) {
        if (child + 1 < m->ntransfers && sooner(m, m->order[child + 1], m->order[child])) child++;
        if (!sooner(m, m->order[child], m->order[at])) break;
        swap(&m->order[at], &m->order[child]);
        at = child;
    }
}

/* Disk 0 answers in 50 us to 600 us, disk 1 has to move: 2 ms to 14 ms. */
static uint64_t latency(model *m, uint32_t disk)
{
    return disk ? 20000 + below(m, 120000) : 500 + below(m, 5500);
}

static int begin_transfer(model *m, model_happening *h)
{
    const space *s = space_of(m);
    uint16_t number = m->order[m->ntransfers];
    uint32_t cpu_number = below(m, m->options.cpus);
    cpu *c = &m->cpu[cpu_number];
    const model_thread *running_thread = running(m, c);
    model_process *p = &m->process[c->process];
    model_transfer *x = &m->transfer[number];

    if (p->life != MODEL_RUNS || running_thread->transfers == UINT8_MAX) return 0;
    *x = (model_transfer){
        .irp = s->irp + number * 0x280ull + 0x10,
        .file = s->file + below(m, 512) * 0x1C0ull + 0x30,
        .offset = (uint64_t)below(m, 1u << 26) << 12,
        .begin = now(m),
        .bytes = 0x1000u << below(m, 9),
        .disk = one_in(m, 5),
        .process = c->process,
        .tid = running_thread->tid,
        .cpu = (uint16_t)cpu_number,
        .writes = (uint8_t)one_in(m, 3),
    };
    x->flags = x->writes ? 0x60003 : 0x60043; /* no cache, paging, normal priority; a read takes in */
    x->due = x->begin + latency(m, x->disk);
    if (x->due > m->body_end) x->due = m->body_end;
    p->thread[c->thread].transfers++;
    p->transfers++;
    heap_add(m);
    tell(m, h, x->writes ? WRITE_INIT : READ_INIT, p, p);
    h->tid = x->tid;
    h->cpu = x->cpu;
    h->transfer = *x;
    return 1;
}

static int end_transfer(model *m, model_happening *h)
{
    const model_transfer *x = &m->transfer[m->order[0]];
    model_process *p = &m->process[x->process];

    for (uint32_t i = 0; i < p->nthreads; i++) {
        if (p->thread[i].tid == x->tid) p->thread[i].transfers--;
    }
    p->transfers--;
    h->kind = x->writes ? WRITE : READ;
    h->ticks = x->due;
    h->cpu = x->cpu;
    h->pid = h->tid = 0xFFFFFFFF;
    h->process = p;
    h->transfer = *x;
    heap_take(m);
    return 1;
}

/* ---- The course of a trace ---- */

static int by_lot(model *m, model_happening *h)
{
    uint32_t lot = below(m, 4096);

    if (m->burst && lot & 1 && go_on(m, h)) return 1;
    if (lot < 400 && m->ntransfers < MODEL_TRANSFERS) return begin_transfer(m, h);
    if (lot < 424) return change_process(m, h);
    if (lot < 430 && !m->burst) return begin_life_or_death(m, h);
    return 0;
}

static int body(model *m, model_happening *h)
{
    if (m->ntransfers && m->transfer[m->order[0]].due <= now(m)) return end_transfer(m, h);
    if (now(m) >= m->body_end) return 0;
    /* The moment that was waited for has come; the gap to the next one is drawn behind it. */
    if (!by_lot(m, h)) take_sample(m, h);
    m->now += m->gap / 2 + random_bits(m) % (m->gap + 1);
    return 1;
}

int model_next(model *m, model_happening *h)
{
    switch (m->part) {
    case PART_SAMPLING:
        m->part = PART_RUNDOWN;
        tell(m, h, COLLECTION_START, &m->process[SYSTEM], &m->process[SYSTEM]);
        return 1;
    case PART_RUNDOWN:
        if (run_down(m, h, 0)) return 1;
        m->part = PART_BODY;
        /* fall through */
    case PART_BODY:
        if (body(m, h)) return 1;
        m->now = m->body_end << 16; /* no transfer is left: they are due at body_end at the latest */
        m->rundown = (place){ 0, 0 };
        m->part = PART_LAST_RUNDOWN;
        /* fall through */
    case PART_LAST_RUNDOWN:
        if (run_down(m, h, 1)) return 1;
        m->part = PART_LAST_SAMPLING;
        /* fall through */
    case PART_LAST_SAMPLING:
        m->part = PART_OVER;
        m->now = m->options.ticks << 16;
        tell(m, h, COLLECTION_END, &m->process[SYSTEM], &m->process[SYSTEM]);
        return 1;
    case PART_OVER: break;
    }
    return 0;
}

void model_restart(model *m)
{
    model_options options = m->options;
    model_process *processes = m->process;
    cpu *cpus = m->cpu;
    uint32_t slots = m->slots;
    uint64_t most = (uint64_t)slots * (2 + MODEL_THREADS + MODEL_LIBRARIES);

    memset(m, 0, sizeof *m);
    memset(processes, 0, slots * sizeof *processes);
    memset(cpus, 0, options.cpus * sizeof *cpus);
    m->options = options;
    m->process = processes;
    m->cpu = cpus;
    m->slots = slots;
    m->random = options.seed;
    /* A tenth of what happens by lot is the start of a transfer, and each has an end, too. */
    m->gap = (uint64_t)MODEL_TICKS_HZ * 65536 / 10 * 11 / options.rate;
    m->rundown_step = most <= options.ticks / 4;
    m->body_end = options.ticks - m->rundown_step * most;
    m->next_id = 96;
    for (uint32_t i = 0; i < MODEL_TRANSFERS; i++) m->order[i] = (uint16_t)i;
    place_images(m);
    make_permanent(m);
    for (uint32_t i = 0; i < options.processes; i++) {
        model_process *p = &m->process[FIRST + i];
        uint32_t threads = 1 + below(m, MODEL_THREADS / 2);

        make_process(m, FIRST + i, m->process[SYSTEM].pid);
        p->life = MODEL_RUNS;
        p->has_program = 1;
        p->libraries = BASIC_LIBRARIES | (uint32_t)(random_bits(m) & 0xFFFF);
        while (p->nthreads < threads) add_thread(m, p);
    }
    for (uint32_t i = 0; i < options.cpus; i++) reschedule(m, &m->cpu[i]);
}

model *model_new(const model_options *o)
{
    model *m = calloc(1, sizeof *m);

    if (!m) return NULL;
    m->options = *o;
    m->slots = FIRST + o->processes + o->processes / 4 + 1;
    m->process = calloc(m->slots, sizeof *m->process);
    m->cpu = calloc(o->cpus, sizeof *m->cpu);
    if (!m->process || !m->cpu) {
        model_free(m);
        return NULL;
    }
    model_restart(m);
    return m;
}

void model_free(model *m)
{
    if (!m) return;
    free(m->process);
    free(m->cpu);
    free(m);
}
