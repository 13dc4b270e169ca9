#include "facts/collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "survey/rocm-library.h"

/* One line "load rpath librocblas.so.5 /venv/librocblas.so < /venv/libtorch_hip.so". */
struct load {
	const char *how, *wanted, *path, *by;
	const char *elsewhere, *other;
};

static bool read_load(struct collect *c, struct span rest, struct load *ret)
{
	struct load l = { .how = collect_next_word(c, &rest),
			  .wanted = collect_next_word(c, &rest),
			  .path = collect_next_word(c, &rest) };
	struct span arrow;

	if (!l.path || !span_word(&rest, &arrow) || !span_is(arrow, "<"))
		return false;
	l.by = collect_next_word(c, &rest);
	if (strcmp(l.path, "-") == 0)
		l.path = NULL;
	*ret = l;
	return l.by != NULL;
}

static void add_row(struct collect *c, const struct collect_library *of, const struct load *l,
		    const char *source)
{
	struct row r = row_of("load");

	row_string(&r, "environment", of->environment);
	row_string(&r, "framework", of->framework);
	row_string(&r, "wanted", l->wanted);
	row_string(&r, "wanted_by", l->by);
	row_string(&r, "path", l->path);
	row_string(&r, "how", l->how);
	row_string(&r, "elsewhere", l->elsewhere);
	row_string(&r, "other_major", l->other);
	row_string(&r, "source", source);
	facts_add(c->facts, &r);
}

/*
 * An extension is opened in a process that has its framework loaded: the loader
 * takes what is there by its name, and of the rest only ROCm's names are looked
 * at, since Python opens more of the framework than one walk shows.
 */
static bool takes_loaded(const struct collect *c, const struct collect_library *of, struct load *l)
{
	for (const struct collect_loaded *k = c->loaded; k; k = k->next)
		if (k->environment && of->environment &&
		    strcmp(k->environment, of->environment) == 0 &&
		    strcmp(k->wanted, l->wanted) == 0) {
			*l = (struct load){ "loaded", l->wanted, k->path, l->by, NULL, NULL };
			return true;
		}
	return rocm_library(span_of(l->wanted));
}

static bool is_known(const struct collect *c, const char *path)
{
	for (size_t i = 0; i < c->library_count; i++)
		if (strcmp(c->libraries[i].path, path) == 0)
			return true;
	return false;
}

/* The environment that a library lies in, if it is the one that loads it. */
static const char *place_of(const struct collect_library *of, const char *path)
{
	size_t n = of->environment ? strlen(of->environment) : 0;

	return n > 0 && strncmp(path, of->environment, n) == 0 && path[n] == '/' ? of->environment
										 : NULL;
}

/* A library loaded from a place that no search listed is read as well. */
static void finish(struct collect *c, const struct collect_library *of, struct load *l,
		   const char *source)
{
	const char *name = l->path ? strrchr(l->path, '/') : NULL;

	if (l->wanted && (!of->guest || takes_loaded(c, of, l)))
		add_row(c, of, l, source);
	if (l->wanted && l->path && !of->guest) {
		struct collect_loaded *loaded = arena_alloc(&c->arena, sizeof(*loaded));

		*loaded = (struct collect_loaded){ of->environment, l->wanted, l->path, c->loaded };
		c->loaded = loaded;
	}
	if (name && rocm_library(span_of(name + 1)) && !is_known(c, l->path))
		collect_add_library(c, place_of(of, l->path), NULL, l->path, false);
	*l = (struct load){ 0 };
}

static void take_text(struct collect *c, const struct collect_library *of, struct span text,
		      const char *source)
{
	struct load l = { 0 };
	struct span line, key;

	while (span_line(&text, &line)) {
		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "load")) {
			finish(c, of, &l, source);
			if (!read_load(c, line, &l))
				l = (struct load){ 0 };
		} else if (span_is(key, "elsewhere")) {
			(void)collect_next_word(c, &line);
			l.elsewhere = collect_next_word(c, &line);
		} else if (span_is(key, "other")) {
			(void)collect_next_word(c, &line);
			l.other = collect_next_word(c, &line);
		} else if (span_is(key, "left")) {
			facts_gap_said(c->facts, "load", of->path, "stuck",
				       arena_text(&c->arena, span_trim(line)), source);
		} else if (span_is(key, "problem")) {
			facts_gap_said(c->facts, "load", of->path, "unasked",
				       arena_text(&c->arena, span_trim(line)), source);
		}
	}
	finish(c, of, &l, source);
}

static void ask(struct collect *c, const struct collect_library *l)
{
	const char *program = NULL, *asked;
	struct buf question BUF_SCOPED = { 0 };
	struct span text;
	int error;

	/* The Python of its environment opens it, or the application does. */
	for (size_t i = 0; l->environment && i < c->environment_count; i++) {
		const struct collect_environment *e = &c->environments[i];

		if (strcmp(e->prefix, l->environment) == 0) {
			program = e->app ? e->file : e->program;
			break;
		}
	}
	buf_text(&question, "loads ");
	text_word(&question, span_of(l->path));
	if (program && strcmp(program, l->path) != 0) {
		buf_char(&question, ' ');
		text_word(&question, span_of(program));
	}
	asked = arena_text(&c->arena, buf_get(&question));
	error = root_ask(c->root, asked, &text);
	if (error < 0)
		facts_gap(c->facts, "load", l->path, error, asked);
	else
		take_text(c, l, text, asked);
}

void collect_loads(struct collect *c)
{
	size_t count = c->library_count; /* it grows while we go */

	if (c->environments_error < 0)
		facts_gap(c->facts, "load", "", c->environments_error, "environments");
	for (int guests = 0; guests < 2; guests++) /* guests last */
		for (size_t i = 0; i < count; i++) {
			struct collect_library one = c->libraries[i];

			if (one.main && one.framework && one.guest == (guests == 1))
				ask(c, &one);
		}
}
