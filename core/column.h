/* column.h - tables made of whatever events are called by: name becomes column, value becomes cell.

   One idea: a column has one kind for good. A value of another kind is taken where nothing of it is lost, and
   every kind can be text; what is left is null, and the caller counts it. */
#ifndef COLUMN_H
#define COLUMN_H

#include "name.h"

typedef struct column {
    const char *title; /* of the column */
    const char *word;  /* the name whose values it holds */
    int kind;          /* of rows; 0: not known yet */
    int show;
    const tw_field *field; /* names of values and help; NULL: none, or not the same in all types */
    int seen;              /* a type had that name */
} column;

/* From "TransferSize" or "size=TransferSize"; the texts live as long as the pipeline. TW_ERROR: wrong use, said. */
int column_read(void *self, const char *given, column *out);
/* Notes kind and looks of a name of some type, if it is there and the column has none yet. Where types call the same
   number otherwise, the column shows numbers. */
void column_learn(column *c, const name *n);
int column_agrees(const column *c, const name *n); /* 0: numbers of n are not called as the column calls them */

int column_kind_of_both(int a, int b); /* that holds values of both, as they are given; 0 is no kind yet */

/* A table of these columns and the n behind them, there as long as the pipeline. TW_ERROR: two have one title; that
   was said. */
int column_table(void *self, const char *name, const char *help, const column *by, uint32_t nby, const tw_field *more,
                 uint32_t n, const tw_table **out);

/* Which table a stage works on: the one called `of`, or where that is "", the only one that comes. */
typedef struct table_choice {
    const char *of;
    const tw_table *table; /* the first of that name; others are alike */
    const char *other[16]; /* names of tables that are not meant */
    uint32_t nothers;
} table_choice;

/* TW_OK: t is meant; TW_END: it is not; TW_ERROR: wrong use, said. */
int column_choose(void *self, table_choice *c, const tw_table *t);
/* The column of that name, whose cells are single values. TW_ERROR: there is none; said, with the nearest. */
int column_find(void *self, const tw_table *t, const char *name, uint32_t *out);
/* At the end: a warning if the table never came. */
void column_miss(void *self, const table_choice *c);

/* A value into a cell, texts copied. v may be NULL: null. 0, and null, where the column cannot hold it. */
int column_put(tw_rows *r, uint32_t col, uint32_t row, const tw_value *v, const tw_field *field);

/* At the end: a warning for each column whose name no event had. */
void column_remark(void *self, const column *c, uint32_t n);

#endif
