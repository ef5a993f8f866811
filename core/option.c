/* option.c - options: text in a pipeline becomes typed members of a stage's state.

   One idea: everything that can be misspelt is read first, everything that has to be opened comes last; so a wrong
   option neither reads a file nor makes one. */
#include "option.h"

#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "os.h"
#include "output.h"
#include "unit.h"

// clang-format off
static const struct { const char *name, *need; uint32_t bytes; } kinds[] = {
    [TW_OPT_BOOL]   = { "flag",   "true or false",                        sizeof(int) },
    [TW_OPT_INT]    = { "size",   "a whole number like 20 or 64k",        sizeof(int64_t) },
    [TW_OPT_FLOAT]  = { "number", "a number like 0.5",                    sizeof(double) },
    [TW_OPT_TEXT]   = { "text",   "a text",                               sizeof(char *) },
    [TW_OPT_CHOICE] = { "choice", "one of its choices",                   sizeof(int) },
    [TW_OPT_SPAN]   = { "span",   "a span like 10ms",                     sizeof(int64_t) },
    [TW_OPT_TIME]   = { "time",   "a moment like 2026-11-30T08:15:00Z",   sizeof(int64_t) },
    [TW_OPT_LIST]   = { "list",   "a list of texts",                      sizeof(char **) },
    [TW_OPT_INPUT]  = { "file",   "a file's path, or - for standard input",  sizeof(tw_input *) },
    [TW_OPT_INPUTS] = { "files",  "paths of files",                       sizeof(tw_input **) },
    [TW_OPT_OUTPUT] = { "file",   "a file's path, or - for standard output", sizeof(tw_output *) },
    [TW_OPT_FOLDER] = { "folder", "a folder's path",                      sizeof(char *) },
};
// clang-format on

static int kind_known(uint32_t kind)
{
    return kind >= TW_OPT_BOOL && kind <= TW_OPT_FOLDER;
}

const char *option_kind_name(uint32_t kind)
{
    return kind_known(kind) ? kinds[kind].name : "?";
}

static int is_file(uint32_t kind)
{
    return kind == TW_OPT_INPUT || kind == TW_OPT_INPUTS || kind == TW_OPT_OUTPUT;
}

/* 1 where a value may be empty. */
static int may_be_none(uint32_t kind)
{
    return is_file(kind) || kind == TW_OPT_LIST || kind == TW_OPT_TEXT || kind == TW_OPT_FOLDER;
}

static int is_list(uint32_t kind)
{
    return kind == TW_OPT_LIST || kind == TW_OPT_INPUTS;
}

/* Members are written by bytes: the place of a member is the stage's word, its alignment is not ours to rely on. */
static void store(void *state, const tw_option *o, const void *value)
{
    memcpy((char *)state + o->offset, value, kinds[o->kind].bytes);
}

static int refuse(const tw_option *o, const char *value, text *why)
{
    text_format(why, "option '%s' needs %s, not '%s'", o->name, kinds[o->kind].need, value);
    return TW_ERROR;
}

/* ---- One value ---- */

/* Place of `value` in "a|b|c: what it means"; or a sentence that names all of them. */
static int read_choice(const tw_option *o, const char *value, int *out, text *why)
{
    size_t length = strlen(value);
    int place = 0;

    for (const char *at = o->help;; place++) {
        size_t n = strcspn(at, "|:");
        if (n == length && !memcmp(at, value, n)) {
            *out = place;
            return TW_OK;
        }
        at += n;
        if (*at != '|') break;
        at++;
    }
    text_format(why, "option '%s' is one of ", o->name);
    for (const char *at = o->help;;) {
        size_t n = strcspn(at, "|:");
        text_add(why, at, n);
        at += n;
        if (*at != '|') break;
        at++;
        text_put(why, ", ");
    }
    text_format(why, "; not '%s'", value);
    return TW_ERROR;
}

/* A stage gets a moment; one that counts from the start of a trace means nothing before the trace was read. */
static int read_time(const char *value, int64_t *out, text *why)
{
    int relative;

    if (unit_time(value, out, &relative, why) != TW_OK) return TW_ERROR;
    return relative ? TW_ERROR : TW_OK;
}

