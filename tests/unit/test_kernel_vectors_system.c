/* test_kernel_vectors_system.c - payloads of interrupts, timers, stacks and machines, and what is in them.

   Bytes and expectations were written by hand from the layouts' descriptions, for pointers of 8 and of 4 bytes where
   that matters; above all of events that no real trace at hand holds. */
#include "kernel_kit.h"

// clang-format off

// ---- PerfInfo -----------------------------------------------------------------------------------------------------

static const vector sample_vectors[] = {
    { "PerfInfo/SampleProf", 46, 2, 8, "ac8393b006f8ffff4420000001000000",
      "InstructionPointer=0xfffff806b09383ac ThreadId=8260 Count=1 Flags=0x0 Rank=0" },
    { "PerfInfo/SampleProf", 46, 1, 4, A4 "44200000 0100", "InstructionPointer=" SAYS_A4 " ThreadId=8260 Count=1" },
    { "PerfInfo/SampleProfNmi", 71, 2, 4, A4 "44200000 0100 5a 01",
      "InstructionPointer=" SAYS_A4 " ThreadId=8260 Count=1 Flags=0x5a:Isr Rank=1" },
    { "PerfInfo/SampledProfileCache", 55, 2, 8,
      "02000000 cdcdcdcd" A8 "e8030000 0100 01 00" B8 "ec030000 0200 02 03",
      "Entries=2 Samples={ InstructionPointer=" SAYS_A8 " ThreadId=1000 Count=1 Flags=0x1:Dpc Rank=0 "
      "Samples={ InstructionPointer=" SAYS_B8 " ThreadId=1004 Count=2 Flags=0x2:Isr Rank=3" },
    { "PerfInfo/SampledProfileCache", 55, 2, 4, "01000000" A4 "e8030000 0100 00 00",
      "Entries=1 Samples={ InstructionPointer=" SAYS_A4 " ThreadId=1000 Count=1 Flags=0x0 Rank=0" },
};

static const vector counter_vectors[] = {
    { "PerfInfo/PmcCounterProf", 47, 2, 8, A8 "e8030000 1300 0000",
      "InstructionPointer=" SAYS_A8 " ThreadId=1000 ProfileSource=19:TotalCycles" },
    { "PerfInfo/PmcCounterProf", 47, 2, 4, A4 "e8030000 0410 0000",
      "InstructionPointer=" SAYS_A4 " ThreadId=1000 ProfileSource=4100" },
    { "PerfInfo/PmcCtrConfig", 48, 2, 8, "02000000 410042000000 43000000",
      "CounterCount=2 CounterName='AB','C'" },
    { "PerfInfo/PmcCtrConfig", 48, 2, 8, "03000000 410042000000", "CounterCount=3 CounterName='AB' !" },
    { "PerfInfo/PmcCtrCorruption", 49, 2, 8, "03000000 02000000 0100",
      "ProcessorNumber=3 CounterCount=2 CounterStatus=0100" },
    { "PerfInfo/SetInterval", 72, 3, 8, "00000000 10270000 40420f00 5400 0000",
      "Source=0:Time NewInterval=10000 OldInterval=1000000 SourceName='T'" },
};

