/* tmf_words.c - the format string of a WPP message as a type's message; see tmf_words.h. */
#include "tmf_words.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_SPEC = 16 };

static int is_key(char c)
{
    return (c >= 'A' && c <= 'Z') || c == '_';
}

/* Where ` KEY=` begins at or behind `i`, or the end. Values may hold blanks: a function can be operator new. */
static size_t next_key(span s, size_t i)
{
    for (; i < s.n; i++) {
        size_t k = i;
        if (i && (uint8_t)s.at[i - 1] > ' ') continue;
        while (k < s.n && is_key(s.at[k])) k++;
        if (k > i && k < s.n && s.at[k] == '=') break;
    }
    return i;
}

span tmf_note(span notes, const char *key)
{
    size_t n = strlen(key);

    for (size_t i = next_key(notes, 0); i < notes.n;) {
        size_t end = next_key(notes, i + 1);
        if (end - i > n && !memcmp(notes.at + i, key, n) && notes.at[i + n] == '=')
            return span_trim((span){ notes.at + i + n + 1, end - i - n - 1 });
        i = end;
    }
    return (span){ 0 };
}

/* Text in which nothing asks for a field. */
static void put_plain(page *out, span s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.at[i] == '%') page_byte(out, '%');
        page_byte(out, s.at[i]);
    }
}

/* The names between `%!` and `!` that are filled in here; what only the event knows stands beside it in every output, so
   it is left out. 0: no such name. */
static int put_named(page *out, span name, const tmf_context *c)
{
    static const char *const around[] = { "STDPREFIX", "TID", "NOW", "SEQ", "PID", "CPU" };
    char key[LONGEST_SPEC + 1];

    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        if (span_is(name, around[i])) return 1;
    if (span_is(name, "SPACE"))
        page_byte(out, ' ');
    else if (span_is(name, "MOD"))
        put_plain(out, c->module);
    else if (span_is(name, "TYP"))
        put_plain(out, c->name);
    else if (span_is(name, "FILE"))
        put_plain(out, tmf_note(c->module_notes, "SRC"));
    else if (span_is(name, "LINE"))
        put_plain(out, c->line);
    else if (span_is(name, "COMPNAME"))
        put_plain(out, tmf_note(c->module_notes, "MJ"));
    else if (span_is(name, "SUBCOMP"))
        put_plain(out, tmf_note(c->module_notes, "MN"));
    else {
        snprintf(key, sizeof key, "%.*s", (int)name.n, name.at);
        span value = tmf_note(c->notes, key);
        put_plain(out, value);
        return value.n > 0 || !strcmp(key, "FUNC") || !strcmp(key, "LEVEL") || !strcmp(key, "FLAGS");
    }
    return 1;
}

/* `!spec!` at s; without bytes: none. */
static span spec_at(const char *s)
{
    const char *end = *s == '!' ? strchr(s + 1, '!') : NULL;

    if (!end || end == s + 1 || end - s > LONGEST_SPEC) return (span){ 0 };
    return (span){ s + 1, (size_t)(end - s - 1) };
}

static void put_field(page *out, uint32_t field, uint8_t writes, span spec)
{
    char line[64];
    int as_text = spec.n == 1 && *spec.at == 's';

    if (writes == TMF_LIST && as_text)
        snprintf(line, sizeof line, "0x%%%u!08x!(%%%u!s!)", field, field);
    else if (writes == TMF_SET && as_text)
        snprintf(line, sizeof line, "[%%%u!,s!]", field);
    else if (writes == TMF_DUMP && as_text)
        snprintf(line, sizeof line, "%%%u!X!", field);
    else if (writes == TMF_MS && as_text)
        snprintf(line, sizeof line, "%%%u!d! ms", field);
    else
        snprintf(line, sizeof line, "%%%u!%.*s!", field, (int)spec.n, spec.at);
    page_string(out, line);
}

/* Arguments count from 10; what is before stands for parts of the prefix. */
static void put_number(page *out, unsigned number, span spec, const tmf_context *c, const tmf_argument *argument,
                       uint32_t n)
{
    if (!spec.n) spec = (span){ "s", 1 };
    if (number == 1) put_plain(out, c->module);
    if (number == 2) put_plain(out, c->name);
    if (number < TMF_FIRST_ARGUMENT) return;
    for (uint32_t i = 0; i < n; i++) {
        if (argument[i].number != number) continue;
        put_field(out, i + 1, argument[i].writes, spec);
        return;
    }
    page_byte(out, '?'); /* as where an event has no value for a field */
}

void tmf_words(const char *format, const tmf_context *c, const tmf_argument *argument, uint32_t n, page *out)
{
    const char *at = format;

    while (*at) {
        size_t plain = strcspn(at, "%");
        page_put(out, at, plain);
        at += plain;
        if (!*at++) break;
        if (*at >= '0' && *at <= '9') {
            unsigned number = (unsigned)(*at++ - '0');
            if (number && *at >= '0' && *at <= '9') number = number * 10 + (unsigned)(*at++ - '0');
            span spec = spec_at(at);
            if (spec.n) at += spec.n + 2;
            put_number(out, number, spec, c, argument, n);
            continue;
        }
        span name = spec_at(at);
        if (name.n && put_named(out, name, c)) {
            at += name.n + 2;
            continue;
        }
        page_byte(out, '%'); /* a lone one at the end, and an unknown name, are text */
        page_byte(out, *at && *at != '!' ? *at++ : '%');
    }
    page_byte(out, 0);
}
