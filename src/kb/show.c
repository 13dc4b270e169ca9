#include "kb/show.h"

#include <errno.h>
#include <string.h>

#include "base/json-write.h"
#include "base/table-write.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/show-internal.h"

#define WIDTH 78

sqlite3_stmt *show_ask(sqlite3 *db, const char *sql, const char *name)
{
	sqlite3_stmt *stmt = select_from(db, sql);

	if (name)
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	return stmt;
}

/* Knowledge that was not put together of layers has nothing for a later one. */
static sqlite3_stmt *ask_list(sqlite3 *db)
{
	return select_from(
		db, select_has(db, "kb", "later")
			    ? "SELECT slug, severity, kind, coalesce(plain, title) FROM kb.cause"
			      " UNION ALL "
			      "SELECT cause, '?', '?', 'for a later rocsteady: ' || why"
			      " FROM kb.later ORDER BY slug"
			    : "SELECT slug, severity, kind, coalesce(plain, title) FROM kb.cause"
			      " ORDER BY slug");
}

static const char *const list_columns[] = { "cause", "severity", "kind", "title" };

void show_list(sqlite3 *db, struct buf *ret, size_t width)
{
	sqlite3_stmt *stmt = ask_list(db);
	struct table_text table = { 0 };

	for (size_t i = 0; i < 4; i++)
		table_column(&table, list_columns[i], false);
	while (select_next(stmt)) {
		size_t row = table_row(&table);

		for (int i = 0; i < 4; i++)
			table_cell(&table, row, (size_t)i, span_of(column_text(stmt, i)));
	}
	sqlite3_finalize(stmt);
	table_write(&table, ret, width);
	table_done(&table);
}

void show_list_json(sqlite3 *db, struct buf *ret)
{
	sqlite3_stmt *stmt = ask_list(db);
	struct json j = json_on(ret);

	json_open(&j, NULL, '[');
	while (select_next(stmt)) {
		json_open_row(&j);
		for (int i = 0; i < 4; i++)
			json_string(&j, list_columns[i], column_text(stmt, i));
		json_close_row(&j);
	}
	json_close(&j, ']');
	sqlite3_finalize(stmt);
}

/* Words of a text in lines of WIDTH, after what stands in the first one, then after the indent. */
void show_wrap_at(struct buf *ret, size_t column, const char *indent, const char *text)
{
	struct span rest = span_of(text), word;
	bool first = true;

	while (span_word(&rest, &word)) {
		if (!first && column + 1 + word.len > WIDTH) {
			buf_addf(ret, "\n%s", indent);
			column = strlen(indent);
		} else if (!first) {
			buf_char(ret, ' ');
			column++;
		}
		buf_span(ret, word);
		column += word.len;
		first = false;
	}
	buf_char(ret, '\n');
}

void show_wrap(struct buf *ret, const char *indent, const char *text)
{
	buf_text(ret, indent);
	show_wrap_at(ret, strlen(indent), indent, text);
}

static void lines(struct buf *ret, const char *indent, const char *text)
{
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line)) {
		if (line.len > 0)
			buf_text(ret, indent);
		buf_span(ret, line);
		buf_char(ret, '\n');
	}
}

static void show_evidence(sqlite3 *db, const char *slug, bool for_it, struct buf *ret)
{
	sqlite3_stmt *stmt =
		show_ask(db,
			 "SELECT weight, id, says, \"group\", absence, sql FROM kb.evidence"
			 " WHERE cause = ?1 ORDER BY position",
			 slug);

	while (select_next(stmt)) {
		if ((sqlite3_column_int(stmt, 0) > 0) != for_it)
			continue;
		buf_addf(ret, "  %+3d  %s: ", sqlite3_column_int(stmt, 0), column_text(stmt, 1));
		show_wrap_at(ret, 9 + strlen(column_text(stmt, 1)), "       ",
			     column_text(stmt, 2));
		if (column_text(stmt, 3)[0])
			buf_addf(ret, "       group %s: only its strongest line counts\n",
				 column_text(stmt, 3));
		if (sqlite3_column_int(stmt, 4))
			buf_text(
				ret,
				"       depends on something being absent: unknown if anything could not be read\n");
		lines(ret, "       | ", column_text(stmt, 5));
	}
	sqlite3_finalize(stmt);
}

