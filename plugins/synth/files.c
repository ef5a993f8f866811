/* files.c - files and disks; see computer.h.

   A request of a program is told when it begins and when it ends; in between it may take a transfer of a disk, and a page
   that is missing takes one, too. One idea: everything that takes time is an operation with one thread, which does not
   end before it does; an operation's place gives its IRP, so that is used again only after. */
#include "computer.h"

enum { HANDLE_FREE, HANDLE_OPENING, HANDLE_OPEN, HANDLE_CLOSING };
enum { OPERATION_FREE, OPERATION_RUNS, OPERATION_DISK };
enum { NO_HANDLE = HANDLES };

enum {
    CACHED = 300,
    FAST_DISK = 2500,
    SLOW_DISK = 40000, /* ticks a request takes, about */
    READS = 0x60043,
    WRITES = 0x60003, /* IRP flags: no cache, paging, normal priority; a read takes in */
    REQUEST_FLAGS = 0x60900,
    OPEN_IF_SHARED = 0x03000060,
    CLASS_DISPOSITION = 13,
    CLASS_STANDARD = 5,
    CLASS_BASIC = 4,
    CLASS_DIRECTORY = 37,
    FSCTL_GET_REPARSE = 0x900A8
};
#define STATUS_NOT_FOUND 0xC0000034u
#define NO_FILE          0xFFFFFFFFu
#define NOT_FOUND_NUMBER 4000000000u /* numbers of files that are not there */

static uint64_t key_of(const model *m, uint32_t number)
{
    return m->space->file_key + number * 0x150ull + 0x170;
}

void files_begin(model *m)
{
    for (uint32_t i = 0; i < m->nfiles; i++) m->file[i].number = m->file_numbers++;
}

/* ---- Operations ---- */

static operation *new_operation(model *m, happening_kind kind, uint32_t thread, uint32_t handle, uint32_t number)
{
    uint32_t at = below(m, OPERATIONS);

    for (uint32_t tries = 0; tries < OPERATIONS; tries++, at = (at + 1) % OPERATIONS) {
        operation *o = &m->operation[at];

        if (o->phase != OPERATION_FREE || o->begun == m->now) continue; /* an IRP is not used again at once */
        if (thread_of(m, thread)->held == UINT8_MAX) return NULL;
        *o = (operation){ .kind = kind, .handle = handle, .file = number, .thread = thread, .begun = m->now };
        o->phase = OPERATION_RUNS;
        thread_of(m, thread)->held++;
        process_of(m, thread)->held++;
        if (number != NO_FILE) m->file[number].users++;
        return o;
    }
    return NULL;
}

static void drop(model *m, operation *o)
{
    thread_of(m, o->thread)->held--;
    process_of(m, o->thread)->held--;
    if (o->file != NO_FILE) m->file[o->file].users--;
    o->phase = OPERATION_FREE;
    o->begun = m->now;
}

static void plan(model *m, operation *o, uint64_t ticks)
{
    uint64_t due = m->now + chance_about(&m->chance, ticks);

    agenda_put(&m->agenda, due < m->body_end ? due : m->body_end, DUE_OPERATION, (uint32_t)(o - m->operation));
}

static uint64_t irp_of(const model *m, const operation *o, int disk)
{
    return (disk ? m->space->disk_irp : m->space->irp) + (uint64_t)(o - m->operation) * 0x280 + 0x10;
}

