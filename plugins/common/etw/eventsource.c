/* eventsource.c - putting the pieces of manifests together; see eventsource.h. */
#include "eventsource.h"

#include <stdlib.h>

#include "store.h"

/* The event and its head, as EventSource's own description has them: format 1, version 1.0, a magic number, then how
   many pieces there are and which one this is. */
enum { PIECE_ID = 0xFFFE, PIECE_OPCODE = 0xFE, PIECE_TASK = 0xFFFE, PIECE_HEAD = 8, FORMAT = 1, MAGIC = 0x5B };

/* Against traces that would fill the memory: how many pieces and bytes a manifest may have, how many manifests may be
   incomplete, the bytes of these, how many different ones of a provider are read. Real ones have some 100 KiB. */
enum {
    MOST_PIECES = 1024,
    MOST_TEXT = 16 << 20,
    MOST_OPEN = 256,
    MOST_BYTES = 64 << 20,
    MOST_TEXTS = 32,
    MOST_PROVIDERS = 1024
};

typedef struct piece {
    char *text; /* NULL: has not come */
    size_t n;
} piece;

typedef struct set { /* pieces of one manifest */
    struct set *after;
    uint8_t guid[16];
    uint32_t pid, tid;
    uint32_t npieces, got;
    size_t bytes; /* of text */
    piece piece[];
} set;

typedef struct known { /* a provider that sent something */
    struct known *after;
    uint8_t guid[16];
    uint32_t texts, good;      /* different ones that came; that could be read */
    uint64_t seen[MOST_TEXTS]; /* their sums */
} known;

struct eventsources {
    set *open;
    known *providers;
    size_t nopen, nproviders, bytes;
};

eventsources *eventsources_new(void)
{
    return calloc(1, sizeof(eventsources));
}

static void drop(eventsources *e, set **link)
{
    set *s = *link;

    *link = s->after;
    e->nopen--;
    e->bytes -= s->bytes;
    for (uint32_t i = 0; i < s->npieces; i++) free(s->piece[i].text);
    free(s);
}

void eventsources_free(eventsources *e)
{
    if (!e) return;
    while (e->open) drop(e, &e->open);
    while (e->providers) {
        known *after = e->providers->after;
        free(e->providers);
        e->providers = after;
    }
    free(e);
}

int eventsources_is(const record *r)
{
    const uint8_t *head = r->at + r->payload;

    return r->kind == RECORD_EVENT && r->id == PIECE_ID && r->at[ETW_EVENT_OPCODE] == PIECE_OPCODE &&
           tw_u16(r->at + ETW_EVENT_TASK) == PIECE_TASK && r->size - r->payload >= PIECE_HEAD && head[0] == FORMAT &&
           head[3] == MAGIC;
}

uint32_t eventsources_unfinished(const eventsources *e)
{
    uint32_t n = 0;

    for (const known *k = e->providers; k; k = k->after) n += !k->good;
    return n;
}

/* ---- Providers ---- */

static known *provider_of(eventsources *e, const record *r)
{
    known *k = e->providers;

    while (k && memcmp(k->guid, r->guid, 16) != 0) k = k->after;
    if (k || e->nproviders == MOST_PROVIDERS) return k;
    k = calloc(1, sizeof *k);
    if (!k) return NULL;
    memcpy(k->guid, r->guid, 16);
    k->after = e->providers;
    e->providers = k;
    e->nproviders++;
    return k;
}

/* FNV-1a: two manifests of one provider that differ and have the same sum are one in 2^64. */
static uint64_t sum_of(const char *text, size_t n)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);

    for (size_t i = 0; i < n; i++) sum = (sum ^ (uint8_t)text[i]) * UINT64_C(0x100000001B3);
    return sum;
}

static int read_text(known *of, const char *text, size_t n, manifests *m)
{
    store clean = { 0 };
    char why[256];
    uint64_t sum = sum_of(text, n), faults = 0;

    for (uint32_t i = 0; i < of->texts; i++)
        if (of->seen[i] == sum) return 1;
    of->seen[of->texts++] = sum;
    const char *valid = store_text(&clean, text, n);
    int good = valid && manifests_read(m, valid, strlen(valid), "in the trace", why, sizeof why, &faults) == TW_OK;
    of->good += (uint32_t)good;
    store_free(&clean);
    return good;
}

/* ---- Pieces ---- */

static set **find(eventsources *e, const record *r)
{
    set **link = &e->open;

    while (*link && ((*link)->pid != r->pid || (*link)->tid != r->tid || memcmp((*link)->guid, r->guid, 16) != 0))
        link = &(*link)->after;
    return link;
}

static set *begin(eventsources *e, const record *r, uint32_t pieces)
{
    set *s = e->nopen < MOST_OPEN ? calloc(1, sizeof *s + pieces * sizeof *s->piece) : NULL;

    if (!s) return NULL;
    memcpy(s->guid, r->guid, 16);
    s->pid = r->pid;
    s->tid = r->tid;
    s->npieces = pieces;
    s->after = e->open;
    e->open = s;
    e->nopen++;
    return s;
}

/* Is this piece of the set's text, or does another text begin? */
static int belongs(const set *s, uint32_t pieces, uint32_t number, const uint8_t *at, size_t n)
{
    if (pieces != s->npieces) return 0;
    const piece *p = &s->piece[number];
    return !p->text || (p->n == n && memcmp(p->text, at, n) == 0);
}

static int take(eventsources *e, set *s, uint32_t number, const uint8_t *at, size_t n)
{
    piece *p = &s->piece[number];

    if (p->text) return 1;
    p->text = n <= MOST_BYTES - e->bytes && n <= MOST_TEXT - s->bytes ? malloc(n + 1) : NULL;
    if (!p->text) return 0;
    memcpy(p->text, at, n);
    p->n = n;
    s->bytes += n;
    e->bytes += n;
    s->got++;
    return 1;
}

static int read_set(known *of, const set *s, manifests *m)
{
    char *text = malloc(s->bytes + 1);
    size_t n = 0;

    if (!text) return 0;
    for (uint32_t i = 0; i < s->npieces; i++) {
        memcpy(text + n, s->piece[i].text, s->piece[i].n);
        n += s->piece[i].n;
    }
    int good = read_text(of, text, n, m);
    free(text);
    return good;
}

int eventsources_add(eventsources *e, const record *r, manifests *m)
{
    const uint8_t *head = r->at + r->payload, *at = head + PIECE_HEAD;
    size_t n = r->size - r->payload - PIECE_HEAD;
    uint32_t pieces = tw_u16(head + 4), number = tw_u16(head + 6);
    known *of = provider_of(e, r);

    if (!of || number >= pieces || pieces > MOST_PIECES) return 0;
    if (of->texts == MOST_TEXTS) return 1;
    set **link = find(e, r);
    if (*link && !belongs(*link, pieces, number, at, n)) {
        drop(e, link);
        link = find(e, r);
    }
    if (!*link) {
        if (!begin(e, r, pieces)) return 0;
        link = &e->open;
    }
    int good = take(e, *link, number, at, n);
    if (good && (*link)->got < pieces) return 1;
    if (good) good = read_set(of, *link, m);
    drop(e, link);
    return good;
}
