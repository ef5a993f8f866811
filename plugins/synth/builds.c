/* builds.c - the events and versions of each Windows; see builds.h.

   Where a version is not bound to a build by the public descriptions, the first build is taken that real traces show it
   in. Versions 0 and 1 are those of Windows 2000 and XP. Their kernels told less: files by name only, no requests,
   no reason why a thread runs. */
#include "builds.h"

enum { NO = NO_EVENT };

#define KERNEL(group, opcode, ...)                                                                                   \
    {                                                                                                                \
        FORM_KERNEL, group, opcode,                                                                                  \
        {                                                                                                            \
            __VA_ARGS__                                                                                              \
        }                                                                                                            \
    }
#define MERGED(class, opcode, version)                                                                               \
    {                                                                                                                \
        FORM_MERGED, class, opcode,                                                                                  \
        {                                                                                                            \
            NO, NO, version, version, version, version, version                                                      \
        }                                                                                                            \
    }
#define SELF(opcode)                                                                                                 \
    {                                                                                                                \
        FORM_SELF, 0, opcode,                                                                                        \
        {                                                                                                            \
            NO, NO, NO, NO, NO, 0, 0                                                                                 \
        }                                                                                                            \
    }

// clang-format off
const build_event build_events[HAPPENING_KINDS] = {
    /*                                        2000  xp vista  7   8  10  11 */
    [SESSION_MASKS]        = KERNEL(0x00,  5, NO, NO,  2,  2,  2,  2,  2),
    [SESSION_END_MASKS]    = KERNEL(0x00, 32, NO, NO,  2,  2,  2,  2,  2),
    [SESSION_BUILD]        = KERNEL(0x00, 66, NO, NO, NO,  2,  2,  2,  2),
    [SESSION_PARTITION]    = KERNEL(0x00, 80, NO, NO, NO, NO, NO,  2,  2),
    [SESSION_RUNDOWN_DONE] = KERNEL(0x00,  8,  0,  1,  2,  2,  2,  2,  2),
    [COLLECTION_START]     = KERNEL(0x0F, 73, NO, NO,  2,  2,  3,  3,  3),
    [COLLECTION_END]       = KERNEL(0x0F, 74, NO, NO,  2,  2,  3,  3,  3),
    [SYSTEM_CPU]           = KERNEL(0x0B, 10,  0,  1,  2,  2,  3,  3,  3),
    [SYSTEM_DISK]          = KERNEL(0x0B, 11,  0,  1,  2,  2,  2,  2,  2),
    [SYSTEM_PARTITION]     = KERNEL(0x0B, 12,  0,  1,  2,  2,  2,  2,  2),
    [SYSTEM_NIC]           = KERNEL(0x0B, 13,  0,  1,  2,  2,  2,  2,  2),
    [SYSTEM_VIDEO]         = KERNEL(0x0B, 14,  0,  1,  2,  2,  2,  2,  2),
    [SYSTEM_SERVICE]       = KERNEL(0x0B, 15,  0,  1,  2,  2,  3,  3,  3),
    [SYSTEM_POWER]         = KERNEL(0x0B, 16,  0,  1,  2,  2,  2,  2,  2),
    [SYSTEM_NETWORK]       = KERNEL(0x0B, 17, NO, NO,  2,  2,  2,  2,  2),
    [SYSTEM_IRQ]           = KERNEL(0x0B, 21, NO,  1,  2,  2,  3,  3,  3),
    [SYSTEM_PNP]           = KERNEL(0x0B, 22, NO,  1,  2,  3,  4,  5,  5),
    [SYSTEM_IDE]           = KERNEL(0x0B, 23, NO, NO,  2,  2,  2,  2,  2),
    [SYSTEM_NUMA]          = KERNEL(0x0B, 24, NO, NO, NO, NO, NO, NO,  2),
    [SYSTEM_PLATFORM]      = KERNEL(0x0B, 25, NO, NO, NO,  2,  2,  2,  2),
    [SYSTEM_GROUPS]        = KERNEL(0x0B, 26, NO, NO, NO,  2,  2,  2,  2),
    [SYSTEM_NUMBERS]       = KERNEL(0x0B, 27, NO, NO, NO,  2,  2,  2,  2),
    [SYSTEM_PROCESSOR]     = KERNEL(0x0B, 35, NO, NO, NO, NO, NO,  2,  2),
    [MERGED_BUILD]         = MERGED(CLASS_SYSTEM_CONFIG_EX, 32, 0),
    [MERGED_PATHS]         = MERGED(CLASS_SYSTEM_CONFIG_EX, 33, 0),
    [MERGED_VOLUME]        = MERGED(CLASS_SYSTEM_CONFIG_EX, 35, 0),
    [MERGED_IMAGE]         = MERGED(CLASS_IMAGE_ID, 0, 2),
    [MERGED_PDB]           = MERGED(CLASS_IMAGE_ID, 36, 2),
    [KERNEL_BASE]          = KERNEL(0x14, 33, NO, NO, NO, NO,  2,  2,  2),

    [PROCESS_START]        = KERNEL(0x03,  1,  0,  1,  2,  3,  4,  4,  4),
    [PROCESS_END]          = KERNEL(0x03,  2,  0,  1,  2,  3,  4,  4,  4),
    [PROCESS_DC_START]     = KERNEL(0x03,  3,  0,  1,  2,  3,  4,  4,  4),
    [PROCESS_DC_END]       = KERNEL(0x03,  4,  0,  1,  2,  3,  4,  4,  4),
    [PROCESS_DEFUNCT]      = KERNEL(0x03, 39, NO, NO,  2,  3,  4,  5,  5),
    [PROCESS_TERMINATE]    = KERNEL(0x03, 11, NO, NO, NO,  2,  2,  2,  2),
    [THREAD_START]         = KERNEL(0x05,  1,  0,  1,  2,  3,  3,  3,  4),
    [THREAD_END]           = KERNEL(0x05,  2,  0,  1,  2,  3,  3,  3,  4),
    [THREAD_DC_START]      = KERNEL(0x05,  3,  0,  1,  2,  3,  3,  3,  4),
    [THREAD_DC_END]        = KERNEL(0x05,  4,  0,  1,  2,  3,  3,  3,  4),
    [THREAD_NAME]          = KERNEL(0x05, 72, NO, NO, NO, NO, NO,  2,  2),
    [IMAGE_LOAD]           = KERNEL(0x03, 10,  0,  1,  2,  2,  3,  3,  3),
    [IMAGE_UNLOAD]         = KERNEL(0x14,  2,  0,  1,  2,  2,  3,  3,  3),
    [IMAGE_DC_START]       = KERNEL(0x14,  3,  0,  1,  2,  2,  3,  3,  3),
    [IMAGE_DC_END]         = KERNEL(0x14,  4,  0,  1,  2,  2,  3,  3,  3),

    [CONTEXT_SWITCH]       = KERNEL(0x05, 36, NO,  1,  2,  2,  3,  4,  5),
    [READY_THREAD]         = KERNEL(0x05, 50, NO, NO, NO,  2,  2,  2,  2),
    [SAMPLE]               = KERNEL(0x0F, 46, NO, NO,  2,  2,  2,  2,  2),
    [ISR]                  = KERNEL(0x0F, 67, NO,  1,  2,  2,  2,  2,  2),
    [ISR_MSI]              = KERNEL(0x0F, 50, NO, NO,  2,  2,  2,  2,  2),
    [DPC]                  = KERNEL(0x0F, 68, NO,  1,  2,  2,  2,  2,  2),
    [TIMER_DPC]            = KERNEL(0x0F, 69, NO,  1,  2,  2,  2,  2,  2),
    [THREADED_DPC]         = KERNEL(0x0F, 66, NO,  1,  2,  2,  2,  2,  2),
    [STACK]                = KERNEL(0x18, 32, NO, NO,  2,  2,  2,  2,  2),
    [STACK_KEY_KERNEL]     = KERNEL(0x18, 37, NO, NO, NO, NO,  2,  2,  2),
    [STACK_KEY_USER]       = KERNEL(0x18, 38, NO, NO, NO, NO,  2,  2,  2),
    [STACK_KEY_DELETE]     = KERNEL(0x18, 35, NO, NO, NO, NO,  2,  2,  2),
    [STACK_KEY_RUNDOWN]    = KERNEL(0x18, 36, NO, NO, NO, NO,  2,  2,  2),

    [FILE_NAME]            = KERNEL(0x04,  0,  0,  1, NO, NO, NO, NO, NO),
    [FILE_CREATE]          = KERNEL(0x04, 32, NO, NO,  2,  2,  2,  2,  2),
    [FILE_DELETE]          = KERNEL(0x04, 35, NO, NO,  2,  2,  2,  2,  2),
    [FILE_RUNDOWN]         = KERNEL(0x04, 36, NO, NO,  2,  2,  2,  2,  2),
    [DISK_READ_INIT]       = KERNEL(0x01, 12, NO, NO,  2,  2,  3,  3,  3),
    [DISK_WRITE_INIT]      = KERNEL(0x01, 13, NO, NO,  2,  2,  3,  3,  3),
    [DISK_FLUSH_INIT]      = KERNEL(0x01, 15, NO, NO,  2,  2,  3,  3,  3),
    [DISK_READ]            = KERNEL(0x01, 10,  0,  1,  2,  2,  3,  3,  3),
    [DISK_WRITE]           = KERNEL(0x01, 11,  0,  1,  2,  2,  3,  3,  3),
    [DISK_FLUSH]           = KERNEL(0x01, 14, NO, NO,  2,  2,  3,  3,  3),
    [HARD_FAULT]           = KERNEL(0x02, 32,  0,  1,  2,  2,  2,  2,  2),
    [IO_CREATE]            = KERNEL(0x04, 64, NO, NO,  2,  2,  3,  3,  3),
    [IO_CLEANUP]           = KERNEL(0x04, 65, NO, NO,  2,  2,  3,  3,  3),
    [IO_CLOSE]             = KERNEL(0x04, 66, NO, NO,  2,  2,  3,  3,  3),
    [IO_READ]              = KERNEL(0x04, 67, NO, NO,  2,  2,  3,  3,  3),
    [IO_WRITE]             = KERNEL(0x04, 68, NO, NO,  2,  2,  3,  3,  3),
    [IO_SET_INFO]          = KERNEL(0x04, 69, NO, NO,  2,  2,  3,  3,  3),
    [IO_DELETE]            = KERNEL(0x04, 70, NO, NO,  2,  2,  3,  3,  3),
    [IO_DIR_ENUM]          = KERNEL(0x04, 72, NO, NO,  2,  2,  3,  3,  3),
    [IO_FLUSH]             = KERNEL(0x04, 73, NO, NO,  2,  2,  3,  3,  3),
    [IO_QUERY_INFO]        = KERNEL(0x04, 74, NO, NO,  2,  2,  3,  3,  3),
    [IO_FS_CONTROL]        = KERNEL(0x04, 75, NO, NO,  2,  2,  3,  3,  3),
    [IO_END]               = KERNEL(0x04, 76, NO, NO,  2,  2,  3,  3,  3),

    [TCP_SEND]             = KERNEL(0x06, 10,  0,  1,  2,  2,  2,  2,  2),
    [TCP_RECEIVE]          = KERNEL(0x06, 11,  0,  1,  2,  2,  2,  2,  2),
    [TCP_CONNECT]          = KERNEL(0x06, 12,  0,  1,  2,  2,  2,  2,  2),
    [TCP_DISCONNECT]       = KERNEL(0x06, 13,  0,  1,  2,  2,  2,  2,  2),
    [TCP_RETRANSMIT]       = KERNEL(0x06, 14,  0,  1,  2,  2,  2,  2,  2),
    [TCP_ACCEPT]           = KERNEL(0x06, 15,  0,  1,  2,  2,  2,  2,  2),
    [TCP_SEND6]            = KERNEL(0x06, 26, NO, NO,  2,  2,  2,  2,  2),
    [TCP_RECEIVE6]         = KERNEL(0x06, 27, NO, NO,  2,  2,  2,  2,  2),
    [TCP_CONNECT6]         = KERNEL(0x06, 28, NO, NO,  2,  2,  2,  2,  2),
    [TCP_DISCONNECT6]      = KERNEL(0x06, 29, NO, NO,  2,  2,  2,  2,  2),
    [TCP_RETRANSMIT6]      = KERNEL(0x06, 30, NO, NO,  2,  2,  2,  2,  2),
    [TCP_ACCEPT6]          = KERNEL(0x06, 31, NO, NO,  2,  2,  2,  2,  2),
    [UDP_SEND]             = KERNEL(0x08, 10,  0,  1,  2,  2,  2,  2,  2),
    [UDP_RECEIVE]          = KERNEL(0x08, 11,  0,  1,  2,  2,  2,  2,  2),
    [UDP_SEND6]            = KERNEL(0x08, 26, NO, NO,  2,  2,  2,  2,  2),
    [UDP_RECEIVE6]         = KERNEL(0x08, 27, NO, NO,  2,  2,  2,  2,  2),

    [REQUEST_START]        = SELF(1),
    [REQUEST_STOP]         = SELF(2),
    [REQUEST_CACHE]        = SELF(0),
};

