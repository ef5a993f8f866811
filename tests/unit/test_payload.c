/* test_payload.c - payloads as fields: kernel events as they were recorded, the hard cases, and payloads that lie. */
#include "payload_kit.h"

static kit k;

static void open_kit(void)
{
    kit_open(&k);
}

static void close_kit(void)
{
    kit_close(&k);
}

/* ---- Kernel events ------------------------------------------------------ */

static const tw_field cswitch[] = {
    FIELD("NewThreadId", TW_U32),
    FIELD("OldThreadId", TW_U32),
    FIELD("NewThreadPriority", TW_I8),
    FIELD("OldThreadPriority", TW_I8),
    FIELD("PreviousCState", TW_U8),
    FIELD("SpareByte", TW_I8),
    FIELD("OldThreadWaitReason", TW_I8),
    FIELD("OldThreadWaitMode", TW_I8),
    FIELD("OldThreadState", TW_I8),
    FIELD("OldThreadWaitIdealProcessor", TW_I8),
    FIELD("NewThreadWaitTime", TW_U32),
    FIELD("Reserved", TW_U32),
    FIELD("Extra", TW_U32, .count_by = TW_IF_LEFT),
};

START_TEST(context_switches)
{
    kit_type(&k, cswitch, COUNT_OF(cswitch), 8);
    kit_hex(&k, "3c0d000000000000080001000000023e0000000003b2d64f02000000");
    ck_assert_uint_eq(kit_number(&k, "NewThreadId"), 3388);
    ck_assert_uint_eq(kit_number(&k, "OldThreadId"), 0);
    ck_assert_uint_eq(kit_number(&k, "NewThreadPriority"), 8);
    ck_assert_uint_eq(kit_number(&k, "OldThreadPriority"), 0);
    ck_assert_uint_eq(kit_number(&k, "OldThreadWaitReason"), 0);
    ck_assert_uint_eq(kit_number(&k, "OldThreadWaitMode"), 0);
    ck_assert_uint_eq(kit_number(&k, "OldThreadState"), 2);
    ck_assert_uint_eq(kit_number(&k, "OldThreadWaitIdealProcessor"), 62);
    ck_assert_uint_eq(kit_number(&k, "Extra"), 2);
    ck_assert_str_eq(kit_text(&k), "NewThreadId=3388 OldThreadId=0 NewThreadPriority=8 OldThreadPriority=0 "
                                   "PreviousCState=1 SpareByte=0 OldThreadWaitReason=0 OldThreadWaitMode=0 "
                                   "OldThreadState=2 OldThreadWaitIdealProcessor=62 NewThreadWaitTime=0 "
                                   "Reserved=1339470339 Extra=2");

    kit_hex(&k, "000000003c0d0000000800000000054baf1d9f01ee0a000008000000");
    ck_assert_uint_eq(kit_number(&k, "NewThreadId"), 0);
    ck_assert_uint_eq(kit_number(&k, "OldThreadId"), 3388);
    ck_assert_uint_eq(kit_number(&k, "OldThreadPriority"), 8);
    ck_assert_uint_eq(kit_number(&k, "OldThreadState"), 5);
    ck_assert_uint_eq(kit_number(&k, "NewThreadWaitTime"), 0x019f1daf);
    ck_assert_uint_eq(kit_number(&k, "Extra"), 8);
}
END_TEST

START_TEST(what_is_optional_may_be_missing)
{
    tw_walk w;
    tw_value v;
    int n = 0;

    kit_type(&k, cswitch, COUNT_OF(cswitch), 8);
    kit_hex(&k, "3c0d000000000000080001000000023e0000000003b2d64f");
    ck_shows(&k, "Extra", "(none)");
    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK) n++;
    ck_assert_int_eq(n, 12);
    ck_assert_uint_eq(w.faults, 0);
    ck_assert_uint_eq(w.left, 0);
    kit_hex(&k, "3c0d000000000000080001000000023e0000000003b2d6"); /* 23 bytes */
    ck_shows(&k, "NewThreadWaitTime", "0");
    ck_shows(&k, "Reserved", "(none)");
    ck_shows(&k, "Extra", "(none)");
    type_walk(k.type, &k.event, &k.how, &w);
    for (n = 0; type_next(&w, &v) == TW_OK; n++) {}
    ck_assert_int_eq(n, 11);
    ck_assert_uint_eq(w.faults, 1);
    ck_assert_uint_eq(w.left, 3);
    kit_hex(&k, "");
    ck_shows(&k, "NewThreadId", "(none)");
    ck_assert_str_eq(kit_text(&k), "[cut short]");
}
END_TEST

START_TEST(samples_and_interrupts)
{
    const tw_field sample[] = { FIELD("InstructionPointer", TW_POINTER), FIELD("ThreadId", TW_U32),
                                FIELD("Count", TW_U16), FIELD("Flags", TW_U8), FIELD("Rank", TW_U8) };
    kit_type(&k, sample, COUNT_OF(sample), 8);
    kit_hex(&k, "ac8393b006f8ffff4420000001000000");
    ck_assert_uint_eq(kit_number(&k, "InstructionPointer"), UINT64_C(0xFFFFF806B09383AC));
    ck_shows(&k, "InstructionPointer", "0xfffff806b09383ac");
    ck_assert_uint_eq(kit_number(&k, "ThreadId"), 8260);
    ck_assert_uint_eq(kit_number(&k, "Count"), 1);

    const tw_field dpc[] = { FIELD("InitialTime", TW_TICKS), FIELD("Routine", TW_POINTER, .show = TW_SHOW_CODE) };
    kit_type(&k, dpc, COUNT_OF(dpc), 8);
    kit_hex(&k, "88776655443322117856341200f8ffff");
    ck_assert_uint_eq(kit_number(&k, "InitialTime"), UINT64_C(0x1122334455667788));
    ck_assert_uint_eq(kit_number(&k, "Routine"), UINT64_C(0xFFFFF80012345678));
    kit_hex(&k, "0000000000000000");
    ck_shows(&k, "Routine", "(none)");
}
END_TEST

