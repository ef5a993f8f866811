/* os.h - all that differs between operating systems.

   os_posix*.c and os_win*.c are the only files that include system headers beyond C11's. One idea:
   paths are UTF-8 everywhere; each system turns them into its own form here. */
#ifndef OS_H
#define OS_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"

typedef struct os_file os_file;

// clang-format off

/* Files. Where nothing else is said, each returns TW_OK or TW_ERROR with the fact in `why` ("no such file", "permission
   denied"), path not named. */
int  os_open(const char *path, os_file **out, text *why);        /* to read; "-" is standard input */
int  os_create(const char *path, os_file **out, text *why);      /* to write, new or emptied; "-": standard output */
int  os_create_new(const char *path, os_file **out, text *why);  /* to write; what exists stays as it is: an error */
int  os_scratch(os_file **out, text *why);                       /* read and write, in os_scratch_folder; gone when
                                                                    closed or killed */
char *os_scratch_folder(void);                                   /* its path, mem_ memory */
extern const char *const os_scratch_variable;                    /* of the environment, that names that folder: "TMPDIR" */
void os_close(os_file *f);                                       /* standard streams stay open */
int  os_is_regular(os_file *f);                                  /* has a size and can be read anywhere */
uint64_t os_size(os_file *f);
ptrdiff_t os_read(os_file *f, void *to, size_t n, text *why);    /* next bytes; 0 at the end; -1 */
ptrdiff_t os_read_at(os_file *f, uint64_t offset, void *to, size_t n, text *why); /* whole unless the file ends; -1 */
int  os_write(os_file *f, const void *from, size_t n, text *why); /* TW_END where the reader of a pipe is gone */
/* The place of os_write is kept. */
int  os_write_at(os_file *f, uint64_t offset, const void *from, size_t n, text *why);
int  os_sync(os_file *f, text *why);
int  os_rename(const char *from, const char *to, text *why);     /* replaces, and lasts */
int  os_may_replace(const char *path, text *why);                /* TW_OK too where there is no such file */
void os_be_like(os_file *f, const char *path);                   /* f gets the permissions of that file, where it is there */
/* The path of the file that a path names in the end, though its last part is a link, perhaps to nothing; mem_ memory. */
int  os_follow(const char *path, char **out, text *why);
int  os_same_place(const char *a, const char *b);                /* 1: both name one file, or would, links apart */
/* Bytes of its disk: free for us, and in all; 0: not known. */
int  os_room(const char *folder, uint64_t *left, uint64_t *all);
void os_remove(const char *path);
int  os_make_folder(const char *path, text *why);                /* and those above; exists: fine */
int  os_is_folder(const char *path);
int  os_exists(const char *path);
int  os_is_special(const char *path);                            /* a device, a pipe, a stream: it is not replaced */
const char *os_path_name(const char *path);                      /* its last part: what follows the last separator */
/* Calls `each` with every entry's name, in order of bytes. */
int  os_list(const char *folder, void (*each)(void *context, const char *name), void *context, text *why);

/* Threads, os_*_thread.c. A condition goes with one mutex; who waits on it looks again at what it waits for. */
typedef struct os_thread os_thread;
typedef struct os_mutex os_mutex;
typedef struct os_condition os_condition;

int  os_thread_start(void (*run)(void *context), void *context, os_thread **out, text *why);
void os_thread_join(os_thread *t);                               /* waits for its end, and frees t */
os_mutex *os_mutex_new(void);
void os_mutex_free(os_mutex *m);
void os_lock(os_mutex *m);                                       /* not twice by one thread */
void os_unlock(os_mutex *m);
os_condition *os_condition_new(void);
void os_condition_free(os_condition *c);
void os_wait(os_condition *c, os_mutex *m, int64_t ns);          /* at most that long; m is locked before and after */
void os_wake(os_condition *c);                                   /* all who wait */
int  os_cores(void);                                             /* that this process may use; 1 if unknown */

/* Libraries. */
int  os_library(const char *path, void **out, text *why);        /* path: with a folder; never unloaded */
void *os_symbol(void *library, const char *name);
extern const char *const os_library_suffix;                      /* ".so", ".dll" */
extern const char os_path_separator;                             /* ':' or ';' between folders in a variable */

/* The process. */
/* First of all: UTF-8 arguments, binary stdout, no error boxes, broken pipes as write errors. */
void os_start(int *argc, char ***argv);
char *os_program(void);                    /* full path of the executable; mem_ memory */
char *os_user_folder(void);                /* …/traceweir for the user's pipelines and plugins; NULL: unknown; mem_ memory */
char *os_variable(const char *name);       /* of the environment; NULL: not set, or empty; mem_ memory */
/* Between the two the C library takes this thread's text for UTF-8, for libraries that ask it. */
void *os_utf8_enter(void);                 /* what _leave wants back */
void os_utf8_leave(void *before);
int  os_is_terminal(int stream);           /* 0, 1, 2 */
int  os_columns(void);                     /* of the terminal at stderr; 80 if unknown */
int64_t os_monotonic(void);                /* ns */
/* Ctrl-C, SIGTERM: the first sets os_interrupted, a second ends at once (exit status 130). */
void os_catch_interrupt(void);
int  os_interrupted(void);
int  os_process_id(void);
void os_sleep(int64_t ns);

/* Child processes, os_*_process.c: each in a group of its own that ends with this process, whatever ends it. Their
   standard streams are pipes that nobody else inherits. Only os_process_wait waits. A child is started by the thread
   that lives as long as the process: on Linux a child also ends with the thread that started it. */
typedef struct os_process os_process;
enum { OS_OUTPUT = 1, OS_ERRORS = 2, OS_INPUT = 4 };             /* streams of a child, as bits */
typedef struct os_exit {
    int status, signal; /* signal: what ended it, then status is -1; 0: it ended by itself */
    uint64_t memory;    /* the most bytes it had in memory; never less than this process had at its start */
} os_exit;
typedef struct os_wanted { os_process *process; int streams, ready; } os_wanted; /* ready: those usable now */

/* words: the program's path first, ends with NULL. */
int  os_process_start(const char *const *words, os_process **out, text *why);
void os_process_free(os_process *p);                             /* ends what is left of its group, and forgets it */
ptrdiff_t os_process_read(os_process *p, int stream, void *to, size_t n); /* 0 at the end; -1 nothing now */
/* How much was taken, perhaps 0; -1: the reader is gone. */
ptrdiff_t os_process_write(os_process *p, const void *from, size_t n);
void os_process_close_input(os_process *p);
int  os_process_interrupt(os_process *p);                        /* as Ctrl-C does; TW_ERROR: it cannot be asked */
void os_process_kill(os_process *p);                             /* the whole group, at once */
int  os_process_ended(os_process *p, os_exit *out);              /* 1: it has; what it started is ended, too */
uint64_t os_process_memory(os_process *p);                       /* bytes it has in memory now; 0: not known */
/* Until one of n can be used, or the time (ns) is over, or an interrupt comes. with_input: this process' own standard
   input too; 1 where it can be read. */
int  os_process_wait(os_wanted *wanted, size_t n, int with_input, int64_t ns);
ptrdiff_t os_input_read(void *to, size_t n);                     /* of standard input: 0 at the end; -1 nothing now */
// clang-format on

#endif
