/* test_kernel_vectors_io.c - payloads of files, memory, the cache and the network, and what is in them.

   Bytes and expectations were written by hand from the layouts' descriptions, for pointers of 8 and of 4 bytes where
   that matters; above all of events that no real trace at hand holds. */
#include "kernel_kit.h"

// clang-format off

// ---- DiskIo -------------------------------------------------------------------------------------------------------

static const vector disk_vectors[] = {
    { "DiskIo/Read", 10, 3, 8,
      "000000004000000000100000000000000000efbeadde00007856341200c0ffffbbbbaaaa00f8ffff4e61bc000000000000040000",
      "DiskNumber=0 IrpFlags=0x40:INPUT_OPERATION TransferSize=4096 ByteOffset=244837814042624 "
      "FileObject=0xffffc00012345678 Irp=0xfffff800aaaabbbb HighResResponseTime=1234567800 IssuingThreadId=1024" },
    { "DiskIo/Write", 11, 3, 8, /* without its last field */
      "000000004000000000200000000000000000efbeadde00007856341200c0ffffbbbbaaaa00f8ffff4e61bc0000000000",
      "DiskNumber=0 IrpFlags=0x40:INPUT_OPERATION TransferSize=8192 ByteOffset=244837814042624 "
      "FileObject=0xffffc00012345678 Irp=0xfffff800aaaabbbb HighResResponseTime=1234567800 !" },
    { "DiskIo/Read", 10, 3, 8, "00000000400000000010000000000000",
      "DiskNumber=0 IrpFlags=0x40:INPUT_OPERATION TransferSize=4096 !" },
    { "DiskIo/OpticalFlushBuffers", 57, 3, 4, "01000000 00000000 0a00000000000000" A4 "e8030000",
      "DiskNumber=1 IrpFlags=0x0 HighResResponseTime=1000 Irp=" SAYS_A4 " IssuingThreadId=1000" },
    { "DiskIo/DrvMjFnCall", 34, 2, 8, "03000000 00000000" A8 B8 C8 "07000000",
      "MajorFunction=3:READ MinorFunction=0 RoutineAddr=" SAYS_A8 " FileObject=" SAYS_B8 " Irp=" SAYS_C8
      " UniqMatchId=7" },
    { "DiskIo/DrvMjFnCall", 34, 1, 4, "07000000" A4 B4 "04000000 01000000" C4,
      "UniqMatchId=7 RoutineAddr=" SAYS_A4 " Irp=" SAYS_B4 " MajorFunction=4:WRITE MinorFunction=1 FileObject="
      SAYS_C4 },
    { "DiskIo/DrvComplReq", 52, 1, 8, A8 B8 "09000000",
      "RoutineAddr=" SAYS_A8 " Irp=" SAYS_B8 " UniqMatchId=9" },
    { "DiskIo/DrvComplReqRet", 53, 1, 4, A4 "09000000", "Irp=" SAYS_A4 " UniqMatchId=9" },
};

// ---- FileIo -------------------------------------------------------------------------------------------------------

static const vector file_name_vectors[] = {
    { "FileIo/Name", 0, 3, 8, A8 "5c004400 65007600 0000", "FileObject=" SAYS_A8 " FileName='\\Dev'" },
    { "FileIo/FileRundown", 36, 0, 4, A4 "5c004400 65007600", "FileObject=" SAYS_A4 " FileName='\\Dev'" },
    { "FileIo/FileNameSame", 33, 2, 4, A4 B4, "OldFile=" SAYS_A4 " NewFile=" SAYS_B4 },
    { "FileIo/FileNameNull", 34, 2, 8, A8, "FileObject=" SAYS_A8 },
    { "FileIo/MapFile", 37, 2, 8, A8 B8 "0200000001000000 0030000000000000 e8030000",
      "ViewBase=" SAYS_A8 " FileKey=" SAYS_B8 " MiscInfo=0x100000002 ViewSize=12288 ProcessId=1000" },
    { "FileIo/MapFileDCEnd", 40, 3, 4, A4 B4 "0200000001000000 00300000 0080000000000000 e8030000",
      "ViewBase=" SAYS_A4 " FileKey=" SAYS_B4 " MiscInfo=0x100000002 ViewSize=12288 ByteOffset=32768 "
      "ProcessId=1000" },
};

