/* payload_kit.h - field tables and payloads for tests, written by hand. */
#ifndef PAYLOAD_KIT_H
#define PAYLOAD_KIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "type.h"

/* FIELD("Name", TW_U32) and, with more members of tw_field, FIELD("Name", TW_TEXT8, .bytes_by = TW_FIXED, .bytes = 4). */
#define FIELD(called, ...)                                                                                           \
    {                                                                                                                \
        .name = called, .kind = __VA_ARGS__                                                                          \
    }
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* A registry, an arena and one event to decode. */
typedef struct kit {
    types *types;
    arena memory;
    text why;
    decode how;
    const tw_type *type;
    tw_event event;
    uint8_t bytes[4096];
} kit;

static inline void kit_open(kit *k)
{
    memset(k, 0, sizeof *k);
    k->types = types_new();
    k->how.memory = &k->memory;
}

static inline void kit_close(kit *k)
{
    types_free(k->types);
    arena_free(&k->memory);
    text_free(&k->why);
    if (k->event.bytes) free((void *)(uintptr_t)k->event.data);
}

/* Publishes "Test/Event" with these fields; fails the test where that is refused. */
static inline void kit_type(kit *k, const tw_field *field, uint32_t n, uint8_t pointer)
{
    tw_type t = { .size = sizeof t,
                  .provider = "Test",
                  .name = "Event",
                  .origin = "test",
                  .pointer = pointer,
                  .nfields = n,
                  .field = field };
    uint32_t id = types_publish(k->types, &t, &k->why);
    ck_assert_msg(id, "refused: %s", text_of(&k->why));
    k->type = types_table(k->types)[id];
    k->event.type = id;
}

/* The payload lies in memory of exactly its size, so that a byte read beyond it is found. */
static inline void kit_bytes(kit *k, const void *bytes, uint32_t n)
{
    if (k->event.bytes) free((void *)(uintptr_t)k->event.data);
    uint8_t *copy = n ? mem_new(n) : NULL;
    if (n) memcpy(copy, bytes, n);
    k->event.data = copy;
    k->event.bytes = n;
}

static inline uint32_t kit_parse(const char *hex, uint8_t *out)
{
    uint32_t n = 0;
    for (; *hex; hex++) {
        unsigned byte;
        if (*hex == ' ') continue;
        ck_assert_int_eq(sscanf(hex, "%2x", &byte), 1);
        out[n++] = (uint8_t)byte;
        hex++;
    }
    return n;
}

static inline void kit_hex(kit *k, const char *hex)
{
    kit_bytes(k, k->bytes, kit_parse(hex, k->bytes));
}

/* Hex, then text as UTF-16LE with a NUL. */
static inline void kit_hex_text16(kit *k, const char *hex, const char *ascii)
{
    uint32_t n = kit_parse(hex, k->bytes);
    do {
        k->bytes[n++] = (uint8_t)*ascii;
        k->bytes[n++] = 0;
    } while (*ascii++);
    kit_bytes(k, k->bytes, n);
}

static inline int kit_get(kit *k, const char *name, tw_value *v)
{
    int field = type_field(k->type, name);
    ck_assert_msg(field >= 0, "no field %s", name);
    return type_get(k->type, &k->event, field, &k->how, v);
}

/* The value of a field as text; "(none)" where there is none. Good until the next call. */
static inline const char *kit_show(kit *k, const char *name)
{
    static char shown[1024];
    tw_value v;
    if (kit_get(k, name, &v) != TW_OK) return "(none)";
    value_print(&k->type->field[type_field(k->type, name)], &v, shown, sizeof shown);
    return shown;
}

static inline uint64_t kit_number(kit *k, const char *name)
{
    tw_value v;
    ck_assert_msg(kit_get(k, name, &v) == TW_OK, "%s has no value", name);
    return v.u;
}

/* The whole payload as text. Good until the next call. */
static inline const char *kit_text(kit *k)
{
    static text shown;
    text_clear(&shown);
    type_text(k->type, &k->event, &k->how, &shown);
    return text_of(&shown);
}

/* Walks the whole payload into "name[index]@depth=value" words. Good until the next call. */
static inline const char *kit_walk(kit *k, uint32_t *faults, uint32_t *left)
{
    static char words[8192];
    char value[512];
    size_t n = 0;
    tw_walk w;
    tw_value v;

    words[0] = 0;
    type_walk(k->type, &k->event, &k->how, &w);
    while (type_next(&w, &v) == TW_OK) {
        const tw_field *f = &k->type->field[w.field];
        value_print(f, &v, value, sizeof value);
        ck_assert_int_eq(f->kind == TW_STRUCT, v.kind == TW_STRUCT);
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%s[%u]@%u=%s", n ? " " : "", f->name, w.index, w.depth,
                              value);
        ck_assert_uint_lt(n, sizeof words);
    }
    *faults = w.faults;
    *left = w.left;
    return words;
}

#define ck_kit_walks(kit, expected, expected_faults, expected_left)                                                  \
    do {                                                                                                             \
        uint32_t faults_, left_;                                                                                     \
        ck_assert_str_eq(kit_walk(kit, &faults_, &left_), expected);                                                 \
        ck_assert_uint_eq(faults_, expected_faults);                                                                 \
        ck_assert_uint_eq(left_, expected_left);                                                                     \
    } while (0)

#define ck_shows(kit, name, expected) ck_assert_str_eq(kit_show(kit, name), expected)

static inline int kit_run(const char *name, void (*add)(TCase *), void (*open)(void), void (*close)(void))
{
    Suite *s = suite_create(name);
    TCase *c = tcase_create(name);
    tcase_add_checked_fixture(c, open, close);
    add(c);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed;
}

#endif
