/* test_kernel_vectors.c - payloads of kernel events that few real traces hold, and what is in them.

   Bytes and expectations were written by hand from the layouts' descriptions, for pointers of 8 and of 4 bytes where
   that matters. */
#include "kernel_kit.h"

#define ZEROS16 "00000000000000000000000000000000 "

// clang-format off

// ---- Thread -------------------------------------------------------------------------------------------------------

static const vector context_switch_vectors[] = {
    { "Thread/CSwitch", 36, 1, 8, "64000000 c8000000 08 0f 06 ff 0f 01 05 03",
      "NewThreadId=100 OldThreadId=200 NewThreadPriority=8 OldThreadPriority=15 NewThreadQuantum=6 "
      "OldThreadQuantum=-1 OldThreadWaitReason=15:WrQueue OldThreadWaitMode=1:UserMode OldThreadState=5:Waiting "
      "OldThreadWaitIdealProcessor=3" },
    { "Thread/CSwitch", 36, 2, 8, "3c0d000000000000080001000000023e0000000003b2d64f",
      "NewThreadId=3388 OldThreadId=0 NewThreadPriority=8 OldThreadPriority=0 PreviousCState=1 SpareByte=0 "
      "OldThreadWaitReason=0:Executive OldThreadWaitModeOrThreadFlags=0:KernelMode OldThreadState=2:Running "
      "OldThreadWaitIdealProcessor=62 NewThreadWaitTime=0 Reserved=1339470339" },
    { "Thread/CSwitch", 36, 3, 4, "3c0d000000000000080001000f00053e0000000003b2d64f",
      "NewThreadId=3388 OldThreadId=0 NewThreadPriority=8 OldThreadPriority=0 PreviousCState=1 SpareByte=0 "
      "OldThreadWaitReason=15:WrQueue OldThreadWaitModeOrThreadFlags=0:KernelMode OldThreadState=5:Waiting "
      "OldThreadWaitIdealProcessor=62 NewThreadWaitTime=0 Reserved=1339470339" },
    { "Thread/CSwitch", 36, 4, 8, "3c0d000000000000080001002a01633e0000000003b2d64f",
      "NewThreadId=3388 OldThreadId=0 NewThreadPriority=8 OldThreadPriority=0 PreviousCState=1 SpareByte=0 "
      "OldThreadWaitReason=42:WrRcu OldThreadWaitModeOrThreadFlags=1:UserMode OldThreadState=99 "
      "OldThreadWaitIdealProcessor=62 NewThreadWaitTime=0 Reserved=1339470339" },
    { "Thread/CSwitch", 36, 5, 8, "3c0d000000000000080001000000023e0000000003b2d64f02000000",
      "NewThreadId=3388 OldThreadId=0 NewThreadPriority=8 OldThreadPriority=0 PreviousCState=1 SpareByte=0 "
      "OldThreadWaitReason=0:Executive OldThreadWaitModeOrThreadFlags=0:KernelMode OldThreadState=2:Running "
      "OldThreadWaitIdealProcessor=62 NewThreadWaitTime=0 Reserved=1339470339 Extra=2" },
    { "Thread/CSwitch", 36, 5, 8, "000000003c0d0000000800000000054baf1d9f01ee0a000008000000",
      "NewThreadId=0 OldThreadId=3388 NewThreadPriority=0 OldThreadPriority=8 PreviousCState=0 SpareByte=0 "
      "OldThreadWaitReason=0:Executive OldThreadWaitModeOrThreadFlags=0:KernelMode OldThreadState=5:Waiting "
      "OldThreadWaitIdealProcessor=75 NewThreadWaitTime=27205039 Reserved=2798 Extra=8" },
    { "Thread/CSwitch", 36, 5, 8, "", " !" },
    { "Thread/CSwitch", 36, 5, 8, "3c", " +1 !" },
    { "Thread/CSwitch", 36, 5, 8, "3c0d000000000000", "NewThreadId=3388 OldThreadId=0 !" },
    { "Thread/CSwitch", 36, 5, 8, "3c0d000000000000080001000000023e",
      "NewThreadId=3388 OldThreadId=0 NewThreadPriority=8 OldThreadPriority=0 PreviousCState=1 SpareByte=0 "
      "OldThreadWaitReason=0:Executive OldThreadWaitModeOrThreadFlags=0:KernelMode OldThreadState=2:Running "
      "OldThreadWaitIdealProcessor=62 !" },
    { "Thread/CompCS", 37, 2, 8,
      "f203000000000000 6400000065000000" "0000000000000000" ZEROS16 ZEROS16 ZEROS16
      "08ff0000000000000000000000000000 0540",
      "FirstTimeStamp=5001000 TidTable=100,101,0,0,0,0,0,0,0,0,0,0,0,0,0,0 "
      "BasePriority=8,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0 Packets=0540" },
};

static const vector ready_thread_vectors[] = {
    { "Thread/ReadyThread", 50, 2, 8, "9210000005010000", "TThreadId=4242 AdjustReason=5 AdjustIncrement=1 "
      "Flag=0x0" },
    { "Thread/ReadyThread", 50, 2, 4, "9210000001fe0900",
      "TThreadId=4242 AdjustReason=1:Unwait AdjustIncrement=-2 Flag=0x9:Dpc|DirectSwitch" },
    { "Thread/ReadyThread", 50, 2, 8, "9210000002", "TThreadId=4242 AdjustReason=2:Boost !" },
};