static const vector file_create_vectors[] = {
    { "FileIo/Create", 64, 3, 8, A8 B8 "e8030000 60000001 80000000 03000000 6100 0000",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " TTID=1000 "
      "CreateOptions=0x1000060:SYNCHRONOUS_IO_NONALERT|NON_DIRECTORY_FILE FileAttributes=0x80:NORMAL "
      "ShareAccess=0x3:READ|WRITE OpenPath='a'" },
    { "FileIo/Create", 64, 3, 4, A4 B4 "e8030000 21001005 20000000 07000000 61006200 0000",
      "Irp=" SAYS_A4 " FileObject=" SAYS_B4 " TTID=1000 "
      "CreateOptions=0x5100021:DIRECTORY_FILE|SYNCHRONOUS_IO_NONALERT|RESERVE_OPFILTER "
      "FileAttributes=0x20:ARCHIVE ShareAccess=0x7:READ|WRITE|DELETE OpenPath='ab'" },
    { "FileIo/CreateNew", 78, 3, 8, A8 B8 "e8030000 00000002 00000000 00000000 6100 0000",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " TTID=1000 CreateOptions=0x2000000 FileAttributes=0x0 ShareAccess=0x0 "
      "OpenPath='a'" },
    { "FileIo/Create", 64, 2, 8, A8 "e803000000000000" B8 "60000001 80000000 03000000 6100 0000",
      "Irp=" SAYS_A8 " TTID=1000 FileObject=" SAYS_B8
      " CreateOptions=0x1000060:SYNCHRONOUS_IO_NONALERT|NON_DIRECTORY_FILE FileAttributes=0x80:NORMAL "
      "ShareAccess=0x3:READ|WRITE OpenPath='a'" },
    { "FileIo/Create", 64, 3, 8, A8 B8 "e8030000 60000001 800000",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " TTID=1000 "
      "CreateOptions=0x1000060:SYNCHRONOUS_IO_NONALERT|NON_DIRECTORY_FILE +3 !" },
};

