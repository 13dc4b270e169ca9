/*
 * Installed software that computes on GPUs: the search for Python environments and
 * applications, and the parts of it that the libraries' tables need.
 */

#include "facts/collect.h"

#include <string.h>

#include "base/text.h"

const char *collect_next_word(struct collect *c, struct span *rest)
{
	struct buf plain BUF_SCOPED = { 0 };
	struct span word;

	if (!span_word(rest, &word))
		return NULL;
	return arena_text(&c->arena, text_unword(&plain, word) ? buf_get(&plain) : word);
}

struct collect_library *collect_add_library(struct collect *c, const char *environment,
					    const char *framework, const char *path, bool main)
{
	struct collect_library *l;

	if (c->library_count == COLLECT_LIBRARIES_MAX)
		return NULL;
	l = &c->libraries[c->library_count++];
	*l = (struct collect_library){ environment, framework, path, main, NULL, false };
	return l;
}

struct collect_kernels *collect_add_kernels(struct collect *c, const char *environment,
					    const char *path)
{
	struct collect_kernels *k;

	if (c->kernels_count == COLLECT_KERNELS_MAX)
		return NULL;
	k = &c->kernels[c->kernels_count++];
	*k = (struct collect_kernels){ environment, path, NULL };
	return k;
}

/* A rule may take a left-out item for absent: each of these tables gets a gap. */
static void tell_left(struct collect *c, const char *what, const char *standing, const char *why)
{
	static const char *const tables[] = { "environment", "framework", "package", "library" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		facts_gap_said(c->facts, tables[i], what, standing, why, "environments");
}

static struct collect_environment *add_environment(struct collect *c, const char *prefix)
{
	if (c->environment_count < COLLECT_ENVIRONMENTS_MAX)
		return &c->environments[c->environment_count++];
	c->environments_cut = true;
	tell_left(c, prefix, "unasked", "too many environments");
	return NULL;
}

/* The one that lines without a name belong to; NULL: there was no room for it. */
static struct collect_environment *last_environment(struct collect *c)
{
	return c->environment_count == 0 || c->environments_cut
		       ? NULL
		       : &c->environments[c->environment_count - 1];
}

/* "env venv /home/ann/venv 3.12" */
static void take_env(struct collect *c, struct span rest)
{
	const char *kind = collect_next_word(c, &rest);
	const char *prefix = collect_next_word(c, &rest);
	struct collect_environment *e = prefix ? add_environment(c, prefix) : NULL;

	if (e)
		*e = (struct collect_environment){ .kind = kind,
						   .prefix = prefix,
						   .python = collect_next_word(c, &rest) };
}

static bool is_whole(const char *path)
{
	return path[0] == '/' || (path[0] && path[1] == ':' && path[2] == '/');
}

/* "app ollama /usr/local/bin/ollama": its program stands for its place. */
static void take_app(struct collect *c, struct span rest)
{
	const char *app = collect_next_word(c, &rest);
	const char *file = collect_next_word(c, &rest);
	struct collect_environment *e = file && is_whole(file) ? add_environment(c, file) : NULL;

	if (!e)
		return;
	*e = (struct collect_environment){
		.kind = "application", .prefix = file, .app = app, .file = file
	};
	collect_add_library(c, file, app, file, false);
}

/* "site /home/ann/venv/lib/python3.12/site-packages", of the env above it */
static void take_site(struct collect *c, struct span rest)
{
	struct collect_environment *e = last_environment(c);
	const char *dir = collect_next_word(c, &rest);
	const char **sites;

	if (!e || !dir)
		return;
	if (e->site_count == COLLECT_SITES_MAX) {
		tell_left(c, dir, "unasked", "too many directories of packages");
		return;
	}
	sites = arena_alloc(&c->arena, (e->site_count + 1) * sizeof(*sites));
	for (size_t i = 0; i < e->site_count; i++)
		sites[i] = e->sites[i];
	sites[e->site_count++] = dir;
	e->sites = sites;
}

/* "program /usr/bin/python3.12", "library /usr/lib/ollama/libggml-hip.so": of the one above */
static void take_program(struct collect *c, struct span rest)
{
	struct collect_environment *e = last_environment(c);

	if (e)
		e->program = collect_next_word(c, &rest);
}

/*
 * Ollama sets LD_LIBRARY_PATH or PATH for its runners itself, and LM Studio adds its own
 * directory of DLLs: the loader's plain rule is not theirs.
 */
static bool is_opened_plainly(const char *app, const char *path)
{
	return strcmp(app, "ollama") != 0 && strcmp(app, "lm-studio") != 0 &&
	       (strstr(path, "/libggml-hip") || strstr(path, "/ggml-hip") ||
		strstr(path, "_hipblas"));
}

static void take_library(struct collect *c, struct span rest)
{
	const struct collect_environment *e = last_environment(c);
	const char *path = collect_next_word(c, &rest);

	if (e && e->app && path)
		collect_add_library(c, e->prefix, e->app, path, is_opened_plainly(e->app, path));
}

static void take_kernels(struct collect *c, struct span rest)
{
	const struct collect_environment *e = last_environment(c);
	const char *path = collect_next_word(c, &rest);

	if (e && path)
		collect_add_kernels(c, e->prefix, path);
}

static struct collect_environment *find_environment(struct collect *c, const char *prefix)
{
	for (size_t i = 0; prefix && i < c->environment_count; i++)
		if (strcmp(c->environments[i].prefix, prefix) == 0)
			return &c->environments[i];
	return NULL;
}

/* "active /home/ann/venv" */
static void take_active(struct collect *c, struct span rest)
{
	struct collect_environment *e = find_environment(c, collect_next_word(c, &rest));

	if (e)
		e->active = true;
}

/* "service comfyui.service /srv/comfy/venv" */
static void take_service(struct collect *c, struct span rest)
{
	const char *unit = collect_next_word(c, &rest);
	struct collect_environment *e = find_environment(c, collect_next_word(c, &rest));

	if (e)
		e->service = unit;
}

/* "left network /mnt/models", "left denied /srv/private" */
static void take_left(struct collect *c, struct span rest)
{
	static const char *const standings[] = { "denied", "broken", "stuck", "busy" };
	const char *why = collect_next_word(c, &rest);
	const char *what = collect_next_word(c, &rest);
	const char *standing = "unasked";

	for (size_t i = 0; what && i < sizeof(standings) / sizeof(standings[0]); i++)
		if (strcmp(why, standings[i]) == 0)
			standing = standings[i];
	if (what)
		tell_left(c, what, standing, why);
}

static const struct {
	const char *key;
	void (*take)(struct collect *c, struct span rest);
} keys[] = {
	{ "env", take_env },         { "app", take_app },         { "site", take_site },
	{ "program", take_program }, { "library", take_library }, { "kernels", take_kernels },
	{ "active", take_active },   { "service", take_service }, { "left", take_left },
};

void collect_environments(struct collect *c)
{
	struct span text, line, key;

	c->environments_error = root_ask(c->root, "environments", &text);
	if (c->environments_error < 0)
		return;
	while (span_line(&text, &line)) {
		if (!span_word(&line, &key))
			continue;
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (span_is(key, keys[i].key))
				keys[i].take(c, line);
	}
}
