/* test_rules.c - each rule of the interface is broken by a small stage, and the checker names stage, rule and place.

   A test sets what the stage does in a callback. Each stage is run unchecked as well where that harms nothing: then the
   run is good, which shows that the checker alone found it. */
#include "bus_kit.h"

#include "guard.h"
#include "instance.h"
#include "os.h"

static int (*act)(void *self, tw_batch *b);        /* what the stage under test does with a batch */
static int (*act_on_rows)(void *self, tw_rows *r); /* … with rows */
static int calls;                                  /* of `act` */
static void *stranger;                             /* `self` of the probe behind it */

static int act_events(void *self, tw_batch *b)
{
    calls++;
    return act(self, b);
}

static int act_rows(void *self, tw_rows *r)
{
    return act_on_rows(self, r);
}

static const tw_counter two_counters[] = { { "seen", "", TW_INFO }, { "kept", "", TW_INFO }, { 0 } };

typedef struct breaker {
    tw_self tw;
    uint8_t bytes[64];
} breaker;

#define BREAKER(...)                                                                                                 \
    {                                                                                                                \
        .size = sizeof(tw_stage), .name = "bad", .state = sizeof(breaker), __VA_ARGS__                               \
    }
static const tw_stage any = BREAKER(.events = act_events, .counters = two_counters);
static const tw_stage picky = BREAKER(.events = act_events, .wants = disk_reads);
static const tw_stage looker = BREAKER(.events = act_events, .preview = act_events, .preview_wants = disk);
static const tw_stage reader = BREAKER(.read = act_events);
static const tw_stage jumpy = BREAKER(.read = act_events, .flags = TW_UNORDERED);
static const tw_stage sink = BREAKER(.rows = act_rows);

static int look(void *self, tw_batch *b)
{
    uint64_t sum = 0;

    stranger = self;
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t k = 0; k < b->event[i].bytes; k++) sum += b->event[i].data[k];
    return sum == UINT64_MAX ? TW_END : TW_OK;
}

static const tw_stage watcher = {
    .size = sizeof(tw_stage), .name = "watcher", .state = sizeof(tw_self), .events = look
};

static const reading steady[] = { { 4, { 10, 20, 30, 40 }, { 0, 1, 2, 0 }, TW_OK, 0 },
                                  { 3, { 50, 60, 70 }, { 0, 1, 2 }, TW_OK, 0 },
                                  { 0, { 0 }, { 0 }, TW_END, 0 } };

static void run_chain(int checked, const tw_stage *first, const tw_stage *second, const tw_stage *third)
{
    const bus_options o = { .quiet = 1, .batch = 4, .rules = checked };
    const spec chain[] = { plain(first), plain(second), plain(third) };

    calls = 0;
    run_with(&o, steady, chain, 3);
}

/* The sentence that a checked run ends with; "" where it is good. */
static const char *said(const tw_stage *first, const tw_stage *second, int (*what)(void *self, tw_batch *b))
{
    act = what;
    run_chain(1, first, second, &watcher);
    ck_assert_int_eq(r.status, r.error.n ? 1 : 0);
    return text_of(&r.error);
}

static const char *stage_said(const tw_stage *s, int (*what)(void *self, tw_batch *b))
{
    act = what;
    run_chain(0, &source_stage, s, &watcher);
    ck_assert_str_eq(text_of(&r.error), "");
    return said(&source_stage, s, what);
}

static const char *source_said(const tw_stage *s, int (*what)(void *self, tw_batch *b))
{
    return said(s, &watcher, what);
}

/* ---- What is allowed ---- */

static const char *const words[] = { "one", "two" };
static const tw_field columns[] = {
    { .name = "n", .kind = TW_U32 },
    { .name = "word", .kind = TW_TEXT, .flags = TW_NULLABLE },
    { .name = "list", .kind = TW_TEXT, .flags = TW_LIST },
};
static const tw_table table = { sizeof table, 3, "words", "", columns };

static void put_row(void *self, tw_rows *rows)
{
    tw_text *list = TW_HOST(self)->cell(rows, 2 * sizeof *list);
    char *copy = TW_HOST(self)->cell(rows, 3);

    memcpy(copy, "abc", 3);
    list[0] = (tw_text){ words[0], 3, 0 };
    list[1] = (tw_text){ copy, 3, 0 };
    ((uint32_t *)rows->col[0])[rows->n] = 1;
    ((tw_text *)rows->col[1])[rows->n] = (tw_text){ copy, 2, 0 };
    ((tw_list *)rows->col[2])[rows->n++] = (tw_list){ list, 2, 0 };
    rows->null[1][rows->n] = 1;
    ((tw_list *)rows->col[2])[rows->n++] = (tw_list){ NULL, 0, 0 };
}

