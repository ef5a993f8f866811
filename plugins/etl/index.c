/* index.c - the pass over the buffers' headers; see index.h. */
#include "index.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../common/etw/put.h"
#include "../common/etw/record.h"
#include "../common/etw/xpress.h"
#include "block.h"
#include "refuse.h"

enum {
    LOOK = 256,              /* bytes of a buffer that are read: its header, and of its first event up to the time */
    PREFIX = 64,             /* bytes of a compressed buffer that are unpacked for that */
    EVENT_MAX = 0x2000,      /* bytes kept of a log-file header event: two names of 1024 characters fit */
    MOST_TOLD = 20,          /* files that are no traces; a folder may have thousands */
    LOST_HZ = 10000000,      /* of a clock that nothing tells about */
    LOST_SEARCH = 64 << 20,  /* how far into a file without a header buffers are sought */
    LOST_SMALLEST = 4 << 10, /* and which sizes they may have: powers of two between these */
    LOST_LARGEST = 1 << 20
};
#define DAY (INT64_C(86400) * 1000000000) /* ns */

const char *const cause_text[CAUSES] = {
    [CAUSE_EVENT] = "corrupt event",
    [CAUSE_HEADER_TYPE] = "unknown event header",
    [CAUSE_TRUNCATED] = "truncated buffer",
    [CAUSE_BUFFER] = "implausible buffer header",
    [CAUSE_STREAM] = "bad compression",
    [CAUSE_METHOD] = "compression other than XPRESS",
    [CAUSE_UNREADABLE] = "unreadable",
    [CAUSE_LOST_HEADER] = "log-file header lost: times count from the first event",
    [CAUSE_CLOCK] = "log-file header without clock frequency: 10 MHz assumed",
    [CAUSE_SESSIONS] = "log-file header after 65536 others: its clock is not used",
    [CAUSE_MISSING] = "buffers that were written, but are not in the file: it was cut off",
    [CAUSE_NO_TRACE] = "no trace",
};

typedef struct pass { /* over one file */
    etl_index *x;
    tw_input *in;
    const char *name;
    void *window; /* what `look` gave last */
    uint64_t size, at;
    uint32_t file, session; /* session: the one that holds at `at` */
    uint32_t steps;         /* from buffer to buffer, to ask now and then whether to go on */
    int stopped;
} pass;

/* `places` > 0 of them, the first one at `offset`. */
static void skip_places(etl_index *x, uint32_t file, enum cause why, uint64_t offset, uint64_t places, uint64_t bytes,
                        uint64_t events)
{
    skip *s = &x->skip[file][why];

    if (s->count == 0 || offset < s->first) s->first = offset;
    s->count += places;
    s->bytes += bytes;
    s->events += events;
    x->skipped[why] += places;
}

void index_skip(etl_index *x, uint32_t file, enum cause why, uint64_t offset, uint64_t bytes, uint64_t events)
{
    skip_places(x, file, why, offset, 1, bytes, events);
}

static void skip_here(pass *p, enum cause why, uint64_t bytes)
{
    index_skip(p->x, p->file, why, p->at, bytes, 0);
}

/* Up to `n` bytes at `at`, as many as the file has; `*n` says how many. Valid until the next look. NULL: unreadable. */
static const uint8_t *look(pass *p, uint64_t at, size_t *n)
{
    if (p->window) p->x->host->unmap(p->window);
    p->window = NULL;
    if (*n > p->size - at) *n = (size_t)(p->size - at);
    return p->x->host->at(p->in, at, *n, &p->window);
}

static int is_zero(const uint8_t *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i]) return 0;
    return 1;
}

/* 1 as long as nobody asked to stop; to be called once a step. */
static int goes_on(pass *p)
{
    if (++p->steps % 1024 == 0 && p->x->host->stopped(p->x->self)) p->stopped = 1;
    return !p->stopped;
}

/* One more element in an array that doubles; NULL: no memory, and the host knows. */
static void *grow(void *self, void *array, size_t n, size_t room, size_t bytes)
{
    void *grown = realloc(array, room * bytes);

    if (!grown)
        (void)tw_fail(self, "no memory for an index of more than %" PRIu64 " buffers or headers", (uint64_t)n);
    return grown;
}

