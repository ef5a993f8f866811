/* key.c - values as keys.

   One idea: open places in an array of pointers, so that what is kept for a key never moves. */
#include "key.h"

#include <math.h>
#include <stdlib.h>

#include "mix.h"
#include "os.h"
#include "text.h"

/* ---- Single values ---- */

/* Does the value stand in `t`, outside of itself? */
static int is_pointed(const tw_value *v)
{
    switch (v->kind) {
    case TW_GUID:
    case TW_IP4:
    case TW_IP6:
    case TW_SOCKADDR:
    case TW_SID:
    case TW_TEXT:
    case TW_BYTES: return 1;
    default: return 0;
    }
}

void key_normal(tw_value *v)
{
    if (v->kind >= TW_I8 && v->kind <= TW_I64) {
        v->kind = v->i < 0 ? TW_I64 : TW_U64;
    } else if (v->kind >= TW_U8 && v->kind <= TW_U64) {
        v->kind = TW_U64;
    } else if (v->kind == TW_F32 || v->kind == TW_F64) {
        v->kind = TW_F64;
        if (v->f == 0) v->f = 0; /* -0, too */
    }
}

uint64_t key_hash(const tw_value *v, uint32_t n, uint64_t seed)
{
    uint64_t h = seed + n;

    for (; n--; v++) {
        if (!is_pointed(v)) {
            h = mix(h + v->kind, v->kind ? v->u : 0);
            continue;
        }
        h = mix(h + v->kind, v->t.bytes);
        uint32_t at = 0;
        for (; v->t.bytes - at >= 8; at += 8) h = mix(h, tw_u64(v->t.at + at));
        for (; at < v->t.bytes; at++) h = mix(h, (uint8_t)v->t.at[at]);
    }
    return mix(h, h >> 29);
}

static int is_same(const tw_value *a, const tw_value *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].kind != b[i].kind) return 0;
        if (!a[i].kind) continue;
        if (!is_pointed(&a[i])) {
            if (a[i].u != b[i].u) return 0;
        } else if (a[i].t.bytes != b[i].t.bytes ||
                   (a[i].t.bytes && memcmp(a[i].t.at, b[i].t.at, a[i].t.bytes) != 0)) {
            return 0;
        }
    }
    return 1;
}

static int order_floats(double a, double b)
{
    if (isnan(a) || isnan(b)) return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

int key_order(const tw_value *a, const tw_value *b)
{
    if (a->kind != b->kind) {
        if (!a->kind || !b->kind) return a->kind ? -1 : 1;
        if (a->kind == TW_I64 && b->kind == TW_U64) return -1; /* the one is negative */
        if (a->kind == TW_U64 && b->kind == TW_I64) return 1;
        return a->kind < b->kind ? -1 : 1;
    }
    if (!a->kind) return 0;
    if (is_pointed(a)) {
        uint32_t n = a->t.bytes < b->t.bytes ? a->t.bytes : b->t.bytes;
        int order = n ? memcmp(a->t.at, b->t.at, n) : 0;
        return order ? order : (a->t.bytes > b->t.bytes) - (a->t.bytes < b->t.bytes);
    }
    switch (a->kind) {
    case TW_F64: return order_floats(a->f, b->f);
    case TW_I64:
    case TW_TIME:
    case TW_SPAN: return (a->i > b->i) - (a->i < b->i);
    default: return (a->u > b->u) - (a->u < b->u);
    }
}

int keys_order(const key *a, const key *b)
{
    int order = 0;
    for (uint32_t i = 0; i < a->n && !order; i++) order = key_order(&a->value[i], &b->value[i]);
    return order;
}

/* ---- Tables ---- */

void keys_make(keys *k, arena *memory, uint32_t nvalues, size_t bytes)
{
    *k = (keys){ .memory = memory, .nvalues = nvalues, .bytes = bytes, .nplaces = 64 };
    k->seed = (uint64_t)(uintptr_t)k ^ (uint64_t)os_monotonic();
    k->place = mem_new(k->nplaces * sizeof(key *));
}

void keys_free(keys *k)
{
    free(k->place);
    k->place = NULL;
}

static void grow(keys *k)
{
    uint32_t n = k->nplaces * 2;
    key **place = mem_new(n * sizeof(key *));

    for (uint32_t i = 0; i < k->nplaces; i++) {
        if (!k->place[i]) continue;
        uint32_t at = k->place[i]->hash & (n - 1);
        while (place[at]) at = (at + 1) & (n - 1);
        place[at] = k->place[i];
    }
    free(k->place);
    k->place = place;
    k->nplaces = n;
}

static key *new_key(keys *k, const tw_value *v, uint32_t hash)
{
    key *made = memset(arena_alloc(k->memory, k->bytes), 0, k->bytes);

    made->hash = hash;
    made->n = k->nvalues;
    made->value = arena_alloc(k->memory, k->nvalues * sizeof *v);
    if (k->nvalues) memcpy(made->value, v, k->nvalues * sizeof *v);
    for (uint32_t i = 0; i < k->nvalues; i++) {
        tw_text *t = &made->value[i].t;
        if (is_pointed(v + i)) t->at = arena_text(k->memory, t->at, t->bytes);
    }
    k->n++;
    return made;
}

void *keys_find(keys *k, const tw_value *v)
{
    uint32_t hash = (uint32_t)key_hash(v, k->nvalues, k->seed);

    if (k->n >= k->nplaces / 2) grow(k);
    uint32_t at = hash & (k->nplaces - 1);
    for (; k->place[at]; at = (at + 1) & (k->nplaces - 1))
        if (k->place[at]->hash == hash && is_same(k->place[at]->value, v, k->nvalues)) return k->place[at];
    if (k->n == KEYS_MOST) return NULL;
    return k->place[at] = new_key(k, v, hash);
}

void *keys_next(const keys *k, uint32_t *at)
{
    while (*at < k->nplaces)
        if (k->place[(*at)++]) return k->place[*at - 1];
    return NULL;
}
