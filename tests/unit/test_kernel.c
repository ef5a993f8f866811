/* test_kernel.c - the kernel tables: what they say, and what payloads become through them.

   Expected values are written out by hand from the bytes; the payloads are those of real and of hand-made events. */
#include "arena.h"
#include "kernel.h"
#include "kernel_tables.h"
#include "type.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static types *registry;
static arena memory;
static uint8_t payload[1024];
static tw_event event;
static const tw_type *type;
static decode how;

static int ten_megahertz(void *context, const tw_event *e, tw_clock *c)
{
    (void)context;
    (void)e;
    *c = (tw_clock){ .ticks = 1000, .time = 5000000, .hz = 10000000 };
    return TW_OK;
}

static void setup(void)
{
    registry = types_new();
    how = (decode){ .memory = &memory, .clock = ten_megahertz };
}

static void teardown(void)
{
    types_free(registry);
    arena_free(&memory);
    memset(&memory, 0, sizeof memory);
}

static uint32_t unhex(const char *hex, uint8_t *out)
{
    uint32_t n = 0;
    unsigned byte;

    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) out[n++] = (uint8_t)byte;
    return n;
}

static uint32_t put_utf16(const char *text, uint8_t *out)
{
    uint32_t n = 0;

    do {
        out[n++] = (uint8_t)*text;
        out[n++] = 0;
    } while (*text++);
    return n;
}

/* Makes `event` one of this class with that payload, then UTF-16 text if given. */
static void make(unsigned group, unsigned opcode, unsigned version, unsigned pointer, const char *hex,
                 const char *wide)
{
    kernel_layout l;
    tw_type t = { .size = sizeof t, .key = "kernel:xx" };
    text why = { 0 };
    uint32_t id;

    kernel_by_group(group, opcode, version, pointer, &l);
    ck_assert(l.known);
    t.provider = l.provider;
    t.name = l.name;
    memcpy(t.guid, l.guid, 16);
    t.number = opcode;
    t.opcode = (uint8_t)opcode;
    t.version = (uint8_t)version;
    t.pointer = (uint8_t)pointer;
    t.field = l.field;
    t.nfields = l.nfields;
    id = types_publish(registry, &t, &why);
    ck_assert_msg(id != 0, "%s", text_of(&why));
    text_free(&why);
    type = types_table(registry)[id];
    memset(&event, 0, sizeof event);
    event.type = id;
    event.bytes = unhex(hex, payload);
    if (wide) event.bytes += put_utf16(wide, payload + event.bytes);
    event.data = payload;
}

static int get(const char *name, tw_value *v)
{
    int field = type_field(type, name);

    ck_assert_msg(field >= 0, "no field %s", name);
    return type_get(type, &event, field, &how, v);
}

static uint64_t number(const char *name)
{
    tw_value v;

    ck_assert_msg(get(name, &v) == TW_OK, "%s has no value", name);
    return v.u;
}

static const char *string(const char *name)
{
    tw_value v;

    ck_assert_msg(get(name, &v) == TW_OK, "%s has no value", name);
    return arena_text(&memory, v.t.at, v.t.bytes);
}

static int missing(const char *name)
{
    tw_value v;

    return get(name, &v) == TW_END;
}

/* S-1-5-18 as bytes. */
static void check_local_system(const char *name)
{
    static const uint8_t sid[] = { 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0 };
    tw_value v;

    ck_assert_int_eq(get(name, &v), TW_OK);
    ck_assert_int_eq(v.kind, TW_SID);
    ck_assert_uint_eq(v.t.bytes, sizeof sid);
    ck_assert_mem_eq(v.t.at, sid, sizeof sid);
}

// ---- What the tables say ------------------------------------------------------------------------------------------

static unsigned kind_size(const tw_field *f, unsigned pointer)
{
    switch (f->kind) {
    case TW_U8:
    case TW_I8: return 1;
    case TW_U16:
    case TW_I16: return 2;
    case TW_U32:
    case TW_I32:
    case TW_F32:
    case TW_BOOL32:
    case TW_IP4: return 4;
    case TW_U64:
    case TW_I64:
    case TW_F64:
    case TW_TICKS:
    case TW_TICK_SPAN:
    case TW_FILETIME: return 8;
    case TW_GUID:
    case TW_IP6:
    case TW_SYSTEMTIME: return 16;
    case TW_POINTER: return pointer;
    case TW_TEXT16: return f->bytes_by == TW_FIXED ? 2 * f->bytes : 0;
    case TW_TEXT8:
    case TW_BYTES: return f->bytes_by == TW_FIXED ? f->bytes : 0;
    default: return 0;
    }
}