static const vector file_operation_vectors[] = {
    { "FileIo/Cleanup", 65, 3, 8, A8 B8 C8 "e8030000",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " FileKey=" SAYS_C8 " TTID=1000" },
    { "FileIo/Close", 66, 2, 4, A4 "e8030000" B4 C4,
      "Irp=" SAYS_A4 " TTID=1000 FileObject=" SAYS_B4 " FileKey=" SAYS_C4 },
    { "FileIo/Flush", 73, 3, 4, A4 B4 C4 "e8030000",
      "Irp=" SAYS_A4 " FileObject=" SAYS_B4 " FileKey=" SAYS_C4 " TTID=1000" },
    { "FileIo/Read", 67, 3, 8, "0010000000000000" A8 B8 C8 "e8030000 00020000 00090600",
      "Offset=4096 Irp=" SAYS_A8 " FileObject=" SAYS_B8 " FileKey=" SAYS_C8
      " TTID=1000 IoSize=512 IoFlags=0x60900:READ_OPERATION|DEFER_IO_COMPLETION" },
    { "FileIo/Write", 68, 3, 4, "0010000000000000" A4 B4 C4 "e8030000 00020000 00020000 01000000",
      "Offset=4096 Irp=" SAYS_A4 " FileObject=" SAYS_B4 " FileKey=" SAYS_C4
      " TTID=1000 IoSize=512 IoFlags=0x200:WRITE_OPERATION ExtraFlags=0x1:MDL" },
    { "FileIo/Write", 68, 2, 4, "0010000000000000" A4 "e8030000" B4 C4 "00020000 00020000",
      "Offset=4096 Irp=" SAYS_A4 " TTID=1000 FileObject=" SAYS_B4 " FileKey=" SAYS_C4
      " IoSize=512 IoFlags=0x200:WRITE_OPERATION" },
    { "FileIo/Rename", 71, 3, 8, A8 B8 C8 "0000000000000000 e8030000 0a000000",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " FileKey=" SAYS_C8 " ExtraInfo=0x0 TTID=1000 InfoClass=10:Rename" },
    { "FileIo/SetInfo", 69, 3, 4, A4 B4 C4 "00100000 e8030000 14000000",
      "Irp=" SAYS_A4 " FileObject=" SAYS_B4 " FileKey=" SAYS_C4 " ExtraInfo=0x1000 TTID=1000 "
      "InfoClass=20:EndOfFile" },
    { "FileIo/QueryInfo", 74, 2, 4, A4 "e8030000" B4 C4 "00000000 05000000",
      "Irp=" SAYS_A4 " TTID=1000 FileObject=" SAYS_B4 " FileKey=" SAYS_C4 " ExtraInfo=0x0 InfoClass=5:Standard" },
    { "FileIo/QueryEA", 86, 3, 4, A4 B4 C4 "00000000 e8030000 00000000",
      "Irp=" SAYS_A4 " FileObject=" SAYS_B4 " FileKey=" SAYS_C4 " ExtraInfo=0x0 TTID=1000 InfoClass=0" },
    { "FileIo/FSControl", 75, 3, 8, A8 B8 C8 "0000000000000000 e8030000 a8000900",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " FileKey=" SAYS_C8
      " ExtraInfo=0x0 TTID=1000 InfoClass=0x900a8:GET_REPARSE_POINT" },
    { "FileIo/FSControl", 75, 2, 4, A4 "e8030000" B4 C4 "00000000 ff0f0900",
      "Irp=" SAYS_A4 " TTID=1000 FileObject=" SAYS_B4 " FileKey=" SAYS_C4 " ExtraInfo=0x0 InfoClass=0x90fff" },
    { "FileIo/DirEnum", 72, 3, 8, A8 B8 C8 "e8030000 00100000 25000000 00000000 2a002e00 2a000000",
      "Irp=" SAYS_A8 " FileObject=" SAYS_B8 " FileKey=" SAYS_C8
      " TTID=1000 Length=4096 InfoClass=37:IdBothDirectory FileIndex=0 FileName='*.*'" },
    { "FileIo/DirNotify", 77, 2, 4, A4 "e8030000" B4 C4 "00100000 00000000 00000000 0000",
      "Irp=" SAYS_A4 " TTID=1000 FileObject=" SAYS_B4 " FileKey=" SAYS_C4
      " Length=4096 InfoClass=0 FileIndex=0 FileName=''" },
    { "FileIo/OperationEnd", 76, 3, 8, A8 "0002000000000000 340000c0",
      "Irp=" SAYS_A8 " ExtraInfo=0x200 NtStatus=0xc0000034" },
    { "FileIo/OperationEnd", 76, 2, 4, A4 "00020000 00000000",
      "Irp=" SAYS_A4 " ExtraInfo=0x200 NtStatus=0x00000000" },
    { "FileIo/RenamePath", 80, 3, 4, A4 B4 C4 "00000000 e8030000 41000000 6200 0000",
      "Irp=" SAYS_A4 " FileObject=" SAYS_B4 " FileKey=" SAYS_C4
      " ExtraInfo=0x0 TTID=1000 InfoClass=65:RenameEx FileName='b'" },
};

