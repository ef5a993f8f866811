/* write_source.c - asking a source for its headers and buffers, and following them; see write_source.h. */
#include "write_source.h"

#include "headers.h"
#include "record.h"

#include <stdlib.h>

enum { LOSS = ETW_FLAG_EVENTS_LOST | ETW_FLAG_BUFFER_LOST };

void write_sources_free(write_sources *s)
{
    free(s->of);
    s->of = NULL;
}

write_source *write_source_add(write_sources *s, void *self, uint16_t number)
{
    write_source *grown = realloc(s->of, (number + 1u) * sizeof *grown);

    if (!grown) {
        (void)tw_fail(self, "no memory for %u sources", number + 1u);
        return NULL;
    }
    memset(grown + s->n, 0, (number + 1u - s->n) * sizeof *grown);
    s->of = grown;
    s->n = number + 1u;
    return &grown[number];
}

/* ---- Asking ---- */

int write_source_header(void *self, const tw_event *e, uint32_t *n, head_event *out, trace_clock *clock)
{
    tw_value v;
    record r;

    while (*n < SESSIONS_MAX && TW_HOST(self)->extra(self, e, EXTRA_LOG_HEADER, (*n)++, &v) == TW_OK) {
        if (v.kind != TW_BYTES || record_read((const uint8_t *)v.t.at, v.t.bytes, &r) != RECORD_GOOD) continue;
        if (r.payload != ETW_SYSTEM_HEADER || r.kind != RECORD_KERNEL) continue;
        *out = (head_event){ .record = r.at, .payload = r.at + r.payload, .pid = r.pid, .tid = r.tid };
        if (!log_header_read(out->payload, r.size - r.payload, r.pointer, &out->log)) continue;
        out->says_clock = log_header_clock(&out->log, r.ticks, clock) && out->log.clock <= ETW_CLOCK_CPU;
        return 1;
    }
    return 0;
}

void write_source_ask_buffers(write_source *s, void *self, const tw_event *e)
{
    tw_value v;

    if (TW_HOST(self)->extra(self, e, EXTRA_BUFFERS, 0, &v) != TW_OK || v.kind != TW_BYTES) return;
    s->buffer = (const entry *)(const void *)v.t.at;
    s->n = v.t.bytes / sizeof *s->buffer;
    s->whole = 1;
    for (size_t i = 0; i < s->n; i++)
        if (s->buffer[i].filled > s->most_filled) s->most_filled = s->buffer[i].filled;
}

size_t write_source_header_buffer(const write_source *s, uint32_t session)
{
    size_t best = s->n;

    for (size_t i = 0; i < s->n; i++)
        if (s->buffer[i].session == session && (best == s->n || s->buffer[i].at < s->buffer[best].at)) best = i;
    return best;
}

/* ---- Following ---- */

/* The buffer that this event is the first one of, if all before it came. */
static const entry *next_buffer(write_source *s, const tw_event *e)
{
    const entry *b = &s->buffer[s->next];

    if (s->next == s->n || b->session != event_session(e) || (uint16_t)s->next != event_buffer(e)) return NULL;
    s->next++;
    s->whole = b->first == e->time && b->cpu == e->cpu;
    return b;
}

/* 1 where the event is in a buffer that has begun. */
static int is_of_known(const write_source *s, const tw_event *e)
{
    uint16_t back = (uint16_t)((uint16_t)s->next - event_buffer(e)); /* how far behind the next one; 0: 65536 */

    return back ? back <= s->next : s->next >= 0x10000;
}

/* Buffers that have begun up to now and did not come leave their marks of loss to the next one of their processor. */
static void pass_over(write_sources *all, write_source *s, const tw_event *e)
{
    for (; s->next < s->n && s->buffer[s->next].first <= e->time; s->next++) {
        const entry *b = &s->buffer[s->next];

        if (!(b->flags & LOSS) || b->cpu >= WRITE_CPUS) continue;
        all->nlost += !all->lost[b->cpu];
        all->lost[b->cpu] |= b->flags & LOSS;
    }
}

void write_source_place(write_sources *all, write_source *s, const tw_event *e, placing *p)
{
    const entry *b;

    if (s->whole) {
        p->key = WRITE_KEY(e->source, event_session(e), event_buffer(e));
        b = next_buffer(s, e);
        if (b && s->whole) {
            p->begins = 1;
            p->flags = b->flags & LOSS;
            p->expect = b->filled;
            return;
        }
        if (!b && is_of_known(s, e)) return;
        s->whole = 0;
        if (b) s->next--;
    }
    p->key = WRITE_ANY;
    if (s->next < s->n && s->buffer[s->next].first <= e->time) pass_over(all, s, e);
    if (!all->nlost || !all->lost[e->cpu]) return;
    p->flags = all->lost[e->cpu];
    all->lost[e->cpu] = 0;
    all->nlost--;
}
