/* computer.h - the state of the make-believe computer, shared by the files that let things happen in it.

   One idea: all that an event tells is looked up in this state at that moment, so a trace cannot contradict itself; and
   all of it has a fixed size, so a trace may be of any length. Each part of the computer has one file that changes it:
   processes.c, scheduler.c, interrupts.c, stacks.c, files.c, network.c, programs.c; model.c lets one thing happen after
   the other. Truth is summed up here, by the parts, from what they do. */
#ifndef SYNTH_COMPUTER_H
#define SYNTH_COMPUTER_H

#include "agenda.h"
#include "builds.h"
#include "chance.h"
#include "happening.h"
#include "model.h"
#include "truth.h"

enum {
    THREADS = 16, /* of a process, at most */
    IDLE = 0,     /* processes that are always there; the images of IDLE are the kernel's modules */
    SYSTEM = 1,
    FIRST = 2,
    BASIC_LIBRARIES = 0x1F, /* every process has these loaded from its start to its end */

    HANDLES = 128,
    OPERATIONS = 256, /* of files, under way at once */
    CONNECTIONS = 128,
    INTERRUPT_ROUTINES = 12,
    STACK_KEYS = 512,
    STACK_WAITING = 1024, /* user halves that are still to be told */
    STACK_DEPTH = 192,    /* frames of a half, at most */
    KERNEL_PATTERNS = 32,
    USER_PATTERNS = 24, /* of a program */
    PATTERNS = KERNEL_PATTERNS + CATALOG_PROGRAMS * USER_PATTERNS,

    QUEUE = 512, /* happenings that are not told yet: more than one step makes */

    LEAST_FREED = 8 /* ids that wait before one is used again */
};

#define NO_THREAD 0xFFFFFFFFu

enum agenda_what {
    DUE_SLICE,     /* who: processor. What it runs has had its time, or it gets something to run */
    DUE_WAKE,      /* who: thread */
    DUE_SAMPLE,    /* the next processor's turn */
    DUE_STRIKE,    /* an interrupt comes up somewhere */
    DUE_INTERRUPT, /* who: processor. The routine that it runs ends */
    DUE_LOT,       /* something is drawn by lot */
    DUE_OPERATION  /* who: operation of a file */
};

enum life { GONE, STARTS, RUNS, ENDS };

typedef struct thread {
    thread_facts facts;      /* facts.tid 0: the place is free if no wake is due */
    enum truth_state state;  /* what analyses can know */
    enum truth_state really; /* what it does */
    uint8_t due;             /* a wake is on the agenda */
    uint8_t held;            /* operations under way: it does not end before they do */
    uint16_t cpu;            /* where it ran last */
    uint32_t next;           /* the one behind it in the ready queue */
    uint64_t since;          /* when `state` began */
    uint64_t readied;        /* when it became ready by an event, 0: it did not */
    truth_thread sum;
} thread;

typedef struct process {
    enum life life;
    process_facts facts;
    uint32_t program;   /* of the catalog */
    uint32_t libraries; /* a bit for each one loaded */
    uint32_t nthreads, held;
    int has_program; /* its own image is loaded */
    int defunct;     /* it has ended, but somebody still holds it */
    image own;
    truth_process sum;
    thread thread[THREADS];
} process;

typedef struct cpu {
    uint32_t thread;        /* process * THREADS + place; NO_THREAD: it idles, or runs one that has ended */
    uint32_t tid, pid;      /* of what it runs, 0: it idles */
    uint8_t priority, dead; /* dead: what it runs has ended and waits to be switched away from */
    uint8_t due;            /* its slice is on the agenda */
    uint8_t known;          /* analyses know what it runs: it was switched before */
    uint8_t phase;          /* of an interrupt: 0 none, 1 its ISR runs, 2 its DPC */
    uint8_t routine;        /* of the interrupt */
    uint64_t until;         /* end of the slice */
    uint64_t since;         /* what it runs runs */
    uint64_t begun;         /* the routine that runs */
    truth_cpu sum;
} cpu;

typedef struct handle {
    uint8_t state; /* enum of files.c */
    uint32_t process, file;
} handle;

typedef struct file {
    uint32_t number, users; /* users: handles and operations, it is not deleted before they go */
    uint8_t doomed;         /* it is deleted as soon as nobody uses it */
    truth_file sum;
} file;

typedef struct operation {
    happening_kind kind;
    uint8_t phase; /* enum of files.c */
    uint8_t disk, writes;
    uint32_t handle, file, thread;
    uint64_t begun, asked; /* the operation; its transfer */
    uint64_t offset;
    uint32_t bytes;
} operation;

typedef struct connection {
    uint8_t open, v6, accepted;
    uint32_t process;
    packet_facts facts;
    truth_connection sum;
} connection;

typedef struct stack_key {        /* what a key stands for now */
    const stack_pattern *pattern; /* NULL: nothing */
    uint64_t program;
} stack_key;

typedef struct straggler { /* a user half that is still to be told */
    uint64_t due;
    uint16_t cpu;
    stack_facts facts;
} straggler;

typedef struct rundown {
    uint32_t part, index;
} rundown;