static const vector minifilter_vectors[] = {
    { "FileIo/PreOpInit", 96, 3, 8, A8 B8 C8 D8 "0500000000000000 00000000",
      "RoutineAddr=" SAYS_A8 " FileObject=" SAYS_B8 " FileContext=" SAYS_C8 " Irp=" SAYS_D8
      " CallbackDataPtr=0x5 MajorFunction=0:CREATE" },
    { "FileIo/PostOpCompletion", 99, 3, 4, "f203000000000000" A4 B4 C4 D4 "05000000 03000000",
      "InitialTime=5001000 RoutineAddr=" SAYS_A4 " FileObject=" SAYS_B4 " FileContext=" SAYS_C4 " Irp=" SAYS_D4
      " CallbackDataPtr=0x5 MajorFunction=3:READ" },
    { "FileIo/PreOpFailure", 100, 3, 4, A4 B4 C4 D4 "05000000 12000000 220000c0",
      "RoutineAddr=" SAYS_A4 " FileObject=" SAYS_B4 " FileContext=" SAYS_C4 " Irp=" SAYS_D4
      " CallbackDataPtr=0x5 MajorFunction=18:CLEANUP Status=0xc0000022" },
};

// ---- PageFault ----------------------------------------------------------------------------------------------------

static const vector fault_vectors[] = {
    { "PageFault/DemandZeroFault", 11, 2, 8, A8 B8, "VirtualAddress=" SAYS_A8 " ProgramCounter=" SAYS_B8 },
    { "PageFault/AccessViolation", 15, 0, 4, A4 B4, "VirtualAddress=" SAYS_A4 " ProgramCounter=" SAYS_B4 },
    { "PageFault/HardFault", 32, 2, 8, "de03000000000000 0010000000000000" A8 B8 "e8030000 00800000",
      "InitialTime=4999000 ReadOffset=4096 VirtualAddress=" SAYS_A8 " FileObject=" SAYS_B8
      " TThreadId=1000 ByteCount=32768" },
    { "PageFault/HardFault", 32, 1, 4, "de03000000000000 0010000000000000" A4 B4 "e8030000 00800000",
      "InitialTime=4999000 ReadOffset=4096 VirtualAddress=" SAYS_A4 " FileObject=" SAYS_B4
      " TThreadId=1000 ByteCount=32768" },
};

static const vector memory_vectors[] = {
    { "PageFault/VirtualAlloc", 98, 2, 8, A8 "0000100000000000 e8030000 00300000",
      "BaseAddress=" SAYS_A8 " RegionSize=1048576 ProcessId=1000 Flags=0x3000:COMMIT|RESERVE" },
    { "PageFault/VirtualFree", 99, 2, 4, A4 "00001000 e8030000 00800000",
      "BaseAddress=" SAYS_A4 " RegionSize=1048576 ProcessId=1000 Flags=0x8000:RELEASE" },
    { "PageFault/VirtualAllocDCEnd", 129, 2, 4, A4 "00001000 e8030000 00200000 00100000",
      "BaseAddress=" SAYS_A4 " RegionSize=1048576 ProcessId=1000 Flags=0x2000:RESERVE CommitSizeInBytes=4096" },
    { "PageFault/MemResetInfo", 134, 2, 8, A8 "0010000000000000 01000000 cdcdcdcd", /* the struct's padding */
      "BaseAddress=" SAYS_A8 " SizeInBytes=4096 Flags=1:ResetUndo" },
    { "PageFault/MemResetInfo", 134, 2, 8, A8 "0010000000000000 00000000",
      "BaseAddress=" SAYS_A8 " SizeInBytes=4096 Flags=0:Reset" },
    { "PageFault/VirtualRotate", 127, 2, 4, A4 "00100000 02000000",
      "BaseAddress=" SAYS_A4 " SizeInBytes=4096 Flags=2" },
    { "PageFault/PageInMemory", 35, 2, 8, "21cdcdcdcdcdcdcd 3412000000000000" A8 B8,
      "KindAndList=0x21 PageFrameIndex=0x1234 VirtualAddressOrFileKey=" SAYS_A8 " VirtualAddress=" SAYS_B8 },
    { "PageFault/PageAccess", 118, 2, 4, "60cdcdcdcdcdcdcd 34120000" A4,
      "KindAndList=0x60 PageFrameIndex=0x1234 VirtualAddressOrFileKey=" SAYS_A4 },
    { "PageFault/PfMappedSectionCreate", 73, 2, 8, A8 B8 "e8030000 00000000",
      "RangeBase=" SAYS_A8 " RangeEnd=" SAYS_B8 " CreatingProcessId=1000" },
    { "PageFault/PfMappedSectionObjectDelete", 136, 2, 4, A4 B4, "SectionObject=" SAYS_A4 " RangeBase=" SAYS_B4 },
    { "PageFault/SessionDCEnd", 76, 2, 8, A8 "01000000", "UniqueSessionId=" SAYS_A8 " SessionId=1" },
    { "PageFault/ImageLoadBacked", 105, 2, 4, A4 "00000200 2200 0400",
      "FileObject=" SAYS_A4 " DeviceChar=0x20000 FileChar=0x22 LoadFlags=0x4:WritableHandles" },
    { "PageFault/KernelMemUsage", 123, 2, 8, "00000000 cdcdcdcd" A8 "1000000000000000",
      "UsageType=0 VirtualAddress=" SAYS_A8 " PageCount=16" },
    { "PageFault/MmStats", 124, 2, 8, "02000000 0a000000 03000000",
      "StatType=2:IterationPageCombine Data=0a00000003000000" },
    { "PageFault/ContMemGenerate", 113, 2, 8, "e803000000000000 0000100000000000",
      "ThreadId=1000 NumberOfBytes=1048576" },
};

