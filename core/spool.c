/* spool.c - scratch files that leave room on their disk. */
#include "spool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tw_plugin.h"

enum {
    LOOK = 16 << 20, /* bytes between two looks at the disk */
    KEPT = 1 << 30,  /* bytes of it that stay free, */
    KEPT_PART = 20   /* or a part of it, where that is less */
};

static _Thread_local struct {
    void (*tell)(void *context, const char *name, uint64_t bytes);
    void *context;
} watcher;

void spool_tell(void (*tell)(void *context, const char *name, uint64_t bytes), void *context)
{
    watcher.tell = tell;
    watcher.context = context;
}

static int leaves_room(const char *folder, text *why)
{
    uint64_t left, all, keep = KEPT;

    if (!os_room(folder, &left, &all)) return 1;
    if (all / KEPT_PART < keep) keep = all / KEPT_PART;
    if (left >= keep) return 1;
    text_put(why, "the disk is nearly full");
    return 0;
}

int spool_open(spool *s, const char *name, text *why)
{
    text fact = { 0 };

    memset(s, 0, sizeof *s);
    s->folder = os_scratch_folder();
    int rc = os_scratch(&s->file, &fact);
    if (rc != TW_OK) {
        text_format(why,
                    "%s needs a scratch file, and none can be made in the folder %s: %s; %s names the folder for it",
                    name, s->folder, text_of(&fact), os_scratch_variable);
        spool_close(s);
    }
    text_free(&fact);
    return rc;
}

int spool_write(spool *s, const char *name, const void *bytes, size_t n, text *why)
{
    text fact = { 0 };
    int room = 1;

    if (os_interrupted()) {
        text_format(why, "%s was not read to its end: interrupted", name);
        return TW_ERROR;
    }
    if (s->size - s->looked >= LOOK) {
        s->looked = s->size;
        room = leaves_room(s->folder, &fact);
    }
    if (room && os_write(s->file, bytes, n, &fact) == TW_OK) {
        s->size += n;
        if (watcher.tell) watcher.tell(watcher.context, name, s->size);
        return TW_OK;
    }
    text_format(why,
                "%s is too large for a scratch file in the folder %s: after %" PRIu64
                " MiB %s; %s may name a folder with more room",
                name, s->folder, s->size >> 20, text_of(&fact), os_scratch_variable);
    text_free(&fact);
    return TW_ERROR;
}

void spool_close(spool *s)
{
    os_close(s->file);
    free(s->folder);
    memset(s, 0, sizeof *s);
}
