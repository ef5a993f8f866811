/* manifest_tree.h - the text of a manifest as a tree of the elements that matter.

   One idea: what wraps and groups is passed through, what is not known is passed over, and prefixes are ignored, so
   that all the shapes in which manifests exist become one tree: providers with their parts as children, templates with
   data and structs, and a list of strings beside it. */
#ifndef ETW_MANIFEST_TREE_H
#define ETW_MANIFEST_TREE_H

#include "store.h"

enum node_kind {
    NODE_PROVIDER,
    NODE_CHANNEL,
    NODE_LEVEL,
    NODE_TASK,
    NODE_OPCODE, /* of a task or of the provider */
    NODE_KEYWORD,
    NODE_VALUE_MAP,
    NODE_BIT_MAP,
    NODE_MAP, /* an entry of one */
    NODE_TEMPLATE,
    NODE_DATA,
    NODE_STRUCT,
    NODE_EVENT,
    NODE_RESOURCES, /* a language's strings */
    NODE_STRING,
    NODE_KINDS
};

enum node_attribute {
    ATTRIBUTE_NAME,
    ATTRIBUTE_ID,
    ATTRIBUTE_VALUE,
    ATTRIBUTE_GUID,
    ATTRIBUTE_SYMBOL,
    ATTRIBUTE_MESSAGE,
    ATTRIBUTE_CHANNEL_ID,
    ATTRIBUTE_EVENT_GUID,
    ATTRIBUTE_MASK,
    ATTRIBUTE_TEMPLATE_ID,
    ATTRIBUTE_IN_TYPE,
    ATTRIBUTE_OUT_TYPE,
    ATTRIBUTE_MAP,
    ATTRIBUTE_LENGTH,
    ATTRIBUTE_COUNT,
    ATTRIBUTE_VERSION,
    ATTRIBUTE_LEVEL,
    ATTRIBUTE_TASK,
    ATTRIBUTE_OPCODE,
    ATTRIBUTE_KEYWORDS,
    ATTRIBUTE_CHANNEL,
    ATTRIBUTE_TEMPLATE,
    ATTRIBUTE_CULTURE,
    ATTRIBUTES
};

typedef struct node_text {
    uint32_t which; /* enum node_attribute */
    const char *text;
} node_text;

typedef struct node {
    struct node *next, *first, *last; /* sibling; children */
    node_text *attribute;
    const void *made;                /* what was made of it, by whoever makes it once */
    const struct directory *opcodes; /* likewise: a task's own, by name */
    uint32_t nattributes, line;
    uint8_t kind, was_made;
} node;

typedef struct tree_string {
    const char *id, *text;
    uint32_t language; /* 0: en-US; else the order in which languages came */
    uint32_t place;    /* the order in which strings came */
} tree_string;

typedef struct tree {
    store *memory;
    node root; /* its children are providers, and parts that lie outside of one */
    tree_string *string;
    uint32_t nstrings, room;
} tree;

/* Reads a whole text into `t`, whose memory is set. TW_OK, or TW_ERROR with a sentence. */
int tree_read(tree *t, const void *xml, size_t bytes, char *why, size_t cap);

const char *node_get(const node *n, enum node_attribute which); /* NULL: not there */
const char *node_tag(const node *n);                            /* "data" */
const char *attribute_name(enum node_attribute which);          /* "inType" */

#endif
