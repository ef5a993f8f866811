/* scalar.c - the bytes of one element of a field as a value.

   One idea: one switch over the kinds; what does not convert is pointed to where it lies. */
#include "scalar.h"

#include "encoding.h"

enum { NS = 1000000000, SID_MOST = 15 };

uint64_t scalar_integer(uint8_t kind, const uint8_t *at, uint32_t bytes)
{
    switch (kind) {
    case TW_I8: return (uint64_t)(int8_t)at[0];
    case TW_I16: return (uint64_t)(int16_t)tw_u16(at);
    case TW_I32: return (uint64_t)(int32_t)tw_u32(at);
    default: break;
    }
    switch (bytes) {
    case 1: return at[0];
    case 2: return tw_u16(at);
    case 4: return tw_u32(at);
    default: return tw_u64(at);
    }
}

uint32_t scalar_sid(const uint8_t *at, uint32_t n)
{
    if (n < 8 || at[0] != 1 || at[1] > SID_MOST) return 0;
    uint32_t bytes = 8 + 4u * at[1];
    return bytes <= n ? bytes : 0;
}

/* ---- Time --------------------------------------------------------------- */

/* ticks / hz in ns, toward zero. 1, or 0 where it does not fit or hz is no frequency. */
static int span_of(int64_t ticks, int64_t hz, int64_t *ns)
{
    int64_t whole;
    if (hz <= 0 || hz > INT64_MAX / NS) return 0;
    if (__builtin_mul_overflow(ticks / hz, (int64_t)NS, &whole)) return 0;
    return !__builtin_add_overflow(whole, ticks % hz * NS / hz, ns); /* both parts have the sign of ticks */
}

/* Ticks stay ticks where nothing tells what they are worth. */
static int from_ticks(const tw_field *f, const uint8_t *at, uint32_t n, const tw_event *e, const decode *d,
                      tw_value *v)
{
    tw_clock clock;
    int64_t ticks, ns;

    if (n < 4 || (n > 4 && n < 8)) return TW_ERROR;
    ticks = n == 4 ? (int64_t)tw_u32(at) : (int64_t)tw_u64(at);
    v->i = ticks;
    if (!d->clock || d->clock(d->context, e, &clock) != TW_OK || clock.hz <= 0 || clock.hz > INT64_MAX / NS)
        return TW_OK;
    if (f->kind == TW_TICKS) {
        if (__builtin_sub_overflow(ticks, clock.ticks, &ticks)) return TW_END;
        if (!span_of(ticks, clock.hz, &ns) || __builtin_add_overflow(clock.time, ns, &ns)) return TW_END;
        v->kind = TW_TIME;
    } else {
        if (!span_of(ticks, clock.hz, &ns)) return TW_END;
        v->kind = TW_SPAN;
    }
    v->i = ns;
    return TW_OK;
}

/* 100 ns since 1601. Those outside of what ns since 1970 can say, 0 among them, are no time. */
static int from_filetime(uint64_t filetime, tw_value *v)
{
    static const int64_t to_1970 = INT64_C(116444736000000000);
    int64_t ns;

    if (filetime > INT64_MAX || __builtin_mul_overflow((int64_t)filetime - to_1970, (int64_t)100, &ns)) return TW_END;
    v->kind = TW_TIME;
    v->i = ns;
    return TW_OK;
}

/* Days from 1970 to the first of a month, of a year after 0. */
static int64_t days_until(int year, int month)
{
    static const int16_t before[12] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    int64_t past = year - 1;
    int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return past * 365 + past / 4 - past / 100 + past / 400 - 719162 + before[month - 1] + (leap && month > 2);
}

/* Year, month, day of the week, day, hour, minute, second, millisecond: 16 bits each. */
static int from_systemtime(const uint8_t *at, tw_value *v)
{
    int year = tw_u16(at), month = tw_u16(at + 2), day = tw_u16(at + 6);
    int hour = tw_u16(at + 8), minute = tw_u16(at + 10), second = tw_u16(at + 12), ms = tw_u16(at + 14);
    int64_t ns;

    if (year < 1601 || month < 1 || month > 12 || day < 1) return TW_END;
    if (hour > 23 || minute > 59 || second > 59 || ms > 999) return TW_END;
    int64_t days = days_until(year, month);
    int64_t next = month == 12 ? days_until(year + 1, 1) : days_until(year, month + 1);
    if (day > next - days) return TW_END;
    int64_t seconds = (days + day - 1) * 86400 + hour * 3600 + minute * 60 + second;
    if (__builtin_mul_overflow(seconds * 1000 + ms, (int64_t)1000000, &ns)) return TW_END;
    v->kind = TW_TIME;
    v->i = ns;
    return TW_OK;
}