static const vector interrupt_vectors[] = {
    { "PerfInfo/DPC", 68, 2, 8, "de03000000000000" A8, "InitialTime=4999000 Routine=" SAYS_A8 },
    { "PerfInfo/ThreadedDPC", 66, 1, 8, "de03000000000000" A8, "InitialTime=4999000 Routine=" SAYS_A8 },
    { "PerfInfo/TimerDPC", 69, 2, 4, "de03000000000000" A4, "InitialTime=4999000 Routine=" SAYS_A4 },
    { "PerfInfo/IOTimer", 70, 2, 4, "de03000000000000" A4, "InitialTime=4999000 Routine=" SAYS_A4 },
    { "PerfInfo/DPC", 68, 2, 8, "0000000000000000", "InitialTime=4900000 !" },
    { "PerfInfo/ISR", 67, 2, 8, "de03000000000000" A8 "01 b101 00", /* the vector lies at an odd offset */
      "InitialTime=4999000 Routine=" SAYS_A8 " ReturnValue=1 Vector=433" },
    { "PerfInfo/ISR", 67, 2, 4, "de03000000000000" A4 "00 b101 00",
      "InitialTime=4999000 Routine=" SAYS_A4 " ReturnValue=0 Vector=433" },
    { "PerfInfo/ISR", 67, 1, 4, "de03000000000000" A4 "01000000",
      "InitialTime=4999000 Routine=" SAYS_A4 " ReturnValue=1" },
    { "PerfInfo/ISR-Passive", 95, 2, 8, "de03000000000000" A8 "01 3300 00",
      "InitialTime=4999000 Routine=" SAYS_A8 " ReturnValue=1 Vector=51" },
    { "PerfInfo/ISR-MSI", 50, 2, 8, "de03000000000000" A8 "01 b101 00 02000000",
      "InitialTime=4999000 Routine=" SAYS_A8 " ReturnValue=1 Vector=433 MessageNumber=2" },
    { "PerfInfo/ISR-MSI", 50, 2, 4, "de03000000000000" A4 "01 b101 00 02000000",
      "InitialTime=4999000 Routine=" SAYS_A4 " ReturnValue=1 Vector=433 MessageNumber=2" },
    { "PerfInfo/ISR-Unexpected", 92, 2, 8, "b101", "Vector=433" },
    { "PerfInfo/WdfDPC", 98, 2, 4, A4, "Routine=" SAYS_A4 },
    { "PerfInfo/DpcEnqueue", 100, 2, 8, A8 "ffffffff 02000000 03000000 01 cdcdcd",
      "Key=" SAYS_A8 " DpcQueueDepth=-1 DpcCount=2 TargetProcessorIndex=3 Importance=1" },
    { "PerfInfo/DpcExecution", 101, 2, 4, A4 B4, "DpcRoutine=" SAYS_A4 " Key=" SAYS_B4 },
    { "PerfInfo/Ipi", 91, 2, 8, "02000000 03000000", "RequestType=2 TargetProcessor=3" },
};

static const vector system_call_vectors[] = {
    { "PerfInfo/SysClEnter", 51, 2, 8, A8, "SysCallAddress=" SAYS_A8 },
    { "PerfInfo/SysClEnter", 51, 2, 4, A4, "SysCallAddress=" SAYS_A4 },
    { "PerfInfo/SysClExit", 52, 2, 8, "220000c0", "SysCallNtStatus=0xc0000022" },
    { "PerfInfo/SysClExit", 52, 2, 4, "00000000", "SysCallNtStatus=0x00000000" },
    { "PerfInfo/KernelHypercall", 114, 2, 8, "5c000000 01 00", "CallCode=0x5c IsFast=1 IsNested=0" },
    { "PerfInfo/CpuCacheFlush", 99, 2, 8, A8 "4000000000000000 01 00 00 cd cdcdcdcd",
      "Address=" SAYS_A8 " Bytes=64 Clean=1 FullFlush=0 Rectangle=0" },
    { "PerfInfo/SpinLockDCStart", 75, 2, 8, "01000000 02000000 03000000",
      "SpinLockSpinThreshold=1 SpinLockContentionSampleRate=2 SpinLockAcquireSampleRate=3" },
    { "PerfInfo/SpinLockDCEnd", 76, 3, 8, "01000000 02000000 03000000 04000000",
      "SpinLockSpinThreshold=1 SpinLockContentionSampleRate=2 SpinLockAcquireSampleRate=3 SpinLockHoldThreshold=4" },
    { "PerfInfo/EResourceDCStart", 77, 2, 8, "01000000 02000000 03000000",
      "ReleaseSamplingRate=1 ContentionSamplingRate=2 NumberOfExcessiveTimeouts=3" },
    { "PerfInfo/Mark", 34, 2, 8, "73746172740000 00", "Text='start'" },
    { "PerfInfo/DebuggerEnabled", 58, 2, 8, "", "" },
};

