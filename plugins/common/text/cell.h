/* cell.h - what tables and cells are to a sink that writes text.

   One idea: how a column is written follows from its declaration alone, so it is decided once a table and every sink
   decides alike. */
#ifndef CELL_H
#define CELL_H

#include "tw_plugin.h"

enum cell {
    CELL_UNSIGNED,
    CELL_SIGNED,
    CELL_SPAN,
    CELL_BOOL,
    CELL_FLOAT,
    CELL_TIME,
    CELL_TEXT,
    CELL_PRINT, /* printed by the host and no number: addresses, codes, names of values, GUIDs, bytes */
    CELL_LIST   /* of the kind that cell_of_element says */
};

static inline enum cell cell_of_number(const tw_field *column)
{
    if (column->names) return CELL_PRINT;
    switch (column->show) {
    case TW_SHOW_HEX:
    case TW_SHOW_ADDRESS:
    case TW_SHOW_CODE:
    case TW_SHOW_IP4:
    case TW_SHOW_NTSTATUS:
    case TW_SHOW_HRESULT:
    case TW_SHOW_WIN32:
    case TW_SHOW_CHAR: return CELL_PRINT;
    default: return column->kind < TW_I8 ? CELL_UNSIGNED : CELL_SIGNED;
    }
}

static inline enum cell cell_of_element(const tw_field *column)
{
    switch (column->kind) {
    case TW_U8:
    case TW_U16:
    case TW_U32:
    case TW_U64:
    case TW_I8:
    case TW_I16:
    case TW_I32:
    case TW_I64: return cell_of_number(column);
    case TW_BOOL:
    case TW_BOOL32: return CELL_BOOL;
    case TW_F32:
    case TW_F64: return CELL_FLOAT;
    case TW_TIME: return CELL_TIME;
    case TW_SPAN: return CELL_SPAN;
    case TW_TEXT: return CELL_TEXT;
    default: return CELL_PRINT;
    }
}

static inline enum cell cell_of(const tw_field *column)
{
    return column->flags & TW_LIST ? CELL_LIST : cell_of_element(column);
}

/* The elements of a list cell as rows of one column, so that tw_cell reads these too. */
typedef struct cell_list {
    tw_field element;
    tw_table table;
    void *cells;
    uint8_t *null;
    tw_rows rows;
} cell_list;

static inline void cell_list_open(cell_list *l, const tw_field *column, const tw_value *v)
{
    memset(l, 0, sizeof *l);
    l->element = *column;
    l->element.flags = 0;
    l->table.col = &l->element;
    l->table.ncols = 1;
    memcpy(&l->cells, &v->t.at, sizeof l->cells); /* tw_rows has no const cells; nobody writes to these */
    l->rows.table = &l->table;
    l->rows.n = v->count;
    l->rows.col = &l->cells;
    l->rows.null = &l->null;
}

/* 1 where rows of both tables may stand under one heading. */
static inline int same_columns(const tw_table *a, const tw_table *b)
{
    if (a->ncols != b->ncols) return 0;
    for (uint32_t c = 0; c < a->ncols; c++) {
        if (strcmp(a->col[c].name, b->col[c].name) != 0 || cell_of(&a->col[c]) != cell_of(&b->col[c])) return 0;
    }
    return 1;
}

#endif
