/* test_damage.c - real traces, cut off and with bytes flipped: what was not touched must still come.

   What each buffer holds is found by reading a file of the header's buffer and that one alone. Then the file is damaged
   many times, and every event of every buffer that was not touched has to be among those that are read. Of a large trace
   a slice is used: its first buffer and some from its middle. Damage is repeatable: its places come from a fixed
   sequence of numbers. */
#include <inttypes.h>

#include "../unit/source_host.h"
#include "corpus.h"

extern const tw_stage etl_read_stage;

enum { LARGEST = 400 << 10, LEAST_BUFFERS = 5, DAMAGES = 50, BUFFER_HEADER = 0x48 };

typedef struct hashes {
    uint64_t *at;
    size_t n;
} hashes; /* one an event, of its whole record */

typedef struct piece {
    size_t at, size;
    hashes events;
} piece;

typedef struct trace {
    const char *path;
    uint8_t *bytes;
    size_t n;
    piece *piece;
    size_t pieces;
    int compressed;
} trace;

static int failures;
static uint64_t seed = 1;

static size_t noise(size_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(seed >> 33) % below;
}

static uint64_t hash_of(const tw_event *e)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (const uint8_t *p = e->record; p < e->data + e->bytes; p++) h = (h ^ *p) * UINT64_C(0x100000001B3);
    return h;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* All events of a file in memory, sorted by hash. 0: it was refused. */
static int read_events(const uint8_t *bytes, size_t n, hashes *out)
{
    source *s = source_of_bytes(&etl_read_stage, bytes, n, 512);
    int status, opened = source_open(s) == TW_OK;

    memset(out, 0, sizeof *out);
    if (opened) {
        do {
            tw_batch *b = source_read(s, &status);
            out->at = mem_grow(out->at, (out->n + b->n + 1) * sizeof *out->at);
            for (uint32_t i = 0; i < b->n; i++) out->at[out->n++] = hash_of(&b->event[i]);
            batch_let_go(b);
        } while (status == TW_OK);
        s->stage->end(s->state);
        qsort(out->at, out->n, sizeof *out->at, compare);
    }
    source_close(s);
    return opened;
}

/* How many of `some` are not in `all`. */
static size_t missing(const hashes *some, const hashes *all)
{
    size_t lost = 0, j = 0;

    for (size_t i = 0; i < some->n; i++) {
        while (j < all->n && all->at[j] < some->at[i]) j++;
        if (j < all->n && all->at[j] == some->at[i])
            j++;
        else
            lost++;
    }
    return lost;
}

/* Takes the events of `first` out of `all`; both are sorted. */
static void take_out(hashes *all, const hashes *first)
{
    size_t kept = 0, j = 0;

    for (size_t i = 0; i < all->n; i++) {
        while (j < first->n && first->at[j] < all->at[i]) j++;
        if (j < first->n && first->at[j] == all->at[i])
            j++;
        else
            all->at[kept++] = all->at[i];
    }
    all->n = kept;
}

/* Size of the buffer at a place of a whole trace; 0: none is there. */
static size_t buffer_at(const trace *t, size_t at)
{
    size_t size = t->n - at > BUFFER_HEADER ? tw_u32(t->bytes + at) : 0;
    return size >= BUFFER_HEADER && size <= t->n - at ? size : 0;
}

/* A large trace becomes its first buffer and those around its middle. */
static void cut_slice(trace *t)
{
    size_t first = buffer_at(t, 0), at = first, size, end;
    int buffers = 0;

    while (at < t->n / 2 && (size = buffer_at(t, at))) at += size;
    for (end = at; (size = buffer_at(t, end)); end += size)
        if (buffers++ >= LEAST_BUFFERS && first + end - at > LARGEST) break;
    memmove(t->bytes + first, t->bytes + at, end - at);
    t->n = first + end - at;
}

static int load(trace *t)
{
    text why = { 0 };
    tw_input *in;
    void *window;
    uint64_t n = 0;
    const uint8_t *bytes;

    if (input_open(t->path, &in, &why) != TW_OK) {
        printf("%s\n", text_of(&why));
        text_free(&why);
        return 0;
    }
    if (input_at(in, 0, 1, &window)) input_unmap(window); /* now the size is known, of a compressed one too */
    input_name(in, &n);
    if ((bytes = input_at(in, 0, (size_t)n, &window)) != NULL) {
        t->n = (size_t)n;
        t->bytes = mem_grow(NULL, t->n);
        memcpy(t->bytes, bytes, t->n);
        input_unmap(window);
        if (t->n > LARGEST) cut_slice(t);
    }
    input_close(in);
    return bytes != NULL;
}