static const vector heap_range_vectors[] = {
    { "PageFault/HeapRangeRundown", 100, 2, 8,
      A8 "02000000 e8030000 02000000" B8 "0010000000000000" C8 "0020000000000000",
      "HeapHandle=" SAYS_A8 " HRFlags=0x2 HRPid=1000 HRRangeCount=2 HRRange={ Address=" SAYS_B8 " Size=4096 "
      "HRRange={ "
      "Address=" SAYS_C8 " Size=8192" },
    { "PageFault/HeapRangeRundown", 100, 3, 4, A4 "02000000 e8030000 01000000 00000000" B4 "00100000",
      "HeapHandle=" SAYS_A4 " HRFlags=0x2 HRPid=1000 HRRangeCount=1 HRRange={ Address=" SAYS_B4 " Size=4096" },
    { "PageFault/HeapRangeRundown", 100, 4, 4, A4 "02000000 e8030000 01000000 2a00000000000000" B4 "00100000",
      "HeapHandle=" SAYS_A4 " HRFlags=0x2 HRPid=1000 HRRangeCount=1 HRHeapTag=0x2a HRRange={ Address=" SAYS_B4
      " Size=4096" },
    { "PageFault/HeapRangeRundown", 100, 2, 8, A8 "00000000 e8030000 ffffffff" B8, /* more ranges than there are */
      "HeapHandle=" SAYS_A8 " HRFlags=0x0 HRPid=1000 HRRangeCount=4294967295 HRRange={ Address=" SAYS_B8 " !" },
    { "PageFault/HeapRangeCreate", 101, 2, 4, A4 "00001000 02000000",
      "HeapHandle=" SAYS_A4 " FirstRangeSize=1048576 HRCreateFlags=0x2" },
    { "PageFault/HeapRangeReserve", 102, 2, 8, A8 B8 "0010000000000000",
      "HeapHandle=" SAYS_A8 " HRAddress=" SAYS_B8 " HRSize=4096" },
    { "PageFault/HeapRangeDestroy", 104, 2, 4, A4, "HeapHandle=" SAYS_A4 },
};

