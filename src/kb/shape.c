#include "kb/shape.h"

#include <string.h>

#include "kb/kb.h"

static const char *text_at(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}

static sqlite3_stmt *ask(sqlite3 *db, const char *format, const char *a, const char *b)
{
	char *sql = sqlite3_mprintf(format, a, b);
	sqlite3_stmt *stmt = NULL;

	if (sql)
		sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_NO_VTAB, &stmt, NULL);
	sqlite3_free(sql);
	return stmt;
}

sqlite3 *shape_fresh(void)
{
	sqlite3 *db = NULL;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK &&
	    sqlite3_exec(db, "PRAGMA page_size = 4096", NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(db, kb_schema, NULL, NULL, NULL) == SQLITE_OK)
		return db;
	sqlite3_close(db);
	return NULL;
}

/* ---- the same by letter ---- */

/* type, name, table, text; NULL and empty text are the same. */
static bool same_object(sqlite3_stmt *ours, sqlite3_stmt *theirs)
{
	for (int i = 0; i < 4; i++)
		if (strcmp(text_at(ours, i), text_at(theirs, i)) != 0)
			return false;
	return true;
}

#define OBJECTS "SELECT type, name, tbl_name, sql FROM \"%w\".sqlite_schema ORDER BY name, type"

static bool is_same(sqlite3 *own, sqlite3 *db, const char *schema)
{
	sqlite3_stmt *ours = ask(own, OBJECTS, "main", NULL);
	sqlite3_stmt *theirs = ask(db, OBJECTS, schema, NULL);
	bool same = ours && theirs;

	while (same && sqlite3_step(ours) == SQLITE_ROW)
		same = sqlite3_step(theirs) == SQLITE_ROW && same_object(ours, theirs);
	same = same && sqlite3_step(theirs) == SQLITE_DONE;
	sqlite3_finalize(theirs);
	sqlite3_finalize(ours);
	return same;
}

/* ---- the text of a table ---- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static const char *skip_words(const char *s)
{
	while (is_word(*s) || is_blank(*s) || *s == ',')
		s++;
	return s;
}

/* A name in quotes, as "group"; NULL if it is another thing. */
static const char *skip_quoted(const char *s)
{
	size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz_");

	return n > 0 && s[1 + n] == '"' && s[2 + n] != '"' ? s + n + 2 : NULL;
}

static const char *skip_key(const char *begin, const char *s)
{
	static const char words[] = "PRIMARY KEY ";
	size_t n = sizeof(words) - 1;

	if ((size_t)(s - begin) < n || memcmp(s - n, words, n) != 0)
		return NULL;
	for (s++; *s && *s != ')';) {
		const char *next = *s == '"' ? skip_quoted(s) : skip_words(s);

		if (!next || next == s)
			return NULL;
		s = next;
	}
	return *s == ')' ? s + 1 : NULL;
}

/*
 * Whatever computes needs a bracket: CHECK (x), AS (x), DEFAULT (x), a call. So
 * there are two kinds of them: around all columns, and around those of a key.
 */
bool shape_is_plain(const char *sql)
{
	static const char head[] = "CREATE TABLE ";
	const char *s = sql + (sizeof(head) - 1);

	if (strncmp(sql, head, sizeof(head) - 1) != 0)
		return false;
	while (is_word(*s))
		s++;
	s += *s == ' ';
	if (*s++ != '(')
		return false;
	while (s && *s && *s != ')') {
		if (s[0] == '-' && s[1] == '-')
			s += strcspn(s, "\n");
		else if (*s == '"')
			s = skip_quoted(s);
		else if (*s == '(')
			s = skip_key(sql, s);
		else if (skip_words(s) == s)
			return false;
		else
			s = skip_words(s);
	}
	return s && s[0] == ')' && s[1] == '\0';
}

static bool is_plain_object(sqlite3_stmt *object)
{
	if (strcmp(text_at(object, 0), "index") == 0)
		return text_at(object, 3)[0] == '\0'; /* SQLite's own, of a key */
	return strcmp(text_at(object, 0), "table") == 0 &&
	       strncmp(text_at(object, 1), "sqlite_", 7) != 0 && shape_is_plain(text_at(object, 3));
}

/* ---- near ---- */

#define COLUMNS "PRAGMA \"%w\".table_info(\"%w\")" /* number, name, type, not null, default, key */

static bool has_column(sqlite3 *db, const char *schema, const char *table, const char *column)
{
	sqlite3_stmt *stmt = ask(db, COLUMNS, schema, table);
	bool found = false;

	while (!found && stmt && sqlite3_step(stmt) == SQLITE_ROW)
		found = strcmp(text_at(stmt, 1), column) == 0;
	sqlite3_finalize(stmt);
	return found;
}

/* A table that is not there is an empty one, but for the three that make a kb.db. */
static bool can_fill(sqlite3 *own, sqlite3 *db, const char *schema, const char *table)
{
	sqlite3_stmt *columns = ask(db, COLUMNS, schema, table);
	bool there = columns && sqlite3_step(columns) == SQLITE_ROW;
	bool good = there || (strcmp(table, "kb") != 0 && strcmp(table, "cause") != 0 &&
			      strcmp(table, "evidence") != 0);

	sqlite3_finalize(columns);
	columns = there ? ask(own, COLUMNS, "main", table) : NULL;
	while (good && columns && sqlite3_step(columns) == SQLITE_ROW)
		good = has_column(db, schema, table, text_at(columns, 1)) ||
		       (!sqlite3_column_int(columns, 3) && !sqlite3_column_int(columns, 5)) ||
		       text_at(columns, 4)[0];
	sqlite3_finalize(columns);
	return good;
}

static bool is_near(sqlite3 *own, sqlite3 *db, const char *schema)
{
	sqlite3_stmt *theirs = ask(db, OBJECTS, schema, NULL);
	sqlite3_stmt *ours = ask(own, OBJECTS, "main", NULL);
	bool near = theirs && ours;

	while (near && sqlite3_step(theirs) == SQLITE_ROW)
		near = is_plain_object(theirs);
	near = sqlite3_finalize(theirs) == SQLITE_OK && near;
	while (near && sqlite3_step(ours) == SQLITE_ROW)
		near = strcmp(text_at(ours, 0), "table") != 0 ||
		       can_fill(own, db, schema, text_at(ours, 1));
	sqlite3_finalize(ours);
	return near;
}

enum shape shape_of(sqlite3 *db, const char *schema)
{
	sqlite3 *own = shape_fresh();
	enum shape shape = SHAPE_NONE;

	if (own && is_same(own, db, schema))
		shape = SHAPE_SAME;
	else if (own && is_near(own, db, schema))
		shape = SHAPE_NEAR;
	sqlite3_close(own);
	return shape;
}

void shape_columns(sqlite3 *db, const char *one, const char *other, const char *table,
		   struct buf *ret)
{
	sqlite3_stmt *stmt = ask(db, COLUMNS, one, table);

	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		if (has_column(db, other, table, text_at(stmt, 1)))
			buf_addf(ret, "%s\"%s\"", ret->len ? ", " : "", text_at(stmt, 1));
	sqlite3_finalize(stmt);
}
