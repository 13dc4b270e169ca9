/*
 * fail-at - the Nth call of one kind fails, in a program that does not know of it
 *
 * Loaded with LD_PRELOAD. FAIL_STATE names a file of struct state: the kind of call
 * and N go in; how many there were, and whether one failed, come out. The count is
 * one for the program and all that it forks; a program with another name than
 * FAIL_PROGRAM, such as a job that it starts, is left alone.
 *
 * Calls inside of libc itself are seen only if libc goes through its own symbols:
 * memory is, what stdio writes is not. So fwrite() is a call to fail by itself.
 */
#undef _FILE_OFFSET_BITS /* both names of a call are ours to give */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum kind { MEMORY, READ, WRITE, OPEN, FSYNC, RENAME, FORK, PIPE, MMAP, KINDS };

static const int errors[KINDS] = {
	[MEMORY] = ENOMEM, [READ] = EIO,    [WRITE] = ENOSPC, [OPEN] = EMFILE, [FSYNC] = EIO,
	[RENAME] = EIO,    [FORK] = EAGAIN, [PIPE] = EMFILE,  [MMAP] = ENOMEM,
};

struct state {
	uint64_t kind, at; /* 0 of `at`: none fails, and all kinds are counted */
	_Atomic uint64_t failed;
	_Atomic uint64_t counts[KINDS];
};

static struct state *state;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool is_meant(void)
{
	const char *name = getenv("FAIL_PROGRAM"), *base;
	char path[4096];
	long n = syscall(SYS_readlink, "/proc/self/exe", path, sizeof(path) - 1);

	if (!name || n <= 0)
		return false;
	path[n] = '\0';
	base = strrchr(path, '/');
	return strcmp(base ? base + 1 : path, name) == 0;
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAIL_STATE");
	long fd, at;

	if (!path || !is_meant())
		return;
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	at = syscall(SYS_mmap, NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (at != -1)
		state = (struct state *)at;
}

/* For a debugger to stop at. */
__attribute__((noinline)) static void reach(enum kind kind)
{
	atomic_store(&state->failed, 1);
	errno = errors[kind];
}

static bool fails(enum kind kind)
{
	uint64_t n;

	if (!state)
		return false;
	n = atomic_fetch_add(&state->counts[kind], 1) + 1;
	if (state->at == 0 || state->kind != kind || n != state->at)
		return false;
	reach(kind);
	return true;
}

/* ---- memory ---- */

EXPORTED void *malloc(size_t size)
{
	return fails(MEMORY) ? NULL : __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
	return fails(MEMORY) ? NULL : __libc_calloc(count, size);
}

EXPORTED void *realloc(void *old, size_t size)
{
	return fails(MEMORY) ? NULL : __libc_realloc(old, size);
}

EXPORTED void *reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, bytes);
}

EXPORTED int posix_memalign(void **ret, size_t alignment, size_t size)
{
	void *p = fails(MEMORY) ? NULL : __libc_memalign(alignment, size);

	if (!p)
		return ENOMEM;
	*ret = p;
	return 0;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(MEMORY) ? NULL : __libc_memalign(alignment, size);
}

EXPORTED void *mmap(void *at, size_t size, int access, int flags, int fd, off_t offset)
{
	return fails(MMAP) ? MAP_FAILED
			   : (void *)syscall(SYS_mmap, at, size, access, flags, fd, offset);
}

EXPORTED void *mmap64(void *at, size_t size, int access, int flags, int fd, off_t offset)
{
	return mmap(at, size, access, flags, fd, offset);
}

/* ---- reading and writing ---- */

EXPORTED ssize_t read(int fd, void *to, size_t size)
{
	return fails(READ) ? -1 : syscall(SYS_read, fd, to, size);
}

EXPORTED ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	return fails(READ) ? -1 : syscall(SYS_pread64, fd, to, size, at);
}

EXPORTED ssize_t pread64(int fd, void *to, size_t size, off_t at)
{
	return pread(fd, to, size, at);
}

EXPORTED ssize_t readv(int fd, const struct iovec *to, int count)
{
	return fails(READ) ? -1 : syscall(SYS_readv, fd, to, count);
}

EXPORTED ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails(WRITE) ? -1 : syscall(SYS_write, fd, bytes, size);
}

EXPORTED ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return fails(WRITE) ? -1 : syscall(SYS_pwrite64, fd, bytes, size, at);
}

EXPORTED ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at)
{
	return pwrite(fd, bytes, size, at);
}

EXPORTED ssize_t writev(int fd, const struct iovec *from, int count)
{
	return fails(WRITE) ? -1 : syscall(SYS_writev, fd, from, count);
}

/* A message that does not get through is no failure to be told of. */
EXPORTED size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
	static size_t (*next)(const void *, size_t, size_t, FILE *);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fwrite");
	return file == stdout && fails(WRITE) ? 0 : next(bytes, size, count, file);
}

EXPORTED int fsync(int fd)
{
	return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

EXPORTED int fdatasync(int fd)
{
	return fails(FSYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

/* ---- names ---- */

static int open_file(int dir, const char *path, int flags, mode_t mode)
{
	return fails(OPEN) ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}

static mode_t mode_of(int flags, va_list words)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(words, mode_t) : 0;
}

#define OPENS(name, ...)                                          \
	{                                                         \
		va_list words;                                    \
		mode_t mode;                                      \
                                                                  \
		va_start(words, flags);                           \
		mode = mode_of(flags, words);                     \
		va_end(words);                                    \
		return open_file(__VA_ARGS__, path, flags, mode); \
	}

EXPORTED int open(const char *path, int flags, ...) OPENS(open, AT_FDCWD) EXPORTED
	int open64(const char *path, int flags, ...) OPENS(open64, AT_FDCWD) EXPORTED
	int openat(int dir, const char *path, int flags, ...) OPENS(openat, dir) EXPORTED
	int openat64(int dir, const char *path, int flags, ...) OPENS(openat64, dir)

		EXPORTED FILE *fopen(const char *path, const char *mode)
{
	static FILE *(*next)(const char *, const char *);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fopen");
	return fails(OPEN) ? NULL : next(path, mode);
}

EXPORTED DIR *opendir(const char *path)
{
	static DIR *(*next)(const char *);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "opendir");
	return fails(OPEN) ? NULL : next(path);
}

EXPORTED int renameat2(int from_dir, const char *from, int to_dir, const char *to,
		       unsigned int flags)
{
	return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

EXPORTED int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return renameat2(from_dir, from, to_dir, to, 0);
}

EXPORTED int rename(const char *from, const char *to)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

EXPORTED int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	return fails(RENAME) ? -1 : (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

/* ---- processes ---- */

EXPORTED pid_t fork(void)
{
	static pid_t (*next)(void);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fork");
	return fails(FORK) ? -1 : next();
}

EXPORTED int pipe2(int ends[2], int flags)
{
	return fails(PIPE) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

EXPORTED int pipe(int ends[2])
{
	return pipe2(ends, 0);
}