/* Process/Start of version 4; `pointer` decides two fields and the user's SID. */
static const tw_field process[] = {
    FIELD("UniqueProcessKey", TW_POINTER),
    FIELD("ProcessId", TW_U32),
    FIELD("ParentId", TW_U32),
    FIELD("SessionId", TW_U32),
    FIELD("ExitStatus", TW_I32),
    FIELD("DirectoryTableBase", TW_POINTER),
    FIELD("Flags", TW_U32),
    FIELD("UserSID", TW_TOKENSID),
    FIELD("ImageFileName", TW_TEXT8),
    FIELD("CommandLine", TW_TEXT16),
    FIELD("PackageFullName", TW_TEXT16),
    FIELD("ApplicationId", TW_TEXT16),
};

START_TEST(a_process_with_its_sid_alone)
{
    kit_type(&k, process, COUNT_OF(process), 8);
    kit_hex_text16(&k,
                   "ddddccccbbbbaaaa92100000010000000200000000000000f0debc9a7856341200000000"
                   "010100000000000512000000 6578706c6f7265722e65786500",
                   "\"C:\\Windows\\explorer.exe\" /factory");
    ck_shows(&k, "UniqueProcessKey", "0xaaaabbbbccccdddd");
    ck_assert_uint_eq(kit_number(&k, "ProcessId"), 4242);
    ck_assert_uint_eq(kit_number(&k, "ParentId"), 1);
    ck_assert_uint_eq(kit_number(&k, "SessionId"), 2);
    ck_assert_uint_eq(kit_number(&k, "ExitStatus"), 0);
    ck_shows(&k, "UserSID", "S-1-5-18");
    ck_shows(&k, "ImageFileName", "explorer.exe");
    ck_shows(&k, "CommandLine", "\"C:\\Windows\\explorer.exe\" /factory");
    ck_shows(&k, "ApplicationId", "(none)");
}
END_TEST

START_TEST(a_process_with_its_sid_behind_pointers)
{
    kit_type(&k, process, COUNT_OF(process), 8);
    kit_hex_text16(&k,
                   "ffff8b8ae8fc90c0ec0b000004000000ffffffff000000000000000000000000 04000000"
                   "d04bb2bebdf1ffff 0000000000000000 010100000000000512000000 736d73732e65786500",
                   "\"C:\\Windows\\System32\\smss.exe\"");
    ck_assert_uint_eq(kit_number(&k, "ProcessId"), 3052);
    ck_assert_uint_eq(kit_number(&k, "ParentId"), 4);
    ck_assert_uint_eq(kit_number(&k, "Flags"), 4);
    ck_shows(&k, "UserSID", "S-1-5-18");
    ck_shows(&k, "ImageFileName", "smss.exe");
    ck_shows(&k, "CommandLine", "\"C:\\Windows\\System32\\smss.exe\"");
    ck_assert_str_eq(kit_text(&k),
                     "UniqueProcessKey=0xc090fce88a8bffff ProcessId=3052 ParentId=4 SessionId=4294967295 "
                     "ExitStatus=0 DirectoryTableBase=0x0 Flags=4 UserSID=S-1-5-18 "
                     "ImageFileName=\"smss.exe\" CommandLine=\"\\\"C:\\\\Windows\\\\System32\\\\smss.exe\\\"\" "
                     "[cut short]");
}
END_TEST

START_TEST(a_sid_behind_pointers_that_are_zero)
{
    kit_type(&k, process, COUNT_OF(process), 8);
    kit_hex(&k, "ffff8b8ae8fc90c0ec0b000004000000ffffffff000000000000000000000000 04000000"
                "0000000000000000 0000000000000000 010100000000000512000000 736d7300 0000 0000 0000");
    ck_shows(&k, "UserSID", "S-1-5-18");
    ck_shows(&k, "ImageFileName", "sms");
    ck_shows(&k, "CommandLine", "");
    ck_shows(&k, "ApplicationId", "");
}
END_TEST

START_TEST(a_sid_behind_pointers_of_4_bytes)
{
    kit_type(&k, process, COUNT_OF(process), 4);
    kit_hex(&k, "00c08b8a ec0b0000 04000000 01000000 00000000 00a00f00 02000000"
                "d04bb2be 00000000 0105000000000005 15000000 01000000 02000000 03000000 e8030000"
                "6e6f746500 6e00 0000 0000 0000");
    ck_shows(&k, "UserSID", "S-1-5-21-1-2-3-1000");
    ck_shows(&k, "ImageFileName", "note");
    ck_shows(&k, "CommandLine", "n");
    ck_shows(&k, "PackageFullName", "");
}
END_TEST

START_TEST(a_process_without_a_sid)
{
    kit_type(&k, process, COUNT_OF(process), 8);
    kit_hex(&k, "ddddccccbbbbaaaa92100000010000000200000000000000f0debc9a78563412 00000000 00000000"
                "53797374656d00 0000 0000 0000");
    ck_shows(&k, "UserSID", "(none)");
    ck_shows(&k, "ImageFileName", "System");
    ck_shows(&k, "CommandLine", "");
    tw_walk w;
    tw_value v;
    int n = 0;
    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK) n++;
    ck_assert_int_eq(n, 11);
    ck_assert_uint_eq(w.faults, 0);
    /* A pointer, and then nothing that could be a SID: four bytes, and it is counted. */
    kit_hex(&k,
            "ddddccccbbbbaaaa92100000010000000200000000000000f0debc9a78563412 00000000 d04bb2be 4100 0000 0000 0000");
    ck_shows(&k, "UserSID", "(none)");
    ck_shows(&k, "ImageFileName", "A");
    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK) {}
    ck_assert_uint_eq(w.faults, 1);
    kit_hex(&k, "00000000000000000000000000000000");
    ck_shows(&k, "UserSID", "(none)");
    ck_shows(&k, "ImageFileName", "(none)");
}
END_TEST