static int behave(void *self, tw_batch *b)
{
    const tw_host *host = TW_HOST(self);
    uint8_t *bytes = host->alloc(b, 8);

    tw_count(self, 0, b->n);
    memset(bytes, 7, 8);
    tw_batch *more = host->batch(self); /* before the rest of the batch goes on, so not later than its first event */
    more->event[more->n] = b->event[0];
    more->event[more->n].data = memcpy(host->alloc(more, 8), bytes, 8);
    more->event[more->n].bytes = 8;
    more->event[more->n++].record = NULL;
    if (host->emit(self, more) != TW_OK) return TW_ERROR;
    b->event[1].data = bytes;
    b->event[1].bytes = 8;
    b->event[1].time += 5;
    b->n--;
    tw_rows *rows = host->table(self, &table);
    put_row(self, rows);
    return host->push(self, rows);
}

START_TEST(good_stages_pass)
{
    ck_assert_str_eq(stage_said(&any, behave), "");
    ck_assert_int_eq(calls, 2);
    ck_assert_uint_eq(counted("bad", "seen"), 7);
}
END_TEST

/* ---- Order ---- */

static int swap(void *self, tw_batch *b)
{
    tw_event first = b->event[1];

    (void)self;
    b->event[1] = b->event[2];
    b->event[2] = first;
    return TW_OK;
}

static int go_back(void *self, tw_batch *b)
{
    (void)self;
    if (calls == 2) b->event[0].time = 37;
    return TW_OK;
}

static int promise_much(void *self, tw_batch *b)
{
    (void)self;
    if (calls == 1) b->upto = 55;
    return TW_OK;
}

static int emit_late(void *self, tw_batch *b)
{
    tw_batch *more = TW_HOST(self)->batch(self);

    more->event[more->n++] = (tw_event){ .time = b->event[0].time + 11 };
    return TW_HOST(self)->emit(self, more);
}

START_TEST(order_after_a_stage)
{
    ck_assert_str_eq(stage_said(&any, swap),
                     "test: bad: rule 2: event 2 of its batch lies 10 ns before the one before it");
    ck_assert_str_eq(stage_said(&any, go_back),
                     "test: bad: rule 2: event 0 of its batch lies 3 ns before the one before it");
    ck_assert_str_eq(stage_said(&any, promise_much),
                     "test: bad: rule 2: event 0 of its batch lies 5 ns before what it promised as `upto`");
    ck_assert_str_eq(stage_said(&any, emit_late),
                     "test: bad: rule 2: event 0 of its batch lies 11 ns before the one before it");
}
END_TEST

static int read_back(void *self, tw_batch *b)
{
    (void)self;
    for (uint32_t i = 0; i < 3; i++) b->event[b->n++] = (tw_event){ .time = i == 2 ? 17 : 20 };
    return TW_END;
}

static int read_early(void *self, tw_batch *b)
{
    (void)self;
    b->event[b->n++] = (tw_event){ .time = calls == 1 ? 200 : 95 };
    b->upto = 100;
    return calls == 1 ? TW_OK : TW_END;
}

START_TEST(order_of_a_source)
{
    ck_assert_str_eq(source_said(&reader, read_back),
                     "test: bad: rule 2: event 2 of its batch lies 3 ns before the one before it");
    ck_assert_str_eq(source_said(&jumpy, read_back), "");
    ck_assert_str_eq(source_said(&jumpy, read_early),
                     "test: bad: rule 2: event 0 of its batch lies 5 ns before what it promised as `upto`");
}
END_TEST

/* ---- The batch itself ---- */

static int overfill(void *self, tw_batch *b)
{
    (void)self;
    b->n = b->cap + 2;
    return TW_OK;
}

static int write_behind(void *self, tw_batch *b)
{
    (void)self;
    b->event[b->cap].pid = 1;
    return TW_OK;
}

static int bring_events(void *self, tw_batch *b)
{
    static tw_event own[4];

    (void)self;
    memcpy(own, b->event, b->n * sizeof *own);
    b->event = own;
    return TW_OK;
}

static int make_room(void *self, tw_batch *b)
{
    (void)self;
    b->cap++;
    return TW_OK;
}

