#include "kb/schema-check.h"

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/kb.h"

static sqlite3_stmt *ask(sqlite3 *db, const char *format, const char *a, const char *b)
{
	char *sql = sqlite3_mprintf(format, a, b);
	sqlite3_stmt *stmt = NULL;

	select_note(db, sql ? sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_NO_VTAB, &stmt, NULL)
			    : SQLITE_NOMEM);
	sqlite3_free(sql);
	return stmt;
}

sqlite3 *schema_check_fresh(void)
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
		if (strcmp(column_text(ours, i), column_text(theirs, i)) != 0)
			return false;
	return true;
}

#define OBJECTS "SELECT type, name, tbl_name, sql FROM \"%w\".sqlite_schema ORDER BY name, type"

static bool is_same(sqlite3 *own, sqlite3 *db, const char *schema)
{
	sqlite3_stmt *ours = ask(own, OBJECTS, "main", NULL);
	sqlite3_stmt *theirs = ask(db, OBJECTS, schema, NULL);
	bool same = ours && theirs;

	while (same && select_next(ours))
		same = select_next(theirs) && same_object(ours, theirs);
	same = same && !select_next(theirs);
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

static const char *skip_words(const char *s)
{
	while (is_word(*s) || (*s && strchr(" \t\n,", *s)))
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
bool schema_check_is_plain(const char *sql)
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
	if (strcmp(column_text(object, 0), "index") == 0)
		return column_text(object, 3)[0] == '\0'; /* SQLite's own, of a key */
	return strcmp(column_text(object, 0), "table") == 0 &&
	       strncmp(column_text(object, 1), "sqlite_", 7) != 0 &&
	       schema_check_is_plain(column_text(object, 3));
}

/* ---- near ---- */

#define COLUMNS "PRAGMA \"%w\".table_info(\"%w\")" /* number, name, type, not null, default, key */

static bool has_column(sqlite3 *db, const char *schema, const char *table, const char *column)
{
	sqlite3_stmt *stmt = ask(db, COLUMNS, schema, table);
	bool found = false;

	while (!found && select_next(stmt))
		found = strcmp(column_text(stmt, 1), column) == 0;
	sqlite3_finalize(stmt);
	return found;
}

/* A table that is not there is an empty one, but for the three that make a kb.db. */
static bool can_fill(sqlite3 *own, sqlite3 *db, const char *schema, const char *table)
{
	sqlite3_stmt *columns = ask(db, COLUMNS, schema, table);
	bool there = select_next(columns);
	bool good = there || (strcmp(table, "kb") != 0 && strcmp(table, "cause") != 0 &&
			      strcmp(table, "evidence") != 0);

	sqlite3_finalize(columns);
	columns = there ? ask(own, COLUMNS, "main", table) : NULL;
	while (good && select_next(columns))
		good = has_column(db, schema, table, column_text(columns, 1)) ||
		       (!sqlite3_column_int(columns, 3) && !sqlite3_column_int(columns, 5)) ||
		       column_text(columns, 4)[0];
	sqlite3_finalize(columns);
	return good;
}

static bool is_near(sqlite3 *own, sqlite3 *db, const char *schema)
{
	sqlite3_stmt *theirs = ask(db, OBJECTS, schema, NULL);
	sqlite3_stmt *ours = ask(own, OBJECTS, "main", NULL);
	bool near = theirs && ours;

	while (near && select_next(theirs))
		near = is_plain_object(theirs);
	near = sqlite3_finalize(theirs) == SQLITE_OK && near;
	while (near && select_next(ours))
		near = strcmp(column_text(ours, 0), "table") != 0 ||
		       can_fill(own, db, schema, column_text(ours, 1));
	sqlite3_finalize(ours);
	return near;
}

enum schema_check schema_check_of(sqlite3 *db, const char *schema)
{
	sqlite3 *own = schema_check_fresh();
	enum schema_check shape = SCHEMA_CHECK_NONE;

	if (own && is_same(own, db, schema))
		shape = SCHEMA_CHECK_SAME;
	else if (own && is_near(own, db, schema))
		shape = SCHEMA_CHECK_NEAR;
	sqlite3_close(own);
	return shape;
}

void schema_check_columns(sqlite3 *db, const char *one, const char *other, const char *table,
			  struct buf *ret)
{
	sqlite3_stmt *stmt = ask(db, COLUMNS, one, table);

	while (select_next(stmt))
		if (has_column(db, other, table, column_text(stmt, 1)))
			buf_addf(ret, "%s\"%s\"", ret->len ? ", " : "", column_text(stmt, 1));
	sqlite3_finalize(stmt);
}
