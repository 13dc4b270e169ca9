#include "kb/show.h"

#include <errno.h>
#include <string.h>

#include "base/table-write.h"

#define WIDTH 78

static sqlite3_stmt *ask(sqlite3 *db, const char *sql, const char *name)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && name)
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	return stmt;
}

static const char *text_at(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}

void show_list(sqlite3 *db, struct buf *ret, size_t width)
{
	static const char *const names[] = { "cause", "severity", "kind", "title" };
	sqlite3_stmt *stmt =
		ask(db,
		    "SELECT slug, severity, kind, title FROM kb.cause UNION ALL "
		    "SELECT cause, '?', '?', 'for a later rocsteady: ' || why FROM kb.later "
		    "ORDER BY slug",
		    NULL);
	struct table_text table = { 0 };

	if (!stmt) /* nothing is for a later one: the knowledge was not put together */
		stmt = ask(db, "SELECT slug, severity, kind, title FROM kb.cause ORDER BY slug",
			   NULL);

	for (size_t i = 0; i < 4; i++)
		table_column(&table, names[i], false);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		size_t row = table_row(&table);

		for (int i = 0; i < 4; i++)
			table_cell(&table, row, (size_t)i, span_of(text_at(stmt, i)));
	}
	sqlite3_finalize(stmt);
	table_write(&table, ret, width);
	table_done(&table);
}

/* Words of a text in lines of WIDTH, behind what stands in the first one, then behind the indent. */
static void wrap_at(struct buf *ret, size_t column, const char *indent, const char *text)
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

static void wrap(struct buf *ret, const char *indent, const char *text)
{
	buf_text(ret, indent);
	wrap_at(ret, strlen(indent), indent, text);
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
	sqlite3_stmt *stmt = ask(db,
				 "SELECT weight, id, says, \"group\", absence, sql FROM kb.evidence"
				 " WHERE cause = ?1 ORDER BY position",
				 slug);

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		if ((sqlite3_column_int(stmt, 0) > 0) != for_it)
			continue;
		buf_addf(ret, "  %+3d  %s: ", sqlite3_column_int(stmt, 0), text_at(stmt, 1));
		wrap_at(ret, 9 + strlen(text_at(stmt, 1)), "       ", text_at(stmt, 2));
		if (text_at(stmt, 3)[0])
			buf_addf(ret, "       group %s: only the strongest of it counts\n",
				 text_at(stmt, 3));
		if (sqlite3_column_int(stmt, 4))
			buf_text(ret, "       concludes from absence: any gap makes it unknown\n");
		lines(ret, "       | ", text_at(stmt, 5));
	}
	sqlite3_finalize(stmt);
}

static void show_sources(sqlite3 *db, const char *owner, struct buf *ret)
{
	sqlite3_stmt *stmt =
		ask(db, "SELECT class, ref, says FROM kb.source WHERE owner = ?1 ORDER BY rowid",
		    owner);
	bool first = true;

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		if (first)
			buf_text(ret, "\nSources\n");
		first = false;
		buf_addf(ret, "  %s: %s\n", text_at(stmt, 0), text_at(stmt, 1));
		if (text_at(stmt, 2)[0])
			wrap(ret, "    ", text_at(stmt, 2));
	}
	sqlite3_finalize(stmt);
}

/* A command, behind four blanks, stays one line, to be copied. */
static void steps(struct buf *ret, const char *indent, const char *text)
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
			wrap(ret, indent, one.data);
	}
}

static void remedy_body(sqlite3_stmt *stmt, struct buf *ret)
{
	static const char indent[] = "     ";
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s: %s (risk: %s)", text_at(stmt, 0), text_at(stmt, 1), text_at(stmt, 2));
	wrap_at(ret, sizeof(indent) - 1, indent, text.data);
	steps(ret, indent, text_at(stmt, 3));
	buf_addf(ret, "%sthen: %s\n", indent, text_at(stmt, 4));
	if (text_at(stmt, 5)[0]) {
		buf_addf(ret, "%sneeds: ", indent);
		wrap_at(ret, sizeof(indent) + 6, indent, text_at(stmt, 5));
	}
	buf_clear(&text);
	buf_addf(&text, "changes: %s; undo: %s; about %d min", text_at(stmt, 6), text_at(stmt, 7),
		 sqlite3_column_int(stmt, 8));
	wrap(ret, indent, text.data);
}

/* What `run --heal` can do of it. */
static void show_lever(sqlite3 *db, const char *remedy, struct buf *ret)
{
	sqlite3_stmt *stmt =
		ask(db, "SELECT names, costs, sql FROM kb.lever WHERE remedy = ?1", remedy);

	if (sqlite3_step(stmt) == SQLITE_ROW) {
		buf_addf(ret, "     lever of run --heal: %s; costs: %s; where this has rows:\n",
			 text_at(stmt, 0), text_at(stmt, 1));
		lines(ret, "       | ", text_at(stmt, 2));
	}
	sqlite3_finalize(stmt);
}

