/* command.c - reading the command line, and doing what it asks for.

   One idea: the host's own options are taken out of the words first, wherever they stand before `--`; what is left is
   a command and its arguments, and the arguments belong to the pipeline. */
#include "command.h"

#include <luajit.h>
#include <stdlib.h>
#include <string.h>

#include "oneline.h"
#include "os.h"
#include "server.h"
#include "unit.h"

/* ---- Folders ---- */

static void add_folder(folder **list, uint32_t *n, char *path, int trusted)
{
    *list = mem_grow(*list, (*n + 1) * sizeof **list);
    (*list)[(*n)++] = (folder){ path, trusted };
}

/* The first n bytes of `base`, and `below`. */
static char *path_below(const char *base, size_t n, const char *below)
{
    text path = { 0 };

    text_add(&path, base, n);
    text_format(&path, "/%s", below);
    char *kept = mem_text(text_of(&path), path.n);
    text_free(&path);
    return kept;
}

/* Length of a path without its last part; 0 where it has only one. */
static size_t folder_length(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/' && path[n - 1] != '\\') n--;
    return n > 0 ? n - 1 : 0;
}

static void add_listed(folder **list, uint32_t *n, const char *variable)
{
    char *value = os_variable(variable);
    const char *at = value;

    while (at && *at) {
        const char *end = strchr(at, os_path_separator);
        size_t length = end ? (size_t)(end - at) : strlen(at);
        if (length) add_folder(list, n, mem_text(at, length), 0);
        at = end ? end + 1 : at + length;
    }
    free(value);
}

/* Behind the folders that options named: those of the variables, the user's, and those that came with the program. */
static void add_usual_folders(command_line *c)
{
    char *user = os_user_folder(), *program = os_program();
    size_t beside = program ? folder_length(program, strlen(program)) : 0;
    size_t above = program ? folder_length(program, beside) : 0;

    add_listed(&c->pipelines, &c->npipelines, "TRACEWEIR_PIPELINES");
    add_listed(&c->plugin_folders, &c->nplugin_folders, "TRACEWEIR_PLUGINS");
    if (user) {
        add_folder(&c->pipelines, &c->npipelines, path_below(user, strlen(user), "pipelines"), 1);
        add_folder(&c->plugin_folders, &c->nplugin_folders, path_below(user, strlen(user), "plugins"), 1);
    }
    if (program) {
        add_folder(&c->pipelines, &c->npipelines, path_below(program, beside, "pipelines"), 1);
        add_folder(&c->pipelines, &c->npipelines, path_below(program, above, "pipelines"), 1);
        add_folder(&c->pipelines, &c->npipelines, path_below(program, above, "share/traceweir/pipelines"), 1);
        add_folder(&c->plugin_folders, &c->nplugin_folders, path_below(program, beside, "plugins"), 1);
        add_folder(&c->plugin_folders, &c->nplugin_folders, path_below(program, above, "lib/traceweir/plugins"), 1);
    }
    free(user);
    free(program);
}

/* ---- Host options ---- */

typedef struct host_option {
    const char *name;
    char letter;
    int valued;
    size_t flag; /* offset in command_line, of those without a value */
} host_option;

static const host_option host_options[] = {
    { "help", 'h', 0, offsetof(command_line, help) },
    { "trust", 0, 0, offsetof(command_line, trust) },
    { "strict", 0, 0, offsetof(command_line, strict) },
    { "quiet", 'q', 0, offsetof(command_line, quiet) },
    { "plugins", 0, 1, 0 },
    { "verbose", 'v', 0, offsetof(command_line, verbose) },
    { "check-rules", 0, 0, offsetof(command_line, rules) },
    { "pipelines", 0, 1, 0 },
    { "progress", 0, 1, 0 },
    { "script-memory", 0, 1, 0 },
    { "script-time", 0, 1, 0 },
};

/* The host's option that a word is, `--name`, `--name=value` or `-n`, or NULL; *value: what stands behind =, or NULL. */
static const host_option *option_of(const char *word, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < sizeof host_options / sizeof *host_options; i++) {
        const host_option *o = &host_options[i];
        size_t n = strlen(o->name);
        if (o->letter && word[0] == '-' && word[1] == o->letter && !word[2]) return o;
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, o->name, n) != 0) continue;
        if (word[2 + n] == '=') *value = word + 2 + n + 1;
        if (!word[2 + n] || *value) return o;
    }
    return NULL;
}

