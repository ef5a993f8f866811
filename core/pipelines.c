/* pipelines.c - tw.pipelines/1: pipelines as children of a server.

   One idea: a child is this program with the words a user would type, so a server can do what a person can, and no more.
   The words are checked here, before anything starts, by the code that checks a person's. */
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "os.h"
#include "output.h"
#include "schema.h"
#include "server.h"

/* ---- The server's own ---- */

server *server_of(void *self)
{
    return ((instance *)((tw_self *)self)->instance)->server;
}

const void *server_extension(void *self, const char *id)
{
    instance *i = ((tw_self *)self)->instance;
    const void *functions = NULL;

    if (!strcmp(id, TW_PIPELINES)) functions = &pipeline_functions;
    if (!strcmp(id, TW_SCRIPT)) functions = &script_functions;
    if (!functions || !i->bus->options->command) return NULL;
    if (!i->server) {
        i->server = mem_new(sizeof *i->server);
        i->server->command = i->bus->options->command;
        i->server->program = os_program();
        i->server->children = children_new();
    }
    return functions;
}

void server_free(server *s)
{
    if (!s) return;
    scripts_free(s);
    children_free(s->children);
    text_free(&s->answer);
    text_free(&s->result);
    text_free(&s->why);
    text_free(&s->script_why);
    free(s->program);
    free(s);
}

/* ---- What there is ---- */

/* What JSON says of one; a new reference. */
static json_t *describe_found(const server *s, const found_pipeline *f)
{
    const pipeline *p;
    text why = { 0 };
    script *state = command_script(s->command, f, &why);
    int rc = state ? script_load(state, text_of(&f->path), NULL, &p, &why) : TW_ERROR;
    json_t *o = rc == TW_OK ? schema_pipeline(text_of(&f->name), p, f->trusted)
                            : schema_broken(text_of(&f->name), f->trusted, text_of(&why));

    script_free(state);
    text_free(&why);
    return o;
}

static const char *answer(server *s, json_t *o)
{
    char *words = json_dumps(o, JSON_COMPACT | JSON_ENCODE_ANY);

    json_decref(o);
    text_clear(&s->answer);
    text_put(&s->answer, words ? words : "null"); /* NULL: no memory was left for the text */
    free(words);
    return text_of(&s->answer);
}

typedef struct listed {
    const server *s;
    json_t *all;
} listed;

static void add_found(void *context, const found_pipeline *f)
{
    listed *l = context;
    json_array_append_new(l->all, describe_found(l->s, f));
}

static const char *list(void *self)
{
    server *s = server_of(self);
    listed l = { s, json_array() };

    pipelines_each(s->command, add_found, &l);
    return answer(s, l.all);
}

typedef struct near_search {
    const char **name;
    size_t n;
} near_search;

static void add_name(void *context, const found_pipeline *f)
{
    near_search *search = context;

    search->name = mem_grow(search->name, (search->n + 1) * sizeof *search->name);
    search->name[search->n++] = mem_text(text_of(&f->name), f->name.n);
}

static void say_unknown(server *s, const char *name)
{
    near_search search = { NULL, 0 };

    pipelines_each(s->command, add_name, &search);
    const char *near = text_nearest(name, search.name, search.n);
    text_format(&s->why, "no pipeline '%s'", name);
    if (near) text_format(&s->why, "; did you mean '%s'?", near);
    for (size_t i = 0; i < search.n; i++) free((char *)search.name[i]);
    free(search.name);
}

/* By its name only: a server's clients do not choose files. */
static int find(server *s, const char *name, found_pipeline *f)
{
    text_clear(&s->why);
    if (!strpbrk(name, "/\\.") && pipeline_find(s->command, &name, 1, f)) return TW_OK;
    say_unknown(s, name);
    return TW_ERROR;
}

static void free_found(found_pipeline *f)
{
    text_free(&f->name);
    text_free(&f->path);
}

static const char *describe(void *self, const char *name)
{
    server *s = server_of(self);
    found_pipeline f = { 0 };
    const char *found = find(s, name, &f) == TW_OK ? answer(s, describe_found(s, &f)) : NULL;

    free_found(&f);
    return found;
}

/* ---- Children ---- */

/* The words of the whole command line. */
static const char **command_words(const server *s, const char *name, const char **words, uint32_t n)
{
    const command_line *c = s->command;
    const char **all = mem_new((c->nown + n + 8) * sizeof *all);
    uint32_t k = 0;

    all[k++] = s->program;
    for (uint32_t i = 0; i < c->nown; i++) all[k++] = c->own[i];
    all[k++] = "--progress=no";
    all[k++] = "run";
    all[k++] = name;
    for (uint32_t i = 0; i < n; i++) all[k++] = words[i];
    return all;
}

static int start(void *self, const char *name, const char *arguments, const tw_limits *limits, uint32_t *child)
{
    server *s = server_of(self);
    found_pipeline f = { 0 };
    const pipeline *p;
    arena memory = { 0 };
    const char **words = NULL;
    uint32_t n = 0;
    script *state = NULL;
    int rc = find(s, name, &f);

    *child = 0;
    if (rc == TW_OK && !(state = command_script(s->command, &f, &s->why))) rc = TW_ERROR;
    if (rc == TW_OK) rc = script_load(state, text_of(&f.path), NULL, &p, &s->why);
    if (rc == TW_OK) rc = schema_words(p, arguments, &memory, &words, &n, &s->why);
    if (rc == TW_OK) {
        const char **all = command_words(s, name, words, n);
        rc = children_start(s->children, all, limits, CHILD_OF_SERVER, child, &s->why);
        free(all);
    }
    script_free(state);
    arena_free(&memory);
    free_found(&f);
    return rc;
}

static int call(void *self, uint32_t child, const char *json, size_t bytes)
{
    server *s = server_of(self);

    text_clear(&s->why);
    if (json && (memchr(json, '\n', bytes) || memchr(json, '\r', bytes))) {
        text_put(&s->why, "what a child is called with is one line, but this has line breaks");
        return TW_ERROR;
    }
    int rc = children_send(s->children, child, json, bytes);
    if (rc == TW_ERROR) text_put(&s->why, "what a child is called with is too long");
    return rc;
}

static int cancel(void *self, uint32_t child)
{
    server *s = server_of(self);

    text_clear(&s->why);
    return children_interrupt(s->children, child, &s->why);
}

static int stop(void *self, uint32_t child)
{
    return children_stop(server_of(self)->children, child);
}

/* Whoever waits for an answer has to have what was written before. */
static int wait_for_next(void *self, int64_t timeout, tw_notice *notice)
{
    instance *i = ((tw_self *)self)->instance;

    for (uint32_t k = 0; k < i->noutputs; k++) output_pass_on(i->output[k]);
    if (bus_stop_asked(i->bus)) return TW_END;
    return children_wait(i->server->children, 0, timeout, notice);
}

static const char *why(void *self)
{
    return text_of(&server_of(self)->why);
}

const tw_pipelines pipeline_functions = {
    .size = sizeof(tw_pipelines),
    .list = list,
    .describe = describe,
    .start = start,
    .call = call,
    .cancel = cancel,
    .stop = stop,
    .wait = wait_for_next,
    .why = why,
};
