/* kernel.c - synth.kernel: the make-believe computer of model.h as events of the Windows kernel.

   One idea: an event is laid out as the kernel would have written it, header and all, so every later stage meets
   what it would meet in a trace file: the record, its ticks, the payload. */
#include "kernel.h"
#include "header.h"
#include "model.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>

extern const tw_stage synth_kernel;

enum {
    TICK_NS = 1000000000 / MODEL_TICKS_HZ,
    BOOT_TICKS = 36000, /* the clock at the start, in units of 2^20 ticks: the computer runs for about an hour */
    MAX_PAYLOAD = 2048, /* more than any event here takes */
    BLOCK = 16384       /* bytes taken from a batch at once */
};

typedef struct source {
    tw_self tw;
    int64_t seed, length, cpus, processes, rate, start;
    int pointer; /* option: place in its choice; then 8 or 4 */
    model *model;
    uint32_t type[MODEL_KINDS];
    uint8_t *free; /* of the block in use */
    uint32_t left;
} source;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(source, seed, TW_OPT_INT, "1", "equal numbers make equal traces"),
    TW_OPTION(source, length, TW_OPT_SPAN, "10s", "time from the first event to the last"),
    TW_OPTION(source, rate, TW_OPT_INT, "10000", "events in a second, about"),
    TW_OPTION(source, cpus, TW_OPT_INT, "4", "processors, 1 to 1024"),
    TW_OPTION(source, processes, TW_OPT_INT, "20", "that run at a time, about, beside the system's own; 1 to 4096"),
    TW_OPTION(source, start, TW_OPT_TIME, "2026-01-01T00:00:00Z", "of the trace"),
    TW_OPTION(source, pointer, TW_OPT_CHOICE, "8", "8|4: bytes of a pointer"),
    { 0 }
};

/* By model_kind: the newest versions that are common. */
static const struct { uint8_t group, opcode, version; } events[MODEL_KINDS] = {
    [COLLECTION_START] = { 0x0F, 73, 3 }, [COLLECTION_END] = { 0x0F, 74, 3 },
    [PROCESS_START]    = { 0x03, 1, 4 },  [PROCESS_END]    = { 0x03, 2, 4 },
    [PROCESS_DC_START] = { 0x03, 3, 4 },  [PROCESS_DC_END] = { 0x03, 4, 4 },
    [THREAD_START]     = { 0x05, 1, 3 },  [THREAD_END]     = { 0x05, 2, 3 },
    [THREAD_DC_START]  = { 0x05, 3, 3 },  [THREAD_DC_END]  = { 0x05, 4, 3 },
    [IMAGE_LOAD]       = { 0x03, 10, 3 }, [IMAGE_UNLOAD]   = { 0x14, 2, 3 },
    [IMAGE_DC_START]   = { 0x14, 3, 3 },  [IMAGE_DC_END]   = { 0x14, 4, 3 },
    [SAMPLE]           = { 0x0F, 46, 2 },
    [READ_INIT]        = { 0x01, 12, 3 }, [WRITE_INIT]     = { 0x01, 13, 3 },
    [READ]             = { 0x01, 10, 3 }, [WRITE]          = { 0x01, 11, 3 },
};
// clang-format on

static int64_t boot_ticks(void)
{
    return (int64_t)BOOT_TICKS << 20;
}

/* ---- Payloads: each function is one layout of the kernel's, field by field ---- */

typedef struct pen {
    uint8_t *at;
    int pointer;
} pen;

static void put8(pen *p, uint32_t v)
{
    *p->at++ = (uint8_t)v;
}

static void put16(pen *p, uint32_t v)
{
    put8(p, v);
    put8(p, v >> 8);
}

static void put32(pen *p, uint32_t v)
{
    put16(p, v);
    put16(p, v >> 16);
}

static void put64(pen *p, uint64_t v)
{
    put32(p, (uint32_t)v);
    put32(p, (uint32_t)(v >> 32));
}

static void put_pointer(pen *p, uint64_t v)
{
    put32(p, (uint32_t)v);
    if (p->pointer == 8) put32(p, (uint32_t)(v >> 32));
}

static void put_wide(pen *p, const char *ascii)
{
    while (*ascii) put16(p, (uint8_t)*ascii++);
}

/* A pointer and a word that say nothing, then the SID; four zero bytes where there is none. */
static void put_sid(pen *p, const model_process *process)
{
    static const uint32_t account[] = { 21, 1004336348, 1177238915, 682003330, 1001 }, local_system[] = { 18 };
    const uint32_t *authority = process->user ? account : local_system;
    uint32_t n = process->user ? 5 : 1;

    if (process->pid == 0) {
        put32(p, 0);
        return;
    }
    put_pointer(p, process->key + 0x4B0);
    put_pointer(p, 0);
    put8(p, 1);
    put8(p, n);
    put32(p, 0); /* the authority: 6 bytes, big-endian, 5 for NT */
    put16(p, 5 << 8);
    for (uint32_t i = 0; i < n; i++) put32(p, authority[i]);
}

