/* tmf.c - what WPP trace messages say; see tmf.h.

   One idea: a file is read line by line into full types, found later by GUID and number. */
#include "tmf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guid.h"
#include "text_file.h"
#include "tmf_words.h"

enum { FIRST_ROOM = 256, MOST_BYTES = 256 << 20, MOST_FORMAT = 64 << 10, NO_NUMBER = UINT16_MAX + 1 };

typedef struct known { /* a message, or, with NO_NUMBER, a GUID of which there are messages */
    tw_type type;
    struct known *next; /* in the order of the files */
} known;

struct tmfs {
    store memory;
    known *first, *last;
    known **slot; /* by GUID and number; `room`, a power of two, at most half of them taken */
    uint32_t n, room;
};

tmfs *tmfs_new(void)
{
    tmfs *m = calloc(1, sizeof *m);
    if (m) m->memory.limit = MOST_BYTES;
    return m;
}

void tmfs_free(tmfs *m)
{
    if (!m) return;
    store_free(&m->memory);
    free(m->slot);
    free(m);
}

/* ---- Finding ---- */

static known **probe(known **slot, uint32_t room, const uint8_t guid[16], uint32_t number)
{
    uint32_t i = (uint32_t)guid_hash(guid, number ^ (uint64_t)(uintptr_t)slot) & (room - 1);

    while (slot[i] && (slot[i]->type.number != number || memcmp(slot[i]->type.guid, guid, 16) != 0))
        i = (i + 1) & (room - 1);
    return &slot[i];
}

static const known *find(const tmfs *m, const uint8_t guid[16], uint32_t number)
{
    return m->room ? *probe(m->slot, m->room, guid, number) : NULL;
}

/* 0: no memory. What is known already stays as it is. */
static int add(tmfs *m, known *k)
{
    if (2 * (m->n + 1) > m->room) {
        uint32_t room = m->room ? m->room * 2 : FIRST_ROOM;
        known **slot = calloc(room, sizeof(known *));
        if (!slot) return 0;
        for (known *old = m->first; old; old = old->next) *probe(slot, room, old->type.guid, old->type.number) = old;
        free(m->slot);
        m->slot = slot;
        m->room = room;
    }
    known **at = probe(m->slot, m->room, k->type.guid, k->type.number);
    if (*at) return 1;
    *at = k;
    m->n++;
    if (m->last)
        m->last->next = k;
    else
        m->first = k;
    m->last = k;
    return 1;
}

int tmfs_find(const tmfs *m, const record *r, tw_type *t, unsigned *version)
{
    if (r->kind != RECORD_MESSAGE || !r->guid) return SCHEMA_NONE;
    const known *k = find(m, r->guid, r->id), *module = find(m, r->guid, NO_NUMBER);
    if (module) t->provider = module->type.provider;
    if (!k) return SCHEMA_NONE;
    t->name = k->type.name;
    t->provider = k->type.provider;
    t->origin = k->type.origin;
    t->field = k->type.field;
    t->nfields = k->type.nfields;
    t->message = k->type.message;
    t->task_name = k->type.task_name;
    t->level_name = k->type.level_name;
    t->level = k->type.level;
    *version = r->version;
    return SCHEMA_EXACT;
}

int tmfs_each(const tmfs *m, schema_give *give, void *context)
{
    int rc = TW_OK;

    for (const known *k = m->first; k && rc == TW_OK; k = k->next)
        if (k->type.number != NO_NUMBER) rc = give(context, &k->type);
    return rc;
}

/* ---- Reading ---- */

typedef struct reader {
    tmfs *m;
    const char *at, *end; /* what is left of the text */
    unsigned line;        /* number of the last line taken */
    const char *origin;
    const known *module;
    span module_name, module_notes;
    char *why;
    size_t cap;
    uint64_t faults;
    int failed; /* out of memory */
} reader;

static void fault(reader *r, unsigned line, const char *fact)
{
    if (!r->faults++) snprintf(r->why, r->cap, "line %u: %s", line, fact);
}

static int next_line(reader *r, span *line)
{
    if (r->at == r->end) return 0;
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t n = end ? (size_t)(end - r->at) : (size_t)(r->end - r->at);

    *line = span_trim((span){ r->at, n });
    r->at += n + (end != NULL);
    r->line++;
    return 1;
}

static int starts(span s, const char *word)
{
    size_t n = strlen(word);
    return s.n >= n && !memcmp(s.at, word, n);
}

static span behind(span s, size_t n)
{
    return span_trim((span){ s.at + n, s.n - n });
}

static size_t word_length(span s)
{
    size_t n = 0;
    while (n < s.n && (uint8_t)s.at[n] > ' ') n++;
    return n;
}

/* The GUID that a line begins with, in braces or not, and what is behind it. */
static int take_guid(span *line, uint8_t guid[16])
{
    size_t n = guid_read(line->at, line->n, guid);

    *line = behind(*line, n);
    return n > 0;
}

static const char *keep(reader *r, span s)
{
    const char *text = store_text(&r->m->memory, s.at, s.n);
    if (!text) r->failed = 1;
    return text;
}