START_TEST(fixed_parts)
{
    ck_assert_uint_gt(kernel_row_count, 80);
    for (unsigned i = 0; i < kernel_row_count; i++) {
        const kernel_row *row = &kernel_rows[i];

        for (unsigned small = 0; small < 2; small++) {
            unsigned bytes = 0;

            for (unsigned k = 0; k < row->nfields[small]; k++) {
                const tw_field *f = &row->field[small][k];
                unsigned one = kind_size(f, small ? 4 : 8);

                if (!one || (f->count_by != TW_ONE && f->count_by != TW_FIXED)) break;
                bytes += one * (f->count_by == TW_FIXED ? f->count : 1);
            }
            ck_assert_msg(bytes == row->fixed[small], "%s/%s version %u: %u bytes", kernel_classes[row->class].name,
                          row->name, row->first, bytes);
        }
    }
}
END_TEST

START_TEST(every_row_is_a_type)
{
    text why = { 0 };

    for (unsigned i = 0; i < kernel_row_count; i++) {
        const kernel_row *row = &kernel_rows[i];

        for (unsigned small = 0; small < 2; small++) {
            tw_type t = { .size = sizeof t, .provider = "x", .name = row->name, .pointer = small ? 4 : 8 };

            t.field = row->field[small];
            t.nfields = row->nfields[small];
            ck_assert_msg(types_publish(registry, &t, &why) != 0, "%s: %s", row->name, text_of(&why));
        }
    }
    text_free(&why);
}
END_TEST

START_TEST(groups)
{
    static const uint8_t disk[16] = { 0xd4, 0xa8, 0x6f, 0x3d, 0x05, 0xfe, 0xd0, 0x11,
                                      0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c };
    static const uint8_t none[16];
    kernel_layout l, m;

    ck_assert_str_eq(kernel_group_name(0x00), "EventTrace");
    ck_assert_str_eq(kernel_group_name(0x01), "DiskIo");
    ck_assert_str_eq(kernel_group_name(0x0F), "PerfInfo");
    ck_assert_str_eq(kernel_group_name(0x1E), "HypervisorX");
    ck_assert_ptr_null(kernel_group_name(0x1F));
    ck_assert_ptr_null(kernel_group_name(0xFF));
    ck_assert_ptr_null(kernel_group_name(0xFFFF));
    ck_assert_mem_eq(kernel_group_guid(0x01), disk, 16);
    ck_assert_mem_eq(kernel_group_guid(0x1F), none, 16);

    kernel_by_guid(disk, 10, 3, 8, &l);
    ck_assert_str_eq(l.provider, "DiskIo");
    ck_assert_str_eq(l.name, "Read");
    kernel_by_group(1, 10, 3, 8, &m);
    ck_assert_ptr_eq(l.field, m.field);
    kernel_by_guid(none, 10, 3, 8, &l);
    ck_assert_ptr_null(l.provider);
    ck_assert_ptr_null(l.guid);
    ck_assert_int_eq(l.known, 0);
}
END_TEST

START_TEST(versions)
{
    kernel_layout l;

    kernel_by_group(1, 10, 3, 8, &l); /* this very version */
    ck_assert_int_eq(l.exact, 1);
    ck_assert_uint_eq(l.nfields, 9);
    kernel_by_group(1, 10, 9, 8, &l); /* newer than all: the highest */
    ck_assert_int_eq(l.exact, 0);
    ck_assert_int_eq(l.known, 1);
    ck_assert_uint_eq(l.nfields, 9);
    kernel_by_group(1, 12, 0, 8, &l); /* older than all: the lowest */
    ck_assert_int_eq(l.exact, 0);
    ck_assert_int_eq(l.known, 1);
    ck_assert_uint_eq(l.nfields, 1);
    kernel_by_group(5, 1, 4, 4, &l); /* inside of a range */
    ck_assert_int_eq(l.exact, 1);
    ck_assert_uint_eq(l.nfields, 15);
    kernel_by_group(5, 2, 1, 8, &l); /* End had its own layout in version 1 */
    ck_assert_uint_eq(l.nfields, 2);
    kernel_by_group(1, 10, 70000, 8, &l); /* a class record's version may exceed a byte */
    ck_assert_int_eq(l.exact, 0);
    ck_assert_uint_eq(l.nfields, 9);
}
END_TEST