static const vector lock_vectors[] = {
    { "Thread/SpinLock", 41, 2, 8, A8 B8 "0100000001000000 1100000001000000 10000000 02000000 64000000 03000000 "
      "02 01 41 0000000000",
      "SpinLockAddress=" SAYS_A8 " CallerAddress=" SAYS_B8 " AcquireTime=4294967297 ReleaseTime=4294967313 "
      "WaitTimeInCycles=16 SpinCount=2 ThreadId=100 InterruptCount=3 Irql=2 AcquireDepth=1 Flag=0x41:Dpc" },
    { "Thread/SpinLock", 41, 2, 4, A4 B4 "0100000001000000 1100000001000000 10000000 02000000 64000000 03000000 "
      "02 01 80 0000000000",
      "SpinLockAddress=" SAYS_A4 " CallerAddress=" SAYS_B4 " AcquireTime=4294967297 ReleaseTime=4294967313 "
      "WaitTimeInCycles=16 SpinCount=2 ThreadId=100 InterruptCount=3 Irql=2 AcquireDepth=1 Flag=0x80:Isr" },
    { "Thread/Queue", 42, 2, 8, A8 "64000000 01", "Object=" SAYS_A8 " ThreadId=100 Action=1:WaitForItem" },
    { "Thread/Queue", 42, 2, 4, A4 "64000000 01", "Object=" SAYS_A4 " ThreadId=100 Action=1:WaitForItem" },
    { "Thread/Queue", 42, 2, 8, A8 "64000000 01 ffffff", "Object=" SAYS_A8 " ThreadId=100 Action=1:WaitForItem" },
    { "Thread/Resource", 43, 2, 8, "0100000000000000 0200000000000000 0300000000000000 04000000 64000000" A8
      "22000100 05000000",
      "AcquireTime=1 HoldTime=2 WaitTime=3 MaxRecursionDepth=4 ThreadId=100 Resource=" SAYS_A8
      " Action=65570:ReleaseExclusive ContentionDelta=5" },
    { "Thread/Resource", 43, 2, 4, "0100000000000000 0200000000000000 0300000000000000 04000000 64000000" A4
      "44020100 05000000",
      "AcquireTime=1 HoldTime=2 WaitTime=3 MaxRecursionDepth=4 ThreadId=100 Resource=" SAYS_A4
      " Action=66116:ExcessiveWaitForShared ContentionDelta=5" },
    { "Thread/Pushlock", 44, 2, 8, A8 "64000000 02", "Object=" SAYS_A8 " ThreadId=100 Action=2:WaitForShared" },
    { "Thread/WaitSingle", 45, 2, 8, "64000000 ffffffff" A8 "07", "ThreadId=100 Object=" SAYS_A8 " ObjectType=7" },
    { "Thread/WaitSingle", 45, 2, 4, "64000000" A4 "07", "ThreadId=100 Object=" SAYS_A4 " ObjectType=7" },
    { "Thread/WaitSingle", 45, 2, 4, "64000000" A4 "07 ffffff", "ThreadId=100 Object=" SAYS_A4 " ObjectType=7" },
    { "Thread/WaitSingle", 45, 2, 4, "64000000" A4 "07 ffffff 09",
      "ThreadId=100 Object=" SAYS_A4 " ObjectType=7 +1" },
    { "Thread/WaitMultiple", 46, 2, 8, "64000000 02 01 0000" A8 "07", "ThreadId=100 WaitType=2:All ObjectCount=1 "
      "Objects=00000010adde00f8ffff07" },
    { "Thread/DelayExecution", 47, 2, 8, "64000000 00000000 1027000000000000", "ThreadId=100 Delta=10000" },
};

static const vector thread_vectors[] = {
    { "Thread/SetPriority", 48, 3, 8, "64000000 08 0a 0000", "ThreadId=100 OldPriority=8 NewPriority=10" },
    { "Thread/SetBasePriority", 49, 3, 8, "64000000 08 0a 0c 00",
      "ThreadId=100 OldPriority=8 NewPriority=10 DynamicPriority=12" },
    { "Thread/SetPagePriority", 51, 3, 4, "64000000 05 01 0000", "ThreadId=100 OldPriority=5 NewPriority=1" },
    { "Thread/SetAffinity", 53, 2, 8, "ff00000000000080 64000000 0100 0000",
      "Affinity=0x80000000000000ff ThreadId=100 Group=1" },
    { "Thread/SetAffinity", 53, 2, 4, "ff000080 64000000 0100 0000", "Affinity=0x800000ff ThreadId=100 Group=1" },
    { "Thread/WorkerThread", 57, 1, 8, "64000000 f203000000000000" A8,
      "TThreadId=100 StartTime=5001000 ThreadRoutine=" SAYS_A8 },
    { "Thread/WorkerThread", 57, 2, 4, "64000000 e803000000000000" A4,
      "TThreadId=100 StartTime=5000000 ThreadRoutine=" SAYS_A4 },
    { "Thread/DfssStartNewInterval", 58, 2, 8, 
      "07000000 02000000 0800000000000000 0900000000000000 01000000 0a000000 ffffffffffffffff 0b00000000000000 "
      "02000000 0c000000 0d00000000000000",
      "CurrentGeneration=7 SessionCount=2 TotalCycleCredit=8 TotalCyclesAccumulated=9 Sessions={ SessionId=1 "
      "CpuShareWeight=10 CapturedWeightData=-1 CyclesAccumulated=11 Sessions={ SessionId=2 CpuShareWeight=12 "
      "CapturedWeightData=13 !" },
    { "Thread/DfssReleaseThreadOnIdle", 59, 2, 8, "07000000 01000000 0800000000000000 ffffffffffffffff",
      "CurrentGeneration=7 SessionSelectedToRun=1 CycleBaseAllowance=8 CyclesRemaining=-1" },
    { "Thread/AntiStarvationBoost", 60, 2, 8, "64000000 4100 08 00", "ThreadId=100 ProcessorIndex=65 Priority=8" },
    { "Thread/ThreadMigration", 61, 2, 8, "64000000 0100 4100 08 01 0200",
      "ThreadId=100 SourceProcessorIndex=1 TargetProcessorIndex=65 Priority=8 IdealProcessorAdjust=1 "
      "OldIdealProcessorIndex=2" },
    { "Thread/KernelQueueEnqueue", 62, 2, 8, A8 "64000000", "Entry=" SAYS_A8 " ThreadId=100" },
    { "Thread/KernelQueueEnqueue", 62, 2, 4, A4 "64000000", "Entry=" SAYS_A4 " ThreadId=100" },
    { "Thread/KernelQueueDequeue", 63, 2, 8, "64000000 02000000" A8 B8,
      "ThreadId=100 EntryCount=2 Entries=" SAYS_A8 "," SAYS_B8 },
    { "Thread/KernelQueueDequeue", 63, 2, 4, "64000000 03000000" A4 B4 C4,
      "ThreadId=100 EntryCount=3 Entries=" SAYS_A4 "," SAYS_B4 "," SAYS_C4 },
    { "Thread/WorkItemStart", 64, 2, 8, A8, "CallbackRoutine=" SAYS_A8 },
    { "Thread/WorkItemEnd", 65, 2, 4, A4, "CallbackRoutine=" SAYS_A4 },
    { "Thread/AutoBoostSetFloor", 66, 2, 8, A8 "64000000 0f 08 23 03",
      "Lock=" SAYS_A8 " ThreadId=100 NewCpuPriorityFloor=15 OldCpuPriority=8 IoPriorities=0x23 "
      "BoostFlags=0x3:ExecutingDpc|WakeupBoost" },
    { "Thread/AutoBoostClearFloor", 67, 2, 4, A4 "64000000 01800000",
      "LockAddress=" SAYS_A4 " ThreadId=100 BoostBitmap=0x8001" },
    { "Thread/AutoBoostEntryExhaustion", 68, 2, 8, A8 "64000000", "LockAddress=" SAYS_A8 " ThreadId=100" },
    { "Thread/SubProcessTagChanged", 69, 2, 8, "03000000 04000000", "OldTag=3 NewTag=4" },
};

