/* pick.h - which of the tables that come by a sink writes.

   One idea: a sink is told of every table, empty ones too, before its end; so a name in its `of` that none of them has
   is a mistake, and the names that were there can be shown. */
#ifndef PICK_H
#define PICK_H

#include "page.h"

typedef struct pick {
    page seen; /* names of all tables, each ended by 0 */
} pick;

static inline int pick_saw(const pick *p, const char *name)
{
    for (size_t at = 0; at < p->seen.n; at += strlen(p->seen.at + at) + 1) {
        if (!strcmp(p->seen.at + at, name)) return 1;
    }
    return 0;
}

/* A table is announced: 1 where it is to be written. `of` is the option, no names: all. */
static inline int pick_table(pick *p, const char *const *of, const tw_table *t)
{
    if (!pick_saw(p, t->name)) page_put(&p->seen, t->name, strlen(t->name) + 1);
    if (!*of) return 1;
    while (*of && strcmp(*of, t->name) != 0) of++;
    return *of != NULL;
}

static inline int pick_refuse(pick *p, void *self, const char *name)
{
    for (size_t at = 0; at + 1 < p->seen.n; at++) {
        if (!p->seen.at[at]) p->seen.at[at] = ' ';
    }
    return TW_HOST(self)->misuse(self, "no table is called \"%s\"; there were: %s", name,
                                 p->seen.n ? p->seen.at : "none");
}

/* All have been announced. TW_OK, or wrong use where `of` names a table that was not there. */
static inline int pick_check(pick *p, void *self, const char *const *of)
{
    if (p->seen.failed) return tw_fail(self, "out of memory for the names of tables");
    for (; *of; of++) {
        if (!pick_saw(p, *of)) return pick_refuse(p, self, *of);
    }
    if (!p->seen.n)
        tw_log(self, TW_WARNING,
               "no table came by; a stage before this one has to make some, like fields { \"time\", "
               "\"name\" } of events");
    return TW_OK;
}

static inline void pick_free(pick *p)
{
    page_free(&p->seen);
}

#endif
