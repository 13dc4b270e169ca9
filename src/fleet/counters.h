#pragma once

/*
 * counters - devices whose counters or sensors lie far above those of their class
 *
 * What is never the same on two machines (replays, corrected errors, heat, power) is no fact that a
 * majority has. data/compared-counters.sql says what is compared, and by how much a value differs.
 */

#include <sqlite3.h>

#include "base/arena.h"

#define COUNTERS_LEAST 8 /* devices of a class: of fewer a median says little */

struct counter_outlier {
	size_t class; /* a number, as in compare_class_list() */
	const char *name;
	const char *node, *device;
	double value, median, deviation;
	size_t devices; /* of the class */
};

/*
 * After compare_classes(): makes temporary views. By class and name, the highest first; false if
 * the rows could not be read, which is kept.
 */
bool counters_far(sqlite3 *db, struct arena *a, struct counter_outlier **ret, size_t *ret_count);