static int take_memory(command_line *c, const char *value, text *why)
{
    text unused = { 0 };
    int64_t bytes = 0;
    int rc = unit_int(value, &bytes, &unused);

    text_free(&unused);
    c->script_memory = (uint64_t)bytes;
    if (rc == TW_OK && bytes > 0) return TW_OK;
    text_format(why, "--script-memory is a number of bytes like 256MiB, not '%s'", value);
    return TW_ERROR;
}

static int take_time(command_line *c, const char *value, text *why)
{
    text unused = { 0 };
    int rc = unit_span(value, &c->script_time, &unused);

    text_free(&unused);
    if (rc == TW_OK && c->script_time > 0) return TW_OK;
    text_format(why, "--script-time is a span like 10s, not '%s'", value);
    return TW_ERROR;
}

static int take_value(command_line *c, const host_option *o, const char *value, text *why)
{
    if (!strcmp(o->name, "progress")) {
        text unused = { 0 };
        int rc = unit_bool(value, &c->progress, &unused);
        text_free(&unused);
        if (rc != TW_OK) text_format(why, "--progress is yes or no, not '%s'", value);
        return rc;
    }
    if (!strcmp(o->name, "script-memory")) return take_memory(c, value, why);
    if (!strcmp(o->name, "script-time")) return take_time(c, value, why);
    if (!os_is_folder(value)) {
        text_format(why, "--%s %s: no such folder", o->name, value);
        return TW_ERROR;
    }
    char *path = mem_text(value, strlen(value));
    if (!strcmp(o->name, "plugins"))
        add_folder(&c->plugin_folders, &c->nplugin_folders, path, 1);
    else
        add_folder(&c->pipelines, &c->npipelines, path, 0);
    return TW_OK;
}

static int read_words(command_line *c, int argc, const char *const *argv, text *why)
{
    for (int i = 1; i < argc; i++) {
        const char *value;
        const host_option *o = option_of(argv[i], &value);
        if (!strcmp(argv[i], "--")) { /* it and what follows is for the command */
            while (i < argc) c->word[c->nwords++] = argv[i++];
            break;
        }
        if (!o) {
            c->word[c->nwords++] = argv[i];
            continue;
        }
        c->own[c->nown++] = argv[i];
        if (o->valued) {
            if (!value && i + 1 < argc) c->own[c->nown++] = value = argv[++i];
            if (!value) {
                text_format(why, "--%s needs a value", o->name);
                return TW_ERROR;
            }
            if (take_value(c, o, value, why) != TW_OK) return TW_ERROR;
        } else if (value) {
            text_format(why, "--%s takes no value, so not '%s'", o->name, value);
            return TW_ERROR;
        } else {
            *(int *)((char *)c + o->flag) = 1;
        }
    }
    return TW_OK;
}

int command_line_read(command_line *c, int argc, const char *const *argv, text *why)
{
    char *check = os_variable("TRACEWEIR_CHECK");

    memset(c, 0, sizeof *c);
    c->progress = -1;
    c->rules = check && !strcmp(check, "1");
    free(check);
    c->word = mem_new(((size_t)argc + 1) * sizeof *c->word);
    c->own = mem_new(((size_t)argc + 1) * sizeof *c->own);
    if (read_words(c, argc, argv, why) != TW_OK) return TW_ERROR;
    add_usual_folders(c);
    const char **paths = mem_new((c->nplugin_folders + 1) * sizeof *paths);
    for (uint32_t i = 0; i < c->nplugin_folders; i++) paths[i] = c->plugin_folders[i].path;
    c->plugins = plugins_new(paths, c->nplugin_folders);
    free(paths);
    return TW_OK;
}

void command_line_free(command_line *c)
{
    plugins_free(c->plugins);
    for (uint32_t i = 0; i < c->npipelines; i++) free(c->pipelines[i].path);
    for (uint32_t i = 0; i < c->nplugin_folders; i++) free(c->plugin_folders[i].path);
    free(c->pipelines);
    free(c->plugin_folders);
    free(c->word);
    free(c->own);
    memset(c, 0, sizeof *c);
}

