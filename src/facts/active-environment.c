#include "facts/active-environment.h"

#include <string.h>

static bool variable(struct span text, const char *name, struct span *ret)
{
	size_t n = strlen(name);
	struct span line;

	while (span_line(&text, &line))
		if (line.len > n && line.data[n] == '=' && span_starts(line, name)) {
			*ret = (struct span){ line.data + n + 1, line.len - n - 1 };
			return true;
		}
	return false;
}

/* "/home/ann/venv/bin" */
static bool is_bin_of(struct span dir, const struct collect_environment *e)
{
	size_t n = strlen(e->prefix);

	while (dir.len > 1 && dir.data[dir.len - 1] == '/')
		dir.len--;
	return !e->app && dir.len == n + 4 && memcmp(dir.data, e->prefix, n) == 0 &&
	       span_ends(dir, "/bin");
}

/* The first in PATH, among the active ones if there are any. */
static struct collect_environment *first_in_path(struct collect *c, struct span path,
						 bool among_active)
{
	struct span dir;

	while (span_cut(&path, ':', &dir))
		for (size_t i = 0; i < c->environment_count; i++)
			if (is_bin_of(dir, &c->environments[i]) &&
			    (c->environments[i].active || !among_active))
				return &c->environments[i];
	return NULL;
}

static bool is_kind(const struct collect_environment *e, const char *kind)
{
	return e->kind && strcmp(e->kind, kind) == 0;
}

/* The system's Python uses ~/.local and /usr/local too, unless it is told not to. */
static void spread_system(struct collect *c, struct span variables)
{
	struct span value;
	bool active = false;

	for (size_t i = 0; i < c->environment_count; i++)
		active |= c->environments[i].active && is_kind(&c->environments[i], "system");
	for (size_t i = 0; active && i < c->environment_count; i++) {
		struct collect_environment *e = &c->environments[i];

		e->active |=
			is_kind(e, "system") ||
			(is_kind(e, "user") && !variable(variables, "PYTHONNOUSERSITE", &value));
	}
}

void active_environment_choose(struct collect *c)
{
	struct collect_environment *chosen = NULL;
	struct span variables = { "", 0 }, path;
	size_t active = 0;
	int error = root_ask(c->root, "environment", &variables);

	for (size_t i = 0; i < c->environment_count; i++)
		active += c->environments[i].active;
	c->active_known = error == 0 || active > 0; /* an answer to `environments` names it, too */
	if (error < 0) {
		if (active == 0)
			facts_gap(c->facts, "environment.active", "", error, "environment");
		return;
	}
	if (active != 1 && variable(variables, "PATH", &path))
		chosen = first_in_path(c, path, active > 1);
	for (size_t i = 0; chosen && i < c->environment_count; i++)
		c->environments[i].active = &c->environments[i] == chosen;
	spread_system(c, variables);
}
