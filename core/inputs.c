/* inputs.c - the inputs that a path stands for.

   Folders are looked at here, archives in container.c. One idea: what is in either is a list of names, of which those
   that fit are taken, in order; where none does, the list is what the user is told. */
#include "inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "container.h"
#include "os.h"

/* ---- Names and patterns ---- */

/* Length of a name without the ending that says how it is packed. */
static size_t unpacked_length(const char *name)
{
    static const char *const endings[] = { ".gz", ".zst", ".zip", ".cab", ".7z" };
    size_t n = strlen(name);

    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t length = strlen(endings[k]), i = 0;
        while (i < length && n > length && text_lower(name[n - length + i]) == endings[k][i]) i++;
        if (i == length) return n - length;
    }
    return n;
}

static int fits_within(const char *patterns, const char *name, size_t n)
{
    char *word = mem_lower(name, n);
    int fits = 0;

    for (const char *at = patterns; !fits; at++) {
        size_t length = strcspn(at, "|");
        char *pattern = mem_lower(at, length);
        fits = text_fits(pattern, word);
        free(pattern);
        at += length;
        if (!*at) break;
    }
    free(word);
    return fits;
}

/* 1 where it fits, packed or not. */
static int fits(const char *patterns, const char *name)
{
    size_t n = strlen(name), unpacked = unpacked_length(name);
    return fits_within(patterns, name, n) || (unpacked < n && fits_within(patterns, name, unpacked));
}

/* "*.man or *.xml" */
static void put_patterns(text *out, const char *patterns)
{
    for (const char *at = patterns;; at++) {
        size_t n = strcspn(at, "|");
        if (at != patterns) text_put(out, " or ");
        text_add(out, at, n);
        at += n;
        if (!*at) break;
    }
}

/* ---- Lists of names ---- */

enum { SHOWN = 8 /* of a list, to people */ };

typedef struct names {
    char **name;
    uint32_t n, cap;
} names;

static void add_name(void *context, const char *name)
{
    names *l = context;

    if (l->n == l->cap) l->name = mem_grow(l->name, (l->cap = l->cap ? 2 * l->cap : 64) * sizeof *l->name);
    l->name[l->n++] = mem_text(name, strlen(name));
}

static void free_names(names *l)
{
    for (uint32_t i = 0; i < l->n; i++) free(l->name[i]);
    free(l->name);
}

/* The first of n names. */
static void put_names(text *out, const names *l, uint32_t n)
{
    for (uint32_t i = 0; i < l->n && i < SHOWN; i++) text_format(out, "%s%s", i ? ", " : "", l->name[i]);
    if (n > SHOWN) text_format(out, " and %" PRIu32 " more", n - SHOWN);
}

/* ---- Folders ---- */

static char *path_in(const char *folder, const char *name, size_t n)
{
    size_t length = strlen(folder);
    text path = { 0 };

    text_put(&path, folder);
    if (os_path_name(folder) != folder + length) text_put(&path, "/");
    text_add(&path, name, n);
    return path.at;
}

/* 1 for a file whose name fits; one that is packed is left out where what is in it lies beside it. */
static int is_wanted(const char *folder, const char *name, const char *patterns)
{
    size_t n = strlen(name), unpacked = unpacked_length(name);

    if (!fits(patterns, name)) return 0;
    char *path = path_in(folder, name, n), *plain = path_in(folder, name, unpacked);
    int wanted = !os_is_folder(path) && !os_is_special(path) && (unpacked == n || !os_exists(plain));
    free(path);
    free(plain);
    return wanted;
}

/* Names of folders get a / behind them. */
static void mark_folders(names *l, const char *folder)
{
    for (uint32_t i = 0; i < l->n && i < SHOWN; i++) {
        size_t n = strlen(l->name[i]);
        char *path = path_in(folder, l->name[i], n);
        if (os_is_folder(path)) {
            l->name[i] = mem_grow(l->name[i], n + 2);
            memcpy(l->name[i] + n, "/", 2);
        }
        free(path);
    }
}

