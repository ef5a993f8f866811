/* manifest_draft.h - a manifest while it is being read.

   Between the tree of a text and the providers that come of it stand names: of templates, tasks, strings … One idea: a
   name is looked up in one way, and what it does not lead to is a fault, which is counted and leaves out what needed
   it. */
#ifndef ETW_MANIFEST_DRAFT_H
#define ETW_MANIFEST_DRAFT_H

#include "manifest_tree.h"
#include "tw_plugin.h"

typedef struct draft {
    store *memory; /* of what stays */
    store scratch; /* of the tree and its lookups */
    tree tree;
    const char **kept; /* by string: its text in `memory`, once it was asked for */
    char *why;         /* the first fault's sentence */
    size_t cap;
    uint64_t faults;
    int full; /* no memory: the whole text is refused in the end */
} draft;

/* Counts a fault: `line 12: <data> "Foo" ` and the fact. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void draft_fault(draft *d, const node *n, const char *fact, ...);

int text_clip(const char *text); /* for %.*s in a sentence: what fits in, as whole characters of one line */

void *draft_new(draft *d, size_t bytes);            /* in `memory`; NULL: d->full is set */
void *draft_scratch(draft *d, size_t bytes);        /* likewise, in `scratch` */
const char *draft_keep(draft *d, const char *text); /* a copy in `memory`; "" where it is full */
const char *draft_keep_n(draft *d, const char *text, size_t n);
const char *draft_resolve(draft *d, const char *text); /* `$(string.X)` replaced; NULL: no text, or no such string */
/* What people see of a part: its message, else its name without a prefix like `win:`. NULL: neither. */
const char *draft_display(draft *d, const node *n);
void draft_sort_strings(draft *d); /* once, before the first `resolve` */

/* The children of one kind by one attribute, for finding one by its name. */
typedef struct directory {
    const struct directory_entry *entry;
    uint32_t n;
} directory;

directory directory_of(draft *d, const node *parent, enum node_kind kind, enum node_attribute by);
node *directory_find(const directory *of, const char *name); /* the first in the text; NULL */

/* Numbers as manifests write them: decimal or 0x hex, blanks around. 1, or 0 where it is none or beyond `most`. */
int text_number(const char *text, uint64_t most, uint64_t *v);
int text_mask(const char *text, uint64_t *v);      /* of a keyword: always hex, in dumps without the 0x */
int text_guid(const char *text, uint8_t guid[16]); /* in braces or not; as it lies in a record */

#endif
