/*
 * Files below a directory, by names: neither rocsteady.exe nor rocsteady.wasm has
 * descriptors of directories. The user's own rights bound what can be read; a browser's
 * page and --allow bound it by names alone, and no server runs in these builds.
 */

#include "door/below.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* "C:\\x.dll" has no slash by which it could be cut, and arrives whole. */
static bool is_whole(const char *path)
{
	return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

static int join(const struct below *b, const char *path, char ret[static PATH_BYTES])
{
	bool alone = strcmp(b->name, ".") == 0 || is_whole(path);
	size_t n = strlen(b->name);
	int len;

	if (!path[0])
		len = snprintf(ret, PATH_BYTES, "%s", b->name);
	else if (alone)
		len = snprintf(ret, PATH_BYTES, "%s", path);
	else
		len = snprintf(ret, PATH_BYTES, "%s%s%s", b->name,
			       n > 0 && b->name[n - 1] == '/' ? "" : "/", path);
	return len >= PATH_BYTES ? -ENAMETOOLONG : 0;
}

int below_open(const char *name, struct below *ret)
{
	struct stat st;

	if (stat(name, &st) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	*ret = (struct below){ -1, name };
	return 0;
}

int below_open_parent(const char *name, struct below *ret)
{
	*ret = (struct below){ -1, name };
	return 0;
}

int below_open_real(const char *name, struct below *ret)
{
	return below_open(name, ret);
}

/* The name is kept by nobody else, so it is made once and stays: references are few. */
int below_above(const struct below *b, unsigned int levels, struct below *ret)
{
	char *name = malloc(strlen(b->name) + 3 * (size_t)levels + 1);

	if (!name)
		return -ENOMEM;
	strcpy(name, b->name);
	for (; levels > 0; levels--)
		strcat(name, "/..");
	*ret = (struct below){ 0, name };
	return 0;
}

void below_close(struct below *b)
{
	if (b->fd == 0) /* of below_above() */
		free((char *)b->name);
	b->fd = -1;
}

static int look(const struct below *b, const char *path, enum below_links links,
		char ret_name[static PATH_BYTES], struct stat *ret)
{
	int r = join(b, path, ret_name);

	if (r == 0 && (links == BELOW_NONE ? lstat(ret_name, ret) : stat(ret_name, ret)) < 0)
		r = -errno;
	if (r == 0 && S_ISLNK(ret->st_mode))
		r = -ELOOP;
	return r;
}

int below_file(const struct below *b, const char *path, enum below_links links, struct stat *ret)
{
	char name[PATH_BYTES];
	int r = look(b, path, links, name, ret);

	if (r < 0)
		return r;
	if (!S_ISREG(ret->st_mode))
		return S_ISDIR(ret->st_mode) ? -EISDIR : -EINVAL;
	r = open(name, O_RDONLY | O_CLOEXEC);
	return r < 0 ? -errno : r;
}

static char kind_of(mode_t mode)
{
	return S_ISDIR(mode) ? 'd' : S_ISREG(mode) ? '-' : S_ISLNK(mode) ? 'l' : '?';
}

char below_kind(const struct below *b, const char *path, enum below_links links)
{
	char name[PATH_BYTES];
	struct stat st;

	return look(b, path, links, name, &st) < 0 ? 0 : kind_of(st.st_mode);
}

static void measure(const char *directory, struct below_name *n)
{
	char path[PATH_BYTES];
	struct stat st;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, n->name) < sizeof(path) &&
	    lstat(path, &st) == 0) {
		n->size = (uint64_t)st.st_size;
		n->kind = kind_of(st.st_mode);
	}
}

int below_names(const struct below *b, const char *path, enum below_links links, bool sized,
		struct arena *arena, struct below_name **ret, size_t *ret_count)
{
	char directory[PATH_BYTES];
	struct below_name *names;
	struct dirent **entries;
	size_t count = 0;
	int n = join(b, path, directory);

	(void)links;
	if (n == 0)
		n = scandir(directory, &entries, NULL, alphasort);
	else
		return n;
	if (n < 0)
		return -errno;
	names = arena_alloc(arena, ((size_t)n + 1) * sizeof(*names));
	for (int i = 0; i < n; i++) {
		const struct dirent *e = entries[i];

		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
			names[count] =
				(struct below_name){ .name = arena_text(arena, span_of(e->d_name)),
						     .kind = e->d_type == DT_DIR ? 'd' : '-' };
			if (sized || (e->d_type != DT_DIR && e->d_type != DT_REG))
				measure(directory, &names[count]);
			count++;
		}
		free(entries[i]);
	}
	free(entries);
	*ret = names;
	*ret_count = count;
	return 0;
}
