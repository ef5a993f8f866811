/* expr.c - reading an expression: text becomes a tree.

   One idea: one function for each level of the grammar, each a few lines; whatever a reader may have meant by what
   does not fit is said in the one place that complains about an unexpected word. */
#include "expr.h"

#include <stdlib.h>

#include "expr_tree.h"
#include "unit.h"

/* ---- Words ---- */

enum token_kind { TOKEN_END, TOKEN_SIGN, TOKEN_NAME, TOKEN_QUOTED, TOKEN_LITERAL };

typedef struct token {
    enum token_kind kind;
    const char *at, *end; /* in the source */
    const char *word;     /* names: without quotes */
    value v;              /* literals */
} token;

typedef struct parser {
    expr *x;
    const char *next; /* behind `now` */
    const char *last; /* end of the token before `now` */
    token now;
    int depth;  /* of nested reading */
    int failed; /* only the first failure is told */
    text *why;
} parser;

uint32_t expr_column(const expr *x, const char *at)
{
    uint32_t column = 1;
    for (const char *s = x->source; s < at; s++) column += ((unsigned char)*s & 0xC0) != 0x80;
    return column;
}

/* Begins the sentence about what is wrong at a place; NULL where one was begun before. */
static text *complain(parser *p, const char *at)
{
    if (p->failed) return NULL;
    p->failed = 1;
    text_format(p->why, "column %u: ", (unsigned)expr_column(p->x, at));
    return p->why;
}

static node *fail_at(parser *p, const char *at, const char *fact)
{
    text *why = complain(p, at);
    if (why) text_put(why, fact);
    return NULL;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of a name: letters, digits and whatever is not ASCII. */
static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c) || (c & 0x80);
}

static int is_exponent(const char *start, const char *at)
{
    if ((*at != '+' && *at != '-') || !is_digit(at[1]) || at - start < 2 || (at[-1] != 'e' && at[-1] != 'E'))
        return 0;
    for (const char *s = start; s < at - 1; s++) {
        if (!is_digit(*s) && *s != '.') return 0;
    }
    return 1;
}

/* All of a number that has neither unit nor point; 0 where it has, or is too large for 64 bits. */
static int plain_integer(const char *word, uint64_t *out)
{
    int hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    uint64_t base = hex ? 16 : 10;
    const char *s = hex ? word + 2 : word;

    if (!*s) return 0;
    for (*out = 0; *s; s++) {
        uint64_t digit = text_hex_digit(*s);
        if (digit >= base || *out > (UINT64_MAX - digit) / base) return 0;
        *out = *out * base + digit;
    }
    return 1;
}

static int is_decimal(const char *word)
{
    size_t n = strspn(word, "0123456789.");
    if (word[n] == 'e' || word[n] == 'E') {
        n += 1 + (word[n + 1] == '+' || word[n + 1] == '-');
        n += strspn(word + n, "0123456789");
    }
    return word[n] == 0 && strpbrk(word, ".eE") != NULL;
}

/* A number with or without a unit: 250, 0x1F, 0.5, 64KiB, 5ms. */
static int number_of(const char *word, value *v, text *why)
{
    uint64_t u;

    if (plain_integer(word, &u)) {
        value_of_u64(u, v);
        return TW_OK;
    }
    if (!word[strspn(word, "0123456789")] || (word[0] == '0' && (word[1] | 0x20) == 'x')) {
        text_format(why, "\"%s\" is no integer of 64 bits", word);
        return TW_ERROR;
    }
    if (is_decimal(word)) {
        v->form = FORM_FLOAT;
        return unit_float(word, &v->f, why);
    }
    v->form = FORM_SPAN;
    if (unit_span(word, &v->i, why) == TW_OK) return TW_OK;
    if (!unit_is_other(text_of(why))) return TW_ERROR; /* too long, or minutes or mebi? why tells */
    text_clear(why);
    v->form = FORM_INT;
    if (unit_int(word, &v->i, why) == TW_OK) return TW_OK;
    if (!unit_is_other(text_of(why))) return TW_ERROR;
    text_clear(why);
    text_format(why,
                "\"%s\" is no number; units of time are ns us ms s min h d, and of size, behind whole numbers, "
                "k M G KiB MiB GiB (1024-based) KB MB GB (1000-based)",
                word);
    return TW_ERROR;
}

static void read_number(parser *p, token *t)
{
    const char *s = t->at;
    text why = { 0 };

    while (is_word(*s) || (*s == '.' && is_digit(s[1])) || is_exponent(t->at, s)) s++;
    t->end = s;
    t->kind = TOKEN_LITERAL;
    if (number_of(arena_text(&p->x->memory, t->at, (size_t)(s - t->at)), &t->v, &why) != TW_OK)
        fail_at(p, t->at, text_of(&why));
    text_free(&why);
}

