/* truth.c - sums as lines of JSON; see truth.h. */
#include "truth.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 2048 };

void truth_line(truth *t, const char *what, const char *format, ...)
{
    char line[LINE + 2];
    size_t n;
    int more;
    va_list list;

    if (!t->write || t->status) return;
    n = (size_t)snprintf(line, LINE, "{\"what\":\"%s\",", what);
    va_start(list, format);
    more = vsnprintf(line + n, LINE - n, format, list);
    va_end(list);
    if (more > 0) n += (size_t)more;
    if (n >= LINE) n = LINE - 1; /* no line of ours is that long */
    line[n++] = '}';
    line[n++] = '\n';
    t->status = t->write(t->to, line, n);
}

const char *truth_text(const char *text, char *out, size_t cap)
{
    size_t n = 0;

    out[n++] = '"';
    for (; *text && n + 8 < cap; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\') out[n++] = '\\';
        if (c < 0x20)
            n += (size_t)snprintf(out + n, 7, "\\u%04x", c);
        else
            out[n++] = (char)c;
    }
    out[n++] = '"';
    out[n] = 0;
    return out;
}

void truth_of_thread(truth *t, const thread_facts *f, const truth_thread *s, uint64_t end)
{
    truth_line(t, "thread",
               "\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"begin\":%" PRIu64 ",\"end\":%" PRIu64
               ",\"running\":%" PRIu64 ",\"ready\":%" PRIu64 ",\"waiting\":%" PRIu64 ",\"unknown\":%" PRIu64
               ",\"switches\":%" PRIu64 ",\"readied\":%" PRIu64 ",\"latency\":%" PRIu64 ",\"latency_max\":%" PRIu64
               ",\"samples\":%" PRIu64,
               f->pid, f->tid, s->begin, end, s->spent[TRUTH_RUNNING], s->spent[TRUTH_READY], s->spent[TRUTH_WAITING],
               s->spent[TRUTH_UNKNOWN], s->switches, s->readied, s->latency, s->longest, s->samples);
}

void truth_of_process(truth *t, const process_facts *f, const truth_process *s, uint64_t end, int ended)
{
    char name[128], exit[16] = "null";

    if (ended) snprintf(exit, sizeof exit, "%" PRId32, f->exit_status);
    truth_line(t, "process",
               "\"pid\":%" PRIu32 ",\"parent\":%" PRIu32 ",\"name\":%s,\"begin\":%" PRIu64 ",\"end\":%" PRIu64
               ",\"exit\":%s,\"threads\":%" PRIu64 ",\"images\":%" PRIu64 ",\"samples\":%" PRIu64
               ",\"udp_sends\":%" PRIu64 ",\"udp_sent\":%" PRIu64 ",\"udp_receives\":%" PRIu64
               ",\"udp_received\":%" PRIu64 ",\"faults\":%" PRIu64 ",\"fault_bytes\":%" PRIu64
               ",\"fault_ticks\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"request_ticks\":%" PRIu64
               ",\"failed_requests\":%" PRIu64,
               f->pid, f->parent, truth_text(f->name, name, sizeof name), s->begin, end, exit, s->threads, s->images,
               s->samples, s->sent, s->sent_bytes, s->received, s->received_bytes, s->faults, s->fault_bytes,
               s->fault_ticks, s->requests, s->request_ticks, s->failed_requests);
}

void truth_of_cpu(truth *t, uint32_t cpu, const truth_cpu *s)
{
    truth_line(t, "cpu",
               "\"cpu\":%" PRIu32 ",\"running\":%" PRIu64 ",\"idle\":%" PRIu64 ",\"unknown\":%" PRIu64
               ",\"switches\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"busy_samples\":%" PRIu64 ",\"isrs\":%" PRIu64
               ",\"isr_ticks\":%" PRIu64 ",\"dpcs\":%" PRIu64 ",\"dpc_ticks\":%" PRIu64,
               cpu, s->running, s->idle, s->unknown, s->switches, s->samples, s->busy_samples, s->isrs, s->isr_ticks,
               s->dpcs, s->dpc_ticks);
}

void truth_of_file(truth *t, uint64_t key, uint32_t number, const truth_file *s, int deleted)
{
    char name[CATALOG_FILE_NAME], quoted[6 * CATALOG_FILE_NAME];

    if (!t->write) return;
    catalog_file_name(number, name);
    truth_line(t, "file",
               "\"name\":%s,\"key\":\"0x%" PRIx64 "\",\"deleted\":%s,\"opens\":%" PRIu64 ",\"closes\":%" PRIu64
               ",\"reads\":%" PRIu64 ",\"read_bytes\":%" PRIu64 ",\"read_ticks\":%" PRIu64 ",\"writes\":%" PRIu64
               ",\"write_bytes\":%" PRIu64 ",\"write_ticks\":%" PRIu64 ",\"others\":%" PRIu64
               ",\"other_ticks\":%" PRIu64 ",\"disk_reads\":%" PRIu64 ",\"disk_read_bytes\":%" PRIu64
               ",\"disk_read_ticks\":%" PRIu64 ",\"disk_writes\":%" PRIu64 ",\"disk_write_bytes\":%" PRIu64
               ",\"disk_write_ticks\":%" PRIu64 ",\"faults\":%" PRIu64 ",\"fault_bytes\":%" PRIu64,
               truth_text(name, quoted, sizeof quoted), key, deleted ? "true" : "false", s->opens, s->closes,
               s->reads, s->read_bytes, s->read_ticks, s->writes, s->write_bytes, s->write_ticks, s->others,
               s->other_ticks, s->disk_reads, s->disk_read_bytes, s->disk_read_ticks, s->disk_writes,
               s->disk_write_bytes, s->disk_write_ticks, s->faults, s->fault_bytes);
}

static const char *address_text(const uint8_t *at, int v6, uint16_t port, char *out, size_t cap)
{
    size_t n = 0;

    if (!v6) {
        snprintf(out, cap, "%u.%u.%u.%u:%u", at[0], at[1], at[2], at[3], port);
        return out;
    }
    for (int i = 0; i < 16; i += 2) /* all eight groups: a reader compares text */
        n += (size_t)snprintf(out + n, cap - n, "%s%x", i ? ":" : "[", (unsigned)(at[i] << 8 | at[i + 1]));
    snprintf(out + n, cap - n, "]:%u", port);
    return out;
}

void truth_of_connection(truth *t, const packet_facts *f, int v6, int accepted, const truth_connection *s,
                         uint64_t end, int closed)
{
    char local[64], remote[64];

    truth_line(t, "connection",
               "\"pid\":%" PRIu32 ",\"local\":\"%s\",\"remote\":\"%s\",\"by\":\"%s\",\"begin\":%" PRIu64
               ",\"end\":%" PRIu64 ",\"closed\":%s,\"sends\":%" PRIu64 ",\"sent\":%" PRIu64 ",\"receives\":%" PRIu64
               ",\"received\":%" PRIu64 ",\"retransmits\":%" PRIu64 ",\"retransmitted\":%" PRIu64,
               f->pid, address_text(f->local, v6, f->local_port, local, sizeof local),
               address_text(f->remote, v6, f->remote_port, remote, sizeof remote), accepted ? "accept" : "connect",
               s->begin, end, closed ? "true" : "false", s->sends, s->sent_bytes, s->receives, s->received_bytes,
               s->retransmits, s->retransmitted_bytes);
}
