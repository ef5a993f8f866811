/* expr_run.c - values, and running a program over a batch.

   One idea: integers are compared and computed as the numbers they are, whatever their width and sign; only a
   result that no 64 bits hold becomes a float. */
#include <math.h>

#include "batch.h"
#include "bus.h"
#include "expr_tree.h"

enum { SLOTS = EXPR_MAX_DEPTH + 2 };

/* ---- What a value is ---- */

int value_class(const value *v)
{
    static const uint8_t classes[] = {
        [FORM_ABSENT] = CLASS_ABSENT, [FORM_BOOL] = CLASS_BOOL,    [FORM_INT] = CLASS_NUMBER,
        [FORM_BIG] = CLASS_NUMBER,    [FORM_FLOAT] = CLASS_NUMBER, [FORM_TEXT] = CLASS_TEXT,
        [FORM_TIME] = CLASS_TIME,     [FORM_SPAN] = CLASS_SPAN,    [FORM_GUID] = CLASS_GUID,
        [FORM_IP] = CLASS_IP,         [FORM_PATTERN] = CLASS_TEXT,
    };
    return classes[v->form];
}

void value_of_u64(uint64_t u, value *out)
{
    out->form = u > INT64_MAX ? FORM_BIG : FORM_INT;
    out->u = u;
}

/* As it is printed; kinds that expressions have no form for are compared so. */
static void printed(const tw_value *v, const name *n, arena *memory, value *out)
{
    char small[160], *text;
    int length = value_print(n->column, v, small, sizeof small);

    if ((size_t)length >= sizeof small) {
        text = arena_alloc(memory, (size_t)length + 1);
        value_print(n->column, v, text, (size_t)length + 1);
    } else {
        text = arena_text(memory, small, (size_t)length);
    }
    out->form = FORM_TEXT;
    out->t = (tw_text){ text, (uint32_t)length, 0 };
}

void value_of(const tw_value *v, const name *n, arena *memory, value *out)
{
    switch (v->kind) {
    case 0: out->form = FORM_ABSENT; break;
    case TW_BOOL:
    case TW_BOOL32:
        out->form = FORM_BOOL;
        out->u = v->u != 0;
        break;
    case TW_U8:
    case TW_U16:
    case TW_U32:
    case TW_U64:
    case TW_POINTER: value_of_u64(v->u, out); break;
    case TW_I8:
    case TW_I16:
    case TW_I32:
    case TW_I64:
    case TW_TICKS:
    case TW_TICK_SPAN:
        out->form = FORM_INT;
        out->i = v->i;
        break;
    case TW_F32:
    case TW_F64:
        out->form = FORM_FLOAT;
        out->f = v->f;
        break;
    case TW_TIME:
    case TW_SPAN:
        out->form = v->kind == TW_TIME ? FORM_TIME : FORM_SPAN;
        out->i = v->i;
        break;
    case TW_TEXT:
    case TW_GUID:
    case TW_IP4:
    case TW_IP6:
        out->form = v->kind == TW_TEXT ? FORM_TEXT : v->kind == TW_GUID ? FORM_GUID : FORM_IP;
        out->t = v->t;
        break;
    default: printed(v, n, memory, out); break;
    }
}

/* ---- Computing ---- */

static int is_integer(const value *v)
{
    return v->form == FORM_INT || v->form == FORM_BIG;
}

wide value_wide(const value *v)
{
    return v->form == FORM_BIG || v->form == FORM_BOOL ? (wide)v->u : (wide)v->i;
}

static double as_float(const value *v)
{
    return v->form == FORM_FLOAT ? v->f : v->form == FORM_BIG ? (double)v->u : (double)v->i;
}

static int64_t clamped(wide w)
{
    return w > INT64_MAX ? INT64_MAX : w < INT64_MIN ? INT64_MIN : (int64_t)w;
}

static int64_t clamped_float(double f)
{
    return f >= 9223372036854775808.0 ? INT64_MAX : f <= -9223372036854775808.0 ? INT64_MIN : (int64_t)f;
}

static void set_float(value *out, double f)
{
    out->form = FORM_FLOAT;
    out->f = f;
}

static void set_integer(value *out, wide w)
{
    if (w >= INT64_MIN && w <= INT64_MAX) {
        out->form = FORM_INT;
        out->i = (int64_t)w;
    } else if (w >= 0 && w <= UINT64_MAX) {
        out->form = FORM_BIG;
        out->u = (uint64_t)w;
    } else {
        set_float(out, (double)w);
    }
}

