/* script_kit.h - for tests of pipeline files: a plugin to name in them, and one script at a time. */
#ifndef SCRIPT_KIT_H
#define SCRIPT_KIT_H

#include <check.h>
#include <stdio.h>

#include "script.h"

/* ---- A plugin to name in files. The linker takes this list instead of the library's. ---- */

typedef struct state {
    tw_self tw;
    const char *text;
    const char *const *list;
    int64_t number;
    int64_t span;
    tw_output *output;
} state;

static int none(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static const tw_option read_options[] = {
    { "file", NULL, "traces", TW_OPT_LIST, offsetof(state, list) },
    { "size", "64k", "how much", TW_OPT_INT, offsetof(state, number) },
    { "over", "1s", "how long", TW_OPT_SPAN, offsetof(state, span) },
    { 0 },
};
static const tw_option grid_options[] = {
    { "to", "-", "where to", TW_OPT_TEXT, offsetof(state, text) },
    { "columns", "", "which", TW_OPT_LIST, offsetof(state, list) },
    { 0 },
};
static const tw_stage read_stage = {
    .size = sizeof(tw_stage), .name = "read", .state = sizeof(state), .options = read_options, .read = none
};
static const tw_stage grid_stage = {
    .size = sizeof(tw_stage), .name = "grid", .state = sizeof(state), .options = grid_options, .events = none
};
static const tw_option write_options[] = {
    { "to", "-", "where to", TW_OPT_OUTPUT, offsetof(state, output) },
    { "n", "1", "how often", TW_OPT_INT, offsetof(state, number) },
    { "folder", "x", "where else", TW_OPT_FOLDER, offsetof(state, text) },
    { 0 },
};
static const tw_stage write_stage = {
    .size = sizeof(tw_stage), .name = "write", .state = sizeof(state), .options = write_options, .events = none
};
static const tw_stage bare_stage = {
    .size = sizeof(tw_stage), .name = "bare", .state = sizeof(state), .events = none
};
static const tw_stage *const stages[] = { &read_stage, &grid_stage, &write_stage, &bare_stage, NULL };
static const tw_plugin toy = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "toy", "1.0", "MIT", stages };
const tw_plugin *const builtin_plugins[] = { &toy, NULL };

/* ---- One script at a time ---- */

static plugins *all;
static script *s;
static const pipeline *p;
static text why, out;

static void setup(void)
{
    all = plugins_new(NULL, 0);
}

static void teardown(void)
{
    script_free(s);
    plugins_free(all);
    s = NULL;
    text_free(&why);
    text_free(&out);
}

static int load(const char *source, int trusted)
{
    script_free(s);
    text_clear(&why);
    s = script_new(all, &(script_options){ .trusted = trusted }, &why);
    ck_assert_msg(s != NULL, "%s", text_of(&why));
    return script_load(s, "d.lua", source, &p, &why);
}

/* The plan as text: `toy.read@d.lua:1 file=[a,b] size=5; where@… =…`. */
static const char *plan_text(const plan *made)
{
    text_clear(&out);
    for (uint32_t i = 0; i < made->n; i++) {
        const spec *e = &made->stage[i];
        text_format(&out, "%s%s@%s", i ? "; " : "", e->stage, e->place);
        for (uint32_t k = 0; k < e->n; k++) {
            const setting *set = &e->set[k];
            text_format(&out, " %s=%s", set->name ? set->name : "", set->list ? "[" : "");
            for (uint32_t j = 0; j < set->n; j++) text_format(&out, "%s%s", j ? "," : "", set->value[j]);
            if (set->list) text_put(&out, "]");
        }
    }
    return text_of(&out);
}

enum { MOST_WORDS = 16 };

/* Words are parted by blanks; the result is the plan as text, or the sentence. */
static const char *plan_of(const char *words)
{
    char copy[256];
    const char *word[MOST_WORDS];
    uint32_t n = 0;
    const plan *made;

    snprintf(copy, sizeof copy, "%s", words);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) word[n++] = at;
    text_clear(&why);
    if (script_plan(s, p, word, n, &made, &why) != TW_OK) return text_of(&why);
    return plan_text(made);
}

typedef struct wrong_file {
    const char *source, *sentence;
} wrong_file;

static void refuse_all(const wrong_file *cases, size_t n, int trusted)
{
    for (size_t i = 0; i < n; i++) {
        ck_assert_msg(load(cases[i].source, trusted) == TW_ERROR, "accepted: %s", cases[i].source);
        ck_assert_str_eq(text_of(&why), cases[i].sentence);
        ck_assert_ptr_null(p);
    }
}

#define REFUSE(cases, trusted) refuse_all(cases, sizeof cases / sizeof *cases, trusted)
#define FILE_OF(body)          "return pipeline 'd' { " body " }"
#define ARGS_OF(list)          FILE_OF("args = { " list " }, toy.read {}")

#endif
