#pragma once

/*
 * choice - what a walk needs to know, out of the facts
 *
 * Which GPUs somebody else uses, and which files answer: those that a framework
 * of an environment would load, or the system's.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "probe/probe.h"

#define CHOICE_LIBRARIES_MAX 16

struct choice {
	struct arena arena;
	struct probe_gpu *gpus;
	size_t gpu_count;
	struct probe_library libraries[CHOICE_LIBRARIES_MAX];
	size_t library_count;
	const char *like;       /* "system", "torch@/path", "pid@N", "libraries@/path" */
	const char *python;     /* of the environment, or NULL */
	const char *package;    /* of the framework, which that Python runs, or NULL */
	const char **variables; /* up to a NULL */
	size_t variable_count;
	uid_t uid; /* as probe_options.uid */
	gid_t gid;
};

/*
 * `like` is NULL, or "torch@/path/of/environment"; the framework may be left
 * out. -ENOENT if there is no such environment, -ENXIO if it has none such.
 */
int choice_make(sqlite3 *facts, const char *like, struct choice *ret);

/* The files of a directory, an absolute path, in place of all others. */
void choice_of_directory(const char *dir, struct choice *c);

/* The file, if it is one of the libraries and the first of its name. */
void choice_take(struct choice *c, struct span path);
bool choice_has(const struct choice *c, const char *name);

void choice_done(struct choice *c);