START_TEST(threads_with_a_name)
{
    const tw_field thread[] = {
        FIELD("ProcessId", TW_U32),
        FIELD("TThreadId", TW_U32),
        FIELD("StackBase", TW_POINTER),
        FIELD("StackLimit", TW_POINTER),
        FIELD("UserStackBase", TW_POINTER),
        FIELD("UserStackLimit", TW_POINTER),
        FIELD("Affinity", TW_POINTER),
        FIELD("Win32StartAddr", TW_POINTER),
        FIELD("TebBase", TW_POINTER),
        FIELD("SubProcessTag", TW_U32),
        FIELD("BasePriority", TW_U8, .count_by = TW_IF_LEFT),
        FIELD("PagePriority", TW_U8, .count_by = TW_IF_LEFT),
        FIELD("IoPriority", TW_U8, .count_by = TW_IF_LEFT),
        FIELD("ThreadFlags", TW_U8, .count_by = TW_IF_LEFT),
        FIELD("ThreadName", TW_TEXT16, .count_by = TW_IF_LEFT),
    };
    kit_type(&k, thread, COUNT_OF(thread), 8);
    kit_hex(&k,
            "d20400002e160000aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddeeeeeeeeeeeeeeeefeffff"
            "ffffffffff4444333322221111ab0000000803020077006f0072006b00650072002d00740068007200650061006400"
            "0000");
    ck_assert_uint_eq(kit_number(&k, "ProcessId"), 1234);
    ck_assert_uint_eq(kit_number(&k, "TThreadId"), 5678);
    ck_assert_uint_eq(kit_number(&k, "StackBase"), UINT64_C(0xAAAAAAAAAAAAAAAA));
    ck_assert_uint_eq(kit_number(&k, "Win32StartAddr"), UINT64_C(0xFFFFFFFFFFFFFFFE));
    ck_assert_uint_eq(kit_number(&k, "TebBase"), UINT64_C(0x1111222233334444));
    ck_assert_uint_eq(kit_number(&k, "SubProcessTag"), 0xAB);
    ck_assert_uint_eq(kit_number(&k, "BasePriority"), 8);
    ck_assert_uint_eq(kit_number(&k, "PagePriority"), 3);
    ck_assert_uint_eq(kit_number(&k, "IoPriority"), 2);
    ck_shows(&k, "ThreadName", "worker-thread");
    kit_hex(&k, "0000000000000000");
    ck_assert_uint_eq(kit_number(&k, "TThreadId"), 0);
    ck_shows(&k, "StackBase", "(none)");
    ck_shows(&k, "ThreadName", "(none)");
}
END_TEST

static int clock_of_16(void *context, const tw_event *e, tw_clock *c)
{
    (void)e;
    *c = *(tw_clock *)context;
    return TW_OK;
}

START_TEST(disk_reads)
{
    const tw_field disk[] = {
        FIELD("DiskNumber", TW_U32),      FIELD("IrpFlags", TW_U32, .show = TW_SHOW_HEX),
        FIELD("TransferSize", TW_U32),    FIELD("Reserved", TW_U32),
        FIELD("ByteOffset", TW_U64),      FIELD("FileObject", TW_POINTER),
        FIELD("Irp", TW_POINTER),         FIELD("HighResResponseTime", TW_TICK_SPAN),
        FIELD("IssuingThreadId", TW_U32),
    };
    tw_clock clock = { .hz = 10000000 };
    kit_type(&k, disk, COUNT_OF(disk), 8);
    kit_hex(
        &k,
        "000000004000000000100000000000000000efbeadde00007856341200c0ffffbbbbaaaa00f8ffff4e61bc000000000000040000");
    ck_assert_uint_eq(kit_number(&k, "DiskNumber"), 0);
    ck_shows(&k, "IrpFlags", "0x40");
    ck_assert_uint_eq(kit_number(&k, "TransferSize"), 4096);
    ck_assert_uint_eq(kit_number(&k, "ByteOffset"), UINT64_C(0xDEADBEEF0000));
    ck_assert_uint_eq(kit_number(&k, "HighResResponseTime"), 12345678);
    ck_assert_uint_eq(kit_number(&k, "IssuingThreadId"), 1024);
    k.how.clock = clock_of_16;
    k.how.context = &clock;
    ck_shows(&k, "HighResResponseTime", "1.2345678s");
    kit_hex(&k, "000000004000000000200000000000000000efbeadde00007856341200c0ffffbbbbaaaa00f8ffff4e61bc0000000000");
    ck_assert_uint_eq(kit_number(&k, "TransferSize"), 8192);
    ck_shows(&k, "IssuingThreadId", "(none)");
    kit_hex(&k, "00000000400000000020000000000000");
    ck_shows(&k, "ByteOffset", "(none)");
}
END_TEST

/* ---- The hard cases ----------------------------------------------------- */

#define ck_walks(expected, expected_faults, expected_left) ck_kit_walks(&k, expected, expected_faults, expected_left)

