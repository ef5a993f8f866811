/* oneline.h - a pipeline as one line of words: etl.read a.etl | where 'pid == 4' | limit 10 | text.grid

   One idea: it becomes the same plan that a pipeline file becomes, so nothing behind it knows the difference. */
#ifndef ONELINE_H
#define ONELINE_H

#include "bus.h"

/* Is the word such a pipeline? It holds a `|`, or begins with what is called like a stage of a plugin. */
int oneline_is(plugins *p, const char *word);

/* Stages with `|` between them. A word after a stage is `option=value` where the stage has that option, else a value without
   a name; quotes, single or double, keep blanks and bars. `where` takes all up to the next bar. Where nothing in
   the line makes rows, events become rows with the columns of the command `events` before the first sink that takes rows;
   where it has no sink, rows go to standard output as CSV. The plan lives in `memory`. TW_ERROR: wrong use, with a
   sentence that names the column. */
int oneline_read(plugins *p, const char *line, arena *memory, plan *out, text *why);

#endif
