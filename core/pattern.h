/* pattern.h - regular expressions on text, as PCRE2 reads them.

   One idea: a pattern is a small program by a stranger that runs on data by a stranger. It is compiled once, runs
   within bounds on every text, and where a bound stops it that is told apart from "does not match". */
#ifndef PATTERN_H
#define PATTERN_H

#include "text.h"
#include "tw_plugin.h"

enum { PATTERN_MAX_TEXT = 64 << 10 /* bytes; longer texts are not looked into */ };

typedef struct pattern pattern;

/* NULL where source is no pattern: then why says it in PCRE2's words, and *at is the byte of the source that it means. */
pattern *pattern_new(const char *source, size_t n, size_t *at, text *why);
void pattern_free(pattern *p); /* p may be NULL */
/* 1 where it matches somewhere in t. Any bytes are good: what is not UTF-8 matches nothing. By one thread at a time. */
int pattern_match(pattern *p, const tw_text *t);
uint64_t pattern_given_up(const pattern *p); /* texts so far that a bound kept it from deciding; they do not match */

#endif
