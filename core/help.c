/* help.c - what commands, pipelines, stages and plugins are and take, for people.

   One idea: all of it is read from what they declare; nothing is described twice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* ---- Lines and columns ---- */

enum { MOST_COLUMNS = 4 };

typedef struct listing { /* rows of aligned columns */
    char *(*row)[MOST_COLUMNS];
    size_t n;
} listing;

/* Prints text from plugins and pipelines line by line, so that it cannot steer a terminal. */
static void put_lines(FILE *out, const char *words)
{
    text line = { 0 };

    while (*words) {
        size_t n = strcspn(words, "\n");
        text_clear(&line);
        text_add(&line, words, n);
        report_plain(&line);
        fprintf(out, "%s\n", text_of(&line));
        words += n + (words[n] != 0);
    }
    text_free(&line);
}

/* A cell keeps only the first line of what it is given; NULL is empty. */
static char *cell_of(const char *words)
{
    text cell = { 0 };

    if (words) text_add(&cell, words, strcspn(words, "\n"));
    report_plain(&cell);
    char *kept = mem_text(text_of(&cell), cell.n);
    text_free(&cell);
    return kept;
}

static void add_row(listing *l, const char *a, const char *b, const char *c, const char *d)
{
    const char *cells[MOST_COLUMNS] = { a, b, c, d };

    l->row = mem_grow(l->row, (l->n + 1) * sizeof *l->row);
    for (int k = 0; k < MOST_COLUMNS; k++) l->row[l->n][k] = cell_of(cells[k]);
    l->n++;
}

