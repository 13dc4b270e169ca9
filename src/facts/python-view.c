#include "facts/python-view.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

static bool is_kind(const struct collect_environment *e, const char *kind)
{
	return e->kind && strcmp(e->kind, kind) == 0;
}

/* ---- asking ---- */

/* ".../python3.12/site-packages" -> "3.12"; empty for Debian's ".../python3/dist-packages" */
static struct span site_python(const char *path)
{
	const char *at = strstr(path, "/python3");
	struct span version = { "", 0 };

	if (!at)
		return version;
	version = (struct span){ at + 7, strcspn(at + 7, "/") };
	return version.len > 1 ? version : (struct span){ "", 0 };
}

/* Directories of another Python, left behind by an upgrade, are seen by nobody. */
static bool is_of(const char *path, const char *python)
{
	struct span version = site_python(path);

	return version.len == 0 || !python || span_is(version, python);
}

static struct python_view_site *ask_site(struct collect *c, const struct collect_environment *e,
					 const char *path)
{
	struct buf question BUF_SCOPED = { 0 };
	struct python_view_site *s;
	struct span text;
	int r;

	buf_text(&question, "packages ");
	text_word(&question, span_of(path));
	r = root_ask(c->root, question.data, &text);
	if (r < 0) {
		if (r != -ENOENT && r != -ENOTDIR) {
			facts_gap(c->facts, "framework", e->prefix, r, question.data);
			facts_gap(c->facts, "package", e->prefix, r, question.data);
		}
		return NULL;
	}
	s = arena_alloc(&c->arena, sizeof(*s));
	s->path = path;
	s->owner = e;
	python_site_parse(text, &c->arena, &s->site);
	return s;
}

static void ask_sites(struct collect *c, const struct collect_environment *e, struct python_view *v)
{
	struct python_view_site **end = &v->own;

	for (size_t i = 0; i < e->site_count; i++) {
		struct python_view_site *s =
			is_of(e->sites[i], e->python) ? ask_site(c, e, e->sites[i]) : NULL;

		if (s) {
			*end = s;
			end = &s->next_own;
		}
	}
}

/* ---- who sees whom ---- */

void python_view_cut(const struct python_view *v, const char *what)
{
	facts_gap_said(v->c->facts, "framework", v->e->prefix, "unasked", what, NULL);
}

static void add_sites(const struct python_view *v, const struct python_view_site **list,
		      size_t *count, const struct python_view *from)
{
	for (const struct python_view_site *s = from->own; s; s = s->next_own) {
		if (*count == PYTHON_VIEW_SITES_MAX) {
			python_view_cut(v, "too many directories of packages");
			return;
		}
		list[(*count)++] = s;
	}
}

static bool same_python(const struct collect_environment *a, const struct collect_environment *b)
{
	return !a->python || !b->python || strcmp(a->python, b->python) == 0;
}

static bool is_local(const struct collect_environment *e)
{
	return strcmp(e->prefix, "/usr/local") == 0;
}

/* In which order the system's Python looks: ~/.local, /usr/local, /usr. -1: not at all. */
static int rank(const struct collect_environment *e)
{
	if (is_kind(e, "user"))
		return 0;
	return is_kind(e, "system") ? (is_local(e) ? 1 : 2) : -1;
}

static void link_system(struct python_views *views, size_t count, struct python_view *v)
{
	for (int wanted = 0; wanted < 3; wanted++)
		for (size_t i = 0; i < count; i++) {
			const struct python_view *o = &views->views[i];

			if (o == v || rank(o->e) != wanted || !same_python(o->e, v->e))
				continue;
			if (wanted < rank(v->e))
				add_sites(v, v->front, &v->front_count, o);
			else
				add_sites(v, v->behind, &v->behind_count, o);
		}
}

/* "home = /usr/bin": made with the system's Python; of another one with its own prefix. */
static bool is_home(struct span home, const struct collect_environment *e)
{
	size_t n = strlen(e->prefix);

	return home.len == n + 4 && memcmp(home.data, e->prefix, n) == 0 && span_ends(home, "/bin");
}

static bool wants_system(const struct python_view *v, struct span *ret_home)
{
	for (const struct python_view_site *s = v->own; s; s = s->next_own)
		if (s->site.system_site) {
			*ret_home = s->site.home;
			return true;
		}
	return false;
}

