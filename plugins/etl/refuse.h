/* refuse.h - saying what a file is that is no trace. */
#ifndef ETL_REFUSE_H
#define ETL_REFUSE_H

#include "tw_plugin.h"

/* Fails for the file `name` of `size` bytes, whose first `n` are given: a sentence with what was found. TW_ERROR. */
int refuse_file(void *self, const char *name, const uint8_t *head, size_t n, uint64_t size);

#endif
