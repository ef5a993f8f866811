/* events.c - text.events: events for people and for grep, a line each.

   One idea: what stands in front has columns of steady widths and says who and when; behind it comes what happened, in
   the host's words: the type's message where that tells all, else every field by its name. */
#include "../common/text/around.h"
#include "../common/text/page.h"
#include "screen.h"

extern const tw_stage text_events;

enum {
    NARROWEST = 32, /* the column of names begins so wide, and grows in steps */
    STEP = 8,
    WIDEST = 56, /* a longer name pushes its line */
    CPU = 3,
    ID = 6 /* of processes and threads */
};
#define NO_ID UINT32_MAX /* the record does not tell */

typedef struct title { /* of all events of a type */
    page text;         /* "Provider/Event" as it may be shown */
    size_t width;
    int tells_all; /* its message has a place for each field */
} title;

typedef struct lines {
    tw_self tw;
    tw_output *to;
    int heading, keywords, activity, stacks;
    page page;
    page scratch; /* what the host printed, before it is made fit to be shown */
    page_moment moment;
    size_t width; /* of the column of names */
    int begun;
    title *title[TW_TYPES];
} lines;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(lines, to, TW_OPT_OUTPUT, "-", "where the lines go"),
    TW_OPTION(lines, heading, TW_OPT_BOOL, "true", "begin with a line that names the columns"),
    TW_OPTION(lines, keywords, TW_OPT_BOOL, "false", "show keywords, by their names where they have some"),
    TW_OPTION(lines, activity, TW_OPT_BOOL, "false", "show the ids of the activity and of the related one, where there are some"),
    TW_OPTION(lines, stacks, TW_OPT_BOOL, "false", "show the stack that is recorded with an event: addresses, innermost first"),
    { 0 }
};
// clang-format on

static int open_lines(void *self)
{
    ((lines *)self)->width = NARROWEST;
    return TW_OK;
}

/* ---- Types ---- */

/* A number in place of a name says little; task and opcode say more. */
static int is_number(const char *name)
{
    return name[strspn(name, "0123456789")] == 0;
}

/* 1 where the message has a place for field n, from 1: "%n". */
static int has_place(const char *message, uint32_t n)
{
    for (const char *at = message; (at = strchr(at, '%')); at += 1 + (at[1] == '%')) {
        if (at[1] >= '1' && at[1] <= '9' && strtoul(at + 1, NULL, 10) == n) return 1;
    }
    return 0;
}

/* 1 where the message says the value of every field that lies in no struct. */
static int tells_all(const tw_type *t)
{
    uint32_t n = 1;

    if (!t->message) return 0;
    for (uint32_t i = 0; i < t->nfields; i += 1 + t->field[i].members, n++) {
        if (t->field[i].show != TW_SHOW_HIDE && !has_place(t->message, n)) return 0;
    }
    return 1;
}

/* A part of the name, if it is there, and what comes behind it. */
static void put_part(title *k, const char *part, const char *behind)
{
    if (!part || !*part) return;
    k->width += screen_put(&k->text, part, strlen(part)) + strlen(behind);
    page_string(&k->text, behind);
}

/* NULL: memory ran out, said. */
static const title *title_of(lines *l, uint32_t type)
{
    const tw_type *t = l->tw.type[type];
    title *k = l->title[type];

    if (k) return k;
    l->title[type] = k = calloc(1, sizeof *k);
    if (k) {
        put_part(k, t->provider, "/");
        if (is_number(t->name)) {
            put_part(k, t->task_name, "/");
            put_part(k, t->opcode_name, "/");
        }
        put_part(k, t->name, "");
        k->tells_all = tells_all(t);
    }
    if (k && !k->text.failed) return k;
    tw_fail(l, "out of memory for the name of \"%s\"", t->name);
    return NULL;
}

/* ---- In front ---- */

static void put_right(page *p, const char *text, size_t n, size_t width)
{
    page_blanks(p, width > n ? width - n : 0);
    page_put(p, text, n);
}

static void put_number(page *p, uint32_t number, size_t width)
{
    char digits[10], *at = digits + sizeof digits;

    do *--at = (char)('0' + number % 10);
    while (number /= 10);
    put_right(p, at, (size_t)(digits + sizeof digits - at), width);
}

static void put_id(page *p, uint32_t id)
{
    page_byte(p, ' ');
    if (id == NO_ID)
        put_right(p, "-", 1, ID);
    else
        put_number(p, id, ID);
}

static void put_heading(lines *l)
{
    page *p = &l->page;

    l->begun = 1;
    if (!l->heading) return;
    page_string(p, "time (UTC)                     cpu    pid    tid  event");
    page_blanks(p, l->width - strlen("event"));
    page_string(p, "  message, fields\n");
}

static void put_title(lines *l, const title *k)
{
    while (l->width < k->width && l->width < WIDEST) l->width += STEP;
    page_put(&l->page, k->text.at, k->text.n);
    page_blanks(&l->page, l->width > k->width ? l->width - k->width : 0);
}

/* ---- Behind it ---- */

static void put_shown(lines *l, const char *text, size_t n)
{
    screen_put(&l->page, text, n);
}

static int is_break(char c)
{
    return c == '\r' || c == '\n' || c == '\t' || c == ' ';
}

/* On one line: a run of breaks and blanks is a blank. */
static void put_message(lines *l, const char *text, size_t n)
{
    size_t at = 0;

    while (n && is_break(text[n - 1])) n--;
    while (at < n) {
        size_t run = at;
        while (run < n && !is_break(text[run])) run++;
        put_shown(l, text + at, run - at);
        for (at = run; at < n && is_break(text[at]);) at++;
        if (at < n) page_byte(&l->page, ' ');
    }
}