static const vector user_scheduler_vectors[] = {
    { "UMS/DSwitchStart", 32, 2, 8, "92100000 64000000 65000000 01000000",
      "ProcessId=4242 ScheduledThreadId=100 PrimaryThreadId=101 SwitchFlags=0x1" },
    { "UMS/ScheduledPark", 34, 2, 8, "92100000 64000000 05000000",
      "ProcessId=4242 ScheduledThreadId=100 ParkFlags=0x5:Volatile|PrimaryDeliveredContext" },
    { "UMS/Disassociate", 35, 2, 8, "92100000 64000000 65000000 02000000 220000c0",
      "ProcessId=4242 ScheduledThreadId=100 PrimaryThreadId=101 UmsApcControlFlags=0x2 Status=0xc0000022" },
    { "UMS/CSwitch", 36, 2, 4, "64000000 01000000 02000000 03000000 04000000",
      "ScheduledThreadId=100 SwitchCount=1 KernelYieldCount=2 MixedYieldCount=3 YieldCount=4" },
};

// ---- Process, Image, PerfTrackMetadata ----------------------------------------------------------------------------

static const vector process_vectors[] = {
    { "Process/End", 2, 0, 8, "9210000000000000 0400000000000000 00000000 6100", "ProcessId=4242 ParentId=4 "
      "ImageFileName='a'" },
    { "Process/Start", 1, 0, 4, "92100000 04000000 00000000 6100", "ProcessId=4242 ParentId=4 ImageFileName='a'" },
    { "Process/Start", 1, 5, 8, A8 "92100000 04000000 01000000 03010000 00f03f0200000000 02000000 00000000 6100 "
      "6200 0000 0000 0000",
      "UniqueProcessKey=" SAYS_A8 " ProcessId=4242 ParentId=4 SessionId=1 ExitStatus=0x00000103 "
      "DirectoryTableBase=0x23ff000 Flags=0x2:Wow64 ImageFileName='a' CommandLine='b' PackageFullName='' "
      "ApplicationId=''" },
    { "Process/Defunct", 39, 5, 4, A4 "92100000 04000000 ffffffff 050000c0 00f03f02 05000000 00000000 6100 "
      "6200 0000 6300 0000 6400 0000 01803ed5deb19d01 0102",
      "UniqueProcessKey=" SAYS_A4 " ProcessId=4242 ParentId=4 SessionId=4294967295 ExitStatus=0xc0000005 "
      "DirectoryTableBase=0x23ff000 Flags=0x5:Package|Protected ImageFileName='a' CommandLine='b' "
      "PackageFullName='c' ApplicationId='d' ExitTime=100 Tail=0102" },
    { "Process/WakeChargeUser", 48, 2, 8, A8 B8 "92100000 03000000", "Object=" SAYS_A8 " Tag=" SAYS_B8 " "
      "ProcessId=4242 Count=3" },
    { "Process/WakeDropPreserveProcess", 84, 2, 4, A4 B4 "92100000 03000000", "Object=" SAYS_A4 " Tag=" SAYS_B4
      " ProcessId=4242 Count=3" },
    { "Process/WakeEventPreserveProcess", 100, 2, 4, A4, "Object=" SAYS_A4 },
    { "Process/InSwap", 35, 2, 4, "00f03f02 92100000", "DirectoryTableBase=0x23ff000 ProcessId=4242" },
    { "Process/DebugEvent", 112, 2, 8, "92100000 64000000 01000000", "ProcessId=4242 ThreadId=100 "
      "Reason=1:Received" },
};

static const vector loader_vectors[] = {
    { "Image/Load", 10, 1, 4, "00004000 00200100 e8030000 6100 0000", "ImageBase=0x400000 ImageSize=73728 "
      "ProcessId=1000 FileName='a'" },
    { "Image/UnLoad", 2, 0, 8, "0000400000000000 00200100 6100 0000", "BaseAddress=0x400000 ModuleSize=73728 "
      "ImageFileName='a'" },
    { "Image/ProcessInitDone", 132, 2, 8, "", "" },
    { "Image/DllMainExit", 150, 2, 4, "0000400000000000", "BaseAddress=0x400000" },
    { "Image/DllMainEnter", 163, 3, 4, "0000400000000000 01 ff 6100 0000", "BaseAddress=0x400000 "
      "ErrorOpcode=1 Code=-1 String='a'" },
    { "Image/NewDllLoad", 176, 3, 8, "0000400000000000 0000500000000000 04000000 6100 0000",
      "NewDllBaseAddress=0x400000 ParentDllBaseAddress=0x500000 LoadReason=4:DynamicLoad FilePath='a'" },
    { "Image/NewDllLoadAsData", 177, 3, 4, "00004000 00005000 ffffffff 6100 0000",
      "NewDllBaseAddress=0x400000 ParentDllBaseAddress=0x500000 LoadReason=4294967295:Unknown FilePath='a'" },
    { "Image/DllSearchPathExternal", 192, 3, 8, "0000400000000000 00 01 6100 0000 6200 0000",
      "BaseAddress=0x400000 ErrorOpcode=0 Code=1 String1='a' String2='b'" },
    { "Image/DllSearchResults", 212, 3, 8, "01000000 02000000 03000000 00000000 6100 0000",
      "LdrLoadFlags=0x1 LdrSearchFlags=0x2 SearchInfo=0x3 LoadReason=0:StaticDependency FullDllName='a'" },
    { "Image/DllPathSearchResults", 213, 3, 8, "03000000 6100 0000 0000 6200 0000 6300 0000",
      "SearchInfo=0x3 Cwd='a' AppDir='' DllDir='b' DllLoadDir='c'" },
};

// ---- Registry -----------------------------------------------------------------------------------------------------

