/* test_builtin.c - the tables of providers: how much they hold, what payloads become through them, and which answer an
   unknown version gets.

   The numbers of events and fields were counted in the lists from which the tables were written, not in the tables;
   payloads are written by hand. */
#include "builtin.h"

#include "kernel.h"
#include "kernel_tables.h"
#include "payload_kit.h"
#include "provider_tables.h"

static kit k;
static store memory;

static void open_kit(void)
{
    kit_open(&k);
}

static void close_kit(void)
{
    kit_close(&k);
    store_free(&memory);
}

#define GUID(a, b, c, ...)                                                                                           \
    {                                                                                                                \
        (a) & 0xFF, (a) >> 8 & 0xFF, (a) >> 16 & 0xFF, (a) >> 24 & 0xFF, (b)&0xFF, (b) >> 8, (c)&0xFF, (c) >> 8,     \
            __VA_ARGS__                                                                                              \
    }

static const uint8_t tcpip[] = GUID(0x2f07e2eeu, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a);
static const uint8_t afd[] = GUID(0xe53c6823u, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6);
static const uint8_t ndis[] = GUID(0x2ed6006eu, 0x4729, 0x4609, 0xb4, 0x23, 0x3e, 0xe7, 0xbc, 0xd6, 0x78, 0xef);
static const uint8_t pktmon[] = GUID(0x4d4f80d9u, 0xc8bd, 0x4d73, 0xbb, 0x5b, 0x19, 0xc9, 0x04, 0x02, 0xc5, 0xac);
static const uint8_t network[] = GUID(0x7dd42a49u, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88);
static const uint8_t process[] = GUID(0x22fb2cd6u, 0x0e7b, 0x422b, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16);
static const uint8_t clr[] = GUID(0xe13c0d23u, 0xccbc, 0x4e12, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4);
static const uint8_t private[] = GUID(0x763fd754u, 0x7086, 0x4dfe, 0x95, 0xeb, 0xc0, 0x1a, 0x46, 0xfa, 0xf4, 0xca);
static const uint8_t http[] = GUID(0xdd5ef90au, 0x6398, 0x47a4, 0xad, 0x34, 0x4d, 0xce, 0xcd, 0xef, 0x79, 0x5f);
static const uint8_t rpc[] = GUID(0x6ad52b32u, 0xd609, 0x4be9, 0xae, 0x07, 0xce, 0x8d, 0xae, 0x93, 0x7e, 0x39);
static const uint8_t quic[] = GUID(0xff15e657u, 0x4f26, 0x570e, 0x88, 0xab, 0x07, 0x96, 0xb2, 0x58, 0xd1, 0x1c);
static const uint8_t nobody[] = GUID(0x01020304u, 0x0506, 0x0708, 1, 2, 3, 4, 5, 6, 7, 8);

/* ---- How much ---- */

static const struct {
    const char *provider;
    unsigned events, fields; /* of all versions */
} counted[] = {
    { "Microsoft-Quic", 187, 494 },
    { "Microsoft-Windows-DNS-Client", 1, 6 },
    { "Microsoft-Windows-DotNETRuntime", 163, 805 },
    { "Microsoft-Windows-DotNETRuntimePrivate", 181, 410 },
    { "Microsoft-Windows-DotNETRuntimeRundown", 45, 274 },
    { "Microsoft-Windows-DotNETRuntimeStress", 3, 12 },
    { "Microsoft-Windows-HttpService", 137, 528 },
    { "Microsoft-Windows-Immersive-Shell", 4, 2 },
    { "Microsoft-Windows-Kernel-EventTracing", 3, 4 },
    { "Microsoft-Windows-Kernel-File", 43, 259 },
    { "Microsoft-Windows-Kernel-Network", 22, 196 },
    { "Microsoft-Windows-Kernel-Process", 45, 350 },
    { "Microsoft-Windows-NDIS-PacketCapture", 20, 73 }, /* 72, and one of a struct in place of an array of numbers */
    { "Microsoft-Windows-PktMon", 32, 328 },
    { "Microsoft-Windows-RPC", 1, 15 },
    { "Microsoft-Windows-TCPIP", 753, 4934 },
    { "Microsoft-Windows-Winsock-AFD", 96, 535 },
};

static const provider_table *table_of(const char *provider)
{
    for (unsigned i = 0; i < provider_count; i++)
        if (!strcmp(provider_tables[i].name, provider)) return &provider_tables[i];
    ck_abort_msg("no provider %s", provider);
    return NULL;
}