static void put_value(lines *l, const char *name, const tw_field *field, const tw_value *v)
{
    l->scratch.n = 0;
    page_value(&l->scratch, TW_HOST(l), field, v);
    if (l->scratch.failed) l->page.failed = 1;
    page_string(&l->page, name);
    put_shown(l, l->scratch.at, l->scratch.n);
}

/* Nothing is left over and nothing is cut short. */
static int is_whole(lines *l, tw_batch *b, const tw_event *e)
{
    tw_walk walk;
    tw_value v;

    if (TW_HOST(l)->walk(l, b, e, &walk) != TW_OK) return 0;
    while (TW_HOST(l)->next(&walk, &v) == TW_OK) {}
    return !walk.left && !walk.faults;
}

/* ---- What is not decoded ---- */

enum {
    RUN = 5 /* characters that are taken for text */,
    LOOKED_AT = 4096 /* bytes of a payload */,
    RUNS_SHOWN = 240
};

/* How many characters of text begin at `at`, each of `unit` bytes with a character of ASCII in the first. */
static size_t text_run(const uint8_t *at, size_t bytes, size_t unit)
{
    size_t n = 0;

    for (; bytes >= unit && *at >= ' ' && *at < 0x7F && (unit == 1 || !at[1]); n++, at += unit, bytes -= unit) {}
    return n;
}

/* Texts that lie in a payload of which nothing is known, as a person looks for them in hex. */
static void put_runs(lines *l, const tw_event *e)
{
    const uint8_t *at = e->data;
    size_t left = e->bytes < LOOKED_AT ? e->bytes : LOOKED_AT, shown = 0;

    while (left && shown < RUNS_SHOWN) {
        size_t unit = left > 1 && !at[1] ? 2 : 1, n = *at == ' ' ? 0 : text_run(at, left, unit);
        if (n >= RUN) {
            page_string(&l->page, shown ? " \"" : "  text: \"");
            for (size_t i = 0; i < n && shown < RUNS_SHOWN; i++, shown++) page_byte(&l->page, (char)at[i * unit]);
            page_string(&l->page, shown < RUNS_SHOWN ? "\"" : "\xE2\x80\xA6\""); /* … */
        }
        n = n >= RUN ? n * unit : 1;
        at += n;
        left -= n;
    }
}

static void put_words(lines *l, tw_batch *b, const tw_event *e, const title *k)
{
    const tw_host *host = TW_HOST(l);
    int said = 0;
    tw_text words;

    if (!TW_CAN(host, words)) return;
    if (l->tw.type[e->type]->message && host->words(l, b, e, TW_WORDS_MESSAGE, &words) == TW_OK) {
        page_string(&l->page, "  ");
        put_message(l, words.at, words.bytes);
        said = k->tells_all && is_whole(l, b, e);
    }
    if (said || host->words(l, b, e, TW_WORDS_FIELDS, &words) != TW_OK || !words.bytes) return;
    page_string(&l->page, "  ");
    put_shown(l, words.at, words.bytes);
    if (!l->tw.type[e->type]->origin && !l->tw.type[e->type]->nfields) put_runs(l, e);
}

static void put_keywords(lines *l, const tw_event *e)
{
    tw_field field;
    tw_value v;

    if (around_keywords(l, e, &field, &v)) put_value(l, "  keywords=", &field, &v);
}

static void put_activity(lines *l, const tw_event *e, const char *name, uint32_t what)
{
    tw_value v;

    if (around_id(l, e, what, &v)) put_value(l, name, NULL, &v);
}

/* ---- Lines ---- */

static void end_line(page *p, size_t start)
{
    while (!p->failed && p->n > start && p->at[p->n - 1] == ' ') p->n--;
    page_byte(p, '\n');
}

static int put_event(lines *l, tw_batch *b, const tw_event *e)
{
    const title *k = title_of(l, e->type);
    page *p = &l->page;
    tw_value stack;

    if (!k) return TW_ERROR;
    if (!l->begun) put_heading(l);
    size_t start = p->n;
    page_time(p, TW_HOST(l), &l->moment, e->time);
    page_byte(p, ' ');
    put_number(p, e->cpu, CPU);
    put_id(p, e->pid);
    put_id(p, e->tid);
    page_string(p, "  ");
    put_title(l, k);
    put_words(l, b, e, k);
    if (l->keywords) put_keywords(l, e);
    if (l->activity) {
        put_activity(l, e, "  activity=", TW_X_ACTIVITY);
        put_activity(l, e, "  related=", TW_X_RELATED);
    }
    if (l->stacks && TW_HOST(l)->extra(l, e, TW_X_STACK, 0, &stack) == TW_OK) put_value(l, "  stack=", NULL, &stack);
    end_line(p, start);
    return p->n < PAGE_FULL && !p->failed ? TW_OK : page_write(p, l, l->to);
}

/* What little came is handed on with its batch, so that who reads along does not wait for a page to be full. */
static int show_events(void *self, tw_batch *b)
{
    lines *l = self;
    int status = TW_OK;

    for (uint32_t i = 0; i < b->n && status == TW_OK; i++) status = put_event(l, b, &b->event[i]);
    return status == TW_OK ? page_write(&l->page, self, l->to) : status;
}

static void close_lines(void *self)
{
    lines *l = self;

    for (uint32_t i = 0; i < TW_TYPES; i++) {
        if (l->title[i]) page_free(&l->title[i]->text);
        free(l->title[i]);
        l->title[i] = NULL;
    }
    page_free(&l->page);
    page_free(&l->scratch);
}

const tw_stage text_events = {
    .size = sizeof(tw_stage),
    .name = "events",
    .help = "Show events, a line each: when, where, who, what, and all of their fields.",
    .state = sizeof(lines),
    .options = options,
    .open = open_lines,
    .events = show_events,
    .close = close_lines,
};
