#include "facts/collect.h"

#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "door/standing.h"
#include "facts/python-site.h"
#include "facts/python-view.h"
#include "parse/package-name.h"
#include "parse/requirement.h"

/* ---- active environment ---- */

/*
 * Which environment the judged process uses.
 *
 * VIRTUAL_ENV and CONDA_PREFIX say which were activated; of two, and without
 * either, it is the one whose bin directory comes first in PATH, for that is
 * where `python` is found. Where there is no process, as in an unpacked tree,
 * none is said to be in use, and a gap says that it is not known.
 */

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

/* Sets `active` of c->environments, on which the search left what it knew. */
static void active_environment_choose(struct collect *c)
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

/* ---- collect frameworks ---- */

/* ---- applications ---- */

extern const char data_libraries[];

static const char *library_build(const char *path)
{
	static const char *const builds[][2] = { { "build=rocm", "rocm" },
						 { "build=cuda", "cuda" } };
	const char *slash = strrchr(path, '/');
	struct span name = span_of(slash ? slash + 1 : path);

	for (size_t i = 0; i < 2; i++)
		if (names_has_as(data_libraries, name, builds[i][0]))
			return builds[i][1];
	return NULL;
}

/* Libraries name the build; there is none if the program holds the kernels itself. */
static const char *application_main(struct collect *c, const struct collect_environment *e,
				    const char **ret_build)
{
	const char *main = e->file;

	*ret_build = NULL;
	for (size_t i = 0; i < c->library_count; i++) {
		const struct collect_library *l = &c->libraries[i];
		bool own = l->environment && strcmp(l->environment, e->prefix) == 0;
		const char *build = own ? library_build(l->path) : NULL;

		if (build && (!*ret_build || strcmp(build, "rocm") == 0)) {
			*ret_build = build;
			main = l->path;
		}
	}
	return main;
}

static void add_application(struct collect *c, const struct collect_environment *e)
{
	struct row r = row_of("framework");
	const char *build;
	const char *main = application_main(c, e, &build);

	row_string(&r, "environment", e->prefix);
	row_string(&r, "name", e->app);
	row_string(&r, "build", build);
	row_string(&r, "path", e->file);
	row_string(&r, "main", main);
	row_string(&r, "source", e->file);
	facts_add(c->facts, &r);
}

/* ---- environments ---- */

static void add_environment(struct collect *c, const struct collect_environment *e)
{
	struct row r = row_of("environment");

	row_string(&r, "prefix", e->prefix);
	row_string(&r, "kind", e->kind);
	row_string(&r, "python", e->python);
	if (c->active_known)
		row_int(&r, "active", e->active);
	row_string(&r, "service", e->service);
	row_string(&r, "source", "environments");
	facts_add(c->facts, &r);
}

/* ---- packages ---- */

/* One demand: 1 it is met, 0 it is not and *ret_why says it, -1 it cannot be judged. */
static int judge(const struct python_view *v, const struct requirement_host *host,
		 struct span demand, const char **ret_why)
{
	char name[PACKAGE_NAME_MAX];
	struct python_found found;
	struct requirement r;
	struct span version;

	if (!requirement_parse(demand, &r) || r.demands.len == 0 ||
	    requirement_applies(&r, host) != PEP440_YES || !package_name_parse(r.name, name) ||
	    !python_view_find(v, span_of(name), &found))
		return -1;
	version = found.package->version.len ? found.package->version
					     : python_package_version(found.package);
	if (python_version_tag(r.demands).len > 0) /* built for that very one */
		version = python_package_version(found.package);
	switch (pep440_meets(version, r.demands)) {
	case PEP440_YES:
		return 1;
	case PEP440_NO:
		*ret_why = arena_format(&v->c->arena, "%s%.*s, not %.*s", name, (int)r.demands.len,
					r.demands.data, (int)version.len, version.data);
		return 0;
	case PEP440_UNKNOWN:
		break;
	}
	return -1;
}

struct demands {
	const char *framework; /* the demand on a framework, the first of them */
	int fits;              /* 1, 0, or -1: nothing could be judged */
	const char *misfit;
};