START_TEST(test_counts)
{
    unsigned all = 0;

    for (size_t i = 0; i < COUNT_OF(counted); i++) {
        const provider_table *p = table_of(counted[i].provider);
        unsigned events = 0, fields = 0;

        for (unsigned n = 0; n < p->nrows; n++) {
            const provider_row *row = &provider_rows[p->first_row + n];
            unsigned versions = row->last - row->first + 1u;
            events += versions;
            fields += versions * row->nfields;
        }
        ck_assert_msg(events == counted[i].events, "%s: %u events", p->name, events);
        ck_assert_msg(fields == counted[i].fields, "%s: %u fields", p->name, fields);
        all += events;
    }
    ck_assert_uint_eq(all, 1736);
}
END_TEST

START_TEST(test_order)
{
    for (unsigned i = 1; i < provider_count; i++)
        ck_assert_int_lt(memcmp(provider_tables[i - 1].guid, provider_tables[i].guid, 16), 0);
    for (unsigned i = 0; i < provider_count; i++) {
        const provider_table *p = &provider_tables[i];
        for (unsigned n = 1; n < p->nrows; n++) {
            const provider_row *a = &provider_rows[p->first_row + n - 1], *b = a + 1;
            ck_assert(a->id < b->id || (a->id == b->id && a->last < b->first));
        }
    }
}
END_TEST

typedef struct listing {
    unsigned n, refuse_after;
} listing;

static int give(void *context, const tw_type *t)
{
    listing *l = context;

    ck_assert(t->provider && t->name && t->pointer == 8);
    ck_assert((t->origin != NULL) == (t->why == NULL));
    ck_assert_msg(types_publish(k.types, t, &k.why), "%s", text_of(&k.why));
    return ++l->n == l->refuse_after ? TW_AGAIN : TW_OK;
}

/* The host takes every type that the tables hold, so all lengths, counts, structs and names are sound. */
START_TEST(test_each)
{
    listing l = { 0 };
    unsigned rows = kernel_row_count;

    for (unsigned i = 0; i < provider_count; i++) rows += provider_tables[i].nrows;
    ck_assert_int_eq(builtin_each(give, &l), TW_OK);
    ck_assert_uint_eq(l.n, rows);

    l = (listing){ .refuse_after = rows - 1 };
    ck_assert_int_eq(builtin_each(give, &l), TW_AGAIN);
    ck_assert_uint_eq(l.n, rows - 1);
    l = (listing){ .refuse_after = 1 };
    ck_assert_int_eq(builtin_each(give, &l), TW_AGAIN);
    ck_assert_uint_eq(l.n, 1);
}
END_TEST

/* ---- Payloads ---- */

static record event_record(const uint8_t guid[16], unsigned id, unsigned version, unsigned pointer)
{
    return (record){ .kind = RECORD_EVENT,
                     .guid = guid,
                     .id = (uint16_t)id,
                     .version = (uint16_t)version,
                     .pointer = (uint8_t)pointer };
}

/* Publishes what is known of it, as if a record with these numbers had been met; k.type is the type then. */
static enum schema_match find(const uint8_t guid[16], unsigned id, unsigned version, unsigned pointer)
{
    record r = event_record(guid, id, version, pointer);
    tw_type t = { .size = sizeof t, .provider = "?", .name = "?", .number = id, .pointer = (uint8_t)pointer };
    unsigned of = version;
    enum schema_match match = (enum schema_match)builtin_find(&r, &memory, &t, &of);
    uint32_t published = types_publish(k.types, &t, &k.why);

    ck_assert_msg(published != 0, "%s", text_of(&k.why));
    k.type = types_table(k.types)[published];
    k.event.type = published;
    return match;
}

static void expect(const uint8_t guid[16], unsigned id, unsigned version, unsigned pointer, const char *hex)
{
    ck_assert_int_eq(find(guid, id, version, pointer), SCHEMA_EXACT);
    ck_assert_str_eq(k.type->origin, "built in");
    kit_hex(&k, hex);
}

/* All of the payload is taken and nothing is cut short. */
static void check_all_taken(void)
{
    tw_walk w;
    tw_value v;

    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK)
        ;
    ck_assert_uint_eq(w.faults, 0);
    ck_assert_uint_eq(w.left, 0);
}

