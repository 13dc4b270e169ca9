#pragma once

/*
 * explain-each - every file judged by itself, several at a time
 */

#include "cli/explain-answer.h"

/* The exit status: the worst of the answers, or that a file could not be read. */
int explain_each(const struct explain_answer *all, const struct explain_files *files,
		 unsigned int jobs);