/* ---- Text and bytes ----------------------------------------------------- */

/* Text of a stated length may be padded with NULs or end before; a counted one keeps what is inside. */
static uint32_t text_length(const tw_field *f, const uint8_t *at, uint32_t n)
{
    uint32_t unit = f->kind == TW_TEXT16 ? 2 : 1;

    n -= n % unit;
    if (f->bytes_by == TW_FIXED || f->bytes_by == TW_FIELD) {
        for (uint32_t i = 0; i < n; i += unit) {
            if (!at[i] && (unit == 1 || !at[i + 1])) return i;
        }
    } else if (f->bytes_by != TW_ONE) {
        while (n && !at[n - 1] && !at[n - unit]) n -= unit;
    }
    return n;
}

static int from_text(const tw_field *f, const uint8_t *at, uint32_t n, const decode *d, tw_value *v)
{
    n = text_length(f, at, n);
    v->kind = TW_TEXT;
    if (f->kind == TW_TEXT16)
        v->t = encoding_utf16(d->memory, at, n / 2);
    else if (f->kind == TW_TEXT8)
        v->t = encoding_1252(d->memory, at, n);
    else
        v->t = encoding_utf8(d->memory, at, n);
    return TW_OK;
}

static int as_it_lies(const uint8_t *at, uint32_t n, tw_value *v)
{
    v->t = (tw_text){ .at = (const char *)at, .bytes = n };
    return TW_OK;
}

static int from_sid(const uint8_t *at, uint32_t n, tw_value *v)
{
    v->kind = TW_SID;
    if (!n) return TW_END;
    n = scalar_sid(at, n);
    return n ? as_it_lies(at, n, v) : TW_ERROR;
}

static int from_integer(const tw_type *t, const tw_field *f, const uint8_t *at, tw_value *v)
{
    switch (f->kind) {
    case TW_BOOL: v->u = at[0] != 0; break;
    case TW_BOOL32:
        v->kind = TW_BOOL;
        v->u = tw_u32(at) != 0;
        break;
    case TW_U16: /* ports lie in network order */
        v->u = f->show == TW_SHOW_PORT ? (uint64_t)at[0] << 8 | at[1] : tw_u16(at);
        break;
    case TW_POINTER:
        v->kind = TW_U64;
        if (v->show == TW_SHOW_PLAIN) v->show = TW_SHOW_ADDRESS;
        v->u = scalar_integer(f->kind, at, layout_pointer(t));
        break;
    default: v->u = scalar_integer(f->kind, at, layout_natural(f->kind, 8)); break;
    }
    return TW_OK;
}

int scalar_value(const tw_type *t, const tw_field *f, const uint8_t *at, uint32_t n, const tw_event *e,
                 const decode *d, tw_value *v)
{
    *v = (tw_value){ .kind = f->kind, .show = f->show };
    switch (f->kind) { /* kinds that check n for themselves */
    case TW_TICKS:
    case TW_TICK_SPAN: return from_ticks(f, at, n, e, d, v);
    case TW_TEXT:
    case TW_TEXT8:
    case TW_TEXT16: return from_text(f, at, n, d, v);
    case TW_SID:
    case TW_TOKENSID: return from_sid(at, n, v);
    case TW_BYTES: return as_it_lies(at, n, v);
    case TW_SOCKADDR: return n ? as_it_lies(at, n, v) : TW_END;
    default: break;
    }
    uint32_t natural = layout_natural(f->kind, layout_pointer(t));
    if (n < natural) return n ? TW_ERROR : TW_END;
    switch (f->kind) {
    case TW_U32: v->u = tw_u32(at); return TW_OK;
    case TW_TIME:
    case TW_SPAN:
    case TW_U64: v->u = tw_u64(at); return TW_OK;
    case TW_F32: {
        float single;
        memcpy(&single, at, sizeof single);
        v->f = single;
        return TW_OK;
    }
    case TW_F64: memcpy(&v->f, at, sizeof v->f); return TW_OK;
    case TW_FILETIME: return from_filetime(tw_u64(at), v);
    case TW_SYSTEMTIME: return from_systemtime(at, v);
    case TW_GUID:
    case TW_IP4:
    case TW_IP6: return as_it_lies(at, natural, v);
    default: return from_integer(t, f, at, v);
    }
}
