/* column.c - tables made of whatever events are called by. */
#include "column.h"

#include <stdlib.h>

#include "batch.h"
#include "bus.h"

/* ---- From a name ---- */

int column_read(void *self, const char *given, column *out)
{
    const char *equals = strchr(given, '=');

    *out = (column){ .title = given, .word = given };
    if (equals) {
        out->title = TW_HOST(self)->intern(self, given, (size_t)(equals - given));
        out->word = equals + 1;
    }
    if (*out->title && *out->word) return TW_OK;
    return TW_HOST(self)->misuse(
        self, "'%s' names no column; write 'TransferSize', or 'size=TransferSize' to rename it", given);
}

/* The first name of that value or of a greater one. */
static uint32_t place_of(const tw_names *names, uint64_t value)
{
    uint32_t low = 0, high = names->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names->name[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Do they speak of the same thing? They share names, and call no number otherwise; one may know more than the other. */
static int is_same_naming(const tw_names *a, const tw_names *b)
{
    int shared = 0;

    if (a == b) return 1;
    if (!b || ((a->flags ^ b->flags) & TW_BITS)) return 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const tw_name *y = &b->name[i];
        uint32_t at = place_of(a, y->value);
        if (at == a->n || a->name[at].value != y->value || (i && y[-1].value == y->value)) continue;
        const char *x = a->name[at].name;
        if (!x != !y->name || (x && strcmp(x, y->name) != 0)) return 0;
        shared = 1;
    }
    return shared;
}

int column_agrees(const column *c, const name *n)
{
    const tw_names *names = c->field ? c->field->names : NULL;
    return !names || is_same_naming(names, n->column ? n->column->names : NULL);
}

void column_learn(column *c, const name *n)
{
    if (n->from == NAME_NONE) return;
    c->seen = 1;
    if (n->kind == TW_STRUCT) return;
    if (c->kind) {
        if (column_kind_of_both(c->kind, n->kind) != TW_TEXT && !column_agrees(c, n)) c->field = NULL;
        return;
    }
    c->kind = n->kind;
    c->show = n->show;
    c->field = n->column;
}

static int is_unsigned(int kind)
{
    return kind >= TW_U8 && kind <= TW_U64;
}

static int is_signed(int kind)
{
    return kind >= TW_I8 && kind <= TW_I64;
}

static int is_float(int kind)
{
    return kind == TW_F32 || kind == TW_F64;
}

int column_kind_of_both(int a, int b)
{
    if (!a || a == b) return b;
    if (!b) return a;
    if ((is_unsigned(a) && is_unsigned(b)) || (is_signed(a) && is_signed(b)) || (is_float(a) && is_float(b)))
        return a > b ? a : b; /* kinds of a family are in order of size */
    if (is_unsigned(a) && is_signed(b)) return a == TW_U64 ? TW_TEXT : TW_I64;
    if (is_signed(a) && is_unsigned(b)) return b == TW_U64 ? TW_TEXT : TW_I64;
    return TW_TEXT;
}

/* ---- Tables ---- */

/* The bus looks at a table's columns after its stage is closed, so the table is interned as texts are. */
static const void *keep(void *self, const void *bytes, size_t n)
{
    return TW_HOST(self)->intern(self, bytes, n);
}

int column_table(void *self, const char *name, const char *help, const column *by, uint32_t nby, const tw_field *more,
                 uint32_t n, const tw_table **out)
{
    tw_table t = { .size = sizeof t, .ncols = nby + n, .name = name, .help = help };
    tw_field *col = mem_new(t.ncols * sizeof *col);
    int rc = TW_OK;

    for (uint32_t i = 0; i < nby; i++) {
        const tw_field *field = by[i].field;
        int kind = by[i].kind ? by[i].kind : TW_TEXT;
        col[i] = (tw_field){
            .name = by[i].title, .kind = (uint8_t)kind, .show = (uint8_t)by[i].show, .flags = TW_NULLABLE
        };
        if (field) col[i].help = field->help;
        if (field && kind != TW_TEXT) col[i].names = field->names;
    }
    if (n) memcpy(col + nby, more, n * sizeof *col);
    for (uint32_t i = 0; i < t.ncols && rc == TW_OK; i++) {
        for (uint32_t k = 0; k < i && rc == TW_OK; k++) {
            if (strcmp(col[i].name, col[k].name) == 0)
                rc = TW_HOST(self)->misuse(self, "two columns are called '%s'; rename one, as in 'other=%s'",
                                           col[i].name, k < nby ? by[k].word : col[k].name);
        }
    }
    t.col = keep(self, col, t.ncols * sizeof *col);
    *out = keep(self, &t, sizeof t);
    free(col);
    return rc;
}

/* ---- One table of those that come ---- */

static int is_alike(const tw_table *a, const tw_table *b)
{
    if (a->ncols != b->ncols) return 0;
    for (uint32_t i = 0; i < a->ncols; i++) {
        const tw_field *x = &a->col[i], *y = &b->col[i];
        if (strcmp(x->name, y->name) != 0 || x->kind != y->kind || x->flags != y->flags) return 0;
    }
    return 1;
}

int column_choose(void *self, table_choice *c, const tw_table *t)
{
    if (c->table == t) return TW_OK;
    if (*c->of && strcmp(c->of, t->name) != 0) {
        if (c->nothers < sizeof c->other / sizeof *c->other) c->other[c->nothers++] = t->name;
        return TW_END;
    }
    if (!c->table) c->table = t;
    if (strcmp(c->table->name, t->name) != 0)
        return TW_HOST(self)->misuse(self, "more than one table comes: '%s' and '%s'; say which, as in of = \"%s\"",
                                     c->table->name, t->name, c->table->name);
    if (!is_alike(c->table, t))
        return TW_HOST(self)->misuse(self, "two tables with other columns are called '%s'; give one another name",
                                     t->name);
    return TW_OK;
}

int column_find(void *self, const tw_table *t, const char *name, uint32_t *out)
{
    const char **names = mem_new((t->ncols + 1) * sizeof *names);

    for (*out = 0; *out < t->ncols; ++*out) {
        names[*out] = t->col[*out].name;
        if (strcmp(names[*out], name) == 0) break;
    }
    int found = *out < t->ncols, lists = found && t->col[*out].flags & TW_LIST;
    const char *near = found ? NULL : text_nearest(name, names, t->ncols);
    free((void *)names);
    if (lists)
        return TW_HOST(self)->misuse(
            self, "the cells of '%s' are lists; only single values can be compared and added up", name);
    if (found) return TW_OK;
    if (near)
        return TW_HOST(self)->misuse(self, "table '%s' has no column '%s'; did you mean '%s'?", t->name, name, near);
    return TW_HOST(self)->misuse(self, "table '%s' has no column '%s'; its first is '%s'", t->name, name,
                                 t->ncols ? t->col[0].name : "");
}

/* ---- Cells ---- */

static void put_bytes(tw_rows *r, uint32_t col, uint32_t row, const char *at, uint32_t bytes)
{
    char *copy = rows_cell(r, bytes ? bytes : 1);
    if (bytes) memcpy(copy, at, bytes);
    ((tw_text *)r->col[col])[row] = (tw_text){ copy, bytes, 0 };
}

static void put_printed(tw_rows *r, uint32_t col, uint32_t row, const tw_value *v, const tw_field *field)
{
    char small[160];
    int length = value_print(field, v, small, sizeof small);

    if ((size_t)length < sizeof small) {
        put_bytes(r, col, row, small, (uint32_t)length);
        return;
    }
    char *text = rows_cell(r, (size_t)length + 1);
    value_print(field, v, text, (size_t)length + 1);
    ((tw_text *)r->col[col])[row] = (tw_text){ text, (uint32_t)length, 0 };
}

/* An integer as a sign and 64 bits; 0 where v is none. */
static int integer_of(const tw_value *v, int *negative)
{
    *negative = is_signed(v->kind) && v->i < 0;
    return is_unsigned(v->kind) || is_signed(v->kind);
}

static int put_integer(tw_rows *r, uint32_t col, uint32_t row, int kind, const tw_value *v)
{
    static const uint8_t bits[] = { [TW_U8] = 8, [TW_U16] = 16, [TW_U32] = 32, [TW_U64] = 64,
                                    [TW_I8] = 7, [TW_I16] = 15, [TW_I32] = 31, [TW_I64] = 63 };
    int negative;

    if (!integer_of(v, &negative)) return 0;
    uint64_t beyond = bits[kind] == 64 ? 0 : (negative ? ~v->u : v->u) >> bits[kind];
    if (beyond || (negative && is_unsigned(kind))) return 0;
    switch (bits[kind]) {
    case 7:
    case 8: ((uint8_t *)r->col[col])[row] = (uint8_t)v->u; break;
    case 15:
    case 16: ((uint16_t *)r->col[col])[row] = (uint16_t)v->u; break;
    case 31:
    case 32: ((uint32_t *)r->col[col])[row] = (uint32_t)v->u; break;
    default: ((uint64_t *)r->col[col])[row] = v->u; break;
    }
    return 1;
}

static int put_float(tw_rows *r, uint32_t col, uint32_t row, int kind, const tw_value *v)
{
    int negative;
    double f = v->f;

    if (integer_of(v, &negative)) {
        f = negative ? (double)v->i : (double)v->u;
        if (f > 9007199254740992.0 || f < -9007199254740992.0) return 0; /* above 2^53 digits are lost */
    } else if (!is_float(v->kind)) {
        return 0;
    }
    if (kind == TW_F64) {
        ((double *)r->col[col])[row] = f;
        return 1;
    }
    ((float *)r->col[col])[row] = (float)f;
    return v->kind == TW_F32 || (double)(float)f == f;
}

static int put(tw_rows *r, uint32_t col, uint32_t row, const tw_value *v, const tw_field *field)
{
    int kind = r->table->col[col].kind;

    if (is_unsigned(kind) || is_signed(kind)) return put_integer(r, col, row, kind, v);
    if (is_float(kind)) return put_float(r, col, row, kind, v);
    if (kind == TW_TEXT && v->kind != TW_TEXT) {
        put_printed(r, col, row, v, field);
        return 1;
    }
    if (kind != v->kind) return 0;
    switch (kind) {
    case TW_BOOL: ((uint8_t *)r->col[col])[row] = v->u != 0; break;
    case TW_BOOL32: ((uint32_t *)r->col[col])[row] = v->u != 0; break;
    case TW_POINTER:
    case TW_TIME:
    case TW_SPAN: ((uint64_t *)r->col[col])[row] = v->u; break;
    case TW_GUID:
    case TW_IP6: memcpy((uint8_t *)r->col[col] + 16 * (size_t)row, v->t.at, 16); break;
    case TW_IP4: memcpy((uint8_t *)r->col[col] + 4 * (size_t)row, v->t.at, 4); break;
    default: put_bytes(r, col, row, v->t.at, v->t.bytes); break;
    }
    return 1;
}

int column_put(tw_rows *r, uint32_t col, uint32_t row, const tw_value *v, const tw_field *field)
{
    int fits = !v || put(r, col, row, v, field);

    if (!v || !fits) r->null[col][row] = 1;
    return fits;
}

/* ---- At the end ---- */

void column_miss(void *self, const table_choice *c)
{
    const char *near = text_nearest(c->of, c->other, c->nothers);

    if (c->table) return;
    if (!*c->of)
        tw_log(self, TW_WARNING, "no table came; a stage that makes rows stands before this one, such as fields");
    else if (near || c->nothers)
        tw_log(self, TW_WARNING, "no table '%s' came; did you mean '%s'?", c->of, near ? near : c->other[0]);
    else
        tw_log(self, TW_WARNING, "no table '%s' came", c->of);
}

void column_remark(void *self, const column *c, uint32_t n)
{
    if (!bus_passed(self)) return;
    for (uint32_t i = 0; i < n; i++) {
        if (c[i].seen || name_is_header(c[i].word)) continue;
        const char *near = name_nearest(bus_types(self), c[i].word);
        if (near)
            tw_log(self, TW_WARNING, "no event had a field '%s'; did you mean '%s'?", c[i].word, near);
        else
            tw_log(self, TW_WARNING, "no event had a field '%s'", c[i].word);
    }
}
