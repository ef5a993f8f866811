/* progress.c - one line on a terminal that says how far a run is.

   One idea: the rate is the mean since the beginning, so the time that remains does not jump about. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "os.h"

#define SECOND 1000000000ll

enum { LONGEST = 120, EVERY = 100000000 /* ns between two changes of the line */ };

void progress_start(progress *p, int mode, int64_t now)
{
    memset(p, 0, sizeof *p);
    p->on = mode < 0 ? os_is_terminal(2) : mode;
    p->begin = now;
    p->next = now + EVERY;
}

int progress_line(int64_t spent, uint64_t done, uint64_t total, uint64_t events, char *out, int cap)
{
    double seconds = (double)spent / SECOND;
    int n;

    if (seconds <= 0) seconds = 1e-9;
    if (total) {
        double share = done < total ? (double)done / (double)total : 1;
        double left = done ? seconds * (1 - share) / share : 0;
        n = snprintf(out, (size_t)cap, "%3.0f%%  %.0f MB/s  %" PRId64 ":%02d left", share * 100,
                     (double)done / seconds / 1e6, (int64_t)left / 60, (int)((int64_t)left % 60));
    } else {
        n = snprintf(out, (size_t)cap, "%.1f M events  %.2f M/s", (double)events / 1e6,
                     (double)events / seconds / 1e6);
    }
    return n < cap ? n : cap - 1;
}

/* 1 where the line may change now. */
static int is_due(progress *p, int64_t now)
{
    if (!p->on || now < p->next) return 0;
    p->next = now + EVERY;
    return 1;
}

static int columns(void)
{
    int n = os_columns();
    return n > LONGEST || n < 2 ? LONGEST : n;
}

static void put_line(progress *p, const char *line, int n)
{
    fprintf(stderr, "\r%s%*s", line, p->width > n ? p->width - n : 0, "");
    fflush(stderr);
    p->width = n;
}

void progress_step(progress *p, int64_t now, uint64_t done, uint64_t total, uint64_t events)
{
    char line[LONGEST];

    if (!is_due(p, now)) return;
    int n = progress_line(now - p->begin, done, total, events, line, columns());
    put_line(p, line, n);
}

void progress_unpack(progress *p, int64_t now, const char *name, uint64_t bytes)
{
    char line[LONGEST];

    if (!is_due(p, now)) return;
    int cap = columns(), n = snprintf(line, (size_t)cap, "%.0f MB unpacked  %s", (double)bytes / 1e6, name);
    put_line(p, line, n < cap ? n : cap - 1);
}

void progress_clear(progress *p)
{
    if (!p->width) return;
    fprintf(stderr, "\r%*s\r", p->width, "");
    fflush(stderr);
    p->width = 0;
}