static const vector timer_vectors[] = {
    { "PerfInfo/ClockInterrupt", 79, 2, 8, "0a00000000000000 0900",
      "InterruptTime=10 Flags=0x9:ClockOwner|TimerPending" },
    { "PerfInfo/ClockInterrupt", 79, 2, 8, "0a00000000000000 0100 cdcdcdcdcdcd",
      "InterruptTime=10 Flags=0x1:ClockOwner" },
    { "PerfInfo/TimerExpirationStart", 80, 2, 8, "0a00000000000000", "InterruptTime=10" },
    { "PerfInfo/TimerExpiration", 81, 2, 8, "0a00000000000000" A8 B8 "07 cdcdcdcdcdcdcd",
      "ExpectedDueTime=10 TimerAddress=" SAYS_A8 " DeferredRoutine=" SAYS_B8 " EncodedDelay=7" },
    { "PerfInfo/TimerSetOneShot", 83, 2, 8, "0a00000000000000" A8 "0100 02 06 e8030000 07 cd cdcd cdcdcdcd",
      "ExpectedDueTime=10 TimerAddress=" SAYS_A8 " TargetProcessorGroup=1 TargetProcessorIndex=2 "
      "Flags=0x6:Dpc|IdleResilient Period=1000 EncodedDelay=7" },
    { "PerfInfo/TimerSetPeriodic", 82, 2, 4, "0a00000000000000" A4 "0100 02 00 e8030000 07 cd cdcd",
      "ExpectedDueTime=10 TimerAddress=" SAYS_A4 " TargetProcessorGroup=1 TargetProcessorIndex=2 "
      "Flags=0x0 Period=1000 EncodedDelay=7" },
    { "PerfInfo/TimerCancel", 85, 2, 4, A4, "TimerAddress=" SAYS_A4 },
    { "PerfInfo/ClockModeSwitch", 87, 2, 8, "01 02 cdcdcdcdcdcd 6162020000000000 1027000000000000",
      "NewState=1 PrevState=2 Data=156257,10000" },
    { "PerfInfo/ClockTimeUpdate", 88, 2, 8, "0a00000000000000 03000000", "InterruptTime=10 ClockOwner=3" },
    { "PerfInfo/ClockConfiguration", 90, 2, 8, "03000000 00000001 02000000",
      "KnownType=3 Capabilities=0x1000000 DisableReason=2:NoHwSupport" },
    { "PerfInfo/IoStartTimer", 93, 2, 8, A8 B8, "DeviceObject=" SAYS_A8 " TimerRoutine=" SAYS_B8 },
    { "PerfInfo/SetKTimer2", 104, 2, 8, "0a00000000000000 0b00000000000000 0c00000000000000" A8 B8 C8 "03",
      "DueTime=10 MaximumDueTime=11 Period=12 Timer=" SAYS_A8 " Callback=" SAYS_B8 " CallbackContext=" SAYS_C8
      " TimerFlags=0x3:HasCallback|Periodic" },
    { "PerfInfo/ExpireKTimer2", 105, 2, 4, "0a00000000000000 0b00000000000000 0c00000000000000" A4 B4 C4 "20 cdcdcd",
      "DueTime=10 MaximumDueTime=11 Period=12 Timer=" SAYS_A4 " Callback=" SAYS_B4 " CallbackContext=" SAYS_C4
      " TimerFlags=0x20:NoWakeFinite" },
    { "PerfInfo/DisableKTimer2", 107, 2, 8, A8 B8 C8 "09 cdcdcdcdcdcdcd",
      "Timer=" SAYS_A8 " DisableCallback=" SAYS_B8 " DisableContext=" SAYS_C8
      " TimerFlags=0x9:Cancel|HasDisableCallback" },
    { "PerfInfo/FinalizeKTimer2", 108, 2, 4, A4 B4 C4,
      "Timer=" SAYS_A4 " DisableCallback=" SAYS_B4 " DisableContext=" SAYS_C4 },
};

// ---- StackWalk ----------------------------------------------------------------------------------------------------

