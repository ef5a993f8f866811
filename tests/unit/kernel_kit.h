/* kernel_kit.h - payloads of kernel events written by hand, and what is in them as one line of text.

   One idea: the line is made here and not by the project's printer: numbers in decimal, or in hex as their hints
   say, then `:` and the name of the value or of its bits; text in quotes, addresses with dots, other bytes in hex,
   { before a struct's members. Behind the last value stands +N for N bytes left over and ! where it was cut short.
   A time is in nanoseconds by a clock whose tick 1000 is 5,000,000 ns and that ticks each 100 ns. */
#ifndef KERNEL_KIT_H
#define KERNEL_KIT_H

#include "kernel.h"
#include "kernel_tables.h"
#include "payload_kit.h"

typedef struct vector {
    const char *name; /* "Class/Event" */
    unsigned opcode, version, pointer;
    const char *hex;  /* the payload */
    const char *says; /* its values */
} vector;

static kit k;

static int ten_megahertz(void *context, const tw_event *e, tw_clock *c)
{
    (void)context;
    (void)e;
    *c = (tw_clock){ .ticks = 1000, .time = 5000000, .hz = 10000000 };
    return TW_OK;
}

static void open_kit(void)
{
    kit_open(&k);
    k.how.clock = ten_megahertz;
}

static void close_kit(void)
{
    kit_close(&k);
}

static void put_words(text *out, const tw_names *names, uint64_t value)
{
    const char *between = ":";

    for (uint32_t i = 0; i < names->n; i++) {
        const tw_name *n = &names->name[i];
        int is = names->flags & TW_BITS ? (value & n->value) == n->value : value == n->value;

        if (!is) continue;
        text_format(out, "%s%s", between, n->name);
        between = "|";
    }
}

static void put_number(text *out, const tw_field *f, const tw_value *v)
{
    unsigned long long u = v->u;
    int bits = f->names && f->names->flags & TW_BITS;

    if (f->show == TW_SHOW_NTSTATUS)
        text_format(out, "0x%08llx", u & 0xFFFFFFFF);
    else if (bits || f->show == TW_SHOW_HEX || f->show == TW_SHOW_ADDRESS || f->show == TW_SHOW_CODE)
        text_format(out, "0x%llx", u);
    else if (v->kind >= TW_I8 && v->kind <= TW_I64)
        text_format(out, "%lld", (long long)v->i);
    else
        text_format(out, "%llu", u);
    if (f->names) put_words(out, f->names, u);
}

static void put_bytes(text *out, const tw_value *v, const char *format, const char *between)
{
    for (uint32_t i = 0; i < v->t.bytes; i++) {
        if (i) text_put(out, between);
        text_format(out, format, (unsigned)(uint8_t)v->t.at[i]);
    }
}

static void put(text *out, const tw_field *f, const tw_value *v)
{
    char guid[40];

    switch (v->kind) {
    case TW_STRUCT: text_put(out, "{"); break;
    case TW_TEXT: text_format(out, "'%.*s'", (int)v->t.bytes, v->t.at); break;
    case TW_GUID:
        guid_print((const uint8_t *)v->t.at, guid);
        text_put(out, guid);
        break;
    case TW_IP4: put_bytes(out, v, "%u", "."); break;
    case TW_IP6:
    case TW_SID:
    case TW_BYTES: put_bytes(out, v, "%02x", ""); break;
    default: put_number(out, f, v); break;
    }
}

static const char *line(void)
{
    static text out;
    int32_t last = -1;
    tw_walk w;
    tw_value v;

    text_clear(&out);
    type_walk(k.type, &k.event, &k.how, &w);
    while (type_next(&w, &v) == TW_OK) {
        const tw_field *f = &k.type->field[w.field];

        if (f->show == TW_SHOW_HIDE) continue;
        text_put(&out, last == w.field ? "," : last < 0 ? "" : " ");
        if (last != w.field) text_format(&out, "%s=", f->name);
        last = w.field;
        put(&out, f, &v);
    }
    if (w.left) text_format(&out, " +%u", (unsigned)w.left);
    if (w.faults) text_put(&out, " !");
    return text_of(&out);
}

/* The class whose name begins `name`, which goes on with a slash. */
static const kernel_class *class_named(const char *name)
{
    size_t n = strcspn(name, "/");

    for (unsigned i = 0; i < kernel_class_count; i++) {
        const kernel_class *c = &kernel_classes[i];

        if (strlen(c->name) == n && !memcmp(c->name, name, n)) return c;
    }
    ck_abort_msg("there is no class for %s", name);
    return NULL;
}

/* exact: whether the layout is of this very version. */
static void check(const vector *v, int exact)
{
    kernel_layout l;
    char name[128];

    kernel_by_guid(class_named(v->name)->guid, v->opcode, v->version, v->pointer, &l);
    snprintf(name, sizeof name, "%s/%s", l.provider, l.name ? l.name : "?");
    ck_assert_str_eq(name, v->name);
    ck_assert_msg(l.known && l.exact == exact, "%s version %u", name, v->version);
    kit_type(&k, l.field, l.nfields, (uint8_t)v->pointer);
    kit_hex(&k, v->hex);
    ck_assert_msg(!strcmp(line(), v->says), "%s version %u beside %u-byte pointers:\n  %s\nnot\n  %s", name,
                  v->version, v->pointer, line(), v->says);
}

/* A test of its own for each table, so that one mistake hides no other. */
#define TABLE(name)                                                                                                  \
    START_TEST(name)                                                                                                 \
    {                                                                                                                \
        for (size_t i = 0; i < COUNT_OF(name##_vectors); i++) check(&name##_vectors[i], 1);                          \
    }                                                                                                                \
    END_TEST

/* Addresses, 0xfffff800dead1000 and on, 0x80401000 and on. */
#define A8      "0010adde00f8ffff "
#define B8      "0020adde00f8ffff "
#define C8      "0030adde00f8ffff "
#define D8      "0040adde00f8ffff "
#define A4      "00104080 "
#define B4      "00204080 "
#define C4      "00304080 "
#define D4      "00404080 "
#define SAYS_A8 "0xfffff800dead1000"
#define SAYS_B8 "0xfffff800dead2000"
#define SAYS_C8 "0xfffff800dead3000"
#define SAYS_D8 "0xfffff800dead4000"
#define SAYS_A4 "0x80401000"
#define SAYS_B4 "0x80402000"
#define SAYS_C4 "0x80403000"
#define SAYS_D4 "0x80404000"

#endif