static const tw_field structs[] = {
    FIELD("Points", TW_STRUCT, .members = 3, .count_by = TW_PREFIX2),
    FIELD("X", TW_U16, .parent = 1, .depth = 1),
    FIELD("Name", TW_TEXT16, .parent = 1, .depth = 1, .bytes_by = TW_PREFIX2),
    FIELD("Tags", TW_U8, .parent = 1, .depth = 1, .count_by = TW_PREFIX2),
    FIELD("Done", TW_BOOL32),
};

START_TEST(arrays_of_structs)
{
    kit_type(&k, structs, COUNT_OF(structs), 8);
    kit_hex(&k, "0200"
                "0100 0400 61006200 0200 0708"
                "0200 0000 0000"
                "01000000");
    ck_walks("Points[0]@0= X[0]@1=1 Name[0]@1=ab Tags[0]@1=7 Tags[1]@1=8 Points[1]@0= X[0]@1=2 Name[0]@1= "
             "Done[0]@0=true",
             0, 0);
    ck_assert_str_eq(kit_text(&k), "Points=[{X=1 Name=\"ab\" Tags=[7, 8]}, {X=2 Name=\"\"}] Done=true");
    ck_shows(&k, "Done", "true");
    ck_shows(&k, "Points", "(none)");
    ck_shows(&k, "Points.X", "(none)");
    kit_hex(&k, "0000 00000000 ff");
    ck_walks("Done[0]@0=false", 0, 1);
    ck_assert_str_eq(kit_text(&k), "Done=false [1 bytes more: 0xff]");
    kit_hex(&k, "0300 0100 0000 0000 0200"); /* says three, and the second has no name */
    ck_walks("Points[0]@0= X[0]@1=1 Name[0]@1= Points[1]@0= X[0]@1=2", 1, 0);
    ck_assert_str_eq(kit_text(&k), "Points=[{X=1 Name=\"\"}, {X=2}] [cut short]");
    ck_shows(&k, "Done", "(none)");
    kit_hex(&k, "03");
    ck_walks("", 1, 1);
}
END_TEST

START_TEST(structs_in_structs)
{
    const tw_field f[] = {
        FIELD("A", TW_STRUCT, .members = 4),
        FIELD("N", TW_U8, .parent = 1, .depth = 1),
        FIELD("B", TW_STRUCT, .members = 2, .parent = 1, .depth = 1, .count_by = TW_FIELD, .count = 1),
        FIELD("C", TW_U8, .parent = 3, .depth = 2),
        FIELD("D", TW_BYTES, .parent = 3, .depth = 2, .bytes_by = TW_FIELD, .bytes = 3),
        FIELD("E", TW_U8),
    };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "03 01 aa 00 02 bbbb 09");
    ck_walks("A[0]@0= N[0]@1=3 B[0]@1= C[0]@2=1 D[0]@2=aa B[1]@1= C[0]@2=0 D[0]@2= B[2]@1= C[0]@2=2 D[0]@2=bbbb "
             "E[0]@0=9",
             0, 0);
    ck_assert_str_eq(kit_text(&k), "A={N=3 B=[{C=1 D=0xaa}, {C=0 D=0x}, {C=2 D=0xbbbb}]} E=9");
    ck_shows(&k, "A.N", "3");
    ck_shows(&k, "A.B.C", "(none)");
    ck_shows(&k, "E", "9");
}
END_TEST

START_TEST(lengths_by_field_and_names)
{
    const tw_name states[] = { { 0, "Closed" }, { 5, "Established" } };
    const tw_names named = { .size = sizeof named, .n = 2, .name = states };
    const tw_field tcp[] = {
        FIELD("Tcb", TW_POINTER),
        FIELD("LocalAddressLength", TW_U32),
        FIELD("LocalAddress", TW_SOCKADDR, .bytes_by = TW_FIELD, .bytes = 1),
        FIELD("RemoteAddressLength", TW_U32),
        FIELD("RemoteAddress", TW_SOCKADDR, .bytes_by = TW_FIELD, .bytes = 3),
        FIELD("NewState", TW_U32, .names = &named),
        FIELD("RexmitCount", TW_U32),
    };
    kit_type(&k, tcp, COUNT_OF(tcp), 8);
    kit_hex(&k, "3412000000000000 1c000000 1700 3039 00000000 20010db8000000000000000000000001 00000000"
                "1c000000 1700 01bb 00000000 20010db8000000000000000000000002 00000000 05000000 07000000");
    ck_assert_str_eq(kit_text(&k), "Tcb=0x1234 LocalAddressLength=28 LocalAddress=[2001:db8::1]:12345 "
                                   "RemoteAddressLength=28 RemoteAddress=[2001:db8::2]:443 NewState=Established "
                                   "RexmitCount=7");
    ck_shows(&k, "LocalAddress", "[2001:db8::1]:12345");
    ck_shows(&k, "RemoteAddress", "[2001:db8::2]:443");
    ck_shows(&k, "NewState", "Established");
    kit_hex(&k, "3412000000000000 00000000 10000000 020001bb0a0000010000000000000000 01000000 07000000");
    ck_shows(&k, "LocalAddress", "(none)");
    ck_shows(&k, "RemoteAddress", "10.0.0.1:443");
    ck_shows(&k, "NewState", "1");
    ck_assert_uint_eq(kit_number(&k, "RexmitCount"), 7);
    kit_hex(&k, "3412000000000000 ffffffff 0200");
    ck_shows(&k, "LocalAddress", "(none)");
    ck_shows(&k, "RexmitCount", "(none)");
}
END_TEST

