/* test_synth.c - synth.kernel: its traces must repeat, be in order and never contradict themselves.

   A tracker of its own, which knows nothing of the model, follows each trace by decoded fields alone. */
#include "agenda.h"
#include "arena.h"
#include "batch.h"
#include "chance.h"
#include "record.h"
#include "tw_test.h"
#include "type.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

extern const tw_stage synth_kernel;

enum { MOST = 8192 };

static const int64_t new_year = INT64_C(1767225600000000000); /* 2026-01-01 */

// ---- The tracker --------------------------------------------------------------------------------------------------

typedef struct process {
    uint32_t pid, ended;
} process;
typedef struct thread {
    uint32_t tid, pid;
} thread;
typedef struct image {
    uint64_t base, bytes;
    uint32_t pid;
} image;
typedef struct transfer {
    uint64_t irp;
    uint32_t tid;
    int64_t begun;
    int writes;
} transfer;

typedef struct tracker {
    const tw_type *const *type;
    decode how;
    arena memory;
    const tw_event *e;
    const tw_type *t;
    process process[MOST];
    thread thread[MOST];
    image image[MOST];
    transfer transfer[MOST];
    uint32_t processes, threads, images, transfers;
    uint64_t used_again; /* numbers of processes */
    uint64_t samples, user_samples, reads, writes, starts, ends, loads, unloads;
    uint32_t dc_processes, dc_threads, dc_images; /* seen in the last rundown */
    int64_t last;
    uint64_t events, sum;
} tracker;

static uint64_t number(tracker *k, const char *name)
{
    tw_value v;
    int field = type_field(k->t, name);

    ck_assert_msg(field >= 0, "%s/%s has no %s", k->t->provider, k->t->name, name);
    ck_assert_int_eq(type_get(k->t, k->e, field, &k->how, &v), TW_OK);
    return v.u;
}

static int is(const tracker *k, const char *provider, const char *name)
{
    return !strcmp(k->t->provider, provider) && !strcmp(k->t->name, name);
}

static process *find_process(tracker *k, uint32_t pid)
{
    for (uint32_t i = 0; i < k->processes; i++) {
        if (k->process[i].pid == pid && !k->process[i].ended) return &k->process[i];
    }
    return NULL;
}

static thread *find_thread(tracker *k, uint32_t tid)
{
    for (uint32_t i = 0; i < k->threads; i++) {
        if (k->thread[i].tid == tid) return &k->thread[i];
    }
    return NULL;
}

static image *find_image(tracker *k, uint32_t pid, uint64_t base)
{
    for (uint32_t i = 0; i < k->images; i++) {
        if (k->image[i].pid == pid && k->image[i].base == base) return &k->image[i];
    }
    return NULL;
}

static int inside(tracker *k, uint32_t pid, uint64_t address)
{
    for (uint32_t i = 0; i < k->images; i++) {
        const image *m = &k->image[i];

        if (m->pid == pid && address >= m->base && address - m->base < m->bytes) return 1;
    }
    return 0;
}

static void follow_process(tracker *k)
{
    if (is(k, "Process", "Terminate") || is(k, "Process", "Defunct")) return; /* told beside its end, and after */
    uint32_t pid = (uint32_t)number(k, "ProcessId");
    process *p = find_process(k, pid);

    if (is(k, "Process", "Start") || is(k, "Process", "DCStart")) {
        ck_assert_ptr_null(p);
        ck_assert_uint_lt(k->processes, MOST);
        for (uint32_t i = 0; i < k->processes; i++) k->used_again += k->process[i].pid == pid;
        k->process[k->processes++] = (process){ pid, 0 };
        k->starts += is(k, "Process", "Start");
        ck_assert_uint_eq(number(k, "ExitStatus"), 259);
        return;
    }
    ck_assert_msg(p != NULL, "process %u ends, but did not run", pid);
    if (is(k, "Process", "DCEnd")) {
        k->dc_processes++;
        return;
    }
    ck_assert(is(k, "Process", "End"));
    for (uint32_t i = 0; i < k->threads; i++) ck_assert_uint_ne(k->thread[i].pid, pid);
    for (uint32_t i = 0; i < k->images; i++) ck_assert_uint_ne(k->image[i].pid, pid);
    ck_assert_uint_lt(number(k, "ExitStatus"), 2);
    p->ended = 1;
    k->ends++;
}