static known *new_known(reader *r, const uint8_t guid[16], uint32_t number)
{
    known *k = store_new(&r->m->memory, sizeof *k);

    if (!k) {
        r->failed = 1;
        return NULL;
    }
    k->type.size = sizeof k->type;
    k->type.number = number;
    k->type.pointer = 8;
    k->type.origin = r->origin;
    memcpy(k->type.guid, guid, 16);
    return k;
}

/* `<guid> <directory> // SRC=driver.c MJ= MN=` */
static void read_module(reader *r, const uint8_t guid[16], span rest)
{
    char key[4 + GUID_TEXT] = "wpp:";
    known *k = new_known(r, guid, NO_NUMBER);
    size_t n = 0;

    if (!k) return;
    while (n < rest.n && !(rest.at[n] == '/' && n + 1 < rest.n && rest.at[n + 1] == '/')) n++;
    r->module_name = span_trim((span){ rest.at, n });
    r->module_notes = n < rest.n ? behind(rest, n + 2) : (span){ 0 };
    guid_write(guid, key + 4);
    k->type.key = keep(r, (span){ key, sizeof key - 1 });
    k->type.provider = r->module_name.n ? keep(r, r->module_name) : k->type.key ? k->type.key + 4 : NULL;
    r->module = k;
    if (!r->failed && !add(r->m, k)) r->failed = 1;
}

/* A message is named after the place it was written at, driver_c77; that is the source and a line. */
static const char *message_name(reader *r, tmf_context *c)
{
    char name[256];
    size_t n = 0;

    c->source = tmf_note(c->module_notes, "SRC");
    for (; n < c->source.n && n < c->name.n; n++) {
        char s = c->source.at[n], t = c->name.at[n];
        int letter = (s >= '0' && s <= '9') || (s >= 'a' && s <= 'z') || (s >= 'A' && s <= 'Z');
        if (letter ? s != t : t != '_') break;
    }
    c->line = (span){ c->name.at + n, c->name.n - n };
    int digits = c->line.n > 0 && n == c->source.n && n > 0;
    for (size_t i = 0; i < c->line.n; i++) digits &= c->line.at[i] >= '0' && c->line.at[i] <= '9';
    if (!digits || c->source.n + c->line.n + 2 > sizeof name) {
        c->line = c->source = (span){ 0 };
        return keep(r, c->name);
    }
    n = (size_t)snprintf(name, sizeof name, "%.*s:%.*s", (int)c->source.n, c->source.at, (int)c->line.n, c->line.at);
    return keep(r, (span){ name, n });
}

/* The closing quote of a format string: the first behind which nothing or a comment stands, since a quote may be inside
   with a backslash before it or without. SIZE_MAX: none. */
static size_t closing_quote(span s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.at[i] != '"' || (i && s.at[i - 1] == '\\')) continue;
        size_t end = i + 1;
        while (end < s.n && (s.at[end] == ' ' || s.at[end] == '\t' || s.at[end] == '\r')) end++;
        if (end == s.n || s.at[end] == '\n' || (s.at[end] == '/' && end + 1 < s.n && s.at[end + 1] == '/')) return i;
    }
    return SIZE_MAX;
}

/* The format string, of which `line` has the beginning; it may go on for some lines. What is behind it in its last line
   goes to *notes. NULL: it has no end, or there is no memory. */
static char *take_format(reader *r, span line, span *notes)
{
    span all = { line.at, (size_t)(r->end - line.at) };
    char *format, *to;

    if (all.n > MOST_FORMAT) all.n = MOST_FORMAT;
    for (size_t i = 1; i < all.n; i++) /* not into the arguments, nor into the next message */
        if (all.at[i - 1] == '\n' && (all.at[i] == '{' || all.at[i] == '#')) all.n = i - 1;
    size_t end = closing_quote(all);
    if (end == SIZE_MAX) return NULL;
    format = to = malloc(end + 1);
    if (!format) {
        r->failed = 1;
        return NULL;
    }
    for (size_t i = 0; i < end; i++) {
        if (all.at[i] == '\\' && i + 1 < end && all.at[i + 1] == '"') continue;
        if (all.at[i] != '\r' && all.at[i]) *to++ = all.at[i];
        r->line += all.at[i] == '\n';
    }
    while (to > format && to[-1] == '\n') to--; /* programs end their lines, as a line each is written */
    *to = 0;
    r->at = all.at + end + 1;
    r->line--;
    if (!next_line(r, notes)) {
        r->line++;
        *notes = (span){ 0 };
    }
    if (starts(*notes, "//")) *notes = behind(*notes, 2);
    return format;
}

/* The block in braces, an argument a line. The fields end with the first argument that is not understood. */
static uint32_t read_arguments(reader *r, const char *format, fields *f, tmf_argument argument[TMF_MOST_ARGUMENTS])
{
    uint32_t n = 0;
    int lost = 0;
    span line;
    char why[128];

    while (next_line(r, &line)) {
        if (line.n && *line.at == '{') line = behind(line, 1);
        if (!line.n) continue;
        if (*line.at == '}') return n;
        if (*line.at == '#') break;
        if (lost) continue;
        if (tmf_argument_read(line, format, f, &argument[n], why, sizeof why)) {
            n++;
        } else {
            fault(r, r->line, why);
            lost = 1;
        }
    }
    fault(r, r->line, "the arguments of a message have no end");
    return n;
}

