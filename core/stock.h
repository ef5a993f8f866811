/* stock.h - the stages that are part of the host, and what they share.

   One idea: they are ordinary stages; nothing here is known to the bus. */
#ifndef STOCK_H
#define STOCK_H

#include "tw_plugin.h"

extern const tw_stage where_stage, filter_stage, transform_stage, between_stage, limit_stage, sample_stage,
    drop_stage, fields_stage, count_stage, types_stage, group_stage, top_stage, null_stage;

/* 1 where a type fits one of the patterns, a list ended by NULL: "DiskIo/Read", "DiskIo/R" and a star, or "DiskIo"
   for all of a provider. */
int stock_fits(const tw_type *t, const char *const *patterns);
/* Likewise by what people call a type, "PktMon", "Read", "DiskIo/10" or a GUID, in any case; and at the end a warning for
   each word that means none. */
int type_meant(const tw_type *t, const char *const *words);
void type_meant_none(void *self, const char *const *words);
/* At the end: a warning for each pattern that no type fits, where one has nearly that name. */
void stock_miss(void *self, const char *const *patterns);

#endif
