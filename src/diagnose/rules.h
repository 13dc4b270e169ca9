#pragma once

/*
 * rules - the causes and their evidence, as the knowledge has them
 *
 * Read once for a diagnosis, ordered by slug and position. The file may be
 * anybody's: kb_attach() has refused one whose text is not clean.
 */

#include <sqlite3.h>

#include "diagnose/diagnose.h"

struct rule {
	const char *id;
	int weight;
	const char *group; /* or NULL */
	const char *says;
	const char *sql;
	bool absence;
	const char *gate; /* or NULL */
	const char *reads;
	int64_t position; /* in its file */
};

struct cause {
	const char *slug;
	const char *kind;
	const char *title;
	const char *plain;    /* the title without holes, or NULL */
	const char *headline; /* of a log: with {program} and {seen}, or NULL */
	const char *story;
	const char *scope;
	const char *severity;
	const char *action;
	const char *repair;    /* what a controller may start, or NULL */
	const char *undecided; /* or NULL */
	const char *tells;     /* what the command in it shows, or NULL */
	int prior;
	int share; /* decibans once something has failed */
	struct rule *rules;
	size_t rule_count;
	const char **explained_by;
	size_t explained_by_count;
	const struct remedy **remedies;
	size_t remedy_count;
};

/* A cause that this program does not understand (kb/layers.h). */
struct later {
	const char *cause;
	const char *why;
	int statements;
};

struct rules {
	struct cause *causes;
	size_t count;
	size_t rule_count;
	struct later *later;
	size_t later_count;
	struct remedy *remedies; /* of all causes */
	size_t remedy_count;
};

struct rules_choice {
	const char *only; /* a slug; NULL: any */
	bool closes_node; /* those for which a node is taken out of service; no remedies */
};

/* 0, -ENOENT without the slug that was named, -EIO. */
int rules_load(sqlite3 *db, struct arena *a, const struct rules_choice *choice, struct rules *ret);

/* One remedy by its id; NULL: there is none. */
const struct remedy *rules_remedy(const struct rules *rules, const char *id);
