/*
 * Links on the way of a search. The kernel would follow them all in one call,
 * and so enter whatever they lead to: each is read by itself instead, and its
 * target looked up in the table of mounts before it is touched.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "door/standing.h"
#include "survey/search.h"

#define LINKS_MAX 40 /* as the kernel has it */

void search_failed(struct search *s, const char *path, int error)
{
	static const int plain[] = { -EXDEV, -ELOOP, -EINVAL, -EISDIR, -ENAMETOOLONG };
	const char *standing = standing_of(error);

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (error == plain[i])
			return; /* what it is, is known: nothing that we look for */
	if (strcmp(standing, "absent") != 0)
		search_left(s, standing, path);
}

struct follow_path {
	char done[AS_USER_PATH_MAX]; /* without links; "" is the root */
	size_t len;
	char rest[2 * AS_USER_PATH_MAX];
	unsigned int links;
};

static void step_up(struct follow_path *w)
{
	while (w->len > 0 && w->done[--w->len] != '/')
		;
	w->done[w->len] = '\0';
}

/* Cut the first name off the rest and put it after what is done: 1, 0 at the end, or -1. */
static int step_down(struct follow_path *w)
{
	size_t from = strspn(w->rest, "/");
	size_t n = strcspn(w->rest + from, "/");

	if (n == 0)
		return 0;
	if (w->len + n + 2 > sizeof(w->done))
		return -1;
	w->done[w->len++] = '/';
	memcpy(w->done + w->len, w->rest + from, n);
	w->len += n;
	w->done[w->len] = '\0';
	memmove(w->rest, w->rest + from + n, strlen(w->rest + from + n) + 1);
	return 1;
}

/* The link's target goes before the rest of the path. */
static int turn(struct follow_path *w, const char *target)
{
	char rest[sizeof(w->rest)];

	if (w->links++ == LINKS_MAX)
		return -ELOOP;
	snprintf(rest, sizeof(rest), "%s", w->rest);
	if (strlen(target) + strlen(rest) + 2 > sizeof(w->rest))
		return -ENAMETOOLONG;
	snprintf(w->rest, sizeof(w->rest), "%s", target);
	strcat(w->rest, "/");
	strcat(w->rest, rest);
	if (target[0] == '/')
		w->len = 0;
	else
		step_up(w);
	w->done[w->len] = '\0';
	return 0;
}

static bool is_dots(struct follow_path *w)
{
	const char *name = strrchr(w->done, '/') + 1;
	bool above = strcmp(name, "..") == 0;

	if (!above && strcmp(name, ".") != 0)
		return false;
	step_up(w);
	if (above)
		step_up(w);
	return true;
}

/* One name further: it is no link, or a turn was made. */
static bool pass(struct search *s, struct follow_path *w)
{
	const char *key = arena_format(&s->arena, "real %s", w->done);
	char target[AS_USER_PATH_MAX];
	static char yes;
	int r;

	if (map_find(&s->seen, span_of(key)))
		return true;
	if (!search_may_enter(s, w->done))
		return false;
	r = as_user_link(&s->user, w->done, target);
	if (r == 0) {
		r = turn(w, target);
		if (r < 0)
			search_failed(s, w->done, r);
		return r == 0;
	}
	if (r != -EINVAL) {
		search_failed(s, w->done, r);
		return false;
	}
	map_put(&s->seen, span_of(key), &yes);
	return true;
}

const char *search_follow(struct search *s, const char *path)
{
	struct follow_path w = { 0 };
	int r;

	if (path[0] != '/')
		return NULL;
	if (strlen(path) >= AS_USER_PATH_MAX) {
		search_failed(s, path, -ENAMETOOLONG);
		return NULL;
	}
	strcpy(w.rest, path);
	while ((r = step_down(&w)) == 1)
		if (!is_dots(&w) && !pass(s, &w))
			return NULL;
	if (r < 0) {
		search_failed(s, path, -ENAMETOOLONG);
		return NULL;
	}
	return w.len > 0 ? arena_text(&s->arena, span_of(w.done)) : "/";
}