START_TEST(test_tcpip_connect)
{
    expect(tcpip, 1033, 0, 8,
           "1c000000 1700 3039 00000000 20010db8000000000000000000000001 00000000"
           "1c000000 1700 01bb 00000000 20010db8000000000000000000000002 00000000"
           "00000000 d2040000 01000000 3412000000000000");
    ck_assert_str_eq(k.type->name, "TcpConnectTcbComplete");
    ck_shows(&k, "LocalAddress", "[2001:db8::1]:12345");
    ck_shows(&k, "RemoteAddress", "[2001:db8::2]:443");
    ck_assert_uint_eq(kit_number(&k, "ProcessId"), 1234);
    ck_assert_uint_eq(kit_number(&k, "Compartment"), 1);
    ck_assert_uint_eq(kit_number(&k, "Tcb"), 0x1234);
    check_all_taken();

    kit_hex(&k, "00000000 10000000 0200 01bb 0a000001 0000000000000000 220000c0 d2040000 01000000 3412000000000000");
    ck_shows(&k, "LocalAddress", "(none)");
    ck_shows(&k, "RemoteAddress", "10.0.0.1:443");
    ck_assert_uint_eq(kit_number(&k, "Status"), 0xC0000022);
    ck_assert_uint_eq(kit_number(&k, "Tcb"), 0x1234);
    check_all_taken();
}
END_TEST

START_TEST(test_afd)
{
    expect(afd, 1004, 0, 8,
           "01000000 b80b0000 1032547698badcfe efbeadde0083ffff 01000000 0000000000000000 00010000 00000000");
    ck_assert_str_eq(k.type->name, "AfdReceiveConnected");
    ck_assert_uint_eq(kit_number(&k, "EnterExit"), 1);
    ck_assert_uint_eq(kit_number(&k, "Location"), 3000);
    ck_assert_uint_eq(kit_number(&k, "Endpoint"), 0xFFFF8300DEADBEEF);
    ck_assert_uint_eq(kit_number(&k, "BufferLength"), 256);
    ck_assert_uint_eq(kit_number(&k, "Status"), 0);
    check_all_taken();

    expect(afd, 1001, 0, 4, "00000000 01000000 44332211 fefe0000 00000000");
    ck_assert_uint_eq(kit_number(&k, "Process"), 0x11223344);
    ck_assert_uint_eq(kit_number(&k, "Endpoint"), 0xFEFE);
    check_all_taken();

    expect(afd, 3, 0, 8,
           "0100000000000000 0200000000000000 20010db8000000000000000000000001 5000 00000000"); /* IPv6: 16 bytes */
    ck_assert_str_eq(k.type->name, "3"); /* the provider has no name for it */
    ck_shows(&k, "Address", "2001:db8::1");
    check_all_taken();
}
END_TEST

START_TEST(test_packet_fragment)
{
    expect(ndis, 1001, 0, 8, "07000000 06000000 06000000 aabbccddeeff 0100000000000000 0200000000000000");
    ck_assert_uint_eq(kit_number(&k, "MiniportIfIndex"), 7);
    ck_assert_uint_eq(kit_number(&k, "FragmentSize"), 6);
    ck_shows(&k, "Fragment", "aabbccddeeff");
    ck_assert_uint_eq(kit_number(&k, "GftFlowEntryId"), 1);
    ck_assert_uint_eq(kit_number(&k, "GftOffloadInformation"), 2);
    check_all_taken();

    kit_hex(&k, "07000000 06000000 06000000 aabbccddeeff"); /* builds before Windows 10 end here */
    ck_shows(&k, "GftFlowEntryId", "(none)");
    check_all_taken();
}
END_TEST

/* A virtual switch names the destinations of a packet in a way that is not public. */
START_TEST(test_packet_of_switch)
{
    tw_walk w;
    tw_value v;

    expect(ndis, 1003, 0, 8, "07000000 06000000 05000000 50000000 4e000000 54000000 00000000 02000000 aabb 00000000");
    ck_shows(&k, "SourcePortName", "P");
    ck_shows(&k, "Fragment", "aabb");
    check_all_taken();

    kit_hex(&k, "07000000 06000000 05000000 50000000 4e000000 54000000 01000000 02000000 aabb 00000000");
    ck_assert_uint_eq(kit_number(&k, "DestinationCount"), 1);
    ck_shows(&k, "Fragment", "(none)");
    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK)
        ;
    ck_assert_uint_gt(w.faults, 0); /* it does not pass for decoded */
}
END_TEST

