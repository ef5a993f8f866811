/* plugin.c - finding, checking and refusing plugins.

   One idea: what a plugin says about itself is data, so it can be judged completely before any of its code runs; the
   first thing that is wrong is said in one sentence, and then nothing of the plugin is used. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "library.h"
#include "option.h"
#include "os.h"

enum {
    PLAUSIBLE = 4096, /* bytes; no struct of the interface will ever be larger */
    MOST_STAGES = 1024
};

typedef struct loaded {
    char *name, *path; /* path: where it was found */
    const tw_plugin *plugin;
    char *why;
} loaded;

typedef struct name_list {
    char **at;
    size_t n;
} name_list;

struct plugins {
    char **folder;
    size_t nfolders;
    loaded *all; /* what was opened so far */
    size_t n;
    name_list suggested; /* names that plugins_nearest gave out */
};

/* The list's own copy of a name; each name is in it once. */
static const char *add_name(name_list *l, const char *bytes, size_t n)
{
    for (size_t i = 0; i < l->n; i++)
        if (strlen(l->at[i]) == n && !memcmp(l->at[i], bytes, n)) return l->at[i];
    l->at = mem_grow(l->at, (l->n + 1) * sizeof *l->at);
    return l->at[l->n++] = mem_text(bytes, n);
}

static void free_names(name_list *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->at[i]);
    free(l->at);
}

/* ---- The checks ---- */

/* Names become parts of file names and of pipelines, so they are plain: a letter, then letters, digits, _ and -. */
static int is_name(const char *s)
{
    if (!s || !((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))) return 0;
    while ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') || *s == '_' || *s == '-')
        s++;
    return !*s;
}

/* A struct that begins with its size: not smaller than ours, and what ours does not have is zero. */
static int size_fits(const void *given, uint32_t size, size_t ours, const char *what, text *why)
{
    const unsigned char *bytes = given;

    if (size < ours || size > PLAUSIBLE) {
        text_format(why, "%s says it has %u bytes, which cannot be; version %d has %u", what, (unsigned)size,
                    TW_ABI_MAJOR, (unsigned)ours);
        return 0;
    }
    for (size_t i = ours; i < size; i++) {
        if (bytes[i]) {
            text_format(why, "%s uses something newer than this host (interface %d.%d)", what, TW_ABI_MAJOR,
                        TW_ABI_MINOR);
            return 0;
        }
    }
    return 1;
}

static int column_fits(const tw_field *c)
{
    return c->name && *c->name && kind_bytes(c) > 0;
}

int plugin_table_fits(const tw_table *t, text *why)
{
    if (!size_fits(t, t->size, sizeof *t, "one of its tables", why)) return 0;
    if (!is_name(t->name)) {
        text_format(why, "it makes a table named '%s'; names are a letter, then letters, digits, _ or -",
                    t->name ? t->name : "");
        return 0;
    }
    if (!t->ncols || !t->col) {
        text_format(why, "its table '%s' has no columns", t->name);
        return 0;
    }
    for (uint32_t c = 0; c < t->ncols; c++) {
        if (!column_fits(&t->col[c])) {
            text_format(why, "column %u of its table '%s' has no name, or a kind that only payloads have",
                        (unsigned)c + 1, t->name);
            return 0;
        }
    }
    return 1;
}

/* The sentence that says what is wrong with a stage's callbacks, or NULL. */
static const char *callbacks_wrong(const tw_stage *s)
{
    int works = s->events || s->rows || s->preview;

    if (!s->read && !s->run && !works) return "has no callback that would do anything: read, events, rows or run";
    if (s->read && (works || s->run))
        return "has read together with events, rows, preview or run; a source only reads";
    if (s->run && works) return "has run together with events, rows or preview; who stands alone gets none";
    if (s->flags & TW_UNORDERED && !s->read) return "says it is unordered, which only a source can be";
    if (s->flags & TW_REWIND && !(s->read && s->rewind)) return "says it can rewind, but has no read and rewind";
    if (s->preview && !s->preview_wants) return "has preview, but does not say which events it wants there";
    return NULL;
}

