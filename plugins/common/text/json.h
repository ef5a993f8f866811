/* json.h - a cell as JSON.

   json.write writes all cells so, csv.write and text.grid their lists. One idea: whatever the cell holds, the result is
   valid JSON: bytes that are no UTF-8 become U+FFFD, numbers that JSON does not have become null. */
#ifndef JSON_H
#define JSON_H

#include "cell.h"
#include "page.h"
#include "utf8.h"
#include <math.h>

typedef struct json {
    const tw_host *host;
    page *to;
    page scratch; /* what the host printed, before it is quoted */
    page_moment moment;
} json;

static inline void json_escape(page *p, uint8_t byte)
{
    static const char hex[] = "0123456789abcdef", named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *at = named; *at; at += 2) {
        if ((uint8_t)*at != byte) continue;
        page_byte(p, '\\');
        page_byte(p, at[1]);
        return;
    }
    if (byte < 0x20) {
        char escaped[] = { '\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15] };
        page_put(p, escaped, sizeof escaped);
    } else {
        page_string(p, "\xEF\xBF\xBD"); /* U+FFFD */
    }
}

/* 1 where all of eight bytes are ASCII that stands for itself in a string. Each test leaves the highest bit of a byte that
   fails it set; a borrow may set others, too, but clears none. */
static inline int json_is_plain(const uint8_t *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones * 0x80;
    uint64_t eight = tw_u64(at), control = eight - ones * 0x20;
    uint64_t quote = (eight ^ ones * '"') - ones, slash = (eight ^ ones * '\\') - ones;

    return !((eight | control | quote | slash) & high);
}

static inline void json_string(page *p, const char *text, size_t n)
{
    const uint8_t *at = (const uint8_t *)(n ? text : ""), *run = at, *end = at + n;
    uint32_t code;

    page_byte(p, '"');
    while (at < end) {
        if (end - at >= 8 && json_is_plain(at)) {
            at += 8;
            continue;
        }
        size_t good = *at >= 0x80 ? utf8_read(at, end, &code) : *at >= 0x20 && *at != '"' && *at != '\\';
        at += good;
        if (good) continue;
        page_put(p, run, (size_t)(at - run));
        json_escape(p, *at);
        run = ++at;
    }
    page_put(p, run, (size_t)(at - run));
    page_byte(p, '"');
}

static inline void json_value(json *j, const tw_field *column, enum cell cell, const tw_value *v);

static inline void json_list(json *j, const tw_field *column, const tw_value *v)
{
    cell_list l;
    tw_value element;

    cell_list_open(&l, column, v);
    enum cell cell = cell_of_element(column);
    page_byte(j->to, '[');
    for (uint32_t i = 0; i < l.rows.n; i++) {
        if (i) page_byte(j->to, ',');
        tw_cell(&l.rows, 0, i, &element);
        json_value(j, &l.element, cell, &element);
    }
    page_byte(j->to, ']');
}

static inline void json_value(json *j, const tw_field *column, enum cell cell, const tw_value *v)
{
    page *p = j->to;
    switch (cell) {
    case CELL_UNSIGNED: page_unsigned(p, v->u); break;
    case CELL_SIGNED:
    case CELL_SPAN: page_signed(p, v->i); break;
    case CELL_BOOL: page_string(p, v->u ? "true" : "false"); break;
    case CELL_FLOAT:
        if (isfinite(v->f)) {
            page_value(p, j->host, column, v);
        } else {
            page_string(p, "null");
        }
        break;
    case CELL_TIME:
        page_byte(p, '"');
        page_time(p, j->host, &j->moment, v->i);
        page_byte(p, '"');
        break;
    case CELL_TEXT: json_string(p, v->t.at, v->t.bytes); break;
    case CELL_PRINT:
        j->scratch.n = 0;
        page_value(&j->scratch, j->host, column, v);
        json_string(p, j->scratch.at, j->scratch.n);
        if (j->scratch.failed) p->failed = 1;
        break;
    case CELL_LIST: json_list(j, column, v); break;
    }
}

#endif
