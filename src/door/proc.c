#include "door/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "door/door.h"

#define PATH_LENGTH 96

static int write_path(pid_t pid, const char *name, char ret[static PATH_LENGTH])
{
	int n = pid ? snprintf(ret, PATH_LENGTH, "/proc/%d/%s", (int)pid, name)
		    : snprintf(ret, PATH_LENGTH, "/proc/%s", name);

	return n < PATH_LENGTH ? 0 : -ENAMETOOLONG;
}

int proc_open(pid_t pid, const char *name)
{
	char path[PATH_LENGTH];
	int r = write_path(pid, name, path);

	if (r == 0)
		r = open(path, O_RDONLY | O_CLOEXEC);
	return r == -1 ? -errno : r;
}

size_t proc_text(pid_t pid, const char *name, char *ret, size_t size)
{
	return fd_text(proc_open(pid, name), ret, size);
}

bool proc_link(pid_t pid, const char *name, char *ret, size_t size)
{
	char path[PATH_LENGTH];
	ssize_t n = write_path(pid, name, path) < 0 ? -1 : readlink(path, ret, size - 1);

	ret[n > 0 ? n : 0] = '\0';
	return n > 0;
}

DIR *proc_dir(pid_t pid, const char *name)
{
	int fd = proc_open(pid, name);

	if (fd < 0)
		errno = -fd;
	return fd < 0 ? NULL : door_dir(fd);
}

int proc_user(pid_t pid, uid_t *ret)
{
	char path[PATH_LENGTH];
	struct stat st;

	(void)write_path(pid, "", path);
	if (stat(path, &st) < 0)
		return -errno;
	*ret = st.st_uid;
	return 0;
}

int proc_files_open(int fd, struct proc_files *ret)
{
	*ret = (struct proc_files){ .dir = fd < 0 ? NULL : door_dir(fd) };
	return fd < 0 ? fd : ret->dir ? 0 : -errno;
}

bool proc_files_next(struct proc_files *f)
{
	struct dirent *entry;
	ssize_t n;

	while (f->dir && (entry = readdir(f->dir))) {
		f->looked++;
		n = readlinkat(dirfd(f->dir), entry->d_name, f->target, sizeof(f->target) - 1);
		if (n <= 0) /* ".", "..", or closed meanwhile */
			continue;
		f->target[n] = '\0';
		f->number = atoi(entry->d_name);
		return true;
	}
	return false;
}

void proc_files_close(struct proc_files *f)
{
	if (f->dir)
		closedir(f->dir);
	f->dir = NULL;
}

bool proc_files_is_drm(const struct proc_files *f)
{
	return strncmp(f->target, "/dev/dri/", 9) == 0;
}

bool proc_files_is_kfd(const struct proc_files *f)
{
	return strcmp(f->target, "/dev/kfd") == 0;
}
