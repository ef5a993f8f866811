/* encode_process.c - layouts of processes, threads and images; see pen.h. */
#include "pen.h"

static void put_sid(pen *p, const process_facts *f)
{
    static const uint32_t account[] = { 21, 1004336348, 1177238915, 682003330, 1001 }, local_system[] = { 18 };
    const uint32_t *authority = f->user ? account : local_system;
    uint32_t n = f->user ? 5 : 1;

    if (f->pid == 0) { /* no SID */
        put32(p, 0);
        return;
    }
    put_pointer(p, f->key + 0x4B0); /* a TOKEN_USER: pointer and attributes, then the SID */
    put_pointer(p, 0);
    put8(p, 1);
    put8(p, n);
    put32(p, 0); /* the authority: 6 bytes, big-endian, 5 for NT */
    put16(p, 5 << 8);
    for (uint32_t i = 0; i < n; i++) put32(p, authority[i]);
}

static void put_command(pen *p, const process_facts *f)
{
    if (f->folder) {
        put_units(p, "\"C:");
        put_units(p, f->folder + sizeof CATALOG_DISK - 1);
        put_units(p, "\\");
        put_units(p, f->name);
        put_units(p, "\"");
        put_units(p, f->arguments);
    }
    put16(p, 0);
}

void lay_process(pen *p, const happening *h)
{
    const process_facts *f = &h->process;

    if (p->version == 0) {
        put_pointer(p, f->pid);
        put_pointer(p, f->parent);
        put_sid(p, f);
        put_text8(p, f->name);
        return;
    }
    put_pointer(p, p->version == 1 ? f->directory : f->key);
    put32(p, f->pid);
    put32(p, f->parent);
    put32(p, f->session);
    put32(p, (uint32_t)f->exit_status);
    if (p->version >= 3) put_pointer(p, f->directory);
    if (p->version >= 4) put32(p, 0); /* Flags */
    put_sid(p, f);
    put_text8(p, f->name);
    if (p->version >= 2) put_command(p, f);
    if (p->version >= 4) {
        put16(p, 0); /* PackageFullName */
        put16(p, 0); /* ApplicationId */
    }
    if (p->version >= 5) put64(p, (uint64_t)p->start); /* ExitTime; of Defunct */
}

void lay_terminate(pen *p, const happening *h)
{
    put32(p, h->process.pid);
}

void lay_thread(pen *p, const happening *h)
{
    const thread_facts *f = &h->thread;

    if (p->version == 0) {
        put32(p, f->tid);
        put32(p, f->pid);
        return;
    }
    put32(p, f->pid);
    put32(p, f->tid);
    if (p->version == 1 && h->kind == THREAD_END) return;
    put_pointer(p, f->stack);
    put_pointer(p, f->stack - 0x6000);
    put_pointer(p, f->user_stack);
    put_pointer(p, f->user_stack ? f->user_stack - 0x10000 : 0);
    if (p->version >= 3)
        put_pointer(p, p->cpus >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->cpus) - 1); /* Affinity */
    else
        put_pointer(p, f->start); /* StartAddr */
    put_pointer(p, f->start);
    if (p->version == 1) {
        put8(p, 0); /* WaitMode */
        return;
    }
    put_pointer(p, f->teb);
    put32(p, 0); /* SubProcessTag */
    if (p->version == 2) return;
    put8(p, f->priority);
    put8(p, 5); /* PagePriority */
    put8(p, 2); /* IoPriority */
    put8(p, 0); /* ThreadFlags */
    if (p->build >= &builds[BUILD_10]) put_text16(p, catalog_thread_names[f->name]);
}

void lay_thread_name(pen *p, const happening *h)
{
    put32(p, h->thread.pid);
    put32(p, h->thread.tid);
    put_text16(p, catalog_thread_names[h->thread.name]);
}

static void put_path(pen *p, const image *i)
{
    put_units(p, i->folder);
    put_units(p, "\\");
    put_text16(p, i->name);
}

void lay_image(pen *p, const happening *h)
{
    const image *i = &h->load.image;

    put_pointer(p, i->base);
    if (p->version == 0) {
        put32(p, i->bytes);
        put_path(p, i);
        return;
    }
    put_pointer(p, i->bytes);
    put32(p, h->load.pid);
    if (p->version == 1) {
        put_path(p, i);
        return;
    }
    put32(p, i->bytes ^ i->stamp); /* ImageChecksum */
    put32(p, i->stamp);
    put8(p, p->version == 2 ? 0 : h->load.pid ? 4 : 12); /* SignatureLevel: Authenticode, Windows; reserved in 2 */
    put8(p, p->version == 2 ? 0 : 1);                    /* SignatureType: embedded */
    put16(p, 0);
    put_pointer(p, i->base); /* DefaultBase */
    put_zeros(p, 16);
    put_path(p, i);
}

void lay_merged_image(pen *p, const happening *h)
{
    put_pointer(p, h->load.image.base);
    put_pointer(p, h->load.image.bytes);
    put32(p, h->load.pid);
    put32(p, h->load.image.stamp);
    put_text16(p, h->load.image.name);
}

void lay_merged_pdb(pen *p, const happening *h)
{
    const image *i = &h->load.image;
    const char *dot = strrchr(i->name, '.');

    put_pointer(p, i->base);
    put32(p, h->load.pid);
    put32(p, i->stamp); /* the GUID: one an image */
    put32(p, 0x4D5A0010);
    put64(p, 0xC0FFEE0000000000u | i->bytes);
    put32(p, 1); /* Age */
    put_bytes(p, i->name, (size_t)(dot - i->name));
    put_text8(p, ".pdb");
}