static const vector stack_vectors[] = {
    { "StackWalk/Stack", 32, 2, 8,
      "f203000000000000 44200000 44200000 ac8393b006f8ffff 09e365b006f8ffff 9b2d50b006f8ffff",
      "EventTimeStamp=5001000 StackProcess=8260 StackThread=8260 "
      "Stack=0xfffff806b09383ac,0xfffff806b065e309,0xfffff806b0502d9b" },
    { "StackWalk/Stack", 32, 2, 8, "f203000000000000 01000000 02000000",
      "EventTimeStamp=5001000 StackProcess=1 StackThread=2" },
    { "StackWalk/Stack", 32, 2, 4, "f203000000000000 01000000 02000000" A4 B4,
      "EventTimeStamp=5001000 StackProcess=1 StackThread=2 Stack=" SAYS_A4 "," SAYS_B4 },
    { "StackWalk/Stack", 32, 2, 8, "f203000000000000 01000000 02000000" A8 "0102", /* half a frame */
      "EventTimeStamp=5001000 StackProcess=1 StackThread=2 Stack=" SAYS_A8 " +2" },
    { "StackWalk/KeyDelete", 35, 2, 8, A8 B8 C8, "key=" SAYS_A8 " StackFrame=" SAYS_B8 "," SAYS_C8 },
    { "StackWalk/KeyCreate", 34, 2, 4, A4 B4, "key=" SAYS_A4 " StackFrame=" SAYS_B4 },
    { "StackWalk/StackKeyKernel", 37, 2, 8, "f203000000000000 01000000 02000000" A8,
      "EventTimeStamp=5001000 StackProcess=1 StackThread=2 StackKey=" SAYS_A8 },
    { "StackWalk/StackKeyUser", 38, 2, 4, "f203000000000000 01000000 02000000" A4,
      "EventTimeStamp=5001000 StackProcess=1 StackThread=2 StackKey=" SAYS_A4 },
};

// ---- What is merged into a trace ----------------------------------------------------------------------------------

#define RSDS "0000607e05f8ffff 00000000 b1e3b1af5437a78b3b92c060d6d5605f 01000000 "
#define SAYS_RSDS "ImageBase=0xfffff8057e600000 ProcessId=0 Guid=afb1e3b1-3754-8ba7-3b92-c060d6d5605f Age=1"

static const vector image_vectors[] = {
    { "ImageID/DbgID_RSDS", 36, 2, 8, RSDS "6e746b726e6c6d702e70646200", SAYS_RSDS " PdbName='ntkrnlmp.pdb'" },
    { "ImageID/DbgID_RSDS", 36, 2, 8, RSDS "6e746b726e6c6d702e706462", SAYS_RSDS " PdbName='ntkrnlmp.pdb'" },
    { "ImageID/DbgID_ILRSDS", 37, 2, 8, RSDS "433a5c5f5f775c312e70646200", SAYS_RSDS " PdbName='C:\\__w\\1.pdb'" },
    { "ImageID/DbgID_RSDS", 36, 2, 8, RSDS, SAYS_RSDS " !" },
    { "ImageID/DbgID_RSDS", 36, 2, 8, "0000607e05f8ffff 00000000 b1e3b1af5437a78b3b92c060d6d5605f 010000",
      "ImageBase=0xfffff8057e600000 ProcessId=0 Guid=afb1e3b1-3754-8ba7-3b92-c060d6d5605f +3 !" },
    { "ImageID/DbgID_RSDS", 36, 2, 4, "00004000 e8030000 b1e3b1af5437a78b3b92c060d6d5605f 02000000 6100",
      "ImageBase=0x400000 ProcessId=1000 Guid=afb1e3b1-3754-8ba7-3b92-c060d6d5605f Age=2 PdbName='a'" },
    { "ImageID/ImageID", 0, 2, 4, "00004000 00200100 e8030000 11223344 6100 0000",
      "ImageBase=0x400000 ImageSize=73728 ProcessId=1000 TimeDateStamp=0x44332211 OriginalFileName='a'" },
    { "ImageID/DbgID_PPDB", 38, 2, 4, "00004000 e8030000 11223344 0001 4d50",
      "ImageBase=0x400000 ProcessId=1000 TimeDateStamp=0x44332211 MajorVersion=0x100 MinorVersion=0x504d" },
    { "ImageID/DbgID_DBG", 34, 2, 4, "00004000 e8030000 01000000 11223344 00300000 6100 0000",
      "ImageBase=0x400000 ProcessId=1000 CheckSum=0x1 TimeDateStamp=0x44332211 SizeOfImage=12288 DbgName='a'" },
    { "ImageID/DbgID_Deterministic", 40, 1, 4, "00004000 e8030000", "ImageBase=0x400000 ProcessId=1000" },
    { "ImageID/DbgID_EmbeddedPPDB", 39, 1, 4,
      "00004000 e8030000 0001 0001 b1e3b1af5437a78b3b92c060d6d5605f 01000000",
      "ImageBase=0x400000 ProcessId=1000 MajorVersion=0x100 MinorVersion=0x100 "
      "Guid=afb1e3b1-3754-8ba7-3b92-c060d6d5605f Age=1" },
};

