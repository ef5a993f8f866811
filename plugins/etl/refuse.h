/* refuse.h - saying what a file is that is no trace. */
#ifndef ETL_REFUSE_H
#define ETL_REFUSE_H

#include <stddef.h>
#include <stdint.h>

enum { REFUSE_CAP = 512 };

/* For the file `name` of `size` bytes, whose first `n` are given: a sentence with what was found. A longer one is cut. */
void refuse_words(char out[REFUSE_CAP], const char *name, const uint8_t *head, size_t n, uint64_t size);

#endif
