#pragma once

/*
 * family - causes that a log does not tell apart
 *
 * Where no cause is decided and the first one's family is, the family is named
 * instead, with the step that tells its members apart. Which causes are one
 * family is the knowledge's to say (table family).
 */

#include "explain/explain-rules.h"

/* After belief was shared, where no cause is decided: sets `family`, or leaves it NULL. 0 or -EIO. */
int family_find(sqlite3 *db, const struct explain_rules *rules, struct explanation *e);
