/* lines.c - a stream of bytes becomes lines, within a bound of memory.

   One idea: nothing is looked at twice, so a line of any length costs its bytes once. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { FIRST_ROOM = 4096 };

/* A line of `most` bytes, and CR LF behind it. */
static size_t most_room(const lines *l)
{
    return l->most + 2;
}

char *lines_room(lines *l, size_t *n)
{
    if (l->begin) {
        memmove(l->at, l->at + l->begin, l->end - l->begin);
        l->looked -= l->begin;
        l->end -= l->begin;
        l->begin = 0;
    }
    if (l->end == l->cap && l->cap < most_room(l)) {
        size_t cap = l->cap ? 2 * l->cap : FIRST_ROOM;
        l->cap = cap < most_room(l) ? cap : most_room(l);
        l->at = mem_grow(l->at, l->cap);
    }
    *n = l->cap - l->end;
    return l->at + l->end;
}

void lines_add(lines *l, size_t n)
{
    l->end += n;
}

/* Takes n bytes and `and` more behind them, which are not given. */
static void take(lines *l, const char **line, size_t *n, size_t bytes, size_t and)
{
    *line = l->at + l->begin;
    *n = bytes;
    l->begin += bytes + and;
    l->looked = l->begin;
}

/* 0 while it is not known yet whether the stream begins with the mark. */
static int pass_mark(lines *l)
{
    static const char mark[] = { '\xEF', '\xBB', '\xBF' };
    size_t n = l->end - l->begin;

    if (l->started || !n) return l->started;
    if (memcmp(l->at + l->begin, mark, n < sizeof mark ? n : sizeof mark) == 0) {
        if (n < sizeof mark && !l->ended) return 0;
        if (n >= sizeof mark) l->looked = l->begin += sizeof mark;
    }
    l->started = 1;
    return 1;
}

/* The rest of a line that was too long: 0 while its end has not come. */
static int skip(lines *l)
{
    const char *feed = l->end > l->begin ? memchr(l->at + l->begin, '\n', l->end - l->begin) : NULL;

    l->looked = l->begin = feed ? (size_t)(feed - l->at) + 1 : l->end;
    l->skipping = !feed;
    return !l->skipping;
}

int lines_next(lines *l, const char **line, size_t *n)
{
    if (!pass_mark(l) || (l->skipping && !skip(l))) return LINES_NONE;

    size_t fresh = l->end - l->looked, held = l->end - l->begin;
    const char *feed = fresh ? memchr(l->at + l->looked, '\n', fresh) : NULL;
    if (!feed && (l->ended ? !held : held < most_room(l))) { /* nothing, or the rest of it may come yet */
        l->looked = l->end;
        return LINES_NONE;
    }
    size_t bytes = feed ? (size_t)(feed - l->at) - l->begin : held, ends = feed ? 1 : 0;
    if (feed && bytes && feed[-1] == '\r') {
        bytes--;
        ends++;
    }
    if (bytes > l->most) {
        take(l, line, n, l->most, 0);
        l->skipping = !l->pieces;
        return LINES_PART;
    }
    take(l, line, n, bytes, ends);
    return feed ? LINES_WHOLE : LINES_LAST;
}

void lines_free(lines *l)
{
    free(l->at);
    memset(l, 0, sizeof *l);
}
