/* os_posix_process.c - child processes, where the system is POSIX (Linux).

   One idea: the system itself ends a child with its parent, and a child leads a group, so that one signal reaches all
   that it started. The group's number stays taken until its leader is collected, so the signal never hits strangers. */
#define _GNU_SOURCE /* pipe2, close_range, wait4 */

#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tw_plugin.h"

struct os_process {
    pid_t pid;
    int input, output, errors; /* our ends; -1: closed */
    int ended;
    os_exit exit;
};

/* ---- Starting ---- */

static void shut(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* Between fork and exec only what signals may do is allowed: no memory, no locks. */
static void become(const char *const *words, const int *ends, int news, pid_t parent)
{
    int moved[3], error;
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); /* it ended before the line above */
    /* Where this process has no standard streams of its own, the pipes lie in their places. */
    news = fcntl(news, F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3; i++) moved[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3; i++)
        if (dup2(moved[i], i) < 0) goto failed;
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); /* others may have opened some without; an old kernel leaves them */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv(words[0], (char *const *)words);
failed:
    error = errno;
    if (write(news, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

static const char *fact_of(int error)
{
    switch (error) {
    case ENOENT: return "no such program";
    case EACCES: return "permission denied";
    case E2BIG: return "its arguments are too long";
    case ENOMEM: return "no memory";
    case EAGAIN: return "too many processes";
    case EMFILE:
    case ENFILE: return "too many files are open";
    default: return "the system refused";
    }
}

static int fork_child(os_process *p, const char *const *words, const int *ends, const int *news)
{
    pid_t parent = getpid();
    int error = 0;

    p->pid = fork();
    if (p->pid < 0) return errno;
    if (p->pid == 0) become(words, ends, news[1], parent);
    setpgid(p->pid, p->pid); /* it does so, too; whoever comes first */
    close(news[1]);
    ssize_t got;
    while ((got = read(news[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    if (got != sizeof error) return 0; /* the pipe was closed by a good exec */
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {}
    return error;
}

int os_process_start(const char *const *words, os_process **out, text *why)
{
    int pipes[4][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } }; /* input, output, errors; why exec failed */
    os_process *p = mem_new(sizeof *p);
    int error = 0;

    for (int i = 0; i < 4 && !error; i++)
        if (pipe2(pipes[i], O_CLOEXEC)) error = errno;
    int ends[3] = { pipes[0][0], pipes[1][1], pipes[2][1] };
    if (!error) {
        error = fork_child(p, words, ends, pipes[3]);
        pipes[3][1] = -1;
    }
    for (int i = 0; i < 3; i++) shut(&pipes[i][i ? 1 : 0]);
    shut(&pipes[3][0]);
    shut(&pipes[3][1]);
    if (error) {
        for (int i = 0; i < 3; i++) shut(&pipes[i][i ? 0 : 1]);
        free(p);
        text_put(why, fact_of(error));
        return TW_ERROR;
    }
    p->input = pipes[0][1];
    p->output = pipes[1][0];
    p->errors = pipes[2][0];
    /* Of each pipe only our end: the child's streams work as programs expect. */
    fcntl(p->input, F_SETFL, O_NONBLOCK);
    fcntl(p->output, F_SETFL, O_NONBLOCK);
    fcntl(p->errors, F_SETFL, O_NONBLOCK);
    *out = p;
    return TW_OK;
}

/* ---- Ending ---- */

void os_process_kill(os_process *p)
{
    if (!p->ended) kill(-p->pid, SIGKILL);
}

int os_process_interrupt(os_process *p)
{
    return p->ended || kill(-p->pid, SIGINT) == 0 ? TW_OK : TW_ERROR;
}

/* Collects the leader. What is left of its group goes first, while its number is still taken. */
static void collect(os_process *p)
{
    struct rusage used;
    int status = 0;

    kill(-p->pid, SIGKILL);
    memset(&used, 0, sizeof used);
    while (wait4(p->pid, &status, 0, &used) < 0 && errno == EINTR) {}
    p->ended = 1;
    p->exit.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    p->exit.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    p->exit.memory = (uint64_t)used.ru_maxrss * 1024;
}

int os_process_ended(os_process *p, os_exit *out)
{
    siginfo_t news;

    news.si_pid = 0;
    if (!p->ended && waitid(P_PID, (id_t)p->pid, &news, WEXITED | WNOHANG | WNOWAIT) == 0 && news.si_pid) collect(p);
    if (p->ended) *out = p->exit;
    return p->ended;
}

void os_process_free(os_process *p)
{
    if (!p) return;
    if (!p->ended) collect(p);
    shut(&p->input);
    shut(&p->output);
    shut(&p->errors);
    free(p);
}

uint64_t os_process_memory(os_process *p)
{
    char path[64], line[128];
    unsigned long long pages = 0;

    if (p->ended) return 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)p->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, line, sizeof line - 1);
    close(fd);
    line[n > 0 ? n : 0] = 0;
    return sscanf(line, "%*u %llu", &pages) == 1 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* ---- Streams ---- */

static ptrdiff_t read_now(int fd, void *to, size_t n)
{
    for (;;) {
        ssize_t got = read(fd, to, n);
        if (got >= 0) return got;
        if (errno == EAGAIN) return -1;
        if (errno != EINTR) return 0; /* a stream that fails gives nothing more */
    }
}

ptrdiff_t os_process_read(os_process *p, int stream, void *to, size_t n)
{
    ptrdiff_t got = read_now(stream == OS_OUTPUT ? p->output : p->errors, to, n);
    /* All that it printed is in the pipe by then; whoever else may hold the end is a stranger. */
    return got < 0 && p->ended ? 0 : got;
}

ptrdiff_t os_process_write(os_process *p, const void *from, size_t n)
{
    if (p->input < 0) return -1;
    ssize_t put = write(p->input, from, n);
    return put >= 0 ? put : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

void os_process_close_input(os_process *p)
{
    shut(&p->input);
}

/* Standard input is shared with others, so it is not made one that does not block; it is asked before each read. */
ptrdiff_t os_input_read(void *to, size_t n)
{
    struct pollfd wanted = { STDIN_FILENO, POLLIN, 0 };
    return poll(&wanted, 1, 0) == 1 ? read_now(STDIN_FILENO, to, n) : -1;
}

int os_process_wait(os_wanted *wanted, size_t n, int with_input, int64_t ns)
{
    enum { MILLISECOND = 1000000 }; /* ns */
    struct pollfd *all = mem_new((3 * n + 1) * sizeof *all);
    int64_t ms = ns / MILLISECOND + (ns % MILLISECOND > 0);

    for (size_t i = 0; i < n; i++) { /* poll passes over what is negative */
        const os_process *p = wanted[i].process;
        all[3 * i] = (struct pollfd){ wanted[i].streams & OS_OUTPUT ? p->output : -1, POLLIN, 0 };
        all[3 * i + 1] = (struct pollfd){ wanted[i].streams & OS_ERRORS ? p->errors : -1, POLLIN, 0 };
        all[3 * i + 2] = (struct pollfd){ wanted[i].streams & OS_INPUT ? p->input : -1, POLLOUT, 0 };
    }
    all[3 * n] = (struct pollfd){ with_input ? STDIN_FILENO : -1, POLLIN, 0 };
    int found = os_interrupted() ? 0 : poll(all, 3 * n + 1, ms > INT32_MAX ? INT32_MAX : (int)ms);
    for (size_t i = 0; i < n; i++) {
        wanted[i].ready = 0;
        for (int k = 0; k < 3 && found > 0; k++)
            if (all[3 * i + k].revents) wanted[i].ready |= 1 << k;
    }
    int input = found > 0 && all[3 * n].revents;
    free(all);
    return input;
}