START_TEST(test_packet_monitor)
{
    expect(pktmon, 160, 0, 8,
           "1122334455667708 0100 0200 0300 0100 0900 0400 0000 2d010000 01c000e0 4000 0400 deadbeef");
    ck_assert_str_eq(k.type->name, "Packet");
    ck_assert_uint_eq(kit_number(&k, "PktGroupId"), 0x0877665544332211);
    ck_assert_uint_eq(kit_number(&k, "AppearanceCount"), 2);
    ck_assert_uint_eq(kit_number(&k, "ComponentId"), 9);
    ck_assert_uint_eq(kit_number(&k, "DropReason"), 301);
    ck_assert_uint_eq(kit_number(&k, "DropLocation"), 0xE000C001);
    ck_assert_uint_eq(kit_number(&k, "OriginalPayloadSize"), 64);
    ck_shows(&k, "DirTag", "Rx");
    ck_shows(&k, "PacketType", "Ethernet");
    ck_shows(&k, "Payload", "deadbeef");
    check_all_taken();

    expect(pktmon, 30, 0, 8, "0900 0100 0c000000");
    ck_shows(&k, "Type", "IfIndex");
    expect(pktmon, 20, 0, 8, "0900 0b00 68000000 0000");
    ck_shows(&k, "Type", "TCPIP");
    expect(pktmon, 65, 0, 8, "0900 0d00 0a000002");
    ck_shows(&k, "IpAddress", "10.0.0.2");
}
END_TEST

START_TEST(test_kernel_network)
{
    expect(network, 10, 0, 8,
           "d2040000 00010000 0a000002 0a000001 01bb d431 64000000 c8000000 00000000 8877665544332211");
    ck_assert_uint_eq(kit_number(&k, "PID"), 1234);
    ck_assert_uint_eq(kit_number(&k, "size"), 256);
    ck_shows(&k, "daddr", "10.0.0.2");
    ck_shows(&k, "saddr", "10.0.0.1");
    ck_assert_uint_eq(kit_number(&k, "dport"), 443);
    ck_assert_uint_eq(kit_number(&k, "sport"), 54321);
    ck_assert_uint_eq(kit_number(&k, "endtime"), 200);
    ck_assert_uint_eq(kit_number(&k, "connid"), 0x1122334455667788);
    check_all_taken();

    expect(network, 27, 0, 4,
           "d2040000 00010000 20010db8000000000000000000000002 fe800000000000000000000000000001 01bb d431 00000000"
           "44332211");
    ck_shows(&k, "daddr", "2001:db8::2");
    ck_shows(&k, "saddr", "fe80::1");
    ck_assert_uint_eq(kit_number(&k, "connid"), 0x11223344);
    check_all_taken();
}
END_TEST

START_TEST(test_process_start)
{
    ck_assert_int_eq(find(process, 1, 3, 8), SCHEMA_EXACT);
    kit_hex_text16(&k,
                   "92100000 0100000000000000 0040ef7a10d5d501 04000000 0200000000000000 01000000 00000000 02000000"
                   "01000000 0101000000000010 00300000",
                   "\\Device\\x.exe");
    ck_assert_str_eq(k.type->name, "ProcessStart");
    ck_assert_str_eq(k.type->task_name ? k.type->task_name : "(none)", "(none)"); /* the record said no task */
    ck_assert_uint_eq(kit_number(&k, "ProcessID"), 4242);
    ck_assert_uint_eq(kit_number(&k, "ParentProcessID"), 4);
    ck_assert_uint_eq(kit_number(&k, "ProcessTokenElevationType"), 2);
    ck_shows(&k, "MandatoryLabel", "S-1-16-12288");
    ck_shows(&k, "ImageName", "\\Device\\x.exe");
}
END_TEST

START_TEST(test_stack)
{
    expect(clr, 82, 0, 8, "0900 00 00 03000000 0100000000000000 0200000000000000 0300000000000000");
    ck_assert_str_eq(kit_text(&k), "ClrInstanceID=9 Reserved1=0 Reserved2=0 FrameCount=3 Stack=[0x1, 0x2, 0x3]");
    check_all_taken();
    expect(clr, 82, 0, 4, "0900 00 00 02000000 01000000 020000f0");
    ck_assert_str_eq(kit_text(&k), "ClrInstanceID=9 Reserved1=0 Reserved2=0 FrameCount=2 Stack=[0x1, 0xf0000002]");
    check_all_taken();
}
END_TEST

