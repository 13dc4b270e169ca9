#pragma once

/*
 * check-scratch - a directory of files for one test, removed at its end
 *
 * Paths begin with a slash and are those within the directory, which is what a
 * test of a tree or of a mounted host asks about.
 */

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char scratch_top[256];

static inline bool scratch_begin(void)
{
	const char *above = getenv("TMPDIR");

	snprintf(scratch_top, sizeof(scratch_top), "%s/rocsteady-test-XXXXXX",
		 above ? above : "/tmp");
	return CHECK(mkdtemp(scratch_top) != NULL);
}

/* Good until the next one is asked for. */
static inline const char *scratch_path(const char *path)
{
	static char full[1024];

	snprintf(full, sizeof(full), "%s%s", scratch_top, path);
	return full;
}

/* The directories that a path goes through. */
static inline void scratch_parents(const char *path)
{
	char part[1024];

	for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
		snprintf(part, sizeof(part), "%s%.*s", scratch_top, (int)(slash - path), path);
		(void)mkdir(part, 0755);
	}
}

static inline FILE *scratch_create(const char *path)
{
	FILE *f;

	scratch_parents(path);
	f = fopen(scratch_path(path), "we");
	CHECK(f != NULL);
	return f;
}

static inline void scratch_put(const char *path, const char *text)
{
	FILE *f = scratch_create(path);

	if (f && CHECK(fputs(text, f) >= 0))
		fclose(f);
}

static inline void scratch_link(const char *path, const char *target)
{
	scratch_parents(path);
	CHECK_INT(symlink(target, scratch_path(path)), 0);
}

static inline void scratch_end(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", scratch_top);
	CHECK_INT(system(command), 0);
}
