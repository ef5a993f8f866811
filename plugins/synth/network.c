/* network.c - connections and datagrams; see computer.h.

   Packets are told by whatever processor handles them, so the record names nobody and the payload the owner. Local ports
   are given out in turn, so one is used again only long after. */
#include "computer.h"

#include <string.h>

enum { FIRST_PORT = 49152, PORTS = 16384, MSS = 1460 };

static happening_kind kind_of(happening_kind kind, int v6)
{
    return v6 ? (happening_kind)(kind + (kind >= UDP_SEND ? UDP_SEND6 - UDP_SEND : TCP_SEND6 - TCP_SEND)) : kind;
}

static void make_addresses(model *m, packet_facts *f, int v6, int accepted)
{
    static const uint16_t services[] = { 443, 443, 80, 5433, 445, 53 };
    uint32_t host = below(m, 24);
    uint16_t port = (uint16_t)(FIRST_PORT + m->ports++ % PORTS);

    memset(f->local, 0, 32); /* both addresses */
    if (v6) {
        static const uint8_t prefix[] = { 0x20, 0x01, 0x0D, 0xB8 };

        memcpy(f->local, prefix, sizeof prefix);
        memcpy(f->remote, prefix, sizeof prefix);
        f->local[15] = 5;
        f->remote[7] = 1;
        f->remote[15] = (uint8_t)(host + 16);
    } else {
        memcpy(f->local, (const uint8_t[]){ 10, 0, 0, 5 }, 4);
        memcpy(f->remote, (const uint8_t[]){ 10, 0, 1, (uint8_t)(host + 16) }, 4);
    }
    f->local_port = accepted ? services[below(m, 4)] : port;
    f->remote_port = accepted ? port : services[below(m, 5)];
}

static void tell_packet(model *m, happening_kind kind, const connection *c, uint32_t bytes)
{
    happening *h = tell(m, kind_of(kind, c->v6), any_cpu(m));

    h->packet = c->facts;
    h->packet.bytes = bytes;
}

static void open_connection(model *m)
{
    uint32_t thread = running_thread(m), at = 0;
    connection *c;

    if (thread == NO_THREAD) return;
    while (at < CONNECTIONS && m->connection[at].open) at++;
    if (at == CONNECTIONS) return;
    c = &m->connection[at];
    *c = (connection){ .open = 1, .process = thread / THREADS, .accepted = (uint8_t)one_in(m, 3) };
    c->v6 = (uint8_t)(is_told(m, TCP_SEND6) && one_in(m, 3));
    make_addresses(m, &c->facts, c->v6, c->accepted);
    c->facts.pid = process_of(m, thread)->facts.pid;
    c->sum.begin = m->now;
    tell_packet(m, c->accepted ? TCP_ACCEPT : TCP_CONNECT, c, 0);
}

static void close_connection(model *m, connection *c)
{
    tell_packet(m, TCP_DISCONNECT, c, 0);
    truth_of_connection(&m->truth, &c->facts, c->v6, c->accepted, &c->sum, m->now, 1);
    c->open = 0;
}

static void use_connection(model *m, connection *c)
{
    uint32_t lot = below(m, 100), bytes = 1 + below(m, one_in(m, 3) ? 20 * MSS : MSS);

    if (lot < 45) {
        tell_packet(m, TCP_SEND, c, bytes);
        c->sum.sends++;
        c->sum.sent_bytes += bytes;
    } else if (lot < 92) {
        tell_packet(m, TCP_RECEIVE, c, bytes);
        c->sum.receives++;
        c->sum.received_bytes += bytes;
    } else if (lot < 95) {
        tell_packet(m, TCP_RETRANSMIT, c, bytes % MSS + 1);
        c->sum.retransmits++;
        c->sum.retransmitted_bytes += bytes % MSS + 1;
    } else {
        close_connection(m, c);
    }
}

static void send_datagram(model *m)
{
    uint32_t thread = running_thread(m), bytes = 20 + below(m, 1200);
    int sends = one_in(m, 2), v6 = is_told(m, UDP_SEND6) && one_in(m, 3);
    truth_process *sum;
    happening *h;

    if (thread == NO_THREAD) return;
    sum = &process_of(m, thread)->sum;
    h = tell(m, kind_of(sends ? UDP_SEND : UDP_RECEIVE, v6), any_cpu(m));
    make_addresses(m, &h->packet, v6, 0);
    h->packet.remote_port = 53;
    h->packet.pid = process_of(m, thread)->facts.pid;
    h->packet.bytes = bytes;
    h->packet.sequence = 0;
    if (build_version(m->build, UDP_SEND) == 0) return; /* version 0 does not tell whose it is */
    *(sends ? &sum->sent : &sum->received) += 1;
    *(sends ? &sum->sent_bytes : &sum->received_bytes) += bytes;
}

void network_lot(model *m)
{
    uint32_t lot = below(m, 100);
    connection *c = &m->connection[below(m, CONNECTIONS)];

    if (lot < 15)
        send_datagram(m);
    else if (lot < 20 || !c->open)
        open_connection(m);
    else if (m->process[c->process].life == RUNS)
        use_connection(m, c);
}

int network_process_ends(model *m, uint32_t number)
{
    for (uint32_t at = 0; at < CONNECTIONS; at++) {
        connection *c = &m->connection[at];

        if (!c->open || c->process != number) continue;
        close_connection(m, c);
        return 1;
    }
    return 0;
}

void network_close(model *m)
{
    for (uint32_t at = 0; at < CONNECTIONS; at++) {
        const connection *c = &m->connection[at];

        if (c->open) truth_of_connection(&m->truth, &c->facts, c->v6, c->accepted, &c->sum, m->options.ticks, 0);
    }
}