static void show_remedies(sqlite3 *db, const char *slug, struct buf *ret)
{
	sqlite3_stmt *stmt = ask(
		db,
		"SELECT r.id, r.title, r.risk, r.steps, r.verify, r.needs, r.changes, r.undo, r.minutes FROM kb.cause_remedy c"
		" JOIN kb.remedy r ON r.id = c.remedy WHERE c.cause = ?1"
		" ORDER BY c.position",
		slug);
	int number = 0;

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		if (++number == 1)
			buf_text(ret, "\nRemedies, best first\n");
		buf_addf(ret, "  %d. ", number);
		remedy_body(stmt, ret);
	}
	sqlite3_finalize(stmt);
}

static void show_links(sqlite3 *db, const char *slug, struct buf *ret)
{
	sqlite3_stmt *stmt =
		ask(db, "SELECT by_cause FROM kb.explained_by WHERE cause = ?1 ORDER BY by_cause",
		    slug);

	while (sqlite3_step(stmt) == SQLITE_ROW)
		buf_addf(ret, "\nWhere %s holds, this is its consequence.\n", text_at(stmt, 0));
	sqlite3_finalize(stmt);
}

static bool has_against(sqlite3 *db, const char *slug)
{
	sqlite3_stmt *stmt =
		ask(db, "SELECT 1 FROM kb.evidence WHERE cause = ?1 AND weight < 0", slug);
	bool has = sqlite3_step(stmt) == SQLITE_ROW;

	sqlite3_finalize(stmt);
	return has;
}

static void show_cause(sqlite3 *db, sqlite3_stmt *cause, struct buf *ret)
{
	const char *slug = text_at(cause, 0);

	buf_addf(ret, "%s: %s\n", slug, text_at(cause, 1));
	buf_addf(ret, "%s, scope %s, severity %s, action %s (%s)\n\n", text_at(cause, 2),
		 text_at(cause, 3), text_at(cause, 4), text_at(cause, 5), text_at(cause, 8));
	wrap(ret, "  ", text_at(cause, 6));
	buf_addf(ret, "\nSpeaks for it, in decibans (10: ten to one), beginning at %d\n",
		 sqlite3_column_int(cause, 9));
	show_evidence(db, slug, true, ret);
	if (has_against(db, slug)) {
		buf_text(ret, "\nSpeaks against it\n");
		show_evidence(db, slug, false, ret);
	}
	if (text_at(cause, 7)[0]) {
		buf_text(ret, "\nWhat would decide it\n");
		wrap(ret, "  ", text_at(cause, 7));
	}
	show_links(db, slug, ret);
	show_remedies(db, slug, ret);
	show_sources(db, slug, ret);
}

static int find_cause(sqlite3 *db, const char *name, struct buf *ret)
{
	sqlite3_stmt *stmt =
		ask(db,
		    "SELECT slug, title, kind, scope, severity, action, story, undecided,"
		    " file, prior FROM kb.cause WHERE slug = ?1",
		    name);
	bool found = sqlite3_step(stmt) == SQLITE_ROW;

	if (found)
		show_cause(db, stmt, ret);
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}

static void show_users(sqlite3 *db, const char *id, struct buf *ret)
{
	sqlite3_stmt *stmt =
		ask(db, "SELECT cause FROM kb.cause_remedy WHERE remedy = ?1 ORDER BY cause", id);
	bool first = true;

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		buf_addf(ret, "%s%s", first ? "\nHelps against: " : ", ", text_at(stmt, 0));
		first = false;
	}
	if (!first)
		buf_char(ret, '\n');
	sqlite3_finalize(stmt);
}

/* What the program would do by itself. */
static void show_apply(sqlite3 *db, const char *id, struct buf *ret)
{
	sqlite3_stmt *stmt = ask(db,
				 "SELECT kind, target, content, place FROM kb.apply_action"
				 " WHERE remedy = ?1 ORDER BY position",
				 id);
	bool first = true;

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		buf_text(ret, first ? "\nCan be applied and undone: rocsteady fix\n" : "");
		first = false;
		buf_addf(ret, "  %s %s\n", text_at(stmt, 0), text_at(stmt, 1));
		lines(ret, "     | ", text_at(stmt, 2));
		lines(ret, "     from ", text_at(stmt, 3));
	}
	sqlite3_finalize(stmt);
}

static int find_remedy(sqlite3 *db, const char *name, struct buf *ret)
{
	sqlite3_stmt *stmt = ask(
		db,
		"SELECT id, title, risk, steps, verify, needs, changes, undo, minutes FROM kb.remedy WHERE id = ?1",
		name);
	bool found = sqlite3_step(stmt) == SQLITE_ROW;

	if (found) {
		remedy_body(stmt, ret);
		show_apply(db, name, ret);
		show_lever(db, name, ret);
		show_users(db, name, ret);
		show_sources(db, name, ret);
	}
	sqlite3_finalize(stmt);
	return found ? 0 : -ENOENT;
}

int show_one(sqlite3 *db, const char *name, struct buf *ret)
{
	int r = find_cause(db, name, ret);

	return r == 0 ? 0 : find_remedy(db, name, ret);
}
