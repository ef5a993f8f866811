/* record.h - one event as it lies in a buffer.

   Nine kinds of header with as many layouts become one struct. One idea: whoever reads on knows only this struct, so
   that every bound is checked here and once. */
#ifndef ETW_RECORD_H
#define ETW_RECORD_H

#include "format.h"
#include "tw_plugin.h"

enum record_kind {
    RECORD_KERNEL,  /* SYSTEM, COMPACT, PERFINFO: group and opcode */
    RECORD_CLASSIC, /* FULL_HEADER, INSTANCE: class GUID and opcode */
    RECORD_EVENT,   /* EVENT_HEADER: provider GUID and id */
    RECORD_MESSAGE, /* WPP */
    RECORD_OPAQUE   /* of known size and no more: TIMED, ERROR, WNODE, messages with a 32-bit time, unknown types */
};

enum record_status {
    RECORD_GOOD,
    RECORD_PADDING, /* no event here nor behind: the buffer's data end */
    RECORD_CORRUPT, /* shorter than its header, or longer than what is left */
    RECORD_UNKNOWN  /* a header of which not even the size is known */
};

#define RECORD_NOBODY 0xFFFFFFFFu /* process and thread of headers that have none */

typedef struct record {
    const uint8_t *at;   /* its marker */
    const uint8_t *guid; /* of class, provider or message: 16 bytes; NULL: none */
    int64_t ticks;       /* in the trace's clock, where `timed` */
    uint32_t size;       /* in bytes, header included, padding not */
    uint32_t payload;    /* offset from `at`; its length is size - payload */
    uint32_t pid, tid;   /* RECORD_NOBODY: not said */
    uint32_t items;      /* bit n: an extended item of type n < 32 is there */
    uint32_t schema_bytes, traits_bytes;
    const uint8_t *schema, *traits; /* what the event says of itself and of its provider; NULL: nothing */
    uint32_t component;             /* RECORD_MESSAGE without GUID: the component's id */
    uint16_t id;                    /* event id, opcode, message number; opaque: byte 2 of the marker */
    uint16_t version;
    uint8_t kind;    /* enum record_kind */
    uint8_t type;    /* byte 2 of the marker */
    uint8_t pointer; /* 4 or 8 */
    uint8_t group;   /* RECORD_KERNEL */
    uint8_t timed;
    uint8_t words;  /* RECORD_KERNEL: how many u64 stand between header and payload, PEBS index and counters */
    uint8_t broken; /* the chain of extended items leaves the event; what follows its last good one is payload */
} record;

/* Reads the header of the event at `at`, of which `left` bytes are known to be valid. All members are set when it is
   RECORD_GOOD; then `size` <= `left` and `payload` <= `size`. For an event that was good before, `left` may be
   SIZE_MAX: nothing behind its own size is looked at. */
enum record_status record_read(const uint8_t *at, size_t left, record *out);

/* Only the time, from the first `have` bytes of an event. 0: this header has none, or it lies further on. */
int record_ticks(const uint8_t *at, size_t have, int64_t *ticks);

/* What lies outside the payload, as tw_stage.extra gives it: TW_OK, or TW_END where this record has no such thing.
   A stack is TW_U32 or TW_U64 by the width of its addresses. TW_X_OFFSET is not in a record: TW_END. */
int record_extra(const uint8_t *at, uint32_t what, uint32_t item, tw_value *v);

#endif
