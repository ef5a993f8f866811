/* host.c - the table of functions that a stage is given, and the few more for stages that are part of the core.

   One idea: each is a thin border. It finds the instance behind `self`, does the work where that belongs (types, batches,
   files, the bus), and keeps on the instance what has to be undone when the run is over. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "instance.h"
#include "message.h"
#include "os.h"
#include "output.h"
#include "server.h"

static instance *instance_of(void *self)
{
    return ((tw_self *)self)->instance;
}

/* ---- Saying ---- */

static int fail_with_status(void *self, int status, const char *format, va_list args) PRINTF_LIKE(3, 0);

static int fail_with_status(void *self, int status, const char *format, va_list args)
{
    instance *i = instance_of(self);
    text why = { 0 };

    text_format_list(&why, format, args);
    bus_fail(i->bus, status, i, text_of(&why));
    text_free(&why);
    return TW_ERROR;
}

static int host_fail(void *self, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int rc = fail_with_status(self, 1, format, args);
    va_end(args);
    return rc;
}

static int host_misuse(void *self, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int rc = fail_with_status(self, 2, format, args);
    va_end(args);
    return rc;
}

static void host_log(void *self, int severity, const char *format, ...)
{
    instance *i = instance_of(self);
    bus *b = i->bus;
    text line = { 0 };
    va_list args;

    if (severity < (b->options->quiet ? TW_WARNING : TW_INFO) || b->previewing) return;
    text_format(&line, "%s: ", i->name);
    va_start(args, format);
    text_format_list(&line, format, args);
    va_end(args);
    report_plain(&line);
    text_put(&line, "\n");
    os_lock(b->lock);
    progress_clear(&b->progress);
    fputs(text_of(&line), stderr); /* in one piece, so that lines of several programs do not mix */
    os_unlock(b->lock);
    text_free(&line);
}

static int host_stopped(void *self)
{
    return bus_stop_asked(instance_of(self)->bus);
}

static void host_progress(void *self, uint64_t done, uint64_t total)
{
    instance *i = instance_of(self);

    i->done = done;
    i->total = total;
}

/* ---- Types, payloads and what is around them ---- */

static uint32_t host_publish(void *self, const tw_type *t)
{
    instance *i = instance_of(self);
    if (i->rules) rules_calls(i->rules, "publish");
    text why = { 0 };
    uint32_t id = types_publish(i->bus->types, t, &why);

    if (!id && !i->count[i->ncounters + COUNT_TYPES_REFUSED]++)
        host_log(self, TW_WARNING, "a type of events cannot be used: %s; from now on this is only counted",
                 text_of(&why));
    text_free(&why);
    return id;
}

static int host_wanted(void *self, uint32_t type)
{
    instance *i = instance_of(self);
    return bus_wanted(i, type);
}

static const tw_type *type_of(const bus *b, const tw_event *e)
{
    return e->type <= types_count(b->types) ? types_table(b->types)[e->type] : NULL;
}

/* The event's source, or NULL: made events may name one that is not there. */
static feed *feed_of(const bus *b, const tw_event *e)
{
    return e->source < b->nfeeds ? b->feed[e->source] : NULL;
}

/* The source alone knows how its clock ran. Made events have no record, hence no clock. */
static int source_clock(void *context, const tw_event *e, tw_clock *c)
{
    const feed *f = feed_of(context, e);

    if (!f || !f->source->stage->clock || !e->record) return TW_END;
    return f->source->stage->clock(f->source->state, e, c);
}

static int host_clock(void *self, const tw_event *e, tw_clock *c)
{
    return source_clock(instance_of(self)->bus, e, c);
}

static int host_extra(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    const feed *f = feed_of(instance_of(self)->bus, e);

    memset(v, 0, sizeof *v);
    if (!f || !f->source->stage->extra || !e->record) return TW_END;
    return f->source->stage->extra(f->source->state, e, what, item, v);
}

static int host_get(void *self, tw_batch *b, const tw_event *e, int field, tw_value *v)
{
    const tw_type *t = type_of(instance_of(self)->bus, e);
    decode d;

    memset(v, 0, sizeof *v);
    if (!t || field < 0 || (uint32_t)field >= t->nfields) return TW_END;
    bus_decode(self, b, &d);
    return type_get(t, e, field, &d, v);
}

static int host_walk(void *self, tw_batch *b, const tw_event *e, tw_walk *w)
{
    const tw_type *t = type_of(instance_of(self)->bus, e);
    decode d;

    if (!t) return TW_END;
    bus_decode(self, b, &d);
    type_walk(t, e, &d, w); /* which copies d */
    return TW_OK;
}

static const char *host_intern(void *self, const char *at, size_t n)
{
    return types_intern(instance_of(self)->bus->types, at, n);
}

/* ---- Sending on ---- */

