#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "door/trust.h"
#include "fix/apply.h"

#define SURVEY ".survey"
#define TEMP   ".survey.new"
#define PROOF  ".rocsteady-fix" /* in the new one: the key of its record */

const char *fix_venv_path(struct arena *a, const char *old)
{
	return arena_format(a, "%s-rocsteady", old);
}

/* A path of a tree means nothing to a program that runs here. */
static int check_host(const struct record_dir *s, struct buf *said)
{
	return s->writer->prefix[0]
		       ? fix_refuse(
				 said, -EINVAL,
				 "an environment can be created only on the machine that uses it")
		       : 0;
}

/* Root runs only what nobody else can change; others run what is theirs. */
static int check_python(const struct record_dir *s, const char *old, struct buf *said)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	struct writer_state state;
	int status = writer_look(s->writer, old, &state, NULL);

	if (status == 0 && state.kind != 'd')
		status = -ENOTDIR;
	if (status < 0)
		return fix_refuse(said, status, "%s", old);
	if (state.uid != writer_user())
		return fix_refuse(
			said, -EINVAL,
			"%s belongs to another user, and rocsteady does not run that Python: "
			"apply it as that user",
			old);
	if (writer_user() != 0)
		return 0;
	if (trust_tree(&us, old, &why)) /* its bin/python is a link, and followed */
		return 0;
	return fix_refuse(
		said, -EINVAL,
		"%s, so root does not run its Python: apply it as its owner, without sudo",
		why.data);
}

/* ---- which directory is ours ---- */

/*
 * It is made under a name with a key that the record holds, gets a file with
 * that key, and only then its own name. So whatever has the first name or the
 * file is ours, wherever we were killed, and nothing else is.
 */
static const char *stage_head(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_format(a, "%.*s/.%s.", (int)(slash - path), path, slash + 1);
}

static const char *stage_of(struct arena *a, const struct fix_record_action *x, const char *path)
{
	const char *head = stage_head(a, path);
	const char *stage = x->dir_count == 1 ? x->dirs[0] : "";

	return span_starts(span_of(stage), head) &&
			       strlen(stage) == strlen(head) + WRITER_KEY - 1 &&
			       !strchr(stage + strlen(head), '/')
		       ? stage
		       : NULL;
}

static const char *proof_of(struct arena *a, const char *stage)
{
	return arena_format(a, "%s\n", strrchr(stage, '.') + 1);
}

static bool is_ours(const struct writer *w, const char *path, const char *stage)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct writer_state state;
	bool ours = stage &&
		    writer_look(w, arena_format(&a, "%s/" PROOF, path), &state, &bytes) == 0 &&
		    state.kind == 'f' && span_is(buf_get(&bytes), proof_of(&a, stage));

	arena_done(&a);
	return ours;
}

static int make_directory(const struct writer *w, const char *path, const char *stage)
{
	struct arena a = { 0 };
	int status = writer_make_dir(w, stage, 0755);

	if (status == 0 || status == -EEXIST)
		status = writer_create(w, arena_format(&a, "%s/" PROOF, stage), PROOF ".new",
				       span_of(proof_of(&a, stage)), 0644);
	if (status == 0 || status == -EEXIST)
		status = writer_move_dir(w, stage, path);
	arena_done(&a);
	return status;
}

/* The remedy of ours that has made it, or NULL. */
static const char *maker_of(const struct record_dir *s, struct arena *a, const char *path)
{
	struct buf names BUF_SCOPED = { 0 };
	const char *maker = NULL;
	struct span rest, name;

	writer_list(s->writer, s->dir, &names);
	rest = buf_get(&names);
	while (!maker && span_line(&rest, &name)) {
		struct fix_record r;

		if (span_starts(name, ".") || fix_record_load(s, arena_text(a, name), &r) < 0)
			continue;
		for (size_t i = 0; i < r.count; i++)
			if (r.actions[i].what.kind == APPLY_VENV &&
			    strcmp(fix_venv_path(a, r.actions[i].what.target), path) == 0)
				maker = arena_text(a, span_of(r.remedy));
		fix_record_done(&r);
	}
	return maker;
}

static int refuse_there(const struct record_dir *s, struct arena *a, const char *path,
			struct buf *said)
{
	const char *maker = maker_of(s, a, path);

