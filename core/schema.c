/* schema.c - the arguments of a pipeline as JSON Schema, and JSON as its words.

   One idea: JSON is checked by turning it into the words of a command line, whose rules and sentences are there. */
#include "schema.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- To JSON Schema ---- */

static void put(json_t *object, const char *key, json_t *value)
{
    if (value) json_object_set_new(object, key, value);
}

static json_t *text_json(const char *s)
{
    return s ? json_string(s) : NULL; /* NULL also where it is no UTF-8: then it is left out */
}

/* Whole numbers as JSON writes them. */
static json_t *number_json(double f)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    if (isinf(f) || isnan(f)) return NULL;
    return floor(f) == f && fabs(f) <= exact ? json_integer((json_int_t)f) : json_real(f);
}

static json_t *value_json(const argument *a, const char *value)
{
    if (a->kind == ARG_NUMBER) return number_json(strtod(value, NULL));
    if (a->kind == ARG_FLAG) return json_boolean(!strcmp(value, "true"));
    return text_json(value);
}

static const char *json_type_of(int kind)
{
    return kind == ARG_NUMBER ? "number" : kind == ARG_FLAG ? "boolean" : "string";
}

/* How a text of the kind is written, where its name does not tell. */
static const char *form_of(int kind)
{
    switch (kind) {
    case ARG_SPAN: return "a span of time, such as 10ms or 2s";
    case ARG_TIME: return "a moment: a span from the start of the trace, such as 5s, or a date and time";
    default: return NULL;
    }
}

static json_t *one_value(const argument *a)
{
    json_t *s = json_object();

    put(s, "type", json_string(json_type_of(a->kind)));
    if (a->kind == ARG_NUMBER) {
        put(s, "minimum", number_json(a->least));
        put(s, "maximum", number_json(a->most));
    }
    if (!a->nchoices) return s;
    json_t *choices = json_array();
    for (uint32_t i = 0; i < a->nchoices; i++) json_array_append_new(choices, json_string(a->choice[i]));
    put(s, "enum", choices);
    return s;
}

static json_t *argument_json(const argument *a)
{
    json_t *s = one_value(a);
    const char *form = form_of(a->kind);
    text help = { 0 };

    if (a->many) {
        json_t *items = s;
        s = json_object();
        put(s, "type", json_string("array"));
        put(s, "items", items);
        if (a->required) put(s, "minItems", json_integer(1));
    }
    if (a->help) text_put(&help, a->help);
    if (form) text_format(&help, "%s%s", help.n ? "; " : "", form);
    if (help.n) put(s, "description", text_json(text_of(&help)));
    text_free(&help);
    const char *value = a->value ? a->value : a->kind == ARG_FLAG ? "false" : NULL;
    if (value && !a->many) put(s, "default", value_json(a, value));
    if (value && a->many) put(s, "default", json_pack("[o]", value_json(a, value)));
    put(s, "x-kind", json_string(argument_kind_name(a->kind)));
    return s;
}

static json_t *arguments_json(const pipeline *p)
{
    json_t *s = json_object(), *properties = json_object(), *required = json_array();
    json_t *others = json_false();

    for (uint32_t i = 0; i < p->nargs; i++) {
        const argument *a = &p->args[i];
        if (a->kind == ARG_REST) {
            others = json_pack("{s:[s,s,s]}", "type", "string", "number", "boolean");
            continue;
        }
        put(properties, a->name, argument_json(a));
        if (a->required) json_array_append_new(required, json_string(a->name));
    }
    put(s, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
    put(s, "type", json_string("object"));
    put(s, "properties", properties);
    if (json_array_size(required)) json_object_set(s, "required", required);
    json_decref(required);
    put(s, "additionalProperties", others);
    return s;
}

static json_t *named(const char *name, const char *help, int trusted)
{
    json_t *o = json_object();

    put(o, "name", text_json(name));
    put(o, "help", text_json(help ? help : ""));
    put(o, "trusted", json_boolean(trusted));
    return o;
}

json_t *schema_pipeline(const char *name, const pipeline *p, int trusted)
{
    json_t *o = named(name, p->help, trusted);
    put(o, "arguments", arguments_json(p));
    return o;
}

json_t *schema_broken(const char *name, int trusted, const char *why)
{
    json_t *o = named(name, NULL, trusted);
    put(o, "error", text_json(why));
    return o;
}

/* ---- From JSON to words ---- */

typedef struct writer {
    const pipeline *p;
    arena *memory;
    const char **word;
    uint32_t n, cap;
    text *why;
} writer;

static const argument *find(const writer *w, const char *name)
{
    for (uint32_t i = 0; i < w->p->nargs; i++)
        if (w->p->args[i].kind != ARG_REST && !strcmp(w->p->args[i].name, name)) return &w->p->args[i];
    return NULL;
}

static const char *kind_of(const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_NULL: return "null";
    default: return "true or false";
    }
}