/* What stands in quotes, which are single or double or back; a doubled one stands for one. */
static const char *read_quoted(parser *p, token *t, size_t *n)
{
    char quote = *t->at, *out = arena_alloc(&p->x->memory, strlen(t->at) + 1);
    const char *s = t->at + 1;

    for (*n = 0; *s && (*s != quote || s[1] == quote); s++) {
        if (*s == quote) s++;
        out[(*n)++] = *s;
    }
    out[*n] = 0;
    if (!*s) fail_at(p, t->at, "this quote is never closed");
    t->end = *s ? s + 1 : s;
    return out;
}

static void read_name(parser *p, token *t)
{
    const char *s = t->at;
    while (is_word(*s) || (*s == '.' && is_word(s[1]) && !is_digit(s[1]))) s++;
    t->end = s;
    t->kind = TOKEN_NAME;
    t->word = arena_text(&p->x->memory, t->at, (size_t)(s - t->at));
}

static void advance(parser *p)
{
    static const char *const two[] = { "==", "~=", "!=", "<=", ">=", "<>", "=~", "&&", "||", "<<", ">>", "//" };
    token t = { .kind = TOKEN_SIGN };
    size_t n;

    p->last = p->now.end ? p->now.end : p->next;
    while (*p->next == ' ' || (*p->next >= '\t' && *p->next <= '\r')) p->next++;
    t.at = p->next;
    t.end = t.at + 1;
    if (!*t.at) {
        t.kind = TOKEN_END;
        t.end = t.at;
    } else if (is_digit(*t.at)) {
        read_number(p, &t);
    } else if (*t.at == '\'' || *t.at == '"') {
        t.kind = TOKEN_LITERAL;
        t.v.form = FORM_TEXT;
        t.v.t.at = read_quoted(p, &t, &n);
        t.v.t.bytes = (uint32_t)n;
    } else if (*t.at == '`') {
        t.kind = TOKEN_QUOTED;
        t.word = read_quoted(p, &t, &n);
    } else if (is_word(*t.at)) {
        read_name(p, &t);
    } else {
        for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
            if (strncmp(t.at, two[i], 2) == 0) t.end = t.at + 2;
        }
    }
    p->now = t;
    p->next = t.end;
}

static int is_now(const parser *p, const char *word)
{
    size_t n = (size_t)(p->now.end - p->now.at);
    return (p->now.kind == TOKEN_SIGN || p->now.kind == TOKEN_NAME) && strlen(word) == n &&
           memcmp(word, p->now.at, n) == 0;
}

static int take(parser *p, const char *word)
{
    if (p->failed || !is_now(p, word)) return 0;
    advance(p);
    return 1;
}

/* ---- Complaints ---- */

/* What people write who think in another language. */
// clang-format off
static const char *const meant[][2] = {
    { "=", "==" },
    { "<>", "~=" },
    { "=~", "matches" },
    { "&&", "and" },
    { "||", "or" },
    { "!", "not" },
    { "~", "not" },
    { "contains", "has" },
    { "includes", "has" },
    { "like", "has" },
    { "match", "matches" },
    { "regex", "matches" },
    { "rlike", "matches" },
    { "startswith", "starts" },
    { "endswith", "ends" },
    { "is", "==" },
    { "eq", "==" },
    { "ne", "~=" },
    { "//", "/" },
    { "mod", "%" },
    { "AND", "and" },
    { "OR", "or" },
    { "NOT", "not" },
    { "IN", "in" },
};
// clang-format on

static const char operator_expected[] = "an operator should stand here, as in pid == 4 and cpu == 0";
static const char *const words[] = { "and", "or", "not", "in", "starts", "ends", "has", "matches" };

static node *unexpected(parser *p, const char *expected)
{
    const char *other = NULL;
    text *why = complain(p, p->now.at);

    if (!why) return NULL;
    if (p->now.kind == TOKEN_END) {
        text_format(why, "the expression ends, but %s", expected);
        return NULL;
    }
    int n = (int)(p->now.end - p->now.at);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++) {
        if (is_now(p, meant[i][0])) other = meant[i][1];
    }
    if (is_now(p, "~") && expected == operator_expected) other = "matches"; /* between two: as awk has it */
    if (!other && p->now.kind == TOKEN_NAME) other = text_nearest(p->now.word, words, sizeof words / sizeof *words);
    if (other && strcmp(other, p->now.word ? p->now.word : "") != 0)
        text_format(why, "no operator '%.*s'; did you mean '%s'?", n, p->now.at, other);
    else
        text_format(why, "'%.*s' does not fit here; %s", n > 40 ? 40 : n, p->now.at, expected);
    return NULL;
}