/* A value of a kind that is no list and no file, into the state. */
static int read_value(const tw_option *o, const char *value, void *state, arena *memory, text *why)
{
    union {
        int flag;
        int64_t number;
        double real;
        const char *text;
    } v;
    text fact = { 0 };
    int rc = TW_OK;

    memset(&v, 0, sizeof v);
    switch (o->kind) {
    case TW_OPT_BOOL: rc = unit_bool(value, &v.flag, &fact); break;
    case TW_OPT_INT: rc = unit_int(value, &v.number, &fact); break;
    case TW_OPT_FLOAT: rc = unit_float(value, &v.real, &fact); break;
    case TW_OPT_SPAN: rc = unit_span(value, &v.number, &fact); break;
    case TW_OPT_TIME: rc = read_time(value, &v.number, &fact); break;
    case TW_OPT_CHOICE:
        if (read_choice(o, value, &v.flag, why) != TW_OK) return TW_ERROR;
        break;
    default: v.text = arena_text(memory, value, strlen(value)); break;
    }
    if (rc == TW_OK)
        store(state, o, &v);
    else if (fact.n && !unit_is_other(text_of(&fact)))
        text_format(why, "option '%s': %s", o->name, text_of(&fact));
    else
        refuse(o, value, why);
    text_free(&fact);
    return rc;
}

/* ---- Lists ---- */

/* The texts of a setting, copied; a single text that did not come as a list is cut at its commas. */
static const char *const *copy_list(const setting *s, arena *memory)
{
    uint32_t n = s->n;
    int cut = s->n == 1 && !s->list;

    if (cut)
        for (const char *at = s->value[0]; (at = strchr(at, ',')); at++) n++;
    const char **list = arena_alloc(memory, (n + 1) * sizeof *list);
    if (cut) {
        char *at = arena_text(memory, s->value[0], strlen(s->value[0]));
        n = 0;
        for (char *comma; (comma = strchr(at, ',')); at = comma + 1) {
            *comma = 0;
            list[n++] = at;
        }
        if (n || *at) list[n++] = at; /* "" alone is an empty list */
    } else {
        for (uint32_t i = 0; i < n; i++) list[i] = arena_text(memory, s->value[i], strlen(s->value[i]));
    }
    list[n] = NULL;
    return list;
}

/* ---- Variables ---- */

/* A default "$TRACEWEIR_NAME" is what that variable of the environment says, or none. */
static int is_variable(const tw_option *o)
{
    return o->value && o->value[0] == '$';
}

