/* graph.c - the shape of a pipeline: chains are made of specs, checked, and looked through.

   One idea: what a pipeline file says becomes a tree once, before anything is opened; from then on a step knows what it
   is, and no name is looked at again. */
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "layout.h"

/* ---- Making ---- */

static int is_word(const spec *s, const char *word)
{
    return !s->builtin && !strcmp(s->stage, word);
}

/* The bus fails for what is said where this spec stands. */
static int refuse(bus *b, const spec *s, const char *sentence)
{
    const instance word = { .bus = b, .name = s->stage, .place = s->place };

    bus_fail(b, 2, &word, sentence);
    return TW_ERROR;
}

static void add_feed(chain *c, instance *source)
{
    bus *b = c->bus;
    feed *f = mem_new(sizeof *f);

    f->source = source;
    f->chain = c;
    f->index = (uint16_t)b->nfeeds;
    if (c->parent) c->joins = f;
    b->feed = list_room(b->feed, b->nfeeds, sizeof(feed *));
    b->feed[b->nfeeds++] = f;
}

static int add_branches(chain *c, const spec *s, int merges)
{
    uint32_t place = c->n - 1; /* its step, wherever the list of steps may move to */

    c->step[place].merges = merges;
    c->step[place].branch = mem_new((s->nbranches ? s->nbranches : 1) * sizeof(chain *));
    for (uint32_t k = 0; k < s->nbranches; k++) {
        chain *branch = mem_new(sizeof *branch);
        *branch = (chain){ .bus = c->bus, .parent = c, .place = place, .side = c->side, .in_merge = merges };
        c->step[place].branch[c->step[place].nbranches++] = branch;
        for (uint32_t m = 0; m < s->branch[k].n; m++)
            if (chain_add(branch, &s->branch[k].stage[m]) != TW_OK) return TW_ERROR;
    }
    return TW_OK;
}

static int add_border(chain *c, const spec *s)
{
    bus *b = c->bus;
    border *made = border_new(c, s);

    if (!made) return TW_ERROR;
    b->border = list_room(b->border, b->nborders, sizeof(border *));
    b->border[b->nborders++] = c->step[c->n - 1].border = made;
    c->side = b->nborders;
    return TW_OK;
}

static int add_stage(chain *c, const spec *s)
{
    instance *i = instance_new(c, s);

    if (!i) return TW_ERROR;
    c->step[c->n - 1].stage = i;
    if (c->n == 1 && (!c->parent || c->in_merge)) add_feed(c, i);
    return TW_OK;
}

int chain_add(chain *c, const spec *s)
{
    text why = { 0 };

    if (c->bus->nsteps == MOST_STAGES) {
        text_format(&why, "a pipeline has at most %d stages", MOST_STAGES);
        bus_fail(c->bus, 2, NULL, text_of(&why));
        text_free(&why);
        return TW_ERROR;
    }
    c->bus->nsteps++;
    c->step = list_room(c->step, c->n, sizeof *c->step);
    c->step[c->n++] = (step){ .spec = s };
    if (is_word(s, "merge")) return add_branches(c, s, 1);
    if (is_word(s, "tee")) return add_branches(c, s, 0);
    return is_word(s, "thread") ? add_border(c, s) : add_stage(c, s);
}

void chain_free(chain *c)
{
    for (uint32_t k = 0; k < c->n; k++) {
        for (uint32_t m = 0; m < c->step[k].nbranches; m++) {
            chain_free(c->step[k].branch[m]);
            free(c->step[k].branch[m]);
        }
        free(c->step[k].branch);
    }
    for (uint32_t k = 0; k < c->ncopies; k++) rows_free(c->copy[k].rows);
    free(c->copy);
    free(c->step);
}

/* ---- Checking ---- */

/* A sentence about what begins a chain, or NULL. */
static const char *wrong_beginning(const chain *c, const step *first)
{
    const tw_stage *s = first->stage ? first->stage->stage : NULL;

    if (c->in_merge && (!s || !s->read))
        return "it is no source, but comes first in a branch of merge; each of them begins with a source, such as "
               "etl.read";
    if (!c->parent && !first->merges && (!s || (!s->read && !s->run)))
        return "it is no source, but comes first; a pipeline begins with a source, such as etl.read";
    if (s && s->run && (c->parent || c->bus->nsteps > 1))
        return "it stands alone, so no other stage can come after it";
    return NULL;
}

