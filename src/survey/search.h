#pragma once

/*
 * search - for Python environments and applications, bounded
 *
 * What is an environment says the directory itself: pyvenv.cfg or conda-meta
 * in it. The search goes down a few levels from places that are listed, with a
 * number of looks and a time that it may take, and writes down what it left
 * out. Answers are lines; docs/design/0007-device-code.md has them.
 */

#include "base/map.h"
#include "survey/mounts.h"

#define SEARCH_LOOKS_MAX   20000
#define SEARCH_MS_MAX      2500
#define SEARCH_ENTRIES_MAX 4096 /* of one directory */
#define SEARCH_FOUND_MAX   64

struct search {
	struct as_user user;
	struct mounts mounts;
	struct arena arena;
	struct map seen; /* prefixes that were written down, places that were left */
	struct search_program *programs; /* of applications that lie anywhere */
	struct buf *out;
	const char *home;  /* NULL: there is nobody's */
	const char *named; /* by somebody: its file system may be entered; NULL: none */
	uint64_t until_ms;
	unsigned int found;
	bool ended; /* a bound was reached */
};

/* The names in a directory, in natural order; its descriptor stays open. */
struct search_names {
	int fd; /* -1: it could not be read */
	size_t count;
	struct search_entry {
		const char *name;
		unsigned char type; /* DT_DIR, ... */
	} * entries;
};

struct search_names search_names(struct search *s, const char *dir);
void search_names_done(struct search_names *names);

/* Is a directory an environment? Then it is written down, as `kind` if that is not NULL. */
bool search_environment(struct search *s, const char *dir, const char *kind);

/* The same of a directory that is a Python without such a mark: /usr, a version of pyenv. */
bool search_python(struct search *s, const char *dir, const char *kind);

/* A directory and so many levels below it. */
void search_below(struct search *s, const char *dir, unsigned int levels, const char *kind);

/* May it be entered? If not, that is written down once. `dir` has no links in it. */
bool search_may_enter(struct search *s, const char *dir);

/*
 * The path without links, each looked up before it is followed, so that none leads
 * onto a file system that may not be entered. NULL: it does not exist, or it was
 * left out and that is written down.
 */
const char *search_follow(struct search *s, const char *path);

/* A directory or file that answered with an error: written down, unless it just is not there. */
void search_failed(struct search *s, const char *path, int error);

/* Did it, or something on its file system, not answer before? Then that is written down. */
bool search_is_lost(struct search *s, const char *dir);

/* "left WHY PATH", once for each path. */
void search_left(struct search *s, const char *why, const char *path);

/* A line of words: a key and a path. */
void search_line(struct search *s, const char *key, const char *path);

/* A program or library that is an application: written down with its libraries. */
void search_application(struct search *s, const char *app, const char *file);

/* Applications in their usual places. */
void search_applications(struct search *s);

/* Learn the names of programs: before the first question for one. */
void search_programs(struct search *s);

/* Is a name in a listed directory a program of an application? Its name, or NULL. */
const char *search_application_name(const struct search *s, const char *name);