	return maker ? fix_refuse(said, -EEXIST,
				  "%s already exists: %s created it; use it, or revert it "
				  "first with: rocsteady fix %s --undo",
				  path, maker, maker)
		     : fix_refuse(said, -EEXIST,
				  "%s already exists, and rocsteady did not create it", path);
}

static int prepare(const struct record_dir *s, struct fix_record *r, struct fix_record_action *a,
		   struct buf *said)
{
	const char *path = fix_venv_path(&r->arena, a->what.target);
	struct writer_state state;
	char key[WRITER_KEY];
	int status = check_host(s, said);

	if (status == 0)
		status = check_python(s, a->what.target, said);
	if (status < 0)
		return status;
	status = writer_look(s->writer, path, &state, NULL);
	if (status == 0 && state.kind != '-')
		return refuse_there(s, &r->arena, path, said);
	if (status == 0)
		status = writer_key(key);
	if (status < 0)
		return fix_refuse(said, status, "%s", path);
	a->dirs[a->dir_count++] = arena_format(&r->arena, "%s%s", stage_head(&r->arena, path), key);
	return 0;
}

static int run(const char *const argv[], const char *what, struct buf *said)
{
	int status = writer_run(argv, true);

	if (status == -EINTR)
		return fix_refuse(said, -EINVAL, "%s was interrupted by a signal", what);
	if (status < 0)
		return fix_refuse(said, status, "%s cannot be started", argv[0]);
	return status > 0 ? fix_refuse(said, -EINVAL, "%s ended with %d", what, status) : 0;
}

static const char **add_word(struct arena *a, const char **argv, size_t *count, const char *word)
{
	argv = arena_grow(a, argv, *count, sizeof(*argv));
	argv[(*count)++] = word;
	return argv;
}

/* Only this index: a user's own settings would mix another torch in. A cache would stay. */
static int install(struct arena *a, const char *path, const struct apply_action *what,
		   struct buf *said)
{
	const char *const words[] = {
		arena_format(a, "%s/bin/python", path),
		"-I",
		"-m",
		"pip",
		"--isolated",
		"--no-cache-dir",
		"--disable-pip-version-check",
		"install",
		"--no-input",
		"--index-url",
		what->place,
	};
	struct span rest = span_of(what->content), word;
	const char **argv = NULL;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		argv = add_word(a, argv, &n, words[i]);
	while (span_word(&rest, &word))
		argv = add_word(a, argv, &n, arena_text(a, word));
	return run(add_word(a, argv, &n, NULL), "pip", said);
}

static int keep_survey(const struct record_dir *s, const struct fix_record *r, const char *path)
{
	struct buf lines BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	const char *file = fix_record_beside(&a, s, r->name, SURVEY);
	int status = writer_list_tree(s->writer, path, &lines);

	if (status == 0)
		status = writer_remove(s->writer, file); /* of an attempt that was cut off */
	if (status == 0)
		status = writer_create(s->writer, file, arena_format(&a, ".%s" TEMP, r->name),
				       buf_get(&lines), 0600);
	arena_done(&a);
	return status;
}

/* A directory of ours, new or of an attempt that was cut off. */
static int settle_in(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, const char *path, struct buf *said)
{
	struct arena arena = { 0 };
	const char *stage = stage_of(&arena, a, path);
	struct writer_state state = { .kind = '-' };
	int status = writer_remove(s->writer, fix_record_beside(&arena, s, r->name, SURVEY));

	if (status == 0)
		status = writer_look(s->writer, path, &state, NULL);
	if (status == 0 && !stage)
		status = fix_refuse(
			said, -EINVAL,
			"an older rocsteady started it and did not record which directory "
			"it created: apply it again");
	else if (status == 0 && state.kind == '-')
		status = make_directory(s->writer, path, stage);
	else if (status == 0 && !is_ours(s->writer, path, stage))
		status = -EEXIST;
	if (status == -EEXIST)
		fix_refuse(said, status, "%s already exists, and rocsteady did not create it",
			   path);
	else if (status < 0 && said->len == 0)
		fix_refuse(said, status, "%s", path);
	arena_done(&arena);
	return status;
}

