/* read.c - etl.read: the events of .etl files.

   The index says where the buffers are and when each begins; they are opened in that order, one at a time, and walked
   whole. One idea: an event is a row that points into its buffer, and every batch holds the buffers it points into; the
   host sorts, told by the begin of the next buffer how far it can go. Where too many buffers overlap in time for all of
   them to stay in memory, events are copied out of theirs. */
#include "read.h"

#include <inttypes.h>
#include <stdlib.h>

#include "headers.h"

extern const tw_stage etl_read_stage;

enum { BUFFERS_A_CALL = 64 /* that are opened before the host may look around */ };

/* ---- Buffers ---- */

static void close_buffer(etl_read *s)
{
    block_let_go(s->block);
    s->block = NULL;
}

/* What is wrong with a buffer as a whole. A buffer that the file's end cuts was counted as such already. */
static void count_fault(etl_read *s, const entry *e)
{
    if (s->block->why == CAUSE_UNREADABLE)
        index_skip(&s->index, e->file, CAUSE_UNREADABLE, e->at, e->size, 0);
    else if (s->block->why == CAUSE_METHOD || (s->block->why == CAUSE_STREAM && !e->cut))
        index_skip(&s->index, e->file, s->block->why, e->at, e->filled - s->block->end, 0);
}

/* TW_OK, TW_END when there is no more, or TW_ERROR. */
static int open_buffer(etl_read *s)
{
    const entry *e;

    if (s->next == s->index.n) return TW_END;
    e = &s->index.entry[s->next++];
    s->entry = e;
    s->session = &s->index.session[e->session];
    s->block = block_open(s->tw.host, s->file[e->file], s->session, e);
    if (!s->block) {
        uint64_t bytes;
        return tw_fail(s, "no memory for a buffer of %s", s->tw.host->input(s->file[e->file], &bytes));
    }
    s->at = ETW_BUFFER_HEADER;
    s->time = e->first;
    s->done += e->size;
    s->tw.host->progress(s, s->done, s->index.bytes);
    count_fault(s, e);
    return TW_OK;
}

/* ---- Events ---- */

/* The rest of the buffer makes no sense: its last event ends where its data do, so that what looks like padding before is
   none, unless there is nothing else. Where the buffer itself is cut short its last event is, too: no other fault. Inside
   of a compressed one there are no offsets in the file but its own. */
static void give_up_buffer(etl_read *s, enum record_status status)
{
    const entry *e = s->entry;
    uint64_t place = e->at + (e->flags & ETW_FLAG_COMPRESSED ? 0 : s->at);
    const uint8_t *rest = s->block->at + s->at;
    uint32_t bytes = s->block->end - s->at;

    s->at = s->block->end;
    if (e->cut || s->block->why != CAUSES || (status == RECORD_PADDING && is_padding(rest, bytes))) return;
    index_skip(&s->index, e->file, status == RECORD_UNKNOWN ? CAUSE_HEADER_TYPE : CAUSE_EVENT, place, bytes, 1);
}

static void count_event(span *of, int64_t time)
{
    if (of->events++ == 0) of->first = of->last = time;
    if (time < of->first) of->first = time;
    if (time > of->last) of->last = time;
}

/* Of all sessions taken together. */
static void sum_up(etl_read *s)
{
    memset(&s->all, 0, sizeof s->all);
    for (uint32_t i = 0; i < s->index.nsessions; i++) {
        const span *one = &s->seen[i];
        if (!one->events) continue;
        if (!s->all.events || one->first < s->all.first) s->all.first = one->first;
        if (!s->all.events || one->last > s->all.last) s->all.last = one->last;
        s->all.events += one->events;
    }
}

/* ---- Types ---- */

/* Whether others than the event itself may know it, and the trace among them. */
static int may_be_described(const record *r)
{
    return (r->kind == RECORD_EVENT && !r->schema) || r->kind == RECORD_CLASSIC;
}

/* A record whose type was not met before. What a trace says of its events is believed before the user's files and our own
   tables, so it is searched before these are asked. Only where our tables know the event is that left out: a trace that
   was not merged holds nothing but what EventSources say of themselves, and no table has those. */
