/* around.h - what stands around an event's payload, for sinks that show it.

   One idea: what the record says holds, and the type where no record does. */
#ifndef AROUND_H
#define AROUND_H

#include "tw_plugin.h"

/* A number, `what` of enum tw_extra; of_type: what the event's type says. */
static inline uint64_t around_number(void *self, const tw_event *e, uint32_t what, uint64_t of_type)
{
    tw_value v;
    return TW_HOST(self)->extra(self, e, what, 0, &v) == TW_OK ? v.u : of_type;
}

/* The keywords as a value, whose names *field then has; 0: none. */
static inline int around_keywords(void *self, const tw_event *e, tw_field *field, tw_value *v)
{
    const tw_type *t = ((tw_self *)self)->type[e->type];

    *field = (tw_field){ .kind = TW_U64, .show = TW_SHOW_HEX, .names = t->keywords };
    *v = (tw_value){ .kind = TW_U64, .show = TW_SHOW_HEX };
    v->u = around_number(self, e, TW_X_KEYWORD, t->keyword);
    return v->u != 0;
}

/* An activity's id; 0: the event has none, or zeros. */
static inline int around_id(void *self, const tw_event *e, uint32_t what, tw_value *v)
{
    static const char none[16];
    return TW_HOST(self)->extra(self, e, what, 0, v) == TW_OK && v->kind == TW_GUID && memcmp(v->t.at, none, 16) != 0;
}

#endif
