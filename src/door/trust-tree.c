#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "door/trust.h"

/* Directories by their real paths; those that links lead to come behind the first. */
struct trees {
	struct trust *trust;
	struct buf *why;
	char **tops;
	size_t count, names;
};

static bool refuse(struct trees *all, const char *path, const char *why)
{
	buf_addf(all->why, "%s %s", path, why);
	return false;
}

static bool fail(struct trees *all, const char *path, int error)
{
	buf_addf(all->why, "%s: %s", path, strerror(error));
	return false;
}

static bool is_below(const char *path, const char *top)
{
	size_t len = strlen(top);

	return strncmp(path, top, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/' || strcmp(top, "/") == 0);
}

/* Taken over unless it is part of one that is there. False: there are too many. */
static bool add_top(struct trees *all, char *real)
{
	for (size_t i = 0; i < all->count; i++)
		if (is_below(real, all->tops[i])) {
			free(real);
			return true;
		}
	if (all->count == TRUST_TOPS_MAX) {
		free(real);
		return false;
	}
	all->tops = reallocarray(all->tops, all->count + 1, sizeof(*all->tops));
	if (!all->tops)
		memory_out();
	all->tops[all->count++] = real;
	return true;
}

static bool judge_link(struct trees *all, const char *path)
{
	struct stat st;
	char *real;

	if (!trust_path(all->trust, path, all->why))
		return false;
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return true; /* one that leads nowhere is judged as what could be made there */
	real = realpath(path, NULL);
	if (!real)
		return fail(all, path, errno);
	return add_top(all, real) ||
	       refuse(all, path, "is one of too many links into other directories");
}

static bool judge_entry(struct trees *all, const FTSENT *e)
{
	if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
		return fail(all, e->fts_path, e->fts_errno);
	if (e->fts_info == FTS_DP)
		return true; /* it was judged before what is in it */
	if (++all->names > TRUST_TREE_MAX)
		return refuse(all, e->fts_path, "is one of too many files to judge");
	if (S_ISLNK(e->fts_statp->st_mode))
		return judge_link(all, e->fts_path);
	return trust_entry(all->trust, e->fts_path, e->fts_statp, all->why);
}

static bool judge_top(struct trees *all, char *top)
{
	char *const tops[] = { top, NULL };
	FTS *files = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	bool good = files;
	FTSENT *one;

	if (!files)
		return fail(all, top, errno);
	errno = 0;
	while (good && (one = fts_read(files))) {
		good = judge_entry(all, one);
		errno = 0;
	}
	if (good && errno != 0)
		good = fail(all, top, errno);
	fts_close(files);
	return good;
}

bool trust_tree(struct trust *t, const char *path, struct buf *ret_why)
{
	struct trees all = { .trust = t, .why = ret_why };
	bool good = trust_path(t, path, ret_why);
	char *real = good ? realpath(path, NULL) : NULL;

	if (good && !real)
		good = fail(&all, path, errno);
	if (real)
		(void)add_top(&all, real);
	for (size_t i = 0; good && i < all.count; i++)
		good = judge_top(&all, all.tops[i]);
	for (size_t i = 0; i < all.count; i++)
		free(all.tops[i]);
	free(all.tops);
	return good;
}