START_TEST(text_whose_length_an_earlier_field_says)
{
    const tw_field f[] = {
        FIELD("First", TW_TEXT),
        FIELD("Characters", TW_I16),
        FIELD("Wide", TW_TEXT16, .bytes_by = TW_FIELD, .bytes = 1), /* in characters */
        FIELD("Narrow", TW_TEXT8, .bytes_by = TW_FIELD, .bytes = 1),
        FIELD("Last", TW_U8),
    };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "7800 0300 610062000000 6300ff 2a");
    ck_shows(&k, "Wide", "ab");
    ck_shows(&k, "Narrow", "c");
    ck_shows(&k, "Last", "42");
    kit_hex(&k, "7800 ffff 610062000000"); /* a negative length fits nowhere: what is there, and no more */
    ck_walks("First[0]@0=x Characters[0]@0=-1 Wide[0]@0=ab", 1, 0);
    ck_shows(&k, "Wide", "ab");
    ck_shows(&k, "Narrow", "(none)");
}
END_TEST

START_TEST(pointers_to_the_end)
{
    const tw_field stack[] = { FIELD("EventTimeStamp", TW_TICKS), FIELD("StackProcess", TW_U32),
                               FIELD("StackThread", TW_U32), FIELD("Stack", TW_POINTER, .count_by = TW_REST) };
    kit_type(&k, stack, COUNT_OF(stack), 8);
    kit_hex(&k, "f29789b7dd0300004420000044200000ac8393b006f8ffff09e365b006f8ffff9b2d50b006f8ffff");
    ck_assert_str_eq(kit_text(&k), "EventTimeStamp=4250801903602 StackProcess=8260 StackThread=8260 "
                                   "Stack=[0xfffff806b09383ac, 0xfffff806b065e309, 0xfffff806b0502d9b]");
    kit_hex(&k, "39300000000000000100000002000000 0102");
    ck_walks("EventTimeStamp[0]@0=12345 StackProcess[0]@0=1 StackThread[0]@0=2", 0, 2);
    kit_type(&k, stack, COUNT_OF(stack), 4);
    kit_hex(&k, "39300000000000000100000002000000 04030201 08070605");
    ck_walks("EventTimeStamp[0]@0=12345 StackProcess[0]@0=1 StackThread[0]@0=2 Stack[0]@0=0x1020304 "
             "Stack[1]@0=0x5060708",
             0, 0);
}
END_TEST

/* ---- Extents ------------------------------------------------------------ */

START_TEST(lengths_before_the_bytes)
{
    const tw_field f[] = {
        FIELD("a", TW_TEXT, .bytes_by = TW_PREFIX1),  FIELD("b", TW_TEXT8, .bytes_by = TW_PREFIX2),
        FIELD("c", TW_BYTES, .bytes_by = TW_PREFIX4), FIELD("d", TW_TEXT16, .bytes_by = TW_PREFIX2BE),
        FIELD("e", TW_TEXT, .count_by = TW_PREFIX1),  FIELD("f", TW_U16, .count_by = TW_PREFIX2BE),
        FIELD("g", TW_TEXT16, .bytes_by = TW_REST),
    };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "0178 0300 c3a900 02000000 0102 0004 61000000 02 780000 0001 0300 7a0079000000");
    ck_walks("a[0]@0=x b[0]@0=Ã© c[0]@0=0102 d[0]@0=a e[0]@0=x e[1]@0= f[0]@0=3 g[0]@0=zy", 0, 0);
    ck_shows(&k, "d", "a");
    ck_shows(&k, "e", "(none)");
    ck_shows(&k, "g", "zy");
    kit_hex(&k, "0178 ffff 6162");
    ck_walks("a[0]@0=x b[0]@0=ab", 1, 0);
    kit_hex(&k, "0178 03");
    ck_walks("a[0]@0=x", 1, 1);
    kit_hex(&k, "0178 0300 616263 ffffffff");
    ck_walks("a[0]@0=x b[0]@0=abc", 1, 4);
    ck_shows(&k, "c", "(none)");
}
END_TEST

START_TEST(text_and_its_end)
{
    const tw_field f[] = { FIELD("a", TW_TEXT8), FIELD("b", TW_TEXT16), FIELD("c", TW_TEXT) };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "6100 620000 00 63");
    ck_walks("a[0]@0=a b[0]@0=b c[0]@0=c", 0, 0);
    kit_hex(&k, "6100 6200");
    ck_walks("a[0]@0=a b[0]@0=b", 1, 0); /* the end ends b; c is not there */
    kit_hex(&k, "6100 620063");
    ck_walks("a[0]@0=a b[0]@0=b", 1, 0); /* half a character */
    const tw_field fixed[] = { FIELD("a", TW_TEXT8, .bytes_by = TW_FIXED, .bytes = 4),
                               FIELD("b", TW_TEXT16, .bytes_by = TW_FIXED, .bytes = 2), FIELD("c", TW_U8) };
    kit_type(&k, fixed, COUNT_OF(fixed), 8);
    kit_hex(&k, "61620063 64006500 07");
    ck_walks("a[0]@0=ab b[0]@0=de c[0]@0=7", 0, 0);
    ck_shows(&k, "a", "ab");
    ck_shows(&k, "b", "de");
    ck_shows(&k, "c", "7");
    kit_hex(&k, "61620063 640065");
    ck_walks("a[0]@0=ab b[0]@0=d", 1, 0);
    ck_shows(&k, "b", "d");
    ck_shows(&k, "c", "(none)");
}
END_TEST

