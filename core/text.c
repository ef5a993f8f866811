/* text.c - growing strings, the nearest right word, and memory that is there or ends the program.

   One idea: there is always room for one more byte, so the string is ended by 0 after every change. */
#include "text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void no_memory(size_t bytes)
{
    fprintf(stderr, "out of memory: %" PRIu64 " bytes more could not be had\n", (uint64_t)bytes);
    _Exit(1);
}

void *mem_new(size_t bytes)
{
    void *at = calloc(1, bytes ? bytes : 1);
    if (!at) no_memory(bytes);
    return at;
}

void *mem_grow(void *at, size_t bytes)
{
    void *grown = realloc(at, bytes ? bytes : 1);
    if (!grown) no_memory(bytes);
    return grown;
}

char *mem_text(const char *bytes, size_t n)
{
    char *copy = mem_grow(NULL, n + 1);
    if (n) memcpy(copy, bytes, n);
    copy[n] = 0;
    return copy;
}

char *mem_lower(const char *bytes, size_t n)
{
    char *copy = mem_text(bytes, n);
    for (size_t i = 0; i < n; i++) copy[i] = text_lower(copy[i]);
    return copy;
}

/* Makes room for n more bytes and the 0 behind them. */
static void reserve(text *t, size_t n)
{
    if (n >= SIZE_MAX / 2 - t->n) no_memory(n);
    size_t need = t->n + n + 1;
    if (need <= t->cap) return;
    size_t cap = t->cap ? t->cap * 2 : 64;
    if (cap < need) cap = need;
    t->at = mem_grow(t->at, cap);
    t->cap = cap;
}

void text_add(text *t, const char *bytes, size_t n)
{
    reserve(t, n);
    if (n) memcpy(t->at + t->n, bytes, n);
    t->n += n;
    t->at[t->n] = 0;
}

void text_put(text *t, const char *string)
{
    text_add(t, string, strlen(string));
}

void text_format(text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_format_list(t, format, args);
    va_end(args);
}

void text_format_list(text *t, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    reserve(t, 0);
    size_t room = t->cap - t->n;
    int n = vsnprintf(t->at + t->n, room, format, args);
    assert(n >= 0);
    if ((size_t)n >= room) {
        reserve(t, (size_t)n);
        vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
    }
    t->n += (size_t)n;
    va_end(again);
}

void text_clear(text *t)
{
    t->n = 0;
    if (t->at) t->at[0] = 0;
}

void text_free(text *t)
{
    free(t->at);
    memset(t, 0, sizeof *t);
}

const char *text_of(const text *t)
{
    return t->at ? t->at : "";
}

enum { LONGEST = 160 }; /* no name longer than this is worth suggesting */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How many bytes must be added, dropped, replaced or swapped with their neighbour to make b of a. */
static int edits(const char *a, int na, const char *b, int nb)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2]; /* by the length of b's part; for i - 2, i - 1, i */

    for (int j = 0; j <= nb; j++) above[j] = j;
    for (int i = 1; i <= na; i++) {
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int other = text_lower(a[i - 1]) != text_lower(b[j - 1]);
            row[j] = smaller(above[j - 1] + other, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && text_lower(a[i - 1]) == text_lower(b[j - 2]) &&
                text_lower(a[i - 2]) == text_lower(b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[nb];
}

const char *text_nearest(const char *word, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    int fewest = LONGEST;
    size_t nw = strlen(word);

    if (nw > LONGEST) return NULL;
    for (size_t k = 0; k < n; k++) {
        size_t nn = names[k] ? strlen(names[k]) : SIZE_MAX;
        if (nn > LONGEST) continue;
        int needed = edits(word, (int)nw, names[k], (int)nn);
        if (needed < fewest && needed <= (int)(nw > nn ? nw : nn) / 3) {
            fewest = needed;
            nearest = names[k];
        }
    }
    return nearest;
}

int text_fits(const char *pattern, const char *name)
{
    const char *star = NULL; /* the last `*` seen; only its run ever needs to grow */
    const char *run = NULL;  /* where the rest after that run is being tried */

    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            run = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++run;
        } else {
            return 0;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}