static enum schema_match describe(void *self, const record *r, schema_words *words, tw_type *t)
{
    etl_read *s = self;
    enum schema_match match;

    if (r->kind == RECORD_MESSAGE) learn_tmfs(&s->learn, self);
    if (may_be_described(r)) learn_manifests(&s->learn, self);
    int merged = r->kind == RECORD_EVENT && may_be_described(r) && s->session->log.mode & ETW_MODE_RELOG;
    if ((merged || eventsources_is(r)) && !s->searched) read_search(s);
    match = schemas_describe(&s->learn.known, r, words, t);
    if ((match == SCHEMA_EXACT && !words->of_user) || s->searched || !may_be_described(r)) return match;
    read_search(s);
    return schemas_describe(&s->learn.known, r, words, t);
}

static void put(tw_event *e, const etl_read *s, const record *r, uint32_t type)
{
    e->time = s->time;
    e->data = r->at + r->payload;
    e->record = r->at;
    e->bytes = r->size - r->payload;
    e->type = type;
    e->pid = r->pid;
    e->tid = r->tid;
    e->cpu = s->entry->cpu;
    e->source = 0;
    e->flags = (uint32_t)s->entry->session << 16 | (uint16_t)(s->next - 1);
}

/* Events of the open buffer, until it or the batch is at its end. */
static void walk(etl_read *s, tw_batch *b)
{
    const block *buffer = s->block;
    span *seen = &s->seen[s->entry->session];
    record r;

    while (s->at < buffer->end && b->n < b->cap) {
        enum record_status status = record_read(buffer->at + s->at, buffer->end - s->at, &r);
        uint32_t at = s->at;
        known_type *type;

        if (status != RECORD_GOOD) {
            give_up_buffer(s, status);
            return;
        }
        s->at += (r.size + (ETW_PAD - 1)) & ~(uint32_t)(ETW_PAD - 1);
        if (r.timed) s->time = clock_ns(&s->session->clock, r.ticks);
        s->broken += r.broken;
        count_event(seen, s->time);
        type = types_find(&s->types, s, &r, describe);
        type->events++;
        type->bytes += s->at - at;
        if (type->wanted) put(&b->event[b->n++], s, &r, type->type);
    }
}

/* Gives the events of a batch from `first` on their bytes for themselves. */
static void copy_events(const etl_read *s, tw_batch *b, uint32_t first)
{
    for (tw_event *e = b->event + first; e < b->event + b->n; e++) {
        size_t header = (size_t)(e->data - e->record);
        uint8_t *copy = s->tw.host->alloc(b, header + e->bytes);

        memcpy(copy, e->record, header + e->bytes);
        e->record = copy;
        e->data = copy + header;
    }
}

static void hold_events(const etl_read *s, tw_batch *b, uint32_t first)
{
    if (b->n == first) return;
    if (block_memory() > BLOCK_PLENTY) {
        copy_events(s, b, first);
        return;
    }
    block_hold(s->block);
    s->tw.host->keep(b, block_let_go, s->block);
}

/* Nothing earlier comes later: neither from what is left of the open buffer nor from those behind. */
static int64_t promise(const etl_read *s)
{
    int64_t upto = s->next < s->index.n ? s->index.entry[s->next].first : INT64_MAX, ticks;

    if (!s->block) return upto;
    ticks = s->session->clock.ticks;
    if (!record_ticks(s->block->at + s->at, s->block->end - s->at, &ticks)) return s->time < upto ? s->time : upto;
    ticks = clock_ns(&s->session->clock, ticks);
    return ticks < upto ? ticks : upto;
}

/* ---- The stage ---- */

static void set_counters(etl_read *s)
{
    uint64_t *count = s->tw.count;

    sum_up(s);
    count[COUNT_EVENTS] = s->all.events;
    count[COUNT_BUFFERS] = s->index.buffers;
    count[COUNT_MARKERS] = s->index.markers;
    count[COUNT_EVENTS_LOST] = s->index.events_lost;
    count[COUNT_BUFFERS_LOST] = s->index.buffers_lost;
    count[COUNT_ITEMS] = s->broken;
    count[COUNT_CONFLICTS] = metadata_conflicts(s->learn.known.in_trace);
    count[COUNT_BEYOND] = s->types.beyond;
    count[COUNT_MANIFESTS] = s->learn.faults + s->learn.refused;
    memcpy(count + COUNT_CAUSES, s->index.skipped, sizeof s->index.skipped);
}

