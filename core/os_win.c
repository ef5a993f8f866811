/* os_win.c - the operating system, where it is Windows.

   One idea: UTF-8 outside, UTF-16 in here. Regular files are read and written at places of our own counting, for
   Windows moves its one file pointer with every call. */
#include "os_win.h"

#include <fcntl.h>
#include <inttypes.h>
#include <io.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <shellapi.h> /* after windows.h, which it needs */

#include "tw_plugin.h"

const char *const os_library_suffix = ".dll";
const char *const os_scratch_variable = "TMP";
const char os_path_separator = ';';

struct os_file {
    HANDLE handle;
    int standard; /* a stream of the process: not ours to close */
    int regular;
    uint64_t place; /* of os_read and os_write, in a regular file */
};

enum { AT_ONCE = 1 << 30 }; /* bytes; a call takes 32 bits */

static int say(text *why, const char *fact)
{
    text_put(why, fact);
    return TW_ERROR;
}

int fail_with(text *why, DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: return say(why, "no such file or folder");
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME: return say(why, "that is no name for a file");
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return say(why, "it exists already");
    case ERROR_ACCESS_DENIED: return say(why, "permission denied");
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: return say(why, "another program is using it");
    case ERROR_WRITE_PROTECT: return say(why, "the disk is read-only");
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_DISK_FULL: return say(why, "the disk is full");
    case ERROR_TOO_MANY_OPEN_FILES: return say(why, "too many files are open");
    case ERROR_OPERATION_ABORTED: return say(why, "interrupted");
    case ERROR_MOD_NOT_FOUND: return say(why, "the library, or one that it needs, is not there");
    case ERROR_BAD_EXE_FORMAT: return say(why, "it is no library for 64-bit Windows");
    default: text_format(why, "Windows error %" PRIu32, (uint32_t)error); return TW_ERROR;
    }
}

static int fail(text *why)
{
    return fail_with(why, GetLastError());
}

/* ---- UTF-8 and UTF-16 ---- */

wchar_t *wide_text(const char *s)
{
    int n = MultiByteToWideChar(CP_UTF8, 0, s, -1, NULL, 0);
    wchar_t *w = mem_new(((size_t)n + 1) * sizeof *w);
    MultiByteToWideChar(CP_UTF8, 0, s, -1, w, n);
    return w;
}

static char *narrow_text(const wchar_t *w)
{
    int n = WideCharToMultiByte(CP_UTF8, 0, w, -1, NULL, 0, NULL, NULL);
    char *s = mem_new((size_t)n + 1);
    WideCharToMultiByte(CP_UTF8, 0, w, -1, s, n, NULL, NULL);
    return s;
}

/* A path for the system; free it. One that is too long for the old limit of 260 gets the prefix that lifts it, which
   works with full paths and backslashes only. */
static wchar_t *wide_path(const char *path)
{
    enum { OLD_LIMIT = 240 }; /* leaves room for the names of temporary files */
    wchar_t *w = wide_text(path), *full, *to;

    if (wcslen(w) < OLD_LIMIT || wcsncmp(w, L"\\\\?\\", 4) == 0 || wcsncmp(w, L"\\\\.\\", 4) == 0) return w;
    DWORD n = GetFullPathNameW(w, 0, NULL, NULL);
    full = mem_new(((size_t)n + 1) * sizeof *full);
    GetFullPathNameW(w, n, full, NULL);
    free(w);
    w = to = mem_new(((size_t)n + 16) * sizeof *w);
    int share = full[0] == L'\\' && full[1] == L'\\'; /* \\server\share is written \\?\UNC\server\share */
    wcscpy(to, share ? L"\\\\?\\UNC" : L"\\\\?\\");
    wcscat(to, share ? full + 1 : full);
    free(full);
    return w;
}

static char *variable(const wchar_t *name)
{
    DWORD n = GetEnvironmentVariableW(name, NULL, 0);
    if (!n) return NULL;
    wchar_t *w = mem_new(((size_t)n + 1) * sizeof *w);
    GetEnvironmentVariableW(name, w, n);
    char *s = narrow_text(w);
    free(w);
    return s;
}

