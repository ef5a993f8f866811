/* argument.c - the words after a command become the values of its arguments.

   One idea: words are told apart by their form alone (`--name`, `name=value`, all else), then by what the arguments
   declare; a flag never takes the next word, so no word's meaning depends on what follows it. */
#include "argument.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tw_plugin.h"
#include "unit.h"

static const char *const kind_names[] = { "file", "folder", "number", "string", "flag",
                                          "span", "time",   "choice", "rest" };

enum { KINDS = sizeof kind_names / sizeof *kind_names };

const char *argument_kind_name(int kind)
{
    return kind_names[kind];
}

int argument_kind_of(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (!strcmp(kind_names[k], name)) return k;
    return -1;
}

/* ---- One value ---- */

static int read_number(const char *word, arena *memory, const char **canonical, text *why)
{
    const int64_t exact = (int64_t)1 << 53; /* up to here a Lua number is the same integer */
    int64_t i;
    double f;
    text as_float = { 0 }, out = { 0 };
    int rc = TW_ERROR;

    if (unit_int(word, &i, why) == TW_OK) {
        if (i < -exact || i > exact) {
            text_format(why, "'%s' is too large for an exact number; 2^53 is the most", word);
            goto done;
        }
        text_format(&out, "%" PRId64, i);
    } else if (unit_float(word, &f, &as_float) == TW_OK && isfinite(f)) {
        text_clear(why);
        text_format(&out, "%.17g", f);
    } else {
        goto done;
    }
    *canonical = arena_text(memory, text_of(&out), out.n);
    rc = TW_OK;
done:
    text_free(&as_float);
    text_free(&out);
    return rc;
}

int argument_fits(int kind, const char *word, arena *memory, const char **canonical, text *why)
{
    const char *same = word;
    int64_t ns;
    int flag, relative, rc = TW_OK;

    switch (kind) {
    case ARG_NUMBER: rc = read_number(word, memory, &same, why); break;
    case ARG_FLAG:
        rc = unit_bool(word, &flag, why);
        same = rc == TW_OK && flag ? "true" : "false";
        break;
    case ARG_SPAN: rc = unit_span(word, &ns, why); break;
    case ARG_TIME: rc = unit_time(word, &ns, &relative, why); break;
    case ARG_FILE:
    case ARG_FOLDER:
        if (!*word) {
            text_format(why, "'' is no path of a %s", kind_names[kind]);
            rc = TW_ERROR;
        }
        break;
    default: break;
    }
    if (canonical) *canonical = same;
    return rc;
}

static void put_choices(const argument *a, text *out)
{
    for (uint32_t i = 0; i < a->nchoices; i++) text_format(out, "%s%s", i ? ", " : "", a->choice[i]);
}

/* What argument_fits does not look at. */
static int within(const argument *a, const char *value, text *why)
{
    if (a->kind == ARG_NUMBER) {
        double f = strtod(value, NULL);
        if (f >= a->least && f <= a->most) return TW_OK;
        if (isinf(a->most))
            text_format(why, "argument '%s' must be at least %.17g, not %s", a->name, a->least, value);
        else if (isinf(a->least))
            text_format(why, "argument '%s' must be at most %.17g, not %s", a->name, a->most, value);
        else
            text_format(why, "argument '%s' must be from %.17g to %.17g, not %s", a->name, a->least, a->most, value);
        return TW_ERROR;
    }
    if (a->kind != ARG_CHOICE) return TW_OK;
    for (uint32_t i = 0; i < a->nchoices; i++)
        if (!strcmp(a->choice[i], value)) return TW_OK;
    const char *near = text_nearest(value, a->choice, a->nchoices);
    text_format(why, "argument '%s' cannot be '%s'; ", a->name, value);
    if (near) text_format(why, "did you mean '%s'? ", near);
    text_put(why, near ? "It is one of " : "it is one of ");
    put_choices(a, why);
    return TW_ERROR;
}

/* ---- Words ---- */

typedef struct reader {
    const argument *args;
    uint32_t n;
    argument_value *out;
    arena *memory;
    text *why;
} reader;