script *command_script(const command_line *c, const found_pipeline *f, text *why)
{
    const script_options o = {
        .trusted = f->trusted,
        .memory = c->script_memory,
        .time = c->script_time,
        .folders = c->pipelines,
        .nfolders = c->npipelines,
        .name = f->by_path ? NULL : text_of(&f->name),
        .trust = c->trust,
    };
    return script_new(c->plugins, &o, why);
}

void command_say(const char *sentence)
{
    text plain = { 0 };

    text_put(&plain, sentence);
    report_plain(&plain);
    fprintf(stderr, "%s\n", text_of(&plain));
    text_free(&plain);
}

/* ---- Finding pipelines ---- */

static const char suffix[] = ".lua";

static int ends_in(const char *word, const char *end)
{
    size_t n = strlen(word), k = strlen(end);
    return n > k && !strcmp(word + n - k, end);
}

static int is_pipeline_name(const char *word)
{
    size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n > 0 && !word[n] && word[0] != '-';
}

/* The file of that name in the first folder that has one. */
static int find_named(const command_line *c, const char *first, const char *second, found_pipeline *out)
{
    for (uint32_t i = 0; i < c->npipelines; i++) {
        text_clear(&out->name);
        text_clear(&out->path);
        text_format(&out->name, "%s%s%s", first, second ? "-" : "", second ? second : "");
        text_format(&out->path, "%s/%s%s", c->pipelines[i].path, text_of(&out->name), suffix);
        out->trusted = c->pipelines[i].trusted || c->trust;
        out->by_path = 0;
        out->used = second ? 2 : 1;
        if (os_exists(text_of(&out->path))) return 1;
    }
    return 0;
}

int pipeline_find(const command_line *c, const char *const *words, uint32_t n, found_pipeline *out)
{
    if (!n) return 0;
    if (strpbrk(words[0], "/\\") || ends_in(words[0], suffix)) {
        text_clear(&out->name);
        text_clear(&out->path);
        text_format(&out->name, "run %s", words[0]);
        text_put(&out->path, words[0]);
        out->trusted = c->trust;
        out->by_path = 1;
        out->used = 1;
        return 1;
    }
    if (!is_pipeline_name(words[0])) return 0;
    if (n > 1 && is_pipeline_name(words[1]) && find_named(c, words[0], words[1], out)) return 1;
    return find_named(c, words[0], NULL, out);
}

typedef struct name_list {
    char **at;
    size_t n;
} name_list;

static void add_name(void *context, const char *entry)
{
    name_list *l = context;
    char *name = mem_text(entry, ends_in(entry, suffix) ? strlen(entry) - strlen(suffix) : 0);

    for (size_t i = 0; i < l->n && *name; i++)
        if (!strcmp(l->at[i], name)) *name = 0;
    if (!is_pipeline_name(name)) {
        free(name);
        return;
    }
    l->at = mem_grow(l->at, (l->n + 1) * sizeof *l->at);
    l->at[l->n++] = name;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_names(const command_line *c, name_list *l)
{
    text unused = { 0 }; /* a folder that is not there has no pipelines */

    for (uint32_t i = 0; i < c->npipelines; i++) os_list(c->pipelines[i].path, add_name, l, &unused);
    if (l->n) qsort(l->at, l->n, sizeof *l->at, by_bytes);
    text_free(&unused);
}

static void free_names(name_list *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->at[i]);
    free(l->at);
}

void pipelines_each(const command_line *c, void (*each)(void *context, const found_pipeline *p), void *context)
{
    name_list l = { 0 };
    found_pipeline f = { 0 };

    list_names(c, &l);
    for (size_t i = 0; i < l.n; i++)
        if (find_named(c, l.at[i], NULL, &f)) each(context, &f);
    text_free(&f.name);
    text_free(&f.path);
    free_names(&l);
}

int command_unknown(const command_line *c, const char *word, int or_stage)
{
    name_list l = { 0 };
    size_t n = 0;

    list_names(c, &l);
    while (host_commands[n].name) n++;
    const char **names = mem_new((l.n + n) * sizeof *names);
    for (size_t i = 0; i < n; i++) names[i] = host_commands[i].name;
    for (size_t i = 0; i < l.n; i++) names[n++] = l.at[i];
    const char *near = text_nearest(word, names, n);
    if (!near && or_stage) near = plugins_nearest(c->plugins, word);
    fprintf(stderr, "no command%s '%s'", or_stage ? ", stage or plugin" : "", word);
    if (near)
        fprintf(stderr, "; did you mean '%s'?\n", near);
    else
        fprintf(stderr, "; traceweir help lists them\n");
    free(names);
    free_names(&l);
    return STATUS_WRONG_USE;
}

