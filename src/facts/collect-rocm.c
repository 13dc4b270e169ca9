#include "facts/collect.h"

#include <string.h>

#include "base/text.h"
#include "door/standing.h"

int collect_ask_path(struct collect *c, const char *verb, const char *path, struct span *ret)
{
	struct buf question BUF_SCOPED = { 0 };

	buf_addf(&question, "%s ", verb);
	text_word(&question, span_of(path));
	return root_ask(c->root, arena_text(&c->arena, buf_get(&question)), ret);
}

/* ---- what a directory of libraries says ---- */

/* "libamdhip64.so.6.4.43484" -> "6.4": the line of ROCm, where nothing says more. */
static const char *line_of_hip(struct collect *c, const char *name)
{
	const char *prefix = "libamdhip64.so.";
	const char *end;

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return NULL;
	name += strlen(prefix);
	end = strchr(name, '.');
	if (!end)
		return NULL;
	end += 1 + strspn(end + 1, "0123456789");
	return arena_text(&c->arena, (struct span){ name, (size_t)(end - name) });
}

struct install {
	const char *kind, *prefix, *dir, *version, *source;
	bool any; /* there are libraries */
};

static void take_library(struct collect *c, struct install *i, struct span rest,
			 const char *environment)
{
	const char *name = collect_next_word(c, &rest);
	struct collect_library *l;

	if (!i->dir || !name)
		return;
	i->any = true;
	if (!i->version && line_of_hip(c, name)) {
		i->version = line_of_hip(c, name);
		i->source = arena_format(&c->arena, "%s/%s", i->dir, name);
	}
	l = collect_add_library(c, environment, NULL,
				arena_format(&c->arena, "%s/%s", i->dir, name), false);
	if (l)
		l->install = i->prefix;
}

static void take_line(struct collect *c, struct install *i, struct span line,
		      const char *environment)
{
	struct span key;

	if (!span_word(&line, &key))
		return;
	if (span_is(key, "dir")) {
		i->dir = collect_next_word(c, &line);
	} else if (span_is(key, "version")) {
		i->version = collect_next_word(c, &line);
		i->source = arena_format(&c->arena, "%s/.info/version", i->prefix);
	} else if (span_is(key, "library")) {
		take_library(c, i, line, environment);
	} else if (span_is(key, "kernels")) {
		const char *path = collect_next_word(c, &line);
		struct collect_kernels *k = path ? collect_add_kernels(c, environment, path) : NULL;

		if (k)
			k->install = i->prefix;
	} else if (span_is(key, "problem")) {
		facts_gap_said(c->facts, "library", i->prefix, "unasked",
			       arena_text(&c->arena, span_trim(line)), "libraries");
	}
}

static void add_row(struct collect *c, const struct install *i)
{
	struct row r = row_of("rocm_install");

	row_string(&r, "prefix", i->prefix);
	row_string(&r, "version", i->version);
	row_string(&r, "kind", i->kind);
	row_string(&r, "source", i->source);
	facts_add(c->facts, &r);
}

void collect_install(struct collect *c, const char *kind, const char *prefix, const char *lib,
		     const char *environment)
{
	struct install i = { .kind = kind, .prefix = prefix };
	struct span text, line;
	int error = collect_ask_path(c, "libraries", lib, &text);

	if (error == -ENOENT || error == -ENOTDIR)
		return;
	if (error < 0) {
		facts_gap(c->facts, "library", prefix, error, lib);
		return;
	}
	while (span_line(&text, &line))
		take_line(c, &i, line, environment);
	if (i.version && i.any && strcmp(kind, "opt") != 0)
		add_row(c, &i);
}

/* ---- in /opt ---- */

static bool add_opt(struct collect *c, const char *prefix)
{
	const char *path = arena_format(&c->arena, "%s/.info/version", prefix);
	struct install i = { .kind = "opt", .prefix = prefix, .source = path };
	struct span version;

	if (root_read(c->root, path, &version) < 0)
		return false; /* a directory of that name need not be an install */
	i.version = arena_text(&c->arena, span_trim(version));
	add_row(c, &i);
	collect_install(c, "opt", prefix, arena_format(&c->arena, "%s/lib", prefix), NULL);
	return true;
}

/* Since 7.13 /opt/rocm is a directory with core-7.13 and a link core in it. */
static void add_cores(struct collect *c, const char *top)
{
	const char *link = arena_format(&c->arena, "%s/core", top);
	struct root_names names;
	const char *real;

	if (root_list(c->root, top, &names) < 0) {
		if (root_real(c->root, link, &real) == 0)
			add_opt(c, real);
		return;
	}
	for (size_t i = 0; i < names.count && i < 256; i++)
		if (span_fits(span_of(names.names[i]), SPAN_LITERAL("core-*")))
			add_opt(c, arena_format(&c->arena, "%s/%s", top, names.names[i]));
}

/* Up to 7.2 /opt/rocm-X.Y.Z, and /opt/rocm a link to it: links are named, not followed twice. */
static void find_in_opt(struct collect *c)
{
	struct root_names names;
	int error = root_list(c->root, "/opt", &names);

	if (error < 0) {
		facts_gap(c->facts, "rocm_install", "", error, "/opt");
		return;
	}
	for (size_t i = 0; i < names.count && i < 256; i++) {
		const char *prefix = arena_format(&c->arena, "/opt/%s", names.names[i]);
		const char *real;

		if (!span_fits(span_of(names.names[i]), SPAN_LITERAL("rocm*")))
			continue;
		if (root_real(c->root, prefix, &real) < 0 || !span_is(span_of(real), prefix))
			continue;
		if (!add_opt(c, prefix))
			add_cores(c, prefix);
	}
}

void collect_rocm(struct collect *c)
{
	static const char *const system[] = { "/usr/lib/x86_64-linux-gnu", "/usr/lib64" };

	find_in_opt(c);
	for (size_t i = 0; i < sizeof(system) / sizeof(system[0]); i++)
		collect_install(c, "distribution", "/usr", system[i], NULL);
}
