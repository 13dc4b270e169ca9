#include "door/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

/* One way from / to its end. */
struct way {
	struct trust *trust;
	mode_t makes;    /* directories that are missing are made so, or 0 */
	bool links_only; /* only links are judged: the directories may be anybody's */
	bool missing;    /* nothing is there */
	int error;       /* -errno, if that is why it was refused */
	struct stat end; /* what is there, if nothing was refused */
	struct buf *why;
	char path[PATH_MAX]; /* behind the links that were met so far */
};

static bool refuse(struct buf *ret_why, const char *path, const char *why)
{
	buf_addf(ret_why, "%s %s", path, why);
	return false;
}

/* Not for what it is: it cannot be looked at. */
static bool fail(struct way *w, const char *path, int error)
{
	w->error = error;
	buf_addf(w->why, "%s: %s", path, strerror(-error));
	return false;
}

struct trust trust_us(void)
{
	return (struct trust){ .uid = geteuid(), .gid = getegid() };
}

/* ---- one name ---- */

/* Whether somebody else can make names in it. A user's own group is that user. */
static bool is_shared(const struct stat *st)
{
	return S_ISDIR(st->st_mode) &&
	       (st->st_mode & S_IWOTH || (st->st_uid == 0 && st->st_mode & S_IWGRP));
}

static bool judge_owner(struct trust *t, const char *path, const struct stat *st, struct buf *why)
{
	if (st->st_uid == 0 || st->st_uid == t->uid)
		return true;
	if (!t->takes || t->uid != 0) {
		buf_addf(why, "%s belongs to user %u", path, (unsigned int)st->st_uid);
		if (t->takes)
			buf_addf(why, ", and something else to user %u", (unsigned int)t->uid);
		return false;
	}
	t->uid = st->st_uid;
	t->gid = st->st_gid;
	return true;
}

/*
 * In a directory like /tmp only the owner of an entry can replace it. Root's own
 * directories that a group may write are refused with those for everybody; who
 * the group is we would have to ask a directory service. It also covers ACLs,
 * whose mask is shown as the group's rights.
 */
static bool judge(struct trust *t, const char *path, const struct stat *st, struct buf *why)
{
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) != 0;

	if (S_ISLNK(st->st_mode) || sticky)
		return judge_owner(t, path, st, why);
	if (st->st_mode & S_IWOTH)
		return refuse(why, path, "can be written by everybody");
	if (st->st_uid == 0 && (st->st_mode & S_IWGRP))
		return refuse(why, path, "belongs to root and can be written by a group");
	return judge_owner(t, path, st, why);
}

bool trust_entry(struct trust *t, const char *path, const struct stat *st, struct buf *ret_why)
{
	return judge(t, path, st, ret_why) &&
	       (!is_shared(st) ||
		refuse(ret_why, path, "is a directory in which others can make files"));
}

/* ---- one way ---- */

/* The target in place of the link that ends at `end`; what it is relative to stays. */
static bool follow(struct way *w, size_t begin, size_t end)
{
	char target[PATH_MAX], joined[2 * PATH_MAX + 2];
	char saved = w->path[end];
	ssize_t n;

	w->path[end] = '\0';
	n = readlink(w->path, target, sizeof(target) - 1);
	w->path[end] = saved;
	if (n <= 0)
		return refuse(w->why, w->path, "is a link that cannot be read");
	target[n] = '\0';
	n = snprintf(joined, sizeof(joined), "%.*s%s%s", target[0] == '/' ? 0 : (int)begin, w->path,
		     target, w->path + end);
	if (n >= PATH_MAX)
		return refuse(w->why, w->path, "is too long");
	memcpy(w->path, joined, (size_t)n + 1);
	return true;
}

/* A directory that is made here is judged like any other: somebody may have been faster. */
static int look(struct way *w, size_t end, struct stat *ret)
{
	char saved = w->path[end];
	int r;

	w->path[end] = '\0';
	r = lstat(w->path, ret) < 0 ? -errno : 0;
	if (r == -ENOENT && w->makes) {
		r = mkdir(w->path, w->makes) < 0 && errno != EEXIST ? -errno : 0;
		if (r == 0)
			r = lstat(w->path, ret) < 0 ? -errno : 0;
	}
	w->path[end] = saved;
	return r;
}

