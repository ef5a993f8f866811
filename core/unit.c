/* unit.c - numbers as people write them.

   One idea: integers, spans and moments are computed in integers only and either come out exact or are refused; a
   refusal says what was given and shows a spelling that is right. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tw_plugin.h"

/* What is left of a word; blanks around it are no part of it. */
typedef struct scan {
    const char *at, *end;
} scan;

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static scan scan_of(const char *s)
{
    scan in = { s, s + strlen(s) };
    while (in.at < in.end && is_blank(*in.at)) in.at++;
    while (in.end > in.at && is_blank(in.end[-1])) in.end--;
    return in;
}

/* 1 and moves on, where the next byte is c. */
static int scan_byte(scan *in, char c)
{
    if (in->at == in->end || *in->at != c) return 0;
    in->at++;
    return 1;
}

/* 1 where all that is left is `word`, letters of either case. */
static int scan_rest_is(const scan *in, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(in->end - in->at) != n) return 0;
    for (size_t i = 0; i < n; i++) {
        if (text_lower(in->at[i]) != text_lower(word[i])) return 0;
    }
    return 1;
}

static int scan_sign(scan *in)
{
    if (scan_byte(in, '-')) return 1;
    scan_byte(in, '+');
    return 0;
}

static int refuse(text *why, const char *given, const char *fact)
{
    text_format(why, "\"%s\" %s", given, fact);
    return TW_ERROR;
}

int unit_is_other(const char *why)
{
    return strstr(why, "\" is no ") || strstr(why, "\" is neither ");
}

/* ---- Integers ---- */

typedef struct unit {
    const char *name;
    uint64_t size;
} unit;

// clang-format off
static const unit sizes[] = {
    { "", 1 }, { "b", 1 },
    { "k", 1024 }, { "m", 1ull << 20 }, { "g", 1ull << 30 }, { "t", 1ull << 40 },
    { "kib", 1024 }, { "mib", 1ull << 20 }, { "gib", 1ull << 30 }, { "tib", 1ull << 40 },
    { "kb", 1000 }, { "mb", 1000000 }, { "gb", 1000000000 }, { "tb", 1000000000000 },
};
static const unit spans[] = {
    { "ns", 1 }, { "us", 1000 }, { "\xC2\xB5s", 1000 }, { "\xCE\xBCs", 1000 }, /* micro sign, Greek mu */
    { "ms", 1000000 }, { "s", 1000000000 }, { "min", 60000000000 }, { "h", 3600000000000 }, { "d", 86400000000000 },
};
// clang-format on

static uint64_t unit_size(const scan *in, const unit *units, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (scan_rest_is(in, units[i].name)) return units[i].size;
    }
    return 0;
}

#define UNIT_SIZE(in, units) unit_size(in, units, sizeof units / sizeof *units)

/* Digits of `base` into *value: how many there were, or -1 where they do not fit in 64 bits. */
static int scan_digits(scan *in, uint64_t base, uint64_t *value)
{
    int n = 0, fits = 1;
    for (*value = 0; in->at < in->end; in->at++, n += n < 1000) {
        uint64_t digit = text_hex_digit(*in->at);
        if (digit >= base) break;
        if (*value > (UINT64_MAX - digit) / base) fits = 0;
        *value = *value * base + digit;
    }
    return fits ? n : -1;
}

/* Size and sign as a number: 0 where it is no int64. */
static int signed_of(uint64_t size, int negative, int64_t *out)
{
    if (size > (uint64_t)INT64_MAX + (uint64_t)negative) return 0;
    *out = negative && size ? -(int64_t)(size - 1) - 1 : (int64_t)size;
    return 1;
}

int unit_int(const char *s, int64_t *out, text *why)
{
    static const char wrong[] = "is no integer; write it like 250, -5, 0x1f, 64k (1024-based) or 10MB (1000-based)";
    static const char large[] =
        "is out of range; an integer lies between -9223372036854775808 and 9223372036854775807";
    scan in = scan_of(s);
    uint64_t value, size;
    int negative = scan_sign(&in);

    if (in.end - in.at > 2 && in.at[0] == '0' && text_lower(in.at[1]) == 'x') {
        in.at += 2;
        int digits = scan_digits(&in, 16, &value);
        if (!digits || in.at < in.end) return refuse(why, s, wrong);
        if (digits < 0) return refuse(why, s, large);
        if (!negative && value > INT64_MAX) { /* addresses and masks are written so: the same 64 bits */
            memcpy(out, &value, sizeof value);
            return TW_OK;
        }
        return signed_of(value, negative, out) ? TW_OK : refuse(why, s, large);
    }
    int digits = scan_digits(&in, 10, &value);
    if (!digits || !(size = UNIT_SIZE(&in, sizes))) return refuse(why, s, wrong);
    if (digits < 0 || value > UINT64_MAX / size) return refuse(why, s, large);
    return signed_of(value * size, negative, out) ? TW_OK : refuse(why, s, large);
}