static const vector memory_list_vectors[] = {
    { "PageFault/MemInfo", 112, 2, 4,
      "01000000 02000000 03000000 04000000 05000000"
      "0a000000 0b000000 0c000000 0d000000 0e000000 0f000000 10000000 11000000"
      "14000000 15000000 16000000 17000000 18000000 19000000 1a000000 1b000000" "1e000000",
      "ZeroPageCount=1 FreePageCount=2 ModifiedPageCount=3 ModifiedNoWritePageCount=4 BadPageCount=5 "
      "StandbyPageCounts=10,11,12,13,14,15,16,17 RepurposedPageCounts=20,21,22,23,24,25,26,27 "
      "ModifiedPageCountPageFile=30" },
    { "PageFault/MemInfoExWs", 125, 2, 4,
      "02000000"
      "e8030000 01000000 02000000 03000000 04000000 05000000 06000000 07000000 08000000"
      "ec030000 0b000000 0c000000 0d000000 0e000000 0f000000 10000000 11000000 12000000",
      "Count=2 Entries={ ProcessId=1000 WorkingSetPageCount=1 CommitPageCount=2 VirtualSizeInPages=3 "
      "PrivateWorkingSetPageCount=4 StoreSizePageCount=5 StoredPageCount=6 CommitDebtInPages=7 "
      "SharedCommitInPages=8 Entries={ ProcessId=1004 WorkingSetPageCount=11 CommitPageCount=12 "
      "VirtualSizeInPages=13 PrivateWorkingSetPageCount=14 StoreSizePageCount=15 StoredPageCount=16 "
      "CommitDebtInPages=17 SharedCommitInPages=18" },
    { "PageFault/MemInfoExWs", 125, 1, 8, /* packed: nothing between the process and the first count */
      "01000000 e8030000 0100000000000000 0200000000000000 0300000000000000 0400000000000000",
      "Count=1 Entries={ ProcessId=1000 WorkingSetPageCount=1 CommitPageCount=2 VirtualSizeInPages=3 "
      "PrivateWorkingSetPageCount=4" },
    { "PageFault/MemInfoExWs", 125, 2, 8, "00000000", "Count=0" },
};

// ---- Cc, SplitIo --------------------------------------------------------------------------------------------------

