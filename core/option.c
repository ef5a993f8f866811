/* option.c - options: text in a pipeline becomes typed members of a stage's state.

   One idea: everything that can be misspelt is read first, everything that has to be opened comes last; so a wrong
   option neither reads a file nor makes one. */
#include "option.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
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

/* ---- Files ---- */

static int open_input(const tw_option *o, const char *path, option_files *files, tw_input **in, text *why,
                      int *failed)
{
    if (!*path) return refuse(o, path, why);
    if (input_is_taken(path)) *failed = 2;
    if (input_open(path, in, why) != TW_OK) return TW_ERROR;
    files->input[files->ninputs++] = *in;
    return TW_OK;
}

/* Opens what one file option names; "" where that is the default means none. */
static int open_files(const tw_option *o, const setting *s, void *state, arena *memory, option_files *files,
                      text *why, int *failed)
{
    int none = o->value && !*o->value && (!s->n || (s->n == 1 && !*s->value[0]));

    if (o->kind == TW_OPT_INPUTS) {
        tw_input **list = arena_alloc(memory, (s->n + 1) * sizeof(tw_input *));
        uint32_t n = none ? 0 : s->n;
        memset(list, 0, (s->n + 1) * sizeof(tw_input *));
        for (uint32_t i = 0; i < n; i++)
            if (open_input(o, s->value[i], files, &list[i], why, failed) != TW_OK) return TW_ERROR;
        tw_input *const *all = list;
        store(state, o, &all);
    } else if (o->kind == TW_OPT_INPUT && !none) {
        tw_input *in;
        if (open_input(o, s->value[0], files, &in, why, failed) != TW_OK) return TW_ERROR;
        store(state, o, &in);
    } else if (o->kind == TW_OPT_OUTPUT && !none) {
        tw_output *out;
        if (!*s->value[0]) return refuse(o, "", why);
        if (output_open(s->value[0], &out, why) != TW_OK) return TW_ERROR;
        files->output[files->noutputs++] = out;
        store(state, o, &out);
    }
    return TW_OK;
}

static void close_files(option_files *files)
{
    text unused = { 0 };

    for (uint32_t i = 0; i < files->ninputs; i++) input_close(files->input[i]);
    for (uint32_t i = 0; i < files->noutputs; i++) output_finish(files->output[i], 0, &unused);
    files->ninputs = files->noutputs = 0;
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
static int setting_of(const tw_option *o, const setting *given, setting *out, text *why)
{
    if (given) {
        *out = *given;
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

int option_fill(const tw_stage *s, void *state, const setting *set, uint32_t n, arena *memory, option_files *files,
                text *why, int *failed)
{
    uint32_t count = count_options(s), ninputs = 0, noutputs = 0;
    const setting **given = mem_new((count + 1) * sizeof(setting *));
    setting *used = mem_new((count + 1) * sizeof *used);
    int rc;

    memset(files, 0, sizeof *files);
    *failed = 2;
    if ((rc = match(s, set, n, memory, given, why)) != TW_OK) goto out;
    for (uint32_t i = 0; i < count; i++) {
        const tw_option *o = &s->options[i];
        if ((rc = setting_of(o, given[i], &used[i], why)) != TW_OK) goto out;
        if (o->kind == TW_OPT_OUTPUT) noutputs++;
        if (o->kind == TW_OPT_INPUT || o->kind == TW_OPT_INPUTS) ninputs += used[i].n;
        if (is_file(o->kind)) continue;
        if (o->kind == TW_OPT_LIST) {
            const char *const *list = copy_list(&used[i], memory);
            store(state, o, &list);
        } else if ((rc = read_value(o, used[i].value[0], state, memory, why)) != TW_OK) {
            goto out;
        }
    }

    *failed = 1;
    files->input = arena_alloc(memory, ninputs * sizeof(tw_input *));
    files->output = arena_alloc(memory, noutputs * sizeof(tw_output *));
    for (uint32_t i = 0; i < count && rc == TW_OK; i++)
        if (is_file(s->options[i].kind)) rc = open_files(&s->options[i], &used[i], state, memory, files, why, failed);
    if (rc != TW_OK) close_files(files);
out:
    free(given);
    free(used);
    return rc;
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
    if (!o->value || is_list(o->kind) || is_file(o->kind)) return 1;

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