/* ---- Sessions ---- */

static session *add_session(pass *p)
{
    etl_index *x = p->x;
    session *s;

    if (x->nsessions == x->room_sessions) {
        uint32_t room = x->room_sessions ? x->room_sessions * 2 : 16;
        s = grow(x->self, x->session, x->nsessions, room, sizeof *s);
        if (!s) return NULL;
        x->session = s;
        x->room_sessions = room;
    }
    p->session = x->nsessions++;
    s = &x->session[p->session];
    memset(s, 0, sizeof *s);
    s->file = p->file;
    return s;
}

/* The header event stays, for its names and for who asks for it; of an endless one the begin. */
static int keep_event(pass *p, session *s, const uint8_t *event)
{
    uint32_t size = tw_u16(event + ETW_HOOK_SIZE);
    record r;

    if (size > EVENT_MAX) size = EVENT_MAX;
    s->event = malloc(size);
    if (!s->event) return tw_fail(p->x->self, "no memory for the header of %s", p->name);
    memcpy(s->event, event, size);
    put16(s->event + ETW_HOOK_SIZE, size);
    s->event_bytes = size;
    (void)record_read(s->event, size, &r); /* it was good with its names, which are all that may be missing */
    (void)log_header_read(r.at + r.payload, r.size - r.payload, r.pointer, &s->log);
    return TW_OK;
}

/* A header that stands alone: of the size that is asked for, in a file of equal buffers. */
static int buffer_at(pass *p, uint64_t at, uint32_t stride)
{
    size_t n = LOOK;
    const uint8_t *bytes;
    buffer_header h;

    if (at >= p->size || p->size - at < ETW_BUFFER_HEADER) return 0;
    bytes = look(p, at, &n);
    if (!bytes) return 0;
    buffer_header_read(bytes, &h);
    return buffer_plausible(&h, stride);
}

/* The size of all buffers behind this header: what the header event says, unless the buffer itself is of another size
   and the next one agrees with it. No buffer is smaller than the `least` bytes that this one holds. */
static uint32_t stride_of(pass *p, const session *s, const buffer_header *first, uint32_t least)
{
    uint32_t told = s->log.buffer_size > least ? s->log.buffer_size : least;

    if (s->log.mode & ETW_MODE_COMPRESSED) return 0;
    if (first->size == told || first->size < least || !buffer_plausible(first, 0)) return told;
    return buffer_at(p, p->at + first->size, first->size) ? first->size : told;
}

/* `event`: the log-file header, in the buffer `first`; `least`: bytes from that one's start to its end. */
static int begin_session(pass *p, const uint8_t *event, int64_t ticks, const buffer_header *first, uint32_t least)
{
    const log_header *log;
    session *s;

    if (p->x->nsessions == SESSIONS_MAX) {
        skip_here(p, CAUSE_SESSIONS, 0);
        return TW_OK;
    }
    s = add_session(p);
    if (!s) return TW_ERROR;
    if (keep_event(p, s, event) != TW_OK) return TW_ERROR;
    log = &s->log;
    if (!log_header_clock(log, ticks, &s->clock)) skip_here(p, CAUSE_CLOCK, 0);
    s->has_header = 1;
    s->begin = s->clock.time;
    s->end = log->end ? filetime_ns(log->end) : 0;
    s->latest = s->end ? s->end : s->begin;
    s->latest = s->latest < INT64_MAX - 366 * DAY ? s->latest + (s->end ? DAY : 366 * DAY) : INT64_MAX;
    s->method = first->state;
    s->stride = stride_of(p, s, first, least);
    s->unpacked = log->buffer_size;
    p->x->events_lost += log->events_lost;
    p->x->buffers_lost += log->buffers_lost;
    return TW_OK;
}

/* ---- A buffer ---- */

/* The earliest time in a whole buffer; as it was where none tells one. Only where its first event tells none, or one
   that cannot be. */
