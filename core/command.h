/* command.h - the command line: host options, the host's own commands, and pipelines as commands.

   The host knows `run plugins pipelines check help version`. One idea: every other command is a pipeline file of that
   name, so users add commands by adding files. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdio.h>

#include "script.h"

enum { /* exit statuses; a run's own come from its report */
       STATUS_DONE,
       STATUS_FAILED,
       STATUS_WRONG_USE
};

typedef struct command_line {
    int help, trust, strict, quiet, verbose, rules;
    int progress;      /* as in bus_options */
    const char **word; /* what is not the host's; the first is the command */
    uint32_t nwords;
    const char **own; /* the host's, as they were written, for children that are to run alike */
    uint32_t nown;
    folder *pipelines, *plugin_folders; /* where to look, first hit wins */
    uint32_t npipelines, nplugin_folders;
    uint64_t script_memory; /* as in script_options */
    int64_t script_time;
    plugins *plugins;
} command_line;

/* TW_ERROR with a sentence: wrong use of a host option. command_line_free either way. */
int command_line_read(command_line *c, int argc, const char *const *argv, text *why);
void command_line_free(command_line *c);

/* Does what the words ask for; results go to stdout, all else to stderr. The exit status. */
int command_run(const command_line *c);

/* ---- Shared by command.c and help.c ---- */

typedef struct host_command {
    const char *name, *usage, *help;
    int (*run)(const command_line *c, const char *const *words, uint32_t n);
} host_command;

extern const host_command host_commands[]; /* ends with a zeroed one */

typedef struct found_pipeline {
    text name, path; /* name: as a user calls it */
    int trusted;
    int by_path;   /* not by a name */
    uint32_t used; /* words that name it: 2 for `cache ls` where cache-ls.lua is there */
} found_pipeline;

/* The pipeline file that the first word, or the first two, name: a path, or a name in one of the folders. */
int pipeline_find(const command_line *c, const char *const *words, uint32_t n, found_pipeline *out);
/* Calls `each` for all pipelines in the folders, in order of their names. */
void pipelines_each(const command_line *c, void (*each)(void *context, const found_pipeline *p), void *context);
/* A script for that file, with the limits and folders of the command line. */
script *command_script(const command_line *c, const found_pipeline *f, text *why);
/* A sentence to stderr; what a file made up of it cannot steer a terminal. */
void command_say(const char *sentence);
/* Says on stderr that there is no such thing, with the nearest right name. STATUS_WRONG_USE. */
int command_unknown(const command_line *c, const char *word, int or_stage);

void help_overview(const command_line *c, FILE *out);
/* Of a host command, a pipeline, a stage or a plugin. */
int help_topic(const char *name); /* 1: printed */
int help_word(const command_line *c, const char *const *words, uint32_t n);
void help_pipeline(const found_pipeline *f, script *s, const pipeline *p, FILE *out);
/* How a pipeline is called, to stderr. */
void help_usage(const found_pipeline *f, const pipeline *p);
int help_plugins(const command_line *c, const char *const *words, uint32_t n);
int help_pipelines(const command_line *c, const char *const *words, uint32_t n);
const char *help_role(const tw_stage *s); /* "source" */
const char *help_severity(int severity);  /* "skipped" */
/* pages.c: a page of Markdown for each plugin, into that folder; for docs/stages, so no command for people. */
int help_pages(const command_line *c, const char *folder);

#endif