/* ---- The commands ---- */

/* The plan was refused: by the words, then how to call it helps; or by a line of the file, which says it itself. */
static void say_wrong_words(const found_pipeline *f, const pipeline *p, const char *why)
{
    const char *place = f->by_path ? p->path : text_of(&f->name);

    if (!strncmp(why, p->path, strlen(p->path)) ||
        (!strncmp(why, place, strlen(place)) && why[strlen(place)] == ':')) {
        command_say(why);
        return;
    }
    text sentence = { 0 };
    text_format(&sentence, "%s: %s", p->name, why);
    command_say(text_of(&sentence));
    text_free(&sentence);
    help_usage(f, p);
}

static int run_plan(const command_line *c, script *s, const plan *made)
{
    bus_options o = {
        .plugins = c->plugins,
        .command = c,
        .script = s,
        .rules = c->rules,
        .strict = c->strict,
        .progress = c->progress,
        .quiet = c->quiet,
    };
    report r;

    memset(&r, 0, sizeof r);
    os_catch_interrupt();
    bus_run(made, &o, &r);
    report_print(&r, c->verbose);
    int status = r.status;
    report_free(&r);
    return status;
}

static int run_pipeline(const command_line *c, const found_pipeline *f, const char *const *words, uint32_t n)
{
    text why = { 0 };
    const pipeline *p;
    const plan *made;
    int status = STATUS_WRONG_USE;
    script *s = command_script(c, f, &why);

    if (!s) {
        command_say(text_of(&why));
        status = STATUS_FAILED;
    } else if (script_load(s, text_of(&f->path), NULL, &p, &why) != TW_OK) {
        command_say(text_of(&why));
    } else if (c->help) {
        help_pipeline(f, s, p, stdout);
        status = STATUS_DONE;
    } else if (script_plan(s, p, words, n, &made, &why) != TW_OK) {
        say_wrong_words(f, p, text_of(&why));
    } else {
        status = run_plan(c, s, made);
    }
    script_free(s);
    text_free(&why);
    return status;
}

static int say_fine(const char *name, const plan *made)
{
    printf("%s is fine: %u stage%s\n", name, (unsigned)made->n, made->n == 1 ? "" : "s");
    return STATUS_DONE;
}

/* A word that is a pipeline itself, unless there is a file of that name. */
static int is_oneline(const command_line *c, const char *word)
{
    return oneline_is(c->plugins, word) && !os_exists(word);
}

static int run_oneline(const command_line *c, const char *const *words, uint32_t n, int only_check)
{
    text why = { 0 };
    arena memory = { 0 };
    plan made;
    int status = STATUS_WRONG_USE;

    if (n > 1)
        fprintf(stderr, "'%s' comes after the pipeline; a pipeline in words is one word: put all of it in quotes\n",
                words[1]);
    else if (oneline_read(c->plugins, words[0], &memory, &made, &why) != TW_OK)
        command_say(text_of(&why));
    else if (only_check)
        status = say_fine("the pipeline", &made);
    else
        status = run_plan(c, NULL, &made);
    text_free(&why);
    arena_free(&memory);
    return status;
}

static int run_command(const command_line *c, const char *const *words, uint32_t n)
{
    found_pipeline f = { 0 };
    int status;

    if (!n) {
        fprintf(stderr, "run needs the name of a pipeline, or its file: traceweir run disk-latency boot.etl\n");
        return STATUS_WRONG_USE;
    }
    if (!c->help && is_oneline(c, words[0])) {
        status = run_oneline(c, words, n, 0);
    } else if (pipeline_find(c, words, n, &f)) {
        status = run_pipeline(c, &f, words + f.used, n - f.used);
    } else if (c->help) {
        status = help_word(c, words, n);
    } else {
        status = command_unknown(c, words[0], 0);
    }
    text_free(&f.name);
    text_free(&f.path);
    return status;
}

