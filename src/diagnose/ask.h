#pragma once

/*
 * ask - the statements of one cause, put to the facts
 *
 * Each statement is prepared and run once, behind the guard. What is kept of
 * it is its rows, or why there are none; what that means for a subject is
 * weighed later (weigh.h).
 */

#include "base/map.h"
#include "diagnose/rules.h"
#include "kb/guard.h"

struct fact {
	const char *subject; /* empty for the machine */
	const char *value;
	const char *source;
	const char *origin;
};

struct asked {
	const struct rule *rule;
	struct fact *facts;
	size_t count;
	bool by_gate;      /* the gate was closed: not prepared, no rows */
	bool not_asked;    /* it could not have mattered */
	const char *error; /* it failed, or NULL */
};

struct asker {
	struct guard guard;
	struct map gates;     /* table to an open or closed gate */
	struct arena *keep;   /* of the diagnosis */
	struct arena scratch; /* of this cause */
	size_t prepared;
	uint64_t steps; /* of this cause */
};

void asker_init(struct asker *asker, sqlite3 *db, const struct rules *rules, struct arena *keep);
void asker_done(struct asker *asker);

/*
 * All statements of a cause, in its order. Unless `everything`, those that
 * rule out are left alone when nothing speaks for the cause. The result lives
 * until the next call.
 */
struct asked *ask_cause(struct asker *asker, const struct cause *cause, bool everything);
