/* etl_read_kit.h - reading files made by hand with etl.read: what the tests of its two sides share.

   One idea: a test appends bytes to `k`, reads them, and looks at `event`, at counters and at cells of tables. */
#ifndef ETL_READ_KIT_H
#define ETL_READ_KIT_H

#include <check.h>
#include <stdlib.h>

#include "etl_kit.h"
#include "source_host.h"

extern const tw_stage etl_read_stage;

#define START     INT64_C(1577836800000000000) /* KIT_START in ns since 1970 */
#define AFTER(ns) (START + (int64_t)(ns))
#define SIZE      4096

typedef struct seen {
    int64_t time;
    const tw_type *type;
    uint32_t pid, tid, bytes, flags;
    uint16_t cpu;
    uint8_t data[8];
} seen;

static const uint8_t guid[16] = { 0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66,
                                  0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF };
#define GUID_TEXT "00112233-4455-6677-8899-aabbccddeeff"

static kit k;
static source *s;
static seen *event; /* what was read */
static size_t n;    /* how many */

static inline void set_up(void)
{
    memset(&k, 0, sizeof k);
    s = NULL;
    event = NULL;
    n = 0;
}

static inline void close_source(void)
{
    if (s) source_close(s);
    s = NULL;
    free(event);
    event = NULL;
    n = 0;
}

static inline void tear_down(void)
{
    close_source();
    kit_free(&k);
}

/* Reads to the end. Checks on the way that no event comes before what was promised, but `late` of them. */
static inline void read_all(size_t late)
{
    int64_t upto = INT64_MIN;
    int status = TW_OK;

    n = 0;
    while (status == TW_OK) {
        tw_batch *b = source_read(s, &status);
        ck_assert_int_ne(status, TW_ERROR);
        event = mem_grow(event, (n + b->n + 1) * sizeof *event);
        for (uint32_t i = 0; i < b->n; i++) {
            const tw_event *e = &b->event[i];
            seen *to = &event[n++];
            if (e->time < upto) {
                ck_assert_uint_gt(late, 0);
                late--;
            }
            memset(to, 0, sizeof *to);
            *to = (seen){ e->time, s->state->type[e->type], e->pid, e->tid, e->bytes, e->flags, e->cpu, { 0 } };
            memcpy(to->data, e->data, e->bytes < 8 ? e->bytes : 8);
        }
        upto = b->upto;
        batch_let_go(b);
    }
    ck_assert_uint_eq(late, 0);
    ck_assert_int_eq(upto, INT64_MAX);
    ck_assert_int_eq(s->stage->end(s->state), TW_OK);
}

static inline void read_kit(void)
{
    close_source();
    s = source_of_bytes(&etl_read_stage, k.at, k.n, 3); /* a small batch, so that buffers are read in parts */
    *(int *)source_option(s, "tables") = 1;
    ck_assert_msg(source_open(s) == TW_OK, "%s", s->said);
    read_all(0);
}

static inline uint64_t count(const char *name)
{
    for (const tw_counter *c = s->stage->counters; c->name; c++)
        if (!strcmp(c->name, name)) return s->count[c - s->stage->counters];
    ck_abort_msg("no counter %s", name);
    return 0;
}

/* All that was skipped, over all causes. */
static inline uint64_t skipped(void)
{
    uint64_t sum = 0;
    for (const tw_counter *c = s->stage->counters; c->name; c++)
        if (c->severity == TW_SKIPPED) sum += s->count[c - s->stage->counters];
    return sum;
}

/* A cell of a table as text; NULL: no such row, "-": null. */
static inline const char *cell(const char *table, uint32_t row, const char *column)
{
    static char out[200];
    tw_value v;

    for (uint32_t t = 0; t < s->nrows; t++) {
        const tw_rows *r = s->rows[t];
        if (strcmp(r->table->name, table)) continue;
        if (row >= r->n) return NULL;
        for (uint32_t c = 0; c < r->table->ncols; c++) {
            if (strcmp(r->table->col[c].name, column)) continue;
            if (!tw_cell(r, c, row, &v)) return "-";
            value_print(&r->table->col[c], &v, out, sizeof out);
            return out;
        }
        ck_abort_msg("no column %s", column);
    }
    return NULL;
}

static inline void expect_skip(uint32_t row, const char *cause, const char *bytes, const char *events,
                               const char *first)
{
    ck_assert_pstr_eq(cell("trace_skipped", row, "cause"), cause);
    ck_assert_pstr_eq(cell("trace_skipped", row, "bytes"), bytes);
    ck_assert_pstr_eq(cell("trace_skipped", row, "events"), events);
    ck_assert_pstr_eq(cell("trace_skipped", row, "first_offset"), first);
}

/* An event with one byte of payload. */
static inline void plain(int64_t ticks, uint8_t mark)
{
    kit_event(&k, 0x13, 0, guid, 5, 1, 8, 9, ticks);
    kit_number(&k, mark, 1);
    kit_end_at(&k, 0);
}

static inline void expect_marks(const char *marks)
{
    char have[256] = "";
    size_t m = 0;

    for (size_t i = 0; i < n && m < 255; i++)
        if (event[i].type->number == 5) have[m++] = (char)event[i].data[0];
    have[m] = 0;
    ck_assert_str_eq(have, marks);
}

static inline void plain_buffer(int64_t ticks, const char *marks, unsigned cpu, uint32_t size)
{
    kit_buffer(&k, 0, 0x20, cpu);
    for (; *marks; marks++) plain(ticks++, (uint8_t)*marks);
    kit_buffer_end(&k, size);
}

static inline void usual(uint32_t size)
{
    kit_log l = kit_usual(size);
    kit_begin_file(&k, &l);
}

#endif
