/* fake_host.h - a host of one stage that keeps what the stage writes and says.

   The host is a table of functions, so a test can be one: a sink is given its options as text, announced tables and rows
   made in the test, and what it would have written to files is compared byte by byte. */
#ifndef FAKE_HOST_H
#define FAKE_HOST_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "text.h"
#include "tw_plugin.h"
#include "type.h"
#include "unit.h"

enum { FAKE_OPEN, FAKE_KEPT, FAKE_DROPPED };

struct tw_output {
    char path[512];
    text bytes;
    int state;         /* FAKE_… */
    int *write_status; /* of the next write that fails, or TW_OK */
};

typedef struct fake {
    const tw_stage *stage;
    tw_self *state;
    arena memory;
    tw_output file[8];
    uint32_t nfiles;
    text said; /* by fail and misuse */
    text logged;
    int misused;
    int write_status; /* what writing gives */
} fake;

static inline fake *fake_of(void *self)
{
    return ((tw_self *)self)->instance;
}

static inline int fake_say(void *self, int misuse, const char *format, va_list arguments)
{
    char sentence[1024];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    text_put(&fake_of(self)->said, sentence);
    fake_of(self)->misused = misuse;
    return TW_ERROR;
}

static inline int fake_fail(void *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = fake_say(self, 0, format, arguments);
    va_end(arguments);
    return status;
}

static inline int fake_misuse(void *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = fake_say(self, 1, format, arguments);
    va_end(arguments);
    return status;
}

static inline void fake_log(void *self, int severity, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text_format(&fake_of(self)->logged, "%d %s\n", severity, sentence);
}

static inline tw_output *fake_create(void *self, const char *path)
{
    fake *f = fake_of(self);
    ck_assert_uint_lt(f->nfiles, 8);
    tw_output *o = &f->file[f->nfiles++];
    snprintf(o->path, sizeof o->path, "%s", path);
    o->write_status = &f->write_status;
    return o;
}

static inline int fake_write(tw_output *o, const void *bytes, size_t n)
{
    ck_assert_int_eq(o->state, FAKE_OPEN);
    if (*o->write_status == TW_OK) text_add(&o->bytes, bytes, n);
    return *o->write_status;
}

static inline int fake_finish(tw_output *o, int keep)
{
    ck_assert_int_eq(o->state, FAKE_OPEN);
    o->state = keep ? FAKE_KEPT : FAKE_DROPPED;
    return TW_OK;
}

static const tw_host fake_host = {
    .size = sizeof(tw_host),
    .fail = fake_fail,
    .misuse = fake_misuse,
    .log = fake_log,
    .print = value_print,
    .create = fake_create,
    .write = fake_write,
    .finish = fake_finish,
};

/* Lists are cut at commas; "" is an empty one. */
static inline const char **fake_list(fake *f, const char *value)
{
    const char **list = arena_alloc(&f->memory, 32 * sizeof *list);
    uint32_t n = 0;
    for (char *at = arena_text(&f->memory, value, strlen(value)), *comma; *at; at = comma + 1) {
        ck_assert_uint_lt(n, 31);
        list[n++] = at;
        if (!(comma = strchr(at, ','))) break;
        *comma = 0;
    }
    list[n] = NULL;
    return list;
}

static inline void fake_set(fake *f, const tw_option *o, const char *value)
{
    char *member = (char *)f->state + o->offset;
    text why = { 0 };

    switch (o->kind) {
    case TW_OPT_BOOL: ck_assert_int_eq(unit_bool(value, (int *)(void *)member, &why), TW_OK); break;
    case TW_OPT_INT: ck_assert_int_eq(unit_int(value, (int64_t *)(void *)member, &why), TW_OK); break;
    case TW_OPT_TEXT:
    case TW_OPT_FOLDER: *(const char **)(void *)member = value; break;
    case TW_OPT_LIST: *(const char ***)(void *)member = fake_list(f, value); break;
    case TW_OPT_OUTPUT: *(tw_output **)(void *)member = fake_create(f->state, value); break;
    default: ck_abort_msg("no option of kind %u is known here", (unsigned)o->kind);
    }
}

/* An instance that is not opened yet; set: name, value, name, value, NULL. */
static inline fake *fake_new(const tw_stage *stage, const char *const *set)
{
    fake *f = mem_new(sizeof *f);
    f->stage = stage;
    f->state = mem_new(stage->state);
    f->state->host = &fake_host;
    f->state->instance = f;
    for (const tw_option *o = stage->options; o->name; o++) {
        const char *value = o->value;
        for (const char *const *at = set; at && *at; at += 2) {
            if (!strcmp(at[0], o->name)) value = at[1];
        }
        fake_set(f, o, value);
    }
    return f;
}

#define FAKE(stage, ...) fake_new((stage), (const char *const[]){ __VA_ARGS__ NULL })

static inline void fake_free(fake *f)
{
    f->stage->close(f->state);
    for (uint32_t i = 0; i < f->nfiles; i++) text_free(&f->file[i].bytes);
    text_free(&f->said);
    text_free(&f->logged);
    arena_free(&f->memory);
    free(f->state);
    free(f);
}

static inline int fake_begin(fake *f)
{
    return f->stage->open ? f->stage->open(f->state) : TW_OK;
}

static inline int fake_table(fake *f, const tw_table *t)
{
    return f->stage->table(f->state, t);
}

static inline int fake_end(fake *f)
{
    return f->stage->end(f->state);
}

/* Rows of columns: arrays of the columns' C types; null: for each column its bytes, or NULL. */
static inline int fake_rows_null(fake *f, const tw_table *t, uint32_t n, void **columns, uint8_t **null)
{
    static uint8_t *no_null[64];
    ck_assert_uint_le(t->ncols, 64);
    tw_rows r = { .table = t, .n = n, .cap = n, .col = columns, .null = null ? null : no_null };
    return f->stage->rows(f->state, &r);
}

#define FAKE_ROWS(f, t, n, ...) fake_rows_null((f), (t), (n), (void *[]){ __VA_ARGS__ }, NULL)

static inline const char *fake_written(const fake *f, const char *path)
{
    for (uint32_t i = 0; i < f->nfiles; i++) {
        if (!strcmp(f->file[i].path, path)) return text_of(&f->file[i].bytes);
    }
    return "(no such file)";
}

static inline int fake_state(const fake *f, const char *path)
{
    for (uint32_t i = 0; i < f->nfiles; i++) {
        if (!strcmp(f->file[i].path, path)) return f->file[i].state;
    }
    return -1;
}

static inline tw_text fake_text(const char *s)
{
    return (tw_text){ .at = s, .bytes = (uint32_t)strlen(s) };
}

static inline int fake_run_tests(TCase *tests, const char *name)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