static const vector merged_vectors[] = {
    { "SystemConfigEx/VolumeMapping", 35, 0, 4, "5c004100 0000 43003a00 0000", "NtPath='\\A' DosPath='C:'" },
    { "SystemConfigEx/BuildInfo", 32, 0, 8, "01803ed5deb19d01 4200 0000 5000 0000",
      "InstallDate=100 BuildLab='B' ProductName='P'" },
    { "SystemConfigEx/DeviceInfo", 37, 0, 8, "01000000 00000a00 03000000 00000000",
      "Unknown0=0x1 Unknown1=0xa0000 Unknown2=0x3 Unknown3=0x0" },
    { "WinSAT/Metrics", 35, 0, 8, "02000000 ca0e0000 5db300", "State=2 UncompressedLength=3786 Lznt1Data=5db300" },
    { "PerfTrackMetadata/Threshold", 34, 1, 8, "5479706963616c00 60ea0000", "Name='Typical' Milliseconds=60000" },
    { "MMCSS/Scheduler", 34, 0, 8, "e8030000 ec030000 18000000 02000000",
      "ScheduledPID=1000 ScheduledTID=1004 SchedulingPriority=24 TaskIndex=2" },
    { "MMCSS/Wakeup", 35, 0, 8, "01000000", "Reason=1" },
    { "MMCSS/Sleep", 36, 0, 8, "", "" },
    { "Lost_Event/RTLostBuffer", 33, 0, 8, "", "" },
    { "DbgPrint/DebugPrint", 32, 2, 8, "65000000 03000000 6869 00", "Component=101 Level=3 Message='hi'" },
};

// ---- SystemConfig -------------------------------------------------------------------------------------------------