static void put_process(pen *p, const model_process *process)
{
    put_pointer(p, process->key);
    put32(p, process->pid);
    put32(p, process->parent);
    put32(p, process->session);
    put32(p, (uint32_t)process->exit_status);
    put_pointer(p, process->directory);
    put32(p, 0); /* Flags */
    put_sid(p, process);
    memcpy(p->at, process->name, strlen(process->name) + 1);
    p->at += strlen(process->name) + 1;
    if (process->program.folder) {
        put_wide(p, "\"C:");
        put_wide(p, process->program.folder + sizeof MODEL_DISK - 1);
        put_wide(p, "\\");
        put_wide(p, process->name);
        put_wide(p, "\"");
        put_wide(p, process->arguments);
    }
    put16(p, 0);
    put16(p, 0); /* PackageFullName */
    put16(p, 0); /* ApplicationId */
}

static void put_thread(pen *p, const model_process *process, const model_thread *t, uint32_t cpus)
{
    static const char *const names[] = { "main", "pool worker", "reader", "" };

    put32(p, process->pid);
    put32(p, t->tid);
    put_pointer(p, t->stack);
    put_pointer(p, t->stack - 0x6000);
    put_pointer(p, t->user_stack);
    put_pointer(p, t->user_stack ? t->user_stack - 0x10000 : 0);
    put_pointer(p, cpus >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << cpus) - 1);
    put_pointer(p, t->start);
    put_pointer(p, t->teb);
    put32(p, 0); /* SubProcessTag */
    put8(p, t->priority);
    put8(p, 5); /* PagePriority */
    put8(p, 2); /* IoPriority */
    put8(p, 0); /* ThreadFlags */
    put_wide(p, names[t->tid / 4 % 4]);
    put16(p, 0);
}

static void put_image(pen *p, const model_process *process, const model_image *image)
{
    put_pointer(p, image->base);
    put_pointer(p, image->bytes);
    put32(p, process->pid);
    put32(p, image->bytes ^ image->stamp); /* ImageChecksum */
    put32(p, image->stamp);
    put8(p, process->pid ? 4 : 12); /* SignatureLevel: Authenticode, Windows */
    put8(p, 1);                     /* SignatureType: embedded */
    put16(p, 0);
    put_pointer(p, image->base);
    for (int i = 0; i < 4; i++) put32(p, 0);
    put_wide(p, image->folder);
    put_wide(p, "\\");
    put_wide(p, image->name);
    put16(p, 0);
}

static void put_sample(pen *p, const model_happening *h)
{
    put_pointer(p, h->address);
    put32(p, h->thread.tid);
    put16(p, 1);                       /* Count */
    put8(p, h->thread.priority << 3u); /* Flags */
    put8(p, 0);                        /* Rank */
}

static void put_interval(pen *p)
{
    put32(p, 0);     /* Source: the timer */
    put32(p, 10000); /* 1 ms */
    put32(p, 10000);
    put_wide(p, "Timer");
    put16(p, 0);
}

static void put_transfer(pen *p, const model_transfer *x)
{
    put32(p, x->disk);
    put32(p, x->flags);
    put32(p, x->bytes);
    put32(p, 0);
    put64(p, x->offset);
    put_pointer(p, x->file);
    put_pointer(p, x->irp);
    put64(p, x->due - x->begin);
    put32(p, x->tid);
}

static uint32_t put_payload(const source *s, const model_happening *h, uint8_t *at)
{
    pen p = { at, s->pointer };

    switch (h->kind) {
    case COLLECTION_START:
    case COLLECTION_END: put_interval(&p); break;
    case PROCESS_START:
    case PROCESS_END:
    case PROCESS_DC_START:
    case PROCESS_DC_END: put_process(&p, h->process); break;
    case THREAD_START:
    case THREAD_END:
    case THREAD_DC_START:
    case THREAD_DC_END: put_thread(&p, h->process, &h->thread, (uint32_t)s->cpus); break;
    case IMAGE_LOAD:
    case IMAGE_UNLOAD:
    case IMAGE_DC_START:
    case IMAGE_DC_END: put_image(&p, h->process, &h->image); break;
    case SAMPLE: put_sample(&p, h); break;
    case READ_INIT:
    case WRITE_INIT:
        put_pointer(&p, h->transfer.irp);
        put32(&p, h->transfer.tid);
        break;
    case READ:
    case WRITE: put_transfer(&p, &h->transfer); break;
    case MODEL_KINDS: break;
    }
    return (uint32_t)(p.at - at);
}

/* ---- The stage ---- */

static int check_range(source *s, const char *name, int64_t value, int64_t most)
{
    if (value >= 1 && value <= most) return TW_OK;
    return s->tw.host->misuse(s, "%s = %lld: it must be from 1 to %lld", name, (long long)value, (long long)most);
}

