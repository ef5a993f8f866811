/* os_win_process.c - child processes, where the system is Windows.

   One idea: a job holds the child and all that it starts, and ends them when its last handle is closed, which the system
   does when this process ends. Pipes cannot be waited for, so a thread reads each of them into a small buffer and tells
   of it by one event, which is all that the wait waits for. */
#include "os_win.h"

#include <psapi.h>
#include <stdlib.h>
#include <string.h>

#include "tw_plugin.h"

enum {
    ROOM = 64 << 10,       /* bytes a thread reads ahead */
    PIPE_ROOM = 64 << 10,  /* bytes of a pipe */
    PIECE = 4 << 10,       /* bytes at once; a write that does not fit as a whole may write nothing */
    KILLED = 0x54570009,   /* exit code of those that were */
    KILL_SIGNAL = 9,       /* what other systems call that */
    MILLISECOND = 1000000, /* ns */
    WRITE_SLICE = 5,       /* ms until a full pipe is tried again; nothing tells of its room */
    JOIN_SLICE = 10        /* ms */
};

typedef struct reader {
    HANDLE pipe, thread;
    CRITICAL_SECTION lock;
    CONDITION_VARIABLE room;
    size_t n;
    int ended, closing;
    char bytes[ROOM];
} reader;

struct os_process {
    HANDLE process, job, watch, input;
    DWORD id;
    reader output, errors;
    int ended;
    uint64_t most; /* bytes; some systems no longer tell when it has ended */
    os_exit exit;
};

/* Set whenever there may be something to read, or somebody has ended. */
static HANDLE news_event(void)
{
    static HANDLE event;
    static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
    BOOL first;

    if (InitOnceBeginInitialize(&once, 0, &first, NULL) && first) {
        event = CreateEventW(NULL, FALSE, FALSE, NULL);
        InitOnceComplete(&once, 0, NULL);
    }
    return event;
}

/* ---- Reading ahead ---- */

/* Waits for room and puts bytes there; 0 when nobody will take them. */
static int keep(reader *r, const char *bytes, DWORD n)
{
    EnterCriticalSection(&r->lock);
    while (n > ROOM - r->n && !r->closing) SleepConditionVariableCS(&r->room, &r->lock, INFINITE);
    int open = !r->closing;
    if (open) {
        memcpy(r->bytes + r->n, bytes, n);
        r->n += n;
    }
    LeaveCriticalSection(&r->lock);
    SetEvent(news_event());
    return open;
}

static DWORD WINAPI read_pipe(void *context)
{
    reader *r = context;
    char piece[PIECE];
    DWORD n;

    /* No bytes are the end of a file, but of a pipe only where the other side is gone. */
    while (ReadFile(r->pipe, piece, sizeof piece, &n, NULL) &&
           (n || PeekNamedPipe(r->pipe, NULL, 0, NULL, NULL, NULL)))
        if (!keep(r, piece, n)) break;
    EnterCriticalSection(&r->lock);
    r->ended = 1;
    LeaveCriticalSection(&r->lock);
    SetEvent(news_event());
    return 0;
}

static void reader_start(reader *r, HANDLE pipe)
{
    r->pipe = pipe;
    InitializeCriticalSection(&r->lock);
    InitializeConditionVariable(&r->room);
    r->thread = CreateThread(NULL, 0, read_pipe, r, 0, NULL);
    if (!r->thread) r->ended = 1;
}

static void reader_stop(reader *r)
{
    EnterCriticalSection(&r->lock);
    r->closing = 1;
    LeaveCriticalSection(&r->lock);
    WakeConditionVariable(&r->room);
    while (r->thread && WaitForSingleObject(r->thread, JOIN_SLICE) == WAIT_TIMEOUT) CancelSynchronousIo(r->thread);
    if (r->thread) CloseHandle(r->thread);
    CloseHandle(r->pipe);
    DeleteCriticalSection(&r->lock);
}

static ptrdiff_t reader_take(reader *r, void *to, size_t n)
{
    EnterCriticalSection(&r->lock);
    if (n > r->n) n = r->n;
    memcpy(to, r->bytes, n);
    memmove(r->bytes, r->bytes + n, r->n - n);
    r->n -= n;
    ptrdiff_t got = n ? (ptrdiff_t)n : r->ended ? 0 : -1;
    LeaveCriticalSection(&r->lock);
    WakeConditionVariable(&r->room);
    return got;
}

static int reader_ready(reader *r)
{
    EnterCriticalSection(&r->lock);
    int ready = r->n > 0 || r->ended;
    LeaveCriticalSection(&r->lock);
    return ready;
}

/* Of standard input; its thread ends with the process. */
static reader *own_input(void)
{
    static reader input;
    static int started;

    if (!started) reader_start(&input, GetStdHandle(STD_INPUT_HANDLE));
    started = 1;
    return &input;
}

