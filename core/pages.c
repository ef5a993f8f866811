/* pages.c - a page of Markdown for each plugin, and one for the stages of the host: `help --pages FOLDER`.

   One idea: the pages are made from what help shows, so the folder docs/stages cannot say what the program does not. */
#include <string.h>

#include "command.h"
#include "os.h"
#include "output.h"

static const char *kind_of(const tw_field *f)
{
    static const char *const names[] = {
        [TW_BOOL] = "bool", [TW_U8] = "u8",       [TW_U16] = "u16",     [TW_U32] = "u32",    [TW_U64] = "u64",
        [TW_I8] = "i8",     [TW_I16] = "i16",     [TW_I32] = "i32",     [TW_I64] = "i64",    [TW_F32] = "f32",
        [TW_F64] = "f64",   [TW_TIME] = "time",   [TW_SPAN] = "span",   [TW_GUID] = "GUID",  [TW_IP4] = "IPv4",
        [TW_IP6] = "IPv6",  [TW_SID] = "SID",     [TW_POINTER] = "u64", [TW_BOOL32] = "u32", [TW_SOCKADDR] = "socket",
        [TW_TEXT] = "text", [TW_BYTES] = "bytes",
    };
    return f->kind < sizeof names / sizeof *names && names[f->kind] ? names[f->kind] : "?";
}

/* A cell of a table: one line, in which a bar is a letter. */
static void put_cell(text *out, const char *words)
{
    text_put(out, " ");
    for (const char *c = words ? words : ""; *c; c++) {
        if (*c == '|') text_put(out, "\\");
        text_add(out, *c == '\n' ? " " : c, 1);
    }
    text_put(out, " |");
}

static void put_row(text *out, const char *a, const char *b, const char *c, const char *d)
{
    text_put(out, "|");
    put_cell(out, a);
    put_cell(out, b);
    put_cell(out, c);
    if (d) put_cell(out, d);
    text_put(out, "\n");
}

static void put_code(text *out, const char *before, const char *word, const char *behind)
{
    text_format(out, "%s`%s`%s", before, word, behind);
}

/* The first line is a sentence; what follows shows how it is written. */
static void put_help(text *out, const char *help)
{
    size_t n = help ? strcspn(help, "\n") : 0;

    if (!n) return;
    text_put(out, "\n");
    text_add(out, help, n);
    text_put(out, "\n");
    if (help[n]) text_format(out, "\n```\n%s\n```\n", help + n + 1);
}

static void put_options(text *out, const tw_stage *s)
{
    if (!s->options || !s->options->name || !s->options->help) return;
    text_put(out, "\n| option | kind | default | what |\n| --- | --- | --- | --- |\n");
    for (const tw_option *o = s->options; o->name; o++) {
        if (!o->help) continue; /* as in help.c */
        text name = { 0 }, value = { 0 }, help = { 0 };
        put_code(&name, "", o->name, "");
        if (o->value && *o->value) put_code(&value, "", o->value, "");
        option_help(o, &help);
        put_row(out, text_of(&name), option_kind_name(o->kind), o->value ? text_of(&value) : "required",
                text_of(&help));
        text_free(&name);
        text_free(&help);
        text_free(&value);
    }
}

static void put_names(text *out, const char *head, const char *const *names)
{
    if (!names || !names[0]) return;
    text_format(out, "\n%s:", head);
    for (; *names; names++) put_code(out, " ", *names, names[1] ? "," : "\n");
}

static void put_tables(text *out, const tw_stage *s)
{
    for (const tw_table *const *t = s->makes; t && *t; t++) {
        text_format(out, "\nTable `%s`%s%s\n\n| column | kind | what |\n| --- | --- | --- |\n", (*t)->name,
                    (*t)->help ? ": " : "", (*t)->help ? (*t)->help : "");
        for (uint32_t i = 0; i < (*t)->ncols; i++) {
            const tw_field *f = &(*t)->col[i];
            text name = { 0 }, kind = { 0 };
            put_code(&name, "", f->name, "");
            text_format(&kind, "%s%s%s", f->flags & TW_LIST ? "list of " : "", kind_of(f),
                        f->flags & TW_NULLABLE ? " or null" : "");
            put_row(out, text_of(&name), text_of(&kind), f->help, NULL);
            text_free(&name);
            text_free(&kind);
        }
    }
}

static void put_counters(text *out, const tw_stage *s)
{
    if (!s->counters || !s->counters->name) return;
    text_put(out, "\n| counter | severity | what |\n| --- | --- | --- |\n");
    for (const tw_counter *c = s->counters; c->name; c++)
        put_row(out, c->name, help_severity(c->severity), c->help, NULL);
}

static void put_stage(text *out, const char *plugin, const tw_stage *s)
{
    text_format(out, "\n## %s%s%s (%s)\n", plugin, *plugin ? "." : "", s->name, help_role(s));
    put_help(out, s->help);
    put_options(out, s);
    put_names(out, "Events it looks at", s->wants);
    put_names(out, "Tables it reads", s->reads);
    put_tables(out, s);
    put_counters(out, s);
}

typedef struct page_job {
    const char *folder;
    text why; /* the first failure */
} page_job;

static void write_page(page_job *job, const char *name, const text *page)
{
    text path = { 0 };
    tw_output *out;

    if (job->why.n) return;
    text_format(&path, "%s/%s.md", job->folder, name);
    if (output_open(text_of(&path), &out, &job->why) == TW_OK) {
        output_write(out, text_of(page), page->n);
        output_finish(out, 1, &job->why);
    }
    text_free(&path);
}

static void put_head(text *page, const char *title, const char *what)
{
    text_format(page,
                "# %s\n\n%s This page is made by `scripts/dev/pages.sh`; `traceweir help STAGE` says the same.\n",
                title, what);
}

static void write_plugin(void *context, const plugin_note *note)
{
    text page = { 0 }, what = { 0 };

    if (!note->plugin) return;
    text_format(&what, "The stages of the plugin `%s`, licence %s.", note->name, note->plugin->license);
    put_head(&page, note->name, text_of(&what));
    for (const tw_stage *const *s = note->plugin->stages; *s; s++) put_stage(&page, note->name, *s);
    write_page(context, note->name, &page);
    text_free(&page);
    text_free(&what);
}

int help_pages(const command_line *c, const char *folder)
{
    page_job job = { folder, { 0 } };
    text page = { 0 };

    if (os_make_folder(folder, &job.why) == TW_OK) {
        put_head(&page, "The host", "The stages that are part of the host.");
        for (const tw_stage *const *s = stock_stages; *s; s++) put_stage(&page, "", *s);
        write_page(&job, "host", &page);
        plugins_each(c->plugins, write_plugin, &job);
    }
    int status = job.why.n ? STATUS_FAILED : STATUS_DONE;
    if (job.why.n) command_say(text_of(&job.why));
    text_free(&page);
    text_free(&job.why);
    return status;
}