static int earliest_ticks(pass *p, const entry *e, int64_t *ticks)
{
    block *b = block_open(p->x->host, p->in, &p->x->session[e->session], e);
    uint32_t at = ETW_BUFFER_HEADER;
    int found = 0;
    record r;

    if (!b) return tw_fail(p->x->self, "no memory for a buffer of %s", p->name);
    for (; at < b->end && record_read(b->at + at, b->end - at, &r) == RECORD_GOOD; at += (r.size + 7) & ~7u)
        if (r.timed && (!found || r.ticks < *ticks)) {
            *ticks = r.ticks;
            found = 1;
        }
    block_let_go(b);
    return TW_OK;
}

/* The time of the first event in ticks; of a buffer that tells none, that of its session's start. `n` bytes of it are
   at hand. */
static int first_ticks(pass *p, const entry *e, const uint8_t *bytes, size_t n, int64_t *first)
{
    const session *s = &p->x->session[e->session];
    size_t filled = e->filled - ETW_BUFFER_HEADER;
    uint8_t unpacked[PREFIX];

    *first = s->clock.ticks;
    if (n > e->size) n = e->size;
    bytes += ETW_BUFFER_HEADER;
    n -= ETW_BUFFER_HEADER;
    if (e->flags & ETW_FLAG_COMPRESSED) {
        n = xpress_decode(bytes, n, unpacked, filled < PREFIX ? filled : PREFIX);
        bytes = unpacked;
    } else if (n > filled) {
        n = filled;
    }
    if (record_ticks(bytes, n, first) && (!s->has_header || clock_ns(&s->clock, *first) <= s->latest)) return TW_OK;
    *first = s->clock.ticks;
    return earliest_ticks(p, e, first);
}

static int add_entry(pass *p, const buffer_header *h, uint32_t size, int cut, const uint8_t *bytes, size_t n)
{
    etl_index *x = p->x;
    entry *e;

    if (x->n == x->room) {
        size_t room = x->room ? x->room * 2 : 1024;
        e = grow(x->self, x->entry, x->n, room, sizeof *e);
        if (!e) return TW_ERROR;
        x->entry = e;
        x->room = room;
    }
    e = &x->entry[x->n++];
    *e = (entry){ .at = p->at,
                  .size = size,
                  .filled = h->filled,
                  .file = p->file,
                  .session = (uint16_t)p->session,
                  .cpu = h->cpu,
                  .flags = h->flags,
                  .cut = (uint16_t)cut };
    return first_ticks(p, e, bytes, n, &e->first);
}

/* 1 where a buffer's fill level cannot be right: below its header, or right behind it though events follow. `n` bytes of
   the `size` are at hand. */
static int wrongly_empty(const buffer_header *h, uint32_t size, const uint8_t *bytes, size_t n)
{
    if (n > size) n = size;
    return h->filled < ETW_BUFFER_HEADER || (h->filled == ETW_BUFFER_HEADER && n > ETW_BUFFER_HEADER &&
                                             !is_padding(bytes + ETW_BUFFER_HEADER, n - ETW_BUFFER_HEADER));
}

/* The events of a buffer of which `size` bytes are in the file and `wanted` should be. */
static int take_events(pass *p, const buffer_header *h, uint32_t size, uint32_t wanted, const uint8_t *bytes,
                       size_t n)
{
    if (wrongly_empty(h, size, bytes, n))
        skip_here(p, CAUSE_BUFFER, size);
    else if (h->filled > ETW_BUFFER_HEADER && size < wanted)
        skip_here(p, CAUSE_TRUNCATED, wanted - size);
    else if (h->filled > ETW_BUFFER_HEADER && size == ETW_BUFFER_HEADER)
        skip_here(p, h->flags & ETW_FLAG_COMPRESSED ? CAUSE_STREAM : CAUSE_BUFFER, h->filled - size);
    if (h->filled <= ETW_BUFFER_HEADER || size <= ETW_BUFFER_HEADER) return TW_OK;
    return add_entry(p, h, size, size < wanted, bytes, n);
}

