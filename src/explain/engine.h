#pragma once

/*
 * engine - what explaining takes, made once for any number of texts
 *
 * To set everything up takes five times as long as to explain a small log. The
 * engine holds what does not depend on the text: signatures and their scanner,
 * causes, numbers of belief, prepared statements, the guard. For many texts it
 * is kept warm: between two of them every table is emptied by going back to
 * before the first row, and nothing that SQLite would prepare anew is touched.
 */

#include "explain/explain-rules.h"
#include "explain/input.h"
#include "kb/guard.h"

struct engine {
	struct facts *facts; /* without rows, the knowledge beside them; borrowed */
	struct log_signatures signatures;
	struct scan *scan;           /* while it is kept warm; NULL: each log has its own */
	struct scrubber *withholder; /* kept from one answer to the next; NULL: not made yet */
	struct guard guard;
	struct explain_rules rules;
	bool has_rules;             /* they were read */
	bool steps_alone;           /* as in struct explain_means */
	struct explanation silence; /* of tables that no text has filled */
	enum { SILENCE_NOT_WEIGHED, SILENCE_WEIGHED, SILENCE_SPEAKS } heard;
	struct arena arena;
};

/* For one text. 0 or -EIO. */
int engine_open(struct engine *e, struct facts *facts);

/* From here on for one text after the other, with engine_clear() behind each. 0 or -EIO. */
int engine_keep(struct engine *e);
void engine_clear(struct engine *e);

/*
 * Kept, and all that any text needs has been at work once: for processes that
 * are made afterwards, each for one text, and share it. As engine_keep().
 */
int engine_warm(struct engine *e);

/* Before its tables are freed, and after the last explanation; also of zeroes. */
void engine_close(struct engine *e);

/*
 * What the tables of `db` say: the engine's own, or those of a machine with the
 * same knowledge. As explain(), but the explanation does not outlive the engine.
 * Of a silent text (explain_input_is_silent()) nothing is in the tables.
 */
int engine_explain(struct engine *e, sqlite3 *db, const struct failure *failure, bool is_silent,
		   struct explanation *ret);

/*
 * Most logs of a batch are of jobs that went well, and say nothing that is
 * known. What the tables say then is the same each time: once it was weighed,
 * such a text need not be told to them.
 */
bool engine_knows(const struct engine *e, const struct explain_input *in);
