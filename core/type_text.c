/* type_text.c - an event's payload as a line of text.

   One idea: a walk gives a flat run of elements; what has to be opened and closed between two of them follows from
   their depths. */
#include <inttypes.h>
#include <stdlib.h>

#include "layout.h"

enum { MOST_BYTES = 256 }; /* of one field that are shown */

typedef struct printer {
    const tw_type *type;
    text *out;
    int32_t array;  /* the array of scalars that is open, or -1 */
    uint32_t depth; /* structs that are open */
    int32_t open[TYPE_MAX_DEPTH + 1];
    int first; /* nothing yet since the last opening */
} printer;

/* ---- One value ---------------------------------------------------------- */

static void put_quoted(text *out, const char *s, size_t n)
{
    size_t from = 0;

    text_add(out, "\"", 1);
    for (size_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)s[i];
        int second_control = c == 0xC2 && i + 1 < n && (uint8_t)s[i + 1] < 0xA0; /* U+0080 … U+009F */
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F && !second_control) continue;
        text_add(out, s + from, i - from);
        switch (c) {
        case '"': text_put(out, "\\\""); break;
        case '\\': text_put(out, "\\\\"); break;
        case '\n': text_put(out, "\\n"); break;
        case '\r': text_put(out, "\\r"); break;
        case '\t': text_put(out, "\\t"); break;
        default: text_format(out, "\\u%04x", second_control ? (unsigned)(uint8_t)s[++i] : (unsigned)c); break;
        }
        from = i + 1;
    }
    text_add(out, s + from, n - from);
    text_add(out, "\"", 1);
}

static void put_bytes(text *out, const void *bytes, uint32_t n)
{
    char digits[2 * MOST_BYTES + 1];
    tw_value v = { .kind = TW_BYTES, .t = { .at = bytes, .bytes = n < MOST_BYTES ? n : MOST_BYTES } };

    text_put(out, "0x");
    text_add(out, digits, (size_t)value_print(NULL, &v, digits, sizeof digits));
    if (n > MOST_BYTES) text_format(out, "… (%" PRIu32 " bytes)", n);
}

static void put_value(text *out, const tw_field *f, const tw_value *v)
{
    char here[256], *at = here;

    if (v->kind == TW_TEXT) {
        put_quoted(out, v->t.at, v->t.bytes);
        return;
    }
    if (v->kind == TW_BYTES) {
        put_bytes(out, v->t.at, v->t.bytes);
        return;
    }
    size_t n = (size_t)value_print(f, v, here, sizeof here);
    if (n >= sizeof here) {
        at = mem_grow(NULL, n + 1);
        value_print(f, v, at, n + 1);
    }
    if (v->show == TW_SHOW_CHAR)
        put_quoted(out, at, n);
    else
        text_add(out, at, n);
    if (at != here) free(at);
}

/* ---- What stands between values ----------------------------------------- */

/* Closes what does not go on with `field` at `depth`; 1 where the array of structs `field` does. */
static int close_until(printer *p, int32_t field, uint32_t depth)
{
    int goes_on = 0;

    if (p->array >= 0 && p->array != field) {
        text_put(p->out, "]");
        p->array = -1;
    }
    while (p->depth > depth) {
        int32_t closed = p->open[--p->depth];
        text_put(p->out, "}");
        p->first = 0;
        if (closed == field)
            goes_on = 1;
        else if (layout_is_array(&p->type->field[closed]))
            text_put(p->out, "]");
    }
    return goes_on;
}

static void put_element(printer *p, const tw_walk *w, const tw_value *v)
{
    const tw_field *f = &p->type->field[w->field];
    int goes_on = close_until(p, w->field, w->depth) || p->array == w->field;

    if (goes_on) {
        text_put(p->out, ", ");
    } else {
        if (!p->first) text_put(p->out, " ");
        text_put(p->out, f->name);
        text_put(p->out, layout_is_array(f) ? "=[" : "=");
    }
    p->first = 0;
    if (v->kind == TW_STRUCT) {
        text_put(p->out, "{");
        p->open[p->depth++] = w->field;
        p->first = 1;
    } else {
        put_value(p->out, f, v);
        if (layout_is_array(f)) p->array = w->field;
    }
}

void type_text(const tw_type *t, const tw_event *e, const decode *d, text *out)
{
    printer p = { .type = t, .out = out, .array = -1, .first = 1 };
    tw_walk w;
    tw_value v;

    if (!t->nfields) {
        const char *between = "";
        if (e->bytes) {
            put_bytes(out, e->data, e->bytes);
            between = " ";
        }
        if (t->why) text_format(out, "%s[%s]", between, t->why);
        return;
    }
    type_walk(t, e, d, &w);
    while (type_next(&w, &v) == TW_OK) {
        if (t->field[w.field].show != TW_SHOW_HIDE) put_element(&p, &w, &v);
    }
    close_until(&p, -1, 0);
    const char *between = p.first ? "" : " ";
    if (w.faults) {
        text_format(out, "%s[cut short]", between);
        between = " ";
    }
    if (w.left) {
        text_format(out, "%s[%" PRIu32 " bytes more: ", between, w.left);
        put_bytes(out, e->data + (e->bytes - w.left), w.left);
        text_put(out, "]");
    }
}