static uint8_t level_of(span name)
{
    static const struct {
        const char *name;
        uint8_t level;
    } levels[] = { { "TRACE_LEVEL_CRITICAL", 1 }, { "TRACE_LEVEL_FATAL", 1 },       { "TRACE_LEVEL_ERROR", 2 },
                   { "TRACE_LEVEL_WARNING", 3 },  { "TRACE_LEVEL_INFORMATION", 4 }, { "TRACE_LEVEL_VERBOSE", 5 } };

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (span_is(name, levels[i].name)) return levels[i].level;
    return 0;
}

static void finish_message(reader *r, tw_type *t, tmf_context *c, const char *format, const fields *f,
                           const tmf_argument *argument, uint32_t n)
{
    span function = tmf_note(c->notes, "FUNC"), level = tmf_note(c->notes, "LEVEL");
    page words = { 0 };

    t->name = message_name(r, c);
    tmf_words(format, c, argument, n, &words);
    if (words.failed)
        r->failed = 1;
    else
        t->message = keep(r, (span){ words.at, words.n - 1 });
    free(words.at);
    if (function.n) t->task_name = keep(r, function);
    if (level.n) t->level_name = keep(r, level);
    t->level = level_of(level);
    t->field = f->n ? f->at : NULL;
    t->nfields = f->n;
}

/* `#typev driver_c77 10 "%0started: %10!s!" // LEVEL=... FUNC=...`, then the arguments. */
static void read_message(reader *r, span line, unsigned at)
{
    tmf_argument argument[TMF_MOST_ARGUMENTS];
    tmf_context c = { .module = r->module_name, .module_notes = r->module_notes };
    fields f = { .from = &r->m->memory };
    unsigned number = 0;
    size_t n = word_length(line);

    c.name = (span){ line.at, n };
    line = behind(line, n);
    for (n = 0; n < line.n && n < 5 && line.at[n] >= '0' && line.at[n] <= '9'; n++)
        number = number * 10 + (unsigned)(line.at[n] - '0');
    line = behind(line, n);
    if (!n || number > UINT16_MAX || !line.n || *line.at != '"') {
        fault(r, at, "a message is not written as `#typev name number \"text\"`");
        return;
    }
    char *format = take_format(r, (span){ line.at + 1, line.n - 1 }, &c.notes);
    if (!format) {
        if (!r->failed) fault(r, at, "the text of a message has no closing quote");
        return;
    }
    n = read_arguments(r, format, &f, argument);
    known *k = r->module ? new_known(r, r->module->type.guid, number) : NULL;
    if (!r->module) fault(r, at, "a message stands before the first GUID");
    if (k) {
        k->type.provider = r->module->type.provider;
        k->type.key = r->module->type.key;
        finish_message(r, &k->type, &c, format, &f, argument, (uint32_t)n);
        if (f.failed) r->failed = 1;
        if (!r->failed && !add(r->m, k)) r->failed = 1;
    }
    free(format);
}

/* Blocks that are none of a message: lists of names, say. */
static void skip_block(reader *r)
{
    span line;
    while (next_line(r, &line) && !starts(line, "}")) {}
}

static int read_lines(reader *r)
{
    uint8_t guid[16];
    span line;

    while (!r->failed && next_line(r, &line)) {
        unsigned at = r->line;
        if (!line.n || starts(line, "//")) continue;
        size_t word = word_length(line);
        if (span_is((span){ line.at, word }, "#typev") || span_is((span){ line.at, word }, "#type"))
            read_message(r, behind(line, word), at);
        else if (take_guid(&line, guid))
            read_module(r, guid, line);
        else if (*line.at == '{')
            skip_block(r);
        else if (*line.at != '#')
            fault(r, at, "neither a GUID nor a message begins here");
    }
    return r->module != NULL;
}

int tmfs_read(tmfs *m, const void *text, size_t bytes, const char *origin, char *why, size_t cap, uint64_t *faults)
{
    reader r = { .m = m, .why = why, .cap = cap };
    text_file all;
    int found = 0;

    if (cap) *why = 0;
    if (bytes > MOST_BYTES) {
        snprintf(why, cap, "it has more than %d MiB", MOST_BYTES >> 20);
        return TW_ERROR;
    }
    r.origin = keep(&r, (span){ origin, strlen(origin) });
    if (!r.failed && !text_file_open(&all, text, bytes)) r.failed = 1;
    if (!r.failed) {
        r.at = all.at;
        r.end = all.at + all.n;
        found = read_lines(&r);
        text_file_close(&all);
    }
    *faults += r.faults;
    if (r.failed) snprintf(why, cap, "there is no memory for what it says");
    if (!r.failed && !found) snprintf(why, cap, "no line begins with a GUID, as one does in a TMF file");
    return r.failed || !found ? TW_ERROR : TW_OK;
}