static void follow_thread(tracker *k)
{
    if (k->t->opcode > 4) return; /* of processors, or a name */
    uint32_t tid = (uint32_t)number(k, "TThreadId"), pid = (uint32_t)number(k, "ProcessId");
    thread *t = find_thread(k, tid);

    ck_assert_msg(find_process(k, pid) != NULL, "thread %u of process %u, which does not run", tid, pid);
    if (is(k, "Thread", "Start") || is(k, "Thread", "DCStart")) {
        ck_assert_ptr_null(t);
        ck_assert_uint_lt(k->threads, MOST);
        k->thread[k->threads++] = (thread){ tid, pid };
        return;
    }
    ck_assert_ptr_nonnull(t);
    ck_assert_uint_eq(t->pid, pid);
    if (is(k, "Thread", "DCEnd")) {
        k->dc_threads++;
        return;
    }
    ck_assert(is(k, "Thread", "End"));
    for (uint32_t i = 0; i < k->transfers; i++) ck_assert_uint_ne(k->transfer[i].tid, tid);
    *t = k->thread[--k->threads];
}

static void follow_image(tracker *k)
{
    if (is(k, "Image", "KernelBase")) return;
    uint32_t pid = (uint32_t)number(k, "ProcessId");
    uint64_t base = number(k, "ImageBase"), bytes = number(k, "ImageSize");
    image *m = find_image(k, pid, base);

    ck_assert_ptr_nonnull(find_process(k, pid));
    if (is(k, "Image", "Load") || is(k, "Image", "DCStart")) {
        ck_assert_ptr_null(m);
        ck_assert(!inside(k, pid, base) && !inside(k, pid, base + bytes - 1));
        ck_assert_uint_lt(k->images, MOST);
        k->image[k->images++] = (image){ base, bytes, pid };
        k->loads += is(k, "Image", "Load");
        return;
    }
    ck_assert_ptr_nonnull(m);
    ck_assert_uint_eq(m->bytes, bytes);
    if (is(k, "Image", "DCEnd")) {
        k->dc_images++;
        return;
    }
    ck_assert(is(k, "Image", "UnLoad"));
    k->unloads++;
    *m = k->image[--k->images];
}

static void follow_sample(tracker *k)
{
    uint32_t tid = (uint32_t)number(k, "ThreadId");
    uint64_t address = number(k, "InstructionPointer");
    const thread *t = find_thread(k, tid);

    ck_assert_msg(t != NULL || tid == 0, "a sample of thread %u, which does not run", tid);
    ck_assert_uint_eq(k->e->pid, RECORD_NOBODY);
    ck_assert_uint_eq(k->e->tid, RECORD_NOBODY);
    ck_assert_uint_eq(number(k, "Count"), 1);
    k->samples++;
    if (inside(k, 0, address)) return;
    ck_assert_msg(t != NULL, "a sample of the idle thread outside of the kernel");
    ck_assert_msg(inside(k, t->pid, address), "a sample outside of all images");
    k->user_samples++;
}

static void follow_disk(tracker *k)
{
    if (!strncmp(k->t->name, "Flush", 5)) return; /* of no file */
    uint64_t irp = number(k, "Irp");
    uint32_t tid = (uint32_t)number(k, "IssuingThreadId");
    transfer *x = NULL;
    int writes = !strncmp(k->t->name, "Write", 5);

    for (uint32_t i = 0; i < k->transfers; i++) {
        if (k->transfer[i].irp == irp) x = &k->transfer[i];
    }
    if (is(k, "DiskIo", "ReadInit") || is(k, "DiskIo", "WriteInit")) {
        ck_assert_ptr_null(x);
        ck_assert_uint_lt(k->transfers, MOST);
        ck_assert_ptr_nonnull(find_thread(k, tid));
        ck_assert_uint_eq(k->e->tid, tid);
        ck_assert_uint_eq(k->e->pid, find_thread(k, tid)->pid);
        k->transfer[k->transfers++] = (transfer){ irp, tid, k->e->time, writes };
        return;
    }
    ck_assert_msg(x != NULL, "a transfer is done that was not begun");
    ck_assert_int_eq(x->writes, writes);
    ck_assert_uint_eq(x->tid, tid);
    ck_assert_int_eq((int64_t)number(k, "HighResResponseTime"), k->e->time - x->begun);
    ck_assert_int_gt(k->e->time, x->begun);
    *(writes ? &k->writes : &k->reads) += 1;
    *x = k->transfer[--k->transfers];
}