static void tell_request(model *m, const operation *o)
{
    const thread *t = thread_of(m, o->thread);
    happening *h = tell(m, o->kind, t->cpu);

    h->io = (io_facts){
        .irp = irp_of(m, o, 0),
        .object = m->space->file_object + o->handle * 0x180ull + 0x20,
        .key = o->file == NO_FILE ? 0 : key_of(m, o->file),
        .offset = o->offset,
        .tid = t->facts.tid,
        .bytes = o->bytes,
        .flags = REQUEST_FLAGS,
        .number = o->file == NO_FILE ? NOT_FOUND_NUMBER + (uint32_t)(o->begun % 1000) : m->file[o->file].number,
    };
    if (o->kind == IO_CREATE) h->io.flags = OPEN_IF_SHARED;
    if (o->kind == IO_DELETE || o->kind == IO_SET_INFO)
        h->io.class = CLASS_DISPOSITION + (o->kind == IO_SET_INFO) * 7;
    if (o->kind == IO_QUERY_INFO) h->io.class = one_in(m, 2) ? CLASS_STANDARD : CLASS_BASIC;
    if (o->kind == IO_DIR_ENUM) h->io.class = CLASS_DIRECTORY;
    if (o->kind == IO_FS_CONTROL) h->io.class = FSCTL_GET_REPARSE;
    h->io.info = o->kind == IO_DELETE ? 1 : 0;
}

static void ask_disk(model *m, operation *o)
{
    const thread *t = thread_of(m, o->thread);
    happening_kind kind = o->kind == IO_FLUSH ? DISK_FLUSH_INIT : o->writes ? DISK_WRITE_INIT : DISK_READ_INIT;
    happening *h = tell_by(m, kind, t->cpu, t->facts.pid, t->facts.tid);

    o->phase = OPERATION_DISK;
    o->asked = m->now;
    o->disk = one_in(m, 5);
    h->disk = (disk_facts){ .irp = irp_of(m, o, 1), .tid = t->facts.tid };
    plan(m, o, o->disk ? SLOW_DISK : FAST_DISK);
}

static void begin(model *m, operation *o, int takes_disk)
{
    tell_request(m, o);
    if (takes_disk)
        ask_disk(m, o);
    else
        plan(m, o, CACHED);
}

/* ---- What comes to an end ---- */

static void end_transfer(model *m, operation *o)
{
    happening_kind kind = o->kind == IO_FLUSH ? DISK_FLUSH : o->writes ? DISK_WRITE : DISK_READ;
    const thread *t = thread_of(m, o->thread);
    happening *h = tell(m, kind, t->cpu);
    truth_file *sum = &m->file[o->file].sum;
    uint64_t response = m->now - o->asked;

    h->disk = (disk_facts){
        .irp = irp_of(m, o, 1),
        .key = key_of(m, o->file),
        .offset = ((uint64_t)o->file << 28) + o->offset, /* files lie one behind the other */
        .response = response,
        .disk = o->disk,
        .flags = o->writes ? WRITES : READS,
        .bytes = o->bytes,
        .tid = t->facts.tid,
    };
    if (kind == DISK_FLUSH) return;
    if (!build_version(m->build, kind)) response = 0; /* version 0 does not tell it */
    *(o->writes ? &sum->disk_writes : &sum->disk_reads) += 1;
    *(o->writes ? &sum->disk_write_bytes : &sum->disk_read_bytes) += o->bytes;
    *(o->writes ? &sum->disk_write_ticks : &sum->disk_read_ticks) += response;
}

static void end_fault(model *m, const operation *o)
{
    const thread *t = thread_of(m, o->thread);
    truth_process *sum = &process_of(m, o->thread)->sum;
    happening *h = tell(m, HARD_FAULT, t->cpu);

    h->fault = (fault_facts){ .initial = o->begun,
                              .offset = o->offset,
                              .address = m->space->heap + o->offset % 0x8000000,
                              .key = key_of(m, o->file),
                              .tid = t->facts.tid,
                              .bytes = o->bytes };
    m->file[o->file].sum.faults++;
    m->file[o->file].sum.fault_bytes += o->bytes;
    sum->faults++;
    sum->fault_bytes += o->bytes;
    sum->fault_ticks += m->now - o->begun;
}

