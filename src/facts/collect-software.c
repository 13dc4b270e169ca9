/*
 * Where software that computes on GPUs is installed: the search for Python
 * environments and applications, and what of it the libraries' tables need.
 */

#include "facts/collect.h"

#include <string.h>

#include "base/text.h"

/* A word of the answer; blanks in a path are \x20. NULL at the end of the line. */
static const char *next_word(struct collect *c, struct span *rest)
{
	struct buf plain BUF_SCOPED = { 0 };
	struct span word;

	if (!span_word(rest, &word))
		return NULL;
	return arena_text(&c->arena, text_unword(&plain, word) ? buf_get(&plain) : word);
}

static struct collect_environment *add_environment(struct collect *c)
{
	if (c->environment_count == COLLECT_ENVIRONMENTS_MAX)
		return NULL;
	return &c->environments[c->environment_count++];
}

/* "env venv /home/ann/venv 3.12" */
static void take_env(struct collect *c, struct span rest)
{
	const char *kind = next_word(c, &rest);
	const char *prefix = next_word(c, &rest);
	struct collect_environment *e = prefix ? add_environment(c) : NULL;

	if (e)
		*e = (struct collect_environment){ .kind = kind,
						   .prefix = prefix,
						   .python = next_word(c, &rest) };
}

/* "app ollama /usr/local/bin/ollama": it lives in the directory of its program. */
static void take_app(struct collect *c, struct span rest)
{
	const char *app = next_word(c, &rest);
	const char *file = next_word(c, &rest);
	struct collect_environment *e = file && file[0] == '/' ? add_environment(c) : NULL;

	if (e)
		*e = (struct collect_environment){
			.kind = "application", .prefix = file, .app = app, .file = file
		};
}

/* "site /home/ann/venv/lib/python3.12/site-packages", of the env above it */
static void take_site(struct collect *c, struct span rest)
{
	struct collect_environment *e =
		c->environment_count ? &c->environments[c->environment_count - 1] : NULL;
	const char *dir = next_word(c, &rest);
	const char **sites;

	if (!e || !dir || e->site_count >= 8)
		return;
	sites = arena_alloc(&c->arena, (e->site_count + 1) * sizeof(*sites));
	for (size_t i = 0; i < e->site_count; i++)
		sites[i] = e->sites[i];
	sites[e->site_count++] = dir;
	e->sites = sites;
}

/* "left network /mnt/models" */
static void take_left(struct collect *c, struct span rest)
{
	const char *why = next_word(c, &rest);
	const char *what = next_word(c, &rest);

	if (what)
		facts_gap_said(c->facts, "environment", what, "unasked", why, "environments");
}

static void take_line(struct collect *c, struct span line)
{
	struct span key;

	if (!span_word(&line, &key))
		return;
	if (span_is(key, "env"))
		take_env(c, line);
	else if (span_is(key, "app"))
		take_app(c, line);
	else if (span_is(key, "site"))
		take_site(c, line);
	else if (span_is(key, "left"))
		take_left(c, line);
}

void collect_environments(struct collect *c)
{
	struct span text;
	struct span line;

	c->environments_error = root_ask(c->root, "environments", &text);
	if (c->environments_error < 0)
		return;
	while (span_line(&text, &line))
		take_line(c, line);
}

static void gaps(struct collect *c, const char *const *tables)
{
	for (; *tables; tables++)
		facts_gap(c->facts, *tables, "", c->environments_error, "environments");
}

void collect_libraries(struct collect *c)
{
	if (c->environments_error < 0)
		gaps(c, (const char *const[]){ "library", "target_set", "kernel_dir", NULL });
}

void collect_loads(struct collect *c)
{
	if (c->environments_error < 0)
		gaps(c, (const char *const[]){ "load", NULL });
}
