/* format.h - the bytes of an .etl file: offsets, markers and bits.

   Shared by who reads and who writes. One idea: every number of the format stands here once, under the name that the
   format's public descriptions use for it. All integers in the file are little-endian; offsets count from the start of
   the thing that the prefix names. */
#ifndef ETW_FORMAT_H
#define ETW_FORMAT_H

// clang-format off

/* ---- Buffer header: 48h bytes at the start of every buffer ---- */
enum {
    ETW_BUFFER_HEADER     = 0x48,

    ETW_BUFFER_SIZE       = 0x00,   /* u32: bytes in the file, header included; the stride to the next buffer */
    ETW_BUFFER_SAVED      = 0x04,   /* u32: scratch; written as the fill level */
    ETW_BUFFER_CURRENT    = 0x08,   /* u32: scratch */
    ETW_BUFFER_REFERENCE  = 0x0C,   /* s32: scratch */
    ETW_BUFFER_TIME       = 0x10,   /* s64: when it was flushed, in ticks (FILETIME in relogged files) */
    ETW_BUFFER_SEQUENCE   = 0x18,   /* s64: when it was taken into use, session-wide */
    ETW_BUFFER_CLOCK      = 0x20,   /* u64: garbage in files */
    ETW_BUFFER_CPU        = 0x28,   /* u16: with ETW_FLAG_PROC_INDEX & ETW_CPU_INDEX, else the low byte */
    ETW_BUFFER_LOGGER     = 0x2A,   /* u16: session id */
    ETW_BUFFER_STATE      = 0x2C,   /* u32: in the header buffer of a compressed file: enum etw_compression */
    ETW_BUFFER_FILLED     = 0x30,   /* u32: end of the valid data from the buffer's start, after decompression */
    ETW_BUFFER_FLAGS      = 0x34,   /* u16 */
    ETW_BUFFER_TYPE       = 0x36,   /* u16 */

    ETW_CPU_INDEX         = 0x7FF,
    ETW_STATE_FLUSH       = 3,
    ETW_BUFFER_MAX        = 16 << 20 /* the largest BufferSize and fill level there is */
};

enum { /* ETW_BUFFER_FLAGS */
    ETW_FLAG_FLUSH_MARKER = 0x01,
    ETW_FLAG_EVENTS_LOST  = 0x02,   /* events were lost before this buffer */
    ETW_FLAG_BUFFER_LOST  = 0x04,
    ETW_FLAG_CORRUPT      = 0x08,
    ETW_FLAG_RTBACKUP     = 0x10,
    ETW_FLAG_PROC_INDEX   = 0x20,
    ETW_FLAG_COMPRESSED   = 0x40
};

enum { /* ETW_BUFFER_TYPE */
    ETW_BUFFER_GENERIC, ETW_BUFFER_RUNDOWN, ETW_BUFFER_CTX_SWAP, ETW_BUFFER_REFTIME, ETW_BUFFER_IS_HEADER,
    ETW_BUFFER_BATCHED, ETW_BUFFER_EMPTY, ETW_BUFFER_DEBUG, ETW_BUFFER_TYPES
};

enum etw_compression { ETW_NOT_COMPRESSED = 0, ETW_LZNT1 = 2, ETW_XPRESS = 3, ETW_XPRESS_HUFFMAN = 4 };

/* ---- The first u32 of an event: byte 3 is the family, byte 2 the header type ---- */
enum {
    ETW_TYPED             = 0xC0,   /* (byte 3 & C0) == C0 */
    ETW_MESSAGE_BITS      = 0x90,   /* (byte 3 & 90) == 90, after the test above */
    ETW_TRACE_BIT         = 0x80,   /* clear: the u32 is the size of a WNODE */

    ETW_SYSTEM32 = 0x01, ETW_SYSTEM64 = 0x02,
    ETW_COMPACT32 = 0x03, ETW_COMPACT64 = 0x04,
    ETW_FULL32 = 0x0A, ETW_INSTANCE32 = 0x0B, ETW_TIMED = 0x0C, ETW_ERROR = 0x0D, ETW_WNODE = 0x0E,
    ETW_MESSAGE = 0x0F, ETW_PERFINFO32 = 0x10, ETW_PERFINFO64 = 0x11, ETW_EVENT32 = 0x12, ETW_EVENT64 = 0x13,
    ETW_FULL64 = 0x14, ETW_INSTANCE64 = 0x15,

