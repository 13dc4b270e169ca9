#include "probe/owner.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

static bool refuse(struct buf *ret_why, const char *path, const char *why)
{
	buf_addf(ret_why, "%s %s", path, why);
	return false;
}

/*
 * In a directory like /tmp only the owner of an entry can replace it. Root's own
 * directories that a group may write are refused with those for everybody; who
 * the group is we would have to ask a directory service. It also covers ACLs,
 * whose mask is shown as the group's rights.
 */
static bool judge(struct owner *o, const char *path, const struct stat *st, struct buf *ret_why)
{
	bool link = S_ISLNK(st->st_mode);
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) != 0;

	if (!link && !sticky && (st->st_mode & S_IWOTH))
		return refuse(ret_why, path, "can be written by everybody");
	if (st->st_uid == 0 && !link && !sticky && (st->st_mode & S_IWGRP))
		return refuse(ret_why, path, "belongs to root and can be written by a group");
	if (st->st_uid == 0)
		return true;
	if (o->uid != 0 && o->uid != st->st_uid)
		return refuse(ret_why, path, "belongs to a second stranger");
	o->uid = st->st_uid;
	o->gid = st->st_gid;
	return true;
}

/* The target in place of the link that ends at `end`; what it is relative to stays. */
static bool follow(char path[static PATH_MAX], size_t begin, size_t end, struct buf *ret_why)
{
	char target[PATH_MAX], joined[2 * PATH_MAX + 2];
	char saved = path[end];
	ssize_t n;

	path[end] = '\0';
	n = readlink(path, target, sizeof(target) - 1);
	path[end] = saved;
	if (n <= 0)
		return refuse(ret_why, path, "is a link that cannot be read");
	target[n] = '\0';
	n = snprintf(joined, sizeof(joined), "%.*s%s%s", target[0] == '/' ? 0 : (int)begin, path,
		     target, path + end);
	if (n >= PATH_MAX)
		return refuse(ret_why, path, "is too long");
	memcpy(path, joined, (size_t)n + 1);
	return true;
}

static int look(char path[static PATH_MAX], size_t end, struct stat *ret)
{
	char saved = path[end];
	int r;

	path[end] = '\0';
	r = lstat(path, ret) < 0 ? -errno : 0;
	path[end] = saved;
	return r;
}

/*
 * One component after the other, from / again after each link. What is not there
 * must be nobody's to make.
 */
static bool judge_path(struct owner *o, char path[static PATH_MAX], struct buf *ret_why)
{
	size_t end = 0, links = 0;
	struct stat st = { 0 };

	while (path[end] != '\0') {
		size_t begin = end + strspn(path + end, "/");
		bool open_to_all = st.st_mode & S_IWOTH;
		int r;

		end = begin + strcspn(path + begin, "/");
		r = look(path, end, &st);
		if (r == -ENOENT && !open_to_all)
			return true;
		if (r < 0)
			return refuse(ret_why, path,
				      r == -ENOENT ? "could be made by anybody" : strerror(-r));
		if (!judge(o, path, &st, ret_why))
			return false;
		if (!S_ISLNK(st.st_mode))
			continue;
		if (++links > LINKS_MAX)
			return refuse(ret_why, path, "has too many links");
		if (!follow(path, begin, end, ret_why))
			return false;
		end = 0;
	}
	return true;
}

bool owner_add(struct owner *o, const char *path, struct buf *ret_why)
{
	char copy[PATH_MAX];

	if (path[0] != '/' || strlen(path) >= sizeof(copy))
		return refuse(ret_why, path, "is not an absolute path");
	memcpy(copy, path, strlen(path) + 1);
	return judge_path(o, copy, ret_why);
}

/*
 * The loader cuts at blanks and semicolons too, and replaces $ORIGIN, $LIB and
 * $PLATFORM. A word without a slash in LD_PRELOAD is looked for in the path.
 */
static bool judge_entry(struct owner *o, struct span name, struct span entry, struct buf *ret_why)
{
	struct buf path BUF_SCOPED = { 0 };
	bool loader = span_starts(name, "LD_");

	buf_span(&path, entry);
	if (loader && memchr(entry.data, '$', entry.len))
		return refuse(ret_why, path.data, "is not a plain path");
	if (entry.data[0] == '/')
		return owner_add(o, path.data, ret_why);
	if (!loader || (span_is(name, "LD_PRELOAD") && !memchr(entry.data, '/', entry.len)))
		return true;
	return refuse(ret_why, path.data, "is not an absolute path");
}

bool owner_add_variable(struct owner *o, const char *variable, struct buf *ret_why)
{
	size_t name_len = strcspn(variable, "=");
	struct span name = { variable, name_len };
	const char *ends = span_starts(name, "LD_") ? ":; \t\n" : ":";
	const char *at = variable + name_len + (variable[name_len] == '=');

	while (*(at += strspn(at, ends)) != '\0') {
		struct span entry = { at, strcspn(at, ends) };

		if (!judge_entry(o, name, entry, ret_why))
			return false;
		at += entry.len;
	}
	return true;
}
