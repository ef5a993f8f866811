/* oneline.c - a pipeline as one line of words.

   One idea: a word is cut out with the place where it began, and every sentence about it begins with that place, since a
   line has no line numbers. */
#include "oneline.h"

#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "stock.h"

enum { MOST_IN_A_LINE = 64, MOST_WORDS = 256 };

typedef struct reader {
    plugins *plugins;
    const char *line, *at;
    arena *memory;
    text *why;
    setting *set; /* of the stage that is being read: room for MOST_WORDS */
} reader;

typedef struct word {
    const char *from; /* in the line */
    const char *bytes;
    size_t plain; /* bytes before the first quote */
    int quoted;   /* all of it */
} word;

/* "in the pipeline: column 17: ", columns counted in characters from 1. */
static void put_place(const reader *r, const char *from, text *out)
{
    unsigned column = 1;

    for (const char *c = r->line; c < from; c++) column += ((unsigned char)*c & 0xC0) != 0x80;
    text_format(out, "in the pipeline: column %u", column);
}

static void put_wrong(const reader *r, const char *from, const char *format, ...) PRINTF_LIKE(3, 4);

static void put_wrong(const reader *r, const char *from, const char *format, ...)
{
    va_list args;

    put_place(r, from, r->why);
    text_put(r->why, ": ");
    va_start(args, format);
    text_format_list(r->why, format, args);
    va_end(args);
}

/* A macro, since no analyzer looks into what takes any arguments. */
#define wrong(...) (put_wrong(__VA_ARGS__), TW_ERROR)

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

/* ---- Words ---- */

static int ends_word(char c)
{
    return !c || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '|';
}

/* The next word, at which the reader is. Backslashes are letters: paths have them. */
static int read_word(reader *r, word *out)
{
    text bytes = { 0 };
    int whole = *r->at == '\'' || *r->at == '"';

    *out = (word){ .from = r->at, .plain = SIZE_MAX };
    while (!ends_word(*r->at)) {
        if (*r->at != '\'' && *r->at != '"') {
            text_add(&bytes, r->at++, 1);
            continue;
        }
        const char *end = strchr(r->at + 1, *r->at);
        if (!end) {
            text_free(&bytes);
            return wrong(r, r->at, "this quote is not closed");
        }
        if (out->plain == SIZE_MAX) out->plain = bytes.n;
        text_add(&bytes, r->at + 1, (size_t)(end - r->at - 1));
        r->at = end + 1;
        whole = whole && ends_word(*r->at);
    }
    if (out->plain == SIZE_MAX) out->plain = bytes.n;
    out->bytes = arena_text(r->memory, text_of(&bytes), bytes.n);
    out->quoted = whole;
    text_free(&bytes);
    return TW_OK;
}