/* ---- Starting ---- */

/* One word as the C library of the child takes it apart again: quotes around it, backslashes doubled before a quote. */
static void put_word(text *line, const char *word)
{
    size_t slashes = 0;

    text_put(line, line->n ? " \"" : "\"");
    for (; *word; word++) {
        if (*word == '"')
            for (size_t i = 0; i <= slashes; i++) text_put(line, "\\");
        slashes = *word == '\\' ? slashes + 1 : 0;
        text_add(line, word, 1);
    }
    for (size_t i = 0; i < slashes; i++) text_put(line, "\\");
    text_put(line, "\"");
}

static wchar_t *command_line_of(const char *const *words)
{
    text line = { 0 };

    for (; *words; words++) put_word(&line, *words);
    wchar_t *wide = wide_text(text_of(&line));
    text_free(&line);
    return wide;
}

/* A pipe whose one end a child may inherit. ours: 0 we read, 1 we write. */
static int make_pipe(HANDLE *end, int ours)
{
    SECURITY_ATTRIBUTES inherited = { sizeof inherited, NULL, TRUE };
    return CreatePipe(&end[0], &end[1], &inherited, PIPE_ROOM) &&
           SetHandleInformation(end[ours], HANDLE_FLAG_INHERIT, 0);
}

/* A job that ends with its last handle. */
static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    HANDLE job = CreateJobObjectW(NULL, NULL);

    memset(&limits, 0, sizeof limits);
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if (job && SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits)) return job;
    if (job) CloseHandle(job);
    return NULL;
}

/* The child, not yet running. It inherits the three ends and nothing else. */
static int create(const char *const *words, HANDLE *ends, PROCESS_INFORMATION *made)
{
    STARTUPINFOEXW start;
    SIZE_T bytes = 0;
    /* Interrupts reach those of the same console; where we have none, the child shall not open a window. */
    DWORD flags = CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT |
                  (GetConsoleCP() ? 0 : CREATE_NO_WINDOW);

    memset(&start, 0, sizeof start);
    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = ends[0];
    start.StartupInfo.hStdOutput = ends[1];
    start.StartupInfo.hStdError = ends[2];
    InitializeProcThreadAttributeList(NULL, 1, 0, &bytes);
    start.lpAttributeList = mem_new(bytes);
    wchar_t *program = wide_text(words[0]), *line = command_line_of(words);
    int done = InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &bytes) &&
               UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, ends,
                                         3 * sizeof *ends, NULL, NULL) &&
               CreateProcessW(program, line, NULL, NULL, TRUE, flags, NULL, NULL, &start.StartupInfo, made);
    DWORD error = GetLastError();
    free(program);
    free(line);
    free(start.lpAttributeList);
    SetLastError(error);
    return done;
}

static void CALLBACK on_end(void *context, BOOLEAN late)
{
    (void)context;
    (void)late;
    SetEvent(news_event());
}

/* Puts it into its job before its first instruction, so that nothing it starts is outside. */
static int confine(os_process *p, PROCESS_INFORMATION *made)
{
    p->job = make_job();
    if (p->job && AssignProcessToJobObject(p->job, made->hProcess) &&
        RegisterWaitForSingleObject(&p->watch, made->hProcess, on_end, NULL, INFINITE, WT_EXECUTEONLYONCE) &&
        ResumeThread(made->hThread) != (DWORD)-1)
        return 1;
    DWORD error = GetLastError();
    TerminateProcess(made->hProcess, 1);
    if (p->watch) UnregisterWaitEx(p->watch, INVALID_HANDLE_VALUE);
    if (p->job) CloseHandle(p->job);
    CloseHandle(made->hProcess);
    CloseHandle(made->hThread);
    SetLastError(error);
    return 0;
}

static void close_pipes(HANDLE (*pipe)[2])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (pipe[i][k]) CloseHandle(pipe[i][k]);
}

static uint64_t memory_of(HANDLE process, int most)
{
    PROCESS_MEMORY_COUNTERS used;

    /* What is its own, in memory or swapped out; what is in memory alone shrinks whenever the system likes. */
    if (!GetProcessMemoryInfo(process, &used, sizeof used)) return 0;
    return most ? used.PeakPagefileUsage : used.PagefileUsage;
}

