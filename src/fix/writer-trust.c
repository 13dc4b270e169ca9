#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fix/writer.h"

#define LINKS_MAX 40

/* In a directory that all may write but that is sticky, as /tmp, a name of ours stays ours. */
static bool is_only_ours(const struct stat *st)
{
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX);

	if (st->st_uid != 0 && st->st_uid != geteuid())
		return false;
	return S_ISLNK(st->st_mode) || sticky || !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* The rest of the way goes on from where a link leads. */
static int follow(struct buf *at, struct buf *left, size_t from)
{
	char target[PATH_MAX];
	struct buf next BUF_SCOPED = { 0 };
	ssize_t n = readlink(at->data, target, sizeof(target));

	if (n <= 0 || n == (ssize_t)sizeof(target))
		return n < 0 ? -errno : -ENAMETOOLONG;
	buf_add(&next, target, (size_t)n);
	buf_addf(&next, "/%s", left->data + from);
	buf_clear(left);
	buf_span(left, buf_get(&next));
	at->len = target[0] == '/' ? 0 : (size_t)(strrchr(at->data, '/') - at->data);
	return 0;
}

static int step(struct buf *at, struct buf *left, size_t from, struct span name, int *links)
{
	struct stat st;

	if (name.len == 0 || span_is(name, "."))
		return 0;
	if (span_is(name, "..")) { /* what is behind us was no link */
		while (at->len > 0 && at->data[--at->len] != '/')
			;
		return 0;
	}
	buf_char(at, '/');
	buf_span(at, name);
	if (lstat(at->data, &st) < 0)
		return -errno;
	if (!is_only_ours(&st))
		return -EPERM;
	if (!S_ISLNK(st.st_mode))
		return 0;
	return --*links < 0 ? -ELOOP : follow(at, left, from) < 0 ? -EPERM : 1;
}

int writer_trust(const char *path, struct buf *ret_where)
{
	struct buf left BUF_SCOPED = { 0 };
	struct buf at BUF_SCOPED = { 0 };
	struct span rest, name;
	int links = LINKS_MAX;
	int r = 0;

	buf_text(&left, path);
	rest = buf_get(&left);
	while (r >= 0 && span_cut(&rest, '/', &name)) {
		r = step(&at, &left, rest.len > 0 ? (size_t)(rest.data - left.data) : left.len,
			 name, &links);
		if (r > 0)
			rest = buf_get(&left);
	}
	if (r < 0)
		buf_span(ret_where, buf_get(&at));
	return r < 0 ? r : 0;
}

int writer_trust_tree(const char *path, struct buf *ret_where)
{
	char *const tops[] = { (char *)path, NULL };
	FTS *all;
	FTSENT *one;
	int r = writer_trust(path, ret_where);

	if (r < 0)
		return r;
	all = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!all)
		return -errno;
	errno = 0;
	while (r == 0 && (one = fts_read(all))) {
		bool seen = one->fts_info != FTS_DNR && one->fts_info != FTS_ERR &&
			    one->fts_info != FTS_NS;

		if (!seen || !is_only_ours(one->fts_statp))
			r = -EPERM;
		if (r < 0)
			buf_text(ret_where, one->fts_path);
		errno = 0;
	}
	if (r == 0)
		r = -errno; /* 0 at the end */
	fts_close(all);
	return r;
}
