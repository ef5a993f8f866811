/* page.h - text on its way to an output.

   A sink that writes text fills a page and hands it on when it is full enough. One idea: running out of memory is
   remembered by the page and later puts do nothing, so a row is written without a check at every cell. */
#ifndef PAGE_H
#define PAGE_H

#include "tw_plugin.h"
#include <stdlib.h>

typedef struct page {
    char *at;
    size_t n, cap;
    int failed; /* memory ran out: what is in the page is not whole */
} page;

enum { PAGE_FULL = 1 << 17 }; /* bytes from which a page is worth handing on */

/* Room for `bytes` behind what is there, or NULL. The caller adds what it used to p->n. */
static inline char *page_room(page *p, size_t bytes)
{
    if (!p->at || p->cap - p->n < bytes) {
        size_t cap = p->cap ? p->cap : 4096;
        while (cap - p->n < bytes && cap <= SIZE_MAX / 4) cap *= 2;
        char *at = p->failed || cap - p->n < bytes ? NULL : realloc(p->at, cap);
        if (!at) {
            p->failed = 1;
            return NULL;
        }
        p->at = at;
        p->cap = cap;
    }
    return p->at + p->n;
}

static inline void page_put(page *p, const void *bytes, size_t n)
{
    char *to = n ? page_room(p, n) : NULL;
    if (!to) return;
    memcpy(to, bytes, n);
    p->n += n;
}

static inline void page_string(page *p, const char *string)
{
    page_put(p, string, strlen(string));
}

static inline void page_byte(page *p, char byte)
{
    char *to = page_room(p, 1);
    if (!to) return;
    *to = byte;
    p->n++;
}

static inline void page_blanks(page *p, size_t n)
{
    char *to = page_room(p, n);
    if (!to) return;
    memset(to, ' ', n);
    p->n += n;
}

static inline void page_unsigned(page *p, uint64_t value)
{
    char digits[20], *at = digits + sizeof digits;
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    page_put(p, at, (size_t)(digits + sizeof digits - at));
}

static inline void page_signed(page *p, int64_t value)
{
    if (value < 0) page_byte(p, '-');
    page_unsigned(p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* A value as the host prints it. */
static inline void page_value(page *p, const tw_host *host, const tw_field *column, const tw_value *v)
{
    enum { USUAL = 64 };
    char *to = page_room(p, USUAL);
    if (!to) return;
    int n = host->print(column, v, to, USUAL);
    if (n >= USUAL) {
        if (!(to = page_room(p, (size_t)n + 1))) return;
        n = host->print(column, v, to, (size_t)n + 1);
    }
    if (n > 0) p->n += (size_t)n;
}

/* The last time printed: times of a trace come in runs, and within a second only their fraction differs. */
typedef struct page_moment {
    int64_t second;
    int n; /* bytes of text, 0 at first */
    char text[40];
} page_moment;

static inline void page_time(page *p, const tw_host *host, page_moment *last, int64_t time)
{
    enum { POINT = 19, LENGTH = 30 }; /* of 2026-11-30T08:15:00.123456789Z */
    int64_t second = time / 1000000000, fraction = time % 1000000000;

    if (fraction < 0) {
        fraction += 1000000000;
        second--;
    }
    if (last->n == LENGTH && second == last->second) {
        for (int i = POINT + 9; i > POINT; i--, fraction /= 10) last->text[i] = (char)('0' + fraction % 10);
    } else {
        tw_value v = { .kind = TW_TIME, .i = time };
        last->n = host->print(NULL, &v, last->text, sizeof last->text);
        last->second = second;
    }
    page_put(p, last->text, (size_t)last->n);
}

/* Hands on what is there. TW_END: the reader has closed, enough. */
static inline int page_write(page *p, void *self, tw_output *to)
{
    if (p->failed) return tw_fail(self, "out of memory for a row of text");
    int status = p->n ? TW_HOST(self)->write(to, p->at, p->n) : TW_OK;
    p->n = 0;
    return status;
}

static inline void page_free(page *p)
{
    free(p->at);
    memset(p, 0, sizeof *p);
}

#endif
