/* manifest_tree.c - reading the XML of manifests; see manifest_tree.h.

   Document types are refused, and with them all entities but XML's own five, so no text can grow while it is read. */
#include "manifest_tree.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "../text/ascii.h"
#include "tw_plugin.h"

enum { MOST_BYTES = 64 << 20, MOST_DEEP = 64, MOST_TEXT = 256 << 10 /* bytes of an attribute */ };

// clang-format off
static const char *const tags[NODE_KINDS] = {
    [NODE_PROVIDER] = "provider", [NODE_CHANNEL] = "channel", [NODE_LEVEL] = "level", [NODE_TASK] = "task",
    [NODE_OPCODE] = "opcode", [NODE_KEYWORD] = "keyword", [NODE_VALUE_MAP] = "valueMap", [NODE_BIT_MAP] = "bitMap",
    [NODE_MAP] = "map", [NODE_TEMPLATE] = "template", [NODE_DATA] = "data", [NODE_STRUCT] = "struct",
    [NODE_EVENT] = "event", [NODE_RESOURCES] = "resources", [NODE_STRING] = "string"
};
static const char *const attributes[ATTRIBUTES] = {
    [ATTRIBUTE_NAME] = "name", [ATTRIBUTE_ID] = "id", [ATTRIBUTE_VALUE] = "value", [ATTRIBUTE_GUID] = "guid",
    [ATTRIBUTE_SYMBOL] = "symbol", [ATTRIBUTE_MESSAGE] = "message", [ATTRIBUTE_CHANNEL_ID] = "chid",
    [ATTRIBUTE_EVENT_GUID] = "eventGUID", [ATTRIBUTE_MASK] = "mask", [ATTRIBUTE_TEMPLATE_ID] = "tid",
    [ATTRIBUTE_IN_TYPE] = "inType", [ATTRIBUTE_OUT_TYPE] = "outType", [ATTRIBUTE_MAP] = "map",
    [ATTRIBUTE_LENGTH] = "length", [ATTRIBUTE_COUNT] = "count", [ATTRIBUTE_VERSION] = "version",
    [ATTRIBUTE_LEVEL] = "level", [ATTRIBUTE_TASK] = "task", [ATTRIBUTE_OPCODE] = "opcode",
    [ATTRIBUTE_KEYWORDS] = "keywords", [ATTRIBUTE_CHANNEL] = "channel", [ATTRIBUTE_TEMPLATE] = "template",
    [ATTRIBUTE_CULTURE] = "culture"
};
// clang-format on

typedef struct reader {
    tree *of;
    XML_Parser parser;
    node *open[MOST_DEEP + 1]; /* the root, then the elements that are open and have nodes */
    uint32_t nopen;
    uint8_t made[MOST_DEEP]; /* by depth in the text: does the open element have a node? */
    uint32_t deep;
    uint32_t skipped;   /* so many open elements lie in one that is passed over */
    uint32_t languages; /* seen */
    uint32_t language;  /* of the strings that come */
    const char *refused;
    uint32_t refused_at; /* line */
} reader;

/* ---- Finding and making nodes ---- */

const char *node_get(const node *n, enum node_attribute which)
{
    for (uint32_t i = 0; i < n->nattributes; i++)
        if (n->attribute[i].which == (uint32_t)which) return n->attribute[i].text;
    return NULL;
}

const char *node_tag(const node *n)
{
    return tags[n->kind];
}

const char *attribute_name(enum node_attribute which)
{
    return attributes[which];
}

static const char *without_prefix(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon ? colon + 1 : name;
}

static uint32_t find(const char *const *list, uint32_t n, const char *name)
{
    uint32_t i = 0;

    name = without_prefix(name);
    while (i < n && strcmp(list[i], name) != 0) i++;
    return i;
}

static void refuse(reader *r, const char *fact)
{
    if (r->refused) return;
    r->refused = fact;
    r->refused_at = (uint32_t)XML_GetCurrentLineNumber(r->parser);
    XML_StopParser(r->parser, XML_FALSE);
}

static void refuse_memory(reader *r)
{
    refuse(r, "the text holds more than can be kept");
}

/* The attributes that matter, of expat's list of names and values. */
static int take_attributes(reader *r, node *n, const char **list)
{
    uint32_t known = 0;

    for (uint32_t i = 0; list[i]; i += 2) known += find(attributes, ATTRIBUTES, list[i]) < ATTRIBUTES;
    if (!known) return 1;
    n->attribute = store_new(r->of->memory, known * sizeof *n->attribute);
    if (!n->attribute) return 0;
    for (; *list; list += 2) {
        uint32_t which = find(attributes, ATTRIBUTES, *list);
        size_t length = strlen(list[1]);
        if (which == ATTRIBUTES) continue;
        if (length > MOST_TEXT) return refuse(r, "a text is longer than any in a manifest"), 0;
        const char *text = store_text(r->of->memory, list[1], length);
        if (!text) return 0;
        n->attribute[n->nattributes++] = (node_text){ which, text };
    }
    return 1;
}

