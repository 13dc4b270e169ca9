#pragma once

/*
 * setting-names - the settings that the knowledge knows, to look for them in a text
 *
 * Names of variables, kernel arguments and flags are found by a word of the
 * text; a command by all of its words in one line.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/map.h"

struct setting_name {
	const char *form; /* variable, kernel, flag or command */
	const char *name;
	bool is_judged; /* else it is only known that a program reads it */
};

struct setting_names {
	struct map by_name; /* to struct setting_name */
	struct setting_name *commands;
	size_t command_count;
};

/* Of the attached knowledge; rows in the arena. 0 or -EIO. */
int setting_names_load(sqlite3 *db, struct arena *arena, struct setting_names *ret);
void setting_names_done(struct setting_names *n);