static const vector registry_vectors[] = {
    { "Registry/Create", 10, 0, 8, "0000000000000000" A8 "e803000000000000 5200 0000",
      "Status=0x00000000 KeyHandle=" SAYS_A8 " ElapsedTime=1000 KeyName='R'" },
    { "Registry/Flush", 21, 0, 4, "220000c0" A4 "e803000000000000 5200 0000",
      "Status=0xc0000022 KeyHandle=" SAYS_A4 " ElapsedTime=1000 KeyName='R'" },
    { "Registry/RunDown", 22, 1, 8, "220000c000000000" A8 "e803000000000000 07000000 5200 0000",
      "Status=0xc0000022 KeyHandle=" SAYS_A8 " ElapsedTime=1000 Index=7 KeyName='R'" },
    { "Registry/Open", 11, 1, 4, "220000c0" A4 "e803000000000000 07000000 5200 0000",
      "Status=0xc0000022 KeyHandle=" SAYS_A4 " ElapsedTime=1000 Index=7 KeyName='R'" },
    { "Registry/KCBCreate", 22, 2, 8, "f203000000000000 00000000 00000000" A8 "5c00 5200 0000",
      "InitialTime=5001000 Status=0x00000000 Index=0 KeyHandle=" SAYS_A8 " KeyName='\\R'" },
    { "Registry/QueryValue", 16, 2, 4, "e803000000000000 340000c0 02000000" A4 "5200",
      "InitialTime=5000000 Status=0xc0000034 Index=2 KeyHandle=" SAYS_A4 " KeyName='R'" },
    { "Registry/QuerySecurity", 29, 2, 8, "e803000000000000 00000000 00000000 0000000000000000 0000",
      "InitialTime=5000000 Status=0x00000000 Index=0 KeyHandle=0x0 KeyName=''" },
    { "Registry/TxRCommit", 30, 2, 8, "d4a86f3d05fed0119dda00c04fd7ba7c 00000000 03000000 f203000000000000 4800 "
      "0000",
      "TxrGUID=3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c Status=0x00000000 UowCount=3 OperationTime=5001000 Hive='H'" },
    { "Registry/Counters", 34, 2, 4,
      "0100000000000000 0200000000000000 0300000000000000 0400000000000000 0500000000000000 0600000000000000"
      "0700000000000000 0800000000000000 0900000000000000 0a00000000000000 0b00000001000000",
      "OpenedKeys=1 DelayCloseKCBs=2 PrivateAllocPages=3 PrivateAllocFree=4 PrivateAllocUsed=5 LookupCacheHit=6 "
      "LookupCacheMissFound=7 LookupCacheMissNotFound=8 ViewMap=9 ViewUnMap=10 HiveShrink=4294967307" },
    { "Registry/Config", 35, 2, 8, "01000000", "CurrentControlSet=1" },
    { "Registry/HiveInit", 36, 2, 8, A8 "01000000 434d3235 00100000 4800 0000",
      "Hive=" SAYS_A8 " OperationType=1 PoolTag='CM25' Size=4096 FileName='H'" },
    { "Registry/HiveInit", 36, 2, 4, A4 "01000000 434d3235 00100000 4800 0000",
      "Hive=" SAYS_A4 " OperationType=1 PoolTag='CM25' Size=4096 FileName='H'" },
    { "Registry/HiveDestroy", 37, 2, 8, A8 "4800 0000 5000 0000", "Hive=" SAYS_A8 " FileName='H' Path='P'" },
    { "Registry/HiveLink", 38, 2, 4, A4 "5000 0000", "Hive=" SAYS_A4 " Path='P'" },
    { "Registry/HiveDCEnd", 39, 2, 8, "0010000000000000" A8 "05000000 4800 0000 5000 0000",
      "Size=4096 Hive=" SAYS_A8 " LoadedKeyCount=5 FileName='H' LinkPath='P'" },
    { "Registry/HiveDCEnd", 39, 2, 4, "0010000000000000" A4 "05000000 4800 0000 5000 0000",
      "Size=4096 Hive=" SAYS_A4 " LoadedKeyCount=5 FileName='H' LinkPath='P'" },
    { "Registry/HiveDirty", 40, 2, 4, A4 "5000 0000 09000000", "Hive=" SAYS_A4 " LinkPath='P' DirtyReason=9" },
    { "Registry/ChangeNotify", 48, 2, 8, A8 B8 "01 01 00", "Notification=" SAYS_A8 " KeyHandle=" SAYS_B8 " "
      "Type=1 WatchSubtree=1 Primary=0" },
    { "Registry/ChangeNotify", 48, 2, 4, A4 B4 "01 00 01", "Notification=" SAYS_A4 " KeyHandle=" SAYS_B4 " "
      "Type=1 WatchSubtree=0 Primary=1" },
    { "Registry/NotifDeliver", 49, 2, 4, A4 "0102", "Notification=" SAYS_A4 " Data=0102" },
    { "Registry/NotifDeliver", 49, 2, 8, A8, "Notification=" SAYS_A8 },
};

// ---- Memory -------------------------------------------------------------------------------------------------------

static const vector pool_vectors[] = {
    { "Pool/PoolAllocation", 32, 2, 8, "00020000 4e746673 0010000000000000" A8,
      "Type=0x200:NX Tag='Ntfs' NumberOfBytes=4096 Entry=" SAYS_A8 },
    { "Pool/PoolFree", 34, 2, 4, "01000010 49726f00 00100000" A4,
      "Type=0x10000001:PAGED|BIG Tag='Iro' NumberOfBytes=4096 Entry=" SAYS_A4 },
    { "Pool/SessionPoolAllocation", 33, 2, 8, "21000000 47646920 1000000000000000" A8 "01000000",
      "Type=0x21:PAGED|SESSION Tag='Gdi ' NumberOfBytes=16 Entry=" SAYS_A8 " SessionId=1" },
    { "Pool/SessionPoolFree", 35, 2, 4, "21000000 47646920 10000000" A4 "01000000",
      "Type=0x21:PAGED|SESSION Tag='Gdi ' NumberOfBytes=16 Entry=" SAYS_A4 " SessionId=1" },
};

