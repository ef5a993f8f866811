/* headers.h - what etl.read tells beside its events.

   One idea: the numbers of extended items have 16 bits; the one behind them asks for something that no event carries, the
   log-file headers of the whole trace. So whoever writes a file knows them, whatever events a filter let pass, and
   nothing has to be read twice for that. */
#ifndef ETL_HEADERS_H
#define ETL_HEADERS_H

#include "tw_plugin.h"

/* As `what` of tw_host.extra for any event with a record; `item`: the number of the session. Gives TW_BYTES: the header
   event, or nothing where it is lost. TW_END behind the last one. */
enum { EXTRA_LOG_HEADER = TW_X_ITEM + 0x10000 };

#endif
