/*
 * calls.c - the functions of libc that a program reaches the devices by
 *
 * Preloaded into every dynamic program of a root (its /etc/ld.so.preload), since a prober may clear
 * its environment. Not reached: static programs, and system calls that are made without libc.
 */
#undef _FILE_OFFSET_BITS /* both names of a call are ours to give */
#include "abi.h"
#include "device.h"
#include "drm.h"
#include "kfd.h"
#include "memory.h"
#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { DRM_MAJOR = 226, KFD_MAJOR = 235 };

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- open ---- */

static bool is_ours(const char *path, unsigned *ret_minor)
{
	const char *name = strrchr(path, '/');

	*ret_minor = 0;
	if (!strcmp(path, "/dev/kfd"))
		return true;
	return (!strncmp(path, "/dev/dri/", 9) || !name) &&
	       sscanf(name ? name + 1 : path, "renderD%u", ret_minor) == 1;
}

static struct gpu *gpu_of_minor(unsigned minor)
{
	for (unsigned i = 0; i < gpu_count(); i++)
		if (gpu_at(i)->minor == minor)
			return gpu_at(i);
	return NULL;
}

/* Owner and mode of the node are asked first, as the kernel does. -1 with errno on failure. */
static int open_device(int directory, const char *path, int flags, unsigned minor)
{
	int wanted = (flags & O_ACCMODE) == O_RDONLY ? R_OK : R_OK | W_OK;
	struct gpu *gpu;
	const struct device *d;
	struct stat s;

	if (fstatat(directory, path, &s, 0) != 0 ||
	    faccessat(directory, path, wanted, AT_EACCESS) != 0)
		return -1;
	pthread_once(&once, device_begin);
	gpu = minor ? gpu_of_minor(minor) : NULL;
	errno = plan_suffer(
		plan_meet(minor ? "open-render" : "open-kfd", "", gpu ? gpu->node : PLAN_ANY_NODE));
	if (errno)
		return -1;
	d = minor && !gpu ? NULL : device_of_gpu(gpu);
	if (!d) {
		errno = ENXIO;
		return -1;
	}
	return fcntl(d->fd, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

static int open_any(int directory, const char *path, int flags, mode_t mode)
{
	unsigned minor;

	if (!is_ours(path, &minor) || flags & O_PATH)
		return (int)syscall(SYS_openat, directory, path, flags, mode);
	return open_device(directory, path, flags, minor);
}

static mode_t mode_of(int flags, va_list list)
{
	return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN_WITH(directory)         \
	va_list list;                \
	mode_t mode;                 \
                                     \
	va_start(list, flags);       \
	mode = mode_of(flags, list); \
	va_end(list);                \
	return open_any(directory, path, flags, mode)

EXPORTED int open(const char *path, int flags, ...)
{
	OPEN_WITH(AT_FDCWD);
}

EXPORTED int open64(const char *path, int flags, ...)
{
	OPEN_WITH(AT_FDCWD);
}

EXPORTED int openat(int directory, const char *path, int flags, ...)
{
	OPEN_WITH(directory);
}

EXPORTED int openat64(int directory, const char *path, int flags, ...)
{
	OPEN_WITH(directory);
}

/* What _FORTIFY_SOURCE makes of an open without O_CREAT. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);

EXPORTED int __open_2(const char *path, int flags)
{
	return open_any(AT_FDCWD, path, flags, 0);
}

EXPORTED int __open64_2(const char *path, int flags)
{
	return open_any(AT_FDCWD, path, flags, 0);
}

EXPORTED int __openat_2(int directory, const char *path, int flags)
{
	return open_any(directory, path, flags, 0);
}

EXPORTED int __openat64_2(int directory, const char *path, int flags)
{
	return open_any(directory, path, flags, 0);
}

/* ---- what is done with the descriptor ---- */

EXPORTED int ioctl(int fd, unsigned long request, ...)
{
	struct device *d = NULL;
	va_list list;
	void *argument;
	int error;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (_IOC_TYPE(request) == KFD_TYPE || _IOC_TYPE(request) == DRM_TYPE)
		d = device_of_fd(fd);
	if (!d)
		return (int)syscall(SYS_ioctl, fd, request, argument);
	if (_IOC_TYPE(request) != (d->gpu ? DRM_TYPE : KFD_TYPE))
		error = ENOTTY;
	else if (d->gpu)
		error = drm_ioctl(d->gpu, _IOC_NR(request), argument);
	else
		error = kfd_ioctl(_IOC_NR(request), argument, _IOC_SIZE(request));
	if (error)
		errno = error;
	return error ? -1 : 0;
}

/* libdrm asks whether it is a character device, and finds its /sys by the number. */
static void disguise(int fd, struct stat *s)
{
	const struct device *d = device_of_fd(fd);

	if (!d)
		return;
	s->st_mode = S_IFCHR | 0660;
	s->st_rdev = d->gpu ? makedev(DRM_MAJOR, d->gpu->minor) : makedev(KFD_MAJOR, 0);
	s->st_size = 0;
}

EXPORTED int fstat(int fd, struct stat *s)
{
	int result = (int)syscall(SYS_fstat, fd, s);

	if (result == 0)
		disguise(fd, s);
	return result;
}

EXPORTED int fstat64(int fd, struct stat64 *s)
{
	return fstat(fd, (struct stat *)(void *)s);
}

EXPORTED void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (fd >= 0)
		memory_redirect(&fd, &offset);
	return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset); /* NOLINT */
}

EXPORTED void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	return mmap(address, size, protection, flags, fd, offset);
}
