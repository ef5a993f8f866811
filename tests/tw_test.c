/* tw_test.c - one stage on a rig: a test drives it by hand and looks at what comes out.

   One idea: everything that arrives is copied at once, so a test may look at it after the batch is gone. */
#include "tw_test.h"

#include <stdlib.h>

#include "instance.h"

enum { MOST_WORDS = 64, MOST_TABLES = 32, MOST_EXTRAS = 16 };

typedef struct caught {
    const tw_table *table;
    uint32_t n;
    tw_value *cell; /* n rows of ncols; kind 0: null */
} caught;

struct rig {
    bus *bus;
    bus_options options;
    spec chain[3];
    uint32_t n, at; /* stages in the chain; the place of the one under test */
    tw_host host;
    setting set[MOST_WORDS];
    const char *value[MOST_WORDS];
    arena memory, arrived; /* arrived: of the last call */
    tw_batch *feed;
    tw_event *left;
    uint32_t nleft;
    caught table[MOST_TABLES];
    uint32_t ntables;
    tw_clock clock;
    struct {
        uint32_t what, item;
        tw_value value;
    } extra[MOST_EXTRAS];
    uint32_t nextras;
    char printed[4096];
};

/* What feeder and catcher have for a state. */
typedef struct ends {
    tw_self tw;
    rig *rig;
} ends;

/* ---- The feeder ---- */

