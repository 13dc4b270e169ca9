#pragma once

/*
 * posix - what this program wants of POSIX and glibc and mingw-w64 has not
 *
 * Read before every file of rocsteady.exe (gcc -include), so that those files
 * need no word about Windows. The headers beside it carry the names of the
 * system headers that are missing there and include this one.
 */

#ifndef __ASSEMBLER__ /* the knowledge is embedded by the assembler */

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#define EREMOTEIO 2121
#ifndef EHOSTDOWN
#define EHOSTDOWN 2112
#endif

#define O_CLOEXEC   O_NOINHERIT
#define O_NONBLOCK  0
#define O_NOCTTY    0
#define O_NOFOLLOW  0
#define O_DIRECTORY 0

#define AT_FDCWD      (-100)
#define F_GETFD       1
#define SIGPIPE       13
#define GRND_NONBLOCK 1
#define TIOCGWINSZ    0x5413

typedef unsigned int uid_t;
typedef unsigned int gid_t;

#define be16toh(x) __builtin_bswap16(x)
#define be32toh(x) __builtin_bswap32(x)
#define be64toh(x) __builtin_bswap64(x)
#define le16toh(x) ((uint16_t)(x))
#define le32toh(x) ((uint32_t)(x))
#define le64toh(x) ((uint64_t)(x))
#define htobe16(x) be16toh(x)
#define htobe32(x) be32toh(x)
#define htobe64(x) be64toh(x)
#define htole16(x) le16toh(x)
#define htole32(x) le32toh(x)
#define htole64(x) le64toh(x)

void *memmem(const void *haystack, size_t haystack_len, const void *needle, size_t needle_len);
void *memrchr(const void *bytes, int byte, size_t len);
char *strcasestr(const char *haystack, const char *needle);
int strverscmp(const char *a, const char *b);
time_t timegm(struct tm *tm);
ssize_t getrandom(void *ret, size_t len, unsigned int flags);
int fnmatch(const char *pattern, const char *text, int flags); /* only *, ? and plain characters */
uid_t geteuid(void);

/* ---- files: bytes as they are, no directory as a descriptor ---- */

ssize_t pread(int fd, void *ret, size_t len, off64_t offset);
int fcntl(int fd, int command);               /* F_GETFD */
char *realpath(const char *path, char *none); /* the second is NULL */
FILE *posix_fopen(const char *path, const char *mode);
#define fopen posix_fopen

/* ---- the terminal ---- */

struct winsize {
	unsigned short ws_row, ws_col;
};
int ioctl(int fd, int request, struct winsize *ret); /* TIOCGWINSZ */

#endif
