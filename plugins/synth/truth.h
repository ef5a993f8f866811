/* truth.h - what an analysis of the trace must find.

   Sums that the model keeps of what it does, and the lines they are written as: one JSON object a line, its kind in
   `what`. One idea: what can come again and again (threads, processes, files, connections) is written when it ends, so
   truth takes no more memory the longer the trace is. Times are in ticks since the first event. */
#ifndef SYNTH_TRUTH_H
#define SYNTH_TRUTH_H

#include "happening.h"

enum truth_state { TRUTH_UNKNOWN, TRUTH_RUNNING, TRUTH_READY, TRUTH_WAITING, TRUTH_STATES };

typedef struct truth_thread {
    uint64_t begin;
    uint64_t spent[TRUTH_STATES];
    uint64_t switches;                  /* to it */
    uint64_t readied, latency, longest; /* from ReadyThread to the switch: count, sum, most */
    uint64_t samples;
} truth_thread;

typedef struct truth_process {
    uint64_t begin, threads, images, samples;
    uint64_t sent, received, sent_bytes, received_bytes; /* datagrams */
    uint64_t faults, fault_bytes, fault_ticks;
    uint64_t requests, request_ticks, failed_requests;
} truth_process;

typedef struct truth_cpu {
    uint64_t running, idle, unknown, switches, samples, busy_samples;
    uint64_t isrs, isr_ticks, dpcs, dpc_ticks;
} truth_cpu;

typedef struct truth_file {
    uint64_t opens, closes, others, other_ticks;
    uint64_t reads, read_bytes, read_ticks, writes, write_bytes, write_ticks; /* requests of programs */
    uint64_t disk_reads, disk_read_bytes, disk_read_ticks, disk_writes, disk_write_bytes, disk_write_ticks;
    uint64_t faults, fault_bytes;
} truth_file;

typedef struct truth_connection {
    uint64_t begin, sends, receives, sent_bytes, received_bytes, retransmits, retransmitted_bytes;
} truth_connection;

typedef struct truth {
    int (*write)(void *to, const char *line, size_t n); /* NULL: nobody asks */
    void *to;
    int status;
    uint64_t events, bytes;
    uint64_t of_kind[HAPPENING_KINDS], stacks_of[HAPPENING_KINDS], frames_of[HAPPENING_KINDS];
    uint64_t opens_failed;
} truth;

/* A line: its fields, without the braces. Nothing where nobody asks. */
void truth_line(truth *t, const char *what, const char *format, ...)
#if defined(__GNUC__)
#if defined(__MINGW32__)
    __attribute__((format(gnu_printf, 3, 4)))
#else
    __attribute__((format(printf, 3, 4)))
#endif
#endif
    ;
/* Text as a JSON string, in quotes, into `out` of `cap` bytes; it fits if cap is six times as large. */
const char *truth_text(const char *text, char *out, size_t cap);

void truth_of_thread(truth *t, const thread_facts *facts, const truth_thread *sum, uint64_t end);
void truth_of_process(truth *t, const process_facts *facts, const truth_process *sum, uint64_t end, int ended);
void truth_of_cpu(truth *t, uint32_t cpu, const truth_cpu *sum);
void truth_of_file(truth *t, uint64_t key, uint32_t number, const truth_file *sum, int deleted);
void truth_of_connection(truth *t, const packet_facts *facts, int v6, int accepted, const truth_connection *sum,
                         uint64_t end, int closed);

#endif