    ETW_PAD               = 8       /* events begin at multiples of it; what lies between is leftovers */
};

/* ---- SYSTEM, COMPACT and PERFINFO headers ---- */
enum {
    ETW_SYSTEM_HEADER = 0x20, ETW_COMPACT_HEADER = 0x18, ETW_PERFINFO_HEADER = 0x10,

    ETW_HOOK_VERSION      = 0x00,   /* u16: bits below */
    ETW_HOOK_SIZE         = 0x04,   /* u16: header included */
    ETW_HOOK_OPCODE       = 0x06,   /* u8 */
    ETW_HOOK_GROUP        = 0x07,   /* u8 */
    ETW_HOOK_THREAD       = 0x08,   /* u32; SYSTEM and COMPACT */
    ETW_HOOK_PROCESS      = 0x0C,
    ETW_HOOK_TIME         = 0x10,
    ETW_PERFINFO_TIME     = 0x08,
    ETW_HOOK_KERNEL_TIME  = 0x18,   /* u32, u32: timer ticks; SYSTEM */

    ETW_VERSION_MASK      = 0x00FF,
    ETW_VERSION_COUNTERS  = 8,      /* shift; 3 bits: how many u64 counters follow the header */
    ETW_VERSION_PEBS      = 0x8000  /* one u64 follows the header, before the counters */
};

/* ---- FULL_HEADER, INSTANCE, EVENT_HEADER, and what they share ---- */
enum {
    ETW_FULL_HEADER = 0x30, ETW_INSTANCE_HEADER = 0x48, ETW_ERROR_HEADER = 0x50, ETW_EVENT_HEADER = 0x50,

    ETW_SIZE              = 0x00,   /* u16: header included */
    ETW_TYPE              = 0x02,   /* u8 */
    ETW_FAMILY            = 0x03,   /* u8 */
    ETW_THREAD            = 0x08,   /* u32 */
    ETW_PROCESS           = 0x0C,   /* u32 */
    ETW_TIME              = 0x10,   /* s64 */
    ETW_GUID              = 0x18,   /* class or provider */

    ETW_FULL_OPCODE       = 0x04,   /* u8 */
    ETW_FULL_LEVEL        = 0x05,   /* u8 */
    ETW_FULL_VERSION      = 0x06,   /* u16 */
    ETW_FULL_KERNEL_TIME  = 0x28,   /* u32, u32 */
    ETW_INSTANCE_ID       = 0x30,   /* u32, u32 parent, GUID parent */

    ETW_EVENT_FLAGS       = 0x04,   /* u16 */
    ETW_EVENT_PROPERTY    = 0x06,   /* u16 */
    ETW_EVENT_ID          = 0x28,   /* u16 */
    ETW_EVENT_VERSION     = 0x2A,   /* u8 */
    ETW_EVENT_CHANNEL     = 0x2B,   /* u8 */
    ETW_EVENT_LEVEL       = 0x2C,   /* u8 */
    ETW_EVENT_OPCODE      = 0x2D,   /* u8 */
    ETW_EVENT_TASK        = 0x2E,   /* u16 */
    ETW_EVENT_KEYWORD     = 0x30,   /* u64 */
    ETW_EVENT_KERNEL_TIME = 0x38,   /* u32, u32; one u64 of CPU cycles with ETW_EVENT_NO_CPUTIME */
    ETW_EVENT_ACTIVITY    = 0x40,   /* GUID */

    ETW_EVENT_EXTENDED    = 0x01,   /* bits of ETW_EVENT_FLAGS */
    ETW_EVENT_PRIVATE     = 0x02,
    ETW_EVENT_STRING_ONLY = 0x04,
    ETW_EVENT_NO_CPUTIME  = 0x10
};

/* ---- Extended items: a chain between EVENT_HEADER and payload ---- */
enum {
    ETW_ITEM_SIZE         = 0x00,   /* u16: stride to the next item */
    ETW_ITEM_TYPE         = 0x02,   /* u16 */
    ETW_ITEM_LINK         = 0x04,   /* u16: bit 0: another one follows */
    ETW_ITEM_BYTES        = 0x06,   /* u16: of data */
    ETW_ITEM_DATA         = 0x08
};