START_TEST(names_only)
{
    kernel_layout l;

    kernel_by_group(3, 10, 3, 8, &l); /* the loader logs under the group of Process */
    ck_assert_str_eq(l.provider, "Image");
    ck_assert_str_eq(l.name, "Load");
    ck_assert_mem_eq(l.guid, kernel_group_guid(0x14), 16);
    kernel_by_group(0, 8, 2, 8, &l); /* an event without payload */
    ck_assert_str_eq(l.name, "RDComplete");
    ck_assert(l.known && l.exact && l.nfields == 0);
    kernel_by_group(1, 38, 2, 8, &l); /* a name, but no public layout */
    ck_assert_str_eq(l.name, "AddDeviceCall");
    ck_assert(!l.known && !l.exact && l.nfields == 0);
    kernel_by_group(1, 200, 2, 8, &l); /* an opcode nobody knows */
    ck_assert_str_eq(l.provider, "DiskIo");
    ck_assert_ptr_null(l.name);
    ck_assert(!l.known && !l.exact && l.nfields == 0);
    kernel_by_group(0x1F, 1, 2, 8, &l); /* a group nobody knows */
    ck_assert_ptr_null(l.provider);
    ck_assert_ptr_null(l.guid);
}
END_TEST

// ---- What payloads become -----------------------------------------------------------------------------------------

START_TEST(sample)
{
    make(0x0F, 46, 2, 8, "ac8393b006f8ffff4420000001000000", NULL);
    ck_assert_str_eq(type->provider, "PerfInfo");
    ck_assert_str_eq(type->name, "SampleProf");
    ck_assert_uint_eq(number("InstructionPointer"), 0xFFFFF806B09383ACu);
    ck_assert_uint_eq(number("ThreadId"), 8260);
    ck_assert_uint_eq(number("Count"), 1);
    ck_assert_uint_eq(number("Flags"), 0);

    /* Priority 11 in the flags, rank 2. */
    make(0x0F, 46, 2, 8, "ac8393b006f8ffff4420000000005802", NULL);
    ck_assert_uint_eq(number("Count"), 0);
    ck_assert_uint_eq(number("Flags"), 0x58);
    ck_assert_uint_eq(number("Rank"), 2);

    make(0x0F, 46, 2, 4, "00104080442000000100db07", NULL);
    ck_assert_uint_eq(number("InstructionPointer"), 0x80401000u);
    ck_assert_uint_eq(number("ThreadId"), 8260);
    ck_assert_uint_eq(number("Count"), 1);
    ck_assert_uint_eq(number("Flags"), 0xDB);
    ck_assert_uint_eq(number("Rank"), 7);
}
END_TEST

START_TEST(sample_cut_short)
{
    make(0x0F, 46, 2, 8, "ac8393b006f8ffff44200000010000", NULL);
    ck_assert_uint_eq(number("Count"), 1);
    ck_assert(missing("Rank"));
    event.bytes = 8;
    ck_assert_uint_eq(number("InstructionPointer"), 0xFFFFF806B09383ACu);
    ck_assert(missing("ThreadId"));
    event.bytes = 1;
    ck_assert(missing("InstructionPointer"));
    event.bytes = 0;
    ck_assert(missing("InstructionPointer"));
}
END_TEST

