/* os_posix.c - the operating system, where it is POSIX (Linux).

   One idea: a call of the system is repeated until it has done all that was asked, and what went wrong is said in
   the same few words on every system. */
#define _XOPEN_SOURCE 700

#include "os.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "tw_plugin.h"

const char *const os_library_suffix = ".so";
const char *const os_scratch_variable = "TMPDIR";
const char os_path_separator = ':';

struct os_file {
    int fd;
    int standard; /* a stream of the process: not ours to close */
    int regular;
};

enum { AT_ONCE = 1 << 30 }; /* bytes; some systems take no more in one call */

static int fail(text *why)
{
    char words[128];

    switch (errno) {
    case ENOENT: text_put(why, "no such file or folder"); break;
    case ENOTDIR: text_put(why, "a part of the path is no folder"); break;
    case EISDIR: text_put(why, "it is a folder"); break;
    case EEXIST: text_put(why, "it exists already"); break;
    case EACCES:
    case EPERM: text_put(why, "permission denied"); break;
    case EROFS: text_put(why, "the disk is read-only"); break;
    case ENOSPC: text_put(why, "the disk is full"); break;
    case EDQUOT: text_put(why, "the disk quota is used up"); break;
    case EFBIG: text_put(why, "the file would become too large"); break;
    case EIO: text_put(why, "the device failed"); break;
    case EPIPE: text_put(why, "the reader is gone"); break;
    case EBADF: text_put(why, "it is closed"); break; /* see os_start: it can be a standard stream only */
    case ENAMETOOLONG: text_put(why, "the name is too long"); break;
    case EMFILE:
    case ENFILE: text_put(why, "too many files are open"); break;
    default: text_put(why, strerror_r(errno, words, sizeof words) ? "unknown failure" : words); break;
    }
    return TW_ERROR;
}

static int say(text *why, const char *fact)
{
    text_put(why, fact);
    return TW_ERROR;
}

/* ---- Files ---- */

static int adopt(int fd, int standard, os_file **out, text *why)
{
    struct stat status;

    if (fd < 0) return fail(why);
    if (fstat(fd, &status)) {
        int error = errno;
        if (!standard) close(fd);
        errno = error;
        return fail(why);
    }
    if (S_ISDIR(status.st_mode)) {
        if (!standard) close(fd);
        return say(why, "it is a folder");
    }
    os_file *f = mem_new(sizeof *f);
    f->fd = fd;
    f->standard = standard;
    f->regular = S_ISREG(status.st_mode);
    *out = f;
    return TW_OK;
}

static int is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

int os_open(const char *path, os_file **out, text *why)
{
    if (strcmp(path, "-") != 0) return adopt(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), 0, out, why);
    if (adopt(STDIN_FILENO, 1, out, why)) return TW_ERROR;
    /* Someone may have read the beginning: then only the rest is ours, as with a pipe. */
    if ((*out)->regular && lseek(STDIN_FILENO, 0, SEEK_CUR) != 0) (*out)->regular = 0;
    return TW_OK;
}

int os_create(const char *path, os_file **out, text *why)
{
    if (is_standard_output(path)) return adopt(STDOUT_FILENO, 1, out, why);
    return adopt(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666), 0, out, why);
}

int os_create_new(const char *path, os_file **out, text *why)
{
    return adopt(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), 0, out, why);
}

char *os_scratch_folder(void)
{
    const char *folder = getenv(os_scratch_variable);
    if (!folder || !*folder) folder = "/tmp";
    return mem_text(folder, strlen(folder));
}

