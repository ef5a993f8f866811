/* happening.h - one thing that happened in the make-believe computer, as it will be told in the trace.

   One idea: a happening says facts, not bytes. Which event of the kernel tells it, in which version and layout, is the
   matter of encode.h alone; so the model knows nothing of layouts, and truth is computed from what it did. */
#ifndef SYNTH_HAPPENING_H
#define SYNTH_HAPPENING_H

#include "catalog.h"

#include <stddef.h>
#include <stdint.h>

#define NOBODY 0xFFFFFFFFu /* process and thread of records that do not say them */

// clang-format off
typedef enum happening_kind {
    /* the session and the machine */
    SESSION_MASKS, SESSION_END_MASKS, SESSION_BUILD, SESSION_PARTITION, SESSION_RUNDOWN_DONE,
    COLLECTION_START, COLLECTION_END,
    SYSTEM_CPU, SYSTEM_DISK, SYSTEM_PARTITION, SYSTEM_NIC, SYSTEM_VIDEO, SYSTEM_SERVICE, SYSTEM_POWER, SYSTEM_NETWORK,
    SYSTEM_IRQ, SYSTEM_PNP, SYSTEM_IDE, SYSTEM_NUMA, SYSTEM_PLATFORM, SYSTEM_GROUPS, SYSTEM_NUMBERS, SYSTEM_PROCESSOR,
    MERGED_BUILD, MERGED_PATHS, MERGED_VOLUME, MERGED_IMAGE, MERGED_PDB, KERNEL_BASE,
    /* processes, threads, images */
    PROCESS_START, PROCESS_END, PROCESS_DC_START, PROCESS_DC_END, PROCESS_DEFUNCT, PROCESS_TERMINATE,
    THREAD_START, THREAD_END, THREAD_DC_START, THREAD_DC_END, THREAD_NAME,
    IMAGE_LOAD, IMAGE_UNLOAD, IMAGE_DC_START, IMAGE_DC_END,
    /* processors */
    CONTEXT_SWITCH, READY_THREAD, SAMPLE, ISR, ISR_MSI, DPC, TIMER_DPC, THREADED_DPC,
    STACK, STACK_KEY_KERNEL, STACK_KEY_USER, STACK_KEY_DELETE, STACK_KEY_RUNDOWN,
    /* files and disks */
    FILE_NAME, FILE_CREATE, FILE_DELETE, FILE_RUNDOWN,
    DISK_READ_INIT, DISK_WRITE_INIT, DISK_FLUSH_INIT, DISK_READ, DISK_WRITE, DISK_FLUSH, HARD_FAULT,
    IO_CREATE, IO_CLEANUP, IO_CLOSE, IO_READ, IO_WRITE, IO_SET_INFO, IO_DELETE, IO_DIR_ENUM, IO_FLUSH,
    IO_QUERY_INFO, IO_FS_CONTROL, IO_END,
    /* network */
    TCP_SEND, TCP_RECEIVE, TCP_CONNECT, TCP_DISCONNECT, TCP_RETRANSMIT, TCP_ACCEPT,
    TCP_SEND6, TCP_RECEIVE6, TCP_CONNECT6, TCP_DISCONNECT6, TCP_RETRANSMIT6, TCP_ACCEPT6,
    UDP_SEND, UDP_RECEIVE, UDP_SEND6, UDP_RECEIVE6,
    /* a program that tells of itself */
    REQUEST_START, REQUEST_STOP, REQUEST_CACHE,
    HAPPENING_KINDS
} happening_kind;
// clang-format on

typedef struct image { /* something loaded */
    const char *folder, *name;
    uint64_t base;
    uint32_t bytes, stamp;
} image;

typedef struct thread_facts {
    uint32_t pid, tid;
    uint8_t priority, name; /* name: of catalog_thread_names */
    uint64_t stack, user_stack, start, teb;
} thread_facts;

typedef struct process_facts {
    uint32_t pid, parent, session;
    int32_t exit_status;
    int user; /* 1: an account, 0: the system's own */
    uint64_t key, directory;
    const char *name, *arguments, *folder; /* folder NULL: it has no command line */
} process_facts;

typedef struct switch_facts {
    uint32_t new_tid, old_tid, wait_ticks;
    uint8_t new_priority, old_priority, reason, mode, state, ideal;
} switch_facts;

typedef struct interrupt_facts {
    uint64_t initial, routine; /* initial: ticks since the start */
    uint32_t vector, message;
} interrupt_facts;

typedef struct disk_facts {
    uint64_t irp, key, offset, response; /* ticks */
    uint32_t disk, flags, bytes, tid;
} disk_facts;

typedef struct fault_facts {
    uint64_t initial, offset, address, key;
    uint32_t tid, bytes;
} fault_facts;

typedef struct io_facts {
    uint64_t irp, object, key, offset, info;
    uint32_t tid, bytes, flags, class, status, number; /* number: of the file, for its name */
} io_facts;

typedef struct file_facts {
    uint64_t key;
    uint32_t number;
} file_facts;

typedef struct packet_facts {
    uint8_t local[16], remote[16]; /* network order; 4 bytes used by IPv4 */
    uint16_t local_port, remote_port;
    uint32_t pid, bytes, sequence;
} packet_facts;

typedef struct stack_facts { /* frames come from the patterns of the two halves, either may be NULL */
    const stack_pattern *kernel, *user;
    uint64_t of;      /* ticks of the event it belongs to */
    uint64_t key;     /* of a cached half */
    uint64_t program; /* base of the process's own image */
    uint32_t pid, tid;
} stack_facts;

typedef struct request_facts {
    uint32_t number, items;
    uint16_t status;
    uint64_t activity, ticks; /* ticks: how long it took */
    const char *path;
} request_facts;

typedef struct happening {
    happening_kind kind;
    uint16_t cpu;
    uint32_t pid, tid; /* whose doing it was; both NOBODY: the record does not say */
    uint64_t ticks;    /* since the start of the trace */
    union {
        process_facts process;
        thread_facts thread;
        struct {
            struct image image;
            uint32_t pid;
        } load;
        switch_facts change;
        struct {
            uint32_t tid;
            uint8_t reason, increment, flag;
        } ready;
        struct {
            uint64_t address;
            uint32_t tid;
            uint8_t flags;
        } sample;
        interrupt_facts interrupt;
        disk_facts disk;
        fault_facts fault;
        io_facts io;
        file_facts file;
        packet_facts packet;
        stack_facts stack;
        request_facts request;
        uint32_t index; /* of the machine's parts: which one */
    };
} happening;

#endif
