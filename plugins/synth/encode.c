/* encode.c - headers of events, and which layout each has; see encode.h. */
#include "encode.h"

#include "format.h"

enum { BUFFER_SIZE = 64 << 10, MHZ = 2900, TIMER = 156250 };

/* ---- Text ---- */

void put_text8(pen *p, const char *text)
{
    put_bytes(p, text, strlen(text) + 1);
}

void put_units(pen *p, const char *utf8)
{
    const uint8_t *at = (const uint8_t *)utf8;

    while (*at) { /* of one or two bytes: names here have no others */
        uint32_t c = *at++;

        if (c >= 0xC0) c = (c & 0x1F) << 6 | (*at++ & 0x3F);
        put16(p, c);
    }
}

void put_text16(pen *p, const char *utf8)
{
    put_units(p, utf8);
    put16(p, 0);
}

void put_field16(pen *p, const char *utf8, uint32_t n)
{
    uint8_t *begin = p->at;

    put_units(p, utf8);
    put_zeros(p, 2 * n - (uint32_t)(p->at - begin));
}

/* ---- Headers ---- */

static void put_perfinfo(pen *p, const build_event *e, const happening *h)
{
    put16(p, (uint32_t)p->version);
    put8(p, p->pointer == 4 ? ETW_PERFINFO32 : ETW_PERFINFO64);
    put8(p, ETW_TYPED);
    put16(p, 0); /* the size, when it is known */
    put8(p, e->opcode);
    put8(p, e->group);
    put_instant(p, h->ticks);
}

static void put_system(pen *p, const build_event *e, const happening *h)
{
    put16(p, (uint32_t)p->version);
    put8(p, p->pointer == 4 ? ETW_SYSTEM32 : ETW_SYSTEM64);
    put8(p, ETW_TYPED);
    put16(p, 0);
    put8(p, e->opcode);
    put8(p, e->group);
    put32(p, h->tid);
    put32(p, h->pid);
    put_instant(p, h->ticks);
    put64(p, 0); /* kernel and user time */
}

static void put_full(pen *p, const build_event *e, const happening *h)
{
    put16(p, 0);
    put8(p, p->pointer == 4 ? ETW_FULL32 : ETW_FULL64);
    put8(p, ETW_TYPED);
    put8(p, e->opcode);
    put8(p, 0); /* level */
    put16(p, (uint32_t)p->version);
    put32(p, h->tid);
    put32(p, h->pid);
    put_instant(p, h->ticks);
    put_bytes(p, merged_guids[e->group], 16);
    put64(p, 0);
}

static void put_item(pen *p, uint32_t type, const self_schema *what, int more)
{
    uint32_t stride = (ETW_ITEM_DATA + what->bytes + 7) & ~7u;

    put16(p, stride);
    put16(p, type);
    put16(p, (uint32_t)more);
    put16(p, what->bytes);
    put_bytes(p, what->at, what->bytes);
    put_zeros(p, stride - ETW_ITEM_DATA - what->bytes);
}

static void put_event_header(encoder *e, const build_event *b, const happening *h)
{
    pen *p = &e->pen;

    put16(p, 0);
    put8(p, p->pointer == 4 ? ETW_EVENT32 : ETW_EVENT64);
    put8(p, ETW_TYPED);
    put16(p, ETW_EVENT_EXTENDED | (p->pointer == 4 ? 0x20 : 0x40));
    put16(p, 0);
    put32(p, h->tid);
    put32(p, h->pid);
    put_instant(p, h->ticks);
    put_bytes(p, self_guid, 16);
    put16(p, 0); /* id: it has a name */
    put8(p, (uint32_t)p->version);
    put8(p, 11); /* channel of TraceLogging */
    put8(p, 4);  /* level: information */
    put8(p, b->opcode);
    put16(p, 0);
    put64(p, 1); /* keyword */
    put64(p, 0);
    put64(p, h->request.activity);
    put64(p, 0x5EB5E1B5u);
    put_item(p, ETW_ITEM_SCHEMA, &e->schema[h->kind - REQUEST_START], 1);
    put_item(p, ETW_ITEM_TRAITS, &e->traits, 0);
}

/* ---- Layouts ---- */