static int expect(parser *p, const char *word, const char *expected)
{
    if (take(p, word)) return 1;
    unexpected(p, expected);
    return 0;
}

/* ---- Nodes ---- */

static node *new_node(parser *p, enum node_op op, const char *at)
{
    node *n = arena_alloc(&p->x->memory, sizeof *n);
    memset(n, 0, sizeof *n);
    n->op = (uint8_t)op;
    n->depth = 1;
    n->at = at;
    n->end = p->last;
    return n;
}

/* A node over children that are hung together already. */
static node *over(parser *p, enum node_op op, node *first)
{
    node *n = new_node(p, op, first->at);
    n->first = first;
    for (node *child = first; child; child = child->next) {
        if (child->depth >= n->depth) n->depth = (uint8_t)(child->depth + 1);
    }
    if (n->depth > EXPR_MAX_DEPTH)
        return fail_at(p, first->at, "more than 64 levels deep; divide it into several stages");
    return n;
}

static node *over_two(parser *p, enum node_op op, node *left, node *right)
{
    if (!left || !right) return NULL;
    left->next = right;
    return over(p, op, left);
}

static node *new_literal(parser *p, const char *at, value v)
{
    node *n = new_node(p, NODE_LITERAL, at);
    n->given = v;
    return n;
}

static node *new_name(parser *p, const char *at, const char *word)
{
    node *n = new_node(p, NODE_NAME, at);
    n->word = word;
    n->before = p->x->last_name;
    p->x->last_name = n;
    return n;
}

static int is_condition(const node *n)
{
    return n->op >= NODE_COMPARE;
}

static node *as_value(parser *p, node *n)
{
    if (!n || !is_condition(n)) return n;
    return fail_at(p, n->at, "a condition is no value; conditions are joined by and, or, not");
}

/* A name that stands alone is compared with true. */
static node *as_condition(parser *p, node *n)
{
    if (!n || is_condition(n)) return n;
    if (p->now.kind != TOKEN_END && !is_now(p, ")") && !is_now(p, "and") && !is_now(p, "or"))
        return unexpected(p, operator_expected);
    if (n->op != NODE_NAME && !(n->op == NODE_LITERAL && n->given.form == FORM_BOOL)) {
        text *why = complain(p, n->at);
        if (why) text_format(why, "'%.*s' is no condition; compare it with something", (int)(n->end - n->at), n->at);
        return NULL;
    }
    return over_two(p, NODE_COMPARE, n, new_literal(p, NULL, (value){ .form = FORM_BOOL, .u = 1 }));
}

/* ---- The grammar, weakest operator first ---- */

static node *disjunction(parser *p);
static node *sum(parser *p);

static node *nested(parser *p, node *(*read)(parser *))
{
    if (p->depth == EXPR_MAX_DEPTH)
        return fail_at(p, p->now.at, "more than 64 levels deep; divide it into several stages");
    p->depth++;
    node *n = read(p);
    p->depth--;
    return n;
}

static node *exists(parser *p, const char *at)
{
    if (p->now.kind != TOKEN_NAME && p->now.kind != TOKEN_QUOTED)
        return unexpected(p, "exists asks for one name, as in exists(FileName)");
    token t = p->now;
    advance(p);
    node *name = new_name(p, t.at, t.word);
    if (!expect(p, ")", "a ')' closes exists")) return NULL;
    node *n = over(p, NODE_EXISTS, name);
    if (n) n->at = at;
    return n;
}

/* A word by itself: a constant, a function, or a name of events. */
static node *word(parser *p, token t)
{
    static const struct {
        const char *word;
        value v;
    } constants[] = {
        { "true", { .form = FORM_BOOL, .u = 1 } },
        { "false", { .form = FORM_BOOL } },
        { "null", { .form = FORM_ABSENT } },
        { "KiB", { .form = FORM_INT, .i = 1 << 10 } },
        { "MiB", { .form = FORM_INT, .i = 1 << 20 } },
        { "GiB", { .form = FORM_INT, .i = 1 << 30 } },
        { "KB", { .form = FORM_INT, .i = 1000 } },
        { "MB", { .form = FORM_INT, .i = 1000000 } },
        { "GB", { .form = FORM_INT, .i = 1000000000 } },
        { "us", { .form = FORM_SPAN, .i = 1000 } },
        { "ms", { .form = FORM_SPAN, .i = 1000000 } },
        { "s", { .form = FORM_SPAN, .i = 1000000000 } },
        { "min", { .form = FORM_SPAN, .i = 60000000000 } },
        { "h", { .form = FORM_SPAN, .i = 3600000000000 } },
    };
    if (is_now(p, "(")) {
        if (strcmp(t.word, "exists") == 0) {
            advance(p);
            return exists(p, t.at);
        }
        static const char *const functions[] = { "exists" };
        const char *near = text_nearest(t.word, functions, 1);
        text *why = complain(p, t.at);
        if (why && near)
            text_format(why, "no function '%s'; did you mean '%s'?", t.word, near);
        else if (why)
            text_format(why, "no function '%s'; the one there is, is exists(NAME)", t.word);
        return NULL;
    }
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strcmp(t.word, constants[i].word) == 0) return new_literal(p, t.at, constants[i].v);
    }
    return new_name(p, t.at, t.word);
}

