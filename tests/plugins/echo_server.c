/* echo_server.c - a stage that stands alone: it answers lines of standard input, and starts pipelines and scripts for them.

   It is what a server looks like, and what the tests of servers talk to. One idea: `run` is a loop around `wait`, which
   tells one thing at a time. A line is a command and its words; what is no command is said back. */
#include <stdio.h>
#include <stdlib.h>

#include "tw/script.h"
#include "tw_plugin.h"

enum { LONGEST_WORD = 64 };

typedef struct echo {
    tw_self tw;
    tw_output *to;
    int64_t wall, memory, output; /* options: limits of children and scripts; 0: none */
    const tw_pipelines *pipelines;
    const tw_scripts *scripts;
    int done;
} echo;

static const tw_option options[] = {
    TW_OPTION(echo, to, TW_OPT_OUTPUT, "-", "where answers go"),
    TW_OPTION(echo, wall, TW_OPT_SPAN, "0s", "how long a child may run; 0: as long as it likes"),
    TW_OPTION(echo, memory, TW_OPT_INT, "0", "bytes of memory a child may have"),
    TW_OPTION(echo, output, TW_OPT_INT, "0", "bytes a child may print"),
    { 0 },
};

static void put(echo *s, const char *bytes, size_t n)
{
    s->tw.host->write(s->to, bytes, n);
}

/* One line: a word, a number, a text. */
static void say(echo *s, const char *what, uint32_t number, const char *text, size_t n)
{
    char head[LONGEST_WORD + 16];
    int length = snprintf(head, sizeof head, "%s %lu ", what, (unsigned long)number);

    put(s, head, (size_t)length);
    put(s, text, n);
    put(s, "\n", 1);
}

static void say_text(echo *s, const char *what, uint32_t number, const char *text)
{
    say(s, what, number, text, strlen(text));
}

/* What a function of the host returned, and the sentence where it failed. */
static void say_outcome(echo *s, const char *what, uint32_t number, int rc, const char *why)
{
    say_text(s, what, number, rc == TW_OK ? "ok" : rc == TW_AGAIN ? "again" : rc == TW_END ? "gone" : why);
}

/* Cuts the next word off a line that ends in 0. */
static char *word_of(char **line)
{
    char *word = *line, *end = strchr(word, ' ');

    *line = end ? end + 1 : word + strlen(word);
    if (end) *end = 0;
    return word;
}

static tw_limits limits_of(const echo *s)
{
    return (tw_limits){ s->wall, (uint64_t)s->memory, (uint64_t)s->output };
}

static void start(echo *s, const char *name, const char *arguments)
{
    tw_limits limits = limits_of(s);
    uint32_t child;
    int rc = s->pipelines->start(s, name, *arguments ? arguments : NULL, &limits, &child);

    say_outcome(s, "started", child, rc, s->pipelines->why(s));
}

static void open_script(echo *s, const char *name, const char *source)
{
    tw_limits limits = limits_of(s);
    uint32_t script;
    int rc = s->scripts->open(s, source, name, &limits, &script);

    say_outcome(s, "script", script, rc, s->scripts->why(s));
}

static void call_script(echo *s, uint32_t script, const char *function, const char *json)
{
    const char *result;
    int rc = s->scripts->call(s, script, function, *json ? json : NULL, &result);

    say_text(s, rc == TW_OK ? "result" : "failed", script, rc == TW_OK ? result : s->scripts->why(s));
}

/* A number, then the rest of the line. */
static uint32_t number_of(char **line)
{
    return (uint32_t)strtoul(word_of(line), NULL, 10);
}

static void obey(echo *s, const tw_text *given)
{
    const tw_pipelines *host = s->pipelines;
    char *line = malloc(given->bytes + 1), *rest = line;

    memcpy(line, given->at, given->bytes);
    line[given->bytes] = 0;
    const char *command = word_of(&rest);
    if (!strcmp(command, "list")) {
        say_text(s, "list", 0, host->list(s));
    } else if (!strcmp(command, "describe")) {
        const char *found = host->describe(s, rest);
        say_text(s, "describe", found != NULL, found ? found : host->why(s));
    } else if (!strcmp(command, "start")) {
        const char *name = word_of(&rest);
        start(s, name, rest);
    } else if (!strcmp(command, "call")) {
        uint32_t child = number_of(&rest);
        say_outcome(s, "called", child, host->call(s, child, rest, strlen(rest)), host->why(s));
    } else if (!strcmp(command, "close")) {
        uint32_t child = number_of(&rest);
        say_outcome(s, "closed", child, host->call(s, child, NULL, 0), host->why(s));
    } else if (!strcmp(command, "cancel")) {
        uint32_t child = number_of(&rest);
        say_outcome(s, "cancelled", child, host->cancel(s, child), host->why(s));
    } else if (!strcmp(command, "stop")) {
        uint32_t child = number_of(&rest);
        say_outcome(s, "stopped", child, host->stop(s, child), host->why(s));
    } else if (!strcmp(command, "script")) {
        const char *name = word_of(&rest);
        open_script(s, name, rest);
    } else if (!strcmp(command, "script-call")) {
        uint32_t script = number_of(&rest);
        const char *function = word_of(&rest);
        call_script(s, script, function, rest);
    } else if (!strcmp(command, "script-close")) {
        s->scripts->close(s, number_of(&rest));
    } else if (!strcmp(command, "quit")) {
        s->done = 1;
    } else {
        say(s, "echo", given->bytes, given->at, given->bytes);
    }
    free(line);
}

static void say_exit(echo *s, const tw_notice *n)
{
    static const char *const limits[] = { "none", "wall", "memory", "output" };
    char words[128];

    snprintf(words, sizeof words, "status=%d signal=%d limit=%s memory=%s wall=%s", (int)n->status, (int)n->signal,
             limits[n->limit], n->memory ? "known" : "unknown", n->wall > 0 ? "known" : "unknown");
    say_text(s, "exited", n->child, words);
}

static int run(void *self)
{
    echo *s = self;
    tw_notice n;
    int rc;

    while (!s->done && (rc = s->pipelines->wait(s, -1, &n)) == TW_OK) {
        switch (n.kind) {
        case TW_INPUT: obey(s, &n.text); break;
        case TW_INPUT_TOO_LONG: say_text(s, "too-long", n.text.bytes, ""); break;
        case TW_INPUT_END: s->done = 1; break;
        case TW_OUTPUT: say(s, n.more ? "output-part" : "output", n.child, n.text.at, n.text.bytes); break;
        case TW_ERRORS: say(s, n.more ? "errors-part" : "errors", n.child, n.text.at, n.text.bytes); break;
        case TW_EXITED: say_exit(s, &n); break;
        }
    }
    return TW_OK;
}

static int open(void *self)
{
    echo *s = self;

    s->pipelines = s->tw.host->extension(self, TW_PIPELINES);
    s->scripts = s->tw.host->extension(self, TW_SCRIPT);
    if (!s->pipelines || !s->scripts) return tw_fail(self, "this host has nothing to offer to servers");
    return TW_OK;
}

static const tw_stage run_stage = {
    .size = sizeof(tw_stage),
    .name = "run",
    .help = "Say back lines of standard input, and start pipelines and scripts for them.",
    .state = sizeof(echo),
    .options = options,
    .open = open,
    .run = run,
};
TW_PLUGIN(echo_server, "1.0", "MIT", &run_stage);