const build builds[BUILDS] = {
    { "2000",  "Windows 2000",        "2195.0.x86fre.main.991207-1530",              5, 0,  2195 },
    { "xp",    "Windows XP",          "2600.xpsp.080413-2111",                       5, 1,  2600 },
    { "vista", "Windows Vista",       "6002.18005.amd64fre.lh_sp2rtm.090410-1830",   6, 0,  6002 },
    { "win7",  "Windows 7",           "7601.17514.amd64fre.win7sp1_rtm.101119-1850", 6, 1,  7601 },
    { "win8",  "Windows 8.1",         "9600.16384.amd64fre.winblue_rtm.130821-1623", 6, 3,  9600 },
    { "win10", "Windows Server 2022", "20348.1.amd64fre.fe_release.210507-1500",    10, 0, 20348 },
    { "win11", "Windows 11",          "26100.1.amd64fre.ge_release.240331-1435",    10, 0, 26100 },
};

const uint8_t merged_guids[2][16] = {
    /* 9b79ee91-b5fd-41c0-a243-4248e266e9d0 */
    { 0x91, 0xEE, 0x79, 0x9B, 0xFD, 0xB5, 0xC0, 0x41, 0xA2, 0x43, 0x42, 0x48, 0xE2, 0x66, 0xE9, 0xD0 },
    /* b3e675d7-2554-4f18-830b-2762732560de */
    { 0xD7, 0x75, 0xE6, 0xB3, 0x54, 0x25, 0x18, 0x4F, 0x83, 0x0B, 0x27, 0x62, 0x73, 0x25, 0x60, 0xDE },
};
// clang-format on

uint8_t build_version(const build *b, happening_kind kind)
{
    return build_events[kind].version[b - builds];
}