static tw_batch *host_batch(void *self)
{
    instance *i = instance_of(self);

    if (i->rules) rules_calls(i->rules, "batch");
    i->made = list_room(i->made, i->nmade, sizeof(tw_batch *));
    return i->made[i->nmade++] = batch_take(i->bus->pool);
}

static int host_emit(void *self, tw_batch *batch)
{
    instance *i = instance_of(self);
    bus *b = i->bus;
    uint32_t k = 0;
    int rc = TW_OK;

    if (i->rules) rules_calls(i->rules, "emit");
    while (k < i->nmade && i->made[k] != batch) k++;
    if (k == i->nmade) return host_fail(self, "emitted a batch that is not its own, or was emitted before");
    i->made[k] = i->made[--i->nmade];
    if (!instance_kept_room(i, batch->n, batch->cap, "events") || !bus_types_fit(i, batch)) {
        rc = TW_ERROR;
    } else if (batch->n && !b->previewing) {
        if (i->rules) rules_emits(i->rules, batch);
        i->sum.events_out += batch->n;
        rc = b->status ? TW_ERROR : bus_send(i->chain, i->at + 1, batch);
    }
    batch_let_go(batch);
    return rc == TW_OK && bus_has_enough(i) ? TW_END : rc;
}

/* A stage always gets its block, so a table that cannot be is the end: there is no block to give. */
static void check_table(const instance *i, const tw_table *t)
{
    text why = { 0 };

    if (plugin_table_fits(t, &why)) return;
    fprintf(stderr, "%s: %s\n", i->name, text_of(&why));
    outputs_give_up();
    exit(1);
}

static tw_rows *host_table(void *self, const tw_table *t)
{
    instance *i = instance_of(self);

    if (i->rules) rules_calls(i->rules, "table");
    for (uint32_t k = 0; k < i->nblocks; k++)
        if (i->block[k].table == t) return i->block[k].rows;
    check_table(i, t);
    i->block = list_room(i->block, i->nblocks, sizeof *i->block);
    i->block[i->nblocks] = (block){ .table = t, .rows = rows_new(t, ROWS_A_BLOCK) };
    if (i->rules) rules_has_rows(i->rules, i->block[i->nblocks].rows);
    return i->block[i->nblocks++].rows;
}

static int host_push(void *self, tw_rows *r)
{
    instance *i = instance_of(self);
    uint32_t k = 0;

    if (i->rules) rules_calls(i->rules, "push");
    while (k < i->nblocks && i->block[k].rows != r) k++;
    if (k == i->nblocks) return host_fail(self, "pushed rows that are not its own");
    int rc = bus_push(i, &i->block[k]);
    return rc == TW_OK && bus_has_enough(i) ? TW_END : rc;
}

/* ---- Files ---- */

static tw_input *host_open(void *self, const char *path)
{
    instance *i = instance_of(self);
    tw_input *in;

    text_clear(&i->why);
    if (input_open(path, &in, &i->why) != TW_OK) return NULL;
    i->input = list_room(i->input, i->ninputs, sizeof(tw_input *));
    return i->input[i->ninputs++] = in;
}

/* A folder that an option names is made with the first file in it; any other has to be there. */
static int make_folder_for(const instance *i, const char *path, text *why)
{
    const char *folder;
    text fact = { 0 };

    for (const tw_option *o = i->stage->options; o && o->name; o++) {
        if (o->kind != TW_OPT_FOLDER) continue;
        memcpy(&folder, (const char *)i->state + o->offset, sizeof folder);
        size_t n = strlen(folder);
        if (!n || strncmp(path, folder, n) != 0 || os_make_folder(folder, &fact) == TW_OK) continue;
        text_format(why, "the folder %s cannot be made: %s", folder, text_of(&fact));
        text_free(&fact);
        return TW_ERROR;
    }
    return TW_OK;
}

static tw_output *host_create(void *self, const char *path)
{
    instance *i = instance_of(self);
    tw_output *out;

    text_clear(&i->why);
    if (make_folder_for(i, path, &i->why) != TW_OK || output_open(path, &out, &i->why) != TW_OK) return NULL;
    i->output = list_room(i->output, i->noutputs, sizeof(tw_output *));
    return i->output[i->noutputs++] = out;
}

/* In a run that was interrupted nothing is whole, whatever the stage thinks. */
static int host_finish(tw_output *o, int keep)
{
    instance *i = bus_inside();
    uint32_t k = 0;

    if (!i) return TW_ERROR; /* a thread of the stage's own: the file is finished when the run is over */
    while (k < i->noutputs && i->output[k] != o) k++;
    if (k == i->noutputs) return host_fail(i->state, "finished a file that is not its own, or was finished before");
    i->output[k] = i->output[--i->noutputs];
    text_clear(&i->why);
    return bus_finish(i->bus, o, keep && !i->bus->interrupted && !i->bus->status, &i->why);
}

