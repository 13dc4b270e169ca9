#include "survey/ask-environments.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "door/standing.h"
#include "survey/search.h"

extern const char data_services[];

#define UNIT_MAX ((size_t)64 << 10) /* bytes of a unit file */

/* Directories that hold environments, and the levels searched below each. */
static const struct {
	const char *dir; /* `~` is the home of the judged user */
	unsigned int levels;
	const char *kind; /* NULL: what the directory says */
} places[] = {
	{ "~", 2, NULL },
	{ "~/.virtualenvs", 1, NULL },
	{ "~/.venvs", 1, NULL },
	{ "~/.local/share/virtualenvs", 1, NULL },
	{ "~/.cache/pypoetry/virtualenvs", 1, NULL },
	{ "~/.local/share/pipx/venvs", 1, "pipx" },
	{ "~/.local/pipx/venvs", 1, "pipx" },
	{ "~/.local/share/uv/tools", 1, "uv" },
	{ "~/.conda/envs", 1, NULL },
	{ "~/.local/share/mamba/envs", 1, NULL },
	{ "/opt", 2, NULL },
	{ "/srv", 2, NULL },
	{ "/workspace", 2, NULL }, /* of container images */
	{ "/app", 1, NULL },
	{ "/venv", 1, NULL },
};

static const struct {
	const char *dir;
	const char *kind;
	bool each; /* its directories, not it itself */
} pythons[] = {
	{ "/usr", "system", false },
	{ "/usr/local", "system", false },
	{ "~/.local", "user", false },
	{ "~/.pyenv/versions", "pyenv", true },
};

static const char *placed(struct search *s, const char *path)
{
	if (path[0] != '~')
		return path;
	return s->home ? arena_format(&s->arena, "%s%s", s->home, path + 1) : NULL;
}

static void each_python(struct search *s, const char *dir, const char *kind)
{
	struct search_names names;

	dir = search_follow(s, dir);
	if (!dir)
		return;
	names = search_names(s, dir);
	for (size_t i = 0; i < names.count; i++)
		if (names.entries[i].name[0] != '.' && names.entries[i].type == DT_DIR)
			search_python(s,
				      arena_format(&s->arena, "%s/%s", dir, names.entries[i].name),
				      kind);
	search_names_done(&names);
}

static void look_into_places(struct search *s)
{
	for (size_t i = 0; i < sizeof(pythons) / sizeof(pythons[0]); i++) {
		const char *dir = placed(s, pythons[i].dir);

		if (dir && pythons[i].each)
			each_python(s, dir, pythons[i].kind);
		else if (dir)
			search_python(s, dir, pythons[i].kind);
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *dir = placed(s, places[i].dir);

		dir = dir ? search_follow(s, dir) : NULL;
		if (dir && as_user_kind(&s->user, dir) == 'd' &&
		    !search_environment(s, dir, places[i].kind))
			search_below(s, dir, places[i].levels, places[i].kind);
	}
}

/* ---- what is in use, or named ---- */

static void take_active(struct search *s, struct span variables)
{
	static const char *const names[] = { "VIRTUAL_ENV=/", "CONDA_PREFIX=/" };
	char real[AS_USER_PATH_MAX];
	struct span line;

	while (span_line(&variables, &line))
		for (size_t i = 0; i < 2; i++) {
			struct span path = { line.data + strlen(names[i]) - 1,
					     line.len - strlen(names[i]) + 1 };
			const char *dir;

			if (!span_starts(line, names[i]))
				continue;
			dir = arena_text(&s->arena, path);
			if (search_is_lost(s, dir) || as_user_real(&s->user, dir, real) < 0)
				continue;
			s->named = arena_text(&s->arena, span_of(real));
			if (search_environment(s, s->named, NULL) || s->found)
				search_line(s, "active", real);
			s->named = NULL;
		}
}

static void take_named(struct search *s)
{
	struct span rest = span_of(s->user.door->options.environments);
	struct span one;

	while (span_cut(&rest, ':', &one)) {
		const char *dir = arena_text(&s->arena, one);

		if (one.len < 2 || one.data[0] != '/' || search_is_lost(s, dir))
			continue;
		s->named = dir;
		if (!search_environment(s, dir, NULL) && !search_python(s, dir, "system"))
			search_below(s, dir, 2, NULL);
		s->named = NULL;
	}
}

/* ---- what services run from ---- */

