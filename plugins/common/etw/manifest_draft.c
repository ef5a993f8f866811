/* manifest_draft.c - names, strings and numbers of a manifest; see manifest_draft.h. */
#include "manifest_draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../text/ascii.h"
#include "guid.h"

/* ---- Faults and memory ---- */

int text_clip(const char *text)
{
    int n = 0;

    while (n < 60 && (unsigned char)text[n] >= ' ') n++;
    while (n && (text[n] & 0xC0) == 0x80) n--;
    return n;
}

void draft_fault(draft *d, const node *n, const char *fact, ...)
{
    static const enum node_attribute labels[] = { ATTRIBUTE_NAME, ATTRIBUTE_TEMPLATE_ID, ATTRIBUTE_VALUE };
    const char *label = NULL;
    va_list arguments;

    if (d->faults++) return;
    for (size_t i = 0; i < sizeof labels / sizeof *labels && !label; i++) label = node_get(n, labels[i]);
    int length = snprintf(d->why, d->cap, "line %u: <%s>%s%.*s%s ", (unsigned)n->line, node_tag(n),
                          label ? " \"" : "", label ? text_clip(label) : 0, label ? label : "", label ? "\"" : "");
    if (length < 0 || (size_t)length >= d->cap) return;
    va_start(arguments, fact);
    vsnprintf(d->why + length, d->cap - (size_t)length, fact, arguments);
    va_end(arguments);
}

static void *take(draft *d, store *s, size_t bytes)
{
    void *at = store_new(s, bytes);

    if (!at) d->full = 1;
    return at;
}

void *draft_new(draft *d, size_t bytes)
{
    return take(d, d->memory, bytes);
}

void *draft_scratch(draft *d, size_t bytes)
{
    return take(d, &d->scratch, bytes);
}

const char *draft_keep_n(draft *d, const char *text, size_t n)
{
    char *copy = draft_new(d, n + 1);

    if (!copy) return "";
    memcpy(copy, text, n);
    return copy;
}

const char *draft_keep(draft *d, const char *text)
{
    return draft_keep_n(d, text, strlen(text));
}

/* ---- Numbers ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int read_number(const char *text, unsigned base, uint64_t most, uint64_t *v)
{
    uint64_t n = 0;

    while (is_blank(*text)) text++;
    if (text[0] == '0' && (text[1] | 0x20) == 'x') {
        base = 16;
        text += 2;
    }
    if (ascii_hex(*text) >= base) return 0;
    for (; ascii_hex(*text) < base; text++) {
        if (n > (UINT64_MAX - ascii_hex(*text)) / base) return 0;
        n = n * base + ascii_hex(*text);
    }
    while (is_blank(*text)) text++;
    if (*text || n > most) return 0;
    *v = n;
    return 1;
}

int text_number(const char *text, uint64_t most, uint64_t *v)
{
    return read_number(text, 10, most, v);
}

int text_mask(const char *text, uint64_t *v)
{
    return read_number(text, 16, UINT64_MAX, v);
}

int text_guid(const char *text, uint8_t guid[16])
{
    while (is_blank(*text)) text++;
    size_t n = guid_read(text, strlen(text), guid);
    text += n;
    while (is_blank(*text)) text++;
    return n && !*text;
}

/* ---- Strings ---- */

static int by_id_then_language(const void *a, const void *b)
{
    const tree_string *x = a, *y = b;
    int order = strcmp(x->id, y->id);

    if (order) return order;
    if (x->language != y->language) return x->language < y->language ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

void draft_sort_strings(draft *d)
{
    if (d->tree.nstrings) qsort(d->tree.string, d->tree.nstrings, sizeof *d->tree.string, by_id_then_language);
    d->kept = draft_scratch(d, ((size_t)d->tree.nstrings + 1) * sizeof *d->kept);
}

/* The first string of that id, which is that of the preferred language; nstrings: none. */
static uint32_t string_find(const draft *d, const char *id, size_t n)
{
    uint32_t low = 0, high = d->tree.nstrings;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *other = d->tree.string[middle].id;
        int order = strncmp(other, id, n);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->tree.nstrings) return low;
    const char *found = d->tree.string[low].id;
    return !strncmp(found, id, n) && !found[n] ? low : d->tree.nstrings;
}

