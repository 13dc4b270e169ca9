#pragma once

/*
 * headline - what stands above an answer of a general cause
 *
 * "This release has a bug" is true of half of all failures and tells nobody
 * what happened. Such a cause has a headline with holes: {program} for the
 * program that the text names, {seen} for the strongest line that speaks for
 * the cause.
 */

#include "explain/explain.h"

/* Fills the headline of each cause that something speaks for; NULL where nothing of it was seen. */
void headline_find(sqlite3 *db, struct explanation *e);
