#include "probe/verdict.h"

#include <string.h>

#include "base/array.h"
#include "base/exit-status.h"
#include "facts/column.h"
#include "facts/select.h"

int verdict_exit_status(sqlite3 *db)
{
	static const struct {
		const char *verdict;
		int status;
	} statuses[] = { { "works", EXIT_FINE },
			 { "breaks", EXIT_PROBLEM },
			 { "missing", EXIT_PROBLEM },
			 { "none", EXIT_FINE },
			 { "nothing", EXIT_UNDECIDED } };
	sqlite3_stmt *stmt = select_from(db, "SELECT verdict FROM walk_verdict");
	int status = -1;

	if (select_next(stmt))
		for (size_t i = 0; i < COUNT(statuses); i++)
			if (strcmp(column_text(stmt, 0), statuses[i].verdict) == 0)
				status = statuses[i].status;
	sqlite3_finalize(stmt);
	return status;
}