/* Characters of UTF-8. */
static size_t width_of(const char *s)
{
    size_t n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

/* Prints the rows two columns in, and empties the listing. */
static void put_listing(FILE *out, listing *l)
{
    size_t width[MOST_COLUMNS] = { 0 };
    text line = { 0 };

    for (size_t i = 0; i < l->n; i++)
        for (int k = 0; k < MOST_COLUMNS; k++)
            if (width_of(l->row[i][k]) > width[k]) width[k] = width_of(l->row[i][k]);
    for (size_t i = 0; i < l->n; i++) {
        text_clear(&line);
        for (int k = 0; k < MOST_COLUMNS; k++) {
            if (!width[k]) continue;
            text_format(&line, "  %s%*s", l->row[i][k], (int)(width[k] - width_of(l->row[i][k])), "");
        }
        while (line.n && line.at[line.n - 1] == ' ') line.at[--line.n] = 0;
        fprintf(out, "%s\n", text_of(&line));
        for (int k = 0; k < MOST_COLUMNS; k++) free(l->row[i][k]);
    }
    free(l->row);
    text_free(&line);
    memset(l, 0, sizeof *l);
}

/* ---- Pipelines ---- */

/* Goes on below where it would leave the screen. */
static void put_usage(const found_pipeline *f, const pipeline *p, FILE *out)
{
    enum { WIDE = 100, INDENT = 4 };
    text words = { 0 }, line = { 0 };

    arguments_usage(p->args, p->nargs, &words);
    text_format(&line, "usage: traceweir %s", text_of(&f->name));
    for (const char *at = text_of(&words); *at;) {
        const char *end = strstr(at, " ["); /* of one argument */
        size_t n = end ? (size_t)(end - at) : strlen(at);
        const char *new_line = strrchr(text_of(&line), '\n');
        size_t width = width_of(new_line ? new_line + 1 : text_of(&line));
        text_format(&line, width + n + 1 > WIDE ? "\n%*s%.*s" : "%*s%.*s", width + n + 1 > WIDE ? INDENT : 1, "",
                    (int)n, at);
        at += n + (end != NULL);
    }
    put_lines(out, text_of(&line));
    text_free(&words);
    text_free(&line);
}

void help_usage(const found_pipeline *f, const pipeline *p)
{
    put_usage(f, p, stderr);
}

static void put_bounds(const argument *a, text *out)
{
    const char *before = out->n ? " " : "";

    if (a->kind != ARG_NUMBER || (isinf(a->least) && isinf(a->most))) return;
    if (isinf(a->most))
        text_format(out, "%s(at least %.17g)", before, a->least);
    else if (isinf(a->least))
        text_format(out, "%s(at most %.17g)", before, a->most);
    else
        text_format(out, "%s(%.17g to %.17g)", before, a->least, a->most);
}

static void put_arguments(const pipeline *p, FILE *out)
{
    listing l = { 0 };

    for (uint32_t i = 0; i < p->nargs; i++) {
        const argument *a = &p->args[i];
        text kind = { 0 }, help = { 0 }, state = { 0 };
        text_format(&kind, "%s%s", argument_kind_name(a->kind), a->many ? " …" : "");
        if (a->value)
            text_format(&state, "default %s", *a->value ? a->value : "''");
        else
            text_put(&state, a->required ? "required" : "optional");
        if (a->help) text_put(&help, a->help);
        put_bounds(a, &help);
        for (uint32_t k = 0; k < a->nchoices; k++)
            text_format(&help, "%s%s", k ? ", " : help.n ? "; one of " : "one of ", a->choice[k]);
        add_row(&l, a->name, text_of(&kind), text_of(&state), text_of(&help));
        text_free(&kind);
        text_free(&help);
        text_free(&state);
    }
    if (l.n) fprintf(out, "\narguments\n");
    put_listing(out, &l);
}

/* A word that shows what an argument looks like: a file named like those its help speaks of. */
static void put_sample(const argument *a, text *out)
{
    const char *dot = a->help ? strchr(a->help, '.') : NULL;
    size_t n = dot ? 1 + strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0;

    switch (a->kind) {
    case ARG_NUMBER: text_put(out, "20"); break;
    case ARG_SPAN:
    case ARG_TIME: text_put(out, "10s"); break;
    case ARG_CHOICE: text_put(out, a->choice[0]); break;
    case ARG_FILE:
    case ARG_STRING:
        text_put(out, a->name);
        if (n > 1) text_add(out, dot, n);
        break;
    default: text_put(out, a->name); break;
    }
}

/* The pipeline's own; or what is required, and the first thing that is not but has a value that can be shown. */
static void put_example(const found_pipeline *f, const pipeline *p, FILE *out)
{
    text line = { 0 };
    int optional = 0;

    text_format(&line, "\nexample\n  traceweir %s", text_of(&f->name));
    if (p->example) text_format(&line, " %s", p->example);
    for (uint32_t i = 0; i < p->nargs && !p->example; i++) {
        const argument *a = &p->args[i];
        if (a->required) {
            text_put(&line, " ");
            put_sample(a, &line);
        } else if (a->kind == ARG_FLAG && !optional++) {
            text_format(&line, " --%s", a->name);
        } else if (a->value && *a->value && strcmp(a->value, "-") != 0 && a->kind != ARG_FLAG && !optional++) {
            text_format(&line, " --%s %s", a->name, a->value);
        }
    }
    put_lines(out, text_of(&line));
    text_free(&line);
}

static void put_stages(script *s, const pipeline *p, FILE *out)
{
    const plan *made;
    text line = { 0 };

    if (script_example(s, p, &made, &line) == TW_OK) {
        text_clear(&line);
        for (uint32_t i = 0; i < made->n; i++) text_format(&line, "%s%s", i ? " → " : "  ", made->stage[i].stage);
        fprintf(out, "\nstages\n");
        put_lines(out, text_of(&line));
    }
    text_free(&line);
}

void help_pipeline(const found_pipeline *f, script *s, const pipeline *p, FILE *out)
{
    text head = { 0 };

    text_format(&head, "%s%s%s", p->name, p->help ? ": " : "", p->help ? p->help : "");
    put_lines(out, text_of(&head));
    fprintf(out, "\n");
    put_usage(f, p, out);
    put_arguments(p, out);
    put_example(f, p, out);
    put_stages(s, p, out);
    text_clear(&head);
    text_format(&head, "\nfile\n  %s%s", p->path, f->trusted ? "" : " (not trusted: runs in the sandbox)");
    put_lines(out, text_of(&head));
    text_free(&head);
}

typedef struct pipeline_list {
    const command_line *c;
    listing l;
    int paths;
} pipeline_list;

/* A pipeline that cannot be read is listed with the reason: that is what a list is looked at for. */
static void list_pipeline(void *context, const found_pipeline *f)
{
    pipeline_list *all = context;
    const pipeline *p;
    text why = { 0 };
    script *s = command_script(all->c, f, &why);
    int rc = s ? script_load(s, text_of(&f->path), NULL, &p, &why) : TW_ERROR;

    add_row(&all->l, text_of(&f->name), rc == TW_OK ? p->help : text_of(&why), all->paths ? text_of(&f->path) : NULL,
            NULL);
    script_free(s);
    text_free(&why);
}

int help_pipelines(const command_line *c, const char *const *words, uint32_t n)
{
    pipeline_list all = { c, { 0 }, 1 };

    (void)words;
    (void)n;
    pipelines_each(c, list_pipeline, &all);
    put_listing(stdout, &all.l);
    return STATUS_DONE;
}

/* ---- The program ---- */

void help_overview(const command_line *c, FILE *out)
{
    pipeline_list all = { c, { 0 }, 0 };

    fprintf(out,
            "traceweir reads Windows event traces (.etl) and runs them through pipelines of plugins.\n"
            "\nexamples\n"
            "  traceweir info boot.etl                      what a trace is, what was lost, what makes it big\n"
            "  traceweir dump boot.etl                      every event to read, a line each\n"
            "  traceweir events boot.etl --out boot.csv     every event as a table\n"
            "  traceweir run big-reads.lua boot.etl         a pipeline of your own\n"
            "  traceweir help events                        arguments, defaults, an example\n"
            "  traceweir help etl.read                      the same for a stage\n"
            "  traceweir help expressions                   what --where understands; columns: what --fields does\n"
            "\ncommands\n");
    for (const host_command *h = host_commands; h->name; h++) add_row(&all.l, h->name, h->help, NULL, NULL);
    pipelines_each(c, list_pipeline, &all);
    put_listing(out, &all.l);
    fprintf(out, "\noptions, for every command\n"
                 "  --help -h            help on the command\n"
                 "  --plugins DIR        look for plugins there first\n"
                 "  --pipelines DIR      look for pipelines there first\n"
                 "  --trust              let a pipeline file use all of Lua\n"
                 "  --strict             events that the recording lost give exit status 3, too\n"
                 "  --quiet -q           warnings and losses only\n"
                 "  --verbose -v         all counters, and the time of each stage\n"
                 "  --check-rules        watch the stages for breaches of the plugin interface; slow\n"
                 "  --script-memory N    what the Lua of a file that is not trusted may hold; 256MiB\n"
                 "  --script-time SPAN   how long a call into it may take; 10s\n"
                 "  --progress yes|no    show progress; by default when standard error is a terminal\n"
                 "\nexit status: 0 done, 1 failed or interrupted, 2 wrong use,"
                 " 3 done but some of the input was skipped\n");
}

/* ---- Plugins and stages ---- */

const char *help_role(const tw_stage *s)
{
    return s->read ? "source" : s->run ? "stands alone" : s->makes && !s->reads ? "makes tables" : "stage";
}

static void list_plugin(void *context, const plugin_note *note)
{
    listing *l = context;
    text stages = { 0 };

    if (!note->plugin) {
        text_format(&stages, "refused: %s", note->why);
    } else {
        for (const tw_stage *const *s = note->plugin->stages; *s; s++)
            text_format(&stages, "%s%s.%s", stages.n ? " " : "", note->name, (*s)->name);
    }
    add_row(l, note->name, note->plugin ? note->plugin->version : "-", text_of(&stages), note->path);
    text_free(&stages);
}

int help_plugins(const command_line *c, const char *const *words, uint32_t n)
{
    listing l = { 0 };
    text stock = { 0 };

    (void)words;
    (void)n;
    for (const tw_stage *const *s = stock_stages; *s; s++)
        text_format(&stock, "%s%s", stock.n ? " " : "", (*s)->name);
    add_row(&l, "(host)", TRACEWEIR_VERSION, text_of(&stock), "built in");
    plugins_each(c->plugins, list_plugin, &l);
    put_listing(stdout, &l);
    text_free(&stock);
    return STATUS_DONE;
}

static void put_options(const tw_stage *s)
{
    listing l = { 0 };

    for (const tw_option *o = s->options; o && o->name; o++) {
        if (!o->help) continue; /* set by the host itself */
        text state = { 0 }, help = { 0 };
        if (o->value)
            text_format(&state, "default %s", *o->value ? o->value : "''");
        else
            text_put(&state, "required");
        option_help(o, &help);
        add_row(&l, o->name, option_kind_name(o->kind), text_of(&state), text_of(&help));
        text_free(&state);
        text_free(&help);
    }
    if (l.n) printf("\noptions\n");
    put_listing(stdout, &l);
}

const char *help_severity(int severity)
{
    static const char *const names[] = { "debug", "info", "warning", "lost", "skipped", "fault" };
    return severity >= 0 && severity <= TW_FAULT ? names[severity] : "";
}

static void put_counters(const tw_stage *s)
{
    listing l = { 0 };

    for (const tw_counter *k = s->counters; k && k->name; k++)
        add_row(&l, k->name, help_severity(k->severity), k->help, NULL);
    if (l.n) printf("\ncounters\n");
    put_listing(stdout, &l);
}

static void put_tables(const tw_stage *s)
{
    for (const tw_table *const *t = s->makes; t && *t; t++) {
        listing l = { 0 };
        text head = { 0 };
        text_format(&head, "\ntable %s%s%s", (*t)->name, (*t)->help ? ": " : "", (*t)->help ? (*t)->help : "");
        put_lines(stdout, text_of(&head));
        text_free(&head);
        for (uint32_t i = 0; i < (*t)->ncols; i++) add_row(&l, (*t)->col[i].name, (*t)->col[i].help, NULL, NULL);
        put_listing(stdout, &l);
    }
}

static void put_names(const char *head, const char *const *names)
{
    text line = { 0 };

    if (!names || !names[0]) return;
    text_format(&line, "\n%s\n ", head);
    for (; *names; names++) text_format(&line, " %s", *names);
    put_lines(stdout, text_of(&line));
    text_free(&line);
}

static void put_stage(const char *name, const tw_stage *s)
{
    text head = { 0 };

    text_format(&head, "%s (%s)%s%s", name, help_role(s), s->help ? ": " : "", s->help ? s->help : "");
    put_lines(stdout, text_of(&head));
    text_free(&head);
    put_options(s);
    put_names("events it looks at", s->wants);
    put_names("tables it reads", s->reads);
    put_tables(s);
    put_counters(s);
}

typedef struct plugin_search {
    const char *name;
    int found;
} plugin_search;

static void put_plugin(void *context, const plugin_note *note)
{
    plugin_search *search = context;
    listing l = { 0 };
    text head = { 0 };

    if (strcmp(note->name, search->name) != 0) return;
    search->found = 1;
    if (note->plugin) {
        text_format(&head, "%s %s, licence %s, %s\n\nstages", note->name, note->plugin->version,
                    note->plugin->license, note->path);
    } else {
        text_format(&head, "%s: refused: %s\n  %s", note->name, note->why, note->path);
    }
    put_lines(stdout, text_of(&head));
    text_free(&head);
    if (!note->plugin) return;
    for (const tw_stage *const *s = note->plugin->stages; *s; s++) {
        text full = { 0 };
        text_format(&full, "%s.%s", note->name, (*s)->name);
        add_row(&l, text_of(&full), (*s)->help, NULL, NULL);
        text_free(&full);
    }
    put_listing(stdout, &l);
}

/* ---- help WORD ---- */

static int help_file(const command_line *c, const found_pipeline *f)
{
    text why = { 0 };
    const pipeline *p;
    script *s = command_script(c, f, &why);
    int rc = s ? script_load(s, text_of(&f->path), NULL, &p, &why) : TW_ERROR;

    if (rc == TW_OK)
        help_pipeline(f, s, p, stdout);
    else
        command_say(text_of(&why));
    script_free(s);
    text_free(&why);
    return rc == TW_OK ? STATUS_DONE : STATUS_WRONG_USE;
}

/* Words of pipeline files that are no stages of their own. */
static int help_file_word(const char *name)
{
    static const struct {
        const char *name, *help;
    } words[] = {
        { "merge",
          "in place of a source: several, as one stream in the order of time\n"
          "  merge { etl.read { file = \"a.etl\" }, { etl.read { file = \"b.etl\" }, where \"pid == 4\" } }" },
        { "tee", "each branch gets all that comes by, and so do the stages behind it\n"
                 "  tee { { count { by = { \"event\" } }, csv.write {} }, { where \"pid == 4\", etl.write { to = "
                 "\"4.etl\" } } }" },
        { "thread",
          "the stages behind it run on a thread of their own\n"
          "  thread {}, thread { size = 8 }  -- batches on the way; a full one makes the stages before it wait" },
        { "use", "the stages that another file returns, found beside this one or in the folders of pipelines\n"
                 "  use \"large-reads\"              -- large-reads.lua: return { where \"…\", filter { … } }" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].name, name) != 0) continue;
        printf("%s (a word of pipeline files): %s\n", name, words[i].help);
        return 1;
    }
    return 0;
}