START_TEST(process)
{
    make(3, 1, 4, 8,
         "ddddccccbbbbaaaa92100000010000000200000000000000f0debc9a78563412000000000101000000000005120000006578706c6f7"
         "265722e"
         "65786500",
         "\"C:\\Windows\\explorer.exe\" /factory");
    ck_assert_uint_eq(number("UniqueProcessKey"), 0xAAAABBBBCCCCDDDDu);
    ck_assert_uint_eq(number("ProcessId"), 4242);
    ck_assert_uint_eq(number("ParentId"), 1);
    ck_assert_uint_eq(number("SessionId"), 2);
    ck_assert_uint_eq(number("ExitStatus"), 0);
    ck_assert_uint_eq(number("DirectoryTableBase"), 0x123456789ABCDEF0u);
    ck_assert_uint_eq(number("Flags"), 0);
    check_local_system("UserSID"); /* alone, without the two words that the kernel puts before it */
    ck_assert_str_eq(string("ImageFileName"), "explorer.exe");
    ck_assert_str_eq(string("CommandLine"), "\"C:\\Windows\\explorer.exe\" /factory");

    make(3, 3, 4, 8,
         "ffff8b8ae8fc90c0ec0b000004000000ffffffff00000000000000000000000004000000d04bb2bebdf1ffff0000000000000000010"
         "100000000"
         "000512000000736d73732e65786500",
         "\"C:\\Windows\\System32\\smss.exe\"");
    ck_assert_uint_eq(number("ProcessId"), 3052);
    ck_assert_uint_eq(number("ParentId"), 4);
    ck_assert_uint_eq(number("SessionId"), 0xFFFFFFFFu);
    ck_assert_uint_eq(number("Flags"), 4);
    check_local_system("UserSID");
    ck_assert_str_eq(string("ImageFileName"), "smss.exe");
    ck_assert_str_eq(string("CommandLine"), "\"C:\\Windows\\System32\\smss.exe\"");

    make(3, 3, 4, 8,
         "ddddccccbbbbaaaa92100000010000000200000000000000f0debc9a7856341200000000000000000000000053797374656d0000000"
         "0",
         NULL);
    /* No SID is four zero bytes; then come the name's bytes. */
    ck_assert(missing("UserSID"));
    event.bytes = 16;
    ck_assert_uint_eq(number("ParentId"), 1);
    ck_assert(missing("ExitStatus"));
}
END_TEST

START_TEST(process_32)
{
    make(3, 1, 3, 4,
         "78563412e8030000100000000100000003010000"
         "00f03f02"                                 /* DirectoryTableBase */
         "1122334455667788010100000000000512000000" /* pointer, attributes, S-1-5-18 */
         "6100",
         "a -x");
    ck_assert_uint_eq(number("UniqueProcessKey"), 0x12345678u);
    ck_assert_uint_eq(number("ProcessId"), 1000);
    ck_assert_uint_eq(number("ParentId"), 16);
    ck_assert_uint_eq(number("SessionId"), 1);
    ck_assert_uint_eq(number("ExitStatus"), 259);
    ck_assert_uint_eq(number("DirectoryTableBase"), 0x023FF000u);
    check_local_system("UserSID");
    ck_assert_str_eq(string("ImageFileName"), "a");
    ck_assert_str_eq(string("CommandLine"), "a -x");
}
END_TEST

START_TEST(thread)
{
    make(5, 1, 3, 8,
         "d20400002e160000aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddeeeeeeeeeeeeeeeefefffffffff"
         "fffff4444"
         "333322221111ab000000080302007700"
         "6f0072006b00650072002d007400680072006500610064000000",
         NULL);
    ck_assert_uint_eq(number("ProcessId"), 1234);
    ck_assert_uint_eq(number("TThreadId"), 5678);
    ck_assert_uint_eq(number("StackBase"), 0xAAAAAAAAAAAAAAAAu);
    ck_assert_uint_eq(number("Affinity"), 0xEEEEEEEEEEEEEEEEu);
    ck_assert_uint_eq(number("Win32StartAddr"), 0xFFFFFFFFFFFFFFFEu);
    ck_assert_uint_eq(number("TebBase"), 0x1111222233334444u);
    ck_assert_uint_eq(number("SubProcessTag"), 0xAB);
    ck_assert_uint_eq(number("BasePriority"), 8);
    ck_assert_uint_eq(number("PagePriority"), 3);
    ck_assert_uint_eq(number("IoPriority"), 2);
    ck_assert_uint_eq(number("ThreadFlags"), 0);
    ck_assert_str_eq(string("ThreadName"), "worker-thread");
    event.bytes = 68; /* as the first builds of version 3 wrote it */
    ck_assert_uint_eq(number("SubProcessTag"), 0xAB);
    ck_assert(missing("BasePriority"));
    ck_assert(missing("ThreadName"));
    event.bytes = 8;
    ck_assert_uint_eq(number("TThreadId"), 5678);
    ck_assert(missing("StackBase"));
}
END_TEST