/* ---- Files ---- */

static int adopt(HANDLE handle, int standard, os_file **out)
{
    os_file *f = mem_new(sizeof *f);
    f->handle = handle;
    f->standard = standard;
    f->regular = GetFileType(handle) == FILE_TYPE_DISK;
    *out = f;
    return TW_OK;
}

static int adopt_standard(DWORD which, os_file **out, text *why)
{
    HANDLE handle = GetStdHandle(which);
    LARGE_INTEGER nowhere = { .QuadPart = 0 }, place;

    if (!handle || handle == INVALID_HANDLE_VALUE) return say(why, "there is none");
    adopt(handle, 1, out);
    /* What is written follows what others wrote; and someone may have read the beginning: then only the rest is ours,
       as with a pipe. */
    if (which == STD_OUTPUT_HANDLE || !SetFilePointerEx(handle, nowhere, &place, FILE_CURRENT) || place.QuadPart)
        (*out)->regular = 0;
    return TW_OK;
}

static int open_path(const char *path, DWORD access, DWORD how, DWORD flags, os_file **out, text *why)
{
    wchar_t *w = wide_path(path);
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE handle = CreateFileW(w, access, share, NULL, how, FILE_ATTRIBUTE_NORMAL | flags, NULL);
    DWORD error = GetLastError();

    free(w);
    if (handle != INVALID_HANDLE_VALUE) return adopt(handle, 0, out);
    if (error == ERROR_ACCESS_DENIED && os_is_folder(path)) return say(why, "it is a folder");
    return fail_with(why, error);
}

int os_open(const char *path, os_file **out, text *why)
{
    if (strcmp(path, "-") == 0) return adopt_standard(STD_INPUT_HANDLE, out, why);
    return open_path(path, GENERIC_READ, OPEN_EXISTING, 0, out, why);
}

int os_create(const char *path, os_file **out, text *why)
{
    if (strcmp(path, "-") == 0) return adopt_standard(STD_OUTPUT_HANDLE, out, why);
    return open_path(path, GENERIC_WRITE, os_is_special(path) ? OPEN_EXISTING : CREATE_ALWAYS, 0, out, why);
}

int os_create_new(const char *path, os_file **out, text *why)
{
    return open_path(path, GENERIC_WRITE, CREATE_NEW, 0, out, why);
}

char *os_scratch_folder(void)
{
    wchar_t folder[MAX_PATH + 1];
    return GetTempPathW(MAX_PATH + 1, folder) ? narrow_text(folder) : mem_text(".", 1);
}

int os_scratch(os_file **out, text *why)
{
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];

    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"tw", 0, name)) return fail(why);
    HANDLE handle = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                                FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle != INVALID_HANDLE_VALUE) return adopt(handle, 0, out);
    DWORD error = GetLastError();
    DeleteFileW(name);
    return fail_with(why, error);
}

void os_close(os_file *f)
{
    if (!f) return;
    if (!f->standard) CloseHandle(f->handle);
    free(f);
}

int os_is_regular(os_file *f)
{
    return f->regular;
}

uint64_t os_size(os_file *f)
{
    LARGE_INTEGER size;
    return GetFileSizeEx(f->handle, &size) ? (uint64_t)size.QuadPart : 0;
}

static OVERLAPPED place_of(uint64_t offset)
{
    OVERLAPPED place;
    memset(&place, 0, sizeof place);
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    return place;
}

/* One call of the system: what it read, 0 at the end, -1. `offset` counts in regular files only. */
static ptrdiff_t read_once(os_file *f, uint64_t offset, void *to, size_t n, text *why)
{
    OVERLAPPED place = place_of(offset);
    DWORD got = 0;

    if (ReadFile(f->handle, to, n > AT_ONCE ? AT_ONCE : (DWORD)n, &got, f->regular ? &place : NULL))
        return (ptrdiff_t)got;
    DWORD error = GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE) return 0;
    return fail_with(why, error);
}

