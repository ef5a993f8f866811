/* encode_system.c - layouts of what the session and the machine say of themselves; see pen.h. */
#include "pen.h"

#include <stdio.h>

enum {
    MHZ = 2900,
    MEMORY_MB = 32768,
    PAGE = 4096,
    GRANULARITY = 65536,
    GROUP = 64,
    /* groups of events that are on: process, thread, image load, context switch, DPC, interrupt, disk and file I/O and
       their beginnings, dispatcher, hard faults, network, profile */
    ENABLED = 0x07012F77
};

void lay_session(pen *p, const happening *h)
{
    switch (h->kind) {
    case SESSION_MASKS:
    case SESSION_END_MASKS:
        put32(p, ENABLED);
        put_zeros(p, 28);
        put32(p, 0x01000000u * p->build->major); /* KernelEventVersion */
        break;
    case SESSION_BUILD: put_text8(p, p->build->lab); break;
    case SESSION_PARTITION: put_zeros(p, 48); break; /* not in a container */
    default: break;                                  /* the end of the rundown has no payload */
    }
}

static void put_processors(pen *p, uint32_t group) /* a bit each */
{
    uint32_t first = group * GROUP, n = p->cpus - first < GROUP ? p->cpus - first : GROUP;

    put_pointer(p, n == GROUP ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1);
}

static void lay_cpu(pen *p)
{
    put32(p, MHZ);
    put32(p, p->cpus);
    put32(p, MEMORY_MB);
    put32(p, PAGE);
    put32(p, GRANULARITY);
    put_field16(p, "GRID-17", 256);
    put_field16(p, "contoso.example", p->version < 2 ? 132 : 134);
    put_processors(p, 0); /* HyperThreadingFlag */
    if (p->version < 3) return;
    put_pointer(p, p->pointer == 8 ? 0x7FFFFFFEFFFF : 0x7FFEFFFF);
    put16(p, p->pointer == 8 ? 9 : 0); /* x64, x86 */
    put16(p, 6);
    put16(p, 0x6A06);
    put8(p, 1);
    put8(p, 1);
    put32(p, 3200); /* MemorySpeed */
}

static void lay_disk_of(pen *p, uint32_t index)
{
    put32(p, index);
    put32(p, 512); /* bytes a sector, sectors a track, tracks a cylinder */
    put32(p, 63);
    put32(p, 255);
    put64(p, 62260 * (index + 1ull)); /* Cylinders */
    put32(p, 0);
    put32(p, 0);
    put32(p, index);
    put32(p, 0);
    put_field16(p, index ? "Northwind Spinning Disk" : "Contoso Fast NVMe", 256);
    put32(p, 1); /* PartitionCount */
    put8(p, 1);  /* WriteCacheEnabled */
    put8(p, 0);
    put_field16(p, index ? "" : "C:", 3);
    put_zeros(p, 4);
}

static void lay_partition(pen *p, uint32_t index)
{
    put64(p, 0x100000);
    put64(p, 0x7440000000 * (index + 1ull));
    put32(p, index);
    put32(p, 112); /* Size, of this record */
    put32(p, 1);   /* DriveType: partition */
    put_field16(p, index ? "D:" : "C:", 4);
    put32(p, 0);
    put32(p, 1); /* PartitionNumber */
    put32(p, 8); /* SectorsPerCluster */
    put32(p, 512);
    put_zeros(p, 4);
    put64(p, 60000000);
    put64(p, 121896960);
    put_field16(p, "NTFS", 16);
    put32(p, 0);
    put32(p, 0);
}

static void lay_nic(pen *p, uint32_t index)
{
    const uint8_t address[8] = { 0x00, 0x15, 0x5D, 0x0A, 0x00, (uint8_t)(index + 5) };

    if (p->version < 2) {
        put_field16(p, index ? "Fabrikam Backup NIC" : "Contoso 10G Ethernet Adapter", 256);
        put32(p, index + 1);
        put32(p, 6);
        for (int i = 0; i < 8; i++) put16(p, address[i]);
        put32(p, 584); /* Size; offsets of texts that are not there follow */
        put_zeros(p, 44);
        return;
    }
    put_bytes(p, address, 8);
    put32(p, 6);
    put32(p, index + 4);
    put32(p, index + 4);
    put_text16(p, index ? "Fabrikam Backup NIC" : "Contoso 10G Ethernet Adapter");
    put_text16(p, index ? "192.168.7.5" : "10.0.0.5;2001:db8::5");
    put_text16(p, "10.0.0.53;");
}

static void lay_video(pen *p)
{
    put32(p, 0x8000000);
    put32(p, 1920);
    put32(p, 1080);
    put32(p, 32);
    put32(p, 60);
    put_field16(p, "Basic chip", 256);
    put_field16(p, "Internal", 256);
    put_field16(p, "Contoso Basic Display", 256);
    put_field16(p, "1.0", 256);
    put_field16(p, "PCI\\VEN_1234&DEV_1111", 256);
    put32(p, 5);
}