static bool is_framework(struct span written)
{
	char name[PACKAGE_NAME_MAX];
	struct python_package row;

	return package_name_parse(written, name) && python_packages_find(span_of(name), &row) &&
	       row.role == PYTHON_FRAMEWORK;
}

static void take_demand(const struct python_view *v, const struct requirement_host *host,
			struct span demand, struct demands *d)
{
	const char *why = NULL;
	struct requirement r;
	int met;

	if (!requirement_parse(demand, &r) || requirement_applies(&r, host) == PEP440_NO)
		return;
	if (!d->framework && r.demands.len > 0 && is_framework(r.name))
		d->framework = arena_format(&v->c->arena, "%.*s%.*s", (int)r.name.len, r.name.data,
					    (int)r.demands.len, r.demands.data);
	met = judge(v, host, demand, &why);
	if (met == 0 && !d->misfit)
		d->misfit = why;
	if (met >= 0)
		d->fits = d->fits == 0 ? 0 : met;
}

static void row_demands(const struct python_view *v, const struct python_site_package *p,
			struct row *r)
{
	struct requirement_host host = { span_of(v->e->python), v->machine };
	struct demands d = { .fits = -1 };
	struct span torch;

	for (const struct python_text *t = p->requires.first; t; t = t->next)
		take_demand(v, &host, t->text, &d);
	if (python_package_build(p, "version.torch", &torch))
		take_demand(v, &host,
			    span_of(arena_format(&v->c->arena, "torch==%.*s", (int)torch.len,
						 torch.data)),
			    &d);
	row_string(r, "requires", d.framework);
	if (d.fits >= 0)
		row_int(r, "fits", d.fits);
	row_string(r, "misfit", d.misfit);
}

static const char *metadata_path(struct collect *c, const struct python_found *f)
{
	if (f->package->info.len == 0)
		return f->site->path;
	return arena_format(&c->arena, "%s/%.*s", f->site->path, (int)f->package->info.len,
			    f->package->info.data);
}

static void add_package(const struct python_view *v, const struct python_found *f)
{
	struct span version =
		f->package->version.len ? f->package->version : python_package_version(f->package);
	struct span tag = python_version_tag(python_package_version(f->package));
	struct row r = row_of("package");

	if (version.len == 0)
		return; /* an egg-link alone */
	row_string(&r, "environment", v->e->prefix);
	row_string(&r, "name", f->package->name);
	row_text(&r, "version", version);
	if (tag.len > 0)
		row_text(&r, "tag", tag);
	row_demands(v, f->package, &r);
	row_string(&r, "source", metadata_path(v->c, f));
	facts_add(v->c->facts, &r);
}

/* ---- frameworks ---- */

static const char *real_library(struct collect *c, const struct python_found *f, struct span name)
{
	for (const struct python_text *t = f->package->reals.first; t; t = t->next) {
		struct buf plain BUF_SCOPED = { 0 };
		struct span rest = t->text, word;

		if (span_word(&rest, &word) && text_unword(&plain, word) &&
		    span_same(buf_get(&plain), name))
			return arena_text(&c->arena, span_trim(rest));
	}
	return arena_format(&c->arena, "%s/%.*s", f->site->path, (int)name.len, name.data);
}

static bool is_missing(const struct python_found *f, struct span name)
{
	for (const struct python_text *t = f->package->missing.first; t; t = t->next)
		if (span_same(t->text, name))
			return true;
	return false;
}

/* bitsandbytes brings libraries for CUDA too, torch one for processors: no code of ours. */
static bool is_for_others(const struct python_site_package *p, struct span name)
{
	return (python_package_has(&p->row, "cuda", name) ||
		python_package_has(&p->row, "cpu", name)) &&
	       !python_package_has(&p->row, "rocm", name) &&
	       python_package_built_for(p) == PYTHON_BUILD_ROCM;
}