ptrdiff_t os_read(os_file *f, void *to, size_t n, text *why)
{
    if (!f->regular && os_interrupted()) return say(why, "interrupted");
    ptrdiff_t got = read_once(f, f->place, to, n, why);
    if (got > 0) f->place += (uint64_t)got;
    return got;
}

ptrdiff_t os_read_at(os_file *f, uint64_t offset, void *to, size_t n, text *why)
{
    size_t done = 0;

    if (offset > INT64_MAX || n > INT64_MAX - offset) return say(why, "the place lies beyond all files");
    while (done < n) {
        ptrdiff_t got = read_once(f, offset + done, (char *)to + done, n - done, why);
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ptrdiff_t)done;
}

int os_write_at(os_file *f, uint64_t offset, const void *from, size_t n, text *why)
{
    const char *at = from;

    while (n) {
        OVERLAPPED place = place_of(offset);
        DWORD put = 0;
        if (!WriteFile(f->handle, at, n > AT_ONCE ? AT_ONCE : (DWORD)n, &put, f->regular ? &place : NULL)) {
            DWORD error = GetLastError();
            return error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA ? TW_END : fail_with(why, error);
        }
        at += put;
        offset += put;
        n -= put;
    }
    return TW_OK;
}

int os_write(os_file *f, const void *from, size_t n, text *why)
{
    int status = os_write_at(f, f->place, from, n, why);
    if (status == TW_OK) f->place += n;
    return status;
}

int os_sync(os_file *f, text *why)
{
    return !f->regular || FlushFileBuffers(f->handle) ? TW_OK : fail(why);
}

int os_rename(const char *from, const char *to, text *why)
{
    wchar_t *wide_from = wide_path(from), *wide_to = wide_path(to);
    BOOL done = MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    DWORD error = GetLastError();
    free(wide_from);
    free(wide_to);
    return done ? TW_OK : fail_with(why, error);
}

void os_remove(const char *path)
{
    wchar_t *w = wide_path(path);
    DeleteFileW(w);
    free(w);
}

int os_may_replace(const char *path, text *why)
{
    wchar_t *w = wide_path(path);
    DWORD attributes = GetFileAttributesW(w);
    free(w);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_READONLY)) return TW_OK;
    return say(why, "it is read-only");
}

void os_be_like(os_file *f, const char *path)
{
    (void)f; /* permissions are the folder's here, and a new file has them already */
    (void)path;
}

/* What Windows calls the file behind a link; mem_ memory, or NULL. */
static char *final_path(const wchar_t *w)
{
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE handle = CreateFileW(w, 0, share, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    char *path = NULL;

    if (handle == INVALID_HANDLE_VALUE) return NULL;
    DWORD n = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *at = mem_new(((size_t)n + 1) * sizeof *at);
    if (n && GetFinalPathNameByHandleW(handle, at, n + 1, FILE_NAME_NORMALIZED) <= n) path = narrow_text(at);
    CloseHandle(handle);
    free(at);
    return path;
}

int os_follow(const char *path, char **out, text *why)
{
    wchar_t *w = wide_path(path);
    DWORD attributes = GetFileAttributesW(w);
    int linked = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT);

    *out = linked ? final_path(w) : mem_text(path, strlen(path));
    free(w);
    return *out ? TW_OK : say(why, "its links lead nowhere");
}

static wchar_t *full_path(const char *path)
{
    wchar_t *w = wide_path(path);
    DWORD n = GetFullPathNameW(w, 0, NULL, NULL);
    wchar_t *full = mem_new(((size_t)n + 1) * sizeof *full);
    GetFullPathNameW(w, n, full, NULL);
    free(w);
    return full;
}

int os_same_place(const char *a, const char *b)
{
    wchar_t *full_a = full_path(a), *full_b = full_path(b);
    int same = CompareStringOrdinal(full_a, -1, full_b, -1, TRUE) == CSTR_EQUAL;

    free(full_a);
    free(full_b);
    return same;
}

int os_room(const char *folder, uint64_t *left, uint64_t *all)
{
    ULARGE_INTEGER for_us, in_all;
    wchar_t *w = wide_path(folder);
    BOOL done = GetDiskFreeSpaceExW(w, &for_us, &in_all, NULL);

    free(w);
    if (!done) return 0;
    *left = for_us.QuadPart;
    *all = in_all.QuadPart;
    return 1;
}