static void lay_service(pen *p, uint32_t index)
{
    const catalog_service *s = &catalog_services[index];
    uint32_t pid = s->state == 4 ? 4 : 0;

    if (p->version < 2) {
        put_field16(p, s->name, 34);
        put_field16(p, s->title, 256);
        put_field16(p, s->process, 34);
        put32(p, pid);
        return;
    }
    put32(p, pid);
    put32(p, s->state);
    put32(p, index + 10); /* SubProcessTag */
    put_text16(p, s->name);
    put_text16(p, s->title);
    put_text16(p, s->process);
    if (p->version < 3) return;
    put_text16(p, s->group);
    put_text16(p, s->host);
}

static void lay_irq(pen *p, uint32_t index)
{
    const char *name = catalog_devices[index].description;

    put64(p, p->cpus >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->cpus) - 1);
    if (p->version >= 3) {
        put16(p, 0); /* IRQGroup */
        put16(p, 0);
    }
    put32(p, 16 + index);
    put32(p, 2 * (uint32_t)strlen(name) + 2);
    put_text16(p, name);
}

static void lay_pnp(pen *p, uint32_t index)
{
    const catalog_device *d = &catalog_devices[index];

    if (p->version >= 4) {
        put32(p, 0x4D36E972 + index); /* ClassGuid */
        put32(p, 0x11CEE325);
        put64(p, 0x18032BE10008C1BF);
        put32(p, *d->filter != 0);
        put32(p, 0);
    } else {
        put32(p, (uint32_t)strlen(d->id) + 1);
        put32(p, (uint32_t)strlen(d->description) + 1);
        put32(p, (uint32_t)strlen(d->friendly) + 1);
    }
    if (p->version >= 5) {
        put32(p, 0x0180200A); /* DevStatus */
        put32(p, 0);
    }
    put_text16(p, d->id);
    put_text16(p, d->description);
    put_text16(p, d->friendly);
    if (p->version >= 3) put_text16(p, d->object);
    if (p->version < 4) return;
    put_text16(p, d->service);
    if (*d->filter) put_text16(p, d->filter);
}

static void lay_groups(pen *p, happening_kind kind)
{
    uint32_t groups = (p->cpus + GROUP - 1) / GROUP;

    if (kind == SYSTEM_NUMBERS) {
        put32(p, p->cpus);
        for (uint32_t i = 0; i < p->cpus; i++) put32(p, i / GROUP | i % GROUP << 16);
        return;
    }
    put32(p, groups);
    for (uint32_t i = 0; i < groups; i++) {
        put_processors(p, i);
        if (kind != SYSTEM_NUMA) continue;
        put16(p, i);
        put_zeros(p, 6);
    }
}

static void lay_one_processor(pen *p, uint32_t index)
{
    put32(p, index);
    put32(p, 0x3FFF);
    put32(p, MHZ);
    put_field16(p, "Contoso Silver 4316 CPU @ 2.90GHz", 64);
    put_field16(p, "Family 6 Model 106 Stepping 6", 128);
    put_field16(p, "GenuineContoso", 16);
}

void lay_machine(pen *p, const happening *h)
{
    switch (h->kind) {
    case SYSTEM_CPU: lay_cpu(p); break;
    case SYSTEM_DISK: lay_disk_of(p, h->index); break;
    case SYSTEM_PARTITION: lay_partition(p, h->index); break;
    case SYSTEM_NIC: lay_nic(p, h->index); break;
    case SYSTEM_VIDEO: lay_video(p); break;
    case SYSTEM_SERVICE: lay_service(p, h->index); break;
    case SYSTEM_POWER: put_bytes(p, "\0\0\0\1\1\0\0", 8); break;
    case SYSTEM_NETWORK:
        put32(p, 8);
        put32(p, 0x10000);
        put32(p, 65534);
        put32(p, 120);
        break;
    case SYSTEM_IRQ: lay_irq(p, h->index); break;
    case SYSTEM_PNP: lay_pnp(p, h->index); break;
    case SYSTEM_IDE:
        put32(p, 0);
        put32(p, 1);
        put32(p, 0x10010);
        put32(p, 20);
        put_text16(p, "Channel 0");
        break;
    case SYSTEM_PLATFORM:
        put_text16(p, "Contoso");
        put_text16(p, "Grid Server 17");
        put_text16(p, "01/31/2024");
        put_text16(p, "2.17");
        break;
    case SYSTEM_PROCESSOR: lay_one_processor(p, h->index); break;
    case KERNEL_BASE: put_pointer(p, catalog_space_of((uint32_t)p->pointer)->module); break;
    default: lay_groups(p, h->kind); break;
    }
}

void lay_merged(pen *p, const happening *h)
{
    static const char *const volumes[][2] = {
        { CATALOG_DISK "\\", "C:\\" },
        { "\\Device\\HarddiskVolume4\\", "D:\\" },
        { "\\SystemRoot\\", "C:\\Windows\\" },
        { "\\??\\", "" },
    };

    if (h->kind == MERGED_BUILD) {
        put64(p, (uint64_t)p->start - 90ull * 24 * 3600 * 10000000); /* installed 90 days before */
        put_text16(p, p->build->lab);
        put_text16(p, p->build->text);
    } else if (h->kind == MERGED_PATHS) {
        put_text16(p, "C:\\Windows\\system32");
        put_text16(p, "C:\\Windows");
    } else {
        put_text16(p, volumes[h->index][0]);
        put_text16(p, volumes[h->index][1]);
    }
}
