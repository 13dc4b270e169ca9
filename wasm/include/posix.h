#pragma once

/*
 * posix - what this program wants of POSIX and glibc and WASI's libc has not
 *
 * Read before every file of rocsteady.wasm (-include), so that those files need
 * no word about WebAssembly.
 */

#ifndef __ASSEMBLER__ /* the knowledge is embedded by the assembler */

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

/* Names of errors that only records of a Linux machine carry. */
#define ETIME     2062
#define ENODATA   2061
#define EHOSTDOWN 2112
#define EREMOTEIO 2121

#define GRND_NONBLOCK 1
#define TIOCGWINSZ    0x5413

ssize_t getrandom(void *ret, size_t len, unsigned int flags);
const char *sigabbrev_np(int signal);
int dup(int fd); /* never: WASI has one descriptor for a file */
uid_t geteuid(void);

struct winsize {
	unsigned short ws_row, ws_col;
};

#endif
