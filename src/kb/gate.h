#pragma once

/*
 * gate - what must be there for a statement to have rows
 *
 * Preparing a statement costs a thousand times as much as looking at a value,
 * and most causes wait for a value that a machine has not. A gate is written
 * beside the statement: terms with a semicolon between them, all of which must
 * hold. A term is a table that must have rows, or a column and words of which
 * one must fit some row:
 *
 *	gpu; kernel_log.class gpu-wedged gpu-reset-failed; env.name HSA_*
 *
 * A word is a value, VALUE* for what begins so, ~VALUE for what has it in it
 * however it is written, !VALUE for any other, >NUMBER, <NUMBER, or NULL. Of
 * several gates with a bar between them one must be open. It comes with the
 * knowledge: what is not understood is open.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/map.h"

struct gate_term {
	struct span name;   /* "gpu", or "kernel_log.class" */
	struct span table;  /* "gpu", "kernel_log" */
	struct span column; /* empty, or "class" */
	struct span words;  /* what is waited for, of a column */
};

/* The next of several gates; false at the end. */
bool gate_next_of(struct span *rest, struct span *ret);

/* The next term of one gate; false at the end. */
bool gate_next(struct span *rest, struct gate_term *ret);

/* What was looked at: each table and column once. */
struct gates {
	struct arena arena;
	struct map columns;
	struct map empty; /* tables without rows: none of their columns is read */
};

void gates_done(struct gates *g);

/* Nothing in the facts of `db` fits the term. Before the guard comes on. */
bool gates_shut(struct gates *g, sqlite3 *db, const struct gate_term *term);

/* Of one of several gates, or of none at all, no term is shut: the statement may have rows. */
bool gates_open(struct gates *g, sqlite3 *db, struct span gate);