START_TEST(thread_32)
{
    make(5, 3, 3, 4,
         "e8030000ec03000000a0418000704180000023000000220003000000001040000000fd7f070000000a0502017a0000007800",
         NULL);
    ck_assert_uint_eq(number("StackBase"), 0x8041A000u);
    ck_assert_uint_eq(number("StackLimit"), 0x80417000u);
    ck_assert_uint_eq(number("UserStackBase"), 0x00230000u);
    ck_assert_uint_eq(number("UserStackLimit"), 0x00220000u);
    ck_assert_uint_eq(number("Affinity"), 3);
    ck_assert_uint_eq(number("Win32StartAddr"), 0x00401000u);
    ck_assert_uint_eq(number("TebBase"), 0x7FFD0000u);
    ck_assert_uint_eq(number("SubProcessTag"), 7);
    ck_assert_uint_eq(number("BasePriority"), 10);
    ck_assert_uint_eq(number("ThreadFlags"), 1);
    ck_assert_str_eq(string("ThreadName"), "z");
}
END_TEST

START_TEST(switches)
{
    make(5, 36, 5, 8, "3c0d000000000000080001000000023e0000000003b2d64f02000000", NULL);
    ck_assert_uint_eq(number("NewThreadId"), 3388);
    ck_assert_uint_eq(number("OldThreadId"), 0);
    ck_assert_uint_eq(number("NewThreadPriority"), 8);
    ck_assert_uint_eq(number("OldThreadState"), 2);
    ck_assert_uint_eq(number("OldThreadWaitIdealProcessor"), 62);
    ck_assert_uint_eq(number("Extra"), 2);
    event.bytes = 24;
    ck_assert(missing("Extra"));
    make(5, 50, 2, 8, "9210000005010000", NULL);
    ck_assert_uint_eq(number("TThreadId"), 4242);
    ck_assert_uint_eq(number("AdjustReason"), 5);
    ck_assert_uint_eq(number("AdjustIncrement"), 1);
    ck_assert_uint_eq(number("Flag"), 0);
}
END_TEST

START_TEST(trace_header)
{
    make(0, 0, 2, 8,
         "0000010002000100030001005000000021436587d901000064000000ffffffff0101000039300000"
         "01000000080000000000000060090000",
         NULL);
    ck_assert_uint_eq(number("BufferSize"), 65536);
    ck_assert_uint_eq(number("NumberOfProcessors"), 80);
    ck_assert_uint_eq(number("TimerResolution"), 100);
    ck_assert_uint_eq(number("BuffersWritten"), 12345);
    ck_assert_uint_eq(number("PointerSize"), 8);
    ck_assert_uint_eq(number("EventsLost"), 0);
    ck_assert_uint_eq(number("CPUSpeedMHz"), 2400);
    ck_assert(missing("StartTime"));
    event.bytes = 32;
    ck_assert_uint_eq(number("TimerResolution"), 100);
    ck_assert(missing("BuffersWritten"));
}
END_TEST

START_TEST(trace_header_32)
{
    tw_value v;

    make(0, 0, 2, 4, "", NULL);
    memset(payload, 0, 272);
    payload[0xEC + 4] = 0x80; /* BootTime: 1970, as a FILETIME */
    memcpy(payload + 0xEC + 4, "\x00\x80\x3e\xd5\xde\xb1\x9d\x01", 8);
    memcpy(payload + 0xF8, "\x80\x96\x98\x00\x00\x00\x00\x00", 8);  /* 10 MHz */
    memcpy(payload + 0x100, "\x01\x80\x3e\xd5\xde\xb1\x9d\x01", 8); /* 100 ns later */
    payload[0x108] = 1;
    payload[0x10C] = 7;
    event.bytes = 272 + put_utf16("log", payload + 272);
    event.bytes += put_utf16("C:\\log.etl", payload + event.bytes);
    ck_assert_int_eq(get("BootTime", &v), TW_OK);
    ck_assert_int_eq(v.kind, TW_TIME);
    ck_assert_int_eq(v.i, 0);
    ck_assert_int_eq(get("StartTime", &v), TW_OK);
    ck_assert_int_eq(v.i, 100);
    ck_assert_uint_eq(number("PerfFreq"), 10000000);
    ck_assert_uint_eq(number("ReservedFlags"), 1);
    ck_assert_uint_eq(number("BuffersLost"), 7);
    ck_assert_str_eq(string("SessionName"), "log");
    ck_assert_str_eq(string("LogFileName"), "C:\\log.etl");
}
END_TEST