static const vector heap_vectors[] = {
    { "Heap/Create", 32, 0, 8, A8 "02000000", "HeapHandle=" SAYS_A8 " HeapFlags=0x2:GROWABLE" },
    { "Heap/Create", 32, 2, 4, A4 "02000000", "HeapHandle=" SAYS_A4 " HeapFlags=0x2:GROWABLE" },
    { "Heap/Create", 32, 3, 8, A8 "03100000 0000100000000000 0020000000000000 0010000000000000",
      "HeapHandle=" SAYS_A8 " HeapFlags=0x1003:NO_SERIALIZE|GROWABLE ReservedSpace=1048576 CommittedSpace=8192 "
      "AllocatedSpace=4096" },
    { "Heap/Create", 32, 3, 4, A4 "03100000 00001000 00200000 00100000",
      "HeapHandle=" SAYS_A4 " HeapFlags=0x1003:NO_SERIALIZE|GROWABLE ReservedSpace=1048576 CommittedSpace=8192 "
      "AllocatedSpace=4096" },
    { "Heap/Alloc", 33, 0, 8, A8 "4000000000000000" B8 "02000000",
      "HeapHandle=" SAYS_A8 " AllocSize=64 AllocAddress=" SAYS_B8 " SourceId=2:LowFragmentation" },
    { "Heap/Alloc", 33, 3, 4, A4 "40000000" B4 "06000000",
      "HeapHandle=" SAYS_A4 " AllocSize=64 AllocAddress=" SAYS_B4 " SourceId=6:SegmentHeap" },
    { "Heap/ReAlloc", 34, 3, 8, A8 B8 C8 "8000000000000000 4000000000000000 03000000",
      "HeapHandle=" SAYS_A8 " NewAllocAddress=" SAYS_B8 " OldAllocAddress=" SAYS_C8 " NewAllocSize=128 "
      "OldAllocSize=64 SourceId=3:MainPath" },
    { "Heap/ReAlloc", 34, 1, 4, A4 B4 C4 "80000000 40000000 03000000",
      "HeapHandle=" SAYS_A4 " NewAllocAddress=" SAYS_B4 " OldAllocAddress=" SAYS_C4 " NewAllocSize=128 "
      "OldAllocSize=64 SourceId=3:MainPath" },
    { "Heap/Destroy", 35, 2, 8, A8, "HeapHandle=" SAYS_A8 },
    { "Heap/Walk", 46, 2, 4, A4, "HeapHandle=" SAYS_A4 },
    { "Heap/Free", 36, 2, 8, A8 B8 "01000000", "HeapHandle=" SAYS_A8 " FreeAddress=" SAYS_B8 " "
      "SourceId=1:Lookaside" },
    { "Heap/Free", 36, 2, 4, A4 B4 "01000000", "HeapHandle=" SAYS_A4 " FreeAddress=" SAYS_B4 " "
      "SourceId=1:Lookaside" },
    { "Heap/Expand", 37, 2, 8, A8 "0010000000000000" B8 "0001000000000000 0020000000000000 0000100000000000 "
      "03000000",
      "HeapHandle=" SAYS_A8 " CommittedSize=4096 CommitAddress=" SAYS_B8 " FreeSpace=256 CommittedSpace=8192 "
      "ReservedSpace=1048576 NoOfUCRs=3" },
    { "Heap/Contract", 42, 3, 4, A4 "00100000" B4 "00010000 00200000 00001000 03000000 00080000",
      "HeapHandle=" SAYS_A4 " CommittedSize=4096 CommitAddress=" SAYS_B4 " FreeSpace=256 CommittedSpace=8192 "
      "ReservedSpace=1048576 NoOfUCRs=3 "
      "AllocatedSpace=2048" },
    { "Heap/SnapShot", 38, 3, 8,
      A8 "0001000000000000 0020000000000000 0000100000000000 02000000 92100000 0040000000000000 05000000 06000000 "
      "0008000000000000",
      "HeapHandle=" SAYS_A8 " FreeSpace=256 CommittedSpace=8192 ReservedSpace=1048576 HeapFlags=0x2:GROWABLE "
      "ProcessId=4242 "
      "LargeUCRSpace=16384 FreeListLength=5 UCRLength=6 AllocatedSpace=2048" },
    { "Heap/SnapShot", 38, 1, 4, A4 "00010000 00200000 00001000 02000000 92100000 00400000 05000000 06000000",
      "HeapHandle=" SAYS_A4 " FreeSpace=256 CommittedSpace=8192 ReservedSpace=1048576 HeapFlags=0x2:GROWABLE "
      "ProcessId=4242 "
      "LargeUCRSpace=16384 FreeListLength=5 UCRLength=6" },
    { "Heap/SubsegmentAlloc", 47, 2, 8, A8 B8 "0010000000000000 2000000000000000",
      "HeapHandle=" SAYS_A8 " SubSegment=" SAYS_B8 " SubSegmentSize=4096 BlockSize=32" },
    { "Heap/SubsegmentFreeCached", 50, 2, 4, A4 B4 "00100000 20000000",
      "HeapHandle=" SAYS_A4 " SubSegment=" SAYS_B4 " SubSegmentSize=4096 BlockSize=32" },
    { "Heap/Commit", 51, 2, 8, A8 B8 "0010000000000000 08000000", "HeapHandle=" SAYS_A8 " Block=" SAYS_B8 " "
      "Size=4096 Caller=8:CommitBlock" },
    { "Heap/Decommit", 52, 2, 4, A4 B4 "00100000 07000000", "HeapHandle=" SAYS_A4 " Block=" SAYS_B4 " "
      "Size=4096 Caller=7:DecommitBlock" },
    { "Heap/SubsegmentInit", 53, 2, 8, A8 B8 "2000000000000000 7f00000000000000 01000000",
      "HeapHandle=" SAYS_A8 " SubSegment=" SAYS_B8 " BlockSize=32 BlockCount=127 AffinityIndex=1" },
    { "Heap/AffinityManagerEnable", 54, 2, 4, A4 "03000000", "HeapHandle=" SAYS_A4 " BucketIndex=3" },
    { "Heap/AffinitySlotAssigned", 55, 2, 8, "04000000", "SlotIndex=4" },
    { "Heap/SubSegmentActivated", 56, 2, 8, A8 B8, "HeapHandle=" SAYS_A8 " SubSegment=" SAYS_B8 },
    { "Heap/AffinitySlotChanged", 57, 2, 4, A4 B4 "04000000", "Heap=" SAYS_A4 " SubSegment=" SAYS_B4 " "
      "SlotIndex=4" },
    { "Heap/SubsegmentReuseThresholdActivated", 58, 2, 8, A8 B8 "03000000", "Heap=" SAYS_A8 " SubSegment="
      SAYS_B8 " BucketIndex=3" },
};

static const vector critical_section_vectors[] = {
    { "CritSec/Collision", 34, 2, 8, "feffffff a00f0000 6400000000000000" A8,
      "LockCount=4294967294 SpinCount=4000 OwningThread=100 Address=" SAYS_A8 },
    { "CritSec/Collision", 34, 2, 4, "feffffff a00f0000 64000000" A4, "LockCount=4294967294 SpinCount=4000 "
      "OwningThread=100 Address=" SAYS_A4 },
    { "CritSec/Initialize", 35, 2, 8, "a00f000000000000" A8, "SpinCount=4000 Address=" SAYS_A8 },
    { "CritSec/Initialize", 35, 2, 4, "a00f0000" A4, "SpinCount=4000 Address=" SAYS_A4 },
};

// ---- Objects ------------------------------------------------------------------------------------------------------