/* An array of structs, each with a text and an array of its own. */
START_TEST(test_bulk_type)
{
    expect(clr, 15, 0, 8,
           "02000000 0900"
           "0100000000000000 0200000000000000 03000000 08000000 1d 41004200 0000 02000000 0a00000000000000"
           "0b00000000000000"
           "1100000000000000 1200000000000000 13000000 00000000 00 0000 00000000");
    ck_assert_str_eq(kit_text(&k),
                     "Count=2 ClrInstanceID=9 Values=[{TypeID=0x1 ModuleID=0x2 TypeNameID=3 Flags=Array "
                     "CorElementType=29 Name=\"AB\" TypeParameterCount=2 TypeParameters=[0xa, 0xb]}, {TypeID=0x11 "
                     "ModuleID=0x12 TypeNameID=19 Flags=0 CorElementType=0 Name=\"\" TypeParameterCount=0}]");
    check_all_taken();
}
END_TEST

/* What is marked is numbered in another way than the kinds of roots: a real trace has a 7, with as many bytes as were
   promoted by finalization. */
START_TEST(test_collector_names)
{
    expect(clr, 202, 0, 8, "00000000 0900 07000000 7c36000000000000");
    ck_assert_str_eq(kit_text(&k), "HeapNum=0 ClrInstanceID=9 Type=NewFinalizeQueue Bytes=13948");
    expect(clr, 5, 1, 8, "280000f1b0010000 d8ffff0100000000 03000000 0800");
    ck_shows(&k, "Type", "PinnedObjectHeap");
}
END_TEST

START_TEST(test_http_request)
{
    expect(http, 1, 0, 8, "0100000000000040 0200000000000020 10000000 0200 d431 7f000001 0000000000000000");
    ck_assert_str_eq(k.type->name, "HTTPRequestTraceTaskRecvReq");
    ck_shows(&k, "RemoteAddr", "127.0.0.1:54321");
    ck_assert_uint_eq(kit_number(&k, "ConnectionId"), 0x2000000000000002);
    check_all_taken();
}
END_TEST

START_TEST(test_quic_address)
{
    expect(quic, 5128, 0, 8, "0100000000000000 10 0200 01bb 0a000001 0000000000000000");
    ck_assert_str_eq(k.type->name, "QuicConnRemoteAddrAdded");
    ck_shows(&k, "Addr", "10.0.0.1:443");
    check_all_taken();
    expect(quic, 5123, 0, 8, "0100000000000000 01000000");
    ck_shows(&k, "State", "QUEUED");
}
END_TEST

/* ---- Versions ---- */

static void check_version(const uint8_t guid[16], unsigned id, unsigned asked, enum schema_match match, unsigned of)
{
    record r = event_record(guid, id, asked, 8);
    tw_type t = { .size = sizeof t, .name = "?" };
    unsigned version = asked;

    ck_assert_int_eq(builtin_find(&r, &memory, &t, &version), match);
    ck_assert_uint_eq(version, of);
    ck_assert(!t.why);
    ck_assert((match != SCHEMA_NONE) == (t.origin != NULL));
}

START_TEST(test_versions)
{
    for (unsigned v = 0; v <= 5; v++) check_version(process, 1, v, SCHEMA_EXACT, v);
    check_version(process, 1, 6, SCHEMA_NEAR, 5); /* the newest that is older */
    check_version(process, 1, 255, SCHEMA_NEAR, 5);
    check_version(process, 1, 0xFFFF, SCHEMA_NEAR, 5);
    check_version(rpc, 1, 0, SCHEMA_NEAR, 1); /* only a newer one is known */
    check_version(rpc, 1, 1, SCHEMA_EXACT, 1);
    check_version(clr, 205, 0, SCHEMA_NEAR, 2); /* the oldest of versions 2, 3, 4 */
    check_version(clr, 205, 3, SCHEMA_EXACT, 3);
    check_version(clr, 205, 9, SCHEMA_NEAR, 4);
    check_version(clr, 999, 0, SCHEMA_NONE, 0);
    check_version(tcpip, 0, 7, SCHEMA_NONE, 7);
    check_version(tcpip, 0xFFFF, 7, SCHEMA_NONE, 7);
    check_version(nobody, 1, 0, SCHEMA_NONE, 0);
}
END_TEST

