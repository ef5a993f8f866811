/* tw_test.h - one stage on a rig: a test drives it by hand and looks at what comes out.

   One idea: the rig is a real pipeline of a feeder, the stage and a catcher, run step by step, so a stage is tested with
   the host it will meet. A source comes first and has no feeder.

       rig *r = rig_new(&slow_stage, "over=10ms file=x.etl list=a,b");
       ck_assert_int_eq(rig_open(r), TW_OK);
       uint32_t type = rig_publish(r, &read_type);
       rig_event(r, type, 1000, payload, sizeof payload)->pid = 4;
       ck_assert_int_eq(rig_feed(r), TW_OK);
       ck_assert_uint_eq(rig_left(r, &events), 1);
       ck_assert_uint_eq(rig_count(r, "cut short"), 0);
       rig_free(r); */
#ifndef TW_TEST_H
#define TW_TEST_H

#include "tw_plugin.h"

typedef struct rig rig;

/* options: `name=value` or a value alone, with blanks between; 'a value' in quotes may have blanks. */
rig *rig_new(const tw_stage *stage, const char *options);
void rig_free(rig *r);     /* closes the stage and finishes its files, as after a good or a failed run */
void rig_unwatch(rig *r);  /* the stage may break the rules of the interface, or the test does: it feeds disorder */
tw_host *rig_host(rig *r); /* the stage's own copy: a test may replace a function before rig_open */
void *rig_state(rig *r);

/* Each returns TW_OK, TW_END where a stage said that it is enough or a source that it is done, TW_AGAIN, or TW_ERROR. */
int rig_open(rig *r);
int rig_feed(rig *r); /* gives the stage the events made since the last time, as one batch */
int rig_read(rig *r); /* a source: one read */
int rig_push(rig *r); /* gives the stage the rows in the blocks of rig_rows */
int rig_tick(rig *r);
int rig_end(rig *r);

uint32_t rig_publish(rig *r, const tw_type *t);
/* A new event, payload copied; the caller fills in what else it has. */
tw_event *rig_event(rig *r, uint32_t type, int64_t time, const void *payload, uint32_t bytes);
tw_rows *rig_rows(rig *r, const tw_table *t); /* a block to fill for rig_push */
/* What the feeder answers for events that have a record. */
void rig_set_clock(rig *r, const tw_clock *c);
void rig_set_extra(rig *r, uint32_t what, uint32_t item, const tw_value *v);

/* What arrived behind the stage in the last call of rig_feed, rig_read or rig_end; good until the next. */
uint32_t rig_left(rig *r, const tw_event **events);
/* Rows that arrived behind the stage, since the beginning. */
int rig_announced(rig *r, const char *table); /* its `table` callback was called there */
uint32_t rig_row_count(rig *r, const char *table);
const tw_value *rig_cell(rig *r, const char *table, uint32_t row,
                         const char *column); /* NULL: null, or no such cell */
const char *rig_text(rig *r, const char *table, uint32_t row,
                     const char *column); /* as sinks print it; "" for null */

uint64_t rig_count(rig *r, const char *counter); /* ~0: it has no counter of that name */
const char *rig_error(rig *r);                   /* "" or `stage: sentence` */
int rig_status(rig *r);                          /* 0, or what the exit status would be: 1, 2 */

#endif