static void multiply(wide a, wide b, value *out)
{
    uwide product = (uwide)(a < 0 ? -a : a) * (uwide)(b < 0 ? -b : b); /* below 2^128: both are below 2^64 */
    int negative = (a < 0) != (b < 0);

    if (product <= UINT64_MAX)
        set_integer(out, negative ? -(wide)product : (wide)product);
    else
        set_float(out, negative ? -(double)product : (double)product);
}

/* As on paper: exact where nothing is left over, else a float. */
static void divide(const value *a, const value *b, value *out)
{
    wide above = value_wide(a), below = value_wide(b);

    if (!below)
        out->form = FORM_ABSENT;
    else if (above % below == 0)
        set_integer(out, above / below);
    else
        set_float(out, as_float(a) / as_float(b));
}

/* With the sign of b. */
static wide remainder_of(wide a, wide b)
{
    wide rest = a % b;
    return rest && (rest < 0) != (b < 0) ? rest + b : rest;
}

static void compute_integers(char sign, const value *a, const value *b, value *out)
{
    wide x = value_wide(a), y = value_wide(b);

    switch (sign) {
    case '+': set_integer(out, x + y); break;
    case '-': set_integer(out, x - y); break;
    case '*': multiply(x, y, out); break;
    case '/': divide(a, b, out); break;
    case '&': set_integer(out, x & y); break;
    default:
        if (y)
            set_integer(out, remainder_of(x, y));
        else
            out->form = FORM_ABSENT;
        break;
    }
}

static void compute_floats(char sign, double x, double y, value *out)
{
    switch (sign) {
    case '+': set_float(out, x + y); break;
    case '-': set_float(out, x - y); break;
    case '*': set_float(out, x * y); break;
    case '/': set_float(out, x / y); break;
    default: set_float(out, x - floor(x / y) * y); break;
    }
    if (sign == '&' || ((sign == '/' || sign == '%') && y == 0)) out->form = FORM_ABSENT;
}

/* One side at least is a moment or a span. What is out of range stays at its end. */
static void compute_times(char sign, const value *a, const value *b, value *out)
{
    int numbers = value_class(a) == CLASS_NUMBER || value_class(b) == CLASS_NUMBER;
    value result = { .form = FORM_SPAN };

    if (sign == '+' || sign == '-') {
        result.form = (a->form == FORM_TIME) != (b->form == FORM_TIME) ? FORM_TIME : FORM_SPAN;
        result.i = clamped(sign == '+' ? value_wide(a) + value_wide(b) : value_wide(a) - value_wide(b));
    } else if (!numbers) {
        compute_integers(sign, a, b, &result); /* span / span, span % span */
        if (sign == '%' && result.form == FORM_INT) result.form = FORM_SPAN;
    } else if (a->form == FORM_FLOAT || b->form == FORM_FLOAT) {
        compute_floats(sign, as_float(a), as_float(b), &result);
        if (result.form == FORM_FLOAT && isnan(result.f)) result.form = FORM_ABSENT;
        if (result.form == FORM_FLOAT) result = (value){ .form = FORM_SPAN, .i = clamped_float(result.f) };
    } else if (sign == '*') {
        multiply(value_wide(a), value_wide(b), &result);
        int64_t i = result.form == FORM_FLOAT ? clamped_float(result.f) : clamped(value_wide(&result));
        result = (value){ .form = FORM_SPAN, .i = i };
    } else if (value_wide(b)) {
        result.i = clamped(value_wide(a) / value_wide(b));
    } else {
        result.form = FORM_ABSENT;
    }
    *out = result;
}

/* Classes that do not go together were found when the tree was folded; but a number may be without value here. */
void value_compute(char sign, const value *a, const value *b, value *out)
{
    int class_a = value_class(a), class_b = value_class(b);

    if (class_a == CLASS_ABSENT || class_b == CLASS_ABSENT)
        out->form = FORM_ABSENT;
    else if (class_a != CLASS_NUMBER || class_b != CLASS_NUMBER)
        compute_times(sign, a, b, out);
    else if (is_integer(a) && is_integer(b))
        compute_integers(sign, a, b, out);
    else
        compute_floats(sign, as_float(a), as_float(b), out);
}

void value_negate(value *v)
{
    switch (v->form) {
    case FORM_INT:
    case FORM_BIG: set_integer(v, -value_wide(v)); break;
    case FORM_FLOAT: v->f = -v->f; break;
    case FORM_SPAN: v->i = clamped(-value_wide(v)); break;
    default: v->form = FORM_ABSENT; break;
    }
}

/* ---- Comparing ---- */

enum { LESS = -1, EQUAL = 0, MORE = 1, UNORDERED = 2 }; /* the last: not a number */

static int order_wide(wide a, wide b)
{
    return a < b ? LESS : a > b ? MORE : EQUAL;
}