/* The length of NAME in a word NAME=value; 0 where it has none before its first quote. */
static size_t name_length(const word *w)
{
    const char *equals = strchr(w->bytes, '=');
    size_t n = equals ? (size_t)(equals - w->bytes) : 0;
    return n < w->plain && strspn(w->bytes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") >= n
               ? n
               : 0;
}

/* ---- Settings ---- */

/* One more value for the setting of that name (NULL: those without a name), which is made if need be. */
static void add_value(reader *r, spec *s, const char *name, const char *value)
{
    setting *set = r->set;
    uint32_t k = 0;

    while (k < s->n && !(name ? set[k].name && !strcmp(set[k].name, name) : !set[k].name)) k++;
    if (k == s->n) set[s->n++] = (setting){ .name = name };
    const char **list = arena_alloc(r->memory, (set[k].n + 1) * sizeof *list);
    if (set[k].n) memcpy(list, set[k].value, set[k].n * sizeof *list);
    list[set[k].n++] = value;
    set[k].value = list;
    set[k].list = set[k].n > 1;
}

static const tw_option *option_named(const tw_stage *stage, const char *name)
{
    for (const tw_option *o = stage ? stage->options : NULL; o && o->name; o++)
        if (!strcmp(o->name, name)) return o;
    return NULL;
}

/* A word NAME=value is an option's. Where the stage has no such option it is still a value, if the stage takes a list:
   fields size=TransferSize. */
static int add_word(reader *r, const tw_stage *stage, spec *s, const word *w)
{
    size_t n = name_length(w);
    const char *name = n ? arena_text(r->memory, w->bytes, n) : NULL;
    text fact = { 0 };

    if (name && (!stage || option_named(stage, name))) {
        add_value(r, s, name, w->bytes + n + 1);
        return TW_OK;
    }
    if (name && !(stage->options && stage->options[0].name && stage->options[0].kind == TW_OPT_LIST) &&
        !option_known(stage, name, &fact)) {
        put_wrong(r, w->from, "%s: %s", s->stage, text_of(&fact));
        text_free(&fact);
        return TW_ERROR;
    }
    add_value(r, s, NULL, w->bytes);
    return TW_OK;
}

static int read_settings(reader *r, const tw_stage *stage, spec *s)
{
    word w;

    for (uint32_t n = 0; skip_blanks(r), *r->at && *r->at != '|'; n++) {
        if (n == MOST_WORDS) return wrong(r, r->at, "a stage takes at most %d words", MOST_WORDS);
        if (read_word(r, &w) != TW_OK || add_word(r, stage, s, &w) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

/* ---- where ---- */

/* All up to the next bar outside quotes; quotes around the whole of it are not part of it. */
static int read_condition(reader *r, spec *s)
{
    const char *from = r->at, *end = r->at;
    word w = { 0 };
    text fact = { 0 };

    if (*from == '\'' || *from == '"') {
        if (read_word(r, &w) != TW_OK) return TW_ERROR;
        skip_blanks(r);
    }
    if (w.quoted && (!*r->at || *r->at == '|')) {
        from++;
    } else {
        for (r->at = from; *r->at && *r->at != '|'; r->at++) {
            const char *close = *r->at == '\'' || *r->at == '"' || *r->at == '`' ? strchr(r->at + 1, *r->at) : r->at;
            if (!close) return wrong(r, r->at, "this quote is not closed");
            r->at = close;
            if (*r->at != ' ') end = r->at + 1;
        }
        w.bytes = arena_text(r->memory, from, (size_t)(end - from));
    }
    expr *x = expr_new(w.bytes, &fact);
    unsigned column = 1;
    const char *sentence = text_of(&fact);
    if (!x && !strncmp(sentence, "column ", 7)) { /* of the condition; people look at the whole line */
        column = (unsigned)strtoul(sentence + 7, (char **)&sentence, 10);
        sentence += strspn(sentence, ": ");
    }
    const char *place = from;
    while (column > 1 && *place) column -= ((unsigned char)*++place & 0xC0) != 0x80; /* to where a character begins */
    int rc = x ? TW_OK : wrong(r, place, "%s", sentence);
    expr_free(x);
    text_free(&fact);
    if (rc == TW_OK) add_value(r, s, NULL, w.bytes);
    return rc;
}

/* ---- Stages ---- */

static int is_of_files(const char *name)
{
    static const char *const names[] = { "filter", "transform", "merge", "tee", "use" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) return 1;
    return 0;
}

/* Its place in the chain is right: a source first, and only there. */
static int fits_there(const reader *r, const tw_stage *stage, const word *w, uint32_t at)
{
    int begins = stage && (stage->read || stage->run);

    if (at == 0 && !begins) {
        put_wrong(r, w->from,
                  "the pipeline begins with '%s', which is no source; begin with one, as in etl.read a.etl",
                  w->bytes);
    } else if (at > 0 && begins) {
        put_wrong(r, w->from, "'%s' is a source and must come first", w->bytes);
    }
    return (at == 0) == begins;
}

static int read_stage(reader *r, spec *s, uint32_t at, const tw_stage **stage)
{
    text fact = { 0 };
    word w;
    int rc;

    skip_blanks(r);
    if (ends_word(*r->at)) return wrong(r, r->at, "a stage is missing here");
    if (read_word(r, &w) != TW_OK) return TW_ERROR;
    if (is_of_files(w.bytes))
        return wrong(r, w.from, "'%s' needs a pipeline file; see docs/pipeline-guide.md", w.bytes);
    int is_thread = !strcmp(w.bytes, "thread"); /* of the bus itself */
    *stage = is_thread ? NULL : plugins_stage(r->plugins, w.bytes, &fact);
    rc = *stage || is_thread ? TW_OK : wrong(r, w.from, "%s", text_of(&fact));
    text_clear(&fact);
    put_place(r, w.from, &fact);
    *s = (spec){ .stage = w.bytes, .place = arena_text(r->memory, text_of(&fact), fact.n) };
    s->set = r->set = arena_alloc(r->memory, MOST_WORDS * sizeof *r->set);
    text_free(&fact);
    if (rc != TW_OK || !fits_there(r, *stage, &w, at)) return TW_ERROR;
    skip_blanks(r);
    return *stage == &where_stage ? read_condition(r, s) : read_settings(r, *stage, s);
}

/* ---- What nobody wrote, but expects ---- */

static int is_sink(const tw_stage *stage)
{
    for (const tw_option *o = stage->options; o && o->name; o++)
        if (o->kind == TW_OPT_OUTPUT || o->kind == TW_OPT_FOLDER) return 1;
    return stage == &null_stage || stage->run != NULL;
}

/* A source makes tables only when its option `tables` says so. */
static int makes_rows(const tw_stage *stage, const spec *s)
{
    if (stage == &fields_stage || stage == &count_stage || stage == &group_stage || stage == &top_stage) return 1;
    if (!stage->makes || !stage->read) return stage->makes != NULL;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->set[i].name && !strcmp(s->set[i].name, "tables")) return 1;
    return 0;
}

/* Events become rows before the first sink that takes rows only, or at the end; the columns are those of `events`. Without
   a sink, rows become CSV. */
static uint32_t complete(spec *s, const tw_stage *const *stage, uint32_t n)
{
    static const char *const columns[] = { "time", "provider", "event", "id",    "version", "level",
                                           "pid",  "tid",      "cpu",   "bytes", "payload" };
    static const char *const table[] = { "events" };
    static const setting set[] = { { NULL, columns, sizeof columns / sizeof *columns, 1 }, { "as", table, 1, 0 } };
    static const spec fields = { .stage = "fields", .place = "in the pipeline", .set = set, .n = 2 };
    uint32_t place = n;
    int sink = 0, rows = 0;

    for (uint32_t i = n; i-- > 0;) {
        if (!stage[i]) continue;
        rows |= makes_rows(stage[i], &s[i]);
        if (!is_sink(stage[i])) continue;
        sink = 1;
        place = stage[i]->rows && !stage[i]->events ? i : UINT32_MAX;
    }
    if (!rows && place != UINT32_MAX) {
        memmove(s + place + 1, s + place, (n - place) * sizeof *s);
        s[place] = fields;
        n++;
    }
    if (!sink) s[n++] = (spec){ .stage = "csv.write", .place = "in the pipeline" };
    return n;
}

int oneline_read(plugins *p, const char *line, arena *memory, plan *out, text *why)
{
    reader r = { p, line, line, memory, why, NULL };
    spec *s = arena_alloc(memory, (MOST_IN_A_LINE + 2) * sizeof *s);
    const tw_stage *stage[MOST_IN_A_LINE];
    uint32_t n = 0;

    for (;;) {
        if (n == MOST_IN_A_LINE) return wrong(&r, r.at, "a pipeline has at most %d stages", MOST_IN_A_LINE);
        if (read_stage(&r, &s[n], n, &stage[n]) != TW_OK) return TW_ERROR;
        n++;
        if (!*r.at) break;
        r.at++;
    }
    *out = (plan){ "the pipeline", s, complete(s, stage, n) };
    return TW_OK;
}

int oneline_is(plugins *p, const char *word)
{
    size_t n = strcspn(word, " \t\r\n|");
    text unused = { 0 };

    if (strchr(word, '|')) return 1;
    char *first = mem_text(word, n);
    int is = strchr(first, '.') && !strpbrk(first, "/\\") && strcmp(first + (n > 4 ? n - 4 : 0), ".lua") != 0 &&
             (word[n] || plugins_stage(p, first, &unused));
    free(first);
    text_free(&unused);
    return is;
}