static void add_up(tracker *k)
{
    const uint64_t prime = 0x100000001b3u;
    uint64_t h = 0xcbf29ce484222325u;

    h = (h ^ (uint64_t)k->e->time) * prime;
    h = (h ^ k->e->pid) * prime;
    h = (h ^ k->e->tid) * prime;
    h = (h ^ k->e->cpu) * prime;
    h = (h ^ k->t->opcode) * prime;
    for (const char *c = k->t->provider; *c; c++) h = (h ^ (uint8_t)*c) * prime;
    for (uint32_t i = 0; i < k->e->bytes; i++) h = (h ^ k->e->data[i]) * prime;
    k->sum = (k->sum ^ h) * prime;
    k->events++;
}

static void follow(tracker *k, const tw_event *e)
{
    k->e = e;
    k->t = k->type[e->type];
    ck_assert_int_ge(e->time, k->last);
    k->last = e->time;
    add_up(k);
    if (!strcmp(k->t->provider, "Process"))
        follow_process(k);
    else if (!strcmp(k->t->provider, "Thread"))
        follow_thread(k);
    else if (!strcmp(k->t->provider, "Image"))
        follow_image(k);
    else if (!strcmp(k->t->provider, "DiskIo"))
        follow_disk(k);
    else if (is(k, "PerfInfo", "SampleProf"))
        follow_sample(k);
    arena_reset(&k->memory);
}

static int clock_of(void *context, const tw_event *e, tw_clock *c)
{
    return synth_kernel.clock(context, e, c);
}

/* Reads what is left of the source. */
static tracker *track(rig *r)
{
    tracker *k = calloc(1, sizeof *k);
    const tw_event *events;
    int status;

    ck_assert_ptr_nonnull(k);
    k->type = ((tw_self *)rig_state(r))->type;
    k->how = (decode){ &k->memory, clock_of, rig_state(r) };
    k->last = INT64_MIN;
    do {
        status = rig_read(r);
        ck_assert_msg(status == TW_OK || status == TW_END, "%s", rig_error(r));
        for (uint32_t i = 0, n = rig_left(r, &events); i < n; i++) follow(k, &events[i]);
    } while (status == TW_OK);
    return k;
}

static void untrack(tracker *k)
{
    arena_free(&k->memory);
    free(k);
}

static rig *source(const char *options)
{
    rig *r = rig_new(&synth_kernel, options);

    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    return r;
}

// ---- Tests --------------------------------------------------------------------------------------------------------

static void check_coherent(const char *options)
{
    rig *r = source(options);
    tracker *k = track(r);
    uint32_t running = 0;

    for (uint32_t i = 0; i < k->processes; i++) running += !k->process[i].ended;
    ck_assert_uint_eq(k->transfers, 0); /* every request was answered */
    ck_assert_uint_gt(k->reads, 100);
    ck_assert_uint_gt(k->writes, 20);
    ck_assert_uint_gt(k->samples, 2000);
    ck_assert_uint_gt(k->user_samples, k->samples / 40);
    ck_assert_uint_lt(k->user_samples, k->samples);
    ck_assert_uint_gt(k->starts, 3);
    ck_assert_uint_gt(k->ends, 3);
    ck_assert_uint_gt(k->loads, 20);
    ck_assert_uint_gt(k->unloads, 20);
    ck_assert_uint_gt(k->used_again, 0);
    /* The last rundown tells exactly what is still there. */
    ck_assert_uint_eq(k->dc_processes, running);
    ck_assert_uint_eq(k->dc_threads, k->threads);
    ck_assert_uint_eq(k->dc_images, k->images);
    untrack(k);
    rig_free(r);
}

START_TEST(coherent)
{
    check_coherent("seed=1 length=2s");
    check_coherent("seed=2 length=500ms rate=100000 cpus=64 processes=3");
}
END_TEST

START_TEST(coherent_32)
{
    check_coherent("seed=7 length=2s pointer=4 processes=100");
}
END_TEST

