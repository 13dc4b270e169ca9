#include "root/beside.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int beside_open(void *of, const char *relative, struct source *ret)
{
	struct beside *b = of;
	char path[REACH_PATH_MAX];
	int error;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", b->dir, relative) >= sizeof(path))
		return -ENAMETOOLONG;
	for (size_t i = 0; i < BESIDE_OPEN_MAX; i++) {
		if (b->used[i])
			continue;
		error = reach_open(b->reach, path, &b->files[i]);
		if (error < 0)
			return error;
		b->used[i] = true;
		b->files[i].until_ms = b->until_ms;
		*ret = reach_source(&b->files[i], b->limit);
		return 0;
	}
	return -EMFILE;
}

void beside_close(void *of, struct source *s)
{
	struct beside *b = of;

	for (size_t i = 0; i < BESIDE_OPEN_MAX; i++)
		if (b->used[i] && s->of == &b->files[i]) {
			reach_close(&b->files[i]);
			b->used[i] = false;
		}
}

/* ---- names ---- */

struct names {
	struct arena *arena;
	struct buf list; /* of const char * */
	size_t count;
	bool full;
};

static void add_name(struct names *n, const char *name)
{
	const char *copy = arena_text(n->arena, span_of(name));

	buf_add(&n->list, &copy, sizeof(copy));
	n->count++;
}

static void list_below(struct reach *r, struct names *n, const char *dir, const char *relative,
		       unsigned int levels)
{
	char path[REACH_PATH_MAX], name[REACH_PATH_MAX];
	struct dirent *e;
	DIR *d;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, relative) >= sizeof(path))
		return;
	fd = reach_dir(r, path);
	d = fd < 0 ? NULL : fdopendir(fd);
	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		n->full |= n->count >= BESIDE_NAMES_MAX;
		if (n->full || (size_t)snprintf(name, sizeof(name), "%s%s%s", relative,
						relative[0] ? "/" : "", e->d_name) >= sizeof(name))
			break;
		if (e->d_type == DT_DIR && levels > 0)
			list_below(r, n, dir, name, levels - 1);
		else if (e->d_type != DT_DIR)
			add_name(n, name);
	}
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return door_natural_order(*(const char *const *)a, *(const char *const *)b);
}

bool beside_names(struct reach *r, const char *dir, unsigned int levels, struct arena *arena,
		  const char *const **ret_names, size_t *ret_count)
{
	struct names n = { .arena = arena };
	const char **list;

	list_below(r, &n, dir, "", levels);
	list = arena_alloc(arena, n.list.len + sizeof(*list));
	if (n.list.len > 0)
		memcpy(list, n.list.data, n.list.len);
	qsort(list, n.count, sizeof(*list), by_name);
	buf_done(&n.list);
	*ret_names = list;
	*ret_count = n.count;
	return n.full;
}

int beside_list(void *of, const char *relative_dir, struct arena *arena,
		const char *const **ret_names, size_t *ret_count)
{
	struct beside *b = of;
	char path[REACH_PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", b->dir, relative_dir) >= sizeof(path))
		return -ENAMETOOLONG;
	(void)beside_names(b->reach, path, 0, arena, ret_names, ret_count);
	return 0;
}