static const vector machine_vectors[] = {
    { "SystemConfig/NumaNode", 24, 2, 8,
      "02000000 ff00000000000000 0000 000000000000 00ff000000000000 0100 000000000000",
      "NodeCount=2 Nodes={ Mask=0xff Group=0 Nodes={ Mask=0xff00 Group=1" },
    { "SystemConfig/ProcessorGroup", 26, 2, 4, "02000000 ff000000 0f000000", "GroupCount=2 Affinity=0xff,0xf" },
    { "SystemConfig/ProcessorNumber", 27, 2, 8, "02000000 0000 00 00 0100 3f 00",
      "ProcessorCount=2 ProcessorNumber={ Group=0 Number=0 ProcessorNumber={ Group=1 Number=63" },
    { "SystemConfig/Power", 16, 0, 8, "00 00 01 01 01 00 00 00", "S1=0 S2=0 S3=1 S4=1 S5=1 AoAc=0" },
    { "SystemConfig/IRQ", 21, 1, 8, "0f00000000000000 0e000000 02000000 6100 0000",
      "IRQAffinity=0xf IRQNum=14 DeviceDescriptionLen=2 DeviceDescription='a'" },
    { "SystemConfig/IRQ", 21, 3, 8, "0f00000000000000 0100 0000 0e000000 02000000 6100 0000",
      "IRQAffinity=0xf IRQGroup=1 IRQNum=14 DeviceDescriptionLen=2 DeviceDescription='a'" },
    { "SystemConfig/Services", 15, 2, 8, "e8030000 04000000 07000000 6100 0000 6200 0000 6300 0000",
      "ProcessId=1000 ServiceState=4:Running SubProcessTag=7 ServiceName='a' DisplayName='b' ProcessName='c'" },
    { "SystemConfig/PnP", 22, 1, 8, "01000000 01000000 01000000 6100 0000 6200 0000 6300 0000",
      "IDLength=1 DescriptionLength=1 FriendlyNameLength=1 DeviceID='a' DeviceDescription='b' FriendlyName='c'" },
    { "SystemConfig/PnP", 22, 5, 8,
      "b1e3b1af5437a78b3b92c060d6d5605f 02000000 01000000 0a000001 1c000000"
      "6100 0000 6200 0000 6300 0000 6400 0000 6500 0000 6600 0000 6700 0000 6800 0000",
      "ClassGuid=afb1e3b1-3754-8ba7-3b92-c060d6d5605f UpperFiltersCount=2 LowerFiltersCount=1 "
      "DevStatus=0x100000a:DRIVER_LOADED|STARTED|NT_DRIVER DevProblem=28:FAILED_INSTALL DeviceID='a' "
      "DeviceDescription='b' FriendlyName='c' PdoName='d' ServiceName='e' UpperFilters='f','g' LowerFilters='h'" },
    { "SystemConfig/MobilePlatform", 32, 4, 8,
      "6100 0000 6200 0000 6300 0000 6400 0000 6500 0000 6600 0000 6700 0000",
      "DeviceManufacturer='a' DeviceManufacturerDisplayName='b' DeviceModel='c' DeviceModelDisplayName='d' "
      "MobileOperator='e' SocVersion='f' BspVersion='g'" },
    { "SystemConfig/MobilePlatform", 32, 3, 8,
      "6100 0000 6200 0000 6300 0000 6400 0000 6500 0000 6600 0000 6700 0000",
      "DeviceManufacturer='a' DeviceManufacturerDisplayName='b' DeviceModel='c' DeviceModelDisplayName='d' "
      "MobileOperator='e' Others='f','g'" },
    { "SystemConfig/BootConfigInfo", 37, 2, 8, "0100000000000000 02000000 01 01 00 00",
      "BootFlags=0x1 FirmwareType=2:UEFI SecureBootEnabled=1 SecureBootCapable=1" },
    { "SystemConfig/CodeIntegrity", 29, 2, 8, "05000000", "CodeIntegrityInfo=0x5:ENABLED|UMCI_ENABLED" },
    { "SystemConfig/OpticalDisk", 18, 2, 8,
      "0100 0b00 0200 0300 0000000000000000 0010000000000000 0100000000000000 0200000000000000 0300000000000000"
      "01000000 02000000 00080000 0400 0500 4400 0000 5500 0000 4100 4200",
      "DiskNumber=1 BusType=11:Sata DeviceType=2 MediaType=3 StartingOffset=0 Size=4096 NumberOfFreeBlocks=1 "
      "TotalNumberOfBlocks=2 NextWritableAddress=3 NumberOfSessions=1 NumberOfTracks=2 BytesPerSector=2048 "
      "DiscStatus=4 LastSessionStatus=5 DriveLetter='D' FileSystemName='U' DeviceName='A' ManufacturerName='B'" },
    { "SystemConfig/NIC", 13, 2, 8, "00155d7c58280000 06000000 0c000000 0d000000 6e00 0000 3100 0000 3200 0000",
      "PhysicalAddr=00155d7c58280000 PhysicalAddrLen=6 Ipv4Index=12 Ipv6Index=13 NICDescription='n' "
      "IpAddresses='1' DnsServerAddresses='2'" },
};

// clang-format on