/* Exactly, though a float has fewer digits than an integer. */
static int order_with_float(wide i, double f)
{
    if (isnan(f)) return UNORDERED;
    if (f >= 18446744073709551616.0) return LESS;
    if (f < -9223372036854775808.0) return MORE;
    wide whole = (wide)f; /* toward zero */
    if (i != whole) return order_wide(i, whole);
    double rest = f - (double)whole;
    return rest > 0 ? LESS : rest < 0 ? MORE : EQUAL;
}

static int order_numbers(const value *a, const value *b)
{
    if (is_integer(a) && is_integer(b)) return order_wide(value_wide(a), value_wide(b));
    if (is_integer(a)) return order_with_float(value_wide(a), b->f);
    if (is_integer(b)) {
        int order = order_with_float(value_wide(b), a->f);
        return order == UNORDERED ? order : -order;
    }
    return isnan(a->f) || isnan(b->f) ? UNORDERED : a->f < b->f ? LESS : a->f > b->f ? MORE : EQUAL;
}

static int order_texts(const tw_text *a, const tw_text *b)
{
    uint32_t n = a->bytes < b->bytes ? a->bytes : b->bytes;
    int order = n ? memcmp(a->at, b->at, n) : 0;
    return order < 0 ? LESS : order > 0 ? MORE : order_wide(a->bytes, b->bytes);
}

static int has(const tw_text *a, const tw_text *b)
{
    const char *at = a->at, *end = a->at + a->bytes;

    if (!b->bytes) return 1;
    while ((size_t)(end - at) >= b->bytes && (at = memchr(at, b->at[0], (size_t)(end - at) - b->bytes + 1))) {
        if (!memcmp(at, b->at, b->bytes)) return 1;
        at++;
    }
    return 0;
}

static int compare_text(int compare, const tw_text *a, const tw_text *b)
{
    if (compare == HAS) return a->bytes ? has(a, b) : !b->bytes;
    if (b->bytes > a->bytes) return 0;
    return !b->bytes || !memcmp(compare == STARTS ? a->at : a->at + a->bytes - b->bytes, b->at, b->bytes);
}

/* GUIDs and addresses asked as texts. */
static value as_text(const value *v, char *room, int cap)
{
    tw_value of = { .kind = v->form == FORM_GUID ? TW_GUID : v->t.bytes == 4 ? TW_IP4 : TW_IP6, .t = v->t };
    if (v->form == FORM_TEXT) return *v;
    int n = value_print(NULL, &of, room, (size_t)cap);
    return (value){ .form = FORM_TEXT, .t = { room, (uint32_t)n, 0 } };
}

int value_compare(int compare, const value *a, const value *b)
{
    int order;
    char room[64];

    if (a->form == FORM_ABSENT || b->form == FORM_ABSENT) return 0;
    if (compare >= STARTS) {
        if (is_integer(a) && is_integer(b)) return (a->u & b->u) == b->u;
        if (b->form != (compare == MATCHES ? FORM_PATTERN : FORM_TEXT)) return 0;
        if (a->form != FORM_TEXT && a->form != FORM_GUID && a->form != FORM_IP) return 0;
        value text = as_text(a, room, sizeof room);
        return compare == MATCHES ? pattern_match(b->pattern, &text.t) : compare_text(compare, &text.t, &b->t);
    }
    if (value_class(a) != value_class(b)) return 0;
    switch (value_class(a)) {
    case CLASS_NUMBER: order = order_numbers(a, b); break;
    case CLASS_TEXT:
    case CLASS_GUID:
    case CLASS_IP: order = order_texts(&a->t, &b->t); break;
    default: order = order_wide(value_wide(a), value_wide(b)); break;
    }
    switch (compare) {
    case SAME: return order == EQUAL;
    case DIFFERENT: return order != EQUAL;
    case BELOW: return order == LESS;
    case AT_MOST: return order == LESS || order == EQUAL;
    case ABOVE: return order == MORE;
    default: return order == MORE || order == EQUAL;
    }
}

/* ---- Running ---- */

typedef struct run {
    expr *x;
    void *self;
    tw_batch *batch;
    const tw_event *event;
    value slot[SLOTS];
} run;

static int64_t since_begin(run *r, int64_t time)
{
    expr *x = r->x;
    if (!x->begin_known || x->begin_source != r->event->source) {
        x->begin = bus_begin(r->self, r->event);
        x->begin_source = r->event->source;
        x->begin_known = 1;
    }
    return clamped((wide)time - x->begin);
}

