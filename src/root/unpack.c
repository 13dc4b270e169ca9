/*
 * A snapshot as a tree of files, for people and for programs that want paths.
 */

#include "root/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "root/root-internal.h"

/* Below dir and through no link, whatever a stranger's snapshot has in its paths. */
static int open_below(int dir, const char *path, int flags, mode_t mode)
{
	struct open_how how = { .flags = (uint64_t)flags | O_CLOEXEC,
				.mode = flags & O_CREAT ? mode : 0,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* The open parent directory of a path, made as needed; *ret_name is its last part. */
static int make_parents(int top, const char *path, const char **ret_name)
{
	char part[256];
	int dir = dup(top);

	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		int next;

		if (slash == path)
			continue;
		if (dir < 0)
			return -EMFILE;
		if ((size_t)(slash - path) >= sizeof(part)) {
			close(dir);
			return -ENAMETOOLONG;
		}
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		(void)mkdirat(dir, part, 0777); /* there already: opened next */
		next = open_below(dir, part, O_PATH | O_DIRECTORY, 0);
		close(dir);
		dir = next;
		if (dir < 0)
			return dir;
	}
	*ret_name = path;
	return dir;
}

static int unpack_file(int top, const struct record *r, struct span content)
{
	char *path = strndup(r->path.data, r->path.len);
	const char *name = NULL;
	int dir = make_parents(top, path, &name);
	int fd = dir < 0 ? dir : open_below(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	int error = fd < 0 ? fd : fd_write(fd, content);

	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	free(path);
	return error;
}

static int unpack_link(int top, const struct record *r)
{
	struct buf target BUF_SCOPED = { 0 };
	char *path = strndup(r->path.data, r->path.len);
	const char *name = NULL;
	int dir = make_parents(top, path, &name);
	int error = dir < 0 ? dir : 0;

	if (dir >= 0 && text_unword(&target, r->detail) && target.len > 0)
		error = symlinkat(target.data, dir, name) < 0 ? -errno : 0;
	if (dir >= 0)
		close(dir);
	free(path);
	return error;
}

/* A path that no file can have stays in the sidecar. */
static bool is_path(struct span path)
{
	return path.data[0] == '/' && !memchr(path.data, '\0', path.len);
}

/* A file as it was read; all else goes into the sidecar. */
static bool is_whole_file(const struct record *r)
{
	return r->kind == RECORD_FILE && !r->error &&
	       !(r->flags & (RECORD_HEAD | RECORD_EXCERPT)) && is_path(r->path);
}

static void unpack_files(struct root *root, int top, struct buf *sidecar)
{
	const struct store *s = &root->store;

	buf_text(sidecar, RECORD_MAGIC "\nnote unpacked\n");
	for (size_t i = 0; i < s->count; i++) {
		struct buf content BUF_SCOPED = { 0 };

		if (!store_is_current(s, s->records[i]))
			continue;
		if (is_whole_file(s->records[i]) && record_content(s->records[i], &content) &&
		    unpack_file(top, s->records[i], buf_get(&content)) == 0)
			continue;
		record_write(sidecar, s->records[i], s->records[i]->path);
	}
	for (size_t i = 0; i < s->count; i++)
		if (s->records[i]->kind == RECORD_LINK && !s->records[i]->error &&
		    is_path(s->records[i]->path))
			(void)unpack_link(top,
					  s->records[i]); /* for people; the sidecar has it too */
}

static bool is_empty_dir(int fd)
{
	DIR *dir = fdopendir(dup(fd));
	int names = 0;

	while (dir && readdir(dir))
		names++;
	if (dir)
		closedir(dir);
	return names <= 2;
}

int snapshot_unpack(struct root *root, const char *dir)
{
	struct buf sidecar BUF_SCOPED = { 0 };
	int top;
	int fd = -1;
	int error;

	if (mkdir(dir, 0700) < 0 && errno != EEXIST) /* as closed as a snapshot in a file */
		return -errno;
	top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -errno;
	error = is_empty_dir(top) ? 0 : -ENOTEMPTY;
	if (error == 0) {
		/* Taken first: a record of that name must not stand in its way. */
		fd = openat(top, ".rocsteady-snapshot", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    0666);
		error = fd < 0 ? -errno : 0;
	}
	if (error == 0) {
		unpack_files(root, top, &sidecar);
		error = fd_write(fd, buf_get(&sidecar));
		if (close(fd) < 0 && error == 0)
			error = -errno;
	}
	close(top);
	return error;
}
