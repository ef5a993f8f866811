/* report.c - what a run did, told to a person.

   One idea: a line a fact, with the fact's severity first; a run of which nothing has to be said prints nothing. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *severity_name(int severity)
{
    static const char *const names[] = {
        [TW_DEBUG] = "debug", [TW_INFO] = "info",       [TW_WARNING] = "warning",
        [TW_LOST] = "lost",   [TW_SKIPPED] = "skipped", [TW_FAULT] = "fault",
    };
    return severity >= TW_DEBUG && severity <= TW_FAULT ? names[severity] : "fault";
}

int report_is_incomplete(const report_counter *c, int strict)
{
    return c->severity >= TW_SKIPPED || (strict && c->severity == TW_LOST);
}

/* Marks that turn the direction of writing: U+202A to U+202E, U+2066 to U+2069, three bytes each in UTF-8. */
static int turns(const unsigned char *at, size_t left)
{
    if (left < 3 || at[0] != 0xE2) return 0;
    return (at[1] == 0x80 && at[2] >= 0xAA && at[2] <= 0xAE) || (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9);
}

void report_plain(text *t)
{
    for (size_t i = 0; i < t->n; i++) {
        unsigned char c = (unsigned char)t->at[i];
        int c1 = c == 0xC2 && i + 1 < t->n && (t->at[i + 1] & 0xE0) == 0x80; /* U+0080 to U+009F in UTF-8 */
        if (c < 0x20 || c == 0x7F) t->at[i] = ' ';
        if (c1) t->at[i] = t->at[i + 1] = ' ';
        if (turns((const unsigned char *)t->at + i, t->n - i)) memset(t->at + i, ' ', 3);
    }
}

void report_free(report *r)
{
    for (uint32_t i = 0; i < r->nstages; i++) free((char *)r->stage[i].name);
    for (uint32_t i = 0; i < r->nkept; i++) free(r->kept[i]);
    free(r->kept);
    free(r->stage);
    free(r->counter);
    text_free(&r->error);
    memset(r, 0, sizeof *r);
}

const char *report_keep(report *r, text *t)
{
    r->kept = mem_grow(r->kept, (r->nkept + 1) * sizeof *r->kept);
    return r->kept[r->nkept++] = t->at;
}

static void print_stages(const report *r)
{
    int width = (int)strlen("stage");

    for (uint32_t i = 0; i < r->nstages; i++)
        if ((int)strlen(r->stage[i].name) > width) width = (int)strlen(r->stage[i].name);
    fprintf(stderr, "%-*s %12s %12s %12s %12s %9s %10s %8s\n", width, "stage", "events in", "events out", "rows in",
            "rows out", "batches", "ms", "ns each");
    for (uint32_t i = 0; i < r->nstages; i++) {
        const report_stage *s = &r->stage[i];
        uint64_t each = s->events_in ? s->events_in : s->rows_in ? s->rows_in : s->events_out;
        fprintf(stderr, "%-*s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %9" PRIu64 " %10.1f %8.1f\n",
                width, s->name, s->events_in, s->events_out, s->rows_in, s->rows_out, s->batches, (double)s->ns / 1e6,
                each ? (double)s->ns / (double)each : 0);
    }
    fprintf(stderr, "%.1f ms in all\n", (double)r->ns / 1e6);
}

static int is_told(const report_counter *c, int verbose)
{
    return verbose || (c->count && c->severity >= TW_WARNING);
}

static int digits(uint64_t n)
{
    int k = 1;
    while (n >= 10) {
        n /= 10;
        k++;
    }
    return k;
}

void report_print(const report *r, int verbose)
{
    int width = 1;

    if (r->error.n) {
        text sentence = { 0 };
        text_put(&sentence, text_of(&r->error));
        report_plain(&sentence);
        fprintf(stderr, "%s\n", text_of(&sentence));
        text_free(&sentence);
    }
    if (verbose) print_stages(r);
    for (uint32_t i = 0; i < r->ncounters; i++)
        if (is_told(&r->counter[i], verbose) && digits(r->counter[i].count) > width)
            width = digits(r->counter[i].count);
    for (uint32_t i = 0; i < r->ncounters; i++) {
        const report_counter *c = &r->counter[i];
        if (!is_told(c, verbose)) continue;
        int helped = c->help && *c->help;
        fprintf(stderr, "%-7s %*" PRIu64 "  %s: %s%s%s%s\n", severity_name(c->severity), width, c->count, c->stage,
                c->name, helped ? " (" : "", helped ? c->help : "", helped ? ")" : "");
    }
    if (r->status == 3) fprintf(stderr, "the result is incomplete\n");
}