/* GCPerHeapHistory 2 is written by every version 4.5 of the runtime, and nobody says what is in it. */
START_TEST(test_unknown_layout)
{
    record r = event_record(private, 4, 2, 8);
    tw_type t = { .size = sizeof t, .name = "?" };
    unsigned version = 2;

    ck_assert_int_eq(builtin_find(&r, &memory, &t, &version), SCHEMA_NONE);
    ck_assert_str_eq(t.name, "GCPerHeapHistory");
    ck_assert_ptr_null(t.field);
    ck_assert_ptr_null(t.origin);
    check_version(private, 4, 1, SCHEMA_EXACT, 1);
}
END_TEST

/* A list of fields that is the beginning of another one is not there a second time, and ends where it should. */
START_TEST(test_shared_beginning)
{
    record old = event_record(tcpip, 1074, 0, 8), new = event_record(tcpip, 1074, 1, 8);
    tw_type a = { .size = sizeof a }, b = { .size = sizeof b };
    unsigned version = 0;

    ck_assert_int_eq(builtin_find(&old, &memory, &a, &version), SCHEMA_EXACT);
    version = 1;
    ck_assert_int_eq(builtin_find(&new, &memory, &b, &version), SCHEMA_EXACT);
    ck_assert_uint_eq(a.nfields, 3);
    ck_assert_uint_eq(b.nfields, 4);
    ck_assert_str_eq(a.field[2].name, "SeqNo");
    ck_assert_str_eq(b.field[2].name, "SeqNo");
    ck_assert_str_eq(b.field[3].name, "NumPkt");
}
END_TEST

/* ---- Names ---- */

static const char *keyword(const tw_type *t, uint64_t bit)
{
    for (uint32_t i = 0; t->keywords && i < t->keywords->n; i++)
        if (t->keywords->name[i].value == bit) return t->keywords->name[i].name;
    return "(none)";
}

static tw_type named(const uint8_t guid[16], unsigned id, unsigned task, unsigned opcode, unsigned level)
{
    record r = event_record(guid, id, 0, 8);
    unsigned version = 0;
    tw_type t = { .size = sizeof t, .provider = "?", .name = "?" };

    t.task = (uint16_t)task;
    t.opcode = (uint8_t)opcode;
    t.level = (uint8_t)level;
    builtin_find(&r, &memory, &t, &version);
    return t;
}

START_TEST(test_names)
{
    tw_type t = named(http, 1, 1, 11, 4);

    ck_assert_str_eq(t.provider, "Microsoft-Windows-HttpService");
    ck_assert_str_eq(t.task_name, "HTTPRequestTraceTask");
    ck_assert_str_eq(t.opcode_name, "RecvReq");
    ck_assert_str_eq(t.level_name, "Information");

    t = named(tcpip, 1033, 1033, 0, 4);
    ck_assert_str_eq(t.task_name, "TcpConnectTcbComplete");
    ck_assert_str_eq(t.opcode_name, "Info");
    ck_assert_str_eq(keyword(&t, 0x80), "ut:TcpipDiagnosis");
    ck_assert_str_eq(keyword(&t, 0x400000000), "ut:ConnectPath");
    ck_assert_uint_eq(t.keywords->flags, TW_BITS);

    /* One number, another meaning in each task. */
    t = named(clr, 10, 1, 11, 5);
    ck_assert_str_eq(t.name, "GCAllocationTick");
    ck_assert_str_eq(t.opcode_name, "GCAllocationTick");
    ck_assert_str_eq(t.task_name, "GarbageCollection");
    ck_assert_str_eq(t.level_name, "Verbose");
    ck_assert_str_eq(keyword(&t, 0x8000), "Exception");
    t = named(clr, 70, 30, 11, 4);
    ck_assert_str_eq(t.opcode_name, "Creating");

    t = named(clr, 1, 1, 1, 1);
    ck_assert_str_eq(t.name, "GCStart");
    ck_assert_str_eq(t.opcode_name, "Start");
    ck_assert_str_eq(t.level_name, "Critical");

    /* What the record says counts, also where the table says otherwise or nothing. */
    t = named(http, 1, 1, 2, 0);
    ck_assert_str_eq(t.opcode_name, "Stop");
    ck_assert_str_eq(t.level_name, "LogAlways");
    t = named(http, 60000, 4, 9, 200);
    ck_assert_str_eq(t.name, "?");
    ck_assert_str_eq(t.task_name, "HTTPConnectionTraceTask");
    ck_assert_str_eq(t.opcode_name, "Send");
    ck_assert_ptr_null(t.level_name);
    t = named(http, 60000, 4444, 200, 3);
    ck_assert_ptr_null(t.task_name);
    ck_assert_ptr_null(t.opcode_name);
    ck_assert_str_eq(t.level_name, "Warning");
    t = named(nobody, 1, 1, 1, 1);
    ck_assert_str_eq(t.provider, "?");
    ck_assert_ptr_null(t.keywords);
}
END_TEST