START_TEST(text_in_every_encoding)
{
    const tw_field f[] = { FIELD("a", TW_TEXT8), FIELD("b", TW_TEXT16), FIELD("c", TW_TEXT) };
    tw_value v;
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "80 e9 9f 81 00"
                "e900 ac20 3dd800de 00d8 4100 00dc 0000" /* a pair, then two halves of pairs */
                "c3a9 e282ac f09f9880 ff eda080 c0af 00");
    ck_shows(&k, "a", "€éŸ\xC2\x81");
    ck_shows(&k, "b",
             "é€😀\xEF\xBF\xBD"
             "A\xEF\xBF\xBD");
    ck_shows(&k, "c", "é€😀\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    kit_hex(&k, "6100 6200 0000 c3a900");
    ck_assert_int_eq(kit_get(&k, "a", &v), TW_OK); /* what needs no change lies where it lay */
    ck_assert_ptr_eq(v.t.at, k.event.data);
    ck_assert_int_eq(kit_get(&k, "c", &v), TW_OK);
    ck_assert_ptr_eq(v.t.at, k.event.data + 6);
    ck_assert_uint_eq(v.kind, TW_TEXT);
}
END_TEST

START_TEST(numbers_of_every_kind)
{
    const tw_field f[] = {
        FIELD("bool", TW_BOOL),
        FIELD("bool32", TW_BOOL32),
        FIELD("i8", TW_I8),
        FIELD("i16", TW_I16),
        FIELD("i32", TW_I32),
        FIELD("i64", TW_I64),
        FIELD("u8", TW_U8),
        FIELD("u16", TW_U16),
        FIELD("u32", TW_U32),
        FIELD("u64", TW_U64),
        FIELD("f32", TW_F32),
        FIELD("f64", TW_F64),
        FIELD("port", TW_U16, .show = TW_SHOW_PORT),
        FIELD("guid", TW_GUID),
        FIELD("ip4", TW_IP4),
        FIELD("ip6", TW_IP6),
        FIELD("p", TW_POINTER),
    };
    tw_value v;
    kit_type(&k, f, COUNT_OF(f), 4);
    kit_hex(
        &k,
        "02 00000100 ff feff fdffffff fcffffffffffffff ff ffff ffffffff ffffffffffffffff 0000c03f 9a9999999999b93f"
        "01bb 10325476 9876 badc 0123 456789abcdef 7f000001 00000000000000000000000000000001 efbeadde");
    ck_walks(
        "bool[0]@0=true bool32[0]@0=true i8[0]@0=-1 i16[0]@0=-2 i32[0]@0=-3 i64[0]@0=-4 u8[0]@0=255 u16[0]@0=65535 "
        "u32[0]@0=4294967295 u64[0]@0=18446744073709551615 f32[0]@0=1.5 f64[0]@0=0.1 port[0]@0=443 "
        "guid[0]@0=76543210-7698-dcba-0123-456789abcdef ip4[0]@0=127.0.0.1 ip6[0]@0=::1 p[0]@0=0xdeadbeef",
        0, 0);
    ck_assert_int_eq(kit_get(&k, "bool", &v), TW_OK);
    ck_assert_uint_eq(v.u, 1);
    ck_assert_int_eq(kit_get(&k, "bool32", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_BOOL);
    ck_assert_int_eq(kit_get(&k, "i8", &v), TW_OK);
    ck_assert_int_eq(v.i, -1);
    ck_assert_int_eq(kit_get(&k, "f32", &v), TW_OK);
    ck_assert(v.f == 1.5);
    ck_assert_int_eq(kit_get(&k, "port", &v), TW_OK);
    ck_assert_uint_eq(v.u, 443);
    ck_assert_int_eq(kit_get(&k, "p", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_U64);
}
END_TEST

START_TEST(socket_addresses)
{
    const tw_field f[] = { FIELD("a", TW_SOCKADDR), FIELD("b", TW_U8) };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "020001bb0a0000010000000000000000 07");
    ck_walks("a[0]@0=10.0.0.1:443 b[0]@0=7", 0, 0);
    kit_hex(&k, "17001f9000000000 00000000000000000000000000000001 00000000 07");
    ck_walks("a[0]@0=[::1]:8080 b[0]@0=7", 0, 0);
    kit_hex(&k, "020001bb0a0000"); /* too short for its family */
    ck_walks("", 1, 7);
    kit_hex(&k, "0000");
    ck_walks("a[0]@0=0000", 1, 0);
}
END_TEST

START_TEST(sids)
{
    const tw_field f[] = { FIELD("a", TW_SID), FIELD("b", TW_U8) };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "0102000000000005 20000000 20020000 07");
    ck_walks("a[0]@0=S-1-5-32-544 b[0]@0=7", 0, 0);
    kit_hex(&k, "0202000000000005 20000000 20020000 07"); /* of no known revision: not given, and counted */
    ck_walks("b[0]@0=7", 1, 0);
    ck_shows(&k, "a", "(none)");
    kit_hex(&k, "01ff000000000005 20000000");
    ck_walks("", 1, 12);
    kit_hex(&k, "01");
    ck_walks("", 1, 1);
}
END_TEST

/* ---- Time --------------------------------------------------------------- */

START_TEST(filetimes)
{
    const tw_field f[] = { FIELD("t", TW_FILETIME), FIELD("after", TW_U8) };
    tw_value v;
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "0080 3ed5 deb1 9d01 01"); /* 116444736000000000 */
    ck_assert_int_eq(kit_get(&k, "t", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_TIME);
    ck_assert_int_eq(v.i, 0);
    kit_hex(&k, "1580 3ed5 deb1 9d01 01");
    ck_shows(&k, "t", "1970-01-01T00:00:00.000002100Z");
    kit_hex(&k, "0000 0000 0000 0000 01"); /* 1601: no time, but no fault */
    ck_walks("after[0]@0=1", 0, 0);
    kit_hex(&k, "ffff ffff ffff ffff 01");
    ck_walks("after[0]@0=1", 0, 0);
    kit_hex(&k, "ffff ffff ffff ff7f 01");
    ck_walks("after[0]@0=1", 0, 0);
}
END_TEST