/* ---- Fractions and switches ---- */

int unit_float(const char *s, double *out, text *why)
{
    static const char wrong[] = "is no number; write it like 0.5, -3 or 1e6";
    scan in = scan_of(s);
    char *end;

    /* strtod also takes hexadecimal, inf and nan; nobody means these here. */
    for (const char *at = in.at; at < in.end; at++) {
        if (!is_digit(*at) && !strchr("+-.eE", *at)) return refuse(why, s, wrong);
    }
    if (in.at == in.end) return refuse(why, s, wrong);
    double value = strtod(in.at, &end);
    if (end != in.end) return refuse(why, s, wrong);
    if (!isfinite(value)) return refuse(why, s, "is too large a number; the largest is 1.7e308");
    *out = value;
    return TW_OK;
}

int unit_bool(const char *s, int *out, text *why)
{
    static const char *const yes[] = { "true", "yes", "on", "1" }, *const no[] = { "false", "no", "off", "0" };
    scan in = scan_of(s);
    for (int i = 0; i < 4; i++) {
        if (scan_rest_is(&in, yes[i])) return *out = 1, TW_OK;
        if (scan_rest_is(&in, no[i])) return *out = 0, TW_OK;
    }
    return refuse(why, s, "is neither yes nor no; write true or false");
}

/* ---- Spans ---- */

static const char no_span[] = "is no span of time; write it like 5ms, 1.5s, 10us, 2min, 1h or 3d";

/* The decimals at..end of a unit of `size` ns, exactly: 0 where that is no whole number of ns. */
static int fraction_of(const char *at, const char *end, uint64_t size, uint64_t *ns)
{
    *ns = 0; /* below `size` throughout, so far from overflow */
    while (end > at) {
        uint64_t tenfold = *ns + (uint64_t)(*--end - '0') * size;
        if (tenfold % 10) return 0;
        *ns = tenfold / 10;
    }
    return 1;
}

int unit_span(const char *s, int64_t *ns, text *why)
{
    scan in = scan_of(s);
    uint64_t whole, part, size;
    int negative = scan_sign(&in);
    int digits = scan_digits(&in, 10, &whole);
    const char *decimals = in.at, *decimals_end = in.at;

    if (scan_byte(&in, '.')) {
        decimals = in.at;
        while (in.at < in.end && is_digit(*in.at)) in.at++;
        decimals_end = in.at;
        if (decimals == decimals_end) return refuse(why, s, no_span);
    }
    if (!digits) return refuse(why, s, no_span);
    if (in.at == in.end) {
        if (digits < 0 || whole || decimals < decimals_end)
            return refuse(why, s, "lacks a unit; write it like 5ms or 2min");
        *ns = 0;
        return TW_OK;
    }
    if (scan_rest_is(&in, "m"))
        return refuse(why, s, "could mean two things; write min for minutes, ms for milliseconds");
    if (!(size = UNIT_SIZE(&in, spans))) return refuse(why, s, no_span);
    if (!fraction_of(decimals, decimals_end, size, &part)) return refuse(why, s, "is finer than a nanosecond");
    if (digits < 0 || whole > (UINT64_MAX - part) / size || !signed_of(whole * size + part, negative, ns))
        return refuse(why, s, "is too long a span; the longest is 106751d, some 292 years");
    return TW_OK;
}

/* ---- Moments ---- */

enum { DAY = 86400, SECOND = 1000000000 }; /* in s; in ns */

static const char no_time[] =
    "is no time; write it in UTC like 2026-11-30, 2026-11-30T08:15:00.5Z, or as a span from "
    "the start of the trace like 1.5s, or end";

/* Days since 1970-01-01 in the Gregorian calendar, for years from 1. Years are counted from March, so that the leap
   day ends one; 719468 days lie between 0000-03-01 and 1970-01-01. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t years = year - (month <= 2), months = (month + 9) % 12;
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - 719468;
}

/* The reverse. An era is the 400 years (146097 days) after which the calendar repeats. */
static void date_of(int64_t days, int *year, int *month, int *day)
{
    int64_t since = days + 719468, era = (since >= 0 ? since : since - 146096) / 146097;
    int64_t in_era = since - era * 146097;
    int64_t years = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (years * 365 + years / 4 - years / 100);
    int64_t months = (in_year * 5 + 2) / 153;

    *day = (int)(in_year - (months * 153 + 2) / 5 + 1);
    *month = (int)(months < 10 ? months + 3 : months - 9);
    *year = (int)(years + era * 400 + (*month <= 2));
}

