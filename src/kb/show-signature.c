#include <errno.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/show-internal.h"

static const char signature_sql[] =
	"SELECT id, says, kind, iif(written_by = 'person', 'written by people', 'printed by ' || program),"
	" file || ':' || line, pattern, below FROM kb.signature WHERE id = ?1";
static const char defect_sql[] =
	"SELECT id, title, component, cause, cure, fixed_in, source, weight FROM kb.defect"
	" WHERE id = ?1";

/* The rows of a statement about `name`, one text each, below a heading. */
static void show_rows(sqlite3 *db, const char *heading, const char *sql, const char *name,
		      struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(db, sql, name);
	bool first = true;

	while (select_next(stmt)) {
		if (first)
			buf_addf(ret, "\n%s\n", heading);
		first = false;
		buf_addf(ret, "  %s\n", column_text(stmt, 0));
	}
	sqlite3_finalize(stmt);
}

int show_signature(sqlite3 *db, const char *name, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(db, signature_sql, name);
	bool found = select_next(stmt);

	if (found) {
		buf_addf(ret, "%s: %s\n%s, %s (%s)\n", column_text(stmt, 0), column_text(stmt, 1),
			 column_text(stmt, 2), column_text(stmt, 3), column_text(stmt, 4));
		show_rows(db, "One of these is in the line",
			  "SELECT text FROM kb.literal WHERE signature = ?1 ORDER BY position",
			  name, ret);
		if (column_text(stmt, 5)[0])
			buf_addf(ret, "\nAnd the line fits\n  %s\n", column_text(stmt, 5));
		if (column_text(stmt, 6)[0])
			buf_addf(ret, "\nAnd the line below it\n  %s\n", column_text(stmt, 6));
		show_rows(db, "Speaks for, in decibans (10: ten to one)",
			  "SELECT printf('%+3d  %s', weight, cause) FROM kb.suggests"
			  " WHERE signature = ?1 ORDER BY weight DESC, cause",
			  name, ret);
		show_rows(db, "Says of the machine",
			  "SELECT name || ' = ' || value FROM kb.states WHERE signature = ?1"
			  " ORDER BY name",
			  name, ret);
		show_rows(db, "Shows the defects",
			  "SELECT defect FROM kb.defect_signature WHERE signature = ?1"
			  " ORDER BY defect",
			  name, ret);
		show_sources(db, name, ret);
	}
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}

int show_defect(sqlite3 *db, const char *name, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(db, defect_sql, name);
	bool found = select_next(stmt);

	if (found) {
		buf_addf(ret, "%s: %s\n%s; speaks for %s, %d decibans\n\nWhat made it work\n",
			 column_text(stmt, 0), column_text(stmt, 1), column_text(stmt, 2),
			 column_text(stmt, 3), sqlite3_column_int(stmt, 7));
		show_steps(ret, "  ", column_text(stmt, 4));
		if (column_text(stmt, 5)[0])
			buf_addf(ret, "\nFixed in %s\n", column_text(stmt, 5));
		show_rows(db, "Where",
			  "SELECT name || ' ' || coalesce('is one of: ' || words,"
			  " CASE WHEN low IS NULL THEN 'before ' || high"
			  "  WHEN high IS NULL THEN 'from ' || low || ' on'"
			  "  ELSE 'from ' || low || ' to before ' || high END)"
			  " || CASE WHEN is_end_known THEN '' ELSE ' (later: not known)' END"
			  " FROM kb.defect_when WHERE defect = ?1 ORDER BY name",
			  name, ret);
		show_rows(db, "Shown by the signatures",
			  "SELECT signature FROM kb.defect_signature WHERE defect = ?1"
			  " ORDER BY signature",
			  name, ret);
		buf_addf(ret, "\nSource\n  %s\n", column_text(stmt, 6));
		show_unchecked(db, name, "  ", ret);
	}
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}

/* ---- causes that look alike in a log ---- */

int show_family(sqlite3 *db, const char *name, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db, "SELECT name, title, remedy, source FROM kb.family WHERE name = ?1", name);
	bool found = select_next(stmt);

	if (found) {
		buf_addf(ret, "%s: %s\na family of causes that look alike in a log\n",
			 column_text(stmt, 0), column_text(stmt, 1));
		show_rows(db, "One of these; rocsteady kb show NAME has each",
			  "SELECT printf('%-26s %s', c.slug, coalesce(c.plain, c.title))"
			  " FROM kb.family f JOIN kb.cause c"
			  " ON ' ' || f.causes || ' ' LIKE '% ' || c.slug || ' %'"
			  " WHERE f.name = ?1 ORDER BY c.slug",
			  name, ret);
		buf_text(ret, "\nTo tell them apart\n     ");
		show_remedy(db, column_text(stmt, 2), ret);
		buf_text(ret, "\nSource\n");
		show_wrap(ret, "  ", column_text(stmt, 3));
	}
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}
