#include "posix.h"

#include <ctype.h>
#include <io.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <windows.h>

/* rand_s and this both end in it; declared by hand, for ntsecapi.h wants half of Windows. */
BOOLEAN NTAPI SystemFunction036(PVOID ret, ULONG len);

/* ---- strings ---- */

void *memmem(const void *haystack, size_t haystack_len, const void *needle, size_t needle_len)
{
	const char *at = haystack;

	if (needle_len == 0)
		return (void *)haystack;
	for (; haystack_len >= needle_len; at++, haystack_len--) {
		const char *first =
			memchr(at, *(const char *)needle, haystack_len - needle_len + 1);

		if (!first)
			return NULL;
		haystack_len -= (size_t)(first - at);
		at = first;
		if (memcmp(at, needle, needle_len) == 0)
			return (void *)at;
	}
	return NULL;
}

void *memrchr(const void *bytes, int byte, size_t len)
{
	const unsigned char *all = bytes;

	while (len-- > 0)
		if (all[len] == (unsigned char)byte)
			return (void *)(all + len);
	return NULL;
}

char *strcasestr(const char *haystack, const char *needle)
{
	for (; *haystack; haystack++)
		if (strncasecmp(haystack, needle, strlen(needle)) == 0)
			return (char *)haystack;
	return *needle ? NULL : (char *)haystack;
}

/* Runs of digits as numbers; what glibc does for leading zeros is nobody's version here. */
int strverscmp(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			char *a_end, *b_end;
			unsigned long long m = strtoull(a, &a_end, 10), n = strtoull(b, &b_end, 10);

			if (m != n)
				return m < n ? -1 : 1;
			a = a_end;
			b = b_end;
		} else if (*a != *b) {
			break;
		} else {
			a++;
			b++;
		}
	}
	return (unsigned char)*a - (unsigned char)*b;
}

int fnmatch(const char *pattern, const char *text, int flags)
{
	for (; *pattern; pattern++, text++) {
		if (*pattern == '*') {
			for (; *text; text++)
				if (fnmatch(pattern + 1, text, flags) == 0)
					return 0;
			return fnmatch(pattern + 1, text, flags);
		}
		if (!*text || (*pattern != '?' && *pattern != *text))
			return 1;
	}
	return *text ? 1 : 0;
}

/* ---- the system ---- */

time_t timegm(struct tm *tm)
{
	return _mkgmtime(tm);
}

ssize_t getrandom(void *ret, size_t len, unsigned int flags)
{
	(void)flags;
	return SystemFunction036(ret, (ULONG)len) ? (ssize_t)len : -1;
}

static struct timeval of_ticks(FILETIME ticks)
{
	uint64_t us = ((uint64_t)ticks.dwHighDateTime << 32 | ticks.dwLowDateTime) / 10;

	return (struct timeval){ .tv_sec = (long)(us / 1000000), .tv_usec = (long)(us % 1000000) };
}

int getrusage(int who, struct rusage *ret)
{
	FILETIME made, ended, kernel, user;

	(void)who;
	if (!GetProcessTimes(GetCurrentProcess(), &made, &ended, &kernel, &user))
		return -1;
	*ret = (struct rusage){ of_ticks(user), of_ticks(kernel) };
	return 0;
}

int getrlimit(int what, struct rlimit *ret)
{
	(void)what;
	*ret = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	return 0;
}

/* Windows ends the process when its time is over; the handle stays for as long as it lives. */
int setrlimit(int what, const struct rlimit *limit)
{
	JOBOBJECT_BASIC_LIMIT_INFORMATION most = { .LimitFlags = JOB_OBJECT_LIMIT_PROCESS_TIME };
	HANDLE job = CreateJobObjectW(NULL, NULL);

	(void)what;
	most.PerProcessUserTimeLimit.QuadPart = (LONGLONG)limit->rlim_cur * 10000000;
	return job &&
			       SetInformationJobObject(job, JobObjectBasicLimitInformation, &most,
						       sizeof(most)) &&
			       AssignProcessToJobObject(job, GetCurrentProcess())
		       ? 0
		       : -1;
}

uid_t geteuid(void)
{
	return 1000;
}

int ioctl(int fd, int request, struct winsize *ret)
{
	CONSOLE_SCREEN_BUFFER_INFO info;

	(void)request;
	if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info))
		return -1;
	ret->ws_col = (unsigned short)(info.srWindow.Right - info.srWindow.Left + 1);
	ret->ws_row = (unsigned short)(info.srWindow.Bottom - info.srWindow.Top + 1);
	return 0;
}

/* ---- files ---- */

ssize_t pread(int fd, void *ret, size_t len, off64_t offset)
{
	OVERLAPPED at = { .Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32) };
	DWORD got = 0;

	if (ReadFile((HANDLE)_get_osfhandle(fd), ret, (DWORD)len, &got, &at))
		return (ssize_t)got;
	if (GetLastError() == ERROR_HANDLE_EOF)
		return 0;
	errno = EIO;
	return -1;
}

int fcntl(int fd, int command)
{
	(void)command;
	return _get_osfhandle(fd) == (intptr_t)INVALID_HANDLE_VALUE ? -1 : 0;
}

char *realpath(const char *path, char *none)
{
	(void)none;
	return _fullpath(NULL, path, 0);
}

#undef fopen
FILE *posix_fopen(const char *path, const char *mode)
{
	char plain[3] = { mode[0], 'b', '\0' };

	return fopen(path, plain);
}

/* Bytes as they are, and UTF-8 on the console, before main. */
__attribute__((constructor)) static void prepare(void)
{
	_fmode = _O_BINARY;
	for (int fd = 0; fd < 3; fd++)
		_setmode(fd, _O_BINARY);
	SetConsoleOutputCP(CP_UTF8);
}
