#pragma once

/*
 * ask - the statements of one cause, put to the facts
 *
 * Each statement is prepared and run once, behind the guard. What is kept of
 * it is its rows, or why there are none; what that means for a subject is
 * weighed later (weigh.h).
 */

#include "base/map.h"
#include "diagnose/gaps.h"
#include "diagnose/rules.h"
#include "diagnose/steps.h"
#include "kb/gate.h"
#include "kb/guard.h"

struct fact {
	const char *subject; /* empty for the machine */
	const char *value;
	const char *source;
	const char *origin;
};

struct shut;

struct asked {
	const struct rule *rule;
	struct fact *facts;
	size_t count;
	const struct shut *shut; /* the gate: nothing to prepare, no rows; or NULL */
	bool not_asked;          /* it could not have mattered */
	const char *error;       /* it failed, or NULL */
	int could_add;           /* decibans, as far as is known while asking */
};

struct asker {
	struct guard *guard;
	struct guard own;     /* if nobody keeps one */
	struct gates columns; /* that gates looked at */
	struct map gates;     /* text to struct shut */
	struct map told;      /* statements that are no evidence, to struct told */
	struct map ways;      /* "torch gfx1100" to the command that advise prints (finish.c) */
	const struct gaps *gaps;
	struct arena *keep;   /* of the diagnosis */
	struct arena scratch; /* of this cause, and of those before it that had no rows */
	struct arena *rows;   /* one of the two: where rows are put */
	enum system system;   /* whose steps are wanted */
	bool used;
	size_t prepared;
	uint64_t steps; /* of this cause */
};

/* `kept` is a guard that waits on the connection (guard_keep()), or NULL. */
void asker_init(struct asker *asker, sqlite3 *db, struct guard *kept, const struct rules *rules,
		const struct gaps *gaps, struct arena *keep);
void asker_done(struct asker *asker);

/*
 * The statements of a cause, in its order. Unless `everything`, what could not
 * matter any more is not asked: where nothing speaks for a cause, neither what
 * rules it out nor what could not lift it over the line by itself. The result
 * lives until the next call.
 */
struct asked *ask_cause(struct asker *asker, const struct cause *cause, bool everything);

/* A statement that is no evidence, put once for all causes. Lives as long as the diagnosis. */
void ask_statement(struct asker *asker, const struct rule *rule, struct asked *ret);

/* The gap because of which a statement without rows is no "no", or NULL. */
const struct gap *ask_gap(const struct gaps *gaps, const struct asked *asked, const char *subject);
