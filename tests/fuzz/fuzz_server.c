/* fuzz_server.c - what strangers send to a server: lines of bytes, arguments in JSON, values for scripts.

   The first byte says which. Lines are cut up in two ways, which must give the same. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "lua_json.h"
#include "schema.h"

static const char *const formats[] = { "csv", "text" };
static const argument args[] = {
    { "trace", NULL, ARG_FILE, 1, 1, NULL, NULL, 0, -INFINITY, INFINITY },
    { "n", NULL, ARG_NUMBER, 0, 0, "20", NULL, 0, 1, 200 },
    { "json", NULL, ARG_FLAG, 0, 0, NULL, NULL, 0, -INFINITY, INFINITY },
    { "over", NULL, ARG_SPAN, 0, 0, "5ms", NULL, 0, -INFINITY, INFINITY },
    { "at", NULL, ARG_TIME, 0, 0, NULL, NULL, 0, -INFINITY, INFINITY },
    { "format", NULL, ARG_CHOICE, 0, 0, "csv", formats, 2, -INFINITY, INFINITY },
    { "others", NULL, ARG_REST, 0, 0, NULL, NULL, 0, -INFINITY, INFINITY },
};
static const pipeline fixed = { .name = "fixed", .path = "fixed.lua", .args = args, .nargs = 6 };
static const pipeline with_rest = { .name = "open", .path = "open.lua", .args = args, .nargs = 7 };

/* All lines, each behind what it is; bytes come in pieces of at most `piece`. */
static void cut(const uint8_t *data, size_t n, size_t most, int pieces, size_t piece, text *out)
{
    lines l = { .most = most, .pieces = pieces };
    const char *line;
    size_t room;
    int what;

    for (;;) {
        while ((what = lines_next(&l, &line, &room)) != LINES_NONE) {
            if (room > most) abort();
            text_format(out, "%d:%lu:", what, (unsigned long)room);
            text_add(out, line, room);
        }
        if (l.ended) break;
        char *to = lines_room(&l, &room);
        if (!room) abort(); /* it neither gives nor takes */
        if (room > piece) room = piece;
        if (room > n) room = n;
        if (room) memcpy(to, data, room);
        lines_add(&l, room);
        data += room;
        n -= room;
        l.ended = !n;
    }
    lines_free(&l);
}

static void fuzz_lines(const uint8_t *data, size_t n)
{
    text once = { 0 }, again = { 0 };

    if (n < 2) return;
    size_t most = data[0] % 64 + 1u;
    int pieces = data[0] >> 7;
    cut(data + 2, n - 2, most, pieces, SIZE_MAX, &once);
    cut(data + 2, n - 2, most, pieces, data[1] % 32 + 1u, &again);
    if (once.n != again.n || (once.n && memcmp(once.at, again.at, once.n) != 0)) abort();
    text_free(&once);
    text_free(&again);
}

static void fuzz_words(const pipeline *p, const char *json)
{
    arena memory = { 0 };
    const char **words;
    uint32_t n;
    text why = { 0 };

    if (schema_words(p, json, &memory, &words, &n, &why) != TW_OK && !why.n) abort(); /* without a word */
    text_free(&why);
    arena_free(&memory);
}

typedef struct job {
    const json_t *in;
    json_t *out;
} job;

static int turn(lua_State *L)
{
    job *j = lua_touserdata(L, 1);

    lua_json_push(L, j->in);
    lua_json_take(L, lua_gettop(L), &j->out);
    return 0;
}

/* To Lua and back, twice: after the first time nothing changes any more. */
static void fuzz_values(const char *json)
{
    lua_State *L = luaL_newstate();
    json_t *in = json_loads(json, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    job first = { in, NULL }, second = { NULL, NULL };

    lua_json_open(L);
    if (in && lua_cpcall(L, turn, &first) == 0) {
        second.in = first.out;
        if (lua_cpcall(L, turn, &second) != 0 || !json_equal(first.out, second.out)) abort();
    }
    json_decref(in);
    json_decref(first.out);
    json_decref(second.out);
    lua_close(L);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!n) return 0;
    char *json = mem_text((const char *)data + 1, n - 1);
    switch (data[0] % 4) {
    case 0: fuzz_lines(data + 1, n - 1); break;
    case 1: fuzz_words(&fixed, json); break;
    case 2: fuzz_words(&with_rest, json); break;
    default: fuzz_values(json); break;
    }
    free(json);
    return 0;
}