/* One goes through the trace before, and starts again. */
static void read_before(rig *r)
{
    batch_pool *pool = batch_pool_new(512);
    int status;

    do {
        tw_batch *batch = batch_take(pool);

        status = synth_kernel.read(rig_state(r), batch);
        batch_let_go(batch);
    } while (status == TW_OK);
    ck_assert_int_eq(status, TW_END);
    ck_assert_int_eq(synth_kernel.rewind(rig_state(r)), TW_OK);
    batch_pool_free(pool);
}

START_TEST(deterministic)
{
    rig *r = source("seed=5 length=2s"), *s = source("seed=5 length=2s"), *t = source("seed=6 length=2s");
    tracker *a = track(r), *b, *c = track(t);

    read_before(s);
    b = track(s);
    ck_assert_uint_eq(a->events, b->events);
    ck_assert_uint_eq(a->sum, b->sum);
    ck_assert_uint_ne(a->sum, c->sum);
    untrack(a);
    untrack(b);
    untrack(c);
    rig_free(r);
    rig_free(s);
    rig_free(t);
}
END_TEST

START_TEST(span_and_rate)
{
    rig *r = source("length=3s rate=20000");
    const tw_event *events;
    tracker *k;

    ck_assert_int_eq(rig_read(r), TW_OK);
    ck_assert_uint_gt(rig_left(r, &events), 0);
    ck_assert_int_eq(events[0].time, new_year);
    rig_free(r);
    r = source("length=3s rate=20000");
    k = track(r);
    ck_assert_int_eq(k->last, new_year + INT64_C(3000000000));
    ck_assert_uint_gt(k->events, 54000);
    ck_assert_uint_lt(k->events, 66000);
    untrack(k);
    rig_free(r);

    r = source("start=1999-12-31T23:59:59.000000150Z length=1s");
    ck_assert_int_eq(rig_read(r), TW_OK);
    ck_assert_uint_gt(rig_left(r, &events), 0);
    ck_assert_int_eq(events[0].time, INT64_C(946684799000000100)); /* of 100 ns */
    rig_free(r);
}
END_TEST

START_TEST(shortest)
{
    rig *r = source("length=100ns processes=1 cpus=1 rate=1");
    tracker *k = track(r);

    ck_assert_int_eq(k->last, new_year + 100);
    ck_assert_uint_eq(k->transfers, 0);
    ck_assert_uint_eq(k->dc_threads, k->threads);
    untrack(k);
    rig_free(r);
}
END_TEST

START_TEST(types_and_records)
{
    rig *r = source("length=1s");
    const tw_type *const *type = ((tw_self *)rig_state(r))->type;
    uint32_t kinds[8] = { 0 };
    batch_pool *pool = batch_pool_new(2000);
    tw_batch *b = batch_take(pool);
    tw_clock c;
    record read;

    ck_assert_int_eq(synth_kernel.read(rig_state(r), b), TW_OK);
    ck_assert_uint_eq(b->n, 2000);
    ck_assert_int_eq(b->upto, b->event[b->n - 1].time);
    ck_assert_int_eq(synth_kernel.clock(rig_state(r), &b->event[0], &c), TW_OK);
    ck_assert_int_eq(c.hz, 10000000);
    ck_assert_int_eq(c.begin, new_year);
    ck_assert_int_eq(c.end, new_year + 1000000000);
    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        const tw_type *t = type[e->type];

        /* Each event is a record as it stands in a file. */
        ck_assert_int_eq(record_read(e->record, SIZE_MAX, &read), RECORD_GOOD);
        ck_assert_ptr_eq(e->record + read.payload, e->data);
        ck_assert_uint_eq(read.size - read.payload, e->bytes);
        ck_assert_uint_eq(read.pid, e->pid);
        ck_assert_uint_eq(read.tid, e->tid);
        ck_assert_uint_eq(read.version, t->version);
        ck_assert_uint_eq(read.pointer, t->pointer);
        ck_assert_int_eq(c.time + (read.ticks - c.ticks) * 100, e->time);
        kinds[read.kind]++;
        if (read.kind == RECORD_EVENT) {
            ck_assert_str_eq(t->origin, "in the event");
            ck_assert_str_eq(t->provider, "Northwind.Web");
            ck_assert_ptr_nonnull(read.schema);
            ck_assert_ptr_nonnull(read.traits);
            continue;
        }
        ck_assert_uint_eq(read.id, t->opcode);
        ck_assert_str_eq(t->origin, "built in");
        ck_assert_uint_eq(t->number, t->opcode);
        if (read.kind == RECORD_KERNEL) ck_assert_uint_eq(strtoul(t->key + 7, NULL, 16), read.group);
        if (!strcmp(t->provider, "Process") && t->opcode < 5) ck_assert_uint_eq(t->version, 4);
        if (!strcmp(t->provider, "Image") && t->opcode < 11) ck_assert_uint_eq(t->version, 3);
    }
    ck_assert_uint_gt(kinds[RECORD_KERNEL], 1000);
    ck_assert_uint_gt(kinds[RECORD_EVENT], 5);
    batch_let_go(b);
    batch_pool_free(pool);
    rig_free(r);
}
END_TEST

