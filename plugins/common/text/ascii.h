/* ascii.h - letters and digits of words that are ASCII, whatever the machine's language.

   One idea: the names of formats are compared without regard to case, and only A to Z have one. */
#ifndef ASCII_H
#define ASCII_H

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* What a hex digit stands for; 16: it is none. */
static inline unsigned ascii_hex(char c)
{
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* 1 where two texts are the same but for the case of their letters. */
static inline int ascii_same(const char *a, const char *b)
{
    while (*a && ascii_lower(*a) == ascii_lower(*b)) a++, b++;
    return ascii_lower(*a) == ascii_lower(*b);
}

#endif