static void add_word(writer *w, const text *word)
{
    if (w->n == w->cap) {
        uint32_t cap = w->cap ? 2 * w->cap : 16;
        const char **grown = arena_alloc(w->memory, cap * sizeof *grown);
        if (w->n) memcpy(grown, w->word, w->n * sizeof *grown);
        w->word = grown;
        w->cap = cap;
    }
    w->word[w->n++] = arena_text(w->memory, text_of(word), word->n);
}

/* May a value of that JSON type be given to the argument? Words that take the rest take all that is plain. */
static int type_fits(const argument *a, const json_t *v)
{
    if (!a) return json_is_string(v) || json_is_number(v) || json_is_boolean(v);
    if (a->kind == ARG_NUMBER) return json_is_number(v);
    if (a->kind == ARG_FLAG) return json_is_boolean(v);
    return json_is_string(v);
}

static int add_value(writer *w, const argument *a, const char *name, const json_t *v)
{
    text word = { 0 };
    int rc = TW_ERROR;

    text_format(&word, "%s=", name);
    if (!type_fits(a, v)) {
        text_format(w->why, "argument '%s' is a %s, not %s", name, a ? json_type_of(a->kind) : "string", kind_of(v));
    } else if (json_is_string(v) && strlen(json_string_value(v)) != json_string_length(v)) {
        text_format(w->why, "argument '%s' holds a zero byte", name);
    } else {
        if (json_is_string(v)) text_add(&word, json_string_value(v), json_string_length(v));
        if (json_is_integer(v)) text_format(&word, "%" PRId64, (int64_t)json_integer_value(v));
        if (json_is_real(v)) text_format(&word, "%.17g", json_real_value(v));
        if (json_is_boolean(v)) text_put(&word, json_is_true(v) ? "true" : "false");
        add_word(w, &word);
        rc = TW_OK;
    }
    text_free(&word);
    return rc;
}

/* Would `name=value` be taken for what it is? Other words mean other things: options of the host, positions. */
static int reads_as_name(const char *name)
{
    static const char allowed[] = "0123456789-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return *name && !strchr("0123456789-", *name) && !name[strspn(name, allowed)];
}

static int add_argument(writer *w, const char *name, const json_t *v)
{
    const argument *a = find(w, name);
    const json_t *item;
    size_t i;

    if (json_is_null(v)) return TW_OK; /* as if it were not there */
    if (!a && !reads_as_name(name)) {
        text_format(w->why, "'%s' is no name for an argument", name);
        return TW_ERROR;
    }
    if (!a || !a->many || !json_is_array(v)) return add_value(w, a, name, v);
    json_array_foreach(v, i, item)
    {
        if (add_value(w, a, name, item) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

int schema_words(const pipeline *p, const char *arguments, arena *memory, const char ***out, uint32_t *n, text *why)
{
    writer w = { p, memory, NULL, 0, 0, why };
    json_error_t error;
    json_t *given = json_loads(arguments ? arguments : "{}", JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    argument_value *values = arena_alloc(memory, (p->nargs + 1) * sizeof *values);
    const char *name;
    json_t *v;
    int rc = TW_ERROR;

    if (!given) {
        text_format(why, "the arguments are no JSON: %s (byte %d)", error.text, error.position);
        return TW_ERROR;
    }
    if (!json_is_object(given)) {
        text_format(why, "the arguments are %s, but an object is needed, such as {\"trace\": \"boot.etl\"}",
                    kind_of(given));
        goto out;
    }
    json_object_foreach(given, name, v)
    {
        if (add_argument(&w, name, v) != TW_OK) goto out;
    }
    rc = arguments_read(p->args, p->nargs, w.word, w.n, memory, values, why);
    *out = w.word;
    *n = w.n;
out:
    json_decref(given);
    return rc;
}