/* What a type says, of the first event of that name. */
static const char *first_text(rig *r, const char *provider, const char *name, const char *field, arena *memory)
{
    const tw_type *const *type = ((tw_self *)rig_state(r))->type;
    decode how = { memory, clock_of, rig_state(r) };
    const tw_event *events;
    uint32_t n = rig_left(r, &events);
    tw_value v;

    for (uint32_t i = 0; i < n; i++) {
        const tw_type *t = type[events[i].type];

        if (strcmp(t->provider, provider) || strcmp(t->name, name)) continue;
        if (type_get(t, &events[i], type_field(t, field), &how, &v) != TW_OK) continue;
        if (v.t.bytes) return arena_text(memory, v.t.at, v.t.bytes);
    }
    ck_abort_msg("no %s/%s", provider, name);
    return "";
}

START_TEST(texts)
{
    rig *r = source("length=1s");
    arena memory = { 0 };

    ck_assert_int_ne(rig_read(r), TW_ERROR);
    ck_assert_str_eq(first_text(r, "Process", "DCStart", "ImageFileName", &memory), "Idle");
    ck_assert(!strncmp(first_text(r, "Process", "DCStart", "CommandLine", &memory), "\"C:\\", 4));
    ck_assert_str_eq(first_text(r, "Image", "DCStart", "FileName", &memory), "\\SystemRoot\\system32\\ntoskrnl.exe");
    ck_assert_str_eq(first_text(r, "PerfInfo", "CollectionStart", "SourceName", &memory), "Timer");
    arena_free(&memory);
    rig_free(r);
}
END_TEST

static void check_refused(const char *options, const char *word)
{
    rig *r = rig_new(&synth_kernel, options);

    ck_assert_int_eq(rig_open(r), TW_ERROR);
    ck_assert_int_eq(rig_status(r), 2);
    ck_assert_msg(strstr(rig_error(r), word) != NULL, "%s", rig_error(r));
    rig_free(r);
}

START_TEST(refused)
{
    check_refused("cpus=-1", "cpus");
    check_refused("cpus=1025", "cpus");
    check_refused("processes=-1", "processes");
    check_refused("processes=4097", "processes");
    check_refused("rate=-1", "rate");
    check_refused("length=99ns", "length");
    check_refused("length=300d", "length");
    check_refused("start=2262-01-01", "start");
    check_refused("pointer=5", "pointer");
    check_refused("build=win9", "build");
    check_refused("build=win7 stacks=keys", "win8");
    check_refused("lose=-1", "lose");
    check_refused("length=1s rate=4000 lose=1001", "a quarter");
}
END_TEST

/* The log-file header that a writer asks for: what it says is by offsets of the format. */
static void check_header(const char *options, uint32_t pointer, const char *version, uint32_t build, uint32_t lost)
{
    rig *r = source(options);
    const tw_event *events;
    const uint8_t *at;
    tw_value v;

    ck_assert_int_ne(rig_read(r), TW_ERROR);
    ck_assert_uint_gt(rig_left(r, &events), 0);
    ck_assert_int_eq(synth_kernel.extra(rig_state(r), events, 0x11000, 0, &v), TW_OK);
    ck_assert_int_eq(synth_kernel.extra(rig_state(r), events, 0x11000, 1, &v), TW_END);
    ck_assert_int_eq(v.kind, TW_BYTES);
    at = (const uint8_t *)v.t.at;
    ck_assert_uint_eq(at[2], pointer == 8 ? 2 : 1); /* SYSTEM64, SYSTEM32 */
    ck_assert_uint_eq(tw_u16(at + 4), v.t.bytes);
    at += 0x20;
    ck_assert_int_eq(memcmp(at + 4, version, 2), 0);
    ck_assert_uint_eq(tw_u32(at + 8), build);
    ck_assert_uint_eq(tw_u32(at + 12), 7); /* processors */
    ck_assert_uint_eq(tw_u32(at + 44), pointer);
    ck_assert_uint_eq(tw_u32(at + 48), lost);
    ck_assert_uint_eq(tw_u64(at + (pointer == 8 ? 256 : 248)), 10000000);
    ck_assert_int_eq(memcmp(at + (pointer == 8 ? 280 : 272), "N\0T\0 \0", 6), 0);
    rig_free(r);
}

