#pragma once

/*
 * compare - facts that should be the same on machines that should be alike
 *
 * data/compared-facts.tsv says which columns are compared and which rows
 * belong together. The value that a machine has for a fact is the set of what
 * these rows have, so that eight GPUs of one kind are like seven of it; how
 * many there are is a fact of its own. What is not known (a gap that is not
 * absence) is not compared.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/buf.h"

/* One column of a table, or with NULL the number of its rows. */
struct compare_fact {
	const char *table;
	const char *column;
	const char *key;   /* SQL of what tells rows apart; '' for none */
	const char *where; /* SQL of the rows that count */
	const char *place; /* column with a row's PCI address, or NULL */
	bool counted;      /* the number of rows is a fact, too */
};

/*
 * The facts of a database of fleet/merged.h, those of one table behind each other. Makes a
 * temporary table of unknown values, so it comes before the others, and once.
 */
size_t compare_facts(sqlite3 *db, struct arena *a, struct compare_fact **ret);

/* "gpu.vbios", "firmware.version of mec"; "number of gpu". */
void compare_name(const struct compare_fact *fact, const char *key, struct buf *ret);

/*
 * A statement over two nodes, "1" and "2": the key, and what each has; rows for what differs
 * alone. Ended by sqlite3_finalize().
 */
sqlite3_stmt *compare_two(sqlite3 *db, const struct compare_fact *fact);

/*
 * Classes: machines of the same system with the same GPUs. A kind that is rare, at most a tenth
 * as many as the commonest of this system, is compared with that one: a node that has lost a GPU
 * belongs to those that have all. Makes temporary tables; false if it fails, which is kept.
 */
bool compare_classes(sqlite3 *db);

/* Rows of class (a number), its label and how many nodes it has. */
sqlite3_stmt *compare_class_list(sqlite3 *db);

/*
 * After compare_classes(): who has what of a table, of which these are all facts. Makes temporary
 * tables, so of one table in a process; false if it fails, which is kept.
 */
bool compare_weigh(sqlite3 *db, const struct compare_fact *facts, size_t count);

/*
 * After compare_weigh() of its table: rows of class, key, value, what most have, how many nodes
 * have that, of how many, a node whose value is another one, and which devices it is of. A node
 * without any row in a table that is counted is told by that number alone. Where no value is that
 * of more than half there is one row without a node: "A on 150, B on 150" as its value.
 */
sqlite3_stmt *compare_outliers(sqlite3 *db, const struct compare_fact *fact);