static int variable_sound(const tw_option *o)
{
    static const char own[] = "$TRACEWEIR_";
    size_t n = sizeof own - 1;

    if (strncmp(o->value, own, n) != 0 || !o->value[n]) return 0;
    return o->value[n + strspn(o->value + n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == 0;
}

/* What the variable says, as a setting; lists are cut as systems cut lists of folders. */
static void read_variable(const tw_option *o, arena *memory, setting *out)
{
    char *value = os_variable(o->value + 1), *at = value ? arena_text(memory, value, strlen(value)) : NULL;
    uint32_t n = 0;

    free(value);
    for (const char *c = at; c && *c; c++) n += *c == os_path_separator;
    const char **list = arena_alloc(memory, (n + 1) * sizeof *list);
    *out = (setting){ o->name, list, 0, is_list(o->kind) };
    if (!at || !is_list(o->kind)) {
        list[out->n++] = at ? at : "";
        out->list = 0;
        return;
    }
    for (char *end; at; at = end ? end + 1 : NULL) {
        end = strchr(at, os_path_separator);
        if (end) *end = 0;
        if (*at) list[out->n++] = at;
    }
}

/* ---- Files ---- */

/* The patterns that the help of an input option begins with, "*.man|*.xml: what it is": their length, 0 for none. */
static size_t patterns_length(const tw_option *o)
{
    if ((o->kind != TW_OPT_INPUT && o->kind != TW_OPT_INPUTS) || !o->help || o->help[0] != '*') return 0;
    return strcspn(o->help, ":");
}

void option_help(const tw_option *o, text *out)
{
    size_t n = patterns_length(o);

    if (!n) {
        text_put(out, o->help);
        return;
    }
    text_format(out, "%s; a%s archive stands for the ", o->help + n + 2,
                o->kind == TW_OPT_INPUTS ? " folder or an" : "n");
    for (size_t i = 0; i < n; i++)
        text_add(out, o->help[i] == '|' ? " and " : &o->help[i], o->help[i] == '|' ? 5 : 1);
    text_put(out, " in it");
}

/* What is being filled: who opens files adds them here. */
typedef struct filling {
    void *state;
    arena *memory;
    inputs in;
    option_files *files;
    text *why;
    int *failed;
} filling;

/* The inputs that n paths of one option stand for are added to f->in. */
static int open_inputs(filling *f, const tw_option *o, const char *const *path, uint32_t n)
{
    size_t length = patterns_length(o);
    const char *patterns = length ? arena_text(f->memory, o->help, length) : NULL;

    for (uint32_t i = 0; i < n; i++) {
        if (!*path[i]) return refuse(o, path[i], f->why);
        if (input_is_taken(path[i])) *f->failed = 2;
        if (inputs_add(&f->in, path[i], patterns, o->kind == TW_OPT_INPUTS, f->why) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

/* Opens what one file option names; "" where that is the default means none. */
static int open_files(filling *f, const tw_option *o, const setting *s)
{
    int none = o->value && (!*o->value || is_variable(o)) && (!s->n || (s->n == 1 && !*s->value[0]));
    uint32_t first = f->in.nchosen;

    if (o->kind != TW_OPT_OUTPUT) {
        if (open_inputs(f, o, s->value, none ? 0 : s->n) != TW_OK) return TW_ERROR;
        uint32_t n = f->in.nchosen - first;
        tw_input **list = arena_alloc(f->memory, (n + 1) * sizeof(tw_input *));
        if (n) memcpy(list, f->in.chosen + first, n * sizeof(tw_input *));
        list[n] = NULL;
        if (o->kind == TW_OPT_INPUTS)
            store(f->state, o, &list);
        else
            store(f->state, o, &list[0]);
    } else if (!none) {
        tw_output *out;
        if (!*s->value[0]) return refuse(o, "", f->why);
        if (output_open(s->value[0], &out, f->why) != TW_OK) return TW_ERROR;
        f->files->output[f->files->noutputs++] = out;
        store(f->state, o, &out);
    }
    return TW_OK;
}

static void close_files(filling *f)
{
    text unused = { 0 };

    inputs_close(&f->in);
    for (uint32_t i = 0; i < f->files->noutputs; i++) output_finish(f->files->output[i], 0, &unused);
    f->files->noutputs = 0;
    text_free(&unused);
}

/* ---- A stage's options ---- */

static uint32_t count_options(const tw_stage *s)
{
    uint32_t n = 0;
    while (s->options && s->options[n].name) n++;
    return n;
}

static int find(const tw_stage *s, const char *name)
{
    uint32_t n = count_options(s);

    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(s->options[i].name, name)) return (int)i;
    return -1;
}

int option_known(const tw_stage *s, const char *name, text *why)
{
    uint32_t n = count_options(s);
    const char **names, *near;

    if (find(s, name) >= 0) return 1;
    if (!n) {
        text_format(why, "no option '%s'; this stage has no options", name);
        return 0;
    }
    names = mem_new(n * sizeof *names);
    for (uint32_t i = 0; i < n; i++) names[i] = s->options[i].name;
    near = text_nearest(name, names, n);
    text_format(why, "no option '%s'; ", name);
    if (near) {
        text_format(why, "did you mean '%s'?", near);
    } else {
        text_put(why, n > 1 ? "its options are " : "its only option is ");
        for (uint32_t i = 0; i < n; i++) text_format(why, "%s%s", i ? ", " : "", names[i]);
    }
    free(names);
    return 0;
}

/* One setting for option `at`, in given[at]. */
static int match_one(const tw_stage *s, uint32_t at, const setting *set, const setting **given, text *why)
{
    if (given[at]) {
        text_format(why, "option '%s' is given twice", s->options[at].name);
        return TW_ERROR;
    }
    if (set->n != 1 && !is_list(s->options[at].kind)) {
        text_format(why, "option '%s' takes one value, not %u", s->options[at].name, (unsigned)set->n);
        return TW_ERROR;
    }
    given[at] = set;
    return TW_OK;
}

/* Values without a name: all to the first option if it is a list, else one to each option in order. */
static int match_unnamed(const tw_stage *s, const setting *set, arena *memory, const setting **given, text *why)
{
    uint32_t count = count_options(s);

    if (!count) {
        text_format(why, "'%s' is too much; this stage has no options", set->n ? set->value[0] : "");
        return TW_ERROR;
    }
    if (is_list(s->options[0].kind) || !set->n) return match_one(s, 0, set, given, why);
    if (set->n > count) {
        text_format(why, "%u values without a name are too many; it has %u option%s", (unsigned)set->n,
                    (unsigned)count, count > 1 ? "s" : "");
        return TW_ERROR;
    }
    for (uint32_t k = 0; k < set->n; k++) {
        setting *one = arena_alloc(memory, sizeof *one);
        *one = (setting){ s->options[k].name, &set->value[k], 1, set->list && set->n == 1 };
        if (match_one(s, k, one, given, why) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

/* Which setting each option has: given[i] for option i, or NULL. */
static int match(const tw_stage *s, const setting *set, uint32_t n, arena *memory, const setting **given, text *why)
{
    for (uint32_t i = 0; i < n; i++) {
        if (set[i].name && !option_known(s, set[i].name, why)) return TW_ERROR;
        if ((set[i].name ? match_one(s, (uint32_t)find(s, set[i].name), &set[i], given, why)
                         : match_unnamed(s, &set[i], memory, given, why)) != TW_OK)
            return TW_ERROR;
    }
    return TW_OK;
}

/* The setting that holds for an option: what was given or its default; or a sentence where it has neither. */
static int setting_of(const tw_option *o, const setting *given, arena *memory, setting *out, text *why)
{
    if (given) {
        *out = *given;
    } else if (is_variable(o)) {
        read_variable(o, memory, out);
    } else if (o->value) {
        *out = (setting){ o->name, &o->value, 1, 0 };
    } else {
        text_format(why, "option '%s' is missing; it needs %s", o->name, kinds[o->kind].need);
        return TW_ERROR;
    }
    if (o->kind == TW_OPT_INPUTS && !o->value && !out->n) {
        text_format(why, "option '%s' needs at least one file", o->name);
        return TW_ERROR;
    }
    return TW_OK;
}

/* Opens all files; a file that only a variable names is said to be from there. */
static int open_all(const tw_stage *s, const setting *const *given, const setting *used, filling *f)
{
    for (uint32_t i = 0; i < count_options(s); i++) {
        const tw_option *o = &s->options[i];
        if (!is_file(o->kind) || open_files(f, o, &used[i]) == TW_OK) continue;
        if (!given[i] && is_variable(o)) text_format(f->why, "; the variable %s names it", o->value + 1);
        return TW_ERROR;
    }
    return TW_OK;
}

int option_fill(const tw_stage *s, void *state, const setting *set, uint32_t n, arena *memory, option_files *files,
                text *why, int *failed)
{
    uint32_t count = count_options(s), noutputs = 0;
    const setting **given = mem_new((count + 1) * sizeof(setting *));
    setting *used = mem_new((count + 1) * sizeof *used);
    filling f = { state, memory, { 0 }, files, why, failed };
    int rc;

    memset(files, 0, sizeof *files);
    *failed = 2;
    if ((rc = match(s, set, n, memory, given, why)) != TW_OK) goto out;
    for (uint32_t i = 0; i < count; i++) {
        const tw_option *o = &s->options[i];
        if ((rc = setting_of(o, given[i], memory, &used[i], why)) != TW_OK) goto out;
        if (o->kind == TW_OPT_OUTPUT) noutputs++;
        if (is_file(o->kind)) continue;
        if (o->kind == TW_OPT_LIST) {
            const char *const *list = copy_list(&used[i], memory);
            store(state, o, &list);
        } else if ((rc = read_value(o, used[i].value[0], state, memory, why)) != TW_OK) {
            goto out;
        }
    }

    *failed = 1;
    files->output = arena_alloc(memory, noutputs * sizeof(tw_output *));
    if ((rc = open_all(s, given, used, &f)) != TW_OK) {
        close_files(&f);
        goto out;
    }
    files->input = arena_alloc(memory, f.in.n * sizeof(tw_input *));
    files->ninputs = f.in.n;
    if (f.in.n) memcpy(files->input, f.in.all, f.in.n * sizeof(tw_input *));
    inputs_free(&f.in);
out:
    free(given);
    free(used);
    return rc;
}

/* 1 where the patterns are some, and are told apart from what follows them. */
static int patterns_sound(const tw_option *o)
{
    size_t n = patterns_length(o);

    if (!n) return 1;
    if (o->help[n - 1] == '|' || strncmp(o->help + n, ": ", 2) != 0) return 0;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)o->help[i] <= ' ' || (o->help[i] == '|' && o->help[i + 1] == '|')) return 0;
    return 1;
}

int option_sound(const tw_option *o, size_t state, text *why)
{
    if (!kind_known(o->kind)) {
        text_format(why, "option '%s' has a kind this host does not know", o->name);
        return 0;
    }
    if (o->offset < sizeof(tw_self) || o->offset > state || kinds[o->kind].bytes > state - o->offset) {
        text_format(why, "option '%s' lies outside the stage's state", o->name);
        return 0;
    }
    if (o->kind == TW_OPT_CHOICE && !o->help) {
        text_format(why, "option '%s' has no help that lists its choices", o->name);
        return 0;
    }
    if (!patterns_sound(o)) {
        text_format(why, "option '%s' has a help that begins with *, but not like '*.man|*.xml: what it is'",
                    o->name);
        return 0;
    }
    if (is_variable(o) && (!may_be_none(o->kind) || !variable_sound(o))) {
        text_format(why,
                    "option '%s' cannot have the default '%s'; a variable is named like $TRACEWEIR_NAME, for texts, "
                    "lists and files",
                    o->name, o->value);
        return 0;
    }
    if (!o->value || is_variable(o) || is_list(o->kind) || is_file(o->kind)) return 1;

    arena memory = { 0 };
    text fact = { 0 };
    void *scratch = mem_new(state);
    int rc = read_value(o, o->value, scratch, &memory, &fact);
    if (rc != TW_OK) text_format(why, "a default is not right: %s", text_of(&fact));
    free(scratch);
    text_free(&fact);
    arena_free(&memory);
    return rc == TW_OK;
}
