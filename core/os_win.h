/* os_win.h - what the files of this system share. */
#ifndef OS_WIN_H
#define OS_WIN_H

#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0A00

#include <windows.h>

#include "os.h"

wchar_t *wide_text(const char *s);     /* UTF-16 of UTF-8; free it */
int fail_with(text *why, DWORD error); /* TW_ERROR, and the fact in words */

/* Of the event by which a process that catches interrupts is told to stop, whatever console it has. */
enum { STOP_EVENT_NAME = 64 };
void stop_event_name(DWORD process, wchar_t name[STOP_EVENT_NAME]);

#endif
