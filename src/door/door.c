#include "door/door.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/debug.h"
#include "base/text.h"
#include "door/standing.h"

int door_init(struct door *d, enum door_kind kind, const char *dir,
	      const struct door_options *options)
{
	int top;

	assert(kind < DOOR_SNAPSHOT && dir && options); /* a snapshot has no door */
	top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -errno;
	*d = (struct door){ .kind = kind, .top = top, .options = *options };
	return 0;
}

void door_done(struct door *d)
{
	if (d->top > 0)
		close(d->top);
	map_done(&d->asleep);
	map_done(&d->code);
	arena_done(&d->arena);
	*d = (struct door){ .top = -1 };
}

/* Traces the result of a call on the machine; a call that hangs never returns to here. */
static int touched(const char *verb, const char *path, uint64_t began, int r)
{
	DEBUG(DEBUG_DOOR, began, "host %s %s: %s", verb, path,
	      r < 0 ? standing_error_name(r) : "done");
	return r;
}

static const char *below(const char *path)
{
	while (*path == '/')
		path++;
	return *path ? path : ".";
}

/* Name by name, so that no link on the way is followed: it could lead out. */
static int open_by_names(int top, const char *path, int flags)
{
	char name[NAME_MAX + 1];
	int dir = top, next;

	for (;;) {
		size_t n = strcspn(path, "/");
		const char *rest = path + n;

		while (*rest == '/')
			rest++;
		if (n > NAME_MAX || (n == 2 && memcmp(path, "..", 2) == 0)) {
			next = -1;
			errno = n > NAME_MAX ? ENAMETOOLONG : ELOOP;
		} else {
			memcpy(name, path, n);
			name[n] = '\0';
			next = openat(dir, name,
				      *rest ? O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
					    : flags | O_NOFOLLOW);
		}
		if (dir != top)
			close(dir);
		if (next < 0 || !*rest)
			return next;
		dir = next;
		path = rest;
	}
}

/*
 * Before Linux 5.6 there is no openat2, and the filter of an older container
 * runtime answers EPERM to it. EAGAIN: somebody renamed on the way up.
 */
static int open_resolved(int top, const char *path, int flags, uint64_t resolve)
{
	struct open_how how = { .flags = (uint64_t)flags, .resolve = resolve };
	int fd, tries = 0;

	do
		fd = (int)syscall(SYS_openat2, top, path, &how, sizeof(how));
	while (fd < 0 && errno == EAGAIN && ++tries < 16);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_by_names(top, path, flags);
	return fd;
}

int door_open_below(int top, const char *path, int flags)
{
	return open_resolved(top, below(path), flags, RESOLVE_IN_ROOT);
}

int door_open_inside(int top, const char *path, int flags, bool links)
{
	uint64_t resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;

	return open_resolved(top, below(path), flags,
			     links ? resolve : resolve | RESOLVE_NO_SYMLINKS);
}