static const vector object_vectors[] = {
    { "Object/CreateHandle", 32, 2, 8, A8 "04020080 0700", "Object=" SAYS_A8 " Handle=0x80000204 ObjectType=7"
      },
    { "Object/CloseHandle", 33, 2, 4, A4 "04020000 0700 6100 0000", "Object=" SAYS_A4 " Handle=0x204 "
      "ObjectType=7 ObjectName='a'" },
    { "Object/DuplicateHandle", 34, 2, 8, A8 "04020000 08030000 92100000 0700",
      "Object=" SAYS_A8 " SourceHandle=0x204 TargetHandle=0x308 TargetProcessId=4242 ObjectType=7" },
    { "Object/DuplicateHandle", 34, 3, 4, A4 "04020000 08030000 92100000 0700 04000000",
      "Object=" SAYS_A4 " SourceHandle=0x204 TargetHandle=0x308 TargetProcessId=4242 ObjectType=7 SourceProcessId=4"
      },
    { "Object/TypeDCEnd", 37, 2, 8, "0700 ffff 4600 6900 6c00 6500 0000", "ObjectType=7 TypeName='File'" },
    { "Object/HandleDCStart", 38, 2, 8, A8 "92100000 04020000 0700 6100 0000",
      "Object=" SAYS_A8 " ProcessId=4242 Handle=0x204 ObjectType=7 ObjectName='a'" },
    { "Object/HandleDCEnd", 39, 2, 4, A4 "92100000 04020000 0700 0000",
      "Object=" SAYS_A4 " ProcessId=4242 Handle=0x204 ObjectType=7 ObjectName=''" },
    { "Object/CreateObject", 48, 2, 8, A8 "0700", "Object=" SAYS_A8 " ObjectType=7" },
    { "Object/DeleteObject", 49, 2, 4, A4 "0700", "Object=" SAYS_A4 " ObjectType=7" },
    { "Object/ReferenceObject", 50, 2, 8, A8 "44666c74 01000000", "Object=" SAYS_A8 " Tag='Dflt' Count=1" },
    { "Object/DereferenceObject", 51, 2, 4, A4 "44666c74 02000000", "Object=" SAYS_A4 " Tag='Dflt' Count=2" },
};

static const vector alpc_vectors[] = {
    { "ALPC/SendMessage", 33, 2, 8, "39300000", "MessageID=12345" },
    { "ALPC/ReceiveMessage", 34, 2, 4, "39300000", "MessageID=12345" },
    { "ALPC/WaitForReply", 35, 2, 8, "393000", " +3 !" },
    { "ALPC/WaitForNewMessage", 36, 2, 8, "01000000 5c525043 00", "IsServerPort=1 PortName='\\RPC'" },
    { "ALPC/WaitForNewMessage", 36, 2, 4, "00000000 00", "IsServerPort=0 PortName=''" },
    { "ALPC/Unwait", 37, 2, 8, "02010000", "Status=0x00000102" },
};

static const vector job_vectors[] = {
    { "Job/Create", 32, 2, 8, "d4a86f3d05fed0119dda00c04fd7ba7c 04020000 01000000 00000000",
      "JobId=3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c JobHandle=0x204 Flags=0x1 Status=0x00000000" },
    { "Job/AssignProcess", 35, 0, 4, "d4a86f3d05fed0119dda00c04fd7ba7c 04020000 92100000 220000c0",
      "JobId=3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c JobHandle=0x204 UniqueProcessId=4242 Status=0xc0000022" },
    { "Job/RemoveProcess", 36, 2, 8, "d4a86f3d05fed0119dda00c04fd7ba7c 92100000 02000000 00000000",
      "JobId=3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c UniqueProcessId=4242 RemovalFlags=0x2 ExitStatus=0x00000000" },
    { "Job/QueryViolation", 43, 2, 8, "d4a86f3d05fed0119dda00c04fd7ba7c 04020000 0d000000 0102",
      "JobId=3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c JobHandle=0x204 JobObjectInformationClass=13:LimitViolation "
      "Data=0102" },
    { "Job/SendNotification", 42, 2, 8, "d4a86f3d05fed0119dda00c04fd7ba7c 07000000",
      "JobId=3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c NotificationId=7:EXIT_PROCESS" },
    { "Job/SetCpuRate", 44, 2, 8, "05000000 88130000", "AllFlags=0x5:ENABLE|HARD_CAP Value=5000" },
    { "Job/SetNetRate", 45, 2, 4, "03000000 00000000 40420f0000000000 2e", "Flags=0x3:ENABLE|MAX_BANDWIDTH "
      "MaxBandwidth=1000000 DscpTag=46" },
};

static const vector state_vectors[] = {
    { "WNF/Subscribe", 32, 2, 8, "7518bca33e04c641" A8 B8 C8 "02000000 01000000",
      "StateName=0x41c6043ea3bc1875 Subscription=" SAYS_A8 " NameSub=" SAYS_B8 " Callback=" SAYS_C8 " RefCount=2 "
      "DeliveryFlags=0x1" },
    { "WNF/Callback", 34, 2, 4, "7518bca33e04c641" A4 B4 C4 "03000000 01000000 00000000",
      "StateName=0x41c6043ea3bc1875 Subscription=" SAYS_A4 " NameSub=" SAYS_B4 " Callback=" SAYS_C4 " ChangeStamp=3 "
      "DeliveryFlags=0x1 "
      "Return=0x00000000" },
    { "WNF/Publish", 35, 2, 8, "7518bca33e04c641 08000000", "StateName=0x41c6043ea3bc1875 DataLength=8" },
    { "WNF/NameSubRundown", 36, 2, 8, "7518bca33e04c641" A8, "StateName=0x41c6043ea3bc1875 NameSub=" SAYS_A8 },
};