static int read_events(void *self, tw_batch *b)
{
    etl_read *s = self;
    uint32_t opened = 0;
    int status = TW_OK;

    while (status == TW_OK && b->n < b->cap && opened < BUFFERS_A_CALL) {
        uint32_t before = b->n;

        if (!s->block) {
            status = open_buffer(s);
            opened++;
            continue;
        }
        walk(s, b);
        hold_events(s, b, before);
        if (s->at >= s->block->end) close_buffer(s);
    }
    if (status == TW_ERROR) return TW_ERROR;
    b->upto = promise(s);
    set_counters(s);
    return status;
}

/* When the sessions began and ended, taken together. */
static void find_span(etl_read *s)
{
    const session *of = s->index.session;

    for (uint32_t i = 0; i < s->index.nsessions; i++) {
        if (i == 0 || of[i].begin < s->begin) s->begin = of[i].begin;
        if (i == 0 || of[i].end == 0 || (s->end != 0 && of[i].end > s->end)) s->end = of[i].end;
    }
}

static int open_files(void *self)
{
    etl_read *s = self;
    size_t bytes;

    if (index_build(&s->index, self, s->file) != TW_OK) return TW_ERROR;
    if (learn_open(&s->learn, self, s->manifest, s->tmf) != TW_OK) return TW_ERROR;
    bytes = s->index.nfiles * sizeof *s->index.skip;
    s->skip_at_start = malloc(bytes + 1);
    s->seen = calloc((size_t)s->index.nsessions + 1, sizeof *s->seen);
    if (!s->skip_at_start || !s->seen)
        return tw_fail(self, "no memory for the counters of %" PRIu32 " files", s->index.nfiles);
    memcpy(s->skip_at_start, s->index.skip, bytes);
    memcpy(s->skipped_at_start, s->index.skipped, sizeof s->index.skipped);
    find_span(s);
    set_counters(s);
    return TW_OK;
}

static int rewind_files(void *self)
{
    etl_read *s = self;

    close_buffer(s);
    s->next = 0;
    s->done = s->broken = 0;
    memset(s->seen, 0, s->index.nsessions * sizeof *s->seen);
    memcpy(s->index.skip, s->skip_at_start, s->index.nfiles * sizeof *s->index.skip);
    memcpy(s->index.skipped, s->skipped_at_start, sizeof s->index.skipped);
    types_ask_again(&s->types, s);
    return TW_OK;
}

static int give_header(const etl_index *x, uint32_t number, tw_value *v)
{
    if (number >= x->nsessions) return TW_END;
    v->kind = TW_BYTES;
    v->t.at = (const char *)x->session[number].event;
    v->t.bytes = x->session[number].event_bytes;
    return TW_OK;
}

static int give_buffers(const etl_index *x, tw_value *v)
{
    if (x->n > UINT32_MAX / sizeof *x->entry) return TW_END;
    v->kind = TW_BYTES;
    v->t.at = (const char *)x->entry;
    v->t.bytes = (uint32_t)(x->n * sizeof *x->entry);
    return TW_OK;
}

static int extra(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    if (what == EXTRA_BUFFERS) return give_buffers(&((const etl_read *)self)->index, v);
    if (what == EXTRA_LOG_HEADER) return give_header(&((const etl_read *)self)->index, item, v);
    return e->record ? record_extra(e->record, what, item, v) : TW_END;
}

static int event_clock(void *self, const tw_event *e, tw_clock *c)
{
    const etl_read *s = self;
    uint32_t number = event_session(e);
    const session *of;

    if (number >= s->index.nsessions) return TW_END;
    of = &s->index.session[number];
    c->ticks = of->clock.ticks;
    c->time = of->clock.time;
    c->hz = of->clock.hz;
    c->begin = s->begin;
    c->end = s->end;
    return TW_OK;
}

static int end_reading(void *self)
{
    etl_read *s = self;
    int status = s->tables ? read_push_tables(s) : TW_OK;

    set_counters(s);
    return status;
}