/* "/srv/app/venv/bin/python" belongs to /srv/app/venv. */
static void take_program(struct search *s, const char *unit, struct span path)
{
	const char *dir = arena_text(&s->arena, path), *real;
	char *bin = strstr(dir, "/bin/");
	size_t found = s->found;

	if (bin)
		*bin = '\0';
	if (dir[0] == '\0' || strncmp(dir, "/usr", 4) == 0)
		return;
	real = search_follow(s, dir);
	if (!real)
		return;
	if (!search_environment(s, real, NULL)) {
		if (bin)
			return;
		search_below(s, real, 1, NULL); /* a working directory, with the venv in it */
	}
	if (bin || s->found > found)
		search_line(s, arena_format(&s->arena, "service %s", unit), real);
}

static void take_unit_line(struct search *s, const char *unit, struct span line)
{
	static const char *const keys[] = { "ExecStart=", "WorkingDirectory=" };
	struct span word;

	for (size_t i = 0; i < 2; i++) {
		struct span rest = { line.data + strlen(keys[i]), line.len - strlen(keys[i]) };

		if (!span_starts(line, keys[i]))
			continue;
		while (span_word(&rest, &word)) {
			while (word.len > 0 && strchr("-@:+!'\"", word.data[0]))
				word = (struct span){ word.data + 1, word.len - 1 };
			if (word.len > 1 && word.data[0] == '/' &&
			    (i == 1 || span_find(word, SPAN_LITERAL("/bin/")) != SIZE_MAX))
				take_program(s, unit, word);
		}
	}
}

static void take_unit(struct search *s, const char *dir, const char *name)
{
	struct buf text BUF_SCOPED = { 0 };
	const char *path = arena_format(&s->arena, "%s/%s", dir, name);
	struct span rest;
	struct span line;
	int r = as_user_read(&s->user, path, UNIT_MAX, &text);

	if (r < 0) {
		search_failed(s, path, r);
		return;
	}
	if (text.len == UNIT_MAX)
		search_left(s, "many", path);
	for (rest = buf_get(&text); span_line(&rest, &line);)
		take_unit_line(s, name, span_trim(line));
}

/* Packaged units count only if data/services.txt lists them; units written by users all do. */
static void take_units(struct search *s)
{
	static const struct {
		const char *dir;
		bool packaged;
	} dirs[] = { { "/etc/systemd/system", false },
		     { "~/.config/systemd/user", false },
		     { "/usr/lib/systemd/system", true } };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		const char *dir = placed(s, dirs[i].dir);
		struct search_names names;

		dir = dir ? search_follow(s, dir) : NULL;
		if (!dir)
			continue;
		names = search_names(s, dir);
		for (size_t n = 0; n < names.count; n++) {
			const char *name = names.entries[n].name;
			struct span stem = span_of(name);

			if (names.entries[n].type != DT_REG || !span_ends(stem, ".service"))
				continue;
			stem.len -= strlen(".service");
			if (!dirs[i].packaged || names_has_as(data_services, stem, NULL))
				take_unit(s, dir, name);
		}
		search_names_done(&names);
	}
}

/* ---- the question ---- */

int ask_environments(struct door *d, struct span argument, struct buf *ret)
{
	struct search s = { .out = ret, .until_ms = beacon_now_ms() + SEARCH_MS_MAX };
	struct buf variables BUF_SCOPED = { 0 };
	struct subject subject;
	const char *real;
	int r;

	(void)argument;
	if (d->kind == DOOR_LIVE)
		(void)subject_environment(d, SPAN_LITERAL(""),
					  &variables); /* before rights are changed */
	r = as_user_begin(d, &s.user);
	if (r < 0)
		return r;
	r = mounts_read(&s.user, &s.mounts);
	if (r < 0)
		search_failed(&s, "/proc/self/mountinfo", r);
	if (d->kind == DOOR_LIVE && subject_read(d, &subject) == 0 && subject.home &&
	    subject.home[0] == '/' && subject.home[1] != '\0') {
		s.home = arena_text(&s.arena, span_of(subject.home));
		real = search_follow(&s, s.home);
		s.home = real ? real : s.home;
	}
	search_programs(&s);
	take_active(&s, buf_get(&variables));
	take_named(&s);
	take_units(&s);
	look_into_places(&s);
	search_applications(&s);
	buf_addf(ret, "stats %u\n", s.user.looks);
	as_user_end(&s.user);
	mounts_done(&s.mounts);
	map_done(&s.seen);
	arena_done(&s.arena);
	return 0;
}