static const vector thread_pool_vectors[] = {
    { "ThreadPool/CallbackEnqueue", 32, 2, 8, A8 B8 C8 A8 "0500000000000000",
      "PoolId=" SAYS_A8 " TaskId=" SAYS_B8 " Callback=" SAYS_C8 " Context=" SAYS_A8 " SubProcessTag=5" },
    { "ThreadPool/CallbackStart", 34, 2, 4, A4 B4 C4 A4 "05000000",
      "PoolId=" SAYS_A4 " TaskId=" SAYS_B4 " Callback=" SAYS_C4 " Context=" SAYS_A4 " SubProcessTag=5" },
    { "ThreadPool/CallbackDequeue", 33, 2, 8, B8, "TaskId=" SAYS_B8 },
    { "ThreadPool/CallbackStop", 35, 2, 4, A4 B4 C4 A4 "05000000",
      "TaskId=" SAYS_A4 " Task=" SAYS_B4 " Callback=" SAYS_C4 " Context=" SAYS_A4 " SubProcessTag=5" },
    { "ThreadPool/CallbackCancel", 36, 2, 8, B8 "02000000", "TaskId=" SAYS_B8 " CancelCount=2" },
    { "ThreadPool/PoolClose", 38, 2, 4, A4, "PoolId=" SAYS_A4 },
    { "ThreadPool/ThreadMaxSet", 40, 2, 8, A8 "f4010000", "PoolId=" SAYS_A8 " ThreadNum=500" },
    { "ThreadPool/WorkerNumaNodeSwitch", 41, 2, 8, A8 "00000000 01000000 0200 0300 04000000 05000000",
      "PoolId=" SAYS_A8 " CurrentNode=0 NextNode=1 CurrentGroup=2 NextGroup=3 CurrentWorkerCount=4 "
      "NextWorkerCount=5" },
    { "ThreadPool/TimerSet", 42, 2, 8, "80969800 00000000" A8 B8 "e8030000 32000000 01000000",
      "DueTime=10000000 SubQueue=" SAYS_A8 " Timer=" SAYS_B8 " Period=1000 WindowLength=50 Absolute=1" },
    { "ThreadPool/TimerSet", 42, 2, 4, "806967ff ffffffff" A4 B4 "e8030000 32000000 00000000",
      "DueTime=-10000000 SubQueue=" SAYS_A4 " Timer=" SAYS_B4 " Period=1000 WindowLength=50 Absolute=0" },
    { "ThreadPool/TimerCancelled", 43, 2, 4, A4 B4, "SubQueue=" SAYS_A4 " Timer=" SAYS_B4 },
    { "ThreadPool/TimerSetNtTimer", 44, 2, 8, "8096980000000000" A8 "32000000", "DueTime=10000000 SubQueue="
      SAYS_A8 " TolerableDelay=50" },
    { "ThreadPool/TimerExpirationEnd", 47, 2, 8, A8, "SubQueue=" SAYS_A8 },
    { "ThreadPool/TimerExpiration", 48, 2, 4, "8096980000000000" A4 B4 "e8030000 32000000",
      "DueTime=10000000 SubQueue=" SAYS_A4 " Timer=" SAYS_B4 " Period=1000 WindowLength=50" },
};

static const vector branch_vectors[] = {
    { "Spare1/LbrRecord", 32, 2, 8, "f203000000000000 92100000 64000000 05000000 00000000" A8 B8
      "0000000000000000",
      "TimeStamp=5001000 ProcessId=4242 ThreadId=100 Options=0x5 Branches={ From=" SAYS_A8 " To=" SAYS_B8 " "
      "Misc=0x0" },
    { "Spare1/LbrRecord", 32, 2, 4, "f203000000000000 92100000 64000000 05000000" A4 B4 "00000000" B4 C4
      "01000000",
      "TimeStamp=5001000 ProcessId=4242 ThreadId=100 Options=0x5 Branches={ From=" SAYS_A4 " To=" SAYS_B4 " Misc=0x0 "
      "Branches={ From=" SAYS_B4 " To=" SAYS_C4 " Misc=0x1" },
};

// ---- Power --------------------------------------------------------------------------------------------------------

static const vector power_vectors[] = {
    { "Power/BatteryLifeInfo", 32, 0, 8, "50c30000 e8030000", "RemainingCapacity=50000 Rate=1000" },
    { "Power/IdleStateChange", 33, 2, 8, "01000000 02000000 03000000", "State=1 Throttle=2 Direction=3" },
    { "Power/SetPowerAction", 34, 2, 8, A8 "02000000 04000000", "Trigger=" SAYS_A8 " PowerAction=2:Sleep "
      "LightestState=4:Sleeping3" },
    { "Power/SetPowerAction", 34, 2, 4, A4 "03000000 05000000", "Trigger=" SAYS_A4 " PowerAction=3:Hibernate "
      "LightestState=5:Hibernate" },
    { "Power/SetPowerActionRet", 35, 2, 8, A8 "00000000", "Object=" SAYS_A8 " Status=0x00000000" },
    { "Power/PoNotifyDeviceComplete", 39, 2, 4, A4 "bb0000c0", "Object=" SAYS_A4 " Status=0xc00000bb" },
    { "Power/SetDevicesState", 36, 2, 8, "01000000 01 00 02", "SystemState=1:Working Waking=1 Shutdown=0 "
      "IrpMinor=2:SET_POWER" },
    { "Power/SetDevicesStateRet", 37, 2, 8, "010000c0", "Status=0xc0000001" },
    { "Power/PoNotifyDevice", 38, 2, 8, A8 B8 "05 16 02 ff 01000000 04000000 02000000 4100 0000",
      "Irp=" SAYS_A8 " DriverStart=" SAYS_B8 " OrderLevel=5 MajorFunction=22:POWER MinorFunction=2:SET_POWER "
      "Type=1:Device State=4 "
      "DeviceNameLength=2 DeviceName='A'" },
    { "Power/PoNotifyDevice", 38, 2, 4, A4 B4 "05 16 00 ff 00000000 04000000 02000000 4100",
      "Irp=" SAYS_A4 " DriverStart=" SAYS_B4 " OrderLevel=5 MajorFunction=22:POWER MinorFunction=0:WAIT_WAKE "
      "Type=0:System State=4 "
      "DeviceNameLength=2 DeviceName='A'" },
    { "Power/PoSessionCallout", 40, 2, 8, "02000000 04000000 04000080 01000000",
      "SystemAction=2:Sleep MinSystemState=4:Sleeping3 Flags=0x80000004 PowerStateTask=1" },
    { "Power/PoPreSleep", 48, 2, 8, "f203000000000000 8096980000000000", "PerformanceCounter=1010 "
      "PerformanceFrequency=10000000" },
    { "Power/PoPostSleep", 49, 2, 4, "f203000000000000", "PerformanceCounter=1010" },
    { "Power/PpmPerfStateChange", 51, 2, 8, "01000000 02000000 03000000 00000000 ff00000000000080",
      "Type=1 NewState=2 OldState=3 Result=0x00000000 Processors=0x80000000000000ff" },
    { "Power/PpmIdleStateChange", 53, 2, 4, "02000000 03000000 0100000000000000", "NewState=2 OldState=3 "
      "Processors=0x1" },
    { "Power/PpmThermalConstraint", 54, 2, 4, "64000000 ffffffff 0300000000000000", "Constraint=100 "
      "Processors=0x3" },
    { "Power/PpmIdleStateEnter", 57, 2, 8, "02000000 01000000 1027000000000000", "State=2 Flags=0x1 "
      "ExpectedDuration=10000" },
    { "Power/PpmIdleStateExit", 58, 2, 8, "02000000 00000000", "State=2 Status=0" },
    { "Power/IdleExitLatency", 60, 2, 8, "01000000 02000000 03000000 04000000 05000000",
      "Flags=0x1 PlatformState=2 ProcessorState=3 ReturnLatency=4 TotalLatency=5" },
    { "Power/PpmIdleProcessorSelection", 61, 2, 8, "01000000 02000000 07000000 08000000", "SelectedState=1 "
      "VetoedStates=2 VetoReason=7,8" },
    { "Power/PpmIdlePlatformSelection", 62, 2, 8, "01000000 00000000", "SelectedState=1 VetoedStates=0" },
};