int help_word(const command_line *c, const char *const *words, uint32_t n)
{
    found_pipeline f = { 0 };
    plugin_search search = { words[0], 0 };
    text why = { 0 };
    const tw_stage *stage;
    int status = STATUS_DONE;

    for (const host_command *h = host_commands; h->name; h++) {
        if (strcmp(h->name, words[0]) != 0) continue;
        printf("%s: %s\n\nusage: traceweir %s%s%s\n", h->name, h->help, h->name, *h->usage ? " " : "", h->usage);
        return STATUS_DONE;
    }
    if (pipeline_find(c, words, n, &f)) {
        status = help_file(c, &f);
        if (n == 1 && (stage = plugins_stage(c->plugins, words[0], &why))) { /* `sample` is both */
            printf("\n");
            put_stage(words[0], stage);
        }
    } else if (help_file_word(words[0]) || help_topic(words[0])) {
        status = STATUS_DONE;
    } else if ((stage = plugins_stage(c->plugins, words[0], &why))) {
        put_stage(words[0], stage);
    } else if (strchr(words[0], '.')) {
        command_say(text_of(&why));
        status = STATUS_WRONG_USE;
    } else {
        plugins_each(c->plugins, put_plugin, &search);
        if (!search.found) status = command_unknown(c, words[0], 1);
    }
    text_free(&why);
    text_free(&f.name);
    text_free(&f.path);
    return status;
}
