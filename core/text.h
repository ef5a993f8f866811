/* text.h - growing strings, and the nearest right word.

   Every sentence the host says is built in a `text`. One idea: a zeroed `text`
   is an empty string, and text_free makes it one again. */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__MINGW32__)
#define PRINTF_STYLE gnu_printf
#else
#define PRINTF_STYLE printf
#endif
#if defined(__GNUC__)
#define PRINTF_LIKE(at, first) __attribute__((format(PRINTF_STYLE, at, first)))
#else
#define PRINTF_LIKE(at, first)
#endif

typedef struct text {
    char *at; /* ended by 0 once anything was added */
    size_t n, cap;
} text;

void text_add(text *t, const char *bytes, size_t n);
void text_put(text *t, const char *string);
void text_format(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_format_list(text *t, const char *format, va_list args) PRINTF_LIKE(2, 0);
void text_clear(text *t); /* empty, memory kept */
void text_free(text *t);
const char *text_of(const text *t); /* "" where nothing was added */

/* The name nearest to `word` that a person may have meant, or NULL: case apart, at most one
   edit in three letters. `names` has n entries, each may be NULL. */
const char *text_nearest(const char *word, const char *const *names, size_t n);

/* 1 where `name` fits `pattern`; `*` stands for any run of bytes, everything else for itself. */
int text_fits(const char *pattern, const char *name);

/* Letters and digits that are ASCII, whatever the machine's language. */
static inline char text_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline unsigned text_hex_digit(char c) /* 16: it is none */
{
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    c = text_lower(c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* malloc and friends that end the program with a sentence instead of returning NULL.
   Sizes that come from a trace are capped before they get here. */
void *mem_new(size_t bytes); /* zeroed */
void *mem_grow(void *at, size_t bytes);
char *mem_text(const char *bytes, size_t n);  /* a copy, ended by 0 */
char *mem_lower(const char *bytes, size_t n); /* likewise, in lower case */

#endif