/* A believable buffer at p->at; `stride` is the way to the next one. */
static int take_buffer(pass *p, const buffer_header *h, uint32_t stride, const uint8_t *bytes, size_t n)
{
    session *s = &p->x->session[p->session];
    uint64_t left = p->size - p->at;
    uint32_t size = stride < left ? stride : (uint32_t)left;
    int compressed = h->flags & ETW_FLAG_COMPRESSED, status = TW_OK;

    p->x->buffers++;
    p->x->compressed += compressed != 0;
    if (h->flags & (ETW_FLAG_EVENTS_LOST | ETW_FLAG_BUFFER_LOST)) p->x->losses++;
    if (h->type == ETW_BUFFER_EMPTY || h->type == ETW_BUFFER_DEBUG)
        p->x->markers++;
    else
        status = take_events(p, h, size, compressed || h->filled > stride ? stride : h->filled, bytes, n);
    p->at += size;
    s->buffers++;
    s->after = p->at;
    return status;
}

/* ---- A file ---- */

/* Up to `to` no buffer could be found. As many as fit stand there destroyed; where buffers differ in size nobody
   knows how many. */
static void skip_gap(pass *p, uint64_t to)
{
    session *s = &p->x->session[p->session];

    skip_here(p, CAUSE_BUFFER, to - p->at);
    if (s->stride)
        s->buffers += (to - p->at + s->stride - 1) / s->stride;
    else
        s->unsure = 1;
    p->at = s->after = to;
}

/* From a header that cannot be to the next one that can, on the file's stride. What is zero up to the end was never
   written and is no loss. */
static void cross_gap(pass *p, const uint8_t *bytes)
{
    uint32_t stride = p->x->session[p->session].stride, step = stride ? stride : LOST_SMALLEST;
    int zero = is_zero(bytes, ETW_BUFFER_HEADER);
    uint64_t at = p->at;

    while (p->size - at > step) {
        size_t n = LOOK;
        buffer_header h;

        if (!goes_on(p)) return;
        at += step;
        bytes = look(p, at, &n);
        if (!bytes) break;
        if (stride && n >= ETW_BUFFER_HEADER) {
            buffer_header_read(bytes, &h);
            if (buffer_plausible(&h, stride) || buffer_log_header_bytes(bytes, n)) {
                skip_gap(p, at);
                return;
            }
        }
        zero = zero && is_zero(bytes, n);
        if (!stride && !zero) break;
    }
    if (!zero) skip_gap(p, p->size);
    p->at = p->size;
}

/* What is too short for a header. */
static void take_rest(pass *p)
{
    size_t n = ETW_BUFFER_HEADER;
    const uint8_t *bytes = look(p, p->at, &n);

    if (!bytes || !is_zero(bytes, n)) {
        skip_here(p, bytes ? CAUSE_TRUNCATED : CAUSE_UNREADABLE, n);
        p->x->session[p->session].buffers++;
    }
    p->at = p->size;
}

/* A log-file header at p->at begins a session. Its bytes may lie beyond the look. */
static int look_for_session(pass *p, buffer_header *h, const uint8_t *bytes, size_t n, int *found)
{
    size_t wanted = buffer_log_header_bytes(bytes, n);
    log_header log;
    int64_t ticks;

    *found = 0;
    if (wanted == 0) return TW_OK;
    bytes = look(p, p->at, &wanted);
    *found = bytes && buffer_log_header(bytes, wanted, &log, &ticks);
    if (*found) h->flags &= (uint16_t)~ETW_FLAG_COMPRESSED; /* it was just read as it is */
    return *found ? begin_session(p, bytes + ETW_BUFFER_HEADER, ticks, h, (uint32_t)wanted) : TW_OK;
}

static int skip_unreadable(pass *p)
{
    skip_here(p, CAUSE_UNREADABLE, p->size - p->at);
    p->x->session[p->session].unsure = 1;
    p->at = p->size;
    return TW_OK;
}