START_TEST(systemtimes)
{
    const tw_field f[] = { FIELD("t", TW_SYSTEMTIME), FIELD("after", TW_U8) };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "e807 0200 0400 1d00 1700 3b00 3b00 e703 01"); /* 2024-02-29 23:59:59.999 */
    ck_shows(&k, "t", "2024-02-29T23:59:59.999000000Z");
    kit_hex(&k, "e707 0200 0400 1d00 1700 3b00 3b00 e703 01"); /* 2023 had no such day */
    ck_walks("after[0]@0=1", 0, 0);
    kit_hex(&k, "b207 0100 0400 0100 0000 0000 0000 0000 01");
    ck_shows(&k, "t", "1970-01-01T00:00:00.000000000Z");
    kit_hex(&k, "d007 0c00 0000 1f00 0000 0000 0000 0100 01");
    ck_shows(&k, "t", "2000-12-31T00:00:00.001000000Z");
    kit_hex(&k, "6c07 0300 0000 0100 0000 0000 0000 0000 01"); /* 1900 was no leap year */
    ck_shows(&k, "t", "1900-03-01T00:00:00.000000000Z");
    kit_hex(&k, "0000 0000 0000 0000 0000 0000 0000 0000 01");
    ck_walks("after[0]@0=1", 0, 0);
    kit_hex(&k, "e807 0200 0400 1d00 1800 3b00 3b00 e703 01"); /* 24 o'clock */
    ck_walks("after[0]@0=1", 0, 0);
    kit_hex(&k, "ffff 0100 0000 0100 0000 0000 0000 0000 01"); /* the year 65535 is beyond what ns can say */
    ck_walks("after[0]@0=1", 0, 0);
}
END_TEST

static int no_clock(void *context, const tw_event *e, tw_clock *c)
{
    (void)context;
    (void)e;
    (void)c;
    return TW_END;
}

START_TEST(ticks)
{
    const tw_field f[] = { FIELD("t", TW_TICKS), FIELD("s", TW_TICK_SPAN),
                           FIELD("short", TW_TICKS, .bytes_by = TW_FIXED, .bytes = 4) };
    tw_clock clock = { .ticks = 1000, .time = 5000000000, .hz = 3000000 };
    tw_value v;
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "f203000000000000 0100000000000000 ef030000"); /* 1010, 1, 1007 */
    k.how.clock = clock_of_16;
    k.how.context = &clock;
    ck_assert_int_eq(kit_get(&k, "t", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_TIME);
    ck_assert_int_eq(v.i, 5000003333); /* 10 ticks are 3333.33 ns */
    ck_assert_int_eq(kit_get(&k, "s", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_SPAN);
    ck_assert_int_eq(v.i, 333);
    ck_assert_int_eq(kit_get(&k, "short", &v), TW_OK);
    ck_assert_int_eq(v.i, 5000002333);

    clock.ticks = 1020; /* before the clock's own moment: the difference goes toward zero */
    ck_assert_int_eq(kit_get(&k, "t", &v), TW_OK);
    ck_assert_int_eq(v.i, 5000000000 - 3333);

    clock.ticks = 0; /* a hundred years at 3 GHz would overflow if it were multiplied first */
    clock.hz = 3000000000;
    clock.time = 0;
    kit_hex(&k, "00003c6ee9b75f7e 0100000000000000 ef030000");
    ck_assert_int_eq(kit_get(&k, "t", &v), TW_OK);
    ck_assert_int_eq(v.i, INT64_C(3035399728257040384)); /* a third of them */

    kit_hex(&k, "ffffffffffffff7f ffffffffffffffff 00000000");
    clock.hz = 1; /* beyond what ns can say */
    ck_shows(&k, "t", "(none)");
    ck_shows(&k, "s", "-1s");
    clock.ticks = -1;
    ck_shows(&k, "t", "(none)");
    clock.hz = 0; /* no clock at all: ticks stay ticks */
    ck_assert_int_eq(kit_get(&k, "t", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_TICKS);
    ck_assert_int_eq(v.i, INT64_MAX);
    k.how.clock = no_clock;
    ck_assert_int_eq(kit_get(&k, "s", &v), TW_OK);
    ck_assert_uint_eq(v.kind, TW_TICK_SPAN);
    ck_assert_int_eq(v.i, -1);
}
END_TEST

/* ---- Payloads and tables that mean harm --------------------------------- */

START_TEST(elements_of_no_bytes_end)
{
    const tw_field rest[] = { FIELD("n", TW_U8),
                              FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 0, .count_by = TW_REST) };
    kit_type(&k, rest, COUNT_OF(rest), 8);
    kit_hex(&k, "00 0102");
    ck_walks("n[0]@0=0 a[0]@0=", 0, 2);
    const tw_field hollow[] = { FIELD("s", TW_STRUCT, .members = 1, .count_by = TW_REST),
                                FIELD("a", TW_TEXT, .bytes_by = TW_FIXED, .parent = 1, .depth = 1) };
    kit_type(&k, hollow, COUNT_OF(hollow), 8);
    ck_walks("", 0, 3);
    const tw_field loose[] = { FIELD("n", TW_U8), FIELD("s", TW_STRUCT, .members = 1, .count_by = TW_REST),
                               FIELD("a", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 0, .parent = 2, .depth = 1) };
    kit_type(&k, loose, COUNT_OF(loose), 8);
    ck_walks("n[0]@0=0 s[0]@0= a[0]@1=", 0, 2);
}
END_TEST

START_TEST(values_of_one_walk_are_limited)
{
    tw_field f[9] = { 0 }; /* 65535 structs in each of 65535 structs, and so on, of no bytes */
    for (int i = 0; i < 8; i++) {
        f[i] = (tw_field)FIELD("s", TW_STRUCT, .depth = (uint8_t)i, .parent = (uint16_t)i,
                               .members = (uint16_t)(7 - i), .count_by = TW_FIXED, .count = 65535);
    }
    f[8] = (tw_field)FIELD("last", TW_TEXT);
    tw_walk w;
    tw_value v;
    uint32_t n = 0;
    kit_type(&k, f, 9, 8);
    kit_hex(&k, "6100");
    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK) n++;
    ck_assert_uint_eq(n, TYPE_MAX_CELLS);
    ck_assert_uint_eq(w.faults, 1);
    ck_shows(&k, "last", "a"); /* structs of a known size, none, are jumped over */

    const tw_field many[] = { FIELD("n", TW_U32),
                              FIELD("a", TW_BYTES, .count_by = TW_FIELD, .count = 0, .bytes_by = TW_PREFIX1),
                              FIELD("b", TW_U8) };
    kit_type(&k, many, COUNT_OF(many), 8);
    uint8_t *bytes = mem_new(70005);
    memcpy(bytes, "\x70\x11\x01\x00", 4); /* 70000 */
    kit_bytes(&k, bytes, 70005);
    free(bytes);
    type_walk(k.type, &k.event, &k.how, &w);
    for (n = 0; type_next(&w, &v) == TW_OK; n++) {}
    ck_assert_uint_eq(n, TYPE_MAX_CELLS);
    ck_assert_uint_eq(w.faults, 1);
    ck_shows(&k, "b", "(none)");
}
END_TEST

