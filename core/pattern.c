/* pattern.c - regular expressions on text.

   One idea: the bounds are on steps and bytes, not on time, so that the same input always gives the same result. PCRE2
   counts its steps anew for each place where a match may begin: the bound on the whole is steps times bytes of text. */
#include "pattern.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
    MOST_STEPS = 20000,  /* from one place of a text: 2 s for the worst text there can be */
    MOST_DEPTH = 10000,  /* the next two: where PCRE2 interprets */
    MOST_HEAP = 4 << 10, /* KiB */
    FIRST_STACK = 32 << 10,
    MOST_STACK = 1 << 20
};

struct pattern {
    pcre2_code *code;
    pcre2_match_data *match; /* of one pair: whether, not where */
    pcre2_match_context *bounds;
    pcre2_jit_stack *stack; /* NULL: interpreted, where machine code is not allowed */
    uint64_t given_up;
};

pattern *pattern_new(const char *source, size_t n, size_t *at, text *why)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    pattern *p = mem_new(sizeof *p);
    PCRE2_UCHAR sentence[256];
    int error = PCRE2_ERROR_NOMEMORY;

    *at = 0;
    if (context) {
        pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
        p->code = pcre2_compile((PCRE2_SPTR)source, n, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C,
                                &error, at, context);
    }
    pcre2_compile_context_free(context);
    if (p->code && pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE) == 0)
        p->stack = pcre2_jit_stack_create(FIRST_STACK, MOST_STACK, NULL);
    if (p->code) p->match = pcre2_match_data_create(1, NULL);
    if (p->match) p->bounds = pcre2_match_context_create(NULL);
    if (!p->bounds) {
        if (p->code) error = PCRE2_ERROR_NOMEMORY;
        pcre2_get_error_message(error, sentence, sizeof sentence);
        text_put(why, (const char *)sentence);
        pattern_free(p);
        return NULL;
    }
    pcre2_set_match_limit(p->bounds, MOST_STEPS);
    pcre2_set_depth_limit(p->bounds, MOST_DEPTH);
    pcre2_set_heap_limit(p->bounds, MOST_HEAP);
    if (p->stack) pcre2_jit_stack_assign(p->bounds, NULL, p->stack);
    return p;
}

void pattern_free(pattern *p)
{
    if (!p) return;
    pcre2_match_context_free(p->bounds);
    pcre2_match_data_free(p->match);
    pcre2_jit_stack_free(p->stack);
    pcre2_code_free(p->code);
    free(p);
}

int pattern_match(pattern *p, const tw_text *t)
{
    if (t->bytes > PATTERN_MAX_TEXT) {
        p->given_up++;
        return 0;
    }
    int rc = pcre2_match(p->code, (PCRE2_SPTR)(t->bytes ? t->at : ""), t->bytes, 0, 0, p->match, p->bounds);
    if (rc < 0 && rc != PCRE2_ERROR_NOMATCH) p->given_up++;
    return rc >= 0;
}

uint64_t pattern_given_up(const pattern *p)
{
    return p->given_up;
}