static void hand_on(const struct python_view *v, const struct python_found *f,
		    const char *framework, const char *main)
{
	struct span rest = f->package->row.traits, after;
	bool alone = !python_package_trait(&rest, "after", &after);

	for (const struct python_text *t = f->package->libraries.first; t; t = t->next) {
		const char *path = real_library(v->c, f, t->text);
		struct collect_library *l;

		if (is_missing(f, t->text) || is_for_others(f->package, t->text))
			continue;
		l = collect_add_library(v->c, v->e->prefix, framework, path,
					main && strcmp(path, main) == 0);
		if (l)
			l->guest = !alone;
	}
	for (const struct python_text *t = f->package->kernels.first; t; t = t->next)
		collect_add_kernels(v->c, v->e->prefix,
				    arena_format(&v->c->arena, "%s/%.*s", f->site->path,
						 (int)t->text.len, t->text.data));
}

/* A file that says the most about it: its version file, else its metadata. */
static const char *framework_source(struct collect *c, const struct python_found *f)
{
	static const char *const traits[] = { "file", "pairs", "json" };
	struct span rest, name;

	for (size_t i = 0; f->package->builds.first && i < 3; i++) {
		rest = f->package->row.traits;
		if (python_package_trait(&rest, traits[i], &name))
			return arena_format(&c->arena, "%s/%.*s", f->site->path, (int)name.len,
					    name.data);
	}
	return metadata_path(c, f);
}

static void row_span(struct row *r, const char *column, struct span value)
{
	if (value.len > 0)
		row_text(r, column, value);
}

static void add_framework(const struct python_view *v, const struct python_framework *f)
{
	struct span version = python_package_version(f->base.package);
	struct span traits = f->base.package->row.traits, dir;
	struct row r = row_of("framework");
	const char *main = NULL;

	if (f->main.len > 0 && !is_missing(&f->holder, f->main))
		main = real_library(v->c, &f->holder, f->main);
	row_string(&r, "environment", v->e->prefix);
	row_text(&r, "name", f->name);
	row_span(&r, "version", version);
	row_span(&r, "tag", python_version_tag(version));
	row_string(&r, "build", python_build_name(f->build));
	row_span(&r, "hip", f->hip);
	row_span(&r, "cuda", f->cuda);
	if (f->base.package->editable.len == 0 && python_package_trait(&traits, "dir", &dir))
		row_string(&r, "path",
			   arena_format(&v->c->arena, "%s/%.*s", f->base.site->path, (int)dir.len,
					dir.data));
	row_span(&r, "editable", f->base.package->editable);
	row_string(&r, "main", main);
	row_string(&r, "shadowed", f->shadowed);
	row_string(&r, "source", framework_source(v->c, &f->base));
	facts_add(v->c->facts, &r);
	if (f->build != PYTHON_BUILD_ROCM && f->build != PYTHON_BUILD_UNKNOWN)
		return; /* no device code of ours in it */
	for (size_t i = 0; i < f->member_count; i++)
		hand_on(v, &f->members[i], arena_text(&v->c->arena, f->name), main);
}

/* ---- all of it ---- */

static void add_python(const struct python_view *v)
{
	struct python_framework f;
	struct python_found p;
	size_t at = 0;

	add_environment(v->c, v->e);
	for (const struct python_view_site *s = v->own; s; s = s->next_own)
		for (const struct python_text *t = s->site.problems.first; t; t = t->next)
			facts_gap_said(v->c->facts, "framework", v->e->prefix, "broken",
				       arena_text(&v->c->arena, t->text), s->path);
	while (python_view_framework(v, &at, &f))
		add_framework(v, &f);
	for (at = 0; python_view_package(v, &at, &p);) {
		add_package(v, &p);
		if (p.package->row.role == PYTHON_COMPANION ||
		    p.package->row.role == PYTHON_RUNTIME)
			hand_on(v, &p, p.package->name, NULL);
	}
}

void collect_frameworks(struct collect *c)
{
	static const char *const tables[] = { "environment", "framework", "package" };
	struct python_views views;

	for (size_t i = 0; c->environments_error < 0 && i < 3; i++)
		facts_gap(c->facts, tables[i], "", c->environments_error, "environments");
	python_views_read(c, &views);
	active_environment_choose(c);
	for (size_t i = 0; i < c->environment_count; i++) {
		const struct collect_environment *e = &c->environments[i];

		if (e->app) {
			add_environment(c, e);
			add_application(c, e);
		} else if (python_views_has(&views, i)) {
			add_python(&views.views[i]);
		}
	}
}