static int options_fit(const tw_stage *s, text *why)
{
    for (const tw_option *o = s->options; o && o->name; o++) {
        if (!option_sound(o, s->state, why)) return 0;
        for (const tw_option *other = s->options; other < o; other++) {
            if (strcmp(other->name, o->name) != 0) continue;
            text_format(why, "option '%s' is declared twice", o->name);
            return 0;
        }
    }
    return 1;
}

static int stage_fits(const tw_stage *s, text *why)
{
    const char *wrong;
    text fact = { 0 };
    int fits = 0;

    if (!size_fits(s, s->size, sizeof *s, "one of its stages", why)) return 0;
    if (!is_name(s->name)) {
        text_format(why, "it has a stage named '%s'; names are a letter, then letters, digits, _ or -",
                    s->name ? s->name : "");
        return 0;
    }
    if (s->state < sizeof(tw_self)) {
        text_format(&fact, "has a state of %u bytes, less than the %u of tw_self it begins with", (unsigned)s->state,
                    (unsigned)sizeof(tw_self));
    } else if ((wrong = callbacks_wrong(s))) {
        text_put(&fact, wrong);
    } else {
        fits = options_fit(s, &fact);
        for (const tw_table *const *t = s->makes; fits && t && *t; t++) fits = plugin_table_fits(*t, &fact);
        if (!fits) text_format(why, "its stage '%s': %s", s->name, text_of(&fact));
        text_free(&fact);
        return fits;
    }
    text_format(why, "its stage '%s' %s", s->name, text_of(&fact));
    text_free(&fact);
    return 0;
}

int plugin_check(const tw_plugin *p, const char *name, text *why)
{
    if (!size_fits(p, p->size, sizeof *p, "it", why)) return TW_ERROR;
    if (p->needs > TW_ABI_MINOR) {
        text_format(why, "it needs interface %d.%d; this host has %d.%d, so a newer host is needed", TW_ABI_MAJOR,
                    p->needs, TW_ABI_MAJOR, TW_ABI_MINOR);
        return TW_ERROR;
    }
    if (!is_name(p->name) || strcmp(p->name, name) != 0) {
        text_format(why, "it says its name is '%s', but it was found as '%s'", p->name ? p->name : "", name);
        return TW_ERROR;
    }
    if (!p->stages || !p->stages[0]) {
        text_put(why, "it has no stages");
        return TW_ERROR;
    }
    for (size_t i = 0; p->stages[i]; i++) {
        if (i == MOST_STAGES) {
            text_put(why, "its list of stages does not end");
            return TW_ERROR;
        }
        if (!stage_fits(p->stages[i], why)) return TW_ERROR;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(p->stages[i]->name, p->stages[k]->name) != 0) continue;
            text_format(why, "it has two stages named '%s'", p->stages[i]->name);
            return TW_ERROR;
        }
    }
    return TW_OK;
}

/* Where the last part of a path begins, and where its suffix for libraries; 0 where it has another. */
static int name_in(const char *path, const char **name, size_t *bytes)
{
    size_t suffix = strlen(os_library_suffix);

    *name = os_path_name(path);
    *bytes = strlen(*name);
    if (*bytes <= suffix || strcmp(*name + *bytes - suffix, os_library_suffix) != 0) return 0;
    *bytes -= suffix;
    return 1;
}

int plugin_check_file(const char *path, const tw_plugin **out, text *why)
{
    const char *at;
    size_t bytes;
    void *library;
    char *name = NULL;
    text fact = { 0 };
    int rc = TW_ERROR;

    *out = NULL;
    if (!name_in(path, &at, &bytes)) {
        text_format(why, "its name does not end in %s, as those of plugins do", os_library_suffix);
        return TW_ERROR;
    }
    enum library_form form = strcmp(os_library_suffix, ".dll") ? LIBRARY_ELF : LIBRARY_PE;
    if (library_check(path, form, why) != TW_OK) return TW_ERROR;
    if (os_library(path, &library, &fact) != TW_OK) { /* some loaders begin with the path, which the caller says */
        size_t n = strlen(path);
        int again = !strncmp(text_of(&fact), path, n) && !strncmp(text_of(&fact) + n, ": ", 2);
        text_put(why, text_of(&fact) + (again ? n + 2 : 0));
        text_free(&fact);
        return TW_ERROR;
    }
    const tw_plugin *p = os_symbol(library, "tw_plugin_v1");
    if (!p) {
        text_put(why, "it exports no tw_plugin_v1, so it is no plugin, or one made for another version");
        return TW_ERROR;
    }
    name = mem_text(at, bytes);
    rc = plugin_check(p, name, why);
    if (rc == TW_OK) *out = p;
    free(name);
    return rc;
}

