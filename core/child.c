/* child.c - the children of a server: their lines, their limits, and one wait over all of them and standard input.

   One idea: a stream is read only while its lines have room, so a child that is not listened to waits in its pipe and
   costs a bounded buffer. What has ended is told when its last line was. */
#include "child.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "os.h"

enum {
    MOST_CHILDREN = 256,
    MOST_WAITING = 8 << 20, /* bytes sent to a child and not yet read by it */
    SLICE = 20000000,       /* ns between two looks at memory */
    SHORT_SLICE = 2000000,  /* ns, while one is about to end: its streams have, itself not yet */
    LONG_SLICE = 200000000  /* ns; an interrupt may have come just before the wait began */
};

typedef struct child {
    uint32_t id;
    int whose;
    os_process *process;
    lines output, errors;
    text input; /* to be written; the first `sent` bytes are */
    size_t sent;
    int input_ends, input_closed;
    tw_limits limits;
    int64_t start, since; /* monotonic; since: the limits count from there */
    uint64_t printed;     /* bytes since then */
    uint64_t memory;      /* the most that was seen */
    uint32_t limit;       /* enum tw_limit, the one that stopped it */
    int ended;
    os_exit exit;
    int64_t wall;
} child;

struct children {
    child *child[MOST_CHILDREN];
    uint32_t n, last; /* last: the id given last */
    uint32_t turn;    /* whose line comes next: 0 standard input, else a place in the list and 1 */
    lines input;
    int input_told; /* that it has ended */
    int64_t looked; /* monotonic: when memory was looked at */
    os_wanted wanted[MOST_CHILDREN];
    text told; /* what the last notice points at */
};

children *children_new(void)
{
    children *c = mem_new(sizeof *c);

    c->input.most = TW_LONGEST_INPUT;
    return c;
}

static child *find(const children *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->child[i]->id == id) return c->child[i];
    return NULL;
}

static void remove_at(children *c, uint32_t at)
{
    child *gone = c->child[at];

    os_process_free(gone->process);
    lines_free(&gone->output);
    lines_free(&gone->errors);
    text_free(&gone->input);
    free(gone);
    for (c->n--; at < c->n; at++) c->child[at] = c->child[at + 1];
}

void children_free(children *c)
{
    if (!c) return;
    /* All are told to end before the first is waited for. */
    for (uint32_t i = 0; i < c->n; i++) os_process_kill(c->child[i]->process);
    while (c->n) remove_at(c, c->n - 1);
    lines_free(&c->input);
    text_free(&c->told);
    free(c);
}

int children_start(children *c, const char *const *words, const tw_limits *limits, int whose, uint32_t *id, text *why)
{
    os_process *process;
    text fact = { 0 };

    if (c->n == MOST_CHILDREN) {
        text_format(why, "%d children run already, and no more may", MOST_CHILDREN);
        return TW_ERROR;
    }
    if (os_process_start(words, &process, &fact) != TW_OK) {
        text_format(why, "%s cannot be started: %s", words[0], text_of(&fact));
        text_free(&fact);
        return TW_ERROR;
    }
    child *new = mem_new(sizeof *new);
    new->id = *id = ++c->last;
    new->whose = whose;
    new->process = process;
    new->output = new->errors = (lines){ .most = TW_LONGEST_PIECE, .pieces = 1 };
    if (limits) new->limits = *limits;
    new->start = new->since = os_monotonic();
    c->child[c->n++] = new;
    return TW_OK;
}

/* ---- To a child ---- */

static void write_input(child *k)
{
    while (!k->input_closed && k->sent < k->input.n) {
        ptrdiff_t n = os_process_write(k->process, k->input.at + k->sent, k->input.n - k->sent);
        if (n == 0) return;
        if (n < 0) k->input_ends = 1; /* nobody reads it */
        k->sent = n < 0 ? k->input.n : k->sent + (size_t)n;
    }
    text_clear(&k->input);
    k->sent = 0;
    if (!k->input_ends || k->input_closed) return;
    os_process_close_input(k->process);
    k->input_closed = 1;
}

