#include "facts/collect.h"

#include <string.h>

#include "base/map.h"
#include "door/standing.h"
#include "facts/setters.h"

#define QUESTION "environment"

/* ---- the environment of the judged process ---- */

/* ---- where variables are set ---- */

/* A name with a `*` stands for what the directory holds with that ending. */
static const struct startup_file {
	const char *dir;
	const char *names; /* blank-separated */
	enum assign_dialect dialect;
	bool users;
} places[] = {
	{ "/etc", "environment", ASSIGN_PLAIN, false },
	{ "/etc", "profile bash.bashrc bashrc zshenv zshrc zprofile", ASSIGN_SH, false },
	{ "/etc/zsh", "zshenv zshrc zprofile", ASSIGN_SH, false },
	{ "/etc", "csh.cshrc csh.login", ASSIGN_CSH, false },
	{ "/etc/fish", "config.fish", ASSIGN_FISH, false },
	{ "/etc/profile.d", "*.sh", ASSIGN_SH, false },
	{ "/etc/environment.d", "*.conf", ASSIGN_PLAIN, false },
	{ "~", ".profile .bash_profile .bash_login .bashrc .bash_aliases .zshenv .zprofile .zshrc",
	  ASSIGN_SH, true },
	{ "~", ".pam_environment", ASSIGN_PLAIN, true },
	{ "~", ".cshrc .tcshrc .login", ASSIGN_CSH, true },
	{ "~/.config/environment.d", "*.conf", ASSIGN_PLAIN, true },
	{ "~/.config/fish", "config.fish", ASSIGN_FISH, true },
	{ "~/.config/fish/conf.d", "*.fish", ASSIGN_FISH, true },
};

struct env_search {
	struct collect *c;
	bool told[2]; /* that nobody asked: once for the system's and once for the user's */
};

/* Most people have few of these files: that one is not there is no news. */
static void note_failure(struct env_search *s, const struct startup_file *place, const char *path,
			 int error)
{
	if (error == -ENOENT || error == -ENOTDIR)
		return;
	if (error == DOOR_UNASKED) {
		if (!s->told[place->users])
			facts_gap(s->c->facts, "env_setter", place->users ? "user" : "system",
				  error, path);
		s->told[place->users] = true;
		return;
	}
	facts_gap(s->c->facts, "env_setter", path, error, path);
}

static void read_file(struct env_search *s, const struct startup_file *place, const char *path)
{
	struct setters setters;
	struct assign assign;
	struct span text;
	int r = root_read(s->c->root, path, &text);

	if (r < 0) {
		note_failure(s, place, path, r);
		return;
	}
	setters = setters_start(place->dialect, text);
	while (setters_next(&setters, &assign)) {
		struct row row = row_of("env_setter");

		row_text(&row, "name", assign.name);
		if (assign.has_value)
			row_text(&row, "value", assign.value);
		row_int(&row, "exported", assign.exported);
		row_string(&row, "scope", place->users ? "user" : "system");
		row_string(&row, "source",
			   arena_format(&s->c->arena, "%s:%u", path, setters.number));
		facts_add(s->c->facts, &row);
	}
}

static void read_listed(struct env_search *s, const struct startup_file *place, const char *ending)
{
	struct root_names files;
	int r = root_list(s->c->root, place->dir, &files);

	if (r < 0) {
		note_failure(s, place, place->dir, r);
		return;
	}
	for (size_t i = 0; i < files.count; i++)
		if (span_ends(span_of(files.names[i]), ending))
			read_file(s, place,
				  arena_format(&s->c->arena, "%s/%s", place->dir, files.names[i]));
}

/* A name may stand twice in an environment; getenv() answers the first. */
void collect_variables(struct collect *c)
{
	struct map seen = { 0 };
	struct span text, line, name;
	int r = root_ask(c->root, QUESTION, &text);

	if (r < 0) {
		facts_gap(c->facts, "env", "identity", r, QUESTION);
		return;
	}
	while (span_line(&text, &line)) {
		struct row row = row_of("env");
		struct span value = line;

		if (!memchr(line.data, '=', line.len) || !span_cut(&value, '=', &name) ||
		    name.len == 0 || map_find(&seen, name))
			continue;
		map_put(&seen, name, (void *)line.data);
		row_string(&row, "subject", "identity");
		row_text(&row, "name", name);
		row_text(&row, "value", value);
		row_string(&row, "source", QUESTION);
		facts_add(c->facts, &row);
	}
	map_done(&seen);
}

void collect_env(struct collect *c)
{
	struct env_search s = { .c = c };

	collect_variables(c);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct span rest = span_of(places[i].names), word;

		while (span_word(&rest, &word)) {
			char *name = arena_text(&c->arena, word);

			if (name[0] == '*')
				read_listed(&s, &places[i], name + 1);
			else
				read_file(&s, &places[i],
					  arena_format(&c->arena, "%s/%s", places[i].dir, name));
		}
	}
}