static int add_value(reader *r, uint32_t at, const char *word)
{
    const argument *a = &r->args[at];
    argument_value *v = &r->out[at];
    const char *value;
    text fact = { 0 };
    int rc = argument_fits(a->kind, word, r->memory, &value, &fact);

    if (rc != TW_OK) text_format(r->why, "argument '%s': %s", a->name, text_of(&fact));
    text_free(&fact);
    if (rc != TW_OK || within(a, value, r->why) != TW_OK) return TW_ERROR;
    if (v->given && !a->many && a->kind != ARG_REST) {
        text_format(r->why, "argument '%s' is given twice: '%s' and '%s'", a->name, v->text[0], value);
        return TW_ERROR;
    }
    const char **list = arena_alloc(r->memory, (v->n + 1) * sizeof *list);
    if (v->n) memcpy(list, v->text, v->n * sizeof *list);
    list[v->n++] = value;
    v->text = list;
    v->given = 1;
    return TW_OK;
}

/* The argument of that name; - and _ are the same. */
static int find(const reader *r, const char *name, size_t n)
{
    for (uint32_t i = 0; i < r->n; i++) {
        const char *a = r->args[i].name;
        size_t k = 0;
        if (strlen(a) != n || r->args[i].kind == ARG_REST) continue;
        while (k < n && (a[k] == name[k] || (a[k] == '_' && name[k] == '-'))) k++;
        if (k == n) return (int)i;
    }
    return -1;
}

static int find_rest(const reader *r)
{
    return r->n && r->args[r->n - 1].kind == ARG_REST ? (int)r->n - 1 : -1;
}

static int no_argument(const reader *r, const char *name, size_t n, const char *form)
{
    char *word = mem_text(name, n);
    const char **names = mem_new((r->n + 1) * sizeof *names);

    for (uint32_t i = 0; i < r->n; i++) names[i] = r->args[i].name;
    const char *near = text_nearest(word, names, r->n);
    text_format(r->why, "no argument '%s'", word);
    if (near) {
        text_format(r->why, "; did you mean '%s%s'?", form, near);
    } else if (r->n) {
        text_put(r->why, "; there are ");
        for (uint32_t i = 0; i < r->n; i++) text_format(r->why, "%s%s", i ? ", " : "", names[i]);
    } else {
        text_put(r->why, "; it takes none");
    }
    free(names);
    free(word);
    return TW_ERROR;
}

static int add_rest(reader *r, const char *name, size_t n, const char *value)
{
    text word = { 0 };

    text_add(&word, name, n);
    text_format(&word, "=%s", value);
    const char *kept = arena_text(r->memory, text_of(&word), word.n);
    text_free(&word);
    return add_value(r, (uint32_t)find_rest(r), kept);
}

/* `--name`, `--name=value`, `--name value`, `--no-name`. *next is the word behind it, or NULL; *taken: it was the value. */
static int read_option(reader *r, const char *word, const char *next, int *taken)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t n = equals ? (size_t)(equals - name) : strlen(name);
    int at = find(r, name, n), has_next = next && strncmp(next, "--", 2) != 0;

    if (at >= 0 && r->args[at].kind == ARG_FLAG) return add_value(r, (uint32_t)at, equals ? equals + 1 : "true");
    if (at < 0 && !equals && n > 3 && !strncmp(name, "no-", 3)) {
        int off = find(r, name + 3, n - 3);
        if (off >= 0 && r->args[off].kind == ARG_FLAG) return add_value(r, (uint32_t)off, "false");
    }
    if (at < 0 && find_rest(r) < 0) return no_argument(r, name, n, "--");
    if (!equals && !has_next) {
        if (at < 0) return add_rest(r, name, n, "true");
        text_format(r->why, "'%s' needs a value: --%s=…", word, r->args[at].name);
        return TW_ERROR;
    }
    *taken = !equals;
    const char *value = equals ? equals + 1 : next;
    return at < 0 ? add_rest(r, name, n, value) : add_value(r, (uint32_t)at, value);
}

/* Length of NAME in `NAME=value`; 0 where the word is not of that form. */
static size_t name_length(const char *word)
{
    size_t n = 0;
    while ((word[n] >= 'a' && word[n] <= 'z') || (word[n] >= 'A' && word[n] <= 'Z') || word[n] == '_' ||
           (n && ((word[n] >= '0' && word[n] <= '9') || word[n] == '-')))
        n++;
    return word[n] == '=' ? n : 0;
}

