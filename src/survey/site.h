#pragma once

/*
 * site - a directory of Python packages, while the question "packages" is answered
 *
 * What the files of that question share: where we are, the package that is
 * looked into, and the lines of the answer. Everything is read as the judged
 * user (open-as-user.h).
 */

#include "base/arena.h"
#include "door/open-as-user.h"
#include "parse/package-name.h"
#include "survey/python-packages.h"

#define SITE_PACKAGES_MAX 128
#define SITE_MS_MAX       4000
#define SITE_SMALL_MAX    ((size_t)64 << 10)

struct site {
	struct as_user user;
	struct buf *out;
	struct arena arena;
	const char *path;     /* of the site */
	struct span *claimed; /* directories of modules whose package is known */
	size_t claimed_count;
	unsigned int packages;
	unsigned int pth_lines;
	uint64_t until_ms; /* nothing is begun or read after it */
};

/* A package that matters, while it is looked into. */
struct site_package {
	struct python_package row;
	char name[PACKAGE_NAME_MAX];
	const char *info; /* "torch-2.4.1.dist-info", relative to the site; NULL: none */
	bool egg;         /* .egg-info, with PKG-INFO */
	bool file;        /* an .egg-info that is a file itself */
	unsigned int libraries;
	const char **dirs; /* of kernels, that were named */
	size_t dir_count;
};

/* The names of a directory in natural order. */
struct site_names {
	const char **names;
	size_t count;
};

const char *site_join(struct site *s, const char *dir, struct span name);

/* 0 and the names, or -errno. */
int site_list(struct site *s, const char *dir, struct site_names *ret);

/* The first `max` bytes of a file that is not empty; one that should be small and is not is told. */
bool site_read(struct site *s, const char *dir, struct span name, size_t max, struct buf *ret);

/* "KEY NAME VALUE", and "problem NAME: WHAT". */
void site_line(struct site *s, const char *key, const char *name, struct span value);
void site_problem(struct site *s, const char *name, const char *what);

/* A file or directory of the package that is there and did not open: a problem. */
void site_failed(struct site *s, const char *name, const char *path, int error);

/* An address without user, password and query, which may be secrets. */
struct span site_plain_address(struct site *s, struct span url);

/* Libraries and directories of kernels: of RECORD, else of the directories themselves. */
void site_tell_files(struct site *s, struct site_package *p);
void site_tell_directories(struct site *s, struct site_package *p);

/* Reports pyvenv.cfg and conda-meta of the environment around the site. */
void site_tell_around(struct site *s);