static const vector cache_vectors[] = {
    { "Cc/WorkItemEnqueue", 0, 2, 8, A8 B8 "05 01 00 00 cdcdcdcd",
      "WorkItemKey=" SAYS_A8 " FileObjectKey=" SAYS_B8 " QueueType=5:AsyncRead WorkItemType=1:ReadAhead Requeue=0" },
    { "Cc/WorkItemDequeue", 1, 2, 4, A4, "WorkItemKey=" SAYS_A4 },
    { "Cc/ReadAhead", 3, 2, 8, A8 "0010000000000000 00800000 05000000 01000000 00000000",
      "WorkItemKey=" SAYS_A8 " FileOffset=4096 Size=32768 PagePriority=5 DetectedPattern=1" },
    { "Cc/ReadAhead", 3, 2, 4, A4 "cdcdcdcd 0010000000000000 00800000 05000000 01000000 00000000",
      "WorkItemKey=" SAYS_A4 " FileOffset=4096 Size=32768 PagePriority=5 DetectedPattern=1" },
    { "Cc/LazyWriteScan", 5, 2, 4,
      A4 "04000000 20000000 01000000 02000000 03000000 04000000 05000000 06000000 07000000 08000000 09000000",
      "WorkItemKey=" SAYS_A4 " ReasonForFlush=0x4:PeriodicScan PagesToWrite=32 TotalDirtyPages=1 AvailablePages=2 "
      "DirtyPageThreshold=3 NumberOfMappedVacbs=4 TopDirtyPageThreshold=5 BottomDirtyPageThreshold=6 "
      "AverageAvailablePages=7 AverageDirtyPages=8 ConsecutiveWorklessLazywriteScans=9" },
    { "Cc/CanIWriteFail", 6, 2, 8, A8 "0100000000000000 0200000000000000 00100000",
      "FileObjectKey=" SAYS_A8 " TotalDirtyPages=1 DirtyPageThreshold=2 BytesToWrite=4096" },
    { "Cc/FlushCache", 9, 2, 4, A4 B4 "0010000000000000 00200000 04000000 03000000 00000000",
      "WorkItemKey=" SAYS_A4 " FileObjectKey=" SAYS_B4
      " Offset=4096 Length=8192 SharedCacheMapFlags=0x4 Flags=0x3:IsLazyWriter|FastLazyWrite" },
    { "Cc/ScheduleReadAhead", 12, 2, 8,
      A8 B8 "0010000000000000 00200000 01000000 02000000 cdcdcdcd 0030000000000000 0040000000000000 01 cdcdcd"
      "05000000 06000000 02000000",
      "WorkItemKey=" SAYS_A8 " FileObjectKey=" SAYS_B8 " FileOffset=4096 Length=8192 ReadAheadUnit=1 "
      "ReadAheadLength=2 ReadAheadOffset=12288 ReadAheadBeyondLastByte=16384 ReadPattern=1 SequentialReadCount=5 "
      "SharedCacheMapFlags=0x6 Bits=0x2:Active" },
    { "Cc/LoggedStreamInfo", 13, 2, 4, A4 "02000000 03000000 04000000 05000000 cdcdcdcd 0600000000000000",
      "FileObjectKey=" SAYS_A4 " ReasonForFlush=0x2:Power PagesToWrite=3 DirtyLoggedPages=4 "
      "DirtyLoggedPageThreshold=5 LargestLsnForLWS=6" },
    { "Cc/ExtraWriteBehindThread", 14, 2, 4, "01000000 02000000 03000000 04000000 05000000",
      "ThreadAction=1:Add ActiveExtraWBThreads=2 TotalDirtyPages=3 DirtyPageThreshold=4 AvailablePages=5" },
    { "SplitIo/VolMgr", 32, 2, 8, A8 B8, "ParentIrp=" SAYS_A8 " ChildIrp=" SAYS_B8 },
};

// ---- TcpIp, UdpIp -------------------------------------------------------------------------------------------------

#define ENDS4      "c0a80101 0a000002 01bb c001 "
#define SAYS_ENDS4 "daddr=192.168.1.1 saddr=10.0.0.2 dport=443 sport=49153"
#define ENDS6      "fe800000000000000000000000000001 20010db8000000000000000000000002 0050 c001 "
#define SAYS_ENDS6 \
    "daddr=fe800000000000000000000000000001 saddr=20010db8000000000000000000000002 dport=80 sport=49153"

