/* standard.c - what Windows defines for all providers; see standard.h. */
#include "standard.h"

#include <stddef.h>
#include <string.h>

#include "../text/ascii.h"

typedef struct word {
    uint64_t value;
    const char *name;  /* behind `win:` */
    const char *shown; /* NULL: the name */
} word;

// clang-format off
static const word levels[] = {
    { 0, "LogAlways", NULL }, { 1, "Critical", NULL }, { 2, "Error", NULL }, { 3, "Warning", NULL },
    { 4, "Informational", "Information" }, { 5, "Verbose", NULL }, { 0, NULL, NULL }
};
static const word opcodes[] = {
    { 0, "Info", NULL }, { 1, "Start", NULL }, { 2, "Stop", NULL }, { 3, "DC_Start", "DCStart" },
    { 4, "DC_Stop", "DCStop" }, { 5, "Extension", NULL }, { 6, "Reply", NULL }, { 7, "Resume", NULL },
    { 8, "Suspend", NULL }, { 9, "Send", NULL }, { 240, "Receive", NULL }, { 0, NULL, NULL }
};
static const word channels[] = {
    { 8, "System", NULL }, { 9, "Application", NULL }, { 10, "Security", NULL }, { 11, "TraceLogging", NULL },
    { 12, "ProviderMetadata", NULL }, { 0, NULL, NULL }
};
static const word tasks[] = { { 0, "None", NULL }, { 0, NULL, NULL } };
static const word keywords[] = {
    { UINT64_C(0x0001000000000000), "ResponseTime", NULL }, { UINT64_C(0x0002000000000000), "WDIContext", NULL },
    { UINT64_C(0x0004000000000000), "WDIDiag", NULL }, { UINT64_C(0x0008000000000000), "SQM", NULL },
    { UINT64_C(0x0010000000000000), "AuditFailure", NULL }, { UINT64_C(0x0020000000000000), "AuditSuccess", NULL },
    { UINT64_C(0x0040000000000000), "CorrelationHint", NULL },
    { UINT64_C(0x0080000000000000), "EventlogClassic", NULL }, { 0, NULL, NULL }
};
// clang-format on

static const word *const all[] = { [STANDARD_LEVEL] = levels,
                                   [STANDARD_OPCODE] = opcodes,
                                   [STANDARD_CHANNEL] = channels,
                                   [STANDARD_TASK] = tasks,
                                   [STANDARD_KEYWORD] = keywords };

static const char *shown(const word *w)
{
    return w->shown ? w->shown : w->name;
}

const char *standard_name(enum standard what, uint64_t value)
{
    for (const word *w = all[what]; w->name; w++)
        if (w->value == value) return shown(w);
    return NULL;
}

const char *standard_find(enum standard what, const char *name, uint64_t *value)
{
    const char *colon = strchr(name, ':');

    if (colon) name = colon + 1;
    for (const word *w = all[what]; w->name; w++) {
        if (!ascii_same(w->name, name)) continue;
        *value = w->value;
        return shown(w);
    }
    return NULL;
}
