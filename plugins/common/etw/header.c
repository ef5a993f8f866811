/* header.c - headers of made events, byte by byte as format.h names them. */
#include "header.h"

#include "put.h"
#include "record.h"

uint32_t header_kernel(uint8_t *at, const header *h, unsigned group)
{
    int nobody = h->pid == RECORD_NOBODY && h->tid == RECORD_NOBODY, small = h->type->pointer == 4;
    uint32_t bytes = nobody ? ETW_PERFINFO_HEADER : ETW_SYSTEM_HEADER;

    memset(at, 0, bytes);
    at[ETW_HOOK_VERSION] = h->type->version;
    at[ETW_FAMILY] = ETW_TYPED;
    put16(at + ETW_HOOK_SIZE, bytes + h->payload);
    at[ETW_HOOK_OPCODE] = h->type->opcode;
    at[ETW_HOOK_GROUP] = (uint8_t)group;
    if (nobody) {
        at[ETW_TYPE] = small ? ETW_PERFINFO32 : ETW_PERFINFO64;
        put64(at + ETW_PERFINFO_TIME, (uint64_t)h->ticks);
        return bytes;
    }
    at[ETW_TYPE] = small ? ETW_SYSTEM32 : ETW_SYSTEM64;
    put32(at + ETW_HOOK_THREAD, h->tid);
    put32(at + ETW_HOOK_PROCESS, h->pid);
    put64(at + ETW_HOOK_TIME, (uint64_t)h->ticks);
    return bytes;
}

uint32_t header_event(uint8_t *at, const header *h)
{
    const tw_type *t = h->type;

    memset(at, 0, ETW_EVENT_HEADER);
    put16(at + ETW_SIZE, ETW_EVENT_HEADER + h->payload);
    at[ETW_TYPE] = t->pointer == 4 ? ETW_EVENT32 : ETW_EVENT64;
    at[ETW_FAMILY] = ETW_TYPED;
    put32(at + ETW_THREAD, h->tid);
    put32(at + ETW_PROCESS, h->pid);
    put64(at + ETW_TIME, (uint64_t)h->ticks);
    memcpy(at + ETW_GUID, t->guid, 16);
    put16(at + ETW_EVENT_ID, t->number);
    at[ETW_EVENT_VERSION] = t->version;
    at[ETW_EVENT_CHANNEL] = (uint8_t)t->channel;
    at[ETW_EVENT_LEVEL] = t->level;
    at[ETW_EVENT_OPCODE] = t->opcode;
    put16(at + ETW_EVENT_TASK, t->task);
    put64(at + ETW_EVENT_KEYWORD, t->keyword);
    return ETW_EVENT_HEADER;
}

uint32_t header_classic(uint8_t *at, const header *h)
{
    const tw_type *t = h->type;

    memset(at, 0, ETW_FULL_HEADER);
    put16(at + ETW_SIZE, ETW_FULL_HEADER + h->payload);
    at[ETW_TYPE] = t->pointer == 4 ? ETW_FULL32 : ETW_FULL64;
    at[ETW_FAMILY] = ETW_TYPED;
    at[ETW_FULL_OPCODE] = t->opcode;
    at[ETW_FULL_LEVEL] = t->level;
    put16(at + ETW_FULL_VERSION, t->version);
    put32(at + ETW_THREAD, h->tid);
    put32(at + ETW_PROCESS, h->pid);
    put64(at + ETW_TIME, (uint64_t)h->ticks);
    memcpy(at + ETW_GUID, t->guid, 16);
    return ETW_FULL_HEADER;
}

uint32_t header_message(uint8_t *at, const header *h)
{
    const uint32_t guid = ETW_MESSAGE_HEADER, time = guid + 16, thread = time + 8, bytes = thread + 8;

    put16(at + ETW_SIZE, bytes + h->payload);
    at[ETW_TYPE] = 0;
    at[ETW_FAMILY] = ETW_MESSAGE_BITS;
    put16(at + ETW_MESSAGE_NUMBER, h->type->number);
    put16(at + ETW_MESSAGE_FLAGS, ETW_MESSAGE_GUID | ETW_MESSAGE_TIME | ETW_MESSAGE_SYSTEM |
                                      (h->type->pointer == 4 ? ETW_MESSAGE_POINTER32 : ETW_MESSAGE_POINTER64));
    memcpy(at + guid, h->type->guid, 16);
    put64(at + time, (uint64_t)h->ticks);
    put32(at + thread, h->tid);
    put32(at + thread + 4, h->pid);
    return bytes;
}