/* Messages of compiled resources end with a new line. */
static size_t trimmed(const char *text)
{
    size_t n = strlen(text);

    while (n && is_blank(text[n - 1])) n--;
    return n;
}

static const char *string_text(draft *d, uint32_t i)
{
    if (!d->kept) return "";
    if (!d->kept[i]) d->kept[i] = draft_keep_n(d, d->tree.string[i].text, trimmed(d->tree.string[i].text));
    return d->kept[i];
}

/* `$(string.X)` at `text`: its bytes, and which string it is; 0: there is none here. */
static size_t reference(const draft *d, const char *text, uint32_t *which)
{
    static const char start[] = "$(string.";
    size_t n = sizeof start - 1;

    if (strncmp(text, start, n) != 0) return 0;
    size_t id = strcspn(text + n, ")");
    if (text[n + id] != ')') return 0;
    *which = string_find(d, text + n, id);
    return n + id + 1;
}

/* What the text at `at` becomes: a string, where one is meant, else itself; `taken` bytes of it become `made`. */
static const char *part_at(draft *d, const char *at, size_t *taken, size_t *made)
{
    uint32_t which = d->tree.nstrings;
    size_t n = *at == '$' ? reference(d, at, &which) : 0;

    *taken = *made = n ? n : 1;
    if (which == d->tree.nstrings) return at;
    const char *string = string_text(d, which);
    *made = strlen(string);
    return string;
}

const char *draft_resolve(draft *d, const char *text)
{
    uint32_t which;
    size_t n = text ? reference(d, text, &which) : 0, room = 1, bytes;

    if (!text || !*text) return NULL;
    if (n && !text[n]) return which < d->tree.nstrings ? string_text(d, which) : NULL;
    for (const char *at = text; *at; at += n) {
        part_at(d, at, &n, &bytes);
        room += bytes;
    }
    char *made = draft_new(d, room), *to = made;
    if (!made) return "";
    for (const char *at = text; *at; at += n) {
        const char *from = part_at(d, at, &n, &bytes);
        memcpy(to, from, bytes);
        to += bytes;
    }
    made[trimmed(made)] = 0;
    return made;
}

const char *draft_display(draft *d, const node *n)
{
    const char *text = draft_resolve(d, node_get(n, ATTRIBUTE_MESSAGE));

    if (text && *text) return text;
    text = node_get(n, ATTRIBUTE_NAME);
    if (!text) return NULL;
    const char *colon = strchr(text, ':');
    return draft_keep(d, colon && colon[1] ? colon + 1 : text);
}

/* ---- Directories ---- */

typedef struct directory_entry {
    const char *name;
    node *of;
    uint32_t place;
} directory_entry;

static int by_name_then_place(const void *a, const void *b)
{
    const directory_entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

directory directory_of(draft *d, const node *parent, enum node_kind kind, enum node_attribute by)
{
    directory made = { 0 };
    uint32_t n = 0;

    for (const node *c = parent->first; c; c = c->next) n += c->kind == kind && node_get(c, by);
    directory_entry *entry = n ? draft_scratch(d, n * sizeof *entry) : NULL;
    if (!entry) return made;
    for (node *c = parent->first; c; c = c->next) {
        if (c->kind != kind || !node_get(c, by)) continue;
        entry[made.n] = (directory_entry){ node_get(c, by), c, made.n };
        made.n++;
    }
    qsort(entry, made.n, sizeof *entry, by_name_then_place);
    made.entry = entry;
    return made;
}

node *directory_find(const directory *of, const char *name)
{
    uint32_t low = 0, high = of->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(of->entry[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->n && !strcmp(of->entry[low].name, name) ? of->entry[low].of : NULL;
}
