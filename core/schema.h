/* schema.h - the arguments of a pipeline as JSON Schema, and JSON as its words.

   One idea: JSON is checked by turning it into the words of a command line, whose rules and sentences are there. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <jansson.h>

#include "script.h"

/* { "name", "help", "trusted", "arguments" }; a new reference. */
json_t *schema_pipeline(const char *name, const pipeline *p, int trusted);
json_t *schema_broken(const char *name, int trusted, const char *why);

/* The words `name=value` for an object, checked against the arguments: *out lives in memory. arguments: JSON text, or NULL for none.
   TW_ERROR: wrong use, with a sentence. */
int schema_words(const pipeline *p, const char *arguments, arena *memory, const char ***out, uint32_t *n, text *why);

#endif
