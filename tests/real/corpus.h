/* corpus.h - the folder of real traces that some tests read.

   The traces are not part of the project. TW_SHARED_ETL names their folder; where it is missing a test says so and
   is skipped (exit status 77), unless TRACEWEIR_TEST_REQUIRE_REAL is set. */
#ifndef CORPUS_H
#define CORPUS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"

typedef struct corpus {
    char **path;
    size_t n;
} corpus; /* every file below the folder, in order */

typedef struct corpus_walk {
    corpus *found;
    const char *folder;
} corpus_walk;

static inline void corpus_add(void *context, const char *name)
{
    corpus_walk *w = context;
    text path = { 0 }, why = { 0 };

    text_format(&path, "%s/%s", w->folder, name);
    if (os_is_folder(path.at)) {
        corpus_walk below = { w->found, path.at };
        if (os_list(path.at, corpus_add, &below, &why) != 0) fprintf(stderr, "%s: %s\n", path.at, text_of(&why));
        text_free(&why);
    } else {
        w->found->path = mem_grow(w->found->path, (w->found->n + 1) * sizeof *w->found->path);
        w->found->path[w->found->n++] = mem_text(path.at, path.n);
    }
    text_free(&path);
}

/* Ends the program where there is no corpus. */
static inline corpus corpus_open(void)
{
    const char *folder = getenv("TW_SHARED_ETL");
    corpus c = { 0 };
    corpus_walk w = { &c, folder };
    text why = { 0 };

    if (!folder || !os_is_folder(folder) || os_list(folder, corpus_add, &w, &why) != 0 || c.n == 0) {
        int required = getenv("TRACEWEIR_TEST_REQUIRE_REAL") != NULL;
        printf("%s: no real traces at '%s'\n", required ? "FAILED" : "SKIPPED",
               folder ? folder : "(TW_SHARED_ETL is not set)");
        exit(required ? 1 : 77);
    }
    return c;
}

static inline void corpus_close(corpus *c)
{
    for (size_t i = 0; i < c->n; i++) free(c->path[i]);
    free(c->path);
    memset(c, 0, sizeof *c);
}

/* The program's exit status; -1: it did not end by itself. `words` are what a shell reads behind its name. */
static inline int corpus_run(const char *words)
{
    text command = { 0 };

#if defined(_WIN32)
    text_format(&command, "\"\"%s\" %s\"", getenv("TW_TEST_PROGRAM"),
                words); /* its shell takes one pair of quotes away */
    int status = system(command.at);
#else
    text_format(&command, "\"%s\" %s", getenv("TW_TEST_PROGRAM"), words);
    int status = system(command.at);
    status = (status & 0x7f) ? -1 : (status >> 8) & 0xff;
#endif
    text_free(&command);
    return status;
}

static inline int corpus_ends(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && memcmp(path + n - m, end, m) == 0;
}

#endif
