/* os.h - all that differs between operating systems.

   os_posix.c and os_win.c are the only files that include system headers beyond C11's. One idea:
   paths are UTF-8 everywhere; each system turns them into its own form here. */
#ifndef OS_H
#define OS_H

#include <stddef.h>
#include <stdint.h>
#include "text.h"

typedef struct os_file os_file;

/* Files. Where nothing else is said, each returns TW_OK or TW_ERROR with the fact in `why` ("no such file", "permission denied"), path not named. */
int  os_open(const char *path, os_file **out, text *why);        /* to read; "-" is standard input */
int  os_create(const char *path, os_file **out, text *why);      /* to write, new or emptied; "-" is standard output, binary */
int  os_create_new(const char *path, os_file **out, text *why);  /* to write; what exists stays as it is: an error */
int  os_scratch(os_file **out, text *why);                       /* read and write, gone when closed or killed; in TMPDIR */
void os_close(os_file *f);                                       /* standard streams stay open */
int  os_is_regular(os_file *f);                                  /* has a size and can be read anywhere */
uint64_t os_size(os_file *f);
ptrdiff_t os_read(os_file *f, void *to, size_t n, text *why);    /* next bytes; 0 at the end; -1 */
ptrdiff_t os_read_at(os_file *f, uint64_t offset, void *to, size_t n, text *why); /* whole unless the file ends; -1 */
int  os_write(os_file *f, const void *from, size_t n, text *why); /* TW_END where the reader of a pipe is gone */
int  os_write_at(os_file *f, uint64_t offset, const void *from, size_t n, text *why); /* the place of os_write is kept */
int  os_sync(os_file *f, text *why);
int  os_rename(const char *from, const char *to, text *why);     /* replaces, and lasts */
void os_remove(const char *path);
int  os_make_folder(const char *path, text *why);                /* and those above; exists: fine */
int  os_is_folder(const char *path);
int  os_exists(const char *path);
int  os_is_special(const char *path);                            /* a device, a pipe, a stream: no file that can be replaced */
const char *os_path_name(const char *path);                      /* its last part: what follows the last separator */
/* Calls `each` with every entry's name, in order of bytes. */
int  os_list(const char *folder, void (*each)(void *context, const char *name), void *context, text *why);

/* Libraries. */
int  os_library(const char *path, void **out, text *why);        /* absolute path; never unloaded */
void *os_symbol(void *library, const char *name);
extern const char *const os_library_suffix;                      /* ".so", ".dll" */
extern const char os_path_separator;                             /* ':' or ';' between folders in a variable */

/* The process. */
void os_start(int *argc, char ***argv);    /* first of all: UTF-8 arguments, binary stdout, no error boxes, broken pipes as write errors */
char *os_program(void);                    /* full path of the executable; mem_ memory */
char *os_user_folder(void);                /* …/traceweir for the user's pipelines and plugins; NULL: unknown; mem_ memory */
int  os_is_terminal(int stream);           /* 0, 1, 2 */
int  os_columns(void);                     /* of the terminal at stderr; 80 if unknown */
int64_t os_monotonic(void);                /* ns */
void os_catch_interrupt(void);             /* Ctrl-C, SIGTERM: the first sets os_interrupted, a second ends at once (exit status 130) */
int  os_interrupted(void);
int  os_process_id(void);
void os_sleep(int64_t ns);

#endif