static int is_separator(char c)
{
    return c == '/' || c == '\\';
}

const char *os_path_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++) {
        if (is_separator(*at) || (*at == ':' && at == path + 1)) name = at + 1;
    }
    return name;
}

int os_make_folder(const char *path, text *why)
{
    size_t n = strlen(path);
    char *part = mem_text(path, n);
    DWORD error = ERROR_SUCCESS;

    for (size_t i = 1; i <= n; i++) {
        if (path[i] && !is_separator(path[i])) continue;
        part[i] = 0;
        wchar_t *w = wide_path(part);
        error = CreateDirectoryW(w, NULL) || os_is_folder(part) ? ERROR_SUCCESS : GetLastError();
        free(w);
        part[i] = path[i];
    }
    free(part);
    /* Drives and shares cannot be made, nor need they be; so what counts is how the last part went. */
    return n && error == ERROR_SUCCESS ? TW_OK : fail_with(why, n ? error : ERROR_PATH_NOT_FOUND);
}

static DWORD attributes_of(const char *path)
{
    wchar_t *w = wide_path(path);
    DWORD attributes = GetFileAttributesW(w);
    free(w);
    return attributes;
}

int os_is_folder(const char *path)
{
    DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

int os_exists(const char *path)
{
    return attributes_of(path) != INVALID_FILE_ATTRIBUTES;
}

int os_is_special(const char *path)
{
    const char *const devices[] = { "NUL", "CON", "CONOUT$" };
    for (int i = 0; i < 3; i++) {
        if (_stricmp(path, devices[i]) == 0) return 1;
    }
    return is_separator(path[0]) && is_separator(path[1]) && path[2] == '.' && is_separator(path[3]);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int os_list(const char *folder, void (*each)(void *context, const char *name), void *context, text *why)
{
    text pattern = { 0 };
    WIN32_FIND_DATAW entry;
    char **names = NULL;
    size_t n = 0, cap = 0;

    text_format(&pattern, "%s\\*", folder);
    wchar_t *w = wide_path(pattern.at);
    HANDLE search = FindFirstFileW(w, &entry);
    DWORD error = GetLastError();
    free(w);
    text_free(&pattern);
    if (search == INVALID_HANDLE_VALUE) return fail_with(why, error);
    do {
        if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) continue;
        if (n == cap) names = mem_grow(names, (cap = cap ? cap * 2 : 64) * sizeof *names);
        names[n++] = narrow_text(entry.cFileName);
    } while (FindNextFileW(search, &entry));
    error = GetLastError();
    int status = error == ERROR_NO_MORE_FILES ? TW_OK : fail_with(why, error);
    FindClose(search);
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
    wchar_t *w = full_path(path); /* the loader searches beside the library only then */
    *out = LoadLibraryExW(w, NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    DWORD error = GetLastError();
    free(w);
    return *out ? TW_OK : fail_with(why, error);
}

void *os_symbol(void *library, const char *name)
{
    FARPROC found = GetProcAddress(library, name);
    void *symbol;
    memcpy(&symbol, &found, sizeof symbol); /* C has no cast between the two */
    return symbol;
}

/* ---- The process ---- */

static atomic_int interrupted;

void os_start(int *argc, char ***argv)
{
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);

    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetConsoleOutputCP(CP_UTF8);
    /* WriteFile writes bytes as they are; what is printed shall have the same ends of lines. */
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    setvbuf(stderr, NULL, _IONBF, 0); /* not behind what came later on the same pipe */
    if (!wide) return;
    char **narrow = mem_new(((size_t)n + 1) * sizeof *narrow);
    for (int i = 0; i < n; i++) narrow[i] = narrow_text(wide[i]);
    LocalFree(wide);
    *argc = n;
    *argv = narrow;
}

char *os_program(void)
{
    for (DWORD cap = 256;; cap *= 2) {
        wchar_t *w = mem_new(cap * sizeof *w);
        DWORD n = GetModuleFileNameW(NULL, w, cap);
        char *path = n < cap ? narrow_text(w) : NULL;
        free(w);
        if (path) return path;
    }
}

char *os_user_folder(void)
{
    char *data = os_variable("XDG_DATA_HOME"); /* whoever sets it means it, here as elsewhere */
    text path = { 0 };

    if (!data) data = variable(L"LOCALAPPDATA");
    if (data) text_format(&path, "%s/traceweir", data);
    free(data);
    return path.at;
}

static HANDLE standard_handle(int stream)
{
    return GetStdHandle(stream == 0 ? STD_INPUT_HANDLE : stream == 1 ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
}

char *os_variable(const char *name)
{
    wchar_t *wide = wide_text(name);
    char *value = variable(wide);

    free(wide);
    if (value && *value) return value;
    free(value);
    return NULL;
}

void *os_utf8_enter(void)
{
    return NULL; /* libraries ask for UTF-16 here */
}

void os_utf8_leave(void *before)
{
    (void)before;
}

int os_is_terminal(int stream)
{
    DWORD mode;
    return GetConsoleMode(standard_handle(stream), &mode) != 0;
}

int os_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    int n = GetConsoleScreenBufferInfo(standard_handle(2), &screen) ? screen.srWindow.Right - screen.srWindow.Left + 1
                                                                    : 0;
    return n > 0 ? n : 80;
}

int64_t os_monotonic(void)
{
    LARGE_INTEGER ticks, hz;
    QueryPerformanceFrequency(&hz);
    QueryPerformanceCounter(&ticks);
    return ticks.QuadPart / hz.QuadPart * 1000000000 + ticks.QuadPart % hz.QuadPart * 1000000000 / hz.QuadPart;
}

/* A second after Ctrl-C, where the run has not ended yet. */
static void CALLBACK on_timer(void *unused, BOOLEAN fired)
{
    static const char line[] = "\r\nstopping; once more to end at once\r\n";
    DWORD put;

    (void)unused;
    (void)fired;
    WriteFile(standard_handle(2), line, sizeof line - 1, &put, NULL);
}

static BOOL WINAPI on_interrupt(DWORD event)
{
    enum { MILLISECONDS = 1000 };
    HANDLE timer;

    if (atomic_exchange(&interrupted, 1)) TerminateProcess(GetCurrentProcess(), 130);
    if (event == CTRL_C_EVENT && os_is_terminal(2))
        CreateTimerQueueTimer(&timer, NULL, on_timer, NULL, MILLISECONDS, 0, WT_EXECUTEONLYONCE);
    /* The process ends when this returns from a closing window; it has some seconds to finish before. */
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
    return TRUE;
}

void stop_event_name(DWORD process, wchar_t name[STOP_EVENT_NAME])
{
    static const wchar_t prefix[] = L"Local\\traceweir.stop.";

    wcscpy(name, prefix);
    _ultow(process, name + wcslen(prefix), 10);
}

static void CALLBACK on_stop(void *unused, BOOLEAN fired)
{
    (void)unused;
    (void)fired;
    on_interrupt(CTRL_BREAK_EVENT);
}

void os_catch_interrupt(void)
{
    wchar_t name[STOP_EVENT_NAME];
    HANDLE wait;

    SetConsoleCtrlHandler(on_interrupt, TRUE);
    stop_event_name(GetCurrentProcessId(), name);
    HANDLE event = CreateEventW(NULL, FALSE, FALSE, name);
    if (event) RegisterWaitForSingleObject(&wait, event, on_stop, NULL, INFINITE, WT_EXECUTEDEFAULT);
}

int os_interrupted(void)
{
    return atomic_load_explicit(&interrupted, memory_order_relaxed);
}

int os_process_id(void)
{
    return (int)GetCurrentProcessId();
}

void os_sleep(int64_t ns)
{
    enum { MILLISECOND = 1000000, LONGEST = 1 << 30 }; /* ns; ms */
    int64_t ms = ns / MILLISECOND + (ns % MILLISECOND > 0);
    if (ns > 0) Sleep(ms > LONGEST ? LONGEST : (DWORD)ms);
}