static int take_next(pass *p)
{
    size_t n = LOOK;
    const uint8_t *bytes = look(p, p->at, &n);
    buffer_header h;
    const session *s;
    int begins;

    if (!bytes) return skip_unreadable(p);
    buffer_header_read(bytes, &h);
    if (look_for_session(p, &h, bytes, n, &begins) != TW_OK) return TW_ERROR;
    s = &p->x->session[p->session];
    n = LOOK;
    bytes = look(p, p->at, &n);
    if (!bytes) return skip_unreadable(p);
    if (begins && s->stride) return take_buffer(p, &h, s->stride, bytes, n);
    if (buffer_plausible(&h, s->stride)) return take_buffer(p, &h, h.size, bytes, n);
    cross_gap(p, bytes);
    return TW_OK;
}

/* 1 where a buffer of that size stands, its first event sound: the proof that is left when no header leads to it. */
static int lone_buffer_at(pass *p, uint64_t at, uint32_t stride)
{
    size_t n = stride;
    const uint8_t *bytes;
    buffer_header h;
    record r;

    if (!buffer_at(p, at, stride)) return 0;
    bytes = look(p, at, &n);
    if (!bytes || n < stride) return 0;
    buffer_header_read(bytes, &h);
    return h.size == stride && h.filled > ETW_BUFFER_HEADER && h.filled <= stride && h.flags < 0x80 &&
           record_read(bytes + ETW_BUFFER_HEADER, h.filled - ETW_BUFFER_HEADER, &r) == RECORD_GOOD && r.timed;
}

/* A file whose log-file header is gone: two buffers of one size in a row, each where that size puts it. */
static int find_buffers(pass *p, uint64_t *at, uint32_t *stride)
{
    *at = UINT64_MAX;
    for (uint32_t size = LOST_SMALLEST; size <= LOST_LARGEST; size *= 2)
        for (uint64_t i = 0; i < p->size && i < LOST_SEARCH && i < *at; i += size)
            if (lone_buffer_at(p, i, size) && lone_buffer_at(p, i + size, size)) {
                *at = i;
                *stride = size;
            }
    return *at != UINT64_MAX;
}

/* A file that is no trace is a mistake where it is the only one; among others, as in a folder, it is passed over.
   TW_END then. */
static int refuse(pass *p, const uint8_t *head, size_t n)
{
    char why[REFUSE_CAP];
    uint64_t before = p->x->skipped[CAUSE_NO_TRACE];

    refuse_words(why, p->name, head, n, p->size);
    if (p->x->nfiles == 1) return tw_fail(p->x->self, "%s", why);
    if (before < MOST_TOLD) tw_log(p->x->self, TW_WARNING, "passed over: %s", why);
    if (before == MOST_TOLD) tw_log(p->x->self, TW_WARNING, "passed over: further ones, which are only counted");
    skip_here(p, CAUSE_NO_TRACE, p->size);
    return TW_END;
}

/* TW_END: it is no trace. */
static int begin_without_header(pass *p)
{
    uint8_t head[LOOK];
    size_t n = LOOK;
    const uint8_t *bytes = look(p, 0, &n);
    uint64_t at;
    uint32_t stride;
    session *s;

    if (bytes) memcpy(head, bytes, n);
    if ((n >= 4 && !memcmp(head, "RlFs", 4)) || !find_buffers(p, &at, &stride)) return refuse(p, head, bytes ? n : 0);
    s = add_session(p);
    if (!s) return TW_ERROR;
    s->stride = s->unpacked = stride;
    clock_set(&s->clock, 0, 0, LOST_HZ);
    s->latest = INT64_MAX;
    skip_here(p, CAUSE_LOST_HEADER, 0);
    if (at > 0) skip_here(p, CAUSE_BUFFER, at);
    p->at = at;
    return TW_OK;
}

/* TW_END: there is nothing to read in it. */
static int begin_file(pass *p)
{
    size_t n = LOOK;
    const uint8_t *bytes = look(p, 0, &n);
    log_header log;
    int64_t ticks;

    if (!bytes) { /* the host says why */
        if (p->x->nfiles == 1) return tw_fail(p->x->self, "%s cannot be read", p->name);
        skip_here(p, CAUSE_UNREADABLE, p->size);
        return TW_END;
    }
    n = n < ETW_BUFFER_HEADER + ETW_PAD ? 0 : buffer_log_header_bytes(bytes, n);
    bytes = n ? look(p, 0, &n) : NULL;
    return bytes && buffer_log_header(bytes, n, &log, &ticks) ? TW_OK : begin_without_header(p);
}