int door_reopen(int fd)
{
	char self[48];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	fd = open(self, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_path(struct door *d, const char *path, int flags)
{
	int fd;

	flags |= O_CLOEXEC;
	if (!(flags & O_PATH)) /* with which openat2 refuses them */
		flags |= O_NOCTTY | O_NONBLOCK;
	if (d->kind == DOOR_LIVE)
		fd = open(path, flags);
	else
		fd = door_open_below(d->top, path, flags);
	return fd < 0 ? -errno : fd;
}

/*
 * Debugfs may be mounted anywhere, and its files act when they are read; /sys
 * and /proc are known by their paths (root.c).
 */
static bool acts_when_read(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) < 0 || fs.f_type == DEBUGFS_MAGIC || fs.f_type == TRACEFS_MAGIC;
}

/*
 * A home or a tree may hold a FIFO or a device under any name, and opening one
 * can act: a tape rewinds, a watchdog starts. So it is looked at before it is
 * opened. The kernel's own file systems hold regular files only. 0 or -errno.
 */
static int look_first(struct door *d, const char *path)
{
	struct stat st;
	int fd;
	int r = 0;

	if (d->kind != DOOR_TREE &&
	    (strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/proc/", 6) == 0))
		return 0;
	fd = open_path(d, path, O_PATH | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (S_ISLNK(st.st_mode))
		r = -ELOOP;
	else if (S_ISDIR(st.st_mode))
		r = -EISDIR;
	else if (!S_ISREG(st.st_mode) || acts_when_read(fd))
		r = -EINVAL;
	close(fd);
	return r;
}

int door_open(struct door *d, const char *path, int flags)
{
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	int r = 0;

	assert(path[0] == '/');
	beacon_step(d->beacon, path);
	if (!(flags & (O_DIRECTORY | O_PATH)))
		r = look_first(d, path);
	return touched("open", path, began, r < 0 ? r : open_path(d, path, flags | O_NOFOLLOW));
}

/*
 * sysfs gives a whole attribute in one read, and a binary one page by page:
 * gpu_vram_bad_pages in whole lines of 28 bytes, so up to 4,088 at a time. A
 * seq_file of /proc may stop anywhere.
 */
#define SYSFS_LAST_MAX ((size_t)4000)

static int read_all(int fd, const char *path, size_t max, struct buf *ret)
{
	for (;;) {
		size_t want = max + 1 - ret->len;
		ssize_t got;

		if (want > 65536)
			want = 65536;
		buf_room(ret, want);
		got = read(fd, ret->data + ret->len, want);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		ret->len += (size_t)got;
		ret->data[ret->len] = '\0';
		if (ret->len > max)
			return -EFBIG;
		if (got == 0 || ((size_t)got < SYSFS_LAST_MAX && strncmp(path, "/sys/", 5) == 0))
			return 0;
	}
}

int door_read(struct door *d, const char *path, size_t max, struct buf *ret)
{
	int fd = door_open(d, path, O_RDONLY);
	uint64_t began;
	int r;

	if (fd < 0)
		return fd;
	began = DEBUG_NOW(DEBUG_DOOR);
	beacon_step(d->beacon, path);
	r = touched("read", path, began, read_all(fd, path, max, ret));
	close(fd);
	if (r == -EFBIG && max == DOOR_HEAD_MAX) {
		ret->len = max;
		r = 0;
	}
	return r;
}

int door_link(struct door *d, const char *path, struct buf *ret)
{
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	char target[4096];
	ssize_t n;
	int fd;

	assert(path[0] == '/');
	beacon_step(d->beacon, path);
	if (d->kind == DOOR_LIVE) {
		n = readlink(path, target, sizeof(target));
	} else {
		fd = door_open_below(d->top, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		n = fd < 0 ? -1 : readlinkat(fd, "", target, sizeof(target));
		if (n < 0 && fd >= 0 && errno == ENOENT) /* what readlinkat says of a non-link */
			errno = EINVAL;
		if (fd >= 0)
			close(fd);
	}
	if (n < 0)
		return touched("link", path, began, -errno);
	buf_add(ret, target, (size_t)n);
	return touched("link", path, began, 0);
}

static char kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFCHR:
		return 'c';
	case S_IFBLK:
		return 'b';
	case S_IFDIR:
		return 'd';
	case S_IFLNK:
		return 'l';
	case S_IFSOCK:
		return 's';
	case S_IFIFO:
		return 'p';
	default:
		return '-';
	}
}

int door_stat(struct door *d, const char *path, struct door_node *ret)
{
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	struct stat st;
	int fd;
	int r;

	assert(path[0] == '/');
	beacon_step(d->beacon, path);
	if (d->kind == DOOR_LIVE) {
		r = lstat(path, &st) < 0 ? -errno : 0;
	} else {
		fd = door_open_below(d->top, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		r = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;
		if (fd >= 0)
			close(fd);
	}
	if (touched("stat", path, began, r) < 0)
		return r;
	*ret = (struct door_node){ kind_of(st.st_mode), st.st_mode & 07777, st.st_uid,
				   st.st_gid,           major(st.st_rdev),  minor(st.st_rdev) };
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(const char *s)
{
	size_t n = 0;

	while (is_digit(s[n]))
		n++;
	return n;
}

int door_natural_order(const char *a, const char *b)
{
	while (*a && *b) {
		if (is_digit(*a) && is_digit(*b)) {
			size_t na = digits(a), nb = digits(b);
			int order = na != nb ? (na < nb ? -1 : 1) : memcmp(a, b, na);

			if (order != 0)
				return order;
			a += na;
			b += nb;
			continue;
		}
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return *a ? 1 : *b ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
	return door_natural_order(*(char *const *)a, *(char *const *)b);
}

unsigned char door_type(int dir, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN ||
	    fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		return entry->d_type;
	return IFTODT(st.st_mode);
}

static char *marked_name(DIR *dir, const struct dirent *entry)
{
	struct buf word = { 0 };
	struct span name = span_of(entry->d_name);
	unsigned char type = door_type(dirfd(dir), entry);

	text_word(&word, name);
	if (type == DT_DIR)
		buf_char(&word, '/');
	else if (type == DT_LNK)
		buf_char(&word, '@');
	else if (span_ends(name, "@")) { /* a plain name that looks like a marked one */
		word.len--;
		buf_text(&word, "\\x40");
	}
	return word.data;
}

#define NAMES_MAX ((size_t)65536)

/* One more than NAMES_MAX: there are too many. */
static size_t read_names(DIR *dir, struct buf *ret_names)
{
	struct dirent *entry;
	size_t count = 0;

	while (count <= NAMES_MAX && (entry = readdir(dir))) {
		char *name;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		name = marked_name(dir, entry);
		buf_add(ret_names, &name, sizeof(name));
		count++;
	}
	return count;
}

static int list_fd(int fd, struct buf *ret)
{
	struct buf pointers BUF_SCOPED = { 0 };
	DIR *dir = door_dir(fd);
	char **names;
	size_t count;

	if (!dir)
		return -ENOMEM;
	count = read_names(dir, &pointers);
	closedir(dir);
	names = (char **)(void *)pointers.data;
	if (count > 0)
		qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++) {
		if (count <= NAMES_MAX)
			buf_addf(ret, "%s\n", names[i]);
		free(names[i]);
	}
	return count <= NAMES_MAX ? 0 : -EFBIG;
}

int door_list(struct door *d, const char *path, struct buf *ret)
{
	int fd = door_open(d, path, O_RDONLY | O_DIRECTORY);
	uint64_t began;

	if (fd < 0)
		return fd;
	began = DEBUG_NOW(DEBUG_DOOR);
	beacon_step(d->beacon, path);
	return touched("list", path, began, list_fd(fd, ret));
}

bool door_is_stuck(const struct door *d, struct span path)
{
	for (size_t i = 0; i < d->stuck_count; i++) {
		struct span lost = d->stuck[i];

		if (path.len >= lost.len && memcmp(path.data, lost.data, lost.len) == 0 &&
		    (path.len == lost.len || path.data[lost.len] == '/'))
			return true;
	}
	return false;
}

bool door_asleep(struct door *d, struct span device_dir)
{
	static char yes[] = "yes", no[] = "no";
	struct buf path BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	void *known = map_find(&d->asleep, device_dir);

	if (known)
		return known == yes;
	buf_span(&path, device_dir);
	buf_text(&path, "/power/runtime_status");
	(void)door_read(d, path.data, DOOR_FILE_MAX, &text); /* no such file: awake */
	known = span_starts(buf_get(&text), "suspended") ? yes : no;
	map_put(&d->asleep, arena_span(&d->arena, device_dir), known);
	return known == yes;
}

DIR *door_dir(int fd)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}
