/* server.h - what the host offers a stage that stands alone: tw.pipelines/1 and tw.script/1.

   One idea: both hang on the instance of the stage and share its children, so one wait serves all. */
#ifndef SERVER_H
#define SERVER_H

#include "child.h"
#include "command.h"
#include "tw/script.h"

typedef struct hosted hosted; /* a script; script_call.c */

typedef struct server {
    const command_line *command;
    char *program;
    children *children;
    text answer, result; /* what list and describe, what a script's call gave last */
    text why, script_why;
    hosted *script;
    uint32_t nscripts, last_script;
} server;

extern const tw_pipelines pipeline_functions;
extern const tw_scripts script_functions;

/* The functions of that name for this stage; NULL: no such, or the host was not started as a program. */
const void *server_extension(void *self, const char *id);
server *server_of(void *self); /* the stage's, made at its first extension */
void server_free(server *s);   /* ends its children; s may be NULL */
void scripts_free(server *s);

/* script_host.c: the hidden command `script-host`, the other end of tw.script/1. The exit status. */
int script_host_run(void);

#endif