// clang-format on

TABLE(context_switch)
TABLE(ready_thread)
TABLE(lock)
TABLE(thread)
TABLE(user_scheduler)
TABLE(process)
TABLE(loader)
TABLE(registry)
TABLE(pool)
TABLE(heap)
TABLE(critical_section)
TABLE(object)
TABLE(alpc)
TABLE(job)
TABLE(state)
TABLE(thread_pool)
TABLE(branch)
TABLE(power)

// ---- Versions without a layout of their own -----------------------------------------------------------------------

START_TEST(newer_version)
{
    /* Version 9 of a heap's allocation, four bytes longer than the highest one known: nothing of it is lost. */
    static const vector longer = { "Heap/Alloc",
                                   33,
                                   9,
                                   4,
                                   A4 "40000000" B4 "06000000 78563412",
                                   "HeapHandle=" SAYS_A4 " AllocSize=64 AllocAddress=" SAYS_B4
                                   " SourceId=6:SegmentHeap +4" };
    kernel_layout l;

    check(&longer, 0);
    ck_assert_uint_eq(kit_number(&k, "AllocSize"), 64);
    kernel_by_group(0x10, 33, 9, 4, &l);
    ck_assert_int_eq(l.exact, 0);
    ck_assert_int_eq(l.known, 1);
    ck_assert_uint_eq(l.version, 3);
    kernel_by_group(0x10, 33, 2, 4, &l); /* one of its own, though it shares the layout with others */
    ck_assert_int_eq(l.exact, 1);
    ck_assert_uint_eq(l.version, 2);
}
END_TEST

START_TEST(nearest_version)
{
    kernel_layout l;

    kernel_by_group(0x09, 30, 1, 8, &l); /* older than all: the oldest */
    ck_assert(l.known && !l.exact);
    ck_assert_uint_eq(l.version, 2);
    kernel_by_group(0x09, 22, 0, 8, &l); /* in version 1 under another name */
    ck_assert_str_eq(l.name, "RunDown");
    ck_assert_uint_eq(l.version, 1);
    kernel_by_group(0x09, 22, 77, 8, &l);
    ck_assert_str_eq(l.name, "KCBCreate");
    ck_assert_uint_eq(l.version, 2);
    kernel_by_group(0x09, 33, 2, 8, &l); /* a name without a layout has no version */
    ck_assert_str_eq(l.name, "SetValueEx");
    ck_assert(!l.known && !l.exact);
    kernel_by_guid(kernel_group_guid(0x05), 36, 70000, 8, &l); /* a class record's version may exceed a byte */
    ck_assert(l.known && !l.exact);
    ck_assert_uint_eq(l.version, 5);
}
END_TEST

// ---- All that there is --------------------------------------------------------------------------------------------

typedef struct seen {
    unsigned types, names_only, stop_after;
    int cswitch, load, marker, threshold;
} seen;

static int see(void *context, const tw_type *t)
{
    static const uint8_t thread[16] = { 0xd1, 0xa8, 0x6f, 0x3d, 0x05, 0xfe, 0xd0, 0x11,
                                        0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c };
    seen *s = context;
    text why = { 0 };

    ck_assert_uint_eq(t->size, sizeof *t);
    ck_assert_uint_eq(t->pointer, 8);
    ck_assert_uint_eq(t->number, t->opcode);
    ck_assert(t->origin ? !strcmp(t->origin, "built in") && !t->why : t->why && !t->nfields);
    ck_assert_msg(types_publish(k.types, t, &why) != 0, "%s/%s: %s", t->provider, t->name, text_of(&why));
    text_free(&why);
    s->types++;
    s->names_only += !t->origin;
    if (!strcmp(t->provider, "Thread") && t->number == 36 && t->version == 2) {
        s->cswitch = 1;
        ck_assert_str_eq(t->name, "CSwitch");
        ck_assert_str_eq(t->key, "kernel:05");
        ck_assert_mem_eq(t->guid, thread, 16);
        ck_assert_uint_eq(t->nfields, 13);
        ck_assert_str_eq(t->field[12].name, "Extra");
    } else if (!strcmp(t->provider, "Image") && t->number == 10 && t->version == 3) {
        s->load = 1;
        ck_assert_str_eq(t->key, "kernel:03"); /* the group in which it arrives */
    } else if (!strcmp(t->provider, "Image") && t->number == 2 && t->version == 3) {
        ck_assert_str_eq(t->key, "kernel:14");
    } else if (!strcmp(t->provider, "EventTrace") && t->number == 8) {
        s->marker = 1; /* no payload, but known */
        ck_assert_uint_eq(t->nfields, 0);
        ck_assert_str_eq(t->origin, "built in");
    } else if (!strcmp(t->provider, "PerfTrackMetadata") && t->number == 34) {
        s->threshold = 1;
        ck_assert_ptr_null(t->key); /* a class without a group */
        ck_assert_uint_eq(t->version, 1);
    }
    return s->types == s->stop_after ? TW_ERROR : TW_OK;
}

START_TEST(each_type)
{
    seen all = { 0 }, three = { .stop_after = 3 };

    ck_assert_int_eq(kernel_each(see, &all), TW_OK);
    ck_assert_uint_ge(all.types, 400);
    ck_assert_uint_ge(all.names_only, 20);
    ck_assert(all.cswitch && all.load && all.marker && all.threshold);
    ck_assert_int_eq(kernel_each(see, &three), TW_ERROR);
    ck_assert_uint_eq(three.types, 3);
}
END_TEST

static void add_tests(TCase *c)
{
    tcase_add_test(c, context_switch);
    tcase_add_test(c, ready_thread);
    tcase_add_test(c, lock);
    tcase_add_test(c, thread);
    tcase_add_test(c, user_scheduler);
    tcase_add_test(c, process);
    tcase_add_test(c, loader);
    tcase_add_test(c, registry);
    tcase_add_test(c, pool);
    tcase_add_test(c, heap);
    tcase_add_test(c, critical_section);
    tcase_add_test(c, object);
    tcase_add_test(c, alpc);
    tcase_add_test(c, job);
    tcase_add_test(c, state);
    tcase_add_test(c, thread_pool);
    tcase_add_test(c, branch);
    tcase_add_test(c, power);
    tcase_add_test(c, newer_version);
    tcase_add_test(c, nearest_version);
    tcase_add_test(c, each_type);
}

int main(void)
{
    return kit_run("kernel_vectors", add_tests, open_kit, close_kit) ? EXIT_FAILURE : EXIT_SUCCESS;
}
