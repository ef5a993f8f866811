/* test_kernel_layouts.c - that no event of the kernel is missing.

   One idea: the table below was made from descriptions of the events, not from the data files, and says of each event
   in which versions it is known and how many bytes of fixed size its payload begins with, beside pointers of 8 and of
   4 bytes. What follows behind them is not checked here: test_kernel_vectors*.c do that. */
#include "kernel.h"
#include "kernel_tables.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what {
    NAME,  /* at least its name is known */
    NONE,  /* has no payload, or none that is public */
    KNOWN, /* has fields */
};

typedef struct expected {
    const char *class;
    enum what what;
    unsigned first, last;  /* versions */
    unsigned large, small; /* bytes of fixed size beside pointers of 8, of 4 bytes */
    const char *events;    /* "opcode name opcode name ..." */
} expected;

// clang-format off
static const expected all[] = {
    { "EventTrace", KNOWN, 0, 2, 72, 64, "0 Header" }, /* up to the time zone, a struct */
    { "EventTrace", KNOWN, 2, 2, 36, 36, "5 Extension 32 EndExtension" },
    { "EventTrace", NONE, 0, 2, 0, 0, "8 RDComplete" },
    { "EventTrace", NONE, 2, 2, 0, 0, "48 RundownBegin 49 RundownEnd" },
    { "EventTrace", KNOWN, 2, 2, 20, 20, "64 DbgIdRSDS" },
    { "EventTrace", NAME, 2, 2, 0, 0, "65 DbgIdNB10" },
    { "EventTrace", KNOWN, 2, 2, 0, 0, "66 BuildInfo" },
    { "EventTrace", KNOWN, 2, 2, 4, 4, "67 ProviderBinaryPath" },
    { "EventTrace", KNOWN, 2, 2, 48, 48, "80 PartitionInfoExtension" },
    { "EventTrace", KNOWN, 2, 2, 8, 8, "82 LastDroppedTimes" },
    { "DiskIo", KNOWN, 3, 3, 52, 44, "10 Read 11 Write 55 OpticalRead 56 OpticalWrite" },
    { "DiskIo", KNOWN, 2, 2, 48, 40, "10 Read 11 Write" },
    { "DiskIo", KNOWN, 1, 1, 40, 36, "10 Read 11 Write" },
    { "DiskIo", KNOWN, 0, 0, 32, 28, "10 Read 11 Write" },
    { "DiskIo", KNOWN, 3, 3, 12, 8, "12 ReadInit 13 WriteInit 15 FlushInit 58 OpticalReadInit 59 OpticalWriteInit "
      "60 OpticalFlushInit" },
    { "DiskIo", KNOWN, 2, 2, 8, 4, "12 ReadInit 13 WriteInit 15 FlushInit" },
    { "DiskIo", KNOWN, 3, 3, 28, 24, "14 FlushBuffers 57 OpticalFlushBuffers" },
    { "DiskIo", KNOWN, 2, 2, 24, 20, "14 FlushBuffers" },
    { "DiskIo", KNOWN, 2, 3, 16, 8, "16 RedirectedInit" },
    { "DiskIo", KNOWN, 2, 2, 36, 24, "34 DrvMjFnCall" },
    { "DiskIo", KNOWN, 1, 1, 36, 24, "34 DrvMjFnCall" },
    { "DiskIo", KNOWN, 2, 2, 12, 8, "35 DrvMjFnRet 53 DrvComplReqRet" },
    { "DiskIo", KNOWN, 1, 1, 12, 8, "35 DrvMjFnRet" },
    { "DiskIo", KNOWN, 2, 2, 20, 12, "37 DrvComplRout" },
    { "DiskIo", KNOWN, 1, 2, 20, 12, "52 DrvComplReq" },
    { "DiskIo", NAME, 0, 255, 0, 0, "32 DriverInit 33 DriverInitComplete 36 DrvComplRoutCall 38 AddDeviceCall "
      "39 AddDeviceRet 40 StartIoCall 41 StartIoRet 48 PrefetchAction 49 PrefetchRequest 50 PrefetchReadList "
      "51 PrefetchRead" },
    { "DiskIo", KNOWN, 2, 2, 12, 12, "54 BootPrefetchInformation" },
    { "PageFault", KNOWN, 2, 2, 16, 8, "10 TransitionFault 11 DemandZeroFault 12 CopyOnWrite 13 GuardPageFault "
      "14 HardPageFault 15 AccessViolation 135 PfMappedSectionObjectCreate 136 PfMappedSectionObjectDelete" },
    { "PageFault", KNOWN, 2, 2, 40, 32, "32 HardFault" },
    { "PageFault", KNOWN, 2, 2, 24, 16, "35 PageInMemory 117 PageInMemoryActive 118 PageAccess 130 PageAccessEx "
      "98 VirtualAlloc 99 VirtualFree" },
    { "PageFault", NAME, 0, 255, 0, 0, "33 RemovePageByColor 34 RemovePageFromList 36 InsertInFreeList "
      "37 InsertInModifiedList 38 InsertInList 40 InsertAtFront 41 UnlinkFromStandby 42 UnlinkFreeOrZero "
      "43 WorkingSetManager 44 TrimProcess 46 ZeroShareCount 60 WsInfoProcess 69 FaultAddrWithIp 70 TrimSession "
      "71 MemorySnapLite 74 WsInfoSession 115 InMemoryStoreFault 114 FileStoreFault 116 CompressedPage "
      "119 PageRelease 120 PageRangeAccess 121 PageRangeRelease 122 PageCombine 126 MemInfoExSessionWs "
      "131 RemoveFromWS 132 WsShareableRundown 133 InMemoryActiveRundown" },
    { "PageFault", KNOWN, 2, 2, 20, 12, "72 PfMappedSectionRundown 73 PfMappedSectionCreate "
      "79 PfMappedSectionDelete 127 VirtualRotate 134 MemResetInfo 101 HeapRangeCreate" },
    { "PageFault", KNOWN, 2, 2, 12, 8, "75 CreateSession 76 SessionDCEnd 77 SessionDCStart 78 SessionDelete" },
    { "PageFault", KNOWN, 2, 2, 32, 20, "128 VirtualAllocDCStart 129 VirtualAllocDCEnd" },
    { "PageFault", KNOWN, 2, 2, 20, 16, "100 HeapRangeRundown" },
    { "PageFault", KNOWN, 3, 3, 24, 20, "100 HeapRangeRundown" },
    { "PageFault", KNOWN, 4, 4, 28, 24, "100 HeapRangeRundown" },
    { "PageFault", KNOWN, 2, 2, 24, 12, "102 HeapRangeReserve 103 HeapRangeRelease 123 KernelMemUsage" },
    { "PageFault", KNOWN, 2, 2, 8, 4, "104 HeapRangeDestroy" },
    { "PageFault", KNOWN, 2, 2, 16, 12, "105 ImageLoadBacked" },
    { "PageFault", KNOWN, 2, 3, 176, 88, "112 MemInfo" },
    { "PageFault", KNOWN, 2, 2, 16, 16, "113 ContMemGenerate" },
    { "PageFault", KNOWN, 2, 2, 4, 4, "125 MemInfoExWs 124 MmStats" },
    { "Process", KNOWN, 4, 4, 36, 28, "1 Start 2 End 3 DCStart 4 DCEnd 39 Defunct" },
    { "Process", KNOWN, 5, 5, 36, 28, "39 Defunct 1 Start 2 End 3 DCStart 4 DCEnd" },
    { "Process", KNOWN, 3, 3, 32, 24, "1 Start 2 End 3 DCStart 4 DCEnd 39 Defunct" },
    { "Process", KNOWN, 2, 2, 24, 20, "1 Start 2 End 3 DCStart 4 DCEnd 39 Defunct" },
    { "Process", KNOWN, 1, 1, 24, 20, "1 Start 2 End 3 DCStart 4 DCEnd" },
    { "Process", KNOWN, 0, 0, 16, 8, "1 Start 2 End 3 DCStart 4 DCEnd" },
    { "Process", KNOWN, 2, 2, 4, 4, "11 Terminate 38 BootPhaseStart" },
    { "Process", KNOWN, 2, 2, 104, 60, "32 PerfCtr 33 PerfCtrRundown" },
    { "Process", KNOWN, 2, 2, 12, 8, "35 InSwap" },
    { "Process", NAME, 0, 255, 0, 0, "36 Freeze 37 Thaw 40 SetAffinity" },
    { "Process", KNOWN, 2, 2, 24, 16, "48 WakeChargeUser 49 WakeChargeExecution 50 WakeChargeKernel "
      "51 WakeChargeInstrumentation 52 WakeChargePreserveProcess 64 WakeReleaseUser 65 WakeReleaseExecution "
      "66 WakeReleaseKernel 67 WakeReleaseInstrumentation 68 WakeReleasePreserveProcess 80 WakeDropUser "
      "81 WakeDropExecution 82 WakeDropKernel 83 WakeDropInstrumentation 84 WakeDropPreserveProcess" },
    { "Process", KNOWN, 2, 2, 8, 4, "96 WakeEventUser 97 WakeEventExecution 98 WakeEventKernel "
      "99 WakeEventInstrumentation 100 WakeEventPreserveProcess" },
    { "Process", KNOWN, 2, 2, 12, 12, "112 DebugEvent" },
    { "FileIo", KNOWN, 0, 3, 8, 4, "0 Name 32 FileCreate 35 FileDelete 36 FileRundown" },
    { "FileIo", KNOWN, 2, 2, 16, 8, "33 FileNameSame" },
    { "FileIo", KNOWN, 2, 2, 8, 4, "34 FileNameNull" },
    { "FileIo", KNOWN, 2, 2, 36, 24, "37 MapFile 38 UnmapFile 39 MapFileDCStart 40 MapFileDCEnd 64 Create" },
    { "FileIo", KNOWN, 3, 3, 44, 32, "37 MapFile 38 UnmapFile 39 MapFileDCStart 40 MapFileDCEnd 67 Read 68 Write" },
    { "FileIo", KNOWN, 3, 3, 32, 24, "64 Create 78 CreateNew" },
    { "FileIo", KNOWN, 3, 3, 28, 16, "65 Cleanup 66 Close 73 Flush" },
    { "FileIo", KNOWN, 2, 2, 32, 16, "65 Cleanup 66 Close 73 Flush" },
    { "FileIo", KNOWN, 2, 2, 48, 32, "67 Read 68 Write" },
    { "FileIo", KNOWN, 3, 3, 40, 24, "69 SetInfo 70 Delete 71 Rename 74 QueryInfo 75 FSControl 82 SetLink "
      "79 DeletePath 80 RenamePath 81 SetLinkPath" },
    { "FileIo", KNOWN, 2, 2, 44, 24, "69 SetInfo 70 Delete 71 Rename 74 QueryInfo 75 FSControl" },
    { "FileIo", KNOWN, 3, 3, 40, 28, "72 DirEnum 77 DirNotify" },
    { "FileIo", KNOWN, 2, 2, 44, 28, "72 DirEnum 77 DirNotify" },
    { "FileIo", KNOWN, 2, 3, 20, 12, "76 OperationEnd" },
    { "FileIo", KNOWN, 3, 3, 44, 24, "96 PreOpInit 97 PostOpInit" },
    { "FileIo", KNOWN, 3, 3, 52, 32, "98 PreOpCompletion 99 PostOpCompletion" },
    { "FileIo", KNOWN, 3, 3, 48, 28, "100 PreOpFailure 101 PostOpFailure" },
    { "Thread", KNOWN, 3, 4, 68, 40, "1 Start 2 End 3 DCStart 4 DCEnd" },
    { "Thread", KNOWN, 2, 2, 68, 40, "1 Start 2 End 3 DCStart 4 DCEnd" },
    { "Thread", KNOWN, 1, 1, 57, 33, "1 Start 3 DCStart 4 DCEnd" },
    { "Thread", KNOWN, 1, 1, 8, 8, "2 End" },
    { "Thread", KNOWN, 0, 0, 8, 8, "1 Start 2 End 3 DCStart 4 DCEnd" },
    { "Thread", KNOWN, 2, 5, 24, 24, "36 CSwitch" },
    { "Thread", KNOWN, 1, 1, 16, 16, "36 CSwitch" },
    { "Thread", NAME, 2, 2, 0, 0, "37 CompCS" },
    { "Thread", KNOWN, 2, 2, 56, 48, "41 SpinLock" },
    { "Thread", KNOWN, 2, 2, 13, 9, "42 Queue 44 Pushlock" },
    { "Thread", KNOWN, 2, 2, 48, 44, "43 Resource" },
    { "Thread", KNOWN, 2, 2, 17, 9, "45 WaitSingle" },
    { "Thread", KNOWN, 2, 2, 6, 6, "46 WaitMultiple" },
    { "Thread", KNOWN, 2, 2, 16, 16, "47 DelayExecution" },
    { "Thread", KNOWN, 3, 3, 8, 8, "48 SetPriority 49 SetBasePriority 51 SetPagePriority 52 SetIoPriority" },
    { "Thread", KNOWN, 2, 2, 8, 8, "50 ReadyThread 60 AntiStarvationBoost 63 KernelQueueDequeue "
      "69 SubProcessTagChanged 72 SetName" },
    { "Thread", KNOWN, 2, 2, 16, 12, "53 SetAffinity 66 AutoBoostSetFloor 67 AutoBoostClearFloor" },
    { "Thread", KNOWN, 1, 2, 20, 16, "57 WorkerThread" },
    { "Thread", KNOWN, 2, 2, 24, 24, "58 DfssStartNewInterval 59 DfssReleaseThreadOnIdle" },
    { "Thread", KNOWN, 2, 2, 12, 12, "61 ThreadMigration" },
    { "Thread", KNOWN, 2, 2, 12, 8, "62 KernelQueueEnqueue 68 AutoBoostEntryExhaustion" },
    { "Thread", KNOWN, 2, 2, 8, 4, "64 WorkItemStart 65 WorkItemEnd" },
    { "TcpIp", KNOWN, 2, 2, 40, 36, "10 SendIPV4" },
    { "TcpIp", KNOWN, 2, 2, 32, 28, "11 RecvIPV4 13 DisconnectIPV4 14 RetransmitIPV4 16 ReconnectIPV4 "
      "18 TCPCopyIPV4 19 ARPCopy 20 FullACK 21 PartACK 22 DupACK" },
    { "TcpIp", KNOWN, 2, 2, 48, 44, "12 ConnectIPV4 15 AcceptIPV4" },
    { "TcpIp", KNOWN, 2, 2, 4, 4, "17 Fail" },
    { "TcpIp", KNOWN, 2, 2, 64, 60, "26 SendIPV6" },
    { "TcpIp", KNOWN, 2, 2, 56, 52, "27 RecvIPV6 29 DisconnectIPV6 30 RetransmitIPV6 32 ReconnectIPV6 "
      "34 TCPCopyIPV6 33 FailIPV6 35 ARPCopyIPV6 36 FullACKIPV6 37 PartACKIPV6 38 DupACKIPV6" },
    { "TcpIp", KNOWN, 2, 2, 72, 68, "28 ConnectIPV6 31 AcceptIPV6" },
    { "TcpIp", KNOWN, 1, 1, 36, 36, "10 Send" },
    { "TcpIp", KNOWN, 1, 1, 32, 28, "11 Recv 13 Disconnect 14 Retransmit 16 Reconnect 18 TCPCopy 19 ARPCopy "
      "20 FullACK 21 PartACK 22 DupACK" },
    { "TcpIp", KNOWN, 1, 1, 44, 44, "12 Connect 15 Accept" },
    { "TcpIp", KNOWN, 0, 0, 20, 20, "10 Send 11 Recv 12 Connect 13 Disconnect 14 Retransmit 15 Accept" },
    { "Job", KNOWN, 0, 255, 28, 28, "32 Create 33 Terminate 34 Open 35 AssignProcess 36 RemoveProcess" },
    { "Job", KNOWN, 0, 255, 24, 24, "37 Set 38 Query 39 SetFailed 40 QueryFailed 41 SetNotification "
      "43 QueryViolation" },
    { "Job", KNOWN, 0, 255, 20, 20, "42 SendNotification" },
    { "Job", KNOWN, 0, 255, 8, 8, "44 SetCpuRate" },
    { "Job", KNOWN, 0, 255, 17, 17, "45 SetNetRate" },
    { "UdpIp", KNOWN, 2, 2, 32, 28, "10 SendIPV4 11 RecvIPV4" },
    { "UdpIp", KNOWN, 2, 2, 56, 52, "26 SendIPV6 27 RecvIPV6" },
    { "UdpIp", KNOWN, 2, 2, 4, 4, "17 Fail" },
    { "UdpIp", KNOWN, 1, 1, 20, 20, "10 Send 11 Recv" },
    { "UdpIp", KNOWN, 0, 0, 24, 20, "10 Send 11 Recv" },
    { "Registry", KNOWN, 2, 2, 24, 20, "10 Create 11 Open 12 Delete 13 Query 14 SetValue 15 DeleteValue "
      "16 QueryValue 17 EnumerateKey 18 EnumerateValueKey 19 QueryMultipleValue 20 SetInformation 21 Flush "
      "22 KCBCreate 23 KCBDelete 24 KCBRundownBegin 25 KCBRundownEnd 26 Virtualize 27 Close 28 SetSecurity "
      "29 QuerySecurity" },
    { "Registry", KNOWN, 1, 1, 28, 20, "10 Create 11 Open 12 Delete 13 Query 14 SetValue 15 DeleteValue "
      "16 QueryValue 17 EnumerateKey 18 EnumerateValueKey 19 QueryMultipleValue 20 SetInformation 21 Flush "
      "22 RunDown" },
    { "Registry", KNOWN, 0, 0, 24, 16, "10 Create 11 Open 12 Delete 13 Query 14 SetValue 15 DeleteValue "
      "16 QueryValue 17 EnumerateKey 18 EnumerateValueKey 19 QueryMultipleValue 20 SetInformation 21 Flush" },
    { "Registry", KNOWN, 2, 2, 32, 32, "30 TxRCommit 31 TxRPrepare 32 TxRRollback" },
    { "Registry", NAME, 2, 2, 0, 0, "33 SetValueEx" },
    { "Registry", KNOWN, 2, 2, 88, 88, "34 Counters" },
    { "Registry", KNOWN, 2, 2, 4, 4, "35 Config" },
    { "Registry", KNOWN, 2, 2, 20, 16, "36 HiveInit 39 HiveDCEnd" },
    { "Registry", KNOWN, 2, 2, 8, 4, "37 HiveDestroy 38 HiveLink 40 HiveDirty 49 NotifDeliver" },
    { "Registry", KNOWN, 2, 2, 19, 11, "48 ChangeNotify" },
    { "DbgPrint", KNOWN, 2, 2, 8, 8, "32 DebugPrint" },
    { "SystemConfig", KNOWN, 3, 3, 828, 820, "10 CPU" },
    { "SystemConfig", KNOWN, 2, 2, 808, 804, "10 CPU" },
    { "SystemConfig", KNOWN, 0, 1, 804, 800, "10 CPU" },
    { "SystemConfig", KNOWN, 0, 2, 568, 568, "11 PhyDisk" },
    { "SystemConfig", KNOWN, 0, 2, 108, 108, "12 LogDisk" },
    { "SystemConfig", KNOWN, 2, 2, 20, 20, "13 NIC" },
    { "SystemConfig", KNOWN, 0, 1, 584, 584, "13 NIC" },
    { "SystemConfig", KNOWN, 0, 2, 2584, 2584, "14 Video" },
    { "SystemConfig", KNOWN, 3, 3, 12, 12, "15 Services 22 PnP" },
    { "SystemConfig", KNOWN, 2, 2, 12, 12, "15 Services" },
    { "SystemConfig", KNOWN, 0, 1, 652, 652, "15 Services" },
    { "SystemConfig", KNOWN, 0, 2, 8, 8, "16 Power" },
    { "SystemConfig", KNOWN, 2, 2, 16, 16, "17 Network 23 IDEChannel 30 TelemetryConfiguration 33 DeviceFamily "
      "37 BootConfigInfo" },
    { "SystemConfig", KNOWN, 2, 2, 64, 64, "18 OpticalDisk" },
    { "SystemConfig", KNOWN, 2, 2, 8, 8, "19 PhyDiskEx 28 DPI" },
    { "SystemConfig", KNOWN, 3, 3, 20, 20, "21 IRQ" },
    { "SystemConfig", KNOWN, 0, 2, 16, 16, "21 IRQ" },
    { "SystemConfig", KNOWN, 5, 5, 32, 32, "22 PnP" },
    { "SystemConfig", KNOWN, 4, 4, 24, 24, "22 PnP" },
    { "SystemConfig", KNOWN, 0, 2, 12, 12, "22 PnP" },
    { "SystemConfig", KNOWN, 2, 2, 4, 4, "24 NumaNode 26 ProcessorGroup 27 ProcessorNumber 29 CodeIntegrity "
      "36 VirtualizationConfigInfo" },
    { "SystemConfig", KNOWN, 2, 2, 0, 0, "25 Platform 32 MobilePlatform 34 FlightIds" },
    { "SystemConfig", KNOWN, 2, 2, 220, 220, "31 Defragmentation" },
    { "SystemConfig", KNOWN, 4, 4, 0, 0, "32 MobilePlatform" },
    { "SystemConfig", KNOWN, 2, 2, 428, 428, "35 Processors" },
    { "Spare1", KNOWN, 2, 2, 24, 20, "32 LbrRecord" },
    { "WNF", KNOWN, 0, 255, 40, 28, "32 Subscribe 33 Unsubscribe" },
    { "WNF", KNOWN, 0, 255, 44, 32, "34 Callback" },
    { "WNF", KNOWN, 0, 255, 12, 12, "35 Publish" },
    { "WNF", KNOWN, 0, 255, 16, 12, "36 NameSubRundown" },
    { "Pool", KNOWN, 2, 2, 24, 16, "32 PoolAllocation 34 PoolFree" },
    { "Pool", KNOWN, 2, 2, 28, 20, "33 SessionPoolAllocation 35 SessionPoolFree" },
    { "Pool", NAME, 2, 2, 0, 0, "36 AddPoolPage 37 AddPoolPageSession 38 BigPoolPage 39 BigPoolPageSession "
      "40 PoolSnapDCStart 41 PoolSnapDCEnd 42 BigPoolSnapDCStart 43 BigPoolSnapDCEnd 44 SessionPoolSnapDCStart "
      "45 SessionPoolSnapDCEnd 46 SessionBigPoolSnapDCStart 47 SessionBigPoolSnapDCEnd" },
    { "PerfInfo", NAME, 0, 255, 0, 0, "32 RundownCheckpoint 36 AsyncMark 38 ImageName 39 CcCanIWrite 53 Backtrace "
      "54 BacktraceUserStack 56 ExceptionStack 57 BranchTrace 59 DebuggerExit 64 BranchTraceDebug "
      "65 BranchAddressDebug 128 FunctionCall 129 FunctionReturn 130 FunctionEnter 131 FunctionExit 132 TailCall "
      "133 Trap 134 SpinLockAcquire 135 SpinLockRelease 136 CapComment 137 CapRundown" },
    { "PerfInfo", KNOWN, 0, 2, 0, 0, "34 Mark" },
    { "PerfInfo", KNOWN, 2, 2, 16, 12, "46 SampleProf 47 PmcCounterProf 71 SampleProfNmi" },
    { "PerfInfo", KNOWN, 2, 2, 4, 4, "48 PmcCtrConfig 52 SysClExit 123 ContextRegistersARM64" },
    { "PerfInfo", KNOWN, 2, 2, 8, 8, "49 PmcCtrCorruption 80 TimerExpirationStart 87 ClockModeSwitch 91 Ipi" },
    { "PerfInfo", KNOWN, 2, 2, 24, 20, "50 ISR-MSI 100 DpcEnqueue" },
    { "PerfInfo", KNOWN, 2, 2, 8, 4, "51 SysClEnter 55 SampledProfileCache 85 TimerCancel 96 WdfISR "
      "97 WdfPassiveISR 98 WdfDPC 103 WdfWorkItem 106 CancelKTimer2" },
    { "PerfInfo", NONE, 2, 2, 0, 0, "58 DebuggerEnabled" },
    { "PerfInfo", KNOWN, 1, 2, 16, 12, "66 ThreadedDPC 68 DPC 69 TimerDPC 70 IOTimer" },
    { "PerfInfo", KNOWN, 2, 2, 20, 16, "67 ISR 95 ISR-Passive" },
    { "PerfInfo", KNOWN, 1, 1, 20, 16, "67 ISR 95 ISR-Passive" },
    { "PerfInfo", KNOWN, 3, 3, 12, 12, "72 SetInterval 73 CollectionStart 74 CollectionEnd" },
    { "PerfInfo", KNOWN, 2, 2, 12, 12, "72 SetInterval 73 CollectionStart 74 CollectionEnd 77 EResourceDCStart "
      "78 EResourceDCEnd 88 ClockTimeUpdate 90 ClockConfiguration 109 ShouldYieldProcessor" },
    { "PerfInfo", KNOWN, 3, 3, 16, 16, "75 SpinLockDCStart 76 SpinLockDCEnd" },
    { "PerfInfo", KNOWN, 2, 2, 10, 10, "79 ClockInterrupt" },
    { "PerfInfo", KNOWN, 2, 2, 25, 17, "81 TimerExpiration" },
    { "PerfInfo", KNOWN, 2, 2, 28, 24, "82 TimerSetPeriodic 83 TimerSetOneShot 84 TimerSetThread" },
    { "PerfInfo", NAME, 2, 2, 0, 0, "86 TimeAdjustment 89 ClockDynamicTickVeto 102 InterruptSteering" },
    { "PerfInfo", KNOWN, 2, 2, 2, 2, "92 ISR-Unexpected" },
    { "PerfInfo", KNOWN, 2, 2, 16, 8, "93 IoStartTimer 94 IoStopTimer 101 DpcExecution" },
    { "PerfInfo", KNOWN, 2, 2, 24, 16, "99 CpuCacheFlush" },
    { "PerfInfo", KNOWN, 2, 2, 49, 37, "104 SetKTimer2 105 ExpireKTimer2" },
    { "PerfInfo", KNOWN, 2, 2, 25, 13, "107 DisableKTimer2" },
    { "PerfInfo", KNOWN, 2, 2, 24, 12, "108 FinalizeKTimer2" },
    { "PerfInfo", KNOWN, 2, 2, 6, 6, "114 KernelHypercall" },
    { "PerfInfo", KNOWN, 2, 2, 136, 136, "122 ContextRegistersAMD64" },
    { "Heap", KNOWN, 3, 3, 36, 20, "32 Create" },
    { "Heap", KNOWN, 0, 3, 28, 16, "33 Alloc 51 Commit 52 Decommit" },
    { "Heap", KNOWN, 0, 3, 44, 24, "34 ReAlloc" },
    { "Heap", KNOWN, 0, 3, 8, 4, "35 Destroy 43 Lock 44 Unlock 45 Validate 46 Walk" },
    { "Heap", KNOWN, 0, 3, 20, 12, "36 Free 57 AffinitySlotChanged 58 SubsegmentReuseThresholdActivated" },
    { "Heap", KNOWN, 0, 3, 52, 28, "37 Expand 42 Contract" },
    { "Heap", KNOWN, 0, 3, 56, 36, "38 SnapShot" },
    { "Heap", KNOWN, 0, 3, 32, 16, "47 SubsegmentAlloc 48 SubsegmentFree 49 SubsegmentAllocCached "
      "50 SubsegmentFreeCached" },
    { "Heap", KNOWN, 0, 3, 36, 20, "53 SubsegmentInit" },
    { "Heap", KNOWN, 0, 3, 12, 8, "54 AffinityManagerEnable" },
    { "Heap", KNOWN, 0, 3, 4, 4, "55 AffinitySlotAssigned" },
    { "Heap", KNOWN, 0, 3, 16, 8, "56 SubSegmentActivated" },
    { "Object", KNOWN, 2, 2, 14, 10, "32 CreateHandle 33 CloseHandle" },
    { "Object", KNOWN, 2, 3, 22, 18, "34 DuplicateHandle" },
    { "Object", KNOWN, 2, 2, 4, 4, "36 TypeDCStart 37 TypeDCEnd" },
    { "Object", KNOWN, 2, 2, 18, 14, "38 HandleDCStart 39 HandleDCEnd" },
    { "Object", KNOWN, 2, 2, 10, 6, "48 CreateObject 49 DeleteObject" },
    { "Object", KNOWN, 2, 2, 16, 12, "50 ReferenceObject 51 DereferenceObject" },
    { "Power", KNOWN, 0, 255, 8, 8, "32 BatteryLifeInfo 49 PoPostSleep 50 PoCalibratedPerfCounter "
      "58 PpmIdleStateExit 61 PpmIdleProcessorSelection 62 PpmIdlePlatformSelection" },
    { "Power", KNOWN, 0, 255, 12, 12, "33 IdleStateChange" },
    { "Power", KNOWN, 0, 255, 16, 12, "34 SetPowerAction" },
    { "Power", KNOWN, 0, 255, 12, 8, "35 SetPowerActionRet 39 PoNotifyDeviceComplete" },
    { "Power", KNOWN, 0, 255, 7, 7, "36 SetDevicesState" },
    { "Power", KNOWN, 0, 255, 4, 4, "37 SetDevicesStateRet 41 PoSessionCalloutRet" },
    { "Power", KNOWN, 0, 255, 32, 24, "38 PoNotifyDevice" },
    { "Power", KNOWN, 0, 255, 16, 16, "40 PoSessionCallout 48 PoPreSleep 53 PpmIdleStateChange "
      "54 PpmThermalConstraint 57 PpmIdleStateEnter" },
    { "Power", KNOWN, 0, 255, 24, 24, "51 PpmPerfStateChange 52 PpmThrottleStateChange" },
    { "Power", KNOWN, 2, 2, 20, 20, "60 IdleExitLatency" },
    { "Image", KNOWN, 3, 3, 56, 44, "10 Load 2 UnLoad 3 DCStart 4 DCEnd" },
    { "Image", KNOWN, 2, 2, 56, 44, "10 Load 2 UnLoad 3 DCStart 4 DCEnd" },
    { "Image", KNOWN, 1, 1, 20, 12, "10 Load 2 UnLoad 3 DCStart 4 DCEnd" },
    { "Image", KNOWN, 0, 0, 12, 8, "10 Load 2 UnLoad 3 DCStart 4 DCEnd" },
    { "Image", NAME, 2, 2, 0, 0, "32 Relocation" },
    { "Image", KNOWN, 2, 2, 8, 4, "33 KernelBase 34 HypercallPage" },
    { "Image", NONE, 2, 2, 0, 0, "128 LoaderLockAttempt 129 LoaderLockAcquire 130 LoaderLockTriedAndFailed "
      "131 LoaderLockWait 132 ProcessInitDone 133 CreateSectionBegin 134 CreateSectionEnd 135 MapViewBegin" },
    { "Image", KNOWN, 2, 2, 8, 8, "144 RelocateImageBegin 145 RelocateImageEnd 146 HandleOldDescsBegin "
      "147 HandleOldDescsEnd 148 HandleNewDescsBegin 149 HandleNewDescsEnd 150 DllMainExit" },
    { "Image", KNOWN, 2, 3, 10, 10, "160 FindDllByName 161 MapViewEnd 162 LoaderLockRelease 163 DllMainEnter "
      "164 LoaderError 165 MapViewStart 166 SnappingStart 167 SnappingEnd 168 LoadingStart 169 LoadingEnd "
      "170 FoundKnownDll 171 AbnormalTermination 172 ModulePlaceHolder 173 ReadyToInit 174 ReadyToRun "
      "208 ApiSetResolving 209 ApiSetHosted 210 ApiSetUnhosted 211 ApiSetUnresolved" },
    { "Image", KNOWN, 3, 3, 20, 12, "176 NewDllLoad 177 NewDllLoadAsData" },
    { "Image", KNOWN, 3, 3, 10, 10, "192 DllSearchPathExternal 193 DllSearchPathInternal" },
    { "Image", KNOWN, 3, 3, 16, 16, "212 DllSearchResults" },
    { "Image", KNOWN, 3, 3, 4, 4, "213 DllPathSearchResults" },
    { "Cc", KNOWN, 0, 255, 20, 12, "0 WorkItemEnqueue" },
    { "Cc", KNOWN, 0, 255, 8, 4, "1 WorkItemDequeue 2 WorkItemComplete" },
    { "Cc", KNOWN, 0, 255, 32, 32, "3 ReadAhead" },
    { "Cc", NAME, 0, 255, 0, 0, "4 WriteBehind 11 ReadAheadPrefetch" },
    { "Cc", KNOWN, 0, 255, 88, 48, "5 LazyWriteScan" },
    { "Cc", KNOWN, 0, 255, 28, 16, "6 CanIWriteFail" },
    { "Cc", KNOWN, 0, 255, 40, 32, "9 FlushCache 13 LoggedStreamInfo" },
    { "Cc", KNOWN, 0, 255, 32, 24, "10 FlushSection" },
    { "Cc", KNOWN, 0, 255, 72, 64, "12 ScheduleReadAhead" },
    { "Cc", KNOWN, 0, 255, 32, 20, "14 ExtraWriteBehindThread" },
    { "CritSec", NAME, 0, 255, 0, 0, "32 Enter 33 Leave" },
    { "CritSec", KNOWN, 0, 255, 24, 16, "34 Collision" },
    { "CritSec", KNOWN, 0, 255, 16, 8, "35 Initialize" },
    { "StackWalk", KNOWN, 2, 2, 16, 16, "32 Stack" },
    { "StackWalk", KNOWN, 2, 2, 8, 4, "34 KeyCreate 35 KeyDelete 36 KeyRundown" },
    { "StackWalk", KNOWN, 2, 2, 24, 20, "37 StackKeyKernel 38 StackKeyUser" },
    { "UMS", KNOWN, 2, 2, 16, 16, "32 DSwitchStart 33 DSwitchEnd" },
    { "UMS", KNOWN, 2, 2, 12, 12, "34 ScheduledPark" },
    { "UMS", KNOWN, 2, 2, 20, 20, "35 Disassociate 36 CSwitch" },
    { "ALPC", KNOWN, 2, 2, 4, 4, "33 SendMessage 34 ReceiveMessage 35 WaitForReply 36 WaitForNewMessage 37 Unwait" },
    { "ALPC", NAME, 2, 2, 0, 0, "38 ConnectRequest 39 ConnectSuccess 40 ConnectFail 41 ClosePort" },
    { "SplitIo", KNOWN, 2, 2, 16, 8, "32 VolMgr" },
    { "ThreadPool", KNOWN, 0, 255, 40, 20, "32 CallbackEnqueue 34 CallbackStart" },
    { "ThreadPool", KNOWN, 0, 255, 8, 4, "33 CallbackDequeue 35 CallbackStop 37 PoolCreate 38 PoolClose "
      "45 TimerCancelNtTimer 46 TimerExpirationBegin 47 TimerExpirationEnd" },
    { "ThreadPool", KNOWN, 0, 255, 12, 8, "36 CallbackCancel 39 ThreadMinSet 40 ThreadMaxSet" },
    { "ThreadPool", KNOWN, 0, 255, 28, 24, "41 WorkerNumaNodeSwitch" },
    { "ThreadPool", KNOWN, 0, 255, 36, 28, "42 TimerSet" },
    { "ThreadPool", KNOWN, 0, 255, 16, 8, "43 TimerCancelled" },
    { "ThreadPool", KNOWN, 0, 255, 20, 16, "44 TimerSetNtTimer" },
    { "ThreadPool", KNOWN, 0, 255, 32, 24, "48 TimerExpiration" },
    { "ImageID", KNOWN, 2, 2, 24, 16, "0 ImageID" },
    { "ImageID", KNOWN, 2, 2, 12, 8, "32 DbgID_None" },
    { "ImageID", KNOWN, 2, 2, 32, 28, "36 DbgID_RSDS 37 DbgID_ILRSDS" },
    { "ImageID", KNOWN, 2, 2, 20, 16, "38 DbgID_PPDB" },
    { "ImageID", KNOWN, 2, 2, 24, 20, "34 DbgID_DBG" },
    { "ImageID", KNOWN, 1, 1, 36, 32, "39 DbgID_EmbeddedPPDB" },
    { "ImageID", KNOWN, 1, 2, 12, 8, "40 DbgID_Deterministic" },
    { "ImageID", KNOWN, 1, 1, 0, 0, "41 ImageIdError" },
    { "ImageID", KNOWN, 0, 0, 8, 8, "64 FileVersion" },
    { "SystemConfigEx", KNOWN, 0, 0, 8, 8, "32 BuildInfo" },
    { "SystemConfigEx", KNOWN, 0, 0, 0, 0, "33 SystemPaths 34 UnknownVolume 35 VolumeMapping" },
    { "SystemConfigEx", KNOWN, 0, 0, 1352, 1352, "36 NetworkInterface" },
    { "SystemConfigEx", KNOWN, 0, 0, 16, 16, "37 DeviceInfo" },
    { "Lost_Event", NONE, 0, 0, 0, 0, "32 RTLostEvent 33 RTLostBuffer 34 RTLostFile" },
    { "WinSAT", KNOWN, 0, 0, 8, 8, "33 WinSPR 35 Metrics 37 SystemConfig" },
    { "MMCSS", KNOWN, 0, 0, 16, 16, "34 Scheduler" },
    { "MMCSS", KNOWN, 0, 0, 4, 4, "35 Wakeup" },
    { "MMCSS", NONE, 0, 0, 0, 0, "32 Start 33 Stop 36 Sleep 37 SleepResp" },
    { "PerfTrackMetadata", KNOWN, 0, 0, 4, 4, "33 ScenarioXml" },
    { "PerfTrackMetadata", KNOWN, 1, 1, 0, 0, "34 Threshold" },
};
// clang-format on

