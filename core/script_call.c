/* script_call.c - tw.script/1: a server's scripts, each in a process of its own.

   One idea: a call is one line to the script's process and one line back, under limits that are enforced from outside.
   When an end was put to it the process is gone, and the next call begins with a new one. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

struct hosted {
    uint32_t id, child; /* child 0: none at present */
    char *name, *source;
    tw_limits limits;
};

static hosted *find(server *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->nscripts; i++)
        if (s->script[i].id == id) return &s->script[i];
    return NULL;
}

static void release(server *s, hosted *h)
{
    if (h->child) children_forget(s->children, h->child);
    free(h->name);
    free(h->source);
}

void scripts_free(server *s)
{
    for (uint32_t i = 0; i < s->nscripts; i++) release(s, &s->script[i]);
    free(s->script);
}

/* ---- One line there, one line back ---- */

/* The process of the script has ended, without an answer. */
static void say_end(server *s, const hosted *h, const char *doing, const tw_notice *end, const text *last)
{
    text *why = &s->script_why;

    text_format(why, "%s: %s ", h->name, doing);
    switch (end->limit) {
    case TW_LIMIT_WALL:
        text_format(why, "took longer than %.6g s and was stopped", (double)h->limits.wall / 1e9);
        break;
    case TW_LIMIT_MEMORY:
        text_format(why, "used more than %.6g MiB of memory and was stopped", (double)h->limits.memory / (1 << 20));
        break;
    case TW_LIMIT_OUTPUT:
        text_format(why, "gave more than %.6g KiB and was stopped", (double)h->limits.output / (1 << 10));
        break;
    default:
        if (end->signal)
            text_format(why, "ended its process by signal %d", end->signal);
        else
            text_format(why, "ended its process with status %d", end->status);
        if (last->n) text_format(why, ": %s", text_of(last));
        break;
    }
}

/* Waits for the answer, into s->result. TW_END: the server is to stop. */
static int receive(server *s, hosted *h, const char *doing)
{
    text last = { 0 }; /* what it said last on standard error */
    tw_notice n;
    int rc;

    text_clear(&s->result);
    while ((rc = children_wait(s->children, h->child, -1, &n)) == TW_OK) {
        if (n.kind == TW_OUTPUT) {
            text_add(&s->result, n.text.at, n.text.bytes);
            if (!n.more) break;
        } else if (n.kind == TW_ERRORS) {
            text_clear(&last);
            text_add(&last, n.text.at, n.text.bytes);
        } else {
            h->child = 0;
            say_end(s, h, doing, &n, &last);
            rc = TW_ERROR;
            break;
        }
    }
    text_free(&last);
    return rc;
}

/* Takes the reference to `request`. An answer begins with + and JSON, or - and a sentence. */
static int exchange(server *s, hosted *h, json_t *request, const char *doing)
{
    char *line = json_dumps(request, JSON_COMPACT);
    int rc;

    json_decref(request);
    children_renew(s->children, h->child, &h->limits);
    rc = line ? children_send(s->children, h->child, line, strlen(line)) : TW_ERROR; /* NULL: no memory for it */
    free(line);
    if (rc == TW_ERROR) {
        text_format(&s->script_why, "%s: %s is given too much at once", h->name, doing);
        return TW_ERROR;
    }
    /* One that ended while it was not needed takes nothing; its end is told all the same. */
    if ((rc = receive(s, h, doing)) != TW_OK) return rc;
    children_renew(s->children, h->child, NULL);
    const char *answer = text_of(&s->result);
    if (*answer == '+') return TW_OK;
    const char *sentence = *answer == '-' ? answer + 1 : answer;
    size_t n = strlen(h->name);
    if (strncmp(sentence, h->name, n) != 0 || sentence[n] != ':') text_format(&s->script_why, "%s: ", h->name);
    text_put(&s->script_why, sentence); /* Lua's begin with the name and the line already */
    return TW_ERROR;
}

/* Starts the process and gives it the text. */
static int begin(server *s, hosted *h)
{
    const char *words[] = { s->program, "script-host", NULL };

    if (children_start(s->children, words, &h->limits, CHILD_OF_HOST, &h->child, &s->script_why) != TW_OK)
        return TW_ERROR;
    int rc = exchange(s, h, json_pack("{s:s,s:s}", "name", h->name, "source", h->source), "the script");
    if (rc == TW_OK) return TW_OK;
    if (h->child) children_forget(s->children, h->child);
    h->child = 0;
    return rc;
}

/* ---- What a server calls ---- */

static int script_open(void *self, const char *source, const char *name, const tw_limits *limits, uint32_t *script)
{
    server *s = server_of(self);
    hosted h = { 0 };

    text_clear(&s->script_why);
    *script = 0;
    json_t *readable = json_pack("[s,s]", name, source);
    json_decref(readable);
    if (!readable) {
        text_put(&s->script_why, "the script or its name is no UTF-8");
        return TW_ERROR;
    }
    h.name = mem_text(name, strlen(name));
    h.source = mem_text(source, strlen(source));
    if (limits) h.limits = *limits;
    int rc = begin(s, &h);
    if (rc != TW_OK) {
        release(s, &h);
        return rc;
    }
    h.id = *script = ++s->last_script;
    s->script = mem_grow(s->script, (s->nscripts + 1) * sizeof *s->script);
    s->script[s->nscripts++] = h;
    return TW_OK;
}

static int script_call(void *self, uint32_t script, const char *function, const char *json, const char **result)
{
    server *s = server_of(self);
    hosted *h = find(s, script);
    json_error_t error;
    int rc;

    text_clear(&s->script_why);
    *result = NULL;
    if (!h) {
        text_format(&s->script_why, "there is no script %u", (unsigned)script);
        return TW_ERROR;
    }
    if (!h->child && (rc = begin(s, h)) != TW_OK) return rc;
    json_t *argument = json_loads(json ? json : "null", JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    json_t *request = argument ? json_pack("{s:s,s:o}", "function", function, "argument", argument) : NULL;
    if (!request) {
        text_format(&s->script_why, "%s: what '%s' is called with is no JSON: %s", h->name, function,
                    argument ? "its name is no UTF-8" : error.text);
        return TW_ERROR;
    }
    text doing = { 0 };
    text_format(&doing, "'%s'", function);
    rc = exchange(s, h, request, text_of(&doing));
    text_free(&doing);
    if (rc == TW_OK) *result = text_of(&s->result) + 1;
    return rc;
}

static void script_close(void *self, uint32_t script)
{
    server *s = server_of(self);
    hosted *h = find(s, script);

    if (!h) return;
    release(s, h);
    *h = s->script[--s->nscripts];
}

static const char *script_why(void *self)
{
    return text_of(&server_of(self)->script_why);
}

const tw_scripts script_functions = {
    .size = sizeof(tw_scripts),
    .open = script_open,
    .call = script_call,
    .close = script_close,
    .why = script_why,
};
