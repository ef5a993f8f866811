/* misbehave.c - a source that does what no source should, for the tests of servers. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "tw_plugin.h"

enum { ABORT, IGNORE, STORM, FLOOD, SAY, WORK };

typedef struct misbehave {
    tw_self tw;
    int how;
} misbehave;

static const tw_option options[] = {
    TW_OPTION(misbehave, how, TW_OPT_CHOICE, NULL,
              "abort|ignore|storm|flood|say|work: fail, hear nothing, take memory, print, say back input, go on"),
    { 0 },
};

static void storm(void)
{
    enum { PIECE = 1 << 20 };
    static char *volatile last; /* else a compiler sees that it is never used */

    for (;;) {
        last = malloc(PIECE);
        if (last) memset(last, 1, PIECE);
    }
}

static void flood(void)
{
    for (;;) fputs("all work and no play makes a dull trace\n", stdout);
}

static int say_back(void)
{
    int c;

    while ((c = getchar()) != EOF) {
        putchar(c);
        if (c == '\n') fflush(stdout);
    }
    return TW_END;
}

static int read(void *self, tw_batch *b)
{
    (void)b;
    switch (((misbehave *)self)->how) {
    case ABORT: abort();
    case IGNORE:
        signal(SIGINT, SIG_IGN);
        puts("ignoring");
        fflush(stdout);
        for (volatile uint64_t turns = 0;; turns++) {}
    case STORM: storm(); break;
    case FLOOD: flood(); break;
    case SAY: return say_back();
    default: break;
    }
    return TW_AGAIN;
}

static const tw_stage source = {
    .size = sizeof(tw_stage),
    .name = "source",
    .state = sizeof(misbehave),
    .options = options,
    .read = read,
};
TW_PLUGIN(misbehave, "1.0", "MIT", &source);