static void find_pieces(trace *t)
{
    uint8_t *two = mem_grow(NULL, 2 * t->n);

    for (size_t at = 0; t->n - at > BUFFER_HEADER;) {
        piece *p;
        size_t size = buffer_at(t, at);
        if (!size) break;
        t->piece = mem_grow(t->piece, (t->pieces + 1) * sizeof *t->piece);
        p = &t->piece[t->pieces++];
        *p = (piece){ at, size, { 0 } };
        if (tw_u16(t->bytes + at + 0x34) & 0x40) t->compressed = 1;
        memcpy(two, t->bytes, t->piece[0].size);
        memcpy(two + t->piece[0].size, t->bytes + at, size);
        if (!read_events(two, at ? t->piece[0].size + size : size, &p->events)) failures++;
        if (at) take_out(&p->events, &t->piece[0].events);
        at += size;
    }
    free(two);
}

/* Everything that lies outside [from, to) must be in the damaged bytes' events; in a compressed file nothing leads over
   a broken header, so there only what is before counts then. */
static void check(const trace *t, const char *what, const uint8_t *bytes, size_t n, size_t from, size_t to)
{
    hashes got;
    int opened = read_events(bytes, n, &got);
    /* Where the log-file header is hit, two buffers in a row must be left to tell the stride. */
    size_t demanded = t->pieces > 3 || from >= t->piece[0].size ? t->pieces : 0;

    for (size_t i = 0; i < demanded; i++) {
        const piece *p = &t->piece[i];
        size_t lost;
        if (p->at + p->size > from && p->at < to) {
            if (t->compressed && from < p->at + BUFFER_HEADER) break;
            if (t->compressed && i == 0) break; /* how all others are compressed stands there */
            continue;
        }
        lost = opened ? missing(&p->events, &got) : p->events.n;
        if (lost == 0) continue;
        printf("%s, %s at 0x%" PRIx64 ": %" PRIu64 " of %" PRIu64 " events of the buffer at 0x%" PRIx64
               " are missing%s\n",
               t->path, what, (uint64_t)from, (uint64_t)lost, (uint64_t)p->events.n, (uint64_t)p->at,
               opened ? "" : ", for it was refused");
        failures++;
        break;
    }
    free(got.at);
}

static void cut(const trace *t)
{
    for (int i = 0; i < DAMAGES; i++) {
        size_t n = noise(t->n);
        check(t, "cut off", t->bytes, n, n, t->n);
    }
}

static void flip(const trace *t)
{
    uint8_t *bytes = mem_grow(NULL, t->n);

    for (int i = 0; i < DAMAGES; i++) {
        /* Every second time a buffer's header is hit, or the first events behind it. */
        size_t at = i % 2 ? noise(t->n) : t->piece[noise(t->pieces)].at + noise(2 * BUFFER_HEADER);
        size_t n = 1 + noise(8);
        if (at > t->n - n) at = t->n - n;
        memcpy(bytes, t->bytes, t->n);
        for (size_t k = 0; k < n; k++) bytes[at + k] ^= (uint8_t)(1 + noise(255));
        check(t, "flipped", bytes, t->n, at, at + n);
    }
    free(bytes);
}

int main(void)
{
    corpus c = corpus_open();
    int traces = 0;
    size_t buffers = 0;

    for (size_t i = 0; i < c.n; i++) {
        trace t = { .path = c.path[i] };
        text counts = { 0 };

        text_format(&counts, "%s.counts.json", c.path[i]);
        if (corpus_ends(c.path[i], ".zst")) {
            text_clear(&counts);
            text_add(&counts, c.path[i], strlen(c.path[i]) - strlen(".zst"));
            text_put(&counts, ".counts.json");
        }
        if (!corpus_ends(c.path[i], ".json") && os_exists(counts.at) && load(&t)) {
            find_pieces(&t);
            cut(&t);
            flip(&t);
            traces++;
            buffers += t.pieces;
        }
        for (size_t k = 0; k < t.pieces; k++) free(t.piece[k].events.at);
        free(t.piece);
        free(t.bytes);
        text_free(&counts);
    }
    if (traces == 0) failures++;
    printf("%d traces of %" PRIu64 " buffers, each damaged %d times: %d failures\n", traces, (uint64_t)buffers,
           2 * DAMAGES, failures);
    corpus_close(&c);
    return failures ? 1 : 0;
}