/* A file whose deletion was asked for goes when its last user does; another one gets its place, and its key. */
static void end_file(model *m, uint32_t number)
{
    file *f = &m->file[number];

    if (!f->doomed || f->users) return;
    m->now++; /* what used it last is over, on whatever processor */
    tell(m, FILE_DELETE, 0)->file = (file_facts){ key_of(m, number), f->number };
    truth_of_file(&m->truth, key_of(m, number), f->number, &f->sum, 1);
    *f = (file){ .number = m->file_numbers++ };
    m->now++; /* a name lasts until its key is used again: not at the same moment */
    tell(m, is_told(m, FILE_CREATE) ? FILE_CREATE : FILE_NAME, 0)->file =
        (file_facts){ key_of(m, number), f->number };
}

static void count_request(model *m, const operation *o)
{
    uint64_t ticks = m->now - o->begun;
    truth_file *sum;

    if (!is_told(m, IO_END)) return;
    if (o->file == NO_FILE) {
        m->truth.opens_failed++;
        return;
    }
    sum = &m->file[o->file].sum;
    if (o->kind == IO_READ) {
        sum->reads++;
        sum->read_bytes += o->bytes;
        sum->read_ticks += ticks;
    } else if (o->kind == IO_WRITE) {
        sum->writes++;
        sum->write_bytes += o->bytes;
        sum->write_ticks += ticks;
    } else {
        sum->others++;
        sum->other_ticks += ticks;
        sum->opens += o->kind == IO_CREATE;
        sum->closes += o->kind == IO_CLOSE;
    }
}

static void end_request(model *m, operation *o)
{
    handle *h = &m->handle[o->handle];
    happening *told = tell(m, IO_END, thread_of(m, o->thread)->cpu);
    uint32_t number = o->file;

    told->io = (io_facts){ .irp = irp_of(m, o, 0),
                           .info = o->kind == IO_READ || o->kind == IO_WRITE ? o->bytes : 1,
                           .status = o->file == NO_FILE ? STATUS_NOT_FOUND : 0 };
    count_request(m, o);
    if (o->kind == IO_CREATE) {
        h->state = number == NO_FILE ? HANDLE_FREE : HANDLE_OPEN;
        if (number != NO_FILE) m->file[number].users++;
    }
    if (o->kind == IO_DELETE) m->file[number].doomed = 1;
    if (o->kind == IO_DELETE || o->kind == IO_CLEANUP) { /* one leads to the next */
        o->kind = o->kind == IO_DELETE ? IO_CLEANUP : IO_CLOSE;
        m->now++;
        o->begun = m->now;
        begin(m, o, 0);
        return;
    }
    if (o->kind == IO_CLOSE) {
        h->state = HANDLE_FREE;
        m->file[number].users--;
    }
    drop(m, o);
    if (number != NO_FILE) end_file(m, number);
}

void files_due(model *m, uint32_t number)
{
    operation *o = &m->operation[number];

    if (o->phase == OPERATION_RUNS) {
        end_request(m, o);
        return;
    }
    end_transfer(m, o);
    if (o->kind == HARD_FAULT) {
        end_fault(m, o);
        number = o->file;
        drop(m, o);
        end_file(m, number);
        return;
    }
    o->phase = OPERATION_RUNS;
    plan(m, o, 20);
}

/* ---- What is begun ---- */

static uint32_t any_file(model *m) /* some are used much more than others */
{
    uint32_t a = below(m, m->nfiles), b = below(m, m->nfiles), c = below(m, m->nfiles);

    a = a < b ? a : b;
    return a < c ? a : c;
}

static void open_file(model *m, uint32_t thread)
{
    uint32_t number = any_file(m), at = 0;
    operation *o;

    while (at < HANDLES && m->handle[at].state != HANDLE_FREE) at++;
    if (at == HANDLES || m->file[number].doomed) return;
    if (one_in(m, 20)) number = NO_FILE;
    o = new_operation(m, IO_CREATE, thread, at, number);
    if (!o) return;
    m->handle[at] = (handle){ HANDLE_OPENING, thread / THREADS, number };
    begin(m, o, 0);
}

