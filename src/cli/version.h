#pragma once

/*
 * version - which program this is, and which knowledge it uses
 *
 * One line for people; with --json what a fleet asks of each node: program,
 * commit, knowledge with digest and age, and the libraries it runs with.
 */

#include <stdbool.h>
#include <stdint.h>

bool version_age(const char *day,
		 int64_t *ret); /* whole days until today; false if it names no day */
int version_answer(bool json);  /* an exit status */
