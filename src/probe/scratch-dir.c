#include "probe/scratch-dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

#define DEPTH_MAX 128 /* each level holds a descriptor */
#define TRIES     3   /* somebody who is still dying may add files */

static int make_top(const char *dir, char **ret)
{
	struct buf path = { 0 };

	buf_addf(&path, "%s/rocsteady-probe-XXXXXX", dir);
	if (!mkdtemp(path.data)) {
		int r = -errno;

		buf_done(&path);
		return r;
	}
	*ret = path.data;
	return 0;
}

int scratch_dir_init(struct scratch_dir *s)
{
	const char *dir = getenv("TMPDIR");
	int r = dir && dir[0] == '/' ? make_top(dir, &s->top) : -ENOENT;

	if (r < 0)
		r = make_top("/tmp", &s->top);
	if (r < 0)
		return r;
	/* Probers of another user pass through; what is theirs is theirs alone. */
	return chmod(s->top, 0711) < 0 ? -errno : 0;
}

static bool give(const char *path, uid_t uid, gid_t gid)
{
	return uid == 0 || geteuid() != 0 || lchown(path, uid, gid) == 0;
}

/* Given away last: in a directory of somebody else root makes and gives nothing. */
const char *scratch_dir_home(struct scratch_dir *s, struct arena *a, uid_t uid, gid_t gid)
{
	static const char *const parts[] = { "cache", "config", "tmp", NULL };
	const char *home = arena_format(a, "%s/%u-%u", s->top, (unsigned int)uid, s->generation);

	if (mkdir(home, 0700) < 0)
		return errno == EEXIST ? home : NULL;
	for (const char *const *part = parts; *part; part++) {
		const char *path = arena_format(a, "%s/%s", home, *part);

		if (mkdir(path, 0700) < 0 || !give(path, uid, gid))
			return NULL;
	}
	return give(home, uid, gid) ? home : NULL;
}

const char *scratch_dir_group(struct scratch_dir *s, struct arena *a, uid_t uid, gid_t gid)
{
	const char *path = arena_format(a, "%s/group-%u", s->top, s->groups++);

	return mkdir(path, 0700) == 0 && give(path, uid, gid) ? path : NULL;
}

static void empty(int parent, const char *name, int depth);

/* Ours to remove, whatever rights it was given; links are never followed. */
static void take_away(int dir, const char *name, int depth)
{
	if (unlinkat(dir, name, 0) == 0 || (errno != EISDIR && errno != EPERM && errno != EACCES))
		return;
	if (depth < DEPTH_MAX)
		empty(dir, name, depth + 1);
	unlinkat(dir, name, AT_REMOVEDIR);
}

static void empty(int parent, const char *name, int depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;
	DIR *d;

	if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	fchmod(fd, 0700);
	d = fdopendir(fd);
	if (!d) {
		close(fd);
		return;
	}
	while ((entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			take_away(fd, entry->d_name, depth);
	closedir(d);
}

void scratch_dir_done(struct scratch_dir *s)
{
	for (int i = 0; s->top && i < TRIES; i++) {
		empty(AT_FDCWD, s->top, 0);
		if (rmdir(s->top) == 0 || errno == ENOENT)
			break;
	}
	free(s->top);
	*s = (struct scratch_dir){ 0 };
}
