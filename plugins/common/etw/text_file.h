/* text_file.h - a text file of Windows as UTF-8.

   Its tools write UTF-16 with a mark, UTF-8 with or without, or the code page of the machine, which is taken for 1252.
   One idea: a text that is valid UTF-8 is that, and is not copied; what is not is of the code page. */
#ifndef ETW_TEXT_FILE_H
#define ETW_TEXT_FILE_H

#include <stddef.h>

typedef struct text_file {
    const char *at; /* without a mark; half a surrogate pair is U+FFFD */
    size_t n;
    char *copy;
} text_file;

int text_file_open(text_file *t, const void *bytes, size_t n); /* 0: no memory. `bytes` must live as long as t */
void text_file_close(text_file *t);

#endif