static int is_reserved(const parser *p)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_now(p, words[i])) return 1;
    }
    return 0;
}

static node *primary(parser *p)
{
    token t = p->now;

    if (p->failed) return NULL;
    if (t.kind == TOKEN_LITERAL) {
        advance(p);
        return new_literal(p, t.at, t.v);
    }
    if (t.kind == TOKEN_QUOTED) {
        advance(p);
        return new_name(p, t.at, t.word);
    }
    if (t.kind == TOKEN_NAME && !is_reserved(p)) {
        advance(p);
        return word(p, t);
    }
    if (take(p, "(")) {
        node *n = nested(p, disjunction);
        return n && expect(p, ")", "a ')' closes what '(' began") ? n : NULL;
    }
    return unexpected(p, "a name, a number or a text should stand here");
}

static node *negation_of_value(parser *p)
{
    const char *at = p->now.at;

    if (!take(p, "-")) return primary(p);
    node *n = as_value(p, nested(p, negation_of_value));
    if (!n) return NULL;
    if (n->op == NODE_LITERAL && n->given.form != FORM_ABSENT) {
        value_negate(&n->given);
        n->at = at;
        if (n->given.form == FORM_ABSENT) return fail_at(p, at, "only numbers and spans of time can be negative");
        return n;
    }
    n = over(p, NODE_NEGATE, n);
    if (n) n->at = at;
    return n;
}

/* Operators of one level, any of `signs`, from left to right. */
static node *level(parser *p, node *(*read)(parser *), const char *signs)
{
    node *left = read(p);

    while (left && !p->failed && p->now.kind == TOKEN_SIGN && p->now.end - p->now.at == 1 &&
           strchr(signs, *p->now.at)) {
        char sign = *p->now.at;
        advance(p);
        left = as_value(p, left);
        left = over_two(p, NODE_ARITHMETIC, left, left ? as_value(p, read(p)) : NULL);
        if (left) left->sign = sign;
    }
    return left;
}

static node *product(parser *p)
{
    return level(p, negation_of_value, "*/%");
}

static node *sum(parser *p)
{
    return level(p, product, "+-");
}

static node *bits(parser *p)
{
    return level(p, sum, "&");
}

static int comparison_sign(const parser *p)
{
    static const struct {
        const char *word;
        int compare;
    } signs[] = { { "==", SAME },    { "~=", DIFFERENT }, { "!=", DIFFERENT },   { "<", BELOW },
                  { "<=", AT_MOST }, { ">", ABOVE },      { ">=", AT_LEAST },    { "starts", STARTS },
                  { "ends", ENDS },  { "has", HAS },      { "matches", MATCHES } };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (is_now(p, signs[i].word)) return signs[i].compare;
    }
    return -1;
}

/* The values of `x in (a, b)`, behind `in`. */
static node *list(parser *p, node *left, int compare)
{
    static const char example[] = "a list follows, as in (4, 8) or {4, 8}";
    const char *closing = is_now(p, "{") ? "}" : ")";
    node *last = left;

    if (!take(p, "{") && !take(p, "(")) return unexpected(p, example);
    do {
        if (is_now(p, closing)) break; /* empty, or a comma at the end */
        last->next = as_value(p, bits(p));
        last = last->next;
    } while (last && take(p, ","));
    if (!last || !expect(p, closing, example)) return NULL;
    node *n = over(p, NODE_IN, left);
    if (n) n->compare = (uint8_t)compare;
    return n;
}

