#include "probe/closure.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "parse/maps.h"
#include "probe/library-names.h"
#include "probe/python-trust.h"
#include "survey/loader.h"

#define SYSTEM_LIBRARIES "/opt/rocm/lib" /* where the prober looks besides the loader's path */

struct closure {
	struct trust *trust;
	const struct probe_options *options;
	struct buf *why;
	struct arena arena;
	struct door door;
	struct as_user user;
	struct loader loader;
	struct map judged; /* directories */
};

/* ---- what the loader takes ---- */

static const char *variable(const struct closure *c, const char *name)
{
	size_t n = strlen(name);

	for (const char *const *v = c->options->variables; v && *v; v++)
		if (strncmp(*v, name, n) == 0 && (*v)[n] == '=')
			return *v + n + 1;
	return "";
}

static bool is_library(const char *name)
{
	return strstr(name, ".so") != NULL;
}

/* Opens what of a directory `wanted` names; NULL: all libraries. */
static void open_in(struct closure *c, const char *dir, const char *wanted)
{
	DIR *d = door_dir(as_user_dir(&c->user, dir));
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (wanted ? maps_is_library(span_of(e->d_name), wanted) : is_library(e->d_name))
			(void)loader_open(&c->loader,
					  arena_format(&c->arena, "%s/%s", dir, e->d_name));
	if (d)
		closedir(d);
}

/* A library without a path of its own: the prober looks for it by its usual name. */
static void open_usual(struct closure *c, const char *name, const char *file)
{
	struct ld_cache_entry e;

	for (size_t i = 0; i < c->options->library_count; i++)
		if (strcmp(c->options->libraries[i].name, name) == 0)
			return;
	for (uint32_t i = 0; ld_cache_entry(&c->loader.cache, i, &e); i++)
		if (maps_is_library(e.name, file))
			(void)loader_open(&c->loader, arena_text(&c->arena, e.path));
	open_in(c, SYSTEM_LIBRARIES, file);
}

/* A file that is not there is no fault: the prober will say so. */
static void open_for_prober(struct closure *c)
{
	const struct probe_options *o = c->options;

	for (size_t i = 0; i < o->library_count; i++)
		(void)loader_open(&c->loader, o->libraries[i].path);
	for (size_t i = 0; i < LIBRARY_NAMES; i++)
		open_usual(c, library_names[i].name, library_names[i].file);
}

static void open_for_python(struct closure *c)
{
	const char *package = c->options->package;

	if (!package)
		return;
	open_in(c, package, NULL);
	open_in(c, arena_format(&c->arena, "%s/lib", package), NULL);
}

/* ---- whose it is ---- */

/* The loader prefers what lies there, built for newer processors. */
static bool judge_variants(struct closure *c, const char *dir)
{
	static const char *const names[] = { "glibc-hwcaps", "tls", "haswell", "x86_64" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = arena_format(&c->arena, "%s/%s", dir, names[i]);

		if (as_user_kind(&c->user, path) == 'd' && !trust_tree(c->trust, path, c->why))
			return false;
	}
	return true;
}

/* A library opens others by name while it runs; which ones nobody knows before. */
static bool judge_dir(struct closure *c, const char *dir)
{
	struct dirent *e;
	bool good = true;
	static char yes;
	DIR *d;

	if (map_find(&c->judged, span_of(dir)))
		return true;
	map_put(&c->judged, span_of(dir), &yes);
	if (!trust_path(c->trust, dir, c->why) || !judge_variants(c, dir))
		return false;
	d = door_dir(as_user_dir(&c->user, dir));
	while (good && d && (e = readdir(d)))
		good = !is_library(e->d_name) ||
		       trust_path(c->trust, arena_format(&c->arena, "%s/%s", dir, e->d_name),
				  c->why);
	if (d)
		closedir(d);
	return good;
}

static bool judge_dirs(struct closure *c, const struct loader_dirs *d)
{
	for (size_t i = 0; i < d->count; i++)
		if (!judge_dir(c, d->dirs[i]))
			return false;
	return true;
}

static bool judge_loaded(struct closure *c)
{
	struct loader *l = &c->loader;

	if (l->full || l->cut) {
		buf_text(c->why, "it loads more libraries than are looked at");
		return false;
	}
	for (size_t i = 0; i < l->object_count; i++) {
		loader_make_dirs(l, (int)i);
		if (!trust_path(c->trust, l->objects[i].path, c->why) ||
		    !judge_dirs(c, &l->objects[i].rpath) || !judge_dirs(c, &l->objects[i].runpath))
			return false;
	}
	return judge_dirs(c, &l->variable);
}

static bool judge_named(struct closure *c, bool framework)
{
	const struct probe_options *o = c->options;

	for (size_t i = 0; i < o->library_count; i++)
		if (!trust_path(c->trust, o->libraries[i].path, c->why))
			return false;
	for (const char *const *v = o->variables; v && *v; v++)
		if (!trust_variable(c->trust, *v, c->why))
			return false;
	if (!framework)
		return true;
	return trust_path(c->trust, o->python, c->why) &&
	       (!o->package || trust_path(c->trust, o->package, c->why)) &&
	       python_trust(c->trust, &c->user, o->python, c->why);
}

static bool judge_program(struct closure *c, const char *program,
			  void (*open_more)(struct closure *c))
{
	char real[AS_USER_PATH_MAX];
	bool good;

	loader_init(&c->loader, &c->user, &c->arena, variable(c, "LD_LIBRARY_PATH"),
		    variable(c, "LD_PRELOAD"), NULL);
	if (as_user_real(&c->user, program, real) == 0)
		(void)loader_start(&c->loader, real);
	open_more(c);
	good = judge_loaded(c);
	loader_done(&c->loader);
	return good;
}

static bool judge_all(struct closure *c, bool framework)
{
	return judge_named(c, framework) &&
	       judge_program(c, c->options->program, open_for_prober) &&
	       (!framework || judge_program(c, c->options->python, open_for_python));
}

bool closure_trust(struct trust *t, const struct probe_options *o, bool framework,
		   struct buf *ret_why)
{
	static const struct door_options none;
	struct closure *c = memory_new(1, sizeof(*c));
	bool good = false;

	if (door_init(&c->door, DOOR_LIVE, "/", &none) < 0) {
		buf_text(ret_why, "no memory");
		free(c);
		return false;
	}
	c->trust = t;
	c->options = o;
	c->why = ret_why;
	c->user = (struct as_user){ .door = &c->door, .top = -1 };
	good = judge_all(c, framework);
	door_done(&c->door);
	map_done(&c->judged);
	arena_done(&c->arena);
	free(c);
	return good;
}