/* A session that was closed says how many buffers it wrote, and unless it wrote over them they must all be here. */
static void find_missing(pass *p, uint32_t from)
{
    etl_index *x = p->x;

    for (uint32_t i = from; i < x->nsessions; i++) {
        const session *s = &x->session[i];
        uint64_t missing = s->log.written > s->buffers ? s->log.written - s->buffers : 0;

        if (!missing || !s->has_header || s->unsure || !s->log.end) continue;
        if (s->log.mode & (ETW_MODE_CIRCULAR | ETW_MODE_APPEND | ETW_MODE_BUFFERING)) continue;
        skip_places(x, p->file, CAUSE_MISSING, s->after, missing, missing * s->stride, 0);
    }
}

static int take_file(etl_index *x, uint32_t file)
{
    pass p = { .x = x, .in = x->file[file], .file = file, .session = x->nsessions ? x->nsessions - 1 : 0 };
    uint32_t sessions = x->nsessions;
    int status;

    /* Asking for a byte makes the host unpack what is compressed or piped; only then the size is known. */
    (void)x->host->at(p.in, 0, 1, &p.window);
    p.name = x->host->input(p.in, &p.size);
    if (p.size == UINT64_MAX) return TW_OK; /* nothing of it can be read; the host says so and counts it */
    x->bytes += p.size;
    status = p.size ? begin_file(&p) : refuse(&p, NULL, 0);
    while (status == TW_OK && p.at < p.size && goes_on(&p)) {
        if (p.size - p.at < ETW_BUFFER_HEADER)
            take_rest(&p);
        else
            status = take_next(&p);
    }
    if (status == TW_OK && !p.stopped) find_missing(&p, sessions);
    if (p.window) x->host->unmap(p.window);
    return status == TW_ERROR ? TW_ERROR : TW_OK;
}

/* ---- All files ---- */

/* Where the header is lost, time counts from the first event there is. */
static void set_lost_clocks(etl_index *x)
{
    for (size_t i = 0; i < x->n; i++) {
        session *s = &x->session[x->entry[i].session];
        int64_t first = x->entry[i].first;

        if (!s->has_header && first && (s->clock.ticks == 0 || first < s->clock.ticks)) s->clock.ticks = first;
    }
}

static int by_time(const void *left, const void *right)
{
    const entry *a = left, *b = right;

    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

int index_build(etl_index *x, void *self, tw_input *const *files)
{
    uint64_t unused;

    memset(x, 0, sizeof *x);
    x->self = self;
    x->host = TW_HOST(self);
    x->file = files;
    while (files[x->nfiles]) x->nfiles++;
    x->skip = calloc(x->nfiles + 1u, sizeof *x->skip);
    if (!x->skip) return tw_fail(self, "no memory for an index of %" PRIu32 " files", x->nfiles);

    for (uint32_t i = 0; i < x->nfiles; i++)
        if (take_file(x, i) != TW_OK) return TW_ERROR;
    if (!x->nsessions && x->nfiles == 1) return tw_fail(self, "%s cannot be read", x->host->input(files[0], &unused));
    if (!x->nsessions && x->nfiles)
        return tw_fail(self, "none of the %" PRIu32 " files is a trace that can be read", x->nfiles);
    set_lost_clocks(x);
    for (size_t i = 0; i < x->n; i++) {
        const session *s = &x->session[x->entry[i].session];
        int64_t ticks = x->entry[i].first;
        x->entry[i].first = clock_ns(&s->clock, s->has_header || ticks ? ticks : s->clock.ticks);
    }
    if (x->n) qsort(x->entry, x->n, sizeof *x->entry, by_time);
    return TW_OK;
}

void index_free(etl_index *x)
{
    for (uint32_t i = 0; i < x->nsessions; i++) free(x->session[i].event);
    free(x->session);
    free(x->entry);
    free(x->skip);
    memset(x, 0, sizeof *x);
}