static void close_file(model *m, uint32_t thread, uint32_t at)
{
    int deletes = one_in(m, 6) && m->process[thread / THREADS].life == RUNS;
    operation *o = new_operation(m, deletes ? IO_DELETE : IO_CLEANUP, thread, at, m->handle[at].file);

    if (!o) return;
    m->handle[at].state = HANDLE_CLOSING;
    begin(m, o, 0);
}

static void take_fault(model *m, uint32_t thread)
{
    uint32_t number = any_file(m);
    operation *o = m->file[number].doomed ? NULL : new_operation(m, HARD_FAULT, thread, NO_HANDLE, number);

    if (!o) return;
    o->bytes = 0x1000u << below(m, 5);
    o->offset = (uint64_t)below(m, 0x4000) << 12;
    ask_disk(m, o);
}

static void use_file(model *m, uint32_t thread, uint32_t at)
{
    static const happening_kind others[] = { IO_QUERY_INFO, IO_QUERY_INFO, IO_QUERY_INFO, IO_SET_INFO,
                                             IO_DIR_ENUM,   IO_FS_CONTROL, IO_FLUSH };
    uint32_t lot = below(m, 100);
    happening_kind kind = lot < 50 ? IO_READ : lot < 80 ? IO_WRITE : others[below(m, sizeof others / sizeof *others)];
    operation *o = new_operation(m, kind, thread, at, m->handle[at].file);

    if (!o) return;
    o->writes = kind == IO_WRITE;
    if (kind == IO_READ || kind == IO_WRITE) {
        o->bytes = 0x1000u << below(m, 9);
        o->offset = (uint64_t)below(m, 0x8000) << 12;
    }
    begin(m, o, kind == IO_FLUSH || (kind == IO_READ && !one_in(m, 4)) || (kind == IO_WRITE && one_in(m, 2)));
}

/* An open handle of a process, NO_HANDLE: none. */
static uint32_t handle_of(model *m, uint32_t number)
{
    uint32_t at = below(m, HANDLES);

    for (uint32_t tries = 0; tries < HANDLES; tries++, at = (at + 1) % HANDLES) {
        if (m->handle[at].state == HANDLE_OPEN && m->handle[at].process == number) return at;
    }
    return NO_HANDLE;
}

void files_lot(model *m)
{
    uint32_t thread = running_thread(m), lot = below(m, 100), at;

    if (thread == NO_THREAD) return;
    at = handle_of(m, thread / THREADS);
    if (lot < 8)
        take_fault(m, thread);
    else if (at == NO_HANDLE || lot < 16)
        open_file(m, thread);
    else if (lot < 22)
        close_file(m, thread, at);
    else
        use_file(m, thread, at);
}

int files_process_ends(model *m, uint32_t number)
{
    const process *p = &m->process[number];
    uint32_t at = 0, place = 0;

    while (at < HANDLES && (m->handle[at].state != HANDLE_OPEN || m->handle[at].process != number)) at++;
    while (place < THREADS && !p->thread[place].facts.tid) place++;
    if (at == HANDLES || place == THREADS) return 0;
    if (!scheduler_run(m, number * THREADS + place)) return 1;
    close_file(m, number * THREADS + place, at);
    return 1;
}

int files_rundown(model *m, happening_kind kind)
{
    uint32_t at = m->rundown.index++;

    if (at == m->nfiles || !is_told(m, kind)) return 0;
    tell(m, kind, 0)->file = (file_facts){ key_of(m, at), m->file[at].number };
    return 1;
}

void files_close(model *m)
{
    for (uint32_t i = 0; i < m->nfiles; i++) {
        const truth_file *s = &m->file[i].sum;

        if (s->others || s->reads || s->writes || s->disk_reads || s->disk_writes || s->faults)
            truth_of_file(&m->truth, key_of(m, i), m->file[i].number, s, 0);
    }
    truth_line(&m->truth, "opens_failed", "\"count\":%llu", (unsigned long long)m->truth.opens_failed);
}
