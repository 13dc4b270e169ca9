#include "door/beside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int beside_open(void *of, const char *relative, struct source *ret)
{
	struct beside *b = of;
	char path[AS_USER_PATH_MAX];
	int error;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", b->dir, relative) >= sizeof(path))
		return -ENAMETOOLONG;
	for (size_t i = 0; i < BESIDE_OPEN_MAX; i++) {
		if (b->used[i])
			continue;
		error = as_user_open(b->user, path, &b->files[i]);
		if (error < 0)
			return error;
		b->used[i] = true;
		b->files[i].until_ms = b->until_ms;
		*ret = as_user_source(&b->files[i], b->limit);
		return 0;
	}
	return -EMFILE;
}

void beside_close(void *of, struct source *s)
{
	struct beside *b = of;

	for (size_t i = 0; i < BESIDE_OPEN_MAX; i++)
		if (b->used[i] && s->of == &b->files[i]) {
			as_user_close(&b->files[i]);
			b->used[i] = false;
		}
}

/* ---- names ---- */

struct beside_names {
	struct arena *arena;
	struct buf list; /* of struct beside_name */
	size_t count;
	bool (*sized)(const void *of, const char *name);
	const void *of;
	const struct beside_left *left;
	bool full;
};

static void tell_left(const struct beside_names *n, const char *path, int error)
{
	if (n->left)
		n->left->tell(n->left->of, path, error);
}

static void add_name(struct beside_names *n, int dir, const char *entry, const char *name)
{
	struct beside_name one = { arena_text(n->arena, span_of(name)), 1 };
	struct stat st;

	if (n->sized && n->sized(n->of, name))
		one.size =
			fstatat(dir, entry, &st, AT_NO_AUTOMOUNT) == 0 ? (uint64_t)st.st_size : 0;
	buf_add(&n->list, &one, sizeof(one));
	n->count++;
}

/* A link counts as what it leads to; one that leads nowhere is no file. */
static unsigned char type_behind(int dir, const struct dirent *e)
{
	unsigned char type = door_type(dir, e);
	struct stat st;

	if (type != DT_LNK)
		return type;
	return fstatat(dir, e->d_name, &st, AT_NO_AUTOMOUNT) == 0 ? IFTODT(st.st_mode) : DT_UNKNOWN;
}

static void list_below(struct as_user *u, struct beside_names *n, const char *dir,
		       const char *relative, unsigned int levels);

static void list_below(struct as_user *u, struct beside_names *n, const char *dir,
		       const char *relative, unsigned int levels)
{
	char path[AS_USER_PATH_MAX], name[AS_USER_PATH_MAX];
	unsigned char type;
	struct dirent *e;
	DIR *d;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, relative) >= sizeof(path))
		return;
	fd = as_user_dir(u, path);
	if (fd < 0)
		tell_left(n, path, fd);
	d = door_dir(fd);
	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		n->full |= n->count >= BESIDE_NAMES_MAX;
		if (n->full || (size_t)snprintf(name, sizeof(name), "%s%s%s", relative,
						relative[0] ? "/" : "", e->d_name) >= sizeof(name))
			break;
		type = type_behind(dirfd(d), e);
		if (type == DT_DIR && levels > 0)
			list_below(u, n, dir, name, levels - 1);
		else if (type != DT_DIR && type != DT_UNKNOWN)
			add_name(n, dirfd(d), e->d_name, name);
	}
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	const struct beside_name *one = a, *other = b;

	return strcmp(one->name, other->name);
}

static void take_sorted(struct beside_names *n, struct beside_name **ret_names, size_t *ret_count)
{
	struct beside_name *list = arena_alloc(n->arena, n->list.len + sizeof(*list));

	if (n->list.len > 0)
		memcpy(list, n->list.data, n->list.len);
	qsort(list, n->count, sizeof(*list), by_name);
	buf_done(&n->list);
	*ret_names = list;
	*ret_count = n->count;
}

void beside_names(struct as_user *u, const char *dir, unsigned int levels,
		  bool (*sized)(const void *of, const char *name), const void *of,
		  const struct beside_left *left, struct arena *arena,
		  struct beside_name **ret_names, size_t *ret_count)
{
	struct beside_names n = { .arena = arena, .sized = sized, .of = of, .left = left };

	list_below(u, &n, dir, "", levels);
	if (n.full)
		tell_left(&n, dir, -E2BIG);
	take_sorted(&n, ret_names, ret_count);
}

static bool is_any(const void *of, const char *name)
{
	(void)of;
	(void)name;
	return true;
}

void beside_files(struct as_user *u, const char *dir, bool (*fits)(struct span name),
		  struct arena *arena, struct beside_name **ret_names, size_t *ret_count)
{
	struct beside_names n = { .arena = arena, .sized = is_any };
	int fd = as_user_dir(u, dir);
	DIR *d = door_dir(fd);
	struct dirent *e;

	while (d && n.count < BESIDE_NAMES_MAX && (e = readdir(d)))
		if (fits(span_of(e->d_name)) && door_type(dirfd(d), e) == DT_REG)
			add_name(&n, dirfd(d), e->d_name, e->d_name);
	if (d)
		closedir(d);
	take_sorted(&n, ret_names, ret_count);
}

int beside_list(void *of, const char *relative_dir, struct arena *arena,
		const char *const **ret_names, size_t *ret_count)
{
	struct beside *b = of;
	char path[AS_USER_PATH_MAX];
	struct beside_name *found;
	const char **names;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", b->dir, relative_dir) >= sizeof(path))
		return -ENAMETOOLONG;
	beside_names(b->user, path, 0, NULL, NULL, NULL, arena, &found, ret_count);
	names = arena_alloc(arena, (*ret_count + 1) * sizeof(*names));
	for (size_t i = 0; i < *ret_count; i++)
		names[i] = found[i].name;
	*ret_names = names;
	return 0;
}