static int add_folder(inputs *list, const char *folder, const char *patterns, text *why)
{
    names found = { 0 };
    text fact = { 0 };
    int rc = os_list(folder, add_name, &found, &fact);
    uint32_t wanted = 0;

    if (rc != TW_OK) text_format(why, "the folder %s cannot be read: %s", folder, text_of(&fact));
    for (uint32_t i = 0; i < found.n && rc == TW_OK; i++) {
        if (!is_wanted(folder, found.name[i], patterns)) continue;
        char *path = path_in(folder, found.name[i], strlen(found.name[i]));
        wanted++;
        rc = inputs_add(list, path, patterns, 1, why);
        free(path);
    }
    if (rc == TW_OK && !wanted) {
        text_format(why, "the folder %s has no file that fits ", folder);
        put_patterns(why, patterns);
        text_put(why, found.n ? "; in it are " : "; it is empty");
        mark_folders(&found, folder);
        put_names(why, &found, found.n);
        rc = TW_ERROR;
    }
    free_names(&found);
    text_free(&fact);
    return rc;
}

static int refuse_folder(const char *folder, const char *patterns, text *why)
{
    names found = { 0 };
    text unused = { 0 };

    text_format(why, "%s is a folder, and one file is wanted", folder);
    os_list(folder, add_name, &found, &unused);
    for (uint32_t i = 0; i < found.n; i++) {
        if (!is_wanted(folder, found.name[i], patterns)) continue;
        char *path = path_in(folder, found.name[i], strlen(found.name[i]));
        text_format(why, ", like %s", path);
        free(path);
        break;
    }
    free_names(&found);
    text_free(&unused);
    return TW_ERROR;
}

/* ---- Lists ---- */

static tw_input **added(tw_input **list, uint32_t n, tw_input *in)
{
    if ((n & (n - 1)) == 0) list = mem_grow(list, (n ? 2 * (size_t)n : 1) * sizeof(tw_input *));
    list[n] = in;
    return list;
}

static tw_input *add_opened(inputs *list, tw_input *in)
{
    list->all = added(list->all, list->n++, in);
    return in;
}

static void choose(inputs *list, tw_input *in)
{
    list->chosen = added(list->chosen, list->nchosen++, in);
}

/* ---- Archives ---- */

enum { DEPTH = 2 /* an archive, and those in it */ };

typedef struct pick {
    char *name;
    uint32_t member;
    int opens, named; /* it may be an archive itself; it is what the user named */
} pick;

/* What is wanted of an archive, and what is found in it. */
typedef struct search {
    const char *patterns;
    const char *only; /* instead: a name with those of the archives around it, "inner.zip!a.etl" */
    const char *path; /* of archives around it: "inner.zip!" */
    int depth;        /* 0 in an archive that is in none */
    uint32_t *room;   /* how many members more there may be, with those of archives around it and in it */
    pick *pick;
    uint32_t n, nfiles;
    names files;                              /* the first few */
    text away, locked, deep;                  /* the first of those that are left out, */
    uint32_t naway, nlocked, ndeep, ntoomany; /* and how many */
} search;

/* 1 for a file that may be an archive, by its name: it has to be unpacked before its bytes can tell. */
static int may_be_archive(const char *name)
{
    return fits_within("*.zip|*.cab|*.7z|*.diagsession", name, strlen(name));
}

/* 1 where the wanted name is that of something in this archive. */
static int is_around(const char *path, const char *only)
{
    size_t n = strlen(path);
    char *begin = mem_lower(only, strlen(only) < n ? strlen(only) : n), *same = mem_lower(path, n);
    int around = !strcmp(begin, same) && only[n] == '!';

    free(begin);
    free(same);
    return around;
}

static void leave_out(text *first, uint32_t *n, const char *name)
{
    if (!(*n)++) text_put(first, name);
}

static int look_at_member(void *context, const char *name, enum container_oddity odd)
{
    search *s = context;
    text path = { 0 };
    int opens = may_be_archive(name), named = 0, wanted, take = 0;

    text_format(&path, "%s%s", s->path, name);
    if (s->only) {
        wanted = named = fits_within(s->only, text_of(&path), path.n);
        opens = opens && (named || is_around(text_of(&path), s->only));
    } else {
        wanted = fits(s->patterns, os_path_name(name));
    }
    text_free(&path);
    if (s->nfiles++ < SHOWN) add_name(&s->files, name);
    if (!wanted && !opens) return 0;
    if (odd == MEMBER_LEADS_AWAY)
        leave_out(&s->away, &s->naway, name);
    else if (odd == MEMBER_LOCKED)
        leave_out(&s->locked, &s->nlocked, name);
    else if (opens && s->depth + 1 == DEPTH)
        leave_out(&s->deep, &s->ndeep, name);
    else if (!*s->room)
        s->ntoomany++;
    else
        take = 1;
    if (!take) return 0;
    --*s->room;
    s->pick = mem_grow(s->pick, (s->n + 1) * sizeof *s->pick);
    s->pick[s->n] = (pick){ mem_text(name, strlen(name)), s->n, opens, named };
    s->n++;
    return 1;
}