/* A literal goes to the right, so that what follows need only look there. */
static node *compared(parser *p, node *left, int compare, node *right)
{
    static const uint8_t turned[] = { SAME, DIFFERENT, ABOVE, AT_LEAST, BELOW, AT_MOST };
    const char *at = left ? left->at : NULL;

    if (left && right && compare < STARTS && left->op == NODE_LITERAL && right->op != NODE_LITERAL) {
        node *literal = left;
        left = right;
        right = literal;
        compare = turned[compare];
    }
    node *n = over_two(p, NODE_COMPARE, left, right);
    if (!n) return NULL;
    n->compare = (uint8_t)compare;
    n->at = at;
    return n;
}

/* Where in the source a byte of a text in quotes stands: a quote inside was written twice. */
static const char *inside_quotes(const char *at, size_t byte)
{
    const char *s = at + 1;
    while (byte--) s += *s == *at ? 2 : 1;
    return s;
}

/* What follows `matches`. */
static node *pattern_in_quotes(parser *p)
{
    if (p->now.kind != TOKEN_LITERAL || p->now.v.form != FORM_TEXT)
        return unexpected(p,
                          "matches is followed by a pattern in quotes, as in ImageFileName matches '^svc.*[.]exe$'");
    text reason = { 0 };
    size_t byte;
    node *n = primary(p);
    if (!n) return NULL; /* its quote is never closed */
    pattern *compiled = pattern_new(n->given.t.at, n->given.t.bytes, &byte, &reason);

    if (!compiled) {
        text *why = complain(p, inside_quotes(n->at, byte));
        if (why) text_format(why, "this is no pattern: %s", text_of(&reason));
        text_free(&reason);
        return NULL;
    }
    n->given = (value){ .form = FORM_PATTERN, .pattern = compiled };
    n->before = p->x->last_pattern;
    p->x->last_pattern = n;
    return n;
}

static node *comparison(parser *p)
{
    node *left = bits(p);
    if (!left) return NULL;

    if (take(p, "in")) return (left = as_value(p, left)) ? list(p, left, SAME) : NULL;
    if (take(p, "not")) {
        if (!expect(p, "in", "after a value, not is followed by in; else write not (x has 'a')")) return NULL;
        return (left = as_value(p, left)) ? list(p, left, DIFFERENT) : NULL;
    }
    int compare = comparison_sign(p);
    if (compare < 0) return left;
    advance(p);
    left = as_value(p, left);
    node *right = !left ? NULL : compare == MATCHES ? pattern_in_quotes(p) : as_value(p, bits(p));
    node *n = compared(p, left, compare, right);
    if (n && (comparison_sign(p) >= 0 || is_now(p, "in")))
        return fail_at(p, p->now.at, "comparisons do not chain; write 1 < x and x < 5");
    return n;
}

static node *negation(parser *p)
{
    const char *at = p->now.at;

    if (!take(p, "not")) return comparison(p);
    node *n = as_condition(p, nested(p, negation));
    if (!n) return NULL;
    n = over(p, NODE_NOT, n);
    if (n) n->at = at;
    return n;
}

/* Conditions joined by one word; one alone is left as it is. */
static node *joined(parser *p, node *(*read)(parser *), const char *word, enum node_op op)
{
    node *first = read(p), *last;

    if (!first || !is_now(p, word)) return first;
    last = first = as_condition(p, first);
    while (last && take(p, word)) last = last->next = as_condition(p, read(p));
    return last ? over(p, op, first) : NULL;
}

static node *conjunction(parser *p)
{
    return joined(p, negation, "and", NODE_AND);
}

static node *disjunction(parser *p)
{
    return joined(p, conjunction, "or", NODE_OR);
}

/* ---- The whole ---- */

expr *expr_new(const char *source, text *why)
{
    size_t n = strlen(source);
    if (n > EXPR_MAX_BYTES) {
        text_format(why, "the expression is longer than %d bytes; divide it into several stages", EXPR_MAX_BYTES);
        return NULL;
    }
    expr *x = mem_new(sizeof *x);
    x->source = arena_text(&x->memory, source, n);
    x->by_type = mem_new(TW_TYPES * sizeof(const program *));
    parser p = { .x = x, .next = x->source, .why = why };

    advance(&p);
    if (p.now.kind == TOKEN_END) fail_at(&p, p.now.at, "the expression is empty; write a condition, as in pid == 4");
    node *root = disjunction(&p);
    if (!p.failed && p.now.kind != TOKEN_END) unexpected(&p, operator_expected);
    x->root = as_condition(&p, root);
    if (p.failed || expr_check(x, why) != TW_OK) {
        expr_free(x);
        return NULL;
    }
    return x;
}

void expr_free(expr *x)
{
    if (!x) return;
    for (node *n = x->last_pattern; n; n = n->before) pattern_free(n->given.pattern);
    arena_free(&x->memory);
    free(x->scratch);
    free((void *)x->by_type);
    free(x);
}
