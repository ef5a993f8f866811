/* plugin.h - finding, checking and refusing plugins.

   One idea: a plugin is found by its name in a list of folders, opened only when a pipeline names it, and checked
   before any of its code runs; what is refused is refused with a sentence and harms nothing else. */
#ifndef PLUGIN_H
#define PLUGIN_H

#include "text.h"
#include "tw_plugin.h"

typedef struct plugins plugins;

typedef struct plugin_note { /* one line of `traceweir plugins` */
    const char *name, *path; /* path: "built in" for those */
    const tw_plugin *plugin; /* NULL: refused */
    const char *why;         /* the sentence, where refused */
} plugin_note;

/* folders: n paths, first hit wins. The stock stages and built-in plugins need none. */
plugins *plugins_new(const char *const *folders, size_t n);
void plugins_free(plugins *p);

/* "etl.read", or a stock stage: "where". NULL with a sentence that suggests the nearest right name. */
const tw_stage *plugins_stage(plugins *p, const char *name, text *why);
/* 1 if a plugin of that name can be found (it is not opened). Stock stages: is `name` one? */
int plugins_has(plugins *p, const char *name);
const char *plugins_nearest(plugins *p, const char *word); /* among plugins and stock stages; or NULL */
void plugins_each(plugins *p, void (*each)(void *context, const plugin_note *n), void *context); /* opens all */

/* The checks alone, for a plugin in memory and for `traceweir check FILE`. */
int plugin_table_fits(const tw_table *t, text *why); /* 1 if a stage may make rows of it */
int plugin_check(const tw_plugin *p, const char *name, text *why);
int plugin_check_file(const char *path, const tw_plugin **out, text *why);

extern const tw_stage *const stock_stages[];     /* ends with NULL; stock.c */
extern const tw_plugin *const builtin_plugins[]; /* ends with NULL; generated */

#endif
