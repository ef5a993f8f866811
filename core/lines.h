/* lines.h - a stream of bytes becomes lines, within a bound of memory.

   One idea: there is one buffer that grows up to `most` bytes. Where a line does not fit, its reader either gets it in
   pieces or is told so once and spared the rest. */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdint.h>

typedef struct lines { /* zeroed, then `most` and `pieces` set */
    size_t most;       /* bytes of a line, or of a piece */
    int pieces;        /* long lines come in pieces; else their beginning comes, and the rest is skipped */
    char *at;
    size_t begin, end, cap;
    size_t looked; /* no line ends between begin and here */
    int skipping;  /* in a line that was too long */
    int started;   /* the mark of UTF-8 was looked for */
    int ended;     /* no more bytes come */
} lines;

enum { LINES_NONE, LINES_WHOLE, LINES_PART, LINES_LAST };

/* Room to read bytes into, *n of it; *n 0: take lines first. */
char *lines_room(lines *l, size_t *n);
void lines_add(lines *l, size_t n); /* so many bytes were put there */
/* The next line, without LF or CR LF, and without the byte order mark that some programs begin with. LINES_PART: a piece that
   another follows, or the beginning of a line that is too long. LINES_LAST: what stood at the end without a line's end.
   Good until the next call of lines_room. */
int lines_next(lines *l, const char **line, size_t *n);
void lines_free(lines *l);

#endif