static int invent_type(void *self, tw_batch *b)
{
    (void)self;
    b->event[1].type = 4;
    return TW_OK;
}

START_TEST(members_and_room)
{
    ck_assert_str_eq(said(&source_stage, &any, overfill),
                     "test: bad: rule 2: left 6 events in a batch with room for 4");
    ck_assert_str_eq(said(&source_stage, &any, write_behind),
                     "test: bad: rule 2: wrote events behind the room of its batch, which is for 4");
    ck_assert_str_eq(said(&source_stage, &any, bring_events),
                     "test: bad: rule 2: changed the batch's `event`, `cap` or `host`, which are the host's");
    ck_assert_str_eq(said(&source_stage, &any, make_room),
                     "test: bad: rule 2: changed the batch's `event`, `cap` or `host`, which are the host's");
    ck_assert_str_eq(said(&source_stage, &any, invent_type),
                     "test: bad: rule 5: event 1 of its batch is of type 4, but only 3 types are published");
}
END_TEST

#ifndef GUARD_ACTIVE /* which would end the program at the first stale byte */
static tw_event *old_events;
static int64_t old_time;

static int write_old(void *self, tw_batch *b)
{
    (void)self;
    if (calls == 1) old_events = b->event;
    if (calls == 2) old_events[0].pid = 5;
    return TW_OK;
}

static int read_old(void *self, tw_batch *b)
{
    (void)self;
    if (calls == 1) old_events = b->event;
    if (calls == 2) old_time = old_events[0].time;
    return TW_OK;
}

START_TEST(batches_are_spoilt_after_the_call)
{
    ck_assert_str_eq(said(&source_stage, &any, write_old),
                     "test: bad: rule 2: wrote into what it was given when the call was over");
    ck_assert_str_eq(said(&source_stage, &any, read_old), "");
    ck_assert_int_lt(old_time, INT64_MIN / 4); /* the pattern: no event's time, the first of which was 10 */
}
END_TEST
#endif

/* ---- Payloads ---- */

static int read_payloads(void *self, tw_batch *b)
{
    static const char payloads[] = "first payload of all, second one";
    uint8_t *bytes = TW_HOST(self)->alloc(b, sizeof payloads);

    memcpy(bytes, payloads, sizeof payloads);
    b->event[b->n++] = (tw_event){ .time = 1, .data = bytes, .bytes = 20, .record = bytes };
    b->event[b->n++] = (tw_event){ .time = 2, .data = bytes + 22, .bytes = 10, .record = bytes + 20 };
    return TW_END;
}

static int (*then)(void *self, tw_batch *b);

static int read_then(void *self, tw_batch *b)
{
    return ((tw_self *)self)->instance && !b->n && ((instance *)((tw_self *)self)->instance)->stage->read
               ? read_payloads(self, b)
               : then(self, b);
}

static const char *payload_said(int (*what)(void *self, tw_batch *b))
{
    then = what;
    return said(&reader, &any, read_then);
}

static int write_payload(void *self, tw_batch *b)
{
    (void)self;
    *(uint8_t *)(uintptr_t)&b->event[1].data[3] ^= 1;
    b->n = 0; /* which does not hide it */
    return TW_OK;
}

static int point_into_state(void *self, tw_batch *b)
{
    b->event[1].data = ((breaker *)self)->bytes;
    return TW_OK;
}

static int record_in_state(void *self, tw_batch *b)
{
    b->event[0].record = ((breaker *)self)->bytes;
    return TW_OK;
}

static int cut_payload(void *self, tw_batch *b)
{
    (void)self;
    b->event[0].data += 5;
    b->event[0].bytes -= 5;
    b->event[1].record = NULL;
    return TW_OK;
}

static int lose_payload(void *self, tw_batch *b)
{
    (void)self;
    b->event[1].data = NULL;
    return TW_OK;
}

static int emit_payload(void *self, tw_batch *b)
{
    tw_batch *more = TW_HOST(self)->batch(self);

    more->event[more->n++] = b->event[0];
    return TW_HOST(self)->emit(self, more);
}