struct model {
    model_options options;
    const build *build;
    const catalog_space *space;
    chance chance;
    uint64_t now;        /* ticks since the start */
    uint64_t body_end;   /* when the last rundown begins */
    uint64_t told;       /* happenings since the body began */
    uint64_t body;       /* when it began */
    uint64_t last_stack; /* time of the last event with a stack: no two have the same */
    int part;
    int rundown_step; /* ticks between two events of a rundown */
    rundown rundown;
    agenda agenda;

    /* what follows from the options */
    uint32_t interval;                  /* of samples on one processor, ticks */
    uint64_t wakes, slice, strike, lot; /* mean gaps or lengths, ticks; wakes: of all threads together */

    /* processes and their numbers */
    uint32_t slots, alive, threads, next_id, burst, step; /* burst: who starts or ends, 0: nobody */
    uint32_t nfreed, first_freed, most_freed;
    uint32_t *freed;
    process *process;
    image module[CATALOG_MODULES], library[CATALOG_LIBRARIES];

    /* processors */
    cpu *cpu;
    uint32_t first_ready, last_ready, turn;
    struct {
        uint64_t times[2], spent[2], most[2];
    } routine[INTERRUPT_ROUTINES]; /* [1]: the deferred one */

    /* files */
    uint32_t nfiles, file_numbers;
    file *file;
    handle handle[HANDLES];
    operation operation[OPERATIONS];

    connection connection[CONNECTIONS];
    uint32_t ports, requests;

    /* stacks */
    stack_frame *frames;
    uint16_t *functions;
    stack_pattern pattern[PATTERNS];
    stack_key key[STACK_KEYS];
    straggler waiting[STACK_WAITING];
    uint32_t first_waiting, nwaiting;

    /* told, not yet taken */
    happening queue[QUEUE], nowhere;
    uint32_t nqueue, taken;

    truth truth;
};

/* ---- model.c ---- */

/* A happening to be filled in: at this moment, of this processor, by nobody. Where the build has no event for it, it
   goes nowhere. */
happening *tell(model *m, happening_kind kind, uint32_t cpu);
happening *tell_by(model *m, happening_kind kind, uint32_t cpu, uint32_t pid, uint32_t tid);
int is_told(const model *m, happening_kind kind);
int is_body(const model *m); /* not one of the rundowns */
/* This moment for an event with a stack. */
void begin_stacked(model *m);

static inline uint32_t below(model *m, uint32_t n)
{
    return chance_below(&m->chance, n);
}

static inline int one_in(model *m, uint32_t n)
{
    return chance_one_in(&m->chance, n);
}

static inline uint32_t any_cpu(model *m)
{
    return below(m, m->options.cpus);
}

static inline process *process_of(model *m, uint32_t thread)
{
    return &m->process[thread / THREADS];
}

static inline thread *thread_of(model *m, uint32_t thread)
{
    return &m->process[thread / THREADS].thread[thread % THREADS];
}

/* ---- processes.c ---- */
void processes_begin(model *m);            /* those that are there at the start */
int processes_rundown(model *m, int last); /* one more; 0: all are told */
void processes_change(model *m);           /* a thread, a library comes or goes */
void processes_live(model *m);             /* a process starts or ends */
int processes_go_on(model *m);  /* the one that starts or ends makes a step; 0: there is none, or it waits */
void processes_close(model *m); /* their truth, at the end */
void id_let_go(model *m, uint32_t id);

/* ---- scheduler.c ---- */
void scheduler_begin(model *m);
void scheduler_add(model *m, uint32_t thread);    /* it has just started, and becomes ready */
void scheduler_remove(model *m, uint32_t thread); /* it ends */
void scheduler_slice(model *m, uint32_t cpu);
void scheduler_wake(model *m, uint32_t thread);
int scheduler_run(model *m, uint32_t thread); /* from now on, as it has something to do; 0: not possible now */
void scheduler_sample(model *m);
void scheduler_close(model *m);
void thread_close(model *m, thread *t, uint64_t end); /* its truth, when it ends */
uint32_t running_thread(model *m);                    /* one of a program, NO_THREAD: none was found */

/* ---- interrupts.c ---- */
void interrupts_begin(model *m);
void interrupts_strike(model *m);
void interrupts_end(model *m, uint32_t cpu); /* of the routine that runs there */
void interrupts_close(model *m);

/* ---- stacks.c ---- */
void stacks_begin(model *m);
const stack_pattern *kernel_pattern(model *m);
const stack_pattern *user_pattern(model *m, const process *p); /* NULL: it cannot show one now */
/* Tells the stack of the event of kind `of` that was told right before. */
void stack_tell(model *m, happening_kind of, uint32_t cpu, uint32_t pid, uint32_t tid, const process *p,
                const stack_pattern *kernel, const stack_pattern *user);
int stacks_straggle(model *m, uint64_t until); /* tells the next user half, if due by then */
int stacks_rundown(model *m);                  /* one more key; 0: all are told */
void stacks_close(model *m);

/* ---- files.c ---- */
void files_begin(model *m);
void files_lot(model *m);
void files_due(model *m, uint32_t operation);
int files_rundown(model *m, happening_kind kind);   /* one more name; 0: all are told */
int files_process_ends(model *m, uint32_t process); /* 1: one of its handles is being closed */
void files_close(model *m);

/* ---- network.c ---- */
void network_lot(model *m);
int network_process_ends(model *m, uint32_t process); /* 1: one of its connections was closed */
void network_close(model *m);

/* ---- programs.c ---- */
void programs_lot(model *m);

#endif