int children_send(children *c, uint32_t id, const void *line, size_t n)
{
    child *k = find(c, id);

    if (!k || k->ended || k->input_ends) return TW_END;
    size_t waiting = k->input.n - k->sent; /* never more than MOST_WAITING, line feeds too */
    if (line && n >= MOST_WAITING - waiting) return waiting ? TW_AGAIN : TW_ERROR;
    if (line) {
        if (k->sent > k->input.n / 2) { /* else a child that never reads all of it would make it grow */
            k->input.n -= k->sent;
            memmove(k->input.at, k->input.at + k->sent, k->input.n);
            k->sent = 0;
        }
        text_add(&k->input, line, n);
        text_add(&k->input, "\n", 1);
    } else {
        k->input_ends = 1;
    }
    write_input(k);
    return TW_OK;
}

int children_interrupt(children *c, uint32_t id, text *why)
{
    child *k = find(c, id);

    if (!k || k->ended) return TW_END;
    if (os_process_interrupt(k->process) == TW_OK) return TW_OK;
    text_put(why, "the system has no way to interrupt it; it can be stopped");
    return TW_ERROR;
}

int children_stop(children *c, uint32_t id)
{
    child *k = find(c, id);

    if (!k || k->ended) return TW_END;
    os_process_kill(k->process);
    return TW_OK;
}

void children_renew(children *c, uint32_t id, const tw_limits *limits)
{
    child *k = find(c, id);
    uint64_t memory = k ? k->limits.memory : 0; /* counts at any time */

    if (!k) return;
    k->limits = limits ? *limits : (tw_limits){ .memory = memory };
    k->since = os_monotonic();
    k->printed = 0;
}

void children_forget(children *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->child[i]->id != id) continue;
        os_process_kill(c->child[i]->process);
        remove_at(c, i);
        return;
    }
}

/* ---- From a child ---- */

static void stop_at(child *k, uint32_t limit)
{
    if (!k->limit) k->limit = limit;
    os_process_kill(k->process);
}

/* Reads what there is room for. At the limit the rest is not looked at. */
static void read_stream(child *k, lines *l, int stream)
{
    size_t n;
    char *to = lines_room(l, &n);

    if (l->ended || !n) return;
    uint64_t left = k->limits.output ? k->limits.output - k->printed : UINT64_MAX;
    if (n > left) n = (size_t)left + 1; /* one more tells that there is more */
    ptrdiff_t got = os_process_read(k->process, stream, to, n);
    if (got == 0) l->ended = 1;
    if (got <= 0) return;
    if ((uint64_t)got > left) {
        got--;
        l->ended = 1;
        stop_at(k, TW_LIMIT_OUTPUT);
    }
    k->printed += (uint64_t)got;
    lines_add(l, (size_t)got);
}

static int has_room(lines *l)
{
    size_t n;

    if (l->ended) return 0;
    lines_room(l, &n);
    return n > 0;
}

static int64_t wall_left(const child *k, int64_t now)
{
    return k->limits.wall > 0 ? k->limits.wall - (now - k->since) : INT64_MAX;
}

static void look_at_memory(child *k)
{
    if (k->ended || !k->limits.memory) return;
    uint64_t memory = os_process_memory(k->process);
    if (memory > k->memory) k->memory = memory;
    if (memory > k->limits.memory) stop_at(k, TW_LIMIT_MEMORY);
}

static void look_at_end(child *k, int64_t now)
{
    if (k->ended || !os_process_ended(k->process, &k->exit)) return;
    k->ended = 1;
    k->wall = now - k->start;
    if (k->memory > k->exit.memory) k->exit.memory = k->memory;
    /* It may have come to its end by itself in the moment before; unless what it printed was cut, that is what counts. */
    if (!k->exit.signal && k->limit != TW_LIMIT_OUTPUT) k->limit = TW_LIMIT_NONE;
    k->input_ends = 1;
}

/* How long may be waited before someone has to be looked at again. */
static int64_t slice(const children *c, int64_t now)
{
    int64_t ns = LONG_SLICE;

    for (uint32_t i = 0; i < c->n; i++) {
        const child *k = c->child[i];
        if (k->ended) continue;
        if (k->limits.memory && ns > SLICE) ns = SLICE;
        if (ns > wall_left(k, now)) ns = wall_left(k, now);
        if (k->output.ended && k->errors.ended && ns > SHORT_SLICE) ns = SHORT_SLICE;
    }
    return ns > 0 ? ns : 0;
}