static const kernel_row *row_of(const char *class, unsigned opcode, unsigned version)
{
    for (unsigned i = 0; i < kernel_row_count; i++) {
        const kernel_row *r = &kernel_rows[i];

        if (r->opcode == opcode && r->first <= version && version <= r->last &&
            !strcmp(kernel_classes[r->class].name, class))
            return r;
    }
    return NULL;
}

static void check_event(const expected *e, unsigned opcode, const char *name, unsigned version)
{
    const kernel_row *r = row_of(e->class, opcode, version);

    ck_assert_msg(r != NULL, "%s: no opcode %u (%s) of version %u", e->class, opcode, name, version);
    ck_assert_msg(!strcmp(r->name, name), "%s: opcode %u is %s, not %s", e->class, opcode, r->name, name);
    if (e->what == KNOWN)
        ck_assert_msg(r->known && r->fixed[0] == e->large && r->fixed[1] == e->small && r->nfields[0],
                      "%s/%s version %u: %u and %u bytes, not %u and %u", e->class, name, version, r->fixed[0],
                      r->fixed[1], e->large, e->small);
    if (e->what == NONE) ck_assert_msg(!r->nfields[0], "%s/%s has fields", e->class, name);
}

static void check_events(const expected *e)
{
    const char *at = e->events;
    char name[64];
    unsigned opcode;
    int taken;

    while (sscanf(at, "%u %63s%n", &opcode, name, &taken) == 2) {
        check_event(e, opcode, name, e->first);
        check_event(e, opcode, name, e->last);
        at += taken;
    }
    ck_assert_str_eq(at, "");
}

START_TEST(every_event)
{
    check_events(&all[_i]);
}
END_TEST

START_TEST(nearest_older_version)
{
    kernel_layout l;

    kernel_by_group(4, 64, 9, 8, &l); /* Create: as version 3, which begins with two pointers and a thread */
    ck_assert_str_eq(l.name, "Create");
    ck_assert(l.known && !l.exact && l.nfields == 7);
    ck_assert_str_eq(l.field[2].name, "TTID");
    ck_assert_int_eq(l.field[2].kind, TW_U32);
    kernel_by_group(4, 64, 0, 8, &l); /* as the oldest known */
    ck_assert(l.known && !l.exact);
    ck_assert_int_eq(l.field[1].kind, TW_POINTER);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernel layouts");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tests, every_event, 0, (int)(sizeof all / sizeof *all));
    tcase_add_test(tests, nearest_older_version);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