static int days_in(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* Exactly n digits. */
static int scan_number(scan *in, int n, int *out)
{
    if (in->end - in->at < n) return 0;
    for (*out = 0; n--; in->at++) {
        if (!is_digit(*in->at)) return 0;
        *out = *out * 10 + (*in->at - '0');
    }
    return 1;
}

/* The digits behind the point, as ns: one to nine of them. */
static int scan_nanoseconds(scan *in, int *out)
{
    int n = 0, scale = SECOND;
    for (*out = 0; in->at < in->end && is_digit(*in->at); in->at++, n++) {
        if (n == 9) return 0;
        *out += (*in->at - '0') * (scale /= 10);
    }
    return n > 0;
}

static int moment(int64_t seconds, int nanoseconds, int64_t *ns)
{
    if (seconds < INT64_MIN / SECOND - 1 || seconds > INT64_MAX / SECOND) return 0;
    /* Before 1970 one second is moved to the rest, so that both parts have the same sign. */
    int64_t part = seconds < 0 ? (int64_t)nanoseconds - SECOND : nanoseconds;
    int64_t whole = (seconds + (seconds < 0)) * SECOND;
    if (part < 0 ? whole < INT64_MIN - part : whole > INT64_MAX - part) return 0;
    *ns = whole + part;
    return 1;
}

static int absolute_time(const char *s, scan in, int64_t *ns, text *why)
{
    int year, month, day, hour = 0, minute = 0, second = 0, nanoseconds = 0;

    if (!scan_number(&in, 4, &year) || !scan_byte(&in, '-') || !scan_number(&in, 2, &month) || !scan_byte(&in, '-') ||
        !scan_number(&in, 2, &day))
        return refuse(why, s, no_time);
    if (in.at < in.end) {
        if (!scan_byte(&in, 'T') && !scan_byte(&in, 't') && !scan_byte(&in, ' ')) return refuse(why, s, no_time);
        if (!scan_number(&in, 2, &hour) || !scan_byte(&in, ':') || !scan_number(&in, 2, &minute))
            return refuse(why, s, no_time);
        if (scan_byte(&in, ':') &&
            (!scan_number(&in, 2, &second) || (scan_byte(&in, '.') && !scan_nanoseconds(&in, &nanoseconds))))
            return refuse(why, s, no_time);
        if (!scan_byte(&in, 'Z')) scan_byte(&in, 'z');
    }
    if (in.at < in.end) return refuse(why, s, no_time);
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return refuse(why, s, "is no day of the calendar; write it like 2026-11-30");
    if (hour > 23 || minute > 59 || second > 59)
        return refuse(why, s, "is no time of day; it ends with 23:59:59, like 2026-11-30T23:59:59Z");
    int64_t seconds = days_of(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    if (year < 1 || !moment(seconds, nanoseconds, ns))
        return refuse(why, s, "is out of range; times lie between 1677-09-22 and 2262-04-11, like 2026-11-30");
    return TW_OK;
}

int unit_time(const char *s, int64_t *ns, int *relative, text *why)
{
    scan in = scan_of(s);

    *relative = 0;
    if (scan_rest_is(&in, "end")) {
        *ns = INT64_MAX;
        return TW_OK;
    }
    if (in.end - in.at > 4 && in.at[4] == '-') return absolute_time(s, in, ns, why);
    text span_why = { 0 };
    int status = unit_span(s, ns, &span_why);
    if (status == TW_OK) {
        *relative = 1;
    } else if (strstr(text_of(&span_why), no_span)) {
        refuse(why, s, no_time);
    } else {
        text_put(why, text_of(&span_why));
    }
    text_free(&span_why);
    return status;
}

static char *put_digits(char *out, int value, int n)
{
    for (int i = n; i--; value /= 10) out[i] = (char)('0' + value % 10);
    return out + n;
}

int unit_print_time(int64_t ns, char *out)
{
    int64_t seconds = ns / SECOND;
    int nanoseconds = (int)(ns % SECOND), year, month, day;
    char *at = out;

    if (nanoseconds < 0) { /* times before 1970 count up as well */
        nanoseconds += SECOND;
        seconds--;
    }
    int64_t days = seconds / DAY;
    int second = (int)(seconds % DAY);
    if (second < 0) {
        second += DAY;
        days--;
    }
    date_of(days, &year, &month, &day);
    at = put_digits(at, year, 4);
    *at++ = '-';
    at = put_digits(at, month, 2);
    *at++ = '-';
    at = put_digits(at, day, 2);
    *at++ = 'T';
    at = put_digits(at, second / 3600, 2);
    *at++ = ':';
    at = put_digits(at, second / 60 % 60, 2);
    *at++ = ':';
    at = put_digits(at, second % 60, 2);
    *at++ = '.';
    at = put_digits(at, nanoseconds, 9);
    *at++ = 'Z';
    *at = 0;
    return (int)(at - out);
}
