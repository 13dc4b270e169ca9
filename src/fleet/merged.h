#pragma once

/*
 * merged - the facts of many machines in one database
 *
 * The tables of one machine (facts/schema.sql) with a column `node` in front,
 * and `node`, the snapshots themselves. The number that KFD gives an agent,
 * also called node, is `kfd_node` here. The views of one machine are not there:
 * they join its rows and know nothing of others.
 *
 * Machines of a fleet have most of their rows in common. So all rows that one
 * machine has in a table are kept once, under a digest, in TABLE_content; the
 * table `kept` says for each node which ones are its own, and TABLE is a view
 * that joins the two.
 *
 * Machines are added beside the facts of one machine, in a schema of its own
 * (merger); what several processes have added becomes one database in the
 * order in which it is taken (merged).
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "facts/facts.h"

/* ---- adding machines, one after the other ---- */

struct merger {
	sqlite3 *db; /* of the facts of one machine */
	struct arena arena;
	struct merger_table {
		sqlite3_stmt *rows; /* of this machine */
		sqlite3_stmt *copy; /* of them, as a content */
		struct map known;   /* their bytes to the number under which they are kept */
	} * tables;
	size_t count;
	sqlite3_stmt *node;
	struct buf bytes;
};

/* False: want of memory. merger_done() comes before the end of the facts. */
bool merger_begin(struct merger *m, struct facts *facts);
void merger_done(struct merger *m);

/* The facts of now, as those of this node; `error` says why there are none, or is NULL. */
void merger_add(struct merger *m, const char *node, const char *file, const char *error);

/* All of them, for merged_take(); added to `ret`. */
void merger_bytes(struct merger *m, struct buf *ret);

/* ---- all of them ---- */

sqlite3 *merged_new(void); /* no rows. Ended by sqlite3_close() */

/*
 * A file that merged_bytes() wrote: `bytes` are the caller's and outlive it. NULL: it is something
 * else, also by another version of the program, or damaged.
 */
sqlite3 *merged_read(struct span bytes);

/* Whether a file with these bytes may be one: it is of SQLite. */
bool merged_is_database(struct span bytes);

/* Takes the result of a merger. False: it is something else, or there is no memory. */
bool merged_take(sqlite3 *db, struct span part);

/* The number of nodes, and of those that could not be read. */
size_t merged_nodes(sqlite3 *db);
size_t merged_unread(sqlite3 *db);

/* As a file; added to `ret`. */
void merged_bytes(sqlite3 *db, struct buf *ret);
