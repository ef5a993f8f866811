/* encode_io.c - layouts of files, disks and the network; see pen.h. */
#include "pen.h"

#include <stdio.h>

static void put_file_name(pen *p, uint32_t number)
{
    char name[CATALOG_FILE_NAME];

    catalog_file_name(number, name);
    put_text16(p, name);
}

void lay_file(pen *p, const happening *h)
{
    put_pointer(p, h->file.key);
    put_file_name(p, h->file.number);
}

void lay_disk_init(pen *p, const happening *h)
{
    put_pointer(p, h->disk.irp);
    if (p->version >= 3) put32(p, h->disk.tid);
}

void lay_disk(pen *p, const happening *h)
{
    const disk_facts *f = &h->disk;

    put32(p, f->disk);
    put32(p, f->flags);
    put32(p, f->bytes);
    put32(p, p->version == 1 ? (uint32_t)(f->response / 10000) : 0); /* ResponseTime; reserved */
    put64(p, f->offset);
    put_pointer(p, f->key);
    if (p->version >= 2) put_pointer(p, f->irp);
    if (p->version >= 1) put64(p, f->response);
    if (p->version >= 3) put32(p, f->tid);
}

void lay_disk_flush(pen *p, const happening *h)
{
    put32(p, h->disk.disk);
    put32(p, h->disk.flags);
    put64(p, h->disk.response);
    put_pointer(p, h->disk.irp);
    if (p->version >= 3) put32(p, h->disk.tid);
}

void lay_fault(pen *p, const happening *h)
{
    const fault_facts *f = &h->fault;

    put_instant(p, f->initial);
    put64(p, f->offset);
    put_pointer(p, f->address);
    put_pointer(p, f->key);
    put32(p, f->tid);
    put32(p, f->bytes);
}

/* The IRP, and whose it is: version 2 says that first and in the width of a pointer, version 3 where it stands here not. */
static void put_request(pen *p, const io_facts *f, int key)
{
    put_pointer(p, f->irp);
    if (p->version == 2) put_pointer(p, f->tid);
    put_pointer(p, f->object);
    if (key) put_pointer(p, f->key);
}

void lay_create(pen *p, const happening *h)
{
    const io_facts *f = &h->io;

    put_request(p, f, 0);
    if (p->version >= 3) put32(p, f->tid);
    put32(p, f->flags); /* CreateOptions */
    put32(p, 0x80);     /* FileAttributes: normal */
    put32(p, 7);        /* ShareAccess: all */
    put_file_name(p, f->number);
}

void lay_handle(pen *p, const happening *h)
{
    put_request(p, &h->io, 1);
    if (p->version >= 3) put32(p, h->io.tid);
}

void lay_transfer(pen *p, const happening *h)
{
    const io_facts *f = &h->io;

    put64(p, f->offset);
    put_request(p, f, 1);
    if (p->version >= 3) put32(p, f->tid);
    put32(p, f->bytes);
    put32(p, f->flags);
    if (p->version >= 3 && p->build >= &builds[BUILD_10]) put32(p, 0); /* ExtraFlags */
}

void lay_info(pen *p, const happening *h)
{
    put_request(p, &h->io, 1);
    put_pointer(p, h->io.info);
    if (p->version >= 3) put32(p, h->io.tid);
    put32(p, h->io.class);
}

void lay_enumeration(pen *p, const happening *h)
{
    put_request(p, &h->io, 1);
    if (p->version >= 3) put32(p, h->io.tid);
    put32(p, 4096); /* Length */
    put32(p, h->io.class);
    put32(p, 0); /* FileIndex */
    put_text16(p, "*.db");
}

void lay_end(pen *p, const happening *h)
{
    put_pointer(p, h->io.irp);
    put_pointer(p, h->io.info);
    put32(p, h->io.status);
}

/* ---- Network ---- */

static int is_send(happening_kind kind)
{
    return kind == TCP_SEND || kind == TCP_SEND6;
}

static int is_opening(happening_kind kind)
{
    return kind == TCP_CONNECT || kind == TCP_ACCEPT || kind == TCP_CONNECT6 || kind == TCP_ACCEPT6;
}

/* Both ends, the first the destination: of TCP always the remote one. */
static void put_ends(pen *p, const packet_facts *f, int v6, int turned)
{
    size_t n = v6 ? 16 : 4;

    put_bytes(p, turned ? f->local : f->remote, n);
    put_bytes(p, turned ? f->remote : f->local, n);
    put_port(p, turned ? f->local_port : f->remote_port);
    put_port(p, turned ? f->remote_port : f->local_port);
}

static void put_opening(pen *p)
{
    put16(p, 1460); /* mss */
    put16(p, 1);    /* sackopt */
    put16(p, 0);    /* tsopt */
    put16(p, 1);    /* wsopt */
    put32(p, 0x40000);
    put16(p, 8); /* rcvwinscale */
    put16(p, 8); /* sndwinscale */
}

void lay_tcp(pen *p, const happening *h)
{
    const packet_facts *f = &h->packet;
    int v6 = h->kind >= TCP_SEND6;

    if (p->version == 0) {
        put_ends(p, f, 0, 0);
        put32(p, f->bytes);
        put32(p, f->pid);
        return;
    }
    put32(p, f->pid);
    put32(p, f->bytes);
    put_ends(p, f, v6, 0);
    if (is_send(h->kind)) { /* startime, endtime: tenths of a second since boot */
        put32(p, (uint32_t)((p->boot + h->ticks) / 1000000));
        put32(p, (uint32_t)((p->boot + h->ticks) / 1000000));
    }
    if (is_opening(h->kind)) put_opening(p);
    if (p->version == 1) { /* connid, then seqnum; the former narrow but in the events that have nothing else */
        if (is_send(h->kind) || is_opening(h->kind))
            put32(p, 0);
        else
            put_pointer(p, 0);
        put32(p, f->sequence);
        return;
    }
    put32(p, f->sequence);
    put_pointer(p, 0); /* connid */
}

void lay_udp(pen *p, const happening *h)
{
    const packet_facts *f = &h->packet;
    int v6 = h->kind >= UDP_SEND6, receives = h->kind == UDP_RECEIVE || h->kind == UDP_RECEIVE6;

    if (p->version == 0) {
        put_pointer(p, 0); /* context */
        put_bytes(p, receives ? f->remote : f->local, 4);
        put_port(p, receives ? f->remote_port : f->local_port);
        put16(p, f->bytes);
        put_bytes(p, receives ? f->local : f->remote, 4);
        put_port(p, receives ? f->local_port : f->remote_port);
        put16(p, f->bytes);
        return;
    }
    put32(p, f->pid);
    put32(p, f->bytes);
    put_ends(p, f, v6, receives); /* the true direction of the datagram */
    if (p->version == 1) return;
    put32(p, f->sequence);
    put_pointer(p, 0);
}