START_TEST(disk)
{
    tw_value v;

    make(1, 10, 3, 8,
         "000000004000000000100000000000000000efbeadde00007856341200c0ffffbbbbaaaa00f8ffff4e61bc000000000000040000",
         NULL);
    ck_assert_uint_eq(number("DiskNumber"), 0);
    ck_assert_uint_eq(number("IrpFlags"), 0x40);
    ck_assert_uint_eq(number("TransferSize"), 4096);
    ck_assert_uint_eq(number("ByteOffset"), 0xDEADBEEF0000u);
    ck_assert_uint_eq(number("FileObject"), 0xFFFFC00012345678u);
    ck_assert_uint_eq(number("Irp"), 0xFFFFF800AAAABBBBu);
    ck_assert_uint_eq(number("IssuingThreadId"), 1024);
    ck_assert_int_eq(get("HighResResponseTime", &v), TW_OK); /* 12,345,678 ticks of 100 ns */
    ck_assert_int_eq(v.kind, TW_SPAN);
    ck_assert_int_eq(v.i, 1234567800);
    event.bytes = 48;
    ck_assert(missing("IssuingThreadId"));
    ck_assert_int_eq(get("HighResResponseTime", &v), TW_OK);
    event.bytes = 16;
    ck_assert(missing("ByteOffset"));

    make(1, 11, 3, 4, "020000004000060000200000000000000010000000000000785634820000aa80e80300000000000008040000",
         NULL);
    ck_assert_uint_eq(number("DiskNumber"), 2);
    ck_assert_uint_eq(number("TransferSize"), 8192);
    ck_assert_uint_eq(number("ByteOffset"), 4096);
    ck_assert_uint_eq(number("FileObject"), 0x82345678u);
    ck_assert_uint_eq(number("Irp"), 0x80AA0000u);
    ck_assert_int_eq(get("HighResResponseTime", &v), TW_OK);
    ck_assert_int_eq(v.i, 100000);
    ck_assert_uint_eq(number("IssuingThreadId"), 1032);
}
END_TEST

START_TEST(image)
{
    make(3, 10, 3, 4,
         "0000400000200100e8030000aabb0000112233440c010000"
         "000040000000000000000000000000000000000061002e0064006c006c000000",
         NULL);
    ck_assert_str_eq(type->provider, "Image");
    ck_assert_uint_eq(number("ImageBase"), 0x400000);
    ck_assert_uint_eq(number("ImageSize"), 0x12000);
    ck_assert_uint_eq(number("ProcessId"), 1000);
    ck_assert_uint_eq(number("SignatureLevel"), 12);
    ck_assert_uint_eq(number("SignatureType"), 1);
    ck_assert_uint_eq(number("DefaultBase"), 0x400000);
    ck_assert_str_eq(string("FileName"), "a.dll");
}
END_TEST

START_TEST(moments)
{
    tw_value v;
    tw_walk w;
    int64_t time[2] = { 0, 0 };
    unsigned n = 0;

    make(0, 82, 2, 8, "0200000000000000f203000000000000e803000000000000", NULL);
    ck_assert_uint_eq(number("TimeStampCount"), 2);
    type_walk(type, &event, &how, &w);
    while (type_next(&w, &v) == TW_OK) {
        if (w.field == type_field(type, "TimeStamp") && v.kind == TW_TIME && n < 2) time[n++] = v.i;
    }
    ck_assert_uint_eq(n, 2); /* tick 1000 is 5 ms, and a tick 100 ns */
    ck_assert_int_eq(time[0], 5001000);
    ck_assert_int_eq(time[1], 5000000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kernel");
    TCase *c = tcase_create("tables");
    SRunner *r;
    int failed;

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, fixed_parts);
    tcase_add_test(c, every_row_is_a_type);
    tcase_add_test(c, groups);
    tcase_add_test(c, versions);
    tcase_add_test(c, names_only);
    tcase_add_test(c, sample);
    tcase_add_test(c, sample_cut_short);
    tcase_add_test(c, process);
    tcase_add_test(c, process_32);
    tcase_add_test(c, thread);
    tcase_add_test(c, thread_32);
    tcase_add_test(c, switches);
    tcase_add_test(c, trace_header);
    tcase_add_test(c, trace_header_32);
    tcase_add_test(c, disk);
    tcase_add_test(c, image);
    tcase_add_test(c, moments);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