int os_process_start(const char *const *words, os_process **out, text *why)
{
    HANDLE pipe[3][2] = { { NULL, NULL }, { NULL, NULL }, { NULL, NULL } };
    PROCESS_INFORMATION made;
    DWORD mode = PIPE_NOWAIT;
    os_process *p = mem_new(sizeof *p);

    if (!make_pipe(pipe[0], 1) || !make_pipe(pipe[1], 0) || !make_pipe(pipe[2], 0) ||
        !SetNamedPipeHandleState(pipe[0][1], &mode, NULL, NULL))
        goto failed;
    HANDLE ends[3] = { pipe[0][0], pipe[1][1], pipe[2][1] };
    if (!create(words, ends, &made) || !confine(p, &made)) goto failed;
    for (int i = 0; i < 3; i++) CloseHandle(ends[i]);
    CloseHandle(made.hThread);
    p->process = made.hProcess;
    p->id = made.dwProcessId;
    p->most = memory_of(made.hProcess, 1);
    p->input = pipe[0][1];
    reader_start(&p->output, pipe[1][0]);
    reader_start(&p->errors, pipe[2][0]);
    *out = p;
    return TW_OK;
failed:
    fail_with(why, GetLastError());
    close_pipes(pipe);
    free(p);
    return TW_ERROR;
}

/* ---- Ending ---- */

void os_process_kill(os_process *p)
{
    TerminateJobObject(p->job, KILLED);
}

/* Ctrl-Break reaches those of the same console only, so who listens is told by its event; see stop_event_name. */
int os_process_interrupt(os_process *p)
{
    wchar_t name[STOP_EVENT_NAME];

    stop_event_name(p->id, name);
    HANDLE event = OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
    int done = event ? SetEvent(event) : GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, p->id);
    if (event) CloseHandle(event);
    return done ? TW_OK : TW_ERROR;
}

int os_process_ended(os_process *p, os_exit *out)
{
    DWORD code = 0;

    if (!p->ended && WaitForSingleObject(p->process, 0) == WAIT_OBJECT_0) {
        os_process_kill(p); /* what it left behind, so that the pipes end */
        GetExitCodeProcess(p->process, &code);
        uint64_t most = memory_of(p->process, 1);
        if (most < p->most) most = p->most;
        p->ended = 1;
        p->exit = (os_exit){ code == KILLED ? -1 : (int)code, code == KILLED ? KILL_SIGNAL : 0, most };
    }
    if (p->ended) *out = p->exit;
    return p->ended;
}

void os_process_free(os_process *p)
{
    if (!p) return;
    os_process_kill(p);
    WaitForSingleObject(p->process, INFINITE);
    UnregisterWaitEx(p->watch, INVALID_HANDLE_VALUE);
    os_process_close_input(p);
    reader_stop(&p->output);
    reader_stop(&p->errors);
    CloseHandle(p->process);
    CloseHandle(p->job);
    free(p);
}

uint64_t os_process_memory(os_process *p)
{
    uint64_t now = p->ended ? 0 : memory_of(p->process, 0);

    if (now > p->most) p->most = now;
    return now;
}

/* ---- Streams ---- */

ptrdiff_t os_process_read(os_process *p, int stream, void *to, size_t n)
{
    return reader_take(stream == OS_OUTPUT ? &p->output : &p->errors, to, n);
}

ptrdiff_t os_process_write(os_process *p, const void *from, size_t n)
{
    DWORD put = 0;

    if (!p->input || !WriteFile(p->input, from, n < PIECE ? (DWORD)n : PIECE, &put, NULL)) return -1;
    return (ptrdiff_t)put;
}

void os_process_close_input(os_process *p)
{
    if (p->input) CloseHandle(p->input);
    p->input = NULL;
}

ptrdiff_t os_input_read(void *to, size_t n)
{
    return reader_take(own_input(), to, n);
}

/* What can be used now; 1 where there is any. */
static int look(os_wanted *wanted, size_t n)
{
    int any = 0;

    for (size_t i = 0; i < n; i++) {
        os_wanted *w = &wanted[i];
        w->ready = w->streams & OS_INPUT; /* nothing tells, so it is tried */
        if (w->streams & OS_OUTPUT && reader_ready(&w->process->output)) w->ready |= OS_OUTPUT;
        if (w->streams & OS_ERRORS && reader_ready(&w->process->errors)) w->ready |= OS_ERRORS;
        any |= w->ready & ~OS_INPUT;
    }
    return any != 0;
}

int os_process_wait(os_wanted *wanted, size_t n, int with_input, int64_t ns)
{
    int64_t ms = ns / MILLISECOND + (ns % MILLISECOND > 0);

    for (size_t i = 0; i < n; i++)
        if (wanted[i].streams & OS_INPUT && ms > WRITE_SLICE) ms = WRITE_SLICE;
    int input = with_input && reader_ready(own_input());
    if (!look(wanted, n) && !input && !os_interrupted()) {
        WaitForSingleObject(news_event(), ms > INT32_MAX ? INT32_MAX : (DWORD)ms);
        look(wanted, n);
        input = with_input && reader_ready(own_input());
    }
    return input;
}