START_TEST(test_provider_names)
{
    static const uint8_t disk[] = GUID(0x3d6fa8d4u, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);

    static const uint8_t registry_provider[] =
        GUID(0x70eb4f03u, 0xc1de, 0x4f73, 0xa0, 0x51, 0x33, 0xd1, 0x3d, 0x54, 0x13, 0xbd);
    tw_type t = named(registry_provider, 1, 1, 1, 4);

    ck_assert_str_eq(t.provider, "Microsoft-Windows-Kernel-Registry"); /* its name is all that is known */
    ck_assert_str_eq(t.name, "?");
    ck_assert_ptr_null(t.origin);
    ck_assert_str_eq(builtin_provider(registry_provider), "Microsoft-Windows-Kernel-Registry");
    ck_assert_str_eq(builtin_provider(tcpip), "Microsoft-Windows-TCPIP");
    ck_assert_str_eq(builtin_provider(disk), "DiskIo");
    ck_assert_ptr_null(builtin_provider(nobody));
}
END_TEST

/* ---- Classic events ---- */

START_TEST(test_classic)
{
    static const uint8_t disk[] = GUID(0x3d6fa8d4u, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);
    record by_group = { .kind = RECORD_KERNEL, .group = 1, .id = 10, .version = 9, .pointer = 4 };
    record by_guid = { .kind = RECORD_CLASSIC, .guid = disk, .id = 10, .version = 3, .pointer = 8 };
    record named_only = { .kind = RECORD_CLASSIC, .guid = tcpip, .id = 10, .pointer = 8 };
    record message = { .kind = RECORD_MESSAGE, .guid = tcpip, .id = 10, .pointer = 8 };
    tw_type t = { .size = sizeof t };
    unsigned version = 9;

    ck_assert_int_eq(builtin_find(&by_group, &memory, &t, &version), SCHEMA_NEAR);
    ck_assert_uint_eq(version, 3);
    ck_assert_str_eq(t.provider, "DiskIo");
    ck_assert_str_eq(t.name, "Read");
    ck_assert_mem_eq(t.guid, disk, 16);

    version = 3;
    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(builtin_find(&by_guid, &memory, &t, &version), SCHEMA_EXACT);
    ck_assert_str_eq(t.name, "Read");
    ck_assert_uint_eq(t.nfields, 9);
    ck_assert_str_eq(t.origin, "built in");

    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(builtin_find(&named_only, &memory, &t, &version), SCHEMA_NONE);
    ck_assert_str_eq(t.provider, "Microsoft-Windows-TCPIP");

    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(builtin_find(&message, &memory, &t, &version), SCHEMA_NONE);
    ck_assert_ptr_null(t.provider);
}
END_TEST

static void add_tests(TCase *c)
{
    tcase_add_test(c, test_counts);
    tcase_add_test(c, test_order);
    tcase_add_test(c, test_each);
    tcase_add_test(c, test_tcpip_connect);
    tcase_add_test(c, test_afd);
    tcase_add_test(c, test_packet_fragment);
    tcase_add_test(c, test_packet_of_switch);
    tcase_add_test(c, test_packet_monitor);
    tcase_add_test(c, test_kernel_network);
    tcase_add_test(c, test_process_start);
    tcase_add_test(c, test_stack);
    tcase_add_test(c, test_bulk_type);
    tcase_add_test(c, test_collector_names);
    tcase_add_test(c, test_http_request);
    tcase_add_test(c, test_quic_address);
    tcase_add_test(c, test_versions);
    tcase_add_test(c, test_unknown_layout);
    tcase_add_test(c, test_shared_beginning);
    tcase_add_test(c, test_names);
    tcase_add_test(c, test_provider_names);
    tcase_add_test(c, test_classic);
}

int main(void)
{
    return kit_run("builtin", add_tests, open_kit, close_kit);
}