START_TEST(payloads_of_stages)
{
    ck_assert_str_eq(payload_said(cut_payload), "");
    ck_assert_str_eq(payload_said(write_payload),
                     "test: bad: rule 2: wrote into the payload of event 1 of the batch, which is read-only");
    ck_assert_str_eq(
        payload_said(point_into_state),
        "test: bad: rule 2: the payload of event 1 of its batch is neither in the batch's arena nor where "
        "an event of it pointed before");
    ck_assert_str_eq(
        payload_said(record_in_state),
        "test: bad: rule 2: the record of event 0 of its batch is neither in the batch's arena nor where "
        "an event of it pointed before");
    ck_assert_str_eq(payload_said(lose_payload),
                     "test: bad: rule 2: event 1 of its batch has 10 bytes of payload, but no address");
    ck_assert_str_eq(
        payload_said(emit_payload),
        "test: bad: rule 2: the payload of event 0 of its batch is neither in the batch's arena nor where "
        "an event of it pointed before");
}
END_TEST

/* A source that uses its own buffer again while the host still holds the events before. */
static int reuse_buffer(void *self, tw_batch *b)
{
    breaker *s = self;

    memset(s->bytes, calls, sizeof s->bytes);
    b->event[b->n++] = (tw_event){ .time = 1000 - calls, .data = s->bytes, .bytes = 16 };
    return calls == 3 ? TW_END : TW_OK;
}

static int keep_buffer(void *self, tw_batch *b)
{
    breaker *s = self;

    memset(s->bytes + calls * 8, calls, 8);
    b->event[b->n++] = (tw_event){ .time = 1000 - calls, .data = s->bytes + calls * 8, .bytes = 8 };
    return calls == 3 ? TW_END : TW_OK;
}

START_TEST(payloads_of_a_source_stay)
{
    ck_assert_str_eq(source_said(&jumpy, keep_buffer), "");
    ck_assert_str_eq(
        source_said(&jumpy, reuse_buffer),
        "test: bad: rule 2: the payload of event 0 of its batch changed or went before the batch was done with");
}
END_TEST

/* Arenas that were reset: what the first batch had is used for the second. */
static const uint8_t *old_payload;

static int give_old(void *self, tw_batch *b)
{
    if (calls == 1) old_payload = memset(TW_HOST(self)->alloc(b, 32), 'x', 32);
    b->event[b->n++] = (tw_event){ .time = calls, .data = old_payload, .bytes = 32 };
    return calls == 2 ? TW_END : TW_OK;
}

START_TEST(payloads_given_back)
{
    ck_assert_str_eq(source_said(&reader, give_old),
                     "test: bad: rule 2: the payload of event 0 of its batch lies in memory that was given back");
}
END_TEST

/* ---- Events that a stage does not look at ---- */

static int change_others(void *self, tw_batch *b)
{
    (void)self;
    b->event[2].pid = 77;
    return TW_OK;
}

static int drop_others(void *self, tw_batch *b)
{
    (void)self;
    b->n = 1;
    return TW_OK;
}

static int change_its_own(void *self, tw_batch *b)
{
    (void)self;
    b->event[0].pid = 77; /* dropped by the next line: Disk/Read, as it wants */
    memmove(b->event, b->event + 1, --b->n * sizeof *b->event);
    return TW_OK;
}

START_TEST(others_stay_as_they_are)
{
    ck_assert_str_eq(stage_said(&picky, change_its_own), "");
    ck_assert_str_eq(stage_said(&picky, change_others),
                     "test: bad: rule 3: changed event 2 of the batch, which by its `wants` it does not look at");
    ck_assert_str_eq(stage_said(&picky, drop_others),
                     "test: bad: rule 3: changed event 1 of the batch, which by its `wants` it does not look at");
}
END_TEST

static int drop_all(void *self, tw_batch *b)
{
    (void)self;
    if (calls == 1) b->n = 0;
    return TW_OK;
}

START_TEST(previews_change_nothing)
{
    ck_assert_str_eq(said(&rewinding_stage, &looker, drop_all),
                     "test: bad: rule 2: changed the batch in a preview, where it may only look");
    ck_assert_str_eq(said(&rewinding_stage, &looker, look), "");
}
END_TEST

/* ---- Threads and counters ---- */

static int enter_twice(void *self, tw_batch *b)
{
    (void)b;
    instance_leave(instance_enter(((tw_self *)self)->instance)); /* as a second thread would */
    return TW_OK;
}

static int call_for_stranger(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    if (calls == 2) TW_HOST(stranger)->table(stranger, &table);
    return TW_OK;
}

static void ask_for_table(void *self)
{
    TW_HOST(self)->table(self, &table);
}

static int call_from_thread(void *self, tw_batch *b)
{
    os_thread *other;
    text why = { 0 };

    (void)b;
    ck_assert_int_eq(os_thread_start(ask_for_table, self, &other, &why), TW_OK);
    os_thread_join(other);
    return TW_OK;
}