static int by_name(const void *a, const void *b)
{
    const pick *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->member < y->member ? -1 : x->member > y->member;
}

static void put_left_out(text *out, uint32_t n, const text *first, const char *what)
{
    if (!n) return;
    text_format(out, "%s%s", out->n ? "; " : "", text_of(first));
    if (n > 1) text_format(out, " and %" PRIu32 " more", n - 1);
    text_format(out, " %s", what);
}

/* What is lost of an archive is a failure of its own input: counted and said as any other is. */
static void note_left_out(tw_input *archive, const search *s, const text *broken)
{
    uint64_t unused;
    text left = { 0 }, note = { 0 };

    put_left_out(&left, s->naway, &s->away, "left out: a name or link that leads out of an archive, or to a device");
    put_left_out(&left, s->nlocked, &s->locked, "left out: encrypted; unpack with the password first");
    put_left_out(&left, s->ndeep, &s->deep, "left out: an archive in an archive in an archive");
    if (s->ntoomany)
        text_format(&left, "%s%" PRIu32 " files left out behind the first %d", left.n ? "; " : "", s->ntoomany,
                    (int)INPUTS_MOST_MEMBERS);
    if (left.n) text_format(&note, "%s: %s", input_name(archive, &unused), text_of(&left));
    if (broken->n) text_format(&note, "%s%s", note.n ? "; " : "", text_of(broken));
    if (note.n) input_note(archive, text_of(&note));
    text_free(&left);
    text_free(&note);
}

static void free_search(search *s)
{
    for (uint32_t i = 0; i < s->n; i++) free(s->pick[i].name);
    free(s->pick);
    free_names(&s->files);
    text_free(&s->away);
    text_free(&s->locked);
    text_free(&s->deep);
}

static void add_members(inputs *list, tw_input *archive, search *s);

/* A member that may be an archive; what is no archive after all is read as it is, where its name fits. */
static void add_inner(inputs *list, tw_input *in, const search *around, const pick *p)
{
    search inner = { .patterns = around->patterns,
                     .only = p->named ? NULL : around->only,
                     .depth = around->depth + 1,
                     .room = around->room };
    text path = { 0 };

    if (input_is_archive(in)) {
        text_format(&path, "%s%s!", around->path, p->name);
        inner.path = text_of(&path);
        add_members(list, in, &inner);
        free_search(&inner);
        text_free(&path);
    } else if (around->only ? p->named : fits(around->patterns, os_path_name(p->name))) {
        choose(list, in);
    }
}

/* Adds what is wanted of an archive and of those in it. */
static void add_members(inputs *list, tw_input *archive, search *s)
{
    container *c = container_new(archive);
    uint64_t unused;
    text broken = { 0 };

    container_list(c, look_at_member, s, &broken);
    note_left_out(archive, s, &broken);
    if (s->n) qsort(s->pick, s->n, sizeof *s->pick, by_name);
    for (uint32_t i = 0; i < s->n; i++) {
        text name = { 0 };
        text_format(&name, "%s!%s", input_name(archive, &unused), s->pick[i].name);
        tw_input *in = add_opened(list, input_of_member(c, s->pick[i].member, text_of(&name)));
        text_free(&name);
        if (s->pick[i].opens)
            add_inner(list, in, s, &s->pick[i]);
        else
            choose(list, in);
    }
    container_leave(c);
    text_free(&broken);
}

/* The members that were chosen, without the archive's name before them. */
static void put_chosen(text *out, const inputs *list, uint32_t first, const char *archive)
{
    names chosen = { 0 };
    uint64_t unused;

    for (uint32_t i = first; i < list->nchosen; i++) {
        const char *name = input_name(list->chosen[i], &unused);
        add_name(&chosen, name + strlen(archive) + 1);
    }
    put_names(out, &chosen, chosen.n);
    free_names(&chosen);
}

