#include "facts/collect.h"

#include <string.h>

#include "base/map.h"
#include "door/standing.h"
#include "facts/setters.h"

#define QUESTION    "environment"
#define ENTRIES_MAX 4096

/* ---- the environment of the judged process ---- */

static void add_variable(struct collect *c, struct span name, struct span value)
{
	struct row row = row_of("env");

	row_string(&row, "subject", "identity");
	row_text(&row, "name", name);
	row_text(&row, "value", value);
	row_string(&row, "source", QUESTION);
	facts_add(c->facts, &row);
}

/* A name may stand twice in an environment; getenv() answers the first. */
static void add_variables(struct collect *c, struct span text)
{
	struct map seen = { 0 };
	struct span line;
	struct span name;

	for (int i = 0; i < ENTRIES_MAX && span_line(&text, &line); i++) {
		struct span value = line;

		if (!memchr(line.data, '=', line.len) || !span_cut(&value, '=', &name) ||
		    name.len == 0 || map_find(&seen, name))
			continue;
		map_put(&seen, name, (void *)line.data);
		add_variable(c, name, value);
	}
	map_done(&seen);
}

static void environment(struct collect *c)
{
	struct span text;
	int r = root_ask(c->root, QUESTION, &text);

	if (r < 0)
		facts_gap(c->facts, "env", "identity", r, QUESTION);
	else
		add_variables(c, text);
}

/* ---- where variables are set ---- */

/* A name with a `*` stands for what the directory holds with that ending. */
static const struct place {
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

struct search {
	struct collect *c;
	bool told[2]; /* that nobody asked: once for the system's and once for the user's */
};

/* Most people have few of these files: that one is not there is no news. */
static void note_failure(struct search *s, const struct place *place, const char *path, int error)
{
	if (error == -ENOENT || error == -ENOTDIR)
		return;
	if (error == ROOT_UNASKED) {
		if (!s->told[place->users])
			facts_gap(s->c->facts, "env_setter", place->users ? "user" : "system",
				  error, path);
		s->told[place->users] = true;
		return;
	}
	facts_gap(s->c->facts, "env_setter", path, error, path);
}

static void add_setter(struct collect *c, const struct assign *assign, const char *scope,
		       const char *path, unsigned int line)
{
	struct row row = row_of("env_setter");

	row_text(&row, "name", assign->name);
	if (assign->has_value)
		row_text(&row, "value", assign->value);
	row_int(&row, "exported", assign->exported);
	row_string(&row, "scope", scope);
	row_string(&row, "source", arena_format(&c->arena, "%s:%u", path, line));
	facts_add(c->facts, &row);
}

static void read_file(struct search *s, const struct place *place, const char *path)
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
	while (setters_next(&setters, &assign))
		add_setter(s->c, &assign, place->users ? "user" : "system", path, setters.number);
}

static void read_listed(struct search *s, const struct place *place, const char *ending)
{
	struct root_names files;
	int r = root_list(s->c->root, place->dir, &files);

	if (r < 0) {
		note_failure(s, place, place->dir, r);
		return;
	}
	for (size_t i = 0; i < files.count && i < ENTRIES_MAX; i++)
		if (span_ends(span_of(files.names[i]), ending))
			read_file(s, place,
				  arena_format(&s->c->arena, "%s/%s", place->dir, files.names[i]));
}

static void search_place(struct search *s, const struct place *place)
{
	struct span rest = span_of(place->names);
	struct span word;

	while (span_word(&rest, &word)) {
		char *name = arena_text(&s->c->arena, word);

		if (name[0] == '*')
			read_listed(s, place, name + 1);
		else
			read_file(s, place, arena_format(&s->c->arena, "%s/%s", place->dir, name));
	}
}

void collect_env(struct collect *c)
{
	struct search s = { .c = c };

	environment(c);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		search_place(&s, &places[i]);
}