static int count_down(void *self, tw_batch *b)
{
    (void)b;
    ((tw_self *)self)->count[1] = calls == 1 ? 9 : 4;
    return TW_OK;
}

static int count_behind(void *self, tw_batch *b)
{
    (void)b;
    tw_count(self, 2, 1);
    return TW_OK;
}

START_TEST(threads_and_counters)
{
    ck_assert_str_eq(said(&source_stage, &any, enter_twice),
                     "test: bad: rule 1: entered a second time while a call is going on");
    ck_assert_str_eq(said(&source_stage, &any, call_for_stranger),
                     "test: watcher: rule 1: 'table' was called for it from a thread that is not in it");
    ck_assert_str_eq(stage_said(&any, call_from_thread),
                     "test: bad: rule 1: 'table' was called for it from a thread that is not in it");
    ck_assert_str_eq(stage_said(&any, count_down), "test: bad: rule 4: its counter 'kept' went down from 9 to 4");
    ck_assert_str_eq(said(&source_stage, &any, count_behind),
                     "test: bad: rule 4: counts with a number behind those of its 2 counters");
}
END_TEST

/* ---- Sending on ---- */

static int emit_twice(void *self, tw_batch *b)
{
    tw_batch *more = TW_HOST(self)->batch(self);

    (void)b;
    TW_HOST(self)->emit(self, more);
    return TW_HOST(self)->emit(self, more);
}

static int emit_what_it_has(void *self, tw_batch *b)
{
    return TW_HOST(self)->emit(self, b);
}

START_TEST(only_own_batches_are_emitted)
{
    static const char sentence[] = "test: bad: emitted a batch that is not its own, or was emitted before";

    ck_assert_str_eq(said(&source_stage, &any, emit_twice), sentence);
    ck_assert_str_eq(said(&source_stage, &any, emit_what_it_has), sentence);
}
END_TEST

/* ---- Rows ---- */

static void (*spoil)(void *self, tw_rows *rows);

static int push_spoilt(void *self, tw_batch *b)
{
    tw_rows *rows = TW_HOST(self)->table(self, &table);

    (void)b;
    put_row(self, rows);
    spoil(self, rows);
    return TW_HOST(self)->push(self, rows);
}

static const char *maker_said(void (*what)(void *self, tw_rows *rows))
{
    spoil = what;
    return said(&source_stage, &any, push_spoilt);
}

static void too_many(void *self, tw_rows *rows)
{
    (void)self;
    rows->n = rows->cap + 1;
}

static void own_column(void *self, tw_rows *rows)
{
    rows->col[0] = ((breaker *)self)->bytes;
}

static void own_nulls(void *self, tw_rows *rows)
{
    rows->null[0] = ((breaker *)self)->bytes;
}

static void no_address(void *self, tw_rows *rows)
{
    (void)self;
    ((tw_text *)rows->col[1])[0].at = NULL;
}

static void no_utf8(void *self, tw_rows *rows)
{
    (void)self;
    ((tw_text *)rows->col[1])[0].at = "\xC3(";
}

static void no_utf8_in_list(void *self, tw_rows *rows)
{
    tw_text *list = TW_HOST(self)->cell(rows, sizeof *list);

    *list = (tw_text){ "a\xFF", 2, 0 };
    ((tw_list *)rows->col[2])[1] = (tw_list){ list, 1, 0 };
}

static void list_without_address(void *self, tw_rows *rows)
{
    (void)self;
    ((tw_list *)rows->col[2])[0].at = NULL;
}

static void old_text(void *self, tw_rows *rows)
{
    static const char *old;

    if (calls == 1) old = memset(TW_HOST(self)->cell(rows, 12), 'x', 12);
    ((tw_text *)rows->col[1])[0] = (tw_text){ old, 12, 0 };
}