/* How many members were chosen has to be right. */
static int check_chosen(const inputs *list, uint32_t first, int many, tw_input *archive, const search *s, text *why)
{
    uint32_t n = list->nchosen - first;
    uint64_t unused;
    const char *name = input_name(archive, &unused);

    if (many ? n > 0 : n == 1) return TW_OK;
    text_put(why, name);
    if (n) {
        text_format(why, " has %" PRIu32 " files that fit ", n);
        put_patterns(why, s->only ? s->only : s->patterns);
        text_put(why, ", and one is wanted; name it behind a !, like ");
        text_format(why, "%s: ", input_name(list->chosen[first], &unused));
        put_chosen(why, list, first, name);
        return TW_ERROR;
    }
    text_put(why, " has no file that fits ");
    put_patterns(why, s->only ? s->only : s->patterns);
    text_put(why, s->nfiles ? "; in it are " : "; it is empty");
    put_names(why, &s->files, s->nfiles);
    if (*input_error(archive)) text_format(why, "; %s", input_error(archive));
    return TW_ERROR;
}

static int add_archive(inputs *list, tw_input *archive, const char *patterns, const char *only, int many, text *why)
{
    uint32_t first = list->nchosen, room = INPUTS_MOST_MEMBERS;
    search s = { .patterns = patterns, .only = only, .path = "", .room = &room };

    add_members(list, archive, &s);
    int rc = check_chosen(list, first, many, archive, &s, why);
    free_search(&s);
    return rc;
}

/* ---- Paths ---- */

/* Length of the path of an archive in "archive.zip!member"; 0 where there is no such file, or the whole is one. */
static size_t archive_length(const char *path)
{
    if (os_exists(path)) return 0;
    for (const char *at = path; (at = strchr(at, '!')); at++) {
        char *outer = mem_text(path, (size_t)(at - path));
        int there = *outer && at[1] && os_exists(outer) && !os_is_folder(outer);
        free(outer);
        if (there) return (size_t)(at - path);
    }
    return 0;
}

/* "archive.zip!member"; length: of the archive's path. */
static int add_only(inputs *list, const char *path, size_t length, const char *patterns, int many, text *why)
{
    char *outer = mem_text(path, length);
    tw_input *archive;
    int rc = input_open(outer, &archive, why);

    if (rc == TW_OK) {
        add_opened(list, archive);
        if (input_is_archive(archive)) {
            rc = add_archive(list, archive, patterns, path + length + 1, many, why);
        } else {
            text_format(why, "%s cannot be opened: %s is no archive", path, outer);
            rc = TW_ERROR;
        }
    }
    free(outer);
    return rc;
}

/* Who writes logs.zip/boot.etl means logs.zip!boot.etl. */
static void hint_at_member(const char *path, text *why)
{
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        char *outer = mem_text(path, (size_t)(slash - path));
        text none = { 0 };
        os_file *file;
        int is_file = *outer && !os_is_folder(outer) && os_open(outer, &file, &none) == TW_OK;
        if (is_file) {
            os_close(file);
            text_format(why, "; what is in an archive is named like %s!%s", outer, slash + 1);
        }
        text_free(&none);
        free(outer);
        if (is_file) return;
    }
}

int inputs_add(inputs *list, const char *path, const char *patterns, int many, text *why)
{
    size_t length = patterns ? archive_length(path) : 0;
    tw_input *in;

    if (length) return add_only(list, path, length, patterns, many, why);
    if (patterns && os_is_folder(path))
        return many ? add_folder(list, path, patterns, why) : refuse_folder(path, patterns, why);
    if (input_open(path, &in, why) != TW_OK) {
        if (patterns) hint_at_member(path, why);
        return TW_ERROR;
    }
    add_opened(list, in);
    if (patterns && input_is_archive(in)) return add_archive(list, in, patterns, NULL, many, why);
    choose(list, in);
    return TW_OK;
}

void inputs_close(inputs *list)
{
    for (uint32_t i = 0; i < list->n; i++) input_close(list->all[i]);
    inputs_free(list);
}

void inputs_free(inputs *list)
{
    free(list->all);
    free(list->chosen);
    memset(list, 0, sizeof *list);
}