static bool judge_end(struct way *w, size_t end, const struct stat *st)
{
	char saved = w->path[end];
	bool good;

	w->path[end] = '\0';
	good = (w->links_only && !S_ISLNK(st->st_mode)) || judge(w->trust, w->path, st, w->why);
	w->path[end] = saved;
	return good;
}

/* One component after the other, from / again after each link. */
static bool walk(struct way *w)
{
	size_t end = 0, links = 0;
	struct stat st = { .st_mode = S_IFDIR };

	while (w->path[end] != '\0') {
		size_t begin = end + strspn(w->path + end, "/");
		bool shared = is_shared(&st);
		int r;

		end = begin + strcspn(w->path + begin, "/");
		r = look(w, end, &st);
		w->missing = r == -ENOENT;
		if (r == -ENOENT && (w->links_only || !shared))
			return true;
		if (r == -ENOENT)
			return refuse(w->why, w->path, "could be made by anybody");
		if (r < 0)
			return fail(w, w->path, r);
		if (!judge_end(w, end, &st))
			return false;
		if (!S_ISLNK(st.st_mode))
			continue;
		if (++links > LINKS_MAX)
			return refuse(w->why, w->path, "has too many links");
		if (!follow(w, begin, end))
			return false;
		end = 0;
		st = (struct stat){ .st_mode = S_IFDIR };
	}
	w->end = st;
	return w->links_only || !is_shared(&st) ||
	       refuse(w->why, w->path, "is a directory in which others can make files");
}

static bool take(struct way *w, const char *path)
{
	if (path[0] != '/' || strlen(path) >= sizeof(w->path))
		return refuse(w->why, path, "is not an absolute path");
	memcpy(w->path, path, strlen(path) + 1);
	return true;
}

bool trust_path(struct trust *t, const char *path, struct buf *ret_why)
{
	struct way w = { .trust = t, .why = ret_why };

	return take(&w, path) && walk(&w);
}

bool trust_file(const char *path)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	struct stat st;

	return lstat(path, &st) < 0 || trust_path(&us, path, &why);
}

bool trust_regular(struct trust *t, const char *path, struct buf *ret_why)
{
	struct way w = { .trust = t, .why = ret_why };

	return take(&w, path) && walk(&w) &&
	       (w.missing || S_ISREG(w.end.st_mode) || refuse(ret_why, path, "is no plain file"));
}