void show_sources(sqlite3 *db, const char *owner, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db, "SELECT class, ref, says FROM kb.source WHERE owner = ?1 ORDER BY rowid",
		owner);
	bool first = true;

	while (select_next(stmt)) {
		if (first)
			buf_text(ret, "\nSources\n");
		first = false;
		buf_addf(ret, "  %s: %s\n", column_text(stmt, 0), column_text(stmt, 1));
		if (column_text(stmt, 2)[0])
			show_wrap(ret, "    ", column_text(stmt, 2));
	}
	sqlite3_finalize(stmt);
}

/* A command, after four blanks, stays one line, to be copied. */
void show_steps(struct buf *ret, const char *indent, const char *text)
{
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line)) {
		struct buf one BUF_SCOPED = { 0 };

		buf_span(&one, line);
		if (line.len == 0)
			buf_char(ret, '\n');
		else if (span_starts(line, "    "))
			buf_addf(ret, "%s%s\n", indent, one.data);
		else
			show_wrap(ret, indent, one.data);
	}
}

static void remedy_body(sqlite3_stmt *stmt, struct buf *ret)
{
	static const char indent[] = "     ";
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s: %s (risk: %s)", column_text(stmt, 0), column_text(stmt, 1),
		 column_text(stmt, 2));
	show_wrap_at(ret, sizeof(indent) - 1, indent, text.data);
	show_steps(ret, indent, column_text(stmt, 3));
	buf_addf(ret, "%sthen: %s\n", indent, column_text(stmt, 4));
	if (column_text(stmt, 5)[0]) {
		buf_addf(ret, "%sneeds: ", indent);
		show_wrap_at(ret, sizeof(indent) + 6, indent, column_text(stmt, 5));
	}
	buf_clear(&text);
	buf_addf(&text, "changes: %s; undo: %s; about %d min", column_text(stmt, 6),
		 column_text(stmt, 7), sqlite3_column_int(stmt, 8));
	show_wrap(ret, indent, text.data);
}

void show_unchecked(sqlite3 *db, const char *name, const char *indent, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db, "SELECT 'not checked: ' || reason FROM kb.unchecked WHERE owner = ?1", name);

	if (select_next(stmt))
		show_wrap(ret, indent, column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static void show_systems(sqlite3 *db, const char *remedy, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db,
		"SELECT 'On Windows', windows FROM kb.remedy WHERE id = ?1 AND windows NOT NULL"
		" UNION ALL SELECT 'In WSL', wsl FROM kb.remedy WHERE id = ?1 AND wsl NOT NULL",
		remedy);

	while (select_next(stmt)) {
		bool some = column_text(stmt, 1)[0] != '\0';

		buf_addf(ret, "     %s%s\n", column_text(stmt, 0),
			 some ? ":" : " there is nothing like it.");
		if (some)
			show_steps(ret, "     ", column_text(stmt, 1));
	}
	sqlite3_finalize(stmt);
}

/* What `run --heal` can do of it. */
static void show_workaround(sqlite3 *db, const char *remedy, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db, "SELECT names, costs, sql FROM kb.workaround WHERE remedy = ?1", remedy);

	if (select_next(stmt)) {
		buf_addf(ret,
			 "     run --heal can set this: %s; cost: %s; when this query has rows:\n",
			 column_text(stmt, 0), column_text(stmt, 1));
		lines(ret, "       | ", column_text(stmt, 2));
	}
	sqlite3_finalize(stmt);
}

static void show_remedies(sqlite3 *db, const char *slug, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db,
		"SELECT r.id, r.title, r.risk, r.steps, r.verify, r.needs, r.changes, r.undo, r.minutes FROM kb.cause_remedy c"
		" JOIN kb.remedy r ON r.id = c.remedy WHERE c.cause = ?1"
		" ORDER BY c.position",
		slug);
	int number = 0;

	while (select_next(stmt)) {
		if (++number == 1)
			buf_text(ret, "\nDo this, best first\n");
		buf_addf(ret, "  %d. ", number);
		remedy_body(stmt, ret);
		show_unchecked(db, column_text(stmt, 0), "     ", ret);
	}
	sqlite3_finalize(stmt);
}