/* Strings are a list of their own. */
static int take_string(reader *r, const char **list)
{
    tree *t = r->of;
    node n = { 0 };

    if (t->nstrings == t->room) {
        uint32_t room = t->room ? 2 * t->room : 256;
        tree_string *more = store_new(t->memory, room * sizeof *more);
        if (!more) return 0;
        if (t->nstrings) memcpy(more, t->string, t->nstrings * sizeof *more);
        t->string = more;
        t->room = room;
    }
    if (!take_attributes(r, &n, list)) return 0;
    const char *id = node_get(&n, ATTRIBUTE_ID), *text = node_get(&n, ATTRIBUTE_VALUE);
    if (id && text) {
        t->string[t->nstrings] = (tree_string){ id, text, r->language, t->nstrings };
        t->nstrings++;
    }
    return 1;
}

static void begin_language(reader *r, const char **list)
{
    r->language = ++r->languages;
    for (; *list; list += 2) {
        if (find(attributes, ATTRIBUTES, *list) != ATTRIBUTE_CULTURE) continue;
        if (ascii_same(list[1], "en-US")) r->language = 0;
    }
}

static int take_node(reader *r, enum node_kind kind, const char **list)
{
    node *n = store_new(r->of->memory, sizeof *n), *parent = r->open[r->nopen - 1];

    if (!n || !take_attributes(r, n, list)) return 0;
    n->kind = (uint8_t)kind;
    n->line = (uint32_t)XML_GetCurrentLineNumber(r->parser);
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
    r->open[r->nopen++] = n;
    return 1;
}

/* ---- What expat calls ---- */

/* Event and data in here are the user's own words. */
static int is_passed_over(const char *name)
{
    return !strcmp(without_prefix(name), "UserData");
}

static void begin(void *context, const char *name, const char **list)
{
    reader *r = context;
    int good = 1;

    if (r->refused) return;
    if (r->deep == MOST_DEEP) {
        refuse(r, "elements lie deeper in each other than in any manifest");
        return;
    }
    r->made[r->deep++] = 0;
    if (r->skipped || is_passed_over(name)) {
        r->skipped++;
        return;
    }
    uint32_t kind = find(tags, NODE_KINDS, name);
    if (!strcmp(without_prefix(name), "importChannel")) kind = NODE_CHANNEL;
    if (kind == NODE_STRING)
        good = take_string(r, list);
    else if (kind == NODE_RESOURCES)
        begin_language(r, list);
    else if (kind < NODE_KINDS)
        r->made[r->deep - 1] = (uint8_t)(good = take_node(r, (enum node_kind)kind, list));
    if (!good) refuse_memory(r);
}

static void end(void *context, const char *name)
{
    reader *r = context;

    (void)name;
    if (r->refused) return;
    if (r->skipped) r->skipped--;
    if (r->made[--r->deep]) r->nopen--;
}

static void document_type(void *context, const char *name, const char *system, const char *public, int internal)
{
    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    refuse(context, "a document type, which could define entities, is not accepted");
}

/* ---- The whole text ---- */

/* Tools rewrite a text in another encoding and leave its first line as it was; the bytes do not lie. NULL: as the text
   itself says. */
static const char *encoding_of(const uint8_t *text, size_t n)
{
    char head[128];
    size_t k = 0;

    if (n >= 2 && ((text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF))) return "UTF-16";
    if (n >= 2 && text[0] == '<' && !text[1]) return "UTF-16LE";
    if (n >= 2 && !text[0] && text[1] == '<') return "UTF-16BE";
    if (n >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF) return "UTF-8";
    for (; k < n && k < sizeof head - 1 && text[k] && text[k] != '>'; k++) head[k] = ascii_lower((char)text[k]);
    head[k] = 0;
    return strstr(head, "utf-16") ? "UTF-8" : NULL;
}

int tree_read(tree *t, const void *xml, size_t bytes, char *why, size_t cap)
{
    reader r = { .of = t };

    if (bytes > MOST_BYTES) {
        snprintf(why, cap, "the text is larger than %d MiB, which no manifest is", MOST_BYTES >> 20);
        return TW_ERROR;
    }
    r.parser = XML_ParserCreate(encoding_of(xml, bytes));
    if (!r.parser) {
        snprintf(why, cap, "out of memory");
        return TW_ERROR;
    }
    r.open[r.nopen++] = &t->root;
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    XML_SetStartDoctypeDeclHandler(r.parser, document_type);
    int good = XML_Parse(r.parser, xml, (int)bytes, 1) == XML_STATUS_OK;
    if (r.refused)
        snprintf(why, cap, "line %u: %s", (unsigned)r.refused_at, r.refused);
    else if (!good)
        snprintf(why, cap, "line %u: this is no XML: %s", (unsigned)XML_GetCurrentLineNumber(r.parser),
                 XML_ErrorString(XML_GetErrorCode(r.parser)));
    XML_ParserFree(r.parser);
    return good && !r.refused ? TW_OK : TW_ERROR;
}