static void close_files(void *self)
{
    etl_read *s = self;

    close_buffer(s);
    types_forget(&s->types);
    learn_close(&s->learn);
    free(s->seen);
    free(s->skip_at_start);
    index_free(&s->index);
}

// clang-format off
static const tw_option options[] = {
    TW_OPTION(etl_read, file, TW_OPT_INPUTS, NULL, "*.etl: the .etl files; several are read as one trace, in order of time"),
    TW_OPTION(etl_read, tables, TW_OPT_BOOL, "false",
              "at the end, make the tables trace_summary, trace_header, trace_total, trace_lost, trace_skipped, "
              "trace_schemas, trace_losses and trace_clocks"),
    TW_OPTION(etl_read, manifest, TW_OPT_INPUTS, "$TRACEWEIR_MANIFESTS", "*.man|*.xml: manifests of providers"),
    TW_OPTION(etl_read, tmf, TW_OPT_INPUTS, "$TRACEWEIR_TMF", "*.tmf: what WPP messages say"),
    { 0 }
};

static const tw_counter counters[] = {
    [COUNT_EVENTS] = { "events", "events in the files", TW_INFO },
    [COUNT_BUFFERS] = { "buffers", "buffers in the files", TW_INFO },
    [COUNT_MARKERS] = { "marker_buffers", "buffers that by their type hold no events", TW_INFO },
    [COUNT_EVENTS_LOST] = { "events_lost", "events that the recording lost, as the headers say", TW_LOST },
    [COUNT_BUFFERS_LOST] = { "buffers_lost", "buffers that the recording lost, as the headers say", TW_LOST },
    [COUNT_ITEMS] = { "broken_items", "events whose chain of extended items leaves the event; the rest of it is payload",
                      TW_WARNING },
    [COUNT_DESCRIPTIONS] = { "broken_descriptions", "records that describe other events and are broken", TW_WARNING },
    [COUNT_CONFLICTS] = { "other_descriptions", "records that lay out an event otherwise than an earlier one, which is "
                          "used for all of them", TW_WARNING },
    [COUNT_MANIFESTS] = { "manifest_faults", "manifests and TMF files, or places in them, that could not be used",
                          TW_WARNING },
    [COUNT_BEYOND] = { "too_many_types", "events that describe themselves, of types after the first 49152: they have no "
                       "name and no fields", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_EVENT] = { "corrupt_events", "events of an impossible size; the rest of their buffer is skipped",
                                     TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_HEADER_TYPE] = { "unknown_headers", "events whose header does not tell a size; the rest of "
                                           "their buffer is skipped", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_TRUNCATED] = { "truncated_buffers", "buffers that the end of the file cuts off", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_BUFFER] = { "implausible_buffers", "gaps where no buffer's header is; read on behind them",
                                      TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_STREAM] = { "bad_compression", "compressed buffers that do not unpack to their end", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_METHOD] = { "other_compression", "buffers compressed with LZNT1 or XPRESS-Huffman", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_UNREADABLE] = { "unreadable", "places that the system could not read", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_LOST_HEADER] = { "lost_headers", "files without their log-file header: times count from the "
                                           "first event, in 1970", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_CLOCK] = { "guessed_clocks", "log-file headers without clock frequency: 10 MHz assumed",
                                     TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_SESSIONS] = { "ignored_headers", "log-file headers after 65536 others", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_MISSING] = { "missing_buffers", "buffers that a closed session wrote, but that are not in the "
                                       "file: it was cut off", TW_SKIPPED },
    [COUNT_CAUSES + CAUSE_NO_TRACE] = { "no_traces", "files among others that are no traces", TW_SKIPPED },
    { 0 }
};
// clang-format on

const tw_stage etl_read_stage = {
    .size = sizeof(tw_stage),
    .flags = TW_UNORDERED | TW_REWIND,
    .name = "read",
    .help = "events of .etl files, in order of time",
    .state = sizeof(etl_read),
    .options = options,
    .counters = counters,
    .makes = read_tables,
    .open = open_files,
    .read = read_events,
    .rewind = rewind_files,
    .extra = extra,
    .clock = event_clock,
    .end = end_reading,
    .close = close_files,
};
