/* model.h - a make-believe computer: processes, threads, images, processors and disks.

   It is asked for one happening after the other, in order of time. One idea: all that an event tells is looked up
   in the state of this computer at that moment, so a trace of it cannot contradict itself; the state has a fixed
   size, so a trace may be of any length. Everything follows from the seed. */
#ifndef SYNTH_MODEL_H
#define SYNTH_MODEL_H

#include <stdint.h>

#define MODEL_DISK "\\Device\\HarddiskVolume3" /* drive C: */

enum {
    MODEL_THREADS = 16,       /* of a process, at most */
    MODEL_LIBRARIES = 16,     /* that processes may load */
    MODEL_MODULES = 8,        /* of the kernel */
    MODEL_TRANSFERS = 256,    /* of disks under way at once */
    MODEL_TICKS_HZ = 10000000 /* of the clock; a tick is 100 ns */
};

typedef struct model_image { /* something loaded */
    const char *folder, *name;
    uint64_t base;
    uint32_t bytes, stamp;
} model_image;

typedef struct model_thread {
    uint32_t tid;
    uint8_t priority;
    uint8_t transfers; /* of disks under way: it does not end before they do */
    uint64_t stack, user_stack, start, teb;
} model_thread;

enum model_life { MODEL_GONE, MODEL_STARTS, MODEL_RUNS, MODEL_ENDS };

typedef struct model_process {
    enum model_life life;
    uint32_t pid, parent, session, number; /* number: which start of the trace */
    int32_t exit_status;
    uint32_t nthreads, transfers, libraries; /* libraries: a bit for each one loaded */
    int has_program;                         /* its own image is loaded */
    int user;                                /* 1: an account, 0: the system's own */
    uint64_t key, directory;
    const char *name, *arguments;
    model_image program;
    model_thread thread[MODEL_THREADS];
} model_process;

typedef struct model_transfer {
    uint64_t irp, file, offset, begin, due; /* begin, due: ticks since the start */
    uint32_t bytes, flags, disk, process, tid;
    uint16_t cpu;
    uint8_t writes;
} model_transfer;

typedef enum model_kind {
    COLLECTION_START,
    COLLECTION_END,
    PROCESS_START,
    PROCESS_END,
    PROCESS_DC_START,
    PROCESS_DC_END,
    THREAD_START,
    THREAD_END,
    THREAD_DC_START,
    THREAD_DC_END,
    IMAGE_LOAD,
    IMAGE_UNLOAD,
    IMAGE_DC_START,
    IMAGE_DC_END,
    SAMPLE,
    READ_INIT,
    WRITE_INIT,
    READ,
    WRITE,
    MODEL_KINDS
} model_kind;

typedef struct model_happening {
    model_kind kind;
    uint16_t cpu;
    uint32_t pid, tid; /* whose doing it was; both 0xFFFFFFFF: the record does not say */
    uint64_t ticks;    /* since the start of the trace */
    const model_process *process;
    model_thread thread;
    model_image image;
    model_transfer transfer;
    uint64_t address;
} model_happening;

typedef struct model_options {
    uint64_t seed, ticks; /* ticks: how long the trace is */
    uint32_t cpus, processes, rate, pointer;
} model_options;

typedef struct model model;

model *model_new(const model_options *o); /* NULL: no memory */
void model_restart(model *m);             /* the same again from the start */
void model_free(model *m);
/* The next happening, or 0 after the last. What *h points to holds until the next call. */
int model_next(model *m, model_happening *h);

#endif