static void show_links(sqlite3 *db, const char *slug, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db, "SELECT by_cause FROM kb.explained_by WHERE cause = ?1 ORDER BY by_cause",
		slug);

	while (select_next(stmt))
		buf_addf(ret, "\nWhere %s holds, this is its consequence.\n", column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static bool has_against(sqlite3 *db, const char *slug)
{
	sqlite3_stmt *stmt =
		show_ask(db, "SELECT 1 FROM kb.evidence WHERE cause = ?1 AND weight < 0", slug);
	bool has = select_next(stmt);

	sqlite3_finalize(stmt);
	return has;
}

static void show_cause(sqlite3 *db, sqlite3_stmt *cause, struct buf *ret)
{
	const char *slug = column_text(cause, 0);

	buf_addf(ret, "%s: %s\n", slug, column_text(cause, 1));
	buf_addf(ret, "%s, scope %s, severity %s, action %s (%s)\n\n", column_text(cause, 2),
		 column_text(cause, 3), column_text(cause, 4), column_text(cause, 5),
		 column_text(cause, 8));
	show_wrap(ret, "  ", column_text(cause, 6));
	if (column_text(cause, 12)[0])
		buf_addf(ret, "\nA controller may start: %s\n", column_text(cause, 12));
	buf_addf(ret, "\nEvidence for it, in decibans (10 means ten to one), starting at %d\n",
		 sqlite3_column_int(cause, 9));
	show_evidence(db, slug, true, ret);
	if (has_against(db, slug)) {
		buf_text(ret, "\nEvidence against it\n");
		show_evidence(db, slug, false, ret);
	}
	if (column_text(cause, 7)[0]) {
		buf_text(ret, "\nTo decide\n");
		show_wrap(ret, "  ", column_text(cause, 7));
		if (column_text(cause, 11)[0])
			show_wrap(ret, "  ", column_text(cause, 11));
	}
	show_links(db, slug, ret);
	show_remedies(db, slug, ret);
	show_sources(db, slug, ret);
}

static int find_cause(sqlite3 *db, const char *name, bool all, struct buf *ret)
{
	sqlite3_stmt *stmt =
		show_ask(db,
			 "SELECT slug, title, kind, scope, severity, action, story, undecided,"
			 " file, prior, plain, tells, repair FROM kb.cause WHERE slug = ?1",
			 name);
	bool found = select_next(stmt);

	if (found)
		(all ? show_cause : show_cause_plainly)(db, stmt, ret);
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}

static void show_users(sqlite3 *db, const char *id, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db, "SELECT cause FROM kb.cause_remedy WHERE remedy = ?1 ORDER BY cause", id);
	bool first = true;

	while (select_next(stmt)) {
		buf_addf(ret, "%s%s", first ? "\nFixes: " : ", ", column_text(stmt, 0));
		first = false;
	}
	if (!first)
		buf_char(ret, '\n');
	sqlite3_finalize(stmt);
}

/* What the program would do by itself. */
static void show_apply(sqlite3 *db, const char *id, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(db,
				      "SELECT kind, target, content, place FROM kb.apply_action"
				      " WHERE remedy = ?1 ORDER BY position",
				      id);
	bool first = true;

	while (select_next(stmt)) {
		buf_text(ret,
			 first ? "\nrocsteady can apply and revert this: rocsteady fix\n" : "");
		first = false;
		buf_addf(ret, "  %s %s\n", column_text(stmt, 0), column_text(stmt, 1));
		lines(ret, "     | ", column_text(stmt, 2));
		lines(ret, "     from ", column_text(stmt, 3));
	}
	sqlite3_finalize(stmt);
}

int show_remedy(sqlite3 *db, const char *name, struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(
		db,
		"SELECT id, title, risk, steps, verify, needs, changes, undo, minutes FROM kb.remedy WHERE id = ?1",
		name);
	bool found = select_next(stmt);

	if (found) {
		remedy_body(stmt, ret);
		show_unchecked(db, name, "     ", ret);
		show_systems(db, name, ret);
		show_apply(db, name, ret);
		show_workaround(db, name, ret);
		show_users(db, name, ret);
		show_sources(db, name, ret);
	}
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}

int show_one(sqlite3 *db, const char *name, bool all, struct buf *ret)
{
	static int (*const finders[])(sqlite3 *, const char *,
				      struct buf *) = { show_remedy, show_signature, show_defect,
							show_family };
	int r = find_cause(db, name, all, ret);

	for (size_t i = 0; r == -ENOENT && i < sizeof(finders) / sizeof(finders[0]); i++)
		r = finders[i](db, name, ret);
	return r;
}