/* Of CPU the texts take so many bytes that the rest is looked at alone. */
START_TEST(cpu)
{
    static const struct {
        unsigned version, pointer, domain, flag_at;
    } of[] = { { 1, 8, 264, 796 }, { 1, 4, 264, 796 }, { 2, 8, 268, 800 }, { 3, 4, 268, 800 } };
    uint8_t bytes[828] = { 0 };
    kernel_layout l;

    for (size_t i = 0; i < COUNT_OF(of); i++) {
        ck_assert_uint_eq(20 + 512 + of[i].domain, of[i].flag_at);
        memset(bytes, 0, sizeof bytes);
        bytes[8] = 64;
        bytes[20] = 'c';
        bytes[532] = 'd';
        bytes[of[i].flag_at] = 3;
        kernel_by_group(0x0B, 10, of[i].version, of[i].pointer, &l);
        ck_assert(l.exact);
        kit_type(&k, l.field, l.nfields, (uint8_t)of[i].pointer);
        kit_bytes(&k, bytes, of[i].flag_at + of[i].pointer);
        ck_assert_uint_eq(kit_number(&k, "MemSize"), 64);
        ck_assert_str_eq(kit_show(&k, "ComputerName"), "c");
        ck_assert_str_eq(kit_show(&k, "DomainName"), "d");
        ck_assert_uint_eq(kit_number(&k, "HyperThreadingFlag"), 3);
    }
    bytes[804] = 0xff; /* version 3 beside 4-byte pointers: HighestUserAddress, architecture, …, MemorySpeed */
    bytes[808] = 12;
    bytes[812] = 0x34;
    bytes[814] = 1;
    bytes[815] = 1;
    bytes[816] = 0x80;
    bytes[817] = 0x0c;
    kit_bytes(&k, bytes, 820);
    ck_assert_uint_eq(kit_number(&k, "HighestUserAddress"), 0xff);
    ck_assert_str_eq(kit_show(&k, "ProcessorArchitecture"), "ARM64");
    ck_assert_uint_eq(kit_number(&k, "ProcessorRevision"), 0x34);
    ck_assert_uint_eq(kit_number(&k, "NxEnabled"), 1);
    ck_assert_uint_eq(kit_number(&k, "MemorySpeed"), 3200);
}
END_TEST

START_TEST(network_interface)
{
    uint8_t bytes[1352] = { 0 };
    kernel_layout l;

    bytes[8] = 12;
    bytes[28] = 'E';
    bytes[1056] = 6;
    bytes[1128] = 71;
    bytes[1152] = 5;
    bytes[1156] = 1;
    bytes[1164] = 1;
    bytes[1201] = 1; /* ReceiveLinkSpeed */
    bytes[1344] = 9; /* the last counter */
    kernel_by_guid(class_named("SystemConfigEx/")->guid, 36, 0, 4, &l);
    kit_type(&k, l.field, l.nfields, 4);
    kit_bytes(&k, bytes, sizeof bytes);
    ck_assert_uint_eq(kit_number(&k, "InterfaceIndex"), 12);
    ck_assert_str_eq(kit_show(&k, "Alias"), "E");
    ck_assert_uint_eq(kit_number(&k, "PhysicalAddressLength"), 6);
    ck_assert_str_eq(kit_show(&k, "Type"), "WiFi");
    ck_assert_str_eq(kit_show(&k, "InterfaceAndOperStatusFlags"), "HardwareInterface|ConnectorPresent");
    ck_assert_str_eq(kit_show(&k, "OperStatus"), "Up");
    ck_assert_str_eq(kit_show(&k, "MediaConnectState"), "Connected");
    ck_assert_uint_eq(kit_number(&k, "ReceiveLinkSpeed"), 256);
    ck_assert_uint_eq(kit_number(&k, "OutBroadcastOctets"), 0);
    ck_assert_uint_eq(kit_number(&k, "OutQLen"), 9);
}
END_TEST

TABLE(sample)
TABLE(counter)
TABLE(interrupt)
TABLE(system_call)
TABLE(timer)
TABLE(stack)
TABLE(image)
TABLE(merged)
TABLE(machine)

static void add_tests(TCase *c)
{
    tcase_add_test(c, sample);
    tcase_add_test(c, counter);
    tcase_add_test(c, interrupt);
    tcase_add_test(c, system_call);
    tcase_add_test(c, timer);
    tcase_add_test(c, stack);
    tcase_add_test(c, image);
    tcase_add_test(c, merged);
    tcase_add_test(c, machine);
    tcase_add_test(c, cpu);
    tcase_add_test(c, network_interface);
}

int main(void)
{
    return kit_run("kernel_vectors_system", add_tests, open_kit, close_kit) ? EXIT_FAILURE : EXIT_SUCCESS;
}