START_TEST(eight_levels_of_arrays)
{
    tw_field f[10] = { 0 };
    for (int i = 0; i < 8; i++) {
        f[i] = (tw_field)FIELD("s", TW_STRUCT, .depth = (uint8_t)i, .parent = (uint16_t)i,
                               .members = (uint16_t)(8 - i), .count_by = TW_PREFIX1);
    }
    f[8] = (tw_field)FIELD("x", TW_U8, .depth = 8, .parent = 8);
    f[9] = (tw_field)FIELD("y", TW_U8);
    kit_type(&k, f, 10, 8);
    kit_hex(&k, "01 01 01 01 01 01 01 02 0a 0b 0c");
    ck_assert_str_eq(kit_text(&k), "s=[{s=[{s=[{s=[{s=[{s=[{s=[{s=[{x=10}, {x=11}]}]}]}]}]}]}]}] y=12");
    ck_shows(&k, "y", "12");
}
END_TEST

START_TEST(a_length_is_kept_while_it_is_needed)
{
    const tw_field f[] = {
        FIELD("t", TW_TEXT),
        FIELD("n", TW_U8),
        FIELD("list", TW_STRUCT, .members = 3, .count_by = TW_PREFIX1),
        FIELD("m", TW_U8, .parent = 3, .depth = 1),
        FIELD("outer", TW_BYTES, .parent = 3, .depth = 1, .bytes_by = TW_FIELD, .bytes = 1),
        FIELD("inner", TW_BYTES, .parent = 3, .depth = 1, .bytes_by = TW_FIELD, .bytes = 3),
        FIELD("o", TW_U8, .count_by = TW_IF_LEFT),
        FIELD("late", TW_BYTES, .bytes_by = TW_FIELD, .bytes = 6),
    };
    kit_type(&k, f, COUNT_OF(f), 8);
    kit_hex(&k, "00 02 02  01 aabb cc  03 ddee 112233  01 ff");
    ck_assert_str_eq(kit_text(&k),
                     "t=\"\" n=2 list=[{m=1 outer=0xaabb inner=0xcc}, {m=3 outer=0xddee inner=0x112233}] "
                     "o=1 late=0xff");
    ck_shows(&k, "late", "ff");
    kit_hex(&k, "00 02 01  03 aabb ccddee");
    ck_shows(&k, "late", ""); /* o is not there, so it says nothing of an earlier number */
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, context_switches);
    tcase_add_test(c, what_is_optional_may_be_missing);
    tcase_add_test(c, samples_and_interrupts);
    tcase_add_test(c, a_process_with_its_sid_alone);
    tcase_add_test(c, a_process_with_its_sid_behind_pointers);
    tcase_add_test(c, a_sid_behind_pointers_that_are_zero);
    tcase_add_test(c, a_sid_behind_pointers_of_4_bytes);
    tcase_add_test(c, a_process_without_a_sid);
    tcase_add_test(c, threads_with_a_name);
    tcase_add_test(c, disk_reads);
    tcase_add_test(c, arrays_of_structs);
    tcase_add_test(c, structs_in_structs);
    tcase_add_test(c, lengths_by_field_and_names);
    tcase_add_test(c, text_whose_length_an_earlier_field_says);
    tcase_add_test(c, pointers_to_the_end);
    tcase_add_test(c, lengths_before_the_bytes);
    tcase_add_test(c, text_and_its_end);
    tcase_add_test(c, text_in_every_encoding);
    tcase_add_test(c, numbers_of_every_kind);
    tcase_add_test(c, socket_addresses);
    tcase_add_test(c, sids);
    tcase_add_test(c, filetimes);
    tcase_add_test(c, systemtimes);
    tcase_add_test(c, ticks);
    tcase_add_test(c, elements_of_no_bytes_end);
    tcase_add_test(c, values_of_one_walk_are_limited);
    tcase_add_test(c, eight_levels_of_arrays);
    tcase_add_test(c, a_length_is_kept_while_it_is_needed);
}

int main(void)
{
    return kit_run("payload", add, open_kit, close_kit);
}