static const char *wrong_later(const step *at)
{
    const tw_stage *s = at->stage ? at->stage->stage : NULL;

    if (at->merges) return "it brings sources together, so it can only come first";
    if (s && s->read) return "it is a source, so it can only come first";
    if (s && s->run) return "it stands alone, so it can only be the only stage";
    return NULL;
}

static const char *wrong_fork(const step *at)
{
    if (!at->branch) return NULL;
    if (!at->nbranches && at->merges)
        return "it has no branches; write merge { etl.read \"a.etl\", etl.read \"b.etl\" }";
    if (!at->nbranches) return "it has no branches; write tee { { csv.write \"a.csv\" }, { json.write \"a.json\" } }";
    for (uint32_t k = 0; k < at->nbranches; k++)
        if (!at->branch[k]->n) return "one of its branches has no stages";
    return NULL;
}

static int all_live(const bus *b)
{
    for (uint32_t k = 0; k < b->nfeeds; k++)
        if (!(b->feed[k]->source->stage->flags & TW_LIVE)) return 0;
    return 1;
}

static const char *wrong_border(const chain *c, uint32_t place)
{
    const border *d = c->step[place].border;

    if (!d) return NULL;
    if (c->in_merge) return "it cannot stand in a branch of merge; put it behind the merge";
    if (place + 1 == c->n) return "nothing comes behind it, so there is nothing to do on another thread";
    if (border_sheds(d) && !all_live(c->bus))
        return "'shed' drops events where waiting would lose them anyway, which is so behind live sources only; "
               "without it nothing is dropped";
    return NULL;
}

static int chain_fits(const chain *c)
{
    for (uint32_t k = 0; k < c->n; k++) {
        const step *at = &c->step[k];
        const char *wrong = k || (c->parent && !c->in_merge) ? wrong_later(at) : wrong_beginning(c, at);
        if (!wrong) wrong = wrong_fork(at);
        if (!wrong) wrong = wrong_border(c, k);
        if (wrong) return refuse(c->bus, at->spec, wrong) == TW_OK;
        for (uint32_t m = 0; m < at->nbranches; m++)
            if (!chain_fits(at->branch[m])) return 0;
    }
    return 1;
}

int graph_fits(bus *b)
{
    if (!b->main.n) bus_fail(b, 2, NULL, "it has no stages");
    return b->main.n && chain_fits(&b->main);
}

/* ---- Looking through ---- */

typedef struct way {
    const instance **stage;
    uint32_t n;
} way;

static void put_steps(way *w, const chain *c, uint32_t end)
{
    for (uint32_t k = 0; k < end; k++) {
        const step *at = &c->step[k];
        if (at->stage) {
            w->stage = list_room(w->stage, w->n, sizeof(const instance *));
            w->stage[w->n++] = at->stage;
        }
        for (uint32_t m = 0; m < at->nbranches && at->merges; m++) put_steps(w, at->branch[m], at->branch[m]->n);
    }
}

static void put_way(way *w, const chain *c, uint32_t end)
{
    if (c->parent && !c->in_merge) put_way(w, c->parent, c->place);
    put_steps(w, c, end);
}

const instance **graph_before(const instance *i, uint32_t *n)
{
    way w = { 0 };

    put_way(&w, i->chain, i->at);
    *n = w.n;
    return w.stage;
}

static int wanted_from(const chain *c, uint32_t from, int preview, const char *name)
{
    for (uint32_t k = from; k < c->n; k++) {
        const step *at = &c->step[k];
        if (at->stage && instance_looks_at(at->stage, preview, name)) return 1;
        for (uint32_t m = 0; m < at->nbranches; m++)
            if (wanted_from(at->branch[m], 0, preview, name)) return 1;
    }
    return c->in_merge && wanted_from(&c->bus->main, 1, preview, name);
}

int graph_wanted(const instance *i, int preview, const tw_type *t)
{
    return wanted_from(i->chain, i->at + 1, preview, layout_of(t)->full_name);
}

static int read_from(const chain *c, uint32_t from, const tw_table *t, int (*apart)(const instance *))
{
    for (uint32_t k = from; k < c->n; k++) {
        const step *at = &c->step[k];
        if (at->stage && instance_reads(at->stage, t) && !apart(at->stage)) return 1;
        for (uint32_t m = 0; m < at->nbranches; m++)
            if (read_from(at->branch[m], 0, t, apart)) return 1;
    }
    return c->in_merge && read_from(&c->bus->main, 1, t, apart);
}

int graph_reads(const instance *i, const tw_table *t, int (*apart)(const instance *))
{
    return read_from(i->chain, i->at + 1, t, apart);
}