static void link_venv(struct python_views *views, size_t count, struct python_view *v)
{
	struct span home;
	bool system;

	if (!wants_system(v, &home))
		return;
	v->inherits = true;
	system = span_is(home, "/usr/bin") || span_is(home, "/usr/local/bin");
	for (int wanted = 0; system && wanted < 3; wanted++)
		for (size_t i = 0; i < count; i++)
			if (rank(views->views[i].e) == wanted &&
			    same_python(views->views[i].e, v->e))
				add_sites(v, v->behind, &v->behind_count, &views->views[i]);
	for (size_t i = 0; !system && i < count; i++)
		if (is_home(home, views->views[i].e))
			add_sites(v, v->behind, &v->behind_count, &views->views[i]);
}

/* ~/.local has a directory for each Python there ever was: the system's counts. */
static void choose_user_python(struct collect *c)
{
	const char *python = NULL;

	for (size_t i = 0; i < c->environment_count; i++)
		if (is_kind(&c->environments[i], "system") && !is_local(&c->environments[i]))
			python = c->environments[i].python;
	for (size_t i = 0; python && i < c->environment_count; i++) {
		struct collect_environment *e = &c->environments[i];

		for (size_t n = 0; is_kind(e, "user") && n < e->site_count; n++)
			if (span_is(site_python(e->sites[n]), python))
				e->python = python;
	}
}

void python_views_read(struct collect *c, struct python_views *ret)
{
	struct span machine;

	memset(ret, 0, sizeof(*ret));
	choose_user_python(c);
	if (root_ask(c->root, "machine", &machine) < 0)
		machine = (struct span){ "", 0 };
	for (size_t i = 0; i < c->environment_count; i++) {
		ret->views[i].c = c;
		ret->views[i].e = &c->environments[i];
		ret->views[i].machine = span_trim(machine);
		ask_sites(c, &c->environments[i], &ret->views[i]);
	}
	for (size_t i = 0; i < c->environment_count; i++) {
		if (rank(&c->environments[i]) >= 0)
			link_system(ret, c->environment_count, &ret->views[i]);
		else
			link_venv(ret, c->environment_count, &ret->views[i]);
	}
}

/* numpy alone makes no environment worth a word. */
bool python_views_has(const struct python_views *views, size_t environment)
{
	const struct python_view *v = &views->views[environment];

	for (const struct python_view_site *s = v->own; s; s = s->next_own)
		for (size_t i = 0; i < s->site.count; i++)
			if (!span_is(s->site.packages[i].row.framework, "-"))
				return true;
	return v->e->active && rank(v->e) < 0;
}

/* ---- looking up ---- */

static bool find_in(const struct python_view_site *s, struct span name, struct python_found *ret)
{
	for (size_t i = 0; i < s->site.count; i++)
		if (span_is(name, s->site.packages[i].name)) {
			*ret = (struct python_found){ s, &s->site.packages[i] };
			return true;
		}
	return false;
}

bool python_view_find(const struct python_view *v, struct span name, struct python_found *ret)
{
	for (size_t i = 0; i < v->front_count; i++)
		if (find_in(v->front[i], name, ret))
			return true;
	for (const struct python_view_site *s = v->own; s; s = s->next_own)
		if (find_in(s, name, ret))
			return true;
	for (size_t i = 0; i < v->behind_count; i++)
		if (find_in(v->behind[i], name, ret))
			return true;
	return false;
}

/* The n-th package of its own sites, and after them of those it inherits. */
bool python_view_nth(const struct python_view *v, size_t n, bool inherited,
		     struct python_found *ret)
{
	for (const struct python_view_site *s = v->own; s; s = s->next_own) {
		if (n < s->site.count) {
			*ret = (struct python_found){ s, &s->site.packages[n] };
			return true;
		}
		n -= s->site.count;
	}
	for (size_t i = 0; inherited && v->inherits && i < v->behind_count; i++) {
		const struct python_view_site *s = v->behind[i];

		if (n < s->site.count) {
			*ret = (struct python_found){ s, &s->site.packages[n] };
			return true;
		}
		n -= s->site.count;
	}
	return false;
}

bool python_view_package(const struct python_view *v, size_t *at, struct python_found *ret)
{
	return python_view_nth(v, (*at)++, false, ret);
}