static int feeder_read(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static int feeder_extra(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    rig *r = ((ends *)self)->rig;

    (void)e;
    for (uint32_t i = 0; i < r->nextras; i++) {
        if (r->extra[i].what != what || r->extra[i].item != item) continue;
        *v = r->extra[i].value;
        return TW_OK;
    }
    return TW_END;
}

static int feeder_clock(void *self, const tw_event *e, tw_clock *c)
{
    (void)e;
    *c = ((ends *)self)->rig->clock;
    return c->hz ? TW_OK : TW_END;
}

static const tw_stage feeder = {
    .size = sizeof(tw_stage),
    .name = "feeder",
    .state = sizeof(ends),
    .read = feeder_read,
    .extra = feeder_extra,
    .clock = feeder_clock,
};

/* ---- The catcher ---- */

static const void *copy(arena *memory, const void *bytes, size_t n)
{
    return arena_text(memory, bytes, n);
}

static int catch_events(void *self, tw_batch *b)
{
    rig *r = ((ends *)self)->rig;
    tw_event *all = arena_alloc(&r->arrived, (r->nleft + b->n) * sizeof *all);

    if (r->nleft) memcpy(all, r->left, r->nleft * sizeof *all);
    for (uint32_t i = 0; i < b->n; i++) {
        tw_event *e = &all[r->nleft++];
        *e = b->event[i];
        e->data = copy(&r->arrived, e->data, e->bytes);
    }
    r->left = all;
    return TW_OK;
}

static caught *find_table(rig *r, const char *name)
{
    for (uint32_t i = 0; i < r->ntables; i++)
        if (!strcmp(r->table[i].table->name, name)) return &r->table[i];
    return NULL;
}

static int catch_table(void *self, const tw_table *t)
{
    rig *r = ((ends *)self)->rig;

    if (r->ntables == MOST_TABLES) return tw_fail(self, "a stage under test makes at most %d tables", MOST_TABLES);
    r->table[r->ntables++] = (caught){ .table = t };
    return TW_OK;
}

static int is_text(uint32_t kind)
{
    return kind == TW_TEXT || kind == TW_BYTES || kind == TW_SID || kind == TW_SOCKADDR;
}

/* A cell whose memory is the rig's. */
static tw_value own_cell(rig *r, const tw_rows *rows, uint32_t col, uint32_t row)
{
    tw_field one = rows->table->col[col];
    tw_value v;

    if (!tw_cell(rows, col, row, &v)) return (tw_value){ 0 };
    if (one.flags & TW_LIST) {
        one.flags = 0;
        tw_text *elements = arena_alloc(&r->memory, v.count * kind_bytes(&one));
        if (v.count) memcpy(elements, v.t.at, v.count * kind_bytes(&one));
        for (uint32_t i = 0; is_text(v.kind) && i < v.count; i++)
            elements[i].at = copy(&r->memory, elements[i].at, elements[i].bytes);
        v.t.at = (const char *)elements;
    } else if (is_text(v.kind) || v.kind == TW_GUID || v.kind == TW_IP4 || v.kind == TW_IP6) {
        v.t.at = copy(&r->memory, v.t.at, v.t.bytes);
    }
    return v;
}

static int catch_rows(void *self, tw_rows *rows)
{
    rig *r = ((ends *)self)->rig;
    caught *t = find_table(r, rows->table->name);
    uint32_t ncols = rows->table->ncols;

    t->cell = mem_grow(t->cell, (size_t)(t->n + rows->n) * ncols * sizeof *t->cell);
    for (uint32_t row = 0; row < rows->n; row++, t->n++)
        for (uint32_t c = 0; c < ncols; c++) t->cell[t->n * ncols + c] = own_cell(r, rows, c, row);
    return TW_OK;
}

static const tw_stage catcher = {
    .size = sizeof(tw_stage),
    .name = "catcher",
    .state = sizeof(ends),
    .events = catch_events,
    .table = catch_table,
    .rows = catch_rows,
};

/* ---- The rig ---- */

/* One word of the options, quotes taken off; NULL at the end. */
static char *next_word(rig *r, const char **at)
{
    text word = { 0 };
    int quoted = 0;

    while (**at == ' ') ++*at;
    if (!**at) return NULL;
    for (; **at && (quoted || **at != ' '); ++*at) {
        if (**at == '\'')
            quoted = !quoted;
        else
            text_add(&word, *at, 1);
    }
    char *own = arena_text(&r->memory, text_of(&word), word.n);
    text_free(&word);
    return own;
}

static uint32_t read_options(rig *r, const char *options)
{
    uint32_t n = 0;

    for (char *word; n < MOST_WORDS && (word = next_word(r, &options)); n++) {
        char *equals = strchr(word, '=');
        if (equals) *equals = 0;
        r->value[n] = equals ? equals + 1 : word;
        r->set[n] = (setting){ equals ? word : NULL, &r->value[n], 1, 0 };
    }
    return n;
}

static void unwatch(instance *i)
{
    rules_free(i->rules);
    i->rules = NULL;
}

rig *rig_new(const tw_stage *stage, const char *options)
{
    rig *r = mem_new(sizeof *r);

    r->options.rules = 1;
    r->bus = bus_new("", &r->options);
    if (!stage->read) r->chain[r->n++] = (spec){ .stage = feeder.name, .builtin = &feeder };
    r->at = r->n;
    r->chain[r->n] = (spec){ .stage = stage->name, .builtin = stage, .set = r->set };
    r->chain[r->n++].n = read_options(r, options);
    r->chain[r->n++] = (spec){ .stage = catcher.name, .builtin = &catcher };
    for (uint32_t k = 0; k < r->n; k++) bus_add(r->bus, &r->chain[k]);
    for (uint32_t k = 0; k < r->n; k++) {
        if (k == r->at) continue;
        ((ends *)(void *)r->bus->all[k]->state)->rig = r;
        unwatch(r->bus->all[k]); /* the test calls the host for these two */
    }
    r->host = host_functions;
    r->bus->all[r->at]->state->host = &r->host;
    return r;
}

void rig_free(rig *r)
{
    report unused;

    if (r->feed) batch_let_go(r->feed);
    bus_close(r->bus, &unused);
    report_free(&unused);
    for (uint32_t i = 0; i < r->ntables; i++) free(r->table[i].cell);
    arena_free(&r->memory);
    arena_free(&r->arrived);
    free(r);
}

void rig_unwatch(rig *r)
{
    unwatch(r->bus->all[r->at]);
}

tw_host *rig_host(rig *r)
{
    return &r->host;
}

void *rig_state(rig *r)
{
    return r->bus->all[r->at]->state;
}

/* Forgets what arrived in the call before. 0 where the run has failed, so nothing more is done. */
static int begin_call(rig *r)
{
    arena_reset(&r->arrived);
    r->nleft = 0;
    r->left = NULL;
    return !r->bus->status;
}

static int end_call(rig *r, int rc)
{
    return r->bus->status ? TW_ERROR : rc == TW_OK && r->bus->enough ? TW_END : rc;
}

int rig_open(rig *r)
{
    return end_call(r, bus_open(r->bus));
}

static tw_batch *batch_to_feed(rig *r)
{
    if (!r->feed) r->feed = batch_take(r->bus->pool);
    return r->feed;
}

int rig_feed(rig *r)
{
    tw_batch *b = batch_to_feed(r);

    if (!begin_call(r)) return TW_ERROR;
    b->upto = b->n ? b->event[b->n - 1].time : INT64_MIN;
    feed *from = r->bus->feed[0];
    if (!from->has_first && b->n) {
        from->first = b->event[0].time;
        from->has_first = 1;
    }
    r->feed = NULL;
    int rc = bus_send(&r->bus->main, r->at, b);
    batch_let_go(b);
    return end_call(r, rc);
}

int rig_read(rig *r)
{
    if (!begin_call(r)) return TW_ERROR;
    return end_call(r, bus_pull(r->bus->feed[0]));
}

int rig_push(rig *r)
{
    instance *i = r->bus->all[0];
    int rc = TW_OK;

    if (!begin_call(r)) return TW_ERROR;
    for (uint32_t k = 0; k < i->nblocks && rc == TW_OK; k++) rc = bus_push(i, &i->block[k]);
    return end_call(r, rc);
}

int rig_tick(rig *r)
{
    instance *i = r->bus->all[r->at];

    if (!begin_call(r)) return TW_ERROR;
    return end_call(r, instance_call(i, i->stage->tick));
}

int rig_end(rig *r)
{
    if (!begin_call(r)) return TW_ERROR;
    return end_call(r, bus_end(r->bus));
}

uint32_t rig_publish(rig *r, const tw_type *t)
{
    tw_self *self = r->bus->all[0]->state;
    return self->host->publish(self, t);
}

tw_event *rig_event(rig *r, uint32_t type, int64_t time, const void *payload, uint32_t bytes)
{
    tw_batch *b = batch_to_feed(r);

    if (b->n == b->cap) abort();
    uint8_t *data = batch_alloc(b, bytes);
    if (bytes) memcpy(data, payload, bytes);
    b->event[b->n] = (tw_event){ .time = time, .type = type, .data = data, .bytes = bytes };
    return &b->event[b->n++];
}

tw_rows *rig_rows(rig *r, const tw_table *t)
{
    tw_self *self = r->bus->all[0]->state;
    return self->host->table(self, t);
}

void rig_set_clock(rig *r, const tw_clock *c)
{
    r->clock = *c;
}

void rig_set_extra(rig *r, uint32_t what, uint32_t item, const tw_value *v)
{
    if (r->nextras == MOST_EXTRAS) abort();
    r->extra[r->nextras].what = what;
    r->extra[r->nextras].item = item;
    r->extra[r->nextras++].value = *v;
}

/* ---- What came out ---- */

uint32_t rig_left(rig *r, const tw_event **events)
{
    *events = r->left;
    return r->nleft;
}

int rig_announced(rig *r, const char *table)
{
    return find_table(r, table) != NULL;
}

uint32_t rig_row_count(rig *r, const char *table)
{
    const caught *t = find_table(r, table);
    return t ? t->n : 0;
}

static const tw_field *find_column(const caught *t, const char *name)
{
    for (uint32_t c = 0; t && c < t->table->ncols; c++)
        if (!strcmp(t->table->col[c].name, name)) return &t->table->col[c];
    return NULL;
}

const tw_value *rig_cell(rig *r, const char *table, uint32_t row, const char *column)
{
    const caught *t = find_table(r, table);
    const tw_field *f = find_column(t, column);

    if (!f || row >= t->n) return NULL;
    const tw_value *v = &t->cell[row * t->table->ncols + (uint32_t)(f - t->table->col)];
    return v->kind ? v : NULL;
}

const char *rig_text(rig *r, const char *table, uint32_t row, const char *column)
{
    const tw_value *v = rig_cell(r, table, row, column);

    r->printed[0] = 0;
    if (v) host_functions.print(find_column(find_table(r, table), column), v, r->printed, sizeof r->printed);
    return r->printed;
}

uint64_t rig_count(rig *r, const char *counter)
{
    const instance *i = r->bus->all[r->at];

    for (uint32_t k = 0; k < i->ncounters; k++)
        if (!strcmp(i->stage->counters[k].name, counter)) return i->count[k];
    if (!strcmp(counter, "out of order")) return i->count[i->ncounters + COUNT_OUT_OF_ORDER];
    if (!strcmp(counter, "types refused")) return i->count[i->ncounters + COUNT_TYPES_REFUSED];
    return UINT64_MAX;
}

const char *rig_error(rig *r)
{
    return text_of(&r->bus->error);
}

int rig_status(rig *r)
{
    return r->bus->status;
}