static int check_plugin(const char *path)
{
    const tw_plugin *p;
    text why = { 0 }, place = { 0 };

    /* A name alone would be looked for in the system's folders. */
    text_format(&place, "%s%s", strpbrk(path, "/\\") ? "" : "./", path);
    int rc = plugin_check_file(text_of(&place), &p, &why);

    if (rc != TW_OK) {
        text sentence = { 0 }; /* the system's loader quotes the file, whatever bytes it has */
        text_format(&sentence, "%s: %s", path, text_of(&why));
        command_say(text_of(&sentence));
        text_free(&sentence);
    } else {
        unsigned n = 0;
        while (p->stages[n]) n++;
        printf("%s: the plugin '%s' %s is fine: %u stage%s\n", path, p->name, p->version, n, n == 1 ? "" : "s");
    }
    text_free(&place);
    text_free(&why);
    return rc == TW_OK ? STATUS_DONE : STATUS_FAILED;
}

/* A pipeline file: with the words that follow, or with stand-ins for what a user would give. */
static int check_pipeline(const command_line *c, const found_pipeline *f, const char *const *words, uint32_t n)
{
    text why = { 0 };
    const pipeline *p;
    const plan *made;
    int rc = TW_ERROR;
    script *s = command_script(c, f, &why);

    if (s) rc = script_load(s, text_of(&f->path), NULL, &p, &why);
    if (rc == TW_OK) rc = n ? script_plan(s, p, words, n, &made, &why) : script_example(s, p, &made, &why);
    if (rc == TW_OK) {
        text name = { 0 };
        text_format(&name, "%s: the pipeline '%s'", p->path, p->name);
        say_fine(text_of(&name), made);
        text_free(&name);
    } else {
        command_say(text_of(&why));
    }
    script_free(s);
    text_free(&why);
    return rc == TW_OK ? STATUS_DONE : STATUS_FAILED;
}

static int check_command(const command_line *c, const char *const *words, uint32_t n)
{
    found_pipeline f = { 0 };
    int status;

    if (!n) {
        fprintf(stderr, "check needs a file: a pipeline (.lua) or a plugin (%s)\n", os_library_suffix);
        return STATUS_WRONG_USE;
    }
    if (ends_in(words[0], os_library_suffix)) return check_plugin(words[0]);
    if (is_oneline(c, words[0]))
        status = run_oneline(c, words, n, 1);
    else if (pipeline_find(c, words, n, &f))
        status = check_pipeline(c, &f, words + f.used, n - f.used);
    else
        status = command_unknown(c, words[0], 0);
    text_free(&f.name);
    text_free(&f.path);
    return status;
}

static int help_command(const command_line *c, const char *const *words, uint32_t n)
{
    if (n == 2 && !strcmp(words[0], "--pages")) return help_pages(c, words[1]);
    if (n) return help_word(c, words, n);
    help_overview(c, stdout);
    return STATUS_DONE;
}

static int version_command(const command_line *c, const char *const *words, uint32_t n)
{
    (void)c;
    (void)words;
    (void)n;
    printf("traceweir %s\nplugin interface %d.%d\n%s\n", TRACEWEIR_VERSION, TW_ABI_MAJOR, TW_ABI_MINOR,
           LUAJIT_VERSION);
    return STATUS_DONE;
}

const host_command host_commands[] = {
    { "run", "NAME|FILE.lua [words …] | \"STAGE … | STAGE …\"",
      "run a pipeline: by its name, its file, or as words in quotes", run_command },
    { "plugins", "", "what plugins there are, and which were refused and why", help_plugins },
    { "pipelines", "", "what pipelines there are, and where", help_pipelines },
    { "check", "FILE [words …]", "check a pipeline file, or a plugin, without running it", check_command },
    { "help", "[COMMAND|STAGE|PLUGIN]", "what something is and takes: help info, help etl.read", help_command },
    { "version", "", "which version this is", version_command },
    { NULL, NULL, NULL, NULL }
};

int command_run(const command_line *c)
{
    if (!c->nwords) {
        help_overview(c, c->help ? stdout : stderr);
        return c->help ? STATUS_DONE : STATUS_WRONG_USE;
    }
    for (const host_command *h = host_commands; h->name; h++) {
        if (strcmp(h->name, c->word[0]) != 0) continue;
        if (c->help && (h->run != run_command || c->nwords == 1)) return help_word(c, c->word, 1);
        return h->run(c, c->word + 1, c->nwords - 1);
    }
    if (!strcmp(c->word[0], "script-host")) return script_host_run(); /* hidden: a server's scripts run there */
    return run_command(c, c->word, c->nwords);
}
