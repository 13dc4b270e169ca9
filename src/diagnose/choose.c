#include "diagnose/choose.h"

#include <string.h>

#include "facts/select.h"

/* A condition on a row of kb.cause; bind_choice gives it its values. */
#define CHOOSE_NAMES(list)                                                     \
	"(instr(',' || replace(" list ", ' ', '') || ',', ',' || slug || ',')" \
	" OR instr(',' || replace(" list ", ' ', '') || ',', ',' || scope || ','))"
#define CHOOSE_SQL                                                                             \
	"(:only IS NULL OR " CHOOSE_NAMES(":only") ")"                                         \
						   " AND (:skip IS NULL OR NOT " CHOOSE_NAMES( \
							   ":skip") ")"

/* What reads the events of a log has no rows on a machine. */
#define HAS_CHECK \
	"slug IN (SELECT cause FROM kb.evidence WHERE ' ' || reads || ' ' NOT LIKE '% event %')"

static void bind_choice(sqlite3_stmt *stmt, const struct choose *c)
{
	sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, ":only"), c->only, -1,
			  SQLITE_STATIC);
	sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, ":skip"), c->skip, -1,
			  SQLITE_STATIC);
}

sqlite3_stmt *choose_list(sqlite3 *db, const struct choose *c)
{
	sqlite3_stmt *stmt = select_from(
		db, "SELECT slug AS 'check', scope, severity, coalesce(plain, title) AS title"
		    " FROM kb.cause WHERE " HAS_CHECK " AND " CHOOSE_SQL " ORDER BY slug");

	bind_choice(stmt, c);
	return stmt;
}

sqlite3_stmt *choose_without_check(sqlite3 *db, const char *names)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT slug FROM kb.cause WHERE NOT " HAS_CHECK
				" AND instr(',' || replace(?1, ' ', '') || ',', ',' || slug || ',')"
				" ORDER BY slug");

	sqlite3_bind_text(stmt, 1, names, -1, SQLITE_STATIC);
	return stmt;
}

static bool is_chosen(sqlite3_stmt *stmt, const char *cause)
{
	bool chosen;

	sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, ":cause"), cause, -1,
			  SQLITE_STATIC);
	chosen = select_next(stmt);
	sqlite3_reset(stmt);
	return chosen;
}

static void keep_checks(struct diagnosis *d, sqlite3_stmt *stmt)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->check_count; i++)
		if (is_chosen(stmt, d->checks[i].cause))
			d->checks[kept++] = d->checks[i];
		else if (d->checks[i].later)
			d->later--;
	d->left_out = d->check_count - kept;
	d->check_count = kept;
}

/* What is explained by a cause that was left out stands for itself. */
static void keep_findings(struct diagnosis *d, sqlite3_stmt *stmt)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->finding_count; i++) {
		struct finding f = d->findings[i];

		if (!is_chosen(stmt, f.cause))
			continue;
		if (f.because_of && !is_chosen(stmt, f.because_of))
			f.because_of = NULL;
		d->findings[kept++] = f;
	}
	d->finding_count = kept;
}

void choose_checks(sqlite3 *db, const struct choose *c, struct diagnosis *d)
{
	sqlite3_stmt *stmt;

	if (!c->only && !c->skip)
		return;
	stmt = select_from(db, "SELECT 1 FROM kb.cause WHERE slug = :cause AND " CHOOSE_SQL);
	bind_choice(stmt, c);
	keep_checks(d, stmt);
	keep_findings(d, stmt);
	sqlite3_finalize(stmt);
	if (c->only)
		d->blind = NULL; /* a check that needs the GPUs says so itself */
	diagnose_judge(d);
}
