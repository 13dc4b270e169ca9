#pragma once

/*
 * thread - a public thread about the line that an answer rests on
 *
 * Of a signature that was written from an issue, that issue is worth reading:
 * it has the versions of others, and what came of it.
 */

#include "explain/explain.h"

/* Sets `thread` of the first cause, where it is likely or certain. */
void thread_find(sqlite3 *db, struct explanation *e);
