/* screen.h - text as a terminal shows it: how wide it is, and nothing in it that moves the cursor.

   One idea: what a program put into a trace is shown, never obeyed: control characters, marks that turn the direction of
   writing and broken UTF-8 appear as escapes. */
#ifndef SCREEN_H
#define SCREEN_H

#include "../common/text/page.h"

/* Columns of the screen that n bytes of shown text take. */
size_t screen_width(const char *text, size_t n);

/* Appends `text` as it may be shown; its width. */
size_t screen_put(page *p, const char *text, size_t n);

/* How many of the n bytes of shown text fit into `width` columns. */
size_t screen_fit(const char *text, size_t n, size_t width);

#endif