/* The next argument that has no word yet takes it; one that takes many goes on taking. */
static int read_positional(reader *r, const char *word)
{
    for (uint32_t i = 0; i < r->n; i++) {
        int kind = r->args[i].kind;
        if (kind == ARG_FLAG || kind == ARG_REST || (r->out[i].given && !r->args[i].many)) continue;
        return add_value(r, i, word);
    }
    text_format(r->why, "'%s' is one word too many", word);
    return TW_ERROR;
}

static int read_word(reader *r, const char *word, const char *next, int *taken)
{
    size_t n = name_length(word);

    if (!strncmp(word, "--", 2)) return read_option(r, word, next, taken);
    if (n) {
        int at = find(r, word, n);
        if (at >= 0) return add_value(r, (uint32_t)at, word + n + 1);
        if (find_rest(r) >= 0) return add_rest(r, word, n, word + n + 1);
        return no_argument(r, word, n, "");
    }
    if (word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.') {
        text_format(r->why, "no option '%s'; options of one letter are the host's: -h -q -v", word);
        return TW_ERROR;
    }
    return read_positional(r, word);
}

static int fill_defaults(reader *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        const argument *a = &r->args[i];
        argument_value *v = &r->out[i];
        const char *value = a->value ? a->value : a->kind == ARG_FLAG ? "false" : NULL;
        if (v->given) continue;
        if (value) {
            if (add_value(r, i, value) != TW_OK) return TW_ERROR;
            v->given = 0;
        } else if (a->required) {
            text_format(r->why, "argument '%s' is missing", a->name);
            if (a->help) text_format(r->why, " (%s)", a->help);
            return TW_ERROR;
        }
    }
    return TW_OK;
}

int arguments_read(const argument *args, uint32_t n, const char *const *words, uint32_t nwords, arena *memory,
                   argument_value *out, text *why)
{
    reader r = { args, n, out, memory, why };
    int only_positional = 0;

    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < nwords; i++) {
        int taken = 0, rc;
        if (!only_positional && !strcmp(words[i], "--")) {
            only_positional = 1;
            continue;
        }
        if (only_positional)
            rc = read_positional(&r, words[i]);
        else
            rc = read_word(&r, words[i], i + 1 < nwords ? words[i + 1] : NULL, &taken);
        if (rc != TW_OK) return TW_ERROR;
        i += (uint32_t)taken;
    }
    return fill_defaults(&r);
}

void arguments_stand_in(const argument *args, uint32_t n, arena *memory, argument_value *out)
{
    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        const argument *a = &args[i];
        const char *value = a->value;
        if (!value && a->kind == ARG_FLAG) value = "false";
        if (!value && a->required) {
            switch (a->kind) {
            case ARG_CHOICE: value = a->choice[0]; break;
            case ARG_NUMBER: value = a->least > 1 || a->most < 1 ? NULL : "1"; break;
            case ARG_SPAN:
            case ARG_TIME: value = "1s"; break;
            default: value = a->name; break;
            }
            if (!value) { /* a number that 1 is not allowed for */
                text bound = { 0 };
                text_format(&bound, "%.17g", isinf(a->least) ? a->most : a->least);
                value = arena_text(memory, text_of(&bound), bound.n);
                text_free(&bound);
            }
        }
        if (!value) continue;
        out[i].text = arena_alloc(memory, sizeof *out[i].text);
        out[i].text[0] = value;
        out[i].n = 1;
    }
}

void arguments_usage(const argument *args, uint32_t n, text *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const argument *a = &args[i];
        if (i) text_put(out, " ");
        if (a->kind == ARG_FLAG) {
            text_format(out, a->value && !strcmp(a->value, "true") ? "[--no-%s]" : "[--%s]", a->name);
        } else if (a->kind == ARG_REST) {
            text_put(out, "[name=value …]");
        } else if (a->required || (i == 0 && a->many)) { /* by its place */
            if (!a->required) text_put(out, "[");
            for (const char *c = a->name; *c; c++) {
                char upper = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
                text_add(out, &upper, 1);
            }
            if (a->many) text_put(out, " …");
            if (!a->required) text_put(out, "]");
        } else {
            text_format(out, "[--%s ", a->name);
            for (uint32_t k = 0; k < a->nchoices; k++) text_format(out, "%s%s", k ? "|" : "", a->choice[k]);
            if (!a->nchoices) text_put(out, a->value ? a->value : argument_kind_name(a->kind));
            text_put(out, a->many ? " …]" : "]");
        }
    }
}