static const vector tcp_vectors[] = {
    { "TcpIp/Send", 10, 0, 8, ENDS4 "e8030000 04000000", SAYS_ENDS4 " size=1000 PID=4" },
    { "TcpIp/Send", 10, 1, 8, "04000000 e8030000" ENDS4 "0a000000 0b000000 00000000 07000000",
      "PID=4 size=1000 " SAYS_ENDS4 " startime=10 endtime=11 connid=0 seqnum=7" },
    { "TcpIp/Recv", 11, 1, 8, "04000000 e8030000" ENDS4 "0900000000000000 07000000",
      "PID=4 size=1000 " SAYS_ENDS4 " connid=0x9 seqnum=7" },
    { "TcpIp/Connect", 12, 1, 4, "04000000 00000000" ENDS4 "b405 0100 0000 0100 00000100 0800 ffff 09000000 07000000",
      "PID=4 size=0 " SAYS_ENDS4
      " mss=1460 sackopt=1 tsopt=0 wsopt=1 rcvwin=65536 rcvwinscale=8 sndwinscale=-1 connid=9 seqnum=7" },
    { "TcpIp/SendIPV4", 10, 2, 8, "04000000 e8030000" ENDS4 "0a000000 0b000000 07000000 0900000000000000",
      "PID=4 size=1000 " SAYS_ENDS4 " startime=10 endtime=11 seqnum=7 connid=0x9" },
    { "TcpIp/RetransmitIPV4", 14, 2, 4, "04000000 e8030000" ENDS4 "07000000 09000000",
      "PID=4 size=1000 " SAYS_ENDS4 " seqnum=7 connid=0x9" },
    { "TcpIp/AcceptIPV4", 15, 2, 8,
      "04000000 00000000" ENDS4 "b405 0100 0000 0100 00000100 0800 0700 07000000 0900000000000000",
      "PID=4 size=0 " SAYS_ENDS4
      " mss=1460 sackopt=1 tsopt=0 wsopt=1 rcvwin=65536 rcvwinscale=8 sndwinscale=7 seqnum=7 connid=0x9" },
    { "TcpIp/SendIPV6", 26, 2, 4, "04000000 e8030000" ENDS6 "0a000000 0b000000 07000000 09000000",
      "PID=4 size=1000 " SAYS_ENDS6 " startime=10 endtime=11 seqnum=7 connid=0x9" },
    { "TcpIp/FailIPV6", 33, 2, 4, "04000000 e8030000" ENDS6 "07000000 09000000",
      "PID=4 size=1000 " SAYS_ENDS6 " seqnum=7 connid=0x9" },
    { "TcpIp/ConnectIPV6", 28, 2, 8,
      "04000000 00000000" ENDS6 "a005 0100 0100 0000 00000100 0800 0700 07000000 0900000000000000",
      "PID=4 size=0 " SAYS_ENDS6
      " mss=1440 sackopt=1 tsopt=1 wsopt=0 rcvwin=65536 rcvwinscale=8 sndwinscale=7 seqnum=7 connid=0x9" },
    { "TcpIp/Fail", 17, 2, 8, "0200 0300", "Proto=2:IPv4 FailureCode=3" },
    { "TcpIp/Fail", 17, 1, 8, "17000000", "Proto=23:IPv6" },
};

static const vector udp_vectors[] = {
    { "UdpIp/Recv", 11, 0, 4, A4 "0a000001 0035 8000 0a000002 c001 8000",
      "context=" SAYS_A4 " saddr=10.0.0.1 sport=53 size=128 daddr=10.0.0.2 dport=49153 dsize=128" },
    { "UdpIp/Send", 10, 1, 8, "04000000 80000000" ENDS4, "PID=4 size=128 " SAYS_ENDS4 },
    { "UdpIp/RecvIPV4", 11, 2, 4, "04000000 80000000" ENDS4 "00000000 00000000",
      "PID=4 size=128 " SAYS_ENDS4 " seqnum=0 connid=0x0" },
    { "UdpIp/SendIPV6", 26, 2, 8, "04000000 80000000" ENDS6 "00000000 0000000000000000",
      "PID=4 size=128 " SAYS_ENDS6 " seqnum=0 connid=0x0" },
    { "UdpIp/Fail", 17, 2, 4, "1700 0100", "Proto=23:IPv6 FailureCode=1" },
};

// clang-format on

TABLE(disk)
TABLE(file_name)
TABLE(file_create)
TABLE(file_operation)
TABLE(minifilter)
TABLE(fault)
TABLE(memory)
TABLE(heap_range)
TABLE(memory_list)
TABLE(cache)
TABLE(tcp)
TABLE(udp)

static void add_tests(TCase *c)
{
    tcase_add_test(c, disk);
    tcase_add_test(c, file_name);
    tcase_add_test(c, file_create);
    tcase_add_test(c, file_operation);
    tcase_add_test(c, minifilter);
    tcase_add_test(c, fault);
    tcase_add_test(c, memory);
    tcase_add_test(c, heap_range);
    tcase_add_test(c, memory_list);
    tcase_add_test(c, cache);
    tcase_add_test(c, tcp);
    tcase_add_test(c, udp);
}

int main(void)
{
    return kit_run("kernel_vectors_io", add_tests, open_kit, close_kit) ? EXIT_FAILURE : EXIT_SUCCESS;
}
