#pragma once

/*
 * python-view - what the Python of each environment finds, and where first
 *
 * A venv sees its own packages, and those of the Python it was made with only
 * if pyvenv.cfg says so. The system's Python finds packages of ~/.local before
 * those of /usr/local and these before those of /usr. So a framework may stand
 * in an environment and never be loaded: it is shadowed.
 */

#include "facts/collect.h"
#include "facts/python-site.h"

struct python_view_site {
	const char *path;
	const struct collect_environment *owner;
	struct python_site site;
	struct python_view_site *next_own;
};

struct python_found {
	const struct python_view_site *site;
	const struct python_site_package *package;
};

#define PYTHON_VIEW_SITES_MAX 16

struct python_view {
	struct collect *c;
	const struct collect_environment *e;
	struct span machine;          /* "x86_64", or empty */
	struct python_view_site *own; /* NULL: not a Python, or nothing was answered */
	const struct python_view_site *front[PYTHON_VIEW_SITES_MAX]; /* found before its own */
	size_t front_count;
	const struct python_view_site *behind[PYTHON_VIEW_SITES_MAX]; /* and after */
	size_t behind_count;
	bool inherits; /* what lies behind is used from here: a venv with system packages */
};

struct python_views {
	struct python_view views[COLLECT_ENVIRONMENTS_MAX]; /* as c->environments */
};

/* Ask for the packages of every site, and put together what each environment sees. */
void python_views_read(struct collect *c, struct python_views *ret);

/* Does it hold anything that matters, or is it the one in use? */
bool python_views_has(const struct python_views *views, size_t environment);

/* A package as its Python would find it. */
bool python_view_find(const struct python_view *v, struct span name, struct python_found *ret);

/* Its own packages, one after the other; start with *at = 0. */
bool python_view_package(const struct python_view *v, size_t *at, struct python_found *ret);

/* The n-th package of its own sites, and after them of those it inherits. */
bool python_view_nth(const struct python_view *v, size_t n, bool inherited,
		     struct python_found *ret);

/* Notes as a gap that there was more than is kept. */
void python_view_cut(const struct python_view *v, const char *what);

#define PYTHON_MEMBERS_MAX 16

struct python_framework {
	struct span name; /* torch */
	struct python_found base;
	struct python_found members[PYTHON_MEMBERS_MAX]; /* the base and its parts */
	size_t member_count;
	enum python_build build;
	struct span hip, cuda;
	struct python_found holder; /* the member with the main library */
	struct span main;           /* relative to its site; empty: none */
	const char *shadowed;       /* prefix, or NULL */
};

/* Its frameworks, one after the other; start with *at = 0. */
bool python_view_framework(const struct python_view *v, size_t *at, struct python_framework *ret);
