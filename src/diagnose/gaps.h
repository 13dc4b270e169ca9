#pragma once

/*
 * gaps - what is not known, by what would have held it
 *
 * A statement without rows means no only if nothing that it reads is missing.
 * A gap counts against what a statement reads, but for three: a whole table that
 * is absent is an answer (there is none of it), and what is missing of another
 * PCI device, or of a file in another environment, says nothing about this one.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/map.h"

struct gap {
	const char *topic; /* table or table.column */
	const char *subject;
	const char *standing;
	const char *detail;
	const struct gap *next; /* of the same topic, in the order of the table */
};

struct gaps {
	struct map tables;    /* names of tables, without the views */
	struct map by_topic;  /* to struct gap_list */
	struct map by_device; /* PCI address to struct gap_owner: whose way it is on */
	const char **places;  /* prefixes of environments that share no files with others */
	size_t place_count;
};

int gaps_load(sqlite3 *db, struct arena *a, struct gaps *ret); /* 0 or -EIO */
void gaps_done(struct gaps *g);

/*
 * The first gap on any of the blank-separated `reads` that counts for the
 * candidate, or NULL. An empty subject is the machine: every gap counts.
 */
const struct gap *gaps_find(const struct gaps *g, const char *reads, const char *subject);

/* The same of one word, "gpu" or "gpu.integrated". */
const struct gap *gaps_find_column(const struct gaps *g, struct span name, const char *subject);

/* Is it a table of facts, and no view or anything else? */
bool gaps_knows(const struct gaps *g, struct span table);

/* The first gap on such a table or any column of it. */
const struct gap *gaps_find_table(const struct gaps *g, struct span table, const char *subject);

/*
 * It is there, and its answer was lost. A file that never was is no loss, nor what this user is
 * refused, which sudo would show.
 */
bool gaps_is_lost(const struct gap *gap);

/* "kernel_log denied (EPERM)" */
const char *gaps_says(struct arena *a, const struct gap *gap);

/*
 * The gaps that reports tell of, to select from: without what a machine does not
 * have, without the probes that nobody asked for, and without what is never asked of a
 * machine with Windows. `relation` is the table
 * alone; `root_learns` is 1 where a user was denied what root would be told.
 */
#define GAPS_TOLD                                                                              \
	"(SELECT topic, subject, standing, detail, source,"                                    \
	" iif(instr(topic, '.'), substr(topic, 1, instr(topic, '.') - 1), topic) AS relation," \
	" standing = 'denied' AND topic NOT IN ('agent', 'device_node')"                       \
	"  AND coalesce((SELECT uid FROM identity), 0) <> 0 AS root_learns"                    \
	" FROM gap WHERE standing <> 'absent' AND coalesce(detail, '') NOT IN ('NOT WALKED', 'NOT ON WINDOWS'))"