/* A moment beside a span counts from the start of the trace. */
static int compare_slots(run *r, int compare, value a, value b)
{
    value *moment = a.form == FORM_TIME ? &a : &b;

    if ((a.form == FORM_TIME && b.form == FORM_SPAN) || (a.form == FORM_SPAN && b.form == FORM_TIME)) {
        moment->i = since_begin(r, moment->i);
        moment->form = FORM_SPAN;
    }
    return value_compare(compare, &a, &b);
}

/* UTF-16 up to a NUL or the payload's end, as it lies. */
static int test_text16(const tw_event *e, const step *s)
{
    if (s->offset >= e->bytes) return 0;
    const uint8_t *p = e->data + s->offset;
    uint32_t left = e->bytes - s->offset;
    int starts = s->bytes <= left && !memcmp(p, s->units, s->bytes);

    if (s->compare == STARTS) return starts;
    int same = starts && (left - s->bytes < 2 || !tw_u16(p + s->bytes));
    return same == (s->compare == SAME);
}

static void load(run *r, const name *n, value *out)
{
    tw_value v;

    if (name_get(r->self, r->batch, r->event, n, &v) == TW_OK)
        value_of(&v, n, batch_memory(r->batch), out);
    else
        out->form = FORM_ABSENT;
}

/* Steps other than those of numbers at known places; returns where to go on. */
static uint32_t take_step(run *r, const step *s)
{
    value *slot = &r->slot[s->a];

    switch (s->op) {
    case LOAD: load(r, s->name, slot); return s->yes;
    case CONSTANT: *slot = s->k; return s->yes;
    case NEGATE: value_negate(slot); return s->yes;
    case COMPUTE: value_compute((char)s->compare, slot, slot + 1, slot); return s->yes;
    case TEST_PRESENT: return slot->form != FORM_ABSENT ? s->yes : s->no;
    case TEST_CONSTANT: return compare_slots(r, s->compare, *slot, s->k) ? s->yes : s->no;
    case TEST_SLOTS: return compare_slots(r, s->compare, slot[0], slot[1]) ? s->yes : s->no;
    default: return test_text16(r->event, s) ? s->yes : s->no;
    }
}

/* 1 where the event fits. The steps of a program lead from later to earlier ones only, so it ends. */
static int fits(run *r, const program *p)
{
    const tw_event *e = r->event;
    uint32_t at = p->entry;

    while (at >= FIRST_STEP) {
        const step *s = &p->step[at - FIRST_STEP];
        const uint8_t *in = s->op <= EVENT_SINCE ? (const uint8_t *)e : e->data;
        uint64_t v;
        switch (s->op) {
#define DATA(bytes, load)                                                                                            \
    if (!tw_has(e, s->offset, bytes)) {                                                                              \
        at = s->no;                                                                                                  \
        continue;                                                                                                    \
    }                                                                                                                \
    v = load;                                                                                                        \
    break;
        case EVENT_16: v = tw_u16(in + s->offset); break;
        case EVENT_32: v = tw_u32(in + s->offset); break;
        case EVENT_64: v = tw_u64(in + s->offset); break;
        case EVENT_SINCE: v = (uint64_t)since_begin(r, (int64_t)tw_u64(in + s->offset)); break;
        case DATA_U8: DATA(1, in[s->offset])
        case DATA_U16: DATA(2, tw_u16(in + s->offset))
        case DATA_U32: DATA(4, tw_u32(in + s->offset))
        case DATA_64: DATA(8, tw_u64(in + s->offset))
        case DATA_I8: DATA(1, (uint64_t)(int8_t)in[s->offset])
        case DATA_I16: DATA(2, (uint64_t)(int16_t)tw_u16(in + s->offset))
        case DATA_I32: DATA(4, (uint64_t)(int32_t)tw_u32(in + s->offset))
#undef DATA
        default: at = take_step(r, s); continue;
        }
        at = ((v & s->mask) - s->low <= s->width) != s->negate ? s->yes : s->no;
    }
    return at == PASS;
}

int expr_keep(expr *x, void *self, tw_batch *b, text *why)
{
    const tw_type *const *types = ((tw_self *)self)->type;
    run r;
    uint32_t n = 0;

    r.x = x;
    r.self = self;
    r.batch = b;
    for (uint32_t i = 0; i < b->n; i++) {
        const tw_event *e = &b->event[i];
        if (!x->by_type[e->type] && expr_type(x, types[e->type], why) != TW_OK) return TW_ERROR;
        if (x->last_pattern && TW_HOST(self)->stopped(self)) break; /* one text may take long */
        r.event = e;
        if (!fits(&r, x->by_type[e->type])) continue;
        if (n != i) b->event[n] = *e;
        n++;
    }
    b->n = n;
    return TW_OK;
}
