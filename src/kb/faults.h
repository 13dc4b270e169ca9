#pragma once

/*
 * faults - everything that is wrong with a set of files, as file:line: what
 *
 * All of them are collected: who writes knowledge mends a file once, not ten
 * times. One is enough to refuse the set.
 */

#include "base/buf.h"

struct faults {
	const char *prefix; /* of every file name, or "" */
	struct buf text;    /* a line each */
	size_t count;
};

#define FAULTS_MAX 200 /* the rest is only counted */

void faults_add(struct faults *f, const char *file, unsigned int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
