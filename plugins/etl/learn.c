/* learn.c - reading the user's manifests and TMF files; see learn.h. */
#include "learn.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FILE_MAX = 64 << 20 }; /* bytes of one; the largest manifest of Windows has some 3 MB */

typedef int reader(void *into, const void *text, size_t bytes, const char *origin, char *why, size_t cap,
                   uint64_t *faults);

static int read_manifest(void *into, const void *text, size_t bytes, const char *origin, char *why, size_t cap,
                         uint64_t *faults)
{
    return manifests_read(into, text, bytes, origin, why, cap, faults);
}

static int read_tmf(void *into, const void *text, size_t bytes, const char *origin, char *why, size_t cap,
                    uint64_t *faults)
{
    return tmfs_read(into, text, bytes, origin, why, cap, faults);
}

int learn_open(learn *l, void *self, tw_input *const *manifest, tw_input *const *tmf)
{
    l->manifest = manifest;
    l->tmf = tmf;
    if (schemas_new(&l->known)) return TW_OK;
    return tw_fail(self, "no memory for what is known of events");
}

void learn_close(learn *l)
{
    schemas_free(&l->known);
}

/* The file's name without its folders. */
static const char *base_name(const char *path)
{
    const char *base = path;

    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || *at == '!') base = at + 1;
    return *base ? base : path;
}

/* All bytes of an input, to be freed; NULL: there are too many, or no memory. */
static uint8_t *read_all(const tw_host *host, tw_input *file, size_t *bytes)
{
    size_t room = 64 << 10, n = 0;
    uint8_t *all = malloc(room);

    while (all) {
        ptrdiff_t got = host->receive(file, all + n, room - n);
        if (got <= 0) break; /* a failure is told by the host */
        n += (size_t)got;
        if (n < room) continue;
        uint8_t *more = room < FILE_MAX ? realloc(all, room * 2) : NULL;
        if (!more) {
            free(all);
            return NULL;
        }
        all = more;
        room *= 2;
    }
    *bytes = n;
    return all;
}

static void read_one(learn *l, void *self, tw_input *file, reader *read, void *into)
{
    const tw_host *host = TW_HOST(self);
    uint64_t size, faults = 0;
    const char *name = host->input(file, &size);
    char why[256] = "";
    size_t bytes = 0;
    uint8_t *all = read_all(host, file, &bytes);

    if (!all) {
        l->refused++;
        host->log(self, TW_WARNING, "%s is not used: more than %d MiB, or no memory for it", name, FILE_MAX >> 20);
        return;
    }
    if (read(into, all, bytes, base_name(name), why, sizeof why, &faults) != TW_OK) {
        l->refused++;
        host->log(self, TW_WARNING, "%s is not used: %s", name, why);
    } else if (faults) {
        l->faults += faults;
        host->log(self, TW_WARNING, "%s: %" PRIu64 " place%s could not be used; the first: %s", name, faults,
                  faults > 1 ? "s" : "", why);
    }
    free(all);
}

static void read_files(learn *l, void *self, tw_input *const *file, reader *read, void *into)
{
    for (; file && *file && !TW_HOST(self)->stopped(self); file++) read_one(l, self, *file, read, into);
}

void learn_manifests(learn *l, void *self)
{
    if (l->has_manifests) return;
    l->has_manifests = 1;
    read_files(l, self, l->manifest, read_manifest, l->known.of_user);
}

void learn_tmfs(learn *l, void *self)
{
    if (l->has_tmfs) return;
    l->has_tmfs = 1;
    read_files(l, self, l->tmf, read_tmf, l->known.messages);
}