/* ---- Finding ---- */

plugins *plugins_new(const char *const *folders, size_t n)
{
    plugins *p = mem_new(sizeof *p);

    p->folder = mem_new(n * sizeof *p->folder);
    p->nfolders = n;
    for (size_t i = 0; i < n; i++) p->folder[i] = mem_text(folders[i], strlen(folders[i]));
    return p;
}

void plugins_free(plugins *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->nfolders; i++) free(p->folder[i]);
    for (size_t i = 0; i < p->n; i++) {
        free(p->all[i].name);
        free(p->all[i].path);
        free(p->all[i].why);
    }
    free_names(&p->suggested);
    free(p->folder);
    free(p->all);
    free(p);
}

static void path_of(const plugins *p, size_t folder, const char *name, text *out)
{
    text_format(out, "%s/%s%s", p->folder[folder], name, os_library_suffix);
}

static const tw_plugin *builtin_of(const char *name)
{
    for (size_t i = 0; builtin_plugins[i]; i++)
        if (!strcmp(builtin_plugins[i]->name, name)) return builtin_plugins[i];
    return NULL;
}

/* The first folder's path of that plugin; 0 where no folder has it. */
static int find(const plugins *p, const char *name, text *path)
{
    if (!is_name(name)) return 0;
    for (size_t i = 0; i < p->nfolders; i++) {
        text_clear(path);
        path_of(p, i, name, path);
        if (os_exists(text_of(path))) return 1;
    }
    return 0;
}

/* Opens and checks a plugin once; NULL where there is none of that name. */
static const loaded *load(plugins *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->all[i].name, name)) return &p->all[i];

    text path = { 0 }, why = { 0 };
    const tw_plugin *plugin = builtin_of(name);
    if (plugin) {
        text_put(&path, "built in");
        if (plugin_check(plugin, name, &why) != TW_OK) plugin = NULL;
    } else if (find(p, name, &path)) {
        plugin_check_file(text_of(&path), &plugin, &why);
    } else {
        text_free(&path);
        return NULL;
    }
    p->all = mem_grow(p->all, (p->n + 1) * sizeof *p->all);
    p->all[p->n] = (loaded){
        .name = mem_text(name, strlen(name)),
        .path = mem_text(text_of(&path), path.n),
        .plugin = plugin,
        .why = plugin ? NULL : mem_text(text_of(&why), why.n),
    };
    text_free(&path);
    text_free(&why);
    return &p->all[p->n++];
}

int plugins_has(plugins *p, const char *name)
{
    text path = { 0 };
    int has = builtin_of(name) || find(p, name, &path);

    for (size_t i = 0; !has && stock_stages[i]; i++) has = !strcmp(stock_stages[i]->name, name);
    text_free(&path);
    return has;
}

/* ---- Names ---- */

static void add_file(void *context, const char *entry)
{
    const char *name;
    size_t bytes;

    if (name_in(entry, &name, &bytes)) add_name(context, name, bytes);
}

/* All plugins that can be found: those built in, then folder by folder. None is opened. */
static void list_plugins(const plugins *p, name_list *l)
{
    text unused = { 0 }; /* a folder that is not there has no plugins */

    for (size_t i = 0; builtin_plugins[i]; i++)
        add_name(l, builtin_plugins[i]->name, strlen(builtin_plugins[i]->name));
    for (size_t i = 0; i < p->nfolders; i++) os_list(p->folder[i], add_file, l, &unused);
    text_free(&unused);
}