enum etw_item_type {
    ETW_ITEM_RELATED_ACTIVITY = 1, ETW_ITEM_SID, ETW_ITEM_TERMINAL_SESSION, ETW_ITEM_INSTANCE, ETW_ITEM_STACK32,
    ETW_ITEM_STACK64, ETW_ITEM_PEBS, ETW_ITEM_COUNTERS, ETW_ITEM_PSM_KEY, ETW_ITEM_EVENT_KEY, ETW_ITEM_SCHEMA,
    ETW_ITEM_TRAITS, ETW_ITEM_PROCESS_START_KEY, ETW_ITEM_CONTROL_GUID, ETW_ITEM_QPC_DELTA, ETW_ITEM_CONTAINER,
    ETW_ITEM_STACK_KEY32, ETW_ITEM_STACK_KEY64
};

/* ---- WPP trace messages ---- */
enum {
    ETW_MESSAGE_HEADER    = 0x08,   /* the fixed part; fields follow by flag, in the order of the flags */
    ETW_MESSAGE_NUMBER    = 0x04,   /* u16 */
    ETW_MESSAGE_FLAGS     = 0x06,   /* u16 */

    ETW_MESSAGE_SEQUENCE  = 0x01,   /* u32 */
    ETW_MESSAGE_GUID      = 0x02,   /* GUID; without it ETW_MESSAGE_COMPONENT counts */
    ETW_MESSAGE_COMPONENT = 0x04,   /* u32 */
    ETW_MESSAGE_TIME      = 0x08,   /* s64 */
    ETW_MESSAGE_TIMES     = 0x18,   /* either bit: s64 */
    ETW_MESSAGE_SYSTEM    = 0x20,   /* u32 thread, u32 process */
    ETW_MESSAGE_POINTER32 = 0x40,   /* no field */
    ETW_MESSAGE_POINTER64 = 0x80
};

/* ---- The log-file header event's payload (group 0, opcode 0, version 2), by its own PointerSize ---- */
enum {
    ETW_LOG_BUFFER_SIZE   = 0x00,   /* u32 */
    ETW_LOG_VERSION       = 0x04,   /* u8[4] */
    ETW_LOG_BUILD         = 0x08,   /* u32 */
    ETW_LOG_PROCESSORS    = 0x0C,   /* u32 */
    ETW_LOG_END           = 0x10,   /* FILETIME; 0: not closed */
    ETW_LOG_RESOLUTION    = 0x18,   /* u32: clock interrupt period, 100 ns */
    ETW_LOG_MAX_FILE      = 0x1C,   /* u32 */
    ETW_LOG_MODE          = 0x20,   /* u32 */
    ETW_LOG_WRITTEN       = 0x24,   /* u32: buffers */
    ETW_LOG_START_BUFFERS = 0x28,   /* u32 */
    ETW_LOG_POINTER       = 0x2C,   /* u32: 4 or 8 */
    ETW_LOG_EVENTS_LOST   = 0x30,   /* u32 */
    ETW_LOG_CPU_MHZ       = 0x34,   /* u32 */
    ETW_LOG_NAMES         = 0x38,   /* two pointers, meaningless */
    ETW_LOG_ZONE          = 0x48,   /* TIME_ZONE_INFORMATION, 172 bytes; this and all below with 8-byte pointers, */
    ETW_LOG_BOOT          = 0xF8,   /* FILETIME */
    ETW_LOG_HZ            = 0x100,  /* s64 */
    ETW_LOG_START         = 0x108,  /* FILETIME */
    ETW_LOG_CLOCK         = 0x110,  /* u32: enum etw_clock_kind */
    ETW_LOG_BUFFERS_LOST  = 0x114,  /* u32 */
    ETW_LOG_STRINGS       = 0x118,  /* UTF-16 with terminator: logger, log file */
    ETW_LOG_LESS32        = 8       /* 8 bytes earlier where pointers have 4 */
};

enum etw_clock_kind { ETW_CLOCK_QPC = 1, ETW_CLOCK_SYSTEM = 2, ETW_CLOCK_CPU = 3 };

enum { /* ETW_LOG_MODE */
    ETW_MODE_SEQUENTIAL = 1, ETW_MODE_CIRCULAR = 2, ETW_MODE_APPEND = 4, ETW_MODE_NEWFILE = 8,
    ETW_MODE_BUFFERING = 0x400, ETW_MODE_ADD_HEADER = 0x1000, ETW_MODE_RELOG = 0x10000, ETW_MODE_COMPRESSED = 0x4000000
};
// clang-format on

#endif
