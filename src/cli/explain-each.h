#pragma once

/*
 * explain-each - every file judged by itself, several at a time
 */

#include "cli/explain-answer.h"

/* The exit status: the worst of the answers, or that a file could not be read. */
int explain_each(struct explain_answer *a, const struct explain_files *files, unsigned int jobs);