/* Nobody else can change what was judged, so its path still leads there. */
int trust_open(const char *path, struct buf *ret_why)
{
	struct trust us = trust_us();
	struct way w = { .trust = &us, .why = ret_why };
	bool good = take(&w, path) && walk(&w);
	int fd;

	if (w.missing)
		return -ENOENT;
	if (!good)
		return w.error ? w.error : -EPERM;
	if (!S_ISREG(w.end.st_mode))
		return -EINVAL;
	fd = open(w.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* ---- variables ---- */

/*
 * The loader cuts at blanks and semicolons too, and replaces $ORIGIN, $LIB and
 * $PLATFORM. A word without a slash in LD_PRELOAD is looked for in the path.
 */
static bool judge_word(struct trust *t, struct span name, struct span word, struct buf *ret_why)
{
	struct buf path BUF_SCOPED = { 0 };
	bool loader = span_starts(name, "LD_");

	buf_span(&path, word);
	if (loader && memchr(word.data, '$', word.len))
		return refuse(ret_why, path.data, "is not a plain path");
	if (word.data[0] == '/')
		return trust_path(t, path.data, ret_why);
	if (!loader || (span_is(name, "LD_PRELOAD") && !memchr(word.data, '/', word.len)))
		return true;
	return refuse(ret_why, path.data, "is not an absolute path");
}

bool trust_variable(struct trust *t, const char *variable, struct buf *ret_why)
{
	size_t name_len = strcspn(variable, "=");
	struct span name = { variable, name_len };
	const char *ends = span_starts(name, "LD_") ? ":; \t\n" : ":";
	const char *at = variable + name_len + (variable[name_len] == '=');

	while (*(at += strspn(at, ends)) != '\0') {
		struct span word = { at, strcspn(at, ends) };

		if (!judge_word(t, name, word, ret_why))
			return false;
		at += word.len;
	}
	return true;
}

/* ---- directories to write into ---- */

static bool take_from_here(struct way *w, const char *path)
{
	struct buf whole BUF_SCOPED = { 0 };
	char here[PATH_MAX];

	if (path[0] == '/')
		return take(w, path);
	if (!getcwd(here, sizeof(here)))
		return fail(w, path, -errno);
	buf_addf(&whole, "%s/%s", here, path);
	return take(w, whole.data);
}

/* Nobody else can change what was judged, so its path still leads there. */
static int open_way(struct way *w, const char *path)
{
	int fd;

	if (!take_from_here(w, path) || !walk(w))
		return w->error ? w->error : -EPERM;
	fd = open(w->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_plain(const char *path, mode_t mode)
{
	struct buf part BUF_SCOPED = { 0 };
	int fd;

	for (const char *at = path; *at; at++) {
		buf_char(&part, *at);
		if (at[1] == '/' || at[1] == '\0')
			(void)mkdir(part.data, mode); /* the last one tells what went wrong */
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_and_open(const char *path, mode_t mode, struct buf *ret_why)
{
	struct trust us = trust_us();
	struct way w = { .trust = &us, .makes = mode, .why = ret_why };

	return us.uid == 0 ? open_way(&w, path) : make_plain(path, mode);
}

int trust_dir(const char *path, struct buf *ret_why)
{
	return make_and_open(path, 0700, ret_why);
}

int trust_public_dir(const char *path, struct buf *ret_why)
{
	return make_and_open(path, 0755, ret_why);
}

static int step_into(int at, struct span name)
{
	char one[NAME_MAX + 1];
	int fd = -1;

	errno = ENAMETOOLONG;
	if (name.len <= NAME_MAX) {
		memcpy(one, name.data, name.len);
		one[name.len] = '\0';
		fd = openat(at, one, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	fd = fd < 0 ? -errno : fd;
	close(at);
	return fd;
}

/* The way has no links any more: one that is put there now is refused by the kernel. */
static int open_through_no_link(const char *path)
{
	struct span rest = span_of(path), name;
	int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	at = at < 0 ? -errno : at;
	while (at >= 0 && span_cut(&rest, '/', &name))
		if (name.len > 0)
			at = step_into(at, name);
	return at;
}

int trust_parent(const char *path, struct buf *ret_why)
{
	const char *slash = strrchr(path, '/');
	struct trust us = trust_us();
	struct way w = { .trust = &us, .links_only = true, .why = ret_why };
	struct buf above BUF_SCOPED = { 0 };
	int fd;

	buf_add(&above, slash ? path : "./", slash ? (size_t)(slash - path + 1) : 2);
	if (us.uid != 0) {
		fd = open(above.data, O_PATH | O_DIRECTORY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	if (!take_from_here(&w, above.data) || !walk(&w))
		return w.error ? w.error : -EPERM;
	return open_through_no_link(w.path);
}

/* ---- programs ---- */

static int try_program(const char *path)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || access(path, X_OK) < 0)
		return -ENOENT;
	return us.uid != 0 || trust_path(&us, path, &why) ? 0 : -EPERM;
}

int trust_look_for_program(const char *name, struct buf *ret)
{
	const char *path = getenv("PATH");
	struct span rest = span_of(path ? path : "/usr/bin:/bin"), dir;
	int r, found = -ENOENT;

	while (span_cut(&rest, ':', &dir)) {
		buf_clear(ret);
		buf_span(ret, dir);
		buf_addf(ret, "/%s", name);
		r = ret->data[0] == '/' && dir.len > 0 ? try_program(ret->data) : -ENOENT;
		if (r == 0)
			return 0;
		found = r == -EPERM ? r : found;
	}
	buf_clear(ret);
	return found;
}
