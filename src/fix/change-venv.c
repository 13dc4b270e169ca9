#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "fix/apply.h"

#define SURVEY       ".survey"
#define TEMP         ".survey.new"
#define PACKAGES_MAX 16

const char *fix_venv_path(struct arena *a, const char *old)
{
	return arena_format(a, "%s-rocsteady", old);
}

/* A path of a tree means nothing to a program that runs here. */
static int check_host(const struct record_shelf *s, struct buf *said)
{
	return s->hand->prefix[0]
		       ? fix_refuse(
				 said, -EINVAL,
				 "an environment is made on the machine that uses it, not in a tree")
		       : 0;
}

static int prepare(const struct record_shelf *s, struct record *r, struct record_action *a,
		   struct buf *said)
{
	const char *path = fix_venv_path(&r->arena, a->what.target);
	struct hand_state state;
	int status;

	status = check_host(s, said);
	if (status < 0)
		return status;
	status = hand_look(s->hand, a->what.target, &state, NULL);
	if (status == 0 && state.kind != 'd')
		status = -ENOTDIR;
	if (status < 0)
		return fix_refuse(said, status, "%s", a->what.target);
	if (state.uid != hand_user())
		return fix_refuse(said, -EINVAL,
				  "%s belongs to somebody else, whose Python is not run by us: "
				  "apply it as that user",
				  a->what.target);
	status = hand_look(s->hand, path, &state, NULL);
	if (status < 0)
		return fix_refuse(said, status, "%s", path);
	return state.kind == '-'
		       ? 0
		       : fix_refuse(said, -EEXIST, "%s is there already, and not by us", path);
}

static int run(const char *const argv[], const char *what, struct buf *said)
{
	int status = hand_run(argv, true);

	if (status < 0)
		return fix_refuse(said, status, "%s", argv[0]);
	return status > 0 ? fix_refuse(said, -EINVAL, "%s ended with %d", what, status) : 0;
}

/* Only this index: a user's own settings would mix another torch in. */
static int install(struct arena *a, const char *path, const struct apply_action *what,
		   struct buf *said)
{
	const char *argv[PACKAGES_MAX + 16] = {
		arena_format(a, "%s/bin/python", path),
		"-m",
		"pip",
		"--isolated",
		"--disable-pip-version-check",
		"install",
		"--no-input",
		"--index-url",
		what->place,
	};
	struct span rest = span_of(what->content), word;
	size_t n = 9;

	while (n < 9 + PACKAGES_MAX && span_word(&rest, &word))
		argv[n++] = arena_text(a, word);
	return run(argv, "pip", said);
}

static int keep_survey(const struct record_shelf *s, const struct record *r, const char *path)
{
	struct buf lines BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	const char *file = record_beside(&a, s, r->name, SURVEY);
	int status = hand_survey(s->hand, path, &lines);

	if (status == 0)
		status = hand_remove(s->hand, file); /* of an attempt that was cut off */
	if (status == 0)
		status = hand_create(s->hand, file, arena_format(&a, ".%s" TEMP, r->name),
				     buf_get(&lines), 0600);
	arena_done(&a);
	return status;
}

static int carry_out(const struct record_shelf *s, const struct record *r,
		     const struct record_action *a, struct buf *said)
{
	struct arena arena = { 0 };
	const char *path = fix_venv_path(&arena, a->what.target);
	const char *make[] = { arena_format(&arena, "%s/bin/python", a->what.target), "-m", "venv",
			       path, NULL };
	int status = check_host(s, said);

	if (status == 0)
		status = hand_remove(s->hand, record_beside(&arena, s, r->name, SURVEY));
	if (status == 0)
		status = hand_make_dir(s->hand, path, 0755);
	status = status == -EEXIST ? 0 : status; /* the record says that it is ours */
	if (status < 0 && said->len == 0)
		fix_refuse(said, status, "%s", path);
	else if (status == 0)
		status = run(make, "python -m venv", said);
	if (status == 0)
		status = install(&arena, path, &a->what, said);
	if (status == 0) {
		status = keep_survey(s, r, path);
		if (status < 0)
			fix_refuse(said, status, "%s", s->dir);
	}
	arena_done(&arena);
	return status;
}

/* ---- back ---- */

/* Before the survey all of it is in the making; names that Python does not make are not ours. */
static int check_half(const struct hand *h, const char *path, struct buf *said)
{
	static const char *const made[] = { "bin", "include", "lib",        "lib64",     "share",
					    "etc", "man",     "pyvenv.cfg", ".gitignore" };
	struct buf names BUF_SCOPED = { 0 };
	struct buf all BUF_SCOPED = { 0 };
	struct span rest, line;
	int status = hand_list(h, path, &names);

	if (status == 0)
		status = hand_survey(h, path, &all); /* what cannot be seen whole is not begun */
	if (status < 0)
		return fix_refuse(said, status, "%s", path);
	rest = buf_get(&names);
	while (span_line(&rest, &line)) {
		bool known = false;

		for (size_t i = 0; !known && i < sizeof(made) / sizeof(made[0]); i++)
			known = span_is(line, made[i]);
		if (!known)
			return fix_refuse(said, -EBUSY, "%s/%.*s is not ours: nothing is removed",
					  path, (int)line.len, line.data);
	}
	return 0;
}

/* Whatever is there now must have been there when it was made. */
static int check_whole(const struct hand *h, const char *path, struct span survey, struct buf *said)
{
	struct buf now BUF_SCOPED = { 0 };
	struct map known = { 0 };
	struct span line, rest;
	int status = hand_survey(h, path, &now);

	while (span_line(&survey, &line))
		map_put(&known, line, (void *)1);
	rest = buf_get(&now);
	while (status == 0 && span_line(&rest, &line)) {
		struct span words = line, word = { 0 };

		if (map_find(&known, line))
			continue;
		while (span_word(&words, &word))
			;
		status = fix_refuse(said, -EBUSY,
				    "%s%.*s was put there or changed since: nothing is removed",
				    path, (int)word.len, word.data);
	}
	map_done(&known);
	return status < 0 && said->len == 0 ? fix_refuse(said, status, "%s", path) : status;
}

static int check(const struct record_shelf *s, const struct record *r, const char *path,
		 struct buf *said)
{
	struct buf survey BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct hand_state state;
	int status = hand_look(s->hand, record_beside(&a, s, r->name, SURVEY), &state, &survey);

	arena_done(&a);
	if (status < 0)
		return fix_refuse(said, status, "%s", s->dir);
	return state.kind == 'f' ? check_whole(s->hand, path, buf_get(&survey), said)
				 : check_half(s->hand, path, said);
}

static int take_back(const struct record_shelf *s, const struct record *r,
		     const struct record_action *a, bool really, struct buf *said)
{
	struct arena arena = { 0 };
	const char *path = fix_venv_path(&arena, a->what.target);
	struct hand_state state;
	int status = hand_look(s->hand, path, &state, NULL);

	if (status == 0 && state.kind == 'd')
		status = check(s, r, path, said);
	else if (status == 0 && state.kind != '-')
		status = fix_refuse(said, -EBUSY, "%s is no directory any more", path);
	if (status == 0 && state.kind == 'd' && really)
		status = hand_remove_tree(s->hand, path);
	arena_done(&arena);
	return status < 0 && said->len == 0 ? fix_refuse(said, status, "%s", a->what.target)
					    : status;
}

const struct fix_change fix_change_venv = { prepare, carry_out, take_back };
