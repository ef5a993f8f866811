/* fuzz_pipeline.c - any text as a pipeline: as a file, loaded in the sandbox and planned with stand-ins for its arguments,
   and as one line. Nothing is run.

   The watch cannot help here, since it would end the process; compiled code is off instead, and a hook that counts stops
   what does not come back. */
#include <lua.h>
#include <luajit.h>
#include <stdlib.h>

#include "oneline.h"
#include "script.h"

enum { INSTRUCTIONS = 300000, MEMORY = 64 << 20 };

typedef struct state {
    tw_self tw;
    const char *text;
    const char *const *list;
    int64_t number, span;
    int flag;
} state;

static int none(void *self, tw_batch *b)
{
    (void)self;
    (void)b;
    return TW_END;
}

static int no_rows(void *self, tw_rows *r)
{
    (void)self;
    (void)r;
    return TW_OK;
}

static const tw_option read_options[] = {
    { "file", NULL, "traces", TW_OPT_LIST, offsetof(state, list) },
    { "tables", "no", "make them", TW_OPT_BOOL, offsetof(state, flag) },
    { "size", "64k", "how much", TW_OPT_INT, offsetof(state, number) },
    { "over", "1s", "how long", TW_OPT_SPAN, offsetof(state, span) },
    { 0 },
};
static const tw_option write_options[] = { { "to", "-", "where", TW_OPT_TEXT, offsetof(state, text) }, { 0 } };
static const tw_stage read_stage = {
    .size = sizeof(tw_stage), .name = "read", .state = sizeof(state), .options = read_options, .read = none
};
static const tw_stage write_stage = {
    .size = sizeof(tw_stage), .name = "write", .state = sizeof(state), .options = write_options, .rows = no_rows
};
static const tw_stage *const etl_stages[] = { &read_stage, &write_stage, NULL };
static const tw_stage *const csv_stages[] = { &write_stage, NULL };
static const tw_plugin etl = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "etl", "1.0", "MIT", etl_stages };
static const tw_plugin csv = { sizeof(tw_plugin), TW_ABI_MINOR, 0, "csv", "1.0", "MIT", csv_stages };
const tw_plugin *const builtin_plugins[] = { &etl, &csv, NULL };

/* Once the instructions are used up, every further one is too many. */
static void stop(lua_State *L, lua_Debug *unused)
{
    (void)unused;
    lua_sethook(L, stop, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "too long");
    lua_error(L);
}

static void check_plan(const plan *p)
{
    if (!p->n) abort();
    for (uint32_t i = 0; i < p->n; i++) {
        const spec *s = &p->stage[i];
        if (!s->stage || !s->place) abort();
        for (uint32_t k = 0; k < s->n; k++)
            for (uint32_t j = 0; j < s->set[k].n; j++)
                if (!s->set[k].value[j]) abort();
        for (uint32_t k = 0; k < s->nbranches; k++) check_plan(&s->branch[k]);
    }
}

static void load_file(plugins *all, const char *source)
{
    const script_options o = { .memory = MEMORY, .time = 3600 * (int64_t)1000000000 };
    text why = { 0 };
    const pipeline *p;
    const plan *made;
    script *s = script_new(all, &o, &why);

    if (!s) abort();
    luaJIT_setmode(script_state(s), 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    lua_sethook(script_state(s), stop, LUA_MASKCOUNT, INSTRUCTIONS);
    if (script_load(s, "fuzz.lua", source, &p, &why) != TW_OK) {
        if (!why.n) abort();
    } else if (script_example(s, p, &made, &why) == TW_OK) {
        check_plan(made);
    } else if (!why.n) {
        abort();
    }
    lua_sethook(script_state(s), NULL, 0, 0);
    script_free(s);
    text_free(&why);
}

static void read_line(plugins *all, const char *line)
{
    arena memory = { 0 };
    text why = { 0 };
    plan made;

    if (oneline_read(all, line, &memory, &made, &why) == TW_OK)
        check_plan(&made);
    else if (!why.n)
        abort();
    oneline_is(all, line);
    text_free(&why);
    arena_free(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    plugins *all = plugins_new(NULL, 0);
    char *source = mem_text((const char *)bytes, n);

    load_file(all, source);
    read_line(all, source);
    free(source);
    plugins_free(all);
    return 0;
}