static int carry_out(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, struct buf *said)
{
	struct arena arena = { 0 };
	const char *path = fix_venv_path(&arena, a->what.target);
	const char *make[] = { arena_format(&arena, "%s/bin/python", a->what.target),
			       "-I",
			       "-m",
			       "venv",
			       path,
			       NULL };
	int status = check_host(s, said);

	if (status == 0)
		status = check_python(s, a->what.target, said);
	if (status == 0)
		status = settle_in(s, r, a, path, said);
	if (status == 0)
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
static int check_half(const struct writer *w, const char *path, struct buf *said)
{
	static const char *const made[] = { "bin", "include", "lib",        "lib64",      "share",
					    "etc", "man",     "pyvenv.cfg", ".gitignore", PROOF };
	struct buf names BUF_SCOPED = { 0 };
	struct buf all BUF_SCOPED = { 0 };
	struct span rest, line;
	int status = writer_list(w, path, &names);

	if (status == 0)
		status = writer_list_tree(w, path,
					  &all); /* what cannot be seen whole is not begun */
	if (status < 0)
		return fix_refuse(said, status, "%s", path);
	rest = buf_get(&names);
	while (span_line(&rest, &line)) {
		bool known = false;

		for (size_t i = 0; !known && i < sizeof(made) / sizeof(made[0]); i++)
			known = span_is(line, made[i]);
		if (!known)
			return fix_refuse(
				said, -EBUSY,
				"%s/%.*s was not created by rocsteady: nothing is removed", path,
				(int)line.len, line.data);
	}
	return 0;
}

/* Whatever is there now must have been there when it was made. */
static int check_whole(const struct writer *w, const char *path, struct span survey,
		       struct buf *said)
{
	struct buf now BUF_SCOPED = { 0 };
	struct map known = { 0 };
	struct span line, rest;
	int status = writer_list_tree(w, path, &now);

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
				    "%s%.*s was added or changed since: nothing is removed", path,
				    (int)word.len, word.data);
	}
	map_done(&known);
	return status < 0 && said->len == 0 ? fix_refuse(said, status, "%s", path) : status;
}

/* An older program left no proof, but where it came to an end, a survey. */
static int check(const struct record_dir *s, const struct fix_record *r, const char *path,
		 const char *stage, struct buf *said)
{
	struct buf survey BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct writer_state state;
	int status =
		writer_look(s->writer, fix_record_beside(&a, s, r->name, SURVEY), &state, &survey);
	bool whole = status == 0 && state.kind == 'f';

	arena_done(&a);
	if (status < 0)
		return fix_refuse(said, status, "%s", s->dir);
	if (!is_ours(s->writer, path, stage) && (stage || !whole))
		return fix_refuse(
			said, -EBUSY,
			"cannot tell whether rocsteady created %s, so nothing is removed: give it "
			"another name if it is yours, then undo again",
			path);
	return whole ? check_whole(s->writer, path, buf_get(&survey), said)
		     : check_half(s->writer, path, said);
}

/* First it gets its first name back: a removal that is cut off is still known to be ours. */
static int take_away(const struct writer *w, const char *path, bool there, const char *stage)
{
	int status = stage ? writer_remove_tree(w, stage) : 0;

	if (status == 0 && there && stage)
		status = writer_move_dir(w, path, stage);
	if (status == 0 && (there || stage))
		status = writer_remove_tree(w, stage ? stage : path);
	return status;
}

static int take_back(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, bool really, struct buf *said)
{
	struct arena arena = { 0 };
	const char *path = fix_venv_path(&arena, a->what.target);
	const char *stage = stage_of(&arena, a, path);
	struct writer_state state;
	int status = writer_look(s->writer, path, &state, NULL);

	if (status == 0 && state.kind == 'd')
		status = check(s, r, path, stage, said);
	else if (status == 0 && state.kind != '-')
		status = fix_refuse(said, -EBUSY, "%s is no longer a directory", path);
	if (status == 0 && really)
		status = take_away(s->writer, path, state.kind == 'd', stage);
	arena_done(&arena);
	return status < 0 && said->len == 0 ? fix_refuse(said, status, "%s", a->what.target)
					    : status;
}

const struct fix_change fix_change_venv = { prepare, carry_out, take_back };