START_TEST(log_header)
{
    check_header("length=1s cpus=7 build=win7", 8, "\6\1", 7601, 0);
    check_header("length=1s cpus=7 build=win11 pointer=4 lose=200", 4, "\12\0", 26100, 200);
}
END_TEST

START_TEST(losses)
{
    rig *r = source("seed=3 length=2s"), *s = source("seed=3 length=2s lose=1234");
    tracker *whole = track(r);
    const tw_event *events;
    uint64_t n = 0;
    int status;

    do {
        status = rig_read(s);
        n += rig_left(s, &events);
    } while (status == TW_OK);
    ck_assert_uint_eq(n + 1234, whole->events);
    untrack(whole);
    rig_free(r);
    rig_free(s);
}
END_TEST

/* Truth is written once, though the trace is read twice, and its last line counts what was read. */
START_TEST(truth)
{
    char options[300], line[2048], want[200];
    const char *path = "test_synth.ndjson", *first = "{\"what\":\"trace\",\"build\":\"win10\",\"pointer\":8,";
    uint64_t events, lines = 0;
    tracker *k;
    FILE *f;
    rig *r;

    snprintf(options, sizeof options, "length=1s truth=%s", path);
    r = source(options);
    read_before(r);
    k = track(r);
    events = k->events;
    untrack(k);
    rig_free(r);
    f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f)) {
        if (lines++ == 0) ck_assert_int_eq(strncmp(line, first, strlen(first)), 0);
        ck_assert_int_eq(line[0], '{');
        ck_assert_int_eq(strcmp(line + strlen(line) - 2, "}\n"), 0);
    }
    fclose(f);
    remove(path);
    snprintf(want, sizeof want, "{\"what\":\"end\",\"events\":%llu,", (unsigned long long)events);
    ck_assert_int_eq(strncmp(line, want, strlen(want)), 0);
    ck_assert_uint_gt(lines, 100);
}
END_TEST

/* The published values of splitmix64 for this seed. */
START_TEST(random_numbers)
{
    chance c = { 1234567 };

    ck_assert(chance_bits(&c) == 6457827717110365317u);
    ck_assert(chance_bits(&c) == 3203168211198807973u);
    ck_assert(chance_bits(&c) == 9817491932198370423u);
    for (int i = 0; i < 1000; i++) ck_assert_uint_lt(chance_below(&c, 7), 7);
    for (int i = 0; i < 1000; i++) ck_assert_uint_gt(chance_about(&c, 0), 0);
}
END_TEST

START_TEST(agenda_order)
{
    chance c = { 1 };
    agenda a;
    agenda_item last = { 0 };

    ck_assert(agenda_init(&a, 500));
    for (uint32_t i = 0; i < 500; i++) agenda_put(&a, chance_below(&c, 40), i, 0);
    for (uint32_t i = 0; i < 500; i++) {
        agenda_item item = agenda_take(&a);

        ck_assert(item.due > last.due || i == 0 || (item.due == last.due && item.what > last.what));
        last = item;
    }
    ck_assert_uint_eq(a.n, 0);
    agenda_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("synth");
    TCase *c = tcase_create("kernel");
    SRunner *r;
    int failed;

    tcase_set_timeout(c, 60);
    tcase_add_test(c, random_numbers);
    tcase_add_test(c, agenda_order);
    tcase_add_test(c, coherent);
    tcase_add_test(c, coherent_32);
    tcase_add_test(c, deterministic);
    tcase_add_test(c, span_and_rate);
    tcase_add_test(c, shortest);
    tcase_add_test(c, types_and_records);
    tcase_add_test(c, texts);
    tcase_add_test(c, log_header);
    tcase_add_test(c, losses);
    tcase_add_test(c, truth);
    tcase_add_test(c, refused);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