/* Waits for at most so long, and does what there is to do. */
static void pass(children *c, int64_t ns)
{
    int64_t now = os_monotonic(), most = slice(c, now);
    int input = has_room(&c->input);

    for (uint32_t i = 0; i < c->n; i++) {
        child *k = c->child[i];
        c->wanted[i] = (os_wanted){ k->process, 0, 0 };
        if (has_room(&k->output)) c->wanted[i].streams |= OS_OUTPUT;
        if (has_room(&k->errors)) c->wanted[i].streams |= OS_ERRORS;
        if (k->sent < k->input.n && !k->input_closed) c->wanted[i].streams |= OS_INPUT;
        if (k->ended && c->wanted[i].streams && most > SHORT_SLICE) most = SHORT_SLICE; /* its streams end soon */
    }
    if (os_process_wait(c->wanted, c->n, input, ns < most ? ns : most)) {
        size_t n;
        char *to = lines_room(&c->input, &n);
        ptrdiff_t got = os_input_read(to, n);
        if (got > 0) lines_add(&c->input, (size_t)got);
        if (got == 0) c->input.ended = 1;
    }
    now = os_monotonic();
    int look = now - c->looked >= SLICE;
    if (look) c->looked = now;
    for (uint32_t i = 0; i < c->n; i++) {
        child *k = c->child[i];
        int ready = c->wanted[i].ready;
        look_at_end(k, now);
        if (ready & OS_OUTPUT || k->ended) read_stream(k, &k->output, OS_OUTPUT);
        if (ready & OS_ERRORS || k->ended) read_stream(k, &k->errors, OS_ERRORS);
        if (ready & OS_INPUT) write_input(k);
        if (look) look_at_memory(k);
        if (!k->ended && wall_left(k, now) <= 0) stop_at(k, TW_LIMIT_WALL);
    }
}

/* ---- What there is to tell ---- */

static int take_line(children *c, lines *l, tw_notice *out, uint32_t kind)
{
    const char *line;
    size_t n;
    int what = lines_next(l, &line, &n);

    if (what == LINES_NONE) return what;
    text_clear(&c->told);
    text_add(&c->told, line, n);
    out->kind = kind;
    out->more = what != LINES_WHOLE;
    out->text = (tw_text){ c->told.at, (uint32_t)n, 0 };
    return what;
}

static int take_input(children *c, tw_notice *out)
{
    switch (take_line(c, &c->input, out, TW_INPUT)) {
    case LINES_NONE: break;
    case LINES_PART: out->kind = TW_INPUT_TOO_LONG; /* fall through */
    default: out->more = 0; return 1;
    }
    if (!c->input.ended || c->input_told) return 0;
    c->input_told = 1;
    out->kind = TW_INPUT_END;
    return 1;
}

static int take_of(children *c, uint32_t at, tw_notice *out)
{
    child *k = c->child[at];

    out->child = k->id;
    if (take_line(c, &k->output, out, TW_OUTPUT) || take_line(c, &k->errors, out, TW_ERRORS)) return 1;
    if (!k->ended || !k->output.ended || !k->errors.ended) return 0;
    out->kind = TW_EXITED;
    out->limit = k->limit;
    out->status = k->exit.status;
    out->signal = k->exit.signal;
    out->memory = k->exit.memory;
    out->wall = k->wall;
    remove_at(c, at);
    return 1;
}

/* Nobody who talks much keeps the others from being heard. */
static int take_next(children *c, tw_notice *out)
{
    for (uint32_t tries = 0; tries <= c->n; tries++) {
        uint32_t turn = c->turn <= c->n ? c->turn : 0;
        c->turn = turn + 1;
        if (turn == 0) {
            if (take_input(c, out)) return 1;
        } else if (c->child[turn - 1]->whose == CHILD_OF_SERVER && take_of(c, turn - 1, out)) {
            return 1;
        }
        memset(out, 0, sizeof *out);
    }
    return 0;
}

static int take_only(children *c, uint32_t only, tw_notice *out)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->child[i]->id == only) return take_of(c, i, out);
    assert(!"a child that is waited for is one of them");
    return 0;
}

int children_wait(children *c, uint32_t only, int64_t timeout, tw_notice *out)
{
    int64_t begin = os_monotonic(), left = timeout < 0 ? INT64_MAX : timeout;

    if (begin - c->looked >= SLICE) pass(c, 0); /* whoever has much to tell is not free of limits */
    for (;;) {
        memset(out, 0, sizeof *out);
        if (only ? take_only(c, only, out) : take_next(c, out)) return TW_OK;
        if (os_interrupted()) return TW_END;
        if (left < 0) return TW_AGAIN;
        pass(c, left);
        if (timeout >= 0) left = timeout - (os_monotonic() - begin);
    }
}