/* ---- Services ---- */

static int host_offer(void *self, const char *id, const void *functions)
{
    instance *i = instance_of(self);

    i->offer = list_room(i->offer, i->noffers, sizeof *i->offer);
    i->offer[i->noffers++] = (service){ mem_text(id, strlen(id)), functions };
    return TW_OK;
}

/* The newest offer of the nearest stage before i: an offer can be renewed. *from is that stage. */
static const void *nearest_offer(const instance *i, const char *id, const instance **from)
{
    uint32_t n;
    const instance **before = graph_before(i, &n);
    const void *found = NULL;

    while (n-- > 0 && !found) {
        *from = before[n];
        for (uint32_t k = (*from)->noffers; k-- > 0 && !found;)
            if (!strcmp((*from)->offer[k].id, id)) found = (*from)->offer[k].functions;
    }
    free(before);
    return found;
}

static const void *host_extension(void *self, const char *id)
{
    const instance *i = instance_of(self), *from;
    const void *found = nearest_offer(i, id, &from);
    text why = { 0 };

    if (!found) return server_extension(self, id);
    if (from->side == i->side) return found;
    text_format(&why,
                "it uses what %s offers as '%s', but stands behind a `thread`; a service is used on one thread only, "
                "so put `thread` before %s or behind %s",
                from->name, id, from->name, i->name);
    bus_fail(i->bus, 2, i, text_of(&why));
    text_free(&why);
    return NULL;
}

static int host_words(void *self, tw_batch *b, const tw_event *e, int what, tw_text *out)
{
    const tw_type *t = bus_types(self) ? types_table(bus_types(self))[e->type] : NULL;
    text words = { 0 };
    decode d;

    bus_decode(self, b, &d);
    if (!t || what < TW_WORDS_FIELDS || what > TW_WORDS_MESSAGE) return TW_END;
    if (what == TW_WORDS_MESSAGE && !t->message) return TW_END;
    (what == TW_WORDS_MESSAGE ? message_text : type_text)(t, e, &d, &words);
    *out = (tw_text){ arena_text(d.memory, words.n ? words.at : "", words.n), (uint32_t)words.n, 0 };
    text_free(&words);
    return TW_OK;
}

const tw_host host_functions = {
    .size = sizeof(tw_host),
    .minor = TW_ABI_MINOR,
    .fail = host_fail,
    .misuse = host_misuse,
    .log = host_log,
    .stopped = host_stopped,
    .progress = host_progress,
    .publish = host_publish,
    .wanted = host_wanted,
    .field = type_field,
    .get = host_get,
    .walk = host_walk,
    .next = type_next,
    .extra = host_extra,
    .clock = host_clock,
    .print = value_print,
    .alloc = batch_alloc,
    .cell = rows_cell,
    .keep = batch_keep,
    .intern = host_intern,
    .batch = host_batch,
    .emit = host_emit,
    .table = host_table,
    .push = host_push,
    .input = input_name,
    .at = input_at,
    .unmap = input_unmap,
    .receive = input_receive,
    .open = host_open,
    .create = host_create,
    .write = output_write,
    .rewrite = output_rewrite,
    .finish = host_finish,
    .offer = host_offer,
    .extension = host_extension,
    .words = host_words,
};

/* ---- For stages of the core ---- */

/* A pipeline has one Lua state, and that has one thread. */
void *bus_script(void *self)
{
    const instance *i = instance_of(self);
    bus *b = i->bus;
    text why = { 0 };

    if (!b->lua) b->lua = i;
    if (b->lua->side != i->side) {
        text_format(
            &why,
            "it runs Lua, as %s does on the other side of a `thread`; a pipeline runs Lua on one thread only, "
            "so put both on the same side",
            b->lua->name);
        bus_fail(b, 2, i, text_of(&why));
        text_free(&why);
    }
    return b->options->script;
}

types *bus_types(void *self)
{
    return instance_of(self)->bus->types;
}

void bus_decode(void *self, tw_batch *b, decode *d)
{
    *d = (decode){ batch_memory(b), source_clock, instance_of(self)->bus };
}

int64_t bus_begin(void *self, const tw_event *e)
{
    bus *b = instance_of(self)->bus;
    feed *f = feed_of(b, e);
    tw_clock c = { 0 };

    if (!f) return e->time;
    if (f->has_begin) return f->begin;
    int64_t begin = source_clock(b, e, &c) == TW_OK && c.begin ? c.begin : f->has_first ? f->first : e->time;
    os_lock(b->lock);
    if (!f->has_begin) f->begin = begin;
    f->has_begin = 1;
    os_unlock(b->lock);
    return f->begin;
}

uint64_t bus_passed(void *self)
{
    return instance_of(self)->sum.events_in;
}
