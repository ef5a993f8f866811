/* expr_tree.h - the inside of an expression, shared by the files that make it.

   One idea: text becomes a tree (expr.c), a type of event folds the tree (expr_type.c), the folded tree becomes a
   program (expr_make.c), and the program says yes or no to events (expr_run.c). */
#ifndef EXPR_TREE_H
#define EXPR_TREE_H

#include "expr.h"
#include "name.h"
#include "pattern.h"

enum { EXPR_MAX_BYTES = 16 << 10, EXPR_MAX_DEPTH = 64, EXPR_MAX_MEMORY = 256 << 20 /* programs of all types */ };

/* ---- Values ---- */

enum form {
    FORM_ABSENT,
    FORM_BOOL,   /* u: 0, 1 */
    FORM_INT,    /* i */
    FORM_BIG,    /* u, always above INT64_MAX, so that every integer has one form only */
    FORM_FLOAT,  /* f */
    FORM_TEXT,   /* t, UTF-8 */
    FORM_TIME,   /* i, ns since 1970 */
    FORM_SPAN,   /* i, ns */
    FORM_GUID,   /* t, 16 bytes */
    FORM_IP,     /* t, 4 or 16 bytes */
    FORM_PATTERN /* pattern; only to the right of `matches` */
};

typedef struct value {
    uint8_t form;
    union {
        int64_t i;
        uint64_t u;
        double f;
        tw_text t;
        pattern *pattern; /* the expression's */
    };
} value;

/* What values may be compared: forms, with the three of numbers as one. */
enum class {
    CLASS_ANY,    /* not known before events come */
    CLASS_ABSENT, /* known not to be there */
    CLASS_BOOL,
    CLASS_NUMBER,
    CLASS_TEXT,
    CLASS_TIME,
    CLASS_SPAN,
    CLASS_GUID,
    CLASS_IP,
    CLASS_OTHER /* a struct or a whole array: comparable with nothing */
};

// clang-format off
enum compare {
    SAME, DIFFERENT, BELOW, AT_MOST, ABOVE, AT_LEAST,
    STARTS, ENDS, HAS /* of integers: all bits */, MATCHES /* from STARTS on: about text */
};
// clang-format on

__extension__ typedef __int128 wide;           /* sums and differences of any two integers */
__extension__ typedef unsigned __int128 uwide; /* products of their sizes */

/* ---- The tree ---- */

enum node_op {
    NODE_LITERAL,
    NODE_NAME,
    NODE_NEGATE,
    NODE_ARITHMETIC, /* `sign`, two children */
    NODE_COMPARE,    /* from here on conditions: `compare`, two children */
    NODE_IN,         /* `compare` SAME or DIFFERENT (not in); the first child and those it is compared with */
    NODE_AND,        /* two children and more */
    NODE_OR,
    NODE_NOT,
    NODE_EXISTS
};

typedef struct node {
    uint8_t op, compare, depth;
    char sign;
    struct node *first, *next; /* child, sibling */
    const char *at, *end;      /* in the source; at NULL: not written by anyone */
    value given;               /* literal */
    const char *word;          /* name */
    struct node *before;       /* name, pattern: the one that was read before */
    /* What the type at hand makes of it; expr_type.c */
    uint8_t class, known, fits; /* known: v is its value; fits: can be compared with the sibling before it */
    value v;
    name name;
    /* What all types so far made of it */
    uint8_t seen, fitted; /* name: a type had it; right side: it had sense for a type */
    const char *misfit;   /* the first reason why it had none */
} node;

/* ---- The program ---- */

enum { FAIL, PASS, FIRST_STEP }; /* where steps go on to: the two ends, then the index of a step */

// clang-format off
enum step_op {
    EVENT_16, EVENT_32, EVENT_64, EVENT_SINCE,                         /* a member of tw_event, in a range? */
    DATA_U8, DATA_U16, DATA_U32, DATA_64, DATA_I8, DATA_I16, DATA_I32, /* a number of the payload, in a range? */
    DATA_TEXT16,    /* UTF-16 of the payload against `units`, by `compare` */
    TEST_PRESENT,   /* slot a */
    TEST_CONSTANT,  /* slot a against k, by `compare` */
    TEST_SLOTS,     /* slot a against slot a + 1 */
    LOAD, CONSTANT, /* into slot a */
    NEGATE,         /* slot a */
    COMPUTE         /* slot a = slot a `compare` (a sign) slot a + 1 */
};

typedef struct step {
    uint8_t op, compare, a, negate; /* negate: outside the range */
    uint32_t yes, no;               /* where to go on; `no` also where the payload ends before */
    uint32_t offset;
    union {
        struct { uint64_t mask, low, width; }; /* (number & mask) - low <= width, modulo 2^64: of both signs alike */
        struct { const uint8_t *units; uint32_t bytes; };
        value k;
    };
    const name *name;
} step;
// clang-format on

typedef struct program {
    const step *step;
    uint32_t entry;
} program;

struct expr {
    arena memory;
    const char *source;
    node *root, *last_name, *last_pattern;
    const program **by_type; /* TW_TYPES */
    uint64_t types;          /* prepared so far */
    step *scratch;           /* of the program being made */
    uint32_t nscratch, cap;
    int64_t begin; /* start of the trace that `begin_source` reads */
    uint32_t begin_source, begin_known;
};

static inline int node_is_null(const node *n) /* the word null */
{
    return n->op == NODE_LITERAL && n->given.form == FORM_ABSENT;
}

/* expr_type.c: what the values of a number are called, where a text beside it is read as such a name; or NULL. */
const tw_names *node_names(const node *left, const node *right);
int node_is_named(const tw_name *name, const node *literal);

/* expr_make.c: the steps of a folded condition, added to x->scratch; where they begin. yes, no: where to go on. */
uint32_t expr_make(expr *x, const node *n, uint32_t yes, uint32_t no);

/* expr_type.c: are the kinds right as far as known without events? TW_ERROR: why, with the column. */
int expr_check(expr *x, text *why);
uint32_t expr_column(const expr *x, const char *at); /* 1-based, in characters */

/* expr_run.c */
/* A value as expressions see it; what has no form of its own is text as it is printed, in `memory`. */
void value_of(const tw_value *v, const name *n, arena *memory, value *out);
void value_of_u64(uint64_t u, value *out);
int value_class(const value *v);
wide value_wide(const value *v);                                /* an integer, a time or a span */
int value_compare(int compare, const value *a, const value *b); /* 0 where one is absent. Not for a time and a span */
void value_compute(char sign, const value *a, const value *b, value *out);
void value_negate(value *v);

#endif
