/* headers.h - what etl.read tells beside its events.

   One idea: the numbers of extended items have 16 bits; those behind them ask for what no event carries, the log-file
   headers and the buffers of the whole trace. So whoever writes a file knows them, whatever events a filter let pass, and
   nothing has to be read twice for that.

   An event of a source that tells these says in its `flags` where it was: the session in the upper 16 bits, in the lower
   ones the number of its buffer, as far as it fits. */
#ifndef ETL_HEADERS_H
#define ETL_HEADERS_H

#include "tw_plugin.h"

enum { /* as `what` of tw_host.extra for any event with a record; what they give lasts until the source is closed */
       /* The header event of session number `item`, TW_BYTES; nothing where it is lost. TW_END behind the last one. */
       EXTRA_LOG_HEADER = TW_X_ITEM + 0x10000,
       /* All buffers, TW_BYTES: an array of `entry` (index.h), in the order in which they were read. */
       EXTRA_BUFFERS
};

static inline uint32_t event_session(const tw_event *e)
{
    return e->flags >> 16;
}

static inline uint16_t event_buffer(const tw_event *e)
{
    return (uint16_t)e->flags;
}

#endif