static int check_options(source *s)
{
    const int64_t longest = INT64_C(1) << 54; /* ns, about 208 days: what the model counts time in has room for it */

    if (check_range(s, "cpus", s->cpus, 1024) || check_range(s, "processes", s->processes, 4096) ||
        check_range(s, "rate", s->rate, 1000000000))
        return TW_ERROR;
    if (s->length < TICK_NS || s->length > longest)
        return s->tw.host->misuse(s, "length must be from 100ns to 208d, such as 10s");
    /* A log-file header tells the start in 100 ns; and the clock at the start is boot_ticks. */
    s->start -= s->start % TICK_NS + (s->start % TICK_NS < 0 ? TICK_NS : 0);
    if (s->start > INT64_MAX - longest) return s->tw.host->misuse(s, "start is too late");
    return TW_OK;
}

static int publish(source *s, model_kind kind)
{
    char key[] = "kernel:00";
    kernel_layout l;
    tw_type t = { .size = sizeof t, .key = key, .origin = "built in" };

    snprintf(key, sizeof key, "kernel:%02x", events[kind].group);
    kernel_by_group(events[kind].group, events[kind].opcode, events[kind].version, (unsigned)s->pointer, &l);
    t.provider = l.provider;
    t.name = l.name;
    memcpy(t.guid, l.guid, sizeof t.guid);
    t.number = t.opcode = events[kind].opcode;
    t.version = events[kind].version;
    t.pointer = (uint8_t)s->pointer;
    t.field = l.field;
    t.nfields = l.nfields;
    s->type[kind] = s->tw.host->publish(s, &t);
    return s->type[kind] ? TW_OK : tw_fail(s, "the event %s/%s could not be published", l.provider, l.name);
}

static int open_source(void *self)
{
    source *s = self;
    model_options o;

    if (check_options(s) != TW_OK) return TW_ERROR;
    s->pointer = s->pointer == 0 ? 8 : 4;
    for (int kind = 0; kind < MODEL_KINDS; kind++) {
        if (publish(s, (model_kind)kind) != TW_OK) return TW_ERROR;
    }
    o = (model_options){
        .seed = (uint64_t)s->seed,
        .ticks = (uint64_t)(s->length / TICK_NS),
        .cpus = (uint32_t)s->cpus,
        .processes = (uint32_t)s->processes,
        .rate = (uint32_t)s->rate,
        .pointer = (uint32_t)s->pointer,
    };
    s->model = model_new(&o);
    return s->model ? TW_OK : tw_fail(s, "no memory for %lld processes", (long long)s->processes);
}

/* The record stands in the batch's memory: header, then payload; the next begins at a multiple of 8, as in a file. */
static void put_event(source *s, tw_batch *b, const model_happening *h)
{
    const tw_type *type = s->tw.type[s->type[h->kind]];
    tw_event *e = &b->event[b->n++];
    uint32_t room = h->pid == RECORD_NOBODY && h->tid == RECORD_NOBODY ? ETW_PERFINFO_HEADER : ETW_SYSTEM_HEADER;
    uint32_t bytes;

    if (s->left < HEADER_MAX + MAX_PAYLOAD) {
        s->free = s->tw.host->alloc(b, BLOCK);
        s->left = BLOCK;
    }
    memset(e, 0, sizeof *e);
    e->time = s->start + (int64_t)h->ticks * TICK_NS;
    e->record = s->free;
    e->data = s->free + room;
    e->bytes = put_payload(s, h, s->free + room);
    e->type = s->type[h->kind];
    e->pid = h->pid;
    e->tid = h->tid;
    e->cpu = h->cpu;
    header_kernel(s->free, &(header){ boot_ticks() + (int64_t)h->ticks, h->pid, h->tid, e->bytes, type },
                  events[h->kind].group);
    bytes = (room + e->bytes + ETW_PAD - 1) & ~(ETW_PAD - 1u);
    s->free += bytes;
    s->left -= bytes;
    b->upto = e->time;
}

static int read_source(void *self, tw_batch *b)
{
    source *s = self;
    model_happening h;

    s->left = 0; /* the block was the last batch's */
    while (b->n < b->cap) {
        if (!model_next(s->model, &h)) return TW_END;
        put_event(s, b, &h);
    }
    return TW_OK;
}

static int rewind_source(void *self)
{
    source *s = self;

    model_restart(s->model);
    return TW_OK;
}

static int extra(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    (void)self;
    return e->record ? record_extra(e->record, what, item, v) : TW_END;
}

static int clock_of(void *self, const tw_event *e, tw_clock *c)
{
    const source *s = self;

    (void)e; /* one clock for all */
    *c = (tw_clock){
        .ticks = boot_ticks(),
        .time = s->start,
        .hz = MODEL_TICKS_HZ,
        .begin = s->start,
        .end = s->start + s->length,
    };
    return TW_OK;
}

static void close_source(void *self)
{
    source *s = self;

    model_free(s->model);
}

const tw_stage synth_kernel = {
    .size = sizeof(tw_stage),
    .flags = TW_REWIND,
    .name = "kernel",
    .help = "Make up the events of a computer: processes, threads, images, samples and transfers of disks.",
    .state = sizeof(source),
    .options = options,
    .open = open_source,
    .read = read_source,
    .rewind = rewind_source,
    .extra = extra,
    .clock = clock_of,
    .close = close_source,
};