int os_scratch(os_file **out, text *why)
{
    char *folder = os_scratch_folder();
    text path = { 0 };

    text_format(&path, "%s/traceweir-XXXXXX", folder);
    free(folder);
    int fd = mkstemp(path.at);
    if (fd >= 0) {
        unlink(path.at); /* the file lives on without a name, until its last descriptor goes */
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    int status = adopt(fd, 0, out, why);
    text_free(&path);
    return status;
}

void os_close(os_file *f)
{
    if (!f) return;
    if (!f->standard) close(f->fd);
    free(f);
}

int os_is_regular(os_file *f)
{
    return f->regular;
}

uint64_t os_size(os_file *f)
{
    struct stat status;
    return fstat(f->fd, &status) || status.st_size < 0 ? 0 : (uint64_t)status.st_size;
}

/* Waits for bytes of a pipe or terminal; an interrupt ends the wait, whichever thread the signal reached. */
static int wait_for_bytes(int fd)
{
    struct pollfd wanted = { fd, POLLIN, 0 };
    for (;;) {
        if (os_interrupted()) return 0;
        int n = poll(&wanted, 1, 200);
        if (n > 0 || (n < 0 && errno != EINTR)) return 1; /* `read` tells what it is */
    }
}

ptrdiff_t os_read(os_file *f, void *to, size_t n, text *why)
{
    if (n > AT_ONCE) n = AT_ONCE;
    for (;;) {
        if (!f->regular && !wait_for_bytes(f->fd)) return say(why, "interrupted");
        ssize_t got = read(f->fd, to, n);
        if (got >= 0) return got;
        if (errno != EINTR && errno != EAGAIN) return fail(why);
    }
}

ptrdiff_t os_read_at(os_file *f, uint64_t offset, void *to, size_t n, text *why)
{
    size_t done = 0;

    if (offset > INT64_MAX || n > INT64_MAX - offset) return say(why, "the place lies beyond all files");
    while (done < n) {
        size_t part = n - done > AT_ONCE ? AT_ONCE : n - done;
        ssize_t got = pread(f->fd, (char *)to + done, part, (off_t)(offset + done));
        if (got == 0) break;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(why);
        done += (size_t)got;
    }
    return (ptrdiff_t)done;
}

/* A standard output that does not block is waited for; others share it and may have made it so. */
static int retry_write(int fd)
{
    struct pollfd wanted = { fd, POLLOUT, 0 };
    if (errno == EINTR) return 1;
    if (errno != EAGAIN) return 0;
    poll(&wanted, 1, 200);
    return 1;
}

int os_write(os_file *f, const void *from, size_t n, text *why)
{
    const char *at = from;

    while (n) {
        ssize_t put = write(f->fd, at, n > AT_ONCE ? AT_ONCE : n);
        if (put < 0 && retry_write(f->fd)) continue;
        if (put < 0 && errno == EPIPE) return TW_END;
        if (put < 0) return fail(why);
        at += put;
        n -= (size_t)put;
    }
    return TW_OK;
}

int os_write_at(os_file *f, uint64_t offset, const void *from, size_t n, text *why)
{
    const char *at = from;

    if (offset > INT64_MAX || n > INT64_MAX - offset) return say(why, "the place lies beyond all files");
    while (n) {
        ssize_t put = pwrite(f->fd, at, n > AT_ONCE ? AT_ONCE : n, (off_t)offset);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return fail(why);
        at += put;
        offset += (uint64_t)put;
        n -= (size_t)put;
    }
    return TW_OK;
}

int os_sync(os_file *f, text *why)
{
    /* Pipes and some file systems cannot sync: there is nothing to wait for. */
    if (fsync(f->fd) && errno != EINVAL && errno != ENOTSUP && errno != EROFS) return fail(why);
    return TW_OK;
}

const char *os_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder a path lies in, mem_ memory. */
static char *folder_of(const char *path)
{
    size_t n = (size_t)(os_path_name(path) - path);
    return n ? mem_text(path, n) : mem_text(".", 1);
}

/* A rename lasts once the folder is on the disk. Where folders cannot be synced, that is as good as it gets. */
static void sync_folder_of(const char *path)
{
    char *folder = folder_of(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    free(folder);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

int os_rename(const char *from, const char *to, text *why)
{
    if (rename(from, to)) return fail(why);
    sync_folder_of(to);
    return TW_OK;
}

void os_remove(const char *path)
{
    unlink(path);
}

int os_may_replace(const char *path, text *why)
{
    struct stat status;

    /* A rename would not ask; but who took all right to write from a file, also root, wants it to stay. */
    if (stat(path, &status)) return TW_OK;
    if (!(status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH))) return say(why, "it is read-only");
    return access(path, W_OK) ? fail(why) : TW_OK;
}

void os_be_like(os_file *f, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) fchmod(f->fd, status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
}

int os_follow(const char *path, char **out, text *why)
{
    enum { MOST_LINKS = 40, MOST_BYTES = 4096 };
    char *at = mem_text(path, strlen(path)), link[MOST_BYTES];
    ssize_t n;

    for (int k = 0; (n = readlink(at, link, sizeof link)) >= 0; k++) {
        if (n == MOST_BYTES || k == MOST_LINKS) {
            free(at);
            return say(why, "its links lead nowhere");
        }
        text next = { 0 }; /* a link counts from its own folder */
        if (link[0] != '/') text_add(&next, at, (size_t)(os_path_name(at) - at));
        text_add(&next, link, (size_t)n);
        free(at);
        at = next.at;
    }
    *out = at;
    return TW_OK;
}

int os_same_place(const char *a, const char *b)
{
    struct stat of_a, of_b;
    char *folder_a = folder_of(a), *folder_b = folder_of(b);
    int same = strcmp(os_path_name(a), os_path_name(b)) == 0 && stat(folder_a, &of_a) == 0 &&
               stat(folder_b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;

    free(folder_a);
    free(folder_b);
    return same;
}

int os_room(const char *folder, uint64_t *left, uint64_t *all)
{
    struct statvfs disk;

    if (statvfs(folder, &disk)) return 0;
    *left = (uint64_t)disk.f_bavail * disk.f_frsize;
    *all = (uint64_t)disk.f_blocks * disk.f_frsize;
    return 1;
}

int os_make_folder(const char *path, text *why)
{
    size_t n = strlen(path);
    char *part = mem_text(path, n);
    int error = n ? 0 : ENOENT;

    for (size_t i = 1; i <= n && !error; i++) {
        if (path[i] != '/' && path[i] != 0) continue;
        part[i] = 0;
        if (mkdir(part, 0777)) {
            error = errno == EEXIST ? ENOTDIR : errno;
            if (os_is_folder(part)) error = 0;
        }
        part[i] = path[i];
    }
    free(part);
    errno = error;
    return error ? fail(why) : TW_OK;
}

int os_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int os_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

int os_is_special(const char *path)
{
    struct stat status;
    /* What these name may be a regular file, but the wish is the open stream, not another file in its place. */
    if (is_standard_output(path) || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0) return 1;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int os_list(const char *folder, void (*each)(void *context, const char *name), void *context, text *why)
{
    DIR *d = opendir(folder);
    char **names = NULL;
    size_t n = 0, cap = 0;
    struct dirent *entry;

    if (!d) return fail(why);
    while (errno = 0, (entry = readdir(d))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (n == cap) names = mem_grow(names, (cap = cap ? cap * 2 : 64) * sizeof *names);
        names[n++] = mem_text(entry->d_name, strlen(entry->d_name));
    }
    int status = errno ? fail(why) : TW_OK;
    closedir(d);
    if (n) qsort(names, n, sizeof *names, by_bytes);
    for (size_t i = 0; i < n; i++) {
        if (status == TW_OK) each(context, names[i]);
        free(names[i]);
    }
    free(names);
    return status;
}

/* ---- Libraries ---- */

int os_library(const char *path, void **out, text *why)
{
    *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return *out ? TW_OK : say(why, dlerror());
}

void *os_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

/* ---- The process ---- */

static const char *called_as = "traceweir";
static atomic_int interrupted;

void os_start(int *argc, char ***argv)
{
    int fd = 0;

    if (*argc > 0) called_as = (*argv)[0];
    signal(SIGPIPE, SIG_IGN);
    /* Where a standard stream is closed, the next file would take its place and be read or written as if it were it. */
    while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDONLY); /* writes still fail */
    if (fd >= 0) close(fd);
}

char *os_program(void)
{
    for (size_t cap = 256;; cap *= 2) {
        char *path = mem_new(cap);
        ssize_t n = readlink("/proc/self/exe", path, cap);
        if (n >= 0 && (size_t)n < cap) return path;
        free(path);
        if (n < 0) return mem_text(called_as, strlen(called_as));
    }
}

char *os_user_folder(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    text path = { 0 };

    if (data && data[0] == '/') {
        text_format(&path, "%s/traceweir", data);
    } else if (home && *home) {
        text_format(&path, "%s/.local/share/traceweir", home);
    }
    return path.at;
}

char *os_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? mem_text(value, strlen(value)) : NULL;
}

void *os_utf8_enter(void)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return utf8 ? uselocale(utf8) : NULL;
}

void os_utf8_leave(void *before)
{
    if (before) freelocale(uselocale(before));
}

int os_is_terminal(int stream)
{
    return isatty(stream);
}

int os_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

int64_t os_monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void on_interrupt(int signal_number)
{
    if (atomic_exchange(&interrupted, 1)) _exit(130);
    if (signal_number == SIGINT) alarm(1);
}

/* A second after Ctrl-C, where the run has not ended yet. */
static void on_alarm(int signal_number)
{
    static const char line[] = "\nstopping; once more to end at once\n";
    (void)signal_number;
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) return; /* there is nobody left to tell */
}

void os_catch_interrupt(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action); /* without SA_RESTART: what waits comes back and looks at the flag */
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = isatty(STDERR_FILENO) ? on_alarm : SIG_IGN;
    sigaction(SIGALRM, &action, NULL);
}

int os_interrupted(void)
{
    return atomic_load_explicit(&interrupted, memory_order_relaxed);
}

int os_process_id(void)
{
    return (int)getpid();
}

void os_sleep(int64_t ns)
{
    struct timespec left = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
    if (ns > 0) {
        while (nanosleep(&left, &left) && errno == EINTR && !os_interrupted()) {}
    }
}
