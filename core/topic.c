/* topic.c - help on what is no command and no stage: what a condition may say, and what events have names for.

   One idea: a page that fits a screen; the whole of it is in the guide to pipelines. */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char expressions[] =
    "expressions: what `where` and --where ask of an event\n"
    "\n"
    "  pid == 4 and event ~= 'Read'             == ~= < <= > >=, and or not; text in quotes, case matters\n"
    "  event in ('Read', 'Write')               one of a list; not in\n"
    "  TransferSize >= 64KiB                    any field of the payload; KiB MiB GiB KB MB GB\n"
    "  HighResResponseTime > 5ms                a span: ns us ms s min h\n"
    "  time >= 0.5s and time < 1s               from the start of the trace\n"
    "  time >= '2026-01-01T08:00'               a moment in UTC\n"
    "  ImageFileName starts 'svc'               also ends, has (a part of it)\n"
    "  ImageFileName matches '(?i)^svc.*exe$'   a regular expression\n"
    "  Status == 'STATUS_ACCESS_DENIED'         the name of a code or of a value, or its number: 0xC0000022\n"
    "  IrpFlags has 'NOCACHE'                   a named bit; IrpFlags & 0x43 == 3\n"
    "  saddr == '10.0.0.1'                      an address, or a GUID\n"
    "  payload has 'secret'                     in any field, as text\n"
    "  exists(TransferSize)                     the event has such a field\n"
    "  `Process ID` == 4                        a name with blanks\n"
    "\n"
    "A comparison with a field that an event does not have is false. What fields there are: traceweir schema\n"
    "FILE PROVIDER/EVENT. What all events have: traceweir help columns.\n";

static const char columns[] =
    "columns: what every event has, for --fields, --where, fields and count\n"
    "\n"
    "  time pid tid cpu                   when and where; pid and tid are 4294967295 where the record does not tell\n"
    "  provider event name id version     what; name is provider/event\n"
    "  level opcode task channel keyword  as numbers\n"
    "  level_name opcode_name task_name   the same by their names; digits where they have none\n"
    "  channel_name keywords              likewise\n"
    "  message                            what the event says, where its schema has a sentence\n"
    "  payload raw bytes                  all fields as text; the payload in hex; its length\n"
    "  origin why                         which schema decoded it; why none did\n"
    "  left cut                           bytes that no field takes; 1 where it ends inside a field\n"
    "  key guid type source               of its provider; numbers of its type and its source in this run\n"
    "  ticks activity related             from the record\n"
    "\n"
    "Any field of a payload is a column as well: TransferSize, Outer.Inner in a struct, payload.pid where one is\n"
    "called like a column; new=old gives it another name. Fields of an event: traceweir schema FILE "
    "PROVIDER/EVENT.\n";

int help_topic(const char *name)
{
    const char *page = !strcmp(name, "expressions") || !strcmp(name, "expression") ? expressions
                       : !strcmp(name, "columns") || !strcmp(name, "names")        ? columns
                                                                                   : NULL;
    if (page) fputs(page, stdout);
    return page != NULL;
}
