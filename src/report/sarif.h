#pragma once

/*
 * sarif - the parts of SARIF 2.1.0 that every report has
 *
 * A log holds one run of one tool: its rules, what was run, its results. A
 * level other than "none" is allowed only for what fails.
 */

#include "base/json-write.h"

void sarif_begin(struct json *j); /* up to the members of the run */
void sarif_end(struct json *j);

void sarif_message(struct json *j, const char *key, const char *text); /* key: {"text": ...} */

/* tool.driver up to the brackets of its rules; each is one of sarif_rule(). */
void sarif_open_rules(struct json *j);
void sarif_rule(struct json *j, const char *id, const char *says, const char *more,
		const char *level);
void sarif_close_rules(struct json *j);

void sarif_invocation(struct json *j, int exit_status);

/* locations: a file, or NULL, and a name within it or in place of it, or NULL. */
void sarif_location(struct json *j, const char *file, const char *name);

/* The same words give the same print in the next run. */
void sarif_print(struct json *j, const char *key, const char *words);
