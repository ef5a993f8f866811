/* builds.h - which event tells a happening, in which version, by the Windows of the trace.

   One idea: one row a happening, one column a build. What a build has no event for is not told. */
#ifndef SYNTH_BUILDS_H
#define SYNTH_BUILDS_H

#include "happening.h"

enum { BUILD_2000, BUILD_XP, BUILD_VISTA, BUILD_7, BUILD_8, BUILD_10, BUILD_11, BUILDS };
#define BUILD_CHOICE "2000|xp|vista|win7|win8|win10|win11"

enum { NO_EVENT = 0xFF };

enum event_form {
    FORM_KERNEL, /* SYSTEM or PERFINFO header, by group and opcode */
    FORM_MERGED, /* FULL_HEADER, by a class's GUID and opcode */
    FORM_SELF    /* EVENT_HEADER with its schema */
};

enum merged_class { CLASS_SYSTEM_CONFIG_EX, CLASS_IMAGE_ID };

typedef struct build_event {
    uint8_t form, group, opcode; /* group: of FORM_MERGED enum merged_class */
    uint8_t version[BUILDS];
} build_event;

extern const build_event build_events[HAPPENING_KINDS];

typedef struct build {
    const char *name, *text, *lab;
    uint8_t major, minor;
    uint32_t number;
} build;

extern const build builds[BUILDS];
extern const uint8_t merged_guids[2][16]; /* by enum merged_class */

/* The version of the event that tells it, or NO_EVENT. */
uint8_t build_version(const build *b, happening_kind kind);

#endif