// clang-format off
static void put_payload(pen *p, const happening *h)
{
    switch (h->kind) {
    case PROCESS_START: case PROCESS_END: case PROCESS_DC_START: case PROCESS_DC_END:
    case PROCESS_DEFUNCT: lay_process(p, h); break;
    case PROCESS_TERMINATE: lay_terminate(p, h); break;
    case THREAD_START: case THREAD_END: case THREAD_DC_START: case THREAD_DC_END: lay_thread(p, h); break;
    case THREAD_NAME: lay_thread_name(p, h); break;
    case IMAGE_LOAD: case IMAGE_UNLOAD: case IMAGE_DC_START: case IMAGE_DC_END: lay_image(p, h); break;
    case MERGED_IMAGE: lay_merged_image(p, h); break;
    case MERGED_PDB: lay_merged_pdb(p, h); break;
    case CONTEXT_SWITCH: lay_switch(p, h); break;
    case READY_THREAD: lay_ready(p, h); break;
    case SAMPLE: lay_sample(p, h); break;
    case COLLECTION_START: case COLLECTION_END: lay_interval(p, h); break;
    case ISR: case ISR_MSI: lay_isr(p, h); break;
    case DPC: case TIMER_DPC: case THREADED_DPC: lay_dpc(p, h); break;
    case STACK: lay_stack(p, h); break;
    case STACK_KEY_KERNEL: case STACK_KEY_USER: lay_key_reference(p, h); break;
    case STACK_KEY_DELETE: case STACK_KEY_RUNDOWN: lay_key_frames(p, h); break;
    case FILE_NAME: case FILE_CREATE: case FILE_DELETE: case FILE_RUNDOWN: lay_file(p, h); break;
    case DISK_READ_INIT: case DISK_WRITE_INIT: case DISK_FLUSH_INIT: lay_disk_init(p, h); break;
    case DISK_READ: case DISK_WRITE: lay_disk(p, h); break;
    case DISK_FLUSH: lay_disk_flush(p, h); break;
    case HARD_FAULT: lay_fault(p, h); break;
    case IO_CREATE: lay_create(p, h); break;
    case IO_CLEANUP: case IO_CLOSE: case IO_FLUSH: lay_handle(p, h); break;
    case IO_READ: case IO_WRITE: lay_transfer(p, h); break;
    case IO_SET_INFO: case IO_DELETE: case IO_QUERY_INFO: case IO_FS_CONTROL: lay_info(p, h); break;
    case IO_DIR_ENUM: lay_enumeration(p, h); break;
    case IO_END: lay_end(p, h); break;
    case TCP_SEND: case TCP_RECEIVE: case TCP_CONNECT: case TCP_DISCONNECT: case TCP_RETRANSMIT: case TCP_ACCEPT:
    case TCP_SEND6: case TCP_RECEIVE6: case TCP_CONNECT6: case TCP_DISCONNECT6: case TCP_RETRANSMIT6:
    case TCP_ACCEPT6: lay_tcp(p, h); break;
    case UDP_SEND: case UDP_RECEIVE: case UDP_SEND6: case UDP_RECEIVE6: lay_udp(p, h); break;
    case REQUEST_START: case REQUEST_STOP: case REQUEST_CACHE: lay_request(p, h); break;
    case MERGED_BUILD: case MERGED_PATHS: case MERGED_VOLUME: lay_merged(p, h); break;
    default: (h->kind <= SESSION_RUNDOWN_DONE ? lay_session : lay_machine)(p, h); break;
    }
}

// clang-format on

uint32_t encode(encoder *e, const happening *h, uint8_t *at, uint32_t *payload)
{
    const build_event *b = &build_events[h->kind];
    pen *p = &e->pen;
    uint32_t bytes, size = ETW_SIZE;

    p->at = at;
    p->version = build_version(p->build, h->kind);
    if (b->form == FORM_KERNEL) {
        size = ETW_HOOK_SIZE;
        (h->pid == NOBODY && h->tid == NOBODY ? put_perfinfo : put_system)(p, b, h);
    } else if (b->form == FORM_MERGED) {
        put_full(p, b, h);
    } else {
        put_event_header(e, b, h);
    }
    *payload = (uint32_t)(p->at - at);
    put_payload(p, h);
    bytes = (uint32_t)(p->at - at);
    p->at = at + size;
    put16(p, bytes);
    return bytes;
}

/* ---- What the session says of itself ---- */

static void make_log_header(encoder *e, const encode_options *o)
{
    pen *p = &e->pen;
    const happening h = { .pid = 4, .tid = 0 };
    const build_event of = { FORM_KERNEL, 0, 0, { 0 } };
    uint32_t bytes;

    p->at = e->log_header;
    p->version = 2;
    put_system(p, &of, &h);
    put32(p, BUFFER_SIZE);
    put8(p, p->build->major);
    put8(p, p->build->minor);
    put8(p, p->build->major >= 10 ? 1 : 0); /* SubVersion */
    put8(p, 5);
    put32(p, p->build->number);
    put32(p, o->cpus);
    put64(p, (uint64_t)o->start + o->ticks);
    put32(p, TIMER);
    put32(p, 0); /* MaxFileSize */
    put32(p, 1); /* LogFileMode: sequential */
    put32(p, 0); /* BuffersWritten: not known here */
    put32(p, 1);
    put32(p, o->pointer);
    put32(p, (uint32_t)o->lost);
    put32(p, MHZ);
    put_pointer(p, 0);
    put_pointer(p, 0);
    put_zeros(p, 172); /* TimeZoneInformation: UTC */
    put32(p, 0);
    put64(p, (uint64_t)o->start - o->boot); /* BootTime */
    put64(p, 10000000);
    put64(p, (uint64_t)o->start);
    put32(p, 1); /* the clock: QPC */
    put32(p, 0);
    put_text16(p, "NT Kernel Logger");
    put_text16(p, "synthetic.etl");
    bytes = (uint32_t)(p->at - e->log_header);
    p->at = e->log_header + ETW_HOOK_SIZE;
    put16(p, bytes);
}

void encode_init(encoder *e, const encode_options *o)
{
    memset(e, 0, sizeof *e);
    e->pen = (pen){ .pointer = (int)o->pointer,
                    .boot = o->boot,
                    .cpus = o->cpus,
                    .interval = o->interval,
                    .start = o->start,
                    .build = &builds[o->build] };
    for (int kind = REQUEST_START; kind < HAPPENING_KINDS; kind++)
        make_schema((happening_kind)kind, &e->schema[kind - REQUEST_START]);
    make_traits(&e->traits);
    make_log_header(e, o);
}
