#include "host.h"

#include <errno.h>
#include <string.h>

#include "door/host.h"
#include "door/paths.h"
#include "door/subject.h"
#include "wide.h"

#include <windows.h>

#define EPOCH_TICKS 116444736000000000ull /* from 1601 to 1970, in 100 ns */

int host_clock(struct door *d, struct span argument, struct buf *ret)
{
	SYSTEMTIME now;
	FILETIME ticks;
	ULARGE_INTEGER wall;

	(void)d;
	(void)argument;
	GetSystemTime(&now);
	SystemTimeToFileTime(&now, &ticks);
	wall.LowPart = ticks.dwLowDateTime;
	wall.HighPart = ticks.dwHighDateTime;
	buf_addf(ret, "wall %llu %04u-%02u-%02uT%02u:%02u:%02uZ\nuptime %llu\n",
		 (unsigned long long)((wall.QuadPart - EPOCH_TICKS) / 10000000), now.wYear,
		 now.wMonth, now.wDay, now.wHour, now.wMinute, now.wSecond,
		 (unsigned long long)(GetTickCount64() / 1000));
	return 0;
}

int host_machine(struct door *d, struct span argument, struct buf *ret)
{
	(void)d;
	(void)argument;
	buf_text(ret, "x86_64\n"); /* there is no other build, and none runs it otherwise */
	return 0;
}

int windows_memory(struct buf *ret)
{
	MEMORYSTATUSEX memory = { .dwLength = sizeof(memory) };

	if (!GlobalMemoryStatusEx(&memory))
		return -EIO;
	buf_addf(ret, "total %llu\navailable %llu\ncommit_limit %llu\ncommit_left %llu\n",
		 (unsigned long long)memory.ullTotalPhys, (unsigned long long)memory.ullAvailPhys,
		 (unsigned long long)memory.ullTotalPageFile,
		 (unsigned long long)memory.ullAvailPageFile);
	return 0;
}

int subject_identity(struct door *d, struct span argument, struct buf *ret)
{
	(void)d;
	(void)argument;
	buf_text(ret, "how this process\nuser ");
	wide_variable(L"USERNAME", ret);
	buf_text(ret, "\nhome ");
	wide_variable(L"USERPROFILE", ret);
	buf_char(ret, '\n');
	return 0;
}

/* "Path" is PATH to every program that asks for it. */
static void add_variable(struct span line, struct buf *ret)
{
	struct span value = line, name;

	if (line.len == 0 || line.data[0] == '=' || !span_cut(&value, '=', &name))
		return;
	if (name.len == 4 && strncasecmp(name.data, "PATH", 4) == 0)
		name = SPAN_LITERAL("PATH");
	if (!paths_kept_variable(name) || memchr(value.data, '\n', value.len))
		return;
	buf_span(ret, name);
	buf_char(ret, '=');
	buf_span(ret, paths_secret_variable(name) ? SPAN_LITERAL(PATHS_WITHHELD) : value);
	buf_char(ret, '\n');
}

int subject_environment(struct door *d, struct span argument, struct buf *ret)
{
	wchar_t *all = GetEnvironmentStringsW();

	(void)d;
	(void)argument;
	if (!all)
		return -EIO;
	for (const wchar_t *one = all; *one; one += wcslen(one) + 1) {
		struct buf line BUF_SCOPED = { 0 };

		wide_add(&line, one, wcslen(one));
		add_variable(buf_get(&line), ret);
	}
	FreeEnvironmentStringsW(all);
	return 0;
}