const char *plugins_nearest(plugins *p, const char *word)
{
    name_list l = { 0 };
    const char *near;

    list_plugins(p, &l);
    for (size_t i = 0; stock_stages[i]; i++) add_name(&l, stock_stages[i]->name, strlen(stock_stages[i]->name));
    near = text_nearest(word, (const char *const *)l.at, l.n);
    if (near) near = add_name(&p->suggested, near, strlen(near)); /* lives as long as p */
    free_names(&l);
    return near;
}

void plugins_each(plugins *p, void (*each)(void *context, const plugin_note *n), void *context)
{
    name_list l = { 0 };

    list_plugins(p, &l);
    for (size_t i = 0; i < l.n; i++) {
        const loaded *one = load(p, l.at[i]);
        if (!one) continue;
        plugin_note note = { one->name, one->path, one->plugin, one->why };
        each(context, &note);
    }
    free_names(&l);
}

/* ---- Stages ---- */

static void say_no_plugin(plugins *p, const char *name, text *why)
{
    const char *near = plugins_nearest(p, name);

    text_format(why, "no plugin '%s'", name);
    for (size_t i = 0; i < p->nfolders; i++) text_format(why, "%s%s", i ? ", " : " in ", p->folder[i]);
    if (near) text_format(why, "; did you mean '%s'?", near);
}

static void add_stages(const tw_plugin *p, name_list *l)
{
    text full = { 0 };

    for (size_t i = 0; p->stages[i]; i++) {
        text_clear(&full);
        text_format(&full, "%s.%s", p->name, p->stages[i]->name);
        add_name(l, text_of(&full), full.n);
    }
    text_free(&full);
}

/* "no stage 'etl.raed' in plugin 'etl'; did you mean 'etl.read'?" */
static void say_no_stage(const tw_plugin *p, const char *name, text *why)
{
    name_list l = { 0 };
    const char *near;

    add_stages(p, &l);
    near = text_nearest(name, (const char *const *)l.at, l.n);
    text_format(why, "no stage '%s' in plugin '%s'; ", name, p->name);
    if (near) {
        text_format(why, "did you mean '%s'?", near);
    } else {
        text_put(why, "it has ");
        for (size_t i = 0; i < l.n; i++) text_format(why, "%s%s", i ? ", " : "", l.at[i]);
    }
    free_names(&l);
}

static void say_no_stock(plugins *p, const char *name, text *why)
{
    const loaded *one = load(p, name);
    name_list l = { 0 };
    const char *near;

    text_format(why, "no stage '%s'", name);
    if (one && one->plugin) {
        add_stages(one->plugin, &l);
        text_format(why, "; '%s' is a plugin, its stages are ", name);
        for (size_t i = 0; i < l.n; i++) text_format(why, "%s%s", i ? ", " : "", l.at[i]);
    } else if ((near = plugins_nearest(p, name))) {
        text_format(why, "; did you mean '%s'?", near);
    }
    free_names(&l);
}

const tw_stage *plugins_stage(plugins *p, const char *name, text *why)
{
    const char *dot = strchr(name, '.');

    if (!dot) {
        for (size_t i = 0; stock_stages[i]; i++)
            if (!strcmp(stock_stages[i]->name, name)) return stock_stages[i];
        say_no_stock(p, name, why);
        return NULL;
    }
    const tw_stage *found = NULL;
    char *plugin = mem_text(name, (size_t)(dot - name));
    const loaded *one = load(p, plugin);
    if (!one) {
        say_no_plugin(p, plugin, why);
    } else if (!one->plugin) {
        text_format(why, "plugin '%s' is refused: %s: %s", plugin, one->path, one->why);
    } else {
        for (size_t i = 0; one->plugin->stages[i] && !found; i++)
            if (!strcmp(one->plugin->stages[i]->name, dot + 1)) found = one->plugin->stages[i];
        if (!found) say_no_stage(one->plugin, name, why);
    }
    free(plugin);
    return found;
}