START_TEST(rows_of_a_maker)
{
    ck_assert_str_eq(maker_said(too_many), "test: bad: rule 2: left 257 rows of table 'words' where 256 have room");
    ck_assert_str_eq(maker_said(own_column),
                     "test: bad: rule 2: moved column 'n' of table 'words', which is the host's");
    ck_assert_str_eq(maker_said(own_nulls),
                     "test: bad: rule 5: gave column 'n' of table 'words' nulls, which it did not declare");
    ck_assert_str_eq(maker_said(no_address),
                     "test: bad: rule 2: row 0 of table 'words', column 'word': it has a length, but no address");
    ck_assert_str_eq(maker_said(no_utf8),
                     "test: bad: rule 6: row 0 of table 'words', column 'word': its text is no UTF-8");
    ck_assert_str_eq(maker_said(no_utf8_in_list),
                     "test: bad: rule 6: row 1 of table 'words', column 'list': its text is no UTF-8");
    ck_assert_str_eq(maker_said(list_without_address),
                     "test: bad: rule 2: row 0 of table 'words', column 'list': it has a length, but no address");
    ck_assert_str_eq(
        maker_said(old_text),
        "test: bad: rule 2: row 0 of table 'words', column 'word': it lies in memory that was given back");
}
END_TEST

static void leave(void *self, tw_rows *rows)
{
    (void)self;
    (void)rows;
}

static const tw_stage maker = {
    .size = sizeof(tw_stage), .name = "maker", .state = sizeof(breaker), .events = push_spoilt
};

static const char *sink_said(int (*what)(void *self, tw_rows *r))
{
    spoil = leave;
    act_on_rows = what;
    run_chain(1, &source_stage, &maker, &sink);
    return text_of(&r.error);
}

static int keep_first(void *self, tw_rows *rows)
{
    (void)self;
    rows->n = 1;
    ((uint32_t *)rows->col[0])[0] = 5;
    return TW_OK;
}

static int move_columns(void *self, tw_rows *rows)
{
    static void *own[3];

    (void)self;
    memcpy(own, rows->col, sizeof own);
    rows->col = own;
    return TW_OK;
}

static int add_rows(void *self, tw_rows *rows)
{
    (void)self;
    rows->n = rows->cap + 1;
    return TW_OK;
}

#ifndef GUARD_ACTIVE
static int write_old_rows(void *self, tw_rows *rows)
{
    static uint32_t *old;

    (void)self;
    if (old) old[0] = 1;
    old = rows->col[0];
    return TW_OK;
}
#endif

START_TEST(rows_of_a_sink)
{
    ck_assert_str_eq(sink_said(keep_first), "");
    ck_assert_str_eq(sink_said(move_columns),
                     "test: bad: rule 2: changed the members of a block of table 'words', which are the host's");
    ck_assert_str_eq(sink_said(add_rows), "test: bad: rule 2: left 257 rows of table 'words' where 256 have room");
#ifndef GUARD_ACTIVE
    ck_assert_str_eq(sink_said(write_old_rows),
                     "test: bad: rule 2: wrote into what it was given when the call was over");
#endif
}
END_TEST

/* What a stage before the last edits is what the next one gets. */
static int check_five(void *self, tw_rows *rows)
{
    (void)self;
    NOTE("%" PRIu32 " of %" PRIu32, ((uint32_t *)rows->col[0])[0], rows->n);
    return TW_OK;
}

START_TEST(edited_rows_go_on)
{
    static const tw_stage last = {
        .size = sizeof(tw_stage), .name = "last", .state = sizeof(tw_self), .rows = check_five
    };
    static const reading one[] = { { 1, { 1 }, { 0 }, TW_OK, 0 }, { 0, { 0 }, { 0 }, TW_END, 0 } };
    const bus_options o = { .quiet = 1, .rules = 1 };
    const spec chain[] = { plain(&source_stage), plain(&maker), plain(&sink), plain(&last) };

    spoil = leave;
    act_on_rows = keep_first;
    run_with(&o, one, chain, 4);
    check_journal("5 of 1source.end source.close ");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rules");
    TCase *c = tcase_create("rules");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, good_stages_pass);
    tcase_add_test(c, order_after_a_stage);
    tcase_add_test(c, order_of_a_source);
    tcase_add_test(c, members_and_room);
#ifndef GUARD_ACTIVE
    tcase_add_test(c, batches_are_spoilt_after_the_call);
#endif
    tcase_add_test(c, payloads_of_stages);
    tcase_add_test(c, payloads_of_a_source_stay);
    tcase_add_test(c, payloads_given_back);
    tcase_add_test(c, others_stay_as_they_are);
    tcase_add_test(c, previews_change_nothing);
    tcase_add_test(c, threads_and_counters);
    tcase_add_test(c, only_own_batches_are_emitted);
    tcase_add_test(c, rows_of_a_maker);
    tcase_add_test(c, rows_of_a_sink);
    tcase_add_test(c, edited_rows_go_on);
    suite_add_tcase(s, c);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
