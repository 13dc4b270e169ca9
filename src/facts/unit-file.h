#pragma once

/*
 * unit-file - what systemd was told about a service
 *
 * The unit file and its drop-ins, put together as systemd does: the first
 * directory that has the file gives it, drop-ins follow by name, later lines
 * win, an empty one takes back what was said before. Nothing is expanded.
 */

#include "facts/collect.h"

enum unit_key {
	UNIT_USER,
	UNIT_GROUP,
	UNIT_SUPPLEMENTARY,
	UNIT_PRIVATE_DEVICES,
	UNIT_DEVICE_POLICY,
	UNIT_DEVICE_ALLOW,
	UNIT_MEMLOCK,
	UNIT_KEYS,
};

struct unit_variable {
	struct span name;
	struct span value;
	const char *source; /* file:line */
};

struct unit_file {
	const char *name;              /* ollama.service */
	const char *path;              /* NULL: no unit file found */
	const char *unasked;           /* a file that nobody asked for, or NULL */
	struct span values[UNIT_KEYS]; /* empty: not said */
	struct unit_variable *variables;
	size_t variable_count;
	const char **environment_files; /* as written, a leading '-' kept */
	size_t environment_file_count;
};

/*
 * Read the files and add a row of env_setter for each variable that a line
 * sets. A file that could not be read is a gap; one that nobody asked for is
 * the caller's to tell.
 */
void unit_file_read(struct collect *c, const char *name, struct unit_file *ret);

/* The files of a unit are not known: gaps in every table they would fill. */
void unit_file_gap(struct collect *c, const char *unit, int error, const char *path);
